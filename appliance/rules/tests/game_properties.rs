//! Property tests of games: invariants after each of many random commands.

mod support;

use morpion_rules::clock::{BASE_TIME, INCREMENT, TURN_TIME, TimeControl};
use morpion_rules::game::{InviteSetup, MAX_DRAWN_ROUNDS};
use morpion_rules::{Board, BoardSize, Cell, Command, Effect, EndReason, Game, Mark, Millis, Status, UserId};
use proptest::prelude::*;
use support::{START, event_setup, invite_setup, quick_setup, stranger, user};

/// A generated command; what depends on the game is chosen when it is applied.
#[derive(Clone, Debug)]
enum Step {
    /// A legal move of the player whose turn it is, if any.
    Play {
        choice: prop::sample::Index,
        versioned: bool,
    },
    /// Any move by any user, `behind` versions late.
    Move {
        who: usize,
        row: u8,
        col: u8,
        behind: Option<u64>,
    },
    /// A command that names a user.
    Of {
        who: usize,
        make: fn(UserId) -> Command,
    },
    Say(Command),
    Resume {
        earlier: i64,
    },
    Wait(i64),
    WaitForDeadline {
        past: i64,
    },
}

fn step() -> impl Strategy<Value = Step> {
    let who = 0..3usize;
    let everyday: Vec<fn(UserId) -> Command> = vec![
        |user| Command::Join { user },
        |user| Command::Join { user },
        |user| Command::Connect { user },
        |user| Command::Leave { user },
        |user| Command::Disconnect { user },
        |user| Command::ClaimSeat { user, username: "claimant".into() },
    ];
    let rare: Vec<fn(UserId) -> Command> = vec![
        |user| Command::Forfeit { user },
        |user| Command::ClaimWin { user },
        |user| Command::Cancel { user },
        |user| Command::Decline { user },
        |user| Command::Remove { user },
        |user| Command::Adjudicate { winner: Some(user), reason: "ruling".into() },
    ];
    let said = vec![
        Command::Void,
        Command::DecideByTime,
        Command::ResumeAfterPause,
        Command::Adjudicate { winner: None, reason: String::new() },
    ];
    prop_oneof![
        200 => (any::<prop::sample::Index>(), any::<bool>())
            .prop_map(|(choice, versioned)| Step::Play { choice, versioned }),
        15 => (who.clone(), 0..6u8, 0..6u8, prop::option::of(0..4u64))
            .prop_map(|(who, row, col, behind)| Step::Move { who, row, col, behind }),
        30 => (who.clone(), prop::sample::select(everyday))
            .prop_map(|(who, make)| Step::Of { who, make }),
        2 => (who, prop::sample::select(rare)).prop_map(|(who, make)| Step::Of { who, make }),
        1 => prop::sample::select(said).prop_map(Step::Say),
        10 => Just(Step::Say(Command::Tick)),
        3 => (0..30_000i64).prop_map(|earlier| Step::Resume { earlier }),
        30 => (-50..6_000i64).prop_map(Step::Wait),
        1 => (-600..600i64).prop_map(|past| Step::WaitForDeadline { past }),
    ]
}

fn game() -> impl Strategy<Value = Game> {
    let size = prop::sample::select(BoardSize::ALL.to_vec());
    let starter = prop::sample::select(Mark::BOTH.to_vec());
    let control = prop::sample::select(TimeControl::ALL.to_vec());
    (0..4u8, size, starter, control, any::<u64>()).prop_map(|(kind, size, starter, control, seed)| {
        let side = size.get();
        let game = match kind {
            0 => Game::invite(InviteSetup { control, ..invite_setup(side, starter) }, START),
            1 => {
                let setup = InviteSetup { opponent: None, control, ..invite_setup(side, starter) };
                Game::invite(setup, START)
            }
            2 => Game::quick(quick_setup(side, starter, control), START),
            _ => {
                let mut setup = event_setup(side, starter);
                setup.seed = seed;
                // The games of an event have a clock.
                if control != TimeControl::Untimed {
                    setup.control = control;
                }
                Game::event(setup, START)
            }
        };
        game.unwrap()
    })
}

fn users() -> [UserId; 3] {
    [user(Mark::X), user(Mark::O), stranger()]
}

fn command(step: &Step, game: &Game, now: &mut Millis) -> Option<Command> {
    match step {
        Step::Play { choice, versioned } => {
            let empty: Vec<Cell> = game.board().empty_cells().collect();
            let user = game.current_turn()?;
            let cell = *choice.get(&empty);
            let at_version = versioned.then_some(game.version());
            Some(Command::Move { user, cell, at_version })
        }
        Step::Move { who, row, col, behind } => {
            let at_version = behind.map(|by| game.version().saturating_sub(by));
            let cell = Cell::new(*row, *col).unwrap();
            Some(Command::Move { user: users()[*who], cell, at_version })
        }
        Step::Of { who, make } => Some(make(users()[*who])),
        Step::Say(command) => Some(command.clone()),
        Step::Resume { earlier } => Some(Command::ResumeAfterRestart { stopped_at: *now - *earlier }),
        Step::Wait(ms) => {
            *now = *now + *ms;
            None
        }
        Step::WaitForDeadline { past } => {
            *now = (*now).max(game.next_deadline()? + *past);
            None
        }
    }
}

