//! Live games: one [`GameRuntime`] a game. A command is applied by the rules, appended to the journal, and announced
//! once it is on disk; many games share one commit.
//!
//! All waiting and active games are in memory, and ended ones until they are stored and no connection shows them.
//! Reads of live games never touch the store.

mod checkpoint;
pub mod error;
pub mod event_games;
#[cfg(test)]
mod fixture;
pub mod games;
mod histories;
pub mod invitations;
mod live_list;
mod live_now;
mod news;
pub mod notifications;
mod player_data;
pub mod quick_games;
pub mod rating;
mod reactions;
pub mod record;
mod recovery;
mod registration;
mod runtime;
mod shared;
pub mod view;
pub mod wire;

use std::{sync::Arc, time::Duration};

use futures_util::future::BoxFuture;
use morpion_openapi::realtime::TournamentResult;
use morpion_rules::{Cell, Command, EventId, Game, GameId, Millis, Refusal, UserId};
use morpion_store::{Journal, JournalOptions, Store, StoreError};
use parking_lot::{Mutex, RwLock};
use tokio::{sync::Notify, time::interval};
use tokio_util::sync::CancellationToken;

pub use record::Meta;
pub use registration::NetworkShare;
pub use runtime::Reply;

use crate::{
    caller::Caller,
    clock::Clock,
    connections::{handle::ConnectionHandle, hub::Hub},
    disk::DiskGuard,
    error::CommonError,
    metrics::Metrics,
    people::People,
    push::Push,
};
use error::PlayError;
use live_now::LiveNow;
use notifications::Notification;
use runtime::{GameJournal, GameRuntime, PendingCommit};
use shared::Shared;

/// How often deadlines are checked: a timeout is noticed at most this late, a tenth of the grace for a late move.
const TICK: Duration = Duration::from_millis(50);

/// Attempts to grant games more time after a pause while the journal is full: some five seconds.
const RESUME_TRIES: u32 = 100;

/// Receives what happens to games of events. It is called between two commits and must not wait.
pub trait EventGameListener: Send + Sync + std::fmt::Debug {
    /// A game is resumed after a restart.
    fn game_resumed(&self, game: &Game);

    /// Whether an event is private, also one that is over.
    fn is_private(&self, event: EventId) -> bool;

    /// Whether the caller, who is no admin, may see the games of a private event, also of one that is over.
    fn admits<'a>(&'a self, event: EventId, caller: &'a Caller) -> BoxFuture<'a, Result<bool, StoreError>>;

    /// A game is over and its end is on disk; returns the consequences for its event.
    fn game_over(&self, game: &Game) -> EventConsequences;
}

/// The consequences of a game for its event.
#[derive(Debug, Default)]
pub struct EventConsequences {
    pub result: Option<TournamentResult>,
    /// Sent after the end of the game.
    pub notifications: Vec<Notification>,
}

/// The limits of play.
#[derive(Debug, Clone)]
pub struct PlayOptions {
    pub clock: Clock,
    /// Games that are not over; as many again may be over and wait to be stored. About 1 KiB each. Of four quarters two
    /// are for all, one is for quick match and events, and one for events.
    pub max_live_games: usize,
    /// Invitations of one address that wait for their players; wider networks of IPv6 have multiples of it.
    pub max_waiting_invitations_per_address: usize,
    /// Waiting and active games of one account.
    pub max_games_per_account: usize,
    pub journal: JournalOptions,
    pub disk: DiskGuard,
    pub metrics: Metrics,
    /// Tells players who are away.
    pub push: Push,
}

impl Default for PlayOptions {
    fn default() -> Self {
        Self {
            clock: Clock::default(),
            max_live_games: 200_000,
            max_waiting_invitations_per_address: 1_000,
            max_games_per_account: 50,
            journal: JournalOptions::default(),
            disk: DiskGuard::default(),
            metrics: Metrics::default(),
            push: Push::default(),
        }
    }
}

/// All live games. Cheap to clone; all clones are one.
#[derive(Clone)]
pub struct Play {
    shared: Arc<Shared>,
    journal: GameJournal,
    store: Store,
    people: People,
    options: Arc<PlayOptions>,
}

/// The running tasks of play, to be stopped at the end.
pub struct PlayTasks {
    journal: Journal<PendingCommit>,
    stop: CancellationToken,
    tasks: tokio_util::task::TaskTracker,
}

/// Reads all games as a start does.
///
/// # Errors
/// As [`Play::start`].
pub async fn check(store: &Store) -> anyhow::Result<()> {
    recovery::recover(store, &People::new(store.clone(), Clock::default())).await.map(drop)
}

