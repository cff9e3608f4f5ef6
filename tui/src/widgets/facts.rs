//! Names and values below each other, in as many lines as they need.

use ratatui::{
    Frame,
    layout::Rect,
    style::Style,
    text::{Line, Span},
    widgets::Paragraph,
};

use super::text::wrapped;
use crate::theme::Theme;

/// Columns of a name.
const LABEL: usize = 13;

pub fn fact(name: &str, value: &str, style: Style, width: u16, theme: &Theme) -> Vec<Line<'static>> {
    let room = usize::from(width).saturating_sub(LABEL + 2).max(1);
    let lines = wrapped(value, room).into_iter().enumerate();
    let label = |at| if at == 0 { format!(" {name:<LABEL$}") } else { " ".repeat(LABEL + 1) };
    lines.map(|(at, line)| Line::from(vec![Span::styled(label(at), theme.soft), Span::styled(line, style)])).collect()
}

/// From a line on.
pub fn draw(frame: &mut Frame, area: Rect, lines: Vec<Line<'static>>, from: u16) {
    // The end stays in sight.
    let from = from.min((lines.len() as u16).saturating_sub(area.height));
    frame.render_widget(Paragraph::new(lines).scroll((from, 0)), area);
}
