//! What an account itself stores, for its owner to take along.

use morpion_rules::UserId;
use morpion_store::{Session, User};

use super::{Accounts, error::AccountError};

/// The data of an account itself.
#[derive(Debug)]
pub struct AccountExport {
    pub user: User,
    pub sessions: Vec<Session>,
    pub is_calendar_connected: bool,
}

impl Accounts {
    /// The data of the account itself.
    ///
    /// # Errors
    /// [`CommonError::NotFound`](crate::error::CommonError::NotFound).
    pub async fn export(&self, user_id: UserId) -> Result<AccountExport, AccountError> {
        Ok(AccountExport {
            user: self.user(user_id).await?,
            sessions: self.sessions.list(user_id, self.clock.steady()).await?,
            is_calendar_connected: self.calendars.is_connected(user_id).await?,
        })
    }
}
