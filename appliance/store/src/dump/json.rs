//! Values of the database as JSON, and back, without loss.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use chrono::{DateTime, SecondsFormat, Utc};
use serde_json::{Map, Value as Json, json};
use surrealdb::types::{Bytes, Datetime, Decimal, Duration, Number, Object, RecordId, RecordIdKey, Set, Value};
use uuid::Uuid;

/// What is wrong with a value, to be read after 'has'.
type Wrong = String;

pub(super) fn of(value: &Value) -> Result<Json, Wrong> {
    Ok(match value {
        Value::None => tagged("$none", true),
        Value::Null => Json::Null,
        Value::Bool(value) => (*value).into(),
        Value::Number(Number::Int(number)) => (*number).into(),
        // The shortest text that is read as the same number; JSON has no infinity.
        Value::Number(Number::Float(number)) => tagged("$float", format!("{number:?}")),
        Value::Number(Number::Decimal(number)) => tagged("$decimal", number.to_string()),
        Value::String(text) => text.as_str().into(),
        Value::Bytes(bytes) => tagged("$bytes", STANDARD.encode(&**bytes)),
        Value::Duration(duration) => tagged("$duration", json!([duration.as_secs(), duration.subsec_nanos()])),
        Value::Datetime(at) => tagged("$datetime", at.to_rfc3339_opts(SecondsFormat::AutoSi, true)),
        Value::Uuid(id) => tagged("$uuid", id.to_string()),
        Value::RecordId(id) => tagged("$record", json!([id.table.as_str(), of_key(&id.key)?])),
        Value::Array(values) => values.iter().map(of).collect::<Result<_, _>>()?,
        Value::Set(values) => tagged("$set", values.iter().map(of).collect::<Result<Json, _>>()?),
        Value::Object(object) => of_object(object)?,
        Value::Geometry(_) | Value::Table(_) | Value::File(_) | Value::Range(_) | Value::Regex(_) => {
            return Err("a value of a kind that Morpion does not use".to_owned());
        }
    })
}

pub(super) fn of_object(object: &Object) -> Result<Json, Wrong> {
    let mut fields = Map::new();
    for (name, value) in object.iter() {
        fields.insert(name.clone(), of(value)?);
    }
    let is_ambiguous = fields.keys().any(|name| name.starts_with('$'));
    Ok(if is_ambiguous { tagged("$object", Json::Object(fields)) } else { Json::Object(fields) })
}

pub(super) fn of_key(key: &RecordIdKey) -> Result<Json, Wrong> {
    of(&match key {
        RecordIdKey::Number(number) => Value::Number(Number::Int(*number)),
        RecordIdKey::String(text) => Value::String(text.clone()),
        RecordIdKey::Uuid(id) => Value::Uuid(*id),
        RecordIdKey::Array(values) => Value::Array(values.clone()),
        RecordIdKey::Object(object) => Value::Object(object.clone()),
        RecordIdKey::Range(_) => return Err("a range as its id".to_owned()),
    })
}

fn tagged(tag: &str, value: impl Into<Json>) -> Json {
    Json::Object(Map::from_iter([(tag.to_owned(), value.into())]))
}

pub(super) fn value(json: Json) -> Result<Value, Wrong> {
    Ok(match json {
        Json::Null => Value::Null,
        Json::Bool(value) => Value::Bool(value),
        Json::Number(number) => match number.as_i64() {
            Some(number) => Value::Number(Number::Int(number)),
            None => return Err(format!("the number {number}, which is no 64-bit integer")),
        },
        Json::String(text) => Value::String(text),
        Json::Array(items) => Value::Array(values(items)?.into()),
        Json::Object(fields) => match fields.iter().next() {
            Some((tag, _)) if tag.starts_with('$') && fields.len() == 1 => {
                let (tag, content) = fields.into_iter().next().unwrap_or_default();
                of_tag(&tag, content)?
            }
            _ => Value::Object(plain_object(fields)?),
        },
    })
}

/// A record's fields.
pub(super) fn object(json: Json) -> Result<Object, Wrong> {
    match value(json)? {
        Value::Object(object) => Ok(object),
        _ => Err("a value that is no object".to_owned()),
    }
}

/// A record's id.
pub(super) fn key(json: Json) -> Result<RecordIdKey, Wrong> {
    Ok(match value(json)? {
        Value::Number(Number::Int(number)) => RecordIdKey::Number(number),
        Value::String(text) => RecordIdKey::String(text),
        Value::Uuid(id) => RecordIdKey::Uuid(id),
        Value::Array(values) => RecordIdKey::Array(values),
        Value::Object(object) => RecordIdKey::Object(object),
        _ => return Err("an id of a kind that there is not".to_owned()),
    })
}

fn values(values: Vec<Json>) -> Result<Vec<Value>, Wrong> {
    values.into_iter().map(value).collect()
}

fn plain_object(fields: Map<String, Json>) -> Result<Object, Wrong> {
    let mut object = Object::new();
    for (name, field) in fields {
        object.insert(name, value(field)?);
    }
    Ok(object)
}

