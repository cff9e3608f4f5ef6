//! The server's clocks. No other part reads the machine's.
//!
//! | clock | goes by | for |
//! |---|---|---|
//! | [`Clock::now`], the play's time | what elapsed while the process ran | turns, countdowns, waiting, the silence of sockets |
//! | [`Clock::steady`] | what elapsed | sessions, codes: whatever lasts for a while outside of play |
//! | [`Clock::wall`] | what the machine's clock is set to | what stands in the calendar: dates, an event's start and end, expiry dates |
//!
//! What elapsed is `CLOCK_BOOTTIME`: unlike `CLOCK_MONOTONIC` it counts the time that the machine slept, so that a suspend
//! is seen for what it is, a pause, and not taken for somebody having set the clock. All three agree until that clock is
//! set (a [`Step`]) or the process is stopped (a [`Pause`]). [`Clock::resume`] carries on with them after a restart, so
//! stored instants stay comparable whatever the machine's clock was set to in between.
//!
//! A pause is noticed by whoever asks for the time first after it. From then on the play's time stands still where it
//! stood before the pause, until everybody was given the grace and [`Clock::release`] is called: no deadline can be acted
//! on before that.

use std::{fmt, sync::Arc, time::Duration};

use chrono::{DateTime, Utc};
use morpion_rules::{Millis, Times};
use morpion_store::StoredClocks;
use parking_lot::Mutex;

/// Nobody asked for the time for so long: the process was not scheduled. In milliseconds.
const PAUSE: i64 = 3_000;

/// A watched clock is to be asked at least this often.
pub const LOOK_EVERY: Duration = Duration::from_millis(50);

/// What moves the machine's clock against what elapsed by less is how the two are read.
const READING_ERROR: i64 = 20;

/// What moves it by at least this is a step that somebody should know of.
const STEP: i64 = 1_000;

/// Milliseconds for which a step or a pause is worth a warning.
const NEWS: i64 = 24 * 60 * 60 * 1_000;

/// Where time comes from.
pub trait Machine: fmt::Debug + Send + Sync {
    /// Milliseconds since the epoch, as the clock is set.
    fn wall(&self) -> i64;

    /// Milliseconds that elapsed since some instant, sleep included.
    fn elapsed(&self) -> i64;
}

#[derive(Debug)]
struct Linux;

impl Machine for Linux {
    fn wall(&self) -> i64 {
        Utc::now().timestamp_millis()
    }

    fn elapsed(&self) -> i64 {
        use nix::time::{ClockId, clock_gettime};
        let since_boot = clock_gettime(ClockId::CLOCK_BOOTTIME).map(Duration::from);
        since_boot.map_or(0, |since_boot| i64::try_from(since_boot.as_millis()).unwrap_or(i64::MAX))
    }
}

/// The machine's clock was set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// What it said afterwards.
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

/// What happened to the clocks since the start.
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
    machine: Arc<dyn Machine>,
    state: Arc<Mutex<State>>,
}

#[derive(Debug)]
struct State {
    /// From what elapsed to the steady clock.
    steady: i64,
    /// From what elapsed to the machine's clock, as it was compared last.
    wall: i64,
    /// How far a test has put all clocks forward.
    ahead: i64,
    /// What the play's time is behind the steady clock: all pauses.
    behind: i64,
    /// Somebody asks often, so that a gap means a pause.
    is_watched: bool,
    /// What had elapsed when the time was asked for last.
    asked: i64,
    /// The play's time and the calendar stand still here until the grace was given.
    held: Option<Times>,
    history: History,
}

impl State {
    /// Notices that the process did not run since the time was asked for last.
    fn ask(&mut self, elapsed: i64) {
        let gap = elapsed - self.asked;
        if self.is_watched && gap > PAUSE {
            let before = self.times(self.asked);
            self.held.get_or_insert(before);
            self.history.pauses += 1;
            self.history.last_pause = Some(Pause { at: utc(Millis(elapsed + self.wall)), lasted: gap, seen: elapsed });
            tracing::warn!(ms = gap, "the process did not run for a while; whoever plays gets more time");
        }
        self.asked = self.asked.max(elapsed);
    }

    fn times(&self, elapsed: i64) -> Times {
        Times { calendar: Millis(elapsed + self.wall), steady: Millis(elapsed + self.steady - self.behind) }
    }
}

