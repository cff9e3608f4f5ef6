//! Errors that every part can have. A part's own errors are in an enum of its own (`account/error.rs` and so on); none of
//! them knows how it reaches the caller, which is decided in `api_error.rs`.
//!
//! Three tiers: a rule refuses (the text says what and why), the server is temporarily unable (try again), the server
//! failed (logged with its cause, shown without it).

use std::{borrow::Cow, collections::BTreeMap, fmt, time::Duration};

use morpion_openapi::{admin::TokenScope, programs::ProgramScope};
use morpion_store::StoreError;

/// An error that any part can have. The texts are for users.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CommonError {
    #[error("Please sign in first.")]
    NotSignedIn,
    /// Whoever calls may not do this.
    #[error("{0}")]
    Forbidden(Cow<'static, str>),
    /// An operator token is not made for this.
    #[error("This token has the scope '{has}'. This needs a token of the scope '{needed}'.")]
    Scope { has: TokenScope, needed: TokenScope },
    /// A personal token lacks a scope.
    #[error("This token lacks the scope '{0}'. Make one that has it, in your settings.")]
    ProgramScope(ProgramScope),
    /// No personal token may do this.
    #[error("A personal token cannot do this. Please sign in.")]
    NotByProgram,
    /// The payload names another user as the one who acts.
    #[error("You can only act for yourself.")]
    NotYourself,
    #[error("Guests cannot do this. Create an account first; your games come with you.")]
    Guest,
    /// The server asks this account for a second factor.
    #[error("Please set up a second factor first, in your settings.")]
    SecondFactorNeeded,
    /// Between a check of whoever acts, or of an account, and what it was for.
    #[error("The account was changed in the meantime. Please try again.")]
    CredentialsChanged,
    /// The request cannot be read.
    #[error("{0}")]
    Malformed(Cow<'static, str>),
    /// For example `NotFound("game")`.
    #[error("{} not found.", capitalized(.0))]
    NotFound(&'static str),
    #[error(transparent)]
    Invalid(#[from] FieldErrors),
    /// Too many requests; none before `retry_after`.
    #[error("Too many requests. Please try again later.")]
    TooMany { retry_after: Duration },
    /// Not right now: nothing was lost, try again.
    #[error("{0}")]
    Unavailable(Cow<'static, str>),
    /// Nothing new is started while the disk is nearly full.
    #[error("This server’s disk is nearly full, so nothing new can start. Please try again later.")]
    DiskFull { retry_after: Duration },
    /// The server failed. Made by [`CommonError::internal`], which logs the cause.
    #[error("Something went wrong on our side.")]
    Internal,
}

impl CommonError {
    pub fn forbidden(message: impl Into<Cow<'static, str>>) -> Self {
        Self::Forbidden(message.into())
    }

    pub fn malformed(message: impl Into<Cow<'static, str>>) -> Self {
        Self::Malformed(message.into())
    }

    /// One field is invalid.
    pub fn invalid(field: &str, message: impl Into<String>) -> Self {
        FieldErrors::one(field, message).into()
    }

    pub fn unavailable(message: impl Into<Cow<'static, str>>) -> Self {
        Self::Unavailable(message.into())
    }

    /// The server failed: logged with its cause, shown without it.
    pub fn internal(cause: impl fmt::Display) -> Self {
        tracing::error!(%cause, "internal error");
        Self::Internal
    }
}

impl From<StoreError> for CommonError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::NotFound(what) => Self::NotFound(what),
            StoreError::CredentialsChanged => Self::CredentialsChanged,
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

/// The invalid fields of a payload with the reasons, so that a form gets all of them at once.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FieldErrors(pub BTreeMap<String, String>);

impl FieldErrors {
    pub fn one(field: &str, reason: impl Into<String>) -> Self {
        Self(BTreeMap::from([(field.to_owned(), reason.into())]))
    }

    /// The value, unless it was refused; the reason is stored under the field's name.
    pub fn check<T>(&mut self, field: &str, value: Result<T, String>) -> Option<T> {
        value.map_err(|reason| self.0.insert(field.to_owned(), reason)).ok()
    }
}

impl std::error::Error for FieldErrors {}

impl fmt::Display for FieldErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut reasons = self.0.values();
        match (reasons.next(), reasons.next()) {
            (Some(reason), None) => f.write_str(reason),
            _ => f.write_str("Some fields are not right yet."),
        }
    }
}

fn capitalized(what: &str) -> String {
    let mut name = what.to_owned();
    if let Some(first) = name.get_mut(0..1) {
        first.make_ascii_uppercase();
    }
    name
}
