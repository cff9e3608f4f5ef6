//! One table of keys, from which the keyboard is read and the help is made.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// What a key asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Command {
    Quit,
    Back,
    Help,
    Reconnect,
    Suspend,
    Down,
    Up,
    PageDown,
    PageUp,
    First,
    Last,
    Open,
    Filter,
    Sort,
    Reverse,
    NextGame,
    PreviousGame,
}

/// Where a key means something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Context {
    Everywhere,
    Games,
    Board,
}

impl Context {
    /// In the order of the help.
    pub const ALL: [Self; 3] = [Self::Games, Self::Board, Self::Everywhere];

    pub fn title(self) -> &'static str {
        match self {
            Self::Everywhere => "Everywhere",
            Self::Games => "Live games",
            Self::Board => "Board",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Key {
    pub code: KeyCode,
    pub ctrl: bool,
}

impl Key {
    /// As it stands in the help and the footer.
    pub fn name(self, ascii: bool) -> String {
        let name = match self.code {
            KeyCode::Char(' ') => "Space".to_owned(),
            KeyCode::Char(char) => char.to_string(),
            KeyCode::Up => if ascii { "Up" } else { "↑" }.to_owned(),
            KeyCode::Down => if ascii { "Down" } else { "↓" }.to_owned(),
            KeyCode::PageUp => "PgUp".to_owned(),
            KeyCode::PageDown => "PgDn".to_owned(),
            KeyCode::Esc => "Esc".to_owned(),
            code => format!("{code:?}"),
        };
        if self.ctrl { format!("Ctrl-{name}") } else { name }
    }

    fn matches(self, event: KeyEvent) -> bool {
        let ctrl = event.modifiers.contains(KeyModifiers::CONTROL);
        let alt = event.modifiers.contains(KeyModifiers::ALT);
        self.code == event.code && self.ctrl == ctrl && !alt
    }
}

/// One row of the table.
#[derive(Debug, Clone, Copy)]
pub struct Binding {
    pub context: Context,
    pub keys: &'static [Key],
    pub command: Command,
    /// A sentence's worth, for the help.
    pub does: &'static str,
    /// A word for the footer; empty: not there.
    pub hint: &'static str,
}

const fn char(char: char) -> Key {
    Key { code: KeyCode::Char(char), ctrl: false }
}

const fn ctrl(char: char) -> Key {
    Key { code: KeyCode::Char(char), ctrl: true }
}

const fn key(code: KeyCode) -> Key {
    Key { code, ctrl: false }
}

const fn bind(
    context: Context,
    keys: &'static [Key],
    command: Command,
    does: &'static str,
    hint: &'static str,
) -> Binding {
    Binding { context, keys, command, does, hint }
}

/// The keymap.
pub const KEYMAP: &[Binding] = &[
    bind(Context::Games, &[key(KeyCode::Enter)], Command::Open, "watch the chosen game", "watch"),
    bind(Context::Games, &[char('j'), key(KeyCode::Down)], Command::Down, "next game", ""),
    bind(Context::Games, &[char('k'), key(KeyCode::Up)], Command::Up, "previous game", ""),
    bind(Context::Games, &[key(KeyCode::PageDown), ctrl('d')], Command::PageDown, "ten games down", ""),
    bind(Context::Games, &[key(KeyCode::PageUp), ctrl('u')], Command::PageUp, "ten games up", ""),
    bind(Context::Games, &[char('g'), key(KeyCode::Home)], Command::First, "first game", ""),
    bind(Context::Games, &[char('G'), key(KeyCode::End)], Command::Last, "last game", ""),
    bind(Context::Games, &[char('/')], Command::Filter, "filter by name, id, size or status", "filter"),
    bind(Context::Games, &[char('s')], Command::Sort, "sort by the next column", "sort"),
    bind(Context::Games, &[char('S')], Command::Reverse, "turn the order around", ""),
    bind(Context::Board, &[char('n')], Command::NextGame, "watch the next game of the list", "next"),
    bind(Context::Board, &[char('p')], Command::PreviousGame, "watch the one before", "previous"),
    bind(Context::Everywhere, &[key(KeyCode::Esc)], Command::Back, "back; in the list, drop the filter", "back"),
    bind(Context::Everywhere, &[char('r')], Command::Reconnect, "connect again now", ""),
    bind(Context::Everywhere, &[char('?')], Command::Help, "this help", "help"),
    bind(Context::Everywhere, &[ctrl('z')], Command::Suspend, "to the shell; fg comes back", ""),
    bind(Context::Everywhere, &[char('q'), ctrl('c')], Command::Quit, "quit", "quit"),
];

/// What a key asks for here.
pub fn command(context: Context, event: KeyEvent) -> Option<Command> {
    KEYMAP
        .iter()
        .filter(|binding| binding.context == context || binding.context == Context::Everywhere)
        .find(|binding| binding.keys.iter().any(|key| key.matches(event)))
        .map(|binding| binding.command)
}

/// The rows that hold in one place, without those that hold everywhere.
pub fn bindings(context: Context) -> impl Iterator<Item = &'static Binding> {
    KEYMAP.iter().filter(move |binding| binding.context == context)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn no_key_means_two_things_in_one_place() {
        for context in [Context::Games, Context::Board] {
            let mut seen = HashSet::new();
            for binding in bindings(context).chain(bindings(Context::Everywhere)) {
                for key in binding.keys {
                    assert!(seen.insert(*key), "{} twice in {context:?}", key.name(false));
                }
            }
        }
    }

    #[test]
    fn every_key_of_the_table_does_what_the_table_says() {
        for binding in KEYMAP {
            let places: &[Context] = match &binding.context {
                Context::Everywhere => &[Context::Games, Context::Board],
                place => std::slice::from_ref(place),
            };
            for key in binding.keys {
                let modifiers = if key.ctrl { KeyModifiers::CONTROL } else { KeyModifiers::NONE };
                for place in places {
                    assert_eq!(command(*place, KeyEvent::new(key.code, modifiers)), Some(binding.command));
                }
            }
            assert!(!binding.does.is_empty() && !binding.keys.is_empty());
        }
    }

    #[test]
    fn a_key_of_another_place_means_nothing() {
        assert_eq!(command(Context::Board, KeyEvent::from(KeyCode::Char('/'))), None);
        assert_eq!(command(Context::Games, KeyEvent::new(KeyCode::Char('q'), KeyModifiers::ALT)), None);
        assert_eq!(
            command(Context::Games, KeyEvent::new(KeyCode::Char('S'), KeyModifiers::SHIFT)),
            Some(Command::Reverse)
        );
    }

    #[test]
    fn ascii_names_are_ascii() {
        for key in KEYMAP.iter().flat_map(|binding| binding.keys) {
            assert!(key.name(true).is_ascii());
        }
    }
}
