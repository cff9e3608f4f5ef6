//! What can go wrong in quick match.

use morpion_store::StoreError;

use crate::error::CommonError;

/// Why nobody is looked for. The texts are for users.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum QuickMatchError {
    #[error("Rated games need an account. Play a casual game, or register first; your games come with you.")]
    AccountNeeded,
    #[error("You are looking for an opponent in an event. Stop that search on the event's page first.")]
    InEvent,
    #[error(transparent)]
    Common(#[from] CommonError),
}

impl From<StoreError> for QuickMatchError {
    fn from(error: StoreError) -> Self {
        CommonError::from(error).into()
    }
}
