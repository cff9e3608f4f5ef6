//! Bodies that are read and sent page by page, so that they take little memory however long they are.

use std::{io, ops::Range, sync::LazyLock, time::Duration};

use bytes::Bytes;
use chrono::{DateTime, Utc};
use futures_util::stream;
use morpion_rules::UserId;
use poem::Body;
use tokio::{sync::mpsc, time::timeout};

use super::ApiError;
use crate::{
    error::CommonError,
    shares::{Full, Place, Places},
    subject::ClientAddress,
};

/// Pages that wait for a slow client; reading stops meanwhile.
const PAGES_AHEAD: usize = 1;

/// How long a body may take: it has a place meanwhile.
const SENT_WITHIN: Duration = Duration::from_secs(600);

/// Exports at once, in all, of one address and of one account: each may take ten minutes to be read.
pub static EXPORTS: LazyLock<Places> = LazyLock::new(|| Places::new(16, 4, 1));

/// The same of games and results, of which an account may have many more.
pub static GAME_EXPORTS: LazyLock<Places> = LazyLock::new(|| Places::new(16, 4, 1));

/// When somebody whose own exports are under way may try again.
const RETRY_AFTER: Duration = Duration::from_secs(10);

/// Whenever something happened.
pub const ALL_TIME: Range<DateTime<Utc>> = DateTime::UNIX_EPOCH..DateTime::<Utc>::MAX_UTC;

/// A place for an export.
///
/// # Errors
/// 429 where one's own are under way, 503 where those of many are.
pub fn place_of(places: &Places, account: UserId, address: ClientAddress) -> Result<Place, ApiError> {
    Ok(places.take(account, address).map_err(|full| match full {
        Full::InAll => CommonError::unavailable("Many people are exporting their data right now. Please try again."),
        Full::ForOne => CommonError::TooMany { retry_after: RETRY_AFTER },
    })?)
}

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
