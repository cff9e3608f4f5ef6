//! Quick match: opponents for people outside events. See `docs/behaviour/quick-match.md`.
//!
//! Who plays whom is decided by [`morpion_rules::quick_match`]. Here are the connections of those who wait, the timer, and
//! the games that are opened. Nothing is stored: after a restart the clients join again.

mod error;
mod state;
mod wire;

use std::{cmp::Reverse, collections::BTreeSet, sync::Arc, time::Duration};

use morpion_openapi::realtime::{RedirectToGame, ServerFrame};
use morpion_rules::{
    GameId, UserId,
    game::{Player, QuickSetup},
    quick_match::{Match, Wish},
    rating::Rating,
};
use morpion_store::Store;
use parking_lot::Mutex;
use rand::RngCore;
use tokio::{
    sync::Notify,
    time::{Instant, sleep_until},
};
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use uuid::Uuid;

pub use error::QuickMatchError;
pub use state::QueuedPlayer;
pub use wire::{clock_of, control_of};

use crate::{
    account::played_from::PlayedFrom,
    caller::Identity,
    connections::handle::ConnectionHandle,
    error::CommonError,
    events::Events,
    people::People,
    play::{Play, notifications::Notification},
};
use state::{Entrant, Seeker, State};

/// How often those who wait are told how many wait and play.
const STATUS_EVERY: Duration = Duration::from_secs(1);

/// A player without a connection keeps the place for so many milliseconds.
const AWAY_LIMIT: i64 = 30_000;

/// The pause after a game could not be opened.
const RETRY_AFTER: Duration = Duration::from_secs(1);

/// Delay before a client opens the game that it is already in.
const ENGAGED_REDIRECT_MS: u32 = 1_500;

const LEFT: &str = "You stopped looking for an opponent.";
const BECOMING_BOT: &str = "This account is becoming a bot. Bots are paired only with each other.";
const IN_EVENT: &str = "You are looking for an opponent in an event now.";

/// All who look for an opponent outside events. Clones are one.
#[derive(Clone)]
pub struct QuickMatch {
    shared: Arc<Shared>,
    stop: CancellationToken,
    tasks: TaskTracker,
}

struct Shared {
    /// Held for a moment, never across an `.await`.
    state: Mutex<State>,
    /// Held from the pairing of players until their games are opened, or they are back.
    pairing: Mutex<()>,
    /// Somebody entered or left.
    changed: Notify,
    store: Store,
    people: People,
    play: Play,
    events: Events,
}

/// Two players for whom a game is opened.
struct PairedGame {
    paired: Match,
    seekers: [Seeker; 2],
    setup: QuickSetup,
    notifications: Vec<Notification>,
}

impl QuickMatch {
    pub fn start(store: Store, people: People, play: Play, events: Events) -> Self {
        let (state, pairing, changed) = (Mutex::default(), Mutex::default(), Notify::new());
        let shared = Arc::new(Shared { state, pairing, changed, store, people, play, events });
        let (stop, tasks) = (CancellationToken::new(), TaskTracker::new());
        let run = Arc::clone(&shared).run();
        tasks.spawn(stop.clone().run_until_cancelled_owned(run));
        tasks.close();
        Self { shared, stop, tasks }
    }

    /// Pairs nobody any more.
    pub async fn stop(&self) {
        self.stop.cancel();
        self.tasks.wait().await;
    }

