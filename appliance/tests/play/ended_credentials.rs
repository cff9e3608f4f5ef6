//! Sockets of sessions and tokens that end: on every way within 5 seconds, and nothing is sent to them afterwards.

use std::time::Duration;

use morpion_appliance::clock::Clock;
use serde_json::{Value, json};
use tokio::time::{Instant, timeout};
use totp_rs::{Builder, Secret};

use crate::{
    games::{Person, started},
    socket::Socket,
    support::{Browser, PASSWORD, Server, credentials},
};

const SIGNED_OUT: u16 = 4001;
const RIGHTS_CHANGED: u16 = 4002;

const DAY: i64 = 86_400_000;

/// The server closes the socket within 5 seconds, as signed out.
async fn is_closed(socket: &mut Socket) {
    let closed = timeout(Duration::from_secs(5), socket.close_code()).await;
    assert_eq!(closed.expect("still open after 5 s"), SIGNED_OUT);
}

async fn is_open(socket: &mut Socket) {
    assert_eq!(socket.ask("authenticate", json!({})).await["succeeded"], true);
}

/// Sets up an authenticator app.
async fn add_factor(browser: &Browser) {
    let begun = browser.post("/api/auth/second-factor/totp/begin", json!({})).await.ok();
    let secret = Secret::try_from_base32(begun["secret"].as_str().unwrap()).unwrap();
    let code = Builder::new().with_secret(secret).build().unwrap().generate_current().to_string();
    browser.post("/api/auth/second-factor/totp/confirm", json!({ "code": code })).await.ok();
}

async fn token(admin: &Browser, name: &str, days: u32) -> Value {
    let wanted = json!({ "name": name, "scope": "read", "expiresInDays": days });
    admin.write("admin", "create_token", wanted).await.ok()
}

async fn follower(server: &Server, token: &Value) -> Socket {
    let mut socket = Socket::with_token(server.address, token["token"].as_str().unwrap()).await;
    assert_eq!(socket.ask("subscribeLogs", json!({})).await["succeeded"], true);
    assert_eq!(socket.ask("subscribeLiveGames", json!({})).await["succeeded"], true);
    socket
}

