//! Migrations of the schema.
//!
//! A migration is a file `src/migrations/NNNN_name.surql` and a line in [`MIGRATIONS`]. It runs once, in one
//! transaction with the record that says so; existing data is backed up before. To change the schema add a file: an
//! applied one never changes, which its checksum enforces.

use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};
use sha2::{Digest, Sha256};
use surrealdb::types::{RecordId, SurrealValue, vars};
use tracing::info;

use crate::engine::{Engine, cannot_open_folder, check_key};
use crate::error::StoreError;
use crate::journal::records::adopt_rows;
use crate::store::{OpenOptions, rows, run};
use crate::{DatabaseUrl, Result};

struct Migration {
    number: u32,
    name: &'static str,
    text: &'static str,
}

macro_rules! migrations {
    ($($number:literal $name:literal),* $(,)?) => {
        &[$(Migration {
            number: $number,
            name: $name,
            text: include_str!(concat!("migrations/", $name, ".surql")),
        }),*]
    };
}

/// All migrations, by number. They are independent: data may lack one in the middle, which is then applied.
const MIGRATIONS: &[Migration] = migrations![
    1 "0001_accounts",
    2 "0002_play",
    3 "0003_events",
    4 "0004_account_upkeep",
    5 "0005_logs",
    6 "0006_billing",
    7 "0007_event_facts",
    8 "0008_account_changes",
    9 "0009_audit_chain",
    10 "0010_second_factor",
    11 "0011_credentials",
    12 "0012_code_allowances",
    13 "0013_moderation",
    14 "0014_ratings",
    15 "0015_notifications",
    16 "0016_engine_use",
    17 "0017_player_history",
    18 "0018_journal_records",
    19 "0019_history_records",
    20 "0020_finished_games",
    21 "0021_dense_games",
    22 "0022_credential_versions",
    23 "0023_event_news",
    24 "0024_password_links",
    25 "0025_stages",
    26 "0026_private_events",
    27 "0027_personal_tokens",
    28 "0028_bots",
    29 "0029_webhooks",
    30 "0030_series",
];

/// From this migration on the journal's records are no rows.
pub(crate) const JOURNAL_RECORDS: u32 = 18;

/// Backups made here are full copies of the data, so only the latest few are kept.
const BACKUPS_KEPT: usize = 3;

#[derive(Debug, SurrealValue)]
struct Applied {
    number: u32,
    name: String,
    checksum: String,
    applied_at: DateTime<Utc>,
}

/// Opens the database with its schema at the latest migration.
pub(crate) async fn open_current(url: &DatabaseUrl, options: &OpenOptions) -> Result<Engine> {
    if let Some(folder) = url.folder().filter(|folder| morpion_engine::is_before_migration(folder)) {
        check_key(folder, options.key.as_ref())?;
        if !options.accept_data_loss {
            morpion_engine::check_old_log(folder).map_err(|error| cannot_open_folder(folder, error))?;
        }
        back_up(folder, options, "engine-1").await?;
    }
    let mut engine = Engine::open(url, options).await?;
    let pending = match pending(&engine).await {
        Ok(pending) => pending,
        Err(error) => return close_and(engine, error).await,
    };
    if let (false, Some(first), Some(folder)) = (pending.fresh, pending.migrations.first(), url.folder()) {
        // A copy of an open database would be inconsistent.
        let earlier = engine.health();
        engine.close().await?;
        let before = format!("{:04}", first.number);
        match &options.engine {
            Some(open) => back_up_open(open, folder, options, &before).await?,
            None => back_up(folder, options, &before).await?,
        }
        engine = Engine::open(url, options).await?.after(&earlier);
    }
    match apply_pending(&engine).await {
        Ok(()) => Ok(engine),
        Err(error) => close_and(engine, error).await,
    }
}

/// What opening the data would change, tried on a copy of it, which is changed: migrations by name.
pub(crate) async fn try_on(copy: &Path, options: &OpenOptions) -> Result<Vec<String>> {
    let url = DatabaseUrl::Folder(copy.to_owned());
    let mut steps = vec![];
    if morpion_engine::is_before_migration(copy) {
        steps.push("the format of the storage engine".to_owned());
    }
    let engine = Engine::open(&url, options).await?;
    let found = pending(&engine).await;
    engine.close().await?;
    steps.extend(found?.migrations.iter().map(|migration| migration.name.to_owned()));
    open_current(&url, options).await?.close().await?;
    Ok(steps)
}

/// Closes what failed.
pub(crate) async fn close_and<T>(engine: Engine, error: StoreError) -> Result<T> {
    engine.close().await.ok();
    Err(error)
}

struct Pending {
    /// No migration was ever applied: there is no data to lose.
    fresh: bool,
    migrations: Vec<&'static Migration>,
}

async fn pending(engine: &Engine) -> Result<Pending> {
    run(engine, "DEFINE TABLE IF NOT EXISTS migration TYPE NORMAL SCHEMALESS", vars! {}).await?;
    let mut response = run(engine, "SELECT * FROM migration", vars! {}).await?;
    let mut applied: Vec<Applied> = rows(&mut response, 0)?;
    applied.sort_by_key(|row| row.number);
    if let Some(unknown) = applied.iter().rev().find(|row| known(row.number).is_none()) {
        let latest = MIGRATIONS.last().map_or("", |migration| migration.name);
        return Err(StoreError::Newer { found: unknown.name.clone(), known: latest.to_owned() });
    }
    for row in &applied {
        if known(row.number).is_some_and(|migration| row.checksum != checksum(migration.text)) {
            return Err(StoreError::MigrationChanged { number: row.number });
        }
    }
    let is_pending = |migration: &&Migration| applied.iter().all(|row| row.number != migration.number);
    Ok(Pending { fresh: applied.is_empty(), migrations: MIGRATIONS.iter().filter(is_pending).collect() })
}

