//! The group commit: order, nothing published before it is on disk, retry, replay, trim.

mod common;

use std::collections::HashMap;
use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use bytes::Bytes;
use common::{journal_record, memory, on_disk, put_journal_rows};
use morpion_store::{
    AppendError, Commit, DatabaseUrl, DumpReader, DumpRecord, DumpWriter, Journal, JournalOptions, JournalWriter,
    OpenOptions, Store, StoreError,
};
use tokio::sync::{Semaphore, mpsc};
use tokio::time::timeout;

const SOON: Duration = Duration::from_secs(10);

fn bytes(number: u32) -> Bytes {
    Bytes::copy_from_slice(&number.to_le_bytes())
}

fn publisher() -> (impl FnMut(Commit<u32>) + Send + 'static, mpsc::UnboundedReceiver<Commit<u32>>) {
    let (sender, receiver) = mpsc::unbounded_channel();
    (move |commit| sender.send(commit).unwrap(), receiver)
}

async fn replayed(store: &Store, from_seq: u64) -> Vec<(u64, Bytes)> {
    let mut reader = store.replay_journal(from_seq);
    let mut entries = Vec::new();
    while let Some(record) = reader.next().await.unwrap() {
        entries.extend(record.entries.into_iter().map(|entry| (record.seq, entry)));
    }
    entries
}

/// A store whose commits wait for the test and fail on request.
struct HeldBack {
    store: Store,
    permits: Arc<Semaphore>,
    failures: Arc<AtomicUsize>,
    written: mpsc::UnboundedSender<(u64, Bytes)>,
}

