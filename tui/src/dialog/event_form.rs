//! The form for a new event, or for the changes to one.

use std::collections::BTreeMap;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use morpion_openapi::{
    Timestamp,
    event::{CreateEvent, Event, EventType, UpdateEvent},
};

use morpion_shell::command_error::CommandError;

use super::text_input::TextInput;
use crate::{actions::no_update, calls::Call, time};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field {
    Title,
    Description,
    Prize,
    Type,
    Start,
    End,
    MaxLosses,
    OneNetwork,
}

const YES: &str = "yes";
const NO: &str = "no";

impl Field {
    pub const ALL: [Self; 8] = [
        Self::Title,
        Self::Description,
        Self::Prize,
        Self::Type,
        Self::Start,
        Self::End,
        Self::MaxLosses,
        Self::OneNetwork,
    ];

    pub fn label(self) -> &'static str {
        match self {
            Self::Title => "Title",
            Self::Description => "Description",
            Self::Prize => "Prize",
            Self::Type => "Type",
            Self::Start => "Starts (UTC)",
            Self::End => "Ends (UTC)",
            Self::MaxLosses => "Losses until out",
            Self::OneNetwork => "Rate one network",
        }
    }

    /// As the server calls it.
    fn name(self) -> &'static str {
        match self {
            Self::Title => "title",
            Self::Description => "description",
            Self::Prize => "prize",
            Self::Type => "eventType",
            Self::Start => "startTime",
            Self::End => "endTime",
            Self::MaxLosses => "maxLosses",
            Self::OneNetwork => "ratedOnOneNetwork",
        }
    }

    /// What can be chosen, where nothing is typed.
    pub fn choices(self) -> Option<[&'static str; 2]> {
        match self {
            Self::Type => Some([EventType::Open.as_str(), EventType::Closed.as_str()]),
            Self::OneNetwork => Some([NO, YES]),
            _ => None,
        }
    }

    pub fn hint(self) -> &'static str {
        match self {
            Self::Type => "Space changes it: open lets anybody join while it is live",
            Self::Start | Self::End => "2026-11-21 20:00, 20:00, +2h, +1d",
            Self::MaxLosses => "0 never eliminates, 1 is a knockout",
            Self::OneNetwork => {
                "Space changes it: yes if you know that players who share a network are different people"
            }
            Self::Title | Self::Description | Self::Prize => "",
        }
    }
}

#[derive(Debug)]
pub struct EventForm {
    /// The edited event; `None` for a new one.
    pub event: Option<Event>,
    inputs: [TextInput; Field::ALL.len()],
    pub focus: usize,
    pub errors: BTreeMap<&'static str, String>,
    /// The server's error about the whole form.
    pub refusal: Option<String>,
    /// What was sent, while it is not answered.
    pub sent: Option<Call>,
    /// Esc was pressed once with changes in the form.
    pub is_leaving: bool,
}

impl EventForm {
    pub fn new(event: Option<Event>) -> Self {
        let text = |field| event.as_ref().map_or_else(|| default(field), |event| written(event, field));
        Self {
            inputs: Field::ALL.map(|field| TextInput::new(text(field))),
            event,
            focus: 0,
            errors: BTreeMap::new(),
            refusal: None,
            sent: None,
            is_leaving: false,
        }
    }

    pub fn input(&self, field: Field) -> &TextInput {
        &self.inputs[field as usize]
    }

    pub fn error(&self, field: Field) -> Option<&str> {
        self.errors.get(field.name()).map(String::as_str)
    }

    pub fn field(&self) -> Field {
        Field::ALL[self.focus]
    }

    pub fn has_changes(&self) -> bool {
        let before = Self::new(self.event.clone());
        self.inputs != before.inputs
    }

    /// Handles a key; returns what is to be sent.
    pub fn key(&mut self, key: KeyEvent, now: i64) -> Option<Call> {
        let last = Field::ALL.len() - 1;
        let field = self.field();
        self.is_leaving = false;
        match key.code {
            KeyCode::Char('s') if key.modifiers.contains(KeyModifiers::CONTROL) => return self.submit(now),
            KeyCode::Enter if self.focus == last => return self.submit(now),
            KeyCode::Enter | KeyCode::Tab | KeyCode::Down => self.focus = (self.focus + 1).min(last),
            KeyCode::BackTab | KeyCode::Up => self.focus = self.focus.saturating_sub(1),
            KeyCode::Char(' ') | KeyCode::Left | KeyCode::Right if field.choices().is_some() => {
                let [first, second] = field.choices().unwrap_or_default();
                let other = if self.input(field).text() == first { second } else { first };
                self.inputs[field as usize].set(other);
            }
            _ if field.choices().is_none() => {
                self.inputs[field as usize].key(key);
            }
            _ => {}
        }
        None
    }

