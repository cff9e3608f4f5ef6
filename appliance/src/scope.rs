//! What an operator token may do, by its scope: the one table of all actions, and of everything else that can be called.
//! `docs/behaviour/accounts.md#scopes-of-operator-tokens` has it too. What a personal token may do is in
//! `openapi/src/programs.rs`.

use morpion_openapi::{action::Kind, programs, realtime::ClientFrame};
pub use morpion_openapi::{
    admin::TokenScope,
    programs::{Needed as NeededOfProgram, ProgramScope},
};
use poem::http::Method;

/// What a call asks of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Needed {
    pub operator: TokenScope,
    pub program: programs::Needed,
}

impl From<TokenScope> for Needed {
    /// For what no personal token may do.
    fn from(operator: TokenScope) -> Self {
        Self { operator, program: programs::Needed::Never }
    }
}

/// The scope that each write needs. Whatever would let a token gain more than it has (tokens, admin rights, passwords)
/// needs `all`, as do writes that are not listed.
const WRITES: &[(TokenScope, &str, &[&str])] = &[
    (TokenScope::Events, "admin", &["adjudicate_game"]),
    (
        TokenScope::Events,
        "event",
        &[
            "create_event",
            "update_event",
            "delete_event",
            "join_event",
            "start_event",
            "end_event",
            "cancel_event",
            "reopen_event",
            "conclude_event",
            "duplicate_event",
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
    (
        TokenScope::Events,
        "eventSignUp",
        &["sign_up", "sign_up_by_code", "check_in", "remove_signup", "answer_invitation"],
    ),
    (TokenScope::Events, "series", &["create_series", "update_series", "end_series", "delete_series"]),
    (
        TokenScope::Events,
        "player",
        &[
            "create_player",
            "import_players",
            "update_player",
            "set_event",
            "clear_event",
            "record_result",
            "join_event_room",
            "leave_event_room",
        ],
    ),
    (
        TokenScope::Events,
        "game",
        &["create_game", "make_move", "end_game", "cancel_game", "claim_seat", "play_again", "claim_win", "share_game"],
    ),
    (
        TokenScope::Accounts,
        "admin",
        &[
            "revoke_session",
            "delete_personal_tokens",
            "grant_pro",
            "revoke_pro",
            "suspend_user",
            "lift_suspension",
            "rename_user",
            "remove_picture",
            "allow_hosting",
            "delete_user",
            "close_report",
        ],
    ),
    (
        TokenScope::Accounts,
        "userprofile",
        &[
            "create_profile",
            "update_user_profile",
            "delete_user_profile",
            "assign_random_display_name",
            "become_bot",
            "report_user",
            "block_user",
            "unblock_user",
            "update_notification_settings",
            "subscribe_push",
            "unsubscribe_push",
            "show_push_example",
        ],
    ),
    (
        TokenScope::Accounts,
        "subscription",
        &[
            "subscribe",
            "create_subscription_iten",
            "cancel_subscription",
            "resume_subscription",
            "change_plan",
            "finish_plan_change",
            "create_setup_intent",
            "add_payment_method",
            "set_default_payment_method",
        ],
    ),
    (
        TokenScope::All,
        "admin",
        &[
            "set_admin",
            "create_admin",
            "promote_user",
            "demote_user",
            "remove_second_factor",
            "create_password_link",
            "change_email",
            "reset_password",
            "create_token",
            "revoke_token",
            "create_backup",
            "verify_backup",
            "create_webhook",
            "delete_webhook",
            "resend_delivery",
            "test_webhook",
        ],
    ),
    (TokenScope::All, "logger", &["log", "bulkLog", "clearLogs"]),
];

/// Reads that need more than [`TokenScope::Read`]: where a webhook is may be a secret of its receiver.
const READS: &[(TokenScope, &str, &[&str])] = &[(TokenScope::All, "admin", &["list_webhooks", "list_deliveries"])];

/// The scope that an action needs.
pub fn of_action(resource: &str, kind: Kind, action: &str) -> Needed {
    let (table, otherwise) = match kind {
        Kind::Read => (READS, TokenScope::Read),
        Kind::Write => (WRITES, TokenScope::All),
    };
    let listed = table.iter().find(|(_, of, actions)| *of == resource && actions.contains(&action));
    let operator = listed.map_or(otherwise, |(scope, ..)| *scope);
    Needed { operator, program: programs::of_action(resource, kind, action) }
}

/// The scope that a request needs before its action is known: those of the action API come to the path of their
/// resource or of the action, and are checked by [`of_action`] once they are read, as frames are by [`of_frame`].
pub fn of_request(method: &Method, path: &str) -> Needed {
    let path = path.trim_end_matches('/');
    let resource = path.strip_prefix("/api/backend/").unwrap_or_default().split('/').next();
    let is_action = WRITES.iter().any(|(_, of, _)| Some(*of) == resource);
    let operator = if method.is_safe() || is_action { TokenScope::Read } else { TokenScope::All };
    let program = match programs::of_path(method.as_str(), path) {
        programs::Needed::Never if is_action || path == REALTIME => programs::Needed::Any,
        needed => needed,
    };
    Needed { operator, program }
}

/// Where websockets are opened.
pub const REALTIME: &str = "/api/backend/realtime";

/// Whether visitors may send a frame: those that subscribe, and none that says anything of them.
pub fn is_for_visitors(frame: &ClientFrame) -> bool {
    matches!(frame, ClientFrame::Authenticate(_) | ClientFrame::SpectateGame(_) | ClientFrame::LeaveGameRoom(_))
}

/// The scope that a frame needs.
pub fn of_frame(frame: &ClientFrame) -> Needed {
    let operator = match frame {
        ClientFrame::Authenticate(_)
        | ClientFrame::SpectateGame(_)
        | ClientFrame::LeaveGameRoom(_)
        | ClientFrame::SubscribeLogs(_)
        | ClientFrame::SubscribeLiveGames(_)
        | ClientFrame::WatchLive(_)
        | ClientFrame::UnwatchLive(_)
        | ClientFrame::WatchPresence(_)
        | ClientFrame::UnwatchPresence(_) => TokenScope::Read,
        ClientFrame::JoinEventRoom(_)
        | ClientFrame::LeaveEventRoom(_)
        | ClientFrame::FindMatch(_)
        | ClientFrame::CancelMatchmaking(_)
        | ClientFrame::JoinGame(_)
        | ClientFrame::MakeMove(_)
        | ClientFrame::ForfeitGame(_)
        | ClientFrame::PlayAgain(_)
        | ClientFrame::React(_)
        | ClientFrame::CancelGame(_)
        | ClientFrame::QuickMatchJoin(_)
        | ClientFrame::QuickMatchLeave(_) => TokenScope::Events,
    };
    Needed { operator, program: programs::of_frame(frame) }
}
