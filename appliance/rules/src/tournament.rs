//! Events in stage rounds: knockout, Swiss and round robin behind one interface.
//!
//! A [`Tournament`] is everything that pairing depends on: the format, the entrants in the order of their seeds, and the
//! stage rounds so far with their results. [`Tournament::pair_next`] makes the next round and [`Tournament::standings`]
//! the table; both are functions of it alone, so a restart, a takeover and `verify` come to the same answer.
//!
//! A format is one file: it implements [`Rules`] and gets a variant of [`Format`].
//!
//! What the formats are, in prose: `docs/behaviour/formats.md`.

pub mod encounter;
mod knockout;
mod round_robin;
mod standings;
mod swiss;
pub mod trf;

use crate::UserId;
use serde::{Deserialize, Serialize};
use std::fmt;

pub use standings::{Standing, Term, TieBreak, TieBreakKind};

/// Entrants of a knockout or a Swiss at most.
pub const MAX_ENTRANTS: usize = 1_024;
/// Entrants of a round robin at most.
pub const MAX_ROUND_ROBIN: usize = 16;
/// Stage rounds of a Swiss at most.
pub const MAX_SWISS_ROUNDS: u32 = 32;
/// Stage rounds of a knockout at most: of [`MAX_ENTRANTS`].
const MAX_KNOCKOUT_ROUNDS: u32 = 10;
/// Milliseconds after the start of a match at which an absent player has lost it.
pub const MATCH_NO_SHOW: i64 = 60_000;
/// Matches in a row that are lost by absence, after which a player is withdrawn.
pub const ABSENCES: u32 = 2;

/// An entrant: the index into [`Tournament::entrants`]. The seed that people see is one more.
pub type Player = u32;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Format {
    /// Who loses is out. With `third_place` those who lost the semi-finals play for it.
    Knockout { third_place: bool },
    /// The Dutch system of FIDE (C.04.3): so many rounds, each against somebody with as many points.
    Swiss { rounds: u32 },
    /// Everybody meets everybody, by the Berger tables; with `double` twice, the second time with the seats swapped.
    RoundRobin { double: bool },
}

impl Format {
    /// Entrants at most.
    pub fn max_entrants(self) -> usize {
        match self {
            Format::Knockout { .. } | Format::Swiss { .. } => MAX_ENTRANTS,
            Format::RoundRobin { .. } => MAX_ROUND_ROBIN,
        }
    }

    /// Stage rounds at most, however many enter.
    pub fn max_rounds(self) -> u32 {
        const ROUND_ROBIN: u32 = MAX_ROUND_ROBIN as u32 - 1;
        match self {
            Format::Knockout { .. } => MAX_KNOCKOUT_ROUNDS,
            Format::Swiss { rounds: 0 } => MAX_SWISS_ROUNDS,
            Format::Swiss { rounds } => rounds,
            Format::RoundRobin { double: false } => ROUND_ROBIN,
            Format::RoundRobin { double: true } => 2 * ROUND_ROBIN,
        }
    }

    /// Rounds of a Swiss if the organiser does not say: ceil(log2 n) + 1.
    pub fn default_swiss_rounds(entrants: usize) -> u32 {
        rounds_to_one(entrants) + 1
    }

    fn rules(self) -> Box<dyn Rules> {
        match self {
            Format::Knockout { third_place } => Box::new(knockout::Knockout { third_place }),
            Format::Swiss { rounds } => Box::new(swiss::Swiss { rounds }),
            Format::RoundRobin { double } => Box::new(round_robin::RoundRobin { double }),
        }
    }
}

/// Rounds in which halves of the field leave until one is left: ceil(log2 n).
fn rounds_to_one(entrants: usize) -> u32 {
    entrants.max(1).next_power_of_two().trailing_zeros()
}

