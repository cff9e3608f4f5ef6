//! Setting a new password without the old one, and verifying an email: both with a code sent by email. See
//! `docs/behaviour/accounts.md#codes-by-mail` and `docs/behaviour/accounts.md#recovery`.
//!
//! Recovery does not reveal whether an email is known: the same is stored and returned either way, and whatever depends
//! on it happens after the response.

use std::time::Duration;

use morpion_rules::UserId;
use morpion_store::{
    CodeAllowance, CodeAttempt, CodeKey, CodeRequest, CodeToTake, NewCode, Recovery, StoreError, Unique, User,
};
use rand::Rng;

use super::{
    Accounts,
    csrf::ServerSecret,
    error::AccountError,
    limits::RateLimit,
    names::Email,
    security_events::{Outcome, SecurityEvent, SecuritySubject},
    sign_in::Browser,
    token,
};
use crate::{
    caller::{Call, Identity},
    error::CommonError,
    mail::{EmailTemplate, mailbox},
};

/// How long a code is valid, and how long it then allows setting a password.
const CODE_LIFE: Duration = Duration::from_secs(600);

/// Attempts before a new code is needed.
const MAX_TRIES: u32 = 5;

/// Codes that may be requested per hour, for one email or account.
const MAX_PER_HOUR: u32 = 3;

/// Wrong tries in a day for one recipient, from all devices that never signed in to their account, and from each that
/// did. A guess succeeds once in 900,000 tries.
const TRIES_A_DAY: u32 = 20;

/// The wait after the last of them; each further wrong try doubles it, up to a day.
const FIRST_WAIT: Duration = Duration::from_secs(60);

/// Possible codes: a code is sent as a number, so it does not start with 0.
const CODES: std::ops::RangeInclusive<u32> = 100_000..=999_999;

impl Accounts {
    /// Recovery, step 1: sends a code, if an account has this email.
    ///
    /// # Errors
    /// [`CommonError::Invalid`] for an invalid email, [`CommonError::TooMany`] after three in an hour,
    /// [`AccountError::LocalAccountsOff`].
    pub async fn request_recovery(&self, call: &Call, browser: &Browser, email: &str) -> Result<(), AccountError> {
        self.require_local_accounts()?;
        let email = Email::parse(email).map_err(|reason| CommonError::invalid("email", reason))?;
        self.limits().check(RateLimit::Code, call.address)?;
        let key = recovery_key(&email, browser);
        let code = self.issue_code(&key, &email, Some(browser)).await?;
        let subject = SecuritySubject::Typed(email.as_str());
        self.log_security_event(call, SecurityEvent::RecoveryRequest, Outcome::Succeeded, subject);
        let (store, mailer) = (self.store.clone(), self.mailer.clone());
        tokio::spawn(async move {
            let sent = async {
                let Some(user) = recovery_account(&store, email.as_str()).await? else { return Ok(()) };
                // To the stored address, not to the one that was typed: what only compares equal may be another
                // mailbox.
                let Some(stored) = user.email.as_deref() else { return Ok(()) };
                store.set_code_owner(&key, user.credentials()).await?;
                mailer.send_code(stored, &EmailTemplate::recovery(&user.username, code));
                Ok::<(), StoreError>(())
            };
            if let Err(error) = sent.await {
                tracing::warn!(%error, "a recovery code was not sent");
            }
        });
        Ok(())
    }

    /// Recovery, step 2: with the right code this browser may set a password.
    ///
    /// # Errors
    /// [`CommonError::Invalid`] for a code that is not six digits, [`AccountError::WrongCode`] for one that is wrong,
    /// spent or too old, whether or not anybody has this email; [`CommonError::TooMany`].
    pub async fn validate_recovery(
        &self,
        call: &Call,
        browser: &Browser,
        email: &str,
        code: u32,
    ) -> Result<(), AccountError> {
        self.require_local_accounts()?;
        let email = Email::parse(email).map_err(|reason| CommonError::invalid("email", reason))?;
        let device = token::hash(&browser.device);
        if self.store.is_device_of_owner(email.as_str(), &device).await? {
            self.limits().check_own(RateLimit::SignIn, &device)?;
        } else {
            self.limits().check(RateLimit::SignIn, call.address)?;
        }
        self.take_code(call, &recovery_key(&email, browser), code, Some(browser)).await.map(drop)
    }

