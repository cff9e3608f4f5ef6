//! Knockout, Swiss and round robin from outside: rounds are paired, games open by themselves, and directors decide.

use std::time::Duration;

use morpion_appliance::config::Config;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::{
    fixture::{Fixture, details, in_seconds},
    person::{Person, started, win},
    restart::{on_disk, signed_in},
    support::Server,
};

pub const NAMES: [&str; 6] = ["ada", "bob", "cat", "dan", "eve", "fay"];

fn quick(config: &mut Config) {
    config.events.round_pause = Duration::from_millis(50);
}

pub fn quick_on_disk(folder: &TempDir) -> impl FnOnce(&mut Config) {
    let on_disk = on_disk(folder);
    |config| {
        on_disk(config);
        quick(config);
    }
}

pub async fn fixture() -> Fixture {
    Fixture::with(quick).await
}

pub fn stages(format: &str, more: Value) -> Value {
    let mut fields = details("Stages");
    fields["format"] = json!(format);
    fields["matchGames"] = json!(1);
    for (key, value) in more.as_object().unwrap() {
        fields[key] = value.clone();
    }
    fields
}

pub async fn people(server: &Server, count: usize) -> Vec<Person> {
    let mut people = vec![];
    for name in &NAMES[..count] {
        people.push(Person::new(server, name).await);
    }
    people
}

/// A started event that they have signed up for and joined, in their order, which is that of their seeds.
pub async fn begun(fixture: &Fixture, fields: Value, people: &mut [Person]) -> String {
    let event = fixture.published(fields).await;
    for person in people.iter() {
        person.browser.write("eventSignUp", "sign_up", json!({ "eventId": event })).await.ok();
    }
    fixture.act("start_event", &event).await;
    for person in people {
        person.enters(&event).await;
    }
    event
}

pub async fn rounds(fixture: &Fixture, event: &str) -> Vec<Value> {
    let answer = fixture.admin.read("event", "get_rounds", json!({ "eventId": event })).await.ok();
    answer["rounds"].as_array().unwrap().clone()
}

pub async fn standings(fixture: &Fixture, event: &str) -> Vec<Value> {
    let answer = fixture.admin.read("event", "get_standings", json!({ "eventId": event })).await.ok();
    answer["standings"].as_array().unwrap().clone()
}

/// The open game of a match, once there is one, and who plays it.
fn open_game(pairing: &Value) -> Option<(String, Vec<String>)> {
    let open = pairing["games"].as_array()?.iter().find(|game| game["winnerUserId"].is_null())?;
    let players = pairing["players"].as_array()?.iter().map(|player| player["userId"].as_str().unwrap().to_owned());
    (pairing["reason"].is_null()).then(|| (open["gameId"].as_str().unwrap().to_owned(), players.collect()))
}

/// Waits until this round has an open game of these two or of anybody.
pub async fn next_game(fixture: &Fixture, event: &str) -> Option<(String, Vec<String>)> {
    for _ in 0..400 {
        if let Some(open) = rounds(fixture, event)
            .await
            .iter()
            .flat_map(|round| round["pairings"].as_array().unwrap().clone())
            .find_map(|it| open_game(&it))
            // It is listed a moment before it is on disk.
            && fixture.admin.read("game", "get_game", json!({ "gameId": open.0 })).await.status == 200
        {
            return Some(open);
        }
        if fixture.event(event).await["eventState"] == "ended" {
            return None;
        }
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
    panic!("no game opens: {:?}", rounds(fixture, event).await);
}

/// Two of them by their ids, the earlier one first.
pub fn two<'a>(people: &'a mut [Person], ids: &[String]) -> [&'a mut Person; 2] {
    let mut found = people.iter_mut().filter(|person| ids.contains(&person.id));
    [found.next().unwrap(), found.next().unwrap()]
}

/// Plays a game that the earlier one wins.
pub async fn play(people: &mut [Person], (game, ids): (String, Vec<String>)) {
    let [winner, loser] = two(people, &ids);
    let state = started(winner, loser, &game).await;
    win(winner, loser, &game, &state).await;
}

