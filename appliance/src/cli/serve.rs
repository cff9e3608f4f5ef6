//! `morpion serve`.

use std::{
    fs::{self, DirBuilder, Permissions},
    io,
    net::SocketAddr,
    os::unix::fs::{DirBuilderExt, PermissionsExt},
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use anyhow::{Context, bail};
use morpion_backup::restore;
use morpion_shell::output::print_error;
use morpion_store::OpenOptions;
use sd_notify::NotifyState;
use tokio::{
    net::TcpListener,
    signal::unix::{Signal, SignalKind, signal},
    sync::watch,
    time::timeout,
};
use tokio_util::task::AbortOnDropHandle;

use super::{config, reload::Reloader};
use crate::{
    account,
    app::App,
    backup,
    cluster::{self, Cluster},
    config::{ClusterConfig, Config, DRILL},
    demo, dump,
    logging::{self, Logging},
    process,
    server::{self, Listeners},
    storage,
    telemetry::Traces,
    tls,
};

/// A node of a cluster that has not started by then, since NATS does not answer, is announced as one without a leader.
const ANNOUNCED_WITHIN: Duration = Duration::from_secs(5);

/// The mode of a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ServeMode {
    Normal,
    /// A demo: see [`demo`].
    Demo,
}

/// Serves until SIGTERM or SIGINT, then drains; a second signal ends it at once. SIGHUP reloads.
///
/// # Errors
/// Why it cannot serve, in one line that says what to do.
pub async fn run(
    config: Config,
    mode: ServeMode,
    accept_data_loss: bool,
    reloader: Option<Reloader>,
) -> anyhow::Result<()> {
    account::check_files(&config)?;
    tls::check(&config)?;
    storage::check_owner(&config.data_dir)?;
    backup::check_key(&config)?;
    if config.is_drill && backup::server_name(&config).is_some() {
        bail!(
            "backups are made of {}, so that it is no folder for a drill; restore one of them into a new folder",
            config.data_dir.display()
        );
    }
    process::raise_open_files_limit();
    let listener = bind(config.server.listen, LISTEN).await?;
    let redirecting = match config.server.http_listen {
        Some(address) => Some(bind(address, "choose another server.http_listen").await?),
        None => None,
    };
    let metrics = match config.metrics.listen {
        Some(address) => Some(bind(address, "choose another metrics.listen").await?),
        None => None,
    };
    let config = config.bound_to(listener.local_addr()?);
    prepare(&config.data_dir)?;
    let traces = config.telemetry.otlp.as_ref().map(Traces::start).transpose()?;
    let logging = Arc::new(logging::start(&config.log, config.log_dir().as_deref(), traces.as_ref())?);
    make_private(&config.data_dir);

    // Before the server is announced: from then on a signal means draining.
    let signals = StopSignals::listen().context("signals cannot be received")?;
    // A node that follows has nothing to reload, and must not be ended by it.
    let hangups = signal(SignalKind::hangup()).context("signals cannot be received")?;
    let options = OpenOptions { accept_data_loss, ..config.open_options() };
    tokio::spawn(feed_watchdog());
    let server = Server {
        config,
        mode,
        listeners: Listeners { listener, redirecting },
        metrics,
        logging,
        reloader,
        signals,
        hangups,
    };
    match server.config.cluster.clone().filter(|_| mode == ServeMode::Normal) {
        Some(cluster) => server.serve_in(&cluster, options).await,
        None => {
            cluster::check_alone(&server.config)?;
            server.serve(options, None).await
        }
    }
}

/// Everything that serving needs besides the data.
struct Server {
    config: Config,
    mode: ServeMode,
    listeners: Listeners,
    metrics: Option<TcpListener>,
    logging: Arc<Logging>,
    reloader: Option<Reloader>,
    signals: StopSignals,
    hangups: Signal,
}

