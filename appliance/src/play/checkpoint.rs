//! Games are stored in the background, live ones as rows and ended ones as records, so that the journal can be trimmed.

use std::{cmp::Reverse, sync::Arc, time::Duration};

use morpion_store::EndedGames;
use tokio::{task::JoinSet, time::Instant};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::{Play, record::Checkpoint, runtime::GameRuntime};

/// How often a round begins, which stores live games and trims the journal.
const EVERY: Duration = Duration::from_secs(30);

/// Number of journal entries after which a round begins earlier. A start after a kill replays what no row covers, which
/// is what arrived during up to two rounds, and takes a fraction of a second for a few of these.
const ROUND: u64 = 50_000;

/// How often the backlog is checked.
const POLL_EVERY: Duration = Duration::from_secs(1);

/// Ended games are collected for this long, so that they share a commit.
const GATHER: Duration = Duration::from_millis(100);

/// Ended games in one transaction, as long as few wait: with more, commits of moves would wait noticeably behind it.
const BATCH: usize = 100;

/// The same at most. At full speed each step of a transaction waits behind a move of every game, so that with more games
/// there are fewer transactions in a second, and each has to store more.
const MOST_IN_BATCH: usize = 500;

/// How many of the ended games that wait the next transaction stores.
fn batch_of(waiting: usize) -> usize {
    (waiting / 10).clamp(BATCH, MOST_IN_BATCH)
}

/// Rows of live games in one transaction. There is time for them, so that no step takes a core from the moves for longer
/// than a few milliseconds.
const LIVE_BATCH: usize = 10;

/// How long a stop waits until all games are stored, which takes a part of a second if the store is not slow. The next start
/// reads what is left from the journal.
const STORE_LAST: Duration = Duration::from_secs(2);

/// The pause after each step of a round, and of a trim, as a multiple of its duration: play has the store for itself
/// meanwhile. Shorter, the more entries are not covered by rows.
fn pause_factor(backlog: u64) -> u32 {
    match backlog / ROUND {
        0..=3 => 3,
        4..=7 => 1,
        _ => 0,
    }
}

/// Where the journal was at a moment.
#[derive(Clone, Copy)]
struct Position {
    /// Since before what the start replayed.
    entries: u64,
    /// The last record on disk.
    seq: u64,
}

/// Those of the games that changed in this record or an earlier one and were not stored since, with the oldest such record
/// last.
fn unsaved_since(seq: u64, games: Vec<Arc<GameRuntime>>) -> Vec<Arc<GameRuntime>> {
    let since = games.into_iter().filter_map(|game| Some((game.unsaved_since()?, game)));
    let mut unsaved: Vec<_> = since.filter(|(since, _)| *since <= seq).collect();
    unsaved.sort_by_key(|(since, _)| Reverse(*since));
    unsaved.into_iter().map(|(_, game)| game).collect()
}

impl Play {
    /// Stores games until it is stopped, and once more then, for at most [`STORE_LAST`].
    ///
    /// `replayed` entries were read at the start.
    pub(super) async fn run_checkpoints(self, stop: CancellationToken, replayed: u64) {
        let too_late = async {
            stop.cancelled().await;
            tokio::time::sleep(STORE_LAST).await;
        };
        tokio::select! {
            () = self.run_rounds(stop.clone(), replayed) => {}
            () = too_late => tracing::info!("not all games were stored in time; the next start reads them from the journal"),
        }
    }

