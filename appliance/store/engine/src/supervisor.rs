//! Supervises the storage engine's tree: reopens it after a failure.
//!
//! A failed write or sync leaves the log in doubt: half a record may be in it, and after a failed sync the kernel may
//! have dropped what it could not write. So from the first failure on nothing is acknowledged. The tree is closed,
//! which writes its memory to new files, and reopened, which checks the log and cuts off a torn end; only then are
//! writes accepted again. SurrealDB sees only failed commits: its transactions get the new tree.
//!
//! Reads continue from the old tree while the disk is full. Writers wait for [`WRITER_TIMEOUT`] at most, counted from
//! the failure.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, SystemTime};

use parking_lot::Mutex;
use surrealdb_kvs::{Error, TransactionType};
use surrealkv::{Durability, Mode, Tree};
use tokio::sync::{SetOnce, watch};
use tokio::time::Instant;
use tracing::{error, info, warn};

use crate::error::{is_refusal, translate};
use crate::keyed::RecordError;
use crate::replication::{Changes, CommitLog, MAX_CHANGES, Quiet, STATE};
use crate::transaction::Transaction;
use crate::{CheckpointError, DiscardedData, Failure, Health, OpenError, Options, folder};

type Result<T, E = Error> = std::result::Result<T, E>;

/// How long after a failure writers wait for the log to be reopened before they are refused.
const WRITER_TIMEOUT: Duration = Duration::from_secs(2);

/// Pauses between attempts to reopen: doubling from the first to the second.
const RETRY_PAUSE: (Duration, Duration) = (Duration::from_millis(20), Duration::from_millis(500));

/// One opening of the folder.
pub(crate) struct Generation {
    tree: Tree,
    /// A commit to this tree failed: no later one is acknowledged.
    failed: AtomicBool,
}

impl Generation {
    fn new(tree: Tree) -> Arc<Self> {
        Arc::new(Self { tree, failed: AtomicBool::new(false) })
    }
}

enum State {
    Serving(Arc<Generation>),
    Failed {
        /// The failed tree, as long as it is open, for reads.
        last: Option<Arc<Generation>>,
        at: Instant,
        failure: Failure,
    },
    Closed,
}

pub(crate) struct EngineSupervisor {
    options: Options,
    state: watch::Sender<State>,
    /// Held while the tree is closed or opened.
    reopen_lock: tokio::sync::Mutex<()>,
    history: Mutex<History>,
    entries_read: AtomicU64,
    /// Why a read failed, the first time.
    unreadable: SetOnce<String>,
    /// Where commits go, from [`crate::Engine::replicate`] on.
    log: OnceLock<Arc<dyn CommitLog>>,
    /// Held from a replicated commit until the log has taken it.
    order: Arc<tokio::sync::Mutex<()>>,
}

#[derive(Default)]
struct History {
    reopened: u64,
    discarded: DiscardedData,
    quarantined_logs: Vec<PathBuf>,
}

impl EngineSupervisor {
    pub(crate) async fn open(options: Options) -> Result<Arc<Self>, OpenError> {
        let (tree, discarded) = folder::open(options.clone()).await?;
        let quarantined_logs = folder::quarantined_logs(&options.folder);
        Ok(Arc::new(Self {
            options,
            state: watch::Sender::new(State::Serving(Generation::new(tree))),
            reopen_lock: tokio::sync::Mutex::new(()),
            history: Mutex::new(History { reopened: 0, discarded, quarantined_logs }),
            entries_read: AtomicU64::new(0),
            unreadable: SetOnce::new(),
            log: OnceLock::new(),
            order: Arc::default(),
        }))
    }

    pub(crate) fn health(&self) -> Health {
        let failure = match &*self.state.borrow() {
            State::Failed { failure, .. } => Some(failure.clone()),
            State::Serving(_) | State::Closed => None,
        };
        let history = self.history.lock();
        Health {
            failure,
            reopened: history.reopened,
            discarded: history.discarded,
            quarantined_logs: history.quarantined_logs.clone(),
        }
    }

    pub(crate) fn count_read(&self, entries: u64) {
        self.entries_read.fetch_add(entries, Ordering::Relaxed);
    }

    pub(crate) fn entries_read(&self) -> u64 {
        self.entries_read.load(Ordering::Relaxed)
    }

    pub(crate) fn read_failed(&self, reason: &str) {
        // Only the first counts.
        self.unreadable.set(reason.to_owned()).ok();
    }

    /// See [`crate::Engine::unreadable`].
    pub(crate) async fn unreadable(&self) -> String {
        self.unreadable.wait().await.clone()
    }

