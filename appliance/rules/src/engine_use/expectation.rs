//! How often players of a rating find a right move in a critical position.

use super::Count;
use crate::board::BoardSize;
use serde::{Deserialize, Serialize};

/// Ratings from here on are in the next band.
const BOUNDS: [f64; 4] = [1300.0, 1500.0, 1700.0, 1900.0];
/// Bands of ratings.
pub const BANDS: usize = BOUNDS.len() + 1;
/// 4×4, 5×5 and 6×6: 3×3 has no part in a score.
const SIZES: usize = 3;
const DIFFICULTIES: usize = 3;

/// What is counted weighs against the fixed expectation as so many positions do.
const FIXED_WEIGHT: f64 = 200.0;

/// No expectation is nearer to 0 or 1: nobody is that sure.
const MARGIN: f64 = 0.03;

/// By size, difficulty and band, in percent: what the simulated players of `examples/engine_use.rs` find.
const FIXED: [[[u8; BANDS]; DIFFICULTIES]; SIZES] = [
    // Critical positions of 4×4 are too rare to simulate: as on 5×5.
    [[82, 84, 90, 91, 92], [62, 69, 76, 81, 87], [44, 53, 62, 71, 81]],
    [[82, 84, 90, 91, 92], [62, 69, 76, 81, 87], [44, 53, 62, 71, 81]],
    [[86, 86, 90, 94, 96], [65, 70, 74, 78, 89], [41, 49, 60, 71, 79]],
];

/// Players of about one rating: 0 below 1300, then in steps of 200, 4 from 1900 on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Band(usize);

impl Band {
    pub fn of(rating: f64) -> Band {
        Band(BOUNDS.iter().filter(|bound| rating >= **bound).count())
    }

    pub fn index(self) -> usize {
        self.0
    }
}

/// How few of the moves keep the value: at most a half, at most a quarter, at most an eighth.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Difficulty(usize);

impl Difficulty {
    /// `bits` is -log2 of the share of moves that keep the value.
    pub fn of(bits: f64) -> Difficulty {
        Difficulty([2.0, 3.0].iter().filter(|bound| bits >= **bound).count())
    }

    pub fn index(self) -> usize {
        self.0
    }
}

/// A critical position that a player of some band had.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lesson {
    pub size: BoardSize,
    pub difficulty: Difficulty,
    pub band: Band,
    pub found: bool,
}

/// What was found of critical positions on this server, by size, difficulty and band. Append-only: stored by order.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Expectation {
    counts: [[[Count; BANDS]; DIFFICULTIES]; SIZES],
}

impl Expectation {
    /// The share of players who find a right move, 0 to 1: the fixed one, until what is counted outweighs it.
    pub fn of(&self, size: BoardSize, difficulty: Difficulty, band: Band) -> f64 {
        let Some(index) = index(size) else { return 1.0 - MARGIN };
        let fixed = f64::from(FIXED[index][difficulty.0][band.0]) / 100.0;
        let Count { seen, found } = self.counts[index][difficulty.0][band.0];
        let share = (fixed * FIXED_WEIGHT + f64::from(found)) / (FIXED_WEIGHT + f64::from(seen));
        share.clamp(MARGIN, 1.0 - MARGIN)
    }

    pub fn learn(&mut self, lesson: Lesson) {
        if let Some(index) = index(lesson.size) {
            self.counts[index][lesson.difficulty.0][lesson.band.0].add(lesson.found);
        }
    }
}

fn index(size: BoardSize) -> Option<usize> {
    usize::from(size.get()).checked_sub(4)
}
