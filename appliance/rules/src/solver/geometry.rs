//! Lines and symmetries of a board, with cells numbered `row * size + col` and sets of cells as bits.

use crate::board::BoardSize;
use std::sync::LazyLock;

/// The largest board has this many cells.
pub(super) const MAX_CELLS: usize = 36;
/// The largest board has this many lines.
pub(super) const MAX_LINES: usize = 54;
pub(super) const SYMMETRIES: usize = 8;

pub(super) struct Geometry {
    pub cells: usize,
    pub win_length: u8,
    pub lines: Vec<u64>,
    /// The lines through each cell.
    pub through: Vec<Vec<u8>>,
    /// By cell and symmetry: the weight of the digit of the cell's image in a position's key, which is written in
    /// base 3. 36 digits take 58 bits.
    pub weights: Vec<[u64; SYMMETRIES]>,
    /// Cells from the middle outwards, ties in reading order.
    pub from_centre: Vec<u8>,
}

impl Geometry {
    pub fn of(size: BoardSize) -> &'static Geometry {
        &GEOMETRIES[usize::from(size.get()) - usize::from(BoardSize::MIN.get())]
    }

    fn build(size: BoardSize) -> Geometry {
        let side = usize::from(size.get());
        let cells = side * side;
        let lines: Vec<u64> = size
            .lines()
            .map(|line| {
                line.cells()
                    .fold(0, |mask, cell| mask | 1 << (usize::from(cell.row()) * side + usize::from(cell.col())))
            })
            .collect();
        let through = (0..cells)
            .map(|cell| (0..lines.len()).filter(|&line| lines[line] >> cell & 1 == 1).map(|line| line as u8).collect())
            .collect();
        let weights = (0..cells).map(|cell| images(cell, side).map(|image| 3u64.pow(image as u32))).collect();
        let mut from_centre: Vec<u8> = (0..cells as u8).collect();
        from_centre.sort_by_key(|&cell| centre_distance(usize::from(cell), side));
        Geometry { cells, win_length: size.win_length(), lines, through, weights, from_centre }
    }
}

static GEOMETRIES: [LazyLock<Geometry>; 4] = [
    LazyLock::new(|| Geometry::build(BoardSize::ALL[0])),
    LazyLock::new(|| Geometry::build(BoardSize::ALL[1])),
    LazyLock::new(|| Geometry::build(BoardSize::ALL[2])),
    LazyLock::new(|| Geometry::build(BoardSize::ALL[3])),
];

/// The cell under the eight symmetries of the square, the identity first.
fn images(cell: usize, side: usize) -> [usize; SYMMETRIES] {
    let (row, col, last) = (cell / side, cell % side, side - 1);
    [
        (row, col),
        (row, last - col),
        (last - row, col),
        (last - row, last - col),
        (col, row),
        (col, last - row),
        (last - col, row),
        (last - col, last - row),
    ]
    .map(|(row, col)| row * side + col)
}

/// Squared distance from the middle of the board, in half cells.
fn centre_distance(cell: usize, side: usize) -> usize {
    let row = (cell / side * 2).abs_diff(side - 1);
    let col = (cell % side * 2).abs_diff(side - 1);
    row * row + col * col
}
