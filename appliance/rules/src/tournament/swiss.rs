//! Swiss: the Dutch system. With two games a match, who plays both sides, it has no criteria of colour.

mod dutch;
mod matching;
mod wide;

use super::standings::{Standing, with_tie_breaks};
use super::{Match, Outcome, Player, Reason, Rules, Side, StageRound, Tournament};
use dutch::{Field, Paired};
use matching::Matching;
use wide::Wide;

pub(super) struct Swiss {
    pub rounds: u32,
}

impl Rules for Swiss {
    fn expected_rounds(&self, _: &Tournament) -> u32 {
        self.rounds
    }

    fn next(&self, tournament: &Tournament) -> Option<StageRound> {
        if tournament.rounds.len() as u32 >= self.rounds || tournament.active().count() < 2 {
            return None;
        }
        let mut candidates = candidates(tournament);
        let mut left = Vec::new();
        let pairs = match self.pair(tournament, &candidates) {
            Some(Paired { pairs, bye }) => {
                left.extend(bye);
                pairs
            }
            // Where not all can be paired, as many as possible are, and the others sit out.
            None => {
                let out = self.sitting_out(tournament, &candidates);
                let (rest, others): (Vec<_>, Vec<_>) =
                    candidates.into_iter().enumerate().partition(|(index, _)| !out.contains(index));
                candidates = rest.into_iter().chain(others).map(|(_, it)| it).collect();
                let paired = candidates.len() - out.len();
                left.extend(paired..candidates.len());
                self.pair(tournament, &candidates[..paired])?.pairs
            }
        };
        if pairs.is_empty() {
            return None;
        }
        Some(boards(tournament, &candidates, pairs, left))
    }

    /// Before the last round is paired.
    fn admits(&self, tournament: &Tournament) -> bool {
        (tournament.rounds.len() as u32) < self.rounds
    }

    fn standings(&self, tournament: &Tournament) -> Vec<Standing> {
        with_tie_breaks(tournament)
    }
}

