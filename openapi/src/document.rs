//! Completes the document that `poem_openapi` generates: it strips schemas that no operation
//! refers to, knows no parameters that are JSON text, as a read's `payload` is, and no examples.

use poem_openapi::registry::Registry;
use serde_json::{Map, Value, json};

use crate::{
    action::{ActionSet, ActionSpec, Kind},
    admin, event, exact, example, game, logger, profile,
    programs::{self, Needed},
    realtime, series, subscription,
    webhook::{self, MessageSpec},
};

/// Path of the action API's resources, below which each has its name.
pub const BACKEND: &str = "/api/backend";

const LICENSE: &str = env!("CARGO_PKG_LICENSE");

/// The resources and what belongs to them, in the order of the documentation.
const TAGS: [(&str, &str); 11] = [
    ("auth", "Sign-in, sessions, second factors, recovery."),
    ("userprofile", "The own profile, other people, notifications."),
    ("game", "Games: invite, play, replay."),
    ("event", "Events and their calendar."),
    ("series", "Events that are made on a schedule, and the table over them."),
    ("eventSignUp", "Who has signed up for an event."),
    ("player", "Players of events, ratings, history."),
    ("subscription", "The Pro plan, payment."),
    ("logger", "Logs of the browsers."),
    ("admin", "What operators do."),
    ("site", "What the public pages say."),
];

/// Where an operation belongs that is no action; the first prefix that fits.
const PLACES: [(&str, &str); 10] = [
    ("/api/auth/", "auth"),
    ("/api/backend/events/series/", "series"),
    ("/api/backend/events/", "event"),
    ("/api/backend/game/", "game"),
    ("/api/backend/site", "site"),
    ("/api/backend/v1/log/", "logger"),
    ("/api/backend/stripe/", "subscription"),
    ("/api/backend/api/v1/payment/", "subscription"),
    ("/api/backend/api/v1/user/subscription", "subscription"),
    ("/api/backend/", "userprofile"),
];

fn schema_of(name: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{name}") })
}

fn specs_json(specs: &[ActionSpec]) -> Value {
    let spec = |spec: &ActionSpec| json!({ "action": spec.name, "payload": schema_of(&spec.payload), "answer": schema_of(&spec.answer) });
    specs.iter().map(spec).collect()
}

/// What any of these actions takes.
fn payloads(specs: &[ActionSpec]) -> Value {
    let mut names: Vec<_> = specs.iter().map(|spec| &spec.payload).collect();
    names.sort();
    names.dedup();
    json!({ "anyOf": names.into_iter().map(|name| schema_of(name)).collect::<Vec<_>>() })
}

/// A parameter that is JSON text of this schema. As a string it is read by tools that know no other parameters.
fn make_json(parameter: &mut Value, schema: Value) {
    parameter["schema"] = json!({ "type": "string", "contentMediaType": "application/json", "contentSchema": schema });
}

/// `get_game` becomes `getGame`. Operators' actions are named as such: `adminListSessions`.
fn operation_id(resource: &str, action: &str) -> String {
    let prefix = if resource == "admin" { "admin_" } else { "" };
    let name = format!("{prefix}{action}");
    let mut words = name.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |id, word| {
        let (initial, rest) = word.split_at(word.len().min(1));
        id + &initial.to_ascii_uppercase() + rest
    })
}

fn first_sentence(text: &str) -> String {
    let text = text.replace('\n', " ");
    text.split(". ").next().unwrap_or_default().trim_end_matches('.').to_owned()
}

/// What the operation of one action has beside its schemas.
fn describe_own(operation: &mut Value, resource: &str, spec: &ActionSpec, schemas: &Registry) {
    operation["operationId"] = operation_id(resource, spec.name).into();
    operation["x-action"] = spec.name.into();
    let words = spec.name.replace('_', " ");
    let description = schemas.schemas.get(&spec.payload).and_then(|schema| schema.description);
    operation["summary"] = description.map_or(words, first_sentence).into();
    if let Some(payload) = operation.pointer_mut("/parameters/0") {
        make_json(payload, schema_of(&spec.payload));
    }
}

fn describe<R: ActionSet, W: ActionSet>(document: &mut Value, registry: &mut Registry) {
    crate::action::register::<R, W>(registry);
    let path = format!("{BACKEND}/{}", R::RESOURCE);
    let (reads, writes) = (R::specs(), W::specs());
    if let Some(operations) = document["paths"].get_mut(&path) {
        operations["get"]["x-actions"] = specs_json(&reads);
        if let Some(payload) = operations["get"].pointer_mut("/parameters/1") {
            payload["description"] =
                "The action's payload as JSON text; `x-actions` says which schema is whose.".into();
            make_json(payload, payloads(&reads));
        }
        operations["post"]["x-actions"] = specs_json(&writes);
    }
    for (method, specs) in [("get", &reads), ("post", &writes)] {
        for spec in specs {
            if let Some(operation) = document["paths"].get_mut(format!("{path}/{}", spec.name)) {
                describe_own(&mut operation[method], R::RESOURCE, spec, registry);
            }
        }
    }
}

