//! A finished game, move by move.

pub mod view;

use crossterm::event::KeyCode;
use morpion_openapi::game::{GetReplay, Replay as Record, Symbol};
use uuid::Uuid;

use crate::{
    calls::Call,
    fetch::Fetch,
    keymap::{KeyAction, Keys, bind, char, key},
};

#[rustfmt::skip] // One row a line.
pub static KEYS: Keys = Keys { title: "Replay", has_list: false, bindings: &[
    bind(&[char(' ')], KeyAction::Play, "run, or stand still", "run"),
    bind(&[key(KeyCode::Right), char('l')], KeyAction::Right, "the next move", "next"),
    bind(&[key(KeyCode::Left), char('h')], KeyAction::Left, "the move before", "before"),
    bind(&[char('g'), key(KeyCode::Home)], KeyAction::First, "to the beginning", ""),
    bind(&[char('G'), key(KeyCode::End)], KeyAction::Last, "to the end", ""),
]};

/// A running replay shows each move this long.
const STEP_MS: i64 = 900;

#[derive(Debug)]
pub struct Replay {
    pub game_id: Uuid,
    pub fetch: Fetch,
    pub record: Option<Record>,
    /// Counted from 0.
    pub round: usize,
    /// Moves of the round that are on the board.
    pub moves: usize,
    /// When the next move is due, while it runs.
    next_at: Option<i64>,
}

impl Replay {
    pub fn new(game_id: Uuid) -> Self {
        Self { game_id, fetch: Fetch::default(), record: None, round: 0, moves: 0, next_at: None }
    }

    pub fn call(&self) -> Call {
        GetReplay { share_token: None, game_id: Some(self.game_id) }.into()
    }

    /// Begins at the end: the result is what one looks for first.
    pub fn take(&mut self, record: Record, now: i64) {
        self.fetch.succeeded(now);
        self.round = record.rounds.len().saturating_sub(1);
        self.moves = record.rounds.last().map_or(0, |round| round.moves.len());
        self.record = Some(record);
    }

    pub fn is_running(&self) -> bool {
        self.next_at.is_some()
    }

    fn length(&self, round: usize) -> usize {
        self.record.as_ref().and_then(|record| record.rounds.get(round)).map_or(0, |round| round.moves.len())
    }

    pub fn rounds(&self) -> usize {
        self.record.as_ref().map_or(0, |record| record.rounds.len())
    }

    pub fn is_at_end(&self) -> bool {
        self.round + 1 >= self.rounds() && self.moves >= self.length(self.round)
    }

    /// A move on; after the last of a round the next round begins.
    pub fn forward(&mut self) {
        if self.moves < self.length(self.round) {
            self.moves += 1;
        } else if self.round + 1 < self.rounds() {
            (self.round, self.moves) = (self.round + 1, 0);
        }
    }

    pub fn back(&mut self) {
        if self.moves > 0 {
            self.moves -= 1;
        } else if self.round > 0 {
            self.round -= 1;
            self.moves = self.length(self.round);
        }
    }

    pub fn first(&mut self) {
        (self.round, self.moves) = (0, 0);
    }

    pub fn last(&mut self) {
        self.round = self.rounds().saturating_sub(1);
        self.moves = self.length(self.round);
    }

    /// Runs or pauses; at the end it starts over.
    pub fn play(&mut self, now: i64) {
        if self.next_at.take().is_none() {
            if self.is_at_end() {
                self.first();
            }
            self.next_at = Some(now + STEP_MS);
        }
    }

    pub fn tick(&mut self, now: i64) {
        if self.next_at.is_some_and(|at| now >= at) {
            self.forward();
            self.next_at = (!self.is_at_end()).then_some(now + STEP_MS);
        }
    }

    /// The present board.
    pub fn board(&self) -> Vec<Vec<String>> {
        let Some(round) = self.record.as_ref().and_then(|record| record.rounds.get(self.round)) else { return vec![] };
        let size = usize::from(round.board_size);
        let mut board = vec![vec![String::new(); size]; size];
        for played in round.moves.iter().take(self.moves) {
            if let Some(cell) =
                board.get_mut(usize::from(played.row)).and_then(|row| row.get_mut(usize::from(played.col)))
            {
                *cell = played.symbol.to_string();
            }
        }
        board
    }

    /// The line that won, once the last move is on the board.
    pub fn winning_line(&self) -> Option<Vec<[u8; 2]>> {
        let winner = self.record.as_ref()?.winner.filter(|_| self.is_at_end())?;
        let board = self.board();
        winning_line(&board, winner)
    }
}

/// Three in a row on 3×3, four on the others.
fn winning_line(board: &[Vec<String>], winner: Symbol) -> Option<Vec<[u8; 2]>> {
    let size = board.len() as i32;
    let wanted = if size == 3 { 3 } else { 4 };
    let is_winners = |row: i32, col: i32| {
        (0..size).contains(&row) && (0..size).contains(&col) && board[row as usize][col as usize] == winner.as_str()
    };
    for row in 0..size {
        for col in 0..size {
            for (down, right) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
                if (0..wanted).all(|step| is_winners(row + step * down, col + step * right)) {
                    let cells = (0..wanted).map(|step| [(row + step * down) as u8, (col + step * right) as u8]);
                    return Some(cells.collect());
                }
            }
        }
    }
    None
}
