//! What admins and operators did, and what became of subscriptions.

use std::{borrow::Cow, cmp::Ordering};

use morpion_openapi::{
    account::User,
    admin::{AuditEntry, BillingEvent, UserSubscription},
};
use serde_json::Value;

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
        let Self { actor, action, subject, address, .. } = self;
        let name = self.subject_name.as_deref().unwrap_or_default();
        // With the ids that are not shown.
        let recorded = self.detail.as_deref().unwrap_or_default();
        format!("{actor} {action} {subject} {name} {address} {} {recorded}", detail(self)).to_lowercase()
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

/// What something was done to, by its name where it has one.
pub fn subject(entry: &AuditEntry) -> &str {
    entry.subject_name.as_deref().filter(|name| !name.is_empty()).unwrap_or(&entry.subject)
}

/// What was recorded beside an action: `name: value` for each field of its JSON, or the text itself if it is none. An id
/// is left out where the name stands beside it: `eventId` beside `event`, `winnerUserId` beside `winner`.
pub fn detail(entry: &AuditEntry) -> Cow<'_, str> {
    let text = entry.detail.as_deref().unwrap_or_default();
    let fields = match serde_json::from_str(text) {
        Ok(Value::Object(fields)) => fields,
        Ok(Value::String(words)) => return words.into(),
        Ok(Value::Null) => return "".into(),
        Ok(_) | Err(_) => return text.into(),
    };
    let is_named = |key: &str, id: &Value| {
        let Some(of) = key.strip_suffix("Id") else { return false };
        let names = [of, of.strip_suffix("User").unwrap_or(of)].map(|name| fields.get(name));
        names.into_iter().flatten().any(|name| !name.is_null() || id.is_null())
    };
    let told = fields.iter().filter(|(key, value)| !is_named(key, value));
    told.map(|(key, value)| format!("{key}: {}", in_words(value))).collect::<Vec<_>>().join("; ").into()
}

fn in_words(value: &Value) -> Cow<'_, str> {
    match value {
        Value::Null => "none".into(),
        Value::String(text) => text.into(),
        other => other.to_string().into(),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_recorded_is_told_by_name_and_value() {
        for (recorded, told) in [
            (r#"{"isAdmin":true,"username":"ben"}"#, "isAdmin: true; username: ben"),
            (r#"{"event":"Cup","eventId":"0f5e","reason":"No, show"}"#, "event: Cup; reason: No, show"),
            (r#"{"reason":"Cheated","winner":"anna","winnerUserId":"a1"}"#, "reason: Cheated; winner: anna"),
            (r#"{"reason":"Broken","winner":null,"winnerUserId":null}"#, "reason: Broken; winner: none"),
            (r#"{"eventId":"0f5e"}"#, "eventId: 0f5e"),
            (r#"{"winner":null,"winnerUserId":"a1"}"#, "winner: none; winnerUserId: a1"),
            (r#"{"Id":7,"paid":true}"#, "Id: 7; paid: true"),
            (r#"{"updates":{"losses":2,"tags":[1, 2]}}"#, r#"updates: {"losses":2,"tags":[1,2]}"#),
            ("{}", ""),
            ("null", ""),
            ("[1,2]", "[1,2]"),
            ("7", "7"),
            (r#""words""#, "words"),
            ("plain words", "plain words"),
            ("", ""),
        ] {
            let entry = AuditEntry {
                audit_id: String::new(),
                actor: "ada".to_owned(),
                action: "set_admin".to_owned(),
                subject: "ben".to_owned(),
                subject_kind: None,
                subject_name: None,
                address: String::new(),
                detail: Some(recorded.to_owned()),
                at: morpion_openapi::Timestamp::from_millis(0),
            };
            assert_eq!(detail(&entry), told, "{recorded}");
            assert_eq!(detail(&AuditEntry { detail: None, ..entry }), "");
        }
    }
}
