//! `morpion-tui users …`

use morpion_openapi::{
    Timestamp,
    account::User,
    admin::{
        DeletePersonalTokensOf, GrantPro, ListPersonalTokensOf, ListSessions, ListUsers, RevokePro,
        RevokeSessionAction, SetAdmin,
    },
    game::{GameStatus, GetGamesByUser},
    moderation::{DeleteUser, LiftSuspension, ListSuspended, RemovePicture, RenameUser, SuspendUser},
};
use morpion_shell::{
    command_error::CommandError,
    reference::{self, Candidate},
};

use super::{games, print::TextTable};
use crate::{
    args::{TheAccount, UserModeration, Users},
    script::{Outcome, Script},
    tabs::users::{kind, suspended::end},
    time,
    widgets::name::Named,
};

impl Script {
    pub(super) async fn users(&self, command: &Users) -> Outcome {
        match command {
            Users::List { suspended: true, page, .. } => {
                let answer = self.api.ask(&ListSuspended { page: Some(page.page), limit: Some(page.limit) }).await?;
                self.list(&answer.users, Some(&answer.pagination), suspended_table)
            }
            Users::List { text, page, .. } => {
                let call = ListUsers { text: text.clone(), page: Some(page.page), limit: Some(page.limit) };
                let answer = self.api.ask(&call).await?;
                self.list(&answer.users, Some(&answer.pagination), table)
            }
            Users::Sessions(TheAccount { account }) => {
                let user_id = self.account(account).await?;
                let answer = self.api.ask(&ListSessions { user_id }).await?;
                self.list(&answer.sessions, None, |sessions| {
                    let mut table = TextTable::new(&["SESSION", "DEVICE", "ADDRESS", "SINCE", "LAST USED"]);
                    for session in sessions {
                        let (since, used) = (session.created_at.to_string(), session.last_used_at.to_string());
                        table.row(&[&session.session_id, &session.device, &session.address, &since, &used]);
                    }
                    table.text()
                })
            }
            Users::RevokeSession { account, session } => {
                let user_id = self.account(&account.account).await?;
                let answer = self.api.ask(&ListSessions { user_id }).await?;
                let all = answer.sessions.into_iter();
                let all = all.map(|session| Candidate { id: session.session_id, name: session.device });
                let session_id = reference::choose("session", session, all)?.id;
                let call = RevokeSessionAction { user_id, session_id };
                self.show(call, |_| "The session is revoked.\n".to_owned()).await
            }
            Users::Programs(TheAccount { account }) => {
                let user_id = self.account(account).await?;
                let answer = self.api.ask(&ListPersonalTokensOf { user_id }).await?;
                self.list(&answer.tokens, None, |tokens| {
                    let mut table = TextTable::new(&["TOKEN", "NAME", "SCOPES", "SINCE", "LAST USED", "UNTIL"]);
                    for token in tokens {
                        let scopes: Vec<_> = token.scopes.iter().map(ToString::to_string).collect();
                        let used = token.last_used_at.map_or_else(|| "never".to_owned(), |at| at.to_string());
                        let (since, until) = (token.created_at.to_string(), token.expires_at.to_string());
                        table.row(&[&token.token_id, &token.name, &scopes.join(" "), &since, &used, &until]);
                    }
                    table.text()
                })
            }
            Users::DeletePrograms { account, token, .. } => {
                let user_id = self.account(&account.account).await?;
                let token_id = match token {
                    None => None,
                    Some(token) => {
                        let all = self.api.ask(&ListPersonalTokensOf { user_id }).await?.tokens.into_iter();
                        let all = all.map(|token| Candidate { id: token.token_id, name: token.name });
                        Some(reference::choose("token", token, all)?.id)
                    }
                };
                self.show(DeletePersonalTokensOf { user_id, token_id }, |answer| match answer.deleted {
                    1 => "1 token was deleted.\n".to_owned(),
                    count => format!("{count} tokens were deleted.\n"),
                })
                .await
            }
            Users::Games { account, page } => {
                let call = GetGamesByUser {
                    user_id: self.account(&account.account).await?,
                    status: Some(GameStatus::ALL.to_vec()),
                    page: Some(page.page),
                    limit: Some(page.limit),
                };
                let answer = self.api.ask(&call).await?;
                self.list(&answer.games, Some(&answer.pagination), games::table)
            }
            Users::Promote(TheAccount { account }) => self.set_admin(account, true).await,
            Users::Demote(TheAccount { account }) => self.set_admin(account, false).await,
            Users::GrantPro { account, reason, days } => {
                let until = in_days(*days)?;
                let user_id = self.account(&account.account).await?;
                let call = GrantPro { user_id, until, reason: reason.clone() };
                self.show(call, |answer| table(std::slice::from_ref(&answer.user))).await
            }
            Users::RevokePro { account, reason } => {
                let user_id = self.account(&account.account).await?;
                let call = RevokePro { user_id, reason: reason.clone() };
                self.show(call, |answer| table(std::slice::from_ref(&answer.user))).await
            }
            Users::Moderation(command) => self.moderate(command).await,
        }
    }

