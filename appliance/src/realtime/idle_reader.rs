//! The reading side of a connection: waits for the first bytes without a large buffer.

use std::{
    io,
    ops::Range,
    pin::Pin,
    sync::atomic::{AtomicUsize, Ordering},
    task::{Context, Poll, ready},
};

use fastwebsockets::unmask;
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

    /// Takes the data that was waited for if it is exactly one text in one frame, as a move is. It may not be UTF-8.
    pub fn take_text(&mut self) -> Option<&mut [u8]> {
        let (text, mask) = sole_text(&mut self.first[self.unread.clone()])?;
        self.unread = 0..0;
        unmask(text, mask);
        Some(text)
    }

    /// The first bytes, then the stream, counting the bytes that are delivered.
    pub fn counted<'a>(&'a mut self, delivered: &'a AtomicUsize) -> CountingReader<'a, R> {
        CountingReader { reader: self, delivered }
    }
}

/// The masked payload and the mask, if this is exactly one frame of a client: a whole text, and no reserved bit is set.
fn sole_text(bytes: &mut [u8]) -> Option<(&mut [u8], [u8; 4])> {
    const FINAL_TEXT: u8 = 0x81;
    const MASKED: u8 = 0x80;
    /// The length is in the two bytes that follow.
    const MASKED_LONG: u8 = MASKED | 126;
    let (length, rest) = match bytes {
        [FINAL_TEXT, MASKED_LONG, high, low, rest @ ..] => (usize::from(u16::from_be_bytes([*high, *low])), rest),
        [FINAL_TEXT, length @ MASKED..MASKED_LONG, rest @ ..] => (usize::from(*length - MASKED), rest),
        _ => return None,
    };
    let (mask, payload) = rest.split_first_chunk_mut()?;
    (payload.len() == length).then_some((payload, *mask))
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

    const TEXT: u8 = 1;
    const MASK: [u8; 4] = [1, 2, 3, 4];

    fn frame(head: u8, length: &[u8], payload: &[u8]) -> Vec<u8> {
        let mut masked = payload.to_vec();
        unmask(&mut masked, MASK);
        [&[head][..], length, &MASK, &masked].concat()
    }

    fn text(payload: &[u8]) -> Vec<u8> {
        match payload.len() as u8 {
            length @ 0..126 => frame(0x80 | TEXT, &[0x80 | length], payload),
            length => frame(0x80 | TEXT, &[0xFE, 0, length], payload),
        }
    }

    fn is_sole_text(mut bytes: Vec<u8>) -> bool {
        sole_text(&mut bytes).is_some()
    }

    #[test]
    fn only_one_whole_text_is_taken() {
        for length in [0, 1, 125, 126, 184] {
            let payload = vec![b'x'; length];
            let whole = text(&payload);
            let (mut taken, mut masked) = (whole.clone(), payload);
            unmask(&mut masked, MASK);
            assert_eq!(sole_text(&mut taken), Some((&mut masked[..], MASK)), "{length} bytes");
            for end in 0..whole.len() {
                assert!(!is_sole_text(whole[..end].to_vec()), "{end} bytes of a frame with {length}");
            }
            assert!(!is_sole_text([&whole[..], &[0x81]].concat()), "more follows");
            assert!(!is_sole_text([&whole[..], &whole].concat()), "another one follows");
        }
    }

    #[test]
    fn no_other_frame_is_taken() {
        assert!(is_sole_text(frame(0x80 | TEXT, &[0x82], b"{}")));
        let (binary, ping) = (2, 9);
        for head in [TEXT, 0x80, 0x80 | binary, 0x80 | ping, 0xC0 | TEXT, 0xA0 | TEXT, 0x90 | TEXT] {
            assert!(!is_sole_text(frame(head, &[0x82], b"{}")), "head {head:x}");
        }
        assert!(!is_sole_text(vec![0x81, 2, b'{', b'}']), "not masked");
        assert!(!is_sole_text(vec![0x81, 6, 1, 2, 3, 4, b'{', b'}']), "not masked");
        for length in
            [&[0x81][..], &[0x83], &[0xFE, 0, 1], &[0xFE, 0, 3], &[0xFE, 1, 2], &[0xFF, 0, 0, 0, 0, 0, 0, 0, 2]]
        {
            assert!(!is_sole_text(frame(0x80 | TEXT, length, b"{}")), "length {length:x?}");
        }
    }

    #[tokio::test]
    async fn a_text_is_taken_once_and_everything_else_stays() {
        let (mut client, server) = tokio::io::duplex(FIRST_BYTES);
        let mut reader = IdleReader::new(server);
        for payload in [r#"{"event":"authenticate"}"#, "é"] {
            client.write_all(&text(payload.as_bytes())).await.unwrap();
            reader.wait_for_data().await.unwrap();
            assert_eq!(reader.take_text().as_deref(), Some(payload.as_bytes()));
            assert!(reader.take_text().is_none());
        }
        let ping = frame(0x89, &[0x81], b"p");
        client.write_all(&ping).await.unwrap();
        reader.wait_for_data().await.unwrap();
        assert!(reader.take_text().is_none());
        let delivered = AtomicUsize::new(0);
        let mut received = vec![0; ping.len()];
        reader.counted(&delivered).read_exact(&mut received).await.unwrap();
        assert_eq!(received, ping);
    }

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
