//! The calls of Stripe's API that the stand-in supports; `stripe_state` implements them.

use std::collections::HashMap;

use serde_json::{Map, Value, json};

use super::{
    card, objects,
    stripe_state::{Method, Price, Product, Refusal, StripeState, missing, name, refusal, unknown},
};

type Answer = Result<Value, Refusal>;

/// Whose key came with a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Caller {
    /// The server.
    Secret,
    /// A browser, limited by its client secret.
    Publishable,
}

/// Fields of a form or a query, named as Stripe names them: `items[0][price]`.
pub struct Form(HashMap<String, String>);

impl Form {
    pub fn parse(text: &str) -> Self {
        Self(url::form_urlencoded::parse(text.as_bytes()).into_owned().collect())
    }

    pub fn get(&self, field: &str) -> Option<&str> {
        self.0.get(field).map(String::as_str)
    }

    fn need(&self, field: &str) -> Result<&str, Refusal> {
        let text = || format!("Missing required param: {field}.");
        self.get(field).ok_or_else(|| refusal(400, "parameter_missing", text(), Some(field)))
    }

    fn number<T: std::str::FromStr>(&self, field: &str) -> Result<T, Refusal> {
        let wrong = || refusal(400, "parameter_invalid_integer", format!("Invalid integer: {field}"), Some(field));
        self.need(field)?.parse().map_err(|_| wrong())
    }

    /// Everything under a name, such as `metadata[…]`.
    fn map(&self, field: &str) -> Value {
        let prefix = format!("{field}[");
        let pairs = self.0.iter().filter_map(|(name, value)| {
            Some((name.strip_prefix(&prefix)?.strip_suffix(']')?.to_owned(), json!(value)))
        });
        Value::Object(pairs.collect::<Map<_, _>>())
    }

    fn list(&self, field: &str) -> Vec<&str> {
        (0..).map_while(|at| self.get(&format!("{field}[{at}]"))).collect()
    }

    /// The same for the same content.
    pub fn fingerprint(&self) -> String {
        let mut fields: Vec<_> = self.0.iter().collect();
        fields.sort();
        format!("{fields:?}")
    }
}

/// Answers a call to `/v1/…`.
pub fn answer(stripe_state: &mut StripeState, caller: Caller, method: &str, path: &str, form: &Form) -> Answer {
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
    if caller == Caller::Publishable {
        return match (method, parts.as_slice()) {
            ("GET", ["payment_intents", id]) => intent_of(stripe_state, id, form),
            ("POST", ["payment_intents", id, "confirm"]) => confirm(stripe_state, id, form),
            ("POST", ["payment_intents", id, "authenticate"]) => authenticate(stripe_state, id, form),
            ("GET", ["setup_intents", id]) => setup_of(stripe_state, id, form),
            ("POST", ["setup_intents", id, "confirm"]) => confirm_setup(stripe_state, id, form),
            ("POST", ["setup_intents", id, "authenticate"]) => authenticate_setup(stripe_state, id, form),
            _ => Err(refusal(403, "secret_key_required", "This API call cannot be made with a publishable key.", None)),
        };
    }
    match (method, parts.as_slice()) {
        ("POST", ["customers"]) => {
            let id = stripe_state.add_customer(form.get("email").map(str::to_owned), form.map("metadata"));
            Ok(objects::customer(&stripe_state.customers[&id]))
        }
        ("GET", ["customers", id]) => found(&stripe_state.customers, "customer", id).map(objects::customer),
        ("DELETE", ["customers", id]) => {
            own_customer(stripe_state, id).map_err(|_| missing("customer", id))?;
            stripe_state.delete_customer(id);
            Ok(objects::customer(&stripe_state.customers[*id]))
        }
        ("POST", ["customers", id]) => update_customer(stripe_state, id, form),
        ("POST", ["products"]) => create_product(stripe_state, form),
        ("GET", ["products", id]) => found(&stripe_state.products, "product", id).map(objects::product),
        ("POST", ["prices"]) => create_price(stripe_state, form),
        ("GET", ["prices"]) => Ok(prices(stripe_state, form)),
        ("POST", ["subscriptions"]) => create_subscription(stripe_state, form),
        ("GET", ["subscriptions"]) => subscriptions(stripe_state, form),
        ("GET", ["subscriptions", id]) => subscription(stripe_state, id, &form.list("expand")),
        ("POST", ["subscriptions", id]) => update_subscription(stripe_state, id, form),
        ("DELETE", ["subscriptions", id]) => {
            running(stripe_state, id)?;
            let now = stripe_state.now();
            stripe_state.end(id, now);
            subscription(stripe_state, id, &[])
        }
        ("GET", ["invoices"]) => invoices(stripe_state, form),
        ("POST", ["invoices", id, "void"]) => void(stripe_state, id),
        ("GET", ["invoice_payments"]) => invoice_payments(stripe_state, form),
        ("GET", ["payment_intents", id]) => found(&stripe_state.intents, "payment_intent", id).map(objects::intent),
        ("POST", ["payment_intents", id, "confirm"]) => confirm(stripe_state, id, form),
        ("POST", ["setup_intents"]) => create_setup(stripe_state, form),
        ("GET", ["setup_intents", id]) => found(&stripe_state.setups, "setup_intent", id).map(objects::setup_intent),
        ("GET", ["payment_methods"]) => methods(stripe_state, form),
        ("POST", ["payment_methods", id, "detach"]) => detach(stripe_state, id),
        ("GET", ["events"]) => Ok(page("/v1/events", stripe_state.events.iter().rev().cloned().collect(), form)),
        ("GET", ["events", id]) => {
            let event = stripe_state.events.iter().find(|event| event["id"] == **id);
            event.cloned().ok_or_else(|| missing("event", id))
        }
        _ => {
            let text = format!("Unrecognized request URL ({method}: /v1/{path}).");
            Err(refusal(404, "url_invalid", text, None))
        }
    }
}

