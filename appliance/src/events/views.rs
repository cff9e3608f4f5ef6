//! Events, sign-ups and players as callers may see them.

use chrono::{DateTime, Utc};
use morpion_openapi::realtime::{Presence, StillThere};
use morpion_rules::{EventId, UserId, event::Event, standings::Standing};
use morpion_store::{CorrectionRow, EventRow, SignupRow, User, VouchRow};
use uuid::Uuid;

use super::{
    convert,
    stage_views::{ActView, EntrantsView},
    state::{Participant, State},
};
use crate::people::{People, PublicProfile, Width};

/// An event, and what its row does not tell.
#[derive(Debug, Clone)]
pub struct EventView {
    pub row: EventRow,
    /// The event in the row.
    pub event: Event,
    /// The row's winners, by their names of today.
    pub winners: Vec<PublicProfile>,
    /// Games that are not over.
    pub games_in_play: usize,
    /// No further stage round begins.
    pub is_paused: bool,
    /// How many have checked in; `None` without a check-in, and of one that is over.
    pub checked_in: Option<usize>,
    /// Whose private event it is.
    pub host: Option<PublicProfile>,
    /// When the last games of an ended event are decided, in calendar time.
    pub decided_by: Option<DateTime<Utc>>,
}

/// Whether somebody may host private events.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hosting {
    pub refusal: Option<HostingRefusal>,
    /// Events that they host and that are not over.
    pub open: usize,
    pub limit: usize,
    pub max_players: u32,
    /// Days until the start, at most.
    pub ahead_days: u32,
    /// Milliseconds from start to end, at most.
    pub length: i64,
}

/// Why somebody may not host an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HostingRefusal {
    Off,
    Guest,
    EmailNotVerified,
}

/// A player of an event.
#[derive(Debug, Clone)]
pub struct PlayerView {
    pub event_id: EventId,
    pub standing: Standing,
    pub is_eliminated: bool,
    /// From 1, in the order of the leaderboard.
    pub rank: usize,
    pub shown: PublicProfile,
    /// For admins only.
    pub email: Option<String>,
}

/// A sign-up.
#[derive(Debug, Clone)]
pub struct SignupView {
    pub id: Uuid,
    pub event_id: EventId,
    pub standing: Standing,
    pub is_eliminated: bool,
    pub has_joined: bool,
    /// Of an event with a check-in.
    pub has_checked_in: Option<bool>,
    /// In lists, for those who direct the event.
    pub presence: Option<Presence>,
    pub created_at: DateTime<Utc>,
    pub shown: PublicProfile,
    /// For admins only.
    pub email: Option<String>,
}

/// An event that a player took part in.
#[derive(Debug, Clone)]
pub struct PlaceView {
    pub row: EventRow,
    pub standing: Standing,
    /// From 1, in the order of the leaderboard; `None` for a player without a game.
    pub place: Option<usize>,
    /// Players of the event.
    pub players: usize,
}

/// A player, for themselves.
#[derive(Debug, Clone)]
pub struct PlayerCheck {
    /// `None` for users who are not in the event.
    pub player: Option<PlayerView>,
    /// Why they were removed from the event room, until they return.
    pub taken_out: Option<&'static str>,
}

/// The event room, for a player who enters it.
#[derive(Debug, Clone)]
pub struct RoomView {
    pub player: PlayerView,
    pub queue_size: usize,
    /// The loss after which the player still has to confirm that they are there.
    pub absence: Option<StillThere>,
}

/// What a recomputation of an event found.
#[derive(Debug, Clone)]
pub struct Verification {
    pub games: usize,
    pub players: usize,
    /// What differs, in words.
    pub differences: Vec<String>,
    /// Oldest first.
    pub corrections: Vec<CorrectionView>,
    /// What directors did with matches and players, oldest first.
    pub acts: Vec<ActView>,
    /// Whom these name.
    pub entrants: EntrantsView,
    /// The word that players on one network are different people, and the account that gave it.
    pub vouch: Option<(VouchRow, Option<User>)>,
}

/// A correction of a standing.
#[derive(Debug, Clone)]
pub struct CorrectionView {
    pub row: CorrectionRow,
    /// In calendar time.
    pub at: DateTime<Utc>,
    /// The account that made it; `None` for an operator token.
    pub by: Option<User>,
    /// The player.
    pub shown: PublicProfile,
}

impl PlayerView {
    /// A player of an event in memory; `None` for a user who is not signed up.
    pub(super) fn of(state: &State, event: EventId, user: UserId) -> Option<Self> {
        let rank = state.standings.rank_of(user)?;
        Some(Self::ranked(state, state.standing(user)?, state.participants.get(&user)?, event, rank))
    }

    pub(super) fn ranked(
        state: &State,
        standing: &Standing,
        participant: &Participant,
        event_id: EventId,
        rank: usize,
    ) -> Self {
        Self {
            event_id,
            standing: *standing,
            is_eliminated: standing.is_eliminated(state.standings.max_losses()),
            rank,
            shown: state.shown(standing.user, participant, Width::Row),
            email: None,
        }
    }
}

impl SignupView {
    /// A sign-up to an event in memory.
    pub(super) fn of(state: &State, event_id: EventId, user: UserId) -> Option<Self> {
        let standing = *state.standing(user)?;
        let participant = state.participants.get(&user)?;
        Some(Self {
            id: participant.signup_id,
            event_id,
            standing,
            is_eliminated: standing.is_eliminated(state.standings.max_losses()),
            has_joined: participant.joined_at.is_some(),
            has_checked_in: state.event.details().check_in_minutes.map(|_| state.has_checked_in(participant)),
            presence: None,
            created_at: participant.created_at,
            shown: state.shown(user, participant, Width::Row),
            email: None,
        })
    }

    /// A sign-up as it is stored; `max_losses` is its event's.
    pub(super) fn stored(row: &SignupRow, max_losses: u32, people: &People) -> Self {
        let standing = convert::standing(row);
        Self {
            id: row.id,
            event_id: EventId(row.event_id),
            standing,
            is_eliminated: standing.is_eliminated(max_losses),
            has_joined: row.joined_at.is_some(),
            has_checked_in: None,
            presence: None,
            created_at: row.created_at,
            shown: people.shown(standing.user, &row.username, Width::Row),
            email: None,
        }
    }
}
