//! An operator's one-time link for a new password, or a passkey in its place: for people who get no letters, or whose
//! mailbox is gone. See `docs/behaviour/accounts.md#one-time-links`.

use chrono::{DateTime, TimeDelta, Utc};
use morpion_rules::UserId;
use morpion_store::{NewPasskey, NewPasswordLink, NewSignIn, PasskeyRow, PasswordLink, StoreError, User};
use serde_json::{Value, json};

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
    /// [`CommonError::CredentialsChanged`](crate::error::CommonError::CredentialsChanged).
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
        self.store.audited(entry).create_password_link(link).await?;
        let subject = SecuritySubject::User(UserId(user.id));
        self.log_security_event(call, SecurityEvent::RecoveryRequest, Outcome::Succeeded, subject);
        self.notify_owner(&user, &EmailTemplate::password_link_made(&user.username, until));
        Ok((format!("{PATH}{token}"), until))
    }

    /// Whose account a link opens, which stays good, and whether by a passkey, too; `None` for a link that is wrong, used,
    /// replaced or too old, also when the account's credentials were changed since.
    ///
    /// # Errors
    /// [`CommonError::TooMany`](crate::error::CommonError::TooMany), [`AccountError::LocalAccountsOff`].
    pub async fn password_link_owner(&self, call: &Call, token: &str) -> Result<Option<(User, bool)>, AccountError> {
        self.limits().check(RateLimit::SignIn, call.address)?;
        match self.password_link(token).await {
            Ok((link, owner)) => {
                let takes_passkey = takes_passkey(link, &owner);
                Ok(Some((owner, takes_passkey)))
            }
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
        self.use_link(token, link, &user, NewSignIn::Password(&password_hash)).await?;
        if link.ends_factors && user.second_factor {
            self.second_factor_changed(&user).await?;
        }
        self.opened_by_link(call, &user, &EmailTemplate::password_set_by_link(&user.username));
        Ok(())
    }

    /// Options for the passkey that a link makes in place of a password.
    ///
    /// # Errors
    /// As [`Accounts::use_link_for_passkey`].
    pub async fn begin_passkey_by_link(&self, call: &Call, token: &str) -> Result<Value, AccountError> {
        self.limits().check(RateLimit::SignIn, call.address)?;
        let (link, user) = self.password_link(token).await?;
        require_passkey_taken(link, &user)?;
        self.passkey_options(passkey_of(token), &user, vec![])
    }

    /// As [`Accounts::use_password_link`], with a passkey: the account has no password afterwards. Returns the recovery
    /// codes that come with a first factor.
    ///
    /// # Errors
    /// As [`Accounts::password_link_owner`]; [`AccountError::LinkOver`]; [`AccountError::FactorKept`] for an account whose
    /// second factor stays, since a passkey is one in itself; [`AccountError::PasskeysUnavailable`],
    /// [`AccountError::PasskeyRefused`], [`AccountError::SetupExpired`];
    /// [`CommonError::Invalid`](crate::error::CommonError::Invalid) for a bad name.
    pub async fn use_link_for_passkey(
        &self,
        call: &Call,
        token: &str,
        name: &str,
        sent: Value,
    ) -> Result<(PasskeyRow, Vec<String>), AccountError> {
        self.limits().check(RateLimit::SignIn, call.address)?;
        let (link, user) = self.password_link(token).await?;
        require_passkey_taken(link, &user)?;
        let (id, row) = self.made_passkey(&passkey_of(token), UserId(user.id), name, sent)?;
        let (codes, hashes) = self.new_recovery_codes(user.id);
        let passkey = NewPasskey { credential_id: &id, row: &row, codes: &hashes };
        self.use_link(token, link, &user, NewSignIn::Passkey(&passkey)).await?;
        self.second_factor_changed(&user).await?;
        self.opened_by_link(call, &user, &EmailTemplate::passkey_set_by_link(&user.username, &row.name));
        Ok((row, codes))
    }

    async fn use_link(
        &self,
        token: &str,
        link: PasswordLink,
        user: &User,
        new: NewSignIn<'_>,
    ) -> Result<(), AccountError> {
        let (now, revoked_at) = (self.clock.steady(), self.clock.wall());
        let used = self.store.use_password_link(&token::hash(token), link, new, now, revoked_at).await;
        used.map_err(|error| match error {
            StoreError::NotFound(_) | StoreError::CredentialsChanged => AccountError::LinkOver,
            StoreError::Taken(_) => AccountError::PasskeyRefused,
            error => error.into(),
        })?;
        let owner = UserId(user.id);
        self.end_pending(owner);
        self.sessions.have_ended(owner, None).await?;
        Ok(())
    }

    fn opened_by_link(&self, call: &Call, user: &User, letter: &EmailTemplate) {
        let subject = SecuritySubject::User(UserId(user.id));
        self.log_security_event(call, SecurityEvent::PasswordChange, Outcome::Succeeded, subject);
        self.notify_owner(user, letter);
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

/// Whether an account may get a passkey by a link: it would stand for a second factor that the account keeps.
fn takes_passkey(link: PasswordLink, owner: &User) -> bool {
    link.ends_factors || !owner.second_factor
}

fn require_passkey_taken(link: PasswordLink, owner: &User) -> Result<(), AccountError> {
    if takes_passkey(link, owner) { Ok(()) } else { Err(AccountError::FactorKept) }
}

/// Whose challenge a passkey by a link answers.
fn passkey_of(token: &str) -> String {
    format!("passkey by link {}", token::hash(token))
}
