//! The state of a Stripe account and its behaviour: payments, renewals, retries, ends.

use std::collections::{BTreeMap, HashMap, VecDeque};

use chrono::{DateTime, Months, Utc};
use rand::{Rng, distr::Alphanumeric};
use serde_json::{Value, json};

use super::{card::Verdict, objects};

pub const HOUR: i64 = 3_600;
pub const DAY: i64 = 24 * HOUR;

/// How long an invoice of a renewal is a draft.
const DRAFT: i64 = HOUR;

/// How long a subscription waits for its first payment.
const FIRST_PAYMENT: i64 = 23 * HOUR;

/// How long a debit is processing.
const DEBIT: i64 = 5 * DAY;

/// When a failed renewal is tried again, after its first failure; then the subscription ends.
const RETRIES: [i64; 4] = [DAY, 3 * DAY, 5 * DAY, 10 * DAY];

pub struct Customer {
    pub id: String,
    pub email: Option<String>,
    pub metadata: Value,
    pub created: i64,
    /// Of a deleted one nothing but the id is told.
    pub deleted: bool,
    /// Pays invoices whose subscription names nothing else.
    pub default_method: Option<String>,
    /// Below zero: it is owed to the customer.
    pub balance: i64,
}

#[derive(Clone)]
pub struct Price {
    pub id: String,
    pub product: String,
    pub nickname: Option<String>,
    pub amount: i64,
    pub currency: String,
    pub interval: String,
    pub interval_count: u32,
    pub lookup_key: Option<String>,
    pub metadata: Value,
    pub created: i64,
}

impl Price {
    fn months(&self) -> u32 {
        self.interval_count * if self.interval == "year" { 12 } else { 1 }
    }
}

pub struct Product {
    pub id: String,
    pub name: String,
    pub created: i64,
}

pub struct Subscription {
    pub id: String,
    pub item: String,
    pub customer: String,
    pub price: String,
    pub status: &'static str,
    pub created: i64,
    pub anchor: i64,
    /// Periods since the anchor.
    pub periods: u32,
    pub period: (i64, i64),
    pub cancels: bool,
    pub canceled_at: Option<i64>,
    pub ended_at: Option<i64>,
    pub default_method: Option<String>,
    pub keeps_method: bool,
    pub latest_invoice: String,
    pub pending: Option<Pending>,
    /// What it may be paid with.
    pub types: Vec<String>,
    pub metadata: Value,
}

/// A change that waits for its payment.
#[derive(Clone)]
pub struct Pending {
    pub price: String,
    pub period: (i64, i64),
    /// The period begins again.
    pub is_new_rhythm: bool,
    pub invoice: String,
    pub expires: i64,
    /// What was owed to the customer before.
    pub balance: i64,
}

impl Subscription {
    pub fn is_over(&self) -> bool {
        matches!(self.status, "canceled" | "incomplete_expired")
    }
}

pub struct Invoice {
    pub id: String,
    pub customer: String,
    pub subscription: String,
    pub status: &'static str,
    pub reason: &'static str,
    pub total: i64,
    /// What is asked for, after what is owed to the customer.
    pub due: i64,
    pub paid: i64,
    pub currency: String,
    pub created: i64,
    pub paid_at: Option<i64>,
    pub attempts: u64,
    /// When it is finalized, or its payment tried again.
    pub next: Option<i64>,
    pub intent: Option<String>,
    pub period: (i64, i64),
}

pub struct Intent {
    pub id: String,
    pub secret: String,
    pub amount: i64,
    pub received: i64,
    pub currency: String,
    pub status: &'static str,
    pub customer: Option<String>,
    pub invoice: Option<String>,
    pub method: Option<String>,
    pub error: Option<Value>,
    /// What it may be paid with.
    pub types: Vec<String>,
    /// When it succeeds or fails.
    pub settles: Option<i64>,
    pub created: i64,
}

/// Something to pay with that is being added.
pub struct Setup {
    pub id: String,
    pub secret: String,
    pub customer: String,
    pub status: &'static str,
    pub method: Option<String>,
    pub error: Option<Value>,
    pub types: Vec<String>,
    pub created: i64,
}

