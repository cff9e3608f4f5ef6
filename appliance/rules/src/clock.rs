//! Instants, the durations of the rules, time controls, and the clock of a game.
//!
//! Durations are `i64` milliseconds. The time is a parameter; nothing here reads a clock.

use crate::board::Mark;
use serde::{Deserialize, Deserializer, Serialize, de::Error};
use std::ops::{Add, Sub};

/// A turn under [`TimeControl::PerTurn`]; see `docs/behaviour/play.md#turn-clock`.
pub const TURN_TIME: i64 = 15_000;
/// The time for all turns of a player under [`TimeControl::Increment`].
pub const BASE_TIME: i64 = 60_000;
/// Added to it by each move.
pub const INCREMENT: i64 = 2_000;
/// A move received this long after the deadline still counts: the network's share.
pub const LATE_MOVE_GRACE: i64 = 500;
/// The largest round trip that is not charged to a player in one move; otherwise answering pings late would pay.
pub const MAX_ROUND_TRIP: i64 = 250;
/// Both players of an event game must be in it this long after they were paired.
pub const NO_SHOW: i64 = 20_000;
/// A player absent from an event game for this long has lost it.
pub const EVENT_DISCONNECT: i64 = 30_000;
/// After a player of an invite game was absent for this long, the opponent may claim the win.
pub const INVITE_DISCONNECT: i64 = 60_000;
/// An invitation that nobody accepted is cancelled after this long; so is an invite game that both players left,
/// counted from the end of the later countdown.
pub const INVITE_LIFETIME: i64 = 24 * 60 * 60 * 1_000;
/// Added to every pending deadline after a restart of the server.
pub const RESTART_GRACE: i64 = 20_000;
/// Games still under way this long after their event ended are decided by time.
pub const EVENT_END_GRACE: i64 = 60_000;

/// An instant: milliseconds since 1970-01-01T00:00:00Z. Arithmetic saturates.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Millis(pub i64);

impl Add<i64> for Millis {
    type Output = Millis;
    fn add(self, ms: i64) -> Millis {
        Millis(self.0.saturating_add(ms))
    }
}

impl Sub<i64> for Millis {
    type Output = Millis;
    fn sub(self, ms: i64) -> Millis {
        Millis(self.0.saturating_sub(ms))
    }
}

/// Milliseconds from `earlier` to `self`; negative the other way round.
impl Sub<Millis> for Millis {
    type Output = i64;
    fn sub(self, earlier: Millis) -> i64 {
        self.0.saturating_sub(earlier.0)
    }
}

/// The time by both clocks that an event uses. They agree unless the machine's clock was set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Times {
    /// Calendar time: for the start and the end of an event.
    pub calendar: Millis,
    /// Play time: for durations.
    pub steady: Millis,
}

impl From<Millis> for Times {
    fn from(now: Millis) -> Times {
        Times { calendar: now, steady: now }
    }
}

/// A stop of the server that deadlines survive: the time left at the stop is left again after it, and [`RESTART_GRACE`]
/// more.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Outage {
    pub stopped_at: Millis,
    pub resumed_at: Millis,
}

impl Outage {
    /// The postponed `deadline`. One that had already passed gets only the grace.
    pub fn postpone(&self, deadline: Millis) -> Millis {
        self.resumed_at + (deadline - self.stopped_at).max(0) + RESTART_GRACE
    }
}

/// How much time the players of a game have; see `docs/behaviour/play.md#time-controls`. Append-only: stored by number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum TimeControl {
    /// As much as they like.
    Untimed,
    /// [`TURN_TIME`] for each turn.
    PerTurn,
    /// [`BASE_TIME`] for all turns of a player, and [`INCREMENT`] more after each move.
    Increment,
}

impl TimeControl {
    pub const ALL: [TimeControl; 3] = [TimeControl::Untimed, TimeControl::PerTurn, TimeControl::Increment];

