//! Acknowledged means stored: the server is killed repeatedly during many games, and
//! every acknowledged move exists exactly once after each restart.
//!
//! A kill keeps the page cache; that the sync precedes the announcement is tested by the
//! store's tests, which block a sync.

use std::{
    net::SocketAddr,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

#[cfg(target_os = "linux")]
use crate::small_disk::{SmallDisk, may_mount};
use crate::{
    process::{Account, Process, register},
    socket::Socket,
};

/// How often the server is killed, unless `MORPION_KILLS` says otherwise: once at each place.
const KILLS: usize = PLACES;

/// Different places in play where it is killed.
const PLACES: usize = 11;

/// How often the disk is filled and freed, and the server killed.
const FULL_DISKS: usize = 3;

/// How long the disk is full.
const FULL_FOR: Duration = Duration::from_millis(400);

/// Games under way at once, each between the same two people.
const GAMES: usize = 6;

async fn call(address: SocketAddr, account: &Account, action: &str, payload: Value) -> Value {
    let (_, body) = account.write(address, "game", action, payload).await;
    assert_eq!(body["succeeded"], true, "{body}");
    body
}

async fn read(address: SocketAddr, action: &str, payload: Value) -> Value {
    let query = [("action", action.to_owned()), ("payload", payload.to_string())];
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    client.get(format!("http://{address}/api/backend/game")).query(&query).send().await.unwrap().json().await.unwrap()
}

/// One game as the client knows it: every move that was acknowledged.
pub struct Known {
    pub id: String,
    pub acknowledged: Vec<(u8, u8)>,
    /// When each of them was, or later.
    pub times: Vec<Instant>,
    /// Sent and not answered when the server died: played or not, but not twice.
    pub in_doubt: Option<(u8, u8)>,
}

/// A cell that nobody has and that ends no game early: rows shifted by two so that no four meet.
fn cell(number: usize) -> (u8, u8) {
    let (row, at) = (number / 6, number % 6);
    (row as u8, ((at + 2 * row) % 6) as u8)
}

async fn both_in(address: SocketAddr, accounts: &[Account; 2], game: &str) -> [Socket; 2] {
    let mut sockets = [
        Socket::with_session(address, &accounts[0].session).await,
        Socket::with_session(address, &accounts[1].session).await,
    ];
    for socket in &mut sockets {
        socket.send("joinGame", json!({ "gameId": game })).await;
        assert_eq!(socket.wait("gameJoined").await["success"], true);
    }
    // A game that was being played when the server died goes on when both are back.
    let mut state = json!(null);
    while state["status"] != "active" && state["status"] != "completed" {
        sockets[1].send("joinGame", json!({ "gameId": game })).await;
        state = sockets[1].wait("gameJoined").await["gameState"].clone();
    }
    sockets
}

/// Plays until the server is gone or the game is over, and thinks so long about each move. Says how many moves waited for
/// their acknowledgement as one does that cannot be stored yet.
async fn play(mut sockets: [Socket; 2], known: &mut Known, think: Duration) -> usize {
    let mut held_up = 0;
    loop {
        tokio::time::sleep(think).await;
        let number = known.acknowledged.len();
        if number == 36 {
            return held_up;
        }
        let (row, col) = cell(number);
        known.in_doubt = Some((row, col));
        let mover = &mut sockets[number % 2];
        let id = format!("move-{number}");
        let data = json!({ "gameId": known.id, "row": row, "col": col });
        if !mover.try_text(json!({ "event": "makeMove", "id": id, "data": data }).to_string()).await {
            return held_up;
        }
        let sent = Instant::now();
        loop {
            let Some(frame) = mover.next().await else { return held_up };
            if frame["event"] == "ack" && frame["id"] == id.as_str() {
                if frame["data"]["succeeded"] != true {
                    assert_eq!(frame["data"]["errorCode"], "game-over", "{frame}");
                    known.in_doubt = None;
                    return held_up;
                }
                break;
            }
        }
        held_up += usize::from(sent.elapsed() >= FULL_FOR / 2);
        known.acknowledged.push((row, col));
        known.times.push(Instant::now());
        known.in_doubt = None;
    }
}

/// The stored game is what was acknowledged, and at most the move in doubt beside it.
async fn verify(address: SocketAddr, accounts: &[Account; 2], known: &mut Known) -> bool {
    let (moves, is_over) = stored(address, accounts, &known.id).await;
    let mut expected = known.acknowledged.clone();
    if moves.len() > expected.len() {
        expected.extend(known.in_doubt);
    }
    assert_eq!(moves, expected, "game {}", known.id);
    known.acknowledged = moves;
    known.times.resize_with(known.acknowledged.len(), Instant::now);
    known.in_doubt = None;
    is_over
}

/// The moves of a game as a server has them, and whether it is over.
pub async fn stored(address: SocketAddr, accounts: &[Account; 2], game: &str) -> (Vec<(u8, u8)>, bool) {
    let mut socket = Socket::with_session(address, &accounts[0].session).await;
    socket.send("joinGame", json!({ "gameId": game })).await;
    let state = socket.wait("gameJoined").await["gameState"].clone();
    let moves = state["moves"].as_array().unwrap_or_else(|| panic!("game {game}: {state}"));
    let cell = |one: &Value| (one["row"].as_u64().unwrap() as u8, one["col"].as_u64().unwrap() as u8);
    (moves.iter().map(cell).collect(), state["status"] == "completed")
}

#[tokio::test(flavor = "multi_thread")]
async fn every_acknowledged_move_survives_being_killed() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = Process::start(folder.path());
    let accounts = [register(server.address, "ada").await, register(server.address, "bob").await];
    let mut games: Vec<Known> = vec![];
    let mut moves = 0;
    let kills = std::env::var("MORPION_KILLS").map_or(KILLS, |text| text.parse().unwrap());
    for kill in 0..kills {
        invite(server.address, &accounts, &mut games).await;
        let before: usize = games.iter().map(|known| known.acknowledged.len()).sum();
        let address = server.address;
        let killing = async {
            // Somewhere in the games, another place each time.
            tokio::time::sleep(Duration::from_millis(50 + 17 * (kill % PLACES) as u64)).await;
            drop(server);
        };
        play_until(address, &accounts, &mut games, Duration::ZERO, killing).await;
        moves += games.iter().map(|known| known.acknowledged.len()).sum::<usize>() - before;
        server = Process::start(folder.path());
        games = verify_all(server.address, &accounts, games).await;
    }
    assert!(moves >= kills * 5, "the kills came in the middle of play: {moves} moves");
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn every_move_acknowledged_around_a_full_disk_survives_being_killed() {
    if !may_mount("every_move_acknowledged_around_a_full_disk_survives_being_killed") {
        return;
    }
    let disk = SmallDisk::mount();
    // The disk fills up although new games are refused before: something else writes to it.
    let settings = [("MORPION_STORAGE__STOP_FREE", "1 KiB")];
    let mut server = Process::start_with(disk.path(), &settings);
    let accounts = [register(server.address, "ada").await, register(server.address, "bob").await];
    let mut games: Vec<Known> = vec![];
    let (mut held_up, mut moves) = (0, 0);
    for _ in 0..FULL_DISKS {
        invite(server.address, &accounts, &mut games).await;
        let address = server.address;
        let filling = async {
            tokio::time::sleep(Duration::from_millis(200)).await;
            let filler = disk.fill();
            tokio::time::sleep(FULL_FOR).await;
            std::fs::remove_file(filler).unwrap();
            // The log is opened again, and the play goes on.
            tokio::time::sleep(Duration::from_millis(900)).await;
            drop(server);
        };
        held_up += play_until(address, &accounts, &mut games, Duration::from_millis(40), filling).await;
        moves += games.iter().map(|known| known.acknowledged.len()).sum::<usize>();
        server = Process::start_with(disk.path(), &settings);
        games = verify_all(server.address, &accounts, games).await;
    }
    assert!(held_up > FULL_DISKS && moves > FULL_DISKS * GAMES * 5, "{held_up} of {moves} moves waited for room");
}

/// Makes new games until there are as many as there should be.
pub async fn invite(address: SocketAddr, accounts: &[Account; 2], games: &mut Vec<Known>) {
    while games.len() < GAMES {
        let payload = json!({
            "players": [{ "userId": accounts[0].id }, { "userId": accounts[1].id }],
            "gameType": "invite", "boardSize": 6, "notify": false,
        });
        let made = call(address, &accounts[0], "create_game", payload).await;
        let id = made["game"]["gameId"].as_str().unwrap().to_owned();
        games.push(Known { id, acknowledged: vec![], times: vec![], in_doubt: None });
    }
}

/// Plays all games while that happens which ends in the server's death; says how many moves waited long.
pub async fn play_until(
    address: SocketAddr,
    accounts: &[Account; 2],
    games: &mut [Known],
    think: Duration,
    death: impl Future<Output = ()>,
) -> usize {
    let seats = games.iter().map(|known| both_in(address, accounts, &known.id));
    let seats = futures_util::future::join_all(seats).await;
    let plays = games.iter_mut().zip(seats).map(|(known, sockets)| play(sockets, known, think));
    let (held_up, ()) = tokio::join!(futures_util::future::join_all(plays), death);
    held_up.into_iter().sum()
}

/// Verifies each, and leaves out those that are over.
pub async fn verify_all(address: SocketAddr, accounts: &[Account; 2], games: Vec<Known>) -> Vec<Known> {
    let mut going_on = vec![];
    for mut known in games {
        if !verify(address, accounts, &mut known).await {
            going_on.push(known);
        }
    }
    going_on
}

/// A game that the second of them gave up.
async fn forfeited(address: SocketAddr, accounts: &[Account; 2]) -> String {
    let players = json!([{ "userId": accounts[0].id }, { "userId": accounts[1].id }]);
    let payload = json!({ "players": players, "gameType": "invite", "boardSize": 3, "notify": false });
    let made = call(address, &accounts[0], "create_game", payload).await;
    let game = made["game"]["gameId"].as_str().unwrap().to_owned();
    let mut sockets = both_in(address, accounts, &game).await;
    sockets[1].send("forfeitGame", json!({ "gameId": game })).await;
    sockets[0].wait("gameEnd").await;
    game
}

#[tokio::test(flavor = "multi_thread")]
async fn a_shared_game_stays_shared_after_a_kill() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = Process::start(folder.path());
    let accounts = [register(server.address, "ada").await, register(server.address, "bob").await];
    let game = forfeited(server.address, &accounts).await;
    let shared = call(server.address, &accounts[0], "share_game", json!({ "gameId": game })).await;
    let link = json!({ "shareToken": shared["shareToken"] });
    for _ in 0..2 {
        assert_eq!(read(server.address, "get_replay", link.clone()).await["succeeded"], true, "{shared}");
        drop(server);
        server = Process::start(folder.path());
    }
    let again = call(server.address, &accounts[1], "share_game", json!({ "gameId": game })).await;
    assert_eq!(again["shareToken"], shared["shareToken"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_answer_to_an_offer_from_before_a_kill_reaches_both() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = Process::start(folder.path());
    let accounts = [register(server.address, "ada").await, register(server.address, "bob").await];
    let game = forfeited(server.address, &accounts).await;
    for answer in ["declined", "accepted"] {
        let offer = call(server.address, &accounts[0], "play_again", json!({ "gameId": game })).await;
        let next = json!({ "gameId": offer["game"]["gameId"] });
        drop(server);
        server = Process::start(folder.path());
        let mut sockets = [
            Socket::with_session(server.address, &accounts[0].session).await,
            Socket::with_session(server.address, &accounts[1].session).await,
        ];
        if answer == "accepted" {
            sockets[1].send("joinGame", next.clone()).await;
            sockets[0].send("joinGame", next.clone()).await;
        } else {
            call(server.address, &accounts[1], "cancel_game", next.clone()).await;
        }
        let told = json!({
            "gameId": game, "nextGameId": next["gameId"], "offeredBy": accounts[0].id, "state": answer,
        });
        for socket in &mut sockets {
            assert_eq!(socket.wait("rematchOffer").await, told);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_offer_that_was_made_with_one_frame_survives_a_kill() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = Process::start(folder.path());
    let accounts = [register(server.address, "ada").await, register(server.address, "bob").await];
    let game = json!({ "gameId": forfeited(server.address, &accounts).await });
    let mut socket = Socket::with_session(server.address, &accounts[0].session).await;
    assert_eq!(socket.ask("playAgain", game.clone()).await["succeeded"], true);
    let next = socket.wait("gameJoined").await["gameId"].clone();
    drop(server);
    server = Process::start(folder.path());
    let mut sockets = [
        Socket::with_session(server.address, &accounts[1].session).await,
        Socket::with_session(server.address, &accounts[0].session).await,
    ];
    for (socket, message) in sockets.iter_mut().zip([json!("Waiting for Opponent"), Value::Null]) {
        assert_eq!(socket.ask("playAgain", game.clone()).await["succeeded"], true);
        let joined = socket.wait("gameJoined").await;
        assert_eq!((&joined["gameId"], &joined["message"]), (&next, &message));
    }
    for socket in &mut sockets {
        assert_eq!(socket.wait("gameStarted").await["gameId"], next);
    }
}
