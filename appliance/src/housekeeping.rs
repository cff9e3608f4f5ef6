//! What is thrown away after its time, once an hour.

use std::{sync::Arc, time::Duration};

use chrono::{DateTime, TimeDelta, Utc};

use crate::{app::App, error::ApiError};

/// Nothing here is urgent: what has ended is refused at once, and only its records wait for this.
const EVERY: Duration = Duration::from_secs(3_600);

/// Invitations that came to nothing are kept for so long.
const CANCELLED_GAMES_KEPT: TimeDelta = TimeDelta::days(30);

/// Games removed in one go; the others wait for the next round, so that moves are not kept waiting.
const GAMES_AT_ONCE: usize = 500;

impl App {
    /// Cleans up now and every hour, until it is dropped.
    pub(crate) async fn keep_house(self: Arc<Self>) {
        let mut hours = tokio::time::interval(EVERY);
        loop {
            hours.tick().await;
            if let Err(fault) = self.clean_up(self.clock.steady()).await {
                tracing::warn!(%fault, "what is over was not removed; trying again in an hour");
            }
        }
    }

    /// Removes ended sessions, codes, former names and links of letters that are no longer good, guests not seen for 30
    /// days, and invitations that came to nothing 30 days ago. By the steady clock: nothing goes because somebody set
    /// the machine's.
    ///
    /// # Errors
    /// The store does not answer.
    pub async fn clean_up(&self, now: DateTime<Utc>) -> Result<(), ApiError> {
        self.store.purge_sessions(now).await?;
        self.store.purge_codes(now).await?;
        self.store.purge_former_names(now).await?;
        self.store.purge_email_undos(now).await?;
        if self.accounts.remove_unseen_guests(now).await? > 0 {
            self.cleanup_needed.notify_one();
        }
        self.store.delete_cancelled_games(now - CANCELLED_GAMES_KEPT, GAMES_AT_ONCE).await?;
        Ok(())
    }
}
