//! The state of the tab: the table of accounts, and the account that is shown in full.

use morpion_openapi::{
    PageRequest,
    account::{Session, User},
    admin::{ListUsers, UsersListAnswer},
    game::{Game, GameStatus},
    moderation::ListSuspended,
};
use uuid::Uuid;

use super::{
    Request, TabId, UserLookup,
    suspended::{SuspendedUser, SuspendedUsers},
};
use crate::{
    actions::Action,
    calls::Call,
    dialog::menu::{Menu, MenuItem, user_items},
    fetch::{Fetch, Pager},
    list::DataTable,
    widgets::name::Named,
};

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
    pub sessions: DataTable<Session>,
    pub sessions_fetch: Fetch,
    pub games: DataTable<Game>,
    pub games_fetch: Fetch,
}

impl Detail {
    pub fn new(user: User) -> Self {
        Self {
            user,
            section: Section::default(),
            sessions: DataTable::default(),
            sessions_fetch: Fetch::default(),
            games: DataTable::default(),
            games_fetch: Fetch::default(),
        }
    }
}

#[derive(Debug, Default)]
pub struct Users {
    pub table: DataTable<User>,
    pub fetch: Fetch,
    pub page: Pager,
    pub suspended: SuspendedUsers,
    /// Those are shown instead of all accounts.
    pub is_suspended_only: bool,
    /// What was searched for last.
    pub(super) searched: String,
    pub(super) typed_at: Option<i64>,
    pub detail: Option<Detail>,
    /// An account that is opened once it is found.
    pub(super) lookup: Option<UserLookup>,
}

impl Users {
    pub fn call(&self) -> ListUsers {
        let text = Some(self.searched.trim().to_owned()).filter(|text| !text.is_empty());
        ListUsers { text, page: Some(self.page.number), limit: Some(PageRequest::MAX_LIMIT) }
    }

    /// An account as the server has it now.
    pub fn put(&mut self, user: User) {
        if let Some(detail) = &mut self.detail
            && detail.user.user_id == user.user_id
        {
            detail.user = user.clone();
        }
        if self.suspended.table.get(&user.user_id).is_some() {
            self.suspended.table.put(SuspendedUser(user.clone()));
        }
        // It may belong there from now on.
        self.suspended.fetch.expire();
        if self.table.get(&user.user_id).is_some() {
            self.table.put(user);
        }
    }

    /// An account is gone.
    pub(super) fn removed(&mut self, id: Uuid) {
        self.detail.take_if(|detail| detail.user.user_id == id);
        self.table.remove(&id);
        self.fetch.expire();
        self.suspended.fetch.expire();
        self.suspended.table.remove(&id);
    }

    pub(super) fn chosen(&self) -> Option<&User> {
        if self.is_suspended_only { self.suspended.table.chosen().map(|row| &row.0) } else { self.table.chosen() }
    }

    /// Every account that is known.
    pub(super) fn users(&self) -> impl Iterator<Item = &User> {
        self.table.rows().iter().chain(self.suspended.table.rows().iter().map(|row| &row.0))
    }
}

impl Users {
    /// Opens an account at once if it is known, else looks for it on the server.
    pub fn open(&mut self, lookup: UserLookup, known: Option<User>) -> Vec<Request> {
        if let Some(user) = known {
            return self.open_user(user);
        }
        let call = lookup.call();
        self.lookup = Some(lookup);
        vec![Call::from(call).into()]
    }

    pub(super) fn open_user(&mut self, user: User) -> Vec<Request> {
        self.detail = Some(Detail::new(user));
        vec![Request::ShowTab(TabId::Users)]
    }

    pub(super) fn detail_of(&mut self, id: Uuid) -> Option<&mut Detail> {
        self.detail.as_mut().filter(|detail| detail.user.user_id == id)
    }

    pub(super) fn listed(&mut self, call: &ListUsers, answer: &UsersListAnswer, now: i64) -> Vec<Request> {
        if let Some(lookup) = self.lookup.take_if(|lookup| lookup.call() == *call) {
            if let Some(user) = answer.users.iter().find(|user| lookup.is(user)) {
                return self.open_user(user.clone());
            }
            let text = lookup.text.clone();
            self.lookup = lookup.next(answer.pagination.has_next_page);
            return match &self.lookup {
                Some(next) => vec![Call::from(next.call()).into()],
                None => vec![Request::warn(format!("No account '{text}' was found."))],
            };
        }
        if *call == self.call() {
            self.page.take(&answer.pagination);
            self.table.set(answer.users.clone());
            self.fetch.succeeded(now);
        }
        vec![]
    }

    pub(super) fn suspended_listed(&mut self, call: &ListSuspended, answer: &UsersListAnswer, now: i64) {
        if *call == self.suspended.call() {
            self.suspended.page.take(&answer.pagination);
            self.suspended.table.set(answer.users.iter().cloned().map(SuspendedUser).collect());
            self.suspended.fetch.succeeded(now);
        }
    }

    pub(super) fn detail_menu(detail: &Detail) -> Menu {
        let mut items = user_items(&detail.user);
        items.retain(|item| !matches!(item.action, Action::OpenUser(_)));
        match detail.section {
            Section::Sessions => {
                if let Some(session) = detail.sessions.chosen() {
                    let (session_id, device) = (session.session_id.clone(), session.device.clone());
                    let label = format!("revoke the session: {device}");
                    let action = Action::RevokeSession { user: detail.user.user_id, session_id, device };
                    items.insert(0, MenuItem::new('r', label, action));
                }
            }
            Section::Games => {
                if let Some(game) = detail.games.chosen() {
                    let is_over = matches!(game.status, GameStatus::Completed | GameStatus::Cancelled);
                    let item = if is_over {
                        MenuItem::new('g', "replay the game", Action::Replay(game.game_id))
                    } else {
                        MenuItem::new('g', "watch the game", Action::Watch(game.game_id))
                    };
                    items.insert(0, item);
                }
            }
        }
        Menu::new(detail.user.name().whole(), items)
    }
}
