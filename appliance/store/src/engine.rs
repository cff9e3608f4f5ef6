//! Opening and closing SurrealDB over our storage engine.
//!
//! The public SDK opens only its own engines. So we build the datastore ourselves, over [`morpion_engine`], and hand it
//! to the SDK; holding it also lets us await its shutdown, which dropping the SDK's handle does not.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use morpion_engine::{DataKey, DiscardedData, Health, OpenError, Options};
use surrealdb::Surreal;
use surrealdb::engine::local::Db;
use surrealdb_engine_local::{Datastore, EngineOptions};

use crate::error::StoreError;
use crate::journal::records::Records;
use crate::keyed::KeyedRecords;
use crate::played;
use crate::{DatabaseUrl, OpenOptions, Result};

/// Three of these can be alive at once (one written, two being flushed), so at most 48 MiB. A larger transaction goes
/// to a table of its own.
const MEMTABLE_BYTES: usize = 16 << 20;

/// Blocks of tables on disk kept in memory. Live games are never read from the store, so a small one serves.
const BLOCK_CACHE_BYTES: u64 = 32 << 20;

const NAMESPACE: &str = "morpion";
const DATABASE: &str = "main";

pub(crate) struct Engine {
    pub(crate) db: Surreal<Db>,
    datastore: Arc<Datastore>,
    pub(crate) journal: Records,
    /// What players played.
    pub(crate) played: KeyedRecords,
    /// None in memory.
    disk: Option<morpion_engine::Engine>,
    /// What an earlier open of the same start discarded.
    earlier: DiscardedData,
}

impl Engine {
    /// Opens the folder (creating it if need be) or a fresh memory.
    pub(crate) async fn open(url: &DatabaseUrl, options: &OpenOptions) -> Result<Self> {
        let disk = match (url, &options.engine) {
            (DatabaseUrl::Memory, _) => None,
            (DatabaseUrl::Folder(_), Some(open)) => Some(open.clone()),
            (DatabaseUrl::Folder(path), None) => Some(open_folder(path, options).await?),
        };
        let builder = Datastore::builder()
            .with_engine_options(maintenance_intervals())
            // The version has to be checked before anything writes, so the tasks are started below.
            .without_maintenance_tasks();
        let opened = match &disk {
            None => builder.build_with_path("mem://").await,
            Some(disk) => builder.build_with_factory_path("", disk.factory(options.engine.is_some())).await,
        };
        let datastore = opened.map_err(|error| cannot_open(url, &error.to_string()))?;
        let ready = async {
            datastore.check_version().await?;
            datastore.bootstrap().await
        };
        // SurrealDB repeats a read that fails for two minutes, as if another server might still come up.
        let unreadable = async {
            match &disk {
                None => std::future::pending().await,
                Some(disk) => disk.unreadable().await,
            }
        };
        let ready = tokio::select! {
            result = ready => result.map_err(|error| cannot_open(url, &error.to_string())),
            reason = unreadable => Err(StoreError::Corrupt(reason)),
        };
        if let Err(error) = ready {
            shut_down(&datastore).await.ok();
            return Err(error);
        }
        datastore.start_maintenance_tasks();
        let db = Surreal::<Db>::unstable_from_datastore(Arc::clone(&datastore), None)
            .await
            .map_err(|error| cannot_open(url, error.message()))?;
        let engine = Self {
            db,
            datastore,
            journal: Records::of(disk.as_ref()),
            played: KeyedRecords::of(disk.as_ref(), played::NAME),
            disk,
            earlier: DiscardedData::default(),
        };
        // SurrealDB 3 makes no namespace or database by itself.
        let setup = format!(
            "DEFINE NAMESPACE IF NOT EXISTS {NAMESPACE}; USE NS {NAMESPACE}; DEFINE DATABASE IF NOT EXISTS {DATABASE}"
        );
        let selected = async {
            engine.db.query(setup).await?.check()?;
            engine.db.use_ns(NAMESPACE).use_db(DATABASE).await
        };
        if let Err(error) = selected.await {
            let error = cannot_open(url, error.message());
            engine.close().await.ok();
            return Err(error);
        }
        Ok(engine)
    }

    /// Stops the background tasks, flushes everything to disk and releases the folder; returns when that is done. An engine
    /// that was open before stays open.
    pub(crate) async fn close(&self) -> Result<()> {
        shut_down(&self.datastore).await
    }

