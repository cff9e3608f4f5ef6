//! Data of earlier versions.
//!
//! `tests/data/surrealkv-0.21` is what the program wrote when its storage engine was surrealkv 0.21, written by the last
//! version that had it. Its first half was closed and lies in tables, its second half in the log of a process that was
//! killed. It is migrated at the first opening, after a copy.

mod common;

use std::io::{BufRead, BufReader, Write};
use std::ops::{Range, RangeInclusive};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use common::{account, at, journal_record, on_disk, put_journal_rows, raw_query};
use morpion_store::{DataKey, DatabaseUrl, GameStatus, JournalWriter, OpenOptions, Store, StoreError};
use surrealdb::types::SurrealValue;
use tempfile::TempDir;
use uuid::Uuid;

/// The fixture in a folder of its own.
fn old_data() -> TempDir {
    let folder = TempDir::new().unwrap();
    let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/surrealkv-0.21/db");
    morpion_engine::copy(&fixture, &folder.path().join("db")).unwrap();
    folder
}

async fn open(folder: &Path) -> Result<Store, StoreError> {
    Store::open(&DatabaseUrl::Folder(folder.join("db")), OpenOptions::default()).await
}

/// Everything that was put into the fixture.
async fn check(store: &Store) {
    let id = Uuid::from_u128;
    for (number, name) in [(1, "Ann"), (2, "Bob"), (3, "Cleo")] {
        let user = store.user(id(number)).await.unwrap().unwrap();
        assert_eq!((user.username.as_str(), user.created_at), (name, at(0)));
        assert_eq!(user.email.as_deref(), Some(format!("{name}@Example.org").as_str()));
        assert_eq!(store.user_by_username(&name.to_uppercase()).await.unwrap().map(|user| user.id), Some(id(number)));
    }
    assert_eq!(store.list_users(None, 10).await.unwrap().len(), 3);
    let event = store.event(id(100)).await.unwrap().unwrap();
    assert_eq!((event.title.as_str(), event.description.as_str(), event.signup_count), ("Cup", "Über alles", 1));
    let signups = store.signups_of_event(event.id).await.unwrap();
    assert_eq!(signups.iter().map(|signup| (signup.id, signup.user_id)).collect::<Vec<_>>(), [(id(300), id(1))]);
    for (number, bytes) in [(200, 5_000), (201, 300), (202, 40_000)] {
        let game = store.game(id(number)).await.unwrap().unwrap();
        assert_eq!((game.status, game.state), (GameStatus::Completed, vec![number as u8; bytes].into()));
    }
    assert_eq!(store.games_by_user(id(1), &[GameStatus::Completed], 0, 10).await.unwrap().total, 3);
    let audit = store.audit_page(None, 10).await.unwrap();
    assert_eq!(audit.iter().map(|record| record.entry.action.as_str()).collect::<Vec<_>>(), ["set_admin"]);
    let mut replay = store.replay_journal(0);
    let mut expected = 6..;
    while let Some(record) = replay.next().await.unwrap() {
        let number = expected.next().unwrap();
        assert_eq!(record.seq, number);
        assert_eq!(record.entries, [format!("entry-{:04}", number - 1)]);
    }
    assert_eq!(expected.next(), Some(41));
    assert_eq!(store.last_journal_seq().await.unwrap(), 40);
}

