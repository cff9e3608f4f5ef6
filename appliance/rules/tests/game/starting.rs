use super::*;

#[test]
fn an_invite_game_is_waiting_until_both_have_joined() {
    let mut game = Game::invite(invite_setup(4, Mark::O), START).unwrap();
    assert_eq!((game.status(), game.to_move()), (Status::Waiting, None));
    let first = effects(&mut game, join(Mark::X), START + 1);
    assert_eq!(first, [Effect::Joined { user: user(Mark::X) }]);
    assert_eq!(game.status(), Status::Waiting);
    let second = effects(&mut game, join(Mark::O), START + 2);
    let started = Effect::GameStarted { starter: user(Mark::O), turn_deadline: None };
    assert_eq!(second, [Effect::Joined { user: user(Mark::O) }, started]);
    assert_eq!((game.status(), game.to_move()), (Status::Active, Some(Mark::O)));
    assert_eq!(game.started_at(), Some(START + 2));
}

#[test]
fn a_waiting_game_starts_only_when_both_are_connected() {
    let mut game = Game::invite(invite_setup(3, Mark::X), START).unwrap();
    effects(&mut game, join(Mark::X), START);
    let left = effects(&mut game, Command::Leave { user: user(Mark::X) }, START);
    assert_eq!(left, [Effect::Left { user: user(Mark::X) }]);
    effects(&mut game, join(Mark::O), START);
    assert_eq!(game.status(), Status::Waiting);
    // A connection alone does not join the game.
    assert!(effects(&mut game, Command::Connect { user: user(Mark::X) }, START).is_empty());
    effects(&mut game, join(Mark::X), START);
    assert_eq!(game.status(), Status::Active);
}

#[test]
fn an_invitation_is_cancelled_after_24_h() {
    let mut game = Game::invite(invite_setup(3, Mark::X), START).unwrap();
    effects(&mut game, join(Mark::X), START);
    assert_eq!(game.next_deadline(), Some(START + 24 * 3_600_000));
    assert!(tick(&mut game, START + INVITE_LIFETIME - 1).is_empty());
    assert_eq!(tick(&mut game, START + INVITE_LIFETIME), [Effect::Cancelled { by: None }]);
    assert_eq!((game.status(), game.next_deadline()), (Status::Cancelled, None));
}

#[test]
fn players_cannot_play_against_themselves() {
    let inviter = Some(player(Mark::X));
    let setup = InviteSetup { opponent: inviter, ..invite_setup(3, Mark::X) };
    assert_eq!(Game::invite(setup, START), Err(Refusal::OwnGame));
    let mut setup = event_setup(3, Mark::X);
    setup.entrants[1].player.user = user(Mark::X);
    assert_eq!(Game::event(setup, START), Err(Refusal::OwnGame));
}

#[test]
fn the_first_to_claim_the_open_seat_gets_it() {
    let setup = InviteSetup { opponent: None, ..invite_setup(3, Mark::X) };
    let mut game = Game::invite(setup, START).unwrap();
    let claim = |user| Command::ClaimSeat { user, username: "guest-7".into() };
    assert!(game.has_open_seat());
    assert_eq!(refusal(&mut game, claim(user(Mark::X)), START), Refusal::OwnGame);
    assert_eq!(refusal(&mut game, join(Mark::O), START), Refusal::NotAPlayer);
    let guest = Player { user: user(Mark::O), username: "guest-7".into() };
    let claimed = effects(&mut game, claim(user(Mark::O)), START);
    assert_eq!(claimed, [Effect::SeatClaimed { player: guest.clone() }]);
    assert_eq!(game.player(Mark::O), Some(&guest));
    assert!(effects(&mut game, claim(user(Mark::O)), START).is_empty(), "claimed already");
    assert_eq!(refusal(&mut game, claim(stranger()), START), Refusal::SeatTaken);
    assert_eq!(started(game).status(), Status::Active);
}

