//! Ratings as callers see them: `docs/behaviour/ratings.md`. Games change them where their rows are written
//! (`play/rating.rs`).

mod verify;

use std::{cmp::Reverse, collections::HashMap, sync::Arc, time::Duration};

use chrono::{DateTime, Utc};
use morpion_openapi::{Page, PageRequest};
use morpion_rules::{UserId, rating::Record};
use morpion_store::{DELETED_NAME, RatedGameRow, RatingRow, Store, User};
use parking_lot::RwLock;
use tokio::{sync::Semaphore, time::Instant};
use uuid::Uuid;

pub use verify::Verification;

use crate::{
    account::moderation::suspension,
    clock::{Clock, millis},
    error::CommonError,
    people::{People, PublicProfile, Width, record_of},
};

/// Rated games of an export: about those of two years, with three a day.
const MAX_EXPORTED: usize = 2_000;

/// Users in the rating list; whoever comes behind has no place.
const MAX_RANKED: usize = 100_000;

/// Bots in their list; those that became bots last have no place.
const MAX_BOTS: usize = 10_000;

/// Ratings read in one query.
const RATINGS_PAGE: usize = 500;

/// How old a list may be.
const MAX_AGE: Duration = Duration::from_secs(10);

/// Reading a list takes at most this part of the time.
const SHARE: u32 = 20;

/// The ratings of all users. Clones are one.
#[derive(Clone, Debug)]
pub struct Ratings {
    store: Store,
    people: People,
    clock: Clock,
    ranking: Arc<Kept<Ranking>>,
    bots: Arc<Kept<Vec<ListedBot>>>,
}

/// A list as it was read, read again when it is too old.
#[derive(Debug)]
struct Kept<T> {
    list: RwLock<Option<(Instant, Arc<T>)>>,
    /// Of who reads it.
    turn: Semaphore,
}

/// The rating list of people: with their values, the best first; 24 bytes for each.
#[derive(Debug)]
struct Ranking(Vec<(Uuid, f64)>);

/// A bot as it stands in their list.
#[derive(Debug, Clone)]
pub struct ListedBot {
    /// From 1; `None` for a provisional rating.
    pub rank: Option<u64>,
    pub user: UserId,
    pub since: DateTime<Utc>,
    pub record: Record,
}

impl Ranking {
    fn rank(&self, value: f64) -> u64 {
        self.0.partition_point(|(_, other)| *other > value) as u64 + 1
    }
}

impl<T> Kept<T> {
    fn new() -> Self {
        Self { list: RwLock::default(), turn: Semaphore::new(1) }
    }

