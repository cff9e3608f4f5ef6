#[path = "../../tests/support/positions.rs"]
mod positions;

use super::*;
use positions::random_position;
use std::collections::HashMap;

/// Enough for every position of these tests.
const NODES: u32 = 1_000_000;

fn board(size: u8, text: &str) -> Board {
    let size = BoardSize::new(size).unwrap();
    (0..size.get()).zip(text.split(' ')).fold(Board::empty(size), |board, (row, line)| {
        (0..).zip(line.chars()).fold(board, |board, (col, mark)| match mark {
            '.' => board,
            mark => board.place(Cell::new(row, col).unwrap(), if mark == 'X' { Mark::X } else { Mark::O }).unwrap(),
        })
    })
}

/// Plain minimax by the rules alone.
fn minimax(board: &Board, to_move: Mark, known: &mut HashMap<(Board, Mark), Value>) -> Value {
    if board.winning_line().is_some() {
        return Value::Loss;
    }
    if board.is_full() {
        return Value::Draw;
    }
    if let Some(&value) = known.get(&(*board, to_move)) {
        return value;
    }
    let after = |cell| minimax(&board.place(cell, to_move).unwrap(), to_move.other(), known);
    let worst = board.empty_cells().map(after).min().unwrap();
    let value = opposite(worst);
    known.insert((*board, to_move), value);
    value
}

fn opposite(value: Value) -> Value {
    match value {
        Value::Win => Value::Loss,
        Value::Draw => Value::Draw,
        Value::Loss => Value::Win,
    }
}

fn agrees(board: &Board, to_move: Mark, solver: &mut Solver, known: &mut HashMap<(Board, Mark), Value>) {
    let truth = minimax(board, to_move, known);
    let solution = solver.solve(board, to_move, NODES).unwrap();
    assert_eq!(solution.value, truth, "{:?} {to_move}", board.rows());
    let keeping: Vec<Cell> = board
        .empty_cells()
        .filter(|&cell| opposite(minimax(&board.place(cell, to_move).unwrap(), to_move.other(), known)) == truth)
        .collect();
    assert_eq!(solution.keeping, keeping, "{:?} {to_move}", board.rows());
    assert_eq!(usize::from(solution.legal), board.empty_cells().count());
    assert_eq!(solver.value(board, to_move, NODES), Some(truth));
}

#[test]
fn agrees_with_minimax_on_every_position_of_3x3() {
    let mut known = HashMap::new();
    let empty = Board::empty(BoardSize::MIN);
    minimax(&empty, Mark::X, &mut known);
    let positions: Vec<(Board, Mark)> = known.keys().copied().collect();
    assert_eq!(positions.len(), 4520);
    let mut solver = Solver::new(BoardSize::MIN);
    for (board, to_move) in positions {
        agrees(&board, to_move, &mut solver, &mut known);
    }
}

#[test]
fn agrees_with_minimax_on_late_positions_of_larger_boards() {
    for (size, stones) in [(4, 6), (4, 9), (5, 15), (5, 18), (6, 26), (6, 29)] {
        let size = BoardSize::new(size).unwrap();
        let mut solver = Solver::new(size);
        for seed in 0..20 {
            let (board, to_move) = random_position(size, stones, seed);
            agrees(&board, to_move, &mut solver, &mut HashMap::new());
        }
    }
}

#[test]
fn knows_the_values_of_the_empty_boards() {
    for (size, value) in [(3, Value::Draw), (4, Value::Draw), (5, Value::Draw), (6, Value::Win)] {
        let size = BoardSize::new(size).unwrap();
        for to_move in Mark::BOTH {
            assert_eq!(Solver::new(size).value(&Board::empty(size), to_move, NODES), Some(value), "{size}");
        }
    }
}

#[test]
fn opens_6x6_on_exactly_the_inner_cells() {
    let solution = Solver::new(BoardSize::MAX).solve(&Board::empty(BoardSize::MAX), Mark::X, NODES).unwrap();
    assert_eq!((solution.value, solution.legal), (Value::Win, 36));
    assert_eq!(solution.keeping.len(), 16);
    assert!(solution.keeping.iter().all(|cell| (1..5).contains(&cell.row()) && (1..5).contains(&cell.col())));
}

#[test]
fn says_whether_a_line_is_one_stone_away() {
    let mut solver = Solver::new(BoardSize::new(4).unwrap());
    let mut immediate = |text: &str, to_move| solver.solve(&board(4, text), to_move, NODES).unwrap().immediate;
    assert!(immediate("XXX. OO.. .... ....", Mark::O));
    assert!(immediate("XXX. OOO. .... ....", Mark::X));
    assert!(!immediate("XX.. OO.. .... ....", Mark::X));
}

#[test]
fn leaves_out_what_takes_too_many_nodes() {
    let mut solver = Solver::new(BoardSize::MAX);
    let opening = board(6, ".X.... ...... ..O... ...X.. ...... ......");
    assert_eq!(solver.solve(&opening, Mark::O, 20), None);
    assert_eq!(solver.value(&opening, Mark::O, 1), None);
}

#[test]
#[should_panic(expected = "the game is over")]
fn refuses_a_game_that_is_over() {
    Solver::new(BoardSize::MIN).value(&board(3, "XXX OO. ..."), Mark::O, NODES);
}
