//! The stored form of games: journal records while they are played, checkpoint rows now and then.
//!
//! Both are encoded with postcard, which stores enum variants by number: append, never reorder. The moves of a checkpoint
//! row are packed.

use std::borrow::Cow;

use bytes::Bytes;
use morpion_rules::{
    BoardSize, Cell, Command, Game, GameId, Mark, Millis, Status, game::Ply, rating::RatedResult, standings::GameResult,
};
use morpion_store::{GameRow, GameStatus, PlayedGame, PlayedKind, ResultRow};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::clock::utc;

/// The data of a game that the rules do not know.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Meta {
    /// The first to open a link with this token takes the open seat.
    pub invite_token: Option<String>,
    /// The invited player is notified.
    pub notify: bool,
    /// From play time, which the rules use, to calendar time as of the game's creation.
    pub calendar: i64,
    /// The finished game after which this one was offered.
    pub rematch_of: Option<GameId>,
}

impl Meta {
    /// Converts an instant of the game to calendar time.
    pub fn date(&self, at: Millis) -> Millis {
        at + self.calendar
    }
}

/// Enough for a move, so that its record need not grow.
const USUAL_BYTES: usize = 64;

/// The first byte of a checkpoint whose moves are packed. One whose are not begins with the length of an id, 16.
const PACKED: u8 = 1;

/// A checkpoint in three parts. Moves are most of it, and the time is most of a move.
#[derive(Serialize, Deserialize)]
struct Packed<'a> {
    before: &'a [u8],
    /// The cell, with the mark and whether the round is a further one in the highest two bits; and the milliseconds since
    /// the move before.
    moves: Vec<(u8, i64)>,
    after: &'a [u8],
}

impl Packed<'_> {
    /// `None` for a game without moves.
    fn encode(checkpoint: &[u8], history: &[Ply]) -> Option<Vec<u8>> {
        if history.is_empty() {
            return None;
        }
        let plain = postcard::to_stdvec(history).ok()?;
        let start = checkpoint.windows(plain.len()).position(|part| part == plain)?;
        let (before, after) = (&checkpoint[..start], &checkpoint[start + plain.len()..]);
        let packed = Packed { before, moves: pack(history)?, after };
        postcard::to_extend(&packed, vec![PACKED]).ok()
    }

    /// The checkpoint as it was.
    fn decode(bytes: &[u8]) -> Result<Vec<u8>, postcard::Error> {
        let Packed { before, moves, after } = read(bytes)?;
        let history = unpack(&moves).ok_or(postcard::Error::DeserializeBadEncoding)?;
        let history = postcard::to_stdvec(&history)?;
        Ok([before, &history[..], after].concat())
    }
}

/// `None` where a round is left out.
fn pack(history: &[Ply]) -> Option<Vec<(u8, i64)>> {
    let (mut round, mut last) = (1_u8, 0_i64);
    let packed = |ply: &Ply| {
        let further = ply.round.checked_sub(round).filter(|rounds| *rounds <= 1)?;
        let since = ply.at.0.wrapping_sub(last);
        (round, last) = (ply.round, ply.at.0);
        Some((u8::from(ply.cell) | (ply.mark.index() as u8) << 6 | further << 7, since))
    };
    history.iter().map(packed).collect()
}

/// `None` for what is no cell, and for too many rounds.
fn unpack(moves: &[(u8, i64)]) -> Option<Vec<Ply>> {
    let (mut round, mut last) = (1_u8, 0_i64);
    let unpacked = |&(packed, since): &(u8, i64)| {
        round = round.checked_add(packed >> 7)?;
        last = last.wrapping_add(since);
        let cell = Cell::try_from(packed & 0x3f).ok()?;
        Some(Ply { round, mark: Mark::BOTH[usize::from(packed >> 6 & 1)], cell, at: Millis(last) })
    };
    moves.iter().map(unpacked).collect()
}

/// Reads a value that is all of these bytes.
fn read<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> Result<T, postcard::Error> {
    match postcard::take_from_bytes(bytes)? {
        (value, []) => Ok(value),
        _ => Err(postcard::Error::DeserializeBadEncoding),
    }
}

