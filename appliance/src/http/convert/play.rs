//! Games for the wire; lists and states as frames show them.

use morpion_openapi::{
    Timestamp, game as wire,
    quick_match::{BoardWish, QueuedPlayer as QueuedPlayerWire},
};
use morpion_rules::{
    BoardSize, Game, Mark, Status, UserId,
    game::{Player, Ply},
    notation::{Notation, Tag},
};

use crate::{
    clock::utc,
    people::{People, PublicProfile, Width},
    play::{
        Meta,
        view::GameView,
        wire::{
            clock, decision, event_id, game_move, game_type, live_board, rated, rating, rating_changes, reason, shown,
            state_for, summary as listed, symbol,
        },
    },
    quick_match::{QueuedPlayer, clock_of},
};

/// What is not known, as PGN writes it.
const UNKNOWN: &str = "?";

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
        clock: clock_of(queued.wish.control),
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
        clock: clock(game),
        rated: rated(game),
        event_id: event_id(game),
        created_at: Timestamp::from_millis(meta.date(game.created_at()).0),
        ended_at: game.outcome().map(|outcome| Timestamp::from_millis(meta.date(outcome.at).0)),
    }
}

/// What the text of a game says of where it was played.
#[derive(Debug, Clone, Copy)]
pub struct Heading<'a> {
    /// Where the server is.
    pub site: &'a str,
    /// The title of the event; `None` outside events, and where the reader may not know it.
    pub event: Option<&'a str>,
    /// The stage round and the board there, from 1.
    pub round: Option<(u32, u32)>,
}

/// A game as text with tags; times are in UTC.
pub fn notation(people: &People, GameView { game, meta, rating_changes, .. }: &GameView, heading: Heading) -> Notation {
    let at = utc(meta.date(game.started_at().unwrap_or(game.created_at())));
    let outside = match game_type(game) {
        wire::GameType::Invite => "Invite game",
        wire::GameType::Quick => "Quick match",
        wire::GameType::Event => UNKNOWN,
    };
    let mut tags = vec![
        Tag::new("Event", heading.event.unwrap_or(outside)),
        Tag::new("Site", heading.site),
        Tag::new("Date", &at.format("%Y.%m.%d").to_string()),
        Tag::new("Time", &at.format("%H:%M:%S").to_string()),
    ];
    if let Some((round, board)) = heading.round {
        tags.push(Tag::new("Round", &format!("{round}.{board}")));
    }
    for mark in Mark::BOTH {
        let name = game.player(mark).map(|player| shown(people, player, Width::Row).username);
        tags.push(Tag::new(mark.as_str(), name.as_deref().unwrap_or(UNKNOWN)));
    }
    for change in rating_changes.iter().flat_map(|changes| changes.iter()) {
        // Of a deleted account nothing but the game is left.
        let is_shown = people.rating(change.user).is_some();
        if let Some(mark) = game.mark_of(change.user).filter(|_| is_shown) {
            tags.push(Tag::new(&format!("{mark}Rating"), &change.before.shown().to_string()));
        }
    }
    if let Some(rated) = rated(game) {
        tags.push(Tag::new("Rated", if rated { "yes" } else { "no" }));
    }
    tags.push(Tag::new("GameId", &game.id().to_string()));
    Notation::of(game, tags)
}

fn rounds(game: &Game, meta: &Meta) -> Vec<wire::ReplayRound> {
    let round = |(size, plies): (BoardSize, &[Ply])| wire::ReplayRound {
        board_size: size.get(),
        starter: symbol(plies[0].mark),
        moves: plies.iter().map(|ply| game_move(ply, meta)).collect(),
    };
    game.rounds().map(round).collect()
}
