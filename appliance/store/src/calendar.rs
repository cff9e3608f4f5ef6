//! Leave to write into people's calendars: `calendar`, one record an account.

use chrono::{DateTime, Utc};
use surrealdb::types::{RecordId, SurrealValue, Uuid as DbUuid, vars};
use uuid::Uuid;

use crate::Result;
use crate::store::{Store, row};

/// What the provider gave for one account.
#[derive(Clone, PartialEq, Eq, SurrealValue)]
pub struct CalendarGrant {
    #[surreal(rename = "uid")]
    pub user_id: Uuid,
    pub access_token: String,
    /// Gets the next access token; absent when the provider gives none.
    pub refresh_token: Option<String>,
    /// When the access token ends.
    pub expires_at: DateTime<Utc>,
}

impl std::fmt::Debug for CalendarGrant {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CalendarGrant").field("user_id", &self.user_id).finish_non_exhaustive()
    }
}

pub(crate) fn calendar_record(user_id: Uuid) -> RecordId {
    RecordId::new("calendar", DbUuid::from(user_id))
}

impl Store {
    /// Keeps what the provider gave, in place of what it gave before.
    pub async fn set_calendar_grant(&self, grant: CalendarGrant) -> Result<()> {
        let variables = vars! { id: calendar_record(grant.user_id), grant: grant };
        self.write("UPSERT $id CONTENT $grant RETURN NONE", variables).await.map(drop)
    }

    /// What the provider gave for this account.
    pub async fn calendar_grant(&self, user_id: Uuid) -> Result<Option<CalendarGrant>> {
        let mut response = self.read("SELECT * FROM $id", vars! { id: calendar_record(user_id) }).await?;
        row(&mut response, 0)
    }

    /// Forgets it.
    pub async fn remove_calendar_grant(&self, user_id: Uuid) -> Result<()> {
        self.write("DELETE $id RETURN NONE", vars! { id: calendar_record(user_id) }).await.map(drop)
    }
}
