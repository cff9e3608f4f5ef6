//! Boards of 3×3 to 6×6 and their lines.
//!
//! A board is two bitboards with a stride of 8, so that one layout serves every size. The lines of
//! a size are masks computed at compile time, in a fixed order: all rows from top to bottom, then
//! columns, then diagonals falling to the right, then diagonals falling to the left; within each
//! kind by the row, then the column, of the line's first (topmost, then leftmost) cell.

use serde::{Deserialize, Serialize};
use std::fmt;

/// Bits from one row to the next in a bitboard.
const STRIDE: u32 = 8;
/// The largest board has this many lines: 18 rows, 18 columns, 9 diagonals each way.
const MAX_LINES: usize = 54;

/// The side of a board: 3, 4, 5 or 6. See `docs/behaviour/play.md#boards`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub struct BoardSize(u8);

impl BoardSize {
    pub const MIN: BoardSize = BoardSize(3);
    pub const MAX: BoardSize = BoardSize(6);
    pub const ALL: [BoardSize; 4] = [BoardSize(3), BoardSize(4), BoardSize(5), BoardSize(6)];

    /// `None` unless 3 to 6.
    pub const fn new(side: u8) -> Option<BoardSize> {
        if side >= 3 && side <= 6 { Some(BoardSize(side)) } else { None }
    }

    /// Cells on a side.
    pub const fn get(self) -> u8 {
        self.0
    }

    /// Cells on the whole board.
    pub const fn cells(self) -> u32 {
        self.0 as u32 * self.0 as u32
    }

    /// 3 on 3×3, 4 on all larger boards.
    pub const fn win_length(self) -> u8 {
        if self.0 == 3 { 3 } else { 4 }
    }

    /// The next larger board, 6×6 staying 6×6.
    pub const fn grown(self) -> BoardSize {
        if self.0 < 6 { BoardSize(self.0 + 1) } else { self }
    }

    /// Every line that wins on this board, in the order the module describes.
    pub fn lines(self) -> impl ExactSizeIterator<Item = Line> {
        LINES[self.0 as usize - 3].masks().iter().map(|&mask| Line(mask))
    }

    const fn mask(self) -> u64 {
        let row = (1u64 << self.0) - 1;
        let mut mask = 0;
        let mut r = 0;
        while r < self.0 as u32 {
            mask |= row << (r * STRIDE);
            r += 1;
        }
        mask
    }
}

/// A side that is not 3 to 6.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InvalidBoardSize;

impl fmt::Display for InvalidBoardSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("The board size must be 3, 4, 5 or 6.")
    }
}

impl std::error::Error for InvalidBoardSize {}

impl TryFrom<u8> for BoardSize {
    type Error = InvalidBoardSize;
    fn try_from(side: u8) -> Result<Self, InvalidBoardSize> {
        BoardSize::new(side).ok_or(InvalidBoardSize)
    }
}

impl From<BoardSize> for u8 {
    fn from(size: BoardSize) -> u8 {
        size.0
    }
}

impl fmt::Display for BoardSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{0}x{0}", self.0)
    }
}

/// The symbol of a player, the same for a whole game. X need not start.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Mark {
    X,
    O,
}

impl Mark {
    pub const BOTH: [Mark; 2] = [Mark::X, Mark::O];

    pub const fn other(self) -> Mark {
        match self {
            Mark::X => Mark::O,
            Mark::O => Mark::X,
        }
    }

    /// 0 for X, 1 for O: the index of this mark in an array of two.
    pub const fn index(self) -> usize {
        self as usize
    }

    pub const fn as_str(self) -> &'static str {
        match self {
            Mark::X => "X",
            Mark::O => "O",
        }
    }
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A cell of the largest board; rows and columns count from 0 at the top left. [`Board::place`] checks whether a
/// smaller board has it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub struct Cell(u8);

impl Cell {
    /// `None` unless both are 0 to 5.
    pub const fn new(row: u8, col: u8) -> Option<Cell> {
        if row < 6 && col < 6 { Some(Cell(row * STRIDE as u8 + col)) } else { None }
    }

    /// As [`Cell::new`], for numbers from outside.
    pub fn from_wire(row: i64, col: i64) -> Option<Cell> {
        Cell::new(u8::try_from(row).ok()?, u8::try_from(col).ok()?)
    }

    pub const fn row(self) -> u8 {
        self.0 / STRIDE as u8
    }

    pub const fn col(self) -> u8 {
        self.0 % STRIDE as u8
    }

    const fn bit(self) -> u64 {
        1 << self.0
    }
}

impl TryFrom<u8> for Cell {
    type Error = &'static str;
    fn try_from(packed: u8) -> Result<Self, Self::Error> {
        Cell::new(packed / STRIDE as u8, packed % STRIDE as u8).ok_or("cell outside 6x6")
    }
}

