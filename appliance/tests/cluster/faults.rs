//! What goes wrong in a run, and when: all from one seed.

use std::{collections::BTreeSet, fmt, time::Duration};

use rand::{Rng, SeedableRng, rngs::StdRng};
use tokio::time::{Instant, sleep, sleep_until};

use crate::{
    cluster::{Cluster, NAMES},
    link::Condition,
    runs::{FIRST_SEED, LENGTH, RUNS},
};

/// A node; nobody knows before who leads.
#[derive(Debug, Clone, Copy)]
pub enum Victim {
    Leader,
    Node(usize),
}

#[derive(Debug, Clone, Copy)]
pub enum Fault {
    KillNode(Victim),
    StopNode(Victim),
    /// Its ways to one NATS server, or to all.
    Ways(Victim, Option<usize>, Condition),
    FullDisk(Victim),
    /// Seconds ahead of the machine's clock; stays so.
    Clock(Victim, i64),
    KillServer(usize),
    StopServer(usize),
    /// Between two NATS servers.
    Routes(usize, usize, Condition),
}

#[derive(Debug, Clone, Copy)]
pub struct Planned {
    /// From the begin of the run.
    at: Duration,
    lasts: Duration,
    fault: Fault,
}

/// Two lines of faults, in each one after the other: at most one node and one NATS server are in trouble at a time, besides
/// clocks.
pub struct Schedule {
    pub nodes: Vec<Planned>,
    pub servers: Vec<Planned>,
}

impl Schedule {
    pub fn of(seed: u64, length: Duration) -> Self {
        let mut random = StdRng::seed_from_u64(seed);
        Self { nodes: line(&mut random, length, node_fault), servers: line(&mut random, length, server_fault) }
    }
}

impl fmt::Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut all: Vec<_> = self.nodes.iter().chain(&self.servers).collect();
        all.sort_by_key(|planned| planned.at);
        for Planned { at, lasts, fault } in all {
            writeln!(f, "  {:>6} ms, for {:>4} ms: {fault:?}", at.as_millis(), lasts.as_millis())?;
        }
        Ok(())
    }
}

fn line(random: &mut StdRng, length: Duration, fault: fn(&mut StdRng) -> Fault) -> Vec<Planned> {
    let mut planned = vec![];
    let mut at = milliseconds(random, 800, 2_500);
    while at < length {
        let fault = fault(random);
        let lasts = match fault {
            Fault::Clock(..) => Duration::ZERO,
            Fault::StopNode(_) | Fault::StopServer(_) => milliseconds(random, 1_000, 6_000),
            _ => milliseconds(random, 500, 4_000),
        };
        planned.push(Planned { at, lasts, fault });
        at += lasts + milliseconds(random, 500, 3_000);
    }
    planned
}

fn milliseconds(random: &mut StdRng, from: u64, to: u64) -> Duration {
    Duration::from_millis(random.random_range(from..to))
}

fn node_fault(random: &mut StdRng) -> Fault {
    let victim = if random.random_bool(0.6) { Victim::Leader } else { Victim::Node(any(random)) };
    match random.random_range(0..10) {
        0..3 => Fault::KillNode(victim),
        3..5 => Fault::StopNode(victim),
        5..8 => {
            let server = random.random_bool(0.4).then(|| any(random));
            Fault::Ways(victim, server, condition(random))
        }
        8 => Fault::FullDisk(victim),
        _ => Fault::Clock(victim, random.random_range(-3_600..3_600)),
    }
}

fn server_fault(random: &mut StdRng) -> Fault {
    let server = any(random);
    match random.random_range(0..10) {
        0..3 => Fault::KillServer(server),
        3..6 => Fault::StopServer(server),
        _ => Fault::Routes(server, (server + 1) % NAMES.len(), condition(random)),
    }
}

fn any(random: &mut StdRng) -> usize {
    random.random_range(0..NAMES.len())
}

fn condition(random: &mut StdRng) -> Condition {
    match random.random_range(0..3) {
        0 => Condition::Silent,
        1 => Condition::Broken,
        _ => Condition::Slow(milliseconds(random, 20, 400)),
    }
}

