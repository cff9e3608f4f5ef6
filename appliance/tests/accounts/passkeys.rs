//! Passkeys, with an authenticator made of a key and a counter.

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use ciborium::value::Value as Cbor;
use p256::ecdsa::{Signature, SigningKey, signature::Signer};
use rand::Rng;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::{
    second_factor::{Timed, add_totp, log_in, verify},
    support::{Browser, Operator, Outcome, PASSWORD},
};

const USER_PRESENT: u8 = 0x01;
const USER_VERIFIED: u8 = 0x04;
const HAS_CREDENTIAL: u8 = 0x40;

/// Makes an authenticator say something wrong; the server's port helps.
type Change = fn(&mut Authenticator, u16);

/// An authenticator with one credential, and the browser around it. What it says can be changed.
struct Authenticator {
    key: SigningKey,
    id: Vec<u8>,
    user_handle: Option<Vec<u8>>,
    counter: u32,
    counts: bool,
    origin: String,
    rp_id: String,
    flags: u8,
}

impl Authenticator {
    fn new(browser: &Browser) -> Self {
        let mut rng = rand::rng();
        Self {
            key: SigningKey::from_slice(&rng.random::<[u8; 32]>()).unwrap(),
            id: rng.random::<[u8; 32]>().to_vec(),
            user_handle: None,
            counter: 1,
            counts: true,
            origin: browser.origin().to_owned(),
            rp_id: "localhost".to_owned(),
            flags: USER_PRESENT | USER_VERIFIED,
        }
    }

    fn client_data(&self, kind: &str, options: &Value) -> Vec<u8> {
        let data = json!({ "type": kind, "challenge": options["challenge"], "origin": self.origin });
        data.to_string().into_bytes()
    }

    fn auth_data(&self, flags: u8) -> Vec<u8> {
        let mut data = Sha256::digest(self.rp_id.as_bytes()).to_vec();
        data.push(flags);
        data.extend(self.counter.to_be_bytes());
        data
    }

    /// The public key as COSE has it.
    fn cose_key(&self) -> Vec<u8> {
        let point = self.key.verifying_key().to_sec1_point(false);
        let bytes = |part: Option<&p256::FieldBytes>| Cbor::Bytes(part.unwrap().to_vec());
        let entry = |label: i64, value: Cbor| (Cbor::from(label), value);
        cbor(&Cbor::Map(vec![
            entry(1, 2.into()),
            entry(3, (-7).into()),
            entry(-1, 1.into()),
            entry(-2, bytes(point.x())),
            entry(-3, bytes(point.y())),
        ]))
    }

    /// What `navigator.credentials.create` returns.
    fn create(&mut self, options: &Value) -> Value {
        self.user_handle = Some(bytes(&options["user"]["id"]));
        let mut auth_data = self.auth_data(self.flags | HAS_CREDENTIAL);
        auth_data.extend([0; 16]);
        auth_data.extend(u16::try_from(self.id.len()).unwrap().to_be_bytes());
        auth_data.extend(&self.id);
        auth_data.extend(self.cose_key());
        let attestation = cbor(&Cbor::Map(vec![
            ("fmt".into(), "none".into()),
            ("attStmt".into(), Cbor::Map(vec![])),
            ("authData".into(), Cbor::Bytes(auth_data)),
        ]));
        json!({
            "id": base64(&self.id),
            "rawId": base64(&self.id),
            "type": "public-key",
            "authenticatorAttachment": "platform",
            "clientExtensionResults": {},
            "response": {
                "attestationObject": base64(&attestation),
                "clientDataJSON": base64(&self.client_data("webauthn.create", options)),
                "transports": ["internal"],
            },
        })
    }

    /// What `navigator.credentials.get` returns.
    fn get(&mut self, options: &Value) -> Value {
        self.counter += u32::from(self.counts);
        let (auth_data, client_data) = (self.auth_data(self.flags), self.client_data("webauthn.get", options));
        let signed = [&auth_data[..], &Sha256::digest(&client_data)].concat();
        let signature: Signature = self.key.sign(&signed);
        json!({
            "id": base64(&self.id),
            "rawId": base64(&self.id),
            "type": "public-key",
            "authenticatorAttachment": "platform",
            "clientExtensionResults": {},
            "response": {
                "authenticatorData": base64(&auth_data),
                "clientDataJSON": base64(&client_data),
                "signature": base64(signature.to_der().as_bytes()),
                "userHandle": self.user_handle.as_ref().map(|handle| base64(handle)),
            },
        })
    }
}

