//! The life of an event (spec section 4, decisions section 5).
//!
//! ```text
//! drafted ──publish──▶ published ──start──▶ started ──end──▶ ended ──conclude (winners written)
//!    │                     │                   │
//!  delete                  └──────cancel───────┴──▶ cancelled
//! ```
//!
//! Everything else is refused by name. Editing is for drafted and published events only;
//! registration is open exactly while an event is published.

use crate::clock::{EVENT_END_GRACE, Millis, Outage, RESTART_GRACE};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Characters a title may have: one line on a card.
pub const TITLE_MAX: usize = 120;
/// Characters a description may have: a page.
pub const DESCRIPTION_MAX: usize = 4_000;
/// Characters a prize may have: a sentence.
pub const PRIZE_MAX: usize = 200;
/// Losses that eliminate a player, unless the event says otherwise.
pub const DEFAULT_MAX_LOSSES: u32 = 3;

/// Append-only.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum EventState {
    Drafted,
    Published,
    Started,
    Ended,
    Cancelled,
}

impl EventState {
    pub const ALL: [EventState; 5] = [
        EventState::Drafted,
        EventState::Published,
        EventState::Started,
        EventState::Ended,
        EventState::Cancelled,
    ];

    /// As the wire names it.
    pub const fn as_str(self) -> &'static str {
        match self {
            EventState::Drafted => "drafted",
            EventState::Published => "published",
            EventState::Started => "started",
            EventState::Ended => "ended",
            EventState::Cancelled => "cancelled",
        }
    }

    pub fn parse(name: &str) -> Option<EventState> {
        EventState::ALL
            .into_iter()
            .find(|state| state.as_str() == name)
    }
}

/// Append-only.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub enum EventType {
    /// Anybody may join, also after the start.
    #[default]
    Open,
    /// Only who registered before the start.
    Closed,
}

impl EventType {
    /// As the wire names it.
    pub const fn as_str(self) -> &'static str {
        match self {
            EventType::Open => "open",
            EventType::Closed => "closed",
        }
    }

    pub fn parse(name: &str) -> Option<EventType> {
        [EventType::Open, EventType::Closed]
            .into_iter()
            .find(|kind| kind.as_str() == name)
    }
}

/// What an admin fills in.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Details {
    pub title: String,
    pub description: String,
    pub prize: Option<String>,
    pub event_type: EventType,
    pub start_time: Option<Millis>,
    pub end_time: Option<Millis>,
    /// Losses that eliminate: 1 is a knockout, 0 never eliminates.
    pub max_losses: u32,
}

impl Details {
    /// Texts trimmed, an empty prize dropped, the title present, lengths within their limits.
    fn checked(self) -> Result<Details, EventRefusal> {
        let details = Details {
            title: self.title.trim().to_owned(),
            description: self.description.trim().to_owned(),
            prize: self
                .prize
                .map(|p| p.trim().to_owned())
                .filter(|p| !p.is_empty()),
            ..self
        };
        let longer = |text: &str, max| text.chars().nth(max).is_some();
        if details.title.is_empty() {
            return Err(EventRefusal::TitleRequired);
        }
        if longer(&details.title, TITLE_MAX) {
            return Err(EventRefusal::TitleTooLong);
        }
        if longer(&details.description, DESCRIPTION_MAX) {
            return Err(EventRefusal::DescriptionTooLong);
        }
        if details
            .prize
            .as_deref()
            .is_some_and(|prize| longer(prize, PRIZE_MAX))
        {
            return Err(EventRefusal::PrizeTooLong);
        }
        Ok(details)
    }

    /// What a published event must have (spec section 5), in the order the spec lists it.
    fn check_publishable(&self) -> Result<(), EventRefusal> {
        if self.title.trim().is_empty() {
            return Err(EventRefusal::TitleRequiredToPublish);
        }
        let start = self
            .start_time
            .ok_or(EventRefusal::StartRequiredToPublish)?;
        let end = self.end_time.ok_or(EventRefusal::EndRequiredToPublish)?;
        if end <= start {
            return Err(EventRefusal::EndNotAfterStart);
        }
        Ok(())
    }
}

