//! Games: live ones are rows of the table `game`, each holding a checkpoint of the game's state as the caller encodes it.
//! Finished ones, of which there are many more, are [records](records).

mod encoding;
pub(crate) mod records;
pub(crate) mod rows;

use std::collections::{HashMap, HashSet};
use std::ops::{Bound, Range, RangeInclusive};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use bytes::Bytes;
use chrono::{DateTime, Utc};
use surrealdb::types::{RecordId, SurrealValue, Uuid as DbUuid, vars};
use uuid::Uuid;

use crate::error::Unique;
use crate::keyed::Transaction;
use crate::played::PlayedGame;
use crate::rating::RatingUpdate;
use crate::signup::{COUNT_RESULTS, ResultRow};
use crate::store::{Store, rows as rows_in};
use crate::{Result, StoreError};
use records::{Listed, Place};

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
    /// A journal record after which the state includes none.
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
    pub fn is_over(self) -> bool {
        matches!(self, Self::Completed | Self::Cancelled)
    }

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
    /// Nobody played these: see [`Store::forget_games`].
    pub unplayed: &'a [Uuid],
}

/// Which games are forgotten: those that ended before these times.
#[derive(Debug, Clone, Copy)]
pub struct ForgottenGames {
    /// Those that nobody played.
    pub unplayed: DateTime<Utc>,
    /// Cancelled ones of no event.
    pub cancelled: DateTime<Utc>,
}

/// Finished games that are rows become records at most so many at once.
pub const MOST_ADOPTED: usize = 100;

/// Whose finished games are read one after another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GamesOf {
    User(Uuid),
    Event(Uuid),
}

/// A page of games and how many there are in all.
#[derive(Debug, Clone, PartialEq)]
pub struct GamePage {
    pub games: Vec<GameRow>,
    pub total: u64,
}

/// A place of a list, and the game if it was read with it.
type Listing = (Place, Option<GameRow>);

fn place_of(game: &GameRow) -> Place {
    (std::cmp::Reverse(game.created_at), game.id)
}

impl Store {
    /// Stores these games, new or changed, and counts those that ended, once for a game however often it is stored: in the
    /// standings of their events before the game is stored as finished, in the histories of their players with it. A
    /// finished game that is stored already stays as it is.
    ///
    /// A transaction must fit into 16 MiB of memory with its index entries, so hand over a few hundred games at a time.
    pub async fn upsert_games(&self, games: &[GameRow], ended: EndedGames<'_>) -> Result<()> {
        let _ends = self.ends.read().await;
        if !ended.results.is_empty() {
            let query = format!("BEGIN; {COUNT_RESULTS} COMMIT;");
            self.write(&query, vars! { results: ended.results.to_vec() }).await?;
        }
        self.store_games(games, ended).await
    }

    /// As [`Store::upsert_games`], with what the games changed of ratings, which is stored with the results.
    ///
    /// # Errors
    ///
    /// [`StoreError::Changed`](crate::StoreError::Changed) when other games were rated since the ledger was read, or
    /// these by another call; nothing is stored then.
    pub async fn upsert_rated_games(
        &self,
        games: &[GameRow],
        ended: EndedGames<'_>,
        ratings: &RatingUpdate,
    ) -> Result<()> {
        let _ends = self.ends.read().await;
        let (store_ratings, mut variables) = ratings.statements();
        variables.insert("results", ended.results.to_vec());
        let query = format!("BEGIN; {store_ratings} {COUNT_RESULTS} COMMIT;");
        self.write(&query, variables).await?;
        self.store_games(games, ended).await
    }

    /// Waits until every game whose result or rating was counted before this call is stored as finished, or could not be
    /// stored, which is tried again within seconds.
    pub async fn wait_for_ends(&self) {
        drop(self.ends.write().await);
    }

