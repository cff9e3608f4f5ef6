//! What is told of live games from time to time: to operators what changed of all of them, to those who follow the games
//! to watch what changed of the best, to the room of each how many people watch it.

use std::{sync::atomic::Ordering, time::Duration};

use morpion_openapi::realtime::{LiveGamesChanged, ServerFrame};
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

impl Play {
    /// Tells an operator all live games; the changes come by themselves after that.
    pub fn send_all_live_games(&self, connection: &ConnectionHandle) {
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
        let changed = self.shared.changed.lock().take(LIVE_LIST_MOST);
        if changed.is_empty() {
            return;
        }
        let (mut games, mut ended) = (vec![], vec![]);
        {
            let all = self.shared.games.read();
            for id in changed {
                let runtime = all.runtimes.get(&id);
                match runtime.and_then(|runtime| Some((runtime.watched()?, &runtime.meta))) {
                    Some(((game, watchers), meta)) if !game.status().is_over() => {
                        games.push(wire::live_summary(&self.people, &game, meta, watchers))
                    }
                    _ => ended.push(id.0),
                }
            }
        }
        let frame = ServerFrame::LiveGamesChanged(LiveGamesChanged {
            games,
            ended,
            server_time: self.options.clock.wall().into(),
        });
        let frame = encode(&frame.to_text());
        self.shared.hub.broadcast(&frame, |connection| connection.follows_live_games.load(Ordering::Relaxed));
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
