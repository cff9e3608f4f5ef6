//! What an account itself stores, for its owner to take along.

use morpion_rules::UserId;
use morpion_store::{SecondFactor, Session, User};

use super::{Accounts, error::AccountError};

/// The data of an account itself.
#[derive(Debug)]
pub struct AccountExport {
    pub user: User,
    pub sessions: Vec<Session>,
    pub is_calendar_connected: bool,
    pub second_factor: SecondFactor,
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
            second_factor: self.store.second_factor(user_id.0).await?,
        })
    }
}
