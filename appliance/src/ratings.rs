//! Ratings as callers see them: `docs/behaviour/ratings.md`. Games change them where their rows are written
//! (`play/rating.rs`).

mod verify;

use std::{collections::HashMap, sync::Arc, time::Duration};

use morpion_openapi::{Page, PageRequest};
use morpion_rules::{UserId, rating::Record};
use morpion_store::{DELETED_NAME, RatedGameRow, RatingRow, Store};
use parking_lot::RwLock;
use tokio::{sync::Semaphore, time::Instant};
use uuid::Uuid;

pub use verify::Verification;

use crate::{
    error::CommonError,
    people::{People, PublicProfile, Width, record_of},
};

/// Rated games of an export: about those of two years, with three a day.
const MAX_EXPORTED: usize = 2_000;

/// Users in the rating list; whoever comes behind has no place.
const MAX_RANKED: usize = 100_000;

/// How old the list may be.
const MAX_AGE: Duration = Duration::from_secs(10);

/// Reading the list takes at most this part of the time.
const SHARE: u32 = 20;

/// The ratings of all users. Clones are one.
#[derive(Clone, Debug)]
pub struct Ratings {
    store: Store,
    people: People,
    ranking: Arc<RwLock<Option<Arc<Ranking>>>>,
    /// Of who reads the list.
    turn: Arc<Semaphore>,
}

/// The rating list as it was read: 24 bytes for each user.
#[derive(Debug)]
struct Ranking {
    until: Instant,
    /// With their values, the best first.
    users: Vec<(Uuid, f64)>,
}

impl Ranking {
    fn rank(&self, value: f64) -> u64 {
        self.users.partition_point(|(_, other)| *other > value) as u64 + 1
    }
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
        Self { store, people, ranking: Arc::default(), turn: Arc::new(Semaphore::new(1)) }
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
        let ranking = self.ranking().await?;
        let offset = usize::try_from(page.offset()).unwrap_or(usize::MAX);
        let listed: Vec<Uuid> =
            ranking.users.iter().skip(offset).take(page.limit as usize).map(|(user, _)| *user).collect();
        let ratings: HashMap<Uuid, RatingRow> =
            self.store.ratings(&listed).await?.into_iter().map(|row| (row.user_id, row)).collect();
        self.people.load(listed.iter().copied().map(UserId)).await?;
        // An account that was deleted since has no rating.
        let ranked = listed.iter().zip(page.offset() + 1..).filter_map(|(user, rank)| {
            let record = record_of(ratings.get(user)?);
            let user = UserId(*user);
            Some(Ranked { rank, user, shown: self.people.shown(user, DELETED_NAME, Width::Row), record })
        });
        Ok(Page { rows: ranked.collect(), total_count: ranking.users.len() as u64 })
    }

    /// The list, read again when it is too old; whoever asks meanwhile gets the old one.
    async fn ranking(&self) -> Result<Arc<Ranking>, CommonError> {
        let known = || self.ranking.read().clone();
        let is_fresh = |ranking: &Arc<Ranking>| Instant::now() < ranking.until;
        if let Some(ranking) = known().filter(is_fresh) {
            return Ok(ranking);
        }
        let _turn = match (self.turn.try_acquire(), known()) {
            (Ok(turn), _) => turn,
            (Err(_), Some(old)) => return Ok(old),
            (Err(_), None) => self.turn.acquire().await.map_err(CommonError::internal)?,
        };
        if let Some(ranking) = known().filter(is_fresh) {
            return Ok(ranking);
        }
        let began = Instant::now();
        let users = self.store.rating_list(MAX_RANKED).await?;
        let until = Instant::now() + MAX_AGE.max(began.elapsed() * SHARE);
        let ranking = Arc::new(Ranking { until, users });
        *self.ranking.write() = Some(Arc::clone(&ranking));
        Ok(ranking)
    }

    /// The record of a user, and the rank if they are in the list.
    ///
    /// # Errors
    /// The store is unavailable.
    pub async fn rank_of(&self, user: UserId) -> Result<(Option<u64>, Record), CommonError> {
        let Some(row) = self.store.rating(user.0).await? else { return Ok((None, Record::START)) };
        let rank = match row.ranked_until {
            Some(_) => Some(self.ranking().await?.rank(row.rating.value)).filter(|rank| *rank <= MAX_RANKED as u64),
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
