//! The table of backups below what is under way, and the status in full.

use morpion_openapi::{
    Timestamp,
    admin::{BackupStatus, BackupVerification, OverviewAnswer, UnreadableBackup},
};
use ratatui::{
    Frame,
    layout::{Constraint, Layout, Rect},
    style::Style,
    text::{Line, Span},
    widgets::Paragraph,
};
use unicode_width::UnicodeWidthStr;

use super::{ListedBackup, Section};
use crate::{
    context::Context,
    hit_testing::ClickTargets,
    list::view::{self as list, Column},
    tabs::overview::{Overview, scale::size},
    theme::{Palette, Theme},
    time::minute,
    widgets::{
        block::{LOW, NARROW, sections},
        facts, notice,
        text::{age, count, fit, fit_line},
    },
};

/// The server's code for a list that there is no place for.
const NO_PLACE: &str = "no-backup-target";

pub fn draw(
    frame: &mut Frame,
    area: Rect,
    overview: &Overview,
    context: &Context,
    theme: &Theme,
    targets: &mut ClickTargets,
) {
    let [titles_line, body] = Layout::vertical([Constraint::Length(1), Constraint::Min(0)]).areas(area);
    let titles = [(Section::List, "Backups"), (Section::Status, "Status")];
    frame.render_widget(sections(&titles, overview.backups.section, theme), titles_line);
    match overview.backups.section {
        Section::List => draw_list(frame, body, overview, context, theme, targets),
        Section::Status => draw_status(frame, body, overview, context, theme),
    }
}

fn draw_list(
    frame: &mut Frame,
    area: Rect,
    overview: &Overview,
    context: &Context,
    theme: &Theme,
    targets: &mut ClickTargets,
) {
    let (table, fetch) = (&overview.backups.table, &overview.backups.fetch);
    if fetch.failure.as_ref().is_some_and(|refusal| refusal.code == NO_PLACE) {
        let lines = vec![
            Line::styled("No place for backups is set.", theme.strong),
            Line::styled("Set backup.to on the server: a folder, or s3://BUCKET/PREFIX.", theme.soft),
        ];
        return notice::centered(frame, area, lines);
    }
    let is_low = area.height < LOW;
    let status = overview.answer.as_ref().map(|answer| &answer.backup);
    let mut head = status.map_or_else(Vec::new, |status| head(status, area.width, context, theme));
    // Where there is little room the status in full has the rest.
    head.truncate(if is_low { 3 } else { 4 });
    let gap = if is_low { 0 } else { 1 };
    let [_, top, _, line, body] = Layout::vertical([
        Constraint::Length(gap),
        Constraint::Length(head.len() as u16),
        Constraint::Length(gap),
        Constraint::Length(1),
        Constraint::Min(0),
    ])
    .areas(area);
    frame.render_widget(Paragraph::new(head), top);
    let shown = table.shown().len();
    let empty = ["No backups yet.", "The server makes one at each start; c makes one now."];
    if list::draw_empty_state(frame, body, context, (fetch, table, shown), ("backups", empty), theme) {
        return;
    }
    let unreadable = table.rows().iter().filter(|row| matches!(row, ListedBackup::Unreadable(_))).count();
    let readable = count((table.rows().len() - unreadable) as u64, "backup");
    let text = if unreadable > 0 { readable } else { format!("{readable}, the newest first") };
    let mut summary = list::summary(table, text, fetch, theme);
    if unreadable > 0 {
        summary.push_span(Span::styled(format!("   {unreadable} unreadable"), theme.bad));
    }
    frame.render_widget(summary, line);
    let columns = [
        Column::new("Id", 21),
        // It is in the id, too.
        Column::new("Made (UTC)", 16).sort(0).drop_order(3),
        Column::new("Size", 8).sort(1).right(),
        Column::new("New", 8).sort(2).right().drop_order(1),
        Column::new("Version", 8).drop_order(2),
    ];
    list::draw(frame, body, table, &columns, theme, targets, |row| match row {
        ListedBackup::Readable(_, backup) => vec![
            Line::raw(backup.backup_id.clone()),
            Line::styled(minute(backup.at), theme.soft),
            Line::raw(size(backup.bytes)),
            Line::raw(size(backup.new_bytes)),
            Line::styled(backup.version.clone(), theme.soft),
        ],
        ListedBackup::Unreadable(UnreadableBackup { backup_id, reason }) => vec![
            Line::styled(backup_id.clone(), theme.bad),
            Line::styled(theme.glyphs.absent, theme.soft),
            Line::styled("unreadable", theme.bad),
            Line::styled(theme.glyphs.absent, theme.soft),
            Line::styled(reason.clone(), theme.bad),
        ],
    });
}

