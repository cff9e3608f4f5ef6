//! What can go wrong in events.

use morpion_rules::{
    event::{EventRefusal, entry::Judged},
    standings::StandingsRefusal,
};
use morpion_store::StoreError;

use super::stage::StageRefusal;
use crate::{error::CommonError, play::error::PlayError};

/// Why a call of events failed. The texts are for users.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EventError {
    /// The rules refuse it.
    #[error(transparent)]
    Refused(#[from] EventRefusal),
    /// Somebody does not meet this condition of entry.
    #[error("{}", .0.text())]
    Entry(Judged),
    /// The rules refuse a change of the standings.
    #[error(transparent)]
    Standings(#[from] StandingsRefusal),
    #[error("Only a draft can be published this way; an event is started, ended or cancelled by those actions.")]
    UnlistedTransition,
    #[error("The last games are still being decided.")]
    GamesInPlay,
    #[error("This event is over.")]
    Over,
    #[error("This event is full.")]
    Full,
    #[error("More players have signed up than can take part.")]
    TooManySignups,
    #[error("Guests cannot take part in events. Please register first.")]
    Guest,
    #[error("Please verify your email before you take part in events.")]
    EmailNotVerified,
    #[error("This account is suspended.")]
    Suspended,
    /// `docs/behaviour/events.md#free-plan`.
    #[error("You've hit the free plan limit!")]
    PlanLimit,
    #[error("Nobody is eliminated in this event.")]
    NoElimination,
    #[error("Rounds are paired for you in this event. Your game opens by itself.")]
    NoQueue,
    #[error("This event has no stage rounds.")]
    NoRounds,
    #[error("No round of this event is paired yet.")]
    NoRoundYet,
    /// The tournament refuses a director's act.
    #[error(transparent)]
    Director(StageRefusal),
    #[error("This connection has too many event rooms open.")]
    TooManyRooms,
    #[error("You are playing or looking for an opponent elsewhere.")]
    Engaged,
    #[error("Members do not host events here. Ask the operator of this server.")]
    HostingOff,
    #[error("Please verify your email before you host an event.")]
    EmailNotVerifiedToHost,
    #[error("Two of your events are open already. End or cancel one first.")]
    TooManyHosted,
    /// No more private events may be open, of whomever.
    #[error(
        "This server has as many private events open as it takes. Publish yours when others are over, or ask the operator."
    )]
    PrivateEventsFull,
    /// Also of an event that is unknown, not published or over: nobody finds out which.
    #[error("No event has this join code. Ask its host for the current one.")]
    JoinCode,
    #[error("Publish the event first, then invite people.")]
    InviteLater,
    #[error("This event has as many invitations as there may be. Whoever has its link or code can enter, too.")]
    TooManyInvitations,
    #[error("As many series as this server takes make events. End one first.")]
    TooManySeries,
    #[error("This series has ended; make a new one.")]
    SeriesEnded,
    #[error("This series has made events, so it stays. You can end it.")]
    SeriesHasEvents,
    #[error(transparent)]
    Play(#[from] PlayError),
    #[error(transparent)]
    Common(#[from] CommonError),
}

impl From<StoreError> for EventError {
    fn from(error: StoreError) -> Self {
        CommonError::from(error).into()
    }
}
