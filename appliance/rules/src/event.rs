//! The life of an event: `docs/behaviour/events.md#life-of-an-event`.
//!
//! ```text
//! drafted ──publish──▶ published ──start──▶ started ──end──▶ ended ──conclude (winners written)
//!    │                     │                   │              ▲  reopen, conclude (a correction)
//!  delete                  └──────cancel───────┴──▶ cancelled
//! ```
//!
//! Everything else is refused with a named refusal. Only drafted and published events can be edited; registration is
//! open exactly while an event is published. A concluded event that is reopened for a correction stays ended: nobody
//! plays in it.

mod details;
pub mod entry;
mod refusal;

use crate::{
    clock::{EVENT_END_GRACE, Millis, Outage, RESTART_GRACE, Times},
    text::{composed, is_visible},
};
use serde::{Deserialize, Serialize};

pub use details::{
    CHECK_IN_MAX, DEFAULT_MAX_LOSSES, DESCRIPTION_MAX, Details, EventType, PRIZE_MAX, Stages, TITLE_MAX,
};
pub use refusal::EventRefusal;

/// Characters an announcement may have: it should be short.
pub const ANNOUNCEMENT_MAX: usize = 280;
/// Announcements an event keeps, the latest.
pub const ANNOUNCEMENTS_KEPT: usize = 20;

/// An open event in which nobody can be paired any more waits for newcomers for so many milliseconds.
pub const UNPAIRED_LIMIT: i64 = 5 * 60_000;

/// After a stop of the server the start waits for those who could not check in: as long as they could not, in milliseconds at
/// least and at most.
const CHECK_IN_GRACE: (i64, i64) = (60_000, 5 * 60_000);

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
    pub const ALL: [EventState; 5] =
        [EventState::Drafted, EventState::Published, EventState::Started, EventState::Ended, EventState::Cancelled];

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
        EventState::ALL.into_iter().find(|state| state.as_str() == name)
    }
}

/// The phase of an event, with the data that only matters there. Append-only.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Phase {
    Drafted,
    Published,
    /// `ends_at` is the end time, postponed by restarts.
    Started {
        at: Millis,
        ends_at: Millis,
    },
    /// `decide_at`: games still active then, in play time, are decided by time. `concluded`: the winners are written
    /// and nothing is left to do.
    Ended {
        at: Millis,
        decide_at: Millis,
        concluded: bool,
    },
    Cancelled {
        at: Millis,
    },
    /// It was concluded, and an admin corrects it; `at` is when it ended.
    Reopened {
        at: Millis,
    },
}

/// Commands to an event. Append-only.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum EventCommand {
    Edit(Box<Details>),
    Publish,
    Start,
    End,
    Cancel,
    /// All games are over or decided and the winners written.
    Conclude,
    /// The server was restarted or runs again. `stopped_at` is the play time of its last stored record.
    ResumeAfterRestart {
        stopped_at: Millis,
    },
    /// A concluded event is opened for corrections.
    Reopen,
    /// An event that is published or has started ends at another time.
    Extend(Millis),
}

/// A user's registration in an event.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Registration {
    None,
    Registered,
    Eliminated,
    /// Signed up, but was not there when those who were checked in; may come late.
    NotCheckedIn,
    /// Removed by an admin.
    Removed,
}

/// What joining a started event requires.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Admission {
    Allowed,
    /// An open event: the player is signed up, or comes without having checked in, in the same step.
    SignUpFirst,
}

/// An event, as the rules see it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Event {
    details: Details,
    phase: Phase,
    started_at: Option<Millis>,
}

impl Event {
    /// A new event, drafted.
    pub fn draft(details: Details) -> Result<Event, EventRefusal> {
        Ok(Event { details: details.checked()?, phase: Phase::Drafted, started_at: None })
    }