fn each_operation(document: &mut Value, mut act: impl FnMut(&str, &mut Value)) {
    for (path, operations) in document["paths"].as_object_mut().into_iter().flatten() {
        for operation in operations.as_object_mut().into_iter().flat_map(Map::values_mut) {
            act(path, operation);
        }
    }
}

/// What stands about the whole: how one calls, and what belongs together.
fn introduce(document: &mut Value) {
    document["openapi"] = "3.1.0".into();
    document["info"]["license"] = json!({ "name": LICENSE, "identifier": LICENSE });
    document["servers"] = json!([{ "url": "/", "description": "The server that returned this document." }]);
    document["tags"] = TAGS.iter().map(|(name, about)| json!({ "name": name, "description": about })).collect();
    document["components"]["securitySchemes"] = json!({
        "session": {
            "type": "apiKey",
            "in": "cookie",
            "name": "__Host-morpion_session",
            "description": "A browser's session, from a sign-in; `morpion_session` without HTTPS. Each change repeats \
                the cookie `XSRF-TOKEN` in the header `X-XSRF-TOKEN`.",
        },
        "token": {
            "type": "http",
            "scheme": "bearer",
            "description": "A token of an operator. Cookies are not looked at, and `X-XSRF-TOKEN` is not needed.",
        },
        "personalToken": {
            "type": "http",
            "scheme": "bearer",
            "description": "A member's own token, which stands for its owner within its scopes: `read`, `play`, \
                `event`. Operations that list it name the scope that they need; others refuse it. Cookies are not \
                looked at, and `X-XSRF-TOKEN` is not needed.",
        },
    });
    // The rules of each call say whether one has to be signed in.
    document["security"] = json!([{}, { "session": [] }, { "token": [] }]);
    name_scopes(document);
    each_operation(document, |path, operation| {
        if operation["tags"].as_array().is_none_or(Vec::is_empty) {
            let place = PLACES.iter().find(|(prefix, _)| path.starts_with(prefix));
            operation["tags"] = json!([place.map_or("site", |(_, tag)| tag)]);
        }
    });
}

/// Names the scope of personal tokens with each operation that such a token may call.
fn name_scopes(document: &mut Value) {
    for (path, operations) in document["paths"].as_object_mut().into_iter().flatten() {
        for (method, operation) in operations.as_object_mut().into_iter().flatten() {
            let kind = if method == "get" { Kind::Read } else { Kind::Write };
            let of_action = |name: &Value| {
                let resource = path.strip_prefix(BACKEND)?.split('/').nth(1)?;
                Some(programs::of_action(resource, kind, name.as_str()?))
            };
            let scopes = match (operation.get("x-action"), operation.get("x-actions").and_then(Value::as_array)) {
                (Some(action), _) => of_action(action),
                (None, Some(actions)) => {
                    let reached = actions.iter().filter_map(|action| of_action(&action["action"]));
                    reached.into_iter().find(|needed| *needed != Needed::Never).map(|_| Needed::Any)
                }
                (None, None) => Some(programs::of_path(&method.to_ascii_uppercase(), path)),
            };
            let roles = match scopes {
                Some(Needed::Scope(scope)) => json!([scope.as_str()]),
                Some(Needed::Any) => json!([]),
                Some(Needed::Never) | None => continue,
            };
            operation["security"] = json!([{}, { "session": [] }, { "token": [] }, { "personalToken": roles }]);
        }
    }
}

/// An example for what each operation of one action, and each without actions, takes and answers.
fn exemplify(document: &mut Value) {
    let whole = document.clone();
    let fill = |media: Option<&mut Value>, is_whole: bool| {
        if let Some(media) = media.filter(|media| media.get("schema").is_some()) {
            media["example"] = example::of(&whole, &media["schema"], is_whole);
        }
    };
    each_operation(document, |_, operation| {
        if operation.get("x-actions").is_some() {
            return;
        }
        if let Some(parameter) = operation.pointer_mut("/parameters/0")
            && let Some(schema) = parameter.pointer("/schema/contentSchema")
        {
            parameter["example"] = example::of(&whole, schema, false).to_string().into();
        }
        fill(operation.pointer_mut(&format!("/requestBody/content/{JSON}")), false);
        fill(operation.pointer_mut(&format!("/responses/200/content/{JSON}")), true);
    });
}

