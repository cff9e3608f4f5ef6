//! The rounds of an event, one at a time, and its standings.

use ratatui::{
    Frame,
    layout::Rect,
    style::Style,
    text::{Line, Span},
};

use super::{Detail, out_text};
use crate::{
    context::Context,
    hit_testing::ClickTargets,
    list::view::{self as list, Cell, Column},
    theme::Theme,
    widgets::{
        block::NARROW,
        name::{Name, Named},
        stage::{MatchState, TIE_BREAKS, match_brief, points, progress, round_name, score, tie_break_values},
        text,
    },
};

/// From this width on tie-breaks are called by their names.
const WIDE: u16 = 120;

/// The line above a table, and the table.
pub fn rounds(
    frame: &mut Frame,
    (line, body): (Rect, Rect),
    context: &Context,
    detail: &Detail,
    theme: &Theme,
    targets: &mut ClickTargets,
) {
    let (rounds, table) = (&detail.rounds, &detail.rounds.matches);
    let is_narrow = body.width < NARROW;
    let empty = if rounds.all().is_empty() {
        ["No rounds yet.", "The first one is paired once two players are there."]
    } else {
        ["No matches in this round.", "n and p show other rounds."]
    };
    let shown = table.shown().len();
    let is_empty =
        list::draw_empty_state(frame, body, context, (&rounds.fetch, table, shown), ("rounds", empty), theme);
    if let Some(round) = rounds.shown() {
        let is_paused = detail.event.paused == Some(true);
        let name = round_name(rounds.format(), round.round, rounds.expected());
        let how_far = progress(round, is_paused, context.server_now());
        let name = if is_narrow { name.split(',').next().unwrap_or_default().to_owned() } else { name };
        let told = [Span::styled(name, theme.accent), Span::raw("   "), Span::styled(how_far, theme.soft)];
        frame.render_widget(list::summary_of(table, told, &rounds.fetch, theme), line);
    }
    if is_empty {
        return;
    }
    let mut columns = vec![Column::new("#", 3).sort(0).right(), Column::new("Players", 14).preferred(24).sort(1)];
    if !is_narrow {
        columns.push(Column::new("Games", 5).right());
    }
    columns.push(Column::new("State", 9).preferred(18).sort(2));
    list::draw(frame, body, table, &columns, theme, targets, |row| {
        let winner = row.pairing.winner_user_id;
        let names = row.names().into_iter().enumerate().map(|(at, name)| {
            let between = Span::raw(if at == 0 { "" } else { "  -  " });
            let style = match row.pairing.players.get(at) {
                Some(player) if winner == Some(player.user_id) => theme.accent,
                _ => Style::new(),
            };
            (between, name, style)
        });
        let style = match row.state {
            MatchState::Live | MatchState::Between => theme.good,
            MatchState::Decided => Style::new(),
            MatchState::Ahead | MatchState::Open | MatchState::Bye => theme.soft,
        };
        let mut cells = vec![Line::raw(row.pairing.board.to_string()).into(), Cell::names(names.collect(), theme)];
        if is_narrow {
            cells.push(Line::styled(match_brief(rounds.format(), &row.pairing), style).into());
        } else {
            cells.push(Line::raw(score(&row.pairing).unwrap_or_default()).into());
            cells.push(Line::styled(row.words.clone(), style).into());
        }
        cells
    });
}

pub fn standings(
    frame: &mut Frame,
    (line, body): (Rect, Rect),
    context: &Context,
    detail: &Detail,
    theme: &Theme,
    targets: &mut ClickTargets,
) {
    let table = &detail.standings;
    let shown = table.shown().len();
    let empty = ["No standings yet.", "They begin with the first round."];
    let fetch = &detail.standings_fetch;
    if list::draw_empty_state(frame, body, context, (fetch, table, shown), ("standings", empty), theme) {
        return;
    }
    let mut told = text::count(shown as u64, "player");
    for (out, mark) in [("withdrawn", theme.glyphs.away), ("disqualified", theme.glyphs.by)] {
        let count = table.shown().filter(|player| out_text(player) == out).count();
        if count > 0 {
            told = format!("{told}, {count} {out} ({mark})");
        }
    }
    frame.render_widget(list::summary(table, told, fetch, theme), line);
    let has_tie_breaks = table.rows().iter().any(|player| player.tie_breaks.is_some());
    let mut columns = vec![
        Column::new("#", 3).sort(0).right(),
        Column::new("Player", 12).preferred(20).sort(1),
        Column::new(if has_tie_breaks { "Points" } else { "Won" }, 6).right(),
    ];
    // The last one decides least.
    for ((short, name), drop_order) in TIE_BREAKS.into_iter().zip(1..).filter(|_| has_tie_breaks) {
        let title = if body.width >= WIDE { name } else { short };
        columns.push(Column::new(title, 4).right().drop_order(drop_order));
    }
    columns.push(Column::new("Seed", 4).sort(2).right().drop_order(9));
    let shows_presence = detail.shows_presence();
    if shows_presence {
        columns.insert(2, Column::new("There", 7));
    }
    list::draw(frame, body, table, &columns, theme, targets, |player| {
        let (mark, style) = match out_text(player) {
            "" => (String::new(), Style::new()),
            "disqualified" => (format!("{} ", theme.glyphs.by), theme.soft),
            _ => (format!("{} ", theme.glyphs.away), theme.soft),
        };
        let name: Name<'_> = player.name();
        let tie_breaks = player.tie_breaks.iter().flat_map(tie_break_values);
        let mut cells = vec![
            Line::raw(player.rank.to_string()).into(),
            Cell::name(Span::styled(mark, theme.bad), name, style, theme),
            Line::raw(points(player.points)).into(),
        ];
        cells.extend(tie_breaks.map(|value| Line::styled(points(value), theme.soft).into()));
        // Nobody has tie-breaks in a knockout, everybody elsewhere.
        cells.push(Line::styled(player.seed.to_string(), theme.soft).into());
        if shows_presence {
            cells.insert(2, detail.presence_cell(player.user_id, theme));
        }
        cells
    });
}
