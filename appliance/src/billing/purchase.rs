//! Buying: creating a subscription that waits for its first payment, and confirming that payment.
//!
//! After an interruption between any two steps, in a browser or the server, the purchase can be restarted and is paid
//! once: keys are stored before Stripe is called, a subscription that waits for payment is reused, and an abandoned one
//! is voided at Stripe first, which refuses once it is paid.

use std::time::Duration;

use chrono::TimeDelta;
use morpion_rules::UserId;
use morpion_store::{BillingAccount, PurchaseRow};
use uuid::Uuid;

use super::{
    Billing,
    cards::is_card,
    changes::{Payment, PlanChange},
    entitlement,
    error::BillingError,
    is_id, ledger,
    provider::{PROCESSING, Provider, ProviderError, Subscription},
    refresh::{BillingUpdate, Snapshot},
};
use crate::{caller::Identity, config::PlanConfig, error::CommonError};

/// Stripe remembers a key for a day; after that the same key would buy again.
const KEY_LIFE: TimeDelta = TimeDelta::hours(23);

/// Stripe may report a successful payment a moment before the subscription is active.
pub(super) const MAX_CHECKS: u32 = 5;
pub(super) const CHECK_INTERVAL: Duration = Duration::from_millis(400);

impl Billing {
    /// Starts or continues a purchase: returns the secret with which the browser pays. With an overdue renewal of the
    /// same plan, it pays that.
    ///
    /// # Errors
    /// [`BillingError::PaymentsOff`], [`BillingError::EmailNotVerified`], [`BillingError::PlanNotForSale`],
    /// [`BillingError::AlreadySubscribed`],
    /// [`BillingError::PaidByCredit`], [`BillingError::PaymentProcessing`]; [`CommonError::Invalid`] for an unknown plan;
    /// [`CommonError::Unavailable`].
    pub async fn begin(&self, identity: &Identity, plan_id: &str) -> Result<String, BillingError> {
        let provider = self.provider()?;
        let plan = self.plans.find(plan_id)?;
        let user = identity.user_id;
        self.require_verified_email(user).await?;
        let price_id = self.plans.price_of(plan, provider).await?;
        let _lock = self.lock_account(user).await?;
        let mut account = self.account(user).await?;
        let snapshot = self.refresh(&mut account, BillingUpdate::default()).await?;
        let open = snapshot.subscriptions.iter().filter(|subscription| !entitlement::has_ended(&subscription.status));
        let (waiting, running): (Vec<_>, Vec<_>) =
            open.partition(|subscription| subscription.status == "incomplete" || subscription.is_unpaid_purchase());
        if waiting.iter().chain(&running).any(|subscription| subscription.is_processing()) {
            return Err(BillingError::PaymentProcessing);
        }
        if let Some(running) = running.first() {
            return overdue_payment(running, plan);
        }
        for waiting in waiting {
            match waiting.payment_secret() {
                Some(secret) if waiting.price_id == price_id => return Ok(secret),
                _ => self.void_purchase(&mut account, provider, waiting).await?,
            }
        }
        self.create_subscription(&mut account, provider, plan, &price_id).await
    }

    /// Voids a purchase that was not paid.
    async fn void_purchase(
        &self,
        account: &mut BillingAccount,
        provider: &Provider,
        waiting: &Subscription,
    ) -> Result<(), BillingError> {
        let Some(invoice) = waiting.latest_invoice.as_ref().filter(|invoice| invoice.is_open()) else { return Ok(()) };
        match provider.void(&format!("void-{}", invoice.id), &invoice.id).await {
            Ok(()) => Ok(()),
            Err(ProviderError::Unreachable(cause)) => Err(ProviderError::Unreachable(cause).into()),
            // It was paid a moment ago, in another tab.
            Err(_) => {
                self.refresh(account, BillingUpdate::default()).await?;
                Err(BillingError::AlreadySubscribed)
            }
        }
    }

    async fn create_subscription(
        &self,
        account: &mut BillingAccount,
        provider: &Provider,
        plan: &PlanConfig,
        price_id: &str,
    ) -> Result<String, BillingError> {
        let purchase = self.pending_purchase(account, plan, price_id).await?;
        let user = account.user_id.to_string();
        let customer = match &account.customer {
            Some(customer) => customer.clone(),
            None => {
                let made = provider.create_customer(&purchase.customer_key, &user, purchase.email.as_deref()).await;
                let made = self.clear_if_refused(account, made).await?;
                (account.customer, account.email) = (Some(made.clone()), purchase.email.clone());
                // Stored before there is anything to pay: webhooks are matched by it, and so is what a crash leaves
                // behind.
                self.save(account, &[], None).await?;
                made
            }
        };
        let made = provider.create_subscription(&purchase.key, &customer, price_id, (&user, plan.id)).await;
        let made = self
            .clear_if_refused(account, made)
            .await?
            .ok_or_else(|| CommonError::internal("a subscription to nothing"))?;
        account.purchase = Some(PurchaseRow { subscription: Some(made.id.clone()), ..purchase });
        // A repeated key returns the earlier state, so the current one is fetched.
        let snapshot = self.refresh(account, BillingUpdate::default()).await?;
        let subscription = snapshot.subscriptions.iter().find(|subscription| subscription.id == made.id);
        if subscription.is_some_and(|subscription| entitlement::is_running(&subscription.status)) {
            return Err(BillingError::PaidByCredit);
        }
        let expired = || CommonError::unavailable("This purchase is over already. Please try again.");
        Ok(subscription.and_then(Subscription::payment_secret).ok_or_else(expired)?)
    }

