//! Judges a history. Written apart from the protocol and its model: it uses nothing of the crate but the records.

use std::collections::{BTreeMap, BTreeSet};

use super::history::{Outcome, Record, digest};

/// Everything that is wrong with a schedule; nothing if it is as promised.
pub fn violations(outcome: &Outcome) -> Vec<String> {
    let mut checker = Checker::new(outcome);
    outcome.records.iter().for_each(|record| checker.record(record));
    for (node, store) in outcome.stores.iter().enumerate() {
        checker.expect(checker.prefixes.last() == Some(&store.1), || format!("store {node} differs from the stream"));
        checker.expect(store.0 == outcome.log.len(), || format!("store {node} has not as many commands as the stream"));
    }
    if let Some(what) = &outcome.stuck {
        checker.found.push(format!("stuck: {what}"));
    }
    checker.found
}

struct Checker {
    /// The final history of each game: the command of each version.
    games: BTreeMap<usize, Vec<u32>>,
    /// Digests of the first so many commands of the stream.
    prefixes: Vec<u64>,
    invoked: BTreeSet<(usize, usize, u32)>,
    /// The leadership that says it made each version. Others may tell a client that asks again that it is there.
    made: BTreeMap<(usize, usize), u64>,
    /// How many versions of each game somebody knows of.
    known: BTreeMap<usize, usize>,
    /// What had been known when a read was asked.
    asked: BTreeMap<u32, usize>,
    led: BTreeSet<u64>,
    found: Vec<String>,
}

impl Checker {
    fn new(outcome: &Outcome) -> Self {
        let mut checker = Self {
            games: BTreeMap::new(),
            prefixes: vec![0],
            invoked: BTreeSet::new(),
            made: BTreeMap::new(),
            known: BTreeMap::new(),
            asked: BTreeMap::new(),
            led: BTreeSet::new(),
            found: Vec::new(),
        };
        let mut seen = BTreeSet::new();
        for &(game, version, command) in &outcome.log {
            let next = checker.games.entry(game).or_default().len();
            checker.expect(version == next, || format!("version {version} of game {game} stands at place {next}"));
            checker.expect(seen.insert(command), || format!("command {command} is there twice"));
            checker.games.entry(game).or_default().push(command);
            let last = checker.prefixes.last().copied().unwrap_or_default();
            checker.prefixes.push(digest(last, game, version, command));
        }
        checker
    }

    fn expect(&mut self, holds: bool, what: impl FnOnce() -> String) {
        if !holds {
            self.found.push(what());
        }
    }

    fn command_at(&self, game: usize, version: usize) -> Option<u32> {
        self.games.get(&game)?.get(version).copied()
    }

    fn record(&mut self, record: &Record) {
        match *record {
            Record::Invoked { game, version, command } => {
                self.invoked.insert((game, version, command));
            }
            Record::Acknowledged { leadership, game, version, command, again } => {
                self.acknowledgement(leadership, (game, version), command, again);
            }
            Record::Asked { read, game } => {
                self.asked.insert(read, self.known.get(&game).copied().unwrap_or_default());
            }
            Record::Answered { read, game, length, last } => {
                let known = self.asked.get(&read).copied().unwrap_or(usize::MAX);
                self.expect(length >= known, || format!("read {read} of game {game} saw {length} of {known} versions"));
                let expected = length.checked_sub(1).and_then(|version| self.command_at(game, version));
                self.expect(last == expected, || format!("read {read} of game {game} saw {last:?}, not {expected:?}"));
                let known = self.known.entry(game).or_default();
                *known = (*known).max(length);
            }
            Record::Followed { node, commands, digest } => {
                let same = self.prefixes.get(commands) == Some(&digest);
                self.expect(same, || format!("node {node} followed {commands} commands that are no prefix"));
            }
            Record::Led { leadership } => {
                let first = self.led.insert(leadership);
                self.expect(first, || format!("leadership {leadership} began twice"));
            }
            Record::Restored => {}
        }
    }

    fn acknowledgement(&mut self, leadership: u64, place: (usize, usize), command: u32, again: bool) {
        let (game, version) = place;
        let what = format!("command {command}, version {version} of game {game}");
        self.expect(self.invoked.contains(&(game, version, command)), || format!("{what}: acknowledged unasked"));
        let there = self.command_at(game, version);
        self.expect(there == Some(command), || format!("{what}: acknowledged and lost, there is {there:?}"));
        if !again && let Some(first) = self.made.insert(place, leadership) {
            self.found.push(format!("{what}: made by {first} and by {leadership}"));
        }
        let known = self.known.entry(game).or_default();
        *known = (*known).max(version + 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MADE: Record = Record::Invoked { game: 0, version: 0, command: 1 };
    const ACKNOWLEDGED: Record = Record::Acknowledged { leadership: 1, game: 0, version: 0, command: 1, again: false };

    fn outcome(records: &[Record]) -> Outcome {
        let store = (1, digest(0, 0, 0, 1));
        Outcome { records: records.to_vec(), log: vec![(0, 0, 1)], stores: vec![store; 2], stuck: None }
    }

    fn found(outcome: &Outcome, what: &str) {
        let violations = violations(outcome);
        assert!(violations.iter().any(|violation| violation.contains(what)), "{violations:?}");
    }

    #[test]
    fn a_history_as_promised_has_no_violations() {
        let read = Record::Answered { read: 9, game: 0, length: 1, last: Some(1) };
        let followed = Record::Followed { node: 1, commands: 0, digest: 0 };
        let outcome = outcome(&[MADE, followed, ACKNOWLEDGED, Record::Asked { read: 9, game: 0 }, read]);
        assert_eq!(violations(&outcome), Vec::<String>::new());
    }

    #[test]
    fn lost_repeated_and_twice_acknowledged_commands_are_found() {
        found(&Outcome { log: Vec::new(), ..outcome(&[MADE, ACKNOWLEDGED]) }, "acknowledged and lost");
        found(&Outcome { log: vec![(0, 0, 1), (0, 1, 1)], ..outcome(&[MADE]) }, "there twice");
        found(&Outcome { log: vec![(0, 1, 1)], ..outcome(&[MADE]) }, "at place 0");
        found(&outcome(&[ACKNOWLEDGED]), "unasked");
        let elsewhere = Record::Acknowledged { leadership: 2, game: 0, version: 0, command: 1, again: false };
        found(&outcome(&[MADE, ACKNOWLEDGED, elsewhere]), "made by 1 and by 2");
        found(&outcome(&[MADE, Record::Led { leadership: 1 }, Record::Led { leadership: 1 }]), "began twice");
    }

    #[test]
    fn stale_and_wrong_reads_are_found() {
        let asked = Record::Asked { read: 9, game: 0 };
        let nothing = Record::Answered { read: 9, game: 0, length: 0, last: None };
        found(&outcome(&[MADE, ACKNOWLEDGED, asked, nothing]), "saw 0 of 1");
        let other = Record::Answered { read: 9, game: 0, length: 1, last: Some(2) };
        found(&outcome(&[MADE, asked, other]), "not Some(1)");
    }

    #[test]
    fn followers_that_went_another_way_are_found() {
        found(&outcome(&[Record::Followed { node: 1, commands: 1, digest: 7 }]), "no prefix");
        found(&Outcome { stores: vec![(1, 7)], ..outcome(&[MADE]) }, "differs");
        found(&Outcome { stuck: Some("n1".into()), ..outcome(&[MADE]) }, "stuck");
    }
}