/// Where an event is in its life, with what only matters there. Append-only.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Phase {
    Drafted,
    Published,
    /// `ends_at` is the end time, put off by restarts.
    Started {
        at: Millis,
        ends_at: Millis,
    },
    /// `decide_at`: games still under way then are decided by time. `concluded`: the winners are
    /// written and nothing is left to do.
    Ended {
        at: Millis,
        decide_at: Millis,
        concluded: bool,
    },
    Cancelled {
        at: Millis,
    },
}

/// What can be asked of an event. Append-only.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum EventCommand {
    Edit(Details),
    Publish,
    Start,
    End,
    Cancel,
    /// All games are over or decided and the winners written.
    Conclude,
    /// The server is back. `stopped_at` is the time of the last record it had stored.
    ResumeAfterRestart {
        stopped_at: Millis,
    },
}

/// What somebody's registration in an event is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Registration {
    None,
    Registered,
    Eliminated,
}

/// What joining a started event asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Admission {
    Welcome,
    /// An open event: the player is signed up in the same step.
    SignUpFirst,
}

/// Why an event did not do as it was told. It is unchanged then.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum EventRefusal {
    TitleRequired,
    TitleTooLong,
    DescriptionTooLong,
    PrizeTooLong,
    TitleRequiredToPublish,
    StartRequiredToPublish,
    EndRequiredToPublish,
    EndNotAfterStart,
    CannotEdit,
    CannotPublish,
    CannotStart,
    CannotEnd,
    CannotCancel,
    CannotConclude,
    CannotDelete,
    NotOpenYet,
    RegistrationClosed,
    NotStarted,
    TournamentClosed,
    Eliminated,
    Ended,
    Cancelled,
}

impl EventRefusal {
    /// Stable, kebab-case, for programs.
    pub const fn code(self) -> &'static str {
        match self {
            EventRefusal::TitleRequired => "title-required",
            EventRefusal::TitleTooLong => "title-too-long",
            EventRefusal::DescriptionTooLong => "description-too-long",
            EventRefusal::PrizeTooLong => "prize-too-long",
            EventRefusal::TitleRequiredToPublish => "publish-title-required",
            EventRefusal::StartRequiredToPublish => "publish-start-required",
            EventRefusal::EndRequiredToPublish => "publish-end-required",
            EventRefusal::EndNotAfterStart => "end-not-after-start",
            EventRefusal::CannotEdit => "cannot-edit",
            EventRefusal::CannotPublish => "cannot-publish",
            EventRefusal::CannotStart => "cannot-start",
            EventRefusal::CannotEnd => "cannot-end",
            EventRefusal::CannotCancel => "cannot-cancel",
            EventRefusal::CannotConclude => "cannot-conclude",
            EventRefusal::CannotDelete => "cannot-delete",
            EventRefusal::NotOpenYet => "event-not-ready",
            EventRefusal::RegistrationClosed => "registration-closed",
            EventRefusal::NotStarted => "event-not-started",
            EventRefusal::TournamentClosed => "tournament-closed",
            EventRefusal::Eliminated => "eliminated",
            EventRefusal::Ended => "event-ended",
            EventRefusal::Cancelled => "event-cancelled",
        }
    }

    /// For people; the first and the publish rules are the spec's own words.
    pub const fn text(self) -> &'static str {
        match self {
            EventRefusal::TitleRequired => "Event title is required.",
            EventRefusal::TitleTooLong => "Event title may have at most 120 characters.",
            EventRefusal::DescriptionTooLong => "Description may have at most 4000 characters.",
            EventRefusal::PrizeTooLong => "Prize may have at most 200 characters.",
            EventRefusal::TitleRequiredToPublish => "Event title is required to publish.",
            EventRefusal::StartRequiredToPublish => "Start time is required to publish.",
            EventRefusal::EndRequiredToPublish => "End time is required to publish.",
            EventRefusal::EndNotAfterStart => "End time must be after start time.",
            EventRefusal::CannotEdit => "Only a draft or a published event can be edited.",
            EventRefusal::CannotPublish => "Only a draft can be published.",
            EventRefusal::CannotStart => "Only a published event can be started.",
            EventRefusal::CannotEnd => "Only a live event can be ended.",
            EventRefusal::CannotCancel => "Only a published or live event can be cancelled.",
            EventRefusal::CannotConclude => "Only an ended event can be concluded, and only once.",
            EventRefusal::CannotDelete => "Only a draft can be deleted.",
            EventRefusal::NotOpenYet => "This event is not ready yet.",
            EventRefusal::RegistrationClosed => "Registration closed when the event started.",
            EventRefusal::NotStarted => "This event has not started yet.",
            EventRefusal::TournamentClosed => "Tournament Closed",
            EventRefusal::Eliminated => "You've Been Eliminated",
            EventRefusal::Ended => "This event has ended.",
            EventRefusal::Cancelled => "Event Cancelled",
        }
    }
}

