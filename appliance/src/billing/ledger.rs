//! The ledger: payments and changes of Pro, each fact once, and the emails that report some of them.

use chrono::{DateTime, Utc};
use morpion_store::{BillingAccount, LedgerEntry};

use super::{
    entitlement,
    provider::{Invoice, Subscription},
};
use crate::{mail::EmailTemplate, metrics::PaymentOutcome};

const PAID: &str = "paid";
const FAILED: &str = "payment-failed";
const RENEWAL_FAILED: &str = "renewal-failed";
const ENDED: &str = "ended";
const PURCHASE_FAILED: &str = "purchase-failed";
/// The owner of a card denied a payment to their bank.
pub(super) const DISPUTED: &str = "disputed";
pub(super) const DISPUTE_WON: &str = "dispute-won";
pub(super) const DISPUTE_LOST: &str = "dispute-lost";
/// An inquiry that became no dispute.
pub(super) const DISPUTE_CLOSED: &str = "dispute-closed";
/// A bank takes a payment for fraud, before any dispute.
pub(super) const FRAUD_WARNING: &str = "fraud-warning";

/// Currencies without a smaller unit, as Stripe lists them.
const WHOLE: [&str; 16] =
    ["bif", "clp", "djf", "gnf", "jpy", "kmf", "krw", "mga", "pyg", "rwf", "ugx", "vnd", "vuv", "xaf", "xof", "xpf"];

/// An entry for an action; `fact` identifies it among all entries.
pub fn entry(fact: String, kind: &str, detail: String, at: DateTime<Utc>) -> LedgerEntry {
    LedgerEntry { fact, kind: kind.to_owned(), detail, at }
}

/// Entries for invoices: each payment, and each failed attempt.
pub(super) fn payment_entries(subscriptions: &[Subscription], invoices: &[Invoice]) -> Vec<LedgerEntry> {
    let is_processing = |subscription: &Subscription, invoice: &Invoice| {
        subscription.is_processing()
            && subscription.latest_invoice.as_ref().is_some_and(|latest| latest.id == invoice.id)
    };
    let ours = |invoice: &&Invoice| {
        let subscription =
            subscriptions.iter().find(|subscription| invoice.subscription.as_ref() == Some(&subscription.id));
        subscription.is_some_and(|subscription| !is_processing(subscription, invoice))
    };
    invoices.iter().filter(ours).filter_map(invoice_entry).collect()
}

fn invoice_entry(invoice: &Invoice) -> Option<LedgerEntry> {
    let Invoice { id, currency, .. } = invoice;
    if invoice.is_paid() && invoice.amount_paid > 0 {
        let detail = format!("{}, invoice {id}", format_money(invoice.amount_paid, currency));
        return Some(entry(format!("paid:{id}"), PAID, detail, invoice.paid_at.unwrap_or(invoice.created)));
    }
    if invoice.is_open() && invoice.attempts > 0 {
        let kind = if invoice.reason == "subscription_cycle" { RENEWAL_FAILED } else { FAILED };
        let detail = format!("{}, invoice {id}, attempt {}", format_money(invoice.total, currency), invoice.attempts);
        return Some(entry(format!("failed:{id}:{}", invoice.attempts), kind, detail, invoice.created));
    }
    None
}

/// The entry for a subscription that has ended, or whose first payment did not arrive.
pub(super) fn end_entry(subscription: &Subscription) -> Option<LedgerEntry> {
    let ended = subscription.ended_at.filter(|_| subscription.status == "canceled")?;
    if subscription.is_unpaid_purchase() {
        let detail = format!("{}, {}", format_money(subscription.price, &subscription.currency), subscription.id);
        return Some(entry(format!("purchase-failed:{}", subscription.id), PURCHASE_FAILED, detail, ended));
    }
    Some(entry(
        format!("ended:{}", subscription.id),
        ENDED,
        format!("{}, {}", subscription.name, subscription.id),
        ended,
    ))
}

