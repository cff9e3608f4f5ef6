//! A match of one or two games: which game comes next, and who has won.

use super::{Outcome, Reason, Side, Verdict};
use crate::board::BoardSize;
use serde::{Deserialize, Serialize};

/// A game of a match that is over.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PlayedGame {
    /// `None`: drawn.
    pub winner: Option<Side>,
    /// The boards of its rounds.
    pub boards: Vec<BoardSize>,
    /// Fair time that each side used, in milliseconds.
    pub used: [i64; 2],
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Next {
    /// A game on this board, in which this side plays X and starts.
    Game {
        board: BoardSize,
        x: Side,
    },
    Decided(Outcome),
}

/// What follows from the games so far in a match of 1 or 2 games on a board. In the second game seats are swapped. At one
/// all a third decides, on the smallest board that was not played; after it, or if all were played, the side that used
/// less time, and of equals the first.
pub fn next(games: u8, board: BoardSize, played: &[PlayedGame]) -> Next {
    let won = |side| played.iter().filter(|game| game.winner == Some(side)).count();
    let [first, second] = Side::BOTH.map(won);
    let left = usize::from(games).saturating_sub(played.len());
    let decided = |side| Next::Decided(Outcome::won(side, Reason::Played));
    if first > second + left {
        return decided(Side::First);
    }
    if second > first + left {
        return decided(Side::Second);
    }
    let x = if played.len().is_multiple_of(2) { Side::First } else { Side::Second };
    if left > 0 {
        return Next::Game { board, x };
    }
    let unplayed = BoardSize::ALL.into_iter().find(|size| !played.iter().any(|game| game.boards.contains(size)));
    match unplayed {
        Some(board) if played.len() == usize::from(games) => Next::Game { board, x },
        _ => {
            let [first, second] = [0, 1].map(|side| played.iter().map(|game| game.used[side]).sum::<i64>());
            decided(if second < first { Side::Second } else { Side::First })
        }
    }
}

/// The outcome of a match that is decided as it stands, because its time is over: more games won, then less time used.
pub fn decide(played: &[PlayedGame]) -> Outcome {
    match next(played.len().try_into().unwrap_or(u8::MAX), BoardSize::ALL[0], played) {
        Next::Decided(outcome) => outcome,
        Next::Game { .. } if played.is_empty() => Outcome { verdict: Verdict::Neither, reason: Reason::Absent },
        Next::Game { .. } => {
            let [first, second] = [0, 1].map(|side| played.iter().map(|game| game.used[side]).sum::<i64>());
            Outcome::won(if second < first { Side::Second } else { Side::First }, Reason::Played)
        }
    }
}
