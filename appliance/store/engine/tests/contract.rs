//! What SurrealDB expects of a storage engine. It publishes no tests for that, but an in-memory engine; so every step
//! is done on both engines, and the results must be the same.

mod common;

use std::sync::atomic::{AtomicU32, Ordering};

use common::{Database, open};
use proptest::prelude::*;
use surrealdb_kvs::{Error, Key, KeyRange, Transactable, TransactionBuilder, TransactionType};
use tempfile::TempDir;

#[derive(Debug, Clone)]
enum Step {
    Set(Vec<u8>, u8),
    Put(Vec<u8>, u8),
    /// If the value is this.
    PutIf(Vec<u8>, u8, Option<u8>),
    Delete(Vec<u8>),
    DeleteIf(Vec<u8>, Option<u8>),
    Get(Vec<u8>),
    GetMany(Vec<Vec<u8>>),
    Scan {
        start: Vec<u8>,
        end: Vec<u8>,
        limit: u32,
        skip: u32,
    },
    DeleteRange {
        start: Vec<u8>,
        end: Vec<u8>,
    },
    SavePoint,
    Release,
    RollBack,
    Commit,
    Cancel,
    ReadOnly,
}

/// Few keys, so that steps conflict, with edge cases: the lowest and highest byte, and a prefix of another key.
fn key() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(prop::sample::select(vec![0_u8, 1, 0xff]), 1..4)
}

fn step() -> impl Strategy<Value = Step> {
    let value = || 0_u8..4;
    prop_oneof![
        6 => (key(), value()).prop_map(|(key, value)| Step::Set(key, value)),
        2 => (key(), value()).prop_map(|(key, value)| Step::Put(key, value)),
        2 => (key(), value(), prop::option::of(value())).prop_map(|(key, value, is)| Step::PutIf(key, value, is)),
        3 => key().prop_map(Step::Delete),
        2 => (key(), prop::option::of(value())).prop_map(|(key, is)| Step::DeleteIf(key, is)),
        3 => key().prop_map(Step::Get),
        1 => prop::collection::vec(key(), 0..4).prop_map(Step::GetMany),
        6 => (key(), key(), 0_u32..6, 0_u32..3)
            .prop_map(|(start, end, limit, skip)| Step::Scan { start, end, limit, skip }),
        1 => (key(), key()).prop_map(|(start, end)| Step::DeleteRange { start, end }),
        2 => Just(Step::SavePoint),
        1 => Just(Step::Release),
        2 => Just(Step::RollBack),
        2 => Just(Step::Commit),
        1 => Just(Step::Cancel),
        1 => Just(Step::ReadOnly),
    ]
}

/// The result of a step as text.
async fn answer(transaction: &dyn Transactable, step: &Step, prefix: &[u8]) -> String {
    let full = |key: &[u8]| Key::from([prefix, key].concat());
    let range = |start: &[u8], end: &[u8]| KeyRange { start: full(start.min(end)), end: full(start.max(end)) };
    match step {
        Step::Set(key, value) => format!("{:?}", transaction.set(full(key), vec![*value]).await),
        Step::Put(key, value) => format!("{:?}", transaction.put(full(key), vec![*value]).await),
        Step::PutIf(key, value, is) => {
            format!("{:?}", transaction.putc(full(key), vec![*value], is.map(|is| vec![is])).await)
        }
        Step::Delete(key) => format!("{:?}", transaction.del(full(key)).await),
        Step::DeleteIf(key, is) => {
            let is = is.map(|is| [is]);
            format!("{:?}", transaction.delc(full(key), is.as_ref().map(|is| &is[..])).await)
        }
        Step::Get(key) => {
            let (value, exists) = (transaction.get(full(key), None).await, transaction.exists(full(key), None).await);
            format!("{value:?} {exists:?}")
        }
        Step::GetMany(keys) => {
            let keys: Vec<_> = keys.iter().map(|key| full(key)).collect();
            format!("{:?}", transaction.getm(&keys, None).await)
        }
        Step::Scan { start, end, limit, skip } => {
            let range = || range(start, end);
            let (limit, skip) = (*limit, *skip);
            format!(
                "{:?} {:?} {:?} {:?} {:?} {:?}",
                transaction.keys(range(), limit, skip, None).await,
                transaction.keysr(range(), limit, skip, None).await,
                transaction.scan(range(), limit, skip, None).await,
                transaction.scanr(range(), limit, skip, None).await,
                transaction.getr(range(), None).await,
                transaction.count(range(), None).await,
            )
        }
        Step::DeleteRange { start, end } => format!("{:?}", transaction.delr(range(start, end)).await),
        Step::SavePoint => format!("{:?}", transaction.new_save_point().await),
        Step::Release => format!("{:?}", transaction.release_last_save_point().await),
        Step::RollBack => format!("{:?}", transaction.rollback_to_save_point().await),
        Step::Commit => format!("{:?} {}", transaction.commit().await, transaction.closed()),
        Step::Cancel => format!("{:?} {}", transaction.cancel().await, transaction.closed()),
        Step::ReadOnly => String::new(),
    }
}

