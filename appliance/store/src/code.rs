//! Codes sent by email: `code`, one record for each purpose and subject. A new code replaces the previous one.
//!
//! Wrong tries and letters, those without a code too, are also counted by recipient and day, in `code_allowance`, which
//! outlives the accounts that they were for.
//!
//! It makes no difference whether the user exists, so that nothing visible outside depends on it.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use surrealdb::types::{RecordId, SurrealValue, Value, array, vars};
use uuid::Uuid;

use crate::Result;
use crate::credentials::{self, Credentials, UNCHANGED};
use crate::identity::{OWN_EMAIL, of_email};
use crate::password_link::{new_password, replace_password};
use crate::store::{Store, last, row, rows};
use crate::user::{User, key};

/// The period in which requests are counted.
const HOUR: TimeDelta = TimeDelta::hours(1);

/// The period in which wrong tries and letters of a recipient are counted, and the longest wait.
const DAY: TimeDelta = TimeDelta::days(1);

pub(crate) const FORGOTTEN_CODES: &str = "SELECT VALUE id FROM code WHERE forget_at <= $now";
pub(crate) const FORGOTTEN_ALLOWANCES: &str = "SELECT VALUE id FROM code_allowance WHERE forget_at <= $now";

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
    /// The recovery code of an email that one device asked for, whether or not an account has it. `device` is a hash of
    /// the device cookie.
    pub fn recovery(email: &str, device: &str) -> Self {
        Self { purpose: CodePurpose::Recovery, subject: format!("{} {device}", key(email)) }
    }

    /// The code that verifies an account's email.
    pub fn email(user_id: Uuid) -> Self {
        Self { purpose: CodePurpose::Email, subject: user_id.to_string() }
    }

    /// The code that changes an account's email. With other credentials than it was asked for with, it is of no use.
    pub fn email_change(user: &User) -> Self {
        let credentials = user.credential_version.unwrap_or_default();
        Self { purpose: CodePurpose::EmailChange, subject: format!("{} {credentials}", user.id) }
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

/// Letters that one recipient is sent in a day, whoever causes them. A day begins with its first letter.
pub const LETTERS_A_DAY: u32 = 10;

/// What a letter is for. Each class has a reserve that no other can use up; the rest of [`LETTERS_A_DAY`] goes to whoever
/// comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LetterClass {
    /// A code that anybody may have asked for.
    Code,
    /// A code for a device that signed in to the recipient's account before.
    OwnerCode,
    /// 'Take your email back'. Only a change of an email that was verified causes one.
    Undo,
    /// About the security of an account, or a decision about it.
    Notice,
    /// What its reader can switch off.
    Optional,
}

impl LetterClass {
    /// The letters of a day that only this class can use, in the order of the classes.
    const RESERVES: [u32; 5] = [2, 2, 1, 2, 0];

    /// Statements that set `$spent`, whether the recipient in `$row` had the letters of a day, and otherwise `$sent`, the
    /// letters by class with this one, which `$class` has a 1 for. `$same_day` says whether the day goes on.
    fn count() -> String {
        let sent = |number: usize| format!("$before[{number}] + $class[{number}]");
        let list = (0..Self::RESERVES.len()).map(sent).collect::<Vec<_>>().join(", ");
        let held = Self::RESERVES
            .iter()
            .enumerate()
            .map(|(number, reserve)| format!("math::max([$sent[{number}], {reserve}])"));
        // Rows of earlier versions only have the number of codes.
        format!(
            "LET $same_day = $row.letters_since != NONE AND $row.letters_since > $day_ago; \
            LET $before = IF $same_day {{ $row.sent ?? [$row.letters, 0, 0, 0, 0] }} ELSE {{ [0, 0, 0, 0, 0] }}; \
            LET $sent = [{list}]; \
            LET $spent = {} > {LETTERS_A_DAY};",
            held.collect::<Vec<_>>().join(" + ")
        )
    }
}

impl From<LetterClass> for Value {
    /// As `$class` of [`LetterClass::count`].
    fn from(class: LetterClass) -> Self {
        let mut counts = [0_i64; LetterClass::RESERVES.len()];
        counts[class as usize] = 1;
        counts.to_vec().into_value()
    }
}

/// Counts the letter that [`LetterClass::count`] looked at.
const COUNT_LETTER: &str = "UPSERT $allowance MERGE { sent: $sent, forget_at: $now + 2d, \
    letters_since: IF $same_day { $row.letters_since } ELSE { $now } } RETURN NONE;";

