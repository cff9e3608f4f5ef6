//! Codes sent by mail: `code`, one record for each purpose and person. A new code takes the place of the one before.
//!
//! Whether a person exists makes no difference here, so that nothing that is told outside depends on it either.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use surrealdb::types::{RecordId, array, vars};
use uuid::Uuid;

use crate::Result;
use crate::store::{Store, last, rows};
use crate::user::key;

/// The span in which requests are counted.
const HOUR: TimeDelta = TimeDelta::hours(1);

pub(crate) const FORGOTTEN_CODES: &str = "SELECT VALUE id FROM code WHERE forget_at <= $now";

/// What a code is good for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CodePurpose {
    /// Setting a new password without the old one.
    Recovery,
    /// Showing that an email is one's own.
    Email,
    /// Taking another email.
    EmailChange,
}

/// Names a code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CodeKey {
    purpose: CodePurpose,
    subject: String,
}

impl CodeKey {
    /// The recovery code of an email, whether or not anybody has it.
    pub fn recovery(email: &str) -> Self {
        Self { purpose: CodePurpose::Recovery, subject: key(email) }
    }

    /// The code that verifies an account's email.
    pub fn email(user_id: Uuid) -> Self {
        Self { purpose: CodePurpose::Email, subject: user_id.to_string() }
    }

    /// The code that gives an account another email.
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
    /// An HMAC of it: six digits alone are guessed from any plain hash.
    pub hash: String,
    /// Where it is mailed.
    pub email: String,
    pub lasts: Duration,
}

impl Store {
    /// Stores a code in place of the one before; answers false, and changes nothing, when `most_an_hour` were asked
    /// for in the last hour.
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
            // The requests count for an hour, and a validation comes before the code's end and lasts as long.
            forget_at: now + HOUR.max(lasts * 2),
        };
        let mut response = self.write(query, variables).await?;
        Ok(last::<bool>(&mut response)?.contains(&true))
    }

    /// Takes a code, if it is the right one, in time, and at most the `most_tries`-th that was tried; answers the
    /// email it was sent to. It is good once. Whoever is named by `validated_by` may go on for `lasts`:
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

    /// Notes whose account a code is for.
    pub async fn address_code(&self, of: &CodeKey, user_id: Uuid) -> Result<()> {
        let query = "UPDATE $id SET uid = $uid RETURN NONE";
        self.write(query, vars! { id: of.record(), uid: user_id }).await.map(drop)
    }

    /// Uses up the leave that a right code gave, and answers whose account it is for; `None` when there was no leave, or
    /// the code was nobody's.
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

    /// Removes what no longer counts; answers how many records went.
    pub async fn purge_codes(&self, now: DateTime<Utc>) -> Result<usize> {
        let query = format!("DELETE ({FORGOTTEN_CODES}) RETURN BEFORE");
        let mut response = self.write(&query, vars! { now: now }).await?;
        Ok(rows::<surrealdb::types::Value>(&mut response, 0)?.len())
    }
}
