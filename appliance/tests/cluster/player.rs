//! A player: plays one game after the other through whichever node answers, and records what happens.

use std::{
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use rand::{Rng, SeedableRng, rngs::StdRng};
use serde_json::{Value, json};

use crate::{
    client::{Account, Caller, Http, outcome},
    history::{History, Move, Outcome, Tick, What},
    socket::{Heard, Socket},
};

/// A board without a winner lasts so long.
pub const SIZE: u8 = 6;

/// After so long without a frame a player asks for the state.
const SILENCE: Duration = Duration::from_millis(1_500);

/// How long a player waits for an answer before another node is asked.
const PATIENCE: Duration = Duration::from_secs(4);

/// Why a move was not made, for certain.
const REFUSALS: [&str; 7] =
    ["not-a-player", "game-not-started", "game-over", "not-your-turn", "out-of-time", "cell-taken", "stale-version"];

/// What all players share.
#[derive(Clone)]
pub struct Surroundings {
    pub nodes: Arc<[SocketAddr]>,
    pub http: Http,
    pub history: Arc<History>,
    /// No further moves.
    pub is_over: Arc<AtomicBool>,
}

pub struct Player {
    number: usize,
    pub account: Account,
    mark: &'static str,
    around: Surroundings,
    /// The node it is connected to.
    node: usize,
    random: StdRng,
    /// The last move that was asked for.
    chosen: Option<Choice>,
}

#[derive(Clone)]
struct Choice {
    /// Moves on the board when it was chosen.
    number: usize,
    /// The version that it was chosen on, which grows also when somebody comes or goes.
    version: u64,
    chosen: Move,
}

/// A game as its player knows it.
struct Position {
    /// When it was opened on this connection.
    opened: Tick,
    version: u64,
    moves: Vec<Move>,
    is_own_turn: bool,
    is_over: bool,
}

impl Player {
    /// Even numbers are X.
    pub fn new(number: usize, account: Account, node: usize, around: Surroundings, seed: u64) -> Self {
        let random = StdRng::seed_from_u64(seed.wrapping_mul(1_000).wrapping_add(number as u64));
        let mark = if number.is_multiple_of(2) { "X" } else { "O" };
        Self { number, account, mark, around, node, random, chosen: None }
    }

    pub fn stops(&self) -> bool {
        self.around.is_over.load(Ordering::Relaxed)
    }

    /// Makes a game against somebody, however often it has to ask; `None` when it stops before.
    pub async fn makes_game(&mut self, opponent: &str) -> Option<String> {
        let game = uuid::Uuid::new_v4().to_string();
        let payload = json!({
            "gameId": game, "players": [{ "userId": self.account.id }, { "userId": opponent }],
            "gameType": "invite", "boardSize": SIZE, "notify": false,
        });
        let mut was_asked = false;
        while !self.stops() {
            let asked = self.around.history.tick();
            let caller = Caller::Person(&self.account);
            let http = &self.around.http;
            let answer = http.write(self.address(), caller, "game", "create_game", payload.clone()).await;
            let outcome = outcome(answer.as_ref());
            self.record(self.node, asked, What::MadeGame { game: game.clone(), outcome });
            match outcome {
                Outcome::Acknowledged => return Some(game),
                // An earlier attempt made it.
                Outcome::Refused if was_asked => return Some(game),
                Outcome::Refused => panic!("{}", answer.expect("it is refused").body),
                Outcome::Unknown => was_asked = true,
            }
            self.goes_on().await;
        }
        None
    }

    /// Plays a game to its end, or until it stops.
    pub async fn plays(&mut self, game: &str) {
        self.chosen = None;
        while !self.stops() && !self.plays_connected(game).await {
            self.goes_on().await;
        }
    }

    /// Turns to another node after a while.
    async fn goes_on(&mut self) {
        self.node = (self.node + 1) % self.around.nodes.len();
        let pause = self.random.random_range(50..250);
        tokio::time::sleep(Duration::from_millis(pause)).await;
    }

    fn address(&self) -> SocketAddr {
        self.around.nodes[self.node]
    }

    fn any_node(&mut self) -> usize {
        self.random.random_range(0..self.around.nodes.len())
    }

    fn record(&self, node: usize, asked: Tick, what: What) {
        self.around.history.record(self.number, node, asked, what);
    }

    /// Plays over one connection; returns whether the game is over.
    async fn plays_connected(&mut self, game: &str) -> bool {
        let Some(mut socket) = Socket::open(self.address(), &self.account.cookies()).await else { return false };
        let Some(mut position) = self.opens(&mut socket, game).await else { return false };
        while !self.stops() && !position.is_over {
            if position.is_own_turn {
                let pause = self.random.random_range(20..120);
                tokio::time::sleep(Duration::from_millis(pause)).await;
                if !self.moves(&mut socket, game, &mut position).await {
                    return false;
                }
                continue;
            }
            match socket.hear(SILENCE).await {
                Heard::Frame(frame) => self.hears(&frame, game, &mut position),
                Heard::Gone => return false,
                Heard::Nothing => {
                    if !socket.say(join(game)).await {
                        return false;
                    }
                }
            }
        }
        position.is_over
    }

    /// The answer to the first question of a connection.
    async fn opens(&mut self, socket: &mut Socket, game: &str) -> Option<Position> {
        let opened = self.around.history.tick();
        if !socket.say(join(game)).await {
            return None;
        }
        let begin = Instant::now();
        while begin.elapsed() < PATIENCE {
            let Heard::Frame(frame) = socket.hear(PATIENCE).await else { return None };
            let state = &frame["data"]["gameState"];
            if frame["event"] == "gameJoined" && state["gameId"] == game {
                return Some(self.sees(state, self.node, opened, true));
            }
        }
        None
    }

    /// Records a state that a node showed.
    fn sees(&self, state: &Value, node: usize, asked: Tick, is_answer: bool) -> Position {
        let moves: Vec<_> = state["moves"].as_array().into_iter().flatten().map(move_of).collect();
        let version = state["version"].as_u64().unwrap_or_else(|| panic!("{state}"));
        let game = state["gameId"].as_str().unwrap_or_else(|| panic!("{state}")).to_owned();
        self.record(node, asked, What::Read { game, version, moves: moves.clone(), is_answer });
        Position {
            opened: asked,
            version,
            moves,
            is_own_turn: state["currentTurn"] == self.account.id.as_str(),
            is_over: is_over(&state["status"]),
        }
    }

    /// Whatever comes without being waited for.
    fn hears(&self, frame: &Value, game: &str, position: &mut Position) {
        let data = &frame["data"];
        match frame["event"].as_str().unwrap_or_default() {
            "moveUpdate" if data["gameId"] == game => {
                let made = move_of(data);
                let version = data["version"].as_u64().unwrap_or_else(|| panic!("{frame}"));
                let told = What::Told { game: game.to_owned(), version, made: made.clone() };
                self.record(self.node, position.opened, told);
                position.version = version;
                position.moves.push(made);
                position.is_own_turn = data["nextTurn"] == self.account.id.as_str();
                position.is_over = is_over(&data["gameStatus"]);
            }
            "gameJoined" | "gameStarted" if data["gameState"]["gameId"] == game => {
                *position = self.sees(&data["gameState"], self.node, position.opened, false);
            }
            "gameEnd" | "gameDraw" | "gameCancelled" if data["gameId"] == game => position.is_over = true,
            _ => {}
        }
    }

    /// Makes a move, through this connection or by a call to any node; false when the connection is of no use any more.
    async fn moves(&mut self, socket: &mut Socket, game: &str, position: &mut Position) -> bool {
        let Choice { number, version, chosen } = self.chooses(position);
        let data = json!({ "gameId": game, "row": chosen.row, "col": chosen.col, "version": version });
        let is_call = self.random.random_bool(0.25);
        let node = if is_call { self.any_node() } else { self.node };
        let asked = self.around.history.tick();
        let outcome =
            if is_call { self.calls(data, node, asked).await } else { self.says(socket, data, game, position).await };
        self.record(node, asked, What::Moved { game: game.to_owned(), version, chosen, outcome });
        if self.random.random_bool(0.1) {
            self.reads(game).await;
        }
        if position.moves.len() == number {
            // The next state comes by itself, or after a silence.
            position.is_own_turn = false;
        }
        outcome != Outcome::Unknown || is_call
    }

    /// The same as before while the board is the same; sometimes another move, as by somebody who thought again.
    fn chooses(&mut self, position: &Position) -> Choice {
        let number = position.moves.len();
        let earlier = self.chosen.take().filter(|earlier| earlier.number == number);
        let again = earlier.filter(|_| self.random.random_bool(0.7));
        let choice = again.unwrap_or_else(|| {
            let is_free = |row: u8, col: u8| !position.moves.iter().any(|one| (one.row, one.col) == (row, col));
            let cells = (0..SIZE).flat_map(|row| (0..SIZE).map(move |col| (row, col)));
            let free: Vec<_> = cells.filter(|(row, col)| is_free(*row, *col)).collect();
            let (row, col) = free[self.random.random_range(0..free.len())];
            let chosen = Move { mark: self.mark.to_owned(), row, col };
            Choice { number, version: position.version, chosen }
        });
        self.chosen = Some(choice.clone());
        choice
    }

    async fn calls(&self, data: Value, node: usize, asked: Tick) -> Outcome {
        let (address, caller) = (self.around.nodes[node], Caller::Person(&self.account));
        let answer = self.around.http.write(address, caller, "game", "make_move", data).await;
        let outcome = outcome(answer.as_ref());
        if let Some(answer) = answer.filter(|_| outcome == Outcome::Acknowledged) {
            self.sees(&answer.body["game"], node, asked, true);
        }
        outcome
    }

    async fn says(&mut self, socket: &mut Socket, data: Value, game: &str, position: &mut Position) -> Outcome {
        let id = self.random.random::<u64>().to_string();
        if !socket.say(json!({ "event": "makeMove", "id": id, "data": data })).await {
            return Outcome::Unknown;
        }
        let begin = Instant::now();
        while begin.elapsed() < PATIENCE {
            let Heard::Frame(frame) = socket.hear(PATIENCE).await else { return Outcome::Unknown };
            if frame["event"] != "ack" || frame["id"] != id.as_str() {
                self.hears(&frame, game, position);
                continue;
            }
            let code = frame["data"]["errorCode"].as_str().unwrap_or_default();
            return if frame["data"]["succeeded"] == true {
                Outcome::Acknowledged
            } else if REFUSALS.contains(&code) {
                Outcome::Refused
            } else {
                Outcome::Unknown
            };
        }
        Outcome::Unknown
    }

    /// Reads the game through any node.
    async fn reads(&mut self, game: &str) {
        let node = self.any_node();
        let asked = self.around.history.tick();
        let (address, caller) = (self.around.nodes[node], Caller::Person(&self.account));
        let answer = self.around.http.read(address, caller, "game", "get_game", json!({ "gameId": game })).await;
        if let Some(answer) = answer.filter(|answer| outcome(Some(answer)) == Outcome::Acknowledged) {
            self.sees(&answer.body["game"], node, asked, true);
        }
    }
}

fn join(game: &str) -> Value {
    json!({ "event": "joinGame", "data": { "gameId": game } })
}

fn is_over(status: &Value) -> bool {
    status == "completed" || status == "cancelled"
}

/// Of a game's `moves`, or of a `moveUpdate`.
pub fn move_of(data: &Value) -> Move {
    let number = |name: &str| data[name].as_u64().unwrap_or_else(|| panic!("{data}")) as u8;
    let mark = data["symbol"].as_str().unwrap_or_else(|| panic!("{data}")).to_owned();
    Move { mark, row: number("row"), col: number("col") }
}
