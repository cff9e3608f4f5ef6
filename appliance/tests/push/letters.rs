//! Links in letters that end them with one press.

use morpion_rules::UserId;
use reqwest::{Method, StatusCode};
use serde_json::json;
use uuid::Uuid;

use crate::{support::Server, world::Person};

/// The path of a link in a letter to this person, as the server makes it.
async fn link(server: &Server, kind: morpion_appliance::mail::LetterKind, user: &str) -> String {
    server.app.accounts.unsubscribe_link(UserId(user.parse().unwrap()), kind)
}

async fn world() -> (Server, Person) {
    let server = Server::start().await;
    let (browser, user) = server.registered("ada").await;
    let ada = Person { browser, id: user["userId"].as_str().unwrap().to_owned() };
    let wanted = json!({ "mail": { "event": true, "payment": true } });
    ada.browser.write("userprofile", "update_notification_settings", wanted).await.ok();
    (server, ada)
}

#[tokio::test(flavor = "multi_thread")]
async fn one_press_of_a_mail_program_ends_letters_of_a_kind() {
    use morpion_appliance::mail::LetterKind::{Event, Payment};
    let (server, ada) = world().await;
    let stranger = server.fresh_browser();
    for (kind, left) in
        [(Event, json!({ "event": false, "payment": true })), (Payment, json!({ "event": false, "payment": false }))]
    {
        let path = link(&server, kind, &ada.id).await;
        // As RFC 8058 has it: no cookies, no Origin, a form.
        let press = stranger.bare(Method::POST, &path).header("content-type", "application/x-www-form-urlencoded");
        let pressed = stranger.send(press.body("List-Unsubscribe=One-Click")).await;
        assert_eq!((pressed.status, pressed.set_cookies.len()), (StatusCode::OK, 0), "{}", pressed.body);
        assert!(pressed.body.as_str().unwrap().contains("<h1>Done</h1>"));
        assert_eq!(ada.settings().await["mail"], left);
        // Again is no error.
        assert_eq!(stranger.send(stranger.bare(Method::POST, &path)).await.status, StatusCode::OK);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn following_the_link_changes_nothing_and_shows_a_button() {
    let (server, ada) = world().await;
    let path = link(&server, morpion_appliance::mail::LetterKind::Event, &ada.id).await;
    let scanner = server.fresh_browser();
    for method in [Method::GET, Method::HEAD, Method::GET] {
        assert_eq!(scanner.send(scanner.bare(method, &path)).await.status, StatusCode::OK);
    }
    let page = scanner.get(&path).await.body;
    let page = page.as_str().unwrap();
    assert!(page.contains(&format!("<form method=\"post\" action=\"{path}\">")) && page.contains("<button>"), "{page}");
    assert!(!page.contains("<script") && page.contains("noindex"));
    assert_eq!(ada.settings().await["mail"]["event"], true);
    let put = scanner.bare(Method::PUT, &path).send().await.unwrap();
    assert_eq!(
        (put.status(), put.headers()["allow"].to_str().unwrap()),
        (StatusCode::METHOD_NOT_ALLOWED, "GET, HEAD, POST")
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn hostile_tokens_are_refused_and_echo_nothing() {
    let (server, ada) = world().await;
    let path = link(&server, morpion_appliance::mail::LetterKind::Event, &ada.id).await;
    let (prefix, token) = path.split_once("token=").unwrap();
    let other = Server::start().await;
    let foreign = link(&other, morpion_appliance::mail::LetterKind::Event, &ada.id).await;
    let mut changed = token.to_owned();
    changed.replace_range(5..6, if &changed[5..6] == "A" { "B" } else { "A" });
    let stranger = server.fresh_browser();
    for hostile in [
        "",
        "x",
        "..%2f..%2f",
        "%22%3E%3Cscript%3Ealert(1)%3C/script%3E",
        "%00",
        &token[1..],
        &changed,
        foreign.split_once("token=").unwrap().1,
        &"A".repeat(4_000),
    ] {
        for method in [Method::GET, Method::POST] {
            let answer = stranger.send(stranger.bare(method, &format!("{prefix}token={hostile}"))).await;
            assert_eq!(answer.status, StatusCode::NOT_FOUND, "{hostile}");
            assert!(!answer.body.as_str().unwrap().contains("alert("));
        }
    }
    stranger.send(stranger.bare(Method::POST, "/api/unsubscribe")).await;
    assert_eq!(ada.settings().await["mail"], json!({ "event": true, "payment": true }));
    // Of somebody who is gone.
    let nobody = link(&server, morpion_appliance::mail::LetterKind::Event, &Uuid::new_v4().to_string()).await;
    assert_eq!(stranger.send(stranger.bare(Method::POST, &nobody)).await.status, StatusCode::OK);
}
