//! The commands for scripts, and what they take.

use clap_complete::engine::ArgValueCompleter;
use morpion_openapi::{admin::TokenScope, logger::LogLevel, webhook::WebhookKind};
use morpion_shell::{token, webhook};
use uuid::Uuid;

use super::UserModeration;
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
    /// Its id, a prefix of it, or its title
    #[arg(add = ArgValueCompleter::new(complete::events))]
    pub event: String,
}

#[derive(Debug, Clone, clap::Args)]
pub struct TheGame {
    /// Its id, or a prefix of it while it is live
    #[arg(add = ArgValueCompleter::new(complete::games))]
    pub game: String,
}

#[derive(Debug, Clone, clap::Args)]
pub struct TheAccount {
    /// Its username, its id, or a prefix of it
    #[arg(add = ArgValueCompleter::new(complete::accounts))]
    pub account: String,
}

fn log_level(word: &str) -> Result<LogLevel, String> {
    one_of(LogLevel::ALL, word)
}

pub(super) fn one_of<T: Copy + ToString>(all: &[T], word: &str) -> Result<T, String> {
    let words: Vec<_> = all.iter().map(ToString::to_string).collect();
    let at = words.iter().position(|known| known == word);
    at.map(|at| all[at]).ok_or_else(|| format!("one of {} is wanted", words.join(", ")))
}

#[derive(Debug, Clone, clap::Subcommand)]
pub enum Games {
    /// List live games
    List {
        #[command(flatten)]
        page: Page,
    },
    /// List who waits in quick match, whoever has waited longest first
    Queue {
        #[command(flatten)]
        page: Page,
    },
    /// Show the current state of a game
    Show(TheGame),
    /// Follow a live game until it ends, one line per change
    Watch(TheGame),
    /// Show a finished game, move by move
    Replay(TheGame),
    /// Adjudicate a live game
    Adjudicate {
        #[command(flatten)]
        game: TheGame,
        /// The winner: an id or a username
        #[arg(long, required_unless_present = "void", add = ArgValueCompleter::new(complete::accounts))]
        winner: Option<String>,
        /// Void the game: nobody wins
        #[arg(long, conflicts_with = "winner")]
        void: bool,
        /// For the audit trail
        #[arg(long)]
        reason: String,
    },
}

/// Which records. `--level` includes more severe levels.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct LogChoice {
    /// error, warning, info or debug: this level and more severe ones
    #[arg(long, value_parser = log_level)]
    pub level: Option<LogLevel>,
    /// A part of the program
    #[arg(long)]
    pub service: Option<String>,
    #[arg(long)]
    pub platform: Option<String>,
    /// Of one account: its username, its id, or a prefix of it
    #[arg(long, add = ArgValueCompleter::new(complete::accounts))]
    pub user: Option<String>,
    #[arg(long)]
    pub session: Option<String>,
    /// Only records of this request
    #[arg(long)]
    pub request: Option<String>,
    /// Text that the server searches for
    #[arg(long)]
    pub text: Option<String>,
    /// A regular expression; with ! in front, records that do not match
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
    /// Print the newest records; with --follow also new ones
    Tail {
        #[command(flatten)]
        choice: LogChoice,
        /// Number of records to start with
        #[arg(short = 'n', long, default_value_t = 20)]
        lines: u32,
        /// Print new records as they arrive
        #[arg(short, long)]
        follow: bool,
    },
    /// Print matching records, the oldest first
    List {
        #[command(flatten)]
        choice: LogChoice,
        /// Maximum number of records; the newest are kept
        #[arg(short = 'n', long, default_value_t = 1_000)]
        lines: u32,
    },
    /// Count records by level
    Stats,
    /// Print all matching records of the server as JSON lines, the oldest first
    Export {
        #[command(flatten)]
        choice: LogChoice,
    },
    /// Clear the server's log
    Clear {
        /// Only records older than this: UTC
        #[arg(long)]
        before: Option<String>,
        /// Confirm
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
        /// Only accounts with a suspension, also one that is over; the latest first
        #[arg(long, conflicts_with = "text")]
        suspended: bool,
        #[command(flatten)]
        page: Page,
    },
    /// List an account's sessions
    Sessions(TheAccount),
    /// Revoke a session
    RevokeSession {
        #[command(flatten)]
        account: TheAccount,
        /// Its id, or a prefix of it
        #[arg(add = ArgValueCompleter::new(complete::sessions))]
        session: String,
    },
    /// List an account's personal tokens, by which its programs act
    Programs(TheAccount),
    /// Delete one of an account's personal tokens, or all of them
    DeletePrograms {
        #[command(flatten)]
        account: TheAccount,
        /// Its name, its id, or a prefix of it
        #[arg(required_unless_present = "all")]
        token: Option<String>,
        /// All of them
        #[arg(long, conflicts_with = "token")]
        all: bool,
    },
    /// List an account's games
    Games {
        #[command(flatten)]
        account: TheAccount,
        #[command(flatten)]
        page: Page,
    },
    /// Make an account an admin
    Promote(TheAccount),
    /// Make an admin an ordinary account
    Demote(TheAccount),
    /// Grant Pro
    GrantPro {
        #[command(flatten)]
        account: TheAccount,
        /// For the audit trail
        #[arg(long)]
        reason: String,
        /// Without it, Pro lasts until it is revoked
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
    #[command(flatten)]
    Moderation(UserModeration),
}

