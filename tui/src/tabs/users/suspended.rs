//! Accounts with a suspension, also one that is over.

use std::cmp::Ordering;

use morpion_openapi::{
    PageRequest,
    account::User,
    moderation::{ListSuspended, Suspension},
};
use uuid::Uuid;

use crate::{
    fetch::{Fetch, Pager},
    list::{DataTable, Row},
    time::minute,
    widgets::name::Named,
};

/// One of them as a row.
#[derive(Debug, Clone)]
pub struct SuspendedUser(pub User);

#[derive(Debug, Default)]
pub struct SuspendedUsers {
    pub table: DataTable<SuspendedUser>,
    pub fetch: Fetch,
    pub page: Pager,
}

impl SuspendedUsers {
    pub fn call(&self) -> ListSuspended {
        ListSuspended { page: Some(self.page.number), limit: Some(PageRequest::MAX_LIMIT) }
    }
}

impl Row for SuspendedUser {
    type Key = Uuid;
    const SORTS: &'static [&'static str] = &["Since", "Account"];

    fn key(&self) -> Uuid {
        self.0.user_id
    }

    fn words(&self) -> String {
        let reason = self.0.suspension.as_ref().map_or("", |suspension| &suspension.reason);
        format!("{} {reason}", self.0.words()).to_lowercase()
    }

    fn compare(&self, other: &Self, sort: usize) -> Ordering {
        let since = |user: &User| user.suspension.as_ref().map(|suspension| suspension.at);
        match sort {
            0 => since(&other.0).cmp(&since(&self.0)),
            _ => self.0.name().order().cmp(&other.0.name().order()),
        }
        .then_with(|| self.0.user_id.cmp(&other.0.user_id))
    }
}

/// When it ends.
pub fn end(suspension: &Suspension) -> String {
    suspension.until.map_or_else(|| "for ever".to_owned(), minute)
}

/// `Suspended until 2026-11-24 10:00 UTC`.
pub fn in_words(suspension: &Suspension) -> String {
    match suspension.until {
        Some(until) => format!("Suspended until {} UTC", minute(until)),
        None => "Suspended indefinitely".to_owned(),
    }
}
