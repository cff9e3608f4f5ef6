//! Moves of rated games compared with the solver: `docs/behaviour/engine-use.md`.

use uuid::Uuid;

use crate::{Pagination, Timestamp, game::Symbol, profile::UserProfile};

words! {
    /// What a score comes to.
    pub enum EngineScoreLevel {
        /// Not enough critical positions for a score to say anything.
        TooFew = "too-few",
        Usual = "usual",
        Unusual = "unusual",
    }
}

request! {
    /// The most unusual first; accounts with too few positions come last.
    pub struct ListEngineScores {
        pub page: Option<u32>,
        pub limit: Option<u32>,
    }

    pub struct GetEngineEvidence { pub user_id: Uuid }
}

answer! {
    /// How an account's moves compare with those of players of the same rating.
    pub struct EngineScore {
        pub user: UserProfile,
        pub level: EngineScoreLevel,
        /// In standard deviations.
        pub score: f64,
        /// The share of players of that rating who find as many critical positions or more, 0 to 1.
        pub chance: f64,
        /// Rated games that were compared: the latest hundred.
        pub games: u32,
        /// Critical positions, and in how many a right move was found.
        pub critical: FoundCount,
        /// In how many players of that rating find one.
        pub expected: f64,
        pub updated_at: Timestamp,
    }

    pub struct FoundCount { pub seen: u32, pub found: u32 }

    pub struct EngineScoresAnswer {
        pub scores: Vec<EngineScore>,
        pub pagination: Pagination,
    }

    /// How long an account takes for moves. What is absent has too few moves.
    pub struct MoveTimes {
        /// Critical positions that were found within 1.5 s.
        pub fast: u32,
        /// The geometric mean, in milliseconds.
        pub typical_ms: Option<f64>,
        /// The standard deviation of the natural logarithms: 0 for constant times.
        pub spread: Option<f64>,
        /// Times in critical positions by those in others: above 1 for whoever thinks where it matters.
        pub slowdown: Option<f64>,
    }

    /// A hard position in which a right move was found.
    pub struct EnginePosition {
        pub game_id: Uuid,
        /// From 1.
        pub round: u8,
        /// Of the game's moves, from 1.
        pub ply: u16,
        /// Before the move.
        pub board: Vec<Vec<String>>,
        pub symbol: Symbol,
        /// Row and column of the move, from 0.
        pub played: [u8; 2],
        /// Rows and columns of all moves that keep the position's value.
        pub keeping: Vec<[u8; 2]>,
        /// The share of players of that rating that find one of these, 0 to 1.
        pub expected: f64,
        pub took_ms: i64,
        /// The end of the game.
        pub at: Timestamp,
    }

    pub struct EngineEvidence {
        pub score: EngineScore,
        /// Information in the right moves of critical positions.
        pub bits: f64,
        /// Positions in which a line was one stone away.
        pub immediate: FoundCount,
        /// Critical positions of 3×3, which have no part in the score.
        pub small_board: FoundCount,
        /// Positions that say nothing: lost, or most moves keep their value.
        pub open: u32,
        /// Positions that the solver did not solve within its bound.
        pub unknown: u32,
        pub times: MoveTimes,
        /// At most 30, the latest first.
        pub positions: Vec<EnginePosition>,
    }

    pub struct EngineEvidenceAnswer {
        /// Absent before the first rated game was compared.
        pub evidence: Option<EngineEvidence>,
    }
}
