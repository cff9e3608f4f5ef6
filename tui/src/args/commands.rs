//! The commands for scripts, and what they take.

use clap_complete::engine::ArgValueCompleter;
use morpion_openapi::{
    event::{EventState, EventType},
    logger::LogLevel,
};

use crate::complete;

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

#[derive(Debug, Clone, clap::Args)]
pub struct TheEvent {
    /// Its id, the beginning of it, or its title
    #[arg(add = ArgValueCompleter::new(complete::events))]
    pub event: String,
}

#[derive(Debug, Clone, clap::Args)]
pub struct TheGame {
    /// Its id, or the beginning of it while it is live
    #[arg(add = ArgValueCompleter::new(complete::games))]
    pub game: String,
}

#[derive(Debug, Clone, clap::Args)]
pub struct TheAccount {
    /// Its username, its id, or the beginning of it
    #[arg(add = ArgValueCompleter::new(complete::accounts))]
    pub account: String,
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
    Show(TheEvent),
    /// Make a draft
    Create(CreateEvent),
    /// Change a draft or a published event: only what is given
    Edit(EditEvent),
    /// Publish a draft: players see it and can register
    Publish(TheEvent),
    /// Start a published event
    Start(TheEvent),
    /// End a live event: the winners are written
    End(TheEvent),
    /// Cancel a published or live event; it cannot be undone
    Cancel(TheEvent),
    /// Delete a draft
    Delete(TheEvent),
    /// Compute the standings again from the games, and say whether they agree
    Verify(TheEvent),
    /// Who registered
    Signups {
        #[command(flatten)]
        event: TheEvent,
        #[command(flatten)]
        page: Page,
    },
    /// The leaderboard
    Leaderboard {
        #[command(flatten)]
        event: TheEvent,
        #[command(flatten)]
        page: Page,
    },
    /// Its games
    Games {
        #[command(flatten)]
        event: TheEvent,
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
    #[command(flatten)]
    pub event: TheEvent,
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
    Show(TheGame),
    /// Follow a live game: a line for each thing that happens, until it ends
    Watch(TheGame),
    /// Show a finished game, move by move
    Replay(TheGame),
    /// Decide a live game
    Adjudicate {
        #[command(flatten)]
        game: TheGame,
        /// The player who wins: an id or a username
        #[arg(long, required_unless_present = "void", add = ArgValueCompleter::new(complete::accounts))]
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
    /// Of one account: its username, its id, or the beginning of it
    #[arg(long, add = ArgValueCompleter::new(complete::accounts))]
    pub user: Option<String>,
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
    /// All records of the server that fit, the oldest first, as JSON lines
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
    Sessions(TheAccount),
    /// Sign one session out
    RevokeSession {
        #[command(flatten)]
        account: TheAccount,
        /// Its id, or the beginning of it
        #[arg(add = ArgValueCompleter::new(complete::sessions))]
        session: String,
    },
    /// An account's games
    Games {
        #[command(flatten)]
        account: TheAccount,
        #[command(flatten)]
        page: Page,
    },
    /// Make an account an admin
    Promote(TheAccount),
    /// Take the admin's rights away
    Demote(TheAccount),
    /// Grant Pro
    GrantPro {
        #[command(flatten)]
        account: TheAccount,
        /// For the audit trail
        #[arg(long)]
        reason: String,
        /// Until it is revoked, if absent
        #[arg(long)]
        days: Option<u32>,
    },
    /// Revoke Pro that was granted
    RevokePro {
        #[command(flatten)]
        account: TheAccount,
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
        /// Of one account: its username, its id, or the beginning of it
        #[arg(long, add = ArgValueCompleter::new(complete::accounts))]
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
    Revoke {
        /// Its id, the beginning of it, or its name
        #[arg(value_name = "TOKEN", add = ArgValueCompleter::new(complete::tokens))]
        wanted: String,
        /// Also the one that this command signs in with
        #[arg(long)]
        yes: bool,
    },
}
