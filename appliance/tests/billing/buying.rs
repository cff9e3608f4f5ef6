//! Purchases, as the web app makes them.

use serde_json::{Value, json};

use crate::shop::{ASKS, DECLINED, HALF_YEARLY, MONTHLY, PAYS, Shop, YEARLY};

#[tokio::test(flavor = "multi_thread")]
async fn the_plans_match_the_documentation() {
    let shop = Shop::open().await;
    let visitor = shop.server.browser().await;
    let told = visitor.read("subscription", "get_plans", json!({})).await.ok();
    assert_eq!(told["configured"], true);
    assert_eq!(
        told["plans"],
        json!([
            { "planId": "1", "name": "Monthly", "price": 399, "currency": "usd", "months": 1,
              "isPopularChoice": false },
            { "planId": "2", "name": "6 Months", "price": 1800, "currency": "usd", "months": 6, "savings": "25%",
              "isPopularChoice": false },
            { "planId": "3", "name": "Yearly", "price": 3500, "currency": "usd", "months": 12, "savings": "27%",
              "isPopularChoice": true },
        ])
    );
    assert_eq!(told["fromPrice"], json!({ "price": 399, "currency": "usd", "months": 1 }));
    assert_eq!(told["benefits"], json!(["Unlimited tournament access per month", "Cancel anytime"]));
    assert_eq!(told["freeEventsPerMonth"], 3);
    let ada = shop.customer("ada").await;
    let key = ada.browser.read("subscription", "get_stripekey", json!({})).await.ok();
    assert_eq!(
        (&key["PUBLISHABLE_SECRET_KEY"], &key["apiBase"]),
        (&json!("pk_test_standin"), &json!(shop.stripe.base()))
    );
    assert!(!key.to_string().contains("sk_") && !key.to_string().contains("whsec_"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_plan_is_named_by_a_number_or_its_text() {
    let shop = Shop::open().await;
    let ada = shop.customer("ada").await;
    let begin = |plan: Value| ada.browser.write("subscription", "create_subscription_iten", json!({ "planId": plan }));
    let by_number = begin(json!(1)).await.ok()["clientSecret"].clone();
    assert_eq!(begin(json!("1")).await.ok()["clientSecret"], by_number, "the same purchase");
    for unknown in [json!(99), json!(-1), json!("1 "), json!("")] {
        begin(unknown).await.fails(422, "invalid");
    }
    for hostile in [json!(1.5), json!(true), json!(["1"]), json!({ "id": 1 }), Value::Null, json!(1e300)] {
        begin(hostile).await.fails(400, "malformed");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn each_plan_is_bought_and_billed_once() {
    let shop = Shop::open().await;
    for (name, plan, price, title) in
        [("ada", MONTHLY, 399, "Monthly"), ("bob", HALF_YEARLY, 1800, "6 Months"), ("cleo", YEARLY, 3500, "Yearly")]
    {
        let customer = shop.customer(name).await;
        assert_eq!(customer.subscription().await["isSubScribe"], false);
        let bought = shop.buy(&customer, plan).await;
        assert_eq!((&bought["isSubScribe"], &bought["planId"]), (&json!(true), &json!(plan)), "{bought}");
        assert_eq!((&bought["name"], &bought["price"]), (&json!(title), &json!(price)));
        assert!(bought["nextPaymentDate"].is_string() && bought.get("endsAt").is_none());
        assert_eq!(customer.subscription().await, bought);
        let own = customer.browser.get("/api/auth/check-login").await.ok();
        assert_eq!(own["user"]["isProUser"], true);
        // The webhooks arrive late and change nothing.
        shop.tell_all().await;
        assert_eq!(shop.charged(&customer), [price]);
        let invoices = customer.browser.read("subscription", "list_invoices", json!({})).await.ok();
        assert_eq!(invoices["invoices"].as_array().unwrap().len(), 1);
        assert_eq!(
            (&invoices["invoices"][0]["amount"], &invoices["invoices"][0]["status"]),
            (&json!(price), &json!("paid"))
        );
        assert_eq!(customer.browser.get("/api/backend/api/v1/user/subscription").await.ok()["subscription"], bought);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refused_card_gives_nothing_and_another_pays_the_same_purchase() {
    let shop = Shop::open().await;
    let ada = shop.customer("ada").await;
    let secret = ada.begin(MONTHLY).await;
    let (status, refused) = shop.pay(&secret, DECLINED).await;
    assert_eq!((status, &refused["error"]["message"]), (402, &json!("Your card was declined.")));
    let intent = refused["error"]["payment_intent"].clone();
    ada.report(&intent, MONTHLY).await.fails(402, "not-paid");
    shop.tell_all().await;
    assert!(!shop.is_pro(&ada).await);
    assert_eq!(ada.begin(MONTHLY).await, secret, "it is the same purchase");
    let (_, paid) = shop.pay(&secret, PAYS).await;
    ada.report(&paid, MONTHLY).await.ok();
    assert!(shop.is_pro(&ada).await);
    assert_eq!(shop.charged(&ada), [399]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bank_challenge_completes_the_purchase() {
    let shop = Shop::open().await;
    let ada = shop.customer("ada").await;
    let secret = ada.begin(YEARLY).await;
    let (_, asked) = shop.pay(&secret, ASKS).await;
    assert_eq!(asked["status"], "requires_action");
    ada.report(&asked, YEARLY).await.fails(402, "not-paid");
    let (_, failed) = shop.at_stripe(&secret, "authenticate", &[("outcome", "fail")]).await;
    assert_eq!(failed["status"], "requires_payment_method");
    assert!(failed["last_payment_error"]["message"].as_str().unwrap().starts_with("We are unable to authenticate"));
    shop.tell_all().await;
    assert!(!shop.is_pro(&ada).await);
    shop.pay(&secret, ASKS).await;
    let (_, paid) = shop.at_stripe(&secret, "authenticate", &[("outcome", "succeed")]).await;
    ada.report(&paid, YEARLY).await.ok();
    assert!(shop.is_pro(&ada).await);
    assert_eq!(shop.charged(&ada), [3500]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_purchase_completes_by_webhook_without_the_browser() {
    let shop = Shop::open().await;
    let ada = shop.customer("ada").await;
    let (_, paid) = shop.pay(&ada.begin(MONTHLY).await, PAYS).await;
    assert!(!shop.is_pro(&ada).await);
    shop.tell_all().await;
    assert!(shop.is_pro(&ada).await);
    // The report arrives late.
    assert_eq!(ada.report(&paid, MONTHLY).await.ok()["subscription"]["isSubScribe"], true);

    let bob = shop.customer("bob").await;
    shop.pay(&bob.begin(MONTHLY).await, PAYS).await;
    shop.stripe.stripe_state().untold.clear();
    shop.reconcile().await;
    assert!(shop.is_pro(&bob).await, "without a webhook, reconciliation finds it");
}

#[tokio::test(flavor = "multi_thread")]
async fn choosing_another_plan_before_paying_voids_the_first_purchase() {
    let shop = Shop::open().await;
    let ada = shop.customer("ada").await;
    let monthly = ada.begin(MONTHLY).await;
    let yearly = ada.begin(YEARLY).await;
    let (status, _) = shop.pay(&monthly, PAYS).await;
    assert_eq!(status, 400, "an abandoned purchase cannot be paid");
    let again = ada.begin(MONTHLY).await;
    assert_ne!(again, monthly);
    assert_eq!(shop.pay(&yearly, PAYS).await.0, 400);
    let (_, paid) = shop.pay(&again, PAYS).await;
    ada.report(&paid, MONTHLY).await.ok();
    assert_eq!(shop.charged(&ada), [399]);
    ada.act("create_subscription_iten", json!({ "planId": YEARLY })).await.fails(409, "already-subscribed");
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrent_tabs_buy_once() {
    let shop = Shop::open().await;
    let ada = shop.customer("ada").await;
    let tabs = futures_util::future::join_all((0..8).map(|_| ada.begin(MONTHLY))).await;
    assert!(tabs.iter().all(|secret| *secret == tabs[0]), "{tabs:?}");
    let paid = futures_util::future::join_all(tabs.iter().map(|secret| shop.pay(secret, PAYS))).await;
    assert_eq!(paid.iter().filter(|(status, _)| *status == 200).count(), 1);
    let intent = &paid.iter().find(|(status, _)| *status == 200).unwrap().1;
    let reports = futures_util::future::join_all((0..8).map(|_| ada.report(intent, MONTHLY))).await;
    reports.into_iter().for_each(|report| drop(report.ok()));
    assert_eq!(shop.charged(&ada), [399]);
    let stripe_state = shop.stripe.stripe_state();
    assert_eq!((stripe_state.customers.len(), stripe_state.subscriptions.len()), (1, 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn upgrading_at_the_free_limit_allows_joining() {
    let shop = Shop::with(|config| config.plans.free_events_per_month = 1).await;
    let (admin, _) = shop.server.admin().await;
    let mut events: Vec<Value> = vec![];
    for title in ["First cup", "Second cup"] {
        let starts = chrono::Utc::now() + chrono::TimeDelta::hours(1);
        let details = json!({ "title": title, "description": "A cup for everybody who likes to play.",
            "startTime": starts, "endTime": starts + chrono::TimeDelta::hours(2) });
        let id = admin.write("event", "create_event", details).await.ok()["event"]["eventId"].clone();
        admin.write("event", "update_event", json!({ "eventId": id, "eventState": "published" })).await.ok();
        admin.write("event", "start_event", json!({ "eventId": id })).await.ok();
        events.push(id);
    }
    let ada = shop.customer("ada").await;
    ada.browser.write("event", "join_event", json!({ "eventId": events[0] })).await.ok();
    let refused = ada.browser.write("event", "join_event", json!({ "eventId": events[1] })).await;
    assert_eq!(refused.fails(402, "plan-limit")["requiresUpgrade"], true);
    shop.buy(&ada, MONTHLY).await;
    ada.browser.write("event", "join_event", json!({ "eventId": events[1] })).await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn guests_and_visitors_cannot_buy() {
    let shop = Shop::open().await;
    let guest = shop.server.browser().await;
    let buy = json!({ "planId": MONTHLY });
    guest.write("subscription", "create_subscription_iten", buy.clone()).await.fails(401, "not-signed-in");
    guest.read("subscription", "get_subscription", json!({})).await.fails(401, "not-signed-in");
    guest.post("/api/auth/guest", json!({})).await.ok();
    guest.write("subscription", "create_subscription_iten", buy.clone()).await.fails(403, "guest");
    let ada = shop.customer("ada").await;
    let for_another = json!({ "planId": MONTHLY, "user": uuid::Uuid::new_v4() });
    ada.act("create_subscription_iten", for_another).await.fails(403, "not-yourself");
    ada.act("create_subscription_iten", json!({ "planId": "9" })).await.fails(422, "invalid");
    assert!(shop.stripe.stripe_state().customers.is_empty());
}
