//! Buying: a subscription that waits for its first payment, and whether that payment was made.
//!
//! The steps are made so that whoever stops between any two of them, a browser or the server, can begin again and pays
//! once: the keys are stored before Stripe is asked, what waits for its payment is used again, and what is given up is
//! made void at Stripe first, which it refuses once it is paid.

use std::time::Duration;

use chrono::TimeDelta;
use morpion_openapi::subscription::{self as wire, PaymentStatus};
use morpion_rules::UserId;
use morpion_store::{BillingAccount, PurchaseRow};
use uuid::Uuid;

use super::{
    Billing, is_id, ledger,
    provider::{PROCESSING, Provider, ProviderError, Subscription},
    refresh::{News, Snapshot},
    standing,
};
use crate::{
    caller::Identity,
    config::PlanConfig,
    error::{ApiError, ErrorKind},
};

/// Stripe remembers a key for a day; after that the same key would buy again.
const KEY_LIVES: TimeDelta = TimeDelta::hours(23);

/// Stripe may say that a payment succeeded a moment before it says that the subscription runs.
pub(super) const LOOKS: u32 = 5;
pub(super) const LOOK_AGAIN_AFTER: Duration = Duration::from_millis(400);

impl Billing {
    /// Begins a purchase, or goes on with one: answers the secret with which the browser pays. With a renewal of the
    /// same plan that was not paid, it pays that.
    ///
    /// # Errors
    /// 409 where payments are off, the plan has no price at Stripe, or somebody subscribes already; 422 for an unknown
    /// plan; 503.
    pub async fn begin(&self, identity: &Identity, plan_id: &str) -> Result<String, ApiError> {
        let provider = self.provider()?;
        let plan = self.plans.named(plan_id)?;
        let price_id = self.plans.price_of(plan, provider).await?;
        let user = identity.user_id;
        let _turn = self.turn(user).await?;
        let mut account = self.account(user).await?;
        let snapshot = self.refresh(&mut account, News::default()).await?;
        let begun = snapshot.subscriptions.iter().filter(|told| !standing::is_over(&told.status));
        let (waiting, running): (Vec<_>, Vec<_>) =
            begun.partition(|told| told.status == "incomplete" || told.is_unpaid_purchase());
        if waiting.iter().chain(&running).any(|told| told.is_processing()) {
            return Err(payment_processing());
        }
        if let Some(running) = running.first() {
            return what_is_owed(running, plan);
        }
        for waiting in waiting {
            match payable(waiting) {
                Some(secret) if waiting.price_id == price_id => return Ok(secret),
                _ => self.give_up(&mut account, provider, waiting).await?,
            }
        }
        self.order(&mut account, provider, plan, &price_id).await
    }

    /// Has a purchase that was not paid never be paid.
    async fn give_up(
        &self,
        account: &mut BillingAccount,
        provider: &Provider,
        waiting: &Subscription,
    ) -> Result<(), ApiError> {
        let Some(invoice) = waiting.latest_invoice.as_ref().filter(|invoice| invoice.is_open()) else { return Ok(()) };
        match provider.void(&format!("void-{}", invoice.id), &invoice.id).await {
            Ok(()) => Ok(()),
            Err(ProviderError::Unreachable(cause)) => Err(ProviderError::Unreachable(cause).into()),
            // It was paid a moment ago, in another tab.
            Err(_) => {
                self.refresh(account, News::default()).await?;
                Err(already_subscribed())
            }
        }
    }

    async fn order(
        &self,
        account: &mut BillingAccount,
        provider: &Provider,
        plan: &PlanConfig,
        price_id: &str,
    ) -> Result<String, ApiError> {
        let purchase = self.begun(account, plan, price_id).await?;
        let user = account.user_id.to_string();
        let customer = match &account.customer {
            Some(customer) => customer.clone(),
            None => {
                let made = provider.create_customer(&purchase.customer_key, &user, purchase.email.as_deref()).await;
                let made = self.unless_refused(account, made).await?;
                account.customer = Some(made.clone());
                // Stored before there is anything to pay: webhooks are matched by it, and so is what a crash leaves.
                self.save(account, &[], None).await?;
                made
            }
        };
        let made = provider.create_subscription(&purchase.key, &customer, price_id, (&user, plan.id)).await;
        let made =
            self.unless_refused(account, made).await?.ok_or_else(|| ApiError::internal("a subscription to nothing"))?;
        account.purchase = Some(PurchaseRow { subscription: Some(made.id.clone()), ..purchase });
        // A repeated key answers what was true then, so it is asked what is true now.
        let snapshot = self.refresh(account, News::default()).await?;
        let told = snapshot.subscriptions.iter().find(|told| told.id == made.id);
        if told.is_some_and(|told| standing::is_running(&told.status)) {
            let text = "What was left of an earlier plan paid for it: you have Pro.";
            return Err(ApiError::conflict("already-subscribed", text));
        }
        let over = || ApiError::unavailable("This purchase is over already. Please try again.");
        told.and_then(payable).ok_or_else(over)
    }

