//! What an account itself stores, for its owner to take along.

use morpion_rules::UserId;
use serde_json::{Value, json};

use super::{Accounts, convert};
use crate::error::ApiError;

impl Accounts {
    /// The data of the account itself as JSON, without secrets, not even hashed ones.
    ///
    /// # Errors
    /// 404.
    pub async fn export(&self, user_id: UserId) -> Result<Value, ApiError> {
        let user = self.user(user_id).await?;
        let sessions = self.sessions.list(user_id, self.clock.steady()).await?;
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
