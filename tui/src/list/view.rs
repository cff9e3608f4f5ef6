//! Tables: a header with the sort order, rows with a selected one, and the line above them.

use ratatui::{
    Frame,
    layout::{Alignment, Rect},
    style::Style,
    text::{Line, Span},
    widgets::Paragraph,
};
use unicode_width::UnicodeWidthStr;

use super::{DataTable, List, Row};
use crate::{
    connection::Connection,
    context::Context,
    fetch::Fetch,
    hit_testing::{ClickTarget, ClickTargets},
    kept::KeptColumn,
    theme::Theme,
    widgets::{
        name::Name,
        notice,
        text::{self, first_shown, fit_line},
    },
};

/// Columns between two columns.
const GAP: u16 = 2;
/// Rows around the visible ones that columns are measured by, so that widths stay the same while scrolling.
const MEASURED: usize = 100;

#[derive(Debug, Clone, Copy)]
pub struct Column {
    pub title: &'static str,
    /// What it is called where it is chosen: its title, if it has one.
    pub name: &'static str,
    /// Columns that are always shown.
    pub min: u16,
    /// Columns that it gets before others find room, if it needs them.
    pub preferred: u16,
    /// Which column is dropped first where there is no room for all: the highest; 0 stays.
    pub drop_order: u8,
    /// Which of the table's sort orders uses it.
    pub sort: Option<usize>,
    pub is_right: bool,
}

impl Column {
    pub const fn new(title: &'static str, min: u16) -> Self {
        Self { title, name: title, min, preferred: min, drop_order: 0, sort: None, is_right: false }
    }

    pub const fn named(self, name: &'static str) -> Self {
        Self { name, ..self }
    }

    pub const fn preferred(self, preferred: u16) -> Self {
        Self { preferred, ..self }
    }

    pub const fn drop_order(self, drop_order: u8) -> Self {
        Self { drop_order, ..self }
    }

    pub const fn sort(self, sort: usize) -> Self {
        Self { sort: Some(sort), ..self }
    }

    pub const fn right(self) -> Self {
        Self { is_right: true, ..self }
    }
}

/// The content of a cell: whole where the column has room, else shortened.
pub struct Cell {
    whole: Line<'static>,
    short: Option<Short>,
}

struct Short {
    /// The columns below which even that is cut.
    needed: usize,
    within: Box<dyn Fn(usize) -> Line<'static>>,
}

impl Cell {
    /// A user's name with a prefix.
    pub fn name(before: Span<'static>, name: Name<'_>, style: Style, theme: &Theme) -> Self {
        Self::names(vec![(before, name, style)], theme)
    }

    /// Names with prefixes. Usernames are dropped before names are cut, and names are cut so that all are visible.
    pub fn names(names: Vec<(Span<'static>, Name<'_>, Style)>, theme: &Theme) -> Self {
        let (mut whole, mut short) = (Line::default(), vec![]);
        for (before, name, style) in names {
            whole.push_span(before.clone());
            whole.extend(name.spans(style, theme.soft));
            short.push((before, Span::styled(name.short().to_owned(), style)));
        }
        let width = |span: &Span<'static>| text::width(&Line::from(span.clone()));
        let rest: usize = short.iter().map(|(before, _)| width(before)).sum();
        let needed: Vec<_> = short.iter().map(|(_, name)| width(name)).collect();
        let ellipsis = theme.glyphs.ellipsis;
        let short = Short {
            needed: rest + needed.iter().sum::<usize>(),
            within: Box::new(move |room| {
                let mut line = Line::default();
                for ((before, name), room) in short.iter().zip(text::shares(room.saturating_sub(rest), &needed)) {
                    line.push_span(before.clone());
                    line.extend(fit_line(Line::from(name.clone()), room, ellipsis).spans);
                }
                line
            }),
        };
        Self { whole, short: Some(short) }
    }

