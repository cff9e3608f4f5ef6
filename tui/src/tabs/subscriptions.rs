//! Who has Pro, subscriptions, and billing events.

mod view;

use std::cmp::Ordering;

use crossterm::event::KeyCode;
use morpion_openapi::{
    PageRequest,
    account::User,
    admin::{BillingEvent, ListBillingEvents, ListSubscriptions, ListUsers, UserSubscription},
};
use morpion_shell::command_error::CommandError;
use ratatui::{Frame, layout::Rect};

use super::{CommandLine, Request, Tab, TabId, users::UserLookup};
use crate::{
    actions::Action,
    calls::{Call, Reply},
    context::Context,
    dialog::{
        menu::{Menu, user_items},
        palette::{Argument, PaletteCommand, command},
    },
    fetch::{Fetch, Pager},
    hit_testing::ClickTargets,
    keymap::{KeyAction, Keys, bind, char, key},
    list::{DataTable, List, Row},
    own_commands::Target,
    theme::Theme,
    widgets::name::Named,
};

#[rustfmt::skip] // One row a line.
const KEYS: Keys = Keys { title: "Pro", has_list: true, bindings: &[
    bind(&[key(KeyCode::Enter)], KeyAction::Open, "open the account", "open"),
    bind(&[char('a')], KeyAction::Menu, "grant or revoke Pro", "act"),
    bind(&[char('n')], KeyAction::New, "grant Pro to somebody else", "grant"),
    bind(&[key(KeyCode::Right), char('l')], KeyAction::Right, "to what happened", "events"),
    bind(&[key(KeyCode::Left), char('h')], KeyAction::Left, "to the accounts", ""),
]};

const ACCOUNTS_POLL_MS: i64 = 30_000;
const POLL_MS: i64 = 10_000;
const LIMIT: Option<u32> = Some(PageRequest::MAX_LIMIT);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Section {
    #[default]
    Accounts,
    Events,
    Subscriptions,
}

impl Section {
    /// The next or previous section; at the ends, the same.
    pub fn turned(self, forward: bool) -> Self {
        match (self, forward) {
            (Self::Accounts, true) | (Self::Subscriptions, false) => Self::Events,
            (Self::Events | Self::Subscriptions, true) => Self::Subscriptions,
            (Self::Accounts | Self::Events, false) => Self::Accounts,
        }
    }
}

/// Pages of accounts that are searched for those with Pro: a thousand accounts.
pub const MAX_PAGES: u32 = 10;

#[derive(Debug, Default)]
pub struct Subscriptions {
    pub section: Section,
    /// Accounts that have Pro.
    pub accounts: DataTable<User>,
    pub accounts_fetch: Fetch,
    /// Whether the server takes payments, once it is known.
    is_billing_configured: Option<bool>,
    /// There are more accounts than were searched.
    pub is_cut: bool,
    found: Vec<User>,
    pub events: DataTable<BillingEvent>,
    pub events_fetch: Fetch,
    pub page: Pager,
    /// Who pays, paid, or was granted Pro, and the state of that.
    pub subscriptions: DataTable<UserSubscription>,
    pub subscriptions_fetch: Fetch,
    pub subscriptions_total: u64,
}

impl Subscriptions {
    /// Takes a page of accounts; returns the number of the next page to ask for.
    pub fn take(&mut self, page: u32, users: Vec<User>, has_next: bool, now: i64) -> Option<u32> {
        if page == 1 {
            self.found.clear();
        }
        self.found.extend(users.into_iter().filter(|user| user.is_pro_user));
        if has_next && page < MAX_PAGES {
            return Some(page + 1);
        }
        self.is_cut = has_next;
        self.accounts.set(std::mem::take(&mut self.found));
        self.accounts_fetch.succeeded(now);
        None
    }

    /// An account's Pro was granted or revoked.
    fn changed(&mut self, user: &User) {
        self.events_fetch.expire();
        self.subscriptions_fetch.expire();
        if user.is_pro_user {
            self.accounts.put(user.clone());
        } else {
            self.accounts.remove(&user.user_id);
        }
    }
}

/// A page of all accounts, to find those with Pro among them. The empty text distinguishes it from pages of the Users
/// tab.
fn all_users(page: u32) -> ListUsers {
    ListUsers { text: Some(String::new()), page: Some(page), limit: LIMIT }
}

