//! Permissions.

use serde_json::{Value, json};

use crate::fixture::{Fixture, details, in_seconds};

#[tokio::test(flavor = "multi_thread")]
async fn only_admins_and_operators_manage_events() {
    let fixture = Fixture::new().await;
    let (player, user) = fixture.server.registered("player").await;
    let visitor = fixture.server.browser().await;
    let id = fixture.draft(details("Cup")).await;
    let user_id = user["userId"].clone();
    for (resource, action, payload) in [
        ("event", "create_event", {
            let mut fields = details("Mine");
            fields["isPrivate"] = json!(false);
            fields
        }),
        ("event", "renew_join_code", json!({ "eventId": id })),
        ("event", "invite_player", json!({ "eventId": id, "userId": user_id })),
        ("event", "withdraw_invitation", json!({ "eventId": id, "userId": user_id })),
        ("event", "update_event", json!({ "eventId": id, "eventState": "published" })),
        ("event", "delete_event", json!({ "eventId": id })),
        ("event", "start_event", json!({ "eventId": id })),
        ("event", "end_event", json!({ "eventId": id })),
        ("event", "cancel_event", json!({ "eventId": id })),
        ("event", "reopen_event", json!({ "eventId": id, "reason": "Why not" })),
        ("event", "conclude_event", json!({ "eventId": id })),
        ("event", "duplicate_event", json!({ "eventId": id })),
        ("event", "announce", json!({ "eventId": id, "message": "Hello" })),
        ("event", "remove_participant", json!({ "eventId": id, "userId": user_id, "reason": "Mine" })),
        ("event", "set_result", json!({ "eventId": id, "round": 1, "board": 1, "reason": "Mine" })),
        ("event", "withdraw_player", json!({ "eventId": id, "userId": user_id, "reason": "Mine" })),
        ("event", "reinstate_player", json!({ "eventId": id, "userId": user_id, "reason": "Mine" })),
        ("event", "extend_event", json!({ "eventId": id, "endTime": in_seconds(9_000) })),
        ("event", "pause_event", json!({ "eventId": id })),
        ("event", "resume_event", json!({ "eventId": id })),
        ("player", "create_player", json!({ "eventId": id, "userId": user_id })),
        ("player", "update_player", json!({ "eventId": id, "userId": user_id, "updates": { "level": 9 } })),
        ("player", "set_event", json!({ "eventId": id, "userId": user_id })),
        ("player", "clear_event", json!({ "userId": user_id })),
        ("player", "record_result", json!({ "userId": user_id, "didWin": true })),
    ] {
        visitor.write(resource, action, payload.clone()).await.fails(401, "not-signed-in");
        player.write(resource, action, payload).await.fails(403, "forbidden");
    }
    player.read("event", "verify_event", json!({ "eventId": id })).await.fails(403, "forbidden");
    assert_eq!(fixture.event(&id).await["eventState"], "drafted");

    let token = fixture.admin.write("admin", "create_token", json!({ "name": "ops", "scope": "all" })).await.ok();
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let call = async |resource: &str, body: Value| {
        let request = client.post(format!("http://{}/api/backend/{resource}", fixture.server.address));
        let response = request.bearer_auth(token["token"].as_str().unwrap()).json(&body).send().await.unwrap();
        (response.status().as_u16(), response.json::<Value>().await.unwrap())
    };
    let (status, made) = call("event", json!({ "action": "create_event", "payload": details("Ops") })).await;
    assert_eq!((status, &made["event"]["title"]), (200, &json!("Ops")));
    // An operator token is no user, so it cannot take part.
    let open = fixture.started(details("Open")).await;
    for (resource, action) in [("event", "join_event"), ("eventSignUp", "sign_up"), ("player", "join_event_room")] {
        let body = json!({ "action": action, "payload": { "eventId": open } });
        let (status, answer) = call(resource, body).await;
        assert_eq!((status, &answer["errorCode"]), (403, &json!("forbidden")), "{action}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn drafts_are_invisible_to_players() {
    let fixture = Fixture::new().await;
    let (player, user) = fixture.server.registered("player").await;
    let id = fixture.draft(details("Secret")).await;
    let me = user["userId"].clone();
    for (resource, action, payload) in [
        ("event", "get_event_by_id", json!({ "eventId": id })),
        ("eventSignUp", "list_signups_for_event", json!({ "eventId": id })),
        ("eventSignUp", "get_user_sign_up_status", json!({ "eventId": id, "userId": me })),
        ("eventSignUp", "get_signup_by_event_and_user", json!({ "eventId": id, "userId": me })),
        ("player", "getPlayersByEvent", json!({ "eventId": id })),
        ("player", "get_leaderboard", json!({ "eventId": id })),
        ("event", "get_rounds", json!({ "eventId": id })),
        ("event", "get_standings", json!({ "eventId": id })),
        ("player", "check_player_for_event", json!({ "eventId": id, "userId": me })),
        ("player", "get_player", json!({ "eventId": id, "userId": me })),
        ("game", "get_games_by_event", json!({ "eventId": id })),
        ("game", "spectatable_games", json!({ "eventId": id })),
    ] {
        player.read(resource, action, payload).await.fails(404, "not-found");
    }
    for (resource, action) in [
        ("eventSignUp", "sign_up"),
        ("eventSignUp", "remove_signup"),
        ("event", "join_event"),
        ("player", "join_event_room"),
    ] {
        player.write(resource, action, json!({ "eventId": id })).await.fails(404, "not-found");
    }
    let listed = player.read("event", "list_events", json!({ "filter": { "eventState": ["drafted"] } })).await.ok();
    assert_eq!(listed["events"], json!([]));
    let seen =
        fixture.admin.read("event", "list_events", json!({ "filter": { "eventState": ["drafted"] } })).await.ok();
    assert_eq!(seen["events"][0]["title"], "Secret");
}

#[tokio::test(flavor = "multi_thread")]
async fn acting_for_other_users_is_refused() {
    let fixture = Fixture::new().await;
    let (player, _) = fixture.server.registered("player").await;
    let (_, other) = fixture.server.registered("other").await;
    let id = fixture.started(details("Cup")).await;
    let foreign = json!({ "eventId": id, "userId": other["userId"] });
    // For admins too.
    for browser in [&player, &fixture.admin] {
        for (resource, action) in [
            ("eventSignUp", "sign_up"),
            ("eventSignUp", "remove_signup"),
            ("event", "join_event"),
            ("player", "join_event_room"),
            ("player", "leave_event_room"),
        ] {
            browser.write(resource, action, foreign.clone()).await.fails(403, "not-yourself");
        }
        for (resource, action) in [
            ("eventSignUp", "get_user_sign_up_status"),
            ("eventSignUp", "get_signup_by_event_and_user"),
            ("player", "check_player_for_event"),
        ] {
            browser.read(resource, action, foreign.clone()).await.fails(403, "not-yourself");
        }
        let of_other = json!({ "userId": other["userId"] });
        browser.read("eventSignUp", "list_signups_for_user", of_other).await.fails(403, "not-yourself");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn emails_are_for_admins() {
    let fixture = Fixture::new().await;
    let (player, user) = fixture.server.registered("player").await;
    let id = fixture.published(details("Cup")).await;
    player.write("eventSignUp", "sign_up", json!({ "eventId": id })).await.ok();
    let visitor = fixture.server.browser().await;
    for (resource, action, list, is_for_visitors) in [
        ("eventSignUp", "list_signups_for_event", "signups", false),
        ("player", "getPlayersByEvent", "players", false),
        ("player", "get_leaderboard", "players", true),
    ] {
        let payload = json!({ "eventId": id });
        let shown = visitor.read(resource, action, payload.clone()).await;
        if is_for_visitors {
            let shown = shown.ok();
            assert_eq!((&shown[list][0]["username"], &shown[list][0]["email"]), (&user["username"], &Value::Null));
        } else {
            shown.fails(401, "not-signed-in");
        }
        let seen = player.read(resource, action, payload.clone()).await.ok();
        assert_eq!((&seen[list][0]["username"], &seen[list][0]["email"]), (&user["username"], &Value::Null));
        let seen = fixture.admin.read(resource, action, payload).await.ok();
        assert_eq!(seen[list][0]["email"], "player@example.org");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn guests_and_unverified_emails_are_refused_if_configured() {
    let fixture = Fixture::with(|config| config.events.require_verified_email = true).await;
    let guest = fixture.server.browser().await;
    guest.post("/api/auth/guest", json!({})).await.ok();
    let (player, user) = fixture.server.registered("player").await;
    let id = fixture.published(details("Cup")).await;
    guest.write("eventSignUp", "sign_up", json!({ "eventId": id })).await.fails(403, "guest");
    player.write("eventSignUp", "sign_up", json!({ "eventId": id })).await.fails(403, "email-not-verified");
    fixture.act("start_event", &id).await;
    guest.write("event", "join_event", json!({ "eventId": id })).await.fails(403, "guest");
    player.write("event", "join_event", json!({ "eventId": id })).await.fails(403, "email-not-verified");
    let user_id = user["userId"].as_str().unwrap().parse().unwrap();
    let store = &fixture.server.app.store;
    let credentials = store.user(user_id).await.unwrap().unwrap().credentials();
    store.verify_email(credentials, "player@example.org").await.unwrap();
    player.write("event", "join_event", json!({ "eventId": id })).await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn admin_actions_on_events_are_audited() {
    let fixture = Fixture::new().await;
    let (_, user) = fixture.server.registered("player").await;
    let id = fixture.started(details("Cup")).await;
    let target = json!({ "eventId": id, "userId": user["userId"] });
    fixture.admin.write("player", "create_player", target.clone()).await.ok();
    let mut update = target.clone();
    update["updates"] = json!({ "level": 4 });
    fixture.admin.write("player", "update_player", update).await.ok();
    fixture.act("end_event", &id).await;
    let trail = fixture.admin.read("admin", "list_audit", json!({})).await.ok();
    let actions: Vec<_> = trail["entries"].as_array().unwrap().iter().map(|entry| entry["action"].clone()).collect();
    assert_eq!(actions, ["end_event", "update_player", "create_player", "start_event", "update_event", "create_event"]);
    assert!(trail["entries"].as_array().unwrap().iter().all(|entry| entry["actor"] == "the_admin"));
    assert_eq!(trail["entries"][0]["subject"], json!(id));

    // Emails of an event's players are shown to admins only, and that is recorded.
    let (player, _) = fixture.server.registered("another").await;
    player.read("eventSignUp", "list_signups_for_event", json!({ "eventId": id })).await.ok();
    let after = fixture.admin.read("admin", "list_audit", json!({})).await.ok();
    assert_eq!(after["pagination"]["totalCount"], 6);
    for _ in 0..2 {
        fixture.admin.read("eventSignUp", "list_signups_for_event", json!({ "eventId": id })).await.ok();
    }
    let after = fixture.admin.read("admin", "list_audit", json!({})).await.ok();
    assert_eq!(
        (&after["pagination"]["totalCount"], &after["entries"][0]["action"]),
        (&json!(7), &json!("read_signups"))
    );
}
