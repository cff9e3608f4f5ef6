//! The console's state and the one function that changes it.

pub mod connection;
pub mod live_games;
pub mod toast;
pub mod watch;

use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use morpion_openapi::realtime::{Ack, ClientFrame, LeaveGameRoom, ServerFrame, SpectateGame, SubscribeLiveGames};
use uuid::Uuid;

use crate::{
    event::{Action, Event, NetEvent},
    keymap::{self, Command, Context},
};
use connection::Connection;
use live_games::LiveGames;
use toast::{Level, Toasts};
use watch::{Seen, Watch};

/// Answers are matched to what was asked by these.
const SUBSCRIBE_ID: &str = "live-games";
const SPECTATE_ID: &str = "spectate";

/// A state that was asked for and did not come is asked for again after this long.
const RESYNC_AGAIN_MS: i64 = 3_000;

/// Games that PgDn and PgUp go past.
const PAGE: isize = 10;

/// The parts of the console that one can switch between. Drawn as tabs once there are two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tab {
    Games,
}

impl Tab {
    pub const ALL: &'static [Self] = &[Self::Games];

    pub fn title(self) -> &'static str {
        match self {
            Self::Games => "Live games",
        }
    }
}

/// Everything that is drawn.
#[derive(Debug)]
pub struct App {
    pub server_name: String,
    pub tab: Tab,
    pub connection: Connection,
    pub live_games: LiveGames,
    /// The game on the board; the table lies under it.
    pub watch: Option<Watch>,
    pub is_help_open: bool,
    pub toasts: Toasts,
    /// Columns and rows.
    pub size: (u16, u16),
    /// This machine's clock, Unix milliseconds.
    pub now: i64,
    /// Frames of kinds that this version does not know.
    pub unknown_frames: u64,
}

impl App {
    pub fn new(server_name: String, size: (u16, u16), now: i64) -> Self {
        Self {
            server_name,
            tab: Tab::Games,
            connection: Connection::default(),
            live_games: LiveGames::default(),
            watch: None,
            is_help_open: false,
            toasts: Toasts::default(),
            size,
            now,
            unknown_frames: 0,
        }
    }

    /// Where keys are read for.
    pub fn context(&self) -> Context {
        if self.watch.is_some() { Context::Board } else { Context::Games }
    }

    /// Takes in what happened at `now` (Unix milliseconds); answers with what is to be done.
    pub fn update(&mut self, event: Event, now: i64) -> Vec<Action> {
        self.now = now;
        match event {
            Event::Key(key) if key.kind != KeyEventKind::Release => self.key(key),
            Event::Key(_) => vec![],
            Event::Resize(columns, rows) => {
                self.size = (columns, rows);
                vec![]
            }
            Event::Tick => self.tick(),
            Event::Net(news) => self.net(news),
            Event::Terminate | Event::Broken(_) => vec![Action::Quit],
            Event::Suspend => vec![Action::Suspend],
        }
    }

    fn tick(&mut self) -> Vec<Action> {
        self.toasts.expire(self.now);
        let now = self.now;
        match &mut self.watch {
            Some(watch)
                if self.connection.is_connected() && watch.asked_at.is_some_and(|at| now - at >= RESYNC_AGAIN_MS) =>
            {
                vec![watch.ask(now)]
            }
            _ => vec![],
        }
    }

    fn key(&mut self, key: KeyEvent) -> Vec<Action> {
        if self.live_games.is_typing && self.watch.is_none() && !self.is_help_open {
            return self.type_filter(key);
        }
        let Some(command) = keymap::command(self.context(), key) else { return vec![] };
        match command {
            Command::Quit => return vec![Action::Quit],
            Command::Suspend => return vec![Action::Suspend],
            Command::Help => self.is_help_open = !self.is_help_open,
            Command::Reconnect if !self.connection.is_connected() => return vec![Action::Reconnect],
            Command::Back => return self.back(),
            _ if self.is_help_open => {}
            Command::Reconnect => {}
            Command::Down => self.live_games.step(1),
            Command::Up => self.live_games.step(-1),
            Command::PageDown => self.live_games.step(PAGE),
            Command::PageUp => self.live_games.step(-PAGE),
            Command::First => self.live_games.step(isize::MIN),
            Command::Last => self.live_games.step(isize::MAX),
            Command::Filter => self.live_games.is_typing = true,
            Command::Sort => self.live_games.sort_by_next(),
            Command::Reverse => self.live_games.reverse(),
            Command::Open => return self.open(),
            Command::NextGame => return self.open_beside(1),
            Command::PreviousGame => return self.open_beside(-1),
        }
        vec![]
    }

