//! Deleted accounts with something left to see to outside of this store's account tables: `deletion`. Noted in the
//! transaction that deletes, so that a crash in between forgets nothing.

use surrealdb::types::{RecordId, Uuid as DbUuid, vars};
use uuid::Uuid;

use crate::Result;
use crate::store::{Store, rows};

pub(crate) fn deletion_record(user_id: Uuid) -> RecordId {
    RecordId::new("deletion", DbUuid::from(user_id))
}

impl Store {
    /// Deleted accounts that are not settled yet, at most `limit`.
    pub async fn unsettled_deletions(&self, limit: usize) -> Result<Vec<Uuid>> {
        let mut response =
            self.read("SELECT VALUE uid FROM deletion LIMIT $limit", vars! { limit: limit as i64 }).await?;
        rows(&mut response, 0)
    }

    /// Nothing is left to do for this deleted account.
    pub async fn settle_deletion(&self, user_id: Uuid) -> Result<()> {
        self.write("DELETE $id RETURN NONE", vars! { id: deletion_record(user_id) }).await.map(drop)
    }
}
