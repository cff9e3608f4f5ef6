//! Operator tokens, and the one-time link that creates the first admin.

use std::path::{Path, PathBuf};

use anyhow::Context;
use chrono::{DateTime, TimeDelta, Utc};
use morpion_openapi::admin::TokenScope;
use morpion_store::{NewOperatorToken, OperatorToken, Store};

use super::{error::AccountError, private_file, token};
use crate::{caller::Operator, error::CommonError};

/// The file in the data folder with the token that the console on the same machine uses.
pub const LOCAL_TOKEN_FILE: &str = "operator.token";

/// The name of that token in lists and in the audit trail.
pub const LOCAL_TOKEN_NAME: &str = "local";

/// Marks operator tokens, for people and for secret scanners.
const PREFIX: &str = "morpion_";

/// How long a setup link is valid.
const SETUP_LINK_LIFE: TimeDelta = TimeDelta::minutes(30);

/// The last use of a token is written once a minute at most: it is a synced commit.
const TOUCH_EVERY: TimeDelta = TimeDelta::minutes(1);

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

    /// Creates a token; the text is shown only once.
    ///
    /// # Errors
    /// [`AccountError::TokenNameTaken`].
    pub async fn create_token(
        &self,
        name: &str,
        scope: TokenScope,
        expires_at: DateTime<Utc>,
        now: DateTime<Utc>,
    ) -> Result<(String, OperatorToken), AccountError> {
        let (text, new) = new_token(name, scope, Some(expires_at), now);
        Ok((text, self.store.create_operator_token(new).await?))
    }

    /// Gives the data folder a new token for the console on the same machine, and returns its path. The one before stops
    /// working, so that a copy of the file is worth nothing after a restart.
    ///
    /// # Errors
    /// The file cannot be written, or the store is unavailable.
    pub async fn replace_local_token(&self, data_dir: &Path, now: DateTime<Utc>) -> anyhow::Result<PathBuf> {
        let path = data_dir.join(LOCAL_TOKEN_FILE);
        let (text, new) = new_token(LOCAL_TOKEN_NAME, TokenScope::All, None, now);
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

    /// Consumes the link; true for exactly one caller.
    pub async fn use_setup_link(&self, secret: &str, now: DateTime<Utc>) -> Result<bool, AccountError> {
        Ok(self.store.consume_setup_link(&token::hash(secret), now).await?)
    }
}

fn new_token(
    name: &str,
    scope: TokenScope,
    expires_at: Option<DateTime<Utc>>,
    now: DateTime<Utc>,
) -> (String, NewOperatorToken) {
    let text = format!("{PREFIX}{}", token::new());
    let hash = token::hash(&text);
    (text, NewOperatorToken { hash, name: name.to_owned(), scope: scope.to_string(), created_at: now, expires_at })
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
        let (text, stored) = operators.create_token("laptop", TokenScope::Read, end, now).await.unwrap();
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
    async fn a_setup_link_is_good_once_for_30_minutes_while_there_is_no_admin() {
        let (operators, now) = (fresh().await, Utc::now());
        let first = operators.new_setup_secret(now).await.unwrap().unwrap();
        let second = operators.new_setup_secret(now).await.unwrap().unwrap();
        assert!(!operators.is_setup_open(Some(&first), now).await.unwrap(), "renewed");
        assert!(operators.is_setup_open(Some(&second), now).await.unwrap());
        assert!(operators.is_setup_open(None, now).await.unwrap());
        assert!(!operators.is_setup_open(Some(&second), now + TimeDelta::minutes(30)).await.unwrap());
        assert!(!operators.use_setup_link(&first, now).await.unwrap());
        assert!(operators.use_setup_link(&second, now).await.unwrap());
        assert!(!operators.use_setup_link(&second, now).await.unwrap());
    }
}
