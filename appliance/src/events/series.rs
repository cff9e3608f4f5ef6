//! Series: events made from a template on a schedule, with a table over all of them. `docs/behaviour/series.md`.
//!
//! A series makes the events of its next dates some time ahead, each published at once, and never more than one for a date: that
//! the date has its event is stored with it. What then becomes of an event is like that of any other.

pub mod recurrence;
pub mod table;

use std::{collections::HashMap, ops::RangeInclusive, time::Duration};

use chrono::{DateTime, TimeDelta, Utc};
use morpion_openapi::{Page, PageRequest};
use morpion_rules::{
    EventId, Millis,
    event::{DESCRIPTION_MAX, Details, Event, EventCommand, EventState, TITLE_MAX},
    text::{composed, is_visible},
};
use morpion_store::{AuditEntry, EventRow, EventState as StoredState, SeriesRow, StoreError};
use parking_lot::Mutex;
use serde_json::json;
use tokio::time::{MissedTickBehavior, interval};
use uuid::Uuid;

use super::{Events, convert, error::EventError, lifecycle::vouch, views::EventView};
use crate::{
    background,
    clock::millis,
    config::Origin,
    error::{CommonError, FieldErrors},
};
use recurrence::{Occurrence, Recurrence};

/// Series that make events at once: looking what is due takes less than a millisecond for each.
pub const MOST_RUNNING: usize = 100;

/// Events of a series that have not begun: as many as anybody looks ahead.
const MOST_AHEAD: usize = 20;

/// Days before the start in which an event may be made.
pub const DAYS_AHEAD: RangeInclusive<u32> = 1..=90;

/// Minutes of an event: a week.
pub const DURATION: RangeInclusive<u32> = 1..=7 * 24 * 60;

/// Places that may be worth something.
pub const MOST_PLACES: usize = 64;

/// Points of a place.
pub const MOST_POINTS: u32 = 1_000;

/// Events of a series that are looked at, those of the latest dates: a weekly one of four years.
pub const MOST_EVENTS: usize = 200;

/// Events that a series' page shows, of those to come and of those that are over.
pub const SHOWN_EVENTS: usize = 20;

/// Next dates that are told.
pub const SHOWN_DATES: usize = 5;

/// How often it is looked which events are due; they are made days ahead.
const LOOK_EVERY: Duration = Duration::from_secs(15);

/// What all series share.
#[derive(Debug, Default)]
pub(super) struct SeriesShared {
    /// Held while series are changed and while events are made of them.
    turn: tokio::sync::Mutex<()>,
    /// The version of each series and when it next has an event to make; a series that is absent is checked.
    due: Mutex<HashMap<Uuid, (i64, DateTime<Utc>)>>,
    pub(super) tables: table::Tables,
}

/// The fields of a series that an admin sets.
#[derive(Debug, Clone)]
pub struct SeriesPlan {
    pub name: String,
    pub description: String,
    /// Without times.
    pub template: Details,
    pub duration_minutes: u32,
    pub first_start: String,
    pub time_zone: String,
    pub rule: String,
    pub points: Vec<u32>,
    pub days_ahead: u32,
}

/// The changed fields of a series; the template is replaced as a whole.
#[derive(Debug, Clone, Default)]
pub struct SeriesChange {
    pub name: Option<String>,
    pub description: Option<String>,
    pub template: Option<Details>,
    pub duration_minutes: Option<u32>,
    pub first_start: Option<String>,
    pub time_zone: Option<String>,
    pub rule: Option<String>,
    pub points: Option<Vec<u32>>,
    pub days_ahead: Option<u32>,
}

/// A series, as callers may see it.
#[derive(Debug, Clone)]
pub struct SeriesView {
    pub row: SeriesRow,
    /// The event in its template.
    pub template: EventView,
    /// The next dates; none of a series that was ended.
    pub next: Vec<Occurrence>,
}

