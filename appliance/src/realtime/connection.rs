//! One websocket: reads frames, decodes them into a closed set, hands each to the part it is for.

use std::{
    num::NonZeroU32,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use fastwebsockets::{FragmentCollectorRead, Frame, OpCode, Role, WebSocketError, after_handshake_split};
use morpion_openapi::realtime::{
    Ack, Authenticated, ClientFrame, ErrorMessage, GameError, MAX_CLIENT_FRAME, MoveRejected, ServerFrame,
};
use tokio::{
    io::{AsyncRead, AsyncWrite, AsyncWriteExt},
    time::timeout,
};

use super::source::Source;
use crate::{
    app::App,
    connections::{
        outbox::{Outbox, close, encode, encode_frame},
        travel::Ping,
    },
    error::{ApiError, ErrorKind},
    logbook::Filter,
    play::Reply,
};

/// A frame above [`MAX_CLIENT_FRAME`] gets an error; one above this ends the connection, since
/// only reading it whole would show where the next one begins.
const MAX_READ: usize = 4 * MAX_CLIENT_FRAME;

/// Seconds' worth of frames that a client may send at once.
const FLOOD_BURST: f64 = 3.0;

/// Frames that cannot be read and are answered with an error, before the connection is closed.
const MAX_BAD_FRAMES: u32 = 50;

/// How long a closing connection may take to take its last frames.
const CLOSE_TIME: Duration = Duration::from_secs(2);

/// Frames a second, as a leaky bucket.
struct FloodGate {
    per_second: f64,
    level: f64,
    at: Instant,
}

impl FloodGate {
    fn new(per_second: NonZeroU32, now: Instant) -> Self {
        Self { per_second: per_second.get().into(), level: 0.0, at: now }
    }

    fn admits(&mut self, now: Instant) -> bool {
        let drained = now.duration_since(self.at).as_secs_f64() * self.per_second;
        self.level = (self.level - drained).max(0.0) + 1.0;
        self.at = now;
        self.level <= FLOOD_BURST * self.per_second
    }
}

/// Serves a connection until it ends, from either side.
pub async fn serve<S>(app: Arc<App>, stream: S, outbox: Arc<Outbox>)
where
    S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
{
    let (mut read, write) = tokio::io::split(stream);
    outbox.tell(&ServerFrame::Authenticated(Authenticated {
        user_id: outbox.user_id().map(|user| user.0),
        socket_id: outbox.id.to_string(),
    }));
    outbox.ping(&Ping::new(Instant::now()));
    // Both run in this one task: neither is ever cancelled in the middle of a frame.
    tokio::select! {
        () = read_frames(&app, &mut read, &outbox) => {}
        () = write_frames(write, &outbox) => {}
    }
    app.hub.remove(&outbox);
    app.play.connection_lost(&outbox);
    app.tournaments.connection_lost(&outbox);
    // To close with frames unread would reset the connection, and the client would never read why it was closed.
    timeout(CLOSE_TIME, tokio::io::copy(&mut read, &mut tokio::io::sink())).await.ok();
}

async fn write_frames<W: AsyncWrite + Unpin>(mut write: W, outbox: &Outbox) {
    let code = loop {
        let next = outbox.next_write();
        if next.is_empty() {
            match outbox.close_code() {
                Some(code) => break code,
                None => outbox.stirred().await,
            }
            continue;
        }
        let mut writing = std::pin::pin!(write.write_all(&next));
        let is_written = tokio::select! {
            biased;
            written = &mut writing => written.is_ok(),
            // Whoever reads nothing is not waited for any longer.
            () = outbox.closed() => timeout(CLOSE_TIME, writing).await.is_ok_and(|written| written.is_ok()),
        };
        if !is_written {
            return;
        }
    };
    let goodbye = async {
        write.write_all(&encode_frame(Frame::close(code, b""))).await?;
        write.shutdown().await
    };
    timeout(CLOSE_TIME, goodbye).await.ok();
}

async fn read_frames<R: AsyncRead + Unpin>(app: &Arc<App>, read: R, outbox: &Arc<Outbox>) {
    let mut source = Source::new(read);
    let mut patience = Patience::new(app.config.realtime.frames_per_second);
    loop {
        let code = match source.listen().await {
            Ok(()) => read_burst(app, &mut source, outbox, &mut patience).await.err(),
            Err(_) => Some(close::NORMAL),
        };
        if let Some(code) = code {
            outbox.close(code);
            // The writer says goodbye and ends the connection.
            return std::future::pending().await;
        }
    }
}

/// Reads frames until all that has come is read: a websocket's buffer takes 8 KiB, which a client that says nothing
/// should not cost.
///
/// # Errors
/// The code to close the connection with.
async fn read_burst<R: AsyncRead + Unpin>(
    app: &Arc<App>,
    source: &mut Source<R>,
    outbox: &Arc<Outbox>,
    patience: &mut Patience,
) -> Result<(), u16> {
    let delivered = AtomicUsize::new(0);
    let (mut read, _) = after_handshake_split(source.counted(&delivered), tokio::io::sink(), Role::Server);
    read.set_max_message_size(MAX_READ);
    let mut read = FragmentCollectorRead::new(read);
    // Answers that the protocol owes (pong, close) go the way of all other frames.
    let mut owed = |frame: Frame<'static>| {
        outbox.send(encode_frame(frame));
        std::future::ready(Ok::<(), std::io::Error>(()))
    };
    let mut taken = 0;
    loop {
        let frame = read.read_frame(&mut owed).await.map_err(|error| match error {
            WebSocketError::FrameTooLarge => close::TOO_BIG,
            _ => close::NORMAL,
        })?;
        taken += length_on_the_wire(frame.payload.len());
        take(app, outbox, frame, patience).await?;
        if taken == delivered.load(Ordering::Relaxed) {
            return Ok(());
        }
    }
}

