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

/// The key of the number that the records begin with, once some were trimmed. It is behind those of all numbers.
const BEGIN: [u8; 9] = [0xff; 9];

fn number(digits: Vec<u8>) -> Result<u64> {
    let digits = <[u8; 8]>::try_from(digits);
    digits.map(u64::from_be_bytes).map_err(|_| RecordError::Failed("a number of another form".to_owned()))
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

    /// Removes these records, which have to be the first ones, whether they are there or not; on disk once this returns.
    /// [`NumberedRecords::read`] finds none before the end of the range from then on. It would step over all that were ever
    /// removed otherwise.
    ///
    /// # Errors
    /// As [`NumberedRecords::put`].
    pub async fn trim(&self, numbers: Range<u64>) -> Result<()> {
        let transaction = self.0.write().await?;
        transaction.set(&BEGIN, numbers.end.to_be_bytes().to_vec()).await?;
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
        let transaction = self.0.read().await?;
        let begin = transaction.get(&BEGIN).await?.map_or(Ok(0), number)?;
        let found = transaction.scan(&key(numbers.start.max(begin)), &key(numbers.end), limit).await?;
        found.into_iter().map(|(key, value)| Ok((number(key)?, value))).collect()
    }
}
