//! How finished games are stored: [records](crate::keyed) of the storage engine, in the same transaction as what they
//! change of [histories](crate::played), whose keys begin with other letters. A row with its indexes costs several times
//! as much to write, and play at full speed is bound by what every finished game costs.
//!
//! | key | value |
//! |---|---|
//! | `d`, end (ascending), game | the game |
//! | `g`, game | the time in the key of `d`; in data of earlier versions the game |
//! | `u`, player, status, creation (descending), game | the game's event, if it has one |
//! | `e`, event, status, creation (descending), game | nothing |
//! | `x`, end (ascending), game | nothing: the game is a cancelled one of no event, to be removed after a while |
//! | `y`, end (ascending), game | nothing: nobody played the game, and it is removed soon |
//! | `s`, share token | the game |
//!
//! Values are ids, but for the game itself: `encoding.rs`. It is most of what is stored, and has the end before its id
//! since tables are merged with those whose keys lie between theirs: what ends now is merged with what ended lately, not
//! with everything.

use std::cmp::Reverse;
use std::ops::{Bound, Range, RangeInclusive};

use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::encoding::{decode, encode};
use super::{ForgottenGames, GameRow, GameStatus};
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

/// The first byte of a value of `g` that is followed by the time in the key of `d`. No game begins with it.
const AT_TIME: u8 = 0x20;

/// In the key of a game, and in the value that leads there. Before 1970 nothing ended.
fn time_in_key(game: &GameRow) -> [u8; 8] {
    game.ended_at.unwrap_or(game.created_at).timestamp_millis().max(0).to_be_bytes()
}

fn key_at(time: &[u8], game: Uuid) -> Vec<u8> {
    [b"d", time, game.as_bytes()].concat()
}

/// The game of a value of `g`.
async fn read(transaction: &Transaction, game: Uuid, value: &[u8]) -> Result<GameRow> {
    let Some((&AT_TIME, time)) = value.split_first() else { return decode(game, value) };
    let stored = transaction.get(&key_at(time, game)).await?.ok_or_else(|| corrupt("an id and nothing else"))?;
    decode(game, &stored)
}

fn key_of_share(token: &str) -> Vec<u8> {
    [b"s", token.as_bytes()].concat()
}

/// What the keys of somebody's or an event's games of a status begin with.
fn list_of(letter: &[u8; 1], owner: Uuid, status: GameStatus) -> Vec<u8> {
    [letter, &owner.as_bytes()[..], &[number(status)]].concat()
}

const CANCELLED: u8 = b'x';
const UNPLAYED: u8 = b'y';

fn ended_before(letter: u8, time: DateTime<Utc>) -> Vec<u8> {
    // Before 1970 nothing ended.
    [&[letter], &time.timestamp_millis().max(0).to_be_bytes()[..]].concat()
}

