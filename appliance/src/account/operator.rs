//! Operator tokens, and the one-time link that creates the first admin.

use std::path::{Path, PathBuf};

use anyhow::Context;
use chrono::{DateTime, TimeDelta, Utc};
use morpion_store::{NewOperatorToken, OperatorToken, Store, StoreError};
use uuid::Uuid;

use super::{administration::MAX_TOKENS, error::AccountError, token};
use crate::{
    caller::{Caller, Operator},
    config::LOCAL_TOKEN_FILE,
    error::CommonError,
    private_file,
    scope::TokenScope,
};

/// The name of the local token in lists and in the audit trail.
pub const LOCAL_TOKEN_NAME: &str = "local";

/// Marks operator tokens, for people and for secret scanners.
const PREFIX: &str = "morpion_";

/// How long a setup link is valid.
const SETUP_LINK_LIFE: TimeDelta = TimeDelta::minutes(30);

/// Operators are warned of tokens that expire within this time.
const EXPIRES_SOON: TimeDelta = TimeDelta::days(7);

/// The last use of a token is written once a minute at most: it is a synced commit.
const TOUCH_EVERY: TimeDelta = TimeDelta::minutes(1);

/// What a new token is to be.
#[derive(Debug, Clone, Copy)]
pub struct TokenToMake<'a> {
    pub id: Uuid,
    pub name: &'a str,
    pub scope: TokenScope,
    pub expires_at: DateTime<Utc>,
}

#[derive(Debug)]
pub struct Operators {
    store: Store,
}

impl Operators {
    pub fn new(store: Store) -> Self {
        Self { store }
    }

    /// The operator of a token; `None` when the token is unknown or has expired. Records the use.
    pub async fn find(&self, token: &str, now: DateTime<Utc>) -> Result<Option<Operator>, AccountError> {
        if !token::is_plausible(token) {
            return Ok(None);
        }
        let Some(found) = self.store.operator_token(&token::hash(token), now).await? else { return Ok(None) };
        if found.last_used_at.is_none_or(|last| now - last >= TOUCH_EVERY)
            && let Err(error) = self.store.touch_operator_token(&found.hash, now).await
        {
            tracing::warn!(%error, "the use of an operator token was not written");
        }
        let scope = scope_of(&found)?;
        Ok(Some(Operator { token_id: found.id, name: found.name, scope }))
    }

    /// When each token that works expires.
    pub async fn valid_until(
        &self,
        now: DateTime<Utc>,
    ) -> Result<impl Iterator<Item = (Uuid, DateTime<Utc>)>, AccountError> {
        let tokens = self.store.operator_tokens().await?.into_iter();
        let ends = tokens.map(|token| (token.id, token.expires_at.unwrap_or(DateTime::<Utc>::MAX_UTC)));
        Ok(ends.filter(move |(_, end)| *end > now))
    }

    /// Creates a token with a handle of the store, which may be audited; the text is shown only once.
    ///
    /// # Errors
    /// [`AccountError::TokenNameTaken`], [`AccountError::TooManyTokens`].
    pub async fn create_token(
        &self,
        store: &Store,
        new: TokenToMake<'_>,
        now: DateTime<Utc>,
    ) -> Result<(String, OperatorToken), AccountError> {
        let (text, row) = new_token(new.id, new.name, new.scope, Some(new.expires_at), now);
        let made = store.create_operator_token(row, MAX_TOKENS).await.map_err(|error| match error {
            StoreError::LimitReached => AccountError::TooManyTokens,
            error => error.into(),
        })?;
        Ok((text, made))
    }

    /// Gives the data folder a new token for the console on the same machine, and returns its path. The one before stops
    /// working, so that a copy of the file is worth nothing after a restart.
    ///
    /// # Errors
    /// The file cannot be written, or the store is unavailable.
    pub async fn replace_local_token(&self, data_dir: &Path, now: DateTime<Utc>) -> anyhow::Result<PathBuf> {
        let path = data_dir.join(LOCAL_TOKEN_FILE);
        let (text, new) = new_token(Uuid::new_v4(), LOCAL_TOKEN_NAME, TokenScope::All, None, now);
        self.store.replace_operator_token(new).await?;
        private_file::write(&path, &text).with_context(|| {
            format!(
                "the token of the console, {}, cannot be written; make it a file that this user owns",
                path.display()
            )
        })?;
        Ok(path)
    }

    /// A new secret for the setup link, replacing the previous one; `None` when there is an admin already.
    pub async fn new_setup_secret(&self, now: DateTime<Utc>) -> Result<Option<String>, AccountError> {
        if self.store.count_admins().await? > 0 {
            return Ok(None);
        }
        let secret = token::new();
        self.store.set_setup_link(&token::hash(&secret), now + SETUP_LINK_LIFE).await?;
        Ok(Some(secret))
    }

    /// Whether the setup link with this secret is still valid.
    pub async fn is_setup_open(&self, secret: Option<&str>, now: DateTime<Utc>) -> Result<bool, AccountError> {
        if self.store.count_admins().await? > 0 {
            return Ok(false);
        }
        match secret {
            None => Ok(true),
            Some(secret) => Ok(self.store.is_setup_link(&token::hash(secret), now).await?),
        }
    }
}

