//! Events, sign-ups and players: `docs/behaviour/events.md`. One file, because it is a list of types without logic.

use uuid::Uuid;

use crate::{
    Acknowledgement, Pagination, Timestamp,
    action::actions,
    player_page::{
        GetHeadToHead, GetHistory, GetProfile, HeadToHeadAnswer, ListOpponents, OpponentsAnswer, PlayedGamesAnswer,
        ProfileAnswer,
    },
    quick_match::QuickMatchClock,
    rating::{BotsAnswer, GetRatingList, ListBots, RatingListAnswer},
    realtime::StillThere,
};

words! {
    /// What happens to a line of a list of players.
    pub enum ImportStatus {
        /// Would be signed up.
        Found = "found",
        Added = "added",
        AlreadyIn = "alreadyIn",
        /// On the list twice.
        Repeated = "repeated",
        NotFound = "notFound",
        Refused = "refused",
    }
}

words! {
    pub enum EventState {
        Drafted = "drafted",
        Published = "published",
        Started = "started",
        Ended = "ended",
        Cancelled = "cancelled",
    }
}

words! {
    pub enum EventType { Open = "open", Closed = "closed" }
}

words! {
    /// Arena: whoever is free is paired with somebody of the same level, until the event ends. The others are played in stage
    /// rounds. Knockout: who loses a match is out. Swiss: everybody plays each round, against somebody with as many points.
    /// Round robin: everybody meets everybody.
    pub enum EventFormat { Arena = "arena", Knockout = "knockout", Swiss = "swiss", RoundRobin = "roundRobin" }
}

words! {
    /// Planned: not all of its players are known, or it has not begun.
    pub enum RoundState { Planned = "planned", Playing = "playing", Ended = "ended" }
}

words! {
    /// Why a match has its winner. Bye: there is no opponent. Absent, withdrawn: the other one was, or both. Ruling: a director's.
    pub enum MatchReason {
        Played = "played",
        Bye = "bye",
        Absent = "absent",
        Withdrawn = "withdrawn",
        Ruling = "ruling",
    }
}

words! {
    pub enum DirectorActKind {
        SetResult = "setResult",
        ReplayMatch = "replayMatch",
        WithdrawPlayer = "withdrawPlayer",
        DisqualifyPlayer = "disqualifyPlayer",
        ReinstatePlayer = "reinstatePlayer",
    }
}

words! {
    pub enum TieBreakName {
        BuchholzCut1 = "buchholzCut1",
        Buchholz = "buchholz",
        SonnebornBerger = "sonnebornBerger",
        Wins = "wins",
        HeadToHead = "headToHead",
    }
}

words! {
    /// Why somebody may not host an event: members do not here, guests never do, or the email is not verified.
    pub enum HostingRefusal { Off = "off", Guest = "guest", EmailNotVerified = "emailNotVerified" }
}

words! {
    /// What somebody who is invited to a private event has answered.
    pub enum InvitationState { Invited = "invited", Declined = "declined" }
}

words! {
    /// A condition of entry, with a figure in all but the last two.
    pub enum EntryCondition {
        MinRating = "minRating",
        MaxRating = "maxRating",
        MinGames = "minGames",
        AccountAge = "accountAge",
        AllowList = "allowList",
        /// The event is for people, and the caller is a bot.
        People = "people",
    }
}

words! {
    pub enum SignupStatus {
        Registered = "registered",
        Active = "active",
        Eliminated = "eliminated",
        /// Taken out by an admin.
        Removed = "removed",
    }
}

words! {
    /// Whether a player of an event that is published or under way is there. Whoever has no connection is offline, also in a
    /// game.
    pub enum Presence {
        Offline = "offline",
        /// Connected, and elsewhere.
        Online = "online",
        /// In the event's room.
        Room = "room",
        /// In the event's queue.
        Waiting = "waiting",
        /// In a game of the event that is not over.
        Playing = "playing",
    }
}

words! {
    /// What an admin corrected: a player's level, wins and losses, a win or loss more, that the player takes part, or has
    /// checked in.
    pub enum CorrectionKind {
        Standing = "standing",
        Result = "result",
        Removal = "removal",
        CheckIn = "checkIn",
        CheckInUndone = "checkInUndone",
    }
}

words! {
    /// In an arena the board of a game grows with the level of its players: 3×3 at levels 1 and 2, 4×4 at 3 and 4, 5×5 at 5 and
    /// 6, and 6×6 from level 7 on. The lower of both levels counts.
    pub enum ByLevel { ByLevel = "byLevel" }
}

/// The board of an event: of so many cells a side, or by the level.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize, poem_openapi::Union)]
#[serde(untagged, expecting = "a board is a number or \"byLevel\"")]
pub enum EventBoard {
    Size(u32),
    Level(ByLevel),
}

/// One state or a list of them.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize, poem_openapi::Union)]
#[serde(untagged)]
pub enum EventStates {
    One(EventState),
    Many(Vec<EventState>),
}

impl EventStates {
    pub fn as_slice(&self) -> &[EventState] {
        match self {
            Self::One(state) => std::slice::from_ref(state),
            Self::Many(states) => states,
        }
    }
}

