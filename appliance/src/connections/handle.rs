//! The server's handle of one connection: its queue of outgoing frames, its rooms, its measurements.

use std::{
    collections::VecDeque,
    io,
    sync::atomic::{AtomicBool, AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering},
    task::{Context, Poll},
    time::Instant,
};

use bytes::{Bytes, BytesMut};
use morpion_openapi::realtime::ServerFrame;
use morpion_rules::{EventId, GameId, Millis, UserId};
use parking_lot::Mutex;
use tokio::{io::AsyncWrite, sync::Notify};

use super::{
    frame::encode,
    outlet::{Outlet, OutletGuard},
    round_trip::{Ping, RoundTrip},
};
use crate::{caller::Caller, shares::Share, subject::ClientAddress};

/// Frames that may be queued for a slow reader. A player of a live game receives a few a second, so this is a minute of
/// not reading; then the connection is closed and its client has to resync.
pub const MAX_QUEUED_FRAMES: usize = 256;

/// Bytes of queued frames that are not counted among those that are held for clients, so that nothing has to be counted for a
/// client that reads.
const UNCOUNTED: usize = 4 * 1024;

/// One write carries at most about this much, so that a long backlog needs no large buffer.
const WRITE_BATCH: usize = 16 * 1024;

/// Frames of capacity that an idle connection keeps.
const IDLE_CAPACITY: usize = 8;

/// Games that one connection can have open: a page shows one, an operator's wall perhaps a dozen.
pub const MAX_ROOMS: usize = 64;

/// Event rooms one connection can show: a page shows one.
pub const MAX_EVENT_ROOMS: usize = 8;

/// A client that has sent nothing since so many pings ago, not even a pong, is considered gone. Time does not count: after a
/// pause of the server all clients would have been silent.
pub const MAX_UNANSWERED_PINGS: u32 = 2;

/// Websocket close codes (RFC 6455, section 7.4.1).
pub mod close {
    pub const NORMAL: u16 = 1000;
    pub const GOING_AWAY: u16 = 1001;
    /// Frames that are not as RFC 6455 has them.
    pub const PROTOCOL: u16 = 1002;
    /// A text that is not UTF-8.
    pub const NOT_TEXT: u16 = 1007;
    pub const POLICY: u16 = 1008;
    pub const TOO_BIG: u16 = 1009;
    /// The reader was too slow: it should reconnect and request the state.
    pub const TRY_AGAIN: u16 = 1013;
    /// The session or the token ended.
    pub const SIGNED_OUT: u16 = 4001;
    /// What the session may do changed: it should reconnect.
    pub const RIGHTS_CHANGED: u16 = 4002;
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ConnectionId(pub u64);

impl std::fmt::Display for ConnectionId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "s{}", self.0)
    }
}

/// What is known of a socket's session or token.
#[derive(Debug, Default)]
struct Validity {
    /// When it has to be looked at again: its end, as far as known.
    until: Millis,
    /// How often a check was requested.
    requested: u32,
}

/// A look at a session or token: see [`ConnectionHandle::begin_check`].
#[derive(Debug, Clone, Copy)]
pub struct Check(u32);

/// Frames that wait to be written.
#[derive(Debug, Default)]
struct Queue {
    frames: VecDeque<Bytes>,
    /// Somebody is about to write them. If not, all of them are deferred.
    is_claimed: bool,
    /// Bytes of the frames, with those of the last write, which may wait for the socket.
    bytes: usize,
    last_write: usize,
    /// What is held for the client: nothing up to [`UNCOUNTED`] bytes.
    held: Option<Share>,
}

impl Queue {
    /// Takes or gives back what the bytes need. Returns whether there is room for them.
    fn has_room(&mut self) -> bool {
        let needed = if self.bytes > UNCOUNTED { self.bytes as u64 } else { 0 };
        self.held.as_mut().is_none_or(|held| held.resize(needed).is_ok())
    }

    /// The write before is done, and this is the next.
    fn written(&mut self, next: usize) {
        let was_counted = self.bytes > UNCOUNTED;
        self.bytes -= self.last_write;
        self.last_write = next;
        if was_counted {
            self.has_room();
        }
    }
}

/// A connection, for every part that sends to it. Sending never waits.
#[derive(Debug)]
pub struct ConnectionHandle {
    pub id: ConnectionId,
    pub caller: Caller,
    /// The remote address, if known.
    pub address: Option<ClientAddress>,
    queue: Mutex<Queue>,
    outlet: Outlet,
    close_code: AtomicU16,
    /// There is something to write, or closing was requested; only the connection's task waits for it.
    ready: Notify,
    /// Pings since the client last sent something.
    unanswered_pings: AtomicU32,
    validity: Mutex<Validity>,
    round_trip: Mutex<RoundTrip>,
    /// Which list of games to watch it follows, counted from 1; 0 for none.
    pub live_now: AtomicU8,
    /// Games it has open, to be left when it ends.
    rooms: Mutex<Vec<GameId>>,
    /// Event rooms it shows, likewise.
    events: Mutex<Vec<EventId>>,
    is_gone: AtomicBool,
}

