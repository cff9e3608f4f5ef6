//! Rows of games: written behind the play, so that the journal can be trimmed.

use std::{sync::Arc, time::Duration};

use tokio::{task::JoinSet, time::Instant};
use tokio_util::sync::CancellationToken;

use super::{Play, table::Table};

/// How often live games that changed get a new row, and the journal is trimmed.
const EVERY: Duration = Duration::from_secs(30);

/// How many times as long as each step of a round, and of a trim, the play has the store for itself.
const REST: u32 = 3;

/// Ended games are gathered for this long, so that their rows share a commit.
const GATHER: Duration = Duration::from_millis(100);

/// Rows of one transaction: above this the time that a commit of moves waits behind it shows.
const BATCH: usize = 100;

impl Play {
    /// Writes rows until it is stopped, and once more then.
    pub(super) async fn keep_checkpoints(self, stop: CancellationToken) {
        let mut next_step = Instant::now() + EVERY;
        // Live games of this round that are still to be written.
        let mut round = Vec::new();
        let mut trims = JoinSet::new();
        loop {
            tokio::select! {
                () = stop.cancelled() => break,
                () = self.shared.has_ended.notified() => {
                    tokio::time::sleep(GATHER).await;
                    self.store_ended().await;
                }
                () = tokio::time::sleep_until(next_step) => {}
                Some(_) = trims.join_next() => {}
            }
            let started = Instant::now();
            if started < next_step {
                continue;
            }
            if round.is_empty() {
                round = self.live();
            }
            self.store_live(&mut round).await;
            next_step = Instant::now() + started.elapsed() * REST;
            if round.is_empty() {
                next_step = started + EVERY;
                if trims.is_empty() {
                    let play = self.clone();
                    trims.spawn(async move { play.trim(REST).await });
                }
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
            let batch: Vec<Arc<Table>> = {
                let mut ended = self.shared.ended.lock();
                let keep = ended.len().saturating_sub(BATCH);
                ended.split_off(keep)
            };
            if batch.is_empty() {
                return;
            }
            if let Err(error) = self.store_tables(&batch).await {
                tracing::error!(%error, "ended games could not be stored; trying again");
                self.shared.ended.lock().extend(batch);
                self.shared.has_ended.notify_one();
                tokio::time::sleep(Duration::from_secs(1)).await;
                return;
            }
            self.forget_done(&batch);
        }
    }

    /// Ended games that nobody looks at leave the memory; the others stay until the next round.
    fn forget_done(&self, tables: &[Arc<Table>]) {
        let mut games = self.shared.games.write();
        for table in tables.iter().filter(|table| table.is_done()) {
            games.remove(table);
        }
    }

    fn live(&self) -> Vec<Arc<Table>> {
        self.shared.games.read().tables.values().cloned().collect()
    }

    /// Stores some of these games and takes them out; all of them where the store fails.
    async fn store_live(&self, round: &mut Vec<Arc<Table>>) {
        let batch = round.split_off(round.len().saturating_sub(BATCH));
        match self.store_tables(&batch).await {
            Ok(()) => self.forget_done(&batch),
            Err(error) => {
                tracing::error!(%error, "live games could not be stored; trying again in a while");
                round.clear();
            }
        }
    }

    /// Forgets what the journal has of games whose rows are newer.
    async fn trim(&self, rest: u32) {
        // What was told but not yet stored when this is read comes in later records.
        let last = self.journal.last_seq();
        let oldest = self.shared.games.read().tables.values().filter_map(|table| table.unsaved_since()).min();
        if let Err(error) = self.store.trim_journal(oldest.unwrap_or(last), rest).await {
            tracing::warn!(%error, "the journal could not be trimmed");
        }
    }

    /// Writes the rows of those that have changed since they were written.
    pub(super) async fn store_tables(&self, tables: &[Arc<Table>]) -> Result<(), morpion_store::StoreError> {
        let seq = self.journal.last_seq();
        let snapshots: Vec<_> = tables.iter().filter_map(|table| Some((table, table.snapshot()?))).collect();
        if snapshots.is_empty() {
            return Ok(());
        }
        let rows: Vec<_> = snapshots.iter().map(|(_, snapshot)| snapshot.checkpoint.row(seq)).collect();
        let results: Vec<_> = snapshots.iter().filter_map(|(_, snapshot)| snapshot.checkpoint.result()).collect();
        self.store.upsert_games(&rows, &results).await?;
        for (table, snapshot) in &snapshots {
            table.saved(snapshot, seq);
        }
        Ok(())
    }
}
