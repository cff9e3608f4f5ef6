//! Pro and its payments for the wire.

use chrono::{DateTime, Utc};
use morpion_openapi::{
    admin::{self, UserSubscription},
    subscription::{FromPrice, Invoice, PaymentMethod, PaymentMethodsAnswer, PaymentStatus, Plan, Subscription},
};
use morpion_store::{BillingAccount, BillingEvent, User};

use crate::{
    account::profile,
    billing::{cards, changes::Payment, entitlement::CurrentPro, provider},
    config::PlanConfig,
    people::{PublicProfile, Width},
};

pub fn plan(plan: &PlanConfig) -> Plan {
    Plan {
        plan_id: plan.id.to_string(),
        name: plan.name.clone(),
        price: plan.price,
        currency: plan.currency.clone(),
        months: plan.months,
        savings: (!plan.savings.is_empty()).then(|| plan.savings.clone()),
        is_popular_choice: plan.popular,
    }
}

pub fn from_price(plan: &PlanConfig) -> FromPrice {
    FromPrice { price: plan.price, currency: plan.currency.clone(), months: plan.months }
}

pub fn subscription(pro: CurrentPro) -> Subscription {
    let (next_payment, ends_at, grace_until) = (pro.next_payment(), pro.ends_at(), pro.grace_until());
    Subscription {
        is_subscribed: pro.is_subscribed(),
        is_processing: pro.is_processing().then_some(true),
        is_granted: pro.grant.is_some(),
        plan_id: pro.subscription.as_ref().and_then(|row| row.plan_id).map(|id| id.to_string()),
        price: pro.subscription.as_ref().map(|row| row.price),
        name: pro.subscription.map(|row| row.name),
        next_payment_date: next_payment.map(Into::into),
        ends_at: ends_at.map(Into::into),
        grace_until: grace_until.map(Into::into),
    }
}

/// How far a payment is, and the secret with which a browser continues.
pub fn payment(payment: Payment) -> (PaymentStatus, Option<String>) {
    match payment {
        Payment::Succeeded => (PaymentStatus::Succeeded, None),
        Payment::Processing => (PaymentStatus::Processing, None),
        Payment::RequiresAction(secret) => (PaymentStatus::RequiresAction, Some(secret)),
    }
}

pub fn payment_methods(methods: Vec<cards::PaymentMethod>) -> PaymentMethodsAnswer {
    let method = |cards::PaymentMethod { card, is_default }| PaymentMethod {
        payment_method_id: card.id,
        brand: card.brand,
        last4: card.last4,
        expires: card.expires.map(|(month, year)| format!("{month:02}/{year}")),
        is_default,
    };
    PaymentMethodsAnswer { payment_methods: methods.into_iter().map(method).collect() }
}

pub fn invoice(invoice: provider::Invoice) -> Invoice {
    Invoice {
        invoice_id: invoice.id,
        amount: invoice.total,
        currency: invoice.currency,
        status: invoice.status,
        created_at: invoice.created.into(),
        url: invoice.url,
    }
}

pub fn user_subscription(user: &User, account: &BillingAccount, now: DateTime<Utc>) -> UserSubscription {
    let row = account.subscription.as_ref();
    let PublicProfile { username, display_name, profile_url, is_bot } = PublicProfile::of(user, Width::Row);
    UserSubscription {
        user_id: user.id,
        username,
        display_name,
        profile_url,
        is_bot,
        is_pro_user: profile::is_pro(user, now),
        status: row.map(|row| row.status.clone()),
        provider_id: row.map(|row| row.id.clone()),
        subscription: subscription(CurrentPro::of(account, now)),
        reason: account.grant.as_ref().map(|grant| grant.reason.clone()),
    }
}

pub fn event(event: BillingEvent) -> admin::BillingEvent {
    admin::BillingEvent {
        billing_event_id: event.id.to_string(),
        user_id: Some(event.user_id),
        kind: event.kind,
        detail: event.detail,
        at: event.at.into(),
    }
}