request! {
    pub struct EventFilter {
        pub event_state: Option<EventStates>,
        pub event_type: Option<EventType>,
        /// In title or description.
        pub text: Option<String>,
        /// Only those that the caller is signed up for and that are not over; none for visitors.
        pub signed_up: Option<bool>,
        /// Only those that the caller hosts, in every state.
        pub hosted: Option<bool>,
    }

    pub struct ListEvents {
        pub filter: Option<EventFilter>,
        pub page: Option<u32>,
        pub limit: Option<u32>,
    }

    pub struct GetEventById { pub event_id: Uuid }

    /// Recomputes standings and winners from the stored games and the admins' corrections.
    pub struct VerifyEvent { pub event_id: Uuid }

    /// The stage rounds of an event that is no arena, from the first to the last as far as it is planned. With a user, only their
    /// matches.
    pub struct GetRounds { pub event_id: Uuid, pub user_id: Option<Uuid> }

    /// The table of an event that is no arena. With a user, their row alone, and how its tie-breaks came.
    pub struct GetStandings { pub event_id: Uuid, pub user_id: Option<Uuid> }

    /// Whether the caller may host private events, and how many they host.
    pub struct GetHosting {}

    pub struct CreateEvent {
        /// Trimmed; required.
        pub title: String,
        pub description: Option<String>,
        pub prize: Option<String>,
        /// Open if absent.
        pub event_type: Option<EventType>,
        /// Drafted, if given.
        pub event_state: Option<EventState>,
        pub start_time: Option<Timestamp>,
        pub end_time: Option<Timestamp>,
        /// 0 never eliminates; 3 if absent.
        pub max_losses: Option<u32>,
        /// Games between players on one network are rated: the organiser says that they are different people. False if absent.
        pub rated_on_one_network: Option<bool>,
        /// The time control of all its games; 15 s a turn if absent.
        pub clock: Option<QuickMatchClock>,
        /// Arena if absent. What follows is of the other formats, but for the board by the level.
        pub format: Option<EventFormat>,
        /// Stage rounds of a Swiss, 1 to 32. By the number of players if absent: ceil(log2 n) + 1.
        pub rounds: Option<u32>,
        /// The board on which the games of a match begin, 3 to 6; 3 if absent. `byLevel` in an arena, and only there: it has no
        /// other board.
        pub board_size: Option<EventBoard>,
        /// Games of a match: 1, or 2 with the seats swapped; 2 if absent. After one win each a third game decides.
        pub match_games: Option<u32>,
        /// In a knockout, those who lost the semi-finals play for the third place. False if absent.
        pub third_place: Option<bool>,
        /// In a round robin, everybody meets everybody twice. False if absent.
        pub double_rounds: Option<bool>,
        /// Of every format: who signs up when as many have is refused.
        pub max_players: Option<u32>,
        /// Who may enter: with a rating from 100 to 4000, provisional or not, of at least this.
        pub min_rating: Option<u32>,
        /// And of at most this.
        pub max_rating: Option<u32>,
        /// With so many finished games, at most 100000.
        pub min_games: Option<u32>,
        /// With an account of so many days, at most 3650.
        pub account_age_days: Option<u32>,
        /// And nobody but these: usernames or user ids, at most 1000. Told only to those who may change the event.
        pub allow_list: Option<Vec<String>>,
        /// Whether bots may enter; false if absent.
        pub bots_allowed: Option<bool>,
        /// Minutes before the start at which check-in opens, at most 120; no check-in if absent. Players who have not
        /// checked in when the event starts are not paired; some events still let them join late.
        pub check_in_minutes: Option<u32>,
        /// Fixed times of the stage rounds after the first, which begins at the start: no round begins before its own, nor before
        /// the last one has ended. In order, between start and end, at most one for each of these rounds. Those of rounds that are
        /// not played are ignored; a round without one begins when the last one ended.
        pub round_times: Option<Vec<Timestamp>>,
        /// Entered with a join code, and shown to nobody else. Always so for a member's event, which the member hosts; false if
        /// absent for an admin's.
        pub is_private: Option<bool>,
    }

    pub struct UpdateEvent {
        pub event_id: Uuid,
        pub title: Option<String>,
        pub description: Option<String>,
        pub prize: Option<String>,
        pub event_type: Option<EventType>,
        /// `published` publishes a draft; nothing else is set this way.
        pub event_state: Option<EventState>,
        pub start_time: Option<Timestamp>,
        pub end_time: Option<Timestamp>,
        pub max_losses: Option<u32>,
        /// As of `create_event`, as all that follow.
        pub rated_on_one_network: Option<bool>,
        /// Until the event starts, as everything here.
        pub clock: Option<QuickMatchClock>,
        pub format: Option<EventFormat>,
        /// 0: by the number of players.
        pub rounds: Option<u32>,
        pub board_size: Option<EventBoard>,
        pub match_games: Option<u32>,
        pub third_place: Option<bool>,
        pub double_rounds: Option<bool>,
        /// 0: as many as the server allows.
        pub max_players: Option<u32>,
        /// Who may enter, as of `create_event`; 0 asks for nothing, and so does an empty list. Who is in stays in.
        pub min_rating: Option<u32>,
        pub max_rating: Option<u32>,
        pub min_games: Option<u32>,
        pub account_age_days: Option<u32>,
        pub allow_list: Option<Vec<String>>,
        /// Bots that have already entered stay in.
        pub bots_allowed: Option<bool>,
        /// As in `create_event`; 0 means no check-in.
        pub check_in_minutes: Option<u32>,
        /// As in `create_event`; an empty list means no fixed times.
        pub round_times: Option<Vec<Timestamp>>,
    }

    /// Gives a private event another join code; the one before is not good any more.
    pub struct RenewJoinCode { pub event_id: Uuid }

    /// Invites a member to a private event that is published or under way. They are told in the app and by push, never by
    /// letter. The answer is the same for those who cannot be reached, or block the host; again, nothing happens.
    pub struct InvitePlayer {
        pub event_id: Uuid,
        /// Who; without it the one with the username.
        pub user_id: Option<Uuid>,
        /// Also a former one.
        pub username: Option<String>,
    }

    /// Takes an invitation back. Whoever has entered stays in.
    pub struct WithdrawInvitation { pub event_id: Uuid, pub user_id: Uuid }

    /// Who is invited to a private event and has not entered it, for those who direct it.
    pub struct ListInvitations { pub event_id: Uuid }

    /// The private events that the caller is invited to: the latest 100.
    pub struct ListOwnInvitations {}

    /// Enters the private event that the caller is invited to, as its join code does; or declines for good.
    pub struct AnswerInvitation { pub event_id: Uuid, pub accepted: bool }

    pub struct DeleteEvent { pub event_id: Uuid }

    pub struct JoinEvent {
        pub event_id: Uuid,
        pub user_id: Option<Uuid>,
        pub username: Option<String>,
    }

    pub struct StartEvent { pub event_id: Uuid }

    pub struct EndEvent { pub event_id: Uuid }

    pub struct CancelEvent { pub event_id: Uuid }

    /// Opens a concluded event for corrections; nobody plays in it.
    pub struct ReopenEvent { pub event_id: Uuid, pub reason: String }

    /// Makes the winners of an ended event final, when no game is left; also again after it was reopened.
    pub struct ConcludeEvent { pub event_id: Uuid }

    /// Makes a draft with what an event was made from.
    pub struct DuplicateEvent { pub event_id: Uuid }

    /// Tells those who take part; 1 to 280 characters.
    pub struct Announce { pub event_id: Uuid, pub message: String }

    /// Takes a player out, until the winners are final: out of the queue, the room and the order of winners. A live
    /// game is lost.
    pub struct RemoveParticipant { pub event_id: Uuid, pub user_id: Uuid, pub reason: String }

    pub struct ListSignupsForEvent {
        pub event_id: Uuid,
        pub page: Option<u32>,
        pub limit: Option<u32>,
    }

    pub struct ListSignupsForUser {
        pub user_id: Uuid,
        pub page: Option<u32>,
        pub limit: Option<u32>,
    }

    pub struct GetUserSignUpStatus { pub event_id: Uuid, pub user_id: Uuid }

    pub struct GetSignupByEventAndUser { pub event_id: Uuid, pub user_id: Uuid }

    /// The conditions of entry of an event, and whether the caller meets them.
    pub struct CheckEntry { pub event_id: Uuid }

    /// Decides a match of an event that is no arena, also against its games; without a winner both have lost. A game of it that
    /// is played is void. A later match of a knockout that has not begun gets other players; no pairing changes else.
    pub struct SetResult {
        pub event_id: Uuid,
        /// From 1, as `board`.
        pub round: u32,
        pub board: u32,
        pub winner_user_id: Option<Uuid>,
        pub reason: String,
    }

    /// Takes a player out of an event that is no arena, from the match under way on, which the opponent wins. What was
    /// played stays. They are told why.
    pub struct WithdrawPlayer { pub event_id: Uuid, pub user_id: Uuid, pub reason: String }

    /// Takes a player out as `withdraw_player` does, and keeps them from being a winner.
    pub struct DisqualifyPlayer { pub event_id: Uuid, pub user_id: Uuid, pub reason: String }

    /// Checks in a player who is signed up, or undoes it. Once the event has started, a player who did not check in
    /// plays from the next round.
    pub struct CheckInPlayer {
        pub event_id: Uuid,
        pub user_id: Uuid,
        /// True if absent.
        pub checked_in: Option<bool>,
    }

    /// The games of the stage round that waits open at once.
    pub struct StartRound {
        pub event_id: Uuid,
        /// From 1. One that has begun is refused.
        pub round: u32,
    }

    /// A match of the last stage round that was paired is played again: neither its games nor its result count. A game of it
    /// that is played is void.
    pub struct ReplayMatch {
        pub event_id: Uuid,
        /// From 1, as `board`.
        pub round: u32,
        pub board: u32,
        /// A game of the match that the caller saw. It is refused where the match is played again already.
        pub game_id: Option<Uuid>,
        pub reason: String,
    }

    /// Lets a player who was withdrawn, also because of absence, or disqualified, play from the next stage round on. They are
    /// told why.
    pub struct ReinstatePlayer { pub event_id: Uuid, pub user_id: Uuid, pub reason: String }

    /// Moves the end of an event that is published or has started.
    pub struct ExtendEvent { pub event_id: Uuid, pub end_time: Timestamp }

    /// No further stage round begins; games go on.
    pub struct PauseEvent { pub event_id: Uuid }

    /// The next stage round may begin again.
    pub struct ResumeEvent { pub event_id: Uuid }

    pub struct SignUp { pub event_id: Uuid, pub user_id: Option<Uuid> }

    /// Signs up for the private event with this join code, and joins it if it has started.
    pub struct SignUpByCode { pub join_code: String }

    /// Checks in the caller, who is signed up, or undoes it: while the event's check-in is open.
    pub struct CheckIn {
        pub event_id: Uuid,
        pub user_id: Option<Uuid>,
        /// True if absent.
        pub checked_in: Option<bool>,
    }

    pub struct RemoveSignup { pub event_id: Uuid, pub user_id: Option<Uuid> }

    pub struct GetPlayer {
        pub user_id: Uuid,
        /// The event joined last, if absent.
        pub event_id: Option<Uuid>,
    }

    pub struct GetPlayersByEvent {
        pub event_id: Uuid,
        pub page: Option<u32>,
        pub limit: Option<u32>,
    }

    pub struct CheckPlayerForEvent { pub event_id: Uuid, pub user_id: Uuid }

    pub struct GetLeaderboard {
        pub event_id: Uuid,
        pub page: Option<u32>,
        pub limit: Option<u32>,
    }

    /// An admin signs somebody up, also for an event that has started.
    pub struct CreatePlayer {
        pub event_id: Uuid,
        /// Who; without it the one with the username.
        pub user_id: Option<Uuid>,
        /// Also a former one.
        pub username: Option<String>,
    }

    /// Signs up everybody on a list, also for an event that has started: all of them, or nobody. For admins.
    pub struct ImportPlayers {
        pub event_id: Uuid,
        /// CSV with a username on each line: in the column headed `username`, otherwise in the first one.
        pub csv: String,
        /// Only reports what would happen; false if absent.
        pub preview: Option<bool>,
    }

    pub struct PlayerUpdates {
        pub level: Option<u32>,
        pub wins: Option<u32>,
        pub losses: Option<u32>,
        pub is_eliminated: Option<bool>,
    }

    pub struct UpdatePlayer {
        pub user_id: Uuid,
        pub event_id: Option<Uuid>,
        pub updates: PlayerUpdates,
        /// Why; it stands in the receipt.
        pub reason: Option<String>,
    }

    pub struct SetEvent { pub user_id: Uuid, pub event_id: Uuid }

    pub struct ClearEvent { pub user_id: Uuid }

    pub struct RecordResult {
        pub user_id: Uuid,
        pub did_win: bool,
        pub event_id: Option<Uuid>,
        /// Why; it stands in the receipt.
        pub reason: Option<String>,
    }

    pub struct JoinEventRoomAction {
        pub event_id: Uuid,
        pub user_id: Option<Uuid>,
        pub socket_id: Option<String>,
    }

    pub struct LeaveEventRoomAction { pub event_id: Uuid, pub user_id: Option<Uuid> }
}