impl Tab for Subscriptions {
    fn title(&self) -> &'static str {
        "Pro"
    }

    fn keys(&self) -> &'static Keys {
        &KEYS
    }

    fn modes(&self) -> &'static [&'static Keys] {
        &[&KEYS]
    }

    fn commands(&self) -> &'static [PaletteCommand] {
        const { &[command("pro", Argument::None, "subscriptions")] }
    }

    fn run(&mut self, _line: CommandLine<'_>, _context: &Context) -> Result<Vec<Request>, String> {
        Ok(vec![Request::ShowTab(TabId::Subscriptions)])
    }

    fn list(&self) -> Option<&dyn List> {
        Some(match self.section {
            Section::Accounts => &self.accounts,
            Section::Events => &self.events,
            Section::Subscriptions => &self.subscriptions,
        })
    }

    fn list_mut(&mut self) -> Option<&mut dyn List> {
        Some(match self.section {
            Section::Accounts => &mut self.accounts,
            Section::Events => &mut self.events,
            Section::Subscriptions => &mut self.subscriptions,
        })
    }

    fn kept_list(&self) -> Option<&dyn List> {
        Some(&self.accounts)
    }

    fn kept_list_mut(&mut self) -> Option<&mut dyn List> {
        Some(&mut self.accounts)
    }

    fn target(&self) -> Option<Target> {
        match self.section {
            Section::Accounts => self.accounts.chosen().map(|user| Target::new(user.user_id, &user.username)),
            Section::Subscriptions => self.subscriptions.chosen().map(|row| Target::new(row.user_id, &row.username)),
            Section::Events => None,
        }
    }

    fn key(&mut self, action: KeyAction, _context: &Context) -> Vec<Request> {
        match action {
            KeyAction::Left | KeyAction::Right => {
                self.section = self.section.turned(action == KeyAction::Right);
                vec![Request::Poll]
            }
            KeyAction::New => vec![Request::Perform(Action::GrantProToSomebody)],
            KeyAction::Open => {
                let id = match self.section {
                    Section::Accounts => self.accounts.chosen().map(|user| user.user_id),
                    Section::Events => self.events.chosen().and_then(|event| event.user_id),
                    Section::Subscriptions => self.subscriptions.chosen().map(|row| row.user_id),
                };
                id.map(|id| Request::Perform(Action::OpenUser(id.to_string()))).into_iter().collect()
            }
            _ => vec![],
        }
    }

    fn menu(&self) -> Option<Menu> {
        let user = self.accounts.chosen().filter(|_| self.section == Section::Accounts)?;
        Some(Menu::new(user.name().whole(), user_items(user)))
    }

    fn poll(&mut self, shown: TabId, now: i64) -> Vec<Call> {
        if shown != TabId::Subscriptions {
            return vec![];
        }
        let mut calls: Vec<Call> = vec![];
        if self.accounts_fetch.is_due(ACCOUNTS_POLL_MS, now) {
            calls.push(all_users(1).into());
        }
        if self.section == Section::Events && self.events_fetch.is_due(POLL_MS, now) {
            calls.push(ListBillingEvents { user_id: None, page: Some(self.page.number), limit: LIMIT }.into());
        }
        if self.section == Section::Subscriptions && self.subscriptions_fetch.is_due(POLL_MS, now) {
            calls.push(ListSubscriptions { page: Some(1), limit: LIMIT }.into());
        }
        calls
    }

    fn expire(&mut self) {
        self.accounts_fetch.expire();
        self.events_fetch.expire();
        self.subscriptions_fetch.expire();
    }

    fn replied(&mut self, call: &Call, reply: &Reply, context: &Context) -> Vec<Request> {
        let now = context.now;
        match (call, reply) {
            (_, Reply::Overview(answer)) => self.is_billing_configured = Some(answer.billing_configured),
            (Call::ListUsers(call), Reply::ListUsers(answer)) => {
                let page = call.page.unwrap_or(1);
                if *call == all_users(page) {
                    let next = self.take(page, answer.users.clone(), answer.pagination.has_next_page, now);
                    return next.map(|page| Call::from(all_users(page)).into()).into_iter().collect();
                }
            }
            (_, Reply::GrantPro(answer)) => self.changed(&answer.user),
            (_, Reply::RevokePro(answer)) => self.changed(&answer.user),
            (_, Reply::ListBillingEvents(answer)) => {
                self.page.take(&answer.pagination);
                self.events.set(answer.events.clone());
                self.events_fetch.succeeded(now);
            }
            (_, Reply::ListSubscriptions(answer)) => {
                self.subscriptions_total = answer.pagination.total_count;
                self.subscriptions.set(answer.subscriptions.clone());
                self.subscriptions_fetch.succeeded(now);
            }
            _ => {}
        }
        vec![]
    }

    fn refused(&mut self, call: &Call, refusal: &CommandError, context: &Context) -> Option<Vec<Request>> {
        let fetch = match call {
            Call::ListUsers(call) if *call == all_users(call.page.unwrap_or(1)) => &mut self.accounts_fetch,
            Call::ListBillingEvents(_) => &mut self.events_fetch,
            Call::ListSubscriptions(_) => &mut self.subscriptions_fetch,
            _ => return None,
        };
        fetch.failed(refusal.clone(), context.now);
        Some(vec![])
    }

    fn find_user(&self, lookup: &UserLookup) -> Option<&User> {
        self.accounts.rows().iter().find(|user| lookup.is(user))
    }

    fn draw(&self, frame: &mut Frame, area: Rect, context: &Context, theme: &Theme, targets: &mut ClickTargets) {
        view::draw(frame, area, self, context, theme, targets);
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

/// The state of a subscription, in the provider's word where there is one.
pub fn state(row: &UserSubscription) -> &str {
    match &row.status {
        Some(status) => status,
        None if row.subscription.is_granted => "granted",
        None => "none",
    }
}
