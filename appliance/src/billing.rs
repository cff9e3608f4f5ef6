//! Pro: bought, kept, cancelled, granted. See `docs/behaviour/payments.md`.
//!
//! | module | what it is |
//! |---|---|
//! | [`provider`] | Stripe, as far as we use it |
//! | [`plans`] | what is for sale, and the prices at Stripe that belong to it |
//! | [`standing`] | what a subscription is worth: who has Pro, until when |
//! | [`purchase`] | buying: a subscription that waits for its payment, and whether it was paid |
//! | [`changes`] | cancelling, resuming, another plan, invoices |
//! | [`cards`] | what is paid with: added, chosen, replaced, removed |
//! | [`grants`] | Pro from an operator |
//! | [`refresh`] | asking Stripe how somebody stands, and keeping that: the one way by which anything changes |
//! | [`webhook`], [`reconcile`] | when it is asked: Stripe says that something happened; every hour |
//! | [`ledger`] | what stands in the ledger, and which mails go out with it |
//!
//! Nobody's word but Stripe's counts. Whatever happens, a browser that reports a payment or a webhook, leads to the same
//! question: what does Stripe know of this customer? So the order of messages does not matter, nor that one is missing
//! or comes twice.

pub mod cards;
pub mod changes;
pub mod grants;
pub mod ledger;
pub mod plans;
pub mod provider;
pub mod purchase;
pub mod reconcile;
pub mod refresh;
pub mod standing;
pub mod webhook;

use chrono::{DateTime, Utc};
use morpion_openapi::subscription as wire;
use morpion_rules::UserId;
use morpion_store::{BillingAccount, Store};
use tokio::sync::{Semaphore, SemaphorePermit};

use crate::{
    clock::Clock,
    config::{Config, Secret},
    error::ApiError,
    mail::Mailer,
};
use plans::Plans;
use provider::Provider;

/// People take turns with themselves; so many turns there are, and people who share one wait for a stranger at worst.
const TURNS: usize = 256;

/// What everybody hears where payments are not set up.
pub const OFF: &str = "Payments are not set up on this server.";

/// Everything about payments; one a process.
#[derive(Debug)]
pub struct Billing {
    store: Store,
    /// `None` where payments are not set up.
    provider: Option<Provider>,
    plans: Plans,
    publishable_key: String,
    /// Where a browser calls a stand-in for Stripe.
    stand_in: Option<String>,
    webhook_secret: Secret,
    is_live: bool,
    mailer: Mailer,
    clock: Clock,
    turns: Vec<Semaphore>,
}

impl Billing {
    /// # Errors
    /// The provider's address cannot be used.
    pub fn new(store: Store, config: &Config, mailer: Mailer, clock: Clock) -> anyhow::Result<Self> {
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
            turns: (0..TURNS).map(|_| Semaphore::new(1)).collect(),
        })
    }

    /// Whether payments are set up.
    pub fn is_on(&self) -> bool {
        self.provider.is_some()
    }

    pub fn plans(&self) -> Vec<wire::Plan> {
        self.plans.told()
    }

    /// The lowest price there is; `None` where nothing can be bought.
    pub fn from_price(&self) -> Option<wire::FromPrice> {
        self.plans.from_price().filter(|_| self.is_on())
    }

    /// What the payment form needs: the publishable key, and where a stand-in for Stripe is if there is one.
    ///
    /// # Errors
    /// 409 where payments are not set up.
    pub fn form_key(&self) -> Result<(String, Option<String>), ApiError> {
        self.provider()?;
        Ok((self.publishable_key.clone(), self.stand_in.clone()))
    }

    /// How somebody's subscription stands, as far as it was told.
    ///
    /// # Errors
    /// The store does not answer.
    pub async fn subscription(&self, user: UserId) -> Result<wire::Subscription, ApiError> {
        Ok(standing::told(&self.account(user).await?, self.now()))
    }

    /// # Errors
    /// 409 where payments are not set up.
    fn provider(&self) -> Result<&Provider, ApiError> {
        self.provider.as_ref().ok_or_else(|| ApiError::conflict("payments-off", OFF))
    }

    fn now(&self) -> DateTime<Utc> {
        self.clock.wall()
    }

    /// One at a time for one person: two tabs buy once.
    async fn turn(&self, user: UserId) -> Result<SemaphorePermit<'_>, ApiError> {
        let turn = &self.turns[(user.0.as_u128() % TURNS as u128) as usize];
        turn.acquire().await.map_err(ApiError::internal)
    }

    /// What is known of somebody. What came from the provider's other world, of tests or of money, is not known here.
    async fn account(&self, user: UserId) -> Result<BillingAccount, ApiError> {
        let stored = self.store.billing_account(user.0).await?.unwrap_or_else(|| BillingAccount::new(user.0));
        if self.is_on() && stored.live != self.is_live {
            let (customer, subscription, purchase) = (None, None, None);
            return Ok(BillingAccount { live: self.is_live, customer, subscription, purchase, ..stored });
        }
        Ok(stored)
    }
}

/// The id of something at Stripe as a client may name it: it becomes part of an address.
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
