//! What somebody does with a subscription they have: cancel, resume, change the plan; their invoices.

use morpion_openapi::{
    PageRequest, Pagination,
    subscription::{self as wire, PaymentStatus},
};
use morpion_rules::UserId;
use morpion_store::{BillingAccount, LedgerEntry, SubscriptionRow};

use super::{
    Billing, ledger,
    provider::{PROCESSING, ProviderError, Subscription},
    purchase::{LOOK_AGAIN_AFTER, LOOKS, payment_processing},
    refresh::News,
    standing,
};
use crate::error::{ApiError, ErrorKind};

/// Stripe's word for a payment whose bank asks whether it is really them.
const REQUIRES_ACTION: &str = "requires_action";

/// What became of a change.
#[derive(Debug)]
pub struct Paid {
    pub subscription: wire::Subscription,
    pub status: PaymentStatus,
    /// With it the browser goes on, where the bank asks.
    pub client_secret: Option<String>,
}

impl Billing {
    /// Has the subscription end with the paid period; one whose renewal is owed ends now.
    ///
    /// # Errors
    /// 409 without a subscription, or with one that ends already; 422 if another plan is named; 503.
    pub async fn cancel(&self, user: UserId, plan_id: Option<&str>) -> Result<(), ApiError> {
        let provider = self.provider()?;
        let _turn = self.turn(user).await?;
        let mut account = self.account(user).await?;
        let (row, _) = self.running(&mut account).await?;
        if plan_id.is_some_and(|named| row.plan_id.map(|id| id.to_string()).as_deref() != Some(named)) {
            return Err(ApiError::invalid("planId", "Your subscription is to another plan."));
        }
        if row.cancels {
            return Err(ApiError::conflict("cancelled-already", "Your subscription is cancelled already."));
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
    pub async fn resume(&self, user: UserId) -> Result<wire::Subscription, ApiError> {
        let provider = self.provider()?;
        let _turn = self.turn(user).await?;
        let mut account = self.account(user).await?;
        let (row, _) = self.running(&mut account).await?;
        if !row.cancels {
            return Err(ApiError::conflict("not-cancelled", "Your subscription is not cancelled."));
        }
        let key = key("resume", &row, &account);
        provider.set_cancels(&key, &row.id, false).await?;
        let entry = self.entry(key, "resumed", row.name);
        self.refresh(&mut account, entry.into()).await?;
        Ok(standing::told(&account, self.now()))
    }

    /// Goes over to another plan at once. What is left of the paid period counts, and the difference is paid now. Where
    /// the bank asks whether it is really them, the change waits until the browser has gone on with the secret.
    ///
    /// # Errors
    /// 402 when the card is refused, and nothing changed; 409 without a running subscription, or for the plan that it
    /// is to already; 422 for an unknown plan; 503.
    pub async fn change_plan(&self, user: UserId, plan_id: &str) -> Result<Paid, ApiError> {
        let provider = self.provider()?;
        let plan = self.plans.named(plan_id)?;
        let price_id = self.plans.price_of(plan, provider).await?;
        let _turn = self.turn(user).await?;
        let mut account = self.account(user).await?;
        let (row, told) = self.changeable(&mut account).await?;
        if row.price_id == price_id {
            return Err(ApiError::conflict("same-plan", "This is your plan already."));
        }
        let wish = format!("{} to {}", row.name, plan.name);
        if let Some(pending) = &told.pending_price {
            let waits = told.payment.as_deref() == Some(REQUIRES_ACTION);
            match secret_of(&told).filter(|_| waits && *pending == price_id) {
                Some(secret) => return Ok(self.asking(&account, secret)),
                // Another change was begun and not confirmed, or this one was refused.
                None => self.give_up_change(&told).await?,
            }
        }
        let key = key(&format!("change-to-{}", plan.id), &row, &account);
        let reason = match provider.change_price(&key, &row.id, &row.item, &price_id).await {
            Ok(Some(changed)) if changed.pending_price.is_some() => match changed.open_payment() {
                Some(intent) => {
                    let intent = provider.intent(intent).await?;
                    let secret = secret_of(&changed).filter(|_| intent.status == REQUIRES_ACTION);
                    if secret.is_some() || intent.status == PROCESSING {
                        let entry = self.entry(key, "plan-change-begun", wish);
                        self.refresh(&mut account, entry.into()).await?;
                        return Ok(match secret {
                            Some(secret) => self.asking(&account, secret),
                            None => self.outcome(&account, PaymentStatus::Processing),
                        });
                    }
                    self.give_up_change(&changed).await?;
                    intent.error.unwrap_or_else(|| "Your card was declined.".to_owned())
                }
                None => "Your card was declined.".to_owned(),
            },
            Err(ProviderError::Card(reason)) => reason,
            Err(error) => return Err(error.into()),
            Ok(_) => {
                let entry = self.entry(key, "plan-changed", wish);
                self.refresh(&mut account, entry.into()).await?;
                return Ok(self.outcome(&account, PaymentStatus::Succeeded));
            }
        };
        // The next try is another one, with another key: Stripe repeats its answer to the same.
        let entry = self.entry(key, "plan-not-changed", format!("{wish}: {reason}"));
        self.refresh(&mut account, entry.into()).await?;
        Err(ProviderError::Card(reason).into())
    }

    /// A browser says that it went on with a change's payment, whatever came of it. Stripe is asked; a change that was
    /// not paid is given up.
    ///
    /// # Errors
    /// 402 where the plan stays as it was; 409 without a running subscription; 422 for an unknown plan; 503.
    pub async fn finish_change(&self, user: UserId, plan_id: &str) -> Result<Paid, ApiError> {
        let provider = self.provider()?;
        let plan = self.plans.named(plan_id)?;
        let price_id = self.plans.price_of(plan, provider).await?;
        let _turn = self.turn(user).await?;
        let mut account = self.account(user).await?;
        for look in 1..=LOOKS {
            let (row, told) = self.running(&mut account).await?;
            if row.price_id == price_id {
                let change = told.latest_invoice.filter(|invoice| invoice.reason == "subscription_update");
                if let Some(invoice) = change {
                    let entry = self.entry(format!("changed:{}", invoice.id), "plan-changed", plan.name.clone());
                    self.save(&mut account, &[entry], None).await?;
                }
                return Ok(self.outcome(&account, PaymentStatus::Succeeded));
            }
            if told.pending_price.as_ref() != Some(&price_id) {
                break;
            }
            match told.payment.as_deref() {
                Some(PROCESSING) => return Ok(self.outcome(&account, PaymentStatus::Processing)),
                // It is paid, and the change follows in a moment.
                Some("succeeded") | None if look < LOOKS => tokio::time::sleep(LOOK_AGAIN_AFTER).await,
                _ => {
                    self.give_up_change(&told).await?;
                    let fact = format!("given-up:{}", told.latest_invoice.map_or(told.id, |invoice| invoice.id));
                    let entry = self.entry(fact, "plan-not-changed", format!("{} to {}", row.name, plan.name));
                    self.refresh(&mut account, entry.into()).await?;
                    break;
                }
            }
        }
        let text = "The payment was not confirmed. Your plan stays as it was, and nothing was charged.";
        Err(ApiError::new(ErrorKind::PlanRequired, "plan-not-changed", text))
    }

    /// Has a change that waits for its payment never come about.
    async fn give_up_change(&self, told: &Subscription) -> Result<(), ApiError> {
        let Some(invoice) = told.latest_invoice.as_ref().filter(|invoice| invoice.is_open()) else { return Ok(()) };
        match self.provider()?.void(&format!("void-{}", invoice.id), &invoice.id).await {
            // It was paid a moment ago, in another tab.
            Err(ProviderError::Refused(_)) => {
                Err(ApiError::conflict("plan-changed", "Your plan was changed a moment ago. Please look at it again."))
            }
            outcome => Ok(outcome?),
        }
    }

    fn outcome(&self, account: &BillingAccount, status: PaymentStatus) -> Paid {
        Paid { subscription: standing::told(account, self.now()), status, client_secret: None }
    }

    fn asking(&self, account: &BillingAccount, secret: String) -> Paid {
        Paid { client_secret: Some(secret), ..self.outcome(account, PaymentStatus::RequiresAction) }
    }

    /// What was billed, the newest first.
    ///
    /// # Errors
    /// 409 where payments are off; 503.
    pub async fn invoices(
        &self,
        user: UserId,
        page: PageRequest,
    ) -> Result<(Vec<wire::Invoice>, Pagination), ApiError> {
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

    /// One that may go over to another plan.
    async fn changeable(&self, account: &mut BillingAccount) -> Result<(SubscriptionRow, Subscription), ApiError> {
        let (row, told) = self.running(account).await?;
        if standing::is_owing(&row.status) {
            return Err(ApiError::conflict("payment-owed", "Your last renewal was not paid. Please pay it first."));
        }
        if row.processing.is_some() {
            return Err(payment_processing());
        }
        Ok((row, told))
    }

    /// The subscription as Stripe knows it right now.
    async fn running(&self, account: &mut BillingAccount) -> Result<(SubscriptionRow, Subscription), ApiError> {
        let snapshot = self.refresh(account, News::default()).await?;
        let row = account.subscription.clone().filter(|row| standing::is_running(&row.status));
        let row = row.ok_or_else(|| ApiError::conflict("no-subscription", "You have no subscription."))?;
        if row.processing.is_some() && row.paid_until.is_none() {
            return Err(payment_processing());
        }
        let told = snapshot.subscriptions.into_iter().find(|told| told.id == row.id);
        Ok((row, told.ok_or_else(|| ApiError::internal("the subscription is not among what was told"))?))
    }

    pub(super) fn entry(&self, fact: String, kind: &str, detail: String) -> LedgerEntry {
        ledger::entry(fact, kind, detail, self.now())
    }
}

/// With it a browser goes on.
fn secret_of(told: &Subscription) -> Option<String> {
    told.latest_invoice.as_ref().filter(|invoice| invoice.is_open())?.client_secret.clone()
}

/// One key a wish: the version goes up whenever anything is stored. After a crash Stripe is looked at afresh, and what
/// was done is not wished for again.
fn key(deed: &str, row: &SubscriptionRow, account: &BillingAccount) -> String {
    format!("{deed}-{}-{}", row.id, account.version)
}
