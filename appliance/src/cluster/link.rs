//! A stream of bytes between two nodes over core NATS: reliable and in order, or an error.
//!
//! Core NATS delivers at most once, and drops what a slow subscriber does not take. So messages have numbers, and one that
//! is missing or repeated ends the link, as silence does. What was not read yet is bounded: the reader tells how far it
//! is, and the writer waits. What is written while a message is being sent goes into the next one.
//!
//! A message is a byte for its kind, its number from 1, the number up to which the sender has read the other direction
//! (both in 8 bytes, the highest first), and bytes of the stream.

use std::{
    collections::VecDeque,
    io,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, Waker},
    time::Duration,
};

use async_nats::{Client, Message as NatsMessage, Request, RequestErrorKind, Subject, Subscriber};
use bytes::{Buf, BufMut, Bytes, BytesMut};
use futures_util::{Stream, StreamExt};
use morpion_cluster::NodeId;
use parking_lot::Mutex;
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    sync::{Notify, OwnedSemaphorePermit, Semaphore},
    time::{Instant, sleep, timeout, timeout_at},
};

/// Bytes of the stream in one message: far below `max_payload`, so that what is small does not wait long behind it.
const MAX_MESSAGE: usize = 128 << 10;

/// Bytes of one direction that were sent and not read yet. NATS holds them for a node that is slow, and cuts a connection
/// off for which it holds 64 MiB.
const WINDOW: usize = 1 << 20;

/// Messages with such bytes. A subscription holds 65,536.
const MAX_UNREAD: usize = 256;

/// Bytes that were written and wait for their message.
const MAX_WRITTEN: usize = 2 * MAX_MESSAGE;

/// Each end sends something this often.
const PING_EVERY: Duration = Duration::from_secs(1);

/// An end that hears nothing for so long gives up.
const SILENCE: Duration = Duration::from_secs(3);

/// An end that closes has so long to send what was written.
const CLOSE_WITHIN: Duration = Duration::from_secs(2);

/// How long a node has to answer a dial.
const DIAL_WITHIN: Duration = Duration::from_secs(2);

/// Links to one listener at once: many more than a cluster of some nodes has.
const MAX_LINKS: usize = 1_024;

/// Bytes before those of the stream.
const HEAD: usize = 17;

/// The version of dials and their answers.
const VERSION: u8 = 1;

/// Bytes of the longest subject that a dial may name.
const MAX_INBOX: usize = 128;

/// Sends the messages of one direction.
pub trait Wire: Send + Sync + 'static {
    /// Returns when the message is on its way. Those of one link are sent one after another.
    ///
    /// # Errors
    /// No message can be sent.
    fn send(&self, message: Bytes) -> impl Future<Output = io::Result<()>> + Send;
}

/// One end of a link. It has no half-closed state: who shuts it down, or drops it, ends both directions, after what was
/// written is sent.
#[derive(Debug)]
pub struct Link(Arc<Shared>);

impl Link {
    /// A link whose messages are sent by `wire`, and received from `incoming`.
    pub fn over(wire: impl Wire, incoming: impl Stream<Item = Bytes> + Send + Unpin + 'static) -> Self {
        let shared = Arc::<Shared>::default();
        tokio::spawn(run(Arc::clone(&shared), wire, incoming));
        Self(shared)
    }
}

/// Opens a link to the node that leads, by its subject in the cluster `stream`.
///
/// # Errors
/// `NotConnected`: the node does not lead, or is gone. Others: NATS does not answer.
pub async fn dial(client: &Client, stream: &str, leader: NodeId, me: NodeId) -> io::Result<Link> {
    let inbox = client.new_inbox();
    let incoming = client.subscribe(inbox.clone()).await.map_err(io::Error::other)?;
    let request = Request::new().payload(encode_dial(me, &inbox)).timeout(Some(DIAL_WITHIN));
    let answer = client.send_request(dial_subject(stream, leader), request).await.map_err(|error| {
        let kind = match error.kind() {
            RequestErrorKind::NoResponders => io::ErrorKind::NotConnected,
            RequestErrorKind::TimedOut => io::ErrorKind::TimedOut,
            _ => io::ErrorKind::Other,
        };
        io::Error::new(kind, error)
    })?;
    if answer.payload.is_empty() {
        return Err(io::Error::new(io::ErrorKind::ConnectionRefused, "the node has as many links as it can take"));
    }
    let subject = decode_answer(&answer.payload, &inbox)?;
    let wire = NatsWire { client: client.clone(), subject, _place: None };
    Ok(Link::over(wire, incoming.map(|message| message.payload)))
}

