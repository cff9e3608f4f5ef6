//! The audit trail from outside: what is in it, and that it can be checked.

use serde_json::{Value, json};

use crate::support::{Browser, Server};

async fn trail(admin: &Browser) -> Vec<Value> {
    admin.read("admin", "list_audit", json!({})).await.ok()["entries"].as_array().unwrap().clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn reads_of_personal_data_are_recorded_once_in_ten_minutes() {
    let server = Server::start().await;
    let clock = server.app.clock.clone();
    let (admin, own) = server.admin().await;
    let (_, user) = server.registered("player").await;
    let id = &user["userId"];
    let reads = async || {
        for _ in 0..3 {
            admin.read("admin", "list_users", json!({})).await.ok();
            admin.read("admin", "list_users", json!({ "text": "play", "page": 1 })).await.ok();
            admin.read("admin", "list_sessions", json!({ "userId": id })).await.ok();
            admin.read("admin", "list_sessions", json!({ "userId": own["userId"] })).await.ok();
            admin.read("admin", "list_billing_events", json!({ "userId": id })).await.ok();
            admin.read("admin", "list_subscriptions", json!({})).await.ok();
            admin.read("logger", "getLogsByUser", json!({ "userId": id })).await.ok();
            admin.read("logger", "getLogs", json!({ "filter": { "userId": id } })).await.ok();
            admin.read("logger", "getLogs", json!({})).await.ok();
        }
    };
    reads().await;
    let expected = ["read_logs", "read_subscriptions", "read_payments", "read_sessions", "read_users", "read_users"];
    let entries = trail(&admin).await;
    assert_eq!(entries.iter().map(|entry| entry["action"].as_str().unwrap()).collect::<Vec<_>>(), expected);
    for entry in &entries {
        assert_eq!(entry["actor"], "the_admin");
    }
    assert_eq!((&entries[0]["subject"], &entries[0]["subjectName"]), (id, &json!("player")));
    assert_eq!(entries[3]["subject"], *id);
    assert_eq!(entries[4]["detail"], r#"{"page":1,"text":"play"}"#);

    clock.advance(590_000);
    reads().await;
    assert_eq!(trail(&admin).await.len(), 6, "the same reads again");
    clock.advance(10_000);
    reads().await;
    assert_eq!(trail(&admin).await.len(), 12);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_trail_is_checked_and_exported_for_admins() {
    let server = Server::start().await;
    let (admin, _) = server.admin().await;
    let (player, _) = server.registered("player").await;
    for action in ["verify_audit", "export_audit"] {
        player.read("admin", action, json!({})).await.fails(403, "forbidden");
        server.browser().await.read("admin", action, json!({})).await.fails(401, "not-signed-in");
    }
    let empty = admin.read("admin", "verify_audit", json!({})).await.ok();
    assert_eq!((&empty["entries"], &empty["head"], &empty["brokenAt"]), (&json!(0), &json!(""), &Value::Null));
    admin.write("admin", "promote_user", json!({ "account": "player" })).await.ok();
    admin.write("admin", "demote_user", json!({ "account": "player" })).await.ok();
    let checked = admin.read("admin", "verify_audit", json!({})).await.ok();
    assert_eq!((&checked["entries"], &checked["brokenAt"]), (&json!(2), &Value::Null));

    let export = admin.read("admin", "export_audit", json!({})).await.ok();
    let lines: Vec<Value> =
        export["ndjson"].as_str().unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((&lines[0]["sequence"], &lines[0]["previousHash"]), (&json!(1), &json!("")));
    assert_eq!((&lines[1]["previousHash"], &lines[1]["hash"]), (&lines[0]["hash"], &checked["head"]));
    assert_eq!(export["next"], 2);
    let end = admin.read("admin", "export_audit", json!({ "after": 2 })).await.ok();
    assert_eq!((&end["ndjson"], &end["next"]), (&json!(""), &Value::Null));
    let future = admin.read("admin", "export_audit", json!({ "since": "2999-01-01T00:00:00Z" })).await.ok();
    assert_eq!((&future["ndjson"], &future["next"]), (&json!(""), &json!(2)));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_refused_leaves_no_entry() {
    let server = Server::start().await;
    let (admin, own) = server.admin().await;
    let id = &own["userId"];
    let nobody = "00000000-0000-4000-8000-000000000000";
    admin.write("admin", "set_admin", json!({ "userId": id, "isAdmin": false })).await.fails(409, "last-admin");
    admin.write("admin", "revoke_token", json!({ "tokenId": nobody })).await.fails(404, "not-found");
    admin.write("admin", "revoke_session", json!({ "userId": id, "sessionId": nobody })).await.fails(404, "not-found");
    admin.write("admin", "adjudicate_game", json!({ "gameId": nobody, "reason": "x" })).await.fails(404, "not-found");
    admin.write("event", "delete_event", json!({ "eventId": nobody })).await.fails(404, "not-found");
    assert_eq!(trail(&admin).await, Vec::<Value>::new());
}
