//! The server's clock, which alone decides.

use std::sync::{
    Arc,
    atomic::{AtomicI64, Ordering},
};

use chrono::{DateTime, Utc};
use morpion_rules::Millis;

/// The machine's time, or ahead of it. Cheap to clone; all clones are one.
#[derive(Debug, Clone, Default)]
pub struct Clock {
    ahead: Arc<AtomicI64>,
}

impl Clock {
    pub fn now(&self) -> Millis {
        Millis(Utc::now().timestamp_millis() + self.ahead.load(Ordering::Relaxed))
    }

    /// Puts the clock forward by so many milliseconds, so that a test need not sit out a minute.
    pub fn advance(&self, ms: i64) {
        self.ahead.fetch_add(ms, Ordering::Relaxed);
    }
}

/// The instant as a moment of the calendar; what lies outside it becomes the epoch.
pub fn utc(at: Millis) -> DateTime<Utc> {
    DateTime::from_timestamp_millis(at.0).unwrap_or_default()
}

/// The moment in milliseconds.
pub fn millis(at: DateTime<Utc>) -> Millis {
    Millis(at.timestamp_millis())
}
