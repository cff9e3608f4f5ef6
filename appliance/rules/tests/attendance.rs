//! 'Still there?': `docs/behaviour/events.md#still-there`.

mod support;

use morpion_rules::attendance::{Absence, Attendance, PresenceCheck};
use morpion_rules::clock::{NO_SHOW, TURN_TIME, TimeControl};
use morpion_rules::game::EndReason;
use morpion_rules::{Command, Game, Mark};
use support::{START, cell, event, event_setup, join, play, timed_event, user};

/// X does not join.
fn no_show() -> Game {
    let mut game = Game::event(event_setup(3, Mark::X), START).unwrap();
    game.apply(&join(Mark::O), START).unwrap();
    game.apply(&Command::Tick, START + NO_SHOW).unwrap();
    game
}

/// X's first turn times out.
fn timeout() -> Game {
    let mut game = event(3, Mark::X);
    game.apply(&Command::Tick, START + TURN_TIME + 1_000).unwrap();
    game
}

/// Both move, then X forfeits.
fn forfeit() -> Game {
    let mut game = event(3, Mark::X);
    game.apply(&play(Mark::X, cell(0, 0)), START + 1).unwrap();
    game.apply(&play(Mark::O, cell(1, 1)), START + 2).unwrap();
    game.apply(&Command::Forfeit { user: user(Mark::X) }, START + 3).unwrap();
    game
}

/// Why a player is asked, the consecutive absences, and whether the player is removed from the room.
type Told = Option<(Absence, u32, bool)>;

fn after(games: &[Game]) -> (Attendance, Vec<Told>) {
    let mut attendance = Attendance::default();
    let shown = |check: PresenceCheck| (check.absence, check.strikes, check.is_out());
    let checks = games.iter().map(|game| attendance.game_over(game, user(Mark::X)).map(shown)).collect();
    (attendance, checks)
}

#[test]
fn losing_by_absence_asks_still_there_and_twice_in_a_row_eliminates() {
    let (attendance, checks) = after(&[no_show(), timeout()]);
    assert_eq!(checks, [Some((Absence::NoShow, 1, false)), Some((Absence::Timeout, 2, true))]);
    assert!(attendance.awaits_confirmation() && attendance.is_out());
    let mut back = attendance;
    back.entered_room();
    assert!(back.awaits_confirmation() && !back.is_out(), "returning players are asked too");
    assert!(!after(&[no_show()]).0.is_out());
    let (_, checks) = after(&[timeout(), timeout(), timeout()]);
    assert_eq!(checks[2], Some((Absence::Timeout, 1, false)), "returning resets the count");
}

#[test]
fn who_plays_until_the_time_of_the_game_runs_out_is_there() {
    let mut game = timed_event(6, TimeControl::Increment);
    let mut now = START;
    for number in 0..5 {
        now = now + 12_000;
        game.apply(&play(Mark::X, cell(number, number % 2)), now).unwrap();
        game.apply(&play(Mark::O, cell(number, 5 - number % 2)), now).unwrap();
    }
    game.apply(&Command::Tick, now + 12_000).unwrap();
    assert_eq!(game.outcome().unwrap().reason, Some(EndReason::Timeout));
    assert_eq!(after(&[game]).1, [None]);

    let mut idle = timed_event(6, TimeControl::Increment);
    idle.apply(&Command::Tick, START + 61_000).unwrap();
    assert_eq!(after(&[idle]).1, [Some((Absence::Timeout, 1, false))]);
}

#[test]
fn declining_asks_still_there_like_a_no_show() {
    let mut game = Game::event(event_setup(3, Mark::X), START).unwrap();
    game.apply(&Command::Decline { user: user(Mark::X) }, START).unwrap();
    assert_eq!(after(&[game]).1, [Some((Absence::NoShow, 1, false))]);
}

#[test]
fn a_move_confirms_presence_and_an_absent_opponent_does_not() {
    let (attendance, checks) = after(&[timeout(), forfeit(), timeout()]);
    assert_eq!(checks, [Some((Absence::Timeout, 1, false)), None, Some((Absence::Timeout, 1, false))]);
    assert!(attendance.awaits_confirmation());

    let mut others_absence = Game::event(event_setup(3, Mark::X), START).unwrap();
    others_absence.apply(&join(Mark::X), START).unwrap();
    others_absence.apply(&Command::Tick, START + NO_SHOW).unwrap();
    assert_eq!(after(&[timeout(), others_absence, timeout()]).1[2], Some((Absence::Timeout, 2, true)));
}

#[test]
fn entering_the_queue_confirms_presence() {
    let (mut attendance, _) = after(&[timeout()]);
    attendance.confirm();
    assert!(!attendance.awaits_confirmation());
    // The loss stays.
    assert!(attendance.game_over(&no_show(), user(Mark::X)).unwrap().is_out());
}
