//! Events, sign-ups and players for the wire.

use morpion_openapi::{Timestamp, event as wire};
use morpion_rules::{
    BoardSize, Millis, UserId,
    clock::TimeControl,
    event::{
        DEFAULT_MAX_LOSSES, Details, EventState, EventType,
        entry::{Condition, Conditions, Judged},
    },
    standings::Standing,
    tournament::Format,
};
use morpion_store::{self as store, CorrectionKind, CountsRow};

use super::stages;
pub use crate::events::wire::player;
use crate::{
    account::{administration::audit_name, readable_code::in_groups},
    api_error::{ApiError, ErrorKind},
    caller::Caller,
    clock::utc,
    events::{
        convert::{count, stored_type},
        corrections::StandingChange,
        error::EventError,
        invitations::{InvitationView, OwnInvitationView},
        lifecycle::{ConditionsChange, EventChange, StagesChange},
        views::{CorrectionView, EventView, Hosting, HostingRefusal, PlayerCheck, RoomView, SignupView, Verification},
        wire::winner,
    },
    people::PublicProfile,
    quick_match::{clock_of, control_of},
};

/// Characters of a search that are looked at.
const MAX_TEXT: usize = 100;

/// The join code is for the host and admins. Lists of names are not in lists of events.
pub fn event(view: EventView, caller: &Caller) -> wire::Event {
    let EventView { row, event, winners, games_in_play, is_paused, checked_in, host, decided_by } = view;
    let knows_code = caller.is_admin() || caller.user_id().is_some_and(|user| row.host == Some(user.0));
    let stages = event.details().stages;
    let format = stages.map(|stages| stages.format);
    let conditions = &event.details().conditions;
    wire::Event {
        id: row.id,
        event_id: row.id,
        title: row.title,
        description: row.description,
        prize: row.prize,
        event_type: match row.event_type {
            store::EventType::Open => wire::EventType::Open,
            store::EventType::Closed => wire::EventType::Closed,
        },
        event_state: crate::events::wire::state(event.state()),
        start_time: row.start_time.map(Into::into),
        end_time: row.end_time.map(Into::into),
        max_losses: count(row.max_losses),
        rated_on_one_network: row.vouch.is_some(),
        clock: clock_of(event.details().clock),
        created_at: row.created_at.into(),
        updated_at: row.updated_at.into(),
        winners: row.winners.iter().zip(winners).map(|(row, shown)| winner(row, shown)).collect(),
        signup_count: row.signup_count.max(0).unsigned_abs(),
        concluded: event.is_concluded(),
        started_at: event.started_at().map(|at| utc(at).into()),
        ended_at: event.ended_at().map(|at| utc(at).into()),
        games_in_play: u32::try_from(games_in_play).unwrap_or(u32::MAX),
        decided_by: decided_by.map(Into::into),
        participant_count: count(row.participant_count),
        announcements: row
            .announcements
            .into_iter()
            .map(|announcement| wire::Announcement { message: announcement.message, at: announcement.at.into() })
            .collect(),
        format: stages::format(format),
        rounds: match format {
            Some(Format::Swiss { rounds }) => Some(rounds).filter(|rounds| *rounds > 0),
            _ => None,
        },
        board_size: match stages {
            Some(stages) => wire::EventBoard::Size(stages.board.get().into()),
            None => wire::EventBoard::Level(wire::ByLevel::ByLevel),
        },
        match_games: stages.map(|stages| stages.match_games.into()),
        third_place: match format {
            Some(Format::Knockout { third_place }) => Some(third_place),
            _ => None,
        },
        double_rounds: match format {
            Some(Format::RoundRobin { double }) => Some(double),
            _ => None,
        },
        paused: is_paused.then_some(true),
        max_players: event.details().max_players,
        min_rating: conditions.min_rating,
        max_rating: conditions.max_rating,
        min_games: conditions.min_games,
        account_age_days: conditions.account_age_days,
        check_in_minutes: event.details().check_in_minutes,
        round_times: row.round_times.map(|times| times.into_iter().map(Into::into).collect()),
        checked_in_count: checked_in.and_then(|count| u32::try_from(count).ok()),
        is_listed_only: conditions.allow_list.is_some().then_some(true),
        bots_allowed: conditions.bots_allowed.then_some(true),
        allow_list: None,
        is_private: row.host.is_some(),
        join_code: row.join_code.filter(|_| knows_code).map(|code| in_groups(&code).to_uppercase()),
        series_id: row.series_id,
        calendar_token: None,
        host: row.host.zip(host).map(|(user_id, shown)| wire::EventHost {
            user_id,
            username: shown.username,
            display_name: shown.display_name,
            is_bot: shown.is_bot,
        }),
    }
}

