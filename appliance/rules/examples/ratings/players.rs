//! Simulated people: how strong they are, when they play, what they want, and how a game between two of them ends.

use morpion_rules::{BoardSize, clock::TimeControl, quick_match::Wish, rating::Score};

pub const SECOND: i64 = 1_000;
pub const HOUR: i64 = 3_600 * SECOND;
pub const DAY: i64 = 24 * HOUR;

/// How many of a day's visits begin in each hour: few at night, most in the evening.
const VISITS_BY_HOUR: [u64; 24] = [3, 2, 1, 1, 1, 1, 2, 3, 4, 4, 4, 5, 7, 6, 5, 5, 6, 7, 9, 11, 13, 13, 10, 6];

/// The spread of strengths, and of what a month's pause changes of one.
const SPREAD: f64 = 250.0;
const CHANGE_BY_PAUSE: f64 = 60.0;
/// The spread of what a day changes.
const CHANGE_BY_DAY: f64 = 4.0;
/// What a beginner learns in all, and in how many games about two thirds of it.
const LEARNING: (f64, f64) = (120.0, 60.0);

/// SplitMix64.
#[derive(Debug, Clone)]
pub struct Dice(pub u64);

impl Dice {
    pub fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, end: u64) -> u64 {
        self.roll() % end
    }

    /// Between 0 and 1.
    pub fn share(&mut self) -> f64 {
        (self.roll() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Standard normal, by Box and Muller.
    pub fn normal(&mut self) -> f64 {
        let (radius, angle) = (1.0 - self.share(), self.share());
        (-2.0 * radius.ln()).sqrt() * (std::f64::consts::TAU * angle).cos()
    }

    /// Exponential with this mean.
    pub fn after(&mut self, mean: f64) -> f64 {
        -mean * (1.0 - self.share()).ln()
    }

    /// One of the weighted.
    pub fn pick(&mut self, weights: &[u64]) -> usize {
        let mut left = self.below(weights.iter().sum());
        weights.iter().position(|weight| left.checked_sub(*weight).map(|rest| left = rest).is_none()).unwrap_or(0)
    }
}

#[derive(Debug, Clone)]
pub struct Player {
    /// On the scale of ratings; grows with what is learnt.
    base: f64,
    games: u32,
    /// Visits a day while no pause is made.
    visits: f64,
    pub registers_at: i64,
    /// No visits before this time.
    away_until: i64,
}

impl Player {
    /// Somebody who registers at some time of the first half of these days.
    pub fn new(dice: &mut Dice, days: i64) -> Self {
        let base = 1_500.0 + SPREAD * dice.normal();
        // Half visit less than every third day, a few several times a day.
        let visits = (0.3 * dice.normal().exp()).min(5.0);
        Self { base, games: 0, visits, registers_at: (dice.share() * (days * DAY / 2) as f64) as i64, away_until: 0 }
    }

    /// The true strength.
    pub fn strength(&self) -> f64 {
        self.base + LEARNING.0 * (1.0 - (-f64::from(self.games) / LEARNING.1).exp())
    }

    pub fn played(&mut self) {
        self.games += 1;
    }

    /// When this player comes on a day, if at all.
    pub fn visit(&mut self, day: i64, dice: &mut Dice) -> Option<i64> {
        self.base += CHANGE_BY_DAY * dice.normal();
        let begins = day * DAY;
        if begins < self.registers_at || begins < self.away_until {
            return None;
        }
        if dice.below(120) == 0 {
            self.away_until = begins + DAY * (20 + dice.below(40) as i64);
            self.base += CHANGE_BY_PAUSE * dice.normal();
            return None;
        }
        let hour = dice.pick(&VISITS_BY_HOUR) as i64;
        (dice.share() < self.visits.min(1.0)).then(|| begins + hour * HOUR + dice.below(HOUR as u64) as i64)
    }

    /// Games that the player wants in a visit; whoever visits often plays more.
    pub fn games_wanted(&self, dice: &mut Dice) -> u32 {
        1 + dice.after(2.0 * self.visits.max(1.0)) as u32
    }
}

/// What somebody looks for: half play on any board, most with 15 s a turn, few casually.
pub fn wish(dice: &mut Dice) -> Wish {
    let size = match dice.pick(&[50, 25, 10, 8, 7]) {
        0 => None,
        side => BoardSize::new(side as u8 + 2),
    };
    let control = if dice.below(10) < 8 { TimeControl::PerTurn } else { TimeControl::Increment };
    Wish { size, control, rated: dice.below(10) < 9 }
}

/// How long somebody waits for an opponent before giving up.
pub fn patience(dice: &mut Dice) -> i64 {
    (30.0 + dice.after(120.0)) as i64 * SECOND
}

pub fn game_length(size: BoardSize, dice: &mut Dice) -> i64 {
    let cells = i64::from(size.get()) * i64::from(size.get());
    (10 + cells * (2 + dice.below(4) as i64)) * SECOND
}

/// The points that the first of two is expected to make.
pub fn expected(first: f64, second: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf((second - first) / 400.0))
}

/// The result for the first, who makes these points on average. Small boards are drawn more often, and equals more often.
pub fn result(expected: f64, size: BoardSize, dice: &mut Dice) -> Score {
    let most_draws = [0.45, 0.35, 0.25, 0.1][usize::from(size.get()) - 3];
    let draws = most_draws * 4.0 * expected * (1.0 - expected);
    let roll = dice.share();
    if roll < draws {
        Score::Draw
    } else if roll < draws + expected - draws / 2.0 {
        Score::Win
    } else {
        Score::Loss
    }
}