    /// The stored purchase with its keys: the earlier one if it is for the same price and its outcome is unknown,
    /// otherwise a new one.
    async fn pending_purchase(
        &self,
        account: &mut BillingAccount,
        plan: &PlanConfig,
        price_id: &str,
    ) -> Result<PurchaseRow, BillingError> {
        let now = self.now();
        let is_reusable = |purchase: &&PurchaseRow| {
            purchase.subscription.is_none() && purchase.price_id == price_id && now - purchase.started_at < KEY_LIFE
        };
        if let Some(pending) = account.purchase.as_ref().filter(is_reusable) {
            return Ok(pending.clone());
        }
        let user = self.store.user(account.user_id).await?;
        let purchase = PurchaseRow {
            key: format!("subscribe-{}", Uuid::new_v4()),
            customer_key: format!("customer-{}", Uuid::new_v4()),
            email: user.and_then(|user| user.email),
            plan_id: plan.id,
            price_id: price_id.to_owned(),
            started_at: now,
            subscription: None,
        };
        account.purchase = Some(purchase.clone());
        account.live = self.is_live;
        let detail = format!("{}: {}", plan.name, ledger::format_money(plan.price, &plan.currency));
        let entry = ledger::entry(format!("begun:{}", purchase.key), "purchase-begun", detail, now);
        self.save(account, &[entry], None).await?;
        Ok(purchase)
    }

    /// A refusal is final, and Stripe would repeat it for the same key.
    async fn clear_if_refused<T>(
        &self,
        account: &mut BillingAccount,
        outcome: Result<T, ProviderError>,
    ) -> Result<T, BillingError> {
        if let Err(error @ (ProviderError::Card(_) | ProviderError::Refused(_) | ProviderError::NotFound(_))) = &outcome
        {
            account.purchase = None;
            if error.is_customer_gone() {
                account.customer = None;
            }
            self.save(account, &[], None).await?;
        }
        Ok(outcome?)
    }

    /// Confirms a payment that a browser reports. Stripe is asked whether the payment is this user's, for this plan,
    /// and complete; one being processed is not an error.
    ///
    /// # Errors
    /// [`BillingError::NotPaid`] unless it was made or is being processed; [`BillingError::PaymentForNothing`];
    /// [`BillingError::PaymentsOff`]; [`CommonError::Forbidden`] for another user's payment; [`CommonError::NotFound`];
    /// [`CommonError::Invalid`] for another plan's; [`CommonError::Unavailable`].
    pub async fn confirm(
        &self,
        user: UserId,
        (intent_id, plan_id, payment_method_id): (&str, &str, &str),
    ) -> Result<PlanChange, BillingError> {
        let provider = self.provider()?;
        let plan = self.plans.find(plan_id)?;
        if payment_method_id.is_empty() {
            return Err(CommonError::invalid("paymentMethodeId", "Payment method not found").into());
        }
        if !is_card(payment_method_id) {
            return Err(CommonError::invalid("paymentMethodeId", "This is no payment method.").into());
        }
        if !is_id(intent_id, "pi_") {
            return Err(CommonError::invalid("paymentIntentId", "This is no payment.").into());
        }
        let _lock = self.lock_account(user).await?;
        let mut account = self.account(user).await?;
        let intent = provider.intent(intent_id).await?;
        if account.customer.is_none() || intent.customer != account.customer {
            return Err(CommonError::forbidden("This payment is somebody else's.").into());
        }
        let invoice = provider.invoice_of_intent(intent_id).await?;
        let invoice = invoice.ok_or(BillingError::PaymentForNothing)?;
        for check in 1..=MAX_CHECKS {
            let snapshot = self.refresh(&mut account, BillingUpdate::default()).await?;
            let subscription = subscription_of(&snapshot, &invoice).ok_or(BillingError::PaymentForNothing)?;
            if subscription.plan_id != Some(plan.id) {
                return Err(CommonError::invalid("planId", "This payment is for another plan.").into());
            }
            if intent.status == PROCESSING {
                return Ok(self.outcome(&account, Payment::Processing));
            }
            let total = subscription.latest_invoice.as_ref().map(|invoice| (invoice.total, invoice.currency.clone()));
            let is_whole = total == Some((intent.amount_received, intent.currency.clone()));
            if intent.status != "succeeded" || !is_whole {
                break;
            }
            if entitlement::is_running(&subscription.status)
                && subscription.latest_invoice.as_ref().is_some_and(|paid| paid.is_paid())
            {
                return Ok(self.outcome(&account, Payment::Succeeded));
            }
            if check < MAX_CHECKS {
                tokio::time::sleep(CHECK_INTERVAL).await;
            }
        }
        Err(BillingError::NotPaid)
    }
}

/// The subscription with this newest invoice.
fn subscription_of<'a>(snapshot: &'a Snapshot, invoice: &str) -> Option<&'a Subscription> {
    let is_newest =
        |subscription: &&Subscription| subscription.latest_invoice.as_ref().is_some_and(|latest| latest.id == invoice);
    snapshot.subscriptions.iter().find(is_newest)
}

fn overdue_payment(running: &Subscription, plan: &PlanConfig) -> Result<String, BillingError> {
    let owed = running
        .payment_secret()
        .filter(|_| entitlement::is_past_due(&running.status) && running.plan_id == Some(plan.id));
    owed.ok_or(BillingError::AlreadySubscribed)
}
