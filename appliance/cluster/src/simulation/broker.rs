//! JetStream as far as the protocol relies on it: a stream and a key whose acknowledged writes survive, read through
//! views that may be old, and unreachable while there is no majority.

use super::random::Random;
use super::world::Command;
use crate::{Entry, Event, Lease, RequestId, Revision, Sequence};

#[derive(Clone, Debug)]
pub enum Request {
    ReadLease { request: RequestId },
    WriteLease { request: RequestId, expected: Revision, lease: Lease },
    Publish { request: RequestId, expected: Sequence, entry: Entry<Command> },
    Fetch { request: RequestId, from: Sequence, limit: usize },
    Trim { before: Sequence },
}

#[derive(Default)]
pub struct Broker {
    /// All entries ever; what was trimmed can no longer be fetched.
    pub entries: Vec<Entry<Command>>,
    first: Sequence,
    leases: Vec<Lease>,
    pub has_no_majority: bool,
    /// Writes that a minority took, and that may go through once there is a majority again.
    pub undecided: Vec<Request>,
    /// How often in a hundred a read sees an old view.
    pub old_views: u64,
}

impl Broker {
    pub fn new(old_views: u64) -> Self {
        Self { old_views, ..Self::default() }
    }

    pub fn last(&self) -> Sequence {
        self.entries.len() as Sequence
    }

    /// Carries a request out; `None` if it is not answered.
    pub fn carry_out(&mut self, request: Request, random: &mut Random) -> Option<Event<Command>> {
        if self.has_no_majority {
            return self.without_majority(request, random);
        }
        let old = random.percent(self.old_views);
        match request {
            Request::ReadLease { request } => {
                let seen = self.leases.len().saturating_sub(usize::from(old));
                let lease = seen.checked_sub(1).map(|at| self.leases[at]).unwrap_or_default();
                Some(Event::LeaseRead { request, revision: Revision(seen as u64), lease })
            }
            Request::WriteLease { request, expected, lease } => {
                if expected.0 != self.leases.len() as u64 {
                    return Some(Event::LeaseConflict { request });
                }
                self.leases.push(lease);
                Some(Event::LeaseWritten { request, revision: Revision(self.leases.len() as u64) })
            }
            Request::Publish { request, expected, mut entry } => {
                // A broken variant expects nothing.
                if expected != Sequence::MAX && expected != self.last() {
                    return Some(Event::PublishRefused { request });
                }
                // The sequence of a message is where it stands, whatever its sender thought.
                entry.position.sequence = self.last() + 1;
                self.entries.push(entry);
                Some(Event::Published { request })
            }
            Request::Fetch { request, from, limit } => {
                let hidden = if old { random.range(1, 4) } else { 0 };
                Some(self.fetch(request, from, limit, self.last().saturating_sub(hidden)))
            }
            Request::Trim { before } => {
                self.first = self.first.max(before.min(self.last()));
                None
            }
        }
    }

    fn fetch(&self, request: RequestId, from: Sequence, limit: usize, last: Sequence) -> Event<Command> {
        let first = self.first.max(1);
        let start = from.max(first).min(last + 1) as usize - 1;
        let entries = self.entries[start..last as usize].iter().take(limit).cloned().collect();
        Event::Fetched { request, first, last, entries }
    }

    fn without_majority(&mut self, request: Request, random: &mut Random) -> Option<Event<Command>> {
        match request {
            Request::Publish { request: id, .. } if random.percent(30) => {
                return Some(Event::PublishRefused { request: id });
            }
            Request::Publish { .. } | Request::WriteLease { .. } if random.percent(50) => self.undecided.push(request),
            // A replica that knows of nothing new still answers reads.
            Request::Fetch { request, from, limit } if random.percent(30) => {
                let last = self.last().saturating_sub(random.range(0, 4));
                return Some(self.fetch(request, from, limit, last));
            }
            _ => {}
        }
        None
    }
}
