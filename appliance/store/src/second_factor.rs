//! Second factors: `second_factor`, one record for each account that has one (authenticator app and recovery codes),
//! and `passkey`, keyed by the credential's id. `user.second_factor` says whether there is an app or a passkey.

use chrono::{DateTime, Utc};
use surrealdb::types::{RecordId, SurrealValue, Uuid as DbUuid, Variables, vars};
use uuid::Uuid;

use crate::credentials::{self, Credentials, NO_GUEST, UNCHANGED};
use crate::store::{Store, last, row, rows};
use crate::{Result, User};

pub(crate) const PASSKEYS_OF: &str = "SELECT * FROM passkey WHERE uid = $uid";
pub(crate) const PASSKEY: &str = "SELECT VALUE id FROM passkey WHERE uid = $uid AND pid = $pid";

/// After something was removed: recovery codes alone are no second factor.
const UPDATE_USER: &str = "LET $has = (SELECT VALUE totp_secret FROM ONLY $factor) != NONE \
    OR array::len((SELECT VALUE pid FROM passkey WHERE uid = $uid)) > 0; \
    UPDATE $id SET second_factor = $has, credential_version = $changed RETURN NONE; \
    IF !$has { DELETE $factor RETURN NONE; }; ";

/// Removes everything that is asked for beside the password.
pub(crate) const REMOVE_FACTORS: &str = "DELETE $factor RETURN NONE; \
    DELETE (SELECT VALUE id FROM passkey WHERE uid = $uid) RETURN NONE; \
    UPDATE $id SET second_factor = false, credential_version = $changed RETURN NONE;";

/// Statements that give the account of [`UNCHANGED`] a passkey. The variables are those of [`NewPasskey`] and `factor`.
pub(crate) const ADD_PASSKEY: &str = "CREATE $passkey CONTENT $row RETURN NONE; \
    IF (SELECT VALUE uid FROM ONLY $factor) = NONE { \
        UPSERT $factor CONTENT { uid: $uid, totp_step: 0, recovery_codes: $codes } RETURN NONE; }; \
    UPDATE $id SET second_factor = true, credential_version = $changed RETURN NONE;";

/// A passkey to be stored.
#[derive(Debug, Clone, Copy)]
pub struct NewPasskey<'a> {
    /// The credential's, in base64url.
    pub credential_id: &'a str,
    pub row: &'a PasskeyRow,
    /// Hashes of the recovery codes that an account gets with its first factor.
    pub codes: &'a [String],
}

impl NewPasskey<'_> {
    pub(crate) fn variables(&self) -> Variables {
        vars! { passkey: passkey_record(self.credential_id), row: self.row.clone(), codes: self.codes.to_vec() }
    }
}

/// A passkey.
#[derive(Debug, Clone, PartialEq, Eq, SurrealValue)]
pub struct PasskeyRow {
    #[surreal(rename = "pid")]
    pub id: Uuid,
    #[surreal(rename = "uid")]
    pub user_id: Uuid,
    /// What its owner calls it.
    pub name: String,
    /// The public key and what belongs to it, as JSON.
    pub credential: String,
    /// The authenticator's last signature counter; 0 for one that does not count.
    pub counter: i64,
    pub created_at: DateTime<Utc>,
    pub last_used_at: Option<DateTime<Utc>>,
}

/// An account's second factor.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SecondFactor {
    /// The authenticator app's secret, encrypted.
    pub totp_secret: Option<String>,
    /// How many recovery codes are left.
    pub recovery_codes: usize,
    /// The oldest first.
    pub passkeys: Vec<PasskeyRow>,
}

#[derive(SurrealValue)]
struct Row {
    totp_secret: Option<String>,
    recovery_codes: Vec<String>,
}

pub(crate) fn second_factor_record(user_id: Uuid) -> RecordId {
    RecordId::new("second_factor", DbUuid::from(user_id))
}

fn passkey_record(credential_id: &str) -> RecordId {
    RecordId::new("passkey", credential_id)
}

impl Store {
    /// The second factor of an account.
    pub async fn second_factor(&self, user_id: Uuid) -> Result<SecondFactor> {
        let query = format!("SELECT totp_secret, recovery_codes FROM $factor; {PASSKEYS_OF}");
        let mut response = self.read(&query, vars! { factor: second_factor_record(user_id), uid: user_id }).await?;
        let (found, mut passkeys): (Option<Row>, Vec<PasskeyRow>) = (row(&mut response, 0)?, rows(&mut response, 1)?);
        passkeys.sort_by_key(|passkey| passkey.created_at);
        let (totp_secret, recovery_codes) =
            found.map_or((None, 0), |found| (found.totp_secret, found.recovery_codes.len()));
        Ok(SecondFactor { totp_secret, recovery_codes, passkeys })
    }

