//! Signing in and registering with an email and a password, and changing the password.

use std::time::Instant;

use morpion_rules::UserId;
use morpion_store::{Credentials, NewUser, Store, StoreError, Unique, User};
use uuid::Uuid;

use super::{
    Accounts,
    error::AccountError,
    failures::{AccountKey, Source},
    limits::RateLimit,
    names::{DisplayName, Email, PersonName, Username},
    password::{NewPassword, Passwords},
    proof::ProofMethod,
    security_events::{Outcome, SecurityEvent, SecuritySubject},
    session::IssuedSession,
    token,
};
use crate::{
    caller::{Call, Caller},
    error::{CommonError, FieldErrors},
    mail::{EmailTemplate, MAX_ADDRESS},
};

/// Sign-ins that are slowed down at once; further ones are asked to try again.
pub(super) const MAX_SLOWED: usize = 512;

/// The browser that a session is for.
#[derive(Debug, Clone)]
pub struct Browser {
    /// The device cookie.
    pub device: String,
    pub user_agent: String,
}

/// A validated request for a local account.
#[derive(Debug)]
pub struct Registration {
    pub email: Email,
    pub password: NewPassword,
    pub username: Username,
    pub first_name: PersonName,
    pub last_name: PersonName,
}

/// A form for a local account, as it was filled in.
#[derive(Clone, Copy, Default)]
pub struct RegistrationForm<'a> {
    pub email: &'a str,
    pub password: &'a str,
    pub username: &'a str,
    pub first_name: &'a str,
    pub last_name: &'a str,
}

impl RegistrationForm<'_> {
    /// # Errors
    /// Everything that is wrong; [`CommonError::Unavailable`].
    pub(super) async fn check(
        self,
        passwords: &Passwords,
        allow: impl FnOnce(Username) -> Result<Username, String>,
    ) -> Result<Registration, CommonError> {
        let mut fields = FieldErrors::default();
        let email = fields.check("email", Email::parse(self.email));
        let password = fields.check("password", passwords.check_new(self.password).await?);
        let username = fields.check("username", Username::parse(self.username).and_then(allow));
        let first_name = fields.check("firstName", PersonName::parse(self.first_name));
        let last_name = fields.check("lastName", PersonName::parse(self.last_name));
        match (email, password, username, first_name, last_name) {
            (Some(email), Some(password), Some(username), Some(first_name), Some(last_name)) => {
                Ok(Registration { email, password, username, first_name, last_name })
            }
            _ => Err(fields.into()),
        }
    }
}

impl Accounts {
    /// Signs in with a password. Neither the error nor the response time shows what was wrong.
    ///
    /// # Errors
    /// [`AccountError::WrongCredentials`], [`AccountError::SecondFactorRequired`], [`AccountError::TooManyFailedSignIns`], [`CommonError::TooMany`],
    /// [`AccountError::LocalAccountsOff`].
    pub async fn sign_in(
        &self,
        call: &Call,
        browser: &Browser,
        email: &str,
        password: &str,
        keep_guest_games: bool,
    ) -> Result<(User, IssuedSession), AccountError> {
        self.require_local_accounts()?;
        let user = self.typed_account(email).await?;
        let source = self.admit_sign_in(call, browser, user.as_ref()).await?;
        let event = SecurityEvent::SignIn(Some(ProofMethod::Password));
        let log = |outcome| self.log_security_event(call, event, outcome, SecuritySubject::Typed(email));
        let attempt = self
            .failures
            .begin(AccountKey::new(email), source, Instant::now())
            .inspect_err(|_| log(Outcome::LockedOut))?;
        match self.owner_of_password(user, password, attempt.slow_down).await {
            Ok(Some(user)) => {
                // Half a sign-in clears no failures, or its second half could be guessed at without end.
                if user.second_factor {
                    attempt.cancel()
                } else {
                    attempt.succeeded()
                }
                let issued = self.sign_in_or_wait(call, browser, &user, keep_guest_games, ProofMethod::Password).await;
                let issued = issued.map_err(|error| match error {
                    // As after the change.
                    AccountError::Common(CommonError::CredentialsChanged) => AccountError::WrongCredentials,
                    error => error,
                })?;
                Ok((user, issued))
            }
            Ok(None) => {
                log(Outcome::Failed);
                Err(AccountError::WrongCredentials)
            }
            Err(error) => {
                attempt.cancel();
                Err(error)
            }
        }
    }

    async fn owner_of_password(
        &self,
        user: Option<User>,
        password: &str,
        slow_down: Option<std::time::Duration>,
    ) -> Result<Option<User>, AccountError> {
        if let Some(pause) = slow_down {
            let _place = self.slowed.try_acquire().map_err(|_| CommonError::TooMany { retry_after: pause })?;
            tokio::time::sleep(pause).await;
        }
        let hash = user.as_ref().and_then(|user| user.password_hash.as_deref());
        let is_right = self.passwords.verify(password, hash).await?;
        Ok(user.filter(|_| is_right))
    }

