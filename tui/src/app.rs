//! The console's state and the one function that changes it.

mod answers;
pub mod connection;
mod deeds;
pub mod dialog;
pub mod events;
pub mod fetch;
pub mod form;
pub mod input;
mod keys;
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

use crossterm::event::KeyEventKind;
use morpion_openapi::realtime::{Ack, ClientFrame, LeaveGameRoom, ServerFrame, SpectateGame, SubscribeLiveGames};
use uuid::Uuid;

use crate::{
    event::{Action, Event, NetEvent},
    keymap::Context,
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
                trail::Section::Standing => &mut self.subscriptions.standing,
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
            NetEvent::Answered { call, outcome } => self.answered(*call, outcome),
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
            ServerFrame::EventStateChanged(_) | ServerFrame::EventConcluded(_) => {
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
