//! What is said of events in stage rounds, for dialogs, lists and the command line.

use std::collections::BTreeSet;

use morpion_openapi::{
    event::{
        Event, EventFormat, MatchReason, RoundState, StagePairing, StagePlayer, StageRound, TieBreakName, TieBreakTerm,
        TieBreaks,
    },
    quick_match::QuickMatchClock,
};

use super::{
    name::Named,
    text::{count, until},
};

/// The tie-breaks in the order in which they decide: briefly, and in full.
pub const TIE_BREAKS: [(&str, &str); 5] = [
    ("BC1", "Buchholz cut 1"),
    ("BH", "Buchholz"),
    ("SB", "Sonneborn-Berger"),
    ("Wins", "Wins"),
    ("H2H", "Head to head"),
];

/// Their values, in the same order.
pub fn tie_break_values(of: &TieBreaks) -> [f64; 5] {
    [of.buchholz_cut1, of.buchholz, of.sonneborn_berger, of.wins, of.head_to_head]
}

/// What a round added to the tie-breaks of a player.
#[derive(Debug)]
pub struct TermRow {
    pub round: u32,
    /// By name; of a round that was not played nobody.
    pub opponent: String,
    /// In the order of the tie-breaks. What is left out of the sum is in brackets.
    pub cells: [String; 5],
}

impl TermRow {
    pub fn has_cut(&self) -> bool {
        self.cells.iter().any(|cell| cell.starts_with('('))
    }
}

/// How tie-breaks came, a row for each round.
pub fn tie_break_rows(terms: &[TieBreakTerm]) -> Vec<TermRow> {
    let rounds: BTreeSet<u32> = terms.iter().map(|term| term.round).collect();
    let rows = rounds.into_iter().map(|round| {
        let of_round = || terms.iter().filter(move |term| term.round == round);
        let opponent = of_round().find_map(|term| term.opponent.as_ref());
        let cells = TieBreakName::ALL.iter().map(|name| {
            let values = of_round().filter(|term| term.tie_break == *name).map(|term| match term.cut {
                true => format!("({})", points(term.value)),
                false => points(term.value),
            });
            values.collect::<Vec<_>>().join(" ")
        });
        let mut row = TermRow {
            round,
            opponent: opponent.map_or_else(|| "nobody".to_owned(), |player| player.name().whole()),
            cells: Default::default(),
        };
        row.cells.iter_mut().zip(cells).for_each(|(cell, text)| *cell = text);
        row
    });
    rows.collect()
}

/// As people call it.
pub const fn format_name(format: EventFormat) -> &'static str {
    match format {
        EventFormat::Arena => "Arena",
        EventFormat::Knockout => "Knockout",
        EventFormat::Swiss => "Swiss",
        EventFormat::RoundRobin => "Round robin",
    }
}

/// What it is, in one sentence.
pub const fn format_sentence(format: EventFormat) -> &'static str {
    match format {
        EventFormat::Arena => "Whoever is free is paired with somebody of the same level, until the event ends.",
        EventFormat::Knockout => "Who loses a match is out.",
        EventFormat::Swiss => "Everybody plays each round, against somebody with as many points.",
        EventFormat::RoundRobin => "Everybody meets everybody; at most 16 players.",
    }
}

/// `Swiss, 5 rounds`.
pub fn format_with_options(event: &Event) -> String {
    let name = format_name(event.format);
    match event.format {
        EventFormat::Swiss => event.rounds.map(|rounds| format!("{name}, {}", count(rounds.into(), "round"))),
        EventFormat::Knockout if event.third_place == Some(true) => Some(format!("{name}, third place")),
        EventFormat::RoundRobin if event.double_rounds == Some(true) => Some(format!("{name}, twice")),
        _ => None,
    }
    .unwrap_or_else(|| name.to_owned())
}

/// The time that players have.
pub const fn clock_text(clock: QuickMatchClock) -> &'static str {
    match clock {
        QuickMatchClock::Turn15 => "15 s a turn",
        QuickMatchClock::Increment => "1 min + 2 s a move",
    }
}

/// `2 games on 3×3`, of an event that is no arena.
pub fn match_with_options(event: &Event, by: &str) -> Option<String> {
    let (games, size) = event.match_games.zip(event.board_size.size())?;
    Some(format!("{} on {size}{by}{size}", count(games.into(), "game")))
}

/// `Round 2 of 5`; in a knockout also what it is called.
pub fn round_name(format: EventFormat, round: u32, expected: u32) -> String {
    let number = format!("ound {round} of {expected}");
    let name = match (format, expected.checked_sub(round)) {
        (EventFormat::Knockout, Some(0)) => "Final".to_owned(),
        (EventFormat::Knockout, Some(1)) => "Semi-finals".to_owned(),
        (EventFormat::Knockout, Some(2)) => "Quarter-finals".to_owned(),
        (EventFormat::Knockout, Some(left @ 3..20)) => format!("Last {}", 2_u32 << left),
        _ => return format!("R{number}"),
    };
    format!("{name}, r{number}")
}

