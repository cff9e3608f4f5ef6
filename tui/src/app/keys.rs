//! What keys and the mouse do.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use uuid::Uuid;

use super::{App, PAGE, Tab, dialog, events, leave, logs, table::Listing, toast::Level, trail, users, watch::Watch};
use crate::{
    event::Action,
    keymap::{self, Command, Context},
    screens::{self, hits::Target},
};

impl App {
    pub(super) fn key(&mut self, key: KeyEvent) -> Vec<Action> {
        if key.code == KeyCode::Char('c') && key.modifiers.contains(KeyModifiers::CONTROL) {
            return vec![Action::Quit];
        }
        if !screens::has_room(self.size) {
            return self.key_unseen(key);
        }
        if self.dialog.is_some() && !self.is_help_open {
            return self.dialog_key(key);
        }
        if !self.is_help_open && self.listing().is_some_and(|listing| listing.is_typing()) {
            return self.type_filter(key);
        }
        let command = keymap::command(self.context(), key);
        if self.is_help_open
            && !matches!(command, Some(Command::Quit | Command::Suspend | Command::Help | Command::Back))
        {
            self.scroll_help(key.code);
            return vec![];
        }
        let Some(command) = command else { return vec![] };
        match command {
            Command::Quit => vec![Action::Quit],
            Command::Suspend => vec![Action::Suspend],
            Command::Help => {
                self.is_help_open = !self.is_help_open;
                self.help_from = 0;
                vec![]
            }
            Command::Back => self.back(),
            command => self.command(command),
        }
    }

    /// Nothing of the state is in sight, so nothing of it is changed: a key ends the program or says what it needs.
    fn key_unseen(&mut self, key: KeyEvent) -> Vec<Action> {
        match keymap::command(self.context(), key) {
            // What somebody types is not lost by a letter of it.
            Some(Command::Quit) if !self.is_typing() => return vec![Action::Quit],
            Some(Command::Suspend) => return vec![Action::Suspend],
            Some(Command::Help) => {
                self.is_help_open = !self.is_help_open;
                self.help_from = 0;
            }
            _ => {}
        }
        vec![]
    }

    /// Whether letters are letters now.
    pub fn is_typing(&self) -> bool {
        match &self.dialog {
            Some(dialog) => dialog.is_typing(),
            None => self.is_filtering(),
        }
    }

    fn is_filtering(&self) -> bool {
        match self.context() {
            Context::Events => self.events.table.is_typing(),
            Context::Event => self.events.detail.as_ref().is_some_and(|detail| match detail.section {
                events::Section::Participants => detail.participants.is_typing(),
                events::Section::Games => detail.games.is_typing(),
            }),
            Context::Games => self.live_games.is_typing,
            Context::Logs => self.logs.view().is_typing,
            Context::Users => self.users.table.is_typing(),
            Context::User => self.users.detail.as_ref().is_some_and(|detail| match detail.section {
                users::Section::Sessions => detail.sessions.is_typing(),
                users::Section::Games => detail.games.is_typing(),
            }),
            Context::Audit => self.audit.table.is_typing(),
            Context::Subscriptions => match self.subscriptions.section {
                trail::Section::Accounts => self.subscriptions.accounts.is_typing(),
                trail::Section::Events => self.subscriptions.events.is_typing(),
                trail::Section::Standing => self.subscriptions.standing.is_typing(),
            },
            _ => false,
        }
    }

    pub(super) fn scroll_help(&mut self, key: KeyCode) {
        let by = match key {
            KeyCode::Down | KeyCode::Char('j') => 1,
            KeyCode::Up | KeyCode::Char('k') => -1,
            KeyCode::PageDown => PAGE as i16,
            KeyCode::PageUp => -(PAGE as i16),
            _ => 0,
        };
        let last = screens::help_lines(self.context(), self.size.0).saturating_sub(1);
        self.help_from = self.help_from.saturating_add_signed(by).min(last);
    }

