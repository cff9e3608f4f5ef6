//! Standings of an event: levels, wins, losses, elimination, the leaderboard, the winners; and what follows for the
//! next game (who starts, on which board).
//!
//! Standings are a function of the sign-ups and results, in any order, so they can be recomputed and compared
//! ([`Standings::recompute`], [`Standings::differences`]).

use crate::board::{BoardSize, Mark};
use crate::clock::Millis;
use crate::game::{Game, Status};
use crate::{GameId, UserId};
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fmt;

/// The level everybody has at the beginning of an event.
pub const FIRST_LEVEL: u32 = 1;
/// Places that count as winning an event, given at least one win.
pub const WINNERS: usize = 3;

/// The board for two players, by the lower of their levels: 1–2 3×3, 3–4 4×4, 5–6 5×5, 7 and
/// up 6×6.
pub fn board_size(lower_level: u32) -> BoardSize {
    match lower_level {
        0..=2 => BoardSize::ALL[0],
        3..=4 => BoardSize::ALL[1],
        5..=6 => BoardSize::ALL[2],
        7.. => BoardSize::ALL[3],
    }
}

/// Who starts: whoever has started less often in this event, else the seed decides. `starts` is
/// X's number, then O's.
pub fn starter(starts: [u32; 2], seed: u64) -> Mark {
    match starts[0].cmp(&starts[1]) {
        std::cmp::Ordering::Less => Mark::X,
        std::cmp::Ordering::Greater => Mark::O,
        // The lowest bit breaks the last tie of a game: keep the two independent.
        std::cmp::Ordering::Equal if seed & 2 == 0 => Mark::X,
        std::cmp::Ordering::Equal => Mark::O,
    }
}

/// The result of a finished event game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct GameResult {
    pub game: GameId,
    pub winner: UserId,
    pub loser: UserId,
    /// Who started the first round; `None` if the game never started because somebody was absent.
    pub starter: Option<UserId>,
    pub at: Millis,
}

impl GameResult {
    /// `None` for an invite game and for a game without a winner.
    pub fn of(game: &Game) -> Option<GameResult> {
        game.event_id()?;
        let outcome = game.outcome().filter(|_| game.status() == Status::Completed)?;
        let winner = outcome.winner?;
        let user = |mark| Some(game.player(mark)?.user);
        Some(GameResult {
            game: game.id(),
            winner: user(winner)?,
            loser: user(winner.other())?,
            starter: game.first_starter().and_then(user),
            at: outcome.at,
        })
    }
}

/// One player's standing in an event.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Standing {
    pub user: UserId,
    pub level: u32,
    pub wins: u32,
    pub losses: u32,
    /// Games whose first round this player started.
    pub starts: u32,
    pub joined_at: Millis,
    /// When the level, wins and losses became what they are.
    pub reached_at: Millis,
    /// An admin removed the player: last in the order, and no winner. The games stay counted.
    pub removed: bool,
}

impl Standing {
    fn new(user: UserId, joined_at: Millis) -> Standing {
        Standing {
            user,
            level: FIRST_LEVEL,
            wins: 0,
            losses: 0,
            starts: 0,
            joined_at,
            reached_at: joined_at,
            removed: false,
        }
    }

    /// Whether the player is out: was removed, or has lost as often as the event allows; 0 never eliminates.
    pub fn is_eliminated(&self, max_losses: u32) -> bool {
        self.removed || (max_losses > 0 && self.losses >= max_losses)
    }

    fn rank(&self) -> Rank {
        Rank {
            removed: self.removed,
            unplayed: self.wins == 0 && self.losses == 0,
            level: Reverse(self.level),
            wins: Reverse(self.wins),
            losses: self.losses,
            reached_at: self.reached_at,
            joined_at: self.joined_at,
            user: self.user,
        }
    }
}

/// The leaderboard's order: players who have played before those who have not, level and wins descending, losses
/// ascending, then the earlier time; the rest makes it total.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Rank {
    removed: bool,
    unplayed: bool,
    level: Reverse<u32>,
    wins: Reverse<u32>,
    losses: u32,
    reached_at: Millis,
    joined_at: Millis,
    user: UserId,
}

/// A correction by an admin: a receipt, like games, from which standings are recomputed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Correction {
    pub user: UserId,
    /// Added to level, wins and losses; may be negative.
    pub added: [i64; 3],
    /// The player was removed from the event.
    pub removes: bool,
    pub at: Millis,
}

