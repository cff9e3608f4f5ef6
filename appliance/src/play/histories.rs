//! Histories of players: which games they finished, and how.

use std::time::Duration;

use morpion_openapi::{Page, PageRequest};
use morpion_rules::{EventId, UserId};
use morpion_store::{
    EarlierHistories, GameRow, MOST_ADOPTED, PlayedFilter, PlayedGame, PlayedKind, PlayedRow, StoreError, VersusRow,
};
use tokio::time::Instant;
use uuid::Uuid;

use super::{Play, error::PlayError, record::Checkpoint};

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

    /// Makes records of finished games that are rows, as earlier versions and imports have them, which puts them into the
    /// histories of their players; and removes what earlier versions stored of histories. Once in the life of a data folder
    /// there is something to do, or after an import. A restart begins again, without those that are records by then.
    pub(super) async fn adopt_earlier_games(self) {
        let mut earlier = self.store.earlier_histories();
        let mut after = None;
        loop {
            let started = Instant::now();
            match self.adopt_some(&mut after, &mut earlier).await {
                Ok(true) => return,
                Ok(false) => tokio::time::sleep(started.elapsed() * PAUSE_FACTOR).await,
                Err(error) => {
                    tracing::warn!(%error, "games of an earlier version could not be taken over; trying again");
                    tokio::time::sleep(RETRY_AFTER).await;
                }
            }
        }
    }

    /// A game as histories list it: one of a private event is for its players alone, as one among friends.
    pub(super) fn in_history(&self, game: PlayedGame) -> PlayedGame {
        let is_private = game.event_id.is_some_and(|event| self.shared.events.is_private(EventId(event)));
        if is_private { PlayedGame { kind: PlayedKind::Invite, event_id: None, ..game } } else { game }
    }

    /// Takes over some of the rows after `after`; returns whether nothing is left to do.
    async fn adopt_some(&self, after: &mut Option<Uuid>, earlier: &mut EarlierHistories) -> Result<bool, StoreError> {
        let (rows, last) = self.store.finished_rows(*after, MOST_ADOPTED).await?;
        if last.is_none() {
            self.store.set_all_adopted();
            return earlier.remove_some().await;
        }
        let ids: Vec<Uuid> = rows.iter().map(|row| row.id).collect();
        if !ids.is_empty() {
            let listed = |row: &GameRow| played(row).map(|game| self.in_history(game));
            self.store.adopt_finished_rows(&ids, listed).await?;
        }
        *after = last;
        Ok(false)
    }
}

fn played(row: &GameRow) -> Option<PlayedGame> {
    match Checkpoint::decode(&row.state) {
        Ok(checkpoint) => checkpoint.played(),
        Err(error) => {
            tracing::error!(game = %row.id, %error, "a stored game cannot be read, so no history has it");
            None
        }
    }
}
