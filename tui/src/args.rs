//! The command line.

use std::path::PathBuf;

use morpion_openapi::{
    event::{EventState, EventType},
    logger::LogLevel,
};
use uuid::Uuid;

use crate::theme::Palette;

/// What the codes at the end mean; they stand in the help and the manual page.
const EXIT_CODES: &str = "\
Exit codes:
  0  done
  1  the server failed, or its answer cannot be read; a terminal is missing
  2  the command line is wrong
  3  the server cannot be reached
  4  no token, a wrong one, or it may not do this; or --readonly
  5  there is no such thing
  6  the state does not allow it
  7  a value is invalid
  8  this server does not have that yet
  9  too many requests, or the server is not ready: try again later
  10 `events verify`: the games do not agree with what is stored";

/// Watches and runs a Morpion server from the terminal: events, live games, logs, accounts.
///
/// Without a command it is the console. Each command is one call, for scripts; with --json it
/// prints what the server answers.
///
/// On the server's own machine it needs no arguments: it finds the operator token that the server
/// wrote at its first start. For another server, make a token there with `morpion token create`.
#[derive(Debug, Clone, Default, clap::Parser)]
#[command(name = "morpion-tui", version, after_help = EXIT_CODES)]
pub struct Args {
    /// The server's address [default: http://127.0.0.1:8080]
    #[arg(long, global = true, value_name = "URL", env = "MORPION_TUI_SERVER")]
    pub server: Option<String>,

    /// The operator token. Other users of this machine can see it; --token-file hides it
    #[arg(
        long,
        global = true,
        value_name = "TOKEN",
        env = "MORPION_TUI_TOKEN",
        hide_env_values = true,
        conflicts_with = "token_file"
    )]
    pub token: Option<String>,

    /// A file that holds the operator token
    #[arg(long, global = true, value_name = "FILE", env = "MORPION_TUI_TOKEN_FILE")]
    pub token_file: Option<PathBuf>,

    /// The name of a server in the configuration
    #[arg(long, global = true, value_name = "NAME", env = "MORPION_TUI_PROFILE", conflicts_with = "server")]
    pub profile: Option<String>,

    /// Only look: nothing is changed on the server
    #[arg(long, global = true)]
    pub readonly: bool,

    /// Leave the mouse to the terminal
    #[arg(long)]
    pub no_mouse: bool,

    /// Draw without colours. So does a NO_COLOR that is not empty
    #[arg(long)]
    pub no_color: bool,

    /// The colours: auto looks at what the terminal says of itself
    #[arg(long, value_enum, value_name = "THEME")]
    pub theme: Option<Palette>,

    /// Draw with ASCII characters only
    #[arg(long)]
    pub ascii: bool,

    /// The configuration file [default: ./config/morpion-tui.toml, else
    /// ~/.config/morpion/morpion-tui.toml, else /etc/morpion/morpion-tui.toml, else none]
    #[arg(long, global = true, value_name = "FILE", env = "MORPION_TUI_CONFIG")]
    pub config: Option<PathBuf>,

    /// Print the server's answer as JSON; lists of records a line each
    #[arg(long, global = true)]
    pub json: bool,

    #[command(subcommand)]
    pub command: Option<Subcommand>,
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

/// Which page of a list.
#[derive(Debug, Clone, Copy, clap::Args)]
pub struct Page {
    /// Counted from 1
    #[arg(long, default_value_t = 1)]
    pub page: u32,
    /// Rows, at most 100
    #[arg(long, default_value_t = 50)]
    pub limit: u32,
}

fn event_state(word: &str) -> Result<EventState, String> {
    one_of(EventState::ALL, word)
}

fn event_type(word: &str) -> Result<EventType, String> {
    one_of(EventType::ALL, word)
}

fn log_level(word: &str) -> Result<LogLevel, String> {
    one_of(LogLevel::ALL, word)
}

