//! What games are made from.

use serde::{Deserialize, Serialize};

use crate::{
    EventId, GameId, UserId,
    board::{BoardSize, Mark},
    clock::Millis,
};

/// Somebody who plays. The name is carried for those who look on; the rules never read it.
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

/// What an invite game is made from. The inviter is X; without an `opponent` the other seat is
/// open, and whoever claims it first has it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InviteSetup {
    pub id: GameId,
    pub inviter: Player,
    pub opponent: Option<Player>,
    pub size: BoardSize,
    pub starter: Mark,
}

/// What an event game is made from: the two who were paired, the first being X.
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
    /// What the start was drawn from; it also decides when nothing else tells the players apart.
    pub seed: u64,
}
