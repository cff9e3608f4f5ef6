//! Events: each with its life, its players, its queue and its results.
//!
//! An event in which anything happens is an [`EventRuntime`](runtime::EventRuntime) in memory. It has one owner: a task
//! that makes all changes that have to be stored, one after the other; callers hand it jobs. What has to be quick, such
//! as entering the queue, is done under the runtime's own lock, which is never held across an `.await`.
//!
//! | module | what it is |
//! |---|---|
//! | [`runtime`] | one event in memory |
//! | [`state`] | what is known of it: participants, standings, room, queue, games |
//! | [`owner`] | the task of each: jobs, schedule, decisions, reports |
//! | [`pairing`] | opens the games of paired players |
//! | [`stage`] | the tournament of an event in stage rounds, and the games of its matches |
//! | [`rounds`] | pairs stage rounds, opens their games, and what directors do |
//! | [`stage_views`] | stage rounds and their table, as callers may see them |
//! | [`lifecycle`] | making, changing, publishing, starting, ending, cancelling |
//! | [`hosting`] | private events, which members host |
//! | [`audience`] | who may see one |
//! | [`entry`] | who may enter an event |
//! | [`registration`] | signing up, joining, the free plan's limit |
//! | [`corrections`] | what admins change in standings |
//! | [`room`] | the event room and the queue, for connections |
//! | [`results`] | results of an event's games, reported by play |
//! | [`activities`] | who waits for an opponent or plays, and where |
//! | [`reading`] | lists and single records, as callers may see them |
//! | [`schedule`] | when open events start, for reminders |
//! | [`verify`] | recomputing standings and winners from the stored games and corrections |
//! | [`calendar`] | events as iCalendar files |
//! | [`series`] | events made from a template on a schedule, and the table over them |
//! | [`convert`] | events between store and rules |
//! | [`views`] | events, sign-ups and players as callers may see them |
//! | [`wire`] | what frames tell of events |
//! | [`error`] | what can go wrong |

pub mod activities;
pub mod audience;
pub mod calendar;
mod check_in;
pub mod convert;
pub mod corrections;
mod director;
pub mod entry;
pub mod error;
pub mod hosting;
pub mod invitations;
pub mod lifecycle;
pub mod owner;
mod pairing;
mod presence;
pub mod reading;
pub mod registration;
pub mod results;
pub mod room;
mod rounds;
pub mod runtime;
pub mod schedule;
pub mod series;
pub mod stage;
pub mod stage_views;
pub mod state;
pub mod verify;
pub mod views;
pub mod wire;

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
    time::Duration,
};

use anyhow::Context;
use chrono::{DateTime, Utc};
use morpion_openapi::realtime::ServerFrame;
use morpion_rules::{Command, EventId, GameId, Millis, Times, UserId, matchmaking::Addresses};
use morpion_store::{AuditEntry, EventRow, EventState as StoredState, Store};
use parking_lot::{Mutex, RwLock};
use serde_json::Value;
use tokio::{runtime::Handle, sync::watch};
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use uuid::Uuid;

use crate::{
    clock::{Clock, millis},
    config::Config,
    connections::{frame::encode, hub::Hub},
    error::CommonError,
    people::People,
    play::{Play, event_games::stored_game},
};
use activities::Activities;
use error::EventError;
use runtime::{EventRuntime, Jobs};
use stage::Stage;

/// Who changes an event when nobody does.
const SERVER: &str = "server";

/// Closed events kept in memory for readers; about 300 bytes a player.
const CLOSED_KEPT: usize = 64;

/// Games of an event that was cancelled before a restart are voided again at this interval, until they have ended.
const VOID_EVERY: Duration = Duration::from_secs(1);

