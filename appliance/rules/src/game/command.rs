use super::Player;
use crate::board::{Board, BoardSize, Cell, Line, Mark};
use crate::{Millis, UserId};
use serde::{Deserialize, Serialize};

/// Commands to a game. The caller has checked who may give them (for [`Command::Adjudicate`], say);
/// [`super::Game::apply`] decides whether the game's state allows them.
///
/// Commands are journalled in a compact format that stores a variant as its number: append new
/// variants at the end, never reorder, remove or change one, and use no serde attributes that
/// need a self-describing format (`untagged`, `flatten`, `tag`, `skip_serializing_if`).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Command {
    /// A player opens the game; when both are in, it starts.
    Join {
        user: UserId,
    },
    /// A user takes the open seat of an invite game. Idempotent.
    ClaimSeat {
        user: UserId,
        username: String,
    },
    /// A player leaves the game's page; [`Command::Join`] brings them back.
    Leave {
        user: UserId,
    },
    /// The connection of a player who had the game open is back.
    Connect {
        user: UserId,
    },
    /// The connection of a player who has the game open is lost.
    Disconnect {
        user: UserId,
    },
    /// `at_version` is the version the player saw when choosing the cell, if the client says so.
    Move {
        user: UserId,
        cell: Cell,
        at_version: Option<u64>,
    },
    Forfeit {
        user: UserId,
    },
    /// The opponent's 60 s countdown in an invite game has run out in the opponent's turn, and the player is done waiting.
    ClaimWin {
        user: UserId,
    },
    /// Either player cancels a game outside events that has not started. (Journals of older versions hold it for event games,
    /// too, which are declined today.)
    Cancel {
        user: UserId,
    },
    /// Time has passed; see [`super::Game::next_deadline`].
    Tick,
    /// The game's event was cancelled.
    Void,
    /// The game's event ended and its time to finish is over.
    DecideByTime,
    /// An admin's decision: a winner, or none, which voids the game.
    Adjudicate {
        winner: Option<UserId>,
        reason: String,
    },
    /// The server was restarted. `stopped_at` is the time of the last record it had stored.
    ResumeAfterRestart {
        stopped_at: Millis,
    },
    /// The process runs again after a stop that `now` does not include. Connections are still open.
    ResumeAfterPause,
    /// As [`Command::Move`], without charging the player for the network.
    TimedMove {
        user: UserId,
        cell: Cell,
        at_version: Option<u64>,
        delay: NetworkDelay,
    },
    /// As [`Command::DecideByTime`], without charging the player to move for the network.
    DecideByFairTime {
        delay: NetworkDelay,
    },
    /// A paired player does not want to play: a no-show at once.
    Decline {
        user: UserId,
    },
    /// A guest continues under the account that they signed in to.
    Adopt {
        guest: UserId,
        account: UserId,
        username: String,
    },
    /// A player was removed from the event, or suspended: a game that was paired or has begun is lost, any other called off.
    Remove {
        user: UserId,
    },
}

/// The part of a turn that is not the player's, in milliseconds: it is not charged, and moves no deadline.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct NetworkDelay {
    /// From the turn's start until the state was sent to the player's connection.
    pub sent_after: u32,
    /// The measured round trip to the player; see [`crate::clock::MAX_ROUND_TRIP`].
    pub round_trip: u32,
}

