//! Tables: points, tie-breaks, and how each came.

use super::{Match, Player, Reason, Side, Tournament, Verdict};
use serde::{Deserialize, Serialize};

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Standing {
    /// From 1. Players whom nothing tells apart share it.
    pub rank: u32,
    pub player: Player,
    /// In a knockout matches won. A multiple of a half.
    pub points: f64,
    /// In the order in which they decide; none in a knockout.
    pub tie_breaks: Vec<TieBreak>,
    pub withdrawn: bool,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TieBreak {
    pub kind: TieBreakKind,
    /// A multiple of a quarter: the sum of the terms that are not cut.
    pub value: f64,
    /// By round.
    pub terms: Vec<Term>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum TieBreakKind {
    /// Buchholz without its lowest term.
    BuchholzCut1,
    /// The points of the opponents.
    Buchholz,
    /// The points of those whom one won against, and half of those one drew against.
    SonnebornBerger,
    /// Matches won over the board.
    Wins,
    /// Points against those with whom everything before is equal.
    HeadToHead,
}

/// What a round adds to a tie-break.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Term {
    /// From 1.
    pub round: u32,
    /// `None` for a round that was not played, which counts like a game with an opponent who has one's own points.
    pub opponent: Option<Player>,
    pub value: f64,
    /// Whether it is left out of the sum.
    pub cut: bool,
}

impl TieBreak {
    fn new(kind: TieBreakKind, terms: Vec<Term>) -> TieBreak {
        // An empty sum is -0.
        let value = terms.iter().filter(|term| !term.cut).map(|term| term.value).sum::<f64>() + 0.0;
        TieBreak { kind, value, terms }
    }
}

/// Standings by a key, of which the smaller is better.
pub(super) fn in_order<Key: Ord>(
    tournament: &Tournament,
    key: impl Fn(Player) -> Key,
    points: impl Fn(Player) -> f64,
    tie_breaks: impl Fn(Player) -> Vec<TieBreak>,
) -> Vec<Standing> {
    let mut keyed: Vec<(Key, Player)> = tournament.players().map(|player| (key(player), player)).collect();
    keyed.sort();
    let mut standings: Vec<Standing> = Vec::with_capacity(keyed.len());
    for (place, (key, player)) in keyed.iter().enumerate() {
        let shares = place > 0 && keyed[place - 1].0 == *key;
        standings.push(Standing {
            rank: if shares { standings[place - 1].rank } else { place as u32 + 1 },
            player: *player,
            points: points(*player),
            tie_breaks: tie_breaks(*player),
            withdrawn: tournament.entrant(*player).withdrawn,
        });
    }
    standings
}

/// A player's way through a decided part of the tournament.
struct Row<'a> {
    halves: u32,
    /// A match of each round so far; `None` where the player had none.
    matches: Vec<Option<(Side, &'a Match)>>,
}

/// Points, Buchholz cut 1, Buchholz, Sonneborn-Berger, wins, head to head.
pub(super) fn with_tie_breaks(tournament: &Tournament) -> Vec<Standing> {
    let rows = rows(tournament);
    let points = |player: Player| f64::from(rows[player as usize].halves) / 2.0;
    let mut tie_breaks: Vec<Vec<TieBreak>> = tournament
        .players()
        .map(|player| {
            let row = &rows[player as usize];
            let buchholz = buchholz(row, points(player), &points);
            let (cut, sonneborn_berger) = (cut_lowest(&buchholz, row), sonneborn_berger(row, &buchholz));
            vec![
                TieBreak::new(TieBreakKind::BuchholzCut1, cut),
                TieBreak::new(TieBreakKind::Buchholz, buchholz),
                TieBreak::new(TieBreakKind::SonnebornBerger, sonneborn_berger),
                TieBreak::new(TieBreakKind::Wins, wins(row)),
            ]
        })
        .collect();
    // All values are quarters of a point, so they are compared exactly.
    let quarters = |value: f64| -(value * 4.0) as i64;
    let key = |player: Player, tie_breaks: &[Vec<TieBreak>]| -> Vec<i64> {
        let values = tie_breaks[player as usize].iter().map(|tie_break| tie_break.value);
        std::iter::once(points(player)).chain(values).map(quarters).collect()
    };
    let mut by_key: Vec<(Vec<i64>, Player)> =
        tournament.players().map(|player| (key(player, &tie_breaks), player)).collect();
    by_key.sort();
    let mut between: Vec<Option<TieBreak>> = vec![None; rows.len()];
    for group in by_key.chunk_by(|one, other| one.0 == other.0) {
        for (_, player) in group {
            let terms = head_to_head(&rows[*player as usize], |other| group.iter().any(|(_, it)| *it == other));
            between[*player as usize] = Some(TieBreak::new(TieBreakKind::HeadToHead, terms));
        }
    }
    for (breaks, head_to_head) in tie_breaks.iter_mut().zip(between) {
        breaks.extend(head_to_head);
    }
    in_order(tournament, |player| key(player, &tie_breaks), points, |player| tie_breaks[player as usize].clone())
}

fn rows(tournament: &Tournament) -> Vec<Row<'_>> {
    let rows = tournament.matches_by_player().into_iter().map(|matches| {
        let halves = matches.iter().flatten().map(|(side, it)| it.halves(*side)).sum();
        Row { halves, matches }
    });
    rows.collect()
}

