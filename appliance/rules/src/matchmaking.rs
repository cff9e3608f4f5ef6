//! A queue of players: who plays whom, and why a player still waits. Each event has one, and quick match has some
//! ([`crate::quick_match`]); a [`Policy`] says how they differ.
//!
//! Nearest level first, longest waiting first among equals. In quick match a player's level is the rating. Two players
//! fit when
//! * both are present (a player without a connection is away, and never paired),
//! * their levels differ by at most 1, plus 1 for every 5 s the longer waiting of them has waited (in quick match: by 50,
//!   plus 50 for every 3 s),
//! * they did not just play each other, until the longer waiting of them has waited 10 s or
//!   nobody else is free,
//! * in an event that keeps those apart, they are not at one address,
//! * in quick match, they want the same board, and neither blocks the other.
//!
//! # Cost
//!
//! Present players are in buckets by level, and within a bucket by address or board where that matters, longest waiting first. A
//! player searches for a partner when there may be a new one: on entering, and at the first instant at which anybody
//! then in the queue would fit. Nothing has to be checked in between, because once both have entered, whether two
//! players fit depends on the time alone, and the later of the two has seen the other. A search walks the buckets
//! outwards from the player's level and asks each for its longest waiting player, so it costs a few steps for each
//! occupied level, however many players wait there.
//!
//! The worst case is a crowd at one address that is kept apart: its members find only each other. It costs a step for
//! each such level, once on entering.

mod bucket;
mod policy;
mod search;
mod waiting;

use crate::UserId;
use crate::board::BoardSize;
use crate::clock::Millis;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap};
use std::fmt;
use std::net::IpAddr;

use bucket::{Bucket, Group, Ticket};
pub use policy::{Addresses, GAP_WIDENS_EVERY, LEVEL_GAP, Policy, RATING_WINDOW, WINDOW_WIDENS_EVERY};
pub use waiting::Waiting;

/// The last opponent is avoided for this many milliseconds of waiting, if anybody else is free.
pub const REMATCH_AVOIDED: i64 = 10_000;
/// The capacity of one queue: twice the size that its cost is tested with.
pub const QUEUE_CAPACITY: usize = 200_000;

/// What matching needs to know of a player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Seeker {
    pub user: UserId,
    /// In quick match: the rating.
    pub level: u32,
    pub last_opponent: Option<UserId>,
    /// The player's address; an unknown one is kept apart from nobody.
    pub address: Option<IpAddr>,
    /// The board that the player wants in quick match; `None` for any.
    pub size: Option<BoardSize>,
}

/// Two players for one game, in a random order: the first is X.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pairing {
    pub players: [UserId; 2],
    pub levels: [u32; 2],
    /// When each began to wait, and their addresses: needed to undo the pairing.
    pub since: [Millis; 2],
    pub addresses: [Option<IpAddr>; 2],
    pub sizes: [Option<BoardSize>; 2],
    /// The seed of this game, for everything random about it.
    pub seed: u64,
}

impl Pairing {
    /// The level of the game and of its board.
    pub fn level(&self) -> u32 {
        self.levels[0].min(self.levels[1])
    }
}

/// The queue has [`QUEUE_CAPACITY`] players.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct QueueFull;

impl fmt::Display for QueueFull {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Too many players are waiting. Please try again in a moment.")
    }
}

impl std::error::Error for QueueFull {}

#[derive(Clone, Copy, Debug)]
struct QueueEntry {
    seeker: Seeker,
    ticket: Ticket,
    away: bool,
    /// When the player searches next; `None` until another player enters who finds them.
    wakes_at: Option<Millis>,
}

/// Waiting players.
#[derive(Clone, Debug)]
pub struct Queue {
    policy: Policy,
    entries: HashMap<UserId, QueueEntry>,
    /// Whom players in the queue must not meet.
    avoided: HashMap<UserId, BTreeSet<UserId>>,
    /// Present players only, and no empty bucket.
    buckets: BTreeMap<u32, Bucket>,
    /// Present players, longest waiting first.
    present: BTreeSet<Ticket>,
    wakeups: BTreeSet<(Millis, Ticket)>,
    next_number: u64,
}