fn new_token(
    id: Uuid,
    name: &str,
    scope: TokenScope,
    expires_at: Option<DateTime<Utc>>,
    now: DateTime<Utc>,
) -> (String, NewOperatorToken) {
    let text = format!("{PREFIX}{}", token::new());
    let hash = token::hash(&text);
    (text, NewOperatorToken { id, hash, name: name.to_owned(), scope: scope.to_string(), created_at: now, expires_at })
}

/// Whether the caller has the token in the data folder, and so could change the data anyhow.
pub fn is_local(caller: &Caller) -> bool {
    matches!(caller, Caller::Operator(operator) if operator.name == LOCAL_TOKEN_NAME)
}

/// What operators should know of their tokens: which expire within a week, and which never do.
pub fn warnings(tokens: &[OperatorToken], now: DateTime<Utc>) -> Vec<String> {
    let warning = |token: &OperatorToken| match token.expires_at {
        None if token.name == LOCAL_TOKEN_NAME => None,
        None => Some(format!(
            "The operator token '{}' never expires; make another with `morpion token create` and revoke it.",
            token.name
        )),
        Some(end) if end <= now || end - now > EXPIRES_SOON => None,
        Some(end) => {
            Some(format!("The operator token '{}' expires on {} (UTC).", token.name, end.format("%-d %B %Y at %H:%M")))
        }
    };
    tokens.iter().filter_map(warning).collect()
}

/// # Errors
/// The stored scope is unknown.
pub fn scope_of(token: &OperatorToken) -> Result<TokenScope, CommonError> {
    let known = TokenScope::ALL.iter().find(|scope| scope.as_str() == token.scope);
    known.copied().ok_or_else(|| CommonError::internal(format!("an operator token has the scope {:?}", token.scope)))
}

#[cfg(test)]
mod tests {
    use morpion_store::{DatabaseUrl, OpenOptions};

    use super::*;

    async fn fresh() -> Operators {
        Operators::new(Store::open(&DatabaseUrl::Memory, OpenOptions::default()).await.unwrap())
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_token_works_until_it_ends() {
        let (operators, now) = (fresh().await, Utc::now());
        let end = now + TimeDelta::days(1);
        let (id, store) = (Uuid::new_v4(), &operators.store);
        let new = TokenToMake { id, name: "laptop", scope: TokenScope::Read, expires_at: end };
        let (text, stored) = operators.create_token(store, new, now).await.unwrap();
        assert!(text.starts_with("morpion_"));
        let found = operators.find(&text, now).await.unwrap();
        assert_eq!(found, Some(Operator { token_id: stored.id, name: "laptop".to_owned(), scope: TokenScope::Read }));
        assert_eq!(operators.store.operator_tokens().await.unwrap()[0].last_used_at, Some(now));
        operators.find(&text, now + TimeDelta::seconds(59)).await.unwrap();
        assert_eq!(operators.store.operator_tokens().await.unwrap()[0].last_used_at, Some(now), "once a minute");
        assert_eq!(operators.find(&text, end).await.unwrap(), None);
        assert_eq!(operators.find(&token::new(), now).await.unwrap(), None);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn the_local_token_is_replaced_and_the_one_before_stops_working() {
        let (operators, now) = (fresh().await, Utc::now());
        let folder = tempfile::tempdir().unwrap();
        let path = operators.replace_local_token(folder.path(), now).await.unwrap();
        let first = private_file::read(&path).unwrap().unwrap();
        let found = operators.find(&first, now).await.unwrap().unwrap();
        assert_eq!((found.name.as_str(), found.scope), (LOCAL_TOKEN_NAME, TokenScope::All));

        operators.replace_local_token(folder.path(), now).await.unwrap();
        let second = private_file::read(&path).unwrap().unwrap();
        assert_ne!(second, first);
        assert_eq!(operators.find(&first, now).await.unwrap(), None);
        assert!(operators.find(&second, now).await.unwrap().is_some());
        assert_eq!(operators.store.operator_tokens().await.unwrap().len(), 1);

        std::fs::remove_file(&path).unwrap();
        std::fs::create_dir(&path).unwrap();
        let error = operators.replace_local_token(folder.path(), now).await.unwrap_err();
        assert!(format!("{error:#}").contains("operator.token, cannot be written"), "{error:#}");
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_setup_link_is_good_for_30_minutes_while_there_is_no_admin() {
        let (operators, now) = (fresh().await, Utc::now());
        let first = operators.new_setup_secret(now).await.unwrap().unwrap();
        let second = operators.new_setup_secret(now).await.unwrap().unwrap();
        assert!(!operators.is_setup_open(Some(&first), now).await.unwrap(), "renewed");
        assert!(operators.is_setup_open(Some(&second), now).await.unwrap());
        assert!(operators.is_setup_open(None, now).await.unwrap());
        assert!(!operators.is_setup_open(Some(&second), now + TimeDelta::minutes(30)).await.unwrap());
    }
}