/// As [`read`], for what ends with a [`Meta`]. Games stored earlier have no `rematch_of`, and before that no `calendar`
/// either: each is a zero that is missing at the end.
fn read_checkpoint<T: DeserializeOwned + Serialize>(
    bytes: &[u8],
    meta: impl Fn(&T) -> Option<&Meta>,
) -> Result<T, postcard::Error> {
    let error = match read(bytes) {
        Err(error @ postcard::Error::DeserializeUnexpectedEnd) => error,
        outcome => return outcome,
    };
    for missing in [&[0][..], &[0, 0]] {
        let completed = [bytes, missing].concat();
        let Ok(value) = read::<T>(&completed) else { continue };
        // What is cut off can be completed, too: an id, or a calendar that is not written so.
        if meta(&value).is_some_and(|meta| meta.rematch_of.is_none()) && postcard::to_stdvec(&value)? == completed {
            return Ok(value);
        }
    }
    Err(error)
}

/// A game as of some version.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Checkpoint {
    pub game: Game,
    pub meta: Meta,
}

/// The end of a rated game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RatedEnd {
    pub game: GameId,
    pub result: RatedResult,
    /// Calendar time.
    pub at: Millis,
    /// Of the last board.
    pub board_size: BoardSize,
}

/// One entry of the journal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Record {
    Opened(Box<Checkpoint>),
    /// A command that a game accepted at this version. Replayed onto a newer game it does nothing.
    Played {
        id: GameId,
        version: u64,
        now: Millis,
        command: Command,
    },
}

impl Record {
    pub fn encode(&self) -> Vec<u8> {
        postcard::to_extend(self, Vec::with_capacity(USUAL_BYTES)).expect("a record is plain data")
    }

    /// # Errors
    /// The bytes are no record: the journal is damaged or from a newer version.
    pub fn decode(bytes: &[u8]) -> Result<Self, postcard::Error> {
        // The number of the variant.
        if bytes.first() != Some(&0) {
            return read(bytes);
        }
        read_checkpoint(bytes, |record| match record {
            Self::Opened(checkpoint) => Some(&checkpoint.meta),
            Self::Played { .. } => None,
        })
    }
}

impl Checkpoint {
    /// The row of the `game` table that holds this checkpoint.
    pub fn row(&self, journal_seq: u64) -> GameRow {
        let game = &self.game;
        GameRow {
            id: game.id().0,
            status: match game.status() {
                Status::Waiting => GameStatus::Waiting,
                Status::Active => GameStatus::Active,
                Status::Completed => GameStatus::Completed,
                Status::Cancelled => GameStatus::Cancelled,
            },
            game_type: kind(game).to_owned(),
            event_id: game.event_id().map(|event| event.0),
            players: Mark::BOTH.into_iter().filter_map(|mark| game.player(mark)).map(|player| player.user.0).collect(),
            created_at: utc(self.meta.date(game.created_at())),
            ended_at: game.outcome().map(|outcome| utc(self.meta.date(outcome.at))),
            journal_seq: journal_seq as i64,
            state: Bytes::from(self.encode()),
            share_token: None,
        }
    }

    pub fn encode(&self) -> Vec<u8> {
        let plain = postcard::to_stdvec(self).expect("a checkpoint is plain data");
        Packed::encode(&plain, self.game.history()).unwrap_or(plain)
    }

    /// The result for the event's standings; `None` while the game is played, without a winner, and for an invite game.
    pub fn result(&self) -> Option<ResultRow> {
        let result = GameResult::of(&self.game)?;
        Some(ResultRow {
            game_id: result.game.0,
            event_id: self.game.event_id()?.0,
            winner: result.winner.0,
            loser: result.loser.0,
            starter: result.starter.map(|user| user.0),
            at: utc(result.at),
        })
    }

    /// The result for the players' ratings; `None` unless the game is rated and was played to its end.
    pub fn rated_end(&self) -> Option<RatedEnd> {
        let result = RatedResult::of(&self.game)?;
        let at = self.meta.date(self.game.outcome()?.at);
        Some(RatedEnd { game: self.game.id(), result, at, board_size: self.game.board().size() })
    }

    /// Whether the moves are compared with the solver: those of a rated game that was played to its end.
    pub fn is_compared(&self) -> bool {
        self.rated_end().is_some() && !self.game.history().is_empty()
    }

    /// Whether it is over and nobody played: no move, and no result.
    pub fn is_unplayed(&self) -> bool {
        self.game.status() == Status::Cancelled && self.game.history().is_empty()
    }

