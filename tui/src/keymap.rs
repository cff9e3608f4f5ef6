//! One table of keys, from which the keyboard is read and the help is made.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// What a key asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Command {
    Quit,
    Back,
    Help,
    Palette,
    /// Connects again, or asks again for what is shown.
    Refresh,
    Suspend,
    Mouse,
    /// A tab, counted from 0.
    Tab(usize),
    NextTab,
    PreviousTab,
    /// The menu of what can be done here.
    Act,
    Down,
    Up,
    PageDown,
    PageUp,
    First,
    Last,
    Left,
    Right,
    Open,
    Filter,
    Sort,
    Reverse,
    Mark,
    MarkAll,
    State,
    New,
    Edit,
    NextGame,
    PreviousGame,
    Replay,
    Play,
    /// The menu of levels.
    Levels,
    /// Shows one level more, or one less.
    Milder,
    Stricter,
    Service,
    Invert,
    Window,
    Wrap,
    Follow,
    Copy,
    Save,
}

/// Where a key means something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Context {
    Everywhere,
    /// Numbers, as they stand in the header.
    Tabs,
    Lists,
    Overview,
    Events,
    Event,
    Games,
    Board,
    Replay,
    Logs,
    Record,
    Users,
    User,
    Audit,
    Subscriptions,
}

impl Context {
    /// Those that somebody can be in.
    pub const PLACES: [Self; 12] = [
        Self::Overview,
        Self::Events,
        Self::Event,
        Self::Games,
        Self::Board,
        Self::Replay,
        Self::Logs,
        Self::Record,
        Self::Users,
        Self::User,
        Self::Audit,
        Self::Subscriptions,
    ];

