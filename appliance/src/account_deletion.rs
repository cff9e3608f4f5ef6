//! Deleting and suspending accounts: what is left to do in the other parts of the program, and merging guests into
//! accounts.
//!
//! It is recorded in the transaction that deletes or suspends the account, and each part is asked to clean up until nothing
//! is left to do: after a crash, while the payment provider is down, or while a game is still ending. So every step is
//! idempotent.

use std::{sync::Arc, time::Duration};

use chrono::{DateTime, Utc};
use morpion_openapi::PageRequest;
use morpion_rules::{Status, UserId};
use morpion_store::User;
use uuid::Uuid;

use crate::{
    api_error::ApiError,
    app::App,
    caller::{Call, Identity},
    mail::EmailTemplate,
};

/// Deletions handled per round.
const BATCH: usize = 50;

/// The pause when something was left to do: a game's end is stored within moments.
const RETRY_AFTER: Duration = Duration::from_secs(1);

/// The pause otherwise, unless a deletion arrives; failures are retried then.
const CHECK_INTERVAL: Duration = Duration::from_secs(60);

impl App {
    /// Deletes the caller's account, which the payload may also name, and starts the cleanup of everything that belongs
    /// to it.
    ///
    /// # Errors
    /// As [`Accounts::verify_owner`](crate::account::Accounts::verify_owner), and 409 for the last admin.
    pub async fn delete_account(
        &self,
        call: &Call,
        named: Option<Uuid>,
        password: Option<&str>,
    ) -> Result<(), ApiError> {
        let identity = call.caller.acting(named)?;
        let user = self.accounts.user(identity.user_id).await?;
        self.accounts.verify_owner(call, &user, password).await?;
        self.accounts.delete(identity.credentials(), self.clock.wall()).await?;
        self.accounts.notify_owner(&user, &EmailTemplate::account_deleted(&user.username));
        self.cleanup_needed.notify_one();
        Ok(())
    }

    /// As [`Accounts::delete_other`](crate::account::Accounts::delete_other), and starts the cleanup.
    ///
    /// # Errors
    /// As there.
    pub async fn delete_other_account(&self, call: &Call, user: UserId, reason: &str) -> Result<(), ApiError> {
        self.accounts.delete_other(call, user, reason).await?;
        self.cleanup_needed.notify_one();
        Ok(())
    }

    /// As [`Accounts::suspend`](crate::account::Accounts::suspend); live games and sign-ups end moments later.
    ///
    /// # Errors
    /// As there.
    pub async fn suspend_account(
        &self,
        call: &Call,
        user: UserId,
        until: Option<DateTime<Utc>>,
        reason: &str,
    ) -> Result<User, ApiError> {
        let user = self.accounts.suspend(call, user, until, reason).await?;
        self.cleanup_needed.notify_one();
        Ok(user)
    }

    /// Ends the live games of suspended people and takes them out of events. Returns whether nothing is left to do.
    async fn finish_suspensions(&self) -> Result<bool, ApiError> {
        let suspended = self.store.pending_suspensions(BATCH).await?;
        let mut is_all_done = suspended.len() < BATCH;
        for id in suspended {
            let user = UserId(id);
            self.quick_match.remove_account(user);
            self.events.suspend_player(user).await?;
            self.events.cancel_hosted(user).await?;
            if self.play.end_games_of(user) {
                self.store.finish_suspension(id).await?;
            } else {
                is_all_done = false;
            }
        }
        Ok(is_all_done)
    }

    /// Moves a guest's games to the account that the guest signed in to; returns how many. The guest is deleted.
    ///
    /// # Errors
    /// 404 when the guest is gone already; 409 when their credentials are others by now; the store is unavailable.
    pub async fn keep_guest_games(&self, guest: &Identity, account: UserId) -> Result<u64, ApiError> {
        let checked = guest.credentials();
        let guest = guest.user_id;
        let games = self.guest_games(guest).await?;
        self.store.merge_guest(checked, account.0, self.clock.wall()).await?;
        self.accounts.was_deleted(guest).await?;
        // From here on it will be completed, nearly always at once.
        if let Err(error) = self.finish_merges().await {
            tracing::warn!(%error, "not all of a guest's games were moved to the account yet");
        }
        self.cleanup_needed.notify_one();
        Ok(games)
    }

    /// How many games a merge of this guest would move.
    ///
    /// # Errors
    /// The store is unavailable.
    pub async fn guest_games(&self, guest: UserId) -> Result<u64, ApiError> {
        let page = PageRequest { page: 1, limit: 1 };
        Ok(self.play.games_of(guest, &Status::ALL, page).await?.total_count)
    }

    async fn finish_merges(&self) -> Result<bool, ApiError> {
        let merges = self.store.pending_merges(BATCH).await?;
        let mut is_all_done = merges.len() < BATCH;
        for merge in merges {
            let (guest, account) = (UserId(merge.guest), UserId(merge.account));
            let is_done = match self.play.adopt_guest(guest, account).await {
                // The account was deleted meanwhile: the guest's games are cleaned up like its own.
                Err(error) if error.is_not_found() => true,
                outcome => outcome?,
            };
            if is_done {
                self.store.finish_merge(guest.0).await?;
            }
            is_all_done &= is_done;
        }
        Ok(is_all_done)
    }

    /// Cleans up after deletions as they occur, until it is dropped.
    pub(crate) async fn run_account_cleanup(self: Arc<Self>) {
        loop {
            let pause = match self.finish_deletions().await {
                Ok(true) => CHECK_INTERVAL,
                Ok(false) => RETRY_AFTER,
                Err(error) => {
                    tracing::warn!(%error, "the cleanup of deleted accounts is not finished yet; trying again");
                    CHECK_INTERVAL
                }
            };
            tokio::select! {
                () = self.cleanup_needed.notified() => {}
                () = tokio::time::sleep(pause) => {}
            }
        }
    }

    /// Returns whether nothing is left to do.
    async fn finish_deletions(&self) -> Result<bool, ApiError> {
        self.accounts.calendars().revoke_pending_grants().await?;
        let mut is_all_done = self.finish_merges().await?;
        is_all_done &= self.finish_suspensions().await?;
        let deleted = self.store.pending_deletions(BATCH).await?;
        is_all_done &= deleted.len() < BATCH;
        let mut failed = None;
        for id in deleted {
            match self.clean_up_account(UserId(id)).await {
                Ok(true) => self.store.finish_deletion(id).await?,
                Ok(false) => is_all_done = false,
                // One failure does not block the others.
                Err(error) => failed = Some(error),
            }
        }
        failed.map_or(Ok(is_all_done), Err)
    }

    /// Every part that stores something about the user cleans up here, and returns whether it is done.
    async fn clean_up_account(&self, user: UserId) -> Result<bool, ApiError> {
        self.quick_match.remove_account(user);
        self.events.cancel_hosted(user).await?;
        self.events.forget_player(user).await?;
        let has_left = self.play.forget_player(user).await?;
        // Last: the payment provider may be down for long.
        self.billing.delete_account(user).await?;
        Ok(has_left)
    }
}
