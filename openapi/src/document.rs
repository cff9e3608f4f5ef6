//! Completes the document that `poem_openapi` generates: it strips schemas that no operation
//! refers to, and knows no parameters that are JSON text, as a read's `payload` is.

use poem_openapi::registry::Registry;
use serde_json::{Map, Value, json};

use crate::{
    action::{ActionSet, ActionSpec},
    admin, event, exact, game, logger, profile, realtime, subscription,
};

/// Path of the action API's resources, below which each has its name.
pub const BACKEND: &str = "/api/backend";

fn specs_json(specs: Vec<ActionSpec>) -> Value {
    specs
        .into_iter()
        .map(|spec| {
            json!({
                "action": spec.name,
                "payload": {"$ref": format!("#/components/schemas/{}", spec.payload)},
                "answer": {"$ref": format!("#/components/schemas/{}", spec.answer)},
            })
        })
        .collect()
}

/// What any of these actions takes.
fn payloads(specs: Vec<ActionSpec>) -> Value {
    let mut names: Vec<_> = specs.into_iter().map(|spec| spec.payload).collect();
    names.sort();
    names.dedup();
    let references = names.iter().map(|name| json!({"$ref": format!("#/components/schemas/{name}")}));
    json!({ "anyOf": references.collect::<Vec<_>>() })
}

fn describe<R: ActionSet, W: ActionSet>(document: &mut Value, registry: &mut Registry) {
    crate::action::register::<R, W>(registry);
    let path = format!("{BACKEND}/{}", R::RESOURCE);
    if let Some(operations) = document["paths"].get_mut(&path) {
        operations["get"]["x-actions"] = specs_json(R::specs());
        let payload = operations["get"]["parameters"].as_array_mut().and_then(|parameters| {
            parameters.iter_mut().find(|parameter| parameter["name"] == "payload").and_then(Value::as_object_mut)
        });
        if let Some(payload) = payload {
            payload.remove("schema");
            payload.insert("content".to_owned(), json!({"application/json": {"schema": payloads(R::specs())}}));
        }
        operations["post"]["x-actions"] = specs_json(W::specs());
    }
}

/// Adds the actions' payloads and the realtime messages to a generated document.
pub fn complete(generated: &str) -> Value {
    let mut document: Value = serde_json::from_str(generated).expect("a generated document is JSON");
    let mut registry = Registry::new();
    describe::<profile::ProfileRead, profile::ProfileWrite>(&mut document, &mut registry);
    describe::<subscription::SubscriptionRead, subscription::SubscriptionWrite>(&mut document, &mut registry);
    describe::<logger::LoggerRead, logger::LoggerWrite>(&mut document, &mut registry);
    describe::<event::EventRead, event::EventWrite>(&mut document, &mut registry);
    describe::<event::SignUpRead, event::SignUpWrite>(&mut document, &mut registry);
    describe::<event::PlayerRead, event::PlayerWrite>(&mut document, &mut registry);
    describe::<game::GameRead, game::GameWrite>(&mut document, &mut registry);
    describe::<admin::AdminRead, admin::AdminWrite>(&mut document, &mut registry);
    realtime::register(&mut registry);

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
    document
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
    fn every_answer_has_the_succeeded_field() {
        let document = complete(r#"{"paths": {}, "components": {"schemas": {}}}"#);
        assert_eq!(document["components"]["schemas"]["GamesAnswer"]["properties"]["succeeded"]["type"], "boolean");
    }
}