    /// Stores an authenticator app; codes up to `step` are used. With the account's first factor the recovery codes (as
    /// hashes) are stored too; returns whether they were.
    ///
    /// # Errors
    ///
    /// [`StoreError::NotFound`](crate::StoreError::NotFound) for a guest or a deleted account,
    /// [`StoreError::CredentialsChanged`](crate::StoreError::CredentialsChanged).
    pub async fn set_totp(&self, checked: Credentials, secret: &str, step: i64, codes: &[String]) -> Result<bool> {
        // A repetition finds its own codes.
        let query = format!(
            "BEGIN; {UNCHANGED} {NO_GUEST} \
            LET $before = (SELECT VALUE recovery_codes FROM ONLY $factor) ?? []; \
            LET $first = !$account.second_factor OR $before = $codes; \
            UPSERT $factor SET uid = $uid, totp_secret = $secret, totp_step = $step, \
                recovery_codes = IF $first {{ $codes }} ELSE {{ $before }} RETURN NONE; \
            UPDATE $id SET second_factor = true, credential_version = $changed RETURN NONE; \
            RETURN [$first]; \
            COMMIT;"
        );
        let mut variables = credentials::checked(checked);
        variables.extend(vars! {
            factor: second_factor_record(checked.user_id),
            secret: secret.to_owned(),
            step: step,
            codes: codes.to_vec(),
        });
        let mut response = self.write(&query, variables).await?;
        Ok(last::<bool>(&mut response)?.contains(&true))
    }

    /// Removes the authenticator app.
    ///
    /// # Errors
    ///
    /// [`StoreError::NotFound`](crate::StoreError::NotFound),
    /// [`StoreError::CredentialsChanged`](crate::StoreError::CredentialsChanged).
    pub async fn remove_totp(&self, checked: Credentials) -> Result<()> {
        let query =
            format!("BEGIN; {UNCHANGED} UPDATE $factor SET totp_secret = NONE RETURN NONE; {UPDATE_USER} COMMIT;");
        let mut variables = credentials::checked(checked);
        variables.insert("factor", second_factor_record(checked.user_id));
        self.write(&query, variables).await.map(drop)
    }

    /// Uses up the codes of the authenticator app up to this step; false when they were used already.
    pub async fn use_totp_step(&self, user_id: Uuid, step: i64) -> Result<bool> {
        let query = "UPDATE $factor SET totp_step = $step WHERE totp_secret != NONE AND totp_step < $step \
                     RETURN VALUE totp_step";
        let variables = vars! { factor: second_factor_record(user_id), step: step };
        let mut response = self.write(query, variables).await?;
        Ok(row::<i64>(&mut response, 0)?.is_some())
    }

    /// Uses up a recovery code (by its hash); returns how many are left, or `None` when there is no such code.
    pub async fn use_recovery_code(&self, user_id: Uuid, code: &str) -> Result<Option<usize>> {
        let query = "UPDATE $factor SET recovery_codes = array::complement(recovery_codes, [$code]) \
                     WHERE recovery_codes CONTAINS $code RETURN VALUE array::len(recovery_codes)";
        let variables = vars! { factor: second_factor_record(user_id), code: code.to_owned() };
        let mut response = self.write(query, variables).await?;
        Ok(row::<i64>(&mut response, 0)?.and_then(|left| usize::try_from(left).ok()))
    }

    /// Replaces the recovery codes (as hashes); false when the account has no second factor.
    ///
    /// # Errors
    ///
    /// [`StoreError::NotFound`](crate::StoreError::NotFound),
    /// [`StoreError::CredentialsChanged`](crate::StoreError::CredentialsChanged).
    pub async fn set_recovery_codes(&self, checked: Credentials, codes: &[String]) -> Result<bool> {
        let query = format!(
            "BEGIN; {UNCHANGED} \
             LET $replaced = (UPDATE $factor SET recovery_codes = $codes RETURN VALUE uid); \
             IF array::len($replaced) > 0 {{ UPDATE $id SET credential_version = $changed RETURN NONE; }}; \
             RETURN [array::len($replaced) > 0]; \
             COMMIT;"
        );
        let mut variables = credentials::checked(checked);
        variables.extend(vars! { factor: second_factor_record(checked.user_id), codes: codes.to_vec() });
        let mut response = self.write(&query, variables).await?;
        Ok(last::<bool>(&mut response)?.contains(&true))
    }

