//! A board drawn by hand: ruled lines without a box, marks as strokes, the winning line struck
//! through.

use std::f64::consts::TAU;

use morpion_openapi::game::Symbol;
use ratatui::{buffer::Buffer, layout::Rect, style::Style, widgets::Widget};

use super::{pen::Sheet, text};
use crate::theme::Theme;

/// Rows of a cell, at most: beyond that a board is large enough.
const TALLEST_CELL: u16 = 12;
/// For the numbers beside the board.
const LEFT: u16 = 3;
/// For the letters above it.
const TOP: u16 = 1;

#[derive(Debug)]
pub struct Board<'a> {
    /// Rows of `X`, `O` and the empty string.
    pub cells: &'a [Vec<String>],
    /// Row and column of each cell of the winning line.
    pub line: Option<&'a [[u8; 2]]>,
    /// Row and column of the last move.
    pub last: Option<(u8, u8)>,
    pub theme: &'a Theme,
}

/// Where the cells lie.
struct Geometry {
    /// The cells alone.
    area: Rect,
    cell_width: u16,
    cell_height: u16,
    /// Columns and rows between two cells.
    gap: u16,
}

impl Geometry {
    fn new(area: Rect, size: u16, ascii: bool) -> Option<Self> {
        // In ASCII the lines need cells of their own, where there is room; drawn with dots they do not.
        Self::with_gap(area, size, u16::from(ascii)).or_else(|| Self::with_gap(area, size, 0))
    }

    fn with_gap(area: Rect, size: u16, gap: u16) -> Option<Self> {
        let gaps = size.checked_sub(1)? * gap;
        let room = (area.width.saturating_sub(LEFT + gaps) / size, area.height.saturating_sub(TOP + gaps) / size);
        // A character is about twice as high as wide. An odd width has a middle.
        let cell_height = (room.0.saturating_sub(gap) / 2).min(room.1).min(TALLEST_CELL);
        let cell_width = 2 * cell_height + gap;
        let (width, height) = (cell_width * size + gaps, cell_height * size + gaps);
        (cell_height > 0).then_some(Self {
            area: Rect { x: area.x + LEFT, y: area.y + TOP, width, height },
            cell_width,
            cell_height,
            gap,
        })
    }

    fn cell(&self, row: usize, col: usize) -> Rect {
        Rect {
            x: self.area.x + col as u16 * (self.cell_width + self.gap),
            y: self.area.y + row as u16 * (self.cell_height + self.gap),
            width: self.cell_width,
            height: self.cell_height,
        }
    }
}

impl Board<'_> {
    /// How much of an area the board takes, labels included, as columns and rows.
    pub fn extent(&self, area: Rect) -> (u16, u16) {
        match Geometry::new(area, self.cells.len() as u16, self.theme.glyphs.ascii) {
            Some(geometry) => (geometry.area.right() - area.x, geometry.area.bottom() - area.y),
            None => (0, 0),
        }
    }
}

impl Widget for Board<'_> {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        let size = self.cells.len() as u16;
        let Some(geometry) = Geometry::new(area, size, self.theme.glyphs.ascii) else { return };
        self.label(&geometry, buffer);
        if self.theme.glyphs.ascii {
            self.type_out(&geometry, buffer);
        } else {
            self.draw(&geometry, buffer);
        }
    }
}

