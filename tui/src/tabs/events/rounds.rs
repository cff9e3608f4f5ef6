//! The stage rounds of the shown event, one of which is looked at, and its standings as rows of a table.

use std::cmp::Ordering;

use morpion_openapi::event::{EventFormat, RoundsAnswer, StagePairing, StageRound, StageStanding};
use uuid::Uuid;

use crate::{
    fetch::Fetch,
    list::{DataTable, Row},
    widgets::{
        name::{Name, Named},
        stage::{MatchState, Seat, match_words, seats},
    },
};

/// A match of a round.
#[derive(Debug, Clone, PartialEq)]
pub struct MatchRow {
    /// From 1.
    pub round: u32,
    pub pairing: StagePairing,
    /// One in a bye.
    pub seats: Vec<Seat>,
    pub state: MatchState,
    /// How it stands.
    pub words: String,
}

impl MatchRow {
    /// Who sits there, or comes there.
    pub fn names(&self) -> Vec<Name<'_>> {
        let names = self.seats.iter().map(|seat| match seat {
            Seat::Player(player) => player.name(),
            Seat::Awaited(who) => Name::new(who, ""),
        });
        names.collect()
    }
}

/// A match of an event, by its round and its board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct MatchKey(u32, u32);

impl std::fmt::Display for MatchKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}", self.0, self.1)
    }
}

impl Row for MatchRow {
    type Key = MatchKey;
    const SORTS: &'static [&'static str] = &["#", "Players", "State"];

    fn key(&self) -> MatchKey {
        MatchKey(self.round, self.pairing.board)
    }

    fn words(&self) -> String {
        let names: Vec<_> = self.names().into_iter().map(Name::whole).collect();
        format!("{} {} {}", self.pairing.board, names.join(" "), self.words).to_lowercase()
    }

    fn compare(&self, other: &Self, sort: usize) -> Ordering {
        let first = |row: &Self| row.names().first().map(|name| name.order());
        match sort {
            0 => Ordering::Equal,
            1 => first(self).cmp(&first(other)),
            // What holds the round up comes first.
            _ => self.state.cmp(&other.state),
        }
        .then_with(|| self.pairing.board.cmp(&other.pairing.board))
    }
}

/// How a player is out; empty for one who is in.
pub fn out_text(player: &StageStanding) -> &'static str {
    match (player.disqualified, player.withdrawn) {
        (true, _) => "disqualified",
        (false, true) => "withdrawn",
        (false, false) => "",
    }
}

impl Row for StageStanding {
    type Key = Uuid;
    const SORTS: &'static [&'static str] = &["#", "Player", "Seed"];

    fn key(&self) -> Uuid {
        self.user_id
    }

    fn words(&self) -> String {
        let out = out_text(self);
        format!("{} {} {out}", self.user_id, self.name().whole()).to_lowercase()
    }

    fn compare(&self, other: &Self, sort: usize) -> Ordering {
        match sort {
            0 => self.rank.cmp(&other.rank),
            1 => self.name().order().cmp(&other.name().order()),
            _ => Ordering::Equal,
        }
        .then_with(|| self.seed.cmp(&other.seed))
    }
}

#[derive(Debug)]
pub struct Rounds {
    format: EventFormat,
    rounds: Vec<StageRound>,
    /// How many there will be, as far as it is known.
    expected: u32,
    /// The number of the one that is looked at; `None` follows the current one.
    chosen: Option<u32>,
    /// Of the round that is looked at.
    pub matches: DataTable<MatchRow>,
    pub fetch: Fetch,
}

impl Rounds {
    pub fn new(format: EventFormat) -> Self {
        Self {
            format,
            rounds: vec![],
            expected: 0,
            chosen: None,
            matches: DataTable::default(),
            fetch: Fetch::default(),
        }
    }

    pub fn take(&mut self, format: EventFormat, answer: &RoundsAnswer, now: i64) {
        self.format = format;
        self.rounds.clone_from(&answer.rounds);
        self.expected = answer.expected_rounds.max(answer.rounds.len() as u32);
        self.fetch.succeeded(now);
        self.arrange();
    }

    pub fn format(&self) -> EventFormat {
        self.format
    }

    pub fn all(&self) -> &[StageRound] {
        &self.rounds
    }

    pub fn expected(&self) -> u32 {
        self.expected
    }

    /// The one that is played, or was played last: later ones are not paired yet.
    pub fn current(&self) -> Option<&StageRound> {
        self.rounds.iter().rfind(|round| round.starts_at.is_some()).or(self.rounds.first())
    }

    /// The one that is looked at.
    pub fn shown(&self) -> Option<&StageRound> {
        let chosen = self.chosen.and_then(|number| self.rounds.iter().find(|round| round.round == number));
        chosen.or_else(|| self.current())
    }

    /// Looks at the next round, or the one before.
    pub fn turn(&mut self, forward: bool) {
        let Some(shown) = self.shown().map(|round| round.round) else { return };
        let number = if forward { shown + 1 } else { shown.saturating_sub(1) };
        // There may be no such round: then it stays.
        let _ = self.show(number);
    }

    /// Looks at a round by its number. When it is the current one, the current one is followed from then on.
    ///
    /// # Errors
    /// There is no such round yet.
    pub fn show(&mut self, number: u32) -> Result<(), String> {
        if !self.rounds.iter().any(|round| round.round == number) {
            return Err(match self.rounds.len() {
                0 => "There are no rounds yet.".to_owned(),
                count => format!("Choose a round from 1 to {count}."),
            });
        }
        let is_current = self.current().is_some_and(|round| round.round == number);
        self.chosen = (!is_current).then_some(number);
        self.arrange();
        Ok(())
    }

    /// A match by the number of its round and its board.
    pub fn pairing(&self, round: u32, board: u32) -> Option<&StagePairing> {
        let round = self.rounds.iter().find(|one| one.round == round)?;
        round.pairings.iter().find(|pairing| pairing.board == board)
    }

    /// Whether a later round is paired.
    pub fn is_past(&self, number: u32) -> bool {
        self.rounds.iter().any(|round| round.round > number && round.starts_at.is_some())
    }

    /// Makes the rows of the round that is looked at.
    fn arrange(&mut self) {
        let rows = self.shown().map_or(vec![], |round| {
            let before = self.rounds.iter().find(|other| other.round + 1 == round.round);
            let is_last = round.round == self.expected;
            let row = |pairing: &StagePairing| MatchRow {
                round: round.round,
                pairing: pairing.clone(),
                seats: seats(self.format, pairing, before, is_last),
                state: MatchState::of(self.format, pairing),
                words: match_words(self.format, pairing),
            };
            round.pairings.iter().map(row).collect()
        });
        self.matches.set(rows);
    }
}
