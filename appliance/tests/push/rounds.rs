//! What players of an event in stage rounds are told by push: whom they play, or that they have a bye; once a round.

use std::time::Duration;

use chrono::{SecondsFormat, TimeDelta};
use morpion_appliance::{clock::Clock, config::Config};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::{
    reminders::{in_folder, signs_up},
    socket::Socket,
    stand_in::StandIn,
    support::{Browser, Server},
    world::Person,
};

const MINUTE: i64 = 60_000;

/// It is looked every 5 s whether a round was paired.
const LOOKED: Duration = Duration::from_secs(6);

/// Rounds wait for five minutes after they were paired.
fn in_rounds(folder: &TempDir) -> impl FnOnce(&mut Config) {
    let in_folder = in_folder(folder);
    |config| {
        in_folder(config);
        config.events.round_pause = Duration::from_secs(300);
    }
}

async fn players(server: &Server, service: &StandIn, names: &[&str]) -> Vec<Person> {
    let mut players = vec![];
    for name in names {
        let (browser, user) = server.registered(name).await;
        let person = Person { browser, id: user["userId"].as_str().unwrap().to_owned() };
        person.subscribes(service).await;
        players.push(person);
    }
    players
}

/// An event that these people signed up for, and that was started; its planned times are in an hour and in two.
async fn begun(admin: &Browser, clock: &Clock, players: &[Person], more: Value) -> String {
    let mut fields = json!({ "title": "Club evening", "matchGames": 1 });
    for (name, minutes) in [("startTime", 60), ("endTime", 120)] {
        fields[name] = in_minutes(clock, minutes).into();
    }
    for (name, value) in more.as_object().unwrap() {
        fields[name] = value.clone();
    }
    let made = admin.write("event", "create_event", fields).await.ok();
    let event = made["event"]["eventId"].as_str().unwrap().to_owned();
    admin.write("event", "update_event", json!({ "eventId": event, "eventState": "published" })).await.ok();
    for player in players {
        signs_up(player, &event).await;
    }
    admin.write("event", "start_event", json!({ "eventId": event })).await.ok();
    event
}

fn in_minutes(clock: &Clock, minutes: i64) -> String {
    (clock.wall() + TimeDelta::minutes(minutes)).to_rfc3339_opts(SecondsFormat::Secs, true)
}

/// What was pushed of this round, in alphabetical order.
fn told(service: &StandIn, round: u32) -> Vec<String> {
    let bodies = service.pushed().into_iter().map(|push| push.message["body"].as_str().unwrap().to_owned());
    let mut told: Vec<String> = bodies.filter(|body| body.starts_with(&format!("Round {round}: "))).collect();
    told.sort_unstable();
    told
}

/// Waits until so many were told of this round, and a moment more.
async fn told_once(service: &StandIn, round: u32, count: usize) -> Vec<String> {
    for _ in 0..200 {
        if told(service, round).len() >= count {
            break;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    tokio::time::sleep(LOOKED).await;
    let told = told(service, round);
    assert_eq!(told.len(), count, "{told:?}");
    told
}

/// A director decides all matches of a round: the player who is named first has won.
async fn decides(admin: &Browser, event: &str, round: u32) {
    let answer = admin.read("event", "get_rounds", json!({ "eventId": event })).await.ok();
    for pairing in answer["rounds"][round as usize - 1]["pairings"].as_array().unwrap() {
        if pairing["reason"].is_null() && pairing["players"].as_array().unwrap().len() == 2 {
            let (board, winner) = (&pairing["board"], &pairing["players"][0]["userId"]);
            let ruling = json!({
                "eventId": event, "round": round, "board": board, "winnerUserId": winner, "reason": "Seen",
            });
            admin.write("event", "set_result", ruling).await.ok();
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn players_are_told_once_whom_they_play_or_that_they_have_a_bye() {
    let (folder, clock, service) = (TempDir::new().unwrap(), Clock::default(), StandIn::start().await);
    let server = Server::with_clock(clock.clone(), in_rounds(&folder)).await;
    let (admin, _) = server.admin().await;
    let players = players(&server, &service, &["ada", "bob", "cid"]).await;
    let event = begun(&admin, &clock, &players, json!({ "format": "roundRobin" })).await;
    let told = told_once(&service, 1, 3).await;
    assert_eq!(told.iter().filter(|text| *text == "Round 1: you have a bye.").count(), 1, "{told:?}");
    for text in told.iter().filter(|text| text.contains(": you play ")) {
        assert!(text.ends_with(" minutes.") && text.contains(" on board "), "{text}");
    }
    let push = service.pushed().into_iter().find(|push| push.message["body"] == told[2]).unwrap();
    assert_eq!(push.message["to"], format!("/app/events/view/{event}"));
    assert_eq!((push.message["title"].as_str(), push.urgency.as_str()), (Some("Club evening"), "high"));
    assert!(push.ttl <= 360, "until the absent have lost: {}", push.ttl);

    // A restart repeats nothing.
    server.stop().await;
    let server = Server::with_clock(clock.clone(), in_rounds(&folder)).await;
    told_once(&service, 1, 3).await;
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_is_withdrawn_or_here_or_does_not_want_it_is_not_told() {
    let (folder, clock, service) = (TempDir::new().unwrap(), Clock::default(), StandIn::start().await);
    let server = Server::with_clock(clock.clone(), in_rounds(&folder)).await;
    let (admin, _) = server.admin().await;
    let players = players(&server, &service, &["ada", "bob", "cid", "dan", "eve", "fay"]).await;
    let event = begun(&admin, &clock, &players, json!({ "format": "swiss", "rounds": 3 })).await;
    told_once(&service, 1, 6).await;
    let out = json!({ "eventId": event, "userId": players[5].id, "reason": "Left" });
    admin.write("event", "withdraw_player", out).await.ok();
    let push = json!({ "invitation": true, "answer": true, "turn": true, "paired": false, "event": true });
    let unwanted = json!({ "push": push });
    players[4].browser.write("userprofile", "update_notification_settings", unwanted).await.ok();
    let _page = Socket::open(&server, &players[3].browser).await;
    decides(&admin, &event, 1).await;
    told_once(&service, 2, 3).await;
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn before_a_fixed_round_those_who_play_are_told_again() {
    let (folder, clock, service) = (TempDir::new().unwrap(), Clock::default(), StandIn::start().await);
    let server = Server::with_clock(clock.clone(), in_rounds(&folder)).await;
    let (admin, _) = server.admin().await;
    let players = players(&server, &service, &["ada", "bob", "cid"]).await;
    let fixed = json!({ "format": "roundRobin", "roundTimes": [in_minutes(&clock, 90)] });
    let event = begun(&admin, &clock, &players, fixed).await;
    told_once(&service, 1, 3).await;
    decides(&admin, &event, 1).await;
    let told = told_once(&service, 2, 3).await;
    assert!(told.iter().any(|text| text.contains(" UTC.")), "{told:?}");
    clock.advance(81 * MINUTE);
    let told = told_once(&service, 2, 5).await;
    assert_eq!(told.iter().filter(|text| text.contains(" It begins in ")).count(), 2, "{told:?}");
    server.stop().await;
}
