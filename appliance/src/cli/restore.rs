//! `morpion restore`.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use anyhow::Context;
use chrono::{DateTime, Utc};
use clap::Args;
use morpion_backup::{
    manifest::SETTINGS,
    restore::{self, Restored},
};
use morpion_shell::output::{Format, print_error};
use morpion_store::{DataKey, DatabaseUrl, OpenOptions, Store};
use serde::Serialize;

use super::{
    audit,
    backup::{BackupSource, blocking, choose, print_missing},
    restored,
};
use crate::{
    backup,
    config::{Config, RestoredConfig, StoredSettings},
    disk::in_units,
};

/// Restore a backup into a new folder.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Restore {
    /// The id of a backup, or "latest"
    id: String,
    /// The moment to restore, UTC; at most a tenth of a second before it is restored [default: the last one]
    #[arg(long, value_name = "YYYY-MM-DD[THH:MM:SS[.SSS]Z]", value_parser = audit::time)]
    at: Option<DateTime<Utc>>,
    /// A new or empty folder, which becomes a data folder
    #[arg(long, value_name = "FOLDER")]
    into: PathBuf,
    /// Leave sessions as they were then: also those work again that were ended since
    #[arg(long)]
    keep_sessions: bool,
    #[command(flatten)]
    source: BackupSource,
}

#[derive(Serialize)]
struct Outcome<'a> {
    #[serde(flatten)]
    restored: &'a Restored,
    configuration: &'a RestoredConfig,
}

const EXAMPLES: &str = "\
Examples:
  morpion restore latest --into /var/lib/morpion-restored
  morpion restore latest --at 2026-11-01T10:00:00Z --into ./restored --from /mnt/usb

The settings that the server ran with are written to morpion.restored.toml there, with the secrets if backup.passphrase
encrypted the backup. Then serve it:
  morpion serve --config FOLDER/morpion.restored.toml --data-dir FOLDER
Nothing is ever restored over data. Everybody has to sign in again, and guests lose their accounts, unless --keep-sessions is
given.";

/// # Errors
/// Why it cannot be restored, with what to do. What was restored in part is left for a look, where no server takes it for
/// data.
pub async fn run(command: Restore, config: Config, format: Format) -> anyhow::Result<()> {
    let Restore { id, at, into, keep_sessions, source } = command;
    let folder = into.display().to_string();
    let (repository, manifest) = choose(&id, at, source, &config).await?;
    let key = {
        let (repository, manifest, storage) = (repository.clone(), manifest.clone(), config.storage.clone());
        blocking(move || backup::key_of(&repository, &manifest, &storage)).await?
    };
    let unfinished = restore::begin(&into)?;
    let restored = {
        let unfinished = unfinished.clone();
        blocking(move || Ok(restore::restore(&repository, &manifest, at, &unfinished)?)).await?
    };
    if !keep_sessions {
        let ended = end_sessions(&unfinished, key.clone()).await;
        ended.context("the sessions cannot be ended; --keep-sessions restores the backup as it is")?;
    }
    let stored = restored.unreadable_settings.clone().map_or_else(|| StoredSettings::in_folder(&unfinished), Err);
    let origin = format!("from backup {}", restored.id);
    let cannot = || format!("{folder} cannot be written");
    let settings = RestoredConfig::write(stored, &unfinished, &into, &origin).with_context(cannot)?;
    remove_file(&unfinished.join(SETTINGS)).with_context(cannot)?;
    restore::move_up(&unfinished, &into, backup::DATABASE).with_context(cannot)?;
    format.print(&Outcome { restored: &restored, configuration: &settings }, |_| {
        let until = restored.until.format("%F %T%.3f UTC");
        let log = match restored.log_end {
            Some(end) => format!(", to position {end} of the log"),
            None => String::new(),
        };
        format!(
            "Backup {} restored into {folder}: {} files, {}, as of {until}{log}.\n{}",
            restored.id,
            restored.files,
            in_units(restored.bytes),
            restored::describe(&settings, &into),
        )
    })?;
    print_missing(restored.missing.as_deref());
    restored::print_notes(&settings, "backup");
    if keep_sessions {
        print_error("morpion: sessions that were ended since then work again");
    }
    if restored.has_later {
        print_error(
            "morpion: the server's clock was set back during this log; the data includes earlier commits with later times",
        );
    }
    match (key, config.storage.encryption_key.is_some()) {
        (Some(_), _) => {
            print_error("morpion: the database is encrypted; serve it with the same storage.encryption_key")
        }
        (None, true) => print_error(
            "morpion: the database is not encrypted; serve it without storage.encryption_key, or export and import it",
        ),
        (None, false) => {}
    }
    Ok(())
}

fn remove_file(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Ends all sessions of restored data, which this opens: the log is read, and older data are migrated.
async fn end_sessions(folder: &Path, key: Option<DataKey>) -> anyhow::Result<()> {
    let url = DatabaseUrl::Folder(backup::restored_database(folder));
    let store = Store::open(&url, OpenOptions { key, ..OpenOptions::default() }).await?;
    store.end_all_sessions().await?;
    Ok(store.close().await?)
}
