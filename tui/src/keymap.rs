//! Key bindings: the tables from which the keyboard is read and the footer and the help are made. Each tab and page
//! has its own; here are those of lists and the global ones.

use std::{collections::HashMap, str::FromStr};

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use morpion_shell::escape;
use serde::{
    Deserialize,
    de::{
        IntoDeserializer,
        value::{Error as ValueError, StrDeserializer},
    },
};

/// What a key asks for. The configuration names them so, in kebab case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum KeyAction {
    Quit,
    /// Always Esc, as in dialogs.
    #[serde(skip)]
    Back,
    Help,
    Palette,
    /// Connects again, or asks again for what is shown.
    Refresh,
    Suspend,
    Mouse,
    /// A tab, counted from 0. Always its number.
    #[serde(skip)]
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
    /// Which columns are shown.
    Columns,
    Mark,
    MarkAll,
    State,
    New,
    Edit,
    NextGame,
    PreviousGame,
    NextRound,
    PreviousRound,
    /// Sets the result of a match.
    Decide,
    /// Withdraws a player, or lets them play again.
    Withdraw,
    /// How the tie-breaks of a player came.
    Terms,
    /// Pauses an event, or lets it go on.
    Pause,
    /// Moves the end of an event.
    Extend,
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
    /// Sends a delivery again.
    Resend,
    /// Sends a test to a webhook.
    Test,
}

impl KeyAction {
    /// Whether it changes something on the server.
    pub fn is_write(self) -> bool {
        matches!(
            self,
            Self::New
                | Self::Edit
                | Self::Decide
                | Self::Withdraw
                | Self::Pause
                | Self::Extend
                | Self::Resend
                | Self::Test
        )
    }
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
            KeyCode::F(number) => format!("F{number}"),
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

    pub fn matches(self, event: KeyEvent) -> bool {
        // Shift is in the character already.
        let held = event.modifiers & (KeyModifiers::CONTROL | KeyModifiers::ALT);
        self.code == event.code && self.modifiers == held
    }
}

impl KeyAction {
    /// By its name in the configuration.
    pub fn named(name: &str) -> Option<Self> {
        let name: StrDeserializer<'_, ValueError> = name.into_deserializer();
        Self::deserialize(name).ok()
    }
}

/// Keys as the configuration has them: `Ctrl-p F5`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyList(Vec<Key>);

impl FromStr for KeyList {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let keys = text.split_whitespace().map(parse).collect::<Result<Vec<_>, _>>()?;
        if keys.is_empty() { Err("an action needs a key".to_owned()) } else { Ok(Self(keys)) }
    }
}

impl FromStr for Key {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        parse(name)
    }
}

/// A key by its name in the help.
fn parse(name: &str) -> Result<Key, String> {
    let modified = |prefix| name.strip_prefix(prefix).filter(|rest| !rest.is_empty());
    if let Some(rest) = modified("Ctrl-") {
        let letter = single(rest).filter(char::is_ascii_alphabetic).map(|letter| letter.to_ascii_lowercase());
        return match letter {
            None => Err(format!("'{name}' is no key: Ctrl goes with a letter")),
            Some('c') => Err("Ctrl-c always quits and has no other use".to_owned()),
            Some('h' | 'i' | 'j' | 'm') => {
                Err(format!("a terminal cannot tell {name} from Backspace, Tab or Enter; choose another key"))
            }
            Some(letter) => Ok(ctrl(letter)),
        };
    }
    if let Some(rest) = modified("Alt-") {
        return Ok(Key { modifiers: KeyModifiers::ALT, ..unmodified(rest)? });
    }
    unmodified(name)
}

