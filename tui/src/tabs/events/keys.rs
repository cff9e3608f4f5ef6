//! The key tables: of the list, of one event, and of one that is played in stage rounds.

use crossterm::event::KeyCode;

use crate::keymap::{KeyAction, Keys, bind, char, key};

#[rustfmt::skip] // One row a line.
pub const KEYS: Keys = Keys { title: "Events", has_list: true, bindings: &[
    bind(&[key(KeyCode::Enter)], KeyAction::Open, "open the chosen event", "open"),
    bind(&[char('a')], KeyAction::Menu, "publish, start, end, cancel, delete", "act"),
    bind(&[char(' ')], KeyAction::Mark, "mark for acting on many at once", "mark"),
    bind(&[char('*')], KeyAction::MarkAll, "mark all that are shown, or none", ""),
    bind(&[char('f')], KeyAction::State, "show another state", "state"),
    bind(&[char('n')], KeyAction::New, "make a new event", "new"),
    bind(&[char('e')], KeyAction::Edit, "edit the chosen event", ""),
]};

#[rustfmt::skip] // One row a line.
pub const DETAIL_KEYS: Keys = Keys { title: "Event", has_list: true, bindings: &[
    bind(&[key(KeyCode::Enter)], KeyAction::Open, "open the chosen player or game", "open"),
    bind(&[char('a')], KeyAction::Menu, "publish, start, end, cancel, verify", "act"),
    bind(&[char('e')], KeyAction::Edit, "edit the event", "edit"),
    bind(&[key(KeyCode::Right), char('l')], KeyAction::Right, "to the games", "games"),
    bind(&[key(KeyCode::Left), char('h')], KeyAction::Left, "to the participants", ""),
    bind(&[char('x')], KeyAction::Extend, "move the end of the event", ""),
]};

#[rustfmt::skip] // One row a line.
pub const ROUNDS_KEYS: Keys = Keys { title: "Rounds of an event", has_list: true, bindings: &[
    bind(&[key(KeyCode::Enter)], KeyAction::Open, "watch or replay the chosen match", "open"),
    bind(&[char('a')], KeyAction::Menu, "results, games, pause, end, verify", "act"),
    bind(&[char('n')], KeyAction::NextRound, "the next round", "round"),
    bind(&[key(KeyCode::Right), char('l')], KeyAction::Right, "to the standings, then to the games", "standings"),
    bind(&[char('p')], KeyAction::PreviousRound, "the round before", "before"),
    bind(&[char('d')], KeyAction::Decide, "set the result of the chosen match", "decide"),
    bind(&[char(' ')], KeyAction::Pause, "pause the event, or let it go on", "pause"),
    bind(&[char('x')], KeyAction::Extend, "move the end of the event", "extend"),
]};

#[rustfmt::skip] // One row a line.
pub const STANDINGS_KEYS: Keys = Keys { title: "Standings of an event", has_list: true, bindings: &[
    bind(&[key(KeyCode::Enter)], KeyAction::Open, "open the chosen player", "open"),
    bind(&[char('a')], KeyAction::Menu, "withdraw, pause, end, cancel, verify", "act"),
    bind(&[char('w')], KeyAction::Withdraw, "withdraw the chosen player, or reinstate", "withdraw"),
    bind(&[char('t')], KeyAction::Terms, "how the chosen player's tie-breaks add up", "tie-breaks"),
    bind(&[key(KeyCode::Right), char('l')], KeyAction::Right, "to the games", "games"),
    bind(&[key(KeyCode::Left), char('h')], KeyAction::Left, "to the rounds", ""),
    bind(&[char(' ')], KeyAction::Pause, "pause the event, or let it go on", "pause"),
    bind(&[char('x')], KeyAction::Extend, "move the end of the event", "extend"),
]};
