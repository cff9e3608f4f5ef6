//! Opening and closing SurrealDB, and what we ask of its storage engine.
//!
//! The public SDK (`Surreal::new::<SurrealKv>(path)`) cannot pass memory limits on: the settings behind `?…` of an
//! address get the prefix `datastore_`, and SurrealKV reads its sizes under `surrealkv_…`, which an embedded
//! process gives it only through `Datastore::builder().with_config` (the `SURREAL_*` variables are read by the
//! server binary alone). Left alone it takes a memtable of up to 4 GiB and a block cache of half the memory. So we
//! build the datastore ourselves and hand it to the SDK; holding it also lets us await its shutdown, which
//! dropping the SDK's handle does not.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use surrealdb::Surreal;
use surrealdb::engine::local::Db;
use surrealdb_cnf::ConfigMap;
use surrealdb_engine_local::{Datastore, EngineOptions};

use crate::error::StoreError;
use crate::{DatabaseUrl, Result};

/// Three of these can be alive at once (one written, two being flushed), so at most 48 MiB. A transaction must fit
/// into one; our largest is a journal record of 1 MiB.
const MEMTABLE_BYTES: usize = 16 << 20;

/// Blocks of tables on disk kept in memory. Live games are never read from the store, so a small one serves.
const BLOCK_CACHE_BYTES: u64 = 32 << 20;

const NAMESPACE: &str = "morpion";
const DATABASE: &str = "main";

pub(crate) struct Engine {
    pub(crate) db: Surreal<Db>,
    datastore: Arc<Datastore>,
}

impl Engine {
    /// Opens the folder (creating it if need be) or a fresh memory.
    pub(crate) async fn open(url: &DatabaseUrl) -> Result<Self> {
        let address = match url {
            DatabaseUrl::Memory => "mem://".to_owned(),
            DatabaseUrl::Folder(path) => {
                prepare_folder(path)?;
                let text = path.to_str().filter(|text| !text.contains('?')).ok_or_else(|| StoreError::Folder {
                    path: path.clone(),
                    reason: "its name has characters the database cannot take".to_owned(),
                })?;
                // `every` is the default of 3.3.5; it is said because durability must not hang on a default.
                format!("surrealkv://{text}?sync=every")
            }
        };
        let opened = Datastore::builder()
            .with_config(settings())
            .with_engine_options(cadences())
            // The version must be settled before anything writes, so the tasks start by hand below.
            .without_maintenance_tasks()
            .build_with_path(&address)
            .await;
        let datastore = opened.map_err(|error| cannot_open(url, &error.to_string()))?;
        let ready = async {
            datastore.check_version().await?;
            datastore.bootstrap().await
        };
        if let Err(error) = ready.await {
            let error = cannot_open(url, &error.to_string());
            shut_down(&datastore).await.ok();
            return Err(error);
        }
        datastore.start_maintenance_tasks();
        let db = Surreal::<Db>::unstable_from_datastore(Arc::clone(&datastore), None)
            .await
            .map_err(|error| cannot_open(url, error.message()))?;
        let engine = Self { db, datastore };
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

    /// Stops the background tasks, flushes everything to disk and releases the folder; returns when that is done.
    pub(crate) async fn close(&self) -> Result<()> {
        shut_down(&self.datastore).await
    }
}

async fn shut_down(datastore: &Datastore) -> Result<()> {
    datastore.shutdown().await.map_err(|error| StoreError::Unavailable(format!("closing failed: {error}")))
}

fn settings() -> ConfigMap {
    ConfigMap::empty()
        .with_key_value("surrealkv_max_memtable_size", MEMTABLE_BYTES.to_string())
        .with_key_value("surrealkv_block_cache_capacity", BLOCK_CACHE_BYTES.to_string())
        // A file of the value log is deleted only when no table refers to it or to a later one, and compaction never
        // moves values: a single old game would keep every journal record written after it on disk for ever.
        .with_key_value("surrealkv_enable_vlog", "false")
}

/// The engine's own jobs at the pace of a single node: its heartbeat is a synced write, by default every 3 s, and
/// other nodes, change feeds and remote sessions do not exist here (zero switches a job off).
fn cadences() -> EngineOptions {
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

/// SurrealDB reports all of these as text only; `store_open.rs` holds each phrase to the pinned version.
fn cannot_open(url: &DatabaseUrl, message: &str) -> StoreError {
    let path = url.folder().unwrap_or(Path::new("")).to_owned();
    if message.contains("already locked by another process") {
        StoreError::InUse { path }
    } else if message.contains("migrated by a newer version") || message.contains("out-of-date with this version") {
        StoreError::Newer { found: format!("another database engine ({message})"), known: "SurrealDB 3.3.5".into() }
    } else if message.contains("orrupt") || message.contains("invalid storage version") {
        StoreError::Corrupt(message.to_owned())
    } else {
        StoreError::Folder { path, reason: message.to_owned() }
    }
}
