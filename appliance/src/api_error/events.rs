//! Errors of events.

use morpion_rules::{event::EventRefusal, standings::StandingsRefusal};

use super::{ApiError, ErrorKind};
use crate::events::error::EventError;

impl From<EventError> for ApiError {
    fn from(error: EventError) -> Self {
        let text = error.to_string();
        let (kind, code) = match error {
            EventError::Common(error) => return error.into(),
            EventError::Play(error) => return error.into(),
            EventError::Refused(refusal) => return refused(refusal),
            EventError::Entry(judged) => (ErrorKind::Forbidden, judged.code()),
            EventError::Standings(refusal) => (standings_kind(refusal), refusal.code()),
            EventError::UnlistedTransition => (ErrorKind::Conflict, "unlisted-transition"),
            EventError::GamesInPlay => (ErrorKind::Conflict, "games-in-play"),
            EventError::Over => (ErrorKind::Conflict, "event-over"),
            EventError::Full => (ErrorKind::Conflict, "event-full"),
            EventError::TooManySignups => (ErrorKind::Conflict, "too-many-players"),
            EventError::Guest => (ErrorKind::Forbidden, "guest"),
            EventError::EmailNotVerified => (ErrorKind::Forbidden, "email-not-verified"),
            EventError::Suspended => (ErrorKind::Conflict, "suspended"),
            EventError::PlanLimit => {
                return Self { requires_upgrade: true, ..Self::new(ErrorKind::PlanRequired, "plan-limit", text) };
            }
            EventError::NoElimination => (ErrorKind::Conflict, "no-elimination"),
            EventError::NoQueue => (ErrorKind::Conflict, "no-queue"),
            EventError::NoRounds => (ErrorKind::Conflict, "no-rounds"),
            EventError::NoRoundYet => (ErrorKind::Conflict, "no-round-yet"),
            EventError::Director(refusal) => (ErrorKind::Conflict, refusal.code()),
            EventError::TooManyRooms => (ErrorKind::Conflict, "too-many-rooms"),
            EventError::Engaged => (ErrorKind::Conflict, "engaged"),
            EventError::HostingOff => (ErrorKind::Forbidden, "hosting-off"),
            EventError::EmailNotVerifiedToHost => (ErrorKind::Forbidden, "email-not-verified"),
            EventError::TooManyHosted => (ErrorKind::Conflict, "too-many-hosted"),
            EventError::PrivateEventsFull => (ErrorKind::Conflict, "private-events-full"),
            EventError::TooManySeries => (ErrorKind::Conflict, "too-many-series"),
            EventError::SeriesEnded => (ErrorKind::Conflict, "series-ended"),
            EventError::SeriesHasEvents => (ErrorKind::Conflict, "series-has-events"),
            EventError::InviteLater => (ErrorKind::Conflict, "invite-later"),
            EventError::TooManyInvitations => (ErrorKind::Conflict, "too-many-invitations"),
            EventError::JoinCode => (ErrorKind::NotFound, "join-code"),
        };
        Self::new(kind, code, text)
    }
}

fn refused(refusal: EventRefusal) -> ApiError {
    match field(refusal) {
        Some(field) => {
            ApiError::new(ErrorKind::Invalid, refusal.code(), refusal.text()).and_field(field, refusal.text())
        }
        None => ApiError::conflict(refusal.code(), refusal.text()),
    }
}

/// The payload's field that a refusal refers to.
fn field(refusal: EventRefusal) -> Option<&'static str> {
    match refusal {
        EventRefusal::TitleRequired
        | EventRefusal::TitleTooLong
        | EventRefusal::TitleInvisible
        | EventRefusal::TitleRequiredToPublish => Some("title"),
        EventRefusal::DescriptionTooLong => Some("description"),
        EventRefusal::MessageRequired | EventRefusal::MessageTooLong | EventRefusal::MessageInvisible => {
            Some("message")
        }
        EventRefusal::PrizeTooLong | EventRefusal::PrizeInvisible => Some("prize"),
        EventRefusal::StartRequiredToPublish | EventRefusal::StartTooFar => Some("startTime"),
        EventRefusal::EndRequiredToPublish
        | EventRefusal::EndNotAfterStart
        | EventRefusal::EndInThePast
        | EventRefusal::EndTooFar
        | EventRefusal::EndBeforeRounds => Some("endTime"),
        EventRefusal::Clock => Some("clock"),
        EventRefusal::BoardByLevel => Some("boardSize"),
        EventRefusal::MatchGames => Some("matchGames"),
        EventRefusal::Rounds => Some("rounds"),
        EventRefusal::MaxPlayers => Some("maxPlayers"),
        EventRefusal::MinRating => Some("minRating"),
        EventRefusal::MaxRating | EventRefusal::RatingRange => Some("maxRating"),
        EventRefusal::MinGames => Some("minGames"),
        EventRefusal::AccountAge => Some("accountAgeDays"),
        EventRefusal::AllowList => Some("allowList"),
        EventRefusal::CheckInMinutes => Some("checkInMinutes"),
        EventRefusal::RoundTimesCount
        | EventRefusal::RoundTimesOrder
        | EventRefusal::RoundTimesStart
        | EventRefusal::RoundTimesEnd => Some("roundTimes"),
        _ => None,
    }
}

fn standings_kind(refusal: StandingsRefusal) -> ErrorKind {
    match refusal {
        StandingsRefusal::NotSignedUp(_) => ErrorKind::NotFound,
        StandingsRefusal::SamePlayer(_) | StandingsRefusal::HasPlayed(_) => ErrorKind::Conflict,
    }
}
