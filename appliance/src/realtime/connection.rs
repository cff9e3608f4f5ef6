//! One websocket: reads frames, checks them, decodes them into a closed set, and writes what is queued.

use std::{
    future::poll_fn,
    num::NonZeroU32,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use fastwebsockets::{Frame, OpCode, Payload, Role, WebSocketError, after_handshake_split};
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
        outlet::OpenOutlet,
        round_trip::Ping,
    },
    shares::Share,
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
pub async fn serve<R, W>(app: Arc<App>, mut read: R, write: W, connection: Arc<ConnectionHandle>)
where
    R: AsyncRead + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
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

/// Writes what others queue and do not write themselves, until the connection is closed.
async fn write_frames<W>(write: W, connection: &ConnectionHandle)
where
    W: AsyncWrite + Send + Unpin + 'static,
{
    let outlet = connection.open_outlet(write);
    let code = loop {
        if let Some(code) = connection.close_code() {
            break code;
        }
        tokio::select! {
            // `ready` comes first. Who takes the socket's waker away from this task wakes it afterwards. If `ready`
            // were polled after the socket, it could swallow that, and nobody would poll the socket again.
            biased;
            () = connection.ready() => {}
            // When everything is written, `ready` is waited for alone.
            Err(_) = poll_fn(|context| connection.poll_write_queued(context)) => return,
        }
    };
    // From here on nobody else writes.
    let Some(OpenOutlet { mut stream, unwritten: mut next }) = outlet.close() else { return };
    loop {
        // A client that does not read is not waited for any longer.
        if !timeout(CLOSE_TIME, stream.write_all(&next)).await.is_ok_and(|written| written.is_ok()) {
            return;
        }
        next = connection.next_write();
        if next.is_empty() {
            break;
        }
    }
    let goodbye = async {
        stream.write_all(&encode_frame(Frame::close(code, b""))).await?;
        stream.shutdown().await
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
/// not cost, nor a move if it can be read without.
///
/// # Errors
/// The code to close the connection with.
async fn read_burst<R: AsyncRead + Unpin>(
    app: &Arc<App>,
    reader: &mut IdleReader<R>,
    connection: &Arc<ConnectionHandle>,
    incoming: &mut Incoming,
) -> Result<(), u16> {
    if incoming.message.is_none()
        && let Some(text) = reader.take_text()
    {
        if std::str::from_utf8(text).is_err() {
            return Err(close::NOT_TEXT);
        }
        incoming.count_frame(connection)?;
        return receive(app, connection, Frame::text(Payload::Borrowed(text)), incoming).await;
    }
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
        let mut frame = read.read_frame(&mut owed).await.map_err(|error| match error {
            WebSocketError::FrameTooLarge => close::TOO_BIG,
            WebSocketError::InvalidUTF8 => close::NOT_TEXT,
            // The client is gone.
            WebSocketError::UnexpectedEOF | WebSocketError::IoError(_) => close::NORMAL,
            _ => close::PROTOCOL,
        })?;
        // A client that does not mask is none (RFC 6455, section 5.1).
        if !is_masked(&mut frame) {
            return Err(close::PROTOCOL);
        }
        consumed += length_on_the_wire(frame.payload.len());
        incoming.count_frame(connection)?;
        if let Some(message) = incoming.assemble(frame, || app.held.begin(connection.address.map(Into::into)))? {
            receive(app, connection, message, incoming).await?;
        }
        if consumed == delivered.load(Ordering::Relaxed) {
            return Ok(());
        }
    }
}

/// Whether the frame came with a mask, which only its head says.
fn is_masked(frame: &mut Frame<'_>) -> bool {
    const LONGEST_HEAD: usize = 14;
    let mut head = [0; LONGEST_HEAD];
    frame.fmt_head(&mut head);
    head[1] & 0x80 != 0
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
    message: Option<Box<Fragments>>,
}

/// Those of a message that is not complete yet.
struct Fragments {
    opcode: OpCode,
    payload: Vec<u8>,
    /// The same bytes.
    held: Share,
}

impl Incoming {
    fn new(frames_per_second: NonZeroU32) -> Self {
        Self { bucket: LeakyBucket::new(frames_per_second, Instant::now()), bad_frames: 0, message: None }
    }

    /// Counts a frame of any kind.
    ///
    /// # Errors
    /// The code to close the connection with, since its client floods.
    fn count_frame(&mut self, connection: &ConnectionHandle) -> Result<(), u16> {
        if self.bucket.admits(Instant::now()) && self.bad_frames <= MAX_BAD_FRAMES {
            return Ok(());
        }
        tracing::warn!(socket = %connection.id, "a client floods; closed");
        Err(close::POLICY)
    }

    /// A whole message or control frame, once its last fragment is there; `hold` begins a share for fragments.
    ///
    /// # Errors
    /// The code to close the connection with.
    fn assemble<'f>(&mut self, frame: Frame<'f>, hold: impl FnOnce() -> Share) -> Result<Option<Frame<'f>>, u16> {
        let mut begun = match (frame.opcode, self.message.take()) {
            (OpCode::Text | OpCode::Binary, None) if frame.fin => return Ok(Some(frame)),
            (OpCode::Text | OpCode::Binary, None) => {
                Box::new(Fragments { opcode: frame.opcode, payload: vec![], held: hold() })
            }
            (OpCode::Continuation, Some(begun)) => begun,
            (OpCode::Text | OpCode::Binary | OpCode::Continuation, _) => return Err(close::PROTOCOL),
            // Control frames come between fragments.
            (_, begun) => {
                self.message = begun;
                return Ok(Some(frame));
            }
        };
        if begun.payload.len() + frame.payload.len() >= MAX_READ {
            return Err(close::TOO_BIG);
        }
        begun.payload.extend_from_slice(&frame.payload);
        if frame.fin {
            let Fragments { opcode, payload, .. } = *begun;
            return Ok(Some(Frame::new(true, opcode, None, payload.into())));
        }
        begun.held.resize(begun.payload.len() as u64).map_err(|_| close::TRY_AGAIN)?;
        self.message = Some(begun);
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
    use bytes::Bytes;
    use tokio::{
        io::{AsyncReadExt, DuplexStream, duplex},
        net::tcp::{OwnedReadHalf, OwnedWriteHalf},
        task::{JoinHandle, yield_now},
    };

    use super::*;
    use crate::{
        caller::Caller,
        connections::{announcement::Announcement, frame::encode},
        shares::Shares,
    };

    /// The size of the future that an async function of four arguments makes.
    fn size_of_future<A, B, C, D, F>(_: impl Fn(A, B, C, D) -> F) -> usize {
        size_of::<F>()
    }

    #[test]
    fn an_idle_connection_is_small() {
        let size = size_of_future(serve::<OwnedReadHalf, OwnedWriteHalf>);
        assert!(size <= 2_048, "{size} bytes");
    }

    fn connection() -> Arc<ConnectionHandle> {
        Arc::new(ConnectionHandle::new(Caller::Visitor, None))
    }

    /// Begins the task of a connection, as far as it writes.
    fn start_writing(server: DuplexStream, connection: &Arc<ConnectionHandle>) -> JoinHandle<()> {
        let connection = Arc::clone(connection);
        tokio::spawn(async move { write_frames(server, &connection).await })
    }

    fn announce(connections: &[Arc<ConnectionHandle>], frame: &Bytes) {
        let mut announcement = Announcement::default();
        connections.iter().for_each(|connection| announcement.queue(connection, frame.clone()));
        announcement.write();
    }

    /// What a client receives until the server closes.
    async fn rest_of(mut client: DuplexStream) -> Vec<u8> {
        let mut received = vec![];
        timeout(Duration::from_secs(10), client.read_to_end(&mut received)).await.expect("it is closed").unwrap();
        received
    }

    #[tokio::test]
    async fn the_task_writes_what_an_announcement_could_not() {
        let (client, server) = duplex(8);
        let connection = connection();
        let writing = start_writing(server, &connection);
        let mut frames: Vec<_> = (0..20).map(|number| encode(&format!("frame {number:0>2}"))).collect();
        for frame in &frames {
            // The first one before there is an outlet; the others poll the socket after the task did.
            announce(std::slice::from_ref(&connection), frame);
            yield_now().await;
        }
        connection.close(close::NORMAL);
        frames.push(encode_frame(Frame::close(close::NORMAL, b"")));
        assert_eq!(rest_of(client).await, frames.concat());
        writing.await.unwrap();
    }

    #[tokio::test]
    async fn a_task_whose_waker_was_taken_away_is_not_forgotten() {
        let (mut client, server) = duplex(8);
        let connection = connection();
        let _writing = start_writing(server, &connection);
        let frames = [encode("the task waits for the socket"), encode("and so does an announcement")];
        connection.send(frames[0].clone());
        yield_now().await;
        announce(std::slice::from_ref(&connection), &frames[1]);
        let mut received = vec![0; frames.concat().len()];
        timeout(Duration::from_secs(10), client.read_exact(&mut received)).await.expect("all is written").unwrap();
        assert_eq!(received, frames.concat());
    }

    #[tokio::test]
    async fn an_ended_connection_completes_what_it_has_begun_and_says_goodbye() {
        let (client, server) = duplex(8);
        let connection = connection();
        let writing = start_writing(server, &connection);
        yield_now().await;
        let (begun, last) = (encode("more than the socket takes"), encode("last"));
        announce(std::slice::from_ref(&connection), &begun);
        announce(std::slice::from_ref(&connection), &encode("discarded"));
        connection.end(close::SIGNED_OUT, Some(last.clone()));
        announce(std::slice::from_ref(&connection), &encode("too late"));
        let goodbye = encode_frame(Frame::close(close::SIGNED_OUT, b""));
        assert_eq!(rest_of(client).await, [begun, last, goodbye].concat());
        writing.await.unwrap();
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_that_does_not_read_is_not_waited_for_when_closing() {
        let (client, server) = duplex(8);
        let connection = connection();
        let writing = start_writing(server, &connection);
        connection.send(encode("more than the socket takes"));
        yield_now().await;
        assert!(!writing.is_finished());
        connection.close(close::POLICY);
        let begun = tokio::time::Instant::now();
        writing.await.unwrap();
        assert!((CLOSE_TIME..2 * CLOSE_TIME).contains(&begun.elapsed()), "{:?}", begun.elapsed());
        assert_eq!(rest_of(client).await.len(), 8, "the socket is closed, though there still is a handle");
    }

    #[tokio::test]
    async fn a_client_that_is_gone_is_noticed_by_whoever_writes() {
        let (client, server) = duplex(8);
        let connection = connection();
        let writing = start_writing(server, &connection);
        yield_now().await;
        drop(client);
        announce(std::slice::from_ref(&connection), &encode("to nobody"));
        timeout(Duration::from_secs(10), writing).await.expect("the task ends").unwrap();
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
    async fn nothing_is_lost_or_reordered_when_many_write() {
        const ROUNDS: usize = 100;
        const FRAME: usize = 6;
        let frame = |sender: usize, round: usize| encode(&format!("{sender}{round:0>3}"));
        // Their sockets take three frames and a part of the next.
        let (clients, servers): (Vec<_>, Vec<_>) = (0..10).map(|_| duplex(3 * FRAME + 2)).unzip();
        let connections: Vec<_> = servers.iter().map(|_| connection()).collect();
        servers.into_iter().zip(&connections).for_each(|(server, connection)| drop(start_writing(server, connection)));
        let readers: Vec<_> = clients
            .into_iter()
            .map(|mut client| {
                tokio::spawn(async move {
                    let mut received = vec![0; 2 * ROUNDS * FRAME];
                    client.read_exact(&mut received).await.unwrap();
                    received
                })
            })
            .collect();
        // One announces to all at once, which takes tasks, the other one to each on the spot.
        for (sender, at_once) in [connections.len(), 1].into_iter().enumerate() {
            let connections = connections.clone();
            tokio::spawn(async move {
                for round in 0..ROUNDS {
                    connections.chunks(at_once).for_each(|some| announce(some, &frame(sender, round)));
                    yield_now().await;
                }
            });
        }
        for reader in readers {
            let received = timeout(Duration::from_secs(20), reader).await.expect("nothing is left behind").unwrap();
            for sender in 0..2 {
                let is_own = |frame: &&[u8]| frame[2..].starts_with(sender.to_string().as_bytes());
                let own: Vec<_> = received.chunks(FRAME).filter(is_own).collect();
                let expected: Vec<_> = (0..ROUNDS).map(|round| frame(sender, round)).collect();
                assert_eq!(own.concat(), expected.concat());
            }
        }
    }

    #[test]
    fn fragments_are_one_message_and_count_together() {
        let shares = Shares::new(MAX_READ as u64, MAX_READ as u64);
        let mut incoming = Incoming::new(NonZeroU32::MIN);
        let mut assemble = |frame| incoming.assemble(frame, || shares.begin(None));
        let fragment = |fin, opcode, length| Frame::new(fin, opcode, None, vec![b'x'; length].into());
        assert!(assemble(fragment(false, OpCode::Text, 3)).unwrap().is_none());
        let ping = assemble(fragment(true, OpCode::Ping, 1)).unwrap().unwrap();
        assert_eq!(ping.opcode, OpCode::Ping);
        let whole = assemble(fragment(true, OpCode::Continuation, 4)).unwrap().unwrap();
        assert_eq!((whole.opcode, whole.payload.len()), (OpCode::Text, 7));
        assert_eq!(assemble(fragment(true, OpCode::Continuation, 1)).err(), Some(close::PROTOCOL));

        assert!(assemble(fragment(false, OpCode::Text, MAX_READ - 1)).unwrap().is_none());
        assert_eq!(assemble(fragment(false, OpCode::Continuation, 1)).err(), Some(close::TOO_BIG));
        assert_eq!(shares.taken(), 0, "nothing is kept of it");

        let others = shares.take(None, MAX_READ as u64 - 9).unwrap();
        assert!(assemble(fragment(false, OpCode::Text, 9)).unwrap().is_none());
        assert_eq!(assemble(fragment(false, OpCode::Continuation, 1)).err(), Some(close::TRY_AGAIN));
        drop(others);
        assert_eq!(shares.taken(), 0);
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
