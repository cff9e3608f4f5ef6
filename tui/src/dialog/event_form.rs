//! The form for a new event, or for the changes to one.

use std::collections::BTreeMap;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use morpion_openapi::{
    Timestamp,
    event::{CreateEvent, Event, EventBoard, EventFormat, EventType, UpdateEvent},
    quick_match::QuickMatchClock,
};

use morpion_shell::command_error::CommandError;

pub use super::event_field::{Field, names};
use super::{
    event_field::{NO, YES},
    text_input::TextInput,
};
use crate::{
    calls::Call,
    time,
    widgets::stage::{clock_text, format_name, format_sentence},
};

/// Stage rounds of a Swiss, at most.
const MOST_ROUNDS: u32 = 32;

#[derive(Debug)]
pub struct EventForm {
    /// The edited event; `None` for a new one.
    pub event: Option<Event>,
    inputs: [TextInput; Field::ALL.len()],
    /// An index of [`EventForm::fields`].
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

    /// Those that are shown: of the chosen format.
    pub fn fields(&self) -> Vec<Field> {
        let format = self.format();
        // A list of events comes without the names.
        let is_untold =
            self.event.as_ref().is_some_and(|it| it.is_listed_only == Some(true) && it.allow_list.is_none());
        let is_shown = |field: &Field| field.suits(format) && !(is_untold && *field == Field::AllowList);
        Field::ALL.into_iter().filter(is_shown).collect()
    }

    /// The one in focus.
    pub fn field(&self) -> Field {
        self.fields().get(self.focus).copied().unwrap_or(Field::Title)
    }

    fn format(&self) -> EventFormat {
        let chosen = self.input(Field::Format).text();
        EventFormat::ALL.iter().copied().find(|format| format_name(*format) == chosen).unwrap_or(EventFormat::Arena)
    }

    fn clock(&self) -> Option<QuickMatchClock> {
        let chosen = self.input(Field::Clock).text();
        QuickMatchClock::ALL.iter().copied().find(|clock| clock_text(*clock) == chosen)
    }

