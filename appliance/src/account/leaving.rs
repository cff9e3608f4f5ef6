//! Leaving: what an account keeps here, as one file, and its deletion.

use chrono::{DateTime, Utc};
use morpion_rules::UserId;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{Accounts, convert};
use crate::error::ApiError;

impl Accounts {
    /// Deletes an account for good: its sessions end and their sockets close, its names, email, picture and links go.
    /// Its games and all else outside of the account is seen to afterwards ([`crate::departure`]), also after a crash.
    ///
    /// # Errors
    /// 404, and 409 for the last admin.
    pub async fn delete(&self, user_id: UserId, now: DateTime<Utc>) -> Result<(), ApiError> {
        let user = self.user(user_id).await?;
        if user.is_admin && self.store.count_admins().await? <= 1 {
            let text = "You are the last admin. Make somebody else an admin first.";
            return Err(ApiError::conflict("last-admin", text));
        }
        let ended = self.store.delete_user(user_id.0, now).await?;
        self.sessions.ended_with_account(user_id, ended);
        self.people.mark_deleted(user_id);
        Ok(())
    }

    /// A guest is gone, their games with the account that they signed in to.
    pub(crate) fn guest_merged(&self, guest: UserId, ended: Vec<Uuid>) {
        self.sessions.ended_with_account(guest, ended);
        self.people.mark_deleted(guest);
    }

    /// What is kept of an account itself, as JSON: no secrets, not even hashed ones.
    ///
    /// # Errors
    /// 404.
    pub async fn export(&self, user_id: UserId) -> Result<Value, ApiError> {
        let user = self.user(user_id).await?;
        let sessions = self.sessions.of(user_id, self.clock.steady()).await?;
        let providers: Vec<Value> =
            user.providers.iter().map(|link| json!({ "issuer": link.iss, "subject": link.sub })).collect();
        Ok(json!({
            "account": convert::own_user(&user, self.clock.wall()),
            "hasPassword": user.password_hash.is_some(),
            "providers": providers,
            "calendarConnected": self.store.calendar_grant(user_id.0).await?.is_some(),
            "lastSeenAt": user.last_seen_at,
            "sessions": sessions.iter().map(|session| convert::session(session, None)).collect::<Vec<_>>(),
        }))
    }
}
