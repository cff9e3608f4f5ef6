//! A leader's way from a proposal to the stream: one batch at a time, and never a guess what became of it.
//!
//! One at a time, because a sequence number names a place and not what stands before it: with two publishes under way
//! the second can find its place behind another leader's entry that took the first one's.

use std::collections::{BTreeMap, VecDeque};

use crate::event::{Action, Refusal, Report};
use crate::mutation::Mutation;
use crate::node::{Node, Role};
use crate::types::{
    Entry, Epoch, Format, Formats, Item, Millis, NodeId, Position, ProposalId, ReadId, RequestId, Sequence,
};

/// What counts for the size of an item that is no commit.
const CONTROL_BYTES: usize = 64;

#[derive(Debug)]
pub(crate) struct Leader<P> {
    pub(crate) epoch: Epoch,
    /// The epoch's first entry is in the stream and on this node's disk.
    pub(crate) is_open: bool,
    /// Up to here the stream has this node's entries.
    pub(crate) settled: Sequence,
    pub(crate) queue: VecDeque<Queued<P>>,
    pub(crate) publishing: Option<Publishing<P>>,
    pub(crate) batches: VecDeque<Batch>,
    /// Items that were taken into the queue, and how many of them are acknowledged.
    pub(crate) accepted: u64,
    pub(crate) acknowledged: u64,
    /// Each with the number of items that have to be acknowledged before it.
    pub(crate) reads: VecDeque<(u64, ReadId)>,
    pub(crate) reports: BTreeMap<NodeId, Report>,
    pub(crate) trimmed: Sequence,
    /// No longer leads after this, or once nothing is under way.
    pub(crate) leaves_by: Option<Millis>,
}

#[derive(Debug)]
pub(crate) struct Queued<P> {
    pub(crate) proposal: Option<ProposalId>,
    item: Item<P>,
    bytes: usize,
}

/// What a batch on its way holds.
#[derive(Debug)]
pub(crate) struct Batch {
    pub(crate) sequence: Sequence,
    pub(crate) items: u64,
    pub(crate) proposals: Vec<ProposalId>,
}

#[derive(Debug)]
pub(crate) struct Publishing<P> {
    entry: Entry<P>,
    request: RequestId,
    sent: Millis,
    phase: Phase,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Phase {
    Sent,
    /// Refused or without an answer.
    Unclear,
    ReadingBack {
        request: RequestId,
        sent: Millis,
    },
}

impl<P> Leader<P> {
    fn new(epoch: Epoch, settled: Sequence) -> Self {
        Self {
            epoch,
            is_open: false,
            settled,
            queue: VecDeque::new(),
            publishing: None,
            batches: VecDeque::new(),
            accepted: 0,
            acknowledged: 0,
            reads: VecDeque::new(),
            reports: BTreeMap::new(),
            trimmed: 0,
            leaves_by: None,
        }
    }

    pub(crate) fn waiting(&self) -> usize {
        self.queue.len() + self.batches.iter().map(|batch| batch.proposals.len()).sum::<usize>()
    }

    /// As many queued items as one entry may have.
    fn next_batch(&mut self, sequence: Sequence, proposals: usize, bytes: usize) -> (Batch, Vec<Item<P>>) {
        let mut batch = Batch { sequence, items: 0, proposals: Vec::new() };
        let (mut items, mut size) = (Vec::new(), 0);
        while let Some(queued) =
            self.queue.pop_front_if(|next| items.is_empty() || (items.len() < proposals && size + next.bytes <= bytes))
        {
            size += queued.bytes;
            batch.proposals.extend(queued.proposal);
            items.push(queued.item);
        }
        batch.items = items.len() as u64;
        (batch, items)
    }
}

impl<P: Clone> Node<P> {
    pub(crate) fn leading(&mut self) -> Option<&mut Leader<P>> {
        match &mut self.role {
            Role::Leading(leader) => Some(leader),
            _ => None,
        }
    }

    /// Begins an epoch. Its first entry is stored only when the stream has it: if an old leader's last entry comes in
    /// between, there is nothing to undo.
    pub(crate) fn open(&mut self, epoch: Epoch) {
        let tip = self.tip();
        let position = Position { sequence: tip.position.sequence + 1, epoch };
        let opened = Item::Opened { node: self.config.node, formats: self.config.formats };
        let entry = Entry { position, format: tip.format, items: vec![opened] };
        self.role = Role::Leading(Box::new(Leader::new(epoch, position.sequence - 1)));
        self.publish(entry);
    }

    /// Whether proposals and reads are taken.
    pub(crate) fn serves(&self) -> bool {
        let may = self.lease.is_held(self.now) || self.config.mutation.has(Mutation::ReadWithoutLease);
        matches!(&self.role, Role::Leading(leader) if leader.is_open && leader.leaves_by.is_none() && may)
    }

    pub(crate) fn not_leading(&self) -> Refusal {
        Refusal::NotLeading { leader: self.leader().filter(|leader| *leader != self.config.node) }
    }

    pub(crate) fn propose(&mut self, proposal: Option<ProposalId>, item: Item<P>, bytes: usize) {
        if !self.serves() {
            let refusal = self.not_leading();
            return self.refuse(proposal, refusal);
        }
        let limit = self.config.queue_proposals;
        let Some(leader) = self.leading() else { return };
        if proposal.is_some() && leader.queue.len() >= limit {
            return self.refuse(proposal, Refusal::Full);
        }
        leader.accepted += 1;
        leader.queue.push_back(Queued { proposal, item, bytes });
    }

