//! An event of simulated players against the real server, which is killed twice. Announced results are
//! kept, nobody is stuck, every game ends, and the stored games alone lead to the stored standings.
//!
//! `MORPION_SIMULATED_PLAYERS` is their number; a thousand need about 2,100 open files and a few minutes.

use std::{
    collections::{HashMap, HashSet},
    net::SocketAddr,
    path::Path,
    process::Command,
    sync::Arc,
    time::{Duration, Instant},
};

use futures_util::{StreamExt, stream};
use morpion_rules::{Board, BoardSize, Cell, Mark};
use parking_lot::Mutex;
use rand::Rng;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::{sync::watch, time::timeout};

use crate::{
    fixture::details,
    process::{Account, Process, register},
    socket::Socket,
};

const PLAYERS: usize = 60;

/// How long they play before the first kill, between the two, and after the second.
const LEG: Duration = Duration::from_secs(4);

/// Players who register at once: each hashes a password.
pub const AT_ONCE: usize = 4;

/// The pause before a move; without it the server would treat it as a flood.
const PAUSE: Duration = Duration::from_millis(40);

/// All players have finished this long after the event's end: its last games have a minute.
pub const BOT_TIMEOUT: Duration = Duration::from_secs(90);

/// Shared by all bots.
pub struct SimulatedEvent {
    pub event: String,
    /// Whether opponents are looked for; else rounds are paired.
    pub has_queue: bool,
    pub address: watch::Receiver<SocketAddr>,
    /// Each announced result: the game and its winner.
    pub received: Mutex<HashMap<String, String>>,
}

/// One simulated player; returns when there is nothing left to play.
pub struct Bot {
    pub account: Account,
    pub game: Option<String>,
    pub eliminated: bool,
}

pub fn settings() -> Vec<(&'static str, &'static str)> {
    vec![
        ("MORPION_LIMITS__REGISTRATIONS_PER_HOUR", "1000000"),
        ("MORPION_LIMITS__SOCKETS_PER_MINUTE", "1000000"),
        ("MORPION_LIMITS__SIGN_INS_PER_MINUTE", "1000000"),
    ]
}

/// A call with the operator token of the data folder; reads are those whose names say so.
pub async fn operate(folder: &Path, address: SocketAddr, resource: &str, action: &str, payload: Value) -> Value {
    let token = std::fs::read_to_string(folder.join("operator.token")).unwrap();
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let url = format!("http://{address}/api/backend/{resource}");
    let is_read = action.starts_with("get_") || action.starts_with("spectatable");
    let request = if is_read {
        client.get(url).query(&[("action", action), ("payload", &payload.to_string())])
    } else {
        client.post(url).json(&json!({ "action": action, "payload": payload }))
    };
    let answer: Value = request.bearer_auth(token.trim()).send().await.unwrap().json().await.unwrap();
    assert_eq!(answer["succeeded"], true, "{action}: {answer}");
    answer
}

/// The stored games and the standings of an event agree, the server's own command says; what it prints.
pub fn verified(folder: &Path, address: SocketAddr, event: &str) -> String {
    let verified = Command::new(env!("CARGO_BIN_EXE_morpion"))
        .args(["event", "verify", event, "--listen", &address.to_string()])
        .env("MORPION_DATA_DIR", folder)
        .current_dir(folder)
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&verified.stdout).into_owned() + &String::from_utf8_lossy(&verified.stderr);
    assert!(verified.status.success(), "{text}");
    text
}

/// A cell that wins at once, else any.
fn choose(state: &Value, me: &str) -> Option<(u8, u8)> {
    let size = BoardSize::new(state["boardSize"].as_u64()? as u8)?;
    let symbol = |player: &Value| player["symbol"].as_str().unwrap_or_default().to_owned();
    let own = state["players"].as_array()?.iter().find(|player| player["userId"] == me).map(symbol)?;
    let mark = if own == "X" { Mark::X } else { Mark::O };
    let mut board = Board::empty(size);
    for (row, cells) in state["board"].as_array()?.iter().enumerate() {
        for (col, cell) in cells.as_array()?.iter().enumerate() {
            let taken = match cell.as_str()? {
                "X" => Mark::X,
                "O" => Mark::O,
                _ => continue,
            };
            board = board.place(Cell::new(row as u8, col as u8)?, taken).ok()?;
        }
    }
    let empty: Vec<Cell> = board.empty_cells().collect();
    let wins = |cell: &&Cell| board.place(**cell, mark).is_ok_and(|after| after.line_of(mark).is_some());
    let cell = match empty.iter().find(wins) {
        Some(cell) => *cell,
        None => *empty.get(rand::rng().random_range(0..empty.len().max(1)))?,
    };
    Some((cell.row(), cell.col()))
}

impl Bot {
    pub async fn take_part(mut self, simulated: Arc<SimulatedEvent>) -> Self {
        while !self.connected(&simulated).await {
            let pause = rand::rng().random_range(50..250);
            tokio::time::sleep(Duration::from_millis(pause)).await;
        }
        self
    }

