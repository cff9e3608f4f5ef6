//! Every operation of the document, asked with too little: the answer is one that the document lists, and what it
//! requires is required.

use morpion_appliance::http::openapi_document;
use reqwest::Method;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::{Browser, Server};

/// An operation of the document.
struct Operation<'a> {
    method: Method,
    path: String,
    description: &'a Value,
}

fn operations(document: &Value) -> Vec<Operation<'_>> {
    let paths = document["paths"].as_object().unwrap();
    let mut operations = vec![];
    for (template, methods) in paths {
        let path: Vec<_> = template.split('/').map(|part| if part.starts_with('{') { "0" } else { part }).collect();
        for (method, description) in methods.as_object().unwrap() {
            let method = method.to_ascii_uppercase().parse().unwrap();
            operations.push(Operation { method, path: path.join("/"), description });
        }
    }
    operations
}

/// A request with this body, or none; the answer's status and JSON, after checking that the document lists it.
async fn asks(browser: &Browser, operation: &Operation<'_>, body: Option<&str>) -> (u16, Value) {
    let request = browser.request(operation.method.clone(), &operation.path);
    let request = match body {
        Some(body) => request.header("content-type", "application/json").body(body.to_owned()),
        None => request,
    };
    let outcome = browser.send(request).await;
    let name = format!("{} {} with {body:?}: {} {}", operation.method, operation.path, outcome.status, outcome.body);
    let status = outcome.status.as_u16();
    let listed = &operation.description["responses"];
    if listed.get("302").is_some() {
        // The browser has gone on to a page of the web app.
        return (status, outcome.body);
    }
    assert!(status < 500, "{name}");
    if listed.get(status.to_string()).is_none() {
        assert!(listed.get("default").is_some(), "the document does not list it: {name}");
        assert!(outcome.body["errorCode"].is_string() && outcome.body["requestId"].is_string(), "{name}");
    }
    (status, outcome.body)
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_document_requires_is_required_and_answers_are_listed() {
    let server = Server::with(|config| {
        let many = 100_000.try_into().unwrap();
        (config.limits.sign_ins_per_minute, config.limits.codes_per_hour) = (many, many);
        (config.limits.exports_per_hour, config.limits.uploads_per_hour) = (many, many);
        config.limits.game_exports_per_hour = many;
    })
    .await;
    let document = openapi_document(&server.app);
    let operations = operations(&document);
    assert!(operations.len() > 40, "{}", operations.len());
    let visitor = server.browser().await;
    let (player, _) = server.registered("player").await;
    let (admin, _) = server.admin().await;
    for browser in [&visitor, &player, &admin] {
        let obeyed = |operation: &&Operation<'_>| !takes_no_body(operation);
        for operation in operations.iter().filter(obeyed) {
            let requires_body = operation.description["requestBody"]["required"] == true;
            for body in [None, Some("")] {
                let (status, answer) = asks(browser, operation, body).await;
                assert!(
                    !requires_body || status >= 400,
                    "{} {} takes {body:?} for the body that it requires: {status} {answer}",
                    operation.method,
                    operation.path
                );
            }
            let parameters = operation.description["parameters"].as_array();
            if parameters
                .into_iter()
                .flatten()
                .any(|parameter| parameter["in"] == "query" && parameter["required"] == true)
            {
                assert!(asks(browser, operation, None).await.0 >= 400, "{}", operation.path);
            }
        }
    }
    assert!(player.is_signed_in().await && admin.is_signed_in().await, "nothing of it was obeyed");
}

/// A body without a required field may be absent.
fn takes_no_body(operation: &Operation<'_>) -> bool {
    operation.description.get("requestBody").is_some_and(|body| body["required"] != true)
}

#[tokio::test(flavor = "multi_thread")]
async fn where_no_field_is_required_an_empty_body_is_an_empty_object() {
    let server = Server::start().await;
    let document = openapi_document(&server.app);
    let operations = operations(&document);
    let without: Vec<_> = operations.iter().filter(|operation| takes_no_body(operation)).collect();
    let paths: Vec<_> = without.iter().map(|operation| operation.path.as_str()).collect();
    for named in [
        "/api/auth/logout",
        "/api/auth/secure/token/refresh",
        "/api/auth/guest",
        "/api/backend/delete/account",
        "/api/backend/profile/remove",
        "/api/backend/api/v1/user/subscription/cancel",
    ] {
        assert!(paths.contains(&named), "{named} is not among {paths:?}");
    }
    let (mut browser, _) = server.registered("user_0").await;
    for (number, operation) in without.iter().enumerate() {
        for (form, body) in [None, Some(""), Some("{}")].into_iter().enumerate() {
            let (status, answer) = asks(&browser, operation, body).await;
            assert!(!matches!(status, 400 | 415), "{} takes no {body:?}: {status} {answer}", operation.path);
            // Some end the session, or the account, of whoever calls.
            if !browser.is_signed_in().await {
                (browser, _) = server.registered(&format!("user_{number}_{form}")).await;
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_write_without_its_payload_is_refused() {
    let server = Server::start().await;
    let document = openapi_document(&server.app);
    let (admin, _) = server.admin().await;
    let mut writes = 0;
    for (path, methods) in document["paths"].as_object().unwrap() {
        for spec in methods["post"]["x-actions"].as_array().into_iter().flatten() {
            writes += 1;
            for mut body in [json!({}), json!({ "payload": null }), json!({ "payload": [] })] {
                body["action"] = spec["action"].clone();
                let outcome = admin.post(path, body.clone()).await;
                assert_eq!(outcome.status, 400, "{path} {body}: {}", outcome.body);
            }
        }
    }
    assert!(writes > 40, "{writes}");
    // At its own path the payload is the body, which is as little left out by mistake.
    let clear = "/api/backend/logger/clearLogs";
    let nothing = admin.request(Method::POST, clear).send().await.unwrap();
    assert_eq!(nothing.status(), 400, "{}", nothing.text().await.unwrap());
    admin.post(clear, json!([])).await.fails(400, "malformed");
    admin.post(clear, json!({})).await.ok();
    admin.write("logger", "clearLogs", json!({})).await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn an_action_is_an_operation_of_its_own_too() {
    let server = Server::start().await;
    let (ada, user) = server.registered("ada").await;
    let game = json!({ "players": [{ "userId": user["userId"] }], "gameType": "invite" });
    let made = ada.post("/api/backend/game/create_game", game).await.ok();
    let game = json!({ "gameId": made["game"]["gameId"] });
    let query = [("payload", game.to_string())];
    let read = ada.request(Method::GET, "/api/backend/game/get_game").query(&query);
    let read = ada.send(read).await.ok();
    assert_eq!(read["game"]["gameId"], game["gameId"]);
    // A read may lack its payload, as at the path of its resource.
    ada.get("/api/backend/event/list_events").await.ok();
    // What changes something is no read at its own path, and asks for the CSRF header.
    let event = json!({ "eventId": Uuid::from_u128(7) });
    let deleted = ada.request(Method::GET, "/api/backend/event/delete_event").query(&[("payload", event.to_string())]);
    ada.send(deleted).await.fails(405, "method-not-allowed");
    for (method, path) in [(Method::GET, "game/create_game"), (Method::POST, "game/get_game")] {
        ada.send(ada.request(method, &format!("/api/backend/{path}"))).await.fails(405, "method-not-allowed");
    }
    for unknown in ["game/no_such_action", "game/get_game/x", "game/event"] {
        ada.get(&format!("/api/backend/{unknown}")).await.fails(404, "no-such-address");
    }
    // As another site would send it.
    let forged = ada.bare(Method::POST, "/api/backend/game/create_game").header("origin", "https://evil.example");
    assert_eq!(forged.json(&json!({})).send().await.unwrap().status(), 403);
    // A word beside the payload is a mistake of the caller.
    ada.get("/api/backend/event/list_events?action=list_events").await.fails(400, "malformed");
}

/// The ids that a schema of the document has at its first level.
fn ids(schema: &Value) -> impl Iterator<Item = &String> {
    let fields = schema["properties"].as_object().into_iter().flatten();
    fields.filter(|(_, field)| field["format"] == "uuid").map(|(name, _)| name)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_text_that_is_no_id_is_not_found() {
    let server = Server::start().await;
    let document = openapi_document(&server.app);
    let (admin, _) = server.admin().await;
    let schema_of = |reference: &Value| {
        let name = reference["$ref"].as_str().unwrap_or_default().rsplit('/').next().unwrap();
        &document["components"]["schemas"][name]
    };
    let mut tried = 0;
    for (path, methods) in document["paths"].as_object().unwrap() {
        let resource = path.rsplit('/').next().unwrap();
        for (method, operation) in methods.as_object().unwrap() {
            for spec in operation["x-actions"].as_array().into_iter().flatten() {
                let action = spec["action"].as_str().unwrap();
                for id in ids(schema_of(&spec["payload"])) {
                    tried += 1;
                    let payload = json!({ id: "xyz" });
                    let outcome = match method.as_str() {
                        "get" => admin.read(resource, action, payload).await,
                        _ => admin.write(resource, action, payload).await,
                    };
                    assert_eq!(
                        outcome.fails(404, "not-found")["errorMessage"],
                        "Nothing has this id.",
                        "{action} {id}"
                    );
                }
            }
            let body = &operation["requestBody"]["content"]["application/json; charset=utf-8"]["schema"];
            for id in ids(schema_of(body)) {
                tried += 1;
                admin.post(path, json!({ id: "xyz" })).await.fails(404, "not-found");
            }
        }
    }
    assert!(tried > 60, "{tried}");
    for address in ["events/xyz/calendar.ics", "profile/image/xyz/64"] {
        let failure = admin.get(&format!("/api/backend/{address}")).await.fails(404, "not-found");
        assert_eq!(failure["errorMessage"], "Nothing has this id.", "{address}");
    }
    // What is not even a text is malformed.
    admin.read("event", "get_event_by_id", json!({ "eventId": 7 })).await.fails(400, "malformed");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_method_is_told_the_right_ones() {
    let server = Server::start().await;
    let document = openapi_document(&server.app);
    let browser = server.browser().await;
    for (template, methods) in document["paths"].as_object().unwrap() {
        let path: Vec<_> = template.split('/').map(|part| if part.starts_with('{') { "0" } else { part }).collect();
        for slash in ["", "/"] {
            let path = format!("{}{slash}", path.join("/"));
            let response = browser.request(Method::PATCH, &path).send().await.unwrap();
            assert_eq!(response.status(), 405, "{path}");
            let allowed = response.headers()["allow"].to_str().unwrap().to_owned();
            for method in methods.as_object().unwrap().keys() {
                let method = method.to_ascii_uppercase();
                assert!(allowed.split(", ").any(|each| each == method), "{method} {path}: {allowed}");
            }
        }
    }
    for path in ["/api/backend/realtime", "/.well-known/security.txt", "/"] {
        let response = browser.request(Method::PATCH, path).send().await.unwrap();
        assert_eq!((response.status().as_u16(), &response.headers()["allow"]), (405, &"GET, HEAD".parse().unwrap()));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_take_what_the_document_says_and_nothing_else() {
    let server = Server::start().await;
    let document = openapi_document(&server.app);
    let (admin, _) = server.admin().await;
    let schemas = &document["components"]["schemas"];
    let mut reads = 0;
    for (path, methods) in document["paths"].as_object().unwrap() {
        for spec in methods["get"]["x-actions"].as_array().into_iter().flatten() {
            reads += 1;
            let name = spec["payload"]["$ref"].as_str().unwrap().rsplit('/').next().unwrap();
            assert_eq!(schemas[name]["additionalProperties"], false, "{name}");
            let resource = path.rsplit('/').next().unwrap();
            let action = spec["action"].as_str().unwrap();
            admin.read(resource, action, json!({ "fieldOfNobody": 1 })).await.fails(400, "malformed");
        }
    }
    assert!(reads > 40, "{reads}");
    // What is optional may be null, also where it is a type of its own or one of several.
    let nothing = json!({ "eventState": null, "eventType": null, "text": null });
    let state = &schemas["EventState"]["enum"][0];
    for filter in [json!(null), nothing, json!({ "eventState": [state] }), json!({ "eventState": state })] {
        admin.read("event", "list_events", json!({ "filter": filter, "page": null })).await.ok();
    }
    assert_eq!(schemas["EventFilter"]["properties"]["eventType"]["anyOf"][1], json!({ "type": "null" }));
    assert!(schemas["EventStates"].get("type").is_none(), "a word is no object");
    // Fields that do not fit together are no matter of the schema.
    admin.read("game", "get_replay", json!({})).await.fails(422, "invalid");
    admin.post("/api/auth/proof", json!({})).await.fails(422, "invalid");
    admin.post("/api/auth/proof", json!({ "password": "x", "totp": "y" })).await.fails(422, "invalid");
    // Every integer that the document allows.
    let after = &schemas["ExportAudit"]["properties"]["after"];
    assert_eq!((&after["minimum"], &after["maximum"]), (&json!(0), &json!(u64::MAX)));
    for after in [1 << 62, 1 << 63, u64::MAX] {
        let exported = admin.read("admin", "export_audit", json!({ "after": after })).await.ok();
        assert_eq!(exported["ndjson"], "", "{exported}");
    }
    let size = &document["paths"]["/api/backend/profile/image/{user_id}/{size}"]["get"]["parameters"][1];
    assert_eq!((&size["name"], &size["schema"]["minimum"]), (&json!("size"), &json!(0)));
}
