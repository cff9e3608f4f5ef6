//! Numbered records of our own beside SurrealDB's, in the same folder: a key and a value in a transaction of the engine.
//!
//! A query costs more than the engine's part of it does. What is written for every move does without: no query is
//! read, no definition looked up, no index considered. Everything else is as with SurrealDB's records, since it is the
//! same log and the same [`EngineSupervisor`]: a commit waits for its sync, a failed one takes the log out of service,
//! and copies and backups have all of it.

use std::ops::Range;
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

type Result<T> = std::result::Result<T, RecordError>;

/// The records of one name, by number. Cheap to clone.
#[derive(Clone)]
pub struct NumberedRecords {
    supervisor: Arc<EngineSupervisor>,
    prefix: Vec<u8>,
}

impl NumberedRecords {
    pub(crate) fn new(supervisor: Arc<EngineSupervisor>, name: &str) -> Self {
        Self { supervisor, prefix: [OURS, name.as_bytes(), b"/"].concat() }
    }

    fn key(&self, number: u64) -> Key<'static> {
        let mut key = Vec::with_capacity(self.prefix.len() + size_of::<u64>());
        key.extend(&self.prefix);
        // In the order of the numbers.
        key.extend(number.to_be_bytes());
        Key::from(key)
    }

    async fn begin(&self, kind: TransactionType) -> Result<Transaction> {
        Ok(self.supervisor.begin(kind).await?)
    }

    /// Stores records, all or none, in place of those that have the same numbers; on disk once this returns.
    ///
    /// # Errors
    /// The disk refused, the log is not open again yet after it did, or the engine is closed.
    pub async fn put(&self, records: impl IntoIterator<Item = (u64, Vec<u8>)>) -> Result<()> {
        let transaction = self.begin(TransactionType::Write).await?;
        for (number, value) in records {
            transaction.set(self.key(number), value).await?;
        }
        Ok(transaction.commit().await?)
    }

    /// Removes these records in one transaction, whether they are there or not; on disk once this returns.
    ///
    /// # Errors
    /// As [`NumberedRecords::put`].
    pub async fn remove(&self, numbers: Range<u64>) -> Result<()> {
        let transaction = self.begin(TransactionType::Write).await?;
        for number in numbers {
            transaction.del(self.key(number)).await?;
        }
        Ok(transaction.commit().await?)
    }

    /// Whether there is a record of this number.
    ///
    /// # Errors
    /// The engine is closed, or the data cannot be read.
    pub async fn contains(&self, number: u64) -> Result<bool> {
        let transaction = self.begin(TransactionType::Read).await?;
        Ok(transaction.exists(self.key(number), None).await?)
    }

    /// The first records with numbers in this range, at most `limit`, in order.
    ///
    /// # Errors
    /// As [`NumberedRecords::contains`].
    pub async fn read(&self, numbers: Range<u64>, limit: u32) -> Result<Vec<(u64, Vec<u8>)>> {
        let transaction = self.begin(TransactionType::Read).await?;
        let range = KeyRange { start: self.key(numbers.start), end: self.key(numbers.end) };
        let found = transaction.scan(range, limit, 0, None).await?;
        let number = |key: &[u8]| {
            let digits = key.get(self.prefix.len()..).and_then(|digits| digits.try_into().ok());
            digits.map(u64::from_be_bytes).ok_or_else(|| RecordError::Failed("a key of another form".to_owned()))
        };
        found.values.into_iter().map(|(key, value)| Ok((number(&key)?, value))).collect()
    }
}
