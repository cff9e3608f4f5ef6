//! What players report about each other: the table, one report in full, and what can be done about it.

mod rows;
pub mod view;

use crossterm::event::KeyCode;
use morpion_openapi::{
    PageRequest,
    account::User,
    moderation::{CloseReport, ListReports, Report, ReportOutcome, ReportState},
};
use morpion_shell::command_error::CommandError;
use ratatui::{Frame, layout::Rect};
use uuid::Uuid;

use super::{CommandLine, Request, Tab, TabId};
use crate::{
    actions::{Action, Subject},
    calls::{Call, Reply},
    context::Context,
    dialog::{
        Dialog,
        confirm::{ConfirmDialog, ConfirmField},
        menu::{Menu, MenuItem, moderation_items},
        palette::{Argument, PaletteCommand, command},
    },
    fetch::{Fetch, Pager},
    hit_testing::ClickTargets,
    keymap::{KeyAction, Keys, bind, char, ctrl, key},
    list::{DataTable, List},
    own_commands::Target,
    theme::Theme,
    widgets::name::Named,
};
pub use rows::kind;

#[rustfmt::skip] // One row a line.
const KEYS: Keys = Keys { title: "Reports", has_list: true, bindings: &[
    bind(&[key(KeyCode::Enter)], KeyAction::Open, "the chosen report in full", "open"),
    bind(&[char('a')], KeyAction::Menu, "close it, suspend, rename, see the game", "act"),
    bind(&[char('f')], KeyAction::State, "closed reports, or open ones", "state"),
    bind(&[key(KeyCode::Right), char('l')], KeyAction::Right, "older reports", ""),
    bind(&[key(KeyCode::Left), char('h')], KeyAction::Left, "newer reports", ""),
]};

#[rustfmt::skip] // One row a line.
const DETAIL_KEYS: Keys = Keys { title: "Report", has_list: false, bindings: &[
    bind(&[char('j'), key(KeyCode::Down)], KeyAction::Down, "scroll down", ""),
    bind(&[char('k'), key(KeyCode::Up)], KeyAction::Up, "scroll up", ""),
    bind(&[key(KeyCode::PageDown), ctrl('d')], KeyAction::PageDown, "a page down", ""),
    bind(&[key(KeyCode::PageUp), ctrl('u')], KeyAction::PageUp, "a page up", ""),
    bind(&[char('a')], KeyAction::Menu, "close it, suspend, rename, see the game", "act"),
    bind(&[char('n'), key(KeyCode::Right)], KeyAction::Right, "the next report", "next"),
    bind(&[char('p'), key(KeyCode::Left)], KeyAction::Left, "the one before", "previous"),
]};

const POLL_MS: i64 = 10_000;

#[derive(Debug, Default)]
pub struct Reports {
    pub table: DataTable<Report>,
    pub fetch: Fetch,
    pub page: Pager,
    /// Closed ones are shown instead of open ones.
    pub is_closed: bool,
    /// The chosen report is shown in full, from this line on.
    pub detail: Option<u16>,
    /// As the overview has it.
    open: u64,
}

impl Reports {
    pub fn call(&self) -> ListReports {
        let state = if self.is_closed { ReportState::Closed } else { ReportState::Open };
        ListReports { state: Some(state), page: Some(self.page.number), limit: Some(PageRequest::MAX_LIMIT) }
    }

    /// Shows the reports of this state.
    fn show(&mut self, is_closed: bool) {
        self.detail = None;
        if is_closed != self.is_closed {
            *self = Self { is_closed, open: self.open, ..Self::default() };
        }
    }

    /// Somebody's account changed.
    fn changed(&mut self, user: &User) {
        let about = |report: &&Report| report.subject.as_ref().is_some_and(|subject| subject.user_id == user.user_id);
        let reports: Vec<Report> = self.table.rows().iter().filter(about).cloned().collect();
        for mut report in reports {
            report.suspension.clone_from(&user.suspension);
            if let Some(subject) = &mut report.subject {
                subject.username.clone_from(&user.username);
                subject.display_name.clone_from(&user.display_name);
                subject.profile.clone_from(&user.profile);
            }
            self.table.put(report);
        }
        self.fetch.expire();
    }

