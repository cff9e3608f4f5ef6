//! The server's health: its last figures, their course over the last minutes and the last hour, and its backups.

mod backups;
mod hour;
mod scale;
mod view;

use std::collections::VecDeque;

use crossterm::event::KeyCode;
use morpion_openapi::{
    admin::{self, HistorySample, OverviewAnswer},
    logger::LogStats,
};
use morpion_shell::command_error::CommandError;
use ratatui::{Frame, layout::Rect};

use super::{CommandLine, Request, Tab, TabId};
use crate::{
    actions::Action,
    calls::{Call, Reply},
    context::Context,
    dialog::{
        Dialog,
        menu::Menu,
        palette::{Argument, PaletteCommand, command},
    },
    fetch::Fetch,
    hit_testing::ClickTargets,
    keymap::{KeyAction, Keys, bind, char, key},
    list::{List, Row},
    own_commands::Target,
    theme::Theme,
    widgets::text::{count, number},
};
use backups::{Backups, Section};
pub use scale::size;

#[rustfmt::skip] // One row a line.
const KEYS: Keys = Keys { title: "Overview", has_list: false, bindings: &[
    bind(&[char('h')], KeyAction::Hour, "the last hour as charts", "hour"),
    bind(&[char('b')], KeyAction::Backups, "the backups", "backups"),
]};

#[rustfmt::skip] // One row a line.
const HOUR_KEYS: Keys = Keys { title: "The last hour", has_list: false, bindings: &[
    bind(&[char('h')], KeyAction::Hour, "back to the present figures", "now"),
    bind(&[key(KeyCode::Right), char('n')], KeyAction::Right, "the next chart, where not all fit", "next"),
    bind(&[key(KeyCode::Left), char('p')], KeyAction::Left, "the chart before", "previous"),
    bind(&[char('b')], KeyAction::Backups, "the backups", "backups"),
]};

/// Asked this often while it is shown; each is one small answer.
const POLL_MS: i64 = 2_000;
/// The server adds a sample every ten seconds.
const POLL_HISTORY_MS: i64 = 10_000;
/// For the mark on its tab, while another tab is shown.
const POLL_HIDDEN_MS: i64 = 15_000;

/// Samples kept: four minutes at one every two seconds, as many as a wide terminal shows.
pub const SAMPLES: usize = 120;
/// A queue of the store that is this long is worth a look: it is empty between two commits.
const LONG_QUEUE: u64 = 1_000;
/// Errors among all records, from which on something is wrong.
const BAD_ERROR_RATE: f64 = 0.05;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sample {
    pub connections: u64,
    pub live_games: u64,
    pub pending: u64,
    /// Moves since the sample before, a second.
    pub moves_per_second: f64,
}

/// How urgent something is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Urgency {
    /// Players feel it now.
    Bad,
    Warning,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attention {
    pub urgency: Urgency,
    pub text: String,
}

/// What the tab shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Mode {
    #[default]
    Now,
    /// The charts of the last hour.
    Hour,
    Backups,
}

#[derive(Debug, Default)]
pub struct Overview {
    pub fetch: Fetch,
    pub answer: Option<OverviewAnswer>,
    pub samples: VecDeque<Sample>,
    /// The server's own samples of the last hour.
    history: Vec<HistorySample>,
    history_fetch: Fetch,
    mode: Mode,
    /// The chart that comes first where not all fit, counted from 0.
    first_chart: usize,
    pub backups: Backups,
    /// What the Logs tab asks for (see [`super::logs`]).
    log_stats: Option<LogStats>,
    log_stats_failure: Option<CommandError>,
}

impl Overview {
    pub fn take(&mut self, answer: OverviewAnswer, now: i64) {
        let moves_per_second = match &self.answer {
            // A restarted server counts from zero again.
            Some(before) if before.started_at == answer.started_at => {
                let millis = answer.server_time.as_millis() - before.server_time.as_millis();
                let moves = answer.moves.saturating_sub(before.moves);
                if millis > 0 { moves as f64 * 1_000.0 / millis as f64 } else { 0.0 }
            }
            _ => 0.0,
        };
        if self.samples.len() == SAMPLES {
            self.samples.pop_front();
        }
        self.samples.push_back(Sample {
            connections: answer.connections,
            live_games: answer.live_games,
            pending: answer.store.pending,
            moves_per_second,
        });
        if let Some(before) = &self.answer {
            self.backups.status_changed(&before.backup, &answer.backup);
        }
        self.answer = Some(answer);
        self.fetch.succeeded(now);
    }

