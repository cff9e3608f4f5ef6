//! A player whose account is gone: live games end, finished ones forget the name. And what an account's owner takes
//! along of their games.

use bytes::Bytes;
use morpion_rules::{Command, GameId, Refusal, UserId, game::Player};
use morpion_store::{DELETED_NAME, GameStatus};
use serde_json::{Value, json};

use super::{Play, record::Checkpoint, wire};
use crate::error::ApiError;

/// Stored games looked at in one go.
const PAGE: usize = 100;

/// Games in an export, the newest first: some 20 MB of JSON, which is more than anybody has played.
const MAX_EXPORTED: usize = 10_000;

const OVER: &[GameStatus] = &[GameStatus::Completed, GameStatus::Cancelled];

impl Play {
    /// Forfeits and calls off what a deleted account still plays, and takes its name out of finished games. Answers
    /// whether that is done; while a game still ends it is not. Doing it again does no harm.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn forget_player(&self, user: UserId) -> Result<bool, ApiError> {
        let in_memory: Vec<GameId> =
            self.shared.games.read().by_user.get(&user).into_iter().flatten().copied().collect();
        let mut is_done = true;
        for id in in_memory {
            is_done &= self.forget_at(id, user);
        }
        if is_done {
            self.forget_in_rows(user).await?;
        }
        Ok(is_done)
    }

    fn forget_at(&self, id: GameId, user: UserId) -> bool {
        let Ok(table) = self.table(id) else { return true };
        if table.rename(user, DELETED_NAME) {
            return true;
        }
        if table.told().is_some_and(|game| !game.status().is_over()) {
            self.give_up(user, id);
        }
        false
    }

    async fn forget_in_rows(&self, user: UserId) -> Result<(), ApiError> {
        let mut skip = 0;
        loop {
            let page = self.store.games_by_user(user.0, OVER, skip, PAGE).await?.games;
            for row in &page {
                let mut checkpoint = Checkpoint::decode(&row.state).map_err(ApiError::internal)?;
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

    /// Gives a guest's games to the account that they signed in to: those that are played, and those that are over.
    /// Answers whether that is done; while a game's end is still being stored it is not. A game against that very
    /// account stays the guest's. Doing it again does no harm.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn adopt_guest(&self, guest: UserId, account: UserId) -> Result<bool, ApiError> {
        let player = self.player(account).await?;
        self.people.learn([account]).await?;
        let in_memory: Vec<GameId> =
            self.shared.games.read().by_user.get(&guest).into_iter().flatten().copied().collect();
        let mut is_done = true;
        for id in in_memory {
            is_done &= self.adopt_at(id, guest, &player).await;
        }
        if is_done {
            self.adopt_rows(guest, &player).await?;
        }
        Ok(is_done)
    }

    async fn adopt_at(&self, id: GameId, guest: UserId, player: &Player) -> bool {
        let Ok(table) = self.table(id) else { return true };
        if table.told().is_none_or(|game| game.status().is_over()) {
            // Its end may be told and not yet be a row.
            if let Err(error) = self.store_tables(std::slice::from_ref(&table)).await {
                tracing::warn!(game = %id, %error, "a guest's game could not be stored before it moves");
                return false;
            }
            let is_done = table.replace_player(guest, player);
            if is_done && let Some(game) = table.told() {
                self.shared.games.write().reseat(&game, guest);
            }
            return is_done;
        }
        let command = Command::Adopt { guest, account: player.user, username: player.username.clone() };
        let now = self.now();
        match self.stored(|reply| table.command(&self.journal, command, now, reply)).await {
            Ok(game) => {
                self.shared.games.write().reseat(&game, guest);
                table.connections_of(guest, player.user);
                true
            }
            // It ended a moment ago.
            Err(fault) if fault.code == Refusal::GameOver.code() => false,
            Err(fault) if fault.code == Refusal::OwnGame.code() || fault.code == Refusal::NotAPlayer.code() => true,
            Err(fault) => {
                tracing::warn!(game = %id, %fault, "a guest's game could not be given to the account yet");
                false
            }
        }
    }

    async fn adopt_rows(&self, guest: UserId, player: &Player) -> Result<(), ApiError> {
        // Games against the account itself stay where they are.
        let mut kept = 0;
        loop {
            let page = self.store.games_by_user(guest.0, OVER, kept, PAGE).await?.games;
            for row in &page {
                let mut checkpoint = Checkpoint::decode(&row.state).map_err(ApiError::internal)?;
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

    /// Everything that is kept of a person's games, the newest first: those that are live as they stand in lists, the
    /// finished ones with every move.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn export(&self, user: UserId) -> Result<Value, ApiError> {
        let live: Vec<_> = self
            .live_games()
            .into_iter()
            .filter(|game| game.players.iter().any(|player| player.user_id == user.0))
            .collect();
        let mut finished = Vec::new();
        while finished.len() < MAX_EXPORTED {
            let page = self.store.games_by_user(user.0, OVER, finished.len(), PAGE).await?.games;
            let count = page.len();
            for Checkpoint { game, meta } in self.checkpoints(page.into_iter()).await? {
                let status = wire::status(game.status());
                finished.push(json!({ "status": status, "game": wire::replay(&self.people, &game, &meta) }));
            }
            if count < PAGE {
                break;
            }
        }
        Ok(json!({ "live": live, "finished": finished }))
    }
}
