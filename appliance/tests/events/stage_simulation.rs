//! Tournaments of simulated players against the real server, which is killed twice: while games are played, and between the
//! pairing of a round and its games. A player withdraws; in the long form two do not come. No pairing changes or has a second
//! game, no result is lost, the stored games alone lead to the stored pairings, standings and winners, and the rules alone to
//! the same standings.
//!
//! `MORPION_SIMULATED_PLAYERS` is the number of players, for the long form. A round robin has 16 at most, so theirs are as many
//! at once as it takes.

use std::{
    collections::{HashMap, HashSet},
    net::SocketAddr,
    path::Path,
    sync::Arc,
    time::{Duration, Instant},
};

use futures_util::{StreamExt, stream};
use morpion_rules::{
    UserId,
    tournament::{Entrant, Format, Match, Outcome, Reason, Side, StageRound, Tournament, Verdict},
};
use parking_lot::Mutex;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::{sync::watch, task::JoinHandle, time::timeout};

use crate::{
    fixture::details,
    process::{Account, Process, register},
    simulation::{AT_ONCE, Bot, SimulatedEvent, all_games, operate, settings, verified},
};

const PLAYERS: usize = 10;

/// Who do not come, of each event of the long form: absence takes a minute of a round.
const ABSENT: usize = 2;

/// A tournament is over by then, with whatever the restarts cost; twice that in the long form.
const OVER_WITHIN: Duration = Duration::from_secs(300);

/// How often the rounds are read for the moment of a kill: more often than rounds pause.
const LOOK: Duration = Duration::from_millis(25);

/// An event with those who play it.
struct Held {
    id: String,
    simulated: Arc<SimulatedEvent>,
    taking_part: Vec<JoinHandle<Bot>>,
    withdrawn: String,
    absent: Vec<String>,
}

/// The server, and how its events are read and directed.
struct Host {
    folder: TempDir,
    server: Process,
    pause: String,
    tell: watch::Sender<SocketAddr>,
}

impl Host {
    fn open(pause: Duration) -> Self {
        let (folder, pause) = (TempDir::new().unwrap(), format!("{}ms", pause.as_millis()));
        let server = Self::start(folder.path(), &pause);
        let (tell, _) = watch::channel(server.address);
        Self { folder, server, pause, tell }
    }

    fn start(folder: &Path, pause: &str) -> Process {
        let mut settings: Vec<(&str, &str)> = settings();
        settings.push(("MORPION_EVENTS__ROUND_PAUSE", pause));
        Process::start_with(folder, &settings)
    }

    /// SIGKILL, and a start on the same data at another address.
    fn killed(self) -> Self {
        let Self { folder, server, pause, tell } = self;
        drop(server);
        let server = Self::start(folder.path(), &pause);
        tell.send_replace(server.address);
        Self { folder, server, pause, tell }
    }

    async fn act(&self, resource: &str, action: &str, payload: Value) -> Value {
        operate(self.folder.path(), self.server.address, resource, action, payload).await
    }

    async fn rounds(&self, event: &str) -> (Vec<Value>, u32) {
        let answer = self.act("event", "get_rounds", json!({ "eventId": event })).await;
        (answer["rounds"].as_array().unwrap().clone(), answer["expectedRounds"].as_u64().unwrap() as u32)
    }

    /// Waits until a round of the event is as wanted; returns it.
    async fn until(&self, event: &str, wanted: impl Fn(&Value) -> bool) -> Value {
        let begun = Instant::now();
        loop {
            let (rounds, _) = self.rounds(event).await;
            if let Some(round) = rounds.iter().find(|round| wanted(round)) {
                return round.clone();
            }
            assert!(begun.elapsed() < OVER_WITHIN, "no round is so: {rounds:?}");
            tokio::time::sleep(LOOK).await;
        }
    }

    /// An event of these players, who have signed up.
    async fn published(&self, fields: Value, bots: &[Account]) -> String {
        let made = self.act("event", "create_event", fields).await;
        let event = made["event"]["eventId"].as_str().unwrap().to_owned();
        self.act("event", "update_event", json!({ "eventId": event, "eventState": "published" })).await;
        for bot in bots {
            self.act("player", "create_player", json!({ "eventId": event, "userId": bot.id })).await;
        }
        event
    }

