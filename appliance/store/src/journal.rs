//! The journal: moves of many games, gathered into one record a commit (group commit).
//!
//! A commit costs an fsync, and a row for each move some 100 µs of CPU beside it. One record that carries all moves
//! gathered since the last commit costs both once. Nothing is published before the commit that holds it is on disk:
//! acknowledged means stored. While one commit is under way the next batch gathers by itself; no entry waits for a
//! timer, and none for a commit later than its own.
//!
//! The journal is trimmed behind the checkpoints in `game`; a start replays what is left.

use std::collections::VecDeque;
use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use bytes::{Buf, BufMut, Bytes, BytesMut};
use rand::Rng;
use surrealdb::types::{RecordId, SurrealValue, vars};
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;
use tracing::{error, info};

use crate::store::{Store, row, rows};
use crate::{Result, StoreError};

/// The first byte of a record: how the rest is encoded.
const ENCODING: u8 = 1;

/// Bytes that a record spends on an entry beside the entry itself.
const ENTRY_OVERHEAD: usize = 4;

/// Pauses between two tries of a failed commit: doubling from the first to the second.
const RETRY_PAUSE: (Duration, Duration) = (Duration::from_millis(5), Duration::from_secs(1));

/// Records read at once in a replay, at first and at most. A page is twice the last one as long as that was small, since
/// what a query costs beside its rows would be most of the time; the largest is 64 MiB at the default batch size.
const REPLAY_PAGE: (usize, usize) = (8, 64);

/// Bytes of a page behind which the next one may be larger.
const SMALL_PAGE: usize = 256 << 10;

/// Records deleted in one transaction of a trim, which reads each of them. Not fewer, since SurrealDB looks through the
/// definitions of all tables in every transaction that deletes.
const TRIM_PAGE: u64 = 128;

/// The bounds of the journal.
#[derive(Debug, Clone)]
pub struct JournalOptions {
    /// Entries that may wait; one more is refused, and the move with it. At 40,000 moves a second this is what
    /// gathers while the disk hangs for a second and a half.
    pub queue_entries: usize,
    /// Entries of one commit.
    pub batch_entries: usize,
    /// Bytes of one commit; above 1 MiB the cost of a record grows faster than its size.
    pub batch_bytes: usize,
    /// Commit every entry by itself: what group commit is measured against, useless otherwise.
    pub one_commit_per_entry: bool,
}

impl Default for JournalOptions {
    fn default() -> Self {
        Self { queue_entries: 65_536, batch_entries: 16_384, batch_bytes: 1 << 20, one_commit_per_entry: false }
    }
}

pub(crate) fn first_record_query(from_seq: u64) -> String {
    format!("SELECT VALUE seq FROM journal:{from_seq}.. LIMIT 1")
}

pub(crate) fn page_query(from_seq: u64, records: usize) -> String {
    // An end instead of a limit: with a limit the engine would step over all that is left, for each page again.
    format!("SELECT seq, data FROM journal:{from_seq}..{}", from_seq.saturating_add(records as u64))
}

/// Where the committer puts its records. The store is one; a test has others that fail or hold back.
pub trait JournalWriter: Send + 'static {
    /// Stores a record and returns once it is on disk. Writing the same record again must do no harm: that is how a
    /// failed one is retried.
    fn write(&mut self, seq: u64, record: Bytes) -> impl Future<Output = Result<()>> + Send;
}

impl JournalWriter for Store {
    async fn write(&mut self, seq: u64, record: Bytes) -> Result<()> {
        // Not CREATE: after a sync that failed the record is there already.
        let query = "UPSERT $id CONTENT { seq: $seq, data: $data } RETURN NONE";
        let variables = vars! { id: journal_record(seq), seq: seq as i64, data: record };
        Store::write(self, query, variables).await.map(drop)
    }
}

fn journal_record(seq: u64) -> RecordId {
    RecordId::new("journal", seq as i64)
}

/// Entries that are on disk now, in the order they were appended.
#[derive(Debug)]
pub struct Commit<T> {
    /// The number of their record; a checkpoint that includes them says so with it.
    pub seq: u64,
    pub payloads: Vec<T>,
}

/// Why an entry was not taken; the payload comes back.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum AppendError<T> {
    #[error("the journal is full: the disk does not keep up")]
    Full(T),
    #[error("the journal is closed")]
    Closed(T),
    #[error("an entry larger than a batch")]
    TooLarge(T),
}

struct Entry<T> {
    bytes: Bytes,
    payload: T,
}

#[derive(Debug)]
struct Progress {
    healthy: AtomicBool,
    last_seq: AtomicU64,
    entries: AtomicU64,
    retries: AtomicU64,
}

