//! Answers that one address gets again and again: the first of a minute is listed, the others are counted and become
//! one line. A scan for addresses that do not exist would fill the log otherwise.

use std::{
    collections::{BTreeMap, HashMap},
    net::IpAddr,
    sync::Arc,
    time::Duration,
};

use parking_lot::Mutex;
use poem::http::StatusCode;

use crate::account::limits::network;

/// How long answers are counted until their line is written.
const COUNTED_FOR: Duration = Duration::from_secs(60);

/// Addresses that are counted by themselves; what goes to others is one number, so that many of them fill neither the
/// table nor the log.
const MAX_ADDRESSES: usize = 512;

/// Whose answers, and of which status.
type Kind = (IpAddr, u16);

#[derive(Debug, Default)]
struct Counts {
    /// Answers that were not listed. Those that were have an entry too.
    by_address: HashMap<Kind, u64>,
    /// The same of addresses beyond [`MAX_ADDRESSES`], by status.
    of_others: BTreeMap<u16, u64>,
}

/// Cheap to clone; all clones are one.
#[derive(Debug, Clone, Default)]
pub struct Repeats(Arc<Mutex<Counts>>);

impl Repeats {
    /// Whether an answer with this status gets a line of its own; otherwise it is counted.
    pub fn lists(&self, status: StatusCode, address: IpAddr) -> bool {
        let mut counts = self.0.lock();
        if counts.by_address.is_empty() {
            let repeats = self.clone();
            tokio::spawn(async move {
                tokio::time::sleep(COUNTED_FOR).await;
                repeats.write();
            });
        }
        let has_room = counts.by_address.len() < MAX_ADDRESSES;
        let kind = (network(address), status.as_u16());
        match counts.by_address.get_mut(&kind) {
            Some(count) => *count += 1,
            None if has_room => {
                counts.by_address.insert(kind, 0);
                return true;
            }
            None => *counts.of_others.entry(kind.1).or_default() += 1,
        }
        false
    }

    fn write(&self) {
        let Counts { by_address, of_others } = std::mem::take(&mut *self.0.lock());
        for ((address, status), count) in by_address.into_iter().filter(|(_, count)| *count > 0) {
            tracing::info!(%address, status, count, "one address got more answers of this kind in the last minute");
        }
        for (status, count) in of_others {
            tracing::info!(status, count, "many more addresses got answers of this kind in the last minute");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counted(repeats: &Repeats, address: &str, status: StatusCode) -> Option<u64> {
        repeats.0.lock().by_address.get(&(address.parse().unwrap(), status.as_u16())).copied()
    }

    #[tokio::test(start_paused = true)]
    async fn the_first_of_a_minute_is_listed_and_the_others_are_counted() {
        let repeats = Repeats::default();
        let here: IpAddr = "192.0.2.1".parse().unwrap();
        let listed = (0..1_000).filter(|_| repeats.lists(StatusCode::NOT_FOUND, here)).count();
        assert_eq!((listed, counted(&repeats, "192.0.2.1", StatusCode::NOT_FOUND)), (1, Some(999)));
        assert!(repeats.lists(StatusCode::NOT_FOUND, "192.0.2.2".parse().unwrap()), "another address");
        assert!(repeats.lists(StatusCode::TOO_MANY_REQUESTS, here), "another status");
        tokio::time::sleep(COUNTED_FOR + Duration::from_secs(1)).await;
        assert_eq!(counted(&repeats, "192.0.2.1", StatusCode::NOT_FOUND), None, "written and forgotten");
        assert!(repeats.lists(StatusCode::NOT_FOUND, here));
    }

    #[tokio::test(start_paused = true)]
    async fn a_flood_of_addresses_fills_neither_the_table_nor_the_log() {
        let repeats = Repeats::default();
        let addresses = (0..100_000_u32).map(|number| IpAddr::from(number.to_be_bytes()));
        let listed = addresses.filter(|address| repeats.lists(StatusCode::NOT_FOUND, *address)).count();
        assert_eq!(listed, MAX_ADDRESSES);
        let counts = repeats.0.lock();
        assert_eq!((counts.by_address.len(), counts.of_others[&404]), (MAX_ADDRESSES, 100_000 - MAX_ADDRESSES as u64));
    }
}
