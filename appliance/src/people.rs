//! Names and pictures of users, wherever they are shown: in games, events, lists and invitations.
//!
//! Frames of play and events must not wait for the store, so users are loaded before they get a seat or sign up
//! ([`People::load`]), and every change of a profile is applied here ([`People::update`]). Games and sign-ups have a
//! name of their own, which is shown until the user is loaded, as just after a start. Ratings are loaded with the users,
//! and every change of a rating is applied here, too ([`People::rate`]).

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use morpion_rules::{
    UserId,
    rating::{Rating, Record},
};
use morpion_store::{DELETED_NAME, RatingRow, RatingValues, Store, User};
use parking_lot::RwLock;
use uuid::Uuid;

use crate::{
    clock::{Clock, millis},
    error::CommonError,
};

/// Users in the cache, some 350 bytes each; more than the games of a full server can hold.
const MOST: usize = 500_000;

/// Accounts read in one query.
const PAGE: usize = 200;

/// The widths in which pictures are served ([`crate::account::image_processor::SIZES`]), by place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Width {
    /// A row of a list.
    Row = 64,
    /// A player at the board.
    Seat = 128,
    /// A profile.
    Profile = 256,
}

/// The public part of an account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Person {
    pub username: String,
    pub display_name: String,
    avatar: Option<String>,
    /// Guests and deleted accounts have no rating.
    has_rating: bool,
    is_bot: bool,
}

impl Person {
    /// A deleted account has a name and nothing else.
    pub fn of(user: &User) -> Self {
        if user.deleted_at.is_some() {
            return Self::named(DELETED_NAME);
        }
        Self {
            username: user.username.clone(),
            display_name: user.display_name.clone(),
            avatar: user.avatar.clone(),
            has_rating: !user.is_temp,
            is_bot: user.bot_since.is_some(),
        }
    }

    fn named(name: &str) -> Self {
        Self {
            username: name.to_owned(),
            display_name: name.to_owned(),
            avatar: None,
            has_rating: false,
            is_bot: false,
        }
    }
}

/// The address of a picture. It changes with the picture, so responses can be cached for ever.
pub fn picture_address(user: Uuid, avatar: Option<&str>, width: Width) -> Option<String> {
    avatar.map(|version| format!("/api/backend/profile/image/{user}/{}?v={version}", width as u32))
}

/// A user as the wire shows them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublicProfile {
    pub username: String,
    pub display_name: String,
    pub profile_url: Option<String>,
    /// True or absent.
    pub is_bot: Option<bool>,
}

impl PublicProfile {
    pub fn of(user: &User, width: Width) -> Self {
        Self::new(user.id, Person::of(user), width)
    }

    fn new(id: Uuid, person: Person, width: Width) -> Self {
        let profile_url = picture_address(id, person.avatar.as_deref(), width);
        let is_bot = person.is_bot.then_some(true);
        Self { username: person.username, display_name: person.display_name, profile_url, is_bot }
    }
}

/// Cache of the users that are shown right now. Clones share it.
#[derive(Clone)]
pub struct People(Arc<Shared>);

/// A rating as it is shown beside a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShownRating {
    pub value: u32,
    pub is_provisional: bool,
}

/// What is stored of a user's rating, for the rules.
pub fn record_of(row: &RatingRow) -> Record {
    let count = |count: i64| u32::try_from(count).unwrap_or_default();
    Record {
        rating: rating_of(row.rating),
        wins: count(row.wins),
        losses: count(row.losses),
        draws: count(row.draws),
        rated_at: Some(millis(row.rated_at)),
    }
}

pub fn rating_of(RatingValues { value, deviation, volatility }: RatingValues) -> Rating {
    Rating { value, deviation, volatility }
}

struct Shared {
    store: Store,
    clock: Clock,
    known: RwLock<HashMap<UserId, Known>>,
    /// Whose accounts are about to become bots.
    becoming: RwLock<HashSet<UserId>>,
}

/// An account counts as a bot while this is held: [`People::hold_as_bot`].
#[derive(Debug)]
pub struct HeldAsBot {
    people: People,
    user: UserId,
}

impl Drop for HeldAsBot {
    fn drop(&mut self) {
        self.people.0.becoming.write().remove(&self.user);
    }
}

/// What is cached of a user; what is absent was not loaded.
#[derive(Default)]
struct Known {
    person: Option<Arc<Person>>,
    rating: Option<Record>,
}

impl std::fmt::Debug for People {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("People").field(&self.0.known.read().len()).finish()
    }
}

