//! Events between store, rules and wire.

use chrono::{DateTime, TimeDelta, Utc};
use morpion_openapi::{Timestamp, event as wire};
use morpion_rules::{
    EventId, Millis, UserId,
    event::{Details, Event, EventState, EventType, Phase},
    standings::{Correction, Standing},
};
use morpion_store::{self as store, CorrectionKind, CorrectionRow, CountsRow, EventRow, SignupRow};

use super::state::{Participant, State};
use crate::{
    clock::{millis, utc},
    people::{People, PublicProfile, Width},
};

pub fn stored_state(state: EventState) -> store::EventState {
    match state {
        EventState::Drafted => store::EventState::Drafted,
        EventState::Published => store::EventState::Published,
        EventState::Started => store::EventState::Started,
        EventState::Ended => store::EventState::Ended,
        EventState::Cancelled => store::EventState::Cancelled,
    }
}

pub fn wire_state(state: EventState) -> wire::EventState {
    match state {
        EventState::Drafted => wire::EventState::Drafted,
        EventState::Published => wire::EventState::Published,
        EventState::Started => wire::EventState::Started,
        EventState::Ended => wire::EventState::Ended,
        EventState::Cancelled => wire::EventState::Cancelled,
    }
}

pub fn store_state_from_wire(state: wire::EventState) -> store::EventState {
    match state {
        wire::EventState::Drafted => store::EventState::Drafted,
        wire::EventState::Published => store::EventState::Published,
        wire::EventState::Started => store::EventState::Started,
        wire::EventState::Ended => store::EventState::Ended,
        wire::EventState::Cancelled => store::EventState::Cancelled,
    }
}

pub fn type_from_wire(event_type: wire::EventType) -> EventType {
    match event_type {
        wire::EventType::Open => EventType::Open,
        wire::EventType::Closed => EventType::Closed,
    }
}

pub fn stored_type(event_type: EventType) -> store::EventType {
    match event_type {
        EventType::Open => store::EventType::Open,
        EventType::Closed => store::EventType::Closed,
    }
}

/// A row without an event in it.
pub fn empty_row(id: EventId, created_at: DateTime<Utc>) -> EventRow {
    EventRow {
        id: id.0,
        title: String::new(),
        description: String::new(),
        prize: None,
        event_type: store::EventType::Open,
        state: store::EventState::Drafted,
        start_time: None,
        end_time: None,
        max_losses: 0,
        started_at: None,
        since: None,
        until: None,
        concluded: false,
        created_at,
        updated_at: created_at,
        winners: vec![],
        signup_count: 0,
        participant_count: 0,
        announcements: vec![],
        version: 1,
        position: 0,
    }
}

/// Writes the event into its row.
pub fn fill(row: &mut EventRow, event: &Event, now: Millis) {
    let Details { title, description, prize, event_type, start_time, end_time, max_losses } = event.details();
    row.title.clone_from(title);
    row.description.clone_from(description);
    row.prize.clone_from(prize);
    row.event_type = stored_type(*event_type);
    row.start_time = start_time.map(utc);
    row.end_time = end_time.map(utc);
    row.max_losses = i64::from(*max_losses);
    row.state = stored_state(event.state());
    let (since, until, concluded) = match event.phase() {
        Phase::Drafted | Phase::Published => (None, None, false),
        Phase::Started { at, ends_at } => (Some(at), Some(ends_at), false),
        Phase::Ended { at, decide_at, concluded } => (Some(at), Some(decide_at), concluded),
        Phase::Cancelled { at } | Phase::Reopened { at } => (Some(at), None, false),
    };
    row.started_at = event.started_at().map(utc);
    row.since = since.map(utc);
    row.until = until.map(utc);
    row.concluded = concluded;
    // Upcoming events first; past ones newest first.
    row.position = match event.phase() {
        Phase::Drafted => -row.created_at.timestamp_millis(),
        Phase::Published | Phase::Started { .. } => start_time.unwrap_or_default().0,
        Phase::Ended { at, .. } | Phase::Reopened { at } | Phase::Cancelled { at } => -at.0,
    };
    row.updated_at = utc(now);
}