fn cbor(value: &Cbor) -> Vec<u8> {
    let mut bytes = Vec::new();
    ciborium::into_writer(value, &mut bytes).unwrap();
    bytes
}

fn base64(bytes: &[u8]) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(bytes)
}

fn bytes(text: &Value) -> Vec<u8> {
    BASE64_URL_SAFE_NO_PAD.decode(text.as_str().unwrap()).unwrap()
}

/// A browser that reaches the server by the name `localhost`.
async fn browser(timed: &Timed) -> Browser {
    let browser = timed.server.browser_at("localhost");
    browser.get("/api/auth/check-login").await.ok();
    browser
}

async fn registered(timed: &Timed, name: &str) -> Browser {
    let browser = browser(timed).await;
    let answer = browser.post("/api/auth/register", crate::support::registration(name)).await.ok();
    timed.server.verify_email(&answer["user"]).await;
    browser
}

async fn begin(browser: &Browser) -> Value {
    browser.post("/api/auth/passkeys/begin", json!({})).await.ok()["options"].clone()
}

async fn finish(browser: &Browser, credential: Value) -> Outcome {
    browser.post("/api/auth/passkeys/finish", json!({ "name": " Ada's <phone> ", "credential": credential })).await
}

async fn add(browser: &Browser) -> Authenticator {
    let mut authenticator = Authenticator::new(browser);
    finish(browser, authenticator.create(&begin(browser).await)).await.ok();
    authenticator
}

async fn sign_in_options(browser: &Browser) -> Value {
    browser.post("/api/auth/passkey/options", json!({})).await.ok()["options"].clone()
}

