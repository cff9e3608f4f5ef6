//! Another node leads: after a kill, when the leader is asked to step down, and during a rolling restart.
//!
//! `MORPION_CLUSTER_TAKEOVERS` is the number of kills.

use std::time::{Duration, Instant};

use serde_json::json;
use tokio::time::timeout;

use crate::{
    cluster::{Cluster, NAMES},
    receiver::{Receiver, Reply},
    runs::number,
    site::Site,
    tables::Tables,
};

/// Kills of the leader.
const KILLS: u64 = 2;

/// Longer than any client waits, also on a busy machine; how long they wait is printed.
const HUNG: Duration = Duration::from_secs(30);

/// A command that waits until another node leads.
const PATIENCE: Duration = Duration::from_secs(30);

const PAIRS: usize = 3;

/// Play before something happens, and after it.
const WHILE: Duration = Duration::from_secs(3);

#[tokio::test(flavor = "multi_thread")]
async fn after_a_kill_of_the_leader_another_node_leads_and_nothing_is_lost() {
    let cluster = Cluster::start().await;
    let tables = Tables::begin(&cluster, PAIRS, 0).await;
    let (mut until_back, mut gaps) = (vec![], vec![]);
    for _ in 0..number("MORPION_CLUSTER_TAKEOVERS", KILLS) {
        tokio::time::sleep(WHILE).await;
        let killed = cluster.until_complete().await;
        let begin = Instant::now();
        cluster.nodes[killed].kill();
        // What was on its way when it was killed.
        let silent = begin + Duration::from_millis(500);
        let back = tables.acknowledged_after(silent, HUNG).await.unwrap();
        let leader = cluster.until_led().await;
        assert_ne!(leader, killed);
        until_back.push(back + (silent - begin));
        tokio::time::sleep(WHILE).await;
        gaps.push(tables.longest_gap(begin));
        cluster.nodes[killed].start();
        cluster.until_caught_up(killed).await;
    }
    println!("a move is acknowledged again after {}", quantiles(until_back));
    println!("the longest gap of a pair of players: {}", quantiles(gaps));
    let played = tables.end().await.unwrap();
    assert!(played.acknowledged().1 > 0, "nobody could buy anything");
    for node in 0..NAMES.len() {
        played.check_at(&cluster, node).await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_webhook_was_being_told_is_told_by_the_next_leader() {
    let receiver = Receiver::start().await;
    let mut site = Site::open(Cluster::start_with("[webhooks]\nallow_private_addresses = true\n").await).await;
    let [follower, _] = site.followers();
    let wish = json!({ "url": receiver.url(), "kinds": ["event.started"] });
    let made = site.operate(follower, "create_webhook", wish).await;
    receiver.will([Reply::Hang]);
    site.operate(follower, "test_webhook", json!({ "webhookId": made["webhook"]["webhookId"] })).await;
    let first = receiver.wait(1).await.remove(0);
    site.loses_its_leader().await;
    let again = receiver.wait(2).await.remove(1);
    assert_eq!((&again.id, &again.text), (&first.id, &first.text));
    // The secret is sealed with what all nodes have.
    assert!(again.is_signed_with(made["secret"].as_str().unwrap()));
}

/// For example `p50 3.1 s, p99 4.0 s, 3.0 to 4.2 s of 30`.
fn quantiles(mut times: Vec<Duration>) -> String {
    times.sort_unstable();
    let seconds = |share: f64| times[((times.len() - 1) as f64 * share).ceil() as usize].as_secs_f64();
    let (p50, p99, least, most) = (seconds(0.5), seconds(0.99), seconds(0.0), seconds(1.0));
    format!("p50 {p50:.1} s, p99 {p99:.1} s, {least:.1} to {most:.1} s of {}", times.len())
}

#[tokio::test(flavor = "multi_thread")]
async fn stepping_down_costs_clients_a_moment() {
    let cluster = Cluster::start().await;
    let tables = Tables::begin(&cluster, PAIRS, 0).await;
    tokio::time::sleep(WHILE).await;
    let leader = cluster.until_complete().await;
    let begin = Instant::now();
    let command = cluster.nodes[leader].command(&["cluster", "step-down"]);
    let output = timeout(PATIENCE, tokio::process::Command::from(command).output()).await.unwrap().unwrap();
    assert!(output.status.success(), "{output:?}");
    tables.acknowledged_after(Instant::now(), HUNG).await.unwrap();
    let gap = tables.longest_gap(begin);
    println!("the longest gap of a pair of players: {gap:?}");
    assert_ne!(cluster.until_led().await, leader);
    let played = tables.end().await.unwrap();
    played.check_at(&cluster, leader).await.unwrap();
    assert!(gap < HUNG, "a client waited for {gap:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rolling_restart_costs_clients_moments() {
    let cluster = Cluster::start().await;
    let tables = Tables::begin(&cluster, PAIRS, 0).await;
    tokio::time::sleep(WHILE).await;
    let leader = cluster.until_complete().await;
    let begin = Instant::now();
    // The leader last.
    for node in (1..=NAMES.len()).map(|further| (leader + further) % NAMES.len()) {
        cluster.nodes[node].terminate().await;
        cluster.nodes[node].start();
        cluster.until_caught_up(node).await;
    }
    tables.acknowledged_after(Instant::now(), HUNG).await.unwrap();
    let gap = tables.longest_gap(begin);
    println!("the longest gap of a pair of players: {gap:?}");
    let played = tables.end().await.unwrap();
    played.check_at(&cluster, leader).await.unwrap();
    assert!(gap < HUNG, "a client waited for {gap:?}");
}
