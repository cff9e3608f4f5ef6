//! Authenticator apps, recovery codes, pending sign-ins, proofs before sensitive acts, and who has to have a second
//! factor.

use morpion_appliance::{
    clock::Clock,
    config::{Config, RequireSecondFactor},
};
use serde_json::{Value, json};
use tempfile::TempDir;
use totp_rs::{Builder, Secret};

use crate::{
    changes::mails_to,
    providers, recovery,
    support::{Browser, Outcome, PASSWORD, Server, credentials},
};

const MINUTE: i64 = 60_000;

/// A server whose clock the test moves.
pub struct Timed {
    pub server: Server,
    pub clock: Clock,
    pub folder: TempDir,
}

impl Timed {
    pub async fn start() -> Self {
        Self::with(|_| {}).await
    }

    pub async fn with(change: impl FnOnce(&mut Config)) -> Self {
        let (clock, folder) = (Clock::default(), TempDir::new().unwrap());
        let path = folder.path().to_owned();
        let server = Server::with_clock(clock.clone(), |config| {
            config.data_dir = path;
            change(config);
        })
        .await;
        Self { server, clock, folder }
    }

    /// The app's code of now, a step later than all before.
    pub fn next_code(&self, secret: &str) -> String {
        self.clock.advance(30_000);
        self.code(secret, 0)
    }

    /// The app's code `steps` from now.
    fn code(&self, secret: &str, steps: i64) -> String {
        let seconds = u64::try_from(self.clock.wall().timestamp() + 30 * steps).unwrap();
        let secret = Secret::try_from_base32(secret).unwrap();
        Builder::new().with_secret(secret).build().unwrap().generate(seconds).to_string()
    }

    pub async fn letter(&self, to: &str, subject: &str) -> String {
        mails_to(&self.folder, &format!("{to}@example.org"), subject, 1).await.remove(0)
    }
}