#[test]
fn seats_cannot_be_claimed_in_expired_invitations_or_event_games() {
    let setup = InviteSetup { opponent: None, ..invite_setup(3, Mark::X) };
    let mut game = Game::invite(setup, START).unwrap();
    let claim = Command::ClaimSeat { user: user(Mark::O), username: "late".into() };
    let late = START + INVITE_LIFETIME;
    assert_eq!(refusal(&mut game, claim.clone(), late), Refusal::OutOfTime);
    assert_eq!(refusal(&mut event(3, Mark::X), claim, START), Refusal::NotAnInviteGame);
}

#[test]
fn the_first_turn_is_timed_from_game_started() {
    let mut game = Game::event(event_setup(3, Mark::O), START).unwrap();
    effects(&mut game, join(Mark::O), START + 3_000);
    assert_eq!(game.turn_deadline(), None);
    let emitted = effects(&mut game, join(Mark::X), START + 9_000);
    let turn_deadline = Some(START + 9_000 + 15_000);
    assert_eq!(emitted[1], Effect::GameStarted { starter: user(Mark::O), turn_deadline });
    assert_eq!(game.turn_deadline(), turn_deadline);
}

#[test]
fn not_joining_an_event_game_within_20_s_forfeits() {
    for present in Mark::BOTH {
        let mut game = Game::event(event_setup(3, Mark::X), START).unwrap();
        effects(&mut game, join(present), START + 1);
        assert_eq!(game.next_deadline(), Some(START + 20_000));
        assert!(tick(&mut game, START + NO_SHOW - 1).is_empty());
        let emitted = tick(&mut game, START + NO_SHOW);
        assert_eq!(emitted, [ended(EndReason::NoShow, present)]);
        assert_eq!((game.status(), game.winner()), (Status::Completed, Some(present)));
        assert_eq!(game.first_starter(), None);
    }
}

#[test]
fn an_event_game_that_nobody_joins_is_void() {
    let mut game = Game::event(event_setup(3, Mark::X), START).unwrap();
    effects(&mut game, join(Mark::X), START + 1);
    effects(&mut game, Command::Disconnect { user: user(Mark::X) }, START + 2);
    assert_eq!(tick(&mut game, START + NO_SHOW), [VOID]);
    assert_eq!((game.status(), game.winner()), (Status::Cancelled, None));
}

#[test]
fn joining_after_the_deadline_does_not_start_the_game() {
    let mut game = Game::event(event_setup(3, Mark::X), START).unwrap();
    effects(&mut game, join(Mark::X), START + 1);
    let emitted = effects(&mut game, join(Mark::O), START + NO_SHOW);
    assert_eq!(emitted, [ended(EndReason::NoShow, Mark::X)]);
}

#[test]
fn declining_an_event_game_is_an_immediate_no_show() {
    for mark in Mark::BOTH {
        let decline = Command::Decline { user: user(mark) };
        let mut game = Game::event(event_setup(3, Mark::X), START).unwrap();
        effects(&mut game, join(mark), START);
        let emitted = effects(&mut game, decline.clone(), START + 1);
        assert_eq!(emitted, [ended(EndReason::Declined, mark.other())]);
        assert_eq!((game.status(), game.winner()), (Status::Completed, Some(mark.other())));
        assert_eq!(refusal(&mut game, decline.clone(), START), Refusal::GameOver);
        assert_eq!(refusal(&mut event(3, Mark::X), decline.clone(), START), Refusal::GameAlreadyStarted);
        let mut invited = Game::invite(invite_setup(3, Mark::X), START).unwrap();
        assert_eq!(refusal(&mut invited, decline, START), Refusal::NotAnEventGame);
    }
}

#[test]
fn only_waiting_invite_games_can_be_cancelled_by_either_player() {
    for mark in Mark::BOTH {
        let cancel = Command::Cancel { user: user(mark) };
        let mut game = Game::invite(invite_setup(3, Mark::X), START).unwrap();
        let emitted = effects(&mut game, cancel.clone(), START);
        assert_eq!(emitted, [Effect::Cancelled { by: Some(user(mark)) }]);
        assert_eq!(game.status(), Status::Cancelled);
        assert_eq!(refusal(&mut game, cancel.clone(), START), Refusal::GameOver);
        for mut game in [invite(3, Mark::X), event(3, Mark::X)] {
            let refused = refusal(&mut game, cancel.clone(), START);
            assert_eq!(refused, Refusal::GameAlreadyStarted);
        }
    }
}
