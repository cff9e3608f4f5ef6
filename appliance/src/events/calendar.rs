//! An event as an iCalendar file (RFC 5545).

use icalendar::{Calendar, Component, Event as Entry, EventLike, EventStatus};
use morpion_rules::EventId;
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

fn calendar(row: &EventRow, origin: &Origin) -> Option<String> {
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
        .summary(&row.title)
        .description(description.trim())
        .url(&page)
        .starts(starts)
        .ends(ends)
        .status(if row.state == EventState::Cancelled { EventStatus::Cancelled } else { EventStatus::Confirmed })
        .done();
    Some(Calendar::new().name("Morpion").push(entry).done().to_string())
}
