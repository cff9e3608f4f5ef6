//! What admins and operators did, and what became of subscriptions.

use std::cmp::Ordering;

use morpion_openapi::{
    account::User,
    admin::{AuditEntry, BillingEvent, UserSubscription},
};

use super::{
    fetch::Fetch,
    table::{Row, Table},
    users::Pager,
};
use crate::widgets::name::Named;

impl Row for AuditEntry {
    type Key = String;
    const SORTS: &'static [&'static str] = &["When", "Who", "What"];

    fn key(&self) -> String {
        self.audit_id.clone()
    }

    fn words(&self) -> String {
        let detail = self.detail.as_deref().unwrap_or_default();
        format!("{} {} {} {} {detail}", self.actor, self.action, self.subject, self.address).to_lowercase()
    }

    fn compare(&self, other: &Self, sort: usize) -> Ordering {
        match sort {
            0 => Ordering::Equal,
            1 => self.actor.cmp(&other.actor),
            _ => self.action.cmp(&other.action),
        }
        .then_with(|| other.at.cmp(&self.at))
        .then_with(|| self.audit_id.cmp(&other.audit_id))
    }
}

impl Row for BillingEvent {
    type Key = String;
    const SORTS: &'static [&'static str] = &["When", "What"];

    fn key(&self) -> String {
        self.billing_event_id.clone()
    }

    fn words(&self) -> String {
        let user = self.user_id.map(|id| id.to_string()).unwrap_or_default();
        format!("{} {} {user}", self.kind, self.detail).to_lowercase()
    }

    fn compare(&self, other: &Self, sort: usize) -> Ordering {
        match sort {
            0 => Ordering::Equal,
            _ => self.kind.cmp(&other.kind),
        }
        .then_with(|| other.at.cmp(&self.at))
        .then_with(|| self.billing_event_id.cmp(&other.billing_event_id))
    }
}

impl Row for UserSubscription {
    type Key = uuid::Uuid;
    const SORTS: &'static [&'static str] = &["Account", "State"];

    fn key(&self) -> uuid::Uuid {
        self.user_id
    }

    fn words(&self) -> String {
        let plan = self.subscription.name.as_deref().unwrap_or_default();
        let reason = self.reason.as_deref().unwrap_or_default();
        format!("{} {} {plan} {reason}", self.name().whole(), state(self)).to_lowercase()
    }

    fn compare(&self, other: &Self, sort: usize) -> Ordering {
        match sort {
            0 => Ordering::Equal,
            _ => state(self).cmp(state(other)),
        }
        .then_with(|| self.name().order().cmp(&other.name().order()))
        .then_with(|| self.user_id.cmp(&other.user_id))
    }
}

/// How a subscription stands, in the provider's word where there is one.
pub fn state(row: &UserSubscription) -> &str {
    match &row.status {
        Some(status) => status,
        None if row.subscription.is_granted => "granted",
        None => "none",
    }
}

#[derive(Debug, Default)]
pub struct Audit {
    pub table: Table<AuditEntry>,
    pub fetch: Fetch,
    pub page: Pager,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Section {
    #[default]
    Accounts,
    Events,
    Standing,
}

impl Section {
    /// Its neighbour; the last has none.
    pub fn turned(self, forward: bool) -> Self {
        match (self, forward) {
            (Self::Accounts, true) | (Self::Standing, false) => Self::Events,
            (Self::Events | Self::Standing, true) => Self::Standing,
            (Self::Accounts | Self::Events, false) => Self::Accounts,
        }
    }
}

/// Pages of accounts that are looked through for those with Pro: a thousand accounts.
pub const MOST_PAGES: u32 = 10;

#[derive(Debug, Default)]
pub struct Subscriptions {
    pub section: Section,
    /// Accounts that have Pro.
    pub accounts: Table<User>,
    pub accounts_fetch: Fetch,
    /// There are more accounts than were looked through.
    pub is_cut: bool,
    found: Vec<User>,
    pub events: Table<BillingEvent>,
    pub events_fetch: Fetch,
    pub page: Pager,
    /// Who pays, paid, or was granted Pro, and how that stands.
    pub standing: Table<UserSubscription>,
    pub standing_fetch: Fetch,
    pub standing_total: u64,
}

impl Subscriptions {
    /// Takes in a page of accounts; answers the number of the next page that is wanted.
    pub fn take(&mut self, page: u32, users: Vec<User>, has_next: bool, now: i64) -> Option<u32> {
        if page == 1 {
            self.found.clear();
        }
        self.found.extend(users.into_iter().filter(|user| user.is_pro_user));
        if has_next && page < MOST_PAGES {
            return Some(page + 1);
        }
        self.is_cut = has_next;
        self.accounts.set(std::mem::take(&mut self.found));
        self.accounts_fetch.succeeded(now);
        None
    }

    pub fn put(&mut self, user: &User) {
        if user.is_pro_user {
            self.accounts.put(user.clone());
        } else {
            self.accounts.remove(&user.user_id);
        }
    }
}
