//! Personal tokens: what each scope reaches, who may make them, and that nothing else identifies their caller.

use std::collections::BTreeMap;

use chrono::{TimeDelta, Utc};
use morpion_appliance::clock::Clock;
use morpion_openapi::programs::ProgramScope;
use reqwest::{Client, Method};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::{
    changes::mails_to,
    recovery,
    support::{Browser, Operator, Outcome, PASSWORD, Server},
};

const SCOPES: [&str; 3] = ["read", "play", "event"];

const MINUTE: i64 = 60_000;
const DAY: i64 = 86_400_000;

async fn create(browser: &Browser, scopes: &[&str]) -> Value {
    let wish = json!({ "name": scopes.join(" and "), "scopes": scopes });
    browser.post("/api/auth/tokens", wish).await.ok()
}

/// A program with a new token of this person.
async fn program(server: &Server, browser: &Browser, scopes: &[&str]) -> Operator {
    server.with_token(create(browser, scopes).await["token"].as_str().unwrap())
}

async fn who(program: &Operator) -> Outcome {
    program.read("userprofile", "get_user_by_id", json!({})).await
}

async fn document(server: &Server) -> Value {
    let address = format!("http://{}/api/openapi.json", server.address);
    reqwest::get(address).await.unwrap().json().await.unwrap()
}

/// The table of the documentation: the scope of each action, by resource and name, and of each path.
fn documented() -> BTreeMap<(String, String), &'static str> {
    let text = include_str!("../../../docs/behaviour/programs.md");
    let mut table = BTreeMap::new();
    for line in text.lines() {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let [_, scope, place, names, _] = cells[..] else { continue };
        let Some(scope) = SCOPES.into_iter().find(|known| scope == format!("`{known}`")) else { continue };
        for name in names.split(',') {
            let named = |text: &str| text.trim().trim_matches('`').to_owned();
            assert_eq!(table.insert((named(place), named(name)), scope), None, "{name} is there twice");
        }
    }
    table
}

/// The roles that the contract names with an operation for personal tokens.
fn roles(operation: &Value) -> Option<Vec<&str>> {
    let listed = operation["security"].as_array()?.iter().find_map(|each| each["personalToken"].as_array())?;
    Some(listed.iter().map(|role| role.as_str().unwrap()).collect())
}

/// A game that waits for anybody.
fn invite(user: &Value) -> Value {
    json!({ "players": [{ "userId": user["userId"] }], "gameType": "invite", "boardSize": 3 })
}

fn is_refused(outcome: &Outcome) -> bool {
    outcome.body["errorCode"] == "scope"
}