/// The appending end of a [`Journal`]. Cheap to clone.
#[derive(Debug)]
pub struct JournalHandle<T> {
    queue: mpsc::Sender<Entry<T>>,
    progress: Arc<Progress>,
    largest_entry: usize,
}

impl<T> Clone for JournalHandle<T> {
    fn clone(&self) -> Self {
        Self { queue: self.queue.clone(), progress: Arc::clone(&self.progress), largest_entry: self.largest_entry }
    }
}

impl<T> JournalHandle<T> {
    /// Puts an entry into the queue; never waits. Once it is on disk, `payload` is published.
    pub fn append(&self, bytes: impl Into<Bytes>, payload: T) -> Result<(), AppendError<T>> {
        let bytes = bytes.into();
        if bytes.len() > self.largest_entry {
            return Err(AppendError::TooLarge(payload));
        }
        self.queue.try_send(Entry { bytes, payload }).map_err(|error| match error {
            mpsc::error::TrySendError::Full(entry) => AppendError::Full(entry.payload),
            mpsc::error::TrySendError::Closed(entry) => AppendError::Closed(entry.payload),
        })
    }

    /// Whether the journal runs and its last commit succeeded at the first try. While it is false nothing is published.
    pub fn is_healthy(&self) -> bool {
        self.progress.healthy.load(Ordering::Relaxed) && !self.queue.is_closed()
    }

    /// The number of the latest record on disk.
    pub fn last_seq(&self) -> u64 {
        self.progress.last_seq.load(Ordering::Acquire)
    }

    /// Entries committed since the start.
    pub fn entries_committed(&self) -> u64 {
        self.progress.entries.load(Ordering::Relaxed)
    }

    /// Commits that failed and were tried again since the start.
    pub fn retries(&self) -> u64 {
        self.progress.retries.load(Ordering::Relaxed)
    }

    /// Entries waiting in the queue.
    pub fn waiting(&self) -> usize {
        self.queue.max_capacity() - self.queue.capacity()
    }
}

/// A running journal: the queue, and the one task that commits from it.
#[derive(Debug)]
pub struct Journal<T> {
    handle: JournalHandle<T>,
    stop: oneshot::Sender<()>,
    committer: JoinHandle<()>,
}

impl<T: Send + 'static> Journal<T> {
    /// Starts the journal of a store behind its last record.
    ///
    /// `publish` gets every commit in order, right after it is on disk. It runs between two commits and must not
    /// wait.
    pub async fn start(
        store: Store,
        options: JournalOptions,
        publish: impl FnMut(Commit<T>) + Send + 'static,
    ) -> Result<Self> {
        let last_seq = store.last_journal_seq().await?;
        Ok(Self::start_with(store, last_seq, options, publish))
    }

    /// Starts a journal that writes to `writer`, its first record being `last_seq + 1`.
    pub fn start_with(
        writer: impl JournalWriter,
        last_seq: u64,
        options: JournalOptions,
        publish: impl FnMut(Commit<T>) + Send + 'static,
    ) -> Self {
        let (queue, entries) = mpsc::channel(options.queue_entries.max(1));
        let (stop, stopped) = oneshot::channel();
        let progress = Arc::new(Progress {
            healthy: AtomicBool::new(true),
            last_seq: AtomicU64::new(last_seq),
            entries: AtomicU64::new(0),
            retries: AtomicU64::new(0),
        });
        let largest_entry = options.batch_bytes.saturating_sub(1 + ENTRY_OVERHEAD);
        let handle = JournalHandle { queue, progress: Arc::clone(&progress), largest_entry };
        let committer = Committer {
            entries,
            gathered: VecDeque::new(),
            writer,
            publish,
            progress,
            batch_entries: if options.one_commit_per_entry { 1 } else { options.batch_entries.max(1) },
            batch_bytes: options.batch_bytes,
        };
        Self { handle, stop, committer: tokio::spawn(committer.run(stopped)) }
    }

    /// A handle to append with.
    pub fn handle(&self) -> JournalHandle<T> {
        self.handle.clone()
    }

    /// Takes no more entries, commits and publishes those that wait, and returns when that is done.
    ///
    /// While the disk refuses, it goes on trying; whoever cannot wait puts a time limit on it.
    pub async fn drain(self) {
        self.stop.send(()).ok();
        if let Err(failure) = self.committer.await {
            error!(%failure, "the journal's committer ended badly");
        }
    }
}