/// What an entry says of a payment, if it is about one.
pub(super) fn payment_outcome(entry: &LedgerEntry) -> Option<PaymentOutcome> {
    match entry.kind.as_str() {
        PAID => Some(PaymentOutcome::Paid),
        FAILED | RENEWAL_FAILED | PURCHASE_FAILED => Some(PaymentOutcome::Failed),
        DISPUTED => Some(PaymentOutcome::Disputed),
        FRAUD_WARNING => Some(PaymentOutcome::FraudWarning),
        _ => None,
    }
}

/// What the operator should know of it, for entries that need somebody.
pub(super) fn advice(entry: &LedgerEntry) -> Option<&'static str> {
    Some(match entry.kind.as_str() {
        DISPUTED => "a payment is disputed; answer in Stripe's dashboard in time",
        DISPUTE_LOST => "a dispute was lost: the money is gone, and Pro that was paid with it has ended",
        FRAUD_WARNING => "a bank takes a payment for fraud; a refund in Stripe's dashboard avoids a dispute",
        _ => return None,
    })
}

/// Whether the user gets an email about it.
pub(super) fn sends_email(entry: &LedgerEntry) -> bool {
    matches!(entry.kind.as_str(), PAID | RENEWAL_FAILED | PURCHASE_FAILED | ENDED)
}

pub(super) fn email(entry: &LedgerEntry, username: &str, account: &BillingAccount) -> Option<EmailTemplate> {
    let amount = entry.detail.split(", ").next().unwrap_or_default();
    let row = account.subscription.as_ref();
    match entry.kind.as_str() {
        PAID => Some(EmailTemplate::receipt(username, amount, row.and_then(|row| row.paid_until))),
        RENEWAL_FAILED => Some(EmailTemplate::renewal_failed(username, amount, row.and_then(entitlement::pro_until))),
        PURCHASE_FAILED => Some(EmailTemplate::purchase_failed(username, amount)),
        ENDED => Some(EmailTemplate::pro_ended(username)),
        _ => None,
    }
}

/// An amount in the smallest unit, as people write it: `3.99 USD`.
pub fn format_money(amount: i64, currency: &str) -> String {
    let name = currency.to_uppercase();
    if WHOLE.contains(&currency) {
        return format!("{amount} {name}");
    }
    let sign = if amount < 0 { "-" } else { "" };
    format!("{sign}{}.{:02} {name}", amount.unsigned_abs() / 100, amount.unsigned_abs() % 100)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn money_is_written_as_people_write_it() {
        assert_eq!(format_money(399, "usd"), "3.99 USD");
        assert_eq!(format_money(3_500, "eur"), "35.00 EUR");
        assert_eq!(format_money(5, "usd"), "0.05 USD");
        assert_eq!(format_money(-1_234, "usd"), "-12.34 USD");
        assert_eq!(format_money(500, "jpy"), "500 JPY");
    }

    #[test]
    fn a_payment_is_one_fact_and_each_failure_another() {
        let invoice = Invoice {
            id: "in_1".to_owned(),
            status: "open".to_owned(),
            reason: "subscription_cycle".to_owned(),
            subscription: Some("sub_1".to_owned()),
            total: 399,
            amount_paid: 0,
            currency: "usd".to_owned(),
            created: DateTime::UNIX_EPOCH,
            paid_at: None,
            attempts: 0,
            url: None,
            client_secret: None,
        };
        assert_eq!(invoice_entry(&invoice), None);
        let facts = |attempts| invoice_entry(&Invoice { attempts, ..invoice.clone() }).unwrap().fact;
        assert_eq!((facts(1), facts(2)), ("failed:in_1:1".to_owned(), "failed:in_1:2".to_owned()));
        let paid = Invoice { status: "paid".to_owned(), amount_paid: 399, attempts: 3, ..invoice.clone() };
        let entry = invoice_entry(&paid).unwrap();
        assert_eq!((entry.fact.as_str(), entry.detail.as_str()), ("paid:in_1", "3.99 USD, invoice in_1"));
        assert_eq!(payment_entries(&[], &[paid]), [], "what is none of ours");
    }
}
