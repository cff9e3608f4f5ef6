//! Who may lead: a key with a revision, and the time since it last changed.
//!
//! The lease keeps leaders from disturbing one another and makes reads cheap. What is acknowledged does not depend on it:
//! for that the stream alone decides.

use crate::event::Action;
use crate::mutation::Mutation;
use crate::node::{Node, Role};
use crate::types::{Epoch, Lease, Millis, NodeId, RequestId, Revision};

#[derive(Debug, Default)]
pub(crate) struct LeaseWatch {
    pub(crate) revision: Revision,
    pub(crate) value: Lease,
    /// When this revision was first seen; `None` before the first read.
    seen: Option<Millis>,
    request: Option<LeaseRequest>,
    /// What became of a write is not known; a read tells.
    unsure: bool,
    next: Millis,
    last_write: Option<(Lease, Millis)>,
    /// While this node's clock is before it nobody else takes the lease over.
    held_until: Option<Millis>,
    /// The node stopped leading and has yet to say so.
    release: Option<Epoch>,
    beats: u64,
}

#[derive(Debug)]
struct LeaseRequest {
    id: RequestId,
    sent: Millis,
    write: Option<Lease>,
}

impl LeaseWatch {
    pub(crate) fn is_held(&self, now: Millis) -> bool {
        self.held_until.is_some_and(|until| now < until)
    }

    /// Holds nothing any longer. A renewal that is still under way must not be taken for a new lease: an epoch is opened
    /// once.
    pub(crate) fn give_up(&mut self, release: Option<Epoch>) {
        self.held_until = None;
        self.release = release;
        self.last_write = None;
        self.unsure |= self.request.take().is_some();
    }

    fn take(&mut self, id: RequestId) -> Option<LeaseRequest> {
        self.request.take_if(|request| request.id == id)
    }

    fn observe(&mut self, revision: Revision, value: Lease, now: Millis) {
        if self.seen.is_none() || revision > self.revision {
            (self.revision, self.value, self.seen) = (revision, value, Some(now));
        }
    }
}

impl<P: Clone> Node<P> {
    pub(crate) fn lease_read(&mut self, id: RequestId, revision: Revision, value: Lease) {
        let Some(_) = self.lease.take(id) else { return };
        self.lease.unsure = false;
        self.lease.observe(revision, value, self.now);
        // A write without an answer went through after all. A value is written once, so its time is known.
        if let Some((write, sent)) = self.lease.last_write
            && write == self.lease.value
        {
            self.wrote(write, sent);
        }
        self.compare_with_role();
    }

    pub(crate) fn lease_written(&mut self, id: RequestId, revision: Revision) {
        let Some(LeaseRequest { write: Some(write), sent, .. }) = self.lease.take(id) else { return };
        self.lease.observe(revision, write, self.now);
        self.wrote(write, sent);
    }

    pub(crate) fn lease_conflict(&mut self, id: RequestId) {
        if self.lease.take(id).is_some() {
            self.lease.unsure = true;
            self.lease.next = self.now;
        }
    }

    fn wrote(&mut self, write: Lease, sent: Millis) {
        self.lease.last_write = None;
        if write.holder.is_none() {
            self.lease.release = None;
            return;
        }
        match &self.role {
            Role::Following if self.may_lead() => {
                self.role = Role::Candidate { epoch: write.epoch, since: self.now };
                self.stream.fetch_now(self.now);
            }
            Role::Candidate { epoch, .. } if *epoch == write.epoch => {}
            Role::Leading(leader) if leader.epoch == write.epoch => {}
            // It came too late to be of use.
            _ => return self.lease.give_up(Some(write.epoch)),
        }
        self.lease.held_until = Some(sent + self.config.lease);
    }

    /// A leader or candidate whose key belongs to a later epoch is none any longer.
    fn compare_with_role(&mut self) {
        let mine = match &self.role {
            Role::Candidate { epoch, .. } => *epoch,
            Role::Leading(leader) => leader.epoch,
            _ => return,
        };
        if self.lease.value.epoch > mine {
            self.stop_leading(false);
        }
    }

    pub(crate) fn advance_lease(&mut self) {
        let lost = |request: &mut LeaseRequest| self.now >= request.sent + self.config.reply_timeout;
        if let Some(request) = self.lease.request.take_if(lost) {
            self.lease.unsure |= request.write.is_some();
            self.lease.next = self.now;
        }
        if self.lease.request.is_some() {
            return;
        }
        if self.lease.unsure || self.lease.seen.is_none() {
            if self.now >= self.lease.next {
                self.read_lease(self.config.pause);
            }
            return;
        }
        let renewed = match &self.role {
            Role::Candidate { epoch, .. } => Some(*epoch),
            Role::Leading(leader) => Some(leader.epoch),
            _ => None,
        };
        if let Some(epoch) = renewed {
            if self.now >= self.lease.next {
                self.write_lease(Some(self.config.node), epoch);
            }
        } else if let Some(epoch) = self.lease.release {
            if self.lease.value.holder == Some(self.config.node) && self.lease.value.epoch == epoch {
                self.write_lease(None, epoch);
            } else {
                self.lease.release = None;
            }
        } else if self.is_vacant() && self.may_lead() {
            let epoch = self.lease.value.epoch.max(self.tip().position.epoch).next();
            self.write_lease(Some(self.config.node), epoch);
        } else if self.now >= self.lease.next {
            self.read_lease(self.config.renew_every);
        }
    }

    fn is_vacant(&self) -> bool {
        let early = self.config.mutation.has(Mutation::TakeOverEarly);
        let wait =
            if self.lease.value.holder.is_none() || early { self.config.stagger } else { self.config.takeover_wait() };
        self.lease.seen.is_some_and(|seen| self.now >= seen + wait)
    }

    fn read_lease(&mut self, next: Millis) {
        let request = self.next_request();
        self.lease.next = self.now + next;
        self.lease.request = Some(LeaseRequest { id: request, sent: self.now, write: None });
        self.out.push(Action::ReadLease { request });
    }

    fn write_lease(&mut self, holder: Option<NodeId>, epoch: Epoch) {
        let request = self.next_request();
        self.lease.beats += 1;
        let lease = Lease { holder, run: self.config.run, epoch, beat: self.lease.beats };
        self.lease.next = self.now + self.config.renew_every;
        self.lease.last_write = Some((lease, self.now));
        self.lease.request = Some(LeaseRequest { id: request, sent: self.now, write: Some(lease) });
        self.out.push(Action::WriteLease { request, expected: self.lease.revision, lease });
    }
}
