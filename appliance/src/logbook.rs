//! The log that admins and operators look through: `docs/behaviour/logs.md`.
//!
//! ```text
//! tracing ── layer ─┐
//!                   ├─ bounded queue ─ writer ─ open chunk ─ store
//! clients ─ http ───┘                    └─ followers
//! ```
//!
//! Records arrive in a bounded queue; when it is full they are dropped and counted, never waited for. One task, the
//! writer, numbers them, sends them to followers, and gathers them in chunks of a thousand, each stored as one row. A
//! [`chunk::ChunkHeader`] of every chunk stays in memory; it answers counts and decides which chunks a query has to
//! read.

mod bloom;
mod budget;
mod chunk;
mod client_quota;
mod filter;
mod layer;
mod page;
mod record;
mod redact;
pub mod wire;
mod writer;

use std::{
    collections::{BTreeMap, HashMap},
    num::NonZeroUsize,
    sync::{
        Arc, Weak,
        atomic::{AtomicU64, Ordering},
    },
};

use bytes::Bytes;
use lru::LruCache;
use morpion_store::{Store, StoreError};
use parking_lot::{Mutex, RwLock};
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;

use crate::{clock::Clock, config, connections::handle::ConnectionHandle, error::CommonError};
pub use bloom::SearchTerm;
pub use budget::{Budget, Sink};
use chunk::ChunkHeader;
use client_quota::{ClientQuota, STRANGER_BYTES};
pub use filter::Filter;
pub use layer::{ANSWERED, LogbookLayer, SERVICES};
pub use record::{CLIENT, Cursor, Level, Record, SERVER, cut};
pub use redact::redact;

/// Queued records of clients; beyond it they are dropped and counted.
const QUEUE_SIZE: usize = 4_096;

/// Encoded chunks cached for the next page of a reader: some 12 MiB.
const CACHED_CHUNKS: NonZeroUsize = NonZeroUsize::new(256).expect("not zero");

/// Filters whose counts per chunk are cached, a few bytes a chunk: the next pages need not read what was only counted.
const COUNTED_FILTERS: NonZeroUsize = NonZeroUsize::new(32).expect("not zero");

/// Connections that may follow the log at once.
const MAX_FOLLOWERS: usize = 64;

const HOUR: i64 = 3_600_000;

/// How long records are stored.
#[derive(Debug, Clone, Copy)]
pub struct Retention {
    pub days: u32,
    /// An upper limit for records of the server; whole chunks are deleted, several at once, so up to a thousand and a
    /// 64th more stay.
    pub records: u64,
    /// An upper limit for records of clients.
    pub client_records: u64,
}

impl From<&config::Log> for Retention {
    fn from(log: &config::Log) -> Self {
        Self {
            days: log.keep_days.get(),
            records: log.keep_records.get(),
            client_records: log.keep_client_records.get(),
        }
    }
}

/// A page of records.
#[derive(Debug, Default)]
pub struct Page {
    pub records: Vec<(Cursor, Record)>,
    /// How many match in all; at least as many as were found when counting all was too expensive.
    pub total: u64,
    /// Whether more follow.
    pub has_more: bool,
}

/// Which part of the matching records a page shows.
#[derive(Debug, Clone, Copy)]
pub struct PageSpec {
    pub skip: u64,
    pub limit: usize,
    /// Only what comes after this cursor.
    pub after: Option<Cursor>,
    pub order: Order,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    NewestFirst,
    OldestFirst,
}

/// Counts for the viewer's cards.
#[derive(Debug, Default)]
pub struct Stats {
    pub levels: [u64; 4],
    /// For each of the last 24 hours, the oldest first.
    pub hourly: [[u64; 24]; 4],
    pub dropped: u64,
}

#[derive(Debug)]
struct SealedChunk {
    number: u64,
    header: ChunkHeader,
}

/// A sealed chunk with its records.
type Unsaved = (Arc<SealedChunk>, Arc<Vec<Record>>);

