//! The command palette: everything by its name, with completion.

use crossterm::event::{KeyCode, KeyEvent};

use super::input::Input;

/// What may follow a command's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Argument {
    None,
    Level,
    Service,
    Theme,
    Switch,
    Server,
    Event,
    User,
    Game,
    State,
    /// Anything.
    Text,
}

pub struct Entry {
    pub name: &'static str,
    pub argument: Argument,
    pub does: &'static str,
}

const fn entry(name: &'static str, argument: Argument, does: &'static str) -> Entry {
    Entry { name, argument, does }
}

/// Every command, in the order they are offered.
#[rustfmt::skip] // One row a line.
pub const COMMANDS: &[Entry] = &[
    entry("overview", Argument::None, "how the server is"),
    entry("events", Argument::State, "events, of one state"),
    entry("event", Argument::Event, "open an event"),
    entry("new", Argument::None, "make a new event"),
    entry("edit", Argument::None, "edit the event"),
    entry("publish", Argument::None, "publish the event, or the marked ones"),
    entry("start", Argument::None, "start the event, or the marked ones"),
    entry("end", Argument::None, "end the event, or the marked ones"),
    entry("cancel", Argument::None, "cancel the event, or the marked ones"),
    entry("delete", Argument::None, "delete the draft, or the marked ones"),
    entry("verify", Argument::None, "compute the standings again from the games"),
    entry("games", Argument::None, "live games"),
    entry("game", Argument::Game, "watch a game"),
    entry("replay", Argument::Text, "replay a finished game, by its id"),
    entry("logs", Argument::None, "the log"),
    entry("level", Argument::Level, "the mildest level shown in the log"),
    entry("service", Argument::Service, "one part of the program only"),
    entry("search", Argument::Text, "search the log: a regular expression, ! for the inverse"),
    entry("since", Argument::Text, "a time window of the log: 15m, or 20:00 21:30"),
    entry("request", Argument::Text, "the log of one request"),
    entry("follow", Argument::None, "follow the log"),
    entry("wrap", Argument::Switch, "wrap long lines of the log"),
    entry("save", Argument::Text, "save the shown records to a file"),
    entry("clear-logs", Argument::None, "clear the server's log"),
    entry("users", Argument::Text, "accounts, searched"),
    entry("user", Argument::User, "open an account"),
    entry("grant", Argument::User, "grant Pro to an account"),
    entry("audit", Argument::None, "what admins did"),
    entry("pro", Argument::None, "subscriptions"),
    entry("server", Argument::Server, "go on with another server"),
    entry("theme", Argument::Theme, "the colours"),
    entry("ascii", Argument::Switch, "ASCII characters only"),
    entry("mouse", Argument::Switch, "the mouse"),
    entry("reconnect", Argument::None, "connect again now"),
    entry("help", Argument::None, "the keys"),
    entry("quit", Argument::None, "quit"),
];

/// Completions shown at once.
pub const MOST_OFFERED: usize = 8;

#[derive(Debug, Default)]
pub struct Palette {
    pub input: Input,
    /// What fits what is typed, each a whole line.
    pub offers: Vec<String>,
    pub chosen: Option<usize>,
    pub error: Option<String>,
}

impl Palette {
    /// Takes in a key; answers a line that is to be run. `offer` finds what fits a line.
    pub fn key(&mut self, key: KeyEvent, offer: impl Fn(&str) -> Vec<String>) -> Option<String> {
        match key.code {
            KeyCode::Enter => return Some(self.line()),
            KeyCode::Down => self.choose(1),
            KeyCode::Up => self.choose(-1),
            KeyCode::Tab => self.complete(&offer),
            _ => {
                if self.input.key(key) {
                    self.error = None;
                    self.chosen = None;
                    self.offers = offer(self.input.text());
                }
            }
        }
        None
    }

    fn line(&self) -> String {
        match self.chosen.and_then(|at| self.offers.get(at)) {
            Some(offer) => offer.clone(),
            None => self.input.text().trim().to_owned(),
        }
    }

    fn choose(&mut self, by: isize) {
        let count = self.offers.len().min(MOST_OFFERED);
        if count > 0 {
            let next = match self.chosen {
                None if by > 0 => 0,
                None => count - 1,
                Some(at) => at.saturating_add_signed(by).min(count - 1),
            };
            self.chosen = Some(next);
        }
    }

