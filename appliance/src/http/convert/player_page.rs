//! Player pages for the wire, and their filters from it.

use morpion_openapi::{
    game::{EndReason, GameType, TimeControl},
    player_page as wire,
};
use morpion_rules::UserId;
use morpion_store::{
    Counts, PlayedFilter, PlayedKind, PlayedResult, PlayedRow, ProfileVisibility, RatedGameRow, TallyRow, User,
    VersusRow,
};
use uuid::Uuid;

use crate::{
    account::player_page::visibility_of,
    events::views::PlaceView,
    people::{People, PublicProfile, Width, rating_of},
};

pub fn visibility(user: &User) -> wire::ProfileVisibility {
    match visibility_of(user) {
        ProfileVisibility::Public => wire::ProfileVisibility::Public,
        ProfileVisibility::Members => wire::ProfileVisibility::Members,
        ProfileVisibility::Nobody => wire::ProfileVisibility::Nobody,
    }
}

pub fn stored_visibility(visibility: wire::ProfileVisibility) -> ProfileVisibility {
    match visibility {
        wire::ProfileVisibility::Public => ProfileVisibility::Public,
        wire::ProfileVisibility::Members => ProfileVisibility::Members,
        wire::ProfileVisibility::Nobody => ProfileVisibility::Nobody,
    }
}

/// A player without results: what everybody signed in sees of everybody.
pub fn named(user: &User) -> wire::PlayerProfile {
    let PublicProfile { username, display_name, profile_url, is_bot } = PublicProfile::of(user, Width::Profile);
    wire::PlayerProfile {
        user_id: user.id,
        username,
        display_name,
        profile_url,
        is_bot,
        blocked_by_me: None,
        visibility: None,
        hidden: None,
        member_since: None,
        rating: None,
        rating_curve: vec![],
        results: vec![],
        events: vec![],
    }
}

/// Results by board, of games of all kinds; the smallest board first.
pub fn results_by_board(tallies: &[TallyRow]) -> Vec<wire::BoardResults> {
    let of_board = |board_size: u8| {
        let mut sum = Counts::default();
        for tally in tallies.iter().filter(|tally| tally.board_size == board_size) {
            sum.wins += tally.counts.wins;
            sum.losses += tally.counts.losses;
            sum.draws += tally.counts.draws;
        }
        let wire::Results { wins, losses, draws } = results(sum);
        wire::BoardResults { board_size, wins, losses, draws }
    };
    (3..=6).map(of_board).filter(|board| board.wins + board.losses + board.draws > 0).collect()
}

pub fn results(counts: Counts) -> wire::Results {
    let count = |number: i64| number.max(0).unsigned_abs();
    wire::Results { wins: count(counts.wins), losses: count(counts.losses), draws: count(counts.draws) }
}

pub fn place(place: PlaceView) -> wire::EventPlace {
    let PlaceView { row, standing, place, players } = place;
    wire::EventPlace {
        event_id: row.id,
        event_state: match row.state {
            morpion_store::EventState::Drafted => morpion_openapi::event::EventState::Drafted,
            morpion_store::EventState::Published => morpion_openapi::event::EventState::Published,
            morpion_store::EventState::Started => morpion_openapi::event::EventState::Started,
            morpion_store::EventState::Ended => morpion_openapi::event::EventState::Ended,
            morpion_store::EventState::Cancelled => morpion_openapi::event::EventState::Cancelled,
        },
        title: row.title,
        place: place.and_then(|place| u32::try_from(place).ok()),
        players: u32::try_from(players).unwrap_or(u32::MAX),
        level: standing.level,
        wins: standing.wins,
        losses: standing.losses,
        at: row.started_at.or(row.start_time).map(Into::into),
    }
}

/// A game in a history; the opponent has to be loaded.
pub fn played(people: &People, row: &PlayedRow) -> wire::PlayedGame {
    let PublicProfile { username, display_name, profile_url, is_bot } =
        people.shown(UserId(row.opponent), morpion_store::DELETED_NAME, Width::Row);
    let word = |text: &str| serde_json::Value::from(text);
    wire::PlayedGame {
        game_id: row.game_id,
        opponent: wire::PlayedAgainst { user_id: row.opponent, username, display_name, profile_url, is_bot },
        result: match row.result {
            PlayedResult::Won => wire::PlayedResult::Won,
            PlayedResult::Lost => wire::PlayedResult::Lost,
            PlayedResult::Drawn => wire::PlayedResult::Drawn,
        },
        game_type: match row.kind {
            PlayedKind::Event | PlayedKind::UnratedEvent => GameType::Event,
            PlayedKind::Rated | PlayedKind::Casual => GameType::Quick,
            PlayedKind::Invite => GameType::Invite,
        },
        rated: PlayedKind::RATED.contains(&row.kind),
        event_id: row.event_id,
        board_size: row.board_size,
        clock: serde_json::from_value(word(&row.clock)).unwrap_or(TimeControl::Untimed),
        reason: row.reason.as_deref().and_then(|text| serde_json::from_value::<EndReason>(word(text)).ok()),
        move_count: row.moves,
        ended_at: row.at.into(),
    }
}

/// The rating after each of these games, the newest of which comes first.
pub fn curve(receipts: &[RatedGameRow], user: Uuid) -> Vec<wire::RatingPoint> {
    let point = |receipt: &RatedGameRow| wire::RatingPoint {
        at: receipt.at.into(),
        value: rating_of(receipt.after(user)).shown(),
    };
    receipts.iter().rev().map(point).collect()
}

/// Somebody whom the caller played; the ratings have to be loaded.
pub fn opponent(people: &People, user: &User, versus: &VersusRow) -> wire::PlayedOpponent {
    let PublicProfile { username, display_name, profile_url, is_bot } = PublicProfile::of(user, Width::Row);
    wire::PlayedOpponent {
        user_id: user.id,
        username,
        display_name,
        profile_url,
        is_bot,
        is_temp_user: user.is_temp,
        rating: crate::play::wire::rating(people, user.id.into()),
        results: results(versus.counts),
        last_played_at: versus.last_at.into(),
    }
}

/// The games that a filter asks for, among these kinds.
pub fn filter(filter: Option<wire::HistoryFilter>, mut kinds: Vec<PlayedKind>) -> PlayedFilter {
    let Some(wire::HistoryFilter { game_type, result, board_size, rated, opponent_id }) = filter else {
        return PlayedFilter::of(&kinds);
    };
    kinds.retain(|kind| match game_type {
        None => true,
        Some(GameType::Event) => matches!(kind, PlayedKind::Event | PlayedKind::UnratedEvent),
        Some(GameType::Quick) => matches!(kind, PlayedKind::Rated | PlayedKind::Casual),
        Some(GameType::Invite) => *kind == PlayedKind::Invite,
    });
    kinds.retain(|kind| rated.is_none_or(|rated| rated == PlayedKind::RATED.contains(kind)));
    PlayedFilter {
        kinds,
        result: result.map(|result| match result {
            wire::PlayedResult::Won => PlayedResult::Won,
            wire::PlayedResult::Lost => PlayedResult::Lost,
            wire::PlayedResult::Drawn => PlayedResult::Drawn,
        }),
        board_size,
        opponent: opponent_id,
    }
}