/// Where a node that leads is dialled: bind it when the node begins to lead, and drop it when it stops. Without it a dial
/// fails at once.
#[derive(Debug)]
pub struct LinkListener {
    client: Client,
    dials: Subscriber,
    places: Arc<Semaphore>,
}

impl LinkListener {
    /// # Errors
    /// The connection to NATS is closed for good.
    pub async fn bind(client: &Client, stream: &str, me: NodeId) -> io::Result<Self> {
        let dials = client.subscribe(dial_subject(stream, me)).await.map_err(io::Error::other)?;
        Ok(Self { client: client.clone(), dials, places: Arc::new(Semaphore::new(MAX_LINKS)) })
    }

    /// The next link, and who dialled it.
    ///
    /// # Errors
    /// The connection to NATS is closed for good.
    pub async fn accept(&mut self) -> io::Result<(NodeId, Link)> {
        loop {
            let dial = self.dials.next().await.ok_or(io::ErrorKind::BrokenPipe)?;
            match self.answer(dial).await {
                Ok(accepted) => return Ok(accepted),
                Err(error) => tracing::debug!(%error, "a dial was not answered"),
            }
        }
    }

    async fn answer(&self, dial: NatsMessage) -> io::Result<(NodeId, Link)> {
        let inbox = self.client.new_inbox();
        let (from, subject) = decode_dial(&dial.payload, &inbox)?;
        let reply = dial.reply.ok_or_else(|| invalid("it wants no answer"))?;
        let Ok(place) = Arc::clone(&self.places).try_acquire_owned() else {
            self.client.publish(reply, Bytes::new()).await.map_err(io::Error::other)?;
            return Err(io::Error::new(io::ErrorKind::QuotaExceeded, "there are too many links"));
        };
        let incoming = self.client.subscribe(inbox.clone()).await.map_err(io::Error::other)?;
        self.client.publish(reply, encode_answer(&inbox)).await.map_err(io::Error::other)?;
        let wire = NatsWire { client: self.client.clone(), subject, _place: Some(place) };
        Ok((from, Link::over(wire, incoming.map(|message| message.payload))))
    }
}

/// The subject that the other end listens to.
struct NatsWire {
    client: Client,
    subject: Subject,
    /// Among the links of a listener.
    _place: Option<OwnedSemaphorePermit>,
}

impl Wire for NatsWire {
    async fn send(&self, message: Bytes) -> io::Result<()> {
        self.client.publish(self.subject.clone(), message).await.map_err(io::Error::other)?;
        // What is written until the message has left the process is sent together.
        self.client.flush().await.map_err(io::Error::other)
    }
}

fn dial_subject(stream: &str, node: NodeId) -> String {
    format!("{stream}.link.{}", node.0)
}

fn invalid(reason: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, reason)
}

/// The version, who dials, and where it listens.
fn encode_dial(from: NodeId, inbox: &str) -> Bytes {
    let mut message = BytesMut::with_capacity(5 + inbox.len());
    message.put_u8(VERSION);
    message.put_u32(from.0);
    message.put_slice(inbox.as_bytes());
    message.freeze()
}

/// `own` is an inbox of this node.
fn decode_dial(mut message: &[u8], own: &str) -> io::Result<(NodeId, Subject)> {
    if message.try_get_u8().ok() != Some(VERSION) {
        return Err(invalid("it has another version"));
    }
    let from = message.try_get_u32().map_err(|_| invalid("it is cut off"))?;
    Ok((NodeId(from), decode_inbox(message, own)?))
}

/// The version, and where the dialled node listens.
fn encode_answer(inbox: &str) -> Bytes {
    [&[VERSION][..], inbox.as_bytes()].concat().into()
}

fn decode_answer(message: &[u8], own: &str) -> io::Result<Subject> {
    match message {
        [VERSION, inbox @ ..] => decode_inbox(inbox, own),
        _ => Err(invalid("it has another version")),
    }
}

/// Nobody makes this node publish elsewhere than to an inbox, which begins as all of them do.
fn decode_inbox(inbox: &[u8], own: &str) -> io::Result<Subject> {
    let prefix = |inbox: &str| inbox.rfind('.').map(|dot| inbox[..dot].to_owned());
    let text = std::str::from_utf8(inbox).ok().filter(|text| text.len() <= MAX_INBOX);
    let text = text.filter(|text| prefix(text).is_some() && prefix(text) == prefix(own));
    let text = text.filter(|text| text.rsplit('.').next().is_some_and(is_token));
    text.map(Subject::from).ok_or_else(|| invalid("it names no inbox"))
}

