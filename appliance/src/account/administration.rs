//! What admins and operators do with other people's accounts. All of it is recorded in the audit trail.

use chrono::TimeDelta;
use morpion_openapi::{PageRequest, Pagination};
use morpion_rules::UserId;
use morpion_store::{AuditRecord, OperatorToken, Session, User};
use serde_json::json;
use uuid::Uuid;

use super::{
    Accounts,
    names::{Email, Username},
    password::NewPassword,
    sign_in::Registration,
};
use crate::{
    caller::Call,
    error::{ApiError, FieldErrors},
    mail::EmailTemplate,
};

/// The longest name of an operator token, in characters.
const MAX_TOKEN_NAME: usize = 50;

/// The longest life of an operator token that has an end, in days.
const MAX_TOKEN_DAYS: u32 = 3_650;

/// The largest number of operator tokens: nobody keeps track of more.
const MAX_TOKENS: usize = 100;

impl Accounts {
    /// Accounts, guests included, in the order of their usernames.
    pub async fn list_users(&self, text: Option<&str>, page: PageRequest) -> Result<(Vec<User>, Pagination), ApiError> {
        let text = text.map(str::trim).filter(|text| !text.is_empty());
        let (users, total) = self.store.users_page(text, page.offset(), page.limit as usize).await?;
        Ok((users, page.pagination(total)))
    }

    /// An account's sessions, the most recently used first.
    ///
    /// # Errors
    /// 404.
    pub async fn list_sessions(&self, user_id: UserId) -> Result<Vec<Session>, ApiError> {
        self.user(user_id).await?;
        self.sessions.list(user_id, self.clock.steady()).await
    }

    /// Ends a user's session.
    ///
    /// # Errors
    /// 404 when the account has no such session.
    pub async fn revoke_session(&self, call: &Call, user_id: UserId, session_id: &str) -> Result<(), ApiError> {
        let session: Uuid = session_id.parse().map_err(|_| ApiError::not_found("session"))?;
        if !self.sessions.end(user_id, session, self.clock.steady()).await? {
            return Err(ApiError::not_found("session"));
        }
        self.audit(call, "revoke_session", &user_id.to_string(), json!({ "sessionId": session })).await
    }

    /// Grants or removes admin rights.
    ///
    /// # Errors
    /// 404; 409 for the last admin and for guests.
    pub async fn set_admin(&self, call: &Call, user_id: UserId, is_admin: bool) -> Result<User, ApiError> {
        let user = self.user(user_id).await?;
        if user.is_temp {
            return Err(ApiError::conflict("guest", "A guest cannot be an admin."));
        }
        if user.is_admin == is_admin {
            return Ok(user);
        }
        if !is_admin && self.store.count_admins().await? <= 1 {
            return Err(ApiError::conflict("last-admin", "This is the last admin. Make somebody else an admin first."));
        }
        self.store.set_admin(user_id.0, is_admin).await?;
        self.sessions.role_changed(user_id, self.clock.steady()).await?;
        let detail = json!({ "username": user.username, "isAdmin": is_admin });
        self.audit(call, "set_admin", &user_id.to_string(), detail).await?;
        self.user(user_id).await
    }

    /// Creates an account that is an admin from the start.
    ///
    /// # Errors
    /// 422 with the fields that are wrong, 409 for a taken username or email.
    pub async fn create_admin(
        &self,
        call: &Call,
        email: &str,
        username: &str,
        password: &str,
    ) -> Result<User, ApiError> {
        let user = self.create_account(Registration::check(email, password, username, "", "")?, None).await?;
        self.store.set_admin(user.id, true).await?;
        self.audit(call, "create_admin", &user.id.to_string(), json!({ "username": user.username })).await?;
        self.user(UserId(user.id)).await
    }

    /// Sets a new password, ends all sessions and notifies the owner.
    ///
    /// # Errors
    /// 404, 422 for a password that breaks a rule.
    pub async fn reset_password(&self, call: &Call, account: &str, password: &str) -> Result<(), ApiError> {
        let password = NewPassword::parse(password).map_err(|reason| ApiError::invalid("newPassword", reason))?;
        let user = self.named_account(account).await?;
        self.set_password(&user, password).await?;
        self.notify_owner(&user, &EmailTemplate::password_reset(&user.username));
        self.audit(call, "reset_password", &user.id.to_string(), json!({ "username": user.username })).await
    }

