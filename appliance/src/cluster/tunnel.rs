//! Many streams over one link, by yamux.
//!
//! The side that dialled opens streams. yamux opens at most 256 that the other side has not acknowledged, which it does
//! with what it first writes; so the accepting side begins each stream with one byte, and slow answers hold nobody up.
//! The byte tells whether anybody takes the stream.

use std::{
    future::poll_fn,
    io,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
    time::Duration,
};

use tokio::{
    io::{AsyncRead, AsyncWrite, AsyncWriteExt, ReadBuf},
    sync::{OwnedSemaphorePermit, Semaphore, mpsc, oneshot},
    time::{Sleep, sleep, timeout},
};
use tokio_util::compat::{Compat, FuturesAsyncReadCompatExt, TokioAsyncReadCompatExt};
use yamux::{Config, Connection, ConnectionError, DEFAULT_CREDIT, Mode};

/// Streams of one tunnel at once.
pub const MAX_STREAMS: usize = 16_384;

/// The bound of yamux, which ends the whole tunnel: above ours, since a stream is gone here before it is there.
const MAX_KNOWN: usize = 2 * MAX_STREAMS;

/// Bytes of a stream that its reader may have before it reads them.
pub const WINDOW: u64 = DEFAULT_CREDIT as u64;

/// Bytes by which the windows of all streams together may grow beyond [`WINDOW`], of which an idle stream uses
/// nothing.
const MAX_GROWTH: usize = 32 << 20;

/// Streams that are asked for and not opened yet.
const MAX_ASKED: usize = 64;

/// The first byte of the accepting side.
const GREETING: u8 = 1;

/// The same of a stream that nobody takes, or ever will.
const REFUSAL: u8 = 0;

/// The streams of a tunnel that is dropped have so long to end.
const GRACE: Duration = Duration::from_secs(2);

/// How long the goodbye to the other side may take.
const GOODBYE: Duration = Duration::from_secs(1);

fn config() -> Config {
    let mut config = Config::default();
    // Each step is checked against the one before.
    config
        .set_max_connection_receive_window(None)
        .set_max_num_streams(MAX_KNOWN)
        .set_max_connection_receive_window(Some(MAX_KNOWN * DEFAULT_CREDIT as usize + MAX_GROWTH));
    config
}

/// The side of a tunnel that opens streams. Cheap to clone; when the last clone is dropped, its streams have two seconds to
/// end.
#[derive(Debug, Clone)]
pub struct Tunnel {
    asked: mpsc::Sender<oneshot::Sender<yamux::Stream>>,
    places: Arc<Semaphore>,
}

impl Tunnel {
    /// A tunnel over a link that this node dialled.
    pub fn over(link: impl AsyncRead + AsyncWrite + Send + Unpin + 'static) -> Self {
        let (asked, asking) = mpsc::channel(MAX_ASKED);
        tokio::spawn(drive(link, asking));
        Self { asked, places: Arc::new(Semaphore::new(MAX_STREAMS)) }
    }

    /// Opens a stream. The other side knows of it once something is written.
    ///
    /// # Errors
    /// `QuotaExceeded`: there are [`MAX_STREAMS`] already. `BrokenPipe`: the tunnel has ended.
    pub async fn open(&self) -> io::Result<TunnelStream> {
        let place = Arc::clone(&self.places).try_acquire_owned().map_err(|_| {
            io::Error::new(io::ErrorKind::QuotaExceeded, "the tunnel has as many streams as it can take")
        })?;
        let (opened, stream) = oneshot::channel();
        self.asked.send(opened).await.map_err(|_| io::ErrorKind::BrokenPipe)?;
        let stream = stream.await.map_err(|_| io::ErrorKind::BrokenPipe)?;
        Ok(TunnelStream::new(stream, Some(place)))
    }

    pub fn is_broken(&self) -> bool {
        self.asked.is_closed()
    }

    /// Resolves when the tunnel has ended.
    pub async fn broken(&self) {
        self.asked.closed().await;
    }
}

/// The accepting side: hands over the streams that the other side opens, until the link ends. While nobody takes them,
/// they wait, and once nobody can, they are refused. When this is dropped, all streams end.
///
/// # Errors
/// Why the link ended, unless the other side closed it.
pub async fn serve(
    link: impl AsyncRead + AsyncWrite + Send + Unpin + 'static,
    accepted: mpsc::Sender<TunnelStream>,
) -> io::Result<()> {
    let mut connection = Connection::new(TokioAsyncReadCompatExt::compat(link), config(), Mode::Server);
    loop {
        match poll_fn(|context| connection.poll_next_inbound(context)).await {
            Some(Ok(stream)) => {
                tokio::spawn(greet(TunnelStream::new(stream, None), accepted.clone()));
            }
            Some(Err(error)) => return Err(io::Error::other(error)),
            None => return Ok(()),
        }
    }
}

