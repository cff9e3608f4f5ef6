//! Webhooks of Stripe. The content of an event only says whom it is about: what counts is asked for. The exception are
//! disputes and warnings of fraud, of which the operator is told what Stripe signed.

use chrono::{DateTime, Utc};
use morpion_rules::UserId;
use morpion_store::LedgerEntry;
use serde::Deserialize;
use serde_json::Value;
use stripe_webhook::{Webhook, WebhookError};

use super::{
    Billing,
    error::BillingError,
    is_id, ledger,
    provider::{Provider, ProviderError},
    refresh::BillingUpdate,
};
use crate::error::CommonError;

/// The end of a dispute, with its outcome as the status.
const DISPUTE_CLOSED: &str = "charge.dispute.closed";

/// Kinds of events after which the prices of the plans are looked up anew.
const PRICES: [&str; 2] = ["price.", "product."];

/// Characters of an entry.
const MAX_DETAIL: usize = 200;

/// The parts of an event that we read; they are the same in all versions of Stripe's API.
#[derive(Debug, Deserialize)]
struct Event {
    id: String,
    #[serde(rename = "type")]
    kind: String,
    livemode: bool,
    data: Data,
}

#[derive(Debug, Deserialize)]
struct Data {
    object: Value,
}

impl Event {
    /// The customer it concerns, where it names one.
    fn customer(&self) -> Option<&str> {
        let object = &self.data.object;
        id_of(if object["object"] == "customer" { &object["id"] } else { &object["customer"] })
    }

    /// The payment it concerns: disputes, warnings of fraud, refunds and payments of invoices name no customer.
    fn payment(&self) -> Option<&str> {
        let object = &self.data.object;
        id_of(&object["payment_intent"]).or_else(|| id_of(&object["payment"]["payment_intent"]))
    }

    /// The entry for what the operator has to know. Stripe signed it, and it changes nobody's Pro but by a lost dispute.
    fn alarm(&self, now: DateTime<Utc>) -> Option<LedgerEntry> {
        let object = &self.data.object;
        let text = |field: &str| object[field].as_str().unwrap_or_default();
        let id = text("id");
        let (kind, fact) = match (self.kind.as_str(), text("status")) {
            ("charge.dispute.created", _) => (ledger::DISPUTED, format!("disputed:{id}")),
            (DISPUTE_CLOSED, "lost") => (ledger::DISPUTE_LOST, format!("dispute-closed:{id}")),
            (DISPUTE_CLOSED, "won") => (ledger::DISPUTE_WON, format!("dispute-closed:{id}")),
            (DISPUTE_CLOSED, _) => (ledger::DISPUTE_CLOSED, format!("dispute-closed:{id}")),
            ("radar.early_fraud_warning.created", _) => (ledger::FRAUD_WARNING, format!("fraud:{id}")),
            _ => return None,
        };
        let money = object["amount"].as_i64().map(|amount| ledger::format_money(amount, text("currency")));
        let reason = [text("reason"), text("fraud_type")].into_iter().find(|reason| !reason.is_empty());
        let due = object["evidence_details"]["due_by"].as_i64().filter(|_| kind == ledger::DISPUTED);
        let due = due.and_then(|due| DateTime::from_timestamp(due, 0));
        let parts = [
            money,
            Some(id.to_owned()),
            self.payment().map(str::to_owned),
            reason.map(str::to_owned),
            due.map(|due| format!("answer until {}", due.format("%F %R UTC"))),
        ];
        let detail: String =
            parts.into_iter().flatten().collect::<Vec<_>>().join(", ").chars().take(MAX_DETAIL).collect();
        Some(ledger::entry(fact, kind, detail, now))
    }
}

/// An id, of an object that is expanded or not.
fn id_of(named: &Value) -> Option<&str> {
    named.as_str().or_else(|| named["id"].as_str())
}

impl Billing {
    /// Handles an event: `docs/behaviour/payments.md` lists which. Events of unknown kinds, of unknown customers, and those
    /// already handled are acknowledged and ignored.
    ///
    /// # Errors
    /// [`BillingError::BadSignature`] unless Stripe signed it within the last five minutes; [`CommonError::Malformed`];
    /// [`BillingError::PaymentsOff`]; [`CommonError::Unavailable`], after which Stripe sends it again.
    pub async fn handle_webhook(&self, body: &str, signature: Option<&str>) -> Result<(), BillingError> {
        let provider = self.provider()?.for_upkeep();
        let event = self.verify(body, signature.unwrap_or_default())?;
        if event.livemode != self.is_live {
            tracing::warn!(
                event = event.id,
                "an event of the payment provider's other mode (test or live) was ignored"
            );
            return Ok(());
        }
        if self.store.knows_webhook(&event.id).await? {
            return Ok(());
        }
        if PRICES.iter().any(|prefix| event.kind.starts_with(prefix)) {
            // A plan whose price is gone is not sold on.
            return Ok(self.plans.find_prices(&provider).await.map(drop)?);
        }
        let Some(customer) = customer_of(&provider, &event).await? else { return Ok(()) };
        let Some(user) = self.store.user_of_customer(&customer).await? else { return Ok(()) };
        self.handle(&provider, UserId(user), event).await
    }

