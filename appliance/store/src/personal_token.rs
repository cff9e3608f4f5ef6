//! Personal tokens: `personal_token`, keyed by the hash of the token. A program shows one instead of a session.
//!
//! A token has the version that its account had when it was made. With another `session_version` of the account it has
//! ended, as sessions have, in the same write; its record is removed with theirs.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use surrealdb::types::{RecordId, SurrealValue, vars};
use uuid::Uuid;

use crate::counted::Counted;
use crate::credentials::{self, Credentials, NO_GUEST, UNCHANGED};
use crate::store::{Store, last, row, rows};
use crate::user::user_record;
use crate::{Result, StoreError, User};

pub(crate) const TOKENS_OF: &str = "SELECT * FROM personal_token WHERE user_id = $user";
pub(crate) const TOKENS_BY_ID: &str = "SELECT * FROM personal_token WHERE tid IN $sids";
pub(crate) const TOKENS_OF_OTHER_VERSIONS: &str =
    "SELECT VALUE tid FROM personal_token WHERE user_id = $user AND version != $version";
pub(crate) const EXPIRED_TOKENS: &str = "SELECT VALUE id FROM personal_token WHERE expires_at <= $now LIMIT $limit";

/// What stands for its owner in a program.
#[derive(Debug, Clone, PartialEq, Eq, SurrealValue)]
pub struct PersonalToken {
    /// The SHA-256 of the token, in hex; the token itself is stored nowhere.
    pub hash: String,
    #[surreal(rename = "tid")]
    pub id: Uuid,
    pub user_id: Uuid,
    /// What its owner calls it.
    pub name: String,
    /// What it may do, as the API calls it.
    pub scopes: Vec<String>,
    pub created_at: DateTime<Utc>,
    pub expires_at: DateTime<Utc>,
    /// Written once a minute at most.
    pub last_used_at: Option<DateTime<Utc>>,
    /// The account's [`User::session_version`] when it was made.
    pub version: Option<Uuid>,
}

/// A token to be stored. `hash` is the SHA-256 of it in hex.
#[derive(Debug, Clone)]
pub struct NewPersonalToken {
    pub id: Uuid,
    pub hash: String,
    /// Whose it is, and what was checked before.
    pub owner: Credentials,
    pub name: String,
    pub scopes: Vec<String>,
    pub created_at: DateTime<Utc>,
    pub expires_at: DateTime<Utc>,
}

fn token_record(hash: &str) -> RecordId {
    RecordId::new("personal_token", hash)
}

fn is_good(token: &PersonalToken, owner: &User, now: DateTime<Utc>) -> bool {
    token.expires_at > now && owner.deleted_at.is_none() && token.version == owner.session_version
}

impl Store {
    /// Stores a personal token, of at most `most` that an account has; those that have ended are removed.
    ///
    /// # Errors
    /// [`StoreError::LimitReached`]; [`StoreError::NotFound`] for a guest or a deleted account;
    /// [`StoreError::CredentialsChanged`].
    pub async fn create_personal_token(&self, new: NewPersonalToken, most: usize) -> Result<PersonalToken> {
        let query = format!(
            "BEGIN; {UNCHANGED} {NO_GUEST} \
             UPSERT $counted SET last = $row.tid RETURN NONE; \
             LET $version = $account.session_version; \
             LET $all = ({TOKENS_OF}); \
             DELETE $all[WHERE expires_at <= $row.created_at OR version != $version].id RETURN NONE; \
             LET $others = $all[WHERE tid != $row.tid AND expires_at > $row.created_at AND version = $version]; \
             IF array::len($others) >= $most {{ THROW 'morpion:plan-limit' }}; \
             CREATE $record CONTENT object::extend($row, {{ version: $version }}) RETURN NONE; \
             RETURN [{{ version: $version }}]; \
             COMMIT;"
        );
        let mut token = PersonalToken {
            hash: new.hash,
            id: new.id,
            user_id: new.owner.user_id,
            name: new.name,
            scopes: new.scopes,
            created_at: new.created_at,
            expires_at: new.expires_at,
            last_used_at: None,
            version: None,
        };
        let mut variables = credentials::checked(new.owner);
        variables.extend(vars! {
            user: token.user_id,
            counted: Counted::PersonalTokens.of(token.user_id),
            record: token_record(&token.hash),
            row: token.clone(),
            most: most as i64,
        });
        let mut response = self.write(&query, variables).await?;
        token.version = last::<Made>(&mut response)?.pop().ok_or(StoreError::NotFound("user"))?.version;
        Ok(token)
    }

