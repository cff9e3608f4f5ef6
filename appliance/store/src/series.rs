//! Series of events: `series`, one row each, and `occurrence`, the dates whose events were made.

use std::ops::Bound;

use chrono::{DateTime, Datelike, NaiveDate, Utc};
use surrealdb::types::{RecordId, RecordIdKey, RecordIdKeyRange, SurrealValue, Uuid as DbUuid, Value, array, vars};
use uuid::Uuid;

use crate::Result;
use crate::event::{EventRow, StoredEvent, event_record};
use crate::store::{Store, row, rows};

pub(crate) const SERIES_PAGE: &str =
    "SELECT * FROM series WITH INDEX series_listed WHERE running = $running ORDER BY position LIMIT $limit START $skip";
const SERIES_COUNT: &str = "SELECT VALUE total FROM (SELECT count() AS total FROM series WITH INDEX series_listed WHERE running = $running GROUP ALL)";
pub(crate) const OCCURRENCES: &str = "SELECT * FROM $range LIMIT $limit";

/// A series.
#[derive(Debug, Clone, PartialEq, SurrealValue)]
pub struct SeriesRow {
    #[surreal(rename = "sid")]
    pub id: Uuid,
    pub name: String,
    pub description: String,
    /// What its events are made from: a draft without times.
    pub template: EventRow,
    /// From start to end.
    pub duration_minutes: i64,
    /// `YYYY-MM-DDTHH:MM` in the time zone: the earliest start, and the time of day of all.
    pub first_start: String,
    /// A name of the IANA's, such as `Europe/Berlin`.
    pub time_zone: String,
    /// An RRULE of RFC 5545.
    pub rule: String,
    /// What the places of an event are worth, from the first.
    pub points: Vec<i64>,
    /// Events are made so many days before they start.
    pub days_ahead: i64,
    /// When it was ended; `None` while it makes events.
    pub ended_at: Option<DateTime<Utc>>,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
    /// Incremented by every change.
    pub version: i64,
}

/// A date whose event was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, SurrealValue)]
pub struct OccurrenceRow {
    pub event_id: Uuid,
    /// As it was planned when the event was made.
    pub starts_at: DateTime<Utc>,
}

#[derive(SurrealValue)]
struct StoredSeries {
    #[surreal(flatten)]
    series: SeriesRow,
    running: bool,
    /// The newest first.
    position: i64,
}

impl From<&SeriesRow> for StoredSeries {
    fn from(series: &SeriesRow) -> Self {
        Self {
            running: series.ended_at.is_none(),
            position: -series.ended_at.unwrap_or(series.created_at).timestamp_millis(),
            series: series.clone(),
        }
    }
}

pub(crate) fn series_record(id: Uuid) -> RecordId {
    RecordId::new("series", DbUuid::from(id))
}

fn occurrence_record(series: Uuid, date: NaiveDate) -> RecordId {
    RecordId::new("occurrence", array![DbUuid::from(series), -i64::from(date.num_days_from_ce())])
}

/// All dates of a series, the latest first.
pub(crate) fn occurrences_of(series: Uuid) -> RecordId {
    let key = |last: i64| RecordIdKey::from(array![DbUuid::from(series), last]);
    let range = RecordIdKeyRange { start: Bound::Included(key(i64::MIN)), end: Bound::Included(key(i64::MAX)) };
    RecordId::new("occurrence", range)
}

impl Store {
    /// Stores a new series. Idempotent; audited.
    pub async fn create_series(&self, series: &SeriesRow) -> Result<()> {
        let variables = vars! { id: series_record(series.id), series: StoredSeries::from(series) };
        let query = "BEGIN; UPSERT $id CONTENT $series RETURN NONE; fn::audit($audit); COMMIT;";
        self.write(query, variables).await.map(drop)
    }

    /// Replaces a series; `series.version` is one more than that of the row it was made from. Audited.
    ///
    /// # Errors
    ///
    /// [`StoreError::Changed`](crate::StoreError::Changed) if the row is another one by now,
    /// [`StoreError::NotFound`](crate::StoreError::NotFound) if there is none.
    pub async fn update_series(&self, series: &SeriesRow) -> Result<()> {
        // A version that is there already is this very change, whose first try was applied.
        let query = "BEGIN; \
            LET $before = (SELECT version, updated_at FROM ONLY $id); \
            IF $before = NONE { THROW 'morpion:no-series' }; \
            IF $before.version != $series.version - 1 AND \
                ($before.version != $series.version OR $before.updated_at != $series.updated_at) \
                { THROW 'morpion:series-changed' }; \
            UPDATE $id CONTENT $series RETURN NONE; \
            fn::audit($audit); \
            COMMIT;";
        let variables = vars! { id: series_record(series.id), series: StoredSeries::from(series) };
        self.write(query, variables).await.map(drop)
    }

