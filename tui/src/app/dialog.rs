//! What lies above the screen and takes the keys: menus, confirmations, lines to type.

use crossterm::event::{KeyCode, KeyEvent};
use morpion_openapi::{
    account::User,
    logger::{LogFilter, LogLevel},
};
use uuid::Uuid;

use super::{events::Transition, form::Form, input::Input, logs::filter::Window, palette::Palette};
use crate::{
    net::{call::Call, refusal::Refusal},
    widgets::name::Named,
};

#[derive(Debug)]
pub enum Dialog {
    Menu(Menu),
    Confirm(Confirm),
    Form(Box<Form>),
    Prompt(Prompt),
    Palette(Palette),
}

impl Dialog {
    /// Whether letters are letters in it.
    pub fn is_typing(&self) -> bool {
        match self {
            Self::Menu(_) => false,
            Self::Confirm(confirm) => !confirm.asks.is_empty() && !confirm.is_sent,
            Self::Form(_) | Self::Prompt(_) | Self::Palette(_) => true,
        }
    }
}

/// Something that can be chosen in a menu.
#[derive(Debug, Clone, PartialEq)]
pub enum Deed {
    NewEvent,
    EditEvent,
    Transition(Transition),
    Verify(Uuid),
    OpenEvent(Uuid),
    Watch(Uuid),
    Replay(Uuid),
    Adjudicate { game_id: Uuid, winner: Option<(Uuid, String)> },
    OpenUser(String),
    RevokeSession { user: Uuid, session_id: String, device: String },
    SetAdmin { user: Uuid, name: String, is_admin: bool },
    GrantPro { user: Uuid, name: String },
    RevokePro { user: Uuid, name: String },
    Scope { title: String, filter: Box<LogFilter> },
    Copy(String),
    Save,
    ClearLogs,
    Level(LogLevel),
    Service(Option<String>),
    Window(Window),
    TypeWindow,
}

impl Deed {
    /// Whether it changes anything on the server.
    pub fn is_write(&self) -> bool {
        matches!(
            self,
            Self::NewEvent
                | Self::EditEvent
                | Self::Transition(_)
                | Self::Adjudicate { .. }
                | Self::RevokeSession { .. }
                | Self::SetAdmin { .. }
                | Self::GrantPro { .. }
                | Self::RevokePro { .. }
                | Self::ClearLogs
        )
    }

    /// What can be done with an account.
    pub fn of_user(user: &User) -> Vec<Entry> {
        let (id, name) = (user.user_id, user.name().whole());
        let filter = LogFilter { user_id: Some(id), ..super::logs::NO_FILTER };
        let pro = if user.is_pro_user {
            Entry::new('p', "revoke Pro", Self::RevokePro { user: id, name: name.clone() })
        } else {
            Entry::new('p', "grant Pro", Self::GrantPro { user: id, name: name.clone() })
        };
        let is_admin = !user.is_admin;
        let label = if is_admin { "make admin" } else { "take the admin's rights away" };
        let admin = Entry::new('d', label, Self::SetAdmin { user: id, name: name.clone(), is_admin });
        let mut entries = vec![Entry::new('o', "open the account", Self::OpenUser(id.to_string()))];
        // A guest can have neither.
        entries.extend([pro, admin].into_iter().filter(|_| !user.is_temp_user));
        entries.extend([
            Entry::new(
                'l',
                "its log",
                Self::Scope { title: format!("Everything of {name}"), filter: Box::new(filter) },
            ),
            Entry::new('c', "copy its id", Self::Copy(id.to_string())),
        ]);
        entries
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    pub key: char,
    pub label: String,
    pub deed: Deed,
}

impl Entry {
    pub fn new(key: char, label: impl Into<String>, deed: Deed) -> Self {
        Self { key, label: label.into(), deed }
    }
}

#[derive(Debug)]
pub struct Menu {
    pub title: String,
    pub entries: Vec<Entry>,
    pub chosen: usize,
}

impl Menu {
    pub fn new(title: impl Into<String>, entries: Vec<Entry>) -> Self {
        Self { title: title.into(), entries, chosen: 0 }
    }

    /// Takes in a key; answers what was chosen.
    pub fn key(&mut self, key: KeyEvent) -> Option<Deed> {
        let last = self.entries.len().saturating_sub(1);
        match key.code {
            KeyCode::Up => self.chosen = self.chosen.saturating_sub(1),
            KeyCode::Down => self.chosen = (self.chosen + 1).min(last),
            KeyCode::Enter => return self.entries.get(self.chosen).map(|entry| entry.deed.clone()),
            KeyCode::Char(char) => {
                return self.entries.iter().find(|entry| entry.key == char).map(|entry| entry.deed.clone());
            }
            _ => {}
        }
        None
    }
}

/// One call of a confirmed deed, and how it went.
#[derive(Debug)]
pub struct Step {
    /// What it is about, for example the event's title.
    pub about: String,
    pub call: Call,
    pub outcome: Option<Result<(), Refusal>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ask {
    Reason,
    /// Days that Pro is granted for; empty: until it is revoked.
    Days,
}

impl Ask {
    pub fn label(self) -> &'static str {
        match self {
            Self::Reason => "Reason",
            Self::Days => "Days (empty: until revoked)",
        }
    }
}

/// A deed that waits for the operator's yes, or was done.
#[derive(Debug)]
pub struct Confirm {
    pub title: String,
    pub lines: Vec<String>,
    pub steps: Vec<Step>,
    /// What has to be typed with the yes.
    pub asks: Vec<(Ask, Input)>,
    pub focus: usize,
    pub error: Option<String>,
    pub is_sent: bool,
    /// What is said when all went well.
    pub done: String,
}

impl Confirm {
    pub fn new(title: impl Into<String>, lines: Vec<String>, done: impl Into<String>) -> Self {
        Self {
            title: title.into(),
            lines,
            steps: vec![],
            asks: vec![],
            focus: 0,
            error: None,
            is_sent: false,
            done: done.into(),
        }
    }

    pub fn step(mut self, about: impl Into<String>, call: impl Into<Call>) -> Self {
        self.steps.push(Step { about: about.into(), call: call.into(), outcome: None });
        self
    }

    pub fn ask(mut self, ask: Ask) -> Self {
        self.asks.push((ask, Input::default()));
        self
    }

    /// What was typed for something.
    pub fn typed(&self, wanted: Ask) -> Option<&str> {
        self.asks.iter().find(|(ask, _)| *ask == wanted).map(|(_, input)| input.text().trim())
    }

    /// An answer came; whether it was to one of the steps.
    pub fn answered(&mut self, call: &Call, outcome: Result<(), Refusal>) -> bool {
        let step = self.steps.iter_mut().find(|step| step.outcome.is_none() && step.call == *call);
        match step {
            Some(step) if self.is_sent => {
                step.outcome = Some(outcome);
                true
            }
            _ => false,
        }
    }

    /// All answers are here.
    pub fn is_over(&self) -> bool {
        self.is_sent && self.steps.iter().all(|step| step.outcome.is_some())
    }

    pub fn went_well(&self) -> bool {
        self.steps.iter().all(|step| matches!(step.outcome, Some(Ok(()))))
    }
}

/// A line to type.
#[derive(Debug)]
pub struct Prompt {
    pub title: String,
    pub hint: String,
    pub input: Input,
    pub error: Option<String>,
    pub purpose: Purpose,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    SaveLogs,
    Window,
    GrantTo,
}
