//! The cost and fairness of pairing: two tables, reproducible by the seed (except for times).
//!
//! `cargo run --release --example matchmaker`
//!
//! The first pairs queues of 100, 10,000 and 100,000 players who wait at once, and lets newcomers arrive at crowds of
//! that size in which nobody fits anybody. The second plays a thousand events of players of different strength and
//! longest wait against the clock of the simulation.

use morpion_rules::{
    GameId, Millis, UserId,
    matchmaking::{Addresses, Queue, Seeker},
    standings::{GameResult, Standings, starter},
};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};
use std::hint::black_box;
use std::net::{IpAddr, Ipv4Addr};
use std::time::Instant;
use uuid::Uuid;

const EVENTS: u64 = 1_000;
/// The length of an event in milliseconds.
const EVENT: i64 = 20 * 60 * 1_000;
/// After an event game the next search starts automatically, see `docs/behaviour/webapp.md#event-room`.
const BETWEEN_GAMES: i64 = 7_000;
const MAX_LOSSES: u32 = 3;

/// SplitMix64.
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    fn below(&mut self, end: u64) -> u64 {
        self.roll() % end
    }

    /// Between 0 and 1.
    fn share(&mut self) -> f64 {
        (self.roll() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Many at level 1, half as many at each further one.
    fn level(&mut self) -> u32 {
        1 + self.roll().trailing_zeros().min(11)
    }
}

fn user(number: u64) -> UserId {
    UserId(Uuid::from_u128(u128::from(number) + 1))
}

fn main() {
    costs();
    println!();
    fairness();
}

/// Nanoseconds for each of `players` that `work` took.
fn nanos_each(players: u64, work: impl FnOnce()) -> f64 {
    let begun = Instant::now();
    work();
    begun.elapsed().as_nanos() as f64 / players as f64
}

fn costs() {
    println!("Cost of the matchmaker, nanoseconds a player");
    println!("{:>9}  {:>8}  {:>8}  {:>12}  {:>22}", "waiting", "enter", "pair", "why waiting", "arrive at a deadlock");
    for waiting in [100_u64, 10_000, 100_000] {
        let rounds = 200_000 / waiting;
        let (mut enter, mut pair, mut why) = (0.0, 0.0, 0.0);
        for round in 0..rounds {
            let mut dice = Dice(round);
            let mut queue = Queue::new(Addresses::Together);
            let seekers: Vec<Seeker> = (0..waiting)
                .map(|number| Seeker {
                    user: user(number),
                    level: dice.level(),
                    last_opponent: None,
                    address: None,
                    size: None,
                })
                .collect();
            enter += nanos_each(waiting, || {
                for (number, seeker) in seekers.iter().enumerate() {
                    black_box(queue.enqueue(*seeker, Millis(number as i64 / 100))).ok();
                }
            });
            let now = Millis(waiting as i64 / 100);
            let asked = waiting.min(1_000);
            why += nanos_each(asked, || {
                (0..asked).for_each(|number| _ = black_box(queue.why_waiting(user(number), 0, now)));
            });
            pair += nanos_each(waiting, || _ = black_box(queue.pair(now, round)));
        }
        let per = |sum: f64| sum / rounds as f64;
        println!(
            "{waiting:>9}  {:>8.0}  {:>8.0}  {:>12.0}  {:>22.0}",
            per(enter),
            per(pair),
            per(why),
            arrivals(waiting)
        );
    }
}

/// All players share one address and may not be paired: every newcomer searches in vain.
fn arrivals(waiting: u64) -> f64 {
    const NEWCOMERS: u64 = 1_000;
    let mut dice = Dice(waiting);
    let mut queue = Queue::new(Addresses::Apart);
    let address = Some(IpAddr::V4(Ipv4Addr::LOCALHOST));
    let mut enter = |queue: &mut Queue, number: u64, now: i64| {
        let seeker = Seeker { user: user(number), level: dice.level(), last_opponent: None, address, size: None };
        queue.enqueue(seeker, Millis(now)).expect("there is room");
    };
    (0..waiting).for_each(|number| enter(&mut queue, number, 0));
    assert!(queue.pair(Millis(0), 1).is_empty());
    nanos_each(NEWCOMERS, || {
        for number in 0..NEWCOMERS {
            enter(&mut queue, waiting + number, number as i64);
            assert!(queue.pair(Millis(number as i64), 1).is_empty());
        }
    })
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Happening {
    /// Looks for an opponent.
    Seeks(u64),
    /// Gives up, if this search is still active, and leaves the event.
    GivesUp(u64, i64),
    GameOver {
        a: u64,
        b: u64,
        starter: u64,
    },
}

/// What was measured over all events.
#[derive(Default)]
struct Measured {
    players: u64,
    games: u64,
    gaps: [u64; 5],
    waits: Vec<i64>,
    rematches: u64,
    gave_up: u64,
    eliminated: u64,
    /// How many more games one of the two players of a pair has started than the other, at most, by player.
    start_imbalance: [u64; 4],
    started_by_winner: u64,
}

struct Person {
    /// In the units of a logistic curve: one more wins e times as often.
    strength: f64,
    /// The longest wait in milliseconds.
    longest_wait: i64,
    last_opponent: Option<UserId>,
    games: u32,
}

struct Tournament {
    dice: Dice,
    queue: Queue,
    standings: Standings,
    people: HashMap<u64, Person>,
    to_come: BinaryHeap<Reverse<(Millis, u64, Happening)>>,
    sequence: u64,
}

impl Tournament {
    fn new(seed: u64) -> Tournament {
        let mut tournament = Tournament {
            dice: Dice(seed),
            queue: Queue::new(Addresses::Together),
            standings: Standings::new(MAX_LOSSES),
            people: HashMap::new(),
            to_come: BinaryHeap::new(),
            sequence: 0,
        };
        let size = 2 + tournament.dice.below(63);
        for number in 0..size {
            let dice = &mut tournament.dice;
            // The sum of four uniform numbers approximates a normal distribution.
            let strength = (0..4).map(|_| dice.share() - 0.5).sum::<f64>() * 3.0;
            let longest_wait = 30_000 + dice.below(270_000) as i64;
            // Most are there at the start, some come later.
            let arrives =
                if dice.below(4) == 0 { dice.below(EVENT as u64 / 2) as i64 } else { dice.below(10_000) as i64 };
            tournament.people.insert(number, Person { strength, longest_wait, last_opponent: None, games: 0 });
            tournament.standings.sign_up(user(number), Millis(arrives));
            tournament.plan(Millis(arrives), Happening::Seeks(number));
        }
        tournament
    }

    fn plan(&mut self, at: Millis, happening: Happening) {
        self.sequence += 1;
        self.to_come.push(Reverse((at, self.sequence, happening)));
    }

    fn play(mut self, measured: &mut Measured) {
        measured.players += self.people.len() as u64;
        loop {
            let next = self.to_come.peek().map(|Reverse((at, ..))| *at);
            let Some(now) = next.into_iter().chain(self.queue.next_wakeup()).min().filter(|at| at.0 < EVENT) else {
                break;
            };
            while let Some(Reverse((at, _, happening))) = self.to_come.peek().copied() {
                if at > now {
                    break;
                }
                self.to_come.pop();
                self.happens(happening, now, measured);
            }
            self.pair(now, measured);
        }
        for (number, person) in &self.people {
            let starts = self.standings.get(user(*number)).map_or(0, |standing| standing.starts);
            // Of an even number of games half are one's due; of an odd number one more or less.
            let surplus =
                (2 * i64::from(starts) - i64::from(person.games)).unsigned_abs().saturating_sub(1).div_ceil(2);
            measured.start_imbalance[usize::try_from(surplus).unwrap_or(3).min(3)] += 1;
            measured.eliminated += u64::from(self.standings.is_eliminated(user(*number)));
        }
    }

    fn happens(&mut self, happening: Happening, now: Millis, measured: &mut Measured) {
        match happening {
            Happening::Seeks(number) => {
                let id = user(number);
                let level = self.standings.get(id).map_or(1, |standing| standing.level);
                let person = &self.people[&number];
                let (last_opponent, longest_wait) = (person.last_opponent, person.longest_wait);
                let seeker = Seeker { user: id, level, last_opponent, address: None, size: None };
                self.queue.enqueue(seeker, now).expect("there is room");
                self.plan(now + longest_wait, Happening::GivesUp(number, now.0));
            }
            Happening::GivesUp(number, since) => {
                if self.queue.waiting_since(user(number)) == Some(Millis(since)) {
                    self.queue.remove(user(number));
                    measured.gave_up += 1;
                }
            }
            Happening::GameOver { a, b, starter } => {
                let edge = self.people[&a].strength - self.people[&b].strength;
                let a_wins = self.dice.share() < 1.0 / (1.0 + (-edge).exp());
                let (winner, loser) = if a_wins { (a, b) } else { (b, a) };
                measured.started_by_winner += u64::from(winner == starter);
                self.sequence += 1;
                let result = GameResult {
                    game: GameId(Uuid::from_u128(u128::from(self.sequence))),
                    winner: user(winner),
                    loser: user(loser),
                    starter: Some(user(starter)),
                    at: now,
                };
                self.standings.record(&result).expect("both signed up");
                for (number, other) in [(a, b), (b, a)] {
                    let person = self.people.get_mut(&number).expect("one of ours");
                    person.last_opponent = Some(user(other));
                    person.games += 1;
                    if !self.standings.is_eliminated(user(number)) {
                        self.plan(now + BETWEEN_GAMES, Happening::Seeks(number));
                    }
                }
            }
        }
    }

    fn pair(&mut self, now: Millis, measured: &mut Measured) {
        let waiting: HashMap<UserId, Millis> = self
            .people
            .keys()
            .filter_map(|number| Some((user(*number), self.queue.waiting_since(user(*number))?)))
            .collect();
        let seed = self.dice.roll();
        for pairing in self.queue.pair(now, seed) {
            let [a, b] = pairing.players;
            let number = |user: UserId| (user.0.as_u128() - 1) as u64;
            let starts = [a, b].map(|user| self.standings.get(user).map_or(0, |standing| standing.starts));
            let first = [a, b][starter(starts, pairing.seed).index()];
            measured.games += 1;
            measured.gaps[(pairing.levels[0].abs_diff(pairing.levels[1]) as usize).min(4)] += 1;
            measured.rematches += u64::from(self.people[&number(a)].last_opponent == Some(b));
            measured.waits.extend([a, b].map(|user| now - waiting[&user]));
            let lasts = 15_000 + self.dice.below(90_000) as i64;
            let over = Happening::GameOver { a: number(a), b: number(b), starter: number(first) };
            self.plan(now + lasts, over);
        }
    }
}

fn fairness() {
    let mut measured = Measured::default();
    for seed in 0..EVENTS {
        Tournament::new(seed).play(&mut measured);
    }
    let Measured {
        players,
        games,
        gaps,
        mut waits,
        rematches,
        gave_up,
        eliminated,
        start_imbalance,
        started_by_winner,
    } = measured;
    waits.sort_unstable();
    let percentile = |share: f64| waits[((waits.len() - 1) as f64 * share) as usize] as f64 / 1_000.0;
    let of = |part: u64, whole: u64| format!("{:.1} %", 100.0 * part as f64 / whole.max(1) as f64);
    println!("Fairness over {EVENTS} events of 2 to 64 players and 20 minutes");
    println!("  players {players}, games {games}, eliminated {eliminated}, gave up waiting {gave_up}");
    println!(
        "  level gap of a pair      0: {}  1: {}  2: {}  3: {}  more: {}",
        of(gaps[0], games),
        of(gaps[1], games),
        of(gaps[2], games),
        of(gaps[3], games),
        of(gaps[4], games)
    );
    println!(
        "  waiting for an opponent  p50 {:.1} s  p90 {:.1} s  p99 {:.1} s  longest {:.1} s",
        percentile(0.5),
        percentile(0.9),
        percentile(0.99),
        percentile(1.0)
    );
    println!("  immediate rematches      {}", of(rematches, games));
    println!(
        "  starts beside one's due  0: {}  1: {}  2: {}  more: {}",
        of(start_imbalance[0], players),
        of(start_imbalance[1], players),
        of(start_imbalance[2], players),
        of(start_imbalance[3], players)
    );
    println!("  won by whoever started   {}", of(started_by_winner, games));
}
