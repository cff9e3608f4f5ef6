//! Records of our own beside SurrealDB's, in the same folder: keys and values in a transaction of the engine.
//!
//! A query costs more than the engine's part of it does. What is written for every move or every game does without: no
//! query is read, no definition looked up, no index considered. Everything else is as with SurrealDB's records, since it
//! is the same log and the same [`EngineSupervisor`]: a commit waits for its sync, a failed one takes the log out of
//! service, and copies and backups have all of it.

use std::sync::Arc;

use surrealdb_kvs::{Error, Key, KeyRange, Transactable, TransactionType};

use crate::supervisor::EngineSupervisor;
use crate::transaction::Transaction;

/// What our keys begin with. SurrealDB's begin with `/` or `!`, so that no scan of either meets a key of the other.
const OURS: &[u8] = b"morpion/";

/// Why a record was not written or read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RecordError {
    /// Nothing was changed; it can be tried again at once.
    #[error("{0}")]
    Conflict(String),
    /// What was to be written may be stored or not.
    #[error("{0}")]
    Failed(String),
}

impl From<Error> for RecordError {
    fn from(error: Error) -> Self {
        match error {
            Error::TransactionConflict(_) => Self::Conflict(error.to_string()),
            error => Self::Failed(error.to_string()),
        }
    }
}

pub(crate) type Result<T> = std::result::Result<T, RecordError>;

/// A key and its value.
pub type Entry = (Vec<u8>, Vec<u8>);

/// The records of one name, in the order of their keys' bytes. Cheap to clone.
#[derive(Clone)]
pub struct KeyedRecords {
    supervisor: Arc<EngineSupervisor>,
    prefix: Arc<[u8]>,
}

impl KeyedRecords {
    pub(crate) fn new(supervisor: Arc<EngineSupervisor>, name: &str) -> Self {
        Self { supervisor, prefix: [OURS, name.as_bytes(), b"/"].concat().into() }
    }

    /// Begins a transaction that only reads.
    ///
    /// # Errors
    /// The engine is closed, or the log is not open again yet after the disk refused a write.
    pub async fn read(&self) -> Result<RecordTransaction> {
        self.begin(TransactionType::Read).await
    }

    /// Begins a transaction that may write.
    ///
    /// # Errors
    /// As [`KeyedRecords::read`].
    pub async fn write(&self) -> Result<RecordTransaction> {
        self.begin(TransactionType::Write).await
    }

    async fn begin(&self, kind: TransactionType) -> Result<RecordTransaction> {
        Ok(RecordTransaction { inner: self.supervisor.begin(kind).await?, prefix: Arc::clone(&self.prefix) })
    }
}

/// Sees the records as of its beginning, and its own changes. Without [`RecordTransaction::commit`] nothing is changed.
///
/// Of two that write the same record at the same time one fails with [`RecordError::Conflict`]; what was only read is not
/// checked.
pub struct RecordTransaction {
    inner: Transaction,
    prefix: Arc<[u8]>,
}

impl RecordTransaction {
    fn key(&self, key: &[u8]) -> Key<'static> {
        Key::from([&self.prefix, key].concat())
    }

    /// # Errors
    /// The engine is closed, or the data cannot be read.
    pub async fn get(&self, key: &[u8]) -> Result<Option<Vec<u8>>> {
        Ok(self.inner.get(self.key(key), None).await?)
    }

    /// The first records with keys from `start` on and before `end`, at most `limit`, in order.
    ///
    /// # Errors
    /// As [`RecordTransaction::get`].
    pub async fn scan(&self, start: &[u8], end: &[u8], limit: u32) -> Result<Vec<Entry>> {
        let range = KeyRange { start: self.key(start), end: self.key(end) };
        let found = self.inner.scan(range, limit, 0, None).await?.values;
        Ok(found.into_iter().map(|(key, value)| (key[self.prefix.len()..].to_vec(), value)).collect())
    }

    /// The keys of the first records from `start` on and before `end`, at most `limit`, in order.
    ///
    /// # Errors
    /// As [`RecordTransaction::get`].
    pub async fn keys(&self, start: &[u8], end: &[u8], limit: u32) -> Result<Vec<Vec<u8>>> {
        let range = KeyRange { start: self.key(start), end: self.key(end) };
        let found = self.inner.keys(range, limit, 0, None).await?.keys;
        Ok(found.into_iter().map(|key| key[self.prefix.len()..].to_vec()).collect())
    }

    /// How many records have keys from `start` on and before `end`.
    ///
    /// # Errors
    /// As [`RecordTransaction::get`].
    pub async fn count(&self, start: &[u8], end: &[u8]) -> Result<usize> {
        let range = KeyRange { start: self.key(start), end: self.key(end) };
        Ok(self.inner.count(range, None).await?)
    }

    /// Stores a record in place of the one with this key, if there is one.
    ///
    /// # Errors
    /// The engine is closed, or the transaction only reads.
    pub async fn set(&self, key: &[u8], value: Vec<u8>) -> Result<()> {
        Ok(self.inner.set(self.key(key), value).await?)
    }

    /// Removes a record, if it is there.
    ///
    /// # Errors
    /// As [`RecordTransaction::set`].
    pub async fn remove(&self, key: &[u8]) -> Result<()> {
        Ok(self.inner.del(self.key(key)).await?)
    }

    /// Makes all changes or none; on disk once this returns.
    ///
    /// # Errors
    /// [`RecordError::Conflict`]; the disk refused, the log is not open again yet after it did, or the engine is closed.
    pub async fn commit(self) -> Result<()> {
        Ok(self.inner.commit().await?)
    }
}
