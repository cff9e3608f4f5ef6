//! A stand-in for Stripe: it implements the part of Stripe's HTTP API that Morpion uses. Customers,
//! products, prices, subscriptions, invoices, payment intents, payment methods, events, errors, idempotency; cards that
//! are declined or ask for 3-D Secure; a clock that can be moved; webhooks, signed.
//!
//! What a **payment form** calls, from any origin, with the publishable key and the client secret that the server gave:
//!
//! | call (a form, as Stripe takes them) | fields | answer |
//! |---|---|---|
//! | `POST /v1/payment_intents/{id}/confirm` | `key`, `client_secret`, `payment_method_data[card][number]`, `[exp_month]`, `[exp_year]`, `[cvc]` | the intent: `succeeded`, or `requires_action` with `next_action`; 402 with `error.message` when the card is refused |
//! | `POST /v1/payment_intents/{id}/authenticate` | `key`, `client_secret`, `outcome`: `succeed` or `fail` | the intent: `succeeded`, or `requires_payment_method` with `last_payment_error.message` |
//! | the same two with `/v1/setup_intents/{id}/…` | the same | the setup, which adds the card and takes no money |
//!
//! With `payment_method_data[sepa_debit][iban]` instead of a card it is a debit from a bank account, where the server allows
//! that: it is `processing`, and arrives after five days. From `DE89370400440532013000` it arrives, from
//! `DE62370400440532013001` it is refused then.
//!
//! The id is what stands before `_secret_` in the client secret. The second call is the bank's question of 3-D Secure,
//! which Stripe's own form shows in a window. Cards: 4242 4242 4242 4242 pays, 4000 0000 0000 0002 is declined, 4000 0025
//! 0000 3155 asks once, 4000 0027 6000 3184 asks always and so cannot be renewed by itself.
//!
//! What a **person or a test** tells it, without a key: `POST /stand-in/clock` with `days` or `seconds` lets time pass,
//! with every renewal in it; `POST /stand-in/cards` with `refuse`: `true` or `false` has all kept cards refuse from now
//! on, or not; `GET /stand-in` shows customers, subscriptions and charges.

pub mod api;
pub mod card;
pub mod objects;
pub mod stripe_state;
pub mod webhook;

use std::{
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use parking_lot::{Mutex, MutexGuard};
use poem::{
    Endpoint, Request, Response,
    endpoint::make,
    http::{Method, StatusCode},
    listener::TcpAcceptor,
};
use serde_json::{Value, json};
use tokio::{net::TcpListener, sync::Notify, task::JoinHandle};

use api::{Caller, Form};
use stripe_state::{DAY, StripeState};

pub const SECRET_KEY: &str = "sk_test_standin";
pub const PUBLISHABLE_KEY: &str = "pk_test_standin";
pub const WEBHOOK_SECRET: &str = "whsec_standin";

/// Where a call is held permanently: as if whoever waits for its answer were gone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hold {
    /// The call was not executed.
    Before,
    /// The call was executed.
    After,
}

/// A running stand-in; stopped when dropped.
pub struct Stripe {
    pub address: SocketAddr,
    inner: Arc<Inner>,
    serving: JoinHandle<()>,
}

#[derive(Default)]
struct Inner {
    stripe_state: Mutex<StripeState>,
    /// Calls of the server so far.
    calls: AtomicUsize,
    trap: Mutex<Option<(usize, Hold)>>,
    caught: Notify,
    /// Answers no calls.
    is_away: std::sync::atomic::AtomicBool,
}

impl Stripe {
    /// On a port of its own.
    pub async fn start() -> Self {
        Self::at(TcpListener::bind("127.0.0.1:0").await.unwrap())
    }

    pub fn at(listener: TcpListener) -> Self {
        let address = listener.local_addr().unwrap();
        let inner = Arc::new(Inner::default());
        let routes = routes(Arc::clone(&inner));
        let serving = tokio::spawn(async move {
            let acceptor = TcpAcceptor::from_tokio(listener).unwrap();
            poem::Server::new_with_acceptor(acceptor).run(routes).await.unwrap();
        });
        Self { address, inner, serving }
    }

    pub fn base(&self) -> String {
        format!("http://{}", self.address)
    }

    pub fn stripe_state(&self) -> MutexGuard<'_, StripeState> {
        self.inner.stripe_state.lock()
    }

    /// How many calls came from the server.
    pub fn calls(&self) -> usize {
        self.inner.calls.load(Ordering::SeqCst)
    }

    /// Holds the server's call of this number, counted from 1 and from now.
    pub fn hold(&self, number: usize, hold: Hold) {
        *self.inner.trap.lock() = Some((self.calls() + number, hold));
    }

    /// Holds no further calls.
    pub fn release(&self) {
        *self.inner.trap.lock() = None;
    }

    /// Waits until a call is held.
    pub async fn caught(&self) {
        self.inner.caught.notified().await;
    }

    /// Stops or resumes answering calls.
    pub fn set_away(&self, is_away: bool) {
        self.inner.is_away.store(is_away, Ordering::SeqCst);
    }
}