impl People {
    pub fn new(store: Store, clock: Clock) -> Self {
        Self(Arc::new(Shared { store, clock, known: RwLock::default(), becoming: RwLock::default() }))
    }

    /// A user as the wire shows them; `name` is the one stored in a game or sign-up.
    pub fn shown(&self, user: UserId, name: &str, width: Width) -> PublicProfile {
        let known = self.0.known.read().get(&user).and_then(|known| known.person.clone());
        let person = known.map_or_else(|| Person::named(name), |person| Person::clone(&person));
        PublicProfile::new(user.0, person, width)
    }

    /// Whether a user, who has to be loaded, is a bot or becomes one right now.
    pub fn is_bot(&self, user: UserId) -> bool {
        let is_known = |known: &Known| known.person.as_ref().is_some_and(|person| person.is_bot);
        self.0.known.read().get(&user).is_some_and(is_known) || self.0.becoming.read().contains(&user)
    }

    /// Whether these users are known to be two people or two bots; false where one of them is not loaded.
    pub fn are_alike(&self, users: [UserId; 2]) -> bool {
        let known = self.0.known.read();
        let is_bot = |user| known.get(&user).and_then(|known| known.person.as_ref()).map(|person| person.is_bot);
        matches!(users.map(is_bot), [Some(one), Some(other)] if one == other)
    }

    /// Counts an account as a bot before it is stored as one, so that nothing begins meanwhile that only people may do;
    /// `None` while another call does.
    pub fn hold_as_bot(&self, user: UserId) -> Option<HeldAsBot> {
        self.0.becoming.write().insert(user).then(|| HeldAsBot { people: self.clone(), user })
    }

    /// Whether an account is about to become a bot, or to be refused: until then nobody knows with whom it can be paired.
    pub fn is_becoming_bot(&self, user: UserId) -> bool {
        self.0.becoming.read().contains(&user)
    }

    /// A user's present rating; `None` for guests, for deleted accounts, and for users that are not loaded.
    pub fn rating(&self, user: UserId) -> Option<ShownRating> {
        let record = {
            let known = self.0.known.read();
            let known = known.get(&user)?;
            known.rating.filter(|_| known.person.as_ref().is_some_and(|person| person.has_rating))?
        };
        let rating = record.rating_at(millis(self.0.clock.wall()));
        Some(ShownRating { value: rating.shown(), is_provisional: rating.is_provisional() })
    }

    /// Loads those of the users that are not cached yet.
    ///
    /// # Errors
    /// The store is unavailable.
    pub async fn load(&self, users: impl IntoIterator<Item = UserId>) -> Result<(), CommonError> {
        let mut unknown: Vec<Uuid> = {
            let known = self.0.known.read();
            let is_loaded =
                |user: &UserId| known.get(user).is_some_and(|known| known.person.is_some() && known.rating.is_some());
            users.into_iter().filter(|user| !is_loaded(user)).map(|user| user.0).collect()
        };
        unknown.sort_unstable();
        unknown.dedup();
        for ids in unknown.chunks(PAGE) {
            let users = self.0.store.users(ids).await?;
            let ratings = self.0.store.ratings(ids).await?;
            let ratings: HashMap<Uuid, Record> = ratings.iter().map(|row| (row.user_id, record_of(row))).collect();
            let mut known = self.0.known.write();
            for user in users {
                // An update in the meantime is newer.
                let entry = known.entry(user.id.into()).or_default();
                entry.person.get_or_insert_with(|| Arc::new(Person::of(&user)));
                entry.rating.get_or_insert_with(|| ratings.get(&user.id).copied().unwrap_or(Record::START));
            }
            make_room(&mut known);
        }
        Ok(())
    }

    /// Caches an account after a change.
    pub fn update(&self, user: &User) {
        let mut known = self.0.known.write();
        let entry = known.entry(user.id.into()).or_default();
        let mut person = Person::of(user);
        // For good: what was read before the account became a bot may arrive after it.
        person.is_bot |= entry.person.as_ref().is_some_and(|before| before.is_bot);
        entry.person = Some(Arc::new(person));
        make_room(&mut known);
    }

    /// The account was deleted.
    pub fn mark_deleted(&self, user: UserId) {
        let mut known = self.0.known.write();
        let deleted = Some(Arc::new(Person::named(DELETED_NAME)));
        known.insert(user, Known { person: deleted, rating: Some(Record::START) });
        make_room(&mut known);
    }

