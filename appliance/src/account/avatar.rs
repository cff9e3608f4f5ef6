//! Avatars of accounts.

use morpion_rules::UserId;
use morpion_store::{AvatarImage, User};
use uuid::Uuid;

use super::{Accounts, error::AccountError, image_processor::SIZES};
use crate::{caller::Identity, error::CommonError, shares::Place, subject::ClientAddress};

impl Accounts {
    /// A place in the queue of uploads, to be taken before one is read.
    ///
    /// # Errors
    /// [`CommonError::Unavailable`] when the queue is full, [`CommonError::TooMany`] for too many at once.
    pub fn queue_avatar(&self, user: UserId, address: ClientAddress) -> Result<Place, CommonError> {
        self.image_processor.queue(user, address)
    }

    /// Replaces one's avatar and returns the updated account.
    ///
    /// # Errors
    /// [`AccountError::Avatar`] for a file that is refused.
    pub async fn set_avatar(
        &self,
        place: Place,
        identity: &Identity,
        declared_type: Option<String>,
        file: Vec<u8>,
    ) -> Result<User, AccountError> {
        let avatar = self.image_processor.process(place, declared_type, file).await?;
        self.store.set_avatar(identity.user_id.0, Some(avatar)).await?;
        let user = self.user(identity.user_id).await?;
        self.people.update(&user);
        Ok(user)
    }

    /// Removes one's avatar, if there is one.
    ///
    /// # Errors
    /// The store is unavailable.
    pub async fn remove_avatar(&self, identity: &Identity) -> Result<(), AccountError> {
        self.store.set_avatar(identity.user_id.0, None).await?;
        self.people.update(&self.user(identity.user_id).await?);
        Ok(())
    }

    /// Somebody's avatar, for anybody.
    ///
    /// # Errors
    /// [`CommonError::NotFound`] for a size that is not one of [`SIZES`], and for somebody without an avatar.
    pub async fn avatar(&self, user_id: Uuid, size: u32) -> Result<AvatarImage, AccountError> {
        if !SIZES.contains(&size) {
            return Err(CommonError::NotFound("image").into());
        }
        Ok(self.store.avatar(user_id, size).await?)
    }
}
