use super::*;

#[test]
fn a_forfeit_at_any_turn_makes_the_opponent_win() {
    for mark in Mark::BOTH {
        for mut game in [invite(3, Mark::X), event(3, Mark::X)] {
            let forfeit = Command::Forfeit { user: user(mark) };
            let emitted = effects(&mut game, forfeit.clone(), START);
            assert_eq!(emitted, [ended(EndReason::Forfeit, mark.other())]);
            assert_eq!(refusal(&mut game, forfeit, START), Refusal::GameOver);
        }
    }
}

#[test]
fn who_is_removed_loses_a_paired_game_and_one_under_way() {
    for mark in Mark::BOTH {
        let remove = Command::Remove { user: user(mark) };
        let paired = Game::event(event_setup(3, Mark::X), START).unwrap();
        for mut game in [invite(3, Mark::X), event(3, Mark::X), quick(3, TimeControl::PerTurn), paired] {
            let emitted = effects(&mut game, remove.clone(), START);
            assert_eq!(emitted, [ended(EndReason::Removed, mark.other())]);
            assert_eq!(refusal(&mut game, remove.clone(), START), Refusal::GameOver);
        }
        let mut invited = Game::invite(invite_setup(3, Mark::X), START).unwrap();
        assert_eq!(effects(&mut invited, remove, START), [Effect::Cancelled { by: Some(user(mark)) }]);
    }
}

#[test]
fn the_time_of_an_absent_player_counts_while_it_is_their_turn() {
    let mut game = quick(3, TimeControl::Increment);
    let gone = effects(&mut game, Command::Disconnect { user: user(Mark::O) }, START + 1);
    let notice = Effect::OpponentDisconnected { user: user(Mark::O), countdown_ms: 30_000, until: None };
    assert_eq!(gone, [notice]);
    assert_eq!(game.countdown_until(Mark::O), None);
    // X thinks for longer than O may be away.
    assert!(tick(&mut game, START + 1 + EVENT_DISCONNECT).is_empty());
    let played = effects(&mut game, play(Mark::X, cell(0, 0)), START + 40_000);
    let due = START + 40_000 + EVENT_DISCONNECT;
    let [Effect::MoveMade { absent_until, .. }] = played[..] else { panic!("{played:?}") };
    assert_eq!((absent_until, game.countdown_until(Mark::O)), (Some(due), Some(due)));
    assert!(tick(&mut game, due - 1).is_empty());
    assert_eq!(tick(&mut game, due), [ended(EndReason::Disconnect, Mark::X)]);
}

#[test]
fn an_absent_player_has_one_countdown() {
    let mut game = event(3, Mark::X);
    let gone = effects(&mut game, Command::Disconnect { user: user(Mark::X) }, START + 4_000);
    let turn = Some(START + 15_000);
    let notice = Effect::OpponentDisconnected { user: user(Mark::X), countdown_ms: 30_000, until: turn };
    assert_eq!((gone, game.countdown_until(Mark::X)), (vec![notice], turn));
    assert_eq!(tick(&mut game, START + 15_501), [ended(EndReason::Timeout, Mark::O)]);
}

#[test]
fn reconnecting_in_time_stops_the_countdown() {
    for (go, come) in [
        (Command::Disconnect { user: user(Mark::X) }, Command::Connect { user: user(Mark::X) }),
        (Command::Leave { user: user(Mark::X) }, join(Mark::X)),
    ] {
        let mut game = event(3, Mark::O);
        effects(&mut game, go, START);
        let emitted = effects(&mut game, come, START + 10_000);
        assert_eq!(emitted, [Effect::OpponentReconnected { user: user(Mark::X) }]);
        assert_eq!(game.countdown_until(Mark::X), None);
        assert_eq!(game.next_deadline(), Some(START + 15_501));
    }
}

#[test]
fn the_timer_runs_while_both_are_disconnected() {
    let mut game = event(3, Mark::X);
    for mark in Mark::BOTH {
        effects(&mut game, Command::Disconnect { user: user(mark) }, START);
    }
    assert_eq!(tick(&mut game, START + 15_501), [ended(EndReason::Timeout, Mark::O)]);
}

