//! Several servers that are one: see `docs/hosting/cluster.md` for operators and the crate `morpion-cluster` for the
//! protocol.
//!
//! ```text
//! commits → engine → DriverHandle → Driver (the protocol) → NATS, Storage → acknowledged
//! clients → another node → tunnel over NATS → the leader's edge
//! ```
//!
//! One node leads: it runs the program as a server that is alone does, over a storage engine whose commits are replicated.
//! The others keep their stores up to date and pass on what clients ask. A leader that is deposed cannot take back what
//! its program did meanwhile: the process executes itself anew, and its store goes back to a checkpoint.

mod checkpoint;
mod driver;
mod folder;
mod keys;
mod link;
pub mod nats;
mod storage;
mod tunnel;
mod wire;

use std::{
    collections::BTreeMap,
    io,
    os::unix::process::CommandExt,
    path::Path,
    process::Command,
    sync::{Arc, atomic::AtomicU64},
    time::Duration,
};

use anyhow::{Context, bail};
use chrono::{DateTime, Utc};
use morpion_cluster::{Config as Protocol, Event, Formats, Millis, Node, NodeId, Position, Standing, Status};
use morpion_engine::{CommitLog, Engine};
use morpion_store::{OpenOptions, Store, StoreError};
use parking_lot::Mutex;
use tokio::{
    sync::{Notify, mpsc, watch},
    time::{sleep, timeout},
};
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use uuid::Uuid;

pub use driver::NodeView;
pub use link::Link;
pub use tunnel::{MAX_STREAMS, Tunnel, TunnelStream, WINDOW, serve as serve_tunnel};

use crate::{
    account,
    clock::{self, Clock},
    config::{ClusterConfig, Config},
    metrics::{ClusterStanding, Metrics},
    push::vapid::VapidKey,
};
use driver::{Driver, DriverHandle};
use folder::{Lineage, NodeFolder};
use keys::SharedKeys;
use link::LinkListener;
use nats::{Answer, Ask, Nats, NatsError, NodeStatus};
use storage::{SharedEngine, Storage};

/// The encoding of entries that this program reads and writes.
const FORMATS: Formats = Formats { oldest: 0, newest: 0 };

/// Before NATS is asked again at the start.
const CONNECT_PAUSE: Duration = Duration::from_secs(1);

/// Why nothing is stored while the leader cannot renew its lease.
pub const NO_MAJORITY: &str = "The servers have no majority, so nothing can be stored right now. Please try again.";

/// How often a node that is no member asks to become one.
const JOIN_EVERY: Duration = Duration::from_secs(1);

/// How long a node that stops leading waits until the others know.
const RELEASE_WITHIN: Duration = Duration::from_secs(3);

/// How often metrics are brought up to date.
const MEASURE_EVERY: Duration = Duration::from_secs(1);

/// How long telling other nodes may take that they are no longer served.
const HANG_UP_WITHIN: Duration = Duration::from_millis(300);

/// Before a full disk is tried again.
const ROOM_PAUSE: Duration = Duration::from_secs(1);

/// How long links have to say goodbye.
const GOODBYE: Duration = Duration::from_millis(50);

/// How long an answer waits until it may be given.
const BARRIER_WITHIN: Duration = Duration::from_secs(2);

/// How long a node leaves the lead to others after it stepped down, or could not lead, in milliseconds.
const HOLD_OFF: Millis = 10_000;

/// Sockets of followers that wait for the leader to take them.
const TUNNELLED: usize = 1_024;

/// The stream keeps the entries of so many checkpoints for a follower that lags.
const KEEP: u64 = 3;

/// Milliseconds that elapsed on this machine, the time that it or the process slept included.
fn elapsed() -> Millis {
    u64::try_from(clock::elapsed()).unwrap_or_default()
}

/// What an answer of this node is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Freshness {
    /// It has everything that was acknowledged before it was asked for, and nothing that can be lost.
    Current,
    /// The cluster seems to have no majority, so it may be old: if this node is cut off, others may have gone on.
    Stale,
    /// Another node may lead.
    Unknown,
}

/// Counts connections.
type Count = Box<dyn Fn() -> u64 + Send>;

