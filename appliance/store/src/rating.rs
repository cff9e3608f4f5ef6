//! Ratings: `rating`, one row a user, and the receipts of the games that they come from: `rated_game`.
//!
//! What a game changes is computed by the caller from a [`RatingLedger`] and stored before the game is
//! ([`Store::upsert_rated_games`]), if the ledger is still as it was.

use std::ops::Bound;

use chrono::{DateTime, Utc};
use surrealdb::types::{RecordId, RecordIdKey, RecordIdKeyRange, SurrealValue, Uuid as DbUuid, Value, Variables, vars};
use uuid::Uuid;

use crate::Result;
use crate::store::{Store, row, rows};
use crate::user::user_record;

pub(crate) const RATING_LIST: &str = "SELECT uid, best_first FROM rating WITH INDEX rating_list WHERE ranked = true \
    ORDER BY best_first LIMIT $most";
pub(crate) const NO_LONGER_RANKED: &str =
    "SELECT VALUE id FROM rating WITH INDEX rating_until WHERE ranked = true AND ranked_until <= $now LIMIT $limit";
pub(crate) const RECEIPTS_FROM: &str =
    "SELECT * FROM rated_game WITH INDEX rated_game_seq WHERE seq >= $from AND seq < $to";

/// Stores receipts and ratings inside a transaction; expects `$ledger`, `$last`, `$receipts` and `$ratings`.
const STORE_RATINGS: &str = "IF (counter:rated_games.value ?? 0) != $ledger { THROW 'morpion:ratings-changed' }; \
    UPSERT counter:rated_games SET value = $last RETURN NONE; \
    INSERT INTO rated_game $receipts RETURN NONE; \
    INSERT INTO rating $ratings ON DUPLICATE KEY UPDATE value = $input.value, deviation = $input.deviation, \
        volatility = $input.volatility, games = $input.games, wins = $input.wins, losses = $input.losses, \
        draws = $input.draws, rated_at = $input.rated_at, ranked = $input.ranked, \
        ranked_until = $input.ranked_until, best_first = $input.best_first RETURN NONE;";

/// Users that leave the list in one transaction.
const LEAVE_AT_ONCE: i64 = 1_000;

/// A rating: value, deviation and volatility as Glicko-2 has them.
#[derive(Debug, Clone, Copy, PartialEq, SurrealValue)]
pub struct RatingValues {
    pub value: f64,
    pub deviation: f64,
    pub volatility: f64,
}

/// The rating of a user as of the last rated game.
#[derive(Debug, Clone, PartialEq, SurrealValue)]
pub struct RatingRow {
    #[surreal(rename = "uid")]
    pub user_id: Uuid,
    #[surreal(flatten)]
    pub rating: RatingValues,
    pub games: i64,
    pub wins: i64,
    pub losses: i64,
    pub draws: i64,
    pub rated_at: DateTime<Utc>,
    /// When the deviation will have grown too large for the list; `None` if it is already, and for a bot, which is in no list of
    /// people.
    pub ranked_until: Option<DateTime<Utc>>,
}

#[derive(SurrealValue)]
struct Listed {
    uid: Uuid,
    best_first: f64,
}

#[derive(SurrealValue)]
struct StoredRating {
    id: RecordId,
    #[surreal(flatten)]
    row: RatingRow,
    ranked: bool,
    best_first: f64,
}

impl From<&RatingRow> for StoredRating {
    fn from(row: &RatingRow) -> Self {
        Self {
            id: rating_record(row.user_id),
            ranked: row.ranked_until.is_some(),
            best_first: -row.rating.value,
            row: row.clone(),
        }
    }
}

/// The receipt of a rated game.
#[derive(Debug, Clone, PartialEq, SurrealValue)]
pub struct RatedGameRow {
    #[surreal(rename = "gid")]
    pub game_id: Uuid,
    /// From 1, without a gap, in the order in which ratings changed.
    pub seq: i64,
    /// When the game ended.
    pub at: DateTime<Utc>,
    /// Cells a side, of the last board.
    pub board_size: i64,
    /// X.
    pub first: Uuid,
    /// O.
    pub second: Uuid,
    /// Of X: 1, 0.5 or 0.
    pub score: f64,
    pub first_before: RatingValues,
    pub first_after: RatingValues,
    pub second_before: RatingValues,
    pub second_after: RatingValues,
}

impl RatedGameRow {
    /// The rating of a player of the game after it.
    pub fn after(&self, user: Uuid) -> RatingValues {
        if self.first == user { self.first_after } else { self.second_after }
    }
}

