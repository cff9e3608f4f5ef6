//! The games in memory, and what handlers, timer, committer and checkpoints share of them.

use std::{
    cmp::Reverse,
    collections::{BinaryHeap, HashMap, HashSet},
    sync::Arc,
};

use morpion_rules::{Game, GameId, Millis, UserId};
use morpion_store::Commit;
use parking_lot::{Mutex, RwLock};
use tokio::sync::Notify;

use super::{
    EventGameListener,
    live_list::FollowingOperators,
    live_now::LiveNow,
    registration::LiveGames,
    runtime::{GameRuntime, PendingCommit},
};
use crate::{
    clock::Clock,
    connections::{announcement::Announcement, hub::Hub},
    metrics::Metrics,
    push::Push,
};

#[derive(Debug, Default)]
pub(super) struct GameIndex {
    pub(super) runtimes: HashMap<GameId, Arc<GameRuntime>>,
    pub(super) by_user: HashMap<UserId, HashSet<GameId>>,
}

impl GameIndex {
    pub(super) fn index_players(&mut self, game: &Game) {
        for (_, player) in game.players() {
            self.by_user.entry(player.user).or_default().insert(game.id());
        }
    }

    /// As [`GameIndex::index_players`], after `before` may have lost their seat.
    pub(super) fn reindex_player(&mut self, game: &Game, before: UserId) {
        self.index_players(game);
        if game.mark_of(before).is_none()
            && let Some(own) = self.by_user.get_mut(&before)
        {
            own.remove(&game.id());
            if own.is_empty() {
                self.by_user.remove(&before);
            }
        }
    }

    pub(super) fn insert(&mut self, runtime: &Arc<GameRuntime>, game: &Game) {
        self.index_players(game);
        self.runtimes.insert(runtime.id, Arc::clone(runtime));
    }

    /// Games that take one of a user's places.
    pub(super) fn places_taken(&self, user: UserId) -> usize {
        let takes_one = |id: &&GameId| self.runtimes.get(*id).is_none_or(|runtime| runtime.counts_for(user));
        self.by_user.get(&user).map_or(0, |own| own.iter().filter(takes_one).count())
    }

    pub(super) fn remove(&mut self, runtime: &GameRuntime) {
        match runtime.committed() {
            Some(game) => self.remove_uncommitted(runtime, &game),
            None => _ = self.runtimes.remove(&runtime.id),
        }
    }

    pub(super) fn remove_uncommitted(&mut self, runtime: &GameRuntime, game: &Game) {
        self.runtimes.remove(&runtime.id);
        for (_, player) in game.players() {
            if let Some(own) = self.by_user.get_mut(&player.user) {
                own.remove(&runtime.id);
                if own.is_empty() {
                    self.by_user.remove(&player.user);
                }
            }
        }
    }
}

/// Shared by the handlers, the timer, the committer and the checkpoints.
#[derive(Debug)]
pub(super) struct Shared {
    pub(super) games: RwLock<GameIndex>,
    pub(super) hub: Hub,
    pub(super) push: Push,
    pub(super) clock: Clock,
    pub(super) events: Arc<dyn EventGameListener>,
    pub(super) deadlines: Mutex<BinaryHeap<Reverse<(Millis, GameId)>>>,
    pub(super) operators: Mutex<FollowingOperators>,
    /// Games whose number of watching people changed since their rooms were last told.
    pub(super) audiences: Mutex<HashSet<GameId>>,
    pub(super) live_now: LiveNow,
    /// Ended games that wait to be stored.
    pub(super) ended: Mutex<Vec<Arc<GameRuntime>>>,
    pub(super) live: Arc<LiveGames>,
    pub(super) has_ended: Notify,
    /// Held while games are stored.
    pub(super) storing: tokio::sync::Mutex<()>,
    pub(super) metrics: Metrics,
}

impl Shared {
    pub(super) fn arm(&self, runtime: &GameRuntime) {
        if let Some(deadline) = runtime.arm() {
            self.deadlines.lock().push(Reverse((deadline, runtime.id)));
        }
    }

    /// Takes the games whose deadline has passed off the list.
    pub(super) fn due(&self, now: Millis) -> Vec<GameId> {
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

    /// Removes the deadlines of games that are no longer in memory. An invitation's is a day away, and most games end in
    /// minutes.
    pub(super) fn forget_deadlines(&self) {
        let games = self.games.read();
        self.deadlines.lock().retain(|Reverse((_, id))| games.runtimes.contains_key(id));
    }

    /// The number of people who watch this game changed.
    pub(super) fn audience_changed(&self, id: GameId) {
        self.audiences.lock().insert(id);
        self.operators.lock().game_changed(id);
    }

    /// Runs between two commits: announces what is on disk now.
    pub(super) fn publish(&self, commit: Commit<PendingCommit>) {
        self.metrics.commit_seconds.observe(commit.took.as_secs_f64());
        let mut announcement = Announcement::default();
        self.announce(commit, &mut announcement);
        // Under no lock, since it takes a system call for each connection.
        announcement.write();
    }

    fn announce(&self, commit: Commit<PendingCommit>, announcement: &mut Announcement) {
        let now = self.clock.now();
        let mut operators = self.operators.lock();
        // Held until everything is announced, so that a game that is over is in its event's list of games at every
        // moment.
        let mut ended = self.ended.lock();
        for mut pending in commit.payloads {
            let runtime = Arc::clone(&pending.runtime);
            operators.game_changed(runtime.id);
            let move_under_way = pending.move_under_way.take();
            let game = pending.game();
            if pending.publish(commit.seq, &self.hub, &self.push, &*self.events, now, announcement) {
                ended.push(Arc::clone(&runtime));
                self.has_ended.notify_one();
            }
            self.live_now.changed(&*self.events, &runtime, &game, now);
            if let Some(announced) = move_under_way {
                self.metrics.move_seconds.observe(announced.since.elapsed().as_secs_f64());
            }
        }
    }
}
