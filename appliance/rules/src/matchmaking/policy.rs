//! How the queues of events and of quick match differ.

use super::{Seeker, bucket::Group};
use crate::clock::Millis;

/// The level difference allowed at once in an event.
pub const LEVEL_GAP: u32 = 1;
/// The level difference allowed in an event grows by one every so many milliseconds.
pub const GAP_WIDENS_EVERY: i64 = 5_000;
/// The difference of ratings allowed at once in quick match, and by how much it grows.
pub const RATING_WINDOW: u32 = 50;
/// It grows every so many milliseconds.
pub const WINDOW_WIDENS_EVERY: i64 = 3_000;

/// Whether players at one address may meet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Addresses {
    Together,
    Apart,
}

/// What decides whether two players of a queue fit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Policy {
    Event(Addresses),
    QuickMatch,
}

impl From<Addresses> for Policy {
    fn from(addresses: Addresses) -> Policy {
        Policy::Event(addresses)
    }
}

impl Policy {
    /// The difference allowed at once, by how much it grows, and how often.
    const fn widening(self) -> (u32, u32, i64) {
        match self {
            Policy::Event(_) => (LEVEL_GAP, 1, GAP_WIDENS_EVERY),
            Policy::QuickMatch => (RATING_WINDOW, RATING_WINDOW, WINDOW_WIDENS_EVERY),
        }
    }

    /// The level difference allowed after waiting so many milliseconds.
    pub fn allowed_gap(self, waited: i64) -> u32 {
        let (at_once, step, every) = self.widening();
        let widened = u32::try_from(waited.max(0) / every).unwrap_or(u32::MAX);
        at_once.saturating_add(widened.saturating_mul(step))
    }

    /// When a player waiting since then is allowed this level difference.
    pub(super) fn gap_allows_at(self, since: Millis, difference: u32) -> Millis {
        let (at_once, step, every) = self.widening();
        since + i64::from(difference.saturating_sub(at_once).div_ceil(step)) * every
    }

    pub(super) fn group(self, seeker: &Seeker) -> Group {
        match (self, seeker.address) {
            (Policy::Event(Addresses::Apart), Some(address)) => Group::Address(address),
            (Policy::Event(_), _) => Group::Everybody,
            (Policy::QuickMatch, _) => seeker.size.map_or(Group::Everybody, Group::Size),
        }
    }
}
