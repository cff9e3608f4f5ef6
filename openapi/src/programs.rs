//! Personal tokens, by which a program acts for its owner, and what each scope may do: `docs/behaviour/programs.md`.
//!
//! [`of_action`], [`of_path`] and [`of_frame`] are the one table. What is not in it no token reaches: everything about
//! accounts, credentials, payments and administration.

use crate::{Timestamp, action::Kind, realtime::ClientFrame};

words! {
    /// What a personal token may do. None includes another one.
    pub enum ProgramScope {
        /// Reads games, players, events and ratings.
        Read = "read",
        /// Makes games and plays them.
        Play = "play",
        /// Signs up for events, and hosts the owner's private ones.
        Event = "event",
    }
}

request! {
    /// Makes a personal token.
    pub struct CreatePersonalToken {
        /// What its owner calls it, 1 to 40 characters.
        pub name: String,
        /// At least one.
        pub scopes: Vec<ProgramScope>,
        /// 1 to 365; 90 if it is absent.
        pub expires_in_days: Option<u32>,
    }

    pub struct DeletePersonalToken {
        pub token_id: String,
    }
}

answer! {
    pub struct PersonalToken {
        pub token_id: String,
        pub name: String,
        pub scopes: Vec<ProgramScope>,
        pub created_at: Timestamp,
        pub expires_at: Timestamp,
        /// To the minute; absent before the first use.
        pub last_used_at: Option<Timestamp>,
    }

    pub struct PersonalTokensAnswer {
        /// The newest first.
        pub tokens: Vec<PersonalToken>,
        /// How many an account may have.
        pub most: u32,
    }

    pub struct PersonalTokenAnswer {
        /// What a program sends as `Authorization: Bearer`. Shown this once.
        pub token: String,
        pub personal_token: PersonalToken,
    }
}

/// What a call asks of a personal token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Needed {
    Scope(ProgramScope),
    /// It may have any scopes: what is asked for on the way is looked at by itself.
    Any,
    /// No token may do this.
    Never,
}

use Kind::{Read as Reads, Write as Writes};
use ProgramScope::{Event, Play, Read};

const ACTIONS: &[(ProgramScope, &str, Kind, &[&str])] = &[
    (Read, "userprofile", Reads, &["get_user_by_id", "find_user", "search_user", "search_user_profile"]),
    (
        Read,
        "game",
        Reads,
        &["get_game", "get_games_by_user", "get_games_by_event", "get_replay", "spectatable_games", "live_games"],
    ),
    (Read, "event", Reads, &["list_events", "get_event_by_id", "get_rounds", "get_standings", "get_hosting"]),
    (Read, "series", Reads, &["list_series", "get_series", "get_series_table"]),
    (
        Read,
        "eventSignUp",
        Reads,
        &[
            "get_signup_by_event_and_user",
            "get_user_sign_up_status",
            "list_signups_for_event",
            "list_signups_for_user",
            "check_entry",
            "list_own_invitations",
        ],
    ),
    (
        Read,
        "player",
        Reads,
        &[
            "check_player_for_event",
            "getPlayersByEvent",
            "get_player",
            "get_leaderboard",
            "get_rating_list",
            "list_bots",
            "get_profile",
            "get_history",
            "get_head_to_head",
            "list_opponents",
        ],
    ),
    (
        Play,
        "game",
        Writes,
        &["create_game", "make_move", "end_game", "cancel_game", "claim_seat", "play_again", "claim_win", "share_game"],
    ),
    (Event, "eventSignUp", Writes, &["sign_up", "sign_up_by_code", "check_in", "remove_signup", "answer_invitation"]),
    (Event, "player", Writes, &["join_event_room", "leave_event_room"]),
    // What a host does with a private event. Of others an admin's token may do no more than a player's.
    (Event, "event", Reads, &["verify_event", "list_invitations"]),
    (
        Event,
        "event",
        Writes,
        &[
            "create_event",
            "update_event",
            "delete_event",
            "join_event",
            "start_event",
            "end_event",
            "cancel_event",
            "announce",
            "remove_participant",
            "set_result",
            "withdraw_player",
            "disqualify_player",
            "reinstate_player",
            "check_in_player",
            "start_round",
            "replay_match",
            "extend_event",
            "pause_event",
            "resume_event",
            "renew_join_code",
            "invite_player",
            "withdraw_invitation",
        ],
    ),
];