#[tokio::test(flavor = "multi_thread")]
async fn a_revoked_token_receives_nothing_more() {
    let server = Server::start().await;
    let (admin, _) = server.admin().await;
    let (lost, kept) = (token(&admin, "lost", 1).await, token(&admin, "kept", 1).await);
    let (mut closed, mut open) = (follower(&server, &lost).await, follower(&server, &kept).await);
    admin.write("admin", "revoke_token", json!({ "tokenId": lost["tokenId"] })).await.ok();
    let revoked = Instant::now();
    let (mut ada, _bob, game) = started(&server, 3).await;
    let text = format!("after the revocation, game {game}");
    let record = json!({ "level": "error", "message": text, "platform": "web" });
    ada.browser.post("/api/backend/v1/log/data", record).await.ok();
    assert_eq!(ada.plays(&game, 0, 0).await["succeeded"], true);

    let mut seen = vec![];
    while let Some(frame) = timeout(Duration::from_secs(5), closed.heard()).await.expect("still open after 5 s") {
        seen.push(frame.to_string());
    }
    assert!(revoked.elapsed() < Duration::from_secs(5), "{:?}", revoked.elapsed());
    assert!(!seen.iter().any(|frame| frame.contains(&game)), "{seen:?}");
    is_open(&mut open).await;
    let mut is_told = false;
    for _ in 0..100 {
        is_told |= open.drained().await.iter().any(|frame| frame.to_string().contains(&game));
        if is_told {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert!(is_told, "the other token goes on");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_expired_token_closes_its_sockets() {
    let clock = Clock::default();
    let server = Server::with_clock(clock.clone(), |_| {}).await;
    let (admin, _) = server.admin().await;
    let (short, long) = (token(&admin, "short", 1).await, token(&admin, "long", 2).await);
    let (mut closed, mut open) = (follower(&server, &short).await, follower(&server, &long).await);
    clock.advance_calendar(DAY);
    is_closed(&mut closed).await;
    is_open(&mut open).await;
    clock.advance_calendar(DAY);
    is_closed(&mut open).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_that_expires_closes_its_sockets() {
    let clock = Clock::default();
    let server = Server::with_clock(clock.clone(), |_| {}).await;
    let mut idle = Person::new(&server, "ada").await;
    let mut used = Person::new(&server, "bob").await;
    clock.advance(20 * DAY);
    assert!(used.browser.is_signed_in().await);
    clock.advance(10 * DAY);
    is_closed(&mut idle.socket).await;
    // Its socket goes on with the session that was used.
    tokio::time::sleep(Duration::from_secs(2)).await;
    is_open(&mut used.socket).await;
    assert!(used.browser.is_signed_in().await);
    for _ in 0..2 {
        clock.advance(20 * DAY);
        assert!(used.browser.is_signed_in().await);
    }
    let mut socket = Socket::open(&server, &used.browser).await;
    clock.advance(20 * DAY);
    is_closed(&mut socket).await;
    assert!(!used.browser.is_signed_in().await, "90 days, however much it was used");
}

#[tokio::test(flavor = "multi_thread")]
async fn sessions_that_are_ended_close_their_sockets_on_every_way() {
    let server = Server::start().await;
    let (admin, _) = server.admin().await;
    let (here, user) = server.registered("ada").await;
    let mut watching = Socket::open(&server, &here).await;
    let elsewhere = || async {
        let browser = server.browser().await;
        browser.post("/api/auth/login", credentials("ada@example.org", PASSWORD)).await.ok();
        let socket = Socket::open(&server, &browser).await;
        let list = browser.get("/api/auth/sessions").await.ok();
        let sessions = list["sessions"].as_array().unwrap();
        let own = sessions.iter().find(|session| session["isCurrent"] == true).unwrap();
        (browser, socket, own["sessionId"].clone())
    };

    let (browser, mut socket, _) = elsewhere().await;
    browser.post("/api/auth/logout", json!({})).await.ok();
    is_closed(&mut socket).await;

    let (_browser, mut socket, id) = elsewhere().await;
    here.post("/api/auth/sessions/revoke", json!({ "sessionId": id })).await.ok();
    is_closed(&mut socket).await;

    let (_browser, mut socket, id) = elsewhere().await;
    let named = json!({ "userId": user["userId"], "sessionId": id });
    admin.write("admin", "revoke_session", named).await.ok();
    is_closed(&mut socket).await;

    let (_one, mut first, _) = elsewhere().await;
    let (_other, mut second, _) = elsewhere().await;
    let answer = here.post("/api/auth/sessions/revoke-all", json!({ "includeCurrent": false })).await.ok();
    assert_eq!(answer["revoked"], 2);
    is_closed(&mut first).await;
    is_closed(&mut second).await;
    is_open(&mut watching).await;

    let answer = here.post("/api/auth/sessions/revoke-all", json!({ "includeCurrent": true })).await.ok();
    assert_eq!(answer["revoked"], 1);
    is_closed(&mut watching).await;
    assert!(!here.is_signed_in().await);

    let (browser, mut socket, _) = elsewhere().await;
    browser.post("/api/backend/delete/account", json!({ "password": PASSWORD })).await.ok();
    is_closed(&mut socket).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_factor_closes_the_sockets_whose_rights_it_changes_and_no_page() {
    let server = Server::start().await;
    let (first, _) = server.admin().await;
    let (second, user) = server.registered("second").await;
    first.write("admin", "set_admin", json!({ "userId": user["userId"], "isAdmin": true })).await.ok();
    let mut own = Socket::open(&server, &first).await;
    let mut other = Socket::open(&server, &second).await;
    let follows = async |socket: &mut Socket| socket.ask("subscribeLiveGames", json!({})).await["succeeded"] == true;
    assert!(follows(&mut other).await);

    add_factor(&first).await;
    assert_eq!(other.close_code().await, RIGHTS_CHANGED, "needs one from now on");
    let mut other = Socket::open(&server, &second).await;
    assert!(!follows(&mut other).await);
    assert!(follows(&mut own).await, "may do what it could do before");

    add_factor(&second).await;
    while let Some(frame) = timeout(Duration::from_secs(5), other.heard()).await.expect("still open after 5 s") {
        assert_ne!(frame["event"], "check-everone-login-activity", "the page would lose its recovery codes");
    }
    let mut other = Socket::open(&server, &second).await;
    assert!(follows(&mut other).await);

    second.post("/api/auth/second-factor/totp/remove", json!({})).await.ok();
    assert_eq!(other.close_code().await, RIGHTS_CHANGED);
    assert!(follows(&mut own).await);
}
