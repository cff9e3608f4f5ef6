//! The table of live games.

use morpion_openapi::game::{Game, GameStatus, GameType, Symbol};
use ratatui::{
    Frame,
    layout::{Alignment, Constraint, Layout, Rect},
    style::Style,
    text::{Line, Span, Text},
    widgets::{Cell, Row, Table},
};
use unicode_width::UnicodeWidthStr;

use super::{
    hits::{Hits, Target},
    notice,
};
use crate::{
    app::{
        App,
        connection::Connection,
        live_games::{LiveGames, MOST_ROWS, Sort, short_id},
        table::Listing,
    },
    theme::Theme,
    widgets::text::{age, fit},
};

/// From this width on the table has a column for the kind of game.
const WIDE: u16 = 110;
/// A username has at most 20 characters.
const LONGEST_NAME: usize = 20;
/// Columns between two columns.
const GAP: u16 = 2;

pub fn draw(frame: &mut Frame, area: Rect, app: &App, theme: &Theme, hits: &mut Hits) {
    let games = &app.live_games;
    let [line, body] = Layout::vertical([Constraint::Length(1), Constraint::Min(0)]).areas(area);
    if !games.is_loaded {
        let ellipsis = theme.glyphs.ellipsis;
        let lines = match &app.connection {
            Connection::Connected => vec![Line::styled(format!("Asking for the live games{ellipsis}"), theme.soft)],
            Connection::Lost { why, .. } => vec![
                Line::styled(format!("{} cannot be reached.", app.server_name()), theme.strong),
                Line::styled(why.clone(), theme.soft),
            ],
            _ => vec![Line::styled(format!("Connecting to {}{ellipsis}", app.server_name()), theme.soft)],
        };
        return notice::middle(frame, body, lines);
    }
    frame.render_widget(summary(games, theme), line);
    if games.total() == 0 {
        let lines = vec![
            Line::styled("No live games right now.", theme.strong),
            Line::styled("One appears here as soon as somebody invites somebody.", theme.soft),
        ];
        notice::middle(frame, body, lines);
    } else if games.shown().len() == 0 {
        let lines = vec![
            Line::styled(format!("No live game fits '{}'.", games.filter), theme.strong),
            Line::styled("Esc drops the filter.", theme.soft),
        ];
        notice::middle(frame, body, lines);
    } else {
        table(frame, body, app, theme, hits);
    }
}

/// The line above the table: how many, which, in which order; or the filter being typed.
fn summary<'a>(games: &LiveGames, theme: &Theme) -> Line<'a> {
    let total = games.total();
    let mut spans = vec![Span::raw(" ")];
    if games.is_typing || !games.filter.is_empty() {
        let cursor = if games.is_typing { "_" } else { "" };
        spans.push(Span::styled(format!("/{}{cursor}", games.filter), theme.accent));
        spans.push(Span::styled(format!("   {} of {total} games", games.shown().len()), theme.soft));
    } else {
        let noun = if total == 1 { "game" } else { "games" };
        spans.push(Span::styled(format!("{total} {noun}"), theme.soft));
    }
    if games.beyond > 0 {
        spans.push(Span::styled(format!("   {} more than {MOST_ROWS} are not listed", games.beyond), theme.warning));
    }
    Line::from(spans)
}

fn table(frame: &mut Frame, area: Rect, app: &App, theme: &Theme, hits: &mut Hits) {
    let games = &app.live_games;
    let is_wide = area.width >= WIDE;
    let name = name_width(area.width, is_wide);
    let rows_shown = usize::from(area.height.saturating_sub(1));
    let chosen = games.chosen_index().unwrap_or(0);
    let first = super::list::first_shown(chosen, games.shown().len(), rows_shown);
    for (line, at) in (first..games.shown().len()).take(rows_shown).enumerate() {
        hits.add(Rect { y: area.y + 1 + line as u16, height: 1, ..area }, Target::Row(at));
    }
    let rows = games.shown().enumerate().skip(first).take(rows_shown).map(|(at, game)| {
        let row = Row::new(cells(game, app, name, at == chosen, is_wide, theme));
        if at == chosen { row.style(theme.strong) } else { row }
    });
    let widths = columns(name, is_wide).into_iter().map(Constraint::Length);
    let table = Table::new(rows, widths).column_spacing(GAP).header(header(games, is_wide, theme));
    frame.render_widget(table, area);
}

