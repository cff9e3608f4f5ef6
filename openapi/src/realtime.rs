//! Frames of the websocket `GET /api/backend/realtime`: text, one JSON object each,
//! `{"event": "makeMove", "data": {…}}`. See `openapi/realtime.md`. One file, because the frames are two closed sets.

use poem_openapi::{
    registry::{MetaSchema, MetaSchemaRef, Registry},
    types::Type,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, value::RawValue};
use uuid::Uuid;

pub use crate::event::Presence;
use crate::{
    Timestamp,
    action::{NO_SUCH_ID, is_no_id, strip_position, with_whole_numbers},
    event::{EventState, Player, Winner},
    game::{CancelReason, EndReason, Game, GameState, GameStatus, GameType, LiveBoard, LiveGame, PlayAgain, Symbol},
    logger::{LogEntry, LogFilter},
    moderation::Suspension,
    quick_match::{BoardWish, QuickMatchClock},
    rating::{PlayerRating, RatingChange},
};

/// A frame from a client may be at most this long, in bytes.
pub const MAX_CLIENT_FRAME: usize = 16 * 1024;
/// An `id` from a client may be at most this long, in bytes.
pub const MAX_FRAME_ID: usize = 128;

/// In bytes. Most frames of a game are shorter, so that their texts need not grow.
const USUAL_LENGTH: usize = 1_024;

words! {
    /// How a game was lost by not being there.
    pub enum AbsenceReason { NoShow = "noShow", Timeout = "timeout" }
}

words! {
    /// What those who signed up for an event are told of.
    pub enum EventNewsKind {
        Cancelled = "cancelled",
        /// It starts or ends at another time.
        Moved = "moved",
        /// An admin signed them up.
        Added = "added",
        /// An admin took them out.
        Removed = "removed",
        /// A director withdrew them.
        Withdrawn = "withdrawn",
        /// A director disqualified them.
        Disqualified = "disqualified",
        /// A director lets them play again.
        Reinstated = "reinstated",
        /// The host of a private event invites them.
        Invited = "invited",
    }
}

words! {
    /// What a player can say to the other.
    pub enum Reaction {
        WellPlayed = "wellPlayed",
        GoodLuck = "goodLuck",
        Thanks = "thanks",
        Wow = "wow",
        Oops = "oops",
        Thinking = "thinking",
    }
}

words! {
    /// What became of an offer to play again.
    pub enum RematchState {
        /// It waits for the other player.
        Offered = "offered",
        /// The next game has begun.
        Accepted = "accepted",
        /// By the other player.
        Declined = "declined",
        /// By whoever made it.
        Withdrawn = "withdrawn",
        /// Nobody came in time.
        Expired = "expired",
    }
}

request! {
    pub struct Authenticate { pub user_id: Option<Uuid> }

    pub struct JoinEventRoom { pub event_id: Uuid, pub user_id: Option<Uuid> }

    pub struct LeaveEventRoom { pub event_id: Uuid, pub user_id: Option<Uuid> }

    pub struct FindMatch { pub event_id: Uuid, pub user_id: Option<Uuid> }

    pub struct CancelMatchmaking { pub event_id: Uuid, pub user_id: Option<Uuid> }

    pub struct JoinGame {
        pub user_id: Option<Uuid>,
        pub game_id: Uuid,
        /// The last version the client saw; the answer carries the whole state in any case.
        pub last_version: Option<u64>,
    }

    pub struct MakeMove {
        pub game_id: Uuid,
        pub user_id: Option<Uuid>,
        /// Counted from 0.
        pub row: u8,
        /// Counted from 0.
        pub col: u8,
        /// The version of the state that the move was made on; a stale one is rejected.
        pub version: Option<u64>,
    }

    pub struct ForfeitGame { pub game_id: Uuid, pub user_id: Option<Uuid> }

    pub struct LeaveGameRoom { pub game_id: Uuid, pub user_id: Option<Uuid> }

    pub struct CancelGame { pub game_id: Uuid, pub user_id: Option<Uuid> }

    pub struct SpectateGame { pub game_id: Uuid }

    /// At most one in 3 s.
    pub struct React { pub game_id: Uuid, pub reaction: Reaction }

    pub struct SubscribeLogs { pub filter: Option<Box<LogFilter>> }

    pub struct SubscribeLiveGames {}

    /// Follows the games that everybody signed in may watch, the best rated first.
    pub struct WatchLive {
        /// How many; the server rounds up to 2 or 12. 12 if absent.
        pub limit: Option<u32>,
    }

    pub struct UnwatchLive {}

    /// Follows who of an event's players is there: for those who direct it.
    pub struct WatchPresence { pub event_id: Uuid }

    pub struct UnwatchPresence { pub event_id: Uuid }

    /// Looks for an opponent outside events, or changes what is looked for.
    pub struct QuickMatchJoin {
        pub board_size: BoardWish,
        pub clock: QuickMatchClock,
        /// Guests play casual games only.
        pub rated: bool,
    }

    pub struct QuickMatchLeave {}
}

