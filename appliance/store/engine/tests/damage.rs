//! Which records opening a damaged log may discard, and which only on request.

mod common;

use std::fs;
use std::path::{Path, PathBuf};

use common::{Database, key, open_with, options};
use morpion_engine::{DataKey, OpenError, Options, quarantined_logs};
use tempfile::TempDir;

const RECORDS: u32 = 12;

/// A database that is not encrypted, and one that is.
fn keys() -> [Option<DataKey>; 2] {
    [None, Some(key(1))]
}

async fn open(folder: &Path, key: &Option<DataKey>) -> Result<Database, OpenError> {
    open_with(Options { key: key.clone(), ..options(folder) }).await
}

async fn open_whatever_is_lost(folder: &Path, key: &Option<DataKey>) -> Database {
    open_with(Options { accept_data_loss: true, key: key.clone(), ..options(folder) }).await.unwrap()
}

/// A folder whose records are only in the log, as after a kill.
async fn killed(folder: &Path, key: &Option<DataKey>) -> PathBuf {
    let (living, killed) = (folder.join("living"), folder.join("db"));
    let database = open(&living, key).await.unwrap();
    for number in 0..RECORDS {
        database.put(&number.to_be_bytes(), &[number as u8; 2_000]).await.unwrap();
    }
    morpion_engine::copy(&living, &killed).unwrap();
    database.engine.close().await;
    killed
}

fn log(folder: &Path) -> PathBuf {
    let mut logs: Vec<_> = fs::read_dir(folder.join("wal"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "wal"))
        .filter(|path| path.metadata().unwrap().len() > 10_000)
        .collect();
    assert_eq!(logs.len(), 1, "{logs:?}");
    logs.remove(0)
}

async fn records(folder: &Path, key: &Option<DataKey>) -> Vec<u32> {
    let database = open(folder, key).await.unwrap();
    let mut found = vec![];
    for number in 0..RECORDS {
        if let Some(value) = database.get(&number.to_be_bytes()).await.unwrap() {
            assert_eq!(value, [number as u8; 2_000]);
            found.push(number);
        }
    }
    database.engine.close().await;
    found
}

