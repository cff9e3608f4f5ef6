//! Whether the store responds: a heartbeat.

use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Duration,
};

use morpion_store::Store;
use tokio::time::{Instant, MissedTickBehavior, interval, timeout};

use crate::{backup::Backups, clock::Clock, config::DRILL, disk::DiskGuard, process::ProcessWatch, storage, tls::Tls};

/// Interval of the heartbeat's writes, however often `/readyz` is requested.
const BEAT_EVERY: Duration = Duration::from_secs(2);

/// The server is ready if the store completed a write within this time.
const READY_WITHIN: Duration = Duration::from_secs(5);

/// When the store last completed a write. Clones share it.
#[derive(Debug, Clone)]
pub struct Health {
    store: Store,
    clock: Clock,
    disk: DiskGuard,
    backups: Backups,
    tls: Option<Arc<Tls>>,
    process: ProcessWatch,
    is_drill: bool,
    heartbeat: Arc<Heartbeat>,
}

/// Why the server is not ready.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotReady {
    Starting,
    /// The store has not completed a write in time.
    StoreFails,
    /// The server passes requests to the one that leads, and there is none.
    NobodyLeads,
    Stopping,
}

impl fmt::Display for NotReady {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Starting => "The server is starting.",
            Self::StoreFails => "The store has not answered a write for 5 seconds.",
            Self::NobodyLeads => "No server leads.",
            Self::Stopping => "The server is stopping.",
        })
    }
}

#[derive(Debug)]
struct Heartbeat {
    begun: Instant,
    /// Milliseconds after `begun`, plus one; 0 before the first success.
    last: AtomicU64,
    draining: AtomicBool,
}

impl Heartbeat {
    fn new() -> Self {
        Self { begun: Instant::now(), last: AtomicU64::new(0), draining: AtomicBool::new(false) }
    }

    fn record_success(&self) {
        let now = u64::try_from(self.begun.elapsed().as_millis()).unwrap_or(u64::MAX - 1);
        self.last.store(now + 1, Ordering::Relaxed);
    }

    fn check(&self) -> Result<(), NotReady> {
        if self.draining.load(Ordering::Relaxed) {
            return Err(NotReady::Stopping);
        }
        let now = self.begun.elapsed();
        match self.last.load(Ordering::Relaxed) {
            0 if now <= READY_WITHIN => Err(NotReady::Starting),
            0 => Err(NotReady::StoreFails),
            last if now.saturating_sub(Duration::from_millis(last - 1)) > READY_WITHIN => Err(NotReady::StoreFails),
            _ => Ok(()),
        }
    }
}

impl Health {
    /// Not ready until [`Health::run_heartbeat`] had its first success.
    pub fn new(
        store: Store,
        clock: Clock,
        disk: DiskGuard,
        process: ProcessWatch,
        tls: Option<Arc<Tls>>,
        backups: Backups,
        is_drill: bool,
    ) -> Self {
        // That many queries wait for their turn does not mean that the store fails.
        let store = store.urgent();
        Self { store, clock, disk, process, tls, backups, is_drill, heartbeat: Arc::new(Heartbeat::new()) }
    }

    pub fn is_ready(&self) -> bool {
        self.check().is_ok()
    }

    /// # Errors
    /// Why the server is not ready.
    pub fn check(&self) -> Result<(), NotReady> {
        self.heartbeat.check()
    }

    /// Not ready from now on: a load balancer should send clients elsewhere.
    pub fn drain(&self) {
        self.heartbeat.draining.store(true, Ordering::Relaxed);
    }

    /// Writes to the store at the interval; runs until it is dropped.
    pub async fn run_heartbeat(self) {
        let mut ticks = interval(BEAT_EVERY);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            ticks.tick().await;
            let reading = self.clock.reading();
            match timeout(READY_WITHIN, self.store.heartbeat_with(&reading)).await {
                Ok(Ok(())) => self.heartbeat.record_success(),
                Ok(Err(error)) => tracing::error!(%error, "the store does not write"),
                Err(_) => tracing::error!(seconds = READY_WITHIN.as_secs(), "the store does not answer"),
            }
        }
    }

    /// What operators should know of the storage engine, the disk and the process, one line each.
    pub fn notices(&self) -> Vec<String> {
        let mut notices: Vec<_> = self.is_drill.then(|| DRILL.to_owned()).into_iter().collect();
        notices.extend(storage::notices(&self.store.health()));
        notices.extend(self.disk.notice());
        notices.extend(self.process.usage().notices());
        notices.extend(self.tls.iter().flat_map(|tls| tls.notices()));
        notices.extend(self.backups.notice());
        notices
    }
}

#[cfg(test)]
mod tests {
    use morpion_store::{DatabaseUrl, OpenOptions};
    use tokio::time::{advance, sleep};

    use super::*;
    use crate::{background::queries, config::Config, metrics::Metrics};

    #[tokio::test(start_paused = true)]
    async fn readiness_requires_a_write_within_five_seconds() {
        let heartbeat = Heartbeat::new();
        assert_eq!(heartbeat.check(), Err(NotReady::Starting));
        advance(READY_WITHIN + Duration::from_millis(2)).await;
        assert_eq!(heartbeat.check(), Err(NotReady::StoreFails), "nothing was written at all");
        heartbeat.record_success();
        assert_eq!(heartbeat.check(), Ok(()));
        advance(READY_WITHIN).await;
        assert_eq!(heartbeat.check(), Ok(()));
        advance(Duration::from_millis(2)).await;
        assert_eq!(heartbeat.check(), Err(NotReady::StoreFails));
        heartbeat.record_success();
        assert_eq!(heartbeat.check(), Ok(()));
        heartbeat.draining.store(true, Ordering::Relaxed);
        assert_eq!(heartbeat.check(), Err(NotReady::Stopping), "a server that drains wants no further people");
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn queries_that_wait_for_a_thread_are_no_failure_of_the_store() {
        let options = OpenOptions { queries: Some(queries()), ..OpenOptions::default() };
        let store = Store::open(&DatabaseUrl::Memory, options).await.unwrap();
        let (clock, disk) = (Clock::default(), DiskGuard::default());
        let backups = Backups::new(&Config::default(), store.clone(), clock.clone(), disk.clone(), Metrics::default());
        let health = Health::new(store, clock, disk, ProcessWatch::default(), None, backups, false);
        let is_over = Arc::new(AtomicBool::new(false));
        for _ in 0..100 {
            let is_over = Arc::clone(&is_over);
            queries().spawn(async move {
                while !is_over.load(Ordering::Relaxed) {
                    std::thread::sleep(Duration::from_millis(1));
                }
            });
        }
        let beating = tokio::spawn(health.clone().run_heartbeat());
        let becomes_ready = async {
            while !health.is_ready() {
                sleep(Duration::from_millis(10)).await;
            }
        };
        let is_ready = timeout(READY_WITHIN, becomes_ready).await.is_ok();
        is_over.store(true, Ordering::Relaxed);
        beating.abort();
        assert!(is_ready);
    }
}
