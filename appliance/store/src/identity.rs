//! Identities of accounts: emails (`email`, verified ones only) and identities at providers (`provider`). Each is a
//! guard record, so that it has one owner even with concurrent writes.

use chrono::{DateTime, Utc};
use surrealdb::types::{RecordId, SurrealValue, Variables, vars};
use uuid::Uuid;

use crate::store::{Store, row, rows};
use crate::user::{email_record, key, provider_record, user_record};
use crate::{ProviderLink, Result, User};

/// Accounts claiming one email that are considered; each one costs a password check.
const EMAIL_CLAIMANTS: usize = 5;

pub(crate) const EMAIL_UNDOS_OVER: &str = "SELECT VALUE id FROM email_undo WHERE until <= $now";
pub(crate) const EMAIL_CLAIMS: &str = "SELECT * FROM user WHERE email_key = $key";

/// Verifies an email for the account, inside a transaction with [`own_email`]'s variables.
const OWN_EMAIL: &str = "LET $owner = (SELECT VALUE uid FROM ONLY $guard); \
    IF $owner != NONE AND $owner != $uid { THROW 'morpion:email-taken' }; \
    LET $before = (SELECT email_key, email_verified FROM ONLY $id); \
    IF $before.email_verified = true AND $before.email_key != $key { \
        DELETE type::record('email', $before.email_key) RETURN NONE; }; \
    UPSERT $guard CONTENT { uid: $uid } RETURN NONE; \
    UPDATE (SELECT VALUE id FROM user WHERE email_key = $key AND uid != $uid) \
        SET email = NONE, email_key = NONE RETURN NONE; \
    LET $changed = (UPDATE $id SET email = $email, email_key = $key, email_verified = true \
        WHERE deleted_at = NONE RETURN VALUE uid); \
    IF array::len($changed) = 0 { THROW 'morpion:no-user' };";

fn own_email(id: Uuid, email: &str) -> Variables {
    vars! { id: user_record(id), uid: id, guard: email_record(email), email: email.to_owned(), key: key(email) }
}

/// Restores a previous email.
#[derive(Debug, Clone, PartialEq, Eq, SurrealValue)]
pub struct EmailUndo {
    /// The SHA-256 of the token in the email, in hex.
    pub hash: String,
    #[surreal(rename = "uid")]
    pub user_id: Uuid,
    /// The email to restore.
    pub email: String,
    pub created_at: DateTime<Utc>,
    pub until: DateTime<Utc>,
}

fn undo_record(hash: &str) -> RecordId {
    RecordId::new("email_undo", hash)
}

impl Store {
    /// The account that verified this email.
    pub async fn user_by_verified_email(&self, email: &str) -> Result<Option<User>> {
        self.guarded_user(email_record(email)).await
    }

    /// The account linked to this identity at a provider.
    pub async fn user_by_provider(&self, link: &ProviderLink) -> Result<Option<User>> {
        self.guarded_user(provider_record(link)).await
    }

    /// The accounts that a sign-in with this email may mean: the one that verified it, else up to five that only
    /// claim it, the oldest first.
    ///
    /// More than one can claim an email, since an unverified one reserves nothing; the password tells them apart.
    pub async fn users_by_email(&self, email: &str) -> Result<Vec<User>> {
        if let Some(owner) = self.user_by_verified_email(email).await? {
            return Ok(vec![owner]);
        }
        let mut response = self.read(EMAIL_CLAIMS, vars! { key: key(email) }).await?;
        let mut claimants: Vec<User> = rows(&mut response, 0)?;
        claimants.sort_by_key(|user| user.created_at);
        claimants.truncate(EMAIL_CLAIMANTS);
        Ok(claimants)
    }

    /// Sets an unverified email, or none, and releases the previous one.
    pub async fn claim_email(&self, id: Uuid, email: Option<&str>) -> Result<()> {
        let query = "BEGIN; \
            LET $before = (SELECT email_key, email_verified FROM ONLY $id); \
            IF $before.email_verified = true { DELETE type::record('email', $before.email_key) RETURN NONE; }; \
            LET $changed = (UPDATE $id SET email = $email, email_key = $key, email_verified = false \
                WHERE deleted_at = NONE RETURN VALUE uid); \
            IF array::len($changed) = 0 { THROW 'morpion:no-user' }; \
            COMMIT;";
        let variables = vars! { id: user_record(id), email: email.map(str::to_owned), key: email.map(key) };
        self.write(query, variables).await.map(drop)
    }