async fn greet(mut stream: TunnelStream, accepted: mpsc::Sender<TunnelStream>) {
    stream.is_greeted = true;
    let place = accepted.reserve().await;
    let first = if place.is_ok() { GREETING } else { REFUSAL };
    // A stream that has ended meanwhile is nobody's loss.
    if stream.write_all(&[first]).await.is_err() {
        return;
    }
    match place {
        Ok(place) => place.send(stream),
        Err(_) => drop(stream.shutdown().await),
    }
}

/// Opens what is asked for, and moves the bytes of all streams.
async fn drive(
    link: impl AsyncRead + AsyncWrite + Send + Unpin + 'static,
    mut asked: mpsc::Receiver<oneshot::Sender<yamux::Stream>>,
) {
    let mut connection = Connection::new(TokioAsyncReadCompatExt::compat(link), config(), Mode::Client);
    let mut next: Option<oneshot::Sender<yamux::Stream>> = None;
    // Once nobody has the tunnel.
    let mut grace: Option<Pin<Box<Sleep>>> = None;
    let ended: Result<(), ConnectionError> = poll_fn(|context| {
        while grace.is_none() {
            let opened = match next.take() {
                Some(opened) => opened,
                None => match asked.poll_recv(context) {
                    Poll::Ready(Some(opened)) => opened,
                    Poll::Ready(None) => {
                        grace = Some(Box::pin(sleep(GRACE)));
                        break;
                    }
                    Poll::Pending => break,
                },
            };
            match connection.poll_new_outbound(context) {
                // Whoever asked may be gone.
                Poll::Ready(Ok(stream)) => drop(opened.send(stream)),
                Poll::Ready(Err(error)) => return Poll::Ready(Err(error)),
                Poll::Pending => {
                    next = Some(opened);
                    break;
                }
            }
        }
        if grace.as_mut().is_some_and(|grace| grace.as_mut().poll(context).is_ready()) {
            return Poll::Ready(Ok(()));
        }
        loop {
            match ready!(connection.poll_next_inbound(context)) {
                // Only this side opens streams.
                Some(Ok(stream)) => drop(stream),
                Some(Err(error)) => return Poll::Ready(Err(error)),
                None => return Poll::Ready(Err(ConnectionError::Closed)),
            }
        }
    })
    .await;
    // From here on the tunnel is broken for those who have it.
    drop((asked, next));
    match ended {
        Ok(()) => drop(timeout(GOODBYE, poll_fn(|context| connection.poll_close(context))).await),
        Err(error) => tracing::debug!(%error, "a tunnel ended"),
    }
}

/// One stream of a tunnel. When the tunnel ends, or the other side drops the stream without shutting it down, reading fails
/// at once; with `ConnectionRefused` if nobody took it.
#[derive(Debug)]
pub struct TunnelStream {
    stream: Compat<yamux::Stream>,
    /// The greeting was read, or was written by this side.
    is_greeted: bool,
    /// This side writes nothing more.
    is_shut: bool,
    /// Among the streams of the tunnel.
    _place: Option<OwnedSemaphorePermit>,
}

impl TunnelStream {
    fn new(stream: yamux::Stream, place: Option<OwnedSemaphorePermit>) -> Self {
        let stream = FuturesAsyncReadCompatExt::compat(stream);
        Self { stream, is_greeted: false, is_shut: false, _place: place }
    }

    /// yamux reads the end of a stream also where it was cut off.
    fn poll_read_or_fail(&mut self, context: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let before = into.filled().len();
        if into.remaining() == 0 {
            return Poll::Ready(Ok(()));
        }
        ready!(Pin::new(&mut self.stream).poll_read(context, into))?;
        let is_end = into.filled().len() == before;
        // What both sides have shut down is closed too.
        if is_end && !self.is_shut && self.stream.get_ref().is_closed() {
            return Poll::Ready(Err(io::ErrorKind::ConnectionReset.into()));
        }
        Poll::Ready(Ok(()))
    }
}

impl AsyncRead for TunnelStream {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        if !self.is_greeted {
            let mut greeting = [0];
            let mut read = ReadBuf::new(&mut greeting);
            ready!(self.poll_read_or_fail(context, &mut read))?;
            match read.filled() {
                [] => return Poll::Ready(Ok(())),
                [GREETING] => self.is_greeted = true,
                [REFUSAL] => return Poll::Ready(Err(io::ErrorKind::ConnectionRefused.into())),
                _ => return Poll::Ready(Err(io::ErrorKind::InvalidData.into())),
            }
        }
        self.poll_read_or_fail(context, into)
    }
}

impl AsyncWrite for TunnelStream {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.is_shut = true;
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use tokio::{
        io::{AsyncReadExt, DuplexStream, duplex},
        task::JoinHandle,
    };

