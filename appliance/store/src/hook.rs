//! Webhooks out: `hook`, the receivers; `hook_event`, what happened and is told to none of them yet; `hook_delivery`, what each
//! is told, and what became of it.
//!
//! What happens is written in its own transaction ([`TELL`]). One task makes deliveries of it ([`Store::spread_hook_event`]).

use chrono::{DateTime, Utc};
use surrealdb::types::{RecordId, SurrealValue, Uuid as DbUuid, Value, array, vars};
use tokio::sync::watch;
use uuid::Uuid;

use crate::Result;
use crate::store::{Store, last, row, rows};

/// Stores each of `$happened`, if a receiver wants to know of it.
pub(crate) const TELL: &str = "FOR $one IN $happened { \
    IF array::len((SELECT VALUE hid FROM hook WHERE disabled_why = NONE AND $one.kind IN kinds LIMIT 1)) > 0 { \
        UPSERT type::record('hook_event', $one.mid) CONTENT $one RETURN NONE; }; };";

/// Read at once.
const PAGE: i64 = 50;

pub(crate) const EVENTS: &str = "SELECT * FROM hook_event WITH INDEX hook_event_at WHERE at > d'1970-01-01T00:00:00Z' \
    ORDER BY at LIMIT $limit";

pub(crate) const NEXT_DELIVERY: &str = "SELECT * FROM hook_delivery WITH INDEX hook_delivery_due \
    WHERE hook_id = $hid AND state = 'waiting' ORDER BY due_at LIMIT 1";

pub(crate) const WAITING: &str =
    "SELECT VALUE mid FROM hook_delivery WITH INDEX hook_delivery_due WHERE hook_id = $hid AND state = 'waiting'";

pub(crate) const ENDED_DELIVERIES: &str = "SELECT VALUE id FROM hook_delivery WITH INDEX hook_delivery_ended WHERE ended_at > d'1970-01-01T00:00:00Z' AND ended_at <= $before LIMIT $limit";

/// A receiver.
#[derive(Debug, Clone, PartialEq, Eq, SurrealValue)]
pub struct HookRow {
    #[surreal(rename = "hid")]
    pub id: Uuid,
    pub url: String,
    /// What it is told of, as the contract calls it.
    pub kinds: Vec<String>,
    /// Sealed.
    pub secret: String,
    pub created_at: DateTime<Utc>,
    /// When it last took something.
    pub delivered_at: Option<DateTime<Utc>>,
    /// Since when it takes nothing; `None` while it does, or was never sent anything.
    pub failing_since: Option<DateTime<Utc>>,
    /// Why nothing more is sent there.
    pub disabled_why: Option<String>,
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Eq, SurrealValue)]
pub struct HookEvent {
    #[surreal(rename = "mid")]
    pub id: Uuid,
    /// As the contract calls it.
    pub kind: String,
    pub at: DateTime<Utc>,
    /// The body that receivers get.
    pub payload: String,
}

/// How far a delivery is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, SurrealValue)]
#[surreal(untagged, rename_all = "lowercase")]
pub enum DeliveryState {
    Waiting,
    Delivered,
    /// It was tried for as long as anything is.
    Failed,
    /// There was no room for it, or the receiver is gone.
    Discarded,
}

/// What a receiver is told, and what became of it.
#[derive(Debug, Clone, PartialEq, Eq, SurrealValue)]
pub struct HookDelivery {
    pub hook_id: Uuid,
    #[surreal(flatten)]
    pub event: HookEvent,
    pub state: DeliveryState,
    /// Since it was made, or sent again.
    pub attempts: i64,
    /// When it is tried next, while it waits.
    pub due_at: DateTime<Utc>,
    pub last_at: Option<DateTime<Utc>>,
    /// The status of the last answer.
    pub status: Option<i64>,
    /// The beginning of the last answer that refused it.
    pub answer: Option<String>,
    /// Why the last attempt failed.
    pub failure: Option<String>,
    pub ended_at: Option<DateTime<Utc>>,
}

/// What came of an attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HookAttempt {
    /// By the calendar.
    pub at: DateTime<Utc>,
    pub status: Option<u16>,
    pub answer: Option<String>,
    pub failure: Option<String>,
    pub then: AfterAttempt,
}

/// How it goes on after an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AfterAttempt {
    Delivered,
    /// It is tried again then.
    Later(DateTime<Utc>),
    Failed,
    /// The receiver asks to be sent nothing more.
    Gone,
}

/// What became of a wish to send something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SendOutcome {
    Waits,
    /// It waits already.
    WaitedAlready,
    /// Nothing is sent to this receiver any more.
    Disabled,
}

