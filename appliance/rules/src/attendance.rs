//! Whether players are still there: a player who lost by no-show or timeout is asked before the next pairing, and
//! removed from the room after two such losses in a row.

use crate::UserId;
use crate::clock::TURN_TIME;
use crate::game::{EndReason, Game};

/// Such losses in a row that remove a player from the event room.
pub const MAX_STRIKES: u32 = 2;

/// Why a player is asked whether they are still there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Absence {
    NoShow,
    Timeout,
}

impl Absence {
    fn of(game: &Game) -> Option<Absence> {
        let outcome = game.outcome()?;
        match outcome.reason? {
            EndReason::NoShow | EndReason::Declined => Some(Absence::NoShow),
            // With a clock for the whole game, a player who is there can run out of time, too.
            EndReason::Timeout => {
                let turn_began = game.history().last().map(|ply| ply.at).or(game.started_at());
                let is_absent = turn_began.is_none_or(|began| outcome.at - began >= TURN_TIME);
                is_absent.then_some(Absence::Timeout)
            }
            _ => None,
        }
    }
}

/// The consequence of a loss by absence.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PresenceCheck {
    pub absence: Absence,
    /// Such losses in a row, this one included.
    pub strikes: u32,
}

impl PresenceCheck {
    /// The player is removed from the room; the count restarts when they return.
    pub fn is_out(&self) -> bool {
        self.strikes >= MAX_STRIKES
    }
}

/// A player's attendance in one event.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Attendance {
    strikes: u32,
    /// The loss after which the player has not confirmed yet that they are there.
    unconfirmed: Option<PresenceCheck>,
    is_out: bool,
}

impl Attendance {
    /// Applies a finished game of the event; returns the check that its player has to answer.
    pub fn game_over(&mut self, game: &Game, user: UserId) -> Option<PresenceCheck> {
        let mark = game.mark_of(user)?;
        let outcome = game.outcome()?;
        let is_lost = outcome.winner.is_some_and(|winner| winner != mark);
        if let Some(absence) = is_lost.then(|| Absence::of(game)).flatten() {
            let check = PresenceCheck { absence, strikes: self.strikes + 1 };
            self.strikes = if check.is_out() { 0 } else { check.strikes };
            self.unconfirmed = Some(check);
            self.is_out = check.is_out();
            return Some(check);
        }
        // A win because the opponent was absent proves nothing; a move does.
        if game.history().iter().any(|ply| ply.mark == mark) {
            self.strikes = 0;
        }
        None
    }

    /// Whether the player still has to confirm that they are there.
    pub fn awaits_confirmation(&self) -> bool {
        self.unconfirmed.is_some()
    }

    /// The loss after which they have to.
    pub fn unconfirmed(&self) -> Option<PresenceCheck> {
        self.unconfirmed
    }

    /// Whether the player was removed from the room and has not returned.
    pub fn is_out(&self) -> bool {
        self.is_out
    }

    /// The player enters the room.
    pub fn entered_room(&mut self) {
        self.is_out = false;
    }

    /// The player looks for an opponent.
    pub fn confirm(&mut self) {
        self.unconfirmed = None;
    }
}
