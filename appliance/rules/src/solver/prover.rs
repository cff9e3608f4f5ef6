//! Depth-first proof-number search for the one question 'can this side win?'.
//!
//! A node is a calm position: forced replies belong to the move that forces them. A leaf is settled without search by
//! the four-threat search, by potential, or by a pairing strategy, which is what keeps the tree small. The game only
//! adds stones, so there are no cycles.

use super::forcing::wins_by_threats;
use super::geometry::MAX_CELLS;
use super::pairing::holds_by_pairing;
use super::stones::{Outcome, Side, Stones, other};
use super::table::{Numbers, Table};

/// Settled.
const INFINITE: u16 = u16::MAX;
/// The largest number that is not settled.
const HUGE: u16 = 60_000;
const YES: Numbers = Numbers { proof: 0, disproof: INFINITE };
const NO: Numbers = Numbers { proof: INFINITE, disproof: 0 };

/// First estimates. They change the speed, never the result: a defender who faces a forced win has few moves, and one
/// who faces none has many.
const PROOF_WHEN_THREATENED: u16 = 2;
const PROOF_WHEN_FREE: u16 = 16;
const PROOF_ON_TURN: u16 = 4;

/// The nodes that searches may still visit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Effort {
    pub nodes: u32,
    pub limit: u32,
}

impl Effort {
    fn is_over(&self) -> bool {
        self.nodes >= self.limit
    }
}

pub(super) struct Prover {
    table: Table,
    /// The moves under consideration, one list for each depth.
    frames: Vec<Vec<Child>>,
    /// Stones that the search has placed, with the replies they forced.
    track: Vec<(u8, Side)>,
    attacker: Side,
}

/// A move that is not settled against the side to move.
#[derive(Clone, Copy)]
struct Child {
    cell: u8,
    key: u64,
    numbers: Numbers,
}

/// After a move and the replies it forced.
enum Calm {
    ToMove(Side),
    WonBy(Side),
}

impl Prover {
    pub fn new(table_bits: u32) -> Prover {
        Prover {
            table: Table::new(table_bits),
            frames: (0..=MAX_CELLS).map(|_| Vec::with_capacity(MAX_CELLS)).collect(),
            track: Vec::with_capacity(MAX_CELLS),
            attacker: 0,
        }
    }

    /// Whether `attacker` wins the calm position, with `to_move` to move, against any defence; `None` where the effort
    /// was spent before that was known.
    pub fn can_win(&mut self, stones: &mut Stones, attacker: Side, to_move: Side, effort: &mut Effort) -> Option<bool> {
        self.attacker = attacker;
        let key = stones.question(attacker, to_move);
        let mut numbers = self.recall(stones, key, to_move);
        if numbers.proof != 0 && numbers.disproof != 0 {
            let before = effort.nodes;
            numbers = self.search(stones, to_move, 0, Numbers { proof: INFINITE, disproof: INFINITE }, effort);
            self.table.store(key, numbers, effort.nodes - before);
        }
        match numbers {
            Numbers { proof: 0, .. } => Some(true),
            Numbers { disproof: 0, .. } => Some(false),
            _ => None,
        }
    }

    fn recall(&mut self, stones: &mut Stones, key: u64, to_move: Side) -> Numbers {
        if let Some(numbers) = self.table.get(key) {
            return numbers;
        }
        let numbers = self.assess(stones, to_move);
        self.table.store(key, numbers, 0);
        numbers
    }

    /// Settles a calm position without search, or estimates its numbers.
    fn assess(&self, stones: &mut Stones, to_move: Side) -> Numbers {
        let attacker = self.attacker;
        let defender = other(attacker);
        if stones.cannot_win(attacker, to_move) {
            return NO;
        }
        let potential = stones.potential[attacker] as u16;
        if to_move == attacker {
            if wins_by_threats(stones, attacker) {
                return YES;
            }
            if holds_by_pairing(stones, attacker) {
                return NO;
            }
            return Numbers { proof: PROOF_ON_TURN, disproof: 1 + (potential >> 3) };
        }
        if !stones.cannot_win(defender, defender) && wins_by_threats(stones, defender) {
            return NO;
        }
        if holds_by_pairing(stones, attacker) {
            return NO;
        }
        let threatened = wins_by_threats(stones, attacker);
        let (proof, least) = if threatened { (PROOF_WHEN_THREATENED, 2) } else { (PROOF_WHEN_FREE, 1) };
        Numbers { proof, disproof: least + (potential >> 4) }
    }

    /// Searches until a number reaches its limit or the effort is spent.
    fn search(
        &mut self,
        stones: &mut Stones,
        to_move: Side,
        depth: usize,
        limits: Numbers,
        effort: &mut Effort,
    ) -> Numbers {
        let attacking = to_move == self.attacker;
        effort.nodes += 1;
        let mut frame = std::mem::take(&mut self.frames[depth]);
        frame.clear();
        let numbers = if self.expand(stones, &mut frame, to_move) {
            settled(attacking)
        } else {
            loop {
                match choose(&frame, attacking, limits, effort.is_over()) {
                    Choice::Done(numbers) => break numbers,
                    Choice::Search { index, limits } => {
                        let child = &mut frame[index];
                        let before = effort.nodes;
                        child.numbers = self.descend(stones, child.cell, to_move, depth, limits, effort);
                        self.table.store(child.key, child.numbers, effort.nodes - before);
                    }
                }
            }
        };
        self.frames[depth] = frame;
        numbers
    }

