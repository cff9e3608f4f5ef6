//! The storage engine under the store: SurrealDB's published extension point, implemented over `surrealkv`.
//!
//! SurrealDB asks for a [`TransactionBuilder`](surrealdb_kvs::TransactionBuilder) and drives [`Transactable`
//! transactions](surrealdb_kvs::Transactable) through it; [`Engine::factory`] gives it ours. What this crate adds to a
//! plain adapter:
//!
//! * **Acknowledged means stored.** Every commit waits for the sync of the log. After a write or sync that failed, nothing
//!   is acknowledged until the log was closed, checked and opened again; see `keeper.rs`.
//! * **Nothing is left out silently.** A recovery that would leave out complete records does not start by itself
//!   ([`OpenError::Incomplete`]), and whatever was left out is kept aside and reported ([`Health`]).
//! * **Data of the engine before this one** (0.21) is migrated at the first open; [`is_before_migration`] says when to
//!   copy the folder.
//! * **Memory has fixed limits**, which SurrealDB's own adapter takes from the size of the machine.

mod error;
mod factory;
mod folder;
mod keeper;
mod transaction;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::SystemTime;

pub use error::OpenError;
pub use factory::Factory;
pub use folder::{check_old_log, copy, is_before_migration, kept_aside, lock};

use crate::keeper::Keeper;

/// How a folder is opened.
#[derive(Debug, Clone)]
pub struct Options {
    pub folder: PathBuf,
    /// Three tables of this size can be in memory at once: one being written, two being flushed.
    pub memtable_bytes: usize,
    /// Blocks of tables on disk that are kept in memory.
    pub block_cache_bytes: u64,
    /// Open even though complete records of the log have to be left out; what they are in is kept aside.
    pub accept_data_loss: bool,
}

/// What opening the log left out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// Bytes cut off the log: the beginning of a write that a crash or a full disk interrupted, and all behind it.
    pub bytes: u64,
    /// Complete records among them. They were never acknowledged, unless a loss was `accepted`.
    pub records: usize,
    /// The operator started with [`Options::accept_data_loss`], and it was needed.
    pub accepted: bool,
}

impl LeftOut {
    pub fn is_nothing(&self) -> bool {
        self.bytes == 0 && self.records == 0 && !self.accepted
    }

    /// What two openings left out together.
    pub fn and(self, other: Self) -> Self {
        Self {
            bytes: self.bytes + other.bytes,
            records: self.records + other.records,
            accepted: self.accepted || other.accepted,
        }
    }
}

/// Why the engine takes no writes at the moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    pub since: SystemTime,
    pub cause: String,
}

/// How the engine is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Health {
    /// A write or sync failed, and the log is not open again yet.
    pub failure: Option<Failure>,
    /// How often the log was closed, checked and opened again after a failure.
    pub reopened: u64,
    /// What the openings of this process left out.
    pub left_out: LeftOut,
    /// Copies of logs as they were before something was left out, also by processes before this one.
    pub kept_aside: Vec<PathBuf>,
}

/// An open folder. Cheap to clone; all clones are one handle.
#[derive(Clone)]
pub struct Engine {
    keeper: Arc<Keeper>,
}

impl Engine {
    /// Opens the folder, creating it if need be, and recovers what a crash left. One process can have it open.
    pub async fn open(options: Options) -> Result<Self, OpenError> {
        // The engine's blocking work runs on SurrealDB's pool of threads; without one it runs on the caller's.
        surrealdb_kvs::threadpool::initialise();
        Ok(Self { keeper: Keeper::open(options).await? })
    }

    /// What SurrealDB builds its transactions with.
    pub fn factory(&self) -> Factory {
        Factory::new(Arc::clone(&self.keeper))
    }

    pub fn health(&self) -> Health {
        self.keeper.health()
    }

    /// Entries that range scans stepped over since the start: what reading costs, whatever else the machine does.
    pub fn entries_read(&self) -> u64 {
        self.keeper.entries_read()
    }

    /// Flushes everything to disk and releases the folder; returns when that is done.
    pub async fn close(&self) {
        self.keeper.close().await;
    }
}
