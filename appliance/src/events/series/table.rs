//! The table of a series: the points of all its events that are concluded, from their standings as they are now, so that a
//! corrected result changes it.
//!
//! Players are ordered by points, then by first places, second places, and so on. Players who are equal in all of them share a
//! rank.

use std::{collections::HashMap, num::NonZeroUsize, sync::Arc};

use lru::LruCache;
use morpion_openapi::{Page, PageRequest};
use morpion_rules::{EventId, UserId};
use morpion_store::{DELETED_NAME, EventRow, EventState as StoredState};
use parking_lot::Mutex;
use uuid::Uuid;

use super::{Events, MOST_EVENTS, MOST_PLACES, MOST_RUNNING};
use crate::{
    events::{convert, error::EventError},
    people::{PublicProfile, Width},
};

/// Rows of a table; players below have next to no points.
const MOST_ROWS: usize = 1_000;

/// Events whose places are kept, as many as the tables of all series count that make events; each takes some two kilobytes at
/// most.
const KEPT: NonZeroUsize = NonZeroUsize::new(MOST_RUNNING * MOST_EVENTS).unwrap();

/// The places of an event, of the players who took part: who, and from 1.
type Places = Arc<[(UserId, u32)]>;

/// The places of concluded events by the version of their rows.
#[derive(Debug)]
pub struct Tables {
    known: Mutex<LruCache<(Uuid, i64), Places>>,
    /// Held while an event is read: one at a time.
    reading: tokio::sync::Mutex<()>,
}

impl Default for Tables {
    fn default() -> Self {
        Self { known: Mutex::new(LruCache::new(KEPT)), reading: tokio::sync::Mutex::default() }
    }
}

/// A row of the table of a series.
#[derive(Debug, Clone)]
pub struct SeriesTableRow {
    /// From 1; shared by those who are equal.
    pub rank: u32,
    pub user: UserId,
    pub shown: PublicProfile,
    pub points: u32,
    /// Events in which the player had a place that is worth something.
    pub events: u32,
    /// How often the player was first.
    pub firsts: u32,
}

/// What a player has gained.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Gained {
    user: UserId,
    points: u32,
    /// How often each place was reached, from the first.
    places: Vec<u32>,
}

/// The rows in order, each with its rank.
fn ranked(events: &[Places], points: &[u32]) -> Vec<(u32, Gained)> {
    let mut gained: HashMap<UserId, Gained> = HashMap::new();
    for (user, place) in events.iter().flat_map(|places| places.iter()) {
        let index = *place as usize - 1;
        let Some(worth) = points.get(index).filter(|worth| **worth > 0) else { continue };
        let entry =
            gained.entry(*user).or_insert_with(|| Gained { user: *user, points: 0, places: vec![0; points.len()] });
        entry.points += worth;
        entry.places[index] += 1;
    }
    let mut rows: Vec<Gained> = gained.into_values().collect();
    let merit = |row: &Gained| (row.points, row.places.clone());
    rows.sort_by(|one, other| merit(other).cmp(&merit(one)).then(one.user.cmp(&other.user)));
    let mut ranked: Vec<(u32, Gained)> = Vec::with_capacity(rows.len());
    for (number, row) in (1..).zip(rows) {
        let rank = match ranked.last() {
            Some((rank, before)) if merit(before) == merit(&row) => *rank,
            _ => number,
        };
        ranked.push((rank, row));
    }
    ranked
}

