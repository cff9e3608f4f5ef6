//! Operator tokens: what each scope allows, names, ends.

use std::collections::BTreeMap;

use morpion_appliance::clock::Clock;
use morpion_store::NewOperatorToken;
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{Browser, Operator, Server};

const SCOPES: [&str; 4] = ["read", "events", "accounts", "all"];

const DAY: i64 = 86_400_000;

async fn create(admin: &Browser, name: &str, scope: &str) -> Value {
    admin.write("admin", "create_token", json!({ "name": name, "scope": scope })).await.ok()
}

async fn operators(server: &Server) -> Vec<(&'static str, Operator)> {
    let (admin, _) = server.admin().await;
    let mut operators = vec![];
    for scope in SCOPES {
        let token = create(&admin, scope, scope).await;
        operators.push((scope, server.with_token(token["token"].as_str().unwrap())));
    }
    operators
}

/// The table of the documentation: the scope of every write, by resource and action.
fn documented() -> BTreeMap<(String, String), &'static str> {
    let text = include_str!("../../../docs/behaviour/accounts.md");
    let mut table = BTreeMap::new();
    for line in text.lines() {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let [_, scope, resource, actions, _] = cells[..] else { continue };
        let Some(scope) = SCOPES.into_iter().find(|known| scope == format!("`{known}`")) else { continue };
        for action in actions.split(',') {
            let named = |text: &str| text.trim().trim_matches('`').to_owned();
            assert_eq!(table.insert((named(resource), named(action)), scope), None, "{action} is there twice");
        }
    }
    table
}