#[tokio::test(flavor = "multi_thread")]
async fn an_intact_log_loses_nothing() {
    for key in keys() {
        let folder = TempDir::new().unwrap();
        let killed = killed(folder.path(), &key).await;
        let database = open(&killed, &key).await.unwrap();
        assert!(database.engine.health().discarded.is_nothing());
        database.engine.close().await;
        assert_eq!(records(&killed, &key).await, (0..RECORDS).collect::<Vec<_>>());
        assert_eq!(quarantined_logs(&killed), Vec::<PathBuf>::new());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_torn_tail_is_truncated_quarantined_and_reported() {
    for key in keys() {
        let folder = TempDir::new().unwrap();
        let killed = killed(folder.path(), &key).await;
        let log = log(&killed);
        let bytes = fs::read(&log).unwrap();
        fs::write(&log, &bytes[..bytes.len() - 700]).unwrap();
        let database = open(&killed, &key).await.unwrap();
        let health = database.engine.health();
        let discarded = health.discarded;
        assert!(discarded.bytes > 0 && discarded.records == 0 && !discarded.accepted, "{discarded:?}");
        assert_eq!(health.quarantined_logs.len(), 1);
        assert_eq!(fs::read(&health.quarantined_logs[0]).unwrap(), bytes[..bytes.len() - 700]);
        database.engine.close().await;
        assert_eq!(records(&killed, &key).await, (0..RECORDS - 1).collect::<Vec<_>>());
        assert_eq!(quarantined_logs(&killed), health.quarantined_logs);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn complete_records_are_discarded_only_if_accepted() {
    let folder = TempDir::new().unwrap();
    let killed = killed(folder.path(), &None).await;
    let log = log(&killed);
    let mut bytes = fs::read(&log).unwrap();
    // In the middle of the seventh record.
    let middle = bytes.len() / RECORDS as usize * 6 + 1_000;
    bytes[middle] ^= 0xff;
    fs::write(&log, &bytes).unwrap();

    for _ in 0..2 {
        let refused = open(&killed, &None).await.err().expect("complete records stand behind the damage");
        assert!(matches!(refused, OpenError::Incomplete { segment: Some(_), .. }), "{refused:?}");
    }
    assert_eq!(fs::read(&log).unwrap(), bytes, "a refusal changes nothing");

    let database = open_whatever_is_lost(&killed, &None).await;
    let health = database.engine.health();
    assert!(health.discarded.accepted && health.discarded.records >= 4, "{health:?}");
    let aside = health.quarantined_logs.iter().find(|path| path.is_dir()).expect("the whole log");
    assert_eq!(fs::read(aside.join(log.file_name().unwrap())).unwrap(), bytes);
    database.engine.close().await;
    assert_eq!(records(&killed, &None).await, (0..6).collect::<Vec<_>>());
    assert!(quarantined_logs(&killed).contains(aside));
    // The second time nothing is discarded.
    let database = open_whatever_is_lost(&killed, &None).await;
    assert!(database.engine.health().discarded.is_nothing());
    database.engine.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_after_a_gap_is_replayed() {
    let folder = TempDir::new().unwrap();
    let killed = killed(folder.path(), &None).await;
    let log = log(&killed);
    let number: u64 = log.file_stem().unwrap().to_str().unwrap().parse().unwrap();
    let mut bytes = fs::read(&log).unwrap();
    // The next log file is intact.
    fs::write(log.with_file_name(format!("{:020}.wal", number + 1)), &bytes).unwrap();
    let middle = bytes.len() / RECORDS as usize * 6 + 1_000;
    bytes[middle] ^= 0xff;
    fs::write(&log, &bytes).unwrap();
    let refused = open(&killed, &None).await.err();
    assert!(matches!(refused, Some(OpenError::Incomplete { .. })), "{refused:?}");
    let database = open_whatever_is_lost(&killed, &None).await;
    database.engine.close().await;
    assert_eq!(records(&killed, &None).await, (0..6).collect::<Vec<_>>());
}

/// What follows damage of an encrypted log cannot be told from what somebody put there.
#[tokio::test(flavor = "multi_thread")]
async fn damage_in_an_encrypted_log_is_refused_whatever_is_accepted() {
    let (folder, key) = (TempDir::new().unwrap(), Some(key(1)));
    let killed = killed(folder.path(), &key).await;
    let log = log(&killed);
    let mut bytes = fs::read(&log).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 0xff;
    fs::write(&log, &bytes).unwrap();
    for accept_data_loss in [false, true] {
        let options = Options { accept_data_loss, key: key.clone(), ..options(&killed) };
        let refused = open_with(options).await.err();
        assert!(matches!(refused, Some(OpenError::Damaged(_))), "{refused:?}");
    }
    assert_eq!(fs::read(&log).unwrap(), bytes, "a refusal changes nothing");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_can_be_opened_only_once() {
    let folder = TempDir::new().unwrap();
    let first = open(folder.path(), &None).await.unwrap();
    assert_eq!(open(folder.path(), &None).await.err(), Some(OpenError::InUse));
    assert_eq!(morpion_engine::lock(folder.path()).err(), Some(OpenError::InUse));
    first.engine.close().await;
    let held = morpion_engine::lock(folder.path()).unwrap();
    assert_eq!(open(folder.path(), &None).await.err(), Some(OpenError::InUse));
    drop(held);
    open(folder.path(), &None).await.unwrap().engine.close().await;
}

/// A folder whose log has a segment of each of so many openings, all without a commit, and then records in the last; of
/// these only the last is left, as after flushes whose segments the manifest still names.
async fn without_first_segments(folder: &Path, key: &Option<DataKey>, count: usize) -> PathBuf {
    let mut living = folder.join("0");
    for number in 1..=count {
        let next = folder.join(number.to_string());
        let database = open(&living, key).await.unwrap();
        morpion_engine::copy(&living, &next).unwrap();
        database.engine.close().await;
        living = next;
    }
    let database = open(&living, key).await.unwrap();
    for number in 0..RECORDS {
        database.put(&number.to_be_bytes(), &[number as u8; 2_000]).await.unwrap();
    }
    let killed = folder.join("killed");
    morpion_engine::copy(&living, &killed).unwrap();
    database.engine.close().await;
    let with_records = log(&killed);
    for entry in fs::read_dir(killed.join("wal")).unwrap() {
        let path = entry.unwrap().path();
        if path != with_records {
            fs::remove_file(path).unwrap();
        }
    }
    killed
}

#[tokio::test(flavor = "multi_thread")]
async fn segments_that_a_flush_removed_are_not_missed() {
    for key in keys() {
        let folder = TempDir::new().unwrap();
        let killed = without_first_segments(folder.path(), &key, 2).await;
        assert_eq!(records(&killed, &key).await, (0..RECORDS).collect::<Vec<_>>());
        assert!(!killed.join(".segments").exists(), "what made them is removed");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 4, "nothing is left beside it");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn more_missing_segments_of_an_encrypted_log_are_damage() {
    let (folder, key) = (TempDir::new().unwrap(), Some(key(1)));
    let killed = without_first_segments(folder.path(), &key, 17).await;
    for _ in 0..2 {
        let refused = open(&killed, &key).await.err().expect("17 segments are missing");
        assert!(matches!(refused, OpenError::Damaged(_)), "{refused:?}");
        assert_eq!(fs::read_dir(killed.join("wal")).unwrap().count(), 1, "a refusal adds nothing");
    }
}
