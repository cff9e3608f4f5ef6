//! Full speed for minutes, with the settings that the program has: what is not stored as fast as it is played gathers in
//! memory, and in the end games are refused. And for an hour, with many more people who only wait.

use std::{
    net::{Ipv4Addr, SocketAddr, TcpListener},
    path::PathBuf,
    time::{Duration, Instant},
};

use anyhow::Context;

use super::{
    Running, from_environment,
    players::{Pace, Players},
    plot, round,
    table::{Round, grouped},
};
use crate::{
    SERVER_CORE,
    seed::{Account, Seeded, loose_limits},
    socket::{MORPION, connect_from, shake_hands, source},
};

/// Moves of a game: all are drawn.
const MOVES: f64 = 9.0;

/// Who waits has one of so many accounts.
const WAITING_ACCOUNTS: usize = 200;

/// How long is measured, and with how many.
struct Plan {
    minutes: u64,
    games: usize,
    /// Connections of people who do not play.
    waiting: usize,
    /// How long a line of the output is.
    step: Duration,
}

/// What was found in one step.
pub struct Sample {
    /// Since play began.
    pub minutes: f64,
    pub round: Round,
    /// Ended games that are only in memory and in the journal.
    pub unstored: f64,
    pub descriptors: usize,
    pub tables: usize,
    pub files: usize,
    pub folder_mib: f64,
}

/// The part `sustained`.
///
/// # Errors
/// A game is refused, or the server stops.
pub async fn sustained() -> anyhow::Result<()> {
    let minutes = from_environment("MORPION_BENCH_MINUTES", 10);
    let games = from_environment("MORPION_BENCH_GAMES", 500) as usize;
    run(Plan { minutes, games, waiting: 0, step: Duration::from_secs(30) }).await?;
    Ok(())
}

/// The part `soak`, with a plot in the file that `MORPION_BENCH_PLOT` names.
///
/// # Errors
/// As [`sustained`], or somebody who waits is disconnected.
pub async fn soak() -> anyhow::Result<()> {
    let minutes = from_environment("MORPION_BENCH_MINUTES", 60);
    let games = from_environment("MORPION_BENCH_GAMES", 2_000) as usize;
    let samples = run(Plan { minutes, games, waiting: 10_000, step: Duration::from_secs(60) }).await?;
    if let Some(file) = std::env::var_os("MORPION_BENCH_PLOT").map(PathBuf::from) {
        plot::draw(&file, &samples)?;
        println!("  drawn in {}", file.display());
    }
    Ok(())
}

async fn run(plan: Plan) -> anyhow::Result<Vec<Sample>> {
    let Plan { minutes, games, waiting, step } = plan;
    println!(
        "{} games at full speed for {minutes} minutes, a rematch after every game, with the default settings; {} more\n\
         connections that only wait",
        grouped(games as f64),
        grouped(waiting as f64)
    );
    println!(
        "  {:>8}{:>12}{:>14}{:>10}{:>12}{:>12}{:>14}{:>14}{:>8}{:>8}{:>14}",
        "",
        "moves/s",
        "CPU a move",
        "p99",
        "longest",
        "memory",
        "not stored",
        "descriptors",
        "files",
        "tables",
        "data folder"
    );
    let metrics = free_address()?;
    let settings = format!("{}[metrics]\nlisten = \"{metrics}\"\n", loose_limits());
    let seeded = Seeded::with_settings(2 * games + WAITING_ACCOUNTS, 0, &settings).await?;
    let running = Running::start_morpion(seeded, SERVER_CORE)?;
    let seeded = running.seeded.as_ref().context("Morpion has accounts")?;
    let before = seeded.size()?.bytes;
    let (mut moves, mut samples) = (0.0, vec![]);
    {
        let mut players = Players::seat(&[running.place()], games, Pace::AtOnce)?;
        for number in 0..waiting {
            let account = &seeded.accounts[2 * games + number % WAITING_ACCOUNTS];
            players.admit_waiting(wait(running.server.address, account, number).await?)?;
        }
        players.begin()?;
        let begun = Instant::now();
        while begun.elapsed() < Duration::from_secs(60 * minutes) {
            let round = round(&running.server, &mut players, step)?;
            moves += round.moves_a_second * step.as_secs_f64();
            let size = seeded.size()?;
            let sample = Sample {
                minutes: begun.elapsed().as_secs_f64() / 60.0,
                round,
                unstored: unstored(metrics).await?,
                descriptors: running.server.descriptors(),
                tables: size.tables,
                files: size.files,
                folder_mib: size.bytes as f64 / f64::from(1 << 20),
            };
            print(&sample);
            samples.push(sample);
        }
    }
    let Running { server, seeded, .. } = running;
    server.stop();
    let after = seeded.context("Morpion has accounts")?.size()?.bytes;
    let (games, data) = (moves / MOVES, after.saturating_sub(before));
    println!("  {} games; stopped, each takes {:.0} bytes of the data folder", grouped(games), data as f64 / games);
    Ok(samples)
}

fn print(sample: &Sample) {
    let round = &sample.round;
    println!(
        "  {:>6.0} s{:>12}{:>11.1} µs{:>7.0} ms{:>9.0} ms{:>8.0} MiB{:>14}{:>14}{:>8}{:>8}{:>10.0} MiB",
        sample.minutes * 60.0,
        grouped(round.moves_a_second),
        round.cpu_micros,
        round.p99_ms,
        round.longest_ms,
        round.resident_mib,
        grouped(sample.unstored),
        sample.descriptors,
        sample.files,
        sample.tables,
        sample.folder_mib,
    );
}

/// Connects somebody who waits.
async fn wait(server: SocketAddr, account: &Account, number: usize) -> anyhow::Result<std::net::TcpStream> {
    let mut stream = connect_from(source(number), server).await?;
    shake_hands(&mut stream, server, MORPION, &format!("Cookie: {}\r\n", account.cookie())).await?;
    Ok(stream.into_std()?)
}

/// An address that nobody listens on yet.
fn free_address() -> anyhow::Result<SocketAddr> {
    Ok(TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?)
}

/// Ended games that wait to be stored, as the server says.
async fn unstored(metrics: SocketAddr) -> anyhow::Result<f64> {
    let text = reqwest::get(format!("http://{metrics}/metrics")).await?.text().await?;
    let line = text.lines().find_map(|line| line.strip_prefix(r#"morpion_queue_length{queue="games"} "#));
    Ok(line.context("no such metric")?.parse()?)
}
