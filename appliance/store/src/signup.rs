//! Sign-ups of events with standings: `signup`, the games counted for them: `result`, and other data of a player:
//! `joined_month`, `current_event`, `correction`.

use std::ops::Bound;

use chrono::{DateTime, Utc};
use surrealdb::types::{RecordId, RecordIdKey, RecordIdKeyRange, SurrealValue, Uuid as DbUuid, Value, array, vars};
use uuid::Uuid;

use crate::Result;
use crate::event::event_record;
use crate::event_news::{NewEventNews, TELL};
use crate::store::{Store, row, rows};

/// Rows read at once when an event is loaded.
const LOAD_PAGE: usize = 1_000;

pub(crate) const SIGNUPS_OF_EVENT: &str = "SELECT * FROM $range LIMIT $limit";
pub(crate) const SIGNUPS_RENAMED: &str = "SELECT VALUE id FROM signup WHERE user_id = $user";

/// A registration, and the player's standing.
#[derive(Debug, Clone, PartialEq, Eq, SurrealValue)]
pub struct SignupRow {
    #[surreal(rename = "sid")]
    pub id: Uuid,
    pub event_id: Uuid,
    pub user_id: Uuid,
    /// The player's latest username.
    pub username: String,
    pub created_at: DateTime<Utc>,
    /// When the player first joined to play.
    pub joined_at: Option<DateTime<Utc>>,
    /// When the player checked in, in play time.
    pub checked_in_at: Option<DateTime<Utc>>,
    pub level: i64,
    pub wins: i64,
    pub losses: i64,
    /// Games whose first round this player started.
    pub starts: i64,
    /// When level, wins and losses last changed.
    pub reached_at: DateTime<Utc>,
    /// When an admin removed the player.
    pub removed_at: Option<DateTime<Utc>>,
}

#[derive(SurrealValue)]
struct StoredSignup {
    #[surreal(flatten)]
    signup: SignupRow,
    newest_first: i64,
}

impl From<&SignupRow> for StoredSignup {
    fn from(signup: &SignupRow) -> Self {
        Self { newest_first: -signup.created_at.timestamp_millis(), signup: signup.clone() }
    }
}

/// The result of a finished event game. It is counted once, before the game is stored.
#[derive(Debug, Clone, PartialEq, Eq, SurrealValue)]
pub struct ResultRow {
    #[surreal(rename = "gid")]
    pub game_id: Uuid,
    pub event_id: Uuid,
    pub winner: Uuid,
    pub loser: Uuid,
    pub starter: Option<Uuid>,
    pub at: DateTime<Utc>,
}

/// The kind of an admin's correction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, SurrealValue)]
#[surreal(untagged, rename_all = "lowercase")]
pub enum CorrectionKind {
    Standing,
    Result,
    Removal,
    /// A director checked the player in.
    #[surreal(rename = "check_in")]
    CheckIn,
    /// Or took that back.
    #[surreal(rename = "check_in_undone")]
    CheckInUndone,
}

impl CorrectionKind {
    /// Whether it says who is there, and changes no standing.
    pub fn is_check_in(self) -> bool {
        matches!(self, Self::CheckIn | Self::CheckInUndone)
    }
}

/// Level, wins and losses before or after a correction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, SurrealValue)]
pub struct CountsRow {
    pub level: i64,
    pub wins: i64,
    pub losses: i64,
}

/// An admin's correction of a standing; negative to subtract. Earlier versions stored neither what was corrected nor
/// why.
#[derive(Debug, Clone, PartialEq, Eq, SurrealValue)]
pub struct CorrectionRow {
    #[surreal(rename = "cid")]
    pub id: Uuid,
    pub event_id: Uuid,
    pub user_id: Uuid,
    pub level: i64,
    pub wins: i64,
    pub losses: i64,
    pub at: DateTime<Utc>,
    pub actor: String,
    pub kind: Option<CorrectionKind>,
    pub before: Option<CountsRow>,
    pub after: Option<CountsRow>,
    pub reason: Option<String>,
}

/// The limit of a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MonthlyLimit {
    /// Events that can be joined in a month; `None` without a limit.
    pub events: Option<u32>,
}

