//! Payments that take days to arrive, such as debits from bank accounts.

use serde_json::json;

use crate::shop::{BAD_IBAN, Customer, IBAN, MONTHLY, PAYS, Shop, YEARLY};

/// A debit was started for the plan and reported by the browser.
async fn debited(shop: &Shop, ada: &Customer, iban: &str) -> serde_json::Value {
    let (status, intent) = shop.debit(&ada.begin(MONTHLY).await, iban).await;
    assert_eq!((status, &intent["status"]), (200, &json!("processing")), "{intent}");
    let told = ada.report(&intent, MONTHLY).await.ok();
    assert_eq!(told["paymentStatus"], "processing");
    told["subscription"].clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn only_cards_are_accepted_unless_configured_otherwise() {
    let shop = Shop::open().await;
    let ada = shop.customer("ada").await;
    let secret = ada.begin(MONTHLY).await;
    let asked: Vec<_> = shop.stripe.stripe_state().subscriptions.values().map(|it| it.types.clone()).collect();
    assert_eq!(asked, [["card"]]);
    assert_eq!(shop.debit(&secret, IBAN).await.0, 400);
    let setup = ada.act("create_setup_intent", json!({})).await.ok()["clientSecret"].as_str().unwrap().to_owned();
    assert_eq!(shop.debit(&setup, IBAN).await.0, 400);
    let shop = Shop::with_debits().await;
    shop.customer("ada").await.begin(MONTHLY).await;
    let asked: Vec<_> = shop.stripe.stripe_state().subscriptions.values().map(|it| it.types.clone()).collect();
    assert_eq!(asked, [["card", "sepa_debit"]]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_processing_payment_is_no_failure_and_pro_starts_when_it_succeeds() {
    let shop = Shop::with_debits().await;
    let ada = shop.customer("ada").await;
    let told = debited(&shop, &ada, IBAN).await;
    let expected = json!({ "isSubScribe": false, "isGranted": false, "isProcessing": true, "planId": MONTHLY,
        "name": "Monthly", "price": 399 });
    assert_eq!(told, expected);
    shop.tell_all().await;
    shop.pass_days(1);
    shop.reconcile().await;
    assert_eq!(ada.subscription().await, expected);
    assert!(!shop.is_pro(&ada).await, "Stripe calls it active, and nothing is paid");
    for (action, payload) in [
        ("create_subscription_iten", json!({ "planId": MONTHLY })),
        ("create_subscription_iten", json!({ "planId": YEARLY })),
        ("change_plan", json!({ "planId": YEARLY })),
        ("cancel_subscription", json!({})),
    ] {
        ada.act(action, payload).await.fails(409, "payment-processing");
    }
    let paying = ada.browser.get("/api/backend/api/v1/payment/methode").await.ok()["paymentMethods"][0].clone();
    assert_eq!((&paying["brand"], &paying["last4"]), (&json!("sepa_debit"), &json!("3000")));
    assert!(paying.get("expires").is_none());
    let listed = ada.browser.read("subscription", "list_invoices", json!({})).await.ok();
    assert_eq!(listed["invoices"][0]["status"], "processing");
    shop.pass_days(5);
    shop.tell_all().await;
    let bought = ada.subscription().await;
    assert!(shop.is_pro(&ada).await);
    assert_eq!((&bought["isSubScribe"], bought.get("isProcessing")), (&json!(true), None));
    assert_eq!(shop.charged(&ada), [399]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_payment_that_succeeds_without_a_webhook_is_found_by_reconciliation() {
    let shop = Shop::with_debits().await;
    let ada = shop.customer("ada").await;
    debited(&shop, &ada, IBAN).await;
    shop.pass_days(6);
    shop.stripe.stripe_state().untold.clear();
    assert!(!shop.is_pro(&ada).await);
    shop.reconcile().await;
    assert!(shop.is_pro(&ada).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_processing_payment_that_fails_ends_the_purchase_and_is_emailed() {
    let shop = Shop::with_debits().await;
    let ada = shop.customer("ada").await;
    debited(&shop, &ada, BAD_IBAN).await;
    shop.pass_days(6);
    shop.tell_all().await;
    assert_eq!(ada.subscription().await, json!({ "isSubScribe": false, "isGranted": false }));
    assert!(!shop.is_pro(&ada).await);
    let status = shop.stripe.stripe_state().subscriptions.values().next().unwrap().status;
    assert_eq!(status, "canceled", "it is not fetched again");
    let sent = |subject: &str| shop.mails().iter().filter(|mail| mail.contains(subject)).count();
    for _ in 0..100 {
        if sent("Subject: Your payment for Morpion Pro failed") == 1 {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    assert_eq!(sent("Subject: Your payment for Morpion Pro failed"), 1);
    assert_eq!(sent("Subject: Morpion Pro has ended"), 0, "it had not begun");
    shop.buy(&ada, MONTHLY).await;
    assert!(shop.is_pro(&ada).await);
    assert_eq!(shop.charged(&ada), [399]);
    shop.pass_days(20);
    shop.tell_all().await;
    assert_eq!(shop.charged(&ada), [399], "the first purchase is not charged later");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_processing_renewal_keeps_pro_and_sends_no_warning() {
    let shop = Shop::with_debits().await;
    let ada = shop.customer("ada").await;
    debited(&shop, &ada, IBAN).await;
    shop.pass_days(6);
    shop.tell_all().await;
    shop.pass_days(26);
    shop.tell_all().await;
    let renewing = ada.subscription().await;
    assert_eq!((&renewing["isSubScribe"], &renewing["isProcessing"]), (&json!(true), &json!(true)), "{renewing}");
    assert!(renewing.get("graceUntil").is_none());
    ada.act("change_plan", json!({ "planId": YEARLY })).await.fails(409, "payment-processing");
    shop.pass_days(5);
    shop.tell_all().await;
    let renewed = ada.subscription().await;
    assert!(renewed["nextPaymentDate"].is_string() && renewed.get("isProcessing").is_none(), "{renewed}");
    assert_eq!(shop.charged(&ada), [399, 399]);
    assert!(!shop.mails().iter().any(|mail| mail.contains("Your payment for Morpion Pro failed")));
    // A refused debit is a failed renewal, as with a card.
    shop.set_refusing(true);
    shop.pass_days(26);
    shop.tell_all().await;
    assert!(ada.subscription().await["graceUntil"].is_string());
    shop.set_refusing(false);
    let (_, paid) = shop.pay(&ada.begin(MONTHLY).await, PAYS).await;
    ada.report(&paid, MONTHLY).await.ok();
    assert!(ada.subscription().await["nextPaymentDate"].is_string());
}