    fn menu_of(report: &Report) -> Menu {
        let mut items = vec![];
        if report.state == ReportState::Open {
            for (key, label, outcome) in [
                ('u', "uphold: something was done", ReportOutcome::Upheld),
                ('d', "dismiss: nothing to do", ReportOutcome::Dismissed),
            ] {
                let about = about(report);
                items.push(MenuItem::new(key, label, Action::CloseReport(report.report_id, outcome, about)));
            }
        }
        items.extend(report.game_id.map(|id| MenuItem::new('g', "see the game", Action::Watch(id))));
        if let Some(subject) = &report.subject {
            let (user_id, username) = (subject.user_id, subject.username.clone());
            let person = Subject { user_id, username, name: subject.name().whole() };
            items.extend(moderation_items(&person, report.suspension.is_some(), !subject.profile.is_empty()));
            let open = Action::OpenUser(user_id.to_string());
            items.push(MenuItem::new('o', format!("open the account of {}", person.name), open));
        }
        if let Some(reporter) = &report.reporter {
            let label = format!("open the account of {}, who reports", reporter.name().whole());
            items.push(MenuItem::new('b', label, Action::OpenUser(reporter.user_id.to_string())));
        }
        items.push(MenuItem::new('c', "copy its id", Action::Copy(report.report_id.to_string())));
        Menu::new(format!("{}: {}", kind(report.kind), about(report)), items)
    }
}

/// Whom a report is about, by the name at the time if the account is gone.
pub fn about(report: &Report) -> String {
    report.subject.as_ref().map_or_else(|| report.evidence.name().whole(), |subject| subject.name().whole())
}

fn confirm_close(report_id: Uuid, outcome: ReportOutcome, name: &str) -> ConfirmDialog {
    let (title, meaning, done) = match outcome {
        ReportOutcome::Upheld => (
            format!("Uphold the report about {name}?"),
            "It was justified, and action was taken.",
            "The report is upheld.",
        ),
        ReportOutcome::Dismissed => {
            (format!("Dismiss the report about {name}?"), "No action is needed.", "The report is dismissed.")
        }
    };
    let lines = vec![format!("{meaning} Only admins see the outcome of a report.")];
    ConfirmDialog::new(title, lines, done)
        .step(name, CloseReport { report_id, outcome, note: String::new() })
        .field(ConfirmField::Note)
}