#[test]
fn an_invite_game_can_be_claimed_after_60_s_of_absence() {
    let mut game = invite(3, Mark::X);
    let claim = Command::ClaimWin { user: user(Mark::O) };
    assert_eq!(refusal(&mut game, claim.clone(), START), Refusal::OpponentPresent);
    let gone = effects(&mut game, Command::Leave { user: user(Mark::X) }, START);
    let due = START + INVITE_DISCONNECT;
    let notice = Effect::OpponentDisconnected { user: user(Mark::X), countdown_ms: 60_000, until: Some(due) };
    assert_eq!(gone, [notice]);
    assert_eq!(game.countdown_until(Mark::X), Some(due));
    assert_eq!(refusal(&mut game, claim.clone(), due - 1), Refusal::ClaimTooEarly);
    assert!(tick(&mut game, due + 1_000_000).is_empty(), "no claim is needed");

    let mut claimed = game.clone();
    let emitted = effects(&mut claimed, claim.clone(), due);
    assert_eq!(emitted, [ended(EndReason::Disconnect, Mark::O)]);

    effects(&mut game, join(Mark::X), due + 5);
    assert_eq!(refusal(&mut game, claim, due + 5), Refusal::OpponentPresent);
}

#[test]
fn no_win_can_be_claimed_in_the_own_turn() {
    let mut game = invite(3, Mark::X);
    let claim = Command::ClaimWin { user: user(Mark::X) };
    effects(&mut game, Command::Disconnect { user: user(Mark::O) }, START);
    assert_eq!(refusal(&mut game, claim.clone(), START + 66_000), Refusal::YourTurn);
    effects(&mut game, play(Mark::X, cell(0, 0)), START + 66_000);
    let due = START + 66_000 + INVITE_DISCONNECT;
    assert_eq!(refusal(&mut game, claim.clone(), due - 1), Refusal::ClaimTooEarly);
    assert_eq!(effects(&mut game, claim, due), [ended(EndReason::Disconnect, Mark::X)]);
}

#[test]
fn wins_cannot_be_claimed_in_event_games() {
    let mut game = event(3, Mark::X);
    let claim = Command::ClaimWin { user: user(Mark::X) };
    assert_eq!(refusal(&mut game, claim, START), Refusal::NotAnInviteGame);
}

#[test]
fn an_invite_game_that_both_players_left_ends() {
    let mut game = invite(3, Mark::X);
    effects(&mut game, Command::Leave { user: user(Mark::X) }, START);
    assert_eq!(game.next_deadline(), None);
    effects(&mut game, Command::Disconnect { user: user(Mark::O) }, START + 500);
    let deadline = START + 500 + INVITE_DISCONNECT + INVITE_LIFETIME;
    assert_eq!(game.next_deadline(), Some(deadline));
    assert_eq!(tick(&mut game, deadline), [VOID]);
    assert_eq!(game.status(), Status::Cancelled);
}

#[test]
fn strangers_are_not_players() {
    let strange: [fn(UserId) -> Command; 9] = [
        |user| Command::Join { user },
        |user| Command::Leave { user },
        |user| Command::Connect { user },
        |user| Command::Disconnect { user },
        |user| Command::Forfeit { user },
        |user| Command::ClaimWin { user },
        |user| Command::Cancel { user },
        |user| Command::Decline { user },
        |user| Command::Remove { user },
    ];
    for command in strange {
        for mut game in [invite(3, Mark::X), event(3, Mark::X)] {
            let refused = refusal(&mut game, command(stranger()), START);
            assert_eq!(refused, Refusal::NotAPlayer);
        }
    }
}

#[test]
fn presence_changes_do_not_affect_a_finished_game() {
    let mut game = invite(3, Mark::X);
    effects(&mut game, Command::Forfeit { user: user(Mark::X) }, START);
    let before = game.clone();
    for command in [join(Mark::X), Command::Leave { user: user(Mark::O) }, Command::Tick] {
        assert!(effects(&mut game, command, START + 5).is_empty());
    }
    assert_eq!(game, before);
}