impl Board<'_> {
    fn marks(&self) -> impl Iterator<Item = (usize, usize, Symbol)> {
        self.cells.iter().enumerate().flat_map(|(row, cells)| {
            cells.iter().enumerate().filter_map(move |(col, cell)| match cell.as_str() {
                "X" => Some((row, col, Symbol::X)),
                "O" => Some((row, col, Symbol::O)),
                _ => None,
            })
        })
    }

    fn is_won(&self, row: usize, col: usize) -> bool {
        self.line.is_some_and(|line| line.iter().any(|cell| cell.map(usize::from) == [row, col]))
    }

    /// Letters and numbers; those of the last move stand out.
    fn label(&self, geometry: &Geometry, buffer: &mut Buffer) {
        let style = |is_last| if is_last { self.theme.accent.patch(self.theme.strong) } else { self.theme.soft };
        for at in 0..self.cells.len() {
            let (row, col) = (geometry.cell(at, 0), geometry.cell(0, at));
            let number = format!("{}", at + 1);
            let is_row = self.last.is_some_and(|last| usize::from(last.0) == at);
            buffer.set_string(geometry.area.x - LEFT + 1, row.y + (row.height - 1) / 2, number, style(is_row));
            let letter = text::column(at as u8).to_string();
            let is_col = self.last.is_some_and(|last| usize::from(last.1) == at);
            buffer.set_string(col.x + (col.width - 1) / 2, geometry.area.y - TOP, letter, style(is_col));
        }
    }

    fn draw(&self, geometry: &Geometry, buffer: &mut Buffer) {
        let mut sheet = Sheet::new(geometry.area.width, geometry.area.height);
        // In dots; a cell is as high as it is wide.
        let side = f64::from(geometry.cell_height * 4);
        let whole = side * self.cells.len() as f64;
        let pen = if side >= 20.0 { 2 } else { 1 };
        for at in 1..self.cells.len() {
            // Ruled by hand, but within one character, where a slant shows no step.
            let place = side * at as f64;
            let (begin, end) = if unevenness(at, 7) > 0.0 { (place, place + 1.0) } else { (place + 1.0, place) };
            sheet.stroke([(begin, 1.0), (end, whole - 2.0)], 1, self.theme.rule);
            sheet.stroke([(1.0, end), (whole - 2.0, begin)], 1, self.theme.rule);
        }
        for (row, col, symbol) in self.marks() {
            let middle = ((col as f64 + 0.5) * side - 0.5, (row as f64 + 0.5) * side - 0.5);
            let reach = side * 0.30;
            let lean = unevenness(row, col) * side / 24.0;
            let style = self.theme.mark(symbol);
            let at = |x: f64, y: f64| (middle.0 + x, middle.1 + y);
            match symbol {
                Symbol::X => {
                    sheet.stroke([at(-reach - lean, -reach), at(reach, reach + lean)], pen, style);
                    sheet.stroke([at(reach + lean, -reach - lean), at(-reach, reach)], pen, style);
                }
                Symbol::O => {
                    let round = (0..=32).map(|step| {
                        let angle = TAU * f64::from(step) / 32.0;
                        at(angle.cos() * (reach + lean / 2.0), angle.sin() * (reach - lean / 2.0))
                    });
                    sheet.stroke(round, pen, style);
                }
            }
        }
        if let Some([first, .., last]) = self.line {
            let [from, to] = [first, last].map(|cell| cell.map(|at| (f64::from(at) + 0.5) * side - 0.5));
            // Past the middles of the outer cells, as one strikes through.
            let (dx, dy) = (to[1] - from[1], to[0] - from[0]);
            let over = side * 0.42 / dx.abs().max(dy.abs()).max(1.0);
            let style = self.struck(first);
            sheet.stroke(
                [(from[1] - dx * over, from[0] - dy * over), (to[1] + dx * over, to[0] + dy * over)],
                pen + 1,
                style,
            );
        }
        sheet.put(geometry.area, buffer);
    }

    fn struck(&self, cell: &[u8; 2]) -> Style {
        let mark = self.cells.get(usize::from(cell[0])).and_then(|row| row.get(usize::from(cell[1])));
        let symbol = if mark.is_some_and(|mark| mark == "O") { Symbol::O } else { Symbol::X };
        self.theme.mark(symbol).patch(self.theme.strong)
    }

    fn type_out(&self, geometry: &Geometry, buffer: &mut Buffer) {
        let area = geometry.area;
        if geometry.gap == 0 {
            // Without lines an empty cell is a point.
            for (row, cells) in self.cells.iter().enumerate() {
                for (col, _) in cells.iter().enumerate().filter(|(_, cell)| cell.is_empty()) {
                    let cell = geometry.cell(row, col);
                    buffer.set_string(cell.x, cell.y, ".", self.theme.rule);
                }
            }
        }
        for at in (1..self.cells.len()).filter(|_| geometry.gap > 0) {
            let next = geometry.cell(at, at);
            for y in area.top()..area.bottom() {
                buffer.set_string(next.x - 1, y, "|", self.theme.rule);
            }
            for x in area.left()..area.right() {
                let is_crossing = (x - area.x + 1).is_multiple_of(geometry.cell_width + 1);
                buffer.set_string(x, next.y - 1, if is_crossing { "+" } else { "-" }, self.theme.rule);
            }
        }
        for (row, col, symbol) in self.marks() {
            let cell = geometry.cell(row, col);
            let mut style = self.theme.mark(symbol).patch(self.theme.strong);
            if self.is_won(row, col) {
                buffer.set_style(cell, self.theme.selected);
                style = style.patch(self.theme.selected);
            }
            for (y, line) in typed_mark(symbol, cell.height).iter().enumerate() {
                let inset = (cell.width - line.len() as u16) / 2;
                buffer.set_string(cell.x + inset, cell.y + y as u16, line, style);
            }
        }
    }
}

