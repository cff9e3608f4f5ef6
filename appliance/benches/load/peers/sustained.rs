//! Full speed for minutes, with the settings that the program has: what is not stored as fast as it is played gathers in
//! memory, and in the end games are refused.

use std::{
    path::Path,
    time::{Duration, Instant},
};

use super::{
    Peer, Running, from_environment,
    players::{Pace, Players},
    table::{Round, grouped},
};
use crate::process::own_cpu;

const GAMES: usize = 500;

/// Moves of a game: all are drawn.
const MOVES: f64 = 9.0;

/// How long a line of the output is.
const STEP: Duration = Duration::from_secs(30);

/// The part `sustained`.
///
/// # Errors
/// A game is refused, or the server stops.
pub async fn sustained() -> anyhow::Result<()> {
    let minutes = from_environment("MORPION_BENCH_MINUTES", 10);
    println!(
        "{GAMES} games at full speed for {minutes} minutes, a rematch after every game, with the default settings"
    );
    println!("  {:>8}{:>12}{:>14}{:>10}{:>12}{:>14}", "", "moves/s", "CPU a move", "p99", "memory", "data folder");
    let running = Running::start(Peer::Morpion, GAMES).await?;
    let folder = running.seeded.as_ref().map(|seeded| seeded.folder().to_owned()).unwrap_or_default();
    let before = bytes_in(&folder)?;
    let mut moves = 0;
    {
        let mut players = Players::seat(&[running.place()], GAMES, Pace::AtOnce)?;
        players.begin()?;
        let begun = Instant::now();
        while begun.elapsed() < Duration::from_secs(60 * minutes) {
            let server = &running.server;
            let (started, server_cpu, load_cpu) = (Instant::now(), server.cpu(), own_cpu());
            let latency = players.play(STEP)?;
            moves += latency.len();
            let used = (server.cpu() - server_cpu, own_cpu() - load_cpu);
            let round = Round::new(started.elapsed(), used.0, used.1, &latency, server.resident_bytes());
            println!(
                "  {:>6} s{:>12}{:>11.1} µs{:>7.0} ms{:>8.0} MiB{:>10.0} MiB",
                begun.elapsed().as_secs(),
                grouped(round.moves_a_second),
                round.cpu_micros,
                round.p99_ms,
                round.resident_mib,
                mib(bytes_in(&folder)?),
            );
        }
    }
    let Running { server, seeded, .. } = running;
    server.stop();
    let (games, data) = (moves as f64 / MOVES, bytes_in(&folder)?.saturating_sub(before));
    println!("  {} games; stopped, each takes {:.0} bytes of the data folder", grouped(games), data as f64 / games);
    drop(seeded);
    Ok(())
}

fn mib(bytes: u64) -> f64 {
    bytes as f64 / f64::from(1 << 20)
}

/// The size of all files below a folder. Those that vanish meanwhile are no part of it.
fn bytes_in(folder: &Path) -> anyhow::Result<u64> {
    let mut bytes = 0;
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        bytes += match entry.metadata() {
            Ok(metadata) if metadata.is_dir() => bytes_in(&entry.path()).unwrap_or(0),
            Ok(metadata) => metadata.len(),
            Err(_) => 0,
        };
    }
    Ok(bytes)
}
