//! A few lines in the middle of an area: why there is nothing to see.

use ratatui::{
    Frame,
    layout::Rect,
    text::Line,
    widgets::{Paragraph, Wrap},
};

use super::{block::NARROW, text};

/// Some lines in the middle of the area.
pub fn centered(frame: &mut Frame, area: Rect, lines: Vec<Line>) {
    let margin = if area.width < NARROW { 2 } else { 8 };
    let width = area.width.saturating_sub(margin).min(72);
    let lines: Vec<_> = lines.into_iter().map(text::escaped).collect();
    let rows: u16 = lines.iter().map(|line| line.width().div_ceil(usize::from(width.max(1))).max(1) as u16).sum();
    let place = Rect {
        x: area.x + (area.width - width) / 2,
        y: area.y + area.height.saturating_sub(rows) / 2,
        width,
        height: rows.min(area.height),
    };
    frame.render_widget(Paragraph::new(lines).centered().wrap(Wrap { trim: true }), place);
}
