//! How much memory and how much of a core a number of players needs: the table of `docs/hosting/sizing.md`.

use std::time::Duration;

use anyhow::Context;

use crate::{
    STORED_GAMES,
    matches::{Boards, MOST_GAMES, Morpion, Pace, measure_at},
    process::{Program, Server},
    seed::Seeded,
};

/// Players who all play at once and think for three seconds, which is more than any community does all day.
const PACE: Pace = Pace { thought: Duration::from_secs(3), measured: Duration::from_secs(40) };

pub async fn sizing() -> anyhow::Result<()> {
    println!("What players need who all play at once, {} s before each move", PACE.thought.as_secs());
    println!("  {:>8}{:>10}{:>10}{:>14}{:>10}{:>10}", "players", "moves/s", "a core", "resident", "p50", "p99");
    for games in [50, 500, 2_500, 5_000, MOST_GAMES] {
        let seeded = Seeded::new(2 * games, 0).await?;
        let server = Server::start(Program::Morpion, &seeded).await?;
        let morpion = Morpion::new(server.address, &seeded, Boards::Small)?;
        let measured = measure_at(&server, &morpion, games, PACE).await.with_context(|| format!("{games} games"))?;
        let resident = server.resident_bytes() >> 20;
        let ms = |quantile: f64| measured.latency.value_at_quantile(quantile) as f64 / 1_000.0;
        println!(
            "  {:>8}{:>10.0}{:>8.0} %{:>10} MiB{:>7.1} ms{:>7.1} ms",
            2 * games,
            measured.moves_a_second(),
            measured.server_cpu_a_move().as_secs_f64() * measured.moves_a_second() * 100.0,
            resident,
            ms(0.5),
            ms(0.99),
        );
    }
    let empty = Seeded::new(0, 0).await?.size()?.bytes;
    let full = Seeded::new(200, STORED_GAMES).await?.size()?.bytes;
    let each = full.saturating_sub(empty) as f64 / 1024.0 / STORED_GAMES as f64;
    println!("  {STORED_GAMES} finished games of 3×3: {each:.1} KiB of disk a game");
    Ok(())
}
