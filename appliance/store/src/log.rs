//! Log records, in chunks of about a thousand: `log_head` and `log_data`, keyed by the chunk's number.
//!
//! A row per record would cost a core at 10,000 records a second; a row per thousand costs next to nothing.

use bytes::Bytes;
use surrealdb::types::{RecordId, RecordIdKeyRange, SurrealValue, vars};

use crate::Result;
use crate::store::{Store, row, rows};

/// Headers read at once: some 20 KiB each.
const HEADERS_PAGE: u64 = 64;

/// A chunk to be stored. Both parts are encoded by the caller.
#[derive(Debug, Clone)]
pub struct LogChunk {
    pub number: u64,
    /// What is known about the records without reading them.
    pub header: Bytes,
    pub data: Bytes,
}

#[derive(SurrealValue)]
struct HeaderRow {
    number: i64,
    bytes: Bytes,
}

fn range(table: &str, numbers: std::ops::Range<u64>) -> RecordId {
    RecordId::new(table, RecordIdKeyRange::from(numbers.start as i64..numbers.end as i64))
}

impl Store {
    /// Stores or replaces a chunk, in one transaction.
    pub async fn write_log_chunk(&self, chunk: LogChunk) -> Result<()> {
        let LogChunk { number, header, data } = chunk;
        let query = "BEGIN; UPSERT $head_id CONTENT $head RETURN NONE; \
                     UPSERT $data_id CONTENT { bytes: $data } RETURN NONE; COMMIT";
        let variables = vars! {
            head_id: RecordId::new("log_head", number as i64),
            head: HeaderRow { number: number as i64, bytes: header },
            data_id: RecordId::new("log_data", number as i64),
            data: data,
        };
        self.write(query, variables).await.map(drop)
    }

    /// The headers of all chunks with their numbers, the oldest first.
    pub async fn log_headers(&self) -> Result<Vec<(u64, Bytes)>> {
        let mut headers: Vec<(u64, Bytes)> = Vec::new();
        loop {
            let from = headers.last().map_or(0, |(number, _)| number + 1);
            let rest = range("log_head", from..i64::MAX as u64);
            let variables = vars! { rest: rest, limit: HEADERS_PAGE as i64 };
            let mut response = self.read("SELECT number, bytes FROM $rest LIMIT $limit", variables).await?;
            let page: Vec<HeaderRow> = rows(&mut response, 0)?;
            if page.is_empty() {
                return Ok(headers);
            }
            headers.extend(page.into_iter().map(|header| (header.number as u64, header.bytes)));
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
