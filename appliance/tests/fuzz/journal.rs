//! The journal: what is read back is what was written, whole, or the start says that it is damaged.

use bytes::Bytes;
use morpion_appliance::play::record::{Checkpoint, Meta, Record};
use morpion_rules::{
    BoardSize, Cell, Command, Game, GameId, Mark, Millis, UserId,
    clock::TimeControl,
    game::{InviteSetup, Player},
};
use morpion_store::JournalRecord;
use uuid::Uuid;

use crate::runner::Target;

/// As the journal's committer writes entries.
fn stored(entries: &[Vec<u8>]) -> Vec<u8> {
    let entry = |entry: &Vec<u8>| [&(entry.len() as u32).to_le_bytes()[..], entry].concat();
    [vec![1], entries.iter().flat_map(entry).collect()].concat()
}

#[test]
fn a_record_of_the_journal_is_read_whole_or_not_at_all() {
    let seeds = vec![stored(&[]), stored(&[vec![]]), stored(&[vec![7, 8], vec![], vec![9; 300]])];
    Target { name: "journal", seeds, ..Target::default() }.run(|input| {
        let whole = JournalRecord::decode(7, Bytes::copy_from_slice(input));
        if let Ok(record) = whole {
            assert_eq!(record.seq, 7);
            let entries: Vec<_> = record.entries.iter().map(|entry| entry.to_vec()).collect();
            assert_eq!(stored(&entries), input, "something of it was passed over");
        }
    });
}

/// A game in play, as it is opened and as it is commanded.
fn records() -> Vec<Record> {
    let player = |number, name: &str| Player { user: UserId(Uuid::from_u128(number)), username: name.into() };
    let (ada, bob) = (player(1, "ada"), player(2, "bob"));
    let size = BoardSize::try_from(3).unwrap();
    let id = GameId(Uuid::from_u128(7));
    let control = TimeControl::Untimed;
    let setup = InviteSetup { id, inviter: ada.clone(), opponent: Some(bob.clone()), size, starter: Mark::X, control };
    let mut game = Game::invite(setup, Millis(5)).unwrap();
    let mut records = vec![];
    let cell = Cell::new(1, 1).unwrap();
    for (seconds, command) in [
        Command::Join { user: ada.user },
        Command::Join { user: bob.user },
        Command::Move { user: ada.user, cell, at_version: None },
        Command::Disconnect { user: bob.user },
        Command::Tick,
        Command::Forfeit { user: bob.user },
        Command::Adjudicate { winner: None, reason: "fuzz".into() },
    ]
    .into_iter()
    .enumerate()
    {
        let now = Millis(1_000 * seconds as i64 + 10);
        let meta = Meta { invite_token: Some("t".into()), notify: true, calendar: 86_400_000, rematch_of: None };
        records.push(Record::Opened(Box::new(Checkpoint { game: game.clone(), meta })));
        records.push(Record::Played { id, version: game.version(), now, command: command.clone() });
        // One that is refused is a record all the same.
        let _ = game.apply(&command, now);
    }
    records
}

#[test]
fn an_entry_is_a_game_or_a_command_or_refused() {
    let seeds = records().iter().map(Record::encode).collect();
    Target { name: "entries", seeds, ..Target::default() }.run(|input| {
        let Ok(record) = Record::decode(input) else { return };
        let written = record.encode();
        assert_eq!(Record::decode(&written).as_ref(), Ok(&record));
        // This is no number, which would be the calendar of a game that has none.
        assert!(Record::decode(&[input, &[0xFF; 11]].concat()).is_err(), "more follows, and is passed over");
        let Record::Opened(checkpoint) = record else { return };
        assert_eq!(Checkpoint::decode(&checkpoint.encode()).as_ref(), Ok(&*checkpoint));
        // Whatever is accepted can be stored and played on.
        checkpoint.row(1);
        let mut game = checkpoint.game;
        let now = game.created_at();
        for mark in Mark::BOTH {
            if let Some(player) = game.player(mark).cloned() {
                let _ = game.apply(&Command::Join { user: player.user }, now);
                let _ = game.apply(&Command::Forfeit { user: player.user }, now);
            }
        }
        let _ = game.apply(&Command::Tick, now);
        let _ = game.apply(&Command::DecideByTime, now);
    });
}
