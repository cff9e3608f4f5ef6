//! What reaches people whose page is closed: `notification_settings`, one record an account; `push_subscription`, one a
//! browser; `reminder`, one for each kind of reminder of an event. See `docs/behaviour/notifications.md`.

use std::ops::Bound;

use chrono::{DateTime, TimeDelta, Utc};
use sha2::{Digest, Sha256};
use surrealdb::types::{RecordId, RecordIdKey, RecordIdKeyRange, SurrealValue, Uuid as DbUuid, array, vars};
use uuid::Uuid;

use crate::counted::Counted;
use crate::store::{Store, last, row, rows};
use crate::{Result, hex};

/// A use is written at most this often: it is a synced commit, and people are shown days.
const TOUCH_EVERY: TimeDelta = TimeDelta::hours(1);

/// Subscriptions checked at once.
const PAGE: usize = 500;

pub(crate) const SUBSCRIPTIONS_OF: &str = "SELECT * FROM push_subscription WHERE uid = $user";
pub(crate) const SUBSCRIPTIONS_OF_SESSIONS: &str = "SELECT VALUE id FROM push_subscription WHERE sid IN $sids";
pub(crate) const OTHERS_OF_SESSION: &str = "SELECT VALUE id FROM push_subscription WHERE sid = $sid";
pub(crate) const SUBSCRIPTIONS_BEHIND: &str = "SELECT record::id(id) AS key, sid FROM $range LIMIT $limit";
pub(crate) const OLD_REMINDERS: &str = "SELECT VALUE id FROM reminder WHERE at <= $cutoff";

/// What somebody wants to be told of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotificationSettings {
    pub push: PushSettings,
    pub mail: MailSettings,
}

/// What is pushed, as far as a browser is subscribed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, SurrealValue)]
pub struct PushSettings {
    pub invitation: bool,
    pub answer: bool,
    pub turn: bool,
    pub paired: bool,
    pub event: bool,
}

/// The letters that can be switched off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, SurrealValue)]
pub struct MailSettings {
    /// Reminders of events.
    pub event: bool,
    /// Receipts, and other letters about payments.
    pub payment: bool,
}

impl Default for NotificationSettings {
    /// Pushes are switched on as a whole with a browser; letters about events have to be asked for.
    fn default() -> Self {
        Self {
            push: PushSettings { invitation: true, answer: true, turn: true, paired: true, event: true },
            mail: MailSettings { event: false, payment: true },
        }
    }
}

/// As stored: the halves change one by one.
#[derive(SurrealValue)]
struct StoredSettings {
    uid: Uuid,
    push: Option<PushSettings>,
    mail: Option<MailSettings>,
}

impl From<StoredSettings> for NotificationSettings {
    fn from(stored: StoredSettings) -> Self {
        let first = Self::default();
        Self { push: stored.push.unwrap_or(first.push), mail: stored.mail.unwrap_or(first.mail) }
    }
}

/// A browser that shows notifications for a session.
#[derive(Clone, PartialEq, Eq, SurrealValue)]
pub struct PushSubscriptionRow {
    #[surreal(rename = "pid")]
    pub id: Uuid,
    #[surreal(rename = "uid")]
    pub user_id: Uuid,
    #[surreal(rename = "sid")]
    pub session_id: Uuid,
    /// A secret: whoever knows it can send there.
    pub endpoint: String,
    /// The browser's public key and its secret, in base64url.
    pub p256dh: String,
    pub auth: String,
    /// Such as 'Firefox on Linux'.
    pub device: String,
    pub created_at: DateTime<Utc>,
    /// When it was made or confirmed, or when a push last arrived at its push service.
    pub used_at: DateTime<Utc>,
    /// Pushes that failed since the last one that did not.
    pub failures: i64,
}

impl std::fmt::Debug for PushSubscriptionRow {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PushSubscriptionRow").field("id", &self.id).finish_non_exhaustive()
    }
}

/// Which reminder of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ReminderKind {
    /// The letter.
    Letter,
    /// The push when those who signed up can check in.
    CheckIn,
    /// The push some minutes before the start.
    Soon,
    /// The push at the start.
    Start,
    /// The push when a stage round was paired.
    Round,
    /// The push some minutes before a stage round with a fixed time.
    RoundSoon,
}

impl ReminderKind {
    fn word(self) -> &'static str {
        match self {
            Self::Letter => "letter",
            Self::CheckIn => "check_in",
            Self::Soon => "soon",
            Self::Start => "start",
            Self::Round => "round",
            Self::RoundSoon => "round_soon",
        }
    }
}

/// How far a reminder has gone out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, SurrealValue)]
pub struct ReminderMark {
    /// The planned start that people are told; of a stage round its fixed time, or when it was paired. Absent for the reminder at
    /// the start, and in marks of earlier versions.
    pub start: Option<DateTime<Utc>>,
    /// Everybody with an id up to this one was told.
    pub after: Option<Uuid>,
    /// Everybody was.
    pub done: bool,
}

