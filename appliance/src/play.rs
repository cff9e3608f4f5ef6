//! Live games: one [`Table`] a game. A command is applied by the rules, put into the journal, and
//! told to everybody once it is on disk; many games share one commit.
//!
//! All games that wait or are played are in memory, and so are ended ones until their row is
//! stored and nobody looks at them any more. Reads of live games never touch the store.

mod account_deletion;
mod checkpoint;
pub mod event_games;
pub mod games;
mod record;
mod recovery;
mod table;
pub mod wire;

use std::{
    cmp::Reverse,
    collections::{BinaryHeap, HashMap, HashSet},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use morpion_openapi::realtime::{LiveGamesChanged, MakeMove, ServerFrame, TournamentResult};
use morpion_rules::{Cell, Command, Game, GameId, Millis, UserId};
use morpion_store::{Commit, Journal, JournalOptions, Store};
use parking_lot::{Mutex, RwLock};
use tokio::{sync::Notify, time::interval};
use tokio_util::sync::CancellationToken;

pub use record::Meta;
pub use table::Reply;

use crate::{
    caller::Caller,
    clock::Clock,
    connections::{
        hub::Hub,
        outbox::{Outbox, encode},
    },
    error::ApiError,
    people::People,
};
use table::{GameJournal, Posting, Table};
use wire::Note;

/// How often deadlines are looked at: a timeout is noticed this much late, which is a tenth of the
/// grace that a late move has.
const TICK: Duration = Duration::from_millis(50);

/// How often games are given more time after a pause, when the journal is full: some five seconds.
const RESUME_TRIES: u32 = 100;

/// How often operators who follow the list of live games are told what changed.
const LIVE_LIST_EVERY: Duration = Duration::from_millis(250);

/// Live games told at once to an operator; the rest comes page by page from `list_live_games`.
const LIVE_LIST_MOST: usize = 500;

/// What the events are told of their games. It runs between two commits and must not wait.
pub trait EventGames: Send + Sync + std::fmt::Debug {
    /// A game goes on after a restart.
    fn game_resumed(&self, game: &Game);

    /// A game is over, and that is on disk; answers what it means for the event.
    fn game_over(&self, game: &Game) -> Aftermath;
}

/// What a game means for its event.
#[derive(Debug, Default)]
pub struct Aftermath {
    pub result: Option<TournamentResult>,
    /// Told after the end of the game.
    pub notes: Vec<Note>,
}

/// The bounds of play.
#[derive(Debug, Clone)]
pub struct PlayOptions {
    pub clock: Clock,
    /// Games in memory: about 1 KiB each.
    pub max_live_games: usize,
    /// Games that wait or are played, of one account.
    pub max_games_per_account: usize,
    pub journal: JournalOptions,
}

impl Default for PlayOptions {
    fn default() -> Self {
        Self {
            clock: Clock::default(),
            max_live_games: 200_000,
            max_games_per_account: 50,
            journal: JournalOptions::default(),
        }
    }
}

#[derive(Debug, Default)]
struct Games {
    tables: HashMap<GameId, Arc<Table>>,
    by_user: HashMap<UserId, HashSet<GameId>>,
}

impl Games {
    fn seat(&mut self, game: &Game) {
        for (_, player) in game.players() {
            self.by_user.entry(player.user).or_default().insert(game.id());
        }
    }

    /// As [`Games::seat`], and somebody has no seat any more.
    fn reseat(&mut self, game: &Game, before: UserId) {
        self.seat(game);
        if game.mark_of(before).is_none()
            && let Some(own) = self.by_user.get_mut(&before)
        {
            own.remove(&game.id());
            if own.is_empty() {
                self.by_user.remove(&before);
            }
        }
    }

    fn insert(&mut self, table: &Arc<Table>, game: &Game) {
        self.seat(game);
        self.tables.insert(table.id, Arc::clone(table));
    }

    fn remove(&mut self, table: &Table) {
        match table.told() {
            Some(game) => self.remove_untold(table, &game),
            None => _ = self.tables.remove(&table.id),
        }
    }

    fn remove_untold(&mut self, table: &Table, game: &Game) {
        self.tables.remove(&table.id);
        for (_, player) in game.players() {
            if let Some(own) = self.by_user.get_mut(&player.user) {
                own.remove(&table.id);
                if own.is_empty() {
                    self.by_user.remove(&player.user);
                }
            }
        }
    }
}

/// Shared by the handlers, the timer, the committer and the checkpoints.
#[derive(Debug)]
struct Shared {
    games: RwLock<Games>,
    hub: Hub,
    clock: Clock,
    events: Arc<dyn EventGames>,
    deadlines: Mutex<BinaryHeap<Reverse<(Millis, GameId)>>>,
    /// Live games that changed since operators were told last.
    changed: Mutex<HashSet<GameId>>,
    /// Ended games that wait for their row.
    ended: Mutex<Vec<Arc<Table>>>,
    has_ended: Notify,
    moves: AtomicU64,
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

/// The running parts of play, to be stopped in the end.
pub struct Running {
    journal: Journal<Posting>,
    stop: CancellationToken,
    tasks: tokio_util::task::TaskTracker,
}

impl Play {
    /// Brings back every live game from the store and starts to play.
    ///
    /// # Errors
    /// When the store cannot be read, or its journal is damaged.
    pub async fn start(
        store: Store,
        hub: Hub,
        people: People,
        options: PlayOptions,
        events: Arc<dyn EventGames>,
    ) -> anyhow::Result<(Self, Running)> {
        let shared = Arc::new(Shared {
            games: RwLock::default(),
            hub,
            clock: options.clock.clone(),
            events,
            deadlines: Mutex::default(),
            changed: Mutex::default(),
            ended: Mutex::default(),
            has_ended: Notify::new(),
            moves: AtomicU64::new(0),
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
        play.resume(recovered);

        let stop = CancellationToken::new();
        let tasks = tokio_util::task::TaskTracker::new();
        tasks.spawn(stop.clone().run_until_cancelled_owned(play.clone().keep_deadlines()));
        tasks.spawn(stop.clone().run_until_cancelled_owned(play.clone().tell_live_games()));
        tasks.spawn(play.clone().keep_checkpoints(stop.clone(), replayed));
        tasks.close();
        Ok((play, Running { journal, stop, tasks }))
    }

    fn resume(&self, recovered: recovery::Recovered) {
        let now = self.now();
        for (table, game) in recovered.live {
            self.shared.games.write().insert(&table, &game);
            if !game.is_invite() {
                self.shared.events.game_resumed(&game);
            }
            let command = Command::ResumeAfterRestart { stopped_at: recovered.stopped_at.unwrap_or(now) };
            if let Err(fault) = table.command(&self.journal, command, now, Reply::Nobody) {
                tracing::error!(game = %table.id, %fault, "a game could not be resumed");
            }
            self.arm(&table);
        }
        let mut ended = self.shared.ended.lock();
        for (table, game) in recovered.ended {
            self.shared.games.write().insert(&table, &game);
            if !game.is_invite() {
                self.shared.events.game_over(&game);
            }
            ended.push(table);
        }
        drop(ended);
        self.shared.has_ended.notify_one();
    }

    /// Everybody who has a seat in a game in memory.
    pub fn players(&self) -> Vec<UserId> {
        self.shared.games.read().by_user.keys().copied().collect()
    }

    /// The server's clock, which alone decides.
    pub fn now(&self) -> Millis {
        self.options.clock.now()
    }

    /// What is kept of a new game beside what the rules know.
    fn meta(&self, invite_token: Option<String>, notify: bool) -> Meta {
        Meta { invite_token, notify, calendar: self.options.clock.to_calendar() }
    }

    /// Gives every live game the grace after the process was stopped. The play's time stands still meanwhile.
    pub async fn resume_after_pause(&self) {
        let mut paused = self.live();
        for _ in 0..RESUME_TRIES {
            let now = self.now();
            paused.retain(|table| table.command(&self.journal, Command::ResumeAfterPause, now, Reply::Nobody).is_err());
            if paused.is_empty() {
                return;
            }
            // The journal is full; in a moment it is not.
            tokio::time::sleep(TICK).await;
        }
        tracing::error!(games = paused.len(), "games got no more time after a pause: the journal takes nothing");
    }

    /// Looks after games that are over, waiting or unknown alike: whoever may not know of a game
    /// is told that there is none.
    fn table(&self, id: GameId) -> Result<Arc<Table>, ApiError> {
        self.shared.games.read().tables.get(&id).cloned().ok_or_else(|| ApiError::not_found("game"))
    }

    fn arm(&self, table: &Table) {
        self.shared.arm(table);
    }

    fn command(&self, id: GameId, command: Command, reply: Reply) -> Result<(), ApiError> {
        let table = self.table(id)?;
        table.command(&self.journal, command, self.now(), reply)?;
        self.arm(&table);
        Ok(())
    }

    /// Plays a move; the answer comes through `reply` once the move is on disk.
    ///
    /// # Errors
    /// What the rules refuse; 404 for a game that is not live; 503 when the journal is full.
    pub fn make_move(&self, user: UserId, data: &MakeMove, reply: Reply) -> Result<(), ApiError> {
        let cell = Cell::new(data.row, data.col).ok_or(morpion_rules::Refusal::OffBoard)?;
        let command = Command::Move { user, cell, at_version: data.version };
        self.command(data.game_id.into(), command, reply)?;
        self.shared.moves.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }

    /// # Errors
    /// As [`Play::make_move`].
    pub fn forfeit(&self, user: UserId, id: GameId, reply: Reply) -> Result<(), ApiError> {
        self.command(id, Command::Forfeit { user }, reply)
    }

    /// An invite game is called off, an event game declined.
    ///
    /// # Errors
    /// As [`Play::make_move`].
    pub fn cancel(&self, user: UserId, id: GameId, reply: Reply) -> Result<(), ApiError> {
        let command = self.table(id)?.withdrawal(user);
        self.command(id, command, reply)
    }

    /// A player opens a game: also one that is over, whose state stays on screen.
    ///
    /// # Errors
    /// 404 for an unknown game, 403 for somebody who does not play in it.
    pub async fn join(&self, user: UserId, id: GameId, outbox: &Arc<Outbox>, reply: Reply) -> Result<(), ApiError> {
        let table = self.any_table(id).await?;
        let is_player = table.told().is_some_and(|game| game.mark_of(user).is_some());
        if !is_player {
            return Err(morpion_rules::Refusal::NotAPlayer.into());
        }
        self.enter(outbox, id)?;
        table.join(&self.journal, user, outbox, self.now(), reply)?;
        self.arm(&table);
        Ok(())
    }

    /// Somebody watches: everybody event games, admins all. A player who watches their own game plays it.
    ///
    /// # Errors
    /// 404 for an unknown game and for one that the caller may not watch.
    pub async fn spectate(
        &self,
        caller: &Caller,
        id: GameId,
        outbox: &Arc<Outbox>,
        reply: Reply,
    ) -> Result<(), ApiError> {
        let table = self.any_table(id).await?;
        let game = table.told().ok_or_else(|| ApiError::not_found("game"))?;
        if !games::may_see(caller, &game) {
            return Err(ApiError::not_found("game"));
        }
        if let Some(user) = caller.user_id().filter(|user| game.mark_of(*user).is_some()) {
            return self.join(user, id, outbox, reply).await;
        }
        self.enter(outbox, id)?;
        table.watch(outbox, self.now(), reply)
    }

    fn enter(&self, outbox: &Outbox, id: GameId) -> Result<(), ApiError> {
        if outbox.enter(id) {
            Ok(())
        } else {
            Err(ApiError::conflict("too-many-rooms", "This connection has too many games open."))
        }
    }

    /// The page of a game was left.
    pub fn leave_room(&self, id: GameId, outbox: &Outbox) {
        outbox.leave(id);
        if let Ok(table) = self.table(id) {
            table.part(&self.journal, outbox.id, false, self.now());
            self.arm(&table);
        }
    }

    /// A connection ended.
    pub fn connection_lost(&self, outbox: &Outbox) {
        for id in outbox.leave_all() {
            if let Ok(table) = self.table(id) {
                table.part(&self.journal, outbox.id, true, self.now());
                self.arm(&table);
            }
        }
    }

    /// The version of a live game, for whoever made a move on another one.
    pub fn version_of(&self, id: GameId) -> Option<u64> {
        self.table(id).ok()?.told().map(|game| game.version())
    }

    pub fn is_healthy(&self) -> bool {
        self.journal.is_healthy()
    }

    /// Moves played since the start.
    pub fn moves(&self) -> u64 {
        self.shared.moves.load(Ordering::Relaxed)
    }

    /// Entries that wait for their commit.
    pub fn pending(&self) -> usize {
        self.journal.waiting()
    }

    /// Tells an operator all live games; the changes come by themselves after that.
    pub fn tell_all_live_games(&self, outbox: &Outbox) {
        let games = self.live_games().into_iter().take(LIVE_LIST_MOST).collect();
        outbox.tell(&ServerFrame::LiveGamesChanged(LiveGamesChanged {
            games,
            ended: vec![],
            server_time: self.options.clock.wall().into(),
        }));
    }

    async fn keep_deadlines(self) {
        let mut ticks = interval(TICK);
        ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            ticks.tick().await;
            let now = self.now();
            for id in self.shared.due(now) {
                if let Ok(table) = self.table(id) {
                    table.tick(&self.journal, now);
                    self.arm(&table);
                }
            }
        }
    }

    async fn tell_live_games(self) {
        let mut ticks = interval(LIVE_LIST_EVERY);
        ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            ticks.tick().await;
            let changed = std::mem::take(&mut *self.shared.changed.lock());
            if changed.is_empty() {
                continue;
            }
            let (mut games, mut ended) = (vec![], vec![]);
            {
                let all = self.shared.games.read();
                for id in changed {
                    let told = all.tables.get(&id).and_then(|table| Some((table.told()?, table.meta.clone())));
                    match told {
                        Some((game, meta)) if !game.status().is_over() => {
                            games.push(wire::summary(&self.people, &game, &meta, None))
                        }
                        _ => ended.push(id.0),
                    }
                }
            }
            games.truncate(LIVE_LIST_MOST);
            let frame = ServerFrame::LiveGamesChanged(LiveGamesChanged {
                games,
                ended,
                server_time: self.options.clock.wall().into(),
            });
            let frame = encode(&frame.to_text());
            self.shared.hub.tell_where(&frame, |outbox| outbox.follows_live_games.load(Ordering::Relaxed));
        }
    }
}

impl Shared {
    fn arm(&self, table: &Table) {
        if let Some(deadline) = table.arm() {
            self.deadlines.lock().push(Reverse((deadline, table.id)));
        }
    }

    /// The games whose deadline has come, taken off the list.
    fn due(&self, now: Millis) -> Vec<GameId> {
        let mut deadlines = self.deadlines.lock();
        let mut due = vec![];
        while let Some(Reverse((at, id))) = deadlines.peek().copied() {
            if at > now {
                break;
            }
            deadlines.pop();
            due.push(id);
        }
        due
    }

    /// Runs between two commits: tells what is on disk now.
    fn publish(&self, commit: Commit<Posting>) {
        let now = self.clock.now();
        let mut changed = self.changed.lock();
        // Held while it is told, so that a game that is over is in its event's list of games at every moment.
        let mut ended = self.ended.lock();
        for posting in commit.payloads {
            let table = Arc::clone(&posting.table);
            // Bounded by the games there are.
            changed.insert(table.id);
            if posting.publish(commit.seq, &self.hub, &*self.events, now) {
                ended.push(table);
                self.has_ended.notify_one();
            }
        }
    }
}

impl Running {
    /// Takes no more commands, stores what was accepted, and returns when that is done.
    pub async fn stop(self) {
        self.journal.drain().await;
        self.stop.cancel();
        self.tasks.wait().await;
    }
}
