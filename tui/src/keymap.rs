//! Key bindings: the tables from which the keyboard is read and the footer and the help are made. Each tab and page
//! has its own; here are those of lists and the global ones.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// What a key asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum KeyAction {
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
    Menu,
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
    MoreLevels,
    FewerLevels,
    Service,
    Invert,
    Window,
    Wrap,
    Follow,
    Copy,
    Save,
    /// The last hour, or now.
    Hour,
    /// The backups, or now.
    Backups,
}

/// The keys of one place, with its title in the help.
#[derive(Debug, Clone, Copy)]
pub struct Keys {
    pub title: &'static str,
    /// Whether the keys of lists apply here too.
    pub has_list: bool,
    pub bindings: &'static [Binding],
}

impl Keys {
    /// Every active table: its own, that of lists, the numbers of the tabs, and the global one.
    pub fn layers(&'static self, numbers: &'static Self) -> Vec<&'static Self> {
        let list = self.has_list.then_some(&LISTS);
        std::iter::once(self).chain(list).chain([numbers, &EVERYWHERE]).collect()
    }

    /// The bindings that the footer names.
    pub fn hints(&self) -> impl Iterator<Item = &'static Binding> {
        self.bindings.iter().filter(|binding| !binding.hint.is_empty())
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Key {
    pub code: KeyCode,
    pub modifiers: KeyModifiers,
}

impl Key {
    /// As it is written in the help and the footer.
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

/// One row of a table.
#[derive(Debug, Clone, Copy)]
pub struct Binding {
    pub keys: &'static [Key],
    pub action: KeyAction,
    /// A sentence's worth, for the help.
    pub does: &'static str,
    /// A word for the footer; empty: not there.
    pub hint: &'static str,
}

pub const fn char(char: char) -> Key {
    key(KeyCode::Char(char))
}

pub const fn ctrl(char: char) -> Key {
    Key { code: KeyCode::Char(char), modifiers: KeyModifiers::CONTROL }
}

pub const fn key(code: KeyCode) -> Key {
    Key { code, modifiers: KeyModifiers::NONE }
}

pub const fn bind(keys: &'static [Key], action: KeyAction, does: &'static str, hint: &'static str) -> Binding {
    Binding { keys, action, does, hint }
}

/// Keys of every list.
#[rustfmt::skip] // One row a line.
pub const LISTS: Keys = Keys { title: "Lists", has_list: false, bindings: &[
    bind(&[char('/')], KeyAction::Filter, "filter; in the log, search (!: inverse)", "filter"),
    bind(&[char('j'), key(KeyCode::Down)], KeyAction::Down, "next row", ""),
    bind(&[char('k'), key(KeyCode::Up)], KeyAction::Up, "previous row", ""),
    bind(&[key(KeyCode::PageDown), ctrl('d')], KeyAction::PageDown, "a page down", ""),
    bind(&[key(KeyCode::PageUp), ctrl('u')], KeyAction::PageUp, "a page up", ""),
    bind(&[char('g'), key(KeyCode::Home)], KeyAction::First, "first row", ""),
    bind(&[char('G'), key(KeyCode::End)], KeyAction::Last, "last row", ""),
    bind(&[char('s')], KeyAction::Sort, "sort by the next column", "sort"),
    bind(&[char('S')], KeyAction::Reverse, "turn the order around", ""),
]};

/// Global keys.
#[rustfmt::skip] // One row a line.
pub const EVERYWHERE: Keys = Keys { title: "Everywhere", has_list: false, bindings: &[
    bind(&[key(KeyCode::Tab)], KeyAction::NextTab, "next tab", ""),
    bind(&[key(KeyCode::BackTab)], KeyAction::PreviousTab, "previous tab", ""),
    bind(&[char(':')], KeyAction::Palette, "any command by its name", "command"),
    bind(&[key(KeyCode::Esc)], KeyAction::Back, "back; in a list, drop the filter", "back"),
    bind(&[char('r')], KeyAction::Refresh, "connect or ask again now", ""),
    bind(&[char('m')], KeyAction::Mouse, "mouse on or off", ""),
    bind(&[char('?')], KeyAction::Help, "this help", "help"),
    bind(&[ctrl('z')], KeyAction::Suspend, "to the shell; fg comes back", ""),
    bind(&[char('q'), ctrl('c')], KeyAction::Quit, "quit", "quit"),
]};

/// The action of a key where these tables apply.
pub fn find(layers: &[&Keys], event: KeyEvent) -> Option<KeyAction> {
    let mut bindings = layers.iter().flat_map(|keys| keys.bindings);
    bindings.find(|binding| binding.keys.iter().any(|key| key.matches(event))).map(|binding| binding.action)
}
