//! What operators see and do, and servers without payments.

use chrono::{TimeDelta, Utc};
use serde_json::{Value, json};

use crate::{
    shop::{MONTHLY, Shop},
    support::Server,
};

#[tokio::test(flavor = "multi_thread")]
async fn without_keys_payments_are_unavailable_and_operators_can_grant() {
    let server = Server::start().await;
    let (ada, user) = server.registered("ada").await;
    let (admin, _) = server.admin().await;
    let plans = ada.read("subscription", "get_plans", json!({})).await.ok();
    assert_eq!((&plans["configured"], plans.get("fromPrice")), (&json!(false), None));
    assert_eq!(admin.read("admin", "overview", json!({})).await.ok()["billingConfigured"], false);
    let off = |outcome: crate::support::Outcome| {
        let refused = outcome.fails(409, "payments-off");
        assert_eq!(refused["errorMessage"], "Payments are not set up on this server.");
    };
    off(ada.read("subscription", "get_stripekey", json!({})).await);
    off(ada.read("subscription", "list_invoices", json!({})).await);
    off(ada.write("subscription", "create_subscription_iten", json!({ "planId": MONTHLY })).await);
    off(ada.write("subscription", "cancel_subscription", json!({})).await);
    off(ada.write("subscription", "resume_subscription", json!({})).await);
    off(ada.write("subscription", "change_plan", json!({ "planId": MONTHLY })).await);
    off(ada.write("subscription", "finish_plan_change", json!({ "planId": MONTHLY })).await);
    off(ada.write("subscription", "create_setup_intent", json!({})).await);
    off(ada.write("subscription", "add_payment_method", json!({ "setupIntentId": "seti_1" })).await);
    off(ada.write("subscription", "set_default_payment_method", json!({ "paymentMethodId": "pm_1" })).await);
    let report = json!({ "paymentIntentId": "pi_1", "planId": "1", "isPaid": true, "paymentMethodeId": "pm_1" });
    off(ada.write("subscription", "subscribe", report).await);
    off(ada.get("/api/backend/api/v1/payment/methode").await);
    off(ada.post("/api/backend/api/v1/payment/methode/remove", json!({ "paymentMethodId": "pm_1" })).await);
    off(ada.post("/api/backend/api/v1/user/subscription/cancel", json!({})).await);
    off(ada.post("/api/backend/stripe/webhook", json!({})).await);
    let none = json!({ "isSubScribe": false, "isGranted": false });
    assert_eq!(ada.read("subscription", "get_subscription", json!({})).await.ok()["subscription"], none);

    let grant = json!({ "userId": user["userId"], "reason": "A friend." });
    assert_eq!(admin.write("admin", "grant_pro", grant).await.ok()["user"]["isProUser"], true);
    let granted = json!({ "isSubScribe": true, "isGranted": true });
    assert_eq!(ada.read("subscription", "get_subscription", json!({})).await.ok()["subscription"], granted);
    let revoke = json!({ "userId": user["userId"], "reason": "No longer." });
    assert_eq!(admin.write("admin", "revoke_pro", revoke.clone()).await.ok()["user"]["isProUser"], false);
    admin.write("admin", "revoke_pro", revoke).await.fails(409, "not-granted");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_grant_has_a_reason_an_end_and_an_audit_entry() {
    let shop = Shop::open().await;
    let ada = shop.customer("ada").await;
    let operator = shop.server.operator().await;
    let grant = async |fields: Value| {
        let mut payload = json!({ "userId": ada.id.0, "reason": "Won the cup." });
        fields.as_object().unwrap().iter().for_each(|(field, value)| payload[field] = value.clone());
        operator.write("admin", "grant_pro", payload).await
    };
    for reason in [String::new(), "  ".to_owned(), "x".repeat(501), "a\nb".to_owned(), "\u{3164}".to_owned()] {
        grant(json!({ "reason": reason })).await.fails(422, "invalid");
    }
    grant(json!({ "until": Utc::now() - TimeDelta::seconds(5) })).await.fails(422, "invalid");
    grant(json!({ "until": "+10000-01-01T00:00:00Z" })).await.fails(422, "invalid");
    grant(json!({ "userId": uuid::Uuid::new_v4() })).await.fails(404, "not-found");
    ada.browser
        .write("admin", "grant_pro", json!({ "userId": ada.id.0, "reason": "Me." }))
        .await
        .fails(403, "forbidden");
    grant(json!({ "until": Utc::now() + TimeDelta::days(10) })).await.ok();
    assert!(shop.is_pro(&ada).await);
    let subscription = ada.subscription().await;
    assert!(subscription["isGranted"] == true && subscription["endsAt"].is_string(), "{subscription}");
    shop.clock.advance_calendar(TimeDelta::days(11).num_milliseconds());
    assert!(!shop.is_pro(&ada).await);
    shop.clock.advance_calendar(-TimeDelta::days(11).num_milliseconds());

    let trail = operator.read("admin", "list_audit", json!({})).await.ok();
    let entry = &trail["entries"][0];
    assert_eq!((&entry["action"], &entry["actor"]), (&json!("grant_pro"), &json!("token:test")));
    assert!(entry["detail"].as_str().unwrap().contains("Won the cup."));

    // With a subscription too, revoking removes only the grant.
    shop.buy(&ada, MONTHLY).await;
    operator.write("admin", "revoke_pro", json!({ "userId": ada.id.0, "reason": "It is paid now." })).await.ok();
    assert!(shop.is_pro(&ada).await);
    operator
        .write("admin", "revoke_pro", json!({ "userId": ada.id.0, "reason": "Again." }))
        .await
        .fails(409, "not-granted");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_ledger_contains_each_fact_once() {
    let shop = Shop::open().await;
    let (ada, bob) = (shop.customer("ada").await, shop.customer("bob").await);
    let operator = shop.server.operator().await;
    shop.buy(&ada, MONTHLY).await;
    shop.tell_all().await;
    shop.reconcile().await;
    ada.act("cancel_subscription", json!({})).await.ok();
    shop.buy(&bob, MONTHLY).await;
    let listed = operator.read("admin", "list_subscriptions", json!({})).await.ok()["subscriptions"].clone();
    let row = listed.as_array().unwrap().iter().find(|row| row["username"] == "ada").unwrap();
    assert_eq!((&row["status"], &row["isProUser"]), (&json!("active"), &json!(true)));
    assert!(row["subscription"]["endsAt"].is_string() && row["providerId"].as_str().unwrap().starts_with("sub_"));
    ada.browser.read("admin", "list_subscriptions", json!({})).await.fails(403, "forbidden");
    let kinds = async |payload: Value| {
        let answer = operator.read("admin", "list_billing_events", payload).await.ok();
        let kinds = answer["events"].as_array().unwrap().iter().map(|event| event["kind"].as_str().unwrap().to_owned());
        (kinds.filter(|kind| kind != "told").collect::<Vec<_>>(), answer)
    };
    assert_eq!(kinds(json!({ "userId": ada.id.0 })).await.0, ["cancelled", "paid", "purchase-begun"]);
    let (all, answer) = kinds(json!({ "limit": 100 })).await;
    assert_eq!(all, ["paid", "purchase-begun", "cancelled", "paid", "purchase-begun"]);
    let paid = answer["events"].as_array().unwrap().iter().find(|event| event["kind"] == "paid").unwrap();
    assert!(paid["detail"].as_str().unwrap().starts_with("3.99 USD, invoice in_"), "{paid}");
    assert_eq!(paid["userId"], json!(bob.id.0));
    let text = answer.to_string();
    assert!(!text.contains("_secret_") && !text.contains("4242"), "{text}");
    ada.browser.read("admin", "list_billing_events", json!({})).await.fails(403, "forbidden");
}