impl Play {
    /// Loads every live game from the store and starts play.
    ///
    /// # Errors
    /// When the store cannot be read, or its journal is damaged.
    pub async fn start(
        store: Store,
        hub: Hub,
        people: People,
        options: PlayOptions,
        events: Arc<dyn EventGameListener>,
    ) -> anyhow::Result<(Self, PlayTasks)> {
        let shared = Arc::new(Shared {
            games: RwLock::default(),
            hub,
            push: options.push.clone(),
            clock: options.clock.clone(),
            events,
            deadlines: Mutex::default(),
            operators: Mutex::default(),
            audiences: Mutex::default(),
            live_now: LiveNow::default(),
            ended: Mutex::default(),
            live: Arc::default(),
            has_ended: Notify::new(),
            storing: tokio::sync::Mutex::default(),
            metrics: options.metrics.clone(),
        });
        let recovered = recovery::recover(&store, &people).await?;
        if let Some(stopped_at) = recovered.stopped_at {
            options.clock.not_before(stopped_at);
        }
        let publisher = Arc::clone(&shared);
        let journal = Journal::start(store.clone(), options.journal.clone(), move |commit| {
            publisher.publish(commit);
        })
        .await?;
        let play = Self { shared, journal: journal.handle(), store, people, options: Arc::new(options) };
        let replayed = recovered.entries;
        let half_stored = play.resume(recovered);
        play.store_games(&half_stored).await?;

        let stop = CancellationToken::new();
        let tasks = tokio_util::task::TaskTracker::new();
        tasks.spawn(stop.clone().run_until_cancelled_owned(play.clone().run_deadlines()));
        tasks.spawn(stop.clone().run_until_cancelled_owned(play.clone().publish_live_games()));
        tasks.spawn(stop.clone().run_until_cancelled_owned(play.clone().adopt_earlier_games()));
        tasks.spawn(play.clone().run_checkpoints(stop.clone(), replayed));
        tasks.close();
        Ok((play, PlayTasks { journal, stop, tasks }))
    }

    /// Returns the games that are counted already, and so have to be stored before anybody asks for them.
    fn resume(&self, recovered: recovery::Recovered) -> Vec<Arc<GameRuntime>> {
        let now = self.now();
        for (runtime, game) in recovered.live {
            self.shared.games.write().insert(&runtime, &game);
            self.shared.live_now.resumed(&*self.shared.events, &runtime, &game);
            runtime.count(self.shared.live.count(&game));
            if game.is_event() {
                self.shared.events.game_resumed(&game);
            }
            let command = Command::ResumeAfterRestart { stopped_at: recovered.stopped_at.unwrap_or(now) };
            if let Err(error) = runtime.command(&self.journal, command, now, Reply::Nobody) {
                tracing::error!(game = %runtime.id, %error, "a game could not be resumed");
            }
            self.arm(&runtime);
        }
        let mut ended = self.shared.ended.lock();
        let mut half_stored = vec![];
        for (runtime, game) in recovered.ended {
            self.shared.games.write().insert(&runtime, &game);
            if recovered.counted.contains(&game.id()) {
                half_stored.push(Arc::clone(&runtime));
            } else if game.is_event() {
                self.shared.events.game_over(&game);
            }
            ended.push(runtime);
        }
        drop(ended);
        self.shared.has_ended.notify_one();
        half_stored
    }

    /// All players of the games in memory.
    pub fn players(&self) -> Vec<UserId> {
        self.shared.games.read().by_user.keys().copied().collect()
    }

    /// Play time: the server's clock, which alone decides.
    pub fn now(&self) -> Millis {
        self.options.clock.now()
    }

    /// The data of a new game that the rules do not know.
    fn meta(&self, invite_token: Option<String>, notify: bool) -> Meta {
        Meta { invite_token, notify, calendar: self.options.clock.to_calendar(), rematch_of: None }
    }

    /// Grants every live game the grace period after a stop of the process. Play time is frozen meanwhile.
    pub async fn resume_after_pause(&self) {
        let mut paused = self.runtimes();
        for _ in 0..RESUME_TRIES {
            let now = self.now();
            paused.retain(|runtime| {
                runtime.command(&self.journal, Command::ResumeAfterPause, now, Reply::Nobody).is_err()
            });
            if paused.is_empty() {
                return;
            }
            // The journal is full, but only for a moment.
            tokio::time::sleep(TICK).await;
        }
        tracing::error!(games = paused.len(), "games got no more time after a pause: the journal takes nothing");
    }

    /// The game in memory. Callers who may not see a game get the same error as for an unknown one.
    fn runtime(&self, id: GameId) -> Result<Arc<GameRuntime>, PlayError> {
        self.shared.games.read().runtimes.get(&id).cloned().ok_or(CommonError::NotFound("game").into())
    }

    fn arm(&self, runtime: &GameRuntime) {
        self.shared.arm(runtime);
    }

    fn command(&self, id: GameId, command: Command, reply: Reply) -> Result<(), PlayError> {
        let runtime = self.runtime(id)?;
        runtime.command(&self.journal, command, self.now(), reply)?;
        self.arm(&runtime);
        Ok(())
    }

    /// Plays a move; `reply` is sent once the move is on disk.
    ///
    /// # Errors
    /// [`PlayError::Refused`]; [`CommonError::NotFound`] for a game that is not live; [`CommonError::Unavailable`] when
    /// the journal is full.
    pub fn make_move(
        &self,
        user: UserId,
        id: GameId,
        cell: Cell,
        at_version: Option<u64>,
        reply: Reply,
    ) -> Result<(), PlayError> {
        self.command(id, Command::Move { user, cell, at_version }, reply)?;
        self.shared.metrics.moves.inc();
        Ok(())
    }