impl Server {
    /// Serves until a signal, or until an operator wants another node of the cluster to lead.
    async fn serve(self, options: OpenOptions, cluster: Option<Cluster>) -> anyhow::Result<()> {
        let Self { config, mode, listeners, metrics, logging, reloader, mut signals, hangups } = self;
        if mode == ServeMode::Normal {
            backup::keep_tail(&config);
        }
        let app = App::open_in(config, options, |play| play, cluster.clone()).await?;
        app.accounts.replace_local_token().await?;
        if mode == ServeMode::Normal {
            let arguments = reloader.as_ref().map(Reloader::arguments).unwrap_or_default();
            app.backups.start(arguments).context("backups cannot be started")?;
        }
        let token = match mode {
            ServeMode::Demo => Some(demo::prepare(&app).await?),
            ServeMode::Normal => None,
        };
        print_startup(&app).await?;
        if let Some(listener) = metrics {
            // They are of use also while the server drains.
            tokio::spawn(Arc::clone(&app).serve_metrics(listener, std::future::pending()));
        }
        let _ = sd_notify::notify(false, &[NotifyState::Ready]);
        let demo_task = token.map(|token| tokio::spawn(demo::run(Arc::clone(&app), token)));

        let reloading = reloader.map(|reloader| tokio::spawn(reloader.run(hangups, Arc::clone(&app), logging)));

        let shutdown = {
            let (app, cluster) = (Arc::clone(&app), cluster.clone());
            async move {
                let is_stopping = tokio::select! {
                    () = signals.next() => true,
                    () = async {
                        match &cluster {
                            Some(cluster) => cluster.asked_to_step_down().await,
                            None => std::future::pending().await,
                        }
                    } => false,
                };
                if is_stopping {
                    let _ = sd_notify::notify(false, &[NotifyState::Stopping]);
                }
                app.health.drain();
                for task in demo_task.into_iter().chain(reloading) {
                    task.abort();
                }
                tokio::spawn(async move {
                    if !is_stopping {
                        // The first one while another node takes over only stops this one when that is done.
                        signals.next().await;
                    }
                    signals.next().await;
                    print_error("morpion: stopped before everything was drained; what was acknowledged is stored");
                    std::process::exit(1);
                });
            }
        };
        let tunnelled = match &cluster {
            Some(cluster) => Some(cluster.tunnelled().await?),
            None => None,
        };
        app.serve_on(listeners, tunnelled, shutdown).await
    }

    /// Follows until this node leads, and then serves until it leads no longer. What needs no leader is served at once, also
    /// while NATS does not answer.
    async fn serve_in(mut self, cluster: &ClusterConfig, options: OpenOptions) -> anyhow::Result<()> {
        let is_stopped = self.signals.stopped();
        let (tell, told) = watch::channel(None);
        let announcement = format!(
            "Morpion {} is node {} of a cluster, and serves {}",
            env!("CARGO_PKG_VERSION"),
            cluster.name,
            self.config.public_origin()
        );
        let announcing = AbortOnDropHandle::new(tokio::spawn(announce(announcement, told.clone())));
        let mut followed = Ok(None);
        let until = async {
            followed = follow(&self.config, cluster, options.clone(), &mut self.signals, tell).await;
        };
        let metrics = self.metrics.as_ref().map(server::duplicate).transpose()?;
        server::pass_on(&self.config, self.listeners.duplicate()?, metrics, told, until).await?;
        drop(announcing);
        let node = match (followed?, is_stopped.load(Ordering::Relaxed)) {
            (Some(node), false) => node,
            (node, _) => {
                let _ = sd_notify::notify(false, &[NotifyState::Stopping]);
                if let Some(node) = node {
                    node.close().await;
                }
                return Ok(());
            }
        };
        if node.view().borrow().is_over {
            return Err(cluster::restart(&node));
        }
        let serving = async {
            let engine = node.take_lead()?;
            self.serve(OpenOptions { engine: Some(engine), ..options }, Some(node.clone())).await
        };
        let served = tokio::select! {
            served = serving => {
                node.release().await;
                served
            }
            () = node.is_over() => {
                tracing::warn!("this node no longer leads; it restarts as a follower");
                node.hang_up().await;
                Ok(())
            }
        };
        // Nobody else could lead meanwhile, so it would only fail again.
        if is_stopped.load(Ordering::Relaxed) || (served.is_err() && node.is_alone()) {
            return served;
        }
        if let Err(error) = served {
            tracing::error!(error = %format!("{error:#}"), "this node cannot lead; it restarts as a follower");
        }
        Err(cluster::restart(&node))
    }
}

/// Says that the server is up: once this node has started, and its data or settings can no longer be refused, or after a
/// while without NATS.
async fn announce(text: String, node: watch::Receiver<Option<Cluster>>) {
    let _ = timeout(ANNOUNCED_WITHIN, Cluster::started(node)).await;
    let _ = sd_notify::notify(false, &[NotifyState::Ready]);
    logging::print_line(&text);
}

/// Starts this node and tells of it, then returns when it leads, has to start anew, or a signal ends it. `None`: the signal
/// came before it had started.
///
/// # Errors
/// As [`Cluster::start`].
async fn follow(
    config: &Config,
    cluster: &ClusterConfig,
    options: OpenOptions,
    signals: &mut StopSignals,
    tell: watch::Sender<Option<Cluster>>,
) -> anyhow::Result<Option<Cluster>> {
    let (config, cluster) = (config.clone(), cluster.clone());
    // In a task of its own: it waits for files now and then, and connections are accepted meanwhile.
    let starting = tokio::spawn(async move { Cluster::start(&config, &cluster, options).await });
    let node = tokio::select! {
        node = AbortOnDropHandle::new(starting) => node??,
        () = signals.next() => return Ok(None),
    };
    tell.send_replace(Some(node.clone()));
    tokio::select! {
        () = node.leads() => {}
        () = node.is_over() => {}
        () = signals.next() => {}
    }
    Ok(Some(node))
}