fn found<'a, T>(all: &'a std::collections::BTreeMap<String, T>, what: &str, id: &str) -> Result<&'a T, Refusal> {
    all.get(id).ok_or_else(|| missing(what, id))
}

/// What a parameter names.
fn named<'a, T>(
    all: &'a std::collections::BTreeMap<String, T>,
    what: &str,
    id: &str,
    param: &str,
) -> Result<&'a T, Refusal> {
    all.get(id).ok_or_else(|| unknown(what, id, param))
}

/// The customer that a parameter names, and that was not deleted.
fn own_customer(stripe_state: &StripeState, id: &str) -> Result<(), Refusal> {
    let customer = named(&stripe_state.customers, "customer", id, "customer")?;
    if customer.deleted { Err(unknown("customer", id, "customer")) } else { Ok(()) }
}

/// `limit` and `starting_after`, newest first.
fn page(url: &str, all: Vec<Value>, form: &Form) -> Value {
    let limit = form.get("limit").and_then(|limit| limit.parse().ok()).unwrap_or(10_usize).clamp(1, 100);
    let after = form.get("starting_after").and_then(|id| all.iter().position(|it| it["id"] == id));
    let rest: Vec<Value> = all.into_iter().skip(after.map_or(0, |at| at + 1)).collect();
    let has_more = rest.len() > limit;
    objects::list(url, rest.into_iter().take(limit).collect(), has_more)
}

fn create_product(stripe_state: &mut StripeState, form: &Form) -> Answer {
    let id = form.get("id").map_or_else(|| name("prod"), str::to_owned);
    if stripe_state.products.contains_key(&id) {
        return Err(refusal(400, "resource_already_exists", "Product already exists.", Some("id")));
    }
    let product = Product { id: id.clone(), name: form.need("name")?.to_owned(), created: stripe_state.now() };
    stripe_state.products.insert(id.clone(), product);
    Ok(objects::product(&stripe_state.products[&id]))
}

fn create_price(stripe_state: &mut StripeState, form: &Form) -> Answer {
    let product = form.need("product")?.to_owned();
    named(&stripe_state.products, "product", &product, "product")?;
    let lookup_key = form.get("lookup_key").map(str::to_owned);
    if lookup_key.is_some() && stripe_state.prices.values().any(|price| price.lookup_key == lookup_key) {
        let text = "A price already uses that lookup key.";
        return Err(refusal(400, "resource_already_exists", text, Some("lookup_key")));
    }
    let price = Price {
        id: name("price"),
        product,
        nickname: form.get("nickname").map(str::to_owned),
        amount: form.number("unit_amount")?,
        currency: form.need("currency")?.to_lowercase(),
        interval: form.need("recurring[interval]")?.to_owned(),
        interval_count: form
            .get("recurring[interval_count]")
            .map_or(Ok(1), |_| form.number("recurring[interval_count]"))?,
        lookup_key,
        metadata: form.map("metadata"),
        created: stripe_state.now(),
    };
    let id = price.id.clone();
    stripe_state.prices.insert(id.clone(), price);
    Ok(objects::price(&stripe_state.prices[&id]))
}

