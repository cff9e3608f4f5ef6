mod checker;

use crate::{better, decide, id, play_round, tournament};
use morpion_rules::tournament::trf::{Report, read, write};
use morpion_rules::tournament::{Entrant, Format, Outcome, Player, Reason, Side, Tournament, Verdict};
use std::collections::BTreeSet;

fn swiss(rounds: u32, entrants: usize) -> Tournament {
    tournament(Format::Swiss { rounds }, entrants)
}

/// Numbers that look random, by SplitMix64.
pub struct Dice(pub u64);

impl Dice {
    pub fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut it = self.0;
        it = (it ^ (it >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        it = (it ^ (it >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (it ^ (it >> 31)) % sides
    }
}

/// A round in which players come, go, do not appear, and win at random; `false` at the end.
pub fn random_round(it: &mut Tournament, dice: &mut Dice) -> bool {
    for entrant in &mut it.entrants {
        entrant.withdrawn = dice.roll(8) == 0;
    }
    let Some(mut round) = it.pair_next().unwrap() else {
        return false;
    };
    for one in &mut round.matches {
        if one.outcome.is_none() && dice.roll(10) == 0 {
            one.outcome = Outcome::of_absence([dice.roll(2) == 0, false], Reason::Absent);
        }
        let second = dice.roll(3) == 0;
        decide(one, |[one, other]| if second { other } else { one });
    }
    it.rounds.push(round);
    true
}

fn pairs(it: &Tournament) -> Vec<[Player; 2]> {
    let matches = it.rounds.iter().flat_map(|round| &round.matches);
    let met = matches.filter(|it| it.outcome.unwrap().is_played());
    met.map(|it| it.players.map(Option::unwrap)).map(|[one, other]| [one.min(other), one.max(other)]).collect()
}

#[test]
fn nobody_meets_twice_or_gets_a_second_point_without_a_game_from_a_bye() {
    for seed in 0..200 {
        let mut dice = Dice(seed);
        let (games, entrants) = (1 + (seed % 2) as u8, 3 + dice.roll(14) as usize);
        let mut it = Tournament { match_games: games, ..swiss(8, entrants) };
        while random_round(&mut it, &mut dice) {}
        let met = pairs(&it);
        assert_eq!(met.iter().collect::<BTreeSet<_>>().len(), met.len(), "seed {seed}");
        for (number, round) in it.rounds.iter().enumerate() {
            let players: Vec<_> = round.matches.iter().flat_map(|it| it.players).flatten().collect();
            assert_eq!(players.iter().collect::<BTreeSet<_>>().len(), players.len(), "one match each");
            for bye in round.matches.iter().filter(|it| it.is_bye()) {
                let player = bye.winner().unwrap();
                let free = it.rounds[..number].iter().filter_map(|it| it.match_of(player));
                let free = free.filter(|it| it.winner() == Some(player) && !it.outcome.unwrap().is_played());
                assert_eq!(free.count(), 0, "seed {seed}: {player} had a point without a game before the bye");
            }
        }
    }
}

#[test]
fn small_fields_go_on_as_long_as_somebody_can_play() {
    for (entrants, possible) in [(0, 0), (1, 0), (2, 1), (3, 3), (4, 3), (5, 5)] {
        let mut it = swiss(9, entrants);
        while play_round(&mut it, better) {}
        assert!(it.rounds.len() <= possible, "{entrants}");
        assert!(it.rounds.len() >= possible.min(Format::default_swiss_rounds(entrants) as usize), "{entrants}");
        assert!(it.is_over());
    }
    // Two of four have withdrawn and the others met: no pairing is possible. With a fifth, byes make one.
    let mut it = swiss(5, 5);
    play_round(&mut it, better);
    let [one, other] = it.rounds[0].matches[0].players.map(Option::unwrap);
    for entrant in &mut it.entrants {
        entrant.withdrawn = true;
    }
    it.entrants[one as usize].withdrawn = false;
    it.entrants[other as usize].withdrawn = false;
    assert!(it.is_over());
    let third = it.players().find(|it| ![one, other].contains(it)).unwrap();
    it.entrants[third as usize].withdrawn = false;
    assert!(!it.is_over());
}

#[test]
fn when_everybody_withdraws_it_is_over() {
    let mut it = swiss(5, 8);
    play_round(&mut it, better);
    it.entrants.iter_mut().for_each(|entrant| entrant.withdrawn = true);
    assert!(it.is_over());
}

#[test]
fn who_comes_late_is_paired_from_the_next_round_on_without_points() {
    let mut it = swiss(3, 4);
    play_round(&mut it, better);
    assert_eq!(it.entry_round(), Some(2));
    let late = Entrant { user: id(99), rating: 3_000, joined_round: 2, withdrawn: false };
    it.entrants.push(late.clone());
    it.entrants.push(Entrant { user: id(98), ..late });
    play_round(&mut it, better);
    assert!(it.rounds[0].match_of(4).is_none() && it.rounds[1].match_of(4).is_some());
    assert!(it.standings().iter().find(|standing| standing.player == 4).unwrap().points <= 1.0);
    play_round(&mut it, better);
    assert_eq!(it.entry_round(), None, "the last round is paired");
}

#[test]
fn the_first_round_is_the_upper_half_against_the_lower_and_the_lot_gives_the_first_seat() {
    let players =
        |it: &Tournament| it.pair_next().unwrap().unwrap().matches.iter().map(|it| it.players).collect::<Vec<_>>();
    let it = swiss(3, 5);
    assert_eq!(players(&it), [[Some(0), Some(2)], [Some(3), Some(1)], [Some(4), None]]);
    let it = Tournament { lot: Side::Second, ..it };
    assert_eq!(players(&it), [[Some(2), Some(0)], [Some(1), Some(3)], [Some(4), None]]);
    let it = Tournament { match_games: 2, ..it };
    assert_eq!(players(&it), [[Some(0), Some(2)], [Some(1), Some(3)], [Some(4), None]]);
}

#[test]
fn colours_are_balanced() {
    for seed in 0..20 {
        let mut dice = Dice(seed);
        let mut it = swiss(7, 40);
        while play_round(&mut it, |[one, other]| if dice_of(seed, one, other) { one } else { other }) {}
        for player in it.players() {
            let sides: Vec<_> = it.matches_of(player).filter_map(|it| it.side_of(player)).collect();
            let firsts = sides.iter().filter(|side| **side == Side::First).count();
            // 3 against 4; a top scorer may have a difference of three in the last round.
            assert!(firsts.abs_diff(sides.len() - firsts) <= 3);
            let same = |three: &[Side]| three.iter().all(|side| *side == three[0]);
            assert!(!sides[..6].windows(3).any(same), "seed {seed}: {player} {sides:?}");
        }
        dice.roll(2);
    }
}

fn dice_of(seed: u64, one: Player, other: Player) -> bool {
    Dice(seed << 32 | u64::from(one) << 16 | u64::from(other)).roll(3) > 0
}

#[test]
fn two_hundred_are_paired_through_the_evening() {
    let mut it = swiss(Format::default_swiss_rounds(200), 200);
    while play_round(&mut it, better) {}
    assert_eq!(it.rounds.len(), 9);
    assert_eq!(it.standings()[0].player, 0);
}

#[test]
fn a_report_says_all_that_pairing_needs() {
    for seed in 0..50 {
        let mut dice = Dice(seed);
        let mut it = swiss(6, 9);
        while it.rounds.len() < 4 && random_round(&mut it, &mut dice) {}
        it.entrants.iter_mut().for_each(|entrant| entrant.withdrawn = false);
        let names = (0..9).map(|number| format!("Ada\n{number} {}", "x".repeat(40))).collect();
        let text = write(&Report { title: "Friday\nclub".into(), names, tournament: it.clone() });
        let back = read(&text).unwrap();
        assert_eq!(back.title, "Friday club");
        assert!(back.names[0].starts_with("Ada 0 x"));
        assert_eq!(back.tournament.standings().len(), 9);
        // A double forfeit and a walkover are told apart by both lines.
        assert_eq!(back.tournament.pair_next(), it.pair_next(), "seed {seed}\n{text}");
    }
    assert!(read("001    2 wrong").is_err());
}

#[test]
fn a_tournament_survives_the_store() {
    let mut it = swiss(3, 5);
    play_round(&mut it, better);
    let bytes = postcard::to_allocvec(&it).unwrap();
    assert_eq!(postcard::from_bytes::<Tournament>(&bytes).unwrap(), it);
    let verdict = it.rounds[0].matches[0].outcome.unwrap().verdict;
    assert!(matches!(verdict, Verdict::Won(_)));
}
