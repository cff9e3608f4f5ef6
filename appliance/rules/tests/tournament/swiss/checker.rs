//! The rules of a Swiss with two games a match, applied to every possible pairing: C.04.3 without its criteria of colour.

use super::{Dice, Tournament, random_round, swiss};
use morpion_rules::tournament::{Match, Player, Verdict};
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// By score, then by seed.
struct Person {
    player: Player,
    score: u32,
    may_have_bye: bool,
    played: u32,
    /// Of the last round, then of the one before: 1 down, -1 up.
    floats: [i8; 2],
}

fn halves(it: &Match, player: Player) -> u32 {
    match it.outcome.unwrap().verdict {
        Verdict::Won(_) if it.winner() == Some(player) => 2,
        Verdict::Drawn => 1,
        _ => 0,
    }
}

fn score(it: &Tournament, player: Player, rounds: usize) -> u32 {
    it.rounds[..rounds].iter().filter_map(|it| it.match_of(player)).map(|it| halves(it, player)).sum()
}

fn people(it: &Tournament) -> Vec<Person> {
    let rounds = it.rounds.len();
    let person = |player: Player| {
        let is_played = |it: &Match| it.outcome.unwrap().is_played();
        let float = |back: usize| -> i8 {
            let Some(round) = rounds.checked_sub(back) else { return 0 };
            let Some(one) = it.rounds[round].match_of(player) else { return 0 };
            if !is_played(one) {
                return i8::from(halves(one, player) > 0);
            }
            let opponent = one.opponent_of(player).unwrap();
            score(it, player, round).cmp(&score(it, opponent, round)) as i8
        };
        Person {
            player,
            score: score(it, player, rounds),
            may_have_bye: !it.matches_of(player).any(|it| !is_played(it) && halves(it, player) == 2),
            played: it.matches_of(player).filter(|it| is_played(it)).count() as u32,
            floats: [float(1), float(2)],
        }
    };
    let mut people: Vec<Person> = it.active().map(person).collect();
    people.sort_by_key(|it| (Reverse(it.score), it.player));
    people
}

/// Of each person the opponent, or themselves for the bye.
type Pairing = Vec<usize>;

fn all_pairings(
    count: usize,
    may_meet: &dyn Fn(usize, usize) -> bool,
    may_have_bye: &dyn Fn(usize) -> bool,
) -> Vec<Pairing> {
    fn extend(
        open: &mut Pairing,
        bye: bool,
        may_meet: &dyn Fn(usize, usize) -> bool,
        may_have_bye: &dyn Fn(usize) -> bool,
        found: &mut Vec<Pairing>,
    ) {
        let Some(first) = open.iter().position(|it| *it == usize::MAX) else {
            found.push(open.clone());
            return;
        };
        if bye && may_have_bye(first) {
            open[first] = first;
            extend(open, false, may_meet, may_have_bye, found);
            open[first] = usize::MAX;
        }
        for other in first + 1..open.len() {
            if open[other] == usize::MAX && may_meet(first, other) {
                (open[first], open[other]) = (other, first);
                extend(open, bye, may_meet, may_have_bye, found);
                (open[first], open[other]) = (usize::MAX, usize::MAX);
            }
        }
    }
    let mut found = Vec::new();
    extend(&mut vec![usize::MAX; count], count % 2 == 1, may_meet, may_have_bye, &mut found);
    found
}

/// Keeps those whose key is the smallest.
fn keep_best<Key: Ord>(pairings: &mut Vec<Pairing>, key: impl Fn(&Pairing) -> Key) {
    let best = pairings.iter().map(&key).min();
    pairings.retain(|it| Some(key(it)) == best);
}

