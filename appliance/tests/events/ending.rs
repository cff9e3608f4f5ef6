//! How an event ends: notifications, its page meanwhile, and final results.

use chrono::{DateTime, Utc};
use serde_json::{Value, json};

use crate::{
    fixture::{Fixture, details, in_seconds},
    person::{Person, paired, started, win},
    socket::Socket,
};

fn moment(value: &Value) -> DateTime<Utc> {
    value.as_str().unwrap_or_else(|| panic!("no time: {value}")).parse().unwrap()
}

/// Two players of the event in a game that has started.
async fn playing(fixture: &Fixture, event: &str, names: [&str; 2]) -> ([Person; 2], String, Value) {
    let [mut a, mut b] = [Person::new(&fixture.server, names[0]).await, Person::new(&fixture.server, names[1]).await];
    let game = paired(&mut a, &mut b, event).await;
    let state = started(&mut a, &mut b, &game).await;
    ([a, b], game, state)
}

#[tokio::test(flavor = "multi_thread")]
async fn winners_are_final_and_announced_once_the_last_games_are_decided() {
    let fixture = Fixture::new().await;
    let event = fixture.started(details("Cup")).await;
    let live = fixture.event(&event).await;
    assert_eq!((&live["concluded"], &live["gamesInPlay"]), (&json!(false), &json!(0)));
    assert!(moment(&live["startedAt"]) < moment(&live["startTime"]), "started ahead of its plan: {live}");
    assert_eq!((&live["endedAt"], &live["decidedBy"]), (&Value::Null, &Value::Null));

    let ([mut ada, mut bob], first, state) = playing(&fixture, &event, ["ada", "bob"]).await;
    let (people, second, _) = playing(&fixture, &event, ["eve", "kim"]).await;
    let mut onlooker = Person::new(&fixture.server, "onlooker").await;
    let live = fixture.event(&event).await;
    assert_eq!((&live["gamesInPlay"], &live["participantCount"]), (&json!(2), &json!(4)));

    let ended = fixture.act("end_event", &event).await;
    assert_eq!((&ended["concluded"], &ended["gamesInPlay"]), (&json!(false), &json!(2)));
    assert_eq!(ended["startedAt"], live["startedAt"]);
    // One uses wall time, the other play time.
    let grace = (moment(&ended["decidedBy"]) - moment(&ended["endedAt"])).num_milliseconds();
    assert!((59_900..=60_100).contains(&grace), "{grace}");

    // One game finishes in the grace period, one is decided by time.
    win(&mut ada, &mut bob, &first, &state).await;
    assert_eq!(
        (&fixture.event(&event).await["gamesInPlay"], &fixture.event(&event).await["winners"]),
        (&json!(1), &json!([]))
    );
    let [mut eve, mut kim] = people;
    drop(kim.socket);
    for _ in 0..3 {
        fixture.clock.advance(21_000);
        for person in [&mut ada, &mut bob, &mut eve, &mut onlooker] {
            // A player who is silent for half a minute counts as disconnected.
            person.socket.ask("authenticate", json!({})).await;
        }
    }
    let end = eve.socket.wait("gameEnd").await;
    assert!(end["gameId"] == json!(second) && end["winnerUserId"].is_string(), "{end}");
    let by_time = end["winnerUserId"].clone();

    let on_the_board = json!(ada.id);
    for person in [&mut ada, &mut bob, &mut eve, &mut onlooker] {
        let received = person.socket.wait("eventConcluded").await;
        let winners: Vec<&Value> =
            received["winners"].as_array().unwrap().iter().map(|winner| &winner["userId"]).collect();
        assert_eq!((&received["eventId"], winners), (&json!(event), vec![&on_the_board, &by_time]), "{received}");
    }
    // Players who were away read the same.
    kim.socket = Socket::open(&fixture.server, &kim.browser).await;
    let seen = kim.browser.read("event", "get_event_by_id", json!({ "eventId": event })).await.ok()["event"].clone();
    assert_eq!((&seen["concluded"], &seen["gamesInPlay"], &seen["decidedBy"]), (&json!(true), &json!(0), &Value::Null));
    assert_eq!((&seen["endedAt"], &seen["winners"][1]["userId"]), (&ended["endedAt"], &by_time));
    assert_eq!(seen["participantCount"], 4);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cancelled_event_is_final_at_once() {
    let fixture = Fixture::new().await;
    let never_started = fixture.published(details("Rained off")).await;
    let shown = fixture.act("cancel_event", &never_started).await;
    assert_eq!((&shown["concluded"], &shown["startedAt"], &shown["winners"]), (&json!(true), &Value::Null, &json!([])));
    assert!(shown["endedAt"].is_string());
    let event = fixture.started(details("Cup")).await;
    let ([mut ada, _bob], _, _) = playing(&fixture, &event, ["ada", "bob"]).await;
    let shown = fixture.act("cancel_event", &event).await;
    assert_eq!((&shown["concluded"], &shown["decidedBy"]), (&json!(true), &Value::Null));
    assert_eq!(ada.socket.wait("gameEnd").await["reason"], "void");
    fixture.until(&event, |shown| shown["gamesInPlay"] == 0).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_event_whose_end_has_passed_is_not_published() {
    let fixture = Fixture::new().await;
    let past = json!({ "title": "Yesterday", "startTime": in_seconds(-7_200), "endTime": in_seconds(-1) });
    let id = fixture.draft(past).await;
    let publish = json!({ "eventId": id, "eventState": "published" });
    let refused = fixture.admin.write("event", "update_event", publish.clone()).await.fails(422, "end-in-the-past");
    assert_eq!(refused["fieldErrors"]["endTime"], "End time must be in the future.");
    assert_eq!(fixture.event(&id).await["eventState"], "drafted");
    let mut later = publish;
    later["endTime"] = json!(in_seconds(60));
    fixture.admin.write("event", "update_event", later).await.ok();
    fixture.until(&id, |event| event["eventState"] == "started").await;
}

/// An event in which one loss eliminates, after Ada has beaten Bob.
async fn survived(fixture: &Fixture, event: &str) -> [Person; 2] {
    let ([mut ada, mut bob], game, state) = playing(fixture, event, ["ada", "bob"]).await;
    win(&mut ada, &mut bob, &game, &state).await;
    [ada, bob]
}

fn knockout(event_type: &str) -> Value {
    let mut fields = details("Cup");
    fields["maxLosses"] = json!(1);
    fields["eventType"] = json!(event_type);
    fields
}

#[tokio::test(flavor = "multi_thread")]
async fn an_open_event_with_one_survivor_waits_five_minutes_for_newcomers() {
    let fixture = Fixture::new().await;
    let event = fixture.started(knockout("open")).await;
    // Nobody has played yet: its players are still to come.
    fixture.clock.advance(400_000);
    let [mut ada, mut bob] = survived(&fixture, &event).await;
    ada.enters(&event).await;
    ada.seeks(&event).await;
    let ends = |frame: &Value| frame["event"] == "queueUpdate" && frame["data"]["endsAt"].is_i64();
    let waits = ada.socket.wait_for(ends).await["data"].clone();
    let left = waits["endsAt"].as_i64().unwrap() - fixture.clock.wall().timestamp_millis();
    assert!((200_000..=300_000).contains(&left), "{waits}");
    // Somebody comes, and the event goes on.
    let mut eve = Person::new(&fixture.server, "eve").await;
    eve.enters(&event).await;
    eve.seeks(&event).await;
    let game = eve.socket.wait("playerFound").await["gameId"].as_str().unwrap().to_owned();
    let state = started(&mut ada, &mut eve, &game).await;
    fixture.clock.advance(1_000);
    win(&mut ada, &mut eve, &game, &state).await;
    ada.enters(&event).await;
    ada.seeks(&event).await;
    for _ in 0..14 {
        fixture.clock.advance(21_000);
        for person in [&mut ada, &mut bob] {
            person.socket.ask("authenticate", json!({})).await;
        }
    }
    assert_eq!(fixture.event(&event).await["eventState"], "started");
    fixture.clock.advance(21_000);
    let winner = json!(ada.id);
    for person in [&mut ada, &mut bob] {
        let concluded = person.socket.wait("eventConcluded").await;
        assert_eq!(concluded["winners"][0]["userId"], winner, "{concluded}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_closed_event_with_one_survivor_is_over() {
    let fixture = Fixture::new().await;
    let event = fixture.published(knockout("closed")).await;
    let mut people = vec![];
    for name in ["ada", "bob"] {
        let person = Person::new(&fixture.server, name).await;
        person.browser.write("eventSignUp", "sign_up", json!({ "eventId": event })).await.ok();
        people.push(person);
    }
    let [ada, bob] = &mut people[..] else { unreachable!() };
    fixture.act("start_event", &event).await;
    let game = paired(ada, bob, &event).await;
    let state = started(ada, bob, &game).await;
    win(ada, bob, &game, &state).await;
    let winner = json!(ada.id);
    for person in [ada, bob] {
        let concluded = person.socket.wait("eventConcluded").await;
        assert_eq!(concluded["winners"][0]["userId"], winner, "{concluded}");
    }
}