/// Whose wrong tries and letters are counted together in a day, across the accounts that the codes are for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CodeAllowance {
    /// A keyed hash of the address that the code is sent to.
    pub recipient: String,
    /// The hash of a device that signed in to the recipient's account before and has tries of its own; `None` for all
    /// others together.
    pub device: Option<String>,
    /// Wrong tries in a day; after that each further one doubles the wait.
    pub tries_a_day: u32,
    /// The first wait.
    pub first_wait: Duration,
}

impl CodeAllowance {
    fn tries(&self) -> RecordId {
        let whose = self.device.clone().unwrap_or_else(|| "anyone".to_owned());
        RecordId::new("code_allowance", array![self.recipient.clone(), whose])
    }

    fn letter_class(&self) -> LetterClass {
        if self.device.is_some() { LetterClass::OwnerCode } else { LetterClass::Code }
    }
}

fn letters(recipient: &str) -> RecordId {
    RecordId::new("code_allowance", array![recipient.to_owned(), "anyone".to_owned()])
}

/// An attempt with a code.
#[derive(Debug, Clone, Copy)]
pub struct CodeToTake<'a> {
    /// As [`NewCode::hash`].
    pub hash: &'a str,
    /// Where the code went, as [`Store::code_email`] told: an attempt counts for the recipient of the code it is for.
    pub email: &'a str,
    /// The hash of the device that may continue with what the code allows; empty where nothing follows.
    pub validated_by: &'a str,
    /// Attempts before a new code is needed.
    pub most_tries: u32,
    /// How long the device may continue.
    pub lasts: Duration,
}

/// A recovery that is to be made.
#[derive(Debug, Clone, Copy)]
pub struct Recovery<'a> {
    pub code: &'a CodeKey,
    /// As [`CodeToTake::validated_by`].
    pub validated_by: &'a str,
    /// As [`Store::validation`] told.
    pub checked: Credentials,
    /// Where the code went.
    pub email: &'a str,
    pub password_hash: &'a str,
    /// By the clock of the code.
    pub now: DateTime<Utc>,
    /// As of [`Store::revoke_calendar_grant`].
    pub revoked_at: DateTime<Utc>,
    /// Whether the second factor is removed: nobody had proven the email, and whoever made the account may be another.
    pub ends_factors: bool,
}

/// What became of a request for a code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CodeRequest {
    /// The code is stored and may be sent.
    Issued,
    /// Too many were requested for this subject in the last hour. Nothing changed.
    TooSoon,
    /// The recipient had the letters of a day, which ends then. Nothing changed.
    NoLetterUntil(DateTime<Utc>),
}

/// What became of an attempt with a code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CodeAttempt {
    /// It was right and went to this email. It is consumed.
    Right(String),
    Wrong,
    /// After too many wrong tries; the code was not looked at.
    WaitUntil(DateTime<Utc>),
}

#[derive(SurrealValue)]
struct Requested {
    soon: bool,
    no_letter_until: Option<DateTime<Utc>>,
}

#[derive(SurrealValue)]
struct Validated {
    uid: Uuid,
    credential_version: Option<Uuid>,
}

#[derive(SurrealValue)]
struct Attempted {
    email: Option<String>,
    wait_until: Option<DateTime<Utc>>,
}

