//! NATS servers for a cluster: each of its commits is on the disk of a majority of them.

use std::{
    net::{Ipv4Addr, SocketAddr, TcpListener},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::Duration,
};

use anyhow::{Context, ensure};
use tempfile::TempDir;

use crate::process::Process;

const SERVERS: usize = 3;

/// Killed when this is dropped.
pub struct Nats {
    servers: Vec<Process>,
    /// Where nodes connect to.
    pub urls: Vec<String>,
    _folder: TempDir,
}

impl Nats {
    /// Starts servers that store nothing yet, with the settings of `docs/hosting/cluster.md`, on the core of the load.
    ///
    /// # Errors
    /// The program is not there, or the temporary folder cannot be written.
    pub fn start() -> anyhow::Result<Self> {
        let (program, folder) = (program()?, tempfile::tempdir()?);
        let addresses = free_addresses(2 * SERVERS)?;
        let (clients, routes) = addresses.split_at(SERVERS);
        let (urls, others) = (urls_of(clients), urls_of(routes));
        let mut servers = Vec::with_capacity(SERVERS);
        for (number, (client, route)) in clients.iter().zip(routes).enumerate() {
            let store = folder.path().join(number.to_string());
            let text = format!(
                "server_name: nats-{number}\nlisten: \"{client}\"\nmax_payload: 8MB\n\
                 jetstream {{ store_dir: {store:?}, sync_interval: always, max_file_store: 20GB }}\n\
                 cluster {{ name: bench, listen: \"{route}\", routes: {others:?} }}\n"
            );
            let config = store.with_extension("conf");
            std::fs::write(&config, text)?;
            let mut command = Command::new(&program);
            command.arg("-c").arg(config).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
            servers.push(Process::start(&mut command).with_context(|| program.display().to_string())?);
        }
        Ok(Self { servers, urls, _folder: folder })
    }

    /// User and system time of all of them so far.
    pub fn cpu(&self) -> Duration {
        self.servers.iter().map(Process::cpu).sum()
    }
}

fn urls_of(addresses: &[SocketAddr]) -> Vec<String> {
    addresses.iter().map(|address| format!("nats://{address}")).collect()
}

/// The program: `MORPION_NATS_SERVER`, else what `scripts/nats/install` installs unless it is there.
fn program() -> anyhow::Result<PathBuf> {
    if let Some(path) = std::env::var_os("MORPION_NATS_SERVER") {
        return Ok(path.into());
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scripts/nats/install");
    let installed = Command::new(&script).stderr(Stdio::inherit()).output();
    let installed = installed.with_context(|| script.display().to_string())?;
    ensure!(installed.status.success(), "the NATS server cannot be installed; MORPION_NATS_SERVER names another one");
    let printed = String::from_utf8(installed.stdout)?;
    Ok(printed.lines().next_back().context("the path of the NATS server is missing")?.into())
}

/// Different addresses that nobody listens on.
fn free_addresses(count: usize) -> std::io::Result<Vec<SocketAddr>> {
    let listeners: Vec<_> =
        (0..count).map(|_| TcpListener::bind((Ipv4Addr::LOCALHOST, 0))).collect::<std::io::Result<_>>()?;
    listeners.iter().map(TcpListener::local_addr).collect()
}
