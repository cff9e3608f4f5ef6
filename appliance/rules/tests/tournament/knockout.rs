use crate::{better, decide, play_round, tournament};
use morpion_rules::tournament::{Format, Outcome, Player, Reason, Side, Tournament, Verdict};

const PLAIN: Format = Format::Knockout { third_place: false };
const WITH_THIRD: Format = Format::Knockout { third_place: true };

fn played(format: Format, entrants: usize) -> Tournament {
    let mut it = tournament(format, entrants);
    while play_round(&mut it, better) {}
    it
}

fn ranks(tournament: &Tournament) -> Vec<(Player, u32)> {
    tournament.standings().into_iter().map(|standing| (standing.player, standing.rank)).collect()
}

#[test]
fn brackets_of_every_size_keep_seeds_apart_as_long_as_they_can_be() {
    for entrants in 2..=1_024_usize {
        let it = played(PLAIN, entrants);
        let rounds = it.rounds.len() as u32;
        assert_eq!(rounds, entrants.next_power_of_two().trailing_zeros(), "{entrants}");
        assert_eq!(it.expected_rounds(), rounds);
        let byes = it.rounds[0].matches.iter().filter(|it| it.is_bye());
        let mut byes: Vec<_> = byes.map(|it| it.winner().unwrap()).collect();
        byes.sort();
        let free = (entrants.next_power_of_two() - entrants) as Player;
        assert_eq!(byes, (0..free).collect::<Vec<_>>(), "the best have the byes of {entrants}");
        // When the better one always wins, the best 2^k are left before the last k rounds, and seed s meets its mirror.
        for (left, round) in it.rounds.iter().rev().zip(1..).map(|(round, k)| (1 << k, round)) {
            assert_eq!(round.matches.len() * 2, left as usize, "{entrants}");
            for it in round.matches.iter().filter(|it| !it.is_bye()) {
                let [one, other] = it.players.map(Option::unwrap);
                assert_eq!(one + other, left - 1, "{entrants}");
            }
        }
        let everybody: std::collections::BTreeSet<_> =
            it.rounds[0].matches.iter().flat_map(|it| it.players).flatten().collect();
        assert_eq!(everybody.len(), entrants);
    }
}

#[test]
fn nobody_and_one_alone_are_over_at_once() {
    for entrants in 0..=1 {
        let it = tournament(WITH_THIRD, entrants);
        assert!(it.is_over());
        assert_eq!(it.standings().len(), entrants);
    }
}

#[test]
fn losers_of_the_semi_finals_play_for_the_third_place_only_if_asked_for() {
    assert_eq!(ranks(&played(PLAIN, 5)), [(0, 1), (1, 2), (2, 3), (3, 3), (4, 5)]);
    let it = played(WITH_THIRD, 5);
    assert_eq!(it.rounds[2].matches[1].players, [Some(3), Some(2)]);
    assert_eq!(ranks(&it), [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5)]);
}

#[test]
fn with_three_the_one_who_lost_a_semi_final_is_third() {
    let it = played(WITH_THIRD, 3);
    assert_eq!(it.rounds[1].matches.len(), 1);
    assert_eq!(ranks(&it), [(0, 1), (1, 2), (2, 3)]);
}

#[test]
fn the_plan_has_every_match_from_the_start_and_names_who_is_known() {
    let mut it = tournament(WITH_THIRD, 8);
    let sizes = |it: &Tournament| it.plan().iter().map(|round| round.matches.len()).collect::<Vec<_>>();
    assert_eq!(sizes(&it), [4, 2, 2]);
    assert_eq!(it.plan()[1].matches[0].players, [None, None]);
    it.rounds.push(it.pair_next().unwrap().unwrap());
    decide(&mut it.rounds[0].matches[0], better);
    assert_eq!(sizes(&it), [4, 2, 2]);
    assert_eq!(it.plan()[1].matches[0].players, [Some(0), None]);
    assert_eq!(it.plan()[1].matches[0].outcome, None);
}

#[test]
fn who_withdraws_gives_a_walkover_and_if_both_do_the_next_opponent_has_a_bye() {
    let mut it = tournament(PLAIN, 8);
    play_round(&mut it, better);
    it.entrants[0].withdrawn = true;
    it.entrants[3].withdrawn = true;
    it.entrants[1].withdrawn = true;
    let round = it.pair_next().unwrap().unwrap();
    assert_eq!(round.matches[0].outcome, Some(Outcome { verdict: Verdict::Neither, reason: Reason::Withdrawn }));
    assert_eq!(round.matches[1].outcome, Some(Outcome::won(Side::Second, Reason::Withdrawn)));
    it.rounds.push(round);
    let last = it.pair_next().unwrap().unwrap();
    assert_eq!(last.matches[0].winner(), Some(2));
    assert!(last.matches[0].is_bye());
    it.rounds.push(last);
    assert!(it.is_over());
    assert_eq!(it.standings()[0].player, 2);
}

#[test]
fn when_everybody_withdraws_it_is_over() {
    let mut it = tournament(PLAIN, 8);
    play_round(&mut it, better);
    it.entrants.iter_mut().for_each(|entrant| entrant.withdrawn = true);
    assert!(it.is_over());
}

#[test]
fn a_corrected_result_changes_a_match_that_has_not_begun() {
    let mut it = tournament(PLAIN, 8);
    play_round(&mut it, better);
    it.rounds.push(it.pair_next().unwrap().unwrap());
    assert_eq!(it.reseat(), []);
    it.rounds[0].matches[1].outcome = Some(Outcome::won(Side::Second, Reason::Ruling));
    let changed = it.reseat();
    assert_eq!(changed.len(), 1);
    assert_eq!((changed[0].board, changed[0].players), (1, [Some(0), Some(4)]));
    it.rounds[1].matches[0].begun = true;
    assert_eq!(it.reseat(), []);
}

#[test]
fn nobody_enters_once_the_bracket_is_fixed() {
    let mut it = tournament(PLAIN, 8);
    assert_eq!(it.entry_round(), Some(1));
    play_round(&mut it, better);
    assert_eq!(it.entry_round(), None);
    assert_eq!(tournament(PLAIN, 1_024).entry_round(), None);
}
