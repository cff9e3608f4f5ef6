//! Suspensions, names and pictures changed by admins, reports, blocks.

use std::time::Duration;

use image::ImageFormat;
use morpion_appliance::clock::Clock;
use serde_json::{Value, json};

use crate::{
    recovery,
    support::{Browser, PASSWORD, Server, credentials, picture, registration, upload},
};

const HOUR: i64 = 3_600_000;

/// Invites somebody; the id of the game.
async fn invite(from: &Browser, to: &Value) -> Value {
    let players = json!([{ "userId": to["userId"], "username": to["username"] }]);
    let own = from.get("/api/auth/check-login").await.ok()["user"].clone();
    let players = json!([{ "userId": own["userId"], "username": own["username"] }, players[0]]);
    let payload = json!({ "players": players, "gameType": "invite" });
    from.write("game", "create_game", payload).await.ok()["game"]["gameId"].clone()
}

async fn invitations(browser: &Browser, user: &Value) -> Vec<Value> {
    let payload = json!({ "userId": user["userId"], "status": ["waiting"] });
    let games = browser.read("game", "get_games_by_user", payload).await.ok()["games"].clone();
    games.as_array().unwrap().iter().map(|game| game["gameId"].clone()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_suspended_account_is_told_why_and_gets_in_by_no_way() {
    let folder = tempfile::TempDir::new().unwrap();
    let clock = Clock::default();
    let server = Server::with_clock(clock.clone(), |config| config.data_dir = folder.path().to_owned()).await;
    let (admin, _) = server.admin().await;
    let (bob, user) = server.registered("bob").await;
    server.verify_email(&user).await;
    let (ann, _) = server.registered("ann").await;
    let offered = invite(&bob, &ann.get("/api/auth/check-login").await.ok()["user"]).await;
    let until = (server.app.clock.wall() + Duration::from_millis(HOUR as u64)).to_rfc3339();
    let suspend = json!({ "userId": user["userId"], "until": until, "reason": " Insults in names " });
    bob.write("admin", "suspend_user", suspend.clone()).await.fails(403, "forbidden");
    let answer = admin.write("admin", "suspend_user", suspend).await.ok();
    assert_eq!(answer["user"]["suspension"]["reason"], "Insults in names");

    assert!(!bob.is_signed_in().await, "sessions ended");
    let fresh = server.browser().await;
    fresh
        .post("/api/auth/login", credentials("bob@example.org", "Wrong-Horse-7"))
        .await
        .fails(401, "wrong-credentials");
    let refused = fresh.post("/api/auth/login", credentials("bob@example.org", PASSWORD)).await.fails(403, "suspended");
    let text = refused["errorMessage"].as_str().unwrap();
    assert!(
        text.starts_with("This account is suspended until ") && text.ends_with("Reason: Insults in names"),
        "{text}"
    );
    assert_eq!(refused["suspension"]["reason"], "Insults in names");
    assert!(refused["suspension"]["until"].is_string());
    bob.post("/api/auth/secure/token/refresh", json!({})).await.fails(401, "not-signed-in");
    recovery::request(&fresh, "bob@example.org").await.ok();
    recovery::validate(&fresh, "bob@example.org", recovery::code(&folder, 1).await).await.ok();
    recovery::update(&fresh, "bob@example.org", recovery::NEW_PASSWORD).await.ok();
    fresh.post("/api/auth/login", credentials("bob@example.org", recovery::NEW_PASSWORD)).await.fails(403, "suspended");
    for _ in 0..100 {
        let game = ann.read("game", "get_game", json!({ "gameId": offered })).await.ok()["game"].clone();
        if game["status"] == "cancelled" {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let game = ann.read("game", "get_game", json!({ "gameId": offered })).await.ok()["game"].clone();
    assert_eq!(game["status"], "cancelled", "waiting invitations are withdrawn");
    let letters = recovery::mails(&folder);
    assert!(letters.iter().any(|letter| letter.contains("Subject: Your Morpion account was suspended")));
    let listed = admin.read("admin", "list_suspended", json!({})).await.ok();
    assert_eq!((&listed["users"][0]["username"], &listed["pagination"]["totalCount"]), (&json!("bob"), &json!(1)));

    clock.advance_calendar(HOUR);
    fresh.post("/api/auth/login", credentials("bob@example.org", recovery::NEW_PASSWORD)).await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn suspensions_are_lifted_and_neither_oneself_nor_the_last_admin_is_suspended() {
    let server = Server::start().await;
    let (admin, own) = server.admin().await;
    let (bob, user) = server.registered("bob").await;
    let suspend = |id: &Value, reason: &str| json!({ "userId": id, "reason": reason });
    admin.write("admin", "suspend_user", suspend(&own["userId"], "x")).await.fails(409, "yourself");
    for reason in ["", "   ", &"x".repeat(501), "line\nbreak", "\u{202e}reversed"] {
        let failure =
            admin.write("admin", "suspend_user", suspend(&user["userId"], reason)).await.fails(422, "invalid");
        assert!(failure["fieldErrors"]["reason"].is_string(), "{reason:?}");
    }
    let past = json!({ "userId": user["userId"], "until": "2020-01-01T00:00:00Z", "reason": "x" });
    admin.write("admin", "suspend_user", past).await.fails(422, "invalid");
    // A year that the API cannot write.
    let far = json!({ "userId": user["userId"], "until": "+10000-01-01T00:00:00Z", "reason": "x" });
    let refused = admin.write("admin", "suspend_user", far).await.fails(422, "invalid");
    assert_eq!(refused["fieldErrors"]["until"], "The end must be before the year 10000.");
    let nobody = json!("00000000-0000-4000-8000-000000000000");
    admin.write("admin", "suspend_user", suspend(&nobody, "x")).await.fails(404, "not-found");
    assert!(bob.is_signed_in().await, "nothing happened so far");

    // An operator token, which is nobody, cannot suspend the last admin either.
    let with_scope = async |scope: &str| {
        let token = json!({ "name": scope, "scope": scope });
        let token = admin.write("admin", "create_token", token).await.ok()["token"].clone();
        server.with_token(token.as_str().unwrap())
    };
    // Nor can one that may take no rights take them by a suspension, or by deleting the account.
    let lesser = with_scope("accounts").await;
    lesser.write("admin", "suspend_user", suspend(&own["userId"], "x")).await.fails(403, "scope");
    lesser.write("admin", "delete_user", json!({ "userId": own["userId"], "reason": "x" })).await.fails(403, "scope");
    let operator = with_scope("all").await;
    operator.write("admin", "suspend_user", suspend(&own["userId"], "x")).await.fails(409, "last-admin");
    admin.write("admin", "set_admin", json!({ "userId": user["userId"], "isAdmin": true })).await.ok();
    let answer = operator.write("admin", "suspend_user", suspend(&own["userId"], "for ever")).await.ok();
    assert_eq!(answer["user"]["isAdmin"], false, "admin rights are lost");
    let login = credentials("the_admin@example.org", PASSWORD);
    let failure = server.browser().await.post("/api/auth/login", login.clone()).await.fails(403, "suspended");
    assert_eq!(failure["errorMessage"], "This account is suspended. Reason: for ever");
    operator.write("admin", "lift_suspension", json!({ "userId": own["userId"] })).await.ok();
    let user = server.browser().await.post("/api/auth/login", login).await.ok()["user"].clone();
    assert_eq!((&user["isAdmin"], &user["suspension"]), (&json!(false), &Value::Null));
    let entries = server.app.store.audit_page(None, 10).await.unwrap();
    let actions: Vec<&str> = entries.iter().map(|record| record.entry.action.as_str()).collect();
    assert_eq!(actions[..4], ["lift_suspension", "suspend_user", "set_admin", "create_token"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn admins_change_names_remove_pictures_and_delete() {
    let server = Server::start().await;
    let (admin, own) = server.admin().await;
    let (bob, user) = server.registered("bob").await;
    upload(&bob, "image/png", &picture(ImageFormat::Png), None).await.ok();
    let id = &user["userId"];
    let rename = json!({ "userId": id, "username": "robert", "displayName": "Robert", "reason": "x" });
    let renamed = admin.write("admin", "rename_user", rename).await.ok()["user"].clone();
    assert_eq!((&renamed["username"], &renamed["displayName"]), (&json!("robert"), &json!("Robert")));
    server.registered("bob").await;
    admin.read("userprofile", "find_user", json!({ "text": "bob" })).await.ok();
    let taken = json!({ "userId": id, "username": "BOB", "reason": "x" });
    admin.write("admin", "rename_user", taken).await.fails(409, "username-taken");
    let neutral =
        admin.write("admin", "rename_user", json!({ "userId": id, "reason": "x" })).await.ok()["user"].clone();
    assert_ne!(neutral["username"], "robert");
    assert!(neutral["displayName"].as_str().unwrap().contains(' '), "{neutral}");

    let removed = admin.write("admin", "remove_picture", json!({ "userId": id, "reason": "x" })).await.ok();
    assert_eq!((&removed["user"]["profile"], &removed["user"]["profileUrl"]), (&json!(""), &Value::Null));
    admin.write("admin", "remove_picture", json!({ "userId": id, "reason": "" })).await.fails(422, "invalid");

    let delete = |id: &Value| json!({ "userId": id, "reason": "spam" });
    admin.write("admin", "delete_user", delete(&own["userId"])).await.fails(409, "yourself");
    admin.write("admin", "delete_user", delete(id)).await.ok();
    assert!(!bob.is_signed_in().await);
    admin.write("admin", "delete_user", delete(id)).await.fails(404, "not-found");
    admin.read("userprofile", "get_user_by_id", json!({ "userId": id })).await.fails(404, "not-found");
}

#[tokio::test(flavor = "multi_thread")]
async fn reports_reach_admins_with_what_was_shown_then() {
    let server = Server::start().await;
    let (admin, _) = server.admin().await;
    let (ann, own) = server.registered("ann").await;
    let (bob, user) = server.registered("bob").await;
    upload(&bob, "image/png", &picture(ImageFormat::Png), None).await.ok();
    let report = |kind: &str, text: &str| json!({ "userId": user["userId"], "kind": kind, "text": text });
    server.browser().await.write("userprofile", "report_user", report("name", "")).await.fails(401, "not-signed-in");
    let guest = server.browser().await;
    guest.post("/api/auth/guest", json!({})).await.ok();
    guest.write("userprofile", "report_user", report("name", "")).await.fails(403, "guest");
    let oneself = json!({ "userId": own["userId"], "kind": "name" });
    ann.write("userprofile", "report_user", oneself).await.fails(409, "yourself");
    ann.write("userprofile", "report_user", report("cheating", "")).await.fails(400, "malformed");
    for text in ["x".repeat(501), "two\nlines".to_owned()] {
        ann.write("userprofile", "report_user", report("name", &text)).await.fails(422, "invalid");
    }
    ann.write("userprofile", "report_user", report("picture", "first")).await.ok();
    ann.write("userprofile", "report_user", report("picture", "second")).await.ok();
    ann.write("userprofile", "report_user", report("engine", "")).await.ok();
    bob.write("userprofile", "update_user_profile", json!({ "userId": user["userId"], "displayName": "New" }))
        .await
        .ok();
    bob.read("admin", "list_reports", json!({})).await.fails(403, "forbidden");
    assert_eq!(admin.read("admin", "overview", json!({})).await.ok()["openReports"], 2);
    let reports = admin.read("admin", "list_reports", json!({})).await.ok();
    assert_eq!(reports["pagination"]["totalCount"], 2, "the second about the picture replaced the first");
    let picture = &reports["reports"][1];
    assert_eq!((&picture["kind"], &picture["text"]), (&json!("picture"), &json!("second")));
    assert_eq!(
        (&picture["evidence"]["displayName"], &picture["subject"]["displayName"]),
        (&json!("bob"), &json!("New"))
    );
    assert!(picture["evidence"]["picture"].as_str().unwrap().starts_with("data:image/"));
    assert_eq!((&picture["reporter"]["username"], &picture["sameSubjectOpen"]), (&json!("ann"), &json!(2)));

    let close = json!({ "reportId": picture["reportId"], "outcome": "upheld", "note": "removed" });
    let closed = admin.write("admin", "close_report", close.clone()).await.ok()["report"].clone();
    assert_eq!((&closed["state"], &closed["closedBy"]), (&json!("closed"), &json!("the_admin")));
    admin.write("admin", "close_report", close).await.fails(404, "not-found");
    let listed = admin.read("admin", "list_reports", json!({ "state": "closed" })).await.ok();
    assert_eq!(listed["reports"][0]["note"], "removed");
    // Two count: of the three, one was replaced.
    for number in 0..8 {
        let (_, subject) = server.registered(&format!("subject{number}")).await;
        let report = json!({ "userId": subject["userId"], "kind": "behaviour" });
        ann.write("userprofile", "report_user", report).await.ok();
    }
    let (_, last) = server.registered("last").await;
    let report = json!({ "userId": last["userId"], "kind": "behaviour" });
    ann.write("userprofile", "report_user", report).await.fails(429, "too-many-requests");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_blocked_person_reaches_nobody_and_sees_nothing_of_it() {
    let server = Server::start().await;
    let (ann, own) = server.registered("ann").await;
    let (bob, user) = server.registered("bob").await;
    let before = invite(&bob, &own).await;
    assert_eq!(invitations(&ann, &own).await, [before]);
    let block = json!({ "userId": user["userId"] });
    ann.write("userprofile", "block_user", json!({ "userId": own["userId"] })).await.fails(409, "yourself");
    ann.write("userprofile", "block_user", block.clone()).await.ok();
    ann.write("userprofile", "block_user", block.clone()).await.ok();
    let seen = ann.read("userprofile", "get_user_by_id", block.clone()).await.ok();
    assert_eq!(seen["user"]["blockedByMe"], true);
    let listed = ann.read("userprofile", "list_blocked", json!({})).await.ok();
    assert_eq!((listed["users"].as_array().unwrap().len(), &listed["users"][0]["username"]), (1, &json!("bob")));
    assert_eq!(invitations(&ann, &own).await, [] as [Value; 0], "also those from before");
    let made = invite(&bob, &own).await;
    assert_eq!(invitations(&ann, &own).await, [] as [Value; 0]);
    assert!(invitations(&bob, &user).await.contains(&made), "it looks as always to whoever is blocked");
    let theirs = bob.read("userprofile", "get_user_by_id", json!({ "userId": own["userId"] })).await.ok();
    assert_eq!(theirs["user"]["blockedByMe"], false);

    let open = json!({ "players": [{ "userId": own["userId"], "username": "ann" }], "gameType": "invite" });
    let open = ann.write("game", "create_game", open).await.ok()["game"].clone();
    let claim = json!({ "gameId": open["gameId"], "inviteToken": open["inviteToken"] });
    let refused = bob.write("game", "claim_seat", claim.clone()).await;
    assert_eq!(refused.body["errorCode"], "seat-taken", "{}", refused.body);
    ann.write("userprofile", "unblock_user", block).await.ok();
    assert!(invitations(&ann, &own).await.contains(&made));
    bob.write("game", "claim_seat", claim).await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_suspended_guest_starts_anew_as_another() {
    let server = Server::start().await;
    let (admin, _) = server.admin().await;
    let guest = server.browser().await;
    let user = guest.post("/api/auth/guest", json!({})).await.ok()["user"].clone();
    admin.write("admin", "suspend_user", json!({ "userId": user["userId"], "reason": "x" })).await.ok();
    assert!(!guest.is_signed_in().await);
    let registered = guest.post("/api/auth/register", registration("fresh")).await.ok()["user"].clone();
    assert_ne!(registered["userId"], user["userId"]);
}
