//! Accounts that are admins: `user`. Those who were promoted are counted in `counter:admins`; others are admins by a
//! provider's claim (`admin_claim`), for a while, and are not.

use chrono::{DateTime, Utc};
use surrealdb::types::{SurrealValue, vars};
use uuid::Uuid;

use crate::credentials::{self, Credentials, NO_GUEST, UNCHANGED};
use crate::store::{Store, row, rows};
use crate::user::user_record;
use crate::{NewUser, Result, User};

pub(crate) const ADMINS: &str = "SELECT * FROM user WHERE is_admin = true";

const MAKE_ADMIN: &str = "UPSERT counter:admins SET value = (value ?? 0) + 1 RETURN NONE; fn::audit($audit);";

/// Admin rights that a provider's claim gives.
#[derive(Debug, Clone, PartialEq, Eq, SurrealValue)]
pub struct AdminClaim {
    /// The issuer of the provider.
    pub iss: String,
    /// The group that gives them.
    pub group: String,
    /// When they began. Older sessions do not have them: somebody else may have started those.
    pub since: DateTime<Utc>,
    /// When they end, unless another sign-in brings the claim.
    pub until: DateTime<Utc>,
}

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

    /// Grants or removes admin rights, and returns how many admins were promoted then. Rights by a claim become these, or
    /// end. Audited if that changes anything.
    ///
    /// # Errors
    ///
    /// [`StoreError::NotFound`], and [`StoreError::LastAdmin`].
    pub async fn set_admin(&self, id: Uuid, is_admin: bool) -> Result<u64> {
        let query = "BEGIN; \
            LET $before = (SELECT is_admin, admin_claim, deleted_at FROM ONLY $id); \
            IF $before = NONE OR $before.deleted_at != NONE { THROW 'morpion:no-user' }; \
            LET $counted = ($before.is_admin = true AND $before.admin_claim = NONE); \
            LET $step = IF $is_admin { 1 } ELSE IF $counted { -1 } ELSE { 0 }; \
            IF $before.is_admin != $is_admin OR $before.admin_claim != NONE { \
                IF $counted AND counter:admins.value <= 1 { THROW 'morpion:last-admin' }; \
                UPDATE $id SET is_admin = $is_admin, admin_claim = NONE, credential_version = $changed RETURN NONE; \
                UPSERT counter:admins SET value = (value ?? 0) + $step RETURN NONE; \
                fn::audit($audit); }; \
            COMMIT;";
        self.write(query, vars! { id: user_record(id), is_admin: is_admin, changed: Uuid::new_v4() }).await?;
        self.count_admins().await
    }

    /// Makes an account an admin by a provider's claim, or lets these rights last longer. Returns the credentials that it has
    /// then. Audited if it was no admin.
    ///
    /// # Errors
    ///
    /// [`StoreError::NotFound`], also for a guest; [`StoreError::CredentialsChanged`], also for who was promoted.
    pub async fn grant_by_claim(&self, checked: Credentials, claim: AdminClaim) -> Result<Credentials> {
        let query = format!(
            "BEGIN; {UNCHANGED} {NO_GUEST} \
             IF $account.is_admin = true AND $account.admin_claim = NONE {{ THROW 'morpion:credentials-changed' }}; \
             UPDATE $id SET is_admin = true, admin_claim = $claim, credential_version = $changed RETURN NONE; \
             IF $account.is_admin != true {{ fn::audit($audit) }}; \
             COMMIT;"
        );
        let (mut variables, changed) = credentials::changing(checked);
        variables.insert("claim", claim);
        self.write(&query, variables).await?;
        Ok(changed)
    }

    /// Ends admin rights by a claim, with the account's sessions or without; nothing if they were renewed or promoted
    /// meanwhile. Audited if that changes anything.
    pub async fn end_admin_claim(&self, id: Uuid, claim: AdminClaim, ends_sessions: bool) -> Result<()> {
        let query = "BEGIN; \
            LET $ended = (UPDATE $id SET is_admin = false, admin_claim = NONE, credential_version = $changed, \
                session_version = IF $ends_sessions { $changed } ELSE { session_version } \
                WHERE admin_claim.iss = $claim.iss AND admin_claim.until = $claim.until RETURN VALUE uid); \
            IF array::len($ended) > 0 { fn::audit($audit) }; \
            COMMIT;";
        let variables =
            vars! { id: user_record(id), claim: claim, ends_sessions: ends_sessions, changed: Uuid::new_v4() };
        self.write(query, variables).await.map(drop)
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

    /// How many admins were promoted, which those by a claim are not.
    pub async fn count_admins(&self) -> Result<u64> {
        let mut response = self.read("SELECT VALUE value FROM ONLY counter:admins", vars! {}).await?;
        let count: Option<i64> = row(&mut response, 0)?;
        Ok(count.unwrap_or(0).max(0) as u64)
    }

    /// All admins, also those by a claim.
    pub async fn admins(&self) -> Result<Vec<User>> {
        let mut response = self.read(ADMINS, vars! {}).await?;
        rows(&mut response, 0)
    }
}
