//! What frames tell of events.

use morpion_openapi::event as wire;
use morpion_rules::event::EventState;
use morpion_store::WinnerRow;

use super::{convert::count, views::PlayerView};
use crate::people::PublicProfile;

pub fn state(state: EventState) -> wire::EventState {
    match state {
        EventState::Drafted => wire::EventState::Drafted,
        EventState::Published => wire::EventState::Published,
        EventState::Started => wire::EventState::Started,
        EventState::Ended => wire::EventState::Ended,
        EventState::Cancelled => wire::EventState::Cancelled,
    }
}

/// A winner by their current name.
pub fn winner(row: &WinnerRow, shown: PublicProfile) -> wire::Winner {
    let PublicProfile { username, display_name, profile_url, is_bot } = shown;
    wire::Winner {
        user_id: row.user_id,
        username,
        display_name,
        profile_url,
        is_bot,
        level: count(row.level),
        wins: count(row.wins),
    }
}

pub fn player(player: PlayerView) -> wire::Player {
    let PlayerView { event_id, standing, is_eliminated, rank, shown, email } = player;
    let PublicProfile { username, display_name, profile_url, is_bot } = shown;
    wire::Player {
        user_id: standing.user.0,
        username,
        display_name,
        profile_url,
        is_bot,
        event_id: event_id.0,
        level: standing.level,
        wins: standing.wins,
        losses: standing.losses,
        is_eliminated,
        is_removed: standing.removed.then_some(true),
        rank: u32::try_from(rank).ok(),
        email,
    }
}