/// The invariants of every game at any time.
fn check(game: &Game, first: &Game) -> Result<(), TestCaseError> {
    let over = game.status().is_over();
    prop_assert_eq!(over, game.outcome().is_some());
    prop_assert_eq!(over, game.next_deadline().is_none() && game.to_move().is_none() && over);
    prop_assert_eq!(game.to_move().is_some(), game.status() == Status::Active);
    prop_assert_eq!(game.board().winning_line().is_some(), game.winning_line().is_some());
    prop_assert_eq!(game.id(), first.id());
    prop_assert_eq!(game.player(Mark::X), first.player(Mark::X));

    // The board results from the moves of its round, alternating from the round's starter.
    let mut board = Board::empty(game.board().size());
    let mut next = game.starter();
    for ply in game.history().iter().filter(|ply| ply.round == game.round()) {
        prop_assert_eq!(ply.mark, next);
        prop_assert_eq!(board.winning_line(), None, "a move after the win");
        board = board.place(ply.cell, ply.mark).unwrap();
        next = next.other();
    }
    prop_assert_eq!(&board, game.board());
    if let Some(mark) = game.to_move() {
        prop_assert_eq!(mark, next);
        prop_assert!(!board.is_full());
    }
    let lines = Mark::BOTH.into_iter().filter(|&mark| board.line_of(mark).is_some());
    prop_assert!(lines.count() <= 1, "two winners on one board");
    prop_assert!(game.history().windows(2).all(|two| two[0].at <= two[1].at));
    prop_assert!(game.history().len() <= 180);

    let is_timed = game.time_control() != TimeControl::Untimed;
    prop_assert_eq!(game.turn_deadline().is_some(), is_timed && game.status() == Status::Active);
    for mark in Mark::BOTH {
        let total = game.time_left(mark, Millis(i64::MAX));
        prop_assert_eq!(total.is_some(), game.time_control() == TimeControl::Increment);
        // Half of the moves of one round, or of all rounds of an event game.
        let most = if game.is_event() { 90 } else { 18 };
        prop_assert!(total.is_none_or(|left| (0..=BASE_TIME + INCREMENT * most).contains(&left)));
    }
    if !game.is_event() {
        prop_assert_eq!((game.draw_count(), game.round()), (0, 1));
    } else {
        prop_assert!(!game.is_draw(), "every event game ends with a winner");
        prop_assert_eq!(over, game.next_deadline().is_none());
        prop_assert!(game.draw_count() <= MAX_DRAWN_ROUNDS);
        let moves = game.history().len() as i64 + 1;
        for mark in Mark::BOTH {
            let used = game.time_used(mark, Millis(i64::MAX));
            let most = match game.time_control() {
                TimeControl::Increment => BASE_TIME + INCREMENT * moves,
                TimeControl::PerTurn | TimeControl::Untimed => moves * TURN_TIME,
            };
            prop_assert!((0..=most).contains(&used));
        }
    }
    if game.status() == Status::Completed {
        let line = game.outcome().unwrap().reason == Some(EndReason::Line);
        prop_assert_eq!(game.winning_line().is_some(), line);
    }
    Ok(())
}

/// The last effect is the end of the game, once.
fn check_emitted(emitted: &[Effect]) -> Result<(), TestCaseError> {
    let last = |effect: &&Effect| matches!(effect, Effect::Ended { .. } | Effect::Drawn | Effect::Cancelled { .. });
    let ends = emitted.iter().filter(last).count();
    prop_assert!(ends == 0 || (ends == 1 && last(&emitted.last().unwrap())));
    let starts = |e: &&Effect| matches!(e, Effect::GameStarted { .. });
    prop_assert!(emitted.iter().filter(starts).count() <= 1);
    Ok(())
}

