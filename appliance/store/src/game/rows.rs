//! Rows of the table `game`: live games, and finished ones that earlier versions or an import made rows, until they are
//! [adopted](super::Store::adopt_finished_rows).

use std::ops::{Bound, RangeBounds, RangeInclusive};

use chrono::{DateTime, Utc};
use surrealdb::IndexedResults;
use surrealdb::types::{
    Object, RecordId, RecordIdKey, RecordIdKeyRange, SurrealValue, Uuid as DbUuid, Value, Variables, vars,
};
use uuid::Uuid;

use super::records::Listed;
use super::{GamePage, GameRow, GameStatus};
use crate::Result;
use crate::store::{Store, row, rows};

/// The name of the table.
pub(crate) const NAME: &str = "game";

/// The table of shared rows, by token.
pub(crate) const SHARES: &str = "share";

pub(crate) const WAITING_GAMES: &str = "SELECT * FROM game WHERE status = 'waiting'";
/// One statement for all of them: a loop costs a quarter more. Fields that are not listed never change.
const UPSERT_GAMES: &str = "INSERT INTO game $games ON DUPLICATE KEY UPDATE status = $input.status, \
    players = $input.players, first_seat = $input.first_seat, second_seat = $input.second_seat, \
    ended_at = $input.ended_at, journal_seq = $input.journal_seq, state = $input.state RETURN NONE;";
pub(crate) const ACTIVE_GAMES: &str = "SELECT * FROM game WHERE status = 'active'";
/// The first ones in the order of their ids, which is that of the index.
pub(crate) const FIRST_COMPLETED: &str = "SELECT * FROM game WHERE status = 'completed' LIMIT $limit";
/// As [`FIRST_COMPLETED`].
pub(crate) const FIRST_CANCELLED: &str = "SELECT * FROM game WHERE status = 'cancelled' LIMIT $limit";

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

/// The id and the fields of a game's row, as an export has them.
pub(crate) fn exported(game: &GameRow) -> (RecordId, Object) {
    let Value::Object(mut fields) = StoredGame::from(game).into_value() else { unreachable!("a row is an object") };
    fields.remove("id");
    // The database stores no field that has none.
    fields.retain(|_, value| *value != Value::None);
    (game_record(game.id), fields)
}

/// The id and the fields of the row that says which game was shared under a token.
pub(crate) fn exported_share(token: &str, game: Uuid) -> (RecordId, Object) {
    let mut fields = Object::new();
    fields.insert("gid".to_owned(), DbUuid::from(game));
    (share_record(token), fields)
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
    page_query(index, &condition)
}

/// As [`game_page_query`], for one event and one seat. Few of a user's games are filtered out, so the seat's index
/// serves.
pub(crate) fn player_page_query(seat: &str, event: Uuid, user: Uuid, status: GameStatus) -> String {
    let index = if seat == "first_seat" { "game_first" } else { "game_second" };
    page_query(index, &format!("{seat} = u'{user}' AND status = '{}' AND event_id = u'{event}'", status.word()))
}

fn page_query(index: &str, condition: &str) -> String {
    format!(
        "SELECT * FROM game WITH INDEX {index} WHERE {condition} ORDER BY newest_first LIMIT $most; \
         SELECT VALUE total FROM (SELECT count() AS total FROM game WITH INDEX {index} WHERE {condition} GROUP ALL);"
    )
}

/// The games of several parts, each of two statements: the newest games, and how many there are.
fn parts_of(response: &mut IndexedResults, parts: usize) -> Result<GamePage> {
    let mut page = GamePage { games: Vec::new(), total: 0 };
    for part in 0..parts {
        page.games.extend(rows::<GameRow>(response, 2 * part)?);
        page.total += row::<i64>(response, 2 * part + 1)?.unwrap_or(0).max(0) as u64;
    }
    Ok(page)
}

fn game_record(id: Uuid) -> RecordId {
    RecordId::new(NAME, DbUuid::from(id))
}

fn share_record(token: &str) -> RecordId {
    RecordId::new(SHARES, token)
}

impl Store {
    pub(super) async fn upsert_rows(&self, games: &[GameRow]) -> Result<()> {
        let games: Vec<StoredGame> = games.iter().map(StoredGame::from).collect();
        self.write(UPSERT_GAMES, vars! { games: games }).await.map(drop)
    }

    /// Removes rows, and what was shared of them.
    pub(super) async fn delete_rows(&self, games: &[GameRow]) -> Result<()> {
        let ids: Vec<RecordId> = games.iter().map(|game| game_record(game.id)).collect();
        let shares: Vec<RecordId> =
            games.iter().filter_map(|game| Some(share_record(game.share_token.as_deref()?))).collect();
        let query = "BEGIN; DELETE $ids RETURN NONE; DELETE $shares RETURN NONE; COMMIT;";
        self.write(query, vars! { ids: ids, shares: shares }).await.map(drop)
    }

    /// Rows of waiting and active games.
    pub(super) async fn live_rows(&self) -> Result<Vec<GameRow>> {
        self.rows_by(&[WAITING_GAMES, ACTIVE_GAMES], vars! {}).await
    }

    /// Rows of completed games and of cancelled ones, the first `limit` of each in the order of their ids.
    pub(super) async fn first_finished_rows(&self, limit: usize) -> Result<Vec<GameRow>> {
        self.rows_by(&[FIRST_COMPLETED, FIRST_CANCELLED], vars! { limit: limit as i64 }).await
    }

