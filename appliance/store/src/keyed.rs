//! Records of the storage engine by key, and the same in memory, for data that is gone with the process.

use std::collections::BTreeMap;
use std::ops::Bound;
use std::sync::Arc;

use morpion_engine::{Entry, RecordError, RecordTransaction};
use tokio::sync::{Mutex, OwnedMutexGuard};

use crate::{Result, StoreError};

type Map = BTreeMap<Vec<u8>, Vec<u8>>;

/// The records of one name. Cheap to clone.
#[derive(Clone)]
pub(crate) enum KeyedRecords {
    Disk(morpion_engine::KeyedRecords),
    /// One transaction at a time.
    Memory(Arc<Mutex<Map>>),
}

/// As [`RecordTransaction`].
pub(crate) enum Transaction {
    Disk(Box<RecordTransaction>),
    Memory {
        map: OwnedMutexGuard<Map>,
        /// `None` for what is removed.
        changes: BTreeMap<Vec<u8>, Option<Vec<u8>>>,
    },
}

impl KeyedRecords {
    pub(crate) fn of(disk: Option<&morpion_engine::Engine>, name: &str) -> Self {
        disk.map_or_else(|| Self::Memory(Arc::default()), |disk| Self::Disk(disk.keyed(name)))
    }

    /// Begins a transaction that only reads.
    pub(crate) async fn read(&self) -> Result<Transaction> {
        match self {
            Self::Disk(disk) => Ok(Transaction::Disk(Box::new(disk.read().await.map_err(translate)?))),
            Self::Memory(map) => Ok(Transaction::in_memory(Arc::clone(map).lock_owned().await)),
        }
    }

    /// Begins a transaction that may write.
    pub(crate) async fn write(&self) -> Result<Transaction> {
        match self {
            Self::Disk(disk) => Ok(Transaction::Disk(Box::new(disk.write().await.map_err(translate)?))),
            Self::Memory(map) => Ok(Transaction::in_memory(Arc::clone(map).lock_owned().await)),
        }
    }
}

impl Transaction {
    fn in_memory(map: OwnedMutexGuard<Map>) -> Self {
        Self::Memory { map, changes: BTreeMap::new() }
    }

    pub(crate) async fn get(&self, key: &[u8]) -> Result<Option<Vec<u8>>> {
        match self {
            Self::Disk(disk) => disk.get(key).await.map_err(translate),
            Self::Memory { map, changes } => Ok(changes.get(key).cloned().unwrap_or_else(|| map.get(key).cloned())),
        }
    }

    /// The first records with keys from `start` on and before `end`, at most `limit`, in order.
    pub(crate) async fn scan(&self, start: &[u8], end: &[u8], limit: usize) -> Result<Vec<Entry>> {
        match self {
            Self::Disk(disk) => {
                let limit = u32::try_from(limit).unwrap_or(u32::MAX);
                disk.scan(start, end, limit).await.map_err(translate)
            }
            Self::Memory { map, changes } => {
                let range = (Bound::Included(start), Bound::Excluded(end));
                let stored = map.range::<[u8], _>(range).map(|(key, value)| (key, Some(value)));
                let changed = changes.range::<[u8], _>(range).map(|(key, value)| (key, value.as_ref()));
                // Of two with the same key the later one counts.
                let both: BTreeMap<_, _> = stored.chain(changed).collect();
                let found = both.into_iter().filter_map(|(key, value)| Some((key.clone(), value?.clone())));
                Ok(found.take(limit).collect())
            }
        }
    }

    /// The keys of the first records from `start` on and before `end`, at most `limit`, in order.
    pub(crate) async fn keys(&self, start: &[u8], end: &[u8], limit: usize) -> Result<Vec<Vec<u8>>> {
        match self {
            Self::Disk(disk) => {
                let limit = u32::try_from(limit).unwrap_or(u32::MAX);
                disk.keys(start, end, limit).await.map_err(translate)
            }
            Self::Memory { .. } => Ok(self.scan(start, end, limit).await?.into_iter().map(|(key, _)| key).collect()),
        }
    }

    /// How many records have keys from `start` on and before `end`.
    pub(crate) async fn count(&self, start: &[u8], end: &[u8]) -> Result<usize> {
        match self {
            Self::Disk(disk) => disk.count(start, end).await.map_err(translate),
            Self::Memory { .. } => Ok(self.scan(start, end, usize::MAX).await?.len()),
        }
    }

    /// Stores a record in place of the one with this key, if there is one.
    pub(crate) async fn set(&mut self, key: &[u8], value: Vec<u8>) -> Result<()> {
        match self {
            Self::Disk(disk) => disk.set(key, value).await.map_err(translate)?,
            Self::Memory { changes, .. } => _ = changes.insert(key.to_vec(), Some(value)),
        }
        Ok(())
    }

    /// Removes a record, if it is there.
    pub(crate) async fn remove(&mut self, key: &[u8]) -> Result<()> {
        match self {
            Self::Disk(disk) => disk.remove(key).await.map_err(translate)?,
            Self::Memory { changes, .. } => _ = changes.insert(key.to_vec(), None),
        }
        Ok(())
    }

    /// Makes all changes or none; on disk once this returns.
    pub(crate) async fn commit(self) -> Result<()> {
        match self {
            Self::Disk(disk) => disk.commit().await.map_err(translate)?,
            Self::Memory { mut map, changes } => {
                for (key, value) in changes {
                    match value {
                        Some(value) => _ = map.insert(key, value),
                        None => _ = map.remove(&key),
                    }
                }
            }
        }
        Ok(())
    }
}

pub(crate) fn translate(error: RecordError) -> StoreError {
    match error {
        RecordError::Conflict(_) => StoreError::Conflict,
        RecordError::Failed(reason) => StoreError::Unavailable(reason),
    }
}
