//! Deleting an account.

use chrono::{DateTime, Utc};
use morpion_rules::UserId;
use morpion_store::{Credentials, StoreError};

use super::{Accounts, error::AccountError};

impl Accounts {
    /// Deletes an account permanently: its sessions end and their sockets close; names, email, picture and links are
    /// removed. Its games and everything outside the account are cleaned up afterwards ([`crate::account_deletion`]),
    /// also after a crash. `checked` is what its owner proved, or who was looked at.
    ///
    /// # Errors
    /// [`CommonError::NotFound`](crate::error::CommonError::NotFound), [`AccountError::LastAdminLeaves`],
    /// [`CommonError::CredentialsChanged`](crate::error::CommonError::CredentialsChanged).
    pub async fn delete(&self, checked: Credentials, now: DateTime<Utc>) -> Result<(), AccountError> {
        let user_id = UserId(checked.user_id);
        self.store.delete_own(checked, now).await.map_err(|error| match error {
            StoreError::LastAdmin => AccountError::LastAdminLeaves,
            error => error.into(),
        })?;
        self.was_deleted(user_id).await?;
        self.admins_changed(user_id.0).await
    }

    /// An account is gone, also by a merge into another one.
    ///
    /// # Errors
    /// The store is unavailable.
    pub(crate) async fn was_deleted(&self, user_id: UserId) -> Result<(), AccountError> {
        self.people.mark_deleted(user_id);
        self.sessions.have_ended(user_id, None).await.map(drop)
    }
}
