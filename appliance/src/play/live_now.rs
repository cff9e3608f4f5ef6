//! The games to watch, the best rated first: `docs/behaviour/watching.md#live-now`.
//!
//! [`Ranking`] has all of them, in order, and costs a game two changes of a tree. Once a second the best are looked up
//! and become the one list that everybody gets: page by page over HTTP, and as frames for those who follow it.

mod wire;

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet, HashMap, hash_map::Entry},
    sync::{Arc, atomic::Ordering},
};

use morpion_openapi::PageRequest;
use morpion_rules::{Game, GameId, Millis, Status};
use parking_lot::{Mutex, RwLock};

use self::wire::Followed;
use super::{EventGameListener, Play, runtime::GameRuntime, shared::Shared, view::GameView};
use crate::{connections::handle::ConnectionHandle, people::People};

/// Games that pages of the list reach: nobody looks for a game further down, and a refresh reads so many.
const LISTED: usize = 100;

/// The lists that can be followed: two games for a card, twelve for a page. Each is encoded once for everybody.
const FOLLOWED: [usize; 2] = [2, 12];

/// How long a game that ended stays in a list that showed it, so that its last move is seen, in milliseconds.
const LINGERS: i64 = 4_000;

/// Games that linger: as many as the longest list shows, twice. More end at once only when an event ends.
const MOST_LINGERING: usize = 24;

/// Whether everybody signed in may watch a game.
fn is_public(events: &dyn EventGameListener, game: &Game) -> bool {
    match game.event_id() {
        Some(event) => !events.is_private(event),
        None => game.is_rated(),
    }
}

/// The place of a game: by the sum of its players' ratings when it began, then by how long it has been played.
type Place = (Reverse<i64>, Millis, GameId);

/// The games to watch.
#[derive(Debug, Default)]
pub(super) struct LiveNow {
    ranking: Mutex<Ranking>,
    /// The list as of the last refresh.
    listed: RwLock<Arc<Listed>>,
    /// Held while frames are queued, so that nobody misses a change between the first frame and the next.
    followed: Mutex<[Followed; FOLLOWED.len()]>,
}

#[derive(Debug, Default)]
pub(super) struct Listed {
    games: Vec<ListedGame>,
    /// How many may be watched in all.
    total: usize,
}

#[derive(Debug, Clone)]
pub(super) struct ListedGame {
    runtime: Arc<GameRuntime>,
    game: Arc<Game>,
    watchers: u32,
}

#[derive(Debug, Default)]
struct Ranking {
    places: HashMap<GameId, Place>,
    ranked: BTreeSet<Place>,
    /// Games that ended and are still shown, until they leave the list.
    ended: BTreeMap<Place, (Millis, ListedGame)>,
    /// The last place that is followed: a game that ends behind it was shown to nobody.
    last_followed: Option<Place>,
}

impl Ranking {
    fn insert(&mut self, game: &Game, strength: i64) {
        // Before the first move it may be told of more than once.
        if let Entry::Vacant(entry) = self.places.entry(game.id()) {
            let place = (Reverse(strength), game.started_at().unwrap_or_default(), game.id());
            entry.insert(place);
            self.ranked.insert(place);
        }
    }

    fn remove(&mut self, runtime: &Arc<GameRuntime>, game: &Arc<Game>, watchers: u32, now: Millis) {
        let Some(place) = self.places.remove(&game.id()) else { return };
        self.ranked.remove(&place);
        let was_shown = self.last_followed.is_some_and(|last| place <= last);
        if was_shown && self.ended.len() < MOST_LINGERING {
            let ended = ListedGame { runtime: Arc::clone(runtime), game: Arc::clone(game), watchers };
            self.ended.insert(place, (now + LINGERS, ended));
        }
    }
}

