//! The Dutch system of FIDE (Handbook C.04.3, in force since 2026-02): brackets from the top score down.
//!
//! The criteria of a bracket are the digits of one number, the weight of a pair, the most important first. A matching of
//! the largest weight meets them as well as they can be met, and is sure to leave a pairing for those below. Where several
//! are as good, the order of exchanges and transpositions decides: players are tried one by one, with a digit below all
//! others. The procedure is that of bbpPairings (Jeremy Bierema, Apache-2.0).

use super::matching::Matching;
use super::wide::Wide;
use super::{Candidate, Float};

/// Pairs, and who has the bye; all as indexes of the candidates.
pub(super) struct Paired {
    pub pairs: Vec<[usize; 2]>,
    pub bye: Option<usize>,
}

/// What all brackets know.
pub(super) struct Field<'a> {
    /// By score, then by number.
    pub candidates: &'a [Candidate],
    /// Whether two may meet, by absolute criteria.
    pub may_meet: &'a dyn Fn(usize, usize) -> bool,
    /// Rounds that floats are known of: at most 2.
    pub floats: usize,
    pub has_colours: bool,
}

/// Bits for a number of this size.
fn bits(most: usize) -> u32 {
    usize::BITS - most.leading_zeros()
}

/// Runs code with the number of words that weights need.
macro_rules! with_words {
    ($bits:expr, $run:ident($($argument:expr),*)) => {
        match $bits.div_ceil(64) {
            0 | 1 => $run::<1>($($argument),*),
            2 => $run::<2>($($argument),*),
            3 => $run::<3>($($argument),*),
            4 => $run::<4>($($argument),*),
            5 => $run::<5>($($argument),*),
            6 => $run::<6>($($argument),*),
            7 | 8 => $run::<8>($($argument),*),
            9..=12 => $run::<12>($($argument),*),
            13..=20 => $run::<20>($($argument),*),
            _ => $run::<64>($($argument),*),
        }
    };
}

/// `None` if the players cannot all be paired, but for one bye.
pub(super) fn pair(field: &Field) -> Option<Paired> {
    let candidates = field.candidates;
    let is_odd = candidates.len() % 2 == 1;
    let mut bye = None;
    if is_odd {
        bye = Some(bye_score(field)?);
    } else if !can_pair(field) {
        return None;
    }
    let mut paired = Paired { pairs: Vec::new(), bye: None };
    let mut moved_down: Vec<usize> = Vec::new();
    let mut rest: Vec<usize> = (0..candidates.len()).collect();
    // Whether the bye goes to the only one that leaves this bracket.
    let mut leaves_bye = bye.is_some_and(|bye| bye.is_alone_in_top);
    while !rest.is_empty() || !moved_down.is_empty() {
        let group = |members: &[usize]| {
            let top = members.first().map(|it| candidates[*it].score);
            members.iter().take_while(|it| Some(candidates[**it].score) == top).count()
        };
        let below = rest.split_off(group(&rest));
        let bracket = Bracket {
            field,
            residents: moved_down.len(),
            next: moved_down.len() + rest.len(),
            after: moved_down.len() + rest.len() + group(&below),
            players: moved_down.iter().chain(&rest).chain(&below).copied().collect(),
            bye_score: bye.map(|bye| bye.score),
            leaves_bye,
        };
        let widths = bracket.widths();
        let done = with_words!(widths.total(field), pair_bracket(&bracket, &widths))?;
        for [one, other] in &done.pairs {
            paired.pairs.push([bracket.players[*one], bracket.players[*other]]);
        }
        if below.is_empty() {
            paired.bye = done.left.first().map(|left| bracket.players[*left]);
            break;
        }
        leaves_bye = bye.is_some_and(|bye| bye.score >= candidates[below[0]].score) && !done.next_leaves_somebody_else;
        moved_down = done.left.iter().map(|left| bracket.players[*left]).collect();
        rest = below;
    }
    Some(paired)
}

