//! Games as the wire shows them.

use morpion_openapi::{
    Timestamp, game as wire,
    rating::{PlayerRating, RatingChange},
};
use morpion_rules::{
    Board, EndReason, Game, Line, Mark, Millis, Status, UserId,
    clock::TimeControl,
    game::{Player, Ply},
};

use super::{rating::RatingChanges, record::Meta};
use crate::people::{People, PublicProfile, Width};

/// A game outside events has one of its own, see `docs/behaviour/play.md#invite-games`.
pub fn event_id(game: &Game) -> String {
    match game.event_id() {
        Some(event) => event.to_string(),
        None if game.is_quick() => format!("quick-{}", game.id()),
        None => format!("remote-{}", game.id()),
    }
}

pub fn symbol(mark: Mark) -> wire::Symbol {
    match mark {
        Mark::X => wire::Symbol::X,
        Mark::O => wire::Symbol::O,
    }
}

pub fn status(status: Status) -> wire::GameStatus {
    match status {
        Status::Waiting => wire::GameStatus::Waiting,
        Status::Active => wire::GameStatus::Active,
        Status::Completed => wire::GameStatus::Completed,
        Status::Cancelled => wire::GameStatus::Cancelled,
    }
}

pub fn reason(reason: EndReason) -> wire::EndReason {
    match reason {
        EndReason::Line => wire::EndReason::Line,
        EndReason::Forfeit => wire::EndReason::Forfeit,
        EndReason::Timeout => wire::EndReason::Timeout,
        EndReason::NoShow => wire::EndReason::NoShow,
        EndReason::Disconnect => wire::EndReason::Disconnect,
        EndReason::Time => wire::EndReason::Time,
        EndReason::Adjudicated => wire::EndReason::Adjudicated,
        EndReason::Void => wire::EndReason::Void,
        EndReason::Declined => wire::EndReason::Declined,
        EndReason::Removed => wire::EndReason::Removed,
    }
}

pub fn game_type(game: &Game) -> wire::GameType {
    if game.is_event() {
        wire::GameType::Event
    } else if game.is_quick() {
        wire::GameType::Quick
    } else {
        wire::GameType::Invite
    }
}

pub fn clock(game: &Game) -> wire::TimeControl {
    match game.time_control() {
        TimeControl::Untimed => wire::TimeControl::Untimed,
        TimeControl::PerTurn => wire::TimeControl::Turn15,
        TimeControl::Increment => wire::TimeControl::Increment,
    }
}

pub fn rated(game: &Game) -> Option<bool> {
    (!game.is_invite()).then(|| game.is_rated())
}

/// What X and O have left, under a time control with a total.
pub(super) fn times_left(game: &Game, now: Millis) -> Option<[i64; 2]> {
    Some([game.time_left(Mark::X, now)?, game.time_left(Mark::O, now)?])
}

/// What X and O have used in an event game.
pub(super) fn times_used(game: &Game, now: Millis) -> Option<[i64; 2]> {
    game.is_event().then(|| [game.time_used(Mark::X, now), game.time_used(Mark::O, now)])
}

/// The reason that an admin gave for a decision.
pub fn decision(game: &Game) -> Option<String> {
    game.outcome().map(|outcome| outcome.note.clone()).filter(|note| !note.is_empty())
}

pub fn board(board: &Board) -> Vec<Vec<String>> {
    board
        .rows()
        .into_iter()
        .map(|row| row.into_iter().map(|cell| cell.map_or("", Mark::as_str).to_owned()).collect())
        .collect()
}

pub(super) fn line(line: Line) -> Vec<[u8; 2]> {
    line.cells().map(|cell| [cell.row(), cell.col()]).collect()
}

pub fn game_move(ply: &Ply, meta: &Meta) -> wire::GameMove {
    wire::GameMove { row: ply.cell.row(), col: ply.cell.col(), symbol: symbol(ply.mark), at: meta.date(ply.at).0 }
}

pub(super) fn initiator(game: &Game) -> uuid::Uuid {
    game.player(Mark::X).map(|player| player.user.0).unwrap_or_default()
}

/// The player who lost by forfeit, by time or by absence.
pub(super) fn forfeiter(game: &Game) -> Option<UserId> {
    let outcome = game.outcome()?;
    let loser = outcome.winner?.other();
    outcome.reason?.is_forfeit().then(|| game.player(loser).map(|player| player.user))?
}

