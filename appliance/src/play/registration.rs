//! New games among those in memory: counted until they are over, and forgotten if they are not opened.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use morpion_rules::{Game, UserId};

use super::{Play, error::PlayError, runtime::GameRuntime, shared::Shared};
use crate::error::CommonError;

/// How many games are not over.
#[derive(Debug, Default)]
pub(super) struct LiveGames {
    all: AtomicUsize,
    /// Those of quick match.
    quick: AtomicUsize,
}

impl LiveGames {
    /// Counts a game; says how many others there are, too.
    pub(super) fn count(self: &Arc<Self>, game: &Game) -> (CountedGame, usize) {
        let is_quick = game.is_quick();
        if is_quick {
            self.quick.fetch_add(1, Ordering::Relaxed);
        }
        let others = self.all.fetch_add(1, Ordering::Relaxed);
        (CountedGame { live: Arc::clone(self), is_quick }, others)
    }

    /// Games of quick match that are not over.
    pub(super) fn quick(&self) -> usize {
        self.quick.load(Ordering::Relaxed)
    }
}

/// Counts as a live game until it is dropped.
#[derive(Debug)]
pub(super) struct CountedGame {
    live: Arc<LiveGames>,
    is_quick: bool,
}

impl Drop for CountedGame {
    fn drop(&mut self) {
        self.live.all.fetch_sub(1, Ordering::Relaxed);
        if self.is_quick {
            self.live.quick.fetch_sub(1, Ordering::Relaxed);
        }
    }
}

/// A new game that is found by its id and by its players. It is forgotten when this is dropped before it is opened.
#[must_use]
pub(super) struct Registration<'a> {
    shared: &'a Shared,
    runtime: Arc<GameRuntime>,
}

impl Drop for Registration<'_> {
    fn drop(&mut self) {
        if let Some(game) = self.runtime.unopened() {
            self.shared.games.write().remove_uncommitted(&self.runtime, &game);
        }
    }
}

impl Play {
    /// Registers a new game, unless there are `most` live ones, or as many as there may be live are over and still have
    /// to be stored. An `owner` may have so many games at once.
    ///
    /// # Errors
    /// [`CommonError::Unavailable`] without room, [`CommonError::DiskFull`]; [`PlayError::IdTaken`] for the id of a game
    /// in memory; [`PlayError::TooManyGames`] of the owner.
    pub(super) fn register(
        &self,
        runtime: &Arc<GameRuntime>,
        game: &Game,
        owner: Option<UserId>,
        most: usize,
    ) -> Result<Registration<'_>, PlayError> {
        self.options.disk.check()?;
        let waiting = self.shared.ended.lock().len();
        let (counted, others) = self.shared.live.count(game);
        if others >= most || waiting >= self.options.max_live_games {
            return Err(CommonError::unavailable("The server has no room for another game right now.").into());
        }
        let mut games = self.shared.games.write();
        if games.runtimes.contains_key(&runtime.id) {
            return Err(PlayError::IdTaken);
        }
        if owner.is_some_and(|owner| games.places_taken(owner) >= self.options.max_games_per_account) {
            return Err(PlayError::TooManyGames);
        }
        runtime.count(counted);
        games.insert(runtime, game);
        Ok(Registration { shared: &self.shared, runtime: Arc::clone(runtime) })
    }
}

#[cfg(test)]
mod tests {
    use morpion_rules::{
        BoardSize, GameId, Mark, Millis,
        clock::TimeControl,
        game::{InviteSetup, Player, QuickSetup},
    };
    use uuid::Uuid;

    use super::*;

    #[test]
    fn a_game_counts_until_nothing_counts_it() {
        let [ada, bob] = [1, 2].map(|number| Player { user: UserId(Uuid::from_u128(number)), username: "ada".into() });
        let (id, size) = (GameId(Uuid::from_u128(7)), BoardSize::MIN);
        let (starter, control) = (Mark::X, TimeControl::Untimed);
        let invite = InviteSetup { id, inviter: ada.clone(), opponent: None, size, starter, control };
        let quick = QuickSetup { id, players: [ada, bob], size, starter, control, rated: false };
        let invite = Game::invite(invite, Millis(5)).expect("an open invite");
        let quick = Game::quick(quick, Millis(5)).expect("two players");
        let live = Arc::<LiveGames>::default();
        let (first, others) = live.count(&invite);
        assert_eq!((others, live.quick()), (0, 0));
        let (second, others) = live.count(&quick);
        assert_eq!((others, live.quick()), (1, 1));
        drop(first);
        let (third, others) = live.count(&quick);
        assert_eq!((others, live.quick()), (1, 2));
        drop([second, third]);
        assert_eq!((live.count(&invite).1, live.quick()), (0, 0));
    }
}