    /// Shows something, or the figures if it is shown already.
    fn toggle(&mut self, mode: Mode) {
        self.mode = if self.mode == mode { Mode::Now } else { mode };
    }

    fn turn(&mut self, forward: bool) {
        match self.mode {
            Mode::Now => {}
            Mode::Hour => {
                let by = if forward { 1 } else { hour::COUNT - 1 };
                self.first_chart = (self.first_chart + by) % hour::COUNT;
            }
            Mode::Backups => self.backups.turn(forward),
        }
    }

    /// What needs attention, the most urgent first.
    pub fn attention(&self, log_stats: Option<&LogStats>) -> Vec<Attention> {
        let mut all = vec![];
        let mut add = |urgency, text| all.push(Attention { urgency, text });
        if let Some(answer) = &self.answer {
            let urgency = if answer.store.ready { Urgency::Warning } else { Urgency::Bad };
            answer.warnings.iter().for_each(|warning| add(urgency, warning.clone()));
            if !answer.store.ready && answer.warnings.is_empty() {
                add(Urgency::Bad, "The store does not answer.".to_owned());
            }
            if answer.open_reports > 0 {
                let verb = if answer.open_reports == 1 { "waits" } else { "wait" };
                add(Urgency::Warning, format!("{} {verb} for a decision.", count(answer.open_reports, "open report")));
            }
            if answer.store.pending >= LONG_QUEUE {
                add(Urgency::Bad, format!("{} moves wait for the store.", number(answer.store.pending)));
            }
        }
        if let Some(stats) = log_stats {
            let recent = &stats.recent_activity;
            if recent.error_rate >= BAD_ERROR_RATE && recent.last_24_hours > 0 {
                let percent = recent.error_rate * 100.0;
                add(Urgency::Warning, format!("{percent:.0} % of the records of the last 24 hours are errors."));
            }
            if stats.dropped > 0 {
                add(Urgency::Warning, format!("{} log records found no room and were dropped.", number(stats.dropped)));
            }
        }
        all.sort_by_key(|attention| attention.urgency);
        all
    }
}

