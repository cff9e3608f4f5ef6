//! The server's clocks. No other part reads the machine's clock.
//!
//! | clock | goes by | for |
//! |---|---|---|
//! | [`Clock::now`], play time | what elapsed while the process ran | turns, countdowns, waiting, the silence of sockets |
//! | [`Clock::steady`] | what elapsed | sessions, codes: whatever lasts for a while outside of play |
//! | [`Clock::wall`] | what the machine's clock is set to | what stands in the calendar: dates, an event's start and end, expiry dates |
//!
//! Elapsed time is `CLOCK_BOOTTIME`: unlike `CLOCK_MONOTONIC` it includes the time that the machine slept, so that a
//! suspend is recognised as a pause and not taken for a change of the clock. All three agree until the machine's clock
//! is set (a [`Step`]) or the process is stopped (a [`Pause`]). [`Clock::resume`] continues them after a restart, so
//! stored instants stay comparable whatever the machine's clock was set to in between.
//!
//! The first caller that reads the time after a pause detects it. Play time is then frozen where it was before the
//! pause, until every game and event was granted the grace period and [`Clock::release`] is called: no deadline can
//! fire before that.

use std::{fmt, sync::Arc, time::Duration};

use chrono::{DateTime, Utc};
use morpion_rules::{Millis, Times};
use morpion_store::StoredClocks;
use parking_lot::Mutex;

/// The time was not read for this long: the process was not scheduled. In milliseconds.
const PAUSE: i64 = 3_000;

/// A watched clock has to be read at least this often.
pub const WATCH_EVERY: Duration = Duration::from_millis(50);

/// Smaller differences between the two clocks come from reading them one after the other.
const READING_ERROR: i64 = 20;

/// A change of at least this much is a step that operators should know of.
const STEP: i64 = 1_000;

/// For how many milliseconds a step or a pause causes a warning.
const WARN_FOR: i64 = 24 * 60 * 60 * 1_000;

/// The source of time.
pub trait TimeSource: fmt::Debug + Send + Sync {
    /// Milliseconds since the epoch, as the clock is set.
    fn wall(&self) -> i64;

    /// Milliseconds that elapsed since some instant, sleep included.
    fn elapsed(&self) -> i64;
}

#[derive(Debug)]
struct SystemClock;

impl TimeSource for SystemClock {
    fn wall(&self) -> i64 {
        Utc::now().timestamp_millis()
    }

    fn elapsed(&self) -> i64 {
        use nix::time::{ClockId, clock_gettime};
        let since_boot = clock_gettime(ClockId::CLOCK_BOOTTIME).map(Duration::from);
        since_boot.map_or(0, |since_boot| i64::try_from(since_boot.as_millis()).unwrap_or(i64::MAX))
    }
}

/// Milliseconds that elapsed since the machine started, sleep included.
pub fn elapsed() -> i64 {
    SystemClock.elapsed()
}

/// The machine's clock was set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// What it showed afterwards.
    pub at: DateTime<Utc>,
    /// Milliseconds, negative when it was set back.
    pub by: i64,
    /// What had elapsed.
    seen: i64,
}

/// The process did not run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pause {
    /// When it ran again, by the machine's clock.
    pub at: DateTime<Utc>,
    /// Milliseconds.
    pub lasted: i64,
    /// What had elapsed.
    seen: i64,
}

/// Steps and pauses since the start.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct History {
    pub steps: u32,
    pub last_step: Option<Step>,
    pub pauses: u32,
    pub last_pause: Option<Pause>,
}

/// Cheap to clone; all clones are one.
#[derive(Debug, Clone)]
pub struct Clock {
    source: Arc<dyn TimeSource>,
    state: Arc<Mutex<State>>,
}

#[derive(Debug)]
struct State {
    /// From elapsed time to the steady clock.
    steady: i64,
    /// From elapsed time to the machine's clock, as of the last comparison.
    wall: i64,
    /// How far tests have put all clocks forward.
    advanced: i64,
    /// What play time is behind the steady clock: all pauses.
    paused_total: i64,
    /// The time is read regularly, so a gap means a pause.
    is_watched: bool,
    /// The elapsed time at the last reading.
    last_read: i64,
    /// Play time and the calendar stand still here until the grace was given.
    frozen_at: Option<Times>,
    history: History,
}

