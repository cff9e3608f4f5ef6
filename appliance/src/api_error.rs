//! The error of a call as its caller gets it: a text for people, a code for programs, and a kind that the HTTP layer maps
//! to a status. The parts know errors of their own; each becomes this one here, once.

mod account;
mod billing;
mod events;
mod play;
mod quick_match;
mod webhooks;

use std::{borrow::Cow, collections::BTreeMap, time::Duration};

use morpion_store::Suspension;

use crate::error::{CommonError, FieldErrors};

/// What an error is about, whatever it is carried by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    /// It cannot be read.
    Malformed,
    NotSignedIn,
    /// The plan does not allow it.
    PlanRequired,
    Forbidden,
    NotFound,
    /// It is for another server.
    Misdirected,
    WrongMethod,
    /// The state does not allow it.
    Conflict,
    /// It existed, and will not come back.
    Gone,
    TooLarge,
    /// The path and query are too long.
    AddressTooLong,
    /// It did not come in time.
    TooSlow,
    /// A format that is not accepted.
    Unsupported,
    /// A field is invalid.
    Invalid,
    TooMany,
    Internal,
    /// Not right now: nothing was lost, try again.
    Unavailable,
}

/// A call that failed.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{message}")]
pub struct ApiError {
    pub kind: ErrorKind,
    /// kebab-case.
    pub code: &'static str,
    pub message: Cow<'static, str>,
    pub field_errors: BTreeMap<String, String>,
    pub retry_after: Option<Duration>,
    pub requires_upgrade: bool,
    pub suspension: Option<Box<Suspension>>,
}

impl ApiError {
    pub fn new(kind: ErrorKind, code: &'static str, message: impl Into<Cow<'static, str>>) -> Self {
        Self {
            kind,
            code,
            message: message.into(),
            field_errors: BTreeMap::new(),
            retry_after: None,
            requires_upgrade: false,
            suspension: None,
        }
    }

    pub fn malformed(message: impl Into<Cow<'static, str>>) -> Self {
        CommonError::malformed(message).into()
    }

    /// A text that is no id, where a call has one.
    pub fn no_such_id() -> Self {
        Self::new(ErrorKind::NotFound, "not-found", morpion_openapi::action::NO_SUCH_ID)
    }

    pub fn not_signed_in() -> Self {
        CommonError::NotSignedIn.into()
    }

    pub fn forbidden(message: impl Into<Cow<'static, str>>) -> Self {
        CommonError::forbidden(message).into()
    }

    pub fn not_yourself() -> Self {
        CommonError::NotYourself.into()
    }

    pub fn not_found(what: &'static str) -> Self {
        CommonError::NotFound(what).into()
    }

    /// One field is invalid. More can be added with [`ApiError::and_field`].
    pub fn invalid(field: &str, message: impl Into<String>) -> Self {
        CommonError::invalid(field, message).into()
    }

    pub fn too_many(retry_after: Duration) -> Self {
        CommonError::TooMany { retry_after }.into()
    }

    pub fn unavailable(message: impl Into<Cow<'static, str>>) -> Self {
        CommonError::unavailable(message).into()
    }

    pub fn internal(cause: impl std::fmt::Display) -> Self {
        CommonError::internal(cause).into()
    }

    /// The state does not allow it.
    pub fn conflict(code: &'static str, message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(ErrorKind::Conflict, code, message)
    }

    pub fn and_field(mut self, field: &str, message: impl Into<String>) -> Self {
        self.field_errors.insert(field.to_owned(), message.into());
        self
    }

    /// None before this time has passed.
    pub fn and_retry_after(mut self, wait: Duration) -> Self {
        self.retry_after = Some(wait);
        self
    }
}

impl From<CommonError> for ApiError {
    fn from(error: CommonError) -> Self {
        let message = error.to_string();
        let new = |kind, code| Self::new(kind, code, message);
        match error {
            CommonError::NotSignedIn => new(ErrorKind::NotSignedIn, "not-signed-in"),
            CommonError::Forbidden(_) => new(ErrorKind::Forbidden, "forbidden"),
            CommonError::Scope { .. } | CommonError::ProgramScope(_) | CommonError::NotByProgram => {
                new(ErrorKind::Forbidden, "scope")
            }
            CommonError::NotYourself => new(ErrorKind::Forbidden, "not-yourself"),
            CommonError::Guest => new(ErrorKind::Forbidden, "guest"),
            CommonError::SecondFactorNeeded => new(ErrorKind::Forbidden, "second-factor-needed"),
            CommonError::CredentialsChanged => new(ErrorKind::Conflict, "credentials-changed"),
            CommonError::Malformed(_) => new(ErrorKind::Malformed, "malformed"),
            CommonError::NotFound(_) => new(ErrorKind::NotFound, "not-found"),
            CommonError::Invalid(fields) => Self { field_errors: fields.0, ..new(ErrorKind::Invalid, "invalid") },
            CommonError::TooMany { retry_after } => {
                new(ErrorKind::TooMany, "too-many-requests").and_retry_after(retry_after)
            }
            CommonError::Unavailable(_) => {
                new(ErrorKind::Unavailable, "unavailable").and_retry_after(Duration::from_secs(1))
            }
            CommonError::DiskFull { retry_after } => {
                new(ErrorKind::Unavailable, "disk-full").and_retry_after(retry_after)
            }
            CommonError::Internal => new(ErrorKind::Internal, "internal"),
        }
    }
}

impl From<morpion_store::StoreError> for ApiError {
    fn from(error: morpion_store::StoreError) -> Self {
        CommonError::from(error).into()
    }
}

impl From<FieldErrors> for ApiError {
    fn from(fields: FieldErrors) -> Self {
        CommonError::from(fields).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_gets_the_errors_of_all_fields_at_once() {
        let mut fields = FieldErrors::default();
        assert!(fields.check("username", Err::<(), _>("Too short.".to_owned())).is_none());
        assert_eq!(fields.to_string(), "Too short.");
        assert!(fields.check("email", Err::<(), _>("Not an email.".to_owned())).is_none());
        assert_eq!(fields.check("displayName", Ok("Ada")), Some("Ada"));
        let error = ApiError::from(fields);
        assert_eq!(error.field_errors.keys().collect::<Vec<_>>(), ["email", "username"]);
        assert_eq!((error.kind, error.code), (ErrorKind::Invalid, "invalid"));
        assert_eq!(error.message, "Some fields are not right yet.");
    }
}
