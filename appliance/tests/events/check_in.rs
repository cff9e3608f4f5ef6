//! Check-in: `docs/behaviour/events.md#check-in`.

use std::time::Duration;

use futures_util::future::join_all;
use morpion_appliance::clock::Clock;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::{
    fixture::Fixture,
    person::Person,
    restart::signed_in,
    stages::{fixture, names, people, quick_on_disk, rounds, stages, standings, verified},
    support::{Browser, Outcome, PASSWORD, Server},
};

const MINUTE: i64 = 60_000;

/// Asks for half an hour before the start.
fn asking(format: &str, more: Value) -> Value {
    let mut fields = stages(format, json!({ "checkInMinutes": 30 }));
    fields.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    fields
}

async fn sign_up(browser: &Browser, event: &str) -> Value {
    browser.write("eventSignUp", "sign_up", json!({ "eventId": event })).await.ok()["signup"].clone()
}

async fn check_in(browser: &Browser, event: &str, is_there: bool) -> Outcome {
    let payload = json!({ "eventId": event, "checkedIn": is_there });
    browser.write("eventSignUp", "check_in", payload).await
}

async fn check_in_player(admin: &Browser, event: &str, user: &str, is_there: bool) -> Outcome {
    let payload = json!({ "eventId": event, "userId": user, "checkedIn": is_there });
    admin.write("event", "check_in_player", payload).await
}

/// Published, an hour before it starts, with these people signed up.
async fn signed_up(fixture: &Fixture, mut fields: Value, people: &[Person]) -> String {
    for (name, minutes) in [("startTime", 60), ("endTime", 120)] {
        fields[name] = json!((fixture.clock.wall() + chrono::TimeDelta::minutes(minutes)).to_rfc3339());
    }
    let event = fixture.published(fields).await;
    for person in people {
        sign_up(&person.browser, &event).await;
    }
    event
}

async fn has_started(fixture: &Fixture, event: &str) {
    fixture.until(event, |event| event["eventState"] == "started").await;
}