/// This node. Cheap to clone.
#[derive(Clone)]
pub struct Cluster {
    me: NodeId,
    name: String,
    nats: Arc<Nats>,
    /// A connection for what clients ask and get, so that it holds up no commit.
    links: async_nats::Client,
    driver: DriverHandle,
    engine: SharedEngine,
    folder: NodeFolder,
    step_down: Arc<Notify>,
    sockets: Arc<Mutex<Option<Count>>>,
    /// What serves other nodes.
    tunnels: TaskTracker,
    hung_up: CancellationToken,
    started_at: DateTime<Utc>,
}

impl std::fmt::Debug for Cluster {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Cluster").field("name", &self.name).field("me", &self.me).finish_non_exhaustive()
    }
}

impl Cluster {
    /// Connects to NATS, which is tried until it works, opens the store and begins to follow.
    ///
    /// # Errors
    /// The data belong to another cluster or to none, NATS is set up in a way that does not do, or the store does not open.
    pub async fn start(config: &Config, cluster: &ClusterConfig, options: OpenOptions) -> anyhow::Result<Self> {
        let database = config.database_url();
        let database = database.folder().context("the database is not in a folder")?.to_owned();
        let folder = NodeFolder::new(&config.data_dir, database.clone());
        let keys = SharedKeys::new(&config.data_dir, cluster);
        if morpion_engine::is_in_use(&database) {
            bail!(StoreError::InUse { path: database });
        }
        folder.prepare()?;
        let nats = Arc::new(until_answered(|| Nats::connect(cluster)).await?);
        let links = until_answered(|| nats::connect(cluster)).await?;
        let me = nats.node();
        if let Some(id) = cluster_to_found(&folder, &nats).await? {
            found(id, config, &folder, &nats, &options).await?;
        }
        let engine = with_room(|| {
            let (folder, database, options) = (folder.clone(), database.clone(), options.clone());
            async move { open_store(&folder, &database, &options).await }
        });
        let engine = engine.await?;
        let state = if folder.led() { None } else { storage::stored_state(&engine).await? };
        let position = state.as_ref().map(|state| state.position).unwrap_or_default();
        let mut protocol = Protocol::new(me, rand::random(), FORMATS);
        (protocol.checkpoint_every, protocol.keep_entries) =
            (cluster.checkpoint_every, KEEP * cluster.checkpoint_every);
        let kept = folder.kept()?;
        let mut node = Node::start(protocol, elapsed(), state, kept);
        // The machine may have started since.
        let hold_off =
            folder.hold_off().into_iter().chain(handed_over()).filter(|until| *until <= elapsed() + HOLD_OFF);
        node.hold_off(hold_off.max().unwrap_or_default());
        let kept = Arc::new(AtomicU64::new(kept.map_or(0, |kept| kept.sequence)));
        let (inputs, jobs) = (mpsc::unbounded_channel(), mpsc::unbounded_channel());
        let appended = Arc::new(AtomicU64::new(0));
        let engine = SharedEngine::new(engine);
        let storage = Storage {
            folder: folder.clone(),
            keys: keys.clone(),
            database,
            options,
            engine: engine.clone(),
            nats: Arc::clone(&nats),
            position,
            appended: Arc::clone(&appended),
            stored: 0,
            kept: Arc::clone(&kept),
            unkept: None,
            events: inputs.0.clone(),
        };
        tokio::spawn(storage.run(jobs.1));
        let (driver, handle) = Driver::new(node, Arc::clone(&nats), inputs, jobs.0, appended, kept);
        tokio::spawn(driver.run());
        let this = Self {
            me,
            name: cluster.name.clone(),
            nats,
            links,
            driver: handle,
            engine,
            folder,
            step_down: Arc::default(),
            sockets: Arc::default(),
            tunnels: TaskTracker::new(),
            hung_up: CancellationToken::new(),
            started_at: Clock::default().wall(),
        };
        this.spawn_services(keys).await?;
        Ok(this)
    }

    /// This node, once [`Cluster::start`] is done and has told it here.
    pub async fn started(mut told: watch::Receiver<Option<Self>>) -> Self {
        let started = told.wait_for(Option::is_some).await.ok().and_then(|node| node.clone());
        match started {
            Some(node) => node,
            None => std::future::pending().await,
        }
    }

    /// What answers other nodes.
    async fn spawn_services(&self, keys: SharedKeys) -> anyhow::Result<()> {
        let mut reports = self.nats.reports().await?;
        let driver = self.driver.clone();
        tokio::spawn(async move {
            while let Some(request) = reports.next().await {
                let (node, report) = request.question;
                driver.tell(Event::Reported { node, report });
            }
        });
        let this = self.clone();
        self.nats.answer(move |ask| this.answer(ask)).await?;
        checkpoint::serve(&self.nats, self.folder.clone(), keys).await?;
        tokio::spawn(self.clone().join_once());
        Ok(())
    }