impl ConnectionHandle {
    pub fn new(caller: Caller, address: Option<ClientAddress>) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        Self {
            id: ConnectionId(NEXT.fetch_add(1, Ordering::Relaxed)),
            caller,
            address,
            queue: Mutex::default(),
            outlet: Outlet::default(),
            close_code: AtomicU16::new(0),
            ready: Notify::new(),
            unanswered_pings: AtomicU32::new(0),
            validity: Mutex::default(),
            round_trip: Mutex::default(),
            live_now: AtomicU8::new(0),
            rooms: Mutex::default(),
            events: Mutex::default(),
            is_gone: AtomicBool::new(false),
        }
    }

    /// What waits for the client is held as a part of this share.
    pub fn holding(mut self, share: Share) -> Self {
        self.queue.get_mut().held = Some(share);
        self
    }

    pub fn user_id(&self) -> Option<UserId> {
        self.caller.user_id()
    }

    /// To be called before the store is asked until when the session or token is good.
    pub fn begin_check(&self) -> Check {
        Check(self.validity.lock().requested)
    }

    /// Records until when its session or token is good, by the clock that it goes by; not if another check was requested
    /// since this one began.
    pub fn set_valid_until(&self, check: Check, end: Millis) {
        let mut validity = self.validity.lock();
        if validity.requested == check.0 {
            validity.until = end;
        }
    }

    /// Has the session or token looked at again.
    pub fn request_check(&self) {
        let mut validity = self.validity.lock();
        *validity = Validity { until: Millis(0), requested: validity.requested.wrapping_add(1) };
    }

    /// Whether its session (by the steady clock) or its token (by the machine's) has ended, as far as known, and it is not
    /// being closed yet.
    pub fn is_overdue(&self, steady: Millis, wall: Millis) -> bool {
        let now = match self.caller {
            Caller::Operator(_) => wall,
            Caller::User(_) => steady,
            // There is nothing that could end.
            Caller::Visitor => return false,
        };
        self.validity.lock().until <= now && self.close_code().is_none()
    }

    /// Queues an encoded frame, unless the connection is being closed. A reader that is too slow is disconnected instead
    /// of slowing anybody down.
    pub fn send(&self, frame: Bytes) {
        self.queue(frame);
        self.wake();
    }

    /// As [`ConnectionHandle::send`], without having it written. Returns whether the caller has to do that, by
    /// [`ConnectionHandle::write_now`]; otherwise who queued a frame before this one does.
    pub fn queue(&self, frame: Bytes) -> bool {
        let mut queue = self.queue.lock();
        self.push(&mut queue, frame) && !std::mem::replace(&mut queue.is_claimed, true)
    }

    /// As [`ConnectionHandle::queue`], for a frame that may be written later, or with one that may not. Returns whether
    /// nothing else was queued, so that somebody has to [wake](ConnectionHandle::wake) the task in the end.
    pub fn queue_deferred(&self, frame: Bytes) -> bool {
        let mut queue = self.queue.lock();
        self.push(&mut queue, frame) && queue.frames.len() == 1
    }

    /// Whether the frame is accepted.
    fn push(&self, queue: &mut Queue, frame: Bytes) -> bool {
        if self.close_code().is_some() {
            return false;
        }
        if queue.frames.len() == MAX_QUEUED_FRAMES {
            self.close(close::TRY_AGAIN);
            return false;
        }
        queue.bytes += frame.len();
        if queue.bytes > UNCOUNTED && !queue.has_room() {
            queue.bytes -= frame.len();
            self.close(close::TRY_AGAIN);
            return false;
        }
        queue.frames.push_back(frame);
        true
    }

    /// Has the connection's task look at what is queued.
    pub fn wake(&self) {
        self.ready.notify_one();
    }

    /// Frames that can still be queued before the reader counts as too slow.
    pub fn free_capacity(&self) -> usize {
        MAX_QUEUED_FRAMES - self.queue.lock().frames.len()
    }

    /// Takes the next frames to write, as one buffer; empty when none are queued.
    pub fn next_write(&self) -> Bytes {
        let mut queue = self.queue.lock();
        let next = Self::take_next(&mut queue);
        queue.written(next.len());
        next
    }

    fn take_next(queue: &mut Queue) -> Bytes {
        let Queue { frames, is_claimed, .. } = queue;
        let Some(first) = frames.pop_front() else { return Bytes::new() };
        if frames.is_empty() {
            *is_claimed = false;
            if frames.capacity() > IDLE_CAPACITY {
                *frames = VecDeque::new();
            }
            return first;
        }
        let mut batch = BytesMut::from(first);
        while batch.len() < WRITE_BATCH
            && let Some(frame) = frames.pop_front()
        {
            batch.extend_from_slice(&frame);
        }
        *is_claimed &= !frames.is_empty();
        batch.freeze()
    }

    /// For the connection's task: from now on frames are written to this stream, until the guard is dropped.
    pub fn open_outlet(&self, stream: impl AsyncWrite + Send + Unpin + 'static) -> OutletGuard<'_> {
        self.outlet.open(stream)
    }

    /// For the connection's task: writes what is queued. Each time it has to poll [`ConnectionHandle::ready`] before:
    /// who takes the socket's waker away afterwards wakes it by that.
    ///
    /// # Errors
    /// The connection failed.
    pub fn poll_write_queued(&self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.outlet.poll_write(context, || self.next_write())
    }

    /// Writes what is queued, as far as the socket takes it, and wakes the connection's task for the rest. It also
    /// wakes it if there is no socket yet, and if somebody else is writing, who may have found the queue empty already.
    pub fn write_now(&self) {
        if !self.outlet.try_write(|| self.next_write()) {
            self.wake();
        }
    }

    /// For the connection's task: resolves when there may be something to write, or closing was requested.
    pub async fn ready(&self) {
        self.ready.notified().await;
    }

    pub fn send_frame(&self, frame: &ServerFrame) {
        self.send(encode(&frame.to_text()));
    }

    /// Requests closing; the first code wins.
    pub fn close(&self, code: u16) {
        if self.close_code.compare_exchange(0, code, Ordering::AcqRel, Ordering::Acquire).is_ok() {
            self.ready.notify_one();
        }
    }

    /// Closes the connection because its session or token ended, or may do something else now: of what is queued nothing
    /// but `last` is sent any more.
    pub fn end(&self, code: u16, last: Option<Bytes>) {
        let mut queue = self.queue.lock();
        queue.frames.clear();
        queue.bytes = queue.last_write + last.as_ref().map_or(0, Bytes::len);
        queue.has_room();
        queue.frames.extend(last);
        self.close(code);
    }

    /// Why it was [ended](Self::end), after which nothing that it sends is done.
    pub fn end_code(&self) -> Option<u16> {
        self.close_code().filter(|code| matches!(*code, close::SIGNED_OUT | close::RIGHTS_CHANGED))
    }

    /// The requested close code.
    pub fn close_code(&self) -> Option<u16> {
        Some(self.close_code.load(Ordering::Acquire)).filter(|code| *code != 0)
    }

    /// Records that the connection has a game open; false if it has too many.
    pub fn enter(&self, game: GameId) -> bool {
        let mut rooms = self.rooms.lock();
        if rooms.contains(&game) {
            return true;
        }
        let has_capacity = rooms.len() < MAX_ROOMS;
        if has_capacity {
            rooms.push(game);
        }
        has_capacity
    }

    pub fn leave(&self, game: GameId) {
        self.rooms.lock().retain(|other| *other != game);
    }

    /// Takes all games it has open.
    pub fn leave_all(&self) -> Vec<GameId> {
        std::mem::take(&mut self.rooms.lock())
    }

    /// Records that the connection shows an event room; false if it shows too many.
    pub fn enter_event(&self, event: EventId) -> bool {
        let mut events = self.events.lock();
        if events.contains(&event) {
            return true;
        }
        let has_capacity = events.len() < MAX_EVENT_ROOMS;
        if has_capacity {
            events.push(event);
        }
        has_capacity
    }

    pub fn leave_event(&self, event: EventId) {
        self.events.lock().retain(|other| *other != event);
    }

    /// The connection has ended, and left its rooms.
    pub fn is_gone(&self) -> bool {
        self.is_gone.load(Ordering::SeqCst)
    }

    /// Takes all event rooms it shows.
    pub fn leave_all_events(&self) -> Vec<EventId> {
        self.is_gone.store(true, Ordering::SeqCst);
        std::mem::take(&mut self.events.lock())
    }

    /// Pings the client, which also measures the round trip.
    pub fn ping(&self, ping: &Ping) {
        self.record_ping(ping);
        self.send(ping.frame());
    }

    /// A ping is to be sent.
    pub fn record_ping(&self, ping: &Ping) {
        self.unanswered_pings.fetch_add(1, Ordering::Relaxed);
        self.round_trip.lock().ping_sent(ping);
    }

    /// A pong arrived.
    pub fn pong_received(&self, payload: &[u8], now: Instant) {
        self.round_trip.lock().pong_received(payload, now);
    }

    /// The round trip in milliseconds; `None` before the first pong.
    pub fn round_trip(&self) -> Option<u32> {
        self.round_trip.lock().round_trip()
    }

    /// The client sent something.
    pub fn record_activity(&self) {
        self.unanswered_pings.store(0, Ordering::Relaxed);
    }

    pub fn is_silent(&self) -> bool {
        self.unanswered_pings.load(Ordering::Relaxed) >= MAX_UNANSWERED_PINGS
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    #[test]
    fn a_frame_is_header_and_payload() {
        assert_eq!(&encode("{}")[..], &[0x81, 2, b'{', b'}']);
        let long = "x".repeat(300);
        assert_eq!(&encode(&long)[..4], &[0x81, 126, 1, 44]);
    }

    fn connection() -> ConnectionHandle {
        ConnectionHandle::new(Caller::Visitor, None)
    }

    #[test]
    fn a_slow_reader_is_closed_and_delays_nobody() {
        let connection = connection();
        for _ in 0..=MAX_QUEUED_FRAMES {
            connection.send(encode("{}"));
        }
        assert_eq!((connection.free_capacity(), connection.close_code()), (0, Some(close::TRY_AGAIN)));
    }

    #[test]
    fn closing_wakes_the_task() {
        let is_woken = |connection: &ConnectionHandle| connection.ready().now_or_never().is_some();
        let (closed, ended) = (connection(), connection());
        closed.close(close::POLICY);
        ended.end(close::SIGNED_OUT, None);
        assert!(is_woken(&closed) && is_woken(&ended));
        // Also if it is closed because its queue is full of frames that nobody has written yet.
        let slow = connection();
        for _ in 0..MAX_QUEUED_FRAMES {
            slow.queue(encode("{}"));
        }
        assert!(!is_woken(&slow));
        slow.queue(encode("{}"));
        assert!(is_woken(&slow));
    }

    #[test]
    fn exactly_one_has_to_write_what_is_queued() {
        let connection = connection();
        assert!(connection.queue(encode("first")));
        assert!(!connection.queue(encode("second")));
        assert!(!connection.queue_deferred(encode("third")));
        assert_eq!(connection.next_write(), [encode("first"), encode("second"), encode("third")].concat());
        // Frames that are deferred are not waited for.
        assert!(connection.queue_deferred(encode("first")));
        assert!(!connection.queue_deferred(encode("second")));
        assert!(connection.queue(encode("third")));
        assert!(!connection.queue(encode("fourth")));
        // Who takes a part of them takes the rest.
        let large = encode(&"x".repeat(WRITE_BATCH));
        assert!(!connection.queue(large.clone()));
        assert!(!connection.queue(encode("fifth")));
        assert!(connection.next_write().ends_with(&large));
        assert!(!connection.queue(encode("sixth")));
        assert_eq!(connection.next_write(), [encode("fifth"), encode("sixth")].concat());
        assert!(connection.queue(encode("seventh")));
    }

    #[tokio::test]
    async fn queued_frames_are_written_in_order_in_bounded_pieces() {
        let connection = connection();
        assert!(connection.next_write().is_empty());
        connection.send(encode("first"));
        connection.ready().await;
        assert_eq!(connection.next_write(), encode("first"));
        let frames: Vec<Bytes> = (0..100).map(|number| encode(&format!("{number:0>500}"))).collect();
        frames.iter().for_each(|frame| connection.send(frame.clone()));
        let pieces: Vec<Bytes> =
            std::iter::from_fn(|| Some(connection.next_write()).filter(|piece| !piece.is_empty())).collect();
        assert!(pieces.len() > 1 && pieces.iter().all(|piece| piece.len() < WRITE_BATCH + frames[0].len()));
        assert_eq!(pieces.concat(), frames.concat());
        assert_eq!(connection.free_capacity(), MAX_QUEUED_FRAMES);
    }

    #[test]
    fn an_ended_connection_sends_one_last_frame() {
        let connection = connection();
        connection.send(encode("queued before"));
        connection.end(close::SIGNED_OUT, Some(encode("last")));
        connection.send(encode("after"));
        assert_eq!(connection.next_write(), encode("last"));
        assert!(connection.next_write().is_empty());
        assert_eq!(connection.end_code(), Some(close::SIGNED_OUT));
    }

    #[test]
    fn a_flood_cannot_put_off_the_close() {
        let connection = connection();
        connection.close(close::POLICY);
        connection.send(encode("a record of a busy log"));
        assert!(connection.next_write().is_empty(), "the writer would never come to the close frame");
    }

    #[test]
    fn a_client_that_answers_no_ping_is_silent() {
        let (connection, ping) = (connection(), Ping::new(Instant::now()));
        connection.ping(&ping);
        assert!(!connection.is_silent());
        connection.ping(&ping);
        assert!(connection.is_silent());
        connection.record_activity();
        assert!(!connection.is_silent());
    }
}
