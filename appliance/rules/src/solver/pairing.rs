//! Pairing strategies: if every line still open to the attacker has two empty cells of its own, disjoint from the pairs
//! of the other lines (lines may share a whole pair), the defender answers each stone in a pair with its partner, and
//! the attacker never completes a line. Whose turn it is does not matter.

use super::stones::{Side, Stones};

/// A pairing of more lines does not fit on 36 cells.
const MAX_LINES: usize = 31;
/// Bounds the backtracking: where a pairing exists it is nearly always found within twenty steps.
const MAX_STEPS: u32 = 60;
/// Pairs of a line of four cells.
const MAX_PAIRS: usize = 6;

/// Whether a pairing is found that keeps `attacker` from winning in a calm position.
pub(super) fn holds_by_pairing(stones: &Stones, attacker: Side) -> bool {
    let mut open = [0; MAX_LINES];
    let mut count = 0;
    for (line, &mask) in stones.geometry.lines.iter().enumerate() {
        if !stones.is_open_to(attacker, line) {
            continue;
        }
        if count == MAX_LINES {
            return false;
        }
        open[count] = mask;
        count += 1;
    }
    cover(&open[..count], stones.occupied, 0, &mut { MAX_STEPS })
}

/// Pairs off the lines that are not in `done`, on the cells that are not in `used`.
fn cover(open: &[u64], used: u64, done: u32, left: &mut u32) -> bool {
    if *left == 0 {
        return false;
    }
    *left -= 1;
    let mut tightest = None;
    let mut fewest = 5;
    for (index, mask) in open.iter().enumerate().filter(|(index, _)| done >> index & 1 == 0) {
        let free = (mask & !used).count_ones();
        if free < 2 {
            return false;
        }
        if free < fewest {
            fewest = free;
            tightest = Some(index);
        }
    }
    let Some(tightest) = tightest else { return true };
    let (pairs, count) = pairs_of(open, open[tightest] & !used, done);
    pairs[..count].iter().any(|pair| cover(open, used | pair.cells, pair.done, left))
}

#[derive(Clone, Copy, Default)]
struct Pair {
    cells: u64,
    /// The lines that are done with this pair.
    done: u32,
    /// How much it helps: lines served, less lines that lose a cell to it.
    worth: i32,
}

/// The pairs of these cells, the most helpful first.
fn pairs_of(open: &[u64], cells: u64, done: u32) -> ([Pair; MAX_PAIRS], usize) {
    let mut pairs = [Pair::default(); MAX_PAIRS];
    let mut count = 0;
    let mut first = cells;
    while first != 0 {
        let one = first & first.wrapping_neg();
        first ^= one;
        let mut second = first;
        while second != 0 {
            let two = second & second.wrapping_neg();
            second ^= two;
            pairs[count] = weigh(open, one | two, done);
            count += 1;
        }
    }
    pairs[..count].sort_by_key(|pair| -pair.worth);
    (pairs, count)
}

fn weigh(open: &[u64], cells: u64, done: u32) -> Pair {
    let mut pair = Pair { cells, done, worth: 0 };
    for (index, mask) in open.iter().enumerate().filter(|(index, _)| done >> index & 1 == 0) {
        if mask & cells == cells {
            pair.done |= 1 << index;
            pair.worth += 4;
        } else if mask & cells != 0 {
            pair.worth -= 1;
        }
    }
    pair
}