/// What a format decides.
trait Rules {
    /// Stage rounds from the first to the last, as far as it is known now.
    fn expected_rounds(&self, tournament: &Tournament) -> u32;
    /// The next round of a tournament whose last one is decided, and which has at least two entrants; `None` at the end.
    fn next(&self, tournament: &Tournament) -> Option<StageRound>;
    /// Whether somebody may enter now.
    fn admits(&self, tournament: &Tournament) -> bool;
    fn standings(&self, tournament: &Tournament) -> Vec<Standing>;
    /// All rounds, also those that are not paired yet, where that is known beforehand.
    fn plan(&self, tournament: &Tournament) -> Vec<StageRound> {
        tournament.rounds.clone()
    }
    /// Matches of the last round that have other players since a result was corrected.
    fn reseat(&self, _: &Tournament) -> Vec<Match> {
        Vec::new()
    }
}

/// A side of a match. In a match of one game the first plays X.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Side {
    First,
    Second,
}

impl Side {
    pub const BOTH: [Side; 2] = [Side::First, Side::Second];

    pub fn other(self) -> Side {
        match self {
            Side::First => Side::Second,
            Side::Second => Side::First,
        }
    }

    pub fn index(self) -> usize {
        self as usize
    }
}

/// Somebody who entered. Entrants are in the order of their seeds, which never changes: first those of the start, by
/// rating, then late ones in the order in which they came.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Entrant {
    pub user: UserId,
    /// At the start, for documents and the simulation; pairing knows the seed alone.
    pub rating: u32,
    /// The first round that the entrant may be paired in, from 1.
    pub joined_round: u32,
    /// Whether the next pairing leaves the entrant out. Reinstating sets it back.
    pub withdrawn: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Verdict {
    Won(Side),
    /// Only in tournaments that were read from elsewhere: a match of this program has a winner.
    Drawn,
    /// Both lost, or there was nobody.
    Neither,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Reason {
    Played,
    /// Nobody to play against.
    Bye,
    /// The loser was absent, or both were.
    Absent,
    /// The loser had withdrawn, or both had.
    Withdrawn,
    /// A director's decision. For pairing the two have met.
    Ruling,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Outcome {
    pub verdict: Verdict,
    pub reason: Reason,
}

impl Outcome {
    pub fn won(side: Side, reason: Reason) -> Outcome {
        Outcome { verdict: Verdict::Won(side), reason }
    }

    /// The outcome of a match whose players are not all there; `None` if both are.
    pub fn of_absence(present: [bool; 2], reason: Reason) -> Option<Outcome> {
        let verdict = match present {
            [true, true] => return None,
            [true, false] => Verdict::Won(Side::First),
            [false, true] => Verdict::Won(Side::Second),
            [false, false] => Verdict::Neither,
        };
        Some(Outcome { verdict, reason })
    }

    pub fn winner(self) -> Option<Side> {
        match self.verdict {
            Verdict::Won(side) => Some(side),
            Verdict::Drawn | Verdict::Neither => None,
        }
    }

    /// Whether the two met, as pairing and tie-breaks see it.
    pub fn is_played(self) -> bool {
        matches!(self.reason, Reason::Played | Reason::Ruling)
    }
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Match {
    /// From 1, in the order of the room: the top match is on board 1.
    pub board: u32,
    /// `None`: nobody, or not known yet.
    pub players: [Option<Player>; 2],
    /// Whether a game of it has begun: from then on its players stay.
    pub begun: bool,
    pub outcome: Option<Outcome>,
}

impl Match {
    fn new(board: u32, players: [Option<Player>; 2]) -> Match {
        Match { board, players, begun: false, outcome: None }
    }

    /// Decided at once if somebody is missing or has withdrawn.
    fn between(board: u32, players: [Option<Player>; 2], tournament: &Tournament) -> Match {
        let reason = if players.contains(&None) { Reason::Bye } else { Reason::Withdrawn };
        let present = players.map(|player| player.is_some_and(|player| !tournament.entrant(player).withdrawn));
        Match { outcome: Outcome::of_absence(present, reason), ..Match::new(board, players) }
    }

    pub fn winner(&self) -> Option<Player> {
        self.players[self.outcome?.winner()?.index()]
    }

    /// Who played and did not win; `None` too if there was no winner.
    pub fn loser(&self) -> Option<Player> {
        self.players[self.outcome?.winner()?.other().index()]
    }

    pub fn side_of(&self, player: Player) -> Option<Side> {
        Side::BOTH.into_iter().find(|side| self.players[side.index()] == Some(player))
    }

    pub fn opponent_of(&self, player: Player) -> Option<Player> {
        self.players[self.side_of(player)?.other().index()]
    }

    /// Whether it gives somebody a point for having no opponent.
    pub fn is_bye(&self) -> bool {
        self.outcome.is_some_and(|outcome| outcome.reason == Reason::Bye && outcome.winner().is_some())
    }

    /// Half points of one of its sides: a win is 2, a draw 1.
    fn halves(&self, side: Side) -> u32 {
        match self.outcome.map(|outcome| outcome.verdict) {
            Some(Verdict::Won(winner)) if winner == side => 2,
            Some(Verdict::Drawn) => 1,
            _ => 0,
        }
    }
}

/// A stage round: everybody who is in it has one match.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct StageRound {
    /// By board.
    pub matches: Vec<Match>,
}

impl StageRound {
    pub fn is_decided(&self) -> bool {
        self.matches.iter().all(|it| it.outcome.is_some())
    }

    /// The round as it is planned: nothing of it is decided.
    fn planned(mut self) -> StageRound {
        for it in &mut self.matches {
            it.outcome = None;
        }
        self
    }

    pub fn match_of(&self, player: Player) -> Option<&Match> {
        self.matches.iter().find(|it| it.side_of(player).is_some())
    }
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Tournament {
    pub format: Format,
    /// Games of a match: 1 or 2. With two, seats are swapped and a Swiss has no criteria of colour.
    pub match_games: u8,
    /// Who has the first seat in the first match of seed 1 in a Swiss: drawn by lot before it.
    pub lot: Side,
    pub entrants: Vec<Entrant>,
    /// Paired so far, in order; only the last may be undecided.
    pub rounds: Vec<StageRound>,
}

/// Why there is no next round yet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PairingError {
    /// Matches of this round, from 1, have no outcome yet.
    Undecided { round: u32 },
    /// The format takes fewer entrants.
    TooMany { entrants: usize, most: usize },
}

impl fmt::Display for PairingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PairingError::Undecided { round } => write!(f, "round {round} has matches without a result"),
            PairingError::TooMany { entrants, most } => write!(f, "{entrants} entrants; the format takes {most}"),
        }
    }
}

