//! Games as the wire shows them, and who is told what of an effect.

use bytes::Bytes;
use morpion_openapi::{
    Timestamp, game as wire,
    realtime::{
        GameCancelled, GameDraw, GameEnd, GameJoined, GameStarted, MoveUpdate, OpponentDisconnected,
        OpponentReconnected, ServerFrame, TournamentResult,
    },
};
use morpion_rules::{
    Board, Effect, Effects, EndReason, Game, Line, Mark, Millis, Status, UserId,
    game::{Player, Ply},
};

use super::record::Meta;
use crate::{
    connections::handle::encode,
    people::{People, PublicProfile, Width},
};

/// The event id of an invite game, see `docs/behaviour/play.md#invite-games`.
pub fn event_id(game: &Game) -> String {
    match game.event_id() {
        Some(event) => event.to_string(),
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
    }
}

fn game_type(game: &Game) -> wire::GameType {
    if game.is_invite() { wire::GameType::Invite } else { wire::GameType::Event }
}

fn board(board: &Board) -> Vec<Vec<String>> {
    board
        .rows()
        .into_iter()
        .map(|row| row.into_iter().map(|cell| cell.map_or("", Mark::as_str).to_owned()).collect())
        .collect()
}

fn line(line: Line) -> Vec<[u8; 2]> {
    line.cells().map(|cell| [cell.row(), cell.col()]).collect()
}

fn game_move(ply: &Ply, meta: &Meta) -> wire::GameMove {
    wire::GameMove { row: ply.cell.row(), col: ply.cell.col(), symbol: symbol(ply.mark), at: meta.date(ply.at).0 }
}

fn initiator(game: &Game) -> uuid::Uuid {
    game.player(Mark::X).map(|player| player.user.0).unwrap_or_default()
}

/// Who lost by giving up, by the clock or by absence.
fn forfeiter(game: &Game) -> Option<UserId> {
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
                let PublicProfile { username, display_name, profile_url } = shown(people, player, Width::Seat);
                wire::GamePlayer {
                    user_id: player.user.0,
                    username,
                    display_name,
                    profile_url,
                    symbol: symbol(mark),
                    connected: game.is_present(mark),
                    time_used_ms: game.time_used(mark, now),
                    absent_until: game.countdown_until(mark).map(|at| meta.date(at).0),
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
        event_id: event_id(game),
        level: game.level(),
        initiator_user_id: initiator(game),
        notify: meta.notify,
        version: game.version(),
        server_time: meta.date(now).0,
        turn_deadline: game.turn_deadline().map(|at| meta.date(at).0),
        moves: game.history().iter().filter(|ply| ply.round == game.round()).map(|ply| game_move(ply, meta)).collect(),
        reason: game.outcome().and_then(|outcome| outcome.reason).map(reason),
        forfeiter: forfeiter(game).map(|user| user.0),
        invite_token: None,
        next_game_id: None,
        next_game_by: None,
        created_at: Timestamp::from_millis(meta.date(game.created_at()).0),
        ended_at: game.outcome().map(|outcome| Timestamp::from_millis(meta.date(outcome.at).0)),
    }
}

fn winner(game: &Game) -> Option<UserId> {
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
                let PublicProfile { username, display_name, profile_url } = shown(people, player, Width::Row);
                wire::GamePlayerRef { user_id: player.user.0, username, display_name, profile_url }
            })
            .collect(),
        event_id: event_id(game),
        level: game.level(),
        initiator_user_id: initiator(game),
        game_type: game_type(game),
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
        reason: game.outcome().and_then(|outcome| outcome.reason).map(reason),
        invite_token: if is_initiator && game.has_open_seat() { meta.invite_token.clone() } else { None },
        created_at: Timestamp::from_millis(meta.date(game.created_at()).0),
        ended_at: game.outcome().map(|outcome| Timestamp::from_millis(meta.date(outcome.at).0)),
    }
}