impl State {
    /// Detects that the process did not run since the last reading.
    fn detect_pause(&mut self, elapsed: i64) {
        let gap = elapsed - self.last_read;
        if self.is_watched && gap > PAUSE {
            let before = self.times(self.last_read);
            self.frozen_at.get_or_insert(before);
            self.history.pauses += 1;
            self.history.last_pause = Some(Pause { at: utc(Millis(elapsed + self.wall)), lasted: gap, seen: elapsed });
            tracing::warn!(ms = gap, "the process did not run for a while; whoever plays gets more time");
        }
        self.last_read = self.last_read.max(elapsed);
    }

    fn times(&self, elapsed: i64) -> Times {
        Times { calendar: Millis(elapsed + self.wall), steady: Millis(elapsed + self.steady - self.paused_total) }
    }
}

impl Default for Clock {
    fn default() -> Self {
        Self::of(Arc::new(SystemClock))
    }
}

impl Clock {
    /// Clocks over another source, for tests.
    pub fn of(source: Arc<dyn TimeSource>) -> Self {
        let elapsed = source.elapsed();
        let offset = source.wall() - elapsed;
        let state = State {
            steady: offset,
            wall: offset,
            advanced: 0,
            paused_total: 0,
            is_watched: false,
            last_read: elapsed,
            frozen_at: None,
            history: History::default(),
        };
        Self { source, state: Arc::new(Mutex::new(state)) }
    }

    /// Play time. It neither jumps when the machine's clock is set, nor moves while the process is stopped.
    pub fn now(&self) -> Millis {
        self.times().steady
    }

    /// Play time, and the calendar as an event's schedule goes by it: that one, too, stands still after a pause
    /// until the grace was given.
    pub fn times(&self) -> Times {
        let mut state = self.state.lock();
        // Under the lock, so that an older reading cannot follow a newer one.
        let elapsed = self.source.elapsed();
        state.detect_pause(elapsed);
        let calendar = Millis(self.source.wall() + state.advanced);
        state.frozen_at.unwrap_or(Times { calendar, ..state.times(elapsed) })
    }

    /// The steady clock: it runs on while the process is stopped, whatever the machine's clock is set to.
    pub fn steady(&self) -> DateTime<Utc> {
        let state = self.state.lock();
        utc(Millis(self.source.elapsed() + state.steady))
    }

    /// The machine's clock.
    pub fn wall(&self) -> DateTime<Utc> {
        utc(Millis(self.source.wall() + self.state.lock().advanced))
    }

    /// What is to be added to play time for the calendar's.
    pub fn to_calendar(&self) -> i64 {
        let state = self.state.lock();
        state.wall - state.steady + state.paused_total
    }

    /// Puts all clocks forward by this many milliseconds, so that tests need not wait.
    pub fn advance(&self, ms: i64) {
        let mut state = self.state.lock();
        state.advanced += ms;
        state.steady += ms;
        state.wall += ms;
    }

    /// Puts only the calendar forward, so that a monthly payment runs out before a session does.
    pub fn advance_calendar(&self, ms: i64) {
        let mut state = self.state.lock();
        state.advanced += ms;
        state.wall += ms;
    }

    /// The clocks as they are to be stored for [`Clock::resume`].
    pub fn reading(&self) -> StoredClocks {
        let state = self.state.lock();
        let elapsed = self.source.elapsed();
        StoredClocks {
            wall: elapsed + state.wall,
            steady: elapsed + state.steady,
            play: state.frozen_at.unwrap_or(state.times(elapsed)).steady.0,
        }
    }

