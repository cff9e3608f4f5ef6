//! Valid values of the contract's schemas.

use serde_json::{Map, Value, json};

/// The OpenAPI document, as it is committed.
pub fn document() -> Value {
    serde_json::from_str(include_str!("../../../openapi/openapi.json")).unwrap()
}

/// A value of this schema with all its fields, or with those that are required. Ids are placeholders that
/// [`crate::world::World::fill`] knows.
pub fn sample(document: &Value, schema: &Value, is_whole: bool) -> Value {
    value(document, schema, "", is_whole)
}

fn value(document: &Value, schema: &Value, field: &str, is_whole: bool) -> Value {
    let inner = |schema| value(document, schema, field, is_whole);
    if let Some(reference) = schema["$ref"].as_str() {
        return inner(document.pointer(&reference[1..]).unwrap());
    }
    if let Some(first) = ["anyOf", "oneOf"].iter().find_map(|key| schema[key].get(0)) {
        return inner(first);
    }
    if let Some(first) = schema["enum"].get(0) {
        return first.clone();
    }
    // What may be absent may be null, too.
    match schema["type"].as_str().or_else(|| schema["type"][0].as_str()) {
        Some("object") => object(document, schema, is_whole),
        Some("array") => json!([inner(&schema["items"])]),
        Some("integer" | "number") => json!(1),
        Some("boolean") => json!(true),
        Some("string") => match schema["format"].as_str() {
            Some("uuid") => json!(id_named(field)),
            Some("date-time") => json!("2100-01-01T00:00:00Z"),
            _ if field.ends_with("mail") => json!("somebody@example.org"),
            _ if field.ends_with("assword") => json!(crate::support::PASSWORD),
            _ => json!("sample"),
        },
        _ => Value::Null,
    }
}

fn object(document: &Value, schema: &Value, is_whole: bool) -> Value {
    let required = schema["required"].as_array().cloned().unwrap_or_default();
    let fields = schema["properties"].as_object().into_iter().flatten();
    let wanted = fields.filter(|(name, _)| is_whole || required.iter().any(|field| field == name.as_str()));
    Value::Object(
        wanted.map(|(name, schema)| (name.clone(), value(document, schema, name, is_whole))).collect::<Map<_, _>>(),
    )
}

fn id_named(field: &str) -> &'static str {
    match field {
        "eventId" => "$event",
        "gameId" => "$game",
        _ => "$member",
    }
}
