//! Events on their way to a server, signed as Stripe signs them.

use std::time::Duration;

use chrono::Utc;
use hmac::{Hmac, Mac};
use reqwest::{Client, StatusCode};
use serde_json::Value;
use sha2::Sha256;

use super::Stripe;

/// How often undelivered events are looked for.
const LOOK_EVERY: Duration = Duration::from_millis(200);

/// The header `Stripe-Signature` for this body at this time.
pub fn signature(body: &str, secret: &str, at: i64) -> String {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).expect("any length will do");
    mac.update(format!("{at}.{body}").as_bytes());
    let hex: String = mac.finalize().into_bytes().iter().map(|byte| format!("{byte:02x}")).collect();
    format!("t={at},v1={hex}")
}

/// Delivers an event to a server now.
pub async fn deliver(client: &Client, url: &str, secret: &str, event: &Value) -> reqwest::Result<StatusCode> {
    let body = event.to_string();
    let signature = signature(&body, secret, Utc::now().timestamp());
    let request = client.post(url).header("content-type", "application/json; charset=utf-8");
    Ok(request.header("stripe-signature", signature).body(body).send().await?.status())
}

impl Stripe {
    /// Delivers all events to a server in order; refused ones are repeated.
    pub async fn keep_delivering(&self, url: String, secret: String) {
        let client = Client::builder().no_proxy().build().expect("a client");
        loop {
            let next = self.stripe_state().untold.front().cloned();
            let is_taken = match &next {
                Some(event) => deliver(&client, &url, &secret, event).await.is_ok_and(|status| status.is_success()),
                None => false,
            };
            if is_taken {
                self.stripe_state().untold.pop_front();
            } else {
                tokio::time::sleep(LOOK_EVERY).await;
            }
        }
    }
}
