use super::*;

fn cell(row: u8, col: u8) -> Cell {
    Cell::new(row, col).unwrap()
}

fn board(side: u8, marks: &[(u8, u8)], mark: Mark) -> Board {
    marks.iter().fold(Board::empty(BoardSize::new(side).unwrap()), |board, &(row, col)| {
        board.place(cell(row, col), mark).unwrap()
    })
}

#[test]
fn board_sizes_are_3_to_6() {
    let allowed: Vec<u8> = (0..=255).filter(|&side| BoardSize::new(side).is_some()).collect();
    assert_eq!(allowed, [3, 4, 5, 6]);
}

#[test]
fn win_length_is_3_on_3x3_and_4_on_larger_boards() {
    assert_eq!(BoardSize::ALL.map(BoardSize::win_length), [3, 4, 4, 4]);
}

#[test]
fn each_size_has_its_number_of_distinct_lines_of_the_win_length() {
    for (size, count) in BoardSize::ALL.into_iter().zip([8, 10, 28, 54]) {
        let mut lines: Vec<u64> = size.lines().map(|line| line.0).collect();
        assert_eq!(lines.len(), count, "{size}");
        assert!(lines.iter().all(|l| l.count_ones() as u8 == size.win_length()));
        assert!(lines.iter().all(|l| l & !size.mask() == 0), "{size}: a line leaves the board");
        lines.sort_unstable();
        lines.dedup();
        assert_eq!(lines.len(), count, "{size}: a line appears twice");
    }
}

#[test]
fn a_line_of_one_mark_wins_and_one_cell_less_does_not() {
    for size in BoardSize::ALL {
        for line in size.lines() {
            for mark in Mark::BOTH {
                let mut board = Board::empty(size);
                for cell in line.cells() {
                    assert_eq!(board.winning_line(), None);
                    board = board.place(cell, mark).unwrap();
                }
                assert_eq!(board.winning_line(), Some((mark, line)));
                assert_eq!(board.line_of(mark.other()), None);
            }
        }
    }
}

#[test]
fn three_in_a_row_do_not_win_on_4x4() {
    assert_eq!(board(4, &[(0, 0), (0, 1), (0, 2)], Mark::X).winning_line(), None);
}

#[test]
fn more_than_four_in_a_row_show_the_leftmost_four() {
    let five = board(5, &[(2, 0), (2, 1), (2, 2), (2, 3), (2, 4)], Mark::O);
    let (_, line) = five.winning_line().unwrap();
    assert_eq!(line.cells().collect::<Vec<_>>(), [0, 1, 2, 3].map(|col| cell(2, col)));
}

#[test]
fn of_several_lines_the_row_is_shown_first() {
    let cross = board(3, &[(0, 1), (1, 1), (2, 1), (1, 0), (1, 2)], Mark::X);
    let (_, line) = cross.winning_line().unwrap();
    assert_eq!(line.cells().collect::<Vec<_>>(), [0, 1, 2].map(|col| cell(1, col)));
}

#[test]
fn a_mark_can_only_be_placed_on_an_empty_cell_of_the_board() {
    let board = board(3, &[(1, 1)], Mark::X);
    assert_eq!(board.place(cell(1, 1), Mark::O), Err(Misplaced::Taken));
    assert_eq!(board.place(cell(3, 0), Mark::O), Err(Misplaced::OffBoard));
    assert_eq!(board.place(cell(0, 5), Mark::O), Err(Misplaced::OffBoard));
}

#[test]
fn a_board_is_full_when_every_cell_has_a_mark() {
    for size in BoardSize::ALL {
        let mut board = Board::empty(size);
        for placed in 0..size.cells() {
            assert!(!board.is_full());
            assert_eq!(board.count(Mark::X), placed);
            let next = board.empty_cells().next().unwrap();
            board = board.place(next, Mark::X).unwrap();
        }
        assert!(board.is_full());
        assert_eq!(board.empty_cells().next(), None);
    }
}

#[test]
fn cells_of_clients_are_validated() {
    assert_eq!(Cell::from_wire(5, 5), Cell::new(5, 5));
    for (row, col) in [(-1, 0), (0, -1), (6, 0), (0, 6), (i64::MAX, 0), (256, 256)] {
        assert_eq!(Cell::from_wire(row, col), None);
    }
    assert!(serde_json::from_str::<Cell>("7").is_err());
    assert!(serde_json::from_str::<BoardSize>("7").is_err());
}
