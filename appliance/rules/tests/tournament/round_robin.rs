use crate::{better, play_round, tournament};
use morpion_rules::tournament::{Format, PairingError, Player, Side};
use std::collections::{BTreeMap, BTreeSet};

const SINGLE: Format = Format::RoundRobin { double: false };

#[test]
fn the_table_of_eight_is_bergers() {
    let it = tournament(SINGLE, 8);
    let rows = it.plan().into_iter().map(|round| {
        let pair = |players: [Option<Player>; 2]| players.map(|player| player.unwrap() + 1);
        round.matches.into_iter().map(|it| pair(it.players)).collect::<Vec<_>>()
    });
    let berger = [
        [[1, 8], [2, 7], [3, 6], [4, 5]],
        [[8, 5], [6, 4], [7, 3], [1, 2]],
        [[2, 8], [3, 1], [4, 7], [5, 6]],
        [[8, 6], [7, 5], [1, 4], [2, 3]],
        [[3, 8], [4, 2], [5, 1], [6, 7]],
        [[8, 7], [1, 6], [2, 5], [3, 4]],
        [[4, 8], [5, 3], [6, 2], [7, 1]],
    ];
    assert_eq!(rows.collect::<Vec<_>>(), berger);
}

#[test]
fn everybody_meets_everybody_and_seats_and_byes_are_balanced() {
    for entrants in 2..=16_usize {
        for double in [false, true] {
            let mut it = tournament(Format::RoundRobin { double }, entrants);
            while play_round(&mut it, better) {}
            let cycles = 1 + usize::from(double);
            assert_eq!(it.rounds.len(), (entrants.next_multiple_of(2) - 1) * cycles);
            assert_eq!(it.expected_rounds() as usize, it.rounds.len());
            let mut met: BTreeMap<[Player; 2], usize> = BTreeMap::new();
            for round in &it.rounds {
                let players: BTreeSet<_> = round.matches.iter().flat_map(|it| it.players).flatten().collect();
                assert_eq!(players.len(), entrants, "one match each");
                for [one, other] in round.matches.iter().map(|it| it.players) {
                    if let [Some(one), Some(other)] = [one, other] {
                        *met.entry([one, other]).or_default() += 1;
                    }
                }
            }
            for one in it.players() {
                for other in it.players().filter(|other| *other != one) {
                    let [there, back] = [[one, other], [other, one]].map(|pair| met.get(&pair).copied().unwrap_or(0));
                    assert_eq!(there + back, cycles, "{entrants}: {one} and {other}");
                    assert!(!double || there == back);
                }
                let firsts =
                    it.matches_of(one).filter(|it| it.side_of(one) == Some(Side::First) && !it.players.contains(&None));
                let (firsts, all) = (firsts.count(), (entrants - 1) * cycles);
                assert!(
                    (2 * firsts).abs_diff(all) <= 1,
                    "{entrants}: {one} has the first seat {firsts} of {all} times"
                );
            }
        }
    }
}

#[test]
fn the_rest_of_who_withdraws_is_walkovers_and_a_bye_gives_no_point() {
    let mut it = tournament(SINGLE, 5);
    play_round(&mut it, better);
    it.entrants[1].withdrawn = true;
    while play_round(&mut it, better) {}
    assert_eq!(it.rounds.len(), 5);
    let points = |player: Player| it.standings().into_iter().find(|it| it.player == player).unwrap().points;
    assert_eq!(points(0), 4.0);
    assert_eq!(points(1) + points(2) + points(3) + points(4), 6.0);
    assert!(it.entry_round().is_none());
}

#[test]
fn a_seventeenth_is_refused() {
    assert_eq!(tournament(SINGLE, 16).entry_round(), None);
    let refused = tournament(SINGLE, 17).pair_next();
    assert_eq!(refused, Err(PairingError::TooMany { entrants: 17, most: 16 }));
}

#[test]
fn a_round_without_all_results_has_no_next() {
    let mut it = tournament(SINGLE, 4);
    it.rounds.push(it.pair_next().unwrap().unwrap());
    assert_eq!(it.pair_next(), Err(PairingError::Undecided { round: 1 }));
}
