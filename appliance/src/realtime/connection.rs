//! One websocket: reads frames, checks them, decodes them into a closed set, and writes what is queued.

use std::{
    num::NonZeroU32,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use fastwebsockets::{Frame, OpCode, Role, WebSocketError, after_handshake_split};
use morpion_openapi::realtime::{Authenticated, ClientFrame, ErrorMessage, MAX_CLIENT_FRAME, ServerFrame};
use tokio::{
    io::{AsyncRead, AsyncWrite, AsyncWriteExt},
    time::timeout,
};

use super::{
    dispatch::{dispatch, reject},
    idle_reader::IdleReader,
};
use crate::{
    api_error::{ApiError, ErrorKind},
    app::App,
    connections::{
        frame::encode_frame,
        handle::{ConnectionHandle, close},
        round_trip::Ping,
    },
};

/// A message above [`MAX_CLIENT_FRAME`] is answered with an error; one above this, in one frame or in fragments, ends the
/// connection, since only reading it whole would find the next one.
const MAX_READ: usize = 4 * MAX_CLIENT_FRAME;

/// How many seconds' worth of frames a client may send at once.
const BURST_SECONDS: f64 = 3.0;

/// Unreadable frames that are answered with an error before the connection is closed.
const MAX_BAD_FRAMES: u32 = 50;

/// How long a closing connection has to receive its last frames.
const CLOSE_TIME: Duration = Duration::from_secs(2);

/// A rate limit of frames.
struct LeakyBucket {
    per_second: f64,
    level: f64,
    at: Instant,
}

impl LeakyBucket {
    fn new(per_second: NonZeroU32, now: Instant) -> Self {
        Self { per_second: per_second.get().into(), level: 0.0, at: now }
    }

    fn admits(&mut self, now: Instant) -> bool {
        let drained = now.duration_since(self.at).as_secs_f64() * self.per_second;
        self.level = (self.level - drained).max(0.0) + 1.0;
        self.at = now;
        self.level <= BURST_SECONDS * self.per_second
    }
}

/// Serves a connection until it ends, from either side.
pub async fn serve<S>(app: Arc<App>, stream: S, connection: Arc<ConnectionHandle>)
where
    S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
{
    let (mut read, write) = tokio::io::split(stream);
    connection.send_frame(&ServerFrame::Authenticated(Authenticated {
        user_id: connection.user_id().map(|user| user.0),
        socket_id: connection.id.to_string(),
    }));
    connection.ping(&Ping::new(Instant::now()));
    // Both run in this task, so neither is cancelled in the middle of a frame.
    tokio::select! {
        () = read_frames(&app, &mut read, &connection) => {}
        () = write_frames(write, &connection) => {}
    }
    app.hub.remove(&connection);
    app.play.connection_lost(&connection);
    app.events.connection_lost(&connection);
    app.quick_match.connection_lost(&connection);
    // Closing with unread frames would reset the connection, and the client would not receive the close code.
    timeout(CLOSE_TIME, tokio::io::copy(&mut read, &mut tokio::io::sink())).await.ok();
}

async fn write_frames<W: AsyncWrite + Unpin>(mut write: W, connection: &ConnectionHandle) {
    let code = loop {
        let next = connection.next_write();
        if next.is_empty() {
            match connection.close_code() {
                Some(code) => break code,
                None => connection.ready().await,
            }
            continue;
        }
        let mut writing = std::pin::pin!(write.write_all(&next));
        let is_written = tokio::select! {
            biased;
            written = &mut writing => written.is_ok(),
            // A client that does not read is not waited for any longer.
            () = connection.closed() => timeout(CLOSE_TIME, writing).await.is_ok_and(|written| written.is_ok()),
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

async fn read_frames<R: AsyncRead + Unpin>(app: &Arc<App>, read: R, connection: &Arc<ConnectionHandle>) {
    let mut reader = IdleReader::new(read);
    let mut incoming = Incoming::new(app.config.realtime.frames_per_second);
    loop {
        let code = match reader.wait_for_data().await {
            Ok(()) => read_burst(app, &mut reader, connection, &mut incoming).await.err(),
            Err(_) => Some(close::NORMAL),
        };
        if let Some(code) = code {
            connection.close(code);
            // The writer sends the close frame and ends the connection.
            return std::future::pending().await;
        }
    }
}

/// Reads frames until everything received is consumed: a websocket's buffer takes 8 KiB, which an idle client should
/// not cost.
///
/// # Errors
/// The code to close the connection with.
async fn read_burst<R: AsyncRead + Unpin>(
    app: &Arc<App>,
    reader: &mut IdleReader<R>,
    connection: &Arc<ConnectionHandle>,
    incoming: &mut Incoming,
) -> Result<(), u16> {
    let delivered = AtomicUsize::new(0);
    let (mut read, _) = after_handshake_split(reader.counted(&delivered), tokio::io::sink(), Role::Server);
    read.set_max_message_size(MAX_READ);
    // A ping would be answered before it is counted.
    read.set_auto_pong(false);
    // The writer replies to a close, once.
    read.set_auto_close(false);
    let mut owed = |_: Frame<'static>| std::future::ready(Ok::<(), std::io::Error>(()));
    let mut consumed = 0;
    loop {
        let frame = read.read_frame(&mut owed).await.map_err(|error| match error {
            WebSocketError::FrameTooLarge => close::TOO_BIG,
            WebSocketError::InvalidUTF8 => close::NOT_TEXT,
            // The client is gone.
            WebSocketError::UnexpectedEOF | WebSocketError::IoError(_) => close::NORMAL,
            _ => close::PROTOCOL,
        })?;
        consumed += length_on_the_wire(frame.payload.len());
        if !incoming.admits_frame() {
            tracing::warn!(socket = %connection.id, "a client floods; closed");
            return Err(close::POLICY);
        }
        if let Some(message) = incoming.assemble(frame)? {
            receive(app, connection, message, incoming).await?;
        }
        if consumed == delivered.load(Ordering::Relaxed) {
            return Ok(());
        }
    }
}

/// The least number of bytes of a masked frame. A longer head keeps the buffer, which does no harm.
fn length_on_the_wire(payload: usize) -> usize {
    let extended = match payload {
        0..126 => 0,
        126..65_536 => 2,
        _ => 8,
    };
    2 + extended + 4 + payload
}

/// What one client sends, and the limits on its misuse.
struct Incoming {
    bucket: LeakyBucket,
    bad_frames: u32,
    /// The fragments of the message that is not complete yet.
    message: Option<(OpCode, Vec<u8>)>,
}

impl Incoming {
    fn new(frames_per_second: NonZeroU32) -> Self {
        Self { bucket: LeakyBucket::new(frames_per_second, Instant::now()), bad_frames: 0, message: None }
    }

    /// Counts a frame of any kind.
    fn admits_frame(&mut self) -> bool {
        self.bucket.admits(Instant::now()) && self.bad_frames <= MAX_BAD_FRAMES
    }

    /// A whole message or control frame, once its last fragment is there.
    ///
    /// # Errors
    /// The code to close the connection with.
    fn assemble<'f>(&mut self, frame: Frame<'f>) -> Result<Option<Frame<'f>>, u16> {
        let (opcode, mut payload) = match (frame.opcode, self.message.take()) {
            (OpCode::Text | OpCode::Binary, None) if frame.fin => return Ok(Some(frame)),
            (OpCode::Text | OpCode::Binary, None) => (frame.opcode, Vec::new()),
            (OpCode::Continuation, Some(begun)) => begun,
            (OpCode::Text | OpCode::Binary | OpCode::Continuation, _) => return Err(close::PROTOCOL),
            // Control frames come between fragments.
            (_, begun) => {
                self.message = begun;
                return Ok(Some(frame));
            }
        };
        if payload.len() + frame.payload.len() >= MAX_READ {
            return Err(close::TOO_BIG);
        }
        payload.extend_from_slice(&frame.payload);
        if frame.fin {
            return Ok(Some(Frame::new(true, opcode, None, payload.into())));
        }
        self.message = Some((opcode, payload));
        Ok(None)
    }
}

async fn receive(
    app: &Arc<App>,
    connection: &Arc<ConnectionHandle>,
    frame: Frame<'_>,
    incoming: &mut Incoming,
) -> Result<(), u16> {
    if let Some(code) = connection.end_code() {
        return Err(code);
    }
    connection.record_activity();
    match frame.opcode {
        OpCode::Text => {}
        OpCode::Close => return Err(close::NORMAL),
        OpCode::Binary => {
            incoming.bad_frames += 1;
            send_error(connection, "not-text", "Frames are text.".to_owned(), None);
            return Ok(());
        }
        OpCode::Pong => {
            connection.pong_received(&frame.payload, Instant::now());
            return Ok(());
        }
        OpCode::Ping => {
            connection.send(encode_frame(Frame::pong(frame.payload)));
            return Ok(());
        }
        OpCode::Continuation => return Ok(()),
    }
    if frame.payload.len() > MAX_CLIENT_FRAME {
        incoming.bad_frames += 1;
        send_error(connection, "frame-too-large", format!("A frame has at most {MAX_CLIENT_FRAME} bytes."), None);
        return Ok(());
    }
    let Ok(text) = std::str::from_utf8(&frame.payload) else {
        incoming.bad_frames += 1;
        send_error(connection, "not-text", "Frames are UTF-8.".to_owned(), None);
        return Ok(());
    };
    match ClientFrame::parse(text) {
        Ok((client_frame, id)) => dispatch(app, connection, client_frame, id).await,
        Err(error) => {
            incoming.bad_frames += 1;
            if let Some(id) = &error.id {
                let error = ApiError::new(ErrorKind::Malformed, error.code, error.message.clone());
                reject(connection, id, &error);
            }
            send_error(connection, error.code, error.message, error.event);
        }
    }
    Ok(())
}

fn send_error(connection: &ConnectionHandle, code: &str, message: String, event: Option<String>) {
    connection.send_frame(&ServerFrame::Error(ErrorMessage { message, error_code: code.to_owned(), event }));
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
    fn fragments_are_one_message_and_count_together() {
        let mut incoming = Incoming::new(NonZeroU32::MIN);
        let fragment = |fin, opcode, length| Frame::new(fin, opcode, None, vec![b'x'; length].into());
        assert!(incoming.assemble(fragment(false, OpCode::Text, 3)).unwrap().is_none());
        let ping = incoming.assemble(fragment(true, OpCode::Ping, 1)).unwrap().unwrap();
        assert_eq!(ping.opcode, OpCode::Ping);
        let whole = incoming.assemble(fragment(true, OpCode::Continuation, 4)).unwrap().unwrap();
        assert_eq!((whole.opcode, whole.payload.len()), (OpCode::Text, 7));
        assert_eq!(incoming.assemble(fragment(true, OpCode::Continuation, 1)).err(), Some(close::PROTOCOL));

        assert!(incoming.assemble(fragment(false, OpCode::Text, MAX_READ - 1)).unwrap().is_none());
        assert_eq!(incoming.assemble(fragment(false, OpCode::Continuation, 1)).err(), Some(close::TOO_BIG));
        assert!(incoming.message.is_none(), "nothing is kept of it");
    }

    #[test]
    fn a_flood_is_noticed_and_a_quick_player_is_not() {
        let start = Instant::now();
        let per_second = NonZeroU32::new(40).unwrap();
        let mut bucket = LeakyBucket::new(per_second, start);
        assert!((0..1_000).all(|ms| bucket.admits(start + Duration::from_millis(30 * ms))));
        let mut bucket = LeakyBucket::new(per_second, start);
        assert!(!(0..1_000).all(|_| bucket.admits(start)));
    }
}
