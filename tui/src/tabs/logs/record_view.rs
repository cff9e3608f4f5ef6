//! One log record in full.

use morpion_openapi::{Timestamp, logger::ClaimedField};
use morpion_shell::escape;
use ratatui::{
    Frame,
    layout::Rect,
    text::{Line, Span},
    widgets::Paragraph,
};

use super::view::{level_style, shown};
use crate::{log::record::Record, theme::Theme, widgets::text::fit};

/// One record in full, from a line on.
pub fn draw(frame: &mut Frame, area: Rect, record: &Record, from: u16, theme: &Theme) {
    let area = Rect { x: area.x + 1, width: area.width.saturating_sub(2), ..area };
    let (word, style) = level_style(record.level, theme);
    let at = Timestamp::from_millis(record.at).utc().format("%Y-%m-%d %H:%M:%S%.3f UTC").to_string();
    let mut lines = vec![
        Line::from(vec![
            Span::styled(format!("{word} "), style.patch(theme.strong)),
            Span::raw(at),
            Span::styled(
                format!("   part {}   from {}", escape::line(&record.service), escape::line(&record.platform)),
                theme.soft,
            ),
        ]),
        Line::raw(""),
    ];
    let width = usize::from(area.width).max(1);
    lines.extend(whole(&record.message, width).into_iter().map(|line| Line::styled(line, theme.strong)));
    lines.push(Line::raw(""));
    let mut facts = vec![("id", record.id.to_string())];
    if let Some(details) = record.details.as_deref() {
        facts.extend(details.claimed.iter().map(|fields| ("claimed", claims(fields))));
        facts.extend(details.request_id.iter().map(|id| ("request", id.to_string())));
        facts.extend(details.user_id.iter().map(|id| ("user", id.to_string())));
        facts.extend(details.session_id.iter().map(|id| ("session", id.to_string())));
        facts.extend(details.file_name.iter().map(|name| ("file", name.to_string())));
    }
    facts.extend(record.game_id().map(|id| ("game", id.to_string())));
    lines.extend(facts.into_iter().map(|(name, value)| {
        Line::from(vec![
            Span::styled(format!("{name:<9}"), theme.soft),
            Span::raw(fit(&value, width - 9, theme.glyphs.ellipsis)),
        ])
    }));
    let texts = record.details.iter().flat_map(|details| [("Context", &details.context), ("Stack", &details.stack)]);
    for (title, text) in texts {
        if let Some(text) = text {
            lines.extend([Line::raw(""), Line::styled(title, theme.accent)]);
            lines.extend(whole(&pretty(text), width).into_iter().map(Line::raw));
        }
    }
    // The end stays in sight.
    let from = from.min((lines.len() as u16).saturating_sub(area.height));
    frame.render_widget(Paragraph::new(lines).scroll((from, 0)), area);
}

/// What only the client says: anybody can write there what they like.
fn claims(fields: &[ClaimedField]) -> String {
    let words = fields.iter().map(|field| match field {
        ClaimedField::Platform => "platform",
        ClaimedField::SessionId => "session",
        ClaimedField::RequestId => "request",
    });
    format!("by the client: {}", words.collect::<Vec<_>>().join(", "))
}

/// JSON as people read it; anything else as it is.
fn pretty(text: &str) -> String {
    let value: Option<serde_json::Value> = serde_json::from_str(text).ok();
    value
        .filter(|value| value.is_object() || value.is_array())
        .and_then(|value| serde_json::to_string_pretty(&value).ok())
        .unwrap_or_else(|| text.to_owned())
}

/// A text of several lines, wrapped.
fn whole(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![];
    for line in text.lines() {
        let (mut current, mut used) = (String::new(), 0);
        for (char, columns) in line.chars().flat_map(shown) {
            if used + columns > width {
                lines.push(std::mem::take(&mut current));
                used = 0;
            }
            current.push(char);
            used += columns;
        }
        lines.push(current);
    }
    lines
}
