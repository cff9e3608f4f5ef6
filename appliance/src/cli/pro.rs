//! `morpion pro grant|revoke|list`.

use chrono::{DateTime, NaiveDate, NaiveTime, Utc};
use clap::Subcommand;
use clap_complete::engine::ArgValueCompleter;
use morpion_openapi::{
    PageRequest,
    admin::{
        AdminUserAnswer, GrantPro, IdOf, ListSubscriptions, ListUsers, RevokePro, UserSubscription,
        UserSubscriptionsAnswer, UsersListAnswer,
    },
};
use morpion_shell::{
    escape,
    output::{Format, print},
    reference::{self, Candidate},
};
use uuid::Uuid;

use super::{api::Api, complete};
use crate::config::Config;

#[derive(Debug, Subcommand)]
#[command(after_help = EXAMPLES)]
pub enum ProCommand {
    /// Grant Pro to an account
    Grant {
        /// Its username, its id, or a prefix of it
        #[arg(add = ArgValueCompleter::new(complete::accounts))]
        account: String,
        /// The reason, for the audit trail
        #[arg(long, value_name = "TEXT")]
        reason: String,
        /// The last day, UTC; without it Pro lasts until it is revoked
        #[arg(long, value_name = "YYYY-MM-DD")]
        until: Option<NaiveDate>,
    },
    /// Revoke granted Pro; a paid subscription stays
    Revoke {
        /// Its username, its id, or a prefix of it
        #[arg(add = ArgValueCompleter::new(complete::accounts))]
        account: String,
        /// The reason, for the audit trail
        #[arg(long, value_name = "TEXT")]
        reason: String,
    },
    /// List subscriptions and grants with their status
    List,
}

const EXAMPLES: &str = "\
Examples:
  morpion pro grant ann --reason 'Won the winter cup' --until 2027-01-31
  morpion pro revoke ann --reason 'Given by mistake'

These commands work with a running server and, in its data folder, without one.";

/// # Errors
/// The server's refusal, in its words.
pub async fn run(command: ProCommand, config: Config, format: Format) -> anyhow::Result<()> {
    Api::with(config, async |api| send(command, api, format).await).await
}

async fn send(command: ProCommand, api: &Api, format: Format) -> anyhow::Result<()> {
    match command {
        ProCommand::Grant { account, reason, until } => {
            let user_id = named(api, &account).await?;
            let until = until.map(|day| end_of(day).into());
            let answer: AdminUserAnswer = api.write("grant_pro", GrantPro { user_id, until, reason }).await?;
            Ok(format.print(&answer, |answer| format!("{} has Pro now.\n", escape::line(&answer.user.username)))?)
        }
        ProCommand::Revoke { account, reason } => {
            let user_id = named(api, &account).await?;
            let answer: AdminUserAnswer = api.write("revoke_pro", RevokePro { user_id, reason }).await?;
            let left = if answer.user.is_pro_user {
                "still has Pro: a subscription pays for it"
            } else {
                "has no Pro any more"
            };
            Ok(format.print(&answer, |answer| format!("{} {left}.\n", escape::line(&answer.user.username)))?)
        }
        ProCommand::List => list(api, format).await,
    }
}

fn end_of(day: NaiveDate) -> DateTime<Utc> {
    let next = day.succ_opt().unwrap_or(day);
    next.and_time(NaiveTime::MIN).and_utc()
}

/// An account by its username, its id, or a prefix of it.
pub(super) async fn named(api: &Api, account: &str) -> anyhow::Result<Uuid> {
    let named = async || accounts(api, account).await;
    reference::resolve("account", account, named, async || api.find_ids(IdOf::User, account).await).await
}

/// Accounts whose names contain this text.
pub(super) async fn accounts(api: &Api, text: &str) -> anyhow::Result<Vec<Candidate>> {
    let call = ListUsers { text: Some(text.to_owned()), page: None, limit: Some(PageRequest::MAX_LIMIT) };
    let found: UsersListAnswer = api.read("list_users", call).await?;
    let users = found.users.into_iter();
    Ok(users.map(|user| Candidate { id: user.user_id.to_string(), name: user.username }).collect())
}

async fn list(api: &Api, format: Format) -> anyhow::Result<()> {
    if format == Format::Text {
        print(&format!("{:<20} {:<4} {:<12} {:<16} {}\n", "account", "Pro", "status", "plan", "what comes next"))?;
    }
    for page in 1.. {
        let call = ListSubscriptions { page: Some(page), limit: Some(PageRequest::MAX_LIMIT) };
        let answer: UserSubscriptionsAnswer = api.read("list_subscriptions", call).await?;
        format.print_rows(&answer.subscriptions, |rows| rows.iter().map(line).collect())?;
        if !answer.pagination.has_next_page {
            break;
        }
    }
    Ok(())
}

fn line(row: &UserSubscription) -> String {
    let subscription = &row.subscription;
    let status = row.status.as_deref().unwrap_or(if subscription.is_granted { "granted" } else { "-" });
    let plan = subscription.name.as_deref().unwrap_or("-");
    let next = match (&subscription.grace_until, &subscription.ends_at, &subscription.next_payment_date) {
        (Some(until), ..) => format!("owes; Pro until {until}"),
        (_, Some(end), _) => format!("ends {end}"),
        (_, _, Some(next)) => format!("renews {next}"),
        _ => String::new(),
    };
    let pro = if row.is_pro_user { "yes" } else { "no" };
    let reason = row.reason.as_ref().map(|reason| format!(" ({reason})")).unwrap_or_default();
    let text = format!("{:<20} {pro:<4} {status:<12} {plan:<16} {next}{reason}", row.username);
    escape::line(&text).into_owned() + "\n"
}