/// At least what a masked frame took. A message of several takes more, and then it counts as not all read, which keeps
/// the buffer and does no harm.
fn length_on_the_wire(payload: usize) -> usize {
    let extended = match payload {
        0..126 => 0,
        126..65_536 => 2,
        _ => 8,
    };
    2 + extended + 4 + payload
}

/// How much a client may still do wrong.
struct Patience {
    gate: FloodGate,
    bad_frames: u32,
}

impl Patience {
    fn new(frames_per_second: NonZeroU32) -> Self {
        Self { gate: FloodGate::new(frames_per_second, Instant::now()), bad_frames: 0 }
    }
}

async fn take(app: &Arc<App>, outbox: &Arc<Outbox>, frame: Frame<'_>, patience: &mut Patience) -> Result<(), u16> {
    outbox.heard(app.play.now());
    match frame.opcode {
        OpCode::Text => {}
        OpCode::Close => return Err(close::NORMAL),
        OpCode::Binary => {
            patience.bad_frames += 1;
            complain(outbox, "not-text", "Frames are text.".to_owned(), None);
            return Ok(());
        }
        OpCode::Pong => {
            outbox.answered(&frame.payload, Instant::now());
            return Ok(());
        }
        _ => return Ok(()),
    }
    if !patience.gate.admits(Instant::now()) || patience.bad_frames > MAX_BAD_FRAMES {
        tracing::warn!(socket = %outbox.id, "a client floods; closed");
        return Err(close::POLICY);
    }
    if frame.payload.len() > MAX_CLIENT_FRAME {
        patience.bad_frames += 1;
        complain(outbox, "frame-too-large", format!("A frame has at most {MAX_CLIENT_FRAME} bytes."), None);
        return Ok(());
    }
    let Ok(text) = std::str::from_utf8(&frame.payload) else {
        patience.bad_frames += 1;
        complain(outbox, "not-text", "Frames are UTF-8.".to_owned(), None);
        return Ok(());
    };
    match ClientFrame::parse(text) {
        Ok((client_frame, id)) => handle(app, outbox, client_frame, id).await,
        Err(error) => {
            patience.bad_frames += 1;
            if let Some(id) = &error.id {
                let fault = ApiError::new(ErrorKind::Malformed, error.code, error.message.clone());
                refuse(outbox, id, &fault);
            }
            complain(outbox, error.code, error.message, error.event);
        }
    }
    Ok(())
}

