//! The console's state and the one function that changes it.

mod dialogs;
pub mod keys;
pub mod own_commands;
mod palette;
mod replies;

use crossterm::event::KeyEventKind;
use morpion_openapi::{
    game::{Game, GameStatus},
    realtime::ServerFrame,
};

use crate::{
    actions::Action,
    connection::Connection,
    context::{Context, Options},
    dialog::{Dialog, TextDialog},
    event::{Effect, Event, NetEvent},
    kept::Opened,
    keymap::Keys,
    list::List,
    own_commands::Ran,
    pages::{
        replay::{self, Replay},
        watch::{self, FrameOutcome, SPECTATE_ID, Watch},
    },
    tabs::{self, Request, TabId, Tabs},
    toast::{Level, Toasts},
};

/// Everything that is drawn.
#[derive(Debug)]
pub struct App {
    pub context: Context,
    /// The tab that is shown.
    pub tab: TabId,
    pub tabs: Tabs,
    /// The game on the board, which covers the tab it was opened from.
    pub watch: Option<Watch>,
    /// The finished game on the board.
    pub replay: Option<Replay>,
    pub dialog: Option<Dialog>,
    pub is_help_open: bool,
    /// The first line of the help that is shown.
    pub help_from: u16,
    pub toasts: Toasts,
    /// Frames of kinds that this version does not know.
    pub unknown_frames: u64,
    /// Commands of the operator's own that run in the background.
    running: usize,
    /// The last one that has ended there.
    ended: Option<Ran>,
}

impl App {
    pub fn new(options: Options, size: (u16, u16), now: i64) -> Self {
        Self {
            context: Context::new(options, size, now),
            tab: TabId::Overview,
            tabs: Tabs::default(),
            watch: None,
            replay: None,
            dialog: None,
            is_help_open: false,
            help_from: 0,
            toasts: Toasts::default(),
            unknown_frames: 0,
            running: 0,
            ended: None,
        }
    }

    /// What is open, for the next start.
    pub fn opened(&self) -> Opened {
        let lists = self.tabs.iter().filter_map(|(_, tab)| Some((tab.title().to_owned(), tab.kept_list()?.kept())));
        Opened { at: self.context.now, tab: self.tabs.get(self.tab).title().to_owned(), lists: lists.collect() }
    }

    /// Opens what was open, before anything has happened.
    pub fn restore(&mut self, opened: &Opened) {
        let tab = self.tabs.iter().find(|(_, tab)| tab.title() == opened.tab).map(|(id, _)| id);
        self.tab = tab.unwrap_or(self.tab);
        let now = self.context.now;
        for (_, tab) in self.tabs.iter_mut() {
            let Some(kept) = opened.lists.get(tab.title()) else { continue };
            if let Some(list) = tab.kept_list_mut() {
                list.restore(kept);
                tab.filter_changed(now);
            }
        }
    }

