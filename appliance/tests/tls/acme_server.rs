//! A stand-in for an ACME server (RFC 8555) on this machine: it checks every signature and nonce, proves names by
//! really connecting (RFC 8737), and issues from an [`Authority`].

use std::{
    collections::{HashMap, HashSet},
    net::SocketAddr,
    sync::Arc,
};

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD as BASE64};
use p256::ecdsa::{Signature, VerifyingKey, signature::Verifier};
use parking_lot::Mutex;
use poem::{
    EndpointExt, Request, Response, Server,
    endpoint::make,
    http::{Method, StatusCode},
    listener::TcpAcceptor,
};
use rcgen::{CertificateSigningRequestParams, SanType};
use rustls::pki_types::CertificateSigningRequestDer;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tokio::net::TcpListener;

use crate::{certificates::Authority, proven};

#[derive(Clone)]
pub struct AcmeServer {
    pub authority: Arc<Authority>,
    origin: String,
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    /// Where names lead.
    names: Option<SocketAddr>,
    is_down: bool,
    /// The days of what is issued, from today.
    days: [i64; 2],
    nonces: HashSet<String>,
    issued_nonces: usize,
    /// The keys and contacts of accounts, by their URL.
    accounts: HashMap<String, (Value, Value)>,
    orders: Vec<Order>,
    /// What was refused, by type.
    refusals: Vec<String>,
}

struct Order {
    names: Vec<String>,
    /// Of each name: `pending`, `valid`, or what was wrong with its proof.
    proofs: Vec<String>,
    chain: Option<String>,
}