    /// Continues from the stored clocks: the time that the machine's clock advanced since then counts as elapsed;
    /// earlier changes of it do not.
    pub fn resume(&self, stored: &StoredClocks) {
        let mut state = self.state.lock();
        let elapsed = self.source.elapsed();
        let away = (elapsed + state.wall - stored.wall).max(0);
        state.steady = stored.steady.saturating_add(away) - elapsed;
    }

    /// Moves on to this instant of play time, which was stored, if it is not there yet.
    pub fn not_before(&self, stored: Millis) {
        let mut state = self.state.lock();
        let short = stored - state.times(self.source.elapsed()).steady;
        state.steady += short.max(0);
    }

    /// Until the result is dropped, the caller reads the time every [`WATCH_EVERY`], so that pauses are detected.
    pub fn watch(&self) -> Watch {
        let mut state = self.state.lock();
        state.last_read = self.source.elapsed();
        state.is_watched = true;
        Watch(self.clone())
    }

    /// Play time stands still from now on, as after a pause: nobody can move for a while.
    pub fn freeze(&self) {
        let now = self.times();
        self.state.lock().frozen_at.get_or_insert(now);
    }

    /// Whether play time stands still because the process was stopped, or [`Clock::freeze`] was called.
    pub fn is_frozen(&self) -> bool {
        self.state.lock().frozen_at.is_some()
    }

    /// Called once the grace period was granted: play time continues from where it was frozen.
    pub fn release(&self) {
        let mut state = self.state.lock();
        if let Some(frozen_at) = state.frozen_at.take() {
            let elapsed = self.source.elapsed();
            state.last_read = elapsed;
            state.paused_total = elapsed + state.steady - frozen_at.steady.0;
        }
    }

    /// Compares the machine's clock with elapsed time: was it set since the last comparison?
    pub fn compare(&self) -> Option<Step> {
        let mut state = self.state.lock();
        let elapsed = self.source.elapsed();
        let wall = self.source.wall() + state.advanced;
        if self.source.elapsed() - elapsed > READING_ERROR / 2 {
            // Interrupted between the two readings; the next comparison will tell.
            return None;
        }
        let by = wall - elapsed - state.wall;
        if by.abs() < READING_ERROR {
            return None;
        }
        state.wall += by;
        if by.abs() < STEP {
            return None;
        }
        let step = Step { at: utc(Millis(wall)), by, seen: elapsed };
        state.history.steps += 1;
        state.history.last_step = Some(step);
        tracing::warn!(ms = by, "the machine's clock was set; what is played does not go by it");
        Some(step)
    }

    pub fn history(&self) -> History {
        self.state.lock().history
    }

    /// Warnings for operators about the last day.
    pub fn warnings(&self) -> Vec<String> {
        let history = self.history();
        let now = self.source.elapsed();
        let is_recent = |seen: i64| now - seen < WARN_FOR;
        let step = history.last_step.filter(|step| is_recent(step.seen)).map(|step| {
            let (seconds, way) = ((step.by.abs() + 500) / 1_000, if step.by < 0 { "back" } else { "forward" });
            let at = step.at.format("%F %T UTC");
            format!("The machine's clock was set {way} by {seconds} s (it said {at} then); no game goes by it.")
        });
        let pause = history.last_pause.filter(|pause| is_recent(pause.seen)).map(|pause| {
            let (seconds, until) = ((pause.lasted + 500) / 1_000, pause.at.format("%F %T UTC"));
            format!("The server was stopped for {seconds} s until {until}; whoever played got more time.")
        });
        step.into_iter().chain(pause).collect()
    }
}

/// See [`Clock::watch`].
#[derive(Debug)]
#[must_use]
pub struct Watch(Clock);

impl Drop for Watch {
    fn drop(&mut self) {
        self.0.state.lock().is_watched = false;
        self.0.release();
    }
}

/// The instant as a date; one out of range becomes the epoch.
pub fn utc(at: Millis) -> DateTime<Utc> {
    DateTime::from_timestamp_millis(at.0).unwrap_or_default()
}

/// The moment in milliseconds.
pub fn millis(at: DateTime<Utc>) -> Millis {
    Millis(at.timestamp_millis())
}

#[cfg(test)]
mod tests;
