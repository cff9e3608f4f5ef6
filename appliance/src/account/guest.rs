//! Guests: visitors who play without an account, under a random name. See `docs/behaviour/accounts.md#guests`.

use chrono::{DateTime, TimeDelta, Utc};
use morpion_store::{NewUser, ProfileChange, StoreError, Unique, User};
use rand::{Rng, seq::IndexedRandom};

use super::{Accounts, error::AccountError, limits::RateLimit, session::IssuedSession, sign_in::Browser};
use crate::{
    caller::{Call, Caller, Identity},
    error::CommonError,
};

/// A guest not seen for this long is removed.
pub const UNSEEN_GUEST_LIFE: TimeDelta = TimeDelta::days(30);

/// Guests removed per round, so that games do not have to wait.
const REMOVAL_BATCH: usize = 200;

/// Attempts to find a free name. Of some 1,000 pairs with 9,000 numbers each, one is rarely taken.
const MAX_NAME_ATTEMPTS: usize = 8;

/// At most 7 letters, so that a username has room for an animal and four digits.
const ADJECTIVES: &[&str] = &[
    "Amber", "Bold", "Brave", "Bright", "Calm", "Clever", "Cosmic", "Crimson", "Curious", "Daring", "Dapper", "Eager",
    "Gentle", "Golden", "Happy", "Humble", "Jolly", "Keen", "Lively", "Lucky", "Mellow", "Merry", "Nimble", "Noble",
    "Patient", "Quick", "Quiet", "Silver", "Sunny", "Swift", "Witty", "Zesty",
];

/// At most 8 letters.
const ANIMALS: &[&str] = &[
    "Badger", "Beaver", "Bison", "Crane", "Dolphin", "Falcon", "Ferret", "Finch", "Fox", "Gecko", "Hare", "Heron",
    "Ibex", "Jackdaw", "Koala", "Lemur", "Lynx", "Magpie", "Marmot", "Marten", "Otter", "Owl", "Panda", "Puffin",
    "Raven", "Robin", "Salmon", "Seal", "Stork", "Swallow", "Tapir", "Walrus", "Wombat",
];

/// A random name: the display name, and a username made of it, which is nearly unique.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RandomName {
    pub(super) display: String,
    pub(super) username: String,
}

impl RandomName {
    pub(super) fn generate() -> Self {
        let mut rng = rand::rng();
        let adjective = ADJECTIVES.choose(&mut rng).expect("there are some");
        let animal = ANIMALS.choose(&mut rng).expect("there are some");
        let number = rng.random_range(1_000..10_000);
        Self { display: format!("{adjective} {animal}"), username: format!("{adjective}{animal}{number}") }
    }
}

impl Accounts {
    /// Creates a guest and signs it in. A user who is already signed in keeps their account and session.
    ///
    /// # Errors
    /// [`AccountError::GuestsOff`], [`CommonError::TooMany`].
    pub async fn play_as_guest(
        &self,
        call: &Call,
        browser: &Browser,
    ) -> Result<(User, Option<IssuedSession>), AccountError> {
        if let Caller::User(identity) = &call.caller {
            return Ok((self.user(identity.user_id).await?, None));
        }
        if !self.config.identity.guests {
            return Err(AccountError::GuestsOff);
        }
        self.limits().check(RateLimit::Guest, call.address)?;
        let user = self.create_guest().await?;
        let issued = self.begin_session(call, browser, &user, None).await?;
        Ok((user, Some(issued)))
    }

    async fn create_guest(&self) -> Result<User, AccountError> {
        for _ in 0..MAX_NAME_ATTEMPTS {
            let name = RandomName::generate();
            // Removed when not seen for a while, so not by the wall clock.
            let named = NewUser::named(name.username, self.clock.steady());
            let guest = NewUser { display_name: name.display, is_temp: true, ..named };
            match self.store.create_user(guest).await {
                Err(StoreError::Taken(Unique::Username)) => {}
                made => return Ok(made?),
            }
        }
        Err(CommonError::unavailable("No name was free for you just now. Please try again.").into())
    }

    /// Sets a random display name and returns it.
    ///
    /// # Errors
    /// The store is unavailable.
    pub async fn assign_random_display_name(&self, identity: &Identity) -> Result<String, AccountError> {
        let display = RandomName::generate().display;
        let change = ProfileChange { display_name: Some(display.clone()), ..ProfileChange::default() };
        let user = self.store.update_profile(identity.user_id.0, change).await?;
        self.sessions().invalidate(identity.user_id);
        self.people.update(&user);
        Ok(display)
    }

    /// Deletes guests that were not seen for 30 days; returns how many were removed.
    ///
    /// # Errors
    /// The store is unavailable.
    pub async fn remove_unseen_guests(&self, now: DateTime<Utc>) -> Result<usize, AccountError> {
        let unseen = self.store.guests_unseen_since(now - UNSEEN_GUEST_LIFE, REMOVAL_BATCH).await?;
        let mut count = 0;
        for guest in unseen {
            match self.delete(guest.credentials(), now).await {
                Ok(()) => count += 1,
                // They came back, and have an account by now.
                Err(AccountError::Common(CommonError::CredentialsChanged)) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::account::{
        name_rules::NameRules,
        names::{DisplayName, Username},
    };

    #[test]
    fn every_name_that_can_be_drawn_keeps_the_rules_of_names() {
        let rules = NameRules::default();
        for adjective in ADJECTIVES {
            for animal in ANIMALS {
                // Digits at the end do not count for whether a name is allowed.
                let username = Username::parse(&format!("{adjective}{animal}9999")).and_then(|name| rules.allow(name));
                assert!(username.is_ok(), "{adjective}{animal}");
                let display = DisplayName::parse(&format!("{adjective} {animal}")).and_then(|name| rules.allow(name));
                assert!(display.is_ok(), "{adjective} {animal}");
            }
        }
        assert_ne!(RandomName::generate(), RandomName::generate());
    }
}
