//! `morpion passwords import`.

use std::{
    fs::File,
    io::{self, BufRead, BufReader},
    path::{Path, PathBuf},
};

use anyhow::Context;
use clap::Subcommand;
use morpion_shell::{
    escape,
    output::{Format, print_error},
};
use serde_json::json;

use crate::{
    account::breached::import::{ListFormat, import},
    config::Config,
    storage,
};

/// The file in the data folder that is made where none is configured.
const FILE: &str = "breached.hashes";

#[derive(Debug, Subcommand)]
#[command(after_help = EXAMPLES)]
pub enum PasswordsCommand {
    /// Make the file of breached passwords of a published list, in any order
    Import {
        /// The list: one SHA1:COUNT a line; - is standard input
        #[arg(value_name = "SOURCE")]
        source: PathBuf,
        /// The file to make or replace [default: identity.local.breached_passwords, else breached.hashes in the data folder]
        #[arg(long, value_name = "FILE")]
        into: Option<PathBuf>,
        /// The list has one password a line instead of its hash
        #[arg(long)]
        plain_text: bool,
    },
}

const EXAMPLES: &str = "\
Examples:
  morpion passwords import pwnedpasswords.txt
  zcat rockyou.txt.gz | morpion passwords import - --plain-text --into /var/lib/morpion/breached.hashes

The server reads the file that identity.local.breached_passwords names, at its start.";

/// # Errors
/// The list or the file cannot be used; names the line that is wrong.
pub fn run(command: PasswordsCommand, config: &Config, format: Format) -> anyhow::Result<()> {
    let PasswordsCommand::Import { source, into, plain_text } = command;
    let into = into.or_else(|| config.breached_passwords()).unwrap_or_else(|| config.data_dir.join(FILE));
    if into.starts_with(&config.data_dir) {
        storage::check_owner(&config.data_dir)?;
    }
    let list: Box<dyn BufRead> = if source == Path::new("-") {
        Box::new(io::stdin().lock())
    } else {
        let file = File::open(&source).with_context(|| format!("{} cannot be read", source.display()))?;
        Box::new(BufReader::with_capacity(1 << 20, file))
    };
    let kind = if plain_text { ListFormat::Passwords } else { ListFormat::Hashes };
    let progress = |lines| print_error(&format!("{lines} lines read"));
    let count =
        import(list, kind, &into, progress).with_context(|| format!("{} was not imported", source.display()))?;
    format.print(&json!({ "hashes": count, "file": into }), |_| {
        format!(
            "{}: {count} hashes. The server reads it at its next start.\n",
            escape::line(&into.display().to_string())
        )
    })?;
    Ok(())
}
