//! Tournaments of simulated players against the real server, which is killed twice. No pairing has a second game, no result is
//! lost, and the stored games alone lead to the stored pairings, standings and winners.
//!
//! `MORPION_SIMULATED_PLAYERS` is the number of players; a round robin has 16 at most.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
    time::{Duration, Instant},
};

use futures_util::{StreamExt, stream};
use parking_lot::Mutex;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::{sync::watch, time::timeout};

use crate::{
    fixture::details,
    process::{Process, register},
    simulation::{AT_ONCE, Bot, SimulatedEvent, all_games, operate, settings, verified},
};

const PLAYERS: usize = 10;

/// How long they play before each kill.
const LEG: Duration = Duration::from_millis(2_500);

/// A tournament is over by then, with whatever the restarts cost.
const OVER_WITHIN: Duration = Duration::from_secs(300);

async fn tournament(format: &str, most: usize, more: Value) {
    let players = std::env::var("MORPION_SIMULATED_PLAYERS").map_or(PLAYERS, |text| text.parse().unwrap()).min(most);
    let folder = TempDir::new().unwrap();
    let settings: Vec<_> = settings().into_iter().chain([("MORPION_EVENTS__ROUND_PAUSE", "300ms")]).collect();
    let start = || Process::start_with(folder.path(), &settings);
    let mut server = start();
    let (tell, address) = watch::channel(server.address);
    let mut fields = details("Simulated");
    fields["format"] = json!(format);
    for (key, value) in more.as_object().unwrap() {
        fields[key] = value.clone();
    }
    let made = operate(folder.path(), server.address, "event", "create_event", fields).await;
    let event = made["event"]["eventId"].as_str().unwrap().to_owned();
    let on_event = json!({ "eventId": event });
    let publish = json!({ "eventId": event, "eventState": "published" });
    operate(folder.path(), server.address, "event", "update_event", publish).await;
    let bots: Vec<Bot> = stream::iter(0..players)
        .map(|number| {
            let (address, folder, event) = (server.address, folder.path(), event.clone());
            async move {
                let account = register(address, &format!("bot{number}")).await;
                let entry = json!({ "eventId": event, "userId": account.id });
                operate(folder, address, "player", "create_player", entry).await;
                Bot { account, game: None, eliminated: false }
            }
        })
        .buffer_unordered(AT_ONCE)
        .collect()
        .await;
    operate(folder.path(), server.address, "event", "start_event", on_event.clone()).await;
    let simulated =
        Arc::new(SimulatedEvent { event: event.clone(), has_queue: false, address, received: Mutex::default() });
    let taking_part: Vec<_> = bots.into_iter().map(|bot| tokio::spawn(bot.take_part(Arc::clone(&simulated)))).collect();
    for _ in 0..2 {
        tokio::time::sleep(LEG * (1 + players as u32 / 60)).await;
        drop(server);
        server = start();
        tell.send(server.address).unwrap();
    }
    let begun = Instant::now();
    let mut shown = json!(null);
    while shown["concluded"] != true {
        if begun.elapsed() > OVER_WITHIN {
            let rounds = operate(folder.path(), server.address, "event", "get_rounds", on_event).await;
            panic!("it does not end: {shown}, {rounds}");
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
        shown =
            operate(folder.path(), server.address, "event", "get_event_by_id", on_event.clone()).await["event"].clone();
    }
    for bot in taking_part {
        timeout(OVER_WITHIN, bot).await.expect("somebody is stuck").unwrap();
    }

    verified(folder.path(), server.address, &event);
    let answer = operate(folder.path(), server.address, "event", "get_rounds", on_event.clone()).await;
    let rounds = answer["rounds"].as_array().unwrap();
    check_rounds(format, rounds);
    let paired: HashSet<&str> = rounds
        .iter()
        .flat_map(|round| round["pairings"].as_array().unwrap())
        .flat_map(|pairing| pairing["games"].as_array().unwrap())
        .map(|game| game["gameId"].as_str().unwrap())
        .collect();
    let games = all_games(folder.path(), &server, &event).await;
    let played: HashMap<&str, &Value> = games
        .iter()
        .filter(|game| game["status"] == "completed")
        .map(|game| (game["gameId"].as_str().unwrap(), game))
        .collect();
    assert_eq!(played.keys().copied().collect::<HashSet<_>>(), paired, "every game is of a match, and counted");
    for (game, winner) in simulated.received.lock().iter() {
        assert_eq!(played[game.as_str()]["winnerUserId"], winner.as_str(), "a result was told and is another");
    }
    assert!(!shown["winners"].as_array().unwrap().is_empty());
}

/// Everybody has at most one match in a round, all are decided; in a Swiss nobody meets twice or has two byes.
fn check_rounds(format: &str, rounds: &[Value]) {
    let (mut met, mut byes) = (HashSet::new(), HashSet::new());
    for round in rounds {
        assert_eq!(round["state"], "ended", "{round}");
        let mut seated = HashSet::new();
        for pairing in round["pairings"].as_array().unwrap() {
            let mut ids: Vec<&str> = pairing["players"]
                .as_array()
                .unwrap()
                .iter()
                .map(|player| player["userId"].as_str().unwrap())
                .collect();
            assert!(ids.iter().all(|id| seated.insert(*id)), "two matches in a round: {pairing}");
            assert!(pairing["reason"].is_string(), "{pairing}");
            ids.sort_unstable();
            if format == "swiss" {
                let is_new = if pairing["bye"] == true { byes.insert(ids.clone()) } else { met.insert(ids.clone()) };
                assert!(is_new, "again: {pairing}");
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_simulated_swiss_survives_being_killed_twice() {
    tournament("swiss", usize::MAX, json!({ "matchGames": 1 })).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_simulated_knockout_survives_being_killed_twice() {
    tournament("knockout", usize::MAX, json!({ "matchGames": 2, "thirdPlace": true })).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_simulated_round_robin_survives_being_killed_twice() {
    tournament("roundRobin", 16, json!({ "matchGames": 1 })).await;
}