pub(crate) fn settings_record(user_id: Uuid) -> RecordId {
    RecordId::new("notification_settings", DbUuid::from(user_id))
}

fn subscription_record(endpoint: &str) -> RecordId {
    RecordId::new("push_subscription", hex(&Sha256::digest(endpoint.as_bytes())))
}

/// The subscriptions behind one, in the order of their keys.
pub(crate) fn subscriptions_behind(key: &str) -> RecordId {
    let range = RecordIdKeyRange { start: Bound::Excluded(RecordIdKey::from(key.to_owned())), end: Bound::Unbounded };
    RecordId::new("push_subscription", range)
}

fn reminder_record(event: Uuid, kind: ReminderKind) -> RecordId {
    RecordId::new("reminder", array![DbUuid::from(event), kind.word().to_owned()])
}

impl Store {
    /// What somebody wants to be told of.
    pub async fn notification_settings(&self, user_id: Uuid) -> Result<NotificationSettings> {
        let mut response = self.read("SELECT * FROM $id", vars! { id: settings_record(user_id) }).await?;
        let stored: Option<StoredSettings> = row(&mut response, 0)?;
        Ok(stored.map(Into::into).unwrap_or_default())
    }

    /// Those of these people who want letters about events.
    pub async fn want_event_letters(&self, users: &[Uuid]) -> Result<Vec<Uuid>> {
        let ids: Vec<RecordId> = users.iter().map(|user| settings_record(*user)).collect();
        let mut response = self.read("SELECT VALUE uid FROM $ids WHERE mail.event = true", vars! { ids: ids }).await?;
        rows(&mut response, 0)
    }

    /// Those of these people who have a browser that shows notifications.
    pub async fn have_push_subscriptions(&self, users: &[Uuid]) -> Result<Vec<Uuid>> {
        let query = "array::distinct((SELECT VALUE uid FROM push_subscription WHERE uid IN $users))";
        let mut response = self.read(query, vars! { users: users.to_vec() }).await?;
        rows(&mut response, 0)
    }

    /// Changes what is given.
    pub async fn set_notification_settings(
        &self,
        user_id: Uuid,
        push: Option<PushSettings>,
        mail: Option<MailSettings>,
    ) -> Result<()> {
        let query = "UPSERT $id SET uid = $uid, push = $push ?? push, mail = $mail ?? mail RETURN NONE";
        let variables = vars! { id: settings_record(user_id), uid: user_id, push: push, mail: mail };
        self.write(query, variables).await.map(drop)
    }

    /// Stores a subscription, in place of others of its session and of an earlier owner of its endpoint. With more than
    /// `most` of the account those unused for longest are removed.
    pub async fn save_push_subscription(&self, subscription: PushSubscriptionRow, most: usize) -> Result<()> {
        let query = format!(
            "BEGIN; \
             UPSERT $counted SET last = $row.pid RETURN NONE; \
             LET $known = (SELECT * FROM ONLY $id); \
             DELETE ({OTHERS_OF_SESSION} AND endpoint != $row.endpoint) RETURN NONE; \
             UPSERT $id CONTENT $row RETURN NONE; \
             IF $known != NONE AND $known.uid = $row.uid {{ \
                 UPDATE $id SET pid = $known.pid, created_at = $known.created_at RETURN NONE; }}; \
             LET $own = (SELECT id, used_at FROM push_subscription \
                 WHERE uid = $row.uid AND endpoint != $row.endpoint ORDER BY used_at DESC); \
             DELETE array::slice($own.id, $others) RETURN NONE; \
             COMMIT;"
        );
        let variables = vars! {
            id: subscription_record(&subscription.endpoint),
            sid: subscription.session_id,
            counted: Counted::PushBrowsers.of(subscription.user_id),
            row: subscription,
            others: most.saturating_sub(1) as i64,
        };
        self.write(&query, variables).await.map(drop)
    }

    /// An account's subscriptions, the most recently used first.
    pub async fn push_subscriptions_of(&self, user_id: Uuid) -> Result<Vec<PushSubscriptionRow>> {
        let mut response = self.read(SUBSCRIPTIONS_OF, vars! { user: user_id }).await?;
        let mut found: Vec<PushSubscriptionRow> = rows(&mut response, 0)?;
        found.sort_by_key(|subscription| std::cmp::Reverse(subscription.used_at));
        Ok(found)
    }

