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

impl TimeSource for Fake {
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
fn all_clocks_agree_until_the_machine_clock_is_set() {
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
    machine.passes(WARN_FOR);
    assert_eq!(clock.warnings(), [""; 0]);
}

#[test]
fn wall_time_follows_the_machine_and_small_corrections_cause_no_warning() {
    let (machine, clock) = fresh();
    machine.set(300);
    assert_eq!((clock.compare(), clock.to_calendar()), (None, 300));
    machine.set(-3_600_300);
    clock.compare();
    assert_eq!(utc(clock.now() + clock.to_calendar()), clock.wall());
    assert_eq!(clock.history().steps, 1);
}

#[test]
fn after_a_pause_play_time_is_frozen_until_released() {
    let (machine, clock) = fresh();
    let _watch = clock.watch();
    machine.passes(50);
    let before = clock.times();
    machine.passes(60_000);
    assert_eq!(clock.times(), before, "whoever asks first sees the pause");
    assert!(clock.is_frozen());
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
fn an_idle_program_is_not_mistaken_for_a_stopped_one() {
    let (machine, clock) = fresh();
    machine.passes(60_000);
    assert_eq!(clock.now(), Millis(BEGINNING + 60_000), "nobody watches");
    let watch = clock.watch();
    for _ in 0..100 {
        machine.passes(PAUSE);
        clock.now();
    }
    assert!(!clock.is_frozen());
    drop(watch);
    machine.passes(60_000);
    clock.now();
    assert!(!clock.is_frozen());
}

#[test]
fn advancing_the_test_clock_is_neither_a_step_nor_a_pause() {
    let (machine, clock) = fresh();
    let _watch = clock.watch();
    clock.advance(3_600_000);
    machine.passes(10);
    assert_eq!((clock.now(), clock.wall()), (Millis(BEGINNING + 3_600_010), at(3_600_010)));
    assert_eq!((clock.compare(), clock.is_frozen()), (None, false));
}

#[test]
fn after_a_restart_the_clocks_continue() {
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
    assert_eq!((clock.steady(), clock.wall()), (at(6_000), at(3_606_000)), "the step before it is no jump after it");
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
const MAY_READ: [&str; 12] = [
    "src/clock.rs",
    "src/cli/",
    "src/demo.rs",
    "src/http/well_known.rs",
    "src/logbook/layer.rs",
    "src/logging.rs",
    "src/logging/files.rs",
    "src/mail.rs",
    "store/src/billing.rs",
    "store/src/migrate.rs",
    "store/src/query_plans.rs",
    "store/src/store.rs",
];

#[test]
fn no_other_module_reads_the_machine_clock() {
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
