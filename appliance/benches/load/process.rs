//! Server processes, each on its own core, and their resource usage.

use std::{
    collections::BTreeMap,
    io::{BufRead, BufReader},
    net::SocketAddr,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::{LazyLock, mpsc},
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

/// How long a server may take until it says where it serves.
const START_WITHIN: Duration = Duration::from_secs(60);

const SERVE: [&str; 3] = ["serve", "--listen", "127.0.0.1:0"];

/// Which server is measured.
#[derive(Debug, Clone, Copy)]
pub enum Program {
    Morpion,
    OneCommitAMove,
}

/// Killed when it is dropped.
pub struct Process(Child);

/// Killed when it is dropped.
pub struct Server {
    process: Process,
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
    on_cores(SERVER_CORE, program)
}

/// A command on these cores, separated by commas.
fn on_cores(cores: &str, program: &Path) -> Command {
    if can_pin() {
        let mut command = Command::new("taskset");
        command.args(["-c", cores]).arg(program);
        command
    } else {
        Command::new(program)
    }
}

impl Process {
    pub fn start(command: &mut Command) -> std::io::Result<Self> {
        command.spawn().map(Self)
    }

    /// User and system time so far.
    pub fn cpu(&self) -> Duration {
        cpu_of(Path::new(&format!("/proc/{}/stat", self.0.id())))
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.0.kill().ok();
        self.0.wait().ok();
    }
}

impl Server {
    pub async fn start(program: Program, seeded: &Seeded) -> anyhow::Result<Self> {
        match program {
            Program::Morpion => Self::start_on(SERVER_CORE, seeded),
            Program::OneCommitAMove => {
                let mut command = on_server_core(&std::env::current_exe()?);
                Self::spawn(command.arg(ONE_COMMIT_A_MOVE).env("MORPION_CONFIG", seeded.config_file()))
            }
        }
    }

    /// Starts Morpion on these cores, separated by commas.
    pub fn start_on(cores: &str, seeded: &Seeded) -> anyhow::Result<Self> {
        let mut command = on_cores(cores, Path::new(env!("CARGO_BIN_EXE_morpion")));
        Self::spawn(command.args(SERVE).env("MORPION_CONFIG", seeded.config_file()))
    }

    /// Starts Morpion where the load is, for what is not measured by itself.
    pub fn start_beside_load(seeded: &Seeded) -> anyhow::Result<Self> {
        let mut command = Command::new(env!("CARGO_BIN_EXE_morpion"));
        Self::spawn(command.args(SERVE).env("MORPION_CONFIG", seeded.config_file()))
    }

    /// Starts a server that prints its address in its first line, at that line's end.
    pub fn spawn(command: &mut Command) -> anyhow::Result<Self> {
        let mut process = Process::start(command.stdin(Stdio::null()).stdout(Stdio::piped()))?;
        let lines = BufReader::new(process.0.stdout.take().context("no output")?).lines();
        let (said, first) = mpsc::channel();
        // Further output must not fill the pipe.
        std::thread::spawn(move || lines.for_each(|line| drop(said.send(line))));
        let line = first.recv_timeout(START_WITHIN).context("the server did not say where it serves")??;
        let address = line.rsplit("://").next().unwrap_or_default().trim().parse().context(line)?;
        Ok(Self { process, address })
    }

    /// User and system time so far.
    pub fn cpu(&self) -> Duration {
        self.process.cpu()
    }

    /// The same by the names of its threads, without those that have ended.
    #[allow(dead_code, reason = "for the attacks")]
    pub fn cpu_of_threads(&self) -> BTreeMap<String, Duration> {
        let tasks = std::fs::read_dir(format!("/proc/{}/task", self.process.0.id()));
        let mut kinds = BTreeMap::<String, Duration>::new();
        for task in tasks.into_iter().flatten().flatten() {
            let name = std::fs::read_to_string(task.path().join("comm")).unwrap_or_default();
            let kind = name.trim().trim_end_matches(|last: char| last.is_ascii_digit() || last == '-');
            *kinds.entry(kind.to_owned()).or_default() += cpu_of(&task.path().join("stat"));
        }
        kinds
    }

    pub fn resident_bytes(&self) -> u64 {
        let statm = std::fs::read_to_string(format!("/proc/{}/statm", self.process.0.id())).unwrap_or_default();
        statm.split_whitespace().nth(1).and_then(|pages| pages.parse::<u64>().ok()).unwrap_or(0) * 4096
    }

    /// Files and sockets that it has open.
    pub fn descriptors(&self) -> usize {
        std::fs::read_dir(format!("/proc/{}/fd", self.process.0.id())).map_or(0, Iterator::count)
    }

    /// Stops it gracefully.
    pub fn stop(mut self) {
        Command::new("kill").arg(self.process.0.id().to_string()).status().ok();
        self.process.0.wait().ok();
    }
}

/// User and system time of this process.
pub fn own_cpu() -> Duration {
    cpu_of(Path::new("/proc/self/stat"))
}

fn cpu_of(stat: &Path) -> Duration {
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