fn is_token(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Perhaps without bytes, so that the other end hears something.
    Data = 0,
    /// The sender has closed the link, and sends and reads nothing more.
    Close = 1,
    /// The link has failed for the sender.
    Failure = 2,
}

#[derive(Debug, PartialEq, Eq)]
struct Message {
    kind: Kind,
    number: u64,
    /// Everything up to this number was read by the sender.
    read: u64,
    bytes: Bytes,
}

impl Message {
    fn encode(kind: Kind, number: u64, read: u64, bytes: &[u8]) -> Bytes {
        let mut message = BytesMut::with_capacity(HEAD + bytes.len());
        message.put_u8(kind as u8);
        message.put_u64(number);
        message.put_u64(read);
        message.put_slice(bytes);
        message.freeze()
    }

    fn decode(mut message: Bytes) -> io::Result<Self> {
        if !(HEAD..=HEAD + MAX_MESSAGE).contains(&message.len()) {
            return Err(invalid("a message is too short or too long"));
        }
        let kind = match message.get_u8() {
            0 => Kind::Data,
            1 => Kind::Close,
            2 => Kind::Failure,
            _ => return Err(invalid("a message is of an unknown kind")),
        };
        Ok(Self { kind, number: message.get_u64(), read: message.get_u64(), bytes: message })
    }
}

/// How a link ended.
#[derive(Debug)]
enum End {
    Closed,
    Failed(io::ErrorKind, String),
}

#[derive(Debug, Default)]
struct State {
    /// Bytes that were received and not read, with the numbers of their messages.
    received: VecDeque<(u64, Bytes)>,
    unread: usize,
    last_received: u64,
    /// The last message whose bytes were all read.
    read: u64,
    /// Bytes and messages that were read since the other end was told.
    untold: usize,
    untold_messages: usize,

    written: BytesMut,
    last_sent: u64,
    /// Messages that the other end has not read: their numbers and bytes.
    in_flight: VecDeque<(u64, usize)>,
    in_flight_bytes: usize,

    /// This end closes the link.
    is_closing: bool,
    end: Option<End>,
    reader: Option<Waker>,
    writer: Option<Waker>,
}

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    /// There may be something to send.
    changed: Notify,
    /// Nobody has this end any more.
    dropped: Notify,
}

impl State {
    /// The other end waits for room, or soon will.
    fn is_telling_due(&self) -> bool {
        self.untold >= WINDOW / 4 || self.untold_messages >= MAX_UNREAD / 4
    }

    /// What to send next, and whether it is the last message.
    fn next_message(&mut self, is_ping_due: bool) -> Option<(Bytes, bool)> {
        let room = if self.in_flight.len() < MAX_UNREAD { WINDOW - self.in_flight_bytes } else { 0 };
        let length = self.written.len().min(MAX_MESSAGE).min(room);
        let closes = self.is_closing && length == self.written.len();
        if length == 0 && !closes && !is_ping_due && !self.is_telling_due() {
            return None;
        }
        self.last_sent += 1;
        let kind = if closes { Kind::Close } else { Kind::Data };
        let message = Message::encode(kind, self.last_sent, self.read, &self.written[..length]);
        (self.untold, self.untold_messages) = (0, 0);
        if length > 0 {
            self.written.advance(length);
            self.in_flight.push_back((self.last_sent, length));
            self.in_flight_bytes += length;
            wake(&mut self.writer);
        }
        Some((message, closes))
    }

    /// Whether it was the last message.
    fn receive(&mut self, message: Message) -> io::Result<bool> {
        let Message { kind, number, read, bytes } = message;
        if kind == Kind::Failure {
            return Err(io::Error::new(io::ErrorKind::ConnectionAborted, "the link failed for the other node"));
        }
        if number != self.last_received + 1 {
            return Err(io::Error::new(io::ErrorKind::ConnectionAborted, "a message was lost or repeated"));
        }
        if read > self.last_sent {
            return Err(invalid("the other node has read what was not sent"));
        }
        self.last_received = number;
        while let Some((_, length)) = self.in_flight.pop_front_if(|(number, _)| *number <= read) {
            self.in_flight_bytes -= length;
        }
        if !bytes.is_empty() {
            self.unread += bytes.len();
            self.received.push_back((number, bytes));
            if self.unread > WINDOW || self.received.len() > MAX_UNREAD {
                return Err(invalid("the other node sent more than it may"));
            }
            wake(&mut self.reader);
        }
        Ok(kind == Kind::Close)
    }

