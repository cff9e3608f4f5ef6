//! The stand-in answers as Stripe does: `tests/stripe/documented.json` has the members of Stripe's own examples, and errors as it
//! documents them, each with its source.

use serde_json::{Value, json};

use crate::{
    shop::{BAD_IBAN, MONTHLY, PAYS, Shop},
    stripe::{
        api::{Caller, Form, answer},
        stripe_state::StripeState,
    },
};

fn documented() -> Value {
    serde_json::from_str(include_str!("../stripe/documented.json")).unwrap()
}

/// Where an object is not as Stripe's examples have it.
struct Differences<'a> {
    documented: &'a Value,
    found: Vec<String>,
}

impl Differences<'_> {
    /// Compares an object with the example of its kind.
    fn of(&mut self, ours: &Value) {
        let kind = ours["object"].as_str().unwrap_or("nothing");
        let kind = if ours["deleted"] == true { format!("deleted_{kind}") } else { kind.to_owned() };
        match &self.documented["objects"][&kind] {
            Value::Null => self.found.push(format!("{kind} has no example")),
            example => self.members(&kind, example, Some(&self.documented["seldom"][&kind]), ours),
        }
    }

    fn members(&mut self, at: &str, example: &Value, seldom: Option<&Value>, ours: &Value) {
        let (Some(members), Some(ours)) = (example.as_object(), ours.as_object()) else {
            return self.found.push(format!("{at} is no object"));
        };
        let is_seldom = |member: &str| seldom.is_some_and(|seldom| !seldom[member].is_null());
        for member in members.keys().filter(|member| !ours.contains_key(*member) && !is_seldom(member)) {
            self.found.push(format!("{at}.{member} is missing"));
        }
        for (member, value) in ours {
            let place = format!("{at}.{member}");
            let example = seldom.map(|seldom| &seldom[member]).filter(|example| !example.is_null());
            match example.or_else(|| members.get(member)) {
                None => self.found.push(format!("{place} is not documented")),
                Some(example) => self.value(&place, example, value),
            }
        }
    }

    fn value(&mut self, at: &str, example: &Value, ours: &Value) {
        match (example, ours) {
            (_, Value::Null) => {}
            // An id that is written out.
            (Value::String(_), Value::Object(whole)) if whole.get("object").is_some_and(Value::is_string) => {
                self.of(ours)
            }
            (Value::String(kind), _) => {
                let is_right = match kind.as_str() {
                    "text" => ours.is_string(),
                    "number" => ours.is_number(),
                    "boolean" => ours.is_boolean(),
                    "list" => ours.is_array(),
                    "object" => ours.is_object(),
                    _ => true,
                };
                if !is_right {
                    self.found.push(format!("{at} is no {kind}: {ours}"));
                }
            }
            (Value::Array(kinds), Value::Array(values)) => {
                for value in values {
                    self.value(at, &kinds[0], value);
                }
            }
            _ => self.members(at, example, None, ours),
        }
    }
}

fn read(state: &mut StripeState, call: &str) -> Value {
    answer(state, Caller::Secret, "GET", call, &Form::parse("limit=100")).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_stand_in_writes_what_stripe_writes() {
    let shop = Shop::with_debits().await;
    let (ada, bob) = (shop.customer("ada").await, shop.customer("bob").await);
    shop.buy(&ada, MONTHLY).await;
    shop.set_up(&bob, PAYS).await;
    let secret = bob.begin(MONTHLY).await;
    assert_eq!(shop.debit(&secret, BAD_IBAN).await.0, 200);
    shop.pass_days(40);
    let mut state = shop.stripe.stripe_state();
    let payment = state.newest_payment();
    state.warn_of_fraud(&payment);
    let dispute = state.dispute(&payment);
    state.close_dispute(&dispute, "lost");
    let customers: Vec<String> = state.customers.keys().cloned().collect();
    state.delete_customer(&customers[0]);
    let mut written: Vec<Value> = customers.iter().map(|id| read(&mut state, &format!("customers/{id}"))).collect();
    for id in state.intents.keys().cloned().collect::<Vec<_>>() {
        written.push(read(&mut state, &format!("payment_intents/{id}")));
        let form = Form::parse(&format!("payment[payment_intent]={id}"));
        let payments = answer(&mut state, Caller::Secret, "GET", "invoice_payments", &form).unwrap();
        written.extend(payments["data"].as_array().unwrap().clone());
    }
    for id in state.setups.keys().cloned().collect::<Vec<_>>() {
        written.push(read(&mut state, &format!("setup_intents/{id}")));
    }
    for id in state.products.keys().cloned().collect::<Vec<_>>() {
        written.push(read(&mut state, &format!("products/{id}")));
    }
    for customer in &customers[1..] {
        let form = Form::parse(&format!("customer={customer}"));
        let methods = answer(&mut state, Caller::Secret, "GET", "payment_methods", &form).unwrap();
        written.extend(methods["data"].as_array().unwrap().clone());
    }
    written.extend(read(&mut state, "prices")["data"].as_array().unwrap().clone());
    let form = Form::parse("status=all&expand[0]=data.latest_invoice.confirmation_secret");
    let subscriptions = answer(&mut state, Caller::Secret, "GET", "subscriptions", &form).unwrap();
    written.extend(subscriptions["data"].as_array().unwrap().clone());
    for event in state.events.clone() {
        written.push(event["data"]["object"].clone());
        written.push(event);
    }
    drop(state);

    let documented = documented();
    let mut differences = Differences { documented: &documented, found: vec![] };
    for object in &written {
        differences.of(object);
    }
    differences.found.sort();
    differences.found.dedup();
    assert_eq!(differences.found, [] as [String; 0]);
    let kinds = documented["objects"].as_object().unwrap().keys();
    let is_written = |kind: &&String| {
        let (kind, is_deleted) = kind.strip_prefix("deleted_").map_or((kind.as_str(), false), |kind| (kind, true));
        written.iter().any(|object| object["object"] == kind && (object["deleted"] == true) == is_deleted)
    };
    let unwritten: Vec<_> = kinds.filter(|kind| !is_written(kind)).collect();
    assert_eq!(unwritten, [] as [&String; 0], "examples that nothing was compared with");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_stand_in_refuses_as_stripe_refuses() {
    let shop = Shop::open().await;
    let ada = shop.customer("ada").await;
    let secret = ada.begin(MONTHLY).await;
    let mut state = shop.stripe.stripe_state();
    let customer = state.customers.keys().next().unwrap().clone();
    let intent = secret.split("_secret_").next().unwrap();
    for case in documented()["errors"].as_array().unwrap() {
        let call = case["call"].as_str().unwrap().replace("$customer", &customer).replace("$intent", intent);
        let (method, target) = call.split_once(' ').unwrap();
        let (path, form) = target.split_once('?').unwrap_or((target, ""));
        let (status, error) = answer(&mut state, Caller::Secret, method, path, &Form::parse(form)).unwrap_err();
        assert_eq!(json!(status), case["status"], "{call}: {error}");
        for (member, value) in case["error"].as_object().unwrap() {
            assert_eq!(&error[member], value, "{call}: {error}");
        }
        assert!(error["message"].as_str().unwrap().contains(case["says"].as_str().unwrap()), "{call}: {error}");
    }
}
