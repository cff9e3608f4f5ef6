//! What is asked again and again while it is looked at.

use morpion_openapi::{
    PageRequest,
    admin::{ListAudit, ListBillingEvents, ListSessions, ListSubscriptions, ListUsers, Overview},
    event::{GetEventById, GetLeaderboard, ListSignupsForEvent},
    game::{GameStatus, GetGamesByEvent, GetGamesByUser},
    logger::GetLogStats,
};

use super::{App, Tab, events, trail, users};
use crate::{event::Action, keymap::Context, net::call::Call};

/// While it is looked at; each is one small answer.
const OVERVIEW_MS: i64 = 2_000;
/// For the mark on its tab, while something else is looked at.
const OVERVIEW_ASIDE_MS: i64 = 15_000;
/// Counting a day's records costs the server more.
const STATS_MS: i64 = 15_000;
const EVENTS_MS: i64 = 5_000;
const PARTICIPANTS_MS: i64 = 3_000;
const GAMES_MS: i64 = 3_000;
const USERS_MS: i64 = 15_000;
const SESSIONS_MS: i64 = 10_000;
const AUDIT_MS: i64 = 10_000;
const SUBSCRIPTIONS_MS: i64 = 30_000;

const LIMIT: Option<u32> = Some(PageRequest::MAX_LIMIT);

impl App {
    /// The calls that are due.
    pub(super) fn poll(&mut self) -> Vec<Action> {
        if !self.connection.is_connected() {
            return vec![];
        }
        let now = self.now;
        let mut calls: Vec<Call> = vec![];
        let every = if self.tab == Tab::Overview { OVERVIEW_MS } else { OVERVIEW_ASIDE_MS };
        if self.overview.fetch.is_due(every, now) {
            calls.push(Overview {}.into());
        }
        if matches!(self.tab, Tab::Overview | Tab::Logs) && self.logs.stats_fetch.is_due(STATS_MS, now) {
            calls.push(GetLogStats {}.into());
        }
        match self.tab {
            Tab::Events => calls.extend(self.poll_events()),
            Tab::Users => calls.extend(self.poll_users()),
            Tab::Audit if self.audit.fetch.is_due(AUDIT_MS, now) => {
                calls.push(ListAudit { page: Some(self.audit.page.number), limit: LIMIT }.into());
            }
            Tab::Subscriptions => calls.extend(self.poll_subscriptions()),
            _ => {}
        }
        calls.into_iter().map(Action::Call).collect()
    }

    fn poll_events(&mut self) -> Vec<Call> {
        let now = self.now;
        let Some(detail) = &mut self.events.detail else {
            let is_due = self.events.fetch.is_due(EVENTS_MS, now);
            return if is_due { vec![self.events.page(1).into()] } else { vec![] };
        };
        let event_id = detail.event.event_id;
        let mut calls: Vec<Call> = vec![];
        if detail.fetch.is_due(EVENTS_MS, now) {
            calls.push(GetEventById { event_id }.into());
        }
        match detail.section {
            events::Section::Participants if detail.participants_fetch.is_due(PARTICIPANTS_MS, now) => {
                calls.push(if detail.has_standings() {
                    GetLeaderboard { event_id, page: Some(1), limit: LIMIT }.into()
                } else {
                    ListSignupsForEvent { event_id, page: Some(1), limit: LIMIT }.into()
                });
            }
            events::Section::Games if detail.games_fetch.is_due(GAMES_MS, now) => {
                let event_id = event_id.to_string();
                calls.push(GetGamesByEvent { event_id, user_id: None, page: Some(1), limit: LIMIT }.into());
            }
            _ => {}
        }
        calls
    }

    fn poll_users(&mut self) -> Vec<Call> {
        let now = self.now;
        let mut calls: Vec<Call> = vec![];
        if self.users.detail.is_none() && self.users.fetch.is_due(USERS_MS, now) {
            calls.push(self.users.call().into());
        }
        let Some(detail) = &mut self.users.detail else { return calls };
        let user_id = detail.user.user_id;
        match detail.section {
            users::Section::Sessions if detail.sessions_fetch.is_due(SESSIONS_MS, now) => {
                calls.push(ListSessions { user_id }.into());
            }
            users::Section::Games if detail.games_fetch.is_due(SESSIONS_MS, now) => {
                let status = Some(GameStatus::ALL.to_vec());
                calls.push(GetGamesByUser { user_id, status, page: Some(1), limit: LIMIT }.into());
            }
            _ => {}
        }
        calls
    }

    fn poll_subscriptions(&mut self) -> Vec<Call> {
        let (now, subscriptions) = (self.now, &mut self.subscriptions);
        let mut calls: Vec<Call> = vec![];
        if subscriptions.accounts_fetch.is_due(SUBSCRIPTIONS_MS, now) {
            calls.push(all_users(1));
        }
        if subscriptions.section == trail::Section::Events && subscriptions.events_fetch.is_due(AUDIT_MS, now) {
            let page = Some(subscriptions.page.number);
            calls.push(ListBillingEvents { user_id: None, page, limit: LIMIT }.into());
        }
        if subscriptions.section == trail::Section::Standing && subscriptions.standing_fetch.is_due(AUDIT_MS, now) {
            calls.push(ListSubscriptions { page: Some(1), limit: LIMIT }.into());
        }
        calls
    }

    /// Asks anew for what is shown.
    pub(super) fn refresh(&mut self) -> Vec<Action> {
        match self.context() {
            Context::Logs if !self.logs.view().is_following() => {
                self.logs.view_mut().set_following(true);
                return vec![];
            }
            Context::Board => {
                let now = self.now;
                return self.watch.as_mut().map(|watch| watch.ask(now)).into_iter().collect();
            }
            _ => {}
        }
        self.expire_all();
        self.poll()
    }

    pub(super) fn expire_all(&mut self) {
        for fetch in [
            &mut self.overview.fetch,
            &mut self.logs.stats_fetch,
            &mut self.events.fetch,
            &mut self.users.fetch,
            &mut self.audit.fetch,
            &mut self.subscriptions.accounts_fetch,
            &mut self.subscriptions.events_fetch,
            &mut self.subscriptions.standing_fetch,
        ] {
            fetch.expire();
        }
        if let Some(detail) = &mut self.events.detail {
            detail.fetch.expire();
            detail.participants_fetch.expire();
            detail.games_fetch.expire();
        }
        if let Some(detail) = &mut self.users.detail {
            detail.sessions_fetch.expire();
            detail.games_fetch.expire();
        }
    }
}

/// A page of all accounts, to find those with Pro among them. The limit tells it from the pages
/// of the table of accounts.
pub(super) fn all_users(page: u32) -> Call {
    ListUsers { text: Some(String::new()), page: Some(page), limit: LIMIT }.into()
}
