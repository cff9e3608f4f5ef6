//! The server's health, with what needs attention first.

use morpion_openapi::{admin::OverviewAnswer, logger::LogLevel};
use morpion_shell::escape;
use ratatui::{
    Frame,
    layout::{Constraint, Layout, Rect},
    style::Style,
    text::{Line, Span},
    widgets::{Paragraph, Wrap},
};

use super::{Attention, Mode, Overview, SAMPLES, Sample, Urgency, hour};
use crate::{
    context::Context,
    list::{DataTable, view as list},
    theme::Theme,
    widgets::{
        block::LOW,
        spark::spark,
        text::{age, number},
    },
};

/// Names of the figures, and the figures.
pub const NAME: usize = 18;
const FIGURE: usize = 10;
/// Hours of the log's figures.
const HOURS: usize = 24;
/// Warnings that are shown in full; the rest is counted.
const MAX_ATTENTION: usize = 6;

pub fn draw(frame: &mut Frame, area: Rect, overview: &Overview, context: &Context, theme: &Theme) {
    let nothing = DataTable::<morpion_openapi::account::User>::default();
    let Some(answer) = &overview.answer else {
        list::draw_empty_state(frame, area, context, (&overview.fetch, &nothing, 0), ("figures", ["", ""]), theme);
        return;
    };
    let attention = overview.attention(overview.log_stats.as_ref());
    let is_low = area.height < LOW;
    let most = if is_low { 1 } else { MAX_ATTENTION };
    let rows = attention.len().clamp(1, most + 1) as u16;
    let gap = if is_low { 0 } else { 1 };
    let [_, top, _, body] = Layout::vertical([
        Constraint::Length(gap),
        Constraint::Length(rows),
        Constraint::Length(gap),
        Constraint::Min(0),
    ])
    .areas(area);
    frame.render_widget(Paragraph::new(attention_lines(&attention, most, theme)).wrap(Wrap { trim: false }), top);
    if overview.mode == Mode::Hour {
        return hour::draw(frame, body, overview, theme);
    }
    let width = usize::from(body.width).saturating_sub(NAME + FIGURE + 6).min(SAMPLES);
    let gap = || if is_low { vec![] } else { vec![Line::raw("")] };
    let mut lines = vec![server_line(answer, context, theme)];
    lines.extend(gap());
    lines.extend(figures(overview, answer, width, theme));
    lines.extend(gap());
    lines.push(health(answer, theme));
    lines.extend(gap());
    lines.extend(log_lines(overview, theme));
    let [now, _, rest] =
        Layout::vertical([Constraint::Length(lines.len() as u16), Constraint::Length(1), Constraint::Min(0)])
            .areas(body);
    frame.render_widget(Paragraph::new(lines), now);
    if hour::has_room(rest) {
        hour::draw(frame, rest, overview, theme);
    }
}

fn attention_lines(attention: &[Attention], most: usize, theme: &Theme) -> Vec<Line<'static>> {
    if attention.is_empty() {
        let text = format!(" {} Nothing needs attention.", theme.glyphs.here);
        return vec![Line::styled(text, theme.good)];
    }
    let mut lines: Vec<_> = attention
        .iter()
        .take(most)
        .map(|attention| {
            let style = if attention.urgency == Urgency::Bad { theme.bad.patch(theme.strong) } else { theme.warning };
            Line::styled(format!(" ! {}", escape::line(&attention.text)), style)
        })
        .collect();
    if attention.len() > most {
        lines.push(Line::styled(format!("   and {} more", attention.len() - most), theme.warning));
    }
    lines
}

fn server_line(answer: &OverviewAnswer, context: &Context, theme: &Theme) -> Line<'static> {
    let up = age(context.server_now() - answer.started_at.as_millis());
    let fact = |name: &str, value: String| {
        [Span::styled(format!("   {name} "), theme.soft), Span::styled(value, theme.strong)]
    };
    let mut spans = vec![Span::styled(" Morpion ", theme.soft), Span::styled(answer.version.clone(), theme.strong)];
    spans.extend(fact("up for", up));
    spans.extend(fact("accounts", number(answer.users)));
    spans.extend(fact("moves", number(answer.moves)));
    Line::from(spans)
}

