//! How histories are stored: [records](crate::keyed) of the storage engine, a few for each game. Rows of a table cost
//! several times as much to write, with their indexes, and play at full speed is bound by what every game costs.
//!
//! | key | value |
//! |---|---|
//! | `c`, game | nothing: the game is counted, and no finished game is stored as a [record](crate::game::records) |
//! | `p`, user, time of the end (descending), game | the game as this user played it |
//! | `b`, both players, time of the end (descending), game | nothing: to find the games between two |
//! | `t`, user | the user's results by kind and board |
//! | `v`, user, opponent | the user's results against the opponent, and when they last played |
//!
//! Values are encoded with postcard.

use std::ops::Range;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use uuid::Uuid;

use super::{Counts, MOST_SCANNED, PlayedKind, PlayedResult, PlayedRow, TallyRow, VersusRow};
use crate::keyed::Transaction;
use crate::{Result, StoreError};

/// The name of the records in the engine.
pub(crate) const NAME: &str = "played";

/// Records read at once.
const PAGE: usize = 1_000;

/// Enough for what is stored of a game in a history, so that its value need not grow.
const USUAL_BYTES: usize = 64;

/// Makes keys.
pub(super) struct Key;

impl Key {
    pub(super) fn counted(game: Uuid) -> Vec<u8> {
        [b"c", &game.as_bytes()[..]].concat()
    }

    pub(super) fn played(row: &PlayedRow) -> Vec<u8> {
        [b"p", &row.user_id.as_bytes()[..], &newest_first(row.at), row.game_id.as_bytes()].concat()
    }

    /// The same for both.
    fn between(row: &PlayedRow) -> Vec<u8> {
        let mut key = pair(row.user_id, row.opponent);
        key.extend(newest_first(row.at));
        key.extend(row.game_id.as_bytes());
        key
    }

    fn tally(user: Uuid) -> Vec<u8> {
        [b"t", &user.as_bytes()[..]].concat()
    }

    fn versus(user: Uuid, opponent: Uuid) -> Vec<u8> {
        [b"v", &user.as_bytes()[..], opponent.as_bytes()].concat()
    }
}

fn pair(one: Uuid, other: Uuid) -> Vec<u8> {
    [b"b", &one.min(other).as_bytes()[..], one.max(other).as_bytes()].concat()
}

/// All keys that begin so. No key goes on with as many bytes.
pub(crate) fn range_of(start: Vec<u8>) -> Range<Vec<u8>> {
    let end = [&start[..], &[0xff; 66]].concat();
    start..end
}

/// All keys that begin with this letter and the user.
fn range_of_user(letter: &[u8; 1], user: Uuid) -> Range<Vec<u8>> {
    range_of([letter, &user.as_bytes()[..]].concat())
}

/// Unix milliseconds, in descending order.
pub(crate) fn newest_first(at: DateTime<Utc>) -> [u8; 8] {
    (!at.timestamp_millis() as u64 ^ 1 << 63).to_be_bytes()
}

pub(crate) fn time_of(newest_first: [u8; 8]) -> Option<DateTime<Utc>> {
    DateTime::from_timestamp_millis(!(u64::from_be_bytes(newest_first) ^ 1 << 63) as i64)
}

pub(crate) fn encode<T: Serialize>(value: &T) -> Vec<u8> {
    encode_after(Vec::with_capacity(USUAL_BYTES), value)
}

/// As [`encode`], after these bytes.
pub(crate) fn encode_after<T: Serialize>(bytes: Vec<u8>, value: &T) -> Vec<u8> {
    postcard::to_extend(value, bytes).expect("it is plain data")
}

pub(crate) fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Result<T> {
    postcard::from_bytes(bytes).map_err(|error| StoreError::Corrupt(format!("a finished game or a history: {error}")))
}