/// A series with its events.
#[derive(Debug, Clone)]
pub struct SeriesPage {
    pub series: SeriesView,
    /// The first first.
    pub upcoming: Vec<EventView>,
    /// The latest first.
    pub past: Vec<EventView>,
}

impl SeriesPlan {
    fn of(row: &SeriesRow) -> Self {
        Self {
            name: row.name.clone(),
            description: row.description.clone(),
            template: convert::event(&row.template).details().clone(),
            duration_minutes: convert::count(row.duration_minutes),
            first_start: row.first_start.clone(),
            time_zone: row.time_zone.clone(),
            rule: row.rule.clone(),
            points: row.points.iter().copied().map(convert::count).collect(),
            days_ahead: convert::count(row.days_ahead),
        }
    }

    fn changed(self, change: SeriesChange) -> Self {
        Self {
            name: change.name.unwrap_or(self.name),
            description: change.description.unwrap_or(self.description),
            template: change.template.unwrap_or(self.template),
            duration_minutes: change.duration_minutes.unwrap_or(self.duration_minutes),
            first_start: change.first_start.unwrap_or(self.first_start),
            time_zone: change.time_zone.unwrap_or(self.time_zone),
            rule: change.rule.unwrap_or(self.rule),
            points: change.points.unwrap_or(self.points),
            days_ahead: change.days_ahead.unwrap_or(self.days_ahead),
        }
    }

    /// Writes the plan into a row, checked and as it is stored.
    fn fill(self, row: &mut SeriesRow, actor: &str, now: DateTime<Utc>) -> Result<(), EventError> {
        let mut errors = FieldErrors::default();
        let name = errors.check("name", checked_name(&self.name));
        let description = self.description.trim().replace("\r\n", "\n").replace('\r', "\n");
        let is_long = description.chars().nth(DESCRIPTION_MAX).is_some();
        let description = match is_long {
            true => Err(format!("At most {DESCRIPTION_MAX} characters.")),
            false => Ok(description),
        };
        let description = errors.check("description", description);
        errors.check("durationMinutes", within(self.duration_minutes, DURATION));
        errors.check("daysAhead", within(self.days_ahead, DAYS_AHEAD));
        errors.check("points", check_points(&self.points));
        let recurrence = match Recurrence::new(&self.first_start, &self.time_zone, &self.rule) {
            Ok(recurrence) => Some(recurrence),
            Err(CommonError::Invalid(wrong)) => {
                errors.0.extend(wrong.0);
                None
            }
            Err(error) => return Err(error.into()),
        };
        let (Some(name), Some(description), Some(recurrence), true) =
            (name, description, recurrence, errors.0.is_empty())
        else {
            return Err(CommonError::from(errors).into());
        };
        let template = Event::draft(Details { start_time: None, end_time: None, ..self.template })?;
        let receipt = row.template.vouch.take();
        convert::fill(&mut row.template, &template, millis(now));
        row.template.vouch = vouch(&template, receipt, actor, now);
        row.name = name;
        row.description = description;
        row.duration_minutes = self.duration_minutes.into();
        row.first_start = recurrence.first_start();
        row.time_zone = recurrence.time_zone().to_owned();
        row.rule = recurrence.rule().to_owned();
        row.points = self.points.into_iter().map(i64::from).collect();
        row.days_ahead = self.days_ahead.into();
        row.updated_at = now;
        Ok(())
    }
}

fn checked_name(name: &str) -> Result<String, String> {
    let name = composed(name);
    if name.is_empty() || name.chars().nth(TITLE_MAX).is_some() || !is_visible(&name) {
        return Err(format!("A series needs a name of 1 to {TITLE_MAX} characters."));
    }
    Ok(name)
}

fn within(number: u32, range: RangeInclusive<u32>) -> Result<(), String> {
    match range.contains(&number) {
        true => Ok(()),
        false => Err(format!("From {} to {}.", range.start(), range.end())),
    }
}