impl From<Cell> for u8 {
    fn from(cell: Cell) -> u8 {
        cell.0
    }
}

/// Three or four adjacent cells that win together.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Line(u64);

impl Line {
    /// From the top down; a row from left to right.
    pub fn cells(self) -> impl Iterator<Item = Cell> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let next = (rest != 0).then(|| Cell(rest.trailing_zeros() as u8));
            rest &= rest.wrapping_sub(1);
            next
        })
    }
}

/// Why a mark cannot go there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Misplaced {
    OffBoard,
    Taken,
}

/// A position: its size and who holds which cell.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Board {
    size: BoardSize,
    marks: [u64; 2],
}

impl Board {
    pub const fn empty(size: BoardSize) -> Board {
        Board { size, marks: [0; 2] }
    }

    pub const fn size(&self) -> BoardSize {
        self.size
    }

    pub const fn contains(&self, cell: Cell) -> bool {
        cell.row() < self.size.0 && cell.col() < self.size.0
    }

    /// Who holds `cell`; `None` for an empty cell and for one off the board.
    pub fn at(&self, cell: Cell) -> Option<Mark> {
        Mark::BOTH.into_iter().find(|mark| self.marks[mark.index()] & cell.bit() != 0)
    }

    /// The board with one more mark. The game checks whose turn it is.
    pub fn place(&self, cell: Cell, mark: Mark) -> Result<Board, Misplaced> {
        if !self.contains(cell) {
            return Err(Misplaced::OffBoard);
        }
        if (self.marks[0] | self.marks[1]) & cell.bit() != 0 {
            return Err(Misplaced::Taken);
        }
        let mut next = *self;
        next.marks[mark.index()] |= cell.bit();
        Ok(next)
    }

    /// Marks of one player on the board.
    pub const fn count(&self, mark: Mark) -> u32 {
        self.marks[mark.index()].count_ones()
    }

    pub const fn is_full(&self) -> bool {
        self.marks[0] | self.marks[1] == self.size.mask()
    }

    /// The line that won, with its owner. Where one move completed several lines, or more than the
    /// win length in a row, it is the first in the order of [`BoardSize::lines`].
    pub fn winning_line(&self) -> Option<(Mark, Line)> {
        Mark::BOTH.into_iter().find_map(|mark| Some((mark, self.line_of(mark)?)))
    }

    /// As [`Board::winning_line`], for one player.
    pub fn line_of(&self, mark: Mark) -> Option<Line> {
        let held = self.marks[mark.index()];
        let lines = LINES[self.size.0 as usize - 3].masks();
        lines.iter().find(|&&mask| held & mask == mask).map(|&mask| Line(mask))
    }

    /// Rows from the top, each from the left.
    pub fn rows(&self) -> Vec<Vec<Option<Mark>>> {
        let side = self.size.0;
        (0..side).map(|row| (0..side).map(|col| self.at(Cell(row * STRIDE as u8 + col))).collect()).collect()
    }

    /// Cells nobody holds, from the top left, row by row.
    pub fn empty_cells(&self) -> impl Iterator<Item = Cell> {
        Line(self.size.mask() & !(self.marks[0] | self.marks[1])).cells()
    }
}

struct Lines {
    masks: [u64; MAX_LINES],
    count: usize,
}

impl Lines {
    const fn masks(&self) -> &[u64] {
        self.masks.split_at(self.count).0
    }

    const fn of(size: BoardSize) -> Lines {
        let side = size.0 as i32;
        let length = size.win_length() as i32;
        let directions = [(0, 1), (1, 0), (1, 1), (1, -1)];
        let mut lines = Lines { masks: [0; MAX_LINES], count: 0 };
        let mut d = 0;
        while d < directions.len() {
            let (down, right) = directions[d];
            let mut start = 0;
            while start < side * side {
                let (row, col) = (start / side, start % side);
                let (last_row, last_col) = (row + down * (length - 1), col + right * (length - 1));
                if last_row < side && last_col >= 0 && last_col < side {
                    let mut mask = 0u64;
                    let mut step = 0;
                    while step < length {
                        mask |= 1 << ((row + down * step) * STRIDE as i32 + col + right * step);
                        step += 1;
                    }
                    lines.masks[lines.count] = mask;
                    lines.count += 1;
                }
                start += 1;
            }
            d += 1;
        }
        lines
    }
}

static LINES: [Lines; 4] =
    [Lines::of(BoardSize(3)), Lines::of(BoardSize(4)), Lines::of(BoardSize(5)), Lines::of(BoardSize(6))];

#[cfg(test)]
mod tests;
