//! The log: followed live, caught up after a lost connection, scrolled back as far as the server's retention.

mod menus;
mod record_view;
mod scope;
mod sync;
mod view;

use crossterm::event::KeyCode;
use morpion_openapi::{
    logger::{ClearLogs, GetLogStats, LogFilter, LogLevel},
    realtime::ServerFrame,
};
use morpion_shell::command_error::CommandError;
use ratatui::{Frame, layout::Rect};

use super::{CommandLine, Request, Tab, TabId, TypedOutcome};
use crate::{
    actions::Action,
    calls::{Call, Reply},
    context::Context,
    dialog::{
        Dialog, InputPurpose,
        confirm::ConfirmDialog,
        menu::Menu,
        palette::{Argument, PaletteCommand, command},
    },
    event::Effect,
    hit_testing::ClickTargets,
    keymap::{KeyAction, Keys, bind, char, key},
    list::List,
    log::{
        NO_FILTER,
        filter::{Filter, Search, Window},
        line,
    },
    theme::Theme,
};
pub use sync::{Following, Logs};

#[rustfmt::skip] // One row a line.
const KEYS: Keys = Keys { title: "Logs", has_list: true, bindings: &[
    bind(&[char('l')], KeyAction::Levels, "which levels are shown", "level"),
    bind(&[char('+'), char('=')], KeyAction::MoreLevels, "one level more", ""),
    bind(&[char('-')], KeyAction::FewerLevels, "one level less", ""),
    bind(&[char(' ')], KeyAction::Follow, "hold still, or follow again", "hold"),
    bind(&[char('v')], KeyAction::Service, "one part of the program only", ""),
    bind(&[char('t')], KeyAction::Window, "a time window", "time"),
    bind(&[char('!')], KeyAction::Invert, "turn the search around", ""),
    bind(&[char('w')], KeyAction::Wrap, "wrap long lines, or cut them", "wrap"),
    bind(&[key(KeyCode::Enter)], KeyAction::Open, "the chosen record in full", ""),
    bind(&[char('a')], KeyAction::Menu, "all of its request, user, session, game", "act"),
    bind(&[char('c')], KeyAction::Copy, "copy it to the clipboard", ""),
    bind(&[char('o')], KeyAction::Save, "save what is shown to a file", ""),
]};

#[rustfmt::skip] // One row a line.
const RECORD_KEYS: Keys = Keys { title: "Log record", has_list: false, bindings: &[
    bind(&[char('j'), key(KeyCode::Down)], KeyAction::Down, "scroll down", ""),
    bind(&[char('k'), key(KeyCode::Up)], KeyAction::Up, "scroll up", ""),
    bind(&[char('n'), key(KeyCode::Right)], KeyAction::Right, "the next record", "next"),
    bind(&[char('p'), key(KeyCode::Left)], KeyAction::Left, "the one before", "previous"),
    bind(&[char('a')], KeyAction::Menu, "all of its request, user, session, game", "act"),
    bind(&[char('c')], KeyAction::Copy, "copy it to the clipboard", "copy"),
]};

#[rustfmt::skip] // One row a line.
const COMMANDS: &[PaletteCommand] = &[
    command("logs", Argument::None, "the log"),
    command("level", Argument::Level, "the mildest level shown in the log"),
    command("service", Argument::Service, "one part of the program only"),
    command("search", Argument::Text, "search the log: a regular expression, ! for the inverse"),
    command("since", Argument::Text, "a time window of the log: 15m, or 20:00 21:30"),
    command("request", Argument::Text, "the log of one request"),
    command("follow", Argument::None, "follow the log"),
    command("wrap", Argument::Switch, "wrap long lines of the log"),
    command("save", Argument::Text, "save the shown records to a file"),
    command("clear-logs", Argument::None, "clear the server's log"),
];

/// Counting a day's records costs the server more than other figures.
const STATS_POLL_MS: i64 = 15_000;

impl Logs {
    fn set_level(&mut self, level: LogLevel) {
        let view = self.view_mut();
        let filter = Filter { level, ..view.filter().clone() };
        view.set_filter(filter);
    }

    fn set_service(&mut self, service: Option<String>) {
        let view = self.view_mut();
        let filter = Filter { service, ..view.filter().clone() };
        view.set_filter(filter);
    }

    fn set_window(&mut self, window: Window) {
        let view = self.view_mut();
        let filter = Filter { window, ..view.filter().clone() };
        view.set_filter(filter);
    }

    fn save(&self, path: &str) -> Result<Vec<Request>, String> {
        if path.is_empty() {
            return Err("Please enter a file name.".to_owned());
        }
        let as_json = path.ends_with(".ndjson") || path.ends_with(".json");
        Ok(vec![Request::Effect(Effect::Save { path: path.to_owned(), text: self.export(as_json) })])
    }

