//! A server around a node: carries its actions out, and is the program whose commands it replicates.

use std::collections::BTreeMap;

use super::broker::Request;
use super::clients::{Answer, Call, Wish};
use super::disk::{Content, Disk};
use super::history::Record;
use super::random::Random;
use super::world::{Command, Happening, NODES, World};
use crate::{
    Action, CheckpointSource, Config, Event, Formats, Node, NodeId, ProposalId, ReadId, Refusal, Report, Standing,
    Status,
};

pub struct Server {
    pub number: usize,
    /// Counts the starts of the process.
    pub run: u64,
    node: Option<Node<Command>>,
    pub disk: Disk,
    pub is_paused: bool,
    /// What waits for a paused process.
    inbox: Vec<Happening>,
    pub is_cut_off: bool,
    pub newest_format: u16,
    clock_offset: u64,
    clock_permille: u64,
    /// The games with everything that was proposed, acknowledged or not.
    working: Vec<Vec<u32>>,
    proposals: BTreeMap<ProposalId, (Call, Command)>,
    reads: BTreeMap<ReadId, (Call, Seen)>,
    waiting: u64,
}

/// What a call found in the games, to be told once it is acknowledged.
#[derive(Clone, Copy)]
pub struct Seen {
    /// The call's own command had been made already.
    done: Option<Command>,
    read: u32,
    game: usize,
    length: usize,
    last: Option<u32>,
}

impl Server {
    pub fn new(number: usize, random: &mut Random) -> Self {
        Self {
            number,
            run: 0,
            node: None,
            // The first node has founded the cluster.
            disk: Disk::new((number == 0).then(Content::empty)),
            is_paused: false,
            inbox: Vec::new(),
            is_cut_off: false,
            newest_format: 1,
            clock_offset: random.range(0, 1_000_000),
            // At most 8 permille apart; nodes allow for 10.
            clock_permille: random.range(996, 1_005),
            working: Vec::new(),
            proposals: BTreeMap::new(),
            reads: BTreeMap::new(),
            waiting: 0,
        }
    }

    pub fn is_run(&self, run: u64) -> bool {
        self.node.is_some() && self.run == run
    }

    pub fn is_up(&self) -> bool {
        self.node.is_some() && !self.is_paused
    }

    pub fn status(&self) -> Option<Status> {
        self.node.as_ref().map(Node::status)
    }

    pub fn leads(&self) -> bool {
        self.status().is_some_and(|status| matches!(status.standing, Standing::Leading { .. }) && !status.suspended)
    }

    pub fn formats(&self) -> Formats {
        Formats { oldest: 0, newest: self.newest_format }
    }

    pub fn is_member(&self, node: usize) -> bool {
        self.node.as_ref().is_some_and(|own| own.state().members.contains_key(&NodeId(node as u32)))
    }

    fn clock(&self, now: u64) -> u64 {
        self.clock_offset + now * self.clock_permille / 1_000
    }

    fn leadership(&self) -> u64 {
        match self.node.as_ref().map(Node::standing) {
            Some(Standing::Leading { epoch }) => epoch.0 * NODES as u64 + self.number as u64,
            _ => u64::MAX,
        }
    }
}

impl World {
    pub fn start(&mut self, node: usize) {
        let (now, mutation) = (self.now, self.mutation);
        let server = &mut self.servers[node];
        server.run += 1;
        let (id, formats, run) = (NodeId(node as u32), server.formats(), server.run);
        let mut config = Config {
            hold_off: 3_000,
            queue_proposals: 8,
            batch_proposals: 3,
            storing: 3,
            fetch_entries: 8,
            checkpoint_every: 6,
            keep_entries: 20,
            ..Config::new(id, run, formats)
        };
        config.mutation.only = mutation;
        let state = server.disk.durable.as_ref().map(|content| content.state.clone());
        let kept = server.disk.kept.as_ref().map(|content| content.state.position);
        server.node = Some(Node::start(config, server.clock(now), state, kept));
        server.proposals.clear();
        server.reads.clear();
        self.after(1, Happening::Tick { node, run });
    }