    async fn store_games(&self, games: &[GameRow], ended: EndedGames<'_>) -> Result<()> {
        let (finished, live): (Vec<GameRow>, Vec<GameRow>) =
            games.iter().cloned().partition(|game| game.status.is_over());
        if !live.is_empty() {
            // Before, since a write that fails may be stored.
            self.live_ids.lock().extend(live.iter().map(|game| game.id));
            self.upsert_rows(&live).await?;
        }
        if finished.is_empty() && ended.played.is_empty() {
            return Ok(());
        }
        self.put_finished(&finished, ended.played, ended.unplayed).await?;
        // Of when they were live. Before this is done a start removes them.
        let left: Vec<GameRow> = {
            let rows = self.live_ids.lock();
            finished.into_iter().filter(|game| rows.contains(&game.id)).collect()
        };
        if !left.is_empty() {
            self.delete_rows(&left).await?;
            let mut rows = self.live_ids.lock();
            left.iter().for_each(|game| _ = rows.remove(&game.id));
        }
        Ok(())
    }

    async fn put_finished(&self, finished: &[GameRow], played: &[PlayedGame], unplayed: &[Uuid]) -> Result<()> {
        let (finished, played): (Arc<[GameRow]>, Arc<[PlayedGame]>) = (finished.into(), played.into());
        let unplayed: Arc<[Uuid]> = unplayed.into();
        self.change_played(move |mut transaction| {
            let (finished, played, unplayed) = (Arc::clone(&finished), Arc::clone(&played), Arc::clone(&unplayed));
            async move {
                let mut stored = HashMap::new();
                for game in finished.iter() {
                    let was_stored = records::exists(&transaction, game.id).await?;
                    if !was_stored {
                        records::put(&mut transaction, game).await?;
                        if unplayed.contains(&game.id) {
                            records::mark_unplayed(&mut transaction, game).await?;
                        }
                    }
                    // A game that is there twice was not stored before either.
                    stored.entry(game.id).or_insert(was_stored);
                }
                crate::played::count(&mut transaction, &played, &stored).await?;
                Ok((transaction, ()))
            }
        })
        .await
    }

    /// All games that are waiting or active. To be called at a start, since it removes rows that a crash left beside
    /// their records: of live games whose end was being stored, and of finished ones that were being adopted.
    pub async fn live_games(&self) -> Result<Vec<GameRow>> {
        let mut rows = self.live_rows().await?;
        // An adoption takes finished rows in the order of their ids, so those that it left are the first.
        rows.extend(self.first_finished_rows(MOST_ADOPTED).await?);
        let ids: Vec<Uuid> = rows.iter().map(|game| game.id).collect();
        let recorded = self.recorded(&ids).await?;
        let (left, rows): (Vec<_>, Vec<_>) = rows.into_iter().partition(|game| recorded.contains(&game.id));
        if !left.is_empty() {
            self.delete_rows(&left).await?;
        }
        let live: Vec<GameRow> = rows.into_iter().filter(|game| !game.status.is_over()).collect();
        self.live_ids.lock().extend(live.iter().map(|game| game.id));
        Ok(live)
    }

    /// The game with this id.
    pub async fn game(&self, id: Uuid) -> Result<Option<GameRow>> {
        Ok(self.games(&[id]).await?.pop())
    }

    /// Those of these games that are there, in their order.
    pub async fn games(&self, ids: &[Uuid]) -> Result<Vec<GameRow>> {
        let mut found = self.records_of(ids).await?;
        let is_missing = |found: &[GameRow], id: &Uuid| found.iter().all(|game| game.id != *id);
        let missing: Vec<Uuid> = ids.iter().copied().filter(|id| is_missing(&found, id)).collect();
        if !missing.is_empty() {
            found.extend(self.rows_of(&missing).await?);
            // One may have become a record before its row was looked for.
            let missing: Vec<Uuid> = missing.into_iter().filter(|id| is_missing(&found, id)).collect();
            found.extend(self.records_of(&missing).await?);
            found.sort_by_cached_key(|game| ids.iter().position(|id| *id == game.id));
        }
        Ok(found)
    }