/// The type of a problem and its detail.
type Refusal = (&'static str, String);

fn refuse<T>(kind: &'static str, detail: impl Into<String>) -> Result<T, Refusal> {
    Err((kind, detail.into()))
}

/// A request whose signature, nonce and address were right.
struct Signed {
    /// Absent in a request that only reads.
    payload: Option<Value>,
    key: Value,
    account: Option<String>,
}

impl AcmeServer {
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let origin = format!("http://{}", listener.local_addr().unwrap());
        let state = State { days: [-1, 90], ..State::default() };
        let server = Self { authority: Arc::new(Authority::new()), origin, state: Arc::new(Mutex::new(state)) };
        let answering = server.clone();
        let endpoint = make(move |request| {
            let server = answering.clone();
            async move { server.answer(request).await }
        });
        let acceptor = TcpAcceptor::from_tokio(listener).unwrap();
        tokio::spawn(Server::new_with_acceptor(acceptor).run(endpoint.map_to_response()));
        server
    }

    pub fn directory(&self) -> String {
        format!("{}/directory", self.origin)
    }

    pub fn lead_names_to(&self, address: SocketAddr) {
        self.state.lock().names = Some(address);
    }

    pub fn set_down(&self, is_down: bool) {
        self.state.lock().is_down = is_down;
    }

    pub fn issue_for(&self, days: [i64; 2]) {
        self.state.lock().days = days;
    }

    pub fn forget_accounts(&self) {
        self.state.lock().accounts.clear();
    }

    /// The contacts of every account.
    pub fn contacts(&self) -> Vec<Value> {
        self.state.lock().accounts.values().map(|(_, contact)| contact.clone()).collect()
    }

    /// The names of every order that was fulfilled.
    pub fn fulfilled(&self) -> Vec<Vec<String>> {
        let state = self.state.lock();
        state.orders.iter().filter(|order| order.chain.is_some()).map(|order| order.names.clone()).collect()
    }

    pub fn refusals(&self) -> Vec<String> {
        self.state.lock().refusals.clone()
    }

    fn nonce(&self) -> String {
        let mut state = self.state.lock();
        state.issued_nonces += 1;
        let nonce = BASE64.encode(format!("nonce {}", state.issued_nonces));
        state.nonces.insert(nonce.clone());
        nonce
    }

    async fn answer(&self, mut request: Request) -> Response {
        if self.state.lock().is_down {
            return StatusCode::SERVICE_UNAVAILABLE.into();
        }
        let path = request.uri().path().trim_matches('/').to_owned();
        let url = |path: &str| format!("{}/{path}", self.origin);
        let answered = match (request.method(), path.as_str()) {
            (&Method::GET, "directory") => Ok(Response::builder().body(
                json!({ "newNonce": url("nonce"), "newAccount": url("account"), "newOrder": url("order"),
                    "revokeCert": url("revoke"), "keyChange": url("key") })
                .to_string(),
            )),
            (&Method::HEAD, "nonce") => Ok(StatusCode::OK.into()),
            _ => match self.verify(&mut request, &path).await {
                Ok(signed) => self.act(&path, signed).await,
                Err(refusal) => Err(refusal),
            },
        };
        let mut response = answered.unwrap_or_else(|(kind, detail)| {
            self.state.lock().refusals.push(kind.to_owned());
            let problem = json!({ "type": format!("urn:ietf:params:acme:error:{kind}"), "detail": detail });
            Response::builder().status(StatusCode::BAD_REQUEST).body(problem.to_string())
        });
        response.headers_mut().insert("replay-nonce", self.nonce().parse().unwrap());
        response
    }

    async fn verify(&self, request: &mut Request, path: &str) -> Result<Signed, Refusal> {
        if request.content_type() != Some("application/jose+json") {
            return refuse("malformed", "the content type is wrong");
        }
        let body = request.take_body().into_json::<Value>().await.unwrap_or_default();
        let part = |name: &str| body[name].as_str().unwrap_or_default().to_owned();
        let decoded = |text: &str| BASE64.decode(text).map_err(|_| ("malformed", format!("'{text}' is not base64url")));
        let header: Value = serde_json::from_slice(&decoded(&part("protected"))?).unwrap_or_default();
        if header["alg"] != "ES256" || header["url"] != format!("{}/{path}", self.origin) {
            return refuse("unauthorized", "the algorithm or the address is wrong");
        }
        let mut state = self.state.lock();
        // Some nonces are forgotten, as servers do at times.
        let nonce = header["nonce"].as_str().unwrap_or_default();
        if !state.nonces.remove(nonce) || state.issued_nonces.is_multiple_of(5) {
            return refuse("badNonce", "the nonce is not known");
        }
        let account = header["kid"].as_str().map(str::to_owned);
        let key = match (&account, path) {
            (None, "account") => header["jwk"].clone(),
            (Some(kid), _) if header.get("jwk").is_none() => match state.accounts.get(kid) {
                Some((key, _)) => key.clone(),
                None => return refuse("accountDoesNotExist", "make one first"),
            },
            _ => return refuse("malformed", "a request has either jwk or kid"),
        };
        let (x, y) = (key["x"].as_str().unwrap_or_default(), key["y"].as_str().unwrap_or_default());
        let point = [vec![4], decoded(x)?, decoded(y)?].concat();
        let verified = VerifyingKey::from_sec1_bytes(&point).and_then(|key| {
            let signature = Signature::from_slice(&BASE64.decode(part("signature")).unwrap_or_default())?;
            key.verify(format!("{}.{}", part("protected"), part("payload")).as_bytes(), &signature)
        });
        if verified.is_err() {
            return refuse("unauthorized", "the signature is wrong");
        }
        let payload = decoded(&part("payload"))?;
        Ok(Signed { payload: serde_json::from_slice(&payload).ok(), key, account })
    }

    async fn act(&self, path: &str, signed: Signed) -> Result<Response, Refusal> {
        let parts: Vec<_> = path.split('/').collect();
        let number = |text: &str| text.parse::<usize>().unwrap_or(usize::MAX);
        match (parts.as_slice(), &signed.payload) {
            (["account"], Some(payload)) => self.new_account(&signed.key, payload),
            (["order"], Some(payload)) => self.new_order(payload),
            (["order", id], None) => Ok(self.order(number(id))),
            (["order", id, "name", index], None) => Ok(self.authorization(number(id), number(index))),
            (["order", id, "name", index, "proof"], Some(_)) => {
                self.prove(number(id), number(index), &signed.key).await;
                Ok(json_response(StatusCode::OK, None, &self.challenge(number(id), number(index))))
            }
            (["order", id, "finalize"], Some(payload)) => self.finalize(number(id), payload),
            (["order", id, "certificate"], None) => {
                let chain = self.state.lock().orders[number(id)].chain.clone();
                let chain = chain.ok_or(("malformed", "it is not issued".to_owned()))?;
                Ok(Response::builder().content_type("application/pem-certificate-chain").body(chain))
            }
            _ => refuse("malformed", format!("{path} of {:?} is not known", signed.account)),
        }
    }

    fn new_account(&self, key: &Value, payload: &Value) -> Result<Response, Refusal> {
        if payload["termsOfServiceAgreed"] != true {
            return refuse("userActionRequired", "agree to the terms");
        }
        let mut state = self.state.lock();
        let location = format!("{}/accounts/{}", self.origin, state.accounts.len());
        state.accounts.insert(location.clone(), (key.clone(), payload["contact"].clone()));
        Ok(json_response(StatusCode::CREATED, Some(&location), &json!({ "status": "valid" })))
    }

    fn new_order(&self, payload: &Value) -> Result<Response, Refusal> {
        let identifiers = payload["identifiers"].as_array().cloned().unwrap_or_default();
        let names: Vec<_> = identifiers
            .iter()
            .filter(|identifier| identifier["type"] == "dns")
            .filter_map(|identifier| Some(identifier["value"].as_str()?.to_owned()))
            .collect();
        if names.is_empty() {
            return refuse("rejectedIdentifier", "an order has names");
        }
        let mut state = self.state.lock();
        let proofs = vec!["pending".to_owned(); names.len()];
        state.orders.push(Order { names, proofs, chain: None });
        let id = state.orders.len() - 1;
        drop(state);
        let location = format!("{}/order/{id}", self.origin);
        let mut response = self.order(id);
        response.set_status(StatusCode::CREATED);
        response.headers_mut().insert("location", location.parse().unwrap());
        Ok(response)
    }

    fn order(&self, id: usize) -> Response {
        let state = self.state.lock();
        let order = &state.orders[id];
        let url = format!("{}/order/{id}", self.origin);
        let status = match &order.chain {
            Some(_) => "valid",
            None if order.proofs.iter().all(|proof| proof == "valid") => "ready",
            None if order.proofs.iter().all(|proof| proof == "valid" || proof == "pending") => "pending",
            None => "invalid",
        };
        let identifiers = order.names.iter().map(|name| json!({ "type": "dns", "value": name })).collect::<Vec<_>>();
        let authorizations = (0..order.names.len()).map(|index| format!("{url}/name/{index}")).collect::<Vec<_>>();
        let mut order = json!({ "status": status, "identifiers": identifiers, "authorizations": authorizations,
            "finalize": format!("{url}/finalize") });
        if status == "valid" {
            order["certificate"] = format!("{url}/certificate").into();
        }
        json_response(StatusCode::OK, None, &order)
    }

    fn authorization(&self, id: usize, index: usize) -> Response {
        let challenge = self.challenge(id, index);
        let name = self.state.lock().orders[id].names[index].clone();
        let others =
            json!({ "type": "http-01", "url": format!("{}/none", self.origin), "token": "none", "status": "pending" });
        let authorization = json!({ "identifier": { "type": "dns", "value": name }, "status": challenge["status"],
            "challenges": [others, challenge] });
        json_response(StatusCode::OK, None, &authorization)
    }

    fn challenge(&self, id: usize, index: usize) -> Value {
        let proof = self.state.lock().orders[id].proofs[index].clone();
        let url = format!("{}/order/{id}/name/{index}/proof", self.origin);
        let mut challenge = json!({ "type": "tls-alpn-01", "url": url, "token": token(id, index), "status": proof });
        if proof != "pending" && proof != "valid" {
            challenge["status"] = "invalid".into();
            challenge["error"] = json!({ "type": "urn:ietf:params:acme:error:tls", "detail": proof });
        }
        challenge
    }

    /// Connects to where the name leads.
    async fn prove(&self, id: usize, index: usize, key: &Value) {
        let (address, name) = {
            let state = self.state.lock();
            (state.names.expect("names lead somewhere"), state.orders[id].names[index].clone())
        };
        let canonical = json!({ "crv": key["crv"], "kty": key["kty"], "x": key["x"], "y": key["y"] }).to_string();
        let authorization = format!("{}.{}", token(id, index), BASE64.encode(Sha256::digest(canonical)));
        let proven = proven::check(address, &name, &Sha256::digest(authorization)).await;
        let outcome = proven.map_or_else(|error| error, |()| "valid".to_owned());
        self.state.lock().orders[id].proofs[index] = outcome;
    }

    fn finalize(&self, id: usize, payload: &Value) -> Result<Response, Refusal> {
        let der = BASE64.decode(payload["csr"].as_str().unwrap_or_default()).unwrap_or_default();
        let request = CertificateSigningRequestParams::from_der(&CertificateSigningRequestDer::from(der));
        let request = request.map_err(|error| ("badCSR", error.to_string()))?;
        let mut asked: Vec<_> = request
            .params
            .subject_alt_names
            .iter()
            .map(|name| match name {
                SanType::DnsName(name) => name.as_str().to_owned(),
                other => format!("{other:?}"),
            })
            .collect();
        let mut state = self.state.lock();
        let days = state.days;
        let order = &mut state.orders[id];
        if !order.proofs.iter().all(|proof| proof == "valid") {
            return refuse("orderNotReady", "prove the names first");
        }
        asked.sort();
        let mut names = order.names.clone();
        names.sort();
        if asked != names {
            return refuse("badCSR", format!("{asked:?} are not {names:?}"));
        }
        order.chain = Some(self.authority.sign(request, days));
        drop(state);
        Ok(self.order(id))
    }
}

/// Differs for every name of every order.
fn token(id: usize, index: usize) -> String {
    BASE64.encode(format!("a token of 128 bits or more: {id}-{index}"))
}

fn json_response(status: StatusCode, location: Option<&str>, body: &Value) -> Response {
    let mut builder = Response::builder().status(status).content_type("application/json");
    if let Some(location) = location {
        builder = builder.header("location", location);
    }
    builder.body(body.to_string())
}