    /// A text, and what stands for it where it has no room.
    pub fn or_short(whole: Line<'static>, short: Line<'static>, theme: &Theme) -> Self {
        let ellipsis = theme.glyphs.ellipsis;
        let needed = text::width(&short);
        Self {
            whole,
            short: Some(Short { needed, within: Box::new(move |room| fit_line(short.clone(), room, ellipsis)) }),
        }
    }

    /// What it needs to be seen whole, and what to be seen uncut.
    fn needed(&self) -> (usize, usize) {
        let whole = text::width(&self.whole);
        (whole, self.short.as_ref().map_or(whole, |short| short.needed))
    }

    fn within(&self, room: usize) -> Line<'static> {
        match &self.short {
            Some(short) if text::width(&self.whole) > room => (short.within)(room),
            _ => self.whole.clone(),
        }
    }
}

impl From<Line<'static>> for Cell {
    fn from(whole: Line<'static>) -> Self {
        Self { whole, short: None }
    }
}

/// How wide each column is, none for one that finds no room. Each gets what its widest cell needs as long as that is
/// there; else the columns that can go do so, and then those that stay are narrowed, the widest first: all to what they
/// need to be seen uncut before any to its preferred width, and all to that before any to its minimum.
fn widths(room: u16, columns: &[Column], needed: &[(u16, u16)]) -> Vec<Option<u16>> {
    let mut widths: Vec<Option<u16>> =
        columns.iter().zip(needed).map(|(column, (whole, _))| Some(column.min.max(*whole))).collect();
    let preferred = |at: usize| needed[at].0.min(columns[at].preferred).max(columns[at].min);
    let total = |widths: &[Option<u16>]| {
        let kept = widths.iter().flatten();
        kept.map(|width| u32::from(width + GAP)).sum::<u32>().saturating_sub(GAP.into())
    };
    loop {
        let min: Vec<_> = (0..columns.len()).map(|at| widths[at].map(|_| preferred(at))).collect();
        let kept = columns.iter().enumerate().filter(|(at, column)| column.drop_order > 0 && widths[*at].is_some());
        match kept.max_by_key(|(_, column)| column.drop_order) {
            Some((at, _)) if total(&min) > room.into() => widths[at] = None,
            _ => break,
        }
    }
    let uncut = |at: usize| needed[at].1.max(preferred(at));
    for min in [&uncut as &dyn Fn(usize) -> u16, &preferred, &|at| columns[at].min] {
        while total(&widths) > room.into() {
            let spare = |at: usize| widths[at].map_or(0, |width| width.saturating_sub(min(at)));
            match (0..columns.len()).max_by_key(|at| spare(*at)).filter(|at| spare(*at) > 0) {
                Some(at) => widths[at] = widths[at].map(|width| width - 1),
                None => break,
            }
        }
    }
    widths
}

/// All columns by their places, in the order that was chosen, with whether they are shown. Those that nothing was chosen
/// about come last and are shown; so are all if none is.
pub fn arranged(columns: &[Column], chosen: &[KeptColumn]) -> Vec<(usize, bool)> {
    let mut arranged: Vec<(usize, bool)> = vec![];
    let place = |name: &str| columns.iter().position(|column| column.name == name);
    let named = chosen.iter().filter_map(|column| Some((place(&column.name)?, column.is_shown)));
    for (at, is_shown) in named.chain((0..columns.len()).map(|at| (at, true))) {
        if arranged.iter().all(|(known, _)| *known != at) {
            arranged.push((at, is_shown));
        }
    }
    if arranged.iter().all(|(_, is_shown)| !is_shown) {
        arranged.iter_mut().for_each(|(_, is_shown)| *is_shown = true);
    }
    arranged
}

/// The columns that are shown, with their places among all. One of them stays, however narrow it gets.
fn shown_columns(columns: &[Column], chosen: &[KeptColumn]) -> (Vec<usize>, Vec<Column>) {
    let places: Vec<_> =
        arranged(columns, chosen).into_iter().filter(|(_, is_shown)| *is_shown).map(|(at, _)| at).collect();
    let mut shown: Vec<_> = places.iter().map(|at| columns[*at]).collect();
    if shown.iter().all(|column| column.drop_order > 0)
        && let Some(first) = shown.first_mut()
    {
        first.drop_order = 0;
    }
    (places, shown)
}

