//! The real server while the machine's clock is set (by libfaketime) and while its process is stopped.

use std::{path::Path, process::Command, time::Duration};

use serde_json::{Value, json};

pub use crate::machine_clock::MachineClock;
use crate::{
    process::{Account, Process, register},
    socket::Socket,
};

impl MachineClock {
    fn serve(&self, folder: &Path) -> Process {
        self.serve_with(folder, &[])
    }

    /// All clocks of this server are set, the steady ones too: time passes for it as if it had been waited for.
    fn serve_elsewhen(&self, folder: &Path) -> Process {
        let own = self.variables();
        let own = own.iter().filter(|(name, _)| *name != "FAKETIME_DONT_FAKE_MONOTONIC");
        Process::start_with(folder, &own.map(|(name, value)| (*name, value.as_str())).collect::<Vec<_>>())
    }

    pub fn serve_with(&self, folder: &Path, settings: &[(&str, &str)]) -> Process {
        let own = self.variables();
        let own: Vec<_> = own.iter().map(|(name, value)| (*name, value.as_str())).collect();
        Process::start_with(folder, &[&own[..], settings].concat())
    }
}

pub struct Fixture {
    pub process: Process,
    token: String,
    client: reqwest::Client,
}

impl Fixture {
    pub fn of(process: Process, folder: &Path) -> Self {
        let token = std::fs::read_to_string(folder.join("operator.token")).unwrap().trim().to_owned();
        // A process that was stopped closes what it kept open.
        let client = reqwest::Client::builder().no_proxy().pool_max_idle_per_host(0).build().unwrap();
        Self { process, token, client }
    }

    fn address(&self, path: &str) -> String {
        format!("http://{}/api/{path}", self.process.address)
    }

    async fn operate(&self, resource: &str, action: &str, payload: Value) -> Value {
        let call = self.client.post(self.address(&format!("backend/{resource}")));
        let body = json!({ "action": action, "payload": payload });
        let answer: Value = call.bearer_auth(&self.token).json(&body).send().await.unwrap().json().await.unwrap();
        assert_eq!(answer["succeeded"], true, "{answer}");
        answer
    }

    async fn warnings(&self) -> String {
        let query = [("action", "overview"), ("payload", "{}")];
        let call = self.client.get(self.address("backend/admin")).query(&query).bearer_auth(&self.token);
        let answer: Value = call.send().await.unwrap().json().await.unwrap();
        answer["warnings"].to_string()
    }

    async fn warned_of(&self, text: &str) {
        for _ in 0..100 {
            if self.warnings().await.contains(text) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        panic!("no warning of {text:?}: {}", self.warnings().await);
    }

    async fn is_signed_in(&self, account: &Account) -> bool {
        let call = self.client.get(self.address("auth/check-login"));
        let call = call.header("cookie", format!("morpion_session={}", account.session));
        let answer: Value = call.send().await.unwrap().json().await.unwrap();
        answer["isLogIn"] == true
    }

    /// An event of a day that has started.
    pub async fn event(&self) -> String {
        let times = json!({
            "title": "Cup", "maxLosses": 0,
            "startTime": "2030-01-01T00:00:00Z", "endTime": "2031-01-01T00:00:00Z",
        });
        let made = self.operate("event", "create_event", times).await;
        let id = made["event"]["eventId"].clone();
        self.operate("event", "update_event", json!({ "eventId": id, "eventState": "published" })).await;
        self.operate("event", "start_event", json!({ "eventId": id })).await;
        id.as_str().unwrap().to_owned()
    }

    pub async fn player(&self, name: &str) -> Player {
        let account = register(self.process.address, name).await;
        let socket = Socket::with_session(self.process.address, &account.session).await;
        Player { account, socket }
    }
}

pub struct Player {
    pub account: Account,
    pub socket: Socket,
}

impl Player {
    pub async fn asks(&mut self, event: &str, data: Value) {
        let ack = self.socket.ask(event, data).await;
        assert_eq!(ack["succeeded"], true, "{event}: {ack}");
    }

    pub async fn state(&mut self, game: &Value) -> Value {
        self.asks("joinGame", json!({ "gameId": game })).await;
        self.socket.wait("gameJoined").await["gameState"].clone()
    }