#[derive(Debug, Clone, clap::Subcommand)]
pub enum Players {
    /// Show a player's page: rating, results by board, events with places, last games
    Show {
        #[command(flatten)]
        account: TheAccount,
        /// Last games, at most 100
        #[arg(long, default_value_t = 10)]
        games: u32,
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
    /// List ledger entries, the newest first
    List {
        /// Of one account: its username, its id, or a prefix of it
        #[arg(long, add = ArgValueCompleter::new(complete::accounts))]
        account: Option<String>,
        #[command(flatten)]
        page: Page,
    },
}

#[derive(Debug, Clone, clap::Subcommand)]
pub enum Tokens {
    /// List tokens without their secrets
    List,
    /// Create a token and print it; it is shown only once
    Create {
        name: String,
        /// What it may do: every read, that and events, that and accounts, or everything
        #[arg(long, value_parser = token::scopes())]
        scope: TokenScope,
        /// Days until it expires [default: 90]
        #[arg(long)]
        days: Option<u32>,
    },
    /// Revoke a token
    Revoke {
        /// Its id, a prefix of it, or its name
        #[arg(value_name = "TOKEN", add = ArgValueCompleter::new(complete::tokens))]
        wanted: String,
        /// Confirm revoking the token in use
        #[arg(long)]
        yes: bool,
    },
}

/// A webhook.
#[derive(Debug, Clone, clap::Args)]
pub struct TheWebhook {
    /// Its id, a prefix of it, or its address
    #[arg(add = ArgValueCompleter::new(complete::webhooks))]
    pub webhook: String,
}

#[derive(Debug, Clone, clap::Subcommand)]
pub enum Webhooks {
    /// List webhooks and their state
    List,
    /// Make a webhook and print its secret; it is shown only once
    Create {
        /// Where messages are sent: https://, at a public address
        url: String,
        /// The messages to send; all of them unless some are named
        #[arg(long = "of", value_parser = webhook::kinds())]
        kinds: Vec<WebhookKind>,
    },
    /// List the deliveries to a webhook and their outcome
    Deliveries {
        #[command(flatten)]
        hook: TheWebhook,
        #[command(flatten)]
        page: Page,
    },
    /// Send a finished delivery again, with the same id
    Resend {
        #[command(flatten)]
        hook: TheWebhook,
        /// The message's id, from the list of deliveries
        message: Uuid,
    },
    /// Send a test message, once
    Test {
        #[command(flatten)]
        hook: TheWebhook,
    },
    /// Delete a webhook; waiting deliveries are not sent
    Delete {
        #[command(flatten)]
        hook: TheWebhook,
    },
}

#[derive(Debug, Clone, clap::Subcommand)]
pub enum Backups {
    /// List the server's backups, the newest first
    List,
    /// Make a backup now, and wait for it
    Create,
    /// Verify a backup, and wait for the result
    ///
    /// The server restores it into a temporary folder, which needs as much space, opens it there, and checks ratings,
    /// standings and the audit trail.
    Verify {
        /// Its id, or "latest"
        #[arg(default_value = "latest", add = ArgValueCompleter::new(complete::backups))]
        backup: String,
    },
    /// Show whether backups are made, why not, and what the last check found
    Status,
}
