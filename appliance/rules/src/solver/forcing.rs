//! The four-threat search: can a side win by threats alone, each of which leaves the opponent one reply? It is asked of
//! calm positions, in which neither side can complete a line at once.

use super::stones::{Outcome, Side, Stones, UNIT, other};

/// Stones that one search places. A win found is a proof whatever the limit, which bounds the cost of finding none; most
/// searches take under ten.
const LIMIT: i32 = 200;

/// Whether `side`, to move, is found to win by threats. False also where the limit ended the search.
pub(super) fn wins_by_threats(stones: &mut Stones, side: Side) -> bool {
    search(stones, side, &mut { LIMIT })
}

fn search(stones: &mut Stones, side: Side, left: &mut i32) -> bool {
    let geometry = stones.geometry;
    let wanted = (geometry.win_length - 2) * UNIT[side];
    let mut tried = stones.occupied;
    for (line, mask) in geometry.lines.iter().enumerate() {
        if stones.lines[line] != wanted {
            continue;
        }
        let mut cells = mask & !tried;
        tried |= cells;
        while cells != 0 {
            let cell = cells.trailing_zeros() as u8;
            cells &= cells - 1;
            if threaten(stones, cell, side, left) {
                return true;
            }
        }
        if *left <= 0 {
            return false;
        }
    }
    false
}

fn threaten(stones: &mut Stones, cell: u8, side: Side, left: &mut i32) -> bool {
    *left -= 1;
    let won = match stones.place(cell, side) {
        Outcome::Double => true,
        Outcome::Threat(reply) => {
            let counter = stones.place(reply, other(side));
            let won = match counter {
                Outcome::Quiet => search(stones, side, left),
                Outcome::Threat(forced) => threaten(stones, forced, side, left),
                Outcome::Double | Outcome::Won => false,
            };
            stones.take(reply, other(side));
            won
        }
        Outcome::Quiet | Outcome::Won => false,
    };
    stones.take(cell, side);
    won
}