/// Sets up an authenticator app; returns its secret and the recovery codes.
pub async fn add_totp(timed: &Timed, browser: &Browser) -> (String, Vec<String>) {
    let begun = browser.post("/api/auth/second-factor/totp/begin", json!({})).await.ok();
    let secret = begun["secret"].as_str().unwrap().to_owned();
    let code = timed.next_code(&secret);
    let confirmed = browser.post("/api/auth/second-factor/totp/confirm", json!({ "code": code })).await.ok();
    let codes = confirmed["recoveryCodes"].as_array().map(|codes| codes.iter().map(text).collect());
    (secret, codes.unwrap_or_default())
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

pub async fn log_in(browser: &Browser, name: &str) -> Outcome {
    browser.post("/api/auth/login", credentials(&format!("{name}@example.org"), PASSWORD)).await
}

pub async fn verify(browser: &Browser, proof: Value) -> Outcome {
    browser.post("/api/auth/second-factor/verify", proof).await
}

async fn options(browser: &Browser) -> Outcome {
    browser.post("/api/auth/second-factor/options", json!({})).await
}

async fn own(browser: &Browser) -> Value {
    browser.get("/api/auth/second-factor").await.ok()
}

fn wrong_code(right: &str) -> String {
    if right == "000000" { "000001" } else { "000000" }.to_owned()
}

/// The options of the second step counted by address, where neighbours try whatever they like.
#[tokio::test(flavor = "multi_thread")]
async fn neighbours_keep_no_known_device_from_its_second_step() {
    let timed = Timed::with(|config| config.limits.sign_ins_per_minute = 3.try_into().unwrap()).await;
    let (ada, _) = timed.server.registered("ada").await;
    let (secret, _) = add_totp(&timed, &ada).await;
    ada.post("/api/auth/logout", json!({})).await.ok();
    let neighbour = timed.server.browser().await;
    let mut tries = 0;
    while neighbour.post("/api/auth/password-link", json!({ "token": "none" })).await.status != 429 {
        tries += 1;
        assert!(tries < 10, "links may be tried without end");
    }
    log_in(&ada, "ada").await.fails(401, "second-factor-required");
    options(&ada).await.ok();
    options(&neighbour).await.fails(429, "too-many-requests");
    verify(&ada, json!({ "totp": timed.next_code(&secret) })).await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn an_authenticator_app_is_set_up_and_asked_for() {
    let timed = Timed::start().await;
    let (ada, user) = timed.server.registered("ada").await;
    timed.server.verify_email(&user).await;
    let nothing = own(&ada).await;
    assert_eq!((&nothing["totp"], &nothing["recoveryCodesLeft"]), (&json!(false), &json!(0)));
    ada.post("/api/auth/second-factor/totp/confirm", json!({ "code": "123456" })).await.fails(410, "setup-expired");
    let begun = ada.post("/api/auth/second-factor/totp/begin", json!({})).await.ok();
    let secret = text(&begun["secret"]);
    assert!(text(&begun["uri"]).starts_with("otpauth://totp/Morpion:ada?secret="), "{begun}");
    assert!(text(&begun["qrCode"]).starts_with("data:image/png;base64,iVBOR"), "{begun}");
    let confirm = |code: String| ada.post("/api/auth/second-factor/totp/confirm", json!({ "code": code }));
    confirm(wrong_code(&timed.code(&secret, 0))).await.fails(422, "invalid");
    assert_eq!(own(&ada).await["totp"], false, "not before the first code");
    let confirmed = confirm(timed.code(&secret, 0)).await.ok();
    assert_eq!(confirmed["recoveryCodes"].as_array().unwrap().len(), 10);
    let found = own(&ada).await;
    assert_eq!((&found["totp"], &found["recoveryCodesLeft"]), (&json!(true), &json!(10)));
    assert_eq!(ada.get("/api/auth/check-login").await.ok()["user"]["secondFactor"], true);
    ada.post("/api/auth/second-factor/totp/begin", json!({})).await.fails(409, "totp-set-already");
    timed.letter("ada", "An authenticator app was added to your Morpion account").await;

    let here = timed.server.browser().await;
    log_in(&here, "ada").await.fails(401, "second-factor-required");
    assert!(!here.is_signed_in().await);
    assert_eq!(options(&here).await.ok()["methods"], json!(["totp", "recovery-code"]));
    let code = timed.next_code(&secret);
    let wrong = verify(&here, json!({ "totp": wrong_code(&code) })).await.fails(422, "wrong-proof");
    assert!(wrong["fieldErrors"]["totp"].is_string());
    let answer = verify(&here, json!({ "totp": code })).await.ok();
    assert_eq!((&answer["isLogIn"], &answer["user"]["username"]), (&json!(true), &json!("ada")));
    assert!(here.is_signed_in().await);
    options(&here).await.fails(410, "sign-in-expired");

    ada.post("/api/auth/second-factor/totp/remove", json!({})).await.ok();
    ada.post("/api/auth/second-factor/totp/remove", json!({})).await.fails(409, "no-second-factor");
    timed.letter("ada", "The authenticator app of your Morpion account was removed").await;
    assert_eq!(own(&ada).await["recoveryCodesLeft"], 0, "codes alone are no second factor");
    log_in(&timed.server.browser().await, "ada").await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_code_works_once_and_one_step_early_or_late() {
    let timed = Timed::start().await;
    let (ada, _) = timed.server.registered("ada").await;
    let (secret, _) = add_totp(&timed, &ada).await;
    let spent = timed.code(&secret, 0);
    let browser = timed.server.browser().await;
    let tries = async |code: String| {
        log_in(&browser, "ada").await.fails(401, "second-factor-required");
        verify(&browser, json!({ "totp": code })).await
    };
    tries(spent).await.fails(422, "wrong-proof");
    // From the beginning of a step, so that none ends meanwhile.
    let into_step = timed.clock.wall().timestamp_millis() % 30_000;
    timed.clock.advance(10 * MINUTE - into_step);
    for steps in [2, -2] {
        tries(timed.code(&secret, steps)).await.fails(422, "wrong-proof");
    }
    let early = timed.code(&secret, -1);
    tries(early.clone()).await.ok();
    tries(early).await.fails(422, "wrong-proof");
    let late = timed.code(&secret, 1);
    tries(late.clone()).await.ok();
    tries(late).await.fails(422, "wrong-proof");
    tries(timed.code(&secret, 0)).await.fails(422, "wrong-proof");
}

#[tokio::test(flavor = "multi_thread")]
async fn five_wrong_proofs_end_the_sign_in_and_count_as_failed_ones() {
    let timed = Timed::start().await;
    let (ada, _) = timed.server.registered("ada").await;
    let (secret, codes) = add_totp(&timed, &ada).await;
    let eve = timed.server.browser().await;
    // The right password in between does not forgive wrong codes.
    for _ in 0..4 {
        log_in(&eve, "ada").await.fails(401, "second-factor-required");
        verify(&eve, json!({ "totp": wrong_code(&timed.code(&secret, 0)) })).await.fails(422, "wrong-proof");
    }
    verify(&eve, json!({ "password": PASSWORD })).await.fails(422, "wrong-proof");
    verify(&eve, json!({ "recoveryCode": codes[0] })).await.fails(429, "too-many-failed-sign-ins");
    log_in(&eve, "ada").await.fails(429, "too-many-failed-sign-ins");

    // The pending sign-in itself dies too, wherever the tries come from.
    let timed =
        Timed::with(|config| config.limits.failed_sign_ins_per_account_and_address = 1_000.try_into().unwrap()).await;
    let (bob, _) = timed.server.registered("bob").await;
    let (secret, _) = add_totp(&timed, &bob).await;
    let eve = timed.server.browser().await;
    log_in(&eve, "bob").await.fails(401, "second-factor-required");
    for _ in 0..5 {
        verify(&eve, json!({ "totp": wrong_code(&timed.code(&secret, 0)) })).await.fails(422, "wrong-proof");
    }
    verify(&eve, json!({ "totp": timed.next_code(&secret) })).await.fails(410, "sign-in-expired");
}

#[tokio::test(flavor = "multi_thread")]
async fn codes_of_an_app_cannot_be_guessed_from_many_addresses() {
    let timed = Timed::with(|config| {
        let many = 1_000.try_into().unwrap();
        config.limits.failed_sign_ins_per_account_and_address = many;
        config.limits.failed_sign_ins_per_address = many;
        config.limits.sign_ins_per_minute = many;
    })
    .await;
    let (ada, _) = timed.server.registered("ada").await;
    let (secret, codes) = add_totp(&timed, &ada).await;
    let eve = timed.server.browser().await;
    for number in 0..20 {
        if number % 5 == 0 {
            log_in(&eve, "ada").await.fails(401, "second-factor-required");
        }
        verify(&eve, json!({ "totp": wrong_code(&timed.code(&secret, 0)) })).await.fails(422, "wrong-proof");
    }
    log_in(&eve, "ada").await.fails(401, "second-factor-required");
    let right = timed.next_code(&secret);
    verify(&eve, json!({ "totp": right })).await.fails(429, "too-many-failed-sign-ins");
    // The owner has another way.
    verify(&eve, json!({ "recoveryCode": codes[0] })).await.ok();
    timed.clock.advance(60 * MINUTE);
    log_in(&eve, "ada").await.fails(401, "second-factor-required");
    verify(&eve, json!({ "totp": timed.next_code(&secret) })).await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_recovery_code_works_once_and_is_reported() {
    let timed = Timed::start().await;
    let (ada, user) = timed.server.registered("ada").await;
    timed.server.verify_email(&user).await;
    let (_, codes) = add_totp(&timed, &ada).await;
    let browser = timed.server.browser().await;
    log_in(&browser, "ada").await.fails(401, "second-factor-required");
    let typed = codes[3].to_uppercase().replace('-', " ");
    verify(&browser, json!({ "recoveryCode": typed })).await.ok();
    let letter = timed.letter("ada", "A recovery code of your Morpion account was used").await;
    assert!(letter.contains("9 are left."), "{letter}");
    log_in(&browser, "ada").await.fails(401, "second-factor-required");
    verify(&browser, json!({ "recoveryCode": codes[3] })).await.fails(422, "wrong-proof");
    verify(&browser, json!({ "recoveryCode": codes[4] })).await.ok();
    assert_eq!(own(&browser).await["recoveryCodesLeft"], 8);
    // Nobody gets more letters than these in a day.
    timed.clock.advance(24 * 60 * MINUTE);
    for code in &codes[5..] {
        log_in(&browser, "ada").await.fails(401, "second-factor-required");
        verify(&browser, json!({ "recoveryCode": code })).await.ok();
    }
    let used = mails_to(&timed.folder, "ada@example.org", "A recovery code of your Morpion account was used", 7).await;
    assert!(used[6].contains("3 are left. Create new ones in your settings."), "{}", used[6]);
    assert!(used[5].contains("4 are left.") && !used[5].contains("Make new ones"), "{}", used[5]);

    timed.clock.advance(24 * 60 * MINUTE);
    ada.post("/api/auth/proof", json!({ "password": PASSWORD })).await.ok();
    let renewed = ada.post("/api/auth/second-factor/recovery-codes", json!({})).await.ok();
    timed.letter("ada", "Your Morpion account has new recovery codes").await;
    assert_eq!(own(&ada).await["recoveryCodesLeft"], 10);
    log_in(&browser, "ada").await.fails(401, "second-factor-required");
    verify(&browser, json!({ "recoveryCode": codes[0] })).await.fails(422, "wrong-proof");
    verify(&browser, json!({ "recoveryCode": renewed["recoveryCodes"][0] })).await.ok();
    // Nobody else's.
    let (bob, _) = timed.server.registered("bob").await;
    bob.post("/api/auth/second-factor/recovery-codes", json!({})).await.fails(409, "no-second-factor");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pending_sign_in_ends_and_belongs_to_its_browser() {
    let timed = Timed::start().await;
    let (ada, _) = timed.server.registered("ada").await;
    let (secret, _) = add_totp(&timed, &ada).await;
    let here = timed.server.browser().await;
    log_in(&here, "ada").await.fails(401, "second-factor-required");
    let elsewhere = timed.server.browser().await;
    options(&elsewhere).await.fails(410, "sign-in-expired");
    verify(&elsewhere, json!({ "totp": timed.next_code(&secret) })).await.fails(410, "sign-in-expired");
    timed.clock.advance(9 * MINUTE);
    options(&here).await.ok();
    timed.clock.advance(MINUTE);
    verify(&here, json!({ "totp": timed.next_code(&secret) })).await.fails(410, "sign-in-expired");
    // A new password ends it.
    log_in(&here, "ada").await.fails(401, "second-factor-required");
    let change = json!({ "currentPassword": PASSWORD, "newPassword": "Another-Horse-8" });
    ada.post("/api/auth/password", change).await.ok();
    verify(&here, json!({ "totp": timed.next_code(&secret) })).await.fails(410, "sign-in-expired");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_guests_games_come_along_after_the_second_factor() {
    let timed = Timed::start().await;
    let (ada, _) = timed.server.registered("ada").await;
    let (secret, _) = add_totp(&timed, &ada).await;
    let guest = timed.server.browser().await;
    let before = guest.post("/api/auth/guest", json!({})).await.ok()["user"]["userId"].clone();
    let mut wish = credentials("ada@example.org", PASSWORD);
    wish["keepGuestGames"] = json!(true);
    guest.post("/api/auth/login", wish).await.fails(401, "second-factor-required");
    assert_eq!(guest.get("/api/auth/check-login").await.ok()["user"]["userId"], before, "still the guest");
    let answer = verify(&guest, json!({ "totp": timed.next_code(&secret) })).await.ok();
    assert_eq!((&answer["guestGames"], &answer["user"]["username"]), (&json!(0), &json!("ada")));
}

#[tokio::test(flavor = "multi_thread")]
async fn garbage_is_no_proof() {
    let timed = Timed::start().await;
    let (ada, _) = timed.server.registered("ada").await;
    add_totp(&timed, &ada).await;
    let browser = timed.server.browser().await;
    for (unusable, status, code) in [
        (json!({}), 422, "invalid"),
        (json!({ "totp": "1", "password": "2" }), 422, "invalid"),
        (json!({ "totp": 123456 }), 400, "malformed"),
        (json!({ "x": 1 }), 400, "malformed"),
    ] {
        log_in(&browser, "ada").await.fails(401, "second-factor-required");
        verify(&browser, unusable).await.fails(status, code);
    }
    for (field, garbage) in [
        ("totp", json!("")),
        ("totp", json!("١٢٣٤٥٦")),
        ("recoveryCode", json!("x".repeat(60_000))),
        ("passkey", json!([[[[]]]])),
    ] {
        verify(&browser, json!({ field: garbage })).await.fails(422, "wrong-proof");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn recovery_by_email_leaves_the_second_factor() {
    let timed = Timed::start().await;
    let (ada, _) = timed.server.registered("ada").await;
    // Whoever adds a factor before the email is verified need not be its owner.
    ada.post("/api/auth/email/request-code", json!({})).await.ok();
    let proof = recovery::code(&timed.folder, 1).await;
    ada.post("/api/auth/email/verify", json!({ "code": proof })).await.ok();
    let (secret, _) = add_totp(&timed, &ada).await;
    let browser = timed.server.browser().await;
    recovery::request(&browser, "ada@example.org").await.ok();
    let code = recovery::code(&timed.folder, 2).await;
    recovery::validate(&browser, "ada@example.org", code).await.ok();
    recovery::update(&browser, "ada@example.org", "Another-Horse-8").await.ok();
    let login = || browser.post("/api/auth/login", credentials("ada@example.org", "Another-Horse-8"));
    login().await.fails(401, "second-factor-required");
    verify(&browser, json!({ "totp": timed.next_code(&secret) })).await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn sensitive_acts_need_a_proof_of_the_last_ten_minutes() {
    let timed = Timed::start().await;
    let (admin, user) = timed.server.admin().await;
    let (_, bob) = timed.server.registered("bob").await;
    let (secret, codes) = add_totp(&timed, &admin).await;
    timed.clock.advance(11 * MINUTE);
    let acts = async |name: &str| {
        let change = json!({ "newEmail": format!("{name}@example.org") });
        [
            admin.post("/api/backend/delete/account", json!({})).await,
            admin.post("/api/auth/email/change/request", change).await,
            admin.post("/api/auth/email/request-code", json!({ "email": "other@example.org" })).await,
            admin.post("/api/auth/second-factor/recovery-codes", json!({})).await,
            admin.post("/api/auth/second-factor/totp/remove", json!({})).await,
            admin.write("admin", "create_token", json!({ "name": name, "scope": "read" })).await,
            admin.write("admin", "set_admin", json!({ "userId": user["userId"], "isAdmin": true })).await,
            admin.write("admin", "promote_user", json!({ "account": "the_admin" })).await,
            admin
                .write(
                    "admin",
                    "create_admin",
                    json!({ "email": "x@example.org", "username": name, "password": PASSWORD }),
                )
                .await,
            admin.write("admin", "reset_password", json!({ "account": "nobody", "newPassword": PASSWORD })).await,
            admin.write("admin", "remove_second_factor", json!({ "account": "nobody", "reason": "lost" })).await,
            admin.write("admin", "create_password_link", json!({ "account": "nobody", "reason": "lost" })).await,
            admin
                .write(
                    "admin",
                    "change_email",
                    json!({ "account": "nobody", "newEmail": "x@example.org", "reason": "x" }),
                )
                .await,
            admin.write("admin", "suspend_user", json!({ "userId": bob["userId"], "reason": "x" })).await,
            admin.write("admin", "delete_user", json!({ "userId": bob["userId"], "reason": "x" })).await,
        ]
    };
    for act in acts("first").await {
        act.fails(403, "proof-required");
    }
    let prove = |proof: Value| admin.post("/api/auth/proof", proof);
    let methods = admin.post("/api/auth/proof/options", json!({})).await.ok()["methods"].clone();
    assert_eq!(methods, json!(["password", "totp", "recovery-code"]));
    let wrong = prove(json!({ "password": "wrong" })).await.fails(422, "wrong-proof");
    assert!(wrong["fieldErrors"]["password"].is_string());
    let renew = || admin.post("/api/auth/second-factor/recovery-codes", json!({}));
    for method in ["password", "totp", "recoveryCode"] {
        let proof = match method {
            "password" => PASSWORD.to_owned(),
            "totp" => timed.next_code(&secret),
            _ => codes[0].clone(),
        };
        prove(json!({ method: proof })).await.ok();
        timed.clock.advance(9 * MINUTE);
        admin.write("admin", "create_token", json!({ "name": method, "scope": "read" })).await.ok();
        timed.clock.advance(MINUTE + 1_000);
        renew().await.fails(403, "proof-required");
    }
    // A password in the payload is a proof too, and so is a sign-in.
    let change = json!({ "newEmail": "new@example.org", "password": PASSWORD });
    admin.post("/api/auth/email/change/request", change).await.ok();
    renew().await.ok();
    timed.clock.advance(11 * MINUTE);
    let again = timed.server.browser().await;
    log_in(&again, "the_admin").await.fails(401, "second-factor-required");
    verify(&again, json!({ "totp": timed.next_code(&secret) })).await.ok();
    again.post("/api/auth/second-factor/recovery-codes", json!({})).await.ok();
    // Each session has its own proof.
    renew().await.fails(403, "proof-required");
    // An operator token has nothing to prove.
    let token = json!({ "name": "outside", "scope": "accounts" });
    let token = again.write("admin", "create_token", token).await.ok()["token"].clone();
    timed.clock.advance(11 * MINUTE);
    let operator = timed.server.with_token(token.as_str().unwrap());
    let subject = json!({ "userId": bob["userId"], "reason": "x" });
    operator.write("admin", "suspend_user", subject.clone()).await.ok();
    operator.write("admin", "delete_user", subject).await.ok();
    // Visitors and guests have nothing to prove.
    let visitor = timed.server.browser().await;
    visitor.post("/api/auth/proof", json!({ "password": PASSWORD })).await.fails(401, "not-signed-in");
    visitor.post("/api/auth/guest", json!({})).await.ok();
    visitor.post("/api/auth/proof", json!({ "password": PASSWORD })).await.fails(403, "guest");
    visitor.get("/api/auth/second-factor").await.fails(403, "guest");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_operator_removes_a_lost_second_factor() {
    let timed = Timed::start().await;
    let operator = timed.server.operator().await;
    let (ada, user) = timed.server.registered("ada").await;
    let remove =
        |reason: &str| operator.write("admin", "remove_second_factor", json!({ "account": "ada", "reason": reason }));
    timed.server.verify_email(&user).await;
    remove("lost phone").await.fails(409, "no-second-factor");
    add_totp(&timed, &ada).await;
    timed.clock.advance(60 * MINUTE);
    remove(" ").await.fails(422, "invalid");
    remove("lost phone").await.ok();
    timed.letter("ada", "The second factor of your Morpion account was removed").await;
    let audit = operator.read("admin", "list_audit", json!({})).await.ok()["entries"][0].clone();
    assert_eq!((&audit["action"], &audit["subject"]), (&json!("remove_second_factor"), &user["userId"]));
    assert!(text(&audit["detail"]).contains("lost phone"), "{audit}");
    log_in(&timed.server.browser().await, "ada").await.ok();
    let (player, _) = timed.server.registered("player").await;
    let wish = json!({ "account": "ada", "reason": "mine" });
    player.write("admin", "remove_second_factor", wish).await.fails(403, "forbidden");
}

#[tokio::test(flavor = "multi_thread")]
async fn admins_need_a_second_factor_once_one_of_them_has_it() {
    let timed = Timed::start().await;
    let (first, _) = timed.server.admin().await;
    let (second, user) = timed.server.registered("second").await;
    let wish = json!({ "userId": user["userId"], "isAdmin": true });
    first.write("admin", "set_admin", wish).await.ok();
    assert_eq!(own(&second).await["required"], false);
    second.read("admin", "list_users", json!({})).await.ok();
    add_totp(&timed, &first).await;
    second.read("admin", "list_users", json!({})).await.fails(403, "second-factor-needed");
    second.write("admin", "promote_user", json!({ "account": "second" })).await.fails(403, "second-factor-needed");
    first.read("admin", "list_users", json!({})).await.ok();
    // The own account stays, and games.
    assert_eq!(own(&second).await["required"], true);
    second.post("/api/backend/profile/update", json!({ "displayName": "Second" })).await.ok();
    add_totp(&timed, &second).await;
    second.read("admin", "list_users", json!({})).await.ok();
    // Without one again when the last is gone.
    for admin in [&first, &second] {
        admin.post("/api/auth/proof", json!({ "password": PASSWORD })).await.ok();
        admin.post("/api/auth/second-factor/totp/remove", json!({})).await.ok();
    }
    first.read("admin", "list_users", json!({})).await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn no_admin_needs_one_once_the_only_one_who_had_it_is_gone() {
    for act in ["suspend_user", "delete_user"] {
        let timed = Timed::start().await;
        let operator = timed.server.operator().await;
        let [(first, gone), (second, user)] =
            [timed.server.registered("first").await, timed.server.registered("second").await];
        for user in [&gone, &user] {
            operator.write("admin", "set_admin", json!({ "userId": user["userId"], "isAdmin": true })).await.ok();
        }
        add_totp(&timed, &first).await;
        second.read("admin", "list_users", json!({})).await.fails(403, "second-factor-needed");
        let wish = json!({ "userId": gone["userId"], "reason": "Left." });
        operator.write("admin", act, wish).await.ok();
        second.read("admin", "list_users", json!({})).await.ok();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_setting_says_who_needs_a_second_factor() {
    let nobody = Timed::with(|config| config.identity.require_second_factor = RequireSecondFactor::Nobody).await;
    let (admin, _) = nobody.server.admin().await;
    let (other, user) = nobody.server.registered("other").await;
    admin.write("admin", "set_admin", json!({ "userId": user["userId"], "isAdmin": true })).await.ok();
    add_totp(&nobody, &admin).await;
    other.read("admin", "list_users", json!({})).await.ok();

    let admins = Timed::with(|config| config.identity.require_second_factor = RequireSecondFactor::Admins).await;
    let (admin, _) = admins.server.admin().await;
    admin.read("admin", "list_users", json!({})).await.fails(403, "second-factor-needed");
    add_totp(&admins, &admin).await;
    admin.read("admin", "list_users", json!({})).await.ok();

    let all = Timed::with(|config| config.identity.require_second_factor = RequireSecondFactor::Everybody).await;
    let (player, _) = all.server.registered("player").await;
    assert_eq!(own(&player).await["required"], true);
    let update = json!({ "displayName": "Player" });
    player.post("/api/backend/profile/update", update.clone()).await.fails(403, "second-factor-needed");
    add_totp(&all, &player).await;
    player.post("/api/backend/profile/update", update).await.ok();
    // Guests cannot have one, and play.
    let guest = all.server.browser().await;
    guest.post("/api/auth/guest", json!({})).await.ok();
    let outcome = guest.post("/api/backend/profile/remove", json!({})).await;
    assert_ne!(outcome.body["errorCode"], "second-factor-needed");
    // Whoever does not want one can leave.
    let (leaver, _) = all.server.registered("leaver").await;
    leaver.post("/api/backend/delete/account", json!({ "password": PASSWORD })).await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_provider_is_linked_to_an_admin_after_another_proof_only() {
    let (server, provider) = providers::start().await;
    let (admin, user) = server.admin().await;
    let id = user["userId"].as_str().unwrap().parse().unwrap();
    server.verify_email_of(id, "the_admin@example.org").await;
    let eve = server.browser().await;
    providers::sign_in(&eve, &provider, "the_admin").await.fails(401, "second-factor-required");
    assert!(!eve.is_signed_in().await);
    assert!(server.app.store.user(id).await.unwrap().unwrap().providers.is_empty(), "not linked yet");
    assert_eq!(options(&eve).await.ok()["methods"], json!(["password"]));
    verify(&eve, json!({ "password": "wrong" })).await.fails(422, "wrong-proof");
    verify(&eve, json!({ "totp": "123456" })).await.fails(422, "wrong-proof");
    verify(&eve, json!({ "password": PASSWORD })).await.ok();
    assert_eq!(server.app.store.user(id).await.unwrap().unwrap().providers.len(), 1);
    // From then on the provider is enough.
    let again = server.browser().await;
    providers::sign_in(&again, &provider, "the_admin").await.ok();
    assert!(admin.is_signed_in().await);
    // Others are linked as before.
    let (_, user) = server.registered("player").await;
    let id = user["userId"].as_str().unwrap().parse().unwrap();
    server.verify_email_of(id, "player@example.org").await;
    providers::sign_in(&server.browser().await, &provider, "player").await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_stored_is_exported_without_secrets_and_deleted_with_the_account() {
    let timed = Timed::start().await;
    let (ada, user) = timed.server.registered("ada").await;
    let (secret, codes) = add_totp(&timed, &ada).await;
    let id = user["userId"].as_str().unwrap().parse().unwrap();
    let stored = timed.server.app.store.second_factor(id).await.unwrap();
    assert!(!format!("{stored:?}").contains(&secret), "encrypted at rest");
    let export = ada.get("/api/backend/account/export").await.body;
    assert_eq!((&export["authenticatorApp"], &export["recoveryCodesLeft"]), (&json!(true), &json!(10)));
    for hidden in [&secret, &codes[0], &stored.totp_secret.unwrap()] {
        assert!(!export.to_string().contains(hidden.as_str()));
    }
    ada.post("/api/backend/delete/account", json!({})).await.ok();
    assert_eq!(timed.server.app.store.second_factor(id).await.unwrap(), Default::default());
}