    pub(super) fn command(&mut self, command: Command) -> Vec<Action> {
        match command {
            Command::Quit | Command::Suspend | Command::Help | Command::Back => {}
            Command::Refresh if !self.connection.is_connected() => return vec![Action::Reconnect],
            Command::Refresh => return self.refresh(),
            Command::Palette => self.open_palette(),
            Command::Mouse => return self.set_mouse(!self.options.has_mouse),
            Command::Tab(at) => return Tab::ALL.get(at).map_or(vec![], |tab| self.go(*tab)),
            Command::NextTab => return self.go(Tab::ALL[(self.tab.index() + 1) % Tab::ALL.len()]),
            Command::PreviousTab => {
                return self.go(Tab::ALL[(self.tab.index() + Tab::ALL.len() - 1) % Tab::ALL.len()]);
            }
            Command::Act => self.open_menu(),
            Command::Down => return self.step(1),
            Command::Up => return self.step(-1),
            Command::PageDown => return self.step(PAGE),
            Command::PageUp => return self.step(-PAGE),
            Command::First => return self.step(isize::MIN),
            Command::Last => return self.step(isize::MAX),
            Command::Left => return self.aside(false),
            Command::Right => return self.aside(true),
            Command::Open => return self.open(),
            Command::Filter => {
                if let Some(listing) = self.listing() {
                    listing.set_typing(true);
                }
            }
            Command::Sort => {
                if let Some(listing) = self.listing() {
                    listing.sort_by_next();
                }
            }
            Command::Reverse => {
                if let Some(listing) = self.listing() {
                    listing.reverse();
                }
            }
            Command::Mark => self.events.table.mark(),
            Command::MarkAll => self.events.table.mark_all(),
            Command::State => {
                self.events.next_state();
                return self.poll();
            }
            Command::New if self.tab == Tab::Subscriptions => {
                return self.perform(dialog::Deed::GrantPro { user: Uuid::nil(), name: String::new() });
            }
            Command::New => return self.perform(dialog::Deed::NewEvent),
            Command::Edit => return self.perform(dialog::Deed::EditEvent),
            Command::NextGame => return self.open_beside(1),
            Command::PreviousGame => return self.open_beside(-1),
            Command::Replay => {
                let over = self.watch.as_ref().filter(|watch| watch.is_over()).map(|watch| watch.game_id);
                match over {
                    Some(game_id) => return self.perform(dialog::Deed::Replay(game_id)),
                    None => self.say("It is not over yet."),
                }
            }
            Command::Play => {
                if let Some(replay) = &mut self.replay {
                    replay.play(self.now);
                }
            }
            Command::Levels => self.open_level_menu(),
            Command::Milder => self.step_level(1),
            Command::Stricter => self.step_level(-1),
            Command::Service => self.open_service_menu(),
            Command::Invert => self.logs.view_mut().invert(),
            Command::Window => self.open_window_menu(),
            Command::Wrap => self.logs.wraps = !self.logs.wraps,
            Command::Follow => {
                let view = self.logs.view_mut();
                view.set_following(!view.is_following());
            }
            Command::Copy => return self.copy_record(),
            Command::Save => return self.perform(dialog::Deed::Save),
        }
        vec![]
    }

    pub(super) fn set_level(&mut self, level: morpion_openapi::logger::LogLevel) {
        let view = self.logs.view_mut();
        let filter = logs::filter::Filter { level, ..view.filter().clone() };
        view.set_filter(filter);
    }

    /// Shows milder levels too, or fewer.
    fn step_level(&mut self, by: isize) {
        let levels = logs::filter::LEVELS;
        let at = levels.iter().position(|level| *level == self.logs.view().filter().level).unwrap_or(levels.len() - 1);
        self.set_level(levels[at.saturating_add_signed(by).min(levels.len() - 1)]);
    }

    pub(super) fn set_mouse(&mut self, is_on: bool) -> Vec<Action> {
        self.options.has_mouse = is_on;
        let word = if is_on { "on" } else { "off: the terminal's own selection works again" };
        self.say(format!("The mouse is {word}."));
        vec![Action::SetMouse(is_on)]
    }

    /// A short word to the operator.
    pub(super) fn say(&mut self, text: impl Into<String>) {
        self.toasts.add(Level::Warning, text.into(), self.now);
    }

