//! Who looks for an opponent in quick match: the table and its view.

use std::cmp::Ordering;

use morpion_openapi::{
    PageRequest,
    quick_match::{BoardWish, QueuedPlayer, QuickMatchClock, QuickMatchQueue, QuickMatchQueueAnswer},
};
use ratatui::{
    Frame,
    layout::{Constraint, Layout, Rect},
    style::Style,
    text::{Line, Span},
};

use crate::{
    calls::Call,
    context::Context,
    fetch::Fetch,
    hit_testing::ClickTargets,
    list::{
        DataTable, Row,
        view::{self as table_view, Cell, Column},
    },
    theme::Theme,
    widgets::{
        name::Named,
        text::{age, count, number},
    },
};

/// People come and go within seconds.
const POLL_MS: i64 = 2_000;

/// Those who have waited longest; the others are counted.
#[derive(Debug, Default)]
pub struct WaitingPlayers {
    pub table: DataTable<QueuedPlayer>,
    pub fetch: Fetch,
    total: u64,
    playing: u32,
    /// When the answer came, by this machine's clock: waiting goes on meanwhile.
    at: i64,
}

impl WaitingPlayers {
    pub fn poll(&mut self, now: i64) -> Option<Call> {
        let call = QuickMatchQueue { page: Some(1), limit: Some(PageRequest::MAX_LIMIT) };
        self.fetch.is_due(POLL_MS, now).then(|| call.into())
    }

    pub fn take(&mut self, answer: &QuickMatchQueueAnswer, now: i64) {
        self.table.set(answer.players.clone());
        (self.total, self.playing, self.at) = (answer.pagination.total_count, answer.playing, now);
        self.fetch.succeeded(now);
    }

    pub fn draw(&self, frame: &mut Frame, area: Rect, context: &Context, theme: &Theme, targets: &mut ClickTargets) {
        let [line, body] = Layout::vertical([Constraint::Length(1), Constraint::Min(0)]).areas(area);
        let shown = self.table.shown().len();
        let empty = ["Nobody is looking for an opponent right now.", "Players waiting in quick match appear here."];
        let (table, fetch) = (&self.table, &self.fetch);
        if table_view::draw_empty_state(frame, body, context, (fetch, table, shown), ("waiting players", empty), theme)
        {
            return;
        }
        let mut text = format!("{}, {} in games", count(self.total, "player"), number(self.playing.into()));
        if self.total > self.table.rows().len() as u64 {
            text += &format!("; the {} who waited longest are listed", self.table.rows().len());
        }
        frame.render_widget(table_view::summary(&self.table, text, &self.fetch, theme), line);
        let columns = [
            Column::new("Player", 10).preferred(16).sort(1),
            Column::new("Rating", 6).sort(2).right().drop_order(2),
            Column::new("Board", 5).sort(3).drop_order(3),
            Column::new("Clock", 6).drop_order(5),
            Column::new("Kind", 6).drop_order(4),
            Column::new("Accepts", 7).right().drop_order(6),
            Column::new("Waits", 6).sort(0).right(),
        ];
        let since = (context.now - self.at).max(0);
        table_view::draw(frame, body, &self.table, &columns, theme, targets, |player| cells(player, since, theme));
    }
}

fn cells(player: &QueuedPlayer, since: i64, theme: &Theme) -> Vec<Cell> {
    let mark = if player.away { Span::styled(format!("{} ", theme.glyphs.away), theme.soft) } else { Span::raw("") };
    let name = if player.away { theme.soft } else { Style::new() };
    vec![
        Cell::name(mark, player.name(), name, theme),
        Line::raw(player.rating.to_string()).into(),
        Line::raw(board(player.board_size, theme)).into(),
        Line::raw(clock(player.clock)).into(),
        Line::styled(if player.rated { "rated" } else { "casual" }, theme.soft).into(),
        Line::styled(player.window.to_string(), theme.soft).into(),
        Line::raw(age(player.waited_ms + since)).into(),
    ]
}

fn board(wish: BoardWish, theme: &Theme) -> String {
    match wish {
        BoardWish::Size(size) => format!("{size}{}{size}", theme.glyphs.by),
        BoardWish::Any => "any".to_owned(),
    }
}

fn clock(clock: QuickMatchClock) -> &'static str {
    match clock {
        QuickMatchClock::Turn15 => "15 s",
        QuickMatchClock::Increment => "1+2",
    }
}

fn board_order(wish: BoardWish) -> u8 {
    match wish {
        BoardWish::Size(size) => size,
        BoardWish::Any => u8::MAX,
    }
}

impl Row for QueuedPlayer {
    type Key = uuid::Uuid;
    const SORTS: &'static [&'static str] = &["Waits", "Player", "Rating", "Board"];

    fn key(&self) -> uuid::Uuid {
        self.user_id
    }

    fn words(&self) -> String {
        let kind = if self.rated { "rated" } else { "casual" };
        let board = match self.board_size {
            BoardWish::Size(size) => format!("{size}x{size}"),
            BoardWish::Any => "any".to_owned(),
        };
        format!("{} {kind} {board} {}", self.name().whole(), self.clock).to_lowercase()
    }

    fn compare(&self, other: &Self, sort: usize) -> Ordering {
        match sort {
            1 => self.name().order().cmp(&other.name().order()),
            2 => other.rating.cmp(&self.rating),
            3 => board_order(self.board_size).cmp(&board_order(other.board_size)),
            _ => Ordering::Equal,
        }
        .then_with(|| other.waited_ms.cmp(&self.waited_ms))
        .then_with(|| self.user_id.cmp(&other.user_id))
    }
}
