//! Accounts: the table, one account in full, and what can be done with it.

mod confirmations;
mod lookup;
mod rows;
mod state;
pub mod suspended;
pub mod view;

use crossterm::event::KeyCode;
use morpion_openapi::{
    PageRequest,
    account::User,
    admin::ListSessions,
    game::{Game, GameStatus, GetGamesByUser},
};
use morpion_shell::command_error::CommandError;
use ratatui::{Frame, layout::Rect};

use super::{CommandLine, Request, Tab, TabId, TypedOutcome};
use crate::{
    actions::{Action, Moderation, Subject},
    calls::{Call, Reply},
    context::Context,
    dialog::{
        Dialog, InputDialog, InputPurpose,
        menu::{Menu, user_items},
        palette::{Argument, PaletteCommand, command},
    },
    event::Effect,
    fetch::Pager,
    hit_testing::ClickTargets,
    keymap::{KeyAction, Keys, bind, char, key},
    list::List,
    own_commands::Target,
    theme::Theme,
    widgets::name::Named,
};
pub use lookup::UserLookup;
pub use rows::kind;
pub use state::{Detail, Section, Users};

#[rustfmt::skip] // One row a line.
const KEYS: Keys = Keys { title: "Users", has_list: true, bindings: &[
    bind(&[key(KeyCode::Enter)], KeyAction::Open, "open the chosen account", "open"),
    bind(&[char('a')], KeyAction::Menu, "suspend, rename, grant Pro, promote", "act"),
    bind(&[char('f')], KeyAction::State, "only suspended accounts, or all", "state"),
    bind(&[key(KeyCode::Right), char('l')], KeyAction::Right, "next page", ""),
    bind(&[key(KeyCode::Left), char('h')], KeyAction::Left, "page before", ""),
]};

#[rustfmt::skip] // One row a line.
const DETAIL_KEYS: Keys = Keys { title: "User", has_list: true, bindings: &[
    bind(&[key(KeyCode::Enter)], KeyAction::Open, "watch or replay the chosen game", "open"),
    bind(&[char('a')], KeyAction::Menu, "revoke the session, suspend, grant Pro", "act"),
    bind(&[key(KeyCode::Right), char('l')], KeyAction::Right, "to the games", "games"),
    bind(&[key(KeyCode::Left), char('h')], KeyAction::Left, "to the sessions", ""),
]};

#[rustfmt::skip] // One row a line.
const COMMANDS: &[PaletteCommand] = &[
    command("users", Argument::Text, "accounts, searched"),
    command("suspended", Argument::None, "suspended accounts"),
    command("user", Argument::User, "open an account"),
    command("grant", Argument::User, "grant Pro to an account"),
    command("suspend", Argument::User, "suspend an account"),
    command("lift", Argument::User, "lift the suspension of an account"),
    command("rename", Argument::User, "give an account other names"),
];

const POLL_MS: i64 = 15_000;
const DETAIL_POLL_MS: i64 = 10_000;
/// A search is sent when nothing was typed for this long.
const TYPED_MS: i64 = 300;

