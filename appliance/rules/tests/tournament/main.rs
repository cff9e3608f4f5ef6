//! Formats of events in rounds.

#[path = "../support/mod.rs"]
mod support;

mod encounter;
mod knockout;
mod round_robin;
mod standings;
mod swiss;

use morpion_rules::tournament::{Format, Match, Outcome, Player, Reason, Side, StageRound, Tournament, Verdict};
use support::id;

/// So many entrants, the strongest first.
pub fn tournament(format: Format, entrants: usize) -> Tournament {
    let users = (0..entrants).map(|n| (id(n as u128 + 1), 2_500 - n as u32));
    Tournament::new(format, 1, Side::First, Tournament::seeded(users))
}

/// Pairs the next round and lets the winners be chosen where it is not decided.
pub fn play_round(tournament: &mut Tournament, winner: impl Fn([Player; 2]) -> Player) -> bool {
    let Some(mut round) = tournament.pair_next().unwrap() else {
        return false;
    };
    for it in &mut round.matches {
        decide(it, &winner);
    }
    tournament.rounds.push(round);
    true
}

pub fn decide(it: &mut Match, winner: impl Fn([Player; 2]) -> Player) {
    if it.outcome.is_none() {
        let players = it.players.map(Option::unwrap);
        let side = it.side_of(winner(players)).unwrap();
        it.outcome = Some(Outcome::won(side, Reason::Played));
    }
}

pub fn better([one, other]: [Player; 2]) -> Player {
    one.min(other)
}

/// A round of matches that are given as first side, second side, winner.
pub fn round(matches: &[(Player, Player, Option<Player>)]) -> StageRound {
    let matches = (1..).zip(matches).map(|(board, (first, second, winner))| Match {
        board,
        players: [Some(*first), Some(*second)],
        begun: true,
        outcome: Some(match winner {
            Some(winner) => Outcome::won(if winner == first { Side::First } else { Side::Second }, Reason::Played),
            None => Outcome { verdict: Verdict::Drawn, reason: Reason::Played },
        }),
    });
    StageRound { matches: matches.collect() }
}