    /// # Errors
    /// As [`Play::make_move`].
    pub fn forfeit(&self, user: UserId, id: GameId, reply: Reply) -> Result<(), PlayError> {
        self.command(id, Command::Forfeit { user }, reply)
    }

    /// Declines an event game, cancels any other.
    ///
    /// # Errors
    /// As [`Play::make_move`].
    pub fn cancel(&self, user: UserId, id: GameId, reply: Reply) -> Result<(), PlayError> {
        let command = self.runtime(id)?.withdrawal(user);
        self.command(id, command, reply)
    }

    /// A player opens a game, also one that is over, which stays on screen.
    ///
    /// # Errors
    /// [`CommonError::NotFound`]; [`Refusal::NotAPlayer`]; [`PlayError::TooManyRooms`].
    pub async fn join(
        &self,
        user: UserId,
        id: GameId,
        connection: &Arc<ConnectionHandle>,
        reply: Reply,
    ) -> Result<(), PlayError> {
        let runtime = self.any_runtime(id).await?;
        let is_player = runtime.committed().is_some_and(|game| game.mark_of(user).is_some());
        if !is_player {
            return Err(Refusal::NotAPlayer.into());
        }
        self.enter(connection, id)?;
        runtime.join(&self.journal, user, connection, self.now(), reply)?;
        self.arm(&runtime);
        Ok(())
    }

    /// Opens a game for a spectator: games of events and rated ones for everybody signed in, all games for admins. A player
    /// who watches their own game joins it.
    ///
    /// # Errors
    /// [`CommonError::NotFound`], also for a game that the caller may not watch; [`PlayError::TooManyRooms`],
    /// [`PlayError::TooManySpectators`].
    pub async fn spectate(
        &self,
        caller: &Caller,
        id: GameId,
        connection: &Arc<ConnectionHandle>,
        reply: Reply,
    ) -> Result<(), PlayError> {
        let runtime = self.any_runtime(id).await?;
        let game = runtime.committed().ok_or(CommonError::NotFound("game"))?;
        if !self.may_see(caller, &game).await? {
            return Err(CommonError::NotFound("game").into());
        }
        if let Some(user) = caller.user_id().filter(|user| game.mark_of(*user).is_some()) {
            return self.join(user, id, connection, reply).await;
        }
        self.enter(connection, id)?;
        runtime.watch(connection, self.now(), reply)?;
        self.shared.audience_changed(id);
        Ok(())
    }

    fn enter(&self, connection: &ConnectionHandle, id: GameId) -> Result<(), PlayError> {
        if connection.enter(id) { Ok(()) } else { Err(PlayError::TooManyRooms) }
    }

    /// A connection left the page of a game.
    pub fn leave_room(&self, id: GameId, connection: &ConnectionHandle) {
        connection.leave(id);
        if let Ok(runtime) = self.runtime(id) {
            self.left(&runtime, connection, false);
        }
    }

    /// A connection ended.
    pub fn connection_lost(&self, connection: &ConnectionHandle) {
        for id in connection.leave_all() {
            if let Ok(runtime) = self.runtime(id) {
                self.left(&runtime, connection, true);
            }
        }
    }

    fn left(&self, runtime: &Arc<GameRuntime>, connection: &ConnectionHandle, was_lost: bool) {
        if runtime.leave(&self.journal, connection.id, was_lost, self.now()) {
            self.shared.audience_changed(runtime.id);
        }
        // It was still shown when it was stored.
        if runtime.is_done() {
            self.shared.games.write().remove(runtime);
        }
        self.arm(runtime);
    }

    /// The version of a live game, for the answer to a stale move.
    pub fn version_of(&self, id: GameId) -> Option<u64> {
        self.runtime(id).ok()?.committed().map(|game| game.version())
    }

    pub fn is_healthy(&self) -> bool {
        self.journal.is_healthy()
    }

    /// Moves played since the start.
    pub fn moves(&self) -> u64 {
        self.shared.metrics.moves.get()
    }

    /// Commits that failed and were tried again since the start.
    pub fn commit_retries(&self) -> u64 {
        self.journal.retries()
    }

    /// Entries that wait for their commit.
    pub fn pending(&self) -> usize {
        self.journal.waiting()
    }

    async fn run_deadlines(self) {
        let mut ticks = interval(TICK);
        ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            ticks.tick().await;
            let now = self.now();
            for id in self.shared.due(now) {
                if let Ok(runtime) = self.runtime(id) {
                    runtime.tick(&self.journal, now);
                    self.arm(&runtime);
                }
            }
        }
    }
}

impl PlayTasks {
    /// Accepts no more commands and returns once the accepted ones are stored.
    pub async fn stop(self) {
        self.journal.drain().await;
        self.stop.cancel();
        self.tasks.wait().await;
    }
}