fn check_points(points: &[u32]) -> Result<(), String> {
    if points.is_empty() || points.len() > MOST_PLACES || points.iter().any(|points| *points > MOST_POINTS) {
        return Err(format!("Points for 1 to {MOST_PLACES} places, each at most {MOST_POINTS}."));
    }
    if points.first() == Some(&0) {
        return Err("The first place is worth something.".to_owned());
    }
    if !points.is_sorted_by(|better, worse| better >= worse) {
        return Err("No place is worth more than a better one.".to_owned());
    }
    Ok(())
}

fn recurrence(row: &SeriesRow) -> Result<Recurrence, CommonError> {
    Recurrence::new(&row.first_start, &row.time_zone, &row.rule)
}

fn empty_row(id: Uuid, now: DateTime<Utc>) -> SeriesRow {
    SeriesRow {
        id,
        name: String::new(),
        description: String::new(),
        template: convert::empty_row(EventId(id), now),
        duration_minutes: 0,
        first_start: String::new(),
        time_zone: String::new(),
        rule: String::new(),
        points: vec![],
        days_ahead: 0,
        ended_at: None,
        created_at: now,
        updated_at: now,
        version: 1,
    }
}

impl Events {
    /// Makes a series, and the events that are due.
    ///
    /// # Errors
    /// [`CommonError::Invalid`] for what does not fit; [`EventError::Refused`] for its template; [`EventError::TooManySeries`].
    pub async fn create_series(&self, plan: SeriesPlan, mut audit: AuditEntry) -> Result<SeriesView, EventError> {
        let _turn = self.registry.series.turn.lock().await;
        let now = self.today();
        let mut row = empty_row(Uuid::new_v4(), now);
        plan.fill(&mut row, &audit.actor, now)?;
        let (_, running) = self.store().series_page(true, 0, 1).await?;
        if running >= MOST_RUNNING as u64 {
            return Err(EventError::TooManySeries);
        }
        audit.target = row.id.to_string();
        audit.detail["name"] = row.name.clone().into();
        self.store().audited(audit).create_series(&row).await?;
        self.make_events_of(&row).await?;
        self.series_view(row).await
    }

    /// Changes a series that has not ended. Changes apply to events that are not made yet.
    ///
    /// # Errors
    /// [`CommonError::NotFound`]; [`EventError::SeriesEnded`]; as [`Events::create_series`].
    pub async fn update_series(
        &self,
        id: Uuid,
        change: SeriesChange,
        audit: AuditEntry,
    ) -> Result<SeriesView, EventError> {
        let _turn = self.registry.series.turn.lock().await;
        let mut row = self.running_series(id).await?;
        SeriesPlan::of(&row).changed(change).fill(&mut row, &audit.actor, self.today())?;
        row.version += 1;
        self.store().audited(audit).update_series(&row).await?;
        self.make_events_of(&row).await?;
        self.series_view(row).await
    }

    /// Ends a series: it makes no more events. Those that it made stay as they are.
    ///
    /// # Errors
    /// [`CommonError::NotFound`]; [`EventError::SeriesEnded`].
    pub async fn end_series(&self, id: Uuid, audit: AuditEntry) -> Result<SeriesView, EventError> {
        let _turn = self.registry.series.turn.lock().await;
        let mut row = self.running_series(id).await?;
        let now = self.today();
        row.ended_at = Some(now);
        row.updated_at = now;
        row.version += 1;
        self.store().audited(audit).update_series(&row).await?;
        self.registry.series.due.lock().remove(&id);
        self.series_view(row).await
    }

    /// Deletes a series that has made no event.
    ///
    /// # Errors
    /// [`CommonError::NotFound`]; [`EventError::SeriesHasEvents`].
    pub async fn delete_series(&self, id: Uuid, audit: AuditEntry) -> Result<(), EventError> {
        let _turn = self.registry.series.turn.lock().await;
        self.series_row(id).await?;
        match self.store().audited(audit).delete_series(id).await {
            Err(StoreError::Changed(_)) => Err(EventError::SeriesHasEvents),
            outcome => Ok(outcome?),
        }
    }