    pub fn crash(&mut self, node: usize) {
        let server = &mut self.servers[node];
        server.node = None;
        server.is_paused = false;
        server.inbox.clear();
        server.disk.crash(&mut self.random);
    }

    pub fn resume(&mut self, node: usize) {
        self.servers[node].is_paused = false;
        for happening in std::mem::take(&mut self.servers[node].inbox) {
            self.after(0, happening);
        }
    }

    /// Gives a node an event, and carries out what it makes of it.
    pub fn handle(&mut self, node: usize, event: Event<Command>) {
        let now = self.now;
        let server = &mut self.servers[node];
        if server.is_paused {
            let run = server.run;
            server.inbox.push(Happening::AtNode { node, run, event });
            return;
        }
        let clock = server.clock(now);
        let Some(own) = server.node.as_mut() else { return };
        for action in own.handle(clock, event) {
            self.carry_out(node, action);
        }
    }

    fn carry_out(&mut self, node: usize, action: Action<Command>) {
        let run = self.servers[node].run;
        match action {
            Action::ReadLease { request } => self.send_to_broker(node, Request::ReadLease { request }),
            Action::WriteLease { request, expected, lease } => {
                self.send_to_broker(node, Request::WriteLease { request, expected, lease });
            }
            Action::Publish { request, expected, entry } => {
                self.send_to_broker(node, Request::Publish { request, expected, entry });
            }
            Action::Fetch { request, from, limit } => {
                self.send_to_broker(node, Request::Fetch { request, from, limit });
            }
            Action::Trim { before } => self.send_to_broker(node, Request::Trim { before }),
            Action::Store { entry, state } => {
                if self.servers[node].disk.begin(entry, state) {
                    self.begin_sync(node);
                }
            }
            Action::TakeCheckpoint => {
                if let Some(position) = self.servers[node].disk.take_checkpoint() {
                    self.after(5, Happening::AtNode { node, run, event: Event::CheckpointTaken { position } });
                }
            }
            Action::KeepCheckpoint { position } => self.servers[node].disk.keep_checkpoint(position),
            Action::Install { source } => self.install(node, source),
            Action::Acknowledge { proposal } => self.acknowledge(node, proposal),
            Action::Refuse { proposal, refusal } => {
                if let Some((call, _)) = self.servers[node].proposals.remove(&proposal) {
                    self.answer(call, refused(refusal));
                }
            }
            Action::AnswerRead { read } => self.answer_read(node, read),
            Action::RefuseRead { read, refusal } => {
                if let Some((call, _)) = self.servers[node].reads.remove(&read) {
                    self.answer(call, refused(refusal));
                }
            }
            Action::Report { to, report } => self.tell(node, to, report),
            Action::Changed { standing: Standing::Leading { .. } } => {
                self.servers[node].load();
                self.records.push(Record::Led { leadership: self.servers[node].leadership() });
            }
            Action::Changed { .. } => {}
        }
    }

    fn begin_sync(&mut self, node: usize) {
        let run = self.servers[node].run;
        let took = self.random.range(1, self.servers[node].disk.sync);
        self.after(took, Happening::Sync { node, run });
    }

    /// A disk goes on while the process is paused.
    pub fn sync_ended(&mut self, node: usize, run: u64) {
        let server = &mut self.servers[node];
        if !server.is_run(run) {
            return;
        }
        let Some((result, again)) = server.disk.end_sync() else { return };
        if again {
            self.begin_sync(node);
        }
        let event = match result {
            Ok(position) => Event::Stored { position },
            Err(position) => Event::StoreFailed { position },
        };
        self.handle(node, event);
        let server = &self.servers[node];
        let follows = server.status().is_some_and(|status| status.standing == Standing::Following);
        if let Some(content) = server.disk.durable.as_ref().filter(|_| follows && !server.is_paused) {
            self.records.push(Record::Followed { node, commands: content.commands, digest: content.digest });
        }
    }

