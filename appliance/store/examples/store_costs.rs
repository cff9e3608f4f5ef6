//! The cost of the store's operations on this machine: `cargo run --workspace --example store_costs [finished games]`.
//!
//! Prints for each call the time it takes from call to answer (with its fsync) and the CPU time of the process,
//! then the resident memory and the size on disk. The folder is a temporary one, on the disk of `TMPDIR`.

use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use bytes::Bytes;
use chrono::{DateTime, TimeDelta, Utc};
use morpion_store::{
    Credentials, DatabaseUrl, EndedGames, GameRow, GameStatus, Journal, JournalOptions, JournalWriter, NewSession,
    NewUser, OpenOptions, RatedGameRow, RatingRow, RatingUpdate, RatingValues, Store,
};
use uuid::Uuid;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let finished_games: usize = std::env::args().nth(1).map_or(Ok(100_000), |text| text.parse())?;
    let folder = tempfile::tempdir()?;
    let url = DatabaseUrl::Folder(folder.path().join("db"));
    println!("{:<46}{:>12}{:>12}", "", "wall", "cpu");

    let mut store =
        measure("open an empty folder", 1, async |_| Store::open(&url, OpenOptions::default()).await.expect("opens"))
            .await;
    println!("{:<46}{:>9} MiB", "resident after open", resident_mib());

    measure("heartbeat", 200, async |_| store.heartbeat().await.expect("writes")).await;
    let mut users = Vec::new();
    measure("create a user", 200, async |round| {
        let user = account(&format!("user{round}"));
        users.push(user.id);
        store.create_user(user).await.expect("creates");
    })
    .await;
    measure("read a user by id", 1000, async |round| {
        store.user(users[round % 200]).await.expect("reads").expect("exists");
    })
    .await;
    measure("read a user by username", 1000, async |round| {
        store.user_by_username(&format!("USER{}", round % 200)).await.expect("reads").expect("exists");
    })
    .await;
    store.insert_session(session(users[0])).await?;
    measure("read a session", 1000, async |_| {
        store.session("hash", Utc::now()).await.expect("reads").expect("exists");
    })
    .await;
    measure("search users by a part of the name", 100, async |_| {
        assert_eq!(store.search_users("ser1", 10).await.expect("reads").len(), 10);
    })
    .await;

    for entries in [1, 10, 100, 1000, 10_000] {
        let mut record = vec![1];
        for _ in 0..entries {
            record.extend(40_u32.to_le_bytes());
            record.extend([7; 40]);
        }
        let record = Bytes::from(record);
        let name = format!("journal commit of {entries} entries of 40 bytes");
        measure(&name, 100, async |round| {
            let seq = (entries * 1000 + round) as u64;
            JournalWriter::write(&mut store, seq, record.clone()).await.expect("writes");
        })
        .await;
    }
    for one_commit_per_entry in [false, true] {
        sustained(&store, one_commit_per_entry).await?;
    }

    for rows in [1, 10, 100, 1000] {
        let mut games: Vec<GameRow> = (0..rows).map(|_| game(GameStatus::Cancelled, &users)).collect();
        measure(&format!("store {rows} new games"), 20, async |_| {
            for game in &mut games {
                game.id = Uuid::new_v4();
            }
            store.upsert_games(&games, EndedGames::default()).await.expect("writes");
        })
        .await;
        measure(&format!("checkpoint {rows} games"), 20, async |round| {
            for game in &mut games {
                game.journal_seq = round as i64;
            }
            store.upsert_games(&games, EndedGames::default()).await.expect("writes");
        })
        .await;
    }

    ratings(&store, &users).await?;

    measure(&format!("store {finished_games} finished games"), 1, async |_| {
        for batch in 0..finished_games.div_ceil(500) {
            let rows = 500.min(finished_games - batch * 500);
            let games: Vec<GameRow> = (0..rows).map(|_| game(GameStatus::Completed, &users)).collect();
            store.upsert_games(&games, EndedGames::default()).await.expect("writes");
        }
    })
    .await;
    measure("read 20 games of a user, newest first", 100, async |round| {
        let of = users[round % 200];
        store.games_by_user(of, &[GameStatus::Completed], 0, 20).await.expect("reads");
    })
    .await;
    println!("{:<46}{:>9} MiB", "resident at the end", resident_mib());
    measure("close", 1, async |_| store.close().await.expect("closes")).await;
    println!("{:<46}{:>9} MiB", "on disk", folder_size(folder.path())? >> 20);
    let store = measure("open again and load the live games", 1, async |_| {
        let store = Store::open(&url, OpenOptions::default()).await.expect("opens");
        assert_eq!(store.live_games().await.expect("reads").len(), 0);
        store
    })
    .await;
    store.close().await?;
    Ok(())
}

