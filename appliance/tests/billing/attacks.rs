//! Attempts to get Pro without paying.

use chrono::Utc;
use reqwest::Method;
use serde_json::{Value, json};

use crate::{
    shop::{MONTHLY, PAYS, Shop, YEARLY},
    stripe::{WEBHOOK_SECRET, stripe_state::name, webhook::signature},
    support::Outcome,
};

const WEBHOOK: &str = "/api/backend/stripe/webhook";

#[tokio::test(flavor = "multi_thread")]
async fn a_payment_of_another_user_gives_nothing() {
    let shop = Shop::open().await;
    let (ada, eve) = (shop.customer("ada").await, shop.customer("eve").await);
    let (_, paid) = shop.pay(&ada.begin(MONTHLY).await, PAYS).await;
    eve.report(&paid, MONTHLY).await.fails(403, "forbidden");
    eve.begin(MONTHLY).await;
    eve.report(&paid, MONTHLY).await.fails(403, "forbidden");
    shop.tell_all().await;
    assert!(shop.is_pro(&ada).await && !shop.is_pro(&eve).await);
    // Eve pays for Ada: Ada gets Pro and Eve does not.
    let bob = shop.customer("bob").await;
    let (_, paid) = shop.pay(&bob.begin(MONTHLY).await, PAYS).await;
    eve.report(&paid, MONTHLY).await.fails(403, "forbidden");
    assert!(!shop.is_pro(&eve).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_payment_for_another_plan_gives_only_that_plan() {
    let shop = Shop::open().await;
    let ada = shop.customer("ada").await;
    let (_, paid) = shop.pay(&ada.begin(MONTHLY).await, PAYS).await;
    ada.report(&paid, YEARLY).await.fails(422, "invalid");
    assert_eq!(ada.subscription().await["planId"], MONTHLY);
}

#[tokio::test(flavor = "multi_thread")]
async fn unpaid_purchases_give_nothing_whatever_the_client_reports() {
    let shop = Shop::open().await;
    let ada = shop.customer("ada").await;
    let secret = ada.begin(YEARLY).await;
    let id = secret.split("_secret_").next().unwrap().to_owned();
    ada.report(&json!({ "id": id }), YEARLY).await.fails(402, "not-paid");
    // Paid, but too little or in another currency.
    for (amount, received, currency) in [(3500, 1, "usd"), (1, 1, "usd"), (3500, 3500, "vnd")] {
        {
            let mut stripe_state = shop.stripe.stripe_state();
            let intent = stripe_state.intents.get_mut(&id).unwrap();
            (intent.status, intent.amount, intent.received) = ("succeeded", amount, received);
            intent.currency = currency.to_owned();
        }
        ada.report(&json!({ "id": id }), YEARLY).await.fails(402, "not-paid");
    }
    // An amount of zero.
    let loose = {
        let mut stripe_state = shop.stripe.stripe_state();
        let intent = stripe_state.intents.remove(&id).unwrap();
        let loose =
            crate::stripe::stripe_state::Intent { id: name("pi"), invoice: None, status: "succeeded", ..intent };
        let id = loose.id.clone();
        stripe_state.intents.insert(id.clone(), loose);
        id
    };
    ada.report(&json!({ "id": loose }), YEARLY).await.fails(409, "no-subscription");
    ada.report(&json!({ "id": "pi_unheard" }), YEARLY).await.fails(404, "not-found");
    assert!(!shop.is_pro(&ada).await);
    assert_eq!(ada.subscription().await["isSubScribe"], false);
}

#[tokio::test(flavor = "multi_thread")]
async fn hostile_payment_reports_are_refused() {
    let shop = Shop::open().await;
    let ada = shop.customer("ada").await;
    let good = json!({ "paymentIntentId": "pi_1", "planId": "1", "isPaid": true, "paymentMethodeId": "pm_1" });
    let with = |field: &str, value: Value| {
        let mut payload = good.clone();
        payload[field] = value;
        payload
    };
    let calls = shop.stripe.calls();
    for hostile in ["", "pi_", "../customers", "pi_1/../../customers", "pi_1?expand[]=x", "in_1", "pi_\r\n", "pi_é"] {
        ada.act("subscribe", with("paymentIntentId", json!(hostile))).await.fails(422, "invalid");
    }
    ada.act("subscribe", with("paymentIntentId", json!(format!("pi_{}", "a".repeat(400))))).await.fails(422, "invalid");
    let lacking = ada.act("subscribe", with("paymentMethodeId", json!(""))).await.fails(422, "invalid");
    assert_eq!(lacking["fieldErrors"]["paymentMethodeId"], "Payment method not found");
    ada.act("subscribe", with("paymentMethodeId", json!("pm_1/../x"))).await.fails(422, "invalid");
    for plan in ["", "0", "01", "-1", "1 ", "1e0", "9999999999999999999999"] {
        ada.act("subscribe", with("planId", json!(plan))).await.fails(422, "invalid");
        ada.act("create_subscription_iten", json!({ "planId": plan })).await.fails(422, "invalid");
    }
    ada.act("subscribe", with("isPaid", json!("true"))).await.fails(400, "malformed");
    ada.act("subscribe", with("amount", json!(1))).await.fails(400, "malformed");
    ada.act("subscribe", with("user", json!(uuid::Uuid::new_v4()))).await.fails(403, "not-yourself");
    assert_eq!(shop.stripe.calls(), calls);
    // A profile cannot set it either.
    let claim = json!({ "userId": ada.id.0, "isProUser": true });
    let refused = ada.browser.post("/api/backend/profile/update", claim).await.fails(422, "invalid");
    assert_eq!(refused["fieldErrors"]["isProUser"], "This cannot be changed here.");
}

async fn told(shop: &Shop, body: &str, signature: Option<&str>) -> Outcome {
    let visitor = shop.server.fresh_browser();
    let mut request = visitor.bare(Method::POST, WEBHOOK).body(body.to_owned());
    if let Some(signature) = signature {
        request = request.header("stripe-signature", signature);
    }
    visitor.send(request).await
}

#[tokio::test(flavor = "multi_thread")]
async fn webhooks_without_a_fresh_signature_are_refused() {
    let shop = Shop::open().await;
    let ada = shop.customer("ada").await;
    shop.pay(&ada.begin(MONTHLY).await, PAYS).await;
    let event = shop.stripe.stripe_state().untold.back().unwrap().to_string();
    let now = Utc::now().timestamp();
    let good = signature(&event, WEBHOOK_SECRET, now);
    for bad in [
        None,
        Some(String::new()),
        Some("nonsense".to_owned()),
        Some("t=,v1=".to_owned()),
        Some(format!("t={now},v1=00")),
        Some(format!("t={now}")),
        Some(signature(&event, "whsec_other", now)),
        Some(signature(&event, "", now)),
        Some(signature(&format!("{event} "), WEBHOOK_SECRET, now)),
        Some(signature(&event, WEBHOOK_SECRET, now - 301)),
        Some(signature(&event, WEBHOOK_SECRET, now + 330)),
        Some(good.replace("v1=", "v0=")),
    ] {
        told(&shop, &event, bad.as_deref()).await.fails(400, "bad-signature");
    }
    assert!(!shop.is_pro(&ada).await, "nothing was trusted");
    told(&shop, &event, Some(&good)).await.ok();
    assert!(shop.is_pro(&ada).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn signed_but_malformed_webhooks_do_no_harm() {
    let shop = Shop::open().await;
    let ada = shop.customer("ada").await;
    ada.begin(MONTHLY).await;
    let customer = shop.stripe.stripe_state().customers.keys().next().unwrap().clone();
    let event = |fields: Value| {
        let mut event = json!({ "id": name("evt"), "object": "event", "type": "customer.subscription.updated",
            "created": 1, "livemode": false, "pending_webhooks": 1,
            "data": { "object": { "object": "subscription", "customer": customer } } });
        fields.as_object().unwrap().iter().for_each(|(field, value)| event[field] = value.clone());
        event.to_string()
    };
    let signed =
        async |body: String| told(&shop, &body, Some(&signature(&body, WEBHOOK_SECRET, Utc::now().timestamp()))).await;
    for harmless in [
        json!({}),
        json!({ "type": "a.type.nobody.knows" }),
        json!({ "data": { "object": { "customer": "cus_stranger" } } }),
        json!({ "data": { "object": { "customer": "../../x" } } }),
        json!({ "data": { "object": 7 } }),
        json!({ "data": { "object": { "customer": customer, "status": "active", "object": "subscription" } } }),
        json!({ "livemode": true }),
    ] {
        signed(event(harmless.clone())).await.ok();
        assert!(!shop.is_pro(&ada).await, "{harmless}");
    }
    for bad in ["", "{}", "[]", "null", "not json", "{\"id\":\"evt_1\"}"] {
        signed(bad.to_owned()).await.fails(400, "malformed");
    }
    signed(event(json!({ "id": "no_event" }))).await.fails(400, "malformed");
    signed("x".repeat(600 * 1024)).await.fails(413, "too-large");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_webhook_event_is_processed_once() {
    let shop = Shop::open().await;
    let ada = shop.customer("ada").await;
    shop.buy(&ada, MONTHLY).await;
    let event = shop.stripe.stripe_state().untold.back().unwrap().clone();
    assert_eq!(shop.tell(&event).await, 200);
    let (calls, events) = (shop.stripe.calls(), shop.server.app.store.billing_events(0, 1).await.unwrap().1);
    for _ in 0..3 {
        assert_eq!(shop.tell(&event).await, 200);
    }
    assert_eq!(shop.stripe.calls(), calls, "Stripe is not called again");
    assert_eq!(shop.server.app.store.billing_events(0, 1).await.unwrap().1, events);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_webhook_event_that_fails_is_requested_again() {
    let shop = Shop::open().await;
    let ada = shop.customer("ada").await;
    shop.pay(&ada.begin(MONTHLY).await, PAYS).await;
    let event = shop.stripe.stripe_state().untold.back().unwrap().clone();
    shop.stripe.set_away(true);
    assert_eq!(shop.tell(&event).await, 503);
    ada.act("cancel_subscription", json!({})).await.fails(503, "unavailable");
    shop.stripe.set_away(false);
    assert_eq!(shop.tell(&event).await, 200);
    assert!(shop.is_pro(&ada).await);
}

/// Whoever tests stolen cards needs a form for each.
#[tokio::test(flavor = "multi_thread")]
async fn an_account_gets_few_forms_for_cards() {
    let shop = Shop::open().await;
    let ada = shop.customer("ada").await;
    let mut refused = 0;
    for _ in 0..30 {
        let outcome = ada.act("create_setup_intent", json!({})).await;
        if outcome.status != 200 {
            assert!(outcome.retry_after.unwrap() > 60, "{:?}", outcome.retry_after);
            outcome.fails(429, "too-many-requests");
            refused += 1;
        }
    }
    assert_eq!(refused, 10);
    assert_eq!(shop.stripe.stripe_state().setups.len(), 20);
    // A purchase has such a form, too.
    ada.act("create_subscription_iten", json!({ "planId": MONTHLY })).await.fails(429, "too-many-requests");
    // Somebody else of the same address goes on.
    shop.customer("bob").await.begin(MONTHLY).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn many_accounts_of_an_address_share_a_number_of_forms_for_cards() {
    let shop = Shop::with(|config| config.limits.card_forms_per_hour_of_an_address = 3.try_into().unwrap()).await;
    for name in ["ada", "bob", "cleo"] {
        shop.customer(name).await.act("create_setup_intent", json!({})).await.ok();
    }
    let dora = shop.customer("dora").await;
    dora.act("create_setup_intent", json!({})).await.fails(429, "too-many-requests");
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_enters_a_card_without_a_verified_email() {
    let shop = Shop::open().await;
    let eve = shop.stranger("eve").await;
    let calls = shop.stripe.calls();
    for (action, payload) in
        [("create_setup_intent", json!({})), ("create_subscription_iten", json!({ "planId": "1" }))]
    {
        let refused = eve.act(action, payload).await.fails(403, "email-not-verified");
        assert_eq!(refused["errorMessage"], "Please verify your email first.");
    }
    assert_eq!(shop.stripe.calls(), calls, "Stripe is not called");
    let open = Shop::with(|config| config.billing.require_verified_email = false).await;
    open.stranger("eve").await.begin(MONTHLY).await;
}

/// The pages of payments are read often, and by several tabs.
#[tokio::test(flavor = "multi_thread")]
async fn listing_again_calls_nobody_until_something_changes() {
    let shop = Shop::with(|config| config.limits.payments_per_minute = 1_000.try_into().unwrap()).await;
    let ada = shop.customer("ada").await;
    shop.buy(&ada, MONTHLY).await;
    let cards = async || ada.browser.get("/api/backend/api/v1/payment/methode").await.ok()["paymentMethods"].clone();
    let invoices = async || ada.browser.read("subscription", "list_invoices", json!({})).await.ok()["invoices"].clone();
    // Many at once are one reading.
    let before = shop.stripe.calls();
    futures_util::future::join_all((0..20).map(|_| cards())).await;
    assert!(shop.stripe.calls() - before <= 3, "{} calls", shop.stripe.calls() - before);
    let (first, bills) = (cards().await, invoices().await);
    let calls = shop.stripe.calls();
    for _ in 0..20 {
        assert_eq!((cards().await, invoices().await), (first.clone(), bills.clone()));
    }
    assert_eq!(shop.stripe.calls(), calls);
    // A change ends it, by the owner or told by Stripe.
    let setup = shop.set_up(&ada, PAYS).await;
    ada.act("add_payment_method", json!({ "setupIntentId": setup })).await.ok();
    assert_eq!(cards().await.as_array().unwrap().len(), 2);
    let added = shop.set_up(&ada, PAYS).await;
    assert!(added.starts_with("seti_"));
    shop.tell_all().await;
    assert_eq!(cards().await.as_array().unwrap().len(), 3);
}

/// However many people press, Stripe gets no more calls than were allowed for, and its events are handled.
#[tokio::test(flavor = "multi_thread")]
async fn all_calls_keep_within_a_budget_with_a_part_for_events() {
    let shop = Shop::with(|config| {
        config.billing.calls_per_second = 8.try_into().unwrap();
        config.limits.payments_per_minute = 1_000.try_into().unwrap();
        config.limits.payments_per_minute_of_an_address = 1_000.try_into().unwrap();
    })
    .await;
    let ada = shop.customer("ada").await;
    shop.pay(&ada.begin(MONTHLY).await, PAYS).await;
    let event = shop.stripe.stripe_state().untold.back().unwrap().clone();
    let (calls, begun) = (shop.stripe.calls(), std::time::Instant::now());
    let mut crowd = Vec::new();
    for name in ["bob", "cleo", "dora", "emil"] {
        crowd.push(shop.customer(name).await);
    }
    let press =
        crowd.iter().map(|one| async { one.act("create_subscription_iten", json!({ "planId": MONTHLY })).await });
    let (told, pressed) = futures_util::join!(shop.tell(&event), futures_util::future::join_all(press));
    let (made, seconds) = (shop.stripe.calls() - calls, begun.elapsed().as_secs_f64());
    assert_eq!(told, 200);
    assert!(shop.is_pro(&ada).await);
    assert!(made as f64 <= 8.0 + 8.0 * seconds, "{made} calls in {seconds} s");
    for outcome in pressed {
        assert!(matches!(outcome.status.as_u16(), 200 | 503), "{}", outcome.status);
    }
}
