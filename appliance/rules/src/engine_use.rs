//! How a player's moves compare with the solver's, and what that says: `docs/behaviour/engine-use.md`.
//!
//! Pure, as all rules: whoever calls gives the game, the rating and the solver, and keeps the [`Evidence`].

mod expectation;
mod score;

use crate::GameId;
use crate::board::{Board, BoardSize, Cell, Mark};
use crate::clock::Millis;
use crate::game::Game;
use crate::solver::{Solver, Value};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

pub use expectation::{BANDS, Band, Difficulty, Expectation, Lesson};
pub use score::{Level, MIN_POSITIONS, SKILL_SPREAD, Score, TimePattern, UNUSUAL, chance, z_score};

/// Nodes for one position, at most half a second of one core. A position that takes more counts as unknown.
pub const NODES: u32 = 20_000;

/// A score is of so many of the latest rated games.
pub const GAMES: usize = 100;

/// Positions that are kept to be looked at, some 60 bytes each.
pub const POSITIONS: usize = 30;

/// A critical position that was found within this is fast.
pub const FAST: i64 = 1_500;

/// Positions to be looked at have at least so many bits: at most a quarter of the moves keep the value.
const WORTH_A_LOOK: f64 = 2.0;

/// A move, with the position it was made in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Turn {
    /// From 1.
    pub round: u8,
    /// Of the game's moves, from 1.
    pub ply: u16,
    pub board: Board,
    pub mark: Mark,
    pub cell: Cell,
    /// Milliseconds since the move before, the network's share included.
    pub took: i64,
}

/// Every move of a game with its position.
pub fn turns(game: &Game) -> Vec<Turn> {
    let history = game.history();
    let last_round = history.last().map_or(0, |ply| ply.round);
    let size_of = |round: u8| {
        // A round that another one follows filled its board, which may have been a smaller one.
        let cells = history.iter().filter(|ply| ply.round == round).count();
        match round == last_round {
            true => Some(game.board().size()),
            false => u8::try_from(cells.isqrt()).ok().and_then(BoardSize::new),
        }
    };
    let mut turns = Vec::with_capacity(history.len());
    let mut before = game.started_at().unwrap_or(game.created_at());
    let mut round = 0;
    let mut board = *game.board();
    for (ply, number) in history.iter().zip(1..) {
        if ply.round != round {
            round = ply.round;
            let Some(size) = size_of(round) else { return turns };
            board = Board::empty(size);
        }
        let took = ply.at - before;
        turns.push(Turn { round, ply: number, board, mark: ply.mark, cell: ply.cell, took });
        let Ok(next) = board.place(ply.cell, ply.mark) else { return turns };
        board = next;
        before = ply.at;
    }
    turns
}

/// What a move says.
#[derive(Clone, PartialEq, Debug)]
pub enum Finding {
    /// The solver did not find the value within [`NODES`].
    Unknown,
    /// Nothing: the position is lost, or more than half of the moves keep its value.
    Open,
    /// A line is one stone away, which beginners see, too.
    Immediate { found: bool },
    /// At most half of the moves keep the value.
    Critical { keeping: Vec<Cell>, bits: f64, found: bool },
}

/// Compares a move with the solver.
pub fn examine(turn: &Turn, solver: &mut Solver) -> Finding {
    let Some(solution) = solver.solve(&turn.board, turn.mark, NODES) else { return Finding::Unknown };
    let found = solution.keeping.contains(&turn.cell);
    if solution.value == Value::Loss {
        return Finding::Open;
    }
    if solution.immediate {
        return Finding::Immediate { found };
    }
    if solution.keeping.len() * 2 > usize::from(solution.legal) {
        return Finding::Open;
    }
    let bits = (f64::from(solution.legal) / solution.keeping.len() as f64).log2();
    Finding::Critical { keeping: solution.keeping, bits, found }
}

/// How many there were, and in how many of them a right move was found.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Count {
    pub seen: u32,
    pub found: u32,
}

impl Count {
    fn add(&mut self, found: bool) {
        self.seen += 1;
        self.found += u32::from(found);
    }

    fn join(&mut self, other: Count) {
        self.seen += other.seen;
        self.found += other.found;
    }
}

/// Times of moves: their logarithms, of which the spread does not depend on how fast somebody is.
#[derive(Clone, Copy, PartialEq, Default, Debug, Serialize, Deserialize)]
struct Times {
    count: u32,
    sum: f64,
    squares: f64,
}

impl Times {
    fn add(&mut self, milliseconds: i64) {
        // Below a tenth of a second the network's share decides.
        let logarithm = (milliseconds.max(100) as f64).ln();
        self.count += 1;
        self.sum += logarithm;
        self.squares += logarithm * logarithm;
    }