async fn sign_in(browser: &Browser, credential: Value) -> Outcome {
    browser.post("/api/auth/passkey/login", json!({ "credential": credential })).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_passkey_is_added_and_signs_in_alone() {
    let timed = Timed::start().await;
    let ada = registered(&timed, "ada").await;
    assert_eq!(ada.get("/api/auth/providers").await.ok()["passkeys"], true);
    let options = begin(&ada).await;
    assert_eq!(options["rp"], json!({ "name": "Morpion", "id": "localhost" }));
    assert_eq!(options["authenticatorSelection"]["residentKey"], "required");
    assert_eq!(options["authenticatorSelection"]["userVerification"], "preferred");
    assert_eq!(options["attestation"], "none");
    let mut authenticator = Authenticator::new(&ada);
    let made = finish(&ada, authenticator.create(&options)).await.ok();
    assert_eq!(made["passkey"]["name"], "Ada's <phone>");
    assert_eq!(made["recoveryCodes"].as_array().unwrap().len(), 10);
    timed.letter("ada", "Your Morpion account has a new passkey").await;
    let own = ada.get("/api/auth/second-factor").await.ok();
    assert_eq!((&own["totp"], &own["recoveryCodesLeft"]), (&json!(false), &json!(10)));
    assert_eq!((&own["passkeys"][0], own["passkeys"][0].get("lastUsedAt")), (&made["passkey"], None));
    // The second one comes without codes, and the browser is told of the first.
    let options = begin(&ada).await;
    assert_eq!(options["excludeCredentials"][0]["id"], json!(base64(&authenticator.id)));
    let second = finish(&ada, Authenticator::new(&ada).create(&options)).await.ok();
    assert_eq!(second.get("recoveryCodes"), None);

    let here = browser(&timed).await;
    let options = sign_in_options(&here).await;
    assert_eq!((&options["userVerification"], &options["allowCredentials"]), (&json!("required"), &json!([])));
    let answer = sign_in(&here, authenticator.get(&options)).await.ok();
    assert_eq!((&answer["user"]["username"], &answer["isNew"]), (&json!("ada"), &json!(false)));
    assert!(here.is_signed_in().await);
    let own = here.get("/api/auth/second-factor").await.ok();
    assert!(own["passkeys"][0]["lastUsedAt"].is_string(), "{own}");

    let id = &made["passkey"]["passkeyId"];
    ada.post("/api/auth/passkeys/rename", json!({ "passkeyId": id, "name": "Key" })).await.ok();
    assert_eq!(ada.get("/api/auth/second-factor").await.ok()["passkeys"][0]["name"], "Key");
    let export = ada.get("/api/backend/account/export").await.body;
    assert_eq!((&export["passkeys"][0]["name"], export["passkeys"][0].get("credential")), (&json!("Key"), None));
    ada.post("/api/auth/passkeys/remove", json!({ "passkeyId": id })).await.ok();
    timed.letter("ada", "A passkey of your Morpion account was removed").await;
    let elsewhere = browser(&timed).await;
    let options = sign_in_options(&elsewhere).await;
    sign_in(&elsewhere, authenticator.get(&options)).await.fails(422, "passkey-refused");
}

/// The token of a one-time link of the operator.
async fn link(operator: &Operator, account: &str, removes_factor: bool) -> String {
    let wish = json!({ "account": account, "reason": "no mail", "removeSecondFactor": removes_factor });
    let made = operator.write("admin", "create_password_link", wish).await.ok();
    made["path"].as_str().unwrap().strip_prefix("/new-password#").unwrap().to_owned()
}

async fn at_link(browser: &Browser, step: &str, body: Value) -> Outcome {
    browser.post(&format!("/api/auth/password-link{step}"), body).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_makes_a_passkey_in_place_of_the_password() {
    let timed = Timed::start().await;
    let ada = registered(&timed, "ada").await;
    let token = link(&timed.server.operator().await, "ada", false).await;
    let (here, elsewhere) = (browser(&timed).await, timed.server.browser().await);
    let own = json!({ "token": token });
    assert_eq!(at_link(&here, "", own.clone()).await.ok()["takesPasskey"], true);
    assert_eq!(at_link(&elsewhere, "", own.clone()).await.ok()["takesPasskey"], false, "by an IP address");
    at_link(&elsewhere, "/passkey/begin", own.clone()).await.fails(409, "passkeys-unavailable");
    at_link(&here, "/passkey/begin", json!({ "token": "x" })).await.fails(404, "link-over");

    let options = at_link(&here, "/passkey/begin", own.clone()).await.ok()["options"].clone();
    assert_eq!(options["user"]["name"], "ada");
    let mut authenticator = Authenticator::new(&here);
    let made = authenticator.create(&options);
    let finish = |token: &str, name: &str, made: &Value| json!({ "token": token, "name": name, "credential": made });
    at_link(&here, "/passkey/use", finish("x", "Phone", &made)).await.fails(404, "link-over");
    at_link(&here, "/passkey/use", finish(&token, " ", &made)).await.fails(422, "invalid");
    at_link(&here, "/passkey/use", finish(&token, "Phone", &json!({}))).await.fails(422, "passkey-refused");
    at_link(&here, "/passkey/use", finish(&token, "Phone", &made)).await.fails(410, "setup-expired");
    assert!(ada.is_signed_in().await, "what is refused changes nothing");
    let options = at_link(&here, "/passkey/begin", own.clone()).await.ok()["options"].clone();
    let answer = at_link(&here, "/passkey/use", finish(&token, "Phone", &authenticator.create(&options))).await.ok();
    assert_eq!((&answer["passkey"]["name"], answer["recoveryCodes"].as_array().unwrap().len()), (&json!("Phone"), 10));
    timed.letter("ada", "Your Morpion account has a passkey").await;
    assert!(!ada.is_signed_in().await);
    assert_eq!(at_link(&here, "", own).await.ok().get("username"), None);
    log_in(&elsewhere, "ada").await.fails(401, "wrong-credentials");
    let options = sign_in_options(&here).await;
    sign_in(&here, authenticator.get(&options)).await.ok();
    assert_eq!(here.get("/api/auth/check-login").await.ok()["user"]["hasPassword"], false);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_that_leaves_the_second_factor_makes_no_passkey() {
    let timed = Timed::start().await;
    let ada = registered(&timed, "ada").await;
    add_totp(&timed, &ada).await;
    let (here, operator) = (browser(&timed).await, timed.server.operator().await);
    let token = json!({ "token": link(&operator, "ada", false).await });
    let answer = at_link(&here, "", token.clone()).await.ok();
    assert_eq!((&answer["username"], &answer["takesPasskey"]), (&json!("ada"), &json!(false)));
    at_link(&here, "/passkey/begin", token).await.fails(409, "factor-kept");

    let token = link(&operator, "ada", true).await;
    let options = at_link(&here, "/passkey/begin", json!({ "token": token })).await.ok()["options"].clone();
    let mut authenticator = Authenticator::new(&here);
    let made = json!({ "token": token, "name": "Key", "credential": authenticator.create(&options) });
    at_link(&here, "/passkey/use", made).await.ok();
    let options = sign_in_options(&here).await;
    sign_in(&here, authenticator.get(&options)).await.ok();
    let own = here.get("/api/auth/second-factor").await.ok();
    assert_eq!((&own["totp"], own["passkeys"].as_array().unwrap().len()), (&json!(false), 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_suspended_account_does_not_get_in_by_a_passkey() {
    let timed = Timed::start().await;
    let ada = registered(&timed, "ada").await;
    let mut authenticator = Authenticator::new(&ada);
    finish(&ada, authenticator.create(&begin(&ada).await)).await.ok();
    let user = ada.get("/api/auth/check-login").await.ok()["user"].clone();
    let (admin, _) = timed.server.admin().await;
    admin.write("admin", "suspend_user", json!({ "userId": user["userId"], "reason": "Insults" })).await.ok();
    let here = browser(&timed).await;
    let options = sign_in_options(&here).await;
    let refused = sign_in(&here, authenticator.get(&options)).await.fails(403, "suspended");
    assert_eq!(refused["suspension"]["reason"], "Insults");
    assert!(!here.is_signed_in().await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_passkey_is_a_second_factor_and_a_proof() {
    let timed = Timed::start().await;
    let ada = registered(&timed, "ada").await;
    let mut authenticator = add(&ada).await;
    // Without verifying the user, which a second factor need not. Nor does it name them.
    let mut stick = Authenticator { flags: USER_PRESENT, ..Authenticator::new(&ada) };
    finish(&ada, stick.create(&begin(&ada).await)).await.ok();
    stick.user_handle = None;
    for each in [&mut authenticator, &mut stick] {
        let here = browser(&timed).await;
        log_in(&here, "ada").await.fails(401, "second-factor-required");
        let offered = here.post("/api/auth/second-factor/options", json!({})).await.ok();
        assert_eq!(offered["methods"], json!(["passkey", "recovery-code"]));
        assert_eq!(offered["passkeyOptions"]["allowCredentials"].as_array().unwrap().len(), 2);
        verify(&here, json!({ "passkey": each.get(&offered["passkeyOptions"]) })).await.ok();
    }
    // Alone it has to verify its user.
    let here = browser(&timed).await;
    let options = sign_in_options(&here).await;
    stick.user_handle = authenticator.user_handle.clone();
    sign_in(&here, stick.get(&options)).await.fails(422, "passkey-refused");
    timed.clock.advance(11 * 60_000);
    ada.post("/api/auth/passkeys/begin", json!({})).await.fails(403, "proof-required");
    for act in ["rename", "remove"] {
        let wish = if act == "rename" { json!({ "passkeyId": "x", "name": "x" }) } else { json!({ "passkeyId": "x" }) };
        ada.post(&format!("/api/auth/passkeys/{act}"), wish).await.fails(403, "proof-required");
    }
    let offered = ada.post("/api/auth/proof/options", json!({})).await.ok();
    assert_eq!(offered["methods"], json!(["password", "passkey", "recovery-code"]));
    ada.post("/api/auth/proof", json!({ "passkey": authenticator.get(&offered["passkeyOptions"]) })).await.ok();
    begin(&ada).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn challenges_are_used_once_in_time_and_by_their_browser() {
    let timed = Timed::start().await;
    let ada = registered(&timed, "ada").await;
    let mut authenticator = add(&ada).await;
    let here = browser(&timed).await;
    let elsewhere = browser(&timed).await;
    let options = sign_in_options(&here).await;
    sign_in(&elsewhere, authenticator.get(&options)).await.fails(422, "passkey-refused");
    let answer = authenticator.get(&options);
    sign_in(&here, answer.clone()).await.ok();
    here.post("/api/auth/logout", json!({})).await.ok();
    sign_in(&here, answer).await.fails(422, "passkey-refused");
    sign_in(&here, authenticator.get(&options)).await.fails(422, "passkey-refused");
    let options = sign_in_options(&here).await;
    timed.clock.advance(5 * 60_000);
    sign_in(&here, authenticator.get(&options)).await.fails(422, "passkey-refused");
    // The challenge of one purpose is none of another.
    let of_sign_in = sign_in_options(&ada).await;
    ada.post("/api/auth/proof/options", json!({})).await.ok();
    ada.post("/api/auth/proof", json!({ "passkey": authenticator.get(&of_sign_in) })).await.fails(422, "wrong-proof");
    // Neither is one of registration good twice, or late.
    ada.post("/api/auth/proof", json!({ "password": PASSWORD })).await.ok();
    let options = begin(&ada).await;
    let other = registered(&timed, "other").await;
    finish(&other, Authenticator::new(&ada).create(&options)).await.fails(410, "setup-expired");
    finish(&ada, Authenticator::new(&ada).create(&options)).await.ok();
    finish(&ada, Authenticator::new(&ada).create(&options)).await.fails(410, "setup-expired");
    let options = begin(&ada).await;
    timed.clock.advance(5 * 60_000);
    finish(&ada, Authenticator::new(&ada).create(&options)).await.fails(410, "setup-expired");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_made_for_others_is_refused() {
    let timed = Timed::with(|config| {
        config.limits.failed_sign_ins_per_address = 1_000.try_into().unwrap();
        config.limits.failed_sign_ins_per_account_and_address = 1_000.try_into().unwrap();
    })
    .await;
    let ada = registered(&timed, "ada").await;
    let port = timed.server.address.port();
    let wrongs: [(&str, Change); 5] = [
        ("another origin", |made, _| made.origin = "https://evil.example".to_owned()),
        ("another port", |made, port| made.origin = format!("http://localhost:{}", port ^ 1)),
        ("another scheme", |made, port| made.origin = format!("https://localhost:{port}")),
        ("another relying party", |made, _| made.rp_id = "evil.example".to_owned()),
        ("nobody present", |made, _| made.flags = USER_VERIFIED),
    ];
    for (what, change) in wrongs {
        let mut made = Authenticator::new(&ada);
        change(&mut made, port);
        let outcome = finish(&ada, made.create(&begin(&ada).await)).await;
        assert_eq!(outcome.body["errorCode"], "passkey-refused", "{what}");
    }
    let mut good = add(&ada).await;
    let here = browser(&timed).await;
    let fresh = |good: &Authenticator| Authenticator {
        key: good.key.clone(),
        id: good.id.clone(),
        user_handle: good.user_handle.clone(),
        counter: good.counter + 10,
        counts: true,
        origin: good.origin.clone(),
        rp_id: good.rp_id.clone(),
        flags: good.flags,
    };
    let mut all: Vec<(&str, Authenticator)> = vec![];
    for (what, change) in wrongs {
        let mut wrong = fresh(&good);
        change(&mut wrong, port);
        all.push((what, wrong));
    }
    all.push(("another key", Authenticator { key: Authenticator::new(&ada).key, ..fresh(&good) }));
    all.push(("another credential", Authenticator { id: vec![7; 32], ..fresh(&good) }));
    all.push(("no user", Authenticator { user_handle: None, ..fresh(&good) }));
    all.push(("another user", Authenticator { user_handle: Some(vec![0; 16]), ..fresh(&good) }));
    for (what, mut wrong) in all {
        let outcome = sign_in(&here, wrong.get(&sign_in_options(&here).await)).await;
        assert_eq!((outcome.status.as_u16(), &outcome.body["errorCode"]), (422, &json!("passkey-refused")), "{what}");
        assert!(!here.is_signed_in().await, "{what}");
    }
    // Somebody else's passkey is no second factor of this account, nor can it be added to it.
    let eve = registered(&timed, "eve").await;
    let mut of_eve = add(&eve).await;
    log_in(&here, "ada").await.fails(401, "second-factor-required");
    let options = here.post("/api/auth/second-factor/options", json!({})).await.ok()["passkeyOptions"].clone();
    verify(&here, json!({ "passkey": of_eve.get(&options) })).await.fails(422, "wrong-proof");
    let mut stolen = fresh(&good);
    finish(&eve, stolen.create(&begin(&eve).await)).await.fails(422, "passkey-refused");
    let own = ada.get("/api/auth/second-factor").await.ok()["passkeys"][0]["passkeyId"].clone();
    eve.post("/api/auth/passkeys/remove", json!({ "passkeyId": own })).await.fails(404, "not-found");
    eve.post("/api/auth/passkeys/rename", json!({ "passkeyId": own, "name": "x" })).await.fails(404, "not-found");
    sign_in(&here, good.get(&sign_in_options(&here).await)).await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_counter_that_goes_back_is_refused() {
    let timed = Timed::start().await;
    let ada = registered(&timed, "ada").await;
    let mut authenticator = add(&ada).await;
    let here = browser(&timed).await;
    authenticator.counts = false;
    authenticator.counter = 100;
    sign_in(&here, authenticator.get(&sign_in_options(&here).await)).await.ok();
    for copied in [99, 100, 0] {
        authenticator.counter = copied;
        sign_in(&here, authenticator.get(&sign_in_options(&here).await)).await.fails(422, "passkey-refused");
    }
    authenticator.counter = 101;
    sign_in(&here, authenticator.get(&sign_in_options(&here).await)).await.ok();
    // One that does not count stays at 0.
    let mut still = Authenticator { counter: 0, counts: false, ..Authenticator::new(&ada) };
    finish(&ada, still.create(&begin(&ada).await)).await.ok();
    for _ in 0..2 {
        sign_in(&here, still.get(&sign_in_options(&here).await)).await.ok();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn garbage_is_refused() {
    let timed = Timed::with(|config| {
        config.limits.failed_sign_ins_per_address = 1_000.try_into().unwrap();
        config.limits.failed_sign_ins_per_account_and_address = 1_000.try_into().unwrap();
        config.limits.sign_ins_per_minute = 1_000.try_into().unwrap();
    })
    .await;
    let ada = registered(&timed, "ada").await;
    let mut authenticator = add(&ada).await;
    let here = browser(&timed).await;
    for garbage in [json!(null), json!([]), json!("x"), json!({}), json!({ "id": 7, "rawId": "!", "type": [] })] {
        sign_in_options(&here).await;
        sign_in(&here, garbage.clone()).await.fails(422, "passkey-refused");
        begin(&ada).await;
        finish(&ada, garbage).await.fails(422, "passkey-refused");
    }
    for part in ["authenticatorData", "clientDataJSON", "signature"] {
        for bad in ["", "AA", "AAAA", "not base64!", &base64(&[0xff; 5_000])] {
            let mut answer = authenticator.get(&sign_in_options(&here).await);
            answer["response"][part] = json!(bad);
            sign_in(&here, answer).await.fails(422, "passkey-refused");
        }
    }
    let deep = base64(&[0x81; 20_000]);
    let long = [&[0xa3, 0x63, b'f', b'm', b't', 0x5b][..], &[0xff; 8]].concat();
    for bad in ["", "oA", &deep, &base64(&long), &base64(&[0xbf; 40])] {
        let mut answer = Authenticator::new(&ada).create(&begin(&ada).await);
        answer["response"]["attestationObject"] = json!(bad);
        finish(&ada, answer).await.fails(422, "passkey-refused");
    }
    for name in ["", "  ", "a\u{7}b", &"x".repeat(41)] {
        let credential = Authenticator::new(&ada).create(&begin(&ada).await);
        let wish = json!({ "name": name, "credential": credential });
        ada.post("/api/auth/passkeys/finish", wish).await.fails(422, "invalid");
    }
    assert_eq!(ada.get("/api/auth/second-factor").await.ok()["passkeys"].as_array().unwrap().len(), 1);
    assert!(!here.is_signed_in().await);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_ip_address_has_no_passkeys() {
    let timed = Timed::start().await;
    let (ada, _) = timed.server.registered("ada").await;
    assert_eq!(ada.get("/api/auth/providers").await.ok()["passkeys"], false);
    assert_eq!(ada.get("/api/auth/second-factor").await.ok()["passkeysAvailable"], false);
    let failure = ada.post("/api/auth/passkeys/begin", json!({})).await.fails(409, "passkeys-unavailable");
    assert!(failure["errorMessage"].as_str().unwrap().contains("server.public_url"), "{failure}");
    ada.post("/api/auth/passkey/options", json!({})).await.fails(409, "passkeys-unavailable");
}