pub struct Method {
    pub id: String,
    pub customer: Option<String>,
    /// Of a card, or an IBAN.
    pub number: String,
    pub expires: (i64, i64),
    /// Set to refuse all payments.
    pub refuses: bool,
    pub created: i64,
}

impl Method {
    /// From a bank account in the SEPA, and not by card.
    pub fn is_debit(&self) -> bool {
        self.number.starts_with(|first: char| first.is_ascii_alphabetic())
    }
}

/// Money that moved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Charge {
    pub customer: String,
    pub invoice: String,
    pub amount: i64,
    pub at: i64,
}

/// A payment that the owner of the card denied.
pub struct Dispute {
    pub id: String,
    pub intent: String,
    pub amount: i64,
    pub currency: String,
    pub status: &'static str,
    pub created: i64,
}

/// Everything.
#[derive(Default)]
pub struct StripeState {
    /// Seconds by which this clock is ahead of the machine's.
    pub ahead: i64,
    pub customers: BTreeMap<String, Customer>,
    pub products: BTreeMap<String, Product>,
    pub prices: BTreeMap<String, Price>,
    pub subscriptions: BTreeMap<String, Subscription>,
    pub invoices: BTreeMap<String, Invoice>,
    pub intents: BTreeMap<String, Intent>,
    pub setups: BTreeMap<String, Setup>,
    pub methods: BTreeMap<String, Method>,
    pub charges: Vec<Charge>,
    pub disputes: BTreeMap<String, Dispute>,
    /// What happened, in order.
    pub events: Vec<Value>,
    /// Events that were not delivered yet.
    pub untold: VecDeque<Value>,
    /// By its key: what was asked, and what was answered.
    pub answers: HashMap<String, (String, u16, Value)>,
}

/// Why something is refused: the status, and the error as Stripe writes it.
pub type Refusal = (u16, Value);

pub fn refusal(status: u16, code: &str, message: impl Into<String>, param: Option<&str>) -> Refusal {
    (status, json!({ "type": "invalid_request_error", "code": code, "message": message.into(), "param": param }))
}

/// What a call is for does not exist.
pub fn missing(what: &str, id: &str) -> Refusal {
    let param = match what {
        "payment_intent" | "setup_intent" => "intent",
        "invoice" | "payment_method" => what,
        _ => "id",
    };
    refusal(404, "resource_missing", format!("No such {what}: '{id}'"), Some(param))
}

/// A parameter names something that does not exist: the same code, with another status.
pub fn unknown(what: &str, id: &str, param: &str) -> Refusal {
    refusal(400, "resource_missing", format!("No such {what}: '{id}'"), Some(param))
}

/// An id in Stripe's format.
pub fn name(prefix: &str) -> String {
    let rest: String = rand::rng().sample_iter(Alphanumeric).take(24).map(char::from).collect();
    format!("{prefix}_{rest}")
}

impl StripeState {
    pub fn now(&self) -> i64 {
        Utc::now().timestamp() + self.ahead
    }

    fn note(&mut self, kind: &str, object: Value) {
        let event = json!({
            "id": name("evt"), "object": "event", "api_version": objects::VERSION, "created": self.now(),
            "livemode": false, "pending_webhooks": 1, "request": { "id": null, "idempotency_key": null },
            "type": kind, "data": { "object": object },
        });
        self.events.push(event.clone());
        self.untold.push_back(event);
    }

    fn note_subscription(&mut self, kind: &str, id: &str) {
        let object = objects::subscription(self, &self.subscriptions[id], &[]);
        self.note(kind, object);
    }

    fn note_invoice(&mut self, kind: &str, id: &str) {
        let object = objects::invoice(self, &self.invoices[id], &[]);
        self.note(kind, object);
    }

    fn note_intent(&mut self, kind: &str, id: &str) {
        let object = objects::intent(&self.intents[id]);
        self.note(kind, object);
    }

