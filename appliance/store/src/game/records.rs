//! How finished games are stored: [records](crate::keyed) of the storage engine, in the same transaction as what they
//! change of [histories](crate::played), whose keys begin with other letters. A row with its indexes costs several times
//! as much to write, and play at full speed is bound by what every finished game costs.
//!
//! | key | value |
//! |---|---|
//! | `g`, game | the game |
//! | `u`, player, status, creation (descending), game | the game's event, if it has one |
//! | `e`, event, status, creation (descending), game | nothing |
//! | `x`, end (ascending), game | nothing: the game is a cancelled one of no event, to be removed after a while |
//! | `s`, share token | the game |
//!
//! Values are ids, but for that of `g`: `encoding.rs`.

use std::cmp::Reverse;
use std::ops::{Bound, Range, RangeInclusive};

use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::encoding::{decode, encode};
use super::{GameRow, GameStatus};
use crate::keyed::Transaction;
use crate::played::records::{after, newest_first, range_of};
use crate::{Result, StoreError};

/// Index entries read at once.
const PAGE: usize = 1_000;

/// Of somebody's or an event's games those that are listed.
#[derive(Debug, Clone, Copy)]
pub(super) enum Listed {
    User(Uuid),
    Event(Uuid),
    UserInEvent { user: Uuid, event: Uuid },
}

/// When a listed game was created, and its id; the newest come first.
pub(super) type Place = (Reverse<DateTime<Utc>>, Uuid);

/// Stored by number: append, never reorder.
pub(super) fn number(status: GameStatus) -> u8 {
    match status {
        GameStatus::Waiting => 0,
        GameStatus::Active => 1,
        GameStatus::Completed => 2,
        GameStatus::Cancelled => 3,
    }
}

pub(super) fn corrupt(what: &str) -> StoreError {
    StoreError::Corrupt(format!("a finished game has {what}"))
}

fn key_of(game: Uuid) -> Vec<u8> {
    [b"g", &game.as_bytes()[..]].concat()
}

/// The game whose key this is.
fn game_of(key: &[u8]) -> Result<Uuid> {
    key.get(1..).and_then(|id| Uuid::from_slice(id).ok()).ok_or_else(|| corrupt("another key"))
}

fn key_of_share(token: &str) -> Vec<u8> {
    [b"s", token.as_bytes()].concat()
}

/// What the keys of somebody's or an event's games of a status begin with.
fn list_of(letter: &[u8; 1], owner: Uuid, status: GameStatus) -> Vec<u8> {
    [letter, &owner.as_bytes()[..], &[number(status)]].concat()
}

fn ended_before(time: DateTime<Utc>) -> Vec<u8> {
    // Before 1970 nothing ended.
    [b"x", &time.timestamp_millis().max(0).to_be_bytes()[..]].concat()
}

/// A time, and an id, at the end of a key.
fn time_and_id(key: &[u8]) -> Option<(&[u8; 8], Uuid)> {
    let (rest, id) = key.split_last_chunk()?;
    Some((rest.last_chunk()?, Uuid::from_bytes(*id)))
}

/// All records of a game.
fn entries(game: &GameRow) -> Vec<(Vec<u8>, Vec<u8>)> {
    let place = [&newest_first(game.created_at)[..], game.id.as_bytes()].concat();
    let event = game.event_id.map_or(vec![], |event| event.as_bytes().to_vec());
    let mut entries = vec![(key_of(game.id), encode(game))];
    for player in &game.players {
        entries.push(([list_of(b"u", *player, game.status), place.clone()].concat(), event.clone()));
    }
    match (game.event_id, game.status, game.ended_at) {
        (Some(event), ..) => entries.push(([list_of(b"e", event, game.status), place].concat(), vec![])),
        (None, GameStatus::Cancelled, Some(at)) => {
            entries.push(([&ended_before(at)[..], game.id.as_bytes()].concat(), vec![]));
        }
        _ => {}
    }
    if let Some(token) = &game.share_token {
        entries.push((key_of_share(token), game.id.as_bytes().to_vec()));
    }
    entries
}

pub(crate) async fn exists(transaction: &Transaction, game: Uuid) -> Result<bool> {
    Ok(transaction.get(&key_of(game)).await?.is_some())
}

pub(super) async fn get(transaction: &Transaction, game: Uuid) -> Result<Option<GameRow>> {
    transaction.get(&key_of(game)).await?.map(|value| decode(game, &value)).transpose()
}

/// Stores a game that is not there.
pub(super) async fn put(transaction: &mut Transaction, game: &GameRow) -> Result<()> {
    for (key, value) in entries(game) {
        transaction.set(&key, value).await?;
    }
    Ok(())
}

