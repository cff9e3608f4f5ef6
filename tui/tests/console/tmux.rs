//! The program in a real terminal, driven by tmux.

use std::{
    path::PathBuf,
    process::Command,
    sync::atomic::{AtomicU32, Ordering},
    time::{Duration, Instant},
};

use morpion_openapi::{
    event::{EventAnswer, EventState, EventsAnswer},
    logger::{LogLevel, LogsAnswer, LogsData},
    realtime::{ClientFrame, ServerFrame},
};
use morpion_tui::keyboard::PASTE_GOES_ON;

use crate::{
    fixtures::{
        changed, events, game, game_end, joined, log_entries, log_entry, next_move, overview, page_of, played, state,
    },
    server::{Server, TOKEN},
};

/// Longer than anything here takes, on a busy machine too.
const PATIENCE: Duration = Duration::from_secs(30);

/// A terminal with a shell in it. Dropping it ends both.
pub struct Screen {
    socket: String,
}

impl Screen {
    pub fn open(columns: u16, rows: u16) -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let screen = Self { socket: format!("morpion-test-{}-{number}", std::process::id()) };
        let (columns, rows) = (columns.to_string(), rows.to_string());
        screen.tmux(&[
            "-f",
            "/dev/null",
            "new-session",
            "-d",
            "-x",
            &columns,
            "-y",
            &rows,
            "env",
            "-i",
            "PATH=/usr/bin:/bin",
            "TERM=screen-256color",
            "LANG=C.UTF-8",
            "PS1=shell> ",
            "ENV=",
            "sh",
            "-i",
        ]);
        screen.wait_for("shell>");
        screen
    }

    fn tmux(&self, arguments: &[&str]) -> String {
        let output = Command::new("tmux")
            .args(["-u", "-L", &self.socket])
            .args(arguments)
            .output()
            .unwrap_or_else(|error| panic!("THIS TEST NEEDS tmux, and it cannot be run ({error}). `make test` installs it; on Debian: apt-get install tmux"));
        assert!(output.status.success(), "tmux {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    fn shown(&self) -> String {
        self.tmux(&["capture-pane", "-p"])
    }

    pub fn press(&self, keys: &[&str]) {
        self.tmux(&[&["send-keys"], keys].concat());
    }

    /// Presses keys one after another, each once the screen shows what the one before has done: what comes at once is
    /// taken for a paste.
    pub fn step(&self, keys: &[&str]) {
        for key in keys {
            self.send_and_see(&[key]);
        }
    }

    /// Types into a field.
    pub fn write(&self, text: &str) {
        self.send_and_see(&["-l", text]);
        // A key just after it would belong to it.
        std::thread::sleep(PASTE_GOES_ON * 2);
    }

    fn send_and_see(&self, keys: &[&str]) {
        let styled = || self.tmux(&["capture-pane", "-p", "-e"]);
        let (before, begin) = (styled(), Instant::now());
        self.press(keys);
        while styled() == before {
            assert!(begin.elapsed() < PATIENCE, "{keys:?} did nothing:\n{before}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Types a line into the shell.
    pub fn run(&self, line: &str) {
        self.tmux(&["send-keys", "-l", line]);
        self.press(&["Enter"]);
    }

    fn format(&self, format: &str) -> String {
        self.tmux(&["display-message", "-p", format]).trim().to_owned()
    }

    fn resize(&self, columns: u16, rows: u16) {
        self.tmux(&["resize-window", "-x", &columns.to_string(), "-y", &rows.to_string()]);
    }

    pub fn wait_for(&self, wanted: &str) -> String {
        self.wait_until(wanted, |shown| shown.contains(wanted))
    }

    pub fn wait_until(&self, what: &str, holds: impl Fn(&str) -> bool) -> String {
        let begin = Instant::now();
        loop {
            let shown = self.shown();
            if holds(&shown) {
                return shown;
            }
            assert!(begin.elapsed() < PATIENCE, "waited for '{what}', saw:\n{shown}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// The shell has its terminal back, restored.
    pub fn expect_restored(&self) {
        self.wait_for("shell>");
        let begin = Instant::now();
        while self.format("#{alternate_on} #{cursor_flag}") != "0 1" {
            assert!(begin.elapsed() < PATIENCE, "the screen was not restored");
            std::thread::sleep(Duration::from_millis(50));
        }
        self.run("clear; stty -a | tr ' ;' '\\n\\n' | grep -xE -e '-?(icanon|echo|isig)' | tr '\\n' ' '; echo checked");
        self.wait_for("isig icanon echo checked");
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        Command::new("tmux").args(["-L", &self.socket, "kill-server"]).output().ok();
    }
}

fn console(server: &Server) -> String {
    format!("{} --server {} --token {TOKEN}", env!("CARGO_BIN_EXE_morpion-tui"), server.url())
}

/// Runs blocking work off the async thread.
pub async fn on<T: Send + 'static>(
    screen: &std::sync::Arc<Screen>,
    work: impl FnOnce(&Screen) -> T + Send + 'static,
) -> T {
    let screen = std::sync::Arc::clone(screen);
    off_the_async_thread(move || work(&screen)).await
}

pub async fn off_the_async_thread<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    tokio::task::spawn_blocking(work).await.unwrap_or_else(|error| std::panic::resume_unwind(error.into_panic()))
}

#[tokio::test]
async fn an_operator_watches_a_game_through_a_restart_of_the_server() {
    let mut server = Server::start().await;
    let screen = std::sync::Arc::new(on_open(80, 24).await);
    let line = console(&server);
    on(&screen, move |screen| screen.run(&line)).await;

    let mut connection = server.connection().await;
    connection.tell_games(changed(vec![game(0x3fa9_c1d2)], vec![])).await;
    on(&screen, |screen| {
        screen.wait_for("connected");
        screen.press(&["3"]);
        let shown = screen.wait_for("3fa9c1d2");
        assert!(shown.contains("connected") && shown.contains("X Anna Petit"), "{shown}");
        screen.press(&["Enter"]);
    })
    .await;
    let before = state(&game(0x3fa9_c1d2));
    connection.tell_state(&joined(&before)).await;
    on(&screen, |screen| screen.wait_for("Anna Petit to move.")).await;
    connection.send(&ServerFrame::MoveUpdate(next_move(&before, (1, 1), 3))).await;
    on(&screen, |screen| {
        let shown = screen.wait_for("ben to move.");
        assert!(shown.contains("1 X b2"), "{shown}");
    })
    .await;

    // The server stops in the middle of the game and restarts.
    let address = server.address;
    drop(connection);
    server.stop().await;
    on(&screen, |screen| screen.wait_for("disconnected")).await;
    let mut server = Server::start_at(address).await;
    let mut connection = server.connection().await;
    let game_now = game(0x3fa9_c1d2);
    connection.tell_games(changed(vec![game_now], vec![])).await;
    let state_now = played(before, &[(1, 1), (0, 0)]);
    connection.tell_state(&joined(&state_now)).await;
    on(&screen, |screen| {
        let shown = screen.wait_for("2 O a1");
        assert!(!shown.contains("disconnected"), "{shown}");
    })
    .await;
    let end = game_end(&state_now, morpion_openapi::game::EndReason::Forfeit);
    connection.send(&ServerFrame::GameEnd(end)).await;
    on(&screen, |screen| {
        screen.wait_for("ben won: Anna Petit forfeited.");
        screen.press(&["Escape"]);
        screen.wait_for("1 game");
        screen.press(&["q"]);
        screen.expect_restored();
    })
    .await;
}

pub async fn on_open(columns: u16, rows: u16) -> Screen {
    off_the_async_thread(move || Screen::open(columns, rows)).await
}

#[tokio::test]
async fn help_resize_suspend_and_terminate() {
    let mut server = Server::start().await;
    let screen = std::sync::Arc::new(on_open(80, 24).await);
    let line = console(&server);
    on(&screen, move |screen| screen.run(&line)).await;
    server.connection().await.tell_games(changed(vec![], vec![])).await;
    on(&screen, |screen| {
        screen.wait_for("connected");
        screen.press(&["3"]);
        screen.wait_for("No live games right now.");
        screen.press(&["?"]);
        screen.wait_for("j and k scroll");
        screen.press(&["Escape"]);
        screen.resize(39, 12);
        screen.wait_for("needs 40×12,");
        screen.resize(40, 12);
        screen.wait_for("No live games right now.");
        screen.resize(40, 11);
        screen.wait_for("has 40×11.");
        screen.resize(100, 30);
        screen.wait_for("No live games right now.");

        screen.press(&["C-z"]);
        screen.expect_restored();
        screen.run("clear; fg");
        screen.wait_for("? help");
        assert_eq!(screen.format("#{alternate_on}"), "1");

        let shell: u32 = screen.format("#{pane_pid}").parse().expect("a process id");
        let console = child_of(shell);
        let killed = Command::new("kill").args(["-TERM", &console.to_string()]).status().expect("kill runs");
        assert!(killed.success());
        screen.expect_restored();
    })
    .await;
}

#[tokio::test]
async fn an_operator_starts_an_event() {
    let server = Server::start_with_events().await;
    let screen = std::sync::Arc::new(on_open(80, 24).await);
    let line = console(&server);
    on(&screen, move |screen| {
        screen.run(&line);
        screen.wait_for("Connections");
        screen.press(&["2"]);
        screen.wait_for("Lunch break knockout");
        screen.step(&["j", "a", "s"]);
        screen.wait_for("Start 'Lunch break knockout'?");
    })
    .await;
    assert!(server.called("start_event").is_empty(), "not before the confirmation");
    server.refuse("start_event", 409, "This event cannot be started.");
    on(&screen, |screen| {
        screen.press(&["y"]);
        screen.wait_for("This event cannot be started.");
        // Escape followed at once by a letter would be read as Alt and the letter.
        screen.press(&["Escape"]);
        screen.wait_until("the dialog closes", |shown| !shown.contains("Start 'Lunch break knockout'?"));
    })
    .await;
    let mut started = events()[1].clone();
    started.event_state = EventState::Started;
    server.answer("start_event", &EventAnswer { event: started.clone() });
    on(&screen, |screen| {
        screen.step(&["a", "s", "y"]);
        screen.wait_for("'Lunch break knockout' is live.");
    })
    .await;
    let now =
        events().into_iter().map(|event| if event.event_id == started.event_id { started.clone() } else { event });
    server.answer("list_events", &EventsAnswer { events: now.collect(), pagination: page_of(5) });
    on(&screen, |screen| {
        screen.wait_until("the event is live", |shown| {
            shown.lines().any(|line| line.contains("Lunch break") && line.contains("Live"))
        });
        screen.press(&["q"]);
        screen.expect_restored();
    })
    .await;
    let payload = serde_json::json!({ "eventId": started.event_id });
    assert_eq!(server.called("start_event"), [payload.clone(), payload]);
}

#[tokio::test]
async fn keys_that_cannot_be_used_are_told_at_the_start() {
    let server = Server::start_with_events().await;
    let folder = tempfile::tempdir().expect("a folder");
    let config = folder.path().join("morpion-tui.toml");
    std::fs::write(&config, "[keys]\nquit = 'Q'\nrefesh = 'F5'\nrefresh = 'F6 a'\n").expect("it is written");
    let screen = std::sync::Arc::new(on_open(120, 40).await);
    let line = format!("{} --config {}", console(&server), config.display());
    on(&screen, move |screen| {
        screen.run(&line);
        screen.wait_for("line 3: there is no action 'refesh'; ");
        let shown = screen.wait_for("line 4: a has two meanings in");
        assert!(shown.contains("The configuration") && shown.contains("Q quit"), "{shown}");
        screen.press(&["Escape"]);
        screen.wait_until("the dialog closes", |shown| !shown.contains("The configuration"));
        screen.press(&["Q"]);
        screen.expect_restored();
    })
    .await;
}

#[tokio::test]
async fn the_palette_opens_an_event_by_a_part_of_its_title() {
    for (columns, rows) in [(80, 24), (120, 40)] {
        let server = Server::start().await;
        server.answer("overview", &overview());
        server.answer("list_events", &EventsAnswer { events: events(), pagination: page_of(5) });
        let screen = std::sync::Arc::new(on_open(columns, rows).await);
        let line = console(&server);
        on(&screen, move |screen| {
            screen.run(&line);
            screen.wait_for("Connections");
            screen.press(&["2"]);
            screen.wait_for("Lunch break knockout");
            screen.step(&[":"]);
            screen.write("blitz");
            let shown = screen.wait_for("▸ event Friday night blitz");
            println!("{shown}");
            screen.press(&["Enter"]);
            screen.wait_until("the event is open", |shown| {
                shown.contains("Friday night blitz") && !shown.contains("Lunch break knockout")
            });
            screen.press(&["q"]);
            screen.expect_restored();
        })
        .await;
    }
}

#[tokio::test]
async fn pasted_text_is_no_command() {
    const TEXTS: [&str; 2] = ["agenda\nyes\n", "a start now"];
    for paste in [&["paste-buffer", "-p"][..], &["paste-buffer"]] {
        for text in TEXTS {
            let server = Server::start_with_events().await;
            let screen = std::sync::Arc::new(on_open(80, 24).await);
            let line = console(&server);
            on(&screen, move |screen| {
                screen.run(&line);
                screen.wait_for("Connections");
                screen.press(&["2"]);
                screen.wait_for("Lunch break knockout");
                screen.tmux(&["set-buffer", text]);
                screen.tmux(paste);
                let shown = screen.wait_for("Pasted text goes into fields only.");
                assert!(!shown.contains("Esc no") && !shown.contains("verify the standings"), "{shown}");
                // Whatever came later belongs to it.
                std::thread::sleep(PASTE_GOES_ON * 2);
                screen.step(&[":"]);
                screen.tmux(paste);
                let typed = format!(":{}", text.trim().replace('\n', " "));
                screen.wait_for(&typed);
                std::thread::sleep(PASTE_GOES_ON * 2);
                screen.press(&["Escape"]);
                screen.wait_until("the palette closes", |shown| !shown.contains(&typed));
                screen.press(&["q"]);
                screen.expect_restored();
                // The shell has its terminal as it was: it is not told what is pasted.
                screen.tmux(&["set-buffer", "echo told"]);
                screen.tmux(&["paste-buffer", "-p"]);
                screen.wait_for("shell> echo told");
            })
            .await;
            for action in ["start_event", "end_event", "publish_event", "cancel_event"] {
                assert!(server.called(action).is_empty(), "{action} after {text:?}, {paste:?}");
            }
        }
    }
}

#[tokio::test]
async fn a_terminal_of_40_by_12_is_enough_to_run_an_event() {
    let server = Server::start_with_events().await;
    let screen = std::sync::Arc::new(on_open(40, 12).await);
    let line = console(&server);
    on(&screen, move |screen| {
        screen.run(&line);
        screen.wait_for("Connections");
        screen.press(&["2"]);
        let shown = screen.wait_for("Friday night");
        assert!(shown.contains("5 events") && shown.contains("q quit"), "{shown}");
        screen.step(&["j", "a"]);
        screen.wait_for("s  start");
        // Actions do not apply to hidden rows.
        screen.resize(40, 10);
        screen.wait_for("needs 40×12,");
        screen.press(&["s", "y"]);
        screen.resize(40, 12);
        screen.wait_for("s  start");
        screen.press(&["s"]);
        screen.wait_until("the whole question", |shown| shown.contains("y yes") && shown.contains("Esc no"));
    })
    .await;
    assert!(server.called("start_event").is_empty(), "not before the confirmation");
    let mut started = events()[1].clone();
    started.event_state = EventState::Started;
    server.answer("start_event", &EventAnswer { event: started });
    on(&screen, |screen| {
        screen.press(&["y"]);
        screen.wait_for("is live.");
        screen.press(&["q"]);
        screen.expect_restored();
    })
    .await;
}

#[tokio::test]
async fn an_operator_filters_the_log_until_one_line_is_left() {
    let mut server = Server::start().await;
    let logs = log_entries(60).into_iter().rev().collect();
    server.answer("getLogs", &LogsAnswer { data: LogsData { logs, pagination: page_of(60), next_cursor: None } });
    let screen = std::sync::Arc::new(on_open(80, 24).await);
    let line = console(&server);
    on(&screen, move |screen| screen.run(&line)).await;
    let mut connection = server.connection().await;
    connection.tell_games(changed(vec![], vec![])).await;
    on(&screen, |screen| {
        screen.wait_for("connected");
        screen.press(&["4"]);
    })
    .await;
    let (frame, id) = connection.receive().await;
    assert!(matches!(frame, ClientFrame::SubscribeLogs(_)), "{frame:?}");
    connection.acknowledge(&id.expect("it asks for an ack")).await;
    on(&screen, |screen| screen.wait_for("60 records")).await;
    connection.send(&ServerFrame::LogAppended(log_entry(60, LogLevel::Warning, "commit took 5012 ms"))).await;
    on(&screen, |screen| {
        screen.wait_for("commit took 5012 ms");
        screen.step(&["l", "w"]);
        screen.wait_for("warnings and worse");
        screen.step(&["/"]);
        screen.write("commit took [0-9]{4} ms");
        // A capture may show half of a frame.
        screen.wait_until("one line", |shown| {
            let records = shown.lines().filter(|line| line.contains("WARN") || line.contains("ERROR")).count();
            shown.contains(" 1 of 61 records") && records == 1
        });
        screen.step(&["Enter", "Space", "Enter"]);
        screen.wait_for("2026-11-21 10:01:00.000 UTC");
        screen.press(&["Escape", "Escape", "Escape"]);
        screen.wait_for("61 records");
        screen.press(&["q"]);
        screen.expect_restored();
    })
    .await;
}

/// The process that this one started.
fn child_of(parent: u32) -> u32 {
    let children = std::fs::read_to_string(format!("/proc/{parent}/task/{parent}/children")).expect("Linux tells");
    children.split_whitespace().next().and_then(|id| id.parse().ok()).expect("one child")
}

#[test]
fn after_a_panic_the_terminal_is_restored_and_the_message_readable() {
    let program: PathBuf = PathBuf::from(env!("CARGO_BIN_EXE_morpion-tui")).with_file_name("examples").join("panics");
    assert!(program.exists(), "{} is built with the tests", program.display());
    let screen = Screen::open(80, 24);
    screen.run(&program.display().to_string());
    screen.wait_for("the message that must be readable");
    screen.expect_restored();
}

#[test]
fn without_a_terminal_the_console_reports_it() {
    let output = Command::new(env!("CARGO_BIN_EXE_morpion-tui")).output().expect("it runs");
    assert!(!output.status.success());
    assert_eq!(
        String::from_utf8_lossy(&output.stderr),
        "morpion-tui: the console needs a terminal; `morpion-tui help` lists the commands that need none\n"
    );
}

#[test]
fn the_sample_configuration_is_printed() {
    let output = Command::new(env!("CARGO_BIN_EXE_morpion-tui")).arg("default-config").output().expect("it runs");
    assert_eq!(String::from_utf8_lossy(&output.stdout), morpion_tui::config::SAMPLE);
}