    fn descend(
        &mut self,
        stones: &mut Stones,
        cell: u8,
        to_move: Side,
        depth: usize,
        limits: Numbers,
        effort: &mut Effort,
    ) -> Numbers {
        let from = self.track.len();
        let numbers = match self.advance(stones, cell, to_move) {
            Calm::WonBy(side) => settled(side == self.attacker),
            Calm::ToMove(next) => {
                self.track[from..].iter().for_each(|&(cell, side)| stones.add_to_key(cell, side));
                let numbers = self.search(stones, next, depth + 1, limits, effort);
                self.track[from..].iter().for_each(|&(cell, side)| stones.take_from_key(cell, side));
                numbers
            }
        };
        self.retreat(stones, from);
        numbers
    }

    /// Lists the moves with their numbers; true as soon as one of them settles the node for the side to move.
    fn expand(&mut self, stones: &mut Stones, frame: &mut Vec<Child>, to_move: Side) -> bool {
        let attacking = to_move == self.attacker;
        let from = self.track.len();
        let mut passed = false;
        for &cell in &stones.geometry.from_centre {
            if !stones.is_empty(cell) {
                continue;
            }
            // All dead cells are one move, a pass.
            if stones.is_dead(cell) && std::mem::replace(&mut passed, true) {
                continue;
            }
            let (key, numbers) = match self.advance(stones, cell, to_move) {
                Calm::WonBy(side) => (0, Some(settled(side == self.attacker))),
                Calm::ToMove(next) => {
                    self.track[from..].iter().for_each(|&(cell, side)| stones.add_to_key(cell, side));
                    let key = stones.question(self.attacker, next);
                    self.track[from..].iter().for_each(|&(cell, side)| stones.take_from_key(cell, side));
                    let is_twin = frame.iter().any(|child| child.key == key);
                    (key, (!is_twin).then(|| self.recall(stones, key, next)))
                }
            };
            self.retreat(stones, from);
            let Some(numbers) = numbers else { continue };
            let (own, theirs) = seen_from(attacking, numbers);
            if own == 0 {
                return true;
            }
            if theirs != 0 {
                frame.push(Child { cell, key, numbers });
            }
        }
        false
    }

    /// From a calm position, plays a stone and every reply it forces, until the position is calm again or a side has a
    /// double threat, and so wins with its next stone. Keys stay as they are.
    fn advance(&mut self, stones: &mut Stones, cell: u8, side: Side) -> Calm {
        let (mut cell, mut side) = (cell, side);
        loop {
            self.track.push((cell, side));
            match stones.place(cell, side) {
                Outcome::Double | Outcome::Won => return Calm::WonBy(side),
                Outcome::Quiet => return Calm::ToMove(other(side)),
                Outcome::Threat(reply) => (cell, side) = (reply, other(side)),
            }
        }
    }

    fn retreat(&mut self, stones: &mut Stones, from: usize) {
        while self.track.len() > from {
            if let Some((cell, side)) = self.track.pop() {
                stones.take(cell, side);
            }
        }
    }
}

fn settled(win: bool) -> Numbers {
    if win { YES } else { NO }
}

/// Seen from the side to move: `own` is small when a move is good for it, `theirs` is what it takes to refute the move.
fn seen_from(attacking: bool, numbers: Numbers) -> (u16, u16) {
    if attacking { (numbers.proof, numbers.disproof) } else { (numbers.disproof, numbers.proof) }
}

enum Choice {
    Done(Numbers),
    Search { index: usize, limits: Numbers },
}

/// What a node does next: the most promising move, or nothing more, since a limit is reached.
///
/// To refute all moves counts as the largest number plus one for each other move, not as the sum, which counts
/// positions several times that are reached along several paths.
fn choose(frame: &[Child], attacking: bool, limits: Numbers, spent: bool) -> Choice {
    let of_mover = |own: u16, theirs: u16| {
        if attacking { Numbers { proof: own, disproof: theirs } } else { Numbers { proof: theirs, disproof: own } }
    };
    let (own_limit, their_limit) = seen_from(attacking, limits);
    let mut best: Option<(usize, u16, u16)> = None;
    let (mut second, mut largest, mut open) = (INFINITE, 0, 0u16);
    for (index, child) in frame.iter().enumerate() {
        let (own, theirs) = seen_from(attacking, child.numbers);
        if theirs == 0 {
            continue;
        }
        open += 1;
        largest = largest.max(theirs);
        match best {
            Some((_, least, refuted)) if own > least || (own == least && theirs >= refuted) => {
                second = second.min(own);
            }
            _ => {
                second = best.map_or(second, |(_, least, _)| least);
                best = Some((index, own, theirs));
            }
        }
    }
    let Some((index, least, _)) = best else { return Choice::Done(settled(!attacking)) };
    if least == 0 {
        return Choice::Done(settled(attacking));
    }
    let total = HUGE.min(largest.saturating_add(open - 1));
    if least >= own_limit || total >= their_limit || spent {
        return Choice::Done(of_mover(least, total));
    }
    // A little beyond the second best, so that the search does not alternate between two equal moves.
    let own_share = own_limit.min(second.saturating_add(1 + second / 4));
    let their_share = if their_limit == INFINITE { INFINITE } else { their_limit - (open - 1) };
    Choice::Search { index, limits: of_mover(own_share, their_share) }
}