/// The event in a row.
pub fn event(row: &EventRow) -> Event {
    let since = row.since.map(millis).unwrap_or_default();
    let until = row.until.map_or(since, millis);
    let phase = match row.state {
        store::EventState::Drafted => Phase::Drafted,
        store::EventState::Published => Phase::Published,
        store::EventState::Started => Phase::Started { at: since, ends_at: until },
        store::EventState::Ended if !row.concluded && row.until.is_none() => Phase::Reopened { at: since },
        store::EventState::Ended => Phase::Ended { at: since, decide_at: until, concluded: row.concluded },
        store::EventState::Cancelled => Phase::Cancelled { at: since },
    };
    let details = Details {
        title: row.title.clone(),
        description: row.description.clone(),
        prize: row.prize.clone(),
        event_type: match row.event_type {
            store::EventType::Open => EventType::Open,
            store::EventType::Closed => EventType::Closed,
        },
        start_time: row.start_time.map(millis),
        end_time: row.end_time.map(millis),
        max_losses: count(row.max_losses),
    };
    Event::restore(details, phase, row.started_at.map(millis))
}

pub fn count(number: i64) -> u32 {
    u32::try_from(number.max(0)).unwrap_or(u32::MAX)
}

pub fn standing(row: &SignupRow) -> Standing {
    Standing {
        user: UserId(row.user_id),
        level: count(row.level),
        wins: count(row.wins),
        losses: count(row.losses),
        starts: count(row.starts),
        joined_at: millis(row.created_at),
        reached_at: millis(row.reached_at),
        removed: row.removed_at.is_some(),
    }
}

pub fn correction(row: &CorrectionRow) -> Correction {
    Correction {
        user: UserId(row.user_id),
        added: [row.level, row.wins, row.losses],
        removes: row.kind == Some(CorrectionKind::Removal),
        at: millis(row.at),
    }
}

/// `by` names the author, `shown` the player; `calendar` converts play time to calendar time.
pub fn wire_correction(row: &CorrectionRow, by: String, shown: PublicProfile, calendar: i64) -> wire::Correction {
    let PublicProfile { username, display_name, profile_url } = shown;
    let counts = |counts: CountsRow| wire::Counts {
        level: count(counts.level),
        wins: count(counts.wins),
        losses: count(counts.losses),
    };
    wire::Correction {
        at: (row.at + TimeDelta::milliseconds(calendar)).into(),
        by,
        user_id: row.user_id,
        username,
        display_name,
        profile_url,
        what: match row.kind {
            Some(CorrectionKind::Standing) | None => wire::CorrectionKind::Standing,
            Some(CorrectionKind::Result) => wire::CorrectionKind::Result,
            Some(CorrectionKind::Removal) => wire::CorrectionKind::Removal,
        },
        before: row.before.map(counts),
        after: row.after.map(counts),
        reason: row.reason.clone(),
    }
}

/// `games_in_play` counts the event's games that are not over; `calendar` converts play time to calendar time.
pub fn wire_event(row: &EventRow, games_in_play: usize, calendar: i64, people: &People) -> wire::Event {
    let rules = event(row);
    wire::Event {
        id: row.id,
        event_id: row.id,
        title: row.title.clone(),
        description: row.description.clone(),
        prize: row.prize.clone(),
        event_type: match row.event_type {
            store::EventType::Open => wire::EventType::Open,
            store::EventType::Closed => wire::EventType::Closed,
        },
        event_state: match row.state {
            store::EventState::Drafted => wire::EventState::Drafted,
            store::EventState::Published => wire::EventState::Published,
            store::EventState::Started => wire::EventState::Started,
            store::EventState::Ended => wire::EventState::Ended,
            store::EventState::Cancelled => wire::EventState::Cancelled,
        },
        start_time: row.start_time.map(Into::into),
        end_time: row.end_time.map(Into::into),
        max_losses: count(row.max_losses),
        created_at: row.created_at.into(),
        updated_at: row.updated_at.into(),
        winners: row.winners.iter().map(|winner| wire_winner(winner, people)).collect(),
        signup_count: row.signup_count.max(0).unsigned_abs(),
        concluded: rules.is_concluded(),
        started_at: rules.started_at().map(|at| utc(at).into()),
        ended_at: rules.ended_at().map(|at| utc(at).into()),
        games_in_play: u32::try_from(games_in_play).unwrap_or(u32::MAX),
        decided_by: match rules.phase() {
            Phase::Ended { decide_at, concluded: false, .. } => Some(utc(decide_at + calendar).into()),
            _ => None,
        },
        participant_count: count(row.participant_count),
        announcements: row
            .announcements
            .iter()
            .map(|announcement| wire::Announcement {
                message: announcement.message.clone(),
                at: announcement.at.into(),
            })
            .collect(),
    }
}

