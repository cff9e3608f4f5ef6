//! The writing side: one task numbers records, sends them to followers, gathers them in chunks and saves those; others
//! delete what is too old or too much.

use std::{
    sync::{Arc, atomic::Ordering},
    time::{Duration, Instant},
};

use morpion_openapi::realtime::ServerFrame;
use morpion_store::{LogChunk, StoreError};
use tokio::{sync::mpsc, task::JoinSet, time::MissedTickBehavior};
use tokio_util::sync::CancellationToken;

use super::{
    ClearRequest, HOUR, OpenChunk, SealedChunk, Shared,
    chunk::{CHUNK_SIZE, ChunkHeader, encode_records},
    record::{Cursor, Record},
    wire,
};

/// How often new records are saved: the most that a crash can lose of the log, never of a game.
const FLUSH_EVERY: Duration = Duration::from_millis(500);

/// How often retention is applied while few records arrive.
const RETAIN_EVERY: Duration = Duration::from_secs(600);

/// Full chunks that may wait for an unavailable store, some 20 MiB; then the oldest is dropped and counted.
const MAX_UNSAVED_CHUNKS: usize = 64;

/// Frames that have to be free in a follower's queue: a flood of records must not close the connection. The follower
/// notices gaps by the numbers, and requests the missing records.
const SPARE_FRAMES: usize = 64;

/// Chunks deleted in one transaction, which reads them and takes some 10 ms.
const DELETED_CHUNKS: u64 = 4;

impl Shared {
    /// The writer's loop. Only it adds records, and deletions leave alone what is not on disk yet.
    pub(super) async fn run(
        self: Arc<Self>,
        mut clients: mpsc::Receiver<Record>,
        mut clear_requests: mpsc::Receiver<ClearRequest>,
        own: Option<mpsc::Receiver<Record>>,
        stop: CancellationToken,
    ) {
        // A silent queue, if another logbook has taken the receiver.
        let (_nobody, silence) = mpsc::channel(1);
        let mut own = own.unwrap_or(silence);
        let mut arrived = Vec::with_capacity(CHUNK_SIZE);
        let mut flush = tokio::time::interval(FLUSH_EVERY);
        flush.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut retain = tokio::time::interval(RETAIN_EVERY);
        let mut is_dirty = false;
        // Large deletions take seconds, and meanwhile records have to be stored.
        let mut deletions = JoinSet::new();
        let mut is_retention_due = false;
        loop {
            tokio::select! {
                Some(record) = own.recv() => arrived.push(record),
                record = clients.recv() => match record {
                    Some(record) => arrived.push(record),
                    None => break,
                },
                Some((before, reply)) = clear_requests.recv() => {
                    self.seal_open();
                    self.save_sealed().await;
                    let shared = Arc::clone(&self);
                    deletions.spawn(async move { drop(reply.send(shared.clear(before).await)) });
                }
                _ = flush.tick(), if is_dirty => is_dirty = !self.save().await,
                _ = retain.tick() => drop(deletions.spawn(Arc::clone(&self).apply_retention())),
                Some(_) = deletions.join_next() => {}
                () = stop.cancelled() => break,
            }
            arrived.extend(std::iter::from_fn(|| own.try_recv().or_else(|_| clients.try_recv()).ok()).take(CHUNK_SIZE));
            is_dirty |= !arrived.is_empty();
            is_retention_due |= self.add(&mut arrived) && self.save_sealed().await;
            // A deletion that runs does not know of the newest chunks.
            if is_retention_due && deletions.is_empty() {
                is_retention_due = false;
                deletions.spawn(Arc::clone(&self).apply_retention());
            }
        }
        arrived.extend(std::iter::from_fn(|| own.try_recv().or_else(|_| clients.try_recv()).ok()));
        self.add(&mut arrived);
        self.save().await;
        deletions.shutdown().await;
    }

