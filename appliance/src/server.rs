//! Serves: accepts connections, keeps what has to be kept meanwhile, and drains at the end.

use std::{future::Future, sync::Arc, time::Duration};

use anyhow::Context;
use poem::{
    http::uri::Scheme,
    listener::{Acceptor, TcpAcceptor},
    web::{LocalAddr, RemoteAddr},
};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::broadcast::error::RecvError,
    time::{MissedTickBehavior, interval, timeout},
};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use crate::{app::App, clock, connections::hub::PING_EVERY, http};

/// The whole drain takes at most this long; what is not finished then is cut off.
const DRAIN: Duration = Duration::from_secs(8);

/// The machine's clock is compared with what elapsed at every such look at the time: half a second.
const COMPARE_EVERY: u64 = 10;

/// What follows a pause waits no longer than this for the store.
const RESUME_WITHIN: Duration = Duration::from_secs(5);

/// Requests under way get this long to be answered.
const FINISH_REQUESTS: Duration = Duration::from_secs(3);

/// Accepts connections whose small frames leave at once, instead of waiting some 40 ms for what came before them to be
/// acknowledged.
struct Prompt(TcpAcceptor);

impl Acceptor for Prompt {
    type Io = TcpStream;

    fn local_addr(&self) -> Vec<LocalAddr> {
        self.0.local_addr()
    }

    async fn accept(&mut self) -> std::io::Result<(Self::Io, LocalAddr, RemoteAddr, Scheme)> {
        let accepted = self.0.accept().await?;
        // A client that is gone already is noticed when it is read from.
        let _ = accepted.0.set_nodelay(true);
        Ok(accepted)
    }
}

impl App {
    /// Serves until `shutdown` resolves, then drains: sockets are told, games are stored, the store
    /// is closed. Returns within 10 seconds of the signal.
    ///
    /// # Errors
    /// When the listener fails, or the store does not close.
    pub async fn serve(
        self: Arc<Self>,
        listener: TcpListener,
        shutdown: impl Future<Output = ()> + Send,
    ) -> anyhow::Result<()> {
        let stop = CancellationToken::new();
        let background = TaskTracker::new();
        background.spawn(stop.clone().run_until_cancelled_owned(Arc::clone(&self).keep_clock()));
        background.spawn(stop.clone().run_until_cancelled_owned(Arc::clone(&self).keep_sockets_alive()));
        background.spawn(stop.clone().run_until_cancelled_owned(Arc::clone(&self).close_ended_sessions()));
        background.spawn(stop.clone().run_until_cancelled_owned(self.health.clone().keep_beating()));
        background.spawn(stop.clone().run_until_cancelled_owned(Arc::clone(&self).learn_people()));
        background.spawn(stop.clone().run_until_cancelled_owned(Arc::clone(&self).keep_house()));
        background.spawn(stop.clone().run_until_cancelled_owned(Arc::clone(&self).run_account_cleanup()));
        background.spawn(stop.clone().run_until_cancelled_owned(Arc::clone(&self).keep_billing()));
        background.close();

        let acceptor = Prompt(TcpAcceptor::from_tokio(listener)?);
        let routes = http::routes(&self);
        let drain = {
            let app = Arc::clone(&self);
            async move {
                shutdown.await;
                tracing::info!("draining");
                app.hub.drain();
                app.connections.close();
            }
        };
        poem::Server::new_with_acceptor(acceptor)
            .run_with_graceful_shutdown(routes, drain, Some(FINISH_REQUESTS))
            .await
            .context("the server cannot serve")?;

        stop.cancel();
        let closing = async {
            self.connections.wait().await;
            background.wait().await;
            self.tournaments.stop().await;
            let running = self.running.lock().take();
            if let Some((running, log_writer)) = running {
                running.stop().await;
                log_writer.stop().await;
            }
            crate::logging::silence_engine();
            self.store.close().await
        };
        tokio::time::timeout(DRAIN, closing)
            .await
            .context("the drain took too long; everything acknowledged is stored")??;
        tracing::info!("stopped");
        Ok(())
    }

    /// Sees to it that neither a stop of the process nor somebody who sets the machine's clock is held against anyone.
    async fn keep_clock(self: Arc<Self>) {
        let _watch = self.clock.watch();
        let mut ticks = interval(clock::LOOK_EVERY);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        for tick in 0_u64.. {
            ticks.tick().await;
            self.clock.now();
            if self.clock.is_held() {
                let resumed =
                    async { tokio::join!(self.play.resume_after_pause(), self.tournaments.resume_after_pause()) };
                if timeout(RESUME_WITHIN, resumed).await.is_err() {
                    tracing::error!("not everybody got more time after a pause: the store does not answer");
                }
                self.clock.release();
            }
            if tick.is_multiple_of(COMPARE_EVERY) && self.clock.compare().is_some() {
                // Or a restart before the next heartbeat would take the step for time that passed.
                let stored = timeout(RESUME_WITHIN, self.store.heartbeat_with(&self.clock.reading())).await;
                if !matches!(stored, Ok(Ok(()))) {
                    tracing::warn!("the clocks could not be stored yet");
                }
            }
        }
    }

    /// After a start, so that none waits for it: names and pictures of everybody who plays or is in an open event.
    async fn learn_people(self: Arc<Self>) {
        let seen = self.play.players().into_iter().chain(self.tournaments.players());
        if let Err(fault) = self.accounts.people.learn(seen).await {
            tracing::warn!(%fault, "names and pictures of players are not known yet");
        }
    }

    async fn keep_billing(self: Arc<Self>) {
        self.billing.run_reconciliation().await;
    }

    async fn keep_sockets_alive(self: Arc<Self>) {
        let mut ticks = interval(PING_EVERY);
        ticks.tick().await;
        loop {
            ticks.tick().await;
            self.hub.ping_all(self.play.now());
        }
    }

    async fn close_ended_sessions(self: Arc<Self>) {
        let mut ended = self.accounts.ended();
        loop {
            match ended.recv().await {
                Ok(session) => self.hub.end_session(session.session_id),
                // Those that were missed end when their client speaks next or is asked to check.
                Err(RecvError::Lagged(missed)) => tracing::warn!(missed, "ended sessions were missed"),
                Err(RecvError::Closed) => return,
            }
        }
    }
}