/// A finished game from the first move to the last.
pub fn replay(people: &People, game: &Game, meta: &Meta) -> wire::Replay {
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
    wire::Replay {
        game_id: game.id().0,
        players: game
            .players()
            .map(|(mark, player)| {
                let PublicProfile { username, display_name, profile_url } = shown(people, player, Width::Seat);
                wire::ReplayPlayer { user_id: player.user.0, username, display_name, profile_url, symbol: symbol(mark) }
            })
            .collect(),
        rounds,
        winner: game.winner().map(symbol),
        is_draw: game.is_draw(),
        reason: game.outcome().and_then(|outcome| outcome.reason).map(reason),
        game_type: game_type(game),
        event_id: event_id(game),
        created_at: Timestamp::from_millis(meta.date(game.created_at()).0),
        ended_at: game.outcome().map(|outcome| Timestamp::from_millis(meta.date(outcome.at).0)),
    }
}

/// To whom a note goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Recipient {
    /// All who have the game open.
    Room,
    /// A player: wherever they are connected.
    Player(UserId),
    /// All who have the game open and do not play in it.
    Spectators,
}

/// An encoded frame and who gets it.
#[derive(Debug, Clone)]
pub struct Notification {
    pub recipient: Recipient,
    pub frame: Bytes,
}

fn notification(recipient: Recipient, frame: &ServerFrame) -> Notification {
    Notification { recipient, frame: encode(&frame.to_text()) }
}

fn shown(people: &People, player: &Player, width: Width) -> PublicProfile {
    people.shown(player.user, &player.username, width)
}

fn name(people: &People, game: &Game, user: UserId) -> String {
    let player = game.players().find(|(_, player)| player.user == user);
    player.map_or_else(String::new, |(_, player)| shown(people, player, Width::Row).display_name)
}

/// What there is to tell after a command: `game` is the state it led to.
pub fn notifications(people: &People, game: &Game, meta: &Meta, effects: &Effects, now: Millis) -> Vec<Notification> {
    let mut notifications = Vec::with_capacity(effects.len());
    for (version, effect) in effects.versioned() {
        match effect {
            // Who waits sees it by the whole state that the start of the game brings.
            Effect::Joined { .. } | Effect::Left { .. } | Effect::SeatClaimed { .. } => {}
            // After a restart nobody is there; after a pause all that runs has moved. And whoever has the game open knows
            // the players by their ids.
            Effect::Resumed { .. } | Effect::PlayerReplaced { .. } => notifications.push(notification(
                Recipient::Room,
                &ServerFrame::GameJoined(GameJoined {
                    game_id: game.id().0,
                    success: true,
                    message: None,
                    error: None,
                    game_state: Some(state(people, game, meta, now)),
                }),
            )),
            Effect::GameStarted { .. } => notifications.push(notification(
                Recipient::Room,
                &ServerFrame::GameStarted(GameStarted {
                    game_id: game.id().0,
                    game_state: state(people, game, meta, now),
                }),
            )),
            Effect::MoveMade { by, mark, cell, board: after, winning_line, next_turn, turn_deadline } => {
                let update = MoveUpdate {
                    game_id: game.id().0,
                    user_id: by.0,
                    symbol: symbol(*mark),
                    row: cell.row(),
                    col: cell.col(),
                    board: board(after),
                    next_turn: next_turn.map(|user| user.0),
                    winner: winning_line.map(|_| symbol(*mark)),
                    winning_line: winning_line.map(line),
                    is_draw: winning_line.is_none() && after.is_full(),
                    game_status: status(game.status()),
                    version,
                    server_time: meta.date(now).0,
                    turn_deadline: turn_deadline.map(|at| meta.date(at).0),
                };
                notifications.push(notification(Recipient::Room, &ServerFrame::MoveUpdate(update)));
            }
            Effect::RoundDrawn { draw_count, .. } => notifications.push(notification(
                Recipient::Room,
                &ServerFrame::GameDraw(GameDraw {
                    game_id: game.id().0,
                    new_game_state: Some(state(people, game, meta, now)),
                    message: format!("Round {draw_count} ended in a draw. Starting new round..."),
                    version,
                }),
            )),
            Effect::Drawn => {
                let draw = GameDraw {
                    game_id: game.id().0,
                    new_game_state: None,
                    message: "It's a Draw!".to_owned(),
                    version,
                };
                let draw = notification(Recipient::Spectators, &ServerFrame::GameDraw(draw));
                for (_, player) in game.players() {
                    notifications
                        .push(Notification { recipient: Recipient::Player(player.user), frame: draw.frame.clone() });
                }
                notifications.push(draw);
            }
            // What the end of an event's game means for its event is known when it is on disk.
            Effect::Ended { .. } if game.is_invite() => notifications.extend(ending(people, game, None)),
            Effect::Ended { .. } => {}
            Effect::OpponentDisconnected { user, countdown_ms } => notifications.push(notification(
                Recipient::Room,
                &ServerFrame::OpponentDisconnected(OpponentDisconnected {
                    game_id: game.id().0,
                    user_id: user.0,
                    countdown: (*countdown_ms).max(0).unsigned_abs().div_ceil(1_000) as u32,
                }),
            )),
            Effect::OpponentReconnected { user } => notifications.push(notification(
                Recipient::Room,
                &ServerFrame::OpponentReconnected(OpponentReconnected { game_id: game.id().0, user_id: user.0 }),
            )),
            Effect::Cancelled { by } => notifications.extend(called_off(people, game, *by)),
        }
    }
    notifications
}