fn expected(it: &Tournament) -> Option<BTreeSet<(Player, Option<Player>)>> {
    let people = people(it);
    let met = |one: usize, other: usize| {
        it.matches_of(people[one].player).any(|it| {
            it.outcome.unwrap().is_played() && it.opponent_of(people[one].player) == Some(people[other].player)
        })
    };
    let mut pairings = all_pairings(people.len(), &|one, other| !met(one, other), &|it| people[it].may_have_bye);
    let bye = |pairing: &Pairing| pairing.iter().enumerate().find(|(it, other)| it == *other).map(|(it, _)| it);
    // C.5 of the whole: the bye goes to the lowest score.
    keep_best(&mut pairings, |it| bye(it).map(|bye| people[bye].score));
    let mut scores: Vec<u32> = people.iter().map(|it| it.score).collect();
    scores.dedup();
    let mut moved_down: Vec<usize> = Vec::new();
    for (level, score) in scores.iter().enumerate() {
        pairings.first()?;
        let of = |score: u32| (0..people.len()).filter(|it| people[*it].score == score).collect::<Vec<_>>();
        let residents = of(*score);
        let bracket: Vec<usize> = moved_down.iter().copied().chain(residents.iter().copied()).collect();
        let next: Vec<usize> = scores.get(level + 1).into_iter().flat_map(|score| of(*score)).collect();
        let is_here = |it: usize| bracket.contains(&it);
        let floats_out = |pairing: &Pairing, from: &[usize], also: &[usize]| -> Vec<usize> {
            let inside =
                |it: &usize| pairing[*it] != *it && (from.contains(&pairing[*it]) || also.contains(&pairing[*it]));
            from.iter().copied().filter(|it| !inside(it)).collect()
        };
        // The fewest and lowest leave; then the same of the next bracket.
        let leaving = |pairing: &Pairing| floats_out(pairing, &bracket, &[]);
        keep_best(&mut pairings, |it| {
            (leaving(it).len(), leaving(it).iter().map(|it| people[*it].score).collect::<Vec<_>>())
        });
        let next_leaving = |pairing: &Pairing| {
            let field: Vec<usize> = leaving(pairing).into_iter().chain(next.iter().copied()).collect();
            floats_out(pairing, &field, &[])
        };
        keep_best(&mut pairings, |it| {
            let out = next_leaving(it);
            (out.len(), out.iter().map(|it| people[*it].score).collect::<Vec<_>>())
        });
        // Where nobody but the bye leaves this bracket, it goes to who has played most.
        if pairings.iter().all(|it| bye(it).is_some_and(|bye| leaving(it) == [bye])) {
            keep_best(&mut pairings, |it| bye(it).map(|bye| Reverse(people[bye].played)));
        }
        let downs = |pairing: &Pairing, round: usize| -> Vec<usize> {
            leaving(pairing).into_iter().filter(|it| people[*it].floats[round] == 1).collect()
        };
        let residents_down = |pairing: &Pairing, round: usize| {
            downs(pairing, round).into_iter().filter(|it| people[*it].score == *score).count()
        };
        // Moved-down players who have floated and do so again, whether they stay unpaired or meet a lower score.
        let ups = |pairing: &Pairing, round: usize| -> Vec<u32> {
            let above = |it: &usize| is_here(pairing[*it]) && people[pairing[*it]].score > people[*it].score;
            let up = |it: &usize| people[*it].floats[round] == -1 && above(it);
            let mut up: Vec<u32> = residents.iter().filter(|it| up(it)).map(|it| people[pairing[*it]].score).collect();
            up.sort_by_key(|score| Reverse(*score));
            up
        };
        for round in 0..2 {
            keep_best(&mut pairings, |it| residents_down(it, round));
            keep_best(&mut pairings, |it| ups(it, round).len());
        }
        for round in 0..2 {
            keep_best(&mut pairings, |it| downs(it, round).iter().map(|it| people[*it].score).collect::<Vec<_>>());
            keep_best(&mut pairings, |it| ups(it, round));
        }
        // The order: who of the moved-down is paired, with whom, then the rest by exchanges and transpositions.
        let partner = |pairing: &Pairing, it: usize| {
            if pairing[it] != it && is_here(pairing[it]) { pairing[it] } else { usize::MAX }
        };
        keep_best(&mut pairings, |it| moved_down.iter().map(|one| partner(it, *one) == usize::MAX).collect::<Vec<_>>());
        keep_best(&mut pairings, |it| moved_down.iter().map(|one| partner(it, *one)).collect::<Vec<_>>());
        let rest: Vec<usize> = match pairings.first() {
            Some(first) => residents.iter().copied().filter(|it| !moved_down.contains(&first[*it])).collect(),
            None => return None,
        };
        let is_top = |pairing: &Pairing, it: usize| rest.contains(&pairing[it]) && pairing[it] > it;
        let tops = |pairing: &Pairing| rest.iter().filter(|it| is_top(pairing, **it)).count();
        let half = pairings.iter().map(tops).max().unwrap_or(0);
        let down = |pairing: &Pairing| -> Vec<usize> { (0..half).filter(|it| !is_top(pairing, rest[*it])).collect() };
        let up =
            |pairing: &Pairing| -> Vec<usize> { (half..rest.len()).filter(|it| is_top(pairing, rest[*it])).collect() };
        keep_best(&mut pairings, |it| {
            let (down, up) = (down(it), up(it));
            let difference = up.iter().sum::<usize>() as i64 - down.iter().sum::<usize>() as i64;
            (down.len(), difference, down.into_iter().rev().map(Reverse).collect::<Vec<_>>(), up)
        });
        keep_best(&mut pairings, |it| {
            rest.iter().filter(|one| is_top(it, **one)).map(|one| it[*one]).collect::<Vec<_>>()
        });
        moved_down = leaving(pairings.first()?);
    }
    let pairing = pairings.first()?;
    let pairs = pairing.iter().enumerate().filter(|(it, other)| it <= *other);
    Some(pairs.map(|(it, other)| (people[it].player, (it != *other).then(|| people[*other].player))).collect())
}

#[test]
fn rounds_of_two_games_are_what_the_rules_say_of_all_pairings() {
    let (mut compared, mut seed) = (0, 0);
    while compared < 400 {
        seed += 1;
        let mut dice = Dice(seed);
        let entrants = 4 + dice.roll(6) as usize;
        let mut it = Tournament { match_games: 2, ..swiss(7, entrants) };
        loop {
            let before = it.clone();
            if !random_round(&mut it, &mut dice) {
                break;
            }
            let entrants = it.entrants.clone();
            if let Some(expected) = expected(&Tournament { entrants, ..before }) {
                let round = it.rounds.last().unwrap();
                let pair = |it: &Match| (it.players[0].unwrap(), it.players[1]);
                let paired: BTreeSet<_> = round.matches.iter().map(pair).collect();
                assert_eq!(paired, expected, "seed {seed}, round {}", it.rounds.len());
                compared += 1;
            }
        }
    }
}
