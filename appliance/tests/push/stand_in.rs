//! A stand-in for a push service (RFC 8030) and the browsers behind it. It takes what a real one takes: a valid signature of
//! the key that the browser subscribed with (RFC 8292), for this service and at most a day, and a body that the browser can
//! decrypt (RFC 8291). Whatever else comes is kept as a fault. It answers as it is told.

use std::{
    collections::{HashMap, VecDeque},
    sync::Arc,
    time::Duration,
};

use aes_gcm::{Aes128Gcm, KeyInit, aead::Aead};
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD as BASE64};
use chrono::Utc;
use hkdf::Hkdf;
use p256::{
    PublicKey, SecretKey,
    ecdsa::{Signature, VerifyingKey, signature::Verifier},
    elliptic_curve::sec1::ToSec1Point,
};
use parking_lot::Mutex;
use poem::{EndpointExt, Request, Response, Server, endpoint::make, http::StatusCode, listener::TcpAcceptor};
use rand::Rng;
use serde_json::{Value, json};
use sha2::Sha256;
use tokio::{net::TcpListener, time::Instant};

/// Generous: on an idle machine a push takes milliseconds.
const PATIENCE: Duration = Duration::from_secs(20);

/// How the service answers the next pushes.
#[derive(Debug, Clone)]
pub enum Reply {
    Status(u16),
    /// 429 or 503 with `Retry-After` in seconds.
    Later(u16, u64),
    /// A redirect to this address.
    Elsewhere(String),
    /// Never.
    Hang,
}

/// A push as the browser gets it.
#[derive(Debug, Clone)]
pub struct Pushed {
    pub path: String,
    pub message: Value,
    pub ttl: u64,
    pub urgency: String,
    pub topic: String,
    /// Of the encrypted body.
    pub length: usize,
    pub contact: Value,
    pub at: Instant,
}

struct Browser {
    secret: SecretKey,
    auth: [u8; 16],
    subscribed_with: String,
}

#[derive(Default)]
struct State {
    browsers: HashMap<String, Browser>,
    replies: VecDeque<Reply>,
    pushed: Vec<Pushed>,
    requests: usize,
    faults: Vec<String>,
}

#[derive(Clone)]
pub struct StandIn {
    pub origin: String,
    state: Arc<Mutex<State>>,
}

