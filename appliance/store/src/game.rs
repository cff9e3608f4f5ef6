//! Games: `game`, one row each, holding a checkpoint of the game's state as the caller encodes it.

use std::ops::Bound;

use bytes::Bytes;
use chrono::{DateTime, Utc};
use surrealdb::IndexedResults;
use surrealdb::types::{RecordId, RecordIdKey, RecordIdKeyRange, SurrealValue, Uuid as DbUuid, Value, vars};
use uuid::Uuid;

use crate::Result;
use crate::played::PlayedGame;
use crate::rating::RatingUpdate;
use crate::signup::{COUNT_RESULTS, ResultRow};
use crate::store::{Store, row, rows};

pub(crate) const WAITING_GAMES: &str = "SELECT * FROM game WHERE status = 'waiting'";
/// One statement for all of them: a loop costs a quarter more. Fields that are not listed never change (the share token
/// is set elsewhere).
const UPSERT_GAMES: &str = "INSERT INTO game $games ON DUPLICATE KEY UPDATE status = $input.status, \
    players = $input.players, first_seat = $input.first_seat, second_seat = $input.second_seat, \
    ended_at = $input.ended_at, journal_seq = $input.journal_seq, state = $input.state RETURN NONE;";
pub(crate) const ACTIVE_GAMES: &str = "SELECT * FROM game WHERE status = 'active'";

/// A game as of its latest checkpoint.
#[derive(Debug, Clone, PartialEq, SurrealValue)]
pub struct GameRow {
    #[surreal(rename = "gid")]
    pub id: Uuid,
    pub status: GameStatus,
    /// Such as `remote` or `event`; the caller's word.
    pub game_type: String,
    pub event_id: Option<Uuid>,
    /// Whoever has a seat; a game has two.
    pub players: Vec<Uuid>,
    pub created_at: DateTime<Utc>,
    pub ended_at: Option<DateTime<Utc>>,
    /// The last journal record that the state includes; a replay continues after it.
    pub journal_seq: i64,
    pub state: Bytes,
    pub share_token: Option<String>,
}

/// The status of a game. Waiting and active games are live.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, SurrealValue)]
#[surreal(untagged, rename_all = "lowercase")]
pub enum GameStatus {
    Waiting,
    Active,
    Completed,
    Cancelled,
}

impl GameStatus {
    fn word(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Active => "active",
            Self::Completed => "completed",
            Self::Cancelled => "cancelled",
        }
    }
}

/// What the games of a transaction are counted in, once each.
#[derive(Debug, Clone, Copy, Default)]
pub struct EndedGames<'a> {
    /// In the standings of their events.
    pub results: &'a [ResultRow],
    /// In the histories of their players.
    pub played: &'a [PlayedGame],
}

/// A page of games and how many there are in all.
#[derive(Debug, Clone, PartialEq)]
pub struct GamePage {
    pub games: Vec<GameRow>,
    pub total: u64,
}

/// A row as it is stored: with the seats as fields that an index can hold.
#[derive(SurrealValue)]
struct StoredGame {
    id: RecordId,
    #[surreal(flatten)]
    game: GameRow,
    first_seat: Option<Uuid>,
    second_seat: Option<Uuid>,
    newest_first: i64,
}

impl From<&GameRow> for StoredGame {
    fn from(game: &GameRow) -> Self {
        Self {
            id: game_record(game.id),
            first_seat: game.players.first().copied(),
            second_seat: game.players.get(1).copied(),
            newest_first: -game.created_at.timestamp_millis(),
            game: game.clone(),
        }
    }
}

/// Two statements: the newest `$most` games of one status whose field is `of`, and how many there are.
///
/// The id is part of the text: only with a literal does the planner count in the index without reading the rows.
/// And the index is named, since the planner may prefer that of the status, which holds everybody's games.
pub(crate) fn game_page_query(field: &str, of: Uuid, status: GameStatus) -> String {
    let condition = format!("{field} = u'{of}' AND status = '{}'", status.word());
    let index = match field {
        "first_seat" => "game_first",
        "second_seat" => "game_second",
        _ => "game_event",
    };
    format!(
        "SELECT * FROM game WITH INDEX {index} WHERE {condition} ORDER BY newest_first LIMIT $most; \
         SELECT VALUE total FROM (SELECT count() AS total FROM game WITH INDEX {index} WHERE {condition} GROUP ALL);"
    )
}

/// As [`game_page_query`], for one event and one seat. Few of a user's games are filtered out, so the seat's index
/// serves.
pub(crate) fn player_page_query(seat: &str, event: Uuid, user: Uuid, status: GameStatus) -> String {
    let index = if seat == "first_seat" { "game_first" } else { "game_second" };
    let condition = format!("{seat} = u'{user}' AND status = '{}' AND event_id = u'{event}'", status.word());
    format!(
        "SELECT * FROM game WITH INDEX {index} WHERE {condition} ORDER BY newest_first LIMIT $most; \
         SELECT VALUE total FROM (SELECT count() AS total FROM game WITH INDEX {index} WHERE {condition} GROUP ALL);"
    )
}