/// Operations that are no actions: method, and path as the contract spells it.
const PATHS: &[(ProgramScope, &str, &str)] = &[
    (Read, "GET", "/api/backend/api/v1/user/search"),
    (Read, "GET", "/api/backend/events/series/{series_id}/calendar.ics"),
    (Read, "GET", "/api/backend/events/{event_id}/calendar.ics"),
    (Read, "GET", "/api/backend/events/{event_id}/results.csv"),
    (Read, "GET", "/api/backend/events/{event_id}/standings.csv"),
    (Read, "GET", "/api/backend/events/{event_id}/swiss.trf"),
    (Read, "GET", "/api/backend/game/export_games"),
    (Read, "GET", "/api/backend/profile/image/{user_id}/{size}"),
    (Read, "GET", "/api/backend/site"),
];

fn needed(scope: Option<ProgramScope>) -> Needed {
    scope.map_or(Needed::Never, Needed::Scope)
}

/// What an action of the action API asks of a personal token.
pub fn of_action(resource: &str, kind: Kind, action: &str) -> Needed {
    let is_meant = |(_, of, listed, actions): &&(ProgramScope, &str, Kind, &[&str])| {
        *of == resource && *listed == kind && actions.contains(&action)
    };
    needed(ACTIONS.iter().find(is_meant).map(|(scope, ..)| *scope))
}

/// What a request that is no action asks of a personal token.
pub fn of_path(method: &str, path: &str) -> Needed {
    let fits = |template: &str| {
        let (mut parts, mut expected) = (path.split('/'), template.split('/'));
        let matches = expected.by_ref().zip(parts.by_ref()).all(|(expected, part)| match expected.starts_with('{') {
            true => !part.is_empty(),
            false => expected == part,
        });
        matches && path.split('/').count() == template.split('/').count()
    };
    needed(PATHS.iter().find(|(_, of, template)| *of == method && fits(template)).map(|(scope, ..)| *scope))
}

/// What a frame of the websocket asks of a personal token.
pub fn of_frame(frame: &ClientFrame) -> Needed {
    match frame {
        // Whoever may enter a room, to watch or to play, may leave it.
        ClientFrame::Authenticate(_) | ClientFrame::LeaveGameRoom(_) => Needed::Any,
        ClientFrame::SpectateGame(_) | ClientFrame::WatchLive(_) | ClientFrame::UnwatchLive(_) => Needed::Scope(Read),
        ClientFrame::JoinGame(_)
        | ClientFrame::MakeMove(_)
        | ClientFrame::ForfeitGame(_)
        | ClientFrame::PlayAgain(_)
        | ClientFrame::React(_)
        | ClientFrame::CancelGame(_)
        | ClientFrame::QuickMatchJoin(_)
        | ClientFrame::QuickMatchLeave(_) => Needed::Scope(Play),
        ClientFrame::JoinEventRoom(_)
        | ClientFrame::LeaveEventRoom(_)
        | ClientFrame::FindMatch(_)
        | ClientFrame::CancelMatchmaking(_) => Needed::Scope(Event),
        // For admins, and for who directs an event.
        ClientFrame::SubscribeLogs(_)
        | ClientFrame::SubscribeLiveGames(_)
        | ClientFrame::WatchPresence(_)
        | ClientFrame::UnwatchPresence(_) => Needed::Never,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_compared_part_by_part() {
        let calendar = "/api/backend/events/4f2c/calendar.ics";
        assert_eq!(of_path("GET", calendar), Needed::Scope(Read));
        for (method, path) in [
            ("POST", calendar),
            ("HEAD", calendar),
            ("GET", "/api/backend/events//calendar.ics"),
            ("GET", "/api/backend/events/4f2c/calendar.ics/more"),
            ("GET", "/api/backend/events/4f2c"),
            ("GET", "/api/backend/sites"),
            ("GET", "/api/auth/sessions"),
            ("GET", ""),
        ] {
            assert_eq!(of_path(method, path), Needed::Never, "{method} {path}");
        }
    }

    #[test]
    fn an_action_is_looked_for_where_it_belongs() {
        assert_eq!(of_action("game", Writes, "make_move"), Needed::Scope(Play));
        assert_eq!(of_action("game", Reads, "make_move"), Needed::Never);
        assert_eq!(of_action("admin", Writes, "make_move"), Needed::Never);
        assert_eq!(of_action("event", Writes, "reopen_event"), Needed::Never);
    }
}