    async fn rows_by(&self, statements: &[&str], variables: Variables) -> Result<Vec<GameRow>> {
        let mut response = self.read(&statements.join("; "), variables).await?;
        let mut games = vec![];
        for number in 0..statements.len() {
            games.extend(rows::<GameRow>(&mut response, number)?);
        }
        Ok(games)
    }

    /// Those of these games that are rows.
    pub(super) async fn rows_of(&self, ids: &[Uuid]) -> Result<Vec<GameRow>> {
        let ids: Vec<RecordId> = {
            let (only_live, live) = (self.are_all_adopted(), self.live_ids.lock());
            ids.iter().copied().filter(|id| !only_live || live.contains(id)).map(game_record).collect()
        };
        if ids.is_empty() {
            return Ok(vec![]);
        }
        let mut response = self.read("SELECT * FROM $ids", vars! { ids: ids }).await?;
        rows(&mut response, 0)
    }

    /// The ids of live games in a range that have a row, in order, at most `limit`. A scan would step over all that were
    /// removed.
    fn live_ids_in(&self, range: impl RangeBounds<Uuid>, limit: usize) -> Vec<Uuid> {
        let mut ids: Vec<Uuid> = self.live_ids.lock().iter().copied().filter(|id| range.contains(id)).collect();
        ids.sort_unstable();
        ids.truncate(limit);
        ids
    }

    /// The ids of rows in a range, in order, at most `limit`.
    pub(super) async fn row_ids(&self, ids: RangeInclusive<Uuid>, limit: usize) -> Result<Vec<Uuid>> {
        if self.are_all_adopted() {
            return Ok(self.live_ids_in(ids, limit));
        }
        self.row_ids_of(NAME, ids, limit).await
    }

    /// Rows in the order of their ids, from or after one of them.
    pub(super) async fn rows_from(&self, start: Bound<Uuid>, limit: usize) -> Result<Vec<GameRow>> {
        if self.are_all_adopted() {
            return self.rows_of(&self.live_ids_in((start, Bound::Unbounded), limit)).await;
        }
        let start = start.map(|game| RecordIdKey::from(DbUuid::from(game)));
        let range = RecordId::new(NAME, RecordIdKeyRange { start, end: Bound::Unbounded });
        let variables = vars! { range: range, limit: limit as i64 };
        let mut response = self.read("SELECT * FROM $range LIMIT $limit", variables).await?;
        rows(&mut response, 0)
    }

    /// The row of the game that was shared under this token.
    pub(super) async fn shared_row(&self, token: &str) -> Result<Option<GameRow>> {
        if self.are_all_adopted() {
            return Ok(None);
        }
        let query = "LET $gid = (SELECT VALUE gid FROM ONLY $share); \
                     SELECT * FROM type::record('game', $gid) WHERE $gid != NONE";
        let mut response = self.read(query, vars! { share: share_record(token) }).await?;
        row(&mut response, 1)
    }

    /// The rows of listed games of one of these states: the newest `most` of each, and how many there are in all.
    pub(super) async fn row_pages(&self, listed: Listed, statuses: &[GameStatus], most: usize) -> Result<GamePage> {
        let query = |seat, status| match listed {
            Listed::User(user) => game_page_query(seat, user, status),
            Listed::Event(event) => game_page_query(seat, event, status),
            Listed::UserInEvent { user, event } => player_page_query(seat, event, user, status),
        };
        let fields: &[&str] = match listed {
            Listed::Event(_) => &["event_id"],
            Listed::User(_) | Listed::UserInEvent { .. } => &["first_seat", "second_seat"],
        };
        let parts = fields.iter().flat_map(|field| statuses.iter().map(move |status| query(field, *status)));
        let parts: Vec<String> = parts.collect();
        if parts.is_empty() || (self.are_all_adopted() && statuses.iter().all(|status| status.is_over())) {
            return Ok(GamePage { games: Vec::new(), total: 0 });
        }
        let mut response = self.read(&parts.concat(), vars! { most: most as i64 }).await?;
        parts_of(&mut response, parts.len())
    }

    /// Replaces a row of a finished game, and what is shared of it.
    pub(super) async fn replace_row(&self, before: &GameRow, game: &GameRow) -> Result<()> {
        let query = "BEGIN; UPSERT $id CONTENT $game RETURN NONE; \
                     IF $shared != NONE { DELETE $shared RETURN NONE; }; \
                     IF $share != NONE { UPSERT $share CONTENT { gid: $gid } RETURN NONE; }; COMMIT;";
        let variables = vars! {
            id: game_record(game.id),
            game: StoredGame::from(game),
            shared: before.share_token.as_deref().map(share_record),
            share: game.share_token.as_deref().map(share_record),
            gid: game.id,
        };
        self.write(query, variables).await.map(drop)
    }

    /// Removes rows of games of no event that were cancelled before `before`.
    pub(super) async fn delete_cancelled_rows(&self, before: DateTime<Utc>, limit: usize) -> Result<usize> {
        if self.are_all_adopted() {
            return Ok(0);
        }
        let query = "DELETE (SELECT VALUE id FROM game WHERE status = 'cancelled' AND event_id = NONE \
                     AND ended_at < $before LIMIT $limit) \
                     RETURN BEFORE";
        let mut response = self.write(query, vars! { before: before, limit: limit as i64 }).await?;
        Ok(rows::<GameRow>(&mut response, 0)?.len())
    }
}