fn hook_record(id: Uuid) -> RecordId {
    RecordId::new("hook", DbUuid::from(id))
}

fn event_record(id: Uuid) -> RecordId {
    RecordId::new("hook_event", DbUuid::from(id))
}

fn delivery_record(hook: Uuid, event: Uuid) -> RecordId {
    RecordId::new("hook_delivery", array![DbUuid::from(hook), DbUuid::from(event)])
}

fn outcome(words: &[String]) -> SendOutcome {
    match words.first().map(String::as_str) {
        Some("disabled") => SendOutcome::Disabled,
        Some("waiting") => SendOutcome::WaitedAlready,
        _ => SendOutcome::Waits,
    }
}

impl Store {
    /// Stores a receiver, of at most `most`. Audited.
    ///
    /// # Errors
    /// [`StoreError::LimitReached`](crate::StoreError::LimitReached);
    /// [`StoreError::CredentialsChanged`](crate::StoreError::CredentialsChanged).
    pub async fn create_hook(&self, hook: &HookRow, most: usize) -> Result<()> {
        let query = "BEGIN; \
            UPSERT hook_guard:all SET last = $row.hid RETURN NONE; \
            IF array::len((SELECT VALUE hid FROM hook WHERE hid != $row.hid)) >= $most { THROW 'morpion:plan-limit' }; \
            UPSERT $record CONTENT $row RETURN NONE; \
            fn::audit($audit); \
            COMMIT;";
        let variables = vars! { record: hook_record(hook.id), row: hook.clone(), most: most as i64 };
        self.write(query, variables).await.map(drop)
    }

    /// Removes a receiver with its deliveries; returns whether there was one. Audited if there was.
    pub async fn delete_hook(&self, id: Uuid) -> Result<bool> {
        let query = "BEGIN; \
            LET $removed = (DELETE $record RETURN BEFORE); \
            DELETE (SELECT VALUE id FROM hook_delivery WITH INDEX hook_delivery_due WHERE hook_id = $hid) RETURN NONE; \
            IF array::len($removed) > 0 { fn::audit($audit) }; \
            RETURN [array::len($removed) > 0]; \
            COMMIT;";
        let mut response = self.write(query, vars! { record: hook_record(id), hid: id }).await?;
        Ok(last::<bool>(&mut response)?.contains(&true))
    }

    /// All receivers, the newest first.
    pub async fn hooks(&self) -> Result<Vec<HookRow>> {
        let mut response = self.read("SELECT * FROM hook", vars! {}).await?;
        let mut hooks: Vec<HookRow> = rows(&mut response, 0)?;
        hooks.sort_by_key(|hook| std::cmp::Reverse(hook.created_at));
        Ok(hooks)
    }

    /// The receiver with this id.
    pub async fn hook(&self, id: Uuid) -> Result<Option<HookRow>> {
        row(&mut self.read("SELECT * FROM $id", vars! { id: hook_record(id) }).await?, 0)
    }

    /// Stores what happened, if a receiver wants to know of it; for what has no transaction of its own.
    pub async fn tell_hooks(&self, event: &HookEvent) -> Result<()> {
        let query = format!("BEGIN; {TELL} COMMIT;");
        let told = self.write(&query, vars! { happened: vec![event.clone()] }).await.map(drop);
        self.hooks_told();
        told
    }

    /// Something may be to be told.
    pub(crate) fn hooks_told(&self) {
        self.hook_news.send_replace(());
    }

    /// Changes when something may be to be told, or sent.
    pub fn hook_news(&self) -> watch::Receiver<()> {
        self.hook_news.subscribe()
    }

    /// What happened and is no delivery yet, the oldest first: a page.
    pub async fn hook_events(&self) -> Result<Vec<HookEvent>> {
        rows(&mut self.read(EVENTS, vars! { limit: PAGE }).await?, 0)
    }

