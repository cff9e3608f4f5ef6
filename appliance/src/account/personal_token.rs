//! Personal tokens: what a program shows instead of a session. `docs/behaviour/programs.md`.

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use morpion_rules::UserId;
use morpion_store::{NewPersonalToken, PersonalToken, StoreError};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{
    Accounts,
    error::AccountError,
    limits::RateLimit,
    security_events::{Outcome, SecurityEvent, SecuritySubject},
    token,
};
use crate::{
    caller::{Call, Identity},
    error::{CommonError, FieldErrors},
    fields,
    mail::EmailTemplate,
    scope::ProgramScope,
};

/// Marks personal tokens, for people and for secret scanners, and tells them from operators'.
pub const PREFIX: &str = "morpion_pat_";

/// Tokens of an account: a person keeps track of no more.
pub const MAX_PERSONAL_TOKENS: usize = 20;

/// Characters of a token's name.
const MAX_NAME: usize = 40;

/// The life of a token unless another is asked for, and the longest, in days.
const DAYS: u32 = 90;
const MAX_DAYS: u32 = 365;

/// The last use is written once a minute at most: it is a synced commit.
pub(super) const TOUCH_EVERY: TimeDelta = TimeDelta::minutes(1);

impl Accounts {
    /// Whom a personal token stands for; records the use. It is read each time, so that no cache has to hear of its end.
    ///
    /// # Errors
    /// [`AccountError::BadPersonalToken`] for one that is unknown or has ended; [`CommonError::TooMany`] beyond what the
    /// programs of its owner may ask for.
    pub(super) async fn program(&self, text: &str) -> Result<Arc<Identity>, AccountError> {
        let now = self.clock.steady();
        let found = match token::is_plausible(text) {
            true => self.store.personal_token(&token::hash(text), now).await?,
            false => None,
        };
        let (found, owner) = found.ok_or(AccountError::BadPersonalToken)?;
        self.limits().check(RateLimit::ProgramCall, UserId(owner.id))?;
        if found.last_used_at.is_none_or(|last| now - last >= TOUCH_EVERY) {
            self.touch_personal_token(&found, now).await;
        }
        Ok(Arc::new(Identity {
            user_id: UserId(owner.id),
            // That of a member: with its owner's admin rights a token could do what no scope says.
            is_admin: false,
            needs_second_factor: self.required_factor.is_missing(&owner),
            username: owner.username,
            is_temp: owner.is_temp,
            session_id: found.id,
            credential_version: owner.credential_version,
            scopes: Some(scopes_of(&found)?),
        }))
    }

    /// A use that cannot be written does not fail the request.
    async fn touch_personal_token(&self, token: &PersonalToken, now: DateTime<Utc>) {
        let key = token.id.to_string();
        if self.used_tokens.with(&key, now, |()| ()).is_some() {
            // Another request writes it.
            return;
        }
        self.used_tokens.insert(key, (), now);
        let written = async {
            self.store.touch_personal_token(&token.hash, now).await?;
            self.store.touch_user(token.user_id, now).await
        };
        match written.await {
            Ok(()) | Err(StoreError::NotFound(_)) => {}
            Err(error) => tracing::warn!(%error, "the use of a personal token was not written"),
        }
    }

    /// The caller's personal tokens that have not ended, the newest first.
    ///
    /// # Errors
    /// [`CommonError::Guest`], [`CommonError::NotSignedIn`].
    pub async fn personal_tokens(&self, call: &Call) -> Result<Vec<PersonalToken>, AccountError> {
        self.personal_tokens_of(call.caller.member(None)?.user_id).await
    }

    pub(super) async fn personal_tokens_of(&self, user_id: UserId) -> Result<Vec<PersonalToken>, AccountError> {
        Ok(self.store.personal_tokens_of(user_id.0, self.clock.steady()).await?)
    }

    /// Makes a personal token of the caller, and tells the owner by mail; its text is shown only once.
    ///
    /// # Errors
    /// [`CommonError::Invalid`] for a bad name, life or no scope; [`CommonError::Guest`]; [`AccountError::ProofRequired`];
    /// [`AccountError::TooManyPersonalTokens`]; [`CommonError::CredentialsChanged`].
    pub async fn create_personal_token(
        &self,
        call: &Call,
        name: &str,
        scopes: &[ProgramScope],
        days: Option<u32>,
    ) -> Result<(String, PersonalToken), AccountError> {
        let identity = call.caller.member(None)?;
        self.require_proof(call).await?;
        let mut fields = FieldErrors::default();
        let name = fields.check("name", token_name(name));
        let scopes = fields.check("scopes", distinct(scopes));
        let days = fields.check("expiresInDays", token_days(days.unwrap_or(DAYS)));
        let (Some(name), Some(scopes), Some(days)) = (name, scopes, days) else { return Err(fields.into()) };
        let now = self.clock.steady();
        let text = format!("{PREFIX}{}", token::new());
        let new = NewPersonalToken {
            id: Uuid::new_v4(),
            hash: token::hash(&text),
            owner: identity.credentials(),
            name,
            scopes: scopes.iter().map(ToString::to_string).collect(),
            created_at: now,
            expires_at: now + TimeDelta::days(days.into()),
        };
        let made = self.store.create_personal_token(new, MAX_PERSONAL_TOKENS).await.map_err(|error| match error {
            StoreError::LimitReached => AccountError::TooManyPersonalTokens,
            error => error.into(),
        })?;
        let subject = SecuritySubject::User(identity.user_id);
        self.log_security_event(call, SecurityEvent::TokenCreation, Outcome::Succeeded, subject);
        let owner = self.user(identity.user_id).await?;
        let letter = EmailTemplate::personal_token_created(&owner.username, &made.name, &scopes, made.expires_at);
        self.notify_owner(&owner, &letter);
        Ok((text, made))
    }