fn one_of<T: Copy + ToString>(all: &[T], word: &str) -> Result<T, String> {
    let words: Vec<_> = all.iter().map(ToString::to_string).collect();
    let at = words.iter().position(|known| known == word);
    at.map(|at| all[at]).ok_or_else(|| format!("one of {} is wanted", words.join(", ")))
}

#[derive(Debug, Clone, clap::Subcommand)]
pub enum Events {
    /// List events
    List {
        /// drafted, published, started, ended or cancelled; may be given more than once
        #[arg(long, value_parser = event_state)]
        state: Vec<EventState>,
        /// A text in title or description
        #[arg(long)]
        text: Option<String>,
        #[command(flatten)]
        page: Page,
    },
    /// Show one event
    Show { id: Uuid },
    /// Make a draft
    Create(CreateEvent),
    /// Change a draft or a published event: only what is given
    Edit(EditEvent),
    /// Publish a draft: players see it and can register
    Publish { id: Uuid },
    /// Start a published event
    Start { id: Uuid },
    /// End a live event: the winners are written
    End { id: Uuid },
    /// Cancel a published or live event; it cannot be undone
    Cancel { id: Uuid },
    /// Delete a draft
    Delete { id: Uuid },
    /// Compute the standings again from the games, and say whether they agree
    Verify { id: Uuid },
    /// Who registered
    Signups {
        id: Uuid,
        #[command(flatten)]
        page: Page,
    },
    /// The leaderboard
    Leaderboard {
        id: Uuid,
        #[command(flatten)]
        page: Page,
    },
    /// Its games
    Games {
        id: Uuid,
        #[command(flatten)]
        page: Page,
    },
}

#[derive(Debug, Clone, clap::Args)]
pub struct CreateEvent {
    #[arg(long)]
    pub title: String,
    #[arg(long)]
    pub description: Option<String>,
    #[arg(long)]
    pub prize: Option<String>,
    /// open or closed [default: open]
    #[arg(long, value_name = "TYPE", value_parser = event_type)]
    pub r#type: Option<EventType>,
    /// UTC: 2026-11-21 20:00, 20:00, +2h
    #[arg(long, allow_hyphen_values = true)]
    pub start: Option<String>,
    /// UTC: 2026-11-21 22:00, 22:00, +4h
    #[arg(long, allow_hyphen_values = true)]
    pub end: Option<String>,
    /// Losses until a player is out; 0 never eliminates [default: 3]
    #[arg(long)]
    pub max_losses: Option<u32>,
}

#[derive(Debug, Clone, clap::Args)]
pub struct EditEvent {
    pub id: Uuid,
    #[arg(long)]
    pub title: Option<String>,
    #[arg(long)]
    pub description: Option<String>,
    #[arg(long)]
    pub prize: Option<String>,
    /// open or closed
    #[arg(long, value_name = "TYPE", value_parser = event_type)]
    pub r#type: Option<EventType>,
    /// UTC: 2026-11-21 20:00, 20:00, +2h
    #[arg(long, allow_hyphen_values = true)]
    pub start: Option<String>,
    /// UTC: 2026-11-21 22:00, 22:00, +4h
    #[arg(long, allow_hyphen_values = true)]
    pub end: Option<String>,
    /// Losses until a player is out; 0 never eliminates
    #[arg(long)]
    pub max_losses: Option<u32>,
}

#[derive(Debug, Clone, clap::Subcommand)]
pub enum Games {
    /// List live games
    List {
        #[command(flatten)]
        page: Page,
    },
    /// Show one game as it stands
    Show { id: Uuid },
    /// Follow a live game: a line for each thing that happens, until it ends
    Watch { id: Uuid },
    /// Show a finished game, move by move
    Replay { id: Uuid },
    /// Decide a live game
    Adjudicate {
        id: Uuid,
        /// The player who wins: an id or a username
        #[arg(long, required_unless_present = "void")]
        winner: Option<String>,
        /// Nobody wins
        #[arg(long, conflicts_with = "winner")]
        void: bool,
        /// For the audit trail
        #[arg(long)]
        reason: String,
    },
}