impl Queue {
    pub fn new(policy: impl Into<Policy>) -> Queue {
        Queue {
            policy: policy.into(),
            entries: HashMap::new(),
            avoided: HashMap::new(),
            buckets: BTreeMap::new(),
            present: BTreeSet::new(),
            wakeups: BTreeSet::new(),
            next_number: 0,
        }
    }

    /// Adds a player, present, waiting since `now`. A player already in the queue keeps their place, becomes present,
    /// and their data is updated.
    pub fn enqueue(&mut self, seeker: Seeker, now: Millis) -> Result<(), QueueFull> {
        let ticket = match self.entries.get(&seeker.user) {
            Some(entry) => entry.ticket,
            None if self.entries.len() >= QUEUE_CAPACITY => return Err(QueueFull),
            None => {
                self.next_number += 1;
                Ticket { since: now, number: self.next_number, user: seeker.user }
            }
        };
        self.remove(seeker.user);
        let entry = QueueEntry { seeker, ticket, away: true, wakes_at: None };
        self.entries.insert(seeker.user, entry);
        self.back(seeker.user);
        Ok(())
    }

    /// As [`Queue::enqueue`], for a player who must not meet the others named.
    pub fn enqueue_avoiding(
        &mut self,
        seeker: Seeker,
        avoided: BTreeSet<UserId>,
        now: Millis,
    ) -> Result<(), QueueFull> {
        self.enqueue(seeker, now)?;
        if !avoided.is_empty() {
            self.avoided.insert(seeker.user, avoided);
        }
        Ok(())
    }

    /// Adds a player ahead of everybody present, because their opponent did not show up.
    pub fn enqueue_first(&mut self, seeker: Seeker, since: Millis) -> Result<(), QueueFull> {
        self.remove(seeker.user);
        let first = self.present.first().map_or(since, |ticket| since.min(ticket.since - 1));
        self.enqueue(seeker, first)
    }

    /// A player's level was corrected; the place and the waiting time stay.
    pub fn set_level(&mut self, user: UserId, level: u32) {
        let Some(was_away) = self.entries.get(&user).map(|entry| entry.away) else {
            return;
        };
        self.away(user);
        if let Some(entry) = self.entries.get_mut(&user) {
            entry.seeker.level = level;
        }
        if !was_away {
            self.back(user);
        }
    }

    /// Removes a player; false if they were not in the queue.
    pub fn remove(&mut self, user: UserId) -> bool {
        self.away(user);
        self.avoided.remove(&user);
        self.entries.remove(&user).is_some()
    }

    /// The player lost the connection: they keep their place and are not paired.
    pub fn away(&mut self, user: UserId) {
        let Some(entry) = self.entries.get(&user).copied().filter(|entry| !entry.away) else {
            return;
        };
        self.wake(user, None);
        self.present.remove(&entry.ticket);
        let group = self.group(&entry.seeker);
        if let Some(bucket) = self.buckets.get_mut(&entry.seeker.level) {
            bucket.remove(entry.ticket, group);
            if bucket.groups.is_empty() {
                self.buckets.remove(&entry.seeker.level);
            }
        }
        if let Some(entry) = self.entries.get_mut(&user) {
            entry.away = true;
        }
        self.wake_last_two();
    }

    /// The player is connected again.
    pub fn back(&mut self, user: UserId) {
        let Some(entry) = self.entries.get_mut(&user).filter(|entry| entry.away) else {
            return;
        };
        entry.away = false;
        let entry = *entry;
        let group = self.group(&entry.seeker);
        self.buckets.entry(entry.seeker.level).or_default().insert(entry.ticket, group);
        self.present.insert(entry.ticket);
        self.wake(user, Some(entry.ticket.since));
        self.wake_last_two();
    }

    pub fn contains(&self, user: UserId) -> bool {
        self.entries.contains_key(&user)
    }

    /// Players in the queue, the absent included.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// When a player began to wait.
    pub fn waiting_since(&self, user: UserId) -> Option<Millis> {
        Some(self.entries.get(&user)?.ticket.since)
    }

    /// When [`Queue::pair`] may next find a pair, unless the queue changes. An instant in the past means now.
    pub fn next_wakeup(&self) -> Option<Millis> {
        self.wakeups.first().map(|&(at, _)| at)
    }