    pub async fn moves(&mut self, game: &Value, row: u8, col: u8) -> Value {
        self.asks("makeMove", json!({ "gameId": game, "row": row, "col": col })).await;
        self.socket.wait("moveUpdate").await
    }
}

/// Both are paired and start; returns the player to move first.
pub async fn paired(mut players: [Player; 2], event: &str) -> ([Player; 2], Value) {
    for player in &mut players {
        player.asks("joinEventRoom", json!({ "eventId": event })).await;
        player.asks("findMatch", json!({ "eventId": event })).await;
    }
    let mut game = Value::Null;
    for player in &mut players {
        game = player.socket.wait("playerFound").await["gameId"].clone();
        player.state(&game).await;
    }
    let mut turn = Value::Null;
    for player in &mut players {
        turn = player.socket.wait("gameStarted").await["gameState"]["currentTurn"].clone();
    }
    if turn != players[0].account.id.as_str() {
        players.reverse();
    }
    (players, game)
}

fn left(state: &Value) -> i64 {
    state["turnDeadline"].as_i64().unwrap() - state["serverTime"].as_i64().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_step_of_the_machine_clock_decides_no_game() {
    let folder = tempfile::tempdir().unwrap();
    let clock = MachineClock::new(folder.path());
    let fixture = Fixture::of(clock.serve(folder.path()), folder.path());
    let event = fixture.event().await;
    let players = [fixture.player("ada").await, fixture.player("bob").await];
    let ([mut first, mut second], game) = paired(players, &event).await;

    clock.set(30);
    fixture.warned_of("was set forward by 30 s").await;
    let doctor = Command::new(env!("CARGO_BIN_EXE_morpion"))
        .arg("doctor")
        .env("MORPION_DATA_DIR", folder.path())
        .env("MORPION_SERVER__LISTEN", fixture.process.address.to_string())
        .output()
        .unwrap();
    let doctor = String::from_utf8(doctor.stdout).unwrap();
    assert!(doctor.contains("was set forward by 30 s"), "{doctor}");
    // A deadline that had passed by the machine's clock would have been acted on within a tick.
    let state = second.state(&game).await;
    assert_eq!((&state["status"], &state["currentTurn"]), (&json!("active"), &json!(first.account.id)));
    assert!((1..=15_000).contains(&left(&state)), "{state}");
    let update = first.moves(&game, 0, 0).await;
    assert_eq!(left(&update), 15_000);

    clock.set(30 - 3_600);
    fixture.warned_of("was set back by 3600 s").await;
    second.socket.wait("moveUpdate").await;
    let update = second.moves(&game, 1, 1).await;
    assert_eq!(left(&update), 15_000);
    // The turn still ends after fifteen seconds.
    let end = first.socket.wait("gameEnd").await;
    assert_eq!((&end["reason"], &end["winnerUserId"]), (&json!("timeout"), &json!(second.account.id)));

    clock.set(86_400 * 40);
    fixture.warned_of("was set forward").await;
    for player in [&first, &second] {
        assert!(fixture.is_signed_in(&player.account).await, "a session is idle for 30 days of time that passed");
    }

    // And so after a restart, as soon as the server has stored its clocks, whatever the clock says now.
    tokio::time::sleep(Duration::from_secs(3)).await;
    drop(fixture);
    for ahead in [86_400 * 40, -3_600] {
        clock.set(ahead);
        let fixture = Fixture::of(clock.serve(folder.path()), folder.path());
        assert!(fixture.is_signed_in(&first.account).await, "{ahead} s ahead");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_clock_step_before_a_restart_is_not_repeated_after_it() {
    let folder = tempfile::tempdir().unwrap();
    let clock = MachineClock::new(folder.path());
    let fixture = Fixture::of(clock.serve(folder.path()), folder.path());
    let event = fixture.event().await;
    let players = [fixture.player("ada").await, fixture.player("bob").await];
    let ([mut first, second], game) = paired(players, &event).await;
    clock.set(-3_600);
    fixture.warned_of("was set back by 3600 s").await;
    drop((fixture, second.socket));
    let fixture = Fixture::of(clock.serve(folder.path()), folder.path());
    first.socket = Socket::with_session(fixture.process.address, &first.account.session).await;
    let state = first.state(&game).await;
    assert_eq!(state["status"], "active");
    assert!((20_000..=35_000).contains(&left(&state)), "what was left, and 20 s more: {state}");
    assert_eq!(left(&first.moves(&game, 0, 0).await), 15_000);
}

fn signal(process: &Process, signal: &str) {
    assert!(Command::new("kill").args([signal, &process.id().to_string()]).status().unwrap().success());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stopped_process_ends_no_game() {
    let folder = tempfile::tempdir().unwrap();
    let clock = MachineClock::new(folder.path());
    let fixture = Fixture::of(clock.serve_elsewhen(folder.path()), folder.path());
    let event = fixture.event().await;
    let players = [fixture.player("ada").await, fixture.player("bob").await];
    let ([mut first, mut second], game) = paired(players, &event).await;

    // Longer than any deadline of a game or a socket.
    signal(&fixture.process, "-STOP");
    clock.set(60);
    // The frame arrives while the process is stopped and is read when it continues.
    first.socket.send("makeMove", json!({ "gameId": game, "row": 0, "col": 0 })).await;
    signal(&fixture.process, "-CONT");

    // The same sockets are still open.
    let update = second.socket.wait("moveUpdate").await;
    assert_eq!(update["nextTurn"], json!(second.account.id));
    fixture.warned_of("The server was stopped for").await;
    let state = second.state(&game).await;
    assert_eq!(state["status"], "active");
    // The move may have come before the grace was given or after it: the turn has it, or starts anew.
    assert!((10_000..=35_000).contains(&left(&state)), "{state}");
    assert_eq!(left(&second.moves(&game, 1, 1).await), 15_000);

    // Nobody moves: the player to move gets twenty seconds more and is notified.
    first.socket.drained().await;
    signal(&fixture.process, "-STOP");
    clock.set(60 + 8);
    signal(&fixture.process, "-CONT");
    let state = first.socket.wait("gameJoined").await["gameState"].clone();
    assert!((20_000..=35_000).contains(&left(&state)), "{state}");
    assert_eq!(left(&first.moves(&game, 0, 1).await), 15_000);
}
