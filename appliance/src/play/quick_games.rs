//! Games of quick match: opened by its matchmaker, counted for those who wait.

use morpion_rules::{Game, GameId, UserId, game::QuickSetup};

use super::{Play, error::PlayError, notifications::Notification};

impl Play {
    /// Opens the game of two paired players; `notifications` are sent once it is on disk.
    ///
    /// # Errors
    /// [`PlayError::NoRoom`]; [`CommonError::Unavailable`](crate::error::CommonError::Unavailable) when the journal is full;
    /// [`CommonError::DiskFull`](crate::error::CommonError::DiskFull).
    pub fn open_quick_game(&self, setup: QuickSetup, notifications: Vec<Notification>) -> Result<(), PlayError> {
        let now = self.now();
        self.open_paired(Game::quick(setup, now)?, now, notifications)
    }

    /// The game of quick match that a user is playing.
    pub fn quick_game_of(&self, user: UserId) -> Option<GameId> {
        let games = self.shared.games.read();
        let own = games.by_user.get(&user).into_iter().flatten();
        own.copied().find(|id| {
            let game = games.runtimes.get(id).and_then(|runtime| runtime.committed());
            game.is_some_and(|game| game.is_quick() && !game.status().is_over())
        })
    }

    /// Games of quick match that are being played.
    pub fn quick_games(&self) -> usize {
        self.shared.live.quick()
    }
}
