//! The calls of the action API that the console makes, as values: a call travels with its
//! reply, so that the state knows what a reply is to.

use morpion_openapi::{
    action::{Action, Kind},
    admin::{
        AdjudicateGame, CreateBackup, GrantPro, History, ListAudit, ListBackups, ListBillingEvents, ListLiveGames,
        ListSessions, ListSubscriptions, ListUsers, Overview, RevokePro, RevokeSessionAction, SetAdmin, VerifyBackup,
    },
    cluster::Cluster,
    event::{
        CancelEvent, CheckInPlayer, CreateEvent, CreatePlayer, DeleteEvent, DisqualifyPlayer, EndEvent, ExtendEvent,
        GetEventById, GetLeaderboard, GetRounds, GetStandings, ListEvents, ListSignupsForEvent, PauseEvent,
        ReinstatePlayer, ReplayMatch, ResumeEvent, SetResult, StartEvent, StartRound, UpdateEvent, VerifyEvent,
        WithdrawPlayer,
    },
    game::{GetGame, GetGamesByEvent, GetGamesByUser, GetReplay},
    logger::{ClearLogs, GetLogStats, GetLogs},
    moderation::{
        CloseReport, DeleteUser, LiftSuspension, ListReports, ListSuspended, RemovePicture, RenameUser, SuspendUser,
    },
    quick_match::QuickMatchQueue,
    webhook::{ListDeliveries, ListWebhooks, ResendDelivery, TestWebhook},
};

macro_rules! calls {
    ($($name:ident),* $(,)?) => {
        /// A call.
        #[derive(Debug, Clone, PartialEq)]
        pub enum Call { $($name($name)),* }

        /// The reply to a call.
        #[derive(Debug, Clone, PartialEq)]
        pub enum Reply { $($name(<$name as Action>::Answer)),* }

        $(impl From<$name> for Call {
            fn from(payload: $name) -> Self {
                Self::$name(payload)
            }
        })*

        impl Call {
            /// Whether it changes anything.
            pub fn is_write(&self) -> bool {
                let kind = match self { $(Self::$name(_) => <$name as Action>::KIND),* };
                kind == Kind::Write
            }
        }
    };
}

/// Passes the names of all calls to a macro.
macro_rules! for_each_call {
    ($macro:ident) => {
        $macro! {
            AdjudicateGame, CancelEvent, CheckInPlayer, ClearLogs, CloseReport, Cluster, CreateBackup, CreateEvent, CreatePlayer, DeleteEvent, DeleteUser, DisqualifyPlayer, EndEvent,
            ExtendEvent, GetEventById, GetGame, GetGamesByEvent, GetGamesByUser, GetLeaderboard, GetLogStats, GetLogs, GetReplay,
            GetRounds, GetStandings, GrantPro, History, LiftSuspension, ListAudit, ListBackups, ListBillingEvents, ListDeliveries, ListEvents,
            ListLiveGames, ListReports, ListSessions, ListSignupsForEvent, ListSubscriptions, ListSuspended, ListUsers, ListWebhooks, Overview,
            PauseEvent, QuickMatchQueue, ReinstatePlayer, RemovePicture, RenameUser, ReplayMatch, ResendDelivery, ResumeEvent, RevokePro,
            RevokeSessionAction, SetAdmin, SetResult, StartEvent, StartRound, SuspendUser, TestWebhook, UpdateEvent, VerifyBackup, VerifyEvent, WithdrawPlayer,
        }
    };
}
pub(crate) use for_each_call;

for_each_call!(calls);

impl Call {
    /// The same call with the reason that the operator gave for it.
    pub fn with_reason(self, reason: &str) -> Self {
        let reason = reason.trim().to_owned();
        match self {
            Self::AdjudicateGame(call) => AdjudicateGame { reason, ..call }.into(),
            Self::GrantPro(call) => GrantPro { reason, ..call }.into(),
            Self::RevokePro(call) => RevokePro { reason, ..call }.into(),
            Self::SuspendUser(call) => SuspendUser { reason, ..call }.into(),
            Self::RenameUser(call) => RenameUser { reason, ..call }.into(),
            Self::RemovePicture(call) => RemovePicture { reason, ..call }.into(),
            Self::DeleteUser(call) => DeleteUser { reason, ..call }.into(),
            Self::SetResult(call) => SetResult { reason, ..call }.into(),
            Self::WithdrawPlayer(call) => WithdrawPlayer { reason, ..call }.into(),
            Self::ReplayMatch(call) => ReplayMatch { reason, ..call }.into(),
            Self::DisqualifyPlayer(call) => DisqualifyPlayer { reason, ..call }.into(),
            Self::ReinstatePlayer(call) => ReinstatePlayer { reason, ..call }.into(),
            call => call,
        }
    }
}