    /// A connection looks for an opponent, or changes what it looks for; a player looks for one game, with however many
    /// tabs. Who is in a game already is led there.
    ///
    /// # Errors
    /// [`QuickMatchError`].
    pub async fn join(
        &self,
        identity: &Identity,
        wish: Wish,
        connection: &Arc<ConnectionHandle>,
    ) -> Result<(), QuickMatchError> {
        let shared = &self.shared;
        let user = identity.user_id;
        if identity.is_temp && wish.rated {
            return Err(QuickMatchError::AccountNeeded);
        }
        if let Some(game) = shared.play.quick_game_of(user).or_else(|| shared.events.game_of(user)) {
            connection.send_frame(&redirect(game));
            return Ok(());
        }
        if shared.events.is_engaged(user) {
            return Err(QuickMatchError::InEvent);
        }
        shared.people.load([user]).await?;
        let blocked: BTreeSet<_> = shared.store.blocked_by(user.0).await?.into_iter().map(UserId).collect();
        let from = PlayedFrom::devices_of(&shared.store, user).await?;
        // In the queues for casual games guests count as newcomers.
        let rating = shared.people.rating(user).map_or(Rating::START.shown(), |rating| rating.value);
        let now = shared.play.now();
        let mut state = shared.state.lock();
        let player = Player { user, username: identity.username.clone() };
        // Now, since the account may become a bot while the store is asked.
        if shared.people.is_becoming_bot(user) {
            return Err(
                CommonError::unavailable("This account is becoming a bot. Please try again in a moment.").into()
            );
        }
        let is_bot = shared.people.is_bot(user);
        let entered = state.enter(Entrant { player, rating, blocked, from, is_bot }, wish, connection, now);
        entered.map_err(|full| CommonError::unavailable(full.to_string()))?;
        let playing = shared.play.quick_games() * 2;
        if let Some(status) = state.status(user, playing, now) {
            connection.send_frame(&status);
        }
        drop(state);
        shared.changed.notify_one();
        Ok(())
    }

    /// A player no longer looks for an opponent, in any tab. The answer is the same if they did not.
    pub fn leave(&self, user: UserId, connection: &ConnectionHandle) {
        if !self.remove(user, LEFT) {
            connection.send_frame(&wire::ended(LEFT));
        }
    }

    /// A player looks for an opponent in an event, or may no longer play.
    pub fn leave_for_event(&self, user: UserId) {
        self.remove(user, IN_EVENT);
    }

    /// Removes an account that was deleted or suspended.
    pub fn remove_account(&self, user: UserId) {
        self.remove(user, LEFT);
        self.shared.state.lock().last_opponents.remove(&user);
    }

    /// Removes an account that becomes a bot from the queue that it is in. A game that it was paired for before is open then.
    pub fn leave_for_bots(&self, user: UserId) {
        let _paired = self.shared.pairing.lock();
        self.remove(user, BECOMING_BOT);
    }

    fn remove(&self, user: UserId, message: &str) -> bool {
        let Some(seeker) = self.shared.state.lock().remove(user) else { return false };
        seeker.send(&wire::ended(message));
        self.shared.changed.notify_one();
        true
    }

    /// Leads a connection of a user who is in a game of quick match there; false if there is none.
    pub fn lead_to_game(&self, user: UserId, connection: &ConnectionHandle) -> bool {
        let game = self.shared.play.quick_game_of(user);
        game.inspect(|game| connection.send_frame(&redirect(*game))).is_some()
    }

    /// A connection ended. With the last one the player is away, and after a while no longer waits.
    pub fn connection_lost(&self, connection: &ConnectionHandle) {
        if let Some(user) = connection.user_id() {
            self.shared.state.lock().connection_lost(user, connection.id, self.shared.play.now());
        }
    }

    /// Who looks for an opponent, whoever has waited longest first.
    pub fn queue(&self) -> Vec<QueuedPlayer> {
        let now = self.shared.play.now();
        let mut waiting = self.shared.state.lock().queue(now);
        waiting.sort_by_key(|player| (Reverse(player.waited_ms), player.user.0));
        waiting
    }

    /// How many look for an opponent.
    pub fn waiting(&self) -> usize {
        self.shared.state.lock().lobby.len()
    }
}