#[derive(Serialize, Deserialize)]
struct StoredPlayed {
    opponent: Uuid,
    kind: PlayedKind,
    result: PlayedResult,
    board_size: u8,
    clock: String,
    reason: Option<String>,
    event_id: Option<Uuid>,
    moves: u32,
}

#[derive(Serialize, Deserialize)]
struct StoredVersus {
    counts: Counts,
    /// Unix milliseconds.
    last_at: i64,
}

fn played_row(key: &[u8], value: &[u8]) -> Result<PlayedRow> {
    let corrupt = || StoreError::Corrupt("the key of a game in a history".to_owned());
    let (user_id, rest) = key.get(1..).and_then(|rest| rest.split_first_chunk()).ok_or_else(corrupt)?;
    let (at, game_id) = rest.split_first_chunk().ok_or_else(corrupt)?;
    let StoredPlayed { opponent, kind, result, board_size, clock, reason, event_id, moves } = decode(value)?;
    Ok(PlayedRow {
        game_id: Uuid::from_slice(game_id).map_err(|_| corrupt())?,
        user_id: Uuid::from_bytes(*user_id),
        opponent,
        kind,
        result,
        board_size,
        clock,
        reason,
        event_id,
        moves,
        at: time_of(*at).ok_or_else(corrupt)?,
    })
}

fn versus_row(opponent: Uuid, value: &[u8]) -> Result<VersusRow> {
    let StoredVersus { counts, last_at } = decode(value)?;
    Ok(VersusRow { opponent, counts, last_at: DateTime::from_timestamp_millis(last_at).unwrap_or_default() })
}

pub(super) async fn tallies(transaction: &Transaction, user: Uuid) -> Result<Vec<TallyRow>> {
    transaction.get(&Key::tally(user)).await?.map_or(Ok(vec![]), |found| decode(&found))
}

pub(super) async fn versus(transaction: &Transaction, user: Uuid, opponent: Uuid) -> Result<Option<VersusRow>> {
    let found = transaction.get(&Key::versus(user, opponent)).await?;
    found.map(|found| versus_row(opponent, &found)).transpose()
}

/// All whom a user played, by their ids.
pub(super) async fn opponents(transaction: &Transaction, user: Uuid) -> Result<Vec<VersusRow>> {
    let Range { mut start, end } = range_of_user(b"v", user);
    let mut all = vec![];
    loop {
        let page = transaction.scan(&start, &end, PAGE).await?;
        for (key, value) in &page {
            let opponent = key.get(17..).and_then(|id| Uuid::from_slice(id).ok());
            let opponent = opponent.ok_or_else(|| StoreError::Corrupt("the key of an opponent".to_owned()))?;
            all.push(versus_row(opponent, value)?);
        }
        match page.last() {
            Some((last, _)) if page.len() == PAGE => start = after(last),
            _ => return Ok(all),
        }
        tokio::task::yield_now().await;
    }
}

/// A user's newest games that are wanted, at most so many.
pub(super) async fn newest(
    transaction: &Transaction,
    user: Uuid,
    most: usize,
    is_wanted: impl Fn(&PlayedRow) -> bool,
) -> Result<Vec<PlayedRow>> {
    let Range { mut start, end } = range_of_user(b"p", user);
    let (mut found, mut scanned) = (vec![], 0);
    while found.len() < most && scanned < MOST_SCANNED {
        // Most often all that are left to find come next.
        let limit = if scanned == 0 { (most - found.len()).min(PAGE) } else { PAGE };
        let page = transaction.scan(&start, &end, limit).await?;
        for (key, value) in &page {
            let row = played_row(key, value)?;
            if found.len() < most && is_wanted(&row) {
                found.push(row);
            }
        }
        scanned += page.len();
        match page.last() {
            Some((last, _)) if page.len() == limit => start = after(last),
            _ => break,
        }
        tokio::task::yield_now().await;
    }
    Ok(found)
}

