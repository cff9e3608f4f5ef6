//! A finished game, move by move.

use morpion_openapi::game::{GameType, Replay as Record, Symbol};
use ratatui::{
    Frame,
    layout::{Constraint, Layout, Rect},
    style::Style,
    text::{Line, Span},
    widgets::Paragraph,
};

use super::Replay;
use crate::{
    pages::watch::view::beside,
    theme::Theme,
    time::minute,
    widgets::{
        board::Board,
        name::{Named, in_sentence},
        notice,
        result::sentence,
        text::{cell, first_shown, fit_line, short_id},
    },
};

pub fn draw(frame: &mut Frame, area: Rect, replay: &Replay, theme: &Theme) {
    let [title, headline, body] =
        Layout::vertical([Constraint::Length(1), Constraint::Length(1), Constraint::Min(0)]).areas(area);
    let id = short_id(replay.game_id);
    let Some(record) = &replay.record else {
        let lines = match &replay.fetch.failure {
            Some(refusal) => vec![
                Line::styled(format!("Game {id} cannot be replayed."), theme.strong),
                Line::styled(refusal.text.clone(), theme.bad),
                Line::styled("Esc goes back.", theme.soft),
            ],
            None => vec![Line::styled(format!("Asking for the game{}", theme.glyphs.ellipsis), theme.soft)],
        };
        return notice::centered(frame, body, lines);
    };
    let kind = match record.game_type {
        GameType::Invite => "invite game",
        GameType::Event => "event game",
        GameType::Quick => "quick match",
    };
    let dot = theme.glyphs.dot;
    frame.render_widget(
        Line::from(vec![
            Span::styled(format!(" Replay of {id}"), theme.strong),
            Span::styled(format!(" {dot} {kind} {dot} {} UTC", minute(record.created_at)), theme.soft),
        ]),
        title,
    );
    let line = Line::from(Span::styled(format!(" {}", result(record)), theme.accent));
    frame.render_widget(fit_line(line, headline.width.into(), theme.glyphs.ellipsis), headline);
    let Some(round) = record.rounds.get(replay.round) else {
        return notice::centered(frame, body, vec![Line::styled("No move was played.", theme.soft)]);
    };
    let cells = replay.board();
    let line = replay.winning_line();
    let last = replay.moves.checked_sub(1).and_then(|at| round.moves.get(at));
    let board = Board { cells: &cells, line: line.as_deref(), last: last.map(|last| (last.row, last.col)), theme };
    let (place, panel) = beside(&board, body);
    frame.render_widget(board, place);
    frame.render_widget(Paragraph::new(panel_lines(replay, record, panel, theme)), panel);
}

fn result(record: &Record) -> String {
    let name = |symbol: Symbol| {
        let player = record.players.iter().find(|player| player.symbol == symbol);
        player.map_or_else(|| symbol.to_string(), |player| in_sentence(player, &record.players))
    };
    sentence(record.winner, record.reason, record.decision.as_deref(), &[], name)
}

fn panel_lines(replay: &Replay, record: &Record, area: Rect, theme: &Theme) -> Vec<Line<'static>> {
    let height = area.height;
    let gap = || if height < 12 { vec![] } else { vec![Line::raw("")] };
    let mut lines = gap();
    for player in &record.players {
        let mark = Span::styled(format!("  {} ", player.symbol), theme.mark(player.symbol).patch(theme.strong));
        let room = usize::from(area.width).saturating_sub(mark.width());
        let mut line = Line::from(mark);
        line.extend(player.name().within(room, theme.glyphs.ellipsis, Style::new(), theme.soft));
        lines.push(line);
    }
    let round = &record.rounds[replay.round];
    lines.extend(gap());
    lines.extend([
        Line::from(vec![
            Span::styled("Round ", theme.soft),
            Span::styled(format!("{} of {}", replay.round + 1, record.rounds.len()), theme.strong),
        ]),
        Line::from(vec![
            Span::styled("Move  ", theme.soft),
            Span::styled(format!("{} of {}", replay.moves, round.moves.len()), theme.strong),
            Span::styled(if replay.is_running() { "   running" } else { "" }, theme.good),
        ]),
    ]);
    lines.extend(gap());
    let room = usize::from(height).saturating_sub(lines.len());
    let first = first_shown(replay.moves.saturating_sub(1), round.moves.len(), room);
    for (at, played) in round.moves.iter().enumerate().skip(first).take(room) {
        let is_last = at + 1 == replay.moves;
        let style = match at < replay.moves {
            _ if is_last => theme.strong,
            true => Style::new(),
            false => theme.soft,
        };
        lines.push(Line::from(vec![
            Span::styled(if is_last { theme.glyphs.cursor } else { "  " }, theme.accent),
            Span::styled(format!("{:>3} ", at + 1), theme.soft),
            Span::styled(played.symbol.to_string(), theme.mark(played.symbol)),
            Span::styled(format!(" {}", cell(played.row, played.col)), style),
        ]));
    }
    lines
}