    fn confirm_clear() -> ConfirmDialog {
        let lines = vec![
            "All log records on the server are deleted, for everybody. The files in its log folder are kept."
                .to_owned(),
        ];
        ConfirmDialog::new("Clear the server's log?", lines, "The log is cleared.")
            .step("the log", ClearLogs { before: None })
    }
}

impl Tab for Logs {
    fn title(&self) -> &'static str {
        "Logs"
    }

    fn keys(&self) -> &'static Keys {
        if self.detail.is_some() { &RECORD_KEYS } else { &KEYS }
    }

    fn modes(&self) -> &'static [&'static Keys] {
        &[&KEYS, &RECORD_KEYS]
    }

    fn commands(&self) -> &'static [PaletteCommand] {
        COMMANDS
    }

    fn run(&mut self, line: CommandLine<'_>, context: &Context) -> Result<Vec<Request>, String> {
        let mut requests = vec![];
        match line.name {
            "logs" => {
                self.scope = None;
                self.detail = None;
            }
            "level" => self.set_level(line.one_of(LogLevel::ALL)?),
            "service" => {
                let service = Some(line.argument.to_owned()).filter(|name| !name.is_empty() && name != "all");
                self.set_service(service);
            }
            "search" => {
                Search::parse(line.argument)?;
                self.set_filter(line.argument.to_owned());
            }
            "since" => self.set_window(Window::parse(line.argument, context.server_now())?),
            "request" => {
                let request = line.required("a request's id")?.to_owned();
                let title = format!("Request {request}");
                let filter = Box::new(LogFilter { request_id: Some(request), ..NO_FILTER });
                return Ok(vec![Request::Perform(Action::OpenLogScope { title, filter })]);
            }
            "follow" => self.view_mut().set_following(true),
            "wrap" => {
                self.wraps = line.switch(self.wraps)?;
                return Ok(vec![]);
            }
            "save" if line.argument.is_empty() => return Ok(vec![Request::Perform(Action::SaveLogs)]),
            "save" => return self.save(line.argument),
            _ => return Ok(vec![Request::Perform(Action::ClearLogs)]),
        }
        requests.push(Request::ShowTab(TabId::Logs));
        Ok(requests)
    }

    fn suggestions(&self, argument: Argument) -> Vec<String> {
        match argument {
            Argument::Level => LogLevel::ALL.iter().map(ToString::to_string).collect(),
            Argument::Service => std::iter::once("all".to_owned()).chain(self.service_names()).collect(),
            _ => vec![],
        }
    }

    fn typed(&mut self, purpose: InputPurpose, text: &str, context: &Context) -> Option<TypedOutcome> {
        match purpose {
            InputPurpose::SaveLogs => Some(self.save(text)),
            InputPurpose::LogWindow => Some(Window::parse(text, context.server_now()).map(|window| {
                self.set_window(window);
                vec![]
            })),
            InputPurpose::GrantPro => None,
        }
    }

    fn list(&self) -> Option<&dyn List> {
        if self.detail.is_some() { None } else { Some(self) }
    }

    fn list_mut(&mut self) -> Option<&mut dyn List> {
        if self.detail.is_some() { None } else { Some(self) }
    }

    fn kept_list(&self) -> Option<&dyn List> {
        Some(self)
    }

    fn kept_list_mut(&mut self) -> Option<&mut dyn List> {
        Some(self)
    }

    fn step(&mut self, by: isize, _context: &Context) -> Vec<Request> {
        if let Some(line) = &mut self.detail {
            *line = line.saturating_add_signed(by.signum() as i16);
            return vec![];
        }
        let is_oldest = self.view_mut().step(by);
        if by < 0 && is_oldest { self.older().into_iter().map(Request::Effect).collect() } else { vec![] }
    }

    fn key(&mut self, action: KeyAction, _context: &Context) -> Vec<Request> {
        let request = match action {
            KeyAction::Left | KeyAction::Right => {
                self.detail = Some(0);
                self.view_mut().step(if action == KeyAction::Right { 1 } else { -1 });
                return vec![Request::Poll];
            }
            KeyAction::Open => {
                if self.view().chosen().is_some() {
                    self.view_mut().set_following(false);
                    self.detail = Some(0);
                }
                return vec![];
            }
            KeyAction::MoreLevels => {
                self.step_level(1);
                return vec![];
            }
            KeyAction::FewerLevels => {
                self.step_level(-1);
                return vec![];
            }
            KeyAction::Invert => {
                self.view_mut().invert();
                return vec![];
            }
            KeyAction::Wrap => {
                self.wraps = !self.wraps;
                return vec![];
            }
            KeyAction::Follow => {
                let view = self.view_mut();
                view.set_following(!view.is_following());
                return vec![];
            }
            KeyAction::Levels => Request::OpenDialog(Dialog::Menu(self.level_menu())),
            KeyAction::Service => Request::OpenDialog(Dialog::Menu(self.service_menu())),
            KeyAction::Window => Request::OpenDialog(Dialog::Menu(Self::window_menu())),
            KeyAction::Save => Request::Perform(Action::SaveLogs),
            KeyAction::Copy => {
                let Some(text) = self.view().chosen().map(line) else { return vec![] };
                Request::Perform(Action::Copy(text))
            }
            _ => return vec![],
        };
        vec![request]
    }

    fn back(&mut self, _now: i64) {
        if self.detail.is_some() {
            self.detail = None;
        } else if !self.view().typed.is_empty() {
            self.set_filter(String::new());
        } else if self.scope.is_some() {
            self.scope = None;
        } else {
            self.view_mut().set_filter(Filter::default());
        }
    }

    fn menu(&self) -> Option<Menu> {
        Some(self.record_menu())
    }

    fn perform(&mut self, action: Action, context: &Context) -> Result<Vec<Request>, Action> {
        match action {
            Action::OpenLogScope { title, filter } => {
                let calls = self.open_scope(title, *filter).into_iter().map(Request::Effect);
                return Ok(std::iter::once(Request::ShowTab(TabId::Logs)).chain(calls).collect());
            }
            Action::SaveLogs => return Ok(vec![Request::OpenDialog(Dialog::Input(self.save_dialog(context)))]),
            Action::ClearLogs => return Ok(vec![Request::OpenDialog(Dialog::Confirm(Self::confirm_clear()))]),
            Action::AskLogWindow => return Ok(vec![Request::OpenDialog(Dialog::Input(Self::window_dialog()))]),
            Action::SetLogLevel(level) => self.set_level(level),
            Action::SetLogService(service) => self.set_service(service),
            Action::SetLogWindow(window) => self.set_window(window),
            other => return Err(other),
        }
        Ok(vec![])
    }

    fn shown(&mut self) -> Vec<Effect> {
        self.open()
    }

    fn tick(&mut self, context: &Context) -> Vec<Effect> {
        self.advance(context.now, context.server_now())
    }

    fn poll(&mut self, shown: TabId, now: i64) -> Vec<Call> {
        // The overview shows them too.
        let is_shown = matches!(shown, TabId::Overview | TabId::Logs);
        if is_shown && self.stats_fetch.is_due(STATS_POLL_MS, now) { vec![GetLogStats {}.into()] } else { vec![] }
    }

    fn expire(&mut self) {
        self.stats_fetch.expire();
    }

    fn refresh(&mut self) -> bool {
        let follows = self.detail.is_none() && !self.view().is_following();
        if follows {
            self.view_mut().set_following(true);
        }
        follows
    }

    fn connected(&mut self, is_shown: bool) -> Vec<Effect> {
        if is_shown || !self.view().buffer.is_empty() { self.open() } else { vec![] }
    }

    fn disconnected(&mut self) {
        self.lost();
    }

    fn acknowledged(&mut self, id: &str, refused: Option<&str>) -> Option<Vec<Request>> {
        if id != sync::SUBSCRIBE_ID {
            return None;
        }
        Some(self.subscribed(refused.is_some()).into_iter().map(Request::Effect).collect())
    }

    fn frame(&mut self, frame: Box<ServerFrame>, _context: &Context) -> Result<Vec<Request>, Box<ServerFrame>> {
        match *frame {
            ServerFrame::LogAppended(entry) => self.appended(entry),
            // Its acknowledgement says the same, and then the store is asked instead.
            ServerFrame::Error(error) if error.event.as_deref() == Some("subscribeLogs") => {}
            other => return Err(Box::new(other)),
        }
        Ok(vec![])
    }

    fn replied(&mut self, call: &Call, reply: &Reply, context: &Context) -> Vec<Request> {
        match (call, reply) {
            (_, Reply::GetLogStats(answer)) => {
                self.stats = Some(answer.data.clone());
                self.stats_fetch.succeeded(context.now);
            }
            (Call::GetLogs(call), Reply::GetLogs(answer)) => {
                let effects = self.page_answered(call, Ok(answer.data.clone()), context.now);
                return effects.into_iter().map(Request::Effect).collect();
            }
            (_, Reply::ClearLogs(_)) => {
                self.cleared();
                self.stats_fetch.expire();
            }
            _ => {}
        }
        vec![]
    }

    fn refused(&mut self, call: &Call, refusal: &CommandError, context: &Context) -> Option<Vec<Request>> {
        match call {
            Call::GetLogStats(_) => {
                self.stats_fetch.failed(refusal.clone(), context.now);
                Some(vec![])
            }
            Call::GetLogs(call) => {
                let effects = self.page_answered(call, Err(refusal.clone()), context.now);
                Some(effects.into_iter().map(Request::Effect).collect())
            }
            _ => None,
        }
    }

    fn draw(&self, frame: &mut Frame, area: Rect, context: &Context, theme: &Theme, targets: &mut ClickTargets) {
        view::draw(frame, area, self, context, theme, targets);
    }
}
