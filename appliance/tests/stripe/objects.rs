//! Objects as Stripe's API writes them.

use serde_json::{Value, json};

use super::{
    card::brand,
    stripe_state::{
        Customer, Dispute, Intent, Invoice, Method, Price, Product, Setup, StripeState, Subscription, name,
    },
};

/// The supported version of the API.
pub const VERSION: &str = "2026-09-30.endive";

pub fn list(url: &str, data: Vec<Value>, has_more: bool) -> Value {
    json!({ "object": "list", "url": url, "has_more": has_more, "data": data })
}

pub fn customer(it: &Customer) -> Value {
    if it.deleted {
        return json!({ "id": it.id, "object": "customer", "deleted": true });
    }
    json!({
        "id": it.id, "object": "customer", "created": it.created, "livemode": false, "email": it.email,
        "metadata": it.metadata, "address": null, "balance": it.balance, "currency": null, "default_source": null,
        "delinquent": false, "description": null, "discount": null, "invoice_prefix": "F4KE", "next_invoice_sequence": 1, "name": null, "phone": null, "preferred_locales": [],
        "shipping": null, "tax_exempt": "none", "test_clock": null,
        "invoice_settings": { "custom_fields": null, "default_payment_method": it.default_method, "footer": null,
            "rendering_options": null },
    })
}

/// A dispute names its payment, and no customer.
pub fn dispute(it: &Dispute) -> Value {
    json!({
        "id": it.id, "object": "dispute", "amount": it.amount, "balance_transactions": [],
        "charge": format!("ch_{}", &it.intent[3..]), "created": it.created, "currency": it.currency,
        "enhanced_eligibility_types": [], "evidence": {},
        "evidence_details": { "due_by": it.created + 7 * 86_400, "enhanced_eligibility": {}, "has_evidence": false,
            "past_due": false, "submission_count": 0 },
        "is_charge_refundable": false, "livemode": false, "metadata": {}, "payment_intent": it.intent,
        "payment_method_details": { "card": { "brand": "visa", "case_type": "chargeback", "network": "visa",
            "network_reason_code": "10.4" }, "type": "card" },
        "reason": "fraudulent", "status": it.status,
    })
}

pub fn fraud_warning(it: &Intent, created: i64) -> Value {
    json!({
        "id": name("issfr"), "object": "radar.early_fraud_warning", "actionable": true,
        "charge": format!("ch_{}", &it.id[3..]), "created": created, "fraud_type": "made_with_stolen_card",
        "livemode": false, "payment_intent": it.id,
    })
}

pub fn product(it: &Product) -> Value {
    json!({
        "id": it.id, "object": "product", "active": true, "created": it.created, "updated": it.created, "livemode": false,
        "name": it.name, "description": null, "images": [], "marketing_features": [], "metadata": {},
        "package_dimensions": null, "shippable": null, "statement_descriptor": null, "tax_code": null, "type": "service",
        "unit_label": null, "url": null, "default_price": null,
    })
}

pub fn price(it: &Price) -> Value {
    json!({
        "id": it.id, "object": "price", "active": true, "billing_scheme": "per_unit", "created": it.created,
        "currency": it.currency, "custom_unit_amount": null, "livemode": false, "lookup_key": it.lookup_key,
        "metadata": it.metadata, "nickname": it.nickname, "product": it.product, "tax_behavior": "unspecified",
        "recurring": { "interval": it.interval, "interval_count": it.interval_count, "meter": null,
            "trial_period_days": null, "usage_type": "licensed" },
        "tiers_mode": null, "transform_quantity": null, "type": "recurring", "unit_amount": it.amount,
        "unit_amount_decimal": it.amount.to_string(),
    })
}

fn plan(it: &Price) -> Value {
    json!({
        "id": it.id, "object": "plan", "active": true, "amount": it.amount, "amount_decimal": it.amount.to_string(),
        "billing_scheme": "per_unit", "created": it.created, "currency": it.currency, "interval": it.interval,
        "interval_count": it.interval_count, "livemode": false, "metadata": it.metadata, "meter": null,
        "nickname": it.nickname, "product": it.product, "tiers_mode": null, "transform_usage": null,
        "trial_period_days": null, "usage_type": "licensed",
    })
}

fn item(it: &Subscription, sold: &Price, period: (i64, i64)) -> Value {
    json!({
        "id": it.item, "object": "subscription_item", "created": it.created, "current_period_start": period.0,
        "current_period_end": period.1, "billing_thresholds": null, "discounts": [], "metadata": {},
        "plan": plan(sold), "price": price(sold), "quantity": 1, "subscription": it.id, "tax_rates": [],
    })
}

