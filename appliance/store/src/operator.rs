//! Operators' tokens for the API (`operator_token`) and the link that creates the first admin (`setup_link`). Both are
//! stored only as hashes.

use chrono::{DateTime, Utc};
use surrealdb::types::{RecordId, SurrealValue, vars};
use uuid::Uuid;

use crate::Result;
use crate::store::{Store, last, row, rows};

/// A token that the console and the shell authenticate with.
#[derive(Debug, Clone, PartialEq, Eq, SurrealValue)]
pub struct OperatorToken {
    /// The SHA-256 of the token, in hex.
    pub hash: String,
    #[surreal(rename = "tid")]
    pub id: Uuid,
    pub name: String,
    /// What it may do, as the API calls it.
    pub scope: String,
    pub created_at: DateTime<Utc>,
    /// When it expires; absent for the local token, and for some that an earlier version made.
    pub expires_at: Option<DateTime<Utc>>,
    pub last_used_at: Option<DateTime<Utc>>,
}

/// A token to be stored. `hash` is the SHA-256 of it in hex.
#[derive(Debug, Clone)]
pub struct NewOperatorToken {
    pub id: Uuid,
    pub hash: String,
    pub name: String,
    pub scope: String,
    pub created_at: DateTime<Utc>,
    pub expires_at: Option<DateTime<Utc>>,
}

impl From<NewOperatorToken> for OperatorToken {
    fn from(new: NewOperatorToken) -> Self {
        Self {
            hash: new.hash,
            id: new.id,
            name: new.name,
            scope: new.scope,
            created_at: new.created_at,
            expires_at: new.expires_at,
            last_used_at: None,
        }
    }
}

fn token_record(hash: &str) -> RecordId {
    RecordId::new("operator_token", hash)
}

impl Store {
    /// Stores an operator token, in place of an expired one of the same name, if there are fewer than `most`. Audited.
    ///
    /// # Errors
    /// [`StoreError::Taken`](crate::StoreError::Taken) when a token that works has the name, in upper or lower case;
    /// [`StoreError::LimitReached`](crate::StoreError::LimitReached).
    pub async fn create_operator_token(&self, new: NewOperatorToken, most: usize) -> Result<OperatorToken> {
        let token = OperatorToken::from(new);
        let query = "BEGIN; \
            UPSERT operator_token_guard:names SET last = $row.tid RETURN NONE; \
            IF array::len((SELECT VALUE tid FROM operator_token WHERE tid != $row.tid)) >= $most \
                { THROW 'morpion:plan-limit' }; \
            LET $same = (SELECT * FROM operator_token WHERE string::lowercase(name) = string::lowercase($row.name)); \
            IF array::any($same, |$token| $token.expires_at = NONE OR $token.expires_at > $row.created_at) \
                { THROW 'morpion:token-name-taken' }; \
            DELETE $same.id RETURN NONE; \
            CREATE $record CONTENT $row RETURN NONE; \
            fn::audit($audit); \
            COMMIT;";
        let variables = vars! { record: token_record(&token.hash), row: token.clone(), most: most as i64 };
        self.write(query, variables).await?;
        Ok(token)
    }

    /// Stores an operator token, in place of all that have its name.
    pub async fn replace_operator_token(&self, new: NewOperatorToken) -> Result<OperatorToken> {
        let token = OperatorToken::from(new);
        let query = "BEGIN; \
            DELETE operator_token WHERE name = $row.name RETURN NONE; \
            CREATE $id CONTENT $row RETURN NONE; \
            COMMIT;";
        self.write(query, vars! { id: token_record(&token.hash), row: token.clone() }).await?;
        Ok(token)
    }

    /// The operator token with this hash, unless it has expired.
    pub async fn operator_token(&self, hash: &str, now: DateTime<Utc>) -> Result<Option<OperatorToken>> {
        let mut response = self.read("SELECT * FROM $id", vars! { id: token_record(hash) }).await?;
        let token: Option<OperatorToken> = row(&mut response, 0)?;
        Ok(token.filter(|token| token.expires_at.is_none_or(|end| end > now)))
    }

    /// Records the use of an operator token. A token revoked meanwhile stays revoked.
    pub async fn touch_operator_token(&self, hash: &str, now: DateTime<Utc>) -> Result<()> {
        let variables = vars! { id: token_record(hash), now: now };
        self.write("UPDATE $id SET last_used_at = $now RETURN NONE", variables).await.map(drop)
    }

    /// All operator tokens, the newest first.
    pub async fn operator_tokens(&self) -> Result<Vec<OperatorToken>> {
        let mut response = self.read("SELECT * FROM operator_token", vars! {}).await?;
        let mut tokens: Vec<OperatorToken> = rows(&mut response, 0)?;
        tokens.sort_by_key(|token| std::cmp::Reverse(token.created_at));
        Ok(tokens)
    }

    /// Revokes an operator token; returns whether there was one. Audited if there was.
    pub async fn revoke_operator_token(&self, id: Uuid) -> Result<bool> {
        let query = "BEGIN; \
            LET $revoked = (DELETE operator_token WHERE tid = $tid RETURN BEFORE); \
            IF array::len($revoked) > 0 { fn::audit($audit) }; \
            RETURN $revoked; \
            COMMIT;";
        let mut response = self.write(query, vars! { tid: id }).await?;
        Ok(!last::<OperatorToken>(&mut response)?.is_empty())
    }

    /// Replaces the setup link. `hash` is the SHA-256 of its secret in hex.
    pub async fn set_setup_link(&self, hash: &str, expires_at: DateTime<Utc>) -> Result<()> {
        let query = "UPSERT setup_link:current CONTENT { hash: $hash, expires_at: $expires_at } RETURN NONE";
        self.write(query, vars! { hash: hash.to_owned(), expires_at: expires_at }).await.map(drop)
    }

    /// Whether the setup link with this secret is valid; does not consume it.
    pub async fn is_setup_link(&self, hash: &str, now: DateTime<Utc>) -> Result<bool> {
        let query = "SELECT VALUE hash FROM setup_link:current WHERE hash = $hash AND expires_at > $now";
        let mut response = self.read(query, vars! { hash: hash.to_owned(), now: now }).await?;
        Ok(row::<String>(&mut response, 0)?.is_some())
    }
}