pub fn signup(view: SignupView) -> wire::Signup {
    let SignupView {
        id,
        event_id,
        standing,
        is_eliminated,
        has_joined,
        has_checked_in,
        presence,
        created_at,
        shown,
        email,
    } = view;
    let PublicProfile { username, display_name, profile_url, is_bot } = shown;
    let Standing { user, level, wins, losses, removed, .. } = standing;
    wire::Signup {
        id,
        signup_id: id,
        user_id: user.0,
        event_id: event_id.0,
        username,
        display_name,
        profile_url,
        is_bot,
        email,
        created_at: created_at.into(),
        checked_in: has_checked_in,
        presence,
        status: match has_joined {
            _ if removed => wire::SignupStatus::Removed,
            _ if is_eliminated => wire::SignupStatus::Eliminated,
            true => wire::SignupStatus::Active,
            false => wire::SignupStatus::Registered,
        },
        level,
        wins,
        losses,
    }
}

pub fn invitation(view: InvitationView) -> wire::EventInvitation {
    let PublicProfile { username, display_name, profile_url, is_bot } = view.shown;
    wire::EventInvitation {
        user_id: view.user.0,
        username,
        display_name,
        profile_url,
        is_bot,
        state: if view.has_declined { wire::InvitationState::Declined } else { wire::InvitationState::Invited },
        at: view.at.into(),
    }
}

pub fn own_invitation(view: OwnInvitationView) -> wire::OwnInvitation {
    let PublicProfile { username, display_name, is_bot, .. } = view.host_shown;
    wire::OwnInvitation {
        event_id: view.event.0,
        title: view.title,
        start_time: view.starts_at.map(Into::into),
        end_time: view.ends_at.map(Into::into),
        event_state: if view.has_started { wire::EventState::Started } else { wire::EventState::Published },
        host: wire::EventHost { user_id: view.host.0, username, display_name, is_bot },
        at: view.at.into(),
    }
}

pub fn player_check(check: PlayerCheck) -> wire::CheckPlayerAnswer {
    wire::CheckPlayerAnswer {
        is_eliminated: check.player.as_ref().is_some_and(|player| player.is_eliminated),
        player: check.player.map(player),
        taken_out: check.taken_out.map(str::to_owned),
    }
}

pub fn hosting(hosting: Hosting) -> wire::HostingAnswer {
    wire::HostingAnswer {
        refusal: hosting.refusal.map(|refusal| match refusal {
            HostingRefusal::Off => wire::HostingRefusal::Off,
            HostingRefusal::Guest => wire::HostingRefusal::Guest,
            HostingRefusal::EmailNotVerified => wire::HostingRefusal::EmailNotVerified,
        }),
        open: hosting.open as u32,
        limit: hosting.limit as u32,
        max_players: hosting.max_players,
        ahead_days: hosting.ahead_days,
        length_minutes: u32::try_from(hosting.length / 60_000).unwrap_or(u32::MAX),
    }
}

pub fn room(room: RoomView) -> wire::JoinEventRoomAnswer {
    wire::JoinEventRoomAnswer {
        player: player(room.player),
        queue_size: room.queue_size as u32,
        still_there: room.absence.is_some().then_some(true),
        absence: room.absence,
    }
}

