//! Recovery at start: live games from their checkpoints, then the journal replayed onto them.

use std::{
    collections::{HashMap, HashSet, hash_map::Entry},
    fmt::Display,
    sync::Arc,
};

use anyhow::{Context, ensure};
use morpion_rules::{Game, GameId, Millis};
use morpion_store::Store;

use super::{
    record::{Checkpoint, Meta, Record},
    runtime::GameRuntime,
};
use crate::people::People;

/// The recovered games.
pub struct Recovered {
    pub live: Vec<(Arc<GameRuntime>, Arc<Game>)>,
    /// Over, and not yet stored as over. Later changes of a stored one (it was shared, a player's account was deleted)
    /// are only in what is stored.
    pub ended: Vec<(Arc<GameRuntime>, Arc<Game>)>,
    /// Those of them whose result or rating was stored before the process ended.
    pub counted: HashSet<GameId>,
    /// Entries of the journal that were replayed.
    pub entries: u64,
    /// The time of the last record, from which the clocks continue.
    pub stopped_at: Option<Millis>,
}

struct Found {
    game: Game,
    meta: Meta,
    unsaved_since: Option<u64>,
}

fn damaged(what: impl Display) -> String {
    format!("{what} is damaged, or from a newer version; install that version, or restore the latest backup")
}

/// Reads all games that are not stored as finished.
///
/// # Errors
/// The store is unavailable, or the journal does not fit the checkpoints.
pub async fn recover(store: &Store, people: &People) -> anyhow::Result<Recovered> {
    let mut games: HashMap<GameId, Found> = HashMap::new();
    for row in store.live_games().await? {
        let checkpoint =
            Checkpoint::decode(&row.state).with_context(|| damaged(format_args!("the row of game {}", row.id)))?;
        games.insert(row.id.into(), Found { game: checkpoint.game, meta: checkpoint.meta, unsaved_since: None });
    }
    let (mut stopped_at, mut entries) = (None, 0);
    let mut journal = store.replay_journal(0);
    while let Some(batch) = journal.next().await? {
        entries += batch.entries.len() as u64;
        for entry in batch.entries {
            let damaged = || damaged(format_args!("journal record {}", batch.seq));
            let record = Record::decode(&entry).with_context(damaged)?;
            match record {
                Record::Opened(checkpoint) => {
                    stopped_at = stopped_at.max(Some(checkpoint.game.created_at()));
                    let Checkpoint { game, meta } = *checkpoint;
                    games.entry(game.id()).or_insert(Found { game, meta, unsaved_since: Some(batch.seq) });
                }
                Record::Played { id, version, now, command } => {
                    stopped_at = stopped_at.max(Some(now));
                    let found = match games.entry(id) {
                        Entry::Occupied(found) => found.into_mut(),
                        // Its beginning was trimmed, so it is stored, as a game that ended.
                        Entry::Vacant(unknown) => {
                            let row = store.game(id.0).await?;
                            let row = row.context("its game has no row").with_context(damaged)?;
                            let Checkpoint { game, meta } = Checkpoint::decode(&row.state).with_context(damaged)?;
                            unknown.insert(Found { game, meta, unsaved_since: None })
                        }
                    };
                    if version < found.game.version() {
                        continue;
                    }
                    ensure!(
                        version == found.game.version(),
                        "{}: game {id} has version {}, not {version}",
                        damaged(),
                        found.game.version()
                    );
                    found.game.apply(&command, now).with_context(damaged)?;
                    found.unsaved_since.get_or_insert(batch.seq);
                }
            }
        }
    }
    let over = games.values().filter(|found| found.game.status().is_over());
    let over: Vec<_> = over.map(|found| found.game.id().0).collect();
    let stored: HashSet<_> = store.finished_games(&over).await?.into_iter().collect();
    let unstored = games.values().map(|found| &found.game).filter(|game| !stored.contains(&game.id().0));
    let counted = counted(store, unstored).await?;
    let mut recovered = Recovered { live: vec![], ended: vec![], counted, entries, stopped_at };
    for Found { game, meta, unsaved_since } in games.into_values() {
        if stored.contains(&game.id().0) {
            continue;
        }
        let is_over = game.status().is_over();
        let runtime = GameRuntime::recovered(game, meta, unsaved_since, people);
        let game = runtime.committed().context("a recovered runtime is committed")?;
        if is_over {
            recovered.ended.push((runtime, game));
        } else {
            recovered.live.push((runtime, game));
        }
    }
    tracing::info!(live = recovered.live.len(), ended = recovered.ended.len(), entries, "games recovered");
    Ok(recovered)
}

/// Those of the games that ended whose result or rating is stored.
async fn counted(store: &Store, games: impl Iterator<Item = &Game>) -> anyhow::Result<HashSet<GameId>> {
    let (mut of_events, mut rated) = (vec![], vec![]);
    for game in games.filter(|game| game.status().is_over()) {
        if game.is_event() {
            of_events.push(game.id().0);
        }
        if game.is_rated() {
            rated.push(game.id().0);
        }
    }
    let mut counted = HashSet::new();
    if !of_events.is_empty() {
        counted.extend(store.counted_results(&of_events).await?);
    }
    if !rated.is_empty() {
        counted.extend(store.games_rated(&rated).await?);
    }
    Ok(counted.into_iter().map(GameId).collect())
}