/// The newest games of several parts, each of two statements: games, and how many there are.
fn merged(response: &mut IndexedResults, parts: usize, skip: usize, limit: usize) -> Result<GamePage> {
    let mut page = GamePage { games: Vec::new(), total: 0 };
    for part in 0..parts {
        page.games.extend(rows::<GameRow>(response, 2 * part)?);
        page.total += row::<i64>(response, 2 * part + 1)?.unwrap_or(0).max(0) as u64;
    }
    page.games.sort_by_key(|game| std::cmp::Reverse(game.created_at));
    page.games = page.games.into_iter().skip(skip).take(limit).collect();
    Ok(page)
}

fn game_record(id: Uuid) -> RecordId {
    RecordId::new("game", DbUuid::from(id))
}

fn share_record(token: &str) -> RecordId {
    RecordId::new("share", token)
}

impl Store {
    /// Stores these games, new or changed, in one transaction, and counts those that ended, once for a game however often
    /// it is stored. Standings change with the game's row or not at all. Histories are [counted](crate::played) before: a
    /// game whose row says that it is over is in them.
    ///
    /// A transaction must fit into 16 MiB of memory with its index entries, so hand over a few hundred games at a time.
    pub async fn upsert_games(&self, games: &[GameRow], ended: EndedGames<'_>) -> Result<()> {
        self.count_played(ended.played).await?;
        let games: Vec<StoredGame> = games.iter().map(StoredGame::from).collect();
        if ended.results.is_empty() {
            return self.write(UPSERT_GAMES, vars! { games: games }).await.map(drop);
        }
        let query = format!("BEGIN; {UPSERT_GAMES} {COUNT_RESULTS} COMMIT;");
        self.write(&query, vars! { games: games, results: ended.results.to_vec() }).await.map(drop)
    }

    /// As [`Store::upsert_games`], with what the games changed of ratings.
    ///
    /// # Errors
    ///
    /// [`StoreError::Changed`](crate::StoreError::Changed) when other games were rated since the ledger was read, or
    /// these by another call; nothing but the histories is stored then.
    pub async fn upsert_rated_games(
        &self,
        games: &[GameRow],
        ended: EndedGames<'_>,
        ratings: &RatingUpdate,
    ) -> Result<()> {
        self.count_played(ended.played).await?;
        let games: Vec<StoredGame> = games.iter().map(StoredGame::from).collect();
        let (store_ratings, mut variables) = ratings.statements();
        variables.insert("games", games);
        variables.insert("results", ended.results.to_vec());
        let query = format!("BEGIN; {store_ratings} {UPSERT_GAMES} {COUNT_RESULTS} COMMIT;");
        self.write(&query, variables).await.map(drop)
    }

    /// All games that are waiting or active.
    pub async fn live_games(&self) -> Result<Vec<GameRow>> {
        let mut response = self.read(&format!("{WAITING_GAMES}; {ACTIVE_GAMES}"), vars! {}).await?;
        let mut games: Vec<GameRow> = rows(&mut response, 0)?;
        games.extend(rows::<GameRow>(&mut response, 1)?);
        Ok(games)
    }

    /// The game with this id.
    pub async fn game(&self, id: Uuid) -> Result<Option<GameRow>> {
        let mut response = self.read("SELECT * FROM $id", vars! { id: game_record(id) }).await?;
        row(&mut response, 0)
    }

    /// Those of these games that are there.
    pub async fn games(&self, ids: &[Uuid]) -> Result<Vec<GameRow>> {
        let ids: Vec<RecordId> = ids.iter().copied().map(game_record).collect();
        let mut response = self.read("SELECT * FROM $ids", vars! { ids: ids }).await?;
        rows(&mut response, 0)
    }

    /// A page of all games, in the order of their ids, after one of them.
    pub async fn all_games(&self, after: Option<Uuid>, limit: usize) -> Result<Vec<GameRow>> {
        let start = after.map_or(Bound::Unbounded, |game| Bound::Excluded(RecordIdKey::from(DbUuid::from(game))));
        let range = RecordId::new("game", RecordIdKeyRange { start, end: Bound::Unbounded });
        let variables = vars! { range: range, limit: limit as i64 };
        let mut response = self.read("SELECT * FROM $range LIMIT $limit", variables).await?;
        rows(&mut response, 0)
    }

