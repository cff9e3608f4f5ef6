//! The audit trail: `audit`, append-only, keyed by UUID version 7, so its order is the order in time.

use chrono::{DateTime, Utc};
use surrealdb::types::{RecordId, SurrealValue, Uuid as DbUuid, vars};
use uuid::Uuid;

use crate::store::{Store, rows};
use crate::{Result, StoreError};

/// Not a range of ids: that would be read whole and sorted, where this is read backwards up to its limit.
pub(crate) const AUDIT_PAGE: &str =
    "SELECT * FROM audit WHERE id < $before ORDER BY id DESC LIMIT $limit";

/// What somebody did.
#[derive(Debug, Clone, PartialEq)]
pub struct AuditEntry {
    /// Who: a user id, or `token:` and the name of an operator token.
    pub actor: String,
    /// What, such as `set_admin`.
    pub action: String,
    /// On what: the id of a user, a game, a session.
    pub target: String,
    /// From where: the client's address, or `shell`.
    pub address: String,
    pub at: DateTime<Utc>,
    pub detail: serde_json::Value,
}

/// A stored [`AuditEntry`]; its id is the cursor of the next page.
#[derive(Debug, Clone, PartialEq)]
pub struct AuditRecord {
    pub id: Uuid,
    pub entry: AuditEntry,
}

#[derive(SurrealValue)]
struct Row {
    aid: Uuid,
    at: DateTime<Utc>,
    actor: String,
    action: String,
    target: String,
    address: String,
    detail: String,
}

impl Store {
    /// Appends to the audit trail and answers the entry's id.
    pub async fn append_audit(&self, entry: AuditEntry) -> Result<Uuid> {
        let id = Uuid::now_v7();
        let row = Row {
            aid: id,
            at: entry.at,
            actor: entry.actor,
            action: entry.action,
            target: entry.target,
            address: entry.address,
            detail: entry.detail.to_string(),
        };
        let variables = vars! { id: RecordId::new("audit", DbUuid::from(id)), row: row };
        self.write("CREATE $id CONTENT $row RETURN NONE", variables)
            .await?;
        Ok(id)
    }

    /// A page of the audit trail, the newest first: at most `limit` entries older than `before` (the id of the last
    /// entry of the page before), or the newest ones.
    pub async fn audit_page(&self, before: Option<Uuid>, limit: usize) -> Result<Vec<AuditRecord>> {
        let before = RecordId::new("audit", DbUuid::from(before.unwrap_or(Uuid::max())));
        let mut response = self
            .read(AUDIT_PAGE, vars! { before: before, limit: limit as i64 })
            .await?;
        rows::<Row>(&mut response, 0)?
            .into_iter()
            .map(AuditRecord::try_from)
            .collect()
    }
}

impl TryFrom<Row> for AuditRecord {
    type Error = StoreError;

    fn try_from(row: Row) -> Result<Self> {
        let detail = serde_json::from_str(&row.detail)
            .map_err(|error| StoreError::Corrupt(format!("audit entry {}: {error}", row.aid)))?;
        let Row {
            aid,
            at,
            actor,
            action,
            target,
            address,
            ..
        } = row;
        Ok(Self {
            id: aid,
            entry: AuditEntry {
                actor,
                action,
                target,
                address,
                at,
                detail,
            },
        })
    }
}
