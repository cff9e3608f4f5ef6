//! Deleting an account.

use chrono::{DateTime, Utc};
use morpion_rules::UserId;
use morpion_store::StoreError;
use uuid::Uuid;

use super::{Accounts, error::AccountError};

impl Accounts {
    /// Deletes an account permanently: its sessions end and their sockets close; names, email, picture and links are
    /// removed. Its games and everything outside the account are cleaned up afterwards ([`crate::account_deletion`]),
    /// also after a crash.
    ///
    /// # Errors
    /// [`CommonError::NotFound`](crate::error::CommonError::NotFound), [`AccountError::LastAdminLeaves`].
    pub async fn delete(&self, user_id: UserId, now: DateTime<Utc>) -> Result<(), AccountError> {
        let ended = self.store.delete_user(user_id.0, now).await.map_err(|error| match error {
            StoreError::LastAdmin => AccountError::LastAdminLeaves,
            error => error.into(),
        })?;
        self.was_deleted(user_id, ended);
        self.admins_changed(user_id.0).await
    }

    /// An account is gone, also by a merge into another one; these are its sessions.
    pub(crate) fn was_deleted(&self, user_id: UserId, ended: Vec<Uuid>) {
        self.sessions.ended_with_account(user_id, ended, None);
        self.people.mark_deleted(user_id);
    }
}