#[derive(Clone, Copy)]
struct Bye {
    score: u32,
    is_alone_in_top: bool,
}

fn can_pair(field: &Field) -> bool {
    Matching::<1>::new(field.candidates.len(), 0, field.may_meet, |_, _| Wide::ZERO).solve()
}

/// The lowest score that the bye can have, and whether its player is the only one to leave the top group.
fn bye_score(field: &Field) -> Option<Bye> {
    let candidates = field.candidates;
    let count = candidates.len();
    let room = bits(count);
    let top = candidates[0].score;
    let is_edge = |one: usize, other: usize| match one == count {
        true => candidates[other].may_have_bye,
        false => (field.may_meet)(one, other),
    };
    let weight = |one: usize, other: usize| {
        let mut weight = Wide::<1>::ZERO;
        if one == count {
            // The later the better, but equal scores are equal.
            let below = candidates.partition_point(|it| it.score > candidates[other].score);
            weight.push(room, below as u64);
            weight.push(room, 0);
        } else {
            weight.push(room, u64::from(candidates[one].score == top && candidates[other].score == top));
        }
        weight
    };
    let mut matching = Matching::new(count + 1, count + 1, is_edge, weight);
    if !matching.solve() {
        return None;
    }
    let score = candidates[matching.mate(count)].score;
    let is_alone_in_top = score == top
        && (0..count).take_while(|it| candidates[*it].score == top).all(|it| {
            let mate = matching.mate(it);
            mate == count || candidates[mate].score == top
        });
    Some(Bye { score, is_alone_in_top })
}

/// A bracket, with everybody below it: their pairing has to remain possible.
struct Bracket<'a> {
    field: &'a Field<'a>,
    /// First who moved down into it, then its own players from `residents` on, then the next score group, from `next`, then
    /// the others, from `after`. In a bracket with a bye, its vertex is at `after`, before the others.
    players: Vec<usize>,
    residents: usize,
    next: usize,
    after: usize,
    /// The highest score of who may have the bye, if there is one.
    bye_score: Option<u32>,
    leaves_bye: bool,
}

/// Bits of the digits of a weight.
struct Widths {
    /// A count of players or pairs.
    count: u32,
    /// Where the counts for each score begin, by the scores in falling order.
    scores: Vec<(u32, u32)>,
    all_scores: u32,
}

impl Widths {
    fn score(&self, score: u32) -> u32 {
        self.scores.iter().find(|(it, _)| *it == score).map_or(0, |(_, shift)| *shift)
    }

    /// With what duals need beyond weights.
    fn total(&self, field: &Field) -> u32 {
        let digits = 2 + 2 + 4 * u32::from(field.has_colours) + 2 * field.floats as u32 + 3;
        let scores = 2 + 2 * field.floats as u32;
        digits * self.count + scores * self.all_scores + 1 + 2 * self.count + 2 * bits(field.candidates.len()) + 6
    }
}

/// By vertices of the bracket.
struct Done {
    pairs: Vec<[usize; 2]>,
    /// Who moves down, in order.
    left: Vec<usize>,
    /// Whether the next bracket would lose anybody to those below it.
    next_leaves_somebody_else: bool,
}

