//! The log: lines as they come, and one record in full.

use morpion_openapi::{Timestamp, logger::LogLevel};
use morpion_shell::escape;
use ratatui::{
    Frame,
    layout::{Constraint, Layout, Rect},
    style::Style,
    text::{Line, Span},
};
use unicode_width::UnicodeWidthChar;

use super::{Following, Logs};
use crate::{
    connection::Connection,
    context::Context,
    hit_testing::{ClickTarget, ClickTargets},
    log::{filter::Window, record::Record, view::View},
    theme::Theme,
    widgets::{
        block::NARROW,
        notice,
        text::{self, count, fit, number},
    },
};

/// The widths of the columns before a message.
#[derive(Debug, Clone, Copy)]
struct LinePrefix {
    /// `10:15:03.123 `, or without the milliseconds.
    time: usize,
    /// `ERROR `, or its first letter.
    level: usize,
    /// A part's name, or none.
    service: usize,
}

const WIDE_PREFIX: LinePrefix = LinePrefix { time: 13, level: 6, service: 11 };
const NARROW_PREFIX: LinePrefix = LinePrefix { time: 9, level: 2, service: 0 };

impl LinePrefix {
    fn of(width: usize) -> Self {
        if width < NARROW.into() { NARROW_PREFIX } else { WIDE_PREFIX }
    }

    /// With the cursor before it.
    fn width(self) -> usize {
        2 + self.time + self.level + self.service
    }
}

/// Lines that a wrapped record takes at most; the whole is in its detail.
const MAX_LINES: usize = 12;
/// Characters of a message that are looked at: more than any screen shows of one line.
const MAX_CHARS: usize = 2_000;

pub fn draw(frame: &mut Frame, area: Rect, logs: &Logs, context: &Context, theme: &Theme, targets: &mut ClickTargets) {
    let view = logs.view();
    if let (Some(from), Some(record)) = (logs.detail, view.chosen()) {
        return super::record_view::draw(frame, area, record, from, theme);
    }
    let [filters, state, body] =
        Layout::vertical([Constraint::Length(1), Constraint::Length(1), Constraint::Min(0)]).areas(area);
    frame.render_widget(filter_line(logs, view, theme), filters);
    frame.render_widget(state_line(logs, view, theme), state);
    if view.shown_len() == 0 {
        return notice::centered(frame, body, nothing(context, logs, view, theme));
    }
    let width = usize::from(body.width);
    let height = usize::from(body.height);
    let chosen = view.chosen_index().unwrap_or(0);
    let first = first_shown(view, chosen, width, height, logs.wraps);
    let mut y = body.y;
    for at in first..view.shown_len() {
        let Some(record) = view.at(at) else { break };
        let is_chosen = at == chosen && !view.is_following();
        for line in lines(record, view, width, logs.wraps, is_chosen, theme) {
            if y >= body.bottom() {
                return;
            }
            let place = Rect { y, height: 1, ..body };
            frame.render_widget(line, place);
            targets.add(place, ClickTarget::Row(at));
            y += 1;
        }
    }
}

/// The first record shown: while following, the newest is at the bottom; else the chosen one is in
/// the middle. Only as many records are looked at as fit the screen.
fn first_shown(view: &View, chosen: usize, width: usize, height: usize, wraps: bool) -> usize {
    if !wraps {
        if view.is_following() {
            return view.shown_len().saturating_sub(height);
        }
        return text::first_shown(chosen, view.shown_len(), height);
    }
    let rows = |at: usize| view.at(at).map_or(1, |record| wrapped_rows(record, width));
    let above = |last: usize, room: usize| {
        let (mut first, mut used) = (last, rows(last));
        while first > 0 && used + rows(first - 1) <= room {
            first -= 1;
            used += rows(first);
        }
        first
    };
    let lowest = above(view.shown_len() - 1, height);
    if view.is_following() { lowest } else { above(chosen, height / 2).min(lowest.max(above(chosen, height))) }
}

fn nothing(context: &Context, logs: &Logs, view: &View, theme: &Theme) -> Vec<Line<'static>> {
    let ellipsis = theme.glyphs.ellipsis;
    if !view.buffer.is_empty() {
        return vec![
            Line::styled(format!("None of {} fits.", count(view.buffer.len() as u64, "record")), theme.strong),
            Line::styled("Esc clears the filters.", theme.soft),
        ];
    }
    if let Some(scope) = &logs.scope {
        return match (&scope.fetch.failure, scope.fetch.is_loaded) {
            (Some(refusal), _) => vec![Line::styled(refusal.text.clone(), theme.strong)],
            (None, true) => vec![Line::styled("The log has no records of it.", theme.strong)],
            (None, false) => vec![Line::styled(format!("Asking for it{ellipsis}"), theme.soft)],
        };
    }
    match (&logs.failure, &context.connection) {
        (Some(refusal), Connection::Connected) => {
            let rest = if logs.following == Following::Live {
                "New records are still shown."
            } else {
                "There is no log to show."
            };
            vec![Line::styled(refusal.text.clone(), theme.strong), Line::styled(rest, theme.soft)]
        }
        (_, Connection::Connected) if logs.is_catching_up() || logs.following == Following::Subscribing => {
            vec![Line::styled(format!("Asking for the log{ellipsis}"), theme.soft)]
        }
        (_, Connection::Connected) => {
            vec![
                Line::styled("No records yet.", theme.strong),
                Line::styled("New ones appear automatically.", theme.soft),
            ]
        }
        (_, Connection::Lost { why, .. }) => vec![
            Line::styled(format!("{} cannot be reached.", context.server_name()), theme.strong),
            Line::styled(why.clone(), theme.soft),
        ],
        _ => vec![Line::styled(format!("Connecting to {}{ellipsis}", context.server_name()), theme.soft)],
    }
}

