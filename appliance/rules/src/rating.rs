//! Ratings by Glicko-2: see `docs/behaviour/ratings.md`.
//!
//! A rating is a guess of a player's strength, with how far off it may be (the deviation) and how steadily the player
//! plays (the volatility). Each game is a rating period of its own, and a pause adds more of them.

use skillratings::{
    Outcomes,
    glicko2::{Glicko2Config, Glicko2Rating, expected_score, glicko2, glicko2_rating_period},
};

use crate::{
    UserId,
    board::Mark,
    clock::Millis,
    game::{Game, Status},
};

/// Who has a smaller deviation is in the rating list; a larger one is provisional.
pub const RANKED_BELOW: f64 = 110.0;

/// Nobody's value is lower or higher: far from anything that the games of one server can show.
pub const VALUES: (f64, f64) = (100.0, 4_000.0);

/// The smallest deviation keeps a rating in motion, the largest is a newcomer's.
pub const DEVIATIONS: (f64, f64) = (30.0, 350.0);

/// The smallest and the largest volatility.
pub const VOLATILITIES: (f64, f64) = (0.01, 0.1);

/// Milliseconds of a pause that add to the deviation as much as a game's period does: with the volatility of a
/// newcomer, a deviation of 60 grows to 110 within a year.
pub const PAUSE_PERIOD: i64 = 403_000_000;

/// From the scale on which ratings are shown to that of Glicko-2.
const SCALE: f64 = 173.717_8;

/// The paper's recommendation for the change of volatility, and when its search is exact enough.
const CONFIG: Glicko2Config = Glicko2Config { tau: 0.5, convergence_tolerance: 0.000_001 };

/// A player's rating as of their last rated game.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rating {
    pub value: f64,
    /// One standard deviation.
    pub deviation: f64,
    pub volatility: f64,
}

impl Rating {
    /// Before the first rated game.
    pub const START: Self = Self { value: 1_500.0, deviation: 350.0, volatility: 0.06 };

    /// The rating after a pause of so many milliseconds, of which it is less certain. A negative pause is none.
    pub fn after_pause(self, pause: i64) -> Self {
        let periods = pause.max(0) as f64 / PAUSE_PERIOD as f64;
        let grown = (self.deviation / SCALE).hypot(self.volatility * periods.sqrt()) * SCALE;
        // A deviation that is exact stays so, without an error of rounding.
        let deviation = if periods > 0.0 { grown } else { self.deviation };
        Self { deviation: deviation.min(DEVIATIONS.1), ..self }
    }

    /// Not certain enough for the rating list.
    pub fn is_provisional(self) -> bool {
        self.deviation >= RANKED_BELOW
    }

    /// The pause in milliseconds after which the rating becomes provisional; `None` if it is.
    pub fn ranked_for(self) -> Option<i64> {
        if self.is_provisional() {
            return None;
        }
        let room = (RANKED_BELOW.powi(2) - self.deviation.powi(2)) / (self.volatility * SCALE).powi(2);
        Some((room * PAUSE_PERIOD as f64) as i64)
    }

    /// The value as it is shown.
    pub fn shown(self) -> u32 {
        self.value.round() as u32
    }

    /// The rating after a rating period with these games, each with the opponent's rating before it.
    pub fn after_period(self, games: &[(Rating, Score)]) -> Self {
        let games: Vec<_> =
            games.iter().map(|(opponent, score)| (Glicko2Rating::from(*opponent), score.outcome())).collect();
        Self::from(glicko2_rating_period(&self.into(), &games, &CONFIG))
    }

    fn bounded(self) -> Self {
        Self {
            value: self.value.clamp(VALUES.0, VALUES.1),
            deviation: self.deviation.clamp(DEVIATIONS.0, DEVIATIONS.1),
            volatility: self.volatility.clamp(VOLATILITIES.0, VOLATILITIES.1),
        }
    }
}

impl From<Rating> for Glicko2Rating {
    fn from(Rating { value, deviation, volatility }: Rating) -> Self {
        Self { rating: value, deviation, volatility }
    }
}

impl From<Glicko2Rating> for Rating {
    fn from(Glicko2Rating { rating, deviation, volatility }: Glicko2Rating) -> Self {
        Self { value: rating, deviation, volatility }.bounded()
    }
}

/// The result of a game for one of its players.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Score {
    Win,
    Draw,
    Loss,
}

impl Score {
    /// The other player's.
    pub fn reversed(self) -> Self {
        match self {
            Self::Win => Self::Loss,
            Self::Draw => Self::Draw,
            Self::Loss => Self::Win,
        }
    }

    /// 1, a half or 0.
    pub fn points(self) -> f64 {
        match self {
            Self::Win => 1.0,
            Self::Draw => 0.5,
            Self::Loss => 0.0,
        }
    }

    fn outcome(self) -> Outcomes {
        match self {
            Self::Win => Outcomes::WIN,
            Self::Draw => Outcomes::DRAW,
            Self::Loss => Outcomes::LOSS,
        }
    }
}

/// The ratings of two players after their game; `score` is the first one's.
pub fn after_game([first, second]: [Rating; 2], score: Score) -> [Rating; 2] {
    let (first, second) = glicko2(&first.into(), &second.into(), &score.outcome(), &CONFIG);
    [first.into(), second.into()]
}

/// A player's rating, the games that it comes from, and when the last of them ended.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Record {
    pub rating: Rating,
    pub wins: u32,
    pub losses: u32,
    pub draws: u32,
    /// `None` before the first game.
    pub rated_at: Option<Millis>,
}

impl Record {
    /// Before the first rated game.
    pub const START: Self = Self { rating: Rating::START, wins: 0, losses: 0, draws: 0, rated_at: None };

    /// Rated games.
    pub fn games(self) -> u32 {
        self.wins + self.losses + self.draws
    }

    /// The rating at a later moment.
    pub fn rating_at(self, now: Millis) -> Rating {
        self.rating.after_pause(self.rated_at.map_or(0, |rated_at| now - rated_at))
    }

    fn after(self, rating: Rating, score: Score, at: Millis) -> Self {
        let one_if = |is: bool| u32::from(is);
        Self {
            rating,
            wins: self.wins + one_if(score == Score::Win),
            losses: self.losses + one_if(score == Score::Loss),
            draws: self.draws + one_if(score == Score::Draw),
            rated_at: self.rated_at.max(Some(at)),
        }
    }

    /// The records of two players after their game, which ended at this time; `score` is the first one's.
    pub fn after_game(players: [Self; 2], score: Score, at: Millis) -> [Self; 2] {
        let [first, second] = players;
        let [first_rating, second_rating] = after_game(players.map(|player| player.rating_at(at)), score);
        [first.after(first_rating, score, at), second.after(second_rating, score.reversed(), at)]
    }
}

/// The points that the first of two players is expected to make: 0 to 1.
pub fn expected([first, second]: [Rating; 2]) -> f64 {
    expected_score(&first.into(), &second.into()).0
}

/// The final result of a rated game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RatedResult {
    /// X and O.
    pub players: [UserId; 2],
    /// Of X.
    pub score: Score,
}

impl RatedResult {
    /// `None` for a game that is not rated, not over, or void.
    pub fn of(game: &Game) -> Option<Self> {
        if !game.is_rated() || game.status() != Status::Completed {
            return None;
        }
        let [x, o] = Mark::BOTH.map(|mark| game.player(mark).map(|player| player.user));
        let score = match game.winner() {
            Some(Mark::X) => Score::Win,
            Some(Mark::O) => Score::Loss,
            None => Score::Draw,
        };
        Some(Self { players: [x?, o?], score })
    }
}