/// Carries out a line of faults; returns when the last one is over.
pub async fn carry_out(cluster: &Cluster, line: &[Planned], begin: Instant) {
    for planned in line {
        sleep_until(begin + planned.at).await;
        carry_out_one(cluster, planned).await;
    }
}

async fn carry_out_one(cluster: &Cluster, planned: &Planned) {
    let Planned { lasts, fault, .. } = *planned;
    match fault {
        Fault::KillNode(victim) => {
            let node = &cluster.nodes[number_of(cluster, victim).await];
            node.kill();
            sleep(lasts).await;
            node.start();
        }
        Fault::StopNode(victim) => {
            let node = &cluster.nodes[number_of(cluster, victim).await];
            node.signal("-STOP");
            sleep(lasts).await;
            node.signal("-CONT");
        }
        Fault::Ways(victim, server, condition) => {
            let node = number_of(cluster, victim).await;
            cluster.set_ways(node, server, condition);
            sleep(lasts).await;
            cluster.set_ways(node, server, Condition::Open);
        }
        Fault::FullDisk(victim) => {
            let filler = cluster.nodes[number_of(cluster, victim).await].fill_disk();
            sleep(lasts).await;
            if let Some(filler) = filler {
                std::fs::remove_file(filler).unwrap();
            }
        }
        Fault::Clock(victim, ahead) => cluster.nodes[number_of(cluster, victim).await].set_clock(ahead),
        Fault::KillServer(server) => {
            cluster.servers[server].kill();
            sleep(lasts).await;
            cluster.servers[server].start();
        }
        Fault::StopServer(server) => {
            cluster.servers[server].signal("-STOP");
            sleep(lasts).await;
            cluster.servers[server].signal("-CONT");
        }
        Fault::Routes(one, other, condition) => {
            cluster.set_routes(one, other, condition);
            sleep(lasts).await;
            cluster.set_routes(one, other, Condition::Open);
        }
    }
}

/// Any node, if nobody is known to lead.
async fn number_of(cluster: &Cluster, victim: Victim) -> usize {
    match victim {
        Victim::Node(number) => number,
        Victim::Leader => {
            let asking = tokio::time::timeout(Duration::from_secs(2), cluster.leader());
            asking.await.ok().flatten().unwrap_or_default()
        }
    }
}

#[test]
fn a_seed_has_one_schedule() {
    let schedule = |seed| Schedule::of(seed, Duration::from_secs(18)).to_string();
    assert_eq!(schedule(7), schedule(7));
    assert_ne!(schedule(7), schedule(8));
    assert!((0..20).all(|seed| schedule(seed).lines().count() > 3));
}

#[test]
fn the_runs_have_every_kind_of_fault() {
    let kind = |fault| match fault {
        Fault::KillNode(Victim::Leader) => 0,
        Fault::KillNode(Victim::Node(_)) => 1,
        Fault::StopNode(Victim::Leader) => 2,
        Fault::StopNode(Victim::Node(_)) => 3,
        Fault::Ways(_, None, _) => 4,
        Fault::Ways(_, Some(_), Condition::Silent) => 5,
        Fault::Ways(_, Some(_), Condition::Broken) => 6,
        Fault::Ways(_, Some(_), _) => 7,
        Fault::FullDisk(Victim::Leader) => 8,
        Fault::FullDisk(Victim::Node(_)) => 9,
        Fault::Clock(..) => 10,
        Fault::KillServer(_) => 11,
        Fault::StopServer(_) => 12,
        Fault::Routes(_, _, Condition::Silent) => 13,
        Fault::Routes(_, _, Condition::Broken) => 14,
        Fault::Routes(..) => 15,
    };
    let schedules = (FIRST_SEED..FIRST_SEED + RUNS).map(|seed| Schedule::of(seed, LENGTH));
    let faults = schedules.flat_map(|schedule| schedule.nodes.into_iter().chain(schedule.servers));
    let kinds: BTreeSet<_> = faults.map(|planned| kind(planned.fault)).collect();
    assert_eq!(kinds, (0..16).collect::<BTreeSet<_>>());
}