    /// Numbers the records, sends them to followers, and seals full chunks; returns whether one was sealed.
    pub(super) fn add(&self, arrived: &mut Vec<Record>) -> bool {
        if arrived.is_empty() {
            return false;
        }
        self.taken.fetch_add(arrived.len() as u64, Ordering::Relaxed);
        let mut has_sealed = false;
        let mut open = self.open.lock();
        let mut followers = self.followers.lock();
        followers.retain(|(connection, _)| connection.strong_count() > 0);
        for record in arrived.drain(..) {
            let cursor = Cursor { chunk: open.number, index: open.records.len() as u32 };
            for (connection, filter) in followers.iter() {
                if filter.matches(&record)
                    && let Some(connection) = connection.upgrade()
                    && connection.free_capacity() > SPARE_FRAMES
                {
                    connection.send_frame(&ServerFrame::LogAppended(wire::entry(&record, cursor)));
                }
            }
            open.header.add(&record);
            open.records.push(record);
            if open.records.len() == CHUNK_SIZE {
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

    fn seal(&self, open: &mut OpenChunk) {
        let next = OpenChunk { number: open.number + 1, ..OpenChunk::default() };
        let OpenChunk { number, header, records } = std::mem::replace(open, next);
        // Readers have to find the records before they find the chunk.
        let mut unsaved = self.unsaved.lock();
        let sealed = Arc::new(SealedChunk { number, header });
        unsaved.insert(number, (Arc::clone(&sealed), Arc::new(records)));
        self.sealed.write().push(sealed);
        if unsaved.len() > MAX_UNSAVED_CHUNKS
            && let Some((lost, (_, records))) = unsaved.pop_first()
        {
            self.dropped.fetch_add(records.len() as u64, Ordering::Relaxed);
            self.sealed.write().retain(|sealed| sealed.number != lost);
        }
    }

    /// Saves what is not on disk yet; returns whether it succeeded.
    pub(super) async fn save(&self) -> bool {
        if !self.save_sealed().await {
            return false;
        }
        let chunk = {
            let open = self.open.lock();
            if open.records.is_empty() {
                return true;
            }
            pack(open.number, &open.header, &open.records)
        };
        self.write(chunk).await.is_ok()
    }

    /// One transaction per chunk: a commit of moves may have to wait for one, not for all.
    async fn save_sealed(&self) -> bool {
        loop {
            let first = self.unsaved.lock().first_key_value().map(|(_, chunk)| chunk.clone());
            let Some((sealed, records)) = first else { return true };
            if self.write(pack(sealed.number, &sealed.header, &records)).await.is_err() {
                return false;
            }
            self.unsaved.lock().remove(&sealed.number);
        }
    }

    async fn write(&self, chunk: LogChunk) -> Result<(), StoreError> {
        let written = self.store.write_log_chunk(chunk).await;
        written.inspect_err(|error| tracing::debug!(%error, "the log could not be stored; trying again"))
    }

    /// Deletes what is too old or too many.
    pub(super) async fn apply_retention(self: Arc<Self>) {
        let _lock = self.deleting.lock().await;
        // What clients send is limited when it arrives: a flood of theirs must not delete the server's records.
        // A machine clock that was set forward deletes nothing.
        let today = self.clock.wall().min(self.clock.steady()).timestamp_millis();
        let oldest = today - i64::from(self.retention.days) * 24 * HOUR;
        let saved_end = self.saved_end();
        let end = {
            let sealed = self.sealed.read();
            let mut left: u64 = sealed.iter().map(|sealed| sealed.header.count_of_server()).sum();
            let most = self.retention.records;
            let are_too_many = left > most.saturating_add(most / 64);
            let expired = sealed.iter().take_while(|sealed| {
                let is_expired = sealed.header.last() < oldest || (are_too_many && left > most);
                left -= sealed.header.count_of_server();
                is_expired
            });
            expired.last().map(|sealed| saved_end.min(sealed.number + 1))
        };
        if let Some(end) = end
            && let Err(error) = self.delete(end).await
        {
            tracing::warn!(%error, "old log records were not deleted");
        }
    }

    /// Chunks before this number are on disk. The writer may be saving one of the others, so they are not deleted.
    fn saved_end(&self) -> u64 {
        let open = self.open.lock().number;
        self.unsaved.lock().first_key_value().map_or(open, |(first, _)| open.min(*first))
    }

    /// Deletes the chunks before this number, which are all on disk.
    async fn delete(&self, end: u64) -> Result<(), StoreError> {
        // Not from 0: the store would step over everything that was ever deleted.
        let mut first = self.sealed.read().first().map_or(end, |sealed| sealed.number);
        while first < end {
            let until = end.min(first + DELETED_CHUNKS);
            let started = Instant::now();
            self.store.delete_log_chunks(first..until).await?;
            self.sealed.write().retain(|sealed| sealed.number >= until);
            first = until;
            // Play has priority: this takes at most half of the time.
            tokio::time::sleep(started.elapsed()).await;
        }
        Ok(())
    }

    pub(super) async fn clear(&self, before: Option<i64>) -> Result<u64, StoreError> {
        let _lock = self.deleting.lock().await;
        let saved_end = self.saved_end();
        let mut chunks: Vec<Arc<SealedChunk>> = self.sealed.read().clone();
        chunks.retain(|sealed| sealed.number < saved_end);
        let count = |chunks: &[Arc<SealedChunk>]| chunks.iter().map(|sealed| sealed.header.count()).sum::<u64>();
        let whole = match before {
            None => chunks.len(),
            Some(before) => chunks.partition_point(|sealed| sealed.header.last() < before),
        };
        let mut cleared = count(&chunks[..whole]);
        if let Some(last) = whole.checked_sub(1) {
            self.delete(chunks[last].number + 1).await?;
        }
        if let (Some(before), Some(partly)) = (before, chunks.get(whole)) {
            cleared += self.trim_chunk(partly, before).await?;
        }
        Ok(cleared)
    }

    /// Deletes the first records of a sealed chunk, those before a time.
    async fn trim_chunk(&self, sealed: &SealedChunk, before: i64) -> Result<u64, StoreError> {
        let number = sealed.number;
        let split = |records: &[Record<&str>]| {
            let deleted = records.iter().position(|record| record.at >= before).unwrap_or(records.len());
            (deleted, records[deleted..].iter().map(Record::to_owned).collect::<Vec<Record>>())
        };
        let Some((deleted, kept)) = self.read(sealed, split).await? else { return Ok(0) };
        if deleted == 0 {
            return Ok(0);
        }
        let mut header = ChunkHeader::starting_after(sealed.header.deleted() + deleted as u32);
        kept.iter().for_each(|record| header.add(record));
        self.store.write_log_chunk(pack(number, &header, &kept)).await?;
        for sealed in self.sealed.write().iter_mut().filter(|sealed| sealed.number == number) {
            *sealed = Arc::new(SealedChunk { number, header: header.clone() });
        }
        Ok(deleted as u64)
    }
}

fn pack(number: u64, header: &ChunkHeader, records: &[Record]) -> LogChunk {
    LogChunk { number, header: header.encode(), data: encode_records(records) }
}
