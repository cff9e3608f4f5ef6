//! What a node does with the stream's entries while it does not lead, and when it may lead.

use crate::event::{Action, Blocked, CheckpointSource};
use crate::mutation::Mutation;
use crate::node::{Node, Role};
use crate::state::State;
use crate::types::{Entry, Millis, RequestId, Sequence};

/// What a node knows of the stream.
#[derive(Debug, Default)]
pub(crate) struct StreamWatch {
    pub(crate) last: Sequence,
    fetch: Option<(RequestId, Millis)>,
    pub(crate) not_before: Millis,
    /// When a fetch was sent whose answer had nothing that this node does not have.
    caught_up: Option<Millis>,
}

impl StreamWatch {
    /// The answer to a fetch from before is not wanted any longer.
    pub(crate) fn forget_fetch(&mut self) {
        self.fetch = None;
        self.caught_up = None;
    }

    pub(crate) fn fetch_now(&mut self, now: Millis) {
        self.forget_fetch();
        self.not_before = now;
    }
}

impl<P: Clone> Node<P> {
    /// Whether this node could lead: it has everything, can read and write it, and nothing speaks against it.
    pub(crate) fn may_lead(&self) -> bool {
        let fresh = |at: Millis| self.now < at + self.config.reply_timeout + self.config.pause;
        matches!(self.role, Role::Following)
            && self.blocked.is_none()
            && self.storing.is_empty()
            && self.stream.caught_up.is_some_and(fresh)
            && self.now >= self.holds_off_until
            && self.stored.admits(self.config.node)
            && self.config.formats.contain(self.stored.format)
    }

    pub(crate) fn advance_following(&mut self) {
        if let Some((_, sent)) = self.stream.fetch
            && self.now >= sent + self.config.reply_timeout
        {
            self.stream.fetch = None;
        }
        let tip = self.tip().position.sequence;
        match &mut self.role {
            Role::Leading(_) => {}
            Role::Restoring { source, asked, not_before } => {
                if !*asked && self.storing.is_empty() && self.now >= *not_before {
                    *asked = true;
                    self.out.push(Action::Install { source: *source });
                }
            }
            Role::Checking { .. } => {
                if self.storing.is_empty() {
                    self.fetch(tip.max(1));
                }
            }
            Role::Following => {
                if self.blocked.is_none() && self.storing.len() < self.config.storing {
                    self.fetch(tip + 1);
                }
            }
            Role::Candidate { since, epoch } => {
                let (since, epoch) = (*since, *epoch);
                if self.stream.caught_up.is_some_and(|at| at >= since) && self.storing.is_empty() {
                    self.open(epoch);
                } else if self.storing.len() < self.config.storing {
                    self.fetch(tip + 1);
                }
            }
        }
    }

    fn fetch(&mut self, from: Sequence) {
        if self.stream.fetch.is_none() && self.now >= self.stream.not_before {
            let request = self.next_request();
            self.stream.fetch = Some((request, self.now));
            self.out.push(Action::Fetch { request, from, limit: self.config.fetch_entries });
        }
    }

    pub(crate) fn fetched(&mut self, request: RequestId, first: Sequence, last: Sequence, entries: Vec<Entry<P>>) {
        self.stream.last = self.stream.last.max(last);
        if matches!(self.role, Role::Leading(_)) {
            return self.read_back(request, first, entries);
        }
        let Some((_, sent)) = self.stream.fetch.take_if(|(id, _)| *id == request) else { return };
        let mut entries = entries.as_slice();
        if let Role::Checking { since } = self.role {
            if !self.compare(since, first, last, entries.first()) {
                return;
            }
            self.role = Role::Following;
            let stored = self.stored.position.sequence;
            entries = &entries[usize::from(entries.first().is_some_and(|entry| entry.position.sequence == stored))..];
        }
        if !matches!(self.role, Role::Following | Role::Candidate { .. }) {
            return;
        }
        if first > self.tip().position.sequence + 1 {
            return self.restore(first);
        }
        let anything = !entries.is_empty();
        for entry in entries {
            if !self.follow(entry) {
                break;
            }
        }
        let tip = self.tip().position.sequence;
        if last == tip && self.blocked.is_none() {
            self.stream.caught_up = Some(sent);
        }
        self.stream.not_before = if anything { self.now } else { self.now + self.config.pause };
    }

    /// Whether the stream has what this node has: the same entry at the same place, and so the same before it.
    fn compare(&mut self, since: Millis, first: Sequence, last: Sequence, entry: Option<&Entry<P>>) -> bool {
        let position = self.stored.position;
        let nothing_yet = position.sequence == 0;
        if (nothing_yet && first <= 1) || self.config.mutation.has(Mutation::KeepDivergence) {
            return true;
        }
        match entry.filter(|entry| entry.position.sequence == position.sequence) {
            Some(entry) if entry.position == position => return true,
            // A publish of this node may still arrive, or the view was an old one.
            None if last < position.sequence && self.now < since + 2 * self.config.reply_timeout => {
                self.stream.not_before = self.now + self.config.pause;
                return false;
            }
            _ => self.restore(first),
        }
        false
    }

    /// Applies the next entry; not if it is not the next, or cannot be.
    fn follow(&mut self, entry: &Entry<P>) -> bool {
        let tip = self.tip();
        if entry.position.sequence != tip.position.sequence + 1 || self.storing.len() >= self.config.storing {
            return false;
        }
        if !self.config.formats.contain(entry.format) {
            self.blocked = Some(Blocked::Format(entry.format));
        } else if entry.position.epoch < tip.position.epoch {
            self.blocked = Some(Blocked::Order(entry.position.sequence));
        } else {
            // An epoch as late as the one this node is about to open: somebody else has it.
            if matches!(self.role, Role::Candidate { epoch, .. } if entry.position.epoch >= epoch) {
                self.stop_leading(true);
            }
            self.store(entry.clone());
            return true;
        }
        if matches!(self.role, Role::Candidate { .. }) {
            self.stop_leading(true);
        }
        false
    }

    /// Goes back to a checkpoint: to this node's own if the stream goes on from there, or else to another node's.
    fn restore(&mut self, first: Sequence) {
        let before = self.stored.position.sequence;
        let own = self.checkpoints.kept.is_some_and(|kept| (first..=before).contains(&kept.sequence.max(1)));
        let source = if own { CheckpointSource::Own } else { CheckpointSource::Peer };
        self.stream.forget_fetch();
        self.role = Role::Restoring { source, asked: false, not_before: self.now };
    }

    pub(crate) fn installed(&mut self, state: State) {
        if matches!(self.role, Role::Restoring { asked: true, .. }) {
            self.checkpoints.kept = Some(state.position);
            self.stored = state;
            self.blocked = None;
            self.check();
        }
    }

    pub(crate) fn install_failed(&mut self) {
        if let Role::Restoring { source, asked: true, .. } = self.role {
            // The founder has nobody to ask, and a follower may have lost what it kept: the other is tried next.
            let source = match source {
                CheckpointSource::Own => CheckpointSource::Peer,
                CheckpointSource::Peer if self.checkpoints.kept.is_some() => CheckpointSource::Own,
                CheckpointSource::Peer => CheckpointSource::Peer,
            };
            let not_before = self.now + self.config.pause;
            self.role = Role::Restoring { source, asked: false, not_before };
        }
    }
}
