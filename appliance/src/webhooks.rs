//! Webhooks out: receivers that admins name are told by HTTP of what happens here. `docs/behaviour/webhooks.md`.
//!
//! What happens is stored in the transaction in which it does, so that it is told even if the server is killed right after: at
//! least once, with the same id. One task makes a delivery of it for each receiver and sends what is due, one to a receiver at a
//! time, so that none waits for another; nothing else waits for any of them. In a cluster the node that leads sends.
//!
//! | module | what it is |
//! |---|---|
//! | [`message`] | what receivers are told, and how it is signed |
//! | `delivery` | one request, and what is made of its answer |

mod delivery;
pub mod message;

use std::{
    collections::HashSet,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use anyhow::Context;
use chrono::{DateTime, TimeDelta, Utc};
use morpion_openapi::webhook::WebhookKind;
use morpion_store::{AuditEntry, HookDelivery, HookRow, SendOutcome, Store, StoreError};
use parking_lot::Mutex;
use rand::Rng;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::{
    clock::Clock,
    config::Config,
    error::{CommonError, FieldErrors},
    metrics::{HookOutcome, Metrics},
    reach::{self, Reach},
    seal::Seal,
};

/// Receivers: each may have one request under way.
pub const MAX_WEBHOOKS: usize = 20;

/// Deliveries that wait for one receiver, some KiB each; for one more the oldest is given up.
pub const MAX_WAITING: usize = 500;

/// What is over of one receiver is kept so long, and only so much of it.
pub const KEPT_FOR: TimeDelta = TimeDelta::days(7);
const MAX_KEPT: usize = 200;

/// Operators are warned of a receiver that has taken nothing for so long.
const FAILING_AFTER: TimeDelta = TimeDelta::hours(1);

/// How exactly pauses are kept. The store is asked only when something is due, or to be counted.
const LOOK_EVERY: Duration = Duration::from_millis(500);

/// How exactly it is known which receivers take nothing.
const COUNT_EVERY: TimeDelta = TimeDelta::minutes(1);

/// After the store did not answer: at first, and at most.
const STORE_PAUSE: Duration = Duration::from_secs(5);
const LONGEST_STORE_PAUSE: Duration = Duration::from_secs(60);

/// Bytes of a secret.
const SECRET: usize = 32;

/// What the webhooks refuse.
#[derive(Debug, thiserror::Error)]
pub enum WebhookError {
    #[error(transparent)]
    Common(#[from] CommonError),
    #[error("There are {MAX_WEBHOOKS} webhooks, which is the maximum. Delete one first.")]
    TooMany,
    #[error("This webhook is disabled. Make another one.")]
    Disabled,
    #[error("It is already waiting to be sent.")]
    Waiting,
}

impl From<StoreError> for WebhookError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::LimitReached => Self::TooMany,
            error => Self::Common(error.into()),
        }
    }
}

/// A receiver, and how many deliveries wait for it.
#[derive(Debug, Clone)]
pub struct Listed {
    pub hook: HookRow,
    pub waiting: usize,
}

/// Tells receivers. Cheap to clone; all clones are one.
#[derive(Clone)]
pub struct Webhooks {
    shared: Arc<Shared>,
}

struct Shared {
    store: Store,
    clock: Clock,
    metrics: Metrics,
    seal: Seal,
    reach: Reach,
    client: reqwest::Client,
    /// Deliveries are made, and none is sent, where this is false.
    is_sending: bool,
    /// Receivers with a request under way.
    busy: Mutex<HashSet<Uuid>>,
    /// A request has ended, or a receiver was removed.
    ended: Notify,
    /// Cancelled once this server sends nothing more.
    stopped: CancellationToken,
    /// Receivers that have taken nothing for [`FAILING_AFTER`] or are sent nothing more, as of the last look.
    failing: AtomicUsize,
}

impl std::fmt::Debug for Webhooks {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Webhooks").field("is_sending", &self.shared.is_sending).finish_non_exhaustive()
    }
}

/// A receiver's request is under way until this is dropped.
struct Busy {
    shared: Arc<Shared>,
    hook: Uuid,
}