/// A mark in characters, at most as many lines as the cell has rows.
fn typed_mark(symbol: Symbol, rows: u16) -> Vec<String> {
    if rows < 3 {
        return vec![symbol.as_str().to_owned()];
    }
    let rows = usize::from(rows);
    let width = 2 * rows - 1;
    match symbol {
        Symbol::X => (0..rows)
            .map(|row| {
                let mut line = vec![' '; width];
                line[2 * row] = '\\';
                line[width - 1 - 2 * row] = if 2 * row == width - 1 - 2 * row { 'X' } else { '/' };
                line.into_iter().collect()
            })
            .collect(),
        Symbol::O => {
            let round = "-".repeat(width - 4);
            let side = format!("({})", " ".repeat(width - 2));
            let mut lines = vec![side; rows];
            lines[0] = format!(" .{round}. ");
            lines[rows - 1] = format!(" '{round}' ");
            lines
        }
    }
}

/// From -1 to 1, always the same for the same cell, so that a replay looks the same.
fn unevenness(row: usize, col: usize) -> f64 {
    let mixed = (row * 31 + col * 17 + 5) * 2_654_435_761 % 9;
    mixed as f64 / 4.0 - 1.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_board_fits_where_it_is_drawn() {
        for size in 3..=6 {
            for (width, height) in [(30, 14), (44, 19), (80, 40), (160, 56)] {
                for ascii in [false, true] {
                    let area = Rect::new(0, 0, width, height);
                    let geometry = Geometry::new(area, size, ascii).expect("there is room");
                    assert_eq!(area.intersection(geometry.area), geometry.area, "{size} {width} {height} {ascii}");
                }
            }
        }
        assert!(Geometry::new(Rect::new(0, 0, 9, 3), 3, false).is_none());
        assert!(Geometry::new(Rect::new(0, 0, 9, 3), 0, false).is_none());
    }

    #[test]
    fn typed_marks_are_as_wide_as_they_are_high() {
        assert_eq!(typed_mark(Symbol::X, 3), [r"\   /", r"  X  ", r"/   \"]);
        assert_eq!(typed_mark(Symbol::O, 3), [" .-. ", "(   )", " '-' "]);
        assert_eq!(typed_mark(Symbol::O, 2), ["O"]);
    }

    #[test]
    fn marks_are_drawn_reproducibly_and_differ() {
        let all: std::collections::HashSet<_> = (0..9).map(|at| (unevenness(at / 3, at % 3) * 4.0) as i32).collect();
        assert!(all.len() > 3, "{all:?}");
        assert!((0..36).all(|at| unevenness(at / 6, at % 6).abs() <= 1.0));
    }
}
