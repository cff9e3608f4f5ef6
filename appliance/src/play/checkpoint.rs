//! Games are stored in the background, live ones as rows and ended ones as records, so that the journal can be trimmed.

use std::{cmp::Reverse, sync::Arc, time::Duration};

use morpion_store::EndedGames;
use tokio::{task::JoinSet, time::Instant};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::{Play, record::Checkpoint, runtime::GameRuntime};

/// How often changed live games get a new row, and the journal is trimmed.
const EVERY: Duration = Duration::from_secs(30);

/// Number of journal entries at which a round begins earlier: a start after a kill replays what no round covers, which
/// takes a fraction of a second for this many.
const BACKLOG: u64 = 50_000;

/// How often the backlog is checked.
const POLL_EVERY: Duration = Duration::from_secs(1);

/// Ended games are collected for this long, so that they share a commit.
const GATHER: Duration = Duration::from_millis(100);

/// Ended games in one transaction: with more, commits of moves would wait noticeably behind it.
const BATCH: usize = 100;

/// Rows of live games in one transaction. There is time for them, so that no step takes a core from the moves for longer
/// than a few milliseconds.
const LIVE_BATCH: usize = 10;

/// The pause after each step of a round, and of a trim, as a multiple of its duration: play has the store for itself
/// meanwhile. Shorter, the more entries are not covered by rows.
fn pause_factor(backlog: u64) -> u32 {
    match backlog / BACKLOG {
        0 | 1 => 3,
        2 | 3 => 1,
        _ => 0,
    }
}

impl Play {
    /// Writes rows until it is stopped, and once more then.
    ///
    /// `replayed` entries were read at the start.
    pub(super) async fn run_checkpoints(self, stop: CancellationToken, replayed: u64) {
        // What the start replayed is written at once, or it would be replayed again after the next kill.
        let mut next_step = Instant::now();
        // Live games of this round that are still to be written, those with the oldest records last.
        let mut round = Vec::new();
        // Entries when this round began, and when the previous one did, whose rows are all written.
        let (mut began, mut covered) = (0, 0);
        let mut trims = JoinSet::new();
        loop {
            tokio::select! {
                () = stop.cancelled() => break,
                () = self.shared.has_ended.notified() => {
                    tokio::time::sleep(GATHER).await;
                    self.store_ended().await;
                }
                () = tokio::time::sleep_until(next_step.min(Instant::now() + POLL_EVERY)) => {}
                Some(_) = trims.join_next() => {}
            }
            let started = Instant::now();
            let entries = replayed + self.journal.entries_committed();
            let is_due = started >= next_step || (round.is_empty() && entries - covered >= BACKLOG);
            if !is_due {
                continue;
            }
            if round.is_empty() {
                round = self.live();
                began = entries;
            }
            let pause = pause_factor(entries - covered);
            let stored = self.writer(pause == 0).store_live(&mut round).await;
            next_step = Instant::now() + started.elapsed() * pause;
            if round.is_empty() {
                next_step = started + EVERY;
                if stored {
                    covered = began;
                }
            }
            // Also within a round: the games with the oldest records have their rows by now.
            if trims.is_empty() {
                let play = self.clone();
                trims.spawn(async move { play.trim(pause).await });
            }
        }
        trims.shutdown().await;
        self.store_ended().await;
        let mut round = self.live();
        while !round.is_empty() {
            self.store_live(&mut round).await;
        }
        self.trim(0).await;
    }

    /// Rows are written behind play, with the priority of queries. Once they fall behind they compete with it: games that
    /// are not stored yet take memory, and a start after a kill.
    fn writer(&self, is_behind: bool) -> Self {
        if is_behind { Self { store: self.store.urgent(), ..self.clone() } } else { self.clone() }
    }

    async fn store_ended(&self) {
        loop {
            // Oldest first: the journal is trimmed up to them. They stay in the list until they are stored, since their
            // event's games are listed from it.
            let batch: Vec<Arc<GameRuntime>> = self.shared.ended.lock().iter().take(BATCH).cloned().collect();
            if batch.is_empty() {
                return;
            }
            if let Err(error) = self.writer(batch.len() == BATCH).store_games(&batch).await {
                tracing::error!(%error, "ended games could not be stored; trying again");
                self.shared.has_ended.notify_one();
                tokio::time::sleep(Duration::from_secs(1)).await;
                return;
            }
            self.shared.ended.lock().drain(..batch.len());
            self.forget_done(&batch);
        }
    }

