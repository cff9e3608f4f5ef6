//! Serves: accepts connections, runs the background tasks, drains at the end.

mod activity;
mod credentials;
mod edge;
mod metrics;
mod pace;
mod redirect;
mod upgraded;

use std::{future::Future, io, os::fd::AsFd, sync::Arc, time::Duration};

use anyhow::Context;
use prometheus::TextEncoder;
use tokio::{
    net::TcpListener,
    sync::{mpsc, watch},
    time::{MissedTickBehavior, interval, timeout},
};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use crate::{
    app::App,
    audit,
    clock::{self, Clock},
    cluster::{Cluster, TunnelStream},
    config::Config,
    connections::hub::{PING_EVERY, PING_PARTS},
    history::SAMPLE_EVERY,
    http,
    http::{headers::SecurityHeaders, passing::Passing, repeats::Repeats},
    metrics::{ClusterStanding, Metrics},
    shares::Shares,
    tls::Tls,
};
use edge::{EdgeLimits, Listening};

/// The drain takes at most this long; unfinished work is cut off.
const DRAIN: Duration = Duration::from_secs(8);

/// The part of it in which the store has to close. That waits for a merge of tables, which can take half a minute; what is not
/// finished then is done after the next start, as after a kill.
const CLOSE_STORE: Duration = Duration::from_secs(4);

/// The machine's clock is compared with the elapsed time every so many ticks: half a second.
const COMPARE_EVERY: u64 = 10;

/// After a pause the store is waited for no longer than this.
const RESUME_WITHIN: Duration = Duration::from_secs(5);

/// Running requests get this long to finish.
const FINISH_REQUESTS: Duration = Duration::from_secs(3);

/// The same for what was passed to a leader that is gone.
const FINISH_PASSING: Duration = Duration::from_millis(200);

/// What a server listens on.
pub struct Listeners {
    pub listener: TcpListener,
    /// Redirects to the other one.
    pub redirecting: Option<TcpListener>,
}

impl Listeners {
    /// The same sockets once more: clients that connect between two servings wait.
    ///
    /// # Errors
    /// The system has no file descriptors left.
    pub fn duplicate(&self) -> io::Result<Self> {
        let redirecting = self.redirecting.as_ref().map(duplicate).transpose()?;
        Ok(Self { listener: duplicate(&self.listener)?, redirecting })
    }
}

/// See [`Listeners::duplicate`].
///
/// # Errors
/// The system has no file descriptors left.
pub fn duplicate(listener: &TcpListener) -> io::Result<TcpListener> {
    let copy = listener.as_fd().try_clone_to_owned()?;
    TcpListener::from_std(std::net::TcpListener::from(copy))
}

/// Serves as a node of a cluster that another one leads: the web app from the binary, and the answers of the leader. Before
/// `cluster` tells of this node, that is as if nobody led. Ends when `until` resolves.
///
/// # Errors
/// When a listener fails, or a certificate cannot be had.
pub async fn pass_on(
    config: &Config,
    Listeners { listener, redirecting }: Listeners,
    metrics_listener: Option<TcpListener>,
    cluster: watch::Receiver<Option<Cluster>>,
    until: impl Future<Output = ()>,
) -> anyhow::Result<()> {
    let config = Arc::new(config.clone());
    let metrics = Metrics::default();
    let tls = Tls::open(&config, Clock::default())?;
    let stop = CancellationToken::new();
    let background = TaskTracker::new();
    if let Some(tls) = &tls {
        background.spawn(stop.clone().run_until_cancelled_owned(Arc::clone(tls).run()));
    }
    let limits = EdgeLimits::new(&config.server, Shares::of_bytes(&config.server));
    let (repeats, headers) = (Repeats::default(), SecurityHeaders::new(&config));
    if let Some(listener) = redirecting {
        let (limits, headers) = (limits.clone(), headers.without_hsts());
        let listening = Listening { listener, tls: None, limits, headers, tunnelled: None };
        background.spawn(redirect::serve(listening, Arc::clone(&config), repeats.clone(), stop.clone()));
    }
    // Before this node has started, too: then nobody leads, as far as it knows.
    metrics.cluster_stands(ClusterStanding::default());
    let measuring = {
        let (connections, cluster, metrics) = (Arc::clone(&limits.connections), cluster.clone(), metrics.clone());
        async move {
            let cluster = Cluster::started(cluster).await;
            cluster.count_sockets(move || connections.taken());
            cluster.measure(metrics).await;
        }
    };
    background.spawn(stop.clone().run_until_cancelled_owned(measuring));
    if let Some(listener) = metrics_listener {
        let (config, metrics, stop) = (Arc::clone(&config), metrics.clone(), stop.clone());
        background.spawn(async move {
            let scrape = move || TextEncoder::new().encode_to_string(&metrics.gather());
            if let Err(error) = metrics::serve(listener, &config, scrape, stop.cancelled()).await {
                tracing::error!(%error, "the metrics are not served");
            }
        });
    }
    background.close();
    let passing = Passing::new(&config, Arc::clone(&limits.held), cluster);
    let routes = http::passing_routes(&config, passing, repeats.clone(), metrics);
    let tls = tls.as_ref().map(|tls| tls.acceptor());
    let listening = Listening { listener, tls, limits, headers, tunnelled: None };
    edge::serve(listening, routes, config, repeats, until, FINISH_PASSING).await.context("the server cannot serve")?;
    stop.cancel();
    background.wait().await;
    Ok(())
}