impl Drop for Busy {
    fn drop(&mut self) {
        self.shared.busy.lock().remove(&self.hook);
        self.shared.ended.notify_one();
    }
}

impl Webhooks {
    /// `key` seals the secrets of receivers.
    ///
    /// # Errors
    /// TLS cannot be set up.
    pub fn new(config: &Config, store: Store, clock: Clock, metrics: Metrics, key: [u8; 32]) -> anyhow::Result<Self> {
        let reach = if config.webhooks.allow_private_addresses { Reach::Anywhere } else { Reach::Public };
        let client = delivery::client(reach).context("webhooks cannot be sent: TLS cannot be set up")?;
        Ok(Self {
            shared: Arc::new(Shared {
                store,
                clock,
                metrics,
                seal: Seal::new(key),
                reach,
                client,
                is_sending: config.webhooks.enabled,
                busy: Mutex::default(),
                ended: Notify::new(),
                stopped: CancellationToken::new(),
                failing: AtomicUsize::new(0),
            }),
        })
    }

    pub fn is_sending(&self) -> bool {
        self.shared.is_sending
    }

    /// How many receivers have taken nothing for an hour, or are sent nothing more.
    pub fn failing(&self) -> usize {
        self.shared.failing.load(Ordering::Relaxed)
    }

    /// Makes a receiver; returns the text of its secret. `entry` is that of the audit trail, whose subject it becomes.
    ///
    /// # Errors
    /// [`CommonError::Invalid`] for an address that nothing is sent to, or no kind; [`WebhookError::TooMany`];
    /// [`CommonError::CredentialsChanged`].
    pub async fn create(
        &self,
        url: &str,
        kinds: &[WebhookKind],
        mut entry: AuditEntry,
    ) -> Result<(String, HookRow), WebhookError> {
        let shared = &self.shared;
        let mut fields = FieldErrors::default();
        let url = fields.check("url", reach::parse(url.trim(), shared.reach).map_err(ToOwned::to_owned));
        let kinds = fields.check("kinds", distinct(kinds));
        let (Some(url), Some(kinds)) = (url, kinds) else { return Err(CommonError::from(fields).into()) };
        let (id, secret): (Uuid, [u8; SECRET]) = (Uuid::new_v4(), rand::rng().random());
        let hook = HookRow {
            id,
            url: url.to_string(),
            kinds: kinds.iter().map(ToString::to_string).collect(),
            secret: shared.seal.seal(id, &secret),
            created_at: shared.clock.wall(),
            delivered_at: None,
            failing_since: None,
            disabled_why: None,
        };
        entry.target = id.to_string();
        // The rest of an address may be a secret of the receiver.
        entry.detail = serde_json::json!({ "name": shown(&hook), "kinds": hook.kinds });
        shared.store.audited(entry).create_hook(&hook, MAX_WEBHOOKS).await?;
        Ok((message::secret_text(&secret), hook))
    }

    /// Removes a receiver.
    ///
    /// # Errors
    /// [`CommonError::NotFound`].
    pub async fn delete(&self, id: Uuid, mut entry: AuditEntry) -> Result<(), WebhookError> {
        entry.detail = serde_json::json!({ "name": shown(&self.found(id).await?) });
        if !self.shared.store.audited(entry).delete_hook(id).await? {
            return Err(CommonError::NotFound("webhook").into());
        }
        // It may have been one of those that fail.
        self.shared.ended.notify_one();
        Ok(())
    }

    /// All receivers, the newest first.
    ///
    /// # Errors
    /// The store is unavailable.
    pub async fn list(&self) -> Result<Vec<Listed>, WebhookError> {
        let store = &self.shared.store;
        let mut listed = vec![];
        for hook in store.hooks().await? {
            let waiting = store.waiting_deliveries(hook.id).await?;
            listed.push(Listed { hook, waiting });
        }
        Ok(listed)
    }

    /// How many receivers there are.
    ///
    /// # Errors
    /// The store is unavailable.
    pub async fn count(&self) -> Result<usize, WebhookError> {
        Ok(self.shared.store.hooks().await?.len())
    }

