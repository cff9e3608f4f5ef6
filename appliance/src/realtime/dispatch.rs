//! Dispatches each frame of a client to the part that handles it, and answers refusals.

use std::sync::Arc;

use morpion_openapi::{
    quick_match::BoardWish,
    realtime::{
        Ack, Authenticated, ClientFrame, ErrorMessage, GameError, GameJoined, MoveRejected, QuickMatchJoin, ServerFrame,
    },
};
use morpion_rules::{BoardSize, Cell, Refusal, quick_match::Wish};
use serde_json::Value;
use uuid::Uuid;

use crate::{
    account::limits::{ClientAddress, RateLimit},
    api_error::ApiError,
    app::App,
    caller::Call,
    cluster::{Cluster, NO_MAJORITY},
    connections::{
        frame::encode,
        handle::{ConnectionHandle, close},
    },
    error::CommonError,
    play::Reply,
    quick_match::control_of,
    scope,
};

pub fn reject(connection: &ConnectionHandle, id: &str, error: &ApiError) {
    let ack = Ack {
        succeeded: false,
        error_message: Some(error.message.to_string()),
        error_code: Some(error.code.to_owned()),
    };
    connection.send(encode(&ack.to_text(id)));
}

fn acknowledge(connection: &ConnectionHandle, id: &str) {
    let ack = Ack { succeeded: true, error_message: None, error_code: None };
    connection.send(encode(&ack.to_text(id)));
}

/// Dispatches a frame. A failure is answered twice: by its named event, and by the ack if the client asked for one.
///
/// A leader of a cluster that may have been deposed answers nothing of what it knows; the client then connects again.
pub async fn dispatch(app: &Arc<App>, connection: &Arc<ConnectionHandle>, frame: ClientFrame, id: Option<String>) {
    // What these answer is announced by their commit.
    let commits = matches!(frame, ClientFrame::MakeMove(_) | ClientFrame::ForfeitGame(_) | ClientFrame::CancelGame(_));
    if !commits && !may_tell(app).await {
        return connection.close(close::GOING_AWAY);
    }
    let waits = commits && app.cluster.as_ref().is_some_and(Cluster::has_no_majority);
    let outcome =
        if waits { Err(ApiError::unavailable(NO_MAJORITY)) } else { handle(app, connection, &frame, id.clone()).await };
    if commits && !waits && outcome.is_err() && !may_tell(app).await {
        return connection.close(close::GOING_AWAY);
    }
    match (outcome, id) {
        (Ok(AckTiming::Now), Some(id)) => acknowledge(connection, &id),
        (Ok(_), _) => {}
        (Err(error), id) => {
            if let Some(id) = &id {
                reject(connection, id, &error);
            }
            send_refusal(app, connection, &frame, &error);
        }
    }
}

/// Whether this server may tell what it knows: always, unless it is one of several and another may lead by now.
async fn may_tell(app: &App) -> bool {
    match &app.cluster {
        Some(cluster) => Box::pin(cluster.barrier()).await,
        None => true,
    }
}

