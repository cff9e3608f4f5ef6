//! The command line.

mod commands;

use std::{ffi::OsString, path::PathBuf};

use clap::{CommandFactory, FromArgMatches, error::ErrorKind, parser::ValueSource};
use morpion_shell::refusal::EXIT_CODES;

use crate::config::Flags;
pub use commands::{
    Audit, Billing, CreateEvent, EditEvent, Events, Games, LogChoice, Logs, Page, TheAccount, TheEvent, TheGame,
    Tokens, Users,
};

/// Watches and runs a Morpion server from the terminal: events, live games, logs, accounts.
///
/// Without a command it is the console. Each command is a call or two, for scripts; with --json it
/// prints what the server answers, of a list each row a line. Where an event, a game, an account, a
/// session or a token is wanted, its id will do, the beginning of it (4 characters or more) if no
/// other begins so, a title, or a username.
///
/// On the server's own machine it needs no arguments: it finds the operator token that the server
/// wrote at its first start. For another server, make a token there with `morpion token create`.
#[derive(Debug, Clone, Default, clap::Parser)]
#[command(name = "morpion-tui", version, after_help = EXIT_CODES)]
pub struct Args {
    #[command(flatten)]
    pub flags: Flags,

    /// Print JSON, one object a line: the server's answer, or each row of a list
    #[arg(long, global = true)]
    pub json: bool,

    #[command(subcommand)]
    pub command: Option<Subcommand>,
}

/// Two ways to say the same thing, of which one can be given.
const EITHER: [(&str, &str); 2] = [("token", "token_file"), ("server", "profile")];

impl Args {
    /// Reads a command line and the environment. What was typed beats what the environment says of
    /// the same thing by another name.
    ///
    /// # Errors
    /// A mistake; or help or version that were asked for.
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
    /// How the server is
    Overview,
    /// Events: list, show, make, change, and take them from draft to winners
    #[command(subcommand)]
    Events(Events),
    /// Games: list live ones, show, follow, replay, decide
    #[command(subcommand)]
    Games(Games),
    /// The log: follow, list, count, export, clear
    #[command(subcommand)]
    Logs(Logs),
    /// Accounts: list, sessions, games, Pro, admins
    #[command(subcommand)]
    Users(Users),
    /// What admins and operators did
    #[command(subcommand)]
    Audit(Audit),
    /// What became of subscriptions
    #[command(subcommand)]
    Billing(Billing),
    /// Operator tokens
    #[command(subcommand)]
    Tokens(Tokens),
    /// Print a configuration file with every key at its default
    DefaultConfig,
    /// Print what makes a shell complete this program's commands
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
