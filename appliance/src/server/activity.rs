//! What happens on a connection, until when something has to, and what is held for its client meanwhile.

use std::{
    collections::BTreeMap,
    io,
    os::fd::AsFd,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll, ready},
    time::Duration,
};

use bytes::{Buf, Bytes};
use hyper::{
    Response,
    body::{Body, Frame, SizeHint},
};
use morpion_store::yield_point;
use parking_lot::Mutex;
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::TcpStream,
    sync::Notify,
    time::{Instant, sleep_until},
};

use super::pace::LEAST_RATE;
use crate::{
    shares::{Full, Share, Shares},
    subject::ClientAddress,
};

/// Requests of an HTTP/2 connection that were cancelled, less those that were answered whole. A page that is left
/// cancels what it had asked for, some thirty requests at most; a flood of resets does nothing else.
const MAX_CANCELLED: u32 = 100;

/// Bytes that a connection may send while it asks for nothing: twice what HTTP/2 lets a client send of a body that was
/// answered already. Frames that belong to no request are no more than that.
const MAX_IDLE_BYTES: usize = 2 << 20;

/// What is kept of a head that is received: more than the edge takes.
const MOST_HEAD: usize = 64 * 1024;

/// However much of it is read, an answer is sent within this time. Exports break off after as long.
const SENT_WITHIN: Duration = Duration::from_secs(600);

/// What a request takes besides its head and body until it is answered: its futures on two runtimes, and what they work with.
/// Crowds of them took 40 KiB each, and 110 without optimisation.
const HANDLED: u64 = 64 * 1024;

/// What an answer takes besides its body until it is sent: a stream of HTTP/2 and its task.
const UNSENT: u64 = 3 * 1024;

/// Answers of a connection that wait to be sent, beyond which it is ended where there is no room for another. A refusal has to be
/// sent too, and a client that does not read would have as many of them kept as it likes.
const UNSENT_WITHOUT_ROOM: usize = 8;

/// Answers are handed over in pieces of this size: what HTTP/1 copies of one is bounded.
const PIECE: usize = 64 * 1024;

/// A connection's activity. hyper's own limit of a head also counts the time between requests, and begins only once it
/// is known which HTTP the client speaks.
pub struct Activity {
    head_within: Duration,
    idle_for: Duration,
    state: Mutex<State>,
    /// The deadline may be earlier than before.
    changed: Notify,
}

struct State {
    /// Requests whose handler is at work. How long that may take is its own business, and that of [`super::pace`].
    handled: usize,
    /// Answers that are not sent whole, by number: the first is the oldest.
    unsent: BTreeMap<u64, Since>,
    /// Answers so far, and bytes of them that were sent.
    answers: u64,
    sent: u64,
    /// Since when a request's head is being received, at first since the connection exists.
    head_since: Option<Instant>,
    /// When something was last sent, or a request ended.
    active_at: Instant,
    /// See [`MAX_CANCELLED`].
    cancelled: u32,
    /// What was received since a request was last open.
    idle_bytes: usize,
    /// The same bytes, of which hyper makes a head.
    head: Share,
    /// There was no room for them, or for a request of a client that does not read.
    is_refused: bool,
    /// No request comes any more; it may have become a websocket.
    is_over: bool,
}

/// When something began, and what its connection had sent by then.
#[derive(Clone, Copy)]
struct Since {
    at: Instant,
    sent: u64,
}

impl State {
    fn is_flood(&self) -> bool {
        self.cancelled > MAX_CANCELLED || self.idle_bytes > MAX_IDLE_BYTES || self.is_refused
    }
}

impl Activity {
    /// `head` is what is held for the heads of its requests.
    pub fn new(head_within: Duration, idle_for: Duration, head: Share) -> Arc<Self> {
        let now = Instant::now();
        let state = State {
            handled: 0,
            unsent: BTreeMap::new(),
            answers: 0,
            sent: 0,
            head_since: Some(now),
            active_at: now,
            cancelled: 0,
            idle_bytes: 0,
            head,
            is_refused: false,
            is_over: false,
        };
        Arc::new(Self { head_within, idle_for, state: Mutex::new(state), changed: Notify::new() })
    }

