//! Compares stored subscriptions with Stripe's once an hour, in case a webhook was missed: at the start all customers,
//! then those with something pending.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use morpion_rules::UserId;
use morpion_store::BillingAccount;

use super::{Billing, entitlement, error::BillingError, provider::Provider};

const INTERVAL: Duration = Duration::from_secs(3_600);

/// When Stripe was unreachable.
const RETRY_AFTER: Duration = Duration::from_secs(60);

/// Accounts read from the store at once; about 1 KiB each.
const PAGE: usize = 200;

/// How long an unfinished purchase is checked: Stripe expires it after 23 hours.
const PENDING_PURCHASE_LIFE: TimeDelta = TimeDelta::hours(48);

/// How long ids of events are stored; Stripe repeats an event for three days.
const EVENT_ID_LIFE: TimeDelta = TimeDelta::days(30);

/// Ids of events removed at once.
const EVENT_PURGE_BATCH: usize = 10_000;

/// Which accounts are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    All,
    /// Those with a subscription or a purchase that has not ended.
    Pending,
}

impl Billing {
    /// Reconciles now and every hour, until it is dropped.
    pub(crate) async fn run_reconciliation(&self) {
        let Some(provider) = self.provider.as_ref().map(Provider::for_upkeep) else { return };
        match self.plans.find_prices(&provider).await {
            Ok(missing) if missing.is_empty() => {}
            Ok(missing) => {
                let plans = missing.join(", ");
                tracing::warn!(plans, "plans have no price at the payment provider; run `morpion billing sync`");
            }
            Err(error) => tracing::warn!(%error, "the plans' prices are not known yet"),
        }
        let mut scope = Scope::All;
        loop {
            let pause = match self.reconcile(scope).await {
                Ok(_) => {
                    scope = Scope::Pending;
                    INTERVAL
                }
                Err(error) => {
                    tracing::warn!(%error, "subscriptions could not be reconciled with the payment provider; trying again");
                    RETRY_AFTER
                }
            };
            tokio::time::sleep(pause).await;
        }
    }

    /// Compares the stored accounts with Stripe's data. Returns how many were compared.
    ///
    /// # Errors
    /// [`CommonError::Unavailable`](crate::error::CommonError) when Stripe failed for some account; the others were still compared.
    pub async fn reconcile(&self, scope: Scope) -> Result<u64, BillingError> {
        self.provider()?;
        let (mut after, mut asked, mut failed) = (None, 0, None);
        loop {
            let page = self.store.billing_accounts(after, PAGE).await?;
            for account in &page {
                if !self.is_in_scope(account, scope) && !self.has_another_email(account).await? {
                    continue;
                }
                asked += 1;
                if let Err(error) = self.refresh_user(UserId(account.user_id)).await {
                    tracing::warn!(user = %account.user_id, %error, "a subscription could not be reconciled");
                    failed = Some(error);
                }
            }
            after = page.last().map(|account| account.user_id);
            if page.len() < PAGE {
                break;
            }
        }
        self.store.purge_webhooks(self.now() - EVENT_ID_LIFE, EVENT_PURGE_BATCH).await?;
        failed.map_or(Ok(asked), Err)
    }

    fn is_in_scope(&self, account: &BillingAccount, scope: Scope) -> bool {
        if account.live != self.is_live {
            return account.subscription.is_some();
        }
        account.customer.is_some() && (scope == Scope::All || is_pending(account, self.now()))
    }

    /// The provider has an email that is not the account's any more.
    async fn has_another_email(&self, account: &BillingAccount) -> Result<bool, BillingError> {
        if account.customer.is_none() || account.live != self.is_live {
            return Ok(false);
        }
        Ok(self.store.user(account.user_id).await?.is_some_and(|user| user.email != account.email))
    }

    /// Deletes the customer of a deleted account at Stripe, which ends their subscriptions, and removes the payment data.
    /// Idempotent.
    ///
    /// # Errors
    /// [`CommonError::Unavailable`](crate::error::CommonError) when Stripe is unreachable.
    pub async fn delete_account(&self, user: UserId) -> Result<(), BillingError> {
        let _lock = self.lock_account(user).await?;
        let Some(account) = self.store.billing_account(user.0).await? else { return Ok(()) };
        match (&self.provider, &account.customer) {
            (Some(provider), Some(customer)) if account.live == self.is_live => {
                provider.for_upkeep().delete_customer(customer).await?;
            }
            (_, Some(customer)) => {
                tracing::warn!(
                    customer,
                    "a deleted account may still pay: its payment provider is not set up any more"
                );
            }
            (_, None) => {}
        }
        Ok(self.store.delete_billing(user.0).await?)
    }
}

fn is_pending(account: &BillingAccount, now: DateTime<Utc>) -> bool {
    account.subscription.as_ref().is_some_and(|row| !entitlement::has_ended(&row.status))
        || account.purchase.as_ref().is_some_and(|purchase| now - purchase.started_at < PENDING_PURCHASE_LIFE)
}