    /// As a shell does: as far as all offers agree, else the chosen or first one.
    fn complete(&mut self, offer: &impl Fn(&str) -> Vec<String>) {
        let Some(first) = self.offers.first() else { return };
        let typed = self.input.text().len();
        let common = self.offers.iter().fold(first.as_str(), |common, other| common_start(common, other));
        let text = match self.chosen.and_then(|at| self.offers.get(at)) {
            Some(chosen) => chosen.clone(),
            None if common.len() > typed => common.to_owned(),
            None => first.clone(),
        };
        // A command that takes something is ready to take it.
        let takes = COMMANDS.iter().any(|entry| entry.name == text && entry.argument != Argument::None);
        self.input.set(if takes { text + " " } else { text });
        self.chosen = None;
        self.offers = offer(self.input.text());
    }
}

fn common_start<'a>(one: &'a str, other: &str) -> &'a str {
    let end = one.char_indices().zip(other.chars()).find(|((_, a), b)| a != b).map(|((at, _), _)| at);
    &one[..end.unwrap_or(one.len().min(other.len()))]
}

/// Lines that begin with what is typed; `values` knows what may follow a command.
pub fn offers(typed: &str, values: impl Fn(Argument) -> Vec<String>) -> Vec<String> {
    let typed = typed.trim_start();
    match typed.split_once(' ') {
        None => {
            COMMANDS.iter().filter(|entry| entry.name.starts_with(typed)).map(|entry| entry.name.to_owned()).collect()
        }
        Some((name, argument)) => {
            let Some(entry) = COMMANDS.iter().find(|entry| entry.name == name) else { return vec![] };
            let wanted = argument.trim_start().to_lowercase();
            values(entry.argument)
                .into_iter()
                .filter(|value| value.to_lowercase().starts_with(&wanted))
                .map(|value| format!("{name} {value}"))
                .collect()
        }
    }
}

/// What a command does, by the name at the start of a line.
pub fn does(line: &str) -> &'static str {
    let name = line.split(' ').next().unwrap_or_default();
    let is_whole = !line.contains(' ');
    COMMANDS.iter().find(|entry| entry.name == name && is_whole).map_or("", |entry| entry.does)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(argument: Argument) -> Vec<String> {
        if argument == Argument::Level { vec!["error".to_owned(), "warning".to_owned()] } else { vec![] }
    }

    fn typed(text: &str) -> Palette {
        let mut palette = Palette::default();
        for char in text.chars() {
            palette.key(KeyEvent::from(KeyCode::Char(char)), |line| offers(line, values));
        }
        palette
    }

    #[test]
    fn names_and_arguments_are_completed() {
        let mut palette = typed("lev");
        palette.key(KeyEvent::from(KeyCode::Tab), |line| offers(line, values));
        assert_eq!(palette.input.text(), "level ");
        assert_eq!(palette.offers, ["level error", "level warning"]);
        palette.key(KeyEvent::from(KeyCode::Char('W')), |line| offers(line, values));
        palette.key(KeyEvent::from(KeyCode::Tab), |line| offers(line, values));
        assert_eq!(palette.key(KeyEvent::from(KeyCode::Enter), |_| vec![]), Some("level warning".to_owned()));
    }

    #[test]
    fn as_far_as_all_agree() {
        let mut palette = typed("re");
        assert_eq!(palette.offers, ["replay", "request", "reconnect"]);
        palette.key(KeyEvent::from(KeyCode::Down), |_| vec![]);
        assert_eq!(palette.key(KeyEvent::from(KeyCode::Enter), |_| vec![]), Some("replay".to_owned()));
        let mut palette = typed("ev");
        palette.key(KeyEvent::from(KeyCode::Tab), |line| offers(line, values));
        assert_eq!(palette.input.text(), "event ");
    }

    #[test]
    fn nothing_fits_and_nothing_breaks() {
        let mut palette = typed("zzz");
        for code in [KeyCode::Tab, KeyCode::Up, KeyCode::Down] {
            palette.key(KeyEvent::from(code), |line| offers(line, values));
        }
        assert_eq!((palette.input.text(), palette.chosen), ("zzz", None));
        assert_eq!(common_start("größe", "große"), "gr");
    }

    #[test]
    fn no_name_is_there_twice() {
        let names: std::collections::HashSet<_> = COMMANDS.iter().map(|entry| entry.name).collect();
        assert_eq!(names.len(), COMMANDS.len());
    }
}
