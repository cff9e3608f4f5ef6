//! Rows of games: written behind the play, so that the journal can be trimmed.

use std::{cmp::Reverse, sync::Arc, time::Duration};

use tokio::{task::JoinSet, time::Instant};
use tokio_util::sync::CancellationToken;

use super::{Play, runtime::GameRuntime};

/// How often live games that changed get a new row, and the journal is trimmed.
const EVERY: Duration = Duration::from_secs(30);

/// Entries of the journal behind which a round begins earlier: a start after a kill replays what no round covers, and
/// this is a fraction of a second of it.
const BACKLOG: u64 = 50_000;

/// How often the backlog is looked at.
const POLL_EVERY: Duration = Duration::from_secs(1);

/// Ended games are gathered for this long, so that their rows share a commit.
const GATHER: Duration = Duration::from_millis(100);

/// Rows of one transaction: above this the time that a commit of moves waits behind it shows.
const BATCH: usize = 100;

/// How many times as long as each step of a round, and of a trim, the play has the store for itself: less, the more
/// entries are not covered by rows.
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
    /// So many entries were `replayed` at the start.
    pub(super) async fn run_checkpoints(self, stop: CancellationToken, replayed: u64) {
        // What a start replayed is written at once, or it would be replayed again after the next kill.
        let mut next_step = Instant::now();
        // Live games of this round that are still to be written, those of the oldest records last.
        let mut round = Vec::new();
        // Entries when this round began, and when the one before it did: the rows of that one are all written.
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
            let stored = self.store_live(&mut round).await;
            let pause = pause_factor(entries - covered);
            next_step = Instant::now() + started.elapsed() * pause;
            if round.is_empty() {
                next_step = started + EVERY;
                if stored {
                    covered = began;
                }
            }
            // Also within a round: the games of the oldest records have their rows by now.
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

    async fn store_ended(&self) {
        loop {
            // The oldest first: the journal is trimmed up to them. They stay in the list until they are stored: until
            // then their event's games are listed from it.
            let batch: Vec<Arc<GameRuntime>> = self.shared.ended.lock().iter().take(BATCH).cloned().collect();
            if batch.is_empty() {
                return;
            }
            if let Err(error) = self.store_games(&batch).await {
                tracing::error!(%error, "ended games could not be stored; trying again");
                self.shared.has_ended.notify_one();
                tokio::time::sleep(Duration::from_secs(1)).await;
                return;
            }
            self.shared.ended.lock().drain(..batch.len());
            self.forget_done(&batch);
        }
    }

    /// Ended games that nobody looks at leave the memory; the others stay until the next round.
    fn forget_done(&self, runtimes: &[Arc<GameRuntime>]) {
        let mut games = self.shared.games.write();
        for runtime in runtimes.iter().filter(|runtime| runtime.is_done()) {
            games.remove(runtime);
        }
    }

    /// All games in memory, those whose records are the oldest last.
    pub(super) fn live(&self) -> Vec<Arc<GameRuntime>> {
        let mut runtimes: Vec<_> = self.shared.games.read().runtimes.values().cloned().collect();
        runtimes.sort_by_cached_key(|runtime| Reverse(runtime.unsaved_since().unwrap_or(u64::MAX)));
        runtimes
    }

    /// Stores some of these games and takes them out; where the store fails takes out all of them, and answers false.
    async fn store_live(&self, round: &mut Vec<Arc<GameRuntime>>) -> bool {
        let batch = round.split_off(round.len().saturating_sub(BATCH));
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

    /// Forgets what the journal has of games whose rows are newer.
    async fn trim(&self, pause: u32) {
        // What was told but not yet stored when this is read comes in later records.
        let last = self.journal.last_seq();
        let oldest = self.shared.games.read().runtimes.values().filter_map(|runtime| runtime.unsaved_since()).min();
        if let Err(error) = self.store.trim_journal(oldest.unwrap_or(last), pause).await {
            tracing::warn!(%error, "the journal could not be trimmed");
        }
    }

    /// Writes the rows of those that have changed since they were written.
    pub(super) async fn store_games(&self, runtimes: &[Arc<GameRuntime>]) -> Result<(), morpion_store::StoreError> {
        let seq = self.journal.last_seq();
        let snapshots: Vec<_> = runtimes.iter().filter_map(|runtime| Some((runtime, runtime.snapshot()?))).collect();
        if snapshots.is_empty() {
            return Ok(());
        }
        let rows: Vec<_> = snapshots.iter().map(|(_, snapshot)| snapshot.checkpoint.row(seq)).collect();
        let results: Vec<_> = snapshots.iter().filter_map(|(_, snapshot)| snapshot.checkpoint.result()).collect();
        self.store.upsert_games(&rows, &results).await?;
        for (runtime, snapshot) in &snapshots {
            runtime.saved(snapshot, seq);
        }
        Ok(())
    }
}