/// The part of the configuration that concerns events.
#[derive(Debug, Clone, Copy)]
pub struct EventOptions {
    /// Events start and end by themselves at their times.
    pub auto_transitions: bool,
    /// Players at one address are not paired.
    pub addresses: Addresses,
    /// Only accounts with a verified email take part.
    pub require_verified_email: bool,
    /// Sign-ups of one event.
    pub max_players: usize,
    pub members_may_host: bool,
    pub private_events_rated: bool,
    /// Days until the start of a member's private event, at most.
    pub private_ahead_days: u32,
    /// Milliseconds from start to end of one, at most.
    pub private_length: i64,
    /// Private events that are open, in all.
    pub open_private: usize,
    /// Milliseconds between two stage rounds, and before the first.
    pub round_pause: i64,
    /// Events that a free account may join in a calendar month.
    pub free_events_per_month: u32,
}

impl EventOptions {
    pub fn of(config: &Config) -> Self {
        Self {
            auto_transitions: config.events.auto_transitions,
            addresses: if config.events.separate_addresses { Addresses::Apart } else { Addresses::Together },
            require_verified_email: config.events.require_verified_email,
            max_players: config.events.max_players,
            members_may_host: config.events.members_may_host,
            private_events_rated: config.events.private_events_rated,
            private_ahead_days: config.events.private_events_ahead_days,
            private_length: saturating_millis(config.events.private_events_last),
            open_private: config.limits.open_private_events as usize,
            round_pause: saturating_millis(config.events.round_pause),
            free_events_per_month: config.plans.free_events_per_month,
        }
    }
}

fn saturating_millis(time: Duration) -> i64 {
    i64::try_from(time.as_millis()).unwrap_or(i64::MAX)
}

/// What all events share.
#[derive(Debug)]
pub struct EventRegistry {
    store: Store,
    hub: Hub,
    clock: Clock,
    options: EventOptions,
    people: People,
    runtimes: RwLock<HashMap<EventId, Arc<EventRuntime>>>,
    /// All private events, also those that are over.
    private: RwLock<HashSet<EventId>>,
    /// The private events that are published or under way, by their join codes. The map hashes with a key of its own.
    join_codes: RwLock<HashMap<String, EventId>>,
    /// Held while a member's events, or all that are open, are counted and one more is stored.
    hosting: tokio::sync::Mutex<()>,
    activities: Activities,
    series: series::SeriesShared,
    /// There is news to tell: [`Store::event_news`].
    news: watch::Sender<()>,
    /// Loaded before their owners could be started.
    unowned: Mutex<Vec<(Arc<EventRuntime>, Jobs)>>,
}