fn complain(outbox: &Outbox, code: &str, message: String, event: Option<String>) {
    outbox.tell(&ServerFrame::Error(ErrorMessage { message, error_code: code.to_owned(), event }));
}

fn refuse(outbox: &Outbox, id: &str, fault: &ApiError) {
    let ack = Ack {
        succeeded: false,
        error_message: Some(fault.message.to_string()),
        error_code: Some(fault.code.to_owned()),
    };
    outbox.send(encode(&ack.to_text(id)));
}

fn accept(outbox: &Outbox, id: &str) {
    let ack = Ack { succeeded: true, error_message: None, error_code: None };
    outbox.send(encode(&ack.to_text(id)));
}

/// Hands a frame to its part; what asks the store is boxed, or every idle connection would hold its place. What fails is
/// answered twice: by its named event, and by the ack of whoever asked for one.
async fn handle(app: &Arc<App>, outbox: &Arc<Outbox>, frame: ClientFrame, id: Option<String>) {
    let reply = Reply::Frame { outbox: Arc::clone(outbox), id: id.clone() };
    let play = &app.play;
    let caller = &outbox.caller;
    let outcome: Result<Answered, ApiError> = match &frame {
        ClientFrame::MakeMove(data) => caller
            .acting(data.user_id)
            .and_then(|identity| play.make_move(identity.user_id, data, reply).map(|()| Answered::Later)),
        ClientFrame::Authenticate(data) => authenticate(outbox, data.user_id),
        ClientFrame::JoinGame(data) => match caller.acting(data.user_id) {
            Ok(identity) => {
                let joined = play.join(identity.user_id, data.game_id.into(), outbox, reply);
                Box::pin(joined).await.map(|()| Answered::Later)
            }
            Err(fault) => Err(fault),
        },
        ClientFrame::SpectateGame(data) => {
            Box::pin(play.spectate(caller, data.game_id.into(), outbox, reply)).await.map(|()| Answered::Later)
        }
        ClientFrame::ForfeitGame(data) => caller
            .acting(data.user_id)
            .and_then(|identity| play.forfeit(identity.user_id, data.game_id.into(), reply).map(|()| Answered::Later)),
        ClientFrame::LeaveGameRoom(data) => {
            if data.user_id.is_some_and(|user| Some(user) != outbox.user_id().map(|own| own.0)) {
                Err(ApiError::not_yourself())
            } else {
                play.leave_room(data.game_id.into(), outbox);
                Ok(Answered::Now)
            }
        }
        ClientFrame::CancelGame(data) => caller
            .acting(data.user_id)
            .and_then(|identity| play.cancel(identity.user_id, data.game_id.into(), reply).map(|()| Answered::Later)),
        ClientFrame::SubscribeLiveGames(_) => caller.admin().map(|()| {
            outbox.follows_live_games.store(true, Ordering::Relaxed);
            play.tell_all_live_games(outbox);
            Answered::Now
        }),
        ClientFrame::JoinEventRoom(data) => match caller.acting(data.user_id) {
            Ok(identity) => {
                let entered = app.tournaments.enter_room(identity, data.event_id.into(), outbox);
                Box::pin(entered).await.map(|_| Answered::Now)
            }
            Err(fault) => Err(fault),
        },
        ClientFrame::LeaveEventRoom(data) => caller.acting(data.user_id).map(|identity| {
            app.tournaments.leave_room(identity.user_id, data.event_id.into(), outbox);
            Answered::Now
        }),
        ClientFrame::FindMatch(data) => match caller.acting(data.user_id) {
            Ok(identity) => {
                let waiting = app.tournaments.find_match(identity, data.event_id.into(), outbox);
                Box::pin(waiting).await.map(|()| Answered::Now)
            }
            Err(fault) => Err(fault),
        },
        ClientFrame::CancelMatchmaking(data) => caller.acting(data.user_id).map(|identity| {
            app.tournaments.cancel_matchmaking(identity.user_id, data.event_id.into(), outbox);
            Answered::Now
        }),
        ClientFrame::SubscribeLogs(data) => caller
            .admin()
            .and_then(|()| Filter::from_wire(data.filter.clone().unwrap_or_default()))
            .and_then(|filter| app.logbook.follow(outbox, filter))
            .map(|()| Answered::Now),
    };
    match (outcome, id) {
        (Ok(Answered::Now), Some(id)) => accept(outbox, &id),
        (Ok(_), _) => {}
        (Err(fault), id) => {
            if let Some(id) = &id {
                refuse(outbox, id, &fault);
            }
            tell_refusal(app, outbox, &frame, &fault);
        }
    }
}