fn prices(stripe_state: &StripeState, form: &Form) -> Value {
    let keys = form.list("lookup_keys");
    let fits = |price: &&Price| keys.is_empty() || price.lookup_key.as_deref().is_some_and(|key| keys.contains(&key));
    page("/v1/prices", stripe_state.prices.values().filter(fits).map(objects::price).collect(), form)
}

fn create_subscription(stripe_state: &mut StripeState, form: &Form) -> Answer {
    let (customer, price) = (form.need("customer")?, form.need("items[0][price]")?);
    own_customer(stripe_state, customer)?;
    named(&stripe_state.prices, "price", price, "items[0][price]")?;
    if form.get("payment_behavior") != Some("default_incomplete") {
        let text = "Only payment_behavior=default_incomplete is known here.";
        return Err(refusal(400, "parameter_invalid", text, Some("payment_behavior")));
    }
    let keeps = form.get("payment_settings[save_default_payment_method]") == Some("on_subscription");
    let types = types(form, "payment_settings[payment_method_types]")?;
    if types.iter().any(|kind| kind == "sepa_debit") && stripe_state.prices[price].currency != "eur" {
        let text = "The payment method type `sepa_debit` is for eur only.";
        return Err(refusal(400, "parameter_invalid", text, Some("payment_settings[payment_method_types]")));
    }
    let id = stripe_state.subscribe(customer, price, (keeps, types), form.map("metadata"));
    subscription(stripe_state, &id, &form.list("expand"))
}

fn subscription(stripe_state: &StripeState, id: &str, expand: &[&str]) -> Answer {
    found(&stripe_state.subscriptions, "subscription", id).map(|it| objects::subscription(stripe_state, it, expand))
}

fn subscriptions(stripe_state: &StripeState, form: &Form) -> Answer {
    let customer = form.get("customer");
    if let Some(customer) = customer {
        own_customer(stripe_state, customer)?;
    }
    let expand: Vec<&str> = form.list("expand").iter().filter_map(|path| path.strip_prefix("data.")).collect();
    let status = form.get("status");
    let mut all: Vec<_> = stripe_state
        .subscriptions
        .values()
        .filter(|it| customer.is_none_or(|customer| it.customer == customer))
        .filter(|it| match status {
            Some("all") => true,
            Some(status) => it.status == status,
            None => it.status != "canceled",
        })
        .collect();
    all.sort_by_key(|it| -it.created);
    let told = all.into_iter().map(|it| objects::subscription(stripe_state, it, &expand)).collect();
    Ok(page("/v1/subscriptions", told, form))
}

fn running(stripe_state: &StripeState, id: &str) -> Result<(), Refusal> {
    match found(&stripe_state.subscriptions, "subscription", id)?.is_over() {
        true => Err(missing("subscription", id)),
        false => Ok(()),
    }
}

fn update_subscription(stripe_state: &mut StripeState, id: &str, form: &Form) -> Answer {
    running(stripe_state, id)?;
    if let Some(price) = form.get("items[0][price]") {
        named(&stripe_state.prices, "price", price, "items[0][price]")?;
        if form.need("items[0][id]")? != stripe_state.subscriptions[id].item {
            return Err(unknown("subscription_item", form.need("items[0][id]")?, "items[0][id]"));
        }
        if form.get("payment_behavior") != Some("pending_if_incomplete") {
            let text = "Only payment_behavior=pending_if_incomplete is known here.";
            return Err(refusal(400, "parameter_invalid", text, Some("payment_behavior")));
        }
        if form.map("metadata").as_object().is_some_and(|fields| !fields.is_empty()) {
            let text = "metadata cannot be set together with payment_behavior=pending_if_incomplete.";
            return Err(refusal(400, "parameter_invalid", text, Some("metadata")));
        }
        let price = price.to_owned();
        stripe_state.change_price(id, &price);
    }
    if let Some(method) = form.get("default_payment_method") {
        own_method(stripe_state, &stripe_state.subscriptions[id].customer, method)?;
        stripe_state.subscriptions.get_mut(id).expect("it was found").default_method = Some(method.to_owned());
    }
    if let Some(cancels) = form.get("cancel_at_period_end") {
        stripe_state.set_cancels(id, cancels == "true");
    }
    let metadata = form.map("metadata");
    if let Some(fields) = metadata.as_object().filter(|fields| !fields.is_empty()) {
        let subscription = stripe_state.subscriptions.get_mut(id).expect("it was found");
        for (field, value) in fields {
            subscription.metadata[field] = value.clone();
        }
    }
    subscription(stripe_state, id, &form.list("expand"))
}

