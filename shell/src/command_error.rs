//! Why a command failed, and its exit code.

use std::{collections::BTreeMap, process::ExitCode};

use morpion_openapi::Failure;

use crate::escape;

/// The meaning of the exit codes, for the help of both programs.
pub const EXIT_CODES: &str = "\
Exit codes:
  0  done
  1  failed: an error of the server, an unreadable answer, a failed check
  2  the command line or the configuration is wrong
  3  the server cannot be reached
  4  not allowed: no token, a wrong one, or --readonly
  5  not found
  6  the state does not allow it
  7  a value is invalid or ambiguous
  8  not available on this server yet
  9  too many requests, or the server is not ready: try again later
  10 verify: what is stored does not agree
  11 the output could not be written: a full disk, a closed pipe";

/// Kinds of failures that call for different reactions. Each has its own exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FailureKind {
    /// The server failed, or its answer is unreadable.
    Broken,
    /// The server cannot be reached.
    Unreachable,
    /// No token, a wrong one, or one without the permission.
    NotAllowed,
    NotFound,
    /// The state does not allow it.
    Conflict,
    /// The request or one of its fields is invalid.
    Invalid,
    /// This server does not have that yet.
    Absent,
    /// Too many requests, or not ready: try again later.
    Busy,
    /// The console is read-only.
    ReadOnly,
    /// A recomputation does not match what is stored.
    Disagreement,
    /// The output could not be written.
    Unwritten,
}

impl FailureKind {
    /// As [`EXIT_CODES`] lists them.
    pub fn code(self) -> u8 {
        match self {
            Self::Broken => 1,
            Self::Unreachable => 3,
            Self::NotAllowed | Self::ReadOnly => 4,
            Self::NotFound => 5,
            Self::Conflict => 6,
            Self::Invalid => 7,
            Self::Absent => 8,
            Self::Busy => 9,
            Self::Disagreement => 10,
            Self::Unwritten => 11,
        }
    }

    pub fn exit_code(self) -> ExitCode {
        ExitCode::from(self.code())
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandError {
    pub kind: FailureKind,
    /// For the operator: a sentence.
    pub text: String,
    /// What is wrong with which field.
    pub fields: BTreeMap<String, String>,
    /// The server's error code, for programs.
    pub code: String,
    /// Finds the call in the server's log.
    pub request_id: Option<String>,
}

impl CommandError {
    pub fn new(kind: FailureKind, text: impl Into<String>) -> Self {
        Self { kind, text: text.into(), fields: BTreeMap::new(), code: String::new(), request_id: None }
    }

    /// From an error response, whose texts may quote strangers: they are escaped.
    pub fn from_answer(status: u16, body: &[u8]) -> Self {
        let kind = match status {
            401 | 403 => FailureKind::NotAllowed,
            404 => FailureKind::NotFound,
            402 | 409 => FailureKind::Conflict,
            400 | 405 | 413 | 415 | 422 => FailureKind::Invalid,
            429 | 503 => FailureKind::Busy,
            501 => FailureKind::Absent,
            _ => FailureKind::Broken,
        };
        let line = |text: &str| escape::line(text).into_owned();
        match serde_json::from_slice::<Failure>(body) {
            // A text of our own: the context shows which part is missing.
            Ok(failure) if kind == FailureKind::Absent => {
                Self { request_id: Some(failure.request_id), ..Self::new(kind, "This server does not have that yet.") }
            }
            Ok(failure) => Self {
                kind,
                text: line(&failure.error_message),
                fields: failure
                    .field_errors
                    .into_iter()
                    .flatten()
                    .map(|(field, why)| (line(&field), line(&why)))
                    .collect(),
                code: failure.error_code,
                request_id: Some(failure.request_id),
            },
            Err(_) => Self::new(kind, format!("The server answered {status}.")),
        }
    }
}

impl std::fmt::Display for CommandError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::error::Error for CommandError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(status: u16) -> CommandError {
        let body = r#"{"succeeded":false,"errorMessage":"No.","errorCode":"no","requestId":"r1"}"#;
        CommandError::from_answer(status, body.as_bytes())
    }

    #[test]
    fn each_status_has_its_kind() {
        for (status, kind) in [
            (400, FailureKind::Invalid),
            (401, FailureKind::NotAllowed),
            (402, FailureKind::Conflict),
            (403, FailureKind::NotAllowed),
            (404, FailureKind::NotFound),
            (409, FailureKind::Conflict),
            (422, FailureKind::Invalid),
            (429, FailureKind::Busy),
            (500, FailureKind::Broken),
            (501, FailureKind::Absent),
            (503, FailureKind::Busy),
        ] {
            assert_eq!(answer(status).kind, kind, "{status}");
        }
    }

    #[test]
    fn the_servers_error_message_is_kept() {
        assert_eq!((answer(409).text.as_str(), answer(409).request_id.as_deref()), ("No.", Some("r1")));
        assert_eq!(answer(501).text, "This server does not have that yet.");
        assert_eq!(CommandError::from_answer(502, b"<html>").text, "The server answered 502.");
    }
}
