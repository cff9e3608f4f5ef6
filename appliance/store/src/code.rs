//! Codes sent by email: `code`, one record for each purpose and subject. A new code replaces the previous one.
//!
//! It makes no difference whether the user exists, so that nothing visible outside depends on it.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use surrealdb::types::{RecordId, array, vars};
use uuid::Uuid;

use crate::Result;
use crate::store::{Store, last, rows};
use crate::user::key;

/// The period in which requests are counted.
const HOUR: TimeDelta = TimeDelta::hours(1);

pub(crate) const FORGOTTEN_CODES: &str = "SELECT VALUE id FROM code WHERE forget_at <= $now";

/// The purpose of a code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CodePurpose {
    /// Setting a new password without the old one.
    Recovery,
    /// Verifying an email.
    Email,
    /// Changing the email.
    EmailChange,
}

/// Identifies a code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CodeKey {
    purpose: CodePurpose,
    subject: String,
}

impl CodeKey {
    /// The recovery code of an email, whether or not an account has it.
    pub fn recovery(email: &str) -> Self {
        Self { purpose: CodePurpose::Recovery, subject: key(email) }
    }

    /// The code that verifies an account's email.
    pub fn email(user_id: Uuid) -> Self {
        Self { purpose: CodePurpose::Email, subject: user_id.to_string() }
    }

    /// The code that changes an account's email.
    pub fn email_change(user_id: Uuid) -> Self {
        Self { purpose: CodePurpose::EmailChange, subject: user_id.to_string() }
    }

    fn record(&self) -> RecordId {
        let purpose = match self.purpose {
            CodePurpose::Recovery => "recovery",
            CodePurpose::Email => "email",
            CodePurpose::EmailChange => "email-change",
        };
        RecordId::new("code", array![purpose.to_owned(), self.subject.clone()])
    }
}

/// A code to be stored.
#[derive(Debug, Clone)]
pub struct NewCode {
    /// An HMAC of it: six digits can be guessed from any plain hash.
    pub hash: String,
    /// The address it is sent to.
    pub email: String,
    pub lasts: Duration,
}

impl Store {
    /// Stores a code, replacing the previous one; returns false, and changes nothing, when `most_an_hour` were
    /// requested in the last hour.
    pub async fn issue_code(&self, of: &CodeKey, new: NewCode, most_an_hour: u32, now: DateTime<Utc>) -> Result<bool> {
        let query = "BEGIN; \
            LET $before = (SELECT VALUE requested_at FROM ONLY $id) ?? []; \
            LET $recent = (SELECT VALUE $this FROM $before WHERE $this > $hour_ago); \
            LET $allowed = array::len($recent) < $most; \
            IF $allowed { \
                UPSERT $id CONTENT { email: $email, hash: $hash, expires_at: $expires_at, tries: 0, \
                    requested_at: array::append($recent, $now), validated_by: NONE, validated_until: NONE, \
                    forget_at: $forget_at } RETURN NONE; }; \
            RETURN [$allowed]; \
            COMMIT;";
        let lasts = TimeDelta::from_std(new.lasts).unwrap_or(HOUR);
        let variables = vars! {
            id: of.record(),
            hour_ago: now - HOUR,
            most: i64::from(most_an_hour),
            email: new.email,
            hash: new.hash,
            now: now,
            expires_at: now + lasts,
            // Requests count for an hour, and a validation comes before the code's end and lasts as long.
            forget_at: now + HOUR.max(lasts * 2),
        };
        let mut response = self.write(query, variables).await?;
        Ok(last::<bool>(&mut response)?.contains(&true))
    }

    /// Consumes a code, if it is right, not expired, and at most the `most_tries`-th attempt; returns the email it was
    /// sent to. It is valid once. The device in `validated_by` may then continue for `lasts`:
    /// [`Store::use_validation`].
    pub async fn take_code(
        &self,
        of: &CodeKey,
        hash: &str,
        validated_by: &str,
        most_tries: u32,
        lasts: Duration,
        now: DateTime<Utc>,
    ) -> Result<Option<String>> {
        let query = "BEGIN; \
            LET $code = (SELECT * FROM ONLY $id); \
            LET $open = $code != NONE AND $code.hash != NONE AND $code.expires_at > $now AND $code.tries < $most; \
            LET $right = $open AND $code.hash = $hash; \
            IF $right { \
                UPDATE $id SET hash = NONE, validated_by = $validated_by, validated_until = $until RETURN NONE; \
            } ELSE IF $open { UPDATE $id SET tries += 1 RETURN NONE; }; \
            RETURN IF $right { [$code.email] } ELSE { [] }; \
            COMMIT;";
        let variables = vars! {
            id: of.record(),
            hash: hash.to_owned(),
            validated_by: validated_by.to_owned(),
            until: now + TimeDelta::from_std(lasts).unwrap_or(HOUR),
            most: i64::from(most_tries),
            now: now,
        };
        let mut response = self.write(query, variables).await?;
        Ok(last(&mut response)?.pop())
    }

    /// Records whose account a code is for.
    pub async fn set_code_owner(&self, of: &CodeKey, user_id: Uuid) -> Result<()> {
        let query = "UPDATE $id SET uid = $uid RETURN NONE";
        self.write(query, vars! { id: of.record(), uid: user_id }).await.map(drop)
    }

    /// Consumes the validation by a right code, and returns the account it is for; `None` without a validation, or when
    /// the code was for no account.
    pub async fn use_validation(&self, of: &CodeKey, validated_by: &str, now: DateTime<Utc>) -> Result<Option<Uuid>> {
        let query = "BEGIN; \
            LET $code = (SELECT * FROM ONLY $id); \
            LET $valid = $code != NONE AND $code.validated_by = $by AND $code.validated_until > $now; \
            IF $valid { UPDATE $id SET validated_by = NONE, validated_until = NONE RETURN NONE; }; \
            RETURN IF $valid AND $code.uid != NONE { [$code.uid] } ELSE { [] }; \
            COMMIT;";
        let variables = vars! { id: of.record(), by: validated_by.to_owned(), now: now };
        let mut response = self.write(query, variables).await?;
        Ok(last(&mut response)?.pop())
    }

    /// Removes expired codes; returns how many were removed.
    pub async fn purge_codes(&self, now: DateTime<Utc>) -> Result<usize> {
        let query = format!("DELETE ({FORGOTTEN_CODES}) RETURN BEFORE");
        let mut response = self.write(&query, vars! { now: now }).await?;
        Ok(rows::<surrealdb::types::Value>(&mut response, 0)?.len())
    }
}
