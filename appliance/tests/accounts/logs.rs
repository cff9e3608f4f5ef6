//! The resource `logger`: permissions and answers. See `docs/behaviour/logs.md`.

use serde_json::{Value, json};

use crate::support::{Browser, Server};

async fn logs(admin: &Browser, action: &str, payload: Value) -> (Vec<String>, Value) {
    let answer = admin.read("logger", action, payload).await.ok();
    let messages = answer["data"]["logs"].as_array().unwrap().iter();
    let messages = messages.map(|log| log["message"].as_str().unwrap().to_owned()).collect();
    (messages, answer["data"].clone())
}

/// A report, as the web app sends it.
fn report(level: &str, message: &str) -> Value {
    json!({
        "level": level, "isError": level == "error", "platform": "web", "message": message,
        "date": "2026-11-21T10:00:00Z", "timestamp": "2026-11-21T10:00:00Z",
        "fileName": "GamePage.tsx", "context": "{\"route\":\"/app/game\"}", "requestId": format!("request of {message}"),
    })
}

/// Records are stored asynchronously.
async fn until_kept(admin: &Browser, count: u64) {
    for _ in 0..200 {
        let (_, data) = logs(admin, "getLogs", json!({ "filter": { "platform": "web" } })).await;
        if data["pagination"]["totalCount"].as_u64() == Some(count) {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    panic!("{count} records were not kept");
}

#[tokio::test(flavor = "multi_thread")]
async fn client_reports_are_found_by_every_filter() {
    let server = Server::start().await;
    let (admin, _) = server.admin().await;
    let (player, user) = server.registered("player").await;
    let visitor = server.browser().await;
    visitor.post("/api/backend/v1/log/data", report("error", "a visitor's page failed")).await.ok();
    player.write("logger", "log", report("warning", "a player's page was slow")).await.ok();
    let messages: Vec<Value> = (0..12).map(|number| report("info", &format!("step {number}"))).collect();
    player.write("logger", "bulkLog", json!({ "messages": messages })).await.ok();
    until_kept(&admin, 14).await;

    let web = json!({ "platform": "web" });
    let (first, data) = logs(&admin, "getLogs", json!({ "filter": web, "limit": 10 })).await;
    assert_eq!(first[0], "step 11");
    assert_eq!(data["pagination"]["totalCount"], 14);
    assert_eq!(data["pagination"]["hasNextPage"], true);
    let newest = &data["logs"][0];
    assert_eq!(newest["userId"], user["userId"]);
    assert_eq!((&newest["service"], &newest["fileName"]), (&json!("webapp"), &json!("GamePage.tsx")));
    let (second, data) = logs(&admin, "getLogs", json!({ "filter": web, "limit": 10, "page": 2 })).await;
    assert_eq!(second.len(), 4);
    assert_eq!(data["pagination"]["hasNextPage"], false);
    let cursor = admin.read("logger", "getLogs", json!({ "filter": web, "limit": 10 })).await.ok();
    let cursor = cursor["data"]["nextCursor"].clone();
    let (behind, _) = logs(&admin, "getLogs", json!({ "filter": web, "limit": 10, "cursor": cursor })).await;
    assert_eq!(behind, second);
    let oldest = json!({ "filter": web, "limit": 1, "sortBy": "timestamp", "sortOrder": "asc" });
    assert_eq!(logs(&admin, "getLogs", oldest).await.0, ["a visitor's page failed"]);

    assert_eq!(logs(&admin, "getLogsByPlatform", json!({ "platform": "web", "limit": 100 })).await.0.len(), 14);
    assert_eq!(logs(&admin, "getLogsByUser", json!({ "userId": user["userId"] })).await.0.len(), 13);
    let (errors, _) = logs(&admin, "getLogsByLevel", json!({ "level": "error" })).await;
    assert!(errors.contains(&"a visitor's page failed".to_owned()));
    let (found, _) = logs(&admin, "searchLogs", json!({ "query": "PLAYER'S PAGE" })).await;
    assert_eq!(found, ["a player's page was slow"]);
    let of_request = json!({ "filter": { "requestId": "request of step 7" } });
    assert_eq!(logs(&admin, "getLogs", of_request).await.0, ["step 7"]);

    let stats = admin.read("logger", "getLogStats", json!({})).await.ok()["data"].clone();
    assert!(stats["levelStats"]["info"].as_u64().unwrap() >= 12);
    assert_eq!(stats["hourly"]["warning"].as_array().unwrap().len(), 24);
    assert!(stats["recentActivity"]["last24Hours"].as_u64().unwrap() >= 14);
    assert!(stats["services"].as_array().unwrap().contains(&json!("webapp")));
    let exported = admin.read("logger", "exportLogs", json!({ "filter": web })).await.ok();
    assert_eq!(exported["ndjson"].as_str().unwrap().lines().count(), 14);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_long_export_is_sent_as_it_is_read() {
    let server = Server::with(|config| config.limits.client_logs_per_minute = 1_000.try_into().unwrap()).await;
    let (admin, _) = server.admin().await;
    for batch in 0..50 {
        let text = |number| format!("\"{}\"\n\\ \u{1F600}", batch * 50 + number);
        let many: Vec<Value> = (0..50).map(|number| report("info", &text(number))).collect();
        admin.write("logger", "bulkLog", json!({ "messages": many })).await.ok();
    }
    until_kept(&admin, 2_500).await;
    let payload = json!({ "filter": { "platform": "web" } }).to_string();
    let query = [("action", "exportLogs"), ("payload", &payload)];
    let response = admin.request(reqwest::Method::GET, "/api/backend/logger").query(&query).send().await.unwrap();
    assert_eq!(response.headers().get("content-length"), None, "the length is not known when it begins");
    assert_eq!(response.headers()["content-type"], "application/json; charset=utf-8");
    let answer: Value = response.json().await.unwrap();
    let lines = answer["ndjson"].as_str().unwrap().lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let texts: Vec<String> = lines.map(|entry| entry["message"].as_str().unwrap().to_owned()).collect();
    assert_eq!(texts.len(), 2_500);
    assert!(texts[0].starts_with("\"0\"") && texts[2_499].starts_with("\"2499\""), "the oldest first, none twice");
    let nothing = json!({ "filter": { "platform": "none" } });
    assert_eq!(admin.read("logger", "exportLogs", nothing).await.ok()["ndjson"], "");
}

#[tokio::test(flavor = "multi_thread")]
async fn only_admins_read_and_clear_and_clearing_is_audited() {
    let server = Server::start().await;
    let (admin, _) = server.admin().await;
    let (player, _) = server.registered("player").await;
    for (action, payload) in [
        ("getLogs", json!({})),
        ("getLogsByLevel", json!({ "level": "error" })),
        ("searchLogs", json!({ "query": "x" })),
        ("getLogStats", json!({})),
        ("exportLogs", json!({})),
    ] {
        player.read("logger", action, payload.clone()).await.fails(403, "forbidden");
        server.browser().await.read("logger", action, payload).await.fails(401, "not-signed-in");
    }
    player.write("logger", "clearLogs", json!({})).await.fails(403, "forbidden");
    player.write("logger", "log", report("info", "here")).await.ok();
    until_kept(&admin, 1).await;
    assert!(admin.write("logger", "clearLogs", json!({})).await.ok()["cleared"].as_u64().unwrap() >= 1);
    until_kept(&admin, 0).await;
    let audit = admin.read("admin", "list_audit", json!({})).await.ok();
    assert_eq!(audit["entries"][0]["action"], "clear_logs");
}

#[tokio::test(flavor = "multi_thread")]
async fn client_reports_are_limited_and_cannot_impersonate_others() {
    let server = Server::with(|config| config.limits.client_logs_per_minute = 5.try_into().unwrap()).await;
    let (admin, _) = server.admin().await;
    let (player, user) = server.registered("player").await;
    let many: Vec<Value> = (0..51).map(|_| report("info", "one of many")).collect();
    player.write("logger", "bulkLog", json!({ "messages": many })).await.fails(422, "invalid");
    player.write("logger", "log", json!({ "level": "loud", "message": "x" })).await.fails(400, "malformed");
    player.write("logger", "log", json!({ "level": "info" })).await.fails(400, "malformed");
    let forged = json!({ "level": "info", "message": "x", "userId": user["userId"] });
    player.write("logger", "log", forged).await.fails(400, "malformed");
    let mut long = report("info", &"x".repeat(20_000));
    long["sessionId"] = json!("somebody else's");
    player.write("logger", "log", long).await.ok();
    until_kept(&admin, 1).await;
    let (kept, data) = logs(&admin, "getLogs", json!({ "filter": { "platform": "web" } })).await;
    assert!(kept[0].len() < 5_000);
    assert_ne!(data["logs"][0]["sessionId"], "somebody else's");
    for _ in 0..4 {
        player.write("logger", "log", report("info", "again")).await.ok();
    }
    player.write("logger", "log", report("info", "once too often")).await.fails(429, "too-many-requests");

    for (payload, status, code) in [
        (json!({ "sortBy": "message" }), 422, "invalid"),
        (json!({ "cursor": "nowhere" }), 422, "invalid"),
        (json!({ "filter": { "text": "x".repeat(300) } }), 422, "invalid"),
        (json!({ "filter": { "level": "loud" } }), 400, "malformed"),
    ] {
        admin.read("logger", "getLogs", payload).await.fails(status, code);
    }
}
