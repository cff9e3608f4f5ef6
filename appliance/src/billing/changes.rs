//! What somebody does with a subscription they have: cancel, resume, change the plan; their cards and invoices.

use morpion_openapi::{PageRequest, Pagination, subscription as wire};
use morpion_rules::UserId;
use morpion_store::{BillingAccount, LedgerEntry, SubscriptionRow};

use super::{Billing, is_id, ledger, provider::ProviderError, refresh::News, standing};
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
        let Some(customer) = self.account(user).await?.customer else { return Ok((Vec::new(), page.pagination(0))) };
        let invoices = provider.invoices(&customer).await?;
        // Purchases that were given up concern nobody.
        let told: Vec<_> = invoices.into_iter().filter(|invoice| invoice.is_paid() || invoice.attempts > 0).collect();
        let pagination = page.pagination(told.len() as u64);
        let offset = usize::try_from(page.offset()).unwrap_or(usize::MAX);
        let shown = told.into_iter().skip(offset).take(page.limit as usize).map(|invoice| wire::Invoice {
            invoice_id: invoice.id,
            amount: invoice.total,
            currency: invoice.currency,
            status: invoice.status,
            created_at: invoice.created.into(),
            url: invoice.url,
        });
        Ok((shown.collect(), pagination))
    }

    /// # Errors
    /// 409 where payments are off; 503.
    pub async fn cards(&self, user: UserId) -> Result<Vec<wire::PaymentMethod>, Fault> {
        let provider = self.provider()?;
        let Some(customer) = self.account(user).await?.customer else { return Ok(Vec::new()) };
        let cards = provider.cards(&customer).await?;
        let pays = self.paying_card(&customer).await?;
        let told = cards.into_iter().map(|card| wire::PaymentMethod {
            is_default: Some(&card.id) == pays.as_ref(),
            payment_method_id: card.id,
            brand: card.brand,
            last4: card.last4,
            expires: format!("{:02}/{}", card.expires.0, card.expires.1),
        });
        Ok(told.collect())
    }

    /// Removes a card, unless the subscription will be renewed with it.
    ///
    /// # Errors
    /// 404 for a card that is not this person's; 409; 422; 503.
    pub async fn remove_card(&self, user: UserId, card: &str) -> Result<(), Fault> {
        let provider = self.provider()?;
        if !is_id(card, "pm_") && !is_id(card, "card_") {
            return Err(Fault::invalid("paymentMethodId", "This is no payment method."));
        }
        let _turn = self.turn(user).await?;
        let account = self.account(user).await?;
        let customer = account.customer.as_deref().ok_or_else(|| Fault::not_found("payment method"))?;
        if !provider.cards(customer).await?.iter().any(|known| known.id == card) {
            return Err(Fault::not_found("payment method"));
        }
        if self.paying_card(customer).await?.as_deref() == Some(card) {
            let text = "Your plan is paid with this card. Cancel the plan first.";
            return Err(Fault::conflict("card-in-use", text));
        }
        Ok(provider.detach_card(&format!("detach-{card}"), card).await?)
    }

    /// The card that the next renewal will be paid with.
    async fn paying_card(&self, customer: &str) -> Result<Option<String>, Fault> {
        let subscriptions = self.provider()?.subscriptions(customer).await?;
        let renewed = subscriptions.into_iter().find(|told| standing::is_running(&told.status) && !told.cancels);
        Ok(renewed.and_then(|told| told.payment_method))
    }

    /// The subscription as Stripe knows it right now.
    async fn running(&self, account: &mut BillingAccount) -> Result<SubscriptionRow, Fault> {
        self.refresh(account, News::default()).await?;
        let row = account.subscription.clone().filter(|row| standing::is_running(&row.status));
        row.ok_or_else(|| Fault::conflict("no-subscription", "You have no subscription."))
    }

    fn entry(&self, fact: String, kind: &str, detail: String) -> LedgerEntry {
        ledger::entry(fact, kind, detail, self.now())
    }
}

/// One key a wish: the version goes up whenever anything is stored. After a crash Stripe is looked at afresh, and what
/// was done is not wished for again.
fn key(deed: &str, row: &SubscriptionRow, account: &BillingAccount) -> String {
    format!("{deed}-{}-{}", row.id, account.version)
}
