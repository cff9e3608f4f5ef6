//! Games as callers may see them.

use std::{cmp::Reverse, sync::Arc};

use chrono::{DateTime, Utc};
use morpion_rules::{Game, Millis};
use uuid::Uuid;

use super::{Meta, rating::RatingChanges, record::Checkpoint, runtime::GameRuntime};

/// A game as it is on disk.
#[derive(Debug, Clone)]
pub struct GameView {
    pub game: Arc<Game>,
    pub meta: Meta,
    /// When it was read, in play time: the time used in the current turn is as of then.
    pub at: Millis,
    /// Of a rated game that is over.
    pub rating_changes: Option<RatingChanges>,
    /// How many people watch it, in lists of live games.
    pub watchers: Option<u32>,
}

/// Where a game is in the order in which games that are over are read: its creation, and its id.
pub type Place = (DateTime<Utc>, Uuid);

/// Some of the games that are over of a player or of an event, the newest first.
#[derive(Debug, Clone)]
pub struct GamesOver {
    pub games: Vec<GameView>,
    /// Where the last of them is; `None` if no further ones follow.
    pub place: Option<Place>,
}

impl GameView {
    /// `None` before the game is on disk.
    pub(super) fn of(runtime: &GameRuntime, at: Millis) -> Option<Self> {
        let rating_changes = runtime.rating_changes();
        Some(Self { game: runtime.committed()?, meta: runtime.meta.clone(), at, rating_changes, watchers: None })
    }

    /// As [`GameView::of`], with the number of people who watch.
    pub(super) fn watched(runtime: &GameRuntime, at: Millis) -> Option<Self> {
        let (game, watchers) = runtime.watched()?;
        Some(Self { game, meta: runtime.meta.clone(), at, rating_changes: None, watchers: Some(watchers) })
    }

    pub(super) fn stored(Checkpoint { game, meta }: Checkpoint, at: Millis) -> Self {
        Self { game: Arc::new(game), meta, at, rating_changes: None, watchers: None }
    }
}

pub(super) fn sort_newest_first(games: &mut [GameView]) {
    games.sort_by_key(|view| (Reverse(view.meta.date(view.game.created_at())), view.game.id().0));
}