/// Each run of steps has its own range of keys.
static RUNS: AtomicU32 = AtomicU32::new(0);

async fn compare(ours: &Database, theirs: &dyn TransactionBuilder, steps: &[Step]) {
    let prefix = [&b"run"[..], &RUNS.fetch_add(1, Ordering::Relaxed).to_be_bytes()].concat();
    let begin = async |kind: fn() -> TransactionType| {
        (ours.begin(kind()).await.unwrap(), theirs.new_transaction(kind()).await.unwrap().0)
    };
    let (mut our, mut their) = begin(|| TransactionType::Write).await;
    for (number, step) in steps.iter().enumerate() {
        let (answer, expected) =
            (answer(our.as_ref(), step, &prefix).await, answer(their.as_ref(), step, &prefix).await);
        assert_eq!(answer, expected, "step {number} of {steps:?}");
        match step {
            Step::Commit | Step::Cancel => (our, their) = begin(|| TransactionType::Write).await,
            Step::ReadOnly => {
                for transaction in [&our, &their] {
                    transaction.cancel().await.ok();
                }
                (our, their) = begin(|| TransactionType::Read).await;
            }
            _ => {}
        }
    }
    // Afterwards both contain the same data.
    our.cancel().await.ok();
    their.cancel().await.ok();
    let (our, their) = begin(|| TransactionType::Read).await;
    let all = || KeyRange { start: Key::from(prefix.clone()), end: Key::from([&prefix[..], &[0xff; 8]].concat()) };
    assert_eq!(
        our.getr(all(), None).await.unwrap().values,
        their.getr(all(), None).await.unwrap().values,
        "after {steps:?}"
    );
}

#[test]
fn results_match_surrealdbs_own_engine() {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let folder = TempDir::new().unwrap();
    let (ours, theirs) = runtime.block_on(async {
        let theirs = surrealdb_kvs_mem::Datastore::new(surrealdb_kvs_mem::MemoryConfig::default()).await.unwrap();
        (open(&folder.path().join("db")).await.unwrap(), theirs)
    });
    let config = ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() };
    let mut runner = proptest::test_runner::TestRunner::new(config);
    let outcome = runner.run(&prop::collection::vec(step(), 1..60), |steps| {
        runtime.block_on(compare(&ours, &theirs, &steps));
        Ok(())
    });
    runtime.block_on(ours.engine.close());
    outcome.unwrap();
}

fn key_of(name: &str) -> Key<'static> {
    Key::from(name.as_bytes().to_vec())
}