fn copies(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder.join("backups")).into_iter().flatten();
    entries
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.to_string_lossy().contains("-before-engine"))
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn data_of_the_previous_engine_is_migrated_after_a_copy() {
    let folder = old_data();
    let store = open(folder.path()).await.unwrap();
    check(&store).await;
    store.create_user(account("Dora")).await.unwrap();
    store.close().await.unwrap();

    let copies = copies(folder.path());
    assert_eq!(copies.len(), 1, "{copies:?}");
    let store = open(folder.path()).await.unwrap();
    assert!(store.user_by_username("dora").await.unwrap().is_some());
    store.close().await.unwrap();
    assert_eq!(self::copies(folder.path()), copies, "there is one migration");

    // The copy equals the old data, and can be migrated too.
    let again = TempDir::new().unwrap();
    morpion_engine::copy(&copies[0], &again.path().join("db")).unwrap();
    let store = open(again.path()).await.unwrap();
    check(&store).await;
    store.close().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_migration_without_room_for_its_copy_changes_nothing() {
    let folder = old_data();
    std::fs::write(folder.path().join("backups"), b"not a folder").unwrap();
    let refused = open(folder.path()).await.unwrap_err();
    assert!(matches!(refused, StoreError::Backup { .. }), "{refused:?}");
    assert!(morpion_engine::is_before_migration(&folder.path().join("db")));
    std::fs::remove_file(folder.path().join("backups")).unwrap();
    let store = open(folder.path()).await.unwrap();
    check(&store).await;
    store.close().await.unwrap();
}

/// `morpion-engine`'s tests kill a migration at every single write of it; here the copy is interrupted.
#[tokio::test(flavor = "multi_thread")]
async fn an_incomplete_copy_is_not_used() {
    let folder = old_data();
    let half = folder.path().join("backups/db-20260101T000000Z-before-engine-1.partial/wal");
    std::fs::create_dir_all(&half).unwrap();
    let store = open(folder.path()).await.unwrap();
    check(&store).await;
    store.close().await.unwrap();
    assert_eq!(copies(folder.path()).len(), 2, "half a copy, and a whole one");
}

#[tokio::test(flavor = "multi_thread")]
async fn records_after_damage_in_the_old_log_are_not_discarded_silently() {
    let folder = old_data();
    let logs = folder.path().join("db/wal");
    let log = std::fs::read_dir(logs).unwrap().map(|entry| entry.unwrap().path());
    let log = log.max_by_key(|path| path.metadata().unwrap().len()).unwrap();
    let mut bytes = std::fs::read(&log).unwrap();
    bytes[5_000] ^= 0xff;
    std::fs::write(&log, &bytes).unwrap();
    let refused = open(folder.path()).await.unwrap_err();
    assert!(matches!(refused, StoreError::Incomplete { .. }), "{refused:?}");
    let text = refused.to_string();
    assert!(text.contains("--accept-data-loss") && !text.contains('\n'), "{text}");
    assert_eq!(copies(folder.path()), Vec::<PathBuf>::new(), "nothing was changed");

    let options = OpenOptions { accept_data_loss: true, ..OpenOptions::default() };
    let url = DatabaseUrl::Folder(folder.path().join("db"));
    let store = Store::open(&url, options).await.unwrap();
    assert!(store.user(Uuid::from_u128(1)).await.unwrap().is_some());
    let health = store.health();
    assert!(health.discarded.accepted && !health.quarantined_logs.is_empty(), "{health:?}");
    store.close().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn an_upgrade_is_tried_on_a_copy_and_changes_nothing() {
    let (folder, scratch) = (old_data(), TempDir::new().unwrap());
    let names = |folder: &Path| {
        let mut names: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names
    };
    let before = names(&folder.path().join("db"));
    let changes = Store::try_upgrade(&folder.path().join("db"), scratch.path(), None).await.unwrap();
    assert_eq!(changes.first().map(String::as_str), Some("the format of the storage engine"));
    assert!(changes.iter().any(|change| change.starts_with("0013_")), "{changes:?}");
    assert_eq!(names(&folder.path().join("db")), before);
    assert_eq!(names(folder.path()), ["db"]);

    let store = open(folder.path()).await.unwrap();
    let refused = Store::try_upgrade(&folder.path().join("db"), TempDir::new().unwrap().path(), None).await;
    assert!(matches!(refused, Err(StoreError::InUse { .. })));
    store.close().await.unwrap();
    let changes = Store::try_upgrade(&folder.path().join("db"), TempDir::new().unwrap().path(), None).await.unwrap();
    assert_eq!(changes, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn old_data_are_not_encrypted_in_their_place() {
    let folder = old_data();
    let key: DataKey = "5e".repeat(32).parse().unwrap();
    let url = DatabaseUrl::Folder(folder.path().join("db"));
    let before = common::contents(folder.path());
    let options = OpenOptions { key: Some(key.clone()), ..OpenOptions::default() };
    assert_eq!(Store::check_key(&url, Some(&key)), Err(StoreError::NotEncrypted));
    assert_eq!(Store::open(&url, options.clone()).await.err(), Some(StoreError::NotEncrypted));
    assert!(common::contents(folder.path()) == before, "nothing was changed");

    // Nor while it is migrated.
    std::fs::write(folder.path().join("db/MIGRATING"), "").unwrap();
    assert_eq!(Store::open(&url, options).await.err(), Some(StoreError::NotEncrypted));
}

async fn journal_rows(folder: &Path) -> usize {
    let ids = raw_query(folder, "SELECT VALUE <string>id FROM journal").await;
    Vec::<String>::from_value(ids).unwrap().len()
}

async fn check_journal(store: &Store, numbers: RangeInclusive<u32>) {
    let (mut replay, last) = (store.replay_journal(0), u64::from(*numbers.end()));
    let mut found = vec![];
    while let Some(record) = replay.next().await.unwrap() {
        found.push((record.seq, record.entries));
    }
    let entry = |number: u32| (number.into(), vec![Bytes::copy_from_slice(&number.to_le_bytes())]);
    assert_eq!(found, numbers.map(entry).collect::<Vec<_>>());
    assert_eq!(store.last_journal_seq().await.unwrap(), last);
}

/// A closed store with these records, and these rows beside them.
async fn with_journal(records: Range<u32>, rows: RangeInclusive<u32>) -> TempDir {
    let (folder, mut store) = on_disk().await;
    for number in records {
        JournalWriter::write(&mut store, number.into(), journal_record(number)).await.unwrap();
    }
    store.close().await.unwrap();
    put_journal_rows(&folder.path().join("db"), rows).await;
    folder
}

/// A takeover killed between any two of its commits leaves the records up to some number and the rows from some number
/// on, which overlap or meet.
#[tokio::test(flavor = "multi_thread")]
async fn rows_of_the_journal_are_taken_over_wherever_that_was_interrupted() {
    for (records, rows) in [(3..3, 3..=80), (3..35, 3..=80), (3..35, 20..=80), (3..35, 35..=80), (3..81, 67..=80)] {
        let folder = with_journal(records, rows).await;
        let store = open(folder.path()).await.unwrap();
        check_journal(&store, 3..=80).await;
        assert_eq!(store.trim_journal(60, 0).await.unwrap(), 57);
        store.close().await.unwrap();
        assert_eq!(journal_rows(&folder.path().join("db")).await, 0);
        let store = open(folder.path()).await.unwrap();
        check_journal(&store, 60..=80).await;
        store.close().await.unwrap();
    }
}

/// Run and killed by the test below; by itself it does nothing.
#[tokio::test(flavor = "multi_thread")]
async fn process_to_be_killed() {
    let Some(folder) = std::env::var_os("MORPION_TEST_FOLDER") else { return };
    let _store = open(Path::new(&folder)).await.unwrap();
    std::io::stderr().write_all(b"opened\n").unwrap();
    std::future::pending().await
}

/// Opens the data in another process, which is killed when it has opened it, or after this time.
fn open_and_kill(folder: &Path, after: Duration) -> Duration {
    let started = Instant::now();
    let mut process = Command::new(std::env::current_exe().unwrap())
        .args(["process_to_be_killed", "--exact", "--nocapture"])
        .env("MORPION_TEST_FOLDER", folder)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(process.stderr.take().unwrap()).lines().map_while(Result::ok);
    let (opened, is_opened) = mpsc::channel();
    let reader = std::thread::spawn(move || {
        lines.filter(|line| line == "opened").for_each(|_| {
            opened.send(()).ok();
        })
    });
    is_opened.recv_timeout(after).ok();
    let took = started.elapsed();
    process.kill().unwrap();
    process.wait().unwrap();
    reader.join().unwrap();
    took
}

#[tokio::test(flavor = "multi_thread")]
async fn a_takeover_that_is_killed_is_finished_by_the_next_start() {
    const ROWS: u32 = 600;
    const KILLS_IN_THE_MIDDLE: u32 = 3;
    let folder = with_journal(1..1, 1..=ROWS).await;
    let copy = |name: &str| {
        let copy = folder.path().join(name);
        morpion_engine::copy(&folder.path().join("db"), &copy.join("db")).unwrap();
        copy
    };
    let mut after = open_and_kill(&copy("whole"), Duration::from_secs(120)) * 3 / 4;
    let mut in_the_middle = 0;
    for kill in 1..=20 {
        let copy = copy(&kill.to_string());
        open_and_kill(&copy, after);
        match journal_rows(&copy.join("db")).await as u32 {
            0 => after = after * 4 / 5,
            ROWS => after = after * 5 / 4,
            _ => in_the_middle += 1,
        }
        let store = open(&copy).await.unwrap();
        check_journal(&store, 1..=ROWS).await;
        store.close().await.unwrap();
        assert_eq!(journal_rows(&copy.join("db")).await, 0);
        if in_the_middle == KILLS_IN_THE_MIDDLE {
            return;
        }
    }
    assert!(in_the_middle > 0, "every kill came before or after the takeover");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_row_that_is_none_of_the_journal_is_reported_and_kept() {
    for (key, seq) in [("7", "8"), ("'seven'", "7"), ("-1", "-1")] {
        let (folder, store) = on_disk().await;
        store.close().await.unwrap();
        let db = folder.path().join("db");
        let query = format!("CREATE type::record('journal', {key}) CONTENT {{ seq: {seq}, data: <bytes>[1] }}");
        raw_query(&db, &query).await;
        let error = open(folder.path()).await.unwrap_err();
        assert_eq!(error, StoreError::Corrupt("a row of the journal has another number".to_owned()), "{key} {seq}");
        assert_eq!(journal_rows(&db).await, 1);
    }
}

/// The data of every released version: `tests/data/released/VERSION`, each made from the one before.
fn released() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/released")
}

#[tokio::test(flavor = "multi_thread")]
async fn the_data_of_every_released_version_is_opened() {
    let mut versions = 0;
    for version in std::fs::read_dir(released()).unwrap() {
        let folder = TempDir::new().unwrap();
        morpion_engine::copy(&version.unwrap().path().join("db"), &folder.path().join("db")).unwrap();
        let store = open(folder.path()).await.unwrap();
        check(&store).await;
        store.close().await.unwrap();
        versions += 1;
    }
    assert!(versions > 0);
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "writes the data of this version, when it is released"]
async fn write_the_data_of_this_version() {
    let folder = old_data();
    let store = open(folder.path()).await.unwrap();
    check(&store).await;
    store.close().await.unwrap();
    let into = released().join(env!("CARGO_PKG_VERSION"));
    assert!(!into.exists(), "{} is released", env!("CARGO_PKG_VERSION"));
    morpion_engine::copy(&folder.path().join("db"), &into.join("db")).unwrap();
}
