//! Restarts during play: nothing announced is lost, and clocks keep their remaining time.

use morpion_appliance::{
    clock::Clock,
    config::Config,
    play::record::{Checkpoint, Record},
};
use morpion_rules::{Command, Millis, clock::RESTART_GRACE};
use morpion_store::{EndedGames, Journal, JournalOptions, OpenOptions, Store};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::{
    fixture::{Fixture, details},
    person::{Person, paired, started, win},
    support::Server,
};

pub fn on_disk(folder: &TempDir) -> impl FnOnce(&mut Config) {
    let url = format!("surrealkv://{}/db", folder.path().display());
    let data = folder.path().to_owned();
    move |config| {
        config.database.url = url;
        config.data_dir = data;
    }
}

pub async fn signed_in(server: &Server, name: &str) -> Person {
    let browser = server.browser().await;
    let credentials = crate::support::credentials(&format!("{name}@example.org"), crate::support::PASSWORD);
    let user = browser.post("/api/auth/login", credentials).await.ok()["user"].clone();
    let socket = crate::socket::Socket::open(server, &browser).await;
    Person { browser, id: user["userId"].as_str().unwrap().to_owned(), name: name.to_owned(), socket }
}

#[tokio::test(flavor = "multi_thread")]
async fn games_queues_and_schedules_survive_a_restart() {
    let folder = TempDir::new().unwrap();
    let fixture = Fixture::with(on_disk(&folder)).await;
    let mut people = vec![];
    for name in ["ada", "bob", "eve"] {
        people.push(Person::new(&fixture.server, name).await);
    }
    let event = fixture.started(details("Live")).await;
    let next = fixture.published(details("Next")).await;
    let [ada, bob, eve] = people.as_mut_slice() else { panic!() };
    let game = paired(ada, bob, &event).await;
    let state = started(ada, bob, &game).await;
    win(ada, bob, &game, &state).await;
    let game = paired(ada, bob, &event).await;
    started(ada, bob, &game).await;
    eve.enters(&event).await;
    eve.seeks(&event).await;
    // The queue is saved once a second.
    tokio::time::sleep(std::time::Duration::from_millis(1_500)).await;
    let Fixture { server, .. } = fixture;
    server.stop().await;

    // The start of one event passed during the downtime.
    let clock = Clock::default();
    clock.advance(3_600_000);
    let server = Server::with_clock(clock.clone(), on_disk(&folder)).await;
    let (mut ada, mut bob, mut eve) =
        (signed_in(&server, "ada").await, signed_in(&server, "bob").await, signed_in(&server, "eve").await);
    let state = async |id: &str| {
        let answer = ada.browser.read("event", "get_event_by_id", json!({ "eventId": id })).await.ok();
        answer["event"]["eventState"].clone()
    };
    for _ in 0..100 {
        if state(&next).await == "started" {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    assert_eq!((state(&next).await, state(&event).await), (json!("started"), json!("started")));

    // Players return to their game, and waiting players are in the queue again.
    ada.enters(&event).await;
    assert_eq!(ada.socket.wait("redirectToGame").await["gameId"], json!(game));
    eve.enters(&event).await;
    let received = eve.socket.wait("matchmakingStarted").await;
    assert_eq!((&received["queueSize"], &received["playing"]), (&json!(1), &json!(2)));
    ada.joins(&game).await;
    let state = bob.joins(&game).await;
    let left = state["turnDeadline"].as_i64().unwrap() - state["serverTime"].as_i64().unwrap();
    assert!((15_000..=35_000).contains(&left), "what was left and 20 s more: {left}");
    let [end, _] = win(&mut bob, &mut ada, &game, &state).await;
    assert_eq!(end["tournamentResult"]["winner"]["userId"], json!(bob.id));
    let board = ada.browser.read("player", "get_leaderboard", json!({ "eventId": event })).await.ok();
    let standing = |name: &str| {
        let players = board["players"].as_array().unwrap();
        let player = players.iter().find(|player| player["username"] == name).unwrap();
        [&player["wins"], &player["losses"]].map(|count| count.as_u64().unwrap())
    };
    assert_eq!((standing("ada"), standing("bob"), standing("eve")), ([1, 1], [1, 1], [0, 0]));
    server.stop().await;
}

/// The process ended between the two transactions that store a game that is over: its result is counted, and the game is only
/// in the journal.
#[tokio::test(flavor = "multi_thread")]
async fn a_result_that_was_counted_before_a_crash_is_not_counted_again() {
    let folder = TempDir::new().unwrap();
    let fixture = Fixture::with(on_disk(&folder)).await;
    let (mut ada, mut bob) = (Person::new(&fixture.server, "ada").await, Person::new(&fixture.server, "bob").await);
    let event = fixture.started(details("Cup")).await;
    let game = paired(&mut ada, &mut bob, &event).await;
    started(&mut ada, &mut bob, &game).await;
    let Fixture { server, .. } = fixture;
    server.stop().await;

    let url = format!("surrealkv://{}/db", folder.path().display()).parse().unwrap();
    let store = Store::open(&url, OpenOptions::default()).await.unwrap();
    let row = store.live_games().await.unwrap().pop().unwrap();
    let mut checkpoint = Checkpoint::decode(&row.state).unwrap();
    let (id, version) = (checkpoint.game.id(), checkpoint.game.version());
    let command = Command::Forfeit { user: bob.id.parse::<uuid::Uuid>().unwrap().into() };
    let now = Millis(checkpoint.game.turn_started().unwrap().0 + 10);
    checkpoint.game.apply(&command, now).unwrap();
    let journal = Journal::start(store.clone(), JournalOptions::default(), |_| {}).await.unwrap();
    journal.handle().append(Record::Played { id, version, now, command }.encode(), ()).unwrap();
    journal.drain().await;
    let results = [checkpoint.result().unwrap()];
    store.upsert_games(&[], EndedGames { results: &results, ..EndedGames::default() }).await.unwrap();
    store.close().await.unwrap();

    let server = Server::with_clock(Clock::default(), on_disk(&folder)).await;
    let ada = signed_in(&server, "ada").await;
    let fixture = Fixture { server, admin: ada.browser, clock: Clock::default() };
    let players = fixture.leaderboard(&event).await;
    let counts = |name: &str| {
        let player = players.iter().find(|player| player["username"] == name).unwrap();
        [&player["wins"], &player["losses"]].map(|count| count.as_u64().unwrap())
    };
    assert_eq!((counts("ada"), counts("bob")), ([1, 0], [0, 1]), "{players:?}");
    let stored = fixture.server.app.store.games_by_event(event.parse().unwrap(), &[row.status], 0, 10).await.unwrap();
    assert_eq!(stored.total, 0, "it is not live any more");
    let listed = fixture.server.app.store.finished_games(&[id.0]).await.unwrap();
    assert_eq!(listed, [id.0], "it is stored before anybody can ask");
    let signups = fixture.server.app.store.signups_of_event(event.parse().unwrap()).await.unwrap();
    assert_eq!(signups.iter().map(|signup| signup.wins + signup.losses).sum::<i64>(), 2);
    fixture.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_end_that_passed_during_downtime_waits_for_players_to_return() {
    let folder = TempDir::new().unwrap();
    let fixture = Fixture::with(on_disk(&folder)).await;
    let (mut ada, mut bob) = (Person::new(&fixture.server, "ada").await, Person::new(&fixture.server, "bob").await);
    let event = fixture.started(details("Under way")).await;
    let missed = fixture.published(details("Missed")).await;
    let game = paired(&mut ada, &mut bob, &event).await;
    let state = started(&mut ada, &mut bob, &game).await;
    win(&mut ada, &mut bob, &game, &state).await;
    let Fixture { server, .. } = fixture;
    server.stop().await;

    let clock = Clock::default();
    clock.advance(3 * 3_600_000);
    let server = Server::with_clock(clock.clone(), on_disk(&folder)).await;
    let admin = signed_in(&server, "ada").await.browser;
    // A player's view is enough for this check.
    let fixture = Fixture { server, admin, clock };
    // This event had no participants; it started and ended during the downtime.
    fixture.until(&missed, |shown| shown["eventState"] == "ended").await;
    assert_eq!(fixture.event(&event).await["eventState"], "started");
    fixture.clock.advance(RESTART_GRACE);
    let ended = fixture.until(&event, |shown| shown["eventState"] == "ended" && shown["winners"] != json!([])).await;
    let [first, second] = [0, 1].map(|place| &ended["winners"][place]);
    assert_eq!((&first["username"], &first["wins"], second), (&json!("ada"), &json!(1), &json!(null)));
    fixture.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn players_saved_in_two_queues_are_restored_to_the_last() {
    let folder = TempDir::new().unwrap();
    let fixture = Fixture::with(on_disk(&folder)).await;
    let mut ada = Person::new(&fixture.server, "ada").await;
    let (first, second) = (fixture.started(details("First")).await, fixture.started(details("Second")).await);
    for event in [&first, &second] {
        ada.enters(event).await;
    }
    let Fixture { server, .. } = fixture;
    server.stop().await;
    // As after a stop between two saves.
    let url = format!("surrealkv://{}/db", folder.path().display()).parse().unwrap();
    let store = morpion_store::Store::open(&url, morpion_store::OpenOptions::default()).await.unwrap();
    for (event, seconds) in [(&first, 20), (&second, 10)] {
        let place = morpion_store::QueuePlace {
            user_id: ada.id.parse().unwrap(),
            since: chrono::Utc::now() - chrono::TimeDelta::seconds(seconds),
            last_opponent: None,
        };
        store.save_queue(event.parse().unwrap(), &[place]).await.unwrap();
    }
    store.close().await.unwrap();

    let server = Server::with_clock(Clock::default(), on_disk(&folder)).await;
    let mut ada = signed_in(&server, "ada").await;
    assert_eq!(ada.enters(&first).await["queueSize"], 0);
    assert_eq!(ada.enters(&second).await["queueSize"], 1);
    assert_eq!(ada.socket.wait("matchmakingStarted").await["eventId"], json!(second));
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_event_that_waits_for_newcomers_ends_after_a_restart_too() {
    let folder = TempDir::new().unwrap();
    let fixture = Fixture::with(on_disk(&folder)).await;
    let mut fields = details("Cup");
    fields["maxLosses"] = json!(1);
    let event = fixture.started(fields).await;
    let [mut ada, mut bob] = [Person::new(&fixture.server, "ada").await, Person::new(&fixture.server, "bob").await];
    let game = paired(&mut ada, &mut bob, &event).await;
    let state = started(&mut ada, &mut bob, &game).await;
    win(&mut ada, &mut bob, &game, &state).await;
    fixture.clock.advance(290_000);
    let Fixture { server, .. } = fixture;
    server.stop().await;
    drop((ada, bob));

    let clock = Clock::default();
    clock.advance(290_000);
    let server = Server::with_clock(clock, on_disk(&folder)).await;
    let mut ada = signed_in(&server, "ada").await;
    ada.enters(&event).await;
    ada.seeks(&event).await;
    let ends = |frame: &Value| frame["event"] == "queueUpdate" && frame["data"]["endsAt"].is_i64();
    let waits = ada.socket.wait_for(ends).await["data"].clone();
    let left = waits["endsAt"].as_i64().unwrap() - server.app.clock.wall().timestamp_millis();
    assert!(left <= RESTART_GRACE, "{waits}");
}