/// What receivers of webhooks are sent, by the `type` of the message: `docs/behaviour/webhooks.md`.
fn webhooks(document: &Value) -> Value {
    let header = |name: &str, pattern: &str, about: &str| {
        json!({
            "name": name, "in": "header", "required": true, "description": about,
            "schema": { "type": "string", "pattern": pattern },
        })
    };
    let headers = json!([
        header("webhook-id", "^msg_[0-9a-f]{32}$", "The same for every attempt and every receiver."),
        header("webhook-timestamp", "^[0-9]+$", "The time of this attempt in Unix seconds."),
        header(
            "webhook-signature",
            "^v1,[A-Za-z0-9+/]{43}=$",
            "HMAC-SHA-256 in Base64 of id, timestamp and body with dots between them, by the secret of the webhook.",
        ),
    ]);
    let message = |MessageSpec { kind, when, data }: MessageSpec| {
        let schema = json!({
            "type": "object",
            "required": ["type", "timestamp", "data"],
            "properties": {
                "type": { "type": "string", "enum": [kind] },
                "timestamp": { "type": "string", "format": "date-time" },
                "data": schema_of(&data),
            },
        });
        let example = example::of(document, &schema, true);
        let operation = json!({
            "operationId": format!("told_{}", kind.replace('.', "_")),
            "summary": when,
            "tags": ["admin"],
            "security": [],
            "parameters": headers,
            "requestBody": {
                "required": true,
                "content": { "application/json": { "schema": schema, "example": example } },
            },
            "responses": {
                "2XX": { "description": "Delivered, if it comes within 10 seconds. The body is not read." },
                "410": { "description": "The receiver is gone: the webhook is disabled." },
                "default": { "description": "Not accepted: it is sent again later." },
            },
        });
        (kind.to_owned(), json!({ "post": operation }))
    };
    webhook::messages().into_iter().map(message).collect::<Map<_, _>>().into()
}

/// The content type of bodies, as a part of a JSON pointer.
const JSON: &str = "application~1json; charset=utf-8";

/// Adds the actions' payloads, the realtime messages, those of webhooks and examples to a generated document.
pub fn complete(generated: &str) -> Value {
    let mut document: Value = serde_json::from_str(generated).expect("a generated document is JSON");
    let mut registry = Registry::new();
    describe::<profile::ProfileRead, profile::ProfileWrite>(&mut document, &mut registry);
    describe::<subscription::SubscriptionRead, subscription::SubscriptionWrite>(&mut document, &mut registry);
    describe::<logger::LoggerRead, logger::LoggerWrite>(&mut document, &mut registry);
    describe::<event::EventRead, event::EventWrite>(&mut document, &mut registry);
    describe::<series::SeriesRead, series::SeriesWrite>(&mut document, &mut registry);
    describe::<event::SignUpRead, event::SignUpWrite>(&mut document, &mut registry);
    describe::<event::PlayerRead, event::PlayerWrite>(&mut document, &mut registry);
    describe::<game::GameRead, game::GameWrite>(&mut document, &mut registry);
    describe::<admin::AdminRead, admin::AdminWrite>(&mut document, &mut registry);
    realtime::register(&mut registry);
    webhook::register(&mut registry);

    let mut schemas: Map<String, Value> = document["components"]["schemas"].as_object().cloned().unwrap_or_default();
    for (name, schema) in &registry.schemas {
        let schema = serde_json::to_value(schema).expect("a schema is plain data");
        schemas.entry(name.clone()).or_insert(schema);
    }
    // Sorted, so that a change of the contract is a small difference in the committed file.
    let mut sorted: Vec<_> = schemas.into_iter().collect();
    sorted.sort_by(|(a, _), (b, _)| a.cmp(b));
    document["components"]["schemas"] = Value::Object(sorted.into_iter().collect());
    exact::complete(&mut document);
    introduce(&mut document);
    exemplify(&mut document);
    let told = webhooks(&document);
    document["webhooks"] = told;
    document
}

