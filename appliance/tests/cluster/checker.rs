//! Whether a cluster kept its promises: judges the history of all clients against what is there in the end. It knows nothing
//! of the program but what `openapi/realtime.md` says.

use std::collections::BTreeMap;

use crate::history::{End, Entry, GameAtEnd, Move, Outcome, Tick, What};

/// What is wrong; empty if nothing is.
pub fn check(history: &[Entry], end: &End) -> Vec<String> {
    let mut wrong = vec![];
    let mut games: BTreeMap<&str, Vec<&Entry>> = BTreeMap::new();
    for entry in history {
        match &entry.what {
            What::Registered { name, outcome: Outcome::Acknowledged } if !end.accounts.contains(name) => {
                wrong.push(format!("the account {name} is lost: {entry:?}"));
            }
            What::SignedUp { name, outcome: Outcome::Acknowledged } if !end.sign_ups.contains(name) => {
                wrong.push(format!("the sign-up of {name} is lost: {entry:?}"));
            }
            What::Bought { name, outcome: Outcome::Acknowledged } if !end.subscribers.contains(name) => {
                wrong.push(format!("what {name} bought is lost: {entry:?}"));
            }
            What::Registered { .. } | What::SignedUp { .. } | What::Bought { .. } => {}
            What::MadeGame { game, .. }
            | What::Moved { game, .. }
            | What::Told { game, .. }
            | What::Read { game, .. } => games.entry(game).or_default().push(entry),
        }
    }
    for (name, charges) in &end.charges {
        if *charges > 1 {
            wrong.push(format!("{name} was charged {charges} times"));
        }
        if !end.subscribers.contains(name) {
            wrong.push(format!("{name} was charged and has no plan"));
        }
    }
    for (id, entries) in games {
        let is_known = entries.iter().any(|entry| shows_game(&entry.what));
        match end.games.get(id) {
            Some(game) => {
                let one = OneGame { entries: &entries, end: game };
                let found = [one.moves_kept(), one.reads_kept(), one.moves_asked_for(), one.versions_grow()];
                wrong.extend(found.concat().into_iter().map(|text| format!("game {id}: {text}")));
            }
            None if is_known => wrong.push(format!("the game {id} is lost")),
            None => {}
        }
    }
    wrong
}

/// Whether a client knows for sure that the game is there.
fn shows_game(what: &What) -> bool {
    match what {
        What::MadeGame { outcome, .. } | What::Moved { outcome, .. } => *outcome == Outcome::Acknowledged,
        _ => true,
    }
}

/// All that clients know of one game.
struct OneGame<'a> {
    entries: &'a [&'a Entry],
    end: &'a GameAtEnd,
}

impl OneGame<'_> {
    /// Whatever was acknowledged or told is there once and in its order; one version has one move.
    fn moves_kept(&self) -> Vec<String> {
        let mut wrong = vec![];
        // By the version that it was chosen on, and by the one that it led to.
        let (mut acknowledged, mut told) = (BTreeMap::new(), BTreeMap::new());
        for entry in self.entries {
            let (place, version, made) = match &entry.what {
                What::Moved { version, chosen, outcome: Outcome::Acknowledged, .. } => {
                    (&mut acknowledged, *version, chosen)
                }
                What::Told { version, made, .. } => (&mut told, *version, made),
                _ => continue,
            };
            let first = place.entry(version).or_insert(made);
            if *first != made {
                wrong.push(format!("version {version} has two moves, {first:?} and {made:?}"));
            }
        }
        for moves in [acknowledged, told] {
            let mut before = None;
            for (version, made) in moves {
                let places: Vec<usize> = (0..self.end.moves.len()).filter(|at| self.end.moves[*at] == *made).collect();
                let [place] = places[..] else {
                    wrong.push(format!("{made:?} of version {version} is there {} times", places.len()));
                    continue;
                };
                if before.is_some_and(|before| before >= place) {
                    wrong.push(format!("{made:?} of version {version} is not in its order"));
                }
                before = Some(place);
            }
        }
        wrong
    }

    /// What a client saw only grew.
    fn reads_kept(&self) -> Vec<String> {
        let lost = |entry: &&Entry| match &entry.what {
            What::Read { moves, version, .. } if !self.end.moves.starts_with(moves) => {
                Some(format!("version {version} was seen with other moves: {entry:?}, in the end {:?}", self.end))
            }
            _ => None,
        };
        self.entries.iter().filter_map(lost).collect()
    }

    /// Moves are in turn and each cell has one, and somebody asked for each and was not refused.
    fn moves_asked_for(&self) -> Vec<String> {
        let mut wrong = vec![];
        for (number, made) in self.end.moves.iter().enumerate() {
            let mark = ["X", "O"][number % 2];
            let earlier = &self.end.moves[..number];
            if made.mark != mark || earlier.iter().any(|one| (one.row, one.col) == (made.row, made.col)) {
                wrong.push(format!("move {number} is against the rules: {:?}", self.end.moves));
            }
            let asks = |what: &What| match what {
                What::Moved { chosen, outcome, .. } => chosen == made && *outcome != Outcome::Refused,
                _ => false,
            };
            if !self.entries.iter().any(|entry| asks(&entry.what)) {
                wrong.push(format!("nobody asked for {made:?}, or who did was refused"));
            }
        }
        wrong
    }

    /// A question is answered with all that was acknowledged or seen by anybody before it was asked; what a client sees never
    /// goes back; and neither does the end.
    fn versions_grow(&self) -> Vec<String> {
        let mut wrong = vec![];
        let seen: Vec<Seen<'_>> = self.entries.iter().filter_map(|entry| Seen::of(entry)).collect();
        for later in &seen {
            if later.version > self.end.version {
                wrong.push(format!("the end is version {}, but {:?}", self.end.version, later.entry));
            }
            let is_answer = matches!(later.entry.what, What::Read { is_answer: true, .. });
            let is_told = matches!(later.entry.what, What::Told { .. });
            for earlier in &seen {
                let is_same_client = earlier.entry.client == later.entry.client;
                let is_before = earlier.at < later.entry.asked && (is_answer || is_same_client);
                if is_before && later.is_shown() && earlier.version > later.version {
                    let node = later.entry.node;
                    wrong.push(format!("{:?} was seen, then at node {node} {:?}", earlier.entry, later.entry));
                }
                // On one connection.
                let is_told_before = matches!(earlier.entry.what, What::Told { .. })
                    && is_same_client
                    && earlier.entry.asked == later.entry.asked
                    && earlier.at < later.at;
                if is_told && is_told_before && earlier.version >= later.version {
                    wrong.push(format!("{:?} was told, then {:?}", earlier.entry, later.entry));
                }
            }
        }
        wrong
    }
}

