//! Log records, in chunks of about a thousand: `log_head` and `log_data`, keyed by the chunk's number.
//!
//! A row for each record would cost a core at 10,000 records a second; a row for a thousand costs next to nothing.

use bytes::Bytes;
use surrealdb::types::{RecordId, RecordIdKeyRange, SurrealValue, vars};

use crate::Result;
use crate::store::{Store, row, rows};

/// Heads read at once: some 20 KiB each.
const HEADS_PAGE: u64 = 64;

/// A chunk to be stored. Both parts are the caller's encoding.
#[derive(Debug, Clone)]
pub struct LogChunk {
    pub number: u64,
    /// What is known of the records without reading them.
    pub head: Bytes,
    pub data: Bytes,
}

#[derive(SurrealValue)]
struct Head {
    number: i64,
    bytes: Bytes,
}

fn range(table: &str, numbers: std::ops::Range<u64>) -> RecordId {
    RecordId::new(table, RecordIdKeyRange::from(numbers.start as i64..numbers.end as i64))
}

impl Store {
    /// Stores a chunk, or stores it anew, in one transaction.
    pub async fn write_log_chunk(&self, chunk: LogChunk) -> Result<()> {
        let LogChunk { number, head, data } = chunk;
        let query = "BEGIN; UPSERT $head_id CONTENT $head RETURN NONE; \
                     UPSERT $data_id CONTENT { bytes: $data } RETURN NONE; COMMIT";
        let variables = vars! {
            head_id: RecordId::new("log_head", number as i64),
            head: Head { number: number as i64, bytes: head },
            data_id: RecordId::new("log_data", number as i64),
            data: data,
        };
        self.write(query, variables).await.map(drop)
    }

    /// The heads of all chunks with their numbers, the oldest first.
    pub async fn log_heads(&self) -> Result<Vec<(u64, Bytes)>> {
        let mut heads: Vec<(u64, Bytes)> = Vec::new();
        loop {
            let from = heads.last().map_or(0, |(number, _)| number + 1);
            let rest = range("log_head", from..i64::MAX as u64);
            let variables = vars! { rest: rest, limit: HEADS_PAGE as i64 };
            let mut response = self.read("SELECT number, bytes FROM $rest LIMIT $limit", variables).await?;
            let page: Vec<Head> = rows(&mut response, 0)?;
            if page.is_empty() {
                return Ok(heads);
            }
            heads.extend(page.into_iter().map(|head| (head.number as u64, head.bytes)));
        }
    }

    /// The records of a chunk; `None` once it is deleted.
    pub async fn log_data(&self, number: u64) -> Result<Option<Bytes>> {
        let id = RecordId::new("log_data", number as i64);
        let mut response = self.read("SELECT VALUE bytes FROM $id", vars! { id: id }).await?;
        row(&mut response, 0)
    }

    /// Deletes the chunks with these numbers.
    pub async fn delete_log_chunks(&self, numbers: std::ops::Range<u64>) -> Result<()> {
        let variables = vars! { heads: range("log_head", numbers.clone()), data: range("log_data", numbers) };
        let query = "BEGIN; DELETE $heads RETURN NONE; DELETE $data RETURN NONE; COMMIT";
        self.write(query, variables).await.map(drop)
    }
}
