//! Where the frames of a connection are written to. Its own task writes them, or whoever queued them: waking the task
//! would cost more than the write.
//!
//! A socket wakes only who polled it last. Who writes in place of the task takes the socket's waker away from it, and
//! so has to wake the task if anything is left to write.

use std::{
    fmt, io,
    pin::Pin,
    task::{Context, Poll, Waker, ready},
};

use bytes::{Buf, Bytes};
use parking_lot::Mutex;
use tokio::io::AsyncWrite;

/// Closed before the connection's task begins to write, and once it has ended. Its lock is held from taking frames off
/// the queue until they are written, so they are written in their order. That never waits, so the lock is held for the
/// time of a few system calls.
#[derive(Debug, Default)]
pub struct Outlet(Mutex<Option<OpenOutlet>>);

/// A socket, and what it has not taken yet.
pub struct OpenOutlet {
    pub stream: Box<dyn AsyncWrite + Send + Unpin>,
    /// Taken off the queue and not written. It may begin in the middle of a frame.
    pub unwritten: Bytes,
}

impl fmt::Debug for OpenOutlet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpenOutlet").field("unwritten", &self.unwritten.len()).finish_non_exhaustive()
    }
}

impl OpenOutlet {
    fn poll_write(&mut self, context: &mut Context<'_>, mut next: impl FnMut() -> Bytes) -> Poll<io::Result<()>> {
        loop {
            if self.unwritten.is_empty() {
                // Also when this is empty: what was written is freed.
                self.unwritten = next();
                if self.unwritten.is_empty() {
                    break;
                }
            }
            match ready!(Pin::new(&mut self.stream).poll_write(context, &self.unwritten))? {
                0 => return Poll::Ready(Err(io::ErrorKind::WriteZero.into())),
                length => self.unwritten.advance(length),
            }
        }
        // TLS may hold a part of what it took.
        Pin::new(&mut self.stream).poll_flush(context)
    }
}

impl Outlet {
    /// Opens it, until the guard is dropped.
    pub fn open(&self, stream: impl AsyncWrite + Send + Unpin + 'static) -> OutletGuard<'_> {
        *self.0.lock() = Some(OpenOutlet { stream: Box::new(stream), unwritten: Bytes::new() });
        OutletGuard(self)
    }

    /// Writes what `next` returns, until that is empty and everything is with the socket.
    ///
    /// # Errors
    /// The outlet is closed: an error closes it.
    pub fn poll_write(&self, context: &mut Context<'_>, next: impl FnMut() -> Bytes) -> Poll<io::Result<()>> {
        poll_write(&mut self.0.lock(), context, next)
    }

    /// As [`Outlet::poll_write`], by others than the connection's task. Returns whether everything is written. If not,
    /// the task has to be woken: the socket might not wake it.
    pub fn try_write(&self, next: impl FnMut() -> Bytes) -> bool {
        let Some(mut outlet) = self.0.try_lock() else { return false };
        matches!(poll_write(&mut outlet, &mut Context::from_waker(Waker::noop()), next), Poll::Ready(Ok(())))
    }
}

fn poll_write(
    outlet: &mut Option<OpenOutlet>,
    context: &mut Context<'_>,
    next: impl FnMut() -> Bytes,
) -> Poll<io::Result<()>> {
    let Some(open) = outlet else { return Poll::Ready(Err(io::ErrorKind::NotConnected.into())) };
    let written = open.poll_write(context, next);
    if matches!(written, Poll::Ready(Err(_))) {
        *outlet = None;
    }
    written
}

/// Closes the outlet when the connection's task ends, in whatever way. Others hold the connection's handle for longer,
/// and the socket would stay open.
#[derive(Debug)]
pub struct OutletGuard<'a>(&'a Outlet);

impl OutletGuard<'_> {
    /// Closes the outlet for all others. `None` if an error has closed it.
    pub fn close(self) -> Option<OpenOutlet> {
        self.0.0.lock().take()
    }
}

impl Drop for OutletGuard<'_> {
    fn drop(&mut self) {
        self.0.0.lock().take();
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    use super::*;

    #[tokio::test]
    async fn what_a_socket_takes_only_in_part_is_continued_where_it_stopped() {
        let (mut client, server) = tokio::io::duplex(4);
        let outlet = Outlet::default();
        let guard = outlet.open(server);
        let mut pieces = ["abcdef", "gh", ""].map(Bytes::from).into_iter();
        let mut next = || pieces.next().unwrap_or_default();
        let mut received = [0; 4];
        assert!(!outlet.try_write(&mut next));
        client.read_exact(&mut received).await.unwrap();
        assert_eq!(&received, b"abcd");
        assert!(outlet.try_write(&mut next));
        client.read_exact(&mut received).await.unwrap();
        assert_eq!(&received, b"efgh");
        assert!(guard.close().unwrap().unwritten.is_empty());
    }

    #[tokio::test]
    async fn what_is_not_written_yet_is_handed_over_at_the_end() {
        let (mut client, server) = tokio::io::duplex(4);
        let outlet = Outlet::default();
        let guard = outlet.open(server);
        let mut frame = Some(Bytes::from_static(b"abcdef"));
        assert!(!outlet.try_write(|| frame.take().unwrap_or_default()));
        let OpenOutlet { mut stream, unwritten } = guard.close().unwrap();
        assert!(!outlet.try_write(|| panic!("it is closed")));
        let mut received = [0; 6];
        let (written, read) = tokio::join!(stream.write_all(&unwritten), client.read_exact(&mut received));
        written.and(read).unwrap();
        assert_eq!(&received, b"abcdef");
    }

    #[tokio::test]
    async fn the_socket_is_closed_with_the_guard_and_after_an_error() {
        let (mut client, server) = tokio::io::duplex(4);
        let outlet = Outlet::default();
        drop(outlet.open(server));
        assert_eq!(client.read(&mut [0]).await.unwrap(), 0);

        let (client, server) = tokio::io::duplex(4);
        let guard = outlet.open(server);
        drop(client);
        assert!(!outlet.try_write(|| Bytes::from_static(b"a")));
        assert!(guard.close().is_none());
    }
}