    /// Counts a sign-in to this account, and tells whose failures it counts for. A device that signed in to the account
    /// before has an allowance of its own, so that nobody behind the same address uses it up.
    pub(super) async fn admit_sign_in(
        &self,
        call: &Call,
        browser: &Browser,
        user: Option<&User>,
    ) -> Result<Source, AccountError> {
        let (id, device) = (user.map_or_else(Uuid::nil, |user| user.id), token::hash(&browser.device));
        // Asked in any case, so that the time tells nothing.
        if self.store.is_known_device(id, &device).await? {
            self.limits.check_own(RateLimit::SignIn, &device)?;
            return Ok(Source::device(&device));
        }
        self.limits.check(RateLimit::SignIn, call.address)?;
        Ok(Source::from(call.address))
    }

    /// The account that somebody typed the email or the username of.
    async fn typed_account(&self, typed: &str) -> Result<Option<User>, AccountError> {
        let typed = typed.trim();
        // Not only what may be an email today: accounts keep what they have.
        if typed.contains('@') && typed.len() <= MAX_ADDRESS {
            return Ok(self.store.user_by_email(typed).await?);
        }
        match Username::parse(typed) {
            Ok(username) => Ok(self.store.user_by_name(username.as_str(), self.clock.steady()).await?),
            Err(_) => Ok(None),
        }
    }

    /// Creates a local account and signs it in. A guest who registers keeps the identity, and so the games.
    ///
    /// # Errors
    /// [`CommonError::Invalid`], [`AccountError::UsernameTaken`], [`AccountError::EmailTaken`], [`CommonError::TooMany`],
    /// [`AccountError::LocalAccountsOff`], [`AccountError::RegistrationOff`].
    pub async fn register(
        &self,
        call: &Call,
        browser: &Browser,
        form: RegistrationForm<'_>,
    ) -> Result<(User, IssuedSession), AccountError> {
        self.require_local_accounts()?;
        if !self.config.identity.registration {
            return Err(AccountError::RegistrationOff);
        }
        self.limits.check(RateLimit::Registration, call.address)?;
        let registration = form.check(&self.passwords, |name| self.name_rules().allow(name)).await?;
        let email = registration.email.clone();
        let user = self.create_account(registration, guest(&call.caller)).await?;
        let issued = self.begin_session(call, browser, &user, None).await?;
        self.mail_first_code(&user, &email).await;
        Ok((user, issued))
    }

    /// Mails a new account the code that confirms its email, also where another account claims that: whoever enters the
    /// code has it.
    async fn mail_first_code(&self, user: &User, email: &Email) {
        if self.mailer.is_smtp()
            && let Err(error) = self.mail_email_code(user, email).await
        {
            // The account exists anyway, and another code can be requested.
            tracing::warn!(%error, "the code for a new account's email was not sent");
        }
    }

    /// Creates the first admin with the one-time link and signs it in.
    ///
    /// # Errors
    /// [`AccountError::SetupClosed`] when the link is invalid or has expired, and as [`Accounts::register`].
    pub async fn set_up(
        &self,
        call: &Call,
        browser: &Browser,
        secret: &str,
        form: RegistrationForm<'_>,
    ) -> Result<(User, IssuedSession), AccountError> {
        self.limits.check(RateLimit::SignIn, call.address)?;
        let now = self.clock.steady();
        if !self.operators.is_setup_open(Some(secret), now).await? {
            return Err(AccountError::SetupClosed);
        }
        let new = self.new_admin(form).await?;
        let detail = serde_json::json!({ "username": new.username });
        let entry = self.audit_entry(call, "set_up", &new.id.to_string(), detail);
        let made = self.store.audited(entry).create_admin_by_link(new, &token::hash(secret), now).await;
        let user = self.created(made)?;
        let issued = self.begin_session(call, browser, &user, None).await?;
        if let Ok(email) = Email::parse(form.email) {
            self.mail_first_code(&user, &email).await;
        }
        Ok((user, issued))
    }

    /// Creates a local account, or turns a guest into one.
    pub(crate) async fn create_account(
        &self,
        registration: Registration,
        guest: Option<Credentials>,
    ) -> Result<User, AccountError> {
        let new = self.new_account(registration, guest).await?;
        match guest {
            None => self.created(self.store.create_user(new).await),
            Some(guest) => {
                let promoted = self.store.promote_guest(guest, new).await;
                self.sessions.invalidate(UserId(guest.user_id));
                match promoted {
                    // Another tab registered them.
                    Err(StoreError::NotFound(_)) => Err(AccountError::RegisteredAlready),
                    promoted => self.created(promoted),
                }
            }
        }
    }

    /// What an account is made from that is an admin from the start. Its name may be a reserved one: it is an official.
    pub(super) async fn new_admin(&self, form: RegistrationForm<'_>) -> Result<NewUser, AccountError> {
        let registration = form.check(&self.passwords, |name| self.name_rules().allow_reserved(name)).await?;
        self.new_account(registration, None).await
    }

