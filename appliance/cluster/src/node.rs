//! One node: its events, its standing, and what it does by itself as time passes.

use std::collections::VecDeque;

use crate::config::Config;
use crate::event::{Action, Blocked, CheckpointSource, Event, Refusal, Report, Standing, Status};
use crate::follower::StreamWatch;
use crate::leader::Leader;
use crate::lease::LeaseWatch;
use crate::state::State;
use crate::types::{Entry, Epoch, Item, Millis, NodeId, Position, ProposalId, RequestId, Sequence};

/// A node of the cluster, without its network, disk and clock.
#[derive(Debug)]
pub struct Node<P> {
    pub(crate) config: Config,
    pub(crate) now: Millis,
    requests: u64,
    pub(crate) out: Vec<Action<P>>,
    /// As of the last entry on disk.
    pub(crate) stored: State,
    /// As of each entry that was handed to the store and is not on disk.
    pub(crate) storing: VecDeque<State>,
    pub(crate) role: Role<P>,
    pub(crate) lease: LeaseWatch,
    pub(crate) stream: StreamWatch,
    pub(crate) checkpoints: Checkpoints,
    /// The node does not lead before this.
    pub(crate) holds_off_until: Millis,
    pub(crate) blocked: Option<Blocked>,
    next_report: Millis,
    announced: Option<Standing>,
}

#[derive(Debug)]
pub(crate) enum Role<P> {
    Checking { since: Millis },
    Restoring { source: CheckpointSource, asked: bool, not_before: Millis },
    Following,
    Candidate { epoch: Epoch, since: Millis },
    Leading(Box<Leader<P>>),
}

#[derive(Debug, Default)]
pub(crate) struct Checkpoints {
    /// The newest that the stream confirms: the node can go back to it.
    pub(crate) kept: Option<Position>,
    /// Taken, but maybe of entries that the stream will not have.
    pub(crate) unconfirmed: Option<Position>,
    pub(crate) being_taken: bool,
    pub(crate) not_before: Millis,
}

impl<P: Clone> Node<P> {
    /// A node as it starts, with what its store says: its state, `None` while the store belongs to no cluster, and the
    /// checkpoint that it kept. The founder of a cluster starts with the default state and a checkpoint of it.
    pub fn start(config: Config, now: Millis, state: Option<State>, kept: Option<Position>) -> Self {
        let role = match state {
            Some(_) => Role::Checking { since: now },
            None => Role::Restoring { source: CheckpointSource::Peer, asked: false, not_before: now },
        };
        Self {
            config,
            now,
            requests: 0,
            out: Vec::new(),
            stored: state.unwrap_or_default(),
            storing: VecDeque::new(),
            role,
            lease: LeaseWatch::default(),
            stream: StreamWatch::default(),
            checkpoints: Checkpoints { kept, ..Checkpoints::default() },
            holds_off_until: now,
            blocked: None,
            next_report: now,
            announced: None,
        }
    }

    /// Does not lead before this, whatever happens: an earlier run of the node stepped down, or could not lead.
    pub fn hold_off(&mut self, until: Millis) {
        self.holds_off_until = self.holds_off_until.max(until);
    }

    /// Takes in what happened, and returns what has to be done. `now` never goes back.
    pub fn handle(&mut self, now: Millis, event: Event<P>) -> Vec<Action<P>> {
        self.now = self.now.max(now);
        self.take_in(event);
        self.advance_lease();
        self.advance_following();
        self.advance_leading();
        self.advance_checkpoints();
        self.report();
        self.announce();
        std::mem::take(&mut self.out)
    }

    fn take_in(&mut self, event: Event<P>) {
        match event {
            Event::Tick => {}
            Event::LeaseRead { request, revision, lease } => self.lease_read(request, revision, lease),
            Event::LeaseWritten { request, revision } => self.lease_written(request, revision),
            Event::LeaseConflict { request } => self.lease_conflict(request),
            Event::Published { request } => self.published(request),
            Event::PublishRefused { request } => self.publish_refused(request),
            Event::Fetched { request, first, last, entries } => self.fetched(request, first, last, entries),
            Event::Stored { position } => self.entry_stored(position),
            Event::StoreFailed { position } => self.store_failed(position),
            Event::CheckpointTaken { position } => self.checkpoint_taken(position),
            Event::CheckpointFailed => self.checkpoint_failed(),
            Event::Installed { state } => self.installed(state),
            Event::InstallFailed => self.install_failed(),
            Event::Propose { proposal, payload, bytes } => {
                self.propose(Some(proposal), Item::Commit(payload), bytes);
            }
            Event::Read { read } => self.read(read),
            Event::Reported { node, report } => self.reported(node, report),
            Event::Join { node, formats } => self.join(node, formats),
            Event::Leave { node } => self.control(Item::Left(node)),
            Event::Raise { format } => self.raise(format),
            Event::StepDown => self.step_down_gracefully(),
        }
    }