fn figures(overview: &Overview, answer: &OverviewAnswer, width: usize, theme: &Theme) -> Vec<Line<'static>> {
    let samples = &overview.samples;
    let line = |name: &str, value: String, of: Option<fn(&Sample) -> f64>, style: Style| {
        let bars = of.map_or(String::new(), |of| spark(samples.iter().map(of), width, &theme.glyphs));
        Line::from(vec![
            Span::styled(format!(" {name:<NAME$}"), theme.soft),
            Span::styled(format!("{value:>FIGURE$}"), theme.strong),
            Span::raw("   "),
            Span::styled(bars, style),
        ])
    };
    let moves = samples.back().map_or(0.0, |sample| sample.moves_per_second);
    vec![
        line("Connections", number(answer.connections), Some(|sample| sample.connections as f64), theme.soft),
        line("Live games", number(answer.live_games), Some(|sample| sample.live_games as f64), theme.soft),
        line("Waiting games", number(answer.waiting_games), None, theme.soft),
        line("Moves a second", format!("{moves:.1}"), Some(|sample| sample.moves_per_second), theme.accent),
        line("Moves to store", number(answer.store.pending), Some(|sample| sample.pending as f64), theme.soft),
    ]
}

fn health(answer: &OverviewAnswer, theme: &Theme) -> Line<'static> {
    let part = |name: &str, is_good: bool, good: &str, bad: &str, style: Style| {
        let (glyph, word, style) =
            if is_good { (theme.glyphs.here, good, theme.good) } else { (theme.glyphs.away, bad, style) };
        [Span::styled(format!(" {name} "), theme.soft), Span::styled(format!("{glyph} {word}  "), style)]
    };
    let mut spans = vec![];
    spans.extend(part("Store", answer.store.ready, "answers", "does not answer", theme.bad));
    let is_failing = answer.backup.failure.is_some();
    let (missing, style) = if is_failing { ("failing", theme.bad) } else { ("not set up", theme.soft) };
    spans.extend(part("Backups", answer.backup.place.is_some() && !is_failing, "made", missing, style));
    spans.extend(part("Mail", answer.mail_configured, "by SMTP", "to the outbox folder", theme.warning));
    spans.extend(part("Payments", answer.billing_configured, "set up", "not set up", theme.soft));
    Line::from(spans)
}

fn log_lines(overview: &Overview, theme: &Theme) -> Vec<Line<'static>> {
    let Some(stats) = &overview.log_stats else {
        let why = overview.log_stats_failure.as_ref().map_or("", |refusal| refusal.text.as_str());
        return vec![Line::styled(format!(" Log: {why}"), theme.soft)];
    };
    let recent = &stats.recent_activity;
    let percent = recent.error_rate * 100.0;
    let mut head = vec![
        Span::styled(" Log, 24 hours ", theme.soft),
        Span::styled(number(recent.last_24_hours), theme.strong),
        Span::styled(" records, ", theme.soft),
        Span::styled(format!("{percent:.1} % errors"), if percent >= 5.0 { theme.bad } else { theme.strong }),
    ];
    if stats.dropped > 0 {
        head.push(Span::styled(format!(", {} dropped", number(stats.dropped)), theme.warning));
    }
    let mut lines = vec![Line::from(head)];
    for (level, style) in
        [(LogLevel::Error, theme.bad), (LogLevel::Warning, theme.warning), (LogLevel::Info, theme.soft)]
    {
        let hours = stats.hourly.get(level.as_str()).map_or(&[][..], Vec::as_slice);
        let total: u64 = hours.iter().sum();
        lines.push(Line::from(vec![
            Span::styled(format!(" {:<NAME$}", level.as_str()), theme.soft),
            Span::styled(format!("{:>FIGURE$}", number(total)), theme.strong),
            Span::raw("   "),
            Span::styled(spark(hours.iter().map(|count| *count as f64), HOURS, &theme.glyphs), style),
        ]));
    }
    lines
}
