//! Whether somebody still sits in front of an event: who lost because they were not there, or let their time run out,
//! is asked before they are paired again, and twice in a row takes them out of the room.

use crate::UserId;
use crate::game::{EndReason, Game};

/// So many such losses in a row take a player out of the event room.
pub const MAX_STRIKES: u32 = 2;

/// Why somebody is asked whether they are still there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Absence {
    NoShow,
    Timeout,
}

impl Absence {
    fn of(reason: EndReason) -> Option<Absence> {
        match reason {
            EndReason::NoShow => Some(Absence::NoShow),
            EndReason::Timeout => Some(Absence::Timeout),
            _ => None,
        }
    }
}

/// What follows from a game that was lost by absence.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PresenceCheck {
    pub absence: Absence,
    /// Such losses in a row, this one included.
    pub strikes: u32,
}

impl PresenceCheck {
    /// The player leaves the room; coming back counts from the beginning.
    pub fn is_out(&self) -> bool {
        self.strikes >= MAX_STRIKES
    }
}

/// What is known of a player's presence in one event.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Attendance {
    strikes: u32,
    awaits_confirmation: bool,
    is_out: bool,
}

impl Attendance {
    /// A game of the event is over; answers what its player is asked.
    pub fn game_over(&mut self, game: &Game, user: UserId) -> Option<PresenceCheck> {
        let mark = game.mark_of(user)?;
        let outcome = game.outcome()?;
        let is_lost = outcome.winner.is_some_and(|winner| winner != mark);
        if let Some(absence) = outcome.reason.filter(|_| is_lost).and_then(Absence::of) {
            let check = PresenceCheck { absence, strikes: self.strikes + 1 };
            self.strikes = if check.is_out() { 0 } else { check.strikes };
            self.awaits_confirmation = true;
            self.is_out = check.is_out();
            return Some(check);
        }
        // To win because the other was away as well shows nothing; a move does.
        if game.history().iter().any(|ply| ply.mark == mark) {
            self.strikes = 0;
        }
        None
    }

    /// Whether the player is still to say that they are there.
    pub fn awaits_confirmation(&self) -> bool {
        self.awaits_confirmation
    }

    /// Whether the player was taken out of the room and has not come back to it.
    pub fn is_out(&self) -> bool {
        self.is_out
    }

    /// The player enters the room.
    pub fn entered_room(&mut self) {
        self.is_out = false;
    }

    /// The player looks for an opponent.
    pub fn confirm(&mut self) {
        self.awaits_confirmation = false;
    }
}