    /// As the wire names it.
    pub const fn as_str(self) -> &'static str {
        match self {
            TimeControl::Untimed => "none",
            TimeControl::PerTurn => "turn15",
            TimeControl::Increment => "1+2",
        }
    }

    /// The one that the wire calls so.
    pub fn parse(name: &str) -> Option<TimeControl> {
        TimeControl::ALL.into_iter().find(|control| control.as_str() == name)
    }

    /// The milliseconds that a player who has used `used` in `moves` moves has for the next one; `None` without a limit.
    pub fn allowance(self, used: i64, moves: usize) -> Option<i64> {
        match self {
            TimeControl::Untimed => None,
            TimeControl::PerTurn => Some(TURN_TIME),
            TimeControl::Increment => {
                let earned = INCREMENT.saturating_mul(i64::try_from(moves).unwrap_or(i64::MAX));
                Some(BASE_TIME.saturating_add(earned).saturating_sub(used).max(0))
            }
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct Turn {
    mark: Mark,
    started: Millis,
    deadline: Option<Millis>,
}

/// Whose time runs, until when, and what each player has used. Without a limit it counts but never runs out.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct TurnClock {
    /// Of the current turn.
    #[serde(deserialize_with = "limit")]
    limit: Option<i64>,
    turn: Option<Turn>,
    used: [i64; 2],
}

/// A limit as it is stored: damaged data must not stop the clock's arithmetic.
fn limit<'de, D: Deserializer<'de>>(source: D) -> Result<Option<i64>, D::Error> {
    match Option::deserialize(source)? {
        Some(limit) if limit < 0 => Err(D::Error::custom("a turn of negative length")),
        limit => Ok(limit),
    }
}

impl TurnClock {
    /// Ends the current turn, if any, and starts one of `mark`, which may take `limit` milliseconds.
    pub fn start_turn(&mut self, mark: Mark, limit: Option<i64>, now: Millis) {
        self.stop(now);
        self.limit = limit;
        self.turn = Some(Turn { mark, started: now, deadline: limit.map(|limit| now + limit) });
    }

    /// Credits the player of the current turn with this much time.
    pub fn credit(&mut self, ms: i64, now: Millis) {
        if let Some(turn) = &mut self.turn {
            turn.started = (turn.started + ms.max(0)).min(now.max(turn.started));
        }
    }

    /// The start of the current turn, as charged to its player.
    pub fn started(&self) -> Option<Millis> {
        Some(self.turn?.started)
    }

    /// Ends the current turn, if any, and charges its player.
    pub fn stop(&mut self, now: Millis) {
        for mark in Mark::BOTH {
            self.used[mark.index()] = self.used(mark, now);
        }
        self.turn = None;
    }

    /// When the time shown to players reaches 0.
    pub fn deadline(&self) -> Option<Millis> {
        self.turn?.deadline
    }

    /// The first instant at which a move no longer counts: the deadline and
    /// [`LATE_MOVE_GRACE`] have passed.
    pub fn expires_at(&self) -> Option<Millis> {
        Some(self.deadline()? + LATE_MOVE_GRACE + 1)
    }

    /// Milliseconds until the deadline, at least 0.
    pub fn remaining(&self, now: Millis) -> Option<i64> {
        Some((self.deadline()? - now).max(0))
    }

    /// Milliseconds `mark` has used in total, including the current turn. A turn never costs more than its limit, so
    /// neither a late move nor the grace after a restart is charged.
    pub fn used(&self, mark: Mark, now: Millis) -> i64 {
        let running = match self.turn {
            Some(turn) if turn.mark == mark => (now - turn.started).clamp(0, self.limit.unwrap_or(i64::MAX)),
            _ => 0,
        };
        self.used[mark.index()].saturating_add(running)
    }

    /// Continues after an outage, which is charged to nobody.
    pub fn resume(&mut self, outage: Outage) {
        if let Some(turn) = &mut self.turn {
            turn.started = outage.resumed_at - (outage.stopped_at - turn.started).max(0);
            turn.deadline = turn.deadline.map(|deadline| outage.postpone(deadline));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: Millis = Millis(1_000_000);
    const LIMIT: Option<i64> = Some(TURN_TIME);

    #[test]
    fn event_games_have_a_15_s_timer_reset_each_turn() {
        let mut clock = TurnClock::default();
        clock.start_turn(Mark::X, LIMIT, START);
        assert_eq!(clock.deadline(), Some(START + 15_000));
        clock.start_turn(Mark::O, LIMIT, START + 4_000);
        assert_eq!(clock.deadline(), Some(START + 19_000));
        assert_eq!(clock.remaining(START + 5_000), Some(14_000));
        assert_eq!(clock.remaining(START + 50_000), Some(0));
    }

    #[test]
    fn invite_games_have_no_timer_but_measure_time_used() {
        let mut clock = TurnClock::default();
        clock.start_turn(Mark::X, None, START);
        assert_eq!((clock.deadline(), clock.expires_at()), (None, None));
        clock.start_turn(Mark::O, None, START + 90_000);
        assert_eq!(clock.used(Mark::X, START + 100_000), 90_000);
        assert_eq!(clock.used(Mark::O, START + 100_000), 10_000);
    }

    #[test]
    fn a_turn_expires_after_its_grace_and_costs_at_most_its_limit() {
        let mut clock = TurnClock::default();
        clock.start_turn(Mark::X, LIMIT, START);
        assert_eq!(clock.expires_at(), Some(START + 15_501));
        clock.stop(START + 15_500);
        assert_eq!(clock.used(Mark::X, START + 99_000), 15_000);
        assert_eq!(clock.deadline(), None);
    }

    #[test]
    fn credited_time_is_not_charged_and_moves_no_deadline() {
        let mut clock = TurnClock::default();
        clock.start_turn(Mark::X, LIMIT, START);
        clock.credit(300, START + 1_000);
        assert_eq!((clock.used(Mark::X, START + 1_000), clock.deadline()), (700, Some(START + 15_000)));
        clock.credit(9_000, START + 1_000);
        clock.credit(-5, START + 1_000);
        assert_eq!(clock.used(Mark::X, START + 1_000), 0);
    }

    #[test]
    fn an_outage_is_not_charged_and_adds_20_s() {
        let mut clock = TurnClock::default();
        clock.start_turn(Mark::X, LIMIT, START);
        let resumed_at = START + 600_000;
        clock.resume(Outage { stopped_at: START + 5_000, resumed_at });
        assert_eq!(clock.deadline(), Some(resumed_at + 10_000 + 20_000));
        assert_eq!(clock.used(Mark::X, resumed_at + 1_000), 6_000);
    }

    #[test]
    fn an_expired_deadline_gets_only_the_grace() {
        let outage = Outage { stopped_at: START + 9, resumed_at: START + 100 };
        assert_eq!(outage.postpone(START), START + 100 + 20_000);
    }

    #[test]
    fn a_minute_is_for_all_turns_and_each_move_adds_two_seconds() {
        let control = TimeControl::Increment;
        assert_eq!(control.allowance(0, 0), Some(60_000));
        assert_eq!(control.allowance(10_000, 1), Some(52_000));
        assert_eq!(control.allowance(90_000, 1), Some(0), "a late move leaves the next turn what the increment gives");
        assert_eq!(TimeControl::PerTurn.allowance(90_000, 9), Some(15_000));
        assert_eq!(TimeControl::Untimed.allowance(0, 0), None);
    }

    #[test]
    fn a_time_control_is_found_by_its_name() {
        for control in TimeControl::ALL {
            assert_eq!(TimeControl::parse(control.as_str()), Some(control));
        }
        assert_eq!(TimeControl::parse("3+2"), None);
    }

    #[test]
    fn arithmetic_saturates() {
        assert_eq!(Millis(i64::MAX) + 1, Millis(i64::MAX));
        assert_eq!(Millis(i64::MIN) - 1, Millis(i64::MIN));
        assert_eq!(Millis(i64::MAX) - Millis(i64::MIN), i64::MAX);
    }
}