impl EventRegistry {
    /// Loads every event that is not closed; `stopped_at` is the play time of the last stored record. Play is started
    /// with the result, then [`Events::start`] with both.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn load(
        store: Store,
        hub: Hub,
        people: People,
        clock: Clock,
        stopped_at: Option<Millis>,
        options: EventOptions,
    ) -> anyhow::Result<Arc<Self>> {
        let registry = Arc::new(Self {
            store,
            hub,
            clock,
            options,
            people,
            runtimes: RwLock::default(),
            private: RwLock::default(),
            join_codes: RwLock::default(),
            hosting: tokio::sync::Mutex::default(),
            activities: Activities::default(),
            series: series::SeriesShared::default(),
            news: watch::Sender::new(()),
            unowned: Mutex::default(),
        });
        let times = registry.clock.times();
        let now = times.steady;
        *registry.private.write() = registry.store.private_events().await?.into_iter().map(EventId).collect();
        let stopped_at = stopped_at.map_or(now, |at| at.min(now));
        for row in registry.store.open_events().await? {
            let id = row.id;
            registry.note_join_code(None, &row);
            let (runtime, jobs) = registry.restore(row).await.with_context(|| format!("event {id}"))?;
            let resumed = runtime.state.lock().resume(stopped_at, times.steady - stopped_at, times);
            resumed.map_err(|refusal| anyhow::anyhow!(refusal.text()))?;
            registry.runtimes.write().insert(runtime.id, Arc::clone(&runtime));
            registry.unowned.lock().push((runtime, jobs));
        }
        registry.restore_queues(stopped_at, now).await?;
        let open = registry.runtimes.read().len();
        tracing::info!(open, "events recovered");
        Ok(registry)
    }

    async fn restore(&self, row: EventRow) -> Result<(Arc<EventRuntime>, Jobs), EventError> {
        let signups = self.store.signups_of_event(row.id).await?;
        let stage = match row.stages {
            Some(_) => self.stored_stage(row.id).await?,
            None => None,
        };
        Ok(EventRuntime::restore(row, signups, stage, self.options.addresses, self.people.clone()))
    }

    /// The tournament of an event as it was stored, with what the games that are stored meanwhile say.
    async fn stored_stage(&self, event: Uuid) -> Result<Option<Stage>, EventError> {
        let Some(text) = self.store.tournament(event).await? else { return Ok(None) };
        let mut stage = Stage::decode(&text).map_err(CommonError::internal)?;
        for row in self.store.games(&stage.games_of_last_round()).await? {
            let game = stored_game(&row)?;
            if game.status().is_over() {
                stage.game_over(&game);
            }
        }
        Ok(Some(stage))
    }

    /// Players are restored to the queue as absent: they are paired once they are connected again. Downtime does not
    /// count as waiting. A player found in two queues (they changed shortly before the stop) stays in the one entered
    /// last.
    async fn restore_queues(&self, stopped_at: Millis, now: Millis) -> anyhow::Result<()> {
        let runtimes: Vec<Arc<EventRuntime>> = self.runtimes.read().values().cloned().collect();
        let mut places = vec![];
        for runtime in runtimes {
            let saved = self.store.saved_queue(runtime.id.0).await?;
            places.extend(saved.into_iter().map(|place| (place, Arc::clone(&runtime))));
        }
        places.sort_by_key(|(place, _)| std::cmp::Reverse(place.since));
        for (place, runtime) in places {
            let user = place.user_id.into();
            if !self.activities.seek(user, runtime.id) {
                continue;
            }
            let since = millis(place.since) + (now - stopped_at);
            let last_opponent = place.last_opponent.map(Into::into);
            if !runtime.state.lock().restore_place(user, since, last_opponent, now) {
                self.activities.stop_seeking(user, runtime.id);
            }
        }
        Ok(())
    }

    /// Sends a frame to every connection that may know of the event: any may show it.
    fn broadcast(&self, runtime: &EventRuntime, frame: &ServerFrame) {
        self.hub.broadcast(&encode(&frame.to_text()), |connection| runtime.admits(&connection.caller));
    }

    /// An event was stored, whose join code was another one before: only that of an open event is good.
    fn note_join_code(&self, before: Option<&str>, row: &EventRow) {
        let is_open = matches!(row.state, StoredState::Published | StoredState::Started);
        let mut codes = self.join_codes.write();
        if let Some(before) = before {
            codes.remove(before);
        }
        if let Some(code) = row.join_code.clone().filter(|_| is_open) {
            codes.insert(code, EventId(row.id));
        }
    }

    fn loaded(&self, id: EventId) -> Option<Arc<EventRuntime>> {
        self.runtimes.read().get(&id).cloned()
    }
}

/// All events. Cheap to clone; all clones are one.
#[derive(Clone)]
pub struct Events {
    registry: Arc<EventRegistry>,
    play: Play,
    stop: CancellationToken,
    owners: TaskTracker,
    /// Where owners run, also those of events that a call creates: not where calls are handled.
    threads: Handle,
}

impl Events {
    /// Starts the owners of the loaded events, and settles what their games missed.
    pub fn start(registry: Arc<EventRegistry>, play: Play) -> Self {
        let (stop, owners) = (CancellationToken::new(), TaskTracker::new());
        let events = Self { registry, play, stop, owners, threads: Handle::current() };
        for (runtime, jobs) in std::mem::take(&mut *events.registry.unowned.lock()) {
            events.spawn_owner(&runtime, jobs);
        }
        // An event was cancelled, and the server stopped before its games knew.
        let live = events.play.live_event_games().into_iter();
        let orphans: Vec<_> = live.filter(|(event, _)| events.registry.loaded(*event).is_none()).collect();
        if !orphans.is_empty() {
            let (play, stop) = (events.play.clone(), events.stop.clone());
            events.owners.spawn(stop.run_until_cancelled_owned(void_games(play, orphans)));
        }
        events
    }