    fn install(&mut self, node: usize, source: CheckpointSource) {
        let reachable = |server: &&Server| server.number != node && server.is_up() && !server.is_cut_off;
        let checkpoint = match source {
            CheckpointSource::Own => self.servers[node].disk.kept.clone(),
            CheckpointSource::Peer if self.servers[node].is_cut_off => None,
            // The one that is furthest.
            CheckpointSource::Peer => (self.servers.iter().filter(reachable))
                .filter_map(|server| server.disk.kept.clone())
                .max_by_key(|content| content.state.position.sequence),
        };
        let event = match checkpoint {
            Some(content) => {
                let state = content.state.clone();
                self.servers[node].disk.install(content);
                self.records.push(Record::Restored);
                Event::Installed { state }
            }
            None => Event::InstallFailed,
        };
        let (run, took) = (self.servers[node].run, self.random.range(5, 500));
        self.after(took, Happening::AtNode { node, run, event });
    }

    fn tell(&mut self, node: usize, to: NodeId, report: Report) {
        let to = to.0 as usize;
        if !self.servers[node].is_cut_off {
            let run = self.servers[to].run;
            self.deliver(to, run, Event::Reported { node: NodeId(node as u32), report });
        }
    }

    /// A client's call reaches a node.
    pub fn called(&mut self, node: usize, call: Call) {
        let server = &mut self.servers[node];
        if server.is_paused {
            server.inbox.push(Happening::Call { node, call });
            return;
        }
        let Some(own) = server.node.as_ref() else { return };
        if !matches!(own.standing(), Standing::Leading { .. }) {
            let leader = own.leader().map(|leader| leader.0 as usize);
            return self.answer(call, Answer::Elsewhere { leader });
        }
        server.waiting += 1;
        let number = server.waiting;
        let game = &server.working[call.game()];
        if let Wish::Command(command) = call.wish
            && game.len() == command.version
        {
            let proposal = ProposalId(number);
            server.proposals.insert(proposal, (call, command));
            self.handle(node, Event::Propose { proposal, payload: command, bytes: 40 });
            let server = &mut self.servers[node];
            // Otherwise it was refused.
            if server.proposals.contains_key(&proposal) {
                server.working[command.game].push(command.id);
            }
            return;
        }
        let done = match call.wish {
            Wish::Command(command) if game.get(command.version) == Some(&command.id) => Some(command),
            _ => None,
        };
        let seen = Seen { done, read: self.reads, game: call.game(), length: game.len(), last: game.last().copied() };
        server.reads.insert(ReadId(number), (call, seen));
        self.reads += 1;
        self.records.push(Record::Asked { read: seen.read, game: seen.game });
        self.handle(node, Event::Read { read: ReadId(number) });
    }

    fn acknowledge(&mut self, node: usize, proposal: ProposalId) {
        let leadership = self.servers[node].leadership();
        if let Some((call, command)) = self.servers[node].proposals.remove(&proposal) {
            self.record_acknowledgement(leadership, command, false);
            self.answer(call, Answer::Done);
        }
    }

    fn record_acknowledgement(&mut self, leadership: u64, command: Command, again: bool) {
        let Command { game, version, id } = command;
        self.records.push(Record::Acknowledged { leadership, game, version, command: id, again });
    }

    fn answer_read(&mut self, node: usize, read: ReadId) {
        let leadership = self.servers[node].leadership();
        let Some((call, seen)) = self.servers[node].reads.remove(&read) else { return };
        let Seen { done, read, game, length, last } = seen;
        self.records.push(Record::Answered { read, game, length, last });
        if let Some(command) = done {
            self.record_acknowledgement(leadership, command, true);
            return self.answer(call, Answer::Done);
        }
        self.answer(call, Answer::Seen { length });
    }

    fn answer(&mut self, call: Call, answer: Answer) {
        for delay in self.delays() {
            self.after(delay, Happening::Answer { client: call.client, attempt: call.attempt, answer });
        }
    }
}

impl Server {
    /// A new leader begins with what is on its disk, which is all there is.
    fn load(&mut self) {
        self.working = self.disk.durable.as_ref().map(|content| content.games.clone()).unwrap_or_default();
    }
}

fn refused(refusal: Refusal) -> Answer {
    match refusal {
        Refusal::NotLeading { leader } => Answer::Elsewhere { leader: leader.map(|leader| leader.0 as usize) },
        Refusal::Full | Refusal::Unknown => Answer::Elsewhere { leader: None },
    }
}
