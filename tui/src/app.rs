//! The console's state and the one function that changes it.

mod answers;
pub mod connection;
mod deeds;
pub mod dialog;
pub mod events;
pub mod fetch;
pub mod form;
pub mod input;
pub mod live_games;
pub mod logs;
pub mod moment;
pub mod overview;
pub mod palette;
mod poll;
pub mod replay;
mod run_line;
pub mod table;
pub mod toast;
pub mod trail;
pub mod users;
pub mod watch;

use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use morpion_openapi::realtime::{Ack, ClientFrame, LeaveGameRoom, ServerFrame, SpectateGame, SubscribeLiveGames};
use uuid::Uuid;

use crate::{
    event::{Action, Event, NetEvent},
    keymap::{self, Command, Context},
    screens::hits::Target,
};
use connection::Connection;
use dialog::Dialog;
use events::Events;
use live_games::LiveGames;
use logs::Logs;
use overview::Overview;
use replay::Replay;
use table::Listing;
use toast::{Level, Toasts};
use trail::{Audit, Subscriptions};
use users::Users;
use watch::{Seen, Watch};

/// Answers are matched to what was asked by these.
const SUBSCRIBE_ID: &str = "live-games";
const SPECTATE_ID: &str = "spectate";

/// A state that was asked for and did not come is asked for again after this long.
const RESYNC_AGAIN_MS: i64 = 3_000;

/// Rows that PgDn and PgUp go past.
const PAGE: isize = 10;

/// The parts of the console that one can switch between.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tab {
    Overview,
    Events,
    Games,
    Logs,
    Users,
    Audit,
    Subscriptions,
}

impl Tab {
    pub const ALL: &'static [Self] =
        &[Self::Overview, Self::Events, Self::Games, Self::Logs, Self::Users, Self::Audit, Self::Subscriptions];

    pub fn title(self) -> &'static str {
        match self {
            Self::Overview => "Overview",
            Self::Events => "Events",
            Self::Games => "Games",
            Self::Logs => "Logs",
            Self::Users => "Users",
            Self::Audit => "Audit",
            Self::Subscriptions => "Pro",
        }
    }

    fn index(self) -> usize {
        self as usize
    }
}

/// What the console is started with, beside its connection.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// The server's name for the header.
    pub server_name: String,
    /// Names of the servers in the configuration.
    pub profiles: Vec<String>,
    pub is_read_only: bool,
    pub has_mouse: bool,
    pub is_ascii: bool,
    /// Saved files go here.
    pub folder: String,
}

/// Everything that is drawn.
#[derive(Debug)]
pub struct App {
    pub options: Options,
    pub tab: Tab,
    pub connection: Connection,
    pub overview: Overview,
    pub events: Events,
    pub live_games: LiveGames,
    pub logs: Logs,
    pub users: Users,
    pub audit: Audit,
    pub subscriptions: Subscriptions,
    /// The game on the board; what it was opened from lies under it.
    pub watch: Option<Watch>,
    /// The finished game on the board.
    pub replay: Option<Replay>,
    pub dialog: Option<Dialog>,
    pub is_help_open: bool,
    /// The first line of the help that is shown.
    pub help_from: u16,
    pub toasts: Toasts,
    /// Columns and rows.
    pub size: (u16, u16),
    /// This machine's clock, Unix milliseconds.
    pub now: i64,
    /// The server's clock minus ours, in milliseconds.
    pub clock_offset: i64,
    /// Frames of kinds that this version does not know.
    pub unknown_frames: u64,
}

impl App {
    pub fn new(options: Options, size: (u16, u16), now: i64) -> Self {
        Self {
            options,
            tab: Tab::Overview,
            connection: Connection::default(),
            overview: Overview::default(),
            events: Events::default(),
            live_games: LiveGames::default(),
            logs: Logs::default(),
            users: Users::default(),
            audit: Audit::default(),
            subscriptions: Subscriptions::default(),
            watch: None,
            replay: None,
            dialog: None,
            is_help_open: false,
            help_from: 0,
            toasts: Toasts::default(),
            size,
            now,
            clock_offset: 0,
            unknown_frames: 0,
        }
    }