    pub fn add_customer(&mut self, email: Option<String>, metadata: Value) -> String {
        let customer = Customer {
            id: name("cus"),
            email,
            metadata,
            created: self.now(),
            deleted: false,
            default_method: None,
            balance: 0,
        };
        let id = customer.id.clone();
        let object = objects::customer(&customer);
        self.customers.insert(id.clone(), customer);
        self.note("customer.created", object);
        id
    }

    /// Deletes a customer with all that can still cost them something.
    pub fn delete_customer(&mut self, id: &str) {
        let now = self.now();
        let running: Vec<String> = self
            .subscriptions
            .values()
            .filter(|it| it.customer == id && !it.is_over())
            .map(|it| it.id.clone())
            .collect();
        for subscription in running {
            self.end(&subscription, now);
        }
        self.methods.retain(|_, it| it.customer.as_deref() != Some(id));
        let customer = self.customers.get_mut(id).expect("it was found");
        let object = objects::customer(customer);
        (customer.deleted, customer.email, customer.metadata) = (true, None, json!({}));
        self.note("customer.deleted", object);
    }

    pub fn set_email(&mut self, id: &str, email: Option<String>) {
        let customer = self.customers.get_mut(id).expect("it was found");
        customer.email = email;
        let object = objects::customer(customer);
        self.note("customer.updated", object);
    }

    /// The payment intent of the newest charge.
    pub fn newest_payment(&self) -> String {
        let charge = self.charges.last().expect("a charge");
        self.invoices[&charge.invoice].intent.clone().expect("a paid invoice")
    }

    /// The bank takes a payment for fraud, before anybody disputes it.
    pub fn warn_of_fraud(&mut self, intent: &str) {
        let object = objects::fraud_warning(&self.intents[intent], self.now());
        self.note("radar.early_fraud_warning.created", object);
    }

    /// The owner of the card denies a payment.
    pub fn dispute(&mut self, intent: &str) -> String {
        let paid = &self.intents[intent];
        let dispute = Dispute {
            id: name("du"),
            intent: intent.to_owned(),
            amount: paid.received,
            currency: paid.currency.clone(),
            status: "needs_response",
            created: self.now(),
        };
        let id = dispute.id.clone();
        let object = objects::dispute(&dispute);
        self.disputes.insert(id.clone(), dispute);
        self.note("charge.dispute.created", object.clone());
        self.note("charge.dispute.funds_withdrawn", object);
        id
    }

    /// The bank decided: `won`, `lost` or `warning_closed`.
    pub fn close_dispute(&mut self, id: &str, status: &'static str) {
        let dispute = self.disputes.get_mut(id).expect("a dispute");
        dispute.status = status;
        let object = objects::dispute(dispute);
        self.note("charge.dispute.closed", object);
    }

    /// Creates a subscription that waits for its first payment.
    pub fn subscribe(
        &mut self,
        customer: &str,
        price: &str,
        (keeps_method, types): (bool, Vec<String>),
        metadata: Value,
    ) -> String {
        let now = self.now();
        let price = self.prices[price].clone();
        let id = name("sub");
        let period = (now, after(now, price.months()));
        let invoice = self.bill(customer, &id, "subscription_create", price.amount, &price.currency, period);
        let subscription = Subscription {
            id: id.clone(),
            item: name("si"),
            customer: customer.to_owned(),
            price: price.id,
            status: "incomplete",
            created: now,
            anchor: now,
            periods: 1,
            period,
            cancels: false,
            canceled_at: None,
            ended_at: None,
            default_method: None,
            keeps_method,
            latest_invoice: invoice.clone(),
            pending: None,
            types,
            metadata,
        };
        self.subscriptions.insert(id.clone(), subscription);
        self.note_subscription("customer.subscription.created", &id);
        self.finalize(&invoice);
        self.settle_if_nothing_is_due(&invoice);
        id
    }