    pub fn title(self) -> &'static str {
        match self {
            Self::Everywhere => "Everywhere",
            Self::Tabs => "Tabs",
            Self::Lists => "Lists",
            Self::Overview => "Overview",
            Self::Events => "Events",
            Self::Event => "Event",
            Self::Games => "Live games",
            Self::Board => "Board",
            Self::Replay => "Replay",
            Self::Logs => "Logs",
            Self::Record => "Log record",
            Self::Users => "Users",
            Self::User => "User",
            Self::Audit => "Audit",
            Self::Subscriptions => "Pro",
        }
    }

    /// What holds here, its own keys first.
    pub fn layers(self) -> &'static [Self] {
        match self {
            Self::Overview => &[Self::Overview, Self::Tabs, Self::Everywhere],
            Self::Events => &[Self::Events, Self::Lists, Self::Tabs, Self::Everywhere],
            Self::Event => &[Self::Event, Self::Lists, Self::Tabs, Self::Everywhere],
            Self::Games => &[Self::Games, Self::Lists, Self::Tabs, Self::Everywhere],
            Self::Board => &[Self::Board, Self::Tabs, Self::Everywhere],
            Self::Replay => &[Self::Replay, Self::Tabs, Self::Everywhere],
            Self::Logs => &[Self::Logs, Self::Lists, Self::Tabs, Self::Everywhere],
            Self::Record => &[Self::Record, Self::Tabs, Self::Everywhere],
            Self::Users => &[Self::Users, Self::Lists, Self::Tabs, Self::Everywhere],
            Self::User => &[Self::User, Self::Lists, Self::Tabs, Self::Everywhere],
            Self::Audit => &[Self::Audit, Self::Lists, Self::Tabs, Self::Everywhere],
            Self::Subscriptions => &[Self::Subscriptions, Self::Lists, Self::Tabs, Self::Everywhere],
            Self::Lists => &[Self::Lists],
            Self::Tabs => &[Self::Tabs],
            Self::Everywhere => &[Self::Everywhere],
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Key {
    pub code: KeyCode,
    pub modifiers: KeyModifiers,
}

impl Key {
    /// As it stands in the help and the footer.
    pub fn name(self, ascii: bool) -> String {
        let arrow = |word: &str, arrow: &str| if ascii { word.to_owned() } else { arrow.to_owned() };
        let name = match self.code {
            KeyCode::Char(' ') => "Space".to_owned(),
            KeyCode::Char(char) => char.to_string(),
            KeyCode::Up => arrow("Up", "↑"),
            KeyCode::Down => arrow("Down", "↓"),
            KeyCode::Left => arrow("Left", "←"),
            KeyCode::Right => arrow("Right", "→"),
            KeyCode::PageUp => "PgUp".to_owned(),
            KeyCode::PageDown => "PgDn".to_owned(),
            KeyCode::Esc => "Esc".to_owned(),
            KeyCode::BackTab => "Shift-Tab".to_owned(),
            code => format!("{code:?}"),
        };
        if self.modifiers.contains(KeyModifiers::CONTROL) {
            format!("Ctrl-{name}")
        } else if self.modifiers.contains(KeyModifiers::ALT) {
            format!("Alt-{name}")
        } else {
            name
        }
    }

    fn matches(self, event: KeyEvent) -> bool {
        // Shift is in the character already.
        let held = event.modifiers & (KeyModifiers::CONTROL | KeyModifiers::ALT);
        self.code == event.code && self.modifiers == held
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
    key(KeyCode::Char(char))
}

const fn ctrl(char: char) -> Key {
    Key { code: KeyCode::Char(char), modifiers: KeyModifiers::CONTROL }
}

const fn key(code: KeyCode) -> Key {
    Key { code, modifiers: KeyModifiers::NONE }
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
#[rustfmt::skip] // One row a line.
pub const KEYMAP: &[Binding] = &[
    bind(Context::Events, &[key(KeyCode::Enter)], Command::Open, "open the chosen event", "open"),
    bind(Context::Events, &[char('a')], Command::Act, "publish, start, end, cancel, delete", "act"),
    bind(Context::Events, &[char(' ')], Command::Mark, "mark for acting on many at once", "mark"),
    bind(Context::Events, &[char('*')], Command::MarkAll, "mark all that are shown, or none", ""),
    bind(Context::Events, &[char('f')], Command::State, "show another state", "state"),
    bind(Context::Events, &[char('n')], Command::New, "make a new event", "new"),
    bind(Context::Events, &[char('e')], Command::Edit, "edit the chosen event", ""),
    bind(Context::Event, &[key(KeyCode::Enter)], Command::Open, "open the chosen player or game", "open"),
    bind(Context::Event, &[char('a')], Command::Act, "publish, start, end, cancel, verify", "act"),
    bind(Context::Event, &[char('e')], Command::Edit, "edit the event", "edit"),
    bind(Context::Event, &[key(KeyCode::Right), char('l')], Command::Right, "to the games", "games"),
    bind(Context::Event, &[key(KeyCode::Left), char('h')], Command::Left, "to the participants", ""),
    bind(Context::Games, &[key(KeyCode::Enter)], Command::Open, "watch the chosen game", "watch"),
    bind(Context::Games, &[char('a')], Command::Act, "decide the chosen game", "act"),
    bind(Context::Board, &[char('n')], Command::NextGame, "watch the next game of the list", "next"),
    bind(Context::Board, &[char('p')], Command::PreviousGame, "watch the one before", "previous"),
    bind(Context::Board, &[char('a')], Command::Act, "decide this game; its log; its players", "act"),
    bind(Context::Board, &[char('R')], Command::Replay, "replay it, once it is over", "replay"),
    bind(Context::Replay, &[char(' ')], Command::Play, "run, or stand still", "run"),
    bind(Context::Replay, &[key(KeyCode::Right), char('l')], Command::Right, "the next move", "next"),
    bind(Context::Replay, &[key(KeyCode::Left), char('h')], Command::Left, "the move before", "before"),
    bind(Context::Replay, &[char('g'), key(KeyCode::Home)], Command::First, "to the beginning", ""),
    bind(Context::Replay, &[char('G'), key(KeyCode::End)], Command::Last, "to the end", ""),
    bind(Context::Logs, &[char('l')], Command::Levels, "which levels are shown", "level"),
    bind(Context::Logs, &[char('+'), char('=')], Command::Milder, "one level more", ""),
    bind(Context::Logs, &[char('-')], Command::Stricter, "one level less", ""),
    bind(Context::Logs, &[char(' ')], Command::Follow, "hold still, or follow again", "hold"),
    bind(Context::Logs, &[char('v')], Command::Service, "one part of the program only", ""),
    bind(Context::Logs, &[char('t')], Command::Window, "a time window", "time"),
    bind(Context::Logs, &[char('!')], Command::Invert, "turn the search around", ""),
    bind(Context::Logs, &[char('w')], Command::Wrap, "wrap long lines, or cut them", "wrap"),
    bind(Context::Logs, &[key(KeyCode::Enter)], Command::Open, "the chosen record in full", ""),
    bind(Context::Logs, &[char('a')], Command::Act, "all of its request, user, session, game", "act"),
    bind(Context::Logs, &[char('c')], Command::Copy, "copy it to the clipboard", ""),
    bind(Context::Logs, &[char('o')], Command::Save, "save what is shown to a file", ""),
    bind(Context::Record, &[char('j'), key(KeyCode::Down)], Command::Down, "scroll down", ""),
    bind(Context::Record, &[char('k'), key(KeyCode::Up)], Command::Up, "scroll up", ""),
    bind(Context::Record, &[char('n'), key(KeyCode::Right)], Command::Right, "the next record", "next"),
    bind(Context::Record, &[char('p'), key(KeyCode::Left)], Command::Left, "the one before", "previous"),
    bind(Context::Record, &[char('a')], Command::Act, "all of its request, user, session, game", "act"),
    bind(Context::Record, &[char('c')], Command::Copy, "copy it to the clipboard", "copy"),
    bind(Context::Users, &[key(KeyCode::Enter)], Command::Open, "open the chosen account", "open"),
    bind(Context::Users, &[char('a')], Command::Act, "grant Pro, promote, look at its log", "act"),
    bind(Context::Users, &[key(KeyCode::Right), char('l')], Command::Right, "next page", "page"),
    bind(Context::Users, &[key(KeyCode::Left), char('h')], Command::Left, "page before", ""),
    bind(Context::User, &[key(KeyCode::Enter)], Command::Open, "watch or replay the chosen game", "open"),
    bind(Context::User, &[char('a')], Command::Act, "revoke the session, grant Pro, promote", "act"),
    bind(Context::User, &[key(KeyCode::Right), char('l')], Command::Right, "to the games", "games"),
    bind(Context::User, &[key(KeyCode::Left), char('h')], Command::Left, "to the sessions", ""),
    bind(Context::Audit, &[key(KeyCode::Right), char('l')], Command::Right, "older entries", "older"),
    bind(Context::Audit, &[key(KeyCode::Left), char('h')], Command::Left, "newer entries", "newer"),
    bind(Context::Subscriptions, &[key(KeyCode::Enter)], Command::Open, "open the account", "open"),
    bind(Context::Subscriptions, &[char('a')], Command::Act, "grant or revoke Pro", "act"),
    bind(Context::Subscriptions, &[char('n')], Command::New, "grant Pro to somebody else", "grant"),
    bind(Context::Subscriptions, &[key(KeyCode::Right), char('l')], Command::Right, "to what happened", "events"),
    bind(Context::Subscriptions, &[key(KeyCode::Left), char('h')], Command::Left, "to the accounts", ""),
    bind(Context::Lists, &[char('/')], Command::Filter, "filter; in the log, search (!: inverse)", "filter"),
    bind(Context::Lists, &[char('j'), key(KeyCode::Down)], Command::Down, "next row", ""),
    bind(Context::Lists, &[char('k'), key(KeyCode::Up)], Command::Up, "previous row", ""),
    bind(Context::Lists, &[key(KeyCode::PageDown), ctrl('d')], Command::PageDown, "a page down", ""),
    bind(Context::Lists, &[key(KeyCode::PageUp), ctrl('u')], Command::PageUp, "a page up", ""),
    bind(Context::Lists, &[char('g'), key(KeyCode::Home)], Command::First, "first row", ""),
    bind(Context::Lists, &[char('G'), key(KeyCode::End)], Command::Last, "last row", ""),
    bind(Context::Lists, &[char('s')], Command::Sort, "sort by the next column", "sort"),
    bind(Context::Lists, &[char('S')], Command::Reverse, "turn the order around", ""),
    bind(Context::Tabs, &[char('1')], Command::Tab(0), "overview", ""),
    bind(Context::Tabs, &[char('2')], Command::Tab(1), "events", ""),
    bind(Context::Tabs, &[char('3')], Command::Tab(2), "live games", ""),
    bind(Context::Tabs, &[char('4')], Command::Tab(3), "logs", ""),
    bind(Context::Tabs, &[char('5')], Command::Tab(4), "users", ""),
    bind(Context::Tabs, &[char('6')], Command::Tab(5), "audit", ""),
    bind(Context::Tabs, &[char('7')], Command::Tab(6), "Pro", ""),
    bind(Context::Everywhere, &[key(KeyCode::Tab)], Command::NextTab, "next tab", ""),
    bind(Context::Everywhere, &[key(KeyCode::BackTab)], Command::PreviousTab, "previous tab", ""),
    bind(Context::Everywhere, &[char(':')], Command::Palette, "any command by its name", "command"),
    bind(Context::Everywhere, &[key(KeyCode::Esc)], Command::Back, "back; in a list, drop the filter", "back"),
    bind(Context::Everywhere, &[char('r')], Command::Refresh, "connect or ask again now", ""),
    bind(Context::Everywhere, &[char('m')], Command::Mouse, "mouse on or off", ""),
    bind(Context::Everywhere, &[char('?')], Command::Help, "this help", "help"),
    bind(Context::Everywhere, &[ctrl('z')], Command::Suspend, "to the shell; fg comes back", ""),
    bind(Context::Everywhere, &[char('q'), ctrl('c')], Command::Quit, "quit", "quit"),
];

/// What a key asks for here.
pub fn command(context: Context, event: KeyEvent) -> Option<Command> {
    context
        .layers()
        .iter()
        .flat_map(|layer| bindings(*layer))
        .find(|binding| binding.keys.iter().any(|key| key.matches(event)))
        .map(|binding| binding.command)
}

/// The rows of one layer.
pub fn bindings(context: Context) -> impl Iterator<Item = &'static Binding> {
    KEYMAP.iter().filter(move |binding| binding.context == context)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn no_key_means_two_things_in_one_place() {
        for context in Context::PLACES {
            let mut seen = HashSet::new();
            for binding in context.layers().iter().flat_map(|layer| bindings(*layer)) {
                for key in binding.keys {
                    assert!(seen.insert(*key), "{} twice in {context:?}", key.name(false));
                }
            }
        }
    }

    #[test]
    fn every_key_of_the_table_does_what_the_table_says() {
        for binding in KEYMAP {
            let places = Context::PLACES.into_iter().filter(|place| place.layers().contains(&binding.context));
            for place in places {
                for key in binding.keys {
                    assert_eq!(command(place, KeyEvent::new(key.code, key.modifiers)), Some(binding.command));
                }
            }
            assert!(!binding.does.is_empty() && !binding.keys.is_empty());
        }
    }

    #[test]
    fn every_tab_has_its_number_everywhere() {
        for (at, _) in crate::app::Tab::ALL.iter().enumerate() {
            let number = KeyCode::Char(char::from_digit(at as u32 + 1, 10).expect("a digit"));
            for place in Context::PLACES {
                assert_eq!(command(place, KeyEvent::from(number)), Some(Command::Tab(at)), "{place:?}");
            }
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
