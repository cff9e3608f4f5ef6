//! Simulated evenings by format and size: how often the strongest wins, games played, and how long it takes.
//!
//! `cargo run --release --example formats -- [EVENINGS [SEED]]`, 1,000 if absent
//!
//! Ratings are spread like those of a club (a deviation of 250) and decide games as Elo expects. A match has two games,
//! and a third at one all; a game lasts 40 s to 2 min, as games of 15 s a turn do; 30 s pass between the rounds.

use morpion_rules::UserId;
use morpion_rules::tournament::{Format, Outcome, Player, Reason, Side, Tournament};
use uuid::Uuid;

const DEVIATION: f64 = 250.0;
const GAME: (f64, f64) = (40.0, 120.0);
const PAUSE: f64 = 30.0;

/// SplitMix64.
struct Dice(u64);

impl Dice {
    /// From 0 to 1.
    fn roll(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut it = self.0;
        it = (it ^ (it >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        it = (it ^ (it >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (it ^ (it >> 31)) as f64 / u64::MAX as f64
    }
}

#[derive(Default)]
struct Evening {
    strongest_won: bool,
    rounds: usize,
    games: usize,
    seconds: f64,
}

fn main() {
    let mut arguments = std::env::args().skip(1).map(|argument| argument.parse::<u64>().expect("a number"));
    let evenings = arguments.next().unwrap_or(1_000);
    let seed = arguments.next().unwrap_or(1);
    println!(
        "| format | players | rounds | games | minutes | 90% within | the strongest wins |\n|---|---|---|---|---|---|---|"
    );
    for (name, sizes) in [
        ("knockout", &[4, 8, 16, 32, 64, 128][..]),
        ("Swiss", &[8, 16, 32, 64, 128]),
        ("round robin", &[4, 6, 8, 10, 16]),
    ] {
        for players in sizes.iter().copied() {
            let format = match name {
                "knockout" => Format::Knockout { third_place: true },
                "Swiss" => Format::Swiss { rounds: Format::default_swiss_rounds(players) },
                _ => Format::RoundRobin { double: false },
            };
            let all: Vec<Evening> =
                (0..evenings).map(|number| evening(format, players, &mut Dice(seed << 32 | number))).collect();
            let mean = |value: &dyn Fn(&Evening) -> f64| all.iter().map(value).sum::<f64>() / evenings as f64;
            let mut lengths: Vec<f64> = all.iter().map(|it| it.seconds).collect();
            lengths.sort_by(f64::total_cmp);
            println!(
                "| {name} | {players} | {} | {:.0} | {:.0} | {:.0} | {:.0}% |",
                all[0].rounds,
                mean(&|it| it.games as f64),
                mean(&|it| it.seconds) / 60.0,
                lengths[lengths.len() * 9 / 10] / 60.0,
                100.0 * mean(&|it| f64::from(u8::from(it.strongest_won)))
            );
        }
    }
}

fn evening(format: Format, players: usize, dice: &mut Dice) -> Evening {
    // The sum of twelve is close enough to a normal distribution.
    let mut bell = || (0..12).map(|_| dice.roll()).sum::<f64>() - 6.0;
    let users: Vec<(UserId, u32)> = (0..players)
        .map(|number| (UserId(Uuid::from_u128(number as u128)), (1_500.0 + DEVIATION * bell()) as u32))
        .collect();
    let mut it = Tournament::new(format, 2, Side::First, Tournament::seeded(users));
    let mut evening = Evening::default();
    while let Some(mut round) = it.pair_next().expect("all matches are decided") {
        let mut longest = 0.0_f64;
        for one in &mut round.matches {
            if let ([Some(first), Some(second)], None) = (one.players, one.outcome) {
                let (outcome, games, seconds) = play([first, second], &it, dice);
                one.outcome = Some(outcome);
                evening.games += games;
                longest = longest.max(seconds);
            }
        }
        evening.seconds += longest + PAUSE;
        it.rounds.push(round);
    }
    evening.rounds = it.rounds.len();
    evening.strongest_won = it.standings()[0].player == 0;
    evening
}

fn play(players: [Player; 2], tournament: &Tournament, dice: &mut Dice) -> (Outcome, usize, f64) {
    let [first, second] = players.map(|player| f64::from(tournament.entrant(player).rating));
    let expected = 1.0 / (1.0 + 10_f64.powf((second - first) / 400.0));
    let (mut won, mut seconds) = ([0, 0], 0.0);
    while won[0] < 2 && won[1] < 2 {
        won[usize::from(dice.roll() >= expected)] += 1;
        seconds += GAME.0 + (GAME.1 - GAME.0) * dice.roll();
    }
    let winner = if won[0] == 2 { Side::First } else { Side::Second };
    (Outcome::won(winner, Reason::Played), won[0] + won[1], seconds)
}
