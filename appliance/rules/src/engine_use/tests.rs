use super::*;
use crate::UserId;
use crate::clock::TimeControl;
use crate::game::{Command, Player, QuickSetup};
use uuid::Uuid;

const START: Millis = Millis(1_700_000_000_000);

fn user(mark: Mark) -> UserId {
    UserId(Uuid::from_u128(1 + mark.index() as u128))
}

fn cell(row: u8, col: u8) -> Cell {
    Cell::new(row, col).unwrap()
}

/// A rated quick game in which X starts and each move comes so many milliseconds after the one before.
fn game(id: u128, side: u8, moves: &[(u8, u8, i64)]) -> Game {
    let player = |mark: Mark| Player { user: user(mark), username: format!("player-{mark}") };
    let setup = QuickSetup {
        id: GameId(Uuid::from_u128(id)),
        players: Mark::BOTH.map(player),
        size: BoardSize::new(side).unwrap(),
        starter: Mark::X,
        control: TimeControl::PerTurn,
        rated: true,
    };
    let mut game = Game::quick(setup, START).unwrap();
    for mark in Mark::BOTH {
        game.apply(&Command::Join { user: user(mark) }, START).unwrap();
    }
    let mut now = START;
    for (&(row, col, took), mark) in moves.iter().zip([Mark::X, Mark::O].into_iter().cycle()) {
        now = now + took;
        game.apply(&Command::Move { user: user(mark), cell: cell(row, col), at_version: None }, now).unwrap();
    }
    game
}

#[test]
fn every_move_has_the_position_it_was_made_in() {
    let turns = turns(&game(1, 4, &[(1, 1, 2_000), (0, 0, 300), (2, 2, 900)]));
    assert_eq!(turns.iter().map(|turn| turn.took).collect::<Vec<_>>(), [2_000, 300, 900]);
    assert_eq!(
        turns.iter().map(|turn| (turn.ply, turn.mark)).collect::<Vec<_>>(),
        [(1, Mark::X), (2, Mark::O), (3, Mark::X)]
    );
    assert_eq!(turns[2].board.at(cell(1, 1)), Some(Mark::X));
    assert_eq!(turns[2].board.at(cell(2, 2)), None);
}

/// 6×6 is won from the sixteen inner cells.
#[test]
fn an_opening_of_6x6_is_critical_and_a_line_one_stone_away_is_not() {
    let mut solver = Solver::new(BoardSize::MAX);
    let board = Board::empty(BoardSize::MAX);
    let mut turn = Turn { round: 1, ply: 1, board, mark: Mark::X, cell: cell(2, 2), took: 1_000 };
    let Finding::Critical { keeping, bits, found: true } = examine(&turn, &mut solver) else { panic!() };
    assert_eq!(keeping.len(), 16);
    assert!((bits - (36.0f64 / 16.0).log2()).abs() < 1e-9);
    turn.cell = cell(0, 0);
    assert!(matches!(examine(&turn, &mut solver), Finding::Critical { found: false, .. }));

    let mut solver = Solver::new(BoardSize::new(4).unwrap());
    turn.board = Board::empty(solver.size());
    for (row, col, mark) in [(0, 0, Mark::X), (1, 0, Mark::O), (0, 1, Mark::X), (1, 1, Mark::O), (0, 2, Mark::X)] {
        turn.board = turn.board.place(cell(row, col), mark).unwrap();
    }
    turn.mark = Mark::O;
    turn.cell = cell(0, 3);
    assert_eq!(examine(&turn, &mut solver), Finding::Immediate { found: true });
    turn.cell = cell(3, 3);
    assert_eq!(examine(&turn, &mut solver), Finding::Immediate { found: false });
}

fn critical(found: bool, took: i64) -> (Turn, Finding) {
    let board = Board::empty(BoardSize::new(5).unwrap());
    let turn = Turn { round: 1, ply: 1, board, mark: Mark::X, cell: cell(1, 1), took };
    (turn, Finding::Critical { keeping: vec![cell(1, 1)], bits: 4.0, found })
}

fn gathered(id: u128, found: u32, missed: u32, took: i64) -> Gathered {
    let mut gathering = Gathering::new(GameId(Uuid::from_u128(id)), START, 1_500.0);
    for index in 0..found + missed {
        let (turn, finding) = critical(index < found, took);
        gathering.add(&turn, finding, &Expectation::default());
    }
    gathering.finish()
}

#[test]
fn a_score_needs_forty_critical_positions() {
    let mut evidence = Evidence::default();
    evidence.add(gathered(1, 39, 0, 3_000));
    assert_eq!(evidence.score().level, Level::TooFew);
    evidence.add(gathered(2, 1, 0, 3_000));
    let score = evidence.score();
    assert_eq!((score.level, score.critical), (Level::Unusual, Count { seen: 40, found: 40 }));
    assert!((score.expected - 40.0 * 0.62).abs() < 1e-9);
    assert!((score.bits - 160.0).abs() < 1e-9);
}

