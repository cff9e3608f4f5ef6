//! Rating games: what the end of rated games changes is stored just before the games are.
//!
//! Receipts are numbered. The update is computed from the ratings as they are read, and refused by the store if another
//! game was rated meanwhile; then it is computed again. See `docs/behaviour/ratings.md#receipts`.

use std::{collections::HashMap, sync::Arc};

use chrono::{DateTime, TimeDelta, Utc};
use morpion_rules::{
    GameId, Millis, UserId,
    rating::{Rating, Record},
};
use morpion_store::{
    EndedGames, GameRow, RatedGameRow, RatingLedger, RatingRow, RatingUpdate, RatingValues, StoreError,
};
use uuid::Uuid;

use super::{Play, record::RatedEnd};
use crate::{
    clock::{millis, utc},
    people::{rating_of, record_of},
};

/// Attempts to store ratings that others change at the same time: rows are written by one task, and by the few calls that
/// share or adopt a game.
const ATTEMPTS: usize = 10;

/// What a game did to a player's rating.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RatingChange {
    pub user: UserId,
    pub before: Rating,
    pub after: Rating,
}

/// Of X and O.
pub type RatingChanges = Arc<[RatingChange; 2]>;

/// What the receipt of a game says.
pub fn changes(receipt: &RatedGameRow) -> RatingChanges {
    let change = |user: Uuid, before, after| RatingChange {
        user: user.into(),
        before: rating_of(before),
        after: rating_of(after),
    };
    Arc::new([
        change(receipt.first, receipt.first_before, receipt.first_after),
        change(receipt.second, receipt.second_before, receipt.second_after),
    ])
}

fn values(rating: Rating) -> RatingValues {
    RatingValues { value: rating.value, deviation: rating.deviation, volatility: rating.volatility }
}

fn row(user: Uuid, record: &Record, at: Millis, is_bot: bool) -> RatingRow {
    let rated_at = utc(record.rated_at.unwrap_or(at));
    let ranked_for = record.rating.ranked_for().filter(|_| !is_bot).and_then(TimeDelta::try_milliseconds);
    RatingRow {
        user_id: user,
        rating: values(record.rating),
        games: record.games().into(),
        wins: record.wins.into(),
        losses: record.losses.into(),
        draws: record.draws.into(),
        rated_at,
        ranked_until: ranked_for.map(|time| rated_at.checked_add_signed(time).unwrap_or(DateTime::<Utc>::MAX_UTC)),
    }
}

/// The receipts of these games, which are in their order, and the ratings after them; games that have one are left out.
fn update(ledger: &RatingLedger, ends: &[RatedEnd]) -> RatingUpdate {
    let mut records: HashMap<Uuid, Record> = ledger.ratings.iter().map(|row| (row.user_id, record_of(row))).collect();
    for (user, receipt) in &ledger.deleted {
        if let Some(receipt) = receipt {
            let rating = rating_of(receipt.after(*user));
            let record = Record { rating, rated_at: Some(millis(receipt.at)), ..Record::START };
            records.entry(*user).or_insert(record);
        }
    }
    let mut receipts: Vec<RatedGameRow> = vec![];
    let mut changed: HashMap<Uuid, RatingRow> = HashMap::new();
    for end in ends.iter().filter(|end| !ledger.rated.contains(&end.game.0)) {
        let [first, second] = end.result.players.map(|user| user.0);
        let before = [first, second].map(|user| records.get(&user).copied().unwrap_or(Record::START));
        let after = Record::after_game(before, end.result.score, end.at);
        for (user, record) in [first, second].into_iter().zip(after) {
            records.insert(user, record);
            if !ledger.deleted.iter().any(|(deleted, _)| *deleted == user) {
                changed.insert(user, row(user, &record, end.at, ledger.bots.contains(&user)));
            }
        }
        receipts.push(RatedGameRow {
            game_id: end.game.0,
            seq: ledger.last + 1 + receipts.len() as i64,
            at: utc(end.at),
            board_size: end.board_size.get().into(),
            first,
            second,
            score: end.result.score.points(),
            first_before: values(before[0].rating),
            first_after: values(after[0].rating),
            second_before: values(before[1].rating),
            second_after: values(after[1].rating),
        });
    }
    RatingUpdate { ledger: ledger.last, receipts, ratings: changed.into_values().collect() }
}

impl Play {
    /// Stores games, what those that ended count in, and the ratings after the rated ones; returns what these changed.
    pub(super) async fn store_and_rate(
        &self,
        rows: &[GameRow],
        ended: EndedGames<'_>,
        mut rated: Vec<RatedEnd>,
    ) -> Result<HashMap<GameId, RatingChanges>, StoreError> {
        if rated.is_empty() {
            self.store.upsert_games(rows, ended).await?;
            return Ok(HashMap::new());
        }
        rated.sort_by_key(|end| (end.at, end.game));
        let games: Vec<Uuid> = rated.iter().map(|end| end.game.0).collect();
        let mut users: Vec<Uuid> = rated.iter().flat_map(|end| end.result.players).map(|user| user.0).collect();
        users.sort_unstable();
        users.dedup();
        let mut outcome = Err(StoreError::Conflict);
        for _ in 0..ATTEMPTS {
            let ledger = self.store.rating_ledger(&games, &users).await?;
            let update = update(&ledger, &rated);
            outcome = self.store.upsert_rated_games(rows, ended, &update).await;
            match outcome {
                Ok(()) => return self.rated(&ledger, &update).await,
                Err(StoreError::Changed(_)) => {}
                Err(error) => return Err(error),
            }
        }
        outcome.map(|()| HashMap::new())
    }

    async fn rated(
        &self,
        ledger: &RatingLedger,
        update: &RatingUpdate,
    ) -> Result<HashMap<GameId, RatingChanges>, StoreError> {
        self.people.rate(&update.ratings);
        let mut changed: HashMap<GameId, RatingChanges> =
            update.receipts.iter().map(|receipt| (receipt.game_id.into(), changes(receipt))).collect();
        // Stored by an attempt that seemed to fail, or by a concurrent call.
        for game in &ledger.rated {
            if let Some(receipt) = self.store.rated_game(*game).await? {
                changed.insert(receipt.game_id.into(), changes(&receipt));
            }
        }
        if !ledger.rated.is_empty() {
            let unchanged =
                ledger.ratings.iter().filter(|row| update.ratings.iter().all(|other| other.user_id != row.user_id));
            self.people.rate(unchanged);
        }
        Ok(changed)
    }
}
