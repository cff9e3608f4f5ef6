//! Positions for tests of the solver, which are inside and outside the crate: whoever includes this file has its types in
//! scope.

use super::{Board, BoardSize, Cell, Mark};

/// A position with so many stones on it, no line, and one side to move; from a seed.
pub fn random_position(size: BoardSize, stones: u32, seed: u64) -> (Board, Mark) {
    let mut random = seed;
    loop {
        let mut board = Board::empty(size);
        let mut to_move = Mark::X;
        for _ in 0..stones {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let cells: Vec<Cell> = board.empty_cells().collect();
            board = board.place(cells[(random >> 33) as usize % cells.len()], to_move).unwrap();
            to_move = to_move.other();
        }
        if board.winning_line().is_none() {
            return (board, to_move);
        }
    }
}
