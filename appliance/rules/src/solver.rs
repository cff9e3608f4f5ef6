//! The exact value of a position, and which of its moves keep it: what moves of rated games are compared with
//! (`docs/behaviour/engine-use.md`).
//!
//! Win, draw and loss are two yes-or-no questions, 'can this side win?', one for each side. Each is a proof-number
//! search that is bounded by nodes, never by time, so that the same position has the same result on every machine. The
//! search is that of the web app's engine (`webapp/src/engine/README.md`); `vectors/positions.json` holds both to the
//! same results.

mod forcing;
mod geometry;
mod pairing;
mod prover;
mod stones;
mod table;

use crate::board::{Board, BoardSize, Cell, Mark};
use geometry::Geometry;
use prover::{Effort, Prover};
use stones::{Outcome, Side, Stones, other};

/// The entries of a table as a power of two, by size: at 16 bytes each, 4 MiB for the largest boards.
const TABLE_BITS: [u32; 4] = [10, 16, 18, 18];

/// What a position is worth with best play on both sides, for the side that is to move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Value {
    Loss,
    Draw,
    Win,
}

impl Value {
    pub const fn as_str(self) -> &'static str {
        match self {
            Value::Loss => "loss",
            Value::Draw => "draw",
            Value::Win => "win",
        }
    }
}

/// A position with its value and the moves that keep it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Solution {
    pub value: Value,
    /// In reading order. In a lost position these are all moves.
    pub keeping: Vec<Cell>,
    /// How many moves there are.
    pub legal: u8,
    /// Whether one stone completes a line, of either side: a win to take or a loss to avert at once.
    pub immediate: bool,
}

/// Solves positions of one size, and keeps what it has proven between calls.
pub struct Solver {
    size: BoardSize,
    stones: Stones,
    prover: Prover,
}

impl Solver {
    pub fn new(size: BoardSize) -> Solver {
        let bits = TABLE_BITS[usize::from(size.get() - BoardSize::MIN.get())];
        Solver { size, stones: Stones::new(Geometry::of(size)), prover: Prover::new(bits) }
    }

    pub fn size(&self) -> BoardSize {
        self.size
    }

    /// The value of the position for `to_move`; `None` where it takes more than `nodes` nodes.
    ///
    /// # Panics
    /// For a board of another size, or one that is won or full.
    pub fn value(&mut self, board: &Board, to_move: Mark, nodes: u32) -> Option<Value> {
        let side = self.load(board, to_move);
        self.judge(side, &mut Effort { nodes: 0, limit: nodes })
    }

    /// The position's value and the moves that keep it; `None` where one of these takes the nodes beyond `nodes`.
    ///
    /// # Panics
    /// As [`Solver::value`].
    pub fn solve(&mut self, board: &Board, to_move: Mark, nodes: u32) -> Option<Solution> {
        let side = self.load(board, to_move);
        let effort = &mut Effort { nodes: 0, limit: nodes };
        let immediate = (self.stones.winning_cells(side) | self.stones.winning_cells(other(side))) != 0;
        let value = self.judge(side, effort)?;
        let mut keeping = Vec::new();
        let mut legal = 0;
        // Symmetric moves have one answer.
        let mut known: Vec<(u64, bool)> = Vec::new();
        for cell in board.empty_cells() {
            legal += 1;
            let keeps = match value {
                Value::Loss => true,
                Value::Win | Value::Draw => self.keeps(cell, side, value, &mut known, effort)?,
            };
            if keeps {
                keeping.push(cell);
            }
        }
        Some(Solution { value, keeping, legal, immediate })
    }

    /// Whether a move keeps a win, or a draw that is the position's value.
    fn keeps(
        &mut self,
        cell: Cell,
        side: Side,
        value: Value,
        known: &mut Vec<(u64, bool)>,
        effort: &mut Effort,
    ) -> Option<bool> {
        let cell = self.number(cell);
        let outcome = self.put(cell, side);
        let key = self.stones.key();
        let keeps = match known.iter().find(|(seen, _)| *seen == key) {
            Some(&(_, keeps)) => Some(keeps),
            None if outcome == Outcome::Won => Some(true),
            None if self.stones.is_full() => Some(value == Value::Draw),
            None if value == Value::Win => self.wins(side, other(side), effort),
            None => self.wins(other(side), other(side), effort).map(|lost| !lost),
        };
        self.lift(cell, side);
        known.extend(keeps.map(|keeps| (key, keeps)));
        keeps
    }

    fn judge(&mut self, to_move: Side, effort: &mut Effort) -> Option<Value> {
        if self.wins(to_move, to_move, effort)? {
            return Some(Value::Win);
        }
        Some(if self.wins(other(to_move), to_move, effort)? { Value::Loss } else { Value::Draw })
    }

    /// Whether `winner` wins the position on the board, which is not over.
    fn wins(&mut self, winner: Side, to_move: Side, effort: &mut Effort) -> Option<bool> {
        if self.stones.winning_cells(to_move) != 0 {
            return Some(winner == to_move);
        }
        let threats = self.stones.winning_cells(other(to_move));
        match threats.count_ones() {
            0 => self.prover.can_win(&mut self.stones, winner, to_move, effort),
            1 => {
                let cell = threats.trailing_zeros() as u8;
                self.put(cell, to_move);
                let wins = if self.stones.is_full() { Some(false) } else { self.wins(winner, other(to_move), effort) };
                self.lift(cell, to_move);
                wins
            }
            _ => Some(winner != to_move),
        }
    }

    /// Sets the board up and returns the side to move: whoever has fewer stones, or the starter where both have as many.
    fn load(&mut self, board: &Board, to_move: Mark) -> Side {
        assert_eq!(board.size(), self.size, "a solver is for one size");
        assert!(board.winning_line().is_none() && !board.is_full(), "the game is over");
        self.stones = Stones::new(Geometry::of(self.size));
        let side = usize::from(board.count(to_move) < board.count(to_move.other()));
        for (row, marks) in (0..).zip(board.rows()) {
            for (col, mark) in (0..).zip(marks) {
                let Some(mark) = mark else { continue };
                let cell = row * self.size.get() + col;
                self.put(cell, if mark == to_move { side } else { other(side) });
            }
        }
        side
    }

    fn number(&self, cell: Cell) -> u8 {
        cell.row() * self.size.get() + cell.col()
    }

    fn put(&mut self, cell: u8, side: Side) -> Outcome {
        self.stones.add_to_key(cell, side);
        self.stones.place(cell, side)
    }

    fn lift(&mut self, cell: u8, side: Side) {
        self.stones.take(cell, side);
        self.stones.take_from_key(cell, side);
    }
}

#[cfg(test)]
mod tests;