/// Those cells of a row that are shown.
fn shown_cells(cells: Vec<Cell>, places: &[usize]) -> Vec<Cell> {
    let mut cells: Vec<_> = cells.into_iter().map(Some).collect();
    places.iter().filter_map(|at| cells.get_mut(*at)?.take()).collect()
}

/// What a table shows, whatever its rows are.
pub struct TableShape<'a> {
    pub count: usize,
    pub chosen: usize,
    /// An index of the columns' orders.
    pub sort: usize,
    pub is_reversed: bool,
    /// What was chosen of the columns.
    pub columns: &'a [KeptColumn],
    pub is_marked: &'a dyn Fn(usize) -> bool,
}

/// A table of rows.
pub fn draw<R: Row, C: Into<Cell>>(
    frame: &mut Frame,
    area: Rect,
    table: &DataTable<R>,
    columns: &[Column],
    theme: &Theme,
    targets: &mut ClickTargets,
    cells: impl Fn(&R) -> Vec<C>,
) {
    let shown = TableShape {
        count: table.shown().len(),
        chosen: table.chosen_index().unwrap_or(0),
        sort: table.sort,
        is_reversed: table.is_reversed,
        columns: table.chosen_columns(),
        is_marked: &|at| table.at(at).is_some_and(|row| table.is_marked(row)),
    };
    let cells = |at| table.at(at).map(&cells).unwrap_or_default().into_iter().map(Into::into).collect();
    draw_rows(frame, area, &shown, columns, theme, targets, &cells);
}

/// As [`draw`], by places.
pub fn draw_rows(
    frame: &mut Frame,
    area: Rect,
    shown: &TableShape<'_>,
    columns: &[Column],
    theme: &Theme,
    targets: &mut ClickTargets,
    cells: &dyn Fn(usize) -> Vec<Cell>,
) {
    let (places, columns) = shown_columns(columns, shown.columns);
    let rows = usize::from(area.height.saturating_sub(1));
    let first = first_shown(shown.chosen, shown.count, rows);
    let (begin, end) = (first.saturating_sub(MEASURED), (first + rows + MEASURED).min(shown.count));
    let measured: Vec<_> = (begin..end).map(|at| shown_cells(cells(at), &places)).collect();
    let needed: Vec<(u16, u16)> = columns
        .iter()
        .enumerate()
        .map(|(at, column)| {
            let title = column.title.width() + usize::from(column.sort.is_some());
            let cells = measured.iter().filter_map(|cells| cells.get(at)).map(Cell::needed);
            let widest = cells.fold((title, title), |(whole, uncut), cell| (whole.max(cell.0), uncut.max(cell.1)));
            <[usize; 2]>::from(widest).map(|width| width.min(u16::MAX.into()) as u16).into()
        })
        .collect();
    // The cursor is before the first column.
    let room = area.width.saturating_sub(3);
    let widths = widths(room, &columns, &needed);
    let mut x = area.x + 2;
    let places: Vec<Option<Rect>> = widths
        .into_iter()
        .map(|width| {
            let place = Rect { x, width: width?.min(area.right().saturating_sub(x)), height: 1, ..area };
            x = (x + place.width + GAP).min(area.right());
            Some(place)
        })
        .collect();
    for (column, place) in columns.iter().zip(&places) {
        let is_sorted = column.sort == Some(shown.sort);
        let arrow = match (is_sorted, shown.is_reversed) {
            (false, _) => "",
            (true, false) => theme.glyphs.down,
            (true, true) => theme.glyphs.up,
        };
        let style = if is_sorted { theme.accent } else { theme.soft };
        put(frame, Line::styled(format!("{}{arrow}", column.title), style), *place, column, theme);
    }
    for (line, at) in (first..shown.count).take(rows).enumerate() {
        let y = area.y + 1 + line as u16;
        let (is_chosen, is_marked) = (at == shown.chosen, (shown.is_marked)(at));
        let cursor = match (is_chosen, is_marked) {
            (true, _) => Span::styled(theme.glyphs.cursor, theme.accent),
            (false, true) => Span::styled(theme.glyphs.mark, theme.accent),
            (false, false) => Span::raw(""),
        };
        frame.render_widget(cursor, Rect { y, height: 1, width: 2.min(area.width), ..area });
        let style = match (is_chosen, is_marked) {
            (true, _) => theme.strong,
            (false, true) => theme.accent,
            (false, false) => Style::new(),
        };
        let cells = measured.get(at - begin).into_iter().flatten();
        for ((cell, place), column) in cells.zip(&places).zip(&columns) {
            let place = place.map(|place| Rect { y, ..place });
            let line = place.map(|place| cell.within(place.width.into()).patch_style(style));
            put(frame, line.unwrap_or_default(), place, column, theme);
        }
        targets.add(Rect { y, height: 1, ..area }, ClickTarget::Row(at));
    }
}