    /// Removes a subscription of this account, by its id or its endpoint; answers whether there was one.
    pub async fn remove_push_subscription(
        &self,
        user_id: Uuid,
        id: Option<Uuid>,
        endpoint: Option<&str>,
    ) -> Result<bool> {
        let query = "BEGIN; \
            LET $found = (SELECT VALUE id FROM push_subscription \
                WHERE uid = $user AND (pid = $pid OR endpoint = $endpoint)); \
            DELETE $found RETURN NONE; \
            RETURN [array::len($found) > 0]; \
            COMMIT;";
        let variables = vars! { user: user_id, pid: id, endpoint: endpoint.map(ToOwned::to_owned) };
        let mut response = self.write(query, variables).await?;
        Ok(last::<bool>(&mut response)?.contains(&true))
    }

    /// Removes a subscription that its push service no longer knows, unless it was made anew since.
    pub async fn drop_push_subscription(&self, subscription: &PushSubscriptionRow) -> Result<()> {
        let variables = vars! { id: subscription_record(&subscription.endpoint), key: subscription.p256dh.clone() };
        self.write("DELETE $id WHERE p256dh = $key RETURN NONE", variables).await.map(drop)
    }

    /// Removes the subscriptions of sessions that ended.
    pub async fn remove_push_subscriptions_of_sessions(&self, sessions: &[Uuid]) -> Result<()> {
        if sessions.is_empty() {
            return Ok(());
        }
        let query = format!("DELETE ({SUBSCRIPTIONS_OF_SESSIONS}) RETURN NONE");
        self.write(&query, vars! { sids: sessions.to_vec() }).await.map(drop)
    }

    /// A push arrived at its push service.
    pub async fn push_was_taken(&self, subscription: &PushSubscriptionRow, now: DateTime<Utc>) -> Result<()> {
        if subscription.failures == 0 && now - subscription.used_at < TOUCH_EVERY {
            return Ok(());
        }
        let variables = vars! { id: subscription_record(&subscription.endpoint), now: now };
        self.write("UPDATE $id SET used_at = $now, failures = 0 RETURN NONE", variables).await.map(drop)
    }

    /// A push failed for good. The subscription is removed with its failure number `most` in a row; returns whether it was.
    pub async fn push_failed(&self, subscription: &PushSubscriptionRow, most: u32) -> Result<bool> {
        let query = "BEGIN; \
            UPDATE $id SET failures += 1 RETURN NONE; \
            LET $gone = (DELETE $id WHERE failures >= $most RETURN BEFORE); \
            RETURN [array::len($gone) > 0]; \
            COMMIT;";
        let variables = vars! { id: subscription_record(&subscription.endpoint), most: i64::from(most) };
        let mut response = self.write(query, variables).await?;
        Ok(last::<bool>(&mut response)?.contains(&true))
    }

    /// Removes the subscriptions of sessions that are no more; returns how many.
    pub async fn purge_push_subscriptions(&self, now: DateTime<Utc>) -> Result<usize> {
        let (mut removed, mut after) = (0, String::new());
        loop {
            let variables = vars! { range: subscriptions_behind(&after), limit: PAGE as i64 };
            let mut response = self.read(SUBSCRIPTIONS_BEHIND, variables).await?;
            let page: Vec<OfSession> = rows(&mut response, 0)?;
            let Some(end) = page.last() else { return Ok(removed) };
            after.clone_from(&end.key);
            let sessions: Vec<Uuid> = page.iter().map(|each| each.sid).collect();
            let live = self.session_ends(&sessions, now).await?;
            let gone: Vec<Uuid> = sessions.into_iter().filter(|session| !live.contains_key(session)).collect();
            removed += gone.len();
            self.remove_push_subscriptions_of_sessions(&gone).await?;
        }
    }

    /// How far a reminder has gone out; `None` before it began.
    pub async fn reminder_mark(&self, event: Uuid, kind: ReminderKind) -> Result<Option<ReminderMark>> {
        let mut response =
            self.read("SELECT start, after, done FROM $id", vars! { id: reminder_record(event, kind) }).await?;
        row(&mut response, 0)
    }

    /// Notes how far a reminder goes out now.
    pub async fn set_reminder_mark(
        &self,
        event: Uuid,
        kind: ReminderKind,
        mark: ReminderMark,
        now: DateTime<Utc>,
    ) -> Result<()> {
        let query = "UPSERT $id CONTENT { event_id: $event, kind: $kind, start: $start, after: $after, done: $done, \
            at: $now } RETURN NONE";
        let variables = vars! {
            id: reminder_record(event, kind),
            event: event,
            kind: kind.word().to_owned(),
            start: mark.start,
            after: mark.after,
            done: mark.done,
            now: now,
        };
        self.write(query, variables).await.map(drop)
    }

    /// Forgets reminders that went out before `cutoff`.
    pub async fn purge_reminders(&self, cutoff: DateTime<Utc>) -> Result<()> {
        let query = format!("DELETE ({OLD_REMINDERS}) RETURN NONE");
        self.write(&query, vars! { cutoff: cutoff }).await.map(drop)
    }
}

#[derive(SurrealValue)]
struct OfSession {
    key: String,
    sid: Uuid,
}