    pub(crate) async fn begin(self: &Arc<Self>, kind: TransactionType) -> Result<Transaction> {
        let writeable = kind == TransactionType::Write;
        let (generation, inner) = self.begin_inner(writeable).await?;
        let is_replicated = writeable && self.log.get().is_some();
        Ok(Transaction::new(Arc::clone(self), generation, inner, writeable, is_replicated))
    }

    async fn begin_inner(&self, writeable: bool) -> Result<(Arc<Generation>, surrealkv::Transaction)> {
        let generation = self.generation(writeable).await?;
        let mode = if writeable { Mode::ReadWrite } else { Mode::ReadOnly };
        let mut inner = generation.tree.begin_with_mode(mode).map_err(translate)?;
        inner.set_durability(Durability::Immediate);
        Ok((generation, inner))
    }

    /// See [`crate::Engine::replicate`].
    pub(crate) fn replicate(&self, log: Arc<dyn CommitLog>) -> bool {
        self.log.set(log).is_ok()
    }

    /// See [`crate::Engine::apply`].
    pub(crate) async fn apply(self: &Arc<Self>, changes: &[Changes], state: &[u8]) -> Result<(), RecordError> {
        let (generation, mut inner) = self.begin_inner(true).await?;
        for change in changes.iter().flat_map(Changes::iter) {
            let (key, value) = change.ok_or_else(|| RecordError::Failed("a change cannot be read".to_owned()))?;
            match value {
                Some(value) => inner.set(&key[..], &value[..]),
                None => inner.delete(&key[..]),
            }
            .map_err(translate)?;
        }
        inner.set(STATE, state).map_err(translate)?;
        Ok(self.commit(&generation, &mut inner, true).await?)
    }

    /// See [`crate::Engine::state`].
    pub(crate) async fn state(&self) -> Result<Option<Vec<u8>>, RecordError> {
        let (_, inner) = self.begin_inner(false).await?;
        Ok(inner.get(STATE).map_err(translate)?)
    }

    /// See [`crate::Engine::quiet`].
    pub(crate) async fn quiet(&self) -> Quiet {
        Quiet { _turn: Arc::clone(&self.order).lock_owned().await }
    }

    /// See [`crate::Engine::checkpoint`].
    pub(crate) async fn checkpoint(&self, to: PathBuf) -> Result<(), CheckpointError> {
        let generation = self.generation(true).await.map_err(|error| CheckpointError(error.to_string()))?;
        let made = tokio::task::spawn_blocking(move || generation.tree.create_checkpoint(to)).await;
        match made {
            Ok(Ok(_)) => Ok(()),
            Ok(Err(error)) => Err(CheckpointError(error.to_string())),
            Err(error) => Err(CheckpointError(error.to_string())),
        }
    }

    /// The tree for a new transaction; waits while there is none.
    async fn generation(&self, writeable: bool) -> Result<Arc<Generation>> {
        let mut state = self.state.subscribe();
        loop {
            let (deadline, cause) = match &*state.borrow_and_update() {
                State::Serving(generation) => return Ok(Arc::clone(generation)),
                State::Failed { last: Some(generation), .. } if !writeable => return Ok(Arc::clone(generation)),
                State::Failed { at, failure, .. } => (*at + WRITER_TIMEOUT, failure.cause.clone()),
                State::Closed => return Err(Error::Shutdown),
            };
            if tokio::time::timeout_at(deadline, state.changed()).await.is_err() {
                return Err(Error::Datastore(format!(
                    "the disk refused a write ({cause}), and the log is not open again yet"
                )));
            }
        }
    }

    /// Commits and waits for the sync.
    pub(crate) async fn commit(
        self: &Arc<Self>,
        generation: &Arc<Generation>,
        inner: &mut surrealkv::Transaction,
        wrote: bool,
    ) -> Result<()> {
        let reopened =
            || Error::TransactionConflict("the log was opened again since this transaction began".to_owned());
        if wrote && generation.failed.load(Ordering::Acquire) {
            return Err(reopened());
        }
        match inner.commit().await {
            // Stored, but in a log that is in doubt.
            Ok(()) if wrote && generation.failed.load(Ordering::Acquire) => {
                Err(Error::CommitOutcomeUnknown("another commit to the same log failed".to_owned()))
            }
            Ok(()) => Ok(()),
            Err(error) if is_refusal(&error) => Err(translate(error)),
            Err(error) => {
                self.fail(generation, &error);
                match error {
                    // It was not started.
                    surrealkv::Error::DatabasePoisoned(_) => Err(reopened()),
                    error => Err(Error::CommitOutcomeUnknown(error.to_string())),
                }
            }
        }
    }