    fn answer(&self, ask: Ask) -> Answer {
        match ask {
            Ask::Status => return Answer::Status(Box::new(self.own_status())),
            Ask::StepDown if !matches!(self.driver.view().borrow().status.standing, Standing::Leading { .. }) => {
                return Answer::Refused("this node does not lead".to_owned());
            }
            Ask::StepDown => self.step_down.notify_one(),
            Ask::Join { node, formats } => self.driver.tell(Event::Join { node, formats }),
            Ask::Leave { node } => self.driver.tell(Event::Leave { node }),
            Ask::Raise { format } => self.driver.tell(Event::Raise { format }),
        }
        Answer::Done
    }

    /// Asks the leader to make this node a member, until it has been one: whoever left by an operator's command stays out.
    async fn join_once(self) {
        let mut view = self.driver.view();
        loop {
            let (is_member, leader) = {
                let seen = view.borrow_and_update();
                (seen.state.members.contains_key(&self.me), seen.status.leader)
            };
            if is_member || self.folder.has_joined() {
                if let Err(error) = self.folder.set_joined() {
                    tracing::warn!(%error, "it cannot be noted that this node joined the cluster");
                }
                return;
            }
            if let Some(leader) = leader.filter(|leader| *leader != self.me) {
                let join = Ask::Join { node: self.me, formats: FORMATS };
                if let Err(error) = self.nats.ask(leader, join).await {
                    tracing::debug!(%error, "the leader does not answer");
                }
            }
            sleep(JOIN_EVERY).await;
        }
    }

    /// What this node is, as it changes.
    pub fn view(&self) -> watch::Receiver<NodeView> {
        self.driver.view()
    }

    fn own_status(&self) -> NodeStatus {
        let view = self.driver.view().borrow().clone();
        let sockets = self.sockets.lock().as_ref().map_or(0, |count| count());
        NodeStatus { sockets, ..NodeStatus::new(self.me, &self.name, &view, self.started_at) }
    }

    /// What counts the connections of clients that this node holds.
    pub fn count_sockets(&self, count: impl Fn() -> u64 + Send + 'static) {
        *self.sockets.lock() = Some(Box::new(count));
    }

    /// What all nodes say of themselves that answer within half a second.
    ///
    /// # Errors
    /// NATS does not answer.
    pub async fn status(&self) -> Result<Vec<NodeStatus>, NatsError> {
        self.nats.statuses().await
    }

    /// The names of all nodes that ever were in the cluster.
    ///
    /// # Errors
    /// NATS does not answer.
    pub async fn names(&self) -> Result<BTreeMap<NodeId, String>, NatsError> {
        self.nats.nodes().await
    }

    /// Keeps the metrics of this node up to date, for as long as the process runs.
    pub async fn measure(self, metrics: Metrics) {
        let (mut view, mut led) = (self.driver.view(), None);
        loop {
            let Status { standing, suspended, stored, last, leader, .. } = view.borrow_and_update().status.clone();
            metrics.cluster_stands(ClusterStanding {
                is_leading: matches!(standing, Standing::Leading { .. }),
                is_suspended: suspended,
                position: stored.sequence,
                lag: last.saturating_sub(stored.sequence),
            });
            if let Some(leader) = leader.filter(|leader| Some(*leader) != led)
                && led.replace(leader).is_some()
            {
                metrics.cluster_taken_over();
            }
            sleep(MEASURE_EVERY).await;
            if view.has_changed().is_err() {
                return;
            }
        }
    }

    /// What an answer to a call may say that was read until now. While the cluster has no majority, reads go on.
    pub async fn freshness(&self) -> Freshness {
        if !self.has_no_majority() && self.barrier().await {
            return Freshness::Current;
        }
        if self.has_no_majority() { Freshness::Stale } else { Freshness::Unknown }
    }

    /// Whether this node leads and could not renew its lease for two seconds after that ran out: whatever commits, waits.
    pub fn has_no_majority(&self) -> bool {
        let view = self.driver.view();
        let view = view.borrow();
        !view.is_over && view.suspended_since.is_some_and(|since| since.elapsed() > BARRIER_WITHIN)
    }

