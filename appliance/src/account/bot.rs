//! Accounts that are bots: `docs/behaviour/programs.md#bots`. What the other parts have to say is asked by [`crate::bots`].

use morpion_rules::UserId;
use morpion_store::{StoreError, User};
use serde_json::json;

use super::{Accounts, error::AccountError, limits::RateLimit};
use crate::{caller::Call, error::CommonError, mail::EmailTemplate};

impl Accounts {
    /// The caller's account, which may become a bot as far as only the account is looked at. `username` is what the owner typed
    /// to confirm it.
    ///
    /// # Errors
    /// [`CommonError::Guest`], [`AccountError::ProofRequired`], [`CommonError::Invalid`] for another name,
    /// [`AccountError::EmailNotVerifiedForBot`], [`AccountError::RatedAlready`].
    pub async fn future_bot(&self, call: &Call, username: &str) -> Result<User, AccountError> {
        let identity = call.caller.member(None)?;
        self.require_proof(call).await?;
        let account = self.user(identity.user_id).await?;
        if account.username.to_lowercase() != username.trim().to_lowercase() {
            return Err(CommonError::invalid("username", "Please type the username of this account.").into());
        }
        if account.bot_since.is_some() {
            return Ok(account);
        }
        if !account.email_verified && account.may_host != Some(true) {
            return Err(AccountError::EmailNotVerifiedForBot);
        }
        match self.store.rating(account.id).await? {
            Some(_) => Err(AccountError::RatedAlready),
            None => Ok(account),
        }
    }

    /// Makes the caller's account a bot, for good, and tells the owner by mail. Who calls has made sure that no rated game is
    /// under way and that none can begin.
    ///
    /// # Errors
    /// [`CommonError::TooMany`] of the address; [`AccountError::RatedAlready`], [`AccountError::EmailNotVerifiedForBot`],
    /// [`CommonError::CredentialsChanged`].
    pub async fn become_bot(&self, call: &Call) -> Result<User, AccountError> {
        let identity = call.caller.member(None)?;
        self.limits().check(RateLimit::Bot, call.address)?;
        let subject = identity.user_id.to_string();
        let entry = self.audit_entry(call, "become_bot", &subject, json!({ "username": identity.username }));
        let made = self.store.audited(entry).become_bot(identity.credentials(), self.clock.wall()).await;
        let user = made.map_err(|error| match error {
            StoreError::HasRating => AccountError::RatedAlready,
            StoreError::NotVerified => AccountError::EmailNotVerifiedForBot,
            error => error.into(),
        })?;
        self.sessions.invalidate(UserId(user.id));
        self.people.update(&user);
        self.notify_owner(&user, &EmailTemplate::became_bot(&user.username));
        Ok(user)
    }
}
