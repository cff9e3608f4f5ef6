//! Round robin by the Berger tables.

use super::standings::{Standing, with_tie_breaks};
use super::{Match, Player, Rules, StageRound, Tournament};

pub(super) struct RoundRobin {
    pub double: bool,
}

impl Rules for RoundRobin {
    fn expected_rounds(&self, tournament: &Tournament) -> u32 {
        let table = table_size(field(tournament).len());
        table.saturating_sub(1) as u32 * if self.double { 2 } else { 1 }
    }

    fn next(&self, tournament: &Tournament) -> Option<StageRound> {
        let next = tournament.rounds.len() as u32 + 1;
        (next <= self.expected_rounds(tournament)).then(|| round(tournament, &field(tournament), next))
    }

    /// Who enters late would miss matches that others have played.
    fn admits(&self, _: &Tournament) -> bool {
        false
    }

    fn standings(&self, tournament: &Tournament) -> Vec<Standing> {
        with_tie_breaks(tournament)
    }

    fn plan(&self, tournament: &Tournament) -> Vec<StageRound> {
        let field = field(tournament);
        let mut rounds = tournament.rounds.clone();
        for number in rounds.len() as u32 + 1..=self.expected_rounds(tournament) {
            rounds.push(round(tournament, &field, number).planned());
        }
        rounds
    }
}

/// Those of the first round: who withdraws later stays in the tables, and the opponents get the points.
fn field(tournament: &Tournament) -> Vec<Player> {
    match tournament.rounds.first() {
        Some(first) => {
            let mut field: Vec<Player> = first.matches.iter().flat_map(|it| it.players).flatten().collect();
            field.sort_unstable();
            field
        }
        None => tournament.active().collect(),
    }
}

/// With an odd number, who meets the last place of the table has a bye.
fn table_size(field: usize) -> usize {
    field.next_multiple_of(2)
}

/// A round of the table, from 1; after its end the seats are swapped.
fn round(tournament: &Tournament, field: &[Player], number: u32) -> StageRound {
    let others = table_size(field.len()) - 1;
    let (cycle, row) = ((number as usize - 1) / others, (number as usize - 1) % others);
    // In row r of the table the places whose numbers, from 1, add up to r + 2 meet, counted in a circle without the last
    // place, which meets the one that would meet itself.
    let middle = row * others.div_ceil(2) % others;
    let last = others;
    let mut pairs = vec![if row % 2 == 0 { [middle, last] } else { [last, middle] }];
    pairs.extend((1..=others / 2).map(|step| [(middle + step) % others, (middle + others - step) % others]));
    if cycle % 2 == 1 {
        pairs.iter_mut().for_each(|pair| pair.reverse());
    }
    let mut pairs: Vec<_> = pairs.into_iter().map(|pair| pair.map(|place| field.get(place).copied())).collect();
    // A bye comes last and is the first side's.
    pairs.sort_by_key(|pair| pair.contains(&None));
    for pair in &mut pairs {
        if pair[0].is_none() {
            pair.reverse();
        }
    }
    let matches = (1..).zip(pairs).map(|(board, players)| {
        let mut it = Match::between(board, players, tournament);
        // In a table everybody has the same number of byes, which give no points.
        if players.contains(&None) {
            it.outcome = Some(super::Outcome { verdict: super::Verdict::Neither, reason: super::Reason::Bye });
        }
        it
    });
    StageRound { matches: matches.collect() }
}