impl App {
    /// As [`App::serve_with_redirect`], without a redirecting listener.
    ///
    /// # Errors
    /// As [`App::serve_with_redirect`].
    pub async fn serve(
        self: Arc<Self>,
        listener: TcpListener,
        shutdown: impl Future<Output = ()> + Send,
    ) -> anyhow::Result<()> {
        self.serve_with_redirect(listener, None, shutdown).await
    }

    /// Serves until `shutdown` resolves, then drains: clients are informed, games are stored, the store is closed.
    /// Returns within 10 seconds of the signal.
    ///
    /// # Errors
    /// When the listener fails, or the store does not close.
    pub async fn serve_with_redirect(
        self: Arc<Self>,
        listener: TcpListener,
        redirecting: Option<TcpListener>,
        shutdown: impl Future<Output = ()> + Send,
    ) -> anyhow::Result<()> {
        self.serve_on(Listeners { listener, redirecting }, None, shutdown).await
    }

    /// As [`App::serve_with_redirect`], as the leader of a cluster also what its other nodes pass on.
    ///
    /// # Errors
    /// As [`App::serve_with_redirect`].
    pub async fn serve_on(
        self: Arc<Self>,
        Listeners { listener, redirecting }: Listeners,
        tunnelled: Option<mpsc::Receiver<TunnelStream>>,
        shutdown: impl Future<Output = ()> + Send,
    ) -> anyhow::Result<()> {
        let stop = CancellationToken::new();
        let background = TaskTracker::new();
        background.spawn(stop.clone().run_until_cancelled_owned(Arc::clone(&self).run_clock()));
        background.spawn(stop.clone().run_until_cancelled_owned(Arc::clone(&self).run_pings()));
        let hub = self.hub.clone();
        background.spawn(stop.clone().run_until_cancelled_owned(async move { hub.run_deferred().await }));
        background.spawn(stop.clone().run_until_cancelled_owned(Arc::clone(&self).close_ended_sessions()));
        background.spawn(stop.clone().run_until_cancelled_owned(Arc::clone(&self).close_expired()));
        background.spawn(stop.clone().run_until_cancelled_owned(self.health.clone().run_heartbeat()));
        background.spawn(stop.clone().run_until_cancelled_owned(self.disk.clone().run()));
        background.spawn(stop.clone().run_until_cancelled_owned(Arc::clone(&self).load_people()));
        background.spawn(stop.clone().run_until_cancelled_owned(Arc::clone(&self).run_housekeeping()));
        background.spawn(stop.clone().run_until_cancelled_owned(Arc::clone(&self).run_admin_claims()));
        background.spawn(stop.clone().run_until_cancelled_owned(Arc::clone(&self).run_account_cleanup()));
        background.spawn(stop.clone().run_until_cancelled_owned(Arc::clone(&self).run_reconciliation()));
        background.spawn(stop.clone().run_until_cancelled_owned(self.reminders().run()));
        background.spawn(stop.clone().run_until_cancelled_owned(self.webhooks.clone().run()));
        background.spawn(stop.clone().run_until_cancelled_owned(self.events.clone().run_series()));
        background.spawn(stop.clone().run_until_cancelled_owned(Arc::clone(&self).run_monitoring(SAMPLE_EVERY)));
        background.spawn(stop.clone().run_until_cancelled_owned(self.engine_use.clone().run()));
        let export = audit::run_export(self.store.clone(), self.config.audit_targets());
        background.spawn(stop.clone().run_until_cancelled_owned(export));
        if let Some(tls) = &self.tls {
            background.spawn(stop.clone().run_until_cancelled_owned(Arc::clone(tls).run()));
        }
        let limits = EdgeLimits::new(&self.config.server, Arc::clone(&self.held));
        if let Some(cluster) = &self.cluster {
            let connections = Arc::clone(&limits.connections);
            cluster.count_sockets(move || connections.taken());
            background.spawn(stop.clone().run_until_cancelled_owned(cluster.clone().measure(self.metrics.clone())));
        }
        let (repeats, headers) = (Repeats::default(), SecurityHeaders::new(&self.config));
        if let Some(listener) = redirecting {
            let (limits, headers) = (limits.clone(), headers.without_hsts());
            let listening = Listening { listener, tls: None, limits, headers, tunnelled: None };
            background.spawn(redirect::serve(listening, Arc::clone(&self.config), repeats.clone(), stop.clone()));
        }
        background.close();

        let routes = http::routes(&self, repeats.clone());
        let drain = {
            let app = Arc::clone(&self);
            async move {
                shutdown.await;
                tracing::info!("draining");
                app.hub.drain();
                app.connections.close();
            }
        };
        let tls = self.tls.as_ref().map(|tls| tls.acceptor());
        let listening = Listening { listener, tls, limits, headers, tunnelled };
        edge::serve(listening, routes, Arc::clone(&self.config), repeats, drain, FINISH_REQUESTS)
            .await
            .context("the server cannot serve")?;

        stop.cancel();
        let closing = async {
            self.connections.wait().await;
            background.wait().await;
            self.quick_match.stop().await;
            self.events.stop().await;
            let running = self.running.lock().take();
            if let Some((running, log_writer)) = running {
                running.stop().await;
                log_writer.stop().await;
            }
            // First: closing moves the log into tables, and a segment that the backups have not seen yet would be gone.
            self.backups.stop().await;
            crate::logging::silence_engine();
            close_in_time(self.store.close()).await
        };
        tokio::time::timeout(DRAIN, closing)
            .await
            .context("the drain took too long; everything acknowledged is stored")??;
        tracing::info!("stopped");
        Ok(())
    }

