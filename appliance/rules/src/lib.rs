//! The rules of Morpion: everything the program allows, and nothing of how it is carried.
//!
//! Pure: no sockets, no store, no clock, no randomness. Time ([`Millis`]), seeds and history are
//! parameters, so the same input always gives the same answer and a journal of commands can be
//! replayed after a crash.
//!
//! | module          | what it decides                                                              |
//! |-----------------|------------------------------------------------------------------------------|
//! | [`board`]       | sizes, cells, lines: who has won a board, when it is full                    |
//! | [`clock`]       | instants, every duration of the rules, time controls, the turn clock         |
//! | [`game`]        | one game from invitation or pairing to its end: seats, turns, rounds, forfeit |
//! | [`engine_use`]  | how a player's moves compare with the solver's, and what that says           |
//! | [`event`]       | an event's life: drafted → published → started → ended, or cancelled         |
//! | [`matchmaking`] | a queue of players: who plays whom, and why a player waits                   |
//! | [`notation`]    | a game as text with tags, written and read                                   |
//! | [`quick_match`] | the queues of quick match: one for each time control, rated and casual       |
//! | [`rating`]      | ratings by Glicko-2: what a result changes, who is in the list              |
//! | [`attendance`]  | who is asked 'Still there?' before the next pairing, and who leaves the room    |
//! | [`solver`]      | what a position is worth, and which moves keep that                          |
//! | [`standings`]   | levels, wins, elimination, leaderboard, winners, who starts, on which board  |
//! | [`text`]        | what no name or title may contain                                            |
//! | [`tournament`]  | knockout, Swiss, round robin: stage rounds, standings, tie-breaks             |
//!
//! A game and an event are state machines: `apply(command, now)` either returns what happened or
//! refuses and changes nothing. A refusal has a stable kebab-case `code()` for programs and a
//! `text()` for people. What the rules are, in prose: `docs/behaviour/play.md` and
//! `docs/behaviour/events.md`.

pub mod attendance;
pub mod board;
pub mod clock;
pub mod engine_use;
pub mod event;
pub mod game;
pub mod matchmaking;
pub mod notation;
pub mod quick_match;
pub mod rating;
pub mod solver;
pub mod standings;
pub mod text;
pub mod tournament;

use serde::{Deserialize, Serialize};
use std::fmt;
use uuid::Uuid;

pub use board::{Board, BoardSize, Cell, Line, Mark};
pub use clock::{Millis, Times};
pub use game::{Command, Effect, Effects, EndReason, Game, Refusal, Status};

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub Uuid);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl From<Uuid> for $name {
            fn from(id: Uuid) -> Self {
                Self(id)
            }
        }
    };
}

id! {
    /// An account, guests included.
    UserId
}
id! {
    /// A game of any kind.
    GameId
}
id! {
    /// An event. Games outside events belong to none.
    EventId
}
