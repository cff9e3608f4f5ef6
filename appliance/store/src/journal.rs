//! The journal: moves of many games, gathered into one record per commit (group commit).
//!
//! A commit costs an fsync, and a row for each move some 100 µs of CPU besides. One record with all moves since the
//! last commit costs one sync, and no query (`records.rs`). Nothing is published before its commit is on disk:
//! acknowledged means stored. While one commit is in progress the next batch gathers; no entry waits for a timer, and
//! none for a later commit than its own.
//!
//! The journal is trimmed up to the checkpoints in `game`; a start replays the rest.

pub(crate) mod records;
mod replay;

use std::collections::VecDeque;
use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use bytes::{BufMut, Bytes, BytesMut};
use rand::Rng;
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;
use tracing::{Instrument, error, info, trace_span};

use crate::Result;
use crate::store::Store;
pub use replay::{JournalReader, JournalRecord};

/// The first byte of a record: how the rest is encoded.
const ENCODING: u8 = 1;

/// Bytes per entry in a record besides the entry itself.
const ENTRY_OVERHEAD: usize = 4;

/// Pauses between retries of a failed commit: doubling from the first to the second.
const RETRY_PAUSE: (Duration, Duration) = (Duration::from_millis(5), Duration::from_secs(1));

/// The bounds of the journal.
#[derive(Debug, Clone)]
pub struct JournalOptions {
    /// Queued entries; one more is refused, and the move with it. At 40,000 moves a second this is what gathers while
    /// the disk hangs for a second and a half.
    pub queue_entries: usize,
    /// Entries of one commit.
    pub batch_entries: usize,
    /// Bytes of one commit; above 1 MiB the cost of a record grows faster than its size.
    pub batch_bytes: usize,
    /// Commit every entry separately: only for comparison with group commit.
    pub one_commit_per_entry: bool,
}

impl Default for JournalOptions {
    fn default() -> Self {
        Self { queue_entries: 65_536, batch_entries: 16_384, batch_bytes: 1 << 20, one_commit_per_entry: false }
    }
}

/// Where the committer writes its records. The store is one; tests have others that fail or block.
pub trait JournalWriter: Send + 'static {
    /// Stores a record and returns once it is on disk. Writing the same record again must do no harm: that is how a
    /// failed one is retried.
    fn write(&mut self, seq: u64, record: Bytes) -> impl Future<Output = Result<()>> + Send;
}

impl JournalWriter for Store {
    async fn write(&mut self, seq: u64, record: Bytes) -> Result<()> {
        let record = [(seq, record)];
        self.retried(|| self.engine.journal.put(&record)).await
    }
}

/// Entries that are on disk now, in the order they were appended.
#[derive(Debug)]
pub struct Commit<T> {
    /// The number of their record; a checkpoint that includes them says so with it.
    pub seq: u64,
    pub payloads: Vec<T>,
    /// From the start of the write to its sync, retries included.
    pub took: Duration,
}

/// Why an entry was refused; the payload is returned.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum AppendError<T> {
    #[error("the journal is full: the disk does not keep up")]
    Full(T),
    #[error("the journal is closed")]
    Closed(T),
    #[error("an entry larger than a batch")]
    TooLarge(T),
}

struct JournalEntry<T> {
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
    queue: mpsc::Sender<JournalEntry<T>>,
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
        self.queue.try_send(JournalEntry { bytes, payload }).map_err(|error| match error {
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
    /// Starts the journal of a store after its last record.
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
            pending: VecDeque::new(),
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

    /// Accepts no more entries, commits and publishes those in the queue, and returns when that is done.
    ///
    /// While the disk fails, it keeps retrying; callers that cannot wait use a timeout.
    pub async fn drain(self) {
        self.stop.send(()).ok();
        if let Err(failure) = self.committer.await {
            error!(%failure, "the journal's committer failed");
        }
    }
}

struct Committer<T, W, P> {
    entries: mpsc::Receiver<JournalEntry<T>>,
    /// Taken from the queue and not committed: what did not fit into the last batch.
    pending: VecDeque<JournalEntry<T>>,
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
            let room = self.batch_entries.saturating_sub(self.pending.len());
            if self.pending.is_empty() {
                tokio::select! {
                    count = self.entries.recv_many(&mut arrived, room) => {
                        if count == 0 {
                            return;
                        }
                        // A commit costs the same however little it carries: moves whose frames are there already come
                        // along. It takes no time when no other task is ready.
                        tokio::task::yield_now().await;
                    }
                    // Also when the journal was dropped; the handles work until the last of them is dropped.
                    request = &mut stopped, if !draining => {
                        draining = true;
                        if request.is_ok() {
                            self.entries.close();
                        }
                    }
                }
            }
            let left = room.saturating_sub(arrived.len());
            arrived.extend(std::iter::from_fn(|| self.entries.try_recv().ok()).take(left));
            self.pending.extend(arrived.drain(..));
            if !self.pending.is_empty() {
                self.commit().await;
            }
        }
    }

    /// Commits as many pending entries as one batch may hold, retrying until it succeeds, and publishes them.
    async fn commit(&mut self) {
        let (record, payloads) = self.next_batch();
        let seq = self.progress.last_seq.load(Ordering::Acquire) + 1;
        let begun = Instant::now();
        let trace = trace_span!(target: "telemetry", "commit", entries = payloads.len());
        let mut pause = RETRY_PAUSE.0;
        while let Err(failure) = self.writer.write(seq, record.clone()).instrument(trace.clone()).await {
            if self.progress.healthy.swap(false, Ordering::Relaxed) {
                error!(seq, entries = payloads.len(), %failure, "a commit of moves failed; retrying");
            }
            self.progress.retries.fetch_add(1, Ordering::Relaxed);
            let share: f64 = rand::rng().random_range(0.5..1.0);
            tokio::time::sleep(pause.mul_f64(share)).await;
            pause = (pause * 2).min(RETRY_PAUSE.1);
        }
        drop(trace);
        if !self.progress.healthy.swap(true, Ordering::Relaxed) {
            info!(seq, "commits of moves succeed again");
        }
        self.progress.entries.fetch_add(payloads.len() as u64, Ordering::Relaxed);
        self.progress.last_seq.store(seq, Ordering::Release);
        (self.publish)(Commit { seq, payloads, took: begun.elapsed() });
    }

    fn next_batch(&mut self) -> (Bytes, Vec<T>) {
        let mut size = 1;
        let fits = |entry: &&JournalEntry<T>| {
            size += ENTRY_OVERHEAD + entry.bytes.len();
            size <= self.batch_bytes
        };
        // Entries larger than a batch are refused when appended, so the first always fits.
        let count = self.pending.iter().take(self.batch_entries).take_while(fits).count().max(1);
        let batch = self.pending.drain(..count);
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
