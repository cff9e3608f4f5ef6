//! Accounts that are admins: `user`, and the number of admins in `counter:admins`.

use chrono::{DateTime, Utc};
use surrealdb::types::vars;
use uuid::Uuid;

use crate::store::{Store, row, rows};
use crate::user::user_record;
use crate::{NewUser, Result, User};

pub(crate) const ADMINS: &str = "SELECT * FROM user WHERE is_admin = true";

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

    /// Grants or removes admin rights, and returns how many admins there are then. Audited if that changes anything.
    ///
    /// # Errors
    ///
    /// [`StoreError::NotFound`], and [`StoreError::LastAdmin`].
    pub async fn set_admin(&self, id: Uuid, is_admin: bool) -> Result<u64> {
        let query = "BEGIN; \
            LET $before = (SELECT is_admin, deleted_at FROM ONLY $id); \
            IF $before = NONE OR $before.deleted_at != NONE { THROW 'morpion:no-user' }; \
            IF $before.is_admin != $is_admin { \
                IF !$is_admin AND counter:admins.value <= 1 { THROW 'morpion:last-admin' }; \
                UPDATE $id SET is_admin = $is_admin, credential_version = $changed RETURN NONE; \
                UPSERT counter:admins SET value = (value ?? 0) + IF $is_admin { 1 } ELSE { -1 } RETURN NONE; \
                fn::audit($audit); }; \
            COMMIT;";
        self.write(query, vars! { id: user_record(id), is_admin: is_admin, changed: Uuid::new_v4() }).await?;
        self.count_admins().await
    }

    /// Lets somebody host private events without a verified email, or no longer. Audited.
    ///
    /// # Errors
    ///
    /// [`StoreError::NotFound`].
    pub async fn allow_hosting(&self, id: Uuid, allowed: bool) -> Result<()> {
        let query = "BEGIN; \
            LET $changed = (UPDATE $id SET may_host = $allowed WHERE deleted_at = NONE RETURN VALUE uid); \
            IF array::len($changed) = 0 { THROW 'morpion:no-user' }; \
            fn::audit($audit); \
            COMMIT;";
        self.write(query, vars! { id: user_record(id), allowed: allowed }).await.map(drop)
    }

    /// How many admins there are.
    pub async fn count_admins(&self) -> Result<u64> {
        let mut response = self.read("SELECT VALUE value FROM ONLY counter:admins", vars! {}).await?;
        let count: Option<i64> = row(&mut response, 0)?;
        Ok(count.unwrap_or(0).max(0) as u64)
    }

    /// All admins.
    pub async fn admins(&self) -> Result<Vec<User>> {
        let mut response = self.read(ADMINS, vars! {}).await?;
        rows(&mut response, 0)
    }
}
