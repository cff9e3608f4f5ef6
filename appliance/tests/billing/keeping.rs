//! The life of a subscription: renewed, failed, cancelled, resumed, changed, ended.

use serde_json::{Value, json};

use crate::{
    shop::{ALWAYS_ASKS, Customer, HALF_YEARLY, MONTHLY, PAYS, Shop, YEARLY},
    stripe::stripe_state::HOUR,
    support::PASSWORD,
};

#[tokio::test(flavor = "multi_thread")]
async fn a_subscription_renews_as_long_as_it_is_paid() {
    let shop = Shop::open().await;
    let ada = shop.customer("ada").await;
    let first = shop.buy(&ada, MONTHLY).await;
    for renewals in 1..=3 {
        shop.pass_days(31);
        shop.tell_all().await;
        assert!(shop.is_pro(&ada).await);
        assert_eq!(shop.charged(&ada).len(), 1 + renewals);
    }
    let now = ada.subscription().await;
    assert!(now["nextPaymentDate"].as_str() > first["nextPaymentDate"].as_str());
    // Repeated and late webhooks change nothing.
    let events = shop.stripe.stripe_state().events.clone();
    for event in events.iter().rev() {
        assert_eq!(shop.tell(event).await, 200);
    }
    assert_eq!(ada.subscription().await, now);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failed_renewal_starts_seven_days_of_grace() {
    let shop = Shop::open().await;
    let ada = shop.customer("ada").await;
    shop.buy(&ada, MONTHLY).await;
    let end = shop.stripe.stripe_state().subscriptions.values().next().unwrap().period.1;
    shop.set_refusing(true);
    let to_the_end = end - shop.stripe.stripe_state().now();
    shop.pass(to_the_end + 2 * HOUR);
    shop.tell_all().await;
    let owing = ada.subscription().await;
    assert_eq!(owing["isSubScribe"], true);
    assert!(owing.get("nextPaymentDate").is_none());
    let grace: chrono::DateTime<chrono::Utc> = owing["graceUntil"].as_str().unwrap().parse().unwrap();
    assert_eq!(grace.timestamp(), end + 7 * 24 * HOUR);
    shop.pass_days(6);
    assert!(shop.is_pro(&ada).await && shop.should_be_pro(&ada));
    shop.pass_days(1);
    assert!(!shop.is_pro(&ada).await, "the grace period ends without a webhook");
    shop.reconcile().await;
    assert_eq!(shop.stripe.stripe_state().subscriptions.values().next().unwrap().status, "canceled");
    shop.set_refusing(false);
    shop.pass_days(90);
    shop.tell_all().await;
    assert_eq!(shop.charged(&ada), [399], "nothing is charged after Pro has ended");
    assert_eq!(ada.subscription().await["isSubScribe"], false);
    shop.buy(&ada, YEARLY).await;
    assert!(shop.is_pro(&ada).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_open_invoice_can_be_paid_manually() {
    let shop = Shop::open().await;
    let ada = shop.customer("ada").await;
    shop.buy(&ada, MONTHLY).await;
    shop.set_refusing(true);
    shop.pass_days(33);
    shop.tell_all().await;
    ada.act("create_subscription_iten", json!({ "planId": YEARLY })).await.fails(409, "already-subscribed");
    ada.act("change_plan", json!({ "planId": YEARLY })).await.fails(409, "payment-owed");
    let secret = ada.begin(MONTHLY).await;
    let (_, paid) = shop.pay(&secret, PAYS).await;
    let answer = ada.report(&paid, MONTHLY).await.ok();
    assert!(answer["subscription"]["nextPaymentDate"].is_string(), "{answer}");
    assert_eq!(shop.charged(&ada), [399, 399]);
    shop.pass_days(31);
    shop.tell_all().await;
    assert!(shop.is_pro(&ada).await, "the new card is kept");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_renewal_that_needs_a_bank_challenge_fails_without_it() {
    let shop = Shop::open().await;
    let ada = shop.customer("ada").await;
    let secret = ada.begin(MONTHLY).await;
    shop.pay(&secret, ALWAYS_ASKS).await;
    let (_, paid) = shop.at_stripe(&secret, "authenticate", &[("outcome", "succeed")]).await;
    ada.report(&paid, MONTHLY).await.ok();
    shop.pass_days(32);
    shop.tell_all().await;
    assert!(ada.subscription().await["graceUntil"].is_string());
    // With a bank challenge the payment succeeds.
    let secret = ada.begin(MONTHLY).await;
    shop.pay(&secret, ALWAYS_ASKS).await;
    let (_, paid) = shop.at_stripe(&secret, "authenticate", &[("outcome", "succeed")]).await;
    assert!(ada.report(&paid, MONTHLY).await.ok()["subscription"].get("graceUntil").is_none());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_subscription_is_cancelled_resumed_and_ends_with_the_period() {
    let shop = Shop::open().await;
    let ada = shop.customer("ada").await;
    ada.act("cancel_subscription", json!({})).await.fails(409, "no-subscription");
    let bought = shop.buy(&ada, MONTHLY).await;
    ada.act("resume_subscription", json!({})).await.fails(409, "not-cancelled");
    ada.act("cancel_subscription", json!({ "planId": YEARLY })).await.fails(422, "invalid");
    ada.act("cancel_subscription", json!({ "planId": MONTHLY })).await.ok();
    let cancelled = ada.subscription().await;
    assert_eq!((&cancelled["isSubScribe"], &cancelled["endsAt"]), (&json!(true), &bought["nextPaymentDate"]));
    ada.act("cancel_subscription", json!({})).await.fails(409, "cancelled-already");
    let resumed = ada.act("resume_subscription", json!({})).await.ok();
    assert_eq!(resumed["subscription"], bought);
    ada.browser.post("/api/backend/api/v1/user/subscription/cancel", json!({ "planId": MONTHLY })).await.ok();
    shop.pass_days(29);
    assert!(shop.is_pro(&ada).await);
    shop.pass_days(3);
    assert!(!shop.is_pro(&ada).await);
    shop.tell_all().await;
    assert_eq!(shop.charged(&ada), [399]);
    ada.act("resume_subscription", json!({})).await.fails(409, "no-subscription");
}

#[tokio::test(flavor = "multi_thread")]
async fn changing_the_plan_credits_what_was_paid() {
    let shop = Shop::open().await;
    let ada = shop.customer("ada").await;
    shop.buy(&ada, MONTHLY).await;
    ada.act("change_plan", json!({ "planId": MONTHLY })).await.fails(409, "same-plan");
    shop.pass_days(15);
    let changed = ada.act("change_plan", json!({ "planId": YEARLY })).await.ok();
    assert_eq!((&changed["subscription"]["planId"], &changed["subscription"]["price"]), (&json!(YEARLY), &json!(3500)));
    let charged = shop.charged(&ada);
    assert!(charged.len() == 2 && (3_290..3_320).contains(&charged[1]), "the rest of the month counts: {charged:?}");
    // Back to monthly: the rest of the year is a credit for the next months.
    ada.act("change_plan", json!({ "planId": MONTHLY })).await.ok();
    shop.pass_days(62);
    shop.tell_all().await;
    assert!(shop.is_pro(&ada).await);
    assert_eq!(shop.charged(&ada), charged);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unpaid_plan_change_is_not_applied() {
    let shop = Shop::open().await;
    let ada = shop.customer("ada").await;
    let before = shop.buy(&ada, MONTHLY).await;
    shop.set_refusing(true);
    for _ in 0..2 {
        let refused = ada.act("change_plan", json!({ "planId": YEARLY })).await.fails(402, "card-refused");
        assert_eq!(refused["errorMessage"], "Your card was declined.");
    }
    assert_eq!(ada.subscription().await, before);
    shop.set_refusing(false);
    ada.act("change_plan", json!({ "planId": YEARLY })).await.ok();
    assert_eq!(shop.charged(&ada).len(), 2);
}

/// Buys the monthly plan with a card that always asks for 3-D Secure.
async fn asked_customer(shop: &Shop) -> Customer {
    let ada = shop.customer("ada").await;
    let secret = ada.begin(MONTHLY).await;
    shop.pay(&secret, ALWAYS_ASKS).await;
    let (_, paid) = shop.at_stripe(&secret, "authenticate", &[("outcome", "succeed")]).await;
    ada.report(&paid, MONTHLY).await.ok();
    ada
}

#[tokio::test(flavor = "multi_thread")]
async fn a_plan_change_waits_for_the_bank_challenge() {
    let shop = Shop::open().await;
    let ada = asked_customer(&shop).await;
    let before = ada.subscription().await;
    let yearly = json!({ "planId": YEARLY });
    let asked = ada.act("change_plan", yearly.clone()).await.ok();
    assert_eq!((&asked["paymentStatus"], &asked["subscription"]), (&json!("requiresAction"), &before));
    let secret = asked["clientSecret"].as_str().unwrap();
    shop.tell_all().await;
    shop.reconcile().await;
    assert_eq!(ada.subscription().await, before, "it stays unchanged meanwhile");
    assert!(shop.is_pro(&ada).await);
    let again = ada.act("change_plan", yearly.clone()).await.ok();
    assert_eq!(again["clientSecret"], secret, "the same change");
    shop.at_stripe(secret, "authenticate", &[("outcome", "succeed")]).await;
    let changed = ada.act("finish_plan_change", yearly.clone()).await.ok();
    assert_eq!((&changed["paymentStatus"], &changed["subscription"]["planId"]), (&json!("succeeded"), &json!(YEARLY)));
    ada.act("finish_plan_change", yearly).await.ok();
    assert_eq!(shop.charged(&ada).len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn abandoning_the_bank_challenge_of_a_plan_change_changes_nothing() {
    let shop = Shop::open().await;
    let ada = asked_customer(&shop).await;
    let before = ada.subscription().await;
    let yearly = json!({ "planId": YEARLY });
    ada.act("finish_plan_change", yearly.clone()).await.fails(402, "plan-not-changed");
    for answer in [Some("fail"), None] {
        let secret = ada.act("change_plan", yearly.clone()).await.ok()["clientSecret"].as_str().unwrap().to_owned();
        if let Some(outcome) = answer {
            shop.at_stripe(&secret, "authenticate", &[("outcome", outcome)]).await;
        }
        let refused = ada.act("finish_plan_change", yearly.clone()).await.fails(402, "plan-not-changed");
        let text = "The payment was not confirmed. Your plan stays as it was, and nothing was charged.";
        assert_eq!(refused["errorMessage"], text);
        assert_eq!(shop.pay(&secret, PAYS).await.0, 400, "it cannot be paid any more");
    }
    shop.tell_all().await;
    assert_eq!(ada.subscription().await, before);
    assert_eq!(shop.charged(&ada), [399]);
    // An abandoned change expires after a day and Pro is kept.
    ada.act("change_plan", yearly).await.ok();
    shop.pass_days(10);
    shop.tell_all().await;
    assert!(shop.is_pro(&ada).await);
    assert_eq!(ada.subscription().await, before);
}

#[tokio::test(flavor = "multi_thread")]
async fn another_plan_change_replaces_a_pending_one() {
    let shop = Shop::open().await;
    let ada = asked_customer(&shop).await;
    let first = ada.act("change_plan", json!({ "planId": YEARLY })).await.ok();
    let second = ada.act("change_plan", json!({ "planId": HALF_YEARLY })).await.ok();
    let secret = |told: &serde_json::Value| told["clientSecret"].as_str().unwrap().to_owned();
    assert_eq!(shop.at_stripe(&secret(&first), "authenticate", &[("outcome", "succeed")]).await.0, 400);
    ada.act("finish_plan_change", json!({ "planId": YEARLY })).await.fails(402, "plan-not-changed");
    shop.at_stripe(&secret(&second), "authenticate", &[("outcome", "succeed")]).await;
    // The browser does not report it; the webhook does.
    shop.tell_all().await;
    assert_eq!(ada.subscription().await["planId"], HALF_YEARLY);
    assert_eq!(shop.charged(&ada).len(), 2);
    for hostile in [json!({ "planId": "99" }), json!({ "planId": "1/../x" })] {
        ada.act("finish_plan_change", hostile).await.fails(422, "invalid");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deleted_account_is_not_charged_any_more() {
    let shop = Shop::open().await;
    let ada = shop.customer("ada").await;
    shop.buy(&ada, MONTHLY).await;
    ada.browser.post("/api/backend/delete/account", json!({ "password": PASSWORD })).await.ok();
    for _ in 0..100 {
        if shop.stripe.stripe_state().subscriptions.values().all(|it| it.status == "canceled") {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    shop.pass_days(100);
    shop.tell_all().await;
    let stripe_state = shop.stripe.stripe_state();
    assert_eq!(
        (stripe_state.charges.len(), stripe_state.subscriptions.values().next().unwrap().status),
        (1, "canceled")
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_customer_deleted_at_stripe_loses_pro_and_can_buy_again() {
    let shop = Shop::open().await;
    let ada = shop.customer("ada").await;
    shop.buy(&ada, MONTHLY).await;
    {
        let mut stripe_state = shop.stripe.stripe_state();
        stripe_state.customers.clear();
        stripe_state.subscriptions.clear();
        stripe_state.invoices.clear();
        stripe_state.charges.clear();
    }
    shop.reconcile().await;
    assert!(!shop.is_pro(&ada).await);
    shop.buy(&ada, MONTHLY).await;
    assert!(shop.is_pro(&ada).await);
    assert_eq!(shop.charged(&ada), [399]);
}

#[tokio::test(flavor = "multi_thread")]
async fn customers_are_emailed_about_payments() {
    let shop = Shop::open().await;
    let ada = shop.customer("ada").await;
    let mails = || shop.mails();
    let sent = async |subject: &str, number: usize| {
        for _ in 0..100 {
            if mails().iter().filter(|mail| mail.contains(subject)).count() == number {
                return;
            }
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
        panic!("{number} of {subject}: {:?}", mails());
    };
    shop.buy(&ada, MONTHLY).await;
    shop.tell_all().await;
    sent("Subject: Your receipt from Morpion", 1).await;
    assert!(mails().iter().any(|mail| mail.contains("3.99 USD") && mail.contains("ada@example.org")));
    shop.set_refusing(true);
    shop.pass_days(32);
    shop.tell_all().await;
    let failures = shop.stripe.stripe_state().invoices.values().map(|it| it.attempts).max().unwrap();
    sent("Subject: Your payment for Morpion Pro failed", 1).await;
    assert!(failures >= 1);
    shop.pass_a_day_of_letters();
    shop.pass_days(8);
    shop.reconcile().await;
    shop.reconcile().await;
    sent("Subject: Morpion Pro has ended", 1).await;
    sent("Subject: Your receipt from Morpion", 1).await;
}

/// A dispute names a payment and no customer. Pro stays until it is lost.
#[tokio::test(flavor = "multi_thread")]
async fn a_disputed_payment_reaches_the_operator_and_ends_pro_when_it_is_lost() {
    let shop = Shop::open().await;
    let operator = shop.server.operator().await;
    let ada = shop.customer("ada").await;
    shop.buy(&ada, MONTHLY).await;
    shop.tell_all().await;
    let events = async |kind: &str| {
        let events =
            operator.read("admin", "list_billing_events", json!({ "limit": 100 })).await.ok()["events"].clone();
        let of_kind = |event: &&Value| event["kind"] == kind;
        events.as_array().unwrap().iter().filter(of_kind).cloned().collect::<Vec<_>>()
    };
    let payment = shop.stripe.stripe_state().newest_payment();
    shop.stripe.stripe_state().warn_of_fraud(&payment);
    let dispute = shop.stripe.stripe_state().dispute(&payment);
    let untold: Vec<Value> = shop.stripe.stripe_state().untold.iter().cloned().collect();
    shop.tell_all().await;
    for event in &untold {
        assert_eq!(shop.tell(event).await, 200);
    }
    let warning = events("fraud-warning").await;
    assert_eq!((warning.len(), &warning[0]["userId"]), (1, &json!(ada.id.0)));
    let disputed = events("disputed").await;
    assert_eq!((disputed.len(), &disputed[0]["userId"]), (1, &json!(ada.id.0)));
    let detail = disputed[0]["detail"].as_str().unwrap();
    assert!(detail.starts_with(&format!("3.99 USD, {dispute}, {payment}, fraudulent, answer until 2")), "{detail}");
    assert!(shop.is_pro(&ada).await, "as long as it is not decided");
    shop.stripe.stripe_state().close_dispute(&dispute, "lost");
    shop.tell_all().await;
    assert_eq!(events("dispute-lost").await.len(), 1);
    assert!(!shop.is_pro(&ada).await);
    assert!(shop.stripe.stripe_state().subscriptions.values().all(|it| it.is_over()), "nothing more is taken");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dispute_that_is_won_changes_nothing() {
    let shop = Shop::open().await;
    let ada = shop.customer("ada").await;
    shop.buy(&ada, MONTHLY).await;
    let payment = shop.stripe.stripe_state().newest_payment();
    let dispute = shop.stripe.stripe_state().dispute(&payment);
    shop.stripe.stripe_state().close_dispute(&dispute, "won");
    shop.tell_all().await;
    assert!(shop.is_pro(&ada).await);
    assert_eq!(ada.subscription().await["isSubScribe"], true);
}

/// Somebody who pays with a stolen card and deletes the account.
#[tokio::test(flavor = "multi_thread")]
async fn a_payment_of_a_deleted_account_may_still_be_disputed() {
    let shop = Shop::open().await;
    let eve = shop.customer("eve").await;
    shop.buy(&eve, MONTHLY).await;
    shop.tell_all().await;
    let payment = shop.stripe.stripe_state().newest_payment();
    let customer = shop.stripe.stripe_state().customers.keys().next().unwrap().clone();
    eve.browser.post("/api/backend/delete/account", json!({ "password": PASSWORD })).await.ok();
    while !shop.stripe.stripe_state().customers[&customer].deleted {
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    assert_eq!(shop.stripe.stripe_state().customers[&customer].email, None, "nothing of the account stays there");
    shop.stripe.stripe_state().dispute(&payment);
    shop.tell_all().await;
    let operator = shop.server.operator().await;
    let events = operator.read("admin", "list_billing_events", json!({ "limit": 100 })).await.ok()["events"].clone();
    let disputed: Vec<_> = events.as_array().unwrap().iter().filter(|event| event["kind"] == "disputed").collect();
    assert_eq!((disputed.len(), &disputed[0]["userId"]), (1, &json!(eve.id.0)));
    assert!(shop.server.app.store.billing_account(eve.id.0).await.unwrap().is_none());
}

#[tokio::test(flavor = "multi_thread")]
async fn stripe_learns_of_another_email() {
    let shop = Shop::open().await;
    let ada = shop.customer("ada").await;
    shop.buy(&ada, MONTHLY).await;
    let known = || shop.stripe.stripe_state().customers.values().next().unwrap().email.clone();
    assert_eq!(known().as_deref(), Some("ada@example.org"));
    shop.server.verify_email_of(ada.id.0, "lovelace@example.org").await;
    shop.reconcile().await;
    assert_eq!(known().as_deref(), Some("lovelace@example.org"));
    let calls = shop.stripe.calls();
    shop.reconcile().await;
    assert!(shop.stripe.calls() - calls <= 3, "it is told once");
}

/// An operator may delete a customer in Stripe's dashboard, without an event that arrives here.
#[tokio::test(flavor = "multi_thread")]
async fn a_customer_deleted_at_stripe_is_followed_by_a_new_one() {
    let shop = Shop::open().await;
    let bob = shop.customer("bob").await;
    shop.set_up(&bob, PAYS).await;
    let customer = async || shop.server.app.store.billing_account(bob.id.0).await.unwrap().unwrap().customer.unwrap();
    let before = customer().await;
    shop.stripe.stripe_state().delete_customer(&before);
    bob.act("create_setup_intent", json!({})).await.ok();
    assert_ne!(customer().await, before);
}