impl std::error::Error for PairingError {}

impl Tournament {
    /// Nothing is paired yet. Entrants are in the order of their seeds: see [`Tournament::seeded`].
    pub fn new(format: Format, match_games: u8, lot: Side, entrants: Vec<Entrant>) -> Tournament {
        Tournament { format, match_games, lot, entrants, rounds: Vec::new() }
    }

    /// Entrants in the order of their seeds: the highest rating first; those with the same in the order given.
    pub fn seeded(users: impl IntoIterator<Item = (UserId, u32)>) -> Vec<Entrant> {
        let mut entrants: Vec<Entrant> = users
            .into_iter()
            .map(|(user, rating)| Entrant { user, rating, joined_round: 1, withdrawn: false })
            .collect();
        entrants.sort_by_key(|entrant| std::cmp::Reverse(entrant.rating));
        entrants
    }

    pub fn entrant(&self, player: Player) -> &Entrant {
        &self.entrants[player as usize]
    }

    /// The entrant with this account.
    pub fn player(&self, user: UserId) -> Option<Player> {
        self.players().find(|player| self.entrant(*player).user == user)
    }

    pub fn players(&self) -> impl DoubleEndedIterator<Item = Player> + use<> {
        0..self.entrants.len() as Player
    }

    /// Who would be in the next pairing.
    pub fn active(&self) -> impl Iterator<Item = Player> + '_ {
        self.players().filter(|player| !self.entrant(*player).withdrawn)
    }

    /// The next stage round, with byes and walkovers decided; `None` if the tournament is over. A round may be decided
    /// as it is paired: then call again at once.
    ///
    /// # Errors
    /// A match of the last round has no outcome, or there are more entrants than the format takes.
    pub fn pair_next(&self) -> Result<Option<StageRound>, PairingError> {
        let (entrants, most) = (self.entrants.len(), self.format.max_entrants());
        if entrants > most {
            return Err(PairingError::TooMany { entrants, most });
        }
        if !self.is_decided() {
            return Err(PairingError::Undecided { round: self.rounds.len() as u32 });
        }
        // Nobody is left to play, or one player alone.
        if self.active().next().is_none() || entrants < 2 {
            return Ok(None);
        }
        Ok(self.format.rules().next(self))
    }

    /// Whether every round so far is decided and there is no further one. Costs as much as pairing.
    pub fn is_over(&self) -> bool {
        matches!(self.pair_next(), Ok(None))
    }

    fn is_decided(&self) -> bool {
        self.rounds.last().is_none_or(StageRound::is_decided)
    }

    /// Stage rounds from the first to the last, as far as it is known now.
    pub fn expected_rounds(&self) -> u32 {
        self.format.rules().expected_rounds(self)
    }

    /// Rounds paired so far, then the planned ones: a knockout's bracket and a round robin's tables are known from the
    /// start. A planned match has no outcome, and no players where they are not known yet.
    pub fn plan(&self) -> Vec<StageRound> {
        self.format.rules().plan(self)
    }

    /// The round from which somebody who enters now plays, from 1; `None` if the format takes nobody any more.
    pub fn entry_round(&self) -> Option<u32> {
        let has_room = self.entrants.len() < self.format.max_entrants();
        let admits = self.rounds.is_empty() || self.format.rules().admits(self);
        (has_room && admits).then(|| self.rounds.len() as u32 + 1)
    }

    /// Best first. Players who share a rank are in the order of their seeds.
    pub fn standings(&self) -> Vec<Standing> {
        self.format.rules().standings(self)
    }

    /// Matches of the last round as they have to be after a result of an earlier one was corrected: only those that have
    /// other players now, and have not begun. Replace them by their boards.
    pub fn reseat(&self) -> Vec<Match> {
        self.format.rules().reseat(self)
    }

    /// Matches in a row, up to the last, that the player lost by absence. Rounds without a match do not count.
    pub fn absences(&self, player: Player) -> u32 {
        let absent = |it: &&Match| {
            it.outcome.is_some_and(|outcome| outcome.reason == Reason::Absent) && it.winner() != Some(player)
        };
        self.matches_of(player).rev().filter(|it| it.outcome.is_some()).take_while(absent).count() as u32
    }

    /// By player, then by round: the player's match, and on which side; `None` where the player had none.
    fn matches_by_player(&self) -> Vec<Vec<Option<(Side, &Match)>>> {
        let mut matches = vec![vec![None; self.rounds.len()]; self.entrants.len()];
        for (number, round) in self.rounds.iter().enumerate() {
            for it in &round.matches {
                for side in Side::BOTH {
                    if let Some(player) = it.players[side.index()] {
                        matches[player as usize][number] = Some((side, it));
                    }
                }
            }
        }
        matches
    }

    /// The player's matches, in the order of the rounds.
    pub fn matches_of(&self, player: Player) -> impl DoubleEndedIterator<Item = &Match> + '_ {
        self.rounds.iter().filter_map(move |round| round.match_of(player))
    }
}