answer! {
    pub struct Winner {
        pub user_id: Uuid,
        pub username: String,
        pub display_name: String,
        /// Where the picture is, 64 pixels wide; absent without one.
        pub profile_url: Option<String>,
        /// True for a bot, absent for people.
        pub is_bot: Option<bool>,
        pub level: u32,
        pub wins: u32,
    }

    pub struct Event {
        #[serde(rename = "_id")]
        #[oai(rename = "_id")]
        pub id: Uuid,
        pub event_id: Uuid,
        pub title: String,
        pub description: String,
        pub prize: Option<String>,
        pub event_type: EventType,
        pub event_state: EventState,
        pub start_time: Option<Timestamp>,
        pub end_time: Option<Timestamp>,
        pub max_losses: u32,
        /// Games between players on one network are rated: the organiser says that they are different people.
        pub rated_on_one_network: bool,
        /// The time control of all its games.
        pub clock: QuickMatchClock,
        pub created_at: Timestamp,
        pub updated_at: Timestamp,
        pub winners: Vec<Winner>,
        /// How many are registered.
        pub signup_count: u64,
        /// How many have joined to play.
        pub participant_count: u32,
        /// The winners are final; also true for a cancelled event.
        pub concluded: bool,
        /// When it really started.
        pub started_at: Option<Timestamp>,
        /// When it really ended, or was cancelled.
        pub ended_at: Option<Timestamp>,
        /// Games that wait for their players or are played.
        pub games_in_play: u32,
        /// Between the end and the winners: the moment by which the last games are decided. Absent while a concluded
        /// event is open again for corrections.
        pub decided_by: Option<Timestamp>,
        /// What its admins told those who take part: the latest 20, the newest last.
        pub announcements: Vec<Announcement>,
        pub format: EventFormat,
        /// Stage rounds of a Swiss; absent where their number follows from that of the players.
        pub rounds: Option<u32>,
        /// As of `create_event`: `byLevel` in an arena.
        pub board_size: EventBoard,
        /// As of `create_event`; absent in an arena, as what follows.
        pub match_games: Option<u32>,
        pub third_place: Option<bool>,
        pub double_rounds: Option<bool>,
        /// No further stage round begins until the event is resumed; absent otherwise.
        pub paused: Option<bool>,
        /// Absent where the server's limit alone counts.
        pub max_players: Option<u32>,
        /// The conditions of entry, as of `create_event`; absent where there is none.
        pub min_rating: Option<u32>,
        pub max_rating: Option<u32>,
        pub min_games: Option<u32>,
        pub account_age_days: Option<u32>,
        /// Minutes before the start at which check-in opens; absent if there is no check-in.
        pub check_in_minutes: Option<u32>,
        /// As of `create_event`; absent without fixed times.
        pub round_times: Option<Vec<Timestamp>>,
        /// How many players have checked in; also absent once the event is over.
        pub checked_in_count: Option<u32>,
        /// Only those on its list enter; absent otherwise.
        pub is_listed_only: Option<bool>,
        /// True if bots may enter; absent otherwise.
        pub bots_allowed: Option<bool>,
        /// Their usernames, of one event for those who may change it.
        pub allow_list: Option<Vec<String>>,
        /// Who signed up, its host and admins see it, and nobody else.
        pub is_private: bool,
        /// Whose event it is; absent in an event of the admins.
        pub host: Option<EventHost>,
        /// With which a private event is entered; for its host and admins.
        pub join_code: Option<String>,
        /// Of which series it is.
        pub series_id: Option<Uuid>,
        /// With which the calendar file of a private event is fetched without a sign-in, until it has another join code; of one
        /// event, for its host and those who have entered.
        pub calendar_token: Option<String>,
    }

    /// A condition of entry, and how the caller stands to it.
    pub struct EntryRequirement {
        pub condition: EntryCondition,
        /// What is asked for; absent of the list.
        pub wanted: Option<u32>,
        /// What the caller has; absent of the list.
        pub own: Option<u32>,
        pub is_met: bool,
        /// Why it keeps the caller out; absent if it does not.
        pub refusal: Option<String>,
    }

    /// Empty where anybody may enter.
    pub struct EntryAnswer { pub conditions: Vec<EntryRequirement> }

    pub struct HostingAnswer {
        /// Absent for somebody who may host.
        pub refusal: Option<HostingRefusal>,
        /// Events of the caller that are not over.
        pub open: u32,
        /// How many may be open at once.
        pub limit: u32,
        /// Players of such an event, at most.
        pub max_players: u32,
        /// Days until its start, at most.
        pub ahead_days: u32,
        /// Minutes from its start to its end, at most.
        pub length_minutes: u32,
    }

    /// A member who hosts an event.
    pub struct EventHost {
        pub user_id: Uuid,
        pub username: String,
        pub display_name: String,
        /// True for a bot, absent for people.
        pub is_bot: Option<bool>,
    }

    /// Somebody who is invited to a private event.
    pub struct EventInvitation {
        pub user_id: Uuid,
        pub username: String,
        pub display_name: String,
        /// Where the picture is, 64 pixels wide; absent without one.
        pub profile_url: Option<String>,
        /// True for a bot, absent for people.
        pub is_bot: Option<bool>,
        pub state: InvitationState,
        pub at: Timestamp,
    }

    pub struct InvitationsAnswer {
        /// At most 128, the first first.
        pub invitations: Vec<EventInvitation>,
    }

    /// A private event that the caller is invited to. Until they enter it they see no more of it.
    pub struct OwnInvitation {
        pub event_id: Uuid,
        pub title: String,
        pub start_time: Option<Timestamp>,
        pub end_time: Option<Timestamp>,
        /// `published` or `started`.
        pub event_state: EventState,
        pub host: EventHost,
        pub at: Timestamp,
    }

    pub struct OwnInvitationsAnswer { pub invitations: Vec<OwnInvitation> }

    pub struct AnswerInvitationAnswer {
        /// Absent of one that is declined.
        pub signup: Option<Signup>,
    }

    /// A player of a match.
    pub struct StagePlayer {
        pub user_id: Uuid,
        pub username: String,
        pub display_name: String,
        /// Where the picture is, 64 pixels wide; absent without one.
        pub profile_url: Option<String>,
        /// True for a bot, absent for people.
        pub is_bot: Option<bool>,
        /// From 1, by rating at the start; late players follow.
        pub seed: u32,
    }

    pub struct StageGame { pub game_id: Uuid, pub winner_user_id: Option<Uuid> }

    /// A match.
    pub struct StagePairing {
        /// From 1. In a knockout the winners of boards 2n - 1 and 2n meet on board n of the next round.
        pub board: u32,
        /// The first one plays X in the first game. Fewer than two where the others are not known yet, and in a bye.
        pub players: Vec<StagePlayer>,
        /// Its player has no opponent.
        pub bye: bool,
        /// Those that were opened, in order.
        pub games: Vec<StageGame>,
        /// Absent while it is not decided, and where both lost.
        pub winner_user_id: Option<Uuid>,
        /// Absent while it is not decided.
        pub reason: Option<MatchReason>,
    }

    pub struct StageRound {
        /// From 1.
        pub round: u32,
        pub state: RoundState,
        /// When its games open; absent where it is not paired yet.
        pub starts_at: Option<Timestamp>,
        /// The fixed time before which a planned round does not begin, also one that is not paired yet; absent for others.
        pub not_before: Option<Timestamp>,
        pub pairings: Vec<StagePairing>,
    }

    pub struct RoundsAnswer {
        /// Empty before the start, and in an arena.
        pub rounds: Vec<StageRound>,
        /// How many there will be, as far as it is known now.
        pub expected_rounds: u32,
    }

    /// What a stage round added to a tie-break.
    pub struct TieBreakTerm {
        pub tie_break: TieBreakName,
        pub round: u32,
        /// Absent for a round that was not played.
        pub opponent: Option<StagePlayer>,
        pub value: f64,
        /// Whether it is left out of the sum.
        pub cut: bool,
    }

    /// In the order in which they decide.
    pub struct TieBreaks {
        pub buchholz_cut1: f64,
        pub buchholz: f64,
        pub sonneborn_berger: f64,
        pub wins: f64,
        pub head_to_head: f64,
    }

    pub struct StageStanding {
        /// From 1. Players whom nothing tells apart share it.
        pub rank: u32,
        pub user_id: Uuid,
        pub username: String,
        pub display_name: String,
        /// Where the picture is, 64 pixels wide; absent without one.
        pub profile_url: Option<String>,
        /// True for a bot, absent for people.
        pub is_bot: Option<bool>,
        pub seed: u32,
        /// Matches won; byes count, but in a round robin and in a knockout.
        pub points: f64,
        /// Absent in a knockout.
        pub tie_breaks: Option<TieBreaks>,
        /// Also of a player who is disqualified.
        pub withdrawn: bool,
        pub disqualified: bool,
        /// Why they are disqualified; for themselves and those who direct the event.
        pub disqualification: Option<String>,
        /// How the tie-breaks came; only of the user who was asked for.
        pub terms: Option<Vec<TieBreakTerm>>,
    }

    pub struct StandingsAnswer {
        /// Empty before the start, and in an arena.
        pub standings: Vec<StageStanding>,
    }

    pub struct Announcement { pub message: String, pub at: Timestamp }

    pub struct EventAnswer { pub event: Event }

    pub struct EventsAnswer {
        pub events: Vec<Event>,
        pub pagination: Pagination,
    }

    pub struct JoinEventAnswer {
        pub requires_upgrade: bool,
        pub player: Option<Player>,
    }

    pub struct VerifyEventAnswer {
        /// Stored standings and winners agree with what the games and the corrections say.
        pub agrees: bool,
        pub games: u64,
        pub players: u64,
        /// What differs, in words.
        pub differences: Vec<String>,
        /// What admins corrected, the first first.
        pub corrections: Vec<Correction>,
        /// What directors did in an event that is no arena, the first first.
        pub acts: Vec<DirectorAct>,
        /// Who said that players on one network are different people; absent if nobody did.
        pub vouched: Option<Vouch>,
    }

    pub struct Vouch {
        pub at: Timestamp,
        /// A username, or the name of an operator token.
        pub by: String,
    }

    /// What a director did about a match or a player.
    pub struct DirectorAct {
        pub at: Timestamp,
        /// A username, or the name of an operator token.
        pub by: String,
        pub what: DirectorActKind,
        /// The round of the match, from 1; absent, as its board, for an act about a player.
        pub round: Option<u32>,
        pub board: Option<u32>,
        /// Those of the match, or the player.
        pub players: Vec<StagePlayer>,
        /// The result of the match until then; absent if it had none, and for an act about a player.
        pub before: Option<MatchResult>,
        pub reason: String,
    }

    pub struct MatchResult {
        /// Absent where both lost.
        pub winner_user_id: Option<Uuid>,
        pub reason: MatchReason,
    }

    pub struct Counts { pub level: u32, pub wins: u32, pub losses: u32 }

    pub struct Correction {
        pub at: Timestamp,
        /// A username, or the name of an operator token.
        pub by: String,
        pub user_id: Uuid,
        pub username: String,
        pub display_name: String,
        /// Where the picture is, 64 pixels wide; absent without one.
        pub profile_url: Option<String>,
        /// True for a bot, absent for people.
        pub is_bot: Option<bool>,
        pub what: CorrectionKind,
        /// Absent, as what came after it, for a correction by an older version.
        pub before: Option<Counts>,
        pub after: Option<Counts>,
        pub reason: Option<String>,
    }

    pub struct Signup {
        #[serde(rename = "_id")]
        #[oai(rename = "_id")]
        pub id: Uuid,
        pub signup_id: Uuid,
        pub user_id: Uuid,
        pub event_id: Uuid,
        pub username: String,
        pub display_name: String,
        /// Where the picture is, 64 pixels wide; absent without one.
        pub profile_url: Option<String>,
        /// True for a bot, absent for people.
        pub is_bot: Option<bool>,
        /// For admins only.
        pub email: Option<String>,
        pub created_at: Timestamp,
        pub status: SignupStatus,
        /// Whether they have checked in, or joined since. Absent without a check-in, and for events that are long over.
        pub checked_in: Option<bool>,
        /// In the list of an event that is published or under way, for those who direct it; absent otherwise. The frame
        /// `presenceChanged` has its changes.
        pub presence: Option<Presence>,
        pub level: u32,
        pub wins: u32,
        pub losses: u32,
    }

    pub struct SignupsAnswer {
        pub signups: Vec<Signup>,
        pub pagination: Pagination,
    }

    pub struct SignupAnswer { pub signup: Signup }

    pub struct SignUpStatusAnswer {
        pub is_signed_up: bool,
        /// As of a sign-up.
        pub checked_in: Option<bool>,
    }

    pub struct Player {
        pub user_id: Uuid,
        pub username: String,
        pub display_name: String,
        /// Where the picture is, 64 pixels wide; absent without one.
        pub profile_url: Option<String>,
        /// True for a bot, absent for people.
        pub is_bot: Option<bool>,
        pub event_id: Uuid,
        pub level: u32,
        pub wins: u32,
        pub losses: u32,
        pub is_eliminated: bool,
        /// Taken out by an admin; absent for all others.
        pub is_removed: Option<bool>,
        /// From 1, in the order of the leaderboard.
        pub rank: Option<u32>,
        /// For admins only.
        pub email: Option<String>,
    }

    pub struct PlayerAnswer { pub player: Player }

    /// A line of a list of players.
    pub struct ImportedPlayer {
        /// In the file, from 1.
        pub line: u32,
        /// Of the account; as typed if there is none.
        pub username: String,
        pub status: ImportStatus,
        pub user_id: Option<Uuid>,
        pub display_name: Option<String>,
        /// Why somebody is refused.
        pub reason: Option<String>,
    }

    pub struct ImportPlayersAnswer {
        /// In the order of the list.
        pub players: Vec<ImportedPlayer>,
        /// How many were signed up.
        pub added: u32,
        /// Nobody on the list is unknown or refused.
        pub complete: bool,
    }

    pub struct PlayersAnswer {
        pub players: Vec<Player>,
        pub pagination: Pagination,
    }

    pub struct CheckPlayerAnswer {
        pub is_eliminated: bool,
        pub player: Option<Player>,
        /// Why they were taken out of the event room; absent unless they were, and once they are back.
        pub taken_out: Option<String>,
    }

    pub struct JoinEventRoomAnswer {
        pub player: Player,
        pub queue_size: u32,
        /// As of `eventJoined`.
        pub still_there: Option<bool>,
        /// As of `eventJoined`.
        pub absence: Option<StillThere>,
    }
}