async fn fresh() -> (TempDir, Database) {
    let folder = TempDir::new().unwrap();
    let database = open(&folder.path().join("db")).await.unwrap();
    (folder, database)
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_writers_of_a_key_the_second_commit_is_a_retryable_conflict() {
    let (_folder, database) = fresh().await;
    let first = database.begin(TransactionType::Write).await.unwrap();
    let second = database.begin(TransactionType::Write).await.unwrap();
    let other = database.begin(TransactionType::Write).await.unwrap();
    first.set(key_of("a"), vec![1]).await.unwrap();
    second.set(key_of("a"), vec![2]).await.unwrap();
    other.set(key_of("b"), vec![3]).await.unwrap();
    first.commit().await.unwrap();
    let refused = second.commit().await.unwrap_err();
    assert!(matches!(refused, Error::TransactionConflict(_)) && refused.is_retryable(), "{refused:?}");
    other.commit().await.unwrap();
    assert_eq!(database.get(b"a").await.unwrap(), Some(vec![1]));
    assert_eq!(database.get(b"b").await.unwrap(), Some(vec![3]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_locking_read_conflicts_with_writes_but_not_with_reads() {
    let (_folder, database) = fresh().await;
    database.put(b"a", &[1]).await.unwrap();
    let readers = [
        database.begin(TransactionType::Write).await.unwrap(),
        database.begin(TransactionType::Write).await.unwrap(),
        database.begin(TransactionType::Write).await.unwrap(),
    ];
    for (number, reader) in readers.iter().enumerate() {
        assert!(reader.shared_locked_reads());
        assert_eq!(reader.getu(key_of("a")).await.unwrap(), Some(vec![1]));
        reader.set(key_of(&format!("reader {number}")), vec![1]).await.unwrap();
    }
    readers[0].commit().await.unwrap();
    readers[1].commit().await.unwrap();
    database.put(b"a", &[2]).await.unwrap();
    let refused = readers[2].commit().await.unwrap_err();
    assert!(matches!(refused, Error::TransactionConflict(_)), "{refused:?}");
    let reader = database.begin(TransactionType::Read).await.unwrap();
    assert!(matches!(reader.getu(key_of("a")).await, Err(Error::TransactionReadonly)));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_transaction_reads_the_snapshot_of_its_start() {
    let (_folder, database) = fresh().await;
    database.put(b"a", &[1]).await.unwrap();
    let reader = database.begin(TransactionType::Read).await.unwrap();
    database.put(b"a", &[2]).await.unwrap();
    database.put(b"b", &[2]).await.unwrap();
    assert_eq!(reader.get(key_of("a"), None).await.unwrap(), Some(vec![1]));
    assert_eq!(reader.get(key_of("b"), None).await.unwrap(), None);
    assert!(matches!(reader.get(key_of("a"), Some(1)).await, Err(Error::UnsupportedVersionedQueries)));
    assert_eq!(database.get(b"a").await.unwrap(), Some(vec![2]));
}

#[tokio::test(flavor = "multi_thread")]
async fn counts_span_several_pages() {
    let (_folder, database) = fresh().await;
    let writer = database.begin(TransactionType::Write).await.unwrap();
    for number in 0..25_000_u32 {
        writer.set(Key::from(number.to_be_bytes().to_vec()), vec![]).await.unwrap();
    }
    writer.commit().await.unwrap();
    let reader = database.begin(TransactionType::Read).await.unwrap();
    let range = |start: u32, end: u32| KeyRange {
        start: Key::from(start.to_be_bytes().to_vec()),
        end: Key::from(end.to_be_bytes().to_vec()),
    };
    for (start, end) in [(0, 25_000), (5_000, 25_000), (5_000, 15_000), (0, 9_999), (7, 7), (9, 7)] {
        let counted = reader.count(range(start, end), None).await.unwrap();
        assert_eq!(counted, end.saturating_sub(start) as usize, "{start}..{end}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_transaction_larger_than_a_table_is_stored() {
    let (folder, database) = fresh().await;
    let large = vec![7; 3 * common::SMALL_TABLE];
    database.put(b"large", &large).await.unwrap();
    assert_eq!(database.get(b"large").await.unwrap().as_ref(), Some(&large));
    database.engine.close().await;
    let refused = database.begin(TransactionType::Read).await.err();
    assert!(matches!(refused, Some(Error::Shutdown)), "{refused:?}");
    let database = open(&folder.path().join("db")).await.unwrap();
    assert_eq!(database.get(b"large").await.unwrap().as_ref(), Some(&large));
    assert!(database.engine.health().discarded.is_nothing());
}