    async fn handle(&self, provider: &Provider, user: UserId, event: Event) -> Result<(), BillingError> {
        let _lock = self.lock_account(user).await?;
        let alarm = event.alarm(self.now());
        if self.store.billing_account(user.0).await?.is_none() {
            // Their account is deleted; the operator still has to answer.
            let Some(alarm) = alarm else { return Ok(()) };
            let entries = [alarm];
            let new = self.store.save_billing_events(user.0, &entries, Some(&event.id), self.now()).await?;
            self.report(user.0, entries.iter().filter(|entry| new.contains(&entry.fact)));
            return Ok(());
        }
        let mut account = self.account(user).await?;
        if let (Some(customer), Some(payment)) = (&account.customer, event.payment())
            && alarm.as_ref().is_some_and(|alarm| alarm.kind == ledger::DISPUTE_LOST)
        {
            end_paid_by(provider, customer, payment).await?;
        }
        if event.kind == "customer.deleted" && event.customer() == account.customer.as_deref() {
            match provider.default_card(account.customer.as_deref().unwrap_or_default()).await {
                Err(ProviderError::NotFound(_)) => (account.customer, account.purchase) = (None, None),
                other => drop(other?),
            }
        }
        let entry = alarm.unwrap_or_else(|| {
            let about = event.data.object["id"].as_str().unwrap_or_default();
            let detail = format!("{} {about}", event.kind).chars().take(MAX_DETAIL).collect();
            ledger::entry(format!("event:{}", event.id), "told", detail, self.now())
        });
        let update = BillingUpdate { entries: vec![entry], webhook: Some(event.id) };
        self.refresh_by(provider, &mut account, update).await.map(drop)
    }

    fn verify(&self, body: &str, signature: &str) -> Result<Event, BillingError> {
        match Webhook::construct_event(body, signature, self.webhook_secret.expose()) {
            // The signature is valid; the parsed content depends on the API's version, and is not needed.
            Ok(_) | Err(WebhookError::BadParse(_)) => {}
            Err(reason) => {
                tracing::warn!(%reason, "an event that the payment provider did not sign was refused");
                return Err(BillingError::BadSignature);
            }
        }
        let event = serde_json::from_str(body).ok().filter(|event: &Event| is_id(&event.id, "evt_"));
        event.ok_or_else(|| CommonError::malformed("Invalid event payload.").into())
    }
}

/// Whom an event concerns. An event without a customer may name a payment, of which Stripe is asked.
async fn customer_of(provider: &Provider, event: &Event) -> Result<Option<String>, BillingError> {
    let customer = match (event.customer(), event.payment()) {
        (Some(customer), _) => Some(customer.to_owned()),
        (None, Some(payment)) if is_id(payment, "pi_") => match provider.intent(payment).await {
            Ok(intent) => intent.customer,
            Err(ProviderError::NotFound(_)) => None,
            Err(error) => return Err(error.into()),
        },
        (None, _) => None,
    };
    Ok(customer.filter(|id| is_id(id, "cus_")))
}

/// Ends the subscription that was paid with a payment, so that it takes no more money of that card.
async fn end_paid_by(provider: &Provider, customer: &str, payment: &str) -> Result<(), ProviderError> {
    if !is_id(payment, "pi_") {
        return Ok(());
    }
    let Some(paid) = provider.invoice_of_intent(payment).await? else { return Ok(()) };
    let invoice = provider.invoices(customer).await?.into_iter().find(|invoice| invoice.id == paid);
    match invoice.and_then(|invoice| invoice.subscription) {
        Some(subscription) => provider.cancel_now(&format!("lost-{paid}"), &subscription).await,
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn about(object: Value) -> Option<String> {
        let event = json!({ "id": "evt_1", "type": "x", "livemode": false, "data": { "object": object } });
        serde_json::from_value::<Event>(event).unwrap().customer().map(str::to_owned)
    }

    #[test]
    fn an_alarm_says_what_an_operator_needs() {
        let alarm = |kind: &str, object: Value| {
            let event = json!({ "id": "evt_1", "type": kind, "livemode": false, "data": { "object": object } });
            let alarm = serde_json::from_value::<Event>(event).unwrap().alarm(DateTime::UNIX_EPOCH);
            alarm.map(|entry| (entry.kind, entry.detail))
        };
        let dispute = json!({ "id": "du_1", "object": "dispute", "amount": 399, "currency": "usd", "charge": "ch_1",
            "payment_intent": "pi_1", "reason": "fraudulent", "status": "needs_response",
            "evidence_details": { "due_by": 1_800_000_000 } });
        let (kind, detail) = alarm("charge.dispute.created", dispute.clone()).unwrap();
        assert_eq!(kind, "disputed");
        assert_eq!(detail, "3.99 USD, du_1, pi_1, fraudulent, answer until 2027-01-15 08:00 UTC");
        for (status, kind) in [("lost", "dispute-lost"), ("won", "dispute-won"), ("warning_closed", "dispute-closed")] {
            let mut closed = dispute.clone();
            closed["status"] = json!(status);
            assert_eq!(alarm("charge.dispute.closed", closed).unwrap().0, kind);
        }
        let warning =
            json!({ "id": "issfr_1", "object": "radar.early_fraud_warning", "fraud_type": "made_with_lost_card" });
        let warning = alarm("radar.early_fraud_warning.created", warning).unwrap();
        assert_eq!(warning, ("fraud-warning".to_owned(), "issfr_1, made_with_lost_card".to_owned()));
        assert_eq!(alarm("charge.dispute.updated", dispute), None);
    }

    #[test]
    fn an_event_names_its_customer_in_one_of_three_ways() {
        assert_eq!(about(json!({ "object": "invoice", "customer": "cus_1" })).unwrap(), "cus_1");
        assert_eq!(about(json!({ "object": "invoice", "customer": { "id": "cus_2" } })).unwrap(), "cus_2");
        assert_eq!(about(json!({ "object": "customer", "id": "cus_3" })).unwrap(), "cus_3");
        for nobody in [json!({}), json!(null), json!("cus_1"), json!({ "customer": 7 }), json!([1])] {
            assert_eq!(about(nobody), None);
        }
    }
}
