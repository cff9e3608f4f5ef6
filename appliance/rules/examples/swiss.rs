//! Random Swiss tournaments, paired by the rules, as reports that another program can check.
//!
//! `cargo run --release --example swiss -- COUNT [SEED [PLAYERS [ROUNDS]]]` writes so many, each after a line `# SEED`.
//! Players withdraw, come late, miss rounds, do not appear; matches are drawn.
//!
//! `cargo run --release --example swiss -- time` writes how long a round takes to pair, by players.

use morpion_rules::UserId;
use morpion_rules::tournament::trf::{Report, write};
use morpion_rules::tournament::{Format, Outcome, Player, Reason, Side, Tournament, Verdict};
use std::time::Instant;
use uuid::Uuid;

/// SplitMix64.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u32) -> u32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut it = self.0;
        it = (it ^ (it >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        it = (it ^ (it >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((it ^ (it >> 31)) % u64::from(sides)) as u32
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.first().is_some_and(|first| first == "time") {
        return times();
    }
    let mut numbers = arguments.iter().map(|argument| argument.parse::<u64>().expect("a number"));
    let count = numbers.next().unwrap_or(1);
    let seed = numbers.next().unwrap_or(1);
    let players = numbers.next().unwrap_or(20) as usize;
    let rounds = numbers.next().unwrap_or(9) as u32;
    for seed in seed..seed + count {
        let tournament = random(players, rounds, seed);
        let names = (1..=players).map(|number| format!("Player {number}")).collect();
        println!("# {seed}\n{}", write(&Report { title: format!("Random {seed}"), names, tournament }));
    }
}

fn entered(players: usize, rounds: u32, dice: &mut Dice) -> Tournament {
    let users: Vec<_> =
        (0..players).map(|number| (UserId(Uuid::from_u128(number as u128)), 1_400 + dice.roll(1_200))).collect();
    let lot = Side::BOTH[dice.roll(2) as usize];
    Tournament::new(Format::Swiss { rounds }, 1, lot, Tournament::seeded(users))
}

fn random(players: usize, rounds: u32, seed: u64) -> Tournament {
    let mut dice = Dice(seed);
    let mut it = entered(players, rounds, &mut dice);
    // A third of the tournaments has nobody who misses a round, a third a few, and a third many.
    let absences = [0, 2, 8][dice.roll(3) as usize];
    let comes: Vec<u32> = it.players().map(|_| if dice.roll(100) < absences { dice.roll(rounds) } else { 0 }).collect();
    let goes: Vec<u32> =
        it.players().map(|_| if dice.roll(100) < absences { 1 + dice.roll(rounds) } else { rounds }).collect();
    for round in 0..rounds {
        for player in 0..players {
            let is_there = (comes[player]..goes[player]).contains(&round) && dice.roll(100) >= absences / 2;
            it.entrants[player].withdrawn = !is_there;
        }
        let Some(mut paired) = it.pair_next().expect("all matches are decided") else {
            break;
        };
        for one in &mut paired.matches {
            let [first, second] = one.players;
            if let (Some(first), Some(second), None) = (first, second, one.outcome) {
                one.outcome = Some(result([first, second], &it, absences, &mut dice));
            }
        }
        it.rounds.push(paired);
    }
    it
}

fn result(players: [Player; 2], tournament: &Tournament, absences: u32, dice: &mut Dice) -> Outcome {
    let [first, second] = players.map(|player| f64::from(tournament.entrant(player).rating));
    let expected = 1.0 / (1.0 + 10_f64.powf((second - first) / 400.0));
    let winner = if f64::from(dice.roll(10_000)) < expected * 10_000.0 { Side::First } else { Side::Second };
    if dice.roll(100) < absences / 2 {
        return Outcome::won(winner, Reason::Absent);
    }
    match dice.roll(10) {
        0..3 => Outcome { verdict: Verdict::Drawn, reason: Reason::Played },
        _ => Outcome::won(winner, Reason::Played),
    }
}

fn times() {
    println!("{:>7} {:>6} {:>12} {:>12}", "players", "games", "mean", "longest");
    for players in [10, 20, 50, 100, 200, 500, 1_000] {
        for games in [1, 2] {
            let mut dice = Dice(players as u64);
            let rounds = Format::default_swiss_rounds(players);
            let mut it = entered(players, rounds, &mut dice);
            it.match_games = games;
            let mut took = Vec::new();
            while let Some(mut paired) = {
                let begin = Instant::now();
                let paired = it.pair_next().expect("all matches are decided");
                took.push(begin.elapsed());
                paired
            } {
                for one in &mut paired.matches {
                    if let ([Some(first), Some(second)], None) = (one.players, one.outcome) {
                        let mut outcome = result([first, second], &it, 0, &mut dice);
                        while outcome.verdict == Verdict::Drawn {
                            outcome = result([first, second], &it, 0, &mut dice);
                        }
                        one.outcome = Some(outcome);
                    }
                }
                it.rounds.push(paired);
            }
            let longest = took.iter().max().copied().unwrap_or_default();
            let mean = took.iter().sum::<std::time::Duration>() / took.len() as u32;
            println!("{players:>7} {games:>6} {mean:>12.2?} {longest:>12.2?}");
        }
    }
}