/// The names in a round, once it is paired.
async fn names_of_round(fixture: &Fixture, event: &str, number: usize) -> Vec<String> {
    for _ in 0..200 {
        if let Some(round) = rounds(fixture, event).await.get(number - 1).filter(|round| !round["startsAt"].is_null()) {
            let players = round["pairings"].as_array().unwrap().iter().flat_map(|it| it["players"].as_array().unwrap());
            let mut found: Vec<String> =
                players.map(|player| player["username"].as_str().unwrap().to_owned()).collect();
            found.sort();
            return found;
        }
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
    panic!("round {number} is not paired: {:?}", rounds(fixture, event).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn who_checks_in_is_paired_and_who_does_not_is_not() {
    let fixture = fixture().await;
    let mut people = people(&fixture.server, 5).await;
    let event = signed_up(&fixture, asking("knockout", json!({})), &people[..4]).await;
    let [ada, bob, cat, dan, eve] = people.as_mut_slice() else { panic!() };
    // Not before the window, and nobody who is not signed up.
    check_in(&ada.browser, &event, true).await.fails(409, "check-in-not-open");
    check_in_player(&fixture.admin, &event, &ada.id, true).await.fails(409, "check-in-not-open");
    fixture.clock.advance(35 * MINUTE);
    check_in(&eve.browser, &event, true).await.fails(404, "not-found");
    let visitor = fixture.server.browser().await;
    check_in(&visitor, &event, true).await.fails(401, "not-signed-in");
    let of_bob = json!({ "eventId": event, "userId": bob.id });
    ada.browser.write("eventSignUp", "check_in", of_bob).await.fails(403, "not-yourself");
    // As often as one likes, also at once, and taken back.
    for outcome in join_all((0..4).map(|_| check_in(&ada.browser, &event, true))).await {
        assert_eq!(outcome.ok()["signup"]["checkedIn"], true);
    }
    for person in [&*bob, &*cat] {
        check_in(&person.browser, &event, true).await.ok();
    }
    assert_eq!(check_in(&bob.browser, &event, false).await.ok()["signup"]["checkedIn"], false);
    let seen = visitor.read("event", "get_event_by_id", json!({ "eventId": event })).await.ok()["event"].clone();
    assert_eq!(
        (&seen["checkInMinutes"], &seen["checkedInCount"], &seen["signupCount"]),
        (&json!(30), &json!(2), &json!(4))
    );
    // Who signs up now is here.
    assert_eq!(sign_up(&eve.browser, &event).await["checkedIn"], true);
    let status = json!({ "eventId": event, "userId": dan.id });
    let status = dan.browser.read("eventSignUp", "get_user_sign_up_status", status).await.ok();
    assert_eq!((&status["isSignedUp"], &status["checkedIn"]), (&json!(true), &json!(false)));

    fixture.clock.advance(25 * MINUTE);
    has_started(&fixture, &event).await;
    assert_eq!(names_of_round(&fixture, &event, 1).await, ["ada", "cat", "eve"]);
    check_in(&dan.browser, &event, true).await.fails(409, "check-in-closed");
    check_in(&ada.browser, &event, false).await.fails(409, "check-in-closed");
    // The bracket is fixed.
    dan.browser.write("event", "join_event", json!({ "eventId": event })).await.fails(409, "tournament-closed");
    check_in_player(&fixture.admin, &event, &dan.id, true).await.fails(409, "tournament-closed");
    assert_eq!(fixture.event(&event).await["signupCount"], 5);
    assert_eq!(verified(&fixture, &event).await["agrees"], true);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_latecomer_to_a_swiss_plays_from_the_next_round_on() {
    let fixture = fixture().await;
    let people = people(&fixture.server, 5).await;
    let event = signed_up(&fixture, asking("swiss", json!({ "rounds": 3 })), &people).await;
    let closed = asking("swiss", json!({ "rounds": 3, "eventType": "closed" }));
    let closed = signed_up(&fixture, closed, &people[..4]).await;
    fixture.clock.advance(31 * MINUTE);
    for event in [&event, &closed] {
        for person in &people[..2] {
            check_in(&person.browser, event, true).await.ok();
        }
    }
    fixture.clock.advance(30 * MINUTE);
    for event in [&event, &closed] {
        has_started(&fixture, event).await;
        assert_eq!(names_of_round(&fixture, event, 1).await, ["ada", "bob"]);
    }
    let [_, _, cat, dan, eve] = people.as_slice() else { panic!() };
    // One comes, the director lets in another two, and takes nobody's check-in back any more.
    cat.browser.write("event", "join_event", json!({ "eventId": event })).await.ok();
    check_in_player(&fixture.admin, &event, &dan.id, true).await.ok();
    check_in_player(&fixture.admin, &event, &dan.id, true).await.ok();
    check_in_player(&fixture.admin, &event, &dan.id, false).await.fails(409, "check-in-closed");
    fixture.admin.write("player", "create_player", json!({ "eventId": event, "userId": eve.id })).await.ok();
    // A closed one takes nobody late, but whom its director lets in.
    let join = json!({ "eventId": closed });
    dan.browser.write("event", "join_event", join.clone()).await.fails(409, "not-checked-in");
    eve.browser.write("event", "join_event", join).await.fails(409, "tournament-closed");
    check_in_player(&fixture.admin, &closed, &dan.id, true).await.ok();
    // Nobody of the first round comes: both have lost it.
    fixture.clock.advance(2 * MINUTE);
    assert_eq!(names_of_round(&fixture, &event, 2).await, ["ada", "bob", "cat", "dan", "eve"]);
    let receipts = verified(&fixture, &event).await;
    assert_eq!(receipts["agrees"], true, "{receipts}");
    let told: Vec<_> =
        receipts["corrections"].as_array().unwrap().iter().map(|it| [&it["username"], &it["what"]]).collect();
    assert_eq!(told, [["dan", "checkIn"], ["eve", "checkIn"]]);
    assert_eq!(names_of_round(&fixture, &closed, 2).await, ["ada", "bob", "dan"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_event_to_which_nobody_checks_in_is_cancelled_and_everybody_told_why() {
    let fixture = fixture().await;
    let mut people = people(&fixture.server, 2).await;
    let event = signed_up(&fixture, asking("roundRobin", json!({})), &people).await;
    fixture.clock.advance(31 * MINUTE);
    check_in(&people[0].browser, &event, true).await.ok();
    check_in(&people[0].browser, &event, false).await.ok();
    let start = json!({ "eventId": event });
    fixture.admin.write("event", "start_event", start.clone()).await.fails(409, "nobody-checked-in");
    fixture.clock.advance(30 * MINUTE);
    let over = fixture.until(&event, |event| event["eventState"] == "cancelled").await;
    let [announced] = over["announcements"].as_array().unwrap().as_slice() else { panic!("{over}") };
    assert_eq!(announced["message"], "This event was cancelled: nobody checked in.");
    let news = people[1].socket.wait("eventNews").await;
    assert_eq!((&news["news"], &news["reason"]), (&json!("cancelled"), &json!("nobody checked in.")));
    check_in(&people[0].browser, &event, true).await.fails(409, "event-cancelled");

    // Where one is here the rules for a field of one hold; where the director starts before anybody could, all play.
    let event = signed_up(&fixture, asking("roundRobin", json!({})), &people).await;
    fixture.admin.write("event", "start_event", json!({ "eventId": event })).await.ok();
    assert_eq!(names_of_round(&fixture, &event, 1).await, ["ada", "bob"]);
    // An arena asks as well; in a closed one only who checked in plays.
    let mut arena = crate::fixture::details("Arena");
    arena["checkInMinutes"] = json!(120);
    arena["eventType"] = json!("closed");
    let arena = signed_up(&fixture, arena, &people).await;
    // The window is open, so who signed up has checked in.
    check_in(&people[1].browser, &arena, false).await.ok();
    fixture.act("start_event", &arena).await;
    let join = json!({ "eventId": arena });
    people[0].browser.write("event", "join_event", join.clone()).await.ok();
    people[1].browser.write("event", "join_event", join).await.fails(409, "not-checked-in");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_director_checks_players_in_and_it_is_on_record() {
    let fixture = fixture().await;
    let people = people(&fixture.server, 4).await;
    let event = signed_up(&fixture, asking("swiss", json!({})), &people).await;
    fixture.clock.advance(45 * MINUTE);
    let [ada, bob, cat, dan] = people.as_slice() else { panic!() };
    check_in_player(&ada.browser, &event, &bob.id, true).await.fails(403, "forbidden");
    let unknown = uuid::Uuid::new_v4().to_string();
    check_in_player(&fixture.admin, &event, &unknown, true).await.fails(404, "not-found");
    for is_there in [true, false, true, true] {
        let answer = check_in_player(&fixture.admin, &event, &bob.id, is_there).await.ok();
        assert_eq!(answer["event"]["checkedInCount"], json!(u8::from(is_there)));
    }
    check_in(&ada.browser, &event, true).await.ok();
    // Who is suspended is not here.
    check_in(&cat.browser, &event, true).await.ok();
    // Who withdraws leaves the receipt behind.
    check_in_player(&fixture.admin, &event, &dan.id, true).await.ok();
    dan.browser.write("eventSignUp", "remove_signup", json!({ "eventId": event, "userId": dan.id })).await.ok();
    fixture.admin.post("/api/auth/proof", json!({ "password": PASSWORD })).await.ok();
    fixture.admin.write("admin", "suspend_user", json!({ "userId": cat.id, "reason": "Insults" })).await.ok();
    fixture.until(&event, |event| event["checkedInCount"] == 2).await;
    check_in_player(&fixture.admin, &event, &cat.id, true).await.fails(404, "not-found");
    fixture.clock.advance(16 * MINUTE);
    has_started(&fixture, &event).await;
    assert_eq!(names_of_round(&fixture, &event, 1).await, ["ada", "bob"]);
    let receipts = verified(&fixture, &event).await;
    assert_eq!(receipts["agrees"], true, "{receipts}");
    let whats: Vec<_> = receipts["corrections"].as_array().unwrap().iter().map(|it| it["what"].clone()).collect();
    assert_eq!(whats, ["checkIn", "checkInUndone", "checkIn", "checkIn"], "the second of two presses is none");
    let trail = fixture.admin.read("admin", "list_audit", json!({ "limit": 100 })).await.ok();
    let entries = trail["entries"].as_array().unwrap().iter();
    assert_eq!(entries.filter(|entry| entry["action"] == "check_in_player").count(), 4, "{trail}");
    assert_eq!(names(&standings(&fixture, &event).await).len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_event_that_is_moved_asks_again_where_its_check_in_is_not_open_any_more() {
    let fixture = fixture().await;
    let people = people(&fixture.server, 2).await;
    let event = signed_up(&fixture, asking("swiss", json!({})), &people).await;
    fixture.clock.advance(50 * MINUTE);
    check_in(&people[0].browser, &event, true).await.ok();
    let moved = async |minutes: i64| {
        let at = |minutes| (fixture.clock.wall() + chrono::TimeDelta::minutes(minutes)).to_rfc3339();
        let fields = json!({ "eventId": event, "startTime": at(minutes), "endTime": at(minutes + 60) });
        fixture.admin.write("event", "update_event", fields).await.ok()["event"]["checkedInCount"].clone()
    };
    assert_eq!(moved(20).await, 1, "it is open still");
    assert_eq!(moved(40).await, 0);
    check_in(&people[0].browser, &event, true).await.fails(409, "check-in-not-open");
    fixture.clock.advance(15 * MINUTE);
    check_in(&people[0].browser, &event, true).await.ok();
    // The machine's clock is set back: what was said stands.
    fixture.clock.advance_calendar(-60 * MINUTE);
    assert_eq!(fixture.event(&event).await["checkedInCount"], 1);
    check_in(&people[1].browser, &event, true).await.fails(409, "check-in-not-open");
    fixture.clock.advance_calendar(60 * MINUTE);
    check_in(&people[1].browser, &event, true).await.ok();
    let edit = |minutes: Value| {
        let fields = json!({ "eventId": event, "checkInMinutes": minutes });
        fixture.admin.write("event", "update_event", fields)
    };
    for wrong in [json!(121), json!(4_294_967_295_u32)] {
        assert_eq!(
            edit(wrong).await.body["fieldErrors"]["checkInMinutes"],
            "Check-in must open 1 to 120 minutes before the start."
        );
    }
    assert_eq!(edit(json!(0)).await.ok()["event"]["checkInMinutes"], Value::Null);
    check_in(&people[0].browser, &event, true).await.fails(409, "no-check-in");
    assert_eq!(edit(json!(60)).await.ok()["event"]["checkedInCount"], 0, "it was off: everybody says so again");
}

/// A server that can be started again on the same folder.
async fn on_disk(folder: &TempDir) -> Fixture {
    let clock = Clock::default();
    let server = Server::with_clock(clock.clone(), quick_on_disk(folder)).await;
    let (admin, _) = server.admin().await;
    Fixture { server, admin, clock }
}

/// The same on a server that was down for so many milliseconds.
async fn restarted(Fixture { server, clock, .. }: Fixture, folder: &TempDir, down_for: i64) -> Fixture {
    server.stop().await;
    clock.advance(down_for);
    let server = Server::with_clock(clock.clone(), quick_on_disk(folder)).await;
    let admin = signed_in(&server, "the_admin").await.browser;
    Fixture { server, admin, clock }
}

#[tokio::test(flavor = "multi_thread")]
async fn check_ins_outlive_a_restart_and_the_start_waits_for_those_who_could_not() {
    let folder = TempDir::new().unwrap();
    let fixture = on_disk(&folder).await;
    let people = people(&fixture.server, 3).await;
    let event = signed_up(&fixture, asking("swiss", json!({})), &people).await;
    fixture.clock.advance(40 * MINUTE);
    check_in(&people[0].browser, &event, true).await.ok();
    // It is down for the rest of the window.
    let fixture = restarted(fixture, &folder, 21 * MINUTE).await;
    let bob = signed_in(&fixture.server, "bob").await.browser;
    assert_eq!(fixture.event(&event).await["checkedInCount"], 1);
    tokio::time::sleep(Duration::from_millis(600)).await;
    assert_eq!(fixture.event(&event).await["eventState"], "published", "it waits");
    check_in(&bob, &event, true).await.ok();
    fixture.clock.advance(5 * MINUTE);
    has_started(&fixture, &event).await;
    assert_eq!(names_of_round(&fixture, &event, 1).await, ["ada", "bob"]);
    fixture.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_start_that_is_moved_to_now_leaves_a_minute_to_check_in() {
    let fixture = fixture().await;
    let people = people(&fixture.server, 2).await;
    let moved = async |is_somebody_here: bool| {
        let event = signed_up(&fixture, asking("swiss", json!({})), &people).await;
        let start = (fixture.clock.wall() - chrono::TimeDelta::minutes(1)).to_rfc3339();
        fixture.admin.write("event", "update_event", json!({ "eventId": event, "startTime": start })).await.ok();
        tokio::time::sleep(std::time::Duration::from_millis(300)).await;
        assert_eq!(fixture.event(&event).await["eventState"], "published");
        if is_somebody_here {
            check_in(&people[0].browser, &event, true).await.ok();
        }
        fixture.clock.advance(MINUTE);
        event
    };
    has_started(&fixture, &moved(true).await).await;
    fixture.until(&moved(false).await, |event| event["eventState"] == "cancelled").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_start_waits_for_as_long_as_nobody_could_check_in() {
    // When the server stops, in minutes before the start; for how long; and after how long it has not started, and has.
    let short = (1, MINUTE + 10_000, MINUTE / 2, 2 * MINUTE);
    let longer = (2, 3 * MINUTE, 2 * MINUTE, 4 * MINUTE);
    for (stops_before, down_for, waits, starts) in [short, longer] {
        let folder = TempDir::new().unwrap();
        let fixture = on_disk(&folder).await;
        let people = people(&fixture.server, 3).await;
        let event = signed_up(&fixture, asking("swiss", json!({})), &people).await;
        fixture.clock.advance((60 - stops_before) * MINUTE);
        for person in &people[..2] {
            check_in(&person.browser, &event, true).await.ok();
        }
        // What time it was is stored with every heartbeat.
        let stops_at = fixture.clock.wall().timestamp_millis();
        let is_stored = async || {
            let stored = fixture.server.app.store.stored_clocks().await.unwrap();
            stored.is_some_and(|stored| stored.wall >= stops_at)
        };
        while !is_stored().await {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        let fixture = restarted(fixture, &folder, down_for).await;
        fixture.clock.advance(waits);
        tokio::time::sleep(Duration::from_millis(600)).await;
        assert_eq!(fixture.event(&event).await["eventState"], "published", "after {down_for}");
        let cat = signed_in(&fixture.server, "cat").await.browser;
        check_in(&cat, &event, true).await.ok();
        fixture.clock.advance(starts - waits);
        has_started(&fixture, &event).await;
        assert_eq!(names_of_round(&fixture, &event, 1).await, ["ada", "bob", "cat"]);
        fixture.server.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_start_does_not_wait_for_who_could_not_check_in_yet() {
    let folder = TempDir::new().unwrap();
    let fixture = on_disk(&folder).await;
    let people = people(&fixture.server, 2).await;
    let event = signed_up(&fixture, asking("swiss", json!({})), &people).await;
    fixture.clock.advance(10 * MINUTE);
    // It runs again well before the check-in opens.
    let fixture = restarted(fixture, &folder, 10 * MINUTE).await;
    fixture.clock.advance(20 * MINUTE);
    for name in ["ada", "bob"] {
        check_in(&signed_in(&fixture.server, name).await.browser, &event, true).await.ok();
    }
    fixture.clock.advance(20 * MINUTE);
    has_started(&fixture, &event).await;
    fixture.server.stop().await;
}
