//! The value of a finished game's [record](super::records), encoded with postcard.
//!
//! The ids of the game, of its players and of its event stand in the caller's state once more. Nothing makes an id smaller,
//! so there they are references.

use bytes::Bytes;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::records::{corrupt, number};
use super::{GameRow, GameStatus};
use crate::Result;
use crate::played::records::{decode as read, encode_after};

/// Set in the first byte, which is the number of the status besides. A value of an earlier version begins with that
/// number alone.
const ABRIDGED: u8 = 0x10;

/// Enough for a game of 3×3, so that its value need not grow.
const USUAL_BYTES: usize = 256;

/// The part of a state in which ids are looked for, in bytes from its start.
const SEARCHED: usize = 4 << 10;

/// A game after its first byte. Its id is in its key. The order of the fields is that of the bytes.
#[derive(Serialize, Deserialize)]
struct Stored {
    game_type: String,
    event_id: Option<uuid::Bytes>,
    players: Vec<uuid::Bytes>,
    /// Unix milliseconds.
    created_at: i64,
    /// Milliseconds from then to the end.
    lasted: Option<i64>,
    journal_seq: i64,
    share_token: Option<String>,
    state: Abridged,
}

/// As earlier versions stored a game.
#[derive(Deserialize)]
struct EarlierStored {
    status: u8,
    game_type: String,
    event_id: Option<Uuid>,
    players: Vec<Uuid>,
    /// Unix milliseconds, as the end.
    created_at: i64,
    ended_at: Option<i64>,
    journal_seq: i64,
    share_token: Option<String>,
    state: Bytes,
}

/// Bytes without the ids in them that are known from elsewhere.
#[derive(Serialize, Deserialize)]
struct Abridged {
    /// What is before an id, and which of the known ones it is.
    parts: Vec<(Bytes, usize)>,
    rest: Bytes,
}

impl Abridged {
    fn of(bytes: &Bytes, known: &[Uuid]) -> Self {
        let searched = &bytes[..bytes.len().min(SEARCHED)];
        let (mut parts, mut start, mut at) = (vec![], 0_usize, 0_usize);
        while let Some(next) = searched.get(at..at + 16) {
            match known.iter().position(|id| id.as_bytes() == next) {
                Some(id) => {
                    parts.push((bytes.slice(start..at), id));
                    at += 16;
                    start = at;
                }
                None => at += 1,
            }
        }
        Self { parts, rest: bytes.slice(start..) }
    }

    /// `None` for a reference to none of the known ids.
    fn whole(&self, known: &[Uuid]) -> Option<Bytes> {
        let mut bytes = vec![];
        for (before, id) in &self.parts {
            bytes.extend_from_slice(before);
            bytes.extend_from_slice(known.get(*id)?.as_bytes());
        }
        bytes.extend_from_slice(&self.rest);
        Some(bytes.into())
    }
}

/// The ids that a state can refer to. Append, never reorder: references are stored by number.
fn known(game: Uuid, players: &[Uuid], event: Option<Uuid>) -> Vec<Uuid> {
    std::iter::once(game).chain(players.iter().copied()).chain(event).collect()
}

fn utc(milliseconds: i64) -> Result<DateTime<Utc>> {
    DateTime::from_timestamp_millis(milliseconds).ok_or_else(|| corrupt("a time beyond all calendars"))
}

fn finished(status: u8) -> Result<GameStatus> {
    match status {
        2 => Ok(GameStatus::Completed),
        3 => Ok(GameStatus::Cancelled),
        _ => Err(corrupt("the status of a live one")),
    }
}

impl Stored {
    fn row(self, id: Uuid, status: u8) -> Result<GameRow> {
        let Self { game_type, event_id, players, created_at, lasted, journal_seq, share_token, state } = self;
        let event_id = event_id.map(Uuid::from_bytes);
        let players: Vec<Uuid> = players.into_iter().map(Uuid::from_bytes).collect();
        let state = state.whole(&known(id, &players, event_id)).ok_or_else(|| corrupt("a reference to no id"))?;
        Ok(GameRow {
            id,
            status: finished(status)?,
            game_type,
            event_id,
            players,
            created_at: utc(created_at)?,
            ended_at: lasted.map(|lasted| utc(created_at.saturating_add(lasted))).transpose()?,
            journal_seq,
            state,
            share_token,
        })
    }
}

