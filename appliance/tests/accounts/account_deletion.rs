//! Data export, and the deletion of an account with its consequences.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{Browser, PASSWORD, Server, credentials};

/// A game between the two that has started; the first is to move.
async fn game(first: (&Browser, &Value), second: (&Browser, &Value)) -> Value {
    let payload = json!({
        "players": [{ "userId": first.1["userId"] }, { "userId": second.1["userId"] }],
        "gameType": "invite",
    });
    first.0.write("game", "create_game", payload).await.ok()["game"]["gameId"].clone()
}

async fn state(browser: &Browser, game: &Value) -> Value {
    browser.read("game", "get_game", json!({ "gameId": game })).await.ok()["game"].clone()
}

/// Waits until the condition holds.
async fn eventually(mut ask: impl AsyncFnMut() -> bool) {
    for _ in 0..100 {
        if ask().await {
            return;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("it did not happen within ten seconds");
}

#[tokio::test(flavor = "multi_thread")]
async fn deleting_an_account_removes_everything_that_names_its_owner() {
    let server = Server::start().await;
    let (ada, user) = server.registered("ada").await;
    let (bob, other) = server.registered("bob").await;
    let elsewhere = server.browser().await;
    elsewhere.post("/api/auth/login", credentials("ada@example.org", PASSWORD)).await.ok();
    let id = user["userId"].as_str().unwrap();
    let played = game((&ada, &user), (&bob, &other)).await;
    ada.write("game", "cancel_game", json!({ "gameId": played, "userId": id })).await.ok();
    let waiting = game((&bob, &other), (&ada, &user)).await;

    let mut closures = server.app.accounts.closures();
    let answer = ada.post("/api/backend/delete/account", json!({ "password": PASSWORD })).await;
    assert!(answer.cookie("morpion_session").unwrap().contains("Max-Age=0"), "{:?}", answer.set_cookies);
    answer.ok();
    for browser in [&ada, &elsewhere] {
        assert!(!browser.is_signed_in().await);
        tokio::time::timeout(Duration::from_secs(5), closures.recv()).await.expect("its sockets are closed").unwrap();
    }
    ada.post("/api/auth/login", credentials("ada@example.org", PASSWORD)).await.fails(401, "wrong-credentials");
    bob.read("userprofile", "get_user_by_id", json!({ "userId": id })).await.fails(404, "not-found");
    bob.read("userprofile", "find_user", json!({ "text": "ada" })).await.fails(404, "not-found");

    eventually(async || state(&bob, &waiting).await["status"] == "cancelled").await;
    eventually(async || server.app.store.pending_deletions(1).await.unwrap().is_empty()).await;
    for game in [&played, &waiting] {
        let text = state(&bob, game).await.to_string();
        assert!(text.contains("Deleted player") && !text.contains("\"ada\""), "{text}");
    }
    // Their names are free again, and a new owner is another user.
    let (_, again) = server.registered("ada").await;
    assert_ne!(again["userId"], user["userId"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_profile_action_deletes_only_the_own_account() {
    let server = Server::start().await;
    let (_, bob) = server.registered("bob").await;
    let (ada, user) = server.registered("ada").await;
    let wish = |id: &Value| json!({ "userId": id, "password": PASSWORD });
    let delete = |id: &Value| ada.write("userprofile", "delete_user_profile", wish(id));
    delete(&bob["userId"]).await.fails(403, "not-yourself");
    delete(&user["userId"]).await.ok();
    assert!(!ada.is_signed_in().await);
    server.browser().await.post("/api/backend/delete/account", json!({})).await.fails(401, "not-signed-in");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_last_admin_cannot_be_deleted() {
    let server = Server::start().await;
    let (admin, _) = server.admin().await;
    let wish = json!({ "password": PASSWORD });
    let failure = admin.post("/api/backend/delete/account", wish.clone()).await.fails(409, "last-admin");
    assert_eq!(failure["errorMessage"], "You are the last admin. Make somebody else an admin first.");
    let (_, ada) = server.registered("ada").await;
    admin.write("admin", "set_admin", json!({ "userId": ada["userId"], "isAdmin": true })).await.ok();
    admin.post("/api/backend/delete/account", wish).await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn the_data_export_is_one_file_without_secrets() {
    let server = Server::with(|config| config.limits.exports_per_hour = 1_000.try_into().unwrap()).await;
    let (ada, user) = server.registered("ada").await;
    let (bob, other) = server.registered("bob").await;
    let over = game((&ada, &user), (&bob, &other)).await;
    ada.write("game", "cancel_game", json!({ "gameId": over, "userId": user["userId"] })).await.ok();
    let live = game((&bob, &other), (&ada, &user)).await;
    let finished = async || {
        let response = ada.request(Method::GET, "/api/backend/account/export").send().await.unwrap();
        assert_eq!(response.headers()["content-disposition"], "attachment; filename=\"morpion-account.json\"");
        response.json::<Value>().await.unwrap()
    };
    eventually(async || finished().await["games"]["finished"][0]["game"]["gameId"] == over).await;
    let export = finished().await;
    assert_eq!(export["account"]["email"], "ada@example.org");
    assert_eq!((&export["hasPassword"], &export["calendarConnected"]), (&json!(true), &json!(false)));
    assert_eq!(export["sessions"].as_array().unwrap().len(), 1);
    assert_eq!(export["games"]["live"][0]["gameId"], live);
    assert_eq!((&export["eventSignUps"], &export["hostedEvents"]), (&json!([]), &json!([])));
    assert_eq!((&export["suspension"], &export["blocks"], &export["reports"]), (&Value::Null, &json!([]), &json!([])));
    assert_eq!(export["passkeys"], json!([]));
    let (admin, _) = server.admin().await;
    ada.write("userprofile", "block_user", json!({ "userId": other["userId"] })).await.ok();
    let report = json!({ "userId": other["userId"], "kind": "behaviour", "text": "Insults", "gameId": live });
    ada.write("userprofile", "report_user", report).await.ok();
    let report = json!({ "userId": user["userId"], "kind": "name", "text": "What others write is theirs" });
    bob.write("userprofile", "report_user", report).await.ok();
    let reports = admin.read("admin", "list_reports", json!({})).await.ok()["reports"].clone();
    let own = reports.as_array().unwrap().iter().find(|report| report["text"] == "Insults").unwrap().clone();
    let close = json!({ "reportId": own["reportId"], "outcome": "dismissed", "note": "for admins" });
    admin.write("admin", "close_report", close).await.ok();
    // A suspension that is over: its reason is kept.
    let until = (server.app.clock.wall() + Duration::from_secs(1)).to_rfc3339();
    let suspend = json!({ "userId": user["userId"], "until": until, "reason": "Insults in names" });
    admin.write("admin", "suspend_user", suspend).await.ok();
    tokio::time::sleep(Duration::from_millis(1_100)).await;
    assert!(!ada.is_signed_in().await);
    ada.post("/api/auth/login", credentials("ada@example.org", PASSWORD)).await.ok();
    let export = finished().await;
    assert_eq!(export["suspension"]["reason"], "Insults in names");
    assert_eq!(export["blocks"][0]["userId"], other["userId"]);
    assert_eq!(export["reports"].as_array().unwrap().len(), 1);
    let report = &export["reports"][0];
    assert_eq!((&report["text"], &report["userId"]), (&json!("Insults"), &other["userId"]));
    assert_eq!((&report["gameId"], &report["isOpen"]), (&live, &json!(false)));
    let text = export.to_string();
    for secret in ["argon2", &ada.cookie("morpion_session").unwrap(), "bob@example.org", "for admins", "theirs"] {
        assert!(!text.contains(secret), "{secret}");
    }
    server.browser().await.get("/api/backend/account/export").await.fails(401, "not-signed-in");
}