/// Which records. `--level` shows that level and what is worse.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct LogChoice {
    /// error, warning, info or debug: this and worse
    #[arg(long, value_parser = log_level)]
    pub level: Option<LogLevel>,
    /// A part of the program
    #[arg(long)]
    pub service: Option<String>,
    #[arg(long)]
    pub platform: Option<String>,
    #[arg(long)]
    pub user: Option<Uuid>,
    #[arg(long)]
    pub session: Option<String>,
    /// All of one request
    #[arg(long)]
    pub request: Option<String>,
    /// A text in the record, as the server searches
    #[arg(long)]
    pub text: Option<String>,
    /// A regular expression; after a ! what does not match
    #[arg(long)]
    pub search: Option<String>,
    /// UTC: 15m, 20:00, 2026-11-21 20:00
    #[arg(long)]
    pub since: Option<String>,
    /// UTC
    #[arg(long)]
    pub until: Option<String>,
}

#[derive(Debug, Clone, clap::Subcommand)]
pub enum Logs {
    /// The newest records, and with --follow those that come
    Tail {
        #[command(flatten)]
        choice: LogChoice,
        /// Records at first
        #[arg(short = 'n', long, default_value_t = 20)]
        lines: u32,
        /// Go on as they come
        #[arg(short, long)]
        follow: bool,
    },
    /// All records that fit, the oldest first
    List {
        #[command(flatten)]
        choice: LogChoice,
        /// Records at most, the newest
        #[arg(short = 'n', long, default_value_t = 1_000)]
        lines: u32,
    },
    /// How many of which level
    Stats,
    /// All records of the server that fit, as JSON lines
    Export {
        #[command(flatten)]
        choice: LogChoice,
    },
    /// Clear the server's log
    Clear {
        /// Only what is older: UTC
        #[arg(long)]
        before: Option<String>,
        /// Yes, clear it
        #[arg(long, required = true)]
        yes: bool,
    },
}

#[derive(Debug, Clone, clap::Subcommand)]
pub enum Users {
    /// List accounts
    List {
        /// A text in username or display name
        text: Option<String>,
        #[command(flatten)]
        page: Page,
    },
    /// Where an account is signed in
    Sessions {
        /// An id or a username
        account: String,
    },
    /// Sign one session out
    RevokeSession { account: String, session: String },
    /// An account's games
    Games {
        account: String,
        #[command(flatten)]
        page: Page,
    },
    /// Make an account an admin
    Promote { account: String },
    /// Take the admin's rights away
    Demote { account: String },
    /// Grant Pro
    GrantPro {
        account: String,
        /// For the audit trail
        #[arg(long)]
        reason: String,
        /// Until it is revoked, if absent
        #[arg(long)]
        days: Option<u32>,
    },
    /// Revoke Pro that was granted
    RevokePro {
        account: String,
        /// For the audit trail
        #[arg(long)]
        reason: String,
    },
}

#[derive(Debug, Clone, clap::Subcommand)]
pub enum Audit {
    /// List entries, the newest first
    List {
        #[command(flatten)]
        page: Page,
    },
}

#[derive(Debug, Clone, clap::Subcommand)]
pub enum Billing {
    /// List what happened, the newest first
    List {
        /// Of one account: an id or a username
        #[arg(long)]
        account: Option<String>,
        #[command(flatten)]
        page: Page,
    },
}

#[derive(Debug, Clone, clap::Subcommand)]
pub enum Tokens {
    /// List tokens; none is shown itself
    List,
    /// Make a token and print it, this once
    Create {
        name: String,
        /// Never ends, if absent
        #[arg(long)]
        days: Option<u32>,
    },
    /// End a token
    Revoke { id: String },
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::{CommandFactory, Parser};

    #[test]
    fn the_command_line_is_sound() {
        Args::command().debug_assert();
    }

    #[test]
    fn a_token_comes_from_one_place() {
        let both = Args::try_parse_from(["morpion-tui", "--token", "a", "--token-file", "b"]);
        assert_eq!(both.unwrap_err().kind(), clap::error::ErrorKind::ArgumentConflict);
    }
}