    fn end(&mut self, end: End) {
        if matches!(end, End::Failed(..)) {
            self.received.clear();
        }
        self.end = Some(end);
        self.written = BytesMut::new();
        wake(&mut self.reader);
        wake(&mut self.writer);
    }

    /// The error of a link that failed.
    fn failure(&self) -> Option<io::Error> {
        match self.end.as_ref()? {
            End::Closed => None,
            End::Failed(kind, reason) => Some(io::Error::new(*kind, reason.clone())),
        }
    }
}

fn wake(waker: &mut Option<Waker>) {
    if let Some(waker) = waker.take() {
        waker.wake();
    }
}

async fn run(shared: Arc<Shared>, wire: impl Wire, incoming: impl Stream<Item = Bytes> + Send + Unpin) {
    let dropped_long_ago = async {
        shared.dropped.notified().await;
        sleep(CLOSE_WITHIN).await;
    };
    let ended = tokio::select! {
        ended = send_all(&shared, &wire) => ended,
        ended = receive_all(&shared, incoming) => ended,
        () = dropped_long_ago => Err(io::ErrorKind::TimedOut.into()),
    };
    let Err(error) = ended else { return shared.state.lock().end(End::Closed) };
    tracing::debug!(%error, "a link failed");
    let failure = {
        let mut state = shared.state.lock();
        state.end(End::Failed(error.kind(), error.to_string()));
        Message::encode(Kind::Failure, state.last_sent + 1, state.read, &[])
    };
    // Otherwise the other end finds out by the silence.
    let _ = timeout(PING_EVERY, wire.send(failure)).await;
}

/// Until the link is closed here.
async fn send_all(shared: &Shared, wire: &impl Wire) -> io::Result<()> {
    let mut ping_at = Instant::now();
    loop {
        let next = shared.state.lock().next_message(ping_at <= Instant::now());
        match next {
            Some((message, is_last)) => {
                wire.send(message).await?;
                if is_last {
                    return Ok(());
                }
                ping_at = Instant::now() + PING_EVERY;
            }
            None => {
                let _ = timeout_at(ping_at, shared.changed.notified()).await;
            }
        }
    }
}

/// Until the link is closed by the other end.
async fn receive_all(shared: &Shared, mut incoming: impl Stream<Item = Bytes> + Unpin) -> io::Result<()> {
    loop {
        let message = match timeout(SILENCE, incoming.next()).await {
            Ok(Some(message)) => Message::decode(message)?,
            Ok(None) => return Err(io::Error::new(io::ErrorKind::BrokenPipe, "the subscription ended")),
            Err(_) => return Err(io::Error::new(io::ErrorKind::TimedOut, "the other node is silent")),
        };
        if shared.state.lock().receive(message)? {
            return Ok(());
        }
        // What was read there makes room here.
        shared.changed.notify_one();
    }
}

impl AsyncRead for Link {
    fn poll_read(self: Pin<&mut Self>, context: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let state = &mut *self.0.state.lock();
        let room = into.remaining();
        while into.remaining() > 0
            && let Some((number, bytes)) = state.received.front_mut()
        {
            let taken = bytes.split_to(bytes.len().min(into.remaining()));
            into.put_slice(&taken);
            state.unread -= taken.len();
            state.untold += taken.len();
            if bytes.is_empty() {
                state.read = *number;
                state.untold_messages += 1;
                state.received.pop_front();
            }
        }
        if into.remaining() < room || room == 0 {
            if state.is_telling_due() {
                self.0.changed.notify_one();
            }
            return Poll::Ready(Ok(()));
        }
        match (state.failure(), &state.end) {
            (Some(error), _) => Poll::Ready(Err(error)),
            (None, Some(_)) => Poll::Ready(Ok(())),
            (None, None) => {
                state.reader = Some(context.waker().clone());
                Poll::Pending
            }
        }
    }
}

