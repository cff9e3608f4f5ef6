//! Accounts that are bots: `user` with `bot_since`. It is set once and stays.

use chrono::{DateTime, Utc};
use surrealdb::types::vars;

use crate::credentials::{self, Credentials, NO_GUEST, UNCHANGED};
use crate::rating::rating_record;
use crate::store::{Store, last, rows};
use crate::{Result, StoreError, User};

pub(crate) const BOTS: &str =
    "SELECT * FROM user WITH INDEX user_bot WHERE bot_since > d'1970-01-01T00:00:00Z' LIMIT $most";

impl Store {
    /// Makes an account a bot, for good, and returns it. Audited unless it was one before, which keeps its time.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] for a guest or a deleted account; [`StoreError::HasRating`];
    /// [`StoreError::NotVerified`]; [`StoreError::CredentialsChanged`].
    pub async fn become_bot(&self, owner: Credentials, now: DateTime<Utc>) -> Result<User> {
        let query = format!(
            "BEGIN; {UNCHANGED} {NO_GUEST} \
             IF $account.bot_since = NONE {{ \
                 IF record::exists($rating) {{ THROW 'morpion:has-rating' }}; \
                 IF $account.email_verified != true AND $account.may_host != true {{ THROW 'morpion:not-verified' }}; \
                 UPDATE $id SET bot_since = $now RETURN NONE; \
                 fn::audit($audit); \
             }}; \
             RETURN (SELECT * FROM $id); \
             COMMIT;"
        );
        let user = owner.user_id;
        let mut variables = credentials::checked(owner);
        variables.extend(vars! { rating: rating_record(user), now: now });
        let mut response = self.write(&query, variables).await?;
        last(&mut response)?.pop().ok_or(StoreError::NotFound("user"))
    }

    /// The accounts that are bots, the first of them first, at most `most`.
    pub async fn bots(&self, most: usize) -> Result<Vec<User>> {
        rows(&mut self.read(BOTS, vars! { most: most as i64 }).await?, 0)
    }
}