    /// Caches ratings that were just stored.
    pub fn rate<'a>(&self, ratings: impl IntoIterator<Item = &'a RatingRow>) {
        let mut known = self.0.known.write();
        for row in ratings {
            known.entry(row.user_id.into()).or_default().rating = Some(record_of(row));
        }
        make_room(&mut known);
    }
}

/// Any entry may be evicted: it is loaded again when needed.
fn make_room(known: &mut HashMap<UserId, Known>) {
    if known.len() > MOST {
        let mut keep = false;
        known.retain(|_, _| {
            keep = !keep;
            keep
        });
    }
}

#[cfg(test)]
mod tests {
    use chrono::Utc;
    use morpion_store::{DatabaseUrl, NewUser, OpenOptions, ProfileChange};

    use super::*;

    async fn made(store: &Store, username: &str) -> User {
        let account = NewUser { display_name: format!("The {username}"), ..NewUser::named(username, Utc::now()) };
        store.create_user(account).await.unwrap()
    }

    #[tokio::test]
    async fn a_noted_change_wins_over_a_concurrent_read() {
        let store = Store::open(&DatabaseUrl::Memory, OpenOptions::default()).await.unwrap();
        let people = People::new(store.clone(), Clock::default());
        let (ada, bob) = (made(&store, "ada").await, made(&store, "bob").await);
        let shown = |user: &User| people.shown(user.id.into(), "as stored", Width::Row).display_name;
        assert_eq!((shown(&ada), shown(&bob)), ("as stored".to_owned(), "as stored".to_owned()));

        let change = ProfileChange { display_name: Some("Countess".to_owned()), ..ProfileChange::default() };
        let mut changed = store.update_profile(ada.id, change).await.unwrap();
        changed.display_name = "Countess of Lovelace".to_owned();
        people.update(&changed);
        people.load([ada.id.into(), bob.id.into(), bob.id.into(), UserId(Uuid::new_v4())]).await.unwrap();
        assert_eq!((shown(&ada), shown(&bob)), ("Countess of Lovelace".to_owned(), "The bob".to_owned()));

        // What was read before an account became a bot may be noted after it.
        people.update(&User { bot_since: Some(Utc::now()), ..ada.clone() });
        people.update(&ada);
        assert!(people.is_bot(ada.id.into()) && !people.is_bot(bob.id.into()));

        people.mark_deleted(bob.id.into());
        assert_eq!(shown(&bob), DELETED_NAME);
        assert_eq!((people.rating(ada.id.into()), people.rating(bob.id.into())), (Some(newcomer()), None));
    }

    fn newcomer() -> ShownRating {
        ShownRating { value: 1_500, is_provisional: true }
    }

    #[tokio::test]
    async fn a_rating_is_that_of_the_last_game_and_grows_less_certain() {
        let store = Store::open(&DatabaseUrl::Memory, OpenOptions::default()).await.unwrap();
        let clock = Clock::default();
        let people = People::new(store.clone(), clock.clone());
        let ada = made(&store, "ada").await;
        let user = ada.id.into();
        assert_eq!(people.rating(user), None, "not loaded");
        let rating = |value, deviation| RatingRow {
            user_id: ada.id,
            rating: RatingValues { value, deviation, volatility: 0.06 },
            games: 20,
            wins: 10,
            losses: 10,
            draws: 0,
            rated_at: clock.wall(),
            ranked_until: None,
        };
        // Rated while the user is loaded: the change is newer than what was read.
        people.rate([&rating(1_612.4, 100.0)]);
        people.load([user]).await.unwrap();
        assert_eq!(people.rating(user), Some(ShownRating { value: 1_612, is_provisional: false }));
        people.update(&ada);
        people.rate([&rating(1_599.5, 60.0)]);
        assert_eq!(people.rating(user), Some(ShownRating { value: 1_600, is_provisional: false }));
        clock.advance(370 * 86_400_000);
        assert_eq!(people.rating(user), Some(ShownRating { value: 1_600, is_provisional: true }), "a year later");
    }

    #[test]
    fn pictures_are_requested_in_the_width_shown() {
        let user = Uuid::nil();
        let address = |width| picture_address(user, Some("abc"), width).unwrap();
        for width in [Width::Row, Width::Seat, Width::Profile] {
            assert!(crate::account::image_processor::SIZES.contains(&(width as u32)));
            assert_eq!(address(width), format!("/api/backend/profile/image/{user}/{}?v=abc", width as u32));
        }
        assert_eq!(picture_address(user, None, Width::Row), None);
    }
}
