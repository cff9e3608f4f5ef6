//! Schedules of whole clusters, judged by a checker of their own. In the crate's tests only.

mod broker;
mod checker;
mod clients;
mod disk;
mod faults;
mod history;
mod random;
mod server;
mod world;

use self::history::Record;
use crate::mutation::Mutation;

/// How many schedules an ordinary run tries; `make prove` sets `MORPION_CLUSTER_SCHEDULES`.
const SCHEDULES: u64 = 3_000;
/// Within how many schedules a broken protocol has to be caught.
const MUTANT_SCHEDULES: u64 = 2_000;

fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok()?.parse().ok()
}

#[test]
fn no_schedule_breaks_a_promise() {
    let first = number("MORPION_CLUSTER_SEED").unwrap_or(0);
    let count = number("MORPION_CLUSTER_SCHEDULES").unwrap_or(SCHEDULES);
    let threads = std::thread::available_parallelism().map_or(1, |threads| threads.get() as u64);
    let judged = std::thread::scope(|scope| {
        let seeds = |thread| (first + thread..first + count).step_by(threads as usize);
        let workers: Vec<_> =
            (0..threads).map(|thread| scope.spawn(move || seeds(thread).map(judge).fold([0; 3], plus))).collect();
        workers.into_iter().map(|worker| worker.join().expect("a schedule broke a promise")).fold([0; 3], plus)
    });
    let [acknowledged, led, restored] = judged;
    println!("{count} schedules from {first}: {acknowledged} acknowledgements, {led} leaders, {restored} restores");
    // Otherwise the schedules prove little.
    assert!(acknowledged > 10 * count && led > 2 * count && restored > 2 * count, "{judged:?}");
}

/// Runs a schedule; its acknowledgements, leaderships and restores.
fn judge(seed: u64) -> [u64; 3] {
    let outcome = world::run(seed, None);
    let violations = checker::violations(&outcome);
    assert!(violations.is_empty(), "seed {seed}: {violations:#?}");
    let number = |what: fn(&Record) -> bool| outcome.records.iter().filter(|record| what(record)).count() as u64;
    [
        number(|record| matches!(record, Record::Acknowledged { .. })),
        number(|record| matches!(record, Record::Led { .. })),
        number(|record| matches!(record, Record::Restored)),
    ]
}

fn plus(a: [u64; 3], b: [u64; 3]) -> [u64; 3] {
    std::array::from_fn(|at| a[at] + b[at])
}

#[test]
fn a_seed_always_gives_the_same_schedule() {
    let history = |seed| format!("{:?}", world::run(seed, None));
    assert_eq!(history(7), history(7));
    assert_ne!(history(7), history(8));
}

/// Runs schedules of a broken protocol until the checker finds a violation of the kind that the fault has to lead to.
fn assert_caught(mutation: Mutation, expected: &[&str]) {
    let caught = (0..MUTANT_SCHEDULES).find_map(|seed| {
        let violations = checker::violations(&world::run(seed, Some(mutation)));
        violations.into_iter().find(|found| expected.iter().any(|kind| found.contains(kind))).map(|found| (seed, found))
    });
    let Some((seed, found)) = caught else {
        panic!("{mutation:?} was not caught in {MUTANT_SCHEDULES} schedules");
    };
    println!("{mutation:?} is caught by schedule {seed}: {found}");
}

macro_rules! mutants {
    ($($name:ident: $mutation:ident => $expected:expr;)*) => {
        $(
            #[test]
            fn $name() {
                assert_caught(Mutation::$mutation, &$expected);
            }
        )*
    };
}

mutants! {
    acknowledging_before_the_stream_has_it_is_caught: AcknowledgeBeforeStream => ["acknowledged and lost"];
    not_fencing_an_old_leader_is_caught: NoFencing => ["stands at place", "acknowledged and lost", "there twice"];
    retrying_a_publish_blindly_is_caught: RetryBlindly => ["there twice"];
    publishing_two_batches_at_once_is_caught: Pipeline => ["stands at place", "acknowledged and lost"];
    keeping_a_store_that_diverged_is_caught: KeepDivergence => ["no prefix", "differs from the stream"];
    reading_without_the_lease_is_caught: ReadWithoutLease => ["of game"];
    taking_the_lease_over_early_is_caught: TakeOverEarly => ["of game"];
}
