//! Changes of an existing subscription: cancel, resume, change the plan; and its invoices.

use morpion_openapi::{
    PageRequest, Pagination,
    subscription::{self as wire, PaymentStatus},
};
use morpion_rules::UserId;
use morpion_store::{BillingAccount, LedgerEntry, SubscriptionRow};

use super::{
    Billing, entitlement, ledger,
    provider::{PROCESSING, ProviderError, Subscription},
    purchase::{CHECK_INTERVAL, MAX_CHECKS, payment_processing},
    refresh::BillingUpdate,
};
use crate::error::{ApiError, ErrorKind};

/// Stripe's status of a payment that the bank wants confirmed.
const REQUIRES_ACTION: &str = "requires_action";

/// The outcome of a change.
#[derive(Debug)]
pub struct PlanChange {
    pub subscription: wire::Subscription,
    pub status: PaymentStatus,
    /// With it the browser continues, where the bank wants confirmation.
    pub client_secret: Option<String>,
}

impl Billing {
    /// Ends the subscription with the paid period; one whose renewal is overdue ends now.
    ///
    /// # Errors
    /// 409 without a subscription, or with one that ends already; 422 if another plan is named; 503.
    pub async fn cancel(&self, user: UserId, plan_id: Option<&str>) -> Result<(), ApiError> {
        let provider = self.provider()?;
        let _lock = self.lock_account(user).await?;
        let mut account = self.account(user).await?;
        let (row, _) = self.require_running(&mut account).await?;
        if plan_id.is_some_and(|named| row.plan_id.map(|id| id.to_string()).as_deref() != Some(named)) {
            return Err(ApiError::invalid("planId", "Your subscription is to another plan."));
        }
        if row.cancels {
            return Err(ApiError::conflict("cancelled-already", "Your subscription is cancelled already."));
        }
        let key = idempotency_key("cancel", &row, &account);
        if entitlement::is_past_due(&row.status) {
            provider.cancel_now(&key, &row.id).await?;
        } else {
            provider.set_cancels(&key, &row.id, true).await?;
        }
        let entry = self.entry(key, "cancelled", row.name);
        self.refresh(&mut account, entry.into()).await.map(drop)
    }

    /// Resumes a cancelled subscription.
    ///
    /// # Errors
    /// 409 unless the subscription is cancelled and has not ended; 503.
    pub async fn resume(&self, user: UserId) -> Result<wire::Subscription, ApiError> {
        let provider = self.provider()?;
        let _lock = self.lock_account(user).await?;
        let mut account = self.account(user).await?;
        let (row, _) = self.require_running(&mut account).await?;
        if !row.cancels {
            return Err(ApiError::conflict("not-cancelled", "Your subscription is not cancelled."));
        }
        let key = idempotency_key("resume", &row, &account);
        provider.set_cancels(&key, &row.id, false).await?;
        let entry = self.entry(key, "resumed", row.name);
        self.refresh(&mut account, entry.into()).await?;
        Ok(entitlement::to_wire(&account, self.now()))
    }

    /// Changes the plan at once. The rest of the paid period is credited, and the difference is paid now. Where the
    /// bank wants confirmation, the change waits until the browser has continued with the secret.
    ///
    /// # Errors
    /// 402 when the card is refused, and nothing changed; 409 without a running subscription, or for the current plan;
    /// 422 for an unknown plan; 503.
    pub async fn change_plan(&self, user: UserId, plan_id: &str) -> Result<PlanChange, ApiError> {
        let provider = self.provider()?;
        let plan = self.plans.find(plan_id)?;
        let price_id = self.plans.price_of(plan, provider).await?;
        let _lock = self.lock_account(user).await?;
        let mut account = self.account(user).await?;
        let (row, subscription) = self.require_changeable(&mut account).await?;
        if row.price_id == price_id {
            return Err(ApiError::conflict("same-plan", "This is your plan already."));
        }
        let change = format!("{} to {}", row.name, plan.name);
        if let Some(pending) = &subscription.pending_price {
            let waits = subscription.payment.as_deref() == Some(REQUIRES_ACTION);
            match subscription.payment_secret().filter(|_| waits && *pending == price_id) {
                Some(secret) => return Ok(self.requires_action(&account, secret)),
                // Another change was started and not confirmed, or this one was refused.
                None => self.void_change(&subscription).await?,
            }
        }
        let key = idempotency_key(&format!("change-to-{}", plan.id), &row, &account);
        let reason = match provider.change_price(&key, &row.id, &row.item, &price_id).await {
            Ok(Some(changed)) if changed.pending_price.is_some() => match changed.open_payment() {
                Some(intent) => {
                    let intent = provider.intent(intent).await?;
                    let secret = changed.payment_secret().filter(|_| intent.status == REQUIRES_ACTION);
                    if secret.is_some() || intent.status == PROCESSING {
                        let entry = self.entry(key, "plan-change-begun", change);
                        self.refresh(&mut account, entry.into()).await?;
                        return Ok(match secret {
                            Some(secret) => self.requires_action(&account, secret),
                            None => self.outcome(&account, PaymentStatus::Processing),
                        });
                    }
                    self.void_change(&changed).await?;
                    intent.error.unwrap_or_else(|| "Your card was declined.".to_owned())
                }
                None => "Your card was declined.".to_owned(),
            },
            Err(ProviderError::Card(reason)) => reason,
            Err(error) => return Err(error.into()),
            Ok(_) => {
                let entry = self.entry(key, "plan-changed", change);
                self.refresh(&mut account, entry.into()).await?;
                return Ok(self.outcome(&account, PaymentStatus::Succeeded));
            }
        };
        // The next attempt needs another key: Stripe repeats its response to the same one.
        let entry = self.entry(key, "plan-not-changed", format!("{change}: {reason}"));
        self.refresh(&mut account, entry.into()).await?;
        Err(ProviderError::Card(reason).into())
    }

