//! NATS without a majority, or away: nothing is written, and everybody is told.

use std::time::{Duration, Instant};

use reqwest::StatusCode;
use serde_json::json;

use crate::{
    client::{Account, Answer, Caller, outcome},
    cluster::{Cluster, NAMES},
    history::Outcome,
    nats::NatsServer,
};

/// How long until every node refuses, and until every node writes again.
const PATIENCE: Duration = Duration::from_secs(60);

/// How long until a node listens, on a busy machine.
const STARTED_WITHIN: Duration = Duration::from_secs(20);

/// A small change, through a node.
async fn invite(cluster: &Cluster, node: usize, account: &Account) -> Option<Answer> {
    let payload = json!({ "players": [{ "userId": account.id }], "gameType": "invite", "boardSize": 3 });
    let address = cluster.nodes[node].address;
    cluster.http.write(address, Caller::Person(account), "game", "create_game", payload).await
}

/// Asks until the answer is as wanted; returns it.
async fn until(cluster: &Cluster, node: usize, account: &Account, wanted: impl Fn(&Answer) -> bool) -> Answer {
    let begin = Instant::now();
    loop {
        let answer = invite(cluster, node, account).await;
        let seen = answer.as_ref().map(|answer| (answer.status, answer.body.clone()));
        if let Some(answer) = answer.filter(&wanted) {
            return answer;
        }
        assert!(begin.elapsed() < PATIENCE, "node {}: {seen:?}", NAMES[node]);
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_majority_of_nats_writes_are_refused_until_it_is_back() {
    let cluster = Cluster::start().await;
    let account = cluster.http.register(cluster.nodes[0].address, "ada").await.1.expect("everybody may register");
    let made = until(&cluster, 0, &account, |answer| outcome(Some(answer)) == Outcome::Acknowledged).await;
    let game = made.body["game"]["gameId"].clone();

    for server in &cluster.servers[1..] {
        server.kill();
    }
    for (node, name) in NAMES.iter().enumerate() {
        let refused = until(&cluster, node, &account, |answer| answer.status == StatusCode::SERVICE_UNAVAILABLE).await;
        let text = |field: &str| refused.body[field].as_str().unwrap_or_default().to_owned();
        assert!(!text("errorMessage").is_empty() && !text("errorCode").is_empty(), "{}", refused.body);
        assert!(refused.has_retry_after, "{}", refused.body);
        println!("{name}: {}", text("errorMessage"));
        // What needs no leader is answered, the web app as well, in which people can practise.
        let page = cluster.http.get(cluster.nodes[node].address, Caller::Nobody, "/healthz").await.unwrap();
        assert_eq!(page.status, StatusCode::OK, "{name}");
    }

    for server in &cluster.servers[1..] {
        server.start();
    }
    for node in 0..NAMES.len() {
        until(&cluster, node, &account, |answer| outcome(Some(answer)) == Outcome::Acknowledged).await;
        let payload = json!({ "gameId": game });
        let address = cluster.nodes[node].address;
        let read = cluster.http.read(address, Caller::Person(&account), "game", "get_game", payload).await.unwrap();
        assert_eq!(read.status, StatusCode::OK, "{}", read.body);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_node_that_starts_without_nats_serves_what_needs_no_leader_and_follows_once_it_is_back() {
    let cluster = Cluster::start().await;
    let account = cluster.http.register(cluster.nodes[0].address, "ada").await.1.expect("everybody may register");
    let number = (cluster.until_complete().await + 1) % NAMES.len();
    let node = &cluster.nodes[number];
    cluster.servers.iter().for_each(NatsServer::kill);
    node.kill();
    node.start();

    let begin = Instant::now();
    let get = async |path: &str| cluster.http.get(node.address, Caller::Nobody, path).await;
    let health = loop {
        if let Some(health) = get("/healthz").await {
            break health;
        }
        assert!(begin.elapsed() < STARTED_WITHIN, "it answers nothing");
        tokio::time::sleep(Duration::from_millis(100)).await;
    };
    assert_eq!(health.status, StatusCode::OK, "{}", health.body);
    let ready = get("/readyz").await.unwrap();
    assert_eq!(ready.status, StatusCode::SERVICE_UNAVAILABLE, "{}", ready.body);
    // In a fresh clone the web app is not built, which a page says.
    let page = get("/").await.unwrap().body;
    assert!(page.as_str().is_some_and(|page| page.to_lowercase().starts_with("<!doctype html>")), "{page}");
    let refused = invite(&cluster, number, &account).await.unwrap();
    assert_eq!(refused.status, StatusCode::SERVICE_UNAVAILABLE, "{}", refused.body);
    assert!(refused.has_retry_after, "{}", refused.body);
    assert!(!node.has_crashed());

    cluster.servers.iter().for_each(NatsServer::start);
    until(&cluster, number, &account, |answer| outcome(Some(answer)) == Outcome::Acknowledged).await;
    // It may lead by now, as any other node.
    if cluster.until_led().await != number {
        cluster.until_caught_up(number).await;
    }
}
