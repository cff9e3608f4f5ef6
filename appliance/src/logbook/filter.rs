//! Filters of log records.

use uuid::Uuid;

use super::{
    bloom::SearchTerm,
    record::{Level, Record},
};

/// Conditions that combine; absent ones do not filter. Times are Unix milliseconds, both ends included.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Filter {
    /// None of them: all.
    pub levels: Vec<Level>,
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
    pub fn has_level(&self, level: Level) -> bool {
        self.levels.is_empty() || self.levels.contains(&level)
    }

    pub fn matches<T: AsRef<str>>(&self, record: &Record<T>) -> bool {
        let same = |spec: &Option<String>, has: &Option<T>| {
            spec.as_ref().is_none_or(|spec| has.as_ref().is_some_and(|has| has.as_ref() == spec))
        };
        self.has_level(record.level)
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
