//! What happens on a connection, and until when something has to.

use std::{
    io,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
    time::Duration,
};

use hyper::body::{Body, Frame, SizeHint};
use parking_lot::Mutex;
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    sync::Notify,
    time::{Instant, sleep_until},
};

use crate::http::limits::ConnectionPermit;

/// Requests of an HTTP/2 connection that were cancelled, less those that were answered whole. A page that is left
/// cancels what it had asked for, some thirty requests at most; a flood of resets does nothing else.
const MAX_CANCELLED: u32 = 100;

/// Bytes that a connection may send while it asks for nothing: twice what HTTP/2 lets a client send of a body that was
/// answered already. Frames that belong to no request are no more than that.
const MAX_IDLE_BYTES: usize = 2 << 20;

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
    /// Responses being sent.
    sent: usize,
    /// Since when a request's head is being received, at first since the connection exists.
    head_since: Option<Instant>,
    /// When something was last sent, or a request ended.
    active_at: Instant,
    /// See [`MAX_CANCELLED`].
    cancelled: u32,
    /// What was received since a request was last open.
    idle_bytes: usize,
}

impl State {
    fn is_flood(&self) -> bool {
        self.cancelled > MAX_CANCELLED || self.idle_bytes > MAX_IDLE_BYTES
    }
}

impl Activity {
    pub fn new(head_within: Duration, idle_for: Duration) -> Arc<Self> {
        let now = Instant::now();
        let state = State { handled: 0, sent: 0, head_since: Some(now), active_at: now, cancelled: 0, idle_bytes: 0 };
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
        match state.head_since {
            _ if state.is_flood() => Some(state.active_at),
            _ if state.handled > 0 => None,
            Some(since) if state.sent == 0 => Some(since + self.head_within),
            _ => Some(state.active_at + self.idle_for),
        }
    }

    fn received(&self, bytes: usize) {
        let mut state = self.state.lock();
        if state.handled + state.sent > 0 {
            return;
        }
        state.idle_bytes = state.idle_bytes.saturating_add(bytes);
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
        OpenRequest { activity: Arc::clone(self), may_be_cancelled, is_answered: false, is_sent: false }
    }
}

/// A request until its response is sent.
pub struct OpenRequest {
    activity: Arc<Activity>,
    may_be_cancelled: bool,
    is_answered: bool,
    /// The response is sent whole.
    is_sent: bool,
}

impl OpenRequest {
    /// The response is open until it is sent, or its client is gone.
    pub fn answered<B: Body>(mut self, body: B) -> SentBody<B> {
        self.is_answered = true;
        let mut state = self.activity.state.lock();
        state.handled -= 1;
        state.sent += 1;
        state.active_at = Instant::now();
        self.activity.changed.notify_one();
        drop(state);
        SentBody { body, open: self }
    }
}

impl Drop for OpenRequest {
    fn drop(&mut self) {
        let mut state = self.activity.state.lock();
        if self.is_answered {
            state.sent -= 1;
        } else {
            state.handled -= 1;
        }
        match (self.may_be_cancelled, self.is_sent) {
            (true, false) => state.cancelled += 1,
            (true, true) => state.cancelled = state.cancelled.saturating_sub(1),
            (false, _) => {}
        }
        state.active_at = Instant::now();
        self.activity.changed.notify_one();
    }
}

/// The body of a response, with what it keeps open.
pub struct SentBody<B: Body> {
    body: B,
    open: OpenRequest,
}

impl<B: Body> Drop for SentBody<B> {
    fn drop(&mut self) {
        self.open.is_sent |= self.body.is_end_stream();
    }
}

impl<B: Body + Unpin> Body for SentBody<B> {
    type Data = B::Data;
    type Error = B::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<B::Data>, B::Error>>> {
        let frame = ready!(Pin::new(&mut self.body).poll_frame(context));
        self.open.is_sent |= frame.is_none();
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// A connection that tells its activity and keeps its permit.
pub struct ClientStream<S> {
    pub stream: S,
    pub activity: Arc<Activity>,
    /// None where another node has counted the connection.
    pub permit: Option<ConnectionPermit>,
}

impl<S: AsyncRead + Unpin> AsyncRead for ClientStream<S> {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
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
        let written = ready!(Pin::new(&mut self.stream).poll_write(context, bytes));
        self.written(written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
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
