//! How slowly a request's body may come, and what is held of it.

use std::{io, sync::Arc, time::Duration};

use futures_util::{StreamExt, stream};
use parking_lot::Mutex;
use poem::Body;
use tokio::time::{Instant, timeout_at};

use crate::shares::Share;

/// Bytes a second that a body has to have after its first wait, on the average, so that what comes in bursts is not cut. An
/// answer has to be read as fast.
pub const LEAST_RATE: u64 = 1_024;

/// The same body, which fails when it does not come: `wait` in all, and a second more for every [`LEAST_RATE`] bytes; or
/// when there is no room for it: `held` grows with what is received.
pub fn paced(body: Body, wait: Duration, held: Arc<Mutex<Share>>) -> Body {
    let chunks = Box::pin(body.into_bytes_stream());
    // It begins when it is read for the first time: a handler may have let the client wait.
    let begin = (chunks, None::<Instant>, 0_u64);
    Body::from_bytes_stream(stream::unfold(begin, move |(mut chunks, since, received)| {
        let held = Arc::clone(&held);
        async move {
            let since = since.unwrap_or_else(Instant::now);
            let deadline = since + wait + Duration::from_millis(received * 1_000 / LEAST_RATE);
            let chunk = match timeout_at(deadline, chunks.next()).await {
                Ok(chunk) => chunk?,
                Err(_) => Err(io::Error::new(io::ErrorKind::TimedOut, "it came too slowly")),
            };
            let received = received + chunk.as_ref().map_or(0, |bytes| bytes.len() as u64);
            let chunk = chunk.and_then(|bytes| match held.lock().grow(bytes.len() as u64) {
                Ok(()) => Ok(bytes),
                Err(full) => Err(io::Error::new(io::ErrorKind::QuotaExceeded, full.to_string())),
            });
            Some((chunk, (chunks, Some(since), received)))
        }
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shares::Shares;

    /// What is held, with room for this much.
    fn held(room: u64) -> Arc<Mutex<Share>> {
        Arc::new(Mutex::new(Shares::new(room, room).take(None, 0).unwrap()))
    }

    /// A body of these chunks, each after this pause.
    fn body_of(chunks: Vec<usize>, pause: Duration) -> Body {
        Body::from_bytes_stream(stream::iter(chunks).then(move |length| async move {
            tokio::time::sleep(pause).await;
            Ok::<_, io::Error>(vec![b'x'; length])
        }))
    }

    #[tokio::test(start_paused = true)]
    async fn what_comes_fast_enough_is_read_whole_however_long_it_takes() {
        let body = body_of(vec![2_048; 100], Duration::from_secs(2));
        assert_eq!(paced(body, Duration::from_secs(30), held(204_800)).into_bytes().await.unwrap().len(), 204_800);
    }

    #[tokio::test]
    async fn what_there_is_no_room_for_is_not_read() {
        let read = async |room| {
            let body = body_of(vec![2_048; 3], Duration::ZERO);
            paced(body, Duration::from_secs(30), held(room)).into_bytes().await
        };
        assert!(read(3 * 2_048).await.is_ok());
        assert!(read(3 * 2_048 - 1).await.is_err());
    }

    #[tokio::test(start_paused = true)]
    async fn what_trickles_or_does_not_come_is_not_waited_for() {
        for (chunks, pause) in [(vec![1; 1_000], 1), (vec![1], 31)] {
            let begun = Instant::now();
            let body = body_of(chunks, Duration::from_secs(pause));
            assert!(paced(body, Duration::from_secs(30), held(1 << 20)).into_bytes().await.is_err());
            assert!(begun.elapsed() < Duration::from_secs(32), "{:?}", begun.elapsed());
        }
    }
}
