//! [Records of our own](crate::keyed) by number.

use std::ops::Range;

use crate::keyed::{KeyedRecords, RecordError, Result};

/// The records of one name, by number. Cheap to clone.
#[derive(Clone)]
pub struct NumberedRecords(KeyedRecords);

/// In the order of the numbers.
fn key(number: u64) -> [u8; 8] {
    number.to_be_bytes()
}

impl NumberedRecords {
    pub(crate) fn new(records: KeyedRecords) -> Self {
        Self(records)
    }

    /// Stores records, all or none, in place of those that have the same numbers; on disk once this returns.
    ///
    /// # Errors
    /// The disk refused, the log is not open again yet after it did, or the engine is closed.
    pub async fn put(&self, records: impl IntoIterator<Item = (u64, Vec<u8>)>) -> Result<()> {
        let transaction = self.0.write().await?;
        for (number, value) in records {
            transaction.set(&key(number), value).await?;
        }
        transaction.commit().await
    }

    /// Removes these records in one transaction, whether they are there or not; on disk once this returns.
    ///
    /// # Errors
    /// As [`NumberedRecords::put`].
    pub async fn remove(&self, numbers: Range<u64>) -> Result<()> {
        let transaction = self.0.write().await?;
        for number in numbers {
            transaction.remove(&key(number)).await?;
        }
        transaction.commit().await
    }

    /// Whether there is a record of this number.
    ///
    /// # Errors
    /// The engine is closed, or the data cannot be read.
    pub async fn contains(&self, number: u64) -> Result<bool> {
        Ok(self.0.read().await?.get(&key(number)).await?.is_some())
    }

    /// The first records with numbers in this range, at most `limit`, in order.
    ///
    /// # Errors
    /// As [`NumberedRecords::contains`].
    pub async fn read(&self, numbers: Range<u64>, limit: u32) -> Result<Vec<(u64, Vec<u8>)>> {
        let found = self.0.read().await?.scan(&key(numbers.start), &key(numbers.end), limit).await?;
        let number = |key: Vec<u8>| {
            let digits = <[u8; 8]>::try_from(key);
            digits.map(u64::from_be_bytes).map_err(|_| RecordError::Failed("a key of another form".to_owned()))
        };
        found.into_iter().map(|(key, value)| Ok((number(key)?, value))).collect()
    }
}