impl fmt::Display for EventRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

impl std::error::Error for EventRefusal {}

/// An event as far as the rules go.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Event {
    details: Details,
    phase: Phase,
}

impl Event {
    /// A new event, drafted.
    pub fn draft(details: Details) -> Result<Event, EventRefusal> {
        Ok(Event {
            details: details.checked()?,
            phase: Phase::Drafted,
        })
    }

    /// An event as it was stored.
    pub fn restore(details: Details, phase: Phase) -> Event {
        Event { details, phase }
    }

    pub fn details(&self) -> &Details {
        &self.details
    }

    pub fn phase(&self) -> Phase {
        self.phase
    }

    pub fn state(&self) -> EventState {
        match self.phase {
            Phase::Drafted => EventState::Drafted,
            Phase::Published => EventState::Published,
            Phase::Started { .. } => EventState::Started,
            Phase::Ended { .. } => EventState::Ended,
            Phase::Cancelled { .. } => EventState::Cancelled,
        }
    }

    /// Does as `command` says, or refuses and stays as it was. A published event that is edited
    /// must stay publishable.
    pub fn apply(&mut self, command: &EventCommand, now: Millis) -> Result<(), EventRefusal> {
        match (command, self.phase) {
            (EventCommand::Edit(details), Phase::Drafted) => {
                self.details = details.clone().checked()?;
            }
            (EventCommand::Edit(details), Phase::Published) => {
                details.check_publishable()?;
                self.details = details.clone().checked()?;
            }
            (EventCommand::Publish, Phase::Drafted) => {
                self.details.check_publishable()?;
                self.phase = Phase::Published;
            }
            (EventCommand::Start, Phase::Published) => {
                let ends_at = self
                    .details
                    .end_time
                    .ok_or(EventRefusal::EndRequiredToPublish)?;
                self.phase = Phase::Started { at: now, ends_at };
            }
            (EventCommand::End, Phase::Started { .. }) => {
                let decide_at = now + EVENT_END_GRACE;
                self.phase = Phase::Ended {
                    at: now,
                    decide_at,
                    concluded: false,
                };
            }
            (EventCommand::Cancel, Phase::Published | Phase::Started { .. }) => {
                self.phase = Phase::Cancelled { at: now };
            }
            (
                EventCommand::Conclude,
                Phase::Ended {
                    at,
                    decide_at,
                    concluded: false,
                },
            ) => {
                self.phase = Phase::Ended {
                    at,
                    decide_at,
                    concluded: true,
                };
            }
            (EventCommand::ResumeAfterRestart { stopped_at }, phase) => {
                self.phase = resumed(phase, *stopped_at, now);
            }
            (EventCommand::Edit(_), _) => return Err(EventRefusal::CannotEdit),
            (EventCommand::Publish, _) => return Err(EventRefusal::CannotPublish),
            (EventCommand::Start, _) => return Err(EventRefusal::CannotStart),
            (EventCommand::End, _) => return Err(EventRefusal::CannotEnd),
            (EventCommand::Cancel, _) => return Err(EventRefusal::CannotCancel),
            (EventCommand::Conclude, _) => return Err(EventRefusal::CannotConclude),
        }
        Ok(())
    }

    /// What the event should be told by itself at `now`. Ask again after doing it: an event whose
    /// whole time has passed starts, then ends. [`EventCommand::Conclude`] is due when the games
    /// still under way have to be decided by time; it may come earlier when none is left.
    pub fn due(&self, now: Millis) -> Option<EventCommand> {
        if self.next_due()? > now {
            return None;
        }
        match self.phase {
            Phase::Published => Some(EventCommand::Start),
            Phase::Started { .. } => Some(EventCommand::End),
            Phase::Ended { .. } => Some(EventCommand::Conclude),
            Phase::Drafted | Phase::Cancelled { .. } => None,
        }
    }

