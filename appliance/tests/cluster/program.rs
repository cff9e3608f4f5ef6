//! A program in its own process, which ends with the test.

use std::{
    fs::File,
    net::{Ipv4Addr, SocketAddr, TcpListener},
    path::Path,
    process::{Child, Command, ExitStatus, Stdio},
    sync::Mutex,
    time::{Duration, Instant},
};

use rand::Rng;

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

/// An address of this machine whose port is below those that the system gives away, so that it stays free while its
/// program is down. This process keeps it: a file is locked, which the processes of other tests cannot lock.
pub fn free_address() -> SocketAddr {
    static KEPT: Mutex<Vec<File>> = Mutex::new(vec![]);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("ports");
    std::fs::create_dir_all(&folder).unwrap();
    loop {
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, rand::rng().random_range(12_000..32_000)));
        let file = File::create(folder.join(address.port().to_string())).unwrap();
        if file.try_lock().is_ok() && TcpListener::bind(address).is_ok() {
            KEPT.lock().unwrap().push(file);
            return address;
        }
    }
}