struct Committer<T, W, P> {
    entries: mpsc::Receiver<Entry<T>>,
    /// Taken from the queue and not committed: what was too much for the last batch.
    gathered: VecDeque<Entry<T>>,
    writer: W,
    publish: P,
    progress: Arc<Progress>,
    batch_entries: usize,
    batch_bytes: usize,
}

impl<T: Send, W: JournalWriter, P: FnMut(Commit<T>) + Send> Committer<T, W, P> {
    async fn run(mut self, mut stopped: oneshot::Receiver<()>) {
        let mut arrived = Vec::new();
        let mut draining = false;
        loop {
            let room = self.batch_entries.saturating_sub(self.gathered.len());
            if self.gathered.is_empty() {
                tokio::select! {
                    count = self.entries.recv_many(&mut arrived, room) => if count == 0 { return },
                    // Also when the journal was dropped; the handles go on until the last of them is gone.
                    request = &mut stopped, if !draining => {
                        draining = true;
                        if request.is_ok() {
                            self.entries.close();
                        }
                    }
                }
            } else {
                arrived.extend(std::iter::from_fn(|| self.entries.try_recv().ok()).take(room));
            }
            self.gathered.extend(arrived.drain(..));
            if !self.gathered.is_empty() {
                self.commit().await;
            }
        }
    }

    /// Commits as much of what was gathered as one batch may hold, however often it takes, and publishes it.
    async fn commit(&mut self) {
        let (record, payloads) = self.next_batch();
        let seq = self.progress.last_seq.load(Ordering::Acquire) + 1;
        let mut pause = RETRY_PAUSE.0;
        while let Err(failure) = self.writer.write(seq, record.clone()).await {
            if self.progress.healthy.swap(false, Ordering::Relaxed) {
                error!(seq, entries = payloads.len(), %failure, "a commit of moves failed; retrying");
            }
            self.progress.retries.fetch_add(1, Ordering::Relaxed);
            let share: f64 = rand::rng().random_range(0.5..1.0);
            tokio::time::sleep(pause.mul_f64(share)).await;
            pause = (pause * 2).min(RETRY_PAUSE.1);
        }
        if !self.progress.healthy.swap(true, Ordering::Relaxed) {
            info!(seq, "commits of moves succeed again");
        }
        self.progress.entries.fetch_add(payloads.len() as u64, Ordering::Relaxed);
        self.progress.last_seq.store(seq, Ordering::Release);
        (self.publish)(Commit { seq, payloads });
    }

    fn next_batch(&mut self) -> (Bytes, Vec<T>) {
        let mut size = 1;
        let fits = |entry: &&Entry<T>| {
            size += ENTRY_OVERHEAD + entry.bytes.len();
            size <= self.batch_bytes
        };
        // An entry larger than a batch is refused when it is appended, so the first always fits.
        let count = self.gathered.iter().take(self.batch_entries).take_while(fits).count().max(1);
        let batch = self.gathered.drain(..count);
        let mut record = BytesMut::with_capacity(size);
        record.put_u8(ENCODING);
        let payloads = batch
            .map(|entry| {
                record.put_u32_le(entry.bytes.len() as u32);
                record.put_slice(&entry.bytes);
                entry.payload
            })
            .collect();
        (record.freeze(), payloads)
    }
}

/// One record of the journal: the entries of one commit, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JournalRecord {
    pub seq: u64,
    pub entries: Vec<Bytes>,
}

impl JournalRecord {
    fn decode(seq: u64, mut data: Bytes) -> Result<Self> {
        let damaged = || StoreError::Corrupt(format!("journal record {seq}"));
        if !data.has_remaining() || data.get_u8() != ENCODING {
            return Err(damaged());
        }
        let mut entries = Vec::new();
        while data.has_remaining() {
            let length = data.try_get_u32_le().map_err(|_| damaged())? as usize;
            if length > data.remaining() {
                return Err(damaged());
            }
            entries.push(data.split_to(length));
        }
        Ok(Self { seq, entries })
    }
}

#[derive(SurrealValue)]
struct Row {
    seq: i64,
    data: Bytes,
}

/// Reads the journal in order; see [`Store::replay_journal`].
#[derive(Debug)]
pub struct JournalReader {
    store: Store,
    next_seq: u64,
    /// Whether the first record that is left was looked for.
    has_begun: bool,
    page: VecDeque<JournalRecord>,
    page_size: usize,
}

