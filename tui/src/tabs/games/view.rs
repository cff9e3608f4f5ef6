//! The table of live games.

use morpion_openapi::game::{Game, GameStatus, GameType, Symbol};
use ratatui::{
    Frame,
    layout::{Constraint, Layout, Rect},
    style::Style,
    text::{Line, Span},
};

use super::live_games::{LiveGames, MAX_ROWS, Sort, best_rating};
use crate::{
    connection::Connection,
    context::Context,
    hit_testing::ClickTargets,
    list::{
        List,
        view::{self as list, Cell, Column, TableShape},
    },
    theme::Theme,
    widgets::{
        name::Named,
        notice,
        text::{age, count, short_id},
    },
};

pub fn draw(
    frame: &mut Frame,
    area: Rect,
    games: &LiveGames,
    context: &Context,
    theme: &Theme,
    targets: &mut ClickTargets,
) {
    let [line, body] = Layout::vertical([Constraint::Length(1), Constraint::Min(0)]).areas(area);
    if !games.is_loaded {
        let ellipsis = theme.glyphs.ellipsis;
        let lines = match &context.connection {
            Connection::Connected => vec![Line::styled(format!("Asking for the live games{ellipsis}"), theme.soft)],
            Connection::Lost { why, .. } => vec![
                Line::styled(format!("{} cannot be reached.", context.server_name()), theme.strong),
                Line::styled(why.clone(), theme.soft),
            ],
            _ => vec![Line::styled(format!("Connecting to {}{ellipsis}", context.server_name()), theme.soft)],
        };
        return notice::centered(frame, body, lines);
    }
    frame.render_widget(summary(games, theme), line);
    if games.total() == 0 {
        let lines = vec![
            Line::styled("No live games right now.", theme.strong),
            Line::styled("Games appear here as soon as somebody is invited.", theme.soft),
        ];
        notice::centered(frame, body, lines);
    } else if games.shown().len() == 0 {
        let lines = vec![
            Line::styled(format!("No live game fits '{}'.", games.filter), theme.strong),
            Line::styled("Esc clears the filter.", theme.soft),
        ];
        notice::centered(frame, body, lines);
    } else {
        table(frame, body, games, context, theme, targets);
    }
}

/// The line above the table: how many, which, in which order; or the filter being typed.
fn summary<'a>(games: &LiveGames, theme: &Theme) -> Line<'a> {
    let total = games.total();
    let mut spans = vec![Span::raw(" ")];
    if games.is_typing || !games.filter.is_empty() {
        let cursor = if games.is_typing { "_" } else { "" };
        spans.push(Span::styled(format!("/{}{cursor}", games.filter), theme.accent));
        spans.push(Span::styled(format!("   {} of {}", games.shown().len(), count(total as u64, "game")), theme.soft));
    } else {
        spans.push(Span::styled(count(total as u64, "game"), theme.soft));
    }
    if games.beyond > 0 {
        spans.push(Span::styled(format!("   {} more than {MAX_ROWS} are not listed", games.beyond), theme.warning));
    }
    Line::from(spans)
}

/// The columns of the table.
pub const COLUMNS: [Column; 12] = [
    Column::new("Game", 8).drop_order(5),
    Column::new("Players", 9).preferred(13).sort(Sort::Players as usize),
    Column::new("", 9).named("Opponent").preferred(13),
    Column::new("Rating", 6).sort(Sort::Rating as usize).right().drop_order(4),
    Column::new("Size", 5).sort(Sort::Size as usize).drop_order(3),
    Column::new("Status", 7).sort(Sort::Status as usize).drop_order(6),
    Column::new("Kind", 8).drop_order(10),
    Column::new("Moves", 6).sort(Sort::Moves as usize).right().drop_order(2),
    Column::new("Draws", 5).right().drop_order(9),
    Column::new("Turn", 4).drop_order(7),
    Column::new("Seen by", 7).sort(Sort::Watchers as usize).right().drop_order(8),
    Column::new("Age", 6).sort(Sort::Age as usize).right().drop_order(1),
];

fn table(
    frame: &mut Frame,
    area: Rect,
    games: &LiveGames,
    context: &Context,
    theme: &Theme,
    targets: &mut ClickTargets,
) {
    let shown = TableShape {
        count: games.shown().len(),
        chosen: games.chosen_index().unwrap_or(0),
        sort: games.sort as usize,
        is_reversed: games.is_reversed,
        columns: games.chosen_columns(),
        is_marked: &|_| false,
    };
    let listed: Vec<_> = games.shown().collect();
    let cells =
        |at: usize| listed.get(at).map(|game| cells(game, games.age(game, context.now), theme)).unwrap_or_default();
    list::draw_rows(frame, area, &shown, &COLUMNS, theme, targets, &cells);
}

fn cells(game: &Game, age_ms: i64, theme: &Theme) -> Vec<Cell> {
    let glyphs = &theme.glyphs;
    let [x, o] = [Symbol::X, Symbol::O].map(|symbol| player(game, symbol, theme));
    let status = if game.status == GameStatus::Active { theme.good } else { theme.soft };
    let kind = match game.game_type {
        GameType::Invite => "invite".to_owned(),
        GameType::Event => format!("event L{}", game.level),
        GameType::Quick => if game.rated == Some(true) { "quick, rated" } else { "quick" }.to_owned(),
    };
    let draws = if game.draw_count > 0 { game.draw_count.to_string() } else { glyphs.absent.to_owned() };
    vec![
        Line::styled(short_id(game.game_id), theme.soft).into(),
        x,
        o,
        Line::raw(best_rating(game).map_or(glyphs.absent.to_owned(), |rating| rating.to_string())).into(),
        Line::raw(format!("{0}{1}{0}", game.board_size, glyphs.by)).into(),
        Line::styled(game.status.as_str(), status).into(),
        Line::raw(kind).into(),
        Line::raw(game.move_count.map_or(glyphs.absent.to_owned(), |count| count.to_string())).into(),
        Line::raw(draws).into(),
        turn(game, theme).into(),
        Line::raw(game.watchers.filter(|count| *count > 0).map_or(glyphs.absent.to_owned(), |count| count.to_string()))
            .into(),
        Line::raw(age(age_ms)).into(),
    ]
}

/// Players are listed X first.
fn player(game: &Game, symbol: Symbol, theme: &Theme) -> Cell {
    let mark = Span::styled(format!("{symbol} "), theme.mark(symbol));
    match game.players.get(if symbol == Symbol::X { 0 } else { 1 }) {
        Some(player) => Cell::name(mark, player.name(), Style::new(), theme),
        None => Line::from(vec![mark, Span::styled("open seat", theme.soft)]).into(),
    }
}

/// The mark of whose turn it is.
fn turn(game: &Game, theme: &Theme) -> Line<'static> {
    let mut seats = game.players.iter().zip([Symbol::X, Symbol::O]);
    match seats.find(|(player, _)| Some(player.user_id) == game.current_turn) {
        Some((_, symbol)) => Line::styled(symbol.as_str(), theme.mark(symbol)),
        None => Line::styled(theme.glyphs.absent, theme.soft),
    }
}
