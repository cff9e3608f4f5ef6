//! Pro: bought, renewed, cancelled, granted. See `docs/behaviour/payments.md`.
//!
//! | module | what it is |
//! |---|---|
//! | [`provider`] | Stripe, as far as we use it |
//! | [`plans`] | the plans for sale, and their prices at Stripe |
//! | [`entitlement`] | who has Pro, until when |
//! | [`purchase`] | buying: creating a subscription and confirming its payment |
//! | [`changes`] | cancelling, resuming, another plan, invoices |
//! | [`cards`] | payment methods: added, selected, replaced, removed |
//! | [`grants`] | Pro granted by an operator |
//! | [`refresh`] | fetching a customer's state from Stripe and storing it: the only way anything changes |
//! | [`webhook`], [`reconcile`] | what triggers a refresh: events of Stripe; every hour |
//! | [`recent`] | lists of Stripe's that were read a moment ago |
//! | [`ledger`] | the entries of the ledger, and the emails for them |
//! | [`error`] | what can go wrong |
//!
//! Only Stripe's data counts. Every trigger, a browser that reports a payment or a webhook, leads to the same question:
//! what does Stripe know about this customer? So messages may arrive in any order, repeatedly or not at all.

pub mod cards;
pub mod changes;
pub mod entitlement;
pub mod error;
pub mod grants;
pub mod ledger;
pub mod plans;
pub mod provider;
pub mod purchase;
mod recent;
pub mod reconcile;
pub mod refresh;
pub mod webhook;

use chrono::{DateTime, Utc};
use morpion_rules::UserId;
use morpion_store::{BillingAccount, Store};
use tokio::sync::{Semaphore, SemaphorePermit};

use crate::{
    clock::Clock,
    config::{Config, PlanConfig, Secret},
    error::CommonError,
    mail::Mailer,
    metrics::Metrics,
};
use cards::PaymentMethod;
use entitlement::CurrentPro;
use error::BillingError;
use plans::Plans;
use provider::{Invoice, Provider};
use recent::Recent;

/// Locks for the accounts of users; users who share one wait for a stranger at worst.
const ACCOUNT_LOCKS: usize = 256;

/// Everything about payments; one a process.
#[derive(Debug)]
pub struct Billing {
    store: Store,
    /// `None` where payments are not set up.
    provider: Option<Provider>,
    plans: Plans,
    publishable_key: String,
    /// The URL of a stand-in for Stripe, for browsers.
    stand_in: Option<String>,
    webhook_secret: Secret,
    is_live: bool,
    mailer: Mailer,
    clock: Clock,
    account_locks: Vec<Semaphore>,
    recent_cards: Recent<PaymentMethod>,
    recent_invoices: Recent<Invoice>,
    requires_verified_email: bool,
    metrics: Metrics,
}

impl Billing {
    /// # Errors
    /// The provider's address cannot be used.
    pub fn new(store: Store, config: &Config, mailer: Mailer, clock: Clock, metrics: Metrics) -> anyhow::Result<Self> {
        let settings = &config.billing;
        Ok(Self {
            store,
            provider: Provider::new(settings)?,
            plans: Plans::new(settings),
            publishable_key: settings.publishable_key.clone(),
            stand_in: (!settings.is_stripe()).then(|| settings.api_base.clone()),
            webhook_secret: settings.webhook_secret.clone(),
            is_live: settings.is_live(),
            mailer,
            clock,
            account_locks: (0..ACCOUNT_LOCKS).map(|_| Semaphore::new(1)).collect(),
            recent_cards: Recent::default(),
            recent_invoices: Recent::default(),
            requires_verified_email: settings.require_verified_email,
            metrics,
        })
    }

    /// Whether payments are set up.
    pub fn is_on(&self) -> bool {
        self.provider.is_some()
    }

    pub fn plans(&self) -> &[PlanConfig] {
        self.plans.all()
    }

    /// The plan with the lowest price; `None` where nothing can be bought.
    pub fn cheapest_plan(&self) -> Option<&PlanConfig> {
        self.plans().iter().min_by_key(|plan| plan.price).filter(|_| self.is_on())
    }

