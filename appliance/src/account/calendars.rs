//! People's own calendars at the configured provider: what one signs up for is put into them, and taken out again:
//! `docs/behaviour/accounts.md#calendars`. Spoken as Google Calendar's API, version 3.
//!
//! Nobody waits for it, and nothing depends on it: what fails is logged.

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
    account::provider::Provider,
    clock::Clock,
    error::{ApiError, ErrorKind},
};

/// Changes on their way or waiting, each a task of a few KiB; a further one is dropped and logged.
const MOST_PENDING: usize = 512;

/// Calls to the calendars at once.
const AT_ONCE: usize = 8;

/// For one answer.
const PATIENCE: Duration = Duration::from_secs(15);

/// An access token is renewed so long before its end, since a call takes its time.
const RENEW_BEFORE: TimeDelta = TimeDelta::seconds(60);

/// Revocations tried in one round.
const GIVEN_BACK_AT_ONCE: usize = 50;

/// A provider that does not take leave back for so long never will.
const GIVEN_UP_AFTER: TimeDelta = TimeDelta::days(7);

/// What stands in a calendar.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CalendarEntry {
    pub event_id: Uuid,
    pub title: String,
    pub description: String,
    /// Where the event is shown.
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
    turns: Arc<Semaphore>,
}

impl Calendars {
    /// # Errors
    /// The system's certificates cannot be read.
    pub fn new(store: Store, provider: Option<Arc<Provider>>, clock: Clock) -> anyhow::Result<Self> {
        Ok(Self {
            store,
            clock,
            provider: provider.filter(|provider| provider.config().offers_calendar()),
            http: reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).timeout(PATIENCE).build()?,
            pending: Arc::new(Semaphore::new(MOST_PENDING)),
            turns: Arc::new(Semaphore::new(AT_ONCE)),
        })
    }

    /// Whether people can connect theirs.
    pub fn are_offered(&self) -> bool {
        self.provider.is_some()
    }

    /// Whether somebody connected theirs.
    ///
    /// # Errors
    /// The store does not answer.
    pub async fn is_connected(&self, user: UserId) -> Result<bool, ApiError> {
        Ok(self.store.calendar_grant(user.0).await?.is_some())
    }

    /// Forgets leave to write into somebody's calendar; it is given back at the provider with
    /// [`Calendars::give_back_leave`]. Doing it again does no harm.
    ///
    /// # Errors
    /// The store does not answer.
    pub async fn disconnect(&self, user: UserId) -> Result<(), ApiError> {
        Ok(self.store.revoke_calendar_grant(user.0, self.clock.wall()).await?)
    }

    /// Gives back at the provider what was disconnected, also by a deletion of the account or a recovery of it. What
    /// does not work is tried again with the next call, for a week.
    ///
    /// # Errors
    /// The store does not answer.
    pub async fn give_back_leave(&self) -> Result<(), ApiError> {
        for revocation in self.store.calendar_revocations(GIVEN_BACK_AT_ONCE).await? {
            let outcome = match &self.provider {
                Some(provider) => provider.revoke(&revocation.token).await,
                None => Ok(()),
            };
            if let Err(error) = outcome {
                tracing::warn!(error = %format!("{error:#}"), "leave to write into a calendar could not be given back");
                if self.clock.wall() - revocation.since < GIVEN_UP_AFTER {
                    continue;
                }
            }
            self.store.settle_calendar_revocation(revocation.id).await?;
        }
        Ok(())
    }

    /// Puts an entry into somebody's calendar soon, if they connected one; one that is there already is changed.
    pub fn put(&self, user: UserId, entry: CalendarEntry) {
        self.soon(user, move |calendar| async move { calendar.put(&entry).await });
    }

    /// Takes an event's entry out soon, if it is there.
    pub fn take_out(&self, user: UserId, event_id: Uuid) {
        self.soon(user, move |calendar| async move { calendar.take_out(event_id).await });
    }

    fn soon<F: Future<Output = anyhow::Result<()>> + Send>(
        &self,
        user: UserId,
        change: impl FnOnce(Calendar) -> F + Send + 'static,
    ) {
        let Some(provider) = self.provider.clone() else { return };
        let Ok(place) = Arc::clone(&self.pending).try_acquire_owned() else {
            tracing::error!("a change of a calendar was dropped: too many are waiting");
            return;
        };
        let calendars = self.clone();
        tokio::spawn(async move {
            let _place = place;
            let Ok(_turn) = calendars.turns.acquire().await else { return };
            let changed = async {
                match calendars.open(user, provider).await? {
                    Some(calendar) => change(calendar).await,
                    None => Ok(()),
                }
            };
            if let Err(error) = changed.await {
                tracing::warn!(%user, error = %format!("{error:#}"), "a calendar could not be changed");
            }
        });
    }

    /// The person's calendar with a token that is good; `None` if they connected none.
    async fn open(&self, user: UserId, provider: Arc<Provider>) -> anyhow::Result<Option<Calendar>> {
        let Some(mut grant) = self.store.calendar_grant(user.0).await? else { return Ok(None) };
        if grant.expires_at - RENEW_BEFORE <= self.clock.steady() {
            let Some(refresh) = grant.refresh_token.clone() else {
                self.store.remove_calendar_grant(user.0).await?;
                bail!("the leave to write has ended, and the provider gave none to renew it with");
            };
            match provider.renew_calendar(&refresh).await {
                Ok(tokens) => {
                    grant = CalendarGrant {
                        access_token: tokens.access,
                        refresh_token: tokens.refresh.or(Some(refresh)),
                        expires_at: self.clock.steady() + TimeDelta::from_std(tokens.life)?,
                        ..grant
                    };
                    self.store.set_calendar_grant(grant.clone()).await?;
                }
                Err(fault) if fault.kind == ErrorKind::NotSignedIn => {
                    self.store.remove_calendar_grant(user.0).await?;
                    bail!("the leave to write was taken back; it has to be given anew");
                }
                Err(fault) => return Err(fault.into()),
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
            // It is there, or was and is kept as cancelled.
            let changed = self.call(Method::PUT, &format!("{}/{id}", self.events), Some(&body)).await?;
            return expect_success(changed);
        }
        expect_success(made)
    }

    async fn take_out(&self, event_id: Uuid) -> anyhow::Result<()> {
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

/// Of the letters a to v and digits, as the calendars ask for.
fn entry_id(event_id: Uuid) -> String {
    format!("morpion{}", event_id.simple())
}
