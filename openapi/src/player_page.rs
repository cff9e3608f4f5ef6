//! Player pages: `docs/behaviour/player-pages.md`. The actions are in the resource `player`.

use uuid::Uuid;

use crate::{
    Pagination, Timestamp,
    event::EventState,
    game::{EndReason, GameType, TimeControl},
    rating::{PlayerRating, Rating},
};

words! {
    /// Who sees a player's page: everybody, everybody with an account, or nobody.
    pub enum ProfileVisibility { Public = "public", Members = "members", Nobody = "nobody" }
}

words! { pub enum PlayedResult { Won = "won", Lost = "lost", Drawn = "drawn" } }

request! {
    /// Exactly one of the two is given. A former username leads to its owner.
    pub struct GetProfile {
        pub username: Option<String>,
        pub user_id: Option<Uuid>,
    }

    /// What is absent is any.
    pub struct HistoryFilter {
        pub game_type: Option<GameType>,
        pub result: Option<PlayedResult>,
        /// 3 to 6.
        pub board_size: Option<u8>,
        pub rated: Option<bool>,
        pub opponent_id: Option<Uuid>,
    }

    /// A player's finished games, the newest first.
    pub struct GetHistory {
        pub user_id: Uuid,
        pub page: Option<u32>,
        pub limit: Option<u32>,
        pub filter: Option<HistoryFilter>,
    }

    /// The caller's results against another player.
    pub struct GetHeadToHead { pub user_id: Uuid }

    /// Whom the caller played last.
    pub struct ListOpponents {
        /// At most 20; 6 if absent.
        pub limit: Option<u32>,
    }
}

answer! {
    pub struct Results { pub wins: u64, pub losses: u64, pub draws: u64 }

    pub struct BoardResults {
        pub board_size: u8,
        pub wins: u64,
        pub losses: u64,
        pub draws: u64,
    }

    /// An event that a player took part in.
    pub struct EventPlace {
        pub event_id: Uuid,
        pub title: String,
        pub event_state: EventState,
        /// From 1, in the order of the leaderboard; absent before the first game.
        pub place: Option<u32>,
        /// How many players the event has.
        pub players: u32,
        pub level: u32,
        pub wins: u32,
        pub losses: u32,
        /// When it started or is to start.
        pub at: Option<Timestamp>,
    }

    pub struct RatingPoint {
        pub at: Timestamp,
        pub value: u32,
    }

    /// A player as others see them. With `hidden` the rest below it is absent or empty.
    pub struct PlayerProfile {
        pub user_id: Uuid,
        pub username: String,
        pub display_name: String,
        /// Where the picture is, 256 pixels wide; absent without one.
        pub profile_url: Option<String>,
        /// True for a bot, absent for people.
        pub is_bot: Option<bool>,
        /// Whether the caller blocks them; absent for oneself and for visitors.
        pub blocked_by_me: Option<bool>,
        /// For the player and for admins, and where it is the reason of `hidden`.
        pub visibility: Option<ProfileVisibility>,
        /// The player does not show the page to the caller.
        pub hidden: Option<bool>,
        pub member_since: Option<Timestamp>,
        pub rating: Option<Rating>,
        /// After each of the last rated games, at most 100, the oldest first.
        pub rating_curve: Vec<RatingPoint>,
        /// Of all finished games, by the board of the last round.
        pub results: Vec<BoardResults>,
        /// The last ones that the player took part in, the latest first.
        pub events: Vec<EventPlace>,
    }

    pub struct ProfileAnswer { pub profile: PlayerProfile }

    pub struct PlayedAgainst {
        pub user_id: Uuid,
        pub username: String,
        pub display_name: String,
        /// Where the picture is, 64 pixels wide; absent without one.
        pub profile_url: Option<String>,
        /// True for a bot, absent for people.
        pub is_bot: Option<bool>,
    }

    /// A finished game of a player.
    pub struct PlayedGame {
        pub game_id: Uuid,
        pub opponent: PlayedAgainst,
        /// For the player whose history it is.
        pub result: PlayedResult,
        pub game_type: GameType,
        pub rated: bool,
        pub event_id: Option<Uuid>,
        /// Of the last round.
        pub board_size: u8,
        pub clock: TimeControl,
        /// Absent for a drawn game.
        pub reason: Option<EndReason>,
        pub move_count: u32,
        pub ended_at: Timestamp,
    }

    pub struct PlayedGamesAnswer {
        pub games: Vec<PlayedGame>,
        pub pagination: Pagination,
    }

    pub struct HeadToHeadAnswer {
        /// The caller's.
        pub results: Results,
        /// The last ones, the newest first; results are the caller's.
        pub games: Vec<PlayedGame>,
    }

    pub struct PlayedOpponent {
        pub user_id: Uuid,
        pub username: String,
        pub display_name: String,
        /// Where the picture is, 64 pixels wide; absent without one.
        pub profile_url: Option<String>,
        /// True for a bot, absent for people.
        pub is_bot: Option<bool>,
        /// A guest has no page.
        pub is_temp_user: bool,
        /// Absent for guests.
        pub rating: Option<PlayerRating>,
        /// The caller's against them.
        pub results: Results,
        pub last_played_at: Timestamp,
    }

    pub struct OpponentsAnswer { pub opponents: Vec<PlayedOpponent> }
}