    /// What the payment form needs: the publishable key, and the URL of a stand-in for Stripe if there is one.
    ///
    /// # Errors
    /// [`BillingError::PaymentsOff`].
    pub fn form_key(&self) -> Result<(String, Option<String>), BillingError> {
        self.provider()?;
        Ok((self.publishable_key.clone(), self.stand_in.clone()))
    }

    /// A user's Pro as it was stored last.
    ///
    /// # Errors
    /// The store is unavailable.
    pub async fn subscription(&self, user: UserId) -> Result<CurrentPro, BillingError> {
        Ok(CurrentPro::of(&self.account(user).await?, self.now()))
    }

    /// # Errors
    /// [`BillingError::PaymentsOff`].
    fn provider(&self) -> Result<&Provider, BillingError> {
        self.provider.as_ref().ok_or(BillingError::PaymentsOff)
    }

    fn now(&self) -> DateTime<Utc> {
        self.clock.wall()
    }

    /// One change at a time for each user: two tabs buy once. What was listed before is read anew afterwards.
    async fn lock_account(&self, user: UserId) -> Result<SemaphorePermit<'_>, BillingError> {
        let lock = self.lock_lists(user).await?;
        self.recent_cards.forget(user);
        self.recent_invoices.forget(user);
        Ok(lock)
    }

    /// While somebody lists: many at once are one call, and none while there is a change.
    async fn lock_lists(&self, user: UserId) -> Result<SemaphorePermit<'_>, BillingError> {
        let lock = &self.account_locks[(user.0.as_u128() % ACCOUNT_LOCKS as u128) as usize];
        lock.acquire().await.map_err(|closed| CommonError::internal(closed).into())
    }

    /// A list of a user's at Stripe, at most a minute old.
    async fn listed<T: Clone>(
        &self,
        lists: &Recent<T>,
        user: UserId,
        fetch: impl AsyncFnOnce(String) -> Result<Vec<T>, BillingError>,
    ) -> Result<Vec<T>, BillingError> {
        if let Some(list) = lists.get(user, self.clock.steady()) {
            return Ok(list);
        }
        let _lock = self.lock_lists(user).await?;
        // Read meanwhile by whoever had the lock.
        if let Some(list) = lists.get(user, self.clock.steady()) {
            return Ok(list);
        }
        let Some(customer) = self.account(user).await?.customer else { return Ok(Vec::new()) };
        let list = fetch(customer).await?;
        lists.put(user, list.clone(), self.clock.steady());
        Ok(list)
    }

    /// # Errors
    /// [`BillingError::EmailNotVerified`], where only accounts with a verified email may enter a card.
    async fn require_verified_email(&self, user: UserId) -> Result<(), BillingError> {
        let is_verified =
            async || Ok::<_, BillingError>(self.store.user(user.0).await?.is_some_and(|it| it.email_verified));
        match !self.requires_verified_email || is_verified().await? {
            true => Ok(()),
            false => Err(BillingError::EmailNotVerified),
        }
    }

    /// What is known about a user. Data of the provider's other mode, test or live, is ignored.
    async fn account(&self, user: UserId) -> Result<BillingAccount, BillingError> {
        let stored = self.store.billing_account(user.0).await?.unwrap_or_else(|| BillingAccount::new(user.0));
        if self.is_on() && stored.live != self.is_live {
            let grant = stored.grant;
            let new = BillingAccount { live: self.is_live, version: stored.version, ..BillingAccount::new(user.0) };
            return Ok(BillingAccount { grant, ..new });
        }
        Ok(stored)
    }
}

/// Whether a text can be the id of an object at Stripe: it becomes part of a URL.
fn is_id(text: &str, prefix: &str) -> bool {
    text.len() <= 255
        && text.strip_prefix(prefix).is_some_and(|rest| !rest.is_empty())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_no_path() {
        assert!(is_id("pi_3MtwBwLkdIwHu7ix28a3tqPa", "pi_"));
        for hostile in ["", "pi_", "pi_1/../customers", "pi_1?x=y", "in_1", "pi_1 ", "pi_%2e", "pi_é"] {
            assert!(!is_id(hostile, "pi_"), "{hostile}");
        }
        assert!(!is_id(&format!("pi_{}", "1".repeat(300)), "pi_"));
    }
}