    /// Starts an event; one of its players is withdrawn at once, and the last so many do not come.
    async fn hold(&self, id: String, mut bots: Vec<Account>, absent: usize) -> Held {
        self.act("event", "start_event", json!({ "eventId": id })).await;
        self.until(&id, |round| round["startsAt"].is_string()).await;
        let withdrawn = bots[1].id.clone();
        let payload = json!({ "eventId": id, "userId": withdrawn, "reason": "Has to go home." });
        self.act("event", "withdraw_player", payload).await;
        let absent = bots.split_off(bots.len() - absent).into_iter().map(|account| account.id).collect();
        let address = self.tell.subscribe();
        let simulated =
            Arc::new(SimulatedEvent { event: id.clone(), has_queue: false, address, received: Mutex::default() });
        let taking_part = bots
            .into_iter()
            .map(|account| Bot { account, game: None, eliminated: false })
            .map(|bot| tokio::spawn(bot.take_part(Arc::clone(&simulated))))
            .collect();
        Held { id, simulated, taking_part, withdrawn, absent }
    }
}

fn pairings(round: &Value) -> &Vec<Value> {
    round["pairings"].as_array().unwrap()
}

fn ids(pairing: &Value) -> Vec<&str> {
    pairing["players"].as_array().unwrap().iter().map(|player| player["userId"].as_str().unwrap()).collect()
}

/// It has an open game, and a match was played before.
fn is_in_play(round: &Value) -> bool {
    let is_open = |pairing: &Value| {
        let games = pairing["games"].as_array().unwrap();
        pairing["reason"].is_null() && games.last().is_some_and(|game| game["winnerUserId"].is_null())
    };
    let is_later = round["round"] != 1 || pairings(round).iter().any(|pairing| pairing["reason"] == "played");
    is_later && pairings(round).iter().any(is_open)
}

/// It is paired after another one, and none of its games is open.
fn is_waiting(round: &Value) -> bool {
    round["round"] != 1 && round["startsAt"].is_string() && round["state"] == "planned"
}

async fn tournament(format: &str, most: usize, more: Value) {
    let long = std::env::var("MORPION_SIMULATED_PLAYERS").ok();
    let (is_long, players) = (long.is_some(), long.map_or(PLAYERS, |text| text.parse().unwrap()));
    let over_within = OVER_WITHIN * (1 + u32::from(is_long));
    let mut host = Host::open(Duration::from_millis(300 + 2 * players as u64));
    let mut fields = details("Simulated");
    fields["format"] = json!(format);
    for (key, value) in more.as_object().unwrap() {
        fields[key] = value.clone();
    }
    let address = host.server.address;
    let mut bots: Vec<Account> = stream::iter(0..players)
        .map(|number| async move { register(address, &format!("bot{number}")).await })
        .buffer_unordered(AT_ONCE)
        .collect()
        .await;
    let events = players.div_ceil(most);
    let (mut published, mut held) = (vec![], vec![]);
    for event in 0..events {
        let field = bots.split_off(bots.len() - bots.len() / (events - event));
        published.push((host.published(fields.clone(), &field).await, field));
    }
    for (id, field) in published {
        held.push(host.hold(id, field, if is_long { ABSENT } else { 0 }).await);
    }

    host.until(&held[0].id, is_in_play).await;
    host = host.killed();
    let paired = host.until(&held[0].id, is_waiting).await;
    host = host.killed();
    let number = paired["round"].as_u64().unwrap() as usize;
    let again = host.rounds(&held[0].id).await.0[number - 1].clone();
    assert_eq!(
        pairings(&paired).iter().map(ids).collect::<Vec<_>>(),
        pairings(&again).iter().map(ids).collect::<Vec<_>>(),
        "the pairings are those that were told"
    );
    for event in held {
        check(&host, format, event, over_within).await;
    }
}

