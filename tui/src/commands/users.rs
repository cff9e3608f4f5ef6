//! `morpion-tui users …`

use std::process::ExitCode;

use morpion_openapi::{
    PageRequest, Timestamp,
    account::User,
    admin::{GrantPro, ListSessions, ListUsers, RevokePro, RevokeSessionAction, SetAdmin},
    game::{GameStatus, GetGamesByUser},
};

use uuid::Uuid;

use super::{Outcome, Script, games, more, print::Table};
use crate::{
    app::{moment, users::kind},
    args::Users,
    net::refusal::{Kind, Refusal},
    run,
};

impl Script {
    pub(super) async fn users(&self, command: &Users) -> Outcome {
        match command {
            Users::List { text, page } => {
                let call = ListUsers { text: text.clone(), page: Some(page.page), limit: Some(page.limit) };
                self.show(call, |answer| table(&answer.users) + &more(&answer.pagination)).await
            }
            Users::Sessions { account } => {
                let user_id = self.account(account).await?;
                self.show(ListSessions { user_id }, |answer| {
                    let mut table = Table::new(&["SESSION", "DEVICE", "ADDRESS", "SINCE", "LAST USED"]);
                    for session in &answer.sessions {
                        let (since, used) = (session.created_at.to_string(), session.last_used_at.to_string());
                        table.row(&[&session.session_id, &session.device, &session.address, &since, &used]);
                    }
                    table.text()
                })
                .await
            }
            Users::RevokeSession { account, session } => {
                let call = RevokeSessionAction { user_id: self.account(account).await?, session_id: session.clone() };
                self.show(call, |_| "The session is revoked.\n".to_owned()).await
            }
            Users::Games { account, page } => {
                let call = GetGamesByUser {
                    user_id: self.account(account).await?,
                    status: Some(GameStatus::ALL.to_vec()),
                    page: Some(page.page),
                    limit: Some(page.limit),
                };
                self.show(call, |answer| games::table(&answer.games) + &more(&answer.pagination)).await
            }
            Users::Promote { account } => self.set_admin(account, true).await,
            Users::Demote { account } => self.set_admin(account, false).await,
            Users::GrantPro { account, reason, days } => {
                let until = match days {
                    Some(days) => {
                        let span =
                            moment::duration(&format!("{days}d")).ok_or_else(|| super::invalid("Too many days."))?;
                        Some(Timestamp::from_millis(run::now() + span.num_milliseconds()))
                    }
                    None => None,
                };
                let user_id = self.account(account).await?;
                let call = GrantPro { user_id, until, reason: reason.clone() };
                self.show(call, |answer| table(std::slice::from_ref(&answer.user))).await
            }
            Users::RevokePro { account, reason } => {
                let user_id = self.account(account).await?;
                let call = RevokePro { user_id, reason: reason.clone() };
                self.show(call, |answer| table(std::slice::from_ref(&answer.user))).await
            }
        }
    }

    async fn set_admin(&self, account: &str, is_admin: bool) -> Outcome {
        let user_id = self.account(account).await?;
        let answer = self.api.ask(&SetAdmin { user_id, is_admin }).await?;
        self.print(&answer, |answer| table(std::slice::from_ref(&answer.user)));
        Ok(ExitCode::SUCCESS)
    }

    /// The account that is meant by an id or a username.
    pub(super) async fn account(&self, wanted: &str) -> Result<Uuid, Refusal> {
        if let Ok(id) = wanted.parse() {
            return Ok(id);
        }
        let call = ListUsers { text: Some(wanted.to_owned()), page: Some(1), limit: Some(PageRequest::MAX_LIMIT) };
        let answer = self.api.ask(&call).await?;
        let mut users = answer.users.iter();
        let found = users.find(|user| user.username.eq_ignore_ascii_case(wanted)).map(|user| user.user_id);
        found.ok_or_else(|| Refusal::new(Kind::NotFound, format!("There is no account '{wanted}'.")))
    }
}

fn table(users: &[User]) -> String {
    let mut table = Table::new(&["ID", "USERNAME", "KIND", "PRO", "EMAIL", "JOINED"]);
    for user in users {
        table.row(&[
            &user.user_id.to_string(),
            &user.username,
            kind(user),
            if user.is_pro_user { "pro" } else { "" },
            &user.email,
            &user.created_at.to_string(),
        ]);
    }
    table.text()
}
