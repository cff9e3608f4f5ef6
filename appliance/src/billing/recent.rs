//! Lists of Stripe's that were read a moment ago: whoever looks at a page again causes no call.

use std::num::NonZeroUsize;

use chrono::{DateTime, TimeDelta, Utc};
use lru::LruCache;
use morpion_rules::UserId;
use parking_lot::Mutex;

/// How long a list is shown that was changed at Stripe alone. A change that is made here, or that Stripe tells of, ends it.
const LIFE: TimeDelta = TimeDelta::seconds(60);

/// Lists that are kept, of at most 100 entries and some 30 KiB.
const MAX_LISTS: NonZeroUsize = NonZeroUsize::new(1_000).expect("not zero");

/// A list, and when it was read.
type Read<T> = (DateTime<Utc>, Vec<T>);

/// The last lists by their users.
pub struct Recent<T>(Mutex<LruCache<UserId, Read<T>>>);

impl<T> Default for Recent<T> {
    fn default() -> Self {
        Self(Mutex::new(LruCache::new(MAX_LISTS)))
    }
}

impl<T> std::fmt::Debug for Recent<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Recent").finish_non_exhaustive()
    }
}

impl<T: Clone> Recent<T> {
    pub fn get(&self, user: UserId, now: DateTime<Utc>) -> Option<Vec<T>> {
        self.0.lock().get(&user).filter(|(read, _)| now - *read < LIFE).map(|(_, list)| list.clone())
    }

    pub fn put(&self, user: UserId, list: Vec<T>, now: DateTime<Utc>) {
        self.0.lock().put(user, (now, list));
    }

    pub fn forget(&self, user: UserId) {
        self.0.lock().pop(&user);
    }
}
