use crate::board::Misplaced;
use std::fmt;

/// Why a game refused a command. It is unchanged then.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Refusal {
    NotAPlayer,
    GameNotStarted,
    GameAlreadyStarted,
    GameOver,
    NotYourTurn,
    YourTurn,
    OutOfTime,
    CellTaken,
    OffBoard,
    StaleVersion,
    SeatTaken,
    OwnGame,
    OpponentPresent,
    ClaimTooEarly,
    NotAnInviteGame,
    NotAnEventGame,
}

impl Refusal {
    pub const ALL: [Refusal; 16] = [
        Refusal::NotAPlayer,
        Refusal::GameNotStarted,
        Refusal::GameAlreadyStarted,
        Refusal::GameOver,
        Refusal::NotYourTurn,
        Refusal::YourTurn,
        Refusal::OutOfTime,
        Refusal::CellTaken,
        Refusal::OffBoard,
        Refusal::StaleVersion,
        Refusal::SeatTaken,
        Refusal::OwnGame,
        Refusal::OpponentPresent,
        Refusal::ClaimTooEarly,
        Refusal::NotAnInviteGame,
        Refusal::NotAnEventGame,
    ];

    /// Stable, kebab-case, for programs.
    pub const fn code(self) -> &'static str {
        match self {
            Refusal::NotAPlayer => "not-a-player",
            Refusal::GameNotStarted => "game-not-started",
            Refusal::GameAlreadyStarted => "game-already-started",
            Refusal::GameOver => "game-over",
            Refusal::NotYourTurn => "not-your-turn",
            Refusal::YourTurn => "your-turn",
            Refusal::OutOfTime => "out-of-time",
            Refusal::CellTaken => "cell-taken",
            Refusal::OffBoard => "off-board",
            Refusal::StaleVersion => "stale-version",
            Refusal::SeatTaken => "seat-taken",
            Refusal::OwnGame => "own-game",
            Refusal::OpponentPresent => "opponent-present",
            Refusal::ClaimTooEarly => "claim-too-early",
            Refusal::NotAnInviteGame => "not-an-invite-game",
            Refusal::NotAnEventGame => "not-an-event-game",
        }
    }

    /// For people.
    pub const fn text(self) -> &'static str {
        match self {
            Refusal::NotAPlayer => "You are not a player of this game.",
            Refusal::GameNotStarted => "The game has not started yet.",
            Refusal::GameAlreadyStarted => "The game has already started.",
            Refusal::GameOver => "The game is over.",
            Refusal::NotYourTurn => "It is not your turn.",
            Refusal::YourTurn => "It is your turn. Your opponent's time to come back starts when you have played.",
            Refusal::OutOfTime => "The time is up.",
            Refusal::CellTaken => "This cell is already taken.",
            Refusal::OffBoard => "This cell is not on the board.",
            Refusal::StaleVersion => "The board has changed since.",
            Refusal::SeatTaken => "This seat is already taken.",
            Refusal::OwnGame => "You cannot play against yourself.",
            Refusal::OpponentPresent => "Your opponent is in the game.",
            Refusal::ClaimTooEarly => "Your opponent still has time to come back.",
            Refusal::NotAnInviteGame => "This is possible in invite games only.",
            Refusal::NotAnEventGame => "This is possible in event games only.",
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

impl std::error::Error for Refusal {}

impl From<Misplaced> for Refusal {
    fn from(why: Misplaced) -> Refusal {
        match why {
            Misplaced::OffBoard => Refusal::OffBoard,
            Misplaced::Taken => Refusal::CellTaken,
        }
    }
}