/// The number of a sealed chunk, and how many of its first records are deleted.
type ChunkVersion = (u64, u32);

impl SealedChunk {
    fn version(&self) -> ChunkVersion {
        (self.number, self.header.deleted())
    }
}

/// The chunk that records are appended to.
#[derive(Debug, Default)]
struct OpenChunk {
    number: u64,
    header: ChunkHeader,
    records: Vec<Record>,
}

#[derive(Debug)]
struct Shared {
    store: Store,
    retention: Retention,
    client_quota: ClientQuota,
    clock: Clock,
    /// On disk or on the way there, the oldest first.
    sealed: RwLock<Vec<Arc<SealedChunk>>>,
    /// Sealed and not on disk yet.
    unsaved: Mutex<BTreeMap<u64, Unsaved>>,
    open: Mutex<OpenChunk>,
    cache: Mutex<LruCache<ChunkVersion, Bytes>>,
    counted: Mutex<LruCache<Filter, HashMap<ChunkVersion, u64>>>,
    /// Held by the task that deletes.
    deleting: tokio::sync::Mutex<()>,
    followers: Mutex<Vec<(Weak<ConnectionHandle>, Filter)>>,
    dropped: AtomicU64,
    /// Records taken since the start.
    taken: AtomicU64,
}

/// A request to delete records before a time, or all; the reply is how many were deleted.
type ClearRequest = (Option<i64>, oneshot::Sender<Result<u64, StoreError>>);

/// The logbook. Cheap to clone; all clones are one.
#[derive(Debug, Clone)]
pub struct Logbook {
    shared: Arc<Shared>,
    queue: mpsc::Sender<Record>,
    clear_requests: mpsc::Sender<ClearRequest>,
}

/// The running writer task.
#[derive(Debug)]
pub struct LogWriter {
    stop: CancellationToken,
    task: tokio::task::JoinHandle<()>,
}

impl LogWriter {
    /// Stores what has arrived and returns when it is on disk.
    pub async fn stop(self) {
        self.stop.cancel();
        self.task.await.ok();
    }
}

impl Logbook {
    /// Opens the logbook of a store and starts to store records: those of clients, and those of this process, if no
    /// other logbook does.
    ///
    /// # Errors
    /// The store is unavailable.
    pub async fn start(store: Store, retention: Retention, clock: Clock) -> Result<(Self, LogWriter), StoreError> {
        let mut sealed = Vec::new();
        for (number, bytes) in store.log_headers().await? {
            match ChunkHeader::decode(&bytes) {
                Some(header) => sealed.push(Arc::new(SealedChunk { number, header })),
                None => tracing::warn!(number, "a chunk of the log is damaged and left out"),
            }
        }
        let number = sealed.last().map_or(1, |last| last.number + 1);
        let shared = Arc::new(Shared {
            store,
            client_quota: ClientQuota::new(&retention),
            retention,
            clock,
            sealed: RwLock::new(sealed),
            unsaved: Mutex::default(),
            open: Mutex::new(OpenChunk { number, ..OpenChunk::default() }),
            cache: Mutex::new(LruCache::new(CACHED_CHUNKS)),
            counted: Mutex::new(LruCache::new(COUNTED_FILTERS)),
            deleting: tokio::sync::Mutex::default(),
            followers: Mutex::default(),
            dropped: AtomicU64::new(0),
            taken: AtomicU64::new(0),
        });
        let (queue, arriving) = mpsc::channel(QUEUE_SIZE);
        let (clear_requests, requests) = mpsc::channel(1);
        let stop = CancellationToken::new();
        let task = tokio::spawn(Arc::clone(&shared).run(arriving, requests, layer::take_receiver(), stop.clone()));
        Ok((Self { shared, queue, clear_requests }, LogWriter { stop, task }))
    }