/// What is shown: level, part, window, search.
fn filter_line(logs: &Logs, view: &View, theme: &Theme) -> Line<'static> {
    let filter = view.filter();
    let mut spans = vec![Span::raw(" ")];
    if let Some(scope) = &logs.scope {
        spans.push(Span::styled(format!("{}   ", scope.title), theme.accent.patch(theme.strong)));
    }
    let level = match filter.level {
        LogLevel::Error => "errors",
        LogLevel::Warning => "warnings and worse",
        LogLevel::Info => "info and worse",
        LogLevel::Debug => "all levels",
    };
    spans.push(Span::styled(level, if filter.level == LogLevel::Debug { theme.soft } else { theme.accent }));
    if let Some(service) = &filter.service {
        spans.push(Span::styled(format!("   part {service}"), theme.accent));
    }
    let time = |at: i64| Timestamp::from_millis(at).utc().format("%m-%d %H:%M").to_string();
    match filter.window {
        Window::All => {}
        Window::Last(millis) => {
            spans.push(Span::styled(format!("   the last {}", text::age(millis)), theme.accent));
        }
        Window::Between(begin, i64::MAX) => {
            spans.push(Span::styled(format!("   since {}", time(begin)), theme.accent));
        }
        Window::Between(begin, end) => {
            spans.push(Span::styled(format!("   {} to {}", time(begin), time(end)), theme.accent));
        }
    }
    if view.is_typing || !view.typed.is_empty() {
        let cursor = if view.is_typing { "_" } else { "" };
        spans.push(Span::styled(format!("   /{}{cursor}", view.typed), theme.accent));
    }
    if let Some(why) = &view.search_error {
        spans.push(Span::styled(format!("   {why}"), theme.warning));
    }
    text::escaped(Line::from(spans))
}

/// How many, how fresh, and what is missing.
fn state_line(logs: &Logs, view: &View, theme: &Theme) -> Line<'static> {
    let mut spans = vec![Span::raw(" ")];
    let (shown, all) = (view.shown_len() as u64, view.buffer.len() as u64);
    let counted = if shown == all { number(all) } else { format!("{} of {}", number(shown), number(all)) };
    let noun = if all == 1 { "record" } else { "records" };
    spans.push(Span::styled(format!("{counted} {noun}"), theme.soft));
    if logs.scope.is_none() {
        let (word, style) = match (view.is_following(), logs.following) {
            _ if logs.is_catching_up() => ("catching up", theme.warning),
            (_, Following::Off) => ("not connected", theme.bad),
            (_, Following::Subscribing) => ("asking", theme.warning),
            (_, Following::Polling) if logs.failure.is_some() => ("not following", theme.warning),
            (true, Following::Polling) => ("following, every 2 s", theme.good),
            (true, Following::Live) => ("following", theme.good),
            (false, _) => ("held", theme.warning),
        };
        spans.push(Span::styled(format!("   {word}"), style));
        if !view.is_following() {
            spans.push(Span::styled(format!(", {} below", number(view.below() as u64)), theme.warning));
        }
    }
    if logs.is_fetching_older() {
        spans.push(Span::styled("   fetching older ones", theme.warning));
    }
    if view.buffer.evicted > 0 {
        spans.push(Span::styled(format!("   {} older ones discarded", number(view.buffer.evicted)), theme.soft));
    }
    if let Some(stats) = logs.stats.as_ref().filter(|stats| stats.dropped > 0) {
        spans.push(Span::styled(format!("   {} dropped by the server", number(stats.dropped)), theme.warning));
    }
    if let Some(refusal) = &logs.failure {
        spans.push(Span::styled(format!("   the past: {refusal}"), theme.warning));
    }
    text::escaped(Line::from(spans))
}

pub(super) fn level_style(level: LogLevel, theme: &Theme) -> (&'static str, Style) {
    match level {
        LogLevel::Error => ("ERROR", theme.bad),
        LogLevel::Warning => ("WARN", theme.warning),
        LogLevel::Info => ("INFO", Style::new()),
        LogLevel::Debug => ("DEBUG", theme.soft),
    }
}

fn clock(at: i64) -> String {
    Timestamp::from_millis(at).utc().format("%H:%M:%S%.3f ").to_string()
}

