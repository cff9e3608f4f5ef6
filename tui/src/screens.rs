//! What the operator sees, drawn from the state alone.

mod board;
mod dialogs;
mod events;
mod games;
mod help;
pub mod hits;
mod list;
mod logs;
mod notice;
mod overview;
mod replay;
mod trail;
mod users;

use morpion_shell::escape;
use ratatui::{
    Frame,
    buffer::Buffer,
    layout::{Constraint, Layout, Rect},
    text::{Line, Span},
    widgets::{Block, Clear, Padding, Paragraph, Wrap},
};
use unicode_width::UnicodeWidthStr;

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
use hits::{Hits, Target};

/// The smallest terminal that everything can be used in.
pub const SMALLEST: (u16, u16) = (40, 12);

/// Whether so many columns and rows are enough to draw in.
pub fn has_room((columns, rows): (u16, u16)) -> bool {
    columns >= SMALLEST.0 && rows >= SMALLEST.1
}

/// Below so many columns what is good to know gives way to what is needed.
const NARROW: u16 = 64;

pub use help::lines as help_lines;

/// Draws the whole screen; answers where what lies.
pub fn draw(frame: &mut Frame, app: &App, theme: &Theme) -> Hits {
    let mut hits = Hits::default();
    let area = frame.area();
    if !has_room((area.width, area.height)) {
        too_small(frame, area, app, theme);
        return hits;
    }
    let has_banner = !matches!(app.connection, Connection::Connected);
    let [header, tabs, banner, body, footer] = Layout::vertical([
        Constraint::Length(1),
        Constraint::Length(1),
        Constraint::Length(has_banner.into()),
        Constraint::Min(0),
        Constraint::Length(1),
    ])
    .areas(area);
    draw_header(frame, header, app, theme);
    draw_tabs(frame, tabs, app, theme, &mut hits);
    if has_banner {
        frame.render_widget(connection_line(app, theme), banner);
    }
    match (&app.connection, &app.watch, &app.replay) {
        (Connection::Unauthorized { why, .. }, _, _) => notice::unauthorized(frame, body, app, why, theme),
        (_, Some(watch), _) => board::draw(frame, body, app, watch, theme),
        (_, None, Some(replay)) => replay::draw(frame, body, replay, theme),
        (_, None, None) => match app.tab {
            Tab::Overview => overview::draw(frame, body, app, theme),
            Tab::Events => events::draw(frame, body, app, theme, &mut hits),
            Tab::Games => games::draw(frame, body, app, theme, &mut hits),
            Tab::Logs => logs::draw(frame, body, app, theme, &mut hits),
            Tab::Users => users::draw(frame, body, app, theme, &mut hits),
            Tab::Audit => trail::draw_audit(frame, body, app, theme, &mut hits),
            Tab::Subscriptions => trail::draw_subscriptions(frame, body, app, theme, &mut hits),
        },
    }
    draw_footer(frame, footer, app, theme);
    if let Some(dialog) = &app.dialog {
        dialogs::draw(frame, body, app, dialog, theme, &mut hits);
    }
    if app.is_help_open {
        help::draw(frame, body, app.context(), app.help_from, theme);
    }
    draw_toasts(frame, body, app, theme);
    make_safe(frame.buffer_mut());
    hits
}

/// Whatever a stranger wrote into what is drawn, nothing of it moves the cursor or turns the text around. Where it matters
/// such characters are written out; here the last of them go.
fn make_safe(buffer: &mut Buffer) {
    for cell in &mut buffer.content {
        if cell.symbol().chars().any(escape::is_unsafe) {
            let safe: String = cell.symbol().chars().filter(|char| !escape::is_unsafe(*char)).collect();
            cell.set_symbol(if safe.is_empty() { " " } else { &safe });
        }
    }
}

fn too_small(frame: &mut Frame, area: Rect, app: &App, theme: &Theme) {
    let (columns, rows) = SMALLEST;
    let by = theme.glyphs.by;
    let end = if app.is_typing() { "Ctrl-c" } else { "q" };
    let mut lines = vec![
        Line::styled("Morpion", theme.accent),
        Line::raw(format!("needs {columns}{by}{rows},")),
        Line::raw(format!("has {}{by}{}.", area.width, area.height)),
    ];
    if app.is_help_open {
        lines.truncate(1);
        lines.extend([
            Line::raw(format!("{end} quits, ? closes this.")),
            Line::raw("Until there is room all other keys do nothing."),
        ]);
    } else {
        lines.push(Line::styled(format!("{end} quits, ? helps"), theme.soft));
    }
    let width = usize::from(area.width).max(1);
    let taken: usize = lines.iter().map(|line| line.width().div_ceil(width).max(1)).sum();
    let top = area.height.saturating_sub(taken as u16) / 2;
    let place = Rect { y: area.y + top, height: area.height - top, ..area };
    frame.render_widget(Paragraph::new(lines).centered().wrap(Wrap { trim: true }), place);
}