    /// The list; whoever asks while it is read again gets the old one.
    ///
    /// # Errors
    /// Those of `read`.
    async fn get(&self, read: impl Future<Output = Result<T, CommonError>>) -> Result<Arc<T>, CommonError> {
        let known = || self.list.read().clone();
        let is_fresh = |(until, _): &(Instant, Arc<T>)| Instant::now() < *until;
        if let Some((_, list)) = known().filter(is_fresh) {
            return Ok(list);
        }
        let _turn = match (self.turn.try_acquire(), known()) {
            (Ok(turn), _) => turn,
            (Err(_), Some((_, old))) => return Ok(old),
            (Err(_), None) => self.turn.acquire().await.map_err(CommonError::internal)?,
        };
        if let Some((_, list)) = known().filter(is_fresh) {
            return Ok(list);
        }
        let began = Instant::now();
        let list = Arc::new(read.await?);
        let until = Instant::now() + MAX_AGE.max(began.elapsed() * SHARE);
        *self.list.write() = Some((until, Arc::clone(&list)));
        Ok(list)
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
    pub fn new(store: Store, people: People, clock: Clock) -> Self {
        Self { store, people, clock, ranking: Arc::new(Kept::new()), bots: Arc::new(Kept::new()) }
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
            ranking.0.iter().skip(offset).take(page.limit as usize).map(|(user, _)| *user).collect();
        let ratings: HashMap<Uuid, RatingRow> =
            self.store.ratings(&listed).await?.into_iter().map(|row| (row.user_id, row)).collect();
        self.people.load(listed.iter().copied().map(UserId)).await?;
        // An account that was deleted since has no rating.
        let ranked = listed.iter().zip(page.offset() + 1..).filter_map(|(user, rank)| {
            let record = record_of(ratings.get(user)?);
            let user = UserId(*user);
            Some(Ranked { rank, user, shown: self.people.shown(user, DELETED_NAME, Width::Row), record })
        });
        Ok(Page { rows: ranked.collect(), total_count: ranking.0.len() as u64 })
    }

    async fn ranking(&self) -> Result<Arc<Ranking>, CommonError> {
        self.ranking.get(async { Ok(Ranking(self.store.rating_list(MAX_RANKED).await?)) }).await
    }

    /// A page of the bots: those whose rating is certain, the best first, then the others, the newest first. Suspended ones are
    /// left out. Their names are loaded.
    ///
    /// # Errors
    /// The store is unavailable.
    pub async fn bots(&self, page: PageRequest) -> Result<Page<(ListedBot, PublicProfile)>, CommonError> {
        let bots = self.listed_bots().await?;
        let offset = usize::try_from(page.offset()).unwrap_or(usize::MAX);
        let listed: Vec<ListedBot> = bots.iter().skip(offset).take(page.limit as usize).cloned().collect();
        self.people.load(listed.iter().map(|bot| bot.user)).await?;
        let shown = |bot: ListedBot| {
            let shown = self.people.shown(bot.user, DELETED_NAME, Width::Row);
            (bot, shown)
        };
        Ok(Page { rows: listed.into_iter().map(shown).collect(), total_count: bots.len() as u64 })
    }

    /// Who is a bot has changed: their list is read anew.
    pub fn bots_changed(&self) {
        *self.bots.list.write() = None;
    }

    async fn listed_bots(&self) -> Result<Arc<Vec<ListedBot>>, CommonError> {
        self.bots.get(self.read_bots()).await
    }

    async fn read_bots(&self) -> Result<Vec<ListedBot>, CommonError> {
        let now = self.clock.wall();
        let bots: Vec<User> = self.store.bots(MAX_BOTS).await?;
        let bots: Vec<User> = bots.into_iter().filter(|bot| suspension(bot, now).is_none()).collect();
        let mut records: HashMap<Uuid, Record> = HashMap::new();
        for page in bots.chunks(RATINGS_PAGE) {
            let ids: Vec<Uuid> = page.iter().map(|bot| bot.id).collect();
            records.extend(self.store.ratings(&ids).await?.iter().map(|row| (row.user_id, record_of(row))));
        }
        let listed = |bot: User| ListedBot {
            rank: None,
            user: bot.id.into(),
            since: bot.bot_since.unwrap_or(now),
            record: records.get(&bot.id).copied().unwrap_or(Record::START),
        };
        let mut listed: Vec<ListedBot> = bots.into_iter().map(listed).collect();
        let is_provisional = |bot: &ListedBot| bot.record.rating_at(millis(now)).is_provisional();
        listed.sort_by(|one, other| {
            let place = |bot: &ListedBot| (is_provisional(bot), Reverse(bot.record.rating.shown()), Reverse(bot.since));
            place(one).cmp(&place(other))
        });
        let certain = listed.iter().take_while(|bot| !is_provisional(bot)).count();
        listed[certain..].sort_by_key(|bot| (Reverse(bot.since), bot.user));
        for (rank, bot) in (1..).zip(&mut listed[..certain]) {
            bot.rank = Some(rank);
        }
        Ok(listed)
    }

    /// The record of a user, and the rank if they are in the list of people, or of bots.
    ///
    /// # Errors
    /// The store is unavailable.
    pub async fn rank_of(&self, user: UserId) -> Result<(Option<u64>, Record), CommonError> {
        let Some(row) = self.store.rating(user.0).await? else { return Ok((None, Record::START)) };
        self.people.load([user]).await?;
        if self.people.is_bot(user) {
            let bots = self.listed_bots().await?;
            let rank = bots.iter().find(|bot| bot.user == user).and_then(|bot| bot.rank);
            return Ok((rank, record_of(&row)));
        }
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