    /// Makes sure that neither a stop of the process nor a change of the machine's clock costs a player time.
    async fn run_clock(self: Arc<Self>) {
        let _watch = self.clock.watch();
        let mut ticks = interval(clock::WATCH_EVERY);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        for tick in 0_u64.. {
            ticks.tick().await;
            self.clock.now();
            if self.cluster.as_ref().is_some_and(Cluster::has_no_majority) {
                // No move can be stored, so nobody loses on time.
                self.clock.freeze();
                continue;
            }
            if self.clock.is_frozen() {
                let resumed = async { tokio::join!(self.play.resume_after_pause(), self.events.resume_after_pause()) };
                if timeout(RESUME_WITHIN, resumed).await.is_err() {
                    tracing::error!("not everybody got more time after a pause: the store does not answer");
                }
                self.clock.release();
            }
            if tick.is_multiple_of(COMPARE_EVERY) && self.clock.compare().is_some() {
                // Otherwise a restart before the next heartbeat would take the step for elapsed time.
                let stored = timeout(RESUME_WITHIN, self.store.heartbeat_with(&self.clock.reading())).await;
                if !matches!(stored, Ok(Ok(()))) {
                    tracing::warn!("the clocks could not be stored yet");
                }
            }
        }
    }

    /// After a start: loads names and pictures of all players in live games and open events.
    async fn load_people(self: Arc<Self>) {
        let seen = self.play.players().into_iter().chain(self.events.players());
        if let Err(error) = self.accounts.people.load(seen).await {
            tracing::warn!(%error, "names and pictures of players are not known yet");
        }
    }

    async fn run_reconciliation(self: Arc<Self>) {
        self.billing.run_reconciliation().await;
    }

    async fn run_pings(self: Arc<Self>) {
        let mut ticks = interval(PING_EVERY / PING_PARTS);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        for part in (0..PING_PARTS).cycle() {
            ticks.tick().await;
            self.hub.ping(part);
        }
    }
}

/// Waits for the store to close, at most for [`CLOSE_STORE`].
async fn close_in_time(closing: impl Future<Output = morpion_store::Result<()>>) -> morpion_store::Result<()> {
    timeout(CLOSE_STORE, closing).await.unwrap_or_else(|_| {
        tracing::info!("the store did not close in time; the next start does what it did not finish");
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use std::future::pending;

    use morpion_store::StoreError;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_database_that_is_still_merging_does_not_make_a_stop_fail() {
        assert_eq!(close_in_time(pending()).await, Ok(()));
        let failed = StoreError::Unavailable("full".to_owned());
        assert_eq!(close_in_time(async { Err(failed.clone()) }).await, Err(failed));
    }
}
