//! What the schemas that `poem_openapi` derives leave out, so that a call that the document allows is one that is read,
//! and one that it forbids is refused: the range of integers, and of requests that unknown fields are refused and that
//! `null` is the same as an absent field. The result is of OpenAPI 3.1, in which a description stands beside a reference
//! and `null` is a type, so that other people's tools read it.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

const SCHEMAS: &str = "#/components/schemas/";

/// Completes all schemas of a document.
pub fn complete(document: &mut Value) {
    each_schema(document, &mut join_description);
    let paths = document["paths"].as_object().cloned().unwrap_or_default();
    let schemas = document["components"]["schemas"].as_object().cloned().unwrap_or_default();
    let (mut asked, mut answered) = (BTreeSet::new(), BTreeSet::new());
    for operation in paths.values().filter_map(Value::as_object).flat_map(Map::values) {
        reach(&operation["requestBody"], &schemas, &mut asked);
        reach(&operation["parameters"], &schemas, &mut asked);
        reach(&operation["responses"], &schemas, &mut answered);
    }
    // What is also answered is read as answers are, with room for what is new.
    for name in asked.difference(&answered) {
        close(&mut document["components"]["schemas"][name]);
    }
    let paths = document["paths"].as_object_mut().into_iter().flat_map(Map::values_mut);
    for operation in paths.filter_map(Value::as_object_mut).flat_map(Map::values_mut) {
        // A form's schema has no name.
        if let Some(form) = operation.pointer_mut("/requestBody/content/multipart~1form-data/schema") {
            form["additionalProperties"] = json!(false);
        }
    }
    each_schema(document, &mut |schema| {
        bound(schema);
        if schema.contains_key("anyOf") {
            // A union of words and lists is no object.
            schema.remove("type");
        }
    });
}

/// Adds the names of the schemas that are referred to from here.
fn reach(value: &Value, schemas: &Map<String, Value>, reached: &mut BTreeSet<String>) {
    match value {
        Value::Object(fields) => {
            let name = fields.get("$ref").and_then(Value::as_str).and_then(|target| target.strip_prefix(SCHEMAS));
            if let Some(name) = name
                && reached.insert(name.to_owned())
                && let Some(schema) = schemas.get(name)
            {
                reach(schema, schemas, reached);
            }
            fields.values().for_each(|value| reach(value, schemas, reached));
        }
        Value::Array(items) => items.iter().for_each(|value| reach(value, schemas, reached)),
        _ => {}
    }
}

/// The schemas that are referred to from here, at any depth.
pub fn reached(value: &Value, schemas: &Value) -> Map<String, Value> {
    let (mut names, none) = (BTreeSet::new(), Map::new());
    reach(value, schemas.as_object().unwrap_or(&none), &mut names);
    names.into_iter().map(|name| (name.clone(), schemas[&name].clone())).collect()
}

/// Says of a request's schema that it has no other fields, and that optional ones may be `null`.
fn close(schema: &mut Value) {
    let required = schema["required"].as_array().cloned().unwrap_or_default();
    let Some(schema) = schema.as_object_mut().filter(|schema| schema.get("type") == Some(&json!("object"))) else {
        return;
    };
    if schema.contains_key("anyOf") {
        return;
    }
    schema.insert("additionalProperties".to_owned(), json!(false));
    let fields = schema.get_mut("properties").and_then(Value::as_object_mut);
    for (name, field) in fields.into_iter().flatten() {
        if !required.iter().any(|required| required == name) {
            make_nullable(field);
        }
    }
}

/// A reference with a description is derived as `allOf` of both.
fn join_description(schema: &mut Map<String, Value>) {
    let reference = schema.get("allOf").and_then(|all| all.pointer("/0/$ref")).cloned();
    if let Some(reference) = reference {
        schema.remove("allOf");
        schema.insert("$ref".to_owned(), reference);
    }
}

/// What has no type takes `null` already.
fn make_nullable(schema: &mut Value) {
    let Some(fields) = schema.as_object_mut() else { return };
    let absent = json!({ "type": "null" });
    if let Some(reference) = fields.remove("$ref") {
        fields.insert("anyOf".to_owned(), json!([{ "$ref": reference }, absent]));
    } else if let Some(Value::Array(any)) = fields.get_mut("anyOf") {
        any.push(absent);
    } else if let Some(kind) = fields.get_mut("type") {
        *kind = json!([kind.take(), "null"]);
        if let Some(Value::Array(words)) = fields.get_mut("enum") {
            words.push(Value::Null);
        }
    }
}

/// Says which integers fit.
fn bound(schema: &mut Map<String, Value>) {
    let maximum = match schema.get("format").and_then(Value::as_str) {
        Some("uint8") => u64::from(u8::MAX),
        Some("uint16") => u64::from(u16::MAX),
        Some("uint32") => u64::from(u32::MAX),
        Some("uint64") => u64::MAX,
        _ => return,
    };
    schema.entry("minimum").or_insert(json!(0));
    schema.entry("maximum").or_insert(json!(maximum));
}

/// Calls for every object of the document, of which those that are no schemas have no `format`.
fn each_schema(value: &mut Value, act: &mut impl FnMut(&mut Map<String, Value>)) {
    match value {
        Value::Object(fields) => {
            act(fields);
            fields.values_mut().for_each(|value| each_schema(value, act));
        }
        Value::Array(items) => items.iter_mut().for_each(|value| each_schema(value, act)),
        _ => {}
    }
}