pub fn verification(found: Verification) -> wire::VerifyEventAnswer {
    wire::VerifyEventAnswer {
        agrees: found.differences.is_empty(),
        games: found.games as u64,
        players: found.players as u64,
        differences: found.differences,
        corrections: found.corrections.into_iter().map(correction).collect(),
        acts: found.acts.into_iter().map(|act| stages::act(act, &found.entrants)).collect(),
        vouched: found
            .vouch
            .map(|(vouch, by)| wire::Vouch { at: vouch.at.into(), by: by.as_ref().map_or(vouch.actor, audit_name) }),
    }
}

fn correction(CorrectionView { row, at, by, shown }: CorrectionView) -> wire::Correction {
    let PublicProfile { username, display_name, profile_url, is_bot } = shown;
    let counts = |counts: CountsRow| wire::Counts {
        level: count(counts.level),
        wins: count(counts.wins),
        losses: count(counts.losses),
    };
    wire::Correction {
        at: at.into(),
        by: by.as_ref().map_or(row.actor, audit_name),
        user_id: row.user_id,
        username,
        display_name,
        profile_url,
        is_bot,
        what: match row.kind {
            Some(CorrectionKind::Standing) | None => wire::CorrectionKind::Standing,
            Some(CorrectionKind::Result) => wire::CorrectionKind::Result,
            Some(CorrectionKind::Removal) => wire::CorrectionKind::Removal,
            Some(CorrectionKind::CheckIn) => wire::CorrectionKind::CheckIn,
            Some(CorrectionKind::CheckInUndone) => wire::CorrectionKind::CheckInUndone,
        },
        before: row.before.map(counts),
        after: row.after.map(counts),
        reason: row.reason,
    }
}

/// The states and the filter that a list asks for.
pub fn filter(asked: wire::EventFilter) -> (Option<Vec<EventState>>, store::EventFilter) {
    let states = asked.event_state.map(|states| states.as_slice().iter().copied().map(state).collect());
    let text = asked.text.as_deref().map(str::trim).filter(|text| !text.is_empty());
    let filter = store::EventFilter {
        event_type: asked.event_type.map(|kind| stored_type(event_type(kind))),
        text: text.map(|text| text.chars().take(MAX_TEXT).collect()),
        with_private: true,
    };
    (states, filter)
}

/// How somebody stands to the conditions of entry.
pub fn entry(judged: Vec<Judged>) -> wire::EntryAnswer {
    let conditions = judged.into_iter().map(|judged| {
        let (condition, wanted) = match judged.condition {
            Condition::MinRating(wanted) => (wire::EntryCondition::MinRating, Some(wanted)),
            Condition::MaxRating(wanted) => (wire::EntryCondition::MaxRating, Some(wanted)),
            Condition::MinGames(wanted) => (wire::EntryCondition::MinGames, Some(wanted)),
            Condition::AccountAge(wanted) => (wire::EntryCondition::AccountAge, Some(wanted)),
            Condition::AllowList => (wire::EntryCondition::AllowList, None),
            Condition::People => (wire::EntryCondition::People, None),
        };
        let refusal = (!judged.is_met).then(|| judged.text());
        wire::EntryRequirement { condition, wanted, own: judged.own, is_met: judged.is_met, refusal }
    });
    wire::EntryAnswer { conditions: conditions.collect() }
}

/// What a draft is made from, with the accounts on its list.
///
/// # Errors
/// No board has that size, or none follows from the level in this format.
pub fn draft(request: wire::CreateEvent, allow_list: Option<Vec<UserId>>) -> Result<Details, ApiError> {
    let stages = StagesChange {
        format: request.format.map(stages::named_format),
        rounds: request.rounds,
        board: request.board_size.map_or(Ok(None), board)?,
        is_board_by_level: is_by_level(request.board_size),
        match_games: request.match_games.map(match_games),
        third_place: request.third_place,
        double_rounds: request.double_rounds,
    };
    Ok(Details {
        title: request.title,
        description: request.description.unwrap_or_default(),
        prize: request.prize,
        event_type: request.event_type.map_or(EventType::Open, event_type),
        start_time: request.start_time.map(millis),
        end_time: request.end_time.map(millis),
        max_losses: request.max_losses.unwrap_or(DEFAULT_MAX_LOSSES),
        rated_on_one_network: request.rated_on_one_network.unwrap_or_default(),
        clock: request.clock.map_or(TimeControl::PerTurn, control_of),
        stages: stages.applied_to(None).map_err(EventError::from)?,
        max_players: request.max_players,
        conditions: Conditions {
            min_rating: asked(request.min_rating),
            max_rating: asked(request.max_rating),
            min_games: asked(request.min_games),
            account_age_days: asked(request.account_age_days),
            allow_list,
            bots_allowed: request.bots_allowed.unwrap_or_default(),
        },
        check_in_minutes: asked(request.check_in_minutes),
        round_times: request.round_times.unwrap_or_default().into_iter().map(millis).collect(),
    })
}

