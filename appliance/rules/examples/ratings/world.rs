//! People who look for opponents with the real rules of quick match, and play.

use std::{
    cmp::Reverse,
    collections::{BTreeSet, BinaryHeap, HashMap},
};

use morpion_rules::{
    Millis, UserId,
    quick_match::{Candidate, Lobby, Match},
    rating::Score,
};
use uuid::Uuid;

use crate::{
    players::{DAY, Dice, HOUR, Player, SECOND, expected, game_length, patience, result, wish},
    systems::{Errors, Rated},
};

/// The pause between two games.
const BETWEEN_GAMES: i64 = 8 * SECOND;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Happening {
    Day(i64),
    Seeks(usize),
    /// If this search still goes on.
    GivesUp(usize, u32),
    GameOver(usize),
}

struct Game {
    players: [usize; 2],
    score: Score,
    strengths: [f64; 2],
    is_rated: bool,
}

/// What the searches of one hour of the day, or of one crowd, came to.
#[derive(Debug, Clone, Default)]
pub struct Searches {
    /// Milliseconds until a game was found.
    waits: Vec<i64>,
    pub given_up: u64,
    /// Of each rated pair, by what both are rated and by how strong they are.
    rating_gaps: Vec<i64>,
    strength_gaps: Vec<i64>,
    /// Sum of the players who were there, at each search.
    present: u64,
}

impl Searches {
    /// With those of another hour.
    pub fn with(mut self, other: &Self) -> Self {
        self.waits.extend(&other.waits);
        self.given_up += other.given_up;
        self.rating_gaps.extend(&other.rating_gaps);
        self.strength_gaps.extend(&other.strength_gaps);
        self.present += other.present;
        self
    }

    pub fn searches(&self) -> u64 {
        self.waits.len() as u64 + self.given_up
    }

    /// The players who looked or played when somebody began to look, on average.
    pub fn crowd(&self) -> f64 {
        self.present as f64 / self.searches().max(1) as f64
    }

    pub fn given_up_share(&self) -> f64 {
        self.given_up as f64 / self.searches().max(1) as f64
    }

    pub fn wait(&self, share: f64) -> f64 {
        quantile(&self.waits, share) as f64 / SECOND as f64
    }

    pub fn rating_gap(&self, share: f64) -> i64 {
        quantile(&self.rating_gaps, share)
    }

    pub fn strength_gap(&self, share: f64) -> i64 {
        quantile(&self.strength_gaps, share)
    }
}

fn quantile(values: &[i64], share: f64) -> i64 {
    let mut sorted = values.to_vec();
    sorted.sort_unstable();
    let at = (sorted.len() as f64 * share) as usize;
    sorted.get(at.min(sorted.len().saturating_sub(1))).copied().unwrap_or(0)
}

/// One search that goes on, or a game.
#[derive(Debug, Clone, Copy, Default)]
struct Visit {
    games_left: u32,
    /// Tells a search from the ones before.
    number: u32,
    since: i64,
}

pub struct World {
    dice: Dice,
    players: Vec<Player>,
    rated: Vec<Rated>,
    visits: Vec<Visit>,
    last_opponents: HashMap<usize, usize>,
    lobby: Lobby,
    games: Vec<Game>,
    playing: u64,
    happenings: BinaryHeap<Reverse<(i64, Happening)>>,
    /// Nobody leaves: as many are there all the time.
    is_closed: bool,
    days: i64,
    pub errors: Errors,
    pub by_hour: Vec<Searches>,
}

fn user(player: usize) -> UserId {
    UserId(Uuid::from_u128(player as u128 + 1))
}

fn player(user: UserId) -> usize {
    user.0.as_u128() as usize - 1
}

impl World {
    fn new(players: usize, days: i64, seed: u64, is_closed: bool) -> Self {
        let mut dice = Dice(seed);
        let players: Vec<Player> = (0..players).map(|_| Player::new(&mut dice, days)).collect();
        Self {
            dice,
            rated: vec![Rated::default(); players.len()],
            visits: vec![Visit::default(); players.len()],
            players,
            last_opponents: HashMap::new(),
            lobby: Lobby::default(),
            games: vec![],
            playing: 0,
            happenings: BinaryHeap::new(),
            is_closed,
            days,
            errors: Errors::default(),
            by_hour: vec![Searches::default(); 24],
        }
    }

    /// So many people register within the first half of these days and play as they like.
    pub fn year(players: usize, days: i64, seed: u64) -> Self {
        let mut world = Self::new(players, days, seed, false);
        world.happenings.push(Reverse((0, Happening::Day(0))));
        world.run(days * DAY);
        world
    }

    /// So many people are there all the time for some hours, after as many in which their ratings settle.
    pub fn crowd(players: usize, hours: i64, seed: u64) -> Searches {
        let mut world = Self::new(players, 0, seed, true);
        for player in 0..players {
            world.visits[player].games_left = u32::MAX;
            let at = world.dice.below(60 * SECOND as u64) as i64;
            world.happenings.push(Reverse((at, Happening::Seeks(player))));
        }
        world.run(hours * HOUR);
        world.by_hour = vec![Searches::default(); 24];
        world.run(2 * hours * HOUR);
        world.by_hour.iter().fold(Searches::default(), Searches::with)
    }

