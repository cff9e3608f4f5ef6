//! Customers buy, cancel, resume, change plans and fail to pay for a year, while webhooks are lost, doubled, late
//! and reordered. After each reconciliation Pro follows Stripe's state, and nobody pays twice
//! for the same time.
//!
//! `make test` makes a few runs; `make prove` sets `MORPION_BILLING_RUNS` and makes a thousand.

use std::collections::{HashMap, HashSet};

use rand::{Rng, SeedableRng, rngs::StdRng, seq::SliceRandom};
use serde_json::{Value, json};

use crate::shop::{ALWAYS_ASKS, ASKS, Customer, DECLINED, HALF_YEARLY, MONTHLY, PAYS, Shop, YEARLY};

/// Steps of one run: each is an action of a customer, or time that passes.
const STEPS: u32 = 30;

const PLANS: [&str; 3] = [MONTHLY, HALF_YEARLY, YEARLY];

fn runs() -> u64 {
    std::env::var("MORPION_BILLING_RUNS").ok().and_then(|text| text.parse().ok()).unwrap_or(4)
}

#[tokio::test(flavor = "multi_thread")]
async fn pro_follows_stripe_whatever_happens_to_webhooks() {
    let first: u64 = std::env::var("MORPION_BILLING_SEED").ok().and_then(|text| text.parse().ok()).unwrap_or(1);
    let shop = Shop::with(|config| {
        // All customers have the same address.
        config.limits.registrations_per_hour = std::num::NonZeroU32::MAX;
        config.limits.sign_ins_per_minute = std::num::NonZeroU32::MAX;
        config.limits.payments_per_minute = std::num::NonZeroU32::MAX;
        config.limits.payments_per_minute_of_an_address = std::num::NonZeroU32::MAX;
        config.limits.card_forms_per_hour = std::num::NonZeroU32::MAX;
        config.limits.card_forms_per_hour_of_an_address = std::num::NonZeroU32::MAX;
    })
    .await;
    for seed in first..first + runs() {
        run(&shop, seed).await;
    }
}

/// Each run has its own customer; time continues from run to run.
async fn run(shop: &Shop, seed: u64) {
    let mut chance = StdRng::seed_from_u64(seed);
    let ada = shop.customer(&format!("ada_{seed}")).await;
    let mut late: Vec<Value> = vec![];
    for step in 0..STEPS {
        deed(shop, &ada, &mut chance).await;
        shop.pass(match chance.random_range(0..6) {
            0 => chance.random_range(0..86_400),
            1 => chance.random_range(0..40 * 86_400),
            _ => chance.random_range(0..8 * 86_400),
        });
        tell(shop, &mut chance, &mut late).await;
        if chance.random_bool(0.4) || step == STEPS - 1 {
            shop.reconcile().await;
            let (is_pro, should_be) = (shop.is_pro(&ada).await, shop.should_be_pro(&ada));
            assert_eq!(is_pro, should_be, "seed {seed}, step {step}: {}", history(shop, &ada));
            assert_eq!(ada.subscription().await["isSubScribe"], should_be, "seed {seed}, step {step}");
        }
    }
    nobody_paid_twice(shop, &ada, seed);
    // Nothing of this run affects the next one.
    let running = ada.subscription().await;
    if running["isSubScribe"] == true && running.get("endsAt").is_none() {
        ada.act("cancel_subscription", json!({})).await.ok();
    }
}

async fn deed(shop: &Shop, ada: &Customer, chance: &mut StdRng) {
    let plan = PLANS[chance.random_range(0..PLANS.len())];
    match chance.random_range(0..10) {
        0..=3 => buy(shop, ada, plan, chance).await,
        4 => drop(ada.act("cancel_subscription", json!({})).await),
        5 => drop(ada.act("resume_subscription", json!({})).await),
        6 => drop(ada.act("change_plan", json!({ "planId": plan })).await),
        7 => shop.set_refusing(chance.random_bool(0.6)),
        _ => {}
    }
}