impl Tab for Reports {
    fn title(&self) -> &'static str {
        "Reports"
    }

    fn keys(&self) -> &'static Keys {
        if self.detail.is_some() { &DETAIL_KEYS } else { &KEYS }
    }

    fn modes(&self) -> &'static [&'static Keys] {
        &[&KEYS, &DETAIL_KEYS]
    }

    fn commands(&self) -> &'static [PaletteCommand] {
        const { &[command("reports", Argument::ReportState, "what players report, open or closed")] }
    }

    fn run(&mut self, line: CommandLine<'_>, _context: &Context) -> Result<Vec<Request>, String> {
        let is_closed = !line.argument.is_empty() && line.one_of(ReportState::ALL)? == ReportState::Closed;
        self.show(is_closed);
        Ok(vec![Request::ShowTab(TabId::Reports)])
    }

    fn suggestions(&self, argument: Argument) -> Vec<String> {
        match argument {
            Argument::ReportState => ReportState::ALL.iter().map(ToString::to_string).collect(),
            _ => vec![],
        }
    }

    fn list(&self) -> Option<&dyn List> {
        if self.detail.is_some() { None } else { Some(&self.table) }
    }

    fn list_mut(&mut self) -> Option<&mut dyn List> {
        if self.detail.is_some() { None } else { Some(&mut self.table) }
    }

    fn kept_list(&self) -> Option<&dyn List> {
        Some(&self.table)
    }

    fn kept_list_mut(&mut self) -> Option<&mut dyn List> {
        Some(&mut self.table)
    }

    fn target(&self) -> Option<Target> {
        self.table.chosen().map(|report| Target::new(report.report_id, about(report)))
    }

    fn step(&mut self, by: isize, _context: &Context) -> Vec<Request> {
        match &mut self.detail {
            Some(line) => *line = line.saturating_add_signed(by.clamp(i16::MIN.into(), i16::MAX.into()) as i16),
            None => self.table.step(by),
        }
        vec![]
    }

    fn key(&mut self, action: KeyAction, _context: &Context) -> Vec<Request> {
        match action {
            KeyAction::Left | KeyAction::Right => {
                let forward = action == KeyAction::Right;
                if let Some(line) = &mut self.detail {
                    *line = 0;
                    self.table.step(if forward { 1 } else { -1 });
                } else if self.page.turn(forward) {
                    self.fetch.expire();
                }
            }
            KeyAction::Open => self.detail = self.table.chosen().map(|_| 0),
            KeyAction::State => self.show(!self.is_closed),
            _ => {}
        }
        vec![Request::Poll]
    }

    fn back(&mut self, _now: i64) {
        if self.detail.take().is_none() {
            self.table.set_filter(String::new());
        }
    }

    fn menu(&self) -> Option<Menu> {
        self.table.chosen().map(Self::menu_of)
    }

    fn perform(&mut self, action: Action, _context: &Context) -> Result<Vec<Request>, Action> {
        match action {
            Action::CloseReport(report_id, outcome, name) => {
                Ok(vec![Request::OpenDialog(Dialog::Confirm(confirm_close(report_id, outcome, &name)))])
            }
            other => Err(other),
        }
    }

    fn poll(&mut self, shown: TabId, now: i64) -> Vec<Call> {
        if shown == TabId::Reports && self.fetch.is_due(POLL_MS, now) { vec![self.call().into()] } else { vec![] }
    }

    fn expire(&mut self) {
        self.fetch.expire();
    }

    fn replied(&mut self, call: &Call, reply: &Reply, context: &Context) -> Vec<Request> {
        match (call, reply) {
            (_, Reply::Overview(answer)) => self.open = answer.open_reports,
            (Call::ListReports(call), Reply::ListReports(answer)) if *call == self.call() => {
                if !self.is_closed {
                    self.open = answer.pagination.total_count;
                }
                self.page.take(&answer.pagination);
                let before = self.table.chosen().map(|report| report.report_id);
                self.table.set(answer.reports.clone());
                self.fetch.succeeded(context.now);
                let is_same = before == self.table.chosen().map(|report| report.report_id);
                if self.detail.take_if(|_| !is_same).is_some() {
                    return vec![Request::warn("That report is gone: closed by somebody else, or with its account.")];
                }
            }
            (_, Reply::CloseReport(answer)) => {
                self.detail = None;
                self.open = self.open.saturating_sub(1);
                if !self.is_closed {
                    self.table.remove(&answer.report.report_id);
                }
                self.fetch.expire();
                return vec![Request::Poll];
            }
            (
                _,
                Reply::SuspendUser(answer)
                | Reply::LiftSuspension(answer)
                | Reply::RenameUser(answer)
                | Reply::RemovePicture(answer),
            ) => self.changed(&answer.user),
            (_, Reply::DeleteUser(_)) => {
                // Reports by and about them go with the account.
                self.fetch.expire();
                return vec![Request::Poll];
            }
            _ => {}
        }
        vec![]
    }

    fn refused(&mut self, call: &Call, refusal: &CommandError, context: &Context) -> Option<Vec<Request>> {
        let Call::ListReports(_) = call else { return None };
        self.fetch.failed(refusal.clone(), context.now);
        Some(vec![])
    }

    fn needs_attention(&self) -> bool {
        self.open > 0
    }

    fn draw(&self, frame: &mut Frame, area: Rect, context: &Context, theme: &Theme, targets: &mut ClickTargets) {
        view::draw(frame, area, self, context, theme, targets);
    }
}