/// The columns of a message.
fn message_width(width: usize) -> usize {
    width.saturating_sub(LinePrefix::of(width).width() + 1).max(8)
}

/// What a character is shown as, with its columns. Line breaks become spaces, and unsafe characters
/// are escaped.
pub(super) fn shown(char: char) -> impl Iterator<Item = (char, usize)> {
    let space = matches!(char, '\n' | '\t').then_some(' ');
    let written_out = (space.is_none() && escape::is_unsafe(char)).then(|| char.escape_default());
    let itself = (space.is_none() && written_out.is_none()).then_some(char);
    let chars = space.into_iter().chain(written_out.into_iter().flatten()).chain(itself);
    chars.map(|char| (char, char.width().unwrap_or(0)))
}

fn wrapped_rows(record: &Record, width: usize) -> usize {
    let columns: usize = record.message.chars().take(MAX_CHARS).flat_map(shown).map(|(_, columns)| columns).sum();
    columns.div_ceil(message_width(width)).clamp(1, MAX_LINES)
}

/// A record as lines of the screen.
fn lines(
    record: &Record,
    view: &View,
    width: usize,
    wraps: bool,
    is_chosen: bool,
    theme: &Theme,
) -> Vec<Line<'static>> {
    let (word, style) = level_style(record.level, theme);
    let cursor = if is_chosen { theme.glyphs.cursor } else { "  " };
    let LinePrefix { time, level, service } = LinePrefix::of(width);
    let part = fit(&record.service, service.saturating_sub(1), theme.glyphs.ellipsis);
    let clock: String = clock(record.at).chars().take(time - 1).collect();
    let word: String = word.chars().take(level - 1).collect();
    let head = [
        Span::styled(cursor, theme.accent),
        Span::styled(format!("{clock} "), theme.soft),
        Span::styled(format!("{word:<level$}"), style),
        Span::styled(format!("{part:<service$}"), theme.soft),
    ];
    let base = match (is_chosen, record.level) {
        (true, _) => theme.strong,
        (false, LogLevel::Debug) => theme.soft,
        (false, _) => Style::new(),
    };
    let most = if wraps { MAX_LINES } else { 1 };
    let mut lines = message(record, view, message_width(width), most, base, theme).into_iter();
    let mut first = head.to_vec();
    first.extend(lines.next().unwrap_or_default());
    if !wraps {
        first.extend(context(record, width, &first, theme));
    }
    let indent = " ".repeat(LinePrefix::of(width).width());
    let rest = lines.map(|spans| {
        let mut line = vec![Span::raw(indent.clone())];
        line.extend(spans);
        Line::from(line)
    });
    std::iter::once(Line::from(first)).chain(rest).collect()
}

/// The minimum columns for showing a context.
const CONTEXT_ROOM: usize = 12;

/// The context, in what room the line has left.
fn context(record: &Record, width: usize, line: &[Span<'_>], theme: &Theme) -> Option<Span<'static>> {
    let context = record.details.as_ref()?.context.as_ref()?;
    let room = width.checked_sub(line.iter().map(Span::width).sum()).filter(|room| *room >= CONTEXT_ROOM)?;
    let shown = fit(context, room - 3, theme.glyphs.ellipsis);
    Some(Span::styled(format!("  {shown}"), theme.soft))
}

/// The message in lines of so many columns, with what was searched for marked.
fn message(
    record: &Record,
    view: &View,
    width: usize,
    most: usize,
    base: Style,
    theme: &Theme,
) -> Vec<Vec<Span<'static>>> {
    let text = record.message.as_ref();
    let found: Vec<_> = view.filter().search.iter().flat_map(|search| search.matches(text)).take(MAX_CHARS).collect();
    let mut lines: Vec<Vec<Span>> = vec![vec![]];
    let (mut used, mut current, mut current_style) = (0, String::new(), base);
    let chars = text.char_indices().take(MAX_CHARS);
    for (at, char, columns) in chars.flat_map(|(at, char)| shown(char).map(move |(char, columns)| (at, char, columns)))
    {
        let is_found = found.iter().any(|range| range.contains(&at));
        let style = if is_found { base.patch(theme.selected) } else { base };
        if used + columns > width {
            if lines.len() == most {
                let cut: String = current.chars().take(current.chars().count().saturating_sub(1)).collect();
                current = cut + theme.glyphs.ellipsis;
                break;
            }
            push(&mut lines, &mut current, current_style);
            lines.push(vec![]);
            used = 0;
        }
        if style != current_style {
            push(&mut lines, &mut current, current_style);
            current_style = style;
        }
        current.push(char);
        used += columns;
    }
    push(&mut lines, &mut current, current_style);
    lines
}

fn push(lines: &mut [Vec<Span<'static>>], text: &mut String, style: Style) {
    if let Some(line) = lines.last_mut().filter(|_| !text.is_empty()) {
        line.push(Span::styled(std::mem::take(text), style));
    }
}