    /// A page of the deliveries to a receiver, the newest first; and how many there are.
    ///
    /// # Errors
    /// [`CommonError::NotFound`].
    pub async fn deliveries(
        &self,
        id: Uuid,
        offset: u64,
        limit: usize,
    ) -> Result<(Vec<HookDelivery>, u64), WebhookError> {
        self.found(id).await?;
        Ok(self.shared.store.deliveries(id, offset, limit).await?)
    }

    /// Sends again what is over.
    ///
    /// # Errors
    /// [`CommonError::NotFound`], [`WebhookError::Waiting`], [`WebhookError::Disabled`].
    pub async fn resend(&self, id: Uuid, event: Uuid, mut entry: AuditEntry) -> Result<HookDelivery, WebhookError> {
        entry.detail = serde_json::json!({ "name": shown(&self.found(id).await?), "messageId": event });
        let now = self.shared.clock.steady();
        let (outcome, delivery) = self.shared.store.audited(entry).resend_delivery(id, event, now).await?;
        allowed(outcome)?;
        Ok(delivery)
    }

    /// Sends a message that says nothing, to try a receiver.
    ///
    /// # Errors
    /// [`CommonError::NotFound`], [`WebhookError::Disabled`]; [`WebhookError::Waiting`] for a second one at a time.
    pub async fn test(&self, id: Uuid, mut entry: AuditEntry) -> Result<(), WebhookError> {
        let shared = &self.shared;
        entry.detail = serde_json::json!({ "name": shown(&self.found(id).await?) });
        let event = message::test(shared.clock.wall());
        allowed(shared.store.audited(entry).send_to_hook(id, &event, shared.clock.steady()).await?)
    }

    async fn found(&self, id: Uuid) -> Result<HookRow, WebhookError> {
        Ok(self.shared.store.hook(id).await?.ok_or(CommonError::NotFound("webhook"))?)
    }

    /// What operators should know: which receivers have taken nothing for an hour, or nothing more is sent to.
    ///
    /// # Errors
    /// The store is unavailable.
    pub async fn warnings(&self) -> Result<Vec<String>, WebhookError> {
        let now = self.shared.clock.wall();
        let warning = |hook: HookRow| {
            let name = shown(&hook);
            if let Some(why) = hook.disabled_why {
                return Some(format!("The webhook at {name} is disabled: {why}"));
            }
            let since = hook.failing_since.filter(|since| now - *since >= FAILING_AFTER)?;
            Some(format!("The webhook at {name} has accepted nothing since {}.", since.format("%F %T UTC")))
        };
        Ok(self.shared.store.hooks().await?.into_iter().filter_map(warning).collect())
    }

    /// Makes deliveries of what happens and sends what is due, until it is dropped. What was under way then is sent again by the
    /// next server.
    pub async fn run(self) {
        let _stopped = self.shared.stopped.clone().drop_guard();
        let mut news = self.shared.store.hook_news();
        loop {
            news.mark_unchanged();
            let next = match self.look().await {
                Ok(next) => next,
                Err(error) => {
                    tracing::warn!(%error, "webhooks are not sent: the store does not answer");
                    tokio::time::sleep(STORE_PAUSE).await;
                    continue;
                }
            };
            tokio::select! {
                changed = news.changed() => {
                    if changed.is_err() {
                        return;
                    }
                }
                () = self.shared.ended.notified() => {}
                () = self.until(next) => {}
            }
        }
    }

    /// Waits by the steady clock, which tests put forward.
    async fn until(&self, at: Option<DateTime<Utc>>) {
        let Some(at) = at else { return std::future::pending().await };
        loop {
            let left = (at - self.shared.clock.steady()).to_std().unwrap_or_default();
            if left.is_zero() {
                return;
            }
            tokio::time::sleep(left.min(LOOK_EVERY)).await;
        }
    }

