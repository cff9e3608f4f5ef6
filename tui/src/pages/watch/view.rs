//! The watched game: its board, who plays, whose turn it is, how it ended.

use morpion_openapi::game::{EndReason, GamePlayer, GameState, GameStatus, GameType, Symbol};
use ratatui::{
    Frame,
    layout::{Constraint, Layout, Rect},
    style::Style,
    text::{Line, Span},
    widgets::Paragraph,
};

use super::Watch;
use crate::{
    connection::seconds_until,
    context::Context,
    theme::Theme,
    widgets::{
        block::NARROW,
        board::Board,
        name::{Named, in_sentence},
        notice,
        result::sentence,
        text::{cell, clock, escaped, fit_line, short_id},
    },
};

/// Columns beside the board.
const PANEL: u16 = 34;
/// The same in a narrow terminal.
const NARROW_PANEL: u16 = 22;
/// Columns between the board and them, where there is room.
const GAP: u16 = 4;
/// Below this height there are no empty lines beside the board.
const LOW: u16 = 12;
/// Columns of a move.
const MOVE: u16 = 11;
/// A turn of an event game, in milliseconds; see `docs/behaviour/play.md#turn-clock`.
const TURN_MS: i64 = 15_000;
/// The timer's colours change at so many seconds.
const WARNING_S: i64 = 10;
const CRITICAL_S: i64 = 5;
/// The timer's length in columns: one a second.
const BAR: i64 = TURN_MS / 1_000;

pub fn draw(frame: &mut Frame, area: Rect, context: &Context, watch: &Watch, theme: &Theme) {
    let [title, headline, body] =
        Layout::vertical([Constraint::Length(1), Constraint::Length(1), Constraint::Min(0)]).areas(area);
    frame.render_widget(title_line(watch, theme), title);
    if let Some(failure) = &watch.failure {
        let lines = vec![
            Line::styled("This game cannot be watched.", theme.strong),
            Line::styled(failure.clone(), theme.bad),
            Line::styled("Esc goes back to the list.", theme.soft),
        ];
        return notice::centered(frame, body, lines);
    }
    let Some(state) = &watch.state else {
        let text = format!("Asking for the board{}", theme.glyphs.ellipsis);
        return notice::centered(frame, body, vec![Line::styled(text, theme.soft)]);
    };
    let line = headline_of(watch, state, context, theme);
    frame.render_widget(fit_line(line, headline.width.into(), theme.glyphs.ellipsis), headline);
    let board = Board {
        cells: &state.board,
        line: state.winning_line.as_deref(),
        last: state.moves.last().map(|last| (last.row, last.col)),
        theme,
    };
    let (place, panel) = beside(&board, body);
    frame.render_widget(board, place);
    draw_panel(frame, panel, context, watch, state, theme);
}

/// The areas of a board and of the panel beside it: together, centred in a large terminal.
pub fn beside(board: &Board, body: Rect) -> (Rect, Rect) {
    let panel = if body.width < NARROW { NARROW_PANEL } else { PANEL };
    let room = Rect { width: body.width.saturating_sub(panel), ..body };
    let (columns, rows) = board.extent(room);
    let left = body.width.saturating_sub(columns + GAP + panel) / 2;
    let top = body.height.saturating_sub(rows) / 2;
    let place =
        Rect { x: body.x + left, y: body.y + top, width: room.width.saturating_sub(left).max(columns), height: rows };
    let x = (place.x + columns + GAP).min(body.right().saturating_sub(panel));
    // The panel begins beside the board, or at the top where it needs the room.
    let y = if body.height < LOW { body.y } else { place.y };
    (place, Rect { x, y, width: panel, height: body.bottom() - y })
}

