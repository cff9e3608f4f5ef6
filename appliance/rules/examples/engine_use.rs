//! Simulated players, to see how often the score of engine use accuses the innocent and finds the guilty. The tables of
//! `docs/behaviour/engine-use.md` come from here: `cargo run --release --example engine_use`, some minutes.
//!
//! A simulated person completes or blocks a line nearly always. In other positions they see a right move with a chance
//! that depends on how strong they are; else they play by the look of the board, with noise, which is often right, too.
//! Whoever is helped sees a right move in a share of the positions, and is else a person of the same band.

use morpion_rules::engine_use::{
    BANDS, Count, Difficulty, MIN_POSITIONS, NODES, SKILL_SPREAD, UNUSUAL, chance, z_score,
};
use morpion_rules::solver::{Solver, Value};
use morpion_rules::{Board, BoardSize, Cell, Mark};

/// The chance to see a right move by thinking, by band.
const SIGHT: [f64; BANDS] = [0.05, 0.2, 0.35, 0.5, 0.65];
/// Of completing a line, and of blocking one.
const SEES_LINE: f64 = 0.98;
/// The standard deviation of the noise in the look of a move, as a logarithm.
const NOISE: f64 = 0.7;

const GAMES: usize = 400;
const PLAYERS: usize = 10_000;

struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ mixed >> 31) >> 11) as f64 / (1u64 << 53) as f64
    }

    fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.next()).sum::<f64>() - 6.0
    }
}

/// How good a cell looks: lines that it makes longer or blocks.
fn look(board: &Board, cell: Cell, mark: Mark) -> f64 {
    board
        .size()
        .lines()
        .filter(|line| line.cells().any(|other| other == cell))
        .map(|line| {
            let count = |mark| line.cells().filter(|&cell| board.at(cell) == Some(mark)).count() as i32;
            match (count(mark), count(mark.other())) {
                (own, 0) => 4f64.powi(own),
                (0, theirs) => 0.9 * 4f64.powi(theirs),
                _ => 0.0,
            }
        })
        .sum()
}

fn best_looking(board: &Board, cells: &[Cell], mark: Mark, random: &mut Random) -> Cell {
    let looks = cells.iter().map(|&cell| look(board, cell, mark).max(0.1) * (NOISE * random.normal()).exp());
    let best = looks.enumerate().max_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |(index, _)| index);
    cells[best]
}

/// Critical positions of one size: how often they come in a game of one player, and how many are found, by difficulty.
#[derive(Clone, Copy, Default, Debug)]
struct Rates {
    games: f64,
    moves: f64,
    unknown: f64,
    open: f64,
    immediate: f64,
    seen: [f64; 3],
    found: [f64; 3],
}

fn play(size: BoardSize, sight: f64, solver: &mut Solver, rates: &mut Rates, random: &mut Random) {
    let (mut board, mut mark) = (Board::empty(size), Mark::X);
    rates.games += 2.0;
    while board.winning_line().is_none() && !board.is_full() {
        rates.moves += 1.0;
        let cells: Vec<Cell> = board.empty_cells().collect();
        let solution = solver.solve(&board, mark, NODES);
        let keeping = solution.as_ref().map(|solution| solution.keeping.clone());
        let immediate = solution.as_ref().is_some_and(|solution| solution.immediate);
        let sees = random.next() < if immediate { SEES_LINE } else { sight };
        let choice = if sees { keeping.as_ref().unwrap_or(&cells) } else { &cells };
        let cell = best_looking(&board, choice, mark, random);
        match solution {
            None => rates.unknown += 1.0,
            Some(solution) if solution.value == Value::Loss => rates.open += 1.0,
            Some(_) if immediate => rates.immediate += 1.0,
            Some(solution) if solution.keeping.len() * 2 > cells.len() => rates.open += 1.0,
            Some(solution) => {
                let bits = (cells.len() as f64 / solution.keeping.len() as f64).log2();
                let index = Difficulty::of(bits).index();
                rates.seen[index] += 1.0;
                rates.found[index] += f64::from(u8::from(solution.keeping.contains(&cell)));
            }
        }
        board = board.place(cell, mark).expect("an empty cell");
        mark = mark.other();
    }
}

/// The share of players with a score from `UNUSUAL` on: each has `positions` critical positions, finds them with the
/// chances of the band moved by their own skill, and `helped` of them with a program.
fn unusual(chances: &[f64], positions: usize, spread: f64, bias: f64, helped: f64, random: &mut Random) -> f64 {
    let mut accused = 0;
    for _ in 0..PLAYERS {
        let skill = spread * random.normal() + bias;
        let (mut found, mut expected) = (0, 0.0);
        for _ in 0..positions {
            let chance = chances[(random.next() * chances.len() as f64) as usize];
            expected += chance;
            let own = 1.0 / (1.0 + (1.0 / chance - 1.0) * (-skill).exp());
            found += u32::from(random.next() < helped || random.next() < own);
        }
        let critical = Count { seen: positions as u32, found };
        accused += usize::from(z_score(chance(critical, expected)) >= UNUSUAL);
    }
    accused as f64 / PLAYERS as f64
}

fn main() {
    let mut random = Random(7);
    let mut pools = vec![Vec::new(); BANDS];
    println!("size band  moves  unknown  open  immediate  critical/game  found by difficulty");
    for size in [4, 5, 6].into_iter().filter_map(BoardSize::new) {
        let mut solver = Solver::new(size);
        for (band, sight) in SIGHT.into_iter().enumerate() {
            let mut rates = Rates::default();
            (0..GAMES).for_each(|_| play(size, sight, &mut solver, &mut rates, &mut random));
            let share = |count: f64| 100.0 * count / rates.moves;
            let found = [0, 1, 2].map(|index| rates.found[index] / rates.seen[index].max(1.0));
            println!(
                "{size}  {band}  {:5.0}  {:6.2}%  {:4.1}%  {:4.1}%  {:5.2}  {:?} of {:?}",
                rates.moves,
                share(rates.unknown),
                share(rates.open),
                share(rates.immediate),
                rates.seen.iter().sum::<f64>() / rates.games,
                found.map(|found| (100.0 * found).round()),
                rates.seen,
            );
            for (share, seen) in found.into_iter().zip(rates.seen) {
                pools[band].extend(std::iter::repeat_n(share.clamp(0.03, 0.97), seen as usize));
            }
        }
    }
    println!("share of players from {UNUSUAL} on");
    println!("band  positions  honest  spread 0.7  off by 0.3  helped 50%  75%  100%");
    for (band, chances) in pools.iter().enumerate() {
        for positions in [MIN_POSITIONS as usize, 100, 200] {
            let mut share =
                |spread, bias, helped| 100.0 * unusual(chances, positions, spread, bias, helped, &mut random);
            println!(
                "{band}  {positions:4}  {:6.3}%  {:6.3}%  {:6.3}%  {:5.1}%  {:5.1}%  {:5.1}%",
                share(SKILL_SPREAD, 0.0, 0.0),
                share(0.7, 0.0, 0.0),
                share(SKILL_SPREAD, 0.3, 0.0),
                share(SKILL_SPREAD, 0.0, 0.5),
                share(SKILL_SPREAD, 0.0, 0.75),
                share(SKILL_SPREAD, 0.0, 1.0),
            );
        }
    }
}
