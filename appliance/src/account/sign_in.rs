//! Signing in and registering with an email and a password, and changing the password.

use std::time::Instant;

use morpion_openapi::account::{RegisterRequest, SetupRequest};
use morpion_rules::UserId;
use morpion_store::{NewUser, StoreError, Unique, User};
use uuid::Uuid;

use super::{
    Accounts,
    failures::AccountKey,
    limits::RateLimit,
    names::{DisplayName, Email, PersonName, Username},
    password::NewPassword,
    session::IssuedSession,
    token,
};
use crate::{
    caller::{Call, Caller},
    error::{ApiError, ErrorKind, FieldErrors},
    mail::EmailTemplate,
};

/// Accounts that may claim an email that none of them has verified; a sign-in has to try the password of each.
pub(super) const MAX_CLAIMANTS: usize = 5;

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

impl Registration {
    /// # Errors
    /// 422 with everything that is wrong.
    pub fn check(email: &str, password: &str, username: &str, first: &str, last: &str) -> Result<Self, ApiError> {
        let mut fields = FieldErrors::default();
        let email = fields.check("email", Email::parse(email));
        let password = fields.check("password", NewPassword::parse(password));
        let username = fields.check("username", Username::parse(username));
        let first_name = fields.check("firstName", PersonName::parse(first));
        let last_name = fields.check("lastName", PersonName::parse(last));
        match (email, password, username, first_name, last_name) {
            (Some(email), Some(password), Some(username), Some(first_name), Some(last_name)) => {
                Ok(Self { email, password, username, first_name, last_name })
            }
            _ => Err(fields.into()),
        }
    }
}

impl TryFrom<&RegisterRequest> for Registration {
    type Error = ApiError;

    fn try_from(request: &RegisterRequest) -> Result<Self, ApiError> {
        let password = request.password.as_deref().unwrap_or_default();
        let username = request.username.as_deref().unwrap_or_default();
        Self::check(&request.email, password, username, &request.first_name, &request.last_name)
    }
}

impl TryFrom<&SetupRequest> for Registration {
    type Error = ApiError;

    fn try_from(request: &SetupRequest) -> Result<Self, ApiError> {
        Self::check(&request.email, &request.password, &request.username, &request.first_name, &request.last_name)
    }
}

impl Accounts {
    /// Signs in with a password. Neither the error nor the response time shows what was wrong.
    ///
    /// # Errors
    /// 401 for a wrong email or password, 429 after too many of them, 403 where local accounts are off.
    pub async fn sign_in(
        &self,
        call: &Call,
        browser: &Browser,
        email: &str,
        password: &str,
    ) -> Result<(User, IssuedSession), ApiError> {
        self.require_local_accounts()?;
        self.limits.check(RateLimit::SignIn, call.address)?;
        let attempt = self.failures.begin(AccountKey::new(email), call.address, Instant::now())?;
        match self.owner_of_password(browser, email, password, attempt.slow_down).await {
            Ok(Some(user)) => {
                attempt.succeeded();
                let issued = self.begin_session(call, browser, &user).await?;
                Ok((user, issued))
            }
            Ok(None) => {
                Err(ApiError::new(ErrorKind::NotSignedIn, "wrong-credentials", "The email or the password is wrong."))
            }
            Err(error) => {
                attempt.cancel();
                Err(error)
            }
        }
    }

    async fn owner_of_password(
        &self,
        browser: &Browser,
        email: &str,
        password: &str,
        slow_down: Option<std::time::Duration>,
    ) -> Result<Option<User>, ApiError> {
        let claimants = match Email::parse(email) {
            Ok(email) => self.store.users_by_email(email.as_str()).await?,
            Err(_) => Vec::new(),
        };
        if let Some(pause) = slow_down
            && !self.is_known_device(&claimants, browser).await?
        {
            let _place = self.slowed.try_acquire().map_err(|_| ApiError::too_many(pause))?;
            tokio::time::sleep(pause).await;
        }
        if claimants.is_empty() {
            self.passwords.verify(password, None).await?;
        }
        for user in claimants {
            if self.passwords.verify(password, user.password_hash.as_deref()).await? {
                return Ok(Some(user));
            }
        }
        Ok(None)
    }

