//! Replaying the journal after a start, and trimming what the checkpoints include.

use std::collections::VecDeque;
use std::time::Instant;

use bytes::{Buf, Bytes};

use super::ENCODING;
use crate::store::Store;
use crate::{Result, StoreError};

/// Records read at once in a replay, at first and at most. A page is twice the last one as long as that was small,
/// since otherwise most of the time goes into the overhead of queries; the largest is 64 MiB at the default batch size.
const REPLAY_PAGE: (usize, usize) = (8, 64);

/// Pages below this many bytes may grow.
const SMALL_PAGE: usize = 256 << 10;

/// Records removed in one transaction of a trim.
const TRIM_PAGE: u64 = 128;

/// One record of the journal: the entries of one commit, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JournalRecord {
    pub seq: u64,
    pub entries: Vec<Bytes>,
}

impl JournalRecord {
    /// Reads a record as it is stored.
    ///
    /// # Errors
    ///
    /// [`StoreError::Corrupt`] unless all of it is entries.
    pub fn decode(seq: u64, mut data: Bytes) -> Result<Self> {
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

/// Reads the journal in order; see [`Store::replay_journal`].
#[derive(Debug)]
pub struct JournalReader {
    store: Store,
    next_seq: u64,
    /// Whether the first remaining record was looked up.
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
    /// Reads the journal from this record on (or from the first remaining one).
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
        let seqs = from_seq..from_seq.saturating_add(records as u64);
        let found = self.engine.journal.read(seqs, records).await?;
        found.into_iter().map(|(seq, data)| JournalRecord::decode(seq, data)).collect()
    }

    /// The number of the latest record, 0 if there never was one.
    ///
    /// Records are numbered without gaps, so it is found by doubling steps and halving them again: reading the table
    /// backwards would cost more with more in memory.
    pub async fn last_journal_seq(&self) -> Result<u64> {
        let Some(mut last) = self.journal_seq_from(0).await? else { return Ok(0) };
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

    /// The number of the first record that was not trimmed.
    pub(crate) async fn first_journal_seq(&self) -> Result<Option<u64>> {
        self.journal_seq_from(0).await
    }

    /// The number of the first record at or after this one.
    async fn journal_seq_from(&self, seq: u64) -> Result<Option<u64>> {
        Ok(self.engine.journal.read(seq..u64::MAX, 1).await?.first().map(|(seq, _)| *seq))
    }

    async fn has_journal_record(&self, seq: u64) -> Result<bool> {
        self.engine.journal.contains(seq).await
    }

    /// Removes the records before `before_seq`, which all checkpoints include; returns how many were removed. After
    /// each step it pauses for `rest` times as long as that took.
    ///
    /// The latest record always stays: numbering continues from it after a restart.
    pub async fn trim_journal(&self, before_seq: u64, rest: u32) -> Result<u64> {
        let Some(first) = self.journal_seq_from(0).await? else { return Ok(0) };
        if before_seq <= first {
            return Ok(0);
        }
        // Records are numbered without gaps: if the last one to keep exists, all before it do.
        let end = if self.has_journal_record(before_seq).await? {
            before_seq
        } else {
            before_seq.min(self.last_journal_seq().await?)
        };
        let mut next = first;
        while next < end {
            let until = (next + TRIM_PAGE).min(end);
            let started = Instant::now();
            self.retried(|| self.engine.journal.trim(next..until)).await?;
            next = until;
            tokio::time::sleep(started.elapsed() * rest).await;
        }
        Ok(end.saturating_sub(first))
    }
}