    /// Deletes one of the caller's personal tokens and closes its sockets. It takes no proof: nobody gains by it.
    ///
    /// # Errors
    /// [`CommonError::NotFound`], [`CommonError::Guest`].
    pub async fn delete_personal_token(&self, call: &Call, id: &str) -> Result<(), AccountError> {
        let identity = call.caller.member(None)?;
        let id: Uuid = id.parse().map_err(|_| CommonError::NotFound("token"))?;
        if self.store.delete_personal_tokens(identity.user_id.0, Some(id)).await?.is_empty() {
            return Err(CommonError::NotFound("token").into());
        }
        self.sessions.notify_ended(id);
        let subject = SecuritySubject::User(identity.user_id);
        self.log_security_event(call, SecurityEvent::TokenRevocation, Outcome::Succeeded, subject);
        Ok(())
    }
}

impl Accounts {
    /// A member's personal tokens that have not ended, the newest first, for an admin.
    ///
    /// # Errors
    /// [`CommonError::NotFound`]; the read cannot be audited.
    pub async fn list_personal_tokens(&self, call: &Call, user_id: UserId) -> Result<Vec<PersonalToken>, AccountError> {
        self.user(user_id).await?;
        if call.caller.user_id() != Some(user_id) {
            self.audit_read(call, "read_personal_tokens", &user_id.to_string(), Value::Null).await?;
        }
        self.personal_tokens_of(user_id).await
    }

    /// An admin deletes one of a member's personal tokens, or all, and closes their sockets; returns how many those were.
    ///
    /// # Errors
    /// [`AccountError::ProofRequired`]; [`CommonError::NotFound`] for an unknown account, and where there is no such token.
    pub async fn delete_personal_tokens_of(
        &self,
        call: &Call,
        user_id: UserId,
        id: Option<&str>,
    ) -> Result<usize, AccountError> {
        self.require_proof(call).await?;
        self.user(user_id).await?;
        let id = id.map(|id| id.parse::<Uuid>().map_err(|_| CommonError::NotFound("token"))).transpose()?;
        let entry = self.audit_entry(call, "delete_personal_tokens", &user_id.to_string(), json!({ "tokenId": id }));
        let deleted = self.store.audited(entry).delete_personal_tokens(user_id.0, id).await?;
        if id.is_some() && deleted.is_empty() {
            return Err(CommonError::NotFound("token").into());
        }
        for token in &deleted {
            self.sessions.notify_ended(*token);
        }
        Ok(deleted.len())
    }
}

/// # Errors
/// A stored scope is unknown.
pub fn scopes_of(token: &PersonalToken) -> Result<Vec<ProgramScope>, CommonError> {
    let scope = |stored: &String| ProgramScope::ALL.iter().copied().find(|scope| scope.as_str() == stored);
    let scopes: Option<Vec<_>> = token.scopes.iter().map(scope).collect();
    scopes.ok_or_else(|| CommonError::internal(format!("a personal token has the scopes {:?}", token.scopes)))
}

fn token_name(name: &str) -> Result<String, String> {
    let name = fields::line(name, MAX_NAME, "The name")?;
    if name.is_empty() { Err(format!("A token needs a name of 1 to {MAX_NAME} characters.")) } else { Ok(name) }
}

/// Each scope once, in the order of their declaration.
fn distinct(scopes: &[ProgramScope]) -> Result<Vec<ProgramScope>, String> {
    let chosen: Vec<_> = ProgramScope::ALL.iter().copied().filter(|scope| scopes.contains(scope)).collect();
    if chosen.is_empty() { Err("Please choose what the program may do.".to_owned()) } else { Ok(chosen) }
}

fn token_days(days: u32) -> Result<u32, String> {
    let fits = (1..=MAX_DAYS).contains(&days);
    fits.then_some(days).ok_or_else(|| format!("A token can last 1 to {MAX_DAYS} days."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lives_and_scopes_are_checked() {
        assert_eq!(token_name("  My bot ").unwrap(), "My bot");
        for bad in ["", "   ", "\u{200b}", &"x".repeat(41)] {
            assert!(token_name(bad).is_err(), "{bad:?}");
        }
        for (days, fits) in [(0, false), (1, true), (365, true), (366, false), (u32::MAX, false)] {
            assert_eq!(token_days(days).is_ok(), fits, "{days}");
        }
        let twice = [ProgramScope::Play, ProgramScope::Read, ProgramScope::Play];
        assert_eq!(distinct(&twice).unwrap(), [ProgramScope::Read, ProgramScope::Play]);
        assert!(distinct(&[]).is_err());
    }
}