answer! {
    /// Answers the very frame that carried `id`.
    pub struct Ack {
        pub succeeded: bool,
        pub error_message: Option<String>,
        pub error_code: Option<String>,
    }

    pub struct Authenticated {
        /// Absent for an operator token, which is nobody.
        pub user_id: Option<Uuid>,
        pub socket_id: String,
    }

    pub struct GameJoined {
        pub game_id: Uuid,
        pub success: bool,
        /// Only while waiting.
        pub message: Option<String>,
        pub error: Option<String>,
        pub game_state: Option<GameState>,
        /// How many people watch; absent where that did not change.
        pub watchers: Option<u32>,
        /// The finished game that this one was offered after.
        pub previous_game_id: Option<Uuid>,
    }

    /// How many people watch a game: players and operator tokens are not counted, and nobody twice.
    pub struct WatchersChanged { pub game_id: Uuid, pub watchers: u32 }

    pub struct GameStarted { pub game_id: Uuid, pub game_state: GameState }

    pub struct GameError { pub game_id: Option<Uuid>, pub error: String }

    pub struct MoveUpdate {
        pub game_id: Uuid,
        /// Who moved.
        pub user_id: Uuid,
        pub symbol: Symbol,
        pub row: u8,
        pub col: u8,
        pub board: Vec<Vec<String>>,
        /// Whose turn it is now; absent when the game is over.
        pub next_turn: Option<Uuid>,
        pub winner: Option<Symbol>,
        pub winning_line: Option<Vec<[u8; 2]>>,
        pub is_draw: bool,
        pub game_status: GameStatus,
        pub version: u64,
        /// Unix milliseconds.
        pub server_time: i64,
        /// Unix milliseconds; absent without a timer.
        pub turn_deadline: Option<i64>,
        /// Until when the next player, who is away, has to be back.
        pub absent_until: Option<i64>,
        /// Milliseconds that X and O have left for all further turns; absent unless the clock is `1+2`.
        pub times_left_ms: Option<[i64; 2]>,
        /// Milliseconds that X and O have used, of an event game: they decide after the fifth drawn round.
        pub times_used_ms: Option<[i64; 2]>,
    }

    pub struct MoveRejected {
        pub game_id: Uuid,
        pub error: String,
        pub error_code: String,
        pub row: u8,
        pub col: u8,
        /// The state's present version.
        pub version: Option<u64>,
    }

    pub struct TournamentWinner { pub user_id: Uuid }

    pub struct TournamentLoser { pub user_id: Uuid, pub is_eliminated: bool }

    pub struct TournamentResult { pub winner: TournamentWinner, pub loser: TournamentLoser }

    pub struct GameEnd {
        pub game_id: Uuid,
        pub reason: EndReason,
        /// As of the game's state.
        pub decision: Option<String>,
        pub winner: Option<Symbol>,
        pub winner_user_id: Option<Uuid>,
        pub is_draw: bool,
        pub forfeit: bool,
        pub forfeiter: Option<Uuid>,
        pub message: String,
        pub game_type: GameType,
        pub event_id: String,
        pub winning_line: Option<Vec<[u8; 2]>>,
        pub tournament_result: Option<TournamentResult>,
        pub version: u64,
    }

    /// A drawn round; in an event the game goes on as `newGameState`.
    pub struct GameDraw {
        pub game_id: Uuid,
        pub new_game_state: Option<GameState>,
        pub message: String,
        pub version: u64,
    }

    pub struct OpponentDisconnected {
        pub game_id: Uuid,
        pub user_id: Uuid,
        /// Seconds to come back, counted while it is their turn.
        pub countdown: u32,
        /// When they end, or the time of the turn before that; absent while it is the other player's turn.
        pub absent_until: Option<i64>,
    }

    pub struct OpponentReconnected { pub game_id: Uuid, pub user_id: Uuid }

    pub struct GameCancelled {
        pub game_id: Uuid,
        pub success: bool,
        /// In words for whoever is told.
        pub message: String,
        pub reason: CancelReason,
        /// Who called it off; absent where nobody did.
        pub user_id: Option<Uuid>,
    }

    /// A player of a game reacts to it.
    pub struct PlayerReaction {
        pub game_id: Uuid,
        /// Who reacts.
        pub user_id: Uuid,
        pub reaction: Reaction,
    }

    /// An offer to play again was made, or answered. Both players get it, with every connection.
    pub struct RematchOffer {
        /// The game that is over.
        pub game_id: Uuid,
        /// The game that is offered.
        pub next_game_id: Uuid,
        /// Who offers it.
        pub offered_by: Uuid,
        pub state: RematchState,
    }

    pub struct GameInvitation {
        pub game: Game,
        pub from: GameInviter,
    }

    pub struct GameInviter {
        pub user_id: Uuid,
        pub username: String,
        pub display_name: String,
        /// Where the picture is, 64 pixels wide; absent without one.
        pub profile_url: Option<String>,
        /// True for a bot, absent for people.
        pub is_bot: Option<bool>,
    }

    pub struct ErrorMessage {
        pub message: String,
        pub error_code: String,
        /// The event of the frame that caused it, where it could be read.
        pub event: Option<String>,
    }

    pub struct EventJoined {
        pub event_id: Uuid,
        pub player: Player,
        pub queue_size: u32,
        /// The last game was lost by absence: the page asks, and searches only on a press. Absent otherwise.
        pub still_there: Option<bool>,
        /// What `stillThere` told of that loss; present with it.
        pub absence: Option<StillThere>,
    }

    /// A game was lost by absence: nobody is paired again who does not say that they are there (`findMatch`).
    pub struct StillThere {
        pub event_id: Uuid,
        pub reason: AbsenceReason,
        /// Such losses in a row.
        pub strikes: u32,
        /// With so many the room is left.
        pub max_strikes: u32,
    }

    /// Too many games in a row were lost by absence; the event's page leads back in.
    pub struct RemovedFromRoom { pub event_id: Uuid, pub message: String }

    /// `matchmakingStarted` and `queueUpdate`.
    pub struct QueueState {
        pub event_id: Uuid,
        pub queue_size: u32,
        pub playing: u32,
        pub waited_ms: i64,
        /// Why nobody fits yet.
        pub reason: Option<String>,
        /// When the event ends, in Unix milliseconds, unless somebody comes until then: nobody in it can be paired any more.
        pub ends_at: Option<i64>,
    }

    pub struct Opponent {
        pub user_id: Uuid,
        pub username: String,
        pub display_name: String,
        /// Where the picture is, 128 pixels wide; absent without one.
        pub profile_url: Option<String>,
        /// True for a bot, absent for people.
        pub is_bot: Option<bool>,
        pub level: u32,
        /// Absent for guests.
        pub rating: Option<PlayerRating>,
    }

    pub struct PlayerFound {
        /// Absent in quick match.
        pub event_id: Option<Uuid>,
        pub game_id: Uuid,
        pub opponent: Opponent,
        /// Absent in an event.
        pub quick_match: Option<QuickMatchFound>,
        /// Why a game of an event is not rated; absent in quick match.
        pub unrated_because: Option<String>,
        /// 2000.
        pub redirect_in_ms: u32,
    }

    /// The game that quick match found.
    pub struct QuickMatchFound {
        pub board_size: u8,
        pub clock: QuickMatchClock,
        pub rated: bool,
        /// Why the game is casual although a rated one was looked for.
        pub casual_because: Option<String>,
    }

    pub struct QuickMatchStatus {
        /// All who look for an opponent outside events.
        pub waiting: u32,
        /// Players in games of quick match.
        pub playing: u32,
        pub waited_ms: i64,
        /// The difference of ratings that is accepted by now.
        pub window: u32,
    }

    /// The result of a rated game is in the ratings: moments after its end, to both players and all who have it open.
    pub struct RatingChanged {
        pub game_id: Uuid,
        /// Those who still have an account.
        pub players: Vec<RatingChange>,
    }

    /// The search ended without a game.
    pub struct QuickMatchEnded { pub message: String }

    pub struct MatchmakingCancelled {
        pub event_id: Uuid,
        pub message: String,
        /// 1500.
        pub redirect_in_ms: u32,
    }

    pub struct RedirectToGame {
        pub game_id: Uuid,
        /// 1500.
        pub redirect_in_ms: u32,
    }

    pub struct RefreshLeaderboard { pub event_id: Uuid }

    /// A stage round of an event was paired: its matches are to be read.
    pub struct RoundPaired { pub event_id: Uuid, pub round: u32 }

    /// All matches of a stage round are decided.
    pub struct RoundEnded { pub event_id: Uuid, pub round: u32 }

    /// Matches of an event's stage rounds were begun or decided: rounds and standings are to be read again.
    pub struct StandingsChanged { pub event_id: Uuid }

    /// An event has another state, or was edited: what a page shows of it is to be read again.
    pub struct EventStateChanged { pub event_id: Uuid, pub event_state: EventState }

    /// The winners of an ended event are final.
    pub struct EventConcluded { pub event_id: Uuid, pub winners: Vec<Winner> }

    /// An admin tells those who take part.
    pub struct EventAnnouncement {
        pub event_id: Uuid,
        /// Of the event.
        pub title: String,
        pub message: String,
        pub at: Timestamp,
    }

    /// An event that one signed up for starts.
    pub struct EventReminder {
        pub event_id: Uuid,
        pub title: String,
        /// Until the start; 0 once it has started.
        pub minutes: u32,
        /// True if the recipient is asked to check in and has not yet; absent otherwise.
        pub check_in: Option<bool>,
    }

    /// Whether a player of an event is there.
    pub struct PlayerPresence { pub user_id: Uuid, pub presence: Presence }

    /// Who of an event's players is there, for who follows it: everybody at first, then whoever changed, at most every 2 s and
    /// 1,000 players at once. Of a larger event the first 5,000 who signed up.
    pub struct PresenceChanged { pub event_id: Uuid, pub players: Vec<PlayerPresence> }

    /// What became of an event that one signed up for, or of one's own part in it.
    pub struct EventNews {
        pub event_id: Uuid,
        pub title: String,
        pub news: EventNewsKind,
        /// Why, in the words of who did it; absent where nobody said.
        pub reason: Option<String>,
        /// As planned now.
        pub start_time: Option<Timestamp>,
        /// As planned now.
        pub end_time: Option<Timestamp>,
    }

    pub struct ServerDraining { pub reconnect_in_ms: u32 }

    pub struct LiveGamesChanged {
        /// Began or changed.
        pub games: Vec<Game>,
        /// No longer live.
        pub ended: Vec<Uuid>,
        pub server_time: Timestamp,
    }

    /// The best rated games to watch: all of them at first, then what changed, at most once a second.
    pub struct LiveNow {
        /// How many games may be watched in all.
        pub total: u32,
        /// The ids of the listed games, the best rated first. Others are no longer listed.
        pub order: Vec<Uuid>,
        /// Games that are new in the list.
        pub games: Vec<LiveGame>,
        /// What changed of the others.
        pub boards: Vec<LiveBoard>,
    }

    /// The session may have ended: the client is to ask whether it still is signed in.
    #[derive(Default)]
    pub struct CheckLoginActivity {
        /// Why the session ended, if the account was suspended.
        pub suspension: Option<Suspension>,
    }
}