/// How far a round is.
pub fn progress(round: &StageRound, is_paused: bool, now: i64) -> String {
    let pairings = &round.pairings;
    let is_begun = pairings.iter().any(|pairing| !pairing.games.is_empty());
    let left = round.starts_at.map_or(0, |at| at.as_millis() - now);
    match (round.state, round.starts_at) {
        (RoundState::Ended, _) => "all matches are decided".to_owned(),
        (_, None) => match round.not_before.map(|at| at.as_millis() - now) {
            Some(left) if left > 0 => format!("not paired yet, begins {} or later", until(left)),
            _ => "not paired yet".to_owned(),
        },
        (_, Some(_)) if is_paused && !is_begun => "begins when the event is resumed".to_owned(),
        (_, Some(_)) if left > 0 => format!("games open {}", until(left)),
        (_, Some(_)) => {
            let decided = pairings.iter().filter(|pairing| pairing.reason.is_some()).count();
            format!("{decided} of {} decided", count(pairings.len() as u64, "match"))
        }
    }
}

/// How a match stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum MatchState {
    /// Its next game is about to begin.
    Between,
    Ahead,
    Live,
    /// Not all of its players are known.
    Open,
    Decided,
    Bye,
}

impl MatchState {
    pub fn of(format: EventFormat, pairing: &StagePairing) -> Self {
        match (pairing.reason, pairing.games.last()) {
            _ if pairing.bye => Self::Bye,
            (Some(_), _) => Self::Decided,
            (None, _) if pairing.players.len() < 2 && format == EventFormat::Knockout => Self::Open,
            // Of the tables of a round robin, before their round.
            (None, _) if pairing.players.len() < 2 => Self::Bye,
            (None, None) => Self::Ahead,
            (None, Some(last)) if last.winner_user_id.is_none() => Self::Live,
            (None, Some(_)) => Self::Between,
        }
    }
}

/// How a match stands, or who won it and why.
pub fn match_words(format: EventFormat, pairing: &StagePairing) -> String {
    match MatchState::of(format, pairing) {
        MatchState::Bye => "bye".to_owned(),
        MatchState::Open => "to be decided".to_owned(),
        MatchState::Ahead => "not begun".to_owned(),
        MatchState::Live => format!("game {} is on", pairing.games.len()),
        MatchState::Between => format!("game {} follows", pairing.games.len() + 1),
        MatchState::Decided => {
            let how = match pairing.reason {
                Some(MatchReason::Absent) => ", by absence",
                Some(MatchReason::Withdrawn) => ", by withdrawal",
                Some(MatchReason::Ruling) => ", by decision",
                Some(MatchReason::Played | MatchReason::Bye) | None => "",
            };
            format!("{} won{how}", winner(pairing).map_or("nobody", |winner| winner.name().short()))
        }
    }
}

/// The same where there is little room: the winner is seen otherwise.
pub fn match_brief(format: EventFormat, pairing: &StagePairing) -> String {
    let score = score(pairing).unwrap_or_default();
    let word = match (MatchState::of(format, pairing), pairing.reason) {
        (MatchState::Open, _) => "open",
        (MatchState::Ahead, _) => "not begun",
        (MatchState::Live, _) => return format!("{score} live"),
        (MatchState::Bye, _) => "bye",
        (MatchState::Decided, Some(MatchReason::Absent)) => "absence",
        (MatchState::Decided, Some(MatchReason::Withdrawn)) => "withdrawal",
        (MatchState::Decided, Some(MatchReason::Ruling)) => "decision",
        (MatchState::Between | MatchState::Decided, _) => return score,
    };
    word.to_owned()
}

pub fn winner(pairing: &StagePairing) -> Option<&StagePlayer> {
    pairing.players.iter().find(|player| Some(player.user_id) == pairing.winner_user_id)
}

/// `2:1`, games won in the order of the players; none before the first game.
pub fn score(pairing: &StagePairing) -> Option<String> {
    let [first, second] = pairing.players.as_slice() else { return None };
    let won =
        |player: &StagePlayer| pairing.games.iter().filter(|game| game.winner_user_id == Some(player.user_id)).count();
    (!pairing.games.is_empty()).then(|| format!("{}:{}", won(first), won(second)))
}

/// Who has a place in a match.
#[derive(Debug, Clone, PartialEq)]
pub enum Seat {
    Player(StagePlayer),
    /// Nobody yet: who comes there, in words.
    Awaited(String),
}

