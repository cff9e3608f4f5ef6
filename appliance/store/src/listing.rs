//! Whole tables page by page, with totals, for operators. Counting and skipping read keys one by one, some milliseconds
//! for 10,000 of them, which is acceptable only for a page that a person requests.

use std::ops::{Bound, RangeInclusive};

use surrealdb::types::{RecordId, RecordIdKeyRange, Uuid as DbUuid, vars};
use uuid::Uuid;

use crate::audit::{AuditRecord, Row as AuditRow};
use crate::store::{Store, row, rows};
use crate::user::{folded, key};
use crate::{Result, User};

/// A table whose records are identified by an id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IdTable {
    Event,
    Game,
    User,
}

impl Store {
    /// The ids of a table in a range, in order, at most `limit`: a range of keys, whatever the size of the table.
    pub async fn ids_between(&self, of: IdTable, ids: RangeInclusive<Uuid>, limit: usize) -> Result<Vec<Uuid>> {
        match of {
            IdTable::Event => self.row_ids_of("event", ids, limit).await,
            IdTable::Game => self.game_ids(ids, limit).await,
            IdTable::User => self.row_ids_of("user", ids, limit).await,
        }
    }

    /// The ids of the rows of a table in a range, in order, at most `limit`.
    pub(crate) async fn row_ids_of(&self, table: &str, ids: RangeInclusive<Uuid>, limit: usize) -> Result<Vec<Uuid>> {
        let (first, last) = ids.into_inner();
        let keys = RecordIdKeyRange::from(DbUuid::from(first)..=DbUuid::from(last));
        let variables = vars! { ids: RecordId::new(table, keys), limit: limit as i64 };
        let mut response = self.read("SELECT VALUE record::id(id) FROM $ids LIMIT $limit", variables).await?;
        rows(&mut response, 0)
    }

    /// Accounts in the order of their usernames, guests included, and how many there are in all; with a text only
    /// those whose username or display name contains it.
    pub async fn users_page(&self, text: Option<&str>, offset: u64, limit: usize) -> Result<(Vec<User>, u64)> {
        let condition = match text {
            Some(_) => "WHERE string::contains(names ?? '', $text) OR string::contains(names ?? '', $lowercase)",
            None => "",
        };
        let query = format!(
            "SELECT VALUE uid FROM username {condition} LIMIT $limit START $offset; \
             SELECT VALUE total FROM (SELECT count() AS total FROM username {condition} GROUP ALL)"
        );
        // Earlier versions stored names in lower case only.
        let lowercase = text.map(|text| text.trim().to_lowercase());
        let text = text.map(|text| folded(text.trim()));
        let variables = vars! { text: text, lowercase: lowercase, offset: offset as i64, limit: limit as i64 };
        let mut response = self.read(&query, variables).await?;
        let found: Vec<Uuid> = rows(&mut response, 0)?;
        let total = total(&mut response)?;
        let mut users = self.users(&found).await?;
        users.sort_by_key(|user| found.iter().position(|id| *id == user.id));
        Ok((users, total))
    }

    /// A page of accounts for operators, in the order of their usernames; `after` is the last username of the page
    /// before. Guests come too.
    pub async fn list_users(&self, after: Option<&str>, limit: usize) -> Result<Vec<User>> {
        let range = RecordIdKeyRange {
            start: after.map_or(Bound::Unbounded, |name| Bound::Excluded(key(name).into())),
            end: Bound::Unbounded,
        };
        let variables = vars! { range: RecordId::new("username", range), limit: limit as i64 };
        let mut response = self.read("SELECT VALUE uid FROM $range LIMIT $limit", variables).await?;
        let mut users = self.users(&rows::<Uuid>(&mut response, 0)?).await?;
        users.sort_by_key(|user| key(&user.username));
        Ok(users)
    }

    /// How many accounts there are, guests included.
    pub async fn count_users(&self) -> Result<u64> {
        let query = "SELECT VALUE total FROM (SELECT count() AS total FROM username GROUP ALL)";
        let mut response = self.read(query, vars! {}).await?;
        Ok(row::<i64>(&mut response, 0)?.unwrap_or(0).max(0) as u64)
    }

    /// The audit trail, the newest first, and how many entries it has.
    pub async fn audit_entries(&self, offset: u64, limit: usize) -> Result<(Vec<AuditRecord>, u64)> {
        let query = "SELECT * FROM audit LIMIT $limit START $offset; \
                     SELECT VALUE total FROM (SELECT count() AS total FROM audit GROUP ALL)";
        let mut response = self.read(query, vars! { offset: offset as i64, limit: limit as i64 }).await?;
        let entries =
            rows::<AuditRow>(&mut response, 0)?.into_iter().map(AuditRecord::try_from).collect::<Result<_>>()?;
        Ok((entries, total(&mut response)?))
    }
}

fn total(response: &mut surrealdb::IndexedResults) -> Result<u64> {
    Ok(row::<i64>(response, 1)?.unwrap_or(0).max(0) as u64)
}