    pub fn server_name(&self) -> &str {
        &self.options.server_name
    }

    /// The server's clock, Unix milliseconds.
    pub fn server_now(&self) -> i64 {
        self.now + self.clock_offset
    }

    /// Where keys are read for.
    pub fn context(&self) -> Context {
        if self.watch.is_some() {
            return Context::Board;
        }
        if self.replay.is_some() {
            return Context::Replay;
        }
        match self.tab {
            Tab::Overview => Context::Overview,
            Tab::Events if self.events.detail.is_some() => Context::Event,
            Tab::Events => Context::Events,
            Tab::Games => Context::Games,
            Tab::Logs if self.logs.detail.is_some() => Context::Record,
            Tab::Logs => Context::Logs,
            Tab::Users if self.users.detail.is_some() => Context::User,
            Tab::Users => Context::Users,
            Tab::Audit => Context::Audit,
            Tab::Subscriptions => Context::Subscriptions,
        }
    }

    /// The list that keys move in.
    fn listing(&mut self) -> Option<&mut dyn Listing> {
        match self.context() {
            Context::Events => Some(&mut self.events.table),
            Context::Event => self.events.detail.as_mut().map(|detail| match detail.section {
                events::Section::Participants => &mut detail.participants as &mut dyn Listing,
                events::Section::Games => &mut detail.games,
            }),
            Context::Games => Some(&mut self.live_games),
            Context::Logs => Some(&mut self.logs),
            Context::Users => Some(&mut self.users.table),
            Context::User => self.users.detail.as_mut().map(|detail| match detail.section {
                users::Section::Sessions => &mut detail.sessions as &mut dyn Listing,
                users::Section::Games => &mut detail.games,
            }),
            Context::Audit => Some(&mut self.audit.table),
            Context::Subscriptions => Some(match self.subscriptions.section {
                trail::Section::Accounts => &mut self.subscriptions.accounts as &mut dyn Listing,
                trail::Section::Events => &mut self.subscriptions.events,
            }),
            _ => None,
        }
    }

    /// Takes in what happened at `now` (Unix milliseconds); answers with what is to be done.
    pub fn update(&mut self, event: Event, now: i64) -> Vec<Action> {
        self.now = now;
        match event {
            Event::Key(key) if key.kind != KeyEventKind::Release => self.key(key),
            Event::Key(_) => vec![],
            Event::Click(target) => self.click(target),
            Event::Scroll(by) => self.scroll(by),
            Event::Resize(columns, rows) => {
                self.size = (columns, rows);
                vec![]
            }
            Event::Tick => self.tick(),
            Event::Net(news) => self.net(news),
            Event::Saved(Ok(text)) => {
                self.toasts.add(Level::Done, text, now);
                vec![]
            }
            Event::Saved(Err(text)) => {
                self.toasts.add(Level::Error, text, now);
                vec![]
            }
            Event::Terminate | Event::Broken(_) => vec![Action::Quit],
            Event::Suspend => vec![Action::Suspend],
        }
    }

    fn tick(&mut self) -> Vec<Action> {
        self.toasts.expire(self.now);
        let (now, server_now) = (self.now, self.server_now());
        if let Some(replay) = &mut self.replay {
            replay.tick(now);
        }
        self.users.tick(now);
        let mut actions = self.logs.tick(now, server_now);
        if !self.connection.is_connected() {
            return actions;
        }
        if let Some(watch) = &mut self.watch
            && watch.asked_at.is_some_and(|at| now - at >= RESYNC_AGAIN_MS)
        {
            actions.push(watch.ask(now));
        }
        actions.extend(self.poll());
        actions
    }

