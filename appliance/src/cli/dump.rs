//! `morpion export` and `morpion import`.

use std::{
    fs::File,
    io::{self, BufRead, BufReader, BufWriter},
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use anyhow::{Context, bail};
use chrono::Utc;
use clap::Args;
use morpion_shell::{
    command_error::{CommandError, FailureKind},
    output::{Format, print_error},
};
use morpion_store::{DatabaseUrl, StoreError};
use serde_json::json;
use tempfile::NamedTempFile;

use super::{
    backup::{BackupSource, restored},
    restored,
};
use crate::{
    backup,
    config::{Config, RestoredConfig, StoredSettings},
    dump::{self, Contents},
    storage,
};

/// Write all data into one file that does not depend on the database: JSON lines, and the server's keys.
#[derive(Debug, Args)]
#[command(after_help = EXPORT_EXAMPLES)]
pub struct Export {
    /// The file to write, which must not exist; - is standard output [default: morpion-DATE.jsonl]
    #[arg(long, value_name = "FILE")]
    to: Option<PathBuf>,
    /// Export a backup instead, while the server runs: its id, or "latest"
    #[arg(long, value_name = "ID")]
    backup: Option<String>,
    #[command(flatten)]
    source: BackupSource,
}

const EXPORT_EXAMPLES: &str = "\
Examples:
  morpion export --data-dir /var/lib/morpion
  morpion export --backup latest --to - | zstd > morpion.jsonl.zst

The file holds password hashes and keys: keep it as secret as the data. It is not encrypted, also if the database is. The
settings of this command are in it, but for secrets such as mail.password.";

/// Make a data folder of the file of an export.
#[derive(Debug, Args)]
#[command(after_help = IMPORT_EXAMPLES)]
pub struct Import {
    /// The file; - is standard input
    file: PathBuf,
    /// A new or empty folder, which becomes a data folder
    #[arg(long, value_name = "FOLDER")]
    into: PathBuf,
}

const IMPORT_EXAMPLES: &str = "\
Examples:
  morpion import morpion-20261123T120000Z.jsonl --into /var/lib/morpion-new
  zstd -dc morpion.jsonl.zst | morpion import - --into ./data

The settings that the export has are written to morpion.restored.toml there, for `morpion serve --config`. Nothing is ever
imported over data. With storage.encryption_key the new
database is encrypted.";

/// Between two lines about the progress.
const TELL_EVERY: Duration = Duration::from_secs(2);

/// # Errors
/// The data is in use or damaged, or the file cannot be written.
pub async fn export(command: Export, config: Config, format: Format) -> anyhow::Result<()> {
    let Export { to, backup, source } = command;
    let now = Utc::now();
    let to = to.unwrap_or_else(|| format!("morpion-{}.jsonl", now.format("%Y%m%dT%H%M%SZ")).into());
    let scratch = tempfile::tempdir().context("there is no folder for temporary files; set TMPDIR")?;
    let (root, database, key, settings) = match backup {
        Some(id) => {
            let root = scratch.path().join("restored");
            let (restored, key) = restored(&id, None, source, &config, root.clone()).await?;
            let stored = restored.unreadable_settings.map_or_else(|| StoredSettings::in_folder(&root), Err);
            let settings = stored.unwrap_or_else(|error| {
                print_error(&format!("morpion: the settings in the backup cannot be read, and are left out: {error}"));
                None
            });
            let database = backup::restored_database(&root);
            (root, database, key, settings)
        }
        None => {
            storage::check_owner(&config.data_dir)?;
            backup::check_key(&config)?;
            match config.database_url() {
                DatabaseUrl::Folder(folder) if folder.exists() => {
                    let settings = config.effective.stored(false);
                    (config.data_dir.clone(), folder, config.storage.encryption_key.clone(), Some(settings))
                }
                DatabaseUrl::Folder(folder) => {
                    bail!("there is no data at {}; give its place with --data-dir", folder.display())
                }
                DatabaseUrl::Memory => bail!("data in memory cannot be exported"),
            }
        }
    };
    if to == Path::new("-") {
        let out = BufWriter::new(io::stdout().lock());
        return written(dump::export(&root, &database, key, settings, now, out, told("exported")).await).map(drop);
    }
    let cannot = || format!("{} cannot be written", to.display());
    if to.exists() {
        bail!("{} exists; name a new file with --to", to.display());
    }
    let folder = to.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
    // What is unfinished vanishes with its handle. Only its owner can read it.
    let mut file = NamedTempFile::new_in(folder).with_context(cannot)?;
    let out = BufWriter::new(&mut file);
    let contents = written(dump::export(&root, &database, key, settings, now, out, told("exported")).await)?;
    file.as_file().sync_all().with_context(cannot)?;
    file.persist_noclobber(&to).with_context(cannot)?;
    print(&contents, None, &to, format)
}

fn written(outcome: anyhow::Result<Contents>) -> anyhow::Result<Contents> {
    outcome.map_err(|error| match error.downcast_ref() {
        Some(StoreError::InUse { .. }) => {
            let text = "a server has the data open; stop it, or export a backup with --backup latest".to_owned();
            CommandError::new(FailureKind::Unreachable, text).into()
        }
        _ => error,
    })
}

/// # Errors
/// The file is no whole export that this version reads, or the folder is not empty.
pub async fn import(command: Import, config: Config, format: Format) -> anyhow::Result<()> {
    let Import { file, into } = command;
    let lines: Box<dyn BufRead> = if file == Path::new("-") {
        Box::new(BufReader::new(io::stdin()))
    } else {
        Box::new(BufReader::new(File::open(&file).with_context(|| format!("{} cannot be read", file.display()))?))
    };
    let (contents, settings) = dump::import(lines, &into, config.storage.encryption_key, told("imported")).await?;
    print(&contents, Some(&settings), &into, format)?;
    restored::print_notes(&settings, "export");
    Ok(())
}

/// Tells the progress of long work.
fn told(what: &'static str) -> impl FnMut(u64) {
    let mut last = Instant::now();
    move |records| {
        if last.elapsed() >= TELL_EVERY {
            last = Instant::now();
            print_error(&format!("records {what} so far: {records}"));
        }
    }
}

/// Of an import with what became of the settings.
fn print(contents: &Contents, imported: Option<&RestoredConfig>, place: &Path, format: Format) -> anyhow::Result<()> {
    let folder = place.display().to_string();
    let mut outcome =
        json!({ "place": folder, "records": contents.records(), "tables": contents.tables, "files": contents.files });
    if let Some(configuration) = imported {
        outcome["configuration"] = serde_json::to_value(configuration)?;
    }
    let records = contents.records();
    Ok(format.print(&outcome, |_| match imported {
        None => format!("Exported the server's keys and {records} records to {folder}.\n"),
        Some(settings) => format!(
            "Imported the server's keys and {records} records into {folder}.\n{}",
            restored::describe(settings, place)
        ),
    })?)
}
