//! Games: `docs/behaviour/play.md`.

use uuid::Uuid;

use crate::{
    Timestamp,
    action::actions,
    rating::{PlayerRating, RatingChange},
};

words! {
    pub enum Symbol { X = "X", O = "O" }
}

words! {
    pub enum GameStatus {
        Waiting = "waiting",
        Active = "active",
        Completed = "completed",
        Cancelled = "cancelled",
    }
}

words! {
    pub enum GameType { Invite = "invite", Event = "event", Quick = "quick" }
}

words! {
    /// How much time the players have: as much as they like, 15 s a turn, or a minute each and 2 s more for each move.
    pub enum TimeControl { Untimed = "none", Turn15 = "turn15", Increment = "1+2" }
}

words! {
    /// Why a game ended.
    pub enum EndReason {
        Line = "line",
        Forfeit = "forfeit",
        Timeout = "timeout",
        NoShow = "noShow",
        Disconnect = "disconnect",
        Time = "time",
        Adjudicated = "adjudicated",
        Void = "void",
        /// A paired player did not want to play: a no-show.
        Declined = "declined",
        /// A player was removed from the event, or suspended.
        Removed = "removed",
    }
}

words! {
    /// The format of exported games: one line of JSON per game, or text with tags.
    pub enum ExportFormat { Ndjson = "ndjson", Notation = "notation" }
}

words! {
    /// Why a game that waited was called off.
    pub enum CancelReason {
        /// By whoever made it.
        Withdrawn = "withdrawn",
        /// By the other player.
        Declined = "declined",
        /// Nobody came in time.
        Expired = "expired",
    }
}

request! {
    /// A player named by whoever makes a game. The server takes the username from the account.
    pub struct PlayerRef {
        pub user_id: Uuid,
        pub username: Option<String>,
    }

    pub struct GetGame { pub game_id: Uuid }

    pub struct GetGamesByEvent {
        pub event_id: String,
        /// Only this player's games.
        pub user_id: Option<Uuid>,
        pub page: Option<u32>,
        pub limit: Option<u32>,
    }

    pub struct GetGamesByUser {
        pub user_id: Uuid,
        /// All four if absent.
        pub status: Option<Vec<GameStatus>>,
        pub page: Option<u32>,
        pub limit: Option<u32>,
    }

    pub struct SpectatableGames { pub event_id: Uuid }

    /// The games that everybody signed in may watch, the best rated first; of many the first hundred.
    pub struct LiveGames {
        pub page: Option<u32>,
        pub limit: Option<u32>,
    }

    /// One of the two is given.
    pub struct GetReplay {
        pub share_token: Option<String>,
        pub game_id: Option<Uuid>,
    }

    /// Makes an invite game. The inviter is X. With one player
    /// the second seat is open and the answer carries an `inviteToken`.
    pub struct CreateGame {
        /// A random UUID; the server makes one if it is absent.
        pub game_id: Option<Uuid>,
        pub players: Vec<PlayerRef>,
        /// `remote-` and the game's id, if given.
        pub event_id: Option<String>,
        /// 1, if given.
        pub level: Option<u32>,
        pub initiator_user_id: Option<Uuid>,
        pub game_type: GameType,
        /// Tells the invited player; true if absent.
        pub notify: Option<bool>,
        /// 3 to 6; 3 if absent.
        pub board_size: Option<u8>,
        /// `none` if absent.
        pub clock: Option<TimeControl>,
    }

    pub struct MakeMoveAction {
        pub game_id: Uuid,
        pub user_id: Option<Uuid>,
        /// Counted from 0.
        pub row: u8,
        /// Counted from 0.
        pub col: u8,
        /// The version of the state that the move was made on.
        pub version: Option<u64>,
    }

    /// A forfeit by the caller.
    pub struct EndGame {
        pub game_id: Uuid,
        pub user_id: Option<Uuid>,
    }

    pub struct CancelGameAction {
        pub game_id: Uuid,
        pub user_id: Option<Uuid>,
    }

    /// Takes the open seat of an invite game: whoever comes first has it.
    pub struct ClaimSeat {
        pub game_id: Uuid,
        pub invite_token: String,
    }

    /// Offers another game of one that was played, with the starter changed: one game however many ask. An offer that
    /// was called off is followed by a new one. Each offer counts as an invitation.
    pub struct PlayAgain { pub game_id: Uuid }

    /// Ends an invite game whose other player has been away for the whole countdown.
    pub struct ClaimWin { pub game_id: Uuid }

    pub struct ShareGame { pub game_id: Uuid }
}

