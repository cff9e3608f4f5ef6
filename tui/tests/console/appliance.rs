//! The console against the real server: what an operator does there is done.

use std::{
    path::PathBuf,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use crate::tmux::Screen;

/// The server's start, on a busy machine too.
const PATIENCE: Duration = Duration::from_secs(60);

/// A server of its own, in a folder of its own. Dropping it ends it.
struct Appliance {
    process: Child,
    folder: tempfile::TempDir,
    url: String,
}

impl Appliance {
    async fn start() -> Self {
        let beside = PathBuf::from(env!("CARGO_BIN_EXE_morpion-tui")).with_file_name("morpion");
        let program = std::env::var_os("MORPION_BIN").map_or(beside, PathBuf::from);
        assert!(
            program.is_file(),
            "THIS TEST NEEDS the server, and {} is not there: `cargo build --bins` at the root builds it",
            program.display()
        );
        let folder = tempfile::tempdir().expect("a folder");
        let port =
            std::net::TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr()).expect("a port").port();
        let process = Command::new(program)
            .args(["serve", "--listen", &format!("127.0.0.1:{port}"), "--data-dir"])
            .arg(folder.path())
            .current_dir(folder.path())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("it runs");
        let appliance = Self { process, folder, url: format!("http://127.0.0.1:{port}") };
        let begin = Instant::now();
        while reqwest::get(format!("{}/readyz", appliance.url)).await.is_err() {
            assert!(begin.elapsed() < PATIENCE, "the server does not come up");
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        appliance
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
async fn an_event_is_made_published_started_and_ended() {
    let appliance = Appliance::start().await;
    let line = appliance.console();
    tokio::task::spawn_blocking(move || {
        let screen = Screen::open(100, 30);
        screen.run(&line);
        screen.wait_for("Connections");
        screen.press(&["2"]);
        screen.wait_for("No events yet.");
        screen.press(&["n"]);
        screen.press(&["-l", "Friday cup"]);
        screen.press(&["Down", "Down", "Down", "Down", "Down"]);
        screen.press(&["-l", "+2h"]);
        screen.press(&["C-s"]);
        screen.wait_for("The event is made.");
        // Published without a start: the server says what is missing.
        screen.press(&["a", "p", "y"]);
        screen.wait_for("Start time is required to publish.");
        // Escape with a letter right behind it would be Alt and that letter.
        screen.press(&["Escape"]);
        screen.wait_until("the dialog closes", |shown| !shown.contains("Publish 'Friday cup'?"));
        screen.press(&["e", "Down", "Down", "Down", "Down"]);
        screen.press(&["-l", "+1h"]);
        screen.press(&["C-s"]);
        screen.wait_for("The event is changed.");
        screen.press(&["a", "p", "y"]);
        screen.wait_for("'Friday cup' is published.");
        screen.press(&["a", "s", "y"]);
        screen.wait_for("'Friday cup' is live.");
        screen.press(&["a", "v"]);
        screen.wait_for("The games agree");
        screen.press(&["a", "e", "y"]);
        screen.wait_for("'Friday cup' is ended.");
        // What was done is in the trail.
        screen.press(&["6"]);
        screen.wait_for("end_event");
        screen.press(&["q"]);
        screen.expect_restored();
    })
    .await
    .unwrap_or_else(|error| std::panic::resume_unwind(error.into_panic()));
}
