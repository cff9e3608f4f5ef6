//! Errors of webhooks as their callers get them.

use super::{ApiError, ErrorKind};
use crate::webhooks::WebhookError;

impl From<WebhookError> for ApiError {
    fn from(error: WebhookError) -> Self {
        let code = match error {
            WebhookError::Common(error) => return error.into(),
            WebhookError::TooMany => "too-many-webhooks",
            WebhookError::Disabled => "webhook-disabled",
            WebhookError::Waiting => "webhook-waiting",
        };
        Self::new(ErrorKind::Conflict, code, error.to_string())
    }
}
