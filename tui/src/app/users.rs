//! Accounts: the table, one account in full, and what can be done with it.

use std::cmp::Ordering;

use morpion_openapi::{
    PageRequest,
    account::{Session, User},
    admin::ListUsers,
    game::Game,
};
use morpion_shell::reference;
use uuid::Uuid;

use super::{
    fetch::Fetch,
    table::{Listing, Row, Table},
};
use crate::widgets::name::Named;

/// A search is sent when nothing was typed for this long.
const TYPED_MS: i64 = 300;

impl Row for User {
    type Key = Uuid;
    const SORTS: &'static [&'static str] = &["Joined", "Account", "Kind"];

    fn key(&self) -> Uuid {
        self.user_id
    }

    fn words(&self) -> String {
        let Self { user_id, username, display_name, email, first_name, last_name, .. } = self;
        let kind = kind(self);
        format!("{user_id} {username} {display_name} {email} {first_name} {last_name} {kind}").to_lowercase()
    }

    fn compare(&self, other: &Self, sort: usize) -> Ordering {
        match sort {
            0 => other.created_at.cmp(&self.created_at),
            1 => self.name().order().cmp(&other.name().order()),
            _ => kind(self).cmp(kind(other)),
        }
        .then_with(|| self.user_id.cmp(&other.user_id))
    }
}

/// What an account is, in a word.
pub fn kind(user: &User) -> &'static str {
    match user {
        User { is_admin: true, .. } => "admin",
        User { is_temp_user: true, .. } => "guest",
        User { is_pro_user: true, .. } => "pro",
        _ => "free",
    }
}

impl Row for Session {
    type Key = String;
    const SORTS: &'static [&'static str] = &["Last used", "Device"];

    fn key(&self) -> String {
        self.session_id.clone()
    }

    fn words(&self) -> String {
        format!("{} {}", self.device, self.address).to_lowercase()
    }

    fn compare(&self, other: &Self, sort: usize) -> Ordering {
        match sort {
            0 => other.last_used_at.cmp(&self.last_used_at),
            _ => self.device.cmp(&other.device),
        }
        .then_with(|| self.session_id.cmp(&other.session_id))
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Section {
    #[default]
    Sessions,
    Games,
}

/// One account in full.
#[derive(Debug)]
pub struct Detail {
    pub user: User,
    pub section: Section,
    pub sessions: Table<Session>,
    pub sessions_fetch: Fetch,
    pub games: Table<Game>,
    pub games_fetch: Fetch,
}

impl Detail {
    pub fn new(user: User) -> Self {
        Self {
            user,
            section: Section::default(),
            sessions: Table::default(),
            sessions_fetch: Fetch::default(),
            games: Table::default(),
            games_fetch: Fetch::default(),
        }
    }
}

#[derive(Debug, Default)]
pub struct Users {
    pub table: Table<User>,
    pub fetch: Fetch,
    pub page: Pager,
    /// What was searched for last.
    searched: String,
    typed_at: Option<i64>,
    pub detail: Option<Detail>,
    /// An account that is to be opened when it was found.
    pub wanted: Option<Wanted>,
}

/// Pages that are looked through for an id: the server searches by name only.
const MOST_PAGES: u32 = 10;
/// Rows of such a page. One fewer than the most tells it from the table's pages.
const WANTED_LIMIT: u32 = PageRequest::MAX_LIMIT - 1;

/// An account that is looked for: by its id, the beginning of it, or by its username.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wanted {
    pub text: String,
    page: u32,
}

impl Wanted {
    pub fn new(text: String) -> Self {
        Self { text, page: 1 }
    }

    pub fn call(&self) -> ListUsers {
        let is_id = reference::is_short_id(&self.text);
        let text = (!is_id).then(|| self.text.clone());
        ListUsers { text, page: Some(self.page), limit: Some(WANTED_LIMIT) }
    }

    pub fn is(&self, user: &User) -> bool {
        reference::is_meant(&self.text, &user.user_id.to_string(), &user.username)
    }

    /// Where to look next; nowhere after so many pages.
    pub fn next(self, has_next: bool) -> Option<Self> {
        (has_next && self.page < MOST_PAGES).then(|| Self { page: self.page + 1, ..self })
    }
}

impl Users {
    pub fn call(&self) -> ListUsers {
        let text = Some(self.searched.trim().to_owned()).filter(|text| !text.is_empty());
        ListUsers { text, page: Some(self.page.number), limit: Some(PageRequest::MAX_LIMIT) }
    }

    /// Letters were typed: the search follows when they pause.
    pub fn typed(&mut self, now: i64) {
        self.typed_at = Some(now);
    }

    pub fn tick(&mut self, now: i64) {
        if self.typed_at.is_some_and(|at| now - at >= TYPED_MS) {
            self.typed_at = None;
            if self.searched != self.table.filter() {
                self.searched = self.table.filter().to_owned();
                self.page = Pager::default();
                self.fetch.expire();
            }
        }
    }

    /// An account as the server has it now.
    pub fn put(&mut self, user: User) {
        if let Some(detail) = &mut self.detail
            && detail.user.user_id == user.user_id
        {
            detail.user = user.clone();
        }
        if self.table.get(&user.user_id).is_some() {
            self.table.put(user);
        }
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
    /// Goes to a neighbour; answers whether there is one.
    pub fn turn(&mut self, forward: bool) -> bool {
        let can = if forward { self.has_next } else { self.number > 1 };
        if can {
            self.number = if forward { self.number + 1 } else { self.number - 1 };
        }
        can
    }

    pub fn take(&mut self, pagination: &morpion_openapi::Pagination) {
        (self.total, self.has_next) = (pagination.total_count, pagination.has_next_page);
    }
}
