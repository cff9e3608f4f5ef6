//! The ledger: what became of people's money and of Pro, each fact once, and the mails that go with some of it.

use chrono::{DateTime, Utc};
use morpion_store::{BillingAccount, LedgerEntry};

use super::{
    provider::{Invoice, Subscription},
    standing,
};
use crate::mail::Letter;

const PAID: &str = "paid";
const FAILED: &str = "payment-failed";
const RENEWAL_FAILED: &str = "renewal-failed";
const ENDED: &str = "ended";
const PURCHASE_FAILED: &str = "purchase-failed";

/// Currencies that have no smaller unit, as Stripe lists them.
const WHOLE: [&str; 16] =
    ["bif", "clp", "djf", "gnf", "jpy", "kmf", "krw", "mga", "pyg", "rwf", "ugx", "vnd", "vuv", "xaf", "xof", "xpf"];

/// An entry that somebody's deed makes; `fact` names it among all that ever happened.
pub fn entry(fact: String, kind: &str, detail: String, at: DateTime<Utc>) -> LedgerEntry {
    LedgerEntry { fact, kind: kind.to_owned(), detail, at }
}

/// What invoices say: each payment, and each one that failed.
pub(super) fn of_payments(subscriptions: &[Subscription], invoices: &[Invoice]) -> Vec<LedgerEntry> {
    let is_processing = |told: &Subscription, invoice: &Invoice| {
        told.is_processing() && told.latest_invoice.as_ref().is_some_and(|latest| latest.id == invoice.id)
    };
    let ours = |invoice: &&Invoice| {
        let told = subscriptions.iter().find(|told| invoice.subscription.as_ref() == Some(&told.id));
        told.is_some_and(|told| !is_processing(told, invoice))
    };
    invoices.iter().filter(ours).filter_map(of_invoice).collect()
}

fn of_invoice(invoice: &Invoice) -> Option<LedgerEntry> {
    let Invoice { id, currency, .. } = invoice;
    if invoice.is_paid() && invoice.amount_paid > 0 {
        let detail = format!("{}, invoice {id}", money(invoice.amount_paid, currency));
        return Some(entry(format!("paid:{id}"), PAID, detail, invoice.paid_at.unwrap_or(invoice.created)));
    }
    if invoice.is_open() && invoice.attempts > 0 {
        let kind = if invoice.reason == "subscription_cycle" { RENEWAL_FAILED } else { FAILED };
        let detail = format!("{}, invoice {id}, attempt {}", money(invoice.total, currency), invoice.attempts);
        return Some(entry(format!("failed:{id}:{}", invoice.attempts), kind, detail, invoice.created));
    }
    None
}

/// That a subscription has ended, or that its first payment did not arrive after all.
pub(super) fn of_end(told: &Subscription) -> Option<LedgerEntry> {
    let ended = told.ended_at.filter(|_| told.status == "canceled")?;
    if told.is_unpaid_purchase() {
        let detail = format!("{}, {}", money(told.price, &told.currency), told.id);
        return Some(entry(format!("purchase-failed:{}", told.id), PURCHASE_FAILED, detail, ended));
    }
    Some(entry(format!("ended:{}", told.id), ENDED, format!("{}, {}", told.name, told.id), ended))
}

/// Whether somebody is written to about it.
pub(super) fn has_letter(entry: &LedgerEntry) -> bool {
    matches!(entry.kind.as_str(), PAID | RENEWAL_FAILED | PURCHASE_FAILED | ENDED)
}

pub(super) fn letter(entry: &LedgerEntry, username: &str, account: &BillingAccount) -> Option<Letter> {
    let amount = entry.detail.split(", ").next().unwrap_or_default();
    let row = account.subscription.as_ref();
    match entry.kind.as_str() {
        PAID => Some(Letter::receipt(username, amount, row.and_then(|row| row.paid_until))),
        RENEWAL_FAILED => Some(Letter::renewal_failed(username, amount, row.and_then(standing::pro_until))),
        PURCHASE_FAILED => Some(Letter::purchase_failed(username, amount)),
        ENDED => Some(Letter::pro_ended(username)),
        _ => None,
    }
}

/// An amount in the smallest unit, as people write it: `3.99 USD`.
pub fn money(amount: i64, currency: &str) -> String {
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
        assert_eq!(money(399, "usd"), "3.99 USD");
        assert_eq!(money(3_500, "eur"), "35.00 EUR");
        assert_eq!(money(5, "usd"), "0.05 USD");
        assert_eq!(money(-1_234, "usd"), "-12.34 USD");
        assert_eq!(money(500, "jpy"), "500 JPY");
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
        assert_eq!(of_invoice(&invoice), None);
        let facts = |attempts| of_invoice(&Invoice { attempts, ..invoice.clone() }).unwrap().fact;
        assert_eq!((facts(1), facts(2)), ("failed:in_1:1".to_owned(), "failed:in_1:2".to_owned()));
        let paid = Invoice { status: "paid".to_owned(), amount_paid: 399, attempts: 3, ..invoice.clone() };
        let entry = of_invoice(&paid).unwrap();
        assert_eq!((entry.fact.as_str(), entry.detail.as_str()), ("paid:in_1", "3.99 USD, invoice in_1"));
        assert_eq!(of_payments(&[], &[paid]), [], "what is none of ours");
    }
}
