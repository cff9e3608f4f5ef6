//! `counted:[user, what]`: written with each of what an account has only so many of, so that two at the same moment are counted
//! one after the other.

use surrealdb::types::{RecordId, Uuid as DbUuid, array};
use uuid::Uuid;

use crate::user::records_of;

#[derive(Debug, Clone, Copy)]
pub(crate) enum Counted {
    Sessions,
    PersonalTokens,
    PushBrowsers,
}

impl Counted {
    pub(crate) fn of(self, user_id: Uuid) -> RecordId {
        let what = match self {
            Self::Sessions => "sessions",
            Self::PersonalTokens => "personal tokens",
            Self::PushBrowsers => "push browsers",
        };
        RecordId::new("counted", array![DbUuid::from(user_id), what.to_owned()])
    }

    /// All of an account, as a range.
    pub(crate) fn all_of(user_id: Uuid) -> RecordId {
        records_of("counted", user_id)
    }
}