/// What recording a result did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Recorded {
    Now {
        winner: Standing,
        loser: Standing,
        loser_eliminated: bool,
    },
    /// This game had been counted already: nothing changed.
    Already,
}

/// Why standings did not change.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StandingsRefusal {
    NotSignedUp(UserId),
    SamePlayer(UserId),
    /// A player with results cannot be withdrawn.
    HasPlayed(UserId),
}

impl StandingsRefusal {
    /// Stable, kebab-case, for programs.
    pub const fn code(self) -> &'static str {
        match self {
            StandingsRefusal::NotSignedUp(_) => "not-signed-up",
            StandingsRefusal::SamePlayer(_) => "same-player",
            StandingsRefusal::HasPlayed(_) => "has-played",
        }
    }

    /// For people.
    pub const fn text(self) -> &'static str {
        match self {
            StandingsRefusal::NotSignedUp(_) => "This player is not signed up for the event.",
            StandingsRefusal::SamePlayer(_) => "Nobody can play against themselves.",
            StandingsRefusal::HasPlayed(_) => "This player has already played in the event.",
        }
    }
}

impl fmt::Display for StandingsRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

impl std::error::Error for StandingsRefusal {}

/// A player whose standing differs between two computations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Difference {
    pub user: UserId,
    pub ours: Option<Standing>,
    pub theirs: Option<Standing>,
}

/// The standings of one event. One entry a sign-up and one game id a result, so both are bounded
/// by what the event itself has stored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Standings {
    max_losses: u32,
    players: BTreeMap<UserId, Standing>,
    order: BTreeSet<Rank>,
    counted: HashSet<GameId>,
}

impl Standings {
    /// Nobody yet. `max_losses` 0 never eliminates.
    pub fn new(max_losses: u32) -> Standings {
        Standings { max_losses, players: BTreeMap::new(), order: BTreeSet::new(), counted: HashSet::new() }
    }

    /// Standings from stored rows and the ids of the games they count.
    pub fn restore(
        max_losses: u32,
        rows: impl IntoIterator<Item = Standing>,
        counted: impl IntoIterator<Item = GameId>,
    ) -> Standings {
        let mut standings = Standings::new(max_losses);
        for row in rows {
            standings.put(row);
        }
        standings.counted = counted.into_iter().collect();
        standings
    }

    /// Standings from nothing but the sign-ups and the receipts: results and corrections, in any order.
    ///
    /// # Errors
    /// A receipt names somebody who did not sign up, or a result one player twice.
    pub fn recompute(
        max_losses: u32,
        signups: impl IntoIterator<Item = (UserId, Millis)>,
        results: impl IntoIterator<Item = GameResult>,
        corrections: impl IntoIterator<Item = Correction>,
    ) -> Result<Standings, StandingsRefusal> {
        let mut standings = Standings::new(max_losses);
        for (user, joined_at) in signups {
            standings.sign_up(user, joined_at);
        }
        for result in results {
            standings.record(&result)?;
        }
        // A player's corrections are summed: one may subtract what another one, or a later game, added.
        let mut by_user: BTreeMap<UserId, Correction> = BTreeMap::new();
        for correction in corrections {
            let sum = by_user.entry(correction.user).or_insert(Correction { added: [0; 3], ..correction });
            for (sum, added) in sum.added.iter_mut().zip(correction.added) {
                *sum = sum.saturating_add(added);
            }
            sum.removes |= correction.removes;
            sum.at = sum.at.max(correction.at);
        }
        for correction in by_user.values() {
            standings.correct(correction)?;
        }
        Ok(standings)
    }

    /// Adds a player at level 1. Idempotent.
    pub fn sign_up(&mut self, user: UserId, joined_at: Millis) -> Standing {
        if let Some(standing) = self.players.get(&user) {
            return *standing;
        }
        self.put(Standing::new(user, joined_at))
    }

    /// Removes a player who unregistered. Idempotent.
    pub fn withdraw(&mut self, user: UserId) -> Result<(), StandingsRefusal> {
        let Some(standing) = self.players.get(&user) else {
            return Ok(());
        };
        if standing.wins > 0 || standing.losses > 0 {
            return Err(StandingsRefusal::HasPlayed(user));
        }
        self.order.remove(&standing.rank());
        self.players.remove(&user);
        Ok(())
    }