impl EarlierStored {
    fn row(self, id: Uuid) -> Result<GameRow> {
        Ok(GameRow {
            id,
            status: finished(self.status)?,
            game_type: self.game_type,
            event_id: self.event_id,
            players: self.players,
            created_at: utc(self.created_at)?,
            ended_at: self.ended_at.map(utc).transpose()?,
            journal_seq: self.journal_seq,
            state: self.state,
            share_token: self.share_token,
        })
    }
}

pub(super) fn encode(game: &GameRow) -> Vec<u8> {
    let created_at = game.created_at.timestamp_millis();
    let stored = Stored {
        game_type: game.game_type.clone(),
        event_id: game.event_id.map(Uuid::into_bytes),
        players: game.players.iter().map(|player| player.into_bytes()).collect(),
        created_at,
        lasted: game.ended_at.map(|at| at.timestamp_millis() - created_at),
        journal_seq: game.journal_seq,
        share_token: game.share_token.clone(),
        state: Abridged::of(&game.state, &known(game.id, &game.players, game.event_id)),
    };
    let mut value = Vec::with_capacity(USUAL_BYTES);
    value.push(ABRIDGED | number(game.status));
    encode_after(value, &stored)
}

pub(super) fn decode(id: Uuid, value: &[u8]) -> Result<GameRow> {
    match value.split_first() {
        Some((first, rest)) if first & ABRIDGED != 0 => read::<Stored>(rest)?.row(id, first ^ ABRIDGED),
        _ => read::<EarlierStored>(value)?.row(id),
    }
}

#[cfg(test)]
mod tests {
    use rand::rngs::StdRng;
    use rand::{Rng, SeedableRng};

    use super::*;
    use crate::{DatabaseUrl, EndedGames, OpenOptions, PlayedGame, PlayedKind, Store};

    fn at(milliseconds: i64) -> DateTime<Utc> {
        DateTime::from_timestamp_millis(milliseconds).unwrap()
    }

    fn id(random: &mut StdRng) -> Uuid {
        Uuid::from_u128(random.random())
    }

    /// A drawn game of 3×3 between friends, its state as long as the program's, and the ids in it as often.
    fn typical(random: &mut StdRng) -> GameRow {
        let (game, players) = (id(random), [id(random), id(random)]);
        let mut state = vec![];
        for (before, id) in [(3, game), (23, players[0]), (12, players[1])] {
            state.extend((0..before).map(|_| random.random::<u8>()));
            state.extend_from_slice(id.as_bytes());
        }
        state.extend((0..92).map(|_| random.random::<u8>()));
        GameRow {
            id: game,
            status: GameStatus::Completed,
            game_type: "invite".to_owned(),
            event_id: None,
            players: players.to_vec(),
            created_at: at(1_800_000_000_000),
            ended_at: Some(at(1_800_000_060_000)),
            journal_seq: 1_000_000,
            state: state.into(),
            share_token: None,
        }
    }

    fn any(random: &mut StdRng) -> GameRow {
        let players: Vec<Uuid> = (0..random.random_range(0..=2)).map(|_| id(random)).collect();
        let event_id = random.random_bool(0.5).then(|| id(random));
        let game = id(random);
        let ids = known(game, &players, event_id);
        let mut state = vec![];
        for _ in 0..random.random_range(0..6) {
            state.extend((0..random.random_range(0..40)).map(|_| random.random::<u8>()));
            state.extend_from_slice(ids[random.random_range(0..ids.len())].as_bytes());
        }
        if random.random_bool(0.1) {
            state.resize(SEARCHED - random.random_range(0..32_usize), 0);
            state.extend_from_slice(game.as_bytes());
        }
        GameRow {
            id: game,
            status: if random.random() { GameStatus::Completed } else { GameStatus::Cancelled },
            game_type: ["", "quick"][random.random_range(0..2_usize)].to_owned(),
            event_id,
            players,
            created_at: at(random.random_range(-1_000_000_000_000..10_000_000_000_000)),
            ended_at: random.random_bool(0.9).then(|| at(random.random_range(0..10_000_000_000_000))),
            journal_seq: random.random(),
            state: state.into(),
            share_token: random.random_bool(0.5).then(|| "token".to_owned()),
        }
    }