/// The realtime channel as AsyncAPI 3, from the completed document: the server receives what clients send.
pub fn realtime(document: &Value) -> Value {
    let schemas = &document["components"]["schemas"];
    let mut messages = Map::new();
    let mut operation = |frames: &str, action: &str, summary: &str| {
        let frames = schemas[frames]["oneOf"].as_array().into_iter().flatten();
        let named = frames.filter_map(|frame| Some((frame["properties"]["event"]["enum"][0].as_str()?, frame)));
        let references: Vec<_> = named
            .map(|(event, frame)| {
                messages.insert(event.to_owned(), json!({ "name": event, "payload": frame }));
                json!({ "$ref": format!("#/channels/realtime/messages/{event}") })
            })
            .collect();
        json!({
            "action": action,
            "summary": summary,
            "channel": { "$ref": "#/channels/realtime" },
            "messages": references,
        })
    };
    let receive = operation("ClientFrame", "receive", "What a client sends.");
    let send = operation("ServerFrame", "send", "What the server sends.");
    let of_channel = |event: &String| (event.clone(), json!({ "$ref": format!("#/components/messages/{event}") }));
    let mut used = exact::reached(&json!([receive, send, messages]), schemas);
    used.retain(|name, _| name != "ClientFrame" && name != "ServerFrame");
    json!({
        "asyncapi": "3.0.0",
        "info": {
            "title": "Morpion, realtime",
            "version": document["info"]["version"],
            "description": "Frames of the websocket: text, one JSON object each. A session's cookie or a bearer token (an operator's or a personal one) \
                identifies the client, and the `Origin` of a browser must be the server's own.",
            "license": { "name": LICENSE },
        },
        "defaultContentType": "application/json",
        "channels": {
            "realtime": {
                "address": format!("{BACKEND}/realtime"),
                "messages": messages.keys().map(of_channel).collect::<Map<_, _>>(),
            },
        },
        "operations": { "receive": receive, "send": send },
        "components": { "messages": messages, "schemas": used },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reference_of_the_completed_document_resolves() {
        let document = complete(r#"{"paths": {}, "components": {"schemas": {}}}"#);
        let schemas = document["components"]["schemas"].as_object().expect("schemas");
        assert!(schemas.contains_key("ClientFrame") && schemas.contains_key("CreateGameAction"));
        let mut missing = vec![];
        fn walk(value: &Value, schemas: &Map<String, Value>, missing: &mut Vec<String>) {
            match value {
                Value::Object(map) => {
                    if let Some(Value::String(target)) = map.get("$ref") {
                        let name = target.trim_start_matches("#/components/schemas/");
                        if !schemas.contains_key(name) {
                            missing.push(name.to_owned());
                        }
                    }
                    map.values().for_each(|value| walk(value, schemas, missing));
                }
                Value::Array(items) => items.iter().for_each(|value| walk(value, schemas, missing)),
                _ => {}
            }
        }
        walk(&document, schemas, &mut missing);
        assert!(missing.is_empty(), "{missing:?}");
    }

    #[test]
    fn the_channel_names_every_frame_once_and_all_that_frames_consist_of() {
        let document = complete(r#"{"paths": {}, "components": {"schemas": {}}}"#);
        let channel = realtime(&document);
        let count = |frames: &str| document["components"]["schemas"][frames]["oneOf"].as_array().unwrap().len();
        let messages = channel["components"]["messages"].as_object().unwrap();
        assert_eq!(messages.len(), count("ClientFrame") + count("ServerFrame"));
        assert!(channel["components"]["schemas"]["GameState"].is_object() && messages.contains_key("makeMove"));
        for reference in channel.to_string().split(r##""$ref":"#"##).skip(1) {
            let pointer = reference.split('"').next().unwrap();
            assert!(channel.pointer(pointer).is_some(), "{pointer}");
        }
    }

    #[test]
    fn every_message_of_a_webhook_is_described_with_an_example() {
        let document = complete(r#"{"paths": {}, "components": {"schemas": {}}}"#);
        let webhooks = document["webhooks"].as_object().unwrap();
        assert_eq!(webhooks.len(), webhook::WebhookKind::ALL.len() + 1);
        for (kind, path) in webhooks {
            let body = &path["post"]["requestBody"]["content"]["application/json"];
            assert_eq!(
                (&body["schema"]["properties"]["type"]["enum"][0], &body["example"]["type"]),
                (&json!(kind), &json!(kind))
            );
            assert!(body["example"]["data"].is_object(), "{kind}: {body}");
        }
        let concluded = &webhooks["event.concluded"]["post"]["requestBody"]["content"]["application/json"]["example"];
        assert_eq!(concluded["data"]["winners"][0]["username"], "ada");
    }

    #[test]
    fn every_answer_has_the_succeeded_field() {
        let document = complete(r#"{"paths": {}, "components": {"schemas": {}}}"#);
        assert_eq!(document["components"]["schemas"]["GamesAnswer"]["properties"]["succeeded"]["type"], "boolean");
    }
}
