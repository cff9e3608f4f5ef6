//! Users' own calendars at the configured provider: events are added on sign-up and removed again:
//! `docs/behaviour/accounts.md#calendars`. Uses Google Calendar's API, version 3.
//!
//! Runs in the background, and nothing depends on it: failures are logged.

use std::{sync::Arc, time::Duration};

use anyhow::{Context, bail};
use chrono::{DateTime, TimeDelta, Utc};
use morpion_rules::UserId;
use morpion_store::{CalendarGrant, Store};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tokio::sync::Semaphore;
use uuid::Uuid;

use crate::{
    account::{error::AccountError, provider::Provider},
    clock::Clock,
};

/// Queued and running changes, each a task of a few KiB; a further one is dropped and logged.
const MAX_PENDING: usize = 512;

/// Concurrent calls to the provider.
const MAX_CONCURRENT: usize = 8;

/// For one response.
const TIMEOUT: Duration = Duration::from_secs(15);

/// How long before its expiry an access token is refreshed.
const RENEW_BEFORE: TimeDelta = TimeDelta::seconds(60);

/// Revocations tried per round.
const REVOCATION_BATCH: usize = 50;

/// Revocations that keep failing are dropped after this time.
const REVOCATION_RETRY_LIMIT: TimeDelta = TimeDelta::days(7);

/// An entry in a calendar.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CalendarEntry {
    pub event_id: Uuid,
    pub title: String,
    pub description: String,
    /// The URL of the event's page.
    pub url: String,
    pub starts_at: DateTime<Utc>,
    pub ends_at: DateTime<Utc>,
}

/// Writes into connected calendars. Cheap to clone; all clones are one.
#[derive(Debug, Clone)]
pub struct Calendars {
    store: Store,
    /// `None` where no calendars can be connected.
    provider: Option<Arc<Provider>>,
    http: reqwest::Client,
    clock: Clock,
    pending: Arc<Semaphore>,
    permits: Arc<Semaphore>,
}

