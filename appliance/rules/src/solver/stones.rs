//! The board that a search plays on: the state of every line, both sides' potentials and the keys of all eight
//! symmetric images, kept up to date stone by stone.

use super::geometry::{Geometry, MAX_LINES, SYMMETRIES};

/// Side 0 made the first move of the round, side 1 the second. Which of them is X does not matter.
pub(super) type Side = usize;

pub(super) const fn other(side: Side) -> Side {
    1 - side
}

/// What a stone does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Outcome {
    Quiet,
    /// One line lacks one stone: the opponent must reply in this cell.
    Threat(u8),
    /// Two or more winning cells, which no single reply can block.
    Double,
    Won,
}

/// A line's state is the number of stones of side 0 plus eight times that of side 1.
pub(super) const UNIT: [u8; 2] = [1, 8];
const STATES: usize = 64;

/// By side and a line's state: 2^stones while the line can still become that side's, else 0.
const WEIGHT: [[u32; STATES]; 2] = {
    let mut weight = [[0; STATES]; 2];
    let mut stones = 0;
    while stones < 5 {
        weight[0][stones] = 1 << stones;
        weight[1][stones * UNIT[1] as usize] = 1 << stones;
        stones += 1;
    }
    weight
};

/// A key takes 58 bits; these two say which question is asked of the position.
const ATTACKER_SHIFT: u32 = 60;
const TO_MOVE_SHIFT: u32 = 61;

pub(super) struct Stones {
    pub geometry: &'static Geometry,
    pub lines: [u8; MAX_LINES],
    pub occupied: u64,
    /// By side: [`WEIGHT`] summed over all lines.
    pub potential: [u32; 2],
    /// The position in base 3 under each symmetry: exact, so that two positions never share a key.
    keys: [u64; SYMMETRIES],
}

impl Stones {
    pub fn new(geometry: &'static Geometry) -> Stones {
        Stones {
            geometry,
            lines: [0; MAX_LINES],
            occupied: 0,
            potential: [geometry.lines.len() as u32; 2],
            keys: [0; SYMMETRIES],
        }
    }

    /// Places a stone, without its part of the key.
    pub fn place(&mut self, cell: u8, side: Side) -> Outcome {
        self.occupied |= 1 << cell;
        let won = self.geometry.win_length * UNIT[side];
        let mut outcome = Outcome::Quiet;
        for &line in &self.geometry.through[usize::from(cell)] {
            let before = self.lines[usize::from(line)];
            let state = before + UNIT[side];
            self.change_line(line, state);
            if state == won {
                outcome = Outcome::Won;
            } else if state == won - UNIT[side] && outcome != Outcome::Won {
                let hole = self.hole(usize::from(line));
                outcome = match outcome {
                    Outcome::Quiet => Outcome::Threat(hole),
                    Outcome::Threat(first) if first == hole => outcome,
                    _ => Outcome::Double,
                };
            }
        }
        outcome
    }

    /// Takes back a stone that [`Stones::place`] placed.
    pub fn take(&mut self, cell: u8, side: Side) {
        self.occupied &= !(1 << cell);
        for &line in &self.geometry.through[usize::from(cell)] {
            self.change_line(line, self.lines[usize::from(line)] - UNIT[side]);
        }
    }

    fn change_line(&mut self, line: u8, state: u8) {
        let before = usize::from(std::mem::replace(&mut self.lines[usize::from(line)], state));
        for side in [0, 1] {
            self.potential[side] = self.potential[side] + WEIGHT[side][usize::from(state)] - WEIGHT[side][before];
        }
    }

    pub fn add_to_key(&mut self, cell: u8, side: Side) {
        let digit = side as u64 + 1;
        for (key, weight) in self.keys.iter_mut().zip(self.geometry.weights[usize::from(cell)]) {
            *key += digit * weight;
        }
    }

    pub fn take_from_key(&mut self, cell: u8, side: Side) {
        let digit = side as u64 + 1;
        for (key, weight) in self.keys.iter_mut().zip(self.geometry.weights[usize::from(cell)]) {
            *key -= digit * weight;
        }
    }

    /// The key of the position, the same for its eight symmetric images.
    pub fn key(&self) -> u64 {
        self.keys.into_iter().min().unwrap_or_default()
    }

    /// The key of the question whether `attacker` wins with `to_move` to move. Whose turn it is does not follow from
    /// the stones: searches let a side pass.
    pub fn question(&self, attacker: Side, to_move: Side) -> u64 {
        self.key() | (attacker as u64) << ATTACKER_SHIFT | (to_move as u64) << TO_MOVE_SHIFT
    }

    pub fn is_empty(&self, cell: u8) -> bool {
        self.occupied >> cell & 1 == 0
    }

    pub fn is_full(&self) -> bool {
        self.occupied.count_ones() as usize == self.geometry.cells
    }

    /// An empty cell of a line that has one.
    fn hole(&self, line: usize) -> u8 {
        (self.geometry.lines[line] & !self.occupied).trailing_zeros() as u8
    }

    /// The cells where the side completes a line at once, as bits.
    pub fn winning_cells(&self, side: Side) -> u64 {
        let wanted = (self.geometry.win_length - 1) * UNIT[side];
        let lines = self.geometry.lines.iter().zip(self.lines);
        lines.filter(|&(_, state)| state == wanted).fold(0, |cells, (line, _)| cells | line & !self.occupied)
    }

    /// Whether the line can still become the side's.
    pub fn is_open_to(&self, side: Side, line: usize) -> bool {
        WEIGHT[side][usize::from(self.lines[line])] != 0
    }

    /// A cell through which no line can become anybody's.
    pub fn is_dead(&self, cell: u8) -> bool {
        let through = &self.geometry.through[usize::from(cell)];
        through.iter().all(|&line| !self.is_open_to(0, line.into()) && !self.is_open_to(1, line.into()))
    }

    /// The criterion of Erdős and Selfridge: weigh each open line 2^-(stones missing). Below 1/2 with `side` to move,
    /// below 1 with the opponent to move, an opponent who always takes the heaviest cell keeps `side` from every line.
    /// A sound bound: where it does not apply, nothing follows.
    pub fn cannot_win(&self, side: Side, to_move: Side) -> bool {
        let limit = 1 << self.geometry.win_length;
        self.potential[side] < if side == to_move { limit / 2 } else { limit }
    }
}