impl Events {
    /// The table of a series, and how many of its events it counts.
    ///
    /// # Errors
    /// [`CommonError::NotFound`](crate::error::CommonError::NotFound).
    pub async fn series_table(&self, id: Uuid, page: PageRequest) -> Result<(Page<SeriesTableRow>, usize), EventError> {
        let series = self.series_row(id).await?;
        let points: Vec<u32> = series.points.iter().copied().map(convert::count).collect();
        let is_counted = |row: &EventRow| row.state == StoredState::Ended && row.concluded;
        let events: Vec<EventRow> =
            self.store().events_of_series(id, MOST_EVENTS).await?.into_iter().filter(is_counted).collect();
        let mut places = Vec::with_capacity(events.len());
        let tables = &self.registry.series.tables;
        for row in &events {
            let key = (row.id, row.version);
            let known = tables.known.lock().get(&key).cloned();
            let known = match known {
                Some(known) => known,
                None => {
                    let _turn = tables.reading.lock().await;
                    let read = self.places(EventId(row.id)).await?;
                    tables.known.lock().put(key, Arc::clone(&read));
                    read
                }
            };
            places.push(known);
        }
        let mut rows = ranked(&places, &points);
        rows.truncate(MOST_ROWS);
        let total_count = rows.len() as u64;
        let offset = usize::try_from(page.offset()).unwrap_or(usize::MAX);
        let shown: Vec<(u32, Gained)> = rows.into_iter().skip(offset).take(page.limit as usize).collect();
        self.people().load(shown.iter().map(|(_, row)| row.user)).await?;
        let row = |(rank, row): (u32, Gained)| SeriesTableRow {
            rank,
            user: row.user,
            shown: self.people().shown(row.user, DELETED_NAME, Width::Row),
            points: row.points,
            events: row.places.iter().sum(),
            firsts: row.places.first().copied().unwrap_or_default(),
        };
        Ok((Page { rows: shown.into_iter().map(row).collect(), total_count }, events.len()))
    }

    /// The first places of an event that is concluded, without those who did not play, were removed or disqualified. In a
    /// knockout several share a place.
    async fn places(&self, id: EventId) -> Result<Places, EventError> {
        let runtime = self.runtime(id).await?;
        let (stage, played): (_, Vec<UserId>) = {
            let state = runtime.state.lock();
            let order = state.standings.leaderboard();
            // Who was removed or has not played comes last.
            let played = order.filter(|row| !row.removed && row.wins + row.losses > 0).map(|row| row.user);
            match &state.stage {
                None => (None, played.take(MOST_PLACES).collect()),
                Some(stage) => (Some(Arc::clone(stage)), played.collect()),
            }
        };
        let Some(stage) = stage else {
            return Ok(played.into_iter().zip(1..).collect());
        };
        let entrants = &stage.tournament().entrants;
        let in_order = stage.standings().into_iter().take_while(|row| row.rank as usize <= MOST_PLACES);
        let placed = in_order.filter(|row| stage.disqualification(row.player).is_none());
        let placed = placed.map(|row| (entrants[row.player as usize].user, row.rank));
        let played: std::collections::HashSet<UserId> = played.into_iter().collect();
        Ok(placed.filter(|(user, _)| played.contains(user)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn user(number: u128) -> UserId {
        UserId(Uuid::from_u128(number))
    }

    /// A player and their place.
    type Place = (u128, u32);

    fn table(events: &[&[Place]], points: &[u32]) -> Vec<(u32, u128, u32)> {
        let events: Vec<Places> = events
            .iter()
            .map(|places| places.iter().map(|(number, place)| (user(*number), *place)).collect())
            .collect();
        ranked(&events, points).into_iter().map(|(rank, row)| (rank, row.user.0.as_u128(), row.points)).collect()
    }

    #[test]
    fn points_add_up_and_better_places_break_ties() {
        let events: &[&[Place]] = &[&[(1, 1), (2, 2), (3, 3)], &[(2, 1), (3, 2), (1, 3)], &[(3, 2), (4, 1)]];
        // 1: 10 + 4, 2: 6 + 10, 3: 4 + 6 + 6, 4: 10.
        assert_eq!(table(events, &[10, 6, 4]), [(1, 2, 16), (2, 3, 16), (3, 1, 14), (4, 4, 10)]);
    }

    #[test]
    fn equals_share_a_rank_whatever_the_order_of_events() {
        let (one, two): (&[Place], &[Place]) = (&[(1, 1), (2, 2), (5, 3)], &[(2, 1), (1, 2), (4, 3)]);
        let expected = [(1, 1, 8), (1, 2, 8), (3, 4, 1), (3, 5, 1)];
        assert_eq!(table(&[one, two], &[5, 3, 1]), expected);
        assert_eq!(table(&[two, one], &[5, 3, 1]), expected);
    }

    #[test]
    fn places_without_points_and_no_events_give_no_rows() {
        assert_eq!(table(&[], &[10]), []);
        assert_eq!(table(&[&[(1, 2), (2, 1), (3, 64)]], &[10, 0]), [(1, 2, 10)]);
        // Both who lost the semi-final.
        assert_eq!(table(&[&[(1, 3), (2, 3)]], &[3, 2, 1]), [(1, 1, 1), (1, 2, 1)]);
    }
}