    /// Returns when the client took too long, or floods.
    pub async fn expired(&self) {
        loop {
            let deadline = self.deadline();
            let expires = async {
                match deadline {
                    Some(deadline) => sleep_until(deadline).await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                () = expires => {}
                () = self.changed.notified() => continue,
            }
            if self.deadline().is_some_and(|deadline| deadline <= Instant::now()) {
                return;
            }
        }
    }

    pub fn is_flood(&self) -> bool {
        self.state.lock().is_flood()
    }

    fn deadline(&self) -> Option<Instant> {
        let state = self.state.lock();
        if state.is_flood() {
            return Some(state.active_at);
        }
        // What is owed to a client it has to take, whatever else it asks for: `idle_for` in all, and a second more for every
        // `LEAST_RATE` bytes that the connection took meanwhile, since a slow line is shared by all answers.
        if let Some((_, since)) = state.unsent.first_key_value() {
            let taken = Duration::from_millis((state.sent - since.sent) * 1_000 / LEAST_RATE);
            return Some(since.at + (self.idle_for + taken).min(SENT_WITHIN));
        }
        match state.head_since {
            _ if state.handled > 0 => None,
            Some(since) => Some(since + self.head_within),
            None => Some(state.active_at + self.idle_for),
        }
    }

    fn received(&self, bytes: usize) {
        let mut state = self.state.lock();
        if state.is_over || state.handled + state.unsent.len() > 0 {
            return;
        }
        state.idle_bytes = state.idle_bytes.saturating_add(bytes);
        // Beyond that hyper keeps nothing.
        if state.idle_bytes <= MOST_HEAD {
            state.is_refused |= state.head.grow(bytes as u64).is_err();
        }
        let begins = state.head_since.is_none();
        state.head_since.get_or_insert_with(Instant::now);
        if begins || state.is_flood() {
            self.changed.notify_one();
        }
    }

    /// A request's head is there. `may_be_cancelled` is whether it can end without its connection.
    pub fn begin(self: &Arc<Self>, may_be_cancelled: bool) -> OpenRequest {
        let mut state = self.state.lock();
        state.handled += 1;
        state.head_since = None;
        state.idle_bytes = 0;
        state.head.shrink_to(0);
        OpenRequest { activity: Arc::clone(self), may_be_cancelled, is_answered: false, held: None }
    }

    /// Nothing more is counted.
    pub fn end(&self) {
        let mut state = self.state.lock();
        state.is_over = true;
        state.head.shrink_to(0);
    }

    /// There was no room for a request or its answer.
    fn lacks_room(&self) {
        let mut state = self.state.lock();
        if state.unsent.len() > UNSENT_WITHOUT_ROOM {
            state.is_refused = true;
            self.changed.notify_one();
        }
    }

    fn wrote(&self, bytes: usize) {
        self.state.lock().sent += bytes as u64;
    }
}

/// A request until it is answered.
pub struct OpenRequest {
    activity: Arc<Activity>,
    may_be_cancelled: bool,
    is_answered: bool,
    held: Option<Arc<Mutex<Share>>>,
}

impl OpenRequest {
    /// Takes what the request needs until it is answered, with a head of so many bytes. The share grows with its body.
    ///
    /// # Errors
    /// There is no room for it.
    pub fn hold(&mut self, held: &Arc<Shares>, client: ClientAddress, head: u64) -> Result<Arc<Mutex<Share>>, Full> {
        let taken = held.take(Some(client.into()), HANDLED + 2 * head).inspect_err(|_| self.activity.lacks_room());
        Ok(Arc::clone(self.held.insert(Arc::new(Mutex::new(taken?)))))
    }

    /// Makes room for an answer that has so many bytes of its own in memory, in place of what the request took.
    ///
    /// # Errors
    /// There is no room for it.
    pub fn hold_answer(&self, bytes: u64) -> Result<(), Full> {
        let Some(held) = &self.held else { return Ok(()) };
        held.lock().resize(UNSENT + bytes).inspect_err(|_| self.activity.lacks_room())
    }

