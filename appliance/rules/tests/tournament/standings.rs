//! Tie-breaks, computed by hand.

use crate::{round, tournament};
use morpion_rules::tournament::{
    Format, Match, Outcome, Player, Reason, Side, StageRound, Standing, TieBreakKind, Tournament, Verdict,
};

const SWISS: Format = Format::Swiss { rounds: 3 };

fn of(tournament: &Tournament, player: Player) -> Standing {
    tournament.standings().into_iter().find(|standing| standing.player == player).unwrap()
}

fn values(standing: &Standing) -> Vec<f64> {
    standing.tie_breaks.iter().map(|tie_break| tie_break.value).collect()
}

/// 0 beats 2, draws 1, beats 3; 1 beats 3, draws 0, draws 2; 2 loses to 0, beats 3, draws 1; 3 loses all.
fn four() -> Tournament {
    let mut it = tournament(SWISS, 4);
    it.rounds = vec![
        round(&[(0, 2, Some(0)), (1, 3, Some(1))]),
        round(&[(1, 0, None), (3, 2, Some(2))]),
        round(&[(0, 3, Some(0)), (2, 1, None)]),
    ];
    it
}

#[test]
fn tie_breaks_come_in_their_order_with_their_terms() {
    let it = four();
    let points: Vec<_> = it.standings().iter().map(|standing| (standing.player, standing.points)).collect();
    assert_eq!(points, [(0, 2.5), (1, 2.0), (2, 1.5), (3, 0.0)]);
    // Opponents of 0: 2 (1.5), 1 (2), 3 (0). Cut 1 leaves out the 0. Sonneborn-Berger: 1.5 + 2 / 2 + 0.
    let first = of(&it, 0);
    use TieBreakKind::{Buchholz, BuchholzCut1, HeadToHead, SonnebornBerger, Wins};
    let kinds: Vec<_> = first.tie_breaks.iter().map(|tie_break| tie_break.kind).collect();
    assert_eq!(kinds, [BuchholzCut1, Buchholz, SonnebornBerger, Wins, HeadToHead]);
    assert_eq!(values(&first), [3.5, 3.5, 2.5, 2.0, 0.0]);
    let terms: Vec<_> = first.tie_breaks[0].terms.iter().map(|it| (it.round, it.opponent, it.value, it.cut)).collect();
    assert_eq!(terms, [(1, Some(2), 1.5, false), (2, Some(1), 2.0, false), (3, Some(3), 0.0, true)]);
    // Opponents of 1: 3 (0, won), 0 (2.5, drawn), 2 (1.5, drawn).
    assert_eq!(values(&of(&it, 1)), [4.0, 4.0, 2.0, 1.0, 0.0]);
    // Opponents of 3: 1 (2), 2 (1.5), 0 (2.5), all lost.
    assert_eq!(values(&of(&it, 3)), [4.5, 6.0, 0.0, 0.0, 0.0]);
}

#[test]
fn the_match_between_them_tells_players_apart_whom_nothing_else_does() {
    // Three beat each other in a circle; all else is equal, so they share the rank.
    let mut it = tournament(SWISS, 3);
    let bye = |player| Match {
        board: 2,
        players: [Some(player), None],
        begun: false,
        outcome: Some(Outcome::won(Side::First, Reason::Bye)),
    };
    let with_bye = |pair, player| {
        let mut round = round(&[pair]);
        round.matches.push(bye(player));
        round
    };
    it.rounds = vec![with_bye((0, 1, Some(0)), 2), with_bye((1, 2, Some(1)), 0), with_bye((2, 0, Some(2)), 1)];
    let standings = it.standings();
    assert!(standings.iter().all(|standing| standing.rank == 1 && standing.points == 2.0));
    // The bye counts as a game with somebody who has 2 points: three terms of 2.
    assert_eq!(values(&standings[0]), [4.0, 6.0, 4.0, 1.0, 1.0]);
    // Only two of them, and one won against the other.
    let mut it = tournament(Format::Swiss { rounds: 1 }, 4);
    it.rounds = vec![round(&[(1, 0, Some(1)), (2, 3, Some(2))])];
    let ranks: Vec<_> = it.standings().iter().map(|standing| (standing.player, standing.rank)).collect();
    assert_eq!(ranks, [(1, 1), (2, 1), (0, 3), (3, 3)]);
}

#[test]
fn a_round_that_was_missed_is_cut_first() {
    let mut it = tournament(SWISS, 4);
    it.rounds = vec![
        StageRound::default(),
        round(&[(0, 1, Some(0)), (2, 3, Some(2))]),
        round(&[(0, 2, Some(0)), (1, 3, Some(1))]),
    ];
    // 0 has 2 points and missed the first round: the term of 2 is cut, not the 1 of either opponent.
    assert_eq!(values(&of(&it, 0)), [2.0, 4.0, 2.0, 2.0, 0.0]);
}

#[test]
fn a_walkover_is_a_point_but_no_win_over_the_board() {
    let mut it = tournament(SWISS, 2);
    it.rounds = vec![round(&[(0, 1, Some(0))])];
    it.rounds[0].matches[0].outcome = Some(Outcome::won(Side::First, Reason::Absent));
    let first = of(&it, 0);
    assert_eq!(first.points, 1.0);
    assert_eq!(first.tie_breaks[3].value, 0.0);
    assert_eq!(it.absences(1), 1);
    assert_eq!(it.absences(0), 0);
    it.rounds[0].matches[0].outcome = Some(Outcome { verdict: Verdict::Neither, reason: Reason::Absent });
    assert_eq!([it.absences(0), it.absences(1)], [1, 1]);
}