/// Declares the frames of one direction as a closed set.
macro_rules! frames {
    ($(#[$meta:meta])* pub enum $name:ident { $($(#[$vmeta:meta])* $event:literal => $variant:ident($data:ty)),* $(,)? }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
        #[serde(tag = "event", content = "data")]
        pub enum $name { $($(#[$vmeta])* #[serde(rename = $event)] $variant($data)),* }

        impl $name {
            /// The name of every event of this direction.
            pub const EVENTS: &'static [&'static str] = &[$($event),*];

            /// The event's name on the wire.
            pub fn event(&self) -> &'static str {
                match self { $(Self::$variant(_) => $event),* }
            }

            /// Registers the schema of every frame and of their union.
            pub fn register(registry: &mut Registry) {
                $(<$data>::register(registry);)*
                let one_of = vec![$(frame_schema($event, <$data>::schema_ref())),*];
                registry.schemas.insert(
                    stringify!($name).to_owned(),
                    MetaSchema { one_of, ..MetaSchema::ANY },
                );
            }
        }
    };
}

fn frame_schema(event: &str, data: MetaSchemaRef) -> MetaSchemaRef {
    let word = MetaSchema { enum_items: vec![Value::from(event)], ..MetaSchema::new("string") };
    MetaSchemaRef::Inline(Box::new(MetaSchema {
        required: vec!["event", "data"],
        properties: vec![
            ("event", MetaSchemaRef::Inline(Box::new(word))),
            ("data", data),
            ("id", String::schema_ref()),
        ],
        ..MetaSchema::new("object")
    }))
}

frames! {
    /// What a client sends.
    pub enum ClientFrame {
        "authenticate" => Authenticate(Authenticate),
        "joinEventRoom" => JoinEventRoom(JoinEventRoom),
        "leaveEventRoom" => LeaveEventRoom(LeaveEventRoom),
        "findMatch" => FindMatch(FindMatch),
        "cancelMatchmaking" => CancelMatchmaking(CancelMatchmaking),
        "joinGame" => JoinGame(JoinGame),
        "makeMove" => MakeMove(MakeMove),
        "forfeitGame" => ForfeitGame(ForfeitGame),
        "leaveGameRoom" => LeaveGameRoom(LeaveGameRoom),
        "cancelGame" => CancelGame(CancelGame),
        "spectateGame" => SpectateGame(SpectateGame),
        "playAgain" => PlayAgain(PlayAgain),
        "react" => React(React),
        "subscribeLogs" => SubscribeLogs(SubscribeLogs),
        "subscribeLiveGames" => SubscribeLiveGames(SubscribeLiveGames),
        "watchLive" => WatchLive(WatchLive),
        "unwatchLive" => UnwatchLive(UnwatchLive),
        "watchPresence" => WatchPresence(WatchPresence),
        "unwatchPresence" => UnwatchPresence(UnwatchPresence),
        "quickMatchJoin" => QuickMatchJoin(QuickMatchJoin),
        "quickMatchLeave" => QuickMatchLeave(QuickMatchLeave),
    }
}

frames! {
    /// What the server sends. An `ack` carries the client's `id` beside `data`.
    pub enum ServerFrame {
        "ack" => Ack(Ack),
        "authenticated" => Authenticated(Authenticated),
        "gameJoined" => GameJoined(GameJoined),
        "gameStarted" => GameStarted(GameStarted),
        "gameError" => GameError(GameError),
        "moveUpdate" => MoveUpdate(MoveUpdate),
        "moveRejected" => MoveRejected(MoveRejected),
        "gameEnd" => GameEnd(GameEnd),
        "gameDraw" => GameDraw(GameDraw),
        "opponentDisconnected" => OpponentDisconnected(OpponentDisconnected),
        "opponentReconnected" => OpponentReconnected(OpponentReconnected),
        "gameCancelled" => GameCancelled(GameCancelled),
        "gameInvitation" => GameInvitation(GameInvitation),
        "reaction" => Reaction(PlayerReaction),
        "rematchOffer" => RematchOffer(RematchOffer),
        "check-everone-login-activity" => CheckLoginActivity(CheckLoginActivity),
        "error" => Error(ErrorMessage),
        "eventJoined" => EventJoined(EventJoined),
        "matchmakingStarted" => MatchmakingStarted(QueueState),
        "queueUpdate" => QueueUpdate(QueueState),
        "playerFound" => PlayerFound(PlayerFound),
        "matchmakingCancelled" => MatchmakingCancelled(MatchmakingCancelled),
        "quickMatchStatus" => QuickMatchStatus(QuickMatchStatus),
        "quickMatchEnded" => QuickMatchEnded(QuickMatchEnded),
        "ratingChanged" => RatingChanged(RatingChanged),
        "redirectToGame" => RedirectToGame(RedirectToGame),
        "refreshLeaderboard" => RefreshLeaderboard(RefreshLeaderboard),
        "roundPaired" => RoundPaired(RoundPaired),
        "roundEnded" => RoundEnded(RoundEnded),
        "standingsChanged" => StandingsChanged(StandingsChanged),
        "eventStateChanged" => EventStateChanged(EventStateChanged),
        "stillThere" => StillThere(StillThere),
        "removedFromRoom" => RemovedFromRoom(RemovedFromRoom),
        "eventAnnouncement" => EventAnnouncement(EventAnnouncement),
        "eventReminder" => EventReminder(EventReminder),
        "eventNews" => EventNews(EventNews),
        "presenceChanged" => PresenceChanged(PresenceChanged),
        "eventConcluded" => EventConcluded(EventConcluded),
        "serverDraining" => ServerDraining(ServerDraining),
        "logAppended" => LogAppended(LogEntry),
        "liveGamesChanged" => LiveGamesChanged(LiveGamesChanged),
        "liveNow" => LiveNow(LiveNow),
        "watchersChanged" => WatchersChanged(WatchersChanged),
    }
}

/// A client's frame that could not be read. Nothing was done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FrameError {
    /// kebab-case, for programs.
    pub code: &'static str,
    pub message: String,
    pub event: Option<String>,
    pub id: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Envelope<'a> {
    #[serde(borrow)]
    event: std::borrow::Cow<'a, str>,
    #[serde(borrow)]
    data: Option<&'a RawValue>,
    id: Option<String>,
}

impl ClientFrame {
    /// Reads a frame and its `id`.
    ///
    /// # Errors
    /// `malformed-frame`, `unknown-event` or `malformed-data`, with what is wrong in words; `not-found` for a text that is
    /// no id.
    pub fn parse(text: &str) -> Result<(Self, Option<String>), FrameError> {
        let envelope: Envelope = serde_json::from_str(text).map_err(|error| FrameError {
            code: "malformed-frame",
            message: format!("A frame is {{\"event\": …, \"data\": {{…}}}}: {}.", strip_position(&error.to_string())),
            event: None,
            id: None,
        })?;
        if envelope.id.as_ref().is_some_and(|id| id.len() > MAX_FRAME_ID) {
            return Err(FrameError {
                code: "malformed-frame",
                message: format!("A frame's id has at most {MAX_FRAME_ID} bytes."),
                event: None,
                id: None,
            });
        }
        let data = envelope.data.map_or("{}", RawValue::get);
        match Self::read(&envelope.event, data) {
            Some(Ok(frame)) => Ok((frame, envelope.id)),
            Some(Err(error)) => {
                let reason = strip_position(&error.to_string());
                let (code, message) = if is_no_id(&reason) {
                    ("not-found", NO_SUCH_ID.to_owned())
                } else {
                    ("malformed-data", format!("{}: {reason}.", envelope.event))
                };
                Err(FrameError { code, message, event: Some(envelope.event.into_owned()), id: envelope.id })
            }
            None => {
                let shown: String = envelope.event.chars().take(64).collect();
                Err(FrameError {
                    code: "unknown-event",
                    message: format!("Unknown event '{shown}'. Known: {}.", Self::EVENTS.join(", ")),
                    event: Some(shown),
                    id: envelope.id,
                })
            }
        }
    }

    fn read(event: &str, data: &str) -> Option<serde_json::Result<Self>> {
        macro_rules! read {
            ($($name:literal => $variant:ident),* $(,)?) => {
                match event {
                    $($name => Some(with_whole_numbers(data, |data| serde_json::from_str(data)).map(Self::$variant)),)*
                    _ => None,
                }
            };
        }
        read! {
            "makeMove" => MakeMove,
            "joinGame" => JoinGame,
            "authenticate" => Authenticate,
            "joinEventRoom" => JoinEventRoom,
            "leaveEventRoom" => LeaveEventRoom,
            "findMatch" => FindMatch,
            "cancelMatchmaking" => CancelMatchmaking,
            "forfeitGame" => ForfeitGame,
            "leaveGameRoom" => LeaveGameRoom,
            "cancelGame" => CancelGame,
            "spectateGame" => SpectateGame,
            "playAgain" => PlayAgain,
            "react" => React,
            "subscribeLogs" => SubscribeLogs,
            "subscribeLiveGames" => SubscribeLiveGames,
            "watchLive" => WatchLive,
            "unwatchLive" => UnwatchLive,
            "watchPresence" => WatchPresence,
            "unwatchPresence" => UnwatchPresence,
            "quickMatchJoin" => QuickMatchJoin,
            "quickMatchLeave" => QuickMatchLeave,
        }
    }
}

impl ServerFrame {
    /// The frame's text.
    pub fn to_text(&self) -> String {
        let mut text = Vec::with_capacity(USUAL_LENGTH);
        serde_json::to_writer(&mut text, self).expect("wire types have string keys and no failing serializer");
        String::from_utf8(text).expect("JSON is UTF-8")
    }
}

impl Ack {
    /// The text of the `ack` that answers the frame with this `id`.
    pub fn to_text(&self, id: &str) -> String {
        #[derive(Serialize)]
        struct AckFrame<'a> {
            event: &'static str,
            id: &'a str,
            data: &'a Ack,
        }
        serde_json::to_string(&AckFrame { event: "ack", id, data: self }).expect("an ack is plain data")
    }
}

