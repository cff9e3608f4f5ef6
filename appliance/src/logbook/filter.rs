//! Filters of log records.

use morpion_openapi::logger::LogFilter;
use uuid::Uuid;

use super::{
    bloom::{MAX_SEARCH, SearchTerm},
    record::{Level, Record},
};
use crate::error::ApiError;

/// Conditions that combine; absent ones do not filter. Times are Unix milliseconds, both ends included.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Filter {
    pub level: Option<Level>,
    pub platform: Option<String>,
    pub service: Option<String>,
    pub user: Option<Uuid>,
    pub session: Option<String>,
    pub request: Option<String>,
    pub text: Option<SearchTerm>,
    pub since: Option<i64>,
    pub until: Option<i64>,
}

impl Filter {
    /// # Errors
    /// 422 for a text that is too long to search for.
    pub fn from_wire(filter: LogFilter) -> Result<Self, ApiError> {
        let LogFilter { level, platform, service, user_id, session_id, request_id, text, since, until } = filter;
        let text =
            match text.as_deref().map(str::trim) {
                None | Some("") => None,
                Some(text) => Some(SearchTerm::new(text).ok_or_else(|| {
                    ApiError::invalid("text", format!("A search has at most {MAX_SEARCH} characters."))
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

    pub fn matches<T: AsRef<str>>(&self, record: &Record<T>) -> bool {
        let same = |spec: &Option<String>, has: &Option<T>| {
            spec.as_ref().is_none_or(|spec| has.as_ref().is_some_and(|has| has.as_ref() == spec))
        };
        self.level.is_none_or(|level| level == record.level)
            && self.platform.as_ref().is_none_or(|platform| platform == record.platform.as_ref())
            && self.service.as_ref().is_none_or(|service| service == record.service.as_ref())
            && self.user.is_none_or(|user| Some(user) == record.user)
            && same(&self.session, &record.session)
            && same(&self.request, &record.request)
            && self.since.is_none_or(|since| record.at >= since)
            && self.until.is_none_or(|until| record.at <= until)
            && self.text.as_ref().is_none_or(|term| record.texts().any(|text| term.is_in(text)))
    }
}