    pub(super) fn go(&mut self, tab: Tab) -> Vec<Action> {
        self.tab = tab;
        self.is_help_open = false;
        self.replay = None;
        let mut actions: Vec<_> = self.watch.take().map(|watch| leave(watch.game_id)).into_iter().collect();
        if self.connection.is_connected() {
            if tab == Tab::Logs {
                actions.extend(self.logs.open());
            }
            actions.extend(self.poll());
        }
        actions
    }

    pub(super) fn step(&mut self, by: isize) -> Vec<Action> {
        match self.context() {
            Context::Replay => {
                if let Some(replay) = &mut self.replay {
                    if by < 0 { replay.first() } else { replay.last() }
                }
            }
            Context::Record => {
                if let Some(line) = &mut self.logs.detail {
                    *line = line.saturating_add_signed(by.signum() as i16);
                }
            }
            Context::Logs => {
                let is_oldest = self.logs.view_mut().step(by);
                if by < 0 && is_oldest {
                    return self.logs.older();
                }
            }
            _ => {
                if let Some(listing) = self.listing() {
                    listing.step(by);
                }
            }
        }
        vec![]
    }

    /// To the left or to the right: sections, pages, moves.
    pub(super) fn aside(&mut self, forward: bool) -> Vec<Action> {
        match self.context() {
            Context::Event => {
                if let Some(detail) = &mut self.events.detail {
                    detail.section = if forward { events::Section::Games } else { events::Section::Participants };
                }
            }
            Context::User => {
                if let Some(detail) = &mut self.users.detail {
                    detail.section = if forward { users::Section::Games } else { users::Section::Sessions };
                }
            }
            Context::Subscriptions => {
                self.subscriptions.section = self.subscriptions.section.turned(forward);
            }
            Context::Replay => {
                if let Some(replay) = &mut self.replay {
                    if forward { replay.forward() } else { replay.back() }
                }
            }
            Context::Record => {
                self.logs.detail = Some(0);
                self.logs.view_mut().step(if forward { 1 } else { -1 });
            }
            Context::Users if self.users.page.turn(forward) => self.users.fetch.expire(),
            Context::Audit if self.audit.page.turn(forward) => self.audit.fetch.expire(),
            _ => {}
        }
        self.poll()
    }

    pub(super) fn click(&mut self, target: Target) -> Vec<Action> {
        if !screens::has_room(self.size) {
            return vec![];
        }
        match target {
            _ if self.is_help_open => {
                self.is_help_open = false;
                vec![]
            }
            Target::Tab(tab) if self.dialog.is_none() => self.go(tab),
            Target::Row(at) if self.dialog.is_none() => {
                let Some(listing) = self.listing() else { return vec![] };
                // The second click on a row opens it.
                if listing.chosen_index() == Some(at) {
                    return self.open();
                }
                listing.choose(at);
                vec![]
            }
            Target::Entry(at) => self.choose_entry(at),
            Target::Tab(_) | Target::Row(_) => vec![],
        }
    }

    pub(super) fn scroll(&mut self, by: isize) -> Vec<Action> {
        let is_covered = self.dialog.is_some() || self.is_help_open || !screens::has_room(self.size);
        if is_covered { vec![] } else { self.step(by) }
    }