/// Registers the realtime messages, so that the document describes the whole wire.
pub fn register(registry: &mut Registry) {
    ClientFrame::register(registry);
    ServerFrame::register(registry);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_client_event_can_be_read() {
        let id = Uuid::nil();
        for event in ClientFrame::EVENTS {
            let data = match *event {
                "makeMove" => format!(r#"{{"gameId":"{id}","row":0,"col":1}}"#),
                "react" => format!(r#"{{"gameId":"{id}","reaction":"wellPlayed"}}"#),
                "quickMatchJoin" => r#"{"boardSize":"any","clock":"1+2","rated":false}"#.to_owned(),
                "authenticate" | "subscribeLogs" | "subscribeLiveGames" | "watchLive" | "unwatchLive"
                | "quickMatchLeave" => "{}".to_owned(),
                event if event.contains("Match") || event.contains("EventRoom") || event.contains("Presence") => {
                    format!(r#"{{"eventId":"{id}"}}"#)
                }
                _ => format!(r#"{{"gameId":"{id}"}}"#),
            };
            let text = format!(r#"{{"event":"{event}","data":{data},"id":"7"}}"#);
            let (frame, frame_id) = ClientFrame::parse(&text).unwrap_or_else(|error| panic!("{event}: {error:?}"));
            assert_eq!(frame.event(), *event);
            assert_eq!(frame_id.as_deref(), Some("7"));
        }
    }

    #[test]
    fn hostile_frames_are_refused_in_words() {
        for (text, code) in [
            ("", "malformed-frame"),
            ("[]", "malformed-frame"),
            (r#"{"event":"makeMove","data":{},"extra":1}"#, "malformed-frame"),
            (r#"{"event":"fly","data":{}}"#, "unknown-event"),
            (r#"{"event":"makeMove","data":{"gameId":"x","row":0,"col":0}}"#, "not-found"),
            (r#"{"event":"makeMove","data":{"gameId":7,"row":0,"col":0}}"#, "malformed-data"),
            (
                r#"{"event":"makeMove","data":{"gameId":"00000000-0000-0000-0000-000000000000","row":-1,"col":0}}"#,
                "malformed-data",
            ),
            (
                r#"{"event":"makeMove","data":{"gameId":"00000000-0000-0000-0000-000000000000","row":1,"col":0,"cheat":true}}"#,
                "malformed-data",
            ),
        ] {
            let error = ClientFrame::parse(text).unwrap_err();
            assert_eq!(error.code, code, "{text}: {error:?}");
            assert!(error.message.ends_with('.'), "{}", error.message);
        }
        let long = format!(r#"{{"event":"authenticate","id":"{}"}}"#, "i".repeat(MAX_FRAME_ID + 1));
        assert_eq!(ClientFrame::parse(&long).unwrap_err().code, "malformed-frame");
    }

    #[test]
    fn server_frames_are_tagged_by_event() {
        let text = ServerFrame::CheckLoginActivity(CheckLoginActivity::default()).to_text();
        assert_eq!(text, r#"{"event":"check-everone-login-activity","data":{}}"#);
        let ack = Ack { succeeded: true, error_message: None, error_code: None };
        assert_eq!(ack.to_text("a"), r#"{"event":"ack","id":"a","data":{"succeeded":true}}"#);
        let back: ServerFrame = serde_json::from_str(&ack.to_text("a")).expect("an id beside is ignored");
        assert_eq!(back, ServerFrame::Ack(ack));
    }
}
