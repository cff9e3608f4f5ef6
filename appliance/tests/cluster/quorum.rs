//! NATS without a majority: nothing is written, and everybody is told.

use std::time::{Duration, Instant};

use reqwest::StatusCode;
use serde_json::json;

use crate::{
    client::{Account, Answer, Caller, outcome},
    cluster::{Cluster, NAMES},
    history::Outcome,
};

/// How long until every node refuses, and until every node writes again.
const PATIENCE: Duration = Duration::from_secs(60);

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