    /// The token with this hash and its account, unless it has ended.
    pub async fn personal_token(&self, hash: &str, now: DateTime<Utc>) -> Result<Option<(PersonalToken, User)>> {
        let query = "LET $found = (SELECT * FROM ONLY $id); SELECT * FROM $id; \
                     SELECT * FROM type::record('user', $found.user_id) WHERE $found != NONE";
        let mut response = self.read(query, vars! { id: token_record(hash) }).await?;
        let (token, owner): (Option<PersonalToken>, Option<User>) = (row(&mut response, 1)?, row(&mut response, 2)?);
        Ok(token.zip(owner).filter(|(token, owner)| is_good(token, owner, now)))
    }

    /// The tokens of an account that have not ended, the newest first.
    pub async fn personal_tokens_of(&self, user_id: Uuid, now: DateTime<Utc>) -> Result<Vec<PersonalToken>> {
        let query = format!("{TOKENS_OF}; SELECT * FROM $account");
        let mut response = self.read(&query, vars! { user: user_id, account: user_record(user_id) }).await?;
        let (mut tokens, owner): (Vec<PersonalToken>, Option<User>) = (rows(&mut response, 0)?, row(&mut response, 1)?);
        tokens.retain(|token| owner.as_ref().is_some_and(|owner| is_good(token, owner, now)));
        tokens.sort_by_key(|token| std::cmp::Reverse(token.created_at));
        Ok(tokens)
    }

    /// When those of these tokens that have not ended will.
    pub async fn personal_token_ends(&self, ids: &[Uuid], now: DateTime<Utc>) -> Result<HashMap<Uuid, DateTime<Utc>>> {
        if ids.is_empty() {
            return Ok(HashMap::new());
        }
        let mut response = self.read(TOKENS_BY_ID, vars! { sids: ids.to_vec() }).await?;
        let tokens: Vec<PersonalToken> = rows(&mut response, 0)?;
        let mut owners: Vec<Uuid> = tokens.iter().map(|token| token.user_id).collect();
        owners.sort_unstable();
        owners.dedup();
        let owners: Vec<RecordId> = owners.into_iter().map(user_record).collect();
        let mut response = self.read("SELECT * FROM $users", vars! { users: owners }).await?;
        let owners: HashMap<Uuid, User> =
            rows::<User>(&mut response, 0)?.into_iter().map(|owner| (owner.id, owner)).collect();
        let is_good =
            |token: &PersonalToken| owners.get(&token.user_id).is_some_and(|owner| is_good(token, owner, now));
        Ok(tokens.into_iter().filter(is_good).map(|token| (token.id, token.expires_at)).collect())
    }

    /// Records the use of a token. One that was deleted meanwhile stays deleted.
    pub async fn touch_personal_token(&self, hash: &str, now: DateTime<Utc>) -> Result<()> {
        let variables = vars! { id: token_record(hash), now: now };
        self.write("UPDATE $id SET last_used_at = $now RETURN NONE", variables).await.map(drop)
    }

    /// Deletes a token of this account, or all of them; returns which those were.
    pub async fn delete_personal_tokens(&self, user_id: Uuid, id: Option<Uuid>) -> Result<Vec<Uuid>> {
        let query = "BEGIN; \
                     LET $deleted = (DELETE (SELECT VALUE id FROM personal_token WHERE user_id = $user \
                         AND ($tid = NONE OR tid = $tid)) RETURN BEFORE); \
                     IF array::len($deleted) > 0 { fn::audit($audit) }; \
                     RETURN $deleted; \
                     COMMIT;";
        let mut response = self.write(query, vars! { user: user_id, tid: id }).await?;
        Ok(last::<PersonalToken>(&mut response)?.into_iter().map(|token| token.id).collect())
    }

    /// The tokens that ended with an earlier version of their account, or with the account, as far as their records are
    /// not removed yet ([`Store::remove_ended_sessions_of`]).
    pub async fn ended_personal_tokens_of(&self, user_id: Uuid) -> Result<Vec<Uuid>> {
        let query =
            format!("LET $version = (SELECT VALUE session_version FROM ONLY $account); {TOKENS_OF_OTHER_VERSIONS}");
        let mut response = self.read(&query, vars! { account: user_record(user_id), user: user_id }).await?;
        rows(&mut response, 1)
    }

    /// Removes the tokens that have expired.
    pub async fn purge_personal_tokens(&self, now: DateTime<Utc>) -> Result<usize> {
        let query = format!("LET $ended = ({EXPIRED_TOKENS}); DELETE $ended RETURN NONE; RETURN [array::len($ended)];");
        self.in_pieces(&query, vars! { now: now }).await
    }
}

#[derive(SurrealValue)]
struct Made {
    version: Option<Uuid>,
}