impl AsyncWrite for Link {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let state = &mut *self.0.state.lock();
        if let Some(error) = state.failure() {
            return Poll::Ready(Err(error));
        }
        if state.end.is_some() || state.is_closing {
            return Poll::Ready(Err(io::ErrorKind::BrokenPipe.into()));
        }
        let taken = bytes.len().min(MAX_WRITTEN - state.written.len());
        if taken == 0 && !bytes.is_empty() {
            state.writer = Some(context.waker().clone());
            return Poll::Pending;
        }
        if state.written.is_empty() {
            self.0.changed.notify_one();
        }
        state.written.extend_from_slice(&bytes[..taken]);
        Poll::Ready(Ok(taken))
    }

    /// What is written is sent as soon as it can be.
    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(self.0.state.lock().failure().map_or(Ok(()), Err))
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let state = &mut *self.0.state.lock();
        match (state.failure(), &state.end) {
            (Some(error), _) => Poll::Ready(Err(error)),
            (None, Some(_)) => Poll::Ready(Ok(())),
            (None, None) => {
                state.is_closing = true;
                state.writer = Some(context.waker().clone());
                self.0.changed.notify_one();
                Poll::Pending
            }
        }
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        self.0.state.lock().is_closing = true;
        self.0.changed.notify_one();
        self.0.dropped.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use futures_util::stream;
    use tokio::{
        io::{AsyncReadExt, AsyncWriteExt},
        sync::mpsc,
    };

    use super::*;

    struct Memory(mpsc::UnboundedSender<Bytes>);

    impl Wire for Memory {
        async fn send(&self, message: Bytes) -> io::Result<()> {
            self.0.send(message).map_err(|_| io::ErrorKind::BrokenPipe.into())
        }
    }

    /// One direction; `fate` says how often its n-th message arrives.
    fn wire(fate: impl Fn(u64) -> usize + Send + 'static) -> (Memory, mpsc::UnboundedReceiver<Bytes>) {
        let (sender, mut sent) = mpsc::unbounded_channel::<Bytes>();
        let (arrived, arrivals) = mpsc::unbounded_channel();
        tokio::spawn(async move {
            for number in 1.. {
                let Some(message) = sent.recv().await else { return };
                for _ in 0..fate(number) {
                    let _ = arrived.send(message.clone());
                }
            }
        });
        (Memory(sender), arrivals)
    }

    fn incoming(mut arrivals: mpsc::UnboundedReceiver<Bytes>) -> impl Stream<Item = Bytes> + Send + Unpin + 'static {
        stream::poll_fn(move |context| arrivals.poll_recv(context))
    }

    /// Two ends; `fate` is that of what the first one sends.
    fn pair(fate: impl Fn(u64) -> usize + Send + 'static) -> (Link, Link) {
        let ((to_second, at_second), (to_first, at_first)) = (wire(fate), wire(|_| 1));
        (Link::over(to_second, incoming(at_first)), Link::over(to_first, incoming(at_second)))
    }

    fn pattern(length: usize) -> Vec<u8> {
        (0..length).map(|index| (index * 31 % 251) as u8).collect()
    }

    #[tokio::test]
    async fn everything_arrives_in_order_in_both_directions() {
        let (mut first, mut second) = pair(|_| 1);
        let sent = pattern(5 * WINDOW + 7);
        let echoing = tokio::spawn(async move {
            let (mut read, mut write) = tokio::io::split(&mut second);
            tokio::io::copy(&mut read, &mut write).await
        });
        let mut received = vec![0; sent.len()];
        {
            let (mut read, mut write) = tokio::io::split(&mut first);
            let (written, read) = tokio::join!(write.write_all(&sent), read.read_exact(&mut received));
            written.unwrap();
            read.unwrap();
        }
        assert!(received == sent);
        drop(first);
        assert_eq!(echoing.await.unwrap().unwrap(), sent.len() as u64);
    }

    #[tokio::test]
    async fn who_does_not_read_makes_the_writer_wait() {
        let (mut first, mut second) = pair(|_| 1);
        let bytes = pattern(2 * WINDOW);
        let mut written = 0;
        while let Ok(more) = timeout(Duration::from_millis(100), first.write(&bytes[written..])).await {
            written += more.unwrap();
        }
        assert_eq!(written, WINDOW + MAX_WRITTEN);
        let mut received = vec![0; written];
        second.read_exact(&mut received).await.unwrap();
        assert!(received == bytes[..written]);
    }

    #[tokio::test]
    async fn what_is_written_together_is_sent_together() {
        let (sender, mut sent) = mpsc::unbounded_channel();
        let (_arrived, arrivals) = mpsc::unbounded_channel();
        let mut link = Link::over(Memory(sender), incoming(arrivals));
        for byte in 0..100 {
            link.write_u8(byte).await.unwrap();
        }
        let message = Message::decode(sent.recv().await.unwrap()).unwrap();
        assert_eq!(message, Message { kind: Kind::Data, number: 1, read: 0, bytes: (0..100).collect() });
    }

    #[tokio::test]
    async fn a_lost_or_repeated_message_ends_both_ends() {
        for times in [0, 2] {
            let (mut first, mut second) = pair(move |number| if number == 3 { times } else { 1 });
            let writing = tokio::spawn(async move {
                loop {
                    if let Err(error) = first.write_all(b"some").await {
                        return error;
                    }
                    sleep(Duration::from_millis(1)).await;
                }
            });
            let mut received = Vec::new();
            assert!(second.read_to_end(&mut received).await.is_err());
            assert!(second.write_all(b"more").await.is_err());
            assert_eq!(writing.await.unwrap().kind(), io::ErrorKind::ConnectionAborted);
        }
    }

    #[tokio::test(start_paused = true)]
    async fn an_idle_link_lives_and_a_silent_one_ends() {
        let (mut first, mut second) = pair(|number| usize::from(number < 60));
        let begun = Instant::now();
        assert_eq!(second.read_u8().await.unwrap_err().kind(), io::ErrorKind::TimedOut);
        assert!((55..65).contains(&begun.elapsed().as_secs()), "{:?}", begun.elapsed());
        assert_eq!(first.read_u8().await.unwrap_err().kind(), io::ErrorKind::ConnectionAborted);
    }

    #[tokio::test]
    async fn what_was_written_arrives_before_the_end() {
        let (mut first, mut second) = pair(|_| 1);
        first.write_all(&pattern(WINDOW)).await.unwrap();
        drop(first);
        let mut received = Vec::new();
        second.read_to_end(&mut received).await.unwrap();
        assert!(received == pattern(WINDOW));
        assert_eq!(second.write(b"x").await.unwrap_err().kind(), io::ErrorKind::BrokenPipe);

        let (mut first, mut second) = pair(|_| 1);
        first.write_all(b"all").await.unwrap();
        first.shutdown().await.unwrap();
        assert_eq!(first.read(&mut [0]).await.unwrap(), 0);
        let mut received = String::new();
        second.read_to_string(&mut received).await.unwrap();
        assert_eq!(received, "all");
    }

    #[tokio::test]
    async fn a_node_that_breaks_the_rules_is_left() {
        let flood = |number| Message::encode(Kind::Data, number, 0, &pattern(MAX_MESSAGE));
        let wrong: [Vec<Bytes>; 5] = [
            vec![Bytes::from_static(b"short")],
            vec![Message::encode(Kind::Data, 1, 0, &pattern(MAX_MESSAGE + 1))],
            vec![Message::encode(Kind::Data, 1, 50, b"")],
            vec![Bytes::from(vec![9; HEAD])],
            (1..20).map(flood).collect(),
        ];
        for messages in wrong {
            let ((sender, _sent), (arrived, arrivals)) = (mpsc::unbounded_channel(), mpsc::unbounded_channel());
            let mut link = Link::over(Memory(sender), incoming(arrivals));
            for message in messages {
                arrived.send(message).unwrap();
            }
            arrived.closed().await;
            assert_eq!(link.read(&mut [0]).await.unwrap_err().kind(), io::ErrorKind::InvalidData);
        }
    }

    #[test]
    fn only_inboxes_are_published_to() {
        let own = "_INBOX.3kTq9";
        let dial = encode_dial(NodeId(7), "_INBOX.abc");
        assert_eq!(decode_dial(&dial, own).unwrap(), (NodeId(7), Subject::from("_INBOX.abc")));
        assert_eq!(decode_answer(&encode_answer("_INBOX.abc"), own).unwrap(), Subject::from("_INBOX.abc"));
        for wrong in ["$JS.API.abc", "morpion.log", "_INBOX.", "_INBOX.*", "_INBOX.a b", "_INBOX.a.b", "", "abc"] {
            assert!(decode_dial(&encode_dial(NodeId(7), wrong), own).is_err(), "{wrong}");
        }
        for cut in 0..5 {
            assert!(decode_dial(&dial[..cut], own).is_err());
        }
        assert!(decode_answer(b"\x02_INBOX.abc", own).is_err());
    }
}
