//! The frames of a list of games to watch.

use std::collections::HashMap;

use bytes::Bytes;
use morpion_openapi::{
    game::{LiveBoard, LiveGame},
    realtime::{LiveNow, ServerFrame},
};
use uuid::Uuid;

use super::ListedGame;
use crate::{
    connections::frame::encode,
    people::People,
    play::wire::{live_board, live_summary},
};

/// A list as those who follow it have it.
#[derive(Debug, Default)]
pub(super) struct Followed {
    games: Vec<LiveGame>,
    total: usize,
    /// All of it in one frame, once somebody needed it.
    whole: Option<Bytes>,
}

impl Followed {
    /// The frame with what changed; `None` if nothing did.
    pub(super) fn update(&mut self, people: &People, best: &[ListedGame], total: usize) -> Option<Bytes> {
        let games: Vec<LiveGame> = best.iter().map(|listed| live_game(people, listed)).collect();
        let known: HashMap<Uuid, &LiveGame> = self.games.iter().map(|live| (live.game.game_id, live)).collect();
        let (mut new, mut boards) = (vec![], vec![]);
        for live in &games {
            match known.get(&live.game.game_id) {
                Some(before) if before.game.players == live.game.players => {
                    if before.board != live.board {
                        boards.push(live.board.clone());
                    }
                }
                _ => new.push(live.clone()),
            }
        }
        let order = |games: &[LiveGame]| games.iter().map(|live| live.game.game_id).collect::<Vec<_>>();
        if self.total == total && new.is_empty() && boards.is_empty() && order(&games) == order(&self.games) {
            return None;
        }
        let frame = frame(total, order(&games), new, boards);
        *self = Self { games, total, whole: None };
        Some(frame)
    }

    /// The frame with all of it.
    pub(super) fn whole(&mut self) -> Bytes {
        let Self { games, total, whole } = self;
        let order = || games.iter().map(|live| live.game.game_id).collect();
        whole.get_or_insert_with(|| frame(*total, order(), games.clone(), vec![])).clone()
    }
}

fn frame(total: usize, order: Vec<Uuid>, games: Vec<LiveGame>, boards: Vec<LiveBoard>) -> Bytes {
    encode(&ServerFrame::LiveNow(LiveNow { total: total as u32, order, games, boards }).to_text())
}

fn live_game(people: &People, ListedGame { runtime, game, watchers }: &ListedGame) -> LiveGame {
    let summary = live_summary(people, game, &runtime.meta, *watchers);
    LiveGame { game: summary, board: live_board(game, *watchers) }
}