    /// Writes rows until it is stopped, and once more then.
    async fn run_rounds(&self, stop: CancellationToken, replayed: u64) {
        // What the start replayed is written at once, or it would be replayed again after the next kill.
        let mut next_step = Instant::now();
        // Games of this round that are still to be written, those with the oldest records last.
        let mut round = Vec::new();
        // When the last round began, and the one before it. A round stores what was not stored in between: most games end
        // sooner and need no row.
        let mut began = self.position(replayed);
        let mut before = began;
        // Entries that rows cover.
        let mut covered = 0;
        let mut trims = JoinSet::new();
        // When the ended games are stored that are being gathered, if there are any.
        let mut gathered: Option<Instant> = None;
        loop {
            let next = next_step.min(Instant::now() + POLL_EVERY);
            tokio::select! {
                () = stop.cancelled() => break,
                () = self.shared.has_ended.notified(), if gathered.is_none() => {
                    gathered = Some(Instant::now() + GATHER);
                }
                () = tokio::time::sleep_until(gathered.map_or(next, |at| at.min(next))) => {}
                Some(_) = trims.join_next() => {}
            }
            if gathered.is_some_and(|at| at <= Instant::now()) {
                gathered = None;
                self.store_ended().await;
            }
            let started = Instant::now();
            let now = self.position(replayed);
            let is_due = started >= next_step || (round.is_empty() && now.entries - began.entries >= ROUND);
            if !is_due {
                continue;
            }
            if round.is_empty() {
                (before, began) = (began, now);
                let games = self.runtimes();
                self.forget_done(&games);
                self.shared.forget_deadlines();
                round = unsaved_since(before.seq, games);
            }
            let pause = pause_factor(now.entries - covered);
            let stored = self.writer(pause == 0).store_live(&mut round, LIVE_BATCH).await;
            next_step = Instant::now() + started.elapsed() * pause;
            if round.is_empty() {
                next_step = started + EVERY;
                if stored {
                    covered = before.entries;
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
        let mut round = unsaved_since(u64::MAX, self.runtimes());
        while !round.is_empty() {
            // Nobody plays any more, and a stop has to end soon.
            self.store_live(&mut round, BATCH).await;
        }
        self.trim(0).await;
    }

    /// Rows are written behind play, with the priority of queries. Once they fall behind they compete with it: games that
    /// are not stored yet take memory, and a start after a kill.
    fn writer(&self, is_behind: bool) -> Self {
        if is_behind { Self { store: self.store.urgent(), ..self.clone() } } else { self.clone() }
    }

    fn position(&self, replayed: u64) -> Position {
        Position { entries: replayed + self.journal.entries_committed(), seq: self.journal.last_seq() }
    }

    /// Stores the games that ended before this call. Without that limit it would never return at full speed, when some end
    /// all the time, and nothing would be trimmed.
    async fn store_ended(&self) {
        let count = self.shared.ended.lock().len();
        let mut left = count;
        while left > 0 {
            let size = batch_of(left).min(left);
            // Oldest first: the journal is trimmed up to them. They stay in the list until they are stored, since their
            // event's games are listed from it.
            let batch: Vec<Arc<GameRuntime>> = self.shared.ended.lock().iter().take(size).cloned().collect();
            if let Err(error) = self.writer(count >= BATCH).store_games(&batch).await {
                tracing::error!(%error, "ended games could not be stored; trying again");
                self.shared.has_ended.notify_one();
                tokio::time::sleep(Duration::from_secs(1)).await;
                return;
            }
            self.shared.ended.lock().drain(..batch.len());
            self.forget_done(&batch);
            left -= size;
        }
    }

    /// Removes ended games that no connection shows from memory; the others stay until the next round.
    fn forget_done(&self, runtimes: &[Arc<GameRuntime>]) {
        // Nobody can look up a game while they are asked, so most are asked before.
        let done: Vec<_> = runtimes.iter().filter(|runtime| runtime.is_done()).collect();
        let mut games = self.shared.games.write();
        for runtime in done.into_iter().filter(|runtime| runtime.is_done()) {
            games.remove(runtime);
        }
    }

    /// All games in memory, ended ones included.
    pub(super) fn runtimes(&self) -> Vec<Arc<GameRuntime>> {
        self.shared.games.read().runtimes.values().cloned().collect()
    }

    /// Stores at most `most` of these games and removes them from the round. If the store fails, removes all of them and
    /// returns false.
    async fn store_live(&self, round: &mut Vec<Arc<GameRuntime>>, most: usize) -> bool {
        let mut batch = vec![];
        while batch.len() < most
            && let Some(game) = round.pop()
        {
            // Most have ended since the round began, and are stored.
            if game.unsaved_since().is_some() {
                batch.push(game);
            }
        }
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
        // No later record is part of them.
        let last = self.journal.last_seq();
        let rows: Vec<_> = snapshots.iter().map(|(_, snapshot)| snapshot.checkpoint.row(last)).collect();
        self.queue_comparisons(snapshots.iter().map(|(_, snapshot)| &snapshot.checkpoint)).await?;
        let results: Vec<_> = snapshots.iter().filter_map(|(_, snapshot)| snapshot.checkpoint.result()).collect();
        let played = snapshots.iter().filter_map(|(_, snapshot)| snapshot.checkpoint.played());
        let played: Vec<_> = played.map(|game| self.in_history(game)).collect();
        let rated = snapshots.iter().filter_map(|(_, snapshot)| snapshot.checkpoint.rated_end()).collect();
        let unplayed = snapshots.iter().filter(|(_, snapshot)| snapshot.checkpoint.is_unplayed());
        let unplayed: Vec<_> = unplayed.map(|(runtime, _)| runtime.id.0).collect();
        let ended = EndedGames { results: &results, played: &played, unplayed: &unplayed };
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

#[cfg(test)]
mod tests {
    use morpion_rules::{Game, Millis};

    use super::*;
    use crate::play::fixture::{meta, playing, setup};

    #[test]
    fn more_ended_games_are_stored_at_once_when_many_wait() {
        assert_eq!([1, 1_000, 3_000, 50_000].map(batch_of), [100, 100, 300, 500]);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn storing_ended_games_comes_to_an_end_although_more_of_them_end() {
        let (play, tasks) = playing().await;
        let game = Game::invite(setup(7), Millis(5)).unwrap();
        let runtime = GameRuntime::new(game, meta(), &play.people);
        let shared = Arc::clone(&play.shared);
        let ending = tokio::spawn(async move {
            loop {
                shared.ended.lock().resize(1_000, Arc::clone(&runtime));
                tokio::task::yield_now().await;
            }
        });
        while play.shared.ended.lock().is_empty() {
            tokio::task::yield_now().await;
        }
        let stored = tokio::time::timeout(Duration::from_secs(10), play.store_ended()).await;
        ending.abort();
        assert_eq!(stored, Ok(()));
        tasks.stop().await;
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_stop_does_not_wait_for_a_store_that_is_slow() {
        let (play, tasks) = playing().await;
        let _storing = play.shared.storing.lock().await;
        let ended = GameRuntime::new(Game::invite(setup(7), Millis(5)).unwrap(), meta(), &play.people);
        play.shared.ended.lock().push(ended);
        let stopped = tokio::time::timeout(STORE_LAST * 3, tasks.stop()).await;
        assert_eq!(stopped, Ok(()));
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn only_games_in_memory_keep_their_deadlines() {
        let (play, tasks) = playing().await;
        let games = [7, 8].map(|number| Game::invite(setup(number), Millis(5)).unwrap());
        let runtimes = games.clone().map(|game| GameRuntime::new(game, meta(), &play.people));
        let registration = play.register(&runtimes[0], &games[0], None, &[]).unwrap();
        runtimes.iter().for_each(|runtime| play.shared.arm(runtime));
        play.shared.forget_deadlines();
        assert_eq!(play.shared.due(Millis(i64::MAX)), [games[0].id()]);
        drop(registration);
        tasks.stop().await;
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_round_is_of_games_that_were_not_stored_for_a_while_the_oldest_first() {
        let (play, tasks) = playing().await;
        let unsaved = [(1, None), (2, Some(9)), (3, Some(4)), (4, Some(7)), (5, Some(10))].map(|(number, since)| {
            GameRuntime::recovered(Game::invite(setup(number), Millis(5)).unwrap(), meta(), since, &play.people)
        });
        let mut round = unsaved_since(9, unsaved.to_vec());
        let order: Vec<_> = std::iter::from_fn(|| round.pop()).map(|runtime| runtime.unsaved_since()).collect();
        assert_eq!(order, [Some(4), Some(7), Some(9)]);
        tasks.stop().await;
    }
}
