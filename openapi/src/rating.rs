//! Ratings: `docs/behaviour/ratings.md`.

use uuid::Uuid;

use crate::{Pagination, Timestamp};

request! {
    /// People only; for bots, see `list_bots`.
    pub struct GetRatingList {
        pub page: Option<u32>,
        pub limit: Option<u32>,
    }

    pub struct ListBots {
        pub page: Option<u32>,
        pub limit: Option<u32>,
    }
}

answer! {
    /// A user's rating.
    pub struct Rating {
        pub value: u32,
        /// How far off the value may be: one standard deviation. It grows while the user does not play.
        pub deviation: u32,
        /// The deviation is 110 or more, so the user is in no list.
        pub provisional: bool,
        /// Rated games.
        pub games: u32,
    }

    /// A rating beside a name.
    pub struct PlayerRating {
        pub value: u32,
        /// The deviation is 110 or more.
        pub provisional: bool,
    }

    /// What a game did to a player's rating.
    pub struct RatingChange {
        pub user_id: Uuid,
        pub before: u32,
        pub after: u32,
        /// The deviation is still 110 or more.
        pub provisional: bool,
    }

    pub struct RankedPlayer {
        /// Counted from 1.
        pub rank: u32,
        pub user_id: Uuid,
        pub username: String,
        pub display_name: String,
        /// Where the picture is, 64 pixels wide; absent without one.
        pub profile_url: Option<String>,
        /// True for a bot, absent for people.
        pub is_bot: Option<bool>,
        pub rating: Rating,
    }

    pub struct OwnRating {
        /// Counted from 1, among people or, for a bot, among bots; absent for a provisional rating, which is in no list.
        pub rank: Option<u32>,
        pub rating: Rating,
    }

    pub struct RatingListAnswer {
        /// The best first.
        pub players: Vec<RankedPlayer>,
        /// The caller's place and rating; absent for guests and operator tokens.
        pub own: Option<OwnRating>,
        pub pagination: Pagination,
    }

    /// An account on which a program plays.
    pub struct Bot {
        /// Counted from 1, among bots; absent for a provisional rating.
        pub rank: Option<u32>,
        pub user_id: Uuid,
        pub username: String,
        pub display_name: String,
        /// Where the picture is, 64 pixels wide; absent without one.
        pub profile_url: Option<String>,
        /// True for a bot, absent for people.
        pub is_bot: Option<bool>,
        /// From games with other bots.
        pub rating: Rating,
        /// Whether its program is connected and can answer an invitation.
        pub online: bool,
        pub bot_since: Timestamp,
    }

    pub struct BotsAnswer {
        /// Those with a certain rating, best first, then the others, newest first.
        pub bots: Vec<Bot>,
        pub pagination: Pagination,
    }
}