/// Counts results before their games are stored as finished; expects `$results`.
pub(crate) const COUNT_RESULTS: &str = "FOR $result IN $results { \
    LET $guard = type::record('result', $result.gid); \
    IF !record::exists($guard) { \
        CREATE $guard CONTENT $result RETURN NONE; \
        UPDATE type::record('signup', [$result.event_id, $result.winner]) SET level += 1, wins += 1, \
            starts += IF $result.starter = $result.winner { 1 } ELSE { 0 }, \
            reached_at = IF reached_at < $result.at { $result.at } ELSE { reached_at } RETURN NONE; \
        UPDATE type::record('signup', [$result.event_id, $result.loser]) SET losses += 1, \
            starts += IF $result.starter = $result.loser { 1 } ELSE { 0 }, \
            reached_at = IF reached_at < $result.at { $result.at } ELSE { reached_at } RETURN NONE; \
    }; };";

fn signup_record(event: Uuid, user: Uuid) -> RecordId {
    RecordId::new("signup", array![DbUuid::from(event), DbUuid::from(user)])
}

fn month_record(user: Uuid, month: &str) -> RecordId {
    RecordId::new("joined_month", array![DbUuid::from(user), month.to_owned()])
}

fn current_event_record(user: Uuid) -> RecordId {
    RecordId::new("current_event", DbUuid::from(user))
}

/// The sign-ups of an event behind one user, in the order of the users' ids.
pub(crate) fn signups_range(event: Uuid, after: Option<Uuid>) -> RecordId {
    let start = match after {
        Some(user) => Bound::Excluded(RecordIdKey::from(array![DbUuid::from(event), DbUuid::from(user)])),
        None => Bound::Included(RecordIdKey::from(array![DbUuid::from(event)])),
    };
    let next = Uuid::from_u128(event.as_u128().saturating_add(1));
    let end = Bound::Excluded(RecordIdKey::from(array![DbUuid::from(next)]));
    RecordId::new("signup", RecordIdKeyRange { start, end })
}

/// Two statements: the newest `$most` sign-ups of somebody, and how many there are.
pub(crate) fn signups_of_user_query(user: Uuid) -> String {
    format!(
        "SELECT * FROM signup WITH INDEX signup_user WHERE user_id = u'{user}' ORDER BY newest_first LIMIT $most; \
         SELECT VALUE total FROM (SELECT count() AS total FROM signup WITH INDEX signup_user \
             WHERE user_id = u'{user}' GROUP ALL);"
    )
}

impl Store {
    /// Registers a player. Idempotent; audited if they were not in the event, and then the news are told:
    /// [`Store::event_news`].
    pub async fn create_signup(&self, signup: &SignupRow, news: Option<&NewEventNews>) -> Result<()> {
        let query = format!(
            "BEGIN; \
            IF !record::exists($id) {{ \
                CREATE $id CONTENT $signup RETURN NONE; \
                UPDATE $event SET signup_count += 1 RETURN NONE; \
                {TELL} \
                fn::audit($audit); }}; \
            UPSERT $current CONTENT {{ event_id: $event_id }} RETURN NONE; \
            COMMIT;"
        );
        let variables = vars! {
            id: signup_record(signup.event_id, signup.user_id),
            event: event_record(signup.event_id),
            event_id: signup.event_id,
            current: current_event_record(signup.user_id),
            signup: StoredSignup::from(signup),
            news: news.cloned(),
        };
        self.write(&query, variables).await.map(drop)
    }

    /// Removes a registration. Idempotent.
    pub async fn delete_signup(&self, event: Uuid, user: Uuid) -> Result<()> {
        let query = "BEGIN; \
            IF record::exists($id) { \
                DELETE $id RETURN NONE; \
                UPDATE $event SET signup_count -= 1 RETURN NONE; }; \
            DELETE $current WHERE event_id = $event_id RETURN NONE; \
            COMMIT;";
        let variables = vars! {
            id: signup_record(event, user),
            event: event_record(event),
            event_id: event,
            current: current_event_record(user),
        };
        self.write(query, variables).await.map(drop)
    }

