//! Moves of rated games compared with the solver, in the background: `docs/behaviour/engine-use.md`.
//!
//! Games that ended wait in the store; one worker takes them one after the other, in slices of CPU time with pauses
//! between them, so that play has the machine. What a score is, is in [`morpion_rules::engine_use`].

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use bytes::Bytes;
use chrono::{DateTime, TimeDelta, Utc};
use morpion_openapi::{Page, PageRequest};
use morpion_rules::{
    BoardSize, Mark, UserId,
    engine_use::{
        Evidence, Expectation, Finding, FoundPosition, Gathered, Gathering, Level, Score, Turn, examine, turns,
    },
    rating::Rating,
    solver::Solver,
};
use morpion_store::{EngineUseRow, EngineUseUpdate, GameRow, GameStatus, Store, User};
use serde::{Serialize, de::DeserializeOwned};
use tokio::sync::Mutex;
use uuid::Uuid;

use crate::{background, clock::Clock, error::CommonError, play::record::Checkpoint};

/// The pause while no game waits.
const LOOK_EVERY: Duration = Duration::from_secs(10);

/// The pause after the store failed.
const RETRY_AFTER: Duration = Duration::from_secs(60);

/// Games read at once.
const BATCH: usize = 50;

/// Games that may wait, some 100 bytes each; beyond them the first by id are left out.
const MAX_WAITING: usize = 100_000;

/// A game that has no end by then is not compared.
const GIVE_UP_AFTER: TimeDelta = TimeDelta::days(1);

/// CPU time at a stretch; a position under way is finished.
const SLICE: Duration = Duration::from_millis(20);

/// Of the encoding of evidence and expectation. What has another is made anew.
const FORMAT: u8 = 1;

/// Rows of accounts with too few positions come after all others.
const RANK_OF_FEW: i64 = 1_000_000;

/// The comparison of moves with the solver. Clones are one.
#[derive(Clone)]
pub struct EngineUse {
    store: Store,
    clock: Clock,
    /// Of one core.
    cpu_percent: u8,
    worker: Arc<Mutex<Worker>>,
}

/// What is kept between games.
#[derive(Default)]
struct Worker {
    /// By size, 9 MiB in all; none while no game waits.
    solvers: [Option<Box<Solver>>; BoardSize::ALL.len()],
    expectation: Option<Expectation>,
}

/// What an account's games came to.
#[derive(Debug)]
pub struct EngineScore {
    pub user: User,
    pub row: EngineUseRow,
}

/// As [`EngineScore`], with what it was made of.
#[derive(Debug)]
pub struct EngineEvidence {
    pub user: User,
    pub score: Score,
    pub updated_at: DateTime<Utc>,
    /// The latest first.
    pub positions: Vec<FoundPosition>,
}

impl EngineUse {
    pub fn new(store: Store, clock: Clock, cpu_percent: u8) -> Self {
        Self { store, clock, cpu_percent, worker: Arc::default() }
    }

    /// Compares games as they come; runs until it is dropped. It does nothing without a share of the CPU.
    pub async fn run(self) {
        if self.cpu_percent == 0 {
            return;
        }
        loop {
            let pause = match self.compare_waiting().await {
                Ok(0) => LOOK_EVERY,
                Ok(_) => Duration::ZERO,
                Err(error) => {
                    tracing::warn!(%error, "moves could not be compared with the solver; trying again in a minute");
                    RETRY_AFTER
                }
            };
            tokio::time::sleep(pause).await;
        }
    }

