use super::*;

#[test]
fn an_expired_turn_timer_forfeits_the_game() {
    let mut game = event(3, Mark::O);
    assert_eq!(game.next_deadline(), Some(START + 15_501));
    assert!(tick(&mut game, START + 15_500).is_empty());
    assert_eq!(tick(&mut game, START + 15_501), [ended(EndReason::Timeout, Mark::X)]);
}

#[test]
fn a_move_up_to_500_ms_after_the_deadline_counts() {
    let mut game = event(3, Mark::X);
    let late = refusal(&mut game, play(Mark::X, cell(0, 0)), START + 15_501);
    assert_eq!(late, Refusal::OutOfTime);
    effects(&mut game, play(Mark::X, cell(0, 0)), START + 15_500);
    assert_eq!(game.time_used(Mark::X, START + 15_500), 15_000);
    assert_eq!(game.turn_deadline(), Some(START + 15_500 + 15_000));
}

#[test]
fn invite_games_have_no_timer() {
    let mut game = invite(3, Mark::X);
    assert_eq!((game.turn_deadline(), game.next_deadline()), (None, None));
    assert!(tick(&mut game, START + 1_000_000_000).is_empty());
    assert_eq!(effects(&mut game, play(Mark::X, cell(0, 0)), START + 1_000_000_000).len(), 1);
}

#[test]
fn an_expired_deadline_is_applied_before_any_command() {
    let late = START + 16_000;
    let commands = [
        join(Mark::O),
        Command::Leave { user: user(Mark::O) },
        Command::Disconnect { user: user(Mark::X) },
        Command::Connect { user: user(Mark::X) },
        Command::Forfeit { user: user(Mark::O) },
        Command::DecideByTime,
    ];
    for command in commands {
        let emitted = effects(&mut event(3, Mark::X), command, late);
        assert_eq!(emitted, [ended(EndReason::Timeout, Mark::O)]);
    }
}

#[test]
fn at_the_end_of_an_event_less_time_wins() {
    let mut game = event(3, Mark::X);
    effects(&mut game, play(Mark::X, cell(0, 0)), START + 3_000);
    let mut later = game.clone();
    let emitted = effects(&mut game, Command::DecideByTime, START + 5_999);
    assert_eq!(emitted, [ended(EndReason::Time, Mark::O)]);
    // The current turn counts.
    let emitted = effects(&mut later, Command::DecideByTime, START + 6_001);
    assert_eq!(emitted, [ended(EndReason::Time, Mark::X)]);
}

#[test]
fn equal_time_is_decided_by_losses_then_join_order_then_seed() {
    let decided = |losses: [u32; 2], joined: [i64; 2], seed| {
        let mut setup = event_setup(3, Mark::X);
        for (i, Entrant { tiebreak, .. }) in setup.entrants.iter_mut().enumerate() {
            *tiebreak = Tiebreak { losses: losses[i], joined_event_at: Millis(joined[i]) };
        }
        setup.seed = seed;
        let mut game = started(Game::event(setup, START).unwrap());
        effects(&mut game, Command::DecideByTime, START);
        game.winner().unwrap()
    };
    assert_eq!(decided([0, 1], [9, 5], 1), Mark::X);
    assert_eq!(decided([2, 1], [5, 9], 0), Mark::O);
    assert_eq!(decided([1, 1], [5, 9], 1), Mark::X);
    assert_eq!(decided([1, 1], [9, 5], 0), Mark::O);
    assert_eq!([0, 1].map(|seed| decided([1, 1], [5, 5], seed)), Mark::BOTH);
}

#[test]
fn a_game_that_never_started_is_void_when_its_event_ends() {
    let mut game = Game::event(event_setup(3, Mark::X), START).unwrap();
    assert_eq!(effects(&mut game, Command::DecideByTime, START + 1), [VOID]);
}

#[test]
fn a_minute_and_two_seconds_a_move_last_for_the_whole_game() {
    let mut game = quick(4, TimeControl::Increment);
    assert_eq!((game.turn_deadline(), game.time_left(Mark::O, START)), (Some(START + 60_000), Some(60_000)));
    effects(&mut game, play(Mark::X, cell(0, 0)), START + 10_000);
    assert_eq!(game.time_left(Mark::X, START + 10_000), Some(52_000));
    effects(&mut game, play(Mark::O, cell(1, 0)), START + 10_500);
    assert_eq!(game.time_left(Mark::O, START + 10_500), Some(61_500));
    // X has 52 s left.
    assert_eq!(game.next_deadline(), Some(START + 10_500 + 52_000 + 501));
    assert_eq!(game.time_left(Mark::X, START + 50_500), Some(12_000));
    assert_eq!(tick(&mut game, START + 63_001), [ended(EndReason::Timeout, Mark::O)]);
    assert_eq!(game.time_left(Mark::X, START + 63_001), Some(0));
}