    /// What is done against misuse.
    async fn moderate(&self, command: &UserModeration) -> Outcome {
        match command {
            UserModeration::Suspend { account, days, reason, .. } => {
                let until = in_days(*days)?;
                let user_id = self.account(&account.account).await?;
                let call = SuspendUser { user_id, until, reason: reason.clone() };
                self.show(call, |answer| suspended_table(std::slice::from_ref(&answer.user))).await
            }
            UserModeration::Lift(TheAccount { account }) => {
                let user_id = self.account(account).await?;
                self.show(LiftSuspension { user_id }, |answer| table(std::slice::from_ref(&answer.user))).await
            }
            UserModeration::Rename { account, username, display_name, reason } => {
                let user_id = self.account(&account.account).await?;
                let (username, display_name) = (username.clone(), display_name.clone());
                let call = RenameUser { user_id, username, display_name, reason: reason.clone() };
                self.show(call, |answer| table(std::slice::from_ref(&answer.user))).await
            }
            UserModeration::RemovePicture { account, reason } => {
                let user_id = self.account(&account.account).await?;
                let call = RemovePicture { user_id, reason: reason.clone() };
                self.show(call, |answer| table(std::slice::from_ref(&answer.user))).await
            }
            UserModeration::Delete { account, reason, .. } => {
                let user_id = self.account(&account.account).await?;
                let call = DeleteUser { user_id, reason: reason.clone() };
                self.show(call, |_| "The account is deleted.\n".to_owned()).await
            }
        }
    }

    async fn set_admin(&self, account: &str, is_admin: bool) -> Outcome {
        let user_id = self.account(account).await?;
        let answer = self.api.ask(&SetAdmin { user_id, is_admin }).await?;
        self.print(&answer, |answer| table(std::slice::from_ref(&answer.user)))
    }
}

fn table(users: &[User]) -> String {
    let mut table = TextTable::new(&["ID", "USERNAME", "KIND", "PRO", "RATING", "EMAIL", "JOINED", "NAME"]);
    for user in users {
        table.row(&[
            &user.user_id.to_string(),
            &user.username,
            kind(user),
            if user.is_pro_user { "pro" } else { "" },
            &rating(user),
            &user.email,
            &user.created_at.to_string(),
            user.name().short(),
        ]);
    }
    table.text()
}

/// A provisional one has a question mark; a guest has none.
fn rating(user: &User) -> String {
    user.rating
        .as_ref()
        .map_or_else(String::new, |rating| format!("{}{}", rating.value, if rating.provisional { "?" } else { "" }))
}

fn suspended_table(users: &[User]) -> String {
    let mut table = TextTable::new(&["ID", "USERNAME", "UNTIL (UTC)", "SINCE", "REASON"]);
    for user in users {
        let (until, since, reason) = match &user.suspension {
            Some(suspension) => (end(suspension), suspension.at.to_string(), suspension.reason.as_str()),
            None => ("over".to_owned(), String::new(), ""),
        };
        table.row(&[&user.user_id.to_string(), &user.username, &until, &since, reason]);
    }
    table.text()
}

/// So many days from now.
fn in_days(days: Option<u32>) -> Result<Option<Timestamp>, CommandError> {
    let Some(days) = days else { return Ok(None) };
    let span = time::duration(&format!("{days}d")).ok_or_else(|| super::invalid("Too many days."))?;
    Ok(Some(Timestamp::from_millis(time::now() + span.num_milliseconds())))
}
