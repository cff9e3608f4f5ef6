//! Corrections by admins: standings, winners and participants; announcements and copies.

use serde_json::{Value, json};

use crate::{
    fixture::{Fixture, details, in_seconds},
    person::{Person, paired, started, win},
};

/// An event in which the first has beaten the second once.
async fn played(fixture: &Fixture) -> (Person, Person, String) {
    let (mut ada, mut bob) = (Person::new(&fixture.server, "ada").await, Person::new(&fixture.server, "bob").await);
    let event = fixture.started(details("Cup")).await;
    let game = paired(&mut ada, &mut bob, &event).await;
    let state = started(&mut ada, &mut bob, &game).await;
    win(&mut ada, &mut bob, &game, &state).await;
    (ada, bob, event)
}

/// The result of verifying, once the rows of ended games are stored.
async fn verified(fixture: &Fixture, event: &str, games: u64) -> Value {
    for _ in 0..100 {
        let received = fixture.admin.read("event", "verify_event", json!({ "eventId": event })).await.ok();
        if received["games"] == games {
            return received;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    panic!("the games are not stored")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_concluded_event_is_reopened_corrected_and_concluded_again() {
    let fixture = Fixture::new().await;
    let (mut ada, bob, event) = played(&fixture).await;
    fixture.act("end_event", &event).await;
    let first = ada.socket.wait("eventConcluded").await;
    assert_eq!(first["winners"][0]["userId"], json!(ada.id));
    let correction =
        json!({ "userId": bob.id, "eventId": event, "didWin": true, "reason": "A broken cable in round one." });
    let correct = async || fixture.admin.write("player", "record_result", correction.clone()).await;
    correct().await.fails(409, "event-over");
    fixture.admin.write("event", "conclude_event", json!({ "eventId": event })).await.fails(409, "cannot-conclude");

    let reopen = json!({ "eventId": event, "reason": "Round one is to be corrected." });
    let reopened = fixture.admin.write("event", "reopen_event", reopen.clone()).await.ok()["event"].clone();
    assert_eq!((&reopened["eventState"], &reopened["concluded"]), (&json!("ended"), &json!(false)));
    assert_eq!((&reopened["winners"], &reopened["decidedBy"]), (&json!([]), &Value::Null));
    fixture.admin.write("event", "reopen_event", reopen).await.fails(409, "cannot-reopen");
    assert_eq!(ada.socket.ask("joinEventRoom", json!({ "eventId": event })).await["errorCode"], "event-ended");
    correct().await.ok();
    correct().await.ok();
    let concluded = fixture.act("conclude_event", &event).await;
    assert_eq!((&concluded["concluded"], &concluded["winners"][0]["userId"]), (&json!(true), &json!(bob.id)));
    assert_eq!(ada.socket.wait("eventConcluded").await["winners"][0]["username"], "bob");

    let received = verified(&fixture, &event, 1).await;
    assert_eq!((&received["agrees"], &received["differences"]), (&json!(true), &json!([])), "{received}");
    let receipts = received["corrections"].as_array().unwrap();
    assert_eq!(receipts.len(), 2);
    let receipt = &receipts[0];
    assert_eq!((&receipt["what"], &receipt["username"]), (&json!("result"), &json!("bob")));
    assert_eq!((&receipt["by"], &receipt["reason"]), (&json!("the_admin"), &correction["reason"]));
    assert_eq!(receipt["before"], json!({ "level": 1, "wins": 0, "losses": 1 }));
    assert_eq!(receipt["after"], json!({ "level": 2, "wins": 1, "losses": 1 }));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_removed_participant_loses_the_game_and_stays_out() {
    let fixture = Fixture::new().await;
    let (mut ada, mut bob, event) = played(&fixture).await;
    let game = paired(&mut ada, &mut bob, &event).await;
    started(&mut ada, &mut bob, &game).await;
    let removal = json!({ "eventId": event, "userId": ada.id, "reason": "Used an engine." });
    let nameless = json!({ "eventId": event, "userId": ada.id, "reason": " " });
    fixture.admin.write("event", "remove_participant", nameless).await.fails(422, "invalid");
    bob.browser.write("event", "remove_participant", removal.clone()).await.fails(403, "forbidden");
    let player = fixture.admin.write("event", "remove_participant", removal.clone()).await.ok()["player"].clone();
    assert_eq!(
        (&player["isRemoved"], &player["isEliminated"], &player["rank"]),
        (&json!(true), &json!(true), &json!(2))
    );
    let end = bob.socket.wait("gameEnd").await;
    assert_eq!((&end["reason"], &end["winnerUserId"]), (&json!("removed"), &json!(bob.id)));
    assert_eq!((&end["message"], &end["forfeiter"]), (&json!("Opponent was removed. You win!"), &json!(ada.id)));
    let out = ada.socket.wait("removedFromRoom").await;
    assert_eq!(out["message"], "You have been removed from this event.");
    for frame in ["joinEventRoom", "findMatch"] {
        assert_eq!(ada.socket.ask(frame, json!({ "eventId": event })).await["errorCode"], "removed", "{frame}");
    }
    ada.browser.write("event", "join_event", json!({ "eventId": event })).await.fails(409, "removed");
    // Again: no change.
    fixture.admin.write("event", "remove_participant", removal).await.ok();
    assert_eq!(fixture.event(&event).await["signupCount"], 1);
    let signups = fixture.admin.read("eventSignUp", "list_signups_for_event", json!({ "eventId": event })).await.ok();
    assert_eq!(signups["signups"][0]["status"], "removed");

    fixture.act("end_event", &event).await;
    let ended = fixture.until(&event, |event| event["concluded"] == true).await;
    let winners: Vec<_> = ended["winners"].as_array().unwrap().iter().map(|winner| &winner["username"]).collect();
    assert_eq!(winners, ["bob"]);
    let mut received = verified(&fixture, &event, 2).await;
    assert_eq!(
        (&received["agrees"], &received["corrections"][0]["what"]),
        (&json!(true), &json!("removal")),
        "{received}"
    );
    assert_eq!(received["corrections"].as_array_mut().unwrap().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn players_removed_before_the_start_cannot_sign_up_again() {
    let fixture = Fixture::new().await;
    let (player, user) = fixture.server.registered("player").await;
    let id = fixture.published(details("Cup")).await;
    let me = json!({ "eventId": id });
    player.write("eventSignUp", "sign_up", me.clone()).await.ok();
    let removal = json!({ "eventId": id, "userId": user["userId"], "reason": "A second account." });
    fixture.admin.write("event", "remove_participant", removal).await.ok();
    for action in ["sign_up", "remove_signup"] {
        player.write("eventSignUp", action, me.clone()).await.fails(409, "removed");
    }
    assert_eq!(fixture.event(&id).await["signupCount"], 0);
    let unknown = json!({ "eventId": id, "userId": uuid::Uuid::new_v4(), "reason": "Who?" });
    fixture.admin.write("event", "remove_participant", unknown).await.fails(404, "not-found");
}

#[tokio::test(flavor = "multi_thread")]
async fn announcements_reach_participants_and_are_stored() {
    let fixture = Fixture::new().await;
    let mut ada = Person::new(&fixture.server, "ada").await;
    let mut stranger = Person::new(&fixture.server, "stranger").await;
    let event = fixture.published(details("Cup")).await;
    ada.browser.write("eventSignUp", "sign_up", json!({ "eventId": event })).await.ok();
    let announce = async |message: &str| {
        fixture.admin.write("event", "announce", json!({ "eventId": event, "message": message })).await
    };
    announce("  We begin in five minutes. ").await.ok();
    let heard = ada.socket.wait("eventAnnouncement").await;
    assert_eq!((&heard["eventId"], &heard["title"]), (&json!(event), &json!("Cup")));
    assert_eq!(heard["message"], "We begin in five minutes.");
    let others = stranger.socket.drained().await;
    assert!(!others.iter().any(|frame| frame["event"] == "eventAnnouncement"), "{others:?}");
    announce(" ").await.fails(422, "message-required");
    announce(&"x".repeat(281)).await.fails(422, "message-too-long");
    ada.browser
        .write("event", "announce", json!({ "eventId": event, "message": "Free drinks!" }))
        .await
        .fails(403, "forbidden");
    for number in 0..20 {
        announce(&format!("Note {number}")).await.ok();
    }
    let kept = fixture.event(&event).await["announcements"].as_array().unwrap().clone();
    let texts: Vec<&str> = kept.iter().map(|received| received["message"].as_str().unwrap()).collect();
    assert_eq!((texts.len(), texts[0], texts[19]), (20, "Note 0", "Note 19"));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_event_is_duplicated_into_a_draft() {
    let fixture = Fixture::new().await;
    let mut fields = details("Cup");
    fields["prize"] = json!("Honour");
    fields["eventType"] = json!("closed");
    fields["maxLosses"] = json!(1);
    let event = fixture.started(fields.clone()).await;
    let copy = fixture.act("duplicate_event", &event).await;
    assert_eq!((&copy["title"], &copy["eventState"]), (&json!("Cup (copy)"), &json!("drafted")));
    assert_eq!(
        (&copy["prize"], &copy["eventType"], &copy["maxLosses"]),
        (&json!("Honour"), &json!("closed"), &json!(1))
    );
    assert_eq!((&copy["startTime"], &copy["signupCount"]), (&fixture.event(&event).await["startTime"], &json!(0)));
    assert_ne!(copy["eventId"], json!(event));
    // Times that have passed are not copied.
    let short =
        fixture.published(json!({ "title": "Short", "startTime": in_seconds(0), "endTime": in_seconds(1) })).await;
    fixture.until(&short, |event| event["concluded"] == true).await;
    let copy = fixture.act("duplicate_event", &short).await;
    assert_eq!((&copy["startTime"], &copy["endTime"]), (&Value::Null, &Value::Null));
}

#[tokio::test(flavor = "multi_thread")]
async fn cancelled_events_are_listed_on_request() {
    let fixture = Fixture::new().await;
    for number in 0..3 {
        let id = fixture.published(details(&format!("Rained off {number}"))).await;
        fixture.act("cancel_event", &id).await;
    }
    let list = async |payload: Value| fixture.admin.read("event", "list_events", payload).await.ok();
    let found = list(json!({ "filter": { "eventState": "cancelled", "text": "off" }, "limit": 2, "page": 2 })).await;
    assert_eq!((&found["pagination"]["totalCount"], found["events"].as_array().unwrap().len()), (&json!(3), 1));
    let both = list(json!({ "filter": { "eventState": ["ended", "cancelled"] } })).await;
    assert_eq!(both["events"].as_array().unwrap().len(), 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_audit_trail_contains_names() {
    let fixture = Fixture::new().await;
    let (ada, _bob, event) = played(&fixture).await;
    let update = json!({ "userId": ada.id, "eventId": event, "updates": { "wins": 2 }, "reason": "A recount." });
    fixture.admin.write("player", "update_player", update).await.ok();
    let draft = fixture.draft(details("Gone")).await;
    fixture.admin.write("event", "delete_event", json!({ "eventId": draft })).await.ok();
    let trail = fixture.admin.read("admin", "list_audit", json!({})).await.ok()["entries"].clone();
    let entry =
        |action: &str| trail.as_array().unwrap().iter().find(|entry| entry["action"] == action).unwrap().clone();
    let named = |action: &str| {
        let entry = entry(action);
        (entry["subjectKind"].clone(), entry["subjectName"].clone())
    };
    assert_eq!(named("start_event"), (json!("event"), json!("Cup")));
    assert_eq!(named("update_player"), (json!("user"), json!("ada")));
    assert_eq!(named("delete_event"), (Value::Null, json!("Gone")));
    let detail: Value = serde_json::from_str(entry("update_player")["detail"].as_str().unwrap()).unwrap();
    assert_eq!((&detail["event"], &detail["reason"]), (&json!("Cup"), &json!("A recount.")));
}
