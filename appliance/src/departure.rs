//! What ends with an account beyond the account itself, in every part of the program.
//!
//! Deleting notes the departure in its own transaction, and each part is asked until it has nothing left to do: after a
//! crash, while the payment provider is down, or while a game is still ending. So every step may be done twice.

use std::{sync::Arc, time::Duration};

use morpion_openapi::{PageRequest, game::GameStatus};
use morpion_rules::UserId;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::{
    app::App,
    caller::{Call, Identity},
    error::ApiError,
    mail::Letter,
};

/// Departures seen to in one round.
const AT_ONCE: usize = 50;

/// Of events, and of payments, in an export: two thousand of them.
const MAX_PAGES: u32 = 20;

/// How long to wait when something was left to do: a game's end is stored within moments.
const AGAIN_AFTER: Duration = Duration::from_secs(1);

/// How long to wait otherwise, unless a deletion comes; what failed before is tried again then.
const LOOK_EVERY: Duration = Duration::from_secs(60);

impl App {
    /// Deletes the caller's account, whom the payload may also name, and has all that belongs to it end.
    ///
    /// # Errors
    /// As [`Accounts::prove_owner`](crate::account::Accounts::prove_owner), and 409 for the last admin.
    pub async fn delete_account(
        &self,
        call: &Call,
        named: Option<Uuid>,
        password: Option<&str>,
    ) -> Result<(), ApiError> {
        let user = self.accounts.user(call.caller.acting(named)?.user_id).await?;
        self.accounts.prove_owner(call, &user, password).await?;
        self.accounts.delete(user.id.into(), self.clock.wall()).await?;
        self.accounts.tell_owner(&user, &Letter::account_deleted(&user.username));
        self.departed.notify_one();
        Ok(())
    }

    /// A guest signed in to an account and brings their games along; answers how many. The guest is gone after that.
    ///
    /// # Errors
    /// 404 when the guest is gone already; the store does not answer.
    pub async fn keep_guest_games(&self, guest: UserId, account: UserId) -> Result<u64, ApiError> {
        let games = self.guest_games(guest).await?;
        let ended = self.store.merge_guest(guest.0, account.0, self.clock.wall()).await?;
        self.accounts.guest_merged(guest, ended);
        // From here on it is done sooner or later; nearly always now.
        if let Err(fault) = self.settle_merges().await {
            tracing::warn!(%fault, "a guest's games are not all the account's yet");
        }
        self.departed.notify_one();
        Ok(games)
    }

    /// How many games a guest would bring along.
    ///
    /// # Errors
    /// The store does not answer.
    pub async fn guest_games(&self, guest: UserId) -> Result<u64, ApiError> {
        let page = PageRequest { page: 1, limit: 1 };
        Ok(self.play.games_of(guest, GameStatus::ALL, page).await?.total_count)
    }

    async fn settle_merges(&self) -> Result<bool, ApiError> {
        let merges = self.store.unsettled_merges(AT_ONCE).await?;
        let mut all_settled = merges.len() < AT_ONCE;
        for merge in merges {
            let (guest, account) = (UserId(merge.guest), UserId(merge.account));
            let is_done = match self.play.adopt_guest(guest, account).await {
                // The account was deleted meanwhile, and the guest's games go the way of its own.
                Err(fault) if fault.code == "not-found" => true,
                outcome => outcome?,
            };
            if is_done {
                self.store.settle_merge(guest.0).await?;
            }
            all_settled &= is_done;
        }
        Ok(all_settled)
    }

    /// Everything that is kept of the caller, as JSON, for them to take along.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn export_account(&self, identity: &Identity) -> Result<Value, ApiError> {
        let mut export = self.accounts.export(identity.user_id).await?;
        export["exportedAt"] = json!(self.clock.wall());
        export["games"] = self.play.export(identity.user_id).await?;
        export["subscription"] = json!(self.billing.subscription(identity.user_id).await?);
        export["payments"] = self.payments(identity).await?;
        export["eventSignUps"] = self.sign_ups(identity).await?;
        Ok(export)
    }

    async fn payments(&self, identity: &Identity) -> Result<Value, ApiError> {
        let all = PageRequest { page: 1, limit: PageRequest::MAX_LIMIT * MAX_PAGES };
        Ok(json!(self.billing.events(Some(identity.user_id.0), all).await?.0))
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
    async fn settle_departures(&self) -> Result<bool, ApiError> {
        self.accounts.calendars().give_back_leave().await?;
        let mut all_settled = self.settle_merges().await?;
        let departed = self.store.unsettled_deletions(AT_ONCE).await?;
        all_settled &= departed.len() < AT_ONCE;
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
    async fn settle(&self, user: UserId) -> Result<bool, ApiError> {
        self.events.forget_player(user).await?;
        let has_left = self.play.forget_player(user).await?;
        // Last: the payment provider may be away for long.
        self.billing.forget(user).await?;
        Ok(has_left)
    }
}