    /// Completes a change after the browser continued with its payment. Stripe is asked; a change that was not paid is
    /// voided.
    ///
    /// # Errors
    /// 402 where the plan stays the same; 409 without a running subscription; 422 for an unknown plan; 503.
    pub async fn finish_change(&self, user: UserId, plan_id: &str) -> Result<PlanChange, ApiError> {
        let provider = self.provider()?;
        let plan = self.plans.find(plan_id)?;
        let price_id = self.plans.price_of(plan, provider).await?;
        let _lock = self.lock_account(user).await?;
        let mut account = self.account(user).await?;
        for check in 1..=MAX_CHECKS {
            let (row, subscription) = self.require_running(&mut account).await?;
            if row.price_id == price_id {
                let change = subscription.latest_invoice.filter(|invoice| invoice.reason == "subscription_update");
                if let Some(invoice) = change {
                    let entry = self.entry(format!("changed:{}", invoice.id), "plan-changed", plan.name.clone());
                    self.save(&mut account, &[entry], None).await?;
                }
                return Ok(self.outcome(&account, PaymentStatus::Succeeded));
            }
            if subscription.pending_price.as_ref() != Some(&price_id) {
                break;
            }
            match subscription.payment.as_deref() {
                Some(PROCESSING) => return Ok(self.outcome(&account, PaymentStatus::Processing)),
                // It is paid, and Stripe applies the change in a moment.
                Some("succeeded") | None if check < MAX_CHECKS => tokio::time::sleep(CHECK_INTERVAL).await,
                _ => {
                    self.void_change(&subscription).await?;
                    let fact = format!(
                        "given-up:{}",
                        subscription.latest_invoice.map_or(subscription.id, |invoice| invoice.id)
                    );
                    let entry = self.entry(fact, "plan-not-changed", format!("{} to {}", row.name, plan.name));
                    self.refresh(&mut account, entry.into()).await?;
                    break;
                }
            }
        }
        let text = "The payment was not confirmed. Your plan stays as it was, and nothing was charged.";
        Err(ApiError::new(ErrorKind::PlanRequired, "plan-not-changed", text))
    }

    /// Voids a change that waits for its payment.
    async fn void_change(&self, subscription: &Subscription) -> Result<(), ApiError> {
        let Some(invoice) = subscription.latest_invoice.as_ref().filter(|invoice| invoice.is_open()) else {
            return Ok(());
        };
        match self.provider()?.void(&format!("void-{}", invoice.id), &invoice.id).await {
            // It was paid a moment ago, in another tab.
            Err(ProviderError::Refused(_)) => {
                Err(ApiError::conflict("plan-changed", "Your plan was changed a moment ago. Please look at it again."))
            }
            outcome => Ok(outcome?),
        }
    }

    fn outcome(&self, account: &BillingAccount, status: PaymentStatus) -> PlanChange {
        PlanChange { subscription: entitlement::to_wire(account, self.now()), status, client_secret: None }
    }

    fn requires_action(&self, account: &BillingAccount, secret: String) -> PlanChange {
        PlanChange { client_secret: Some(secret), ..self.outcome(account, PaymentStatus::RequiresAction) }
    }

    /// Invoices, the newest first.
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
        // Voided purchases are not shown.
        let shown: Vec<_> = invoices.into_iter().filter(|invoice| invoice.is_paid() || invoice.attempts > 0).collect();
        let pagination = page.pagination(shown.len() as u64);
        let offset = usize::try_from(page.offset()).unwrap_or(usize::MAX);
        let shown = shown.into_iter().skip(offset).take(page.limit as usize).map(|invoice| wire::Invoice {
            status: if processing.as_ref() == Some(&invoice.id) { PROCESSING.to_owned() } else { invoice.status },
            invoice_id: invoice.id,
            amount: invoice.total,
            currency: invoice.currency,
            created_at: invoice.created.into(),
            url: invoice.url,
        });
        Ok((shown.collect(), pagination))
    }

    /// The subscription, if its plan may be changed.
    async fn require_changeable(
        &self,
        account: &mut BillingAccount,
    ) -> Result<(SubscriptionRow, Subscription), ApiError> {
        let (row, subscription) = self.require_running(account).await?;
        if entitlement::is_past_due(&row.status) {
            return Err(ApiError::conflict("payment-owed", "Your last renewal was not paid. Please pay it first."));
        }
        if row.processing.is_some() {
            return Err(payment_processing());
        }
        Ok((row, subscription))
    }

    /// The running subscription, refreshed from Stripe.
    async fn require_running(&self, account: &mut BillingAccount) -> Result<(SubscriptionRow, Subscription), ApiError> {
        let snapshot = self.refresh(account, BillingUpdate::default()).await?;
        let row = account.subscription.clone().filter(|row| entitlement::is_running(&row.status));
        let row = row.ok_or_else(|| ApiError::conflict("no-subscription", "You have no subscription."))?;
        if row.processing.is_some() && row.paid_until.is_none() {
            return Err(payment_processing());
        }
        let subscription = snapshot.subscriptions.into_iter().find(|subscription| subscription.id == row.id);
        Ok((row, subscription.ok_or_else(|| ApiError::internal("the subscription is not among what was told"))?))
    }

    pub(super) fn entry(&self, fact: String, kind: &str, detail: String) -> LedgerEntry {
        ledger::entry(fact, kind, detail, self.now())
    }
}

/// One key per request: the version increases whenever anything is stored. After a crash Stripe is asked again, and
/// what was done is not requested again.
fn idempotency_key(action: &str, row: &SubscriptionRow, account: &BillingAccount) -> String {
    format!("{action}-{}-{}", row.id, account.version)
}
