//! Requests: whatever JSON a visitor, a member or an admin sends to an operation of the contract, the server answers, or
//! refuses with a code, and never fails.

use std::cell::{Cell, RefCell};

use reqwest::Method;
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use crate::{
    runner::Target,
    samples::{document, sample},
    support::Outcome,
    world::World,
};

const TOKENS: &[&str] = &[
    "\"action\":",
    "\"payload\":",
    "\"userId\":\"$member\"",
    "\"$admin\"",
    "\"$event\"",
    "\"$game\"",
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\\u0000",
    "\\ud800",
    "1e999",
    "null",
    "-0",
    "?",
    "&",
    "%00",
    "/",
];

/// After so many requests the people are looked after: some requests sign them out, or delete them.
const BETWEEN_LOOKS: u32 = 100;

/// A request to every operation and with every action, as its schemas have it.
fn seeds() -> Vec<Vec<u8>> {
    let document = document();
    let mut seeds = vec![];
    let mut add = |by: &str, to: String, body: &Value| {
        seeds.push(json!({ "by": by, "to": to, "body": body }).to_string().into_bytes());
    };
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            let is_for_admins = ["/api/backend/admin", "/api/backend/logger"].iter().any(|of| path.starts_with(of));
            let by = if is_for_admins { "admin" } else { "member" };
            let to = format!("{} {path}", method.to_ascii_uppercase());
            for action in operation["x-actions"].as_array().into_iter().flatten() {
                for is_whole in [true, false] {
                    let payload = sample(&document, &action["payload"], is_whole);
                    add(by, to.clone(), &json!({ "action": action["action"], "payload": payload }));
                }
            }
            if operation.get("x-actions").is_none() {
                let content = operation["requestBody"]["content"].as_object();
                let schema = content.and_then(|content| content.values().next()).map(|media| &media["schema"]);
                add(by, to, &schema.map_or(Value::Null, |schema| sample(&document, schema, true)));
            }
        }
    }
    seeds
}

/// Makes a request of an input; `None` for one that no client could send.
async fn ask(world: &World, input: &str) -> Option<Outcome> {
    let request = serde_json::from_str::<Value>(input);
    let Ok(request) = request else {
        let raw = world.member.request(Method::POST, "/api/backend/game").header("content-type", "application/json");
        return Some(world.member.send(raw.body(input.to_owned())).await);
    };
    let browser = match request["by"].as_str() {
        Some("admin") => &world.admin,
        Some("member") => &world.member,
        _ => &world.visitor,
    };
    let (method, path) = request["to"].as_str()?.split_once(' ')?;
    let method = [Method::GET, Method::POST].into_iter().find(|known| known.as_str() == method)?;
    if !path.starts_with("/api/") || path.contains("openapi") {
        return None;
    }
    let (body, request_to) = (&request["body"], browser.request(method.clone(), path));
    let built = if method == Method::POST {
        request_to.json(body)
    } else {
        let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let fields = body.as_object().into_iter().flatten();
        request_to.query(&fields.map(|(name, value)| (name, text(value))).collect::<Vec<_>>())
    };
    let built = built.try_clone()?.build().is_ok().then_some(built)?;
    Some(browser.send(built).await)
}

#[test]
fn a_request_is_answered_or_refused_with_a_code() {
    let runtime = Runtime::new().unwrap();
    let world = RefCell::new(runtime.block_on(World::new()));
    let (requests, accepted) = (Cell::new(0_u32), Cell::new(0_u32));
    let seeds = seeds();
    assert!(seeds.len() > 200, "{}", seeds.len());
    Target { name: "actions", tokens: TOKENS, seeds }.run(|input| {
        let Ok(input) = std::str::from_utf8(input) else { return };
        requests.set(requests.get() + 1);
        if requests.get().is_multiple_of(BETWEEN_LOOKS) && !runtime.block_on(world.borrow().is_whole()) {
            *world.borrow_mut() = runtime.block_on(World::new());
        }
        let world = world.borrow();
        let Some(outcome) = runtime.block_on(ask(&world, &world.fill(input))) else { return };
        let Outcome { status, body, .. } = outcome;
        if body.as_str().is_some_and(|page| page.starts_with("<!doctype html>")) {
            // The browser has gone on to a page of the web app.
            return;
        }
        assert!(status.as_u16() < 500, "{status} {body}");
        accepted.set(accepted.get() + u32::from(status.is_success()));
        if status.as_u16() >= 400 {
            assert_eq!(body["succeeded"], false, "{status} {body}");
            for field in ["errorCode", "errorMessage", "requestId"] {
                assert!(body[field].as_str().is_some_and(|text| !text.is_empty()), "{field}: {status} {body}");
            }
        }
    });
    let (accepted, requests) = (accepted.get(), requests.get());
    assert!(accepted >= requests / 20, "{accepted} of {requests} were accepted: the others test little");
}