    #[test]
    fn a_game_comes_back_as_it_was() {
        let mut random = StdRng::seed_from_u64(7);
        for _ in 0..2_000 {
            let game = any(&mut random);
            let value = encode(&game);
            assert_eq!(decode(game.id, &value), Ok(game.clone()));
            assert!(decode(game.id, &value[..value.len() - 1]).is_err(), "what is cut off");
        }
        let nil = GameRow { id: Uuid::nil(), state: vec![0_u8; 40].into(), ..typical(&mut random) };
        assert_eq!(decode(nil.id, &encode(&nil)), Ok(nil));
    }

    #[test]
    fn a_reference_to_no_id_and_the_status_of_a_live_game_are_refused() {
        let game = typical(&mut StdRng::seed_from_u64(7));
        let alone = |status: u8, state: Abridged| {
            let stored = Stored {
                game_type: String::new(),
                event_id: None,
                players: vec![],
                created_at: 0,
                lasted: None,
                journal_seq: 0,
                share_token: None,
                state,
            };
            decode(game.id, &encode_after(vec![ABRIDGED | status], &stored))
        };
        let state = |id| Abridged { parts: vec![(Bytes::new(), id)], rest: Bytes::new() };
        assert_eq!(alone(2, state(0)).unwrap().state, game.id.as_bytes()[..]);
        assert!(alone(2, state(1)).is_err());
        assert!(alone(1, state(0)).is_err());
    }

    #[test]
    fn what_earlier_versions_stored_is_read() {
        let (id, ann, bob) = (Uuid::from_u128(7), Uuid::from_u128(8), Uuid::from_u128(9));
        // The numbers are twice as large, since the sign is in the last bit: 60,000 and 3.
        let value = [
            &[2_u8, 6][..],
            b"invite",
            &[0, 2, 16],
            ann.as_bytes(),
            &[16],
            bob.as_bytes(),
            &[0, 1, 0xc0, 0xa9, 0x07, 6, 0, 5],
            b"state",
        ];
        let game = GameRow {
            id,
            status: GameStatus::Completed,
            game_type: "invite".to_owned(),
            event_id: None,
            players: vec![ann, bob],
            created_at: at(0),
            ended_at: Some(at(60_000)),
            journal_seq: 3,
            state: Bytes::from_static(b"state"),
            share_token: None,
        };
        assert_eq!(decode(id, &value.concat()), Ok(game));
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_typical_game_is_some_five_hundred_bytes_of_keys_and_values() {
        let game = typical(&mut StdRng::seed_from_u64(7));
        assert!(encode(&game).len() <= 200, "{}", encode(&game).len());
        let played = PlayedGame {
            game_id: game.id,
            players: [game.players[0], game.players[1]],
            winner: None,
            kind: PlayedKind::Invite,
            board_size: 3,
            clock: "none".to_owned(),
            reason: None,
            event_id: None,
            moves: 9,
            at: at(1_800_000_060_000),
        };
        let store = Store::open(&DatabaseUrl::Memory, OpenOptions::default()).await.unwrap();
        store.upsert_games(&[game], EndedGames { played: &[played], ..EndedGames::default() }).await.unwrap();
        let transaction = store.engine.played.read().await.unwrap();
        let entries = transaction.scan(b"", &[0xff], usize::MAX).await.unwrap();
        let bytes = |letters: &[u8]| -> usize {
            let entries = entries.iter().filter(|(key, _)| letters.contains(&key[0]));
            entries.map(|(key, value)| key.len() + value.len()).sum()
        };
        // The game, and what lists it for each player and for both.
        assert!(bytes(b"dgupb") <= 540, "{}", bytes(b"dgupb"));
        // Results of each player and against each opponent, however many games they have.
        assert!(bytes(b"tv") <= 140, "{}", bytes(b"tv"));
        assert_eq!(bytes(b"dgupbtv"), bytes(&(0..=255).collect::<Vec<u8>>()));
    }
}
