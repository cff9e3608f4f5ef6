//! Searching for people, and changing one's own profile.

use chrono::{DateTime, TimeDelta, Utc};
use morpion_rules::UserId;
use morpion_store::{ProfileChange, ProfileVisibility, Rename, StoreError, Unique, User};

use super::{
    Accounts,
    error::AccountError,
    limits::{RateLimit, Subject},
    name_rules::NameRules,
    names::{DisplayName, PersonName, Username},
};
use crate::{
    caller::{Call, Caller, Identity},
    error::{CommonError, FieldErrors},
};

/// Characters, after trimming; see `docs/behaviour/accounts.md#searching-for-people`.
const MIN_SEARCH: usize = 2;

/// Nobody's name is longer.
const MAX_SEARCH: usize = 50;

/// Default number of results.
const SEARCH_LIMIT: u32 = 10;

/// The shortest time between two changes of a username.
const RENAME_INTERVAL: TimeDelta = TimeDelta::days(30);

/// How long the previous name stays reserved for its owner and leads to the new one.
const FORMER_NAME_LIFE: TimeDelta = TimeDelta::days(90);

/// The largest number of results.
const MAX_SEARCH_LIMIT: u32 = 50;

/// A change of one's profile; `None` leaves a field as it is.
#[derive(Debug, Clone, Default)]
pub struct ProfilePatch {
    pub username: Option<String>,
    pub display_name: Option<String>,
    pub first_name: Option<String>,
    pub last_name: Option<String>,
    pub visibility: Option<ProfileVisibility>,
}

impl ProfilePatch {
    /// Forms send names that stay as they are, and those are kept even if nobody could choose them today.
    fn without_unchanged(self, user: &User) -> Self {
        Self {
            username: self.username.filter(|name| *name != user.username),
            display_name: self.display_name.filter(|name| *name != user.display_name),
            ..self
        }
    }

    fn check(self, rules: &NameRules, now: DateTime<Utc>) -> Result<ProfileChange, FieldErrors> {
        let mut fields = FieldErrors::default();
        let mut failed = false;
        let mut field = |name: &str, value: Option<Result<String, String>>| {
            let given = value.is_some();
            let checked = value.and_then(|value| fields.check(name, value));
            failed |= given && checked.is_none();
            checked
        };
        let change = ProfileChange {
            username: field(
                "username",
                self.username.map(|text| Username::parse(&text).and_then(|name| rules.allow(name)).map(Into::into)),
            )
            .map(|username| Rename {
                username,
                now,
                not_since: now - RENAME_INTERVAL,
                kept_until: now + FORMER_NAME_LIFE,
            }),
            display_name: field(
                "displayName",
                self.display_name
                    .map(|text| DisplayName::parse(&text).and_then(|name| rules.allow(name)).map(Into::into)),
            ),
            first_name: field("firstName", self.first_name.map(|text| PersonName::parse(&text).map(Into::into))),
            last_name: field("lastName", self.last_name.map(|text| PersonName::parse(&text).map(Into::into))),
            profile_visibility: self.visibility,
        };
        if failed { Err(fields) } else { Ok(change) }
    }
}

impl Accounts {
    /// People whose username or display name contains the text. Guests are not found, and emails are not searched.
    ///
    /// # Errors
    /// [`CommonError::NotSignedIn`] for visitors, [`CommonError::Invalid`] for a text under 2 characters,
    /// [`CommonError::TooMany`].
    pub async fn search(
        &self,
        call: &Call,
        text: &str,
        limit: Option<u32>,
        leave_out: Option<UserId>,
    ) -> Result<Vec<User>, AccountError> {
        let text = text.trim();
        self.limits().check(RateLimit::Search, search_subject(call)?)?;
        match text.chars().count() {
            0..MIN_SEARCH => return Err(CommonError::invalid("text", "Type at least 2 characters").into()),
            MIN_SEARCH..=MAX_SEARCH => {}
            _ => return Ok(Vec::new()),
        }
        let limit = limit.unwrap_or(SEARCH_LIMIT).clamp(1, MAX_SEARCH_LIMIT) as usize;
        // One more, in case the excluded user is among them.
        let mut users = self.store.search_users(text, limit + 1).await?;
        users.retain(|user| Some(UserId(user.id)) != leave_out);
        users.truncate(limit);
        Ok(users)
    }

    /// The account with this username, or with this former username.
    ///
    /// # Errors
    /// [`CommonError::NotSignedIn`] for visitors, [`CommonError::NotFound`], [`CommonError::TooMany`].
    pub async fn find_by_username(&self, call: &Call, username: &str) -> Result<User, AccountError> {
        self.limits().check(RateLimit::Search, search_subject(call)?)?;
        self.named(username).await?.ok_or(CommonError::NotFound("user").into())
    }

    /// The account with a username, also a former one. Not counted: for lists that an admin sends.
    ///
    /// # Errors
    /// The store is unavailable.
    pub async fn named(&self, username: &str) -> Result<Option<User>, AccountError> {
        // What cannot be a username is nobody's.
        let Ok(username) = Username::parse(username) else { return Ok(None) };
        Ok(self.store.user_by_name(username.as_str(), self.clock.steady()).await?)
    }

    /// Changes one's profile and returns the updated account.
    ///
    /// # Errors
    /// [`CommonError::Invalid`], [`AccountError::UsernameTaken`], [`AccountError::UsernameCooldown`].
    pub async fn update_profile(&self, identity: &Identity, patch: ProfilePatch) -> Result<User, AccountError> {
        let change = patch
            .without_unchanged(&self.user(identity.user_id).await?)
            .check(&self.name_rules(), self.clock.steady())?;
        let user = match self.store.update_profile(identity.user_id.0, change).await {
            Err(StoreError::Taken(Unique::Username)) => return Err(AccountError::UsernameTaken),
            Err(StoreError::TooSoon) => {
                let before = self.user(identity.user_id).await?;
                let again = username_changeable_at(&before).unwrap_or_else(|| self.clock.steady());
                return Err(AccountError::UsernameCooldown { again });
            }
            changed => changed?,
        };
        self.sessions().invalidate(identity.user_id);
        self.people.update(&user);
        Ok(user)
    }
}

/// Whether the paid plan is active.
pub fn is_pro(user: &User, now: DateTime<Utc>) -> bool {
    user.pro.as_ref().is_some_and(|pro| pro.until.is_none_or(|until| until > now))
}

/// When the username may be changed again; `None` for one that was never changed.
pub fn username_changeable_at(user: &User) -> Option<DateTime<Utc>> {
    user.username_changed_at.map(|at| at + RENAME_INTERVAL)
}

/// Whose rate limit a search counts against.
///
/// # Errors
/// [`CommonError::NotSignedIn`] for visitors.
fn search_subject(call: &Call) -> Result<Subject, CommonError> {
    match &call.caller {
        Caller::Visitor => Err(CommonError::NotSignedIn),
        Caller::User(identity) => Ok(identity.user_id.into()),
        Caller::Operator(_) => Ok(call.address.into()),
    }
}
