//! Records as clients get them, in frames and answers, and filters as they send them.

use morpion_openapi::{
    Timestamp,
    logger::{ClaimedField, LogEntry, LogFilter, LogLevel, LogLevels},
};

use super::{CLIENT, Cursor, Filter, Level, Record, SearchTerm, bloom::MAX_SEARCH};
use crate::error::FieldErrors;

pub fn entry(record: &Record, cursor: Cursor) -> LogEntry {
    LogEntry {
        id: cursor.to_string(),
        log_id: cursor.to_string(),
        level: record.level.into(),
        platform: record.platform.clone(),
        service: record.service.clone(),
        message: record.message.clone(),
        timestamp: Timestamp::from_millis(record.at),
        user_id: record.user,
        session_id: record.session.clone(),
        request_id: record.request.clone(),
        file_name: record.file.clone(),
        context: record.context.clone(),
        stack: record.stack.clone(),
        claimed: claimed(record),
    }
}

/// What only the client says. Its session is the server's knowledge if it has a user.
fn claimed(record: &Record) -> Option<Vec<ClaimedField>> {
    let claims = [
        (ClaimedField::Platform, true),
        (ClaimedField::SessionId, record.session.is_some() && record.user.is_none()),
        (ClaimedField::RequestId, record.request.is_some()),
    ];
    let is_of_client = record.service == CLIENT;
    is_of_client.then(|| claims.into_iter().filter(|(_, is_claimed)| *is_claimed).map(|(field, _)| field).collect())
}

impl From<Level> for LogLevel {
    fn from(level: Level) -> Self {
        match level {
            Level::Error => Self::Error,
            Level::Warning => Self::Warning,
            Level::Info => Self::Info,
            Level::Debug => Self::Debug,
        }
    }
}

impl From<LogLevel> for Level {
    fn from(level: LogLevel) -> Self {
        match level {
            LogLevel::Error => Self::Error,
            LogLevel::Warning => Self::Warning,
            LogLevel::Info => Self::Info,
            LogLevel::Debug => Self::Debug,
        }
    }
}

/// Fails for a text that is too long to search for.
impl TryFrom<LogFilter> for Filter {
    type Error = FieldErrors;

    fn try_from(filter: LogFilter) -> Result<Self, FieldErrors> {
        let LogFilter { level, platform, service, user_id, session_id, request_id, text, since, until } = filter;
        let too_long = || FieldErrors::one("text", format!("A search has at most {MAX_SEARCH} characters."));
        let text = match text.as_deref().map(str::trim) {
            None | Some("") => None,
            Some(text) => Some(SearchTerm::new(text).ok_or_else(too_long)?),
        };
        Ok(Self {
            levels: level.iter().flat_map(LogLevels::as_slice).copied().map(Level::from).collect(),
            platform,
            service,
            user: user_id,
            session: session_id,
            request: request_id,
            text,
            since: since.map(Timestamp::as_millis),
            until: until.map(Timestamp::as_millis),
        })
    }
}
