//! Replicated commits: their order, what is acknowledged, and what another folder gets of them.

mod common;

use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use morpion_engine::{Changes, CommitLog, Engine, MAX_CHANGES, Options};
use parking_lot::Mutex;
use tokio::sync::oneshot;

const MEMTABLE: usize = 1 << 20;

async fn open(folder: PathBuf) -> Engine {
    let options =
        Options { folder, memtable_bytes: MEMTABLE, block_cache_bytes: 1 << 20, accept_data_loss: false, key: None };
    Engine::open(options).await.unwrap()
}

/// Keeps what it gets, and acknowledges when it is told to.
#[derive(Default)]
struct Log {
    refuses: Mutex<Option<String>>,
    taken: Mutex<Vec<(Changes, Option<oneshot::Sender<()>>)>>,
}

impl Log {
    fn changes(&self) -> Vec<Changes> {
        self.taken.lock().iter().map(|(changes, _)| changes.clone()).collect()
    }

    fn acknowledge_all(&self) {
        for (_, done) in self.taken.lock().iter_mut() {
            if let Some(done) = done.take() {
                done.send(()).unwrap();
            }
        }
    }

    async fn has_taken(&self, count: usize) {
        while self.taken.lock().len() < count {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    }
}

impl CommitLog for Log {
    fn admit(&self) -> Pin<Box<dyn Future<Output = Result<(), String>> + Send + '_>> {
        Box::pin(async { self.refuses.lock().clone().map_or(Ok(()), Err) })
    }

    fn broken(&self) {
        panic!("a commit failed");
    }

    fn append(&self, changes: Changes) -> oneshot::Receiver<()> {
        let (done, acknowledged) = oneshot::channel();
        self.taken.lock().push((changes, Some(done)));
        acknowledged
    }
}

async fn set(engine: &Engine, key: &[u8], value: &[u8]) -> Result<(), morpion_engine::RecordError> {
    let transaction = engine.keyed("test").write().await?;
    transaction.set(key, value.to_vec()).await?;
    transaction.commit().await
}