/// What ratings cost beside the rows of ended games, and what they do to the commits of moves.
async fn ratings(store: &Store, users: &[Uuid]) -> Result<(), Box<dyn std::error::Error>> {
    for rows in [1, 10, 100] {
        for is_rated in [false, true] {
            let name = format!("store {rows} ended games{}", if is_rated { ", rated" } else { "" });
            measure(&name, 20, async |_| end_games(store, users, rows, is_rated).await.expect("writes")).await;
        }
    }
    for load in [None, Some(false), Some(true)] {
        let waits = commits_beside(store, users, load).await?;
        let name = match load {
            None => "commits of moves",
            Some(false) => "commits of moves beside 100 ended games at once",
            Some(true) => "commits of moves beside 100 rated games at once",
        };
        let at = |share: f64| waits[((waits.len() - 1) as f64 * share) as usize].as_secs_f64() * 1_000.0;
        println!("{name:<50} 50%: {:.1} ms, 95%: {:.1} ms, 99%: {:.1} ms", at(0.5), at(0.95), at(0.99));
    }
    let now = Utc::now();
    for batch in 0..100_u32 {
        let row = |number: u32| RatingRow {
            rating: RatingValues { value: 1_000.0 + f64::from(batch * 100 + number) / 10.0, ..RATING },
            ..rating(Uuid::new_v4(), now)
        };
        let ratings = (0..100).map(row).collect();
        let ledger = store.last_receipt().await?;
        store
            .upsert_rated_games(&[], EndedGames::default(), &RatingUpdate { ledger, receipts: vec![], ratings })
            .await?;
    }
    measure("a rating list of 10,000", 20, async |_| store.rating_list(20_000).await.expect("reads")).await;
    measure("the curve of a user, 100 games", 20, async |_| store.rating_curve(users[0], 100).await.expect("reads"))
        .await;
    Ok(())
}

const RATING: RatingValues = RatingValues { value: 1_500.0, deviation: 80.0, volatility: 0.06 };

fn rating(user_id: Uuid, at: DateTime<Utc>) -> RatingRow {
    let ranked_until = Some(at + TimeDelta::days(100));
    RatingRow { user_id, rating: RATING, games: 2, wins: 1, losses: 1, draws: 0, rated_at: at, ranked_until }
}

/// As the server does it: with the ledger read before.
async fn end_games(store: &Store, users: &[Uuid], rows: usize, is_rated: bool) -> morpion_store::Result<()> {
    let games: Vec<GameRow> = (0..rows).map(|_| game(GameStatus::Completed, users)).collect();
    if !is_rated {
        return store.upsert_games(&games, EndedGames::default()).await;
    }
    let ids: Vec<Uuid> = games.iter().map(|game| game.id).collect();
    let mut players: Vec<Uuid> = games.iter().flat_map(|game| game.players.clone()).collect();
    players.sort();
    players.dedup();
    let ledger = store.rating_ledger(&ids, &players).await?.last;
    let receipt = |(seq, game): (i64, &GameRow)| RatedGameRow {
        game_id: game.id,
        seq,
        at: game.created_at,
        board_size: 3,
        first: game.players[0],
        second: game.players[1],
        score: 1.0,
        first_before: RATING,
        first_after: RATING,
        second_before: RATING,
        second_after: RATING,
    };
    let receipts = (ledger + 1..).zip(&games).map(receipt).collect();
    let ratings = players.into_iter().map(|player| rating(player, Utc::now())).collect();
    store.upsert_rated_games(&games, EndedGames::default(), &RatingUpdate { ledger, receipts, ratings }).await
}

