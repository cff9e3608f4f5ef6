//! Games of a deleted account, games of a guest who signed in, and what exports read.

use std::{
    collections::HashMap,
    ops::Range,
    time::{Duration, Instant},
};

use bytes::Bytes;
use chrono::{DateTime, Utc};
use morpion_rules::{Command, GameId, Refusal, UserId, game::Player};
use morpion_store::{DELETED_NAME, GameStatus, GamesOf};

use super::{
    Play, Reply,
    error::PlayError,
    rating,
    record::Checkpoint,
    view::{GameView, GamesOver, Place},
};
use crate::error::CommonError;

/// Stored games read in one query.
const PAGE: usize = 100;

/// How long a reader waits for what only happens just after a start, or after an import of many games.
const ADOPTED_WITHIN: Duration = Duration::from_secs(5);
const ADOPTED_POLL: Duration = Duration::from_millis(20);

const STILL_ADOPTING: &str = "Games from an earlier version are still being converted. Please try again later.";

const OVER: &[GameStatus] = &[GameStatus::Completed, GameStatus::Cancelled];

impl Play {
    /// Forfeits and cancels the live games of a deleted account, and removes its name from finished ones. Returns
    /// whether that is complete; it is not while a game is still ending. Idempotent.
    ///
    /// # Errors
    /// The store is unavailable.
    pub async fn forget_player(&self, user: UserId) -> Result<bool, PlayError> {
        let in_memory: Vec<GameId> =
            self.shared.games.read().by_user.get(&user).into_iter().flatten().copied().collect();
        let mut is_done = true;
        for id in in_memory {
            is_done &= self.forget_in_memory(id, user);
        }
        if is_done {
            self.forget_in_store(user).await?;
            // A game that ended while the account was deleted may have rated it once more.
            self.store.delete_rating(user.0).await?;
            self.store.forget_played_games(user.0).await?;
        }
        Ok(is_done)
    }

    /// Removes somebody who is suspended from their live games. Returns whether none is left; one that is still ending is.
    /// Idempotent.
    pub fn end_games_of(&self, user: UserId) -> bool {
        let own: Vec<GameId> = self.shared.games.read().by_user.get(&user).into_iter().flatten().copied().collect();
        let is_live = |id: &GameId| {
            let game = self.runtime(*id).ok().and_then(|runtime| runtime.committed());
            game.is_some_and(|game| !game.status().is_over())
        };
        let live: Vec<GameId> = own.into_iter().filter(is_live).collect();
        for id in &live {
            self.decide(*id, Command::Remove { user });
        }
        live.is_empty()
    }

    /// Whether a user plays a rated game, or played one whose end is not stored yet.
    pub fn has_rated_game(&self, user: UserId) -> bool {
        let games = self.shared.games.read();
        let mut own = games.by_user.get(&user).into_iter().flatten().filter_map(|id| games.runtimes.get(id));
        own.any(|runtime| {
            // A game that is being opened counts, too.
            runtime.committed().or_else(|| runtime.unopened()).is_none_or(|game| game.is_rated())
        })
    }

    fn forget_in_memory(&self, id: GameId, user: UserId) -> bool {
        let Ok(runtime) = self.runtime(id) else { return true };
        if runtime.rename(user, DELETED_NAME) {
            return true;
        }
        if runtime.committed().is_some_and(|game| !game.status().is_over()) {
            let commands = [Command::Forfeit { user }, runtime.withdrawal(user)];
            let _ = commands.into_iter().any(|command| self.command(id, command, Reply::Nobody).is_ok());
        }
        false
    }

    async fn forget_in_store(&self, user: UserId) -> Result<(), PlayError> {
        let mut skip = 0;
        loop {
            let page = self.store.games_by_user(user.0, OVER, skip, PAGE).await?.games;
            for row in &page {
                let mut checkpoint = Checkpoint::decode(&row.state).map_err(CommonError::internal)?;
                let is_named =
                    checkpoint.game.players().any(|(_, player)| player.user == user && player.username != DELETED_NAME);
                if is_named {
                    checkpoint.game.rename(user, DELETED_NAME);
                    self.store.replace_game_state(row.id, Bytes::from(checkpoint.encode())).await?;
                }
            }
            if page.len() < PAGE {
                return Ok(());
            }
            skip += PAGE;
        }
    }

    /// Moves a guest's live and finished games to the account that they signed in to. Returns whether that is complete;
    /// it is not while a game's end is still being stored. A game against that very account stays the guest's.
    /// Idempotent.
    ///
    /// # Errors
    /// The store is unavailable.
    pub async fn adopt_guest(&self, guest: UserId, account: UserId) -> Result<bool, PlayError> {
        let player = self.player(account).await?;
        self.people.load([account]).await?;
        let in_memory: Vec<GameId> =
            self.shared.games.read().by_user.get(&guest).into_iter().flatten().copied().collect();
        let mut is_done = true;
        for id in in_memory {
            is_done &= self.adopt_in_memory(id, guest, &player).await;
        }
        if is_done {
            self.adopt_in_store(guest, &player).await?;
            self.store.move_played_games(guest.0, account.0).await?;
        }
        Ok(is_done)
    }

