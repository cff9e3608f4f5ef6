//! Moves of rated games compared with the solver: what is still to be compared, and what it came to for each account.

use bytes::Bytes;
use chrono::{DateTime, Utc};
use surrealdb::types::{RecordId, SurrealValue, Uuid as DbUuid, Value, vars};
use uuid::Uuid;

use crate::Result;
use crate::store::{Store, row, rows};
use crate::user::user_record;

pub(crate) const ENGINE_USE_PAGE: &str = "SELECT * OMIT id FROM engine_use WITH INDEX engine_use_rank WHERE kept = true ORDER BY rank LIMIT $limit START $offset";

/// A rated game whose moves are still to be compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, SurrealValue)]
pub struct WaitingGame {
    #[surreal(rename = "gid")]
    pub game: Uuid,
    /// When it began to wait.
    pub at: DateTime<Utc>,
}

/// What the games of one account come to, as a list shows it.
#[derive(Debug, Clone, PartialEq, SurrealValue)]
pub struct EngineUseRow {
    #[surreal(rename = "uid")]
    pub user: Uuid,
    /// Orders a list: the lowest first.
    pub rank: i64,
    /// The caller's word.
    pub level: String,
    pub score: f64,
    pub chance: f64,
    pub games: i64,
    pub seen: i64,
    pub found: i64,
    pub expected: f64,
    pub updated_at: DateTime<Utc>,
}

/// A row with the evidence it was made of.
#[derive(Debug, Clone, PartialEq)]
pub struct EngineUseUpdate {
    pub row: EngineUseRow,
    pub evidence: Bytes,
}

#[derive(SurrealValue)]
struct StoredWaiting {
    id: RecordId,
    #[surreal(flatten)]
    game: WaitingGame,
}

#[derive(SurrealValue)]
struct StoredEngineUse {
    #[surreal(flatten)]
    row: EngineUseRow,
    /// See the migration.
    kept: bool,
}

fn waiting_record(game: Uuid) -> RecordId {
    RecordId::new("engine_use_waiting", DbUuid::from(game))
}

pub(crate) fn engine_use_record(user: Uuid) -> RecordId {
    RecordId::new("engine_use", DbUuid::from(user))
}

pub(crate) fn evidence_record(user: Uuid) -> RecordId {
    RecordId::new("engine_use_evidence", DbUuid::from(user))
}

impl Store {
    /// Has these games wait for their moves to be compared, those that wait already excepted.
    pub async fn queue_comparisons(&self, games: &[Uuid], at: DateTime<Utc>) -> Result<()> {
        let games: Vec<StoredWaiting> = games
            .iter()
            .map(|&game| StoredWaiting { id: waiting_record(game), game: WaitingGame { game, at } })
            .collect();
        let query = "INSERT IGNORE INTO engine_use_waiting $games RETURN NONE";
        self.write(query, vars! { games: games }).await.map(drop)
    }

    /// Games that wait, at most `limit`, in the order of their ids.
    pub async fn waiting_comparisons(&self, limit: usize) -> Result<Vec<WaitingGame>> {
        let query = "SELECT gid, at FROM engine_use_waiting LIMIT $limit";
        let mut response = self.read(query, vars! { limit: limit as i64 }).await?;
        rows(&mut response, 0)
    }

    /// Leaves out games beyond `most` that wait; returns how many.
    pub async fn drop_comparisons(&self, most: usize) -> Result<usize> {
        let query = "SELECT VALUE total FROM (SELECT count() AS total FROM engine_use_waiting GROUP ALL)";
        let mut response = self.read(query, vars! {}).await?;
        let waiting = row::<i64>(&mut response, 0)?.unwrap_or(0).max(0) as usize;
        let surplus = waiting.saturating_sub(most);
        if surplus > 0 {
            let query = "DELETE (SELECT VALUE id FROM engine_use_waiting LIMIT $surplus) RETURN NONE";
            self.write(query, vars! { surplus: surplus as i64 }).await?;
        }
        Ok(surplus)
    }

    /// A game is not compared (any more).
    pub async fn skip_comparison(&self, game: Uuid) -> Result<()> {
        self.write("DELETE $id RETURN NONE", vars! { id: waiting_record(game) }).await.map(drop)
    }

    /// Stores what a game came to for its players, and that it no longer waits, in one transaction. Accounts that were
    /// deleted meanwhile are left out.
    pub async fn store_comparison(
        &self,
        game: Uuid,
        updates: Vec<EngineUseUpdate>,
        expectation: Option<Bytes>,
    ) -> Result<()> {
        let mut query = "BEGIN; DELETE $waiting RETURN NONE; \
            IF $counts != NONE { UPSERT engine_use_expectation:current CONTENT { counts: $counts } RETURN NONE; };"
            .to_owned();
        let mut variables = vars! { waiting: waiting_record(game), counts: expectation };
        for (index, EngineUseUpdate { row, evidence }) in updates.into_iter().enumerate() {
            query.push_str(&format!(
                "IF (SELECT VALUE deleted_at FROM ONLY $user{index}) = NONE AND record::exists($user{index}) {{ \
                    UPSERT $id{index} CONTENT $row{index} RETURN NONE; \
                    UPSERT $of{index} CONTENT {{ evidence: $evidence{index} }} RETURN NONE; }};"
            ));
            variables.insert(format!("user{index}"), user_record(row.user));
            variables.insert(format!("id{index}"), engine_use_record(row.user));
            variables.insert(format!("of{index}"), evidence_record(row.user));
            variables.insert(format!("evidence{index}"), evidence);
            variables.insert(format!("row{index}"), StoredEngineUse { row, kept: true });
        }
        query.push_str("COMMIT;");
        self.write(&query, variables).await.map(drop)
    }

    /// The evidence of an account.
    pub async fn engine_use_evidence(&self, user: Uuid) -> Result<Option<Bytes>> {
        let mut response = self.read("SELECT VALUE evidence FROM $id", vars! { id: evidence_record(user) }).await?;
        row(&mut response, 0)
    }

    /// What the games of an account come to.
    pub async fn engine_use(&self, user: Uuid) -> Result<Option<EngineUseRow>> {
        let mut response = self.read("SELECT * OMIT id FROM $id", vars! { id: engine_use_record(user) }).await?;
        row(&mut response, 0)
    }

    /// What was counted of players of each rating.
    pub async fn engine_use_expectation(&self) -> Result<Option<Bytes>> {
        let mut response = self.read("SELECT VALUE counts FROM engine_use_expectation:current", vars! {}).await?;
        row(&mut response, 0)
    }

    /// A page of accounts, the lowest rank first; and how many there are.
    pub async fn engine_use_page(&self, offset: u64, limit: usize) -> Result<(Vec<EngineUseRow>, u64)> {
        let query = format!(
            "{ENGINE_USE_PAGE}; \
             SELECT VALUE total FROM (SELECT count() AS total FROM engine_use WHERE kept = true GROUP ALL)"
        );
        let variables = vars! { offset: offset as i64, limit: limit as i64 };
        let mut response = self.read(&query, variables).await?;
        let total: Option<i64> = row(&mut response, 1)?;
        Ok((rows(&mut response, 0)?, total.unwrap_or(0).max(0) as u64))
    }
}
