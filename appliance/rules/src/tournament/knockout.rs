//! Knockout: the bracket is fixed when the first round is paired. Seeds meet as late as they can, and the best get the byes.

use super::standings::{Standing, in_order};
use super::{Match, Player, Rules, StageRound, Tournament, rounds_to_one};
use std::cmp::Reverse;

pub(super) struct Knockout {
    pub third_place: bool,
}

impl Rules for Knockout {
    fn expected_rounds(&self, tournament: &Tournament) -> u32 {
        rounds_to_one(match tournament.rounds.first() {
            Some(first) => first.matches.len() * 2,
            None => tournament.active().count(),
        })
    }

    fn next(&self, tournament: &Tournament) -> Option<StageRound> {
        let Some(last) = tournament.rounds.last() else {
            return first_round(tournament);
        };
        let expected = self.expected_rounds(tournament);
        let next = tournament.rounds.len() as u32 + 1;
        (next <= expected).then(|| self.after(last, next == expected, tournament))
    }

    /// Who enters late has no place in the bracket.
    fn admits(&self, _: &Tournament) -> bool {
        false
    }

    fn standings(&self, tournament: &Tournament) -> Vec<Standing> {
        let expected = self.expected_rounds(tournament);
        // How far a player came: further is better, and equal is the same rank.
        let reached = |player: Player| {
            let mut reached = (0, 0);
            for (round, it) in (1..).zip(&tournament.rounds).filter_map(|(n, it)| Some((n, it.match_of(player)?))) {
                let won = it.winner() == Some(player);
                let for_third = round == expected && it.board == 2;
                reached = match (it.outcome.is_some(), for_third) {
                    (false, false) => (round, 1),
                    (true, false) => (round + u32::from(won), 0),
                    (false, true) => reached,
                    (true, true) => (reached.0, u32::from(won)),
                };
            }
            reached
        };
        let wins = |player: Player| {
            tournament.matches_of(player).filter(|it| it.winner() == Some(player) && !it.is_bye()).count() as f64
        };
        in_order(tournament, |player| Reverse(reached(player)), wins, |_| Vec::new())
    }

    fn plan(&self, tournament: &Tournament) -> Vec<StageRound> {
        let mut rounds = tournament.rounds.clone();
        if rounds.is_empty() {
            rounds.extend(first_round(tournament));
        }
        let expected = self.expected_rounds(tournament);
        while let Some(last) = rounds.last().filter(|_| (rounds.len() as u32) < expected) {
            let is_final = rounds.len() as u32 + 1 == expected;
            rounds.push(self.after(last, is_final, tournament).planned());
        }
        rounds
    }

    fn reseat(&self, tournament: &Tournament) -> Vec<Match> {
        let [.., before, last] = tournament.rounds.as_slice() else {
            return Vec::new();
        };
        let is_final = tournament.rounds.len() as u32 == self.expected_rounds(tournament);
        let seated = |board: u32| last.matches.iter().find(|it| it.board == board);
        let stays = |it: &Match| seated(it.board).is_some_and(|now| now.begun || now.players == it.players);
        self.after(before, is_final, tournament).matches.into_iter().filter(|it| !stays(it)).collect()
    }
}

impl Knockout {
    /// The round after another one: winners of neighbouring matches meet.
    fn after(&self, last: &StageRound, is_final: bool, tournament: &Tournament) -> StageRound {
        let pairs = last.matches.chunks(2);
        let mut matches: Vec<Match> = (1..)
            .zip(pairs)
            .map(|(board, pair)| Match::between(board, [pair[0].winner(), pair[1].winner()], tournament))
            .collect();
        // Where only one lost, that one is third.
        let may_lose = |it: &Match| it.outcome.is_none() || it.loser().is_some();
        if let [first, second] = last.matches.as_slice()
            && is_final
            && self.third_place
            && may_lose(first)
            && may_lose(second)
        {
            matches.push(Match::between(2, [first.loser(), second.loser()], tournament));
        }
        StageRound { matches }
    }
}

/// Seeds as places of the bracket; places without one are byes.
fn first_round(tournament: &Tournament) -> Option<StageRound> {
    let field: Vec<Player> = tournament.active().collect();
    if field.len() < 2 {
        return None;
    }
    let places = places(field.len().next_power_of_two());
    let matches = (1..).zip(places.chunks(2)).map(|(board, pair)| {
        let players = [pair[0], pair[1]].map(|place| field.get(place).copied());
        Match::between(board, players, tournament)
    });
    Some(StageRound { matches: matches.collect() })
}

/// Seeds from 0 in the order of the bracket, for a power of two: 0 and 1 can meet in the final, the first four in the
/// semi-finals, and so on.
fn places(size: usize) -> Vec<usize> {
    let mut places = vec![0];
    while places.len() < size {
        let last = places.len() * 2 - 1;
        places = places.into_iter().flat_map(|seed| [seed, last - seed]).collect();
    }
    places
}
