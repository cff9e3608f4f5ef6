//! The list of live games that operators follow.

use std::{sync::atomic::Ordering, time::Duration};

use morpion_openapi::realtime::{LiveGamesChanged, ServerFrame};
use tokio::time::{MissedTickBehavior, interval};

use super::{Play, wire};
use crate::connections::{frame::encode, handle::ConnectionHandle};

/// How often operators who follow the list of live games are told what changed.
const LIVE_LIST_EVERY: Duration = Duration::from_millis(250);

/// Live games told at once to an operator; the rest comes page by page from `list_live_games`.
const LIVE_LIST_MOST: usize = 500;

impl Play {
    /// Tells an operator all live games; the changes come by themselves after that.
    pub fn send_all_live_games(&self, connection: &ConnectionHandle) {
        let games = self.live_games().into_iter().take(LIVE_LIST_MOST);
        let games = games.map(|view| wire::summary(&self.people, &view.game, &view.meta, None)).collect();
        connection.send_frame(&ServerFrame::LiveGamesChanged(LiveGamesChanged {
            games,
            ended: vec![],
            server_time: self.options.clock.wall().into(),
        }));
    }

    pub(super) async fn publish_live_games(self) {
        let mut ticks = interval(LIVE_LIST_EVERY);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
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
                    let committed =
                        all.runtimes.get(&id).and_then(|runtime| Some((runtime.committed()?, runtime.meta.clone())));
                    match committed {
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
            self.shared.hub.broadcast(&frame, |connection| connection.follows_live_games.load(Ordering::Relaxed));
        }
    }
}