impl LiveNow {
    /// A game began, or is over, and that is on disk.
    pub(super) fn changed(
        &self,
        events: &dyn EventGameListener,
        runtime: &Arc<GameRuntime>,
        game: &Arc<Game>,
        now: Millis,
    ) {
        // The first move and all that follow change nothing.
        if (game.status() == Status::Active && !game.history().is_empty()) || !is_public(events, game) {
            return;
        }
        match game.status() {
            Status::Active => self.insert(runtime, game),
            Status::Completed | Status::Cancelled => {
                let watchers = runtime.watched().map_or(0, |(_, watchers)| watchers);
                self.ranking.lock().remove(runtime, game, watchers, now);
            }
            Status::Waiting => {}
        }
    }

    /// A game that goes on after a restart.
    pub(super) fn resumed(&self, events: &dyn EventGameListener, runtime: &GameRuntime, game: &Game) {
        if is_public(events, game) && game.status() == Status::Active {
            self.insert(runtime, game);
        }
    }

    fn insert(&self, runtime: &GameRuntime, game: &Game) {
        let strength = runtime.strength(game);
        self.ranking.lock().insert(game, strength);
    }

    /// Looks up the best games, and tells those who follow what changed.
    pub(super) fn refresh(&self, shared: &Shared, people: &People) {
        let listed = Arc::new(self.look_up(shared));
        *self.listed.write() = Arc::clone(&listed);
        for (number, (followed, size)) in self.followed.lock().iter_mut().zip(FOLLOWED).enumerate() {
            let best = &listed.games[..listed.games.len().min(size)];
            if let Some(frame) = followed.update(people, best, listed.total) {
                let channel = number as u8 + 1;
                shared.hub.broadcast(&frame, |connection| connection.live_now.load(Ordering::Relaxed) == channel);
            }
        }
    }

    fn look_up(&self, shared: &Shared) -> Listed {
        let now = shared.clock.now();
        let (places, ended, total) = {
            let mut ranking = self.ranking.lock();
            ranking.ended.retain(|_, (until, _)| *until > now);
            let mut places: Vec<Place> = ranking.ranked.iter().take(LISTED).copied().collect();
            places.extend(ranking.ended.keys());
            places.sort_unstable();
            places.truncate(LISTED);
            ranking.last_followed = places.get(FOLLOWED[1] - 1).or(places.last()).copied();
            (places, ranking.ended.clone(), ranking.ranked.len())
        };
        let games = shared.games.read();
        let find = |place: &Place| match ended.get(place) {
            Some((_, ended)) => Some(ended.clone()),
            None => {
                let runtime = games.runtimes.get(&place.2)?;
                let (game, watchers) = runtime.watched()?;
                Some(ListedGame { runtime: Arc::clone(runtime), game, watchers })
            }
        };
        Listed { games: places.iter().filter_map(find).collect(), total }
    }
}

impl Play {
    /// Has a connection follow the games to watch, `limit` of them or a few more: it gets the list, and then changes.
    pub fn watch_live(&self, connection: &ConnectionHandle, limit: Option<u32>) {
        let live_now = &self.shared.live_now;
        let wanted = limit.map_or(usize::MAX, |limit| limit as usize);
        let number = FOLLOWED.iter().position(|size| wanted <= *size).unwrap_or(FOLLOWED.len() - 1);
        let mut followed = live_now.followed.lock();
        connection.live_now.store(number as u8 + 1, Ordering::Relaxed);
        connection.send(followed[number].whole());
    }

    pub fn unwatch_live(&self, connection: &ConnectionHandle) {
        connection.live_now.store(0, Ordering::Relaxed);
    }

    /// A page of the games that everybody signed in may watch, the best rated first, as of the last second; of how many
    /// it is a page, at most a hundred; and how many there are in all.
    pub fn games_to_watch(&self, page: PageRequest) -> (Vec<GameView>, usize, usize) {
        let listed = Arc::clone(&self.shared.live_now.listed.read());
        let at = self.now();
        let offset = usize::try_from(page.offset()).unwrap_or(usize::MAX);
        let rows = listed.games.iter().skip(offset).take(page.limit as usize);
        let view = |ListedGame { runtime, game, watchers }: &ListedGame| GameView {
            game: Arc::clone(game),
            meta: runtime.meta.clone(),
            at,
            rating_changes: None,
            watchers: Some(*watchers),
        };
        (rows.map(view).collect(), listed.games.len(), listed.total)
    }
}