/// How long commits of moves take for four seconds, sorted: 200 moves a second, beside the ends of a hundred games every
/// 300 ms, rated or not.
async fn commits_beside(
    store: &Store,
    users: &[Uuid],
    load: Option<bool>,
) -> Result<Vec<Duration>, Box<dyn std::error::Error>> {
    let waits: Arc<Mutex<Vec<Duration>>> = Arc::default();
    let seen = Arc::clone(&waits);
    let journal = Journal::start(store.clone(), JournalOptions::default(), move |commit| {
        let payloads = commit.payloads.into_iter();
        seen.lock().expect("no panic").extend(payloads.map(|appended: Instant| appended.elapsed()));
    })
    .await?;
    let handle = journal.handle();
    let until = Instant::now() + Duration::from_secs(4);
    let moves = async {
        while Instant::now() < until {
            handle.append(Bytes::from_static(&[7; 40]), Instant::now()).ok();
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    let ends = async {
        while let Some(is_rated) = load.filter(|_| Instant::now() < until) {
            end_games(store, users, 100, is_rated).await.expect("writes");
            tokio::time::sleep(Duration::from_millis(300)).await;
        }
    };
    tokio::join!(moves, ends);
    journal.drain().await;
    let mut waits = std::mem::take(&mut *waits.lock().expect("no panic"));
    waits.sort();
    Ok(waits)
}

/// Runs `work` this many times and prints the mean; returns the last result.
async fn measure<T>(name: &str, rounds: usize, mut work: impl AsyncFnMut(usize) -> T) -> T {
    let (started, cpu) = (Instant::now(), cpu_time());
    let mut last = None;
    for round in 0..rounds {
        last = Some(work(round).await);
    }
    let each = |total: Duration| format!("{:.3} ms", total.as_secs_f64() * 1000.0 / rounds as f64);
    println!("{name:<46}{:>12}{:>12}", each(started.elapsed()), each(cpu_time() - cpu));
    last.expect("at least one round")
}

/// Two seconds of moves, as many as the queue takes.
async fn sustained(store: &Store, one_commit_per_entry: bool) -> Result<(), Box<dyn std::error::Error>> {
    let options = JournalOptions { one_commit_per_entry, ..JournalOptions::default() };
    let journal = Journal::start(store.clone(), options, |_| {}).await?;
    let handle = journal.handle();
    let entry = Bytes::from_static(&[7; 40]);
    let (started, cpu, first) = (Instant::now(), cpu_time(), handle.last_seq());
    while started.elapsed() < Duration::from_secs(2) {
        for _ in 0..100 {
            handle.append(entry.clone(), ()).ok();
        }
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    let (taken, committed) = (started.elapsed(), handle.entries_committed());
    let cpu = cpu_time() - cpu;
    println!(
        "{:<46}{:>10.0}/s{:>9.1} µs each, {} commits",
        if one_commit_per_entry { "entries, one commit each" } else { "entries, group commit" },
        committed as f64 / taken.as_secs_f64(),
        cpu.as_secs_f64() * 1e6 / committed as f64,
        handle.last_seq() - first,
    );
    // Entries that still wait are not awaited, since each costs a sync.
    tokio::time::timeout(Duration::from_secs(1), journal.drain()).await.ok();
    Ok(())
}

fn account(username: &str) -> NewUser {
    NewUser {
        email: Some(format!("{username}@example.org")),
        email_verified: true,
        password_hash: Some("x".repeat(97)),
        ..NewUser::named(username, Utc::now())
    }
}

fn session(user_id: Uuid) -> NewSession {
    let now = Utc::now();
    NewSession {
        hash: "hash".to_owned(),
        credentials: Credentials { user_id, version: None },
        created_at: now,
        expires_at: now + TimeDelta::days(30),
        ends_at: now + TimeDelta::days(90),
        user_agent: "Mozilla/5.0".to_owned(),
        address: "192.0.2.1".to_owned(),
        device: "Firefox on Linux".to_owned(),
    }
}

fn game(status: GameStatus, users: &[Uuid]) -> GameRow {
    let id = Uuid::new_v4();
    let seat = id.as_u128() as usize;
    let created_at = DateTime::from_timestamp(1_700_000_000 + (seat % 10_000_000) as i64, 0).expect("in range");
    GameRow {
        id,
        status,
        game_type: "remote".to_owned(),
        event_id: None,
        players: vec![users[seat % users.len()], users[(seat + 1) % users.len()]],
        created_at,
        ended_at: Some(created_at),
        journal_seq: 1,
        state: Bytes::from_static(&[7; 200]),
        share_token: None,
    }
}

/// User and system time of this process. The clock of `/proc` ticks every 10 ms.
fn cpu_time() -> Duration {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
    let ticks: u64 = fields.skip(11).take(2).filter_map(|field| field.parse::<u64>().ok()).sum();
    Duration::from_millis(ticks * 10)
}

fn resident_mib() -> u64 {
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    (statm.split_whitespace().nth(1).and_then(|pages| pages.parse::<u64>().ok()).unwrap_or(0) * 4096) >> 20
}

fn folder_size(folder: &Path) -> std::io::Result<u64> {
    let mut size = 0;
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        size += if entry.file_type()?.is_dir() { folder_size(&entry.path())? } else { entry.metadata()?.len() };
    }
    Ok(size)
}