impl Shared {
    async fn run(self: Arc<Self>) {
        let mut next_status = Instant::now();
        loop {
            let wakeup = self.state.lock().lobby.next_wakeup();
            let now = self.play.now();
            let until_wakeup = wakeup.map(|at| Duration::from_millis((at - now).max(0).unsigned_abs()));
            let wakes_at = until_wakeup.map_or(next_status, |wait| next_status.min(Instant::now() + wait));
            if self.state.lock().lobby.is_empty() {
                self.changed.notified().await;
            } else {
                tokio::select! {
                    () = self.changed.notified() => {}
                    () = sleep_until(wakes_at) => {}
                }
            }
            if !self.pair() {
                tokio::time::sleep(RETRY_AFTER).await;
            }
            if Instant::now() >= next_status {
                self.tell_status();
                next_status = Instant::now() + STATUS_EVERY;
            }
        }
    }

    /// Opens the games of all who fit; false if one could not be opened, whose players wait on.
    fn pair(&self) -> bool {
        let _pairing = self.pairing.lock();
        let now = self.play.now();
        let paired: Vec<PairedGame> = {
            let mut state = self.state.lock();
            if state.lobby.next_wakeup().is_none_or(|at| at > now) {
                return true;
            }
            let matches = state.lobby.pair(now, rand::rng().next_u64());
            matches.into_iter().filter_map(|paired| self.prepare_game(&mut state, paired)).collect()
        };
        let mut all_opened = true;
        for PairedGame { paired, seekers, setup, notifications } in paired {
            if let Err(error) = self.play.open_quick_game(setup, notifications) {
                tracing::warn!(%error, "a game of quick match could not be opened; trying again");
                let mut state = self.state.lock();
                for (number, seeker) in seekers.into_iter().enumerate() {
                    state.put_back(seeker, &paired, number);
                }
                all_opened = false;
            }
        }
        all_opened
    }

    fn prepare_game(&self, state: &mut State, paired: Match) -> Option<PairedGame> {
        let [x, o] = paired.pairing.players.map(|user| state.take(user));
        let (x, o) = match (x, o) {
            (Some(x), Some(o)) => (x, o),
            (one, other) => {
                for (number, seeker) in [one, other].into_iter().enumerate() {
                    if let Some(seeker) = seeker {
                        state.put_back(seeker, &paired, number);
                    }
                }
                return None;
            }
        };
        let seekers = [x, o];
        // Two tabs may have entered two queues in the same moment: the event goes first.
        let busy = seekers.each_ref().map(|seeker| self.events.is_engaged(seeker.player.user));
        if busy.contains(&true) {
            for (number, seeker) in seekers.into_iter().enumerate() {
                if busy[number] {
                    seeker.send(&wire::ended(IN_EVENT));
                } else {
                    state.put_back(seeker, &paired, number);
                }
            }
            return None;
        }
        let shared = if paired.rated { seekers[0].from.shared_with(&seekers[1].from, false) } else { None };
        let setup = QuickSetup {
            id: GameId(Uuid::new_v4()),
            players: seekers.each_ref().map(|seeker| seeker.player.clone()),
            size: paired.size,
            starter: paired.starter,
            control: paired.control,
            rated: paired.rated && shared.is_none(),
        };
        let [first, second] = paired.pairing.players;
        state.met(first, second);
        let notifications = wire::found(&self.people, &setup, shared);
        Some(PairedGame { paired, seekers, setup, notifications })
    }

    fn tell_status(&self) {
        let now = self.play.now();
        let playing = self.play.quick_games() * 2;
        let mut state = self.state.lock();
        state.remove_away(now - AWAY_LIMIT);
        for user in state.lobby.users().collect::<Vec<_>>() {
            if let (Some(status), Some(seeker)) = (state.status(user, playing, now), state.seekers.get(&user)) {
                seeker.send(&status);
            }
        }
    }
}

fn redirect(game: GameId) -> ServerFrame {
    ServerFrame::RedirectToGame(RedirectToGame { game_id: game.0, redirect_in_ms: ENGAGED_REDIRECT_MS })
}
