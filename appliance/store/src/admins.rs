//! Accounts that are admins from the start: `user`, and the number of admins in `counter:admins`.

use chrono::{DateTime, Utc};
use surrealdb::types::vars;

use crate::store::Store;
use crate::{NewUser, Result, User};

const MAKE_ADMIN: &str = "UPSERT counter:admins SET value = (value ?? 0) + 1 RETURN NONE; fn::audit($audit);";

impl Store {
    /// Stores an account that is an admin from the start. Audited.
    ///
    /// # Errors
    ///
    /// As [`Store::create_user`].
    pub async fn create_admin(&self, new: NewUser) -> Result<User> {
        self.insert_user(new, MAKE_ADMIN, vars! {}).await
    }

    /// As [`Store::create_admin`], by the setup link with this hash, which is used up. Exactly one caller has it.
    ///
    /// # Errors
    ///
    /// [`StoreError::NotFound`] for any other link, and for one that has expired.
    pub async fn create_admin_by_link(&self, new: NewUser, hash: &str, now: DateTime<Utc>) -> Result<User> {
        let query = format!(
            "LET $link = (DELETE setup_link:current WHERE hash = $link_hash AND expires_at > $link_now RETURN BEFORE); \
             IF array::len($link) = 0 {{ THROW 'morpion:no-setup-link' }}; {MAKE_ADMIN}"
        );
        self.insert_user(new, &query, vars! { link_hash: hash.to_owned(), link_now: now }).await
    }
}
