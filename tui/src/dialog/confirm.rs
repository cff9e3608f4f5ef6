//! A question that the operator has to confirm, and how the confirmed calls went.

use chrono::Duration;
use crossterm::event::{KeyCode, KeyEvent};
use morpion_openapi::Timestamp;
use morpion_shell::command_error::CommandError;
use uuid::Uuid;

use super::text_input::TextInput;
use crate::{
    calls::Call,
    own_commands::Launch,
    time::{self, duration},
};

/// Characters of a reason or a note, at most.
const LONGEST_TEXT: usize = 500;

/// How long somebody can be suspended: in days, or for ever.
const LENGTHS: [(&str, Option<i64>); 4] =
    [("1 day", Some(1)), ("7 days", Some(7)), ("30 days", Some(30)), ("for ever", None)];
/// The one that is offered first.
const USUAL_LENGTH: usize = 1;

/// What a key did to a confirmation.
#[derive(Debug)]
pub enum ConfirmOutcome {
    Closed,
    Open,
    /// The calls to make.
    Confirmed(Vec<Call>),
    /// What to run.
    Launched(Launch),
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
    /// Of a suspension: one of [`LENGTHS`].
    Length,
    Username,
    DisplayName,
    /// The username again, before what cannot be undone.
    Again,
    /// Of a closed report.
    Note,
    /// Of a match: one of those that can be chosen.
    Winner,
    /// When an event is to end.
    End,
}

impl ConfirmField {
    pub fn label(self) -> &'static str {
        match self {
            Self::Reason => "Reason",
            Self::Days => "Days (empty: until revoked)",
            Self::Length => "How long (Space changes it)",
            Self::Username => "Username (both empty: neutral)",
            Self::DisplayName => "Display name",
            Self::Again => "The username, to confirm",
            Self::Note => "Note for admins (may be empty)",
            Self::Winner => "Who wins (Space changes it)",
            Self::End => "New end (UTC)",
        }
    }

    /// Whether it is chosen instead of typed.
    pub fn is_choice(self) -> bool {
        matches!(self, Self::Length | Self::Winner)
    }

    fn first_text(self) -> &'static str {
        match self {
            Self::Length => LENGTHS[USUAL_LENGTH].0,
            Self::Winner => UNCHOSEN,
            _ => "",
        }
    }
}

/// What a choice shows while none is made.
const UNCHOSEN: &str = "not chosen yet";

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
    /// What has to be typed for [`ConfirmField::Again`].
    again: String,
    /// Who can be chosen for [`ConfirmField::Winner`], and which of them is.
    winners: Vec<(String, Option<Uuid>)>,
    winner: Option<usize>,
    /// What is run in place of calls.
    launch: Option<Box<Launch>>,
}

