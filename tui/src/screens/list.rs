//! Tables: a header that says the order, rows with one chosen, and the line above them.

use ratatui::{
    Frame,
    layout::{Alignment, Constraint, Layout, Rect},
    text::{Line, Span},
    widgets::Paragraph,
};

use super::{
    hits::{Hits, Target},
    notice,
};
use crate::{
    app::{
        App,
        connection::Connection,
        fetch::Fetch,
        table::{Listing, Row, Table},
    },
    theme::Theme,
};

/// Columns between two columns.
const GAP: u16 = 2;

#[derive(Debug, Clone, Copy)]
pub struct Column {
    pub title: &'static str,
    /// 0 takes what the others leave.
    pub width: u16,
    /// Which of the table's orders goes by it.
    pub sort: Option<usize>,
    pub is_right: bool,
}

impl Column {
    pub const fn new(title: &'static str, width: u16) -> Self {
        Self { title, width, sort: None, is_right: false }
    }

    pub const fn sort(self, sort: usize) -> Self {
        Self { sort: Some(sort), ..self }
    }

    pub const fn right(self) -> Self {
        Self { is_right: true, ..self }
    }
}

/// The first row shown of so many, with the chosen one in the middle as far as the ends allow.
pub fn first_shown(chosen: usize, count: usize, rows: usize) -> usize {
    chosen.saturating_sub(rows / 2).min(count.saturating_sub(rows))
}

/// Where the columns lie; the first begins behind the cursor.
fn places(area: Rect, columns: &[Column]) -> Vec<Rect> {
    let widths = columns.iter().map(|column| match column.width {
        0 => Constraint::Fill(1),
        width => Constraint::Length(width),
    });
    let area = Rect { x: area.x + 2, width: area.width.saturating_sub(3), ..area };
    Layout::horizontal(widths).spacing(GAP).split(area).to_vec()
}

/// A table of rows.
pub fn draw<R: Row>(
    frame: &mut Frame,
    area: Rect,
    table: &Table<R>,
    columns: &[Column],
    theme: &Theme,
    hits: &mut Hits,
    cells: impl Fn(&R, &[Rect]) -> Vec<Line<'static>>,
) {
    let places = places(area, columns);
    for (column, place) in columns.iter().zip(&places) {
        let is_sorted = column.sort == Some(table.sort);
        let arrow = match (is_sorted, table.is_reversed) {
            (false, _) => "",
            (true, false) => theme.glyphs.down,
            (true, true) => theme.glyphs.up,
        };
        let style = if is_sorted { theme.accent } else { theme.soft };
        let title = Line::styled(format!("{}{arrow}", column.title), style);
        put(frame, title, Rect { height: 1, ..*place }, column);
    }
    let rows = usize::from(area.height.saturating_sub(1));
    let chosen = table.chosen_index().unwrap_or(0);
    let first = first_shown(chosen, table.shown().len(), rows);
    for (line, at) in (first..table.shown().len()).take(rows).enumerate() {
        let Some(row) = table.at(at) else { continue };
        let y = area.y + 1 + line as u16;
        let cursor = match (at == chosen, table.is_marked(row)) {
            (true, _) => Span::styled(theme.glyphs.cursor, theme.accent),
            (false, true) => Span::styled(theme.glyphs.mark, theme.accent),
            (false, false) => Span::raw(""),
        };
        frame.render_widget(cursor, Rect { y, height: 1, width: 2.min(area.width), ..area });
        for ((cell, place), column) in cells(row, &places).into_iter().zip(&places).zip(columns) {
            let style = match (at == chosen, table.is_marked(row)) {
                (true, _) => theme.strong,
                (false, true) => theme.accent,
                (false, false) => ratatui::style::Style::new(),
            };
            put(frame, cell.patch_style(style), Rect { y, height: 1, ..*place }, column);
        }
        hits.add(Rect { y, height: 1, ..area }, Target::Row(at));
    }
}

fn put(frame: &mut Frame, line: Line<'static>, area: Rect, column: &Column) {
    let alignment = if column.is_right { Alignment::Right } else { Alignment::Left };
    frame.render_widget(Paragraph::new(line).alignment(alignment), area);
}

/// The line above a table: the filter that is typed or holds, else `text`; and a failure.
pub fn summary(listing: &dyn Listing, text: String, fetch: &Fetch, theme: &Theme) -> Line<'static> {
    let mut spans = vec![Span::raw(" ")];
    if listing.is_typing() || !listing.filter().is_empty() {
        let cursor = if listing.is_typing() { "_" } else { "" };
        spans.push(Span::styled(format!("/{}{cursor}", listing.filter()), theme.accent));
        spans.push(Span::raw("   "));
    }
    spans.push(Span::styled(text, theme.soft));
    if let Some(refusal) = fetch.failure.as_ref().filter(|_| fetch.is_loaded) {
        spans.push(Span::styled(format!("   {refusal}"), theme.warning));
    }
    Line::from(spans)
}

/// Says why there is no table, if there is none.
pub fn absence(
    frame: &mut Frame,
    area: Rect,
    app: &App,
    (fetch, listing, shown): (&Fetch, &dyn Listing, usize),
    (noun, empty): (&str, [&str; 2]),
    theme: &Theme,
) -> bool {
    let ellipsis = theme.glyphs.ellipsis;
    let lines = if !fetch.is_loaded {
        match (&fetch.failure, &app.connection) {
            (Some(refusal), _) => vec![
                Line::styled(refusal.text.clone(), theme.strong),
                Line::styled(format!("So there are no {noun} to show. r asks again."), theme.soft),
            ],
            (None, Connection::Connected) => vec![Line::styled(format!("Asking for the {noun}{ellipsis}"), theme.soft)],
            (None, Connection::Lost { why, .. }) => vec![
                Line::styled(format!("{} cannot be reached.", app.server_name()), theme.strong),
                Line::styled(why.clone(), theme.soft),
            ],
            (None, _) => vec![Line::styled(format!("Connecting to {}{ellipsis}", app.server_name()), theme.soft)],
        }
    } else if shown > 0 {
        return false;
    } else if listing.filter().is_empty() {
        vec![Line::styled(empty[0].to_owned(), theme.strong), Line::styled(empty[1].to_owned(), theme.soft)]
    } else {
        vec![
            Line::styled(format!("Nothing fits '{}'.", listing.filter()), theme.strong),
            Line::styled("Esc drops the filter.", theme.soft),
        ]
    };
    notice::middle(frame, area, lines);
    true
}

/// `1 event`, `3 events`.
pub fn count(number: usize, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}