impl Tab for Users {
    fn title(&self) -> &'static str {
        "Users"
    }

    fn keys(&self) -> &'static Keys {
        if self.detail.is_some() { &DETAIL_KEYS } else { &KEYS }
    }

    fn modes(&self) -> &'static [&'static Keys] {
        &[&KEYS, &DETAIL_KEYS]
    }

    fn commands(&self) -> &'static [PaletteCommand] {
        COMMANDS
    }

    fn run(&mut self, line: CommandLine<'_>, context: &Context) -> Result<Vec<Request>, String> {
        Ok(match line.name {
            "users" => {
                self.detail = None;
                self.is_suspended_only = false;
                self.table.set_filter(line.argument.to_owned());
                self.filter_changed(context.now);
                vec![Request::ShowTab(TabId::Users)]
            }
            "user" => vec![Request::Perform(Action::OpenUser(line.required("a username or an id")?.to_owned()))],
            "suspended" => {
                self.detail = None;
                self.is_suspended_only = true;
                vec![Request::ShowTab(TabId::Users)]
            }
            act => {
                let wanted = line.required("a username")?;
                let user = self.users().find(|user| user.username.eq_ignore_ascii_case(wanted));
                // One that is not listed is opened first, where the act is offered.
                vec![Request::Perform(match user {
                    Some(user) => act_on(act, user),
                    None => Action::OpenUser(wanted.to_owned()),
                })]
            }
        })
    }

    fn suggestions(&self, argument: Argument) -> Vec<String> {
        match argument {
            Argument::User => self.users().map(|user| user.username.clone()).collect(),
            _ => vec![],
        }
    }

    fn typed(&mut self, purpose: InputPurpose, text: &str, _context: &Context) -> Option<TypedOutcome> {
        match purpose {
            InputPurpose::GrantPro if text.is_empty() => Some(Err("Please enter a username or an id.".to_owned())),
            InputPurpose::GrantPro => Some(Ok(vec![Request::Perform(Action::OpenUser(text.to_owned()))])),
            _ => None,
        }
    }

    fn list(&self) -> Option<&dyn List> {
        Some(match &self.detail {
            None if self.is_suspended_only => &self.suspended.table,
            None => &self.table,
            Some(detail) => match detail.section {
                Section::Sessions => &detail.sessions,
                Section::Games => &detail.games,
            },
        })
    }

    fn list_mut(&mut self) -> Option<&mut dyn List> {
        Some(match &mut self.detail {
            None if self.is_suspended_only => &mut self.suspended.table,
            None => &mut self.table,
            Some(detail) => match detail.section {
                Section::Sessions => &mut detail.sessions,
                Section::Games => &mut detail.games,
            },
        })
    }

    fn kept_list(&self) -> Option<&dyn List> {
        Some(&self.table)
    }

    fn kept_list_mut(&mut self) -> Option<&mut dyn List> {
        Some(&mut self.table)
    }

    /// The search follows when the letters pause.
    fn filter_changed(&mut self, now: i64) {
        if self.detail.is_none() && !self.is_suspended_only {
            self.typed_at = Some(now);
        }
    }

    fn target(&self) -> Option<Target> {
        let user = self.detail.as_ref().map(|detail| &detail.user).or_else(|| self.chosen())?;
        Some(Target::new(user.user_id, &user.username))
    }

    fn key(&mut self, action: KeyAction, _context: &Context) -> Vec<Request> {
        match action {
            KeyAction::Left | KeyAction::Right => {
                let forward = action == KeyAction::Right;
                if let Some(detail) = &mut self.detail {
                    detail.section = if forward { Section::Games } else { Section::Sessions };
                } else if self.is_suspended_only {
                    if self.suspended.page.turn(forward) {
                        self.suspended.fetch.expire();
                    }
                } else if self.page.turn(forward) {
                    self.fetch.expire();
                }
                vec![Request::Poll]
            }
            KeyAction::State => {
                self.is_suspended_only = !self.is_suspended_only;
                vec![Request::Poll]
            }
            KeyAction::Open => match &self.detail {
                None => {
                    self.detail = self.chosen().cloned().map(Detail::new);
                    vec![Request::Poll]
                }
                Some(detail) => {
                    let chosen = detail.games.chosen().filter(|_| detail.section == Section::Games);
                    chosen.map(|game| Request::OpenGame(Box::new(game.clone()))).into_iter().collect()
                }
            },
            _ => vec![],
        }
    }

    fn back(&mut self, now: i64) {
        let has_filter = self.list().is_some_and(|list| !list.filter().is_empty());
        if self.detail.is_some() && !has_filter {
            self.detail = None;
        } else if let Some(list) = self.list_mut() {
            list.set_filter(String::new());
            self.filter_changed(now);
        }
    }

    fn menu(&self) -> Option<Menu> {
        if let Some(detail) = &self.detail {
            return Some(Self::detail_menu(detail));
        }
        self.chosen().map(|user| Menu::new(user.name().whole(), user_items(user)))
    }

    fn perform(&mut self, action: Action, _context: &Context) -> Result<Vec<Request>, Action> {
        let dialog = match action {
            Action::RevokeSession { user, session_id, device } => {
                Dialog::Confirm(confirmations::revoke_session(user, session_id, device))
            }
            Action::SetAdmin { user, name, is_admin } => {
                Dialog::Confirm(confirmations::set_admin(user, name, is_admin))
            }
            Action::GrantPro { user, name } => Dialog::Confirm(confirmations::grant_pro(user, name)),
            Action::RevokePro { user, name } => Dialog::Confirm(confirmations::revoke_pro(user, name)),
            Action::Moderate(act, subject) => Dialog::Confirm(confirmations::moderate(act, subject)),
            Action::GrantProToSomebody => {
                Dialog::Input(InputDialog::new(InputPurpose::GrantPro, "Grant Pro to", "a username or an id", ""))
            }
            other => return Err(other),
        };
        Ok(vec![Request::OpenDialog(dialog)])
    }

    fn tick(&mut self, context: &Context) -> Vec<Effect> {
        if self.typed_at.is_some_and(|at| context.now - at >= TYPED_MS) {
            self.typed_at = None;
            if self.searched != self.table.filter() {
                self.searched = self.table.filter().to_owned();
                self.page = Pager::default();
                self.fetch.expire();
            }
        }
        vec![]
    }

    fn poll(&mut self, shown: TabId, now: i64) -> Vec<Call> {
        if shown != TabId::Users {
            return vec![];
        }
        let Some(detail) = &mut self.detail else {
            return match self.is_suspended_only {
                true if self.suspended.fetch.is_due(POLL_MS, now) => vec![self.suspended.call().into()],
                false if self.fetch.is_due(POLL_MS, now) => vec![self.call().into()],
                _ => vec![],
            };
        };
        let user_id = detail.user.user_id;
        match detail.section {
            Section::Sessions if detail.sessions_fetch.is_due(DETAIL_POLL_MS, now) => {
                vec![ListSessions { user_id }.into()]
            }
            Section::Games if detail.games_fetch.is_due(DETAIL_POLL_MS, now) => {
                let (status, limit) = (Some(GameStatus::ALL.to_vec()), Some(PageRequest::MAX_LIMIT));
                vec![GetGamesByUser { user_id, status, page: Some(1), limit }.into()]
            }
            _ => vec![],
        }
    }

    fn expire(&mut self) {
        self.fetch.expire();
        self.suspended.fetch.expire();
        if let Some(detail) = &mut self.detail {
            detail.sessions_fetch.expire();
            detail.games_fetch.expire();
        }
    }

    fn replied(&mut self, call: &Call, reply: &Reply, context: &Context) -> Vec<Request> {
        let now = context.now;
        match (call, reply) {
            (Call::ListUsers(call), Reply::ListUsers(answer)) => return self.listed(call, answer, now),
            (Call::ListSessions(call), Reply::ListSessions(answer)) => {
                if let Some(detail) = self.detail_of(call.user_id) {
                    detail.sessions.set(answer.sessions.clone());
                    detail.sessions_fetch.succeeded(now);
                }
            }
            (Call::GetGamesByUser(call), Reply::GetGamesByUser(answer)) => {
                if let Some(detail) = self.detail_of(call.user_id) {
                    detail.games.set(answer.games.clone());
                    detail.games_fetch.succeeded(now);
                }
            }
            (Call::RevokeSessionAction(call), Reply::RevokeSessionAction(_)) => {
                if let Some(detail) = self.detail_of(call.user_id) {
                    detail.sessions.remove(&call.session_id);
                }
            }
            (Call::ListSuspended(call), Reply::ListSuspended(answer)) => self.suspended_listed(call, answer, now),
            (
                _,
                Reply::SetAdmin(answer)
                | Reply::GrantPro(answer)
                | Reply::RevokePro(answer)
                | Reply::SuspendUser(answer)
                | Reply::LiftSuspension(answer)
                | Reply::RenameUser(answer)
                | Reply::RemovePicture(answer),
            ) => {
                self.put(answer.user.clone());
                return vec![Request::Poll];
            }
            (Call::DeleteUser(call), Reply::DeleteUser(_)) => {
                self.removed(call.user_id);
                return vec![Request::Poll];
            }
            _ => {}
        }
        vec![]
    }

    fn refused(&mut self, call: &Call, refusal: &CommandError, context: &Context) -> Option<Vec<Request>> {
        let fetch = match call {
            // With an empty text it is the Pro tab's (see [`super::subscriptions`]).
            Call::ListUsers(call) if call.text.as_deref() != Some("") => Some(&mut self.fetch),
            Call::ListSuspended(_) => Some(&mut self.suspended.fetch),
            Call::ListSessions(call) => self.detail_of(call.user_id).map(|detail| &mut detail.sessions_fetch),
            Call::GetGamesByUser(call) => self.detail_of(call.user_id).map(|detail| &mut detail.games_fetch),
            _ => return None,
        };
        if let Some(fetch) = fetch {
            fetch.failed(refusal.clone(), context.now);
        }
        Some(vec![])
    }

    fn find_user(&self, lookup: &UserLookup) -> Option<&User> {
        self.users().find(|user| lookup.is(user))
    }

    fn listed_games(&self) -> Vec<&Game> {
        self.detail.iter().flat_map(|detail| detail.games.rows()).collect()
    }

    fn draw(&self, frame: &mut Frame, area: Rect, context: &Context, theme: &Theme, targets: &mut ClickTargets) {
        view::draw(frame, area, self, context, theme, targets);
    }
}

/// What a command of the palette does to an account.
fn act_on(command: &str, user: &User) -> Action {
    let act = match command {
        "suspend" => Moderation::Suspend,
        "lift" => Moderation::Lift,
        "rename" => Moderation::Rename,
        _ => return Action::GrantPro { user: user.user_id, name: user.name().whole() },
    };
    let (user_id, username) = (user.user_id, user.username.clone());
    Action::Moderate(act, Subject { user_id, username, name: user.name().whole() })
}
