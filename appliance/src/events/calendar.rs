//! Events as iCalendar files (RFC 5545).

use chrono::TimeDelta;
use icalendar::{Calendar, Component, Event as Entry, EventLike, EventStatus};
use morpion_rules::{EventId, UserId};
use morpion_store::{EventRow, EventState};

use super::{Events, error::EventError};
use crate::{account::calendars::CalendarEntry, caller::Caller, config::Origin, error::CommonError};

impl Events {
    /// The event for a user's calendar, with a link to its page.
    ///
    /// # Errors
    /// [`CommonError::NotFound`], also for an event that has no times yet.
    pub async fn calendar(&self, caller: &Caller, id: EventId, origin: &Origin) -> Result<String, EventError> {
        let row = self.row(caller, id).await?;
        calendar(&row, origin).ok_or(CommonError::NotFound("event").into())
    }

    /// The event of a private event's calendar file, for whoever has its token: `is_token` says so of the join code.
    ///
    /// # Errors
    /// [`CommonError::NotFound`], also for an event without times, a public one, and a token of another one.
    pub async fn calendar_by_token(
        &self,
        id: EventId,
        is_token: impl FnOnce(&str) -> bool,
        origin: &Origin,
    ) -> Result<String, EventError> {
        let runtime = match self.is_private(id) {
            true => Some(self.runtime(id).await?),
            false => None,
        };
        let row = runtime.map(|runtime| runtime.state.lock().row(id));
        let row = row.filter(|row| row.join_code.as_deref().is_some_and(is_token));
        row.and_then(|row| calendar(&row, origin)).ok_or(CommonError::NotFound("event").into())
    }

    /// Whether somebody is told of the calendar file of a private event: its host, and who has entered.
    pub fn is_in_private(&self, id: EventId, user: UserId) -> bool {
        self.registry.loaded(id).is_some_and(|runtime| runtime.is_private() && runtime.admits_user(user))
    }

    /// The event for a connected calendar; `None` when it is over or has no times yet.
    pub fn calendar_entry(&self, id: EventId, origin: &Origin) -> Option<CalendarEntry> {
        let row = self.registry.loaded(id)?.state.lock().row(id);
        Some(CalendarEntry {
            event_id: row.id,
            starts_at: row.start_time?,
            ends_at: row.end_time?,
            url: page(&row, origin),
            title: row.title,
            description: row.description,
        })
    }
}

fn page(row: &EventRow, origin: &Origin) -> String {
    format!("{origin}/app/events/view/{}", row.id)
}

/// How often a feed is to be asked for again.
const FEED_EVERY: TimeDelta = TimeDelta::hours(1);

fn calendar(row: &EventRow, origin: &Origin) -> Option<String> {
    Some(Calendar::new().name("Morpion").push(entry(row, origin)?).done().to_string())
}

/// The events of a series, for calendars that ask again. Each is what its own file says of it.
pub(super) fn feed(name: &str, events: &[EventRow], origin: &Origin) -> String {
    let mut feed = Calendar::new();
    feed.name(name).ttl(&FEED_EVERY);
    feed.extend(events.iter().filter_map(|row| entry(row, origin)));
    feed.to_string()
}

fn entry(row: &EventRow, origin: &Origin) -> Option<Entry> {
    let (starts, ends) = (row.start_time?, row.end_time?);
    let page = page(row, origin);
    // Stored before line breaks were made alike; others than `\n` and control characters have no place in the file.
    let mut description = row.description.replace("\r\n", "\n").replace('\r', "\n");
    description.retain(|character| !character.is_control() || matches!(character, '\n' | '\t'));
    if let Some(prize) = &row.prize {
        description.push_str(&format!("\n\nPrize: {prize}"));
    }
    description.push_str(&format!("\n\n{page}"));
    let entry = Entry::new()
        .uid(&format!("{}@morpion", row.id))
        // Clients take the entry with the highest number.
        .sequence(u32::try_from(row.version).unwrap_or(u32::MAX))
        .timestamp(row.updated_at)
        .last_modified(row.updated_at)
        .summary(&row.title)
        .description(description.trim())
        .url(&page)
        .starts(starts)
        .ends(ends)
        .status(if row.state == EventState::Cancelled { EventStatus::Cancelled } else { EventStatus::Confirmed })
        .done();
    Some(entry)
}