    /// Recovery, step 3: sets the password. That verifies the email. Every session ends, known devices are forgotten, and
    /// links to providers and access to calendars are removed, since somebody else may have made them. A second factor
    /// stays with a verified email, and with admin rights. An account that nobody confirmed is opened only if
    /// `open_unconfirmed`, and loses its second factor.
    ///
    /// # Errors
    /// [`CommonError::Invalid`] for a password that breaks a rule, [`AccountError::CodeNeeded`] without a validated code
    /// from this browser, also when the account's credentials were changed since; [`AccountError::UnconfirmedAccount`].
    pub async fn finish_recovery(
        &self,
        call: &Call,
        browser: &Browser,
        email: &str,
        password: &str,
        open_unconfirmed: bool,
    ) -> Result<(), AccountError> {
        self.require_local_accounts()?;
        let password = self.passwords.check_field("newPassword", password).await?;
        let email = Email::parse(email).map_err(|reason| CommonError::invalid("email", reason))?;
        let key = recovery_key(&email, browser);
        let (now, validated_by) = (self.clock.steady(), token::hash(&browser.device));
        let checked = self.store.validation(&key, &validated_by, now).await?.ok_or(AccountError::CodeNeeded)?;
        let owner = UserId(checked.user_id);
        let user = self.user(owner).await.map_err(|_| AccountError::CodeNeeded)?;
        // The code went to the stored email. If that was changed since, the new one is not verified.
        let stored = user.email.clone().and_then(|stored| Email::parse(&stored).ok());
        let Some(stored) = stored.filter(|stored| recovery_key(stored, browser) == key) else {
            return Err(AccountError::CodeNeeded);
        };
        // Whoever made the account need not own the email, and what they left to sign in with is removed. An admin's
        // rights are worth more than a mailbox: their second factor stays.
        let is_unconfirmed = !user.email_verified && !user.is_admin;
        if is_unconfirmed && !open_unconfirmed {
            return Err(AccountError::UnconfirmedAccount { username: user.username });
        }
        let recovery = Recovery {
            code: &key,
            validated_by: &validated_by,
            checked,
            email: stored.as_str(),
            password_hash: &self.passwords.hash(password).await?,
            now: self.clock.steady(),
            revoked_at: self.clock.wall(),
            ends_factors: is_unconfirmed,
        };
        self.store.recover(&recovery).await.map_err(|error| match error {
            StoreError::NotFound(_) | StoreError::CredentialsChanged => AccountError::CodeNeeded,
            StoreError::Taken(Unique::Email) => AccountError::EmailTaken,
            error => error.into(),
        })?;
        self.end_pending(owner);
        self.sessions.have_ended(owner, None).await?;
        if is_unconfirmed && user.second_factor {
            self.second_factor_changed(&user).await?;
        }
        let subject = SecuritySubject::User(owner);
        self.log_security_event(call, SecurityEvent::PasswordChange, Outcome::Succeeded, subject);
        self.notify_owner(&self.user(owner).await?, &EmailTemplate::password_changed(&user.username));
        Ok(())
    }

    /// Sends a code that verifies an email: the account's, or another one for an account whose email is not verified.
    ///
    /// # Errors
    /// [`AccountError::AlreadyVerified`], [`AccountError::EmailTaken`], [`AccountError::NoEmail`],
    /// [`CommonError::Invalid`], [`CommonError::TooMany`], [`CommonError::Guest`].
    pub async fn request_email_code(&self, call: &Call, other: Option<&str>) -> Result<(), AccountError> {
        let identity = call.caller.member(None)?;
        let user = self.user(identity.user_id).await?;
        let other = other.map(Email::parse).transpose().map_err(|reason| CommonError::invalid("email", reason))?;
        if user.email_verified {
            return Err(AccountError::AlreadyVerified);
        }
        self.limits().check(RateLimit::Code, call.address)?;
        let email = match (other, user.email.as_deref()) {
            (Some(other), current) if current != Some(other.as_str()) => {
                self.require_proof(call).await?;
                self.claim_email(identity, &other).await?;
                other
            }
            (_, Some(current)) => Email::parse(current).map_err(CommonError::internal)?,
            (_, None) => return Err(AccountError::NoEmail),
        };
        self.mail_email_code(&user, &email).await
    }

    pub(super) async fn mail_email_code(&self, user: &User, email: &Email) -> Result<(), AccountError> {
        let code = self.issue_code(&CodeKey::email(user.id), email, None).await?;
        self.mailer.send_code(email.as_str(), &EmailTemplate::verification(&user.username, code));
        Ok(())
    }

    /// An email that another account only claims stays with it until the code is entered.
    async fn claim_email(&self, identity: &Identity, email: &Email) -> Result<(), AccountError> {
        if self.store.user_by_verified_email(email.as_str()).await?.is_some() {
            return Err(AccountError::EmailTaken);
        }
        self.store.claim_email(identity.credentials(), email.as_str()).await?;
        self.sessions.invalidate(identity.user_id);
        Ok(())
    }

    /// With the right code the email it was sent to is verified; accounts that only claimed it lose it.
    ///
    /// # Errors
    /// [`CommonError::Invalid`] for a code that is not six digits, [`AccountError::WrongCode`] for one that is wrong,
    /// used or expired; [`AccountError::EmailTaken`] when another account verified it meanwhile;
    /// [`CommonError::TooMany`].
    pub async fn verify_email(&self, call: &Call, identity: &Identity, code: u32) -> Result<(), AccountError> {
        self.limits().check_own(RateLimit::SignIn, identity.session_id)?;
        let email = self.take_code(call, &CodeKey::email(identity.user_id.0), code, None).await?;
        let verified = self.store.verify_email(identity.credentials(), &email).await;
        self.sessions.invalidate(identity.user_id);
        verified.map(drop).map_err(|error| match error {
            StoreError::Taken(Unique::Email) => AccountError::EmailTaken,
            error => error.into(),
        })
    }

