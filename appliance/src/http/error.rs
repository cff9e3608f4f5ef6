//! Errors as HTTP responses: the one place where a kind becomes a status.

use std::time::Duration;

use morpion_openapi::Failure;
use poem::{IntoResponse, Response, http::StatusCode};
use poem_openapi::{
    ApiResponse,
    registry::{MetaMediaType, MetaResponse, MetaResponses, Registry},
    types::Type,
};

use super::convert::moderation::any_suspension;
use crate::{
    api_error::{ApiError, ErrorKind},
    shares::Full,
};

impl ErrorKind {
    pub fn status(self) -> StatusCode {
        match self {
            Self::Malformed => StatusCode::BAD_REQUEST,
            Self::NotSignedIn => StatusCode::UNAUTHORIZED,
            Self::PlanRequired => StatusCode::PAYMENT_REQUIRED,
            Self::Forbidden => StatusCode::FORBIDDEN,
            Self::NotFound => StatusCode::NOT_FOUND,
            Self::Misdirected => StatusCode::MISDIRECTED_REQUEST,
            Self::WrongMethod => StatusCode::METHOD_NOT_ALLOWED,
            Self::Conflict => StatusCode::CONFLICT,
            Self::Gone => StatusCode::GONE,
            Self::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Self::AddressTooLong => StatusCode::URI_TOO_LONG,
            Self::TooSlow => StatusCode::REQUEST_TIMEOUT,
            Self::Unsupported => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Self::Invalid => StatusCode::UNPROCESSABLE_ENTITY,
            Self::TooMany => StatusCode::TOO_MANY_REQUESTS,
            Self::Internal => StatusCode::INTERNAL_SERVER_ERROR,
            Self::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
        }
    }
}

/// When a client may ask again that there was no room for.
const ROOM_AFTER: Duration = Duration::from_secs(10);

impl Full {
    pub fn status(self) -> StatusCode {
        match self {
            Self::InAll => ErrorKind::Unavailable.status(),
            Self::ForOne => ErrorKind::TooMany.status(),
        }
    }

    /// Without a body: where there is no room, nothing waits to be read.
    pub fn respond(self) -> Response {
        Response::builder().status(self.status()).header("retry-after", ROOM_AFTER.as_secs()).finish()
    }
}

impl ApiError {
    /// The error for the wire.
    pub fn failure(&self, request_id: &str) -> Failure {
        Failure {
            succeeded: false,
            error_message: self.message.to_string(),
            error_code: self.code.to_owned(),
            request_id: request_id.to_owned(),
            field_errors: (!self.field_errors.is_empty()).then(|| self.field_errors.clone()),
            requires_upgrade: self.requires_upgrade.then_some(true),
            suspension: self.suspension.as_deref().map(any_suspension),
        }
    }

    /// The response to the request with this id.
    pub fn respond(&self, request_id: &str) -> Response {
        let mut response =
            Response::builder().status(self.kind.status()).content_type("application/json; charset=utf-8");
        if let Some(wait) = self.retry_after {
            response = response.header("retry-after", wait.as_secs().max(1));
        }
        response.body(serde_json::to_string(&self.failure(request_id)).expect("a failure is plain data"))
    }
}

/// An error passes through poem as its error and becomes a response in one place, where the request's id is known
/// ([`super::envelope`]).
impl From<ApiError> for poem::Error {
    fn from(error: ApiError) -> Self {
        let status = error.kind.status();
        poem::Error::new(error, status)
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        poem::Error::from(self).into_response()
    }
}

impl ApiResponse for ApiError {
    fn meta() -> MetaResponses {
        MetaResponses {
            responses: vec![MetaResponse {
                description: "The call failed; the status says how.",
                status: None,
                status_range: None,
                content: vec![MetaMediaType {
                    content_type: "application/json; charset=utf-8",
                    schema: Failure::schema_ref(),
                }],
                headers: vec![],
            }],
        }
    }

    fn register(registry: &mut Registry) {
        Failure::register(registry);
    }
}
