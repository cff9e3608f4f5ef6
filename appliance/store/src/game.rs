//! Games: `game`, one row each, holding a checkpoint of the game's state as the caller encodes it.

use bytes::Bytes;
use chrono::{DateTime, Utc};
use surrealdb::types::{RecordId, SurrealValue, Uuid as DbUuid, vars};
use uuid::Uuid;

use crate::store::{Store, row, rows};
use crate::{Result, StoreError};

/// A game as of its latest checkpoint.
#[derive(Debug, Clone, PartialEq, SurrealValue)]
pub struct GameRow {
    #[surreal(rename = "gid")]
    pub id: Uuid,
    pub status: GameStatus,
    /// Such as `remote` or `event`; the caller's word.
    pub game_type: String,
    pub event_id: Option<Uuid>,
    /// Whoever has a seat.
    pub players: Vec<Uuid>,
    pub created_at: DateTime<Utc>,
    pub ended_at: Option<DateTime<Utc>>,
    /// The journal's record that the state includes; a replay goes on behind it.
    pub journal_seq: i64,
    pub state: Bytes,
    pub share_token: Option<String>,
}

/// Where a game stands. Waiting and active games are live.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, SurrealValue)]
#[surreal(untagged, rename_all = "lowercase")]
pub enum GameStatus {
    Waiting,
    Active,
    Completed,
    Cancelled,
}

/// A page of games and how many there are in all.
#[derive(Debug, Clone, PartialEq)]
pub struct GamePage {
    pub games: Vec<GameRow>,
    pub total: u64,
}

fn game_record(id: Uuid) -> RecordId {
    RecordId::new("game", DbUuid::from(id))
}

impl Store {
    /// Stores these games, new or changed, in one transaction.
    pub async fn upsert_games(&self, games: &[GameRow]) -> Result<()> {
        let query = "FOR $game IN $games { UPSERT type::record('game', $game.gid) CONTENT $game RETURN NONE; }";
        self.write(query, vars! { games: games.to_vec() }).await.map(drop)
    }

    /// All games that are waiting or active.
    pub async fn live_games(&self) -> Result<Vec<GameRow>> {
        let query = "SELECT * FROM game WHERE status = 'waiting'; SELECT * FROM game WHERE status = 'active'";
        let mut response = self.read(query, vars! {}).await?;
        let mut games: Vec<GameRow> = rows(&mut response, 0)?;
        games.extend(rows::<GameRow>(&mut response, 1)?);
        Ok(games)
    }

    /// The game with this id.
    pub async fn game(&self, id: Uuid) -> Result<Option<GameRow>> {
        let mut response = self.read("SELECT * FROM $id", vars! { id: game_record(id) }).await?;
        row(&mut response, 0)
    }

    /// The game that was shared under this token.
    pub async fn game_by_share_token(&self, token: &str) -> Result<Option<GameRow>> {
        let query = "SELECT * FROM game WHERE share_token = $shared LIMIT 1";
        let mut response = self.read(query, vars! { shared: token.to_owned() }).await?;
        row(&mut response, 0)
    }

    /// Shares a game under a token, or under none any more.
    pub async fn set_share_token(&self, id: Uuid, token: Option<&str>) -> Result<()> {
        let query = "UPDATE $id SET share_token = $shared RETURN VALUE gid";
        let variables = vars! { id: game_record(id), shared: token.map(str::to_owned) };
        let mut response = self.write(query, variables).await?;
        row::<Uuid>(&mut response, 0)?.map(drop).ok_or(StoreError::NotFound("game"))
    }

    /// The games of a player that have one of these states, the newest first; `skip` of them left out, at most
    /// `limit`.
    pub async fn games_by_user(
        &self,
        user_id: Uuid,
        statuses: &[GameStatus],
        skip: usize,
        limit: usize,
    ) -> Result<GamePage> {
        self.game_page("players CONTAINS $of", user_id, statuses, skip, limit).await
    }

    /// The games of an event that have one of these states, the newest first; `skip` of them left out, at most
    /// `limit`.
    pub async fn games_by_event(
        &self,
        event_id: Uuid,
        statuses: &[GameStatus],
        skip: usize,
        limit: usize,
    ) -> Result<GamePage> {
        self.game_page("event_id = $of", event_id, statuses, skip, limit).await
    }

    async fn game_page(
        &self,
        condition: &str,
        of: Uuid,
        statuses: &[GameStatus],
        skip: usize,
        limit: usize,
    ) -> Result<GamePage> {
        let query = format!(
            "SELECT * FROM game WHERE {condition} AND status IN $statuses ORDER BY created_at DESC \
                 LIMIT $limit START $skip; \
             SELECT VALUE total FROM (SELECT count() AS total FROM game \
                 WHERE {condition} AND status IN $statuses GROUP ALL)"
        );
        let variables =
            vars! { of: of, statuses: statuses.to_vec(), skip: skip as i64, limit: limit as i64 };
        let mut response = self.read(&query, variables).await?;
        let games = rows(&mut response, 0)?;
        let total: Option<i64> = row(&mut response, 1)?;
        Ok(GamePage { games, total: total.unwrap_or(0).max(0) as u64 })
    }

    /// Removes cancelled games that ended before `before`, at most `limit`; answers how many went.
    pub async fn delete_cancelled_games(&self, before: DateTime<Utc>, limit: usize) -> Result<usize> {
        let query = "DELETE (SELECT VALUE id FROM game WHERE status = 'cancelled' AND ended_at < $before LIMIT $limit) \
                     RETURN BEFORE";
        let mut response = self.write(query, vars! { before: before, limit: limit as i64 }).await?;
        Ok(rows::<GameRow>(&mut response, 0)?.len())
    }
}