/// `expand` names what is written out, as `latest_invoice` or `latest_invoice.confirmation_secret`.
pub fn subscription(stripe_state: &StripeState, it: &Subscription, expand: &[&str]) -> Value {
    let inner: Vec<&str> = expand.iter().filter_map(|path| path.strip_prefix("latest_invoice.")).collect();
    let latest = if inner.is_empty() && !expand.contains(&"latest_invoice") {
        json!(it.latest_invoice)
    } else {
        invoice(stripe_state, &stripe_state.invoices[&it.latest_invoice], &inner)
    };
    let sold = &stripe_state.prices[&it.price];
    let item = item(it, sold, it.period);
    let pending = it.pending.as_ref().map(|pending| {
        let items = [self::item(it, &stripe_state.prices[&pending.price], pending.period)];
        json!({ "billing_cycle_anchor": null, "cancel_at_period_end": null, "expires_at": pending.expires,
            "subscription_items": items, "trial_end": null, "trial_from_plan": null })
    });
    json!({
        "id": it.id, "object": "subscription", "application": null, "application_fee_percent": null,
        "automatic_tax": { "enabled": false, "disabled_reason": null, "liability": null },
        "billing_cycle_anchor": it.anchor, "billing_cycle_anchor_config": null,
        "billing_mode": { "type": "flexible", "flexible": null }, "billing_schedules": [], "billing_thresholds": null,
        "cancel_at": it.cancels.then_some(it.period.1), "cancel_at_period_end": it.cancels,
        "canceled_at": it.canceled_at, "cancellation_details": null, "collection_method": "charge_automatically",
        "created": it.created, "currency": sold.currency, "customer": it.customer, "customer_account": null,
        "days_until_due": null,
        "default_payment_method": it.default_method, "default_source": null, "default_tax_rates": [],
        "description": null, "discounts": [], "ended_at": it.ended_at,
        "invoice_settings": { "account_tax_ids": null, "custom_fields": null, "description": null, "footer": null,
            "issuer": { "type": "self" } },
        "items": list("/v1/subscription_items", vec![item], false), "latest_invoice": latest, "livemode": false,
        "managed_payments": null,
        "metadata": it.metadata, "next_pending_invoice_item_invoice": null, "on_behalf_of": null,
        "pause_collection": null,
        "payment_settings": { "payment_method_options": null, "payment_method_types": it.types,
            "save_default_payment_method": if it.keeps_method { "on_subscription" } else { "off" } },
        "pending_invoice_item_interval": null, "pending_setup_intent": null, "pending_update": pending, "schedule": null,
        "start_date": it.created, "status": it.status, "test_clock": null, "transfer_data": null, "trial_end": null,
        "trial_settings": { "end_behavior": { "missing_payment_method": "create_invoice" } }, "trial_start": null,
    })
}

/// `expand` may name `confirmation_secret`.
pub fn invoice(stripe_state: &StripeState, it: &Invoice, expand: &[&str]) -> Value {
    let intent = it.intent.as_ref().and_then(|intent| stripe_state.intents.get(intent));
    let secret = intent.filter(|_| expand.contains(&"confirmation_secret") && it.status == "open");
    let line = json!({
        "id": format!("il_{}", &it.id[3..]), "object": "line_item", "amount": it.total, "currency": it.currency,
        "description": "Morpion Pro", "discount_amounts": [], "discountable": true, "discounts": [], "invoice": it.id,
        "livemode": false, "metadata": {}, "parent": null, "period": { "start": it.period.0, "end": it.period.1 },
        "pretax_credit_amounts": [], "pricing": null, "quantity": 1, "quantity_decimal": null,
        "subscription": it.subscription, "subtotal": it.total, "taxes": [],
    });
    json!({
        "id": it.id, "object": "invoice", "account_country": "US", "account_name": "Stand-in", "account_tax_ids": null,
        "amount_due": it.due, "amount_overpaid": 0, "amount_paid": it.paid, "amount_remaining": it.due - it.paid,
        "amount_shipping": 0, "application": null, "attempt_count": it.attempts, "attempted": it.attempts > 0,
        "auto_advance": it.next.is_some(),
        "automatic_tax": { "enabled": false, "disabled_reason": null, "liability": null, "provider": null,
            "status": null },
        "automatically_finalizes_at": null, "billing_reason": it.reason, "collection_method": "charge_automatically",
        "confirmation_secret": secret.map(|intent| json!({ "client_secret": intent.secret, "type": "payment_intent" })),
        "created": it.created, "currency": it.currency, "custom_fields": null, "customer": it.customer,
        "customer_account": null, "customer_address": null, "customer_email": stripe_state.customers[&it.customer].email, "customer_name": null,
        "customer_phone": null, "customer_shipping": null, "customer_tax_exempt": "none", "customer_tax_ids": [],
        "default_payment_method": null, "default_source": null, "default_tax_rates": [], "description": null,
        "discounts": [], "due_date": null, "effective_at": it.created, "ending_balance": null, "footer": null,
        "from_invoice": null, "hosted_invoice_url": null, "invoice_pdf": null, "issuer": { "type": "self" },
        "last_finalization_error": null, "latest_revision": null,
        "lines": list(&format!("/v1/invoices/{}/lines", it.id), vec![line], false), "livemode": false, "metadata": {},
        "next_payment_attempt": it.next, "number": format!("F4KE-{}", &it.id[3..9]), "on_behalf_of": null,
        "parent": { "type": "subscription_details", "quote_details": null,
            "subscription_details": { "metadata": {}, "subscription": it.subscription } },
        "payment_settings": { "default_mandate": null, "payment_method_options": null, "payment_method_types": null },
        "period_start": it.period.0, "period_end": it.period.1, "post_payment_credit_notes_amount": 0,
        "pre_payment_credit_notes_amount": 0, "receipt_number": null, "rendering": null, "shipping_cost": null,
        "shipping_details": null, "starting_balance": 0, "statement_descriptor": null, "status": it.status,
        "status_transitions": { "finalized_at": null, "marked_uncollectible_at": null, "paid_at": it.paid_at,
            "voided_at": null },
        "subscription": null, "subtotal": it.total, "subtotal_excluding_tax": it.total, "test_clock": null, "total": it.total,
        "total_discount_amounts": [], "total_excluding_tax": it.total, "total_pretax_credit_amounts": [],
        "total_taxes": [], "webhooks_delivered_at": null,
    })
}

