//! What a leader does with what is safe: acknowledges it, answers reads, trims the stream.
//! And how it stops.

use crate::event::{Action, Refusal, Report};
use crate::mutation::Mutation;
use crate::node::{Node, Role};
use crate::types::{NodeId, ReadId, Sequence};

impl<P: Clone> Node<P> {
    pub(crate) fn advance_leading(&mut self) {
        self.resolve();
        self.open_for_service();
        self.next_batch();
        self.acknowledge();
        self.answer_reads();
        self.trim();
        self.leave_when_done();
    }

    fn open_for_service(&mut self) {
        let Self { role: Role::Leading(leader), stored, .. } = self else { return };
        if !leader.is_open && stored.position.epoch == leader.epoch {
            leader.is_open = true;
        }
    }

    /// What is on this node's disk and in the stream, in order.
    fn acknowledge(&mut self) {
        let stored = self.stored.position.sequence;
        let unpublished = self.config.mutation.has(Mutation::AcknowledgeBeforeStream);
        let mut done = Vec::new();
        let Some(leader) = self.leading() else { return };
        let safe = if unpublished { stored } else { stored.min(leader.settled) };
        while let Some(batch) = leader.batches.pop_front_if(|batch| batch.sequence <= safe) {
            leader.acknowledged += batch.items;
            done.extend(batch.proposals);
        }
        self.out.extend(done.into_iter().map(|proposal| Action::Acknowledge { proposal }));
    }

    /// The program made a read; it may have seen everything that was accepted until now.
    pub(crate) fn read(&mut self, read: ReadId) {
        if !self.serves() {
            let refusal = self.not_leading();
            return self.out.push(Action::RefuseRead { read, refusal });
        }
        if let Some(leader) = self.leading() {
            leader.reads.push_back((leader.accepted, read));
        }
    }

    fn answer_reads(&mut self) {
        let lease = self.lease.is_held(self.now) || self.config.mutation.has(Mutation::ReadWithoutLease);
        let mut done = Vec::new();
        let Some(leader) = self.leading().filter(|_| lease) else { return };
        while let Some((_, read)) = leader.reads.pop_front_if(|(accepted, _)| *accepted <= leader.acknowledged) {
            done.push(read);
        }
        self.out.extend(done.into_iter().map(|read| Action::AnswerRead { read }));
    }

    pub(crate) fn reported(&mut self, node: NodeId, report: Report) {
        if !self.tip().members.contains_key(&node) {
            return;
        }
        if let Some(leader) = self.leading() {
            leader.reports.insert(node, report);
            self.join(node, report.formats);
        }
    }

    /// Removes what no member needs: everybody that does not lag too far can go back to a checkpoint of its own, so
    /// that the cluster survives the loss of all others.
    fn trim(&mut self) {
        let (keep, me) = (self.config.keep_entries, self.config.node);
        let Some(kept) = self.checkpoints.kept else { return };
        let members: Vec<NodeId> = self.stored.members.keys().copied().filter(|node| *node != me).collect();
        let Some(leader) = self.leading().filter(|leader| leader.is_open) else { return };
        let oldest = leader.settled.saturating_sub(keep);
        let needed = |node: &NodeId| {
            let checkpoint = leader.reports.get(node).and_then(|report| report.checkpoint);
            checkpoint.map_or(0, |at| at.sequence).max(oldest)
        };
        let before: Sequence = members.iter().map(needed).min().unwrap_or(kept.sequence).min(kept.sequence);
        if before > leader.trimmed + 1 {
            leader.trimmed = before;
            self.out.push(Action::Trim { before });
        }
    }

    pub(crate) fn step_down_gracefully(&mut self) {
        let by = self.now + self.config.drain;
        match &mut self.role {
            Role::Leading(leader) if leader.is_open => {
                leader.leaves_by.get_or_insert(by);
            }
            Role::Leading(_) | Role::Candidate { .. } => self.stop_leading(true),
            _ => {}
        }
        self.holds_off_until = self.now + self.config.hold_off;
    }

    fn leave_when_done(&mut self) {
        let now = self.now;
        let Some(leader) = self.leading() else { return };
        let Some(by) = leader.leaves_by else { return };
        let done = leader.queue.is_empty() && leader.publishing.is_none() && leader.batches.is_empty();
        if done || now >= by {
            self.stop_leading(true);
        }
    }

    /// Stops leading, or trying to. What is under way has an unknown end. `release` lets another node lead at once.
    pub(crate) fn stop_leading(&mut self, release: bool) {
        let tip = self.tip().position.sequence;
        let not_leading = self.not_leading();
        match std::mem::replace(&mut self.role, Role::Following) {
            Role::Candidate { epoch, .. } => self.lease.give_up(release.then_some(epoch)),
            Role::Leading(leader) => {
                self.lease.give_up(release.then_some(leader.epoch));
                for proposal in leader.batches.into_iter().flat_map(|batch| batch.proposals) {
                    self.refuse(Some(proposal), Refusal::Unknown);
                }
                for queued in leader.queue {
                    self.refuse(queued.proposal, not_leading);
                }
                for (_, read) in leader.reads {
                    self.out.push(Action::RefuseRead { read, refusal: not_leading });
                }
                // With nothing of its own that the stream may not have, the node follows at once.
                if leader.publishing.is_some() || leader.settled != tip {
                    self.check();
                }
            }
            other => self.role = other,
        }
    }
}