impl Store {
    /// Stores a code, replacing the previous one, unless `most_an_hour` were requested in the last hour or the recipient
    /// had the [letters of a day](LETTERS_A_DAY).
    pub async fn issue_code(
        &self,
        of: &CodeKey,
        new: NewCode,
        most_an_hour: u32,
        allowance: &CodeAllowance,
        now: DateTime<Utc>,
    ) -> Result<CodeRequest> {
        let query = format!(
            "BEGIN; \
            LET $requests = (SELECT VALUE requested_at FROM ONLY $id) ?? []; \
            LET $recent = (SELECT VALUE $this FROM $requests WHERE $this > $hour_ago); \
            LET $soon = array::len($recent) >= $most; \
            LET $row = (SELECT * FROM ONLY $allowance); \
            {count} \
            IF !$soon AND !$spent {{ \
                {COUNT_LETTER} \
                UPSERT $id CONTENT {{ email: $email, hash: $hash, expires_at: $expires_at, tries: 0, \
                    requested_at: array::append($recent, $now), validated_by: NONE, validated_until: NONE, \
                    forget_at: $forget_at }} RETURN NONE; }}; \
            RETURN [{{ soon: $soon, no_letter_until: IF $spent {{ $row.letters_since + 1d }} }}]; \
            COMMIT;",
            count = LetterClass::count()
        );
        let lasts = TimeDelta::from_std(new.lasts).unwrap_or(HOUR);
        let variables = vars! {
            id: of.record(),
            allowance: letters(&allowance.recipient),
            class: Value::from(allowance.letter_class()),
            hour_ago: now - HOUR,
            day_ago: now - DAY,
            most: i64::from(most_an_hour),
            email: new.email,
            hash: new.hash,
            now: now,
            expires_at: now + lasts,
            // Requests count for an hour, and a validation comes before the code's end and lasts as long.
            forget_at: now + HOUR.max(lasts * 2),
        };
        let mut response = self.write(&query, variables).await?;
        Ok(match last::<Requested>(&mut response)?.pop() {
            Some(Requested { soon: true, .. }) => CodeRequest::TooSoon,
            Some(Requested { no_letter_until: Some(until), .. }) => CodeRequest::NoLetterUntil(until),
            _ => CodeRequest::Issued,
        })
    }

    /// Counts a letter without a code to the recipient, given as in [`CodeAllowance`]; false if it had the letters of a
    /// day.
    pub async fn count_letter(&self, recipient: &str, class: LetterClass, now: DateTime<Utc>) -> Result<bool> {
        let count = LetterClass::count();
        let query = format!(
            "BEGIN; LET $row = (SELECT * FROM ONLY $allowance); {count} IF !$spent {{ {COUNT_LETTER} }}; \
            RETURN [!$spent]; COMMIT;"
        );
        let variables =
            vars! { allowance: letters(recipient), class: Value::from(class), day_ago: now - DAY, now: now };
        let mut response = self.write(&query, variables).await?;
        Ok(last(&mut response)?.pop().unwrap_or(false))
    }

    /// The address that the latest code was sent to.
    pub async fn code_email(&self, of: &CodeKey) -> Result<Option<String>> {
        let mut response = self.read("SELECT VALUE email FROM $id", vars! { id: of.record() }).await?;
        Ok(rows(&mut response, 0)?.pop())
    }

    /// Consumes a code, if it is right, not expired, and at most the `most_tries`-th attempt. The device in
    /// `validated_by` may then continue for `lasts`: [`Store::use_validation`]. A wrong try counts against the
    /// allowance too.
    pub async fn take_code(
        &self,
        of: &CodeKey,
        attempt: CodeToTake<'_>,
        allowance: &CodeAllowance,
        now: DateTime<Utc>,
    ) -> Result<CodeAttempt> {
        let query = "BEGIN; \
            LET $code = (SELECT * FROM ONLY $id); \
            LET $row = (SELECT * FROM ONLY $allowance); \
            LET $wait = $row.wait_until != NONE AND $row.wait_until > $now; \
            LET $open = !$wait AND $code != NONE AND $code.hash != NONE AND $code.expires_at > $now \
                AND $code.email = $email AND $code.tries < $most; \
            LET $right = $open AND $code.hash = $hash; \
            IF $right { \
                UPDATE $id SET hash = NONE, validated_by = $validated_by, validated_until = $until RETURN NONE; \
            } ELSE IF $open { \
                LET $same_day = $row.tries_since != NONE AND $row.tries_since > $day_ago; \
                LET $tries = 1 + IF $same_day { $row.tries } ELSE { 0 }; \
                LET $over = $tries - $tries_a_day; \
                LET $seconds = IF $over >= 0 { math::min([$first_wait * math::pow(2, math::min([$over, 20])), 86400]) }; \
                UPSERT $allowance MERGE { tries: $tries, forget_at: $now + 2d, \
                    tries_since: IF $same_day { $row.tries_since } ELSE { $now }, \
                    wait_until: IF $seconds != NONE { $now + duration::from_secs($seconds) } } RETURN NONE; \
                UPDATE $id SET tries += 1 RETURN NONE; \
            }; \
            RETURN [{ email: IF $right { $code.email }, wait_until: IF $wait { $row.wait_until } }]; \
            COMMIT;";
        let variables = vars! {
            id: of.record(),
            allowance: allowance.tries(),
            hash: attempt.hash.to_owned(),
            email: attempt.email.to_owned(),
            validated_by: attempt.validated_by.to_owned(),
            until: now + TimeDelta::from_std(attempt.lasts).unwrap_or(HOUR),
            most: i64::from(attempt.most_tries),
            tries_a_day: i64::from(allowance.tries_a_day),
            first_wait: i64::try_from(allowance.first_wait.as_secs()).unwrap_or(i64::MAX),
            day_ago: now - DAY,
            now: now,
        };
        let mut response = self.write(query, variables).await?;
        Ok(match last::<Attempted>(&mut response)?.pop() {
            Some(Attempted { email: Some(email), .. }) => CodeAttempt::Right(email),
            Some(Attempted { wait_until: Some(until), .. }) => CodeAttempt::WaitUntil(until),
            _ => CodeAttempt::Wrong,
        })
    }