    /// Those of these games that are records, in their order.
    async fn records_of(&self, ids: &[Uuid]) -> Result<Vec<GameRow>> {
        let ids = ids.to_vec();
        self.read_played(move |transaction| async move {
            let mut found = vec![];
            for id in ids {
                found.extend(records::get(&transaction, id).await?);
            }
            Ok(found)
        })
        .await
    }

    /// Which of these games are records.
    async fn recorded(&self, ids: &[Uuid]) -> Result<HashSet<Uuid>> {
        let ids = ids.to_vec();
        self.read_played(move |transaction| async move {
            let mut found = HashSet::new();
            for id in ids {
                if records::exists(&transaction, id).await? {
                    found.insert(id);
                }
            }
            Ok(found)
        })
        .await
    }

    /// The ids of games in a range, in order, at most `limit`. No game is decoded.
    pub(crate) async fn game_ids(&self, ids: RangeInclusive<Uuid>, limit: usize) -> Result<Vec<Uuid>> {
        // Rows first: one that becomes a record in between is found twice, and not never.
        let mut found = self.row_ids(ids.clone(), limit).await?;
        let read = move |transaction: Transaction| async move { records::ids(&transaction, ids, limit).await };
        found.extend(self.read_played(read).await?);
        found.sort_unstable();
        found.dedup();
        found.truncate(limit);
        Ok(found)
    }

    /// A page of all games, in the order of their ids, after one of them.
    pub async fn all_games(&self, after: Option<Uuid>, limit: usize) -> Result<Vec<GameRow>> {
        let start = after.map_or(Bound::Unbounded, Bound::Excluded);
        // Rows first, as above.
        let mut games = self.rows_from(start, limit).await?;
        let read = move |transaction: Transaction| async move { records::all(&transaction, start, limit).await };
        games.extend(self.read_played(read).await?);
        // The record comes first.
        games.sort_by_key(|game| (game.id, !game.status.is_over()));
        games.dedup_by_key(|game| game.id);
        games.truncate(limit);
        Ok(games)
    }

    /// Those of these games that are stored as finished, and so are counted.
    pub async fn finished_games(&self, games: &[Uuid]) -> Result<Vec<Uuid>> {
        let rows = self.rows_of(games).await?;
        let mut finished: HashSet<Uuid> =
            rows.into_iter().filter(|game| game.status.is_over()).map(|game| game.id).collect();
        finished.extend(self.recorded(games).await?);
        Ok(games.iter().copied().filter(|game| finished.contains(game)).collect())
    }

    /// Those of these games of events whose results are counted in standings.
    pub async fn counted_results(&self, games: &[Uuid]) -> Result<Vec<Uuid>> {
        let ids: Vec<RecordId> = games.iter().map(|id| RecordId::new("result", DbUuid::from(*id))).collect();
        let mut response = self.read("SELECT VALUE gid FROM $ids", vars! { ids: ids }).await?;
        rows_in(&mut response, 0)
    }

    /// The game that was shared under this token.
    pub async fn game_by_share_token(&self, token: &str) -> Result<Option<GameRow>> {
        if let Some(row) = self.shared_row(token).await? {
            return Ok(Some(row));
        }
        let token = token.to_owned();
        self.read_played(move |transaction| async move { records::shared(&transaction, &token).await }).await
    }

    /// Shares a finished game under this token, unless it is shared; returns the token that it is shared under.
    ///
    /// # Errors
    ///
    /// As [`Store::set_share_token`].
    pub async fn share_game(&self, id: Uuid, token: &str) -> Result<String> {
        let new = token.to_owned();
        let share = move |game: &mut GameRow| _ = game.share_token.get_or_insert_with(|| new.clone());
        self.change_finished(id, share).await?.ok_or(StoreError::NotFound("game"))?;
        let shared = self.game(id).await?.and_then(|game| game.share_token);
        shared.ok_or(StoreError::NotFound("game"))
    }