    /// Makes deliveries of what happened, one for each receiver that wants to know of it. A receiver with `most_waiting` already
    /// loses its oldest; of what is over, its latest `kept` stay. Returns how many were lost.
    pub async fn spread_hook_event(
        &self,
        id: Uuid,
        most_waiting: usize,
        kept: usize,
        now: DateTime<Utc>,
    ) -> Result<usize> {
        let query = "BEGIN; \
            LET $event = (SELECT * OMIT id FROM ONLY $record); \
            LET $hooks = (SELECT VALUE hid FROM hook \
                WHERE $event != NONE AND disabled_why = NONE AND $event.kind IN kinds); \
            LET $full = $hooks.filter(|$hid: uuid| array::len((SELECT VALUE mid FROM hook_delivery \
                WITH INDEX hook_delivery_due WHERE hook_id = $hid AND state = 'waiting')) >= $most); \
            FOR $hid IN $full { \
                UPDATE (SELECT id, at FROM hook_delivery WITH INDEX hook_delivery_due \
                    WHERE hook_id = $hid AND state = 'waiting' ORDER BY at LIMIT 1).id \
                    SET state = 'discarded', ended_at = $now, failure = $no_room RETURN NONE; \
                DELETE (SELECT id, ended_at FROM hook_delivery WITH INDEX hook_delivery_due \
                    WHERE hook_id = $hid AND state != 'waiting' ORDER BY ended_at DESC START $kept).id RETURN NONE; }; \
            FOR $hid IN $hooks { \
                LET $delivery = type::record('hook_delivery', [$hid, $event.mid]); \
                UPDATE type::record('hook', $hid) SET told_at = $now RETURN NONE; \
                IF !record::exists($delivery) { \
                    UPSERT $delivery CONTENT object::extend($event, \
                        { hook_id: $hid, state: 'waiting', attempts: 0, due_at: $now }) RETURN NONE; }; }; \
            DELETE $record RETURN NONE; \
            RETURN [array::len($full)]; \
            COMMIT;";
        let variables = vars! {
            record: event_record(id),
            most: most_waiting as i64,
            kept: kept as i64,
            now: now,
            no_room: "Too many messages were waiting for this receiver.".to_owned(),
        };
        let mut response = self.write(query, variables).await?;
        Ok(last::<i64>(&mut response)?.pop().map_or(0, |lost| usize::try_from(lost).unwrap_or_default()))
    }

    /// The delivery to this receiver that is due first.
    pub async fn next_delivery(&self, hook: Uuid) -> Result<Option<HookDelivery>> {
        row(&mut self.read(NEXT_DELIVERY, vars! { hid: hook }).await?, 0)
    }

    /// Deliveries that wait for this receiver.
    pub async fn waiting_deliveries(&self, hook: Uuid) -> Result<usize> {
        Ok(rows::<Uuid>(&mut self.read(WAITING, vars! { hid: hook }).await?, 0)?.len())
    }

    /// A page of the deliveries to a receiver, the newest first; and how many there are.
    pub async fn deliveries(&self, hook: Uuid, offset: u64, limit: usize) -> Result<(Vec<HookDelivery>, u64)> {
        const OF_HOOK: &str = "FROM hook_delivery WITH INDEX hook_delivery_due WHERE hook_id = $hid";
        let query = format!(
            "SELECT * {OF_HOOK} ORDER BY at DESC LIMIT $limit START $offset; \
             SELECT VALUE total FROM (SELECT count() AS total {OF_HOOK} GROUP ALL)"
        );
        let variables = vars! { hid: hook, limit: limit as i64, offset: offset as i64 };
        let mut response = self.read(&query, variables).await?;
        let total: Option<i64> = row(&mut response, 1)?;
        Ok((rows(&mut response, 0)?, total.unwrap_or(0).max(0) as u64))
    }

    /// Notes what came of an attempt, if the delivery still waits as it did before: once, however often it is noted. Of what is
    /// over, the latest `kept` of a receiver stay.
    pub async fn attempted(
        &self,
        delivery: &HookDelivery,
        attempt: HookAttempt,
        kept: usize,
        now: DateTime<Utc>,
    ) -> Result<()> {
        let query = "BEGIN; \
            LET $changed = (UPDATE $record SET attempts += 1, last_at = $at, status = $status, answer = $answer, \
                failure = $failure, state = $state, due_at = $due_at, ended_at = $ended_at \
                WHERE state = 'waiting' AND attempts = $attempts RETURN VALUE mid); \
            IF array::len($changed) > 0 { \
                IF $state = 'delivered' { UPDATE $hook SET delivered_at = $at, failing_since = NONE RETURN NONE } \
                ELSE { UPDATE $hook SET failing_since = failing_since ?? $at RETURN NONE }; \
                IF $is_gone { \
                    UPDATE $hook SET disabled_why = $failure RETURN NONE; \
                    UPDATE (SELECT VALUE id FROM hook_delivery WITH INDEX hook_delivery_due \
                        WHERE hook_id = $hid AND state = 'waiting') \
                        SET state = 'discarded', ended_at = $now, failure = $failure RETURN NONE; }; \
                IF $ended_at != NONE { \
                    DELETE (SELECT id, ended_at FROM hook_delivery WITH INDEX hook_delivery_due \
                        WHERE hook_id = $hid AND state != 'waiting' ORDER BY ended_at DESC START $kept).id RETURN NONE; }; }; \
            COMMIT;";
        let HookAttempt { at, status, answer, failure, then } = attempt;
        let (state, due_at) = match then {
            AfterAttempt::Delivered => (DeliveryState::Delivered, delivery.due_at),
            AfterAttempt::Later(due_at) => (DeliveryState::Waiting, due_at),
            AfterAttempt::Failed | AfterAttempt::Gone => (DeliveryState::Failed, delivery.due_at),
        };
        let variables = vars! {
            record: delivery_record(delivery.hook_id, delivery.event.id),
            hook: hook_record(delivery.hook_id),
            hid: delivery.hook_id,
            attempts: delivery.attempts,
            at: at,
            status: status.map(i64::from),
            answer: answer,
            failure: failure,
            state: state,
            due_at: due_at,
            ended_at: (state != DeliveryState::Waiting).then_some(now),
            is_gone: then == AfterAttempt::Gone,
            kept: kept as i64,
            now: now,
        };
        self.write(query, variables).await.map(drop)
    }