    /// Pastes a line; false if nothing is typed there.
    pub fn paste(&mut self, line: &str) -> bool {
        let field = self.field();
        self.is_leaving = false;
        if field.choices().is_some() {
            return false;
        }
        self.inputs[field as usize].paste(line);
        true
    }

    fn moment(&mut self, field: Field, now: i64) -> Option<Timestamp> {
        let typed = self.input(field).text().trim().to_owned();
        if typed.is_empty() {
            return None;
        }
        time::parse(&typed, now).map_err(|why| self.errors.insert(field.name(), why)).ok()
    }

    fn submit(&mut self, now: i64) -> Option<Call> {
        if self.sent.is_some() {
            return None;
        }
        self.errors.clear();
        self.refusal = None;
        let (start_time, end_time) = (self.moment(Field::Start, now), self.moment(Field::End, now));
        let max_losses = self.input(Field::MaxLosses).text().trim().parse();
        if max_losses.is_err() {
            self.errors.insert(Field::MaxLosses.name(), "Please enter a number: 0, 1, 2, …".to_owned());
        }
        let text = |field| self.input(field).text().trim().to_owned();
        let some = |field| Some(text(field)).filter(|text| !text.is_empty());
        let event_type =
            Some(if text(Field::Type) == EventType::Closed.as_str() { EventType::Closed } else { EventType::Open });
        let one_network = text(Field::OneNetwork) == YES;
        let call: Call = match &self.event {
            None => CreateEvent {
                title: text(Field::Title),
                description: some(Field::Description),
                prize: some(Field::Prize),
                event_type,
                event_state: None,
                start_time,
                end_time,
                max_losses: max_losses.clone().ok(),
                rated_on_one_network: Some(one_network),
            }
            .into(),
            // Only what was changed, so that two people who edit different fields do not undo
            // each other's work.
            Some(event) => {
                let changed = |field| (text(field) != written(event, field)).then(|| text(field));
                UpdateEvent {
                    title: changed(Field::Title),
                    description: changed(Field::Description),
                    prize: changed(Field::Prize),
                    event_type: event_type.filter(|new| *new != event.event_type),
                    start_time: start_time.filter(|_| changed(Field::Start).is_some()),
                    end_time: end_time.filter(|_| changed(Field::End).is_some()),
                    max_losses: max_losses.clone().ok().filter(|new| *new != event.max_losses),
                    rated_on_one_network: Some(one_network).filter(|new| *new != event.rated_on_one_network),
                    ..no_update(event.event_id)
                }
                .into()
            }
        };
        if !self.errors.is_empty() {
            self.focus = Field::ALL.iter().position(|field| self.error(*field).is_some()).unwrap_or(0);
            return None;
        }
        self.sent = Some(call.clone());
        Some(call)
    }

    /// The server did not take it.
    pub fn refused(&mut self, refusal: CommandError) {
        self.sent = None;
        for field in Field::ALL {
            if let Some(why) = refusal.fields.get(field.name()) {
                self.errors.insert(field.name(), why.clone());
            }
        }
        if let Some(at) = Field::ALL.iter().position(|field| self.error(*field).is_some()) {
            self.focus = at;
        }
        self.refusal = Some(refusal.text);
    }
}

fn default(field: Field) -> String {
    match field {
        Field::Type => EventType::Open.to_string(),
        // The server's default: `docs/behaviour/events.md#fields`.
        Field::MaxLosses => "3".to_owned(),
        Field::OneNetwork => NO.to_owned(),
        _ => String::new(),
    }
}

fn written(event: &Event, field: Field) -> String {
    match field {
        Field::Title => event.title.clone(),
        Field::Description => event.description.clone(),
        Field::Prize => event.prize.clone().unwrap_or_default(),
        Field::Type => event.event_type.to_string(),
        Field::Start => event.start_time.map(time::minute).unwrap_or_default(),
        Field::End => event.end_time.map(time::minute).unwrap_or_default(),
        Field::MaxLosses => event.max_losses.to_string(),
        Field::OneNetwork => if event.rated_on_one_network { YES } else { NO }.to_owned(),
    }
}
