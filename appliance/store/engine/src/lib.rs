//! The storage engine under the store: SurrealDB's published extension point, implemented over `surrealkv`.
//!
//! SurrealDB requests a [`TransactionBuilder`](surrealdb_kvs::TransactionBuilder) and drives [`Transactable`
//! transactions](surrealdb_kvs::Transactable) through it; [`Engine::factory`] provides ours. What this crate adds to a
//! plain adapter:
//!
//! * **Acknowledged means stored.** Every commit waits for the sync of the log. After a write or sync that failed, nothing
//!   is acknowledged until the log was closed, checked and opened again; see `supervisor.rs`.
//! * **Nothing is left out silently.** A recovery that would leave out complete records does not start by itself
//!   ([`OpenError::Incomplete`]), and whatever was left out is kept aside and reported ([`Health`]).
//! * **Data of the engine before this one** (0.21) is migrated at the first open; [`is_before_migration`] says when to
//!   copy the folder.
//! * **Replication**: commits can go to a log that other servers follow; see `replication.rs`.
//! * **Encryption at rest**, chosen when a folder is created; [`check_key`] says whether a key fits, and changes nothing.
//! * **Tables are compressed**, fast where they are soon written again and densely below; see `folder.rs`.
//! * **Memory has fixed limits**, which SurrealDB's own adapter takes from the size of the machine.

mod error;
mod factory;
mod folder;
mod key;
mod keyed;
mod numbered;
mod replication;
mod supervisor;
mod tasks;
mod transaction;
mod yielding;

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::SystemTime;

pub use error::{CheckpointError, OpenError};
pub use factory::Factory;
pub use folder::{check_old_log, copy, copy_with_links, is_before_migration, is_in_use, lock, quarantined_logs};
pub use key::{DataKey, MANIFEST, NotAKey, check_key, check_manifest, is_encrypted};
pub use keyed::{Entry, KeyedRecords, RecordError, RecordTransaction};
pub use numbered::NumberedRecords;
pub use replication::{Changes, CommitLog, MAX_CHANGES, Quiet};
pub use yielding::{yield_point, yield_when_reading};

use crate::supervisor::EngineSupervisor;

/// Options of opening a folder.
#[derive(Debug, Clone)]
pub struct Options {
    pub folder: PathBuf,
    /// Three tables of this size can be in memory at once: one being written, two being flushed.
    pub memtable_bytes: usize,
    /// Size of the cache for blocks of tables.
    pub block_cache_bytes: u64,
    /// Open even if complete records of the log have to be discarded; a copy of them is kept.
    pub accept_data_loss: bool,
    /// Encrypts a new database; an existing one opens only with the key it was made with, or without one.
    pub key: Option<DataKey>,
}

/// What opening the log discarded.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DiscardedData {
    /// Bytes cut off the log: the start of a write that a crash or a full disk interrupted, and all after it.
    pub bytes: u64,
    /// Complete records among them. They were never acknowledged, unless a loss was `accepted`.
    pub records: usize,
    /// The operator started with [`Options::accept_data_loss`], and it was needed.
    pub accepted: bool,
}

impl DiscardedData {
    pub fn is_nothing(&self) -> bool {
        self.bytes == 0 && self.records == 0 && !self.accepted
    }

    /// The sum of two opens.
    pub fn and(self, other: Self) -> Self {
        Self {
            bytes: self.bytes + other.bytes,
            records: self.records + other.records,
            accepted: self.accepted || other.accepted,
        }
    }
}

/// Why the engine accepts no writes at the moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    pub since: SystemTime,
    pub cause: String,
}

/// The health of the engine.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Health {
    /// A write or sync failed, and the log is not reopened yet.
    pub failure: Option<Failure>,
    /// How often the log was closed, checked and reopened after a failure.
    pub reopened: u64,
    /// What this process discarded.
    pub discarded: DiscardedData,
    /// Copies of logs from before something was discarded, also by earlier processes.
    pub quarantined_logs: Vec<PathBuf>,
}

/// An open folder. Cheap to clone; all clones are one handle.
#[derive(Clone)]
pub struct Engine {
    supervisor: Arc<EngineSupervisor>,
}

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Engine").finish_non_exhaustive()
    }
}

impl Engine {
    /// Opens the folder, creating it if necessary, and recovers after a crash. Only one process can have it open.
    pub async fn open(options: Options) -> Result<Self, OpenError> {
        Ok(Self { supervisor: EngineSupervisor::open(options).await? })
    }

    /// What SurrealDB builds its transactions with. A shutdown of SurrealDB closes the engine, unless it is `shared`.
    pub fn factory(&self, shared: bool) -> Factory {
        Factory::new(Arc::clone(&self.supervisor), shared)
    }

    /// From now on each commit goes to the log, and is acknowledged when that says so. False if there is a log already.
    pub fn replicate(&self, log: Arc<dyn CommitLog>) -> bool {
        self.supervisor.replicate(log)
    }

    /// Applies what another server committed, and stores `state` in the same transaction; on disk once this returns, with
    /// everything that was committed before. Neither goes to the log.
    ///
    /// # Errors
    /// The disk refused, the log is not open again yet after it did, the engine is closed, or a change cannot be read.
    pub async fn apply(&self, changes: &[Changes], state: &[u8]) -> Result<(), RecordError> {
        self.supervisor.apply(changes, state).await
    }

    /// What [`Engine::apply`] stored last.
    ///
    /// # Errors
    /// The engine is closed, or the data cannot be read.
    pub async fn state(&self) -> Result<Option<Vec<u8>>, RecordError> {
        self.supervisor.state().await
    }

    /// Waits until all replicated commits that were begun are with the log; further ones wait until this is dropped.
    pub async fn quiet(&self) -> Quiet {
        self.supervisor.quiet().await
    }

    /// Records of our own, beside SurrealDB's.
    pub fn keyed(&self, name: &str) -> KeyedRecords {
        KeyedRecords::new(Arc::clone(&self.supervisor), name)
    }

    /// As [`Engine::keyed`], by number.
    pub fn numbered(&self, name: &str) -> NumberedRecords {
        NumberedRecords::new(self.keyed(name))
    }

    pub fn health(&self) -> Health {
        self.supervisor.health()
    }

    /// Entries that range scans stepped over since the start: the cost of reading, independent of other load.
    pub fn entries_read(&self) -> u64 {
        self.supervisor.entries_read()
    }

    /// Waits until a read fails, which damaged data never cease to do, and returns why the first one did.
    pub async fn unreadable(&self) -> String {
        self.supervisor.unreadable().await
    }

    /// Makes a copy of the tables in another folder of the same disk, as of this moment: links, which cost no space.
    /// What is committed from then on is in the log's segments that there are before this call, and later ones.
    ///
    /// # Errors
    /// Why it could not be made, for example that the log is not open again after a failure.
    pub async fn checkpoint(&self, to: PathBuf) -> Result<(), CheckpointError> {
        self.supervisor.checkpoint(to).await
    }

    /// Flushes everything to disk and releases the folder; returns when that is done.
    pub async fn close(&self) {
        self.supervisor.close().await;
    }
}
