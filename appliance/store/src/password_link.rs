//! Operators' one-time links, by which the owner of an account sets a new password, or a passkey in its place:
//! `password_link`, at most one of an account, stored only as a hash.

use chrono::{DateTime, Utc};
use surrealdb::types::{RecordId, SurrealValue, Variables, vars};
use uuid::Uuid;

use crate::Result;
use crate::calendar::{REVOKE, calendar_record, revocation_record};
use crate::credentials::{self, Credentials, UNCHANGED};
use crate::device::devices_of;
use crate::second_factor::{ADD_PASSKEY, NewPasskey, REMOVE_FACTORS, second_factor_record};
use crate::store::{Store, row};

pub(crate) const PASSWORD_LINKS_OF: &str = "SELECT VALUE id FROM password_link WHERE uid = $uid";
pub(crate) const PASSWORD_LINKS_OVER: &str = "SELECT VALUE id FROM password_link WHERE until <= $now";

/// A link to be stored. `hash` is the SHA-256 of its token in hex.
#[derive(Debug, Clone)]
pub struct NewPasswordLink {
    pub hash: String,
    /// The account and its credentials when it was looked at: the link works only for these.
    pub owner: Credentials,
    /// Whether the second factor goes with the old password.
    pub ends_factors: bool,
    pub until: DateTime<Utc>,
}

/// A link that works.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PasswordLink {
    /// The account, and the credentials that the link replaces.
    pub owner: Credentials,
    pub ends_factors: bool,
}

/// What an account is signed in to with after a link.
#[derive(Debug, Clone, Copy)]
pub enum NewSignIn<'a> {
    /// Its hash.
    Password(&'a str),
    /// Of an account that has no second factor, or loses it by the link: a passkey is one in itself.
    Passkey(&'a NewPasskey<'a>),
}

#[derive(SurrealValue)]
struct Row {
    uid: Uuid,
    credential_version: Option<Uuid>,
    ends_factors: bool,
}

fn link_record(hash: &str) -> RecordId {
    RecordId::new("password_link", hash)
}

/// Statements that give the account of [`UNCHANGED`] another password and take from it whatever else somebody could sign
/// in with: providers and the admin rights by their claims, known devices, the calendar, sessions, links of operators, and with `ends_factors` the second
/// factor. The variables are those of [`new_password`].
pub(crate) fn replace_password(ends_factors: bool) -> String {
    let factors = if ends_factors { REMOVE_FACTORS } else { "" };
    format!(
        "FOR $link IN $account.providers {{ DELETE type::record('provider', [$link.iss, $link.sub]) RETURN NONE; }}; \
        DELETE $devices RETURN NONE; \
        DELETE ({PASSWORD_LINKS_OF}) RETURN NONE; \
        {REVOKE} \
        {factors} \
        UPDATE $id SET password_hash = $password, providers = [], \
            is_admin = ($account.is_admin = true AND $account.admin_claim = NONE), admin_claim = NONE, credential_version = $changed, \
            session_version = $changed RETURN NONE;"
    )
}

/// What [`replace_password`] needs beside the account. `now` is the calendar's; without a hash no password is left.
pub(crate) fn new_password(user_id: Uuid, password_hash: Option<&str>, now: DateTime<Utc>) -> Variables {
    vars! {
        devices: devices_of(user_id),
        calendar: calendar_record(user_id),
        revocation: revocation_record(Uuid::new_v4()),
        factor: second_factor_record(user_id),
        password: password_hash.map(str::to_owned),
        now: now,
    }
}

impl Store {
    /// Stores a link, in place of another one of its account. Audited.
    ///
    /// # Errors
    /// [`StoreError::NotFound`](crate::StoreError::NotFound) for a guest or a deleted account;
    /// [`StoreError::CredentialsChanged`](crate::StoreError::CredentialsChanged) when those of the owner are others by now.
    pub async fn create_password_link(&self, new: NewPasswordLink) -> Result<()> {
        let query = format!(
            "BEGIN; {UNCHANGED} \
            IF $account.is_temp {{ THROW 'morpion:no-user' }}; \
            DELETE ({PASSWORD_LINKS_OF}) RETURN NONE; \
            UPSERT $link_id CONTENT {{ uid: $uid, credential_version: $checked, ends_factors: $ends_factors, \
                until: $until }} RETURN NONE; \
            fn::audit($audit); \
            COMMIT;"
        );
        let mut variables = credentials::checked(new.owner);
        variables.extend(vars! { link_id: link_record(&new.hash), ends_factors: new.ends_factors, until: new.until });
        self.write(&query, variables).await.map(drop)
    }

    /// The link with this hash, unless it was used, replaced or has expired. Whether its account's credentials are still
    /// the same is found by [`Store::use_password_link`].
    pub async fn password_link(&self, hash: &str, now: DateTime<Utc>) -> Result<Option<PasswordLink>> {
        let query = "SELECT * FROM $link_id WHERE until > $now";
        let mut response = self.read(query, vars! { link_id: link_record(hash), now: now }).await?;
        Ok(row::<Row>(&mut response, 0)?.map(|row| PasswordLink {
            owner: Credentials { user_id: row.uid, version: row.credential_version },
            ends_factors: row.ends_factors,
        }))
    }

    /// Uses a link up: sets the password, or a passkey in its place, and ends whatever else the account was signed in to
    /// with. All or nothing. `now` is the steady clock's, `revoked_at` the calendar's.
    ///
    /// # Errors
    /// [`StoreError::NotFound`](crate::StoreError::NotFound) when the link was used, replaced or has expired meanwhile, and
    /// for a deleted account; [`StoreError::CredentialsChanged`](crate::StoreError::CredentialsChanged) when the
    /// account's are not those that the link was made for; [`StoreError::Taken`](crate::StoreError::Taken) for a passkey
    /// of somebody already.
    pub async fn use_password_link(
        &self,
        hash: &str,
        link: PasswordLink,
        new: NewSignIn<'_>,
        now: DateTime<Utc>,
        revoked_at: DateTime<Utc>,
    ) -> Result<()> {
        let (password_hash, add_passkey) = match new {
            NewSignIn::Password(hash) => (Some(hash), ""),
            NewSignIn::Passkey(_) => (None, ADD_PASSKEY),
        };
        let query = format!(
            "BEGIN; {UNCHANGED} \
            IF $account.credential_version != $changed {{ \
                IF array::len((SELECT VALUE id FROM $link_id WHERE uid = $uid AND until > $link_now)) = 0 \
                    {{ THROW 'morpion:no-user' }}; \
                {replace} \
                {add_passkey} \
            }}; \
            COMMIT;",
            replace = replace_password(link.ends_factors)
        );
        let mut variables = credentials::checked(link.owner);
        variables.extend(new_password(link.owner.user_id, password_hash, revoked_at));
        variables.extend(vars! { link_id: link_record(hash), link_now: now });
        if let NewSignIn::Passkey(passkey) = new {
            variables.extend(passkey.variables());
        }
        self.write(&query, variables).await.map(drop)
    }

    /// Removes expired links.
    pub async fn purge_password_links(&self, now: DateTime<Utc>) -> Result<()> {
        let query = format!("DELETE ({PASSWORD_LINKS_OVER}) RETURN NONE");
        self.write(&query, vars! { now: now }).await.map(drop)
    }
}
