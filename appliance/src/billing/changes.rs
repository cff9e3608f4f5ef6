//! What somebody does with a subscription they have: cancel, resume, change the plan; their invoices.

use morpion_openapi::{PageRequest, Pagination, subscription as wire};
use morpion_rules::UserId;
use morpion_store::{BillingAccount, LedgerEntry, SubscriptionRow};

use super::{
    Billing, ledger,
    provider::{PROCESSING, ProviderError},
    purchase::payment_processing,
    refresh::News,
    standing,
};
use crate::http::Fault;

impl Billing {
    /// Has the subscription end with the paid period; one whose renewal is owed ends now.
    ///
    /// # Errors
    /// 409 without a subscription, or with one that ends already; 422 if another plan is named; 503.
    pub async fn cancel(&self, user: UserId, plan_id: Option<&str>) -> Result<(), Fault> {
        let provider = self.provider()?;
        let _turn = self.turn(user).await?;
        let mut account = self.account(user).await?;
        let row = self.running(&mut account).await?;
        if plan_id.is_some_and(|named| row.plan_id.map(|id| id.to_string()).as_deref() != Some(named)) {
            return Err(Fault::invalid("planId", "Your subscription is to another plan."));
        }
        if row.cancels {
            return Err(Fault::conflict("cancelled-already", "Your subscription is cancelled already."));
        }
        let key = key("cancel", &row, &account);
        if standing::is_owing(&row.status) {
            provider.cancel_now(&key, &row.id).await?;
        } else {
            provider.set_cancels(&key, &row.id, true).await?;
        }
        let entry = self.entry(key, "cancelled", row.name);
        self.refresh(&mut account, entry.into()).await.map(drop)
    }

    /// Takes a cancellation back.
    ///
    /// # Errors
    /// 409 unless the subscription is cancelled and still lasts; 503.
    pub async fn resume(&self, user: UserId) -> Result<wire::Subscription, Fault> {
        let provider = self.provider()?;
        let _turn = self.turn(user).await?;
        let mut account = self.account(user).await?;
        let row = self.running(&mut account).await?;
        if !row.cancels {
            return Err(Fault::conflict("not-cancelled", "Your subscription is not cancelled."));
        }
        let key = key("resume", &row, &account);
        provider.set_cancels(&key, &row.id, false).await?;
        let entry = self.entry(key, "resumed", row.name);
        self.refresh(&mut account, entry.into()).await?;
        Ok(standing::told(&account, self.now()))
    }

    /// Goes over to another plan at once. What is left of the paid period counts, and the difference is paid now.
    ///
    /// # Errors
    /// 402 when the card is refused, and nothing changed; 409 without a running subscription, or for the plan that it
    /// is to already; 422 for an unknown plan; 503.
    pub async fn change_plan(&self, user: UserId, plan_id: &str) -> Result<wire::Subscription, Fault> {
        let provider = self.provider()?;
        let plan = self.plans.named(plan_id)?;
        let price_id = self.plans.price_of(plan, provider).await?;
        let _turn = self.turn(user).await?;
        let mut account = self.account(user).await?;
        let row = self.running(&mut account).await?;
        if standing::is_owing(&row.status) {
            let text = "Your last renewal was not paid. Please pay it first.";
            return Err(Fault::conflict("payment-owed", text));
        }
        if row.processing.is_some() {
            return Err(payment_processing());
        }
        if row.price_id == price_id {
            return Err(Fault::conflict("same-plan", "This is your plan already."));
        }
        let key = key(&format!("change-to-{}", plan.id), &row, &account);
        let changed = provider.change_price(&key, &row.id, &row.item, &price_id, plan.id).await;
        if let Err(ProviderError::Card(reason)) = &changed {
            // The next try is another one, with another key: Stripe repeats its answer to the same.
            let entry = self.entry(key, "plan-not-changed", format!("{} to {}: {reason}", row.name, plan.name));
            self.save(&mut account, &[entry], None).await?;
            return Err(ProviderError::Card(reason.clone()).into());
        }
        changed?;
        let entry = self.entry(key, "plan-changed", format!("{} to {}", row.name, plan.name));
        self.refresh(&mut account, entry.into()).await?;
        Ok(standing::told(&account, self.now()))
    }

    /// What was billed, the newest first.
    ///
    /// # Errors
    /// 409 where payments are off; 503.
    pub async fn invoices(&self, user: UserId, page: PageRequest) -> Result<(Vec<wire::Invoice>, Pagination), Fault> {
        let provider = self.provider()?;
        let account = self.account(user).await?;
        let Some(customer) = account.customer else { return Ok((Vec::new(), page.pagination(0))) };
        let processing = account.subscription.and_then(|row| row.processing);
        let invoices = provider.invoices(&customer).await?;
        // Purchases that were given up concern nobody.
        let told: Vec<_> = invoices.into_iter().filter(|invoice| invoice.is_paid() || invoice.attempts > 0).collect();
        let pagination = page.pagination(told.len() as u64);
        let offset = usize::try_from(page.offset()).unwrap_or(usize::MAX);
        let shown = told.into_iter().skip(offset).take(page.limit as usize).map(|invoice| wire::Invoice {
            status: if processing.as_ref() == Some(&invoice.id) { PROCESSING.to_owned() } else { invoice.status },
            invoice_id: invoice.id,
            amount: invoice.total,
            currency: invoice.currency,
            created_at: invoice.created.into(),
            url: invoice.url,
        });
        Ok((shown.collect(), pagination))
    }

    /// The subscription as Stripe knows it right now.
    async fn running(&self, account: &mut BillingAccount) -> Result<SubscriptionRow, Fault> {
        self.refresh(account, News::default()).await?;
        let row = account.subscription.clone().filter(|row| standing::is_running(&row.status));
        let row = row.ok_or_else(|| Fault::conflict("no-subscription", "You have no subscription."))?;
        if row.processing.is_some() && row.paid_until.is_none() {
            return Err(payment_processing());
        }
        Ok(row)
    }

    pub(super) fn entry(&self, fact: String, kind: &str, detail: String) -> LedgerEntry {
        ledger::entry(fact, kind, detail, self.now())
    }
}

/// One key a wish: the version goes up whenever anything is stored. After a crash Stripe is looked at afresh, and what
/// was done is not wished for again.
fn key(deed: &str, row: &SubscriptionRow, account: &BillingAccount) -> String {
    format!("{deed}-{}-{}", row.id, account.version)
}