    /// Shares a finished game under a token, or stops sharing it.
    ///
    /// # Errors
    ///
    /// [`StoreError::Taken`](crate::StoreError::Taken) for a token that is in use, [`StoreError::NotFound`](crate::StoreError::NotFound) without the game.
    pub async fn set_share_token(&self, id: Uuid, token: Option<&str>) -> Result<()> {
        if let Some(token) = token
            && self.game_by_share_token(token).await?.is_some_and(|game| game.id != id)
        {
            return Err(StoreError::Taken(Unique::Id));
        }
        let token = token.map(str::to_owned);
        self.change_finished(id, move |game| game.share_token.clone_from(&token))
            .await?
            .ok_or(StoreError::NotFound("game"))
    }

    /// Changes a finished game; `None` if it is not there.
    async fn change_finished(
        &self,
        id: Uuid,
        change: impl Fn(&mut GameRow) + Clone + Send + Sync + 'static,
    ) -> Result<Option<()>> {
        // Not while rows become records.
        let _adoption = self.adoption.lock().await;
        let of_record = change.clone();
        let changed = self.change_played(move |mut transaction| {
            let change = of_record.clone();
            async move {
                let Some(before) = records::get(&transaction, id).await? else { return Ok((transaction, None)) };
                let mut after = before.clone();
                change(&mut after);
                records::replace(&mut transaction, &before, &after).await?;
                Ok((transaction, Some(())))
            }
        });
        // A game that is both is the record; its row waits for its removal.
        if changed.await?.is_some() {
            return Ok(Some(()));
        }
        let Some(before) = self.rows_of(&[id]).await?.pop().filter(|game| game.status.is_over()) else {
            return Ok(None);
        };
        let mut after = before.clone();
        change(&mut after);
        self.replace_row(&before, &after).await.map(Some)
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
        self.game_page(Listed::User(user_id), statuses, skip, limit).await
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
        self.game_page(Listed::Event(event_id), statuses, skip, limit).await
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
        self.game_page(Listed::UserInEvent { user: user_id, event: event_id }, statuses, skip, limit).await
    }

    /// Merges the newest games of each status, rows and records: every part is the beginning of a range of an index.
    async fn game_page(&self, listed: Listed, statuses: &[GameStatus], skip: usize, limit: usize) -> Result<GamePage> {
        let most = skip.saturating_add(limit);
        // Not while some are both rows and records, which would be counted twice.
        let _adoption = match self.are_all_adopted() {
            true => None,
            false => Some(self.adoption.lock().await),
        };
        let rows = self.row_pages(listed, statuses, most).await?;
        let statuses: Vec<GameStatus> = statuses.iter().copied().filter(|status| status.is_over()).collect();
        let read = move |transaction: Transaction| async move {
            let mut total = rows.total;
            let mut listing: Vec<Listing> = rows.games.into_iter().map(|game| (place_of(&game), Some(game))).collect();
            for status in statuses {
                let (places, counted) = records::places(&transaction, listed, status, most).await?;
                listing.extend(places.into_iter().map(|place| (place, None)));
                total += counted;
            }
            // A crash may have left some both.
            listing.sort_by_key(|(place, game)| (*place, game.is_none()));
            listing.dedup_by_key(|(place, _)| *place);
            let mut games = vec![];
            for ((_, id), game) in listing.into_iter().skip(skip).take(limit) {
                match game {
                    Some(game) => games.push(game),
                    None => games.extend(records::get(&transaction, id).await?),
                }
            }
            Ok(GamePage { games, total })
        };
        self.read_played(read).await
    }

    /// The finished games of a player or of an event that were created in a time, the newest first: those behind `last`, which
    /// is where the last game of the page before is (its creation, and its id), at most `limit`. So each is read once, and what
    /// is far behind costs no more than what is first. Of rows that are not adopted it knows nothing: see
    /// [`Store::are_all_adopted`].
    pub async fn games_after(
        &self,
        of: GamesOf,
        created: Range<DateTime<Utc>>,
        last: Option<(DateTime<Utc>, Uuid)>,
        limit: usize,
    ) -> Result<Vec<GameRow>> {
        let (letter, owner) = match of {
            GamesOf::User(user) => (b"u", user),
            GamesOf::Event(event) => (b"e", event),
        };
        let read = move |transaction: Transaction| {
            let created = created.clone();
            async move { records::after_place(&transaction, letter, owner, &created, last, limit).await }
        };
        self.read_played(read).await
    }

