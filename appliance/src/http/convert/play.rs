//! Games for the wire; lists and states as frames show them.

use morpion_openapi::{
    Timestamp, game as wire,
    quick_match::{BoardWish, QueuedPlayer as QueuedPlayerWire, QuickMatchClock},
};
use morpion_rules::{Game, Status, UserId, clock::TimeControl, game::Player};

use crate::{
    people::{People, PublicProfile, Width},
    play::{
        Meta,
        view::GameView,
        wire::{
            decision, event_id, game_move, game_type, live_board, rating, rating_changes, reason, shown, state_for,
            summary as listed, symbol,
        },
    },
    quick_match::QueuedPlayer,
};

/// The game in a list, as this viewer sees it.
pub fn summary(people: &People, view: &GameView, viewer: Option<UserId>) -> wire::Game {
    wire::Game { watchers: view.watchers, ..listed(people, &view.game, &view.meta, viewer) }
}

/// A game to watch with its board, as this viewer sees it.
pub fn live_game(people: &People, view: &GameView, viewer: Option<UserId>) -> wire::LiveGame {
    let board = live_board(&view.game, view.watchers.unwrap_or_default());
    wire::LiveGame { game: summary(people, view, viewer), board }
}

/// The state of the game, as this viewer sees it.
pub fn state(people: &People, view: &GameView, viewer: Option<UserId>) -> wire::GameState {
    let mut state = state_for(people, &view.game, &view.meta, viewer, view.at);
    state.rating_changes = view.rating_changes.as_ref().map(|changes| rating_changes(people, changes));
    state
}

/// Somebody who looks for an opponent.
pub fn queued_player(people: &People, queued: &QueuedPlayer) -> QueuedPlayerWire {
    let named = Player { user: queued.user, username: queued.username.clone() };
    let PublicProfile { username, display_name, profile_url, is_bot } = shown(people, &named, Width::Row);
    QueuedPlayerWire {
        user_id: queued.user.0,
        username,
        display_name,
        profile_url,
        is_bot,
        board_size: queued.wish.size.map_or(BoardWish::Any, |size| BoardWish::Size(size.get())),
        clock: match queued.wish.control {
            TimeControl::Increment => QuickMatchClock::Increment,
            TimeControl::PerTurn | TimeControl::Untimed => QuickMatchClock::Turn15,
        },
        rated: queued.wish.rated,
        rating: queued.rating,
        window: queued.window,
        waited_ms: queued.waited_ms,
        away: queued.is_away,
    }
}

pub fn status(status: wire::GameStatus) -> Status {
    match status {
        wire::GameStatus::Waiting => Status::Waiting,
        wire::GameStatus::Active => Status::Active,
        wire::GameStatus::Completed => Status::Completed,
        wire::GameStatus::Cancelled => Status::Cancelled,
    }
}

/// A finished game from the first move to the last.
pub fn replay(people: &People, GameView { game, meta, .. }: &GameView) -> wire::Replay {
    wire::Replay {
        game_id: game.id().0,
        players: game
            .players()
            .map(|(mark, player)| {
                let PublicProfile { username, display_name, profile_url, is_bot } = shown(people, player, Width::Seat);
                wire::ReplayPlayer {
                    user_id: player.user.0,
                    username,
                    display_name,
                    profile_url,
                    is_bot,
                    symbol: symbol(mark),
                    rating: rating(people, player.user),
                }
            })
            .collect(),
        rounds: rounds(game, meta),
        winner: game.winner().map(symbol),
        is_draw: game.is_draw(),
        reason: game.outcome().and_then(|outcome| outcome.reason).map(reason),
        decision: decision(game),
        game_type: game_type(game),
        event_id: event_id(game),
        created_at: Timestamp::from_millis(meta.date(game.created_at()).0),
        ended_at: game.outcome().map(|outcome| Timestamp::from_millis(meta.date(outcome.at).0)),
    }
}

fn rounds(game: &Game, meta: &Meta) -> Vec<wire::ReplayRound> {
    let mut rounds: Vec<wire::ReplayRound> = Vec::new();
    for ply in game.history() {
        if rounds.len() < ply.round.into() {
            rounds.push(wire::ReplayRound {
                board_size: game.board().size().get(),
                starter: symbol(ply.mark),
                moves: Vec::new(),
            });
        }
        if let Some(round) = rounds.last_mut() {
            round.moves.push(game_move(ply, meta));
        }
    }
    // A round that another one follows filled its board, which may have been a smaller one.
    if let Some((_, drawn)) = rounds.split_last_mut() {
        for round in drawn {
            round.board_size = round.moves.len().isqrt() as u8;
        }
    }
    rounds
}