    /// The game for the histories of its players; `None` while it is played, and for one that counts for nobody.
    pub fn played(&self) -> Option<PlayedGame> {
        let game = &self.game;
        let outcome = game.outcome().filter(|_| game.status() == Status::Completed)?;
        if outcome.winner.is_none() && !game.is_draw() {
            return None;
        }
        let user = |mark| Some(game.player(mark)?.user.0);
        Some(PlayedGame {
            game_id: game.id().0,
            players: [user(Mark::X)?, user(Mark::O)?],
            winner: outcome.winner.and_then(user),
            kind: match (game.is_event(), game.is_quick()) {
                (true, _) if game.is_rated() => PlayedKind::Event,
                (true, _) => PlayedKind::UnratedEvent,
                (_, true) if game.is_rated() => PlayedKind::Rated,
                (_, true) => PlayedKind::Casual,
                _ => PlayedKind::Invite,
            },
            board_size: game.board().size().get(),
            clock: super::wire::clock(game).as_str().to_owned(),
            reason: outcome.reason.map(|reason| reason.as_str().to_owned()),
            event_id: game.event_id().map(|event| event.0),
            moves: u32::try_from(game.history().len()).unwrap_or(u32::MAX),
            at: utc(self.meta.date(outcome.at)),
        })
    }

    /// # Errors
    /// The bytes are no checkpoint.
    pub fn decode(bytes: &[u8]) -> Result<Self, postcard::Error> {
        let plain = match bytes.split_first() {
            Some((&PACKED, packed)) => Cow::Owned(Packed::decode(packed)?),
            _ => Cow::Borrowed(bytes),
        };
        read_checkpoint(&plain, |checkpoint: &Self| Some(&checkpoint.meta))
    }
}

