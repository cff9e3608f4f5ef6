//! What the operator sees, drawn from the state alone.

mod board;
mod games;
mod help;
mod notice;

use ratatui::{
    Frame,
    layout::{Constraint, Layout, Rect},
    text::{Line, Span},
    widgets::{Block, Clear, Padding, Paragraph, Wrap},
};

use crate::{
    app::{
        App, Tab,
        connection::{Connection, seconds_until},
        toast::Level,
    },
    keymap::{self, Context},
    theme::Theme,
    widgets::text::fit,
};

/// The smallest terminal that shows everything.
pub const SMALLEST: (u16, u16) = (64, 20);

/// Draws the whole screen.
pub fn draw(frame: &mut Frame, app: &App, theme: &Theme) {
    let area = frame.area();
    if area.width < SMALLEST.0 || area.height < SMALLEST.1 {
        return too_small(frame, area, theme);
    }
    let has_banner = !matches!(app.connection, Connection::Connected);
    let [header, rule, banner, body, footer] = Layout::vertical([
        Constraint::Length(1),
        Constraint::Length(1),
        Constraint::Length(has_banner.into()),
        Constraint::Min(0),
        Constraint::Length(1),
    ])
    .areas(area);
    draw_header(frame, header, app, theme);
    frame.render_widget(Span::styled(theme.glyphs.rule.repeat(rule.width.into()), theme.rule), rule);
    if has_banner {
        frame.render_widget(connection_line(app, theme), banner);
    }
    match (&app.connection, &app.watch) {
        (Connection::Unauthorized { why, .. }, _) => notice::unauthorized(frame, body, app, why, theme),
        (_, Some(watch)) => board::draw(frame, body, app, watch, theme),
        (_, None) => match app.tab {
            Tab::Games => games::draw(frame, body, app, theme),
        },
    }
    draw_footer(frame, footer, app, theme);
    if app.is_help_open {
        help::draw(frame, body, app.context(), theme);
    }
    draw_toasts(frame, body, app, theme);
}

fn too_small(frame: &mut Frame, area: Rect, theme: &Theme) {
    let (columns, rows) = SMALLEST;
    let by = theme.glyphs.by;
    let lines = [
        Line::styled("Morpion", theme.accent),
        Line::raw(format!("needs {columns}{by}{rows},")),
        Line::raw(format!("has {}{by}{}.", area.width, area.height)),
    ];
    let top = area.height.saturating_sub(lines.len() as u16) / 2;
    let place = Rect { y: area.y + top, height: area.height - top, ..area };
    frame.render_widget(Paragraph::new(lines.to_vec()).centered().wrap(Wrap { trim: true }), place);
}

fn draw_header(frame: &mut Frame, area: Rect, app: &App, theme: &Theme) {
    let mut left = vec![Span::styled(" Morpion", theme.accent.patch(theme.strong))];
    for tab in Tab::ALL {
        let style = if *tab == app.tab { theme.strong } else { theme.soft };
        left.push(Span::styled(format!("   {}", tab.title()), style));
    }
    let (glyph, word, style) = match &app.connection {
        Connection::Connected => (theme.glyphs.here, "connected", theme.good),
        Connection::Connecting => (theme.glyphs.away, "connecting", theme.warning),
        Connection::Lost { .. } => (theme.glyphs.away, "disconnected", theme.bad),
        Connection::Unauthorized { .. } => (theme.glyphs.away, "not let in", theme.bad),
    };
    let room = usize::from(area.width).saturating_sub(45);
    let right = Line::from(vec![
        Span::styled(fit(&app.server_name, room, theme.glyphs.ellipsis), theme.soft),
        Span::raw("  "),
        Span::styled(format!("{glyph} {word} "), style),
    ]);
    frame.render_widget(Line::from(left), area);
    frame.render_widget(right.right_aligned(), area);
}

/// What the connection does, while there is none.
fn connection_line<'a>(app: &App, theme: &Theme) -> Line<'a> {
    let text = match &app.connection {
        Connection::Connected => String::new(),
        Connection::Connecting => format!(" Connecting to {}{}", app.server_name, theme.glyphs.ellipsis),
        Connection::Lost { why, is_trying: true, .. } => format!(" Trying again now. {why}"),
        Connection::Lost { why, retry_at, attempts, .. } => {
            let times = if *attempts > 1 { format!(", {attempts} tries failed") } else { String::new() };
            format!(" Trying again in {} s{times}; r tries now. {why}", seconds_until(*retry_at, app.now))
        }
        Connection::Unauthorized { retry_at, .. } => {
            format!(
                " The server did not let this console in. Looking again in {} s; r looks now.",
                seconds_until(*retry_at, app.now)
            )
        }
    };
    Line::styled(text, theme.warning)
}

fn draw_footer(frame: &mut Frame, area: Rect, app: &App, theme: &Theme) {
    let context = app.context();
    let mut spans = vec![Span::raw(" ")];
    let everywhere = keymap::bindings(Context::Everywhere);
    for binding in keymap::bindings(context).chain(everywhere).filter(|binding| !binding.hint.is_empty()) {
        let key = binding.keys[0].name(theme.glyphs.ascii);
        spans.push(Span::styled(key, theme.accent));
        spans.push(Span::styled(format!(" {}   ", binding.hint), theme.soft));
    }
    frame.render_widget(Line::from(spans), area);
}

fn draw_toasts(frame: &mut Frame, body: Rect, app: &App, theme: &Theme) {
    let width = body.width.min(64);
    let mut bottom = body.bottom();
    for toast in app.toasts.iter().rev() {
        let style = match toast.level {
            Level::Warning => theme.warning,
            Level::Error => theme.bad,
        };
        let paragraph = Paragraph::new(toast.text.as_str())
            .wrap(Wrap { trim: true })
            .block(framed(theme).border_style(style).padding(Padding::horizontal(1)));
        let inner = usize::from(width - 4).max(1);
        let rows = (unicode_width::UnicodeWidthStr::width(toast.text.as_str()).div_ceil(inner) as u16 + 2).min(6);
        let Some(top) = bottom.checked_sub(rows).filter(|top| *top >= body.top()) else { return };
        let area = Rect { x: body.right() - width, y: top, width, height: rows };
        frame.render_widget(Clear, area);
        frame.render_widget(paragraph, area);
        bottom = top;
    }
}

/// A frame, for what lies above something else.
fn framed(theme: &Theme) -> Block<'static> {
    const ASCII: ratatui::symbols::border::Set = ratatui::symbols::border::Set {
        top_left: "+",
        top_right: "+",
        bottom_left: "+",
        bottom_right: "+",
        vertical_left: "|",
        vertical_right: "|",
        horizontal_top: "-",
        horizontal_bottom: "-",
    };
    let set = if theme.glyphs.ascii { ASCII } else { ratatui::symbols::border::ROUNDED };
    Block::bordered().border_set(set).border_style(theme.rule)
}