impl EventBoard {
    /// Cells a side; `None` by the level.
    pub fn size(self) -> Option<u32> {
        match self {
            Self::Size(size) => Some(size),
            Self::Level(_) => None,
        }
    }
}

impl UpdateEvent {
    /// An update that changes nothing yet.
    pub fn of(event_id: Uuid) -> Self {
        Self {
            event_id,
            title: None,
            description: None,
            prize: None,
            event_type: None,
            event_state: None,
            start_time: None,
            end_time: None,
            max_losses: None,
            rated_on_one_network: None,
            clock: None,
            format: None,
            rounds: None,
            board_size: None,
            match_games: None,
            third_place: None,
            double_rounds: None,
            max_players: None,
            min_rating: None,
            max_rating: None,
            min_games: None,
            account_age_days: None,
            allow_list: None,
            bots_allowed: None,
            check_in_minutes: None,
            round_times: None,
        }
    }
}

impl Event {
    /// Who may enter, in a word.
    pub fn access(&self) -> &'static str {
        if self.is_private { "private" } else { self.event_type.as_str() }
    }

    /// Its check-in, for a terminal; `None` without one.
    pub fn check_in(&self) -> Option<String> {
        let minutes = self.check_in_minutes?;
        let unit = if minutes == 1 { "minute" } else { "minutes" };
        let count = self.checked_in_count.map(|count| format!(", {count} of {} here", self.signup_count));
        Some(format!("{minutes} {unit} before the start{}", count.unwrap_or_default()))
    }

    /// Its conditions of entry, each with a name, for a terminal.
    pub fn conditions(&self) -> Vec<(&'static str, String)> {
        let figure = |name, figure: Option<u32>, unit| figure.map(|figure| (name, format!("{figure}{unit}")));
        [
            figure("rating from", self.min_rating, ""),
            figure("rating to", self.max_rating, ""),
            figure("games", self.min_games, " or more"),
            figure("account", self.account_age_days, " days or older"),
            self.is_listed_only.map(|_| ("who", "on its list".to_owned())),
            self.bots_allowed.map(|_| ("bots", "may enter".to_owned())),
        ]
        .into_iter()
        .flatten()
        .collect()
    }
}

