//! Deleted accounts with something left to see to outside of this store's account tables: `deletion`. Noted in the
//! transaction that deletes, so that a crash in between forgets nothing.

use surrealdb::types::{RecordId, SurrealValue, Uuid as DbUuid, vars};
use uuid::Uuid;

use crate::Result;
use crate::store::{Store, rows};

pub(crate) fn deletion_record(user_id: Uuid) -> RecordId {
    RecordId::new("deletion", DbUuid::from(user_id))
}

/// A guest whose games become an account's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, SurrealValue)]
pub struct Merge {
    pub guest: Uuid,
    pub account: Uuid,
}

pub(crate) fn merge_record(guest: Uuid) -> RecordId {
    RecordId::new("merge", DbUuid::from(guest))
}

impl Store {
    /// Merges that are not done yet, at most `limit`.
    pub async fn unsettled_merges(&self, limit: usize) -> Result<Vec<Merge>> {
        let mut response =
            self.read("SELECT guest, account FROM merge LIMIT $limit", vars! { limit: limit as i64 }).await?;
        rows(&mut response, 0)
    }

    /// All of the guest's games are the account's.
    pub async fn settle_merge(&self, guest: Uuid) -> Result<()> {
        self.write("DELETE $id RETURN NONE", vars! { id: merge_record(guest) }).await.map(drop)
    }

    /// Deleted accounts that are not settled yet, at most `limit`.
    pub async fn unsettled_deletions(&self, limit: usize) -> Result<Vec<Uuid>> {
        // A guest's games go over to the account first.
        let query = "SELECT VALUE uid FROM deletion WHERE !record::exists(type::record('merge', uid)) LIMIT $limit";
        let mut response = self.read(query, vars! { limit: limit as i64 }).await?;
        rows(&mut response, 0)
    }

    /// Nothing is left to do for this deleted account.
    pub async fn settle_deletion(&self, user_id: Uuid) -> Result<()> {
        self.write("DELETE $id RETURN NONE", vars! { id: deletion_record(user_id) }).await.map(drop)
    }
}