impl Calendars {
    /// # Errors
    /// The system's certificates cannot be read.
    pub fn new(store: Store, provider: Option<Arc<Provider>>, clock: Clock) -> anyhow::Result<Self> {
        Ok(Self {
            store,
            clock,
            provider,
            http: reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).timeout(TIMEOUT).build()?,
            pending: Arc::new(Semaphore::new(MAX_PENDING)),
            permits: Arc::new(Semaphore::new(MAX_CONCURRENT)),
        })
    }

    /// Whether users can connect a calendar.
    pub fn are_offered(&self) -> bool {
        self.provider.is_some()
    }

    /// Whether this user connected a calendar.
    ///
    /// # Errors
    /// The store is unavailable.
    pub async fn is_connected(&self, user: UserId) -> Result<bool, AccountError> {
        Ok(self.store.calendar_grant(user.0).await?.is_some())
    }

    /// Removes access to a user's calendar; it is revoked at the provider with [`Calendars::revoke_pending_grants`].
    /// Idempotent.
    ///
    /// # Errors
    /// The store is unavailable.
    pub async fn disconnect(&self, user: UserId) -> Result<(), AccountError> {
        Ok(self.store.revoke_calendar_grant(user.0, self.clock.wall()).await?)
    }

    /// Revokes at the provider what was disconnected, also by deleting or recovering the account. Failures are retried
    /// with the next call, for a week.
    ///
    /// # Errors
    /// The store is unavailable.
    pub async fn revoke_pending_grants(&self) -> Result<(), AccountError> {
        for revocation in self.store.calendar_revocations(REVOCATION_BATCH).await? {
            let outcome = match &self.provider {
                Some(provider) => provider.revoke(&revocation.token).await,
                None => Ok(()),
            };
            if let Err(error) = outcome {
                tracing::warn!(error = %format!("{error:#}"), "access to a calendar could not be revoked");
                if self.clock.wall() - revocation.since < REVOCATION_RETRY_LIMIT {
                    continue;
                }
            }
            self.store.finish_calendar_revocation(revocation.id).await?;
        }
        Ok(())
    }

    /// Changes the entries of an event in the calendars of these people, as far as they connected one: adds or updates them, or
    /// removes them. Failures are logged.
    ///
    /// # Errors
    /// The store is unavailable.
    pub async fn change_entries(
        &self,
        users: &[Uuid],
        event_id: Uuid,
        entry: Option<&CalendarEntry>,
    ) -> Result<(), AccountError> {
        let Some(provider) = &self.provider else { return Ok(()) };
        for user in self.store.have_calendar_grants(users).await? {
            let change = async |calendar: Calendar| match entry {
                Some(entry) => calendar.put(entry).await,
                None => calendar.remove(event_id).await,
            };
            self.change(user.into(), Arc::clone(provider), change).await;
        }
        Ok(())
    }

    /// Adds an entry to a user's calendar in the background, if they connected one; updates an existing one.
    pub fn put(&self, user: UserId, entry: CalendarEntry) {
        self.spawn_change(user, move |calendar| async move { calendar.put(&entry).await });
    }

    /// Removes an event's entry in the background, if it exists.
    pub fn remove(&self, user: UserId, event_id: Uuid) {
        self.spawn_change(user, move |calendar| async move { calendar.remove(event_id).await });
    }

    fn spawn_change<F: Future<Output = anyhow::Result<()>> + Send>(
        &self,
        user: UserId,
        change: impl FnOnce(Calendar) -> F + Send + 'static,
    ) {
        let Some(provider) = self.provider.clone() else { return };
        let Ok(slot) = Arc::clone(&self.pending).try_acquire_owned() else {
            tracing::error!("a change of a calendar was dropped: too many are waiting");
            return;
        };
        let calendars = self.clone();
        tokio::spawn(async move {
            let _slot = slot;
            calendars.change(user, provider, change).await;
        });
    }

    async fn change<F: Future<Output = anyhow::Result<()>>>(
        &self,
        user: UserId,
        provider: Arc<Provider>,
        change: impl FnOnce(Calendar) -> F,
    ) {
        let Ok(_permit) = self.permits.acquire().await else { return };
        let changed = async {
            match self.open(user, provider).await? {
                Some(calendar) => change(calendar).await,
                None => Ok(()),
            }
        };
        if let Err(error) = changed.await {
            tracing::warn!(%user, error = %format!("{error:#}"), "a calendar could not be changed");
        }
    }

    /// The user's calendar with a valid token; `None` if they connected none.
    async fn open(&self, user: UserId, provider: Arc<Provider>) -> anyhow::Result<Option<Calendar>> {
        let Some(before) = self.store.calendar_grant(user.0).await? else { return Ok(None) };
        let mut grant = before.clone();
        if grant.expires_at - RENEW_BEFORE <= self.clock.steady() {
            let Some(refresh) = grant.refresh_token.clone() else {
                self.store.remove_calendar_grant(&before).await?;
                bail!("access to the calendar has expired, and the provider issued no refresh token");
            };
            match provider.refresh_calendar(&refresh).await {
                Ok(tokens) => {
                    grant = CalendarGrant {
                        access_token: tokens.access,
                        refresh_token: tokens.refresh.or(Some(refresh)),
                        expires_at: self.clock.steady() + TimeDelta::from_std(tokens.life)?,
                        ..grant
                    };
                    self.store.renew_calendar_grant(&before, grant.clone()).await?;
                }
                Err(AccountError::ProviderRefused(_)) => {
                    self.store.remove_calendar_grant(&before).await?;
                    bail!("access to the calendar was revoked; it has to be granted again");
                }
                Err(error) => return Err(error.into()),
            }
        }
        let events = format!("{}/calendars/primary/events", provider.config().calendar_url.trim_end_matches('/'));
        Ok(Some(Calendar { http: self.http.clone(), events, token: grant.access_token }))
    }
}

struct Calendar {
    http: reqwest::Client,
    events: String,
    token: String,
}

impl Calendar {
    async fn put(&self, entry: &CalendarEntry) -> anyhow::Result<()> {
        let id = entry_id(entry.event_id);
        let body = json!({
            "id": id,
            "status": "confirmed",
            "summary": entry.title,
            "description": entry.description,
            "source": { "title": "Morpion", "url": entry.url },
            "start": { "dateTime": entry.starts_at },
            "end": { "dateTime": entry.ends_at },
        });
        let made = self.call(Method::POST, &self.events, Some(&body)).await?;
        if made == StatusCode::CONFLICT {
            // It exists, or is kept as cancelled.
            let changed = self.call(Method::PUT, &format!("{}/{id}", self.events), Some(&body)).await?;
            return expect_success(changed);
        }
        expect_success(made)
    }

    async fn remove(&self, event_id: Uuid) -> anyhow::Result<()> {
        let gone = self.call(Method::DELETE, &format!("{}/{}", self.events, entry_id(event_id)), None).await?;
        if gone == StatusCode::NOT_FOUND || gone == StatusCode::GONE {
            return Ok(());
        }
        expect_success(gone)
    }

    async fn call(&self, method: Method, address: &str, body: Option<&Value>) -> anyhow::Result<StatusCode> {
        let mut request = self.http.request(method, address).bearer_auth(&self.token);
        if let Some(body) = body {
            request = request.json(body);
        }
        Ok(request.send().await.context("the calendar's server does not answer")?.status())
    }
}

fn expect_success(status: StatusCode) -> anyhow::Result<()> {
    if status.is_success() {
        return Ok(());
    }
    bail!("the calendar's server answered {status}")
}

/// Google accepts the letters a to v and digits.
fn entry_id(event_id: Uuid) -> String {
    format!("morpion{}", event_id.simple())
}
