//! The command palette: everything by its name, with completion and fuzzy search.

use std::cmp::Reverse;

use crossterm::event::{KeyCode, KeyEvent};
use nucleo_matcher::{
    Config, Matcher, Utf32Str,
    pattern::{AtomKind, CaseMatching, Normalization, Pattern},
};

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
    /// Of the event that is looked at.
    Player,
    Game,
    State,
    ReportState,
    Webhook,
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
    pub fit: Fit,
    /// The characters of `line` that were typed, by their index, in order.
    pub matched: Vec<usize>,
}

/// How a completion fits what is typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fit {
    /// It begins with it.
    Start,
    /// It contains its letters in order. What is typed may be meant as it is: the name of an account that is not listed.
    Fuzzy,
    /// The same, and no command begins with what is typed, so that the best of these is what is meant.
    Instead,
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
        self.find(complete);
    }

    fn find(&mut self, complete: impl Fn(&str) -> Vec<Completion>) {
        self.completions = complete(self.input.text());
        let is_meant = self.completions.first().is_some_and(|best| best.fit == Fit::Instead);
        self.chosen = is_meant.then_some(0);
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
        let begun = self.completions.iter().filter(|completion| completion.fit == Fit::Start);
        let common = begun.fold(first.line.as_str(), |common, other| common_start(common, &other.line));
        let text = match self.chosen.and_then(|at| self.completions.get(at)) {
            Some(chosen) => chosen.line.clone(),
            None if common.len() > typed => common.to_owned(),
            None => first.line.clone(),
        };
        // A command that takes something is ready to take it.
        let takes = self.completions.iter().any(|completion| completion.line == text && completion.takes_argument);
        self.input.set(if takes { text + " " } else { text });
        self.find(complete);
    }
}

pub fn common_start<'a>(one: &'a str, other: &str) -> &'a str {
    let end = one.char_indices().zip(other.chars()).find(|((_, a), b)| a != b).map(|((at, _), _)| at);
    &one[..end.unwrap_or(one.len().min(other.len()))]
}

/// Commands that open what is listed: what they take is found by its name alone.
const OPENING: [(&str, Argument); 2] = [("event", Argument::Event), ("user", Argument::User)];

/// Lines that fit what is typed, the best first: those that begin with it, then those that contain its letters in order.
/// `values` returns what may follow a command.
pub fn completions(
    commands: impl IntoIterator<Item = PaletteCommand>,
    typed: &str,
    values: impl Fn(Argument) -> Vec<String>,
) -> Vec<Completion> {
    let typed = typed.trim_start();
    let commands: Vec<_> = commands.into_iter().collect();
    let (name, argument) = match typed.split_once(' ') {
        Some((name, argument)) => (name, Some(argument.trim_start())),
        None => (typed, None),
    };
    if let (Some(argument), Some(command)) = (argument, commands.iter().find(|command| command.name == name)) {
        let mut search = Search::new(argument, Fit::Fuzzy);
        // Ids have no letters that anybody remembers.
        let is_fuzzy = command.argument != Argument::Game;
        let found = values(command.argument).into_iter().filter_map(|value| search.value(name, &value));
        return best_first(found.filter(|(_, found)| is_fuzzy || found.fit == Fit::Start));
    }
    let is_begun = commands.iter().any(|command| command.name.starts_with(name));
    let mut search = Search::new(typed, if is_begun { Fit::Fuzzy } else { Fit::Instead });
    let mut found: Vec<_> = commands.iter().filter_map(|command| search.command(command)).collect();
    if !typed.is_empty() {
        for (name, argument) in OPENING {
            found.extend(values(argument).iter().filter_map(|value| {
                let (score, completion) = search.value(name, value)?;
                // It is the value that begins with what is typed, not the line.
                Some((score, Completion { fit: search.otherwise, ..completion }))
            }));
        }
    }
    best_first(found)
}

fn best_first(found: impl IntoIterator<Item = (u32, Completion)>) -> Vec<Completion> {
    let mut found: Vec<_> = found.into_iter().collect();
    found.sort_by_key(|(score, completion)| match completion.fit {
        // In the order in which they are offered.
        Fit::Start => (0, Reverse(0)),
        Fit::Fuzzy | Fit::Instead => (1, Reverse(*score)),
    });
    found.into_iter().map(|(_, completion)| completion).collect()
}

/// Finds what fits one text.
struct Search {
    typed: String,
    pattern: Pattern,
    matcher: Matcher,
    /// How that fits which does not begin with it.
    otherwise: Fit,
    buffer: Vec<char>,
}

impl Search {
    fn new(typed: &str, otherwise: Fit) -> Self {
        Self {
            typed: typed.to_lowercase(),
            pattern: Pattern::new(typed, CaseMatching::Ignore, Normalization::Smart, AtomKind::Fuzzy),
            matcher: Matcher::new(Config::DEFAULT),
            otherwise,
            buffer: vec![],
        }
    }

    fn command(&mut self, command: &PaletteCommand) -> Option<(u32, Completion)> {
        let takes_argument = command.argument != Argument::None;
        let (score, fit, matched) = self.find(command.name)?;
        Some((score, Completion { line: command.name.to_owned(), does: command.does, takes_argument, fit, matched }))
    }

    /// What may follow a command, by its own text.
    fn value(&mut self, name: &str, value: &str) -> Option<(u32, Completion)> {
        let (score, fit, mut matched) = self.find(value)?;
        matched.iter_mut().for_each(|at| *at += name.chars().count() + 1);
        let line = format!("{name} {value}");
        Some((score, Completion { line, does: "", takes_argument: false, fit, matched }))
    }

    /// How well a text fits, and which of its characters were typed.
    fn find(&mut self, text: &str) -> Option<(u32, Fit, Vec<usize>)> {
        if text.to_lowercase().starts_with(&self.typed) {
            return Some((u32::MAX, Fit::Start, (0..self.typed.chars().count()).collect()));
        }
        let mut matched = vec![];
        let score = self.pattern.indices(Utf32Str::new(text, &mut self.buffer), &mut self.matcher, &mut matched)?;
        // Each word that was typed has added its own.
        matched.sort_unstable();
        matched.dedup();
        Some((score, self.otherwise, matched.into_iter().map(|at| at as usize).collect()))
    }
}