    async fn adopt_in_memory(&self, id: GameId, guest: UserId, player: &Player) -> bool {
        let Ok(runtime) = self.runtime(id) else { return true };
        if runtime.committed().is_none_or(|game| game.status().is_over()) {
            // Its end may be committed and not yet stored.
            if let Err(error) = self.store_games(std::slice::from_ref(&runtime)).await {
                tracing::warn!(game = %id, %error, "a guest's game could not be stored before it moves");
                return false;
            }
            let is_done = runtime.replace_player(guest, player);
            if is_done && let Some(game) = runtime.committed() {
                self.shared.games.write().reindex_player(&game, guest);
            }
            return is_done;
        }
        let command = Command::Adopt { guest, account: player.user, username: player.username.clone() };
        let now = self.now();
        match self.wait_until_stored(|reply| runtime.command(&self.journal, command, now, reply)).await {
            Ok(game) => {
                self.shared.games.write().reindex_player(&game, guest);
                runtime.connections_of(guest, player.user);
                true
            }
            // It has just ended.
            Err(PlayError::Refused(Refusal::GameOver)) => false,
            Err(PlayError::Refused(Refusal::OwnGame | Refusal::NotAPlayer)) => true,
            Err(error) => {
                tracing::warn!(game = %id, %error, "a guest's game could not be given to the account yet");
                false
            }
        }
    }

    async fn adopt_in_store(&self, guest: UserId, player: &Player) -> Result<(), PlayError> {
        // Games against the account itself stay where they are.
        let mut kept = 0;
        loop {
            let page = self.store.games_by_user(guest.0, OVER, kept, PAGE).await?.games;
            for row in &page {
                let mut checkpoint = Checkpoint::decode(&row.state).map_err(CommonError::internal)?;
                if checkpoint.game.replace_player(guest, player.clone()).is_err() {
                    kept += 1;
                    continue;
                }
                let players = checkpoint.row(0).players;
                self.store.replace_game_players(row.id, Bytes::from(checkpoint.encode()), players).await?;
            }
            if page.len() < PAGE {
                return Ok(());
            }
        }
    }

    /// The live games of a player.
    pub fn live_games_of(&self, user: UserId) -> Vec<GameView> {
        let mut live = self.live_games();
        live.retain(|view| view.game.mark_of(user).is_some());
        live
    }

    /// Prepares to read all games of a player or of an event that are over: those that have just ended are stored first.
    ///
    /// # Errors
    /// Games of an earlier version are still being taken over.
    pub async fn begin_reading(&self, of: GamesOf) -> Result<(), PlayError> {
        self.wait_for_stored_ends(of).await;
        let deadline = Instant::now() + ADOPTED_WITHIN;
        while !self.store.are_all_adopted() {
            if Instant::now() > deadline {
                return Err(CommonError::unavailable(STILL_ADOPTING).into());
            }
            tokio::time::sleep(ADOPTED_POLL).await;
        }
        Ok(())
    }

    /// Some of the games of a player or of an event that are over and were created in a time, the newest first, behind a place.
    /// A game that ends meanwhile comes once or not at all.
    ///
    /// # Errors
    /// The store is unavailable.
    pub async fn games_over(
        &self,
        of: GamesOf,
        created: Range<DateTime<Utc>>,
        place: Option<Place>,
    ) -> Result<GamesOver, PlayError> {
        let rows = self.store.games_after(of, created, place, PAGE).await?;
        let last = rows.last().filter(|_| rows.len() == PAGE);
        let place = last.map(|game| (game.created_at, game.id));
        Ok(GamesOver { games: self.stored_views(rows.into_iter()).await?, place })
    }

    /// Adds to rated games what they did to the ratings of their players.
    ///
    /// # Errors
    /// The store is unavailable.
    pub async fn add_ratings(&self, games: &mut [GameView]) -> Result<(), PlayError> {
        let lacking = |view: &&mut GameView| view.game.is_rated() && view.rating_changes.is_none();
        let ids: Vec<_> = games.iter_mut().filter(lacking).map(|view| view.game.id().0).collect();
        if ids.is_empty() {
            return Ok(());
        }
        let receipts = self.store.rated_games(&ids).await?;
        let changes: HashMap<_, _> =
            receipts.iter().map(|receipt| (receipt.game_id, rating::changes(receipt))).collect();
        for view in games.iter_mut().filter(lacking) {
            view.rating_changes = changes.get(&view.game.id().0).cloned();
        }
        Ok(())
    }
}
