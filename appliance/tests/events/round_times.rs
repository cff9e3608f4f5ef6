//! Stage rounds with fixed times: `docs/behaviour/formats.md#fixed-times`.

use std::time::Duration;

use chrono::{SecondsFormat, TimeDelta};
use morpion_appliance::clock::Clock;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::{
    fixture::Fixture,
    person::Person,
    restart::signed_in,
    stages::{
        NAMES, begun, fixture, names, next_game, people, play, play_all, quick_on_disk, rounds, stages, verified,
    },
    support::Server,
};

const MINUTE: i64 = 60_000;

/// So many minutes from now, to the second.
fn in_minutes(fixture: &Fixture, minutes: i64) -> String {
    (fixture.clock.wall() + TimeDelta::minutes(minutes)).to_rfc3339_opts(SecondsFormat::Secs, true)
}

/// A knockout of four whose second round is fixed for a time between its start and its end.
fn final_at(time: &str) -> Value {
    stages("knockout", json!({ "roundTimes": [time] }))
}

/// Plays the first round, and waits until the second is paired.
async fn first_round(fixture: &Fixture, event: &str, people: &mut [Person]) {
    for _ in 0..2 {
        let open = next_game(fixture, event).await.unwrap();
        play(people, open).await;
    }
    for _ in 0..400 {
        if rounds(fixture, event).await[1]["startsAt"].is_string() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
    panic!("the second round is not paired: {:?}", rounds(fixture, event).await);
}

/// The second round waits, and goes on waiting for a moment.
async fn waits(fixture: &Fixture, event: &str) {
    tokio::time::sleep(Duration::from_millis(600)).await;
    let round = rounds(fixture, event).await[1].clone();
    assert_eq!((&round["state"], &round["pairings"][0]["games"]), (&json!("planned"), &json!([])), "{round}");
}

async fn is_played_to_its_end(fixture: &Fixture, event: &str, people: &mut [Person]) {
    let over = play_all(fixture, event, people).await;
    assert_eq!(names(over["winners"].as_array().unwrap())[0], "ada");
    let found = verified(fixture, event).await;
    assert_eq!(found["differences"], json!([]), "{found}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_round_begins_at_its_time_and_not_before() {
    let fixture = fixture().await;
    let mut people = people(&fixture.server, 4).await;
    let time = in_minutes(&fixture, 90);
    let event = begun(&fixture, final_at(&time), &mut people).await;
    assert_eq!(fixture.event(&event).await["roundTimes"], json!([time]));
    next_game(&fixture, &event).await.unwrap();
    let [first, second] = rounds(&fixture, &event).await.try_into().unwrap();
    assert_eq!(first["notBefore"], Value::Null);
    assert_eq!((&second["state"], &second["startsAt"]), (&json!("planned"), &Value::Null));
    assert_eq!(second["notBefore"], json!(time), "it is not paired yet");

    first_round(&fixture, &event, &mut people).await;
    let second = rounds(&fixture, &event).await[1].clone();
    assert_eq!((&second["startsAt"], &second["notBefore"]), (&json!(time), &json!(time)));
    waits(&fixture, &event).await;
    // Held when its time comes.
    fixture.act("pause_event", &event).await;
    fixture.clock.advance_calendar(91 * MINUTE);
    waits(&fixture, &event).await;
    fixture.act("resume_event", &event).await;
    is_played_to_its_end(&fixture, &event, &mut people).await;
    assert_eq!(rounds(&fixture, &event).await[1]["notBefore"], Value::Null);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_director_begins_a_fixed_round_at_once() {
    let fixture = fixture().await;
    let mut people = people(&fixture.server, 4).await;
    let event = begun(&fixture, final_at(&in_minutes(&fixture, 90)), &mut people).await;
    first_round(&fixture, &event, &mut people).await;
    waits(&fixture, &event).await;
    let start = json!({ "eventId": event, "round": 2 });
    fixture.admin.write("event", "start_round", start.clone()).await.ok();
    fixture.admin.write("event", "start_round", start).await.fails(409, "round-begun");
    is_played_to_its_end(&fixture, &event, &mut people).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_round_whose_time_passed_while_the_last_one_was_played_begins_when_that_ends() {
    let fixture = fixture().await;
    let mut people = people(&fixture.server, 4).await;
    let event = begun(&fixture, final_at(&in_minutes(&fixture, 90)), &mut people).await;
    let open = next_game(&fixture, &event).await.unwrap();
    play(&mut people, open).await;
    fixture.clock.advance_calendar(91 * MINUTE);
    is_played_to_its_end(&fixture, &event, &mut people).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_time_that_came_while_the_server_was_down_begins_the_round_at_once() {
    let folder = TempDir::new().unwrap();
    let clock = Clock::default();
    let server = Server::with_clock(clock.clone(), quick_on_disk(&folder)).await;
    let (admin, _) = server.admin().await;
    let fixture = Fixture { server, admin, clock };
    let mut all = people(&fixture.server, 4).await;
    let event = begun(&fixture, final_at(&in_minutes(&fixture, 90)), &mut all).await;
    first_round(&fixture, &event, &mut all).await;
    let restarted = async |fixture: Fixture| {
        let Fixture { server, clock, .. } = fixture;
        server.stop().await;
        let server = Server::with_clock(clock.clone(), quick_on_disk(&folder)).await;
        let admin = signed_in(&server, "the_admin").await.browser;
        Fixture { server, admin, clock }
    };
    let fixture = restarted(fixture).await;
    waits(&fixture, &event).await;
    fixture.clock.advance_calendar(91 * MINUTE);
    let fixture = restarted(fixture).await;
    let mut all = vec![];
    for name in &NAMES[..4] {
        let mut person = signed_in(&fixture.server, name).await;
        person.enters(&event).await;
        all.push(person);
    }
    is_played_to_its_end(&fixture, &event, &mut all).await;
    fixture.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn times_that_cannot_be_are_refused_by_their_field() {
    let fixture = fixture().await;
    let draft = async |times: &[i64]| {
        let times: Vec<String> = times.iter().map(|minutes| in_minutes(&fixture, *minutes)).collect();
        let fields = stages("swiss", json!({ "rounds": 3, "roundTimes": times }));
        fixture.admin.write("event", "create_event", fields).await
    };
    for (times, text) in [
        (&[70, 80, 90][..], "There are more times than rounds after the first."),
        (&[80, 70][..], "Each round must begin after the one before it."),
        (&[30][..], "The second round must begin after the start of the event."),
        (&[130][..], "Every round must begin before the end of the event."),
    ] {
        assert_eq!(draft(times).await.body["fieldErrors"]["roundTimes"], text);
    }
    let made = draft(&[70, 90]).await.ok()["event"].clone();
    let event = made["eventId"].as_str().unwrap();
    fixture.publish(event).await;
    fixture.act("start_event", event).await;
    let extend = json!({ "eventId": event, "endTime": in_minutes(&fixture, 85) });
    let refused = fixture.admin.write("event", "extend_event", extend).await;
    assert_eq!(refused.status, 422);
    assert_eq!(refused.body["fieldErrors"]["endTime"], "The event must end after its last round begins.");

    let other = draft(&[70]).await.ok()["event"]["eventId"].clone();
    let change = async |fields: Value| {
        let mut fields = fields;
        fields["eventId"] = other.clone();
        fixture.admin.write("event", "update_event", fields).await.ok()["event"]["roundTimes"].clone()
    };
    assert_eq!(change(json!({ "title": "Renamed" })).await.as_array().unwrap().len(), 1, "what is not named stays");
    assert_eq!(change(json!({ "roundTimes": [] })).await, Value::Null);
}