#[tokio::test(flavor = "multi_thread")]
async fn every_operation_is_reached_by_the_scopes_of_the_table_only() {
    let server = Server::with(|config| config.limits.program_calls_per_minute = 100_000.try_into().unwrap()).await;
    // An admin's token is a player's.
    let (admin, _) = server.admin().await;
    let mut programs = BTreeMap::new();
    for scope in SCOPES {
        let others: Vec<_> = SCOPES.into_iter().filter(|other| *other != scope).collect();
        let (alone, without) = (program(&server, &admin, &[scope]).await, program(&server, &admin, &others).await);
        programs.insert(scope, (alone, without));
    }
    let with_all = program(&server, &admin, &SCOPES).await;
    let (mut table, document) = (documented(), document(&server).await);
    let mut used = vec![];
    let mut seen = 0;
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            let (get, own) = (method == "get", operation["x-action"].as_str());
            let resource = path.strip_prefix("/api/backend/").and_then(|path| path.split('/').next()).unwrap_or("");
            let actions: Vec<&str> = match operation["x-actions"].as_array() {
                Some(actions) => actions.iter().map(|action| action["action"].as_str().unwrap()).collect(),
                None => vec![own.unwrap_or_default()],
            };
            let is_resource = operation.get("x-actions").is_some();
            let mut reached = false;
            for action in actions {
                let key = match action {
                    "" => ("paths".to_owned(), path.clone()),
                    action => (resource.to_owned(), action.to_owned()),
                };
                let needed = table.get(&key).copied().filter(|_| get || key.0 != "paths");
                used.extend(needed.map(|_| key));
                reached |= needed.is_some();
                if !is_resource {
                    let expected = needed.map(|scope| vec![scope]);
                    assert_eq!(roles(operation), expected, "{method} {path} in the contract");
                }
                let address = path.replace("{user_id}", &Uuid::nil().to_string()).replace("{size}", "64");
                let address = address.replace("{event_id}", &Uuid::nil().to_string());
                let call = async |program: &Operator| match (is_resource, get) {
                    (true, true) => program.read(resource, action, json!({})).await,
                    (true, false) => program.write(resource, action, json!({})).await,
                    (false, true) => program.get(&address).await,
                    (false, false) => program.post(&address, json!({})).await,
                };
                let what = format!("{method} {path} {action}");
                let refused = match needed.map(|scope| (scope, &programs[scope])) {
                    None => call(&with_all).await,
                    Some((_, (alone, without))) => {
                        let allowed = call(alone).await;
                        assert!(!is_refused(&allowed), "{what}: {}", allowed.body);
                        call(without).await
                    }
                };
                assert!(is_refused(&refused), "{what}: {}", refused.body);
                let message = refused.fails(403, "scope")["errorMessage"].to_string();
                assert!(needed.is_none_or(|scope| message.contains(&format!("'{scope}'"))), "{message}");
                seen += 1;
            }
            if is_resource {
                assert_eq!(roles(operation), reached.then(Vec::new), "{method} {path} in the contract");
            }
        }
    }
    assert!(seen > 300, "{seen}");
    table.retain(|key, _| !used.contains(key));
    assert!(table.is_empty(), "not in the contract: {table:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn odd_spellings_of_a_path_lead_a_token_nowhere() {
    let server = Server::start().await;
    let (ada, _) = server.registered("ada").await;
    let program = program(&server, &ada, &SCOPES).await;
    for path in [
        "/api/auth/sessions/",
        "/api/auth//sessions",
        "/api/auth/%73essions",
        "/api//auth/sessions",
        "/api/auth/check-login?x=/api/backend/site",
        "/api/backend/account/export/",
        "/api/backend/game/../../auth/sessions",
        "/api/backend/subscription?action=get_subscription&payload={}",
        "/api/backend/subscription/get_subscription/",
    ] {
        let outcome = program.get(path).await;
        assert!(matches!(outcome.status.as_u16(), 403 | 404), "{path}: {} {}", outcome.status, outcome.body);
    }
    // A change by GET needs the scope of the change.
    let reader = self::program(&server, &ada, &["read"]).await;
    let path = format!("/api/backend/event?action=delete_event&payload={{\"eventId\":\"{}\"}}", Uuid::nil());
    reader.get(&path).await.fails(403, "scope");
    program.get(&path).await.fails(403, "forbidden");
}

