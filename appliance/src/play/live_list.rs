//! What is told of live games from time to time: to operators what changed of all of them, to those who follow the games
//! to watch what changed of the best, to the room of each how many people watch it.

use std::{
    collections::{HashSet, VecDeque},
    sync::Arc,
    time::Duration,
};

use morpion_openapi::realtime::{LiveGamesChanged, ServerFrame};
use morpion_rules::GameId;
use tokio::time::{MissedTickBehavior, interval};

use super::{Play, view::GameView, wire};
use crate::connections::{frame::encode, handle::ConnectionHandle};

/// How often operators who follow the list of live games are told what changed.
const LIVE_LIST_EVERY: Duration = Duration::from_millis(250);

/// Of so many of these one is for those who watch: they are told what changed once a second.
const WATCHING_EVERY: u32 = 4;

/// Games told at once to an operator. Of the first list the rest comes page by page from `list_live_games`; of what changed
/// it comes the next time.
const LIVE_LIST_MOST: usize = 500;

/// Operators' connections that follow the list of live games, and the games that they have to be told of.
#[derive(Debug, Default)]
pub(super) struct FollowingOperators {
    connections: Vec<Arc<ConnectionHandle>>,
    /// Each once, those first that have waited longest; none if nobody follows.
    changed: VecDeque<GameId>,
    known: HashSet<GameId>,
}

impl FollowingOperators {
    fn add(&mut self, connection: &Arc<ConnectionHandle>) {
        if !self.connections.iter().any(|other| other.id == connection.id) {
            self.connections.push(Arc::clone(connection));
        }
    }

    /// A game changed, or is over.
    pub(super) fn game_changed(&mut self, id: GameId) {
        if !self.connections.is_empty() && self.known.insert(id) {
            self.changed.push_back(id);
        }
    }

    /// Those who still follow. Once there is nobody left, nothing waits for them.
    fn connections(&mut self) -> Vec<Arc<ConnectionHandle>> {
        self.connections.retain(|connection| !connection.is_gone());
        if self.connections.is_empty() {
            *self = Self::default();
        }
        self.connections.clone()
    }

    /// Takes the game that has waited longest.
    fn take_changed(&mut self) -> Option<GameId> {
        let id = self.changed.pop_front()?;
        self.known.remove(&id);
        Some(id)
    }
}

impl Play {
    /// Tells an operator all live games, and from now on what changes of them.
    pub fn follow_live_games(&self, connection: &Arc<ConnectionHandle>) {
        self.shared.operators.lock().add(connection);
        let games = self.live_games().into_iter().take(LIVE_LIST_MOST);
        let games = games.map(|GameView { game, meta, watchers, .. }| {
            wire::live_summary(&self.people, &game, &meta, watchers.unwrap_or_default())
        });
        connection.send_frame(&ServerFrame::LiveGamesChanged(LiveGamesChanged {
            games: games.collect(),
            ended: vec![],
            server_time: self.options.clock.wall().into(),
        }));
    }

    pub(super) async fn publish_live_games(self) {
        let mut ticks = interval(LIVE_LIST_EVERY);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        for tick in 1_u32.. {
            ticks.tick().await;
            self.tell_operators();
            if tick.is_multiple_of(WATCHING_EVERY) {
                self.tell_watchers();
                self.shared.live_now.refresh(&self.shared, &self.people);
            }
        }
    }

    fn tell_operators(&self) {
        let connections = self.shared.operators.lock().connections();
        let next = || self.shared.operators.lock().take_changed();
        let (mut games, mut ended) = (vec![], vec![]);
        // Ended games are not limited: above 2,000 a second, the queue would grow without bound.
        while games.len() < LIVE_LIST_MOST
            && let Some(id) = next()
        {
            match self.runtime(id).ok().and_then(|runtime| Some((runtime.watched()?, runtime))) {
                Some(((game, watchers), runtime)) if !game.status().is_over() => {
                    games.push(wire::live_summary(&self.people, &game, &runtime.meta, watchers))
                }
                _ => ended.push(id.0),
            }
        }
        if games.is_empty() && ended.is_empty() {
            return;
        }
        let server_time = self.options.clock.wall().into();
        let frame = ServerFrame::LiveGamesChanged(LiveGamesChanged { games, ended, server_time });
        let frame = encode(&frame.to_text());
        connections.iter().for_each(|connection| connection.send(frame.clone()));
    }

    /// Tells the rooms whose number of watching people changed.
    fn tell_watchers(&self) {
        let changed = std::mem::take(&mut *self.shared.audiences.lock());
        for id in changed {
            // An ended game that nobody shows any more is gone.
            if let Ok(runtime) = self.runtime(id) {
                runtime.tell_watchers(&self.shared.hub);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::caller::Caller;

    fn id(number: u128) -> GameId {
        GameId(Uuid::from_u128(number))
    }

    fn take(operators: &mut FollowingOperators, most: usize) -> Vec<GameId> {
        std::iter::from_fn(|| operators.take_changed()).take(most).collect()
    }

    #[test]
    fn changed_games_are_taken_in_the_order_of_their_changes_and_each_once() {
        let ids = |numbers: &[u128]| numbers.iter().copied().map(id).collect::<Vec<_>>();
        let mut operators = FollowingOperators::default();
        operators.add(&Arc::new(ConnectionHandle::new(Caller::Visitor, None)));
        [5, 3, 9, 3, 1, 5, 7].map(id).into_iter().for_each(|id| operators.game_changed(id));
        assert_eq!(take(&mut operators, 2), ids(&[5, 3]));
        // One that was taken and changes again waits behind those that were not.
        [3, 7, 2].map(id).into_iter().for_each(|id| operators.game_changed(id));
        assert_eq!(take(&mut operators, 4), ids(&[9, 1, 7, 3]));
        assert_eq!(take(&mut operators, 4), ids(&[2]));
        assert_eq!(take(&mut operators, 4), []);
    }

    #[test]
    fn no_games_are_collected_while_nobody_follows() {
        let mut operators = FollowingOperators::default();
        operators.game_changed(id(1));
        assert_eq!(operators.take_changed(), None);
        let connection = Arc::new(ConnectionHandle::new(Caller::Visitor, None));
        for _ in 0..2 {
            operators.add(&connection);
            assert_eq!(operators.connections().len(), 1);
        }
        operators.game_changed(id(1));
        connection.leave_all_events();
        assert_eq!(operators.connections().len(), 0);
        operators.game_changed(id(2));
        assert_eq!(operators.take_changed(), None);
    }
}
