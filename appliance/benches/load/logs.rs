//! The cost of searching a long log.

use std::time::{Duration, Instant};

use anyhow::ensure;
use chrono::Utc;
use hdrhistogram::Histogram;
use morpion_appliance::{
    clock::Clock,
    logbook::{Filter, Level, Logbook, Order, PageSpec, Record, Retention, SearchTerm},
};
use morpion_store::{DatabaseUrl, OpenOptions, Store};
use uuid::Uuid;

use crate::seed::LOG_RECORDS as RECORDS;

/// Questions of each kind.
const QUESTIONS: usize = 300;

const SERVICES: [&str; 5] = ["http", "play", "account", "realtime", "tournament"];

pub async fn logs() -> anyhow::Result<()> {
    println!("Looking through {RECORDS} log records");
    let folder = tempfile::tempdir()?;
    let store = Store::open(&DatabaseUrl::Folder(folder.path().join("db")), OpenOptions::default()).await?;
    let (logbook, _writer) =
        Logbook::start(store, Retention { days: 1_000, records: u64::MAX, client_records: u64::MAX }, Clock::default())
            .await?;
    let started = Instant::now();
    let Talked { users, games } = fill(&logbook).await?;
    println!("  kept {:.0} records a second", RECORDS as f64 / started.elapsed().as_secs_f64());

    let mut stats = Histogram::<u64>::new(3)?;
    for _ in 0..QUESTIONS {
        let asked = Instant::now();
        logbook.stats();
        stats.record(asked.elapsed().as_micros() as u64)?;
    }
    line("getLogStats", &stats);
    let user = |number: usize| Filter { user: Some(users[number * 7 % users.len()]), ..Filter::default() };
    let game = |number: usize| Filter {
        text: SearchTerm::new(&games[number * 131 % games.len()].to_string()),
        ..Filter::default()
    };
    let word = |number: usize| Filter {
        text: SearchTerm::new(["refused", "slow", "turn", "nowhere"][number % 4]),
        ..Filter::default()
    };
    let errors = |number: usize| Filter {
        levels: vec![Level::Error],
        service: Some(SERVICES[number % SERVICES.len()].to_owned()),
        ..Filter::default()
    };
    for (name, filter) in [
        ("getLogs, a page anywhere", &(|_| Filter::default()) as &dyn Fn(usize) -> Filter),
        ("getLogs, errors of a service", &errors),
        ("getLogsByUser", &user),
        ("searchLogs, a game's id", &game),
        ("searchLogs, a word", &word),
    ] {
        let mut times = Histogram::<u64>::new(3)?;
        for number in 0..QUESTIONS {
            // Mostly the first pages are read; one in ten requests goes far back.
            let skip = if number % 10 == 0 { (number * 997 % 10_000) as u64 } else { (number % 5 * 50) as u64 };
            let filter = filter(number);
            let asked = Instant::now();
            logbook.page(&filter, PageSpec { skip, ..newest(50) }).await?;
            times.record(asked.elapsed().as_micros() as u64)?;
        }
        line(name, &times);
    }
    Ok(())
}

fn newest(limit: usize) -> PageSpec {
    PageSpec { skip: 0, limit, after: None, order: Order::NewestFirst }
}

/// Whom the records are about.
pub struct Talked {
    users: Vec<Uuid>,
    games: Vec<Uuid>,
}

/// Puts [`RECORDS`] in and waits until they can be read.
pub async fn fill(logbook: &Logbook) -> anyhow::Result<Talked> {
    let users: Vec<Uuid> = (0..2_000).map(|_| Uuid::new_v4()).collect();
    let games: Vec<Uuid> = (0..RECORDS / 20).map(|_| Uuid::new_v4()).collect();
    for number in 0..RECORDS {
        logbook.record(record(number, &users, &games));
        if number % 500 == 499 {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    }
    while logbook.page(&Filter::default(), newest(1)).await?.total < RECORDS as u64 {
        ensure!(logbook.stats().dropped == 0, "records were dropped");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    Ok(Talked { users, games })
}

fn line(name: &str, times: &Histogram<u64>) {
    let ms = |quantile| times.value_at_quantile(quantile) as f64 / 1_000.0;
    println!("  {name:<34} p50 {:>7.2} ms   p99 {:>7.2} ms   longest {:>7.2} ms", ms(0.5), ms(0.99), ms(1.0));
}

fn record(number: usize, users: &[Uuid], games: &[Uuid]) -> Record {
    let game = games[number / 20];
    let (level, message) = match number % 100 {
        0 => (Level::Error, format!("a move in {game} was refused: not your turn")),
        1..5 => (Level::Warning, format!("a slow answer for {game}")),
        _ => (Level::Info, format!("answered for game {game}")),
    };
    Record {
        at: Utc::now().timestamp_millis(),
        level,
        platform: "server".to_owned(),
        service: SERVICES[number % SERVICES.len()].to_owned(),
        message,
        user: Some(users[number * 31 % users.len()]),
        session: None,
        request: Some(Uuid::new_v4().to_string()),
        file: Some("appliance/src/http/request_log.rs:61".to_owned()),
        context: Some(format!("status=200 latency_ms={}.{}", number % 7, number % 1000)),
        stack: None,
    }
}