    /// The active key tables, the most specific first.
    pub fn key_layers(&self) -> Vec<&'static Keys> {
        let own = match (&self.watch, &self.replay) {
            (Some(_), _) => &watch::KEYS,
            (None, Some(_)) => &replay::KEYS,
            (None, None) => self.tabs.get(self.tab).keys(),
        };
        own.layers(&tabs::NUMBERS)
    }

    /// The tabs that the header names.
    pub fn named_tabs(&self) -> impl Iterator<Item = TabId> {
        TabId::ALL.iter().copied().filter(|tab| *tab == self.tab || self.tabs.get(*tab).is_offered())
    }

    /// Whether a page covers the tabs.
    fn has_page(&self) -> bool {
        self.watch.is_some() || self.replay.is_some()
    }

    /// The list that keys move in.
    fn list(&self) -> Option<&dyn List> {
        if self.has_page() { None } else { self.tabs.get(self.tab).list() }
    }

    fn list_mut(&mut self) -> Option<&mut dyn List> {
        if self.has_page() { None } else { self.tabs.get_mut(self.tab).list_mut() }
    }

    /// Handles what happened at `now` (Unix milliseconds); returns the effects to carry out.
    pub fn update(&mut self, event: Event, now: i64) -> Vec<Effect> {
        self.context.now = now;
        match event {
            Event::Key(key) if key.kind != KeyEventKind::Release => self.key(key),
            Event::Key(_) => vec![],
            Event::Paste(text) => {
                self.paste(&text);
                vec![]
            }
            Event::Click(target) => self.click(target),
            Event::Scroll(by) => self.scroll(by),
            Event::Resize(columns, rows) => {
                self.context.size = (columns, rows);
                vec![]
            }
            Event::Tick => self.tick(),
            Event::Net(event) => self.net(event),
            Event::Saved(outcome) => {
                let (level, text) = match outcome {
                    Ok(text) => (Level::Done, text),
                    Err(text) => (Level::Error, text),
                };
                self.toasts.add(level, text, now);
                vec![]
            }
            Event::Ran(ran) => {
                self.ran(ran);
                vec![]
            }
            Event::Terminate | Event::Broken(_) => vec![Effect::Quit],
            Event::Suspend => vec![Effect::Suspend],
        }
    }

    fn tick(&mut self) -> Vec<Effect> {
        let now = self.context.now;
        self.toasts.expire(now);
        if let Some(replay) = &mut self.replay {
            replay.tick(now);
        }
        let context = &self.context;
        let mut effects: Vec<_> = self.tabs.iter_mut().flat_map(|(_, tab)| tab.tick(context)).collect();
        if self.context.connection.is_connected() {
            effects.extend(self.watch.as_mut().and_then(|watch| watch.ask_again(now)));
            effects.extend(self.poll());
        }
        effects
    }

    /// The calls that are due.
    fn poll(&mut self) -> Vec<Effect> {
        if !self.context.connection.is_connected() {
            return vec![];
        }
        let (shown, now) = (self.tab, self.context.now);
        self.tabs.iter_mut().flat_map(|(_, tab)| tab.poll(shown, now)).map(Effect::Call).collect()
    }

    fn net(&mut self, event: NetEvent) -> Vec<Effect> {
        let now = self.context.now;
        match event {
            NetEvent::Connecting => self.context.connection.connecting(),
            NetEvent::Connected => return self.connected(),
            NetEvent::Disconnected { why, retry_in_ms } => {
                self.context.connection.lost(why, now + retry_in_ms);
                self.disconnected();
            }
            NetEvent::Unauthorized { why, retry_in_ms } => {
                self.context.connection = Connection::Unauthorized { why, retry_at: now + retry_in_ms };
                self.disconnected();
            }
            NetEvent::Frame(frame) => return self.frame(frame),
            NetEvent::Ack { id, ack } => {
                let refused =
                    (!ack.succeeded).then(|| ack.error_message.unwrap_or_else(|| "Request failed".to_owned()));
                return self.acknowledged(&id, refused);
            }
            NetEvent::Unknown => self.unknown_frames += 1,
            NetEvent::Answered { call, outcome } => return self.answered(*call, outcome),
        }
        vec![]
    }

    fn connected(&mut self) -> Vec<Effect> {
        self.context.connection = Connection::Connected;
        let (shown, now) = (self.tab, self.context.now);
        let mut effects: Vec<_> = self.tabs.iter_mut().flat_map(|(id, tab)| tab.connected(id == shown)).collect();
        effects.extend(self.watch.as_mut().map(|watch| watch.ask(now)));
        self.expire();
        effects.extend(self.poll());
        effects
    }

    fn disconnected(&mut self) {
        if let Some(watch) = &mut self.watch {
            watch.asked_at = None;
        }
        self.tabs.iter_mut().for_each(|(_, tab)| tab.disconnected());
    }

    /// What is known is out of date: everything is due.
    fn expire(&mut self) {
        self.tabs.iter_mut().for_each(|(_, tab)| tab.expire());
    }

    fn acknowledged(&mut self, id: &str, refused: Option<String>) -> Vec<Effect> {
        // The frame that follows says the same, with the game's id.
        if id == SPECTATE_ID {
            return vec![];
        }
        let taken = self.tabs.iter_mut().find_map(|(_, tab)| tab.acknowledged(id, refused.as_deref()));
        match (taken, refused) {
            (Some(requests), _) => self.resolve(requests),
            (None, Some(why)) => {
                self.toasts.add(Level::Error, why, self.context.now);
                vec![]
            }
            (None, None) => vec![],
        }
    }

    fn frame(&mut self, frame: Box<ServerFrame>) -> Vec<Effect> {
        let now = self.context.now;
        if let ServerFrame::LiveGamesChanged(changed) = &*frame {
            self.context.clock_offset = changed.server_time.as_millis() - now;
        }
        let mut outcome = Err(frame);
        for (_, tab) in self.tabs.iter_mut() {
            outcome = outcome.or_else(|frame| tab.frame(frame, &self.context));
        }
        let frame = match outcome {
            Ok(requests) => return self.resolve(requests),
            Err(frame) => frame,
        };
        match *frame {
            ServerFrame::ServerDraining(_) => {
                self.toasts.add(Level::Warning, "The server is restarting.".to_owned(), now);
            }
            ServerFrame::Error(error) => self.toasts.add(Level::Error, error.message, now),
            frame => {
                if let Some(watch) = &mut self.watch
                    && watch.see(&frame, now) == FrameOutcome::Gap
                    && watch.asked_at.is_none()
                {
                    return vec![watch.ask(now)];
                }
            }
        }
        vec![]
    }

    /// Does what a tab asks for.
    fn resolve(&mut self, requests: Vec<Request>) -> Vec<Effect> {
        let mut effects = vec![];
        for request in requests {
            match request {
                Request::Effect(effect) => effects.push(effect),
                Request::Perform(action) => effects.extend(self.perform(action)),
                Request::OpenGame(game) => effects.extend(self.open_game(&game)),
                Request::Watch(game) => effects.extend(self.watch_game(Watch::new(&game))),
                Request::OpenDialog(dialog) => self.dialog = Some(dialog),
                Request::ShowTab(tab) => effects.extend(self.show(tab)),
                Request::Poll => effects.extend(self.poll()),
                Request::Toast(level, text) => self.toasts.add(level, text, self.context.now),
            }
        }
        effects
    }

    /// What the operator has to read, if there is anything.
    pub fn tell(&mut self, title: &str, lines: Vec<String>) {
        if !lines.is_empty() {
            self.dialog = Some(Dialog::Text(TextDialog::told(title, lines)));
        }
    }

    /// A short message to the operator.
    pub fn warn(&mut self, text: impl Into<String>) {
        self.toasts.add(Level::Warning, text.into(), self.context.now);
    }

    fn show(&mut self, tab: TabId) -> Vec<Effect> {
        self.tab = tab;
        self.is_help_open = false;
        self.replay = None;
        let mut effects: Vec<_> = self.watch.take().map(Watch::leave).into_iter().collect();
        if self.context.connection.is_connected() {
            effects.extend(self.tabs.get_mut(tab).shown());
            effects.extend(self.poll());
        }
        effects
    }

    /// A game of a list: live ones are watched, the others replayed.
    fn open_game(&mut self, game: &Game) -> Vec<Effect> {
        match game.status {
            GameStatus::Active | GameStatus::Waiting => self.watch_game(Watch::new(game)),
            GameStatus::Completed | GameStatus::Cancelled => self.perform(Action::Replay(game.game_id)),
        }
    }

    fn watch_game(&mut self, mut watch: Watch) -> Vec<Effect> {
        let ask = watch.ask(self.context.now);
        self.replay = None;
        let left = self.watch.replace(watch);
        left.map(Watch::leave).into_iter().chain([ask]).collect()
    }
}
