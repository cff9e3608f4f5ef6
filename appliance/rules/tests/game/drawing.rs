use super::*;

#[test]
fn an_invite_game_with_a_full_board_is_drawn() {
    for side in 3..=6 {
        let mut game = invite(side, Mark::O);
        draw_round(&mut game, START, [0; 2]);
        assert_eq!((game.status(), game.winner()), (Status::Completed, None));
        assert!(game.is_draw());
        assert_eq!((game.draw_count(), game.round()), (0, 1));
        assert_eq!(refusal(&mut game, play(Mark::X, cell(0, 0)), START), Refusal::GameOver);
    }
}

#[test]
fn after_a_drawn_round_of_an_event_game_the_other_player_starts() {
    let mut game = event(3, Mark::X);
    let now = draw_round(&mut game, START, [100; 2]);
    assert_eq!((game.status(), game.draw_count(), game.round()), (Status::Active, 1, 2));
    assert_eq!((game.starter(), game.to_move()), (Mark::O, Some(Mark::O)));
    assert_eq!(game.first_starter(), Some(Mark::X));
    assert_eq!(game.board().empty_cells().count(), 9);
    assert_eq!(game.turn_deadline(), Some(now + 15_000));
    assert_eq!(game.mark_of(user(Mark::X)), Some(Mark::X), "symbols stay");
}

#[test]
fn the_last_move_of_a_drawn_round_is_announced_with_the_full_board() {
    let mut game = event(3, Mark::X);
    let [first, second] = drawn_cells(3);
    for turn in 0..8 {
        let cells = if turn % 2 == 0 { &first } else { &second };
        let mark = game.to_move().unwrap();
        effects(&mut game, play(mark, cells[turn / 2]), START);
    }
    let emitted = effects(&mut game, play(Mark::X, first[4]), START);
    let [Effect::MoveMade { board, next_turn: None, .. }, drawn] = &emitted[..] else {
        panic!("{emitted:?}");
    };
    assert!(board.is_full());
    let expected = Effect::RoundDrawn {
        round: 2,
        draw_count: 1,
        starter: user(Mark::O),
        size: size(3),
        turn_deadline: Some(START + 15_000),
    };
    assert_eq!(drawn, &expected);
}

#[test]
fn after_every_second_drawn_round_the_board_grows_by_one_up_to_6x6() {
    for (first, expected) in [(3, [3, 3, 4, 4, 5]), (4, [4, 4, 5, 5, 6]), (5, [5, 5, 6, 6, 6]), (6, [6, 6, 6, 6, 6])] {
        let mut game = event(first, Mark::O);
        let mut sizes = Vec::new();
        while game.status() == Status::Active {
            sizes.push(game.board().size().get());
            draw_round(&mut game, START, [0; 2]);
        }
        assert_eq!(sizes, expected);
    }
}

#[test]
fn after_the_fifth_drawn_round_less_total_time_wins() {
    for (ms, winner) in [([7, 5], Mark::O), ([5, 7], Mark::X)] {
        let mut game = event(3, Mark::X);
        let mut now = START;
        for round in 1..=5 {
            assert_eq!((game.round(), game.status()), (round, Status::Active));
            now = draw_round(&mut game, now, ms);
        }
        assert_eq!((game.status(), game.draw_count()), (Status::Completed, 5));
        assert_eq!(game.outcome().unwrap().reason, Some(EndReason::Time));
        assert_eq!((game.winner(), game.winning_line()), (Some(winner), None));
        assert!(!game.is_draw());
    }
}
