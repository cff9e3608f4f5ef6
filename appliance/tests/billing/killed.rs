//! The server is killed (SIGKILL) between every pair of steps of a purchase. After its restart the state is right, and
//! repeating the purchase charges once.

use std::{path::Path, sync::Arc, time::Duration};

use morpion_appliance::config::Config;
use reqwest::{
    Client,
    cookie::{CookieStore, Jar},
};
use serde_json::{Value, json};

use crate::{
    process::Process,
    shop::{MONTHLY, PAYS, at_stripe, pay_at, sell},
    stripe::{Hold, PUBLISHABLE_KEY, SECRET_KEY, Stripe, WEBHOOK_SECRET},
    support::registration,
};

fn start(folder: &Path, stripe: &Stripe) -> Process {
    let base = stripe.base();
    let settings = [
        ("MORPION_BILLING__SECRET_KEY", SECRET_KEY),
        ("MORPION_BILLING__PUBLISHABLE_KEY", PUBLISHABLE_KEY),
        ("MORPION_BILLING__WEBHOOK_SECRET", WEBHOOK_SECRET),
        ("MORPION_BILLING__API_BASE", &base),
        ("MORPION_BILLING__REQUIRE_VERIFIED_EMAIL", "false"),
    ];
    Process::start_with(folder, &settings)
}

/// A browser that survives the server.
struct Person {
    client: Client,
    jar: Arc<Jar>,
}

impl Person {
    async fn register(server: &Process) -> Self {
        let jar = Arc::new(Jar::default());
        let client = Client::builder().no_proxy().cookie_provider(Arc::clone(&jar)).build().unwrap();
        let person = Self { client, jar };
        person.client.get(format!("http://{}/api/auth/check-login", server.address)).send().await.unwrap();
        person.post(server, "/api/auth/register", registration("ada")).await.expect("registered");
        person
    }

    fn token(&self, server: &Process) -> String {
        let cookies = self.jar.cookies(&format!("http://{}", server.address).parse().unwrap()).unwrap();
        let cookies = cookies.to_str().unwrap().to_owned();
        cookies.split("; ").find_map(|cookie| cookie.strip_prefix("XSRF-TOKEN=")).unwrap().to_owned()
    }

    /// `None` when the server was killed.
    async fn post(&self, server: &Process, path: &str, body: Value) -> Option<Value> {
        let request = self.client.post(format!("http://{}{path}", server.address));
        let request = request.header("x-xsrf-token", self.token(server)).json(&body);
        request.send().await.ok()?.json().await.ok()
    }

    async fn act(&self, server: &Process, action: &str, payload: Value) -> Option<Value> {
        self.post(server, "/api/backend/subscription", json!({ "action": action, "payload": payload })).await
    }

    async fn subscription(&self, server: &Process) -> Value {
        let url = format!("http://{}/api/backend/subscription?action=get_subscription", server.address);
        self.client.get(url).send().await.unwrap().json::<Value>().await.unwrap()["subscription"].clone()
    }

    /// Makes all steps of a purchase; `None` if the server was killed during it.
    async fn buy(&self, server: &Process, stripe: &Stripe) -> Option<()> {
        let begun = self.act(server, "create_subscription_iten", json!({ "planId": MONTHLY })).await?;
        if begun["errorCode"] == "already-subscribed" {
            return Some(());
        }
        let secret = begun["clientSecret"].as_str().unwrap_or_else(|| panic!("{begun}")).to_owned();
        let card = [("payment_method_data[card][number]", PAYS)];
        let (_, intent) = at_stripe(&self.client, stripe, &secret, "confirm", &card).await;
        let report = json!({ "paymentIntentId": intent["id"], "planId": MONTHLY, "isPaid": true,
            "paymentMethodeId": intent["payment_method"] });
        let answer = self.act(server, "subscribe", report).await?;
        assert_eq!(answer["subscription"]["isSubScribe"], true, "{answer}");
        Some(())
    }
}

/// Waits until reconciliation, which runs at the start, has fetched Stripe's state.
async fn is_pro_soon(person: &Person, server: &Process) -> bool {
    for _ in 0..100 {
        if person.subscription(server).await["isSubScribe"] == true {
            return true;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    false
}

#[tokio::test(flavor = "multi_thread")]
async fn a_purchase_survives_a_kill_between_any_two_steps() {
    let (mut step, mut kills) = (1, 0);
    loop {
        let mut was_killed = false;
        for hold in [Hold::Before, Hold::After] {
            was_killed |= kill_at(step, hold).await;
            kills += u32::from(was_killed);
        }
        if !was_killed {
            break;
        }
        step += 1;
    }
    assert!(kills >= 12, "a purchase has so many steps, and not {kills}");
}

/// Returns whether the purchase has a call of this number.
async fn kill_at(step: usize, hold: Hold) -> bool {
    let folder = tempfile::TempDir::new().unwrap();
    let stripe = Stripe::start().await;
    let mut settings = Config::default();
    pay_at(&mut settings, &stripe);
    sell(&settings).await;
    let server = start(folder.path(), &stripe);
    let person = Person::register(&server).await;
    quiet(&stripe).await;

    stripe.hold(step, hold);
    let was_killed = tokio::select! {
        bought = person.buy(&server, &stripe) => {
            assert!(bought.is_some());
            false
        }
        () = stripe.caught() => true,
    };
    drop(server);
    stripe.release();
    let has_paid = !stripe.stripe_state().charges.is_empty();

    let server = start(folder.path(), &stripe);
    if has_paid {
        assert!(is_pro_soon(&person, &server).await, "step {step} {hold:?}: paid, and no Pro");
    } else {
        quiet(&stripe).await;
        assert_eq!(person.subscription(&server).await["isSubScribe"], false, "step {step} {hold:?}: Pro, and not paid");
    }
    person.buy(&server, &stripe).await.expect("the server runs");
    assert!(is_pro_soon(&person, &server).await, "step {step} {hold:?}");
    let stripe_state = stripe.stripe_state();
    let running = stripe_state.subscriptions.values().filter(|it| it.status == "active").count();
    assert_eq!((stripe_state.charges.len(), running, stripe_state.customers.len()), (1, 1, 1), "step {step} {hold:?}");
    was_killed
}

/// Waits for the calls that the server makes when it starts.
async fn quiet(stripe: &Stripe) {
    let mut before = usize::MAX;
    while before != stripe.calls() {
        before = stripe.calls();
        tokio::time::sleep(Duration::from_millis(150)).await;
    }
}
