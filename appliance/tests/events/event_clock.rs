//! The clock of an event, which all its games have, and the boards that go with the level.

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::{
    fixture::{Fixture, details},
    person::{Person, draw, paired, started, win},
    restart::signed_in,
    stages::{begun, fixture, names, next_game, people, quick_on_disk, rounds, stages, two, verified},
    support::Server,
};

/// A match of two games with a clock of its own.
fn timed(format: &str) -> Value {
    stages(format, json!({ "clock": "1+2", "matchGames": 2 }))
}

/// The milliseconds that somebody has left for all further turns.
fn left(state: &Value, id: &str) -> i64 {
    let players = state["players"].as_array().unwrap();
    players.iter().find(|player| player["userId"] == json!(id)).unwrap()["timeLeftMs"].as_i64().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn who_runs_out_of_time_loses_the_game_and_the_match_goes_on() {
    let fixture = fixture().await;
    let mut all = people(&fixture.server, 2).await;
    let event = begun(&fixture, timed("knockout"), &mut all).await;
    assert_eq!(fixture.event(&event).await["clock"], "1+2");
    let (game, ids) = next_game(&fixture, &event).await.unwrap();
    let [ada, bob] = two(&mut all, &ids);
    let state = started(ada, bob, &game).await;
    assert_eq!((&state["clock"], &state["gameType"]), (&json!("1+2"), &json!("event")));
    assert!((59_000..=60_000).contains(&left(&state, &ada.id)), "{state}");
    let (slow, quick) = if state["currentTurn"] == json!(ada.id) { (ada, bob) } else { (bob, ada) };
    // Longer than a turn of 15 s takes.
    fixture.clock.advance(30_000);
    assert_eq!(slow.moves(&game, (0, 0)).await["succeeded"], true);
    let update = quick.socket.wait("moveUpdate").await;
    assert_eq!(update["timesLeftMs"].as_array().unwrap().len(), 2, "{update}");
    assert_eq!(quick.moves(&game, (1, 1)).await["succeeded"], true);
    fixture.clock.advance(34_000);
    let end = quick.socket.wait("gameEnd").await;
    assert_eq!((&end["reason"], &end["forfeiter"]), (&json!("timeout"), &json!(slow.id)));
    // The other one loses the second game, and a third decides.
    for slow_wins in [true, false] {
        let (winner, loser) = if slow_wins { (&mut *slow, &mut *quick) } else { (&mut *quick, &mut *slow) };
        let (next, _) = next_game(&fixture, &event).await.unwrap();
        assert_ne!(next, game);
        let state = started(winner, loser, &next).await;
        assert_eq!(state["clock"], "1+2");
        win(winner, loser, &next, &state).await;
    }
    let over = fixture.until(&event, |event| event["concluded"] == true).await;
    assert_eq!(over["winners"][0]["userId"], json!(quick.id));
    let played = rounds(&fixture, &event).await[0]["pairings"][0]["games"].as_array().unwrap().len();
    assert_eq!(played, 3);
    let found = verified(&fixture, &event).await;
    assert_eq!(found["differences"], json!([]), "{found}");
    let replay = fixture.admin.read("game", "get_replay", json!({ "gameId": game })).await.ok();
    assert_eq!((&replay["replay"]["clock"], &replay["replay"]["reason"]), (&json!("1+2"), &json!("timeout")));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_restart_keeps_the_clock_and_what_is_left_on_it() {
    let folder = TempDir::new().unwrap();
    let setup = || quick_on_disk(&folder);
    let fixture = Fixture::with(setup()).await;
    let mut all = people(&fixture.server, 2).await;
    let event = begun(&fixture, timed("roundRobin"), &mut all).await;
    let (game, ids) = next_game(&fixture, &event).await.unwrap();
    let [ada, bob] = two(&mut all, &ids);
    let state = started(ada, bob, &game).await;
    let ada_begins = state["currentTurn"] == json!(ada.id);
    let first = if ada_begins { ada } else { bob };
    fixture.clock.advance(10_000);
    assert_eq!(first.moves(&game, (2, 0)).await["succeeded"], true);
    let Fixture { server, clock, .. } = fixture;
    server.stop().await;

    let server = Server::with_clock(clock.clone(), setup()).await;
    let admin = signed_in(&server, "the_admin").await.browser;
    let fixture = Fixture { server, admin, clock };
    assert_eq!(fixture.event(&event).await["clock"], "1+2");
    let (mut ada, mut bob) = (signed_in(&fixture.server, "ada").await, signed_in(&fixture.server, "bob").await);
    for person in [&mut ada, &mut bob] {
        person.enters(&event).await;
    }
    ada.joins(&game).await;
    let state = bob.joins(&game).await;
    let (first, second) = if ada_begins { (&mut ada, &mut bob) } else { (&mut bob, &mut ada) };
    assert_eq!(state["clock"], "1+2");
    assert!((50_000..=53_000).contains(&left(&state, &first.id)), "{state}");
    win(first, second, &game, &state).await;
    let (next, _) = next_game(&fixture, &event).await.unwrap();
    let state = started(first, second, &next).await;
    assert_eq!(state["clock"], "1+2", "the second game of the match, too");
    win(first, second, &next, &state).await;
    let over = fixture.until(&event, |event| event["concluded"] == true).await;
    assert_eq!(names(over["winners"].as_array().unwrap()), [first.name.as_str()]);
    let found = verified(&fixture, &event).await;
    assert_eq!(found["differences"], json!([]), "{found}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_clock_of_an_arena_is_chosen_until_it_starts() {
    let fixture = Fixture::new().await;
    let draft = fixture.draft(details("Arena")).await;
    assert_eq!(fixture.event(&draft).await["clock"], "turn15");
    let change = async |clock: &str| {
        let fields = json!({ "eventId": draft, "clock": clock });
        fixture.admin.write("event", "update_event", fields).await
    };
    for wrong in ["none", "days1", ""] {
        assert_ne!(change(wrong).await.status, 200, "{wrong}");
    }
    assert_eq!(change("1+2").await.ok()["event"]["clock"], "1+2");
    let copy = fixture.act("duplicate_event", &draft).await;
    assert_eq!((&copy["clock"], &copy["eventState"]), (&json!("1+2"), &json!("drafted")));
    fixture.publish(&draft).await;
    assert_eq!(change("turn15").await.ok()["event"]["clock"], "turn15");
    change("1+2").await.ok();
    fixture.act("start_event", &draft).await;
    change("turn15").await.fails(409, "cannot-edit");

    let (mut ada, mut bob) = (Person::new(&fixture.server, "ada").await, Person::new(&fixture.server, "bob").await);
    let game = paired(&mut ada, &mut bob, &draft).await;
    let state = started(&mut ada, &mut bob, &game).await;
    assert_eq!((&state["clock"], &state["boardSize"]), (&json!("1+2"), &json!(3)));
    // What was used counts in the next round, too.
    fixture.clock.advance(20_000);
    let drawn = draw(&mut ada, &mut bob, &game, &state).await["newGameState"].clone();
    let starter = if state["currentTurn"] == json!(ada.id) { &ada.id } else { &bob.id };
    assert_eq!(drawn["clock"], "1+2");
    assert!((45_000..=52_000).contains(&left(&drawn, starter)), "{drawn}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_board_goes_with_the_level_in_an_arena_alone() {
    let fixture = Fixture::new().await;
    let mut fields = details("Arena");
    fields["boardSize"] = json!("byLevel");
    fields["maxLosses"] = json!(0);
    let event = fixture.started(fields).await;
    assert_eq!(fixture.event(&event).await["boardSize"], "byLevel");
    let by_level = stages("knockout", json!({ "boardSize": "byLevel" }));
    let refused = fixture.admin.write("event", "create_event", by_level).await.fails(422, "board-by-level");
    assert!(refused["fieldErrors"]["boardSize"].is_string(), "{refused}");
    let swiss = fixture.draft(stages("swiss", json!({ "boardSize": 4 }))).await;
    let change = async |fields: Value| {
        let mut fields = fields;
        fields["eventId"] = json!(swiss);
        fixture.admin.write("event", "update_event", fields).await
    };
    change(json!({ "boardSize": "byLevel" })).await.fails(422, "board-by-level");
    change(json!({ "boardSize": "ByLevel" })).await.fails(400, "malformed");
    assert_eq!(fixture.event(&swiss).await["boardSize"], 4);
    let arena = change(json!({ "format": "arena", "boardSize": "byLevel" })).await.ok();
    assert_eq!(arena["event"]["boardSize"], "byLevel");
    assert_eq!(change(json!({ "format": "roundRobin" })).await.ok()["event"]["boardSize"], 3);

    let mut pair = [Person::new(&fixture.server, "ada").await, Person::new(&fixture.server, "bob").await];
    for (levels, size) in [([1, 2], 3), ([3, 4], 4), ([6, 5], 5), ([7, 7], 6)] {
        let [ada, bob] = &mut pair;
        for (person, level) in [&mut *ada, &mut *bob].into_iter().zip(levels) {
            person.enters(&event).await;
            let level = json!({ "userId": person.id, "eventId": event, "updates": { "level": level } });
            fixture.admin.write("player", "update_player", level).await.ok();
        }
        let game = paired(ada, bob, &event).await;
        let state = started(ada, bob, &game).await;
        assert_eq!(state["boardSize"], size, "{levels:?}");
        win(ada, bob, &game, &state).await;
    }
}
