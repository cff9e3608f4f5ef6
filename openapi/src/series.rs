//! Series of events: `docs/behaviour/series.md`.

use uuid::Uuid;

use crate::{
    Acknowledgement, Pagination, Timestamp,
    action::actions,
    event::{CreateEvent, Event},
};

request! {
    /// Series that make events, the newest first.
    pub struct ListSeries {
        /// Those that were ended instead.
        pub ended: Option<bool>,
        pub page: Option<u32>,
        pub limit: Option<u32>,
    }

    /// A series with its events.
    pub struct GetSeries { pub series_id: Uuid }

    /// The points of all its events that are concluded.
    pub struct GetSeriesTable {
        pub series_id: Uuid,
        pub page: Option<u32>,
        pub limit: Option<u32>,
    }

    /// The next five dates by a rule, before a series is made of it; as of `create_series`.
    pub struct PreviewSeries {
        pub first_start: String,
        pub time_zone: String,
        pub rule: String,
    }

    pub struct CreateSeries {
        /// 1 to 120 characters, trimmed.
        pub name: String,
        /// At most 4000 characters.
        pub description: Option<String>,
        /// What its events are made from: the fields of `create_event` without state, times, privacy.
        pub template: CreateEvent,
        /// From start to end, 1 to 10080.
        pub duration_minutes: u32,
        /// The earliest start, and the time of day of all, in the time zone: `2027-03-05T19:00`.
        pub first_start: String,
        /// A name of the IANA's list, such as `Europe/Berlin`.
        pub time_zone: String,
        /// An RRULE of RFC 5545, such as `FREQ=WEEKLY;BYDAY=FR`: at most 200 characters, no finer than daily, without times of day.
        pub rule: String,
        /// What the places of an event are worth, from the first: 1 to 64 figures, none above the one before or 1000.
        /// 10, 7, 5, 3, 2, 1 if absent.
        pub points: Option<Vec<u32>>,
        /// Events are made so many days before they start, 1 to 90, and at most the next 20; 28 if absent.
        pub days_ahead: Option<u32>,
    }

    /// Changes a series that was not ended. Events that were made stay as they are.
    pub struct UpdateSeries {
        pub series_id: Uuid,
        pub name: Option<String>,
        pub description: Option<String>,
        /// Replaces the one before.
        pub template: Option<CreateEvent>,
        pub duration_minutes: Option<u32>,
        pub first_start: Option<String>,
        pub time_zone: Option<String>,
        pub rule: Option<String>,
        pub points: Option<Vec<u32>>,
        pub days_ahead: Option<u32>,
    }

    /// It makes no more events. Those that were made take place.
    pub struct EndSeries { pub series_id: Uuid }

    /// Removes a series that has made no event.
    pub struct DeleteSeries { pub series_id: Uuid }
}

answer! {
    /// A date of a series.
    pub struct SeriesDate {
        /// `2027-03-05`, in the time zone of the series.
        pub date: String,
        pub starts_at: Timestamp,
    }

    pub struct Series {
        pub series_id: Uuid,
        pub name: String,
        pub description: String,
        pub duration_minutes: u32,
        pub first_start: String,
        pub time_zone: String,
        pub rule: String,
        pub points: Vec<u32>,
        pub days_ahead: u32,
        /// The next five; none of a series that was ended.
        pub next_dates: Vec<SeriesDate>,
        /// Absent while it makes events.
        pub ended_at: Option<Timestamp>,
        pub created_at: Timestamp,
        pub updated_at: Timestamp,
        /// What its events are made from, as a draft; for admins.
        pub template: Option<Event>,
    }

    pub struct SeriesAnswer { pub series: Series }

    pub struct SeriesListAnswer { pub series: Vec<Series>, pub pagination: Pagination }

    pub struct SeriesPageAnswer {
        pub series: Series,
        /// At most 20 that are not over, the first first.
        pub upcoming: Vec<Event>,
        /// At most 20 that are over or were cancelled, the latest first.
        pub past: Vec<Event>,
    }

    pub struct SeriesDatesAnswer {
        /// At most five.
        pub dates: Vec<SeriesDate>,
    }

    pub struct SeriesTableRow {
        /// From 1; who has as many points, first places, second places and so on shares it.
        pub rank: u32,
        pub user_id: Uuid,
        pub username: String,
        pub display_name: String,
        /// Where the picture is, 64 pixels wide; absent without one.
        pub profile_url: Option<String>,
        /// True for a bot, absent for people.
        pub is_bot: Option<bool>,
        pub points: u32,
        /// Events that brought points.
        pub events: u32,
        /// First places.
        pub firsts: u32,
    }

    pub struct SeriesTableAnswer {
        pub rows: Vec<SeriesTableRow>,
        /// Concluded events, of the latest 200.
        pub counted_events: u32,
        pub pagination: Pagination,
    }
}

actions! {
    resource "series";
    /// Reads of `series`.
    reads SeriesRead {
        "list_series": ListSeries => SeriesListAnswer;
        "get_series": GetSeries => SeriesPageAnswer;
        "get_series_table": GetSeriesTable => SeriesTableAnswer;
        "preview_series": PreviewSeries => SeriesDatesAnswer;
    }
    /// Writes of `series`.
    writes SeriesWrite {
        "create_series": CreateSeries => SeriesAnswer;
        "update_series": UpdateSeries => SeriesAnswer;
        "end_series": EndSeries => SeriesAnswer;
        "delete_series": DeleteSeries => Acknowledgement;
    }
}
