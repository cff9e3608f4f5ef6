//! The table of live games.

use morpion_openapi::game::{Game, GameStatus, GameType, Symbol};
use ratatui::{
    Frame,
    layout::{Alignment, Constraint, Layout, Rect},
    style::Style,
    text::{Line, Span, Text},
    widgets::{Cell, Row, Table},
};

use super::notice;
use crate::{
    app::{
        App,
        connection::Connection,
        live_games::{LiveGames, MOST_ROWS, Sort, short_id},
    },
    theme::Theme,
    widgets::text::{age, fit},
};

/// From this width on the table has a column for the kind of game.
const WIDE: u16 = 110;
/// A username has at most 20 characters.
const LONGEST_NAME: usize = 20;

pub fn draw(frame: &mut Frame, area: Rect, app: &App, theme: &Theme) {
    let games = &app.live_games;
    let [line, body] = Layout::vertical([Constraint::Length(1), Constraint::Min(0)]).areas(area);
    if !games.is_loaded {
        let text = match &app.connection {
            Connection::Connected => format!("Asking for the live games{}", theme.glyphs.ellipsis),
            Connection::Lost { .. } => format!("{} cannot be reached.", app.server_name),
            _ => format!("Connecting to {}{}", app.server_name, theme.glyphs.ellipsis),
        };
        return notice::middle(frame, body, vec![Line::styled(text, theme.soft)]);
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
        table(frame, body, app, theme);
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

fn table(frame: &mut Frame, area: Rect, app: &App, theme: &Theme) {
    let games = &app.live_games;
    let is_wide = area.width >= WIDE;
    let widths = Widths::new(area.width, is_wide);
    let rows_shown = usize::from(area.height.saturating_sub(1));
    let chosen = games.chosen_index().unwrap_or(0);
    // The chosen row in the middle, as far as the ends allow.
    let first = chosen.saturating_sub(rows_shown / 2).min(games.shown().len().saturating_sub(rows_shown));
    let rows = games.shown().enumerate().skip(first).take(rows_shown).map(|(at, game)| {
        let row = Row::new(cells(game, app, &widths, at == chosen, is_wide, theme));
        if at == chosen { row.style(theme.strong) } else { row }
    });
    let table = Table::new(rows, widths.constraints(is_wide)).column_spacing(2).header(header(games, is_wide, theme));
    frame.render_widget(table, area);
}

struct Widths {
    name: usize,
    turn: usize,
}

impl Widths {
    /// What the fixed columns leave goes to the names.
    fn new(width: u16, is_wide: bool) -> Self {
        let fixed = 2 + 8 + 4 + 7 + 5 + 5 + 6 + 7 * 2 + if is_wide { 10 + 2 } else { 0 };
        let room = usize::from(width).saturating_sub(fixed);
        // Two players and the one to move, with their marks: `X name  O name` and `X name`.
        let name = (room.saturating_sub(2 + 4 + 2) / 3).min(LONGEST_NAME);
        Self { name, turn: name + 2 }
    }

    fn constraints(&self, is_wide: bool) -> Vec<Constraint> {
        let players = (2 * (self.name + 2) + 2) as u16;
        let mut columns = vec![2, 8, players, 4, 7];
        if is_wide {
            columns.push(10);
        }
        columns.extend([5, 5, self.turn as u16, 6]);
        // Between the cursor and the id there is no column's space: it is part of the glyph.
        columns.into_iter().map(Constraint::Length).collect()
    }
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
        title("", None),
        title("Game", None),
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
        title("To move", None),
        title("Age", Some(Sort::Age)),
    ]);
    Row::new(cells)
}

fn cells<'a>(game: &Game, app: &App, widths: &Widths, is_chosen: bool, is_wide: bool, theme: &Theme) -> Vec<Cell<'a>> {
    let glyphs = &theme.glyphs;
    let right = |text: String| Cell::from(Text::raw(text).alignment(Alignment::Right));
    let mut cells = vec![
        Cell::from(Span::styled(if is_chosen { glyphs.cursor } else { "" }, theme.accent)),
        Cell::from(Span::styled(short_id(game.game_id), if is_chosen { Style::new() } else { theme.soft })),
        Cell::from(players(game, widths, theme)),
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
    cells.push(Cell::from(to_move(game, widths, theme)));
    cells.push(right(age(app.live_games.age(game, app.now))));
    cells
}

/// Players are listed X first.
fn players<'a>(game: &Game, widths: &Widths, theme: &Theme) -> Line<'a> {
    let mut spans = Vec::new();
    for (at, symbol) in [Symbol::X, Symbol::O].into_iter().enumerate() {
        let name = game.players.get(at).map_or("open seat", |player| &player.username);
        let style = if at < game.players.len() { Style::new() } else { theme.soft };
        let name = fit(name, widths.name, theme.glyphs.ellipsis);
        let gap = if at == 0 { "  " } else { "" };
        spans.push(Span::styled(format!("{symbol} "), theme.mark(symbol)));
        let padding = if at == 0 { widths.name } else { 0 };
        spans.push(Span::styled(format!("{name:<padding$}{gap}"), style));
    }
    Line::from(spans)
}

fn to_move<'a>(game: &Game, widths: &Widths, theme: &Theme) -> Line<'a> {
    let mover =
        game.players.iter().zip([Symbol::X, Symbol::O]).find(|(player, _)| Some(player.user_id) == game.current_turn);
    match mover {
        Some((player, symbol)) => Line::from(vec![
            Span::styled(format!("{symbol} "), theme.mark(symbol)),
            Span::raw(fit(&player.username, widths.name, theme.glyphs.ellipsis)),
        ]),
        None => Line::styled(theme.glyphs.absent, theme.soft),
    }
}