    /// A player joins an event to play, registering in the same step if necessary. `month` is `YYYY-MM`; an event
    /// joined before does not count again.
    ///
    /// # Errors
    ///
    /// [`StoreError::LimitReached`](crate::StoreError::LimitReached).
    pub async fn join_event(&self, signup: &SignupRow, month: Option<&str>, limit: MonthlyLimit) -> Result<()> {
        let query = "BEGIN; \
            LET $before = (SELECT VALUE joined_at FROM ONLY $id); \
            LET $joined = IF $month = NONE { [] } ELSE { (SELECT VALUE events FROM ONLY $month) ?? [] }; \
            IF $month != NONE AND $before = NONE AND $event_id NOT IN $joined { \
                IF $limit != NONE AND array::len($joined) >= $limit { THROW 'morpion:plan-limit' }; \
                UPSERT $month CONTENT { events: array::append($joined, $event_id) } RETURN NONE; }; \
            IF !record::exists($id) { \
                CREATE $id CONTENT $signup RETURN NONE; \
                UPDATE $event SET signup_count += 1 RETURN NONE; }; \
            UPDATE $id SET joined_at = joined_at ?? $now, username = $signup.username RETURN NONE; \
            UPSERT $current CONTENT { event_id: $event_id } RETURN NONE; \
            COMMIT;";
        let variables = vars! {
            id: signup_record(signup.event_id, signup.user_id),
            event: event_record(signup.event_id),
            event_id: signup.event_id,
            current: current_event_record(signup.user_id),
            month: month.map(|month| month_record(signup.user_id, month)),
            limit: limit.events.map(i64::from),
            now: signup.joined_at.unwrap_or(signup.created_at),
            signup: StoredSignup::from(signup),
        };
        self.write(query, variables).await.map(drop)
    }

    /// Whether somebody has signed up for an event.
    pub async fn has_signed_up(&self, event: Uuid, user: Uuid) -> Result<bool> {
        let query = "RETURN record::exists($id)";
        let mut response = self.read(query, vars! { id: signup_record(event, user) }).await?;
        Ok(row(&mut response, 0)?.unwrap_or(false))
    }

    /// How many events somebody joined in a month, `YYYY-MM`.
    pub async fn events_joined(&self, user: Uuid, month: &str) -> Result<u32> {
        let query = "SELECT VALUE array::len(events) FROM ONLY $month";
        let mut response = self.read(query, vars! { month: month_record(user, month) }).await?;
        let joined: Option<i64> = row(&mut response, 0)?;
        Ok(joined.map_or(0, |joined| joined.try_into().unwrap_or(u32::MAX)))
    }

    /// The sign-ups of an event behind one user, in the order of user ids: at most `limit`.
    pub async fn signups_after(&self, event: Uuid, after: Option<Uuid>, limit: usize) -> Result<Vec<SignupRow>> {
        let variables = vars! { range: signups_range(event, after), limit: limit as i64 };
        let mut response = self.read(SIGNUPS_OF_EVENT, variables).await?;
        rows(&mut response, 0)
    }

    /// All sign-ups of an event, in the order of user ids.
    pub async fn signups_of_event(&self, event: Uuid) -> Result<Vec<SignupRow>> {
        let mut all: Vec<SignupRow> = Vec::new();
        loop {
            let after = all.last().map(|signup| signup.user_id);
            let page = self.signups_after(event, after, LOAD_PAGE).await?;
            let is_last = page.len() < LOAD_PAGE;
            all.extend(page);
            if is_last {
                return Ok(all);
            }
        }
    }

    /// A user's sign-ups, the newest first, and how many there are.
    pub async fn signups_of_user(&self, user: Uuid, skip: usize, limit: usize) -> Result<(Vec<SignupRow>, u64)> {
        let mut response = self.read(&signups_of_user_query(user), vars! { most: (skip + limit) as i64 }).await?;
        let found: Vec<SignupRow> = rows(&mut response, 0)?;
        let total = row::<i64>(&mut response, 1)?.unwrap_or(0).max(0) as u64;
        Ok((found.into_iter().skip(skip).collect(), total))
    }