#[test]
fn as_many_as_expected_is_a_score_of_about_nothing() {
    let mut evidence = Evidence::default();
    evidence.add(gathered(1, 62, 38, 3_000));
    let score = evidence.score();
    assert_eq!(score.level, Level::Usual);
    assert!(score.value.abs() < 0.2, "{}", score.value);
    evidence.add(gathered(2, 0, 100, 3_000));
    assert!(evidence.score().value < -1.0);
}

#[test]
fn a_game_counts_once_and_the_oldest_are_left_out() {
    let mut evidence = Evidence::default();
    evidence.add(gathered(1, 3, 0, 3_000));
    evidence.add(gathered(1, 3, 0, 3_000));
    assert_eq!(evidence.score().games, 1);
    for id in 2..=(GAMES as u128 + 1) {
        evidence.add(gathered(id, 1, 0, 3_000));
    }
    let score = evidence.score();
    assert_eq!((score.games as usize, score.critical.seen as usize), (GAMES, GAMES));
    assert_eq!(evidence.positions().count(), POSITIONS);
    assert_eq!(evidence.positions().next().unwrap().game, GameId(Uuid::from_u128(GAMES as u128 + 1)));
}

#[test]
fn three_by_three_has_no_part_in_a_score() {
    let mut gathering = Gathering::new(GameId(Uuid::from_u128(1)), START, 1_500.0);
    let turn = Turn { board: Board::empty(BoardSize::MIN), ..critical(true, 500).0 };
    gathering.add(&turn, critical(true, 500).1, &Expectation::default());
    let gathered = gathering.finish();
    assert!(gathered.lessons.is_empty() && gathered.positions.is_empty());
    let mut evidence = Evidence::default();
    evidence.add(gathered);
    let score = evidence.score();
    assert_eq!((score.small, score.critical, score.value), (Count { seen: 1, found: 1 }, Count::default(), -8.0));
}

#[test]
fn times_say_whether_somebody_thinks_where_it_matters() {
    let mut gathering = Gathering::new(GameId(Uuid::from_u128(1)), START, 1_500.0);
    for _ in 0..20 {
        let (turn, finding) = critical(true, 4_000);
        gathering.add(&turn, finding, &Expectation::default());
        gathering.add(&Turn { took: 2_000, ..turn }, Finding::Open, &Expectation::default());
    }
    let mut evidence = Evidence::default();
    evidence.add(gathering.finish());
    let times = evidence.score().times;
    assert!((times.slowdown.unwrap() - 2.0).abs() < 1e-6);
    assert!((times.spread.unwrap() - 2f64.ln() / 2.0).abs() < 1e-6);
    assert_eq!(times.fast, 0);

    let mut constant = Evidence::default();
    constant.add(gathered(1, 30, 0, 1_000));
    let times = constant.score().times;
    assert!(times.spread.unwrap() < 1e-6 && times.slowdown.is_none());
    assert_eq!(times.fast, 30);
    assert!((times.typical.unwrap() - 1_000.0).abs() < 1e-6);
}

#[test]
fn what_is_counted_outweighs_the_fixed_expectation() {
    let (size, difficulty, band) = (BoardSize::new(5).unwrap(), Difficulty::of(3.5), Band::of(1_500.0));
    let mut expectation = Expectation::default();
    assert_eq!(expectation.of(size, difficulty, band), 0.62);
    for index in 0..1_800 {
        expectation.learn(Lesson { size, difficulty, band, found: index % 10 == 0 });
    }
    assert!((expectation.of(size, difficulty, band) - 0.152).abs() < 1e-9);
    assert_eq!(expectation.of(size, difficulty, Band::of(1_900.0)), 0.81);
}

#[test]
fn a_z_score_is_that_of_the_normal_distribution() {
    for (chance, z) in [(0.5, 0.0), (0.158_655, 1.0), (0.001_349_9, 3.0), (0.977_25, -2.0)] {
        assert!((z_score(chance) - z).abs() < 0.001, "{chance}");
    }
    assert_eq!(z_score(0.0), 8.0);
}

/// Of 10 positions with even chances, 8 or more are found by 56 in 1,024 players without differences in skill; with them
/// it is somewhat more.
#[test]
fn the_chance_is_the_binomial_one_with_skill() {
    let chance = chance(Count { seen: 10, found: 8 }, 5.0);
    assert!((56.0 / 1_024.0..0.12).contains(&chance), "{chance}");
    assert!((super::chance(Count { seen: 10, found: 0 }, 5.0) - 1.0).abs() < 1e-9);
}

#[test]
fn evidence_is_read_as_it_was_written() {
    let mut evidence = Evidence::default();
    evidence.add(gathered(1, 3, 2, 3_000));
    let bytes = postcard::to_stdvec(&evidence).unwrap();
    assert_eq!(postcard::from_bytes::<Evidence>(&bytes).unwrap(), evidence);
}