    pub(crate) fn control(&mut self, item: Item<P>) {
        self.propose(None, item, CONTROL_BYTES);
    }

    pub(crate) fn raise(&mut self, format: Format) {
        if self.config.formats.contain(format) && self.tip().can_raise_to(format) {
            self.control(Item::Raised(format));
        }
    }

    pub(crate) fn join(&mut self, node: NodeId, formats: Formats) {
        let tip = self.tip();
        if tip.members.get(&node) != Some(&formats) && formats.contain(tip.format) {
            self.control(Item::Joined { node, formats });
        }
    }

    /// Hands the next batch to the stream and to the store at once; neither waits for the other.
    pub(crate) fn next_batch(&mut self) {
        let (storing, held) = (self.storing.len(), self.lease.is_held(self.now));
        let (proposals, bytes) = (self.config.batch_proposals, self.config.batch_bytes);
        let pipeline = self.config.mutation.has(Mutation::Pipeline);
        let (position, format) = (self.tip().position, self.tip().format);
        let room = storing < self.config.storing;
        let Some(leader) = self.leading() else { return };
        let ready = leader.is_open && room && held;
        if !ready || leader.queue.is_empty() || (leader.publishing.is_some() && !pipeline) {
            return;
        }
        let position = Position { sequence: position.sequence + 1, epoch: leader.epoch };
        let (batch, items) = leader.next_batch(position.sequence, proposals, bytes);
        leader.batches.push_back(batch);
        let entry = Entry { position, format, items };
        self.store(entry.clone());
        self.publish(entry);
    }

    fn publish(&mut self, entry: Entry<P>) {
        let unfenced = self.config.mutation.has(Mutation::NoFencing) && self.is_serving_epoch();
        let expected = if unfenced { Sequence::MAX } else { entry.position.sequence - 1 };
        self.publish_expecting(expected, entry);
    }

    fn publish_expecting(&mut self, expected: Sequence, entry: Entry<P>) {
        let request = self.next_request();
        let sent = self.now;
        self.out.push(Action::Publish { request, expected, entry: entry.clone() });
        if let Some(leader) = self.leading() {
            leader.publishing = Some(Publishing { entry, request, sent, phase: Phase::Sent });
        }
    }

    fn is_serving_epoch(&self) -> bool {
        matches!(&self.role, Role::Leading(leader) if leader.is_open)
    }

    pub(crate) fn published(&mut self, request: RequestId) {
        // Also while it is being read back: an answer that comes late is as good.
        if self.publishing().is_some_and(|publishing| publishing.request == request) {
            self.settle();
        }
    }

    pub(crate) fn publish_refused(&mut self, id: RequestId) {
        if let Some(publishing) = self.publishing()
            && publishing.request == id
            && publishing.phase == Phase::Sent
        {
            publishing.phase = Phase::Unclear;
        }
    }

    fn publishing(&mut self) -> Option<&mut Publishing<P>> {
        self.leading()?.publishing.as_mut()
    }

    /// The stream has the entry under way.
    fn settle(&mut self) {
        let Some(leader) = self.leading() else { return };
        let Some(publishing) = leader.publishing.take() else { return };
        leader.settled = publishing.entry.position.sequence;
        if !leader.is_open {
            self.store(publishing.entry);
        }
    }

    /// Moves a publish on that was refused or has no answer.
    pub(crate) fn resolve(&mut self) {
        let (now, timeout, pause) = (self.now, self.config.reply_timeout, self.config.pause);
        let blindly = self.config.mutation.has(Mutation::RetryBlindly) && self.is_serving_epoch();
        let Some(publishing) = self.publishing() else { return };
        match publishing.phase {
            Phase::Sent if now >= publishing.sent + timeout => {
                if blindly {
                    let entry = publishing.entry.clone();
                    return self.publish_expecting(Sequence::MAX, entry);
                }
                publishing.phase = Phase::Unclear;
            }
            Phase::ReadingBack { sent, .. } if now >= sent + timeout => publishing.phase = Phase::Unclear,
            _ => {}
        }
        if publishing.phase != Phase::Unclear || now < publishing.sent + pause {
            return;
        }
        let from = publishing.entry.position.sequence;
        let request = self.next_request();
        self.out.push(Action::Fetch { request, from, limit: 1 });
        if let Some(publishing) = self.publishing() {
            publishing.phase = Phase::ReadingBack { request, sent: now };
        }
    }

    /// What the stream has at the place of the entry under way.
    pub(crate) fn read_back(&mut self, id: RequestId, first: Sequence, entries: Vec<Entry<P>>) {
        let Some(publishing) = self.publishing() else { return };
        if !matches!(publishing.phase, Phase::ReadingBack { request, .. } if request == id) {
            return;
        }
        let position = publishing.entry.position;
        match entries.iter().find(|entry| entry.position.sequence == position.sequence) {
            Some(found) if found.position == position => self.settle(),
            // Not there yet. An earlier attempt may still arrive: this one has the same place, so one of them is refused.
            None if first <= position.sequence => {
                let entry = publishing.entry.clone();
                self.publish(entry);
            }
            _ => self.lost_place(),
        }
    }

    /// The place has another leader's entry, and none of this node's attempts can follow any more.
    fn lost_place(&mut self) {
        match &self.role {
            // The last entry of the leader before: it is read, and the epoch opened behind it.
            Role::Leading(leader) if !leader.is_open => {
                self.role = Role::Candidate { epoch: leader.epoch, since: self.now };
                self.stream.fetch_now(self.now);
            }
            _ => self.stop_leading(true),
        }
    }
}