fn draw_header(frame: &mut Frame, area: Rect, app: &App, theme: &Theme) {
    let (glyph, word, style) = match &app.connection {
        Connection::Connected => (theme.glyphs.here, "connected", theme.good),
        Connection::Connecting => (theme.glyphs.away, "connecting", theme.warning),
        Connection::Lost { .. } => (theme.glyphs.away, "disconnected", theme.bad),
        Connection::Unauthorized { .. } => (theme.glyphs.away, "not let in", theme.bad),
    };
    let status = format!("{glyph} {word} ");
    let taken = status.width() + " Morpion  ".len() + if app.options.is_read_only { "  read-only".len() } else { 0 };
    let room = usize::from(area.width).saturating_sub(taken + 1);
    let mut left = vec![
        Span::styled(" Morpion", theme.accent.patch(theme.strong)),
        Span::raw("  "),
        Span::styled(fit(app.server_name(), room, theme.glyphs.ellipsis), theme.soft),
    ];
    if app.options.is_read_only {
        left.push(Span::styled("  read-only", theme.warning));
    }
    frame.render_widget(Line::from(left), area);
    frame.render_widget(Line::styled(status, style).right_aligned(), area);
}

/// The tabs stand in the rule below the header. Where there is no room for all titles, only the
/// present one has its own.
fn draw_tabs(frame: &mut Frame, area: Rect, app: &App, theme: &Theme, hits: &mut Hits) {
    let rule = theme.glyphs.rule;
    let name = |at: usize, tab: Tab, is_whole: bool| {
        let needs = tab == Tab::Overview && !app.overview.attention(app.logs.stats.as_ref()).is_empty();
        let mark = if needs { "!" } else { "" };
        if is_whole { format!(" {} {}{mark} ", at + 1, tab.title()) } else { format!(" {}{mark} ", at + 1) }
    };
    let all: usize = Tab::ALL.iter().enumerate().map(|(at, tab)| name(at, *tab, true).width() + 1).sum();
    let has_room = all < usize::from(area.width);
    frame.render_widget(Span::styled(rule.repeat(area.width.into()), theme.rule), area);
    let mut x = area.x + 1;
    for (at, tab) in Tab::ALL.iter().enumerate() {
        let is_present = *tab == app.tab;
        let text = name(at, *tab, has_room || is_present);
        let width = text.width() as u16;
        let place = Rect { x, width: width.min(area.right().saturating_sub(x)), ..area };
        let style = if is_present { theme.accent.patch(theme.selected) } else { theme.soft };
        frame.render_widget(Span::styled(text, style), place);
        hits.add(place, Target::Tab(*tab));
        x += width + 1;
    }
}

/// The parts of a page that one goes between with the arrows.
fn sections<S: Copy + PartialEq>(titles: &[(S, &str)], present: S, theme: &Theme) -> Line<'static> {
    let mut spans = vec![Span::raw(" ")];
    for (section, title) in titles {
        let is_present = *section == present;
        let (style, mark) =
            if is_present { (theme.accent.patch(theme.strong), theme.glyphs.turn) } else { (theme.soft, " ") };
        spans.push(Span::styled(format!("{mark} {title}   "), style));
    }
    Line::from(spans)
}

/// What the connection does, while there is none.
fn connection_line<'a>(app: &App, theme: &Theme) -> Line<'a> {
    let text = match &app.connection {
        Connection::Connected => String::new(),
        Connection::Connecting => format!(" Connecting to {}{}", app.server_name(), theme.glyphs.ellipsis),
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

/// The keys of this place, and how to leave it. Those that hold everywhere have their room first.
fn draw_footer(frame: &mut Frame, area: Rect, app: &App, theme: &Theme) {
    let hints = |context: Context| keymap::bindings(context).filter(|binding| !binding.hint.is_empty());
    let text = |binding: &keymap::Binding| {
        [
            Span::styled(binding.keys[0].name(theme.glyphs.ascii), theme.accent),
            Span::styled(format!(" {}  ", binding.hint), theme.soft),
        ]
    };
    let width = |binding: &keymap::Binding| text(binding).iter().map(Span::width).sum::<usize>();
    // A narrow terminal has no room for what one finds in the help.
    let is_narrow = area.width < NARROW;
    let is_needed = |binding: &&keymap::Binding| {
        !is_narrow || matches!(binding.command, keymap::Command::Help | keymap::Command::Quit)
    };
    let everywhere: Vec<_> = hints(Context::Everywhere).filter(is_needed).collect();
    let mut room =
        usize::from(area.width).saturating_sub(1 + everywhere.iter().map(|binding| width(binding)).sum::<usize>());
    let mut spans = vec![Span::raw(" ")];
    let here = app.context().layers().iter().filter(|layer| **layer != Context::Everywhere);
    for binding in here.flat_map(|layer| hints(*layer)) {
        // In read-only mode there is nothing to make.
        let is_write =
            app.options.is_read_only && matches!(binding.command, keymap::Command::New | keymap::Command::Edit);
        let needed = width(binding);
        if needed > room || is_write {
            continue;
        }
        room -= needed;
        spans.extend(text(binding));
    }
    spans.extend(everywhere.into_iter().flat_map(text));
    frame.render_widget(Line::from(spans), area);
}

fn draw_toasts(frame: &mut Frame, body: Rect, app: &App, theme: &Theme) {
    let width = body.width.min(64);
    let mut bottom = body.bottom();
    for toast in app.toasts.iter().rev() {
        let style = match toast.level {
            Level::Done => theme.good,
            Level::Warning => theme.warning,
            Level::Error => theme.bad,
        };
        let text = escape::line(&toast.text);
        let paragraph = Paragraph::new(text.as_ref())
            .wrap(Wrap { trim: true })
            .block(framed(theme).border_style(style).padding(Padding::horizontal(1)));
        let inner = usize::from(width - 4).max(1);
        let rows = (unicode_width::UnicodeWidthStr::width(text.as_ref()).div_ceil(inner) as u16 + 2).min(6);
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