/// The least version that the game has had at a moment.
struct Seen<'a> {
    entry: &'a Entry,
    at: Tick,
    version: u64,
}

impl<'a> Seen<'a> {
    fn of(entry: &'a Entry) -> Option<Self> {
        let version = match &entry.what {
            What::Moved { version, outcome: Outcome::Acknowledged, .. } => version + 1,
            What::Told { version, .. } | What::Read { version, .. } => *version,
            _ => return None,
        };
        Some(Self { entry, at: entry.answered, version })
    }

    /// Whether the client was shown this very version.
    fn is_shown(&self) -> bool {
        !matches!(self.entry.what, What::Moved { .. })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(mark: &str, row: u8, col: u8) -> Move {
        Move { mark: mark.to_owned(), row, col }
    }

    /// What two clients did, one after the other: client, node, what.
    fn history(steps: Vec<(usize, What)>) -> Vec<Entry> {
        let entry = |(number, (client, what)): (usize, (usize, What))| {
            let asked = 2 * number as u64;
            Entry { client, node: client, asked, answered: asked + 1, what }
        };
        steps.into_iter().enumerate().map(entry).collect()
    }

    fn moved(version: u64, chosen: Move, outcome: Outcome) -> What {
        What::Moved { game: "g".to_owned(), version, chosen, outcome }
    }

    fn told(version: u64, made: Move) -> What {
        What::Told { game: "g".to_owned(), version, made }
    }

    fn read(version: u64, moves: &[Move]) -> What {
        What::Read { game: "g".to_owned(), version, moves: moves.to_vec(), is_answer: true }
    }

    /// Three moves, of which one got no answer, an account, a sign-up and a plan.
    fn good() -> (Vec<(usize, What)>, End) {
        let [first, second, third] = [at("X", 0, 0), at("O", 1, 1), at("X", 2, 2)];
        let name = "ada".to_owned();
        let steps = vec![
            (0, What::MadeGame { game: "g".to_owned(), outcome: Outcome::Acknowledged }),
            (0, moved(3, first.clone(), Outcome::Acknowledged)),
            (1, told(4, first.clone())),
            (1, moved(4, second.clone(), Outcome::Unknown)),
            (1, read(5, &[first.clone(), second.clone()])),
            (0, moved(5, third.clone(), Outcome::Acknowledged)),
            (1, moved(4, at("O", 3, 3), Outcome::Refused)),
            (1, read(6, &[first.clone(), second.clone(), third.clone()])),
            (9, What::Registered { name: name.clone(), outcome: Outcome::Acknowledged }),
            (9, What::SignedUp { name: name.clone(), outcome: Outcome::Acknowledged }),
            (9, What::Bought { name: name.clone(), outcome: Outcome::Acknowledged }),
            (9, What::Registered { name: "bob".to_owned(), outcome: Outcome::Unknown }),
        ];
        let game = GameAtEnd { version: 6, moves: vec![first, second, third] };
        let end = End {
            games: [("g".to_owned(), game)].into(),
            accounts: [name.clone()].into(),
            sign_ups: [name.clone()].into(),
            subscribers: [name.clone()].into(),
            charges: [(name, 1)].into(),
        };
        (steps, end)
    }

    /// What the checker says of a good history that was changed.
    fn found(change: impl FnOnce(&mut Vec<(usize, What)>, &mut End)) -> String {
        let (mut steps, mut end) = good();
        change(&mut steps, &mut end);
        check(&history(steps), &end).join("\n")
    }

    fn game(end: &mut End) -> &mut GameAtEnd {
        end.games.get_mut("g").unwrap()
    }

    #[test]
    fn a_good_history_is_accepted() {
        assert_eq!(found(|_, _| {}), "");
        // What was never acknowledged may be missing.
        assert_eq!(found(|steps, _| steps.push((2, moved(6, at("O", 5, 5), Outcome::Unknown)))), "");
        let other = |outcome| What::MadeGame { game: "other".to_owned(), outcome };
        assert_eq!(found(|steps, _| steps.push((0, other(Outcome::Unknown)))), "");
    }

    #[test]
    fn what_is_lost_is_found() {
        assert!(found(|_, end| end.accounts.clear()).contains("the account ada is lost"));
        assert!(found(|_, end| end.sign_ups.clear()).contains("the sign-up of ada is lost"));
        assert!(found(|_, end| end.subscribers.clear()).contains("what ada bought is lost"));
        assert!(found(|_, end| end.games.clear()).contains("the game g is lost"));
        let without_last = found(|_, end| drop(game(end).moves.pop()));
        assert!(without_last.contains("is there 0 times") && without_last.contains("was seen with other moves"));
    }

    #[test]
    fn a_charge_too_many_and_one_for_nothing_are_found() {
        assert!(found(|_, end| _ = end.charges.insert("ada".to_owned(), 2)).contains("ada was charged 2 times"));
        let for_nothing = found(|_, end| _ = end.charges.insert("bob".to_owned(), 1));
        assert!(for_nothing.contains("bob was charged and has no plan"), "{for_nothing}");
    }

    #[test]
    fn a_move_that_is_there_twice_or_in_another_order_is_found() {
        let twice = found(|_, end| {
            let again = game(end).moves[0].clone();
            game(end).moves.push(again);
        });
        assert!(twice.contains("is there 2 times") && twice.contains("against the rules"), "{twice}");
        let swapped = found(|_, end| game(end).moves.swap(0, 2));
        assert!(swapped.contains("is not in its order"), "{swapped}");
    }

    #[test]
    fn two_moves_of_one_version_are_found() {
        let acknowledged = found(|steps, _| steps.push((0, moved(5, at("X", 4, 4), Outcome::Acknowledged))));
        assert!(acknowledged.contains("version 5 has two moves"), "{acknowledged}");
        let told = found(|steps, _| steps.push((0, told(4, at("X", 4, 4)))));
        assert!(told.contains("version 4 has two moves"), "{told}");
    }

    #[test]
    fn a_move_that_nobody_asked_for_or_that_was_refused_is_found() {
        let refused = found(|_, end| game(end).moves.push(at("O", 3, 3)));
        assert!(refused.contains("nobody asked for"), "{refused}");
        let unasked = found(|_, end| game(end).moves.push(at("O", 4, 0)));
        assert!(unasked.contains("nobody asked for"), "{unasked}");
    }

    #[test]
    fn what_goes_back_is_found() {
        let first = [at("X", 0, 0)];
        let stale = found(|steps, _| steps.push((5, read(4, &first))));
        assert!(stale.contains("was seen, then at node"), "{stale}");
        let unseen_acknowledgement = found(|steps, _| {
            steps.truncate(6);
            steps.push((7, read(5, &[at("X", 0, 0), at("O", 1, 1)])));
        });
        assert!(unseen_acknowledgement.contains("was seen, then at node"), "{unseen_acknowledgement}");
        let end = found(|_, end| game(end).version = 5);
        assert!(end.contains("the end is version 5"), "{end}");
        let pushed = What::Read { game: "g".to_owned(), version: 5, moves: first.to_vec(), is_answer: false };
        let own = found(|steps, _| steps.push((1, pushed)));
        assert!(own.contains("was seen, then at node"), "{own}");
    }

    #[test]
    fn a_connection_that_tells_of_older_moves_is_found() {
        let (steps, end) = good();
        let mut entries = history(steps);
        for version in [6, 5] {
            let made = end.games["g"].moves[version as usize - 4].clone();
            entries.push(Entry { client: 8, node: 0, asked: 40, answered: 40 + version, what: told(version, made) });
        }
        assert!(!check(&entries, &end).join("\n").contains("was told, then"));
        for entry in entries.iter_mut().filter(|entry| entry.client == 8) {
            entry.answered = 100 - entry.answered;
        }
        assert!(check(&entries, &end).join("\n").contains("was told, then"));
    }
}