    /// Plays as long as the connection lasts; returns whether the event is over.
    async fn connected(&mut self, simulated: &SimulatedEvent) -> bool {
        let address = *simulated.address.borrow();
        let Ok(mut socket) = Socket::try_with_session(address, &self.account.session).await else { return false };
        if !self.seek(&mut socket, simulated).await {
            return false;
        }
        // Searches again after a long silence, as a person would.
        loop {
            let Ok(frame) = timeout(Duration::from_secs(5), socket.heard()).await else {
                if !self.seek(&mut socket, simulated).await {
                    return false;
                }
                continue;
            };
            let Some(frame) = frame else { return false };
            match self.hear(&mut socket, simulated, &frame).await {
                Some(over) if over => return true,
                Some(_) => {}
                None => return false,
            }
        }
    }

    async fn seek(&mut self, socket: &mut Socket, simulated: &SimulatedEvent) -> bool {
        if let Some(game) = &self.game {
            return socket.say("joinGame", json!({ "gameId": game })).await;
        }
        socket.say("joinEventRoom", json!({ "eventId": simulated.event })).await
            && (!simulated.has_queue || socket.say("findMatch", json!({ "eventId": simulated.event })).await)
    }

    /// Returns whether the event is over, or `None` if the connection was lost.
    async fn hear(&mut self, socket: &mut Socket, simulated: &SimulatedEvent, frame: &Value) -> Option<bool> {
        let data = &frame["data"];
        let is_mine = self.game.as_deref().is_some_and(|game| data["gameId"] == game);
        match frame["event"].as_str()? {
            "playerFound" | "redirectToGame" => {
                let game = data["gameId"].as_str()?.to_owned();
                let joined = socket.say("joinGame", json!({ "gameId": game })).await;
                self.game = Some(game);
                joined.then_some(false)
            }
            "gameJoined" | "gameStarted" | "gameDraw" if is_mine => {
                let state = if data["gameState"].is_object() { &data["gameState"] } else { &data["newGameState"] };
                match state["status"].as_str().unwrap_or_default() {
                    "completed" | "cancelled" => {
                        self.game = None;
                        self.seek(socket, simulated).await.then_some(false)
                    }
                    _ => self.play(socket, state).await,
                }
            }
            // Fetches the full state again: simple, and what a client does after a gap.
            "moveUpdate" if is_mine && data["nextTurn"] == self.account.id.as_str() => {
                socket.say("joinGame", json!({ "gameId": data["gameId"] })).await.then_some(false)
            }
            "gameEnd" if is_mine => {
                if let (Some(game), Some(winner)) = (data["gameId"].as_str(), data["winnerUserId"].as_str()) {
                    simulated.received.lock().insert(game.to_owned(), winner.to_owned());
                }
                let loser = &data["tournamentResult"]["loser"];
                self.eliminated = loser["userId"] == self.account.id.as_str() && loser["isEliminated"] == true;
                self.game = None;
                if self.eliminated {
                    return Some(true);
                }
                self.seek(socket, simulated).await.then_some(false)
            }
            "error" => match data["errorCode"].as_str()? {
                "eliminated" => {
                    self.eliminated = true;
                    Some(true)
                }
                "event-ended" => Some(self.game.is_none()),
                // The game is gone: back to the event, as a person would go.
                _ if data["event"] == "joinGame" => {
                    self.game = None;
                    self.seek(socket, simulated).await.then_some(false)
                }
                _ => Some(false),
            },
            _ => Some(false),
        }
    }

