//! The parts of the server: built and restored here, used by the parts that serve.

use std::sync::Arc;

use anyhow::Context;
use chrono::{DateTime, Utc};
use morpion_rules::Millis;
use morpion_store::{OpenOptions, Store};
use parking_lot::Mutex;
use tokio::{runtime::Handle, sync::Notify};
use tokio_util::task::TaskTracker;

use crate::{
    account::Accounts,
    backup::{self, Backups},
    billing::Billing,
    clock::Clock,
    cluster::Cluster,
    config::Config,
    connections::hub::{Hub, SocketLimits},
    disk::DiskGuard,
    engine_use::EngineUse,
    events::{EventOptions, EventRegistry, Events},
    health::Health,
    history::History,
    logbook::{LogWriter, Logbook, Retention},
    metrics::Metrics,
    people::People,
    play::{Play, PlayOptions, PlayTasks},
    process::ProcessWatch,
    push::Push,
    quick_match::QuickMatch,
    ratings::Ratings,
    reminders::Reminders,
    shares::Shares,
    tls::Tls,
    webhooks::Webhooks,
};

/// The parts, for handlers.
pub struct App {
    pub config: Arc<Config>,
    pub store: Store,
    pub accounts: Accounts,
    pub billing: Billing,
    pub play: Play,
    pub events: Events,
    pub quick_match: QuickMatch,
    pub ratings: Ratings,
    pub engine_use: EngineUse,
    pub logbook: Logbook,
    pub hub: Hub,
    pub health: Health,
    pub disk: DiskGuard,
    pub backups: Backups,
    /// Of `server.listen`.
    pub tls: Option<Arc<Tls>>,
    pub metrics: Metrics,
    pub push: Push,
    pub webhooks: Webhooks,
    pub process: ProcessWatch,
    pub history: History,
    pub clock: Clock,
    /// None for a server that is alone.
    pub cluster: Option<Cluster>,
    /// The tasks of open websockets, and the threads of play that they run on.
    pub connections: TaskTracker,
    pub runtime: Handle,
    /// Bytes that are held for clients.
    pub held: Arc<Shares>,
    /// Websockets of visitors.
    pub visitors: Arc<Shares>,
    pub started_at: DateTime<Utc>,
    /// An account was deleted, and its data has to be removed everywhere.
    pub(crate) cleanup_needed: Notify,
    pub(crate) running: Mutex<Option<(PlayTasks, LogWriter)>>,
}

impl App {
    /// Opens the store and restores everything that was running.
    ///
    /// # Errors
    /// The cause, in one line that says what to do.
    pub async fn build(config: Config) -> anyhow::Result<Arc<Self>> {
        Self::build_with(config, |options| options).await
    }

    /// As [`App::build`], with other bounds of play; for measurements.
    ///
    /// # Errors
    /// As [`App::build`].
    pub async fn build_with(
        config: Config,
        tune: impl FnOnce(PlayOptions) -> PlayOptions,
    ) -> anyhow::Result<Arc<Self>> {
        let options = config.open_options();
        Self::open(config, options, tune).await
    }

    /// As [`App::build_with`], opening the store in this way.
    ///
    /// # Errors
    /// As [`App::build`].
    pub async fn open(
        config: Config,
        options: OpenOptions,
        tune: impl FnOnce(PlayOptions) -> PlayOptions,
    ) -> anyhow::Result<Arc<Self>> {
        Self::open_in(config, options, tune, None).await
    }