    /// Commits, hands the commit to the log, and waits until that acknowledges it. Once begun it goes on to its end,
    /// whatever becomes of the caller: a commit that the log does not get would be missing on all other servers.
    pub(crate) async fn commit_replicated(
        self: &Arc<Self>,
        generation: &Arc<Generation>,
        mut inner: surrealkv::Transaction,
        changes: Changes,
    ) -> Result<()> {
        if changes.as_bytes().len() > MAX_CHANGES {
            return Err(Error::TransactionTooLarge);
        }
        let (this, generation) = (Arc::clone(self), Arc::clone(generation));
        let commit = async move {
            let Some(log) = this.log.get() else { return Err(Error::Shutdown) };
            log.admit().await.map_err(Error::Datastore)?;
            inner.set_durability(Durability::Eventual);
            let turn = this.quiet().await;
            this.commit(&generation, &mut inner, true).await?;
            let acknowledged = log.append(changes);
            drop(turn);
            let unknown = || Error::CommitOutcomeUnknown("the server no longer leads".to_owned());
            acknowledged.await.map_err(|_| unknown())
        };
        tokio::spawn(commit).await.map_err(|failure| Error::CommitOutcomeUnknown(failure.to_string()))?
    }

    /// Takes the tree out of service and starts to reopen it.
    fn fail(self: &Arc<Self>, generation: &Arc<Generation>, cause: &surrealkv::Error) {
        if let Some(log) = self.log.get() {
            // Before anybody can read what the log did not get: what is opened again may have a commit that the log lacks,
            // or lack one that it has.
            log.broken();
        }
        if generation.failed.swap(true, Ordering::AcqRel) {
            return;
        }
        let failure = Failure { since: SystemTime::now(), cause: cause.to_string() };
        let began = self.state.send_if_modified(|state| {
            let serving = matches!(state, State::Serving(current) if Arc::ptr_eq(current, generation));
            if serving {
                let last = Some(Arc::clone(generation));
                *state = State::Failed { last, at: Instant::now(), failure: failure.clone() };
            }
            serving
        });
        if !began {
            return;
        }
        if self.log.get().is_some() {
            error!(cause = %failure.cause, "a write to the log failed; this server can no longer lead");
            return;
        }
        error!(cause = %failure.cause, "a write to the log failed; nothing is acknowledged until it was checked and opened again");
        tokio::spawn(Arc::clone(self).reopen());
    }

    async fn reopen(self: Arc<Self>) {
        let started = Instant::now();
        let mut pause = RETRY_PAUSE.0;
        let mut reported = String::new();
        loop {
            match self.try_reopen().await {
                Ok(true) => {
                    info!(milliseconds = started.elapsed().as_millis() as u64, "the log was checked and reopened");
                    return;
                }
                Ok(false) => return,
                Err(reason) => {
                    // A full disk stays full for a while: logged once, and again when the reason changes.
                    if reported != reason {
                        warn!(%reason, "the log cannot be opened again yet");
                        reported = reason;
                    }
                }
            }
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(RETRY_PAUSE.1);
        }
    }

    /// One attempt; false when the engine was closed meanwhile.
    async fn try_reopen(&self) -> Result<bool, String> {
        folder::probe(self.options.clone()).await?;
        let _lock = self.reopen_lock.lock().await;
        let mut last = None;
        let closed = !self.state.send_if_modified(|state| match state {
            State::Failed { last: open, .. } => {
                last = open.take();
                true
            }
            State::Serving(_) | State::Closed => false,
        });
        if closed {
            return Ok(false);
        }
        if let Some(generation) = last {
            close_tree(&generation.tree).await;
        }
        let (tree, discarded) = folder::open_again(self.options.clone()).await.map_err(|error| error.to_string())?;
        let quarantined_logs = folder::quarantined_logs(&self.options.folder);
        let mut history = self.history.lock();
        history.reopened += 1;
        history.discarded = history.discarded.and(discarded);
        history.quarantined_logs = quarantined_logs;
        drop(history);
        self.state.send_replace(State::Serving(Generation::new(tree)));
        Ok(true)
    }

    pub(crate) async fn close(&self) {
        let state = self.state.send_replace(State::Closed);
        let _lock = self.reopen_lock.lock().await;
        match state {
            State::Serving(generation) | State::Failed { last: Some(generation), .. } => {
                close_tree(&generation.tree).await
            }
            State::Failed { last: None, .. } | State::Closed => {}
        }
    }
}

/// Closes a tree and releases its folder, whatever fails on the way.
async fn close_tree(tree: &Tree) {
    if let Err(failure) = tree.close().await {
        // What was acknowledged is in the log anyway; a close that fails keeps the lock.
        warn!(%failure, "closing the log failed; it is recovered when it is opened next");
        tree.abandon();
    }
}