/// Stores a game in place of what it was.
pub(super) async fn replace(transaction: &mut Transaction, before: &GameRow, after: &GameRow) -> Result<()> {
    let kept = entries(after);
    for (key, _) in entries(before) {
        if kept.iter().all(|(other, _)| *other != key) {
            transaction.remove(&key).await?;
        }
    }
    put(transaction, after).await
}

pub(super) async fn remove(transaction: &mut Transaction, game: &GameRow) -> Result<()> {
    for (key, _) in entries(game) {
        transaction.remove(&key).await?;
    }
    Ok(())
}

/// The games in the order of their ids, after one of them, at most `limit`.
pub(crate) async fn all(transaction: &Transaction, start: Bound<Uuid>, limit: usize) -> Result<Vec<GameRow>> {
    let start = match start {
        Bound::Unbounded => key_of(Uuid::nil()),
        Bound::Included(first) => key_of(first),
        Bound::Excluded(last) => after(&key_of(last)),
    };
    let end = range_of(b"g".to_vec()).end;
    let found = transaction.scan(&start, &end, limit).await?;
    found.into_iter().map(|(key, value)| decode(game_of(&key)?, &value)).collect()
}

/// The ids of games in a range, in order, at most `limit`.
pub(super) async fn ids(transaction: &Transaction, ids: RangeInclusive<Uuid>, limit: usize) -> Result<Vec<Uuid>> {
    let (start, end) = (key_of(*ids.start()), after(&key_of(*ids.end())));
    transaction.keys(&start, &end, limit).await?.iter().map(|key| game_of(key)).collect()
}

/// The game that was shared under this token.
pub(super) async fn shared(transaction: &Transaction, token: &str) -> Result<Option<GameRow>> {
    match transaction.get(&key_of_share(token)).await? {
        None => Ok(None),
        Some(id) => get(transaction, Uuid::from_slice(&id).map_err(|_| corrupt("another share"))?).await,
    }
}

/// The games that are shared, by their tokens in order, after one of them, at most `limit`.
pub(crate) async fn all_shared(
    transaction: &Transaction,
    last: Option<&str>,
    limit: usize,
) -> Result<Vec<(String, Uuid)>> {
    let start = last.map_or_else(|| b"s".to_vec(), |last| after(&key_of_share(last)));
    let found = transaction.scan(&start, b"t", limit).await?;
    let share = |key: &[u8], value: &[u8]| {
        let token = std::str::from_utf8(key.get(1..)?).ok()?;
        Some((token.to_owned(), Uuid::from_slice(value).ok()?))
    };
    found.iter().map(|(key, value)| share(key, value).ok_or_else(|| corrupt("another share"))).collect()
}

/// Cancelled games of no event that ended before this time, the oldest first.
pub(super) async fn cancelled_before(
    transaction: &Transaction,
    before: DateTime<Utc>,
    limit: usize,
) -> Result<Vec<GameRow>> {
    let mut found = vec![];
    for (key, _) in transaction.scan(b"x", &ended_before(before), limit).await? {
        let (_, id) = time_and_id(&key).ok_or_else(|| corrupt("another key of its end"))?;
        found.push(get(transaction, id).await?.ok_or_else(|| corrupt("an end and no game"))?);
    }
    Ok(found)
}

/// Where the newest listed games of a status are, at most `most`, and how many there are.
pub(super) async fn places(
    transaction: &Transaction,
    listed: Listed,
    status: GameStatus,
    most: usize,
) -> Result<(Vec<Place>, u64)> {
    let (letter, owner) = match listed {
        Listed::User(user) | Listed::UserInEvent { user, .. } => (b"u", user),
        Listed::Event(event) => (b"e", event),
    };
    let Range { mut start, end } = range_of(list_of(letter, owner, status));
    let place = |key: &[u8]| {
        let (time, id) = time_and_id(key)?;
        Some((Reverse(crate::played::records::time_of(*time)?), id))
    };
    let place = |key: &[u8]| place(key).ok_or_else(|| corrupt("another key in a list"));
    let Listed::UserInEvent { event, .. } = listed else {
        let total = transaction.count(&start, &end).await? as u64;
        let found = transaction.scan(&start, &end, most).await?;
        return Ok((found.iter().map(|(key, _)| place(key)).collect::<Result<_>>()?, total));
    };
    let (mut places, mut total) = (vec![], 0);
    loop {
        let page = transaction.scan(&start, &end, PAGE).await?;
        for (key, _) in page.iter().filter(|(_, of)| *of == event.as_bytes()) {
            total += 1;
            if places.len() < most {
                places.push(place(key)?);
            }
        }
        match page.last() {
            Some((last, _)) if page.len() == PAGE => start = after(last),
            _ => return Ok((places, total)),
        }
        tokio::task::yield_now().await;
    }
}
