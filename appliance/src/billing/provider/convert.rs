//! Stripe's objects as our types.

use chrono::{DateTime, Utc};

use super::{
    PLAN, PRODUCT,
    types::{Invoice, Subscription},
};

fn time(seconds: i64) -> DateTime<Utc> {
    DateTime::from_timestamp(seconds, 0).unwrap_or_default()
}

/// `None` for a subscription to another product.
pub(super) fn subscription(stripe: stripe_billing::Subscription) -> Option<Subscription> {
    let item = stripe.items.data.into_iter().find(|item| item.price.product.id().as_str() == PRODUCT)?;
    let plan = item.price.metadata.get(PLAN).or_else(|| stripe.metadata.get(PLAN));
    Some(Subscription {
        id: stripe.id.to_string(),
        status: stripe.status.as_str().to_owned(),
        plan_id: plan.and_then(|plan| plan.parse().ok()),
        price_id: item.price.id.to_string(),
        name: item.price.nickname.unwrap_or_else(|| "Pro".to_owned()),
        price: item.price.unit_amount.unwrap_or(0),
        currency: item.price.currency.to_string(),
        created: time(stripe.created),
        period_start: time(item.current_period_start),
        period_end: time(item.current_period_end),
        cancels: stripe.cancel_at_period_end,
        ended_at: stripe.ended_at.map(time),
        payment_method: stripe.default_payment_method.map(|method| method.id().to_string()),
        payment: None,
        pending_price: stripe
            .pending_update
            .and_then(|update| update.subscription_items?.into_iter().next())
            .map(|item| item.price.id.to_string()),
        latest_invoice: stripe.latest_invoice.and_then(|latest| latest.into_object()).and_then(invoice),
        item: item.id.to_string(),
    })
}

/// `None` for an invoice that was never stored, such as a preview.
pub(super) fn invoice(stripe: stripe_billing::Invoice) -> Option<Invoice> {
    let subscription = stripe.parent.and_then(|parent| parent.subscription_details);
    Some(Invoice {
        id: stripe.id?.to_string(),
        status: stripe.status.map(|status| status.as_str().to_owned()).unwrap_or_default(),
        reason: stripe.billing_reason.map(|reason| reason.as_str().to_owned()).unwrap_or_default(),
        subscription: subscription.map(|details| details.subscription.id().to_string()),
        total: stripe.total,
        amount_paid: stripe.amount_paid,
        currency: stripe.currency.to_string(),
        created: time(stripe.created),
        paid_at: stripe.status_transitions.paid_at.map(time),
        attempts: stripe.attempt_count,
        url: stripe.hosted_invoice_url,
        client_secret: stripe.confirmation_secret.map(|secret| secret.client_secret),
    })
}