    /// Writes a player's new name into all of their sign-ups.
    pub async fn rename_signups(&self, user: Uuid, username: &str) -> Result<()> {
        let query = format!("UPDATE ({SIGNUPS_RENAMED}) SET username = $username RETURN NONE");
        self.write(&query, vars! { user: user, username: username.to_owned() }).await.map(drop)
    }

    /// Adds an admin's correction to a standing, or removes a player, once. Audited; the news are told: [`Store::event_news`].
    ///
    /// # Errors
    ///
    /// [`StoreError::NotFound`](crate::StoreError::NotFound) if the player did not sign up.
    pub async fn correct_standing(&self, correction: &CorrectionRow, news: Option<&NewEventNews>) -> Result<()> {
        let query = format!(
            "BEGIN; \
            IF !record::exists($id) {{ THROW 'morpion:no-signup' }}; \
            IF !record::exists($guard) {{ \
                CREATE $guard CONTENT $correction RETURN NONE; \
                UPDATE $id SET level += $correction.level, wins += $correction.wins, \
                    losses += $correction.losses, \
                    reached_at = IF reached_at < $correction.at {{ $correction.at }} ELSE {{ reached_at }} RETURN NONE; \
                IF $removes {{ \
                    UPDATE $id SET removed_at = removed_at ?? $correction.at RETURN NONE; \
                    UPDATE $event SET signup_count -= 1 RETURN NONE; }}; \
                {TELL} \
                fn::audit($audit); }}; \
            COMMIT;"
        );
        let variables = vars! {
            id: signup_record(correction.event_id, correction.user_id),
            guard: RecordId::new("correction", DbUuid::from(correction.id)),
            event: event_record(correction.event_id),
            removes: correction.kind == Some(CorrectionKind::Removal),
            correction: correction.clone(),
            news: news.cloned(),
        };
        self.write(&query, variables).await.map(drop)
    }

    /// Notes when a player checked in, or that they have not; with the receipt of a director who did it for them, which is
    /// stored once. Audited.
    ///
    /// # Errors
    ///
    /// [`StoreError::NotFound`](crate::StoreError::NotFound) if the player did not sign up.
    pub async fn set_checked_in(
        &self,
        event: Uuid,
        user: Uuid,
        at: Option<DateTime<Utc>>,
        receipt: Option<&CorrectionRow>,
    ) -> Result<()> {
        let query = "BEGIN; \
            IF !record::exists($id) { THROW 'morpion:no-signup' }; \
            UPDATE $id SET checked_in_at = $at RETURN NONE; \
            IF $receipt != NONE AND !record::exists($guard) { \
                CREATE $guard CONTENT $receipt RETURN NONE; \
                fn::audit($audit); }; \
            COMMIT;";
        let variables = vars! {
            id: signup_record(event, user),
            at: at,
            guard: RecordId::new("correction", DbUuid::from(receipt.map_or(Uuid::nil(), |receipt| receipt.id))),
            receipt: receipt.cloned(),
        };
        self.write(query, variables).await.map(drop)
    }

    /// Admins' corrections in an event, the oldest first.
    pub async fn corrections_of_event(&self, event: Uuid) -> Result<Vec<CorrectionRow>> {
        let query = "SELECT * FROM correction WITH INDEX correction_event WHERE event_id = $event ORDER BY at";
        let mut response = self.read(query, vars! { event: event }).await?;
        rows(&mut response, 0)
    }

    /// The event that a user last joined or signed up for.
    pub async fn current_event(&self, user: Uuid) -> Result<Option<Uuid>> {
        let query = "SELECT VALUE event_id FROM ONLY $current";
        let mut response = self.read(query, vars! { current: current_event_record(user) }).await?;
        row(&mut response, 0)
    }

    /// Sets a user's current event, or none. Audited.
    pub async fn set_current_event(&self, user: Uuid, event: Option<Uuid>) -> Result<()> {
        let query = match event {
            Some(_) => "BEGIN; UPSERT $current CONTENT { event_id: $event } RETURN NONE; fn::audit($audit); COMMIT;",
            None => "BEGIN; DELETE $current RETURN NONE; fn::audit($audit); COMMIT;",
        };
        self.write(query, vars! { current: current_event_record(user), event: event }).await.map(drop)
    }
}
