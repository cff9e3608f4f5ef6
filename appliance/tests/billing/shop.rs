//! A server with a stand-in for Stripe, one clock for both, and browsers that pay.

use chrono::{DateTime, Utc};
use morpion_appliance::{account::profile::is_pro, billing::reconcile::Scope, clock::Clock, config::Config};
use morpion_rules::UserId;
use reqwest::Client;
use serde_json::{Value, json};

use crate::{
    stripe::{self, PUBLISHABLE_KEY, SECRET_KEY, Stripe, WEBHOOK_SECRET, stripe_state::DAY, webhook::deliver},
    support::{Browser, Outcome, Server},
};

pub const MONTHLY: &str = "1";
pub const HALF_YEARLY: &str = "2";
pub const YEARLY: &str = "3";

pub const PAYS: &str = "4242424242424242";
pub const DECLINED: &str = "4000000000000002";
/// Requires 3-D Secure the first time.
pub const ASKS: &str = "4000002500003155";
/// A bank account whose debits succeed after days.
pub const IBAN: &str = "DE89370400440532013000";
/// A bank account whose debits fail after days.
pub const BAD_IBAN: &str = "DE62370400440532013001";
/// Requires 3-D Secure every time.
pub const ALWAYS_ASKS: &str = "4000002760003184";

pub struct Shop {
    pub server: Server,
    pub stripe: Stripe,
    pub clock: Clock,
    client: Client,
    /// The outbox; removed with the shop.
    folder: tempfile::TempDir,
}

/// A user with an account, in a browser.
pub struct Customer {
    pub browser: Browser,
    pub id: UserId,
}

/// The billing configuration for the stand-in.
pub fn pay_at(config: &mut Config, stripe: &Stripe) {
    config.billing.secret_key = SECRET_KEY.to_owned().into();
    config.billing.publishable_key = PUBLISHABLE_KEY.to_owned();
    config.billing.webhook_secret = WEBHOOK_SECRET.to_owned().into();
    config.billing.api_base = stripe.base();
    // Tests make as many calls in a second as an honest shop in an hour.
    config.billing.calls_per_second = 10_000.try_into().unwrap();
}

impl Shop {
    pub async fn open() -> Self {
        Self::with(|_| {}).await
    }

    /// Sells in euros and accepts SEPA debits besides cards.
    pub async fn with_debits() -> Self {
        Self::with(|config| {
            config.billing.methods = vec!["card".to_owned(), "sepa_debit".to_owned()];
            config.billing.plans.iter_mut().for_each(|plan| plan.currency = "eur".to_owned());
        })
        .await
    }

    pub async fn with(change: impl FnOnce(&mut Config)) -> Self {
        let stripe = Stripe::start().await;
        let clock = Clock::default();
        let mut settings = Config::default();
        pay_at(&mut settings, &stripe);
        let folder = tempfile::TempDir::new().unwrap();
        let server = Server::with_clock(clock.clone(), |config| {
            config.data_dir = folder.path().to_owned();
            pay_at(config, &stripe);
            change(config);
            settings.billing.plans.clone_from(&config.billing.plans);
        })
        .await;
        sell(&settings).await;
        Self { server, stripe, clock, client: Client::builder().no_proxy().build().unwrap(), folder }
    }

    /// With a verified email.
    pub async fn customer(&self, name: &str) -> Customer {
        let customer = self.stranger(name).await;
        let email = self.server.app.store.user(customer.id.0).await.unwrap().unwrap().email.unwrap();
        self.server.verify_email_of(customer.id.0, &email).await;
        customer
    }

    /// With an email that nobody verified.
    pub async fn stranger(&self, name: &str) -> Customer {
        let (browser, user) = self.server.registered(name).await;
        Customer { browser, id: UserId(user["userId"].as_str().unwrap().parse().unwrap()) }
    }

    /// Every mail that was sent.
    pub fn mails(&self) -> Vec<String> {
        let files = std::fs::read_dir(self.folder.path().join("outbox")).into_iter().flatten();
        let files =
            files.map(|file| file.unwrap().path()).filter(|path| path.extension().is_some_and(|it| it == "eml"));
        files.map(|file| std::fs::read_to_string(file).unwrap()).collect()
    }

    pub fn now(&self) -> DateTime<Utc> {
        self.clock.wall()
    }

    /// Advances the clock of both. Renewals happen; webhooks are not delivered yet.
    pub fn pass(&self, seconds: i64) {
        self.stripe.stripe_state().advance(seconds);
        self.clock.advance_calendar(seconds * 1_000);
    }

    /// Letters are counted by a clock that no calendar moves.
    pub fn pass_a_day_of_letters(&self) {
        self.clock.advance(DAY * 1_000);
    }

    pub fn pass_days(&self, days: i64) {
        self.pass(days * DAY);
    }

    /// Runs the server's hourly reconciliation.
    pub async fn reconcile(&self) {
        self.server.app.billing.reconcile(Scope::Pending).await.unwrap();
    }

    pub async fn tell(&self, event: &Value) -> u16 {
        let url = format!("http://{}/api/backend/stripe/webhook", self.server.address);
        deliver(&self.client, &url, WEBHOOK_SECRET, event).await.unwrap().as_u16()
    }

    /// Delivers all pending webhooks.
    pub async fn tell_all(&self) {
        let untold: Vec<Value> = self.stripe.stripe_state().untold.drain(..).collect();
        for event in untold {
            assert_eq!(self.tell(&event).await, 200, "{event}");
        }
    }