    async fn play(&self, socket: &mut Socket, state: &Value) -> Option<bool> {
        if state["currentTurn"] != self.account.id.as_str() {
            return Some(false);
        }
        let (row, col) = choose(state, &self.account.id)?;
        tokio::time::sleep(PAUSE).await;
        let data = json!({ "gameId": state["gameId"], "row": row, "col": col, "version": state["version"] });
        socket.say("makeMove", data).await.then_some(false)
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_simulated_event_survives_being_killed_twice() {
    let players = std::env::var("MORPION_SIMULATED_PLAYERS").map_or(PLAYERS, |text| text.parse().unwrap());
    let folder = TempDir::new().unwrap();
    let start = || Process::start_with(folder.path(), &settings());
    let mut server = start();
    let (tell, address) = watch::channel(server.address);
    let made = operate(folder.path(), server.address, "event", "create_event", {
        let mut fields = details("Simulated");
        fields["maxLosses"] = json!(5);
        fields
    })
    .await;
    let event = made["event"]["eventId"].as_str().unwrap().to_owned();
    let on_event = json!({ "eventId": event });
    let publish = json!({ "eventId": event, "eventState": "published" });
    operate(folder.path(), server.address, "event", "update_event", publish).await;
    let bots: Vec<Bot> = stream::iter(0..players)
        .map(|number| {
            let address = server.address;
            async move {
                let account = register(address, &format!("bot{number}")).await;
                Bot { account, game: None, eliminated: false }
            }
        })
        .buffer_unordered(AT_ONCE)
        .collect()
        .await;
    let ids: HashSet<String> = bots.iter().map(|bot| bot.account.id.clone()).collect();
    operate(folder.path(), server.address, "event", "start_event", on_event.clone()).await;

    let simulated =
        Arc::new(SimulatedEvent { event: event.clone(), has_queue: true, address, received: Mutex::default() });
    let begun = Instant::now();
    let taking_part: Vec<_> = bots.into_iter().map(|bot| tokio::spawn(bot.take_part(Arc::clone(&simulated)))).collect();
    let mut received = vec![];
    for _ in 0..2 {
        tokio::time::sleep(LEG * (1 + players as u32 / 250)).await;
        received.push(simulated.received.lock().len());
        drop(server);
        server = start();
        tell.send(server.address).unwrap();
    }
    tokio::time::sleep(LEG * (1 + players as u32 / 250)).await;
    operate(folder.path(), server.address, "event", "end_event", on_event.clone()).await;
    let ended = Instant::now();
    let mut eliminated = HashSet::new();
    for bot in taking_part {
        let bot = timeout(BOT_TIMEOUT, bot).await.expect("somebody is stuck").unwrap();
        if bot.eliminated {
            eliminated.insert(bot.account.id);
        }
    }
    let mut shown = json!(null);
    while shown["winners"].as_array().is_none_or(Vec::is_empty) {
        assert!(ended.elapsed() < BOT_TIMEOUT, "no winners: {shown}");
        tokio::time::sleep(Duration::from_millis(200)).await;
        shown =
            operate(folder.path(), server.address, "event", "get_event_by_id", on_event.clone()).await["event"].clone();
    }

    // The server verifies that stored games and standings agree.
    let text = verified(folder.path(), server.address, &event);

    // Every game has ended, and announced results are stored.
    let live = operate(folder.path(), server.address, "game", "spectatable_games", on_event.clone()).await;
    assert_eq!(live["games"], json!([]));
    let (games, players_shown) =
        (all_games(folder.path(), &server, &event).await, all_players(folder.path(), &server, &event).await);
    let listed: HashSet<&str> = games.iter().filter_map(|game| game["gameId"].as_str()).collect();
    assert_eq!(listed.len(), games.len(), "no game is on two pages");
    let told_results = simulated.received.lock().clone();
    for (game, winner) in &told_results {
        let stored = games.iter().find(|stored| stored["gameId"] == game.as_str());
        let stored = stored.unwrap_or_else(|| panic!("game {game} was told and is lost"));
        assert_eq!(stored["winnerUserId"], winner.as_str(), "{stored}");
    }
    assert!(games.iter().all(|game| ["completed", "cancelled"].contains(&game["status"].as_str().unwrap())));
    let decided: Vec<_> = games.iter().filter(|game| game["winnerUserId"].is_string()).collect();
    for player in &players_shown {
        let id = &player["userId"];
        let of = |wanted: bool| {
            let own = |game: &&&Value| game["players"].as_array().unwrap().iter().any(|seat| seat["userId"] == *id);
            decided.iter().filter(own).filter(|game| (game["winnerUserId"] == *id) == wanted).count() as u64
        };
        assert_eq!((player["wins"].as_u64(), player["losses"].as_u64()), (Some(of(true)), Some(of(false))), "{player}");
        assert_eq!(player["level"].as_u64(), Some(1 + of(true)));
        let is_out = player["isEliminated"] == true;
        assert_eq!(is_out, of(false) == 5, "{player}");
        assert!(of(false) <= 5, "somebody played on after the elimination: {player}");
        assert!(!eliminated.contains(id.as_str().unwrap()) || is_out);
    }
    assert_eq!(players_shown.len(), ids.len(), "everybody who came is in it");
    assert!(received[0] > 0 && received[1] > received[0], "the kills came in the middle of play: {received:?}");

    println!(
        "{players} players, {} games ({} decided), {} eliminated, {:.1} s of play: {}",
        games.len(),
        decided.len(),
        eliminated.len(),
        ended.duration_since(begun).as_secs_f64(),
        text.trim()
    );
}

pub async fn all_games(folder: &Path, server: &Process, event: &str) -> Vec<Value> {
    pages(folder, server, "game", "get_games_by_event", "games", event).await
}

async fn all_players(folder: &Path, server: &Process, event: &str) -> Vec<Value> {
    pages(folder, server, "player", "get_leaderboard", "players", event).await
}

async fn pages(folder: &Path, server: &Process, resource: &str, action: &str, list: &str, event: &str) -> Vec<Value> {
    let mut all = vec![];
    for page in 1.. {
        let payload = json!({ "eventId": event, "page": page, "limit": 100 });
        let answer = operate(folder, server.address, resource, action, payload).await;
        all.extend(answer[list].as_array().unwrap().iter().cloned());
        if answer["pagination"]["hasNextPage"] == false {
            break;
        }
    }
    all
}
