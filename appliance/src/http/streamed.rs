//! Bodies that are read and sent page by page, so that they take little memory however long they are.

use std::{io, time::Duration};

use bytes::Bytes;
use futures_util::stream;
use poem::Body;
use tokio::{sync::mpsc, time::timeout};

use super::ApiError;

/// Pages that wait for a slow client; reading stops meanwhile.
const PAGES_AHEAD: usize = 1;

/// How long a body may take: it has a place meanwhile.
const SENT_WITHIN: Duration = Duration::from_secs(600);

pub type Pages = mpsc::Sender<io::Result<Bytes>>;

/// A body of what `send` sends; it breaks off if that fails or takes too long.
pub fn streamed<S, F>(place: impl Send + 'static, send: S) -> Body
where
    S: FnOnce(Pages) -> F + Send + 'static,
    F: Future<Output = Result<(), ApiError>> + Send + 'static,
{
    let (pages, sent) = mpsc::channel(PAGES_AHEAD);
    tokio::spawn(async move {
        let written = timeout(SENT_WITHIN, send(pages.clone())).await;
        drop(place);
        if !matches!(written, Ok(Ok(()))) {
            // Without it the client would take what it has for all there is.
            let _ = pages.send(Err(io::Error::other("the export broke off"))).await;
        }
    });
    let next = |mut sent: mpsc::Receiver<_>| async move { sent.recv().await.map(|page| (page, sent)) };
    Body::from_bytes_stream(stream::unfold(sent, next))
}