    /// A new code for this address. `recovering` is the browser of a recovery.
    pub(super) async fn issue_code(
        &self,
        key: &CodeKey,
        email: &Email,
        recovering: Option<&Browser>,
    ) -> Result<u32, AccountError> {
        let code = rand::rng().random_range(CODES);
        let new = NewCode { hash: self.code_hash(key, code), email: email.as_str().to_owned(), lasts: CODE_LIFE };
        let allowance = self.code_allowance(email.as_str(), recovering).await?;
        let now = self.clock.steady();
        let retry_after = match self.store.issue_code(key, new, MAX_PER_HOUR, &allowance, now).await? {
            CodeRequest::Issued => return Ok(code),
            CodeRequest::TooSoon => Duration::from_secs(3_600 / u64::from(MAX_PER_HOUR)),
            CodeRequest::NoLetterUntil(until) => (until - now).to_std().unwrap_or_default(),
        };
        Err(CommonError::TooMany { retry_after }.into())
    }

    /// Consumes a right code and returns the address it was sent to. `recovering` is the browser of a recovery, which
    /// may then continue.
    pub(super) async fn take_code(
        &self,
        call: &Call,
        key: &CodeKey,
        code: u32,
        recovering: Option<&Browser>,
    ) -> Result<String, AccountError> {
        if !CODES.contains(&code) {
            return Err(CommonError::invalid("code", "code need to be 6 digit").into());
        }
        let email = self.store.code_email(key).await?.ok_or(AccountError::WrongCode)?;
        let allowance = self.code_allowance(&email, recovering).await?;
        let attempt = CodeToTake {
            hash: &self.code_hash(key, code),
            email: &email,
            validated_by: &recovering.map(|browser| token::hash(&browser.device)).unwrap_or_default(),
            most_tries: MAX_TRIES,
            lasts: CODE_LIFE,
        };
        let now = self.clock.steady();
        let event = if recovering.is_some() { SecurityEvent::RecoveryCode } else { SecurityEvent::EmailCode };
        let log = |outcome| self.log_security_event(call, event, outcome, SecuritySubject::Typed(&email));
        match self.store.take_code(key, attempt, &allowance, now).await? {
            CodeAttempt::Right(email) => {
                log(Outcome::Succeeded);
                Ok(email)
            }
            CodeAttempt::Wrong => {
                log(Outcome::Failed);
                Err(AccountError::WrongCode)
            }
            CodeAttempt::WaitUntil(until) => {
                log(Outcome::LockedOut);
                Err(CommonError::TooMany { retry_after: (until - now).to_std().unwrap_or_default() }.into())
            }
        }
    }

    /// Whose tries and letters count. A device has its own only if it signed in to the account that verified the email:
    /// anybody can make an account that merely claims it.
    async fn code_allowance(&self, email: &str, recovering: Option<&Browser>) -> Result<CodeAllowance, StoreError> {
        let mut device = recovering.map(|browser| token::hash(&browser.device));
        if let Some(hash) = &device {
            let is_known = self.store.is_device_of_owner(email, hash).await?;
            device = device.filter(|_| is_known);
        }
        Ok(CodeAllowance {
            recipient: recipient_hash(&self.secret, email),
            device,
            tries_a_day: TRIES_A_DAY,
            first_wait: FIRST_WAIT,
        })
    }

    /// The stored form of a code, which cannot be reversed without the server's secret.
    fn code_hash(&self, key: &CodeKey, code: u32) -> String {
        self.secret.hmac_hex(&format!("{key:?} {code}"))
    }
}

/// By which a recipient's letters and tries are counted.
pub(super) fn recipient_hash(secret: &ServerSecret, email: &str) -> String {
    secret.hmac_hex(&format!("recipient {}", mailbox(email)))
}

/// A code belongs to the browser that asked for it, so that nobody else can use up its tries.
fn recovery_key(email: &Email, browser: &Browser) -> CodeKey {
    CodeKey::recovery(email.as_str(), &token::hash(&browser.device))
}

/// The account that a recovery of this email is for. Not that of an admin who has neither verified the email nor a second
/// factor: the mailbox may be anybody's, and would be worth the admin's rights.
async fn recovery_account(store: &morpion_store::Store, email: &str) -> Result<Option<User>, StoreError> {
    let user = store.user_by_email(email).await?;
    Ok(user.filter(|user| user.email_verified || !user.is_admin || user.second_factor))
}

#[cfg(test)]
mod tests;
