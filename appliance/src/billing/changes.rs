//! Changes of an existing subscription: cancel, resume, change the plan; and its invoices.

use morpion_rules::UserId;
use morpion_store::{BillingAccount, LedgerEntry, SubscriptionRow};

use super::{
    Billing,
    entitlement::{self, CurrentPro},
    error::BillingError,
    ledger,
    provider::{Invoice, PROCESSING, ProviderError, Subscription},
    purchase::{CHECK_INTERVAL, MAX_CHECKS},
    refresh::BillingUpdate,
};
use crate::error::CommonError;

/// Stripe's status of a payment that the bank wants confirmed.
const REQUIRES_ACTION: &str = "requires_action";

/// The outcome of a purchase or a change.
#[derive(Debug)]
pub struct PlanChange {
    pub pro: CurrentPro,
    pub payment: Payment,
}

/// How far a payment is.
#[derive(Debug)]
pub enum Payment {
    Succeeded,
    /// It was made and takes days to arrive.
    Processing,
    /// The bank wants confirmation; with this secret the browser continues.
    RequiresAction(String),
}

impl Billing {
    /// Ends the subscription with the paid period; one whose renewal is overdue ends now.
    ///
    /// # Errors
    /// [`BillingError::PaymentsOff`], [`BillingError::NoSubscription`], [`BillingError::PaymentProcessing`],
    /// [`BillingError::CancelledAlready`]; [`CommonError::Invalid`] if another plan is named;
    /// [`CommonError::Unavailable`].
    pub async fn cancel(&self, user: UserId, plan_id: Option<&str>) -> Result<(), BillingError> {
        let provider = self.provider()?;
        let _lock = self.lock_account(user).await?;
        let mut account = self.account(user).await?;
        let (row, _) = self.require_running(&mut account).await?;
        if plan_id.is_some_and(|named| row.plan_id.map(|id| id.to_string()).as_deref() != Some(named)) {
            return Err(CommonError::invalid("planId", "Your subscription is to another plan.").into());
        }
        if row.cancels {
            return Err(BillingError::CancelledAlready);
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
    /// [`BillingError::PaymentsOff`], [`BillingError::NoSubscription`], [`BillingError::PaymentProcessing`],
    /// [`BillingError::NotCancelled`]; [`CommonError::Unavailable`].
    pub async fn resume(&self, user: UserId) -> Result<CurrentPro, BillingError> {
        let provider = self.provider()?;
        let _lock = self.lock_account(user).await?;
        let mut account = self.account(user).await?;
        let (row, _) = self.require_running(&mut account).await?;
        if !row.cancels {
            return Err(BillingError::NotCancelled);
        }
        let key = idempotency_key("resume", &row, &account);
        provider.set_cancels(&key, &row.id, false).await?;
        let entry = self.entry(key, "resumed", row.name);
        self.refresh(&mut account, entry.into()).await?;
        Ok(CurrentPro::of(&account, self.now()))
    }

    /// Changes the plan at once. The rest of the paid period is credited, and the difference is paid now. Where the
    /// bank wants confirmation, the change waits until the browser has continued with the secret.
    ///
    /// # Errors
    /// [`BillingError::CardRefused`], and nothing changed; [`BillingError::PaymentsOff`],
    /// [`BillingError::PlanNotForSale`], [`BillingError::NoSubscription`], [`BillingError::PaymentOwed`],
    /// [`BillingError::PaymentProcessing`], [`BillingError::SamePlan`], [`BillingError::PlanChanged`];
    /// [`CommonError::Invalid`] for an unknown plan; [`CommonError::Unavailable`].
    pub async fn change_plan(&self, user: UserId, plan_id: &str) -> Result<PlanChange, BillingError> {
        let provider = self.provider()?;
        let plan = self.plans.find(plan_id)?;
        let price_id = self.plans.price_of(plan, provider).await?;
        let _lock = self.lock_account(user).await?;
        let mut account = self.account(user).await?;
        let (row, subscription) = self.require_changeable(&mut account).await?;
        if row.price_id == price_id {
            return Err(BillingError::SamePlan);
        }
        let change = format!("{} to {}", row.name, plan.name);
        if let Some(pending) = &subscription.pending_price {
            let waits = subscription.payment.as_deref() == Some(REQUIRES_ACTION);
            match subscription.payment_secret().filter(|_| waits && *pending == price_id) {
                Some(secret) => return Ok(self.outcome(&account, Payment::RequiresAction(secret))),
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
                            Some(secret) => self.outcome(&account, Payment::RequiresAction(secret)),
                            None => self.outcome(&account, Payment::Processing),
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
                return Ok(self.outcome(&account, Payment::Succeeded));
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
    /// [`BillingError::PlanNotChanged`]; [`BillingError::PaymentsOff`], [`BillingError::PlanNotForSale`],
    /// [`BillingError::NoSubscription`], [`BillingError::PaymentProcessing`], [`BillingError::PlanChanged`];
    /// [`CommonError::Invalid`] for an unknown plan; [`CommonError::Unavailable`].
    pub async fn finish_change(&self, user: UserId, plan_id: &str) -> Result<PlanChange, BillingError> {
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
                return Ok(self.outcome(&account, Payment::Succeeded));
            }
            if subscription.pending_price.as_ref() != Some(&price_id) {
                break;
            }
            match subscription.payment.as_deref() {
                Some(PROCESSING) => return Ok(self.outcome(&account, Payment::Processing)),
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
        Err(BillingError::PlanNotChanged)
    }

    /// Voids a change that waits for its payment.
    async fn void_change(&self, subscription: &Subscription) -> Result<(), BillingError> {
        let Some(invoice) = subscription.latest_invoice.as_ref().filter(|invoice| invoice.is_open()) else {
            return Ok(());
        };
        match self.provider()?.void(&format!("void-{}", invoice.id), &invoice.id).await {
            // It was paid a moment ago, in another tab.
            Err(ProviderError::Refused(_)) => Err(BillingError::PlanChanged),
            outcome => Ok(outcome?),
        }
    }

    pub(super) fn outcome(&self, account: &BillingAccount, payment: Payment) -> PlanChange {
        PlanChange { pro: CurrentPro::of(account, self.now()), payment }
    }

    /// Some of a user's invoices, the newest first, with how many there are.
    ///
    /// # Errors
    /// [`BillingError::PaymentsOff`]; [`CommonError::Unavailable`].
    pub async fn invoices(&self, user: UserId, skip: u64, limit: usize) -> Result<(Vec<Invoice>, u64), BillingError> {
        let provider = self.provider()?;
        let fetch = async |customer: String| Ok(provider.invoices(&customer).await?);
        let mut invoices = self.listed(&self.recent_invoices, user, fetch).await?;
        // Voided purchases are not shown.
        invoices.retain(|invoice| invoice.is_paid() || invoice.attempts > 0);
        let processing = self.account(user).await?.subscription.and_then(|row| row.processing);
        for invoice in invoices.iter_mut().filter(|invoice| processing.as_ref() == Some(&invoice.id)) {
            PROCESSING.clone_into(&mut invoice.status);
        }
        let total = invoices.len() as u64;
        let skip = usize::try_from(skip).unwrap_or(usize::MAX);
        Ok((invoices.into_iter().skip(skip).take(limit).collect(), total))
    }

    /// The subscription, if its plan may be changed.
    async fn require_changeable(
        &self,
        account: &mut BillingAccount,
    ) -> Result<(SubscriptionRow, Subscription), BillingError> {
        let (row, subscription) = self.require_running(account).await?;
        if entitlement::is_past_due(&row.status) {
            return Err(BillingError::PaymentOwed);
        }
        if row.processing.is_some() {
            return Err(BillingError::PaymentProcessing);
        }
        Ok((row, subscription))
    }

    /// The running subscription, refreshed from Stripe.
    async fn require_running(
        &self,
        account: &mut BillingAccount,
    ) -> Result<(SubscriptionRow, Subscription), BillingError> {
        let snapshot = self.refresh(account, BillingUpdate::default()).await?;
        let row = account.subscription.clone().filter(|row| entitlement::is_running(&row.status));
        let row = row.ok_or(BillingError::NoSubscription)?;
        if row.processing.is_some() && row.paid_until.is_none() {
            return Err(BillingError::PaymentProcessing);
        }
        let subscription = snapshot.subscriptions.into_iter().find(|subscription| subscription.id == row.id);
        Ok((row, subscription.ok_or_else(|| CommonError::internal("the subscription is not among what was told"))?))
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
