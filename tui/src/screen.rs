//! What the operator sees, drawn from the state alone.

use morpion_shell::escape;
use ratatui::{
    Frame,
    buffer::Buffer,
    layout::{Constraint, Layout, Rect},
    text::{Line, Span},
    widgets::{Clear, Padding, Paragraph, Wrap},
};
use unicode_width::UnicodeWidthStr;

use crate::{
    app::App,
    connection::{Connection, seconds_until},
    context::{MIN_SIZE, has_room},
    dialog, help,
    hit_testing::{ClickTarget, ClickTargets},
    keymap::{self, Binding, KeyAction},
    pages,
    tabs::TabId,
    theme::Theme,
    toast::Level,
    widgets::{
        block::{LOW, NARROW, framed},
        notice,
        text::{self, fit},
    },
};

/// Draws the whole screen; returns what can be clicked where.
pub fn draw(frame: &mut Frame, app: &App, theme: &Theme) -> ClickTargets {
    let mut targets = ClickTargets::default();
    let area = frame.area();
    if !has_room((area.width, area.height)) {
        too_small(frame, area, app, theme);
        return targets;
    }
    let has_banner = !matches!(app.context.connection, Connection::Connected);
    let [header, tabs, banner, body, footer] = Layout::vertical([
        Constraint::Length(1),
        Constraint::Length(1),
        Constraint::Length(has_banner.into()),
        Constraint::Min(0),
        Constraint::Length(1),
    ])
    .areas(area);
    draw_header(frame, header, app, theme);
    draw_tabs(frame, tabs, app, theme, &mut targets);
    if has_banner {
        frame.render_widget(connection_line(app, theme), banner);
    }
    let context = &app.context;
    match (&context.connection, &app.watch, &app.replay) {
        (Connection::Unauthorized { why, .. }, _, _) => unauthorized(frame, body, app, why, theme),
        (_, Some(watch), _) => pages::watch::view::draw(frame, body, context, watch, theme),
        (_, None, Some(replay)) => pages::replay::view::draw(frame, body, replay, theme),
        (_, None, None) => app.tabs.get(app.tab).draw(frame, body, context, theme, &mut targets),
    }
    draw_footer(frame, footer, app, theme);
    if let Some(dialog) = &app.dialog {
        dialog::view::draw(frame, body, context, dialog, theme, &mut targets);
    }
    if app.is_help_open {
        let (layers, own) = (app.key_layers(), app.own_commands());
        help::draw(frame, body, (&layers, &own), &app.context.options.keys, app.help_from, theme);
    }
    draw_toasts(frame, body, app, theme);
    make_safe(frame.buffer_mut());
    targets
}

/// The last safeguard against hostile texts: no cell contains characters that a terminal interprets. Where it matters
/// they are escaped before; here the rest is removed.
fn make_safe(buffer: &mut Buffer) {
    for cell in &mut buffer.content {
        if cell.symbol().chars().any(escape::is_unsafe) {
            let safe: String = cell.symbol().chars().filter(|char| !escape::is_unsafe(*char)).collect();
            cell.set_symbol(if safe.is_empty() { " " } else { &safe });
        }
    }
}

fn too_small(frame: &mut Frame, area: Rect, app: &App, theme: &Theme) {
    let (columns, rows) = MIN_SIZE;
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
            Line::raw("Other keys do nothing until there is more room."),
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
    let (glyph, word, style) = match &app.context.connection {
        Connection::Connected => (theme.glyphs.here, "connected", theme.good),
        Connection::Connecting => (theme.glyphs.away, "connecting", theme.warning),
        Connection::Lost { .. } => (theme.glyphs.away, "disconnected", theme.bad),
        Connection::Unauthorized { .. } => (theme.glyphs.away, "not let in", theme.bad),
    };
    let status = format!("{glyph} {word} ");
    let taken =
        status.width() + " Morpion  ".len() + if app.context.options.is_read_only { "  read-only".len() } else { 0 };
    let room = usize::from(area.width).saturating_sub(taken + 1);
    let mut left = vec![
        Span::styled(" Morpion", theme.accent.patch(theme.strong)),
        Span::raw("  "),
        Span::styled(fit(app.context.server_name(), room, theme.glyphs.ellipsis), theme.soft),
    ];
    if app.context.options.is_read_only {
        left.push(Span::styled("  read-only", theme.warning));
    }
    frame.render_widget(Line::from(left), area);
    frame.render_widget(Line::styled(status, style).right_aligned(), area);
}

