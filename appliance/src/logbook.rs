//! The log that admins and operators look through: `docs/behaviour/logs.md`.
//!
//! ```text
//! tracing ── layer ─┐
//!                   ├─ bounded queue ─ keeper ─ open chunk ─ store
//! clients ─ http ───┘                    └─ whoever follows
//! ```
//!
//! Records arrive in a queue that lets go, and counts, rather than wait. One task, the keeper, numbers them, tells
//! whoever follows, and gathers them in chunks of a thousand, which the store takes as one row each. Of every chunk a
//! [`chunk::Head`] stays in memory; it answers counts and says which chunks a question has to read.

mod chunk;
mod layer;
mod query;
mod record;
mod redact;
mod words;

use std::{
    collections::{BTreeMap, HashMap},
    num::NonZeroUsize,
    sync::{
        Arc, Weak,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use bytes::Bytes;
use lru::LruCache;
use morpion_openapi::realtime::ServerFrame;
use morpion_store::{LogChunk, Store, StoreError};
use parking_lot::{Mutex, RwLock};
use tokio::{
    sync::{mpsc, oneshot},
    task::JoinSet,
    time::MissedTickBehavior,
};
use tokio_util::sync::CancellationToken;

use crate::{clock::Clock, config, connections::handle::ConnectionHandle, error::ApiError};
use chunk::{FULL, Head, encode_records, read_records};
pub use layer::{Keep, SERVICES};
pub use query::Query;
pub use record::{Level, Place, Record};
pub use redact::clean;
pub use words::Needle;

/// Records of clients that wait to be kept; beyond it they are let go and counted.
const WAITING: usize = 4_096;

/// How often what is new goes to disk: what a crash can cost of the log, never of a game.
const FLUSH_EVERY: Duration = Duration::from_millis(500);

/// How often old records are looked for while few arrive.
const RETAIN_EVERY: Duration = Duration::from_secs(600);

/// Full chunks that may wait for a store that does not answer, some 20 MiB; then the oldest is let go and counted.
const UNSAVED_CHUNKS: usize = 64;

/// Packed chunks kept for the next page of a reader: some 12 MiB.
const CACHED_CHUNKS: NonZeroUsize = NonZeroUsize::new(256).expect("not zero");

/// Questions of which is kept how many records of each chunk fit, a few bytes a chunk: the next page, and the one after
/// it, need not read what only had to be counted.
const COUNTED_QUESTIONS: NonZeroUsize = NonZeroUsize::new(32).expect("not zero");

/// Chunks read for one answer beyond those that its records are in. What is left uncounted then shows as one more
/// page: an exact total of a rare word in a million records is not worth the wait.
const COUNTED_CHUNKS: usize = 48;

/// Connections that follow the log at once.
const FOLLOWERS: usize = 64;

/// Frames that must be free in a follower's queue: a flood of records must not close the connection. It sees by the
/// numbers that some are missing, and asks for them.
const SPARE_FRAMES: usize = 64;

/// Chunks deleted in one transaction, which reads them and takes some 10 ms.
const DELETED_CHUNKS: u64 = 4;

const HOUR: i64 = 3_600_000;

/// How long records are kept.
#[derive(Debug, Clone, Copy)]
pub struct Retention {
    pub days: u32,
    /// At most; whole chunks go, and several at once, so up to a thousand and a 64th more stay.
    pub records: u64,
}

impl From<&config::Log> for Retention {
    fn from(log: &config::Log) -> Self {
        Self { days: log.keep_days.get(), records: log.keep_records.get() }
    }
}

/// A page of records.
#[derive(Debug, Default)]
pub struct Page {
    pub records: Vec<(Place, Record)>,
    /// How many fit in all; at least as many as were found when there was more to count than is worth it.
    pub total: u64,
    /// Whether some are left behind these.
    pub has_more: bool,
}

/// Which part of the fitting records a page shows.
#[derive(Debug, Clone, Copy)]
pub struct Wanted {
    pub skip: u64,
    pub limit: usize,
    /// Only what comes behind this place.
    pub behind: Option<Place>,
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
    /// Of each hour of the last 24, the oldest first.
    pub hourly: [[u64; 24]; 4],
    pub dropped: u64,
}

#[derive(Debug)]
struct Sealed {
    number: u64,
    head: Head,
}

/// A sealed chunk with its records.
type Unsaved = (Arc<Sealed>, Arc<Vec<Record>>);

/// Says what is in a sealed chunk: its number, and how many of its first records are deleted.
type Content = (u64, u32);

impl Sealed {
    fn content(&self) -> Content {
        (self.number, self.head.gone())
    }
}

/// The chunk that records are added to.
#[derive(Debug, Default)]
struct Open {
    number: u64,
    head: Head,
    records: Vec<Record>,
}

#[derive(Debug)]
struct Shared {
    store: Store,
    retention: Retention,
    clock: Clock,
    /// On disk or on the way there, the oldest first.
    sealed: RwLock<Vec<Arc<Sealed>>>,
    /// Sealed and not on disk yet.
    unsaved: Mutex<BTreeMap<u64, Unsaved>>,
    open: Mutex<Open>,
    cache: Mutex<LruCache<Content, Bytes>>,
    counted: Mutex<LruCache<Query, HashMap<Content, u64>>>,
    /// Held by the one task that deletes.
    deleting: tokio::sync::Mutex<()>,
    followers: Mutex<Vec<(Weak<ConnectionHandle>, Query)>>,
    dropped: AtomicU64,
}

/// A wish to delete: records before a time, or all; the answer says how many went.
type Clearing = (Option<i64>, oneshot::Sender<Result<u64, StoreError>>);

/// The logbook. Cheap to clone; all clones are one.
#[derive(Debug, Clone)]
pub struct Logbook {
    shared: Arc<Shared>,
    queue: mpsc::Sender<Record>,
    clearings: mpsc::Sender<Clearing>,
}

/// The running part, to be stopped in the end.
#[derive(Debug)]
pub struct Keeper {
    stop: CancellationToken,
    task: tokio::task::JoinHandle<()>,
}

impl Keeper {
    /// Keeps what has arrived and returns when it is on disk.
    pub async fn stop(self) {
        self.stop.cancel();
        self.task.await.ok();
    }
}

impl Logbook {
    /// Opens the logbook of a store and begins to keep records: those of clients, and those that this process speaks,
    /// if no other logbook of it does.
    ///
    /// # Errors
    /// The store does not answer.
    pub async fn start(store: Store, retention: Retention, clock: Clock) -> Result<(Self, Keeper), StoreError> {
        let mut sealed = Vec::new();
        for (number, bytes) in store.log_heads().await? {
            match Head::decode(&bytes) {
                Some(head) => sealed.push(Arc::new(Sealed { number, head })),
                None => tracing::warn!(number, "a chunk of the log is damaged and left out"),
            }
        }
        let number = sealed.last().map_or(1, |last| last.number + 1);
        let shared = Arc::new(Shared {
            store,
            retention,
            clock,
            sealed: RwLock::new(sealed),
            unsaved: Mutex::default(),
            open: Mutex::new(Open { number, ..Open::default() }),
            cache: Mutex::new(LruCache::new(CACHED_CHUNKS)),
            counted: Mutex::new(LruCache::new(COUNTED_QUESTIONS)),
            deleting: tokio::sync::Mutex::default(),
            followers: Mutex::default(),
            dropped: AtomicU64::new(0),
        });
        let (queue, arriving) = mpsc::channel(WAITING);
        let (clearings, wishes) = mpsc::channel(1);
        let stop = CancellationToken::new();
        let task = tokio::spawn(Arc::clone(&shared).keep(arriving, wishes, layer::spoken(), stop.clone()));
        Ok((Self { shared, queue, clearings }, Keeper { stop, task }))
    }

    /// Takes a record of a client, cleaned of secrets and cut to size here. Never waits.
    pub fn note(&self, mut record: Record) {
        record.message = clean(&record.message).into_owned();
        for text in [&mut record.context, &mut record.stack, &mut record.file].into_iter().flatten() {
            *text = clean(text).into_owned();
        }
        if self.queue.try_send(record.bounded()).is_err() {
            self.shared.dropped.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Sends what arrives from now on and fits to this connection, until it ends; a second wish replaces the first.
    ///
    /// # Errors
    /// 503 when too many follow already.
    pub fn follow(&self, connection: &Arc<ConnectionHandle>, query: Query) -> Result<(), ApiError> {
        let mut followers = self.shared.followers.lock();
        followers.retain(|(other, _)| other.upgrade().is_some_and(|other| other.id != connection.id));
        if followers.len() >= FOLLOWERS {
            return Err(ApiError::unavailable("Too many follow the log already."));
        }
        followers.push((Arc::downgrade(connection), query));
        Ok(())
    }

    /// The records that fit.
    ///
    /// # Errors
    /// The store does not answer.
    pub async fn page(&self, query: &Query, wanted: Wanted) -> Result<Page, StoreError> {
        self.shared.page(query, wanted).await
    }

    pub fn stats(&self) -> Stats {
        self.shared.stats(self.shared.clock.wall().timestamp_millis())
    }

    /// Deletes all records, or those before a time in Unix milliseconds; answers how many went.
    ///
    /// # Errors
    /// The store does not answer.
    pub async fn clear(&self, before: Option<i64>) -> Result<u64, StoreError> {
        let closed = || StoreError::Unavailable("the logbook is closed".to_owned());
        let (reply, cleared) = oneshot::channel();
        self.clearings.send((before, reply)).await.map_err(|_| closed())?;
        cleared.await.map_err(|_| closed())?
    }
}

impl Shared {
    /// The keeper: nobody else adds, and what deletes leaves alone what is not on disk yet.
    async fn keep(
        self: Arc<Self>,
        mut clients: mpsc::Receiver<Record>,
        mut clearings: mpsc::Receiver<Clearing>,
        spoken: Option<mpsc::Receiver<Record>>,
        stop: CancellationToken,
    ) {
        // In the place of a queue that another logbook has, one in which nothing arrives.
        let (_nobody, silence) = mpsc::channel(1);
        let mut spoken = spoken.unwrap_or(silence);
        let mut arrived = Vec::with_capacity(FULL);
        let mut flush = tokio::time::interval(FLUSH_EVERY);
        flush.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut retain = tokio::time::interval(RETAIN_EVERY);
        let mut is_dirty = false;
        // They take seconds where much goes, and what arrives meanwhile has to be kept.
        let mut deletions = JoinSet::new();
        loop {
            tokio::select! {
                Some(record) = spoken.recv() => arrived.push(record),
                record = clients.recv() => match record {
                    Some(record) => arrived.push(record),
                    None => break,
                },
                Some((before, reply)) = clearings.recv() => {
                    self.seal_open();
                    self.save_sealed().await;
                    let shared = Arc::clone(&self);
                    deletions.spawn(async move { drop(reply.send(shared.clear(before).await)) });
                }
                _ = flush.tick(), if is_dirty => is_dirty = !self.save().await,
                _ = retain.tick() => drop(deletions.spawn(Arc::clone(&self).retain())),
                Some(_) = deletions.join_next() => {}
                () = stop.cancelled() => break,
            }
            arrived.extend(std::iter::from_fn(|| spoken.try_recv().or_else(|_| clients.try_recv()).ok()).take(FULL));
            is_dirty |= !arrived.is_empty();
            if self.add(&mut arrived) && self.save_sealed().await && deletions.is_empty() {
                deletions.spawn(Arc::clone(&self).retain());
            }
        }
        arrived.extend(std::iter::from_fn(|| spoken.try_recv().or_else(|_| clients.try_recv()).ok()));
        self.add(&mut arrived);
        self.save().await;
        deletions.shutdown().await;
    }

    /// Numbers the records, tells whoever follows, and seals what is full; answers whether something was.
    fn add(&self, arrived: &mut Vec<Record>) -> bool {
        if arrived.is_empty() {
            return false;
        }
        let mut has_sealed = false;
        let mut open = self.open.lock();
        let mut followers = self.followers.lock();
        followers.retain(|(connection, _)| connection.strong_count() > 0);
        for record in arrived.drain(..) {
            let place = Place { chunk: open.number, index: open.records.len() as u32 };
            for (connection, query) in followers.iter() {
                if query.fits(&record)
                    && let Some(connection) = connection.upgrade()
                    && connection.free_capacity() > SPARE_FRAMES
                {
                    connection.send_frame(&ServerFrame::LogAppended(record.wire(place)));
                }
            }
            open.head.add(&record);
            open.records.push(record);
            if open.records.len() == FULL {
                self.seal(&mut open);
                has_sealed = true;
            }
        }
        has_sealed
    }

    fn seal_open(&self) {
        let mut open = self.open.lock();
        if !open.records.is_empty() {
            self.seal(&mut open);
        }
    }

    fn seal(&self, open: &mut Open) {
        let next = Open { number: open.number + 1, ..Open::default() };
        let Open { number, head, records } = std::mem::replace(open, next);
        // A reader finds the records before it finds the chunk.
        let mut unsaved = self.unsaved.lock();
        let sealed = Arc::new(Sealed { number, head });
        unsaved.insert(number, (Arc::clone(&sealed), Arc::new(records)));
        self.sealed.write().push(sealed);
        if unsaved.len() > UNSAVED_CHUNKS
            && let Some((lost, (_, records))) = unsaved.pop_first()
        {
            self.dropped.fetch_add(records.len() as u64, Ordering::Relaxed);
            self.sealed.write().retain(|sealed| sealed.number != lost);
        }
    }

    /// Puts on disk what is not there yet; answers whether it succeeded.
    async fn save(&self) -> bool {
        if !self.save_sealed().await {
            return false;
        }
        let chunk = {
            let open = self.open.lock();
            if open.records.is_empty() {
                return true;
            }
            pack(open.number, &open.head, &open.records)
        };
        self.write(chunk).await.is_ok()
    }

    /// A transaction for each chunk: a commit of moves may have to wait for one, not for all.
    async fn save_sealed(&self) -> bool {
        loop {
            let first = self.unsaved.lock().first_key_value().map(|(_, chunk)| chunk.clone());
            let Some((sealed, records)) = first else { return true };
            if self.write(pack(sealed.number, &sealed.head, &records)).await.is_err() {
                return false;
            }
            self.unsaved.lock().remove(&sealed.number);
        }
    }

    async fn write(&self, chunk: LogChunk) -> Result<(), StoreError> {
        let written = self.store.write_log_chunk(chunk).await;
        written.inspect_err(|error| tracing::debug!(%error, "the log could not be kept; trying again"))
    }

    /// Deletes what is too old or too much.
    async fn retain(self: Arc<Self>) {
        let _alone = self.deleting.lock().await;
        // Nothing goes because somebody set the machine's clock forward.
        let today = self.clock.wall().min(self.clock.steady()).timestamp_millis();
        let oldest = today - i64::from(self.retention.days) * 24 * HOUR;
        let saved_end = self.saved_end();
        let end = {
            let sealed = self.sealed.read();
            let mut left: u64 = sealed.iter().map(|sealed| sealed.head.count()).sum();
            let most = self.retention.records;
            let are_too_many = left > most.saturating_add(most / 64);
            let superfluous = sealed.iter().take_while(|sealed| {
                let goes = sealed.head.last() < oldest || (are_too_many && left > most);
                left -= sealed.head.count();
                goes
            });
            superfluous.last().map(|sealed| saved_end.min(sealed.number + 1))
        };
        if let Some(end) = end
            && let Err(error) = self.delete(end).await
        {
            tracing::warn!(%error, "old log records were not deleted");
        }
    }

    /// Chunks before this number are on disk. The keeper may be writing one of the others, so they are not deleted.
    fn saved_end(&self) -> u64 {
        let open = self.open.lock().number;
        self.unsaved.lock().first_key_value().map_or(open, |(first, _)| open.min(*first))
    }

    /// Deletes the chunks before this number, which are all on disk.
    async fn delete(&self, end: u64) -> Result<(), StoreError> {
        // Not from 0: the store would pass over all that was ever deleted.
        let mut first = self.sealed.read().first().map_or(end, |sealed| sealed.number);
        while first < end {
            let until = end.min(first + DELETED_CHUNKS);
            let started = Instant::now();
            self.store.delete_log_chunks(first..until).await?;
            self.sealed.write().retain(|sealed| sealed.number >= until);
            first = until;
            // Play comes first: not more than half of the time goes into this.
            tokio::time::sleep(started.elapsed()).await;
        }
        Ok(())
    }

    async fn clear(&self, before: Option<i64>) -> Result<u64, StoreError> {
        let _alone = self.deleting.lock().await;
        let saved_end = self.saved_end();
        let mut chunks: Vec<Arc<Sealed>> = self.sealed.read().clone();
        chunks.retain(|sealed| sealed.number < saved_end);
        let count = |chunks: &[Arc<Sealed>]| chunks.iter().map(|sealed| sealed.head.count()).sum::<u64>();
        let whole = match before {
            None => chunks.len(),
            Some(before) => chunks.partition_point(|sealed| sealed.head.last() < before),
        };
        let mut cleared = count(&chunks[..whole]);
        if let Some(last) = whole.checked_sub(1) {
            self.delete(chunks[last].number + 1).await?;
        }
        if let (Some(before), Some(partly)) = (before, chunks.get(whole)) {
            cleared += self.shorten(partly, before).await?;
        }
        Ok(cleared)
    }

    /// Deletes the first records of a sealed chunk, those before a time.
    async fn shorten(&self, sealed: &Sealed, before: i64) -> Result<u64, StoreError> {
        let number = sealed.number;
        let split = |records: &[Record<&str>]| {
            let gone = records.iter().position(|record| record.at >= before).unwrap_or(records.len());
            (gone, records[gone..].iter().map(Record::to_owned).collect::<Vec<Record>>())
        };
        let Some((gone, kept)) = self.read(sealed, split).await? else { return Ok(0) };
        if gone == 0 {
            return Ok(0);
        }
        let mut head = Head::behind(sealed.head.gone() + gone as u32);
        kept.iter().for_each(|record| head.add(record));
        self.store.write_log_chunk(pack(number, &head, &kept)).await?;
        for sealed in self.sealed.write().iter_mut().filter(|sealed| sealed.number == number) {
            *sealed = Arc::new(Sealed { number, head: head.clone() });
        }
        Ok(gone as u64)
    }

    /// Shows the records of a chunk that is on disk; `None` if it was deleted meanwhile.
    async fn read<R>(&self, sealed: &Sealed, read: impl FnOnce(&[Record<&str>]) -> R) -> Result<Option<R>, StoreError> {
        let number = sealed.number;
        let cached = self.cache.lock().get(&sealed.content()).cloned();
        let data = match cached {
            Some(data) => data,
            None => {
                let Some(data) = self.store.log_data(number).await? else { return Ok(None) };
                self.cache.lock().put(sealed.content(), data.clone());
                data
            }
        };
        let damaged = || StoreError::Corrupt(format!("chunk {number} of the log"));
        read_records(&data, read).ok_or_else(damaged).map(Some)
    }

    async fn page(&self, query: &Query, wanted: Wanted) -> Result<Page, StoreError> {
        let mut gathered = Gathered { page: Page::default(), skip: wanted.skip, wanted, budget: COUNTED_CHUNKS };
        let (mut chunks, number, latest) = {
            let open = self.open.lock();
            (self.sealed.read().clone(), open.number, open.records.clone())
        };
        if wanted.order == Order::NewestFirst {
            gathered.take(query, number, 0, &latest);
            chunks.reverse();
        }
        for sealed in &chunks {
            if gathered.is_before(sealed.number) {
                continue;
            }
            let is_split = wanted.behind.is_some_and(|behind| behind.chunk == sealed.number);
            let known = if is_split {
                None
            } else {
                let counted = || self.counted.lock().get(query)?.get(&sealed.content()).copied();
                sealed.head.known_count(query).or_else(counted)
            };
            if known.is_some_and(|count| gathered.pass(count)) {
                continue;
            }
            if gathered.is_full() {
                if gathered.budget == 0 {
                    gathered.page.has_more = true;
                    gathered.page.total += 1;
                    return Ok(gathered.page);
                }
                gathered.budget -= 1;
            }
            let before = gathered.page.total;
            let unsaved = self.unsaved.lock().get(&sealed.number).cloned();
            match unsaved {
                Some((_, records)) => gathered.take(query, sealed.number, sealed.head.gone(), &records),
                None => {
                    let take = |records: &[Record<&str>]| {
                        gathered.take(query, sealed.number, sealed.head.gone(), records);
                    };
                    self.read(sealed, take).await?;
                }
            }
            if !is_split {
                let fitting = gathered.page.total - before;
                self.counted.lock().get_or_insert_mut(query.clone(), HashMap::new).insert(sealed.content(), fitting);
            }
        }
        if wanted.order == Order::OldestFirst {
            gathered.take(query, number, 0, &latest);
        }
        Ok(gathered.page)
    }

    fn stats(&self, now: i64) -> Stats {
        let mut stats = Stats { dropped: self.dropped.load(Ordering::Relaxed) + layer::dropped(), ..Stats::default() };
        let latest = now.div_euclid(HOUR);
        let mut add = |head: &Head| {
            for (level, count) in head.levels().into_iter().enumerate() {
                stats.levels[level] += count;
            }
            for (hour, counts) in head.hours() {
                let Ok(age) = usize::try_from(latest - hour) else { continue };
                if age < 24 {
                    for (level, count) in counts.into_iter().enumerate() {
                        stats.hourly[level][23 - age] += u64::from(count);
                    }
                }
            }
        };
        self.sealed.read().iter().for_each(|sealed| add(&sealed.head));
        add(&self.open.lock().head);
        stats
    }
}

fn pack(number: u64, head: &Head, records: &[Record]) -> LogChunk {
    LogChunk { number, head: head.encode(), data: encode_records(records) }
}

/// What was found so far.
struct Gathered {
    page: Page,
    skip: u64,
    wanted: Wanted,
    budget: usize,
}

impl Gathered {
    fn is_full(&self) -> bool {
        self.page.records.len() == self.wanted.limit
    }

    /// Whether all of a chunk comes before the place that is asked for.
    fn is_before(&self, chunk: u64) -> bool {
        self.wanted.behind.is_some_and(|behind| match self.wanted.order {
            Order::NewestFirst => chunk > behind.chunk,
            Order::OldestFirst => chunk < behind.chunk,
        })
    }

    /// Counts a chunk of which so many fit, if none of them is on the page; else answers that it must be read.
    fn pass(&mut self, count: u64) -> bool {
        let is_passed = count == 0 || self.is_full() || self.skip >= count;
        if is_passed {
            self.page.total += count;
            if self.is_full() {
                self.page.has_more |= count > 0;
            } else {
                self.skip -= count.min(self.skip);
            }
        }
        is_passed
    }

    /// Takes what fits of a chunk whose first `gone` records are deleted.
    fn take<T: AsRef<str>>(&mut self, query: &Query, chunk: u64, gone: u32, records: &[Record<T>]) {
        let behind = self.wanted.behind;
        let places = 0..records.len();
        let places: Box<dyn Iterator<Item = usize>> = match self.wanted.order {
            Order::NewestFirst => Box::new(places.rev()),
            Order::OldestFirst => Box::new(places),
        };
        for index in places {
            let place = Place { chunk, index: gone + index as u32 };
            let is_behind = behind.is_none_or(|behind| match self.wanted.order {
                Order::NewestFirst => place < behind,
                Order::OldestFirst => place > behind,
            });
            if !is_behind || !query.fits(&records[index]) {
                continue;
            }
            self.page.total += 1;
            if self.skip > 0 {
                self.skip -= 1;
            } else if self.is_full() {
                self.page.has_more = true;
            } else {
                self.page.records.push((place, records[index].to_owned()));
            }
        }
    }
}

#[cfg(test)]
mod tests;
