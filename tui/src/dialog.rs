//! Dialogs, which cover the screen and receive the keys: menus, confirmations, forms, lines to type.

pub mod confirm;
mod event_field;
pub mod event_form;
pub mod menu;
pub mod palette;
pub mod text_input;
pub mod view;

use confirm::ConfirmDialog;
use event_form::EventForm;
use menu::Menu;
use palette::Palette;
use text_input::TextInput;

#[derive(Debug)]
pub enum Dialog {
    Menu(Menu),
    Confirm(ConfirmDialog),
    EventForm(Box<EventForm>),
    Input(InputDialog),
    Palette(Palette),
}

impl Dialog {
    /// Whether letters are letters in it.
    pub fn is_typing(&self) -> bool {
        match self {
            Self::Menu(_) => false,
            Self::Confirm(confirm) => !confirm.fields.is_empty() && !confirm.is_sent,
            Self::EventForm(_) | Self::Input(_) | Self::Palette(_) => true,
        }
    }
}

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