/// The migrations that were applied, by number; all are known here.
pub(crate) async fn applied(engine: &Engine) -> Result<Vec<u32>> {
    let pending: Vec<u32> = pending(engine).await?.migrations.iter().map(|migration| migration.number).collect();
    let all = MIGRATIONS.iter().map(|migration| migration.number);
    Ok(all.filter(|number| !pending.contains(number)).collect())
}

/// # Errors
/// [`StoreError::Newer`] if this program does not have one of them.
pub(crate) fn check_known(numbers: &[u32]) -> Result<()> {
    match numbers.iter().find(|number| known(**number).is_none()) {
        Some(unknown) => {
            let latest = MIGRATIONS.last().map_or("", |migration| migration.name);
            Err(StoreError::Newer { found: format!("{unknown:04}"), known: latest.to_owned() })
        }
        None => Ok(()),
    }
}

/// Gives a fresh database the schema of these migrations.
pub(crate) async fn apply_only(engine: &Engine, numbers: &[u32]) -> Result<()> {
    for migration in pending(engine).await?.migrations {
        if numbers.contains(&migration.number) {
            apply(engine, migration).await?;
        }
    }
    Ok(())
}

/// Applies what is left, without a copy before.
pub(crate) async fn apply_pending(engine: &Engine) -> Result<()> {
    for migration in pending(engine).await?.migrations {
        apply(engine, migration).await?;
    }
    adopt_rows(engine).await
}

fn known(number: u32) -> Option<&'static Migration> {
    MIGRATIONS.iter().find(|migration| migration.number == number)
}

async fn apply(engine: &Engine, migration: &Migration) -> Result<()> {
    let Migration { number, name, text } = *migration;
    let applied = Applied { number, name: name.to_owned(), checksum: checksum(text), applied_at: Utc::now() };
    let query = format!("BEGIN;\n{text}\nCREATE $id CONTENT $applied RETURN NONE;\nCOMMIT;");
    let id = RecordId::new("migration", i64::from(number));
    run(engine, &query, vars! { id: id, applied: applied })
        .await
        .map_err(|error| StoreError::Migration { number, reason: error.to_string() })?;
    info!(migration = name, "schema migrated");
    Ok(())
}

fn checksum(text: &str) -> String {
    // Line endings may change in a checkout; the schema does not.
    crate::hex(&Sha256::digest(text.replace("\r\n", "\n")))
}

/// Copies a closed data folder to `backups/<name>-<time>-before-<migration>` and removes the oldest copies.
async fn back_up(folder: &Path, options: &OpenOptions, before: &str) -> Result<()> {
    let copies = Copies::of(folder, options, before);
    let folder = folder.to_owned();
    let work = move || {
        let _lock = morpion_engine::lock(&folder).map_err(|error| cannot_open_folder(&folder, error))?;
        let copied = morpion_engine::copy(&folder, &copies.unfinished).map_err(|error| error.to_string());
        copies.keep(copied)
    };
    tokio::task::spawn_blocking(work).await.map_err(|error| StoreError::Unavailable(error.to_string()))?
}

/// As [`back_up`], of a folder whose engine is open.
async fn back_up_open(
    engine: &morpion_engine::Engine,
    folder: &Path,
    options: &OpenOptions,
    before: &str,
) -> Result<()> {
    let copies = Copies::of(folder, options, before);
    let copied = match std::fs::create_dir_all(&copies.folder) {
        Ok(()) => engine.checkpoint(copies.unfinished.clone()).await.map_err(|error| error.to_string()),
        Err(error) => Err(error.to_string()),
    };
    copies.keep(copied)
}

/// Where a copy goes.
struct Copies {
    folder: PathBuf,
    /// What the names of all copies of these data begin with.
    prefix: String,
    target: PathBuf,
    unfinished: PathBuf,
}

impl Copies {
    fn of(folder: &Path, options: &OpenOptions, before: &str) -> Self {
        let backups = options.backups.clone().unwrap_or_else(|| folder.with_file_name("backups"));
        let prefix = format!("{}-", folder.file_name().unwrap_or("data".as_ref()).to_string_lossy());
        let target = backups.join(format!("{prefix}{}-before-{before}", Utc::now().format("%Y%m%dT%H%M%S%3fZ")));
        Self { folder: backups, prefix, unfinished: target.with_extension("partial"), target }
    }

    /// Keeps the copy that was made, and removes the oldest ones; or what is there of one that failed.
    fn keep(&self, copied: Result<(), String>) -> Result<()> {
        let rename = || -> std::io::Result<()> {
            std::fs::rename(&self.unfinished, &self.target)?;
            std::fs::File::open(&self.folder)?.sync_all()?;
            drop_oldest(&self.folder, &self.prefix)
        };
        copied.and_then(|()| rename().map_err(|error| error.to_string())).map_err(|reason| {
            std::fs::remove_dir_all(&self.unfinished).ok();
            StoreError::Backup { path: self.folder.clone(), reason }
        })?;
        info!(backup = %self.target.display(), "data backed up before a migration");
        Ok(())
    }
}

fn drop_oldest(backups: &Path, prefix: &str) -> std::io::Result<()> {
    let mut kept: Vec<PathBuf> = std::fs::read_dir(backups)?
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(prefix)))
        .collect();
    // The time follows the prefix, so names are ordered by time.
    kept.sort();
    let surplus = kept.len().saturating_sub(BACKUPS_KEPT);
    kept.into_iter().take(surplus).try_for_each(std::fs::remove_dir_all)
}
