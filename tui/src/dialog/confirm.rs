//! A question that the operator has to confirm, and how the confirmed calls went.

use crossterm::event::{KeyCode, KeyEvent};
use morpion_openapi::Timestamp;
use morpion_shell::command_error::CommandError;

use super::text_input::TextInput;
use crate::{calls::Call, time::duration};

/// Characters of a reason, at most: it is written to the audit log.
const LONGEST_REASON: usize = 500;

/// What a key did to a confirmation.
#[derive(Debug)]
pub enum ConfirmOutcome {
    Closed,
    Open,
    /// The calls to make.
    Confirmed(Vec<Call>),
}

/// One call of a confirmed action, and how it went.
#[derive(Debug)]
pub struct ConfirmStep {
    /// What it is about, for example the event's title.
    pub about: String,
    pub call: Call,
    pub outcome: Option<Result<(), CommandError>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConfirmField {
    Reason,
    /// Days that Pro is granted for; empty: until it is revoked.
    Days,
}

impl ConfirmField {
    pub fn label(self) -> &'static str {
        match self {
            Self::Reason => "Reason",
            Self::Days => "Days (empty: until revoked)",
        }
    }
}

/// An action that waits for the operator's yes, or was done.
#[derive(Debug)]
pub struct ConfirmDialog {
    pub title: String,
    pub lines: Vec<String>,
    pub steps: Vec<ConfirmStep>,
    /// What has to be typed with the yes.
    pub fields: Vec<(ConfirmField, TextInput)>,
    pub focus: usize,
    pub error: Option<String>,
    pub is_sent: bool,
    /// The message after success.
    pub done: String,
}

impl ConfirmDialog {
    pub fn new(title: impl Into<String>, lines: Vec<String>, done: impl Into<String>) -> Self {
        Self {
            title: title.into(),
            lines,
            steps: vec![],
            fields: vec![],
            focus: 0,
            error: None,
            is_sent: false,
            done: done.into(),
        }
    }

    pub fn step(mut self, about: impl Into<String>, call: impl Into<Call>) -> Self {
        self.steps.push(ConfirmStep { about: about.into(), call: call.into(), outcome: None });
        self
    }

    pub fn field(mut self, field: ConfirmField) -> Self {
        self.fields.push((field, TextInput::default()));
        self
    }

    /// What was typed for something.
    pub fn typed(&self, wanted: ConfirmField) -> Option<&str> {
        self.fields.iter().find(|(field, _)| *field == wanted).map(|(_, input)| input.text().trim())
    }

    /// Records the reply to a call; returns whether it was one of the steps.
    pub fn answered(&mut self, call: &Call, outcome: Result<(), CommandError>) -> bool {
        let step = self.steps.iter_mut().find(|step| step.outcome.is_none() && step.call == *call);
        match step {
            Some(step) if self.is_sent => {
                step.outcome = Some(outcome);
                true
            }
            _ => false,
        }
    }

    /// All replies have come.
    pub fn is_over(&self) -> bool {
        self.is_sent && self.steps.iter().all(|step| step.outcome.is_some())
    }

    pub fn went_well(&self) -> bool {
        self.steps.iter().all(|step| matches!(step.outcome, Some(Ok(()))))
    }

    /// Handles a key.
    pub fn key(&mut self, key: KeyEvent, now: i64) -> ConfirmOutcome {
        match key.code {
            KeyCode::Esc => return ConfirmOutcome::Closed,
            // What went wrong was read.
            KeyCode::Enter | KeyCode::Char('q') if self.is_over() => return ConfirmOutcome::Closed,
            _ if self.is_sent => return ConfirmOutcome::Open,
            KeyCode::Char('n') if self.fields.is_empty() => return ConfirmOutcome::Closed,
            KeyCode::Char('y') if self.fields.is_empty() => return self.send(now),
            KeyCode::Enter | KeyCode::Tab | KeyCode::Down if self.focus + 1 < self.fields.len() => self.focus += 1,
            KeyCode::BackTab | KeyCode::Up => self.focus = self.focus.saturating_sub(1),
            KeyCode::Enter if !self.fields.is_empty() => return self.send(now),
            _ => {
                let focus = self.focus;
                if let Some((_, input)) = self.fields.get_mut(focus) {
                    input.key(key);
                    self.error = None;
                }
            }
        }
        ConfirmOutcome::Open
    }

    fn send(&mut self, now: i64) -> ConfirmOutcome {
        if let Some(reason) = self.typed(ConfirmField::Reason).map(str::to_owned) {
            if reason.is_empty() || reason.chars().count() > LONGEST_REASON {
                self.error = Some(format!("A reason of 1 to {LONGEST_REASON} characters is needed."));
                self.focus = 0;
                return ConfirmOutcome::Open;
            }
            for step in &mut self.steps {
                step.call = step.call.clone().with_reason(&reason);
            }
        }
        if let Some(days) = self.typed(ConfirmField::Days).filter(|days| !days.is_empty()) {
            let Some(until) = duration(&format!("{days}d")) else {
                self.error = Some("A number of days is wanted, 3660 at most, or nothing.".to_owned());
                return ConfirmOutcome::Open;
            };
            let until = Timestamp::from_millis(now + until.num_milliseconds());
            for step in &mut self.steps {
                if let Call::GrantPro(call) = &mut step.call {
                    call.until = Some(until);
                }
            }
        }
        self.is_sent = true;
        ConfirmOutcome::Confirmed(self.steps.iter().map(|step| step.call.clone()).collect())
    }
}
