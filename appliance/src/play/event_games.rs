//! Games of events: opened by the matchmaker, decided by the event, listed for viewers.

use std::{
    collections::HashSet,
    time::{Duration, Instant},
};

use morpion_openapi::{Page, PageRequest};
use morpion_rules::{Command, EventId, Game, GameId, Millis, Refusal, UserId, game::EventSetup};
use morpion_store::{GameStatus, GamesOf};

use super::{
    Play, Reply,
    error::PlayError,
    news::News,
    notifications::Notification,
    record::Checkpoint,
    runtime::GameRuntime,
    view::{GameView, sort_newest_first},
};
use crate::error::CommonError;

/// States of stored games that are over.
const OVER: [GameStatus; 2] = [GameStatus::Completed, GameStatus::Cancelled];

/// How long is waited until a game that is over is stored, and how often it is looked at.
const STORED_WITHIN: Duration = Duration::from_secs(5);
const STORED_POLL: Duration = Duration::from_millis(20);

impl Play {
    /// Opens the game of two paired players; `notifications` are sent once it is on disk.
    ///
    /// # Errors
    /// [`PlayError::NoRoom`]; [`CommonError::Unavailable`] when the journal is full; [`CommonError::DiskFull`].
    pub fn open_event_game(&self, setup: EventSetup, notifications: Vec<Notification>) -> Result<(), PlayError> {
        let now = self.now();
        self.open_paired(Game::event(setup, now)?, now, notifications)
    }

    /// Opens a game whose players were paired.
    pub(super) fn open_paired(
        &self,
        game: Game,
        now: Millis,
        notifications: Vec<Notification>,
    ) -> Result<(), PlayError> {
        let runtime = GameRuntime::new(game.clone(), self.meta(None, false), &self.people);
        let _registration = self.register(&runtime, &game, None, &[])?;
        runtime.open(&self.journal, now, notifications, Some(News::Paired), None, Reply::Nobody)?;
        self.arm(&runtime);
        Ok(())
    }

    /// Ends a live game because of its event, or because a player was suspended; false if there is no such game. A game
    /// that is over stays as it is.
    pub fn decide(&self, id: GameId, command: Command) -> bool {
        match self.command(id, command, Reply::Nobody) {
            Ok(()) => true,
            Err(error) if error.is_not_found() => false,
            Err(error) => {
                if error != PlayError::Refused(Refusal::GameOver) {
                    tracing::warn!(game = %id, %error, "a game could not be decided yet");
                }
                true
            }
        }
    }

    /// Those of the games that are in memory and on disk, newest first.
    pub fn views(&self, ids: &[GameId]) -> Vec<GameView> {
        let now = self.now();
        let mut found: Vec<_> = {
            let games = self.shared.games.read();
            let runtimes = ids.iter().filter_map(|id| games.runtimes.get(id));
            runtimes.filter_map(|runtime| GameView::of(runtime, now)).collect()
        };
        sort_newest_first(&mut found);
        found
    }

    /// An event's games, or those of one of its players: the `live` ones and ended ones that are not stored yet, then
    /// the stored ones; newest first.
    ///
    /// # Errors
    /// The store is unavailable.
    pub async fn games_of_event(
        &self,
        event: EventId,
        player: Option<UserId>,
        live: &[GameId],
        page: PageRequest,
    ) -> Result<Page<GameView>, PlayError> {
        let mut ids = live.to_vec();
        ids.extend(self.ended_of(GamesOf::Event(event.0)).filter(|id| !live.contains(id)));
        let mut own = self.views(&ids);
        own.retain(|view| player.is_none_or(|user| view.game.mark_of(user).is_some()));
        let query = |skip, limit| async move {
            match player {
                Some(user) => self.store.games_by_event_and_user(event.0, user.0, &OVER, skip, limit).await,
                None => self.store.games_by_event(event.0, &OVER, skip, limit).await,
            }
        };
        self.page_of(own, page, query).await
    }

    /// The games of an event or of a player that are over and not stored yet: those of a fraction of a second.
    fn ended_of(&self, of: GamesOf) -> impl Iterator<Item = GameId> {
        let ended: Vec<_> = self.shared.ended.lock().iter().filter(|runtime| !runtime.is_stored()).cloned().collect();
        let is_meant = move |game: &Game| match of {
            GamesOf::Event(event) => game.event_id() == Some(EventId(event)),
            GamesOf::User(user) => game.mark_of(UserId(user)).is_some(),
        };
        ended
            .into_iter()
            .filter(move |runtime| runtime.committed().is_some_and(|game| is_meant(&game)))
            .map(|runtime| runtime.id)
    }

    /// Waits until the games of an event or of a player that are over are stored, a few seconds at most: a disk may be full.
    pub async fn wait_for_stored_ends(&self, of: GamesOf) {
        let ended: HashSet<GameId> = self.ended_of(of).collect();
        let deadline = Instant::now() + STORED_WITHIN;
        while Instant::now() < deadline && self.ended_of(of).any(|game| ended.contains(&game)) {
            tokio::time::sleep(STORED_POLL).await;
        }
    }

    /// The games in memory that belong to events and are not over.
    pub fn live_event_games(&self) -> Vec<(EventId, GameId)> {
        let games = self.shared.games.read();
        let live =
            games.runtimes.values().filter_map(|runtime| runtime.committed()).filter(|game| !game.status().is_over());
        live.filter_map(|game| Some((game.event_id()?, game.id()))).collect()
    }
}

/// Decodes a stored game, for recomputing standings.
///
/// # Errors
/// When the row holds no game.
pub fn stored_game(row: &morpion_store::GameRow) -> Result<Game, PlayError> {
    Ok(Checkpoint::decode(&row.state).map_err(CommonError::internal)?.game)
}
