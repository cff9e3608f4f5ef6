//! Notifications: the frames that follow from a change of a game, and who gets them.

use bytes::Bytes;
use morpion_openapi::{
    game,
    realtime::{
        GameCancelled, GameDraw, GameEnd, GameJoined, GameStarted, MoveUpdate, OpponentDisconnected,
        OpponentReconnected, RatingChanged, RematchOffer, RematchState, ServerFrame, TournamentResult,
    },
};
use morpion_rules::{Effect, Effects, EndReason, Game, GameId, Millis, UserId};

use super::{rating::RatingChanges, record::Meta, wire};
use crate::{
    connections::frame::encode,
    people::{People, Width},
};

/// Who gets a notification.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Recipient {
    /// All connections that have the game open.
    Room,
    /// All connections of a player.
    Player(UserId),
    /// All connections that have the game open and do not belong to its players.
    Spectators,
}

/// An encoded frame and its recipient.
#[derive(Debug, Clone)]
pub struct Notification {
    pub recipient: Recipient,
    pub frame: Bytes,
}

fn notification(recipient: Recipient, frame: &ServerFrame) -> Notification {
    Notification { recipient, frame: encode(&frame.to_text()) }
}

/// The notifications for the effects of a command, which led to the state `game`.
pub fn of_effects(people: &People, game: &Game, meta: &Meta, effects: &Effects, now: Millis) -> Vec<Notification> {
    let mut notifications = Vec::with_capacity(effects.len());
    for (version, effect) in effects.versioned() {
        match effect {
            // The waiting player gets the whole state when the game starts.
            Effect::Joined { .. } | Effect::Left { .. } | Effect::SeatClaimed { .. } => {}
            // After a restart nobody is connected; after a pause all deadlines have moved. And clients know the players
            // by their ids.
            Effect::Resumed { .. } | Effect::PlayerReplaced { .. } => notifications.push(notification(
                Recipient::Room,
                &ServerFrame::GameJoined(GameJoined {
                    game_id: game.id().0,
                    success: true,
                    message: None,
                    error: None,
                    game_state: Some(wire::state(people, game, meta, now)),
                    watchers: None,
                    previous_game_id: meta.rematch_of.map(|previous| previous.0),
                }),
            )),
            Effect::GameStarted { .. } => notifications.push(notification(
                Recipient::Room,
                &ServerFrame::GameStarted(GameStarted {
                    game_id: game.id().0,
                    game_state: wire::state(people, game, meta, now),
                }),
            )),
            Effect::MoveMade { by, mark, cell, board: after, winning_line, next_turn, turn_deadline, absent_until } => {
                let update = MoveUpdate {
                    game_id: game.id().0,
                    user_id: by.0,
                    symbol: wire::symbol(*mark),
                    row: cell.row(),
                    col: cell.col(),
                    board: wire::board(after),
                    next_turn: next_turn.map(|user| user.0),
                    winner: winning_line.map(|_| wire::symbol(*mark)),
                    winning_line: winning_line.map(wire::line),
                    is_draw: winning_line.is_none() && after.is_full(),
                    game_status: wire::status(game.status()),
                    version,
                    server_time: meta.date(now).0,
                    turn_deadline: turn_deadline.map(|at| meta.date(at).0),
                    absent_until: absent_until.map(|at| meta.date(at).0),
                    times_left_ms: wire::times_left(game, now),
                    times_used_ms: wire::times_used(game, now),
                };
                notifications.push(notification(Recipient::Room, &ServerFrame::MoveUpdate(update)));
            }
            Effect::RoundDrawn { draw_count, .. } => notifications.push(notification(
                Recipient::Room,
                &ServerFrame::GameDraw(GameDraw {
                    game_id: game.id().0,
                    new_game_state: Some(wire::state(people, game, meta, now)),
                    message: format!("Round {draw_count} ended in a draw. Starting new round..."),
                    version,
                }),
            )),
            Effect::Drawn => notifications.extend(of_draw(game, version)),
            // The consequences for the event are known once the end is on disk.
            Effect::Ended { .. } if !game.is_event() => notifications.extend(of_end(people, game, None)),
            Effect::Ended { .. } => {}
            Effect::OpponentDisconnected { user, countdown_ms, until } => notifications.push(notification(
                Recipient::Room,
                &ServerFrame::OpponentDisconnected(OpponentDisconnected {
                    game_id: game.id().0,
                    user_id: user.0,
                    countdown: (*countdown_ms).max(0).unsigned_abs().div_ceil(1_000) as u32,
                    absent_until: until.map(|at| meta.date(at).0),
                }),
            )),
            Effect::OpponentReconnected { user } => notifications.push(notification(
                Recipient::Room,
                &ServerFrame::OpponentReconnected(OpponentReconnected { game_id: game.id().0, user_id: user.0 }),
            )),
            Effect::Cancelled { by } => notifications.extend(of_cancellation(people, game, *by)),
        }
    }
    notifications
}

/// The notifications for a game outside events that ended with a full board.
fn of_draw(game: &Game, version: u64) -> Vec<Notification> {
    let draw = GameDraw { game_id: game.id().0, new_game_state: None, message: "It's a Draw!".to_owned(), version };
    let draw = notification(Recipient::Spectators, &ServerFrame::GameDraw(draw));
    let to_player = |user| Notification { recipient: Recipient::Player(user), frame: draw.frame.clone() };
    let mut notifications: Vec<_> = game.players().map(|(_, player)| to_player(player.user)).collect();
    notifications.push(draw);
    notifications
}

