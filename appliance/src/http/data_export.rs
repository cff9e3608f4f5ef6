//! Everything that is stored about an account, as one JSON document for its owner.

use morpion_openapi::PageRequest;
use serde_json::{Value, json};

use super::{ApiError, convert};
use crate::{app::App, caller::Identity};

/// Pages of events, and of payments, in an export: two thousand entries.
const MAX_PAGES: u32 = 20;

impl App {
    /// Everything that is stored about the caller, as JSON.
    ///
    /// # Errors
    /// The store is unavailable.
    pub async fn export_account(&self, identity: &Identity) -> Result<Value, ApiError> {
        let mut export = self.accounts.export(identity.user_id).await?;
        export["exportedAt"] = json!(self.clock.wall());
        export["games"] = self.play.export(identity.user_id).await?;
        export["subscription"] =
            json!(convert::billing::subscription(self.billing.subscription(identity.user_id).await?));
        export["payments"] = self.payments(identity).await?;
        export["eventSignUps"] = self.sign_ups(identity).await?;
        Ok(export)
    }

    async fn payments(&self, identity: &Identity) -> Result<Value, ApiError> {
        let limit = (PageRequest::MAX_LIMIT * MAX_PAGES) as usize;
        let (events, _) = self.billing.events(Some(identity.user_id), 0, limit).await?;
        Ok(events.into_iter().map(|event| json!(convert::billing::event(event))).collect())
    }

    async fn sign_ups(&self, identity: &Identity) -> Result<Value, ApiError> {
        let mut sign_ups = Vec::new();
        for page in 1..=MAX_PAGES {
            let request = PageRequest { page, limit: PageRequest::MAX_LIMIT };
            let found = self.events.signups_of(identity.user_id, request).await?;
            sign_ups.extend(found.rows);
            if sign_ups.len() as u64 >= found.total_count {
                break;
            }
        }
        Ok(json!(sign_ups))
    }
}
