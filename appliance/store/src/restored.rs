//! What a restore changes of the data that it brought back.

use surrealdb::types::{RecordId, vars};

use crate::{
    Result,
    store::{Store, rows},
};

/// Sessions that end in one transaction.
const BATCH: i64 = 500;

impl Store {
    /// Ends all sessions: one that was ended since the backup was made would work again.
    ///
    /// # Errors
    /// The disk refuses.
    pub async fn end_all_sessions(&self) -> Result<()> {
        loop {
            let query = "SELECT VALUE id FROM session LIMIT $limit";
            let some: Vec<RecordId> = rows(&mut self.read(query, vars! { limit: BATCH }).await?, 0)?;
            if some.is_empty() {
                return Ok(());
            }
            self.write("DELETE $some", vars! { some: some }).await?;
        }
    }
}
