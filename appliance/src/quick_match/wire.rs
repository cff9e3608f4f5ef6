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
    connections::frame::encode,
    people::{People, PublicProfile, Width},
    play::notifications::{Notification, Recipient},
};

/// Delay before a client opens the game.
const FOUND_REDIRECT_MS: u32 = 500;

const ONE_NETWORK: &str = "You and your opponent share a network address, so this game is casual.";

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

/// What both players of a game are told; `wished_rated` is whether they looked for a rated one.
pub fn found(people: &People, setup: &QuickSetup, wished_rated: bool) -> Vec<Notification> {
    let clock = match setup.control {
        TimeControl::Increment => QuickMatchClock::Increment,
        TimeControl::PerTurn | TimeControl::Untimed => QuickMatchClock::Turn15,
    };
    let quick_match = QuickMatchFound {
        board_size: setup.size.get(),
        clock,
        rated: setup.rated,
        casual_because: (wished_rated && !setup.rated).then(|| ONE_NETWORK.to_owned()),
    };
    let to = |me: usize| {
        let opponent = &setup.players[1 - me];
        let PublicProfile { username, display_name, profile_url } =
            people.shown(opponent.user, &opponent.username, Width::Seat);
        let frame = ServerFrame::PlayerFound(PlayerFound {
            event_id: None,
            game_id: setup.id.0,
            opponent: Opponent {
                user_id: opponent.user.0,
                username,
                display_name,
                profile_url,
                level: LEVEL_OUTSIDE_EVENTS,
            },
            quick_match: Some(quick_match.clone()),
            redirect_in_ms: FOUND_REDIRECT_MS,
        });
        Notification { recipient: Recipient::Player(setup.players[me].user), frame: encode(&frame.to_text()) }
    };
    vec![to(0), to(1)]
}
