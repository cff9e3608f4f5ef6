//! Errors of play.

use morpion_rules::Refusal;

use super::{ApiError, ErrorKind};
use crate::play::error::PlayError;

impl From<PlayError> for ApiError {
    fn from(error: PlayError) -> Self {
        let code = match error {
            PlayError::Common(error) => return error.into(),
            PlayError::Refused(refusal) => return refusal.into(),
            PlayError::IdTaken => "id-taken",
            PlayError::TooManyGames => "too-many-games",
            PlayError::TooManyRooms => "too-many-rooms",
            PlayError::TooManySpectators => "too-many-spectators",
            PlayError::NotOver | PlayError::NotOverToShare => "game-not-over",
            PlayError::NotPlayed => "game-not-played",
            PlayError::NoOpponent => "no-opponent",
        };
        Self::conflict(code, error.to_string())
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