impl JournalWriter for HeldBack {
    async fn write(&mut self, seq: u64, record: Bytes) -> Result<(), StoreError> {
        self.written.send((seq, record.clone())).unwrap();
        self.permits.acquire().await.unwrap().forget();
        if self.failures.load(Ordering::SeqCst) > 0 {
            self.failures.fetch_sub(1, Ordering::SeqCst);
            return Err(StoreError::Unavailable("the disk is full".to_owned()));
        }
        JournalWriter::write(&mut self.store, seq, record).await
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_published_before_its_commit_is_on_disk() {
    let store = memory().await;
    let permits = Arc::new(Semaphore::new(0));
    let (written, mut writes) = mpsc::unbounded_channel();
    let writer = HeldBack { store: store.clone(), permits: permits.clone(), failures: Arc::default(), written };
    let (publish, mut published) = publisher();
    let journal = Journal::start_with(writer, 0, JournalOptions::default(), publish);
    let handle = journal.handle();

    handle.append(bytes(1), 1).unwrap();
    assert_eq!(timeout(SOON, writes.recv()).await.unwrap().unwrap().0, 1);
    // The sync is blocked; more entries are queued meanwhile.
    for number in 2..=100 {
        handle.append(bytes(number), number).unwrap();
    }
    tokio::time::sleep(Duration::from_millis(100)).await;
    assert!(published.try_recv().is_err(), "published before its commit was on disk");
    assert!(writes.try_recv().is_err(), "a second commit began before the first was on disk");
    assert_eq!(handle.last_seq(), 0);

    permits.add_permits(1);
    let first = timeout(SOON, published.recv()).await.unwrap().unwrap();
    assert_eq!((first.seq, first.payloads), (1, vec![1]));
    // The queued entries are one commit, which is blocked too.
    assert_eq!(timeout(SOON, writes.recv()).await.unwrap().unwrap().0, 2);
    tokio::time::sleep(Duration::from_millis(50)).await;
    assert!(published.try_recv().is_err());
    permits.add_permits(1);
    let second = timeout(SOON, published.recv()).await.unwrap().unwrap();
    assert_eq!((second.seq, second.payloads), (2, (2..=100).collect()));
    assert_eq!(replayed(&store, 2).await.len(), 99);
    journal.drain().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failed_commit_is_retried_unchanged_until_it_succeeds() {
    let store = memory().await;
    let permits = Arc::new(Semaphore::new(Semaphore::MAX_PERMITS));
    let failures = Arc::new(AtomicUsize::new(3));
    let (written, mut writes) = mpsc::unbounded_channel();
    let writer = HeldBack { store: store.clone(), permits, failures: failures.clone(), written };
    let (publish, mut published) = publisher();
    let journal = Journal::start_with(writer, 41, JournalOptions::default(), publish);
    let handle = journal.handle();
    assert!(handle.is_healthy());

    handle.append(bytes(1), 1).unwrap();
    let first = timeout(SOON, writes.recv()).await.unwrap().unwrap();
    handle.append(bytes(2), 2).unwrap();
    assert_eq!(timeout(SOON, writes.recv()).await.unwrap().unwrap(), first, "the same record again");
    assert!(!handle.is_healthy());
    let commit = timeout(SOON, published.recv()).await.unwrap().unwrap();
    assert_eq!((commit.seq, commit.payloads), (42, vec![1]));
    let commit = timeout(SOON, published.recv()).await.unwrap().unwrap();
    assert_eq!((commit.seq, commit.payloads), (43, vec![2]));
    assert!(handle.is_healthy());
    assert_eq!((handle.retries(), handle.entries_committed(), handle.last_seq()), (3, 2, 43));
    journal.drain().await;
    assert_eq!(replayed(&store, 0).await, [(42, bytes(1)), (43, bytes(2))]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_record_written_twice_is_stored_once() {
    let (_folder, mut store) = on_disk().await;
    let record = Bytes::from_static(&[1, 2, 0, 0, 0, 7, 8]);
    for _ in 0..2 {
        JournalWriter::write(&mut store, 5, record.clone()).await.unwrap();
    }
    assert_eq!(replayed(&store, 0).await, [(5, Bytes::from_static(&[7, 8]))]);
    store.close().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn many_writers_keep_their_order_and_a_restart_replays_it() {
    let (folder, store) = on_disk().await;
    let (publish, mut published) = publisher();
    let options = JournalOptions { batch_entries: 100, ..JournalOptions::default() };
    let journal = Journal::start(store.clone(), options, publish).await.unwrap();
    let writers: Vec<_> = (0..20_u32)
        .map(|writer| {
            let handle = journal.handle();
            tokio::spawn(async move {
                for number in 0..100 {
                    let value = writer * 1000 + number;
                    handle.append(bytes(value), value).unwrap();
                    tokio::task::yield_now().await;
                }
            })
        })
        .collect();
    for writer in writers {
        writer.await.unwrap();
    }
    let handle = journal.handle();
    journal.drain().await;
    assert_eq!(handle.append(bytes(1), 1), Err(AppendError::Closed(1)));

    let mut told = Vec::new();
    while let Ok(commit) = published.try_recv() {
        told.extend(commit.payloads.into_iter().map(|value| (commit.seq, bytes(value))));
    }
    assert_eq!(told.len(), 2000);
    let mut latest: HashMap<u32, u32> = HashMap::new();
    for (_, entry) in &told {
        let value = u32::from_le_bytes(entry[..].try_into().unwrap());
        if let Some(before) = latest.insert(value / 1000, value) {
            assert_eq!(value, before + 1, "the order of one writer");
        }
    }
    let commits = handle.last_seq();
    assert!((20..1000).contains(&commits), "{commits} commits for 2,000 entries are no group commit");
    store.close().await.unwrap();

    let url = DatabaseUrl::Folder(folder.path().join("db"));
    let store = Store::open(&url, OpenOptions::default()).await.unwrap();
    assert_eq!(replayed(&store, 0).await, told);
    let middle = commits / 2;
    let rest: Vec<_> = told.iter().filter(|(seq, _)| *seq >= middle).cloned().collect();
    assert_eq!(replayed(&store, middle).await, rest);

    // After trimming, numbers continue.
    assert_eq!(store.trim_journal(middle, 0).await.unwrap(), middle - 1);
    assert_eq!(store.trim_journal(middle, 0).await.unwrap(), 0);
    assert_eq!(replayed(&store, 0).await, rest);
    store.trim_journal(u64::MAX, 0).await.unwrap();
    assert_eq!(store.last_journal_seq().await.unwrap(), commits, "the last record stays");
    let (publish, mut published) = publisher();
    let journal = Journal::start(store.clone(), JournalOptions::default(), publish).await.unwrap();
    journal.handle().append(bytes(7), 7).unwrap();
    assert_eq!(timeout(SOON, published.recv()).await.unwrap().unwrap().seq, commits + 1);
    journal.drain().await;
    store.close().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn the_queue_and_the_batches_are_bounded() {
    let store = memory().await;
    let permits = Arc::new(Semaphore::new(0));
    let (written, mut writes) = mpsc::unbounded_channel();
    let writer = HeldBack { store: store.clone(), permits: permits.clone(), failures: Arc::default(), written };
    let (publish, mut published) = publisher();
    let options = JournalOptions { queue_entries: 10, batch_entries: 4, batch_bytes: 64, ..JournalOptions::default() };
    let journal = Journal::start_with(writer, 0, options, publish);
    let handle = journal.handle();

    assert_eq!(handle.append(vec![0; 60], 0), Err(AppendError::TooLarge(0)));
    handle.append(bytes(0), 0).unwrap();
    timeout(SOON, writes.recv()).await.unwrap().unwrap();
    // Five of 26 bytes and five small ones wait; the eleventh is refused.
    for number in 1..=10 {
        let entry = if number <= 5 { vec![number as u8; 26] } else { vec![number as u8] };
        handle.append(entry, number).unwrap();
    }
    assert_eq!(handle.waiting(), 10);
    assert_eq!(handle.append(bytes(11), 11), Err(AppendError::Full(11)));

    permits.add_permits(Semaphore::MAX_PERMITS / 2);
    journal.drain().await;
    let mut commits = Vec::new();
    while let Ok(commit) = published.try_recv() {
        commits.push(commit.payloads);
    }
    // Two of 26 + 4 bytes fill 61 of 64; four entries fill a batch.
    assert_eq!(commits, [vec![0], vec![1, 2], vec![3, 4], vec![5, 6, 7, 8], vec![9, 10]]);
    assert_eq!(replayed(&store, 0).await.len(), 11);
}

#[tokio::test(flavor = "multi_thread")]
async fn commits_can_hold_a_single_entry() {
    let store = memory().await;
    let (publish, mut published) = publisher();
    let options = JournalOptions { one_commit_per_entry: true, ..JournalOptions::default() };
    let journal = Journal::start(store, options, publish).await.unwrap();
    for number in 1..=5 {
        journal.handle().append(bytes(number), number).unwrap();
    }
    journal.drain().await;
    for number in 1..=5 {
        let commit = published.try_recv().unwrap();
        assert_eq!((commit.seq, commit.payloads), (u64::from(number), vec![number]));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_batch_of_a_mebibyte_is_stored() {
    let (_folder, store) = on_disk().await;
    let (publish, mut published) = publisher();
    let journal = Journal::start(store.clone(), JournalOptions::default(), publish).await.unwrap();
    let large = Bytes::from(vec![9; (1 << 20) - 5]);
    journal.handle().append(large.clone(), 1).unwrap();
    timeout(SOON, published.recv()).await.unwrap().unwrap();
    journal.drain().await;
    assert_eq!(replayed(&store, 0).await, [(1, large)]);
    store.close().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_damaged_or_missing_record_is_reported() {
    let mut store = memory().await;
    for seq in [1, 2, 4] {
        JournalWriter::write(&mut store, seq, Bytes::from_static(&[1])).await.unwrap();
    }
    let mut reader = store.replay_journal(1);
    assert_eq!(reader.next().await.unwrap().unwrap().seq, 1);
    let error = reader.next().await.unwrap_err();
    assert_eq!(error, StoreError::Corrupt("journal record 3 is missing".to_owned()));
    for damaged in [&b""[..], &[2], &[1, 9], &[1, 2, 0, 0, 0, 7]] {
        let mut store = memory().await;
        JournalWriter::write(&mut store, 1, Bytes::from_static(damaged)).await.unwrap();
        assert!(matches!(store.replay_journal(0).next().await, Err(StoreError::Corrupt(_))), "{damaged:?}");
    }
}

/// The journal's own writes never conflict, but a backup tool or an operator may touch a record.
#[tokio::test(flavor = "multi_thread")]
async fn conflicting_writes_of_one_record_all_succeed_in_the_end() {
    let (_folder, store) = on_disk().await;
    let writers: Vec<_> = (0..4_u8)
        .map(|writer| {
            let mut store = store.clone();
            tokio::spawn(async move {
                for _ in 0..5 {
                    let record = Bytes::from(vec![1, 1, 0, 0, 0, writer]);
                    JournalWriter::write(&mut store, 1, record).await.unwrap();
                }
            })
        })
        .collect();
    for writer in writers {
        writer.await.unwrap();
    }
    assert_eq!(replayed(&store, 0).await.len(), 1);
}

/// Engine entries that a start reads for this many records, after a kill.
async fn cost_of_replay(records: u64) -> u64 {
    let (folder, mut store) = on_disk().await;
    for seq in 1..=records {
        JournalWriter::write(&mut store, seq, Bytes::from_static(&[1, 1, 0, 0, 0, 7])).await.unwrap();
    }
    let killed = folder.path().join("killed");
    morpion_engine::copy(&folder.path().join("db"), &killed).unwrap();
    store.close().await.unwrap();
    let store = Store::open(&DatabaseUrl::Folder(killed), OpenOptions::default()).await.unwrap();
    let before = store.entries_read();
    assert_eq!(replayed(&store, 0).await.len() as u64, records);
    let read = store.entries_read() - before;
    store.close().await.unwrap();
    read
}

#[tokio::test(flavor = "multi_thread")]
async fn replay_time_grows_linearly_with_the_journal() {
    let (once, twice) = (cost_of_replay(200).await, cost_of_replay(400).await);
    assert!(once >= 200, "every record is read: {once}");
    assert!(twice as f64 <= 2.5 * once as f64, "{once} entries are read for 200 records, {twice} for 400");
    assert!(once < 3 * 200, "few are read twice: {once}");
}

fn expected(numbers: RangeInclusive<u32>) -> Vec<(u64, Bytes)> {
    numbers.map(|number| (number.into(), bytes(number))).collect()
}

async fn reopened(folder: &Path) -> Store {
    Store::open(&DatabaseUrl::Folder(folder.to_owned()), OpenOptions::default()).await.unwrap()
}

/// All records of an export's journal.
async fn exported(folder: &Path) -> Vec<DumpRecord> {
    let mut reader = DumpReader::open(folder, None).await.unwrap();
    let mut all = vec![];
    loop {
        let records = reader.next().await.unwrap();
        if records.is_empty() {
            break;
        }
        all.extend(records.into_iter().filter(|record| record.table == "journal"));
    }
    reader.close().await.unwrap();
    all
}

#[tokio::test(flavor = "multi_thread")]
async fn an_export_has_every_record_once_and_an_import_takes_them_over() {
    let (folder, mut store) = on_disk().await;
    for number in 3..=100 {
        JournalWriter::write(&mut store, number.into(), journal_record(number)).await.unwrap();
    }
    store.close().await.unwrap();
    let path = folder.path().join("db");
    // A takeover that was killed left these beside their records.
    put_journal_rows(&path, 69..=100).await;
    let records = exported(&path).await;
    let numbers: Vec<_> = records.iter().map(|record| record.id.as_i64().unwrap()).collect();
    assert_eq!(numbers, (3..=100).collect::<Vec<_>>());

    let migrations = DumpReader::open(&path, None).await.unwrap();
    let numbers = migrations.migrations().to_vec();
    migrations.close().await.unwrap();
    let earlier: Vec<u32> = numbers.iter().copied().filter(|number| *number < 18).collect();
    for (name, migrations) in [("same", numbers), ("earlier", earlier)] {
        let into = folder.path().join(name);
        let writer = DumpWriter::create(&into, &migrations, None).await.unwrap();
        writer.insert("journal", records.clone()).await.unwrap();
        writer.finish().await.unwrap();
        assert_eq!(exported(&into).await, records);
        let store = reopened(&into).await;
        assert_eq!(replayed(&store, 0).await, expected(3..=100), "{name}");
        store.close().await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_copy_of_the_tables_has_the_journal() {
    let (folder, mut store) = on_disk().await;
    JournalWriter::write(&mut store, 7, journal_record(7)).await.unwrap();
    let copy = folder.path().join("copy");
    store.checkpoint(copy.clone()).await.unwrap();
    store.close().await.unwrap();
    let store = reopened(&copy).await;
    assert_eq!(replayed(&store, 0).await, expected(7..=7));
    store.close().await.unwrap();
}