fn of_tag(tag: &str, content: Json) -> Result<Value, Wrong> {
    let wrong = format!("{tag} with something else than it needs");
    let parsed = match (tag, content) {
        ("$none", Json::Bool(true)) => Some(Value::None),
        ("$float", Json::String(text)) => text.parse().ok().map(|number| Value::Number(Number::Float(number))),
        ("$decimal", Json::String(text)) => {
            text.parse::<Decimal>().ok().map(|number| Value::Number(Number::Decimal(number)))
        }
        ("$bytes", Json::String(text)) => STANDARD.decode(text).ok().map(|bytes| Value::Bytes(Bytes::from(bytes))),
        ("$duration", Json::Array(parts)) => match parts.as_slice() {
            [seconds, nanos] => duration(seconds, nanos).map(Value::Duration),
            _ => None,
        },
        ("$datetime", Json::String(text)) => {
            DateTime::parse_from_rfc3339(&text).ok().map(|at| Value::Datetime(Datetime::from(at.with_timezone(&Utc))))
        }
        ("$uuid", Json::String(text)) => Uuid::parse_str(&text).ok().map(|id| Value::Uuid(id.into())),
        ("$record", Json::Array(parts)) => match <[Json; 2]>::try_from(parts) {
            Ok([Json::String(table), id]) => Some(Value::RecordId(RecordId::new(table, key(id)?))),
            _ => None,
        },
        ("$set", Json::Array(items)) => Some(Value::Set(Set::from(values(items)?))),
        ("$object", Json::Object(fields)) => Some(Value::Object(plain_object(fields)?)),
        _ => None,
    };
    parsed.ok_or(wrong)
}

fn duration(seconds: &Json, nanos: &Json) -> Option<Duration> {
    let nanos = u32::try_from(nanos.as_u64()?).ok().filter(|nanos| *nanos < 1_000_000_000)?;
    Some(Duration::from(std::time::Duration::new(seconds.as_u64()?, nanos)))
}

#[cfg(test)]
mod tests {
    use surrealdb::types::Array;

    use super::*;

    fn there_and_back(original: Value) {
        let text = of(&original).unwrap().to_string();
        let read = value(serde_json::from_str(&text).unwrap()).unwrap();
        assert_eq!(read, original, "{text}");
    }

    #[test]
    fn every_value_survives() {
        let id = Uuid::from_u128(7);
        let object = |name: &str, value: Value| {
            let mut object = Object::new();
            object.insert(name.to_owned(), value);
            object
        };
        for original in [
            Value::None,
            Value::Null,
            Value::Bool(true),
            Value::Number(Number::Int(i64::MIN)),
            Value::Number(Number::Int(i64::MAX)),
            Value::Number(Number::Float(0.1 + 0.2)),
            Value::Number(Number::Float(f64::NEG_INFINITY)),
            Value::Number(Number::Decimal("12345678901234567890.00010".parse().unwrap())),
            Value::String("Ü \u{0} \u{2028} \"\n".to_owned()),
            Value::Bytes(Bytes::from((0..=255).collect::<Vec<u8>>())),
            Value::Duration(Duration::from(std::time::Duration::new(u64::MAX, 999_999_999))),
            Value::Datetime(Datetime::from(DateTime::from_timestamp(1_700_000_000, 123_456_789).unwrap())),
            Value::Datetime(Datetime::from(DateTime::from_timestamp(-1, 0).unwrap())),
            Value::Uuid(id.into()),
            Value::RecordId(RecordId::new("user", surrealdb::types::Uuid::from(id))),
            Value::RecordId(RecordId::new("a", RecordIdKey::Array(vec![Value::Number(Number::Int(-3))].into()))),
            Value::Array(vec![Value::None, Value::Array(Array::new())].into()),
            Value::Set(Set::from(vec![Value::Bool(false), Value::String(String::new())])),
            Value::Object(object("a", Value::Null)),
            Value::Object(object("$none", Value::Bool(true))),
            Value::Object(object("$x", Value::Object(object("$object", Value::Null)))),
        ] {
            there_and_back(original);
        }
        there_and_back(Value::Object(Object::new()));
    }

    #[test]
    fn what_is_no_value_is_refused() {
        for text in [
            "1.5",
            "18446744073709551615",
            r#"{"$none": false}"#,
            r#"{"$float": 1}"#,
            r#"{"$bytes": "?"}"#,
            r#"{"$datetime": "yesterday"}"#,
            r#"{"$duration": [1, 1000000000]}"#,
            r#"{"$duration": [-1, 0]}"#,
            r#"{"$uuid": "7"}"#,
            r#"{"$record": ["user"]}"#,
            r#"{"$record": ["user", null]}"#,
            r#"{"$unknown": 1}"#,
            r#"{"a": [{"$set": {}}]}"#,
        ] {
            value(serde_json::from_str(text).unwrap()).unwrap_err();
        }
        key(json!({ "$float": "1.0" })).unwrap_err();
        key(json!(null)).unwrap_err();
        object(json!([])).unwrap_err();
        assert_eq!(object(json!({ "$object": { "$a": 1 } })).unwrap().len(), 1);
    }
}
