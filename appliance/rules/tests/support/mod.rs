//! Players and games that the tests share.
#![allow(dead_code, reason = "each test file uses its own part")]

use morpion_rules::clock::{NO_SHOW, TimeControl};
use morpion_rules::game::{Entrant, EventSetup, InviteSetup, Player, QuickSetup, Tiebreak};
use morpion_rules::{BoardSize, Cell, Command, EventId, Game, GameId, Mark, Millis, UserId};
use uuid::Uuid;

pub const START: Millis = Millis(1_700_000_000_000);

pub fn id(n: u128) -> UserId {
    UserId(Uuid::from_u128(n))
}

/// The user who plays `mark` in the games below.
pub fn user(mark: Mark) -> UserId {
    id(1 + mark.index() as u128)
}

pub fn stranger() -> UserId {
    id(99)
}

pub fn player(mark: Mark) -> Player {
    Player { user: user(mark), username: format!("player-{mark}") }
}

pub fn size(side: u8) -> BoardSize {
    BoardSize::new(side).unwrap()
}

pub fn cell(row: u8, col: u8) -> Cell {
    Cell::new(row, col).unwrap()
}

pub fn invite_setup(side: u8, starter: Mark) -> InviteSetup {
    InviteSetup {
        id: GameId(Uuid::from_u128(7)),
        inviter: player(Mark::X),
        opponent: Some(player(Mark::O)),
        size: size(side),
        starter,
        control: TimeControl::Untimed,
    }
}

pub fn quick_setup(side: u8, starter: Mark, control: TimeControl) -> QuickSetup {
    QuickSetup {
        id: GameId(Uuid::from_u128(6)),
        players: Mark::BOTH.map(player),
        size: size(side),
        starter,
        control,
        rated: true,
    }
}

pub fn event_setup(side: u8, starter: Mark) -> EventSetup {
    let entrant =
        |mark| Entrant { player: player(mark), tiebreak: Tiebreak { losses: 1, joined_event_at: START - 1_000 } };
    EventSetup {
        id: GameId(Uuid::from_u128(8)),
        event: EventId(Uuid::from_u128(9)),
        entrants: [entrant(Mark::X), entrant(Mark::O)],
        level: 2,
        size: size(side),
        starter,
        seed: 0,
        control: TimeControl::PerTurn,
        no_show: NO_SHOW,
        rated: true,
    }
}

pub fn join(mark: Mark) -> Command {
    Command::Join { user: user(mark) }
}

pub fn play(mark: Mark, cell: Cell) -> Command {
    Command::Move { user: user(mark), cell, at_version: None }
}

/// Both players join at `START`.
pub fn started(mut game: Game) -> Game {
    for mark in Mark::BOTH {
        game.apply(&join(mark), START).unwrap();
    }
    game
}

/// An active invite game.
pub fn invite(side: u8, starter: Mark) -> Game {
    started(Game::invite(invite_setup(side, starter), START).unwrap())
}

/// An active invite game with a time control.
pub fn timed_invite(control: TimeControl) -> Game {
    started(Game::invite(InviteSetup { control, ..invite_setup(3, Mark::X) }, START).unwrap())
}

/// An active quick game.
pub fn quick(side: u8, control: TimeControl) -> Game {
    started(Game::quick(quick_setup(side, Mark::X, control), START).unwrap())
}

/// An active game of an event with a clock.
pub fn timed_event(side: u8, control: TimeControl) -> Game {
    started(Game::event(EventSetup { control, ..event_setup(side, Mark::X) }, START).unwrap())
}

/// An active event game.
pub fn event(side: u8, starter: Mark) -> Game {
    started(Game::event(event_setup(side, starter), START).unwrap())
}

/// A full board without a line: pairs of a row alternate, and so do rows. Cells of the player who
/// moves first, then of the other.
pub fn drawn_cells(side: u8) -> [Vec<Cell>; 2] {
    let all = (0..side).flat_map(|row| (0..side).map(move |col| (row, col)));
    let (first, second): (Vec<_>, Vec<_>) = all.partition(|(row, col)| (row + col / 2) % 2 == 0);
    [first, second].map(|cells| cells.into_iter().map(|(row, col)| cell(row, col)).collect())
}

/// Plays the round under way to a full board, X taking `ms[0]` and O `ms[1]` for each move.
/// Returns the time of the last move.
pub fn draw_round(game: &mut Game, mut now: Millis, ms: [i64; 2]) -> Millis {
    let [first, second] = drawn_cells(game.board().size().get());
    let mut cells = [first.into_iter(), second.into_iter()];
    for turn in 0..game.board().size().cells() as usize {
        let mark = game.to_move().unwrap();
        now = now + ms[mark.index()];
        let cell = cells[turn % 2].next().unwrap();
        game.apply(&play(mark, cell), now).unwrap();
    }
    now
}