    /// When [`Event::due`] will next have something to say.
    pub fn next_due(&self) -> Option<Millis> {
        match self.phase {
            Phase::Published => self.details.start_time,
            Phase::Started { ends_at, .. } => Some(ends_at),
            Phase::Ended {
                decide_at,
                concluded: false,
                ..
            } => Some(decide_at),
            Phase::Ended { .. } | Phase::Drafted | Phase::Cancelled { .. } => None,
        }
    }

    /// Only a draft can be deleted.
    pub fn check_delete(&self) -> Result<(), EventRefusal> {
        match self.phase {
            Phase::Drafted => Ok(()),
            _ => Err(EventRefusal::CannotDelete),
        }
    }

    /// Whether somebody may register or unregister: until the event starts.
    pub fn check_registration(&self) -> Result<(), EventRefusal> {
        match self.phase {
            Phase::Drafted => Err(EventRefusal::NotOpenYet),
            Phase::Published => Ok(()),
            Phase::Started { .. } => Err(EventRefusal::RegistrationClosed),
            Phase::Ended { .. } => Err(EventRefusal::Ended),
            Phase::Cancelled { .. } => Err(EventRefusal::Cancelled),
        }
    }

    /// Whether somebody may join the event to play.
    pub fn check_join(&self, registration: Registration) -> Result<Admission, EventRefusal> {
        match self.phase {
            Phase::Drafted => Err(EventRefusal::NotOpenYet),
            Phase::Published => Err(EventRefusal::NotStarted),
            Phase::Ended { .. } => Err(EventRefusal::Ended),
            Phase::Cancelled { .. } => Err(EventRefusal::Cancelled),
            Phase::Started { .. } => match (registration, self.details.event_type) {
                (Registration::Registered, _) => Ok(Admission::Welcome),
                (Registration::Eliminated, _) => Err(EventRefusal::Eliminated),
                (Registration::None, EventType::Open) => Ok(Admission::SignUpFirst),
                (Registration::None, EventType::Closed) => Err(EventRefusal::TournamentClosed),
            },
        }
    }
}