    /// As [`App::open`], as the leader of a cluster if one is given.
    ///
    /// # Errors
    /// As [`App::build`].
    pub async fn open_in(
        config: Config,
        options: OpenOptions,
        tune: impl FnOnce(PlayOptions) -> PlayOptions,
        cluster: Option<Cluster>,
    ) -> anyhow::Result<Arc<Self>> {
        let config = Arc::new(config);
        backup::check_key(&config)?;
        let store = Store::open(&config.database_url(), options).await?;
        let retention = Retention::from(&config.log);
        let hub = Hub::new(SocketLimits {
            total: config.realtime.max_connections,
            per_account: config.realtime.max_connections_per_account,
        });
        let disk = DiskGuard::new(&config);
        let (metrics, process) = (Metrics::default(), ProcessWatch::default());
        process.look();
        let options = tune(PlayOptions {
            disk: disk.clone(),
            metrics: metrics.clone(),
            max_live_games: config.play.max_live_games,
            max_games_per_account: config.play.max_live_games_per_player,
            max_waiting_invitations_per_address: config.play.max_waiting_invitations_per_address,
            ..PlayOptions::default()
        });
        let clock = options.clock.clone();
        let push = Push::start(&config, store.clone(), hub.clone(), clock.clone(), metrics.clone())?;
        let options = PlayOptions { push: push.clone(), ..options };
        let tls = Tls::open(&config, clock.clone())?;
        let (logbook, log_writer) = Logbook::start(store.clone(), retention, clock.clone()).await?;
        let stored = store.stored_clocks().await?;
        if let Some(stored) = &stored {
            clock.resume(stored);
        }
        let stopped_at = stored.map(|stored| Millis(stored.play));
        let people = People::new(store.clone(), clock.clone());
        let registry = EventRegistry::load(
            store.clone(),
            hub.clone(),
            people.clone(),
            clock.clone(),
            stopped_at,
            EventOptions::of(&config),
        )
        .await
        .context("the stored events cannot be brought back")?;
        let (play, running) =
            Play::start(store.clone(), hub.clone(), people.clone(), options, Arc::<EventRegistry>::clone(&registry))
                .await
                .context("the stored games cannot be brought back")?;
        let events = Events::start(registry, play.clone());
        let quick_match = QuickMatch::start(store.clone(), people.clone(), play.clone(), events.clone());
        let ratings = Ratings::new(store.clone(), people.clone(), clock.clone());
        let engine_use = EngineUse::new(store.clone(), clock.clone(), config.play.engine_use_cpu_percent);
        let accounts =
            Accounts::new(store.clone(), people, Arc::clone(&config), clock.clone(), metrics.clone()).await?;
        let webhooks =
            Webhooks::new(&config, store.clone(), clock.clone(), metrics.clone(), accounts.key_of_webhooks())?;
        let billing = Billing::new(store.clone(), &config, accounts.mailer.clone(), clock.clone(), metrics.clone())?;
        let backups = Backups::new(&config, store.clone(), clock.clone(), disk.clone(), metrics.clone());
        let health = Health::new(
            store.clone(),
            clock.clone(),
            disk.clone(),
            process.clone(),
            tls.clone(),
            backups.clone(),
            config.is_drill,
        );
        let held = Shares::of_bytes(&config.server);
        let visitors =
            Shares::new(config.realtime.max_visitor_connections, config.realtime.max_visitor_connections_per_address);
        Ok(Arc::new(Self {
            held,
            visitors,
            config,
            store,
            accounts,
            billing,
            play,
            events,
            quick_match,
            ratings,
            engine_use,
            logbook,
            hub,
            health,
            disk,
            backups,
            tls,
            metrics,
            push,
            webhooks,
            process,
            history: History::default(),
            cluster,
            connections: TaskTracker::new(),
            runtime: Handle::current(),
            started_at: clock.wall(),
            clock,
            cleanup_needed: Notify::new(),
            running: Mutex::new(Some((running, log_writer))),
        }))
    }

    /// What reminds people of events.
    pub fn reminders(&self) -> Reminders {
        Reminders::new(
            self.store.clone(),
            self.events.clone(),
            self.accounts.mailer.clone(),
            (self.push.clone(), self.hub.clone()),
            self.clock.clone(),
            self.config.events.reminder_before,
            (self.accounts.calendars().clone(), self.config.public_origin()),
        )
    }
}