/// Waits for the end of an event, and checks all that is left of it.
async fn check(host: &Host, format: &str, held: Held, over_within: Duration) {
    let Held { id, simulated, taking_part, withdrawn, absent } = held;
    let begun = Instant::now();
    let mut shown = json!(null);
    while shown["concluded"] != true {
        assert!(begun.elapsed() < over_within, "it does not end: {shown}, {:?}", host.rounds(&id).await);
        tokio::time::sleep(Duration::from_millis(200)).await;
        shown = host.act("event", "get_event_by_id", json!({ "eventId": id })).await["event"].clone();
    }
    for bot in taking_part {
        timeout(over_within, bot).await.expect("somebody is stuck").unwrap();
    }

    verified(host.folder.path(), host.server.address, &id);
    let (rounds, expected) = host.rounds(&id).await;
    check_rounds(format, &rounds);
    for round in &rounds {
        for pairing in pairings(round).iter().filter(|it| absent.iter().any(|id| ids(it).contains(&id.as_str()))) {
            assert_ne!(pairing["reason"], "played", "somebody who did not come played: {pairing}");
        }
    }
    let answer = host.act("event", "get_standings", json!({ "eventId": id })).await;
    let standings = answer["standings"].as_array().unwrap();
    check_standings(format, expected, &rounds, standings);
    let row = standings.iter().find(|row| row["userId"] == withdrawn.as_str());
    assert_eq!(row.unwrap()["withdrawn"], true);

    let paired: HashSet<&str> = rounds
        .iter()
        .flat_map(pairings)
        .flat_map(|pairing| pairing["games"].as_array().unwrap())
        .filter(|game| game["winnerUserId"].is_string())
        .map(|game| game["gameId"].as_str().unwrap())
        .collect();
    let games = all_games(host.folder.path(), &host.server, &id).await;
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

/// The rules make the same table of the rounds as they are shown, and no further round.
fn check_standings(format: &str, expected: u32, rounds: &[Value], standings: &[Value]) {
    let mut by_seed: Vec<&Value> = standings.iter().collect();
    by_seed.sort_by_key(|row| row["seed"].as_u64());
    let user = |id: &Value| UserId(id.as_str().unwrap().parse().unwrap());
    let entrants: Vec<Entrant> = by_seed
        .iter()
        .map(|row| Entrant {
            user: user(&row["userId"]),
            rating: 0,
            joined_round: 1,
            withdrawn: row["withdrawn"] == true,
        })
        .collect();
    let format = match format {
        "knockout" => Format::Knockout { third_place: true },
        "swiss" => Format::Swiss { rounds: expected },
        _ => Format::RoundRobin { double: false },
    };
    let mut tournament = Tournament::new(format, 1, Side::First, entrants);
    for round in rounds {
        let matches = pairings(round).iter().map(|pairing| {
            let shown = pairing["players"].as_array().unwrap();
            let player = |at: usize| shown.get(at).and_then(|it| tournament.player(user(&it["userId"])));
            let is_winner = |at: usize| shown.get(at).is_some_and(|it| it["userId"] == pairing["winnerUserId"]);
            let verdict = match (is_winner(0), is_winner(1)) {
                (true, _) => Verdict::Won(Side::First),
                (_, true) => Verdict::Won(Side::Second),
                _ => Verdict::Neither,
            };
            let reason = match pairing["reason"].as_str().unwrap() {
                "played" => Reason::Played,
                "bye" => Reason::Bye,
                "absent" => Reason::Absent,
                "withdrawn" => Reason::Withdrawn,
                other => panic!("nobody ruled: {other}"),
            };
            let board = pairing["board"].as_u64().unwrap() as u32;
            let outcome = Some(Outcome { verdict, reason });
            Match { board, players: [player(0), player(1)], begun: true, outcome }
        });
        let matches = matches.collect();
        tournament.rounds.push(StageRound { matches });
    }
    assert!(tournament.is_over(), "there is a further round");
    let computed = tournament.standings().into_iter().map(|row| {
        let values = row.tie_breaks.iter().map(|tie_break| tie_break.value);
        let points = std::iter::once(row.points).chain(values).collect::<Vec<f64>>();
        (u64::from(row.rank), tournament.entrant(row.player).user, points)
    });
    let shown = standings.iter().map(|row| {
        let names = ["buchholzCut1", "buchholz", "sonnebornBerger", "wins", "headToHead"];
        let values = names.iter().filter_map(|name| row["tieBreaks"][name].as_f64());
        let points = row["points"].as_f64().into_iter().chain(values).collect::<Vec<f64>>();
        (row["rank"].as_u64().unwrap(), user(&row["userId"]), points)
    });
    assert_eq!(computed.collect::<Vec<_>>(), shown.collect::<Vec<_>>());
}

/// Everybody has at most one match in a round, all are decided; in a Swiss nobody plays somebody twice or has two byes.
fn check_rounds(format: &str, rounds: &[Value]) {
    let (mut met, mut byes) = (HashSet::new(), HashSet::new());
    for round in rounds {
        assert_eq!(round["state"], "ended", "{round}");
        let mut seated = HashSet::new();
        for pairing in pairings(round) {
            let mut ids = ids(pairing);
            assert!(ids.iter().all(|id| seated.insert(*id)), "two matches in a round: {pairing}");
            assert!(pairing["reason"].is_string(), "{pairing}");
            ids.sort_unstable();
            if format == "swiss" {
                // Those of a walkover may meet later.
                let is_new = match pairing["reason"].as_str() {
                    Some("bye") => byes.insert(ids),
                    Some("played") => met.insert(ids),
                    _ => true,
                };
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
