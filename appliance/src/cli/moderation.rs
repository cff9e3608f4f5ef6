//! `morpion user suspend|lift|rename|remove-picture|allow-hosting|delete|list`.

use chrono::{TimeDelta, Utc};
use clap::{ArgGroup, Subcommand};
use clap_complete::engine::ArgValueCompleter;
use morpion_openapi::{
    Acknowledgement, PageRequest, Timestamp,
    account::User,
    admin::{AdminUserAnswer, ListUsers, UsersListAnswer},
    moderation::{
        AllowHosting, DeleteUser, LiftSuspension, ListSuspended, RemovePicture, RenameUser, SuspendUser, Suspension,
    },
};
use morpion_shell::{
    escape,
    output::{Format, print},
};
use serde_json::json;

use super::{api::Api, complete, pro::named};
use crate::config::Config;

/// The longest time of a suspension that ends; longer ones are for ever.
const MAX_DAYS: i64 = 3_660;

#[derive(Debug, Subcommand)]
#[command(after_help = EXAMPLES)]
pub enum UserCommand {
    /// List accounts
    List {
        /// Only accounts with a suspension, also one that is over; the latest first
        #[arg(long)]
        suspended: bool,
    },
    /// Suspend an account: its sessions end, and every sign-in is refused
    #[command(group = ArgGroup::new("length").required(true))]
    Suspend {
        /// Its username, its id, or a prefix of it
        #[arg(add = ArgValueCompleter::new(complete::accounts))]
        account: String,
        /// How long: 1, 7 or 30, for example
        #[arg(long, group = "length", value_parser = clap::value_parser!(i64).range(1..=MAX_DAYS))]
        days: Option<i64>,
        /// Until it is lifted
        #[arg(long, group = "length")]
        for_ever: bool,
        /// Shown and mailed to the person, and for the audit trail
        #[arg(long, value_name = "TEXT")]
        reason: String,
    },
    /// Lift a suspension
    Lift {
        /// Its username, its id, or a prefix of it
        #[arg(add = ArgValueCompleter::new(complete::accounts))]
        account: String,
    },
    /// Give an account other names; neutral ones if none are given
    Rename {
        /// Its username, its id, or a prefix of it
        #[arg(add = ArgValueCompleter::new(complete::accounts))]
        account: String,
        #[arg(long, value_name = "NAME")]
        username: Option<String>,
        #[arg(long, value_name = "NAME")]
        display_name: Option<String>,
        /// Emailed to the person, and kept in the audit trail
        #[arg(long, value_name = "TEXT")]
        reason: String,
    },
    /// Remove the picture of an account
    RemovePicture {
        /// Its username, its id, or a prefix of it
        #[arg(add = ArgValueCompleter::new(complete::accounts))]
        account: String,
        /// Emailed to the person, and kept in the audit trail
        #[arg(long, value_name = "TEXT")]
        reason: String,
    },
    /// Let a member host private events without a verified email, as where no mail is set up
    AllowHosting {
        /// Its username, its id, or a prefix of it
        #[arg(add = ArgValueCompleter::new(complete::accounts))]
        account: String,
        /// No longer
        #[arg(long)]
        revoke: bool,
    },
    /// Delete an account as its owner would; it cannot be undone
    Delete {
        /// Its username, its id, or a prefix of it
        #[arg(add = ArgValueCompleter::new(complete::accounts))]
        account: String,
        /// Emailed to the person, and kept in the audit trail
        #[arg(long, value_name = "TEXT")]
        reason: String,
        /// Confirm
        #[arg(long, required = true)]
        yes: bool,
    },
}

const EXAMPLES: &str = "\
Examples:
  morpion user suspend ann --days 7 --reason 'Insults in every game'
  morpion user rename ann --reason 'The name is an insult'
  morpion user list --suspended

These commands work with a running server and, in its data folder, without one.";

/// # Errors
/// The server's refusal, in its words.
pub async fn run(command: UserCommand, config: Config, format: Format) -> anyhow::Result<()> {
    Api::with(config, async |api| send(command, api, format).await).await
}

async fn send(command: UserCommand, api: &Api, format: Format) -> anyhow::Result<()> {
    let answer: AdminUserAnswer = match command {
        UserCommand::List { suspended } => return list(suspended, api, format).await,
        UserCommand::Suspend { account, days, reason, .. } => {
            let until = days.map(|days| Timestamp::from(Utc::now() + TimeDelta::days(days)));
            let user_id = named(api, &account).await?;
            api.write("suspend_user", SuspendUser { user_id, until, reason }).await?
        }
        UserCommand::Lift { account } => {
            let user_id = named(api, &account).await?;
            api.write("lift_suspension", LiftSuspension { user_id }).await?
        }
        UserCommand::Rename { account, username, display_name, reason } => {
            let user_id = named(api, &account).await?;
            api.write("rename_user", RenameUser { user_id, username, display_name, reason }).await?
        }
        UserCommand::AllowHosting { account, revoke } => {
            let user_id = named(api, &account).await?;
            api.write("allow_hosting", AllowHosting { user_id, allowed: !revoke }).await?
        }
        UserCommand::RemovePicture { account, reason } => {
            let user_id = named(api, &account).await?;
            api.write("remove_picture", RemovePicture { user_id, reason }).await?
        }
        UserCommand::Delete { account, reason, .. } => {
            let user_id = named(api, &account).await?;
            let _: Acknowledgement = api.write("delete_user", DeleteUser { user_id, reason }).await?;
            return Ok(format.print(&json!({ "userId": user_id }), |_| "The account is deleted.\n".to_owned())?);
        }
    };
    Ok(format.print(&answer, |answer| line(&answer.user, ""))?)
}

async fn list(is_suspended_only: bool, api: &Api, format: Format) -> anyhow::Result<()> {
    if format == Format::Text {
        print(&format!("{:<36} {:<20} {:<24} {}\n", "id", "account", "display name", "suspension"))?;
    }
    for page in 1.. {
        let (page, limit) = (Some(page), Some(PageRequest::MAX_LIMIT));
        let answer: UsersListAnswer = if is_suspended_only {
            api.read("list_suspended", ListSuspended { page, limit }).await?
        } else {
            api.read("list_users", ListUsers { text: None, page, limit }).await?
        };
        let without = if is_suspended_only { "over" } else { "" };
        format.print_rows(&answer.users, |rows| rows.iter().map(|user| line(user, without)).collect())?;
        if !answer.pagination.has_next_page {
            break;
        }
    }
    Ok(())
}

/// An account, with `without` if no suspension is in force.
fn line(user: &User, without: &str) -> String {
    let suspension = user.suspension.as_ref().map_or_else(|| without.to_owned(), in_words);
    let text = format!("{:<36} {:<20} {:<24} {suspension}", user.user_id, user.username, user.display_name);
    escape::line(text.trim_end()).into_owned() + "\n"
}

/// `suspended until 2026-11-24T10:00:00Z: Insults`.
pub(super) fn in_words(suspension: &Suspension) -> String {
    let end = suspension.until.map_or_else(|| "for ever".to_owned(), |until| format!("until {until}"));
    format!("suspended {end}: {}", suspension.reason)
}