fn kind(game: &Game) -> &'static str {
    if game.is_event() {
        "event"
    } else if game.is_quick() {
        "quick"
    } else {
        "invite"
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use morpion_rules::{
        UserId,
        clock::TimeControl,
        game::{InviteSetup, Player},
    };
    use proptest::{collection::vec, prelude::*};
    use uuid::Uuid;

    /// A drawn game of 3×3 between friends, with so many milliseconds between the moves.
    fn drawn(pace: i64) -> Checkpoint {
        let [ada, bob] = [1, 2].map(|number| Player {
            user: UserId(Uuid::from_u128(u128::MAX / number)),
            username: format!("player{number}"),
        });
        let setup = InviteSetup {
            id: GameId(Uuid::from_u128(u128::MAX / 7)),
            inviter: ada.clone(),
            opponent: Some(bob.clone()),
            size: BoardSize::MIN,
            starter: Mark::X,
            control: TimeControl::Untimed,
        };
        let start = Millis(1_800_000_000_000);
        let mut game = Game::invite(setup, start).expect("two players");
        for user in [ada.user, bob.user] {
            game.apply(&Command::Join { user }, start).expect("a player");
        }
        for (number, cell) in [0, 1, 2, 4, 3, 5, 7, 6, 8].into_iter().enumerate() {
            let user = game.current_turn().expect("it is not over");
            let cell = Cell::new(cell / 3, cell % 3).expect("a cell of the board");
            let command = Command::Move { user, cell, at_version: None };
            game.apply(&command, start + pace * (number as i64 + 1)).expect("a free cell");
        }
        assert!(game.is_draw());
        let rematch_of = Some(GameId(Uuid::from_u128(u128::MAX / 11)));
        Checkpoint { game, meta: Meta { invite_token: None, notify: true, calendar: 40, rematch_of } }
    }

    #[test]
    fn the_moves_of_a_checkpoint_are_packed() {
        for pace in [0, 25, 8_000, 1 << 40] {
            let checkpoint = drawn(pace);
            let encoded = checkpoint.encode();
            assert_eq!(Checkpoint::decode(&encoded).as_ref(), Ok(&checkpoint));
            let plain = postcard::to_stdvec(&checkpoint).unwrap();
            assert_eq!(Checkpoint::decode(&plain).as_ref(), Ok(&checkpoint), "as earlier versions stored it");
            for length in 0..encoded.len() {
                assert!(Checkpoint::decode(&encoded[..length]).is_err(), "cut off after {length} bytes");
            }
            assert!(Checkpoint::decode(&[&encoded[..], &[0]].concat()).is_err(), "more follows");
        }
        for pace in [25, 8_000] {
            let length = drawn(pace).encode().len();
            assert!(length <= 195, "{length}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn packed_moves_come_back(
            moves in (1..=2_u8).prop_flat_map(|most| {
                vec((0..=most, 0..6_u8, 0..6_u8, any::<bool>(), any::<i64>()), 0..100)
            })
        ) {
            let mut round = 1;
            let ply = |&(further, row, col, is_x, at): &(u8, u8, u8, bool, i64)| {
                round += further;
                let (mark, cell) = (if is_x { Mark::X } else { Mark::O }, Cell::new(row, col).unwrap());
                Ply { round, mark, cell, at: Millis(at) }
            };
            let history: Vec<Ply> = moves.iter().map(ply).collect();
            let packed = pack(&history);
            prop_assert_eq!(packed.is_some(), moves.iter().all(|(further, ..)| *further <= 1));
            if let Some(packed) = packed {
                prop_assert_eq!(unpack(&packed), Some(history));
            }
        }

        #[test]
        fn bytes_that_are_no_checkpoint_are_refused(bytes in vec(any::<u8>(), 0..100)) {
            prop_assert!(Checkpoint::decode(&[&[PACKED][..], &bytes].concat()).is_err());
        }
    }

    #[test]
    fn a_checkpoint_and_a_record_come_back_as_they_were() {
        let inviter = Player { user: UserId(Uuid::from_u128(1)), username: "ada".into() };
        let setup = InviteSetup {
            id: GameId(Uuid::from_u128(7)),
            inviter,
            opponent: None,
            size: BoardSize::try_from(4).expect("4 is a size"),
            starter: Mark::X,
            control: TimeControl::Increment,
        };
        let game = Game::invite(setup, Millis(5)).expect("an open invite");
        let rematch_of = Some(GameId(Uuid::from_u128(6 << 64)));
        let meta = Meta { invite_token: Some("t".into()), notify: true, calendar: 86_400_000, rematch_of };
        let checkpoint = Checkpoint { game, meta };
        let row = checkpoint.row(3);
        assert_eq!(row.status, GameStatus::Waiting);
        assert_eq!(row.created_at, utc(Millis(86_400_005)));
        assert_eq!(Checkpoint::decode(&row.state).as_ref(), Ok(&checkpoint));
        let record = Record::Opened(Box::new(checkpoint));
        assert_eq!(Record::decode(&record.encode()).as_ref(), Ok(&record));
        let encoded = record.encode();
        // Without the 18 bytes of the last field it is a game as they were stored before, and so without the calendar's
        // four bytes.
        let earlier = [encoded.len() - 18, encoded.len() - 22];
        for length in (0..encoded.len()).filter(|length| !earlier.contains(length)) {
            assert!(Record::decode(&encoded[..length]).is_err(), "cut off after {length} bytes");
        }
        assert!(Record::decode(&[&encoded[..], &[0]].concat()).is_err(), "more follows");
        assert!(Record::decode(&[250, 1, 2]).is_err());
    }

    #[test]
    fn what_was_stored_before_games_had_a_calendar_or_a_predecessor_is_read() {
        #[derive(Serialize)]
        struct OldCheckpoint<M>(Game, M);
        #[derive(Serialize)]
        enum OldRecord<M> {
            Opened(Box<OldCheckpoint<M>>),
        }
        let inviter = Player { user: UserId(Uuid::from_u128(1)), username: "ada".into() };
        let size = BoardSize::try_from(3).expect("3 is a size");
        let (id, control) = (GameId(Uuid::from_u128(7)), TimeControl::Untimed);
        let setup = InviteSetup { id, inviter, opponent: None, size, starter: Mark::X, control };
        let game = Game::invite(setup, Millis(5)).expect("an open invite");
        fn is_read<M: Serialize + Clone>(game: &Game, old: M, calendar: i64) {
            let meta = Meta { invite_token: Some("t".into()), notify: true, calendar, rematch_of: None };
            let now = Checkpoint { game: game.clone(), meta };
            let old = || OldCheckpoint(game.clone(), old.clone());
            assert_eq!(Checkpoint::decode(&postcard::to_stdvec(&old()).unwrap()).as_ref(), Ok(&now));
            let record = postcard::to_stdvec(&OldRecord::Opened(Box::new(old()))).unwrap();
            assert_eq!(Record::decode(&record), Ok(Record::Opened(Box::new(now))));
        }
        is_read(&game, (Some("t"), true), 0);
        for calendar in [0, -1, 86_400_000] {
            is_read(&game, (Some("t"), true, calendar), calendar);
        }
    }
}
