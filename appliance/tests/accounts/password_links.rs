//! Operators' one-time links for a new password, and what else of signing in they can change for others.

use chrono::Utc;
use morpion_appliance::account::{operator::LOCAL_TOKEN_NAME, token};
use morpion_store::NewOperatorToken;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::{
    changes::{email_token, mails_to},
    second_factor::{Timed, add_totp, log_in},
    support::{Browser, Operator, Outcome, PASSWORD, Server, credentials},
};

const NEW: &str = "Brand-New-1";
const HOUR: i64 = 3_600_000;

fn wish(account: &str) -> Value {
    json!({ "account": account, "reason": "no mail" })
}

/// The token of a link.
fn token_of(made: &Value) -> String {
    made["path"].as_str().unwrap().strip_prefix("/new-password#").unwrap().to_owned()
}

/// Whose link it is; null if it does not work.
async fn check(browser: &Browser, token: &str) -> Value {
    browser.post("/api/auth/password-link", json!({ "token": token })).await.ok()["username"].clone()
}

async fn set(browser: &Browser, token: &str, password: &str) -> Outcome {
    browser.post("/api/auth/password-link/use", json!({ "token": token, "newPassword": password })).await
}

/// With the token in the data folder, as `morpion admin` has it.
async fn shell(server: &Server) -> Operator {
    let text = token::new();
    let local = NewOperatorToken {
        id: Uuid::new_v4(),
        hash: token::hash(&text),
        name: LOCAL_TOKEN_NAME.to_owned(),
        scope: "all".to_owned(),
        created_at: Utc::now(),
        expires_at: None,
    };
    server.app.store.replace_operator_token(local).await.unwrap();
    server.with_token(&text)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_sets_a_password_once_and_ends_what_was_signed_in() {
    let timed = Timed::start().await;
    let (admin, _) = timed.server.admin().await;
    let (ada, user) = timed.server.registered("ada").await;
    timed.server.verify_email(&user).await;
    let made = admin.write("admin", "create_password_link", wish("ada")).await.ok();
    timed.letter("ada", "A link for a new password of your Morpion account").await;
    let link = token_of(&made);
    let visitor = timed.server.browser().await;
    for hostile in ["", "x", "../../etc/passwd", &"A".repeat(43)] {
        assert_eq!(check(&visitor, hostile).await, Value::Null);
        set(&visitor, hostile, NEW).await.fails(404, "link-over");
    }
    // Looking at it, and a password that is refused, do not use it up.
    assert_eq!(check(&visitor, &link).await, "ada");
    set(&visitor, &link, "weak").await.fails(422, "invalid");
    assert!(ada.is_signed_in().await);
    set(&visitor, &link, NEW).await.ok();
    assert!(!ada.is_signed_in().await);
    set(&visitor, &link, PASSWORD).await.fails(404, "link-over");
    assert_eq!(check(&visitor, &link).await, Value::Null);
    visitor.post("/api/auth/login", credentials("ada@example.org", PASSWORD)).await.fails(401, "wrong-credentials");
    visitor.post("/api/auth/login", credentials("ada@example.org", NEW)).await.ok();
    let letter = timed.letter("ada", "Your Morpion password was changed").await;
    assert!(letter.contains("a link of an administrator"), "{letter}");

    let audit = admin.read("admin", "list_audit", json!({})).await.ok()["entries"][0].clone();
    assert_eq!((&audit["action"], &audit["subject"]), (&json!("create_password_link"), &user["userId"]));
    assert!(audit["detail"].as_str().unwrap().contains("no mail") && !audit.to_string().contains(&link), "{audit}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_ends_after_a_day_by_another_one_and_by_every_change_of_what_one_signs_in_with() {
    let timed = Timed::start().await;
    let (admin, _) = timed.server.admin().await;
    let (ada, user) = timed.server.registered("ada").await;
    let visitor = timed.server.browser().await;
    let make = async || {
        admin.post("/api/auth/proof", json!({ "password": PASSWORD })).await.ok();
        token_of(&admin.write("admin", "create_password_link", wish("ada")).await.ok())
    };
    let first = make().await;
    timed.clock.advance(24 * HOUR - 1_000);
    assert_eq!(check(&visitor, &first).await, "ada");
    timed.clock.advance(1_000);
    assert_eq!(check(&visitor, &first).await, Value::Null);
    set(&visitor, &first, NEW).await.fails(404, "link-over");

    let (replaced, link) = (make().await, make().await);
    set(&visitor, &replaced, NEW).await.fails(404, "link-over");
    assert_eq!(check(&visitor, &link).await, "ada");
    // Its owner remembered the password after all.
    let change = json!({ "currentPassword": PASSWORD, "newPassword": "Another-One-2" });
    ada.post("/api/auth/password", change).await.ok();
    set(&visitor, &link, NEW).await.fails(404, "link-over");

    // Whoever becomes an admin meanwhile is not opened by what was made for a player.
    let link = make().await;
    admin.write("admin", "set_admin", json!({ "userId": user["userId"], "isAdmin": true })).await.ok();
    assert_eq!(check(&visitor, &link).await, Value::Null);
    set(&visitor, &link, NEW).await.fails(404, "link-over");
    ada.read("admin", "overview", json!({})).await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_factor_stays_unless_the_operator_says_that_it_is_lost() {
    let timed = Timed::start().await;
    let operator = timed.server.operator().await;
    let (ada, _) = timed.server.registered("ada").await;
    add_totp(&timed, &ada).await;
    for (lost, is_asked) in [(false, true), (true, false)] {
        let wish = json!({ "account": "ada", "reason": "lost", "removeSecondFactor": lost });
        let link = token_of(&operator.write("admin", "create_password_link", wish).await.ok());
        let browser = timed.server.browser().await;
        set(&browser, &link, PASSWORD).await.ok();
        let outcome = log_in(&browser, "ada").await;
        if is_asked {
            outcome.fails(401, "second-factor-required");
        } else {
            outcome.ok();
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn only_the_shell_changes_what_an_admin_signs_in_with() {
    let timed = Timed::start().await;
    let (admin, _) = timed.server.admin().await;
    let guest = timed.server.browser().await;
    let guest = guest.post("/api/auth/guest", json!({})).await.ok()["user"]["username"].clone();
    let made = admin.write("admin", "create_token", json!({ "name": "robot", "scope": "all" })).await.ok();
    let robot = timed.server.with_token(made["token"].as_str().unwrap());
    let made = admin.write("admin", "create_token", json!({ "name": "help", "scope": "accounts" })).await.ok();
    let helper = timed.server.with_token(made["token"].as_str().unwrap());
    timed.server.registered("ada").await;
    let acts = |account: &str| {
        [
            ("create_password_link", wish(account)),
            ("remove_second_factor", wish(account)),
            ("change_email", json!({ "account": account, "newEmail": "other@example.org", "reason": "x" })),
            ("reset_password", json!({ "account": account, "newPassword": NEW })),
        ]
    };
    for (action, payload) in acts("the_admin") {
        admin.write("admin", action, payload.clone()).await.fails(403, "admin-by-shell");
        robot.write("admin", action, payload).await.fails(403, "admin-by-shell");
    }
    for (action, payload) in acts("ada") {
        helper.write("admin", action, payload).await.fails(403, "scope");
    }
    for (action, payload) in acts(guest.as_str().unwrap()) {
        robot.write("admin", action, payload).await.fails(409, "guest");
    }
    let shell = shell(&timed.server).await;
    let link = token_of(&shell.write("admin", "create_password_link", wish("the_admin")).await.ok());
    set(&timed.server.browser().await, &link, NEW).await.ok();
    assert!(!admin.is_signed_in().await);
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_gets_a_link_where_there_are_no_passwords() {
    let server = Server::with(|config| config.identity.local.enabled = false).await;
    shell(&server).await.write("admin", "create_password_link", wish("ada")).await.fails(403, "local-accounts-off");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_operator_changes_an_email_and_its_owner_can_take_it_back() {
    let timed = Timed::start().await;
    let operator = timed.server.operator().await;
    let (ada, user) = timed.server.registered("ada").await;
    let (_, bob) = timed.server.registered("bob").await;
    timed.server.verify_email(&user).await;
    timed.server.verify_email(&bob).await;
    let change = |email: &str| {
        let wish = json!({ "account": "ada", "newEmail": email, "reason": "typed wrong" });
        operator.write("admin", "change_email", wish)
    };
    change("nobody").await.fails(422, "invalid");
    change("ADA@example.org").await.fails(422, "same-email");
    change("bob@example.org").await.fails(409, "email-taken");
    let changed = change("lovelace@example.org").await.ok();
    assert_eq!(
        (&changed["user"]["email"], &changed["user"]["emailVerified"]),
        (&json!("lovelace@example.org"), &json!(false))
    );
    let own = ada.get("/api/auth/check-login").await.ok()["user"].clone();
    assert_eq!(own["email"], "lovelace@example.org", "it stays signed in, and sees it");
    // The new mailbox gets a code, the old one the way back.
    mails_to(&timed.folder, "lovelace@example.org", "Confirm your email for Morpion", 1).await;
    let letter = timed.letter("ada", "The email of your Morpion account was changed").await;
    let visitor = timed.server.browser().await;
    visitor.post("/api/auth/email/change/undo", json!({ "token": email_token(&letter) })).await.ok();
    assert!(!ada.is_signed_in().await);
    let own = log_in(&visitor, "ada").await.ok()["user"].clone();
    assert_eq!((&own["email"], &own["emailVerified"]), (&json!("ada@example.org"), &json!(true)));
    let audit = operator.read("admin", "list_audit", json!({})).await.ok()["entries"][0].clone();
    assert_eq!((&audit["action"], &audit["subject"]), (&json!("change_email"), &user["userId"]));
}