pub fn intent(it: &Intent) -> Value {
    let action = (it.status == "requires_action")
        .then(|| json!({ "type": "use_stripe_sdk", "use_stripe_sdk": { "type": "three_d_secure_redirect" } }));
    json!({
        "id": it.id, "object": "payment_intent", "amount": it.amount, "amount_capturable": 0, "amount_details": {},
        "amount_received": it.received, "application": null, "application_fee_amount": null,
        "automatic_payment_methods": null, "canceled_at": null, "cancellation_reason": null,
        "capture_method": "automatic", "client_secret": it.secret, "confirmation_method": "automatic",
        "created": it.created, "currency": it.currency, "customer": it.customer, "customer_account": null,
        "description": null, "excluded_payment_method_types": null, "managed_payments": null,
        "payment_method_configuration_details": null, "last_payment_error": it.error, "latest_charge": null, "livemode": false, "metadata": {},
        "next_action": action, "on_behalf_of": null, "payment_method": it.method, "payment_method_options": {},
        "payment_method_types": it.types, "processing": null, "receipt_email": null, "review": null,
        "setup_future_usage": "off_session", "shipping": null, "source": null, "statement_descriptor": null,
        "statement_descriptor_suffix": null, "status": it.status, "transfer_data": null, "transfer_group": null,
    })
}

/// That an invoice is paid by an intent.
pub fn invoice_payment(stripe_state: &StripeState, it: &Intent, invoice: &str) -> Value {
    let billed = &stripe_state.invoices[invoice];
    let status = match billed.status {
        "paid" => "paid",
        "void" => "canceled",
        _ => "open",
    };
    json!({
        "id": format!("inpay_{}", &invoice[3..]), "object": "invoice_payment", "amount_requested": it.amount,
        "amount_paid": (status == "paid").then_some(it.received), "created": it.created, "currency": it.currency,
        "invoice": invoice, "is_default": true, "livemode": false, "status": status,
        "payment": { "type": "payment_intent", "payment_intent": it.id },
        "status_transitions": { "canceled_at": null, "paid_at": billed.paid_at },
    })
}

pub fn setup_intent(it: &Setup) -> Value {
    json!({
        "id": it.id, "object": "setup_intent", "application": null,
        "automatic_payment_methods": null, "cancellation_reason": null, "client_secret": it.secret,
        "created": it.created, "customer": it.customer, "description": null,
        "excluded_payment_method_types": null, "flow_directions": null, "payment_method_configuration_details": null,
        "last_setup_error": it.error, "latest_attempt": null, "livemode": false, "mandate": null, "metadata": {},
        "next_action": null, "on_behalf_of": null, "payment_method": it.method, "payment_method_options": {},
        "payment_method_types": it.types, "single_use_mandate": null, "status": it.status, "usage": "off_session",
    })
}

pub fn method(it: &Method) -> Value {
    let last4 = it.number.len().saturating_sub(4);
    if it.is_debit() {
        return json!({
            "id": it.id, "object": "payment_method", "allow_redisplay": "limited",
            "billing_details": { "address": null, "email": null, "name": null, "phone": null, "tax_id": null },
            "sepa_debit": { "bank_code": null, "branch_code": null, "country": "DE", "fingerprint": null,
                "generated_from": null, "last4": &it.number[last4..] },
            "created": it.created, "customer": it.customer, "customer_account": null, "livemode": false, "metadata": {},
            "type": "sepa_debit",
        });
    }
    json!({
        "id": it.id, "object": "payment_method", "allow_redisplay": "limited",
        "billing_details": { "address": null, "email": null, "name": null, "phone": null, "tax_id": null },
        "card": {
            "brand": brand(&it.number), "checks": null, "country": "US", "display_brand": brand(&it.number),
            "exp_month": it.expires.0, "exp_year": it.expires.1, "fingerprint": null, "funding": "credit",
            "generated_from": null, "last4": &it.number[last4..], "networks": null, "regulated_status": null,
            "three_d_secure_usage": null, "wallet": null,
        },
        "created": it.created, "customer": it.customer, "customer_account": null, "livemode": false, "metadata": {},
        "type": "card",
    })
}
