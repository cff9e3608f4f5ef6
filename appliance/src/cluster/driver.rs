//! The driver of the protocol: tells it what happened, and carries out what it decides.

use std::{
    collections::HashMap,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use morpion_cluster::{
    Action, Entry, Epoch, Event, Item, Millis, Node, ProposalId, ReadId, Refusal, Standing, State, Status,
};
use morpion_engine::{Changes, CommitLog};
use tokio::{
    sync::{mpsc, oneshot, watch},
    time::{Instant, MissedTickBehavior, interval, timeout},
};

use super::{
    elapsed,
    nats::{LeaseWrite, Nats, Publish},
    storage::Job,
    wire,
};

/// The protocol wants a tick at least every 100 ms.
const TICK: Duration = Duration::from_millis(50);

/// What is taken in before the status is published again.
const AT_ONCE: usize = 256;

/// A commit waits this long for a leader that cannot renew its lease.
const ADMIT_WITHIN: Duration = Duration::from_secs(5);

/// What goes into the driver.
#[derive(Debug)]
pub enum Input {
    Event(Event<Changes>),
    /// A commit that was made in the engine.
    Propose {
        changes: Changes,
        done: oneshot::Sender<()>,
    },
    /// A read was made; may it be answered?
    Read {
        done: oneshot::Sender<()>,
    },
    /// The store of this node may have something else than the stream.
    Broken,
}

/// What others see of a node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NodeView {
    pub status: Status,
    pub state: State,
    /// This node led and leads no longer, or its store may have something else than the stream: the process starts anew.
    pub is_over: bool,
    /// Since when the leader cannot renew its lease.
    pub suspended_since: Option<Instant>,
}

/// The way to the driver. Cheap to clone.
#[derive(Debug, Clone)]
pub struct DriverHandle {
    inputs: mpsc::UnboundedSender<Input>,
    view: watch::Receiver<NodeView>,
    /// Commits that were handed over.
    appended: Arc<AtomicU64>,
}

impl DriverHandle {
    pub fn view(&self) -> watch::Receiver<NodeView> {
        self.view.clone()
    }

    pub fn tell(&self, event: Event<Changes>) {
        // Without a driver the process ends.
        let _ = self.inputs.send(Input::Event(event));
    }

    /// Resolves once every commit that was handed over until now is acknowledged, and this node still leads: then what was
    /// read may be answered. False if the node does not lead, or cannot tell.
    pub async fn barrier(&self) -> bool {
        let (done, answered) = oneshot::channel();
        self.inputs.send(Input::Read { done }).is_ok() && answered.await.is_ok()
    }
}

impl CommitLog for DriverHandle {
    fn admit(&self) -> Pin<Box<dyn Future<Output = Result<(), String>> + Send + '_>> {
        Box::pin(async {
            let mut view = self.view.clone();
            let accepted = view.wait_for(|view| !view.status.suspended);
            match timeout(ADMIT_WITHIN, accepted).await {
                Ok(Ok(_)) => Ok(()),
                _ => Err("the cluster has no majority; nothing is stored until it has one again".to_owned()),
            }
        })
    }

    fn broken(&self) {
        let _ = self.inputs.send(Input::Broken);
    }

    fn append(&self, changes: Changes) -> oneshot::Receiver<()> {
        let (done, acknowledged) = oneshot::channel();
        self.appended.fetch_add(1, Ordering::Release);
        let _ = self.inputs.send(Input::Propose { changes, done });
        acknowledged
    }
}

/// See the module.
pub struct Driver {
    node: Node<Changes>,
    nats: Arc<Nats>,
    inputs: mpsc::UnboundedReceiver<Input>,
    sender: mpsc::UnboundedSender<Input>,
    jobs: mpsc::UnboundedSender<Job>,
    view: watch::Sender<NodeView>,
    /// The epoch that this node leads, or led.
    led: Option<Epoch>,
    /// See [`NodeView::is_over`]. Nothing more goes into the store: what the program did as the leader is still in it.
    is_over: bool,
    proposals: HashMap<ProposalId, oneshot::Sender<()>>,
    reads: HashMap<ReadId, oneshot::Sender<()>>,
    /// Commits that were made before the lease ran out: they wait until it is renewed, or another node leads.
    held_back: Vec<(Changes, oneshot::Sender<()>)>,
    numbers: u64,
    /// The sequence of the checkpoint that is kept on disk.
    kept: Arc<AtomicU64>,
}