    fn join(&mut self, other: Times) {
        self.count += other.count;
        self.sum += other.sum;
        self.squares += other.squares;
    }
}

/// What one game says of one of its players. Append-only: stored by order.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GameEvidence {
    pub game: GameId,
    /// Calendar time.
    ended_at: Millis,
    unknown: u32,
    open: u32,
    immediate: Count,
    /// Critical positions of 3×3, which most people know by heart.
    small: Count,
    critical: Count,
    /// How many of the critical ones players of that rating find.
    expected: f64,
    /// Of the critical ones that were found.
    bits: f64,
    /// Critical ones that were found within [`FAST`].
    fast: u32,
    critical_times: Times,
    other_times: Times,
}

/// A hard position in which a right move was found. Append-only: stored by order.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct FoundPosition {
    pub game: GameId,
    pub round: u8,
    pub ply: u16,
    pub board: Board,
    pub mark: Mark,
    pub cell: Cell,
    pub keeping: Vec<Cell>,
    /// The share of players of that rating that find one, 0 to 1.
    pub expected: f64,
    pub took: i64,
    pub ended_at: Millis,
}

/// What is kept of one account. Append-only: stored by order.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize)]
pub struct Evidence {
    games: VecDeque<GameEvidence>,
    positions: VecDeque<FoundPosition>,
}

impl Evidence {
    /// Adds what a game says, once. The oldest game is left out beyond [`GAMES`], the oldest position beyond
    /// [`POSITIONS`].
    pub fn add(&mut self, gathered: Gathered) {
        if self.games.iter().any(|known| known.game == gathered.evidence.game) {
            return;
        }
        self.games.push_back(gathered.evidence);
        self.positions.extend(gathered.positions);
        while self.games.len() > GAMES {
            self.games.pop_front();
        }
        while self.positions.len() > POSITIONS {
            self.positions.pop_front();
        }
    }

    pub fn score(&self) -> Score {
        Score::of(&self.games)
    }

    /// The latest first.
    pub fn positions(&self) -> impl Iterator<Item = &FoundPosition> {
        self.positions.iter().rev()
    }
}

/// Gathers what the moves of one player in one game say.
#[derive(Debug)]
pub struct Gathering {
    gathered: Gathered,
    band: Band,
}

/// What the moves of one player in one game say.
#[derive(Clone, PartialEq, Debug)]
pub struct Gathered {
    pub evidence: GameEvidence,
    pub positions: Vec<FoundPosition>,
    /// What it teaches of players of that rating.
    pub lessons: Vec<Lesson>,
}

impl Gathering {
    /// `ended_at` is calendar time; `rating` is the player's.
    pub fn new(game: GameId, ended_at: Millis, rating: f64) -> Gathering {
        let evidence = GameEvidence {
            game,
            ended_at,
            unknown: 0,
            open: 0,
            immediate: Count::default(),
            small: Count::default(),
            critical: Count::default(),
            expected: 0.0,
            bits: 0.0,
            fast: 0,
            critical_times: Times::default(),
            other_times: Times::default(),
        };
        let gathered = Gathered { evidence, positions: Vec::new(), lessons: Vec::new() };
        Gathering { gathered, band: Band::of(rating) }
    }

    /// Adds a move.
    pub fn add(&mut self, turn: &Turn, finding: Finding, expectation: &Expectation) {
        let Gathered { evidence, positions, lessons } = &mut self.gathered;
        match finding {
            Finding::Unknown => evidence.unknown += 1,
            Finding::Open => {
                evidence.open += 1;
                evidence.other_times.add(turn.took);
            }
            Finding::Immediate { found } => evidence.immediate.add(found),
            Finding::Critical { found, .. } if turn.board.size() == BoardSize::MIN => evidence.small.add(found),
            Finding::Critical { keeping, bits, found } => {
                let lesson =
                    Lesson { size: turn.board.size(), difficulty: Difficulty::of(bits), band: self.band, found };
                let expected = expectation.of(lesson.size, lesson.difficulty, lesson.band);
                lessons.push(lesson);
                evidence.critical.add(found);
                evidence.expected += expected;
                evidence.critical_times.add(turn.took);
                if !found {
                    return;
                }
                evidence.bits += bits;
                evidence.fast += u32::from(turn.took <= FAST);
                if bits >= WORTH_A_LOOK {
                    positions.push(FoundPosition {
                        game: evidence.game,
                        round: turn.round,
                        ply: turn.ply,
                        board: turn.board,
                        mark: turn.mark,
                        cell: turn.cell,
                        keeping,
                        expected,
                        took: turn.took,
                        ended_at: evidence.ended_at,
                    });
                }
            }
        }
    }

    pub fn finish(self) -> Gathered {
        self.gathered
    }
}

#[cfg(test)]
mod tests;
