//! Errors of quick match.

use super::{ApiError, ErrorKind};
use crate::quick_match::QuickMatchError;

impl From<QuickMatchError> for ApiError {
    fn from(error: QuickMatchError) -> Self {
        let text = error.to_string();
        let (kind, code) = match error {
            QuickMatchError::Common(error) => return error.into(),
            QuickMatchError::AccountNeeded => (ErrorKind::Forbidden, "account-needed"),
            QuickMatchError::InEvent => (ErrorKind::Conflict, "in-event-queue"),
        };
        Self::new(kind, code, text)
    }
}
