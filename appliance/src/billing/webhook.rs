//! Webhooks of Stripe. The content of an event is not trusted: it only triggers a refresh.

use morpion_rules::UserId;
use serde::Deserialize;
use serde_json::Value;
use stripe_webhook::{Webhook, WebhookError};

use super::{Billing, error::BillingError, is_id, ledger, refresh::BillingUpdate};
use crate::error::CommonError;

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
    /// The customer it concerns.
    fn customer(&self) -> Option<&str> {
        let object = &self.data.object;
        let named = if object["object"] == "customer" { &object["id"] } else { &object["customer"] };
        // Expanded or not.
        named.as_str().or_else(|| named["id"].as_str())
    }
}

impl Billing {
    /// Handles an event. Events of unknown kinds, of unknown customers, and those already handled are acknowledged and
    /// ignored.
    ///
    /// # Errors
    /// [`BillingError::BadSignature`] unless Stripe signed it within the last five minutes; [`CommonError::Malformed`];
    /// [`BillingError::PaymentsOff`]; [`CommonError::Unavailable`], after which Stripe sends it again.
    pub async fn handle_webhook(&self, body: &str, signature: Option<&str>) -> Result<(), BillingError> {
        self.provider()?;
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
        let Some(customer) = event.customer().filter(|id| is_id(id, "cus_")) else { return Ok(()) };
        let Some(user) = self.store.user_of_customer(customer).await? else { return Ok(()) };
        let about = event.data.object["id"].as_str().unwrap_or_default();
        let detail = format!("{} {about}", event.kind).chars().take(200).collect();
        let entry = ledger::entry(format!("event:{}", event.id), "told", detail, self.now());
        self.refresh_user(UserId(user), BillingUpdate { entries: vec![entry], webhook: Some(event.id) }).await
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn about(object: Value) -> Option<String> {
        let event = json!({ "id": "evt_1", "type": "x", "livemode": false, "data": { "object": object } });
        serde_json::from_value::<Event>(event).unwrap().customer().map(str::to_owned)
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