    /// Takes the records that a request of a client brought, as far as its quota goes, redacted and truncated. A
    /// visitor and a guest are strangers. Never waits.
    pub fn record_of_client(&self, records: impl IntoIterator<Item = Record>, is_stranger: bool) {
        let mut left = if is_stranger { STRANGER_BYTES } else { usize::MAX };
        for record in records {
            match self.shared.client_quota.takes(is_stranger).then(|| redacted(record).bounded().within(&mut left)) {
                Some(Some(record)) => self.record(record),
                _ => _ = self.shared.dropped.fetch_add(1, Ordering::Relaxed),
            }
        }
    }

    /// Takes a record of ours as it is. Never waits.
    pub fn record(&self, record: Record) {
        if self.queue.try_send(record).is_err() {
            self.shared.dropped.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Sends matching records to this connection from now on, until it ends; a second call replaces the first.
    ///
    /// # Errors
    /// [`CommonError::Unavailable`] when there are too many followers.
    pub fn follow(&self, connection: &Arc<ConnectionHandle>, filter: Filter) -> Result<(), CommonError> {
        let mut followers = self.shared.followers.lock();
        followers.retain(|(other, _)| other.upgrade().is_some_and(|other| other.id != connection.id));
        if followers.len() >= MAX_FOLLOWERS {
            return Err(CommonError::unavailable("Too many follow the log already."));
        }
        followers.push((Arc::downgrade(connection), filter));
        Ok(())
    }

    /// A page of the matching records.
    ///
    /// # Errors
    /// The store is unavailable.
    pub async fn page(&self, filter: &Filter, spec: PageSpec) -> Result<Page, CommonError> {
        Ok(self.shared.page(filter, spec).await?)
    }

    /// Records taken since the start.
    pub fn taken(&self) -> u64 {
        self.shared.taken.load(Ordering::Relaxed)
    }

    /// Records that found no room since the start.
    pub fn dropped(&self) -> u64 {
        self.shared.dropped.load(Ordering::Relaxed) + layer::dropped()
    }

    /// Records that wait to be taken.
    pub fn waiting(&self) -> usize {
        self.queue.max_capacity() - self.queue.capacity() + layer::waiting()
    }

    pub fn stats(&self) -> Stats {
        self.shared.stats(self.shared.clock.wall().timestamp_millis())
    }

    /// Deletes all records, or those before a time in Unix milliseconds; returns how many were removed.
    ///
    /// # Errors
    /// The store is unavailable.
    pub async fn clear(&self, before: Option<i64>) -> Result<u64, CommonError> {
        let closed = || StoreError::Unavailable("the logbook is closed".to_owned());
        let (reply, cleared) = oneshot::channel();
        self.clear_requests.send((before, reply)).await.map_err(|_| closed())?;
        Ok(cleared.await.map_err(|_| closed())??)
    }
}

fn redacted(mut record: Record) -> Record {
    record.message = redact(&record.message).into_owned();
    for text in [&mut record.context, &mut record.stack, &mut record.file].into_iter().flatten() {
        *text = redact(text).into_owned();
    }
    record
}

impl Shared {
    fn stats(&self, now: i64) -> Stats {
        let mut stats = Stats { dropped: self.dropped.load(Ordering::Relaxed) + layer::dropped(), ..Stats::default() };
        let latest = now.div_euclid(HOUR);
        let mut add = |header: &ChunkHeader| {
            for (level, count) in header.levels().into_iter().enumerate() {
                stats.levels[level] += count;
            }
            for (hour, counts) in header.hours() {
                let Ok(age) = usize::try_from(latest - hour) else { continue };
                if age < 24 {
                    for (level, count) in counts.into_iter().enumerate() {
                        stats.hourly[level][23 - age] += u64::from(count);
                    }
                }
            }
        };
        self.sealed.read().iter().for_each(|sealed| add(&sealed.header));
        add(&self.open.lock().header);
        stats
    }
}

#[cfg(test)]
mod tests;
