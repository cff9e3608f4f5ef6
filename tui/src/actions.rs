//! What an operator can do, as values: chosen in a menu, by a key or in the palette.

use morpion_openapi::{
    event::{CancelEvent, DeleteEvent, EndEvent, EventState, StartEvent, UpdateEvent},
    logger::{LogFilter, LogLevel},
    moderation::ReportOutcome,
};
use uuid::Uuid;

use crate::{calls::Call, log::filter::Window};

/// Something that can be chosen in a menu, by a key or in the palette.
#[derive(Debug, Clone, PartialEq)]
pub enum Action {
    NewEvent,
    EditEvent,
    Transition(EventTransition),
    Direct(DirectorAct),
    Verify(Uuid),
    Watch(Uuid),
    Replay(Uuid),
    Adjudicate {
        game_id: Uuid,
        winner: Option<(Uuid, String)>,
    },
    /// By id, a prefix of one, or username.
    OpenUser(String),
    RevokeSession {
        user: Uuid,
        session_id: String,
        device: String,
    },
    SetAdmin {
        user: Uuid,
        name: String,
        is_admin: bool,
    },
    GrantPro {
        user: Uuid,
        name: String,
    },
    /// Asks for whom first.
    GrantProToSomebody,
    RevokePro {
        user: Uuid,
        name: String,
    },
    Moderate(Moderation, Subject),
    /// With the name of the person whom it is about.
    CloseReport(Uuid, ReportOutcome, String),
    CreateBackup,
    /// By its id.
    VerifyBackup(String),
    /// By the ids of a webhook and of a message.
    ResendDelivery(Uuid, Uuid),
    TestWebhook(Uuid),
    /// Everything of one request, user, session or game in the log.
    OpenLogScope {
        title: String,
        filter: Box<LogFilter>,
    },
    Copy(String),
    SaveLogs,
    ClearLogs,
    SetLogLevel(LogLevel),
    SetLogService(Option<String>),
    SetLogWindow(Window),
    AskLogWindow,
}

impl Action {
    /// Whether it changes anything on the server.
    pub fn is_write(&self) -> bool {
        matches!(
            self,
            Self::NewEvent
                | Self::EditEvent
                | Self::Transition(_)
                | Self::Direct(_)
                | Self::Adjudicate { .. }
                | Self::RevokeSession { .. }
                | Self::SetAdmin { .. }
                | Self::GrantPro { .. }
                | Self::GrantProToSomebody
                | Self::RevokePro { .. }
                | Self::Moderate(..)
                | Self::CloseReport(..)
                | Self::CreateBackup
                | Self::VerifyBackup(_)
                | Self::ResendDelivery(..)
                | Self::TestWebhook(_)
                | Self::ClearLogs
        )
    }
}

/// What is done against misuse.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moderation {
    Suspend,
    Lift,
    Rename,
    RemovePicture,
    Delete,
}

/// Whom it is done to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subject {
    pub user_id: Uuid,
    pub username: String,
    /// As the console names them.
    pub name: String,
}

/// A step in the life of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EventTransition {
    Publish,
    Start,
    End,
    Cancel,
    Delete,
}

impl EventTransition {
    pub const ALL: [Self; 5] = [Self::Publish, Self::Start, Self::End, Self::Cancel, Self::Delete];

    pub fn verb(self) -> &'static str {
        match self {
            Self::Publish => "publish",
            Self::Start => "start",
            Self::End => "end",
            Self::Cancel => "cancel",
            Self::Delete => "delete",
        }
    }

    /// What it means for the players.
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Publish => "Players see it and can register.",
            Self::Start => "Registration closes, and players are matched.",
            Self::End => "No more games are paired. Games under way have 60 seconds; then the winners are recorded.",
            Self::Cancel => "Games under way become void. Cancelling an event cannot be undone.",
            Self::Delete => "The draft is deleted. This cannot be undone.",
        }
    }

    /// What has become of the event then.
    pub fn past(self) -> &'static str {
        match self {
            Self::Publish => "published",
            Self::Start => "live",
            Self::End => "ended",
            Self::Cancel => "cancelled",
            Self::Delete => "deleted",
        }
    }

    /// Whether it is possible for an event in this state. Whether this event is ready for it is the server's to say.
    pub fn suits(self, state: EventState) -> bool {
        matches!(
            (self, state),
            (Self::Publish | Self::Delete, EventState::Drafted)
                | (Self::Start, EventState::Published)
                | (Self::End, EventState::Started)
                | (Self::Cancel, EventState::Published | EventState::Started)
        )
    }

    pub fn call(self, event_id: Uuid) -> Call {
        match self {
            Self::Publish => {
                UpdateEvent { event_state: Some(EventState::Published), ..UpdateEvent::of(event_id) }.into()
            }
            Self::Start => StartEvent { event_id }.into(),
            Self::End => EndEvent { event_id }.into(),
            Self::Cancel => CancelEvent { event_id }.into(),
            Self::Delete => DeleteEvent { event_id }.into(),
        }
    }
}

/// What a director does in an event that goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DirectorAct {
    /// Of a match of the event that is looked at; both are counted from 1.
    SetResult {
        round: u32,
        board: u32,
    },
    /// Of a match of the last round.
    ReplayMatch {
        round: u32,
        board: u32,
    },
    /// A round that waits.
    StartRound(u32),
    /// A player of the event that is looked at.
    Withdraw(Uuid),
    Disqualify(Uuid),
    Reinstate(Uuid),
    /// Somebody who is signed up; `false` takes it back.
    CheckIn(Uuid, bool),
    Pause,
    Resume,
    /// Moves the end.
    Extend,
}