    /// Replaces what is stored of a finished game's state, if the game is still there.
    pub async fn replace_game_state(&self, id: Uuid, state: Bytes) -> Result<()> {
        self.change_finished(id, move |game| game.state = state.clone()).await.map(drop)
    }

    /// As [`Store::replace_game_state`], where the players changed with it.
    pub async fn replace_game_players(&self, id: Uuid, state: Bytes, players: Vec<Uuid>) -> Result<()> {
        let change = move |game: &mut GameRow| {
            game.state = state.clone();
            game.players.clone_from(&players);
        };
        self.change_finished(id, change).await.map(drop)
    }

    /// Removes games that nobody played, and cancelled ones of no event, that ended before these times, at most `limit`;
    /// returns how many were removed. Those that the journal still names stay: a replay needs them.
    pub async fn forget_games(&self, before: ForgottenGames, limit: usize) -> Result<usize> {
        let removed = self.delete_cancelled_rows(before.cancelled, limit).await?;
        let limit = limit - removed;
        let first = self.first_journal_seq().await?.unwrap_or(u64::MAX);
        let read = move |transaction: Transaction| async move { records::to_forget(&transaction, before, limit).await };
        let mut found = self.read_played(read).await?;
        found.retain(|game| u64::try_from(game.journal_seq).is_ok_and(|last| last < first));
        if found.is_empty() {
            return Ok(removed);
        }
        // First, if one was left behind of when they were live: without the record it would be a live game.
        self.delete_rows(&found).await?;
        let ids: Arc<[Uuid]> = found.iter().map(|game| game.id).collect();
        self.change_played(move |mut transaction| {
            let ids = Arc::clone(&ids);
            async move {
                for id in ids.iter() {
                    if let Some(game) = records::get(&transaction, *id).await? {
                        records::remove(&mut transaction, &game).await?;
                    }
                }
                Ok((transaction, ()))
            }
        })
        .await?;
        Ok(removed + found.len())
    }

    /// To be called once all finished games are records, so that reads of games do without queries.
    pub fn set_all_adopted(&self) {
        self.all_are_adopted.store(true, Ordering::Release);
    }

    /// Whether all finished games are records.
    pub fn are_all_adopted(&self) -> bool {
        self.all_are_adopted.load(Ordering::Acquire)
    }

    /// Finished games that are rows, as earlier versions and imports have them, among the `limit` rows after one of them;
    /// and the last of these rows, `None` if there are none.
    pub async fn finished_rows(&self, after: Option<Uuid>, limit: usize) -> Result<(Vec<GameRow>, Option<Uuid>)> {
        let rows = self.rows_from(after.map_or(Bound::Unbounded, Bound::Excluded), limit).await?;
        let last = rows.last().map(|game| game.id);
        Ok((rows.into_iter().filter(|game| game.status.is_over()).collect(), last))
    }

    /// Makes records of finished games that are rows, and counts those in the histories of their players that are not
    /// counted yet. They are the first that there are, at most [`MOST_ADOPTED`]. `played` is what the caller reads in
    /// their states.
    pub async fn adopt_finished_rows(
        &self,
        ids: &[Uuid],
        played: impl Fn(&GameRow) -> Option<PlayedGame>,
    ) -> Result<()> {
        let _adoption = self.adoption.lock().await;
        // Again, since they may have changed.
        let rows: Vec<GameRow> = self.rows_of(ids).await?.into_iter().filter(|game| game.status.is_over()).collect();
        let played: Vec<PlayedGame> = rows.iter().filter_map(played).collect();
        self.put_finished(&rows, &played, &[]).await?;
        self.delete_rows(&rows).await
    }
}