/// The end of an event is an announced hour, so it gets the grace but is not moved by the length
/// of the outage; the countdown to the deciding of its games is.
fn resumed(phase: Phase, stopped_at: Millis, now: Millis) -> Phase {
    match phase {
        Phase::Started { at, ends_at } => Phase::Started {
            at,
            ends_at: ends_at.max(now) + RESTART_GRACE,
        },
        Phase::Ended {
            at,
            decide_at,
            concluded: false,
        } => {
            let outage = Outage {
                stopped_at: stopped_at.clamp(at, now.max(at)),
                resumed_at: now,
            };
            Phase::Ended {
                at,
                decide_at: outage.postpone(decide_at),
                concluded: false,
            }
        }
        phase => phase,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: Millis = Millis(1_000_000);
    const END: Millis = Millis(4_600_000);

    fn details() -> Details {
        Details {
            title: "Saturday Cup".into(),
            description: "Bring a friend.".into(),
            prize: Some("A cup".into()),
            event_type: EventType::Open,
            start_time: Some(START),
            end_time: Some(END),
            max_losses: DEFAULT_MAX_LOSSES,
        }
    }

    fn event(state: EventState) -> Event {
        let mut event = Event::draft(details()).unwrap();
        let path: &[EventCommand] = match state {
            EventState::Drafted => &[],
            EventState::Published => &[EventCommand::Publish],
            EventState::Started => &[EventCommand::Publish, EventCommand::Start],
            EventState::Ended => &[
                EventCommand::Publish,
                EventCommand::Start,
                EventCommand::End,
            ],
            EventState::Cancelled => &[EventCommand::Publish, EventCommand::Cancel],
        };
        for command in path {
            event.apply(command, START).unwrap();
        }
        assert_eq!(event.state(), state);
        event
    }

    /// What the transition leads to, for all states and all commands.
    fn expected(from: EventState, command: &EventCommand) -> Result<EventState, EventRefusal> {
        use EventState::*;
        match (from, command) {
            (Drafted, EventCommand::Edit(_)) => Ok(Drafted),
            (Published, EventCommand::Edit(_)) => Ok(Published),
            (Drafted, EventCommand::Publish) => Ok(Published),
            (Published, EventCommand::Start) => Ok(Started),
            (Started, EventCommand::End) => Ok(Ended),
            (Published | Started, EventCommand::Cancel) => Ok(Cancelled),
            (Ended, EventCommand::Conclude) => Ok(Ended),
            (state, EventCommand::ResumeAfterRestart { .. }) => Ok(state),
            (_, EventCommand::Edit(_)) => Err(EventRefusal::CannotEdit),
            (_, EventCommand::Publish) => Err(EventRefusal::CannotPublish),
            (_, EventCommand::Start) => Err(EventRefusal::CannotStart),
            (_, EventCommand::End) => Err(EventRefusal::CannotEnd),
            (_, EventCommand::Cancel) => Err(EventRefusal::CannotCancel),
            (_, EventCommand::Conclude) => Err(EventRefusal::CannotConclude),
        }
    }

    #[test]
    fn every_state_answers_every_command_and_a_refusal_changes_nothing() {
        let commands = [
            EventCommand::Edit(details()),
            EventCommand::Publish,
            EventCommand::Start,
            EventCommand::End,
            EventCommand::Cancel,
            EventCommand::Conclude,
            EventCommand::ResumeAfterRestart { stopped_at: START },
        ];
        for from in EventState::ALL {
            for command in &commands {
                let before = event(from);
                let mut after = before.clone();
                let answer = after.apply(command, START + 5).map(|()| after.state());
                assert_eq!(answer, expected(from, command), "{from:?} {command:?}");
                if answer.is_err() {
                    assert_eq!(after, before);
                }
            }
        }
    }

    #[test]
    fn title_is_required_and_texts_are_trimmed() {
        let blank = Details {
            title: " \t".into(),
            ..details()
        };
        let refusal = Event::draft(blank).unwrap_err();
        assert_eq!(refusal.text(), "Event title is required.");

        let padded = Details {
            title: "  Cup ".into(),
            description: " d ".into(),
            prize: Some("  ".into()),
            ..details()
        };
        let event = Event::draft(padded).unwrap();
        assert_eq!(event.details().title, "Cup");
        assert_eq!(event.details().description, "d");
        assert_eq!(event.details().prize, None);
    }

    #[test]
    fn texts_have_limits_in_characters() {
        let long = |n: usize| "é".repeat(n);
        let titled = |n| {
            Event::draft(Details {
                title: long(n),
                ..details()
            })
        };
        assert!(titled(TITLE_MAX).is_ok());
        assert_eq!(titled(TITLE_MAX + 1), Err(EventRefusal::TitleTooLong));
        let described = Details {
            description: long(DESCRIPTION_MAX + 1),
            ..details()
        };
        assert_eq!(
            Event::draft(described),
            Err(EventRefusal::DescriptionTooLong)
        );
        let prized = Details {
            prize: Some(long(PRIZE_MAX + 1)),
            ..details()
        };
        assert_eq!(Event::draft(prized), Err(EventRefusal::PrizeTooLong));
    }

    #[test]
    fn publishing_needs_title_start_and_end_in_the_words_of_the_spec() {
        let publish = |details: Details| {
            let mut event = Event::restore(details, Phase::Drafted);
            event
                .apply(&EventCommand::Publish, START)
                .map_err(EventRefusal::text)
        };
        let cases = [
            (
                Details {
                    title: String::new(),
                    start_time: None,
                    ..details()
                },
                "Event title is required to publish.",
            ),
            (
                Details {
                    start_time: None,
                    end_time: None,
                    ..details()
                },
                "Start time is required to publish.",
            ),
            (
                Details {
                    end_time: None,
                    ..details()
                },
                "End time is required to publish.",
            ),
            (
                Details {
                    end_time: Some(START),
                    ..details()
                },
                "End time must be after start time.",
            ),
        ];
        for (details, text) in cases {
            assert_eq!(publish(details), Err(text));
        }
        assert_eq!(
            publish(Details {
                end_time: Some(START + 1),
                ..details()
            }),
            Ok(())
        );
    }

    #[test]
    fn a_published_event_stays_publishable_when_edited() {
        let mut event = event(EventState::Published);
        let endless = Details {
            end_time: None,
            ..details()
        };
        let refusal = event.apply(&EventCommand::Edit(endless.clone()), START);
        assert_eq!(refusal, Err(EventRefusal::EndRequiredToPublish));
        let mut draft = self::event(EventState::Drafted);
        assert_eq!(draft.apply(&EventCommand::Edit(endless), START), Ok(()));
    }

    #[test]
    fn starts_and_ends_by_itself_at_its_times_once_published() {
        assert_eq!(event(EventState::Drafted).due(END), None);
        let mut event = event(EventState::Published);
        assert_eq!(event.due(START - 1), None);
        assert_eq!(event.due(START), Some(EventCommand::Start));
        event.apply(&EventCommand::Start, START).unwrap();
        assert_eq!(
            (event.due(END - 1), event.due(END)),
            (None, Some(EventCommand::End))
        );
        event.apply(&EventCommand::End, END).unwrap();
        assert_eq!(event.due(END + 59_999), None);
        assert_eq!(event.due(END + 60_000), Some(EventCommand::Conclude));
        event.apply(&EventCommand::Conclude, END + 60_000).unwrap();
        assert_eq!(event.next_due(), None);
    }

    #[test]
    fn an_event_slept_through_starts_then_ends() {
        let mut event = event(EventState::Published);
        let mut told = Vec::new();
        while let Some(command) = event.due(END + 1) {
            event.apply(&command, END + 1).unwrap();
            told.push(command);
        }
        assert_eq!(told, [EventCommand::Start, EventCommand::End]);
    }

    #[test]
    fn a_restart_gives_the_end_of_an_event_20_s_more() {
        let resume = EventCommand::ResumeAfterRestart {
            stopped_at: END + 10_000,
        };
        let mut live = event(EventState::Started);
        live.apply(&resume, START + 1).unwrap();
        assert_eq!(live.next_due(), Some(END + 20_000));

        let mut overdue = event(EventState::Started);
        overdue.apply(&resume, END + 500_000).unwrap();
        assert_eq!(overdue.next_due(), Some(END + 520_000));

        let mut ending = event(EventState::Started);
        ending.apply(&EventCommand::End, END).unwrap();
        ending.apply(&resume, END + 300_000).unwrap();
        assert_eq!(ending.next_due(), Some(END + 300_000 + 50_000 + 20_000));
    }

    #[test]
    fn registration_closes_at_the_start() {
        let answers = EventState::ALL.map(|state| event(state).check_registration());
        assert_eq!(
            answers,
            [
                Err(EventRefusal::NotOpenYet),
                Ok(()),
                Err(EventRefusal::RegistrationClosed),
                Err(EventRefusal::Ended),
                Err(EventRefusal::Cancelled),
            ]
        );
    }

    #[test]
    fn only_drafts_can_be_deleted() {
        for state in EventState::ALL {
            let allowed = event(state).check_delete().is_ok();
            assert_eq!(allowed, state == EventState::Drafted, "{state:?}");
        }
    }

    #[test]
    fn a_started_open_event_signs_up_who_joins_and_a_closed_one_does_not() {
        let open = event(EventState::Started);
        assert_eq!(
            open.check_join(Registration::None),
            Ok(Admission::SignUpFirst)
        );
        assert_eq!(
            open.check_join(Registration::Registered),
            Ok(Admission::Welcome)
        );
        assert_eq!(
            open.check_join(Registration::Eliminated),
            Err(EventRefusal::Eliminated)
        );

        let details = Details {
            event_type: EventType::Closed,
            ..details()
        };
        let closed = Event::restore(details, open.phase());
        let refusal = closed.check_join(Registration::None).unwrap_err();
        assert_eq!(refusal.text(), "Tournament Closed");
        assert_eq!(
            closed.check_join(Registration::Registered),
            Ok(Admission::Welcome)
        );

        for state in EventState::ALL
            .into_iter()
            .filter(|&state| state != EventState::Started)
        {
            assert!(
                event(state).check_join(Registration::Registered).is_err(),
                "{state:?}"
            );
        }
    }

    #[test]
    fn names_of_the_wire_are_read_back() {
        for state in EventState::ALL {
            assert_eq!(EventState::parse(state.as_str()), Some(state));
        }
        assert_eq!(EventType::parse("open"), Some(EventType::Open));
        assert_eq!(EventType::parse("closed"), Some(EventType::Closed));
        assert_eq!(
            (EventState::parse("live"), EventType::parse("")),
            (None, None)
        );
    }
}
