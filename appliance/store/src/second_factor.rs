//! Second factors: `second_factor`, one record for each account with an authenticator app or recovery codes, and
//! `passkey`.

use chrono::{DateTime, Utc};
use surrealdb::types::SurrealValue;
use uuid::Uuid;

/// A passkey.
#[derive(Debug, Clone, PartialEq, Eq, SurrealValue)]
pub struct PasskeyRow {
    #[surreal(rename = "pid")]
    pub id: Uuid,
    #[surreal(rename = "uid")]
    pub user_id: Uuid,
    /// What its owner calls it.
    pub name: String,
    /// The public key and what goes with it, as JSON.
    pub credential: String,
    pub created_at: DateTime<Utc>,
    pub last_used_at: Option<DateTime<Utc>>,
}