/// What is asked of those who enter: 0 asks for nothing.
fn asked(figure: Option<u32>) -> Option<u32> {
    figure.filter(|figure| *figure > 0)
}

/// What is changed of an event, with the accounts on its list.
///
/// # Errors
/// No board has that size.
pub fn change(request: wire::UpdateEvent, allow_list: Option<Vec<UserId>>) -> Result<EventChange, ApiError> {
    let condition = |figure: Option<u32>| figure.map(|figure| asked(Some(figure)));
    Ok(EventChange {
        title: request.title,
        description: request.description,
        prize: request.prize,
        event_type: request.event_type.map(event_type),
        start_time: request.start_time.map(millis),
        end_time: request.end_time.map(millis),
        max_losses: request.max_losses,
        rated_on_one_network: request.rated_on_one_network,
        clock: request.clock.map(control_of),
        stages: StagesChange {
            format: request.format.map(stages::named_format),
            rounds: request.rounds,
            board: request.board_size.map_or(Ok(None), board)?,
            is_board_by_level: is_by_level(request.board_size),
            match_games: request.match_games.map(match_games),
            third_place: request.third_place,
            double_rounds: request.double_rounds,
        },
        max_players: request.max_players.map(|most| Some(most).filter(|most| *most > 0)),
        conditions: ConditionsChange {
            min_rating: condition(request.min_rating),
            max_rating: condition(request.max_rating),
            min_games: condition(request.min_games),
            account_age_days: condition(request.account_age_days),
            allow_list: allow_list.map(Some),
            bots_allowed: request.bots_allowed,
        },
        check_in_minutes: condition(request.check_in_minutes),
        round_times: request.round_times.map(|times| times.into_iter().map(millis).collect()),
        state: request.event_state.map(state),
    })
}

/// `None` where it follows from the level.
fn board(board: wire::EventBoard) -> Result<Option<BoardSize>, ApiError> {
    const TEXT: &str = "The board has 3 to 6 rows.";
    let wire::EventBoard::Size(side) = board else { return Ok(None) };
    let known = u8::try_from(side).ok().and_then(BoardSize::new);
    match known {
        Some(size) => Ok(Some(size)),
        None => Err(ApiError::new(ErrorKind::Invalid, "board-size", TEXT).and_field("boardSize", TEXT)),
    }
}

fn is_by_level(board: Option<wire::EventBoard>) -> bool {
    matches!(board, Some(wire::EventBoard::Level(_)))
}

/// More than there are stays more than there are.
fn match_games(games: u32) -> u8 {
    u8::try_from(games).unwrap_or(u8::MAX)
}

pub fn standing_change(updates: &wire::PlayerUpdates) -> StandingChange {
    let wire::PlayerUpdates { level, wins, losses, is_eliminated } = *updates;
    StandingChange { level, wins, losses, is_eliminated }
}

fn event_type(event_type: wire::EventType) -> EventType {
    match event_type {
        wire::EventType::Open => EventType::Open,
        wire::EventType::Closed => EventType::Closed,
    }
}

fn state(state: wire::EventState) -> EventState {
    match state {
        wire::EventState::Drafted => EventState::Drafted,
        wire::EventState::Published => EventState::Published,
        wire::EventState::Started => EventState::Started,
        wire::EventState::Ended => EventState::Ended,
        wire::EventState::Cancelled => EventState::Cancelled,
    }
}

fn millis(timestamp: Timestamp) -> Millis {
    Millis(timestamp.as_millis())
}
