//! What a restore changes of the data that it brought back.

use surrealdb::types::{RecordId, vars};

use crate::{
    Result,
    store::{Store, rows},
};

/// Sessions, or tokens, that end in one transaction.
const BATCH: i64 = 500;

impl Store {
    /// Ends all sessions, personal tokens, and admin rights by a provider's claim: one that was ended since the backup was made
    /// would work again.
    ///
    /// # Errors
    /// The disk refuses.
    pub async fn end_all_sessions(&self) -> Result<()> {
        for table in ["session", "personal_token"] {
            let query = format!("SELECT VALUE id FROM {table} LIMIT $limit");
            loop {
                let some: Vec<RecordId> = rows(&mut self.read(&query, vars! { limit: BATCH }).await?, 0)?;
                if some.is_empty() {
                    break;
                }
                self.write("DELETE $some", vars! { some: some }).await?;
            }
        }
        let ended = "UPDATE user SET is_admin = false, admin_claim = NONE, credential_version = rand::uuid() \
            WHERE is_admin = true AND admin_claim != NONE RETURN NONE";
        self.write(ended, vars! {}).await.map(drop)
    }
}