/// The points of each opponent; a round that is over for the player and was not played counts their own points.
fn buchholz(row: &Row, own: f64, points: &impl Fn(Player) -> f64) -> Vec<Term> {
    let terms = (1..).zip(&row.matches).filter_map(|(round, it)| {
        let (opponent, value) = match it {
            Some((side, it)) => {
                let played = it.outcome?.is_played();
                let opponent = it.players[side.other().index()].filter(|_| played);
                (opponent, opponent.map_or(own, points))
            }
            None => (None, own),
        };
        Some(Term { round, opponent, value, cut: false })
    });
    terms.collect()
}

/// A round that the player chose not to play is cut first, else the lowest term; of equals the first.
fn cut_lowest(buchholz: &[Term], row: &Row) -> Vec<Term> {
    let is_own_choice = |term: &Term| match row.matches[term.round as usize - 1] {
        None => true,
        Some((side, it)) => it.outcome.is_some_and(|outcome| {
            matches!(outcome.reason, Reason::Absent | Reason::Withdrawn) && outcome.winner() != Some(side)
        }),
    };
    let mut terms = buchholz.to_vec();
    let lowest = terms.iter_mut().min_by(|one, other| {
        let choice = |term: &Term| !is_own_choice(term);
        choice(one).cmp(&choice(other)).then(one.value.total_cmp(&other.value))
    });
    if let Some(term) = lowest {
        term.cut = true;
    }
    terms
}

fn sonneborn_berger(row: &Row, buchholz: &[Term]) -> Vec<Term> {
    let terms = buchholz.iter().map(|term| {
        let halves = row.matches[term.round as usize - 1].map_or(0, |(side, it)| it.halves(side));
        Term { value: term.value * f64::from(halves) / 2.0, ..*term }
    });
    terms.collect()
}

fn wins(row: &Row) -> Vec<Term> {
    let terms = (1..).zip(&row.matches).filter_map(|(round, it)| {
        let (side, it) = (*it)?;
        let outcome = it.outcome.filter(|outcome| outcome.is_played())?;
        let opponent = it.players[side.other().index()];
        (outcome.verdict == Verdict::Won(side)).then_some(Term { round, opponent, value: 1.0, cut: false })
    });
    terms.collect()
}

fn head_to_head(row: &Row, is_tied: impl Fn(Player) -> bool) -> Vec<Term> {
    let terms = (1..).zip(&row.matches).filter_map(|(round, it)| {
        let (side, it) = (*it)?;
        let opponent = it.players[side.other().index()].filter(|it| is_tied(*it))?;
        it.outcome.filter(|outcome| outcome.is_played())?;
        Some(Term { round, opponent: Some(opponent), value: f64::from(it.halves(side)) / 2.0, cut: false })
    });
    terms.collect()
}
