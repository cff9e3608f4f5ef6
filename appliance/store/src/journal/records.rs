//! Where the journal's records are: numbered records of the storage engine. A query that stores a row costs as
//! much again as the commit itself, its sync included, and a move alone on its way pays all of it.
//!
//! Earlier versions had a row for each in the table `journal`, as exports still do: [`adopt_rows`] takes them over.

use std::collections::BTreeMap;
use std::ops::{Bound, Range};

use bytes::Bytes;
use morpion_engine::NumberedRecords;
use parking_lot::Mutex;
use surrealdb::types::{RecordId, RecordIdKey, RecordIdKeyRange, SurrealValue, vars};
use tracing::info;

use crate::engine::Engine;
use crate::keyed::translate;
use crate::store::{rows, run};
use crate::{Result, StoreError};

/// The name of the records in the engine, and of their table in exports and earlier data.
pub(crate) const NAME: &str = "journal";

/// Rows taken over in one transaction: at the default batch size at most 32 MiB.
const ROWS_AT_ONCE: usize = 32;

/// A record as it is stored, by its number.
pub(crate) type Stored = (u64, Bytes);

/// The journal's records.
pub(crate) enum Records {
    Disk(NumberedRecords),
    /// Data in memory is gone with the process, and so is its journal.
    Memory(Mutex<BTreeMap<u64, Bytes>>),
}

impl Records {
    pub(crate) fn of(disk: Option<&morpion_engine::Engine>) -> Self {
        disk.map_or_else(|| Self::Memory(Mutex::default()), |disk| Self::Disk(disk.numbered(NAME)))
    }

    pub(crate) async fn put(&self, records: &[Stored]) -> Result<()> {
        match self {
            Self::Disk(disk) => {
                let records: Vec<_> = records.iter().map(|(seq, data)| (*seq, data.to_vec())).collect();
                disk.put(records).await.map_err(translate)
            }
            Self::Memory(memory) => {
                memory.lock().extend(records.iter().cloned());
                Ok(())
            }
        }
    }

    /// Removes these records, the first ones.
    pub(crate) async fn trim(&self, seqs: Range<u64>) -> Result<()> {
        match self {
            Self::Disk(disk) => disk.trim(seqs).await.map_err(translate),
            Self::Memory(memory) => {
                let mut memory = memory.lock();
                seqs.for_each(|seq| drop(memory.remove(&seq)));
                Ok(())
            }
        }
    }

    pub(crate) async fn contains(&self, seq: u64) -> Result<bool> {
        match self {
            Self::Disk(disk) => disk.contains(seq).await.map_err(translate),
            Self::Memory(memory) => Ok(memory.lock().contains_key(&seq)),
        }
    }

    /// The records with these numbers, in order, at most `limit`.
    pub(crate) async fn read(&self, seqs: Range<u64>, limit: usize) -> Result<Vec<Stored>> {
        match self {
            Self::Disk(disk) => {
                let found = disk.read(seqs, limit as u32).await.map_err(translate)?;
                Ok(found.into_iter().map(|(seq, data)| (seq, data.into())).collect())
            }
            Self::Memory(memory) => {
                Ok(memory.lock().range(seqs).take(limit).map(|(seq, data)| (*seq, data.clone())).collect())
            }
        }
    }
}

#[derive(SurrealValue)]
struct Row {
    id: RecordId,
    seq: i64,
    data: Bytes,
}

impl Row {
    /// The record of this row.
    fn record(self) -> Result<Stored> {
        let seq = u64::try_from(self.seq).ok().filter(|_| self.id.key == RecordIdKey::Number(self.seq));
        let seq = seq.ok_or_else(|| StoreError::Corrupt("a row of the journal has another number".to_owned()))?;
        Ok((seq, self.data))
    }
}

/// Takes over the journal's rows, of an earlier version or of an import. They are removed once they are stored as
/// records, so that it can be interrupted anywhere and done again.
///
/// # Errors
/// [`StoreError::Corrupt`] for what is no row of the journal; [`StoreError::Unavailable`].
pub(crate) async fn adopt_rows(engine: &Engine) -> Result<()> {
    let mut adopted = 0;
    let mut start = Bound::Unbounded;
    loop {
        // From where the last page ended: a scan from the table's start would step over all that was removed.
        let range = RecordId::new(NAME, RecordIdKeyRange { start, end: Bound::Unbounded });
        let variables = vars! { range: range, limit: ROWS_AT_ONCE as i64 };
        let mut response = run(engine, "SELECT id, seq, data FROM $range LIMIT $limit", variables).await?;
        let found: Vec<Row> = rows(&mut response, 0)?;
        let ids: Vec<RecordId> = found.iter().map(|row| row.id.clone()).collect();
        let Some(last) = ids.last() else { break };
        start = Bound::Excluded(last.key.clone());
        let records = found.into_iter().map(Row::record).collect::<Result<Vec<_>>>()?;
        engine.journal.put(&records).await?;
        run(engine, "DELETE $ids RETURN NONE", vars! { ids: ids }).await?;
        adopted += records.len();
    }
    if adopted > 0 {
        info!(records = adopted, "the journal was taken over from its table");
    }
    Ok(())
}
