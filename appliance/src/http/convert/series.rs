//! Series of events for the wire.

use morpion_openapi::{Page, PageRequest, series as wire};

use super::events;
use crate::{
    caller::Caller,
    events::{
        convert::count,
        series::{SeriesView, recurrence::Occurrence, table::SeriesTableRow},
    },
    people::PublicProfile,
};

/// The template is for admins, without its list of names.
pub fn series(SeriesView { row, template, next }: SeriesView, caller: &Caller) -> wire::Series {
    wire::Series {
        series_id: row.id,
        name: row.name,
        description: row.description,
        duration_minutes: count(row.duration_minutes),
        first_start: row.first_start,
        time_zone: row.time_zone,
        rule: row.rule,
        points: row.points.into_iter().map(count).collect(),
        days_ahead: count(row.days_ahead),
        next_dates: dates(&next),
        ended_at: row.ended_at.map(Into::into),
        created_at: row.created_at.into(),
        updated_at: row.updated_at.into(),
        template: caller.is_admin().then(|| events::event(template, caller)),
    }
}

pub fn dates(dates: &[Occurrence]) -> Vec<wire::SeriesDate> {
    let date = |occurrence: &Occurrence| wire::SeriesDate {
        date: occurrence.date.to_string(),
        starts_at: occurrence.starts_at.into(),
    };
    dates.iter().map(date).collect()
}

pub fn table(found: Page<SeriesTableRow>, counted: usize, page: PageRequest) -> wire::SeriesTableAnswer {
    let row = |SeriesTableRow { rank, user, shown, points, events, firsts }| {
        let PublicProfile { username, display_name, profile_url, is_bot } = shown;
        wire::SeriesTableRow {
            rank,
            user_id: user.0,
            username,
            display_name,
            profile_url,
            is_bot,
            points,
            events,
            firsts,
        }
    };
    wire::SeriesTableAnswer {
        rows: found.rows.into_iter().map(row).collect(),
        counted_events: u32::try_from(counted).unwrap_or(u32::MAX),
        pagination: page.pagination(found.total_count),
    }
}
