//! The console against the real server.

use std::{
    cell::Cell,
    io::{BufRead, BufReader},
    path::PathBuf,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use crate::{
    free_address::free_address,
    tmux::{Screen, off_the_async_thread},
};

/// The server's start, on a busy machine too.
const PATIENCE: Duration = Duration::from_secs(60);

/// A server in its own folder; stopped when dropped.
struct Appliance {
    process: Child,
    folder: tempfile::TempDir,
    url: String,
}

impl Appliance {
    async fn start() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let data_dir = folder.path().to_owned();
        let appliance = Self::spawn(folder, |command| command.arg("--data-dir").arg(data_dir).stdout(Stdio::null()));
        let begin = Instant::now();
        while reqwest::get(format!("{}/readyz", appliance.url)).await.is_err() {
            assert!(begin.elapsed() < PATIENCE, "the server does not come up");
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        appliance
    }

    /// A demo server, and the command line of a console for it.
    fn start_with_players() -> (Self, String) {
        let folder = tempfile::tempdir().expect("a folder");
        // A demo keeps its files in the folder for temporary ones.
        let temporary = folder.path().to_owned();
        let mut appliance =
            Self::spawn(folder, |command| command.arg("--demo").env("TMPDIR", temporary).stdout(Stdio::piped()));
        let said = BufReader::new(appliance.process.stdout.take().expect("it is piped"));
        let mut lines = said.lines().map_while(Result::ok);
        let line = lines.find_map(|line| {
            line.split_once("morpion-tui ")
                .map(|(_, options)| format!("{} {options}", env!("CARGO_BIN_EXE_morpion-tui")))
        });
        // Further output must not fill the pipe.
        std::thread::spawn(move || lines.for_each(drop));
        (appliance, line.expect("it says how the console signs in"))
    }

    fn spawn(folder: tempfile::TempDir, with: impl FnOnce(&mut Command) -> &mut Command) -> Self {
        let beside = PathBuf::from(env!("CARGO_BIN_EXE_morpion-tui")).with_file_name("morpion");
        let program = std::env::var_os("MORPION_BIN").map_or(beside, PathBuf::from);
        assert!(
            program.is_file(),
            "THIS TEST NEEDS the server, and {} is not there: `cargo build --bins` at the root builds it",
            program.display()
        );
        let address = free_address();
        let mut command = Command::new(program);
        command.args(["serve", "--listen", &address.to_string()]).current_dir(folder.path());
        let process = with(command.stdin(Stdio::null()).stderr(Stdio::null())).spawn().expect("it runs");
        Self { process, folder, url: format!("http://{address}") }
    }

    /// The console's command line.
    fn console(&self) -> String {
        let token = self.folder.path().join("operator.token");
        format!("{} --server {} --token-file {}", env!("CARGO_BIN_EXE_morpion-tui"), self.url, token.display())
    }
}

impl Drop for Appliance {
    fn drop(&mut self) {
        self.process.kill().ok();
        self.process.wait().ok();
    }
}

#[tokio::test]
async fn an_event_is_created_published_started_and_ended() {
    let appliance = Appliance::start().await;
    let line = appliance.console();
    off_the_async_thread(move || {
        let screen = Screen::open(100, 30);
        screen.run(&line);
        screen.wait_for("Connections");
        screen.press(&["2"]);
        screen.wait_for("No events yet.");
        screen.step(&["n"]);
        screen.write("Friday cup");
        screen.step(&["Down", "Down", "Down", "Down", "Down"]);
        screen.write("+2h");
        screen.press(&["C-s"]);
        screen.wait_for("The event is created.");
        // Published without a start: the server says what is missing.
        screen.step(&["a", "p", "y"]);
        screen.wait_for("Start time is required to publish.");
        // Escape followed at once by a letter would be read as Alt and the letter.
        screen.press(&["Escape"]);
        screen.wait_until("the dialog closes", |shown| !shown.contains("Publish 'Friday cup'?"));
        screen.step(&["e", "Down", "Down", "Down", "Down"]);
        screen.write("+1h");
        screen.press(&["C-s"]);
        screen.wait_for("The event is changed.");
        screen.step(&["a", "p", "y"]);
        screen.wait_for("'Friday cup' is published.");
        screen.step(&["a", "s", "y"]);
        screen.wait_for("'Friday cup' is live.");
        screen.press(&["a", "v"]);
        screen.wait_for("The games agree");
        screen.step(&["a", "e", "y"]);
        screen.wait_for("'Friday cup' is ended.");
        // The actions are in the audit trail.
        screen.press(&["6"]);
        screen.wait_for("end_event");
        screen.press(&["q"]);
        screen.expect_restored();
    })
    .await;
}

/// Runs a command of the program with a console's command line: its exit code, and what it printed.
fn run(line: &str, more: &[&str]) -> (Option<i32>, String, String) {
    let words: Vec<_> = line.split(' ').collect();
    let output = Command::new(words[0]).args(&words[1..]).args(more).output().expect("it runs");
    let text = |bytes| String::from_utf8(bytes).expect("text");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[tokio::test]
async fn a_player_is_shown_by_the_real_server() {
    off_the_async_thread(|| {
        let (_appliance, line) = Appliance::start_with_players();
        let run = |more: &[&str]| run(&line, more);
        let begin = Instant::now();
        // The event that is over after some seconds.
        let shown = loop {
            let (_, out, error) = run(&["players", "show", "blaise"]);
            // Results by board are counted a moment after the game is stored.
            if ["Morning sprint", "GAME", "BOARD  WON  DRAWN  LOST"].iter().all(|word| out.contains(word)) {
                break out;
            }
            assert!(begin.elapsed() < PATIENCE, "{out}{error}");
            std::thread::sleep(Duration::from_millis(500));
        };
        assert!(shown.contains("kind      free"), "{shown}");
        let id = shown.lines().find_map(|line| line.strip_prefix("id ")).expect("an id").trim();
        assert_eq!(run(&["users", "suspend", id, "--for-ever", "--reason", "Insults"]).0, Some(0));
        let (code, out, error) = run(&["players", "show", id, "--games", "1", "--json"]);
        assert_eq!((code, error.as_str()), (Some(0), ""));
        let page: serde_json::Value = serde_json::from_str(&out).expect("one object");
        assert_eq!(
            (&page["profile"]["username"], &page["user"]["suspension"]["reason"]),
            (&"Blaise".into(), &"Insults".into())
        );
        assert_eq!(page["games"].as_array().map(Vec::len), Some(1));
        assert_eq!(run(&["players", "show", "nobody_at_all"]).0, Some(5));
    })
    .await;
}

#[tokio::test]
async fn rounds_are_shown_and_directed_on_the_real_server() {
    off_the_async_thread(|| {
        let (_appliance, line) = Appliance::start_with_players();
        let run = |more: &[&str]| run(&line, more);
        let until = |arguments: &[&str], what: &str, is_there: &dyn Fn(&str) -> bool| {
            let begin = Instant::now();
            loop {
                let (_, out, error) = run(arguments);
                if is_there(&out) {
                    break out;
                }
                assert!(begin.elapsed() < PATIENCE, "no {what}: {out}{error}");
                std::thread::sleep(Duration::from_millis(300));
            }
        };
        let swiss = "Club Swiss #1";
        let out = until(&["events", "rounds", swiss, "--json"], "round", &|out| out.contains("playing"));
        let first: serde_json::Value = serde_json::from_str(out.lines().next().expect("a round")).expect("a round");
        let name = first["pairings"][0]["players"][1]["username"].as_str().expect("a player").to_owned();
        let (code, _, error) = run(&["events", "set-result", swiss, "1", "1", &name, "--reason", "Both saw it"]);
        assert_eq!(code, Some(0), "{error}");
        let (_, out, _) = run(&["events", "rounds", swiss]);
        assert!(out.contains(&format!("{name} won, by decision")), "{out}");
        assert!(run(&["events", "pause", swiss]).1.contains("paused       yes"));
        assert!(!run(&["events", "resume", swiss]).1.contains("paused"));
        assert_eq!(run(&["events", "withdraw", swiss, &name, "--reason", "Had to leave"]).0, Some(0));
        let (_, out, _) = run(&["events", "standings", swiss]);
        assert_eq!(out.matches("withdrawn").count(), 1, "{out}");
        assert_eq!(run(&["events", "reinstate", swiss, &name, "--reason", "Is back"]).0, Some(0));
        assert_eq!(run(&["events", "extend", swiss, "+3h"]).0, Some(0));

        let breakfast = "Breakfast round robin";
        until(&["events", "show", breakfast], "winners", &|out| out.contains("winner 1"));
        let screen = Screen::open(100, 30);
        screen.run(&line);
        screen.wait_for("Connections");
        screen.step(&["2"]);
        screen.wait_for(breakfast);
        screen.step(&[":"]);
        screen.write(&format!("event {breakfast}"));
        screen.press(&["Enter"]);
        screen.wait_for("Round 3 of 3   all matches are decided");
        screen.press(&["p"]);
        screen.wait_for("Round 2 of 3");
        screen.press(&["Right"]);
        screen.wait_for("4 players");
        screen.press(&["q"]);
        screen.expect_restored();
    })
    .await;
}

/// A tunnel to a server, as made by `ssh -L`.
fn tunnel_to(address: String) -> u16 {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("it is bound").port();
    std::thread::spawn(move || {
        for near in listener.incoming().map_while(Result::ok) {
            let Ok(far) = std::net::TcpStream::connect(&address) else { continue };
            for (mut from, mut to) in [(near.try_clone(), far.try_clone()), (far.try_clone(), near.try_clone())]
                .map(|(from, to)| (from.expect("a second handle"), to.expect("a second handle")))
            {
                std::thread::spawn(move || {
                    std::io::copy(&mut from, &mut to).ok();
                    to.shutdown(std::net::Shutdown::Write).ok();
                });
            }
        }
    });
    port
}

#[tokio::test]
async fn through_a_tunnel_the_host_header_is_used() {
    let appliance = Appliance::start().await;
    let here = appliance.url.trim_start_matches("http://").to_owned();
    let port = tunnel_to(here.clone());
    let token = appliance.folder.path().join("operator.token");
    let line = format!(
        "{} --server http://127.0.0.1:{port} --token-file {}",
        env!("CARGO_BIN_EXE_morpion-tui"),
        token.display()
    );
    off_the_async_thread(move || {
        let words: Vec<_> = line.split(' ').collect();
        let run = |more: &[&str]| Command::new(words[0]).args(&words[1..]).args(more).output().expect("it runs");
        let refused = run(&["overview"]);
        let why = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert_eq!(refused.status.code(), Some(3), "{why}");
        assert!(why.contains("--host-header") && !why.contains("token"), "the real cause: {why}");
        let allowed = run(&["overview", "--host-header", &here]);
        assert!(allowed.status.success(), "{}", String::from_utf8_lossy(&allowed.stderr));

        // The console too: websocket and calls.
        let screen = Screen::open(100, 30);
        screen.run(&line);
        let shown = screen.wait_for("--host-header");
        assert!(!shown.contains("no valid token"), "{shown}");
        screen.press(&["q"]);
        screen.wait_for("shell>");
        screen.run(&format!("clear; {line} --host-header {here}"));
        screen.wait_until("figures over a connection that holds", |shown| {
            shown.contains("Live games") && shown.contains("connected") && !shown.contains("disconnected")
        });
        screen.press(&["q"]);
        screen.expect_restored();
    })
    .await;
}

/// The moves that the console shows of a game: a number, a mark and a cell each.
fn moves_shown(shown: &str) -> usize {
    let words: Vec<&str> = shown.split_whitespace().collect();
    let is_cell = |word: &str| matches!(word.as_bytes(), [b'a'..=b'f', b'1'..=b'6']);
    words.windows(3).filter(|it| it[0].parse::<u32>().is_ok() && ["X", "O"].contains(&it[1]) && is_cell(it[2])).count()
}

#[tokio::test]
async fn a_game_is_watched_move_by_move() {
    off_the_async_thread(|| {
        let (_appliance, line) = Appliance::start_with_players();
        let screen = Screen::open(100, 30);
        screen.run(&line);
        screen.wait_for("Connections");
        // The long event: the other one ends, with its games, after some seconds.
        screen.step(&["2"]);
        screen.wait_for("Open house");
        screen.step(&["3"]);
        let (shown_before, followed) = (Cell::new(0), Cell::new(0));
        screen.wait_until("three moves of one game, without a key being pressed", |shown| {
            // A second Enter, pressed before the first one was shown, opens one of the players.
            if shown.contains("▸ Sessions") || shown.contains(" won") {
                screen.step(&["Escape"]);
            } else if shown.contains("Enter open") {
                screen.step(&["Enter"]);
            }
            let moves = moves_shown(shown);
            let before = shown_before.replace(moves);
            // Moves already on the board when it was opened do not count; another game or round starts over.
            followed.set(if before > 0 && moves >= before { followed.get() + moves - before } else { 0 });
            followed.get() >= 3
        });
        // Escape followed at once by a letter would be read as Alt and the letter.
        screen.press(&["Escape"]);
        screen.wait_until("the list", |shown| moves_shown(shown) == 0);
        screen.press(&["q"]);
        screen.expect_restored();
    })
    .await;
}

#[tokio::test]
async fn somebody_is_suspended_and_the_suspension_lifted() {
    off_the_async_thread(|| {
        let (_appliance, line) = Appliance::start_with_players();
        let screen = Screen::open(100, 30);
        screen.run(&line);
        screen.wait_for("Connections");
        screen.press(&["5"]);
        screen.wait_for("bob@example.org");
        screen.step(&[":"]);
        screen.write("suspend bob");
        screen.press(&["Enter"]);
        screen.wait_for("Suspend bob?");
        screen.step(&["Enter"]);
        screen.write("Insults in every game");
        screen.press(&["Enter"]);
        screen.wait_for("bob is suspended.");
        screen.press(&["f"]);
        screen
            .wait_until("the reason", |shown| shown.contains("Until (UTC)") && shown.contains("Insults in every game"));
        // Nobody else is listed, so it is the chosen one; the last admin stays.
        screen.step(&["a", "e", "y"]);
        screen.wait_for("bob is not suspended any more.");
        screen.wait_for("Nobody is suspended.");
        screen.step(&[":"]);
        screen.write("suspend admin");
        screen.press(&["Enter"]);
        screen.wait_for("Suspend admin?");
        screen.step(&["Enter", "r"]);
        screen.press(&["Enter"]);
        screen.wait_until("the refusal", |shown| shown.to_lowercase().contains("last admin"));
        screen.press(&["Escape"]);
        screen.wait_until("no dialog", |shown| !shown.contains("Suspend admin?"));
        screen.press(&["8"]);
        screen.wait_for("No open reports");
        screen.press(&["q"]);
        screen.expect_restored();
    })
    .await;
}