/// The newest games of a user against another, at most so many.
pub(super) async fn between(
    transaction: &Transaction,
    user: Uuid,
    opponent: Uuid,
    most: usize,
) -> Result<Vec<PlayedRow>> {
    let Range { start, end } = range_of(pair(user, opponent));
    let mut found = vec![];
    for (key, _) in transaction.scan(&start, &end, most).await? {
        let own = [b"p", &user.as_bytes()[..], key.get(start.len()..).unwrap_or_default()].concat();
        // Not there for somebody whose games were removed.
        if let Some(value) = transaction.get(&own).await? {
            found.push(played_row(&own, &value)?);
        }
    }
    Ok(found)
}

/// The first possible key after this one.
pub(crate) fn after(key: &[u8]) -> Vec<u8> {
    [key, &[0]].concat()
}

/// Stores a game of a user.
pub(super) async fn put(transaction: &mut Transaction, row: &PlayedRow) -> Result<()> {
    let PlayedRow { opponent, kind, result, board_size, event_id, moves, .. } = *row;
    let (clock, reason) = (row.clock.clone(), row.reason.clone());
    let stored = StoredPlayed { opponent, kind, result, board_size, clock, reason, event_id, moves };
    transaction.set(&Key::played(row), encode(&stored)).await
}

/// Removes a game of a user from what is listed; results stay as they are.
pub(super) async fn remove(transaction: &mut Transaction, row: &PlayedRow) -> Result<()> {
    transaction.remove(&Key::played(row)).await?;
    transaction.remove(&Key::between(row)).await
}

/// Stores a game of a user and counts it.
pub(super) async fn add(transaction: &mut Transaction, row: &PlayedRow) -> Result<()> {
    put(transaction, row).await?;
    transaction.set(&Key::between(row), vec![]).await?;
    let mut tallies = tallies(transaction, row.user_id).await?;
    let one = Counts::one(row.result);
    match tallies.iter_mut().find(|tally| (tally.kind, tally.board_size) == (row.kind, row.board_size)) {
        Some(tally) => tally.counts = tally.counts.plus(one),
        None => tallies.push(TallyRow { kind: row.kind, board_size: row.board_size, counts: one }),
    }
    transaction.set(&Key::tally(row.user_id), encode(&tallies)).await?;
    add_versus(transaction, row).await
}

/// Counts a game between two for its user.
pub(super) async fn add_versus(transaction: &mut Transaction, row: &PlayedRow) -> Result<()> {
    let before = versus(transaction, row.user_id, row.opponent).await?;
    let counts = before.as_ref().map_or_else(Counts::default, |before| before.counts).plus(Counts::one(row.result));
    let last_at = before.map_or(row.at, |before| before.last_at.max(row.at)).timestamp_millis();
    transaction.set(&Key::versus(row.user_id, row.opponent), encode(&StoredVersus { counts, last_at })).await
}

/// No longer counts games between two for one of them.
pub(super) async fn take_versus(
    transaction: &mut Transaction,
    user: Uuid,
    opponent: Uuid,
    taken: Counts,
) -> Result<()> {
    let Some(before) = versus(transaction, user, opponent).await? else { return Ok(()) };
    let counts = before.counts.minus(taken);
    let key = Key::versus(user, opponent);
    match counts.total() {
        0 => transaction.remove(&key).await,
        _ => {
            let last_at = before.last_at.timestamp_millis();
            transaction.set(&key, encode(&StoredVersus { counts, last_at })).await
        }
    }
}

/// Removes some of what is stored of a user, at most `most` of each kind; returns how many were removed.
pub(super) async fn remove_some(transaction: &mut Transaction, user: Uuid, most: usize) -> Result<usize> {
    let mut removed = 0;
    for letter in [b"p", b"t", b"v"] {
        let Range { start, end } = range_of_user(letter, user);
        for (key, _) in transaction.scan(&start, &end, most).await? {
            transaction.remove(&key).await?;
            removed += 1;
        }
    }
    Ok(removed)
}