    fn bill(
        &mut self,
        customer: &str,
        subscription: &str,
        reason: &'static str,
        total: i64,
        currency: &str,
        period: (i64, i64),
    ) -> String {
        let invoice = Invoice {
            id: name("in"),
            customer: customer.to_owned(),
            subscription: subscription.to_owned(),
            status: "draft",
            reason,
            total,
            due: total.max(0),
            paid: 0,
            currency: currency.to_owned(),
            created: self.now(),
            paid_at: None,
            attempts: 0,
            next: None,
            intent: None,
            period,
        };
        let id = invoice.id.clone();
        self.invoices.insert(id.clone(), invoice);
        id
    }

    /// A draft becomes something to pay; what is owed to the customer counts first.
    fn finalize(&mut self, id: &str) {
        let now = self.now();
        let invoice = self.invoices.get_mut(id).expect("an invoice");
        let customer = self.customers.get_mut(&invoice.customer).expect("a customer");
        let types = self.subscriptions[&invoice.subscription].types.clone();
        let asked = invoice.total + customer.balance;
        customer.balance = asked.min(0);
        invoice.due = asked.max(0);
        invoice.status = "open";
        let intent = Intent {
            id: name("pi"),
            secret: String::new(),
            amount: invoice.due,
            received: 0,
            currency: invoice.currency.clone(),
            status: "requires_payment_method",
            customer: Some(invoice.customer.clone()),
            invoice: Some(id.to_owned()),
            method: None,
            error: None,
            types,
            settles: None,
            created: now,
        };
        let intent = Intent { secret: format!("{}_secret_{}", intent.id, name("x")), ..intent };
        invoice.intent = Some(intent.id.clone());
        self.intents.insert(intent.id.clone(), intent);
        self.note_invoice("invoice.finalized", id);
    }

    fn settle_if_nothing_is_due(&mut self, id: &str) {
        if self.invoices[id].due == 0 {
            self.paid(id, None);
        }
    }

    /// A present customer pays with this card.
    pub fn confirm(&mut self, intent: &str, method: &str) -> Result<(), Refusal> {
        let found = &self.intents[intent];
        if !matches!(found.status, "requires_payment_method" | "requires_confirmation" | "requires_action") {
            let text = format!("This PaymentIntent's status is {}, so it cannot be confirmed.", found.status);
            let (status, mut error) = refusal(400, "payment_intent_unexpected_state", text, None);
            error["payment_intent"] = objects::intent(found);
            return Err((status, error));
        }
        self.intents.get_mut(intent).expect("it was found").method = Some(method.to_owned());
        match Verdict::of(&self.methods[method], true) {
            Verdict::Pays => {
                self.succeed(intent, method);
                Ok(())
            }
            Verdict::Asks => {
                let asked = self.intents.get_mut(intent).expect("it was found");
                asked.status = "requires_action";
                asked.error = None;
                self.note_intent("payment_intent.requires_action", intent);
                Ok(())
            }
            Verdict::Waits => {
                self.wait(intent, method);
                Ok(())
            }
            Verdict::Refuses(error) => Err(self.fail(intent, error)),
        }
    }

    /// It is processing, and treated as paid until then.
    fn wait(&mut self, id: &str, method: &str) {
        let settles = self.now() + DEBIT;
        let intent = self.intents.get_mut(id).expect("an intent");
        (intent.status, intent.settles, intent.error) = ("processing", Some(settles), None);
        let (invoice, customer) = (intent.invoice.clone(), intent.customer.clone());
        self.methods.get_mut(method).expect("a bank account").customer = customer;
        self.note_intent("payment_intent.processing", id);
        let Some(invoice) = invoice else { return };
        let invoice = self.invoices.get_mut(&invoice).expect("an invoice");
        (invoice.next, invoice.attempts) = (None, invoice.attempts + 1);
        let subscription = self.subscriptions.get_mut(&invoice.subscription).expect("a subscription");
        if subscription.status == "incomplete" {
            subscription.status = "active";
            let id = subscription.id.clone();
            self.note_subscription("customer.subscription.updated", &id);
        }
    }