    /// Pairs until no two remaining players fit; paired players leave the queue. The same queue, time and seed give the
    /// same pairings.
    pub fn pair(&mut self, now: Millis, seed: u64) -> Vec<Pairing> {
        let mut pairings = Vec::new();
        // Each pass may leave two players for whom nobody else is free any more.
        while self.next_wakeup().is_some_and(|at| at <= now) {
            self.pair_awake(now, seed, &mut pairings);
        }
        pairings
    }

    fn pair_awake(&mut self, now: Millis, seed: u64, pairings: &mut Vec<Pairing>) {
        // Players due to search, by the least distance at which they may find somebody: the nearest pair is found
        // first.
        let mut awake = BinaryHeap::new();
        while let Some(&(at, ticket)) = self.wakeups.first() {
            if at > now {
                break;
            }
            self.wake(ticket.user, None);
            awake.push(Reverse((0, ticket)));
        }
        while let Some(Reverse((least, ticket))) = awake.pop() {
            let Some(entry) = self.present_entry(ticket) else {
                continue;
            };
            match self.search(&entry, least, now).fits {
                Some(partner) if partner.distance == least => {
                    pairings.push(self.pair_up(ticket.user, partner.ticket.user, seed, pairings.len()));
                }
                Some(partner) => awake.push(Reverse((partner.distance, ticket))),
                None => {
                    let soonest = self.search(&entry, 0, now).soonest;
                    self.wake(ticket.user, soonest.map(|candidate| candidate.fits_at));
                }
            }
        }
    }

    fn pair_up(&mut self, a: UserId, b: UserId, seed: u64, index: usize) -> Pairing {
        let entry = |queue: &Queue, user| queue.entries.get(&user).map(|entry| (entry.seeker, entry.ticket.since));
        let seed = mix(seed.wrapping_add(index as u64));
        // The top bit; the lower ones are the game's.
        let players = if seed >> 63 == 0 { [a, b] } else { [b, a] };
        let entries = players.map(|user| entry(self, user));
        let levels = entries.map(|entry| entry.map_or(0, |(seeker, _)| seeker.level));
        let since = entries.map(|entry| entry.map_or_else(Millis::default, |(_, since)| since));
        let addresses = entries.map(|entry| entry.and_then(|(seeker, _)| seeker.address));
        let sizes = entries.map(|entry| entry.and_then(|(seeker, _)| seeker.size));
        self.remove(a);
        self.remove(b);
        Pairing { players, levels, since, addresses, sizes, seed }
    }

    /// The group of a player within their bucket.
    fn group(&self, seeker: &Seeker) -> Group {
        self.policy.group(seeker)
    }

    /// The largest difference of levels that a player accepts by now; `None` for one who is not in the queue.
    pub fn accepted_gap(&self, user: UserId, now: Millis) -> Option<u32> {
        Some(self.policy.allowed_gap(now - self.waiting_since(user)?))
    }

    /// Whether one of two players must not meet the other.
    fn must_not_meet(&self, a: UserId, b: UserId) -> bool {
        let avoids = |one: UserId, other| self.avoided.get(&one).is_some_and(|avoided| avoided.contains(&other));
        !self.avoided.is_empty() && (avoids(a, b) || avoids(b, a))
    }

    fn present_entry(&self, ticket: Ticket) -> Option<QueueEntry> {
        self.entries.get(&ticket.user).copied().filter(|p| !p.away && p.ticket == ticket)
    }

    fn wake(&mut self, user: UserId, at: Option<Millis>) {
        let Some(entry) = self.entries.get_mut(&user) else {
            return;
        };
        let ticket = entry.ticket;
        if let Some(before) = std::mem::replace(&mut entry.wakes_at, at) {
            self.wakeups.remove(&(before, ticket));
        }
        if let Some(at) = at {
            self.wakeups.insert((at, ticket));
        }
    }

    /// When only two are left nobody else is free, so even last opponents fit.
    fn wake_last_two(&mut self) {
        if self.present.len() == 2 {
            let two: Vec<Ticket> = self.present.iter().copied().collect();
            for ticket in two {
                self.wake(ticket.user, Some(ticket.since));
            }
        }
    }
}

/// SplitMix64: spreads consecutive numbers over all bits.
fn mix(seed: u64) -> u64 {
    let mut z = seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}