/// Through the journal's compact format, which is not self-describing.
fn stored<T: serde::Serialize + serde::de::DeserializeOwned>(value: &T) -> T {
    postcard::from_bytes(&postcard::to_stdvec(value).unwrap()).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn invariants_hold_after_every_command(
        first in game(),
        both_join in prop::bool::weighted(0.9),
        steps in prop::collection::vec(step(), 1..260),
    ) {
        let mut now = START;
        let mut game = first.clone();
        let mut journal: Vec<(Command, Millis)> = Vec::new();
        let mut emitted: Vec<Effect> = Vec::new();
        let joins = [user(Mark::X), user(Mark::O)].map(|user| Command::Join { user });
        let mut opening = joins.into_iter().filter(|_| both_join).map(Step::Say).collect::<Vec<_>>();
        opening.extend(steps);
        for step in &opening {
            let Some(command) = command(step, &game, &mut now) else { continue };
            let before = game.clone();
            match game.apply(&command, now) {
                Err(refusal) => prop_assert_eq!(&game, &before, "refused: {}", refusal),
                Ok(effects) => {
                    prop_assert_eq!(game.version(), before.version() + effects.len() as u64);
                    let versions: Vec<u64> = effects.versioned().map(|(v, _)| v).collect();
                    let expected: Vec<u64> = (before.version() + 1..=game.version()).collect();
                    prop_assert_eq!(versions, expected);
                    prop_assert!(!before.status().is_over() || effects.is_empty());
                    if effects.is_empty() {
                        prop_assert_eq!(&game, &before, "changed without a word");
                    } else {
                        journal.push((command, now));
                    }
                    emitted.extend(effects);
                }
            }
            check(&game, &first)?;
            prop_assert_eq!(&stored(&game), &game);
        }
        check_emitted(&emitted)?;
        prop_assert_eq!(game.version(), 1 + emitted.len() as u64);

        // Crash: the journal, replayed on the game as it was first stored, gives the same game.
        let mut replayed = stored(&first);
        for (command, at) in &stored(&journal) {
            replayed.apply(command, *at).unwrap();
        }
        prop_assert_eq!(&replayed, &game);

        // A deadline does nothing a millisecond early, and ends the game on time.
        if let Some(deadline) = game.next_deadline().filter(|&deadline| deadline > now) {
            let mut early = game.clone();
            prop_assert!(early.apply(&Command::Tick, deadline - 1).unwrap().is_empty());
            game.apply(&Command::Tick, deadline).unwrap();
            prop_assert!(game.status().is_over());
            check(&game, &first)?;
        }
    }

    /// Whichever command comes first after a deadline, the game ends the same way.
    #[test]
    fn an_expired_deadline_alone_decides_the_game(
        first in game(),
        steps in prop::collection::vec(step(), 1..60),
        late in 0..100_000i64,
    ) {
        let mut now = START;
        let mut game = first;
        for step in &steps {
            if let Some(command) = command(step, &game, &mut now) {
                _ = game.apply(&command, now);
            }
        }
        let Some(deadline) = game.next_deadline() else { return Ok(()) };
        let at = now.max(deadline) + late;
        let mut ticked = game.clone();
        ticked.apply(&Command::Tick, at).unwrap();
        prop_assert!(ticked.status().is_over());
        for mark in Mark::BOTH {
            for make in [
                |user| Command::Join { user },
                |user| Command::Leave { user },
                |user| Command::Connect { user },
                |user| Command::Disconnect { user },
                |user| Command::Forfeit { user },
                |user| Command::Cancel { user },
                |user| Command::Decline { user },
                |user| Command::Remove { user },
                |user| Command::Move { user, cell: Cell::new(0, 0).unwrap(), at_version: None },
            ] {
                let mut other = game.clone();
                match other.apply(&make(user(mark)), at) {
                    Ok(_) => prop_assert_eq!(&other, &ticked),
                    Err(_) => prop_assert_eq!(&other, &game),
                }
            }
        }
    }

    /// Without absence, rulings or the clock, a game played to its end has the one result its
    /// board shows, and an event game has a winner.
    #[test]
    fn random_games_end_with_the_result_of_the_board(
        first in game(),
        choices in prop::collection::vec(any::<prop::sample::Index>(), 200),
    ) {
        let mut game = first;
        let mut now = START;
        if game.has_open_seat() {
            let claim = Command::ClaimSeat { user: user(Mark::O), username: "guest".into() };
            game.apply(&claim, now).unwrap();
        }
        for mark in Mark::BOTH {
            game.apply(&Command::Join { user: user(mark) }, now).unwrap();
        }
        for choice in choices {
            let step = Step::Play { choice, versioned: true };
            let Some(command) = command(&step, &game, &mut now) else { break };
            now = now + 10;
            game.apply(&command, now).unwrap();
        }
        prop_assert_eq!(game.status(), Status::Completed);
        match game.outcome().unwrap().reason {
            Some(EndReason::Line) => prop_assert!(game.winning_line().is_some()),
            Some(EndReason::Time) => prop_assert_eq!(game.draw_count(), MAX_DRAWN_ROUNDS),
            None => prop_assert!(!game.is_event() && game.is_draw() && game.board().is_full()),
            other => prop_assert!(false, "ended by {:?}", other),
        }
    }
}