/// The state as players and those who watch see it.
pub fn state(people: &People, game: &Game, meta: &Meta, now: Millis) -> wire::GameState {
    wire::GameState {
        game_id: game.id().0,
        board: board(game.board()),
        players: game
            .players()
            .map(|(mark, player)| {
                let PublicProfile { username, display_name, profile_url, is_bot } = shown(people, player, Width::Seat);
                wire::GamePlayer {
                    user_id: player.user.0,
                    username,
                    display_name,
                    profile_url,
                    is_bot,
                    symbol: symbol(mark),
                    connected: game.is_present(mark),
                    time_used_ms: game.time_used(mark, now),
                    time_left_ms: game.time_left(mark, now),
                    absent_until: game.countdown_until(mark).map(|at| meta.date(at).0),
                    rating: rating(people, player.user),
                }
            })
            .collect(),
        current_turn: game.current_turn().map(|user| user.0),
        winner: game.winner().map(symbol),
        winner_user_id: winner(game).map(|user| user.0),
        is_draw: game.is_draw(),
        winning_line: game.winning_line().map(line),
        board_size: game.board().size().get(),
        draw_count: game.draw_count().into(),
        status: status(game.status()),
        game_type: game_type(game),
        clock: clock(game),
        rated: rated(game),
        event_id: event_id(game),
        level: game.level(),
        initiator_user_id: initiator(game),
        notify: meta.notify,
        version: game.version(),
        server_time: meta.date(now).0,
        turn_deadline: game.turn_deadline().map(|at| meta.date(at).0),
        moves: game.history().iter().filter(|ply| ply.round == game.round()).map(|ply| game_move(ply, meta)).collect(),
        reason: game.outcome().and_then(|outcome| outcome.reason).map(reason),
        decision: decision(game),
        forfeiter: forfeiter(game).map(|user| user.0),
        invite_token: None,
        next_game_id: None,
        next_game_by: None,
        rating_changes: None,
        created_at: Timestamp::from_millis(meta.date(game.created_at()).0),
        ended_at: game.outcome().map(|outcome| Timestamp::from_millis(meta.date(outcome.at).0)),
    }
}

/// The state as this viewer sees it: the inviter also sees the invite token.
pub fn state_for(people: &People, game: &Game, meta: &Meta, viewer: Option<UserId>, now: Millis) -> wire::GameState {
    let mut state = state(people, game, meta, now);
    let is_initiator = viewer.is_some_and(|viewer| viewer.0 == initiator(game));
    if is_initiator && game.has_open_seat() {
        state.invite_token.clone_from(&meta.invite_token);
    }
    state
}

pub(super) fn winner(game: &Game) -> Option<UserId> {
    game.winner().and_then(|mark| game.player(mark)).map(|player| player.user)
}

/// The game in a list, as this viewer sees it.
pub fn summary(people: &People, game: &Game, meta: &Meta, viewer: Option<UserId>) -> wire::Game {
    let is_initiator = viewer.is_some_and(|viewer| viewer.0 == initiator(game));
    wire::Game {
        game_id: game.id().0,
        players: game
            .players()
            .map(|(_, player)| {
                let PublicProfile { username, display_name, profile_url, is_bot } = shown(people, player, Width::Row);
                wire::GamePlayerRef {
                    user_id: player.user.0,
                    username,
                    display_name,
                    profile_url,
                    is_bot,
                    rating: rating(people, player.user),
                }
            })
            .collect(),
        event_id: event_id(game),
        level: game.level(),
        initiator_user_id: initiator(game),
        game_type: game_type(game),
        clock: clock(game),
        rated: rated(game),
        status: status(game.status()),
        notify: meta.notify,
        board_size: game.board().size().get(),
        draw_count: game.draw_count().into(),
        winner_user_id: winner(game).map(|user| user.0),
        is_draw: game.is_draw(),
        is_own: viewer.and_then(|viewer| game.mark_of(viewer)).map(|_| true),
        your_turn: viewer.is_some() && game.current_turn() == viewer,
        current_turn: game.current_turn().map(|user| user.0),
        move_count: Some(game.history().iter().filter(|ply| ply.round == game.round()).count() as u32),
        watchers: None,
        reason: game.outcome().and_then(|outcome| outcome.reason).map(reason),
        invite_token: if is_initiator && game.has_open_seat() { meta.invite_token.clone() } else { None },
        created_at: Timestamp::from_millis(meta.date(game.created_at()).0),
        ended_at: game.outcome().map(|outcome| Timestamp::from_millis(meta.date(outcome.at).0)),
    }
}

/// A user's present rating; `None` for guests and deleted accounts.
pub fn rating(people: &People, user: UserId) -> Option<PlayerRating> {
    let rating = people.rating(user)?;
    Some(PlayerRating { value: rating.value, provisional: rating.is_provisional })
}

/// What a game did to the ratings of those who still have an account.
pub fn rating_changes(people: &People, changes: &RatingChanges) -> Vec<RatingChange> {
    let kept = changes.iter().filter(|change| people.rating(change.user).is_some());
    kept.map(|change| RatingChange {
        user_id: change.user.0,
        before: change.before.shown(),
        after: change.after.shown(),
        provisional: change.after.is_provisional(),
    })
    .collect()
}

/// A live game in a list that is the same for everybody.
pub(super) fn live_summary(people: &People, game: &Game, meta: &Meta, watchers: u32) -> wire::Game {
    wire::Game { watchers: Some(watchers), ..summary(people, game, meta, None) }
}

/// What changes of a game while it is played.
pub fn live_board(game: &Game, watchers: u32) -> wire::LiveBoard {
    let cells = game.board().rows().into_iter().flatten();
    let last = game.history().last().filter(|ply| ply.round == game.round());
    wire::LiveBoard {
        game_id: game.id().0,
        version: game.version(),
        board_size: game.board().size().get(),
        cells: cells.map(|cell| cell.map_or(".", Mark::as_str)).collect(),
        last_move: last.map(|ply| [ply.cell.row(), ply.cell.col()]),
        winning_line: game.winning_line().map(line),
        draw_count: game.draw_count().into(),
        status: status(game.status()),
        current_turn: game.current_turn().map(|user| user.0),
        winner_user_id: winner(game).map(|user| user.0),
        watchers,
    }
}

pub fn shown(people: &People, player: &Player, width: Width) -> PublicProfile {
    people.shown(player.user, &player.username, width)
}
