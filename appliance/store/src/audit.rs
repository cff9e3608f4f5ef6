//! The audit trail: `audit`, append-only, keyed by its sequence numbers below zero, so that the newest entry is the
//! first of the table.
//!
//! It is a hash chain. `fn::audit` of the schema appends an entry in the transaction of what it records: the query of
//! an audited function calls it where it acts, and does so with the entry of the handle; see [`Store::audited`].

use std::ops::Bound;

use chrono::{DateTime, Utc};
use sha2::{Digest, Sha256};
use surrealdb::types::{RecordId, RecordIdKeyRange, SurrealValue, Value, vars};
use uuid::Uuid;

use crate::credentials::Credentials;
use crate::store::{Store, row, rows};
use crate::{Result, StoreError};

pub(crate) const AUDIT_PAGE: &str = "SELECT * FROM $older LIMIT $limit";

/// Entries of a page when the chain is checked: some hundred KiB.
const CHECKED_AT_ONCE: u64 = 1_000;

/// By what somebody acts, which still has to hold when the act is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ActsBy {
    /// The credentials of a person: with others their rights may be, too.
    Account(Credentials),
    /// An operator token, by its id: until it is revoked.
    Token(Uuid),
}

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
    /// `None` for the server itself, and for entries that are read: it is not stored.
    pub by: Option<ActsBy>,
}

/// A stored [`AuditEntry`] in its place in the chain.
#[derive(Debug, Clone, PartialEq)]
pub struct AuditRecord {
    pub id: Uuid,
    /// Its place in the trail, from 1, without gaps; the cursor of the next page.
    pub seq: u64,
    /// The hash of the entry before it; empty for the first.
    pub previous_hash: String,
    /// Covers all fields, and through the previous hash all entries before.
    pub hash: String,
    pub entry: AuditEntry,
}

/// What checking the whole trail found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AuditCheck {
    /// Entries that are in order, from the first.
    pub entries: u64,
    /// When the first and the last of them were written.
    pub period: Option<(DateTime<Utc>, DateTime<Utc>)>,
    /// The hash of the last of them; empty without entries.
    pub head: String,
    /// Why the entry after them is not what was written.
    pub broken: Option<AuditBreak>,
}

/// How the audit trail differs from what was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum AuditBreak {
    /// The entry's content is not what its hash was made of.
    #[error("its content was changed")]
    Changed,
    /// There is another entry in its place, or none.
    #[error("another entry is in its place, or none")]
    Misplaced,
    /// The trail ends before it, or goes on behind its stored end.
    #[error("the trail does not end where its stored end is")]
    WrongEnd,
}

#[derive(Debug, SurrealValue)]
pub(crate) struct Row {
    aid: Uuid,
    at: DateTime<Utc>,
    actor: String,
    action: String,
    target: String,
    address: String,
    detail: String,
    seq: i64,
    prev: String,
    hash: String,
}

/// What `fn::audit` is given; it adds the place in the chain.
#[derive(Debug, Clone, SurrealValue)]
pub(crate) struct NewRow {
    aid: Uuid,
    at: DateTime<Utc>,
    actor: String,
    action: String,
    target: String,
    address: String,
    detail: String,
}

#[derive(Debug, Default, SurrealValue)]
struct Head {
    seq: i64,
    hash: String,
}

impl Row {
    /// The hash as `fn::audit` computes it.
    fn expected_hash(&self) -> String {
        let parts = [
            "morpion-audit-1",
            &self.seq.to_string(),
            &self.prev,
            &self.aid.to_string(),
            &self.at.timestamp_nanos_opt().unwrap_or_default().to_string(),
            &self.actor,
            &self.action,
            &self.target,
            &self.address,
            &self.detail,
        ];
        let parts = parts.map(|part| format!("{}:{part}", part.len()));
        crate::hex(&Sha256::digest(parts.join(",")))
    }

    /// Whether this entry follows the one with this place and hash.
    fn follows(&self, head: &Head) -> Result<(), AuditBreak> {
        if self.seq != head.seq + 1 || self.prev != head.hash {
            return Err(AuditBreak::Misplaced);
        }
        if self.hash == self.expected_hash() { Ok(()) } else { Err(AuditBreak::Changed) }
    }
}

/// The entries with these sequence numbers; without an upper bound everything that is stored behind the first, and
/// without a lower one also what never was in the chain.
fn entries(first: Bound<u64>, last: Bound<u64>) -> RecordId {
    // Whoever reads may ask for what lies behind the last entry that there can be.
    let key = |seq: Bound<u64>| seq.map(|seq| (-i64::try_from(seq).unwrap_or(i64::MAX)).into());
    RecordId::new("audit", RecordIdKeyRange { start: key(last), end: key(first) })
}

impl Store {
    /// Appends to the audit trail what is not one write of the store.
    pub async fn append_audit(&self, entry: AuditEntry) -> Result<()> {
        self.audited(entry).write("BEGIN; fn::audit($audit); COMMIT;", vars! {}).await.map(drop)
    }

