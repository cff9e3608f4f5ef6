//! The data that games are created from.

use serde::{Deserialize, Serialize};

use crate::{
    EventId, GameId, UserId,
    board::{BoardSize, Mark},
    clock::{Millis, TimeControl},
};

/// A player. The name is carried for viewers; the rules never read it.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Player {
    pub user: UserId,
    pub username: String,
}

/// A player of an event game, with what breaks a tie on time.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entrant {
    pub player: Player,
    pub tiebreak: Tiebreak,
}

/// Between players who used equal time the one with fewer losses wins, then the one who joined the
/// event earlier.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Tiebreak {
    pub losses: u32,
    pub joined_event_at: Millis,
}

/// The data of a new invite game. The inviter is X; without an `opponent` the other seat is open to the first who
/// claims it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InviteSetup {
    pub id: GameId,
    pub inviter: Player,
    pub opponent: Option<Player>,
    pub size: BoardSize,
    pub starter: Mark,
    pub control: TimeControl,
}

/// The data of a new quick game; the first of the paired players is X.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct QuickSetup {
    pub id: GameId,
    pub players: [Player; 2],
    pub size: BoardSize,
    pub starter: Mark,
    pub control: TimeControl,
    /// Whether the result counts for the players' ratings.
    pub rated: bool,
}

/// The data of a new event game; the first of the paired players is X.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EventSetup {
    pub id: GameId,
    pub event: EventId,
    pub entrants: [Entrant; 2],
    /// The lower level of the two.
    pub level: u32,
    /// By that level, see [`crate::standings::board_size`].
    pub size: BoardSize,
    /// Who starts the first round, see [`crate::standings::starter`].
    pub starter: Mark,
    /// The starter was drawn from it; it also breaks the last tie.
    pub seed: u64,
    pub control: TimeControl,
    /// Milliseconds in which both players come.
    pub no_show: i64,
    /// Whether the result counts for the players' ratings.
    pub rated: bool,
}