impl Driver {
    pub fn new(
        node: Node<Changes>,
        nats: Arc<Nats>,
        (sender, inputs): (mpsc::UnboundedSender<Input>, mpsc::UnboundedReceiver<Input>),
        jobs: mpsc::UnboundedSender<Job>,
        appended: Arc<AtomicU64>,
        kept: Arc<AtomicU64>,
    ) -> (Self, DriverHandle) {
        let (view, seen) = watch::channel(view_of(&node));
        let handle = DriverHandle { inputs: sender.clone(), view: seen, appended };
        let driver = Self {
            node,
            nats,
            inputs,
            sender,
            jobs,
            view,
            led: None,
            is_over: false,
            proposals: HashMap::new(),
            reads: HashMap::new(),
            held_back: vec![],
            numbers: 0,
            kept,
        };
        (driver, handle)
    }

    /// Runs for as long as the process.
    pub async fn run(mut self) {
        let mut ticks = interval(TICK);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut inputs = Vec::with_capacity(AT_ONCE);
        loop {
            tokio::select! {
                received = self.inputs.recv_many(&mut inputs, AT_ONCE) => if received == 0 { return },
                _ = ticks.tick() => inputs.push(Input::Event(Event::Tick)),
            }
            for input in inputs.drain(..) {
                self.take(input);
            }
            self.propose_held_back();
            let mut view = NodeView { is_over: self.is_over, ..view_of(&self.node) };
            let since = self.view.borrow().suspended_since;
            view.suspended_since = view.status.suspended.then(|| since.unwrap_or_else(Instant::now));
            self.view.send_if_modified(|seen| {
                // The time alone is no news.
                let seen_now = Status { now: view.status.now, ..seen.status.clone() };
                let news = (&seen_now, &seen.state, seen.is_over) != (&view.status, &view.state, view.is_over);
                *seen = view;
                news
            });
        }
    }

    fn take(&mut self, input: Input) {
        match input {
            Input::Event(event) => self.handle(event),
            Input::Propose { changes, done } => self.propose(changes, done),
            Input::Broken => self.is_over = true,
            Input::Read { done } => {
                self.propose_held_back();
                // What is held back may have been read.
                if !self.held_back.is_empty() || self.is_over {
                    return;
                }
                let read = ReadId(self.next_number());
                self.reads.insert(read, done);
                self.handle(Event::Read { read });
            }
        }
    }

    fn next_number(&mut self) -> u64 {
        self.numbers += 1;
        self.numbers
    }

    fn propose(&mut self, changes: Changes, done: oneshot::Sender<()>) {
        // At one moment, so that a lease that ran out is noticed before the commit could be refused.
        let now = elapsed();
        self.handle_at(now, Event::Tick);
        if self.is_over {
            return;
        }
        if !self.held_back.is_empty() || self.node.status().suspended {
            return self.held_back.push((changes, done));
        }
        let proposal = ProposalId(self.next_number());
        self.proposals.insert(proposal, done);
        let bytes = changes.as_bytes().len();
        self.handle_at(now, Event::Propose { proposal, payload: changes, bytes });
    }

    fn propose_held_back(&mut self) {
        if self.held_back.is_empty() || self.node.status().suspended {
            return;
        }
        for (changes, done) in std::mem::take(&mut self.held_back) {
            self.propose(changes, done);
        }
    }

    fn handle(&mut self, event: Event<Changes>) {
        self.handle_at(elapsed(), event);
    }

    fn handle_at(&mut self, now: Millis, event: Event<Changes>) {
        let actions = self.node.handle(now, event);
        for action in actions {
            self.carry_out(action);
        }
    }