    /// Whether the server currently reports Pro.
    pub async fn is_pro(&self, customer: &Customer) -> bool {
        let user = self.server.app.store.user(customer.id.0).await.unwrap().unwrap();
        is_pro(&user, self.now())
    }

    /// Whether Pro is paid at Stripe, or overdue for less than seven days.
    pub fn should_be_pro(&self, customer: &Customer) -> bool {
        let id = customer.id.to_string();
        let stripe_state = self.stripe.stripe_state();
        let (now, grace) = (stripe_state.now(), 7 * DAY);
        stripe_state.subscriptions.values().any(|it| {
            let is_theirs = stripe_state.customers[&it.customer].metadata["morpion_user"] == id;
            let newest = &stripe_state.invoices[&it.latest_invoice];
            // A change that waits for its payment does not affect the paid period.
            let is_paid = newest.status == "paid" || newest.reason == "subscription_update";
            let paid_until = if is_paid { it.period.1 } else { it.period.0 };
            is_theirs
                && matches!(it.status, "active" | "past_due")
                && now < paid_until + if it.cancels { 0 } else { grace }
        })
    }

    /// The total amount charged to a user.
    pub fn charged(&self, customer: &Customer) -> Vec<i64> {
        let id = customer.id.to_string();
        let stripe_state = self.stripe.stripe_state();
        let theirs =
            |it: &&stripe::stripe_state::Charge| stripe_state.customers[&it.customer].metadata["morpion_user"] == id;
        stripe_state.charges.iter().filter(theirs).map(|it| it.amount).collect()
    }

    /// Makes all cards fail from now on, or work again.
    pub fn set_refusing(&self, refuses: bool) {
        self.stripe.stripe_state().methods.values_mut().for_each(|method| method.refuses = refuses);
    }

    /// A browser at Stripe, with the client secret it received.
    pub async fn at_stripe(&self, secret: &str, call: &str, fields: &[(&str, &str)]) -> (u16, Value) {
        at_stripe(&self.client, &self.stripe, secret, call, fields).await
    }

    pub async fn pay(&self, secret: &str, card: &str) -> (u16, Value) {
        self.at_stripe(secret, "confirm", &[("payment_method_data[card][number]", card)]).await
    }

    pub async fn debit(&self, secret: &str, iban: &str) -> (u16, Value) {
        self.at_stripe(secret, "confirm", &[("payment_method_data[sepa_debit][iban]", iban)]).await
    }

    /// Adds a card at Stripe without a webhook; returns the id of its setup.
    pub async fn set_up(&self, customer: &Customer, card: &str) -> String {
        let secret = customer.act("create_setup_intent", json!({})).await.ok()["clientSecret"].clone();
        let (status, setup) = self.pay(secret.as_str().unwrap(), card).await;
        assert_eq!((status, &setup["status"]), (200, &json!("succeeded")), "{setup}");
        setup["id"].as_str().unwrap().to_owned()
    }

    /// From the plan to Pro, as the web app does it.
    pub async fn buy(&self, customer: &Customer, plan: &str) -> Value {
        let secret = customer.begin(plan).await;
        let (status, intent) = self.pay(&secret, PAYS).await;
        assert_eq!((status, &intent["status"]), (200, &json!("succeeded")), "{intent}");
        customer.report(&intent, plan).await.ok()["subscription"].clone()
    }
}

/// Creates the plans' prices, as `morpion billing sync` does.
pub async fn sell(config: &Config) {
    let provider = morpion_appliance::billing::provider::Provider::new(&config.billing).unwrap().unwrap();
    morpion_appliance::billing::plans::sync(&provider, &config.billing).await.unwrap();
}

pub async fn at_stripe(
    client: &Client,
    stripe: &Stripe,
    secret: &str,
    call: &str,
    fields: &[(&str, &str)],
) -> (u16, Value) {
    let id = secret.split("_secret_").next().unwrap();
    let mut form = vec![("key", PUBLISHABLE_KEY), ("client_secret", secret)];
    form.extend_from_slice(fields);
    let body: String = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(form).finish();
    let kind = if id.starts_with("seti_") { "setup_intents" } else { "payment_intents" };
    let request = client.post(format!("{}/v1/{kind}/{id}/{call}", stripe.base())).body(body);
    let response = request.send().await.unwrap();
    (response.status().as_u16(), response.json().await.unwrap())
}

impl Customer {
    pub async fn begin(&self, plan: &str) -> String {
        let answer =
            self.browser.write("subscription", "create_subscription_iten", json!({ "planId": plan })).await.ok();
        answer["clientSecret"].as_str().unwrap().to_owned()
    }

    /// Reports that an intent was paid.
    pub async fn report(&self, intent: &Value, plan: &str) -> Outcome {
        let payload = json!({
            "paymentIntentId": intent["id"], "planId": plan, "isPaid": true,
            "paymentMethodeId": intent["payment_method"].as_str().unwrap_or("pm_1"),
        });
        self.browser.write("subscription", "subscribe", payload).await
    }

    pub async fn subscription(&self) -> Value {
        self.browser.read("subscription", "get_subscription", json!({})).await.ok()["subscription"].clone()
    }

    pub async fn act(&self, action: &str, payload: Value) -> Outcome {
        self.browser.write("subscription", action, payload).await
    }
}
