//! `morpion upgrade-check`.

use std::path::Path;

use anyhow::{Context, bail};
use clap::Args;
use morpion_shell::{
    command_error::{CommandError, FailureKind},
    escape,
    output::Format,
};
use morpion_store::{DatabaseUrl, Store, StoreError};
use serde::Serialize;

use super::{
    backup::{BackupSource, restored},
    doctor::bytes_in,
};
use crate::{
    backup,
    config::Config,
    disk::{free_at, in_units},
};

/// Say what this version would change in the data of an earlier one, and try it on a copy.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct UpgradeCheck {
    /// Try it on a backup instead, while the server runs: its id, or "latest"
    #[arg(long, value_name = "ID")]
    backup: Option<String>,
    #[command(flatten)]
    source: BackupSource,
}

const EXAMPLES: &str = "\
Examples:
  ./new/morpion upgrade-check --data-dir /var/lib/morpion
  ./new/morpion upgrade-check --backup latest

Nothing is changed. The start of a new version copies the data before it changes them.";

/// What was found.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Outcome {
    version: &'static str,
    /// Migrations by name.
    changes: Vec<String>,
    bytes: u64,
    free: u64,
}

/// # Errors
/// The data is in use, newer than this version, or damaged; or there is no room for a copy.
pub async fn run(command: UpgradeCheck, config: Config, format: Format) -> anyhow::Result<()> {
    let scratch = tempfile::tempdir().context("there is no folder for temporary files; set TMPDIR")?;
    let (folder, key) = match command.backup {
        Some(id) => {
            let into = scratch.path().join("restored");
            let (_, key) = restored(&id, None, command.source, &config, into.clone()).await?;
            (backup::restored_database(&into), key)
        }
        None => {
            backup::check_key(&config)?;
            match config.database_url() {
                DatabaseUrl::Folder(folder) if folder.exists() => (folder, config.storage.encryption_key.clone()),
                DatabaseUrl::Folder(folder) => {
                    bail!("there is no data at {}; give its place with --data-dir", folder.display())
                }
                DatabaseUrl::Memory => bail!("data in memory is never upgraded"),
            }
        }
    };
    let (bytes, room) = (bytes_in(&folder)?, free_at(scratch.path())?);
    if room < bytes.saturating_mul(2) {
        bail!("a copy of the data, {}, does not fit into {}; set TMPDIR", in_units(bytes), scratch.path().display());
    }
    let changes = Store::try_upgrade(&folder, scratch.path(), key).await.map_err(|error| match error {
        StoreError::InUse { .. } => {
            let text = "a server has the data open; stop it, or try a backup with --backup latest".to_owned();
            CommandError::new(FailureKind::Unreachable, text).into()
        }
        error => anyhow::Error::from(error),
    })?;
    let free = free_at(&config.data_dir).unwrap_or(0);
    let outcome = Outcome { version: env!("CARGO_PKG_VERSION"), changes, bytes, free };
    Ok(format.print(&outcome, |outcome| describe(outcome, &config.data_dir))?)
}

fn describe(outcome: &Outcome, data_dir: &Path) -> String {
    let Outcome { version, changes, bytes, free } = outcome;
    if changes.is_empty() {
        return format!("Morpion {version} opens this data as it is.\n");
    }
    let listed: String = changes.iter().map(|change| format!("  {}\n", escape::line(change))).collect();
    let room = if free < bytes {
        format!("There is no room for it: {} are needed, {} are free.\n", in_units(*bytes), in_units(*free))
    } else {
        String::new()
    };
    format!(
        "Morpion {version} changes this data at its first start:\n{listed}It was tried on a copy, and works. The start first copies \
         {} into {}.\n{room}",
        in_units(*bytes),
        data_dir.join("backups").display()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_change_is_told() {
        let outcome = |changes, free| Outcome { version: "0.2.0", changes, bytes: 5 << 20, free };
        let folder = Path::new("/var/lib/morpion");
        assert_eq!(describe(&outcome(vec![], 0), folder), "Morpion 0.2.0 opens this data as it is.\n");
        let text = describe(&outcome(vec!["0014_ratings".to_owned()], 1 << 20), folder);
        assert!(text.contains("\n  0014_ratings\n") && text.contains("/var/lib/morpion/backups."), "{text}");
        assert!(text.contains("5 MiB are needed, 1 MiB are free"), "{text}");
        assert!(!describe(&outcome(vec!["a".to_owned()], 1 << 30), folder).contains("no room"));
    }
}