async fn get(engine: &Engine, key: &[u8]) -> Option<Vec<u8>> {
    engine.keyed("test").read().await.unwrap().get(key).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_commit_is_acknowledged_by_the_log_and_applied_elsewhere_in_its_order() {
    let (here, there) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (leader, follower) = (open(here.path().join("db")).await, open(there.path().join("db")).await);
    let log = Arc::new(Log::default());
    assert!(leader.replicate(Arc::<Log>::clone(&log)));
    assert!(!leader.replicate(Arc::<Log>::clone(&log)));

    let writing = tokio::spawn({
        let leader = leader.clone();
        async move { set(&leader, b"a", b"1").await }
    });
    log.has_taken(1).await;
    tokio::time::sleep(Duration::from_millis(20)).await;
    assert!(!writing.is_finished(), "it is not acknowledged");
    let again = tokio::spawn({
        let leader = leader.clone();
        async move {
            let transaction = leader.keyed("test").write().await?;
            transaction.set(b"a", b"2".to_vec()).await?;
            transaction.set(b"b", b"3".to_vec()).await?;
            transaction.remove(b"b").await?;
            transaction.commit().await
        }
    });
    log.has_taken(2).await;
    log.acknowledge_all();
    writing.await.unwrap().unwrap();
    again.await.unwrap().unwrap();

    assert_eq!(follower.state().await.unwrap(), None);
    follower.apply(&log.changes(), b"two").await.unwrap();
    assert_eq!((get(&follower, b"a").await.unwrap(), get(&follower, b"b").await), (b"2".to_vec(), None));
    // The state belongs to the store and goes nowhere.
    leader.apply(&[], b"two").await.unwrap();
    assert_eq!(log.changes().len(), 2);
    for engine in [leader, follower] {
        assert_eq!(engine.state().await.unwrap().unwrap(), b"two");
        engine.close().await;
    }
    let reopened = open(here.path().join("db")).await;
    assert_eq!(get(&reopened, b"a").await.unwrap(), b"2");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_log_does_not_take_is_not_done_and_what_it_drops_is_unknown() {
    let folder = tempfile::tempdir().unwrap();
    let engine = open(folder.path().join("db")).await;
    let log = Arc::new(Log::default());
    engine.replicate(Arc::<Log>::clone(&log));
    *log.refuses.lock() = Some("no majority".to_owned());
    let refused = set(&engine, b"a", b"1").await.unwrap_err();
    assert!(refused.to_string().contains("no majority"), "{refused}");
    assert_eq!(get(&engine, b"a").await, None);
    *log.refuses.lock() = None;

    let large = set(&engine, b"a", &vec![0; MAX_CHANGES]).await.unwrap_err();
    assert!(large.to_string().to_lowercase().contains("large"), "{large}");
    assert_eq!((get(&engine, b"a").await, log.changes().len()), (None, 0));

    let dropping = tokio::spawn({
        let log = Arc::clone(&log);
        async move {
            log.has_taken(1).await;
            log.taken.lock().clear();
        }
    });
    let unknown = set(&engine, b"a", b"1").await.unwrap_err();
    dropping.await.unwrap();
    assert!(unknown.to_string().contains("no longer leads"), "{unknown}");
}

#[tokio::test(flavor = "multi_thread")]
async fn conflicts_are_settled_before_the_log_and_a_caller_that_gives_up_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let engine = open(folder.path().join("db")).await;
    let log = Arc::new(Log::default());
    engine.replicate(Arc::<Log>::clone(&log));
    let records = engine.keyed("test");
    let (first, second) = (records.write().await.unwrap(), records.write().await.unwrap());
    first.set(b"a", b"1".to_vec()).await.unwrap();
    second.set(b"a", b"2".to_vec()).await.unwrap();
    let first = tokio::spawn(first.commit());
    log.has_taken(1).await;
    assert!(matches!(second.commit().await, Err(morpion_engine::RecordError::Conflict(_))));
    assert_eq!(log.changes().len(), 1);
    log.acknowledge_all();
    first.await.unwrap().unwrap();

    let given_up = tokio::time::timeout(Duration::ZERO, set(&engine, b"b", b"1")).await;
    if given_up.is_err() && get(&engine, b"b").await.is_some() {
        log.has_taken(2).await;
    }
    // Nothing is made while it is quiet, and everything that was made is with the log.
    let quiet = engine.quiet().await;
    let waiting = tokio::spawn({
        let engine = engine.clone();
        async move { set(&engine, b"c", b"1").await }
    });
    tokio::time::sleep(Duration::from_millis(20)).await;
    assert_eq!(get(&engine, b"c").await, None);
    drop(quiet);
    while get(&engine, b"c").await.is_none() {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    log.acknowledge_all();
    tokio::time::sleep(Duration::from_millis(20)).await;
    log.acknowledge_all();
    waiting.await.unwrap().unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_checkpoint_in_quiet_has_exactly_what_was_made_and_can_be_opened() {
    let folder = tempfile::tempdir().unwrap();
    let engine = open(folder.path().join("db")).await;
    set(&engine, b"a", b"1").await.unwrap();
    engine.apply(&[], b"one").await.unwrap();
    let quiet = engine.quiet().await;
    engine.checkpoint(folder.path().join("checkpoint")).await.unwrap();
    drop(quiet);
    set(&engine, b"a", b"2").await.unwrap();
    morpion_engine::copy_with_links(&folder.path().join("checkpoint"), &folder.path().join("copy")).unwrap();
    let copy = open(folder.path().join("copy")).await;
    assert_eq!(
        (get(&copy, b"a").await.unwrap(), copy.state().await.unwrap().unwrap()),
        (b"1".to_vec(), b"one".to_vec())
    );
    // What the copy does to itself does nothing to the checkpoint.
    set(&copy, b"a", b"3").await.unwrap();
    copy.close().await;
    let again = folder.path().join("again");
    morpion_engine::copy_with_links(&folder.path().join("checkpoint"), &again).unwrap();
    assert_eq!(get(&open(again).await, b"a").await.unwrap(), b"1");
}