    /// Records whose account a code is for, and the credentials that it is to replace.
    pub async fn set_code_owner(&self, of: &CodeKey, owner: Credentials) -> Result<()> {
        let query = "UPDATE $id SET uid = $uid, credential_version = $version RETURN NONE";
        let variables = vars! { id: of.record(), uid: owner.user_id, version: owner.version };
        self.write(query, variables).await.map(drop)
    }

    /// The account that a validated code is for, and its credentials when the code was issued; `None` without a
    /// validation, or when the code was for no account.
    pub async fn validation(
        &self,
        of: &CodeKey,
        validated_by: &str,
        now: DateTime<Utc>,
    ) -> Result<Option<Credentials>> {
        let query = "SELECT uid, credential_version FROM $id \
                     WHERE validated_by = $by AND validated_until > $now AND uid != NONE";
        let variables = vars! { id: of.record(), by: validated_by.to_owned(), now: now };
        let mut response = self.read(query, variables).await?;
        let found: Option<Validated> = row(&mut response, 0)?;
        Ok(found.map(|found| Credentials { user_id: found.uid, version: found.credential_version }))
    }

    /// Recovers an account with a validated code, which is consumed: sets the password, verifies the email, ends all
    /// sessions, forgets the devices, and removes the links to providers and the access to calendars. With
    /// [`Recovery::ends_factors`] the second factor goes, too. All or nothing.
    ///
    /// # Errors
    ///
    /// [`StoreError::NotFound`](crate::StoreError::NotFound) without this validation, or for a deleted account;
    /// [`StoreError::CredentialsChanged`](crate::StoreError::CredentialsChanged) when they are not those that the code
    /// was issued for; [`StoreError::Taken`](crate::StoreError::Taken) when another account verified the email.
    pub async fn recover(&self, recovery: &Recovery<'_>) -> Result<()> {
        let query = "BEGIN; \
            {unchanged} \
            LET $code = (SELECT * FROM ONLY $code_id); \
            IF $account.credential_version != $changed { \
                IF $code = NONE OR $code.validated_by != $by OR $code.validated_until <= $code_now OR $code.uid != $uid \
                    { THROW 'morpion:no-user' }; \
                UPDATE $code_id SET validated_by = NONE, validated_until = NONE RETURN NONE; \
                {own_email} \
                {replace} \
            }; \
            COMMIT;"
            .replace("{unchanged}", UNCHANGED)
            .replace("{own_email}", OWN_EMAIL)
            .replace("{replace}", &replace_password(recovery.ends_factors));
        let user_id = recovery.checked.user_id;
        let mut variables = credentials::checked(recovery.checked);
        variables.extend(of_email(recovery.email));
        variables.extend(new_password(user_id, Some(recovery.password_hash), recovery.revoked_at));
        variables.extend(vars! {
            code_id: recovery.code.record(),
            by: recovery.validated_by.to_owned(),
            code_now: recovery.now,
        });
        self.write(&query, variables).await.map(drop)
    }

    /// Removes expired codes and allowances of former days; returns how many codes were removed.
    pub async fn purge_codes(&self, now: DateTime<Utc>) -> Result<usize> {
        let query = format!("DELETE ({FORGOTTEN_CODES}) RETURN BEFORE; DELETE ({FORGOTTEN_ALLOWANCES}) RETURN NONE");
        let mut response = self.write(&query, vars! { now: now }).await?;
        Ok(rows::<Value>(&mut response, 0)?.len())
    }
}
