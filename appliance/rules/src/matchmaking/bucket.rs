use crate::UserId;
use crate::board::BoardSize;
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

/// Those of one level who fit the same others.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Group {
    /// Fits all others.
    Everybody,
    /// At one address: its members do not fit each other.
    Address(IpAddr),
    /// Who wants this board.
    Size(BoardSize),
}

impl Group {
    pub(super) fn fits(self, other: Group) -> bool {
        match (self, other) {
            (Group::Address(own), Group::Address(other)) => own != other,
            (Group::Size(own), Group::Size(other)) => own == other,
            _ => true,
        }
    }
}

/// Present players of one level, by group.
#[derive(Clone, Default, Debug)]
pub(super) struct Bucket {
    pub(super) groups: BTreeMap<Group, BTreeSet<Ticket>>,
    /// The longest waiting of each group.
    pub(super) heads: BTreeSet<(Ticket, Group)>,
}

impl Bucket {
    pub(super) fn insert(&mut self, ticket: Ticket, group: Group) {
        self.change(group, |members| members.insert(ticket));
    }

    pub(super) fn remove(&mut self, ticket: Ticket, group: Group) {
        self.change(group, |members| members.remove(&ticket));
    }

    fn change(&mut self, group: Group, change: impl FnOnce(&mut BTreeSet<Ticket>) -> bool) {
        let members = self.groups.entry(group).or_default();
        let before = members.first().copied();
        change(members);
        let after = members.first().copied();
        if before == after {
            return;
        }
        if let Some(head) = before {
            self.heads.remove(&(head, group));
        }
        match after {
            Some(head) => _ = self.heads.insert((head, group)),
            None => _ = self.groups.remove(&group),
        }
    }
}