    use super::*;

    fn tunnel() -> (Tunnel, mpsc::Receiver<TunnelStream>, JoinHandle<io::Result<()>>) {
        let (near, far): (DuplexStream, DuplexStream) = duplex(64 << 10);
        let (accepted, streams) = mpsc::channel(4);
        (Tunnel::over(near), streams, tokio::spawn(serve(far, accepted)))
    }

    /// Answers each stream with what it sent.
    fn echo(mut streams: mpsc::Receiver<TunnelStream>) {
        tokio::spawn(async move {
            while let Some(stream) = streams.recv().await {
                tokio::spawn(async move {
                    let (mut read, mut write) = tokio::io::split(stream);
                    tokio::io::copy(&mut read, &mut write).await?;
                    write.shutdown().await
                });
            }
        });
    }

    #[tokio::test]
    async fn streams_do_not_mix_and_end_properly() {
        let (tunnel, streams, _serving) = tunnel();
        echo(streams);
        let one = |number: usize| {
            let tunnel = tunnel.clone();
            async move {
                let (mut read, mut write) = tokio::io::split(tunnel.open().await.unwrap());
                let sent: Vec<u8> = (0..100_000).map(|index| (index * number % 253) as u8).collect();
                let mut received = Vec::new();
                let writing = async {
                    write.write_all(&sent).await?;
                    write.shutdown().await
                };
                let (written, read) = tokio::join!(writing, read.read_to_end(&mut received));
                written.unwrap();
                read.unwrap();
                assert!(received == sent);
            }
        };
        futures_util::future::join_all((1..50).map(one)).await;
    }

    #[tokio::test]
    async fn many_streams_are_open_before_any_is_answered() {
        let (tunnel, mut streams, _serving) = tunnel();
        let mut open = Vec::new();
        for _ in 0..600 {
            let mut stream = tunnel.open().await.unwrap();
            stream.write_all(b"x").await.unwrap();
            open.push((stream, streams.recv().await.unwrap()));
        }
    }

    #[tokio::test]
    async fn the_streams_fail_when_the_link_does() {
        let (tunnel, mut streams, serving) = tunnel();
        let mut near = tunnel.open().await.unwrap();
        near.write_all(b"x").await.unwrap();
        let mut far = streams.recv().await.unwrap();
        assert_eq!(far.read_u8().await.unwrap(), b'x');
        far.write_all(b"y").await.unwrap();
        assert_eq!(near.read_u8().await.unwrap(), b'y');
        serving.abort();
        assert_eq!(near.read(&mut [0]).await.unwrap_err().kind(), io::ErrorKind::ConnectionReset);
        assert_eq!(far.read(&mut [0]).await.unwrap_err().kind(), io::ErrorKind::ConnectionReset);
        tunnel.broken().await;
        assert!(tunnel.open().await.is_err());
    }

    #[tokio::test]
    async fn a_stream_that_nobody_takes_is_refused() {
        let (tunnel, streams, _serving) = tunnel();
        drop(streams);
        let mut stream = tunnel.open().await.unwrap();
        stream.write_all(b"x").await.unwrap();
        assert_eq!(stream.read(&mut [0]).await.unwrap_err().kind(), io::ErrorKind::ConnectionRefused);
        assert!(!tunnel.is_broken());
    }

    #[tokio::test]
    async fn a_stream_that_is_dropped_is_no_proper_end() {
        let (tunnel, mut streams, _serving) = tunnel();
        let mut near = tunnel.open().await.unwrap();
        near.write_all(b"x").await.unwrap();
        drop(streams.recv().await.unwrap());
        assert_eq!(near.read(&mut [0]).await.unwrap_err().kind(), io::ErrorKind::ConnectionReset);
        let mut near = tunnel.open().await.unwrap();
        near.write_all(b"x").await.unwrap();
        let mut far = streams.recv().await.unwrap();
        drop(near);
        let mut received = Vec::new();
        assert_eq!(far.read_to_end(&mut received).await.unwrap_err().kind(), io::ErrorKind::ConnectionReset);
        assert_eq!(received, b"x");
    }

    #[tokio::test(start_paused = true)]
    async fn a_dropped_tunnel_lets_its_streams_end() {
        let (tunnel, mut streams, serving) = tunnel();
        let mut near = tunnel.open().await.unwrap();
        near.write_all(b"x").await.unwrap();
        let mut far = streams.recv().await.unwrap();
        drop(tunnel);
        far.write_all(b"goodbye").await.unwrap();
        far.shutdown().await.unwrap();
        let mut received = String::new();
        near.read_to_string(&mut received).await.unwrap();
        assert_eq!(received, "goodbye");
        serving.await.unwrap().unwrap();
    }
}
