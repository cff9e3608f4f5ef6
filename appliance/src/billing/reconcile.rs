//! Once an hour Stripe is asked about everybody of whom something may have been missed: at the start about all who were
//! ever its customers, then about those with something under way.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use morpion_rules::UserId;
use morpion_store::BillingAccount;

use super::{Billing, provider::ProviderError, refresh::News, standing};
use crate::error::ApiError;

const EVERY: Duration = Duration::from_secs(3_600);

/// When Stripe did not answer.
const TRY_AGAIN_AFTER: Duration = Duration::from_secs(60);

/// Accounts read from the store in one go; about 1 KiB each.
const PAGE: usize = 200;

/// A purchase that nothing came of is looked at for so long: Stripe gives it up after 23 hours.
const PURCHASE_OPEN: TimeDelta = TimeDelta::hours(48);

/// Stripe repeats an event for three days.
const EVENTS_KEPT: TimeDelta = TimeDelta::days(30);

/// Marks of events removed in one go.
const MARKS_AT_ONCE: usize = 10_000;

/// Who is asked about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    Everybody,
    /// Whoever has a subscription or a purchase that is not over.
    UnderWay,
}

impl Billing {
    /// Asks now and every hour, until it is dropped.
    pub(crate) async fn keep_reconciling(&self) {
        let Some(provider) = &self.provider else { return };
        match self.plans.find_prices(provider).await {
            Ok(missing) if missing.is_empty() => {}
            Ok(missing) => {
                let plans = missing.join(", ");
                tracing::warn!(plans, "plans have no price at the payment provider; run `morpion billing sync`");
            }
            Err(error) => tracing::warn!(%error, "the plans' prices are not known yet"),
        }
        let mut scope = Scope::Everybody;
        loop {
            let pause = match self.reconcile(scope).await {
                Ok(_) => {
                    scope = Scope::UnderWay;
                    EVERY
                }
                Err(fault) => {
                    tracing::warn!(%fault, "subscriptions were not compared with the payment provider's; trying again");
                    TRY_AGAIN_AFTER
                }
            };
            tokio::time::sleep(pause).await;
        }
    }

    /// Compares what is known of people with what Stripe knows. Answers how many were asked about.
    ///
    /// # Errors
    /// 503 when Stripe does not answer about somebody; the others were still seen to.
    pub async fn reconcile(&self, scope: Scope) -> Result<u64, ApiError> {
        self.provider()?;
        let (mut after, mut asked, mut failed) = (None, 0, None);
        loop {
            let page = self.store.billing_accounts(after, PAGE).await?;
            for account in page.iter().filter(|account| self.is_asked_about(account, scope)) {
                asked += 1;
                if let Err(fault) = self.look(UserId(account.user_id), News::default()).await {
                    tracing::warn!(user = %account.user_id, %fault, "a subscription was not compared");
                    failed = Some(fault);
                }
            }
            after = page.last().map(|account| account.user_id);
            if page.len() < PAGE {
                break;
            }
        }
        self.store.purge_webhooks(self.now() - EVENTS_KEPT, MARKS_AT_ONCE).await?;
        failed.map_or(Ok(asked), Err)
    }

    fn is_asked_about(&self, account: &BillingAccount, scope: Scope) -> bool {
        if account.live != self.is_live {
            return account.subscription.is_some();
        }
        account.customer.is_some() && (scope == Scope::Everybody || is_under_way(account, self.now()))
    }

    /// Ends what a deleted account pays for, and forgets what was known of it. Doing it twice does no harm.
    ///
    /// # Errors
    /// 503 when Stripe does not answer.
    pub async fn forget(&self, user: UserId) -> Result<(), ApiError> {
        let _turn = self.turn(user).await?;
        let Some(account) = self.store.billing_account(user.0).await? else { return Ok(()) };
        match (&self.provider, &account.customer) {
            (Some(provider), Some(customer)) if account.live == self.is_live => {
                let subscriptions = match provider.subscriptions(customer).await {
                    Err(ProviderError::NotFound) => Vec::new(),
                    told => told?,
                };
                for told in subscriptions.iter().filter(|told| !standing::is_over(&told.status)) {
                    provider.cancel_now(&format!("leave-{}", told.id), &told.id).await?;
                }
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

fn is_under_way(account: &BillingAccount, now: DateTime<Utc>) -> bool {
    account.subscription.as_ref().is_some_and(|row| !standing::is_over(&row.status))
        || account.purchase.as_ref().is_some_and(|begun| now - begun.started_at < PURCHASE_OPEN)
}