    /// Removes ended games that no connection shows from memory; the others stay until the next round.
    fn forget_done(&self, runtimes: &[Arc<GameRuntime>]) {
        let mut games = self.shared.games.write();
        for runtime in runtimes.iter().filter(|runtime| runtime.is_done()) {
            games.remove(runtime);
        }
    }

    /// All games in memory, those with the oldest records last.
    pub(super) fn live(&self) -> Vec<Arc<GameRuntime>> {
        let mut runtimes: Vec<_> = self.shared.games.read().runtimes.values().cloned().collect();
        runtimes.sort_by_cached_key(|runtime| Reverse(runtime.unsaved_since().unwrap_or(u64::MAX)));
        runtimes
    }

    /// Stores some of these games and removes them from the round. If the store fails, removes all of them and returns
    /// false.
    async fn store_live(&self, round: &mut Vec<Arc<GameRuntime>>) -> bool {
        let batch = round.split_off(round.len().saturating_sub(LIVE_BATCH));
        match self.store_games(&batch).await {
            Ok(()) => {
                self.forget_done(&batch);
                true
            }
            Err(error) => {
                tracing::error!(%error, "live games could not be stored; trying again in a while");
                round.clear();
                false
            }
        }
    }

    /// Trims the journal up to the oldest record that no row covers.
    async fn trim(&self, pause: u32) {
        // What is committed but not yet stored when this is read is in later records.
        let last = self.journal.last_seq();
        let oldest = self.shared.games.read().runtimes.values().filter_map(|runtime| runtime.unsaved_since()).min();
        if let Err(error) = self.store.trim_journal(oldest.unwrap_or(last), pause).await {
            tracing::warn!(%error, "the journal could not be trimmed");
        }
    }

    /// Has rated games that ended wait for the solver: `docs/behaviour/engine-use.md`. Before they are stored, so that
    /// none is missed after a crash.
    async fn queue_comparisons(
        &self,
        checkpoints: impl Iterator<Item = &Checkpoint>,
    ) -> Result<(), morpion_store::StoreError> {
        let ended: Vec<Uuid> = checkpoints
            .filter(|checkpoint| checkpoint.is_compared())
            .map(|checkpoint| checkpoint.game.id().0)
            .collect();
        match ended.is_empty() {
            true => Ok(()),
            false => self.store.queue_comparisons(&ended, self.shared.clock.steady()).await,
        }
    }

    /// Stores those that changed since they were last stored.
    pub(super) async fn store_games(&self, runtimes: &[Arc<GameRuntime>]) -> Result<(), morpion_store::StoreError> {
        // One after the other, or an older state of a game could be stored after its end.
        let _storing = self.shared.storing.lock().await;
        let seq = self.journal.last_seq();
        let snapshots: Vec<_> = runtimes.iter().filter_map(|runtime| Some((runtime, runtime.snapshot()?))).collect();
        if snapshots.is_empty() {
            return Ok(());
        }
        let rows: Vec<_> = snapshots.iter().map(|(_, snapshot)| snapshot.checkpoint.row(seq)).collect();
        self.queue_comparisons(snapshots.iter().map(|(_, snapshot)| &snapshot.checkpoint)).await?;
        let results: Vec<_> = snapshots.iter().filter_map(|(_, snapshot)| snapshot.checkpoint.result()).collect();
        let played: Vec<_> = snapshots.iter().filter_map(|(_, snapshot)| snapshot.checkpoint.played()).collect();
        let rated = snapshots.iter().filter_map(|(_, snapshot)| snapshot.checkpoint.rated_end()).collect();
        let ended = EndedGames { results: &results, played: &played };
        let changes = self.store_and_rate(&rows, ended, rated).await?;
        for (runtime, snapshot) in &snapshots {
            runtime.saved(snapshot, seq);
            if let Some(changes) = changes.get(&runtime.id) {
                runtime.rated(changes, &self.shared.hub);
            }
        }
        Ok(())
    }
}
