//! The same play on other servers, from the least that it can cost on this machine to the usual libraries of Node
//! (`benches/peers`), which keep games in memory only. See `docs/performance.md`.

mod check;
pub mod cluster;
pub mod cores;
mod frames;
pub mod limit;
mod lone;
mod nats;
mod players;
mod plot;
mod seat;
pub mod sustained;
mod table;
mod wire;

use std::{
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use anyhow::{Context, anyhow, ensure};
use check::Rules;
use players::{Pace, Players};
use seat::Place;
use table::Round;
use wire::Wire;

use crate::{
    SERVER_CORE,
    process::{Server, on_server_core, own_cpu},
    seed::{Account, Seeded},
};

/// Games at once, few and many.
const GAMES: [usize; 2] = [500, 2_000];

const WARM_UP: Duration = Duration::from_secs(3);

/// What Morpion aims at, by games at once: at most these many times the CPU time of the durable limit and of ws.
const AIMS: [[f64; 2]; 2] = [[2.0, 1.0], [1.5, 0.8]];

/// How long each server is measured; `MORPION_BENCH_SECONDS`.
fn measured() -> Duration {
    Duration::from_secs(from_environment("MORPION_BENCH_SECONDS", 8))
}

/// How often all are measured, one after another; `MORPION_BENCH_ROUNDS`.
fn rounds() -> usize {
    from_environment("MORPION_BENCH_ROUNDS", 3) as usize
}

fn from_environment(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).filter(|number| *number > 0).unwrap_or(default)
}

/// Whether a server is measured: all are, or those whose names in `MORPION_BENCH_SERVERS`, separated by semicolons, theirs
/// begin with.
fn is_chosen(peer: Peer) -> bool {
    let chosen = std::env::var("MORPION_BENCH_SERVERS").ok();
    chosen.is_none_or(|chosen| chosen.split(';').any(|name| peer.name().starts_with(name.trim())))
}

/// A server to compare with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Peer {
    Limit,
    DurableLimit,
    Bun,
    Ws,
    SocketIo,
    Colyseus,
    Boardgame,
    Morpion,
}

impl Peer {
    const ALL: [Self; 8] = [
        Self::Limit,
        Self::DurableLimit,
        Self::Bun,
        Self::Ws,
        Self::SocketIo,
        Self::Colyseus,
        Self::Boardgame,
        Self::Morpion,
    ];

    const fn name(self) -> &'static str {
        match self {
            Self::Limit => "limit",
            Self::DurableLimit => "limit, durable",
            Self::Bun => "Bun's server",
            Self::Ws => "ws on Node",
            Self::SocketIo => "socket.io on Node",
            Self::Colyseus => "Colyseus on Node",
            Self::Boardgame => "boardgame.io on Node",
            Self::Morpion => "Morpion, durable",
        }
    }

    const fn wire(self) -> Wire {
        match self {
            Self::Limit | Self::DurableLimit | Self::Bun | Self::Ws => Wire::Plain,
            Self::SocketIo => Wire::SocketIo,
            Self::Colyseus => Wire::Colyseus,
            Self::Boardgame => Wire::Boardgame,
            Self::Morpion => Wire::Morpion,
        }
    }

    const fn rules(self) -> Rules {
        match self {
            Self::Limit | Self::DurableLimit => Rules::Turns,
            _ => Rules::All,
        }
    }

    /// The folder of its packages in `benches/peers`, and one of them.
    const fn package(self) -> Option<(&'static str, &'static str)> {
        match self {
            Self::Limit | Self::DurableLimit | Self::Morpion => None,
            Self::Bun => Some(("bun", "bun")),
            Self::Ws => Some(("ws", "ws")),
            Self::SocketIo => Some(("socketio", "socket.io")),
            Self::Colyseus => Some(("colyseus", "@colyseus/core")),
            Self::Boardgame => Some(("boardgame", "boardgame.io")),
        }
    }

    /// The version of its package; an error if npm could not install it.
    fn version(self) -> anyhow::Result<String> {
        let Some((folder, package)) = self.package() else { return Ok(String::new()) };
        let file = peers().join(folder).join("node_modules").join(package).join("package.json");
        let manifest =
            std::fs::read_to_string(&file).context("not installed: npm has it not, or could not be reached")?;
        let manifest: serde_json::Value = serde_json::from_str(&manifest)?;
        ensure!(program(self).is_none_or(|program| program.exists()), "its runtime is not installed");
        Ok(format!(" {}", manifest["version"].as_str().unwrap_or_default()))
    }
}

fn peers() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/peers")
}

/// What runs the server of a peer.
fn program(peer: Peer) -> Option<PathBuf> {
    match peer {
        Peer::Limit | Peer::DurableLimit | Peer::Morpion => None,
        Peer::Bun => Some(peers().join("bun/node_modules/bun/bin/bun.exe")),
        _ => Some(peers().join("node/node_modules/node/bin/node")),
    }
}

/// A server that runs, and who plays on it.
struct Running {
    server: Server,
    seeded: Option<Seeded>,
    /// Of the durable limit's file.
    _folder: Option<tempfile::TempDir>,
    wire: Wire,
}

impl Running {
    async fn start(peer: Peer, games: usize) -> anyhow::Result<Self> {
        let wire = peer.wire();
        if peer == Peer::Morpion {
            return Self::start_morpion(Seeded::new(2 * games, 0).await?, SERVER_CORE);
        }
        if let (Some(program), Some((folder, _))) = (program(peer), peer.package()) {
            let server = Server::spawn(on_server_core(&program).arg(peers().join(folder).join("server.mjs")))?;
            return Ok(Self { server, seeded: None, _folder: None, wire });
        }
        let folder = (peer == Peer::DurableLimit).then(tempfile::tempdir).transpose()?;
        let mut command = on_server_core(&std::env::current_exe()?);
        command.arg(limit::SERVE).args(folder.as_ref().map(tempfile::TempDir::path));
        Ok(Self { server: Server::spawn(&mut command)?, seeded: None, _folder: folder, wire })
    }

