//! Brings pushes to push services: with time-outs, few at once, and again where that may help.

use std::{sync::Arc, time::Duration};

use morpion_store::{PushSubscriptionRow, Store};
use reqwest::{Client, Response, StatusCode, header};
use tokio::sync::Semaphore;

use super::{BrowserKeys, notice::Notice, vapid::VapidKey};
use crate::{
    clock::Clock,
    metrics::{Metrics, PushOutcome},
    reach::{self, Reach, is_not_public},
};

/// For one request, connecting included; push services answer in a fraction of a second.
const TIMEOUT: Duration = Duration::from_secs(10);

/// Requests at once. A push service that hangs holds a place for 10 s.
const MAX_CONCURRENT: usize = 64;

/// Pushes on their way, those included that wait to be tried again: about 1 KiB each. Further ones are dropped.
const MAX_UNDER_WAY: usize = 2_048;

/// Pauses before the retries, unless the push service names one.
const RETRY_PAUSES: [Duration; 3] = [Duration::from_secs(2), Duration::from_secs(15), Duration::from_secs(60)];

/// The longest pause that a push service is given; it is tried no more after a longer one.
const MAX_PAUSE: Duration = Duration::from_secs(600);

/// A subscription is removed with its failure number so many in a row.
const MAX_FAILURES: u32 = 5;

/// What a push service answered, or that it did not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Answer {
    Taken,
    /// The browser has ended the subscription, or it leads to where nothing is sent.
    Gone,
    /// It may work later.
    Later(Option<Duration>),
    Failed,
}

/// What a delivery needs; one for all.
pub(super) struct Deliveries {
    store: Store,
    clock: Clock,
    metrics: Metrics,
    key: Arc<VapidKey>,
    client: Client,
    reach: Reach,
    under_way: Arc<Semaphore>,
    sending: Semaphore,
}

impl Deliveries {
    /// # Errors
    /// TLS cannot be set up.
    pub(super) fn new(
        store: Store,
        clock: Clock,
        metrics: Metrics,
        key: Arc<VapidKey>,
        reach: Reach,
    ) -> reqwest::Result<Self> {
        Ok(Self {
            store,
            clock,
            metrics,
            key,
            client: reach::client(reach, TIMEOUT)?,
            reach,
            under_way: Arc::new(Semaphore::new(MAX_UNDER_WAY)),
            sending: Semaphore::new(MAX_CONCURRENT),
        })
    }

    /// Sends a notice to a browser, in a task of its own.
    pub(super) fn start(self: &Arc<Self>, notice: &Arc<Notice>, to: PushSubscriptionRow) {
        let Ok(place) = Arc::clone(&self.under_way).try_acquire_owned() else {
            self.metrics.push(PushOutcome::Dropped);
            return;
        };
        let (deliveries, notice) = (Arc::clone(self), Arc::clone(notice));
        tokio::spawn(async move {
            let _place = place;
            let outcome = deliveries.deliver(&notice, &to).await;
            deliveries.metrics.push(outcome);
        });
    }

    async fn deliver(&self, notice: &Notice, to: &PushSubscriptionRow) -> PushOutcome {
        let answer = self.send_until_answered(notice, to).await;
        let noted = match answer {
            Answer::Taken => self.store.push_was_taken(to, self.clock.steady()).await.map(|()| PushOutcome::Sent),
            Answer::Gone => self.store.drop_push_subscription(to).await.map(|()| PushOutcome::Removed),
            Answer::Later(_) | Answer::Failed => {
                let removed = self.store.push_failed(to, MAX_FAILURES).await;
                removed.map(|removed| if removed { PushOutcome::Removed } else { PushOutcome::Failed })
            }
        };
        noted.unwrap_or_else(|error| {
            tracing::warn!(%error, "what became of a push could not be stored");
            if answer == Answer::Taken { PushOutcome::Sent } else { PushOutcome::Failed }
        })
    }

    async fn send_until_answered(&self, notice: &Notice, to: &PushSubscriptionRow) -> Answer {
        let until = tokio::time::Instant::now() + notice.life();
        let mut pauses = RETRY_PAUSES.into_iter();
        loop {
            let left = until.saturating_duration_since(tokio::time::Instant::now());
            let answer = self.send(notice, to, left).await;
            let Answer::Later(wished) = answer else { return answer };
            let Some(pause) = pauses.next() else { return answer };
            let pause = wished.unwrap_or(pause);
            // It would come too late.
            if pause > MAX_PAUSE || tokio::time::Instant::now() + pause >= until {
                return answer;
            }
            tokio::time::sleep(pause).await;
        }
    }

    async fn send(&self, notice: &Notice, to: &PushSubscriptionRow, left: Duration) -> Answer {
        // What is allowed may have changed since it was stored.
        let (Ok(url), Some(keys)) = (reach::parse(&to.endpoint, self.reach), BrowserKeys::of(to)) else {
            return Answer::Gone;
        };
        let payload = serde_json::to_vec(&notice.message()).unwrap_or_default();
        let authorization = self.key.authorization(&reach::audience(&url), self.clock.wall());
        let request = self
            .client
            .post(url)
            .header(header::AUTHORIZATION, authorization)
            .header(header::CONTENT_ENCODING, "aes128gcm")
            .header(header::CONTENT_TYPE, "application/octet-stream")
            .header("ttl", left.as_secs().max(1))
            .header("urgency", notice.urgency().word())
            .header("topic", notice.topic())
            .body(keys.encrypt(&payload));
        let Ok(_place) = self.sending.acquire().await else { return Answer::Failed };
        match request.send().await {
            Ok(response) => answer_of(&response),
            Err(error) if is_not_public(&error) => Answer::Gone,
            // Another try would hang again.
            Err(error) if error.is_timeout() => Answer::Failed,
            Err(_) => Answer::Later(None),
        }
    }
}

/// The answer by its status; its body is not read. It is logged without the endpoint, which is a secret.
fn answer_of(response: &Response) -> Answer {
    let status = response.status();
    match status {
        status if status.is_success() => Answer::Taken,
        StatusCode::NOT_FOUND | StatusCode::GONE => Answer::Gone,
        StatusCode::TOO_MANY_REQUESTS => Answer::Later(retry_after(response)),
        status if status.is_server_error() => Answer::Later(retry_after(response)),
        _ => {
            let service = response.url().host_str().unwrap_or_default();
            tracing::warn!(service, status = status.as_u16(), "a push service refused a push");
            Answer::Failed
        }
    }
}

/// `Retry-After` in seconds; dates are not used by push services, and count as absent.
fn retry_after(response: &Response) -> Option<Duration> {
    let seconds = response.headers().get(header::RETRY_AFTER)?.to_str().ok()?.trim().parse().ok()?;
    Some(Duration::from_secs(seconds))
}