    async fn is_known_device(&self, users: &[User], browser: &Browser) -> Result<bool, ApiError> {
        let device = token::hash(&browser.device);
        for user in users {
            if self.store.is_known_device(user.id, &device).await? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Creates a local account and signs it in. A guest who registers keeps the identity, and so the games.
    ///
    /// # Errors
    /// 422 with the fields that are wrong, 409 for a taken username or email, 429, 403 where registration is off.
    pub async fn register(
        &self,
        call: &Call,
        browser: &Browser,
        request: &RegisterRequest,
    ) -> Result<(User, IssuedSession), ApiError> {
        self.require_local_accounts()?;
        if !self.config.identity.registration {
            return Err(ApiError::new(ErrorKind::Forbidden, "registration-off", "This server takes no new accounts."));
        }
        self.limits.check(RateLimit::Registration, call.address)?;
        let user = self.create_account(request.try_into()?, guest(&call.caller)).await?;
        let issued = self.begin_session(call, browser, &user).await?;
        if self.mailer.is_smtp()
            && let Some(email) = user.email.as_deref().and_then(|email| Email::parse(email).ok())
            && let Err(error) = self.mail_email_code(&user, &email).await
        {
            // The account exists anyway, and another code can be requested.
            tracing::warn!(%error, "the code for a new account's email was not sent");
        }
        Ok((user, issued))
    }

    /// Creates the first admin with the one-time link and signs it in.
    ///
    /// # Errors
    /// 403 when the link is invalid or has expired, and as [`Accounts::register`].
    pub async fn set_up(
        &self,
        call: &Call,
        browser: &Browser,
        request: &SetupRequest,
    ) -> Result<(User, IssuedSession), ApiError> {
        let closed = || {
            let text = "This setup link is no longer valid. Restart the server for a new one.";
            ApiError::new(ErrorKind::Forbidden, "setup-closed", text)
        };
        self.limits.check(RateLimit::SignIn, call.address)?;
        let now = self.clock.steady();
        if !self.operators.is_setup_open(Some(&request.token), now).await? {
            return Err(closed());
        }
        let user = self.create_account(request.try_into()?, None).await?;
        // Last, so that a taken username does not consume the link.
        if !self.operators.use_setup_link(&request.token, now).await? {
            self.store.delete_user(user.id, self.clock.wall()).await?;
            return Err(closed());
        }
        self.store.set_admin(user.id, true).await?;
        self.audit(call, "set_up", &user.id.to_string(), serde_json::json!({ "username": user.username })).await?;
        let user = self.user(UserId(user.id)).await?;
        let issued = self.begin_session(call, browser, &user).await?;
        Ok((user, issued))
    }

    /// Creates a local account, or turns a guest into one.
    pub(crate) async fn create_account(
        &self,
        registration: Registration,
        guest: Option<UserId>,
    ) -> Result<User, ApiError> {
        let before = match guest {
            Some(guest) => Some(self.user(guest).await?),
            None => None,
        };
        // Checked before the password is hashed, which is expensive; `create_user` decides.
        if self
            .store
            .user_by_name(registration.username.as_str(), self.clock.steady())
            .await?
            .is_some_and(|owner| Some(UserId(owner.id)) != guest)
        {
            return Err(username_taken());
        }
        let claimants = self.store.users_by_email(registration.email.as_str()).await?;
        if claimants.iter().any(|user| user.email_verified) || claimants.len() >= MAX_CLAIMANTS {
            return Err(email_taken());
        }
        let new = NewUser {
            id: guest.map_or_else(Uuid::new_v4, |guest| guest.0),
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
        };
        let made = match guest {
            Some(guest) => self.store.promote_guest(guest.0, new).await,
            None => self.store.create_user(new).await,
        };
        let user = made.map_err(|error| match error {
            StoreError::Taken(Unique::Username) => username_taken(),
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
    ) -> Result<IssuedSession, ApiError> {
        let now = self.clock.steady();
        let issued = self.sessions.begin(user, call.address, &browser.user_agent, now).await?;
        self.record_device(call, browser, user).await?;
        if let Caller::User(before) = &call.caller {
            self.sessions.end(before.user_id, before.session_id, now).await?;
        }
        Ok(issued)
    }

    /// Changes one's password. Every session of the account ends; this browser gets a new one.
    ///
    /// # Errors
    /// 422 when the current password is wrong or the new one breaks a rule, 409 for an account without a password,
    /// 403 for guests, 429 after too many tries.
    pub async fn change_password(
        &self,
        call: &Call,
        browser: &Browser,
        current: &str,
        new: &str,
    ) -> Result<(User, IssuedSession), ApiError> {
        let user = self.user(call.caller.member(None)?.user_id).await?;
        if user.password_hash.is_none() {
            let text = "This account has no password yet. 'Forgot your password?' on the sign-in page sets one.";
            return Err(ApiError::conflict("no-password", text));
        }
        let new = NewPassword::parse(new).map_err(|reason| ApiError::invalid("newPassword", reason))?;
        self.check_password(call, &user, current, "currentPassword").await?;
        self.set_password(&user, new).await?;
        self.notify_owner(&user, &EmailTemplate::password_replaced(&user.username));
        let issued = self.begin_session(call, browser, &user).await?;
        Ok((user, issued))
    }

    /// Sets a new password and ends all sessions of the account.
    pub(crate) async fn set_password(&self, user: &User, new: NewPassword) -> Result<(), ApiError> {
        self.store.set_password(user.id, &self.passwords.hash(new).await?).await?;
        self.sessions.end_all(UserId(user.id)).await
    }

    pub(super) fn require_local_accounts(&self) -> Result<(), ApiError> {
        if self.config.identity.local.enabled {
            return Ok(());
        }
        let text = "Accounts with a password are turned off on this server.";
        Err(ApiError::new(ErrorKind::Forbidden, "local-accounts-off", text))
    }
}

pub(super) fn guest(caller: &Caller) -> Option<UserId> {
    match caller {
        Caller::User(identity) if identity.is_temp => Some(identity.user_id),
        _ => None,
    }
}

pub(super) fn email_taken() -> ApiError {
    let text = "This email belongs to another account. Please use another, or sign in.";
    ApiError::conflict("email-taken", text).and_field("email", text)
}

pub(crate) fn username_taken() -> ApiError {
    let text = "This username is taken. Please choose another.";
    ApiError::conflict("username-taken", text).and_field("username", text)
}