    /// A processing payment succeeds or fails.
    fn settle(&mut self, id: &str) {
        let intent = self.intents.get_mut(id).expect("an intent");
        intent.settles = None;
        let method = intent.method.clone().expect("the card that paid");
        let Err(error) = Verdict::of_debit(&self.methods[&method]) else { return self.succeed(id, &method) };
        let _ = self.fail(id, error);
        let Some(invoice) = self.intents[id].invoice.clone() else { return };
        let now = self.now();
        let invoice = self.invoices.get_mut(&invoice).expect("an invoice");
        invoice.next = Some(now + DAY).filter(|_| invoice.status == "open");
        let subscription = self.subscriptions.get_mut(&invoice.subscription).expect("a subscription");
        if subscription.status == "active" {
            subscription.status = "past_due";
            let id = subscription.id.clone();
            self.note_subscription("customer.subscription.updated", &id);
        }
    }

    /// Starts adding a payment method.
    pub fn begin_setup(&mut self, customer: &str, types: Vec<String>) -> String {
        let id = name("seti");
        let setup = Setup {
            secret: format!("{id}_secret_{}", name("x")),
            id: id.clone(),
            customer: customer.to_owned(),
            status: "requires_payment_method",
            method: None,
            error: None,
            types,
            created: self.now(),
        };
        self.setups.insert(id.clone(), setup);
        id
    }

    /// A present customer adds this card.
    pub fn confirm_setup(&mut self, id: &str, method: &str) -> Result<(), Refusal> {
        let setup = self.setups.get_mut(id).expect("it was found");
        if !matches!(setup.status, "requires_payment_method" | "requires_action") {
            let text = format!("This SetupIntent's status is {}, so it cannot be confirmed.", setup.status);
            let (status, mut error) = refusal(400, "setup_intent_unexpected_state", text, None);
            error["setup_intent"] = objects::setup_intent(setup);
            return Err((status, error));
        }
        (setup.method, setup.error) = (Some(method.to_owned()), None);
        match Verdict::of(&self.methods[method], true) {
            Verdict::Pays | Verdict::Waits => self.attach(id),
            Verdict::Asks => setup.status = "requires_action",
            Verdict::Refuses(error) => return Err(self.fail_setup(id, error)),
        }
        Ok(())
    }

    /// Completes a 3-D Secure challenge.
    pub fn authenticate_setup(&mut self, id: &str, is_them: bool) -> Result<(), Refusal> {
        match (self.setups[id].status, is_them) {
            ("requires_action", true) => self.attach(id),
            ("requires_action", false) => drop(self.fail_setup(id, Verdict::not_them())),
            _ => return Err(refusal(400, "setup_intent_unexpected_state", "This SetupIntent asks for nothing.", None)),
        }
        Ok(())
    }

    fn attach(&mut self, id: &str) {
        let setup = self.setups.get_mut(id).expect("a setup");
        setup.status = "succeeded";
        let method = setup.method.as_ref().expect("a card");
        self.methods.get_mut(method).expect("a card").customer = Some(setup.customer.clone());
        let object = objects::setup_intent(setup);
        self.note("setup_intent.succeeded", object);
    }

    fn fail_setup(&mut self, id: &str, error: Value) -> Refusal {
        let setup = self.setups.get_mut(id).expect("a setup");
        (setup.status, setup.method, setup.error) = ("requires_payment_method", None, Some(error.clone()));
        let mut told = error;
        told["setup_intent"] = objects::setup_intent(setup);
        (402, told)
    }

    /// Detaches a payment method.
    pub fn detach(&mut self, id: &str) {
        self.methods.get_mut(id).expect("a card").customer = None;
        let is_it = |method: &Option<String>| method.as_deref() == Some(id);
        self.customers.values_mut().filter(|it| is_it(&it.default_method)).for_each(|it| it.default_method = None);
        self.subscriptions.values_mut().filter(|it| is_it(&it.default_method)).for_each(|it| it.default_method = None);
    }

    /// Completes a 3-D Secure challenge.
    pub fn authenticate(&mut self, intent: &str, is_them: bool) -> Result<(), Refusal> {
        let found = &self.intents[intent];
        let Some(method) = found.method.clone().filter(|_| found.status == "requires_action") else {
            let text = "This PaymentIntent asks for nothing.";
            return Err(refusal(400, "payment_intent_unexpected_state", text, None));
        };
        if is_them {
            self.succeed(intent, &method);
        } else {
            // The call succeeds: the answer is the intent with the reason of its failure.
            let _ = self.fail(intent, Verdict::not_them());
        }
        Ok(())
    }