    /// Compares the first games that wait; returns how many no longer wait.
    ///
    /// # Errors
    /// The store is unavailable.
    pub async fn compare_waiting(&self) -> Result<usize, CommonError> {
        let mut worker = self.worker.lock().await;
        let dropped = self.store.drop_comparisons(MAX_WAITING).await?;
        if dropped > 0 {
            tracing::warn!(dropped, "more games wait for the solver than it can take; some are left out");
        }
        let mut done = 0;
        for waiting in self.store.waiting_comparisons(BATCH).await? {
            let row = self.store.game(waiting.game).await?;
            let is_late = self.clock.steady() - waiting.at > GIVE_UP_AFTER;
            match row {
                Some(row) if row.status == GameStatus::Completed => self.compare(&mut worker, row).await?,
                Some(row) if row.status == GameStatus::Cancelled => self.store.skip_comparison(waiting.game).await?,
                _ if is_late => self.store.skip_comparison(waiting.game).await?,
                // Its end is not stored yet.
                _ => continue,
            }
            done += 1;
        }
        if done == 0 {
            worker.solvers = Default::default();
        }
        Ok(done)
    }

    async fn compare(&self, worker: &mut Worker, row: GameRow) -> Result<(), CommonError> {
        let Ok(Checkpoint { game, meta }) = Checkpoint::decode(&row.state) else {
            tracing::warn!(game = %row.id, "a game cannot be read, so its moves are not compared");
            return Ok(self.store.skip_comparison(row.id).await?);
        };
        let players: Vec<Uuid> = game.players().map(|(_, player)| player.user.0).collect();
        let accounts = self.store.users(&players).await?;
        let is_member = |user: UserId| {
            // A bot may ask whatever it likes, and teaches nothing of people.
            let is_person =
                |account: &User| !account.is_temp && account.deleted_at.is_none() && account.bot_since.is_none();
            accounts.iter().any(|account| account.id == user.0 && is_person(account))
        };
        let members: Vec<(Mark, UserId)> =
            game.players().map(|(mark, player)| (mark, player.user)).filter(|(_, user)| is_member(*user)).collect();
        let turns: Vec<Turn> =
            turns(&game).into_iter().filter(|turn| members.iter().any(|(mark, _)| *mark == turn.mark)).collect();
        let ended_at = game.outcome().map_or(game.created_at(), |outcome| outcome.at);
        let findings = self.examine(worker, turns).await?;

        let mut expectation = match worker.expectation.take() {
            Some(known) => known,
            None => self.store.engine_use_expectation().await?.and_then(|bytes| decode(&bytes)).unwrap_or_default(),
        };
        let ratings = self.store.ratings(&players).await?;
        let mut updates = Vec::new();
        for (mark, user) in members {
            let rating = ratings.iter().find(|row| row.user_id == user.0);
            let rating = rating.map_or(Rating::START.value, |row| row.rating.value);
            let mut gathering = Gathering::new(game.id(), meta.date(ended_at), rating);
            for (turn, finding) in findings.iter().filter(|(turn, _)| turn.mark == mark) {
                gathering.add(turn, finding.clone(), &expectation);
            }
            updates.push(self.update(user, gathering.finish(), &mut expectation).await?);
        }
        self.store.store_comparison(row.id, updates, Some(encode(&expectation))).await?;
        worker.expectation = Some(expectation);
        Ok(())
    }

    /// Adds what a game says to an account's evidence. What it teaches of players of that rating counts unless the
    /// account's score is unusual.
    async fn update(
        &self,
        user: UserId,
        gathered: Gathered,
        expectation: &mut Expectation,
    ) -> Result<EngineUseUpdate, CommonError> {
        let mut evidence: Evidence =
            self.store.engine_use_evidence(user.0).await?.and_then(|bytes| decode(&bytes)).unwrap_or_default();
        let lessons = gathered.lessons.clone();
        evidence.add(gathered);
        let score = evidence.score();
        if score.level != Level::Unusual {
            lessons.into_iter().for_each(|lesson| expectation.learn(lesson));
        }
        let row = EngineUseRow {
            user: user.0,
            rank: rank(&score),
            level: score.level.as_str().to_owned(),
            score: score.value,
            chance: score.chance,
            games: score.games.into(),
            seen: score.critical.seen.into(),
            found: score.critical.found.into(),
            expected: score.expected,
            updated_at: self.clock.wall(),
        };
        Ok(EngineUseUpdate { row, evidence: encode(&evidence) })
    }

