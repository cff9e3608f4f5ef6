//! What is kept in memory for some minutes: pending sign-ins, challenges, secrets that are to be confirmed.

use std::num::NonZeroUsize;

use chrono::{DateTime, TimeDelta, Utc};
use lru::LruCache;
use parking_lot::Mutex;

/// Entries of a table, at most some kilobytes each. When it is full, the oldest goes: its owner begins again.
const MAX_ENTRIES: NonZeroUsize = NonZeroUsize::new(10_000).expect("not zero");

/// Values that end after some time, by whose they are.
pub(super) struct ShortLived<V> {
    life: TimeDelta,
    entries: Mutex<LruCache<String, (DateTime<Utc>, V)>>,
}

impl<V> std::fmt::Debug for ShortLived<V> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ShortLived").finish_non_exhaustive()
    }
}

impl<V> ShortLived<V> {
    pub fn new(life: TimeDelta) -> Self {
        Self { life, entries: Mutex::new(LruCache::new(MAX_ENTRIES)) }
    }

    /// Keeps a value, instead of the previous one.
    pub fn insert(&self, key: String, value: V, now: DateTime<Utc>) {
        self.entries.lock().put(key, (now + self.life, value));
    }

    /// Removes and returns a value.
    pub fn take(&self, key: &str, now: DateTime<Utc>) -> Option<V> {
        self.entries.lock().pop(key).filter(|(ends, _)| *ends > now).map(|(_, value)| value)
    }

    /// Reads or changes a value; `None` when there is none (any more).
    pub fn with<T>(&self, key: &str, now: DateTime<Utc>, change: impl FnOnce(&mut V) -> T) -> Option<T> {
        let mut entries = self.entries.lock();
        entries.peek_mut(key).filter(|(ends, _)| *ends > now).map(|(_, value)| change(value))
    }

    /// Removes the values that match.
    pub fn remove_all(&self, which: impl Fn(&V) -> bool) {
        let mut entries = self.entries.lock();
        let keys: Vec<String> =
            entries.iter().filter(|(_, (_, value))| which(value)).map(|(key, _)| key.clone()).collect();
        for key in keys {
            entries.pop(&key);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_end_are_taken_once_and_make_room() {
        let start = DateTime::UNIX_EPOCH;
        let table = ShortLived::new(TimeDelta::minutes(5));
        table.insert("a".to_owned(), 1, start);
        assert_eq!(table.with("a", start + TimeDelta::seconds(299), |value| *value), Some(1));
        assert_eq!(table.with("a", start + TimeDelta::minutes(5), |value| *value), None);
        assert_eq!(table.take("a", start + TimeDelta::seconds(299)), Some(1));
        assert_eq!(table.take("a", start), None);
        for number in 0..=MAX_ENTRIES.get() {
            table.insert(number.to_string(), 2, start);
        }
        assert_eq!((table.take("0", start), table.take("1", start)), (None, Some(2)), "the oldest went");
        table.remove_all(|value| *value == 2);
        assert_eq!(table.take("2", start), None);
    }
}