    fn carry_out(&mut self, action: Action<Changes>) {
        match action {
            Action::ReadLease { request } => self.ask(async move |nats| {
                let (revision, lease) = nats.read_lease().await.ok()?;
                Some(Event::LeaseRead { request, revision, lease })
            }),
            Action::WriteLease { request, expected, lease } => {
                self.ask(async move |nats| match nats.write_lease(expected, lease).await {
                    LeaseWrite::Written(revision) => Some(Event::LeaseWritten { request, revision }),
                    LeaseWrite::Conflict => Some(Event::LeaseConflict { request }),
                    LeaseWrite::Unknown => None,
                })
            }
            Action::Publish { request, expected, entry } => self.ask(async move |nats| {
                let entry = wire::encode_entry(&entry).expect("commits and batches have limits");
                match nats.publish(expected, entry).await {
                    Publish::Published => Some(Event::Published { request }),
                    Publish::Refused => Some(Event::PublishRefused { request }),
                }
            }),
            Action::Fetch { request, from, limit } => self.ask(async move |nats| {
                let fetched = nats.fetch(from, limit).await.ok()?;
                Some(Event::Fetched { request, first: fetched.first, last: fetched.last, entries: fetched.entries })
            }),
            // What this node would go back to stays.
            Action::Trim { before } => {
                let before = before.min(self.kept.load(Ordering::Acquire));
                // JetStream takes 0 for everything.
                if before <= 1 {
                    return;
                }
                self.ask(async move |nats| {
                    if let Err(error) = nats.trim(before).await {
                        tracing::warn!(%error, "entries that nobody needs are not removed yet");
                    }
                    None
                });
            }
            Action::Report { to, report } => self.ask(async move |nats| {
                // The next one says the same.
                let _ = nats.report(to, report).await;
                None
            }),
            Action::Store { entry, state } => self.store(entry, state),
            Action::TakeCheckpoint => self.job(Job::TakeCheckpoint),
            Action::KeepCheckpoint { position } => self.job(Job::KeepCheckpoint(position)),
            Action::Install { source } => self.job(Job::Install(source)),
            Action::Acknowledge { proposal } => {
                if let Some(done) = self.proposals.remove(&proposal) {
                    let _ = done.send(());
                }
            }
            Action::Refuse { proposal, refusal } => self.refuse(proposal, refusal),
            Action::AnswerRead { read } => {
                if let Some(done) = self.reads.remove(&read) {
                    let _ = done.send(());
                }
            }
            Action::RefuseRead { read, .. } => drop(self.reads.remove(&read)),
            Action::Changed { standing } => self.changed(standing),
        }
    }

    /// A commit that is refused is in this node's store nevertheless, which goes back to a checkpoint.
    fn refuse(&mut self, proposal: ProposalId, refusal: Refusal) {
        self.proposals.remove(&proposal);
        self.is_over = true;
        tracing::warn!(?refusal, "a commit is not acknowledged");
    }

    fn changed(&mut self, standing: Standing) {
        tracing::info!(?standing, "the standing of this node changed");
        match standing {
            Standing::Leading { epoch } => self.led = Some(epoch),
            _ => self.is_over |= self.led.is_some(),
        }
    }

    fn store(&mut self, entry: Entry<Changes>, state: State) {
        let is_own = Some(entry.position.epoch) == self.led;
        let commits = entry.items.into_iter().filter_map(|item| match item {
            Item::Commit(payload) => Some(payload),
            _ => None,
        });
        let job = if is_own {
            Job::Store { changes: vec![], own: commits.count() as u64, state }
        } else {
            Job::Store { changes: commits.collect(), own: 0, state }
        };
        self.job(job);
    }

    fn job(&mut self, job: Job) {
        if self.is_over {
            return;
        }
        // Without the store's task nothing can be done.
        self.is_over |= self.jobs.send(job).is_err();
    }

    /// Asks NATS, and tells the protocol the answer.
    fn ask<F>(&self, ask: impl FnOnce(Arc<Nats>) -> F)
    where
        F: Future<Output = Option<Event<Changes>>> + Send + 'static,
    {
        let (answer, sender) = (ask(Arc::clone(&self.nats)), self.sender.clone());
        tokio::spawn(async move {
            if let Some(event) = answer.await {
                let _ = sender.send(Input::Event(event));
            }
        });
    }
}

fn view_of(node: &Node<Changes>) -> NodeView {
    NodeView { status: node.status(), state: node.state().clone(), is_over: false, suspended_since: None }
}