/// Where backups are made to, and below it what is wrong or under way, the most urgent first.
fn head(status: &BackupStatus, width: u16, context: &Context, theme: &Theme) -> Vec<Line<'static>> {
    let ellipsis = theme.glyphs.ellipsis;
    let is_narrow = width < NARROW;
    let width = usize::from(width);
    let since = |at: Timestamp| age(context.server_now() - at.as_millis());
    let mut lines = vec![];
    if let Some(place) = &status.place {
        let log = status.log_until.map(|until| format!("   log until {} ago", since(until))).unwrap_or_default();
        let room = width.saturating_sub(1 + log.width());
        lines.push(Line::from(vec![
            Span::raw(" "),
            Span::styled(fit(place, room, ellipsis), theme.strong),
            Span::styled(log, theme.soft),
        ]));
    }
    if let Some(failure) = &status.failure {
        let long = status.failing_since.map(|at| format!(" for {}", since(at))).unwrap_or_default();
        lines.push(Line::styled(format!(" ! Failing{long}: {failure}"), theme.bad.patch(theme.strong)));
    }
    if let Some(at) = status.running_since {
        lines.push(Line::styled(format!(" {} A backup is being made, {}", theme.glyphs.away, since(at)), theme.accent));
    }
    if let Some(check) = &status.verification {
        let BackupVerification { backup_id, started_at, finished_at, problems, failure } = check;
        // The status in full has the time, too.
        let told = |text: String| if is_narrow { String::new() } else { text };
        lines.push(match (finished_at, failure, problems.as_slice()) {
            (None, ..) => {
                let long = told(format!(", {}", since(*started_at)));
                Line::styled(format!(" {} Verifying {backup_id}{long}", theme.glyphs.away), theme.accent)
            }
            (Some(_), Some(failure), _) => {
                Line::styled(format!(" ! {backup_id} could not be verified: {failure}"), theme.warning)
            }
            (Some(at), None, []) => {
                let long = told(format!(", verified {} ago", since(*at)));
                Line::styled(format!(" {} {backup_id} is good{long}", theme.glyphs.here), theme.good)
            }
            (Some(_), None, [first, ..]) => {
                let found = count(problems.len() as u64, "problem");
                Line::styled(format!(" ! {backup_id} is damaged: {found}: {first}"), theme.bad.patch(theme.strong))
            }
        });
    }
    lines.into_iter().map(|line| fit_line(line, width, ellipsis)).collect()
}

fn draw_status(frame: &mut Frame, area: Rect, overview: &Overview, context: &Context, theme: &Theme) {
    let Some(answer) = &overview.answer else {
        let (fetch, table) = (&overview.fetch, &overview.backups.table);
        list::draw_empty_state(frame, area, context, (fetch, table, 0), ("status", ["", ""]), theme);
        return;
    };
    let [_, body] = Layout::vertical([Constraint::Length(status_gap(area.height)), Constraint::Min(0)]).areas(area);
    facts::draw(frame, body, all_lines(overview, answer, area.width, context, theme), overview.backups.from);
}

/// Empty lines above the status, in a section of so many rows.
fn status_gap(rows: u16) -> u16 {
    if rows < LOW { 0 } else { 1 }
}