impl Correction {
    /// One line for a terminal.
    pub fn in_words(&self) -> String {
        let counts = |counts: &Option<Counts>| {
            counts.as_ref().map_or_else(
                || "unknown".to_owned(),
                |Counts { level, wins, losses }| format!("level {level}, {wins} wins, {losses} losses"),
            )
        };
        let did = match self.what {
            CorrectionKind::Removal => "removed".to_owned(),
            CorrectionKind::CheckIn => "checked in".to_owned(),
            CorrectionKind::CheckInUndone => "check-in undone".to_owned(),
            CorrectionKind::Standing | CorrectionKind::Result => {
                format!("from {} to {}", counts(&self.before), counts(&self.after))
            }
        };
        let reason = self.reason.as_ref().map(|reason| format!(" ({reason})")).unwrap_or_default();
        format!("{} {} by {}: {did}{reason}", self.at, self.username, self.by)
    }
}

impl DirectorAct {
    /// One line for a terminal.
    pub fn in_words(&self) -> String {
        let names = self.players.iter().map(|player| player.username.as_str()).collect::<Vec<_>>();
        let did = match self.what {
            DirectorActKind::SetResult => "result set",
            DirectorActKind::ReplayMatch => "played again",
            DirectorActKind::WithdrawPlayer => "withdrawn",
            DirectorActKind::DisqualifyPlayer => "disqualified",
            DirectorActKind::ReinstatePlayer => "reinstated",
        };
        let place = self.round.zip(self.board).map(|(round, board)| format!("round {round}, board {board}, "));
        let before = self.before.as_ref().map(|before| {
            let winner = self.players.iter().find(|player| Some(player.user_id) == before.winner_user_id);
            let winner = winner.map_or("nobody", |player| player.username.as_str());
            format!(", won by {winner} before")
        });
        let [place, before] = [place, before].map(Option::unwrap_or_default);
        format!("{} {place}{} by {}: {did}{before} ({})", self.at, names.join(" - "), self.by, self.reason)
    }
}