impl JournalReader {
    /// The next record, or `None` at the end.
    ///
    /// # Errors
    ///
    /// [`StoreError::Corrupt`] for a record that cannot be read, or when one is missing between two others.
    pub async fn next(&mut self) -> Result<Option<JournalRecord>> {
        if self.page.is_empty() {
            self.read_page().await?;
        }
        let Some(record) = self.page.pop_front() else {
            return Ok(None);
        };
        self.next_seq = record.seq + 1;
        if self.page.front().is_some_and(|following| following.seq != self.next_seq) {
            return Err(self.missing());
        }
        Ok(Some(record))
    }

    async fn read_page(&mut self) -> Result<()> {
        if !self.has_begun {
            let Some(first) = self.store.journal_seq_from(self.next_seq).await? else { return Ok(()) };
            self.next_seq = first;
            self.has_begun = true;
        }
        self.page = self.store.journal_page(self.next_seq, self.page_size).await?.into();
        match self.page.front() {
            Some(first) if first.seq != self.next_seq => return Err(self.missing()),
            None if self.store.journal_seq_from(self.next_seq).await?.is_some() => return Err(self.missing()),
            _ => {}
        }
        let bytes: usize = self.page.iter().flat_map(|record| &record.entries).map(Bytes::len).sum();
        let small = bytes < SMALL_PAGE;
        self.page_size = if small { (self.page_size * 2).min(REPLAY_PAGE.1) } else { REPLAY_PAGE.0 };
        Ok(())
    }

    fn missing(&self) -> StoreError {
        StoreError::Corrupt(format!("journal record {} is missing", self.next_seq))
    }
}

impl Store {
    /// Reads the journal from this record on (or from the first that is left).
    pub fn replay_journal(&self, from_seq: u64) -> JournalReader {
        JournalReader {
            store: self.clone(),
            next_seq: from_seq,
            has_begun: false,
            page: VecDeque::new(),
            page_size: REPLAY_PAGE.0,
        }
    }

    async fn journal_page(&self, from_seq: u64, records: usize) -> Result<Vec<JournalRecord>> {
        let mut response = self.read(&page_query(from_seq, records), vars! {}).await?;
        let rows: Vec<Row> = rows(&mut response, 0)?;
        rows.into_iter().map(|row| JournalRecord::decode(row.seq as u64, row.data)).collect()
    }

    /// The number of the latest record, 0 when there never was one.
    ///
    /// Records are numbered without a gap, so it is found by doubling steps and halving them again: reading the table
    /// backwards would cost more the more is in memory.
    pub async fn last_journal_seq(&self) -> Result<u64> {
        let Some(mut last) = self.first_journal_seq().await? else { return Ok(0) };
        let mut step = 1;
        while self.has_journal_record(last + step).await? {
            last += step;
            step *= 2;
        }
        while step > 1 {
            step /= 2;
            if self.has_journal_record(last + step).await? {
                last += step;
            }
        }
        Ok(last)
    }

    async fn first_journal_seq(&self) -> Result<Option<u64>> {
        // Behind what this process removed: a scan from the beginning would step over all of it.
        self.journal_seq_from(self.journal_begins.load(Ordering::Relaxed)).await
    }

    /// The number of the first record that is not before this one.
    async fn journal_seq_from(&self, seq: u64) -> Result<Option<u64>> {
        let mut response = self.read(&first_record_query(seq), vars! {}).await?;
        Ok(row::<i64>(&mut response, 0)?.map(|seq| seq as u64))
    }

    async fn has_journal_record(&self, seq: u64) -> Result<bool> {
        let mut response = self.read(&format!("RETURN record::exists(journal:{seq})"), vars! {}).await?;
        Ok(row(&mut response, 0)?.unwrap_or(false))
    }

    /// Removes the records before `before_seq`, which every checkpoint has behind it; answers how many went. After each
    /// step it pauses for `rest` times as long as that took.
    ///
    /// The latest record always stays: the numbers go on from it after a restart.
    pub async fn trim_journal(&self, before_seq: u64, rest: u32) -> Result<u64> {
        let Some(first) = self.first_journal_seq().await? else { return Ok(0) };
        if before_seq <= first {
            return Ok(0);
        }
        // Records are numbered without a gap: where the last to stay is, all before it are.
        let end = if self.has_journal_record(before_seq).await? {
            before_seq
        } else {
            before_seq.min(self.last_journal_seq().await?)
        };
        let mut next = first;
        while next < end {
            let until = (next + TRIM_PAGE).min(end);
            let started = Instant::now();
            self.write(&format!("DELETE journal:{next}..{until} RETURN NONE"), vars! {}).await?;
            next = until;
            self.journal_begins.fetch_max(next, Ordering::Relaxed);
            tokio::time::sleep(started.elapsed() * rest).await;
        }
        Ok(end.saturating_sub(first))
    }
}
