//! The command palette: everything by its name, with completion.

use crossterm::event::{KeyCode, KeyEvent};

use super::text_input::TextInput;

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
    ReportState,
    /// Anything.
    Text,
}

/// A command of the palette.
#[derive(Debug, Clone, Copy)]
pub struct PaletteCommand {
    pub name: &'static str,
    pub argument: Argument,
    pub does: &'static str,
}

pub const fn command(name: &'static str, argument: Argument, does: &'static str) -> PaletteCommand {
    PaletteCommand { name, argument, does }
}

/// A line that what is typed can be completed to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Completion {
    pub line: String,
    /// What the command does; empty for its arguments.
    pub does: &'static str,
    /// It is a command's name that something has to follow.
    pub takes_argument: bool,
}

/// Completions shown at once.
pub const MAX_COMPLETIONS: usize = 8;

#[derive(Debug, Default)]
pub struct Palette {
    pub input: TextInput,
    /// What fits what is typed, each a whole line.
    pub completions: Vec<Completion>,
    pub chosen: Option<usize>,
    pub error: Option<String>,
}

impl Palette {
    /// Handles a key; returns a line that is to be run. `complete` finds what fits a line.
    pub fn key(&mut self, key: KeyEvent, complete: impl Fn(&str) -> Vec<Completion>) -> Option<String> {
        match key.code {
            KeyCode::Enter => return Some(self.line()),
            KeyCode::Down => self.choose(1),
            KeyCode::Up => self.choose(-1),
            KeyCode::Tab => self.complete(&complete),
            _ => {
                if self.input.key(key) {
                    self.changed(complete);
                }
            }
        }
        None
    }

    /// Follows what was typed or pasted.
    pub fn changed(&mut self, complete: impl Fn(&str) -> Vec<Completion>) {
        self.error = None;
        self.chosen = None;
        self.completions = complete(self.input.text());
    }

    fn line(&self) -> String {
        match self.chosen.and_then(|at| self.completions.get(at)) {
            Some(completion) => completion.line.clone(),
            None => self.input.text().trim().to_owned(),
        }
    }

    fn choose(&mut self, by: isize) {
        let count = self.completions.len().min(MAX_COMPLETIONS);
        if count > 0 {
            let next = match self.chosen {
                None if by > 0 => 0,
                None => count - 1,
                Some(at) => at.saturating_add_signed(by).min(count - 1),
            };
            self.chosen = Some(next);
        }
    }

    /// Completes like a shell: to the common prefix, else to the chosen or first completion.
    fn complete(&mut self, complete: &impl Fn(&str) -> Vec<Completion>) {
        let Some(first) = self.completions.first() else { return };
        let typed = self.input.text().len();
        let common =
            self.completions.iter().fold(first.line.as_str(), |common, other| common_start(common, &other.line));
        let text = match self.chosen.and_then(|at| self.completions.get(at)) {
            Some(chosen) => chosen.line.clone(),
            None if common.len() > typed => common.to_owned(),
            None => first.line.clone(),
        };
        // A command that takes something is ready to take it.
        let takes = self.completions.iter().any(|completion| completion.line == text && completion.takes_argument);
        self.input.set(if takes { text + " " } else { text });
        self.chosen = None;
        self.completions = complete(self.input.text());
    }
}

pub fn common_start<'a>(one: &'a str, other: &str) -> &'a str {
    let end = one.char_indices().zip(other.chars()).find(|((_, a), b)| a != b).map(|((at, _), _)| at);
    &one[..end.unwrap_or(one.len().min(other.len()))]
}

/// Lines that begin with what is typed; `values` returns what may follow a command.
pub fn completions(
    commands: impl IntoIterator<Item = PaletteCommand>,
    typed: &str,
    values: impl Fn(Argument) -> Vec<String>,
) -> Vec<Completion> {
    let typed = typed.trim_start();
    let mut commands = commands.into_iter();
    match typed.split_once(' ') {
        None => commands
            .filter(|command| command.name.starts_with(typed))
            .map(|command| Completion {
                line: command.name.to_owned(),
                does: command.does,
                takes_argument: command.argument != Argument::None,
            })
            .collect(),
        Some((name, argument)) => {
            let Some(command) = commands.find(|command| command.name == name) else { return vec![] };
            let wanted = argument.trim_start().to_lowercase();
            values(command.argument)
                .into_iter()
                .filter(|value| value.to_lowercase().starts_with(&wanted))
                .map(|value| Completion { line: format!("{name} {value}"), does: "", takes_argument: false })
                .collect()
        }
    }
}