/// Futures that use the store are boxed, or every idle connection would reserve their size.
async fn handle(
    app: &Arc<App>,
    connection: &Arc<ConnectionHandle>,
    frame: &ClientFrame,
    id: Option<String>,
) -> Result<AckTiming, ApiError> {
    let reply = Reply::Frame { connection: Arc::clone(connection), id };
    let (play, events) = (&app.play, &app.events);
    let caller = &connection.caller;
    if !scope::is_for_visitors(frame) {
        caller.signed_in()?;
    }
    caller.has_scope(scope::of_frame(frame))?;
    match frame {
        ClientFrame::Authenticate(data) => return authenticate(connection, data.user_id),
        ClientFrame::MakeMove(data) => {
            let user = caller.acting(data.user_id)?.user_id;
            let cell = Cell::new(data.row, data.col).ok_or(Refusal::OffBoard)?;
            play.make_move(user, data.game_id.into(), cell, data.version, reply)?;
            return Ok(AckTiming::AfterCommit);
        }
        ClientFrame::JoinGame(data) => {
            let user = caller.acting(data.user_id)?.user_id;
            Box::pin(play.join(user, data.game_id.into(), connection, reply)).await?;
            return Ok(AckTiming::AfterCommit);
        }
        ClientFrame::SpectateGame(data) => {
            Box::pin(play.spectate(caller, data.game_id.into(), connection, reply)).await?;
            return Ok(AckTiming::AfterCommit);
        }
        ClientFrame::ForfeitGame(data) => {
            play.forfeit(caller.acting(data.user_id)?.user_id, data.game_id.into(), reply)?;
            return Ok(AckTiming::AfterCommit);
        }
        ClientFrame::CancelGame(data) => {
            play.cancel(caller.acting(data.user_id)?.user_id, data.game_id.into(), reply)?;
            return Ok(AckTiming::AfterCommit);
        }
        ClientFrame::PlayAgain(data) => {
            let identity = caller.acting(None)?;
            let admit = || app.accounts.limits().check(RateLimit::Invite, identity.user_id);
            // In the box, so that no connection is larger for it.
            Box::pin(async {
                let from = connection.address.map_or(vec![], ClientAddress::networks);
                play.play_again_on(connection, identity, data.game_id.into(), &from, admit, reply).await
            })
            .await?;
            return Ok(AckTiming::AfterCommit);
        }
        ClientFrame::React(data) => {
            let user = caller.acting(None)?.user_id;
            Box::pin(play.react(user, data.game_id.into(), data.reaction)).await?;
        }
        ClientFrame::LeaveGameRoom(data) => {
            if data.user_id.is_some_and(|user| Some(user) != connection.user_id().map(|own| own.0)) {
                return Err(CommonError::NotYourself.into());
            }
            play.leave_room(data.game_id.into(), connection);
        }
        ClientFrame::SubscribeLiveGames(_) => {
            caller.admin()?;
            play.follow_live_games(connection);
        }
        ClientFrame::WatchLive(data) => play.watch_live(connection, data.limit),
        ClientFrame::UnwatchLive(_) => play.unwatch_live(connection),
        ClientFrame::WatchPresence(data) => {
            Box::pin(events.watch_presence(caller, data.event_id.into(), connection)).await?;
        }
        ClientFrame::UnwatchPresence(data) => events.unwatch_presence(data.event_id.into(), connection),
        ClientFrame::JoinEventRoom(data) => {
            let identity = caller.acting(data.user_id)?;
            Box::pin(events.enter_room(identity, data.event_id.into(), connection)).await?;
        }
        ClientFrame::LeaveEventRoom(data) => {
            events.leave_room(caller.acting(data.user_id)?.user_id, data.event_id.into(), connection);
        }
        ClientFrame::FindMatch(data) => {
            let identity = caller.acting(data.user_id)?;
            app.quick_match.leave_for_event(identity.user_id);
            if !app.quick_match.lead_to_game(identity.user_id, connection) {
                Box::pin(events.find_match(identity, data.event_id.into(), connection)).await?;
            }
        }
        ClientFrame::CancelMatchmaking(data) => {
            events.cancel_matchmaking(caller.acting(data.user_id)?.user_id, data.event_id.into(), connection);
        }
        ClientFrame::QuickMatchJoin(data) => {
            let wish = quick_match_wish(data)?;
            Box::pin(app.quick_match.join(caller.acting(None)?, wish, connection)).await?;
        }
        ClientFrame::QuickMatchLeave(_) => app.quick_match.leave(caller.acting(None)?.user_id, connection),
        ClientFrame::SubscribeLogs(data) => {
            caller.admin()?;
            if let Some(user) = data.filter.as_ref().and_then(|filter| filter.user_id) {
                Box::pin(audit_followed(app, connection, user)).await?;
            }
            let filter = data.filter.as_deref().cloned().unwrap_or_default();
            app.logbook.follow(connection, filter.try_into()?)?;
        }
    }
    Ok(AckTiming::Now)
}

fn quick_match_wish(data: &QuickMatchJoin) -> Result<Wish, Refusal> {
    let size = match data.board_size {
        BoardWish::Any => None,
        BoardWish::Size(size) => Some(BoardSize::new(size).ok_or(Refusal::OffBoard)?),
    };
    Ok(Wish { size, control: control_of(data.clock), rated: data.rated })
}

/// Records that the log of a user is followed, as reading it is.
async fn audit_followed(app: &App, connection: &ConnectionHandle, user: Uuid) -> Result<(), ApiError> {
    let call = Call {
        caller: connection.caller.clone(),
        address: connection.address.unwrap_or(ClientAddress::UNKNOWN),
        request_id: String::new(),
    };
    Ok(app.accounts.audit_read(&call, "read_logs", &user.to_string(), Value::Null).await?)
}

/// Whether the ack is sent now, or once the change is on disk.
enum AckTiming {
    Now,
    AfterCommit,
}

fn authenticate(connection: &ConnectionHandle, named: Option<Uuid>) -> Result<AckTiming, ApiError> {
    let own = connection.user_id().map(|user| user.0);
    if named.is_some() && named != own {
        return Err(ApiError::not_yourself());
    }
    connection
        .send_frame(&ServerFrame::Authenticated(Authenticated { user_id: own, socket_id: connection.id.to_string() }));
    Ok(AckTiming::Now)
}

/// Sends the named answer to a refused frame.
fn send_refusal(app: &App, connection: &ConnectionHandle, frame: &ClientFrame, error: &ApiError) {
    let text = error.message.to_string();
    let answer = match frame {
        ClientFrame::MakeMove(data) => ServerFrame::MoveRejected(MoveRejected {
            game_id: data.game_id,
            error: text,
            error_code: error.code.to_owned(),
            row: data.row,
            col: data.col,
            version: app.play.version_of(data.game_id.into()),
        }),
        ClientFrame::JoinGame(data) => ServerFrame::GameJoined(GameJoined {
            game_id: data.game_id,
            success: false,
            message: None,
            error: Some(text),
            game_state: None,
            watchers: None,
            previous_game_id: None,
        }),
        ClientFrame::SpectateGame(data) => {
            ServerFrame::GameError(GameError { game_id: Some(data.game_id), error: text })
        }
        ClientFrame::ForfeitGame(data) => {
            ServerFrame::GameError(GameError { game_id: Some(data.game_id), error: text })
        }
        ClientFrame::CancelGame(data) => ServerFrame::GameError(GameError { game_id: Some(data.game_id), error: text }),
        other => ServerFrame::Error(ErrorMessage {
            message: text,
            error_code: error.code.to_owned(),
            event: Some(other.event().to_owned()),
        }),
    };
    connection.send_frame(&answer);
}
