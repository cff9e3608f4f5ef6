//! The store of a node: takes entries, checkpoints and installations one after the other, in the order in which the
//! protocol hands them over.
//!
//! Of an entry that this node published as the leader the commits are in the engine already, and only the protocol's state
//! is written, which puts them on disk. Of all others commits and state are written in one transaction.

use std::{
    future::Future,
    io,
    path::PathBuf,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use anyhow::Context;
use morpion_cluster::{CheckpointSource, Event, Position, State};
use morpion_engine::{Changes, Engine, Quiet};
use morpion_store::{OpenOptions, Store};
use parking_lot::Mutex;
use tokio::sync::mpsc;

use super::{checkpoint, driver::Input, folder::NodeFolder, keys::SharedKeys, nats::Nats};

/// What the protocol wants of the store.
#[derive(Debug)]
pub enum Job {
    Store {
        /// Of an entry of another leader; empty for one of this node.
        changes: Vec<Changes>,
        /// Commits of this node in the entry.
        own: u64,
        state: State,
    },
    TakeCheckpoint,
    KeepCheckpoint(Position),
    Install(CheckpointSource),
}

/// The engine of a node, which an installation replaces.
#[derive(Debug, Clone)]
pub struct SharedEngine(Arc<Mutex<Engine>>);

impl SharedEngine {
    pub fn new(engine: Engine) -> Self {
        Self(Arc::new(Mutex::new(engine)))
    }

    pub fn get(&self) -> Engine {
        self.0.lock().clone()
    }
}

/// See the module.
pub struct Storage {
    pub folder: NodeFolder,
    pub keys: SharedKeys,
    pub database: PathBuf,
    pub options: OpenOptions,
    pub engine: SharedEngine,
    pub nats: Arc<Nats>,
    /// Of the last entry on disk.
    pub position: Position,
    /// Commits of this node that were handed to the protocol.
    pub appended: Arc<AtomicU64>,
    /// How many of them are on disk.
    pub stored: u64,
    /// The sequence of the checkpoint that is kept: the stream keeps what follows it.
    pub kept: Arc<AtomicU64>,
    /// A checkpoint that is to be kept, and the disk refused.
    pub unkept: Option<Position>,
    pub events: mpsc::UnboundedSender<Input>,
}

/// A checkpoint that waits for a moment at which the store has exactly what its state says.
enum Waiting {
    Nothing,
    ForQuiet(Pin<Box<dyn Future<Output = Quiet> + Send>>),
    ForStores { _quiet: Quiet },
}

impl Storage {
    /// Works until the sender is gone.
    pub async fn run(mut self, mut jobs: mpsc::UnboundedReceiver<Job>) {
        let mut waiting = Waiting::Nothing;
        loop {
            if let Waiting::ForStores { .. } = &waiting
                && self.stored == self.appended.load(Ordering::Acquire)
            {
                let event = self.take_checkpoint().await;
                waiting = Waiting::Nothing;
                self.tell(event);
            }
            let quiet = async {
                match &mut waiting {
                    Waiting::ForQuiet(quiet) => quiet.await,
                    _ => std::future::pending().await,
                }
            };
            tokio::select! {
                quiet = quiet => waiting = Waiting::ForStores { _quiet: quiet },
                job = jobs.recv() => match job {
                    None => return,
                    Some(Job::Store { changes, own, state }) => {
                        let event = self.store(&changes, own, &state).await;
                        self.tell(event);
                    }
                    Some(Job::TakeCheckpoint) => {
                        let engine = self.engine.get();
                        waiting = Waiting::ForQuiet(Box::pin(async move { engine.quiet().await }));
                    }
                    Some(Job::KeepCheckpoint(position)) => self.keep(position),
                    Some(Job::Install(source)) => {
                        // What was to be copied is about to be replaced.
                        if !matches!(std::mem::replace(&mut waiting, Waiting::Nothing), Waiting::Nothing) {
                            self.tell(Event::CheckpointFailed);
                        }
                        let event = self.install(source).await;
                        self.tell(event);
                    }
                }
            }
        }
    }

    fn tell(&self, event: Event<Changes>) {
        // Without a driver nobody needs to know.
        let _ = self.events.send(Input::Event(event));
    }

    async fn store(&mut self, changes: &[Changes], own: u64, state: &State) -> Event<Changes> {
        let position = state.position;
        if position.sequence != self.position.sequence + 1 {
            return Event::StoreFailed { position };
        }
        match self.engine.get().apply(changes, &encode(state)).await {
            Ok(()) => {
                self.position = position;
                self.stored += own;
                if let Some(position) = self.unkept {
                    self.keep(position);
                }
                Event::Stored { position }
            }
            Err(error) => {
                tracing::error!(%error, sequence = position.sequence, "an entry cannot be stored");
                Event::StoreFailed { position }
            }
        }
    }

    fn replace_database(&self, source: CheckpointSource, position: Position) -> io::Result<()> {
        if source == CheckpointSource::Own && !self.folder.led() {
            let aside = self.folder.copy_aside(self.position)?;
            tracing::error!(kept = %aside.display(), "the stream lacks what this node got from it; its store is kept aside");
        }
        self.folder.install(position)
    }

    async fn take_checkpoint(&self) -> Event<Changes> {
        match make_checkpoint(&self.folder, &self.engine.get(), self.position).await {
            Ok(()) => Event::CheckpointTaken { position: self.position },
            Err(error) => {
                tracing::warn!(error = %format!("{error:#}"), "no checkpoint can be made; the earlier one is kept");
                Event::CheckpointFailed
            }
        }
    }

    fn keep(&mut self, position: Position) {
        self.unkept = None;
        match self.folder.keep(position) {
            Ok(()) => self.kept.store(position.sequence, Ordering::Release),
            Err(error) => {
                tracing::warn!(%error, sequence = position.sequence, "a checkpoint cannot be kept yet; the earlier one is");
                self.unkept = Some(position);
            }
        }
    }

    async fn install(&mut self, source: CheckpointSource) -> Event<Changes> {
        match self.try_install(source).await {
            Ok(state) => {
                self.position = state.position;
                tracing::info!(sequence = state.position.sequence, ?source, "a checkpoint was installed");
                Event::Installed { state }
            }
            Err(error) => {
                tracing::warn!(error = %format!("{error:#}"), ?source, "no checkpoint can be installed yet");
                Event::InstallFailed
            }
        }
    }

    async fn try_install(&mut self, source: CheckpointSource) -> anyhow::Result<State> {
        self.unkept = None;
        let position = match source {
            CheckpointSource::Own => self.folder.kept()?.context("there is no checkpoint")?,
            CheckpointSource::Peer => {
                let position = checkpoint::fetch(&self.nats, &self.folder, &self.keys).await?;
                self.folder.keep(position)?;
                self.kept.store(position.sequence, Ordering::Release);
                position
            }
        };
        self.engine.get().close().await;
        let replaced = self.replace_database(source, position).context("the database cannot be replaced");
        // Whatever is there is opened again: it is tried anew, and meanwhile the state can be read.
        let engine = Store::open_engine(&self.database, &self.options).await?;
        *self.engine.0.lock() = engine.clone();
        replaced?;
        // What this node did as a leader is gone.
        self.folder.set_led(false)?;
        stored_state(&engine).await?.context("the checkpoint has no state of a cluster")
    }
}

/// Makes a checkpoint of a store that stands at this position.
///
/// # Errors
/// The disk refuses.
pub async fn make_checkpoint(folder: &NodeFolder, engine: &Engine, position: Position) -> anyhow::Result<()> {
    engine.checkpoint(folder.draft()?).await?;
    Ok(folder.finish_draft(position)?)
}

/// The protocol's state in a store; `None` while it belongs to no cluster.
///
/// # Errors
/// The store cannot be read, or a later version wrote it.
pub async fn stored_state(engine: &Engine) -> anyhow::Result<Option<State>> {
    let Some(bytes) = engine.state().await.context("the state of the cluster cannot be read")? else { return Ok(None) };
    let state = match bytes.split_first() {
        Some((&VERSION, rest)) => postcard::from_bytes(rest).ok(),
        _ => None,
    };
    state.map(Some).context("the state of the cluster was written by a later version")
}

/// Writes the state of a founder.
///
/// # Errors
/// The disk refuses.
pub async fn found(engine: &Engine) -> anyhow::Result<()> {
    engine.apply(&[], &encode(&State::default())).await.context("the state of the cluster cannot be written")
}

/// Of the encoding.
const VERSION: u8 = 1;

fn encode(state: &State) -> Vec<u8> {
    postcard::to_extend(state, vec![VERSION]).expect("a state is plain data")
}
