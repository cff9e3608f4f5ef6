//! The command line.

mod commands;
mod events;
mod moderation;
mod series;

use std::{ffi::OsString, path::PathBuf};

use clap::{CommandFactory, FromArgMatches, error::ErrorKind, parser::ValueSource};
use morpion_shell::command_error::EXIT_CODES;

use crate::config::Flags;
pub use commands::{
    Audit, Backups, Billing, Games, LogChoice, Logs, Page, Players, TheAccount, TheEvent, TheGame, TheWebhook, Tokens,
    Users, Webhooks,
};
pub use events::{CreateEvent, EditEvent, Events, TheFormat, ThePlayer};
pub use moderation::{Reports, UserModeration};
pub use series::{CreateSeries, SeriesCommand, TheSchedule, TheSeries};

/// Monitors and manages a Morpion server from the terminal: events, live games, logs, accounts,
/// backups.
///
/// Without a command it starts the console. The commands are for scripts; with --json they print the
/// server's answer, or one line for each row of a list. Events, games, accounts, sessions and tokens
/// can be given by id, by an unambiguous prefix of it (4 characters or more), by title, or by
/// username.
///
/// On the server's own machine no arguments are needed: the operator token that the server wrote at
/// its first start is found. For another server, create a token there with `morpion token create`.
#[derive(Debug, Clone, Default, clap::Parser)]
#[command(name = "morpion-tui", version, after_help = EXIT_CODES)]
pub struct Args {
    #[command(flatten)]
    pub flags: Flags,

    /// Print JSON, one object per line: the server's answer, or each row of a list
    #[arg(long, global = true)]
    pub json: bool,

    #[command(subcommand)]
    pub command: Option<Subcommand>,
}

/// Pairs of flags that exclude each other.
const EITHER: [(&str, &str); 2] = [("token", "token_file"), ("server", "profile")];

impl Args {
    /// Reads a command line and the environment. A flag beats an environment variable of the flag that it excludes.
    ///
    /// # Errors
    /// An invalid command line; or help or version were requested.
    pub fn read(words: impl IntoIterator<Item = impl Into<OsString> + Clone>) -> Result<Self, clap::Error> {
        let mut command = Self::command();
        let matches = command.try_get_matches_from_mut(words)?;
        let mut args = Self::from_arg_matches(&matches).map_err(|error| error.format(&mut command))?;
        for (one, other) in EITHER {
            let (Some(of_one), Some(of_other)) = (matches.value_source(one), matches.value_source(other)) else {
                continue;
            };
            if of_one == of_other {
                let flag = |id: &str| format!("--{}", id.replace('_', "-"));
                let by = if of_one == ValueSource::EnvVariable { "by the environment" } else { "together" };
                let text = format!("{} and {} cannot both be given {by}", flag(one), flag(other));
                return Err(command.error(ErrorKind::ArgumentConflict, text));
            }
            args.forget(if of_one == ValueSource::CommandLine { other } else { one });
        }
        Ok(args)
    }

    fn forget(&mut self, id: &str) {
        match id {
            "token" => self.flags.token = None,
            "token_file" => self.flags.token_file = None,
            "server" => self.flags.server = None,
            _ => self.flags.profile = None,
        }
    }
}

#[derive(Debug, Clone, clap::Subcommand)]
pub enum Subcommand {
    /// Show the server's health
    Overview,
    /// Events: list, show, create, edit, publish, start, end, verify, rounds, results
    #[command(subcommand)]
    Events(Events),
    /// Series of events: list, show, table, preview, create, edit, end, delete
    #[command(subcommand)]
    Series(SeriesCommand),
    /// Games: list live ones, show, watch, replay, adjudicate
    #[command(subcommand)]
    Games(Games),
    /// The log: follow, list, count, export, clear
    #[command(subcommand)]
    Logs(Logs),
    /// Accounts: list, sessions, games, Pro, admins, suspensions, names, deletion
    #[command(subcommand)]
    Users(Users),
    /// Players: show one with results, events and games
    #[command(subcommand)]
    Players(Players),
    /// What players report about each other: list, close
    #[command(subcommand)]
    Reports(Reports),
    /// The audit trail: what admins and operators did
    #[command(subcommand)]
    Audit(Audit),
    /// The ledger of subscriptions
    #[command(subcommand)]
    Billing(Billing),
    /// Operator tokens
    #[command(subcommand)]
    Tokens(Tokens),
    /// Webhooks, which notify other servers: list, deliveries, test, resend
    #[command(subcommand)]
    Webhooks(Webhooks),
    /// The server's backups: list, create, verify, status
    #[command(subcommand)]
    Backups(Backups),
    /// The nodes of the cluster: who leads, how far the others are
    Cluster,
    /// Print a configuration file with every key and its default
    DefaultConfig,
    /// Print a shell's completion script
    Completions { shell: clap_complete::Shell },
    /// Print the manual page, or write one for each command into a folder
    Man {
        /// The folder
        folder: Option<PathBuf>,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_valid() {
        Args::command().debug_assert();
    }

    #[test]
    fn token_and_token_file_conflict() {
        let both = Args::read(["morpion-tui", "--token", "a", "--token-file", "b"]);
        assert_eq!(both.unwrap_err().kind(), ErrorKind::ArgumentConflict);
    }
}