    /// The purchase with its keys, stored: the one that was begun before if it is for the same and its outcome is not
    /// known, else a new one.
    async fn begun(
        &self,
        account: &mut BillingAccount,
        plan: &PlanConfig,
        price_id: &str,
    ) -> Result<PurchaseRow, ApiError> {
        let now = self.now();
        let goes_on = |begun: &&PurchaseRow| {
            begun.subscription.is_none() && begun.price_id == price_id && now - begun.started_at < KEY_LIVES
        };
        if let Some(begun) = account.purchase.as_ref().filter(goes_on) {
            return Ok(begun.clone());
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
        let detail = format!("{}: {}", plan.name, ledger::money(plan.price, &plan.currency));
        let entry = ledger::entry(format!("begun:{}", purchase.key), "purchase-begun", detail, now);
        self.save(account, &[entry], None).await?;
        Ok(purchase)
    }

    /// A refusal is final, and Stripe would repeat it for the same key.
    async fn unless_refused<T>(
        &self,
        account: &mut BillingAccount,
        outcome: Result<T, ProviderError>,
    ) -> Result<T, ApiError> {
        if matches!(outcome, Err(ProviderError::Card(_) | ProviderError::Refused(_) | ProviderError::NotFound)) {
            account.purchase = None;
            self.save(account, &[], None).await?;
        }
        Ok(outcome?)
    }

    /// A browser says that it paid. Stripe is asked whether that payment is this person's, for this plan, and made; one
    /// that is on its way is no failure.
    ///
    /// # Errors
    /// 402 unless it was made or is on its way; 403 for somebody else's payment; 404; 409; 422 for another plan's; 503.
    pub async fn confirm(
        &self,
        user: UserId,
        (intent_id, plan_id, payment_method_id): (&str, &str, &str),
    ) -> Result<(wire::Subscription, PaymentStatus), ApiError> {
        let provider = self.provider()?;
        let plan = self.plans.named(plan_id)?;
        if payment_method_id.is_empty() {
            return Err(ApiError::invalid("paymentMethodeId", "Payment method not found"));
        }
        if !is_id(payment_method_id, "pm_") && !is_id(payment_method_id, "card_") {
            return Err(ApiError::invalid("paymentMethodeId", "This is no payment method."));
        }
        if !is_id(intent_id, "pi_") {
            return Err(ApiError::invalid("paymentIntentId", "This is no payment."));
        }
        let _turn = self.turn(user).await?;
        let mut account = self.account(user).await?;
        let intent = provider.intent(intent_id).await?;
        if account.customer.is_none() || intent.customer != account.customer {
            return Err(ApiError::forbidden("This payment is somebody else's."));
        }
        let invoice = provider.invoice_of_intent(intent_id).await?;
        let invoice =
            invoice.ok_or_else(|| ApiError::conflict("no-subscription", "This payment is for nothing here."))?;
        for look in 1..=LOOKS {
            let snapshot = self.refresh(&mut account, News::default()).await?;
            let paid_for = subscription_of(&snapshot, &invoice);
            let told =
                paid_for.ok_or_else(|| ApiError::conflict("no-subscription", "This payment is for nothing here."))?;
            if told.plan_id != Some(plan.id) {
                return Err(ApiError::invalid("planId", "This payment is for another plan."));
            }
            if intent.status == PROCESSING {
                return Ok((standing::told(&account, self.now()), PaymentStatus::Processing));
            }
            let total = told.latest_invoice.as_ref().map(|invoice| (invoice.total, invoice.currency.clone()));
            let is_whole = total == Some((intent.amount_received, intent.currency.clone()));
            if intent.status != "succeeded" || !is_whole {
                break;
            }
            if standing::is_running(&told.status) && told.latest_invoice.as_ref().is_some_and(|paid| paid.is_paid()) {
                return Ok((standing::told(&account, self.now()), PaymentStatus::Succeeded));
            }
            if look < LOOKS {
                tokio::time::sleep(LOOK_AGAIN_AFTER).await;
            }
        }
        Err(ApiError::new(ErrorKind::PlanRequired, "not-paid", "This payment has not been made."))
    }
}

/// The subscription whose newest invoice this is.
fn subscription_of<'a>(snapshot: &'a Snapshot, invoice: &str) -> Option<&'a Subscription> {
    let is_newest = |told: &&Subscription| told.latest_invoice.as_ref().is_some_and(|latest| latest.id == invoice);
    snapshot.subscriptions.iter().find(is_newest)
}

/// The secret that pays, as long as there is something to pay.
fn payable(told: &Subscription) -> Option<String> {
    told.latest_invoice.as_ref().filter(|invoice| invoice.is_open())?.client_secret.clone()
}

fn what_is_owed(running: &Subscription, plan: &PlanConfig) -> Result<String, ApiError> {
    let owed = payable(running).filter(|_| standing::is_owing(&running.status) && running.plan_id == Some(plan.id));
    owed.ok_or_else(already_subscribed)
}

fn already_subscribed() -> ApiError {
    ApiError::conflict("already-subscribed", "You have a subscription already. You can change its plan.")
}

/// Nobody pays a second time what is on its way.
pub(super) fn payment_processing() -> ApiError {
    let text = "Your payment is being processed. As soon as it has arrived you can go on.";
    ApiError::conflict("payment-processing", text)
}
