//! Nodes that follow: what they have when they lead at last.

use std::time::Duration;

use crate::{
    cluster::{Cluster, NAMES},
    nats::NatsServer,
    node::Machine,
    tables::{Played, Tables},
};

const PAIRS: usize = 2;

const WHILE: Duration = Duration::from_secs(4);

/// A busy machine needs longer for as many.
const MOVES: usize = 20;

/// Kills all others: what this node answers now is what it has itself.
async fn has_everything(cluster: &Cluster, node: usize, played: &Played) {
    cluster.until_caught_up(node).await;
    (0..NAMES.len()).filter(|other| *other != node).for_each(|other| cluster.nodes[other].kill());
    cluster.until_ready().await.unwrap();
    assert_eq!(cluster.until_led().await, node);
    let (moves, _) = played.acknowledged();
    assert!(moves > MOVES, "{moves} moves");
    played.check_at(cluster, node).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_node_that_was_away_catches_up() {
    let cluster = Cluster::start().await;
    let tables = Tables::begin(&cluster, PAIRS, 0).await;
    let away = (cluster.until_complete().await + 1) % NAMES.len();
    cluster.nodes[away].kill();
    tokio::time::sleep(WHILE).await;
    cluster.nodes[away].start();
    cluster.until_caught_up(away).await;
    tables.until_more_than(MOVES).await;
    let played = tables.end().await.unwrap();
    has_everything(&cluster, away, &played).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_node_gets_a_copy_and_what_came_since() {
    let cluster = Cluster::start_on(Machine::Shared, NAMES.len() - 1).await;
    let new = NAMES.len() - 1;
    let tables = Tables::begin_at(&cluster, new, PAIRS, 0).await;
    tokio::time::sleep(WHILE).await;
    cluster.nodes[new].start();
    cluster.until_caught_up(new).await;
    tokio::time::sleep(WHILE / 2).await;
    tables.until_more_than(MOVES).await;
    let played = tables.end().await.unwrap();
    has_everything(&cluster, new, &played).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn data_of_a_cluster_that_nats_lost_begin_another() {
    let cluster = Cluster::start_on(Machine::Shared, 1).await;
    let tables = Tables::begin_at(&cluster, 1, PAIRS, 0).await;
    tokio::time::sleep(WHILE).await;
    tables.until_more_than(MOVES).await;
    let played = tables.end().await.unwrap();
    cluster.nodes[0].terminate().await;
    cluster.servers.iter().for_each(NatsServer::lose);
    cluster.nodes[0].forget_cluster();
    cluster.servers.iter().for_each(NatsServer::start);
    for node in [0, 1] {
        cluster.nodes[node].start();
        cluster.until_ready().await.unwrap();
    }
    has_everything(&cluster, 1, &played).await;
}
