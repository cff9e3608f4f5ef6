//! Playing as a guest, and registering later.

use chrono::{TimeDelta, Utc};
use serde_json::{Value, json};

use crate::support::{Browser, PASSWORD, Server, credentials, registration};

async fn guest(server: &Server) -> (Browser, Value) {
    let browser = server.browser().await;
    let user = browser.post("/api/auth/guest", json!({})).await.ok()["user"].clone();
    (browser, user)
}

/// An invite game with an open seat: its id and its token.
async fn open_invite(browser: &Browser, user: &Value) -> (Value, Value) {
    let payload = json!({ "players": [{ "userId": user["userId"] }], "gameType": "invite" });
    let game = browser.write("game", "create_game", payload).await.ok()["game"].clone();
    (game["gameId"].clone(), game["inviteToken"].clone())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_visitor_plays_at_once_under_an_assigned_name() {
    let server = Server::start().await;
    assert_eq!(server.browser().await.get("/api/auth/providers").await.ok()["guests"], true);
    let (browser, user) = guest(&server).await;
    assert!(browser.is_signed_in().await);
    assert_eq!((&user["isTempUser"], &user["email"], &user["isAdmin"]), (&json!(true), &json!(""), &json!(false)));
    let name = user["displayName"].as_str().unwrap();
    assert_eq!(name.split(' ').count(), 2, "{name}");
    let again = browser.post("/api/auth/guest", json!({})).await.ok();
    assert_eq!(again["user"], user, "a visitor gets one guest account");
    assert_eq!(browser.get("/api/auth/sessions").await.ok()["sessions"].as_array().unwrap().len(), 1);
    let (_, other) = guest(&server).await;
    assert_ne!((&other["userId"], &other["username"]), (&user["userId"], &user["username"]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_guest_takes_the_open_seat_of_an_invite_link() {
    let server = Server::start().await;
    let (ada, user) = server.registered("ada").await;
    let (game, token) = open_invite(&ada, &user).await;
    let (browser, guest) = guest(&server).await;
    let wrong = json!({ "gameId": game, "inviteToken": "wrong" });
    browser.write("game", "claim_seat", wrong).await.fails(404, "not-found");
    let claim = json!({ "gameId": game, "inviteToken": token });
    let state = browser.write("game", "claim_seat", claim).await.ok();
    let seats = state["game"]["players"].as_array().unwrap();
    assert_eq!((seats.len(), &seats[1]["userId"]), (2, &guest["userId"]));
}

#[tokio::test(flavor = "multi_thread")]
async fn guests_are_refused_what_needs_an_account() {
    let server = Server::start().await;
    let (browser, guest) = guest(&server).await;
    let wish = json!({ "userId": guest["userId"], "displayName": "Somebody else" });
    browser.write("userprofile", "update_user_profile", wish).await.fails(403, "guest");
    browser.write("userprofile", "create_profile", json!({ "displayName": "X" })).await.fails(403, "guest");
    browser.post("/api/backend/profile/update", json!({ "username": "boss" })).await.fails(403, "guest");
    let change = json!({ "currentPassword": "x", "newPassword": PASSWORD });
    browser.post("/api/auth/password", change).await.fails(403, "guest");
    let answer = browser.write("userprofile", "assign_random_display_name", json!({})).await.ok();
    assert_eq!(browser.get("/api/auth/check-login").await.ok()["user"]["displayName"], answer["displayName"]);
    let (ada, _) = server.registered("ada").await;
    let found = ada.read("userprofile", "search_user", json!({ "text": guest["username"] })).await.ok();
    assert_eq!(found["users"], json!([]), "guests are not found");
}

#[tokio::test(flavor = "multi_thread")]
async fn registering_keeps_the_identity_the_name_and_the_games() {
    let server = Server::start().await;
    let (browser, guest) = guest(&server).await;
    let (game, _) = open_invite(&browser, &guest).await;
    let before = browser.cookie("morpion_session").unwrap();
    let user = browser.post("/api/auth/register", registration("ada")).await.ok()["user"].clone();
    assert_eq!((&user["userId"], &user["displayName"]), (&guest["userId"], &guest["displayName"]));
    assert_eq!((&user["isTempUser"], &user["username"]), (&json!(false), &json!("ada")));
    assert_ne!(browser.cookie("morpion_session").unwrap(), before, "the old session is invalid");
    let games = browser.read("game", "get_games_by_user", json!({ "userId": user["userId"] })).await.ok();
    assert_eq!(games["games"][0]["gameId"], game);
    let elsewhere = server.browser().await;
    let login = elsewhere.post("/api/auth/login", credentials("ada@example.org", PASSWORD)).await.ok();
    assert_eq!(login["user"]["userId"], guest["userId"]);
    // The guest's name is free again, and the account is no longer a guest.
    assert!(server.app.store.user_by_username(guest["username"].as_str().unwrap()).await.unwrap().is_none());
    let failed = browser.post("/api/auth/register", registration("ada")).await;
    failed.fails(409, "username-taken");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failed_registration_leaves_the_guest_as_it_was() {
    let server = Server::start().await;
    server.registered("ada").await;
    let (browser, guest) = guest(&server).await;
    browser.post("/api/auth/register", registration("ada")).await.fails(409, "username-taken");
    assert_eq!(browser.get("/api/auth/check-login").await.ok()["user"], guest);
}

#[tokio::test(flavor = "multi_thread")]
async fn guests_are_limited_by_address_and_can_be_disabled() {
    let server = Server::with(|config| config.limits.guests_per_hour = 2.try_into().unwrap()).await;
    guest(&server).await;
    guest(&server).await;
    let outcome = server.browser().await.post("/api/auth/guest", json!({})).await;
    assert!(outcome.retry_after.unwrap() > 60);
    outcome.fails(429, "too-many-requests");

    let closed = Server::with(|config| config.identity.guests = false).await;
    let browser = closed.browser().await;
    assert_eq!(browser.get("/api/auth/providers").await.ok()["guests"], false);
    browser.post("/api/auth/guest", json!({})).await.fails(403, "guests-off");
}

#[tokio::test(flavor = "multi_thread")]
async fn guests_unseen_for_30_days_are_removed() {
    let server = Server::start().await;
    let (browser, _) = guest(&server).await;
    let (ada, _) = server.registered("ada").await;
    server.app.clean_up(Utc::now() + TimeDelta::days(29)).await.unwrap();
    assert!(browser.is_signed_in().await);
    // Sessions expire after 30 days too; here the guest is removed while one still exists.
    assert_eq!(server.app.accounts.remove_unseen_guests(Utc::now() + TimeDelta::days(31)).await.unwrap(), 1);
    assert!(!browser.is_signed_in().await);
    assert!(ada.is_signed_in().await, "accounts stay");
    assert_eq!(server.app.accounts.remove_unseen_guests(Utc::now() + TimeDelta::days(31)).await.unwrap(), 0);
}