/// A winner under their current name, if it is known.
pub fn wire_winner(row: &store::WinnerRow, people: &People) -> wire::Winner {
    let PublicProfile { username, display_name, profile_url } =
        people.shown(UserId(row.user_id), &row.username, Width::Row);
    wire::Winner {
        user_id: row.user_id,
        username,
        display_name,
        profile_url,
        level: count(row.level),
        wins: count(row.wins),
    }
}

/// A player of an event in memory; `None` for a user who is not signed up.
pub fn player(state: &State, event: EventId, user: UserId) -> Option<wire::Player> {
    let rank = state.standings.rank_of(user)?;
    let standing = state.standing(user)?;
    let participant = state.participants.get(&user)?;
    Some(wire_player(state, standing, participant, event, rank))
}

pub fn wire_player(
    state: &State,
    standing: &Standing,
    participant: &Participant,
    event: EventId,
    rank: usize,
) -> wire::Player {
    let PublicProfile { username, display_name, profile_url } = state.shown(standing.user, participant, Width::Row);
    wire::Player {
        user_id: standing.user.0,
        username,
        display_name,
        profile_url,
        event_id: event.0,
        level: standing.level,
        wins: standing.wins,
        losses: standing.losses,
        is_eliminated: standing.is_eliminated(state.standings.max_losses()),
        is_removed: standing.removed.then_some(true),
        rank: u32::try_from(rank).ok(),
        email: None,
    }
}

fn status(standing: &Standing, max_losses: u32, joined: bool) -> wire::SignupStatus {
    match joined {
        _ if standing.removed => wire::SignupStatus::Removed,
        _ if standing.is_eliminated(max_losses) => wire::SignupStatus::Eliminated,
        true => wire::SignupStatus::Active,
        false => wire::SignupStatus::Registered,
    }
}

/// A sign-up to an event in memory.
pub fn signup(state: &State, event: EventId, user: UserId) -> Option<wire::Signup> {
    let standing = state.standing(user)?;
    let participant = state.participants.get(&user)?;
    let PublicProfile { username, display_name, profile_url } = state.shown(user, participant, Width::Row);
    Some(wire::Signup {
        id: participant.signup_id,
        signup_id: participant.signup_id,
        user_id: user.0,
        event_id: event.0,
        username,
        display_name,
        profile_url,
        email: None,
        created_at: participant.created_at.into(),
        status: status(standing, state.standings.max_losses(), participant.joined_at.is_some()),
        level: standing.level,
        wins: standing.wins,
        losses: standing.losses,
    })
}

/// A sign-up as it is stored; `max_losses` is its event's.
pub fn stored_signup(row: &SignupRow, max_losses: u32, people: &People) -> wire::Signup {
    let standing = standing(row);
    let PublicProfile { username, display_name, profile_url } = people.shown(standing.user, &row.username, Width::Row);
    wire::Signup {
        id: row.id,
        signup_id: row.id,
        user_id: row.user_id,
        event_id: row.event_id,
        username,
        display_name,
        profile_url,
        email: None,
        created_at: row.created_at.into(),
        status: status(&standing, max_losses, row.joined_at.is_some()),
        level: standing.level,
        wins: standing.wins,
        losses: standing.losses,
    }
}

pub fn to_millis(timestamp: Timestamp) -> Millis {
    Millis(timestamp.as_millis())
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    #[test]
    fn an_event_comes_back_from_its_row_in_every_phase() {
        let details = Details {
            title: "Cup".to_owned(),
            description: "Text".to_owned(),
            prize: Some("Honour".to_owned()),
            event_type: EventType::Closed,
            start_time: Some(Millis(1_000)),
            end_time: Some(Millis(9_000)),
            max_losses: 2,
        };
        for phase in [
            Phase::Drafted,
            Phase::Published,
            Phase::Started { at: Millis(1_500), ends_at: Millis(9_500) },
            Phase::Ended { at: Millis(9_500), decide_at: Millis(69_500), concluded: false },
            Phase::Ended { at: Millis(9_500), decide_at: Millis(69_500), concluded: true },
            Phase::Cancelled { at: Millis(2_000) },
            Phase::Reopened { at: Millis(9_500) },
        ] {
            let before = Event::restore(details.clone(), phase, Some(Millis(1_500)));
            let mut row = empty_row(EventId(Uuid::from_u128(1)), utc(Millis(500)));
            fill(&mut row, &before, Millis(700));
            assert_eq!(event(&row), before);
            assert_eq!(row.updated_at, utc(Millis(700)));
        }
    }
}
