//! Events between store and rules.

use chrono::{DateTime, Utc};
use morpion_rules::{
    BoardSize, EventId, Millis, UserId,
    clock::TimeControl,
    event::{Details, Event, EventState, EventType, Phase, Stages, entry::Conditions},
    standings::{Correction, Standing},
    tournament::Format,
};
use morpion_store::{
    self as store, ConditionsRow, CorrectionKind, CorrectionRow, EventRow, SignupRow, StageFormat, StagesRow,
};

use crate::clock::{millis, utc};

pub fn stored_state(state: EventState) -> store::EventState {
    match state {
        EventState::Drafted => store::EventState::Drafted,
        EventState::Published => store::EventState::Published,
        EventState::Started => store::EventState::Started,
        EventState::Ended => store::EventState::Ended,
        EventState::Cancelled => store::EventState::Cancelled,
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
        clock: None,
        stages: None,
        max_players: None,
        conditions: None,
        check_in_minutes: None,
        round_times: None,
        check_ins_from: None,
        host: None,
        join_code: None,
        series_id: None,
        vouch: None,
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
        invitations: None,
        version: 1,
        position: 0,
    }
}

/// Writes the event into its row.
pub fn fill(row: &mut EventRow, event: &Event, now: Millis) {
    // Its receipt says who vouched: `Events::change`.
    let Details {
        title,
        description,
        prize,
        event_type,
        start_time,
        end_time,
        max_losses,
        rated_on_one_network: _,
        clock,
        stages,
        max_players,
        conditions,
        check_in_minutes,
        round_times,
    } = event.details();
    row.title.clone_from(title);
    row.description.clone_from(description);
    row.prize.clone_from(prize);
    row.event_type = stored_type(*event_type);
    row.start_time = start_time.map(utc);
    row.end_time = end_time.map(utc);
    row.max_losses = i64::from(*max_losses);
    row.clock = (*clock != TimeControl::PerTurn).then(|| clock.as_str().to_owned());
    row.stages = stages.map(stored_stages);
    row.max_players = max_players.map(i64::from);
    row.conditions = (*conditions != Conditions::default()).then(|| stored_conditions(conditions));
    row.check_in_minutes = check_in_minutes.map(i64::from);
    row.round_times = (!round_times.is_empty()).then(|| round_times.iter().copied().map(utc).collect());
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
        rated_on_one_network: row.vouch.is_some(),
        clock: row.clock.as_deref().map_or(TimeControl::PerTurn, clock),
        stages: row.stages.map(stages),
        max_players: row.max_players.map(count),
        conditions: row.conditions.as_ref().map(conditions).unwrap_or_default(),
        check_in_minutes: row.check_in_minutes.map(count),
        round_times: row.round_times.iter().flatten().copied().map(millis).collect(),
    };
    Event::restore(details, phase, row.started_at.map(millis))
}

/// Untimed is no clock of an event, whatever is stored.
fn clock(name: &str) -> TimeControl {
    TimeControl::parse(name).filter(|control| *control != TimeControl::Untimed).unwrap_or(TimeControl::PerTurn)
}

fn stored_conditions(conditions: &Conditions) -> ConditionsRow {
    let Conditions { min_rating, max_rating, min_games, account_age_days, allow_list, bots_allowed } = conditions;
    let stored = |number: &Option<u32>| number.map(i64::from);
    ConditionsRow {
        min_rating: stored(min_rating),
        max_rating: stored(max_rating),
        min_games: stored(min_games),
        account_age_days: stored(account_age_days),
        allow_list: allow_list.as_ref().map(|list| list.iter().map(|user| user.0).collect()),
        bots_allowed: bots_allowed.then_some(true),
    }
}

fn conditions(row: &ConditionsRow) -> Conditions {
    let ConditionsRow { min_rating, max_rating, min_games, account_age_days, allow_list, bots_allowed } = row;
    Conditions {
        min_rating: min_rating.map(count),
        max_rating: max_rating.map(count),
        min_games: min_games.map(count),
        account_age_days: account_age_days.map(count),
        allow_list: allow_list.as_ref().map(|list| list.iter().copied().map(UserId).collect()),
        bots_allowed: *bots_allowed == Some(true),
    }
}

fn stored_stages(Stages { format, match_games, board }: Stages) -> StagesRow {
    let (format, rounds, third_place, double_rounds) = match format {
        Format::Knockout { third_place } => (StageFormat::Knockout, 0, third_place, false),
        Format::Swiss { rounds } => (StageFormat::Swiss, rounds, false, false),
        Format::RoundRobin { double } => (StageFormat::RoundRobin, 0, false, double),
    };
    StagesRow {
        format,
        rounds: i64::from(rounds),
        third_place,
        double_rounds,
        match_games: i64::from(match_games),
        board_size: i64::from(board.get()),
    }
}

fn stages(row: StagesRow) -> Stages {
    Stages {
        format: match row.format {
            StageFormat::Knockout => Format::Knockout { third_place: row.third_place },
            StageFormat::Swiss => Format::Swiss { rounds: count(row.rounds) },
            StageFormat::RoundRobin => Format::RoundRobin { double: row.double_rounds },
        },
        match_games: u8::try_from(row.match_games).unwrap_or(1),
        board: u8::try_from(row.board_size).ok().and_then(BoardSize::new).unwrap_or(BoardSize::MIN),
    }
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
            rated_on_one_network: false,
            clock: TimeControl::Increment,
            stages: Some(Stages { format: Format::Swiss { rounds: 5 }, match_games: 2, board: BoardSize::MAX }),
            max_players: Some(40),
            conditions: Conditions {
                min_rating: Some(1_200),
                max_rating: Some(1_800),
                min_games: Some(5),
                account_age_days: Some(30),
                allow_list: Some(vec![UserId(Uuid::from_u128(7)), UserId(Uuid::from_u128(8))]),
                bots_allowed: true,
            },
            check_in_minutes: Some(30),
            round_times: vec![Millis(2_000), Millis(3_000)],
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

    #[test]
    fn an_event_without_a_stored_clock_has_15_s_a_turn() {
        let mut row = empty_row(EventId(Uuid::from_u128(1)), utc(Millis(500)));
        row.title = "Cup".to_owned();
        for (stored, control) in [
            (None, TimeControl::PerTurn),
            (Some("turn15"), TimeControl::PerTurn),
            (Some("1+2"), TimeControl::Increment),
            (Some("none"), TimeControl::PerTurn),
            (Some("soon"), TimeControl::PerTurn),
        ] {
            row.clock = stored.map(str::to_owned);
            let event = event(&row);
            assert_eq!(event.details().clock, control, "{stored:?}");
            fill(&mut row, &event, Millis(700));
            assert_eq!(row.clock.as_deref(), (control == TimeControl::Increment).then_some("1+2"));
        }
    }
}
