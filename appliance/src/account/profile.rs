//! Looking people up, and changing one's own profile.

use morpion_rules::UserId;
use morpion_store::{ProfileChange, StoreError, Unique, User};

use super::{
    Accounts, Caller, Identity,
    limits::{Kind, Subject},
    names::{DisplayName, Fields, PersonName, Username},
    sign_in::username_taken,
};
use crate::http::{Fault, body::Call};

/// Characters, after trimming (events and gameplay, section 5).
const MIN_SEARCH: usize = 2;

/// Nobody's name is longer.
const MAX_SEARCH: usize = 50;

/// Results, unless less is wanted (events and gameplay, section 9).
const SEARCH_LIMIT: u32 = 10;

/// Results at most.
const MAX_SEARCH_LIMIT: u32 = 50;

/// A wish to change one's profile; `None` leaves a field as it is.
#[derive(Debug, Clone, Default)]
pub struct ProfileWish {
    pub username: Option<String>,
    pub display_name: Option<String>,
    pub first_name: Option<String>,
    pub last_name: Option<String>,
}

impl ProfileWish {
    fn check(self) -> Result<ProfileChange, Fault> {
        let mut fields = Fields::default();
        let mut failed = false;
        let mut field = |name: &str, value: Option<Result<String, String>>| {
            let given = value.is_some();
            let checked = value.and_then(|value| fields.check(name, value));
            failed |= given && checked.is_none();
            checked
        };
        let change = ProfileChange {
            username: field("username", self.username.map(|text| Username::parse(&text).map(Into::into))),
            display_name: field("displayName", self.display_name.map(|text| DisplayName::parse(&text).map(Into::into))),
            first_name: field("firstName", self.first_name.map(|text| PersonName::parse(&text).map(Into::into))),
            last_name: field("lastName", self.last_name.map(|text| PersonName::parse(&text).map(Into::into))),
        };
        if failed { Err(fields.fault()) } else { Ok(change) }
    }
}

impl Accounts {
    /// People whose username or display name contains the text; guests are not found, emails never looked at.
    ///
    /// # Errors
    /// 401 for visitors, 422 for a text under 2 characters, 429.
    pub async fn search(
        &self,
        call: &Call,
        text: &str,
        limit: Option<u32>,
        leave_out: Option<UserId>,
    ) -> Result<Vec<User>, Fault> {
        let text = text.trim();
        self.limits().check(Kind::Search, searcher(call)?)?;
        match text.chars().count() {
            0..MIN_SEARCH => return Err(Fault::invalid("text", "Type at least 2 characters")),
            MIN_SEARCH..=MAX_SEARCH => {}
            _ => return Ok(Vec::new()),
        }
        let limit = limit.unwrap_or(SEARCH_LIMIT).clamp(1, MAX_SEARCH_LIMIT) as usize;
        // One more, in case the one to leave out is among them.
        let mut users = self.store.search_users(text, limit + 1).await?;
        users.retain(|user| Some(UserId(user.id)) != leave_out);
        users.truncate(limit);
        Ok(users)
    }

    /// The account of this username.
    ///
    /// # Errors
    /// 401 for visitors, 404, 429.
    pub async fn find_by_username(&self, call: &Call, username: &str) -> Result<User, Fault> {
        self.limits().check(Kind::Search, searcher(call)?)?;
        // What cannot be a username is nobody's.
        let username = Username::parse(username).map_err(|_| Fault::not_found("user"))?;
        self.store.user_by_username(username.as_str()).await?.ok_or_else(|| Fault::not_found("user"))
    }

    /// Changes one's profile and answers the account as it is then.
    ///
    /// # Errors
    /// 422 with the fields that are wrong, 409 for a taken username.
    pub async fn update_profile(&self, identity: &Identity, wish: ProfileWish) -> Result<User, Fault> {
        let changed = self.store.update_profile(identity.user_id.0, wish.check()?).await;
        let user = changed.map_err(|error| match error {
            StoreError::Taken(Unique::Username) => username_taken(),
            error => error.into(),
        })?;
        self.sessions().reread(identity.user_id);
        self.people.note(&user);
        Ok(user)
    }
}

/// Whom searches are counted against.
///
/// # Errors
/// 401 for visitors.
fn searcher(call: &Call) -> Result<Subject, Fault> {
    match &call.caller {
        Caller::Visitor => Err(Fault::not_signed_in()),
        Caller::User(identity) => Ok(identity.user_id.into()),
        Caller::Operator(_) => Ok(call.address.into()),
    }
}