impl ConfirmDialog {
    /// Before a command of the operator's own.
    pub fn before(launch: Launch) -> Self {
        let dialog = Self::new(format!("Run '{}'?", launch.title), vec![launch.line()], "");
        Self { launch: Some(Box::new(launch)), ..dialog }
    }

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
            again: String::new(),
            winners: vec![],
            winner: None,
            launch: None,
        }
    }

    pub fn step(mut self, about: impl Into<String>, call: impl Into<Call>) -> Self {
        self.steps.push(ConfirmStep { about: about.into(), call: call.into(), outcome: None });
        self
    }

    pub fn field(mut self, field: ConfirmField) -> Self {
        self.fields.push((field, TextInput::new(field.first_text())));
        self
    }

    /// Asks for this username before it is done.
    pub fn again(mut self, username: impl Into<String>) -> Self {
        self.again = username.into();
        self.field(ConfirmField::Again)
    }

    /// Asks which of these wins, by their names.
    pub fn winner(mut self, winners: Vec<(String, Option<Uuid>)>) -> Self {
        self.winners = winners;
        self.field(ConfirmField::Winner)
    }

    /// Asks when an event is to end; so far it is this.
    pub fn end(mut self, present: impl Into<String>) -> Self {
        self.fields.push((ConfirmField::End, TextInput::new(present)));
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
            KeyCode::Char(' ') | KeyCode::Right if self.is_choosing() => self.turn(true),
            KeyCode::Left if self.is_choosing() => self.turn(false),
            _ if self.is_choosing() => {}
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

    /// Pastes a line; false if nothing is typed there.
    pub fn paste(&mut self, line: &str) -> bool {
        if self.is_sent || self.is_choosing() {
            return false;
        }
        let Some((_, input)) = self.fields.get_mut(self.focus) else { return false };
        input.paste(line);
        self.error = None;
        true
    }

    /// Whether the field in focus is chosen instead of typed.
    fn is_choosing(&self) -> bool {
        self.fields.get(self.focus).is_some_and(|(field, _)| field.is_choice())
    }

    /// Chooses the next one, or the one before; after the last one comes the first.
    fn turn(&mut self, forward: bool) {
        let Some((field, input)) = self.fields.get_mut(self.focus) else { return };
        let is_winner = *field == ConfirmField::Winner;
        let (at, count) = if is_winner {
            (self.winner, self.winners.len())
        } else {
            (LENGTHS.iter().position(|(text, _)| *text == input.text()), LENGTHS.len())
        };
        let next = match (at, forward) {
            (Some(at), true) => (at + 1) % count.max(1),
            (Some(0) | None, false) => count.saturating_sub(1),
            (Some(at), false) => at - 1,
            (None, true) => 0,
        };
        let text =
            if is_winner { self.winners.get(next).map(|(name, _)| name.as_str()) } else { Some(LENGTHS[next].0) };
        if let Some(text) = text {
            input.set(text);
            self.winner = is_winner.then_some(next).or(self.winner);
            self.error = None;
        }
    }

    fn send(&mut self, now: i64) -> ConfirmOutcome {
        if let Some(launch) = self.launch.take() {
            return ConfirmOutcome::Launched(*launch);
        }
        for at in 0..self.fields.len() {
            let (field, input) = &self.fields[at];
            let (field, text) = (*field, input.text().trim().to_owned());
            if let Err(why) = self.fill_in(field, &text, now) {
                (self.error, self.focus) = (Some(why), at);
                return ConfirmOutcome::Open;
            }
        }
        self.is_sent = true;
        ConfirmOutcome::Confirmed(self.steps.iter().map(|step| step.call.clone()).collect())
    }

    /// Puts what was typed into the calls.
    fn fill_in(&mut self, field: ConfirmField, text: &str, now: i64) -> Result<(), String> {
        let length = text.chars().count();
        let given = Some(text.to_owned()).filter(|text| !text.is_empty());
        let days = |days: Duration| Timestamp::from_millis(now + days.num_milliseconds());
        let winner = self.winner.and_then(|at| self.winners.get(at)).map(|(_, user_id)| *user_id);
        let until = match field {
            ConfirmField::Reason if length == 0 || length > LONGEST_TEXT => {
                return Err(format!("A reason of 1 to {LONGEST_TEXT} characters is needed."));
            }
            ConfirmField::Note if length > LONGEST_TEXT => {
                return Err(format!("A note has at most {LONGEST_TEXT} characters."));
            }
            ConfirmField::Again if text != self.again => return Err(format!("Type {} to confirm.", self.again)),
            ConfirmField::Days if length > 0 => {
                let typed = duration(&format!("{text}d"));
                Some(days(typed.ok_or("Please enter a number of days, at most 3660, or leave it empty.")?))
            }
            ConfirmField::Winner if winner.is_none() => return Err("Please choose who wins.".to_owned()),
            ConfirmField::End => Some(time::parse(text, now)?),
            ConfirmField::Length => {
                LENGTHS.iter().find(|(name, _)| *name == text).and_then(|(_, of)| *of).map(Duration::days).map(days)
            }
            _ => None,
        };
        for step in &mut self.steps {
            match (field, &mut step.call) {
                (ConfirmField::Reason, call) => *call = call.clone().with_reason(text),
                (ConfirmField::Days, Call::GrantPro(call)) => call.until = until,
                (ConfirmField::Length, Call::SuspendUser(call)) => call.until = until,
                (ConfirmField::Username, Call::RenameUser(call)) => call.username.clone_from(&given),
                (ConfirmField::DisplayName, Call::RenameUser(call)) => call.display_name.clone_from(&given),
                (ConfirmField::Note, Call::CloseReport(call)) => text.clone_into(&mut call.note),
                (ConfirmField::Winner, Call::SetResult(call)) => call.winner_user_id = winner.flatten(),
                (ConfirmField::End, Call::ExtendEvent(call)) => call.end_time = until.unwrap_or(call.end_time),
                _ => {}
            }
        }
        Ok(())
    }
}
