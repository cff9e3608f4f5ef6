//! Reads of other people's data, which are in the audit trail.

use std::num::NonZeroUsize;

use chrono::{DateTime, TimeDelta, Utc};
use lru::LruCache;
use parking_lot::Mutex;
use serde_json::Value;

use super::{Accounts, error::AccountError};
use crate::caller::Call;

/// The same read by the same actor is one entry for this long: pages and the console ask again and again.
const REPEATED_WITHIN: TimeDelta = TimeDelta::minutes(10);

/// Remembered reads, some 200 bytes each and at most a search text more; a forgotten one is recorded again.
const MAX_REMEMBERED: NonZeroUsize = NonZeroUsize::new(1_000).expect("not zero");

/// Who read what of whom, and how.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Read {
    actor: String,
    action: &'static str,
    target: String,
    detail: String,
}

/// When a read was last recorded.
#[derive(Debug)]
pub(super) struct RecentReads(Mutex<LruCache<Read, DateTime<Utc>>>);

impl Default for RecentReads {
    fn default() -> Self {
        Self(Mutex::new(LruCache::new(MAX_REMEMBERED)))
    }
}

impl Accounts {
    /// Records in the audit trail what an admin is about to read; without the entry it may not be read.
    ///
    /// # Errors
    /// The store is unavailable.
    pub async fn audit_read(
        &self,
        call: &Call,
        action: &'static str,
        target: &str,
        detail: Value,
    ) -> Result<(), AccountError> {
        let actor = call.caller.audit_name();
        let read = Read { actor, action, target: target.to_owned(), detail: detail.to_string() };
        let now = self.clock.steady();
        if self.reads.0.lock().get(&read).is_some_and(|last| now - *last < REPEATED_WITHIN) {
            return Ok(());
        }
        self.audit(call, action, target, detail).await?;
        self.reads.0.lock().put(read, now);
        Ok(())
    }
}