    /// Series that make events, or those that were ended, the newest first.
    ///
    /// # Errors
    /// The store is unavailable.
    pub async fn list_series(&self, is_ended: bool, page: PageRequest) -> Result<Page<SeriesView>, EventError> {
        let offset = usize::try_from(page.offset()).unwrap_or(usize::MAX);
        let (found, total_count) = self.store().series_page(!is_ended, offset, page.limit as usize).await?;
        let mut rows = Vec::with_capacity(found.len());
        for row in found {
            rows.push(self.series_view(row).await?);
        }
        Ok(Page { rows, total_count })
    }

    /// A series with its events.
    ///
    /// # Errors
    /// [`CommonError::NotFound`].
    pub async fn series(&self, id: Uuid) -> Result<SeriesPage, EventError> {
        let series = self.series_view(self.series_row(id).await?).await?;
        let (past, mut upcoming): (Vec<EventRow>, Vec<EventRow>) = self
            .store()
            .events_of_series(id, MOST_EVENTS)
            .await?
            .into_iter()
            .partition(|row| matches!(row.state, StoredState::Ended | StoredState::Cancelled));
        upcoming.sort_by_key(|row| (row.start_time, row.id));
        upcoming.truncate(SHOWN_EVENTS);
        let past = past.into_iter().take(SHOWN_EVENTS).collect();
        Ok(SeriesPage { series, upcoming: self.shown(upcoming).await?, past: self.shown(past).await? })
    }

    /// A series' name; `None` for an unknown one.
    ///
    /// # Errors
    /// The store is unavailable.
    pub async fn series_name(&self, id: Uuid) -> Result<Option<String>, EventError> {
        Ok(self.store().series(id).await?.map(|row| row.name))
    }

    /// The next dates by a rule that is not stored.
    ///
    /// # Errors
    /// [`CommonError::Invalid`].
    pub fn preview_series(&self, first: &str, zone: &str, rule: &str) -> Result<Vec<Occurrence>, EventError> {
        let recurrence = Recurrence::new(first, zone, rule)?;
        Ok(recurrence.after(self.today()).take(SHOWN_DATES).collect())
    }

    /// The events of a series as an iCalendar file that is asked for again and again.
    ///
    /// # Errors
    /// [`CommonError::NotFound`].
    pub async fn series_calendar(&self, id: Uuid, origin: &Origin) -> Result<String, EventError> {
        let series = self.series_row(id).await?;
        let events = self.store().events_of_series(id, MOST_EVENTS).await?;
        Ok(super::calendar::feed(&series.name, &events, origin))
    }

    pub(super) async fn series_row(&self, id: Uuid) -> Result<SeriesRow, EventError> {
        Ok(self.store().series(id).await?.ok_or(CommonError::NotFound("series"))?)
    }

    async fn running_series(&self, id: Uuid) -> Result<SeriesRow, EventError> {
        let row = self.series_row(id).await?;
        if row.ended_at.is_some() { Err(EventError::SeriesEnded) } else { Ok(row) }
    }

    async fn series_view(&self, row: SeriesRow) -> Result<SeriesView, EventError> {
        let next = match row.ended_at {
            Some(_) => vec![],
            None => recurrence(&row)?.after(self.today()).take(SHOWN_DATES).collect(),
        };
        let template = self.shown(vec![row.template.clone()]).await?.remove(0);
        Ok(SeriesView { row, template, next })
    }