actions! {
    resource "event";
    /// Reads of `event`.
    reads EventRead {
        "get_event_by_id": GetEventById => EventAnswer;
        "list_events": ListEvents => EventsAnswer;
        "verify_event": VerifyEvent => VerifyEventAnswer;
        "get_rounds": GetRounds => RoundsAnswer;
        "get_standings": GetStandings => StandingsAnswer;
        "get_hosting": GetHosting => HostingAnswer;
        "list_invitations": ListInvitations => InvitationsAnswer;
    }
    /// Writes of `event`.
    writes EventWrite {
        "create_event": CreateEvent => EventAnswer;
        "update_event": UpdateEvent => EventAnswer;
        "delete_event": DeleteEvent => Acknowledgement;
        "join_event": JoinEvent => JoinEventAnswer;
        "start_event": StartEvent => EventAnswer;
        "end_event": EndEvent => EventAnswer;
        "cancel_event": CancelEvent => EventAnswer;
        "reopen_event": ReopenEvent => EventAnswer;
        "conclude_event": ConcludeEvent => EventAnswer;
        "duplicate_event": DuplicateEvent => EventAnswer;
        "announce": Announce => EventAnswer;
        "remove_participant": RemoveParticipant => PlayerAnswer;
        "set_result": SetResult => EventAnswer;
        "withdraw_player": WithdrawPlayer => EventAnswer;
        "disqualify_player": DisqualifyPlayer => EventAnswer;
        "reinstate_player": ReinstatePlayer => EventAnswer;
        "check_in_player": CheckInPlayer => EventAnswer;
        "start_round": StartRound => EventAnswer;
        "replay_match": ReplayMatch => EventAnswer;
        "extend_event": ExtendEvent => EventAnswer;
        "pause_event": PauseEvent => EventAnswer;
        "resume_event": ResumeEvent => EventAnswer;
        "renew_join_code": RenewJoinCode => EventAnswer;
        "invite_player": InvitePlayer => Acknowledgement;
        "withdraw_invitation": WithdrawInvitation => Acknowledgement;
    }
}