    fn type_filter(&mut self, key: KeyEvent) -> Vec<Action> {
        let has_modifier = key.modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT);
        match key.code {
            KeyCode::Char('c') if key.modifiers.contains(KeyModifiers::CONTROL) => return vec![Action::Quit],
            KeyCode::Char('u') if key.modifiers.contains(KeyModifiers::CONTROL) => {
                self.live_games.set_filter(String::new())
            }
            KeyCode::Enter => self.live_games.is_typing = false,
            KeyCode::Esc => {
                self.live_games.is_typing = false;
                self.live_games.set_filter(String::new());
            }
            KeyCode::Up => self.live_games.step(-1),
            KeyCode::Down => self.live_games.step(1),
            KeyCode::Backspace => {
                let mut filter = self.live_games.filter.clone();
                filter.pop();
                self.live_games.set_filter(filter);
            }
            KeyCode::Char(char) if !has_modifier => {
                let filter = format!("{}{char}", self.live_games.filter);
                self.live_games.set_filter(filter);
            }
            _ => {}
        }
        vec![]
    }

    fn back(&mut self) -> Vec<Action> {
        if self.is_help_open {
            self.is_help_open = false;
        } else if let Some(watch) = self.watch.take() {
            return vec![leave(watch.game_id)];
        } else {
            self.live_games.set_filter(String::new());
        }
        vec![]
    }

    fn open(&mut self) -> Vec<Action> {
        let Some(game) = self.live_games.selected() else { return vec![] };
        let mut watch = Watch::new(game);
        let ask = watch.ask(self.now);
        let left = self.watch.replace(watch);
        left.map(|left| leave(left.game_id)).into_iter().chain([ask]).collect()
    }

    fn open_beside(&mut self, by: isize) -> Vec<Action> {
        let before = self.live_games.selected_id();
        let watched = self.watch.as_ref().map(|watch| watch.game_id);
        // A watched game that ended is no longer in the list; then its neighbour is chosen already.
        if before == watched {
            self.live_games.step(by);
        }
        if self.live_games.selected_id() == watched { vec![] } else { self.open() }
    }

    fn net(&mut self, news: NetEvent) -> Vec<Action> {
        match news {
            NetEvent::Connecting => {
                self.connection.connecting();
                vec![]
            }
            NetEvent::Connected => {
                self.connection = Connection::Connected;
                self.live_games.begin_sync();
                let mut actions = vec![Action::Send {
                    frame: ClientFrame::SubscribeLiveGames(SubscribeLiveGames {}),
                    id: Some(SUBSCRIBE_ID),
                }];
                let now = self.now;
                actions.extend(self.watch.as_mut().map(|watch| watch.ask(now)));
                actions
            }
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
            NetEvent::LiveGamesPage { page, outcome } => match outcome {
                Ok(answer) => {
                    let has_more = answer.pagination.has_next_page;
                    self.live_games.merge_page(answer.games);
                    if has_more && !self.live_games.is_full() {
                        return vec![Action::FetchLiveGames { page: page + 1 }];
                    }
                    self.live_games.end_sync();
                    vec![]
                }
                Err(error) => {
                    self.live_games.end_sync();
                    self.toasts.add(Level::Error, format!("Not all live games are listed. {error}"), self.now);
                    vec![]
                }
            },
        }
    }

    fn forget_asked(&mut self) {
        if let Some(watch) = &mut self.watch {
            watch.asked_at = None;
        }
    }

    fn ack(&mut self, id: &str, ack: Ack) -> Vec<Action> {
        if !ack.succeeded {
            let why = ack.error_message.unwrap_or_else(|| "Request failed".to_owned());
            if id == SPECTATE_ID {
                // The game's own answer says the same, with the game's id.
                return vec![];
            }
            self.live_games.end_sync();
            self.toasts.add(Level::Error, why, self.now);
        } else if id == SUBSCRIBE_ID {
            if self.live_games.first_list_is_cut() {
                return vec![Action::FetchLiveGames { page: 1 }];
            }
            self.live_games.end_sync();
        }
        vec![]
    }

    fn frame(&mut self, frame: ServerFrame) -> Vec<Action> {
        match frame {
            ServerFrame::LiveGamesChanged(changed) => {
                self.live_games.merge(changed, self.now);
                vec![]
            }
            ServerFrame::ServerDraining(_) => {
                self.toasts.add(Level::Warning, "The server is restarting.".to_owned(), self.now);
                vec![]
            }
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