fn key_of_unplayed(game: &GameRow) -> Vec<u8> {
    [&[UNPLAYED], &time_in_key(game)[..], game.id.as_bytes()].concat()
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
    let time = time_in_key(game);
    let mut entries = vec![(key_of(game.id), [&[AT_TIME], &time[..]].concat()), (key_at(&time, game.id), encode(game))];
    for player in &game.players {
        entries.push(([list_of(b"u", *player, game.status), place.clone()].concat(), event.clone()));
    }
    match (game.event_id, game.status, game.ended_at) {
        (Some(event), ..) => entries.push(([list_of(b"e", event, game.status), place].concat(), vec![])),
        (None, GameStatus::Cancelled, Some(at)) => {
            entries.push(([&ended_before(CANCELLED, at)[..], game.id.as_bytes()].concat(), vec![]));
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
    match transaction.get(&key_of(game)).await? {
        Some(value) => read(transaction, game, &value).await.map(Some),
        None => Ok(None),
    }
}

/// Stores a game that is not there.
pub(super) async fn put(transaction: &mut Transaction, game: &GameRow) -> Result<()> {
    for (key, value) in entries(game) {
        transaction.set(&key, value).await?;
    }
    Ok(())
}

/// Has a game that nobody played removed soon.
pub(super) async fn mark_unplayed(transaction: &mut Transaction, game: &GameRow) -> Result<()> {
    transaction.set(&key_of_unplayed(game), vec![]).await
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
    transaction.remove(&key_of_unplayed(game)).await
}

/// The games in the order of their ids, after one of them, at most `limit`.
pub(crate) async fn all(transaction: &Transaction, start: Bound<Uuid>, limit: usize) -> Result<Vec<GameRow>> {
    let start = match start {
        Bound::Unbounded => key_of(Uuid::nil()),
        Bound::Included(first) => key_of(first),
        Bound::Excluded(last) => after(&key_of(last)),
    };
    let end = range_of(b"g".to_vec()).end;
    let mut games = vec![];
    for (key, value) in transaction.scan(&start, &end, limit).await? {
        games.push(read(transaction, game_of(&key)?, &value).await?);
    }
    Ok(games)
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

/// The games that are to be removed, at most `limit`; of each kind the oldest first.
pub(super) async fn to_forget(transaction: &Transaction, before: ForgottenGames, limit: usize) -> Result<Vec<GameRow>> {
    let mut found: Vec<GameRow> = vec![];
    for (letter, time) in [(UNPLAYED, before.unplayed), (CANCELLED, before.cancelled)] {
        for key in transaction.keys(&[letter], &ended_before(letter, time), limit - found.len()).await? {
            let (_, id) = time_and_id(&key).ok_or_else(|| corrupt("another key of its end"))?;
            if found.iter().all(|game| game.id != id) {
                found.push(get(transaction, id).await?.ok_or_else(|| corrupt("an end and no game"))?);
            }
        }
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

/// The finished games of a list that were created in a time and are behind a place, the newest first, at most `limit`.
pub(super) async fn after_place(
    transaction: &Transaction,
    letter: &[u8; 1],
    owner: Uuid,
    created: &Range<DateTime<Utc>>,
    last: Option<(DateTime<Utc>, Uuid)>,
    limit: usize,
) -> Result<Vec<GameRow>> {
    let mut places: Vec<Place> = vec![];
    for status in [GameStatus::Completed, GameStatus::Cancelled] {
        let key = |time: DateTime<Utc>| [&list_of(letter, owner, status)[..], &newest_first(time)].concat();
        // The order is descending: what is created at `end` is left out, and what is created at `start` is not.
        let first = after(&[&key(created.end)[..], &[0xff; 16]].concat());
        let behind = last.map(|(time, id)| after(&[&key(time)[..], id.as_bytes()].concat()));
        let start = behind.map_or(first.clone(), |behind| behind.max(first));
        let end = after(&[&key(created.start)[..], &[0xff; 16]].concat());
        if start >= end {
            continue;
        }
        for key in transaction.keys(&start, &end, limit).await? {
            let (time, id) = time_and_id(&key).ok_or_else(|| corrupt("another key in a list"))?;
            let time = crate::played::records::time_of(*time).ok_or_else(|| corrupt("another time in a list"))?;
            places.push((Reverse(time), id));
        }
    }
    places.sort_unstable();
    let mut games = vec![];
    for (_, id) in places.into_iter().take(limit) {
        games.extend(get(transaction, id).await?);
    }
    Ok(games)
}

#[cfg(test)]
mod tests {
    use crate::{DatabaseUrl, EndedGames, OpenOptions, Store};

    use super::*;

    fn ended(id: u128, at: i64) -> GameRow {
        GameRow {
            id: Uuid::from_u128(id),
            status: GameStatus::Completed,
            game_type: "invite".to_owned(),
            event_id: None,
            players: vec![Uuid::from_u128(70), Uuid::from_u128(71)],
            created_at: DateTime::from_timestamp_millis(0).unwrap(),
            ended_at: DateTime::from_timestamp_millis(at),
            journal_seq: 1,
            state: vec![7; 40].into(),
            share_token: None,
        }
    }

    /// Where games are, by the first letter of the key.
    async fn keys(store: &Store, letter: u8) -> Vec<Vec<u8>> {
        let transaction = store.engine.played.read().await.unwrap();
        transaction.keys(&[letter], &[letter + 1], 100).await.unwrap()
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn games_are_in_the_order_of_their_ends_and_those_of_earlier_versions_by_their_ids() {
        let store = Store::open(&DatabaseUrl::Memory, OpenOptions::default()).await.unwrap();
        let [late, early, earlier_version] = [ended(1, 9_000), ended(2, 8_000), ended(3, 7_000)];
        store.upsert_games(&[late.clone(), early.clone()], EndedGames::default()).await.unwrap();
        let by_end: Vec<_> = keys(&store, b'd').await.iter().map(|key| time_and_id(key).unwrap().1).collect();
        assert_eq!(by_end, [early.id, late.id]);

        let stored = earlier_version.clone();
        let put = move |mut transaction: Transaction| {
            let game = stored.clone();
            async move {
                transaction.set(&key_of(game.id), encode(&game)).await?;
                Ok((transaction, ()))
            }
        };
        store.change_played(put).await.unwrap();
        let all = [late.clone(), early.clone(), earlier_version.clone()];
        assert_eq!(store.all_games(None, 10).await.unwrap(), all);
        assert_eq!(store.game(earlier_version.id).await.unwrap(), Some(earlier_version.clone()));

        store.set_share_token(earlier_version.id, Some("token")).await.unwrap();
        let shared = GameRow { share_token: Some("token".to_owned()), ..earlier_version };
        assert_eq!(store.game_by_share_token("token").await.unwrap(), Some(shared.clone()));
        assert_eq!((keys(&store, b'd').await.len(), keys(&store, b'g').await.len()), (3, 3));
        let remove = move |mut transaction: Transaction| {
            let game = shared.clone();
            async move {
                remove(&mut transaction, &game).await?;
                Ok((transaction, ()))
            }
        };
        store.change_played(remove).await.unwrap();
        assert_eq!((keys(&store, b'd').await.len(), keys(&store, b'g').await.len()), (2, 2));
        assert_eq!(store.all_games(None, 10).await.unwrap(), [late, early]);
    }
}
