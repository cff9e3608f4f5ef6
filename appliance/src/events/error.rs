//! What the rules of events refuse, as errors of the API.

use morpion_rules::{event::EventRefusal, standings::StandingsRefusal};

use crate::error::{ApiError, ErrorKind};

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
        EventRefusal::StartRequiredToPublish => Some("startTime"),
        EventRefusal::EndRequiredToPublish | EventRefusal::EndNotAfterStart | EventRefusal::EndInThePast => {
            Some("endTime")
        }
        _ => None,
    }
}

impl From<EventRefusal> for ApiError {
    fn from(refusal: EventRefusal) -> Self {
        match field(refusal) {
            Some(field) => {
                ApiError::new(ErrorKind::Invalid, refusal.code(), refusal.text()).and_field(field, refusal.text())
            }
            None => ApiError::conflict(refusal.code(), refusal.text()),
        }
    }
}

impl From<StandingsRefusal> for ApiError {
    fn from(refusal: StandingsRefusal) -> Self {
        let status = match refusal {
            StandingsRefusal::NotSignedUp(_) => ErrorKind::NotFound,
            StandingsRefusal::SamePlayer(_) | StandingsRefusal::HasPlayed(_) => ErrorKind::Conflict,
        };
        ApiError::new(status, refusal.code(), refusal.text())
    }
}