    pub(super) fn type_filter(&mut self, key: KeyEvent) -> Vec<Action> {
        let now = self.now;
        let is_users = self.context() == Context::Users;
        let Some(listing) = self.listing() else { return vec![] };
        let mut filter = listing.filter().to_owned();
        match key.code {
            KeyCode::Char('u') if key.modifiers.contains(KeyModifiers::CONTROL) => filter.clear(),
            KeyCode::Enter => listing.set_typing(false),
            KeyCode::Esc => {
                listing.set_typing(false);
                filter.clear();
            }
            KeyCode::Up => listing.step(-1),
            KeyCode::Down => listing.step(1),
            KeyCode::Backspace => {
                filter.pop();
            }
            KeyCode::Char(char) if !key.modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT) => {
                filter.push(char);
            }
            _ => {}
        }
        if filter != listing.filter() {
            listing.set_filter(filter);
            if is_users {
                self.users.typed(now);
            }
        }
        vec![]
    }

    pub(super) fn back(&mut self) -> Vec<Action> {
        if self.is_help_open {
            self.is_help_open = false;
            return vec![];
        }
        if let Some(watch) = self.watch.take() {
            return vec![leave(watch.game_id)];
        }
        if self.replay.take().is_some() {
            return vec![];
        }
        match self.context() {
            Context::Record => self.logs.detail = None,
            Context::Logs if self.logs.view().typed.is_empty() && self.logs.scope.is_some() => self.logs.scope = None,
            Context::Logs if self.logs.view().typed.is_empty() => self.logs.view_mut().set_filter(Default::default()),
            Context::Event if self.listing().is_none_or(|listing| listing.filter().is_empty()) => {
                self.events.detail = None;
            }
            Context::User if self.listing().is_none_or(|listing| listing.filter().is_empty()) => {
                self.users.detail = None;
            }
            context => {
                if let Some(listing) = self.listing() {
                    listing.set_filter(String::new());
                }
                if context == Context::Users {
                    self.users.typed(self.now);
                }
                if context == Context::Events {
                    self.events.table.clear_marks();
                }
            }
        }
        vec![]
    }

    /// Opens what is chosen.
    pub(super) fn open(&mut self) -> Vec<Action> {
        match self.context() {
            Context::Games | Context::Board => self.open_game(),
            Context::Events => {
                self.events.detail = self.events.table.chosen().cloned().map(events::Detail::new);
                self.poll()
            }
            Context::Event => {
                let Some(detail) = &self.events.detail else { return vec![] };
                match detail.section {
                    events::Section::Participants => {
                        let chosen = detail.participants.chosen().map(|player| player.username.clone());
                        chosen.map_or(vec![], |id| self.perform(dialog::Deed::OpenUser(id)))
                    }
                    events::Section::Games => {
                        let chosen = detail.games.chosen().cloned();
                        chosen.map_or(vec![], |game| self.open_listed(&game))
                    }
                }
            }
            Context::Logs => {
                if self.logs.view().chosen().is_some() {
                    self.logs.view_mut().set_following(false);
                    self.logs.detail = Some(0);
                }
                vec![]
            }
            Context::Users => {
                self.users.detail = self.users.table.chosen().cloned().map(users::Detail::new);
                self.poll()
            }
            Context::User => {
                let Some(detail) = &self.users.detail else { return vec![] };
                let chosen = (detail.section == users::Section::Games).then(|| detail.games.chosen().cloned());
                chosen.flatten().map_or(vec![], |game| self.open_listed(&game))
            }
            Context::Subscriptions => {
                let id = match self.subscriptions.section {
                    trail::Section::Accounts => self.subscriptions.accounts.chosen().map(|user| user.user_id),
                    trail::Section::Events => self.subscriptions.events.chosen().and_then(|event| event.user_id),
                    trail::Section::Standing => self.subscriptions.standing.chosen().map(|row| row.user_id),
                };
                id.map_or(vec![], |id| self.perform(dialog::Deed::OpenUser(id.to_string())))
            }
            _ => vec![],
        }
    }

    /// A game of a list: live ones are watched, the others replayed.
    pub(super) fn open_listed(&mut self, game: &morpion_openapi::game::Game) -> Vec<Action> {
        use morpion_openapi::game::GameStatus;
        match game.status {
            GameStatus::Active | GameStatus::Waiting => self.watch_game(Watch::new(game)),
            GameStatus::Completed | GameStatus::Cancelled => self.perform(dialog::Deed::Replay(game.game_id)),
        }
    }

    pub(super) fn watch_game(&mut self, mut watch: Watch) -> Vec<Action> {
        let ask = watch.ask(self.now);
        self.replay = None;
        let left = self.watch.replace(watch);
        left.map(|left| leave(left.game_id)).into_iter().chain([ask]).collect()
    }

    pub(super) fn open_game(&mut self) -> Vec<Action> {
        let Some(game) = self.live_games.selected() else { return vec![] };
        let watch = Watch::new(game);
        self.watch_game(watch)
    }

    pub(super) fn open_beside(&mut self, by: isize) -> Vec<Action> {
        let before = self.live_games.selected_id();
        let watched = self.watch.as_ref().map(|watch| watch.game_id);
        // A watched game that ended is no longer in the list; then its neighbour is chosen already.
        if before == watched {
            self.live_games.step(by);
        }
        if self.live_games.selected_id() == watched { vec![] } else { self.open_game() }
    }
}