fn invoices(stripe_state: &StripeState, form: &Form) -> Answer {
    let customer = form.need("customer")?;
    own_customer(stripe_state, customer)?;
    let mut all: Vec<_> = stripe_state.invoices.values().filter(|it| it.customer == customer).collect();
    all.sort_by_key(|it| -it.created);
    Ok(page("/v1/invoices", all.into_iter().map(|it| objects::invoice(stripe_state, it, &[])).collect(), form))
}

fn void(stripe_state: &mut StripeState, id: &str) -> Answer {
    let status = found(&stripe_state.invoices, "invoice", id)?.status;
    if status != "open" {
        let text = format!("You can only pass in open invoices. This invoice isn't open: it is {status}.");
        return Err(refusal(400, "invoice_not_editable", text, None));
    }
    stripe_state.void(id);
    Ok(objects::invoice(stripe_state, &stripe_state.invoices[id], &[]))
}

fn invoice_payments(stripe_state: &StripeState, form: &Form) -> Answer {
    let intent = form.need("payment[payment_intent]")?;
    let told = named(&stripe_state.intents, "payment_intent", intent, "payment[payment_intent]")?;
    let payment = told.invoice.as_ref().map(|invoice| objects::invoice_payment(stripe_state, told, invoice));
    Ok(page("/v1/invoice_payments", payment.into_iter().collect(), form))
}

fn methods(stripe_state: &StripeState, form: &Form) -> Answer {
    let customer = form.need("customer")?;
    own_customer(stripe_state, customer)?;
    let all = stripe_state.methods.values().filter(|it| it.customer.as_deref() == Some(customer)).map(objects::method);
    Ok(page("/v1/payment_methods", all.collect(), form))
}

fn detach(stripe_state: &mut StripeState, id: &str) -> Answer {
    stripe_state.methods.get(id).filter(|it| it.customer.is_some()).ok_or_else(|| missing("payment_method", id))?;
    stripe_state.detach(id);
    Ok(objects::method(&stripe_state.methods[id]))
}

/// The payment method types; cards by default.
fn types(form: &Form, field: &str) -> Result<Vec<String>, Refusal> {
    let types = form.list(field);
    if let Some(unknown) = types.iter().find(|kind| !matches!(**kind, "card" | "link" | "paypal" | "sepa_debit")) {
        let text = format!("The payment method type provided: {unknown} is invalid.");
        return Err(refusal(400, "parameter_invalid", text, Some(field)));
    }
    Ok(if types.is_empty() { vec!["card".to_owned()] } else { types.into_iter().map(str::to_owned).collect() })
}

fn own_method(stripe_state: &StripeState, customer: &str, method: &str) -> Result<(), Refusal> {
    let is_own = stripe_state.methods.get(method).is_some_and(|it| it.customer.as_deref() == Some(customer));
    if is_own { Ok(()) } else { Err(unknown("payment_method", method, "default_payment_method")) }
}

fn update_customer(stripe_state: &mut StripeState, id: &str, form: &Form) -> Answer {
    own_customer(stripe_state, id).map_err(|_| missing("customer", id))?;
    if let Some(email) = form.get("email") {
        // An empty text takes a field away.
        stripe_state.set_email(id, Some(email.to_owned()).filter(|email| !email.is_empty()));
    }
    if let Some(method) = form.get("invoice_settings[default_payment_method]") {
        own_method(stripe_state, id, method)?;
        stripe_state.customers.get_mut(id).expect("it was found").default_method = Some(method.to_owned());
    }
    Ok(objects::customer(&stripe_state.customers[id]))
}

fn create_setup(stripe_state: &mut StripeState, form: &Form) -> Answer {
    let customer = form.need("customer")?;
    own_customer(stripe_state, customer)?;
    if !form.list("payment_method_types").is_empty() {
        let text = "payment_method_types is not supported any more; use allowed_payment_method_types.";
        return Err(refusal(400, "payment_method_types_no_longer_supported", text, Some("payment_method_types")));
    }
    let id = stripe_state.begin_setup(customer, types(form, "allowed_payment_method_types")?);
    Ok(objects::setup_intent(&stripe_state.setups[&id]))
}

fn check_setup_secret(stripe_state: &StripeState, id: &str, form: &Form) -> Result<(), Refusal> {
    match found(&stripe_state.setups, "setup_intent", id)?.secret == form.need("client_secret")? {
        true => Ok(()),
        false => Err(missing("setup_intent", id)),
    }
}

