//! `morpion restore`.

use std::path::PathBuf;

use chrono::{DateTime, Utc};
use clap::Args;
use morpion_shell::output::{Format, print_error};

use super::{
    audit,
    backup::{BackupSource, print_missing, restored},
};
use crate::{config::Config, disk::in_units};

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
    #[command(flatten)]
    source: BackupSource,
}

const EXAMPLES: &str = "\
Examples:
  morpion restore latest --into /var/lib/morpion-restored
  morpion restore latest --at 2026-11-01T10:00:00Z --into ./restored --from /mnt/usb

Then serve it: morpion serve --data-dir FOLDER. Nothing is ever restored over data.";

/// # Errors
/// Why it cannot be restored, with what to do. A folder that was filled in part is left for a look.
pub async fn run(command: Restore, config: Config, format: Format) -> anyhow::Result<()> {
    let Restore { id, at, into, source } = command;
    let folder = into.display().to_string();
    let (restored, key) = restored(&id, at, source, &config, into).await?;
    format.print(&restored, |restored| {
        let until = restored.until.format("%F %T%.3f UTC");
        let log = match restored.log_end {
            Some(end) => format!(", to position {end} of the log"),
            None => String::new(),
        };
        format!(
            "Backup {} restored into {folder}: {} files, {}, as of {until}{log}.\n",
            restored.id,
            restored.files,
            in_units(restored.bytes),
        )
    })?;
    print_missing(restored.missing.as_deref());
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