impl Drop for Stripe {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

fn routes(inner: Arc<Inner>) -> impl Endpoint<Output = Response> {
    make(move |request: Request| {
        let inner = Arc::clone(&inner);
        async move { Ok::<_, poem::Error>(serve(&inner, request).await) }
    })
}

async fn serve(inner: &Inner, mut request: Request) -> Response {
    let path = request.uri().path().to_owned();
    let method = request.method().clone();
    if method == Method::OPTIONS {
        return answered(200, &json!({}));
    }
    let body = request.take_body().into_string().await.unwrap_or_default();
    let query = request.uri().query().unwrap_or_default().to_owned();
    let form = Form::parse(if body.is_empty() { &query } else { &body });
    match path.strip_prefix("/v1/") {
        Some(path) => serve_api(inner, &request, &method, path.trim_end_matches('/'), &form).await,
        None => serve_person(&mut inner.stripe_state.lock(), &method, &path, &form),
    }
}

async fn serve_api(inner: &Inner, request: &Request, method: &Method, path: &str, form: &Form) -> Response {
    let bearer = request.header("authorization").and_then(|text| text.strip_prefix("Bearer "));
    let caller = match bearer.or_else(|| form.get("key")) {
        Some(SECRET_KEY) => Caller::Secret,
        Some(PUBLISHABLE_KEY) => Caller::Publishable,
        _ => {
            let (_, error) = stripe_state::refusal(401, "api_key_invalid", "Invalid API Key provided.", None);
            return answered(401, &json!({ "error": error }));
        }
    };
    if inner.is_away.load(Ordering::SeqCst) {
        let error = json!({ "type": "api_error", "message": "An unknown error occurred." });
        return answered(503, &json!({ "error": error }));
    }
    let held = match caller {
        Caller::Secret => {
            let number = inner.calls.fetch_add(1, Ordering::SeqCst) + 1;
            inner.trap.lock().filter(|(at, _)| *at == number).map(|(_, hold)| hold)
        }
        Caller::Publishable => None,
    };
    if held == Some(Hold::Before) {
        inner.caught.notify_one();
        return std::future::pending().await;
    }
    let key = request.header("idempotency-key").filter(|_| *method != Method::GET);
    let answer = once(&mut inner.stripe_state.lock(), (caller, method.as_str(), path, form), key);
    if held == Some(Hold::After) {
        inner.caught.notify_one();
        return std::future::pending().await;
    }
    answer
}

/// A repeated key gets the same answer, and is refused for other content.
fn once(stripe_state: &mut StripeState, call: (Caller, &str, &str, &Form), key: Option<&str>) -> Response {
    let (caller, method, path, form) = call;
    let asked = format!("{method} {path} {}", form.fingerprint());
    if let Some((before, status, body)) = key.and_then(|key| stripe_state.answers.get(key)) {
        if *before != asked {
            let text =
                "Keys for idempotent requests can only be used with the same parameters they were first used with.";
            let error = json!({ "type": "idempotency_error", "message": text });
            return answered(400, &json!({ "error": error }));
        }
        let mut again = answered(*status, body);
        again.headers_mut().insert("idempotent-replayed", "true".parse().expect("plain"));
        return again;
    }
    let (status, body) = match api::answer(stripe_state, caller, method, path, form) {
        Ok(body) => (200, body),
        Err((status, error)) => (status, json!({ "error": error })),
    };
    if let Some(key) = key {
        stripe_state.answers.insert(key.to_owned(), (asked, status, body.clone()));
    }
    answered(status, &body)
}

fn serve_person(stripe_state: &mut StripeState, method: &Method, path: &str, form: &Form) -> Response {
    let number = |field: &str| form.get(field).and_then(|text| text.parse::<i64>().ok()).unwrap_or(0);
    match (method.as_str(), path) {
        ("POST", "/stand-in/clock") => {
            stripe_state.advance(number("days") * DAY + number("seconds"));
            answered(200, &json!({ "now": stripe_state.now() }))
        }
        ("POST", "/stand-in/cards") => {
            let refuses = form.get("refuse") == Some("true");
            stripe_state.methods.values_mut().for_each(|method| method.refuses = refuses);
            answered(200, &json!({ "cards": stripe_state.methods.len(), "refuse": refuses }))
        }
        ("GET", "/stand-in") => answered(200, &overview(stripe_state)),
        _ => answered(404, &json!({ "error": "There is nothing at this address." })),
    }
}

fn overview(stripe_state: &StripeState) -> Value {
    let customers: Vec<_> = stripe_state
        .customers
        .values()
        .map(|it| json!({ "id": it.id, "email": it.email, "balance": it.balance }))
        .collect();
    let subscriptions: Vec<_> = stripe_state
        .subscriptions
        .values()
        .map(|it| {
            let price = stripe_state.prices[&it.price].nickname.clone();
            json!({ "id": it.id, "customer": it.customer, "status": it.status, "plan": price, "until": it.period.1,
                "cancels": it.cancels })
        })
        .collect();
    let charges: Vec<_> = stripe_state
        .charges
        .iter()
        .map(|it| json!({ "customer": it.customer, "invoice": it.invoice, "amount": it.amount, "at": it.at }))
        .collect();
    json!({ "now": stripe_state.now(), "customers": customers, "subscriptions": subscriptions, "charges": charges })
}

fn answered(status: u16, body: &Value) -> Response {
    Response::builder()
        .status(StatusCode::from_u16(status).expect("a status of ours"))
        .content_type("application/json")
        .header("access-control-allow-origin", "*")
        .header("access-control-allow-methods", "GET, POST, DELETE")
        .header("access-control-allow-headers", "*")
        .body(body.to_string())
}
