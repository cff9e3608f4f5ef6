//! Three ways to predict games: Glicko-2 as the server has it, Elo, and no rating at all; and how far off they are.

use std::collections::BTreeMap;

use morpion_rules::{
    Millis,
    rating::{Rating, Record, Score, expected as expected_by_glicko},
};

use crate::players::expected;

/// Elo as chess federations have it: K is 40 for the first 30 games, then 20.
const K: [f64; 2] = [40.0, 20.0];
const NEW_UNTIL: u32 = 30;

/// After so many games it is noted how far off a rating is.
pub const NOTED: [u32; 5] = [5, 10, 20, 50, 100];

pub const NAMES: [&str; 3] = ["Glicko-2", "Elo", "no rating"];

/// The ratings of a player in all systems.
#[derive(Debug, Clone, Copy)]
pub struct Rated {
    pub glicko: Record,
    elo: f64,
    games: u32,
}

impl Default for Rated {
    fn default() -> Self {
        Self { glicko: Record::START, elo: Rating::START.value, games: 0 }
    }
}

/// Sums of squares over games, and over players who have just played their so many games.
#[derive(Debug, Clone, Default)]
pub struct Errors {
    pub games: u64,
    /// Of the predicted from the true expectation.
    expectation: [f64; 3],
    /// Of the prediction from the result: the Brier score.
    result: [f64; 3],
    /// Of the rating from the strength, by the number of games: how many, sums, and sums of squares.
    strength: BTreeMap<u32, (f64, [f64; 3], [f64; 3])>,
}

impl Errors {
    /// The root of the mean square, in points of a game.
    pub fn expectation(&self) -> [f64; 3] {
        self.expectation.map(|sum| (sum / self.games as f64).sqrt())
    }

    pub fn brier(&self) -> [f64; 3] {
        self.result.map(|sum| sum / self.games as f64)
    }

    /// The standard deviation, in points of a rating: only differences of ratings say anything, so that an error that all
    /// have in common is none.
    pub fn strength_after(&self, games: u32) -> [f64; 3] {
        let (count, sums, squares) = self.strength.get(&games).copied().unwrap_or_default();
        [0, 1, 2].map(|system| (squares[system] / count - (sums[system] / count).powi(2)).sqrt())
    }

    /// Counts a game, and rates both players; `strengths` are the true ones.
    pub fn count(&mut self, players: [&mut Rated; 2], strengths: [f64; 2], score: Score, at: Millis) {
        let [first, second] = players;
        let ratings = [first.glicko.rating_at(at), second.glicko.rating_at(at)];
        let truth = expected(strengths[0], strengths[1]);
        let predicted = [expected_by_glicko(ratings), expected(first.elo, second.elo), 0.5];
        self.games += 1;
        for (system, prediction) in predicted.into_iter().enumerate() {
            self.expectation[system] += (prediction - truth).powi(2);
            self.result[system] += (prediction - score.points()).powi(2);
        }
        let gain = score.points() - predicted[1];
        [first.glicko, second.glicko] = Record::after_game([first.glicko, second.glicko], score, at);
        for (player, gain, strength) in [(first, gain, strengths[0]), (second, -gain, strengths[1])] {
            player.elo += K[usize::from(player.games >= NEW_UNTIL)] * gain;
            player.games += 1;
            if NOTED.contains(&player.games) {
                let (count, sums, squares) = self.strength.entry(player.games).or_default();
                *count += 1.0;
                let ratings = [player.glicko.rating.value, player.elo, Rating::START.value];
                for (system, rating) in ratings.into_iter().enumerate() {
                    sums[system] += rating - strength;
                    squares[system] += (rating - strength).powi(2);
                }
            }
        }
    }
}