    /// The answer is open until it is sent, or its client is gone.
    pub fn answered<B: Body<Data = Bytes>>(mut self, answer: Response<B>) -> Response<SentBody<B>> {
        self.is_answered = true;
        let (head, body) = answer.into_parts();
        let mut state = self.activity.state.lock();
        let now = Instant::now();
        state.handled -= 1;
        state.answers += 1;
        state.active_at = now;
        let (number, since) = (state.answers, Since { at: now, sent: state.sent });
        state.unsent.insert(number, since);
        self.activity.changed.notify_one();
        drop(state);
        let answer = Arc::new(UnsentAnswer {
            activity: Arc::clone(&self.activity),
            number,
            may_be_cancelled: self.may_be_cancelled,
            is_whole: AtomicBool::new(false),
            is_cut: AtomicBool::new(false),
            held: self.held.take(),
        });
        // What is generated while it is sent is counted as it comes.
        let is_counted = body.size_hint().exact().is_some();
        Response::from_parts(head, SentBody { body, rest: Bytes::new(), rest_held: None, is_counted, answer })
    }
}

impl Drop for OpenRequest {
    fn drop(&mut self) {
        if self.is_answered {
            return;
        }
        let mut state = self.activity.state.lock();
        state.handled -= 1;
        state.cancelled += u32::from(self.may_be_cancelled);
        state.active_at = Instant::now();
        self.activity.changed.notify_one();
    }
}

/// An answer until the last byte of it is written: hyper takes more of a body than a client reads.
struct UnsentAnswer {
    activity: Arc<Activity>,
    number: u64,
    may_be_cancelled: bool,
    /// All of it was handed over.
    is_whole: AtomicBool,
    /// Some of that was not written.
    is_cut: AtomicBool,
    held: Option<Arc<Mutex<Share>>>,
}

impl Drop for UnsentAnswer {
    fn drop(&mut self) {
        let mut state = self.activity.state.lock();
        state.unsent.remove(&self.number);
        let is_sent = *self.is_whole.get_mut() && !*self.is_cut.get_mut();
        match (self.may_be_cancelled, is_sent) {
            (true, false) => state.cancelled += 1,
            (true, true) => state.cancelled = state.cancelled.saturating_sub(1),
            (false, _) => {}
        }
        state.active_at = Instant::now();
        self.activity.changed.notify_one();
    }
}

/// The body of an answer.
pub struct SentBody<B> {
    body: B,
    /// What is not handed over yet of the last frame, and what is held for that frame.
    rest: Bytes,
    rest_held: Option<Share>,
    /// The body was counted as a whole.
    is_counted: bool,
    answer: Arc<UnsentAnswer>,
}

impl<B> Drop for SentBody<B> {
    fn drop(&mut self) {
        if !self.rest.is_empty() {
            self.answer.is_cut.store(true, Ordering::Relaxed);
        }
    }
}

impl<B: Body<Data = Bytes, Error = io::Error> + Unpin> Body for SentBody<B> {
    type Data = SentData;
    type Error = io::Error;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<io::Result<Frame<SentData>>>> {
        if self.rest.is_empty() {
            let frame = match ready!(Pin::new(&mut self.body).poll_frame(context)) {
                None => {
                    self.answer.is_whole.store(true, Ordering::Relaxed);
                    return Poll::Ready(None);
                }
                Some(frame) => frame?,
            };
            self.rest = match frame.into_data() {
                Ok(data) => data,
                Err(frame) => {
                    return Poll::Ready(frame.into_trailers().ok().map(|trailers| Ok(Frame::trailers(trailers))));
                }
            };
            if !self.is_counted
                && let Some(held) = &self.answer.held
            {
                let share = held.lock().another(self.rest.len() as u64);
                self.rest_held =
                    Some(share.map_err(|full| io::Error::new(io::ErrorKind::QuotaExceeded, full.to_string()))?);
            }
        }
        let piece = self.rest.len().min(PIECE);
        let bytes = self.rest.split_to(piece);
        let held = if self.rest.is_empty() { self.rest_held.take() } else { None };
        if self.is_end_stream() {
            self.answer.is_whole.store(true, Ordering::Relaxed);
        }
        Poll::Ready(Some(Ok(Frame::data(SentData { bytes, answer: Arc::clone(&self.answer), _held: held }))))
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_empty() && self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        let (rest, inner) = (self.rest.len() as u64, self.body.size_hint());
        let mut hint = SizeHint::new();
        hint.set_lower(inner.lower() + rest);
        if let Some(upper) = inner.upper() {
            hint.set_upper(upper + rest);
        }
        hint
    }
}

/// A piece of an answer, until it is written.
pub struct SentData {
    bytes: Bytes,
    answer: Arc<UnsentAnswer>,
    _held: Option<Share>,
}

impl Buf for SentData {
    fn remaining(&self) -> usize {
        self.bytes.remaining()
    }

    fn chunk(&self) -> &[u8] {
        self.bytes.chunk()
    }

    fn advance(&mut self, count: usize) {
        self.bytes.advance(count);
        self.answer.activity.wrote(count);
    }
}

impl Drop for SentData {
    fn drop(&mut self) {
        if self.bytes.has_remaining() {
            self.answer.is_cut.store(true, Ordering::Relaxed);
        }
    }
}

/// A connection that tells its activity and keeps its permit.
pub struct ClientStream<S> {
    pub stream: S,
    pub activity: Arc<Activity>,
    /// None where another node has counted the connection.
    pub permit: Option<Share>,
}

impl ClientStream<TcpStream> {
    /// From now on what arrives wakes the threads of the runtime that calls this, and none of the one before.
    ///
    /// # Errors
    /// The system has no file descriptors left.
    pub fn move_here(&mut self) -> io::Result<()> {
        let stream = std::net::TcpStream::from(self.stream.as_fd().try_clone_to_owned()?);
        self.stream = TcpStream::from_std(stream)?;
        Ok(())
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for ClientStream<S> {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        yield_point();
        let before = into.filled().len();
        ready!(Pin::new(&mut self.stream).poll_read(context, into))?;
        let bytes = into.filled().len() - before;
        if bytes > 0 {
            self.activity.received(bytes);
        }
        Poll::Ready(Ok(()))
    }
}

impl<S> ClientStream<S> {
    fn written(&self, written: io::Result<usize>) -> Poll<io::Result<usize>> {
        self.activity.state.lock().active_at = Instant::now();
        Poll::Ready(written)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for ClientStream<S> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        yield_point();
        let written = ready!(Pin::new(&mut self.stream).poll_write(context, bytes));
        self.written(written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        yield_point();
        let written = ready!(Pin::new(&mut self.stream).poll_write_vectored(context, slices));
        self.written(written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
