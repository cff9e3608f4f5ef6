//! Games of events: opened by the matchmaker, ruled on by the event, listed for whoever looks on.

use morpion_openapi::{Page, PageRequest, game as wire_game};
use morpion_rules::{Command, EventId, Game, GameId, UserId, game::EventSetup};
use morpion_store::GameStatus;

use super::{
    Play, Reply,
    record::Checkpoint,
    table::Table,
    wire::{self, Note},
};
use crate::error::ApiError;

/// States of stored games that are over.
const OVER: [GameStatus; 2] = [GameStatus::Completed, GameStatus::Cancelled];

impl Play {
    /// Opens the game of two players who were paired; `notes` are told once it is on disk.
    ///
    /// # Errors
    /// 503 when there is no room, or the journal is full.
    pub fn open_event_game(&self, setup: EventSetup, notes: Vec<Note>) -> Result<(), ApiError> {
        let now = self.now();
        let game = Game::event(setup, now)?;
        let table = Table::new(game.clone(), self.meta(None, false), &self.people);
        {
            let mut games = self.shared.games.write();
            if games.tables.len() >= self.options.max_live_games {
                return Err(ApiError::unavailable("The server has no room for another game right now."));
            }
            games.insert(&table, &game);
        }
        if let Err(fault) = table.open(&self.journal, now, notes, Reply::Nobody) {
            self.shared.games.write().remove_untold(&table, &game);
            return Err(fault);
        }
        self.arm(&table);
        Ok(())
    }

    /// Has a live game voided or decided because of what happened to its event; false if there is no such game. One
    /// that is over stays as it is.
    pub fn rule_on(&self, id: GameId, command: Command) -> bool {
        match self.command(id, command, Reply::Nobody) {
            Ok(()) => true,
            Err(fault) if fault.code == "not-found" => false,
            Err(fault) => {
                if fault.code != "game-over" {
                    tracing::warn!(game = %id, %fault, "a game could not be ruled on yet");
                }
                true
            }
        }
    }

    /// Has a player lose a live game, started or not; false if there is no such game.
    pub fn give_up(&self, user: UserId, id: GameId) -> bool {
        let Ok(table) = self.table(id) else { return false };
        let commands = [Command::Forfeit { user }, table.withdrawal(user)];
        let _ = commands.into_iter().any(|command| self.command(id, command, Reply::Nobody).is_ok());
        true
    }

    /// These of the games in memory that are on disk, the newest first.
    pub fn summaries(&self, ids: &[GameId], viewer: Option<UserId>) -> Vec<wire_game::Game> {
        let mut found: Vec<_> = {
            let games = self.shared.games.read();
            ids.iter()
                .filter_map(|id| games.tables.get(id))
                .filter_map(|table| Some(wire::summary(&self.people, &*table.told()?, &table.meta, viewer)))
                .collect()
        };
        found.sort_by_key(|game| (std::cmp::Reverse(game.created_at), game.game_id));
        found
    }

    /// An event's games, or those of one player there: the `live` ones and those that ended and are not stored yet
    /// first, then the stored; the newest first.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn games_of_event(
        &self,
        event: EventId,
        player: Option<UserId>,
        live: &[GameId],
        viewer: Option<UserId>,
        page: PageRequest,
    ) -> Result<Page<wire_game::Game>, ApiError> {
        let mut ids = live.to_vec();
        ids.extend(self.ended_of_event(event).filter(|id| !live.contains(id)));
        let mut own = self.summaries(&ids, viewer);
        own.retain(|game| player.is_none_or(|user| game.players.iter().any(|seat| seat.user_id == user.0)));
        let offset = usize::try_from(page.offset()).unwrap_or(usize::MAX);
        let limit = page.limit as usize;
        let mut rows: Vec<_> = own.iter().skip(offset).take(limit).cloned().collect();
        let (skip, room) = (offset.saturating_sub(own.len()), (limit - rows.len()).max(1));
        let stored = match player {
            Some(user) => self.store.games_by_event_and_user(event.0, user.0, &OVER, skip, room).await?,
            None => self.store.games_by_event(event.0, &OVER, skip, room).await?,
        };
        for Checkpoint { game, meta } in self.checkpoints(stored.games.into_iter().take(limit - rows.len())).await? {
            // Stored since the ones in memory were listed.
            if !ids.contains(&game.id()) {
                rows.push(wire::summary(&self.people, &game, &meta, viewer));
            }
        }
        Ok(Page { rows, total_count: own.len() as u64 + stored.total })
    }

    /// The games of an event that are over and not stored yet: a fraction of a second's worth.
    fn ended_of_event(&self, event: EventId) -> impl Iterator<Item = GameId> {
        let ended: Vec<_> = self.shared.ended.lock().iter().filter(|table| !table.is_stored()).cloned().collect();
        ended
            .into_iter()
            .filter(move |table| table.told().and_then(|game| game.event_id()) == Some(event))
            .map(|table| table.id)
    }

    /// The games in memory that belong to events and are not over.
    pub fn live_event_games(&self) -> Vec<(EventId, GameId)> {
        let games = self.shared.games.read();
        let live = games.tables.values().filter_map(|table| table.told()).filter(|game| !game.status().is_over());
        live.filter_map(|game| Some((game.event_id()?, game.id()))).collect()
    }
}

/// A stored game, for whoever recomputes from games alone.
///
/// # Errors
/// When the row holds no game.
pub fn stored_game(row: &morpion_store::GameRow) -> Result<Game, ApiError> {
    Checkpoint::decode(&row.state).map(|checkpoint| checkpoint.game).map_err(ApiError::internal)
}