    pub fn hint(&self, field: Field) -> &'static str {
        if field == Field::Format { format_sentence(self.format()) } else { field.hint() }
    }

    pub fn has_changes(&self) -> bool {
        let before = Self::new(self.event.clone());
        self.inputs != before.inputs
    }

    /// Handles a key; returns what is to be sent.
    pub fn key(&mut self, key: KeyEvent, now: i64) -> Option<Call> {
        let last = self.fields().len() - 1;
        let field = self.field();
        self.is_leaving = false;
        match key.code {
            KeyCode::Char('s') if key.modifiers.contains(KeyModifiers::CONTROL) => return self.submit(now),
            KeyCode::Enter if self.focus == last => return self.submit(now),
            KeyCode::Enter | KeyCode::Tab | KeyCode::Down => self.focus = (self.focus + 1).min(last),
            KeyCode::BackTab | KeyCode::Up => self.focus = self.focus.saturating_sub(1),
            KeyCode::Char(' ') | KeyCode::Right if field.choices().is_some() => self.turn(field, true),
            KeyCode::Left if field.choices().is_some() => self.turn(field, false),
            _ if field.choices().is_none() => {
                self.inputs[field as usize].key(key);
            }
            _ => {}
        }
        None
    }

    /// Chooses the next one, or the one before; after the last one comes the first.
    fn turn(&mut self, field: Field, forward: bool) {
        let (choices, input) = (field.choices().unwrap_or_default(), &mut self.inputs[field as usize]);
        let at = choices.iter().position(|choice| *choice == input.text()).unwrap_or(0);
        let by = if forward { 1 } else { choices.len() - 1 };
        input.set(choices[(at + by) % choices.len()]);
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

    /// The times in a field, separated by commas.
    fn moments(&mut self, field: Field, now: i64) -> Vec<Timestamp> {
        let typed = names(self.input(field).text());
        let moments: Result<Vec<Timestamp>, String> = typed.iter().map(|one| time::parse(one, now)).collect();
        moments.unwrap_or_else(|why| {
            self.errors.insert(field.name(), why);
            vec![]
        })
    }

    fn submit(&mut self, now: i64) -> Option<Call> {
        if self.sent.is_some() {
            return None;
        }
        self.errors.clear();
        self.refusal = None;
        let (start_time, end_time) = (self.moment(Field::Start, now), self.moment(Field::End, now));
        let format = self.format();
        let round_times = match Field::RoundTimes.suits(format) {
            true => self.moments(Field::RoundTimes, now),
            false => vec![],
        };
        let max_losses = self.input(Field::MaxLosses).text().trim().parse();
        if max_losses.is_err() && Field::MaxLosses.suits(format) {
            self.errors.insert(Field::MaxLosses.name(), "Please enter a number: 0, 1, 2, …".to_owned());
        }
        let rounds = match self.input(Field::Rounds).text().trim() {
            "" => Some(0),
            typed => typed.parse().ok().filter(|rounds| (1..=MOST_ROUNDS).contains(rounds)),
        };
        if rounds.is_none() && Field::Rounds.suits(format) {
            let why = format!("Please enter a number from 1 to {MOST_ROUNDS}, or leave it empty.");
            self.errors.insert(Field::Rounds.name(), why);
        }
        for field in Field::ALL.into_iter().filter(|field| field.is_figure()) {
            if figure(self.input(field).text()).is_none() {
                self.errors.insert(field.name(), "Please enter a number, or leave it empty.".to_owned());
            }
        }
        let text = |field| self.input(field).text().trim().to_owned();
        let some = |field| Some(text(field)).filter(|text| !text.is_empty());
        let is_yes = |field| text(field) == YES;
        let first_digit = |field| text(field).chars().next().and_then(|digit| digit.to_digit(10));
        let event_type =
            Some(if text(Field::Type) == EventType::Closed.as_str() { EventType::Closed } else { EventType::Open });
        // Only what was changed, so that two people who edit different fields do not undo each other's work; and only what the
        // format has. Another format is sent with all that it has.
        let changed = |field: Field| match &self.event {
            None => field.suits(format),
            Some(event) => {
                let is_new = format != event.format && !field.is_common();
                field.suits(format) && (is_new || text(field) != written(event, field))
            }
        };
        let max_losses = max_losses.ok().filter(|_| changed(Field::MaxLosses));
        let rounds = rounds.filter(|_| changed(Field::Rounds));
        let board_size = first_digit(Field::Board).filter(|_| changed(Field::Board)).map(EventBoard::Size);
        let match_games = first_digit(Field::MatchGames).filter(|_| changed(Field::MatchGames));
        let third_place = changed(Field::ThirdPlace).then(|| is_yes(Field::ThirdPlace));
        let double_rounds = changed(Field::Twice).then(|| is_yes(Field::Twice));
        let clock = self.clock().filter(|_| changed(Field::Clock));
        let round_times = changed(Field::RoundTimes).then_some(round_times);
        let bots_allowed = changed(Field::Bots).then(|| is_yes(Field::Bots));
        let rated_on_one_network = changed(Field::OneNetwork).then(|| is_yes(Field::OneNetwork));
        let asked = |field| figure(self.input(field).text()).filter(|_| changed(field));
        let listed = changed(Field::AllowList).then(|| names(&text(Field::AllowList)));
        let call: Call = match &self.event {
            None => CreateEvent {
                title: text(Field::Title),
                description: some(Field::Description),
                prize: some(Field::Prize),
                event_type,
                event_state: None,
                start_time,
                end_time,
                max_losses,
                rated_on_one_network,
                clock: clock.filter(|clock| *clock != QuickMatchClock::Turn15),
                format: Some(format).filter(|format| *format != EventFormat::Arena),
                rounds: rounds.filter(|rounds| *rounds > 0),
                board_size,
                match_games,
                third_place,
                double_rounds,
                bots_allowed,
                max_players: asked(Field::MaxPlayers).filter(|most| *most > 0),
                min_rating: asked(Field::MinRating).filter(|rating| *rating > 0),
                max_rating: asked(Field::MaxRating).filter(|rating| *rating > 0),
                min_games: asked(Field::MinGames).filter(|games| *games > 0),
                account_age_days: asked(Field::AccountAge).filter(|days| *days > 0),
                allow_list: listed.filter(|names| !names.is_empty()),
                check_in_minutes: asked(Field::CheckIn).filter(|minutes| *minutes > 0),
                round_times: round_times.filter(|times| !times.is_empty()),
                is_private: None,
            }
            .into(),
            Some(event) => {
                let changed_text = |field| changed(field).then(|| text(field));
                UpdateEvent {
                    title: changed_text(Field::Title),
                    description: changed_text(Field::Description),
                    prize: changed_text(Field::Prize),
                    event_type: event_type.filter(|_| changed(Field::Type)),
                    start_time: start_time.filter(|_| changed(Field::Start)),
                    end_time: end_time.filter(|_| changed(Field::End)),
                    max_losses,
                    rated_on_one_network,
                    clock,
                    format: Some(format).filter(|format| *format != event.format),
                    rounds,
                    board_size,
                    match_games,
                    third_place,
                    double_rounds,
                    bots_allowed,
                    max_players: asked(Field::MaxPlayers),
                    min_rating: asked(Field::MinRating),
                    max_rating: asked(Field::MaxRating),
                    min_games: asked(Field::MinGames),
                    account_age_days: asked(Field::AccountAge),
                    allow_list: listed,
                    check_in_minutes: asked(Field::CheckIn),
                    round_times,
                    ..UpdateEvent::of(event.event_id)
                }
                .into()
            }
        };
        if !self.errors.is_empty() {
            self.focus = self.first_error().unwrap_or(0);
            return None;
        }
        self.sent = Some(call.clone());
        Some(call)
    }

    /// The place of the first field with an error.
    fn first_error(&self) -> Option<usize> {
        self.fields().iter().position(|field| self.error(*field).is_some())
    }

    /// The server did not take it.
    pub fn refused(&mut self, refusal: CommandError) {
        self.sent = None;
        for field in Field::ALL {
            if let Some(why) = refusal.fields.get(field.name()) {
                self.errors.insert(field.name(), why.clone());
            }
        }
        if let Some(at) = self.first_error() {
            self.focus = at;
        }
        self.refusal = Some(refusal.text);
    }
}

