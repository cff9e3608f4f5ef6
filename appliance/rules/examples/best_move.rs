//! Answers positions with the solver, for players of tests. A line of the input is a board of `X`, `O` and `.`, with `/` between
//! the rows, and the mark that is to move: `X.O/.../... X`. A line of the output is row and column of the first move that keeps the
//! position's value, counted from 0: `1 1`.

use std::io::{self, BufRead, Write};

use morpion_rules::{
    board::{Board, BoardSize, Cell, Mark},
    solver::Solver,
};

/// More than any position of 3 rows takes; of larger boards the first free cell answers what takes more.
const NODES: u32 = 1_000_000;

fn main() -> io::Result<()> {
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let line = line?;
        let (board, to_move) = read(&line).ok_or_else(|| io::Error::other(format!("no position: {line}")))?;
        let solution = Solver::new(board.size()).solve(&board, to_move, NODES);
        let free = board.empty_cells().next();
        let cell = solution.and_then(|solution| solution.keeping.first().copied()).or(free);
        let cell = cell.ok_or_else(|| io::Error::other("the board is full"))?;
        writeln!(out, "{} {}", cell.row(), cell.col())?;
        out.flush()?;
    }
    Ok(())
}

fn read(line: &str) -> Option<(Board, Mark)> {
    let (rows, to_move) = line.trim().split_once(' ')?;
    let mark = |text: &str| match text {
        "X" => Some(Mark::X),
        "O" => Some(Mark::O),
        _ => None,
    };
    let rows: Vec<&str> = rows.split('/').collect();
    let mut board = Board::empty(BoardSize::new(rows.len().try_into().ok()?)?);
    for (row, cells) in (0..).zip(rows) {
        for (col, text) in (0..).zip(cells.chars()) {
            if let Some(mark) = mark(&text.to_string()) {
                board = board.place(Cell::new(row, col)?, mark).ok()?;
            }
        }
    }
    Some((board, mark(to_move)?))
}
