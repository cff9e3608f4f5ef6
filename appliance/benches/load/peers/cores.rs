//! How play grows with cores, as far as two tell: the server on one of them, and on both.

use super::{
    GAMES, Peer, Running, full_speed, measured, rounds,
    table::{Round, grouped},
};
use crate::{SERVER_CORE, process::can_pin, seed::Seeded};

/// The players' core is the second one, so there they share it.
const CORES: [&str; 2] = [SERVER_CORE, "0,1"];

/// The part `cores`.
///
/// # Errors
/// The machine has one core, or the server stops.
pub async fn cores() -> anyhow::Result<()> {
    anyhow::ensure!(can_pin(), "this needs two cores, and taskset");
    println!(
        "{} on one core and on two, the second of which is the players': both together take all of it that there is;\n\
         medians of {} rounds of {} s",
        Peer::Morpion.name(),
        rounds(),
        measured().as_secs()
    );
    println!(
        "  {:>8}{:>8}{:>12}{:>14}{:>10}{:>14}{:>14}",
        "games", "cores", "moves/s", "CPU a move", "p99", "server busy", "players busy"
    );
    for games in GAMES {
        let mut found = [vec![], vec![]];
        for _ in 0..rounds() {
            for (found, cores) in found.iter_mut().zip(CORES) {
                found.push(measure(cores, games).await?);
            }
        }
        for (found, cores) in found.iter().zip(CORES) {
            let round = Round::median(found);
            println!(
                "  {games:>8}{:>8}{:>12}{:>11.1} µs{:>7.0} ms{:>12.0} %{:>12.0} %",
                cores.split(',').count(),
                grouped(round.moves_a_second),
                round.cpu_micros,
                round.p99_ms,
                round.cpu_micros * round.moves_a_second / 1e4,
                round.load_busy * 100.0,
            );
        }
    }
    Ok(())
}

async fn measure(cores: &str, games: usize) -> anyhow::Result<Round> {
    let running = Running::start_morpion(Seeded::new(2 * games, 0).await?, cores)?;
    full_speed(&running, games)
}