fn setup_of(stripe_state: &StripeState, id: &str, form: &Form) -> Answer {
    check_setup_secret(stripe_state, id, form)?;
    Ok(objects::setup_intent(&stripe_state.setups[id]))
}

fn confirm_setup(stripe_state: &mut StripeState, id: &str, form: &Form) -> Answer {
    check_setup_secret(stripe_state, id, form)?;
    let types = stripe_state.setups[id].types.clone();
    let method = chosen_card(stripe_state, form, &types)?;
    stripe_state.confirm_setup(id, &method)?;
    Ok(objects::setup_intent(&stripe_state.setups[id]))
}

fn authenticate_setup(stripe_state: &mut StripeState, id: &str, form: &Form) -> Answer {
    check_setup_secret(stripe_state, id, form)?;
    stripe_state.authenticate_setup(id, form.need("outcome")? == "succeed")?;
    Ok(objects::setup_intent(&stripe_state.setups[id]))
}

/// A browser reads or pays only objects whose secret it has.
fn check_secret(stripe_state: &StripeState, id: &str, form: &Form) -> Result<(), Refusal> {
    let intent = found(&stripe_state.intents, "payment_intent", id)?;
    if form.get("key").is_some() && form.need("client_secret")? != intent.secret {
        return Err(missing("payment_intent", id));
    }
    Ok(())
}

fn intent_of(stripe_state: &StripeState, id: &str, form: &Form) -> Answer {
    check_secret(stripe_state, id, form)?;
    Ok(objects::intent(&stripe_state.intents[id]))
}

fn confirm(stripe_state: &mut StripeState, id: &str, form: &Form) -> Answer {
    check_secret(stripe_state, id, form)?;
    let types = stripe_state.intents[id].types.clone();
    let method = chosen_card(stripe_state, form, &types)?;
    stripe_state.confirm(id, &method)?;
    Ok(objects::intent(&stripe_state.intents[id]))
}

fn authenticate(stripe_state: &mut StripeState, id: &str, form: &Form) -> Answer {
    check_secret(stripe_state, id, form)?;
    stripe_state.authenticate(id, form.need("outcome")? == "succeed")?;
    Ok(objects::intent(&stripe_state.intents[id]))
}

/// A card by its number, or by one of Stripe's names for cards of tests; or a bank account by its IBAN.
fn chosen_card(stripe_state: &mut StripeState, form: &Form, types: &[String]) -> Result<String, Refusal> {
    let iban = form.get("payment_method_data[sepa_debit][iban]").map(|iban| iban.replace(' ', ""));
    let kind = if iban.is_some() { "sepa_debit" } else { "card" };
    if !types.iter().any(|allowed| allowed == kind) {
        let text = format!("The payment method type {kind} is not allowed here.");
        return Err(refusal(400, "payment_method_type_not_allowed", text, Some("payment_method_data[type]")));
    }
    if let Some(number) = iban {
        if !(15..=34).contains(&number.len()) || !number.bytes().all(|it| it.is_ascii_alphanumeric()) {
            let text = "The IBAN you entered is invalid.";
            return Err(refusal(400, "invalid_bank_account_iban", text, Some("iban")));
        }
        return Ok(keep(stripe_state, number.to_uppercase(), (0, 0)));
    }
    let by_name = form.get("payment_method").map(|named| (named, card::number_of(named)));
    if let Some((named, None)) = by_name
        && stripe_state.methods.contains_key(named)
    {
        return Ok(named.to_owned());
    }
    let number = match by_name {
        Some((named, None)) => return Err(missing("payment_method", named)),
        Some((_, Some(number))) => number.to_owned(),
        None => form.need("payment_method_data[card][number]")?.replace(' ', ""),
    };
    if !card::is_number(&number) {
        let error = json!({ "type": "card_error", "code": "incorrect_number", "message": "Your card number is incorrect.",
            "param": "number" });
        return Err((402, error));
    }
    let expiry = |field: &str, otherwise: i64| form.get(field).and_then(|text| text.parse().ok()).unwrap_or(otherwise);
    let expires =
        (expiry("payment_method_data[card][exp_month]", 12), expiry("payment_method_data[card][exp_year]", 2034));
    Ok(keep(stripe_state, number, expires))
}

fn keep(stripe_state: &mut StripeState, number: String, expires: (i64, i64)) -> String {
    let method =
        Method { id: name("pm"), customer: None, number, expires, refuses: false, created: stripe_state.now() };
    let id = method.id.clone();
    stripe_state.methods.insert(id.clone(), method);
    id
}