    fn succeed(&mut self, id: &str, method: &str) {
        let intent = self.intents.get_mut(id).expect("an intent");
        intent.status = "succeeded";
        intent.received = intent.amount;
        intent.error = None;
        let (invoice, customer) = (intent.invoice.clone(), intent.customer.clone());
        self.methods.get_mut(method).expect("a card").customer = customer;
        self.note_intent("payment_intent.succeeded", id);
        if let Some(invoice) = invoice {
            self.paid(&invoice, Some(method));
        }
    }

    fn paid(&mut self, id: &str, method: Option<&str>) {
        let now = self.now();
        let invoice = self.invoices.get_mut(id).expect("an invoice");
        invoice.status = "paid";
        invoice.paid = invoice.due;
        invoice.paid_at = Some(now);
        invoice.next = None;
        if invoice.due > 0 {
            invoice.attempts += 1;
            self.charges.push(Charge {
                customer: invoice.customer.clone(),
                invoice: id.to_owned(),
                amount: invoice.due,
                at: now,
            });
        }
        let subscription = self.subscriptions.get_mut(&invoice.subscription).expect("a subscription");
        let was = subscription.status;
        if !subscription.is_over() {
            subscription.status = "active";
        }
        if let Some(pending) = subscription.pending.take_if(|pending| pending.invoice == id) {
            subscription.price = pending.price;
            if pending.is_new_rhythm {
                (subscription.anchor, subscription.periods, subscription.period) = (now, 1, pending.period);
            }
        }
        if subscription.keeps_method && method.is_some() {
            subscription.default_method = method.map(str::to_owned);
        }
        let subscription = subscription.id.clone();
        self.note_invoice("invoice.paid", id);
        if was != self.subscriptions[&subscription].status {
            self.note_subscription("customer.subscription.updated", &subscription);
        }
    }

    /// Returns the error for the caller.
    fn fail(&mut self, id: &str, error: Value) -> Refusal {
        let intent = self.intents.get_mut(id).expect("an intent");
        intent.status = "requires_payment_method";
        intent.error = Some(error.clone());
        let invoice = intent.invoice.clone();
        self.note_intent("payment_intent.payment_failed", id);
        if let Some(invoice) = invoice {
            self.invoices.get_mut(&invoice).expect("an invoice").attempts += 1;
            self.note_invoice("invoice.payment_failed", &invoice);
        }
        let mut told = error;
        told["payment_intent"] = objects::intent(&self.intents[id]);
        (402, told)
    }

    /// Charges the stored card without the customer.
    fn collect(&mut self, invoice: &str) -> Result<(), Value> {
        let subscription = &self.subscriptions[&self.invoices[invoice].subscription];
        let chosen = subscription.default_method.as_ref();
        let chosen = chosen.or(self.customers[&subscription.customer].default_method.as_ref());
        let Some(method) = chosen.cloned() else { return Err(Verdict::no_card()) };
        let intent = self.invoices[invoice].intent.clone().expect("a finalized invoice");
        self.intents.get_mut(&intent).expect("an intent").method = Some(method.clone());
        match Verdict::of(&self.methods[&method], false) {
            Verdict::Pays => {
                self.succeed(&intent, &method);
                Ok(())
            }
            Verdict::Waits => {
                self.wait(&intent, &method);
                Ok(())
            }
            Verdict::Asks => Err(self.fail(&intent, Verdict::not_there()).1),
            Verdict::Refuses(error) => Err(self.fail(&intent, error).1),
        }
    }

    pub fn set_cancels(&mut self, id: &str, cancels: bool) {
        let now = self.now();
        let subscription = self.subscriptions.get_mut(id).expect("a subscription");
        subscription.cancels = cancels;
        subscription.canceled_at = cancels.then_some(now);
        self.note_subscription("customer.subscription.updated", id);
    }