    /// The account that an operator names by username or email.
    ///
    /// # Errors
    /// 404; 409 when several accounts claim the email.
    pub async fn named_account(&self, name: &str) -> Result<User, ApiError> {
        if let Ok(username) = Username::parse(name)
            && let Some(user) = self.store.user_by_name(username.as_str(), self.clock.steady()).await?
        {
            return Ok(user);
        }
        let email = Email::parse(name).map_err(|_| ApiError::not_found("account"))?;
        let mut users = self.store.users_by_email(email.as_str()).await?;
        match users.len() {
            0 => Err(ApiError::not_found("account")),
            1 => Ok(users.remove(0)),
            _ => Err(ApiError::conflict(
                "ambiguous",
                "Several accounts claim this email. Please name the account by its username.",
            )),
        }
    }

    /// The audit trail with the accounts that acted and those it was done to, the newest first.
    pub async fn list_audit(&self, page: PageRequest) -> Result<(Vec<AuditRecord>, Vec<User>, Pagination), ApiError> {
        let (entries, total) = self.store.audit_entries(page.offset(), page.limit as usize).await?;
        let ids = entries.iter().flat_map(|record| [&record.entry.actor, &record.entry.target]);
        let mut people: Vec<Uuid> = ids.filter_map(|id| id.parse().ok()).collect();
        people.sort_unstable();
        people.dedup();
        let people = self.store.users(&people).await?;
        Ok((entries, people, page.pagination(total)))
    }

    /// All operator tokens, the newest first.
    pub async fn list_tokens(&self) -> Result<Vec<OperatorToken>, ApiError> {
        Ok(self.store.operator_tokens().await?)
    }

    /// Creates an operator token; its text is shown only once.
    ///
    /// # Errors
    /// 422 for a bad name or life, 409 when there are too many.
    pub async fn create_token(
        &self,
        call: &Call,
        name: &str,
        days: Option<u32>,
    ) -> Result<(String, OperatorToken), ApiError> {
        let mut fields = FieldErrors::default();
        let name = fields.check("name", token_name(name));
        let days = fields.check("expiresInDays", token_days(days));
        let (Some(name), Some(days)) = (name, days) else { return Err(fields.into()) };
        if self.store.operator_tokens().await?.len() >= MAX_TOKENS {
            return Err(ApiError::conflict(
                "too-many-tokens",
                format!("There are {MAX_TOKENS} tokens already. Please revoke one first."),
            ));
        }
        let now = self.clock.wall();
        let expires_at = days.map(|days| now + TimeDelta::days(days.into()));
        let (text, token) = self.operators.create_token(&name, expires_at, now).await?;
        self.audit(call, "create_token", &token.id.to_string(), json!({ "name": name, "expiresAt": expires_at }))
            .await?;
        Ok((text, token))
    }

    /// Revokes an operator token and closes its sockets.
    ///
    /// # Errors
    /// 404.
    pub async fn revoke_token(&self, call: &Call, token_id: &str) -> Result<(), ApiError> {
        let id: Uuid = token_id.parse().map_err(|_| ApiError::not_found("token"))?;
        if !self.store.revoke_operator_token(id).await? {
            return Err(ApiError::not_found("token"));
        }
        self.sessions.notify_ended(id);
        self.audit(call, "revoke_token", token_id, serde_json::Value::Null).await
    }
}

fn token_name(name: &str) -> Result<String, String> {
    let name = name.trim();
    if name.is_empty() || name.chars().count() > MAX_TOKEN_NAME || name.chars().any(char::is_control) {
        return Err(format!("A token needs a name of 1 to {MAX_TOKEN_NAME} characters."));
    }
    Ok(name.to_owned())
}

fn token_days(days: Option<u32>) -> Result<Option<u32>, String> {
    match days {
        Some(days) if !(1..=MAX_TOKEN_DAYS).contains(&days) => {
            Err(format!("A token lives 1 to {MAX_TOKEN_DAYS} days."))
        }
        days => Ok(days),
    }
}