    pub fn standing(&self) -> Standing {
        match &self.role {
            Role::Checking { .. } => Standing::Checking,
            Role::Restoring { .. } => Standing::Restoring,
            Role::Following => Standing::Following,
            Role::Candidate { epoch, .. } => Standing::Opening { epoch: *epoch },
            Role::Leading(leader) if leader.is_open => Standing::Leading { epoch: leader.epoch },
            Role::Leading(leader) => Standing::Opening { epoch: leader.epoch },
        }
    }

    pub fn status(&self) -> Status {
        let leading = matches!(self.standing(), Standing::Leading { .. });
        Status {
            standing: self.standing(),
            leader: self.leader(),
            stored: self.stored.position,
            last: self.stream.last.max(self.tip().position.sequence),
            suspended: leading && !self.lease.is_held(self.now),
            blocked: self.blocked,
            waiting: match &self.role {
                Role::Leading(leader) => leader.waiting(),
                _ => 0,
            },
            now: self.now,
        }
    }

    /// What is replicated, as of the last entry on this node's disk.
    pub fn state(&self) -> &State {
        &self.stored
    }

    /// Who leads, as far as this node knows.
    pub fn leader(&self) -> Option<NodeId> {
        self.lease.value.holder
    }

    /// As of the last entry that was handed to the store.
    pub(crate) fn tip(&self) -> &State {
        self.storing.back().unwrap_or(&self.stored)
    }

    pub(crate) fn next_request(&mut self) -> RequestId {
        self.requests += 1;
        RequestId(self.requests)
    }

    pub(crate) fn refuse(&mut self, proposal: Option<ProposalId>, refusal: Refusal) {
        if let Some(proposal) = proposal {
            self.out.push(Action::Refuse { proposal, refusal });
        }
    }

    pub(crate) fn store(&mut self, entry: Entry<P>) {
        let mut state = self.tip().clone();
        state.apply(&entry);
        self.storing.push_back(state.clone());
        self.out.push(Action::Store { entry, state });
    }

    fn entry_stored(&mut self, position: Position) {
        if self.storing.front().is_some_and(|state| state.position == position) {
            self.stored = self.storing.pop_front().expect("it was just looked at");
        }
    }

    fn store_failed(&mut self, position: Position) {
        if !self.storing.iter().any(|state| state.position == position) {
            return;
        }
        while self.storing.back().is_some_and(|state| state.position.sequence >= position.sequence) {
            self.storing.pop_back();
        }
        self.holds_off_until = self.now + self.config.hold_off;
        self.stream.not_before = self.now + self.config.pause;
        if matches!(self.role, Role::Leading(_) | Role::Candidate { .. }) {
            self.stop_leading(true);
        }
    }

    /// Whatever the node has is compared with the stream before anything else.
    pub(crate) fn check(&mut self) {
        self.role = Role::Checking { since: self.now };
        self.stream.forget_fetch();
    }

    /// Everything up to here is in the stream and was not put there by somebody who may still be refused.
    pub(crate) fn confirmed(&self) -> Sequence {
        match &self.role {
            Role::Checking { .. } | Role::Restoring { .. } => 0,
            Role::Following | Role::Candidate { .. } => self.tip().position.sequence,
            Role::Leading(leader) => leader.settled,
        }
    }

    fn checkpoint_taken(&mut self, position: Position) {
        self.checkpoints.being_taken = false;
        // What is being checked or replaced may never be confirmed.
        if !matches!(self.role, Role::Checking { .. } | Role::Restoring { .. }) {
            self.checkpoints.unconfirmed = Some(position);
        }
    }

    fn checkpoint_failed(&mut self) {
        self.checkpoints.being_taken = false;
        self.checkpoints.not_before = self.now + self.config.hold_off;
    }

    fn advance_checkpoints(&mut self) {
        if matches!(self.role, Role::Checking { .. } | Role::Restoring { .. }) {
            self.checkpoints.unconfirmed = None;
            return;
        }
        if let Some(position) = self.checkpoints.unconfirmed.filter(|at| at.sequence <= self.confirmed()) {
            self.checkpoints.unconfirmed = None;
            self.checkpoints.kept = Some(position);
            self.out.push(Action::KeepCheckpoint { position });
        }
        let last = self.checkpoints.kept.map(|kept| kept.sequence);
        let due = last.is_none_or(|last| self.stored.position.sequence >= last + self.config.checkpoint_every);
        let busy = self.checkpoints.being_taken || self.checkpoints.unconfirmed.is_some();
        if due && !busy && self.now >= self.checkpoints.not_before {
            self.checkpoints.being_taken = true;
            self.out.push(Action::TakeCheckpoint);
        }
    }

    fn report(&mut self) {
        if !matches!(self.role, Role::Following) || self.now < self.next_report {
            return;
        }
        let Some(to) = self.leader().filter(|leader| *leader != self.config.node) else { return };
        self.next_report = self.now + self.config.renew_every;
        let report = Report {
            stored: self.stored.position.sequence,
            checkpoint: self.checkpoints.kept,
            formats: self.config.formats,
        };
        self.out.push(Action::Report { to, report });
    }

    fn announce(&mut self) {
        let standing = self.standing();
        if self.announced != Some(standing) {
            self.announced = Some(standing);
            self.out.push(Action::Changed { standing });
        }
    }
}
