//! The cost of play: `make bench`, or `cargo bench --bench load [-- PART…]`.
//!
//! Starts the real server on one core and plays from another, over real sockets of this machine: every move is sent by
//! one player, put on disk by the server, and received by the other, who answers at once. The figure to compare is the
//! server's CPU time a move; how busy the load generator was is printed beside it. A part is one of `games`, `peers`,
//! `sustained`, `soak`, `cores`, `commit`, `idle`, `start`, `crash`, `logs`, `flood`, `backup`, `sizing`, `spectators`,
//! `visitors`, `cluster`; without one, all are measured but for `soak`, which takes an hour. Everything happens on 127.0.0.1.

mod backup;
mod certificate;
mod crash;
mod flood;
mod idle;
mod logs;
mod matches;
mod peers;
mod process;
mod seed;
mod sizing;
mod socket;
mod spectators;
mod visitors;

use std::{path::Path, process::Command, time::Instant};

use anyhow::{Context, bail};
use matches::{Boards, Measured, Morpion, measure};
use process::{Program, Server};
use seed::Seeded;

/// Set for the process that is already on its own core.
const PINNED: &str = "BENCH_PINNED";

/// Where the server runs and where the load comes from.
pub const SERVER_CORE: &str = "0";
const LOAD_CORE: &str = "1";

/// Games in the store at the second cold start.
const STORED_GAMES: usize = 100_000;

const PARTS: [&str; 16] = [
    "games",
    "peers",
    "sustained",
    "soak",
    "cores",
    "commit",
    "idle",
    "start",
    "crash",
    "logs",
    "flood",
    "backup",
    "sizing",
    "spectators",
    "visitors",
    "cluster",
];

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    if arguments.first().is_some_and(|argument| argument == process::ONE_COMMIT_A_MOVE) {
        return process::serve_one_commit_a_move();
    }
    if let Some((first, rest)) = arguments.split_first()
        && first == peers::limit::SERVE
    {
        return peers::limit::serve(rest.first().map(Path::new));
    }
    if let Some(unknown) = arguments.iter().find(|argument| !PARTS.contains(&argument.as_str())) {
        bail!("{unknown} is not a part; there are {}", PARTS.join(", "));
    }
    if std::env::var_os(PINNED).is_none() && process::can_pin() {
        let me = std::env::current_exe()?;
        let status =
            Command::new("taskset").args(["-c", LOAD_CORE]).arg(me).args(&arguments).env(PINNED, "1").status()?;
        std::process::exit(status.code().unwrap_or(1));
    }
    if !process::can_pin() {
        println!("This machine has one core, or no taskset: server and load share what there is.\n");
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let local = tokio::task::LocalSet::new();
    local.block_on(&runtime, async {
        for part in PARTS {
            if (arguments.is_empty() && part != "soak") || arguments.iter().any(|wanted| wanted == part) {
                match part {
                    "games" => games().await?,
                    "peers" => peers::compared().await?,
                    "sustained" => peers::sustained::sustained().await?,
                    "soak" => peers::sustained::soak().await?,
                    "cores" => peers::cores::cores().await?,
                    "commit" => commits().await?,
                    "idle" => idle::idle().await?,
                    "crash" => crash::crash().await?,
                    "backup" => backup::backup().await?,
                    "sizing" => sizing::sizing().await?,
                    "spectators" => spectators::spectators().await?,
                    "visitors" => visitors::visitors().await?,
                    "logs" => logs::logs().await?,
                    "flood" => flood::flood().await?,
                    "cluster" => peers::cluster::cluster().await?,
                    _ => cold_start().await?,
                }
                println!();
            }
        }
        anyhow::Ok(())
    })
}

fn head(title: &str) {
    println!("{title}");
    println!(
        "  {:<34}{:>10}{:>12}{:>10}{:>10}{:>10}{:>12}",
        "", "moves/s", "CPU a move", "p50", "p99", "p999", "load busy"
    );
}

fn line(name: &str, measured: &Measured) {
    let ms = |quantile: f64| format!("{:.1} ms", measured.latency.value_at_quantile(quantile) as f64 / 1_000.0);
    println!(
        "  {name:<34}{:>10.0}{:>9.1} µs{:>10}{:>10}{:>10}{:>10.0} %",
        measured.moves_a_second(),
        measured.server_cpu_a_move().as_secs_f64() * 1e6,
        ms(0.5),
        ms(0.99),
        ms(0.999),
        measured.load_busy * 100.0,
    );
}

/// One measurement on a fresh server, so that measurements are independent.
async fn play(program: Program, count: usize, boards: Boards) -> anyhow::Result<Measured> {
    play_on(Seeded::new(2 * count, 0).await?, program, count, boards).await
}

async fn play_on(seeded: Seeded, program: Program, count: usize, boards: Boards) -> anyhow::Result<Measured> {
    let server = Server::start(program, &seeded).await?;
    let morpion = Morpion::new(server.address, &seeded, boards)?;
    measure(&server, &morpion, count).await.with_context(|| format!("{count} games"))
}

async fn games() -> anyhow::Result<()> {
    head("Live games of two sockets each, every move on disk before it is announced (send → the opponent's receipt)");
    for count in [100, 1_000, 2_000, 5_000, matches::MOST_GAMES] {
        let measured = play(Program::Morpion, count, Boards::Small).await?;
        line(&format!("{count} games, 3×3, a new one every 9"), &measured);
    }
    let measured = play(Program::Morpion, 2_000, Boards::Large).await?;
    line("2000 games, 6×6, a new one every 36", &measured);
    Ok(())
}

async fn commits() -> anyhow::Result<()> {
    head("Group commit against one commit a move, and an encrypted database");
    let encrypted = format!("{}[storage]\nencryption_key = \"{}\"\n", seed::loose_limits(), "5e".repeat(32));
    for count in [1, 10, 100, 1_000] {
        let grouped = play(Program::Morpion, count, Boards::Large).await?;
        line(&format!("{count} games, group commit"), &grouped);
        let single = play(Program::OneCommitAMove, count, Boards::Large).await?;
        line(&format!("{count} games, one commit a move"), &single);
        println!("    {:.1} times the moves", grouped.moves_a_second() / single.moves_a_second());
        let seeded = Seeded::with_settings(2 * count, 0, &encrypted).await?;
        let sealed = play_on(seeded, Program::Morpion, count, Boards::Large).await?;
        line(&format!("{count} games, group commit, encrypted"), &sealed);
    }
    Ok(())
}

async fn cold_start() -> anyhow::Result<()> {
    println!("Cold start: from the start of the process to its first answer, median of 5");
    for stored in [0, STORED_GAMES] {
        let seeded = Seeded::new(200, stored).await?;
        let mut times = Vec::new();
        for _ in 0..5 {
            let started = Instant::now();
            let server = Server::start(Program::Morpion, &seeded).await?;
            reqwest::get(format!("http://{}/api/auth/check-login", server.address)).await?.error_for_status()?;
            times.push(started.elapsed());
            server.stop();
        }
        times.sort();
        println!("  {stored:>6} stored games: {:.0} ms", times[2].as_secs_f64() * 1e3);
    }
    Ok(())
}