answer! {
    pub struct GamePlayer {
        pub user_id: Uuid,
        pub username: String,
        pub display_name: String,
        /// Where the picture is, 128 pixels wide; absent without one.
        pub profile_url: Option<String>,
        /// True for a bot, absent for people.
        pub is_bot: Option<bool>,
        pub symbol: Symbol,
        /// Is in the game right now.
        pub connected: bool,
        /// Milliseconds spent on own turns.
        pub time_used_ms: i64,
        /// Milliseconds left for all further turns; absent unless the clock is `1+2`.
        pub time_left_ms: Option<i64>,
        /// When the opponent may claim the win, or the server decides; Unix milliseconds.
        pub absent_until: Option<i64>,
        /// Absent for guests and deleted accounts.
        pub rating: Option<PlayerRating>,
    }

    /// A live game as its players see it. `board` is a grid of `X`, `O` and the empty string.
    pub struct GameState {
        pub game_id: Uuid,
        pub board: Vec<Vec<String>>,
        /// An open seat is absent.
        pub players: Vec<GamePlayer>,
        /// Whose turn it is; absent while nobody may move.
        pub current_turn: Option<Uuid>,
        pub winner: Option<Symbol>,
        pub winner_user_id: Option<Uuid>,
        pub is_draw: bool,
        /// Row and column of each cell of the winning line.
        pub winning_line: Option<Vec<[u8; 2]>>,
        pub board_size: u8,
        /// Rounds that ended in a draw so far.
        pub draw_count: u32,
        pub status: GameStatus,
        pub game_type: GameType,
        pub clock: TimeControl,
        /// The result counts for the players' ratings. Absent for invite games, which are never rated.
        pub rated: Option<bool>,
        pub event_id: String,
        pub level: u32,
        pub initiator_user_id: Uuid,
        pub notify: bool,
        /// One more for each change.
        pub version: u64,
        /// Unix milliseconds.
        pub server_time: i64,
        /// Unix milliseconds; absent without a timer.
        pub turn_deadline: Option<i64>,
        /// Moves of the present round, in order.
        pub moves: Vec<GameMove>,
        pub reason: Option<EndReason>,
        /// Why an admin decided it so, in their words; both players see it.
        pub decision: Option<String>,
        pub forfeiter: Option<Uuid>,
        /// For whom made the game, while a seat is open.
        pub invite_token: Option<String>,
        /// The game that Play Again made, unless it was called off; only `get_game` tells it.
        pub next_game_id: Option<Uuid>,
        /// Who offers the next game, while it waits for the other.
        pub next_game_by: Option<Uuid>,
        /// What the game did to the ratings: of a rated game, moments after its end. Absent for a deleted account.
        pub rating_changes: Option<Vec<RatingChange>>,
        pub created_at: Timestamp,
        pub ended_at: Option<Timestamp>,
    }

    pub struct GameMove {
        pub row: u8,
        pub col: u8,
        pub symbol: Symbol,
        /// Unix milliseconds.
        pub at: i64,
    }

    pub struct GamePlayerRef {
        pub user_id: Uuid,
        pub username: String,
        pub display_name: String,
        /// Where the picture is, 64 pixels wide; absent without one.
        pub profile_url: Option<String>,
        /// True for a bot, absent for people.
        pub is_bot: Option<bool>,
        /// Absent for guests and deleted accounts.
        pub rating: Option<PlayerRating>,
    }

    /// A game in a list.
    pub struct Game {
        pub game_id: Uuid,
        pub players: Vec<GamePlayerRef>,
        pub event_id: String,
        pub level: u32,
        pub initiator_user_id: Uuid,
        pub game_type: GameType,
        pub clock: TimeControl,
        /// The result counts for the players' ratings. Absent for invite games, which are never rated.
        pub rated: Option<bool>,
        pub status: GameStatus,
        pub notify: bool,
        pub board_size: u8,
        pub draw_count: u32,
        pub winner_user_id: Option<Uuid>,
        pub is_draw: bool,
        /// The caller plays in it: it is opened to be played, never to be watched. Absent for others.
        pub is_own: Option<bool>,
        /// The caller is to move.
        pub your_turn: bool,
        /// Whose turn it is; absent while nobody may move.
        pub current_turn: Option<Uuid>,
        /// Moves of the present round so far.
        pub move_count: Option<u32>,
        /// How many people watch it; only in lists of games to watch, and of all live games.
        pub watchers: Option<u32>,
        pub reason: Option<EndReason>,
        pub invite_token: Option<String>,
        pub created_at: Timestamp,
        pub ended_at: Option<Timestamp>,
    }

    /// A game to watch, with its board.
    pub struct LiveGame {
        pub game: Game,
        pub board: LiveBoard,
    }

    /// What changes of a game while it is played, as a list of games to watch shows it.
    pub struct LiveBoard {
        pub game_id: Uuid,
        pub version: u64,
        pub board_size: u8,
        /// Row by row: `X`, `O`, and `.` for an empty cell.
        pub cells: String,
        /// Row and column.
        pub last_move: Option<[u8; 2]>,
        /// Row and column of each cell of the winning line.
        pub winning_line: Option<Vec<[u8; 2]>>,
        /// Rounds that ended in a draw so far.
        pub draw_count: u32,
        /// `completed` for a few seconds after the end; then the game is no longer listed.
        pub status: GameStatus,
        pub current_turn: Option<Uuid>,
        pub winner_user_id: Option<Uuid>,
        /// How many people watch it.
        pub watchers: u32,
    }

    pub struct GameAnswer { pub game: GameState }

    pub struct CreateGameAnswer { pub game: Game }

    pub struct GamesAnswer {
        pub games: Vec<Game>,
        pub pagination: crate::Pagination,
    }

    pub struct LiveNowAnswer {
        pub games: Vec<LiveGame>,
        /// How many games may be watched in all.
        pub total: u32,
        pub pagination: crate::Pagination,
    }

    pub struct MakeMoveAnswer { pub game: GameState }

    pub struct ShareGameAnswer { pub share_token: String }

    pub struct ReplayRound {
        pub board_size: u8,
        pub starter: Symbol,
        pub moves: Vec<GameMove>,
    }

    /// A finished game, from the first move to the last.
    pub struct Replay {
        pub game_id: Uuid,
        pub players: Vec<ReplayPlayer>,
        pub rounds: Vec<ReplayRound>,
        pub winner: Option<Symbol>,
        pub is_draw: bool,
        pub reason: Option<EndReason>,
        /// As of the game's state.
        pub decision: Option<String>,
        pub game_type: GameType,
        pub clock: TimeControl,
        /// The result counted for the players' ratings. Absent for invite games, which are never rated.
        pub rated: Option<bool>,
        pub event_id: String,
        pub created_at: Timestamp,
        pub ended_at: Option<Timestamp>,
    }

    pub struct ReplayPlayer {
        pub user_id: Uuid,
        pub username: String,
        pub display_name: String,
        /// Where the picture is, 128 pixels wide; absent without one.
        pub profile_url: Option<String>,
        /// True for a bot, absent for people.
        pub is_bot: Option<bool>,
        pub symbol: Symbol,
        /// The present one; absent for guests and deleted accounts.
        pub rating: Option<PlayerRating>,
    }

    pub struct ReplayAnswer {
        pub replay: Replay,
        /// The game as text with tags.
        pub notation: String,
    }
}

actions! {
    resource "game";
    /// Reads of `game`.
    reads GameRead {
        "get_game": GetGame => GameAnswer;
        "get_games_by_event": GetGamesByEvent => GamesAnswer;
        "get_games_by_user": GetGamesByUser => GamesAnswer;
        "spectatable_games": SpectatableGames => GamesAnswer;
        "live_games": LiveGames => LiveNowAnswer;
        "get_replay": GetReplay => ReplayAnswer;
    }
    /// Writes of `game`.
    writes GameWrite {
        "create_game": CreateGame => CreateGameAnswer;
        "make_move": MakeMoveAction => MakeMoveAnswer;
        "end_game": EndGame => GameAnswer;
        "cancel_game": CancelGameAction => GameAnswer;
        "claim_seat": ClaimSeat => GameAnswer;
        "play_again": PlayAgain => CreateGameAnswer;
        "claim_win": ClaimWin => GameAnswer;
        "share_game": ShareGame => ShareGameAnswer;
    }
}