#[tokio::test(flavor = "multi_thread")]
async fn no_read_shows_a_token_an_email() {
    let server = Server::start().await;
    let (admin, user) = server.admin().await;
    server.verify_email(&user).await;
    let (bob, other) = server.registered("bob").await;
    let starts = Utc::now() + TimeDelta::days(3);
    let details = json!({
        "title": "Winter cup",
        "description": "Five rounds, on small boards and on large ones.",
        "startTime": starts,
        "endTime": starts + TimeDelta::hours(2),
    });
    let event = admin.write("event", "create_event", details).await.ok()["event"]["eventId"].clone();
    admin.write("event", "update_event", json!({ "eventId": event, "eventState": "published" })).await.ok();
    for (browser, user) in [(&admin, &user), (&bob, &other)] {
        let wish = json!({ "userId": user["userId"], "eventId": event });
        browser.write("eventSignUp", "sign_up", wish).await.ok();
    }
    let game = admin.write("game", "create_game", invite(&user)).await.ok()["game"]["gameId"].clone();

    let program = program(&server, &admin, &SCOPES).await;
    let example = |text: &str, id: &Value| {
        let known = [
            ("5f0c9a52-7d1e-4c3b-9a51-2f6d0c8e4b17", &game),
            ("c2a4e0d8-91b6-4f5e-8a37-60d9b1f3e5a2", &event),
            ("3b9d7e41-2c85-4a60-b1f7-d84e6c05a923", id),
            ("Ada", &json!("bob")),
            ("text", &json!("bob")),
        ];
        known.iter().fold(text.to_owned(), |text, (from, to)| text.replace(from, to.as_str().unwrap()))
    };
    let (mut succeeded, mut failed) = (vec![], vec![]);
    for (path, methods) in document(&server).await["paths"].as_object().unwrap() {
        let operation = &methods["get"];
        if roles(operation).is_none() || operation.get("x-actions").is_some() {
            continue;
        }
        for id in [&user["userId"], &other["userId"]] {
            let payload = operation["parameters"][0]["example"].as_str().map(|text| example(text, id));
            let address =
                path.replace("{event_id}", event.as_str().unwrap()).replace("{user_id}", id.as_str().unwrap());
            let mut request = program.request(Method::GET, &address.replace("{size}", "64"));
            if operation.get("x-action").is_some() {
                request = request.query(&[("payload", payload.unwrap_or("{}".to_owned()))]);
            } else if path.ends_with("/search") {
                request = request.query(&[("username", "bo")]);
            }
            let response = request.send().await.unwrap();
            let status = response.status().as_u16();
            let text = response.text().await.unwrap();
            assert!(!text.contains("example.org") && !text.contains("\"email"), "{path}: {text}");
            if status == 200 { &mut succeeded } else { &mut failed }.push(format!("{path} {status} {text}"));
        }
    }
    assert!(succeeded.len() > 40, "{failed:#?}");
    // Nor do acts that answer what an admin would see more of.
    let wish = json!({ "userId": user["userId"], "eventId": event });
    program.write("eventSignUp", "remove_signup", wish.clone()).await.ok();
    let answer = program.write("eventSignUp", "sign_up", wish).await.ok();
    assert!(!answer.to_string().contains("email"), "{answer}");
    let own = who(&program).await.ok();
    assert_eq!(own["user"]["username"], "the_admin");
    assert!(own["user"].get("hasPassword").is_none() && own["user"].get("isAdmin").is_none(), "{own}");
    // Drafts are an admin's, and so are the events of others.
    let change = json!({ "eventId": event, "title": "Mine" });
    program.write("event", "update_event", change).await.fails(403, "forbidden");
    program.read("event", "verify_event", json!({ "eventId": event })).await.fails(403, "forbidden");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bearer_never_falls_back_to_a_cookie_and_needs_nothing_else() {
    let server = Server::start().await;
    let (ada, _) = server.registered("ada").await;
    let (bob, user) = server.registered("bob").await;
    let made = create(&bob, &["read", "play"]).await;
    let token = made["token"].as_str().unwrap();
    let ask = async |authorization: &str| {
        let request = ada.bare(Method::GET, "/api/backend/userprofile/get_user_by_id");
        ada.send(request.header("authorization", authorization)).await
    };
    assert_eq!(ask(&format!("Bearer {token}")).await.ok()["user"]["userId"], user["userId"], "not the cookie's ada");
    assert_eq!(ask(&format!("bearer   {token} ")).await.ok()["user"]["userId"], user["userId"]);
    for wrong in [format!("{token}x"), token[..token.len() - 1].to_owned(), format!("morpion_pat_{}", "a".repeat(43))] {
        ask(&format!("Bearer {wrong}")).await.fails(401, "bad-token");
    }
    for wrong in ["Bearer", "Bearer ", "Bearer x", "bearer morpion_"] {
        ask(wrong).await.fails(401, "bad-operator-token");
    }
    let twice = ada.bare(Method::GET, "/api/backend/userprofile/get_user_by_id");
    let twice = twice.header("authorization", format!("Bearer {token}")).header("authorization", "Bearer x");
    ada.send(twice).await.fails(401, "bad-operator-token");
    assert!(ada.is_signed_in().await, "the session is untouched");

    // A page of another site has no token; a program with one needs neither origin nor CSRF token, and no page may read.
    let request = ada.bare(Method::POST, "/api/backend/game/create_game").json(&invite(&user));
    let request =
        request.bearer_auth(token).header("origin", "https://evil.example").header("sec-fetch-site", "cross-site");
    let response = request.send().await.unwrap();
    assert_eq!(response.status(), 200);
    for name in ["access-control-allow-origin", "set-cookie"] {
        assert!(response.headers().get(name).is_none(), "{name}");
    }
    let answer: Value = response.json().await.unwrap();
    assert!(answer.to_string().contains(user["userId"].as_str().unwrap()), "{answer}");
    let preflight = Client::new().request(Method::OPTIONS, format!("http://{}/api/backend/game", server.address));
    let preflight = preflight.header("origin", "https://evil.example").send().await.unwrap();
    assert!(preflight.headers().get("access-control-allow-origin").is_none());
}

#[tokio::test(flavor = "multi_thread")]
async fn members_make_tokens_after_a_proof_see_their_use_and_are_told() {
    let clock = Clock::default();
    let folder = tempfile::TempDir::new().unwrap();
    let path = folder.path().to_owned();
    let server = Server::with_clock(clock.clone(), |config| config.data_dir = path).await;
    let (ada, user) = server.registered("ada").await;
    server.verify_email(&user).await;
    let wish = json!({ "name": " My bot ", "scopes": ["play", "read", "play"] });
    let made = ada.post("/api/auth/tokens", wish.clone()).await.ok();
    let token = made["token"].as_str().unwrap();
    assert!(token.starts_with("morpion_pat_") && token.len() == 12 + 43, "{token}");
    let listed = |list: &Value| list["tokens"].as_array().unwrap().clone();
    let list = ada.get("/api/auth/tokens").await.ok();
    assert_eq!((&list["most"], listed(&list)), (&json!(20), vec![made["personalToken"].clone()]));
    assert!(!list.to_string().contains(token), "shown once");
    let first = &listed(&list)[0];
    assert_eq!((&first["name"], &first["scopes"]), (&json!("My bot"), &json!(["read", "play"])));
    assert!(first.get("lastUsedAt").is_none(), "{first}");
    let time = |field: &Value| field.as_str().unwrap().parse::<chrono::DateTime<Utc>>().unwrap();
    assert_eq!(time(&first["expiresAt"]) - time(&first["createdAt"]), TimeDelta::days(90));
    let letter = mails_to(&folder, "ada@example.org", "A program may use your Morpion account", 1).await.remove(0);
    assert!(letter.contains("'My bot'") && letter.contains("read games, players and events, play games"), "{letter}");
    assert!(!letter.contains(token), "{letter}");

    let program = server.with_token(token);
    who(&program).await.ok();
    let used = listed(&ada.get("/api/auth/tokens").await.ok())[0]["lastUsedAt"].clone();
    assert!(used.is_string());
    clock.advance(59_000);
    who(&program).await.ok();
    assert_eq!(listed(&ada.get("/api/auth/tokens").await.ok())[0]["lastUsedAt"], used, "once a minute");

    // The export has what the list has.
    let export = ada.get("/api/backend/account/export").await.body;
    assert_eq!(export["personalTokens"], ada.get("/api/auth/tokens").await.ok()["tokens"]);
    let hash = morpion_appliance::account::token::hash(token);
    assert!(!export.to_string().contains(token) && !export.to_string().contains(&hash));

    for (field, value) in [
        ("name", json!("")),
        ("name", json!("\u{200b}")),
        ("name", json!("x".repeat(41))),
        ("scopes", json!([])),
        ("expiresInDays", json!(0)),
        ("expiresInDays", json!(366)),
    ] {
        let mut wrong = wish.clone();
        wrong[field] = value;
        let refused = ada.post("/api/auth/tokens", wrong).await.fails(422, "invalid");
        assert!(refused["fieldErrors"][field].is_string(), "{refused}");
    }
    for scope in ["admin", "all", "Read", ""] {
        let wrong = json!({ "name": "bot", "scopes": [scope] });
        ada.post("/api/auth/tokens", wrong).await.fails(400, "malformed");
    }

    // A proof is good for 10 minutes; deleting needs none.
    clock.advance(10 * MINUTE);
    ada.post("/api/auth/tokens", wish.clone()).await.fails(403, "proof-required");
    ada.post("/api/auth/proof", json!({ "password": PASSWORD })).await.ok();
    ada.post("/api/auth/tokens", wish.clone()).await.ok();
    clock.advance(10 * MINUTE);

    let (bob, _) = server.registered("bob").await;
    let named = json!({ "tokenId": first["tokenId"] });
    bob.post("/api/auth/tokens/delete", named.clone()).await.fails(404, "not-found");
    ada.post("/api/auth/tokens/delete", json!({ "tokenId": "x" })).await.fails(404, "not-found");
    who(&program).await.ok();
    ada.post("/api/auth/tokens/delete", named.clone()).await.ok();
    who(&program).await.fails(401, "bad-token");
    ada.post("/api/auth/tokens/delete", named).await.fails(404, "not-found");

    let guest = server.browser().await;
    guest.post("/api/auth/guest", json!({})).await.ok();
    guest.post("/api/auth/tokens", wish.clone()).await.fails(403, "guest");
    guest.get("/api/auth/tokens").await.fails(403, "guest");
    server.browser().await.post("/api/auth/tokens", wish).await.fails(401, "not-signed-in");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_has_20_tokens_however_many_are_asked_for_at_once() {
    let server = Server::start().await;
    let (ada, _) = server.registered("ada").await;
    let wish = |number: usize| json!({ "name": format!("bot {number}"), "scopes": ["read"], "expiresInDays": 1 });
    let tries = (0..24).map(|number| ada.post("/api/auth/tokens", wish(number)));
    let tries = futures_util::future::join_all(tries).await;
    assert_eq!(tries.iter().filter(|outcome| outcome.status == 200).count(), 20);
    let refused = ada.post("/api/auth/tokens", wish(24)).await.fails(409, "too-many-tokens");
    assert_eq!(refused["errorMessage"], "There are 20 tokens already. Please delete one first.");
    let first = ada.get("/api/auth/tokens").await.ok()["tokens"][0]["tokenId"].clone();
    ada.post("/api/auth/tokens/delete", json!({ "tokenId": first })).await.ok();
    ada.post("/api/auth/tokens", wish(25)).await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_ends_at_its_time() {
    let clock = Clock::default();
    let server = Server::with_clock(clock.clone(), |_| {}).await;
    let (ada, _) = server.registered("ada").await;
    let wish = json!({ "name": "bot", "scopes": ["read"], "expiresInDays": 2 });
    let program = server.with_token(ada.post("/api/auth/tokens", wish).await.ok()["token"].as_str().unwrap());
    clock.advance(2 * DAY - MINUTE);
    who(&program).await.ok();
    clock.advance(MINUTE);
    who(&program).await.fails(401, "bad-token");
    assert_eq!(ada.get("/api/auth/tokens").await.ok()["tokens"], json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn whatever_ends_the_sessions_of_an_account_ends_its_tokens() {
    let (server, folder) = recovery::server().await;
    let (admin, _) = server.admin().await;
    for change in ["password", "everywhere", "everywhere else", "suspension", "recovery", "deletion"] {
        let name = change.replace(' ', "_");
        let (ada, user) = server.registered(&name).await;
        let program = program(&server, &ada, &["read"]).await;
        who(&program).await.ok();
        match change {
            "password" => {
                let wish = json!({ "currentPassword": PASSWORD, "newPassword": recovery::NEW_PASSWORD });
                ada.post("/api/auth/password", wish).await.ok();
            }
            "everywhere" | "everywhere else" => {
                let wish = json!({ "includeCurrent": change == "everywhere" });
                ada.post("/api/auth/sessions/revoke-all", wish).await.ok();
            }
            "suspension" => {
                let wish = json!({ "userId": user["userId"], "reason": "test" });
                admin.write("admin", "suspend_user", wish).await.ok();
            }
            "recovery" => {
                let email = user["email"].as_str().unwrap();
                server.verify_email(&user).await;
                let elsewhere = server.browser().await;
                elsewhere.post("/api/auth/api/v1/requestverificationcode", json!({ "email": email })).await.ok();
                let code = recovery::code(&folder, 1).await;
                let wish = json!({ "email": email, "code": code });
                elsewhere.post("/api/auth/api/v1/validate-verification-code", wish).await.ok();
                let wish = json!({ "email": email, "newPassword": recovery::NEW_PASSWORD });
                elsewhere.post("/api/auth/api/v1/update-password", wish).await.ok();
            }
            _ => drop(ada.post("/api/backend/delete/account", json!({ "password": PASSWORD })).await.ok()),
        }
        who(&program).await.fails(401, "bad-token");
        let id = user["userId"].as_str().unwrap().parse().unwrap();
        let left = server.app.store.personal_tokens_of(id, server.app.clock.steady()).await.unwrap();
        assert!(left.is_empty(), "{change}: {left:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn all_programs_of_an_account_share_its_calls() {
    let server = Server::with(|config| config.limits.program_calls_per_minute = 5.try_into().unwrap()).await;
    let (ada, _) = server.registered("ada").await;
    let (bob, _) = server.registered("bob").await;
    let (one, other) = (program(&server, &ada, &["read"]).await, program(&server, &ada, &["play"]).await);
    for _ in 0..3 {
        who(&one).await.ok();
    }
    for _ in 0..2 {
        who(&other).await.fails(403, "scope");
    }
    let refused = who(&one).await;
    assert!((1..=60).contains(&refused.retry_after.unwrap()), "{:?}", refused.retry_after);
    refused.fails(429, "too-many-requests");
    assert!(ada.is_signed_in().await, "the owner's pages go on");
    who(&program(&server, &bob, &["read"]).await).await.ok();
}

#[test]
fn the_words_of_scopes_are_those_of_the_documents() {
    assert_eq!(ProgramScope::ALL.iter().map(|scope| scope.as_str()).collect::<Vec<_>>(), SCOPES);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_admin_sees_a_members_tokens_without_secrets_and_deletes_them() {
    let server = Server::start().await;
    let (admin, _) = server.admin().await;
    let (bob, other) = server.registered("bob").await;
    let made = [create(&bob, &["read"]).await, create(&bob, &["read", "play"]).await];
    let programs = [0, 1].map(|at: usize| server.with_token(made[at]["token"].as_str().unwrap()));
    let of_bob = json!({ "userId": other["userId"] });

    let listed = admin.read("admin", "list_personal_tokens", of_bob.clone()).await.ok();
    assert_eq!(listed["tokens"], bob.get("/api/auth/tokens").await.ok()["tokens"], "what the owner sees");
    for token in &made {
        let text = token["token"].as_str().unwrap();
        let hash = morpion_appliance::account::token::hash(text);
        assert!(!listed.to_string().contains(text) && !listed.to_string().contains(&hash));
    }
    for person in [&bob, &server.browser().await] {
        let status = person.read("admin", "list_personal_tokens", of_bob.clone()).await.status;
        assert!([401, 403].contains(&status.as_u16()), "{status}");
    }
    programs[1].read("admin", "list_personal_tokens", of_bob.clone()).await.fails(403, "scope");

    let first = made[0]["personalToken"]["tokenId"].clone();
    let one = json!({ "userId": other["userId"], "tokenId": first });
    bob.write("admin", "delete_personal_tokens", one.clone()).await.fails(403, "forbidden");
    let deleted = admin.write("admin", "delete_personal_tokens", one.clone()).await.ok();
    assert_eq!(deleted["deleted"], 1);
    who(&programs[0]).await.fails(401, "bad-token");
    who(&programs[1]).await.ok();
    admin.write("admin", "delete_personal_tokens", one).await.fails(404, "not-found");
    let odd = json!({ "userId": other["userId"], "tokenId": "x" });
    admin.write("admin", "delete_personal_tokens", odd).await.fails(404, "not-found");
    let nobody = json!({ "userId": Uuid::new_v4() });
    admin.write("admin", "delete_personal_tokens", nobody.clone()).await.fails(404, "not-found");
    admin.read("admin", "list_personal_tokens", nobody).await.fails(404, "not-found");
    for left in [1, 0] {
        let deleted = admin.write("admin", "delete_personal_tokens", of_bob.clone()).await.ok();
        assert_eq!(deleted["deleted"], left);
    }
    who(&programs[1]).await.fails(401, "bad-token");
    let listed = admin.read("admin", "list_personal_tokens", of_bob).await.ok();
    assert_eq!(listed["tokens"], json!([]));

    let trail = admin.read("admin", "list_audit", json!({ "limit": 100 })).await.ok();
    let count =
        |action: &str| trail["entries"].as_array().unwrap().iter().filter(|entry| entry["action"] == action).count();
    assert_eq!(
        (count("delete_personal_tokens"), count("read_personal_tokens")),
        (2, 1),
        "an act that did nothing is none"
    );
}
