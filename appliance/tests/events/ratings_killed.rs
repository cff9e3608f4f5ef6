//! A thousand rated games with the server killed twice in their middle: every result that was told is in the ratings, once.

use std::{
    collections::HashSet,
    net::SocketAddr,
    path::Path,
    process::{Command, Output},
    time::{Duration, Instant},
};

use parking_lot::Mutex;
use serde_json::{Value, json};

use crate::{
    process::{Account, Process, register_from},
    socket::{Socket, handshake},
};

const GAMES: usize = 1_000;
const PLAYERS: u8 = 24;

/// After so many games the server is killed.
const KILLED_AT: [usize; 2] = [333, 666];

/// For all of them, on a busy machine.
const PATIENCE: Duration = Duration::from_secs(540);

/// From a start until all games that ended before it are stored, on a busy machine.
const STORED_WITHIN: Duration = Duration::from_secs(60);

struct Player {
    account: Account,
    address: String,
}

impl Player {
    async fn connect(&self, server: SocketAddr) -> Option<Socket> {
        let mut request = handshake(server);
        let cookie = format!("morpion_session={}", self.account.session);
        request.headers_mut().insert("cookie", cookie.parse().unwrap());
        request.headers_mut().insert("x-forwarded-for", self.address.parse().unwrap());
        Socket::connect(request).await.ok()
    }

    /// Plays game after game until the server is gone. Whoever has the higher rating gives up, so that all stay near each
    /// other; `ended` gets each game whose result was told.
    async fn play(&self, server: SocketAddr, ended: &Mutex<HashSet<String>>) -> Option<()> {
        let mut socket = self.connect(server).await?;
        loop {
            socket.say("quickMatchJoin", json!({ "boardSize": 3, "clock": "turn15", "rated": true })).await;
            loop {
                let frame = socket.heard().await?;
                let data = &frame["data"];
                match frame["event"].as_str().unwrap_or_default() {
                    "playerFound" | "redirectToGame" => {
                        socket.say("joinGame", json!({ "gameId": data["gameId"] })).await;
                    }
                    "gameStarted" | "gameJoined" if self.gives_up(&data["gameState"]) => {
                        socket.say("forfeitGame", json!({ "gameId": data["gameId"] })).await;
                    }
                    "gameEnd" => {
                        ended.lock().insert(data["gameId"].as_str()?.to_owned());
                        socket.say("leaveGameRoom", json!({ "gameId": data["gameId"] })).await;
                        break;
                    }
                    _ => {}
                }
            }
        }
    }

    fn gives_up(&self, state: &Value) -> bool {
        let Some([x, o]) = state["players"].as_array().map(Vec::as_slice) else { return false };
        let rating = |player: &Value| player["rating"]["value"].as_u64();
        let weary = if rating(x) >= rating(o) { x } else { o };
        state["status"] == "active" && weary["userId"] == json!(self.account.id)
    }
}

fn verify(folder: &Path, server: SocketAddr) -> Output {
    Command::new(env!("CARGO_BIN_EXE_morpion"))
        .args(["ratings", "verify", "--listen", &server.to_string()])
        .env("MORPION_DATA_DIR", folder)
        .current_dir(folder)
        .output()
        .unwrap()
}

/// The games that agree with the ratings.
fn verified(output: &Output) -> usize {
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    let games = text.strip_prefix("Ratings agree with the stored games: ").and_then(|rest| rest.split(' ').next());
    games.and_then(|games| games.parse().ok()).unwrap_or_else(|| panic!("{text}"))
}

#[tokio::test(flavor = "multi_thread")]
async fn ratings_agree_with_the_games_after_two_kills_among_a_thousand() {
    let folder = tempfile::tempdir().unwrap();
    let settings = [("MORPION_SERVER__TRUSTED_PROXIES", "127.0.0.1/32")];
    let mut server = Process::start_with(folder.path(), &settings);
    let mut players = vec![];
    for number in 1..=PLAYERS {
        let address = format!("192.0.2.{number}");
        let account = register_from(server.address, &format!("rook{number}"), &address).await;
        players.push(Player { account, address });
    }
    let ended = Mutex::new(HashSet::new());
    for until in KILLED_AT.into_iter().chain([GAMES]) {
        let address = server.address;
        let playing = futures_util::future::join_all(players.iter().map(|player| player.play(address, &ended)));
        let enough = async {
            while ended.lock().len() < until {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        tokio::select! {
            gone = playing => panic!("the connections ended: {gone:?}"),
            outcome = tokio::time::timeout(PATIENCE, enough) => outcome.expect("the games take too long"),
        }
        drop(server);
        server = Process::start_with(folder.path(), &settings);
    }
    let told = ended.lock().len();
    // What had just ended is stored after the start.
    let started = Instant::now();
    let games = loop {
        let games = verified(&verify(folder.path(), server.address));
        if games >= told {
            break games;
        }
        assert!(started.elapsed() < STORED_WITHIN, "{games} of at least {told} games are rated");
        tokio::time::sleep(Duration::from_millis(500)).await;
    };
    let address = server.address;
    server.stop();
    let without_server = verified(&verify(folder.path(), address));
    assert!((games..=games + usize::from(PLAYERS)).contains(&without_server), "{without_server} after {games}");
}