fn title_line<'a>(watch: &Watch, theme: &Theme) -> Line<'a> {
    let listed = &watch.listed;
    let size = watch.state.as_ref().map_or(listed.board_size, |state| state.board_size);
    let draws = watch.state.as_ref().map_or(listed.draw_count, |state| state.draw_count);
    let in_row = if size == 3 { 3 } else { 4 };
    let kind = match listed.game_type {
        GameType::Invite => "invite game".to_owned(),
        GameType::Event => format!("event game, level {}", listed.level),
        GameType::Quick => "quick match".to_owned(),
    };
    let dot = theme.glyphs.dot;
    let mut text = format!(" {dot} {kind} {dot} {size}{}{size}, {in_row} in a row", theme.glyphs.by);
    if draws > 0 {
        text += &format!(" {dot} round {}", draws + 1);
    }
    Line::from(vec![
        Span::styled(format!(" Game {}", short_id(watch.game_id)), theme.strong),
        Span::styled(text, theme.soft),
    ])
}

/// How it ended, or what is awaited.
fn headline_of(watch: &Watch, state: &GameState, context: &Context, theme: &Theme) -> Line<'static> {
    let line = |text: String, style: Style| escaped(Line::from(Span::styled(format!(" {text}"), style)));
    match state.status {
        GameStatus::Waiting if state.players.len() < 2 => {
            line("Waiting for somebody to take the open seat.".to_owned(), theme.soft)
        }
        GameStatus::Waiting => line("Waiting until both players are in.".to_owned(), theme.soft),
        GameStatus::Completed | GameStatus::Cancelled => {
            let style = state.winner.map_or(theme.strong, |symbol| theme.mark(symbol).patch(theme.strong));
            line(result(watch, state), style)
        }
        GameStatus::Active => {
            let absent: Vec<_> = state.players.iter().filter(|player| !player.connected).collect();
            let called = |player| in_sentence(player, &state.players);
            let left = |player: &GamePlayer| {
                player.absent_until.map(|until| seconds_until(until, watch.server_now(context.now)))
            };
            match absent[..] {
                [] => {}
                [player] => {
                    let name = called(player);
                    let text = match left(player) {
                        Some(seconds) => format!("{name} disconnected; {seconds} s to come back."),
                        None => format!("{name} disconnected."),
                    };
                    return line(text, theme.warning);
                }
                [one, other, ..] => {
                    let [one, other] = [one, other].map(|player| match left(player) {
                        Some(seconds) => format!("{} ({seconds} s)", called(player)),
                        None => called(player),
                    });
                    return line(format!("{one} and {other} disconnected."), theme.warning);
                }
            }
            match (&watch.message, mover(state)) {
                (Some(message), _) => line(message.clone(), theme.accent),
                (None, Some(player)) => line(format!("{} to move.", called(player)), theme.mark(player.symbol)),
                (None, None) => Line::raw(""),
            }
        }
    }
}

fn mover(state: &GameState) -> Option<&GamePlayer> {
    state.players.iter().find(|player| Some(player.user_id) == state.current_turn)
}

/// The result in a sentence.
fn result(watch: &Watch, state: &GameState) -> String {
    let name = |symbol: Symbol| {
        let player = state.players.iter().find(|player| player.symbol == symbol);
        player.map_or_else(|| symbol.to_string(), |player| in_sentence(player, &state.players))
    };
    if state.winner.is_none() && state.reason != Some(EndReason::Void) && state.status == GameStatus::Cancelled {
        return watch.message.clone().unwrap_or_else(|| "The game was cancelled.".to_owned());
    }
    let line: Vec<_> = state.winning_line.iter().flatten().map(|[row, col]| cell(*row, *col)).collect();
    sentence(state.winner, state.reason, state.decision.as_deref(), &line, name)
}

