//! What can go wrong in play.

use std::time::Duration;

use morpion_rules::Refusal;
use morpion_store::StoreError;

use crate::error::CommonError;

/// What the server has no room for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Room {
    /// Further games between friends.
    Invitations,
    /// Any further games.
    Games,
}

impl Room {
    const fn text(self) -> &'static str {
        match self {
            Self::Invitations => {
                "There are too many games between friends on this server right now. Quick match and events go on; please \
                 try to invite somebody later."
            }
            Self::Games => "The server has no room for another game right now.",
        }
    }
}

/// Why a call of play failed. The texts are for users.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlayError {
    /// The rules refuse it.
    #[error(transparent)]
    Refused(#[from] Refusal),
    #[error("There is a game with this id already.")]
    IdTaken,
    #[error("You have too many games open. Finish or cancel one of them first.")]
    TooManyGames,
    #[error(
        "Too many invitations from your network wait for an answer. Cancel one of yours, or try again in a few minutes."
    )]
    TooManyInvitations,
    #[error("{}", .0.text())]
    NoRoom(Room),
    #[error("You and this opponent have cancelled too many games. Invite them instead, or try again tomorrow.")]
    TooManyOffers,
    #[error("This connection has too many games open.")]
    TooManyRooms,
    #[error("Too many people watch this game already.")]
    TooManySpectators,
    #[error("Please wait a moment before you react again.")]
    TooManyReactions { retry_after: Duration },
    #[error("The game is still being played.")]
    NotOver,
    #[error("Only a finished game can be shared.")]
    NotOverToShare,
    /// There is no next game of one that was cancelled.
    #[error("This game was cancelled, so there is no rematch.")]
    NotPlayed,
    #[error("This game had no opponent.")]
    NoOpponent,
    #[error(transparent)]
    Common(#[from] CommonError),
}

impl PlayError {
    pub fn is_not_found(&self) -> bool {
        matches!(self, Self::Common(CommonError::NotFound(_)))
    }
}

impl From<StoreError> for PlayError {
    fn from(error: StoreError) -> Self {
        CommonError::from(error).into()
    }
}