/// The places of a match; one in a bye. `before` is the round before, which in a knockout decides who comes there.
pub fn seats(format: EventFormat, pairing: &StagePairing, before: Option<&StageRound>, is_last: bool) -> Vec<Seat> {
    let seat = |player: &StagePlayer| Seat::Player(player.clone());
    if MatchState::of(format, pairing) == MatchState::Bye || pairing.players.len() >= 2 {
        return pairing.players.iter().map(seat).collect();
    }
    // Those who lost the semi-finals meet on the second board of the last round.
    let is_for_third = is_last && pairing.board == 2;
    let (boards, who) =
        if is_for_third { ([1, 2], "loser") } else { ([pairing.board * 2 - 1, pairing.board * 2], "winner") };
    let seat_of = |board: u32| {
        let from = before?.pairings.iter().find(|from| from.board == board)?;
        let is_from = |player: &&StagePlayer| from.players.iter().any(|other| other.user_id == player.user_id);
        Some(match pairing.players.iter().find(is_from) {
            Some(player) => seat(player),
            None if from.reason.is_some() => Seat::Awaited("nobody".to_owned()),
            None => Seat::Awaited(format!("{who} of board {board}")),
        })
    };
    boards.map(|board| seat_of(board).unwrap_or_else(|| Seat::Awaited("nobody".to_owned()))).to_vec()
}

/// Points and tie-breaks: `2.5`, `3`.
pub fn points(value: f64) -> String {
    // There is a zero below zero.
    ((value * 100.0).round() / 100.0 + 0.0).to_string()
}

#[cfg(test)]
mod tests {
    use morpion_openapi::event::StageGame;
    use uuid::Uuid;

    use super::*;

    fn player(number: u128) -> StagePlayer {
        StagePlayer {
            user_id: Uuid::from_u128(number),
            username: format!("p{number}"),
            display_name: String::new(),
            profile_url: None,
            is_bot: None,
            seed: number as u32,
        }
    }

    fn pairing(board: u32, players: &[u128]) -> StagePairing {
        let players = players.iter().map(|number| player(*number)).collect();
        StagePairing { board, players, bye: false, games: vec![], winner_user_id: None, reason: None }
    }

    fn game(winner: Option<u128>) -> StageGame {
        StageGame { game_id: Uuid::from_u128(9), winner_user_id: winner.map(Uuid::from_u128) }
    }

    #[test]
    fn a_match_is_told_in_words() {
        let match_words = |pairing: &StagePairing| match_words(EventFormat::Knockout, pairing);
        let mut one = pairing(1, &[1, 2]);
        assert_eq!((match_words(&one), score(&one)), ("not begun".to_owned(), None));
        one.games = vec![game(None)];
        assert_eq!((match_words(&one), score(&one)), ("game 1 is on".to_owned(), Some("0:0".to_owned())));
        one.games = vec![game(Some(2))];
        assert_eq!((match_words(&one), score(&one)), ("game 2 follows".to_owned(), Some("0:1".to_owned())));
        (one.winner_user_id, one.reason) = (Some(Uuid::from_u128(2)), Some(MatchReason::Ruling));
        assert_eq!(match_words(&one), "p2 won, by decision");
        (one.winner_user_id, one.reason) = (None, Some(MatchReason::Absent));
        assert_eq!(match_words(&one), "nobody won, by absence");
        let bye = StagePairing { bye: true, reason: Some(MatchReason::Bye), ..pairing(2, &[3]) };
        assert_eq!((match_words(&bye), score(&bye)), ("bye".to_owned(), None));
        assert_eq!(match_words(&pairing(1, &[1])), "to be decided");
        assert_eq!(super::match_words(EventFormat::RoundRobin, &pairing(1, &[1])), "bye");
    }

    #[test]
    fn seats_of_a_bracket_say_who_comes_there() {
        let won = |board, players: &[u128], winner: u128| StagePairing {
            winner_user_id: Some(Uuid::from_u128(winner)),
            reason: Some(MatchReason::Played),
            ..pairing(board, players)
        };
        let semi_finals = StageRound {
            round: 1,
            state: RoundState::Playing,
            starts_at: None,
            not_before: None,
            pairings: vec![won(1, &[1, 4], 4), pairing(2, &[2, 3])],
        };
        let awaited = |text: &str| Seat::Awaited(text.to_owned());
        let of = |pairing: &StagePairing| seats(EventFormat::Knockout, pairing, Some(&semi_finals), true);
        assert_eq!(of(&pairing(1, &[4])), [Seat::Player(player(4)), awaited("winner of board 2")]);
        assert_eq!(of(&pairing(2, &[1])), [Seat::Player(player(1)), awaited("loser of board 2")]);
        assert_eq!(of(&pairing(1, &[])), [awaited("nobody"), awaited("winner of board 2")]);
        let bye = StagePairing { bye: true, ..pairing(1, &[1]) };
        assert_eq!(seats(EventFormat::Knockout, &bye, None, false), [Seat::Player(player(1))]);
    }

    #[test]
    fn rounds_of_a_knockout_have_names() {
        let names = (1..=4).map(|round| round_name(EventFormat::Knockout, round, 4)).collect::<Vec<_>>();
        assert_eq!(
            names,
            [
                "Last 16, round 1 of 4",
                "Quarter-finals, round 2 of 4",
                "Semi-finals, round 3 of 4",
                "Final, round 4 of 4"
            ]
        );
        assert_eq!(round_name(EventFormat::Swiss, 2, 5), "Round 2 of 5");
        assert_eq!([2.0, 2.5, 1.0 / 3.0, -0.0].map(points), ["2", "2.5", "0.33", "0"]);
    }
}