    /// Compares moves, with pauses.
    async fn examine(&self, worker: &mut Worker, turns: Vec<Turn>) -> Result<Vec<(Turn, Finding)>, CommonError> {
        let mut findings = Vec::with_capacity(turns.len());
        let mut rest = turns.into_iter();
        while rest.len() > 0 {
            let mut solvers = std::mem::take(&mut worker.solvers);
            let work = background::spawn(move || {
                let began = Instant::now();
                let mut found = Vec::new();
                while began.elapsed() < SLICE
                    && let Some(turn) = rest.next()
                {
                    let size = turn.board.size();
                    let solver = &mut solvers[usize::from(size.get() - BoardSize::MIN.get())];
                    let solver = solver.get_or_insert_with(|| Box::new(Solver::new(size)));
                    found.push((turn, examine(&turn, solver)));
                }
                (rest, solvers, found, began.elapsed())
            });
            let (left, solvers, found, took) = work.await.map_err(CommonError::internal)?;
            (rest, worker.solvers) = (left, solvers);
            findings.extend(found);
            let share = u32::from(self.cpu_percent.clamp(1, 100));
            tokio::time::sleep(took * (100 - share) / share).await;
        }
        Ok(findings)
    }

    /// A page of accounts with a score, the most unusual first; those with too few positions come last.
    ///
    /// # Errors
    /// The store is unavailable.
    pub async fn scores(&self, page: PageRequest) -> Result<Page<EngineScore>, CommonError> {
        let (found, total_count) = self.store.engine_use_page(page.offset(), page.limit as usize).await?;
        let ids: Vec<Uuid> = found.iter().map(|row| row.user).collect();
        let users = self.store.users(&ids).await?;
        let with_user = |row: EngineUseRow| {
            let user = users.iter().find(|user| user.id == row.user)?.clone();
            Some(EngineScore { user, row })
        };
        Ok(Page { rows: found.into_iter().filter_map(with_user).collect(), total_count })
    }

    /// What is kept of an account; `None` before its first rated game was compared.
    ///
    /// # Errors
    /// [`CommonError::NotFound`] without such an account.
    pub async fn evidence(&self, user: UserId) -> Result<Option<EngineEvidence>, CommonError> {
        let account = self.store.user(user.0).await?.filter(|account| account.deleted_at.is_none());
        let account = account.ok_or(CommonError::NotFound("user"))?;
        let (Some(row), Some(bytes)) =
            (self.store.engine_use(user.0).await?, self.store.engine_use_evidence(user.0).await?)
        else {
            return Ok(None);
        };
        let evidence: Evidence = decode(&bytes).unwrap_or_default();
        Ok(Some(EngineEvidence {
            user: account,
            score: evidence.score(),
            updated_at: row.updated_at,
            positions: evidence.positions().cloned().collect(),
        }))
    }

    /// The score of an account, for its owner's export.
    ///
    /// # Errors
    /// The store is unavailable.
    pub async fn score_of(&self, user: UserId) -> Result<Option<EngineUseRow>, CommonError> {
        Ok(self.store.engine_use(user.0).await?)
    }
}

fn rank(score: &Score) -> i64 {
    match score.level {
        Level::TooFew => RANK_OF_FEW - i64::from(score.critical.seen),
        Level::Usual | Level::Unusual => (-score.value * 1_000.0) as i64,
    }
}

fn encode<T: Serialize>(value: &T) -> Bytes {
    let start = vec![FORMAT];
    Bytes::from(postcard::to_extend(value, start).expect("plain data"))
}

fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Option<T> {
    match bytes.split_first()? {
        (&FORMAT, rest) => postcard::from_bytes(rest).ok(),
        _ => None,
    }
}
