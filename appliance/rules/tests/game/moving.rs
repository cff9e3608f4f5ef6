use super::*;

#[test]
fn a_move_passes_the_turn_and_resets_the_time() {
    let mut game = event(3, Mark::X);
    let emitted = effects(&mut game, play(Mark::X, cell(1, 1)), START + 4_000);
    let expected = Effect::MoveMade {
        by: user(Mark::X),
        mark: Mark::X,
        cell: cell(1, 1),
        board: *game.board(),
        winning_line: None,
        next_turn: Some(user(Mark::O)),
        turn_deadline: Some(START + 4_000 + 15_000),
        absent_until: None,
    };
    assert_eq!(emitted, [expected]);
    assert_eq!(game.board().at(cell(1, 1)), Some(Mark::X));
    assert_eq!(game.current_turn(), Some(user(Mark::O)));
    assert_eq!(game.time_used(Mark::X, START + 5_000), 4_000);
    assert_eq!(game.time_used(Mark::O, START + 5_000), 1_000);
}

#[test]
fn a_move_needs_an_empty_cell_the_own_turn_and_an_active_game() {
    let mut waiting = Game::invite(invite_setup(3, Mark::X), START).unwrap();
    let first = play(Mark::X, cell(0, 0));
    assert_eq!(refusal(&mut waiting, first.clone(), START), Refusal::GameNotStarted);

    let mut game = invite(3, Mark::X);
    let foreign = Command::Move { user: stranger(), cell: cell(0, 0), at_version: None };
    assert_eq!(refusal(&mut game, foreign, START), Refusal::NotAPlayer);
    let early = refusal(&mut game, play(Mark::O, cell(0, 0)), START);
    assert_eq!(early, Refusal::NotYourTurn);
    assert_eq!(refusal(&mut game, play(Mark::X, cell(3, 0)), START), Refusal::OffBoard);
    effects(&mut game, first.clone(), START);
    assert_eq!(refusal(&mut game, first, START), Refusal::NotYourTurn);
    assert_eq!(refusal(&mut game, play(Mark::O, cell(0, 0)), START), Refusal::CellTaken);

    effects(&mut game, Command::Forfeit { user: user(Mark::O) }, START);
    assert_eq!(refusal(&mut game, play(Mark::O, cell(1, 1)), START), Refusal::GameOver);
}

#[test]
fn a_full_line_wins() {
    for side in 3..=6 {
        let mut game = event(side, Mark::O);
        let length = game.board().size().win_length();
        let mut emitted = Vec::new();
        for col in 0..length {
            emitted = effects(&mut game, play(Mark::O, cell(0, col)), START + 1);
            if col + 1 < length {
                effects(&mut game, play(Mark::X, cell(2, col)), START + 2);
            }
        }
        let Effect::MoveMade { winning_line: Some(line), next_turn: None, .. } = emitted[0] else {
            panic!("{emitted:?}");
        };
        assert_eq!(line.cells().count(), length.into());
        assert_eq!(emitted[1..], [ended(EndReason::Line, Mark::O)]);
        assert_eq!((game.winner(), game.winning_line()), (Some(Mark::O), Some(line)));
        assert_eq!((game.status(), game.turn_deadline()), (Status::Completed, None));
    }
}

#[test]
fn completing_a_line_with_the_last_cell_wins() {
    let mut game = invite(3, Mark::X);
    let order = [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (2, 1), (2, 0), (2, 2)];
    for (ply, (row, col)) in order.into_iter().enumerate() {
        let mark = if ply.is_multiple_of(2) { Mark::X } else { Mark::O };
        effects(&mut game, play(mark, cell(row, col)), START);
    }
    assert!(game.board().is_full());
    assert_eq!((game.winner(), game.is_draw()), (Some(Mark::X), false));
}

#[test]
fn a_repeated_move_is_applied_once() {
    let mut game = invite(3, Mark::X);
    let seen = game.version();
    let sent = |at| Command::Move { user: user(Mark::X), cell: cell(0, 0), at_version: at };
    effects(&mut game, sent(Some(seen)), START);
    assert_eq!(refusal(&mut game, sent(Some(seen)), START), Refusal::StaleVersion);
    effects(&mut game, play(Mark::O, cell(1, 1)), START);
    assert_eq!(refusal(&mut game, sent(Some(seen)), START), Refusal::StaleVersion);
    let unseen = game.version() + 1;
    assert_eq!(refusal(&mut game, sent(Some(unseen)), START), Refusal::StaleVersion);
}

#[test]
fn a_repeated_move_is_stale_also_after_a_new_round() {
    let mut game = event(3, Mark::X);
    let [first, second] = drawn_cells(3);
    let turn = |ply: usize| {
        if ply.is_multiple_of(2) { first[ply / 2] } else { second[ply / 2] }
    };
    for (ply, cell) in (0..9).map(turn).enumerate() {
        let mark = game.to_move().unwrap();
        let at_version = Some(game.version());
        let sent = Command::Move { user: user(mark), cell, at_version };
        effects(&mut game, sent.clone(), START);
        if ply == 8 {
            // X's move draws the round; O starts the next one; then X's last move arrives again.
            effects(&mut game, play(Mark::O, self::cell(2, 1)), START);
            assert_eq!(refusal(&mut game, sent, START), Refusal::StaleVersion);
        }
    }
    assert_eq!(game.history().len(), 10);
}

#[test]
fn connects_and_disconnects_make_no_move_stale() {
    let mut game = invite(3, Mark::X);
    let seen = game.version();
    effects(&mut game, Command::Disconnect { user: user(Mark::O) }, START);
    effects(&mut game, Command::Connect { user: user(Mark::O) }, START);
    assert_eq!(game.version(), seen + 2);
    let sent = Command::Move { user: user(Mark::X), cell: cell(0, 0), at_version: Some(seen) };
    assert_eq!(effects(&mut game, sent, START).len(), 1);
}

#[test]
fn each_effect_increments_the_version_by_one() {
    let mut game = Game::invite(invite_setup(3, Mark::X), START).unwrap();
    assert_eq!(game.version(), 1);
    game.apply(&join(Mark::X), START).unwrap();
    let emitted = game.apply(&join(Mark::O), START).unwrap();
    let versions: Vec<u64> = emitted.versioned().map(|(version, _)| version).collect();
    assert_eq!((versions.as_slice(), game.version()), ([3, 4].as_slice(), 4));
}

#[test]
fn time_never_runs_backwards_within_a_game() {
    let mut game = event(3, Mark::X);
    effects(&mut game, play(Mark::X, cell(0, 0)), START + 9_000);
    effects(&mut game, play(Mark::O, cell(1, 1)), START + 2_000);
    let times: Vec<Millis> = game.history().iter().map(|ply| ply.at).collect();
    assert_eq!(times, [START + 9_000, START + 9_000]);
    assert_eq!(game.time_used(Mark::O, START + 9_000), 0);
}

#[test]
fn a_move_on_a_full_board_is_stale_once_the_new_round_has_begun() {
    let mut game = event(3, Mark::X);
    draw_round(&mut game, START, [0; 2]);
    let on_full_board = Some(game.version() - 1);
    let sent = Command::Move { user: user(Mark::O), cell: cell(0, 0), at_version: on_full_board };
    assert_eq!(refusal(&mut game, sent, START), Refusal::StaleVersion);
}
