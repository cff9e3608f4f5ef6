//! The commands against misuse.

use clap_complete::engine::ArgValueCompleter;
use morpion_openapi::moderation::ReportOutcome;

use super::commands::{Page, TheAccount, one_of};
use crate::complete;

#[derive(Debug, Clone, clap::Subcommand)]
pub enum UserModeration {
    /// Suspend an account: its sessions end, and every sign-in is refused
    #[command(group = clap::ArgGroup::new("length").required(true))]
    Suspend {
        #[command(flatten)]
        account: TheAccount,
        /// How long: 1, 7 or 30, for example
        #[arg(long, group = "length", value_parser = clap::value_parser!(u32).range(1..))]
        days: Option<u32>,
        /// Until it is lifted
        #[arg(long, group = "length")]
        for_ever: bool,
        /// Shown and mailed to the person, and for the audit trail
        #[arg(long)]
        reason: String,
    },
    /// Lift a suspension
    Lift(TheAccount),
    /// Give an account other names; neutral ones if none are given
    Rename {
        #[command(flatten)]
        account: TheAccount,
        #[arg(long, value_name = "NAME")]
        username: Option<String>,
        #[arg(long, value_name = "NAME")]
        display_name: Option<String>,
        /// Emailed to the person, and kept in the audit trail
        #[arg(long)]
        reason: String,
    },
    /// Remove the picture of an account
    RemovePicture {
        #[command(flatten)]
        account: TheAccount,
        /// Emailed to the person, and kept in the audit trail
        #[arg(long)]
        reason: String,
    },
    /// Delete an account as its owner would; it cannot be undone
    Delete {
        #[command(flatten)]
        account: TheAccount,
        /// Emailed to the person, and kept in the audit trail
        #[arg(long)]
        reason: String,
        /// Confirm
        #[arg(long, required = true)]
        yes: bool,
    },
}

#[derive(Debug, Clone, clap::Subcommand)]
pub enum Reports {
    /// List reports, the newest first
    List {
        /// Closed reports instead of open ones
        #[arg(long)]
        closed: bool,
        #[command(flatten)]
        page: Page,
    },
    /// Close a report
    Close {
        /// Its id, a prefix of it, or the username of whom it is about
        #[arg(add = ArgValueCompleter::new(complete::reports))]
        report: String,
        /// dismissed: nothing to do; upheld: something was done
        #[arg(long, value_parser = report_outcome)]
        outcome: ReportOutcome,
        /// For other admins
        #[arg(long, default_value = "", hide_default_value = true)]
        note: String,
    },
}

fn report_outcome(word: &str) -> Result<ReportOutcome, String> {
    one_of(ReportOutcome::ALL, word)
}