/// The notifications for a game that was cancelled before it began.
fn of_cancellation(people: &People, game: &Game, by: Option<UserId>) -> Vec<Notification> {
    let (reason, did) = match by {
        Some(user) if user.0 == wire::initiator(game) => (game::CancelReason::Withdrawn, "cancelled"),
        Some(_) => (game::CancelReason::Declined, "declined"),
        None => (game::CancelReason::Expired, "expired"),
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

/// The notifications for a game that ended with a reason; none for a cancelled one. The end is its last change.
pub fn of_end(people: &People, game: &Game, tournament_result: Option<TournamentResult>) -> Vec<Notification> {
    let Some(why) = game.outcome().and_then(|outcome| outcome.reason) else { return vec![] };
    let mut notifications = vec![];
    let loser = game.winner().and_then(|mark| game.player(mark.other())).map(|player| player.user);
    let end = |message: String| {
        ServerFrame::GameEnd(GameEnd {
            game_id: game.id().0,
            reason: wire::reason(why),
            decision: wire::decision(game),
            winner: game.winner().map(wire::symbol),
            winner_user_id: wire::winner(game).map(|user| user.0),
            is_draw: false,
            forfeit: why.is_forfeit(),
            forfeiter: wire::forfeiter(game).map(|user| user.0),
            message,
            game_type: wire::game_type(game),
            event_id: wire::event_id(game),
            winning_line: game.winning_line().map(wire::line),
            tournament_result: tournament_result.clone(),
            version: game.version(),
        })
    };
    let Some(winner) = wire::winner(game) else {
        let void = notification(Recipient::Spectators, &end("The game was declared void.".to_owned()));
        for (_, player) in game.players() {
            notifications.push(Notification { recipient: Recipient::Player(player.user), frame: void.frame.clone() });
        }
        notifications.push(void);
        return notifications;
    };
    // Screens show these texts as they are.
    let lost = format!("{} Won!", name(people, game, winner));
    let (to_winner, to_loser) = match why {
        EndReason::Forfeit => ("Opponent forfeited. You win!", "You forfeited. Opponent wins!"),
        EndReason::Timeout => ("Opponent ran out of time. You win!", "You ran out of time. Opponent wins!"),
        EndReason::NoShow => ("Opponent did not come. You win!", "You did not come in time. Opponent wins!"),
        EndReason::Declined => ("Opponent declined the game. You win!", "You declined the game. Opponent wins!"),
        EndReason::Removed => ("Opponent was removed. You win!", "You were removed. Opponent wins!"),
        EndReason::Disconnect => {
            ("Opponent was away for too long. You win!", "You were away for too long. Opponent wins!")
        }
        EndReason::Time => ("You used less time. You win!", "Opponent used less time and wins!"),
        EndReason::Line | EndReason::Adjudicated | EndReason::Void => ("You Won!", lost.as_str()),
    };
    notifications.push(notification(Recipient::Player(winner), &end(to_winner.to_owned())));
    if let Some(loser) = loser {
        notifications.push(notification(Recipient::Player(loser), &end(to_loser.to_owned())));
    }
    notifications.push(notification(Recipient::Spectators, &end(format!("{} Won!", name(people, game, winner)))));
    notifications
}

/// The frame that says what a game did to the ratings.
pub fn of_rating_changes(people: &People, game: GameId, changes: &RatingChanges) -> Bytes {
    let players = wire::rating_changes(people, changes);
    encode(&ServerFrame::RatingChanged(RatingChanged { game_id: game.0, players }).to_text())
}

/// The notifications of an offer to play again, `game`, after the game `previous`: both players get them. Who blocks the
/// other is not told of an offer.
pub fn of_offer(previous: GameId, game: &Game, meta: &Meta, state: RematchState) -> Vec<Notification> {
    let offered_by = wire::initiator(game);
    let offer = RematchOffer { game_id: previous.0, next_game_id: game.id().0, offered_by, state };
    let frame = encode(&ServerFrame::RematchOffer(offer).to_text());
    let told = game.players().map(|(_, player)| player.user).filter(|user| meta.notify || user.0 == offered_by);
    told.map(|user| Notification { recipient: Recipient::Player(user), frame: frame.clone() }).collect()
}

/// The notifications of the answer to an offer, if the effects have one.
pub fn of_answer(previous: GameId, game: &Game, meta: &Meta, effects: &Effects) -> Vec<Notification> {
    let answer = effects.versioned().find_map(|(_, effect)| match effect {
        Effect::GameStarted { .. } => Some(RematchState::Accepted),
        Effect::Cancelled { by: Some(user) } if user.0 == wire::initiator(game) => Some(RematchState::Withdrawn),
        Effect::Cancelled { by: Some(_) } => Some(RematchState::Declined),
        Effect::Cancelled { by: None } => Some(RematchState::Expired),
        _ => None,
    });
    answer.map_or_else(Vec::new, |state| of_offer(previous, game, meta, state))
}

fn name(people: &People, game: &Game, user: UserId) -> String {
    let player = game.players().find(|(_, player)| player.user == user);
    player.map_or_else(String::new, |(_, player)| wire::shown(people, player, Width::Row).display_name)
}
