//! Private events that members host: `docs/behaviour/events.md#private-events`.

use std::time::Duration;

use chrono::Utc;
use futures_util::future::join_all;
use morpion_appliance::{caller::Identity, error::CommonError};
use morpion_rules::{
    UserId,
    event::{Details, EventType, entry::Conditions},
};
use morpion_store::AuditEntry;
use serde_json::{Value, json};
use tempfile::TempDir;
use uuid::Uuid;

use crate::{
    fixture::{Fixture, details, in_seconds},
    person::{Person, paired, started, win},
    restart::{on_disk, signed_in},
    support::{Browser, Outcome, Server},
};

async fn fixture() -> Fixture {
    Fixture::with(|config| {
        config.events.round_pause = Duration::from_millis(50);
        config.plans.free_events_per_month = 0;
        config.limits.hosted_events_per_hour = 50.try_into().unwrap();
    })
    .await
}

/// A member who may host.
async fn member(fixture: &Fixture, name: &str) -> Person {
    let person = Person::new(&fixture.server, name).await;
    fixture.server.verify_email_of(person.id.parse().unwrap(), &format!("{name}@example.org")).await;
    person
}

fn knockout(title: &str) -> Value {
    let mut fields = details(title);
    fields["format"] = json!("knockout");
    fields["matchGames"] = json!(1);
    fields
}

/// An event that is published, with its join code.
async fn hosted(host: &Person, fields: Value) -> (String, String) {
    let made = host.browser.write("event", "create_event", fields).await.ok()["event"].clone();
    let id = made["eventId"].as_str().unwrap().to_owned();
    host.browser.write("event", "update_event", json!({ "eventId": id, "eventState": "published" })).await.ok();
    (id, made["joinCode"].as_str().unwrap().to_owned())
}

/// As a call has it that began before the account changed.
fn identity(person: &Person) -> Identity {
    Identity {
        user_id: UserId(person.id.parse().unwrap()),
        username: person.name.clone(),
        is_admin: false,
        is_temp: false,
        session_id: Uuid::nil(),
        needs_second_factor: false,
        credential_version: None,
        scopes: None,
    }
}

fn plan() -> Details {
    Details {
        title: "Late".to_owned(),
        description: String::new(),
        prize: None,
        event_type: EventType::Open,
        start_time: None,
        end_time: None,
        max_losses: 3,
        rated_on_one_network: false,
        clock: morpion_rules::clock::TimeControl::PerTurn,
        stages: None,
        max_players: None,
        conditions: Conditions::default(),
        check_in_minutes: None,
        round_times: vec![],
    }
}

fn entry() -> AuditEntry {
    AuditEntry {
        actor: "test".to_owned(),
        action: "create_event".to_owned(),
        target: String::new(),
        address: "127.0.0.1".to_owned(),
        at: Utc::now(),
        detail: json!({}),
        by: None,
    }
}

async fn publish((host, event): &(Person, Value)) -> Outcome {
    let change = json!({ "eventId": event, "eventState": "published" });
    host.browser.write("event", "update_event", change).await
}

async fn history(browser: &Browser, of: &str) -> Vec<Value> {
    let answer = browser.read("player", "get_history", json!({ "userId": of })).await.ok();
    answer["games"].as_array().unwrap().clone()
}

