//! A node: `morpion serve` with a data folder of its own.

use std::{
    net::SocketAddr,
    path::{Path, PathBuf},
    process::Command,
    sync::atomic::{AtomicBool, Ordering},
};

use parking_lot::Mutex;

use crate::{
    client::HOST, free_address::free_address, machine_clock::MachineClock, program::Program, small_disk::SmallDisk,
};

/// What its data are on, and what it goes by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Machine {
    /// This one.
    Shared,
    /// A small disk and a clock of its own.
    Own,
}

pub struct Node {
    pub name: &'static str,
    pub address: SocketAddr,
    pub config: PathBuf,
    data: PathBuf,
    log: PathBuf,
    own: Option<(SmallDisk, MachineClock)>,
    program: Mutex<Option<Program>>,
    has_crashed: AtomicBool,
}

impl Node {
    /// A node that does not run yet; `nats` are its ways to the NATS servers. `settings` have dots in their names, `sections`
    /// are further ones of the configuration.
    pub fn new(
        folder: &Path,
        name: &'static str,
        machine: Machine,
        nats: &[SocketAddr],
        settings: &str,
        sections: &str,
    ) -> Self {
        let folder = folder.join(name);
        std::fs::create_dir(&folder).unwrap();
        let own = (machine == Machine::Own).then(|| (SmallDisk::mount(), MachineClock::new(&folder)));
        let data = own.as_ref().map_or(folder.as_path(), |(disk, _)| disk.path()).join("data");
        let address = free_address();
        let nats: Vec<_> = nats.iter().map(|way| format!("nats://{way}")).collect();
        let text = format!(
            "data_dir = {data:?}\n\
             server.listen = \"{address}\"\nserver.public_url = \"http://{HOST}\"\n\
             server.secret_key = \"the same on all nodes of this cluster\"\n\
             {settings}\n\
             [storage]\nwarn_free = \"1 KiB\"\nstop_free = \"1 KiB\"\n\
             [cluster]\nnats = {nats:?}\nname = \"{name}\"\nstream = \"morpion\"\ncheckpoint_every = 100\n\
             closed_network = true\njoin_secret = \"the same on all nodes of this cluster too\"\n\
             [play]\nengine_use_cpu_percent = 0\n\
             [log]\ndir = \"\"\n\
             {sections}"
        );
        let config = folder.join("morpion.toml");
        std::fs::write(&config, text).unwrap();
        Self {
            name,
            address,
            config,
            data,
            log: folder.join("log"),
            own,
            program: Mutex::default(),
            has_crashed: AtomicBool::default(),
        }
    }

    /// `morpion` with this node's configuration.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_morpion"));
        command.arg("--config").arg(&self.config).args(arguments);
        command
    }

    /// Unless it runs.
    pub fn start(&self) {
        let mut program = self.program.lock();
        if program.is_none() {
            let mut command = self.command(&["serve"]);
            if let Some((_, clock)) = &self.own {
                command.envs(clock.variables());
            }
            *program = Some(Program::start(&mut command, &self.log));
        }
    }

    /// SIGKILL; remembers whether it had ended by itself.
    pub fn kill(&self) {
        let program = self.program.lock().take();
        if program.is_some_and(|mut program| program.has_ended()) {
            self.has_crashed.store(true, Ordering::Relaxed);
        }
    }

    /// SIGTERM; returns when everything is drained.
    pub async fn terminate(&self) {
        let program = self.program.lock().take();
        let status = program.expect("it runs").terminate().await;
        assert!(status.success(), "{}: {status}", self.name);
    }

    /// Makes its data those of a server that is in no cluster; it does not run.
    pub fn forget_cluster(&self) {
        std::fs::remove_dir_all(self.data.join("cluster")).unwrap();
    }

    pub fn signal(&self, signal: &str) {
        if let Some(program) = &*self.program.lock() {
            program.signal(signal);
        }
    }

    pub fn is_running(&self) -> bool {
        self.program.lock().is_some()
    }

    /// Whether it ended by itself, now or before.
    pub fn has_crashed(&self) -> bool {
        self.has_crashed.load(Ordering::Relaxed) || self.program.lock().as_mut().is_some_and(Program::has_ended)
    }

    /// The operator's token, if this node has led.
    pub fn token(&self) -> Option<String> {
        let token = std::fs::read_to_string(self.data.join("operator.token")).ok()?;
        Some(token.trim().to_owned())
    }

    /// Where letters go that this node sends.
    pub fn outbox(&self) -> PathBuf {
        self.data.join("outbox")
    }

    /// Fills its disk; freed by removing the file. `None` without a disk of its own.
    pub fn fill_disk(&self) -> Option<PathBuf> {
        self.own.as_ref().map(|(disk, _)| disk.fill())
    }

    /// Sets its clock, if it has one of its own, so many seconds ahead of the machine's.
    pub fn set_clock(&self, ahead: i64) {
        if let Some((_, clock)) = &self.own {
            clock.set(ahead);
        }
    }
}
