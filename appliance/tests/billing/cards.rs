//! Cards: listed, added, made the default, replaced and removed.

use serde_json::{Value, json};

use crate::{
    shop::{ALWAYS_ASKS, Customer, DECLINED, MONTHLY, PAYS, Shop, YEARLY},
    support::Outcome,
};

const MASTERCARD: &str = "5555555555554444";

impl Customer {
    async fn cards(&self) -> Vec<Value> {
        let told = self.browser.get("/api/backend/api/v1/payment/methode").await.ok();
        told["paymentMethods"].as_array().unwrap().clone()
    }

    async fn remove(&self, card: &Value) -> Outcome {
        let path = "/api/backend/api/v1/payment/methode/remove";
        self.browser.post(path, json!({ "paymentMethodId": card["paymentMethodId"] })).await
    }
}

/// The last four digits of each, the default with a star.
fn shown(cards: &[Value]) -> Vec<String> {
    let mut shown: Vec<String> = cards
        .iter()
        .map(|card| format!("{}{}", card["last4"].as_str().unwrap(), if card["isDefault"] == true { "*" } else { "" }))
        .collect();
    shown.sort();
    shown
}

fn by_digits(cards: &[Value], last4: &str) -> Value {
    cards.iter().find(|card| card["last4"] == last4).expect("it is kept").clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_last_card_of_a_running_plan_cannot_be_removed() {
    let shop = Shop::open().await;
    let (ada, eve) = (shop.customer("ada").await, shop.customer("eve").await);
    shop.buy(&ada, MONTHLY).await;
    shop.buy(&eve, MONTHLY).await;
    let cards = ada.cards().await;
    let expected = json!([{ "paymentMethodId": cards[0]["paymentMethodId"], "brand": "visa", "last4": "4242",
        "expires": "12/2034", "isDefault": true }]);
    assert_eq!(json!(cards), expected);
    eve.remove(&cards[0]).await.fails(404, "not-found");
    let refused = ada.remove(&cards[0]).await.fails(409, "card-in-use");
    assert!(refused["errorMessage"].as_str().unwrap().contains("this is the only one. Add another one first"));
    ada.act("cancel_subscription", json!({})).await.ok();
    ada.remove(&cards[0]).await.ok();
    ada.remove(&cards[0]).await.fails(404, "not-found");
    ada.remove(&json!({ "paymentMethodId": "pm_x/../../customers" })).await.fails(422, "invalid");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_card_is_added_made_the_default_and_pays_the_renewal() {
    let shop = Shop::open().await;
    let ada = shop.customer("ada").await;
    shop.buy(&ada, MONTHLY).await;
    let setup = shop.set_up(&ada, MASTERCARD).await;
    let added = ada.act("add_payment_method", json!({ "setupIntentId": setup })).await.ok();
    assert_eq!(shown(added["paymentMethods"].as_array().unwrap()), ["4242*", "4444"]);
    // Repeating it changes nothing.
    ada.act("add_payment_method", json!({ "setupIntentId": setup })).await.ok();
    let (old, new) = (by_digits(&ada.cards().await, "4242"), by_digits(&ada.cards().await, "4444"));
    let refused = ada.remove(&old).await.fails(409, "card-in-use");
    assert!(refused["errorMessage"].as_str().unwrap().contains("Make another one the default first"));
    let choice = json!({ "paymentMethodId": new["paymentMethodId"] });
    let chosen = ada.act("set_default_payment_method", choice).await.ok();
    assert_eq!(shown(chosen["paymentMethods"].as_array().unwrap()), ["4242", "4444*"]);
    ada.remove(&old).await.ok();
    assert_eq!(shown(&ada.cards().await), ["4444*"]);
    shop.pass_days(32);
    shop.tell_all().await;
    assert!(shop.is_pro(&ada).await);
    assert_eq!(shop.charged(&ada), [399, 399]);
    let stripe_state = shop.stripe.stripe_state();
    let mut paid = stripe_state.intents.values().filter(|it| it.status == "succeeded");
    assert!(paid.any(|it| new["paymentMethodId"] == json!(it.method)), "the new card pays");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_card_is_replaced_and_the_plan_goes_on() {
    let shop = Shop::open().await;
    let ada = shop.customer("ada").await;
    shop.buy(&ada, YEARLY).await;
    let old = ada.cards().await[0].clone();
    let setup = shop.set_up(&ada, MASTERCARD).await;
    let replace = json!({ "setupIntentId": setup, "replaces": old["paymentMethodId"] });
    let told = ada.act("add_payment_method", replace).await.ok();
    assert_eq!(shown(told["paymentMethods"].as_array().unwrap()), ["4444*"]);
    assert_eq!(ada.subscription().await["isSubScribe"], true);
}

#[tokio::test(flavor = "multi_thread")]
async fn cards_can_be_kept_without_a_plan_and_the_first_is_the_default() {
    let shop = Shop::open().await;
    let ada = shop.customer("ada").await;
    assert!(ada.cards().await.is_empty());
    let setup = shop.set_up(&ada, PAYS).await;
    let told = ada.act("add_payment_method", json!({ "setupIntentId": setup })).await.ok();
    assert_eq!(shown(told["paymentMethods"].as_array().unwrap()), ["4242*"]);
    // The same customer then buys.
    shop.buy(&ada, MONTHLY).await;
    assert_eq!(shop.stripe.stripe_state().customers.len(), 1);
    let events = shop.server.app.store.billing_events_of(ada.id.0, 0, 10).await.unwrap().0;
    assert!(events.iter().any(|event| event.kind == "card-added"), "{events:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_card_that_was_not_confirmed_is_not_kept() {
    let shop = Shop::open().await;
    let ada = shop.customer("ada").await;
    shop.buy(&ada, MONTHLY).await;
    let secret = ada.act("create_setup_intent", json!({})).await.ok()["clientSecret"].as_str().unwrap().to_owned();
    let id = secret.split("_secret_").next().unwrap().to_owned();
    let report = json!({ "setupIntentId": id, "makeDefault": true });
    ada.act("add_payment_method", report.clone()).await.fails(402, "not-added");
    assert_eq!(shop.pay(&secret, DECLINED).await.0, 402);
    ada.act("add_payment_method", report.clone()).await.fails(402, "not-added");
    assert_eq!(shop.pay(&secret, ALWAYS_ASKS).await.1["status"], "requires_action");
    ada.act("add_payment_method", report.clone()).await.fails(402, "not-added");
    shop.at_stripe(&secret, "authenticate", &[("outcome", "fail")]).await;
    ada.act("add_payment_method", report.clone()).await.fails(402, "not-added");
    assert_eq!(shown(&ada.cards().await), ["4242*"]);
    shop.pay(&secret, ALWAYS_ASKS).await;
    shop.at_stripe(&secret, "authenticate", &[("outcome", "succeed")]).await;
    let told = ada.act("add_payment_method", report).await.ok();
    assert_eq!(shown(told["paymentMethods"].as_array().unwrap()), ["3184*", "4242"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn cards_of_others_cannot_be_added_chosen_or_replaced() {
    let shop = Shop::open().await;
    let (ada, eve) = (shop.customer("ada").await, shop.customer("eve").await);
    shop.buy(&ada, MONTHLY).await;
    let hers = ada.cards().await[0]["paymentMethodId"].clone();
    let setup = shop.set_up(&ada, MASTERCARD).await;
    // Neither without a customer at Stripe nor with one.
    for is_customer in [false, true] {
        if is_customer {
            shop.buy(&eve, MONTHLY).await;
        }
        eve.act("add_payment_method", json!({ "setupIntentId": setup })).await.fails(403, "forbidden");
        eve.act("set_default_payment_method", json!({ "paymentMethodId": hers })).await.fails(404, "not-found");
    }
    let own = shop.set_up(&eve, MASTERCARD).await;
    let replace = json!({ "setupIntentId": own, "replaces": hers });
    eve.act("add_payment_method", replace).await.fails(404, "not-found");
    assert_eq!(ada.cards().await.len(), 2);
    let calls = shop.stripe.calls();
    for hostile in ["", "seti_", "seti_1/../../customers", "seti_1?expand[]=x", "pi_1", "seti_\r\n", "seti_é"] {
        eve.act("add_payment_method", json!({ "setupIntentId": hostile })).await.fails(422, "invalid");
    }
    for hostile in ["", "pm_", "pm_1/../x", "cus_1", "pm_ 1"] {
        eve.act("set_default_payment_method", json!({ "paymentMethodId": hostile })).await.fails(422, "invalid");
    }
    eve.act("create_setup_intent", json!({ "customer": "cus_1" })).await.fails(400, "malformed");
    eve.act("add_payment_method", json!({ "setupIntentId": 7 })).await.fails(400, "malformed");
    assert_eq!(shop.stripe.calls(), calls, "Stripe is not called");
    eve.act("add_payment_method", json!({ "setupIntentId": "seti_unheard" })).await.fails(404, "not-found");
    let visitor = shop.server.browser().await;
    visitor.write("subscription", "create_setup_intent", json!({})).await.fails(401, "not-signed-in");
    visitor.post("/api/auth/guest", json!({})).await.ok();
    visitor.write("subscription", "create_setup_intent", json!({})).await.fails(403, "guest");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_can_have_ten_cards() {
    let shop = Shop::open().await;
    let ada = shop.customer("ada").await;
    for _ in 0..10 {
        let setup = shop.set_up(&ada, PAYS).await;
        ada.act("add_payment_method", json!({ "setupIntentId": setup })).await.ok();
    }
    let refused = ada.act("create_setup_intent", json!({})).await.fails(409, "too-many-cards");
    assert_eq!(refused["errorMessage"], "You already have 10 payment methods. Remove one first.");
}
