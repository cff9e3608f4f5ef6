//! The table of reports, and one report in full.

use morpion_openapi::{
    moderation::{Report, ReportOutcome, ReportState},
    profile::UserProfile,
};
use ratatui::{
    Frame,
    layout::{Constraint, Layout, Rect},
    style::Style,
    text::{Line, Span},
};

use super::{Reports, kind};
use crate::{
    context::Context,
    hit_testing::ClickTargets,
    list::view::{self as list, Cell, Column},
    tabs::users::suspended::in_words,
    theme::Theme,
    time::minute,
    widgets::{
        facts,
        name::Named,
        text::{self, age},
    },
};

/// The columns of the table.
pub const COLUMNS: [Column; 6] = [
    Column::new("When", 6).sort(0).right(),
    Column::new("About", 10).sort(1),
    Column::new("What", 9).sort(2),
    Column::new("Open", 4).named("Open, outcome").sort(3).right().drop_order(2),
    Column::new("By", 10).drop_order(3),
    Column::new("Text", 16).drop_order(1),
];
/// How many reports of the same are open; of closed ones the outcome.
const STATE: usize = 3;

pub fn draw(
    frame: &mut Frame,
    area: Rect,
    reports: &Reports,
    context: &Context,
    theme: &Theme,
    targets: &mut ClickTargets,
) {
    let chosen = reports.table.chosen();
    if let (Some(from), Some(report)) = (reports.detail, chosen) {
        return draw_detail(frame, area, report, from, theme);
    }
    let [line, body] = Layout::vertical([Constraint::Length(1), Constraint::Min(0)]).areas(area);
    let (table, fetch, page) = (&reports.table, &reports.fetch, &reports.page);
    let noun = if reports.is_closed { "closed report" } else { "open report" };
    let mut summary = format!("{}, the newest first", text::count(page.total, noun));
    if page.has_next || page.number > 1 {
        summary += &format!(", page {}", page.number);
    }
    if fetch.is_loaded {
        frame.render_widget(list::summary(table, summary, fetch, theme), line);
    }
    let empty = if reports.is_closed {
        ["No report was closed yet.", "f shows open ones."]
    } else {
        ["No open reports.", "f shows closed ones."]
    };
    let shown = table.shown().len();
    if list::draw_empty_state(frame, body, context, (fetch, table, shown), ("reports", empty), theme) {
        return;
    }
    let mut columns = COLUMNS;
    if reports.is_closed {
        columns[STATE] = Column::new("Outcome", 9).named(COLUMNS[STATE].name).drop_order(2);
    }
    list::draw(frame, body, table, &columns, theme, targets, |report| {
        let state = match report.outcome {
            _ if !reports.is_closed => Line::raw(report.same_subject_open.to_string()),
            Some(outcome) => Line::styled(outcome.as_str(), outcome_style(outcome, theme)),
            None => Line::default(),
        };
        let somebody = |person: Option<&UserProfile>, style| match person {
            Some(person) => Cell::name(Span::raw(""), person.name(), style, theme),
            None => Line::styled("deleted account", theme.soft).into(),
        };
        let style = if report.suspension.is_some() { theme.bad } else { Style::new() };
        vec![
            Line::styled(age(context.server_now() - report.at.as_millis()), theme.soft).into(),
            somebody(report.subject.as_ref(), style),
            Line::raw(kind(report.kind)).into(),
            state.into(),
            somebody(report.reporter.as_ref(), theme.soft),
            Line::raw(report.text.clone()).into(),
        ]
    });
}

fn outcome_style(outcome: ReportOutcome, theme: &Theme) -> Style {
    match outcome {
        ReportOutcome::Upheld => theme.warning,
        ReportOutcome::Dismissed => theme.soft,
    }
}

/// One report in full, from a line on.
fn draw_detail(frame: &mut Frame, area: Rect, report: &Report, from: u16, theme: &Theme) {
    facts::draw(frame, area, detail_lines(report, area.width, theme), from);
}

fn detail_lines(report: &Report, width: u16, theme: &Theme) -> Vec<Line<'static>> {
    let fact = |name: &str, value: &str, style: Style| facts::fact(name, value, style, width, theme);
    let plain = Style::new();
    let whole = |person: Option<&UserProfile>| {
        person.map_or_else(|| "a deleted account".to_owned(), |person| person.name().whole())
    };
    let mut lines = fact("about", &whole(report.subject.as_ref()), theme.strong);
    if let Some(suspension) = &report.suspension {
        lines.extend(fact("", &format!("{}: {}", in_words(suspension), suspension.reason), theme.bad));
    }
    lines.extend(fact("for", kind(report.kind), theme.accent));
    if !report.text.is_empty() {
        lines.extend(fact("text", &report.text, plain));
    }
    lines.extend(fact("by", &whole(report.reporter.as_ref()), plain));
    lines.extend(fact("at", &format!("{} UTC", minute(report.at)), plain));
    let others = report.same_subject_open.saturating_sub(u64::from(report.state == ReportState::Open));
    if others > 0 {
        let told = format!("{} about the same person", text::count(others, "other open report"));
        lines.extend(fact("", &told, theme.warning));
    }
    lines.extend([Line::default(), Line::styled(" As it was then", theme.strong)]);
    lines.extend(fact("display name", &report.evidence.display_name, plain));
    lines.extend(fact("username", &report.evidence.username, plain));
    let picture = if report.evidence.picture.is_some() { "there was one; the web app shows it" } else { "none" };
    lines.extend(fact("picture", picture, plain));
    if let Some(id) = report.game_id {
        lines.extend(fact("game", &id.to_string(), plain));
    }
    lines.extend(fact("report", &report.report_id.to_string(), theme.soft));
    if let Some(outcome) = report.outcome {
        let by = report.closed_by.as_ref().map(|by| format!(" by {by}")).unwrap_or_default();
        let at = report.closed_at.map(|at| format!(", {} UTC", minute(at))).unwrap_or_default();
        lines.push(Line::default());
        lines.extend(fact(outcome.as_str(), &format!("{}{at}", by.trim_start()), outcome_style(outcome, theme)));
        lines.extend(report.note.iter().filter(|note| !note.is_empty()).flat_map(|note| fact("note", note, plain)));
    }
    lines
}