impl Default for Clock {
    fn default() -> Self {
        Self::of(Arc::new(Linux))
    }
}

impl Clock {
    /// The clocks of another machine, for tests.
    pub fn of(machine: Arc<dyn Machine>) -> Self {
        let elapsed = machine.elapsed();
        let offset = machine.wall() - elapsed;
        let state = State {
            steady: offset,
            wall: offset,
            ahead: 0,
            behind: 0,
            is_watched: false,
            asked: elapsed,
            held: None,
            history: History::default(),
        };
        Self { machine, state: Arc::new(Mutex::new(state)) }
    }

    /// The play's time. It neither jumps when the machine's clock is set, nor moves while the process is stopped.
    pub fn now(&self) -> Millis {
        self.times().steady
    }

    /// The play's time, and the calendar as an event's schedule goes by it: that one, too, stands still after a pause
    /// until the grace was given.
    pub fn times(&self) -> Times {
        let mut state = self.state.lock();
        // Under the lock, so that nobody brings an older reading after a newer one.
        let elapsed = self.machine.elapsed();
        state.ask(elapsed);
        let calendar = Millis(self.machine.wall() + state.ahead);
        state.held.unwrap_or(Times { calendar, ..state.times(elapsed) })
    }

    /// The steady clock: it goes on while the process is stopped, whatever the machine's clock is set to.
    pub fn steady(&self) -> DateTime<Utc> {
        let state = self.state.lock();
        utc(Millis(self.machine.elapsed() + state.steady))
    }

    /// What the machine's clock says.
    pub fn wall(&self) -> DateTime<Utc> {
        utc(Millis(self.machine.wall() + self.state.lock().ahead))
    }

    /// What is to be added to the play's time for the calendar's.
    pub fn to_calendar(&self) -> i64 {
        let state = self.state.lock();
        state.wall - state.steady + state.behind
    }

    /// Puts all clocks forward by so many milliseconds, so that a test need not sit out a minute.
    pub fn advance(&self, ms: i64) {
        let mut state = self.state.lock();
        state.ahead += ms;
        state.steady += ms;
        state.wall += ms;
    }

    /// Puts the calendar forward alone: what is paid by the month runs out before a session does.
    pub fn advance_calendar(&self, ms: i64) {
        let mut state = self.state.lock();
        state.ahead += ms;
        state.wall += ms;
    }

    /// The clocks as they are to be stored for [`Clock::resume`].
    pub fn reading(&self) -> StoredClocks {
        let state = self.state.lock();
        let elapsed = self.machine.elapsed();
        StoredClocks {
            wall: elapsed + state.wall,
            steady: elapsed + state.steady,
            play: state.held.unwrap_or(state.times(elapsed)).steady.0,
        }
    }

    /// Goes on from what was stored before a restart: what the machine's clock moved since then counts as elapsed, and
    /// what it was set by before then does not.
    pub fn resume(&self, stored: &StoredClocks) {
        let mut state = self.state.lock();
        let elapsed = self.machine.elapsed();
        let away = (elapsed + state.wall - stored.wall).max(0);
        state.steady = stored.steady.saturating_add(away) - elapsed;
    }

    /// Moves on to this instant of the play's time, which was stored, if it is not there yet.
    pub fn not_before(&self, stored: Millis) {
        let mut state = self.state.lock();
        let short = stored - state.times(self.machine.elapsed()).steady;
        state.steady += short.max(0);
    }

    /// From now on, until this is dropped, somebody asks for the time every [`LOOK_EVERY`], so that pauses are seen.
    pub fn watch(&self) -> Watch {
        let mut state = self.state.lock();
        state.asked = self.machine.elapsed();
        state.is_watched = true;
        Watch(self.clone())
    }

    /// Whether the play's time stands still because the process was stopped.
    pub fn is_held(&self) -> bool {
        self.state.lock().held.is_some()
    }

    /// Everybody was given the grace: the play's time goes on from where it stood.
    pub fn release(&self) {
        let mut state = self.state.lock();
        if let Some(held) = state.held.take() {
            let elapsed = self.machine.elapsed();
            state.asked = elapsed;
            state.behind = elapsed + state.steady - held.steady.0;
        }
    }

