//! An operator's one-time link for a new password: for people who get no letters, or whose mailbox is gone. See
//! `docs/behaviour/accounts.md#one-time-links`.

use chrono::{DateTime, TimeDelta, Utc};
use morpion_rules::UserId;
use morpion_store::{NewPasswordLink, PasswordLink, StoreError, User};
use serde_json::json;

use super::{
    Accounts,
    error::AccountError,
    limits::RateLimit,
    security_events::{Outcome, SecurityEvent, SecuritySubject},
    token,
};
use crate::{caller::Call, mail::EmailTemplate};

/// How long a link works.
const LINK_LIFE: TimeDelta = TimeDelta::hours(24);

/// What comes before the token: in the fragment, so that it is in no server's log and in no `Referer`.
const PATH: &str = "/new-password#";

impl Accounts {
    /// Makes a link, in place of another one of the account, and notifies the owner. Returns its path, and when it
    /// expires.
    ///
    /// # Errors
    /// As [`Accounts::named_account_to_change`]; [`AccountError::LocalAccountsOff`];
    /// [`AccountError::CredentialsChanged`], also for an admin who is none any more.
    pub async fn create_password_link(
        &self,
        call: &Call,
        account: &str,
        ends_factors: bool,
        reason: &str,
    ) -> Result<(String, DateTime<Utc>), AccountError> {
        self.require_local_accounts()?;
        let user = self.named_account_to_change(call, account).await?;
        let (token, until) = (token::new(), self.clock.wall() + LINK_LIFE);
        let detail = json!({ "username": user.username, "reason": reason, "removesSecondFactor": ends_factors });
        let entry = self.audit_entry(call, "create_password_link", &user.id.to_string(), detail);
        let link = NewPasswordLink {
            hash: token::hash(&token),
            owner: user.credentials(),
            ends_factors,
            until: self.clock.steady() + LINK_LIFE,
        };
        let maker = call.caller.user().ok().map(|identity| identity.credentials());
        self.store.audited(entry).create_password_link(link, maker).await?;
        let subject = SecuritySubject::User(UserId(user.id));
        self.log_security_event(call, SecurityEvent::RecoveryRequest, Outcome::Succeeded, subject);
        self.notify_owner(&user, &EmailTemplate::password_link_made(&user.username, until));
        Ok((format!("{PATH}{token}"), until))
    }

    /// Whose password a link sets, which stays good; `None` for a link that is wrong, used, replaced or too old, also when
    /// the account's credentials were changed since.
    ///
    /// # Errors
    /// [`CommonError::TooMany`](crate::error::CommonError::TooMany), [`AccountError::LocalAccountsOff`].
    pub async fn password_link_owner(&self, call: &Call, token: &str) -> Result<Option<User>, AccountError> {
        self.limits().check(RateLimit::SignIn, call.address)?;
        match self.password_link(token).await {
            Ok((_, owner)) => Ok(Some(owner)),
            Err(AccountError::LinkOver) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Uses a link up: sets the password, ends every session, forgets known devices, and removes links to providers and
    /// access to calendars, as a recovery does. The second factor goes only if the operator said so.
    ///
    /// # Errors
    /// As [`Accounts::password_link_owner`]; [`AccountError::LinkOver`];
    /// [`CommonError::Invalid`](crate::error::CommonError::Invalid) for a password that breaks a rule.
    pub async fn use_password_link(&self, call: &Call, token: &str, password: &str) -> Result<(), AccountError> {
        self.limits().check(RateLimit::SignIn, call.address)?;
        let (link, user) = self.password_link(token).await?;
        let password = self.passwords.check_field("newPassword", password).await?;
        let password_hash = self.passwords.hash(password).await?;
        let (now, revoked_at) = (self.clock.steady(), self.clock.wall());
        let used = self.store.use_password_link(&token::hash(token), link, &password_hash, now, revoked_at).await;
        used.map_err(|error| match error {
            StoreError::NotFound(_) | StoreError::CredentialsChanged => AccountError::LinkOver,
            error => error.into(),
        })?;
        let owner = UserId(user.id);
        self.end_pending(owner);
        self.sessions.have_ended(owner, None).await?;
        if link.ends_factors && user.second_factor {
            self.second_factor_changed(&user).await?;
        }
        self.log_security_event(call, SecurityEvent::PasswordChange, Outcome::Succeeded, SecuritySubject::User(owner));
        self.notify_owner(&user, &EmailTemplate::password_set_by_link(&user.username));
        Ok(())
    }

    async fn password_link(&self, token: &str) -> Result<(PasswordLink, User), AccountError> {
        self.require_local_accounts()?;
        if !token::is_plausible(token) {
            return Err(AccountError::LinkOver);
        }
        let link = self.store.password_link(&token::hash(token), self.clock.steady()).await?;
        let link = link.ok_or(AccountError::LinkOver)?;
        let user = self.user(UserId(link.owner.user_id)).await.map_err(|_| AccountError::LinkOver)?;
        if user.credentials() != link.owner {
            return Err(AccountError::LinkOver);
        }
        Ok((link, user))
    }
}