    /// Changes the price, now or when the difference is paid.
    pub fn change_price(&mut self, id: &str, price: &str) {
        let now = self.now();
        let open = self.subscriptions[id].pending.as_ref().map(|pending| pending.invoice.clone());
        if let Some(before) = open {
            self.void(&before);
        }
        let subscription = &self.subscriptions[id];
        let (old, new) = (self.prices[&subscription.price].clone(), self.prices[price].clone());
        if old.id == new.id {
            return;
        }
        let (start, end) = subscription.period;
        let left = (end - now).max(0);
        let unused = old.amount * left / (end - start).max(1);
        let is_same_rhythm = old.months() == new.months();
        let asked = if is_same_rhythm { new.amount * left / (end - start).max(1) } else { new.amount };
        let period = if is_same_rhythm { (now, end) } else { (now, after(now, new.months())) };
        let customer = subscription.customer.clone();
        let balance = self.customers[&customer].balance;
        let invoice = self.bill(&customer, id, "subscription_update", asked - unused, &new.currency, period);
        let subscription = self.subscriptions.get_mut(id).expect("a subscription");
        subscription.latest_invoice = invoice.clone();
        subscription.pending = Some(Pending {
            price: new.id,
            period,
            is_new_rhythm: !is_same_rhythm,
            invoice: invoice.clone(),
            expires: now + FIRST_PAYMENT,
            balance,
        });
        self.finalize(&invoice);
        self.settle_if_nothing_is_due(&invoice);
        if self.invoices[&invoice].status == "open" {
            self.collect_present(&invoice);
        }
        self.note_subscription("customer.subscription.updated", id);
    }

    /// Charges the stored card; the customer is present and can be challenged.
    fn collect_present(&mut self, invoice: &str) {
        let intent = self.invoices[invoice].intent.clone().expect("a finalized invoice");
        if self.collect(invoice).is_err()
            && let Some(asked) = self
                .intents
                .get_mut(&intent)
                .filter(|it| it.error.as_ref().is_some_and(|error| error["code"] == "authentication_required"))
        {
            (asked.status, asked.error) = ("requires_action", None);
            self.note_intent("payment_intent.requires_action", &intent);
        }
    }

    /// Ends a subscription now; open invoices are no longer collected.
    pub fn end(&mut self, id: &str, at: i64) {
        let open: Vec<String> =
            self.invoices.values().filter(|it| it.subscription == id).map(|it| it.id.clone()).collect();
        let was_incomplete = self.subscriptions[id].status == "incomplete";
        for invoice in open {
            if (was_incomplete || self.invoices[&invoice].reason == "subscription_update")
                && self.invoices[&invoice].status == "open"
            {
                self.void(&invoice);
            }
            self.invoices.get_mut(&invoice).expect("it was found").next = None;
        }
        let subscription = self.subscriptions.get_mut(id).expect("a subscription");
        subscription.status = if was_incomplete { "incomplete_expired" } else { "canceled" };
        subscription.ended_at = Some(at);
        subscription.canceled_at = subscription.canceled_at.or(Some(at));
        self.note_subscription("customer.subscription.deleted", id);
    }

    /// Voids an open invoice and what waited for it.
    pub fn void(&mut self, id: &str) {
        let invoice = self.invoices.get_mut(id).expect("an invoice");
        invoice.status = "void";
        invoice.next = None;
        let (intent, subscription) = (invoice.intent.clone(), invoice.subscription.clone());
        if let Some(intent) = intent {
            let given_up = self.intents.get_mut(&intent).expect("an intent");
            (given_up.status, given_up.settles) = ("canceled", None);
            self.note_intent("payment_intent.canceled", &intent);
        }
        self.note_invoice("invoice.voided", id);
        let now = self.now();
        let waiting = self.subscriptions.get_mut(&subscription).expect("a subscription");
        if let Some(pending) = waiting.pending.take_if(|pending| pending.invoice == id) {
            self.customers.get_mut(&waiting.customer).expect("a customer").balance = pending.balance;
        }
        if waiting.status == "incomplete" {
            waiting.status = "incomplete_expired";
            waiting.ended_at = Some(now);
            self.note_subscription("customer.subscription.updated", &subscription);
        }
    }

