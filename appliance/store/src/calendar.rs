//! Leave to write into people's calendars: `calendar`, one record an account.

use chrono::{DateTime, Utc};
use surrealdb::types::{RecordId, SurrealValue, Uuid as DbUuid, vars};
use uuid::Uuid;

use crate::Result;
use crate::credentials::{self, Credentials, IN_ORDER, UNCHANGED};
use crate::store::{Store, row, rows};

/// The provider's tokens for one account.
#[derive(Clone, PartialEq, Eq, SurrealValue)]
pub struct CalendarGrant {
    #[surreal(rename = "uid")]
    pub user_id: Uuid,
    pub access_token: String,
    /// Gets the next access token; absent if the provider issues none.
    pub refresh_token: Option<String>,
    /// When the access token expires.
    pub expires_at: DateTime<Utc>,
}

impl std::fmt::Debug for CalendarGrant {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CalendarGrant").field("user_id", &self.user_id).finish_non_exhaustive()
    }
}

/// Access that is to be revoked at the provider.
#[derive(Clone, PartialEq, Eq, SurrealValue)]
pub struct CalendarRevocation {
    #[surreal(rename = "rid")]
    pub id: Uuid,
    pub token: String,
    pub since: DateTime<Utc>,
}

impl std::fmt::Debug for CalendarRevocation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CalendarRevocation").field("id", &self.id).finish_non_exhaustive()
    }
}

/// Removes the tokens of `$uid`'s calendar, and records the revocation in `$revocation`; inside a transaction with
/// `$now`.
pub(crate) const REVOKE: &str = "LET $grant = (SELECT * FROM ONLY $calendar); \
    IF $grant != NONE { CREATE $revocation CONTENT { rid: record::id($revocation), \
        token: $grant.refresh_token ?? $grant.access_token, since: $now } RETURN NONE; }; \
    DELETE $calendar RETURN NONE;";

pub(crate) fn revocation_record(id: Uuid) -> RecordId {
    RecordId::new("calendar_revocation", DbUuid::from(id))
}

pub(crate) fn calendar_record(user_id: Uuid) -> RecordId {
    RecordId::new("calendar", DbUuid::from(user_id))
}

impl Store {
    /// Stores the provider's tokens, replacing earlier ones.
    ///
    /// # Errors
    ///
    /// [`StoreError::NotFound`](crate::StoreError::NotFound),
    /// [`StoreError::CredentialsChanged`](crate::StoreError::CredentialsChanged).
    pub async fn set_calendar_grant(&self, checked: Credentials, grant: CalendarGrant) -> Result<()> {
        let query = format!("BEGIN; {UNCHANGED} {IN_ORDER} UPSERT $calendar CONTENT $grant RETURN NONE; COMMIT;");
        let mut variables = credentials::checked(checked);
        variables.extend(vars! { calendar: calendar_record(grant.user_id), grant: grant });
        self.write(&query, variables).await.map(drop)
    }

    /// Stores the tokens that the provider gave in exchange for `before`, unless the calendar was disconnected meanwhile, or
    /// another one connected.
    pub async fn renew_calendar_grant(&self, before: &CalendarGrant, grant: CalendarGrant) -> Result<()> {
        let variables = vars! { id: calendar_record(grant.user_id), grant: grant, before: before.access_token.clone() };
        let query = "UPDATE $id CONTENT $grant WHERE access_token = $before RETURN NONE";
        self.write(query, variables).await.map(drop)
    }

    /// The provider's tokens for this account.
    pub async fn calendar_grant(&self, user_id: Uuid) -> Result<Option<CalendarGrant>> {
        let mut response = self.read("SELECT * FROM $id", vars! { id: calendar_record(user_id) }).await?;
        row(&mut response, 0)
    }

    /// Those of these people who connected a calendar.
    pub async fn have_calendar_grants(&self, users: &[Uuid]) -> Result<Vec<Uuid>> {
        let ids: Vec<RecordId> = users.iter().map(|user| calendar_record(*user)).collect();
        let mut response = self.read("SELECT VALUE uid FROM $ids", vars! { ids: ids }).await?;
        rows(&mut response, 0)
    }

    /// Removes these tokens, since the provider no longer accepts them.
    pub async fn remove_calendar_grant(&self, grant: &CalendarGrant) -> Result<()> {
        let variables = vars! { id: calendar_record(grant.user_id), before: grant.access_token.clone() };
        self.write("DELETE $id WHERE access_token = $before RETURN NONE", variables).await.map(drop)
    }

    /// Removes the tokens, and records that they are to be revoked at the provider: [`Store::calendar_revocations`].
    pub async fn revoke_calendar_grant(&self, user_id: Uuid, now: DateTime<Utc>) -> Result<()> {
        let query = "BEGIN; {revoke} COMMIT;".replace("{revoke}", REVOKE);
        let variables = vars! {
            uid: user_id,
            now: now,
            calendar: calendar_record(user_id),
            revocation: revocation_record(Uuid::new_v4()),
        };
        self.write(&query, variables).await.map(drop)
    }

    /// Pending revocations, at most `limit`.
    pub async fn calendar_revocations(&self, limit: usize) -> Result<Vec<CalendarRevocation>> {
        let query = "SELECT rid, token, since FROM calendar_revocation LIMIT $limit";
        let mut response = self.read(query, vars! { limit: limit as i64 }).await?;
        rows(&mut response, 0)
    }

    /// Removes a revocation that was made, or given up.
    pub async fn finish_calendar_revocation(&self, id: Uuid) -> Result<()> {
        self.write("DELETE $id RETURN NONE", vars! { id: revocation_record(id) }).await.map(drop)
    }
}