    /// Those of these games that are stored as finished, and so are counted.
    pub async fn finished_games(&self, games: &[Uuid]) -> Result<Vec<Uuid>> {
        let ids: Vec<RecordId> = games.iter().map(|id| game_record(*id)).collect();
        let query = "SELECT VALUE gid FROM $ids WHERE status IN ['completed', 'cancelled']";
        let mut response = self.read(query, vars! { ids: ids }).await?;
        rows(&mut response, 0)
    }

    /// The game that was shared under this token.
    pub async fn game_by_share_token(&self, token: &str) -> Result<Option<GameRow>> {
        let query = "LET $gid = (SELECT VALUE gid FROM ONLY $share); \
                     SELECT * FROM type::record('game', $gid) WHERE $gid != NONE";
        let mut response = self.read(query, vars! { share: share_record(token) }).await?;
        row(&mut response, 1)
    }

    /// Shares a game under a token, or stops sharing it.
    ///
    /// # Errors
    ///
    /// [`StoreError::Taken`](crate::StoreError::Taken) for a token that is in use, [`StoreError::NotFound`](crate::StoreError::NotFound) without the game.
    pub async fn set_share_token(&self, id: Uuid, token: Option<&str>) -> Result<()> {
        let query = "BEGIN; \
            LET $game = (SELECT share_token FROM ONLY $id); \
            IF $game = NONE { THROW 'morpion:no-game' }; \
            IF $game.share_token != NONE { DELETE type::record('share', $game.share_token) RETURN NONE; }; \
            IF $share != NONE { CREATE $share CONTENT { gid: $gid } RETURN NONE; }; \
            UPDATE $id SET share_token = $shared RETURN NONE; \
            COMMIT;";
        let variables = vars! {
            id: game_record(id),
            gid: id,
            shared: token.map(str::to_owned),
            share: token.map(share_record),
        };
        self.write(query, variables).await.map(drop)
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
        self.game_page(&["first_seat", "second_seat"], user_id, statuses, skip, limit).await
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
        self.game_page(&["event_id"], event_id, statuses, skip, limit).await
    }

    /// The games of an event that this person played in, as [`Store::games_by_event`].
    pub async fn games_by_event_and_user(
        &self,
        event_id: Uuid,
        user_id: Uuid,
        statuses: &[GameStatus],
        skip: usize,
        limit: usize,
    ) -> Result<GamePage> {
        let parts: Vec<String> = ["first_seat", "second_seat"]
            .iter()
            .flat_map(|field| statuses.iter().map(|status| player_page_query(field, event_id, user_id, *status)))
            .collect();
        let mut response = self.read(&parts.concat(), vars! { most: (skip + limit) as i64 }).await?;
        merged(&mut response, parts.len(), skip, limit)
    }

    /// Merges the newest games of each field and status: every part is the beginning of a range of an index.
    async fn game_page(
        &self,
        fields: &[&str],
        of: Uuid,
        statuses: &[GameStatus],
        skip: usize,
        limit: usize,
    ) -> Result<GamePage> {
        if statuses.is_empty() {
            return Ok(GamePage { games: Vec::new(), total: 0 });
        }
        let parts: Vec<(&str, GameStatus)> =
            fields.iter().flat_map(|field| statuses.iter().map(|status| (*field, *status))).collect();
        let query: String = parts.iter().map(|(field, status)| game_page_query(field, of, *status)).collect();
        let mut response = self.read(&query, vars! { most: (skip + limit) as i64 }).await?;
        merged(&mut response, parts.len(), skip, limit)
    }

    /// Replaces what is stored of a finished game's state, if the row is still there.
    pub async fn replace_game_state(&self, id: Uuid, state: Bytes) -> Result<()> {
        let query = "UPDATE $id SET state = $state RETURN NONE";
        self.write(query, vars! { id: game_record(id), state: state }).await.map(drop)
    }

    /// As [`Store::replace_game_state`], where the players changed with it.
    pub async fn replace_game_players(&self, id: Uuid, state: Bytes, players: Vec<Uuid>) -> Result<()> {
        let query = "UPDATE $id SET state = $state, players = $players, first_seat = $first, second_seat = $second \
                     RETURN NONE";
        let variables = vars! {
            id: game_record(id),
            state: state,
            first: players.first().copied(),
            second: players.get(1).copied(),
            players: players,
        };
        self.write(query, variables).await.map(drop)
    }

    /// Removes invite games that were cancelled before `before`, at most `limit`; returns how many were removed. Games
    /// of events stay, cancelled or not.
    pub async fn delete_cancelled_games(&self, before: DateTime<Utc>, limit: usize) -> Result<usize> {
        let query = "DELETE (SELECT VALUE id FROM game WHERE status = 'cancelled' AND event_id = NONE \
                     AND ended_at < $before LIMIT $limit) \
                     RETURN BEFORE";
        let mut response = self.write(query, vars! { before: before, limit: limit as i64 }).await?;
        Ok(rows::<GameRow>(&mut response, 0)?.len())
    }
}
