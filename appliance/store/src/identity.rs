//! Identities of accounts: emails (`email`, verified ones only) and identities at providers (`provider`). Each is a
//! guard record, so that it has one owner even with concurrent writes.

use chrono::{DateTime, Utc};
use surrealdb::types::{RecordId, SurrealValue, Variables, vars};
use uuid::Uuid;

use crate::credentials::{self, Credentials, UNCHANGED};
use crate::store::{Store, row, rows};
use crate::user::{email_record, key, provider_record};
use crate::{ProviderLink, Result, User};

/// Accounts claiming one email that are looked at. There is one, but for data in which several still do.
const EMAIL_CLAIMANTS: usize = 5;

pub(crate) const EMAIL_UNDOS_OVER: &str = "SELECT VALUE id FROM email_undo WHERE until <= $now";
pub(crate) const EMAIL_CLAIMS: &str = "SELECT * FROM user WHERE email_key = $key";

/// Verifies an email for the account, inside a transaction with [`UNCHANGED`] and the variables of [`of_email`].
pub(crate) const OWN_EMAIL: &str = "LET $owner = (SELECT VALUE uid FROM ONLY $guard); \
    IF $owner != NONE AND $owner != $uid { THROW 'morpion:email-taken' }; \
    LET $before = (SELECT email_key, email_verified FROM ONLY $id); \
    IF $before.email_verified = true AND $before.email_key != $key { \
        DELETE type::record('email', $before.email_key) RETURN NONE; }; \
    UPSERT $guard CONTENT { uid: $uid } RETURN NONE; \
    DELETE $claim RETURN NONE; \
    UPDATE (SELECT VALUE id FROM user WHERE email_key = $key AND uid != $uid) \
        SET email = NONE, email_key = NONE RETURN NONE; \
    UPDATE $id SET email = $email, email_key = $key, email_verified = true, credential_version = $changed RETURN NONE;";

/// Says with `$claimed` whether the account `$uid` may claim an email that it has not verified: nobody else claims it, or has
/// verified it. Only that account is found by it (`email_key`), so that a sign-in looks at one password.
pub(crate) const CLAIM_EMAIL: &str = "UPSERT $claim SET uid = $uid, last = rand::uuid() RETURN NONE; \
    LET $claimed = !record::exists($guard) AND \
        array::len((SELECT VALUE uid FROM user WHERE email_key = $key AND uid != $uid LIMIT 1)) = 0;";

pub(crate) fn claim_record(email: &str) -> RecordId {
    RecordId::new("email_claim", key(email))
}