    /// What a new account is made from; the guest's id and display name if it was one.
    pub(super) async fn new_account(
        &self,
        registration: Registration,
        guest: Option<Credentials>,
    ) -> Result<NewUser, AccountError> {
        let before = match guest {
            Some(guest) => Some(self.user(UserId(guest.user_id)).await?),
            None => None,
        };
        // Checked before the password is hashed, which is expensive; `create_user` decides.
        if self
            .store
            .user_by_name(registration.username.as_str(), self.clock.steady())
            .await?
            .is_some_and(|owner| guest.is_none_or(|guest| guest.user_id != owner.id))
        {
            return Err(AccountError::UsernameTaken);
        }
        if self.store.user_by_verified_email(registration.email.as_str()).await?.is_some() {
            return Err(AccountError::EmailTaken);
        }
        Ok(NewUser {
            id: guest.map_or_else(Uuid::new_v4, |guest| guest.user_id),
            // Friends know a former guest by that name.
            display_name: before
                .map_or_else(|| DisplayName::from(&registration.username).into(), |guest| guest.display_name),
            password_hash: Some(self.passwords.hash(registration.password).await?),
            username: registration.username.into(),
            first_name: registration.first_name.into(),
            last_name: registration.last_name.into(),
            email: Some(registration.email.into()),
            email_verified: false,
            provider: None,
            is_temp: false,
            created_at: self.clock.wall(),
        })
    }

    /// The account that the store made, or why it did not.
    pub(super) fn created(&self, made: Result<User, StoreError>) -> Result<User, AccountError> {
        let user = made.map_err(|error| match error {
            StoreError::Taken(Unique::Username) => AccountError::UsernameTaken,
            StoreError::NotFound("setup link") => AccountError::SetupClosed,
            error => error.into(),
        })?;
        self.people.update(&user);
        Ok(user)
    }

    /// Starts a session, replacing the browser's previous one.
    pub(crate) async fn begin_session(
        &self,
        call: &Call,
        browser: &Browser,
        user: &User,
        method: Option<ProofMethod>,
    ) -> Result<IssuedSession, AccountError> {
        self.check_suspension(user)?;
        let now = self.clock.steady();
        let issued = self.sessions.begin(user, call.address.ip(), &browser.user_agent, now).await?;
        self.record_device(call, browser, user).await?;
        let subject = SecuritySubject::User(UserId(user.id));
        self.log_security_event(call, SecurityEvent::SignIn(method), Outcome::Succeeded, subject);
        if let Caller::User(before) = &call.caller {
            self.sessions.end(before.user_id, before.session_id, now).await?;
        }
        Ok(issued)
    }

    /// Changes one's password. Every session of the account ends; this browser gets a new one.
    ///
    /// # Errors
    /// [`CommonError::Invalid`] when the current password is wrong or the new one breaks a rule,
    /// [`AccountError::NoPassword`], [`CommonError::Guest`], [`AccountError::TooManyFailedSignIns`].
    pub async fn change_password(
        &self,
        call: &Call,
        browser: &Browser,
        current: &str,
        new: &str,
    ) -> Result<(User, IssuedSession), AccountError> {
        let user = self.user(call.caller.member(None)?.user_id).await?;
        if user.password_hash.is_none() {
            return Err(AccountError::NoPassword);
        }
        let new = self.passwords.check_field("newPassword", new).await?;
        self.check_password(call, &user, current, "currentPassword").await?;
        let changed = self.set_password(&self.store, &user, new, Some(user.credentials())).await?;
        let user = self.user_with(changed).await?;
        let subject = SecuritySubject::User(UserId(user.id));
        self.log_security_event(call, SecurityEvent::PasswordChange, Outcome::Succeeded, subject);
        self.notify_owner(&user, &EmailTemplate::password_replaced(&user.username));
        let issued = self.begin_session(call, browser, &user, Some(ProofMethod::Password)).await?;
        Ok((user, issued))
    }

    /// Sets a new password, with a handle of the store that may be audited, and ends all sessions of the account.
    /// `checked` is what the owner proved, if the owner sets it. Returns the credentials after it.
    ///
    /// # Errors
    /// [`CommonError::CredentialsChanged`], [`CommonError::Unavailable`].
    pub(crate) async fn set_password(
        &self,
        store: &Store,
        user: &User,
        new: NewPassword,
        checked: Option<Credentials>,
    ) -> Result<Credentials, AccountError> {
        let changed = store.set_password(user.id, &self.passwords.hash(new).await?, checked).await?;
        self.end_pending(UserId(user.id));
        self.sessions.have_ended(UserId(user.id), None).await?;
        Ok(changed)
    }

    pub(super) fn require_local_accounts(&self) -> Result<(), AccountError> {
        if self.config.identity.local.enabled { Ok(()) } else { Err(AccountError::LocalAccountsOff) }
    }
}

/// The guest who calls, as they were then.
pub(super) fn guest(caller: &Caller) -> Option<Credentials> {
    match caller {
        Caller::User(identity) if identity.is_temp => Some(identity.credentials()),
        _ => None,
    }
}
