use super::*;

fn resume(stopped_at: Millis) -> Command {
    Command::ResumeAfterRestart { stopped_at }
}

#[test]
fn after_a_restart_a_turn_has_its_remaining_time_and_20_s() {
    let mut game = event(3, Mark::X);
    let seen = game.version();
    let back = START + 3_600_000;
    let emitted = effects(&mut game, resume(START + 6_000), back);
    let turn_deadline = Some(back + 9_000 + 20_000);
    assert_eq!(emitted, [Effect::Resumed { turn_deadline }]);
    assert_eq!(game.turn_deadline(), turn_deadline);
    assert_eq!(game.time_used(Mark::X, back), 6_000);
    let again = Command::Move { user: user(Mark::X), cell: cell(0, 0), at_version: Some(seen) };
    assert_eq!(effects(&mut game, again, back + 1).len(), 1, "resent after the restart");
}

#[test]
fn deadlines_that_passed_during_downtime_have_no_effect() {
    let mut game = event(3, Mark::X);
    let back = START + 3_600_000;
    effects(&mut game, resume(START + 15_400), back);
    assert!(tick(&mut game, back).is_empty());
    assert_eq!(game.turn_deadline(), Some(back + 20_000));
}

#[test]
fn players_who_do_not_return_after_a_restart_are_disconnected() {
    let mut game = invite(3, Mark::X);
    let back = START + 1_000_000;
    effects(&mut game, resume(START), back);
    assert!(Mark::BOTH.into_iter().all(|mark| !game.is_present(mark)));
    effects(&mut game, Command::Connect { user: user(Mark::O) }, back + 500);
    let due = back + 20_000 + INVITE_DISCONNECT;
    assert_eq!(game.countdown_until(Mark::X), Some(due));
    let claim = Command::ClaimWin { user: user(Mark::O) };
    assert_eq!(refusal(&mut game, claim.clone(), due - 1), Refusal::ClaimTooEarly);
    assert_eq!(effects(&mut game, claim, due), [ended(EndReason::Disconnect, Mark::O)]);
}

#[test]
fn no_show_and_disconnect_countdowns_get_20_s_more() {
    let back = START + 1_000_000;
    let mut waiting = Game::event(event_setup(3, Mark::X), START).unwrap();
    effects(&mut waiting, resume(START + 5_000), back);
    assert_eq!(waiting.next_deadline(), Some(back + 15_000 + 20_000));

    let mut gone = event(3, Mark::X);
    effects(&mut gone, Command::Leave { user: user(Mark::X) }, START);
    effects(&mut gone, resume(START + 10_000), back);
    // The time of the turn is up before that of the countdown, of which 20 s are left.
    assert_eq!(gone.countdown_until(Mark::X), Some(back + 5_000 + 20_000));
    assert_eq!(gone.countdown_until(Mark::O), None, "it is not their turn");
}

#[test]
fn downtime_is_bounded_by_the_last_move_and_the_restart() {
    let back = START + 100_000;
    for (stopped_at, left) in [(START - 5_000, 15_000), (back + 5_000, 0)] {
        let mut game = event(3, Mark::X);
        effects(&mut game, resume(stopped_at), back);
        assert_eq!(game.turn_deadline(), Some(back + left + 20_000));
        assert_eq!(game.time_used(Mark::X, back), 15_000 - left);
    }
}

#[test]
fn a_pause_adds_20_s_to_all_deadlines_and_disconnects_nobody() {
    let mut game = event(3, Mark::X);
    effects(&mut game, Command::Disconnect { user: user(Mark::O) }, START + 1_000);
    let paused = START + 6_000;
    let emitted = effects(&mut game, Command::ResumeAfterPause, paused);
    assert_eq!(emitted, [Effect::Resumed { turn_deadline: Some(START + 15_000 + 20_000) }]);
    assert!(game.is_present(Mark::X) && !game.is_present(Mark::O));
    assert_eq!(game.time_used(Mark::X, paused), 6_000);

    let mut waiting = Game::event(event_setup(3, Mark::X), START).unwrap();
    effects(&mut waiting, Command::ResumeAfterPause, START + 5_000);
    assert_eq!(waiting.next_deadline(), Some(START + NO_SHOW + 20_000));

    let mut untimed = invite(3, Mark::X);
    assert!(effects(&mut untimed, Command::ResumeAfterPause, START).is_empty(), "nothing runs");
}