/// What happened. Everything here is a past event that clients may see, and each one is a new
/// version of the game: the first effect of a command is the version after the last one, and so on.
///
/// Effects are sent, never stored, so this enum may change freely.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Effect {
    /// A player is in; the game still waits for the other, unless `GameStarted` follows.
    Joined {
        user: UserId,
    },
    /// A player went away before the start.
    Left {
        user: UserId,
    },
    SeatClaimed {
        player: Player,
    },
    /// A player continues under another account.
    PlayerReplaced {
        before: UserId,
        player: Player,
    },
    GameStarted {
        starter: UserId,
        turn_deadline: Option<Millis>,
    },
    MoveMade {
        by: UserId,
        mark: Mark,
        cell: Cell,
        /// The board of this round with the move on it, even when a new round follows.
        board: Board,
        winning_line: Option<Line>,
        /// Whose turn it is now; `None` when the move ended the round or the game.
        next_turn: Option<UserId>,
        turn_deadline: Option<Millis>,
        /// When the next player, who is away, has to be back.
        absent_until: Option<Millis>,
    },
    /// An event game continues after a full board. `round` counts from 1 and is the new round's.
    RoundDrawn {
        round: u8,
        draw_count: u8,
        starter: UserId,
        size: BoardSize,
        turn_deadline: Option<Millis>,
    },
    /// A game outside events ended with a full board.
    Drawn,
    Ended {
        reason: EndReason,
        winner: Option<UserId>,
        loser: Option<UserId>,
        /// The player who lost by forfeit, by time or by absence rather than on the board.
        forfeiter: Option<UserId>,
    },
    /// A player of an active game is absent. `countdown_ms` is the time to return, which counts while it is their turn;
    /// `until` is when it ends, if it is.
    OpponentDisconnected {
        user: UserId,
        countdown_ms: i64,
        until: Option<Millis>,
    },
    OpponentReconnected {
        user: UserId,
    },
    /// Cancelled without a result, by a player or (`None`) because nobody came in time.
    Cancelled {
        by: Option<UserId>,
    },
    /// The game continues after a restart, and both players must reconnect, or after a pause; deadlines have moved.
    Resumed {
        turn_deadline: Option<Millis>,
    },
}

/// How a game came to its end. Append-only: it is stored by number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum EndReason {
    Line,
    Forfeit,
    Timeout,
    NoShow,
    Disconnect,
    Time,
    Adjudicated,
    Void,
    /// A no-show of somebody who said so.
    Declined,
    Removed,
}

impl EndReason {
    pub const ALL: [EndReason; 10] = [
        EndReason::Line,
        EndReason::Forfeit,
        EndReason::Timeout,
        EndReason::NoShow,
        EndReason::Disconnect,
        EndReason::Time,
        EndReason::Adjudicated,
        EndReason::Void,
        EndReason::Declined,
        EndReason::Removed,
    ];

    /// As the wire's `gameEnd` names it.
    pub const fn as_str(self) -> &'static str {
        match self {
            EndReason::Line => "line",
            EndReason::Forfeit => "forfeit",
            EndReason::Timeout => "timeout",
            EndReason::NoShow => "noShow",
            EndReason::Disconnect => "disconnect",
            EndReason::Time => "time",
            EndReason::Adjudicated => "adjudicated",
            EndReason::Void => "void",
            EndReason::Declined => "declined",
            EndReason::Removed => "removed",
        }
    }

    /// Whether the game was lost by forfeit, by time or by absence.
    pub const fn is_forfeit(self) -> bool {
        matches!(self, EndReason::Forfeit | EndReason::Timeout | EndReason::Disconnect | EndReason::Removed)
            || self.is_no_show()
    }

    /// Whether the loser did not come, or said so beforehand.
    pub const fn is_no_show(self) -> bool {
        matches!(self, EndReason::NoShow | EndReason::Declined)
    }
}

/// The effects of one command, in order. Empty exactly when it changed nothing; then it need not be stored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Effects {
    version_before: u64,
    list: Vec<Effect>,
}

impl Effects {
    pub(super) fn new(version_before: u64, list: Vec<Effect>) -> Effects {
        Effects { version_before, list }
    }

    /// Each effect with the version of the game it made.
    pub fn versioned(&self) -> impl Iterator<Item = (u64, &Effect)> {
        (self.version_before + 1..).zip(&self.list)
    }
}

impl std::ops::Deref for Effects {
    type Target = [Effect];
    fn deref(&self) -> &[Effect] {
        &self.list
    }
}

impl IntoIterator for Effects {
    type Item = Effect;
    type IntoIter = std::vec::IntoIter<Effect>;
    fn into_iter(self) -> Self::IntoIter {
        self.list.into_iter()
    }
}

impl<'a> IntoIterator for &'a Effects {
    type Item = &'a Effect;
    type IntoIter = std::slice::Iter<'a, Effect>;
    fn into_iter(self) -> Self::IntoIter {
        self.list.iter()
    }
}
