//! What an account itself stores, for its owner to take along.

use morpion_rules::UserId;
use morpion_store::{
    BlockRow, NotificationSettings, PersonalToken, PushSubscriptionRow, ReportRow, SecondFactor, Session, User,
};

use super::{Accounts, error::AccountError};

/// Reports in an export: those of half a year, if every day had as many as allowed.
const MAX_REPORTS: usize = 2_000;

/// The data of an account itself.
#[derive(Debug)]
pub struct AccountExport {
    pub user: User,
    pub sessions: Vec<Session>,
    pub is_calendar_connected: bool,
    pub second_factor: SecondFactor,
    /// The newest first.
    pub tokens: Vec<PersonalToken>,
    /// The latest first.
    pub blocks: Vec<BlockRow>,
    /// Written by the account, the latest first.
    pub reports: Vec<ReportRow>,
    pub notifications: NotificationSettings,
    pub browsers: Vec<PushSubscriptionRow>,
}

impl Accounts {
    /// The data of the account itself.
    ///
    /// # Errors
    /// [`CommonError::NotFound`](crate::error::CommonError::NotFound).
    pub async fn export(&self, user_id: UserId) -> Result<AccountExport, AccountError> {
        let (notifications, browsers) = self.notification_settings(user_id).await?;
        Ok(AccountExport {
            user: self.user(user_id).await?,
            sessions: self.sessions.list(user_id, self.clock.steady()).await?,
            is_calendar_connected: self.calendars.is_connected(user_id).await?,
            second_factor: self.store.second_factor(user_id.0).await?,
            tokens: self.personal_tokens_of(user_id).await?,
            blocks: self.store.blocks_made_by(user_id.0).await?,
            reports: self.store.reports_by(user_id.0, MAX_REPORTS).await?,
            notifications,
            browsers,
        })
    }
}
