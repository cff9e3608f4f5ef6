//! What the evidence of some games comes to.

use super::{Count, GameEvidence, Times};

/// Critical positions without which a score says nothing.
pub const MIN_POSITIONS: u32 = 40;

/// A score from here on is unusual.
pub const UNUSUAL: f64 = 3.0;

/// How much players of one band differ from each other: the standard deviation of the log-odds with which they find
/// critical positions.
pub const SKILL_SPREAD: f64 = 0.5;

/// Moves without which times say nothing.
const MIN_TIMES: u32 = 20;

/// A score is at most this: one in a thousand million million.
const MAX_SCORE: f64 = 8.0;

/// The steps by which skill is summed over, in standard deviations.
const SKILL_STEP: f64 = 0.125;
/// Beyond this, players of one band are one in 16,000 on each side.
const MAX_SKILL: f64 = 4.0;

/// What a score comes to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Level {
    /// Fewer than [`MIN_POSITIONS`] critical positions.
    TooFew,
    Usual,
    /// At least [`UNUSUAL`].
    Unusual,
}

impl Level {
    /// As the wire names it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Level::TooFew => "too-few",
            Level::Usual => "usual",
            Level::Unusual => "unusual",
        }
    }
}

/// How a player's moves compare with those of players of the same rating.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Score {
    /// The one-sided z-score of [`chance`]: 0 for the middle of the band, 3 for one in 741.
    pub value: f64,
    /// The share of players of that rating who find as many critical positions or more, 0 to 1.
    pub chance: f64,
    pub level: Level,
    pub games: u32,
    pub critical: Count,
    /// How many critical positions players of that rating find.
    pub expected: f64,
    /// Information of the moves found.
    pub bits: f64,
    pub immediate: Count,
    pub small: Count,
    pub open: u32,
    pub unknown: u32,
    pub times: TimePattern,
}

/// How long a player takes for moves. Absent where there are too few.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TimePattern {
    /// Critical positions found within [`FAST`](super::FAST).
    pub fast: u32,
    /// The geometric mean of the times of moves, milliseconds.
    pub typical: Option<f64>,
    /// The standard deviation of their natural logarithms: 0 for constant times.
    pub spread: Option<f64>,
    /// The geometric mean of the times in critical positions by that in the others: above 1 for whoever thinks where it
    /// matters.
    pub slowdown: Option<f64>,
}

impl Score {
    pub(super) fn of<'a>(games: impl IntoIterator<Item = &'a GameEvidence>) -> Score {
        let mut score = Score::default();
        let (mut critical_times, mut other_times) = (Times::default(), Times::default());
        for game in games {
            score.games += 1;
            score.critical.join(game.critical);
            score.immediate.join(game.immediate);
            score.small.join(game.small);
            score.expected += game.expected;
            score.bits += game.bits;
            score.open += game.open;
            score.unknown += game.unknown;
            score.times.fast += game.fast;
            critical_times.join(game.critical_times);
            other_times.join(game.other_times);
        }
        score.chance = chance(score.critical, score.expected);
        score.value = z_score(score.chance);
        score.level = match score.critical.seen {
            seen if seen < MIN_POSITIONS => Level::TooFew,
            _ if score.value >= UNUSUAL => Level::Unusual,
            _ => Level::Usual,
        };
        score.times = score.times.with(critical_times, other_times);
        score
    }
}

/// The share of players of one band who find as many critical positions, or more, where the band finds `expected` of
/// them. Players differ in skill by [`SKILL_SPREAD`]; given their skill, positions are found independently.
pub fn chance(critical: Count, expected: f64) -> f64 {
    let Count { seen, found } = critical;
    if found == 0 {
        return 1.0;
    }
    let share = expected / f64::from(seen);
    let log_odds = (share / (1.0 - share)).ln();
    let steps = (MAX_SKILL / SKILL_STEP) as i32;
    let (mut sum, mut weights) = (0.0, 0.0);
    for skill in (-steps..=steps).map(|step| f64::from(step) * SKILL_STEP) {
        let weight = (-skill * skill / 2.0).exp();
        sum += weight * at_least(seen, found, log_odds + SKILL_SPREAD * skill);
        weights += weight;
    }
    sum / weights
}

/// The chance of `found` or more hits in `seen` tries with these log-odds each.
fn at_least(seen: u32, found: u32, log_odds: f64) -> f64 {
    // ln(1 - p), of a miss.
    let miss = -log_odds.exp().ln_1p();
    let mut term = f64::from(seen) * miss;
    let mut sum = 0.0;
    for hits in 0..=seen {
        if hits >= found {
            sum += term.exp();
        }
        term += (f64::from(seen - hits) / f64::from(hits + 1)).ln() + log_odds;
    }
    sum.min(1.0)
}

/// The z-score that the given share of a normal distribution exceeds; by Abramowitz and Stegun 26.2.23, to 0.0005.
pub fn z_score(chance: f64) -> f64 {
    let tail = chance.min(1.0 - chance).max(1e-300);
    let t = (-2.0 * tail.ln()).sqrt();
    let numerator = 2.515_517 + t * (0.802_853 + t * 0.010_328);
    let denominator = 1.0 + t * (1.432_788 + t * (0.189_269 + t * 0.001_308));
    let z = (t - numerator / denominator).min(MAX_SCORE);
    if chance <= 0.5 { z } else { -z }
}

impl Default for Score {
    fn default() -> Self {
        Score {
            value: 0.0,
            chance: 1.0,
            level: Level::TooFew,
            games: 0,
            critical: Count::default(),
            expected: 0.0,
            bits: 0.0,
            immediate: Count::default(),
            small: Count::default(),
            open: 0,
            unknown: 0,
            times: TimePattern { fast: 0, typical: None, spread: None, slowdown: None },
        }
    }
}

impl TimePattern {
    fn with(self, critical: Times, other: Times) -> TimePattern {
        let mut all = critical;
        all.join(other);
        let slowdown = critical.mean().zip(other.mean()).map(|(critical, other)| (critical - other).exp());
        TimePattern { typical: all.mean().map(f64::exp), spread: all.deviation(), slowdown, ..self }
    }
}

impl Times {
    fn mean(self) -> Option<f64> {
        (self.count >= MIN_TIMES).then(|| self.sum / f64::from(self.count))
    }

    fn deviation(self) -> Option<f64> {
        let mean = self.mean()?;
        Some((self.squares / f64::from(self.count) - mean * mean).max(0.0).sqrt())
    }
}