impl Swiss {
    /// Whether two candidates may meet by the absolute criteria.
    fn meetings<'a>(
        &self,
        tournament: &Tournament,
        candidates: &'a [Candidate],
    ) -> impl Fn(usize, usize) -> bool + use<'a> {
        let met = met(tournament, candidates);
        let is_last = tournament.rounds.len() as u32 + 1 == self.rounds;
        let most = tournament.rounds.len() as u32 * 2;
        // In the last round the best may have a colour a third time.
        let is_top_scorer = move |it: &Candidate| is_last && it.score * 2 > most;
        move |one, other| {
            let (first, second) = (&candidates[one], &candidates[other]);
            !met[one * candidates.len() + other]
                && (!first.colours.conflicts_absolutely_at_all(&second.colours)
                    || is_top_scorer(first)
                    || is_top_scorer(second))
        }
    }

    /// `None` if they cannot all be paired, but for one bye.
    fn pair(&self, tournament: &Tournament, candidates: &[Candidate]) -> Option<Paired> {
        let may_meet = self.meetings(tournament, candidates);
        dutch::pair(&Field {
            candidates,
            may_meet: &may_meet,
            floats: tournament.rounds.len().min(2),
            has_colours: tournament.match_games == 1,
        })
    }

    /// As few as possible, so that the others can be paired: rather who may have a bye, then the lowest.
    fn sitting_out(&self, tournament: &Tournament, candidates: &[Candidate]) -> Vec<usize> {
        let may_meet = self.meetings(tournament, candidates);
        let count = candidates.len();
        // Everybody has a double, and being matched with it is sitting out. Doubles match among themselves.
        let edge = |one: usize, other: usize| match (one.min(other), one.max(other)) {
            (low, high) if high < count => may_meet(low, high),
            (low, high) if low < count => high - count == low,
            _ => true,
        };
        let weight = |one: usize, other: usize| {
            let mut weight = Wide::<2>::ZERO;
            let needs = |it: usize| u64::from(!candidates[it].may_have_bye);
            weight.push(32, 1);
            weight.push(32, needs(one) + needs(other));
            weight.push(32, (2 * count - one - other) as u64);
            weight
        };
        let mut matching = Matching::new(2 * count, count, edge, weight);
        // Everybody can sit out, so there is a matching.
        matching.solve();
        (0..count).filter(|it| matching.mate(*it) >= count).collect()
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Float {
    None,
    Up,
    Down,
}

/// A player as pairing sees them.
struct Candidate {
    player: Player,
    /// From 1, among those who have been in the tournament.
    number: u32,
    /// In halves.
    score: u32,
    may_have_bye: bool,
    /// Games over the board.
    played: usize,
    colours: Colours,
    /// Of the last round, then of the one before.
    floats: [Float; 2],
}

#[derive(Clone, Default)]
struct Colours {
    /// Of the games that were played.
    history: Vec<Side>,
    preference: Option<Side>,
    /// By how many games one colour is ahead.
    imbalance: usize,
    /// The colour of the last two games, if it is one.
    repeated: Option<Side>,
}

impl Colours {
    fn new(history: Vec<Side>) -> Colours {
        let firsts = history.iter().filter(|side| **side == Side::First).count();
        let seconds = history.len() - firsts;
        let lesser = if firsts > seconds { Side::Second } else { Side::First };
        let imbalance = firsts.abs_diff(seconds);
        let repeated = match history.as_slice() {
            [.., one, other] if one == other => Some(*one),
            _ => None,
        };
        let preference = match (imbalance, repeated) {
            (2.., _) => Some(lesser),
            (_, Some(repeated)) => Some(repeated.other()),
            (1, None) => Some(lesser),
            (_, None) => history.last().map(|side| side.other()),
        };
        Colours { history, preference, imbalance, repeated }
    }

    fn is_absolute(&self) -> bool {
        self.imbalance > 1 || self.repeated.is_some()
    }

    fn is_strong(&self) -> bool {
        !self.is_absolute() && self.imbalance > 0
    }

    fn conflicts(&self, other: &Colours) -> bool {
        self.preference.is_some() && self.preference == other.preference
    }

    /// One of them would have a colour a third time in a row, or get a difference of three.
    fn conflicts_absolutely_at_all(&self, other: &Colours) -> bool {
        self.is_absolute() && other.is_absolute() && self.conflicts(other)
    }

    /// One of them would get a difference of three.
    fn conflicts_twice(&self, other: &Colours) -> bool {
        self.imbalance > 1 && other.imbalance > 1 && self.conflicts(other)
    }

    /// The one that yields would have a colour a third time in a row.
    fn conflicts_absolutely(&self, other: &Colours) -> bool {
        if !self.conflicts_absolutely_at_all(other) {
            return false;
        }
        match self.imbalance.cmp(&other.imbalance) {
            std::cmp::Ordering::Equal => self.repeated.is_some() && self.repeated == other.repeated,
            order => {
                let yields = if order.is_gt() { other } else { self };
                yields.repeated.is_some() && yields.repeated == self.preference.map(Side::other)
            }
        }
    }

    /// Two strong preferences, or a strong and an absolute one, are the same.
    fn conflicts_strongly(&self, other: &Colours) -> bool {
        let matters = |it: &Colours| it.is_strong() || it.is_absolute();
        self.conflicts(other) && matters(self) && matters(other) && !(self.is_absolute() && other.is_absolute())
    }
}

/// Who is paired in the next round, by score, then by number.
fn candidates(tournament: &Tournament) -> Vec<Candidate> {
    let rounds = tournament.rounds.len();
    let matches = tournament.matches_by_player();
    let halves = |player: Player, before: usize| -> u32 {
        matches[player as usize][..before].iter().flatten().map(|(side, it)| it.halves(*side)).sum()
    };
    let mut candidates = Vec::new();
    let mut number = 0;
    for player in tournament.players() {
        let own = &matches[player as usize];
        let is_active = !tournament.entrant(player).withdrawn;
        if is_active || own.iter().any(Option::is_some) {
            number += 1;
        }
        if !is_active {
            continue;
        }
        let played = |it: &&(Side, &Match)| it.1.outcome.is_some_and(Outcome::is_played);
        let history: Vec<Side> = own.iter().flatten().filter(played).map(|(side, _)| *side).collect();
        let float = |back: usize| {
            let Some(round) = rounds.checked_sub(back) else { return Float::None };
            let Some((side, it)) = own[round] else { return Float::None };
            let opponent = it.players[side.other().index()].filter(|_| it.outcome.is_some_and(Outcome::is_played));
            match opponent.map(|opponent| halves(player, round).cmp(&halves(opponent, round))) {
                Some(std::cmp::Ordering::Greater) => Float::Down,
                Some(std::cmp::Ordering::Less) => Float::Up,
                Some(std::cmp::Ordering::Equal) => Float::None,
                None if it.halves(side) > 0 => Float::Down,
                None => Float::None,
            }
        };
        // A full point without a game counts as a bye.
        let had_bye = own.iter().flatten().any(|it| !played(&it) && it.1.halves(it.0) >= 2);
        candidates.push(Candidate {
            player,
            number,
            score: halves(player, rounds),
            may_have_bye: !had_bye,
            played: history.len(),
            floats: [float(1), float(2)],
            colours: if tournament.match_games == 1 { Colours::new(history) } else { Colours::default() },
        });
    }
    candidates.sort_by_key(|it| (std::cmp::Reverse(it.score), it.number));
    candidates
}

/// Whether two candidates have met, by both indexes.
fn met(tournament: &Tournament, candidates: &[Candidate]) -> Vec<bool> {
    let count = candidates.len();
    let mut index = vec![None; tournament.entrants.len()];
    for (at, it) in candidates.iter().enumerate() {
        index[it.player as usize] = Some(at);
    }
    let mut met = vec![false; count * count];
    for it in tournament.rounds.iter().flat_map(|round| &round.matches) {
        let [first, second] = it.players.map(|player| index[player? as usize]);
        if let [Some(one), Some(other)] = [first, second]
            && it.outcome.is_some_and(Outcome::is_played)
        {
            met[one * count + other] = true;
            met[other * count + one] = true;
        }
    }
    met
}

/// Boards by the higher score of the two, then the lower, then the better number. Who is left and may have a bye gets it,
/// the others sit out.
fn boards(
    tournament: &Tournament,
    candidates: &[Candidate],
    mut pairs: Vec<[usize; 2]>,
    left: Vec<usize>,
) -> StageRound {
    for pair in &mut pairs {
        pair.sort_unstable();
    }
    pairs.sort_by_key(|[high, low]| {
        let score = |it: usize| std::cmp::Reverse(candidates[it].score);
        (score(*high), score(*low), candidates[*high].number)
    });
    let seats = pairs.into_iter().map(|[high, low]| {
        let (high, low) = (&candidates[high], &candidates[low]);
        let players = [Some(high.player), Some(low.player)];
        match colour_of_higher(tournament, high, low) {
            Side::First => Match::new(0, players),
            Side::Second => Match::new(0, [players[1], players[0]]),
        }
    });
    let byes = left.into_iter().map(|it| &candidates[it]).map(|it| Match {
        outcome: Some(match it.may_have_bye {
            true => Outcome::won(Side::First, Reason::Bye),
            false => Outcome { verdict: super::Verdict::Neither, reason: Reason::Bye },
        }),
        ..Match::new(0, [Some(it.player), None])
    });
    let mut matches: Vec<Match> = seats.chain(byes).collect();
    for (board, it) in (1..).zip(&mut matches) {
        it.board = board;
    }
    StageRound { matches }
}

/// The side of the higher of two, by C.04.3 E.
fn colour_of_higher(tournament: &Tournament, high: &Candidate, low: &Candidate) -> Side {
    if tournament.match_games != 1 {
        return Side::First;
    }
    let (one, other) = (&high.colours, &low.colours);
    let own = |it: &Colours| it.preference.unwrap_or(Side::First);
    match (one.preference, other.preference) {
        (None, None) => {
            return if high.number % 2 == 1 { tournament.lot } else { tournament.lot.other() };
        }
        (Some(side), None) => return side,
        (None, Some(side)) => return side.other(),
        (Some(one), Some(other)) if one != other => return one,
        _ => {}
    }
    let strength = |it: &Colours| (it.is_absolute(), if it.is_absolute() { it.imbalance } else { 0 }, it.is_strong());
    match strength(one).cmp(&strength(other)) {
        std::cmp::Ordering::Greater => own(one),
        std::cmp::Ordering::Less => own(other).other(),
        std::cmp::Ordering::Equal => {
            let mut back = one.history.iter().rev().zip(other.history.iter().rev());
            match back.find(|(one, other)| one != other) {
                Some((_, other)) => *other,
                None => own(one),
            }
        }
    }
}