/// Whether the ack was sent (or is due) now, or comes once the change is on disk.
enum Answered {
    Now,
    Later,
}

fn authenticate(outbox: &Outbox, named: Option<uuid::Uuid>) -> Result<Answered, ApiError> {
    let own = outbox.user_id().map(|user| user.0);
    if named.is_some() && named != own {
        return Err(ApiError::not_yourself());
    }
    outbox.tell(&ServerFrame::Authenticated(Authenticated { user_id: own, socket_id: outbox.id.to_string() }));
    Ok(Answered::Now)
}

/// The named answer to a frame that was refused.
fn tell_refusal(app: &App, outbox: &Outbox, frame: &ClientFrame, fault: &ApiError) {
    let error = fault.message.to_string();
    let answer = match frame {
        ClientFrame::MakeMove(data) => ServerFrame::MoveRejected(MoveRejected {
            game_id: data.game_id,
            error,
            error_code: fault.code.to_owned(),
            row: data.row,
            col: data.col,
            version: app.play.version_of(data.game_id.into()),
        }),
        ClientFrame::JoinGame(data) => ServerFrame::GameJoined(morpion_openapi::realtime::GameJoined {
            game_id: data.game_id,
            success: false,
            message: None,
            error: Some(error),
            game_state: None,
        }),
        ClientFrame::SpectateGame(data) => ServerFrame::GameError(GameError { game_id: Some(data.game_id), error }),
        ClientFrame::ForfeitGame(data) => ServerFrame::GameError(GameError { game_id: Some(data.game_id), error }),
        ClientFrame::CancelGame(data) => ServerFrame::GameError(GameError { game_id: Some(data.game_id), error }),
        other => ServerFrame::Error(ErrorMessage {
            message: error,
            error_code: fault.code.to_owned(),
            event: Some(other.event().to_owned()),
        }),
    };
    outbox.tell(&answer);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The size of the future that an async function of three arguments makes.
    fn size_of_future<A, B, C, F>(_: impl Fn(A, B, C) -> F) -> usize {
        size_of::<F>()
    }

    #[test]
    fn an_idle_connection_is_small() {
        let size = size_of_future(serve::<tokio::io::DuplexStream>);
        assert!(size <= 2_048, "{size} bytes");
    }

    #[test]
    fn a_flood_is_noticed_and_a_quick_player_is_not() {
        let start = Instant::now();
        let per_second = NonZeroU32::new(40).unwrap();
        let mut gate = FloodGate::new(per_second, start);
        assert!((0..1_000).all(|ms| gate.admits(start + Duration::from_millis(30 * ms))));
        let mut gate = FloodGate::new(per_second, start);
        assert!(!(0..1_000).all(|_| gate.admits(start)));
    }
}
