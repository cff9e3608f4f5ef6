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