    /// Stops the owners; they save the queues.
    pub async fn stop(&self) {
        self.stop.cancel();
        self.owners.close();
        self.owners.wait().await;
    }

    /// All participants of the events in memory.
    pub fn players(&self) -> Vec<UserId> {
        let runtimes = self.registry.runtimes.read();
        runtimes.values().flat_map(|runtime| runtime.state.lock().order.clone()).collect()
    }

    /// Play time: for waiting, absence and retries.
    fn now(&self) -> Millis {
        self.registry.clock.now()
    }

    /// Calendar time.
    fn today(&self) -> DateTime<Utc> {
        self.registry.clock.wall()
    }

    /// Both times: an event's schedule uses both.
    fn times(&self) -> Times {
        self.registry.clock.times()
    }

    /// Grants every event the grace period after a stop of the process, in order with its other changes. Game time is
    /// frozen meanwhile.
    pub async fn resume_after_pause(&self) {
        let runtimes: Vec<_> = self.registry.runtimes.read().values().filter(|it| !it.is_closed()).cloned().collect();
        let resumed = runtimes.into_iter().map(|runtime| async move {
            let (clock, owned) = (self.registry.clock.clone(), Arc::clone(&runtime));
            let change = async move {
                // Both have stood still since the pause began.
                let Times { calendar, steady } = clock.times();
                let times = Times { calendar: millis(clock.wall()), steady };
                owned.state.lock().resume(steady, times.calendar - calendar, times).map_err(EventError::from)
            };
            runtime.run_in_order(change).await
        });
        for outcome in futures_util::future::join_all(resumed).await {
            if let Err(error) = outcome {
                tracing::error!(%error, "an event got no more time after a pause");
            }
        }
    }

    /// The entry of the audit trail for what the server does by itself to an event or a player.
    fn server_entry(&self, action: &str, target: Uuid, detail: Value) -> AuditEntry {
        AuditEntry {
            actor: SERVER.to_owned(),
            action: action.to_owned(),
            target: target.to_string(),
            address: SERVER.to_owned(),
            at: self.today(),
            detail,
            by: None,
        }
    }

    fn store(&self) -> &Store {
        &self.registry.store
    }

    fn people(&self) -> &People {
        &self.registry.people
    }

    fn options(&self) -> &EventOptions {
        &self.registry.options
    }

    /// The event's runtime, loaded if necessary.
    ///
    /// # Errors
    /// [`CommonError::NotFound`].
    async fn runtime(&self, id: EventId) -> Result<Arc<EventRuntime>, EventError> {
        if let Some(runtime) = self.registry.loaded(id) {
            return Ok(runtime);
        }
        let row = self.store().event(id.0).await?.ok_or(CommonError::NotFound("event"))?;
        let (runtime, jobs) = self.registry.restore(row).await?;
        Ok(self.admit(runtime, jobs))
    }

    /// Registers a loaded event and starts its owner, unless somebody else loaded it at the same time.
    fn admit(&self, runtime: Arc<EventRuntime>, jobs: Jobs) -> Arc<EventRuntime> {
        let mut runtimes = self.registry.runtimes.write();
        if let Some(known) = runtimes.get(&runtime.id) {
            return Arc::clone(known);
        }
        if runtimes.values().filter(|known| known.is_closed()).count() >= CLOSED_KEPT {
            // Only this map refers to the removed ones, so nobody keeps an unregistered runtime.
            runtimes.retain(|_, known| !known.is_closed() || Arc::strong_count(known) > 1);
        }
        runtimes.insert(runtime.id, Arc::clone(&runtime));
        drop(runtimes);
        self.spawn_owner(&runtime, jobs);
        runtime
    }
}

/// Voids games until they are stored as void.
async fn void_games(play: Play, mut games: Vec<(EventId, GameId)>) {
    loop {
        let live: HashSet<_> = play.live_event_games().into_iter().collect();
        games.retain(|game| live.contains(game));
        if games.is_empty() {
            return;
        }
        for (_, game) in &games {
            play.decide(*game, Command::Void);
        }
        tokio::time::sleep(VOID_EVERY).await;
    }
}
