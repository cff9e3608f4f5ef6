//! When something was fetched, and whether that succeeded.

use morpion_openapi::Pagination;
use morpion_shell::command_error::{CommandError, FailureKind};

/// The interval after which features that the server does not have are tried again.
const ABSENT_AGAIN_MS: i64 = 60_000;

/// The state of something that is fetched again and again. Moments are this machine's clock, Unix
/// milliseconds.
#[derive(Debug, Clone, Default)]
pub struct Fetch {
    asked_at: Option<i64>,
    answered_at: Option<i64>,
    pub is_loaded: bool,
    pub failure: Option<CommandError>,
}

impl Fetch {
    /// Whether it is time to ask, when it is polled every so often. Marks it as asked if so.
    pub fn is_due(&mut self, every_ms: i64, now: i64) -> bool {
        let is_absent = self.failure.as_ref().is_some_and(|refusal| refusal.kind == FailureKind::Absent);
        let every = if is_absent { ABSENT_AGAIN_MS.max(every_ms) } else { every_ms };
        let is_due = self.asked_at.is_none() && self.answered_at.is_none_or(|at| now - at >= every);
        if is_due {
            self.asked_at = Some(now);
        }
        is_due
    }

    /// What is known is out of date: it is due at once.
    pub fn expire(&mut self) {
        self.asked_at = None;
        self.answered_at = None;
    }

    pub fn succeeded(&mut self, now: i64) {
        *self = Self { asked_at: None, answered_at: Some(now), is_loaded: true, failure: None };
    }

    /// What was loaded before stays visible.
    pub fn failed(&mut self, refusal: CommandError, now: i64) {
        (self.asked_at, self.answered_at, self.failure) = (None, Some(now), Some(refusal));
    }
}

/// Which page of a long list is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pager {
    /// Counted from 1.
    pub number: u32,
    pub total: u64,
    pub has_next: bool,
}

impl Default for Pager {
    fn default() -> Self {
        Self { number: 1, total: 0, has_next: false }
    }
}

impl Pager {
    /// Goes to the next or previous page; returns whether there is one.
    pub fn turn(&mut self, forward: bool) -> bool {
        let can = if forward { self.has_next } else { self.number > 1 };
        if can {
            self.number = if forward { self.number + 1 } else { self.number - 1 };
        }
        can
    }

    pub fn take(&mut self, pagination: &Pagination) {
        (self.total, self.has_next) = (pagination.total_count, pagination.has_next_page);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fetch_is_not_repeated_while_it_runs() {
        let mut fetch = Fetch::default();
        assert!(fetch.is_due(1_000, 0) && !fetch.is_due(1_000, 5_000));
        fetch.succeeded(5_000);
        assert!(!fetch.is_due(1_000, 5_999) && fetch.is_due(1_000, 6_000));
        fetch.expire();
        assert!(fetch.is_due(1_000, 6_000));
    }

    #[test]
    fn absent_features_are_fetched_rarely() {
        let mut fetch = Fetch::default();
        fetch.failed(CommandError::new(FailureKind::Absent, ""), 0);
        assert!(!fetch.is_due(1_000, 59_999) && fetch.is_due(1_000, 60_000));
        fetch.failed(CommandError::new(FailureKind::Busy, ""), 60_000);
        assert!(fetch.is_due(1_000, 61_000));
    }
}
