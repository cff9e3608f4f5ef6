//! Strangers who write to the log.

use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::time::{Instant, sleep};

use crate::{
    process::{Process, register},
    support::Server,
};

/// Reads as the operator of the machine.
async fn read(process: &Process, folder: &TempDir, action: &str, payload: Value) -> Value {
    let token = std::fs::read_to_string(folder.path().join("operator.token")).unwrap();
    let query = [("action", action.to_owned()), ("payload", payload.to_string())];
    let request = reqwest::Client::builder().no_proxy().build().unwrap();
    let request = request.get(format!("http://{}/api/backend/logger", process.address)).query(&query);
    let answer: Value = request.bearer_auth(token.trim()).send().await.unwrap().json().await.unwrap();
    assert_eq!(answer["succeeded"], true, "{answer}");
    answer["data"].clone()
}

async fn count(process: &Process, folder: &TempDir, filter: Value) -> u64 {
    let data = read(process, folder, "getLogs", json!({ "filter": filter, "limit": 1 })).await;
    data["pagination"]["totalCount"].as_u64().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_flood_of_clients_deletes_no_record_of_the_server() {
    let folder = TempDir::new().unwrap();
    let settings = [
        ("MORPION_LOG__LEVEL", "info"),
        ("MORPION_LOG__KEEP_RECORDS", "2000"),
        // A member's share of a day is 6,000.
        ("MORPION_LOG__KEEP_CLIENT_RECORDS", "180000"),
        ("MORPION_LIMITS__CLIENT_LOGS_PER_MINUTE", "100000"),
    ];
    let process = Process::start_with(folder.path(), &settings);
    let account = register(process.address, "mallory").await;
    let message = json!({ "level": "error", "message": "flood", "platform": "server", "requestId": "another's" });
    let body = json!({ "action": "bulkLog", "payload": { "messages": vec![message; 50] } });
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    for _ in 0..160 {
        let request = client.post(format!("http://{}/api/backend/logger", process.address)).json(&body);
        let request = request
            .header("cookie", format!("morpion_session={}; XSRF-TOKEN={}", account.session, account.xsrf))
            .header("x-xsrf-token", &account.xsrf);
        assert_eq!(request.send().await.unwrap().status(), 200);
    }
    let begun = Instant::now();
    while count(&process, &folder, json!({ "service": "webapp" })).await < 6_000 {
        assert!(begun.elapsed() < Duration::from_secs(20), "the records are not stored");
        sleep(Duration::from_millis(50)).await;
    }
    let of_clients = count(&process, &folder, json!({ "service": "webapp" })).await;
    assert!((6_000..6_100).contains(&of_clients), "a day's share is kept, and the rest dropped: {of_clients}");
    assert!(read(&process, &folder, "getLogStats", json!({})).await["dropped"].as_u64().unwrap() >= 1_900);
    // Retention has seen several full chunks by now.
    sleep(Duration::from_secs(1)).await;
    let oldest = read(&process, &folder, "getLogs", json!({ "sortOrder": "asc", "limit": 2 })).await["logs"].clone();
    let is_kept = oldest.as_array().unwrap().iter().any(|record| record["message"] == "schema migrated");
    assert!(is_kept, "the first records of the server are still there: {oldest}");
    let forged = json!({ "service": "webapp", "platform": "server" });
    assert_eq!(count(&process, &folder, forged).await, 0, "no client is the server");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_only_a_client_says_is_marked() {
    let server = Server::start().await;
    let (admin, _) = server.admin().await;
    let (player, _) = server.registered("player").await;
    let visitor = server.browser().await;
    let report = |message: &str| json!({ "level": "info", "message": message, "sessionId": "a session", "requestId": "a request" });
    player.write("logger", "log", report("of a member")).await.ok();
    visitor.write("logger", "log", report(&"of a visitor ".repeat(300))).await.ok();
    let begun = Instant::now();
    let logs = loop {
        let filter = json!({ "filter": { "service": "webapp" }, "sortOrder": "asc" });
        let data = admin.read("logger", "getLogs", filter).await.ok()["data"].clone();
        if data["logs"].as_array().unwrap().len() == 2 {
            break data["logs"].clone();
        }
        assert!(begun.elapsed() < Duration::from_secs(10), "{data}");
        sleep(Duration::from_millis(20)).await;
    };
    assert_eq!(logs[0]["claimed"], json!(["platform", "requestId"]), "{logs}");
    assert_ne!(logs[0]["sessionId"], "a session");
    assert_eq!(logs[1]["claimed"], json!(["platform", "sessionId", "requestId"]));
    let message = logs[1]["message"].as_str().unwrap();
    assert!(message.len() <= 1_024 && message.ends_with('…'), "{message}");
}