/// The columns of each name: what the other columns leave, for two players with their marks
/// (`X name  O name`).
fn name_width(width: u16, is_wide: bool) -> usize {
    let fixed: u16 = columns(0, is_wide).iter().map(|column| column + GAP).sum();
    (usize::from(width.saturating_sub(fixed)) / 2).min(LONGEST_NAME)
}

fn columns(name: usize, is_wide: bool) -> Vec<u16> {
    let players = 2 * (name as u16 + 2) + 2;
    let mut columns = vec![10, players, 4, 7];
    if is_wide {
        columns.push(10);
    }
    columns.extend([5, 5, 4, 6]);
    columns
}

fn header<'a>(games: &LiveGames, is_wide: bool, theme: &Theme) -> Row<'a> {
    let title = |name: &str, sort: Option<Sort>| {
        let is_sorted = sort == Some(games.sort);
        let arrow = match (is_sorted, games.is_reversed) {
            (false, _) => "",
            (true, false) => theme.glyphs.down,
            (true, true) => theme.glyphs.up,
        };
        let style = if is_sorted { theme.accent } else { theme.soft };
        Cell::from(Span::styled(format!("{name}{arrow}"), style))
    };
    let mut cells = vec![
        title("  Game", None),
        title("Players", Some(Sort::Players)),
        title("Size", Some(Sort::Size)),
        title("Status", Some(Sort::Status)),
    ];
    if is_wide {
        cells.push(title("Kind", None));
    }
    cells.extend([
        title("Moves", Some(Sort::Moves)),
        title("Draws", None),
        title("Turn", None),
        title("Age", Some(Sort::Age)),
    ]);
    Row::new(cells)
}

fn cells<'a>(game: &Game, app: &App, name: usize, is_chosen: bool, is_wide: bool, theme: &Theme) -> Vec<Cell<'a>> {
    let glyphs = &theme.glyphs;
    let right = |text: String| Cell::from(Text::raw(text).alignment(Alignment::Right));
    let mut cells = vec![
        Cell::from(Line::from(vec![
            Span::styled(if is_chosen { glyphs.cursor } else { "  " }, theme.accent),
            Span::styled(short_id(game.game_id), if is_chosen { Style::new() } else { theme.soft }),
        ])),
        Cell::from(players(game, name, theme)),
        Cell::from(format!("{0}{1}{0}", game.board_size, glyphs.by)),
        match game.status {
            GameStatus::Active => Cell::from(Span::styled("active", theme.good)),
            status => Cell::from(Span::styled(status.as_str(), theme.soft)),
        },
    ];
    if is_wide {
        cells.push(Cell::from(match game.game_type {
            GameType::Invite => "invite".to_owned(),
            GameType::Event => format!("event L{}", game.level),
        }));
    }
    cells.push(right(game.move_count.map_or(glyphs.absent.to_owned(), |count| count.to_string())));
    cells.push(right(if game.draw_count > 0 { game.draw_count.to_string() } else { glyphs.absent.to_owned() }));
    cells.push(Cell::from(turn(game, theme)));
    cells.push(right(age(app.live_games.age(game, app.now))));
    cells
}

/// Players are listed X first.
fn players<'a>(game: &Game, width: usize, theme: &Theme) -> Line<'a> {
    let mut spans = Vec::new();
    for (at, symbol) in [Symbol::X, Symbol::O].into_iter().enumerate() {
        let player = game.players.get(at);
        let style = if player.is_some() { Style::new() } else { theme.soft };
        let name = fit(player.map_or("open seat", |player| &player.username), width, theme.glyphs.ellipsis);
        let padding = " ".repeat(width - name.width() + 2);
        spans.push(Span::styled(format!("{symbol} "), theme.mark(symbol)));
        spans.push(Span::styled(name, style));
        spans.push(Span::raw(padding));
    }
    Line::from(spans)
}

/// The mark of whose turn it is.
fn turn<'a>(game: &Game, theme: &Theme) -> Line<'a> {
    let mut seats = game.players.iter().zip([Symbol::X, Symbol::O]);
    match seats.find(|(player, _)| Some(player.user_id) == game.current_turn) {
        Some((_, symbol)) => Line::styled(symbol.as_str(), theme.mark(symbol)).centered(),
        None => Line::styled(theme.glyphs.absent, theme.soft).centered(),
    }
}