fn put(frame: &mut Frame, line: Line<'static>, place: Option<Rect>, column: &Column, theme: &Theme) {
    let Some(place) = place else { return };
    let alignment = if column.is_right { Alignment::Right } else { Alignment::Left };
    let line = fit_line(line, place.width.into(), theme.glyphs.ellipsis);
    frame.render_widget(Paragraph::new(line).alignment(alignment), place);
}

/// The line above a table: the filter, `text`, and a failure.
pub fn summary(list: &dyn List, text: String, fetch: &Fetch, theme: &Theme) -> Line<'static> {
    summary_of(list, [Span::styled(text, theme.soft)], fetch, theme)
}

/// As [`summary`], with a text in several styles.
pub fn summary_of(
    list: &dyn List,
    text: impl IntoIterator<Item = Span<'static>>,
    fetch: &Fetch,
    theme: &Theme,
) -> Line<'static> {
    let mut spans = vec![Span::raw(" ")];
    if list.is_typing() || !list.filter().is_empty() {
        let cursor = if list.is_typing() { "_" } else { "" };
        spans.push(Span::styled(format!("/{}{cursor}", list.filter()), theme.accent));
        spans.push(Span::raw("   "));
    }
    spans.extend(text);
    if let Some(refusal) = fetch.failure.as_ref().filter(|_| fetch.is_loaded) {
        spans.push(Span::styled(format!("   {refusal}"), theme.warning));
    }
    Line::from(spans)
}