    fn key(&mut self, key: KeyEvent) -> Vec<Action> {
        if key.code == KeyCode::Char('c') && key.modifiers.contains(KeyModifiers::CONTROL) {
            return vec![Action::Quit];
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

    fn scroll_help(&mut self, key: KeyCode) {
        let by = match key {
            KeyCode::Down | KeyCode::Char('j') => 1,
            KeyCode::Up | KeyCode::Char('k') => -1,
            KeyCode::PageDown => PAGE as i16,
            KeyCode::PageUp => -(PAGE as i16),
            _ => 0,
        };
        let last = crate::screens::help_lines(self.context()).saturating_sub(1);
        self.help_from = self.help_from.saturating_add_signed(by).min(last);
    }

    fn command(&mut self, command: Command) -> Vec<Action> {
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
                return self.perform(dialog::Deed::GrantPro { user: Uuid::nil(), username: String::new() });
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
            Command::Level(number) => self.set_level(logs::filter::LEVELS[number - 1]),
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

    fn set_level(&mut self, level: morpion_openapi::logger::LogLevel) {
        let view = self.logs.view_mut();
        let filter = logs::filter::Filter { level, ..view.filter().clone() };
        view.set_filter(filter);
    }

    fn set_mouse(&mut self, is_on: bool) -> Vec<Action> {
        self.options.has_mouse = is_on;
        let word = if is_on { "on" } else { "off: the terminal's own selection works again" };
        self.say(format!("The mouse is {word}."));
        vec![Action::SetMouse(is_on)]
    }

    /// A short word to the operator.
    fn say(&mut self, text: impl Into<String>) {
        self.toasts.add(Level::Warning, text.into(), self.now);
    }

    fn go(&mut self, tab: Tab) -> Vec<Action> {
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

    fn step(&mut self, by: isize) -> Vec<Action> {
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
    fn aside(&mut self, forward: bool) -> Vec<Action> {
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
                self.subscriptions.section = if forward { trail::Section::Events } else { trail::Section::Accounts };
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

    fn click(&mut self, target: Target) -> Vec<Action> {
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

    fn scroll(&mut self, by: isize) -> Vec<Action> {
        if self.dialog.is_some() || self.is_help_open { vec![] } else { self.step(by) }
    }

    fn type_filter(&mut self, key: KeyEvent) -> Vec<Action> {
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

    fn back(&mut self) -> Vec<Action> {
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
    fn open(&mut self) -> Vec<Action> {
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
                };
                id.map_or(vec![], |id| self.perform(dialog::Deed::OpenUser(id.to_string())))
            }
            _ => vec![],
        }
    }

    /// A game of a list: live ones are watched, the others replayed.
    fn open_listed(&mut self, game: &morpion_openapi::game::Game) -> Vec<Action> {
        use morpion_openapi::game::GameStatus;
        match game.status {
            GameStatus::Active | GameStatus::Waiting => self.watch_game(Watch::new(game)),
            GameStatus::Completed | GameStatus::Cancelled => self.perform(dialog::Deed::Replay(game.game_id)),
        }
    }

    fn watch_game(&mut self, mut watch: Watch) -> Vec<Action> {
        let ask = watch.ask(self.now);
        self.replay = None;
        let left = self.watch.replace(watch);
        left.map(|left| leave(left.game_id)).into_iter().chain([ask]).collect()
    }

    fn open_game(&mut self) -> Vec<Action> {
        let Some(game) = self.live_games.selected() else { return vec![] };
        let watch = Watch::new(game);
        self.watch_game(watch)
    }

    fn open_beside(&mut self, by: isize) -> Vec<Action> {
        let before = self.live_games.selected_id();
        let watched = self.watch.as_ref().map(|watch| watch.game_id);
        // A watched game that ended is no longer in the list; then its neighbour is chosen already.
        if before == watched {
            self.live_games.step(by);
        }
        if self.live_games.selected_id() == watched { vec![] } else { self.open_game() }
    }

    fn net(&mut self, news: NetEvent) -> Vec<Action> {
        match news {
            NetEvent::Connecting => {
                self.connection.connecting();
                vec![]
            }
            NetEvent::Connected => self.connected(),
            NetEvent::Disconnected { why, retry_in_ms } => {
                self.connection.lost(why, self.now + retry_in_ms);
                self.forget_asked();
                vec![]
            }
            NetEvent::Unauthorized { why, retry_in_ms } => {
                self.connection = Connection::Unauthorized { why, retry_at: self.now + retry_in_ms };
                self.forget_asked();
                vec![]
            }
            NetEvent::Frame(frame) => self.frame(*frame),
            NetEvent::Ack { id, ack } => self.ack(&id, ack),
            NetEvent::Unknown => {
                self.unknown_frames += 1;
                vec![]
            }
            NetEvent::Answered { call, outcome } => self.answered(call, outcome),
        }
    }

    fn connected(&mut self) -> Vec<Action> {
        let had_logs = self.tab == Tab::Logs || !self.logs.view().buffer.is_empty();
        self.connection = Connection::Connected;
        self.live_games.begin_sync();
        let mut actions = vec![Action::Send {
            frame: ClientFrame::SubscribeLiveGames(SubscribeLiveGames {}),
            id: Some(SUBSCRIBE_ID),
        }];
        let now = self.now;
        actions.extend(self.watch.as_mut().map(|watch| watch.ask(now)));
        if had_logs {
            actions.extend(self.logs.open());
        }
        self.expire_all();
        actions.extend(self.poll());
        actions
    }

    fn forget_asked(&mut self) {
        if let Some(watch) = &mut self.watch {
            watch.asked_at = None;
        }
        self.logs.lost();
    }

    fn ack(&mut self, id: &str, ack: Ack) -> Vec<Action> {
        let refused = (!ack.succeeded).then(|| ack.error_message.unwrap_or_else(|| "Request failed".to_owned()));
        match (id, refused) {
            (logs::SUBSCRIBE_ID, refused) => self.logs.subscribed(refused),
            // The game's own answer says the same, with the game's id.
            (SPECTATE_ID, _) => vec![],
            (_, Some(why)) => {
                self.live_games.end_sync();
                self.toasts.add(Level::Error, why, self.now);
                vec![]
            }
            (SUBSCRIBE_ID, None) if self.live_games.first_list_is_cut() => vec![answers::live_games_page(1)],
            (SUBSCRIBE_ID, None) => {
                self.live_games.end_sync();
                vec![]
            }
            _ => vec![],
        }
    }

    fn frame(&mut self, frame: ServerFrame) -> Vec<Action> {
        match frame {
            ServerFrame::LiveGamesChanged(changed) => {
                self.clock_offset = changed.server_time.as_millis() - self.now;
                self.live_games.merge(changed, self.now);
                vec![]
            }
            ServerFrame::LogAppended(entry) => {
                self.logs.appended(entry);
                vec![]
            }
            ServerFrame::EventStateChanged(_) => {
                self.events.fetch.expire();
                self.poll()
            }
            ServerFrame::RefreshLeaderboard(refresh) => {
                let id = refresh.event_id;
                if let Some(detail) = self.events.detail.as_mut().filter(|detail| detail.event.event_id == id) {
                    detail.participants_fetch.expire();
                }
                self.poll()
            }
            ServerFrame::ServerDraining(_) => {
                self.toasts.add(Level::Warning, "The server is restarting.".to_owned(), self.now);
                vec![]
            }
            // Its acknowledgement says the same, and then the store is asked instead.
            ServerFrame::Error(error) if error.event.as_deref() == Some("subscribeLogs") => vec![],
            ServerFrame::Error(error) => {
                self.toasts.add(Level::Error, error.message, self.now);
                vec![]
            }
            frame => {
                let now = self.now;
                let Some(watch) = &mut self.watch else { return vec![] };
                match watch.see(&frame, now) {
                    Seen::Gap if watch.asked_at.is_none() => vec![watch.ask(now)],
                    Seen::Gap | Seen::Taken | Seen::NotOurs => vec![],
                }
            }
        }
    }
}

fn leave(game_id: Uuid) -> Action {
    Action::Send { frame: ClientFrame::LeaveGameRoom(LeaveGameRoom { game_id, user_id: None }), id: None }
}

fn spectate(game_id: Uuid) -> Action {
    Action::Send { frame: ClientFrame::SpectateGame(SpectateGame { game_id }), id: Some(SPECTATE_ID) }
}