async fn document(server: &Server) -> Value {
    let address = format!("http://{}/api/openapi.json", server.address);
    reqwest::get(address).await.unwrap().json().await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn every_action_is_allowed_to_the_scopes_of_the_table_only() {
    let server = Server::start().await;
    let operators = operators(&server).await;
    let (table, document) = (documented(), document(&server).await);
    let mut seen = 0;
    for (path, methods) in document["paths"].as_object().unwrap() {
        let Some(resource) = path.strip_prefix("/api/backend/") else { continue };
        for (method, operation) in methods.as_object().unwrap() {
            let Some(actions) = operation["x-actions"].as_array() else { continue };
            for action in actions.iter().map(|action| action["action"].as_str().unwrap()) {
                let needed = match method.as_str() {
                    "get" => table.get(&(resource.to_owned(), action.to_owned())).copied().unwrap_or("read"),
                    _ => table[&(resource.to_owned(), action.to_owned())],
                };
                for (scope, operator) in &operators {
                    let outcome = match method.as_str() {
                        "get" => operator.read(resource, action, json!({})).await,
                        _ => operator.write(resource, action, json!({})).await,
                    };
                    let is_refused = outcome.body["errorCode"] == "scope";
                    let is_allowed = needed == "read" || *scope == "all" || *scope == needed;
                    assert_eq!(is_refused, !is_allowed, "{resource} {action} with {scope}: {}", outcome.body);
                    if is_refused {
                        let message = outcome.fails(403, "scope")["errorMessage"].to_string();
                        assert!(message.contains(&format!("'{needed}'")), "{message}");
                    }
                    let own = format!("{path}/{action}");
                    let asked = operator.request(method.to_uppercase().parse().unwrap(), &own);
                    let asked = if method == "get" { asked } else { asked.json(&json!({})) };
                    let answer = asked.send().await.unwrap().text().await.unwrap();
                    assert_eq!(answer.contains(r#""errorCode":"scope""#), is_refused, "{own} with {scope}");
                    seen += 1;
                }
            }
        }
    }
    assert!(seen > 300, "{seen}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_action_is_read_by_every_scope_and_changed_with_all_only() {
    let server = Server::start().await;
    let operators = operators(&server).await;
    let mut changes = 0;
    for (path, methods) in document(&server).await["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            if operation.get("x-actions").is_some() || operation.get("x-action").is_some() {
                continue;
            }
            let method: Method = method.to_uppercase().parse().unwrap();
            let path = path.replace("{user_id}", &uuid::Uuid::nil().to_string()).replace("{size}", "64");
            for (scope, operator) in &operators {
                let answer = operator.request(method.clone(), &path).json(&json!({})).send().await.unwrap();
                let is_refused = answer.text().await.unwrap().contains(r#""errorCode":"scope""#);
                assert_eq!(is_refused, method != Method::GET && *scope != "all", "{method} {path} with {scope}");
                changes += usize::from(is_refused);
            }
        }
    }
    assert!(changes > 60, "{changes}");
    for path in ["/api/backend/event/", "/api/backend/%65vent", "/api/backend//event", "/api/backend/event?x=1"] {
        let request = json!({ "action": "create_event", "payload": {} });
        let answer = operators[0].1.request(Method::POST, path).json(&request).send().await.unwrap();
        assert_ne!(answer.status(), 200, "{path}");
        assert!(!answer.text().await.unwrap().contains("payload"), "{path}: it came to the action");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_by_get_needs_the_scope_of_the_change() {
    let server = Server::start().await;
    for (scope, operator) in operators(&server).await {
        let path = format!("/api/backend/event?action=delete_event&payload={{\"eventId\":\"{}\"}}", uuid::Uuid::nil());
        let status = operator.request(Method::GET, &path).send().await.unwrap().status();
        assert_eq!(status, if scope == "read" || scope == "accounts" { 403 } else { 404 }, "{scope}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_scope_that_does_not_exist_is_refused() {
    let server = Server::start().await;
    let (admin, _) = server.admin().await;
    for scope in [json!("root"), json!("ALL"), json!(["read", "all"]), json!(""), Value::Null] {
        let payload = json!({ "name": "a", "scope": scope });
        admin.write("admin", "create_token", payload).await.fails(400, "malformed");
    }
    admin.write("admin", "create_token", json!({ "name": "a" })).await.fails(400, "malformed");
}

#[tokio::test(flavor = "multi_thread")]
async fn names_are_unique_among_tokens_that_work() {
    let clock = Clock::default();
    let server = Server::with_clock(clock.clone(), |_| {}).await;
    let (admin, _) = server.admin().await;
    let wanted = |name: &str| admin.write("admin", "create_token", json!({ "name": name, "scope": "read" }));
    create(&admin, "Bücher", "read").await;
    for name in ["Bücher", "bücher", " BÜCHER ", "local", "Local"] {
        let failure = wanted(name).await.fails(409, "token-name-taken");
        assert!(failure["fieldErrors"]["name"].is_string(), "{failure}");
    }
    let tries = futures_util::future::join_all((0..8).map(|_| wanted("Once"))).await;
    assert_eq!(tries.iter().filter(|outcome| outcome.status == 200).count(), 1);

    clock.advance(90 * DAY);
    let (admin, _) = server.registered("second_admin").await;
    let id = admin.get("/api/auth/check-login").await.ok()["user"]["userId"].as_str().unwrap().parse().unwrap();
    server.app.store.set_admin(id, true).await.unwrap();
    server.app.accounts.sessions().invalidate(id.into());
    create(&admin, "bücher", "all").await;
    let tokens = admin.read("admin", "list_tokens", json!({})).await.ok();
    let named = |name: &str| tokens["tokens"].as_array().unwrap().iter().filter(|each| each["name"] == name).count();
    assert_eq!((named("Bücher"), named("bücher")), (0, 1), "the expired one made room");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_lives_90_days_unless_said_otherwise() {
    let clock = Clock::default();
    let server = Server::with_clock(clock.clone(), |_| {}).await;
    let (admin, _) = server.admin().await;
    let ordinary = create(&admin, "ordinary", "read").await;
    let long = json!({ "name": "long", "scope": "read", "expiresInDays": 3_650 });
    let long = admin.write("admin", "create_token", long).await.ok();
    let too_long = json!({ "name": "longer", "scope": "read", "expiresInDays": 3_651 });
    admin.write("admin", "create_token", too_long).await.fails(422, "invalid");
    let call = |token: &Value| {
        let operator = server.with_token(token["token"].as_str().unwrap());
        async move { operator.read("admin", "list_users", json!({})).await }
    };
    clock.advance_calendar(90 * DAY - 60_000);
    call(&ordinary).await.ok();
    clock.advance_calendar(60_000);
    call(&ordinary).await.fails(401, "bad-operator-token");
    call(&long).await.ok();
    clock.advance_calendar(3_560 * DAY);
    call(&long).await.fails(401, "bad-operator-token");
}

#[tokio::test(flavor = "multi_thread")]
async fn tokens_of_earlier_versions_without_an_end_go_on_working() {
    let server = Server::start().await;
    let text = format!("morpion_{}", "a".repeat(43));
    let old = NewOperatorToken {
        id: uuid::Uuid::new_v4(),
        hash: morpion_appliance::account::token::hash(&text),
        name: "old".to_owned(),
        scope: "all".to_owned(),
        created_at: server.app.clock.wall(),
        expires_at: None,
    };
    server.app.store.create_operator_token(old, 100).await.unwrap();
    let operator = server.with_token(&text);
    let tokens = operator.read("admin", "list_tokens", json!({})).await.ok();
    assert_eq!(tokens["tokens"][0]["scope"], "all");
    assert!(tokens["tokens"][0].get("expiresAt").is_none());
    let warnings = operator.read("admin", "overview", json!({})).await.ok()["warnings"].to_string();
    assert!(warnings.contains("'old'") && warnings.contains("never expires"), "{warnings}");
}
