//! Examples for the document: a plausible value of each schema.

use serde_json::{Map, Value, json};

/// Deeper values are left out.
const MAX_DEPTH: u8 = 6;

/// A value that fits this schema: of a request the fields that are required, of an answer all.
pub fn of(document: &Value, schema: &Value, whole: bool) -> Value {
    value(document, schema, "", whole, 0)
}

fn value(document: &Value, schema: &Value, field: &str, whole: bool, depth: u8) -> Value {
    if let Some(reference) = schema["$ref"].as_str() {
        return value(document, document.pointer(&reference[1..]).unwrap_or(&Value::Null), field, whole, depth);
    }
    if let Some(first) = ["anyOf", "oneOf"].iter().find_map(|key| schema[*key].get(0)) {
        return value(document, first, field, whole, depth);
    }
    if let Some(first) = schema["enum"].get(0) {
        return first.clone();
    }
    let kind = &schema["type"];
    match kind.as_str().or_else(|| kind[0].as_str()) {
        Some("object") => object(document, schema, whole, depth),
        Some("array") if depth >= MAX_DEPTH => json!([]),
        Some("array") => json!([value(document, &schema["items"], field, whole, depth + 1)]),
        Some("integer" | "number") => number(schema, field),
        Some("boolean") => json!(field != "hasPrevPage"),
        Some("string") => json!(text(schema["format"].as_str(), field)),
        _ => Value::Null,
    }
}

fn object(document: &Value, schema: &Value, whole: bool, depth: u8) -> Value {
    let required = schema["required"].as_array().cloned().unwrap_or_default();
    let is_required = |name: &str| required.iter().any(|field| field == name);
    let fields = schema["properties"].as_object().into_iter().flatten();
    let wanted = fields.filter(|(name, _)| is_required(name) || (whole && depth < MAX_DEPTH));
    let filled = wanted.map(|(name, schema)| (name.clone(), value(document, schema, name, whole, depth + 1)));
    Value::Object(filled.collect::<Map<_, _>>())
}

fn number(schema: &Value, field: &str) -> Value {
    let usual = match field {
        "cell" | "row" | "column" => 0,
        "boardSize" | "size" => 3,
        "limit" | "totalCount" => 20,
        "rating" => 1500,
        "minRating" => 1200,
        "maxRating" => 1800,
        _ => 1,
    };
    json!(schema["minimum"].as_i64().map_or(usual, |minimum| minimum.max(usual)))
}

fn text(format: Option<&str>, field: &str) -> &'static str {
    match (format, field) {
        (Some("uuid"), _) => match field {
            "gameId" => "5f0c9a52-7d1e-4c3b-9a51-2f6d0c8e4b17",
            "eventId" => "c2a4e0d8-91b6-4f5e-8a37-60d9b1f3e5a2",
            _ => "3b9d7e41-2c85-4a60-b1f7-d84e6c05a923",
        },
        (Some("date-time"), "endTime" | "endsAt") => "2027-03-05T21:00:00Z",
        (Some("date-time"), _) => "2027-03-05T19:00:00Z",
        (_, "username" | "allowList") => "ada",
        (_, "displayName" | "name") => "Ada",
        (_, "title") => "Friday Night Blitz",
        (_, "email") => "ada@example.org",
        (_, "timeZone") => "Europe/Berlin",
        (_, "currency") => "eur",
        _ if field.to_ascii_lowercase().ends_with("url") => "https://play.example.org/",
        _ => "text",
    }
}
