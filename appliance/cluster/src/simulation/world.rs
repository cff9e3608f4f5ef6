//! Nodes, disks, broker and clients in simulated time: what happens next is taken from one queue, and every delay, loss
//! and fault from one seed.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use super::broker::{Broker, Request};
use super::clients::{Answer, Call, Client};
use super::faults::{Fault, Intensity};
use super::history::{Outcome, Record};
use super::random::Random;
use super::server::Server;
use crate::mutation::Mutation;
use crate::{Event, Item};

pub const NODES: usize = 3;
pub const GAMES: usize = 3;
const CLIENTS: usize = 4;
/// Faults happen until then; a while later everything has to have come to rest.
const FAULTS_END: u64 = 20_000;
const REST_BY: u64 = FAULTS_END + 60_000;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Command {
    pub game: usize,
    pub version: usize,
    pub id: u32,
}

/// What happens at some moment. `run` is the run of the node's process that it is meant for.
pub enum Happening {
    Tick {
        node: usize,
        run: u64,
    },
    AtBroker {
        node: usize,
        run: u64,
        request: Request,
    },
    AtNode {
        node: usize,
        run: u64,
        event: Event<Command>,
    },
    Sync {
        node: usize,
        run: u64,
    },
    Call {
        node: usize,
        call: Call,
    },
    Answer {
        client: usize,
        attempt: u64,
        answer: Answer,
    },
    /// The client's next step, unless it went on from that attempt.
    Client {
        client: usize,
        attempt: u64,
    },
    Operator,
    Fault,
    End(Fault),
}

pub struct World {
    pub now: u64,
    order: u64,
    queue: BinaryHeap<Reverse<(u64, u64)>>,
    happenings: BTreeMap<u64, Happening>,
    pub random: Random,
    pub intensity: Intensity,
    pub servers: Vec<Server>,
    pub broker: Broker,
    pub clients: Vec<Client>,
    pub records: Vec<Record>,
    pub commands: u32,
    pub reads: u32,
    pub mutation: Option<Mutation>,
}

/// One schedule from beginning to end.
pub fn run(seed: u64, mutation: Option<Mutation>) -> Outcome {
    let mut world = World::new(seed, mutation);
    let stuck = world.run();
    world.outcome(stuck)
}

impl World {
    fn new(seed: u64, mutation: Option<Mutation>) -> Self {
        let mut random = Random::new(seed);
        let intensity = Intensity::new(&mut random);
        let mut world = Self {
            now: 0,
            order: 0,
            queue: BinaryHeap::new(),
            happenings: BTreeMap::new(),
            broker: Broker::new(intensity.old_views),
            servers: (0..NODES).map(|node| Server::new(node, &mut random)).collect(),
            clients: (0..CLIENTS).map(|_| Client::default()).collect(),
            random,
            intensity,
            records: Vec::new(),
            commands: 0,
            reads: 0,
            mutation,
        };
        for node in 0..NODES {
            world.start(node);
        }
        for client in 0..CLIENTS {
            world.after(100, Happening::Client { client, attempt: 0 });
        }
        world.after(500, Happening::Operator);
        world.after(1_000, Happening::Fault);
        world
    }

    pub fn after(&mut self, delay: u64, happening: Happening) {
        self.order += 1;
        self.queue.push(Reverse((self.now + delay, self.order)));
        self.happenings.insert(self.order, happening);
    }

    pub fn is_healed(&self) -> bool {
        self.now >= FAULTS_END
    }

    /// Runs until everything is at rest; says what is not, if it takes too long.
    fn run(&mut self) -> Option<String> {
        while let Some(Reverse((at, order))) = self.queue.pop() {
            let healing = at >= FAULTS_END && !self.is_healed();
            self.now = at;
            if healing {
                self.heal();
            }
            let happening = self.happenings.remove(&order).expect("queued once");
            let rests = matches!(happening, Happening::Operator) && self.is_healed() && self.unrest().is_none();
            self.happen(happening);
            if rests {
                return None;
            }
            if at >= REST_BY {
                return self.unrest();
            }
        }
        unreachable!("an operator always comes again")
    }

    fn happen(&mut self, happening: Happening) {
        match happening {
            Happening::Tick { node, run } => {
                if self.servers[node].is_run(run) {
                    self.handle(node, Event::Tick);
                    self.after(100, Happening::Tick { node, run });
                }
            }
            Happening::AtBroker { node, run, request } => self.at_broker(node, run, request),
            Happening::AtNode { node, run, event } => {
                if self.servers[node].is_run(run) {
                    self.handle(node, event);
                }
            }
            Happening::Sync { node, run } => self.sync_ended(node, run),
            Happening::Call { node, call } => self.called(node, call),
            Happening::Answer { client, attempt, answer } => self.answered(client, attempt, answer),
            Happening::Client { client, attempt } => self.client_goes_on(client, attempt),
            Happening::Operator => self.operate(),
            Happening::Fault => self.fault(),
            Happening::End(fault) => self.end(fault),
        }
    }

    /// A message takes its time, gets lost or arrives twice.
    pub fn delays(&mut self) -> Vec<u64> {
        let Intensity { loss, repetition, delay, .. } = self.intensity;
        if self.random.percent(loss) {
            return Vec::new();
        }
        let copies = if self.random.percent(repetition) { 2 } else { 1 };
        (0..copies)
            .map(|_| match self.random.percent(delay) {
                true => self.random.range(50, 4_000),
                false => self.random.range(1, 4),
            })
            .collect()
    }

    pub fn send_to_broker(&mut self, node: usize, request: Request) {
        if self.servers[node].is_cut_off {
            return;
        }
        let run = self.servers[node].run;
        for delay in self.delays() {
            self.after(delay, Happening::AtBroker { node, run, request: request.clone() });
        }
    }

    fn at_broker(&mut self, node: usize, run: u64, request: Request) {
        if let Some(answer) = self.broker.carry_out(request, &mut self.random) {
            self.deliver(node, run, answer);
        }
    }

    /// Sends an event to a node, over NATS.
    pub fn deliver(&mut self, node: usize, run: u64, event: Event<Command>) {
        if self.servers[node].is_cut_off {
            return;
        }
        for delay in self.delays() {
            self.after(delay, Happening::AtNode { node, run, event: event.clone() });
        }
    }

    /// What is not at rest.
    fn unrest(&self) -> Option<String> {
        let last = self.broker.last();
        if !self.servers.iter().any(Server::leads) {
            return Some("nobody leads".into());
        }
        if let Some(client) = self.clients.iter().position(|client| client.is_busy()) {
            return Some(format!("client {client} waits"));
        }
        for (node, server) in self.servers.iter().enumerate() {
            let state = server.disk.durable.as_ref().map(|content| &content.state);
            if state.is_none_or(|state| state.position.sequence != last) {
                return Some(format!("node {node} has {state:?} of {last}, {:?}", server.status()));
            }
        }
        None
    }

    fn outcome(self, stuck: Option<String>) -> Outcome {
        let commits = self.broker.entries.iter().flat_map(|entry| &entry.items).filter_map(|item| match item {
            Item::Commit(payload) => Some((payload.game, payload.version, payload.id)),
            _ => None,
        });
        let stores = self.servers.iter().filter_map(|server| server.disk.durable.as_ref());
        Outcome {
            log: commits.collect(),
            stores: stores.map(|content| (content.commands, content.digest)).collect(),
            records: self.records,
            stuck,
        }
    }
}
