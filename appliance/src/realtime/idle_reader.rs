//! The reading side of a connection: waits for the first bytes without a large buffer.

use std::{
    io,
    ops::Range,
    pin::Pin,
    sync::atomic::{AtomicUsize, Ordering},
    task::{Context, Poll, ready},
};

use tokio::io::{AsyncRead, AsyncReadExt, ReadBuf};

/// A move's frame fits, so it needs one read.
const FIRST_BYTES: usize = 192;

pub struct IdleReader<R> {
    stream: R,
    first: [u8; FIRST_BYTES],
    unread: Range<usize>,
}

impl<R: AsyncRead + Unpin> IdleReader<R> {
    pub fn new(stream: R) -> Self {
        Self { stream, first: [0; FIRST_BYTES], unread: 0..0 }
    }

    /// Waits for data.
    ///
    /// # Errors
    /// The connection failed, or the other end is closed.
    pub async fn wait_for_data(&mut self) -> io::Result<()> {
        match self.stream.read(&mut self.first).await? {
            0 => Err(io::ErrorKind::UnexpectedEof.into()),
            length => {
                self.unread = 0..length;
                Ok(())
            }
        }
    }

    /// The first bytes, then the stream, counting the bytes that are delivered.
    pub fn counted<'a>(&'a mut self, delivered: &'a AtomicUsize) -> CountingReader<'a, R> {
        CountingReader { reader: self, delivered }
    }
}

pub struct CountingReader<'a, R> {
    reader: &'a mut IdleReader<R>,
    delivered: &'a AtomicUsize,
}

impl<R: AsyncRead + Unpin> AsyncRead for CountingReader<'_, R> {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let before = into.filled().len();
        let IdleReader { stream, first, unread } = &mut *self.reader;
        if unread.start < unread.end {
            let length = unread.len().min(into.remaining());
            into.put_slice(&first[unread.start..unread.start + length]);
            unread.start += length;
        } else {
            ready!(Pin::new(stream).poll_read(context, into))?;
        }
        self.delivered.fetch_add(into.filled().len() - before, Ordering::Relaxed);
        Poll::Ready(Ok(()))
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::AsyncWriteExt;

    use super::*;

    #[tokio::test]
    async fn nothing_is_lost_between_what_came_first_and_the_rest() {
        let (mut client, server) = tokio::io::duplex(4 * FIRST_BYTES);
        let sent: Vec<u8> = (0..3 * FIRST_BYTES).map(|number| number as u8).collect();
        client.write_all(&sent).await.unwrap();
        client.shutdown().await.unwrap();
        let mut reader = IdleReader::new(server);
        reader.wait_for_data().await.unwrap();
        let delivered = AtomicUsize::new(0);
        let mut read = reader.counted(&delivered);
        // Less than came first, then more than that.
        let mut head = [0; 7];
        read.read_exact(&mut head).await.unwrap();
        let mut rest = Vec::new();
        read.read_to_end(&mut rest).await.unwrap();
        assert_eq!([&head[..], &rest].concat(), sent);
        assert_eq!(delivered.into_inner(), sent.len());
        assert_eq!(reader.wait_for_data().await.unwrap_err().kind(), io::ErrorKind::UnexpectedEof);
    }
}