    /// Makes the events of all series as they become due, until it is dropped.
    pub async fn run_series(self) {
        let mut ticks = interval(LOOK_EVERY);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            ticks.tick().await;
            let events = self.clone();
            // Rules are followed there: not on the threads of play.
            let made = background::queries().spawn(async move { events.make_due_events().await }).await;
            match made {
                Ok(Ok(())) => {}
                Ok(Err(error)) => tracing::warn!(%error, "events of series could not be made yet; trying again"),
                Err(failure) => tracing::error!(%failure, "events of series could not be made; trying again"),
            }
        }
    }

    /// Makes the events of all series that are due now.
    ///
    /// # Errors
    /// The store is unavailable.
    pub async fn make_due_events(&self) -> Result<(), EventError> {
        let (running, _) = self.store().series_page(true, 0, MOST_RUNNING).await?;
        let now = self.today();
        for row in running {
            let is_idle = |(version, due): &(i64, DateTime<Utc>)| *version == row.version && now < *due;
            if self.registry.series.due.lock().get(&row.id).is_some_and(is_idle) {
                continue;
            }
            let _turn = self.registry.series.turn.lock().await;
            match self.make_events_of(&row).await {
                Ok(()) => {}
                // It was changed since it was read.
                Err(EventError::Common(CommonError::Unavailable(_))) => {}
                // One that cannot be followed does not hold up the others.
                Err(error @ EventError::Common(CommonError::Invalid(_)) | error @ EventError::Refused(_)) => {
                    tracing::error!(series = %row.id, %error, "a series makes no events");
                }
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Makes the events of a series that are due. The caller holds the turn.
    async fn make_events_of(&self, row: &SeriesRow) -> Result<(), EventError> {
        let now = self.today();
        let until = now + TimeDelta::days(row.days_ahead);
        let (mut ahead, mut next_due) = (0, None);
        let mut first = None;
        for occurrence in recurrence(row)?.after(now) {
            if occurrence.starts_at > until {
                next_due = Some(occurrence.starts_at - TimeDelta::days(row.days_ahead));
                break;
            }
            if ahead == MOST_AHEAD {
                next_due = first;
                break;
            }
            first = first.or(Some(occurrence.starts_at));
            ahead += 1;
            match self.store().occurrence(row.id, occurrence.date).await? {
                None => self.make_event(row, occurrence).await?,
                // Its making was cut off before it was loaded.
                Some(id) if self.registry.loaded(EventId(id)).is_none() => match self.runtime(EventId(id)).await {
                    Ok(_) | Err(EventError::Common(CommonError::NotFound(_))) => {}
                    Err(error) => return Err(error),
                },
                Some(_) => {}
            }
        }
        let due = next_due.unwrap_or(DateTime::<Utc>::MAX_UTC);
        self.registry.series.due.lock().insert(row.id, (row.version, due));
        Ok(())
    }

    /// Makes and publishes the event of a date.
    async fn make_event(&self, series: &SeriesRow, occurrence: Occurrence) -> Result<(), EventError> {
        let start = millis(occurrence.starts_at);
        let details = Details {
            start_time: Some(start),
            end_time: Some(Millis(start.0 + series.duration_minutes * 60_000)),
            ..convert::event(&series.template).details().clone()
        };
        let mut event = Event::draft(details)?;
        event.apply(&EventCommand::Publish, self.times())?;
        let today = self.today();
        let mut row = convert::empty_row(EventId(Uuid::new_v4()), today);
        convert::fill(&mut row, &event, millis(today));
        row.vouch = series.template.vouch.clone();
        row.series_id = Some(series.id);
        let detail = json!({
            "title": row.title, "eventState": "published", "series": series.name, "seriesId": series.id,
            "date": occurrence.date.to_string(),
        });
        let audit = self.server_entry("create_event", row.id, detail);
        let store = self.store().audited(audit);
        match store.create_occurrence((series.id, series.version), occurrence.date, &row).await {
            // Another one was made meanwhile.
            Err(StoreError::Taken(_)) => return Ok(()),
            outcome => outcome?,
        }
        let runtime = self.runtime(EventId(row.id)).await?;
        self.broadcast_state(&runtime, EventState::Published);
        Ok(())
    }
}
