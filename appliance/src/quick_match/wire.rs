//! The frames of quick match.

use morpion_openapi::{
    quick_match::QuickMatchClock,
    realtime::{Opponent, PlayerFound, QuickMatchEnded, QuickMatchFound, QuickMatchStatus, ServerFrame},
};
use morpion_rules::{
    clock::TimeControl,
    game::{LEVEL_OUTSIDE_EVENTS, QuickSetup},
};

use crate::{
    account::played_from::Shared,
    connections::frame::encode,
    people::{People, PublicProfile, Width},
    play::{
        notifications::{Notification, Recipient},
        wire::rating,
    },
};

/// Delay before a client opens the game.
const FOUND_REDIRECT_MS: u32 = 500;

pub fn status(waiting: usize, playing: usize, waited_ms: i64, window: u32) -> ServerFrame {
    let count = |number| u32::try_from(number).unwrap_or(u32::MAX);
    ServerFrame::QuickMatchStatus(QuickMatchStatus {
        waiting: count(waiting),
        playing: count(playing),
        waited_ms,
        window,
    })
}

pub fn ended(message: &str) -> ServerFrame {
    ServerFrame::QuickMatchEnded(QuickMatchEnded { message: message.to_owned() })
}

/// The time control of players who were paired, whose games are never untimed.
pub fn clock_of(control: TimeControl) -> QuickMatchClock {
    match control {
        TimeControl::Increment => QuickMatchClock::Increment,
        TimeControl::PerTurn | TimeControl::Untimed => QuickMatchClock::Turn15,
    }
}

/// The time control of this name.
pub fn control_of(clock: QuickMatchClock) -> TimeControl {
    match clock {
        QuickMatchClock::Turn15 => TimeControl::PerTurn,
        QuickMatchClock::Increment => TimeControl::Increment,
    }
}

/// What both players of a game are told; `shared` is why they do not get the rated game that they looked for.
pub fn found(people: &People, setup: &QuickSetup, shared: Option<Shared>) -> Vec<Notification> {
    let quick_match = QuickMatchFound {
        board_size: setup.size.get(),
        clock: clock_of(setup.control),
        rated: setup.rated,
        casual_because: shared.map(|shared| shared.text("casual")),
    };
    let to = |me: usize| {
        let opponent = &setup.players[1 - me];
        let PublicProfile { username, display_name, profile_url, is_bot } =
            people.shown(opponent.user, &opponent.username, Width::Seat);
        let frame = ServerFrame::PlayerFound(PlayerFound {
            event_id: None,
            game_id: setup.id.0,
            opponent: Opponent {
                user_id: opponent.user.0,
                username,
                display_name,
                profile_url,
                is_bot,
                level: LEVEL_OUTSIDE_EVENTS,
                rating: rating(people, opponent.user),
            },
            quick_match: Some(quick_match.clone()),
            unrated_because: None,
            redirect_in_ms: FOUND_REDIRECT_MS,
        });
        Notification { recipient: Recipient::Player(setup.players[me].user), frame: encode(&frame.to_text()) }
    };
    vec![to(0), to(1)]
}
