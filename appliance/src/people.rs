//! Names and pictures of users, wherever they are shown: in games, events, lists and invitations.
//!
//! Frames of play and events must not wait for the store, so users are loaded before they get a seat or sign up
//! ([`People::load`]), and every change of a profile is applied here ([`People::update`]). Games and sign-ups have a
//! name of their own, which is shown until the user is loaded, as just after a start.

use std::{collections::HashMap, sync::Arc};

use morpion_rules::UserId;
use morpion_store::{DELETED_NAME, Store, User};
use parking_lot::RwLock;
use uuid::Uuid;

use crate::error::CommonError;

/// Users in the cache, some 250 bytes each; more than the games of a full server can hold.
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
}

impl Person {
    /// A deleted account has a name and nothing else.
    pub fn of(user: &User) -> Self {
        if user.deleted_at.is_some() {
            return Self::named(DELETED_NAME);
        }
        Self { username: user.username.clone(), display_name: user.display_name.clone(), avatar: user.avatar.clone() }
    }

    fn named(name: &str) -> Self {
        Self { username: name.to_owned(), display_name: name.to_owned(), avatar: None }
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
}

impl PublicProfile {
    pub fn of(user: &User, width: Width) -> Self {
        Self::new(user.id, Person::of(user), width)
    }

    fn new(id: Uuid, person: Person, width: Width) -> Self {
        let profile_url = picture_address(id, person.avatar.as_deref(), width);
        Self { username: person.username, display_name: person.display_name, profile_url }
    }
}

/// Cache of the users that are shown right now. Clones share it.
#[derive(Clone)]
pub struct People(Arc<Shared>);

struct Shared {
    store: Store,
    known: RwLock<HashMap<UserId, Arc<Person>>>,
}

impl std::fmt::Debug for People {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("People").field(&self.0.known.read().len()).finish()
    }
}

impl People {
    pub fn new(store: Store) -> Self {
        Self(Arc::new(Shared { store, known: RwLock::default() }))
    }

    /// A user as the wire shows them; `name` is the one stored in a game or sign-up.
    pub fn shown(&self, user: UserId, name: &str, width: Width) -> PublicProfile {
        let known = self.0.known.read().get(&user).cloned();
        let person = known.map_or_else(|| Person::named(name), |person| Person::clone(&person));
        PublicProfile::new(user.0, person, width)
    }

    /// Loads those of the users that are not cached yet.
    ///
    /// # Errors
    /// The store is unavailable.
    pub async fn load(&self, users: impl IntoIterator<Item = UserId>) -> Result<(), CommonError> {
        let mut unknown: Vec<Uuid> = {
            let known = self.0.known.read();
            users.into_iter().filter(|user| !known.contains_key(user)).map(|user| user.0).collect()
        };
        unknown.sort_unstable();
        unknown.dedup();
        for ids in unknown.chunks(PAGE) {
            let users = self.0.store.users(ids).await?;
            let mut known = self.0.known.write();
            for user in users {
                // An update in the meantime is newer.
                known.entry(user.id.into()).or_insert_with(|| Arc::new(Person::of(&user)));
            }
            make_room(&mut known);
        }
        Ok(())
    }

    /// Caches an account after a change.
    pub fn update(&self, user: &User) {
        let mut known = self.0.known.write();
        known.insert(user.id.into(), Arc::new(Person::of(user)));
        make_room(&mut known);
    }

    /// The account was deleted.
    pub fn mark_deleted(&self, user: UserId) {
        self.0.known.write().insert(user, Arc::new(Person::named(DELETED_NAME)));
    }
}

/// Any entry may be evicted: it is loaded again when needed.
fn make_room(known: &mut HashMap<UserId, Arc<Person>>) {
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
        let account = NewUser {
            id: Uuid::new_v4(),
            username: username.to_owned(),
            display_name: format!("The {username}"),
            first_name: String::new(),
            last_name: String::new(),
            email: None,
            email_verified: false,
            password_hash: None,
            provider: None,
            is_temp: false,
            created_at: Utc::now(),
        };
        store.create_user(account).await.unwrap()
    }

    #[tokio::test]
    async fn a_noted_change_wins_over_a_concurrent_read() {
        let store = Store::open(&DatabaseUrl::Memory, OpenOptions::default()).await.unwrap();
        let people = People::new(store.clone());
        let (ada, bob) = (made(&store, "ada").await, made(&store, "bob").await);
        let shown = |user: &User| people.shown(user.id.into(), "as stored", Width::Row).display_name;
        assert_eq!((shown(&ada), shown(&bob)), ("as stored".to_owned(), "as stored".to_owned()));

        let change = ProfileChange { display_name: Some("Countess".to_owned()), ..ProfileChange::default() };
        let mut changed = store.update_profile(ada.id, change).await.unwrap();
        changed.display_name = "Countess of Lovelace".to_owned();
        people.update(&changed);
        people.load([ada.id.into(), bob.id.into(), bob.id.into(), UserId(Uuid::new_v4())]).await.unwrap();
        assert_eq!((shown(&ada), shown(&bob)), ("Countess of Lovelace".to_owned(), "The bob".to_owned()));

        people.mark_deleted(bob.id.into());
        assert_eq!(shown(&bob), DELETED_NAME);
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
