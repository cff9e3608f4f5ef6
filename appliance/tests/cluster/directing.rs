//! A director's acts through nodes that follow, while another node takes the lead: each is done once it is acknowledged, and
//! all nodes end with one table.

use std::{
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use reqwest::Method;
use serde_json::{Value, json};
use tokio::time::{sleep, timeout};

use crate::{
    cluster::Cluster,
    site::Site,
    socket::{Heard, Socket},
    support::Browser,
};

/// All players come from one address.
const SETTINGS: &str = "events.round_pause = \"6s\"\nlimits.sockets_per_minute = 1000000\n";

/// Longer than the pause.
const NO_ROUND: Duration = Duration::from_secs(8);

const PLAYERS: usize = 8;

/// A round, with a takeover in it, on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// After so long without a frame a player asks for the state.
const SILENCE: Duration = Duration::from_secs(2);

/// Before a move; without it the server would treat it as a flood.
const PAUSE: Duration = Duration::from_millis(40);

/// A player who takes the first free cell, through whichever node answers.
struct Seat {
    id: String,
    cookies: String,
    nodes: Vec<SocketAddr>,
    node: usize,
    game: Option<String>,
}

impl Seat {
    async fn plays(mut self, event: String, is_over: Arc<AtomicBool>) {
        while !is_over.load(Ordering::Relaxed) {
            self.connected(&event, &is_over).await;
            self.node = (self.node + 1) % self.nodes.len();
            sleep(Duration::from_millis(100)).await;
        }
    }

    /// Plays as long as the connection lasts, which is `None`, and the event.
    async fn connected(&mut self, event: &str, is_over: &AtomicBool) -> Option<()> {
        let mut socket = Socket::open(self.nodes[self.node], &self.cookies).await?;
        self.seek(&mut socket, event).await?;
        while !is_over.load(Ordering::Relaxed) {
            match socket.hear(SILENCE).await {
                Heard::Frame(frame) => self.hear(&mut socket, event, &frame).await?,
                Heard::Nothing => self.seek(&mut socket, event).await?,
                Heard::Gone => return None,
            }
        }
        Some(())
    }

    async fn seek(&self, socket: &mut Socket, event: &str) -> Option<()> {
        match &self.game {
            Some(game) => say(socket, "joinGame", json!({ "gameId": game })).await,
            None => say(socket, "joinEventRoom", json!({ "eventId": event })).await,
        }
    }

    /// `None` once the connection is gone.
    async fn hear(&mut self, socket: &mut Socket, event: &str, frame: &Value) -> Option<()> {
        let data = &frame["data"];
        let is_own = self.game.as_deref().is_some_and(|game| data["gameId"] == game);
        match frame["event"].as_str().unwrap_or_default() {
            "playerFound" | "redirectToGame" => {
                self.game = data["gameId"].as_str().map(str::to_owned);
                self.seek(socket, event).await
            }
            "gameJoined" | "gameStarted" | "gameDraw" if is_own => {
                let state = if data["gameState"].is_object() { &data["gameState"] } else { &data["newGameState"] };
                match state["status"].as_str() {
                    Some("completed" | "cancelled") => self.leave(socket, event).await,
                    _ => self.play(socket, state).await,
                }
            }
            // The state has the board.
            "moveUpdate" if is_own && data["nextTurn"] == self.id.as_str() => self.seek(socket, event).await,
            "gameEnd" if is_own => self.leave(socket, event).await,
            "error" if data["event"] == "joinGame" => self.leave(socket, event).await,
            _ => Some(()),
        }
    }

    /// Back to the event.
    async fn leave(&mut self, socket: &mut Socket, event: &str) -> Option<()> {
        self.game = None;
        self.seek(socket, event).await
    }

    /// Whoever begins wins so.
    async fn play(&self, socket: &mut Socket, state: &Value) -> Option<()> {
        let rows = state["board"].as_array().into_iter().flatten().enumerate();
        let mut free = rows.filter_map(|(row, cells)| {
            let col = cells.as_array()?.iter().position(|cell| cell != "X" && cell != "O")?;
            Some((row, col))
        });
        let (true, Some((row, col))) = (state["currentTurn"] == self.id.as_str(), free.next()) else {
            return Some(());
        };
        sleep(PAUSE).await;
        let data = json!({ "gameId": state["gameId"], "row": row, "col": col, "version": state["version"] });
        say(socket, "makeMove", data).await
    }
}

async fn say(socket: &mut Socket, event: &str, data: Value) -> Option<()> {
    socket.say(json!({ "event": event, "data": data })).await.then_some(())
}

/// Acts until it is acknowledged; returns how often it was asked for.
async fn acts(director: &Browser, action: &str, payload: Value) -> usize {
    let begun = Instant::now();
    let mut asked = 0;
    loop {
        asked += 1;
        let body = json!({ "action": action, "payload": payload });
        match director.request(Method::POST, "/api/backend/event").json(&body).send().await {
            Ok(answer) if answer.status().is_success() => return asked,
            // Nobody leads.
            Ok(answer) if answer.status().is_server_error() => {}
            Ok(answer) => panic!("{action}: {}", answer.text().await.unwrap()),
            // The connection to the leader broke before it was answered.
            Err(_) => {}
        }
        assert!(begun.elapsed() < PATIENCE, "{action} is not acknowledged");
        sleep(Duration::from_millis(200)).await;
    }
}

async fn reads(browser: &Browser, action: &str, event: &str) -> Value {
    browser.read("event", action, json!({ "eventId": event })).await.ok()
}

async fn rounds(browser: &Browser, event: &str) -> Vec<Value> {
    reads(browser, "get_rounds", event).await["rounds"].as_array().unwrap().clone()
}

fn pairings(round: &Value) -> &[Value] {
    round["pairings"].as_array().unwrap()
}

/// A game of it was opened.
fn has_games(round: &Value) -> bool {
    pairings(round).iter().any(|pairing| !pairing["games"].as_array().unwrap().is_empty())
}

/// Waits until the rounds are as wanted; returns them.
async fn until(browser: &Browser, event: &str, wanted: impl Fn(&[Value]) -> bool) -> Vec<Value> {
    let begun = Instant::now();
    loop {
        let rounds = rounds(browser, event).await;
        if wanted(&rounds) {
            return rounds;
        }
        assert!(begun.elapsed() < PATIENCE, "{rounds:?}");
        sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_director_acts_through_followers_while_another_node_takes_the_lead() {
    let mut site = Site::open(Cluster::start_with(SETTINGS).await).await;
    let [one, other] = site.followers();
    let (host, user) = site.registered(one, "ada").await;
    site.operate(other, "allow_hosting", json!({ "userId": user["userId"], "allowed": true })).await;
    let hours = |hours: i64| (chrono::Utc::now() + chrono::TimeDelta::hours(hours)).to_rfc3339();
    let plan = json!({
        "title": "Garden Swiss", "startTime": hours(1), "endTime": hours(2),
        "format": "swiss", "rounds": 3, "matchGames": 1,
    });
    let made = host.write("event", "create_event", plan).await.ok()["event"].clone();
    let (event, code) = (made["eventId"].as_str().unwrap().to_owned(), made["joinCode"].clone());
    host.write("event", "update_event", json!({ "eventId": event, "eventState": "published" })).await.ok();

    // Each player is at a node, and goes to the next one when it is gone.
    let is_over = Arc::new(AtomicBool::default());
    let nodes: Vec<SocketAddr> = site.cluster.nodes.iter().map(|node| node.address).collect();
    let mut seats = vec![];
    for number in 0..PLAYERS {
        let node = number % nodes.len();
        let (browser, user) = site.registered(node, &format!("entrant{number}")).await;
        browser.write("eventSignUp", "sign_up_by_code", json!({ "joinCode": code })).await.ok();
        let id = user["userId"].as_str().unwrap().to_owned();
        seats.push(Seat { id, cookies: browser.cookies(), nodes: nodes.clone(), node, game: None });
    }
    host.write("event", "start_event", json!({ "eventId": event })).await.ok();
    let playing: Vec<_> =
        seats.into_iter().map(|seat| tokio::spawn(seat.plays(event.clone(), Arc::clone(&is_over)))).collect();

    // The leader goes in the middle of a round, and its director acts at once.
    let at_one = site.at(&host, one);
    let at_other = site.at(&host, other);
    let first = until(&at_one, &event, |rounds| rounds.first().is_some_and(has_games)).await.remove(0);
    let ruled = &pairings(&first)[0];
    let (winner, gone) = (&ruled["players"][1]["userId"], &pairings(&first)[1]["players"][0]["userId"]);
    let killed = site.leader;
    site.cluster.nodes[killed].kill();
    let result = json!({
        "eventId": event, "round": 1, "board": ruled["board"], "winnerUserId": winner, "reason": "Seen by all.",
    });
    let withdrawal = json!({ "eventId": event, "userId": gone, "reason": "Has to go home." });
    let (_, asked_result, asked_withdrawal) = tokio::join!(
        acts(&at_one, "pause_event", json!({ "eventId": event })),
        acts(&at_one, "set_result", result),
        acts(&at_other, "withdraw_player", withdrawal),
    );
    site.cluster.until_ready().await.unwrap();
    site.leader = site.cluster.until_led().await;
    assert_ne!(site.leader, killed);

    // No further round begins until it is resumed, through the node that is back.
    let is_played = |round: &&Value| has_games(round);
    let begun = rounds(&at_other, &event).await.iter().filter(is_played).count();
    until(&at_one, &event, |rounds| rounds.iter().filter(is_played).all(|round| round["state"] == "ended")).await;
    sleep(NO_ROUND).await;
    assert_eq!(rounds(&at_other, &event).await.iter().filter(is_played).count(), begun, "it is paused");
    site.cluster.nodes[killed].start();
    site.cluster.until_caught_up(killed).await;
    let at_killed = site.at(&host, killed);
    acts(&at_killed, "resume_event", json!({ "eventId": event })).await;
    let since = Instant::now();
    let mut shown = Value::Null;
    while shown["event"]["concluded"] != true {
        assert!(since.elapsed() < 3 * PATIENCE, "it does not end: {shown}");
        sleep(Duration::from_millis(200)).await;
        shown = reads(&at_one, "get_event_by_id", &event).await;
    }
    is_over.store(true, Ordering::Relaxed);
    for player in playing {
        timeout(PATIENCE, player).await.expect("somebody is stuck").unwrap();
    }

    // What was acknowledged counts at every node, and is in the receipts as often as it was done.
    site.cluster.until_complete().await;
    let table = reads(&at_one, "get_standings", &event).await["standings"].clone();
    for node in site.running() {
        let host = site.at(&host, node);
        let played = rounds(&host, &event).await;
        assert_eq!((played.len(), &played[0]["pairings"][0]["winnerUserId"]), (3, winner));
        assert_eq!(played[0]["pairings"][0]["reason"], "ruling");
        let standings = reads(&host, "get_standings", &event).await["standings"].clone();
        assert_eq!(standings, table, "node {node}");
        let rows = standings.as_array().unwrap();
        assert_eq!(rows.len(), PLAYERS);
        let withdrawn: Vec<_> = rows.iter().filter(|row| row["withdrawn"] == true).collect();
        assert_eq!((withdrawn.len(), &withdrawn[0]["userId"]), (1, gone));
        let found = reads(&host, "verify_event", &event).await;
        assert_eq!((&found["agrees"], &found["differences"]), (&json!(true), &json!([])), "{found}");
        let done = |what: &str| found["acts"].as_array().unwrap().iter().filter(|act| act["what"] == what).count();
        assert!((1..=asked_result).contains(&done("setResult")), "{found}");
        assert!((1..=asked_withdrawal).contains(&done("withdrawPlayer")), "{found}");
        assert!(found["acts"].as_array().unwrap().iter().all(|act| act["by"] == "ada"), "{found}");
    }
}
