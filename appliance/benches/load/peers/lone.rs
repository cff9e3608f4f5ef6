//! The lone move: a hundred moves a second in all, so that each has a commit of its own. This is what a small host pays
//! all day.

use std::{
    fs::File,
    io::Write,
    time::{Duration, Instant},
};

use hdrhistogram::Histogram;

use super::{
    Peer, Running, measured,
    players::{Pace, Players},
    round,
    seat::Place,
    table::Round,
};
use crate::process::Server;

/// Between two moves.
const STEP: Duration = Duration::from_millis(10);

/// Bytes of a record of the disk's own sync: about what a move takes in the journal.
const RECORD: [u8; 64] = [b'm'; 64];

/// What Morpion aims at: microseconds of CPU, and times the disk's own sync.
const AIM: (f64, f64) = (100.0, 1.3);

const WARM_UP: Duration = Duration::from_secs(2);

/// The server does other things at that pace as well; for so long it is only watched.
const IDLE: Duration = Duration::from_secs(5);

/// Measured for longer than full speed, since there are few moves.
pub fn time() -> Duration {
    measured() * 5 / 2
}

/// So many that no game ends: that would be more than lone moves.
pub fn games() -> usize {
    ((WARM_UP + time()).as_millis() / STEP.as_millis() / 8) as usize + 1
}

pub async fn lone() -> anyhow::Result<()> {
    println!(
        "\n  The lone move: 100 moves a second in all, each in a commit of its own, for {} s",
        time().as_secs_f64().ceil()
    );
    println!("  {:<34}{:>12}{:>10}{:>10}{:>24}", "", "CPU a move", "p50", "p99", "p50 to the disk's sync");
    let mut sync = Histogram::new(3)?;
    sync_at_that_pace(&mut sync)?;
    let mut lines = Vec::new();
    for peer in [Peer::DurableLimit, Peer::Morpion] {
        lines.push((peer, play(peer).await?));
        sync_at_that_pace(&mut sync)?;
    }
    let ms = |quantile: f64| sync.value_at_quantile(quantile) as f64 / 1_000.0;
    println!("  {:<34}{:>12}{:>7.2} ms{:>7.2} ms", "append and fdatasync alone", "", ms(0.5), ms(0.99));
    for (peer, (round, idle)) in lines {
        println!(
            "  {:<34}{:>9.0} µs{:>7.2} ms{:>7.2} ms{:>24.2}   (idle, it uses {idle:.1} ms of CPU a second)",
            peer.name(),
            round.cpu_micros,
            round.p50_ms,
            round.p99_ms,
            round.p50_ms / ms(0.5),
        );
    }
    println!("  Morpion's aim: at most {:.0} µs, and at most {:.1} times the disk's own sync", AIM.0, AIM.1);
    Ok(())
}

async fn play(peer: Peer) -> anyhow::Result<(Round, f64)> {
    let running = Running::start(peer, games()).await?;
    measure(&running.server, &[running.place()])
}

/// The measurement of a server with the players of [`games`] at these places, and the milliseconds of CPU a second that
/// it uses without any move.
///
/// # Errors
/// A game is refused, or a connection is lost.
pub fn measure(server: &Server, places: &[Place<'_>]) -> anyhow::Result<(Round, f64)> {
    let mut players = Players::seat(places, games(), Pace::Every(STEP))?;
    std::thread::sleep(Duration::from_secs(1));
    let before = server.cpu();
    std::thread::sleep(IDLE);
    let idle = (server.cpu() - before).as_secs_f64() * 1e3 / IDLE.as_secs_f64();
    players.begin()?;
    players.play(WARM_UP)?;
    Ok((round(server, &mut players, time())?, idle))
}

/// How long the disk needs for its part, in microseconds: on the same disk, at the same pace.
fn sync_at_that_pace(took: &mut Histogram<u64>) -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let mut file = File::create(folder.path().join("sync"))?;
    let mut due = Instant::now();
    let until = due + time() / 4;
    while due < until {
        due += STEP;
        std::thread::sleep(due.saturating_duration_since(Instant::now()));
        let begun = Instant::now();
        file.write_all(&RECORD)?;
        file.sync_data()?;
        took.record(begun.elapsed().as_micros() as u64)?;
    }
    Ok(())
}
