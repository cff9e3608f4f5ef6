//! What backups cost play, and how long one of 1 GiB takes to be restored.

use std::{
    path::Path,
    process::Command,
    time::{Duration, Instant},
};

use anyhow::{Context, bail};
use bytes::Bytes;
use futures_util::{StreamExt, TryStreamExt, stream};
use hdrhistogram::Histogram;
use morpion_store::{NewAvatar, OpenOptions, Store};
use rand::RngCore;
use tempfile::TempDir;

use crate::{
    matches::{Boards, Morpion, Pace, measure_at},
    process::{Program, Server},
    seed::{Seeded, loose_limits},
};

const GAMES: usize = 1_000;

const PACE: Pace = Pace { thought: Duration::from_millis(500), measured: Duration::from_secs(12) };

/// Measurements with and without backups, in turns; an odd number, for the medians.
const ROUNDS: usize = 9;

/// What is compared: no backups, those of the default settings, and far more than anybody makes.
const SETTINGS: [(&str, Option<&str>); 3] = [
    ("without backups", None),
    ("by default, the log every 10 s", Some("")),
    ("one every 5 s, the log every second", Some("every = \"5s\"\nlog_every = \"1s\"")),
];

/// How much slower the slowest hundredth of moves may be with backups.
const MOST_COST: f64 = 1.10;

/// Pictures of random bytes, which are 1 GiB together.
const PICTURES: usize = 2_048;
const PICTURE: usize = 512 << 10;

/// The limit for the restore of them.
const MOST: Duration = Duration::from_secs(60);

pub async fn backup() -> anyhow::Result<()> {
    println!("Moves of {GAMES} games, half a second each");
    let mut rounds: [Vec<Histogram<u64>>; 3] = Default::default();
    for _ in 0..ROUNDS {
        for ((_, settings), rounds) in SETTINGS.iter().zip(&mut rounds) {
            let target = TempDir::new()?;
            rounds.push(play(&settings.map(|rest| section(target.path(), rest)).unwrap_or_default()).await?);
        }
    }
    for ((name, _), rounds) in SETTINGS.iter().zip(&rounds) {
        let (p50, p99) = (median(rounds, 0.5), median(rounds, 0.99));
        let all = rounds.iter().map(|times| format!("{:.1}", ms(times, 0.99))).collect::<Vec<_>>().join(" ");
        println!("  {name:<45} p50 {p50:>6.2} ms   p99 {p99:>6.2} ms, the median of {all}");
    }
    let cost = median(&rounds[1], 0.99) / median(&rounds[0], 0.99);
    println!("  p99 with backups by default is {cost:.2} times that without");
    restore().await?;
    if cost > MOST_COST {
        bail!("backups cost play {cost:.2} times the p99; at most {MOST_COST} is allowed");
    }
    Ok(())
}

fn ms(times: &Histogram<u64>, quantile: f64) -> f64 {
    times.value_at_quantile(quantile) as f64 / 1_000.0
}

/// A stall of the disk decides the slowest moves of one round; it does not decide the median of all.
fn median(rounds: &[Histogram<u64>], quantile: f64) -> f64 {
    let mut each: Vec<_> = rounds.iter().map(|times| ms(times, quantile)).collect();
    each.sort_by(f64::total_cmp);
    each[each.len() / 2]
}

fn section(target: &Path, rest: &str) -> String {
    format!("[backup]\nto = {target:?}\npassphrase = \"only for the benchmark\"\n{rest}\n")
}

async fn play(backup: &str) -> anyhow::Result<Histogram<u64>> {
    let seeded = Seeded::with_settings(2 * GAMES, 0, &(loose_limits() + backup)).await?;
    let server = Server::start(Program::Morpion, &seeded).await?;
    let morpion = Morpion::new(server.address, &seeded, Boards::Small)?;
    Ok(measure_at(&server, &morpion, GAMES, PACE).await?.latency)
}

async fn restore() -> anyhow::Result<()> {
    println!("A backup of {} MiB that cannot be compressed, encrypted", (PICTURES * PICTURE) >> 20);
    let target = TempDir::new()?;
    let seeded = Seeded::with_settings(PICTURES, 0, &(loose_limits() + &section(target.path(), ""))).await?;
    fill(&seeded).await?;
    let created = run(&seeded, &["backup", "create"])?;
    let into = TempDir::new()?;
    let restored = run(&seeded, &["restore", "latest", "--into", &into.path().to_string_lossy()])?;
    for (name, (taken, printed)) in [("create", &created), ("restore", &restored)] {
        println!("  {name:<10} {:>6.1} s   {printed}", taken.as_secs_f64());
    }
    let (taken, _) = run(&seeded, &["backup", "verify"])?;
    println!("  {:<10} {:>6.1} s", "verify", taken.as_secs_f64());
    if restored.0 > MOST {
        bail!("the restore took {:?}; it may take {MOST:?}", restored.0);
    }
    Ok(())
}

/// Gives everybody a picture.
async fn fill(seeded: &Seeded) -> anyhow::Result<()> {
    let store = Store::open(&seeded.config()?.database_url(), OpenOptions::default()).await?;
    let picture = async |number: usize| {
        let mut bytes = vec![0; PICTURE];
        rand::rng().fill_bytes(&mut bytes);
        let (version, media_type) = ("1".to_owned(), "image/png".to_owned());
        let avatar = NewAvatar { version, media_type, sizes: vec![(256, Bytes::from(bytes))] };
        store.set_avatar(seeded.accounts[number].id, Some(avatar)).await.context("a picture")
    };
    stream::iter((0..PICTURES).map(picture)).buffer_unordered(16).try_collect::<()>().await?;
    Ok(store.close().await?)
}

/// A command, how long it took, and what it printed.
fn run(seeded: &Seeded, arguments: &[&str]) -> anyhow::Result<(Duration, String)> {
    let begun = Instant::now();
    let output = Command::new(env!("CARGO_BIN_EXE_morpion"))
        .args(arguments)
        .args(["--listen", "127.0.0.1:1"])
        .env("MORPION_CONFIG", seeded.config_file())
        .output()?;
    let printed = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    if !output.status.success() {
        bail!("{arguments:?}: {printed}{}", String::from_utf8_lossy(&output.stderr));
    }
    Ok((begun.elapsed(), printed))
}
