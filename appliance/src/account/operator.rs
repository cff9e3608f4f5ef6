//! Operator tokens, and the one-time link that creates the first admin.

use std::path::{Path, PathBuf};

use anyhow::Context;
use chrono::{DateTime, TimeDelta, Utc};
use morpion_store::{NewOperatorToken, OperatorToken, Store};
use uuid::Uuid;

use super::{error::AccountError, private_file, token};
use crate::caller::Operator;

/// The file in the data folder with the token that the console on the same machine uses.
pub const LOCAL_TOKEN_FILE: &str = "operator.token";

/// The name of that token in lists and in the audit trail.
const LOCAL_TOKEN_NAME: &str = "local";

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
        Ok(Some(Operator { token_id: found.id, name: found.name }))
    }

    /// Creates a token with a handle of the store, which may be audited; the text is shown only once.
    pub async fn create_token(
        &self,
        store: &Store,
        id: Uuid,
        name: &str,
        expires_at: Option<DateTime<Utc>>,
        now: DateTime<Utc>,
    ) -> Result<(String, OperatorToken), AccountError> {
        let text = format!("{PREFIX}{}", token::new());
        let new = NewOperatorToken { id, hash: token::hash(&text), name: name.to_owned(), created_at: now, expires_at };
        let stored = store.create_operator_token(new).await?;
        Ok((text, stored))
    }

    /// Makes sure that the data folder has a working token, for the console on the same machine, and returns its path.
    ///
    /// # Errors
    /// The file cannot be read or written, or the store is unavailable.
    pub async fn ensure_local_token(&self, data_dir: &Path, now: DateTime<Utc>) -> anyhow::Result<PathBuf> {
        let path = data_dir.join(LOCAL_TOKEN_FILE);
        let cannot = |what| format!("{} cannot be {what}; make it a file that this user owns", path.display());
        let present = private_file::read(&path).with_context(|| cannot("read"))?;
        let works = match present {
            Some(text) => self.store.operator_token(&token::hash(&text), now).await?.is_some(),
            None => false,
        };
        if !works {
            let (text, _) = self.create_token(&self.store, Uuid::new_v4(), LOCAL_TOKEN_NAME, None, now).await?;
            private_file::write(&path, &text).with_context(|| cannot("written"))?;
        }
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
        let (text, stored) =
            operators.create_token(&operators.store, Uuid::new_v4(), "laptop", Some(end), now).await.unwrap();
        assert!(text.starts_with("morpion_"));
        let found = operators.find(&text, now).await.unwrap();
        assert_eq!(found, Some(Operator { token_id: stored.id, name: "laptop".to_owned() }));
        assert_eq!(operators.store.operator_tokens().await.unwrap()[0].last_used_at, Some(now));
        operators.find(&text, now + TimeDelta::seconds(59)).await.unwrap();
        assert_eq!(operators.store.operator_tokens().await.unwrap()[0].last_used_at, Some(now), "once a minute");
        assert_eq!(operators.find(&text, end).await.unwrap(), None);
        assert_eq!(operators.find(&token::new(), now).await.unwrap(), None);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn the_local_token_is_made_once_and_again_when_it_does_not_work() {
        let (operators, now) = (fresh().await, Utc::now());
        let folder = tempfile::tempdir().unwrap();
        let path = operators.ensure_local_token(folder.path(), now).await.unwrap();
        let first = private_file::read(&path).unwrap().unwrap();
        operators.ensure_local_token(folder.path(), now).await.unwrap();
        assert_eq!(private_file::read(&path).unwrap().unwrap(), first);
        let id = operators.store.operator_tokens().await.unwrap()[0].id;
        operators.store.revoke_operator_token(id).await.unwrap();
        operators.ensure_local_token(folder.path(), now).await.unwrap();
        let second = private_file::read(&path).unwrap().unwrap();
        assert_ne!(second, first);
        assert!(operators.find(&second, now).await.unwrap().is_some());
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
