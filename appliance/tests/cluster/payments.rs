//! Newcomers who buy a plan at a stand-in for Stripe, which tells whichever node answers what happened.

use std::{net::SocketAddr, time::Duration};

use morpion_appliance::config::Config;
use reqwest::{
    Client,
    header::{HOST as HOST_HEADER, HeaderMap, HeaderValue},
};
use serde_json::{Value, json};
use tokio::time::sleep;

use crate::{
    client::{Account, Caller, HOST},
    history::{Outcome, What},
    player::Surroundings,
    shop::{MONTHLY, PAYS, at_stripe, pay_at, sell},
    stripe::{PUBLISHABLE_KEY, SECRET_KEY, Stripe, WEBHOOK_SECRET, webhook::deliver},
};

/// How often somebody tries to buy.
const ATTEMPTS: usize = 6;

/// Between two attempts.
const PAUSE: Duration = Duration::from_millis(300);

/// How often events are looked for that no node has taken.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// How long a node may take for an event.
const TAKEN_WITHIN: Duration = Duration::from_secs(2);

pub struct Payments {
    stripe: Stripe,
    client: Client,
}

impl Payments {
    /// Opens a stand-in that has the plans.
    pub async fn open() -> Self {
        let stripe = Stripe::start().await;
        let mut config = Config::default();
        pay_at(&mut config, &stripe);
        sell(&config).await;
        let host = HeaderMap::from_iter([(HOST_HEADER, HeaderValue::from_static(HOST))]);
        let client = Client::builder().no_proxy().timeout(TAKEN_WITHIN).default_headers(host).build().unwrap();
        Self { stripe, client }
    }

    /// What a node is configured with.
    pub fn settings(&self) -> String {
        format!(
            "[billing]\nsecret_key = {SECRET_KEY:?}\npublishable_key = {PUBLISHABLE_KEY:?}\n\
             webhook_secret = {WEBHOOK_SECRET:?}\nrequire_verified_email = false\napi_base = {:?}\n",
            self.stripe.base()
        )
    }

    /// Tells the nodes in turn of each event, until one has taken it.
    pub async fn keep_telling(&self, nodes: &[SocketAddr]) {
        for node in nodes.iter().cycle() {
            let Some(event) = self.stripe.stripe_state().untold.front().cloned() else {
                sleep(LOOK_EVERY).await;
                continue;
            };
            let url = format!("http://{node}/api/backend/stripe/webhook");
            if deliver(&self.client, &url, WEBHOOK_SECRET, &event).await.is_ok_and(|status| status.is_success()) {
                self.stripe.stripe_state().untold.pop_front();
            } else {
                sleep(LOOK_EVERY).await;
            }
        }
    }

    /// Buys the plan, at one node after the other until that is acknowledged.
    pub async fn buy(&self, around: &Surroundings, account: &Account, client: usize) {
        for attempt in 0..ATTEMPTS {
            let node = (client + attempt) % around.nodes.len();
            let asked = around.history.tick();
            let outcome = self.buy_at(around, account, around.nodes[node]).await;
            around.history.record(client, node, asked, What::Bought { name: account.name.clone(), outcome });
            if outcome == Outcome::Acknowledged {
                return;
            }
            sleep(PAUSE).await;
        }
    }

    async fn buy_at(&self, around: &Surroundings, account: &Account, node: SocketAddr) -> Outcome {
        let act = async |action: &str, payload: Value| {
            around.http.write(node, Caller::Person(account), "subscription", action, payload).await
        };
        let begun = act("create_subscription_iten", json!({ "planId": MONTHLY })).await;
        let Some(begun) = begun.map(|answer| answer.body) else { return Outcome::Unknown };
        if begun["errorCode"] == "already-subscribed" {
            return Outcome::Acknowledged;
        }
        let Some(secret) = begun["clientSecret"].as_str() else { return Outcome::Unknown };
        // Refused if an earlier attempt has paid.
        let card = [("payment_method_data[card][number]", PAYS)];
        let (_, intent) = at_stripe(&self.client, &self.stripe, secret, "confirm", &card).await;
        let report = json!({
            "paymentIntentId": secret.split("_secret_").next(), "planId": MONTHLY, "isPaid": true,
            "paymentMethodeId": intent["payment_method"].as_str().unwrap_or("pm_1"),
        });
        match act("subscribe", report).await {
            Some(answer) if answer.body["subscription"]["isSubScribe"] == true => Outcome::Acknowledged,
            _ => Outcome::Unknown,
        }
    }

    /// How often somebody was charged.
    pub fn charges(&self, account: &Account) -> usize {
        let stripe_state = self.stripe.stripe_state();
        let is_theirs =
            |customer: &str| stripe_state.customers[customer].metadata["morpion_user"] == account.id.as_str();
        stripe_state.charges.iter().filter(|charge| is_theirs(&charge.customer)).count()
    }
}