    /// Resolves once everything that was read until now is acknowledged and may be told; false if that cannot be said:
    /// another node leads, or this one cannot tell for two seconds.
    pub async fn barrier(&self) -> bool {
        let told = async {
            let mut view = self.driver.view();
            loop {
                // What a commit changed can be read a moment before the log has it.
                drop(self.engine.get().quiet().await);
                if self.driver.barrier().await {
                    return true;
                }
                if view.borrow().is_over || !view.borrow().status.suspended {
                    return false;
                }
                // A lease that is renewed a moment later was not another node's.
                if view.wait_for(|view| view.is_over || !view.status.suspended).await.is_err() {
                    return false;
                }
            }
        };
        timeout(BARRIER_WITHIN, told).await.unwrap_or(false)
    }

    /// Resolves when an operator wants another node to lead.
    pub async fn asked_to_step_down(&self) {
        self.step_down.notified().await;
    }

    /// Who leads, for what passes calls on; `None` while that is this node or nobody.
    pub fn leaders(&self) -> watch::Receiver<Option<NodeId>> {
        let (sender, receiver) = watch::channel(None);
        let (mut view, me) = (self.driver.view(), self.me);
        tokio::spawn(async move {
            loop {
                let leader = view.borrow_and_update().status.leader.filter(|leader| *leader != me);
                sender.send_if_modified(|seen| std::mem::replace(seen, leader) != leader);
                if view.changed().await.is_err() || sender.is_closed() {
                    return;
                }
            }
        });
        receiver
    }

    /// Opens a link to the node that leads.
    ///
    /// # Errors
    /// It does not lead (any longer), or NATS does not answer.
    pub async fn dial(&self, leader: NodeId) -> io::Result<Link> {
        link::dial(&self.links, self.nats.stream(), leader, self.me).await
    }

    /// Resolves once this node leads.
    pub async fn leads(&self) {
        let leads = |view: &NodeView| matches!(view.status.standing, Standing::Leading { .. });
        if self.driver.view().wait_for(leads).await.is_err() {
            std::future::pending().await
        }
    }

    /// Resolves once the process has to start anew: this node led and leads no longer, or its store may have something else
    /// than the stream.
    pub async fn is_over(&self) {
        // Without a driver nothing goes on either.
        let _ = self.driver.view().wait_for(|view| view.is_over).await;
    }

    /// Whether no other node could lead.
    pub fn is_alone(&self) -> bool {
        self.driver.view().borrow().state.members.len() <= 1
    }

    /// Leaves the lead to others for a while, if there are others, also after the service started anew.
    fn hold_off(&self) {
        if self.is_alone() {
            return;
        }
        if let Err(error) = self.folder.set_hold_off(elapsed() + HOLD_OFF) {
            tracing::warn!(%error, "this node may lead again at once");
        }
    }

    /// The engine to lead with: from now on its commits are replicated.
    ///
    /// # Errors
    /// The disk refuses, or this node led before in this process.
    pub fn take_lead(&self) -> anyhow::Result<Engine> {
        self.folder.set_led(true).context("it cannot be noted that this node leads")?;
        let engine = self.engine.get();
        let log: Arc<dyn CommitLog> = Arc::new(self.driver.clone());
        if !engine.replicate(log) {
            bail!("this process led before");
        }
        Ok(engine)
    }

    /// Sockets of clients of other nodes.
    ///
    /// # Errors
    /// NATS does not answer.
    pub async fn tunnelled(&self) -> anyhow::Result<mpsc::Receiver<TunnelStream>> {
        let mut links = LinkListener::bind(&self.links, self.nats.stream(), self.me).await?;
        let (sender, receiver) = mpsc::channel(TUNNELLED);
        let (hung_up, tunnels) = (self.hung_up.clone(), self.tunnels.clone());
        self.tunnels.spawn(self.hung_up.clone().run_until_cancelled_owned(async move {
            loop {
                match links.accept().await {
                    Ok((node, link)) => {
                        tracing::debug!(%node, "a node passes on what its clients ask");
                        let serving = tunnel::serve(link, sender.clone());
                        tunnels.spawn(hung_up.clone().run_until_cancelled_owned(serving));
                    }
                    Err(error) => {
                        tracing::warn!(%error, "no node can pass on what its clients ask");
                        sleep(CONNECT_PAUSE).await;
                    }
                }
            }
        }));
        Ok(receiver)
    }