fn unmodified(name: &str) -> Result<Key, String> {
    let function = || name.strip_prefix('F')?.parse().ok().filter(|number| (1..=12).contains(number));
    let code = match name {
        "Space" => KeyCode::Char(' '),
        "Up" => KeyCode::Up,
        "Down" => KeyCode::Down,
        "Left" => KeyCode::Left,
        "Right" => KeyCode::Right,
        "PgUp" => KeyCode::PageUp,
        "PgDn" => KeyCode::PageDown,
        "Home" => KeyCode::Home,
        "End" => KeyCode::End,
        "Enter" => KeyCode::Enter,
        "Tab" => KeyCode::Tab,
        "Shift-Tab" => KeyCode::BackTab,
        "Backspace" => KeyCode::Backspace,
        "Delete" => KeyCode::Delete,
        "Insert" => KeyCode::Insert,
        _ => match (single(name), function()) {
            (Some(char), _) if !escape::is_unsafe(char) => KeyCode::Char(char),
            (_, Some(number)) => KeyCode::F(number),
            _ => return Err(format!("'{name}' is no key such as x, Ctrl-x, Alt-x, F5, Space, Enter, Up or PgDn")),
        },
    };
    Ok(key(code))
}

fn single(text: &str) -> Option<char> {
    let mut chars = text.chars();
    chars.next().filter(|_| chars.next().is_none())
}

/// The keys that the configuration gives to actions, in place of those of the tables.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ChosenKeys(HashMap<KeyAction, (KeyList, usize)>);

impl ChosenKeys {
    /// Each with its line in the configuration, counted from 1.
    pub fn new(chosen: impl IntoIterator<Item = (KeyAction, KeyList, usize)>) -> Self {
        Self(chosen.into_iter().map(|(action, keys, line)| (action, (keys, line))).collect())
    }

    pub fn of(&self, binding: &Binding) -> &[Key] {
        self.0.get(&binding.action).map_or(binding.keys, |(keys, _)| &keys.0)
    }

    /// The first key of a global action, as it is written in a sentence.
    pub fn name(&self, action: KeyAction, ascii: bool) -> String {
        let binding = EVERYWHERE.bindings.iter().find(|binding| binding.action == action);
        binding.and_then(|binding| self.of(binding).first()).map(|key| key.name(ascii)).unwrap_or_default()
    }

    /// Takes back what was chosen where a key would mean two things in one place, so that the usual keys hold there. The
    /// active tables of a place are what [`Keys::layers`] returns. Returns what was taken back and why, with the line of
    /// the configuration.
    pub fn settle(&mut self, places: &[Vec<&'static Keys>]) -> Vec<(usize, String)> {
        let mut refused = vec![];
        while let Some((action, text)) = self.conflict(places) {
            let Some((_, line)) = self.0.remove(&action) else { break };
            refused.push((line, text));
        }
        refused
    }

    /// The first key with two meanings, and which of the two was chosen, by the later line.
    fn conflict(&self, places: &[Vec<&'static Keys>]) -> Option<(KeyAction, String)> {
        for layers in places {
            let mut seen: HashMap<Key, &Binding> = HashMap::new();
            for binding in layers.iter().flat_map(|keys| keys.bindings) {
                for key in self.of(binding) {
                    let Some(other) = seen.insert(*key, binding) else { continue };
                    let chosen = [binding, other].into_iter().filter_map(|one| Some((self.0.get(&one.action)?.1, one)));
                    let Some((_, chosen)) = chosen.max_by_key(|(line, _)| *line) else { continue };
                    let text = format!(
                        "{} has two meanings in '{}': '{}' and '{}'",
                        key.name(false),
                        layers[0].title,
                        other.does,
                        binding.does
                    );
                    return Some((chosen.action, text));
                }
            }
        }
        None
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
    bind(&[char('C')], KeyAction::Columns, "choose the columns", ""),
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
pub fn find(layers: &[&Keys], chosen: &ChosenKeys, event: KeyEvent) -> Option<KeyAction> {
    let mut bindings = layers.iter().flat_map(|keys| keys.bindings);
    bindings.find(|binding| chosen.of(binding).iter().any(|key| key.matches(event))).map(|binding| binding.action)
}
