//! The log that admins and operators look through (decisions: logs).
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
    collections::BTreeMap,
    num::NonZeroUsize,
    sync::{
        Arc, Weak,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use chrono::Utc;
use lru::LruCache;
use morpion_openapi::realtime::ServerFrame;
use morpion_store::{LogChunk, Store, StoreError};
use parking_lot::{Mutex, RwLock};
use tokio::{
    sync::{mpsc, oneshot},
    time::MissedTickBehavior,
};
use tokio_util::sync::CancellationToken;

use crate::{http::Fault, realtime::outbox::Outbox};
use chunk::{FULL, Head, decode_records, encode_records};
pub use layer::{Keep, SERVICES};
pub use query::Query;
pub use record::{Level, Place, Record};
pub use redact::clean;
pub use words::Needle;

/// Records of clients that wait to be kept; beyond it they are let go and counted.
const WAITING: usize = 4_096;

/// How often what is new goes to disk: what a crash can cost of the log, never of a game.
const FLUSH_EVERY: Duration = Duration::from_millis(500);

/// How often old records are looked for.
const RETAIN_EVERY: Duration = Duration::from_secs(600);

/// Full chunks that may wait for a store that does not answer, some 20 MiB; then the oldest is let go and counted.
const UNSAVED_CHUNKS: usize = 64;

/// Decoded chunks kept for the next page of a reader: some 16 MiB.
const CACHED_CHUNKS: NonZeroUsize = NonZeroUsize::new(32).expect("not zero");

/// Chunks read for one answer beyond those that its records are in. What is left uncounted then shows as one more
/// page: an exact total of a rare word in a million records is not worth the wait.
const COUNTED_CHUNKS: usize = 48;

/// Connections that follow the log at once.
const FOLLOWERS: usize = 64;

/// Frames that must be free in a follower's outbox: a flood of records must not close the connection. It sees by the
/// numbers that some are missing, and asks for them.
const SPARE_FRAMES: usize = 64;

const HOUR: i64 = 3_600_000;

/// How long records are kept.
#[derive(Debug, Clone, Copy)]
pub struct Retention {
    pub days: u32,
    /// At most; whole chunks go, so up to a thousand more stay.
    pub records: u64,
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
    /// On disk or on the way there, the oldest first.
    sealed: RwLock<Vec<Arc<Sealed>>>,
    /// Sealed and not on disk yet.
    unsaved: Mutex<BTreeMap<u64, Arc<Vec<Record>>>>,
    open: Mutex<Open>,
    cache: Mutex<LruCache<u64, Arc<Vec<Record>>>>,
    followers: Mutex<Vec<(Weak<Outbox>, Query)>>,
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
    pub async fn start(store: Store, retention: Retention) -> Result<(Self, Keeper), StoreError> {
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
            sealed: RwLock::new(sealed),
            unsaved: Mutex::default(),
            open: Mutex::new(Open { number, ..Open::default() }),
            cache: Mutex::new(LruCache::new(CACHED_CHUNKS)),
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
    pub fn follow(&self, outbox: &Arc<Outbox>, query: Query) -> Result<(), Fault> {
        let mut followers = self.shared.followers.lock();
        followers.retain(|(other, _)| other.upgrade().is_some_and(|other| other.id != outbox.id));
        if followers.len() >= FOLLOWERS {
            return Err(Fault::unavailable("Too many follow the log already."));
        }
        followers.push((Arc::downgrade(outbox), query));
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
        self.shared.stats(Utc::now().timestamp_millis())
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
    /// The keeper: nobody else writes.
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
        loop {
            tokio::select! {
                Some(record) = spoken.recv() => arrived.push(record),
                record = clients.recv() => match record {
                    Some(record) => arrived.push(record),
                    None => break,
                },
                Some((before, reply)) = clearings.recv() => drop(reply.send(self.clear(before).await)),
                _ = flush.tick(), if is_dirty => is_dirty = !self.save().await,
                _ = retain.tick() => self.retain().await,
                () = stop.cancelled() => break,
            }
            arrived.extend(std::iter::from_fn(|| spoken.try_recv().or_else(|_| clients.try_recv()).ok()).take(FULL));
            is_dirty |= !arrived.is_empty();
            self.add(&mut arrived);
        }
        arrived.extend(std::iter::from_fn(|| spoken.try_recv().or_else(|_| clients.try_recv()).ok()));
        self.add(&mut arrived);
        self.save().await;
    }

    /// Numbers the records, tells whoever follows, and seals what is full.
    fn add(&self, arrived: &mut Vec<Record>) {
        if arrived.is_empty() {
            return;
        }
        let mut open = self.open.lock();
        let mut followers = self.followers.lock();
        followers.retain(|(outbox, _)| outbox.strong_count() > 0);
        for record in arrived.drain(..) {
            let place = Place { chunk: open.number, index: open.records.len() as u32 };
            for (outbox, query) in followers.iter() {
                if query.fits(&record)
                    && let Some(outbox) = outbox.upgrade()
                    && outbox.room() > SPARE_FRAMES
                {
                    outbox.tell(&ServerFrame::LogAppended(record.wire(place)));
                }
            }
            open.head.add(&record);
            open.records.push(record);
            if open.records.len() == FULL {
                self.seal(&mut open);
            }
        }
    }

    fn seal(&self, open: &mut Open) {
        let next = Open { number: open.number + 1, ..Open::default() };
        let Open { number, head, records } = std::mem::replace(open, next);
        // A reader finds the records before it finds the chunk.
        let mut unsaved = self.unsaved.lock();
        unsaved.insert(number, Arc::new(records));
        self.sealed.write().push(Arc::new(Sealed { number, head }));
        if unsaved.len() > UNSAVED_CHUNKS
            && let Some((lost, records)) = unsaved.pop_first()
        {
            self.dropped.fetch_add(records.len() as u64, Ordering::Relaxed);
            self.sealed.write().retain(|sealed| sealed.number != lost);
        }
    }

    /// Puts on disk what is not there yet; answers whether it succeeded.
    async fn save(&self) -> bool {
        let mut chunks = Vec::new();
        let full: Vec<(u64, Arc<Vec<Record>>)> =
            self.unsaved.lock().iter().map(|(number, records)| (*number, Arc::clone(records))).collect();
        for (number, records) in &full {
            if let Some(sealed) = self.sealed_chunk(*number) {
                chunks.push(LogChunk { number: *number, head: sealed.head.encode(), data: encode_records(records) });
            }
        }
        {
            let open = self.open.lock();
            if !open.records.is_empty() {
                let data = encode_records(&open.records);
                chunks.push(LogChunk { number: open.number, head: open.head.encode(), data });
            }
        }
        if !chunks.is_empty()
            && let Err(error) = self.store.write_log_chunks(chunks).await
        {
            tracing::debug!(%error, "the log could not be kept; trying again");
            return false;
        }
        let mut unsaved = self.unsaved.lock();
        full.iter().for_each(|(number, _)| drop(unsaved.remove(number)));
        true
    }

    fn sealed_chunk(&self, number: u64) -> Option<Arc<Sealed>> {
        self.sealed.read().iter().rev().find(|sealed| sealed.number == number).cloned()
    }

    /// Deletes what is too old or too much.
    async fn retain(&self) {
        let oldest = Utc::now().timestamp_millis() - i64::from(self.retention.days) * 24 * HOUR;
        let end = {
            let sealed = self.sealed.read();
            let mut left: u64 = sealed.iter().map(|sealed| sealed.head.count()).sum();
            let superfluous = sealed.iter().take_while(|sealed| {
                let goes = sealed.head.last() < oldest || left > self.retention.records;
                left -= sealed.head.count();
                goes
            });
            superfluous.last().map(|sealed| sealed.number + 1)
        };
        if let Some(end) = end
            && let Err(error) = self.delete(end).await
        {
            tracing::warn!(%error, "old log records were not deleted");
        }
    }

    /// Deletes the sealed chunks before this number.
    async fn delete(&self, end: u64) -> Result<(), StoreError> {
        self.store.delete_log_chunks(0..end).await?;
        self.unsaved.lock().retain(|number, _| *number >= end);
        self.sealed.write().retain(|sealed| sealed.number >= end);
        Ok(())
    }

    async fn clear(&self, before: Option<i64>) -> Result<u64, StoreError> {
        {
            // Everything that is there now goes the same way.
            let mut open = self.open.lock();
            if !open.records.is_empty() {
                self.seal(&mut open);
            }
        }
        let chunks: Vec<Arc<Sealed>> = self.sealed.read().clone();
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
            cleared += self.shorten(partly.number, before).await?;
        }
        Ok(cleared)
    }

    /// Deletes the first records of a sealed chunk, those before a time.
    async fn shorten(&self, number: u64, before: i64) -> Result<u64, StoreError> {
        let (Some(sealed), Some(records)) = (self.sealed_chunk(number), self.records(number).await?) else {
            return Ok(0);
        };
        let gone = records.iter().position(|record| record.at >= before).unwrap_or(records.len());
        if gone == 0 {
            return Ok(0);
        }
        let kept = records[gone..].to_vec();
        let mut head = Head::behind(sealed.head.gone() + gone as u32);
        kept.iter().for_each(|record| head.add(record));
        let chunk = LogChunk { number, head: head.encode(), data: encode_records(&kept) };
        self.store.write_log_chunks(vec![chunk]).await?;
        self.unsaved.lock().remove(&number);
        self.cache.lock().pop(&number);
        for sealed in self.sealed.write().iter_mut().filter(|sealed| sealed.number == number) {
            *sealed = Arc::new(Sealed { number, head: head.clone() });
        }
        Ok(gone as u64)
    }

    /// The records of a sealed chunk; `None` if it was deleted meanwhile.
    async fn records(&self, number: u64) -> Result<Option<Arc<Vec<Record>>>, StoreError> {
        if let Some(records) = self.unsaved.lock().get(&number) {
            return Ok(Some(Arc::clone(records)));
        }
        if let Some(records) = self.cache.lock().get(&number) {
            return Ok(Some(Arc::clone(records)));
        }
        let Some(data) = self.store.log_data(number).await? else { return Ok(None) };
        let Some(records) = decode_records(&data).map(Arc::new) else {
            return Err(StoreError::Corrupt(format!("chunk {number} of the log")));
        };
        self.cache.lock().put(number, Arc::clone(&records));
        Ok(Some(records))
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
            let known = if is_split { None } else { sealed.head.known_count(query) };
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
            if let Some(records) = self.records(sealed.number).await? {
                gathered.take(query, sealed.number, sealed.head.gone(), &records);
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
    fn take(&mut self, query: &Query, chunk: u64, gone: u32, records: &[Record]) {
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
                self.page.records.push((place, records[index].clone()));
            }
        }
    }
}

#[cfg(test)]
mod tests;