/// What to do when the address cannot be had.
const LISTEN: &str = "choose another address with --listen";

async fn bind(address: SocketAddr, otherwise: &str) -> anyhow::Result<TcpListener> {
    match TcpListener::bind(address).await {
        Ok(listener) => Ok(listener),
        Err(error) => match error.kind() {
            io::ErrorKind::AddrInUse => {
                bail!("{address} is taken by another program; stop that one or {otherwise}")
            }
            io::ErrorKind::PermissionDenied => {
                bail!("{address} may not be listened on by this user, as ports below 1024; {otherwise}")
            }
            io::ErrorKind::AddrNotAvailable => {
                bail!("{address} is not an address of this machine; {otherwise}")
            }
            _ => bail!("{address} cannot be listened on: {error}; {otherwise}"),
        },
    }
}

/// Creates a data folder that only this user can access.
fn prepare(data_dir: &Path) -> anyhow::Result<()> {
    for unfinished in [restore::UNFINISHED, dump::UNFINISHED].map(|name| data_dir.join(name)) {
        if unfinished.exists() {
            bail!(
                "{} is of a restore or import that did not end; remove it, and begin that again",
                unfinished.display()
            );
        }
    }
    DirBuilder::new().recursive(true).mode(0o700).create(data_dir).with_context(|| {
        format!("the data folder {} cannot be made; choose another with --data-dir", data_dir.display())
    })
}

/// Takes an existing data folder away from everybody but this user. Where the permissions are not this user's to change,
/// as on some mounted volumes, the server runs as it is.
fn make_private(data_dir: &Path) {
    if !storage::is_open_to_others(data_dir) {
        return;
    }
    let folder = data_dir.display();
    match fs::set_permissions(data_dir, Permissions::from_mode(0o700)) {
        Ok(()) => tracing::warn!(%folder, "other users had access to the data folder; its mode is 0700 now"),
        Err(error) => tracing::warn!(%folder, %error, "other users have access to the data folder, which stays so"),
    }
}

/// Prints the URL and, while there is no admin, the link that creates one: to standard output, not to the journal.
async fn print_startup(app: &App) -> anyhow::Result<()> {
    logging::print_line(&format!("Morpion {} serves {}", env!("CARGO_PKG_VERSION"), app.config.public_origin()));
    let health = app.store.health();
    if app.config.is_drill {
        logging::print_line(DRILL);
    }
    for notice in storage::notices(&health).into_iter().chain(storage::kept(&health.quarantined_logs)) {
        logging::print_line(&notice);
        tracing::warn!("{notice}");
    }
    let tls = app.tls.iter().flat_map(|tls| tls.notices());
    for warning in config::warnings(&app.config).into_iter().chain(tls) {
        tracing::warn!("{warning}");
    }
    if logging::is_under_systemd() {
        if app.store.count_admins().await? == 0 {
            logging::print_line("There is no admin yet; `morpion admin create` makes one.");
        }
    } else if let Some(link) = app.accounts.new_setup_link().await? {
        logging::print_line(&format!(
            "There is no admin yet. Open this link within 30 minutes to become the first one:\n  {link}"
        ));
    }
    tracing::info!(version = env!("CARGO_PKG_VERSION"), listen = %app.config.server.listen, "serving");
    Ok(())
}

/// SIGTERM and SIGINT, received from the moment this is created.
struct StopSignals {
    terminate: Signal,
    interrupt: Signal,
    stopped: Arc<AtomicBool>,
}

impl StopSignals {
    fn listen() -> io::Result<Self> {
        Ok(Self {
            terminate: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
            stopped: Arc::default(),
        })
    }

    /// Whether one was received.
    fn stopped(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.stopped)
    }

    async fn next(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
        self.stopped.store(true, Ordering::Relaxed);
    }
}

/// Notifies systemd's watchdog, twice per interval, that the program's tasks still run; it restarts one whose tasks do
/// not.
async fn feed_watchdog() {
    let mut limit = 0;
    if !sd_notify::watchdog_enabled(false, &mut limit) {
        return;
    }
    let mut ticks = tokio::time::interval(Duration::from_micros(limit / 2).max(Duration::from_millis(1)));
    loop {
        ticks.tick().await;
        let _ = sd_notify::notify(false, &[NotifyState::Watchdog]);
    }
}