actions! {
    resource "eventSignUp";
    /// Reads of `eventSignUp`.
    reads SignUpRead {
        "list_signups_for_event": ListSignupsForEvent => SignupsAnswer;
        "list_signups_for_user": ListSignupsForUser => SignupsAnswer;
        "get_user_sign_up_status": GetUserSignUpStatus => SignUpStatusAnswer;
        "get_signup_by_event_and_user": GetSignupByEventAndUser => SignupAnswer;
        "check_entry": CheckEntry => EntryAnswer;
        "list_own_invitations": ListOwnInvitations => OwnInvitationsAnswer;
    }
    /// Writes of `eventSignUp`.
    writes SignUpWrite {
        "sign_up": SignUp => SignupAnswer;
        "sign_up_by_code": SignUpByCode => SignupAnswer;
        "check_in": CheckIn => SignupAnswer;
        "remove_signup": RemoveSignup => Acknowledgement;
        "answer_invitation": AnswerInvitation => AnswerInvitationAnswer;
    }
}

actions! {
    resource "player";
    /// Reads of `player`.
    reads PlayerRead {
        "get_player": GetPlayer => PlayerAnswer;
        "getPlayersByEvent": GetPlayersByEvent => PlayersAnswer;
        "check_player_for_event": CheckPlayerForEvent => CheckPlayerAnswer;
        "get_leaderboard": GetLeaderboard => PlayersAnswer;
        "get_rating_list": GetRatingList => RatingListAnswer;
        "list_bots": ListBots => BotsAnswer;
        "get_profile": GetProfile => ProfileAnswer;
        "get_history": GetHistory => PlayedGamesAnswer;
        "get_head_to_head": GetHeadToHead => HeadToHeadAnswer;
        "list_opponents": ListOpponents => OpponentsAnswer;
    }
    /// Writes of `player`.
    writes PlayerWrite {
        "create_player": CreatePlayer => PlayerAnswer;
        "import_players": ImportPlayers => ImportPlayersAnswer;
        "update_player": UpdatePlayer => PlayerAnswer;
        "set_event": SetEvent => PlayerAnswer;
        "clear_event": ClearEvent => Acknowledgement;
        "record_result": RecordResult => PlayerAnswer;
        "join_event_room": JoinEventRoomAction => JoinEventRoomAnswer;
        "leave_event_room": LeaveEventRoomAction => Acknowledgement;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_is_a_size_or_by_the_level() {
        for (text, board, size) in [
            ("3", EventBoard::Size(3), Some(3)),
            ("7", EventBoard::Size(7), Some(7)),
            ("\"byLevel\"", EventBoard::Level(ByLevel::ByLevel), None),
        ] {
            assert_eq!(serde_json::from_str::<EventBoard>(text).unwrap(), board);
            assert_eq!(serde_json::to_string(&board).unwrap(), text);
            assert_eq!(board.size(), size);
        }
        let read = crate::action::with_whole_numbers("3.0", |text| serde_json::from_str::<EventBoard>(text));
        assert_eq!(read.unwrap(), EventBoard::Size(3));
        for bad in ["-3", "3.5", "\"3\"", "\"ByLevel\"", "null", "[3]"] {
            let error = serde_json::from_str::<EventBoard>(bad).unwrap_err().to_string();
            assert!(error.contains("a board is a number or \"byLevel\""), "{bad}: {error}");
        }
    }
}
