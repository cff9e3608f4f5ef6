//! Removal of expired data, once an hour, and the end of admin rights by claims, once a minute.

use std::{sync::Arc, time::Duration};

use chrono::{DateTime, TimeDelta, Utc};
use morpion_store::ForgottenGames;
use tokio::time::Instant;

use crate::{api_error::ApiError, app::App, webhooks};

/// Nothing here is urgent: expired items are refused at once, and only their records are left to remove.
const EVERY: Duration = Duration::from_secs(3_600);

/// Nobody acts by rights that are over, since sessions know when they end; pages and sockets still have to learn of it.
const CLAIMS_EVERY: Duration = Duration::from_secs(60);

/// How long games are kept that nobody played: a day, with the hour until the next round.
const UNPLAYED_GAMES_KEPT: TimeDelta = TimeDelta::hours(23);

/// How long games outside events are kept that were played and came to no result.
const CANCELLED_GAMES_KEPT: TimeDelta = TimeDelta::days(30);

/// How long it is remembered that a reminder of an event went out: long after any of its times.
const REMINDERS_KEPT: TimeDelta = TimeDelta::days(30);

/// Games removed in one transaction.
const GAMES_AT_ONCE: usize = 100;

/// The pause after it, as a multiple of its duration: play has the store for itself meanwhile.
const PAUSE_FACTOR: u32 = 3;

impl App {
    /// Cleans up now and every hour; runs until it is dropped.
    pub(crate) async fn run_housekeeping(self: Arc<Self>) {
        let mut hours = tokio::time::interval(EVERY);
        loop {
            hours.tick().await;
            if let Err(error) = self.clean_up(self.clock.steady()).await {
                tracing::warn!(%error, "what is over was not removed; trying again in an hour");
            }
        }
    }

    /// Ends admin rights by claims that are over, now and every minute; runs until it is dropped.
    pub(crate) async fn run_admin_claims(self: Arc<Self>) {
        let mut minutes = tokio::time::interval(CLAIMS_EVERY);
        loop {
            minutes.tick().await;
            if let Err(error) = self.accounts.end_admin_claims().await {
                tracing::warn!(%error, "admin rights by claims were not looked through; trying again in a minute");
            }
        }
    }

    /// Removes ended sessions with the push subscriptions of theirs, expired personal tokens and codes, former names, links of letters and operators, deliveries to webhooks, guests not seen for 30 days, and
    /// games that came to nothing. It uses the steady clock: nothing is removed because the machine's clock was
    /// changed. Players whose rating is no longer certain leave the rating list, by the calendar as their games are.
    ///
    /// # Errors
    /// The store is unavailable.
    pub async fn clean_up(&self, now: DateTime<Utc>) -> Result<(), ApiError> {
        self.store.purge_sessions(now).await?;
        self.store.purge_personal_tokens(now).await?;
        self.store.purge_codes(now).await?;
        self.store.purge_former_names(now).await?;
        self.store.purge_email_undos(now).await?;
        self.store.purge_password_links(now).await?;
        self.store.purge_push_subscriptions(now).await?;
        self.store.purge_reminders(now - REMINDERS_KEPT).await?;
        self.store.purge_deliveries(now - webhooks::KEPT_FOR).await?;
        if self.accounts.remove_unseen_guests(now).await? > 0 {
            self.cleanup_needed.notify_one();
        }
        self.store.purge_rating_list(self.clock.wall()).await?;
        self.forget_games(now).await
    }

    /// Until none is left: somebody may call off invitations as fast as they are removed.
    async fn forget_games(&self, now: DateTime<Utc>) -> Result<(), ApiError> {
        let before = ForgottenGames { unplayed: now - UNPLAYED_GAMES_KEPT, cancelled: now - CANCELLED_GAMES_KEPT };
        loop {
            let started = Instant::now();
            if self.store.forget_games(before, GAMES_AT_ONCE).await? == 0 {
                return Ok(());
            }
            tokio::time::sleep(started.elapsed() * PAUSE_FACTOR).await;
        }
    }
}