/// What there is to tell of a game that was called off before it began.
fn called_off(people: &People, game: &Game, by: Option<UserId>) -> Vec<Notification> {
    let (reason, did) = match by {
        Some(user) if user.0 == initiator(game) => (wire::CancelReason::Withdrawn, "cancelled"),
        Some(_) => (wire::CancelReason::Declined, "declined"),
        None => (wire::CancelReason::Expired, "expired"),
    };
    let what = if game.is_invite() { "invitation" } else { "game" };
    let frame = |viewer: Option<UserId>| {
        let message = match by {
            Some(_) if viewer == by => format!("You {did} the {what}."),
            Some(user) => format!("{} {did} the {what}.", name(people, game, user)),
            None => format!("The {what} {did}."),
        };
        let game_id = game.id().0;
        ServerFrame::GameCancelled(GameCancelled {
            game_id,
            success: true,
            message,
            reason,
            user_id: by.map(|user| user.0),
        })
    };
    let players = game.players().map(|(_, player)| player.user);
    let mut notifications: Vec<_> =
        players.map(|user| notification(Recipient::Player(user), &frame(Some(user)))).collect();
    notifications.push(notification(Recipient::Spectators, &frame(None)));
    notifications
}

/// What there is to tell of a game that ended with a reason; nothing of one that was called off. The end is its last
/// change.
pub fn ending(people: &People, game: &Game, tournament_result: Option<TournamentResult>) -> Vec<Notification> {
    let Some(why) = game.outcome().and_then(|outcome| outcome.reason) else { return vec![] };
    let mut notifications = vec![];
    let loser = game.winner().and_then(|mark| game.player(mark.other())).map(|player| player.user);
    let end = |message: String| {
        ServerFrame::GameEnd(GameEnd {
            game_id: game.id().0,
            reason: reason(why),
            winner: game.winner().map(symbol),
            winner_user_id: winner(game).map(|user| user.0),
            is_draw: false,
            forfeit: why.is_forfeit(),
            forfeiter: forfeiter(game).map(|user| user.0),
            message,
            game_type: game_type(game),
            event_id: event_id(game),
            winning_line: game.winning_line().map(line),
            tournament_result: tournament_result.clone(),
            version: game.version(),
        })
    };
    let Some(winner) = winner(game) else {
        let void = notification(Recipient::Spectators, &end("The game was declared void.".to_owned()));
        for (_, player) in game.players() {
            notifications.push(Notification { recipient: Recipient::Player(player.user), frame: void.frame.clone() });
        }
        notifications.push(void);
        return notifications;
    };
    // Screens show these texts as they are.
    let (to_winner, to_loser) = if why.is_forfeit() {
        ("Opponent forfeited. You win!".to_owned(), "You forfeited. Opponent wins!".to_owned())
    } else {
        ("You Won!".to_owned(), format!("{} Won!", name(people, game, winner)))
    };
    notifications.push(notification(Recipient::Player(winner), &end(to_winner)));
    if let Some(loser) = loser {
        notifications.push(notification(Recipient::Player(loser), &end(to_loser)));
    }
    notifications.push(notification(Recipient::Spectators, &end(format!("{} Won!", name(people, game, winner)))));
    notifications
}
