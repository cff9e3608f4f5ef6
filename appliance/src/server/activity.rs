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
    net::TcpStream,
    sync::Notify,
    time::{Instant, sleep_until},
};

use super::limits::ConnectionPermit;

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
}

impl Activity {
    pub fn new(head_within: Duration, idle_for: Duration) -> Arc<Self> {
        let now = Instant::now();
        let state = State { handled: 0, sent: 0, head_since: Some(now), active_at: now };
        Arc::new(Self { head_within, idle_for, state: Mutex::new(state), changed: Notify::new() })
    }

    /// Returns when the client took too long.
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

    fn deadline(&self) -> Option<Instant> {
        let state = self.state.lock();
        match state.head_since {
            _ if state.handled > 0 => None,
            Some(since) if state.sent == 0 => Some(since + self.head_within),
            _ => Some(state.active_at + self.idle_for),
        }
    }

    fn received(&self) {
        let mut state = self.state.lock();
        if state.handled + state.sent == 0 && state.head_since.is_none() {
            state.head_since = Some(Instant::now());
            self.changed.notify_one();
        }
    }

    /// A request's head is there.
    pub fn begin(self: &Arc<Self>) -> OpenRequest {
        let mut state = self.state.lock();
        state.handled += 1;
        state.head_since = None;
        OpenRequest { activity: Arc::clone(self), is_answered: false }
    }
}

/// A request until its response is sent.
pub struct OpenRequest {
    activity: Arc<Activity>,
    is_answered: bool,
}

impl OpenRequest {
    /// The response is open until it is sent, or its client is gone.
    pub fn answered<B>(mut self, body: B) -> SentBody<B> {
        self.is_answered = true;
        let mut state = self.activity.state.lock();
        state.handled -= 1;
        state.sent += 1;
        state.active_at = Instant::now();
        self.activity.changed.notify_one();
        drop(state);
        SentBody { body, _open: self }
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
        state.active_at = Instant::now();
        self.activity.changed.notify_one();
    }
}

/// The body of a response, with what it keeps open.
pub struct SentBody<B> {
    body: B,
    _open: OpenRequest,
}

impl<B: Body + Unpin> Body for SentBody<B> {
    type Data = B::Data;
    type Error = B::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<B::Data>, B::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// A connection that tells its activity and keeps its permit, also after it became a websocket.
pub struct ClientStream {
    pub stream: TcpStream,
    pub activity: Arc<Activity>,
    pub _permit: ConnectionPermit,
}

impl AsyncRead for ClientStream {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let before = into.filled().len();
        ready!(Pin::new(&mut self.stream).poll_read(context, into))?;
        if into.filled().len() > before {
            self.activity.received();
        }
        Poll::Ready(Ok(()))
    }
}

impl ClientStream {
    fn written(&self, written: io::Result<usize>) -> Poll<io::Result<usize>> {
        self.activity.state.lock().active_at = Instant::now();
        Poll::Ready(written)
    }
}

impl AsyncWrite for ClientStream {
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
