//! Signing up, joining, the plan's limit, and what admins do with players.

use serde_json::{Value, json};

use crate::fixture::{Fixture, details};

#[tokio::test(flavor = "multi_thread")]
async fn players_sign_up_and_withdraw_until_the_start() {
    let fixture = Fixture::new().await;
    let (player, user) = fixture.server.registered("player").await;
    let id = fixture.published(details("Cup")).await;
    let me = json!({ "eventId": id, "userId": user["userId"] });
    let is_signed_up =
        async || player.read("eventSignUp", "get_user_sign_up_status", me.clone()).await.ok()["isSignedUp"].clone();
    assert_eq!(is_signed_up().await, false);
    player.write("eventSignUp", "remove_signup", me.clone()).await.fails(404, "not-found");
    let signup = player.write("eventSignUp", "sign_up", me.clone()).await.ok()["signup"].clone();
    assert_eq!((&signup["status"], &signup["level"]), (&json!("registered"), &json!(1)));
    assert_eq!((&signup["wins"], &signup["losses"], &signup["_id"]), (&json!(0), &json!(0), &signup["signupId"]));
    assert_eq!(player.write("eventSignUp", "sign_up", me.clone()).await.ok()["signup"]["signupId"], signup["signupId"]);
    assert_eq!((is_signed_up().await, &fixture.event(&id).await["signupCount"]), (json!(true), &json!(1)));
    let mine = player.read("eventSignUp", "list_signups_for_user", json!({ "userId": user["userId"] })).await.ok();
    assert_eq!(mine["signups"][0]["eventId"], json!(id));
    player.write("eventSignUp", "remove_signup", me.clone()).await.ok();
    assert_eq!((is_signed_up().await, &fixture.event(&id).await["signupCount"]), (json!(false), &json!(0)));
    player.write("event", "join_event", me.clone()).await.fails(409, "event-not-started");

    player.write("eventSignUp", "sign_up", me.clone()).await.ok();
    fixture.act("start_event", &id).await;
    player.write("eventSignUp", "remove_signup", me.clone()).await.fails(409, "registration-closed");
    let joined = player.write("event", "join_event", me.clone()).await.ok();
    assert_eq!((&joined["requiresUpgrade"], &joined["player"]["level"]), (&json!(false), &json!(1)));
    let signup = player.read("eventSignUp", "get_signup_by_event_and_user", me.clone()).await.ok();
    assert_eq!(signup["signup"]["status"], "active");
    fixture.act("end_event", &id).await;
    player.write("event", "join_event", me).await.fails(409, "event-ended");
}