    /// A page of the audit trail, the newest first: at most `limit` entries older than the one at `before`, or the
    /// newest ones.
    pub async fn audit_page(&self, before: Option<u64>, limit: usize) -> Result<Vec<AuditRecord>> {
        let older = entries(Bound::Unbounded, before.map_or(Bound::Unbounded, Bound::Excluded));
        let mut response = self.read(AUDIT_PAGE, vars! { older: older, limit: limit as i64 }).await?;
        rows::<Row>(&mut response, 0)?.into_iter().map(AuditRecord::try_from).collect()
    }

    /// The entries behind the one at `after` (0 for the first), the oldest first, at most `limit`.
    pub async fn audit_after(&self, after: u64, limit: u64) -> Result<Vec<AuditRecord>> {
        let next = entries(Bound::Excluded(after), Bound::Included(after.saturating_add(limit)));
        let mut response = self.read("SELECT * FROM $next", vars! { next: next }).await?;
        rows::<Row>(&mut response, 0)?.into_iter().rev().map(AuditRecord::try_from).collect()
    }

    /// How far the audit trail was exported to this target; 0 at first.
    pub async fn audit_exported(&self, target: &str) -> Result<u64> {
        let variables = vars! { id: RecordId::new("audit_export", target) };
        let mut response = self.read("SELECT VALUE seq FROM ONLY $id", variables).await?;
        Ok(row::<i64>(&mut response, 0)?.unwrap_or(0).max(0).cast_unsigned())
    }

    /// Stores that this target has the audit trail up to this entry.
    pub async fn set_audit_exported(&self, target: &str, seq: u64) -> Result<()> {
        let variables = vars! { id: RecordId::new("audit_export", target), seq: seq.cast_signed() };
        self.write("UPSERT $id SET seq = $seq RETURN NONE", variables).await.map(drop)
    }

    /// Reads the whole audit trail from its beginning, page by page, up to the first entry that is not as it was
    /// written. Entries that are appended meanwhile are checked as well.
    pub async fn check_audit(&self) -> Result<AuditCheck> {
        let mut check = AuditCheck::default();
        loop {
            let last = check.entries + CHECKED_AT_ONCE;
            // What never was in the chain comes before its beginning.
            let first = if check.entries == 0 { Bound::Unbounded } else { Bound::Excluded(check.entries) };
            // One snapshot: the head belongs to the page.
            let query = "BEGIN; LET $page = (SELECT * FROM $entries LIMIT $limit); \
                LET $behind = (SELECT VALUE id FROM $later LIMIT 1); \
                LET $head = (SELECT seq, hash FROM ONLY audit_head:chain); \
                RETURN { page: $page, behind: count($behind) > 0, head: $head }; COMMIT;";
            let variables = vars! {
                entries: entries(first, Bound::Included(last)),
                later: entries(Bound::Excluded(last), Bound::Unbounded),
                limit: CHECKED_AT_ONCE as i64 + 1,
            };
            let mut response = self.read(query, variables).await?;
            let statement = response.num_statements().saturating_sub(2);
            let page: Page = row(&mut response, statement)?.unwrap_or_default();
            check.broken = check.go_on(&page.page).err();
            if check.broken.is_some() {
                return Ok(check);
            }
            if check.entries < last {
                let head = page.head.unwrap_or_default();
                let at_head = head.seq == check.entries.cast_signed() && head.hash == check.head;
                check.broken = match page.behind {
                    true => Some(AuditBreak::Misplaced),
                    false => (!at_head).then_some(AuditBreak::WrongEnd),
                };
                return Ok(check);
            }
        }
    }
}

#[derive(Debug, Default, SurrealValue)]
struct Page {
    /// The newest first, whatever they are.
    page: Vec<Value>,
    /// Whether there is anything behind them.
    behind: bool,
    head: Option<Head>,
}

impl AuditCheck {
    /// Checks the next entries, the newest of which comes first.
    fn go_on(&mut self, entries: &[Value]) -> Result<(), AuditBreak> {
        for entry in entries.iter().rev() {
            let row = Row::from_value(entry.clone()).map_err(|_| AuditBreak::Changed)?;
            row.follows(&Head { seq: self.entries.cast_signed(), hash: self.head.clone() })?;
            let since = self.period.map_or(row.at, |(since, _)| since);
            *self = Self { entries: self.entries + 1, period: Some((since, row.at)), head: row.hash, broken: None };
        }
        Ok(())
    }
}

impl From<AuditEntry> for NewRow {
    fn from(entry: AuditEntry) -> Self {
        let AuditEntry { actor, action, target, address, at, detail, by: _ } = entry;
        Self { aid: Uuid::now_v7(), at, actor, action, target, address, detail: detail.to_string() }
    }
}

impl TryFrom<Row> for AuditRecord {
    type Error = StoreError;

    fn try_from(row: Row) -> Result<Self> {
        let detail = serde_json::from_str(&row.detail)
            .map_err(|error| StoreError::Corrupt(format!("audit entry {}: {error}", row.aid)))?;
        let Row { aid, at, actor, action, target, address, seq, prev, hash, .. } = row;
        let entry = AuditEntry { actor, action, target, address, at, detail, by: None };
        Ok(Self { id: aid, seq: seq.cast_unsigned(), previous_hash: prev, hash, entry })
    }
}