    /// Tells other nodes that what they pass on is no longer served, so that they look for who leads.
    pub async fn hang_up(&self) {
        self.hung_up.cancel();
        self.tunnels.close();
        let told = async {
            self.tunnels.wait().await;
            // They do so in tasks of their own.
            sleep(GOODBYE).await;
            self.links.flush().await
        };
        if !matches!(timeout(HANG_UP_WITHIN, told).await, Ok(Ok(()))) {
            tracing::debug!("other nodes notice by themselves that this one no longer serves them");
        }
    }

    /// Lets another node lead, after the program has stopped, and closes the store. If everything the program did is
    /// acknowledged, this node goes on from there at its next start.
    pub async fn release(&self) {
        self.hold_off();
        let engine = self.engine.get();
        let quiet = timeout(RELEASE_WITHIN, engine.quiet()).await.ok();
        let is_clean = quiet.is_some() && matches!(timeout(RELEASE_WITHIN, self.driver.barrier()).await, Ok(true));
        self.driver.tell(Event::StepDown);
        let me = self.me;
        let released = |view: &NodeView| view.is_over && view.status.leader != Some(me);
        if timeout(RELEASE_WITHIN, self.driver.view().wait_for(released)).await.is_err() {
            tracing::warn!("the others learn only when the lease runs out that this node leads no longer");
        }
        self.hang_up().await;
        engine.close().await;
        if is_clean && let Err(error) = self.folder.set_led(false) {
            tracing::warn!(%error, "the next start will go back to a checkpoint");
        }
        // Whatever waited for its turn finds a store that is closed.
        drop(quiet);
    }

    /// Closes the store of a node that follows.
    pub async fn close(&self) {
        self.engine.get().close().await;
    }
}

/// Until when this node leaves the lead to others, for the program that is executed next: a disk may be full.
const HAND_OVER: &str = "MORPION_CLUSTER_HOLD_OFF";

fn handed_over() -> Option<Millis> {
    std::env::var(HAND_OVER).ok()?.parse().ok()
}

/// Executes this program anew in this process, so that nothing is left of what it did as the leader. It leaves the lead to
/// others for a while, unless there are none.
///
/// # Errors
/// The system refuses.
pub fn restart(node: &Cluster) -> anyhow::Error {
    let program = match std::env::current_exe() {
        Ok(program) => program,
        Err(error) => return anyhow::Error::new(error).context("the program cannot be found"),
    };
    // An upgrade has replaced the file: the new one takes over.
    let program = program.to_str().and_then(|path| path.strip_suffix(" (deleted)")).map_or(program.clone(), Into::into);
    let hold_off = if node.is_alone() { 0 } else { elapsed() + HOLD_OFF };
    let mut command = Command::new(program);
    let error = command.args(std::env::args_os().skip(1)).env(HAND_OVER, hold_off.to_string()).exec();
    anyhow::Error::new(error).context("the program cannot be executed anew")
}

/// Tries until NATS answers; what it refuses for good is an error.
async fn until_answered<T, F>(attempt: impl Fn() -> F) -> Result<T, NatsError>
where
    F: Future<Output = Result<T, NatsError>>,
{
    let mut reported = String::new();
    loop {
        match attempt().await {
            Err(error) if error.is_temporary() => {
                let reason = error.to_string();
                if reason != reported {
                    tracing::warn!(%reason, "NATS does not answer yet; trying again until it does");
                    reported = reason;
                }
                sleep(CONNECT_PAUSE).await;
            }
            answered => return answered,
        }
    }
}

/// Opens the store of a node, which goes back to its checkpoint after a crash while it led: it may have what the stream
/// does not.
async fn open_store(folder: &NodeFolder, database: &Path, options: &OpenOptions) -> anyhow::Result<Engine> {
    if folder.led()
        && let Some(kept) = folder.kept()?
    {
        folder.install(kept).context("the store cannot go back to its checkpoint")?;
        folder.set_led(false)?;
        let sequence = kept.sequence;
        tracing::info!(sequence, "this node led when it stopped; its store went back to a checkpoint");
    }
    Ok(Store::open_engine(database, options).await?)
}

/// Tries again for as long as the disk is full.
async fn with_room<T, F>(attempt: impl Fn() -> F) -> anyhow::Result<T>
where
    F: Future<Output = anyhow::Result<T>>,
{
    let mut is_reported = false;
    loop {
        match attempt().await {
            Err(error) if is_for_want_of_room(&error) => {
                if !is_reported {
                    tracing::error!(error = %format!("{error:#}"), "the disk is full; trying again until there is room");
                }
                is_reported = true;
                sleep(ROOM_PAUSE).await;
            }
            done => return done,
        }
    }
}