/// The tabs are in the rule below the header. Where there is no room for all titles, only the
/// present one has its own.
fn draw_tabs(frame: &mut Frame, area: Rect, app: &App, theme: &Theme, targets: &mut ClickTargets) {
    let rule = theme.glyphs.rule;
    let name = |id: TabId, is_whole: bool| {
        let (tab, number) = (app.tabs.get(id), id.digit());
        let mark = if tab.needs_attention() { "!" } else { "" };
        if is_whole { format!(" {number} {}{mark} ", tab.title()) } else { format!(" {number}{mark} ") }
    };
    let width = usize::from(area.width);
    let has_room = app.named_tabs().map(|id| name(id, true).width()).sum::<usize>() < width;
    let names: Vec<_> = app.named_tabs().map(|id| (id, name(id, has_room || id == app.tab))).collect();
    // A piece of the rule is between them where there is room for all with it, but for the space after the last.
    let taken: usize = names.iter().map(|(_, name)| name.width() + 1).sum();
    let gap = u16::from(taken <= width + 1);
    frame.render_widget(Span::styled(rule.repeat(width), theme.rule), area);
    let mut x = area.x + 1;
    for (id, name) in names {
        let width = name.width() as u16;
        let place = Rect { x, width: width.min(area.right().saturating_sub(x)), ..area };
        let style = if id == app.tab { theme.accent.patch(theme.selected) } else { theme.soft };
        frame.render_widget(Span::styled(name, style), place);
        targets.add(place, ClickTarget::Tab(id.index()));
        x += width + gap;
    }
}

/// The state of the connection, while it is not established.
fn connection_line<'a>(app: &App, theme: &Theme) -> Line<'a> {
    let refresh = app.context.options.keys.name(KeyAction::Refresh, theme.glyphs.ascii);
    let text = match &app.context.connection {
        Connection::Connected => String::new(),
        Connection::Connecting => format!(" Connecting to {}{}", app.context.server_name(), theme.glyphs.ellipsis),
        Connection::Lost { why, is_trying: true, .. } => format!(" Trying again now. {why}"),
        Connection::Lost { why, retry_at, attempts, .. } => {
            let times = if *attempts > 1 { format!(", {attempts} tries failed") } else { String::new() };
            format!(
                " Trying again in {} s{times}; {refresh} tries now. {why}",
                seconds_until(*retry_at, app.context.now)
            )
        }
        Connection::Unauthorized { retry_at, .. } => {
            format!(
                " The server did not let this console in. Looking again in {} s; {refresh} looks now.",
                seconds_until(*retry_at, app.context.now)
            )
        }
    };
    text::escaped(Line::styled(text, theme.warning))
}

/// The keys that apply here. Global ones get room first.
fn draw_footer(frame: &mut Frame, area: Rect, app: &App, theme: &Theme) {
    let chosen = &app.context.options.keys;
    let text = |binding: &Binding| {
        [
            Span::styled(chosen.of(binding)[0].name(theme.glyphs.ascii), theme.accent),
            Span::styled(format!(" {}  ", binding.hint), theme.soft),
        ]
    };
    let width = |binding: &Binding| text(binding).iter().map(Span::width).sum::<usize>();
    // A narrow terminal has no room for what one finds in the help.
    let is_narrow = area.width < NARROW;
    let is_needed = |binding: &&Binding| !is_narrow || matches!(binding.action, KeyAction::Help | KeyAction::Quit);
    let everywhere: Vec<_> = keymap::EVERYWHERE.hints().filter(is_needed).collect();
    let mut room =
        usize::from(area.width).saturating_sub(1 + everywhere.iter().map(|binding| width(binding)).sum::<usize>());
    let mut spans = vec![Span::raw(" ")];
    let layers = app.key_layers();
    // The last table is the global one.
    let here = &layers[..layers.len() - 1];
    for binding in here.iter().flat_map(|keys| keys.hints()) {
        // In read-only mode there is nothing to make.
        let is_write = app.context.options.is_read_only && binding.action.is_write();
        let needed = width(binding);
        if needed > room || is_write {
            continue;
        }
        room -= needed;
        spans.extend(text(binding));
    }
    for own in app.own_commands() {
        let key = Span::styled(own.key.name(theme.glyphs.ascii), theme.accent);
        let title = Span::styled(format!(" {}  ", own.title), theme.soft);
        let needed = key.width() + title.width();
        if needed <= room && (own.readonly || !app.context.options.is_read_only) {
            room -= needed;
            spans.extend([key, title]);
        }
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

/// The server did not let us in: how to make a token.
fn unauthorized(frame: &mut Frame, area: Rect, app: &App, why: &str, theme: &Theme) {
    let is_low = area.height < LOW;
    let mut lines = vec![
        Line::styled(format!("This console has no valid token for {}.", app.context.server_name()), theme.strong),
        Line::raw(""),
        Line::styled(why.to_owned(), theme.soft),
        Line::raw(""),
        Line::raw("Make one on the server's machine:"),
        Line::styled("morpion token create console --scope all > FILE", theme.accent),
        Line::raw("and start the console with"),
        Line::styled("morpion-tui --token-file FILE", theme.accent),
        Line::raw(""),
        Line::styled("A token file is picked up as soon as it appears.", theme.soft),
    ];
    if is_low {
        lines = lines.into_iter().enumerate().filter(|(at, _)| [2, 5, 7].contains(at)).map(|(_, line)| line).collect();
    }
    notice::centered(frame, area, lines);
}