    /// Removes a series of which no event was made. Audited.
    ///
    /// # Errors
    ///
    /// [`StoreError::Changed`](crate::StoreError::Changed) if it has events.
    pub async fn delete_series(&self, id: Uuid) -> Result<()> {
        let query = "BEGIN; \
            IF array::len((SELECT VALUE event_id FROM $range LIMIT 1)) > 0 { THROW 'morpion:series-changed' }; \
            DELETE $id RETURN NONE; \
            fn::audit($audit); \
            COMMIT;";
        self.write(query, vars! { id: series_record(id), range: occurrences_of(id) }).await.map(drop)
    }

    /// The series with this id.
    pub async fn series(&self, id: Uuid) -> Result<Option<SeriesRow>> {
        let mut response = self.read("SELECT * FROM $id", vars! { id: series_record(id) }).await?;
        row(&mut response, 0)
    }

    /// Series that make events, or those that were ended, the newest first, and how many there are; `skip` of them skipped, at
    /// most `limit`.
    pub async fn series_page(&self, running: bool, skip: usize, limit: usize) -> Result<(Vec<SeriesRow>, u64)> {
        let variables = vars! { running: running, skip: skip as i64, limit: limit as i64 };
        let mut response = self.read(&format!("{SERIES_PAGE}; {SERIES_COUNT};"), variables).await?;
        let total = row::<i64>(&mut response, 1)?.unwrap_or(0).max(0) as u64;
        Ok((rows(&mut response, 0)?, total))
    }

    /// Stores the event of a date, unless there is one: then nothing changes. Audited.
    ///
    /// # Errors
    ///
    /// [`StoreError::Changed`](crate::StoreError::Changed) if the series is not any more the one of this version that makes
    /// events, [`StoreError::Taken`](crate::StoreError::Taken) if the date has an event.
    pub async fn create_occurrence(
        &self,
        (series, version): (Uuid, i64),
        date: NaiveDate,
        event: &EventRow,
    ) -> Result<()> {
        let query = "BEGIN; \
            LET $now = (SELECT version, running FROM ONLY $series); \
            IF $now.running != true OR $now.version != $version { THROW 'morpion:series-changed' }; \
            LET $made = (SELECT VALUE event_id FROM ONLY $occurrence); \
            IF $made != NONE AND $made != $made_now.event_id { THROW 'morpion:occurrence-made' }; \
            IF $made = NONE { \
                CREATE $occurrence CONTENT $made_now RETURN NONE; \
                CREATE $id CONTENT $event RETURN NONE; \
                fn::audit($audit); \
            }; \
            COMMIT;";
        let occurrence = OccurrenceRow { event_id: event.id, starts_at: event.start_time.unwrap_or(event.created_at) };
        let variables = vars! {
            series: series_record(series), version: version,
            occurrence: occurrence_record(series, date), made_now: occurrence,
            id: event_record(event.id), event: StoredEvent::from(event),
        };
        self.write(query, variables).await.map(drop)
    }

    /// The event that was made of a date.
    pub async fn occurrence(&self, series: Uuid, date: NaiveDate) -> Result<Option<Uuid>> {
        let id = occurrence_record(series, date);
        let mut response = self.read("SELECT VALUE event_id FROM ONLY $id", vars! { id: id }).await?;
        row(&mut response, 0)
    }

    /// The events of a series, those of the latest dates first; at most `limit`.
    pub async fn events_of_series(&self, series: Uuid, limit: usize) -> Result<Vec<EventRow>> {
        let variables = vars! { range: occurrences_of(series), limit: limit as i64 };
        let mut response = self.read(OCCURRENCES, variables).await?;
        let made: Vec<OccurrenceRow> = rows(&mut response, 0)?;
        let ids: Vec<RecordId> = made.iter().map(|made| event_record(made.event_id)).collect();
        let mut response = self.read("SELECT * FROM $ids", vars! { ids: ids }).await?;
        rows(&mut response, 0)
    }
}