#[derive(SurrealValue)]
struct StoredReceipt {
    id: RecordId,
    #[surreal(flatten)]
    row: RatedGameRow,
    newest_first: i64,
}

impl From<&RatedGameRow> for StoredReceipt {
    fn from(row: &RatedGameRow) -> Self {
        Self { id: receipt_record(row.game_id), newest_first: -row.seq, row: row.clone() }
    }
}

/// What has to be known to rate some games.
#[derive(Debug, Clone, PartialEq)]
pub struct RatingLedger {
    /// The number of the last receipt; 0 before the first.
    pub last: i64,
    /// Those of the games that are rated already.
    pub rated: Vec<Uuid>,
    /// Of those of the users who have one.
    pub ratings: Vec<RatingRow>,
    /// The users whose accounts are deleted, with their latest receipts, if there are any.
    pub deleted: Vec<(Uuid, Option<RatedGameRow>)>,
    /// The users that are bots.
    pub bots: Vec<Uuid>,
}

/// New receipts, and the ratings after them.
#[derive(Debug, Clone, PartialEq)]
pub struct RatingUpdate {
    /// [`RatingLedger::last`], from which this was computed.
    pub ledger: i64,
    /// In their order.
    pub receipts: Vec<RatedGameRow>,
    /// Of accounts that are not deleted.
    pub ratings: Vec<RatingRow>,
}

pub(crate) fn rating_record(user: Uuid) -> RecordId {
    RecordId::new("rating", DbUuid::from(user))
}

fn receipt_record(game: Uuid) -> RecordId {
    RecordId::new("rated_game", DbUuid::from(game))
}

/// The newest `$most` receipts of a user who was X (`first`) or O (`second`). The id is part of the text for the planner.
pub(crate) fn receipts_query(seat: &str, user: Uuid) -> String {
    format!(
        "SELECT * FROM rated_game WITH INDEX rated_game_{seat} WHERE {seat} = u'{user}' \
         ORDER BY newest_first LIMIT $most;"
    )
}

impl RatingUpdate {
    /// The statements and variables that store it in a transaction.
    pub(crate) fn statements(&self) -> (&'static str, Variables) {
        let receipts: Vec<StoredReceipt> = self.receipts.iter().map(StoredReceipt::from).collect();
        let ratings: Vec<StoredRating> = self.ratings.iter().map(StoredRating::from).collect();
        let last = self.receipts.last().map_or(self.ledger, |receipt| receipt.seq);
        (STORE_RATINGS, vars! { ledger: self.ledger, last: last, receipts: receipts, ratings: ratings })
    }
}

impl Store {
    /// A user's rating; `None` before the first rated game, and for a deleted account.
    pub async fn rating(&self, user: Uuid) -> Result<Option<RatingRow>> {
        Ok(self.ratings(&[user]).await?.pop())
    }

    /// The ratings of those of the users who have one.
    pub async fn ratings(&self, users: &[Uuid]) -> Result<Vec<RatingRow>> {
        let ids: Vec<RecordId> = users.iter().copied().map(rating_record).collect();
        let mut response = self.read("SELECT * FROM $ids", vars! { ids: ids }).await?;
        rows(&mut response, 0)
    }

    /// A page of the ratings of all users, in the order of their ids, after one of them.
    pub async fn all_ratings(&self, after: Option<Uuid>, limit: usize) -> Result<Vec<RatingRow>> {
        let start = after.map_or(Bound::Unbounded, |user| Bound::Excluded(RecordIdKey::from(DbUuid::from(user))));
        let range = RecordId::new("rating", RecordIdKeyRange { start, end: Bound::Unbounded });
        let variables = vars! { range: range, limit: limit as i64 };
        let mut response = self.read("SELECT * FROM $range LIMIT $limit", variables).await?;
        rows(&mut response, 0)
    }

    /// The latest rated games of a user, the newest first: the rating curve.
    pub async fn rating_curve(&self, user: Uuid, limit: usize) -> Result<Vec<RatedGameRow>> {
        let query = [receipts_query("first", user), receipts_query("second", user)].concat();
        let mut response = self.read(&query, vars! { most: limit as i64 }).await?;
        let mut receipts: Vec<RatedGameRow> = rows(&mut response, 0)?;
        receipts.extend(rows::<RatedGameRow>(&mut response, 1)?);
        receipts.sort_by_key(|receipt| std::cmp::Reverse(receipt.seq));
        receipts.truncate(limit);
        Ok(receipts)
    }

