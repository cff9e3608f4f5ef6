use super::*;

#[test]
fn cancelling_an_event_voids_its_games() {
    let waiting = Game::event(event_setup(3, Mark::X), START).unwrap();
    for mut game in [waiting, event(3, Mark::X)] {
        assert_eq!(effects(&mut game, Command::Void, START), [VOID]);
        assert_eq!((game.status(), game.winner()), (Status::Cancelled, None));
        assert_eq!(refusal(&mut game, Command::Void, START), Refusal::GameOver);
    }
    for command in [Command::Void, Command::DecideByTime] {
        let refused = refusal(&mut invite(3, Mark::X), command, START);
        assert_eq!(refused, Refusal::NotAnEventGame);
    }
}

#[test]
fn an_admin_adjudicates_a_win_or_voids_a_game() {
    let ruling = |winner| Command::Adjudicate { winner, reason: "Two accounts.".into() };
    let mut won = event(3, Mark::X);
    let emitted = effects(&mut won, ruling(Some(user(Mark::O))), START);
    assert_eq!(emitted, [ended(EndReason::Adjudicated, Mark::O)]);
    assert_eq!(won.outcome().unwrap().note, "Two accounts.");
    assert_eq!(refusal(&mut won, ruling(None), START), Refusal::GameOver);

    let mut void = invite(3, Mark::X);
    effects(&mut void, ruling(None), START);
    assert_eq!((void.status(), void.winner()), (Status::Cancelled, None));

    let mut game = event(3, Mark::X);
    let refused = refusal(&mut game, ruling(Some(stranger())), START);
    assert_eq!(refused, Refusal::NotAPlayer);

    let setup = InviteSetup { opponent: None, ..invite_setup(3, Mark::X) };
    let mut lonely = Game::invite(setup, START).unwrap();
    let refused = refusal(&mut lonely, ruling(Some(user(Mark::X))), START);
    assert_eq!(refused, Refusal::GameNotStarted);
}
