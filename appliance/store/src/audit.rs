//! The audit trail: `audit`, append-only, keyed by UUID version 7 with its bits inverted, so that the newest entry is
//! the first of the table.

use std::ops::Bound;

use chrono::{DateTime, Utc};
use surrealdb::types::{RecordId, RecordIdKeyRange, SurrealValue, Uuid as DbUuid, vars};
use uuid::Uuid;

use crate::store::{Store, rows};
use crate::{Result, StoreError};

pub(crate) const AUDIT_PAGE: &str = "SELECT * FROM $older LIMIT $limit";

/// An action of an admin or operator.
#[derive(Debug, Clone, PartialEq)]
pub struct AuditEntry {
    /// The actor: a user id, or `token:` and the name of an operator token.
    pub actor: String,
    /// The action, such as `set_admin`.
    pub action: String,
    /// The target: the id of a user, a game, a session.
    pub target: String,
    /// The client's address, or `shell`.
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
pub(crate) struct Row {
    aid: Uuid,
    at: DateTime<Utc>,
    actor: String,
    action: String,
    target: String,
    address: String,
    detail: String,
}

fn inverted(id: Uuid) -> DbUuid {
    DbUuid::from(Uuid::from_u128(!id.as_u128()))
}

impl Store {
    /// Appends to the audit trail and returns the entry's id.
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
        let variables = vars! { id: RecordId::new("audit", inverted(id)), row: row };
        self.write("CREATE $id CONTENT $row RETURN NONE", variables).await?;
        Ok(id)
    }

    /// A page of the audit trail, the newest first: at most `limit` entries older than `before` (the id of the last
    /// entry of the page before), or the newest ones.
    pub async fn audit_page(&self, before: Option<Uuid>, limit: usize) -> Result<Vec<AuditRecord>> {
        let start = before.map_or(Bound::Unbounded, |id| Bound::Excluded(inverted(id).into()));
        let older = RecordId::new("audit", RecordIdKeyRange { start, end: Bound::Unbounded });
        let mut response = self.read(AUDIT_PAGE, vars! { older: older, limit: limit as i64 }).await?;
        rows::<Row>(&mut response, 0)?.into_iter().map(AuditRecord::try_from).collect()
    }
}

impl TryFrom<Row> for AuditRecord {
    type Error = StoreError;

    fn try_from(row: Row) -> Result<Self> {
        let detail = serde_json::from_str(&row.detail)
            .map_err(|error| StoreError::Corrupt(format!("audit entry {}: {error}", row.aid)))?;
        let Row { aid, at, actor, action, target, address, .. } = row;
        Ok(Self { id: aid, entry: AuditEntry { actor, action, target, address, at, detail } })
    }
}
