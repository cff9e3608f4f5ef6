//! Runs with faults: clients of all nodes play and register while nodes, NATS servers and links fail, and nothing that was
//! acknowledged is lost.
//!
//! `MORPION_CLUSTER_RUNS` is the number of runs, `MORPION_CLUSTER_SEED` the first one's seed.

use std::time::Duration;

use futures_util::{StreamExt, stream};
use tokio::time::{Instant, timeout};

use crate::{
    cluster::{Cluster, NAMES, at_once},
    faults::{Schedule, carry_out},
    history::End,
    node::Machine,
    small_disk::may_mount,
    tables::{Played, Tables},
};

/// With these seeds they have every kind of fault; `make prove` makes more.
pub const RUNS: u64 = 4;

pub const FIRST_SEED: u64 = 22;

/// Faults begin within this time.
pub const LENGTH: Duration = Duration::from_secs(16);

/// A whole run, with its start and its check.
const PATIENCE: Duration = Duration::from_secs(400);

/// How long until something is acknowledged after all faults.
const GOES_ON: Duration = Duration::from_secs(30);

const PAIRS: usize = 4;

#[tokio::test(flavor = "multi_thread")]
async fn runs_with_faults() {
    // Disks that can be filled.
    if !may_mount("runs_with_faults") {
        return;
    }
    let first = number("MORPION_CLUSTER_SEED", FIRST_SEED);
    let seeds = first..first + number("MORPION_CLUSTER_RUNS", RUNS);
    let runs = stream::iter(seeds.clone()).map(run).buffer_unordered(at_once());
    let failures: Vec<String> = runs.filter_map(async |failed| failed).collect().await;
    assert!(failures.is_empty(), "{} of {} runs:\n{}", failures.len(), seeds.count(), failures.join("\n"));
}

/// A number from the environment.
pub fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).map_or(otherwise, |text| text.parse().unwrap())
}

/// Returns what went wrong, if something did.
async fn run(seed: u64) -> Option<String> {
    let schedule = Schedule::of(seed, LENGTH);
    let mut cluster = Cluster::start_on(Machine::Own, NAMES.len()).await;
    let run = timeout(PATIENCE, one_run(&cluster, &schedule, seed)).await;
    match run.unwrap_or_else(|_| Err("it does not end".to_owned())) {
        Ok((moves, purchases)) => {
            println!("seed {seed}: {moves} moves and {purchases} purchases were acknowledged");
            None
        }
        Err(wrong) => {
            let logs = cluster.keep_logs();
            Some(format!("MORPION_CLUSTER_SEED={seed}: {wrong}\nLogs: {}\n{schedule}", logs.display()))
        }
    }
}

/// Returns how many moves and purchases were acknowledged.
async fn one_run(cluster: &Cluster, schedule: &Schedule, seed: u64) -> Result<(usize, usize), String> {
    let tables = Tables::begin(cluster, PAIRS, seed).await;
    let begin = Instant::now();
    tokio::join!(carry_out(cluster, &schedule.nodes, begin), carry_out(cluster, &schedule.servers, begin));
    cluster.heal().await?;
    tables.acknowledged_after(Instant::now().into_std(), GOES_ON).await?;
    let played = tables.end().await?;
    same_everywhere(cluster, &played).await?;
    // The next leader has it, too.
    let leader = cluster.until_led().await;
    cluster.nodes[leader].kill();
    cluster.until_ready().await?;
    played.check_at(cluster, (leader + 1) % NAMES.len()).await?;
    cluster.nodes[leader].start();
    cluster.until_ready().await?;
    played.check_at(cluster, leader).await?;
    Ok(played.acknowledged())
}

/// All nodes answer the same, and it is what was acknowledged.
async fn same_everywhere(cluster: &Cluster, played: &Played) -> Result<(), String> {
    let mut first: Option<End> = None;
    for (node, name) in NAMES.iter().enumerate() {
        let mut end = played.check_at(cluster, node).await?;
        // Players who leave change the version, and nothing else.
        end.games.values_mut().for_each(|game| game.version = 0);
        match &first {
            None => first = Some(end),
            Some(first) if *first != end => return Err(format!("{first:?} and, at {name}, {end:?}")),
            Some(_) => {}
        }
    }
    Ok(())
}