impl StandIn {
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let origin = format!("http://{}", listener.local_addr().unwrap());
        let service = Self { origin, state: Arc::default() };
        let answering = service.clone();
        let endpoint = make(move |request: Request| {
            let service = answering.clone();
            async move { service.answer(request).await }
        });
        let acceptor = TcpAcceptor::from_tokio(listener).unwrap();
        tokio::spawn(Server::new_with_acceptor(acceptor).run(endpoint.map_to_response()));
        service
    }

    /// A new subscription of a browser with the server's key, as the browser tells it.
    pub fn subscription(&self, server_key: &str) -> Value {
        let secret = loop {
            if let Ok(secret) = SecretKey::from_slice(&rand::rng().random::<[u8; 32]>()) {
                break secret;
            }
        };
        let auth: [u8; 16] = rand::rng().random();
        let path = format!("/push/{}", uuid::Uuid::new_v4().simple());
        let p256dh = BASE64.encode(secret.public_key().to_sec1_point(false).as_bytes());
        let browser = Browser { secret, auth, subscribed_with: server_key.to_owned() };
        self.state.lock().browsers.insert(path.clone(), browser);
        json!({ "endpoint": format!("{}{path}", self.origin), "p256dh": p256dh, "auth": BASE64.encode(auth) })
    }

    /// How the next pushes are answered, one after the other; later ones with 201.
    pub fn will(&self, replies: impl IntoIterator<Item = Reply>) {
        self.state.lock().replies.extend(replies);
    }

    /// All pushes so far that were as they have to be.
    pub fn pushed(&self) -> Vec<Pushed> {
        let state = self.state.lock();
        assert_eq!(state.faults, Vec::<String>::new());
        state.pushed.clone()
    }

    /// All requests so far.
    pub fn requests(&self) -> usize {
        self.state.lock().requests
    }

    /// The pushes, once there are this many.
    pub async fn wait(&self, number: usize) -> Vec<Pushed> {
        let until = Instant::now() + PATIENCE;
        while Instant::now() < until {
            let pushed = self.pushed();
            if pushed.len() >= number {
                return pushed;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        panic!("there are not {number} pushes: {:?}", self.pushed());
    }

    async fn answer(&self, request: Request) -> poem::Result<Response> {
        let reply = {
            let mut state = self.state.lock();
            state.requests += 1;
            state.replies.pop_front().unwrap_or(Reply::Status(201))
        };
        match self.take(request).await {
            Ok(pushed) => self.state.lock().pushed.push(pushed),
            Err(fault) => {
                self.state.lock().faults.push(fault);
                return Ok(Response::builder().status(StatusCode::BAD_REQUEST).finish());
            }
        }
        let with = |status: u16| Response::builder().status(StatusCode::from_u16(status).unwrap());
        Ok(match reply {
            Reply::Status(status) => with(status).finish(),
            Reply::Later(status, seconds) => with(status).header("retry-after", seconds).finish(),
            Reply::Elsewhere(address) => with(307).header("location", address).finish(),
            Reply::Hang => std::future::pending().await,
        })
    }

    async fn take(&self, request: Request) -> Result<Pushed, String> {
        let (parts, body) = request.into_parts();
        let path = parts.uri.path().to_owned();
        let header = |name: &str| parts.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
        let body = body.into_bytes().await.map_err(|error| error.to_string())?;
        let check = |holds: bool, what: &str| if holds { Ok(()) } else { Err(format!("{path}: {what}")) };
        check(parts.method == "POST", "no POST")?;
        check(header("content-encoding") == "aes128gcm", "not encrypted with aes128gcm")?;
        check(header("cookie").is_empty() && header("referer").is_empty(), "more than a push service has to know")?;
        check(body.len() <= 4_096, "longer than push services take")?;
        let ttl = header("ttl").parse().map_err(|_| format!("{path}: no TTL"))?;
        let (urgency, topic) = (header("urgency"), header("topic"));
        check(["very-low", "low", "normal", "high"].contains(&urgency), "no urgency")?;
        check(topic.len() <= 32, "a topic that is too long")?;
        let state = self.state.lock();
        let browser = state.browsers.get(&path).ok_or(format!("{path}: unknown"))?;
        let claims = signed_claims(header("authorization"), &browser.subscribed_with)?;
        check(claims["aud"] == json!(self.origin), "signed for another service")?;
        let left = claims["exp"].as_i64().unwrap_or_default() - Utc::now().timestamp();
        check((1..=86_400).contains(&left), "signed for too long, or too little")?;
        let payload = browser.decrypt(&body).ok_or(format!("{path}: the browser cannot decrypt it"))?;
        let message = serde_json::from_slice(&payload).map_err(|error| format!("{path}: {error}"))?;
        Ok(Pushed {
            message,
            ttl,
            urgency: urgency.to_owned(),
            topic: topic.to_owned(),
            length: body.len(),
            contact: claims["sub"].clone(),
            at: Instant::now(),
            path: path.clone(),
        })
    }
}

/// The claims of `Authorization: vapid t=…, k=…`, if that key signed them.
fn signed_claims(authorization: &str, subscribed_with: &str) -> Result<Value, String> {
    let parameters = authorization.strip_prefix("vapid ").ok_or("no VAPID")?;
    let parameter = |name: &str| {
        let found = parameters.split(',').find_map(|part| part.trim().strip_prefix(&format!("{name}=")));
        found.ok_or(format!("VAPID without {name}"))
    };
    let (token, key) = (parameter("t")?, parameter("k")?);
    if key != subscribed_with {
        return Err("signed with another key than the browser subscribed with".to_owned());
    }
    let decode = |text: &str| BASE64.decode(text).map_err(|error| error.to_string());
    let key = VerifyingKey::from_sec1_bytes(&decode(key)?).map_err(|error| error.to_string())?;
    let (signed, signature) = token.rsplit_once('.').ok_or("no signature")?;
    let signature = Signature::from_slice(&decode(signature)?).map_err(|error| error.to_string())?;
    key.verify(signed.as_bytes(), &signature).map_err(|_| "a wrong signature")?;
    let (header, claims) = signed.split_once('.').ok_or("no claims")?;
    let read = |part: &str| serde_json::from_slice::<Value>(&decode(part)?).map_err(|error| error.to_string());
    if read(header)?["alg"] != "ES256" {
        return Err("another algorithm than ES256".to_owned());
    }
    read(claims)
}

impl Browser {
    /// As RFC 8291 has the browser do it: one record, of which the padding is removed.
    fn decrypt(&self, body: &[u8]) -> Option<Vec<u8>> {
        let (salt, rest) = body.split_at_checked(16)?;
        let (size, rest) = rest.split_at_checked(4)?;
        let (length, rest) = rest.split_first()?;
        let (sender, record) = rest.split_at_checked(usize::from(*length))?;
        if record.len() > u32::from_be_bytes(size.try_into().ok()?) as usize {
            return None;
        }
        let shared = self.secret.diffie_hellman(&PublicKey::from_sec1_bytes(sender).ok()?);
        let own = self.secret.public_key().to_sec1_point(false);
        let info = [b"WebPush: info\0".as_slice(), own.as_bytes(), sender].concat();
        let ikm: [u8; 32] = derive(&self.auth, shared.raw_secret_bytes().as_slice(), &info);
        let key: [u8; 16] = derive(salt, &ikm, b"Content-Encoding: aes128gcm\0");
        let nonce: [u8; 12] = derive(salt, &ikm, b"Content-Encoding: nonce\0");
        let mut text = Aes128Gcm::new(&key.into()).decrypt(&nonce.into(), record).ok()?;
        while text.last() == Some(&0) {
            text.pop();
        }
        // The delimiter of the last record.
        (text.pop() == Some(2)).then_some(text)
    }
}

fn derive<const N: usize>(salt: &[u8], ikm: &[u8], info: &[u8]) -> [u8; N] {
    let mut out = [0; N];
    Hkdf::<Sha256>::new(Some(salt), ikm).expand(info, &mut out).unwrap();
    out
}
