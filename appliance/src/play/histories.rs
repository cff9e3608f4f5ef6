//! Histories of players: which games they finished, and how.

use std::time::Duration;

use morpion_openapi::{Page, PageRequest};
use morpion_rules::UserId;
use morpion_store::{EarlierHistories, GameRow, GameStatus, IdTable, PlayedFilter, PlayedRow, Rebuild, VersusRow};
use tokio::time::Instant;
use uuid::Uuid;

use super::{Play, error::PlayError, record::Checkpoint};

/// Games of before that are counted in one transaction.
const BATCH: usize = 100;

/// The pause after a batch, as a multiple of its duration: play has the store for itself meanwhile.
const PAUSE_FACTOR: u32 = 3;

/// The pause after a failure.
const RETRY_AFTER: Duration = Duration::from_secs(10);

impl Play {
    /// A page of the games that a player finished, the newest first, and how many there are.
    ///
    /// # Errors
    /// The store is unavailable.
    pub async fn played_games(
        &self,
        user: UserId,
        filter: &PlayedFilter,
        page: PageRequest,
    ) -> Result<Page<PlayedRow>, PlayError> {
        let skip = usize::try_from(page.offset()).unwrap_or(usize::MAX / 2);
        let found = self.store.played_games(user.0, filter, skip, page.limit as usize).await?;
        self.people.load(found.games.iter().map(|game| UserId(game.opponent))).await?;
        Ok(Page { rows: found.games, total_count: found.total })
    }

    /// Whom a player played last, the latest first.
    ///
    /// # Errors
    /// The store is unavailable.
    pub async fn latest_opponents(&self, user: UserId, limit: usize) -> Result<Vec<VersusRow>, PlayError> {
        Ok(self.store.latest_opponents(user.0, limit).await?)
    }

    /// Counts the games that were stored before there were histories, or in another form, and then removes what earlier
    /// versions stored of them, once in the life of a data folder. It goes on where it was when the process stops.
    pub(super) async fn rebuild_histories(self) {
        let mut earlier = self.store.earlier_histories();
        loop {
            let started = Instant::now();
            match self.rebuild_step(&mut earlier).await {
                Ok(true) => return,
                Ok(false) => tokio::time::sleep(started.elapsed() * PAUSE_FACTOR).await,
                Err(error) => {
                    tracing::warn!(%error, "the histories of earlier games could not be written; trying again");
                    tokio::time::sleep(RETRY_AFTER).await;
                }
            }
        }
    }

    /// Returns whether nothing is left to do.
    async fn rebuild_step(&self, earlier: &mut EarlierHistories) -> Result<bool, PlayError> {
        Ok(self.rebuild_some().await? == Rebuild::Finished && earlier.remove_some().await?)
    }

    async fn rebuild_some(&self) -> Result<Rebuild, PlayError> {
        let Rebuild::After(last) = self.store.history_rebuild().await? else { return Ok(Rebuild::Finished) };
        let next = Uuid::from_u128(last.as_u128().saturating_add(1));
        let ids = self.store.ids_between(IdTable::Game, next..=Uuid::max(), BATCH).await?;
        let reached = match ids.last() {
            Some(last) if ids.len() == BATCH => Rebuild::After(*last),
            _ => Rebuild::Finished,
        };
        let mut played = Vec::new();
        let completed = |row: &GameRow| row.status == GameStatus::Completed;
        for row in self.store.games(&ids).await?.into_iter().filter(completed) {
            match Checkpoint::decode(&row.state) {
                Ok(checkpoint) => played.extend(checkpoint.played()),
                Err(error) => {
                    tracing::error!(game = %row.id, %error, "a stored game cannot be read, so no history has it")
                }
            }
        }
        self.store.rebuild_history(&played, reached).await?;
        if reached == Rebuild::Finished && last != Uuid::nil() {
            tracing::info!("the histories of earlier games are written");
        }
        Ok(reached)
    }
}