#[tokio::test(flavor = "multi_thread")]
async fn joining_an_open_event_signs_up_and_a_closed_one_refuses() {
    let fixture = Fixture::new().await;
    let (player, user) = fixture.server.registered("player").await;
    let open = fixture.started(details("Open")).await;
    let mut fields = details("Closed");
    fields["eventType"] = json!("closed");
    let closed = fixture.started(fields).await;
    player.write("event", "join_event", json!({ "eventId": open })).await.ok();
    assert_eq!(fixture.event(&open).await["signupCount"], 1);
    let refused =
        player.write("event", "join_event", json!({ "eventId": closed })).await.fails(409, "tournament-closed");
    assert_eq!(refused["errorMessage"], "Tournament Closed");
    let target = json!({ "eventId": closed, "userId": user["userId"] });
    fixture.admin.write("player", "create_player", target).await.ok();
    player.write("event", "join_event", json!({ "eventId": closed })).await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_free_account_joins_three_events_a_month() {
    let fixture = Fixture::new().await;
    let (player, user) = fixture.server.registered("player").await;
    let mut events = vec![];
    for number in 0..4 {
        events.push(fixture.started(details(&format!("Cup {number}"))).await);
    }
    let join = async |id: &str| player.write("event", "join_event", json!({ "eventId": id })).await;
    let free = async || {
        let received = player.read("subscription", "get_subscription", json!({})).await.ok();
        let resets: Option<chrono::DateTime<chrono::Utc>> =
            received["freeEventsResetAt"].as_str().map(|at| at.parse().unwrap());
        assert!(
            resets.is_none_or(|at| at > chrono::Utc::now() && at.to_rfc3339().contains("-01T00:00:00")),
            "{received}"
        );
        (received["freeEventsUsed"].as_u64(), received["freeEventsLimit"].as_u64(), resets.is_some())
    };
    assert_eq!(free().await, (Some(0), Some(3), true));
    for (id, used) in events[..3].iter().zip(1..) {
        assert_eq!(join(id).await.ok()["requiresUpgrade"], false);
        assert_eq!(free().await, (Some(used), Some(3), true));
    }
    let refused = join(&events[3]).await.fails(402, "plan-limit");
    assert_eq!(refused["requiresUpgrade"], true);
    assert_eq!(refused["errorMessage"], "You've hit the free plan limit!");
    assert_eq!(fixture.event(&events[3]).await["signupCount"], 0);
    let by_room = json!({ "eventId": events[3] });
    player.write("player", "join_event_room", by_room).await.fails(402, "plan-limit");
    join(&events[0]).await.ok();
    fixture.admin.write("admin", "grant_pro", json!({ "userId": user["userId"], "reason": "A friend." })).await.ok();
    assert_eq!(free().await, (None, None, false), "Pro has no limit");
    join(&events[3]).await.ok();
    fixture.admin.write("admin", "revoke_pro", json!({ "userId": user["userId"], "reason": "It is over." })).await.ok();
    assert_eq!(free().await, (Some(3), Some(3), true), "never more than exist");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_event_has_a_maximum_of_participants() {
    let fixture = Fixture::with(|config| config.events.max_players = 1).await;
    let (first, _) = fixture.server.registered("first").await;
    let (second, _) = fixture.server.registered("second").await;
    let id = fixture.published(details("Cup")).await;
    first.write("eventSignUp", "sign_up", json!({ "eventId": id })).await.ok();
    second.write("eventSignUp", "sign_up", json!({ "eventId": id })).await.fails(409, "event-full");
    fixture.act("start_event", &id).await;
    first.write("event", "join_event", json!({ "eventId": id })).await.ok();
    second.write("event", "join_event", json!({ "eventId": id })).await.fails(409, "event-full");
}

#[tokio::test(flavor = "multi_thread")]
async fn admins_can_correct_standings() {
    let fixture = Fixture::new().await;
    let (player, user) = fixture.server.registered("player").await;
    let (_, other) = fixture.server.registered("other").await;
    let me = user["userId"].clone();
    let id = fixture.started(details("Cup")).await;
    player.read("player", "get_player", json!({ "userId": me })).await.fails(404, "not-found");
    player.write("event", "join_event", json!({ "eventId": id })).await.ok();
    fixture.admin.write("player", "create_player", json!({ "eventId": id, "userId": other["userId"] })).await.ok();
    let update = async |updates: Value| {
        let payload = json!({ "userId": me, "updates": updates });
        fixture.admin.write("player", "update_player", payload).await
    };
    let corrected = update(json!({ "level": 5, "wins": 4, "losses": 2 })).await.ok()["player"].clone();
    assert_eq!((&corrected["level"], &corrected["wins"], &corrected["rank"]), (&json!(5), &json!(4), &json!(1)));
    let payload = json!({ "userId": me, "didWin": true });
    let won = fixture.admin.write("player", "record_result", payload).await.ok()["player"].clone();
    assert_eq!((&won["level"], &won["wins"], &won["losses"]), (&json!(6), &json!(5), &json!(2)));
    let out = update(json!({ "isEliminated": true })).await.ok()["player"].clone();
    assert_eq!((&out["losses"], &out["isEliminated"]), (&json!(3), &json!(true)));
    let refused = player.write("event", "join_event", json!({ "eventId": id })).await.fails(409, "eliminated");
    assert_eq!(refused["errorMessage"], "You've Been Eliminated");
    let check = player.read("player", "check_player_for_event", json!({ "eventId": id, "userId": me })).await.ok();
    assert_eq!(check["isEliminated"], true);
    assert_eq!(update(json!({ "isEliminated": false })).await.ok()["player"]["losses"], 2);
    update(json!({ "level": 0 })).await.fails(422, "invalid");
    assert_eq!(player.read("player", "get_player", json!({ "userId": me })).await.ok()["player"]["level"], 6);
    let board = fixture.leaderboard(&id).await;
    assert_eq!((&board[0]["userId"], &board[1]["rank"]), (&me, &json!(2)));
    // Corrections without a game are separate receipts.
    let verified = fixture.admin.read("event", "verify_event", json!({ "eventId": id })).await.ok();
    assert_eq!((&verified["agrees"], &verified["games"], &verified["players"]), (&json!(true), &json!(0), &json!(2)));
    let receipts = verified["corrections"].as_array().unwrap();
    let last = &receipts[receipts.len() - 1];
    assert_eq!((receipts.len(), &last["what"], &last["userId"]), (4, &json!("standing"), &me));
    assert_eq!((&last["before"]["losses"], &last["after"]["losses"]), (&json!(3), &json!(2)));

    fixture.admin.write("player", "clear_event", json!({ "userId": me })).await.ok();
    player.read("player", "get_player", json!({ "userId": me })).await.fails(404, "not-found");
    fixture.admin.write("player", "set_event", json!({ "userId": me, "eventId": id })).await.ok();
    player.read("player", "get_player", json!({ "userId": me })).await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_changed_name_is_shown_everywhere() {
    let fixture = Fixture::new().await;
    let (player, _) = fixture.server.registered("player").await;
    let id = fixture.published(details("Cup")).await;
    player.write("eventSignUp", "sign_up", json!({ "eventId": id })).await.ok();
    player.post("/api/backend/profile/update", json!({ "username": "renamed" })).await.ok();
    assert_eq!(fixture.leaderboard(&id).await[0]["username"], "renamed");
}
