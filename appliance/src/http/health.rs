//! `/healthz`: the process answers. `/readyz`: so does the store, and the server is not leaving.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Duration,
};

use morpion_store::Store;
use poem::{Endpoint, Response, Route, endpoint::make_sync, http::StatusCode};
use tokio::time::{Instant, MissedTickBehavior, interval, timeout};

use crate::{app::App, clock::Clock, storage};

/// The store is asked to write this often, whoever asks for `/readyz` how often.
const BEAT_EVERY: Duration = Duration::from_secs(2);

/// The server is ready if the store answered a write within this time.
const READY_WITHIN: Duration = Duration::from_secs(5);

/// When the store last answered. Clones share it.
#[derive(Debug, Clone)]
pub struct Health {
    store: Store,
    clock: Clock,
    beat: Arc<Beat>,
}

#[derive(Debug)]
struct Beat {
    begun: Instant,
    /// Milliseconds after `begun`, plus one; 0 before the first answer.
    last: AtomicU64,
    draining: AtomicBool,
}

impl Beat {
    fn new() -> Self {
        Self { begun: Instant::now(), last: AtomicU64::new(0), draining: AtomicBool::new(false) }
    }

    fn answered(&self) {
        let now = u64::try_from(self.begun.elapsed().as_millis()).unwrap_or(u64::MAX - 1);
        self.last.store(now + 1, Ordering::Relaxed);
    }

    fn is_ready(&self) -> bool {
        let last = self.last.load(Ordering::Relaxed);
        let age = || self.begun.elapsed().saturating_sub(Duration::from_millis(last - 1));
        !self.draining.load(Ordering::Relaxed) && last > 0 && age() <= READY_WITHIN
    }
}

impl Health {
    /// Not ready until [`Health::keep_beating`] had its first answer.
    pub fn new(store: Store, clock: Clock) -> Self {
        Self { store, clock, beat: Arc::new(Beat::new()) }
    }

    pub fn is_ready(&self) -> bool {
        self.beat.is_ready()
    }

    /// From now on not ready: whatever spreads the load should send people elsewhere.
    pub fn drain(&self) {
        self.beat.draining.store(true, Ordering::Relaxed);
    }

    /// Asks the store for a write again and again; ends only by being dropped.
    pub async fn keep_beating(self) {
        let mut ticks = interval(BEAT_EVERY);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            ticks.tick().await;
            let reading = self.clock.reading();
            match timeout(READY_WITHIN, self.store.heartbeat_with(&reading)).await {
                Ok(Ok(())) => self.beat.answered(),
                Ok(Err(error)) => tracing::error!(%error, "the store does not write"),
                Err(_) => tracing::error!(seconds = READY_WITHIN.as_secs(), "the store does not answer"),
            }
        }
    }
}

/// Adds `/healthz` and `/readyz`.
pub fn mount(route: Route, app: &Arc<App>) -> Route {
    let health = app.health.clone();
    let notices = move || storage::notices(&health.store.health());
    let beat = Arc::clone(&app.health.beat);
    route.at("/healthz", endpoint(|| true, Vec::new)).at("/readyz", endpoint(move || beat.is_ready(), notices))
}

/// The first line says whether all is well, each further one something to know.
fn endpoint(
    is_well: impl Fn() -> bool + Send + Sync + 'static,
    notices: impl Fn() -> Vec<String> + Send + Sync + 'static,
) -> impl Endpoint<Output = Response> {
    make_sync(move |_| {
        let (status, word) =
            if is_well() { (StatusCode::OK, "ok") } else { (StatusCode::SERVICE_UNAVAILABLE, "not ready") };
        let lines = std::iter::once(word.to_owned()).chain(notices());
        let text: String = lines.map(|line| line + "\n").collect();
        Response::builder()
            .status(status)
            .header("cache-control", "no-store")
            .content_type("text/plain; charset=utf-8")
            .body(text)
    })
}

#[cfg(test)]
mod tests {
    use poem::test::TestClient;
    use tokio::time::advance;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn ready_is_whoever_wrote_within_five_seconds() {
        let beat = Beat::new();
        assert!(!beat.is_ready(), "nothing was written yet");
        beat.answered();
        assert!(beat.is_ready());
        advance(READY_WITHIN).await;
        assert!(beat.is_ready());
        advance(Duration::from_millis(2)).await;
        assert!(!beat.is_ready());
        beat.answered();
        assert!(beat.is_ready());
        beat.draining.store(true, Ordering::Relaxed);
        assert!(!beat.is_ready(), "a server that drains wants no further people");
    }

    #[tokio::test]
    async fn the_status_says_it_and_nobody_keeps_it() {
        for (is_well, status, text) in [
            (true, StatusCode::OK, "ok\nA notice.\n"),
            (false, StatusCode::SERVICE_UNAVAILABLE, "not ready\nA notice.\n"),
        ] {
            let notices = || vec!["A notice.".to_owned()];
            let response = TestClient::new(endpoint(move || is_well, notices)).get("/readyz").send().await;
            response.assert_status(status);
            response.assert_header("cache-control", "no-store");
            response.assert_text(text).await;
        }
    }
}
