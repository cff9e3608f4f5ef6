//! Every failure of a call, as a status, a text for a person and a code for a program.
//!
//! Three tiers: a rule refuses (4xx, the text says what and why), the server cannot right now
//! (503, try again), the server is at fault (500, logged with its cause, shown without it).

use std::{borrow::Cow, collections::BTreeMap, time::Duration};

use morpion_openapi::Failure;
use poem::{IntoResponse, Response, http::StatusCode};
use poem_openapi::{
    ApiResponse,
    registry::{MetaMediaType, MetaResponse, MetaResponses, Registry},
    types::Type,
};

/// A call that failed.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{message}")]
pub struct Fault {
    pub status: StatusCode,
    /// kebab-case.
    pub code: &'static str,
    pub message: Cow<'static, str>,
    pub field_errors: BTreeMap<String, String>,
    pub retry_after: Option<Duration>,
    pub requires_upgrade: bool,
}

impl Fault {
    pub fn new(status: StatusCode, code: &'static str, message: impl Into<Cow<'static, str>>) -> Self {
        Self {
            status,
            code,
            message: message.into(),
            field_errors: BTreeMap::new(),
            retry_after: None,
            requires_upgrade: false,
        }
    }

    /// 400: the request cannot be read.
    pub fn malformed(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "malformed", message)
    }

    /// 401.
    pub fn not_signed_in() -> Self {
        Self::new(StatusCode::UNAUTHORIZED, "not-signed-in", "Please sign in first.")
    }

    /// 403.
    pub fn forbidden(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::FORBIDDEN, "forbidden", message)
    }

    /// 403: the payload names somebody else as the one who acts.
    pub fn not_yourself() -> Self {
        Self::new(StatusCode::FORBIDDEN, "not-yourself", "You can only act for yourself.")
    }

    /// 404, for example `not_found("game")`.
    pub fn not_found(what: &str) -> Self {
        let mut name = what.to_owned();
        if let Some(first) = name.get_mut(0..1) {
            first.make_ascii_uppercase();
        }
        Self::new(StatusCode::NOT_FOUND, "not-found", format!("{name} not found."))
    }

    /// 409: the state does not allow it.
    pub fn conflict(code: &'static str, message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::CONFLICT, code, message)
    }

    /// 422: one field is invalid. More can be added with [`Fault::and_field`].
    pub fn invalid(field: &str, message: impl Into<String>) -> Self {
        let message = message.into();
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, "invalid", message.clone()).and_field(field, message)
    }

    pub fn and_field(mut self, field: &str, message: impl Into<String>) -> Self {
        self.field_errors.insert(field.to_owned(), message.into());
        self
    }

    /// 429.
    pub fn too_many(retry_after: Duration) -> Self {
        let mut fault =
            Self::new(StatusCode::TOO_MANY_REQUESTS, "too-many-requests", "Too many requests. Please try again later.");
        fault.retry_after = Some(retry_after);
        fault
    }

    /// 503: nothing was lost, try again.
    pub fn unavailable(message: impl Into<Cow<'static, str>>) -> Self {
        let mut fault = Self::new(StatusCode::SERVICE_UNAVAILABLE, "unavailable", message);
        fault.retry_after = Some(Duration::from_secs(1));
        fault
    }

    /// 500: logged with its cause, shown without it.
    pub fn internal(cause: impl std::fmt::Display) -> Self {
        tracing::error!(%cause, "internal error");
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", "Something went wrong on our side.")
    }

    /// The wire's form.
    pub fn failure(&self, request_id: &str) -> Failure {
        Failure {
            succeeded: false,
            error_message: self.message.to_string(),
            error_code: self.code.to_owned(),
            request_id: request_id.to_owned(),
            field_errors: (!self.field_errors.is_empty()).then(|| self.field_errors.clone()),
            requires_upgrade: self.requires_upgrade.then_some(true),
        }
    }

    /// The answer to the request with this id.
    pub fn respond(&self, request_id: &str) -> Response {
        let mut response = Response::builder().status(self.status).content_type("application/json; charset=utf-8");
        if let Some(wait) = self.retry_after {
            response = response.header("retry-after", wait.as_secs().max(1));
        }
        response.body(serde_json::to_string(&self.failure(request_id)).expect("a failure is plain data"))
    }
}

impl From<morpion_store::StoreError> for Fault {
    fn from(error: morpion_store::StoreError) -> Self {
        use morpion_store::StoreError;
        match error {
            StoreError::NotFound(what) => Self::not_found(what),
            StoreError::Conflict | StoreError::Changed(_) => {
                Self::unavailable("Somebody else changed this at the same time. Please try again.")
            }
            StoreError::Unavailable(_) => {
                tracing::error!(%error, "the store does not answer");
                Self::unavailable("The server cannot store anything right now. Please try again.")
            }
            other => Self::internal(other),
        }
    }
}

impl From<morpion_rules::Refusal> for Fault {
    fn from(refusal: morpion_rules::Refusal) -> Self {
        use morpion_rules::Refusal;
        let status = match refusal {
            Refusal::NotAPlayer => StatusCode::FORBIDDEN,
            Refusal::OffBoard => StatusCode::UNPROCESSABLE_ENTITY,
            _ => StatusCode::CONFLICT,
        };
        Self::new(status, refusal.code(), refusal.text())
    }
}

/// A fault travels through poem as its error and becomes an answer in one place, where the
/// request's id is known ([`super::envelope`]).
impl From<Fault> for poem::Error {
    fn from(fault: Fault) -> Self {
        let status = fault.status;
        poem::Error::new(fault, status)
    }
}

impl IntoResponse for Fault {
    fn into_response(self) -> Response {
        poem::Error::from(self).into_response()
    }
}

impl ApiResponse for Fault {
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
