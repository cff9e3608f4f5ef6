use crate::UserId;
use crate::clock::Millis;
use std::collections::{BTreeMap, BTreeSet};
use std::net::IpAddr;

/// A place in the queue; the smaller, the longer waiting.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Ticket {
    pub(super) since: Millis,
    pub(super) number: u64,
    pub(super) user: UserId,
}

/// Present players of one level, by address (all under `None` where addresses do not matter).
#[derive(Clone, Default, Debug)]
pub(super) struct Bucket {
    pub(super) groups: BTreeMap<Option<IpAddr>, BTreeSet<Ticket>>,
    /// The longest waiting of each group.
    pub(super) heads: BTreeSet<(Ticket, Option<IpAddr>)>,
}

impl Bucket {
    pub(super) fn insert(&mut self, ticket: Ticket, address: Option<IpAddr>) {
        self.change(address, |group| group.insert(ticket));
    }

    pub(super) fn remove(&mut self, ticket: Ticket, address: Option<IpAddr>) {
        self.change(address, |group| group.remove(&ticket));
    }

    fn change(&mut self, address: Option<IpAddr>, change: impl FnOnce(&mut BTreeSet<Ticket>) -> bool) {
        let group = self.groups.entry(address).or_default();
        let before = group.first().copied();
        change(group);
        let after = group.first().copied();
        if before == after {
            return;
        }
        if let Some(head) = before {
            self.heads.remove(&(head, address));
        }
        match after {
            Some(head) => _ = self.heads.insert((head, address)),
            None => _ = self.groups.remove(&address),
        }
    }
}
