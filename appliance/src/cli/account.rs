//! `morpion admin list|create|promote|demote|reset-password|remove-second-factor|password-link|change-email`.

use clap::Subcommand;
use morpion_openapi::{
    Acknowledgement, PageRequest,
    account::User,
    admin::{
        AdminUserAnswer, ChangeEmail, CreateAdmin, CreatePasswordLink, DemoteUser, ListAdmins, PasswordLinkAnswer,
        PromoteUser, RemoveSecondFactor, ResetPassword, UsersListAnswer,
    },
};
use morpion_shell::{escape, output::Format};
use serde_json::json;

use super::{api::Api, password::PasswordSource};
use crate::config::Config;

#[derive(Debug, Subcommand)]
#[command(after_help = EXAMPLES)]
pub enum AccountCommand {
    /// List the admins, and until when those by a provider's group are
    List,
    /// Create an admin account
    Create {
        #[arg(long, value_name = "EMAIL")]
        email: String,
        /// 3 to 20 of A-Z a-z 0-9 _ . -
        #[arg(long, value_name = "NAME")]
        username: String,
        #[command(flatten)]
        password: PasswordSource,
    },
    /// Make an account an admin
    Promote {
        /// Its username, or an email that its owner confirmed
        account: String,
    },
    /// Make an admin an ordinary account again
    Demote {
        /// Its username, or an email that its owner confirmed
        account: String,
    },
    /// Set a new password for an account and end all of its sessions
    ResetPassword {
        /// Its username, or an email that its owner confirmed
        account: String,
        #[command(flatten)]
        password: PasswordSource,
    },
    /// Remove the authenticator app, the passkeys and the recovery codes of somebody who lost them
    RemoveSecondFactor {
        /// Its username, or an email that its owner confirmed
        account: String,
        /// Why, for the audit trail
        #[arg(long, value_name = "TEXT", default_value = ASKED_FOR)]
        reason: String,
    },
    /// Make a one-time link by which somebody sets a new password or makes a passkey, and print it
    PasswordLink {
        /// Its username, or an email that its owner confirmed
        account: String,
        /// Also remove the second factor when the link is used, for somebody who lost it
        #[arg(long)]
        remove_second_factor: bool,
        /// Why, for the audit trail
        #[arg(long, value_name = "TEXT", default_value = ASKED_FOR)]
        reason: String,
    },
    /// Give an account another email; nobody has confirmed it then
    ChangeEmail {
        /// Its username, or an email that its owner confirmed
        account: String,
        /// The new email
        #[arg(value_name = "EMAIL")]
        new_email: String,
        /// Why, for the audit trail
        #[arg(long, value_name = "TEXT", default_value = ASKED_FOR)]
        reason: String,
    },
}

const ASKED_FOR: &str = "asked for in the shell";

const EXAMPLES: &str = "\
Examples:
  morpion admin create --email you@example.org --username you
  pass show morpion | morpion admin reset-password you --password-stdin
  morpion admin password-link ada --reason 'The mailbox is gone'

These commands work with a running server and, in its data folder, without one.";

/// # Errors
/// The server's refusal, in its words.
pub async fn run(command: AccountCommand, config: Config, format: Format) -> anyhow::Result<()> {
    // The password first: a server opened for this command should not wait for somebody at a keyboard.
    let request = Request::from(command)?;
    let site = config.public_origin().to_string();
    Api::with(config, async |api| request.send(api, &site, format).await).await
}

enum Request {
    List,
    Create(CreateAdmin),
    Promote(PromoteUser),
    Demote(DemoteUser),
    ResetPassword(ResetPassword),
    RemoveSecondFactor(RemoveSecondFactor),
    PasswordLink(CreatePasswordLink),
    ChangeEmail(ChangeEmail),
}

impl Request {
    fn from(command: AccountCommand) -> anyhow::Result<Self> {
        Ok(match command {
            AccountCommand::List => Self::List,
            AccountCommand::Create { email, username, password } => {
                Self::Create(CreateAdmin { email, username, password: password.read()? })
            }
            AccountCommand::Promote { account } => Self::Promote(PromoteUser { account }),
            AccountCommand::Demote { account } => Self::Demote(DemoteUser { account }),
            AccountCommand::ResetPassword { account, password } => {
                Self::ResetPassword(ResetPassword { account, new_password: password.read()? })
            }
            AccountCommand::RemoveSecondFactor { account, reason } => {
                Self::RemoveSecondFactor(RemoveSecondFactor { account, reason })
            }
            AccountCommand::PasswordLink { account, remove_second_factor, reason } => {
                let remove_second_factor = Some(remove_second_factor);
                Self::PasswordLink(CreatePasswordLink { account, remove_second_factor, reason })
            }
            AccountCommand::ChangeEmail { account, new_email, reason } => {
                Self::ChangeEmail(ChangeEmail { account, new_email, reason })
            }
        })
    }

    /// `site` is what the links of the server begin with.
    async fn send(self, api: &Api, site: &str, format: Format) -> anyhow::Result<()> {
        let (answer, what): (AdminUserAnswer, _) = match self {
            Self::List => return list(api, format).await,
            Self::Create(payload) => (api.write("create_admin", payload).await?, "is an admin now"),
            Self::Promote(payload) => (api.write("promote_user", payload).await?, "is an admin now"),
            Self::Demote(payload) => (api.write("demote_user", payload).await?, "is no admin any more"),
            Self::ChangeEmail(payload) => (api.write("change_email", payload).await?, "has the new email"),
            Self::PasswordLink(payload) => {
                let PasswordLinkAnswer { path, expires_at } = api.write("create_password_link", payload).await?;
                let link = format!("{site}{path}");
                format.print(&json!({ "link": link, "expiresAt": expires_at }), |_| {
                    format!("{link}\n\nIt sets a new password or makes a passkey, once, until {expires_at}. Give it to nobody else.\n")
                })?;
                return Ok(());
            }
            Self::ResetPassword(payload) => {
                let account = payload.account.clone();
                let _: Acknowledgement = api.write("reset_password", payload).await?;
                format.print(&json!({ "account": account }), |_| {
                    let account = escape::line(&account);
                    format!("{account} has the new password, and has to sign in again everywhere.\n")
                })?;
                return Ok(());
            }
            Self::RemoveSecondFactor(payload) => {
                let account = payload.account.clone();
                let _: Acknowledgement = api.write("remove_second_factor", payload).await?;
                format.print(&json!({ "account": account }), |_| {
                    format!("{} signs in without a second factor now.\n", escape::line(&account))
                })?;
                return Ok(());
            }
        };
        Ok(format.print(&answer, |answer| format!("{} {what}.\n", escape::line(&answer.user.username)))?)
    }
}

async fn list(api: &Api, format: Format) -> anyhow::Result<()> {
    for page in 1.. {
        let payload = ListAdmins { page: Some(page), limit: Some(PageRequest::MAX_LIMIT) };
        let answer: UsersListAnswer = api.read("list_admins", payload).await?;
        format.print_rows(&answer.users, |rows| rows.iter().map(line).collect())?;
        if !answer.pagination.has_next_page {
            break;
        }
    }
    Ok(())
}

/// An admin, and by what.
fn line(user: &User) -> String {
    let origin = user.admin_claim.as_ref().map_or_else(
        || "promoted".to_owned(),
        |claim| format!("by a group at {}, until {}", claim.issuer, claim.until),
    );
    escape::line(&format!("{:<20} {origin}", user.username)).into_owned() + "\n"
}