/// A number that may be left out: 0 then. `None` for what is no number.
fn figure(typed: &str) -> Option<u32> {
    match typed.trim() {
        "" => Some(0),
        typed => typed.parse().ok(),
    }
}

fn default(field: Field) -> String {
    match field {
        Field::Type => EventType::Open.as_str(),
        Field::Format => format_name(EventFormat::Arena),
        // The server's defaults: `docs/behaviour/events.md#fields`.
        Field::MaxLosses => "3",
        Field::Board => "3x3",
        Field::Clock => clock_text(QuickMatchClock::Turn15),
        Field::MatchGames => "2",
        Field::ThirdPlace | Field::Twice | Field::Bots | Field::OneNetwork => NO,
        _ => "",
    }
    .to_owned()
}

/// What a field has for an event; the default where its format does not have it.
fn written(event: &Event, field: Field) -> String {
    let yes = |is: bool| if is { YES } else { NO }.to_owned();
    let known = match field {
        Field::Title => Some(event.title.clone()),
        Field::Description => Some(event.description.clone()),
        Field::Prize => event.prize.clone(),
        Field::Type => Some(event.event_type.to_string()),
        Field::Start => event.start_time.map(time::minute),
        Field::End => event.end_time.map(time::minute),
        Field::Format => Some(format_name(event.format).to_owned()),
        // Only an arena counts losses.
        Field::MaxLosses => (event.format == EventFormat::Arena).then(|| event.max_losses.to_string()),
        Field::Clock => Some(clock_text(event.clock).to_owned()),
        Field::Board => event.board_size.size().map(|size| format!("{size}x{size}")),
        Field::MatchGames => event.match_games.map(|games| games.to_string()),
        Field::Rounds => event.rounds.map(|rounds| rounds.to_string()),
        Field::ThirdPlace => event.third_place.map(yes),
        Field::Twice => event.double_rounds.map(yes),
        Field::RoundTimes => event.round_times.as_ref().map(|times| {
            let times: Vec<String> = times.iter().copied().map(time::minute).collect();
            times.join(", ")
        }),
        Field::Bots => Some(yes(event.bots_allowed == Some(true))),
        Field::OneNetwork => Some(yes(event.rated_on_one_network)),
        Field::MaxPlayers => event.max_players.map(|most| most.to_string()),
        Field::CheckIn => event.check_in_minutes.map(|minutes| minutes.to_string()),
        Field::MinRating => event.min_rating.map(|rating| rating.to_string()),
        Field::MaxRating => event.max_rating.map(|rating| rating.to_string()),
        Field::MinGames => event.min_games.map(|games| games.to_string()),
        Field::AccountAge => event.account_age_days.map(|days| days.to_string()),
        Field::AllowList => event.allow_list.as_ref().map(|names| names.join(", ")),
    };
    known.unwrap_or_else(|| default(field))
}