/// A purchase that may be abandoned before or after paying, or made in two tabs.
async fn buy(shop: &Shop, ada: &Customer, plan: &str, chance: &mut StdRng) {
    let begun = ada.act("create_subscription_iten", json!({ "planId": plan })).await;
    let Some(secret) = begun.body["clientSecret"].as_str().map(str::to_owned) else {
        assert_eq!(begun.status, 409, "{}", begun.body);
        return;
    };
    if chance.random_bool(0.15) {
        return;
    }
    let cards = [PAYS, PAYS, PAYS, ASKS, ALWAYS_ASKS, DECLINED];
    let (_, mut intent) = shop.pay(&secret, cards[chance.random_range(0..cards.len())]).await;
    if intent["status"] == "requires_action" {
        let outcome = if chance.random_bool(0.8) { "succeed" } else { "fail" };
        intent = shop.at_stripe(&secret, "authenticate", &[("outcome", outcome)]).await.1;
    }
    if chance.random_bool(0.3) {
        // In another tab, with the earlier response.
        shop.pay(&secret, PAYS).await;
    }
    if intent["id"].is_string() && chance.random_bool(0.6) {
        let report = ada.report(&intent, plan).await;
        assert!(matches!(report.status.as_u16(), 200 | 402 | 409), "{}", report.body);
    }
}

/// Delivers webhooks in random order: some are lost, doubled or delayed.
async fn tell(shop: &Shop, chance: &mut StdRng, late: &mut Vec<Value>) {
    let mut now: Vec<Value> = shop.stripe.stripe_state().untold.drain(..).collect();
    now.append(late);
    now.shuffle(chance);
    for event in now {
        match chance.random_range(0..10) {
            0..=2 => {}
            3..=4 => late.push(event),
            5..=6 => {
                assert_eq!(shop.tell(&event).await, 200);
                late.push(event);
            }
            _ => assert_eq!(shop.tell(&event).await, 200),
        }
    }
    late.truncate(40);
}

/// Each invoice is paid once, each period of a subscription is billed once, and no two subscriptions ran at once.
fn nobody_paid_twice(shop: &Shop, ada: &Customer, seed: u64) {
    let id = ada.id.to_string();
    let stripe_state = shop.stripe.stripe_state();
    let theirs = |customer: &str| stripe_state.customers[customer].metadata["morpion_user"] == id;
    let mut invoices = HashSet::new();
    let mut first_payments: HashMap<&str, (i64, i64)> = HashMap::new();
    for charge in stripe_state.charges.iter().filter(|charge| theirs(&charge.customer)) {
        assert!(invoices.insert(&charge.invoice), "seed {seed}: {} was paid twice", charge.invoice);
        let invoice = &stripe_state.invoices[&charge.invoice];
        if invoice.reason == "subscription_create" {
            let end = stripe_state.subscriptions[&invoice.subscription].ended_at.unwrap_or(i64::MAX);
            first_payments.insert(&invoice.subscription, (charge.at, end));
        }
    }
    let mut lives: Vec<_> = first_payments.values().copied().collect();
    lives.sort_unstable();
    for pair in lives.windows(2) {
        assert!(pair[0].1 <= pair[1].0, "seed {seed}: two subscriptions were paid at once: {pair:?}");
    }
    assert!(stripe_state.customers.values().filter(|customer| customer.metadata["morpion_user"] == id).count() <= 1);
}

fn history(shop: &Shop, ada: &Customer) -> String {
    let id = ada.id.to_string();
    let stripe_state = shop.stripe.stripe_state();
    let theirs = stripe_state
        .subscriptions
        .values()
        .filter(|it| stripe_state.customers[&it.customer].metadata["morpion_user"] == id);
    let told: Vec<String> = theirs
        .map(|it| {
            let invoice = &stripe_state.invoices[&it.latest_invoice];
            format!(
                "{} {} {:?} cancels {} newest {} {}",
                it.id, it.status, it.period, it.cancels, invoice.reason, invoice.status
            )
        })
        .collect();
    format!("{told:?} at {}", stripe_state.now())
}
