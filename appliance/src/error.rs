//! Errors: a text for people, a code for programs, and a kind that the HTTP layer maps to a status.
//!
//! Three tiers: a rule refuses (the text says what and why), the server is temporarily unable (try again), the server
//! failed (logged with its cause, shown without it).

use std::{borrow::Cow, collections::BTreeMap, time::Duration};

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
    WrongMethod,
    /// The state does not allow it.
    Conflict,
    /// It existed, and will not come back.
    Gone,
    TooLarge,
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
        }
    }

    /// The request cannot be read.
    pub fn malformed(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(ErrorKind::Malformed, "malformed", message)
    }

    /// Nobody is signed in.
    pub fn not_signed_in() -> Self {
        Self::new(ErrorKind::NotSignedIn, "not-signed-in", "Please sign in first.")
    }

    /// Whoever calls may not do this.
    pub fn forbidden(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(ErrorKind::Forbidden, "forbidden", message)
    }

    /// The payload names another user as the one who acts.
    pub fn not_yourself() -> Self {
        Self::new(ErrorKind::Forbidden, "not-yourself", "You can only act for yourself.")
    }

    /// For example `not_found("game")`.
    pub fn not_found(what: &str) -> Self {
        let mut name = what.to_owned();
        if let Some(first) = name.get_mut(0..1) {
            first.make_ascii_uppercase();
        }
        Self::new(ErrorKind::NotFound, "not-found", format!("{name} not found."))
    }

    /// The state does not allow it.
    pub fn conflict(code: &'static str, message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(ErrorKind::Conflict, code, message)
    }

    /// One field is invalid. More can be added with [`ApiError::and_field`].
    pub fn invalid(field: &str, message: impl Into<String>) -> Self {
        let message = message.into();
        Self::new(ErrorKind::Invalid, "invalid", message.clone()).and_field(field, message)
    }

    pub fn and_field(mut self, field: &str, message: impl Into<String>) -> Self {
        self.field_errors.insert(field.to_owned(), message.into());
        self
    }

    /// Too many requests; none before `retry_after`.
    pub fn too_many(retry_after: Duration) -> Self {
        let mut error =
            Self::new(ErrorKind::TooMany, "too-many-requests", "Too many requests. Please try again later.");
        error.retry_after = Some(retry_after);
        error
    }

    /// Not right now: nothing was lost, try again.
    pub fn unavailable(message: impl Into<Cow<'static, str>>) -> Self {
        let mut error = Self::new(ErrorKind::Unavailable, "unavailable", message);
        error.retry_after = Some(Duration::from_secs(1));
        error
    }

    /// The server failed: logged with its cause, shown without it.
    pub fn internal(cause: impl std::fmt::Display) -> Self {
        tracing::error!(%cause, "internal error");
        Self::new(ErrorKind::Internal, "internal", "Something went wrong on our side.")
    }
}

impl From<morpion_store::StoreError> for ApiError {
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

impl From<morpion_rules::Refusal> for ApiError {
    fn from(refusal: morpion_rules::Refusal) -> Self {
        use morpion_rules::Refusal;
        let kind = match refusal {
            Refusal::NotAPlayer => ErrorKind::Forbidden,
            Refusal::OffBoard => ErrorKind::Invalid,
            _ => ErrorKind::Conflict,
        };
        Self::new(kind, refusal.code(), refusal.text())
    }
}
