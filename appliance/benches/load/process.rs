//! Server processes, each on its own core, and their resource usage.

use std::{
    io::{BufRead, BufReader},
    net::SocketAddr,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::LazyLock,
    time::Duration,
};

use anyhow::Context;
use morpion_appliance::{app::App, config::ConfigSources};
use morpion_store::JournalOptions;
use tokio::net::TcpListener;

use crate::{SERVER_CORE, seed::Seeded};

/// Makes this program serve, with a commit for every move.
pub const ONE_COMMIT_A_MOVE: &str = "serve-one-commit-a-move";

/// Ticks a second of the times in `/proc`, on every Linux there is.
const TICKS: u64 = 100;

/// Which server is measured.
#[derive(Debug, Clone, Copy)]
pub enum Program {
    Morpion,
    OneCommitAMove,
}

/// Killed when it is dropped.
pub struct Server {
    child: Child,
    pub address: SocketAddr,
}

/// Whether a process can be put on a core of its own.
pub fn can_pin() -> bool {
    static CAN: LazyLock<bool> = LazyLock::new(|| {
        let probe = Command::new("taskset").args(["-c", "0,1", "true"]).output();
        probe.is_ok_and(|output| output.status.success())
            && std::fs::read_to_string("/proc/cpuinfo").is_ok_and(|text| text.matches("processor\t").count() > 1)
    });
    *CAN
}

/// A command on the server's core.
pub fn on_server_core(program: &Path) -> Command {
    if can_pin() {
        let mut command = Command::new("taskset");
        command.args(["-c", SERVER_CORE]).arg(program);
        command
    } else {
        Command::new(program)
    }
}

impl Server {
    pub async fn start(program: Program, seeded: &Seeded) -> anyhow::Result<Self> {
        let mut command = match program {
            Program::Morpion => {
                let mut command = on_server_core(Path::new(env!("CARGO_BIN_EXE_morpion")));
                command.args(["serve", "--listen", "127.0.0.1:0"]);
                command
            }
            Program::OneCommitAMove => {
                let mut command = on_server_core(&std::env::current_exe()?);
                command.arg(ONE_COMMIT_A_MOVE);
                command
            }
        };
        command.env("MORPION_CONFIG", seeded.config_file());
        Self::spawn(&mut command)
    }

    /// Starts a server that prints its address in its first line, at that line's end.
    pub fn spawn(command: &mut Command) -> anyhow::Result<Self> {
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn()?;
        let mut lines = BufReader::new(child.stdout.take().context("no output")?).lines();
        let line = lines.next().context("the server did not say where it serves")??;
        let address = line.rsplit("://").next().unwrap_or_default().trim().parse().context(line)?;
        // Further output must not fill the pipe.
        std::thread::spawn(move || lines.for_each(drop));
        Ok(Self { child, address })
    }

    /// User and system time so far.
    pub fn cpu(&self) -> Duration {
        cpu_of(&format!("/proc/{}/stat", self.child.id()))
    }

    pub fn resident_bytes(&self) -> u64 {
        let statm = std::fs::read_to_string(format!("/proc/{}/statm", self.child.id())).unwrap_or_default();
        statm.split_whitespace().nth(1).and_then(|pages| pages.parse::<u64>().ok()).unwrap_or(0) * 4096
    }

    /// Stops it gracefully.
    pub fn stop(mut self) {
        Command::new("kill").arg(self.child.id().to_string()).status().ok();
        self.child.wait().ok();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

/// User and system time of this process.
pub fn own_cpu() -> Duration {
    cpu_of("/proc/self/stat")
}

fn cpu_of(stat: &str) -> Duration {
    let stat = std::fs::read_to_string(stat).unwrap_or_default();
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
    let ticks: u64 = fields.skip(11).take(2).filter_map(|field| field.parse::<u64>().ok()).sum();
    Duration::from_millis(ticks * 1_000 / TICKS)
}

/// The server without group commit.
pub fn serve_one_commit_a_move() -> anyhow::Result<()> {
    let file = PathBuf::from(std::env::var_os("MORPION_CONFIG").context("no configuration")?);
    let config = ConfigSources { file: Some(file), ..ConfigSources::default() }.load()?.config;
    tokio::runtime::Runtime::new()?.block_on(async {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let config = config.bound_to(listener.local_addr()?);
        println!("http://{}", listener.local_addr()?);
        let app = App::build_with(config, |mut options| {
            options.journal = JournalOptions { one_commit_per_entry: true, ..options.journal };
            options
        })
        .await?;
        app.serve(listener, std::future::pending()).await
    })
}