    /// Compares the machine's clock with what elapsed: was it set since the last time?
    pub fn compare(&self) -> Option<Step> {
        let mut state = self.state.lock();
        let elapsed = self.machine.elapsed();
        let wall = self.machine.wall() + state.ahead;
        if self.machine.elapsed() - elapsed > READING_ERROR / 2 {
            // Interrupted between the two; the next time will tell.
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

    /// What somebody who runs the server should know of the last day.
    pub fn warnings(&self) -> Vec<String> {
        let history = self.history();
        let now = self.machine.elapsed();
        let is_news = |seen: i64| now - seen < NEWS;
        let step = history.last_step.filter(|step| is_news(step.seen)).map(|step| {
            let (seconds, way) = ((step.by.abs() + 500) / 1_000, if step.by < 0 { "back" } else { "forward" });
            let at = step.at.format("%F %T UTC");
            format!("The machine's clock was set {way} by {seconds} s (it said {at} then); no game goes by it.")
        });
        let pause = history.last_pause.filter(|pause| is_news(pause.seen)).map(|pause| {
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

/// The instant as a moment of the calendar; what lies outside it becomes the epoch.
pub fn utc(at: Millis) -> DateTime<Utc> {
    DateTime::from_timestamp_millis(at.0).unwrap_or_default()
}

/// The moment in milliseconds.
pub fn millis(at: DateTime<Utc>) -> Millis {
    Millis(at.timestamp_millis())
}

#[cfg(test)]
mod tests {
    use std::{
        path::{Path, PathBuf},
        sync::atomic::{AtomicI64, Ordering},
    };

    use super::*;

    const BEGINNING: i64 = 1_800_000_000_000;

    #[derive(Debug, Default)]
    struct Fake {
        wall: AtomicI64,
        elapsed: AtomicI64,
    }

    impl Machine for Fake {
        fn wall(&self) -> i64 {
            BEGINNING + self.wall.load(Ordering::Relaxed)
        }

        fn elapsed(&self) -> i64 {
            self.elapsed.load(Ordering::Relaxed)
        }
    }

    impl Fake {
        fn set(&self, by: i64) {
            self.wall.fetch_add(by, Ordering::Relaxed);
        }

        fn passes(&self, ms: i64) {
            self.set(ms);
            self.elapsed.fetch_add(ms, Ordering::Relaxed);
        }
    }

    fn fresh() -> (Arc<Fake>, Clock) {
        let machine = Arc::new(Fake::default());
        (Arc::clone(&machine), Clock::of(machine))
    }

    fn at(ms: i64) -> DateTime<Utc> {
        utc(Millis(BEGINNING + ms))
    }

    #[test]
    fn all_clocks_agree_until_the_machines_is_set() {
        let (machine, clock) = fresh();
        machine.passes(500);
        assert_eq!((clock.now(), clock.steady(), clock.wall()), (Millis(BEGINNING + 500), at(500), at(500)));
        for (by, wall) in [(30_000, 30_500), (-3_600_000, -3_569_500)] {
            machine.set(by);
            assert_eq!((clock.now(), clock.steady(), clock.wall()), (Millis(BEGINNING + 500), at(500), at(wall)));
            assert_eq!(clock.compare(), Some(Step { at: at(wall), by, seen: 500 }));
            assert_eq!(clock.compare(), None, "told once");
        }
        let history = clock.history();
        assert_eq!((history.steps, history.last_step.unwrap().by, history.pauses), (2, -3_600_000, 0));
        assert_eq!(
            clock.warnings(),
            ["The machine's clock was set back by 3600 s (it said 2027-01-15 07:00:30 UTC then); no game goes by it."]
        );
        machine.passes(NEWS);
        assert_eq!(clock.warnings(), [""; 0]);
    }

    #[test]
    fn the_calendar_follows_the_machine_and_small_corrections_are_no_news() {
        let (machine, clock) = fresh();
        machine.set(300);
        assert_eq!((clock.compare(), clock.to_calendar()), (None, 300));
        machine.set(-3_600_300);
        clock.compare();
        assert_eq!(utc(clock.now() + clock.to_calendar()), clock.wall());
        assert_eq!(clock.history().steps, 1);
    }

    #[test]
    fn after_a_pause_the_plays_time_stands_still_until_it_is_released() {
        let (machine, clock) = fresh();
        let _watch = clock.watch();
        machine.passes(50);
        let before = clock.times();
        machine.passes(60_000);
        assert_eq!(clock.times(), before, "whoever asks first sees the pause");
        assert!(clock.is_held());
        machine.passes(2_000);
        assert_eq!(clock.times(), before, "and so does everybody else");
        assert_eq!((clock.steady(), clock.wall()), (at(62_050), at(62_050)), "a code grows older meanwhile");
        clock.release();
        machine.passes(70);
        assert_eq!(clock.now(), before.steady + 70);
        assert_eq!(clock.times().calendar, Millis(BEGINNING + 62_120));
        assert_eq!(utc(clock.now() + clock.to_calendar()), clock.wall());
        let pause = clock.history().last_pause.unwrap();
        assert_eq!((pause.lasted, pause.at, clock.history().pauses), (60_000, at(60_050), 1));
    }

    #[test]
    fn nobody_takes_a_quiet_program_for_a_stopped_one() {
        let (machine, clock) = fresh();
        machine.passes(60_000);
        assert_eq!(clock.now(), Millis(BEGINNING + 60_000), "nobody watches");
        let watch = clock.watch();
        for _ in 0..100 {
            machine.passes(PAUSE);
            clock.now();
        }
        assert!(!clock.is_held());
        drop(watch);
        machine.passes(60_000);
        clock.now();
        assert!(!clock.is_held());
    }

    #[test]
    fn a_test_that_puts_the_clocks_forward_causes_neither() {
        let (machine, clock) = fresh();
        let _watch = clock.watch();
        clock.advance(3_600_000);
        machine.passes(10);
        assert_eq!((clock.now(), clock.wall()), (Millis(BEGINNING + 3_600_010), at(3_600_010)));
        assert_eq!((clock.compare(), clock.is_held()), (None, false));
    }

    #[test]
    fn a_restart_goes_on_where_the_clocks_were() {
        let (machine, clock) = fresh();
        machine.set(3_600_000);
        clock.compare();
        machine.passes(1_000);
        let stored = clock.reading();
        assert_eq!(stored.steady, BEGINNING + 1_000);
        // Down for five seconds.
        let again = Arc::new(Fake::default());
        again.set(3_606_000);
        let clock = Clock::of(again.clone());
        clock.resume(&stored);
        assert_eq!(
            (clock.steady(), clock.wall()),
            (at(6_000), at(3_606_000)),
            "the step before it is no jump after it"
        );
        assert_eq!(utc(clock.now() + clock.to_calendar()), clock.wall());
        // Set back while it was down: time does not run backwards.
        again.set(-7_200_000);
        let clock = Clock::of(again.clone());
        clock.resume(&stored);
        let stopped_at = Millis(stored.play);
        assert_eq!(clock.now(), stopped_at);
        for stored in [stopped_at + 1_500, stopped_at] {
            clock.not_before(stored);
            assert_eq!(clock.now(), stopped_at + 1_500);
        }
    }

    fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                sources(&path, found);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                found.push(path);
            }
        }
    }

    /// Where nothing is decided by the time that is read: it is a date that is written down, or in a name.
    const MAY_READ: [&str; 11] = [
        "src/clock.rs",
        "src/cli/",
        "src/demo.rs",
        "src/http/well_known.rs",
        "src/logbook/layer.rs",
        "src/logging.rs",
        "src/mail.rs",
        "store/src/billing.rs",
        "store/src/migrate.rs",
        "store/src/query_plans.rs",
        "store/src/store.rs",
    ];

    #[test]
    fn nobody_else_reads_the_machines_clock() {
        let top = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut files = vec![];
        for folder in ["src", "store/src", "rules/src"] {
            sources(&top.join(folder), &mut files);
        }
        assert!(files.len() > 100, "{files:?}");
        let mut found = vec![];
        for file in files {
            let name = file.strip_prefix(top).unwrap().display().to_string();
            if MAY_READ.iter().any(|may| name.starts_with(may)) || name.ends_with("/tests.rs") {
                continue;
            }
            let text = std::fs::read_to_string(&file).unwrap();
            let program = text.split("#[cfg(test)]").next().unwrap();
            for (number, line) in program.lines().enumerate() {
                if ["Utc::now()", "SystemTime::now()", "time::now()"].iter().any(|call| line.contains(call)) {
                    found.push(format!("{name}:{}: {}", number + 1, line.trim()));
                }
            }
        }
        assert!(found.is_empty(), "use the clock of the server (crate::clock::Clock) instead:\n{}", found.join("\n"));
    }
}
