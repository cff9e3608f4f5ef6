//! How long a server killed under load is unavailable.

use std::time::{Duration, Instant};

use anyhow::bail;
use tokio::task::JoinSet;

use crate::{
    matches::{Boards, Last, Morpion, begin},
    process::{Program, Server},
    seed::Seeded,
};

const GAMES: usize = 2_000;

/// Games during repeated kills, and the number of kills.
const FEW_GAMES: usize = 10;
const KILLS: usize = 10;

/// The limit for a start after a kill; the aim is a second.
const MOST: Duration = Duration::from_secs(3);

pub async fn crash() -> anyhow::Result<()> {
    println!("Killed at full speed: from the start of the next process to its first answer");
    let mut slowest = Duration::ZERO;
    for seconds in [2, 8, 30, 120] {
        let seeded = Seeded::new(2 * GAMES, 0).await?;
        play_and_kill(&seeded, GAMES, Duration::from_secs(seconds)).await?;
        let taken = back(&seeded).await?;
        println!("  {GAMES} games, after {seconds:>2} s: {:.0} ms", taken.as_secs_f64() * 1e3);
        slowest = slowest.max(taken);
    }
    let seeded = Seeded::new(2 * FEW_GAMES, 0).await?;
    let mut times = vec![];
    for _ in 0..KILLS {
        play_and_kill(&seeded, FEW_GAMES, Duration::from_secs(2)).await?;
        let taken = back(&seeded).await?;
        times.push(format!("{:.0}", taken.as_secs_f64() * 1e3));
        slowest = slowest.max(taken);
    }
    println!("  {FEW_GAMES} games, again and again after 2 s: {} ms", times.join(", "));
    if slowest > MOST {
        bail!("a start took {slowest:?}; none may take more than {MOST:?}");
    }
    Ok(())
}

/// Plays for this long, and kills the server meanwhile.
async fn play_and_kill(seeded: &Seeded, games: usize, after: Duration) -> anyhow::Result<()> {
    let server = Server::start(Program::Morpion, seeded).await?;
    let morpion = Morpion::new(server.address, seeded, Boards::Small)?;
    let mut playing: JoinSet<anyhow::Result<Last>> = begin(&morpion, games).await?;
    tokio::select! {
        Some(ended) = playing.join_next() => bail!("the play ended before the server was killed: {ended:?}"),
        () = tokio::time::sleep(after) => {}
    }
    // Killed by being dropped, before the players are.
    drop(server);
    drop(playing);
    Ok(())
}

/// How long a new process takes to answer.
async fn back(seeded: &Seeded) -> anyhow::Result<Duration> {
    let started = Instant::now();
    let server = Server::start(Program::Morpion, seeded).await?;
    reqwest::get(format!("http://{}/api/auth/check-login", server.address)).await?.error_for_status()?;
    let taken = started.elapsed();
    // Killed too: a clean stop would leave nothing to replay.
    drop(server);
    Ok(taken)
}
