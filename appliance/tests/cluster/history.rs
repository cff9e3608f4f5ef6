//! What clients asked, were answered and saw, for [`crate::checker`].

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::atomic::{AtomicU64, Ordering},
    time::{Duration, Instant},
};

use parking_lot::Mutex;

/// A moment: of two, the later one is larger, whoever looked.
pub type Tick = u64;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    Acknowledged,
    /// It was not done.
    Refused,
    /// No answer, or one that leaves open whether it was done.
    Unknown,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Move {
    /// `X` or `O`.
    pub mark: String,
    pub row: u8,
    pub col: u8,
}

#[derive(Debug, Clone)]
pub struct Entry {
    pub client: usize,
    /// Which node was asked.
    pub node: usize,
    /// When it was asked; of what a client was told without being asked, when it opened the game on that connection.
    pub asked: Tick,
    pub answered: Tick,
    pub what: What,
}

#[derive(Debug, Clone)]
pub enum What {
    MadeGame {
        game: String,
        outcome: Outcome,
    },
    /// A move on the state of this version.
    Moved {
        game: String,
        version: u64,
        chosen: Move,
        outcome: Outcome,
    },
    /// The client was told of a move that led to this version.
    Told {
        game: String,
        version: u64,
        made: Move,
    },
    /// The client saw the whole state.
    Read {
        game: String,
        version: u64,
        moves: Vec<Move>,
        /// It is the answer to what was asked, and has seen all that was acknowledged before.
        is_answer: bool,
    },
    Registered {
        name: String,
        outcome: Outcome,
    },
    SignedUp {
        name: String,
        outcome: Outcome,
    },
    /// Somebody bought a plan.
    Bought {
        name: String,
        outcome: Outcome,
    },
}

impl What {
    fn is_acknowledged(&self) -> bool {
        match self {
            Self::MadeGame { outcome, .. }
            | Self::Moved { outcome, .. }
            | Self::Registered { outcome, .. }
            | Self::SignedUp { outcome, .. }
            | Self::Bought { outcome, .. } => *outcome == Outcome::Acknowledged,
            Self::Told { .. } | Self::Read { .. } => false,
        }
    }
}

/// What is there in the end.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct End {
    pub games: BTreeMap<String, GameAtEnd>,
    /// By name.
    pub accounts: BTreeSet<String>,
    pub sign_ups: BTreeSet<String>,
    /// Who has the plan.
    pub subscribers: BTreeSet<String>,
    /// How often whom was charged, if they were.
    pub charges: BTreeMap<String, usize>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GameAtEnd {
    pub version: u64,
    pub moves: Vec<Move>,
}

/// Written by all clients.
#[derive(Default)]
pub struct History {
    ticks: AtomicU64,
    entries: Mutex<Vec<Entry>>,
    /// When something was acknowledged, and to whom.
    acknowledged: Mutex<Vec<(Instant, usize)>>,
}

impl History {
    pub fn tick(&self) -> Tick {
        self.ticks.fetch_add(1, Ordering::SeqCst)
    }

    /// Records what was answered now.
    pub fn record(&self, client: usize, node: usize, asked: Tick, what: What) {
        if what.is_acknowledged() {
            self.acknowledged.lock().push((Instant::now(), client));
        }
        let mut entries = self.entries.lock();
        entries.push(Entry { client, node, asked, answered: self.tick(), what });
    }

    pub fn entries(&self) -> Vec<Entry> {
        self.entries.lock().clone()
    }

    /// Games that were asked for, with who did.
    pub fn games(&self) -> Vec<(String, usize)> {
        let entries = self.entries.lock();
        let made = entries.iter().filter_map(|entry| match &entry.what {
            What::MadeGame { game, .. } => Some((game.clone(), entry.client)),
            _ => None,
        });
        made.collect::<BTreeMap<_, _>>().into_iter().collect()
    }

    /// When something was first acknowledged after this moment.
    pub fn acknowledged_after(&self, moment: Instant) -> Option<Instant> {
        self.acknowledged.lock().iter().map(|(at, _)| *at).filter(|at| *at > moment).min()
    }

    /// The longest time between two moments in which one of the pairs of clients (0 and 1, 2 and 3, and so on) got nothing
    /// acknowledged.
    pub fn longest_gap(&self, from: Instant, to: Instant, pairs: usize) -> Duration {
        let acknowledged = self.acknowledged.lock();
        let gap_of = |pair: usize| {
            let of_pair = acknowledged.iter().filter(|(at, client)| client / 2 == pair && (from..to).contains(at));
            let mut last = from;
            let mut longest = Duration::ZERO;
            for at in of_pair.map(|(at, _)| *at).chain([to]) {
                longest = longest.max(at - last);
                last = at;
            }
            longest
        };
        (0..pairs).map(gap_of).max().unwrap_or_default()
    }
}

#[test]
fn the_longest_gap_is_that_of_one_pair() {
    let history = History::default();
    let begin = Instant::now();
    let at = |tenths: u64| begin + Duration::from_millis(100 * tenths);
    *history.acknowledged.lock() = vec![(at(1), 0), (at(2), 2), (at(4), 1), (at(9), 3), (at(10), 0)];
    assert_eq!(history.longest_gap(begin, at(11), 2), Duration::from_millis(700));
    assert_eq!(history.longest_gap(begin, at(11), 1), Duration::from_millis(600));
    assert_eq!(history.longest_gap(begin, at(20), 2), Duration::from_millis(1_100));
    assert_eq!(history.longest_gap(begin, at(1), 3), Duration::from_millis(100));
    assert_eq!(history.acknowledged_after(at(4)), Some(at(9)));
    assert_eq!(history.acknowledged_after(at(10)), None);
}