/// What [`OWN_EMAIL`] and [`CLAIM_EMAIL`] need beside the account.
pub(crate) fn of_email(email: &str) -> Variables {
    vars! { guard: email_record(email), claim: claim_record(email), email: email.to_owned(), key: key(email) }
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

    /// The account that a sign-in or a recovery with this email is for: the one that verified it, otherwise the one that
    /// claims it, the oldest of several.
    pub async fn user_by_email(&self, email: &str) -> Result<Option<User>> {
        Ok(self.users_by_email(email).await?.into_iter().next())
    }

    /// The account that verified this email, otherwise those that claim it, the oldest first.
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

    /// Sets an unverified email and releases the previous one. It finds the account only if no other account claims or has
    /// verified it.
    ///
    /// # Errors
    ///
    /// [`StoreError::NotFound`](crate::StoreError::NotFound),
    /// [`StoreError::CredentialsChanged`](crate::StoreError::CredentialsChanged).
    pub async fn claim_email(&self, checked: Credentials, email: &str) -> Result<()> {
        let query = format!(
            "BEGIN; {UNCHANGED} {CLAIM_EMAIL} \
             IF $account.email_verified = true {{ DELETE type::record('email', $account.email_key) RETURN NONE; }}; \
             UPDATE $id SET email = $email, email_key = IF $claimed {{ $key }}, email_verified = false, \
                 credential_version = $changed RETURN NONE; \
             COMMIT;"
        );
        let mut variables = credentials::checked(checked);
        variables.extend(of_email(email));
        self.write(&query, variables).await.map(drop)
    }

    /// Sets an email as verified: its owner has shown that mail to it arrives. An account that only claimed it loses it.
    /// Returns the credentials that the account has then.
    ///
    /// # Errors
    ///
    /// [`StoreError::Taken`](crate::StoreError::Taken) when another account has verified it already,
    /// [`StoreError::NotFound`](crate::StoreError::NotFound),
    /// [`StoreError::CredentialsChanged`](crate::StoreError::CredentialsChanged).
    pub async fn verify_email(&self, checked: Credentials, email: &str) -> Result<Credentials> {
        let (mut variables, changed) = credentials::changing(checked);
        variables.extend(of_email(email));
        self.write(&format!("BEGIN; {UNCHANGED} {OWN_EMAIL} COMMIT;"), variables).await?;
        Ok(changed)
    }

    /// As [`Store::verify_email`], for an account that had verified another one, which `undo` restores.
    ///
    /// # Errors
    ///
    /// As there.
    pub async fn change_email(&self, checked: Credentials, email: &str, undo: EmailUndo) -> Result<Credentials> {
        let query = format!("BEGIN; {UNCHANGED} UPSERT $undo CONTENT $row RETURN NONE; {OWN_EMAIL} COMMIT;");
        let (mut variables, changed) = credentials::changing(checked);
        variables.extend(of_email(email));
        variables.insert("undo", undo_record(&undo.hash));
        variables.insert("row", undo);
        self.write(&query, variables).await?;
        Ok(changed)
    }

    /// Sets another email, which nobody confirmed, for an operator. `undo` restores the one before, if that was verified.
    /// Audited.
    ///
    /// # Errors
    ///
    /// [`StoreError::Taken`](crate::StoreError::Taken) when another account has verified it,
    /// [`StoreError::NotFound`](crate::StoreError::NotFound) for a guest or a deleted account,
    /// [`StoreError::CredentialsChanged`](crate::StoreError::CredentialsChanged).
    pub async fn replace_email(&self, checked: Credentials, email: &str, undo: Option<EmailUndo>) -> Result<()> {
        let query = format!(
            "BEGIN; {UNCHANGED} \
             IF $account.is_temp {{ THROW 'morpion:no-user' }}; \
             LET $owner = (SELECT VALUE uid FROM ONLY $guard); \
             IF $owner != NONE AND $owner != $uid {{ THROW 'morpion:email-taken' }}; \
             IF $account.email_verified = true {{ DELETE type::record('email', $account.email_key) RETURN NONE; }}; \
             {CLAIM_EMAIL} \
             IF $undo != NONE {{ UPSERT $undo CONTENT $row RETURN NONE; }}; \
             UPDATE $id SET email = $email, email_key = IF $claimed {{ $key }}, email_verified = false, \
                 credential_version = $changed RETURN NONE; \
             fn::audit($audit); \
             COMMIT;"
        );
        let mut variables = credentials::checked(checked);
        variables.extend(of_email(email));
        variables.insert("undo", undo.as_ref().map(|undo| undo_record(&undo.hash)));
        variables.insert("row", undo);
        self.write(&query, variables).await.map(drop)
    }

    /// Restores a changed email and ends all sessions; returns the account and the email. The link is valid once, and
    /// invalidates the links of later changes.
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
             {UNCHANGED} {OWN_EMAIL} UPDATE $id SET session_version = $changed RETURN NONE; COMMIT;"
        );
        let mut variables = credentials::unchecked(undo.user_id);
        variables.extend(of_email(&undo.email));
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

    /// Links an identity at a provider to an account. Returns the credentials that it has then.
    ///
    /// # Errors
    ///
    /// [`StoreError::Taken`](crate::StoreError::Taken) when it is linked to another account,
    /// [`StoreError::NotFound`](crate::StoreError::NotFound),
    /// [`StoreError::CredentialsChanged`](crate::StoreError::CredentialsChanged).
    pub async fn link_provider(&self, checked: Credentials, link: ProviderLink) -> Result<Credentials> {
        let query = format!(
            "BEGIN; {UNCHANGED} \
             LET $owner = (SELECT VALUE uid FROM ONLY $guard); \
             IF $owner != NONE AND $owner != $uid {{ THROW 'morpion:provider-taken' }}; \
             UPSERT $guard CONTENT {{ uid: $uid }} RETURN NONE; \
             UPDATE $id SET providers = array::add(providers, $link), credential_version = $changed RETURN NONE; \
             COMMIT;"
        );
        let (mut variables, changed) = credentials::changing(checked);
        variables.extend(vars! { guard: provider_record(&link), link: link });
        self.write(&query, variables).await?;
        Ok(changed)
    }
}
