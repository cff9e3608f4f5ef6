//! Ratings as callers see them: `docs/behaviour/ratings.md`. Games change them where their rows are written
//! (`play/rating.rs`).

mod verify;

use morpion_openapi::{Page, PageRequest};
use morpion_rules::{UserId, rating::Record};
use morpion_store::{DELETED_NAME, RatedGameRow, Store};

pub use verify::Verification;

use crate::{
    error::CommonError,
    people::{People, PublicProfile, Width, record_of},
};

/// Rated games of an export: about those of two years, with three a day.
const MAX_EXPORTED: usize = 2_000;

/// The ratings of all users. Clones are one.
#[derive(Clone, Debug)]
pub struct Ratings {
    store: Store,
    people: People,
}

/// A user's place in the rating list.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranked {
    /// From 1.
    pub rank: u64,
    pub user: UserId,
    pub shown: PublicProfile,
    pub record: Record,
}

impl Ratings {
    pub fn new(store: Store, people: People) -> Self {
        Self { store, people }
    }

    /// The record of a user; [`Record::START`] before the first rated game.
    ///
    /// # Errors
    /// The store is unavailable.
    pub async fn of(&self, user: UserId) -> Result<Record, CommonError> {
        let row = self.store.rating(user.0).await?;
        Ok(row.as_ref().map_or(Record::START, record_of))
    }

    /// A page of the rating list, the best first.
    ///
    /// # Errors
    /// The store is unavailable.
    pub async fn list(&self, page: PageRequest) -> Result<Page<Ranked>, CommonError> {
        let offset = usize::try_from(page.offset()).unwrap_or(usize::MAX);
        let (rows, total_count) = self.store.rating_list(offset, page.limit as usize).await?;
        self.people.load(rows.iter().map(|row| row.user_id.into())).await?;
        let rows = rows.iter().zip(page.offset() + 1..).map(|(row, rank)| {
            let user = UserId(row.user_id);
            let shown = self.people.shown(user, DELETED_NAME, Width::Row);
            Ranked { rank, user, shown, record: record_of(row) }
        });
        Ok(Page { rows: rows.collect(), total_count })
    }

    /// The record of a user, and the rank if they are in the list.
    ///
    /// # Errors
    /// The store is unavailable.
    pub async fn rank_of(&self, user: UserId) -> Result<(Option<u64>, Record), CommonError> {
        let Some(row) = self.store.rating(user.0).await? else { return Ok((None, Record::START)) };
        let rank = match row.ranked_until {
            Some(_) => Some(self.store.better_rated(row.rating.value).await? + 1),
            None => None,
        };
        Ok((rank, record_of(&row)))
    }

    /// The latest rated games of a user for an export, the newest first.
    ///
    /// # Errors
    /// The store is unavailable.
    pub async fn games_of(&self, user: UserId) -> Result<Vec<RatedGameRow>, CommonError> {
        Ok(self.store.rating_curve(user.0, MAX_EXPORTED).await?)
    }
}