impl Tab for Overview {
    fn title(&self) -> &'static str {
        "Overview"
    }

    fn keys(&self) -> &'static Keys {
        match self.mode {
            Mode::Now => &KEYS,
            Mode::Hour => &HOUR_KEYS,
            Mode::Backups => self.backups.keys(),
        }
    }

    fn modes(&self) -> &'static [&'static Keys] {
        &[&KEYS, &HOUR_KEYS, &backups::KEYS, &backups::STATUS_KEYS]
    }

    fn commands(&self) -> &'static [PaletteCommand] {
        const {
            &[
                command("overview", Argument::None, "how the server is"),
                command("hour", Argument::None, "the last hour as charts"),
                command("backups", Argument::None, "the backups"),
            ]
        }
    }

    fn run(&mut self, line: CommandLine<'_>, _context: &Context) -> Result<Vec<Request>, String> {
        self.mode = match line.name {
            "hour" => Mode::Hour,
            "backups" => Mode::Backups,
            _ => Mode::Now,
        };
        Ok(vec![Request::ShowTab(TabId::Overview)])
    }

    fn list(&self) -> Option<&dyn List> {
        let is_shown = self.mode == Mode::Backups && self.backups.section == Section::List;
        is_shown.then_some(&self.backups.table as &dyn List)
    }

    fn list_mut(&mut self) -> Option<&mut dyn List> {
        let is_shown = self.mode == Mode::Backups && self.backups.section == Section::List;
        is_shown.then_some(&mut self.backups.table as &mut dyn List)
    }

    fn kept_list(&self) -> Option<&dyn List> {
        Some(&self.backups.table)
    }

    fn kept_list_mut(&mut self) -> Option<&mut dyn List> {
        Some(&mut self.backups.table)
    }

    fn target(&self) -> Option<Target> {
        let backup = self.backups.table.chosen().filter(|_| self.mode == Mode::Backups)?.key();
        Some(Target::new(&backup, &backup))
    }

    fn step(&mut self, by: isize, context: &Context) -> Vec<Request> {
        if self.mode == Mode::Backups {
            let last = backups::last_start(self, context);
            self.backups.step(by, last);
        }
        vec![]
    }

    fn key(&mut self, action: KeyAction, _context: &Context) -> Vec<Request> {
        match action {
            KeyAction::Hour => self.toggle(Mode::Hour),
            KeyAction::Backups => self.toggle(Mode::Backups),
            KeyAction::Left | KeyAction::Right => self.turn(action == KeyAction::Right),
            KeyAction::Open => return self.backups.open(),
            KeyAction::New => return vec![Request::Perform(Action::CreateBackup)],
            _ => {}
        }
        vec![Request::Poll]
    }

    fn back(&mut self, _now: i64) {
        if self.mode != Mode::Backups || self.backups.back() {
            self.mode = Mode::Now;
        }
    }

    fn menu(&self) -> Option<Menu> {
        (self.mode == Mode::Backups).then(|| self.backups.menu())
    }

    fn perform(&mut self, action: Action, _context: &Context) -> Result<Vec<Request>, Action> {
        let dialog = match action {
            Action::CreateBackup => backups::confirm_creation(),
            Action::VerifyBackup(backup_id) => self.backups.confirm_verification(backup_id),
            other => return Err(other),
        };
        Ok(vec![Request::OpenDialog(Dialog::Confirm(dialog))])
    }

    fn poll(&mut self, shown: TabId, now: i64) -> Vec<Call> {
        let every = if shown == TabId::Overview { POLL_MS } else { POLL_HIDDEN_MS };
        let mut calls = vec![];
        if self.fetch.is_due(every, now) {
            calls.push(admin::Overview {}.into());
        }
        if shown == TabId::Overview && self.history_fetch.is_due(POLL_HISTORY_MS, now) {
            calls.push(admin::History {}.into());
        }
        if shown == TabId::Overview && self.mode == Mode::Backups {
            calls.extend(self.backups.poll(now));
        }
        calls
    }

    fn expire(&mut self) {
        self.fetch.expire();
        self.history_fetch.expire();
        self.backups.fetch.expire();
    }

    fn replied(&mut self, _call: &Call, reply: &Reply, context: &Context) -> Vec<Request> {
        match reply {
            Reply::Overview(answer) => self.take(answer.clone(), context.now),
            Reply::History(answer) => {
                self.history.clone_from(&answer.samples);
                self.history_fetch.succeeded(context.now);
            }
            Reply::ListBackups(answer) => self.backups.take(answer, context.now),
            Reply::CreateBackup(_) | Reply::VerifyBackup(_) => {
                // It is under way.
                self.fetch.expire();
                return vec![Request::Poll];
            }
            Reply::GetLogStats(answer) => {
                self.log_stats = Some(answer.data.clone());
                self.log_stats_failure = None;
            }
            _ => {}
        }
        vec![]
    }

    fn refused(&mut self, call: &Call, refusal: &CommandError, context: &Context) -> Option<Vec<Request>> {
        match call {
            Call::Overview(_) => self.fetch.failed(refusal.clone(), context.now),
            Call::History(_) => self.history_fetch.failed(refusal.clone(), context.now),
            Call::ListBackups(_) => self.backups.fetch.failed(refusal.clone(), context.now),
            Call::GetLogStats(_) => self.log_stats_failure = Some(refusal.clone()),
            _ => return None,
        }
        Some(vec![])
    }

    fn needs_attention(&self) -> bool {
        !self.attention(self.log_stats.as_ref()).is_empty()
    }

    fn draw(&self, frame: &mut Frame, area: Rect, context: &Context, theme: &Theme, targets: &mut ClickTargets) {
        match self.mode {
            Mode::Now | Mode::Hour => view::draw(frame, area, self, context, theme),
            Mode::Backups => backups::draw(frame, area, self, context, theme, targets),
        }
    }
}
