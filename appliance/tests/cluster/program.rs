//! A program in its own process, which ends with the test.

use std::{
    fs::File,
    path::Path,
    process::{Child, Command, ExitStatus, Stdio},
    time::{Duration, Instant},
};

/// How long a program may take to end.
const PATIENCE: Duration = Duration::from_secs(30);

pub struct Program(Child);

impl Program {
    /// What it prints is appended to a file.
    pub fn start(command: &mut Command, log: &Path) -> Self {
        let log = File::options().create(true).append(true).open(log).unwrap();
        let command = command.stdin(Stdio::null()).stdout(log.try_clone().unwrap()).stderr(log);
        Self(command.spawn().unwrap_or_else(|error| panic!("{command:?}: {error}")))
    }

    /// For example `-STOP`.
    pub fn signal(&self, signal: &str) {
        assert!(Command::new("kill").args([signal, &self.0.id().to_string()]).status().unwrap().success());
    }

    pub fn has_ended(&mut self) -> bool {
        self.0.try_wait().unwrap().is_some()
    }

    /// SIGTERM; returns how it ended.
    pub async fn terminate(mut self) -> ExitStatus {
        self.signal("-TERM");
        let told = Instant::now();
        loop {
            if let Some(status) = self.0.try_wait().unwrap() {
                return status;
            }
            assert!(told.elapsed() < PATIENCE, "the program does not end");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
}

/// SIGKILL, also of a stopped process and when a test fails.
impl Drop for Program {
    fn drop(&mut self) {
        self.0.kill().ok();
        self.0.wait().ok();
    }
}
