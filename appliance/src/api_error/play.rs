//! Errors of play.

use morpion_rules::Refusal;

use super::{ApiError, ErrorKind};
use crate::play::error::{PlayError, Room};

impl From<PlayError> for ApiError {
    fn from(error: PlayError) -> Self {
        let message = error.to_string();
        let code = match error {
            PlayError::Common(error) => return error.into(),
            PlayError::Refused(refusal) => return refusal.into(),
            PlayError::IdTaken => "id-taken",
            PlayError::TooManyGames => "too-many-games",
            PlayError::TooManyInvitations => "too-many-invitations",
            PlayError::TooManyOffers => "too-many-offers",
            PlayError::NoRoom(room) => {
                let code = match room {
                    Room::Invitations => "no-room-for-invitations",
                    Room::Games => "no-room",
                };
                return Self { code, ..Self::unavailable(message) };
            }
            PlayError::TooManyRooms => "too-many-rooms",
            PlayError::TooManySpectators => "too-many-spectators",
            PlayError::TooManyReactions { retry_after } => {
                return Self::new(ErrorKind::TooMany, "too-many-reactions", message).and_retry_after(retry_after);
            }
            PlayError::NotOver | PlayError::NotOverToShare => "game-not-over",
            PlayError::NotPlayed => "game-not-played",
            PlayError::NoOpponent => "no-opponent",
        };
        Self::conflict(code, message)
    }
}

impl From<Refusal> for ApiError {
    fn from(refusal: Refusal) -> Self {
        let kind = match refusal {
            Refusal::NotAPlayer => ErrorKind::Forbidden,
            Refusal::OffBoard => ErrorKind::Invalid,
            _ => ErrorKind::Conflict,
        };
        Self::new(kind, refusal.code(), refusal.text())
    }
}