    /// The receipt of a rated game; `None` for other games, and until its rating is stored.
    pub async fn rated_game(&self, game: Uuid) -> Result<Option<RatedGameRow>> {
        let mut response = self.read("SELECT * FROM $id", vars! { id: receipt_record(game) }).await?;
        row(&mut response, 0)
    }

    /// The receipts of those of these games that have one.
    pub async fn rated_games(&self, games: &[Uuid]) -> Result<Vec<RatedGameRow>> {
        let ids: Vec<RecordId> = games.iter().copied().map(receipt_record).collect();
        let mut response = self.read("SELECT * FROM $ids", vars! { ids: ids }).await?;
        rows(&mut response, 0)
    }

    /// Those of these games that have a receipt.
    pub async fn games_rated(&self, games: &[Uuid]) -> Result<Vec<Uuid>> {
        let ids: Vec<RecordId> = games.iter().copied().map(receipt_record).collect();
        let mut response = self.read("SELECT VALUE gid FROM $ids", vars! { ids: ids }).await?;
        rows(&mut response, 0)
    }

    /// The number of the last receipt; 0 before the first.
    pub async fn last_receipt(&self) -> Result<i64> {
        let mut response = self.read("SELECT VALUE value FROM ONLY counter:rated_games", vars! {}).await?;
        Ok(row(&mut response, 0)?.unwrap_or(0))
    }

    /// The receipts from a number on, at most `limit`, in their order.
    pub async fn receipts_from(&self, from: i64, limit: usize) -> Result<Vec<RatedGameRow>> {
        let variables = vars! { from: from, to: from.saturating_add(limit as i64) };
        let mut response = self.read(RECEIPTS_FROM, variables).await?;
        let mut receipts: Vec<RatedGameRow> = rows(&mut response, 0)?;
        receipts.sort_by_key(|receipt| receipt.seq);
        Ok(receipts)
    }

    /// The users in the rating list with their values, the best first, at most `limit`. It reads them one by one, about
    /// a tenth of a second for 10,000.
    pub async fn rating_list(&self, limit: usize) -> Result<Vec<(Uuid, f64)>> {
        let mut response = self.read(RATING_LIST, vars! { most: limit as i64 }).await?;
        let listed: Vec<Listed> = rows(&mut response, 0)?;
        Ok(listed.into_iter().map(|listed| (listed.uid, -listed.best_first)).collect())
    }

    /// Takes those whose deviation has grown too large from the list; returns how many.
    pub async fn purge_rating_list(&self, now: DateTime<Utc>) -> Result<usize> {
        let query = format!("UPDATE ({NO_LONGER_RANKED}) SET ranked = false, ranked_until = NONE RETURN VALUE uid");
        let mut purged = 0;
        loop {
            let mut response = self.write(&query, vars! { now: now, limit: LEAVE_AT_ONCE }).await?;
            let left = rows::<Uuid>(&mut response, 0)?.len();
            purged += left;
            if (left as i64) < LEAVE_AT_ONCE {
                return Ok(purged);
            }
        }
    }

    /// Removes the rating of a deleted account; its receipts stay. Idempotent.
    pub async fn delete_rating(&self, user: Uuid) -> Result<()> {
        self.write("DELETE $id RETURN NONE", vars! { id: rating_record(user) }).await.map(drop)
    }

    /// What has to be known to rate these games of these users.
    pub async fn rating_ledger(&self, games: &[Uuid], users: &[Uuid]) -> Result<RatingLedger> {
        // The counter first: what changes later makes the update fail. Ratings before deletions: a rating that is gone
        // belongs to a deletion that is seen.
        let last = self.last_receipt().await?;
        let rated = self.games_rated(games).await?;
        let ratings = self.ratings(users).await?;
        let accounts: Vec<RecordId> = users.iter().copied().map(user_record).collect();
        let query = "SELECT VALUE uid FROM $accounts WHERE deleted_at != NONE; \
                     SELECT VALUE uid FROM $accounts WHERE bot_since != NONE";
        let mut response = self.read(query, vars! { accounts: accounts }).await?;
        let bots = rows(&mut response, 1)?;
        let mut deleted = Vec::new();
        for user in rows::<Uuid>(&mut response, 0)? {
            deleted.push((user, self.rating_curve(user, 1).await?.pop()));
        }
        Ok(RatingLedger { last, rated, ratings, deleted, bots })
    }
}