    /// Counts a finished game: a win is level + 1 and wins + 1; a loss is losses + 1, the level stays. A game counts
    /// once, however often it is reported.
    pub fn record(&mut self, result: &GameResult) -> Result<Recorded, StandingsRefusal> {
        let GameResult { game, winner, loser, starter, at } = *result;
        if winner == loser {
            return Err(StandingsRefusal::SamePlayer(winner));
        }
        if self.counted.contains(&game) {
            return Ok(Recorded::Already);
        }
        let won = *self.get(winner).ok_or(StandingsRefusal::NotSignedUp(winner))?;
        let lost = *self.get(loser).ok_or(StandingsRefusal::NotSignedUp(loser))?;
        self.counted.insert(game);
        let started = |user| u32::from(starter == Some(user));
        let winner = self.put(Standing {
            level: won.level.saturating_add(1),
            wins: won.wins.saturating_add(1),
            starts: won.starts + started(winner),
            reached_at: won.reached_at.max(at),
            ..won
        });
        let loser = self.put(Standing {
            losses: lost.losses.saturating_add(1),
            starts: lost.starts + started(loser),
            reached_at: lost.reached_at.max(at),
            ..lost
        });
        let loser_eliminated = loser.is_eliminated(self.max_losses);
        Ok(Recorded::Now { winner, loser, loser_eliminated })
    }

    /// Applies an admin's correction. The caller makes sure that it is applied once.
    pub fn correct(&mut self, correction: &Correction) -> Result<Standing, StandingsRefusal> {
        let Correction { user, added: [level, wins, losses], removes, at } = *correction;
        let before = *self.get(user).ok_or(StandingsRefusal::NotSignedUp(user))?;
        let sum = |before: u32, added: i64| {
            let after = i64::from(before).saturating_add(added).max(0);
            u32::try_from(after).unwrap_or(u32::MAX)
        };
        Ok(self.put(Standing {
            level: sum(before.level, level),
            wins: sum(before.wins, wins),
            losses: sum(before.losses, losses),
            reached_at: before.reached_at.max(at),
            removed: before.removed || removes,
            ..before
        }))
    }

    fn put(&mut self, standing: Standing) -> Standing {
        if let Some(before) = self.players.insert(standing.user, standing) {
            self.order.remove(&before.rank());
        }
        self.order.insert(standing.rank());
        standing
    }

    pub fn get(&self, user: UserId) -> Option<&Standing> {
        self.players.get(&user)
    }

    pub fn max_losses(&self) -> u32 {
        self.max_losses
    }

    /// Losses that eliminate from now on; who is eliminated follows from it at once.
    pub fn set_max_losses(&mut self, max_losses: u32) {
        self.max_losses = max_losses;
    }

    /// Whether the player is in the event and eliminated.
    pub fn is_eliminated(&self, user: UserId) -> bool {
        self.get(user).is_some_and(|standing| standing.is_eliminated(self.max_losses))
    }

    pub fn len(&self) -> usize {
        self.players.len()
    }

    pub fn is_empty(&self) -> bool {
        self.players.is_empty()
    }

    /// All players, best first. A page costs as much as the players up to its end.
    pub fn leaderboard(&self) -> impl DoubleEndedIterator<Item = &Standing> {
        self.order.iter().map(|rank| &self.players[&rank.user])
    }

    /// The rank of a player, from 1. Costs as much as the players before them.
    pub fn rank_of(&self, user: UserId) -> Option<usize> {
        let rank = self.get(user)?.rank();
        Some(self.order.range(..rank).count() + 1)
    }

    /// The first three with at least one win who were not removed.
    pub fn winners(&self) -> Vec<Standing> {
        self.leaderboard().filter(|standing| standing.wins > 0 && !standing.removed).take(WINNERS).copied().collect()
    }

    /// Players whose standing differs between these and other standings of the same event.
    pub fn differences(&self, theirs: &Standings) -> Vec<Difference> {
        let users: BTreeSet<UserId> = self.players.keys().chain(theirs.players.keys()).copied().collect();
        users
            .into_iter()
            .map(|user| Difference { user, ours: self.get(user).copied(), theirs: theirs.get(user).copied() })
            .filter(|difference| difference.ours != difference.theirs)
            .collect()
    }
}