    /// A copy of the tables in another folder of the same disk.
    pub(crate) async fn checkpoint(&self, to: PathBuf) -> Result<()> {
        let Some(disk) = &self.disk else {
            return Err(StoreError::Unavailable("data in memory cannot be backed up".to_owned()));
        };
        disk.checkpoint(to).await.map_err(|error| StoreError::Unavailable(error.to_string()))
    }

    pub(crate) fn entries_read(&self) -> u64 {
        self.disk.as_ref().map_or(0, morpion_engine::Engine::entries_read)
    }

    /// This engine, after an earlier open in the same start.
    pub(crate) fn after(self, earlier: &Health) -> Self {
        Self { earlier: earlier.discarded, ..self }
    }

    pub(crate) fn health(&self) -> Health {
        let health = self.disk.as_ref().map(morpion_engine::Engine::health).unwrap_or_default();
        Health { discarded: health.discarded.and(self.earlier), ..health }
    }
}

async fn shut_down(datastore: &Datastore) -> Result<()> {
    datastore.shutdown().await.map_err(|error| StoreError::Unavailable(format!("closing failed: {error}")))
}

/// The intervals of SurrealDB's maintenance tasks for a single node: its heartbeat is a synced write, by default every
/// 3 s, and other nodes, change feeds and remote sessions do not exist here (zero disables a task).
fn maintenance_intervals() -> EngineOptions {
    EngineOptions::default()
        .with_node_membership_refresh_interval(Duration::from_secs(60))
        .with_node_membership_check_interval(Duration::ZERO)
        .with_changefeed_gc_interval(Duration::ZERO)
        .with_tikv_gc_interval(Duration::ZERO)
        .with_tikv_lock_cleanup_interval(Duration::ZERO)
        .with_rpc_session_gc_interval(Duration::ZERO)
        .with_system_metrics_refresh_interval(Duration::ZERO)
        .with_event_processing_interval(Duration::from_secs(60))
        .with_graph_fold_interval(Duration::from_secs(60))
}

/// Creates the folder for its owner alone and makes sure that it can be written to.
fn prepare_folder(path: &Path) -> Result<()> {
    let refuse = |error: std::io::Error| StoreError::Folder { path: path.to_owned(), reason: error.to_string() };
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path).map_err(refuse)?;
    std::fs::read_dir(path).map_err(refuse)?;
    let probe = path.join(".writable");
    std::fs::write(&probe, b"").and_then(|()| std::fs::remove_file(&probe)).map_err(refuse)
}

/// Checks whether the database in the folder opens with this key, before anything is changed.
pub(crate) fn check_key(path: &Path, key: Option<&DataKey>) -> Result<()> {
    morpion_engine::check_key(path, key).map_err(|error| cannot_open_folder(path, error))
}

/// Opens the storage engine alone.
pub(crate) async fn open_folder(path: &Path, options: &OpenOptions) -> Result<morpion_engine::Engine> {
    check_key(path, options.key.as_ref())?;
    prepare_folder(path)?;
    let options = Options {
        folder: path.to_owned(),
        memtable_bytes: MEMTABLE_BYTES,
        block_cache_bytes: BLOCK_CACHE_BYTES,
        accept_data_loss: options.accept_data_loss,
        key: options.key.clone(),
    };
    morpion_engine::Engine::open(options).await.map_err(|error| cannot_open_folder(path, error))
}

pub(crate) fn cannot_open_folder(path: &Path, error: OpenError) -> StoreError {
    let path = path.to_owned();
    match error {
        OpenError::InUse => StoreError::InUse { path },
        OpenError::Incomplete { reason, .. } => StoreError::Incomplete { path, reason },
        OpenError::NotEncrypted => StoreError::NotEncrypted,
        OpenError::KeyNeeded => StoreError::KeyNeeded,
        OpenError::WrongKey => StoreError::WrongKey,
        OpenError::Damaged(reason) => StoreError::Corrupt(reason),
        OpenError::Folder(reason) => StoreError::Folder { path, reason },
    }
}

/// SurrealDB reports these as text only; `store_open.rs` holds each phrase to the pinned version.
fn cannot_open(url: &DatabaseUrl, message: &str) -> StoreError {
    if message.contains("migrated by a newer version") || message.contains("out-of-date with this version") {
        StoreError::Newer { found: format!("another database engine ({message})"), known: "SurrealDB 3.3.5".into() }
    } else if message.contains("orrupt") || message.contains("invalid storage version") {
        StoreError::Corrupt(message.to_owned())
    } else {
        StoreError::Folder { path: url.folder().unwrap_or(Path::new("")).to_owned(), reason: message.to_owned() }
    }
}