fn is_for_want_of_room(error: &anyhow::Error) -> bool {
    // The store passes on the system's reason as text.
    error.chain().any(|cause| cause.to_string().contains("No space left on device"))
}

/// Finds out to which cluster the data belong; its id if they are to be those of a new one.
async fn cluster_to_found(folder: &NodeFolder, nats: &Nats) -> anyhow::Result<Option<Uuid>> {
    let known = folder.lineage()?;
    let founded = until_answered(|| nats.lineage()).await?;
    match (known, founded) {
        (Some(Lineage { id, is_founding }), Some(founded)) if id == founded => Ok(is_founding.then_some(id)),
        (Some(Lineage { is_founding: false, .. }), Some(_)) => {
            bail!("these data belong to another cluster than the one that NATS knows")
        }
        (Some(Lineage { is_founding: false, .. }), None) => bail!(
            "NATS knows nothing of the cluster to which these data belong; restore its files, or begin a new cluster with \
             these data as docs/hosting/cluster.md says"
        ),
        (_, Some(founded)) => {
            join(folder, founded)?;
            Ok(None)
        }
        (Some(Lineage { id, .. }), None) => begin(id, folder, nats).await,
        (None, None) => {
            let id = Uuid::new_v4();
            folder.set_lineage(Lineage { id, is_founding: true })?;
            begin(id, folder, nats).await
        }
    }
}

/// Begins to found a cluster; `None` if another node did, and this one joins. Nodes without data that start together agree
/// here which one it is; one with data tells the others when these are ready.
async fn begin(id: Uuid, folder: &NodeFolder, nats: &Nats) -> anyhow::Result<Option<Uuid>> {
    if folder.has_data() {
        return Ok(Some(id));
    }
    let founded = until_answered(|| nats.found(id)).await?;
    if founded == id {
        return Ok(Some(id));
    }
    join(folder, founded)?;
    Ok(None)
}

/// Makes this node's data those of a new cluster. After a crash it is done again.
async fn found(
    id: Uuid,
    config: &Config,
    folder: &NodeFolder,
    nats: &Nats,
    options: &OpenOptions,
) -> anyhow::Result<()> {
    if !until_answered(|| nats.is_unused()).await? {
        bail!("the stream in NATS has entries of a cluster that NATS has forgotten; see docs/hosting/cluster.md");
    }
    // Migrations of large data are no commits that others could follow.
    let url = config.database_url();
    Store::open(&url, options.clone()).await?.close().await?;
    account::prepare_secret(config)?;
    VapidKey::load(config)?;
    let database = url.folder().context("the database is not in a folder")?;
    let engine = Store::open_engine(database, options).await?;
    let at = Position::default();
    let made = async {
        storage::found(&engine).await?;
        storage::make_checkpoint(folder, &engine, at).await
    };
    let made = made.await;
    engine.close().await;
    made?;
    folder.keep(at)?;
    if until_answered(|| nats.found(id)).await? != id {
        bail!(
            "another node has founded the cluster meanwhile, and this one has other data; move its database and {} away \
             to join",
            folder.path().display()
        );
    }
    folder.set_lineage(Lineage { id, is_founding: false })?;
    tracing::info!(cluster = %id, "this node founded the cluster");
    Ok(())
}

/// Takes over the data of a cluster, which another node founded.
fn join(folder: &NodeFolder, id: Uuid) -> anyhow::Result<()> {
    if folder.has_data() {
        bail!(
            "the cluster has data already, and this node has other data; move its database away to join, or see \
             docs/hosting/cluster.md for how to begin a cluster with them"
        );
    }
    folder.set_lineage(Lineage { id, is_founding: false })
}

/// Refuses data that belong to a cluster: what a server that is alone adds to them, the cluster would never learn.
///
/// # Errors
/// What to do.
pub fn check_alone(config: &Config) -> anyhow::Result<()> {
    let database = config.database_url();
    let Some(database) = database.folder() else { return Ok(()) };
    let folder = NodeFolder::new(&config.data_dir, database.to_owned());
    if folder.lineage()?.is_some() {
        bail!(
            "these data belong to a cluster; give cluster.nats and cluster.name, or remove {} to serve them alone from \
             now on",
            folder.path().display()
        );
    }
    Ok(())
}
