//! Dialogs, which cover the screen and receive the keys: menus, confirmations, forms, lines to type.

pub mod columns;
pub mod confirm;
mod event_field;
pub mod event_form;
pub mod menu;
pub mod palette;
pub mod text_input;
pub mod view;

use columns::ColumnsDialog;
use confirm::ConfirmDialog;
use event_form::EventForm;
use menu::Menu;
use morpion_openapi::event::StageStanding;
use morpion_shell::escape;
use palette::Palette;
use text_input::TextInput;

use crate::widgets::{
    name::Named,
    stage::{TIE_BREAKS, TermRow, points, tie_break_rows, tie_break_values},
    text::{fit, split, wrapped},
};

#[derive(Debug)]
pub enum Dialog {
    Menu(Menu),
    Confirm(ConfirmDialog),
    EventForm(Box<EventForm>),
    Input(InputDialog),
    Palette(Palette),
    Text(TextDialog),
    Columns(ColumnsDialog),
}

impl Dialog {
    /// Whether letters are letters in it.
    pub fn is_typing(&self) -> bool {
        match self {
            Self::Menu(_) | Self::Text(_) | Self::Columns(_) => false,
            Self::Confirm(confirm) => !confirm.fields.is_empty() && !confirm.is_sent,
            Self::EventForm(_) | Self::Input(_) | Self::Palette(_) => true,
        }
    }
}

/// Something to read.
#[derive(Debug)]
pub struct TextDialog {
    pub title: String,
    lines: Vec<String>,
    lengths: Lengths,
    /// The first line that is shown, where not all have room.
    pub from: usize,
}

/// What becomes of lines that are too long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Lengths {
    /// They go on in the next line, between words.
    Sentences,
    /// They go on in the next line, so that spaces stay as they are.
    Columns,
    Cut,
}

impl TextDialog {
    /// Sentences.
    pub fn told(title: impl Into<String>, lines: Vec<String>) -> Self {
        Self { title: title.into(), lines, lengths: Lengths::Sentences, from: 0 }
    }

    /// What a program has printed.
    pub fn printed(title: impl Into<String>, text: &str) -> Self {
        let lines = text.lines().map(str::to_owned).collect();
        Self { title: title.into(), lines, lengths: Lengths::Columns, from: 0 }
    }

    /// Lines of a table.
    fn table(title: String, lines: Vec<String>) -> Self {
        Self { title, lines, lengths: Lengths::Cut, from: 0 }
    }

    /// Its lines in so many columns.
    pub fn body(&self, width: usize, ellipsis: &str) -> Vec<String> {
        let lines = self.lines.iter();
        match self.lengths {
            Lengths::Sentences => lines.flat_map(|line| wrapped(line, width)).collect(),
            Lengths::Columns => lines.flat_map(|line| split(line, width)).collect(),
            Lengths::Cut => lines.map(|line| fit(line, width, ellipsis)).collect(),
        }
    }

    /// Moves by so many lines, in so many columns.
    pub fn scroll(&mut self, by: isize, width: usize) {
        let last = self.body(width, "").len().saturating_sub(1);
        self.from = self.from.saturating_add_signed(by).min(last);
    }

    /// How the tie-breaks of a player came.
    pub fn tie_breaks(of: &StageStanding) -> Self {
        let rows = tie_break_rows(of.terms.as_deref().unwrap_or_default());
        let title = format!("Tie-breaks of {}", escape::line(&of.name().whole()));
        if rows.is_empty() {
            return Self::told(title, vec!["No round counts towards them yet.".to_owned()]);
        }
        let heads = TIE_BREAKS.map(|(short, _)| short.to_owned());
        let line = |round: &str, opponent: &str, cells: &[String; 5]| {
            let cells: String = cells.iter().map(|cell| format!("{cell:>6}")).collect();
            format!("{round:<6}{:<OPPONENT$}{cells}", fit(opponent, OPPONENT - 1, ""))
        };
        let mut lines = vec![line("Round", "Opponent", &heads)];
        lines.extend(rows.iter().map(|row| line(&row.round.to_string(), &row.opponent, &row.cells)));
        let sums = of.tie_breaks.as_ref().map(|of| tie_break_values(of).map(points));
        lines.extend(sums.map(|sums| line("Sum", "", &sums)));
        if rows.iter().any(TermRow::has_cut) {
            lines.extend([String::new(), "Values in brackets are not counted.".to_owned()]);
        }
        Self::table(title, lines)
    }
}

/// Columns of a name.
const OPPONENT: usize = 24;

/// A line to type.
#[derive(Debug)]
pub struct InputDialog {
    pub title: String,
    pub hint: String,
    pub input: TextInput,
    pub error: Option<String>,
    pub purpose: InputPurpose,
}

impl InputDialog {
    pub fn new(purpose: InputPurpose, title: impl Into<String>, hint: &str, text: impl Into<String>) -> Self {
        Self { title: title.into(), hint: hint.to_owned(), input: TextInput::new(text), error: None, purpose }
    }
}

/// What a typed line is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InputPurpose {
    SaveLogs,
    LogWindow,
    GrantPro,
}
