//! What strangers try with accounts: two things at once, one thing between two others, an id of somebody else. Each ends as if it
//! had come first or last, and never with both.

use std::time::{Duration, Instant};

use chrono::{DateTime, Utc};
use futures_util::future::join_all;
use morpion_store::Suspension;
use reqwest::Method;
use serde_json::{Value, json};

use crate::{
    recovery::{NEW_PASSWORD, code, mails, request, server, update, validate},
    support::{Browser, PASSWORD, Server, credentials, registration},
};

fn id_of(user: &Value) -> uuid::Uuid {
    user["userId"].as_str().unwrap().parse().unwrap()
}

async fn change_password(browser: &Browser, to: &str) -> bool {
    let change = json!({ "currentPassword": PASSWORD, "newPassword": to });
    browser.post("/api/auth/password", change).await.status == 200
}

/// Browsers that opened the site.
async fn browsers(server: &Server, number: usize) -> Vec<Browser> {
    join_all((0..number).map(|_| server.browser())).await
}

#[tokio::test(flavor = "multi_thread")]
async fn many_sign_ins_around_a_change_of_the_password_leave_none_of_the_old_one() {
    let server = Server::start().await;
    let (ada, _) = server.registered("ada").await;
    let thieves = browsers(&server, 6).await;
    let sign_ins = thieves.iter().map(|thief| thief.post("/api/auth/login", credentials("ada", PASSWORD)));
    let (changed, _) = tokio::join!(change_password(&ada, NEW_PASSWORD), join_all(sign_ins));
    assert!(changed);
    for thief in &thieves {
        assert!(!thief.is_signed_in().await);
    }
    assert!(ada.is_signed_in().await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_recovery_and_a_change_of_the_password_at_once_are_not_both_done() {
    let (server, folder) = server().await;
    let (ada, user) = server.registered("ada").await;
    server.verify_email(&user).await;
    let reader = server.browser().await;
    request(&reader, "ada@example.org").await.ok();
    validate(&reader, "ada@example.org", code(&folder, 1).await).await.ok();
    let recovering = update(&reader, "ada@example.org", NEW_PASSWORD);
    let (changed, recovered) = tokio::join!(change_password(&ada, "Newer-Horse-55"), recovering);
    assert!(changed != (recovered.status == 200), "{changed}, {recovered:?}");
    let (new, old) = if changed { ("Newer-Horse-55", NEW_PASSWORD) } else { (NEW_PASSWORD, "Newer-Horse-55") };
    let elsewhere = server.browser().await;
    elsewhere.post("/api/auth/login", credentials("ada", old)).await.fails(401, "wrong-credentials");
    elsewhere.post("/api/auth/login", credentials("ada", new)).await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_email_that_a_thief_asked_for_is_gone_with_the_thief() {
    let (server, folder) = server().await;
    let (ada, user) = server.registered("ada").await;
    server.verify_email(&user).await;
    let thief = server.browser().await;
    thief.post("/api/auth/login", credentials("ada@example.org", PASSWORD)).await.ok();
    let wish = json!({ "newEmail": "thief@example.org", "password": PASSWORD });
    thief.post("/api/auth/email/change/request", wish).await.ok();
    let mut found = None;
    for _ in 0..200 {
        found = mails(&folder).into_iter().find(|mail| mail.contains("To: thief@example.org"));
        if found.is_some() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let code = crate::recovery::code_in(&found.expect("a letter to the thief"));
    assert!(change_password(&ada, NEW_PASSWORD).await);
    let verify = json!({ "code": code });
    // As a visitor, the thief's browser has another token.
    thief.get("/api/auth/check-login").await.ok();
    thief.post("/api/auth/email/change/verify", verify.clone()).await.fails(401, "not-signed-in");
    // Nor is it the owner who is led into it.
    assert_ne!(ada.post("/api/auth/email/change/verify", verify).await.status, 200);
    assert_eq!(ada.get("/api/auth/check-login").await.ok()["user"]["email"], "ada@example.org");
}

/// The mailbox of somebody who is made an admin between the steps of a recovery.
#[tokio::test(flavor = "multi_thread")]
async fn a_recovery_that_began_before_its_account_was_an_admins_ends() {
    for is_validated in [false, true] {
        let (server, folder) = server().await;
        let (_, user) = server.registered("ada").await;
        let reader = server.browser().await;
        request(&reader, "ada@example.org").await.ok();
        let code = code(&folder, 1).await;
        if is_validated {
            validate(&reader, "ada@example.org", code).await.ok();
        }
        server.app.store.set_admin(id_of(&user), true).await.unwrap();
        server.app.accounts.sessions().invalidate(id_of(&user).into());
        if !is_validated {
            validate(&reader, "ada@example.org", code).await;
        }
        let updated = update(&reader, "ada@example.org", NEW_PASSWORD).await;
        assert_ne!(updated.status, 200, "validated before: {is_validated}");
        let stranger = server.browser().await;
        let signed_in = stranger.post("/api/auth/login", credentials("ada@example.org", NEW_PASSWORD)).await;
        assert_eq!(signed_in.status, 401, "validated before: {is_validated}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_who_prove_one_mailbox_at_once_one_has_it() {
    let server = Server::start().await;
    let mut claims = vec![];
    for name in ["ada", "eve"] {
        let mut wish = registration(name);
        wish["email"] = json!("nora@example.org");
        let user = server.browser().await.post("/api/auth/register", wish).await.ok()["user"].clone();
        claims.push((id_of(&user), server.credentials_of(id_of(&user)).await));
    }
    let store = &server.app.store;
    let proofs = claims.iter().map(|(_, credentials)| store.verify_email(*credentials, "nora@example.org"));
    let proven = join_all(proofs).await.iter().filter(|proof| proof.is_ok()).count();
    let mut verified = 0;
    for (id, _) in &claims {
        verified += usize::from(store.user(*id).await.unwrap().unwrap().email_verified);
    }
    assert_eq!((proven, verified), (1, 1));
    // However it is written.
    for typed in ["NORA@EXAMPLE.ORG", " nora@Example.org "] {
        let mut wish = registration("late");
        wish["email"] = json!(typed);
        assert_ne!(server.browser().await.post("/api/auth/register", wish).await.status, 200, "{typed}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn neighbours_who_use_up_the_sign_ins_of_a_minute_keep_no_known_device_out() {
    let server = Server::with(|config| config.limits.sign_ins_per_minute = 3.try_into().unwrap()).await;
    let (ada, _) = server.registered("ada").await;
    let (bob, _) = server.registered("bob").await;
    ada.post("/api/auth/logout", json!({})).await.ok();
    let neighbour = server.browser().await;
    let statuses =
        join_all((0..6).map(|number| neighbour.post("/api/auth/login", credentials(&format!("x{number}"), "y"))));
    assert!(statuses.await.iter().any(|outcome| outcome.status == 429));
    ada.post("/api/auth/login", credentials("ada@example.org", PASSWORD)).await.ok();
    bob.post("/api/auth/proof", json!({ "password": PASSWORD })).await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn refreshes_around_an_end_of_all_sessions_leave_none() {
    let server = Server::start().await;
    let (ada, _) = server.registered("ada").await;
    let thieves = browsers(&server, 4).await;
    for thief in &thieves {
        thief.post("/api/auth/login", credentials("ada", PASSWORD)).await.ok();
    }
    let refreshes =
        thieves.iter().cycle().take(16).map(|thief| thief.post("/api/auth/secure/token/refresh", json!({})));
    let ending = ada.post("/api/auth/sessions/revoke-all", json!({ "includeCurrent": false }));
    let (ended, _) = tokio::join!(ending, join_all(refreshes));
    ended.ok();
    for thief in &thieves {
        assert!(!thief.is_signed_in().await);
    }
    assert!(ada.is_signed_in().await);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_id_of_somebody_elses_game_makes_no_game_and_shows_none() {
    let server = Server::start().await;
    let (ada, user) = server.registered("ada").await;
    let (eve, stranger) = server.registered("eve").await;
    let payload = |user: &Value| json!({ "players": [{ "userId": user["userId"] }], "gameType": "invite" });
    let game = ada.write("game", "create_game", payload(&user)).await.ok()["game"].clone();
    let mut wish = payload(&stranger);
    wish["gameId"] = game["gameId"].clone();
    let refused = eve.write("game", "create_game", wish).await;
    assert_ne!(refused.status, 200, "{}", refused.body);
    assert!(!refused.body.to_string().contains(game["inviteToken"].as_str().unwrap()));
    for action in ["get_game", "get_replay"] {
        assert_ne!(eve.read("game", action, json!({ "gameId": game["gameId"] })).await.status, 200, "{action}");
    }
    for action in ["cancel_game", "end_game", "play_again", "share_game", "claim_win"] {
        assert_ne!(eve.write("game", action, json!({ "gameId": game["gameId"] })).await.status, 200, "{action}");
    }
    ada.write("game", "cancel_game", json!({ "gameId": game["gameId"] })).await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn of_many_who_take_one_thing_at_once_one_gets_it() {
    let server = Server::start().await;
    let mut takers = vec![];
    for number in 0..4 {
        takers.push(server.registered(&format!("taker{number}")).await.0);
    }
    let renames = takers.iter().map(|taker| taker.post("/api/backend/profile/update", json!({ "username": "wanted" })));
    assert_eq!(join_all(renames).await.iter().filter(|outcome| outcome.status == 200).count(), 1);
    // One account's exports, of which it has two an hour.
    let exports = (0..6).map(|_| takers[0].get("/api/backend/account/export"));
    assert!(join_all(exports).await.iter().filter(|outcome| outcome.status == 200).count() <= 2);
}

/// Signs in with wrong passwords, which keeps the threads that hash passwords busy, and makes `change` while somebody waits for
/// them. Also returns when the change was made, by the server's wall clock: on a fast machine what waited comes before it.
async fn while_passwords_are_hashed<T>(
    server: &Server,
    waiting: impl Future<Output = T>,
    change: impl Future<Output = ()>,
) -> (T, DateTime<Utc>) {
    let others = browsers(server, 8).await;
    let busy = others.iter().enumerate().map(|(number, other)| {
        other.post("/api/auth/login", credentials(&format!("nobody{number}@example.org"), "Wrong-Horse-8"))
    });
    let waiting = async {
        tokio::time::sleep(Duration::from_millis(20)).await;
        waiting.await
    };
    let changing = async {
        tokio::time::sleep(Duration::from_millis(80)).await;
        change.await;
        server.app.clock.wall()
    };
    let (_, answer, changed_at) = tokio::join!(join_all(busy), waiting, changing);
    (answer, changed_at)
}

/// An admin's act that waits for a password to be hashed ends with the admin's rights, sessions or token.
#[tokio::test(flavor = "multi_thread")]
async fn an_admin_who_is_none_any_more_makes_no_admin() {
    for end in ["demoted", "suspended", "signed out", "revoked token"] {
        let server = Server::start().await;
        let (admin, _) = server.admin().await;
        let made = admin.write("admin", "create_token", json!({ "name": "robot", "scope": "all" })).await.ok();
        let operator = server.with_token(made["token"].as_str().unwrap());
        let (rogue, user) = server.registered("rogue").await;
        let (store, id) = (&server.app.store, id_of(&user));
        store.set_admin(id, true).await.unwrap();
        server.app.accounts.sessions().invalidate(id.into());
        let token = store.operator_tokens().await.unwrap().remove(0).id;
        let wish = json!({ "email": "mole@example.org", "username": "mole", "password": PASSWORD });
        let acting = async {
            match end {
                "revoked token" => operator.write("admin", "create_admin", wish).await,
                _ => rogue.write("admin", "create_admin", wish).await,
            }
        };
        let ending = async {
            match end {
                "demoted" => {
                    store.set_admin(id, false).await.unwrap();
                }
                "suspended" => {
                    let (reason, at) = ("rogue".to_owned(), server.app.clock.wall());
                    store.suspend_user(id, Suspension { until: None, reason, at }, true).await.unwrap();
                }
                "signed out" => store.end_sessions_of(id, None).await.unwrap(),
                _ => assert!(store.revoke_operator_token(token).await.unwrap()),
            }
            server.app.accounts.sessions().invalidate(id.into());
        };
        let (answer, ended_at) = while_passwords_are_hashed(&server, acting, ending).await;
        let mole = store.user_by_username("mole").await.unwrap();
        assert_eq!(mole.is_some(), answer.status == 200, "{end}: {answer:?}");
        match mole {
            Some(mole) => assert!(mole.created_at <= ended_at, "{end}: an admin was made afterwards"),
            None => {
                assert!(matches!(answer.status.as_u16(), 401 | 403 | 409), "{end}: {answer:?}");
                let trail = store.audit_after(0, 100).await.unwrap();
                assert!(trail.iter().all(|record| record.entry.action != "create_admin"), "{end}");
            }
        }
    }
}

/// Somebody has a guest's session, as on a borrowed device, and makes an account of it just when the guest ends it.
#[tokio::test(flavor = "multi_thread")]
async fn a_guest_who_ends_the_session_is_nobodys_account() {
    let server = Server::start().await;
    server.registered("eve").await;
    for merges in [false, true] {
        let guest = server.browser().await;
        let user = guest.post("/api/auth/guest", json!({})).await.ok()["user"].clone();
        let taking = async {
            if merges {
                let mut wish = credentials("eve@example.org", PASSWORD);
                wish["keepGuestGames"] = json!(true);
                guest.post("/api/auth/login", wish).await
            } else {
                guest.post("/api/auth/register", registration("thief")).await
            }
        };
        let ending = async {
            server.app.store.end_sessions_of(id_of(&user), None).await.unwrap();
            server.app.accounts.sessions().invalidate(id_of(&user).into());
        };
        let (_, ended_at) = while_passwords_are_hashed(&server, taking, ending).await;
        // Who came first was signed out with the guest; who came late has another account, if any.
        let own = guest.get("/api/auth/check-login").await.ok()["user"].clone();
        assert_ne!(own["userId"], user["userId"], "merges: {merges}");
        let kept = server.app.store.user(id_of(&user)).await.unwrap().unwrap();
        assert!(kept.deleted_at.is_none_or(|at| at <= ended_at), "the games were moved afterwards");
    }
}

/// More sessions than are kept, and an admin whose connection breaks: once neither let a suspension through.
#[tokio::test(flavor = "multi_thread")]
async fn many_sessions_and_a_broken_connection_keep_nobody_from_being_thrown_out() {
    let server = Server::start().await;
    let (admin, _) = server.admin().await;
    let (eve, user) = server.registered("eve").await;
    let person = server.app.store.user(id_of(&user)).await.unwrap().unwrap();
    let (here, now) = ([127, 0, 0, 1].into(), server.app.clock.steady());
    let mut sessions = vec![];
    for _ in 0..120 {
        let begun = server.app.accounts.sessions().begin(&person, here, "", now).await.unwrap();
        let browser = server.fresh_browser();
        browser.set_cookie(&format!("morpion_session={}; Path=/", begun.token));
        sessions.push(browser);
    }
    let payload = json!({ "userId": user["userId"], "reason": "spam" });
    let body = json!({ "action": "suspend_user", "payload": payload });
    let request = admin.request(Method::POST, "/api/backend/admin").json(&body);
    // It is sent, and nobody waits for the answer.
    let _ = tokio::time::timeout(Duration::from_millis(20), request.send()).await;
    tokio::time::sleep(Duration::from_secs(2)).await;
    if server.app.store.user(id_of(&user)).await.unwrap().unwrap().suspension.is_none() {
        // It was broken before it was read.
        admin.write("admin", "suspend_user", payload).await.ok();
    }
    let begun = Instant::now();
    while eve.is_signed_in().await {
        assert!(begun.elapsed() < Duration::from_secs(20), "the suspension does not come through");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    for browser in sessions.iter().step_by(10) {
        browser.get("/api/auth/sessions").await.fails(401, "not-signed-in");
    }
}