    /// An event as it was stored. `started_at` is known of one that was started.
    pub fn restore(details: Details, phase: Phase, started_at: Option<Millis>) -> Event {
        Event { details, phase, started_at }
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
            Phase::Ended { .. } | Phase::Reopened { .. } => EventState::Ended,
            Phase::Cancelled { .. } => EventState::Cancelled,
        }
    }

    /// The text of an announcement, validated and trimmed.
    pub fn announcement(&self, message: &str) -> Result<String, EventRefusal> {
        let message = composed(message);
        if self.phase == Phase::Drafted {
            return Err(EventRefusal::NotOpenYet);
        }
        if message.is_empty() {
            return Err(EventRefusal::MessageRequired);
        }
        if message.chars().nth(ANNOUNCEMENT_MAX).is_some() {
            return Err(EventRefusal::MessageTooLong);
        }
        if !message.split('\n').all(is_visible) {
            return Err(EventRefusal::MessageInvisible);
        }
        Ok(message)
    }

    /// When it was started, whatever was planned.
    pub fn started_at(&self) -> Option<Millis> {
        self.started_at
    }

    /// When it ended or was cancelled, whatever was planned.
    pub fn ended_at(&self) -> Option<Millis> {
        match self.phase {
            Phase::Ended { at, .. } | Phase::Reopened { at } | Phase::Cancelled { at } => Some(at),
            Phase::Drafted | Phase::Published | Phase::Started { .. } => None,
        }
    }

    /// Nothing changes any more, unless an admin reopens it.
    pub fn is_concluded(&self) -> bool {
        matches!(self.phase, Phase::Ended { concluded: true, .. } | Phase::Cancelled { .. })
    }

    /// Applies `command`, or refuses and stays unchanged. A published event that is edited must stay publishable.
    pub fn apply(&mut self, command: &EventCommand, now: impl Into<Times>) -> Result<(), EventRefusal> {
        let Times { calendar, steady } = now.into();
        match (command, self.phase) {
            (EventCommand::Edit(details), Phase::Drafted) => {
                self.details = Details::clone(details).checked()?;
            }
            (EventCommand::Edit(details), Phase::Published) => {
                details.check_publishable(calendar)?;
                self.details = Details::clone(details).checked()?;
            }
            (EventCommand::Publish, Phase::Drafted) => {
                self.details.check_publishable(calendar)?;
                self.phase = Phase::Published;
            }
            (EventCommand::Start, Phase::Published) => {
                let ends_at = self.details.end_time.ok_or(EventRefusal::EndRequiredToPublish)?;
                self.phase = Phase::Started { at: calendar, ends_at };
                self.started_at = Some(calendar);
            }
            (EventCommand::End, Phase::Started { .. }) => {
                let decide_at = steady + EVENT_END_GRACE;
                self.phase = Phase::Ended { at: calendar, decide_at, concluded: false };
            }
            (EventCommand::Cancel, Phase::Published | Phase::Started { .. }) => {
                self.phase = Phase::Cancelled { at: calendar };
            }
            (EventCommand::Conclude, Phase::Ended { at, decide_at, concluded: false }) => {
                self.phase = Phase::Ended { at, decide_at, concluded: true };
            }
            (EventCommand::Reopen, Phase::Ended { at, concluded: true, .. }) => {
                self.phase = Phase::Reopened { at };
            }
            (EventCommand::Conclude, Phase::Reopened { at }) => {
                self.phase = Phase::Ended { at, decide_at: at, concluded: true };
            }
            (EventCommand::ResumeAfterRestart { stopped_at }, phase) => {
                self.phase = resumed(phase, *stopped_at, Times { calendar, steady });
            }
            (EventCommand::Extend(end), Phase::Published | Phase::Started { .. }) => {
                let details = Details { end_time: Some(*end), ..self.details.clone() };
                details.check_publishable(calendar)?;
                if details.round_times.last().is_some_and(|last| last >= end) {
                    return Err(EventRefusal::EndBeforeRounds);
                }
                self.details = details;
                if let Phase::Started { at, .. } = self.phase {
                    self.phase = Phase::Started { at, ends_at: *end };
                }
            }
            (EventCommand::Edit(_) | EventCommand::Extend(_), _) => return Err(EventRefusal::CannotEdit),
            (EventCommand::Publish, _) => return Err(EventRefusal::CannotPublish),
            (EventCommand::Start, _) => return Err(EventRefusal::CannotStart),
            (EventCommand::End, _) => return Err(EventRefusal::CannotEnd),
            (EventCommand::Cancel, _) => return Err(EventRefusal::CannotCancel),
            (EventCommand::Conclude, _) => return Err(EventRefusal::CannotConclude),
            (EventCommand::Reopen, _) => return Err(EventRefusal::CannotReopen),
        }
        Ok(())
    }

    /// The command that is due at `now`. Ask again after applying it: an event whose whole time has passed starts, then
    /// ends. [`EventCommand::Conclude`] is due when the games still active have to be decided by time; it may come
    /// earlier when none is left.
    pub fn due(&self, now: impl Into<Times>) -> Option<EventCommand> {
        if self.due_in(now)? > 0 {
            return None;
        }
        match self.phase {
            Phase::Published => Some(EventCommand::Start),
            Phase::Started { .. } => Some(EventCommand::End),
            Phase::Ended { .. } => Some(EventCommand::Conclude),
            Phase::Drafted | Phase::Cancelled { .. } | Phase::Reopened { .. } => None,
        }
    }

    /// Milliseconds until [`Event::due`] returns a command; 0 or less when it does now.
    pub fn due_in(&self, now: impl Into<Times>) -> Option<i64> {
        let now = now.into();
        let now = if self.state() == EventState::Ended { now.steady } else { now.calendar };
        Some(self.next_due()? - now)
    }

    /// When [`Event::due`] will next return a command: calendar time, but play time for an event that has ended.
    pub fn next_due(&self) -> Option<Millis> {
        match self.phase {
            Phase::Published => self.details.start_time,
            Phase::Started { ends_at, .. } => Some(ends_at),
            Phase::Ended { decide_at, concluded: false, .. } => Some(decide_at),
            Phase::Ended { .. } | Phase::Drafted | Phase::Cancelled { .. } | Phase::Reopened { .. } => None,
        }
    }

    /// When a started event ends because nobody in it can be paired any more `since` then, in play time: at once if it takes
    /// no newcomers, else after [`UNPAIRED_LIMIT`]. To be asked of one in which somebody has played: before, its players
    /// are still to come.
    pub fn ends_unpaired(&self, since: Millis) -> Option<Millis> {
        match (self.phase, self.details.event_type) {
            (Phase::Started { .. }, EventType::Closed) => Some(since),
            (Phase::Started { .. }, EventType::Open) => Some(since + UNPAIRED_LIMIT),
            _ => None,
        }
    }

    /// Whether it is played now.
    pub fn check_under_way(&self) -> Result<(), EventRefusal> {
        match self.phase {
            Phase::Started { .. } => Ok(()),
            Phase::Drafted => Err(EventRefusal::NotOpenYet),
            Phase::Published => Err(EventRefusal::NotStarted),
            Phase::Ended { .. } | Phase::Reopened { .. } => Err(EventRefusal::Ended),
            Phase::Cancelled { .. } => Err(EventRefusal::Cancelled),
        }
    }

    /// Whether standings may be corrected and players removed: until the winners are final.
    pub fn check_correction(&self) -> Result<(), EventRefusal> {
        match self.phase {
            Phase::Ended { concluded: true, .. } => Err(EventRefusal::Concluded),
            _ => Ok(()),
        }
    }

    /// A draft with the details of this event, marked as a copy. Times in the past are left out.
    pub fn duplicate(&self, now: Millis) -> Event {
        const MARK: &str = " (copy)";
        let title: String = self.details.title.chars().take(TITLE_MAX - MARK.len()).collect();
        let is_over = self.details.end_time.is_none_or(|end| end <= now);
        let times = if is_over { (None, None) } else { (self.details.start_time, self.details.end_time) };
        let round_times = if is_over { vec![] } else { self.details.round_times.clone() };
        let title = format!("{}{MARK}", title.trim_end());
        // Others may come, of whom nobody has said anything.
        let details = Details {
            title,
            start_time: times.0,
            end_time: times.1,
            round_times,
            rated_on_one_network: false,
            ..self.details.clone()
        };
        Event { details, phase: Phase::Drafted, started_at: None }
    }

    /// Only a draft can be deleted.
    pub fn check_delete(&self) -> Result<(), EventRefusal> {
        match self.phase {
            Phase::Drafted => Ok(()),
            _ => Err(EventRefusal::CannotDelete),
        }
    }

    /// Whether a user may register or unregister: until the event starts.
    pub fn check_registration(&self, registration: Registration) -> Result<(), EventRefusal> {
        match self.phase {
            Phase::Published if registration == Registration::Removed => Err(EventRefusal::Removed),
            Phase::Drafted => Err(EventRefusal::NotOpenYet),
            Phase::Published => Ok(()),
            Phase::Started { .. } => Err(EventRefusal::RegistrationClosed),
            Phase::Ended { .. } | Phase::Reopened { .. } => Err(EventRefusal::Ended),
            Phase::Cancelled { .. } => Err(EventRefusal::Cancelled),
        }
    }

    /// Whether those who signed up may check in now, or take that back; `now` is calendar time.
    pub fn check_check_in(&self, now: Millis) -> Result<(), EventRefusal> {
        match self.phase {
            Phase::Drafted => Err(EventRefusal::NotOpenYet),
            Phase::Ended { .. } | Phase::Reopened { .. } => Err(EventRefusal::Ended),
            Phase::Cancelled { .. } => Err(EventRefusal::Cancelled),
            Phase::Published | Phase::Started { .. } => match (self.details.check_in_opens(), self.phase) {
                (None, _) => Err(EventRefusal::NoCheckIn),
                (Some(_), Phase::Started { .. }) => Err(EventRefusal::CheckInClosed),
                (Some(opens), _) if now < opens => Err(EventRefusal::CheckInNotOpen),
                (Some(_), _) => Ok(()),
            },
        }
    }

    /// After a stop of the server, in which it was down for `down_for` milliseconds: how long the start waits for those who could
    /// not check in meanwhile; `None` where nobody could.
    pub fn check_in_grace(&self, down_for: i64, now: Millis) -> Option<i64> {
        self.check_check_in(now).ok()?;
        let open_for = now - self.details.check_in_opens()?;
        Some(down_for.min(open_for).clamp(CHECK_IN_GRACE.0, CHECK_IN_GRACE.1))
    }

    /// Whether only those play from the start who have checked in: it has started, and not before they could.
    pub fn has_asked_to_check_in(&self) -> bool {
        let opens = self.details.check_in_opens();
        self.started_at.zip(opens).is_some_and(|(started, opens)| started >= opens)
    }

    /// Whether a user may join the event to play.
    pub fn check_join(&self, registration: Registration) -> Result<Admission, EventRefusal> {
        match self.phase {
            Phase::Drafted => Err(EventRefusal::NotOpenYet),
            Phase::Published => Err(EventRefusal::NotStarted),
            Phase::Ended { .. } | Phase::Reopened { .. } => Err(EventRefusal::Ended),
            Phase::Cancelled { .. } => Err(EventRefusal::Cancelled),
            Phase::Started { .. } => match (registration, self.details.event_type) {
                (Registration::Registered, _) => Ok(Admission::Allowed),
                (Registration::Eliminated, _) => Err(EventRefusal::Eliminated),
                (Registration::Removed, _) => Err(EventRefusal::Removed),
                (Registration::None | Registration::NotCheckedIn, EventType::Open) => Ok(Admission::SignUpFirst),
                (Registration::None, EventType::Closed) => Err(EventRefusal::TournamentClosed),
                (Registration::NotCheckedIn, EventType::Closed) => Err(EventRefusal::NotCheckedIn),
            },
        }
    }
}

/// The end of an event is an announced time, so it gets the grace but is not postponed by the length of the outage; the
/// deadline for deciding its games is.
fn resumed(phase: Phase, stopped_at: Millis, now: Times) -> Phase {
    match phase {
        Phase::Started { at, ends_at } => Phase::Started { at, ends_at: ends_at.max(now.calendar) + RESTART_GRACE },
        Phase::Ended { at, decide_at, concluded: false } => {
            // No more is left than there can have been.
            let stopped_at = stopped_at.min(now.steady).max(decide_at - EVENT_END_GRACE - RESTART_GRACE);
            let outage = Outage { stopped_at, resumed_at: now.steady };
            Phase::Ended { at, decide_at: outage.postpone(decide_at), concluded: false }
        }
        phase => phase,
    }
}