    /// Morpion itself, on these cores.
    fn start_morpion(seeded: Seeded, cores: &str) -> anyhow::Result<Self> {
        let server = Server::start_on(cores, &seeded)?;
        Ok(Self { server, seeded: Some(seeded), _folder: None, wire: Wire::Morpion })
    }

    fn place(&self) -> Place<'_> {
        let accounts: &[Account] = self.seeded.as_ref().map_or(&[], |seeded| &seeded.accounts);
        Place { wire: self.wire, address: self.server.address, host: self.server.address, accounts }
    }
}

/// Checks a server's rules, each on a fresh one.
async fn check_rules(peer: Peer) -> anyhow::Result<()> {
    let running = Running::start(peer, 1).await?;
    check::check(&running.place(), peer.rules()).with_context(|| format!("{} plays another game", peer.name()))
}

/// One measurement on a fresh server, so that measurements are independent.
async fn measure(peer: Peer, games: usize) -> anyhow::Result<Round> {
    full_speed(&Running::start(peer, games).await?, games)
}

/// What full speed costs once it has gone on for a while.
fn full_speed(running: &Running, games: usize) -> anyhow::Result<Round> {
    let mut players = Players::seat(&[running.place()], games, Pace::AtOnce)?;
    players.begin()?;
    players.play(WARM_UP)?;
    round(&running.server, &mut players, measured())
}

/// Plays for this long; what it cost the server and the players.
fn round(server: &Server, players: &mut Players, time: Duration) -> anyhow::Result<Round> {
    let (started, server_cpu, load_cpu) = (Instant::now(), server.cpu(), own_cpu());
    let latency = players.play(time)?;
    let (elapsed, server_cpu, load_cpu) = (started.elapsed(), server.cpu() - server_cpu, own_cpu() - load_cpu);
    Ok(Round::new(elapsed, server_cpu, load_cpu, &latency, server.resident_bytes()))
}

/// The part `peers`.
///
/// # Errors
/// A server plays another game than the others, or stops.
pub async fn compared() -> anyhow::Result<()> {
    let (seconds, rounds) = (measured().as_secs(), rounds());
    println!(
        "The same 3×3 play on other servers: {} and {} games, players answer at once, a rematch after every game;\n\
         server on one core, players on the other; medians of {rounds} rounds of {seconds} s. Only limit, durable and\n\
         Morpion tell of a move after it is on disk; only Morpion keeps games.",
        table::grouped(GAMES[0] as f64),
        table::grouped(GAMES[1] as f64),
    );
    let mut found: Vec<[Vec<Round>; 2]> = vec![Default::default(); Peer::ALL.len()];
    let mut versions = Vec::new();
    for peer in Peer::ALL {
        let version = if is_chosen(peer) { peer.version() } else { Err(anyhow!("not chosen")) };
        if version.is_ok() {
            check_rules(peer).await?;
        }
        versions.push(version);
    }
    // One round after another, so that what else the machine does meets all alike.
    for _ in 0..rounds {
        for (at, peer) in Peer::ALL.into_iter().enumerate().filter(|(at, _)| versions[*at].is_ok()) {
            for (rounds, games) in found[at].iter_mut().zip(GAMES) {
                rounds.push(measure(peer, games).await.with_context(|| format!("{}, {games} games", peer.name()))?);
            }
        }
    }
    println!(
        "\n  | server | CPU µs a move at 500 / 2,000 games | moves/s | p99 ms | MiB at 2,000 games | players busy % |"
    );
    println!("  |---|---|---|---|---|---|");
    let mut medians = Vec::new();
    for ((peer, version), rounds) in Peer::ALL.into_iter().zip(&versions).zip(&found) {
        let name = peer.name();
        match version {
            Ok(version) => {
                let [few, many] = [Round::median(&rounds[0]), Round::median(&rounds[1])];
                println!(
                    "  | {name}{version} | {:.1} / {:.1} | {} / {} | {:.0} / {:.0} | {:.0} | {:.0} / {:.0} |",
                    few.cpu_micros,
                    many.cpu_micros,
                    table::grouped(few.moves_a_second),
                    table::grouped(many.moves_a_second),
                    few.p99_ms,
                    many.p99_ms,
                    many.resident_mib,
                    few.load_busy * 100.0,
                    many.load_busy * 100.0,
                );
                medians.push((peer, [few, many]));
            }
            Err(error) => println!("  | {name} | {error} | | | | |"),
        }
    }
    print_ratios(&medians);
    lone::lone().await
}

fn print_ratios(medians: &[(Peer, [Round; 2])]) {
    let of = |peer| medians.iter().find(|(found, _)| *found == peer).map(|(_, rounds)| rounds);
    let Some(ours) = of(Peer::Morpion) else { return };
    println!("\n  A move costs Morpion, in CPU time:");
    for (number, yardstick) in [Peer::DurableLimit, Peer::Ws].into_iter().enumerate() {
        let Some(theirs) = of(yardstick) else { continue };
        for (at, games) in GAMES.into_iter().enumerate() {
            let times = ours[at].cpu_micros / theirs[at].cpu_micros;
            let (name, aim) = (yardstick.name(), AIMS[at][number]);
            println!("    {times:.2} times what it costs {name:<16} at {games:>5} games (aim: at most {aim:.1})");
        }
    }
}
