//! What somebody wants to see of the log.

use morpion_openapi::logger::LogFilter;
use uuid::Uuid;

use super::{
    record::{Level, Record},
    words::{LONGEST_NEEDLE, Needle},
};
use crate::error::ApiError;

/// Filters that combine; absent ones do not filter. Times are Unix milliseconds, both ends included.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Query {
    pub level: Option<Level>,
    pub platform: Option<String>,
    pub service: Option<String>,
    pub user: Option<Uuid>,
    pub session: Option<String>,
    pub request: Option<String>,
    pub text: Option<Needle>,
    pub since: Option<i64>,
    pub until: Option<i64>,
}

impl Query {
    /// # Errors
    /// 422 for a text that is too long to search for.
    pub fn from_wire(filter: LogFilter) -> Result<Self, ApiError> {
        let LogFilter { level, platform, service, user_id, session_id, request_id, text, since, until } = filter;
        let text = match text.as_deref().map(str::trim) {
            None | Some("") => None,
            Some(text) => Some(Needle::new(text).ok_or_else(|| {
                ApiError::invalid("text", format!("A search has at most {LONGEST_NEEDLE} characters."))
            })?),
        };
        Ok(Self {
            level: level.map(Level::from),
            platform,
            service,
            user: user_id,
            session: session_id,
            request: request_id,
            text,
            since: since.map(|time| time.as_millis()),
            until: until.map(|time| time.as_millis()),
        })
    }

    pub fn fits<T: AsRef<str>>(&self, record: &Record<T>) -> bool {
        let same = |wanted: &Option<String>, has: &Option<T>| {
            wanted.as_ref().is_none_or(|wanted| has.as_ref().is_some_and(|has| has.as_ref() == wanted))
        };
        self.level.is_none_or(|level| level == record.level)
            && self.platform.as_ref().is_none_or(|platform| platform == record.platform.as_ref())
            && self.service.as_ref().is_none_or(|service| service == record.service.as_ref())
            && self.user.is_none_or(|user| Some(user) == record.user)
            && same(&self.session, &record.session)
            && same(&self.request, &record.request)
            && self.since.is_none_or(|since| record.at >= since)
            && self.until.is_none_or(|until| record.at <= until)
            && self.text.as_ref().is_none_or(|needle| record.texts().any(|text| needle.is_in(text)))
    }
}