async fn enter(browser: &Browser, code: &str) -> Value {
    browser.write("eventSignUp", "sign_up_by_code", json!({ "joinCode": code })).await.ok()["signup"].clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_private_event_is_played_from_its_draft_to_its_winner() {
    let fixture = fixture().await;
    let (mut ada, mut bob) = (member(&fixture, "ada").await, Person::new(&fixture.server, "bob").await);
    let hosting = ada.browser.read("event", "get_hosting", json!({})).await.ok();
    assert_eq!(hosting["refusal"], Value::Null);
    assert_eq!((&hosting["open"], &hosting["limit"], &hosting["maxPlayers"]), (&json!(0), &json!(2), &json!(64)));

    let (event, code) = hosted(&ada, knockout("Garden Party")).await;
    assert_eq!(code.len(), "ABCD-EFGH-JKMN-PQRS".len());
    let seen = ada.browser.read("event", "get_event_by_id", json!({ "eventId": event })).await.ok()["event"].clone();
    assert_eq!((&seen["isPrivate"], &seen["maxPlayers"]), (&json!(true), &json!(64)));
    assert_eq!((&seen["host"]["userId"], &seen["host"]["username"]), (&json!(ada.id), &json!("ada")));

    // As somebody types it who reads it from a sheet.
    let signup = enter(&bob.browser, &code.to_lowercase().replace('-', " ")).await;
    assert_eq!(signup["eventId"], json!(event));
    assert_eq!(enter(&bob.browser, &code).await["signupId"], signup["signupId"], "again");
    enter(&ada.browser, &code).await;
    let seen = bob.browser.read("event", "get_event_by_id", json!({ "eventId": event })).await.ok()["event"].clone();
    assert_eq!((&seen["title"], &seen["joinCode"]), (&json!("Garden Party"), &Value::Null), "not for him");
    let listed = ada.browser.read("event", "list_events", json!({ "filter": { "hosted": true } })).await.ok();
    assert_eq!((&listed["events"][0]["eventId"], &listed["events"][0]["joinCode"]), (&json!(event), &json!(code)));
    let export = ada.browser.get("/api/backend/account/export").await;
    assert_eq!(export.body["hostedEvents"][0]["eventId"], json!(event), "{}", export.body);
    let of_bob = bob.browser.read("event", "list_events", json!({ "filter": { "signedUp": true } })).await.ok();
    assert_eq!(of_bob["events"][0]["eventId"], json!(event));

    ada.browser.write("event", "start_event", json!({ "eventId": event })).await.ok();
    for person in [&mut ada, &mut bob] {
        person.enters(&event).await;
    }
    let game = ada.socket.wait("playerFound").await["gameId"].as_str().unwrap().to_owned();
    let state = started(&mut ada, &mut bob, &game).await;
    assert_eq!(state["rated"], json!(false));
    win(&mut ada, &mut bob, &game, &state).await;
    let over = fixture.until(&event, |event| event["concluded"] == true).await;
    assert_eq!(over["winners"][0]["username"], "ada");
    let verified = ada.browser.read("event", "verify_event", json!({ "eventId": event })).await.ok();
    assert_eq!((&verified["agrees"], &verified["games"]), (&json!(true), &json!(1)));
    // It counts for nobody's plan: there are no free events here at all.
    let open = fixture.started(details("Open")).await;
    bob.browser.write("event", "join_event", json!({ "eventId": open })).await.fails(402, "plan-limit");
}

#[tokio::test(flavor = "multi_thread")]
async fn outsiders_learn_nothing_of_a_private_event() {
    let fixture = fixture().await;
    let (mut ada, mut bob) = (member(&fixture, "ada").await, Person::new(&fixture.server, "bob").await);
    let mut eve = member(&fixture, "eve").await;
    let visitor = fixture.server.browser().await;
    let (event, code) = hosted(&ada, knockout("Secret")).await;
    for person in [&ada, &bob] {
        enter(&person.browser, &code).await;
    }
    ada.browser.write("event", "start_event", json!({ "eventId": event })).await.ok();
    for person in [&mut ada, &mut bob] {
        person.enters(&event).await;
    }
    let game = ada.socket.wait("playerFound").await["gameId"].as_str().unwrap().to_owned();
    let state = started(&mut ada, &mut bob, &game).await;

    let reads = [
        ("event", "get_event_by_id", json!({ "eventId": event })),
        ("event", "get_rounds", json!({ "eventId": event })),
        ("event", "get_standings", json!({ "eventId": event })),
        ("player", "get_leaderboard", json!({ "eventId": event })),
        ("player", "getPlayersByEvent", json!({ "eventId": event })),
        ("game", "get_games_by_event", json!({ "eventId": event })),
        ("game", "spectatable_games", json!({ "eventId": event })),
        ("eventSignUp", "list_signups_for_event", json!({ "eventId": event })),
        ("eventSignUp", "get_user_sign_up_status", json!({ "eventId": event, "userId": eve.id })),
        ("player", "check_player_for_event", json!({ "eventId": event, "userId": eve.id })),
        ("player", "get_player", json!({ "eventId": event, "userId": ada.id })),
        ("game", "get_game", json!({ "gameId": game })),
    ];
    for (resource, action, payload) in &reads {
        eve.browser.read(resource, action, payload.clone()).await.fails(404, "not-found");
        let outcome = visitor.read(resource, action, payload.clone()).await;
        assert!([401, 404].contains(&outcome.status.as_u16()), "{action}: {}", outcome.body);
        let names_another = payload.get("userId").is_some_and(|user| *user == json!(eve.id));
        if !names_another {
            fixture.admin.read(resource, action, payload.clone()).await.ok();
            bob.browser.read(resource, action, payload.clone()).await.ok();
        }
    }
    for (resource, action) in [
        ("eventSignUp", "sign_up"),
        ("eventSignUp", "remove_signup"),
        ("event", "join_event"),
        ("player", "join_event_room"),
    ] {
        eve.browser.write(resource, action, json!({ "eventId": event })).await.fails(404, "not-found");
    }
    // Neither does one learn that there is one: an unknown event answers alike.
    for id in [event.as_str(), "0199c0de-0000-7000-8000-000000000000"] {
        eve.browser.write("event", "cancel_event", json!({ "eventId": id })).await.fails(403, "forbidden");
        eve.browser.read("event", "verify_event", json!({ "eventId": id })).await.fails(403, "forbidden");
    }
    for filter in [json!({}), json!({ "text": "Secret" }), json!({ "hosted": true }), json!({ "signedUp": true })] {
        let listed = eve.browser.read("event", "list_events", json!({ "filter": filter })).await.ok();
        assert_eq!(
            (&listed["events"], &listed["pagination"]["totalCount"]),
            (&json!([]), &json!(0)),
            "{filter}: {listed}"
        );
    }
    let calendar = reqwest::get(format!("http://{}/api/backend/events/{event}/calendar.ics", fixture.server.address))
        .await
        .unwrap();
    assert_eq!(calendar.status(), 404);
    let refused = eve.socket.ask("spectateGame", json!({ "gameId": game })).await;
    assert_eq!(refused["succeeded"], false, "{refused}");
    let room = eve.socket.ask("joinEventRoom", json!({ "eventId": event, "userId": eve.id })).await;
    assert_eq!(room["errorCode"], "not-found", "{room}");

    win(&mut ada, &mut bob, &game, &state).await;
    let over = fixture.until(&event, |event| event["concluded"] == true).await;
    assert_eq!(over["winners"][0]["username"], "ada");
    let mut own = vec![];
    for _ in 0..100 {
        own = history(&ada.browser, &ada.id).await;
        if !own.is_empty() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(own.len(), 1, "her own history has it");
    assert_eq!(history(&eve.browser, &ada.id).await, [] as [Value; 0]);
    let page = eve.browser.read("player", "get_profile", json!({ "userId": ada.id })).await.ok();
    assert_eq!(page["profile"]["events"], json!([]));
    for (resource, action, payload) in &reads {
        eve.browser.read(resource, action, payload.clone()).await.fails(404, "not-found");
    }
    // No frame of it came either; what comes next does.
    let public = fixture.started(details("Public")).await;
    loop {
        let frame = eve.socket.wait("eventStateChanged").await;
        assert_ne!(frame["eventId"], json!(event));
        if frame["eventId"] == json!(public) {
            break;
        }
    }
}

/// Every action of the contract that a host may not do in an event of others.
#[tokio::test(flavor = "multi_thread")]
async fn a_host_reaches_nothing_but_the_own_event() {
    let fixture = fixture().await;
    let (ada, bob) = (member(&fixture, "ada").await, member(&fixture, "bob").await);
    let (own, _) = hosted(&ada, knockout("Mine")).await;
    let (other, code) = hosted(&bob, knockout("Bob's")).await;
    enter(&ada.browser, &code).await;
    let public = fixture.published(knockout("Public")).await;
    let address = format!("http://{}/api/openapi.json", fixture.server.address);
    let document: Value = reqwest::get(address).await.unwrap().json().await.unwrap();
    let mut directing = vec![];
    for (path, methods) in document["paths"].as_object().unwrap() {
        let Some(resource @ ("event" | "player" | "admin")) = path.strip_prefix("/api/backend/") else { continue };
        let Some(actions) = methods["post"]["x-actions"].as_array() else { continue };
        for action in actions.iter().map(|action| action["action"].as_str().unwrap()) {
            if ["create_event", "join_event", "join_event_room", "leave_event_room"].contains(&action) {
                continue;
            }
            let asked = &document["paths"][format!("{path}/{action}")]["post"]["requestBody"]["content"];
            let example = asked.as_object().unwrap().values().next().unwrap()["example"].clone();
            let payload = |event: &str| {
                let mut payload = example.clone();
                for (field, value) in [
                    ("eventId", json!(event)),
                    ("userId", json!(bob.id)),
                    ("account", json!("bob")),
                    ("endTime", json!(in_seconds(9_000))),
                    ("eventState", Value::Null),
                ] {
                    if payload.get(field).is_some() {
                        payload[field] = value;
                    }
                }
                payload
            };
            for event in [&other, &public] {
                let outcome = ada.browser.write(resource, action, payload(event)).await;
                assert_eq!(outcome.status, 403, "{action}: {}", outcome.body);
            }
            if resource != "admin" {
                let outcome = ada.browser.write(resource, action, payload(&own)).await;
                if outcome.status != 403 {
                    directing.push(action.to_owned());
                }
            }
        }
    }
    directing.sort();
    let may = [
        "announce",
        "cancel_event",
        "check_in_player",
        "delete_event",
        "disqualify_player",
        "end_event",
        "extend_event",
        "invite_player",
        "pause_event",
        "reinstate_player",
        "remove_participant",
        "renew_join_code",
        "replay_match",
        "resume_event",
        "set_result",
        "start_event",
        "start_round",
        "update_event",
        "withdraw_invitation",
        "withdraw_player",
    ];
    assert_eq!(directing, may);
    for event in [&other, &public] {
        ada.browser.read("event", "verify_event", json!({ "eventId": event })).await.fails(403, "forbidden");
    }
    assert_eq!(fixture.event(&public).await["title"], "Public");
    assert_eq!(fixture.event(&other).await["title"], "Bob's");
}

async fn invite(host: &Person, event: &str, username: &str) -> Outcome {
    host.browser.write("event", "invite_player", json!({ "eventId": event, "username": username })).await
}

/// Who is invited, as the host sees it: usernames and states.
async fn invited(host: &Person, event: &str) -> Vec<(String, String)> {
    let answer = host.browser.read("event", "list_invitations", json!({ "eventId": event })).await.ok();
    let word = |row: &Value, field: &str| row[field].as_str().unwrap().to_owned();
    let rows = answer["invitations"].as_array().unwrap();
    rows.iter().map(|row| (word(row, "username"), word(row, "state"))).collect()
}

/// The ids of the events that somebody is invited to.
async fn invitations(person: &Person) -> Vec<Value> {
    let answer = person.browser.read("eventSignUp", "list_own_invitations", json!({})).await.ok();
    answer["invitations"].as_array().unwrap().iter().map(|row| row["eventId"].clone()).collect()
}

async fn answer(person: &Person, event: &str, accepted: bool) -> Outcome {
    let payload = json!({ "eventId": event, "accepted": accepted });
    person.browser.write("eventSignUp", "answer_invitation", payload).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_host_invites_by_name_and_whoever_accepts_is_in() {
    let fixture = fixture().await;
    let (ada, mut bob) = (member(&fixture, "ada").await, Person::new(&fixture.server, "bob").await);
    let made = ada.browser.write("event", "create_event", knockout("Garden Party")).await.ok()["event"].clone();
    let event = made["eventId"].as_str().unwrap().to_owned();
    invite(&ada, &event, "bob").await.fails(409, "invite-later");
    ada.browser.write("event", "update_event", json!({ "eventId": event, "eventState": "published" })).await.ok();
    invite(&ada, &event, "nobody").await.fails(404, "not-found");
    invite(&bob, &event, "ada").await.fails(403, "forbidden");

    invite(&ada, &event, "bob").await.ok();
    let told = bob.socket.wait("eventNews").await;
    assert_eq!((&told["news"], &told["title"]), (&json!("invited"), &json!("Garden Party")));
    assert_eq!(invited(&ada, &event).await, [("bob".to_owned(), "invited".to_owned())]);
    // That, its time and its host is all he sees of it.
    let own = bob.browser.read("eventSignUp", "list_own_invitations", json!({})).await.ok()["invitations"][0].clone();
    assert_eq!((&own["title"], &own["host"]["username"]), (&json!("Garden Party"), &json!("ada")));
    assert_eq!((&own["joinCode"], &own["eventState"]), (&Value::Null, &json!("published")));
    bob.browser.read("event", "get_event_by_id", json!({ "eventId": event })).await.fails(404, "not-found");
    bob.browser.write("eventSignUp", "sign_up", json!({ "eventId": event })).await.fails(404, "not-found");

    // Again he is not told.
    invite(&ada, &event, "bob").await.ok();
    assert!(bob.socket.drained().await.iter().all(|frame| frame["event"] != "eventNews"));
    let signup = answer(&bob, &event, true).await.ok()["signup"].clone();
    assert_eq!((&signup["eventId"], &signup["userId"]), (&json!(event), &json!(bob.id)));
    assert_eq!((invitations(&bob).await, invited(&ada, &event).await), (vec![], vec![]));
    bob.browser.read("event", "get_event_by_id", json!({ "eventId": event })).await.ok();
    answer(&bob, &event, true).await.fails(404, "not-found");

    // The conditions are those of the moment at which somebody enters.
    let eve = Person::new(&fixture.server, "eve").await;
    invite(&ada, &event, "eve").await.ok();
    ada.browser.write("event", "update_event", json!({ "eventId": event, "minGames": 5 })).await.ok();
    answer(&eve, &event, true).await.fails(403, "entry-min-games");
    ada.browser.write("event", "update_event", json!({ "eventId": event, "minGames": 0 })).await.ok();
    ada.browser.write("event", "cancel_event", json!({ "eventId": event })).await.ok();
    assert_eq!(invitations(&eve).await, [] as [Value; 0], "it ends with the event");
    answer(&eve, &event, true).await.fails(404, "not-found");
    invite(&ada, &event, "eve").await.fails(409, "event-over");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_invitation_is_declined_for_good_or_taken_back() {
    let fixture = fixture().await;
    let (ada, bob) = (member(&fixture, "ada").await, Person::new(&fixture.server, "bob").await);
    let mut eve = Person::new(&fixture.server, "eve").await;
    let (event, _) = hosted(&ada, knockout("Cup")).await;
    for name in ["bob", "eve"] {
        invite(&ada, &event, name).await.ok();
    }
    eve.socket.wait("eventNews").await;
    answer(&bob, &event, false).await.ok();
    let expected = [("bob", "declined"), ("eve", "invited")].map(|(name, state)| (name.to_owned(), state.to_owned()));
    assert_eq!(invited(&ada, &event).await, expected);
    invite(&ada, &event, "bob").await.ok();
    assert_eq!(invitations(&bob).await, [] as [Value; 0], "he has answered");
    answer(&bob, &event, true).await.fails(404, "not-found");

    let back = json!({ "eventId": event, "userId": eve.id });
    for _ in 0..2 {
        ada.browser.write("event", "withdraw_invitation", back.clone()).await.ok();
        assert_eq!(invitations(&eve).await, [] as [Value; 0]);
    }
    answer(&eve, &event, true).await.fails(404, "not-found");
    eve.socket.drained().await;
    invite(&ada, &event, "eve").await.ok();
    assert_eq!(invitations(&eve).await, [json!(event)]);
    assert!(eve.socket.drained().await.iter().all(|frame| frame["event"] != "eventNews"), "she knows of it");
    answer(&eve, &event, true).await.ok();
    // Public events have none.
    let public = fixture.published(details("Public")).await;
    let named = json!({ "eventId": public, "username": "bob" });
    fixture.admin.write("event", "invite_player", named).await.fails(404, "not-found");
}

/// Whether somebody blocks the host, or cannot enter, is not to be found out by an invitation.
#[tokio::test(flavor = "multi_thread")]
async fn an_invitation_tells_the_host_of_no_block() {
    let fixture = fixture().await;
    let (ada, mut bob) = (member(&fixture, "ada").await, Person::new(&fixture.server, "bob").await);
    let mut kim = Person::new(&fixture.server, "kim").await;
    let (event, _) = hosted(&ada, knockout("Cup")).await;
    bob.browser.write("userprofile", "block_user", json!({ "userId": ada.id })).await.ok();
    let suspended = Person::new(&fixture.server, "sue").await;
    let suspension = json!({ "userId": suspended.id, "reason": "Insults" });
    fixture.admin.write("admin", "suspend_user", suspension).await.ok();
    let outcomes =
        [invite(&ada, &event, "kim").await, invite(&ada, &event, "bob").await, invite(&ada, &event, "sue").await];
    for outcome in outcomes {
        assert_eq!(outcome.ok(), json!({ "succeeded": true }));
    }
    let expected = ["kim", "bob", "sue"].map(|name| (name.to_owned(), "invited".to_owned()));
    assert_eq!(invited(&ada, &event).await, expected);
    kim.socket.wait("eventNews").await;
    assert!(bob.socket.drained().await.iter().all(|frame| frame["event"] != "eventNews"));
    assert_eq!(invitations(&bob).await, [] as [Value; 0]);
    answer(&bob, &event, true).await.fails(404, "not-found");
}

#[tokio::test(flavor = "multi_thread")]
async fn invitations_have_limits_and_outlast_a_restart() {
    let folder = TempDir::new().unwrap();
    let on_this_disk = on_disk(&folder);
    let fixture = Fixture::with(|config| {
        on_this_disk(config);
        config.limits.event_invitations_per_day = 2.try_into().unwrap();
    })
    .await;
    let ada = member(&fixture, "ada").await;
    let (event, _) = hosted(&ada, knockout("Cup")).await;
    for name in ["bob", "eve", "kim"] {
        Person::new(&fixture.server, name).await;
    }
    invite(&ada, &event, "bob").await.ok();
    invite(&ada, &event, "eve").await.ok();
    invite(&ada, &event, "kim").await.fails(429, "too-many-requests");

    fixture.server.stop().await;
    let server = Server::with(on_disk(&folder)).await;
    let [ada, bob] = [signed_in(&server, "ada").await, signed_in(&server, "bob").await];
    let expected = ["bob", "eve"].map(|name| (name.to_owned(), "invited".to_owned()));
    assert_eq!(invited(&ada, &event).await, expected);
    assert_eq!(invitations(&bob).await, [json!(event)]);
    answer(&bob, &event, true).await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn who_is_there_is_told_to_the_host_alone() {
    let fixture = fixture().await;
    let (mut ada, mut bob) = (member(&fixture, "ada").await, Person::new(&fixture.server, "bob").await);
    let mut eve = member(&fixture, "eve").await;
    let (event, code) = hosted(&ada, knockout("Secret")).await;
    enter(&bob.browser, &code).await;
    let watch = json!({ "eventId": event });
    assert_eq!(ada.socket.ask("watchPresence", watch.clone()).await["succeeded"], true);
    let told = ada.socket.wait("presenceChanged").await;
    assert_eq!(told, json!({ "eventId": event, "players": [{ "userId": bob.id, "presence": "online" }] }));
    for person in [&mut bob, &mut eve] {
        assert_eq!(person.socket.ask("watchPresence", watch.clone()).await["errorCode"], "forbidden");
    }
    let list = async |browser: &Browser| {
        let answer = browser.read("eventSignUp", "list_signups_for_event", watch.clone()).await.ok();
        answer["signups"][0]["presence"].clone()
    };
    assert_eq!((list(&ada.browser).await, list(&bob.browser).await), (json!("online"), Value::Null));
}

/// Every act of a director stays in the audit trail, and announcements reach everybody: without end one member fills the disk.
#[tokio::test(flavor = "multi_thread")]
async fn what_a_host_does_in_an_hour_has_a_limit() {
    let fixture = Fixture::with(|config| config.limits.host_acts_per_hour = 5.try_into().unwrap()).await;
    let (ada, bob) = (member(&fixture, "ada").await, member(&fixture, "bob").await);
    let (event, _) = hosted(&ada, knockout("Cup")).await;
    // Publishing was one.
    let announce = json!({ "eventId": event, "message": "Soon." });
    for _ in 0..2 {
        ada.browser.write("event", "announce", announce.clone()).await.ok();
        ada.browser.write("event", "renew_join_code", json!({ "eventId": event })).await.ok();
    }
    let trail = async || fixture.server.app.store.audit_after(0, 100).await.unwrap().len();
    let before = trail().await;
    for (action, payload) in [
        ("announce", announce.clone()),
        ("update_event", json!({ "eventId": event, "title": "Cup again" })),
        ("renew_join_code", json!({ "eventId": event })),
        ("cancel_event", json!({ "eventId": event })),
    ] {
        let refused = ada.browser.write("event", action, payload).await;
        assert!(refused.retry_after.is_some_and(|seconds| seconds > 60), "{action}: {refused:?}");
        refused.fails(429, "too-many-requests");
    }
    assert_eq!(trail().await, before);
    // Others have their own, and admins none.
    let (of_bob, _) = hosted(&bob, knockout("Other")).await;
    bob.browser.write("event", "cancel_event", json!({ "eventId": of_bob })).await.ok();
    for _ in 0..8 {
        fixture.admin.write("event", "announce", announce.clone()).await.ok();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_members_host_has_limits() {
    let fixture = fixture().await;
    let new = Person::new(&fixture.server, "new").await;
    new.browser.write("event", "create_event", details("Cup")).await.fails(403, "email-not-verified");
    let refusal = new.browser.read("event", "get_hosting", json!({})).await.ok()["refusal"].clone();
    assert_eq!(refusal, "emailNotVerified");
    // An admin's word is as good, as where there is no mail.
    for (allowed, status) in [(true, 200), (false, 403)] {
        let word = json!({ "userId": new.id, "allowed": allowed });
        let answer = fixture.admin.write("admin", "allow_hosting", word).await.ok();
        assert_eq!(answer["user"]["mayHost"], if allowed { json!(true) } else { Value::Null });
        let made = new.browser.write("event", "create_event", details("Cup")).await;
        assert_eq!(made.status, status, "{}", made.body);
    }

    let ada = member(&fixture, "ada").await;
    let with = |field: &str, value: Value| {
        let mut fields = knockout("Cup");
        fields[field] = value;
        fields
    };
    for (field, value) in [
        ("prize", json!("A car")),
        ("ratedOnOneNetwork", json!(true)),
        ("maxPlayers", json!(65)),
        ("maxPlayers", json!(1)),
        ("title", json!("Free coins at win.example.com")),
        ("description", json!("See https://example.com/x")),
        ("description", json!("Losers are fuckers")),
    ] {
        let failed = ada.browser.write("event", "create_event", with(field, value.clone())).await;
        assert_eq!(failed.status, 422, "{field} {value}: {}", failed.body);
        assert!(failed.body["fieldErrors"][field].is_string(), "{field} {value}: {}", failed.body);
    }
    ada.browser.write("event", "create_event", with("isPrivate", json!(false))).await.fails(403, "forbidden");

    // At once, and never more than two.
    let made = join_all((0..8).map(|_| ada.browser.write("event", "create_event", with("maxPlayers", json!(2))))).await;
    let (made, refused): (Vec<_>, Vec<_>) = made.into_iter().partition(|outcome| outcome.status == 200);
    assert_eq!((made.len(), refused.len()), (2, 6));
    refused.into_iter().for_each(|outcome| drop(outcome.fails(409, "too-many-hosted")));
    let events: Vec<Value> = made.into_iter().map(|outcome| outcome.ok()["event"].clone()).collect();
    let (id, code) = (&events[0]["eventId"], events[0]["joinCode"].as_str().unwrap());
    let edit = |fields: Value| {
        let mut fields = fields;
        fields["eventId"] = id.clone();
        ada.browser.write("event", "update_event", fields)
    };
    for change in [
        json!({ "maxPlayers": 0 }),
        json!({ "maxPlayers": 100 }),
        json!({ "prize": "Coins" }),
        json!({ "title": "www.example" }),
        json!({ "ratedOnOneNetwork": true }),
    ] {
        assert_eq!(edit(change.clone()).await.status, 422, "{change}");
    }
    edit(json!({ "eventState": "published", "description": "In the garden." })).await.ok();
    let link = json!({ "eventId": id, "message": "Come to t.me/club" });
    assert_eq!(ada.browser.write("event", "announce", link).await.status, 422);
    ada.browser.write("event", "announce", json!({ "eventId": id, "message": "Bring chairs." })).await.ok();

    enter(&ada.browser, code).await;
    enter(&new.browser, code).await;
    let eve = Person::new(&fixture.server, "eve").await;
    let full = eve.browser.write("eventSignUp", "sign_up_by_code", json!({ "joinCode": code })).await;
    full.fails(409, "event-full");
    edit(json!({ "maxPlayers": 3 })).await.ok();
    enter(&eve.browser, code).await;
    edit(json!({ "maxPlayers": 2 })).await.fails(409, "too-many-players");

    // Once one is over there is room for another.
    ada.browser.write("event", "cancel_event", json!({ "eventId": id })).await.ok();
    ada.browser.write("event", "create_event", knockout("Next")).await.ok();
    // Admins host as many as they like, also larger ones.
    for title in ["One", "Two", "Three"] {
        let mut fields = with("maxPlayers", json!(200));
        fields["isPrivate"] = json!(true);
        fields["title"] = json!(title);
        let made = fixture.admin.write("event", "create_event", fields).await.ok();
        assert_eq!(made["event"]["isPrivate"], json!(true));
    }
    let off = Fixture::with(|config| config.events.members_may_host = false).await;
    let ada = member(&off, "ada").await;
    ada.browser.write("event", "create_event", knockout("Cup")).await.fails(403, "hosting-off");
    assert_eq!(ada.browser.read("event", "get_hosting", json!({})).await.ok()["refusal"], "off");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_join_code_is_renewed_and_wrong_ones_are_counted() {
    let fixture = Fixture::with(|config| config.limits.join_codes_per_hour = 6.try_into().unwrap()).await;
    let (ada, bob) = (member(&fixture, "ada").await, Person::new(&fixture.server, "bob").await);
    let (event, code) = hosted(&ada, knockout("Cup")).await;
    for _ in 1..10 {
        let made = ada.browser.write("event", "create_event", knockout("One more")).await.ok();
        let id = json!({ "eventId": made["event"]["eventId"] });
        ada.browser.write("event", "delete_event", id).await.ok();
    }
    ada.browser.write("event", "create_event", knockout("One too many")).await.fails(429, "too-many-requests");
    let renewed = ada.browser.write("event", "renew_join_code", json!({ "eventId": event })).await.ok();
    let new = renewed["event"]["joinCode"].as_str().unwrap().to_owned();
    assert_ne!(new, code);
    let attempt = |code: &str| bob.browser.write("eventSignUp", "sign_up_by_code", json!({ "joinCode": code }));
    let long = "A".repeat(10_000);
    let wrong = ["", "nonsense", "AAAA-AAAA-AAAA-AAAA", code.as_str(), event.as_str(), long.as_str()];
    let texts = join_all(wrong.iter().map(|code| attempt(code))).await;
    let texts: Vec<String> =
        texts.into_iter().map(|outcome| outcome.fails(404, "join-code")["errorMessage"].to_string()).collect();
    assert!(texts.iter().all(|text| *text == texts[0]), "{texts:?}");
    attempt("AAAA-AAAA-AAAA-AAAB").await.fails(429, "too-many-requests");
    enter(&bob.browser, &new).await;

    let public = fixture.published(knockout("Public")).await;
    fixture.admin.write("event", "renew_join_code", json!({ "eventId": public })).await.fails(404, "not-found");
    // Whom the host blocks finds nothing, and after its end nobody does.
    let eve = Person::new(&fixture.server, "eve").await;
    ada.browser.write("userprofile", "block_user", json!({ "userId": eve.id })).await.ok();
    let refused = eve.browser.write("eventSignUp", "sign_up_by_code", json!({ "joinCode": new })).await;
    refused.fails(404, "join-code");
    ada.browser.write("event", "cancel_event", json!({ "eventId": event })).await.ok();
    let cat = Person::new(&fixture.server, "cat").await;
    let refused = cat.browser.write("eventSignUp", "sign_up_by_code", json!({ "joinCode": new })).await;
    refused.fails(404, "join-code");
    // Who was in it sees what became of it.
    let seen = bob.browser.read("event", "get_event_by_id", json!({ "eventId": event })).await.ok();
    assert_eq!(seen["event"]["eventState"], "cancelled");
}

#[tokio::test(flavor = "multi_thread")]
async fn events_of_a_host_who_is_suspended_or_deleted_are_cancelled() {
    let fixture = fixture().await;
    let (ada, dan) = (member(&fixture, "ada").await, member(&fixture, "dan").await);
    let mut bob = Person::new(&fixture.server, "bob").await;
    let (of_ada, code) = hosted(&ada, knockout("Ada's")).await;
    enter(&bob.browser, &code).await;
    let (of_dan, _) = hosted(&dan, knockout("Dan's")).await;
    let suspend = json!({ "userId": ada.id, "reason": "Insults" });
    fixture.admin.write("admin", "suspend_user", suspend).await.ok();
    fixture.until(&of_ada, |event| event["eventState"] == "cancelled").await;
    // A call that was under way meanwhile.
    let late = fixture.server.app.events.host(&identity(&ada), plan(), entry()).await;
    assert_eq!(late.unwrap_err(), CommonError::NotSignedIn.into());
    assert_eq!(bob.socket.wait("eventNews").await["news"], "cancelled");
    fixture.admin.write("admin", "delete_user", json!({ "userId": dan.id, "reason": "Asked for it" })).await.ok();
    fixture.until(&of_dan, |event| event["eventState"] == "cancelled").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_entered_a_private_event_sees_its_games_after_a_restart_and_nobody_else_does() {
    let folder = TempDir::new().unwrap();
    let fixture = Fixture::with(on_disk(&folder)).await;
    let (mut ada, mut bob) = (member(&fixture, "ada").await, Person::new(&fixture.server, "bob").await);
    let cat = Person::new(&fixture.server, "cat").await;
    fixture.server.registered("eve").await;
    let (event, code) = hosted(&ada, details("Cup")).await;
    for person in [&ada, &bob, &cat] {
        enter(&person.browser, &code).await;
    }
    ada.browser.write("event", "start_event", json!({ "eventId": event })).await.ok();
    let game = paired(&mut ada, &mut bob, &event).await;
    let state = started(&mut ada, &mut bob, &game).await;
    win(&mut ada, &mut bob, &game, &state).await;
    ada.browser.write("event", "end_event", json!({ "eventId": event })).await.ok();
    fixture.until(&event, |event| event["concluded"] == true).await;
    fixture.server.stop().await;

    let server = Server::with(on_disk(&folder)).await;
    // The event is read last, since that loads it.
    for (resource, action, payload) in
        [("game", "get_game", json!({ "gameId": game })), ("event", "get_event_by_id", json!({ "eventId": event }))]
    {
        for (name, may_see) in [("eve", false), ("cat", true), ("bob", true), ("ada", true)] {
            let outcome = signed_in(&server, name).await.browser.read(resource, action, payload.clone()).await;
            assert_eq!(outcome.status, if may_see { 200 } else { 404 }, "{action} {name}: {}", outcome.body);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_members_event_starts_soon_and_does_not_last_long() {
    let fixture = fixture().await;
    let ada = member(&fixture, "ada").await;
    let hosting = ada.browser.read("event", "get_hosting", json!({})).await.ok();
    assert_eq!((&hosting["aheadDays"], &hosting["lengthMinutes"]), (&json!(42), &json!(7 * 24 * 60)));
    let hours = |hours: i64| json!(in_seconds(hours * 3_600));
    let at = |start: Value, end: Value| {
        let mut fields = knockout("Cup");
        (fields["startTime"], fields["endTime"]) = (start, end);
        fields
    };
    const DAY: i64 = 24;
    let (far, long) = (at(hours(43 * DAY), hours(43 * DAY + 1)), at(hours(1), hours(7 * DAY + 2)));
    for (fields, field, text) in [
        (&far, "startTime", "A private event starts at most 42 days ahead."),
        (&long, "endTime", "A private event lasts at most 7 days."),
    ] {
        let refused = ada.browser.write("event", "create_event", fields.clone()).await;
        assert_eq!((refused.status.as_u16(), &refused.body["fieldErrors"][field]), (422, &json!(text)));
        // Admins are not bound.
        let mut fields = fields.clone();
        fields["isPrivate"] = json!(true);
        fixture.admin.write("event", "create_event", fields).await.ok();
    }
    let (id, _) = hosted(&ada, at(hours(41 * DAY), hours(47 * DAY))).await;
    let refused = |action: &'static str, field: &'static str, mut fields: Value| {
        fields["eventId"] = json!(id);
        let write = ada.browser.write("event", action, fields);
        async move {
            let refused = write.await;
            assert_eq!(refused.status, 422, "{action}: {}", refused.body);
            assert!(refused.body["fieldErrors"][field].is_string(), "{action}: {}", refused.body);
        }
    };
    refused("update_event", "startTime", json!({ "startTime": hours(43 * DAY) })).await;
    refused("update_event", "endTime", json!({ "endTime": hours(49 * DAY) })).await;
    refused("extend_event", "endTime", json!({ "endTime": hours(49 * DAY) })).await;
    // It is moved to an earlier time, where the same end would be too late.
    refused("update_event", "endTime", json!({ "startTime": hours(1) })).await;
    ada.browser.write("event", "update_event", json!({ "eventId": id, "startTime": hours(40 * DAY) })).await.ok();
    let later = json!({ "eventId": id, "endTime": hours(60 * DAY) });
    fixture.admin.write("event", "extend_event", later).await.ok();
    // What is planned stays, as long as nobody plans it anew.
    ada.browser.write("event", "update_event", json!({ "eventId": id, "description": "Tea." })).await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn private_events_that_are_open_have_a_limit_in_all() {
    let fixture = Fixture::with(|config| config.limits.open_private_events = 2).await;
    let mut drafts = vec![];
    for name in ["ada", "bob", "cat", "dan"] {
        let host = member(&fixture, name).await;
        let made = host.browser.write("event", "create_event", knockout("Cup")).await.ok()["event"].clone();
        drafts.push((host, made["eventId"].clone()));
    }
    let outcomes = join_all(drafts.iter().map(publish)).await;
    let (open, refused): (Vec<_>, Vec<_>) = drafts.iter().zip(outcomes).partition(|(_, outcome)| outcome.status == 200);
    assert_eq!((open.len(), refused.len()), (2, 2));
    let ((host, id), _) = &open[0];
    let mut waiting = vec![];
    for (draft, outcome) in refused {
        let text = outcome.fails(409, "private-events-full")["errorMessage"].to_string();
        assert!(text.contains("Publish yours when others are over"), "{text}");
        waiting.push(draft);
    }
    // Admins are not refused, and theirs count.
    let mut fields = knockout("Office");
    fields["isPrivate"] = json!(true);
    let office = fixture.admin.write("event", "create_event", fields).await.ok()["event"]["eventId"].clone();
    let act = |action: &'static str, id: &Value| fixture.admin.write("event", action, json!({ "eventId": id }));
    let published = json!({ "eventId": office, "eventState": "published" });
    fixture.admin.write("event", "update_event", published).await.ok();
    act("cancel_event", &office).await.ok();
    publish(waiting[0]).await.fails(409, "private-events-full");
    host.browser.write("event", "cancel_event", json!({ "eventId": id })).await.ok();
    publish(waiting[0]).await.ok();
    publish(waiting[1]).await.fails(409, "private-events-full");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_join_code_and_a_plan_of_before_are_good_after_a_restart() {
    let folder = TempDir::new().unwrap();
    let fixture = Fixture::with(|config| {
        on_disk(&folder)(config);
        config.events.private_events_ahead_days = 1_000;
    })
    .await;
    let ada = member(&fixture, "ada").await;
    fixture.server.registered("bob").await;
    let mut fields = details("Cup");
    (fields["startTime"], fields["endTime"]) = (json!(in_seconds(90 * 86_400)), json!(in_seconds(91 * 86_400)));
    let (event, old) = hosted(&ada, fields).await;
    let renewed = ada.browser.write("event", "renew_join_code", json!({ "eventId": event })).await.ok();
    let code = renewed["event"]["joinCode"].as_str().unwrap();
    fixture.server.stop().await;

    let server = Server::with(on_disk(&folder)).await;
    let (ada, bob) = (signed_in(&server, "ada").await.browser, signed_in(&server, "bob").await.browser);
    let attempt = |code: &str| bob.write("eventSignUp", "sign_up_by_code", json!({ "joinCode": code }));
    attempt(&old).await.fails(404, "join-code");
    attempt(code).await.ok();
    ada.write("event", "update_event", json!({ "eventId": event, "description": "Still on." })).await.ok();
    let moved = json!({ "eventId": event, "startTime": in_seconds(89 * 86_400) });
    assert_eq!(ada.write("event", "update_event", moved).await.status, 422);
    ada.write("event", "cancel_event", json!({ "eventId": event })).await.ok();
    attempt(code).await.fails(404, "join-code");
}
