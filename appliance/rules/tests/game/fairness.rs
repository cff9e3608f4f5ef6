//! Ties decided by time used, between a player near the server and an equally fast one far away.

use super::*;
use morpion_rules::clock::MAX_ROUND_TRIP;
use morpion_rules::game::NetworkDelay;

/// Round-trip time of the far player in milliseconds.
const FAR: u32 = 200;

const GAMES: u64 = 1_000;

/// Pseudo-random numbers: SplitMix64.
struct Dice(u64);

impl Dice {
    /// How long a player thinks.
    fn think(&mut self) -> i64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        500 + ((z ^ (z >> 31)) % 3_000) as i64
    }
}

/// Five drawn rounds; returns who wins by time used. `stored` is how long the store takes for each move.
fn decided(dice: &mut Dice, far: Mark, stored: i64, is_measured: bool) -> Mark {
    let mut game = event(3, Mark::X);
    let mut now = START;
    while game.status() == Status::Active {
        let [first, second] = drawn_cells(game.board().size().get());
        let mut cells = [first.into_iter(), second.into_iter()];
        for turn in 0..game.board().size().cells() as usize {
            let mark = game.to_move().unwrap();
            let round_trip = if mark == far { FAR } else { 0 };
            now = now + stored + i64::from(round_trip) + dice.think();
            let (user, cell) = (user(mark), cells[turn % 2].next().unwrap());
            let delay = NetworkDelay { sent_after: stored as u32, round_trip };
            let command = match is_measured {
                true => Command::TimedMove { user, cell, at_version: None, delay },
                false => Command::Move { user, cell, at_version: None },
            };
            effects(&mut game, command, now);
        }
    }
    assert_eq!(game.outcome().unwrap().reason, Some(EndReason::Time));
    game.winner().unwrap()
}

/// How many of a thousand ties the far player wins.
fn won_from_afar(is_measured: bool) -> u64 {
    let mut dice = Dice(7);
    let sides = Mark::BOTH.into_iter().cycle();
    let games = (0..GAMES).zip(sides).map(|(_, far)| decided(&mut dice, far, 5, is_measured) == far);
    games.map(u64::from).sum()
}

#[test]
fn network_delay_does_not_decide_ties() {
    let (as_received, fairly) = (won_from_afar(false), won_from_afar(true));
    assert!(as_received < GAMES / 4, "what was wrong: {as_received} of {GAMES}");
    assert!((GAMES * 9 / 20..=GAMES * 11 / 20).contains(&fairly), "{fairly} of {GAMES}");
}

#[test]
fn a_reported_delay_is_bounded_and_moves_no_deadline() {
    let mut game = event(3, Mark::X);
    let delay = NetworkDelay { sent_after: 40, round_trip: 60_000 };
    let command = Command::TimedMove { user: user(Mark::X), cell: cell(0, 0), at_version: None, delay };
    let mut late = game.clone();
    assert_eq!(refusal(&mut late, command.clone(), START + 15_501), Refusal::OutOfTime);
    effects(&mut game, command, START + 3_000);
    assert_eq!(game.time_used(Mark::X, START + 3_000), 3_000 - 40 - MAX_ROUND_TRIP);
    assert_eq!(game.turn_deadline(), Some(START + 18_000));
}

#[test]
fn at_the_end_of_an_event_the_delay_of_the_current_turn_is_not_charged() {
    let decided = |round_trip| {
        let mut game = event(3, Mark::X);
        effects(&mut game, play(Mark::X, cell(0, 0)), START + 3_000);
        let decide = Command::DecideByFairTime { delay: NetworkDelay { sent_after: 10, round_trip } };
        effects(&mut game, decide, START + 6_200);
        game.winner().unwrap()
    };
    assert_eq!((decided(0), decided(200)), (Mark::X, Mark::O));
}
