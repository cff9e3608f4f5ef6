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
    cluster::{Cluster, Freshness},
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

/// Where the pages of a body go.
#[derive(Debug)]
pub struct Pages {
    parts: mpsc::Sender<Part>,
    cluster: Option<Cluster>,
    /// The cluster has had no majority since the beginning, which the head of the answer says.
    may_be_old: bool,
}

impl Pages {
    /// Sends a page once this server may still answer with what it read; returns whether the client is still reading.
    ///
    /// # Errors
    /// Another node of the cluster may lead, so the page may be old or contain writes that were lost.
    pub async fn send(&self, page: impl Into<Bytes>) -> Result<bool, ApiError> {
        if let Some(cluster) = &self.cluster {
            let may_be_told = match cluster.freshness().await {
                Freshness::Current => true,
                Freshness::Stale => self.may_be_old,
                Freshness::Unknown => false,
            };
            if !may_be_told {
                return Err(ApiError::unavailable("Another server may lead by now."));
            }
        }
        Ok(self.parts.send(Part::Page(page.into())).await.is_ok())
    }
}

#[derive(Debug)]
enum Part {
    Page(Bytes),
    /// The end of the body. Without it the body breaks off, so a client cannot mistake a part for the whole.
    End,
}

/// A body of what `send` sends; it breaks off if that fails or takes too long. `cluster` is the one that this server leads.
pub fn streamed<S, F>(cluster: Option<Cluster>, place: impl Send + 'static, send: S) -> Body
where
    S: FnOnce(Pages) -> F + Send + 'static,
    F: Future<Output = Result<(), ApiError>> + Send + 'static,
{
    let (parts, sent) = mpsc::channel(PAGES_AHEAD);
    let may_be_old = cluster.as_ref().is_some_and(Cluster::has_no_majority);
    let pages = Pages { parts: parts.clone(), cluster, may_be_old };
    tokio::spawn(async move {
        let written = timeout(SENT_WITHIN, send(pages)).await;
        drop(place);
        if matches!(written, Ok(Ok(()))) {
            // It fails when the client is gone.
            let _ = parts.send(Part::End).await;
        }
    });
    let next = |sent: Option<mpsc::Receiver<Part>>| async move {
        let mut sent = sent?;
        match sent.recv().await {
            Some(Part::Page(page)) => Some((Ok(page), Some(sent))),
            Some(Part::End) => None,
            None => Some((Err(io::Error::other("the export broke off")), None)),
        }
    };
    Body::from_bytes_stream(stream::unfold(Some(sent), next))
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn read<F>(send: impl FnOnce(Pages) -> F + Send + 'static) -> io::Result<Vec<u8>>
    where
        F: Future<Output = Result<(), ApiError>> + Send + 'static,
    {
        streamed(None, (), send).into_vec().await.map_err(io::Error::other)
    }

    #[tokio::test]
    async fn a_body_ends_properly_only_if_all_of_it_was_sent() {
        let whole = read(|pages| async move {
            assert!(pages.send("one ").await? && pages.send("two").await?);
            Ok(())
        });
        assert_eq!(whole.await.unwrap(), b"one two");
        assert_eq!(read(|_| async { Ok(()) }).await.unwrap(), b"");
        let failing = read(|pages| async move {
            pages.send("one ").await?;
            Err(ApiError::unavailable("The store is away."))
        });
        assert!(failing.await.is_err());
        // Whatever becomes of the task that sends.
        let panicking = read(|pages| async move {
            pages.send("one ").await?;
            panic!("a page cannot be read");
        });
        assert!(panicking.await.is_err());
    }

    #[tokio::test(start_paused = true)]
    async fn a_body_that_takes_too_long_breaks_off() {
        let endless = read(|pages| async move {
            pages.send("one ").await?;
            std::future::pending().await
        });
        assert!(endless.await.is_err());
    }

    #[tokio::test]
    async fn who_does_not_read_is_told_to_the_sender() {
        let (told, mut telling) = mpsc::channel(1);
        let body = streamed(None, (), |pages| async move {
            while pages.send("page").await? {}
            let _ = told.send(()).await;
            Ok(())
        });
        drop(body);
        assert_eq!(telling.recv().await, Some(()));
    }
}
