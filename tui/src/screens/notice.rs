//! Screens that say why there is nothing to see.

use ratatui::{
    Frame,
    layout::Rect,
    text::Line,
    widgets::{Paragraph, Wrap},
};

use super::events::LOW;
use crate::{app::App, theme::Theme};

/// Some lines in the middle of the area.
pub fn middle(frame: &mut Frame, area: Rect, lines: Vec<Line>) {
    let margin = if area.width < super::NARROW { 2 } else { 8 };
    let width = area.width.saturating_sub(margin).min(72);
    let rows: u16 = lines.iter().map(|line| line.width().div_ceil(usize::from(width.max(1))).max(1) as u16).sum();
    let place = Rect {
        x: area.x + (area.width - width) / 2,
        y: area.y + area.height.saturating_sub(rows) / 2,
        width,
        height: rows.min(area.height),
    };
    frame.render_widget(Paragraph::new(lines).centered().wrap(Wrap { trim: true }), place);
}

/// The server did not let us in: how to make a token.
pub fn unauthorized(frame: &mut Frame, area: Rect, app: &App, why: &str, theme: &Theme) {
    let is_low = area.height < LOW;
    let mut lines = vec![
        Line::styled(format!("This console has no valid token for {}.", app.server_name()), theme.strong),
        Line::raw(""),
        Line::styled(why.to_owned(), theme.soft),
        Line::raw(""),
        Line::raw("Make one on the server's machine:"),
        Line::styled("morpion token create console > FILE", theme.accent),
        Line::raw("and start the console with"),
        Line::styled("morpion-tui --token-file FILE", theme.accent),
        Line::raw(""),
        Line::styled("A token file that appears is taken up by itself.", theme.soft),
    ];
    if is_low {
        lines = lines.into_iter().enumerate().filter(|(at, _)| [2, 5, 7].contains(at)).map(|(_, line)| line).collect();
    }
    middle(frame, area, lines);
}
