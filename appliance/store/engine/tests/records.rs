//! Records of our own: order, replacement, transactions, and that neither they nor SurrealDB's keys are met by the
//! other's scans.

mod common;

use common::open;
use morpion_engine::{Engine, RecordError};
use surrealdb_kvs::{Key, KeyRange, TransactionType};
use tempfile::TempDir;

fn value(number: u64) -> Vec<u8> {
    number.to_string().into_bytes()
}

/// Flushes and merges of tables keep their thread for seconds.
#[tokio::test]
async fn no_task_of_the_engine_runs_where_it_is_opened() {
    let folder = TempDir::new().unwrap();
    let engine = Engine::open(common::options(folder.path())).await.unwrap();
    assert_eq!(tokio::runtime::Handle::current().metrics().num_alive_tasks(), 0);
    engine.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn records_are_read_in_the_order_of_their_numbers_also_after_a_reopening() {
    let folder = TempDir::new().unwrap();
    let database = open(folder.path()).await.unwrap();
    let records = database.engine.numbered("journal");
    for number in [300, 2, 1, 255, 256] {
        records.put([(number, value(number))]).await.unwrap();
    }
    records.put([(2, b"again".to_vec()), (3, value(3))]).await.unwrap();
    let all = vec![
        (1, value(1)),
        (2, b"again".to_vec()),
        (3, value(3)),
        (255, value(255)),
        (256, value(256)),
        (300, value(300)),
    ];
    assert_eq!(records.read(0..u64::MAX, 100).await.unwrap(), all);
    assert_eq!(records.read(2..256, 100).await.unwrap(), all[1..4]);
    assert_eq!(records.read(2..256, 2).await.unwrap(), all[1..3]);
    assert!(records.contains(255).await.unwrap() && !records.contains(254).await.unwrap());
    records.trim(1..256).await.unwrap();
    assert_eq!(records.read(2..u64::MAX, 100).await.unwrap(), all[4..]);
    assert!(!records.contains(1).await.unwrap());
    database.engine.close().await;
    let refused = records.put([(7, vec![])]).await.unwrap_err();
    assert!(matches!(refused, RecordError::Failed(_)), "{refused:?}");

    let database = open(folder.path()).await.unwrap();
    let records = database.engine.numbered("journal");
    assert_eq!(records.read(0..u64::MAX, 100).await.unwrap(), all[4..]);
    records.put([(255, value(255))]).await.unwrap();
    assert_eq!(records.read(0..u64::MAX, 100).await.unwrap(), all[4..], "nothing is looked for where all was trimmed");
    database.engine.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn neither_surrealdb_nor_another_name_meets_them() {
    let folder = TempDir::new().unwrap();
    let database = open(folder.path()).await.unwrap();
    let (records, others) = (database.engine.numbered("journal"), database.engine.numbered("journal2"));
    records.put([(1, value(1))]).await.unwrap();
    others.put([(1, value(2))]).await.unwrap();
    database.put(b"/*main", b"SurrealDB's").await.unwrap();
    database.put(b"!v", b"SurrealDB's").await.unwrap();
    assert_eq!(records.read(0..u64::MAX, 100).await.unwrap(), [(1, value(1))]);
    assert_eq!(others.read(0..u64::MAX, 100).await.unwrap(), [(1, value(2))]);
    let reader = database.begin(TransactionType::Read).await.unwrap();
    for (start, end, keys) in [("!", "\"", 1), ("/", "0", 1)] {
        let range = KeyRange { start: Key::from(start.as_bytes()), end: Key::from(end.as_bytes()) };
        assert_eq!(reader.keys(range, 100, 0, None).await.unwrap().keys.len(), keys, "{start}");
    }
    drop(reader);
    database.engine.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_transaction_sees_its_own_changes_and_makes_all_of_them_or_none() {
    let folder = TempDir::new().unwrap();
    let database = open(folder.path()).await.unwrap();
    let records = database.engine.keyed("played");
    let changes = records.write().await.unwrap();
    for key in ["b", "a", "c"] {
        changes.set(key.as_bytes(), vec![]).await.unwrap();
    }
    changes.set(b"a", b"1".to_vec()).await.unwrap();
    changes.remove(b"c").await.unwrap();
    let seen = vec![(b"a".to_vec(), b"1".to_vec()), (b"b".to_vec(), vec![])];
    assert_eq!(changes.scan(b"a", b"z", 10).await.unwrap(), seen);
    assert_eq!(changes.keys(b"a", b"z", 10).await.unwrap(), [b"a", b"b"]);
    assert_eq!(changes.keys(b"a", b"b", 10).await.unwrap(), [b"a"]);
    assert_eq!(changes.keys(b"a", b"z", 1).await.unwrap(), [b"a"]);
    assert_eq!(changes.get(b"b").await.unwrap(), Some(vec![]));
    assert_eq!(records.read().await.unwrap().get(b"a").await.unwrap(), None, "it is not committed");
    changes.commit().await.unwrap();
    assert_eq!(records.read().await.unwrap().scan(b"a", b"z", 10).await.unwrap(), seen);

    let dropped = records.write().await.unwrap();
    dropped.remove(b"a").await.unwrap();
    drop(dropped);
    let (one, other) = (records.write().await.unwrap(), records.write().await.unwrap());
    for (changes, value) in [(&one, b"2"), (&other, b"3")] {
        assert_eq!(changes.get(b"a").await.unwrap(), Some(b"1".to_vec()));
        changes.set(b"a", value.to_vec()).await.unwrap();
    }
    one.commit().await.unwrap();
    assert!(matches!(other.commit().await, Err(RecordError::Conflict(_))), "both wrote it");
    assert_eq!(records.read().await.unwrap().get(b"a").await.unwrap(), Some(b"2".to_vec()));
    database.engine.close().await;
}