impl Bracket<'_> {
    fn candidate(&self, vertex: usize) -> &Candidate {
        &self.field.candidates[self.players[vertex]]
    }

    fn widths(&self) -> Widths {
        let mut scores: Vec<(u32, u32)> = Vec::new();
        let mut shift = 0;
        let seen = &self.players[..self.after];
        // Each pair may count both of its players.
        for group in
            seen.chunk_by(|one, other| self.field.candidates[*one].score == self.field.candidates[*other].score)
        {
            scores.push((self.field.candidates[group[0]].score, group.len() as u32));
        }
        for (_, place) in scores.iter_mut().rev() {
            let width = bits(*place as usize);
            *place = shift;
            shift += width;
        }
        Widths { count: bits(self.after + 1), scores, all_scores: shift }
    }

    /// What a pair is worth by the criteria, without the order of exchanges and transpositions. The lower player is in the
    /// bracket or in the next group.
    fn weight<const WORDS: usize>(&self, widths: &Widths, higher: usize, lower: usize) -> Wide<WORDS> {
        let (count, all_scores) = (widths.count, widths.all_scores);
        let is_here = lower < self.next;
        let [high, low] = [higher, lower].map(|vertex| self.candidate(vertex));
        let mut weight = Wide::ZERO;
        // As many pairs here, of moved-down players with scores as high as possible; then the same in the next bracket.
        for counts in [is_here, !is_here] {
            weight.push(count, u64::from(counts));
            weight.push(all_scores, 0);
            if counts {
                weight.add_at(widths.score(high.score), 1);
            }
        }
        // The bye goes to who has played most: who has not is worth more in a pair.
        weight.push(2 * count, 0);
        if self.leaves_bye {
            for it in [high, low].into_iter().filter(|it| Some(it.score) == self.bye_score) {
                weight.add_at(0, self.bye_rank(it));
            }
        }
        if self.field.has_colours {
            let (one, other) = (&high.colours, &low.colours);
            for is_met in [
                !one.conflicts_twice(other),
                !one.conflicts_absolutely(other),
                !one.conflicts(other),
                !one.conflicts_strongly(other),
            ] {
                weight.push(count, u64::from(is_here && is_met));
            }
        }
        let floats = 0..self.field.floats;
        let moves = high.score > low.score;
        let lacks_upfloat = |round: usize| !(moves && low.floats[round] == Float::Up);
        let was_down = |it: &Candidate, round: usize| u64::from(it.floats[round] == Float::Down);
        for round in floats.clone() {
            let down = was_down(low, round) + if moves { 0 } else { was_down(high, round) };
            weight.push(count, if is_here { down } else { 0 });
            weight.push(count, u64::from(is_here && lacks_upfloat(round)));
        }
        for round in floats {
            weight.push(all_scores, 0);
            if is_here {
                weight.add_at(widths.score(low.score), was_down(low, round));
                weight.add_at(widths.score(high.score), was_down(high, round));
            }
            weight.push(all_scores, 0);
            if is_here && lacks_upfloat(round) {
                weight.add_at(widths.score(high.score), 1);
            }
        }
        weight.push(3 * count + 1, 0);
        weight
    }

    /// More for who has played less, of those with the score of the bye.
    fn bye_rank(&self, of: &Candidate) -> u64 {
        let with_score = self.field.candidates.iter().filter(|it| Some(it.score) == self.bye_score);
        with_score.filter(|it| it.played >= of.played).count() as u64 - 1
    }
}