    /// Stores a passkey by the id of its credential, at most `most` of an account. Recovery codes as with
    /// [`Store::set_totp`].
    ///
    /// # Errors
    ///
    /// [`StoreError::Taken`](crate::StoreError::Taken) when the credential is stored already,
    /// [`StoreError::LimitReached`](crate::StoreError::LimitReached),
    /// [`StoreError::NotFound`](crate::StoreError::NotFound) for a guest or a deleted account,
    /// [`StoreError::CredentialsChanged`](crate::StoreError::CredentialsChanged).
    pub async fn insert_passkey(
        &self,
        checked: Credentials,
        credential_id: &str,
        passkey: &PasskeyRow,
        codes: &[String],
        most: usize,
    ) -> Result<bool> {
        let query = format!(
            "BEGIN; {UNCHANGED} {NO_GUEST} \
            IF array::len((SELECT VALUE pid FROM passkey WHERE uid = $uid)) >= $most {{ THROW 'morpion:plan-limit' }}; \
            {ADD_PASSKEY} \
            RETURN [!$account.second_factor]; \
            COMMIT;"
        );
        let mut variables = credentials::checked(checked);
        variables.extend(NewPasskey { credential_id, row: passkey, codes }.variables());
        variables.extend(vars! { factor: second_factor_record(checked.user_id), most: most as i64 });
        let mut response = self.write(&query, variables).await?;
        Ok(last::<bool>(&mut response)?.contains(&true))
    }

    /// The passkey of a credential, and its owner as they are while it is theirs.
    pub async fn passkey(&self, credential_id: &str) -> Result<Option<(PasskeyRow, User)>> {
        let query = "LET $found = (SELECT * FROM ONLY $id); SELECT * FROM $id; \
                     SELECT * FROM type::record('user', $found.uid) WHERE $found != NONE AND deleted_at = NONE";
        let mut response = self.read(query, vars! { id: passkey_record(credential_id) }).await?;
        let (found, owner): (Option<PasskeyRow>, Option<User>) = (row(&mut response, 1)?, row(&mut response, 2)?);
        Ok(found.zip(owner))
    }

    /// Records a use of a passkey with its signature counter; false when the counter did not grow, or it was removed.
    pub async fn use_passkey(
        &self,
        credential_id: &str,
        credential: &str,
        counter: i64,
        now: DateTime<Utc>,
    ) -> Result<bool> {
        let query = "UPDATE $id SET counter = $counter, credential = $credential, last_used_at = $now \
                     WHERE counter < $counter OR (counter = 0 AND $counter = 0) RETURN VALUE pid";
        let variables = vars! {
            id: passkey_record(credential_id),
            counter: counter,
            credential: credential.to_owned(),
            now: now,
        };
        let mut response = self.write(query, variables).await?;
        Ok(row::<Uuid>(&mut response, 0)?.is_some())
    }

    /// Renames a passkey of this account; false when there is none.
    pub async fn rename_passkey(&self, user_id: Uuid, id: Uuid, name: &str) -> Result<bool> {
        let query = format!("UPDATE ({PASSKEY}) SET name = $name RETURN VALUE pid");
        let mut response = self.write(&query, vars! { uid: user_id, pid: id, name: name.to_owned() }).await?;
        Ok(row::<Uuid>(&mut response, 0)?.is_some())
    }

    /// Removes a passkey of this account.
    ///
    /// # Errors
    ///
    /// [`StoreError::NotFound`](crate::StoreError::NotFound),
    /// [`StoreError::CredentialsChanged`](crate::StoreError::CredentialsChanged).
    pub async fn remove_passkey(&self, checked: Credentials, id: Uuid) -> Result<()> {
        let query = format!("BEGIN; {UNCHANGED} DELETE ({PASSKEY}) RETURN NONE; {UPDATE_USER} COMMIT;");
        let mut variables = credentials::checked(checked);
        variables.extend(vars! { pid: id, factor: second_factor_record(checked.user_id) });
        self.write(&query, variables).await.map(drop)
    }

    /// Removes the authenticator app, the recovery codes and all passkeys of an account. Audited.
    ///
    /// # Errors
    ///
    /// [`StoreError::NotFound`](crate::StoreError::NotFound),
    /// [`StoreError::CredentialsChanged`](crate::StoreError::CredentialsChanged).
    pub async fn remove_second_factor(&self, checked: Credentials) -> Result<()> {
        let query = format!("BEGIN; {UNCHANGED} {REMOVE_FACTORS} fn::audit($audit); COMMIT;");
        let mut variables = credentials::checked(checked);
        variables.insert("factor", second_factor_record(checked.user_id));
        self.write(&query, variables).await.map(drop)
    }

    /// Whether some admin has a second factor.
    pub async fn has_admin_with_second_factor(&self) -> Result<bool> {
        let query = "SELECT VALUE uid FROM user WHERE is_admin = true AND second_factor = true LIMIT 1";
        let mut response = self.read(query, vars! {}).await?;
        Ok(row::<Uuid>(&mut response, 0)?.is_some())
    }
}
