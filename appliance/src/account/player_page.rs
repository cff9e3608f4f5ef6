//! Who has a player page, and who sees it: `docs/behaviour/player-pages.md#who-sees-it`.

use morpion_rules::UserId;
use morpion_store::{ProfileVisibility, User};

use super::{Accounts, error::AccountError, limits::RateLimit, names::Username};
use crate::{
    caller::{Call, Caller},
    error::CommonError,
};

/// Whose page is asked for.
#[derive(Debug, Clone, Copy)]
pub enum Whose<'a> {
    /// Also a former username.
    Username(&'a str),
    Id(UserId),
}

impl Accounts {
    /// The player whose page this is. Guests and deleted accounts have none.
    ///
    /// # Errors
    /// [`CommonError::NotFound`], [`CommonError::TooMany`].
    pub async fn player(&self, call: &Call, whose: Whose<'_>) -> Result<User, AccountError> {
        self.count_player_page(call)?;
        let found = match whose {
            // What cannot be a username is nobody's.
            Whose::Username(name) => match Username::parse(name) {
                Ok(name) => self.store.user_by_name(name.as_str(), self.clock.steady()).await?,
                Err(_) => None,
            },
            Whose::Id(id) => self.store.user(id.0).await?,
        };
        let has_page = |user: &User| !user.is_temp && user.deleted_at.is_none();
        Ok(found.filter(has_page).ok_or(CommonError::NotFound("player"))?)
    }

    /// Counts a call for a page, by the account or, for visitors and operator tokens, by the address.
    ///
    /// # Errors
    /// [`CommonError::TooMany`].
    pub fn count_player_page(&self, call: &Call) -> Result<(), CommonError> {
        match call.caller.user_id() {
            Some(user) => self.limits().check(RateLimit::PlayerPage, user),
            None => self.limits().check(RateLimit::PlayerPage, call.address),
        }
    }
}

pub fn visibility_of(user: &User) -> ProfileVisibility {
    user.profile_visibility.unwrap_or_default()
}

/// Whether the caller sees a player's results and games. Admins see them for moderation; a guest sees as much as a
/// visitor, since everybody can become one.
pub fn sees_page(caller: &Caller, user: &User) -> bool {
    caller.is_admin()
        || caller.user_id() == Some(user.id.into())
        || match visibility_of(user) {
            ProfileVisibility::Public => true,
            ProfileVisibility::Members => !caller.is_stranger(),
            ProfileVisibility::Nobody => false,
        }
}

/// Why the caller does not see it.
pub fn refusal(caller: &Caller) -> AccountError {
    match caller {
        Caller::Visitor => AccountError::MembersOnly,
        _ => AccountError::PageHidden,
    }
}