/// Shows why there are no rows, if there are none.
pub fn draw_empty_state(
    frame: &mut Frame,
    area: Rect,
    context: &Context,
    (fetch, list, shown): (&Fetch, &dyn List, usize),
    (noun, empty): (&str, [&str; 2]),
    theme: &Theme,
) -> bool {
    let ellipsis = theme.glyphs.ellipsis;
    let lines = if !fetch.is_loaded {
        match (&fetch.failure, &context.connection) {
            (Some(refusal), _) => vec![
                Line::styled(refusal.text.clone(), theme.strong),
                Line::styled(format!("There are no {noun} to show. Press r to try again."), theme.soft),
            ],
            (None, Connection::Connected) => vec![Line::styled(format!("Asking for the {noun}{ellipsis}"), theme.soft)],
            (None, Connection::Lost { why, .. }) => vec![
                Line::styled(format!("{} cannot be reached.", context.server_name()), theme.strong),
                Line::styled(why.clone(), theme.soft),
            ],
            (None, _) => vec![Line::styled(format!("Connecting to {}{ellipsis}", context.server_name()), theme.soft)],
        }
    } else if shown > 0 {
        return false;
    } else if list.filter().is_empty() {
        vec![Line::styled(empty[0].to_owned(), theme.strong), Line::styled(empty[1].to_owned(), theme.soft)]
    } else {
        vec![
            Line::styled(format!("Nothing fits '{}'.", list.filter()), theme.strong),
            Line::styled("Esc clears the filter.", theme.soft),
        ]
    };
    notice::centered(frame, area, lines);
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    const COLUMNS: [Column; 3] =
        [Column::new("Title", 10), Column::new("State", 9), Column::new("Email", 12).drop_order(1)];

    fn whole(needed: [u16; 3]) -> [(u16, u16); 3] {
        needed.map(|needed| (needed, needed))
    }

    #[test]
    fn optional_columns_are_dropped_before_any_is_cut() {
        let needed = [(40, 20), (9, 9), (40, 40)];
        assert_eq!(widths(80, &COLUMNS, &needed), [Some(27), Some(9), Some(40)]);
        assert_eq!(widths(70, &COLUMNS, &needed), [Some(20), Some(9), Some(37)]);
    }

    #[test]
    fn chosen_columns_are_shown_in_their_order_and_dropped_as_ever() {
        let chosen = |columns: &[(&str, bool)]| -> Vec<KeptColumn> {
            columns
                .iter()
                .map(|(name, is_shown)| KeptColumn { name: (*name).to_owned(), is_shown: *is_shown })
                .collect()
        };
        let shown = |columns: &[(&str, bool)]| shown_columns(&COLUMNS, &chosen(columns));
        assert_eq!(shown(&[]).0, [0, 1, 2]);
        assert_eq!(shown(&[("Email", true), ("State", false)]).0, [2, 0]);
        assert_eq!(shown(&[("State", true), ("State", false), ("Colour", false)]).0, [1, 0, 2], "named twice, unknown");
        assert_eq!(shown(&[("Title", false), ("State", false), ("Email", false)]).0, [0, 1, 2], "something is shown");
        let (places, columns) = shown(&[("Email", true), ("Title", false), ("State", false)]);
        assert_eq!((places, columns[0].drop_order), (vec![2], 0), "the only one stays");
        assert_eq!(widths(5, &columns, &whole([40, 9, 40])[2..]), [Some(12)]);
        let (_, columns) = shown(&[("Email", true)]);
        assert_eq!(widths(34, &columns, &whole([40, 60, 9])), [None, Some(23), Some(9)], "too narrow for it");
        let row = ["a", "b", "c"].into_iter().map(|text| Line::raw(text).into()).collect();
        let cells = shown_cells(row, &[2, 0]);
        assert_eq!(cells.iter().map(|cell| cell.whole.to_string()).collect::<Vec<_>>(), ["c", "a"]);
    }

    #[test]
    fn columns_get_what_they_need_where_there_is_room() {
        assert_eq!(widths(200, &COLUMNS, &whole([60, 9, 40])), [Some(60), Some(9), Some(40)]);
        assert_eq!(widths(80, &COLUMNS, &whole([60, 9, 40])).iter().flatten().sum::<u16>(), 76, "all of it is used");
        assert_eq!(widths(80, &COLUMNS, &whole([20, 9, 60])), [Some(20), Some(9), Some(47)], "the widest is cut");
    }

    #[test]
    fn without_room_the_least_important_column_is_dropped() {
        assert_eq!(widths(34, &COLUMNS, &whole([60, 9, 40])), [Some(23), Some(9), None]);
        assert_eq!(widths(10, &COLUMNS, &whole([60, 9, 40])), [Some(10), Some(9), None], "and the rest is cut off");
        let wishes = [COLUMNS[0].preferred(24), COLUMNS[1], COLUMNS[2]];
        assert_eq!(
            widths(40, &wishes, &whole([60, 9, 12])),
            [Some(29), Some(9), None],
            "a long title has its preferred width first"
        );
        assert_eq!(widths(40, &wishes, &whole([15, 9, 12])), [Some(15), Some(9), Some(12)]);
    }
}
