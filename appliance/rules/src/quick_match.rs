//! Quick match: players without an event find opponents. See `docs/behaviour/quick-match.md`.
//!
//! There is a queue for each time control, rated and casual, of people and of bots, with [`Policy::QuickMatch`]. The same calls and seeds give
//! the same games.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::{
    UserId,
    board::{BoardSize, Mark},
    clock::{Millis, TimeControl},
    matchmaking::{Pairing, Policy, Queue, QueueFull, Seeker},
};

/// What a player wants to play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wish {
    /// `None` for any board.
    pub size: Option<BoardSize>,
    pub control: TimeControl,
    pub rated: bool,
}

/// Those who can be paired with each other.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Kind {
    control: TimeControl,
    rated: bool,
    is_bot: bool,
}

/// A player who looks for an opponent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Candidate {
    pub user: UserId,
    pub rating: u32,
    pub last_opponent: Option<UserId>,
    /// Whom the player blocks.
    pub blocked: BTreeSet<UserId>,
    /// Bots are paired among themselves.
    pub is_bot: bool,
}

/// Two players, and the game that both want.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Match {
    pub pairing: Pairing,
    pub size: BoardSize,
    pub control: TimeControl,
    pub rated: bool,
    /// Both players are bots; otherwise neither is.
    pub is_bot: bool,
    /// Who starts; the first of the paired players is X.
    pub starter: Mark,
}

impl Match {
    /// What a player of the match wished, the first or the second.
    pub fn wish(&self, player: usize) -> Wish {
        Wish { size: self.pairing.sizes[player], control: self.control, rated: self.rated }
    }
}

/// Everybody who looks for an opponent. A player has one wish at a time.
#[derive(Clone, Debug, Default)]
pub struct Lobby {
    queues: BTreeMap<Kind, Queue>,
    /// With whether a bot wishes it.
    wishes: HashMap<UserId, (Wish, bool)>,
}

impl Lobby {
    /// Adds a player who waits since `since`, or changes the wish. Who only wants another board keeps the place and the
    /// waiting time.
    ///
    /// # Errors
    /// The queue of the wish is full; an earlier wish stays.
    pub fn enter(&mut self, candidate: Candidate, wish: Wish, since: Millis) -> Result<(), QueueFull> {
        let Candidate { user, rating, last_opponent, blocked, is_bot } = candidate;
        let kind = kind(wish, is_bot);
        let queue = self.queues.entry(kind).or_insert_with(|| Queue::new(Policy::QuickMatch));
        let seeker = Seeker { user, level: rating, last_opponent, address: None, size: wish.size };
        queue.enqueue_avoiding(seeker, blocked, since)?;
        if let Some((before, was_bot)) = self.wishes.insert(user, (wish, is_bot))
            && let before = self::kind(before, was_bot)
            && before != kind
            && let Some(queue) = self.queues.get_mut(&before)
        {
            queue.remove(user);
        }
        Ok(())
    }

    /// Removes a player; false if they were not waiting.
    pub fn leave(&mut self, user: UserId) -> bool {
        let Some((wish, is_bot)) = self.wishes.remove(&user) else { return false };
        self.queues.get_mut(&kind(wish, is_bot)).is_some_and(|queue| queue.remove(user))
    }

    /// The player lost the connection: they keep their place and are not paired.
    pub fn away(&mut self, user: UserId) {
        if let Some(queue) = self.kind(user).and_then(|kind| self.queues.get_mut(&kind)) {
            queue.away(user);
        }
    }

    /// What a waiting player wants.
    pub fn wish(&self, user: UserId) -> Option<Wish> {
        self.wishes.get(&user).map(|(wish, _)| *wish)
    }

    /// The waiting players.
    pub fn users(&self) -> impl Iterator<Item = UserId> {
        self.wishes.keys().copied()
    }

    /// Bots that wait, or people.
    pub fn count(&self, bots: bool) -> usize {
        self.wishes.values().filter(|(_, is_bot)| *is_bot == bots).count()
    }

    /// Whether a waiting player is a bot.
    pub fn is_bot(&self, user: UserId) -> bool {
        self.wishes.get(&user).is_some_and(|(_, is_bot)| *is_bot)
    }

    /// Players who wait.
    pub fn len(&self) -> usize {
        self.wishes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.wishes.is_empty()
    }

    /// Since when a player waits, and the difference of ratings that they accept by now.
    pub fn waiting(&self, user: UserId, now: Millis) -> Option<(Millis, u32)> {
        let queue = self.queues.get(&self.kind(user)?)?;
        Some((queue.waiting_since(user)?, queue.accepted_gap(user, now)?))
    }

    /// When [`Lobby::pair`] may next find a match, unless somebody enters or leaves.
    pub fn next_wakeup(&self) -> Option<Millis> {
        self.queues.values().filter_map(Queue::next_wakeup).min()
    }

    /// Pairs until no two remaining players fit; paired players leave.
    pub fn pair(&mut self, now: Millis, seed: u64) -> Vec<Match> {
        let mut matches = vec![];
        for (number, (&Kind { control, rated, is_bot }, queue)) in (0..).zip(&mut self.queues) {
            for pairing in queue.pair(now, seed.wrapping_add(number)) {
                for user in pairing.players {
                    self.wishes.remove(&user);
                }
                matches.push(Match {
                    pairing,
                    size: size(&pairing),
                    control,
                    rated,
                    is_bot,
                    starter: starter(&pairing),
                });
            }
        }
        matches
    }

    fn kind(&self, user: UserId) -> Option<Kind> {
        self.wishes.get(&user).map(|(wish, is_bot)| kind(*wish, *is_bot))
    }
}

fn kind(wish: Wish, is_bot: bool) -> Kind {
    Kind { control: wish.control, rated: wish.rated, is_bot }
}

/// The board that either wants; if both want any, by the seed.
fn size(pairing: &Pairing) -> BoardSize {
    let [x, o] = pairing.sizes;
    let any = || BoardSize::ALL[(pairing.seed >> 1) as usize % BoardSize::ALL.len()];
    x.or(o).unwrap_or_else(any)
}

fn starter(pairing: &Pairing) -> Mark {
    if pairing.seed & 1 == 0 { Mark::X } else { Mark::O }
}