/// The line of the status from which on the rest of it is in sight.
pub fn last_start(overview: &Overview, context: &Context) -> u16 {
    let Some(answer) = &overview.answer else { return 0 };
    let theme = Theme::new(Palette::None, true);
    let lines = all_lines(overview, answer, context.size.0, context, &theme).len() as u16;
    // Below the titles of the sections.
    let rows = context.tab_rows().saturating_sub(1);
    lines.saturating_sub(rows - status_gap(rows))
}

fn all_lines(
    overview: &Overview,
    answer: &OverviewAnswer,
    width: u16,
    context: &Context,
    theme: &Theme,
) -> Vec<Line<'static>> {
    let mut lines = status_lines(&answer.backup, width, context, theme);
    lines.extend(unreadable_lines(overview.backups.table.rows(), width, theme));
    lines
}

/// All of the status.
fn status_lines(status: &BackupStatus, width: u16, context: &Context, theme: &Theme) -> Vec<Line<'static>> {
    let plain = Style::new();
    let fact = |name: &str, value: &str, style: Style| facts::fact(name, value, style, width, theme);
    let since = |at: Timestamp| age(context.server_now() - at.as_millis());
    let mut lines = match &status.place {
        Some(place) => fact("place", place, theme.strong),
        None => fact("place", "none; backup.to sets it on the server", theme.soft),
    };
    if let Some(until) = status.log_until {
        lines.extend(fact("log until", &format!("{} UTC, {} ago", minute(until), since(until)), plain));
    }
    if let Some(failure) = &status.failure {
        lines.extend(fact("failing", failure, theme.bad));
        let since = status.failing_since.map(|at| format!("since {} UTC, {}", minute(at), since(at)));
        lines.extend(since.iter().flat_map(|since| fact("", since, theme.bad)));
    }
    if let Some(at) = status.running_since {
        lines.extend(fact("under way", &format!("since {} UTC, {}", minute(at), since(at)), theme.accent));
    }
    match &status.last {
        Some(last) => {
            let sizes = format!("{}, {} of it new", size(last.bytes), size(last.new_bytes));
            lines.extend(fact("latest", &last.backup_id, plain));
            lines.extend(fact("made", &format!("{} UTC, {} ago", minute(last.at), since(last.at)), plain));
            lines.extend(fact("size", &sizes, plain));
        }
        None => lines.extend(fact("latest", "none yet", theme.soft)),
    }
    lines.push(Line::default());
    let Some(check) = &status.verification else {
        lines.extend(fact("verified", "none since the server's start", theme.soft));
        return lines;
    };
    lines.extend(fact("verified", &check.backup_id, plain));
    lines.extend(fact("begun", &format!("{} UTC, {} ago", minute(check.started_at), since(check.started_at)), plain));
    let Some(at) = check.finished_at else {
        lines.extend(fact("result", "not yet: it is under way", theme.accent));
        return lines;
    };
    lines.extend(fact("took", &age(at.as_millis() - check.started_at.as_millis()), plain));
    if let Some(failure) = &check.failure {
        lines.extend(fact("result", "could not be verified", theme.warning));
        lines.extend(fact("reason", failure, theme.warning));
        return lines;
    }
    match check.problems.len() {
        0 => lines.extend(fact("result", "it is good", theme.good)),
        found => lines.extend(fact("result", &count(found as u64, "problem"), theme.bad)),
    }
    for (problem, number) in check.problems.iter().zip(1..) {
        lines.extend(fact(&format!("problem {number}"), problem, theme.bad));
    }
    lines
}

/// Those that cannot be read, with the whole reasons.
fn unreadable_lines(rows: &[ListedBackup], width: u16, theme: &Theme) -> Vec<Line<'static>> {
    let mut lines = vec![];
    for row in rows {
        if let ListedBackup::Unreadable(UnreadableBackup { backup_id, reason }) = row {
            lines.push(Line::default());
            lines.extend(facts::fact("unreadable", backup_id, theme.bad, width, theme));
            lines.extend(facts::fact("reason", reason, theme.bad, width, theme));
        }
    }
    lines
}
