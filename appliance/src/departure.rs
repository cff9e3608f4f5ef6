//! What ends with an account beyond the account itself, in every part of the program.
//!
//! Deleting notes the departure in its own transaction, and each part is asked until it has nothing left to do: after a
//! crash, while the payment provider is down, or while a game is still ending. So every step may be done twice.

use std::{sync::Arc, time::Duration};

use morpion_openapi::PageRequest;
use morpion_rules::UserId;
use serde_json::{Value, json};

use crate::{account::Identity, app::App, http::Fault};

/// Departures seen to in one round.
const AT_ONCE: usize = 50;

/// Of events, and of payments, in an export: two thousand of them.
const MAX_PAGES: u32 = 20;

/// How long to wait when something was left to do: a game's end is stored within moments.
const AGAIN_AFTER: Duration = Duration::from_secs(1);

/// How long to wait otherwise, unless a deletion comes; what failed before is tried again then.
const LOOK_EVERY: Duration = Duration::from_secs(60);

impl App {
    /// Deletes the caller's account, and has all that belongs to it end.
    ///
    /// # Errors
    /// 409 for the last admin.
    pub async fn delete_account(&self, identity: &Identity) -> Result<(), Fault> {
        self.accounts.delete(identity.user_id, self.clock.wall()).await?;
        self.departed.notify_one();
        Ok(())
    }

    /// Everything that is kept of the caller, as JSON, for them to take along.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn export_account(&self, identity: &Identity) -> Result<Value, Fault> {
        let mut export = self.accounts.export(identity.user_id).await?;
        export["exportedAt"] = json!(self.clock.wall());
        export["games"] = self.play.export(identity.user_id).await?;
        export["subscription"] = json!(self.billing.subscription(identity.user_id).await?);
        export["payments"] = self.payments(identity).await?;
        export["eventSignUps"] = self.sign_ups(identity).await?;
        Ok(export)
    }

    async fn payments(&self, identity: &Identity) -> Result<Value, Fault> {
        let all = PageRequest { page: 1, limit: PageRequest::MAX_LIMIT * MAX_PAGES };
        Ok(json!(self.billing.events(Some(identity.user_id.0), all).await?.0))
    }

    async fn sign_ups(&self, identity: &Identity) -> Result<Value, Fault> {
        let mut sign_ups = Vec::new();
        for page in 1..=MAX_PAGES {
            let request = PageRequest { page, limit: PageRequest::MAX_LIMIT };
            let found = self.tournaments.signups_of(identity.user_id, request).await?;
            sign_ups.extend(found.rows);
            if sign_ups.len() as u64 >= found.total_count {
                break;
            }
        }
        Ok(json!(sign_ups))
    }

    /// Sees to departures as they come, until it is dropped.
    pub(crate) async fn keep_settling(self: Arc<Self>) {
        loop {
            let pause = match self.settle_departures().await {
                Ok(true) => LOOK_EVERY,
                Ok(false) => AGAIN_AFTER,
                Err(fault) => {
                    tracing::warn!(%fault, "deleted accounts are not settled yet");
                    LOOK_EVERY
                }
            };
            tokio::select! {
                () = self.departed.notified() => {}
                () = tokio::time::sleep(pause) => {}
            }
        }
    }

    /// Answers whether nothing is left to do.
    async fn settle_departures(&self) -> Result<bool, Fault> {
        let departed = self.store.unsettled_deletions(AT_ONCE).await?;
        let mut all_settled = departed.len() < AT_ONCE;
        let mut failed = None;
        for id in departed {
            match self.settle(UserId(id)).await {
                Ok(true) => self.store.settle_deletion(id).await?,
                Ok(false) => all_settled = false,
                // What one waits for does not keep the others waiting.
                Err(fault) => failed = Some(fault),
            }
        }
        failed.map_or(Ok(all_settled), Err)
    }

    /// Every part that keeps something of a person does its share here, and says whether it is done.
    async fn settle(&self, user: UserId) -> Result<bool, Fault> {
        self.tournaments.forget_player(user).await?;
        let has_left = self.play.forget_player(user).await?;
        // Last: the payment provider may be away for long.
        self.billing.forget(user).await?;
        Ok(has_left)
    }
}