fn pair_bracket<const WORDS: usize>(bracket: &Bracket, widths: &Widths) -> Option<Done> {
    let Bracket { residents, next, after, .. } = *bracket;
    let count = bracket.players.len();
    let bye = bracket.bye_score.map(|score| (after, score));
    // The vertex of the bye is between those with weights and the others, so that it can have weights.
    let player = |vertex: usize| if bye.is_some() && vertex > after { vertex - 1 } else { vertex };
    let is_edge = |one: usize, other: usize| {
        let (lower, higher) = (one.max(other), one.min(other));
        let takes_bye = |vertex: usize, score: u32| {
            let it = bracket.candidate(player(vertex));
            it.may_have_bye && it.score <= score
        };
        match bye {
            Some((vertex, score)) if lower == vertex => takes_bye(higher, score),
            Some((vertex, score)) if higher == vertex => takes_bye(lower, score),
            // Who moved down could not be paired among themselves.
            _ if lower < residents => false,
            _ => (bracket.field.may_meet)(bracket.players[player(higher)], bracket.players[player(lower)]),
        }
    };
    // The weights of pairs, by the higher vertex, then the lower; changed as decisions are made.
    let mut base: Vec<Vec<Option<Wide<WORDS>>>> = (0..after)
        .map(|lower| {
            let weight = |higher| is_edge(higher, lower).then(|| bracket.weight(widths, higher, lower));
            (0..lower).map(weight).collect()
        })
        .collect();
    let weight = |one: usize, other: usize| match one.max(other) {
        lower if lower < after => base[lower][one.min(other)].unwrap_or(Wide::ZERO),
        _ => Wide::ZERO,
    };
    let mut matching = Matching::<WORDS>::new(count + usize::from(bye.is_some()), after, is_edge, weight);
    if !matching.solve() {
        return None;
    }
    let plus = |weight: Wide<WORDS>, digit: u64| {
        let mut weight = weight;
        weight.add_at(0, digit);
        weight
    };
    let is_here = |vertex: usize| vertex < next;
    let is_resident = |vertex: usize| (residents..next).contains(&vertex);
    let mut done = Done { pairs: Vec::new(), left: Vec::new(), next_leaves_somebody_else: false };
    let mut settled = vec![false; next];

    // Which of those who moved down are paired here: of each score as many as now, the first where it is possible.
    let score = |vertex: usize| bracket.candidate(vertex).score;
    let mut chosen = vec![false; residents];
    let mut from = 0;
    while from < residents {
        let to = (from..residents).find(|it| score(*it) != score(from)).unwrap_or(residents);
        let mut left = (from..to).filter(|it| is_resident(matching.mate(*it))).count();
        for vertex in from..to {
            if left == 0 {
                break;
            }
            if left >= to - vertex {
                chosen[vertex] = true;
                continue;
            }
            let wish = |matching: &mut Matching<WORDS>, digit: u64| {
                let edge = |lower: usize| Some((lower, Some(plus(base[lower][vertex]?, digit))));
                matching.change(vertex, (residents..next).filter_map(edge));
                matching.solve()
            };
            if !is_resident(matching.mate(vertex)) && !wish(&mut matching, 1) {
                return None;
            }
            if is_resident(matching.mate(vertex)) {
                chosen[vertex] = true;
                left -= 1;
                if !wish(&mut matching, (next - residents + 1) as u64) {
                    return None;
                }
            }
        }
        from = to;
    }

    // Their opponents: the highest that is possible, in turn.
    for vertex in (0..residents).filter(|it| chosen[*it]) {
        let mut digit = after as u64;
        let mut edges = Vec::new();
        for other in (residents..next).rev().filter(|other| !settled[*other]) {
            if let Some(weight) = base[other][vertex] {
                edges.push((other, Some(plus(weight, digit))));
                digit += 1;
            }
        }
        matching.change(vertex, edges);
        if !matching.solve() {
            return None;
        }
        let mate = matching.mate(vertex);
        if !is_resident(mate) {
            return None;
        }
        if !matching.settle(vertex, mate) {
            return None;
        }
        (settled[vertex], settled[mate]) = (true, true);
        done.pairs.push([vertex, mate]);
    }

    // The others of the bracket: the upper half against the lower, with as few exchanges as possible.
    let rest: Vec<usize> = (residents..next).filter(|it| !settled[*it]).collect();
    let is_top = |matching: &Matching<WORDS>, vertex: usize| {
        let mate = matching.mate(vertex);
        mate > vertex && is_here(mate)
    };
    let halves = rest.iter().filter(|it| is_top(&matching, **it)).count();
    let exchanging = |weight: Wide<WORDS>, index: usize| {
        let mut digit = Wide::ZERO;
        digit.push(2 * widths.count, u64::from(index < halves));
        digit.push(2 * widths.count, 0);
        let mut taken = Wide::ZERO;
        taken.add_at(0, index as u64);
        weight.plus(&digit.minus(&taken).twice())
    };
    // Edges of the one at an index of the rest to those after it.
    let to_lower = |base: &[Vec<Option<Wide<WORDS>>>], index: usize, change: &dyn Fn(Wide<WORDS>) -> Wide<WORDS>| {
        let edges = rest[index + 1..].iter().map(|lower| (*lower, base[*lower][rest[index]].map(change)));
        edges.collect::<Vec<_>>()
    };
    for (index, vertex) in rest.iter().enumerate() {
        let edges = to_lower(&base, index, &|it| exchanging(it, index));
        matching.change(*vertex, edges);
    }
    if !matching.solve() {
        return None;
    }
    let mut exchanges = rest[..halves].iter().filter(|it| !is_top(&matching, **it)).count();
    let all_exchanges = exchanges;
    // Of the upper half the lowest are exchanged.
    for index in (0..halves).rev() {
        if exchanges == 0 {
            break;
        }
        let vertex = rest[index];
        let one_less = |it| exchanging(it, index).minus(&plus(Wide::ZERO, 1));
        let was_top = is_top(&matching, vertex);
        if was_top {
            let edges = to_lower(&base, index, &one_less);
            matching.change(vertex, edges);
            if !matching.solve() {
                return None;
            }
        }
        let is_exchanged = !is_top(&matching, vertex);
        if is_exchanged {
            exchanges -= 1;
            for lower in &rest[index + 1..] {
                base[*lower][vertex] = None;
            }
        }
        if is_exchanged || was_top {
            let edges = to_lower(&base, index, &|it| exchanging(it, index));
            matching.change(vertex, edges);
            if !matching.solve() {
                return None;
            }
        }
    }
    // Of the lower half the highest are.
    let mut exchanges = all_exchanges;
    for index in halves..rest.len() {
        if exchanges <= 1 {
            break;
        }
        let vertex = rest[index];
        let was_top = is_top(&matching, vertex);
        if !was_top {
            let edges = to_lower(&base, index, &|it| plus(exchanging(it, index), 1));
            matching.change(vertex, edges);
            if !matching.solve() {
                return None;
            }
        }
        let is_exchanged = is_top(&matching, vertex);
        let mut edges = Vec::new();
        if is_exchanged {
            exchanges -= 1;
            for higher in &rest[..index] {
                base[vertex][*higher] = None;
                edges.push((*higher, None));
            }
            for (lower, row) in base.iter_mut().enumerate().skip(next) {
                row[vertex] = None;
                edges.push((lower, None));
            }
        }
        if !was_top {
            edges.extend(to_lower(&base, index, &|it| exchanging(it, index)));
        }
        if !edges.is_empty() {
            matching.change(vertex, edges);
            if !matching.solve() {
                return None;
            }
        }
    }
    // Now it is known who is in which half.
    let tops: Vec<bool> = rest.iter().map(|it| is_top(&matching, *it)).collect();
    for index in 0..rest.len() {
        for later in index + 1..rest.len() {
            if !tops[index] || tops[later] {
                base[rest[later]][rest[index]] = None;
            }
        }
        let edges = to_lower(&base, index, &|it| it);
        matching.change(rest[index], edges);
    }
    if !matching.solve() {
        return None;
    }
    // Opponents in the order of transpositions.
    for index in (0..rest.len()).filter(|index| tops[*index]) {
        let vertex = rest[index];
        let mut digit = 0;
        let mut edges = Vec::new();
        for other in rest[index + 1..].iter().rev().filter(|other| !settled[**other]) {
            if let Some(weight) = base[*other][vertex] {
                edges.push((*other, Some(plus(weight, digit))));
                digit += 1;
            }
        }
        matching.change(vertex, edges);
        if !matching.solve() {
            return None;
        }
        let mate = matching.mate(vertex);
        if !is_here(mate) {
            return None;
        }
        if !matching.settle(vertex, mate) {
            return None;
        }
        (settled[vertex], settled[mate]) = (true, true);
        done.pairs.push([vertex, mate]);
    }

    done.left = (0..next).filter(|it| !settled[*it]).collect();
    let leaves = |vertex: usize| {
        let mate = matching.mate(vertex);
        mate >= after && bye.is_none_or(|(bye, _)| mate != bye)
    };
    done.next_leaves_somebody_else = done.left.iter().copied().chain(next..after).any(leaves);
    Some(done)
}