fn draw_panel(frame: &mut Frame, area: Rect, context: &Context, watch: &Watch, state: &GameState, theme: &Theme) {
    let gap = || (area.height >= LOW).then(|| Line::raw(""));
    let mut lines: Vec<_> = gap().into_iter().collect();
    for symbol in [Symbol::X, Symbol::O] {
        lines.extend(seat(symbol, state, context, watch, usize::from(area.width), theme));
        lines.extend(gap());
    }
    if let Some(deadline) = state.turn_deadline {
        lines.push(timer(deadline - watch.server_now(context.now), theme));
        lines.extend(gap());
    }
    lines.push(Line::from(vec![
        Span::styled(format!("Moves {}", state.moves.len()), theme.soft),
        Span::styled(format!("   version {}", state.version), theme.soft),
    ]));
    let room = usize::from(area.height).saturating_sub(lines.len());
    lines.extend(moves(state, room, usize::from(area.width / MOVE).max(1), theme));
    frame.render_widget(Paragraph::new(lines), area);
}

/// A player: mark, name, presence, and the time used on own turns.
fn seat<'a>(
    symbol: Symbol,
    state: &GameState,
    context: &Context,
    watch: &Watch,
    width: usize,
    theme: &Theme,
) -> [Line<'a>; 2] {
    let glyphs = &theme.glyphs;
    let Some(player) = state.players.iter().find(|player| player.symbol == symbol) else {
        let name = Line::from(vec![
            Span::styled(format!("  {symbol} "), theme.mark(symbol)),
            Span::styled("open seat", theme.soft),
        ]);
        return [name, Line::raw("")];
    };
    let is_mover = state.current_turn == Some(player.user_id);
    let is_live = state.status == GameStatus::Active;
    let running = if is_mover && is_live { watch.server_now(context.now) - state.server_time } else { 0 };
    let mut name = Line::from(vec![
        Span::styled(if is_mover { glyphs.turn } else { " " }, theme.accent),
        Span::styled(format!(" {symbol} "), theme.mark(symbol).patch(theme.strong)),
    ]);
    let style = if is_mover { theme.strong } else { Style::new() };
    name.extend(player.name().within(width.saturating_sub(5), glyphs.ellipsis, style, theme.soft));
    let (glyph, word, style) =
        if player.connected { (glyphs.here, "here", theme.good) } else { (glyphs.away, "away", theme.warning) };
    let below = Line::from(vec![
        Span::styled(format!("    {glyph} {word}"), style),
        Span::styled(format!("   {} used", clock(player.time_used_ms + running.max(0))), theme.soft),
    ]);
    [name, below]
}

fn timer<'a>(left_ms: i64, theme: &Theme) -> Line<'a> {
    let left = seconds_until(left_ms, 0);
    let style = if left <= CRITICAL_S {
        theme.bad
    } else if left <= WARNING_S {
        theme.warning
    } else {
        theme.good
    };
    let full = left.clamp(0, BAR) as usize;
    let rest = BAR as usize - full;
    Line::from(vec![
        Span::styled(format!("  {left:>2} s "), style.patch(theme.strong)),
        Span::styled(theme.glyphs.full.repeat(full), style),
        Span::styled(theme.glyphs.empty.repeat(rest), theme.soft),
    ])
}

/// The newest moves of the round, as many as fit, so many a line.
fn moves<'a>(state: &GameState, room: usize, a_line: usize, theme: &Theme) -> Vec<Line<'a>> {
    let last = state.moves.len();
    let rows = last.div_ceil(a_line);
    let first = rows.saturating_sub(room) * a_line;
    let mut lines = Vec::new();
    for (row, moves) in state.moves[first..].chunks(a_line).enumerate() {
        let mut spans = Vec::new();
        for (col, played) in moves.iter().enumerate() {
            let number = first + row * a_line + col + 1;
            let style = if number == last { theme.strong } else { Style::new() };
            spans.push(Span::styled(format!("{number:>3} "), theme.soft));
            spans.push(Span::styled(played.symbol.to_string(), theme.mark(played.symbol)));
            spans.push(Span::styled(format!(" {}  ", cell(played.row, played.col)), style));
        }
        lines.push(Line::from(spans));
    }
    lines
}
