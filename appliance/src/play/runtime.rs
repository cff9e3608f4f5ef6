//! One game in memory: its state, the connections that have it open, and the lock that guards both.
//!
//! A command is applied and appended to the journal under the lock, so a game's entries are in the order in which they
//! were applied. Effects are announced in the same order, once they are on disk. Until then readers see the committed
//! state ([`GameRuntime::committed`]).

mod audience;
mod pending_commit;

use std::{
    collections::HashSet,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use bytes::Bytes;
use morpion_openapi::realtime::{GameJoined, ServerFrame, WatchersChanged};
use morpion_rules::{
    Command, Effects, Game, GameId, Mark, Millis, Status, UserId,
    game::{NetworkDelay, Player},
    rating::Rating,
};
use parking_lot::Mutex;

pub use pending_commit::{GameJournal, PendingCommit, Reply};

use super::{
    error::PlayError,
    news::News,
    notifications::{self, Notification},
    rating::RatingChanges,
    reactions::Reacted,
    record::{Checkpoint, Meta, Record},
    registration::CountedGame,
    wire,
};
use crate::{
    caller::Caller,
    connections::{
        frame::encode,
        handle::{ConnectionHandle, ConnectionId},
        hub::Hub,
    },
    error::CommonError,
    people::People,
};
use audience::Audience;
use pending_commit::{MoveUnderWay, append};

/// Connections that watch one game; more are refused. Each costs one frame a move.
pub const MAX_SPECTATORS: usize = 1_000;

/// Visitors are not let in beyond so many, so that they never take the places of those who are signed in.
const MAX_BEFORE_VISITORS: usize = MAX_SPECTATORS / 2;

/// More than the ratings of two players add up to.
const BEHIND_PEOPLE: i64 = 100_000;

#[derive(Debug)]
pub struct GameRuntime {
    pub id: GameId,
    pub meta: Meta,
    people: People,
    state: Mutex<State>,
    /// Whether there may already be a rematch.
    may_have_rematch: AtomicBool,
}

#[derive(Debug)]
struct State {
    /// With every command applied.
    game: Arc<Game>,
    /// With every command that is on disk; `None` until the game itself is.
    committed: Option<Arc<Game>>,
    /// Whether the game's beginning is in the journal, before which nothing else of it may be there.
    is_open: bool,
    /// Until the game is over.
    counted: Option<CountedGame>,
    /// Connections of players who have the game open. The first makes a player present and the last one's end makes
    /// them absent, so two tabs are one player.
    present: Vec<(ConnectionId, UserId)>,
    audience: Audience,
    /// The journal record that holds the first change since the last checkpoint.
    unsaved_since: Option<u64>,
    /// When the state of the current turn, which began with this version, was sent to the connections.
    turn_sent: Option<(u64, Millis)>,
    /// When the timer checks this game next.
    armed: Option<Millis>,
    /// Once the end of a rated game is stored.
    rating_changes: Option<RatingChanges>,
    reacted: Reacted,
}

/// A state to be stored.
#[derive(Debug)]
pub struct Snapshot {
    pub checkpoint: Checkpoint,
    version: u64,
}

impl GameRuntime {
    pub fn new(game: Game, meta: Meta, people: &People) -> Arc<Self> {
        Arc::new(Self::restored(Arc::new(game), meta, None, false, people))
    }

    /// A runtime whose game is on disk already: `unsaved_since` names the first record that no
    /// checkpoint includes.
    pub fn recovered(game: Game, meta: Meta, unsaved_since: Option<u64>, people: &People) -> Arc<Self> {
        let game = Arc::new(game);
        let mut runtime = Self::restored(Arc::clone(&game), meta, unsaved_since, true, people);
        let state = runtime.state.get_mut();
        (state.committed, state.is_open) = (Some(game), true);
        Arc::new(runtime)
    }

    fn restored(
        game: Arc<Game>,
        meta: Meta,
        unsaved_since: Option<u64>,
        may_have_rematch: bool,
        people: &People,
    ) -> Self {
        let state = State {
            game,
            committed: None,
            is_open: false,
            counted: None,
            present: vec![],
            audience: Audience::default(),
            unsaved_since,
            turn_sent: None,
            armed: None,
            rating_changes: None,
            reacted: Reacted::default(),
        };
        let may_have_rematch = AtomicBool::new(may_have_rematch);
        let (id, people) = (state.game.id(), people.clone());
        Self { id, meta, people, state: Mutex::new(state), may_have_rematch }
    }

    /// True if no rematch can exist before this call. A restored game does not know, and returns false.
    pub fn claim_first_rematch(&self) -> bool {
        !self.may_have_rematch.swap(true, Ordering::AcqRel)
    }

    /// The committed state, which readers see; `None` before the game is on disk.
    pub fn committed(&self) -> Option<Arc<Game>> {
        self.state.lock().committed.clone()
    }

    /// The committed state, and how many people watch it.
    pub fn watched(&self) -> Option<(Arc<Game>, u32)> {
        let state = self.state.lock();
        Some((state.committed.clone()?, state.audience.watchers()))
    }

    /// The sum of the players' ratings, for the order of games to watch; who has none counts as a newcomer. Games of bots come
    /// behind those of people.
    pub fn strength(&self, game: &Game) -> i64 {
        let rating = |user| self.people.rating(user).map_or_else(|| Rating::START.shown(), |rating| rating.value);
        let strength: i64 = game.players().map(|(_, player)| i64::from(rating(player.user))).sum();
        let of_bots = game.players().all(|(_, player)| self.people.is_bot(player.user));
        if of_bots { strength - BEHIND_PEOPLE } else { strength }
    }

    /// Tells everybody who has the game open how many people watch it.
    pub fn tell_watchers(&self, hub: &Hub) {
        let state = self.state.lock();
        let watchers = WatchersChanged { game_id: self.id.0, watchers: state.audience.watchers() };
        let frame = encode(&ServerFrame::WatchersChanged(watchers).to_text());
        state.audience.send(hub, &frame, |_| true);
    }

    /// Counts a player's reaction.
    ///
    /// # Errors
    /// [`PlayError::TooManyReactions`].
    pub fn admit_reaction(&self, mark: Mark, now: Millis) -> Result<(), PlayError> {
        self.state.lock().reacted.admit(mark, now)
    }

    /// Everybody who has the game open. Operator tokens are nobody.
    pub fn audience(&self) -> HashSet<UserId> {
        self.state.lock().audience.connections().filter_map(|connection| connection.user_id()).collect()
    }

    /// Sends a frame to all who have the game open, except the connections of some users.
    pub fn send_to_room(&self, hub: &Hub, frame: &Bytes, except: &HashSet<UserId>) {
        let is_meant = |connection: &ConnectionHandle| connection.user_id().is_none_or(|user| !except.contains(&user));
        self.state.lock().audience.send(hub, frame, is_meant);
    }

    /// Whether the game takes one of a player's places. Ended games, which stay in memory for a while, and invitations
    /// by others do not, not even before they are on disk.
    pub fn counts_for(&self, user: UserId) -> bool {
        let game = &self.state.lock().game;
        match game.status() {
            Status::Waiting => game.player(Mark::X).is_some_and(|inviter| inviter.user == user),
            Status::Active => true,
            Status::Completed | Status::Cancelled => false,
        }
    }

    /// Has the game count as live until it is over.
    pub(super) fn count(&self, counted: CountedGame) {
        self.state.lock().counted = Some(counted);
    }

    /// The new game, unless its beginning is in the journal.
    pub fn unopened(&self) -> Option<Arc<Game>> {
        let state = self.state.lock();
        (!state.is_open).then(|| Arc::clone(&state.game))
    }

    /// Appends the new game to the journal; `news` is for players who are away. `joined` is a connection of a player who
    /// is in it from the start: it gets the state once that is on disk.
    ///
    /// # Errors
    /// The journal is full.
    pub fn open(
        self: &Arc<Self>,
        journal: &GameJournal,
        now: Millis,
        notifications: Vec<Notification>,
        news: Option<News>,
        joined: Option<Arc<ConnectionHandle>>,
        reply: Reply,
    ) -> Result<(), PlayError> {
        let present = joined.as_ref().and_then(|connection| Some((connection.id, connection.user_id()?)));
        // Held until the player is present, too: that is asked as soon as the entry is on disk.
        let mut state = self.state.lock();
        let game = Arc::clone(&state.game);
        let checkpoint = Checkpoint { game: Game::clone(&game), meta: self.meta.clone() };
        let record = Record::Opened(Box::new(checkpoint));
        let (runtime, move_under_way) = (Arc::clone(self), None);
        let pending = PendingCommit { runtime, game, now, notifications, news, reply, joined, move_under_way };
        append(journal, &record, pending)?;
        state.is_open = true;
        state.present.extend(present);
        Ok(())
    }

    /// Applies a command and appends it to the journal.
    ///
    /// # Errors
    /// [`PlayError::Refused`]; [`CommonError::NotFound`] before the game is opened; the journal is full. The game is
    /// unchanged then.
    pub fn command(
        self: &Arc<Self>,
        journal: &GameJournal,
        command: Command,
        now: Millis,
        reply: Reply,
    ) -> Result<(), PlayError> {
        self.apply(&mut self.state.lock(), journal, command, now, reply, None)
    }

    fn apply(
        self: &Arc<Self>,
        state: &mut State,
        journal: &GameJournal,
        command: Command,
        now: Millis,
        reply: Reply,
        joined: Option<Arc<ConnectionHandle>>,
    ) -> Result<(), PlayError> {
        if !state.is_open {
            return Err(CommonError::NotFound("game").into());
        }
        let move_under_way = matches!(command, Command::Move { .. }).then(|| MoveUnderWay::begin(self.id));
        let command = state.with_network_delay(command);
        // Beside the present state, which is shown until the next one is on disk: half a KiB, and 16 bytes a move.
        let mut game = Game::clone(&state.game);
        let effects: Effects = game.apply(&command, now)?;
        if effects.is_empty() {
            if let Some(committed) = &state.committed {
                reply.send(committed);
            }
            return Ok(());
        }
        let mut notifications = notifications::of_effects(&self.people, &game, &self.meta, &effects, now);
        if let Some(previous) = self.meta.rematch_of {
            notifications.extend(notifications::of_answer(previous, &game, &self.meta, &effects));
        }
        let news = News::of_effects(&game, &effects);
        let game = Arc::new(game);
        let record = Record::Played { id: self.id, version: state.game.version(), now, command };
        let runtime = Arc::clone(self);
        let pending =
            PendingCommit { runtime, game: Arc::clone(&game), now, notifications, news, reply, joined, move_under_way };
        append(journal, &record, pending)?;
        state.game = game;
        Ok(())
    }

    /// A player's connection opens the game. It gets the reply and all later changes once the state it sees is on disk.
    ///
    /// # Errors
    /// As [`GameRuntime::command`].
    pub fn join(
        self: &Arc<Self>,
        journal: &GameJournal,
        user: UserId,
        connection: &Arc<ConnectionHandle>,
        now: Millis,
        reply: Reply,
    ) -> Result<(), PlayError> {
        let mut state = self.state.lock();
        if state.game.status().is_over() {
            self.subscribe(&mut state, connection, false, now);
            reply.send(&state.game);
            return Ok(());
        }
        let version = state.game.version();
        self.apply(&mut state, journal, Command::Join { user }, now, reply, Some(Arc::clone(connection)))?;
        if !state.present.iter().any(|(id, _)| *id == connection.id) {
            state.present.push((connection.id, user));
        }
        // Already in the game, perhaps with another tab: nothing has to be stored first.
        if state.game.version() == version {
            self.subscribe(&mut state, connection, false, now);
        }
        Ok(())
    }

    /// Adds a spectator.
    ///
    /// # Errors
    /// [`PlayError::TooManySpectators`].
    pub fn watch(&self, connection: &Arc<ConnectionHandle>, now: Millis, reply: Reply) -> Result<(), PlayError> {
        let mut state = self.state.lock();
        let most = match connection.caller {
            Caller::Visitor => MAX_BEFORE_VISITORS,
            Caller::User(_) | Caller::Operator(_) => MAX_SPECTATORS,
        };
        if state.audience.spectators() >= most {
            return Err(PlayError::TooManySpectators);
        }
        self.subscribe(&mut state, connection, true, now);
        reply.send(&state.game);
        Ok(())
    }

    /// Sends a connection the state, and every later change of it.
    fn subscribe(&self, state: &mut State, connection: &Arc<ConnectionHandle>, watches: bool, now: Millis) {
        let Some(committed) = state.committed.clone() else { return };
        state.audience.add(connection, watches);
        connection.send_frame(&self.joined_frame(&committed, state, connection, now));
    }

    fn joined_frame(&self, game: &Game, state: &State, connection: &ConnectionHandle, now: Millis) -> ServerFrame {
        let (changes, watchers) = (state.rating_changes.as_ref(), state.audience.watchers());
        let is_waiting = game.status() == Status::Waiting;
        let mut state = wire::state_for(&self.people, game, &self.meta, connection.user_id(), now);
        state.rating_changes = changes.map(|changes| wire::rating_changes(&self.people, changes));
        ServerFrame::GameJoined(GameJoined {
            game_id: self.id.0,
            success: true,
            message: is_waiting.then(|| "Waiting for Opponent".to_owned()),
            error: None,
            game_state: Some(state),
            watchers: Some(watchers),
            previous_game_id: self.meta.rematch_of.map(|previous| previous.0),
        })
    }

    /// A connection left the game's page, or was lost. Returns whether that changes how many people watch.
    pub fn leave(self: &Arc<Self>, journal: &GameJournal, id: ConnectionId, was_lost: bool, now: Millis) -> bool {
        let mut state = self.state.lock();
        let before = state.audience.watchers();
        state.audience.remove(id);
        let has_changed = before != state.audience.watchers();
        let Some(at) = state.present.iter().position(|(known, _)| *known == id) else { return has_changed };
        let (_, user) = state.present.swap_remove(at);
        if state.present.iter().any(|(_, other)| *other == user) || state.game.status().is_over() {
            return has_changed;
        }
        let command = if was_lost { Command::Disconnect { user } } else { Command::Leave { user } };
        if let Err(error) = self.apply(&mut state, journal, command, now, Reply::Nobody, None) {
            // Nothing is lost: the game still counts the player as present, and its clock runs.
            tracing::warn!(game = %self.id, %error, "an absence could not be noted");
        }
        has_changed
    }

    /// The command by which a player withdraws before the start.
    pub fn withdrawal(&self, user: UserId) -> Command {
        if self.state.lock().game.is_event() { Command::Decline { user } } else { Command::Cancel { user } }
    }

    /// When the timer has to check this game, if that is earlier than planned.
    pub fn arm(&self) -> Option<Millis> {
        let mut state = self.state.lock();
        let deadline = state.game.next_deadline()?;
        if state.armed.is_some_and(|armed| armed <= deadline) {
            return None;
        }
        state.armed = Some(deadline);
        Some(deadline)
    }

    /// Called by the timer: settles a deadline that has passed.
    pub fn tick(self: &Arc<Self>, journal: &GameJournal, now: Millis) {
        let mut state = self.state.lock();
        state.armed = None;
        if state.game.next_deadline().is_some_and(|deadline| deadline <= now)
            && let Err(error) = self.apply(&mut state, journal, Command::Tick, now, Reply::Nobody, None)
        {
            tracing::warn!(game = %self.id, %error, "a deadline could not be decided yet");
        }
    }

    /// The state to store, if it changed since it was last stored.
    pub fn snapshot(&self) -> Option<Snapshot> {
        let state = self.state.lock();
        state.unsaved_since?;
        let game = state.committed.as_deref()?.clone();
        let version = game.version();
        Some(Snapshot { checkpoint: Checkpoint { game, meta: self.meta.clone() }, version })
    }

    /// A snapshot is stored. `seq` is the last record that was on disk when it was taken.
    pub fn saved(&self, snapshot: &Snapshot, seq: u64) {
        let mut state = self.state.lock();
        let is_current = state.committed.as_ref().is_some_and(|committed| committed.version() == snapshot.version);
        state.unsaved_since = if is_current { None } else { Some(seq) };
    }

    /// The ratings after the game are stored: everybody who has it open is told, and both players wherever they are.
    pub fn rated(&self, changes: &RatingChanges, hub: &Hub) {
        let frame = notifications::of_rating_changes(&self.people, self.id, changes);
        let mut state = self.state.lock();
        state.rating_changes = Some(Arc::clone(changes));
        state.audience.send(hub, &frame, |_| true);
        let told: Vec<ConnectionId> = state.audience.connections().map(|connection| connection.id).collect();
        drop(state);
        for change in changes.iter() {
            hub.send_to_user(change.user, &frame, |connection| told.contains(&connection));
        }
    }

    /// As [`GameRuntime::rated`], for a game that nobody has open yet.
    pub fn was_rated(&self, changes: RatingChanges) {
        self.state.lock().rating_changes = Some(changes);
    }

    /// What the game did to the ratings, once that is stored.
    pub fn rating_changes(&self) -> Option<RatingChanges> {
        self.state.lock().rating_changes.clone()
    }

    /// The first record that no checkpoint of this game includes.
    pub fn unsaved_since(&self) -> Option<u64> {
        self.state.lock().unsaved_since
    }

    /// Renames a player of a finished game for its viewers; false, without a change, while the game is not stored in
    /// its present state.
    pub fn rename(&self, user: UserId, username: &str) -> bool {
        let mut state = self.state.lock();
        if state.unsaved_since.is_some() || !state.game.status().is_over() {
            return false;
        }
        Arc::make_mut(&mut state.game).rename(user, username);
        state.committed = Some(Arc::clone(&state.game));
        true
    }

    /// Moves a guest's connections to the account.
    pub fn connections_of(&self, guest: UserId, account: UserId) {
        for (_, user) in self.state.lock().present.iter_mut().filter(|(_, user)| *user == guest) {
            *user = account;
        }
    }

    /// Moves a guest's seat in a finished game to an account, for its viewers; false, without a change, while the game
    /// is not stored in its present state.
    pub fn replace_player(&self, guest: UserId, player: &Player) -> bool {
        let mut state = self.state.lock();
        if state.unsaved_since.is_some() || !state.game.status().is_over() {
            return false;
        }
        // Refused if the account has the other seat; then the guest keeps theirs.
        let _ = Arc::make_mut(&mut state.game).replace_player(guest, player.clone());
        state.committed = Some(Arc::clone(&state.game));
        true
    }

    /// Over and stored: lists find it in the store.
    pub fn is_stored(&self) -> bool {
        self.state.lock().is_stored()
    }

    /// Over, stored, and shown by no connection.
    pub fn is_done(&self) -> bool {
        let state = self.state.lock();
        state.is_stored() && state.audience.is_empty()
    }
}

impl State {
    fn is_stored(&self) -> bool {
        self.unsaved_since.is_none() && self.committed.as_ref().is_some_and(|game| game.status().is_over())
    }

    /// Adds the network delay of the current turn, which is not charged to the player, to a command.
    fn with_network_delay(&self, command: Command) -> Command {
        match command {
            Command::Move { user, cell, at_version } => match self.network_delay(user) {
                Some(delay) => Command::TimedMove { user, cell, at_version, delay },
                None => Command::Move { user, cell, at_version },
            },
            Command::DecideByTime => match self.game.current_turn().and_then(|user| self.network_delay(user)) {
                Some(delay) => Command::DecideByFairTime { delay },
                None => Command::DecideByTime,
            },
            command => command,
        }
    }

    /// `None` when there is no delay.
    fn network_delay(&self, user: UserId) -> Option<NetworkDelay> {
        let (position, turn_sent) = self.turn_sent?;
        if position != self.game.position_version() {
            return None;
        }
        let sent_after = (turn_sent - self.game.turn_started()?).max(0);
        // The best of several connections, so that adding a slow one gains nothing.
        let own = self.audience.connections().filter(|connection| connection.user_id() == Some(user));
        let round_trip = own.filter_map(|connection| connection.round_trip()).min().unwrap_or(0);
        let delay = NetworkDelay { sent_after: u32::try_from(sent_after).unwrap_or(u32::MAX), round_trip };
        (delay != NetworkDelay::default()).then_some(delay)
    }
}