    /// Makes a delivery of `event` to one receiver alone, unless one of its kind waits already. Audited if it is made.
    ///
    /// # Errors
    /// [`StoreError::NotFound`](crate::StoreError::NotFound): there is no such receiver.
    pub async fn send_to_hook(&self, hook: Uuid, event: &HookEvent, now: DateTime<Utc>) -> Result<SendOutcome> {
        let query = "BEGIN; \
            LET $found = (SELECT disabled_why FROM ONLY $hook); \
            IF $found = NONE { THROW 'morpion:no-webhook' }; \
            LET $others = (SELECT VALUE mid FROM hook_delivery WITH INDEX hook_delivery_due \
                WHERE hook_id = $hid AND state = 'waiting' AND kind = $event.kind AND mid != $event.mid); \
            LET $word = IF $found.disabled_why != NONE { 'disabled' } \
                ELSE IF array::len($others) > 0 { 'waiting' } ELSE { 'waits' }; \
            IF $word = 'waits' { \
                UPDATE $hook SET told_at = $now RETURN NONE; \
                UPSERT $record CONTENT object::extend($event, { hook_id: $hid, state: 'waiting', attempts: 0, due_at: $now }) \
                    RETURN NONE; \
                fn::audit($audit); }; \
            RETURN [$word]; \
            COMMIT;";
        let variables = vars! {
            hook: hook_record(hook),
            hid: hook,
            record: delivery_record(hook, event.id),
            event: event.clone(),
            now: now,
        };
        let mut response = self.write(query, variables).await?;
        self.hooks_told();
        Ok(outcome(&last(&mut response)?))
    }

    /// Sends again what is over. Audited if it is.
    ///
    /// # Errors
    /// [`StoreError::NotFound`](crate::StoreError::NotFound): there is no such delivery (any more).
    pub async fn resend_delivery(
        &self,
        hook: Uuid,
        event: Uuid,
        now: DateTime<Utc>,
    ) -> Result<(SendOutcome, HookDelivery)> {
        let query = "BEGIN; \
            LET $found = (SELECT disabled_why FROM ONLY $hook); \
            LET $before = (SELECT state FROM ONLY $record); \
            IF $found = NONE OR $before = NONE { THROW 'morpion:no-delivery' }; \
            LET $word = IF $found.disabled_why != NONE { 'disabled' } \
                ELSE IF $before.state = 'waiting' { 'waiting' } ELSE { 'waits' }; \
            IF $word = 'waits' { \
                UPDATE $hook SET told_at = $now RETURN NONE; \
                UPDATE $record SET state = 'waiting', attempts = 0, due_at = $now, ended_at = NONE RETURN NONE; \
                fn::audit($audit); }; \
            RETURN [{ word: $word, delivery: (SELECT * FROM ONLY $record) }]; \
            COMMIT;";
        let variables = vars! { hook: hook_record(hook), record: delivery_record(hook, event), now: now };
        let mut response = self.write(query, variables).await?;
        self.hooks_told();
        let resent: Option<Resent> = last(&mut response)?.pop();
        let Resent { word, delivery } = resent.ok_or(crate::StoreError::NotFound("delivery"))?;
        Ok((outcome(&[word]), delivery))
    }

    /// Removes what was over before.
    pub async fn purge_deliveries(&self, before: DateTime<Utc>) -> Result<usize> {
        let query =
            format!("LET $ended = ({ENDED_DELIVERIES}); DELETE $ended RETURN NONE; RETURN [array::len($ended)];");
        self.in_pieces(&query, vars! { before: before }).await
    }
}

#[derive(SurrealValue)]
struct Resent {
    word: String,
    delivery: HookDelivery,
}