    /// Sets an email as verified: its owner has shown that mail to it arrives.
    ///
    /// Accounts that only claimed it lose it.
    ///
    /// # Errors
    ///
    /// [`StoreError::Taken`](crate::StoreError::Taken) when another account has verified it already.
    pub async fn verify_email(&self, id: Uuid, email: &str) -> Result<()> {
        self.write(&format!("BEGIN; {OWN_EMAIL} COMMIT;"), own_email(id, email)).await.map(drop)
    }

    /// As [`Store::verify_email`], for an account that had verified another one, which `undo` restores.
    ///
    /// # Errors
    ///
    /// [`StoreError::Taken`](crate::StoreError::Taken) when another account has verified the new one already.
    pub async fn change_email(&self, id: Uuid, email: &str, undo: EmailUndo) -> Result<()> {
        let query = format!("BEGIN; UPSERT $undo CONTENT $row RETURN NONE; {OWN_EMAIL} COMMIT;");
        let mut variables = own_email(id, email);
        variables.insert("undo", undo_record(&undo.hash));
        variables.insert("row", undo);
        self.write(&query, variables).await.map(drop)
    }

    /// Restores a changed email; returns the account and the email. The link is valid once, and invalidates the links
    /// of later changes.
    ///
    /// # Errors
    ///
    /// [`StoreError::Taken`](crate::StoreError::Taken) when another account has verified it meanwhile.
    pub async fn undo_email_change(&self, hash: &str, now: DateTime<Utc>) -> Result<Option<(Uuid, String)>> {
        let mut response = self.read("SELECT * FROM $undo", vars! { undo: undo_record(hash) }).await?;
        let Some(undo) = row::<EmailUndo>(&mut response, 0)?.filter(|undo| undo.until > now) else { return Ok(None) };
        let query = format!(
            "BEGIN; IF !record::exists($undo) {{ THROW 'morpion:no-user' }}; \
             DELETE (SELECT VALUE id FROM email_undo WHERE uid = $uid AND created_at >= $since) RETURN NONE; \
             {OWN_EMAIL} COMMIT;"
        );
        let mut variables = own_email(undo.user_id, &undo.email);
        variables.insert("undo", undo_record(hash));
        variables.insert("since", undo.created_at);
        self.write(&query, variables).await?;
        Ok(Some((undo.user_id, undo.email)))
    }

    /// Removes expired undo links.
    pub async fn purge_email_undos(&self, now: DateTime<Utc>) -> Result<()> {
        let query = format!("DELETE ({EMAIL_UNDOS_OVER}) RETURN NONE");
        self.write(&query, vars! { now: now }).await.map(drop)
    }

    /// Links an identity at a provider to an account.
    ///
    /// # Errors
    ///
    /// [`StoreError::Taken`](crate::StoreError::Taken) when it is linked to another account.
    pub async fn link_provider(&self, id: Uuid, link: ProviderLink) -> Result<()> {
        let query = "BEGIN; \
            LET $owner = (SELECT VALUE uid FROM ONLY $guard); \
            IF $owner != NONE AND $owner != $uid { THROW 'morpion:provider-taken' }; \
            UPSERT $guard CONTENT { uid: $uid } RETURN NONE; \
            LET $changed = (UPDATE $id SET providers = array::add(providers, $link) \
                WHERE deleted_at = NONE RETURN VALUE uid); \
            IF array::len($changed) = 0 { THROW 'morpion:no-user' }; \
            COMMIT;";
        let variables = vars! { id: user_record(id), uid: id, guard: provider_record(&link), link: link };
        self.write(query, variables).await.map(drop)
    }

    /// Removes all links to providers, as a recovery of the account does.
    pub async fn unlink_providers(&self, id: Uuid) -> Result<()> {
        let query = "BEGIN; \
            FOR $link IN (SELECT VALUE providers FROM ONLY $id) ?? [] { \
                DELETE type::record('provider', [$link.iss, $link.sub]) RETURN NONE; }; \
            UPDATE $id SET providers = [] RETURN NONE; \
            COMMIT;";
        self.write(query, vars! { id: user_record(id) }).await.map(drop)
    }
}