    /// Makes deliveries, and begins those that are due; returns when to look again.
    async fn look(&self) -> Result<Option<DateTime<Utc>>, StoreError> {
        let shared = &self.shared;
        loop {
            let events = shared.store.hook_events().await?;
            if events.is_empty() {
                break;
            }
            for event in events {
                let now = shared.clock.steady();
                let lost = shared.store.spread_hook_event(event.id, MAX_WAITING, MAX_KEPT, now).await?;
                (0..lost).for_each(|_| shared.metrics.webhook(HookOutcome::Discarded));
            }
        }
        let hooks = shared.store.hooks().await?;
        let (now, today) = (shared.clock.steady(), shared.clock.wall());
        let is_failing = |hook: &&HookRow| {
            hook.disabled_why.is_some() || hook.failing_since.is_some_and(|since| today - since >= FAILING_AFTER)
        };
        shared.failing.store(hooks.iter().filter(is_failing).count(), Ordering::Relaxed);
        if hooks.is_empty() {
            return Ok(None);
        }
        let mut next = now + COUNT_EVERY;
        if !shared.is_sending {
            return Ok(Some(next));
        }
        for hook in hooks {
            if shared.busy.lock().contains(&hook.id) {
                continue;
            }
            let Some(first) = shared.store.next_delivery(hook.id).await? else { continue };
            if first.due_at <= now {
                self.begin(hook, first);
            } else {
                next = next.min(first.due_at);
            }
        }
        Ok(Some(next))
    }

    /// Sends a delivery, in a task of its own.
    fn begin(&self, hook: HookRow, delivery: HookDelivery) {
        self.shared.busy.lock().insert(hook.id);
        let busy = Busy { shared: Arc::clone(&self.shared), hook: hook.id };
        let webhooks = self.clone();
        tokio::spawn(async move {
            let _busy = busy;
            webhooks.deliver(&hook, &delivery).await;
        });
    }

    async fn deliver(&self, hook: &HookRow, delivery: &HookDelivery) {
        let shared = &self.shared;
        let attempt = self.attempt(hook, delivery, || shared.clock.steady()).await;
        shared.metrics.webhook(match attempt.then {
            morpion_store::AfterAttempt::Delivered => HookOutcome::Delivered,
            morpion_store::AfterAttempt::Later(_) => HookOutcome::Retried,
            morpion_store::AfterAttempt::Failed | morpion_store::AfterAttempt::Gone => HookOutcome::Failed,
        });
        if let Some(why) = &attempt.failure {
            tracing::info!(receiver = shown(hook), kind = delivery.event.kind, why, "a webhook was not accepted");
        }
        // Its receiver keeps its place meanwhile: it would be sent the same again and again.
        let (ended_at, mut pause) = (shared.clock.steady(), STORE_PAUSE);
        while let Err(error) = shared.store.attempted(delivery, attempt.clone(), MAX_KEPT, ended_at).await {
            tracing::warn!(%error, "the outcome of a webhook could not be stored; its receiver is sent nothing until it is");
            tokio::select! {
                () = shared.stopped.cancelled() => return,
                () = tokio::time::sleep(pause) => pause = (pause * 2).min(LONGEST_STORE_PAUSE),
            }
        }
    }
}

fn allowed(outcome: SendOutcome) -> Result<(), WebhookError> {
    match outcome {
        SendOutcome::Waits => Ok(()),
        SendOutcome::WaitedAlready => Err(WebhookError::Waiting),
        SendOutcome::Disabled => Err(WebhookError::Disabled),
    }
}

/// Each kind once, in the order of their declaration.
fn distinct(kinds: &[WebhookKind]) -> Result<Vec<WebhookKind>, String> {
    let chosen: Vec<_> = WebhookKind::ALL.iter().copied().filter(|kind| kinds.contains(kind)).collect();
    if chosen.is_empty() { Err("Please choose at least one.".to_owned()) } else { Ok(chosen) }
}

/// What of a receiver's address is shown in logs, warnings and the audit trail: its host.
fn shown(hook: &HookRow) -> String {
    let url = url::Url::parse(&hook.url).ok();
    url.and_then(|url| url.host_str().map(ToOwned::to_owned)).unwrap_or_default()
}