    /// Advances the clock by this many seconds, with all due events in order.
    pub fn advance(&mut self, seconds: i64) {
        let end = self.now() + seconds;
        while let Some((at, due)) = self.next_due().filter(|(at, _)| *at <= end) {
            self.ahead += (at - self.now()).max(0);
            self.happen(due, at);
        }
        self.ahead += (end - self.now()).max(0);
    }

    fn next_due(&self) -> Option<(i64, Due)> {
        let changes = self.subscriptions.values().filter_map(|it| it.pending.as_ref());
        let changes = changes.map(|it| (it.expires, Due::GivenUpChange(it.invoice.clone())));
        let ends = self.subscriptions.values().filter(|it| !it.is_over()).map(|it| match it.status {
            "incomplete" => (it.created + FIRST_PAYMENT, Due::GivenUp(it.id.clone())),
            _ => (it.period.1, Due::PeriodEnds(it.id.clone())),
        });
        let bills = self.invoices.values().filter_map(|it| Some((it.next?, Due::Collect(it.id.clone()))));
        let debits = self.intents.values().filter_map(|it| Some((it.settles?, Due::Settle(it.id.clone()))));
        ends.chain(bills).chain(debits).chain(changes).min_by_key(|(at, _)| *at)
    }

    fn happen(&mut self, due: Due, at: i64) {
        match due {
            Due::GivenUp(id) => {
                let invoice = self.subscriptions[&id].latest_invoice.clone();
                self.void(&invoice);
            }
            Due::GivenUpChange(invoice) => self.void(&invoice),
            Due::PeriodEnds(id) if self.subscriptions[&id].cancels => self.end(&id, at),
            Due::PeriodEnds(id) => self.renew(&id),
            Due::Collect(id) => self.try_to_collect(&id, at),
            Due::Settle(id) => self.settle(&id),
        }
    }

    fn renew(&mut self, id: &str) {
        let price = self.prices[&self.subscriptions[id].price].clone();
        let subscription = self.subscriptions.get_mut(id).expect("a subscription");
        subscription.periods += 1;
        subscription.period =
            (subscription.period.1, after(subscription.anchor, price.months() * subscription.periods));
        let (customer, period) = (subscription.customer.clone(), subscription.period);
        let invoice = self.bill(&customer, id, "subscription_cycle", price.amount, &price.currency, period);
        self.subscriptions.get_mut(id).expect("a subscription").latest_invoice = invoice.clone();
        self.invoices.get_mut(&invoice).expect("it was made").next = Some(period.0 + DRAFT);
        self.note_subscription("customer.subscription.updated", id);
        self.note_invoice("invoice.created", &invoice);
    }

    fn try_to_collect(&mut self, id: &str, at: i64) {
        if self.invoices[id].status == "draft" {
            self.finalize(id);
            self.settle_if_nothing_is_due(id);
        }
        if self.invoices[id].status != "open" || self.collect(id).is_ok() {
            return;
        }
        let invoice = self.invoices.get_mut(id).expect("an invoice");
        let (created, subscription) = (invoice.created, invoice.subscription.clone());
        invoice.next = RETRIES.iter().map(|after| created + DRAFT + after).find(|next| *next > at);
        if invoice.next.is_none() {
            self.end(&subscription, at);
        } else if self.subscriptions[&subscription].status == "active" {
            self.subscriptions.get_mut(&subscription).expect("a subscription").status = "past_due";
            self.note_subscription("customer.subscription.updated", &subscription);
        }
    }
}

enum Due {
    GivenUp(String),
    GivenUpChange(String),
    PeriodEnds(String),
    Collect(String),
    Settle(String),
}

fn after(start: i64, months: u32) -> i64 {
    let start = DateTime::from_timestamp(start, 0).expect("a time of our own");
    start.checked_add_months(Months::new(months)).expect("not that far").timestamp()
}