    fn run(&mut self, until: i64) {
        loop {
            let next = self.happenings.peek().map(|Reverse((at, _))| *at);
            let wakeup = self.lobby.next_wakeup().map(|at| at.0);
            let now = match (next, wakeup) {
                (Some(next), Some(wakeup)) => next.min(wakeup),
                (Some(at), None) | (None, Some(at)) => at,
                (None, None) => return,
            };
            if now >= until {
                return;
            }
            if wakeup.is_some_and(|wakeup| next.is_none_or(|next| wakeup <= next)) {
                let seed = self.dice.roll();
                for paired in self.lobby.pair(Millis(now), seed) {
                    self.start(&paired, now);
                }
            } else if let Some(Reverse((_, happening))) = self.happenings.pop() {
                self.happen(happening, now);
            }
        }
    }

    fn happen(&mut self, happening: Happening, now: i64) {
        match happening {
            Happening::Day(day) => self.begin_day(day),
            Happening::Seeks(player) => self.seek(player, now),
            Happening::GivesUp(player, number) => {
                if self.visits[player].number == number && self.lobby.leave(user(player)) {
                    self.hour(now).given_up += 1;
                    self.visits[player].number += 1;
                    if self.is_closed {
                        self.happenings.push(Reverse((now + BETWEEN_GAMES, Happening::Seeks(player))));
                    } else {
                        self.visits[player].games_left = 0;
                    }
                }
            }
            Happening::GameOver(game) => self.end(game, now),
        }
    }

    fn hour(&mut self, now: i64) -> &mut Searches {
        &mut self.by_hour[(now / HOUR % 24) as usize]
    }

    fn begin_day(&mut self, day: i64) {
        for number in 0..self.players.len() {
            let Some(at) = self.players[number].visit(day, &mut self.dice) else { continue };
            // Still there from the day before.
            if self.visits[number].games_left == 0 {
                self.visits[number].games_left = self.players[number].games_wanted(&mut self.dice);
                self.happenings.push(Reverse((at, Happening::Seeks(number))));
            }
        }
        if day + 1 < self.days {
            self.happenings.push(Reverse(((day + 1) * DAY, Happening::Day(day + 1))));
        }
    }

    fn seek(&mut self, player: usize, now: i64) {
        let candidate = Candidate {
            user: user(player),
            rating: self.rated[player].glicko.rating.shown(),
            last_opponent: self.last_opponents.get(&player).copied().map(user),
            blocked: BTreeSet::new(),
            is_bot: false,
        };
        let wish = wish(&mut self.dice);
        self.lobby.enter(candidate, wish, Millis(now)).expect("there is room");
        let present = self.lobby.len() as u64 + 2 * self.playing;
        self.hour(now).present += present;
        let visit = &mut self.visits[player];
        visit.number += 1;
        visit.since = now;
        let number = visit.number;
        let until = now + patience(&mut self.dice);
        self.happenings.push(Reverse((until, Happening::GivesUp(player, number))));
    }

    fn start(&mut self, paired: &Match, now: i64) {
        let players = paired.pairing.players.map(player);
        let [first, second] = players;
        for player in players {
            let waited = now - self.visits[player].since;
            self.visits[player].number += 1;
            self.hour(now).waits.push(waited);
        }
        let strengths = players.map(|player| self.players[player].strength());
        if paired.rated {
            let [a, b] = players.map(|player| self.rated[player].glicko.rating.value);
            let hour = self.hour(now);
            hour.rating_gaps.push((a - b).abs() as i64);
            hour.strength_gaps.push((strengths[0] - strengths[1]).abs() as i64);
        }
        self.last_opponents.extend([(first, second), (second, first)]);
        let score = result(expected(strengths[0], strengths[1]), paired.size, &mut self.dice);
        let over = now + game_length(paired.size, &mut self.dice);
        self.playing += 1;
        self.happenings.push(Reverse((over, Happening::GameOver(self.games.len()))));
        self.games.push(Game { players, score, strengths, is_rated: paired.rated });
    }

    fn end(&mut self, game: usize, now: i64) {
        let Game { players: [first, second], score, strengths, is_rated } = self.games[game];
        self.playing -= 1;
        if is_rated && let Ok(rated) = self.rated.get_disjoint_mut([first, second]) {
            self.errors.count(rated, strengths, score, Millis(now));
        }
        for player in [first, second] {
            self.players[player].played();
            let visit = &mut self.visits[player];
            visit.games_left -= u32::from(!self.is_closed);
            if visit.games_left > 0 {
                self.happenings.push(Reverse((now + BETWEEN_GAMES, Happening::Seeks(player))));
            }
        }
    }
}