/// Plays all that opens until the event is over; returns it with its winners.
pub async fn play_all(fixture: &Fixture, event: &str, people: &mut [Person]) -> Value {
    while let Some(open) = next_game(fixture, event).await {
        play(people, open).await;
    }
    fixture.until(event, |event| event["concluded"] == true).await
}

pub fn names(rows: &[Value]) -> Vec<&str> {
    rows.iter().map(|row| row["username"].as_str().unwrap()).collect()
}

pub async fn verified(fixture: &Fixture, event: &str) -> Value {
    fixture.admin.read("event", "verify_event", json!({ "eventId": event })).await.ok()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_knockout_is_played_to_its_winner() {
    let fixture = fixture().await;
    let mut people = people(&fixture.server, 5).await;
    let fields = stages("knockout", json!({ "thirdPlace": true, "boardSize": 4, "matchGames": 1 }));
    let event = begun(&fixture, fields, &mut people).await;
    let found = people[3].socket.wait("playerFound").await;
    assert_eq!(found["opponent"]["username"], "eve", "seeds 4 and 5 meet; the best have a bye");
    let [first, second, last] = rounds(&fixture, &event).await.try_into().unwrap();
    assert_eq!(
        (&first["state"], &second["state"], &last["state"]),
        (&json!("playing"), &json!("planned"), &json!("planned"))
    );
    let byes = first["pairings"].as_array().unwrap().iter().filter(|it| it["bye"] == true).count();
    assert_eq!(byes, 3);
    let state = people[3].browser.read("game", "get_game", json!({ "gameId": found["gameId"] })).await.ok();
    assert_eq!((&state["game"]["boardSize"], &state["game"]["gameType"]), (&json!(4), &json!("event")));
    // There is no queue, and nobody comes into a bracket that is drawn.
    let refused = people[0].socket.ask("findMatch", json!({ "eventId": event })).await;
    assert_eq!(refused["errorCode"], "no-queue");
    let late = Person::new(&fixture.server, "zed").await;
    late.browser.write("event", "join_event", json!({ "eventId": event })).await.fails(409, "tournament-closed");

    let over = play_all(&fixture, &event, &mut people).await;
    let winners = over["winners"].as_array().unwrap();
    assert_eq!(names(winners), ["ada", "bob", "cat"]);
    let table = standings(&fixture, &event).await;
    assert_eq!(names(&table)[..4], ["ada", "bob", "cat", "dan"]);
    assert_eq!((&table[0]["rank"], &table[3]["rank"], &table[0]["tieBreaks"]), (&json!(1), &json!(4), &Value::Null));
    assert!(rounds(&fixture, &event).await.iter().all(|round| round["state"] == "ended"));
    let found = verified(&fixture, &event).await;
    assert_eq!((&found["agrees"], &found["differences"]), (&json!(true), &json!([])), "{found}");
    // Visitors read it too.
    let visitor = fixture.server.browser().await;
    let answer = visitor.read("event", "get_rounds", json!({ "eventId": event })).await.ok();
    assert_eq!(answer["rounds"].as_array().unwrap().len(), 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn in_a_swiss_late_players_come_in_and_every_tie_break_is_explained() {
    let fixture = fixture().await;
    let mut people = people(&fixture.server, 5).await;
    let mut late = people.pop().unwrap();
    let event = begun(&fixture, stages("swiss", json!({ "rounds": 3 })), &mut people).await;
    let open = next_game(&fixture, &event).await.unwrap();
    late.enters(&event).await;
    play(&mut people, open).await;
    people.push(late);
    let over = play_all(&fixture, &event, &mut people).await;
    assert_eq!(names(over["winners"].as_array().unwrap())[0], "ada");
    let played = rounds(&fixture, &event).await;
    assert_eq!(played.len(), 3);
    let in_round = |round: usize, name: &str| {
        let pairings = played[round]["pairings"].as_array().unwrap();
        pairings.iter().any(|it| it["players"].as_array().unwrap().iter().any(|player| player["username"] == name))
    };
    assert!(!in_round(0, "eve") && in_round(1, "eve") && in_round(2, "eve"), "{played:?}");
    let asked = json!({ "eventId": event, "userId": people[0].id });
    let own = fixture.admin.read("event", "get_standings", asked).await.ok();
    let terms = own["standings"][0]["terms"].as_array().unwrap();
    let sum = |name: &str| -> f64 {
        let counted = terms.iter().filter(|term| term["tieBreak"] == name && term["cut"] == false);
        counted.map(|term| term["value"].as_f64().unwrap()).sum()
    };
    for name in ["buchholzCut1", "buchholz", "sonnebornBerger", "wins", "headToHead"] {
        assert_eq!(own["standings"][0]["tieBreaks"][name].as_f64().unwrap(), sum(name), "{name}");
    }
    let found = verified(&fixture, &event).await;
    assert_eq!(found["differences"], json!([]), "{found}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_match_of_two_games_swaps_the_seats_and_a_third_decides() {
    let fixture = fixture().await;
    let mut people = people(&fixture.server, 2).await;
    let event = begun(&fixture, stages("roundRobin", json!({ "matchGames": 2 })), &mut people).await;
    let mut starters = vec![];
    for winner in [0, 1, 0] {
        let (game, _) = next_game(&fixture, &event).await.unwrap();
        let [ada, bob] = people.as_mut_slice() else { panic!() };
        let (first, second) = if winner == 0 { (ada, bob) } else { (bob, ada) };
        let state = started(first, second, &game).await;
        starters.push((state["currentTurn"].clone(), state["boardSize"].clone()));
        win(first, second, &game, &state).await;
    }
    assert_ne!(starters[0].0, starters[1].0, "seats are swapped");
    assert_eq!((&starters[0].1, &starters[1].1, &starters[2].1), (&json!(3), &json!(3), &json!(4)));
    let over = fixture.until(&event, |event| event["concluded"] == true).await;
    assert_eq!(names(over["winners"].as_array().unwrap()), ["ada"]);
    let pairing = rounds(&fixture, &event).await[0]["pairings"][0].clone();
    assert_eq!((pairing["games"].as_array().unwrap().len(), &pairing["reason"]), (3, &json!("played")));
}

#[tokio::test(flavor = "multi_thread")]
async fn who_does_not_come_loses_after_a_minute_and_is_withdrawn_the_second_time() {
    let fixture = fixture().await;
    let mut people = people(&fixture.server, 4).await;
    let event = fixture.published(stages("roundRobin", json!({}))).await;
    for person in &people {
        person.browser.write("eventSignUp", "sign_up", json!({ "eventId": event })).await.ok();
    }
    fixture.act("start_event", &event).await;
    // The last one signed up and never comes.
    for person in &mut people[..3] {
        person.enters(&event).await;
    }
    for round in 0..2 {
        // The other match of the round.
        let open = next_game(&fixture, &event).await.unwrap();
        play(&mut people[..3], open).await;
        fixture.clock.advance(60_500);
        for _ in 0..200 {
            if rounds(&fixture, &event).await[round]["state"] == "ended" {
                break;
            }
            tokio::time::sleep(Duration::from_millis(25)).await;
        }
        let ended = rounds(&fixture, &event).await[round].clone();
        let absent = ended["pairings"].as_array().unwrap().iter().find(|it| it["reason"] == "absent");
        assert!(absent.is_some_and(|it| it["winnerUserId"] != json!(people[3].id)), "{ended}");
    }
    next_game(&fixture, &event).await.unwrap();
    let table = standings(&fixture, &event).await;
    let last = table.iter().find(|row| row["username"] == "dan").unwrap();
    assert_eq!((&last["withdrawn"], &last["points"]), (&json!(true), &json!(0.0)));
    let over = play_all(&fixture, &event, &mut people[..3]).await;
    assert_eq!(names(over["winners"].as_array().unwrap())[0], "ada");
    let third = rounds(&fixture, &event).await[2].clone();
    assert!(third["pairings"].as_array().unwrap().iter().any(|it| it["reason"] == "withdrawn"), "{third}");
}

#[tokio::test(flavor = "multi_thread")]
async fn directors_decide_matches_withdraw_players_and_hold_rounds() {
    let fixture = fixture().await;
    let mut people = people(&fixture.server, 4).await;
    let event = begun(&fixture, stages("knockout", json!({})), &mut people).await;
    let (game, ids) = next_game(&fixture, &event).await.unwrap();
    let act = async |action: &str, mut payload: Value| {
        payload["eventId"] = json!(event);
        fixture.admin.write("event", action, payload).await
    };
    let [winner, loser] = two(&mut people, &ids);
    started(winner, loser, &game).await;
    let board = rounds(&fixture, &event).await[0]["pairings"]
        .as_array()
        .unwrap()
        .iter()
        .find(|it| it["games"][0]["gameId"] == json!(game))
        .unwrap()["board"]
        .clone();
    // The weaker one, against the game that is played: it is void.
    let ruling = json!({ "round": 1, "board": board, "winnerUserId": loser.id, "reason": "The phone of ada broke." });
    act("set_result", json!({ "round": 1, "board": board, "winnerUserId": loser.id, "reason": " " }))
        .await
        .fails(422, "invalid");
    act("set_result", json!({ "round": 9, "board": 1, "reason": "x" })).await.fails(404, "not-found");
    let stranger = json!({ "round": 1, "board": board, "winnerUserId": event, "reason": "x" });
    act("set_result", stranger).await.fails(422, "invalid");
    act("set_result", ruling).await.ok();
    winner.socket.wait("gameEnd").await;
    let (loser_id, winner_id) = (loser.id.clone(), winner.id.clone());
    act("pause_event", json!({})).await.ok();
    assert_eq!(fixture.event(&event).await["paused"], true);
    let open = next_game(&fixture, &event).await.unwrap();
    play(&mut people, open).await;
    // The final is paired, and waits; a corrected result seats the other one.
    let finalists = async || {
        let last = rounds(&fixture, &event).await[1].clone();
        let players = last["pairings"][0]["players"].as_array().unwrap().clone();
        (last["startsAt"].is_string(), players.iter().map(|it| it["userId"].clone()).collect::<Vec<_>>())
    };
    for _ in 0..200 {
        if finalists().await.0 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
    assert!(finalists().await.1.contains(&json!(loser_id)));
    let corrected = json!({ "round": 1, "board": board, "winnerUserId": winner_id, "reason": "It was the other one." });
    act("set_result", corrected).await.ok();
    assert!(finalists().await.1.contains(&json!(winner_id)));
    tokio::time::sleep(Duration::from_millis(400)).await;
    assert_eq!(
        rounds(&fixture, &event).await[1]["pairings"][0]["games"],
        json!([]),
        "no game opens while it is paused"
    );
    act("resume_event", json!({})).await.ok();
    assert!(fixture.event(&event).await["paused"].is_null());
    next_game(&fixture, &event).await.unwrap();
    // One of them leaves, and the other has won.
    let leaves = finalists().await.1[1].clone();
    act("withdraw_player", json!({ "userId": leaves, "reason": "Went home." })).await.ok();
    let left = people.iter_mut().find(|person| leaves == json!(person.id)).unwrap();
    let told = left.socket.wait("eventNews").await;
    assert_eq!((&told["news"], &told["reason"]), (&json!("withdrawn"), &json!("Went home.")));
    let over = fixture.until(&event, |event| event["concluded"] == true).await;
    assert_ne!(over["winners"][0]["userId"], leaves);
    act("set_result", json!({ "round": 1, "board": 1, "reason": "x" })).await.fails(409, "event-over");
    let found = verified(&fixture, &event).await;
    assert_eq!(found["differences"], json!([]), "{found}");
    let bob = &people[1].browser;
    bob.write("event", "pause_event", json!({ "eventId": event })).await.fails(403, "forbidden");
    // An arena has none of it, but its end can be moved.
    let arena = fixture.started(details("Arena")).await;
    fixture.admin.write("event", "pause_event", json!({ "eventId": arena })).await.fails(409, "no-rounds");
    let later = in_seconds(9_000);
    let moved = fixture.admin.write("event", "extend_event", json!({ "eventId": arena, "endTime": later })).await.ok();
    assert_eq!(moved["event"]["endTime"], json!(later));
}

#[tokio::test(flavor = "multi_thread")]
async fn numbers_of_a_format_are_checked_and_come_back() {
    let fixture = fixture().await;
    for (field, value, code) in
        [("boardSize", 7, "board-size"), ("matchGames", 3, "match-games"), ("rounds", 33, "rounds")]
    {
        let fields = stages("swiss", json!({ field: value }));
        let refused = fixture.admin.write("event", "create_event", fields).await;
        refused.fails(422, code);
    }
    let draft = fixture.draft(stages("swiss", json!({ "rounds": 5, "boardSize": 6, "maxLosses": 3 }))).await;
    let event = fixture.event(&draft).await;
    assert_eq!((&event["format"], &event["rounds"], &event["boardSize"]), (&json!("swiss"), &json!(5), &json!(6)));
    assert_eq!((&event["matchGames"], &event["maxLosses"], &event["thirdPlace"]), (&json!(1), &json!(0), &Value::Null));
    let change = json!({ "eventId": draft, "format": "knockout", "thirdPlace": true });
    let event = fixture.admin.write("event", "update_event", change).await.ok()["event"].clone();
    assert_eq!(
        (&event["format"], &event["rounds"], &event["thirdPlace"]),
        (&json!("knockout"), &Value::Null, &json!(true))
    );
    assert_eq!(event["boardSize"], json!(6), "what is not named stays");
    let copy = fixture.admin.write("event", "duplicate_event", json!({ "eventId": draft })).await.ok()["event"].clone();
    assert_eq!((&copy["format"], &copy["thirdPlace"]), (&json!("knockout"), &json!(true)));
    let arena = fixture.draft(details("Arena")).await;
    let arena = fixture.event(&arena).await;
    assert_eq!(
        (&arena["format"], &arena["boardSize"], &arena["maxLosses"]),
        (&json!("arena"), &json!("byLevel"), &json!(3))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tournament_goes_on_after_a_restart() {
    let folder = TempDir::new().unwrap();
    let setup = || quick_on_disk(&folder);
    let fixture = Fixture::with(setup()).await;
    let mut all = people(&fixture.server, 4).await;
    let event = begun(&fixture, stages("swiss", json!({ "rounds": 2 })), &mut all).await;
    let first = next_game(&fixture, &event).await.unwrap();
    play(&mut all, first.clone()).await;
    let second = next_game(&fixture, &event).await.unwrap();
    let [a, b] = two(&mut all, &second.1);
    started(a, b, &second.0).await;
    let before = rounds(&fixture, &event).await;
    let Fixture { server, clock, .. } = fixture;
    server.stop().await;

    let server = Server::with_clock(clock.clone(), setup()).await;
    let admin = signed_in(&server, "the_admin").await.browser;
    let fixture = Fixture { server, admin, clock };
    assert_eq!(rounds(&fixture, &event).await[0], before[0], "the same pairings and games");
    let mut all = vec![];
    for name in &NAMES[..4] {
        let mut person = signed_in(&fixture.server, name).await;
        person.enters(&event).await;
        all.push(person);
    }
    let [a, b] = two(&mut all, &second.1);
    a.joins(&second.0).await;
    let state = b.joins(&second.0).await;
    win(a, b, &second.0, &state).await;
    let over = play_all(&fixture, &event, &mut all).await;
    assert_eq!(names(over["winners"].as_array().unwrap())[0], "ada");
    let found = verified(&fixture, &event).await;
    assert_eq!(found["differences"], json!([]), "{found}");
    let played: usize = rounds(&fixture, &event)
        .await
        .iter()
        .flat_map(|round| round["pairings"].as_array().unwrap().clone())
        .map(|it| it["games"].as_array().unwrap().len())
        .sum();
    assert_eq!(played, 4, "one game for each pairing");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_open_event_waits_for_a_second_player_and_a_closed_one_does_not() {
    let fixture = fixture().await;
    let mut people = people(&fixture.server, 2).await;
    let event = fixture.published(stages("swiss", json!({ "rounds": 1 }))).await;
    let closed = fixture.published(stages("knockout", json!({ "eventType": "closed" }))).await;
    people[0].browser.write("eventSignUp", "sign_up", json!({ "eventId": event })).await.ok();
    // However long it was published before.
    fixture.clock.advance(600_000);
    tokio::time::sleep(Duration::from_millis(600)).await;
    fixture.act("start_event", &event).await;
    fixture.act("start_event", &closed).await;
    let over = fixture.until(&closed, |event| event["concluded"] == true).await;
    assert_eq!(over["winners"], json!([]));
    people[0].enters(&event).await;
    tokio::time::sleep(Duration::from_millis(600)).await;
    assert_eq!(fixture.event(&event).await["eventState"], "started");
    people[1].enters(&event).await;
    let over = play_all(&fixture, &event, &mut people).await;
    assert_eq!(names(over["winners"].as_array().unwrap()), ["ada"]);
    // Alone, it ends after five minutes.
    let alone = fixture.started(stages("swiss", json!({}))).await;
    people[0].enters(&alone).await;
    fixture.clock.advance(301_000);
    fixture.until(&alone, |event| event["concluded"] == true).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_format_takes_those_who_have_signed_up() {
    let fixture = fixture().await;
    let event = fixture.published(stages("swiss", json!({}))).await;
    for number in 0..17 {
        let (_, user) = fixture.server.registered(&format!("pupil{number}")).await;
        let entry = json!({ "eventId": event, "userId": user["userId"] });
        fixture.admin.write("player", "create_player", entry).await.ok();
    }
    let change = |format: &str| json!({ "eventId": event, "format": format });
    fixture.admin.write("event", "update_event", change("roundRobin")).await.fails(409, "too-many-players");
    fixture.admin.write("event", "update_event", change("knockout")).await.ok();
    let full = fixture.published(stages("roundRobin", json!({}))).await;
    let players = fixture.leaderboard(&event).await;
    for (number, player) in players.iter().enumerate() {
        let entry = json!({ "eventId": full, "userId": player["userId"] });
        let entered = fixture.admin.write("player", "create_player", entry).await;
        match number {
            0..16 => drop(entered.ok()),
            _ => drop(entered.fails(409, "event-full")),
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_match_lost_by_absence_stays_so_after_a_restart() {
    let folder = TempDir::new().unwrap();
    let setup = || quick_on_disk(&folder);
    let fixture = Fixture::with(setup()).await;
    let mut all = people(&fixture.server, 4).await;
    let event = fixture.published(stages("roundRobin", json!({ "matchGames": 2 }))).await;
    for person in &all {
        person.browser.write("eventSignUp", "sign_up", json!({ "eventId": event })).await.ok();
    }
    fixture.act("start_event", &event).await;
    for person in &mut all[..3] {
        person.enters(&event).await;
    }
    let (game, ids) = next_game(&fixture, &event).await.unwrap();
    let [a, b] = two(&mut all[..3], &ids);
    started(a, b, &game).await;
    // Their first game ends by time, and their second one opens: the round goes on.
    fixture.clock.advance(60_500);
    let absent = async |fixture: &Fixture| {
        let first = rounds(fixture, &event).await[0].clone();
        assert_eq!(first["state"], "playing", "{first}");
        first["pairings"].as_array().unwrap().iter().any(|it| it["reason"] == "absent")
    };
    for _ in 0..200 {
        if absent(&fixture).await {
            break;
        }
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
    assert!(absent(&fixture).await);
    let Fixture { server, clock, .. } = fixture;
    server.stop().await;
    let server = Server::with_clock(clock.clone(), setup()).await;
    let admin = signed_in(&server, "the_admin").await.browser;
    let fixture = Fixture { server, admin, clock };
    assert!(absent(&fixture).await);
}
