//! Setting a new password without the old one, and verifying an email: both with a code sent by email. See
//! `docs/behaviour/accounts.md#codes-by-mail` and `docs/behaviour/accounts.md#recovery`.
//!
//! Recovery does not reveal whether an email is known: the same is stored and returned either way, and whatever depends
//! on it happens after the response.

use std::time::Duration;

use morpion_rules::UserId;
use morpion_store::{CodeKey, NewCode, StoreError, Unique, User};
use rand::Rng;

use super::{
    Accounts,
    error::AccountError,
    limits::RateLimit,
    names::Email,
    password::NewPassword,
    sign_in::{Browser, MAX_CLAIMANTS},
    token,
};
use crate::{
    caller::{Call, Identity},
    error::CommonError,
    mail::EmailTemplate,
};

/// How long a code is valid, and how long it then allows setting a password.
const CODE_LIFE: Duration = Duration::from_secs(600);

/// Attempts before a new code is needed.
const MAX_TRIES: u32 = 5;

/// Codes that may be requested per hour, for one email or account.
const MAX_PER_HOUR: u32 = 3;

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
        let key = CodeKey::recovery(email.as_str());
        let code = self.issue_code(&key, &email).await?;
        let (store, mailer, browser) = (self.store.clone(), self.mailer.clone(), browser.clone());
        tokio::spawn(async move {
            let sent = async {
                let Some(user) = recovery_account(&store, &browser, email.as_str()).await? else { return Ok(()) };
                // To the stored address, not to the one that was typed: what only compares equal may be another
                // mailbox.
                let Some(stored) = user.email else { return Ok(()) };
                store.set_code_owner(&key, user.id).await?;
                mailer.enqueue(&stored, &EmailTemplate::recovery(&user.username, code));
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
        self.limits().check(RateLimit::SignIn, call.address)?;
        let email = Email::parse(email).map_err(|reason| CommonError::invalid("email", reason))?;
        self.take_code(&CodeKey::recovery(email.as_str()), code, &token::hash(&browser.device)).await.map(drop)
    }

    /// Recovery, step 3: sets the password. That verifies the email. Every session ends, and links to providers and
    /// access to calendars are removed, since somebody else may have made them.
    ///
    /// # Errors
    /// [`CommonError::Invalid`] for a password that breaks a rule, [`AccountError::CodeNeeded`] without a validated code
    /// from this browser.
    pub async fn finish_recovery(&self, browser: &Browser, email: &str, password: &str) -> Result<(), AccountError> {
        self.require_local_accounts()?;
        let password = NewPassword::parse(password).map_err(|reason| CommonError::invalid("newPassword", reason))?;
        let email = Email::parse(email).map_err(|reason| CommonError::invalid("email", reason))?;
        let key = CodeKey::recovery(email.as_str());
        let owner = self.store.use_validation(&key, &token::hash(&browser.device), self.clock.steady()).await?;
        let owner = owner.ok_or(AccountError::CodeNeeded)?;
        let user = self.user(UserId(owner)).await?;
        // The code went to the stored email. If that was changed since, the new one is not verified.
        let stored = user.email.clone().and_then(|stored| Email::parse(&stored).ok());
        let Some(stored) = stored.filter(|stored| CodeKey::recovery(stored.as_str()) == key) else {
            return Err(AccountError::CodeNeeded);
        };
        self.store.unlink_providers(owner).await?;
        self.store.revoke_calendar_grant(owner, self.clock.wall()).await?;
        self.set_password(&user, password).await?;
        self.store.verify_email(owner, stored.as_str()).await?;
        self.mailer.enqueue(stored.as_str(), &EmailTemplate::password_changed(&user.username));
        Ok(())
    }

    /// Sends a code that verifies an email: the account's, or another one for an account whose email is not verified.
    ///
    /// # Errors
    /// [`AccountError::AlreadyVerified`], [`AccountError::EmailTaken`], [`AccountError::NoEmail`],
    /// [`CommonError::Invalid`], [`CommonError::TooMany`], [`CommonError::Guest`].
    pub async fn request_email_code(&self, call: &Call, other: Option<&str>) -> Result<(), AccountError> {
        let user = self.user(call.caller.member(None)?.user_id).await?;
        let other = other.map(Email::parse).transpose().map_err(|reason| CommonError::invalid("email", reason))?;
        if user.email_verified {
            return Err(AccountError::AlreadyVerified);
        }
        self.limits().check(RateLimit::Code, call.address)?;
        let email = match (other, user.email.as_deref()) {
            (Some(other), current) if current != Some(other.as_str()) => {
                self.require_proof(call).await?;
                self.claim_email(&user, &other).await?;
                other
            }
            (_, Some(current)) => Email::parse(current).map_err(CommonError::internal)?,
            (_, None) => return Err(AccountError::NoEmail),
        };
        self.mail_email_code(&user, &email).await
    }

    pub(super) async fn mail_email_code(&self, user: &User, email: &Email) -> Result<(), AccountError> {
        let code = self.issue_code(&CodeKey::email(user.id), email).await?;
        self.mailer.enqueue(email.as_str(), &EmailTemplate::verification(&user.username, code));
        Ok(())
    }

    async fn claim_email(&self, user: &User, email: &Email) -> Result<(), AccountError> {
        let claimants = self.store.users_by_email(email.as_str()).await?;
        let others = claimants.iter().filter(|claimant| claimant.id != user.id);
        if others.clone().any(|claimant| claimant.email_verified) || others.count() >= MAX_CLAIMANTS {
            return Err(AccountError::EmailTaken);
        }
        Ok(self.store.claim_email(user.id, Some(email.as_str())).await?)
    }

    /// With the right code the email it was sent to is verified; accounts that only claimed it lose it.
    ///
    /// # Errors
    /// [`CommonError::Invalid`] for a code that is not six digits, [`AccountError::WrongCode`] for one that is wrong,
    /// used or expired; [`AccountError::EmailTaken`] when another account verified it meanwhile;
    /// [`CommonError::TooMany`].
    pub async fn verify_email(&self, call: &Call, identity: &Identity, code: u32) -> Result<(), AccountError> {
        self.limits().check(RateLimit::SignIn, call.address)?;
        let email = self.take_code(&CodeKey::email(identity.user_id.0), code, "").await?;
        let verified = self.store.verify_email(identity.user_id.0, &email).await;
        verified.map_err(|error| match error {
            StoreError::Taken(Unique::Email) => AccountError::EmailTaken,
            error => error.into(),
        })
    }

    pub(super) async fn issue_code(&self, key: &CodeKey, email: &Email) -> Result<u32, AccountError> {
        let code = rand::rng().random_range(CODES);
        let new = NewCode { hash: self.code_hash(key, code), email: email.as_str().to_owned(), lasts: CODE_LIFE };
        if self.store.issue_code(key, new, MAX_PER_HOUR, self.clock.steady()).await? {
            return Ok(code);
        }
        Err(CommonError::TooMany { retry_after: Duration::from_secs(3_600 / u64::from(MAX_PER_HOUR)) }.into())
    }

    /// Consumes a right code and returns the address it was sent to.
    pub(super) async fn take_code(&self, key: &CodeKey, code: u32, validated_by: &str) -> Result<String, AccountError> {
        if !CODES.contains(&code) {
            return Err(CommonError::invalid("code", "code need to be 6 digit").into());
        }
        let sealed = self.code_hash(key, code);
        let taken = self.store.take_code(key, &sealed, validated_by, MAX_TRIES, CODE_LIFE, self.clock.steady()).await?;
        taken.ok_or(AccountError::WrongCode)
    }

    /// The stored form of a code, which cannot be reversed without the server's secret.
    fn code_hash(&self, key: &CodeKey, code: u32) -> String {
        self.secret.hmac_hex(&format!("{key:?} {code}"))
    }
}

/// The account that a recovery of this email is for: the one that verified it; among those that only claim it, one that
/// this browser signed in to before, otherwise the oldest.
async fn recovery_account(
    store: &morpion_store::Store,
    browser: &Browser,
    email: &str,
) -> Result<Option<User>, StoreError> {
    let claimants = store.users_by_email(email).await?;
    let device = token::hash(&browser.device);
    for user in &claimants {
        if store.is_known_device(user.id, &device).await? {
            return Ok(Some(user.clone()));
        }
    }
    Ok(claimants.into_iter().next())
}