#[test]
fn a_late_move_under_a_total_leaves_the_increment() {
    let mut game = quick(4, TimeControl::Increment);
    effects(&mut game, play(Mark::X, cell(0, 0)), START + 60_500);
    assert_eq!(game.time_left(Mark::X, START + 60_500), Some(2_000));
}

#[test]
fn the_clock_of_an_event_lasts_for_all_rounds_of_a_game() {
    let mut game = timed_event(3, TimeControl::Increment);
    assert!(game.is_event() && game.is_rated() && game.event_id().is_some());
    assert_eq!((game.time_control(), game.level()), (TimeControl::Increment, 2));
    assert_eq!(game.turn_deadline(), Some(START + 60_000));
    let now = draw_round(&mut game, START, [1_000, 3_000]);
    assert_eq!((game.round(), game.draw_count()), (2, 1));
    // X made five moves, O four.
    assert_eq!(game.time_left(Mark::X, now), Some(60_000 - 5 * 1_000 + 5 * 2_000));
    assert_eq!(game.time_left(Mark::O, now), Some(60_000 - 4 * 3_000 + 4 * 2_000));
    // O starts the second round, and has what is left.
    assert_eq!(game.turn_deadline(), Some(now + 56_000));
    let late = now + 56_000 + 501;
    assert_eq!(tick(&mut game, late), [ended(EndReason::Timeout, Mark::X)]);
}

#[test]
fn an_event_game_with_a_clock_is_decided_by_time_and_by_absence_as_all_are() {
    let mut game = timed_event(3, TimeControl::Increment);
    effects(&mut game, play(Mark::X, cell(0, 0)), START + 3_000);
    let mut absent = game.clone();
    assert_eq!(effects(&mut game, Command::DecideByTime, START + 5_999), [ended(EndReason::Time, Mark::O)]);
    effects(&mut absent, Command::Disconnect { user: user(Mark::O) }, START + 4_000);
    assert_eq!(tick(&mut absent, START + 34_000), [ended(EndReason::Disconnect, Mark::X)]);
}

#[test]
fn an_invite_game_may_have_a_time_control() {
    for (control, limit) in [(TimeControl::PerTurn, 15_000), (TimeControl::Increment, 60_000)] {
        let mut game = timed_invite(control);
        assert_eq!((game.time_control(), game.turn_deadline()), (control, Some(START + limit)));
        // The opponent's absence still only lets a player claim the win.
        effects(&mut game, Command::Disconnect { user: user(Mark::O) }, START + 1);
        assert_eq!(game.next_deadline(), Some(START + limit + 501));
        assert_eq!(tick(&mut game, START + limit + 501), [ended(EndReason::Timeout, Mark::O)]);
    }
}

#[test]
fn a_quick_game_has_one_round_and_a_deadline_for_absence() {
    let mut game = quick(3, TimeControl::PerTurn);
    assert!(game.is_quick() && game.is_rated() && game.event_id().is_none());
    effects(&mut game, Command::Disconnect { user: user(Mark::O) }, START + 1);
    let mut absent = game.clone();
    effects(&mut absent, play(Mark::X, cell(0, 0)), START + 14_000);
    effects(&mut absent, Command::Connect { user: user(Mark::O) }, START + 14_500);
    effects(&mut absent, Command::Disconnect { user: user(Mark::X) }, START + 14_600);
    assert_eq!(absent.next_deadline(), absent.turn_deadline().map(|at| at + 501), "it is the other's turn");
    for (number, (row, col)) in (0..).zip([(0, 0), (0, 1), (0, 2), (1, 1), (1, 0), (1, 2), (2, 1), (2, 0), (2, 2)]) {
        let mark = if number % 2 == 0 { Mark::X } else { Mark::O };
        effects(&mut game, play(mark, cell(row, col)), START + 2 + number);
    }
    assert!(game.is_draw() && game.status() == Status::Completed);
}

#[test]
fn nobody_loses_a_quick_game_that_did_not_start() {
    let mut game = Game::quick(quick_setup(3, Mark::X, TimeControl::PerTurn), START).unwrap();
    effects(&mut game, join(Mark::X), START);
    let emitted = tick(&mut game, START + 20_000);
    assert_eq!(emitted, [Effect::Ended { reason: EndReason::Void, winner: None, loser: None, forfeiter: None }]);
    let mut withdrawn = Game::quick(quick_setup(3, Mark::X, TimeControl::PerTurn), START).unwrap();
    effects(&mut withdrawn, Command::Cancel { user: user(Mark::O) }, START + 1);
    assert_eq!(withdrawn.status(), Status::Cancelled);
}
