//! The help, made from the keymap.

use ratatui::{
    Frame,
    layout::Rect,
    text::{Line, Span},
    widgets::{Clear, Padding, Paragraph},
};

use crate::{
    keymap::{self, Context},
    theme::Theme,
};

/// Every context where there is room for all, else the present one and what holds everywhere.
pub fn draw(frame: &mut Frame, area: Rect, context: Context, theme: &Theme) {
    let all = lines(&Context::ALL, theme);
    let lines =
        if all.len() + 2 <= usize::from(area.height) { all } else { lines(&[context, Context::Everywhere], theme) };
    let width = (lines.iter().map(Line::width).max().unwrap_or(0) as u16 + 6).min(area.width);
    let height = (lines.len() as u16 + 2).min(area.height);
    let place = Rect { x: area.x + (area.width - width) / 2, y: area.y + (area.height - height) / 2, width, height };
    let block = super::framed(theme).title(Span::styled(" Keys ", theme.accent)).padding(Padding::horizontal(2));
    frame.render_widget(Clear, place);
    frame.render_widget(Paragraph::new(lines).block(block), place);
}

fn lines(contexts: &[Context], theme: &Theme) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    for context in contexts {
        if !lines.is_empty() {
            lines.push(Line::raw(""));
        }
        lines.push(Line::styled(context.title(), theme.strong));
        for binding in keymap::bindings(*context) {
            let keys: Vec<_> = binding.keys.iter().map(|key| key.name(theme.glyphs.ascii)).collect();
            lines.push(Line::from(vec![
                Span::styled(format!("{:<13}", keys.join(" ")), theme.accent),
                Span::raw(binding.does),
            ]));
        }
    }
    lines
}
