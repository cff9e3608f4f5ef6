//! The action API: a resource answers reads as `GET <resource>?action=A&payload=<JSON text>` and
//! writes as `POST <resource>` with `{"action": "A", "payload": {…}}`. Each action is also an operation of its own:
//! `GET <resource>/A?payload=<JSON text>`, or `POST <resource>/A` with the payload as its body.

use poem_openapi::{
    registry::{
        MetaDiscriminatorObject, MetaMediaType, MetaOperation, MetaOperationParam, MetaParamIn, MetaPath, MetaRequest,
        MetaResponse, MetaResponses, MetaSchema, MetaSchemaRef, Registry,
    },
    types::Type,
};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Value, value::RawValue};

use crate::Failure;

/// One action: its payload is the implementing type, its answer is named here.
pub trait Action: Serialize + DeserializeOwned + Type + 'static {
    type Answer: Serialize + DeserializeOwned + Type + 'static;
    /// The resource it belongs to, for example `game`.
    const RESOURCE: &'static str;
    /// Its name on the wire, for example `create_game`.
    const NAME: &'static str;
    const KIND: Kind;
}

/// Whether an action changes anything, which decides the HTTP method.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Read,
    Write,
}

/// What the document says of one action.
#[derive(Debug, Clone)]
pub struct ActionSpec {
    pub name: &'static str,
    pub payload: String,
    pub answer: String,
    /// Whether the payload has fields. Without any, a write needs no body.
    pub has_fields: bool,
    /// Whether one of its fields is required.
    pub needs_payload: bool,
}

impl ActionSpec {
    pub fn of<A: Action>() -> Self {
        let mut registry = Registry::new();
        A::register(&mut registry);
        let payload = A::name().into_owned();
        let schema = registry.schemas.get(&payload);
        Self {
            name: A::NAME,
            has_fields: schema.is_none_or(|schema| !schema.properties.is_empty()),
            needs_payload: schema.is_none_or(|schema| !schema.required.is_empty()),
            payload,
            answer: A::Answer::name().into_owned(),
        }
    }
}

/// Why a call of the action API could not be read. Nothing was done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ActionError {
    /// No such action; the nearest known ones are for the message.
    Unknown { action: String, known: &'static [&'static str] },
    /// The payload does not fit; the text names the field.
    Malformed(String),
    /// A text that is no id, where the payload has one: nothing can have it.
    NoSuchId,
}

impl std::fmt::Display for ActionError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Unknown { action, known } => {
                // A hostile name is not echoed whole.
                let shown: String = action.chars().take(64).collect();
                write!(f, "Unknown action '{shown}'. Known here: {}.", known.join(", "))
            }
            Self::Malformed(text) => f.write_str(text),
            Self::NoSuchId => f.write_str(NO_SUCH_ID),
        }
    }
}

/// All reads, or all writes, of one resource.
pub trait ActionSet: Sized + Send + 'static {
    const RESOURCE: &'static str;
    const KIND: Kind;
    const NAMES: &'static [&'static str];

    /// The action with its payload; an absent payload counts as `{}`.
    fn parse(action: &str, payload: Option<&RawValue>) -> Result<Self, ActionError>;

    /// The action's name on the wire.
    fn name(&self) -> &'static str;

    fn specs() -> Vec<ActionSpec>;

    fn register(registry: &mut Registry);
}

/// Reads a payload, naming the field that is wrong.
pub fn parse_payload<T: DeserializeOwned>(payload: Option<&RawValue>) -> Result<T, ActionError> {
    let text = payload.map_or("{}", RawValue::get);
    // serde would take a list for an object, its items for the fields in their order.
    if !text.trim_start().starts_with('{') {
        return Err(ActionError::Malformed("payload: it must be an object.".to_owned()));
    }
    let read = |text: &str| serde_path_to_error::deserialize(&mut serde_json::Deserializer::from_str(text));
    with_whole_numbers(text, read).map_err(|error| {
        let path = error.path().to_string();
        let reason = strip_position(&error.inner().to_string());
        if is_no_id(&reason) {
            return ActionError::NoSuchId;
        }
        ActionError::Malformed(if path == "." {
            format!("payload: {reason}.")
        } else {
            format!("payload.{path}: {reason}.")
        })
    })
}

/// Reads JSON in which a whole number is an integer, however it is written: to JSON and to JSON Schema 3.0 is 3, and the writers of
/// some languages know no other.
pub fn with_whole_numbers<T, E>(text: &str, read: impl Fn(&str) -> Result<T, E>) -> Result<T, E> {
    read(text).or_else(|error| {
        let whole = without_zeros(text);
        if whole == text { Err(error) } else { read(&whole) }
    })
}

/// JSON with `3` where it has `3.0`.
fn without_zeros(json: &str) -> String {
    let (mut written, mut rest) = (String::with_capacity(json.len()), json.chars());
    let (mut is_text, mut is_escaped) = (false, false);
    while let Some(char) = rest.next() {
        if char == '.' && !is_text {
            let after = rest.as_str().trim_start_matches('0');
            if after.len() < rest.as_str().len()
                && !after.starts_with(['1', '2', '3', '4', '5', '6', '7', '8', '9', 'e', 'E'])
            {
                rest = after.chars();
                continue;
            }
        }
        is_text ^= char == '"' && !is_escaped;
        is_escaped = is_text && char == '\\' && !is_escaped;
        written.push(char);
    }
    written
}

/// What is answered where a text is no id.
pub const NO_SUCH_ID: &str = "Nothing has this id.";

/// Whether a value could not be read because it is a text, but no id. Every type of id says so in these words; a reason
/// begins with words of the reader, never with what was sent.
pub fn is_no_id(reason: &str) -> bool {
    reason.starts_with("UUID parsing failed")
}

/// serde_json's ` at line 1 column 7` says nothing to who sends one line.
pub fn strip_position(message: &str) -> String {
    message.split(" at line ").next().unwrap_or(message).to_owned()
}

/// Registers an answer's schema with the `succeeded` that every answer carries.
pub fn register_answer<T: Type>(registry: &mut Registry) {
    T::register(registry);
    if let Some(schema) = registry.schemas.get_mut(T::name().as_ref())
        && !schema.properties.iter().any(|(name, _)| *name == "succeeded")
    {
        schema.properties.insert(0, ("succeeded", bool::schema_ref()));
        schema.required.insert(0, "succeeded");
    }
}

fn reference(name: &str) -> MetaSchemaRef {
    MetaSchemaRef::Reference(name.to_owned())
}

fn any_of(names: impl IntoIterator<Item = String>) -> MetaSchemaRef {
    let mut names: Vec<String> = names.into_iter().collect();
    names.sort();
    names.dedup();
    if let [name] = names.as_slice() {
        return reference(name);
    }
    MetaSchemaRef::Inline(Box::new(MetaSchema {
        any_of: names.iter().map(|name| reference(name)).collect(),
        ..MetaSchema::ANY
    }))
}

fn responses(specs: &[ActionSpec]) -> MetaResponses {
    let json = |schema| vec![MetaMediaType { content_type: "application/json; charset=utf-8", schema }];
    let response = |description, status, schema| MetaResponse {
        description,
        status,
        status_range: None,
        content: json(schema),
        headers: vec![],
    };
    MetaResponses {
        responses: vec![
            response("The action's answer.", Some(200), any_of(specs.iter().map(|s| s.answer.clone()))),
            response("The call failed; the status says how.", None, Failure::schema_ref()),
        ],
    }
}

fn operation(method: poem::http::Method, tag: &'static str, specs: &[ActionSpec]) -> MetaOperation {
    MetaOperation {
        method,
        tags: vec![tag],
        summary: None,
        description: None,
        external_docs: None,
        params: vec![],
        request: None,
        responses: responses(specs),
        deprecated: false,
        security: vec![],
        operation_id: None,
        code_samples: vec![],
    }
}

/// The name of the schema that wraps an action's payload in a `POST` body.
fn envelope_name(spec: &ActionSpec) -> String {
    format!("{}Action", spec.payload)
}

/// An action's payload as it stands in a query. The document's other half says of which schema it is.
fn payload_parameter(required: bool) -> MetaOperationParam {
    MetaOperationParam {
        name: "payload".into(),
        schema: MetaSchemaRef::Inline(Box::new(MetaSchema::new("string"))),
        in_type: MetaParamIn::Query,
        description: Some("The action's payload as JSON text.".into()),
        required,
        deprecated: false,
        explode: true,
        style: None,
    }
}

fn body(schema: MetaSchemaRef, required: bool) -> MetaRequest {
    let content = vec![MetaMediaType { content_type: "application/json; charset=utf-8", schema }];
    MetaRequest { description: None, content, required }
}

/// The operations of a resource, as they stand in the document: its reads and its writes, then each action by itself.
pub fn meta<R: ActionSet, W: ActionSet>(path: &str, read_id: &'static str, write_id: &'static str) -> Vec<MetaPath> {
    use poem::http::Method;
    let (reads, writes) = (R::specs(), W::specs());
    let mut get = operation(Method::GET, R::RESOURCE, &reads);
    get.operation_id = Some(read_id);
    get.summary = Some("Reads: one of the actions, its payload as JSON text");
    get.params = vec![
        MetaOperationParam {
            name: "action".into(),
            schema: MetaSchemaRef::Inline(Box::new(MetaSchema {
                enum_items: R::NAMES.iter().map(|name| Value::from(*name)).collect(),
                ..MetaSchema::new("string")
            })),
            in_type: MetaParamIn::Query,
            description: None,
            required: true,
            deprecated: false,
            explode: true,
            style: None,
        },
        payload_parameter(false),
    ];
    let mut operations = vec![get];
    if !W::NAMES.is_empty() {
        let mut post = operation(Method::POST, W::RESOURCE, &writes);
        post.operation_id = Some(write_id);
        post.summary = Some("Writes: one of the actions with its payload");
        let envelopes = MetaSchemaRef::Inline(Box::new(MetaSchema {
            one_of: writes.iter().map(|spec| reference(&envelope_name(spec))).collect(),
            discriminator: Some(MetaDiscriminatorObject {
                property_name: "action",
                mapping: writes
                    .iter()
                    .map(|spec| (spec.name.to_owned(), format!("#/components/schemas/{}", envelope_name(spec))))
                    .collect(),
            }),
            ..MetaSchema::ANY
        }));
        post.request = Some(body(envelopes, true));
        operations.push(post);
    }
    let mut paths = vec![MetaPath { path: path.to_owned(), operations }];
    let own =
        |spec: &ActionSpec, operation| MetaPath { path: format!("{path}/{}", spec.name), operations: vec![operation] };
    for spec in &reads {
        let mut get = operation(Method::GET, R::RESOURCE, std::slice::from_ref(spec));
        get.params = vec![payload_parameter(spec.needs_payload)];
        paths.push(own(spec, get));
    }
    for spec in &writes {
        let mut post = operation(Method::POST, W::RESOURCE, std::slice::from_ref(spec));
        post.request = Some(body(reference(&spec.payload), spec.has_fields));
        paths.push(own(spec, post));
    }
    paths
}

/// Registers everything a resource's operations refer to.
pub fn register<R: ActionSet, W: ActionSet>(registry: &mut Registry) {
    Failure::register(registry);
    R::register(registry);
    W::register(registry);
    for spec in W::specs() {
        let envelope = MetaSchema {
            required: vec!["action", "payload"],
            properties: vec![
                (
                    "action",
                    MetaSchemaRef::Inline(Box::new(MetaSchema {
                        enum_items: vec![Value::from(spec.name)],
                        ..MetaSchema::new("string")
                    })),
                ),
                ("payload", reference(&spec.payload)),
            ],
            ..MetaSchema::new("object")
        };
        registry.schemas.insert(envelope_name(&spec), envelope);
    }
}

/// Declares a resource: its reads and writes, each with payload and answer.
macro_rules! actions {
    (
        resource $resource:literal;
        $(#[$rmeta:meta])* reads $reads:ident { $($rname:literal: $rpayload:ident => $ranswer:ty;)* }
        $(#[$wmeta:meta])* writes $writes:ident { $($wname:literal: $wpayload:ident => $wanswer:ty;)* }
    ) => {
        actions!(@set $resource, Read, $(#[$rmeta])* $reads, $($rname: $rpayload => $ranswer;)*);
        actions!(@set $resource, Write, $(#[$wmeta])* $writes, $($wname: $wpayload => $wanswer;)*);
    };
    (@set $resource:literal, $kind:ident, $(#[$meta:meta])* $set:ident, $($name:literal: $payload:ident => $answer:ty;)*) => {
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq)]
        pub enum $set { $($payload($payload)),* }

        $(impl $crate::action::Action for $payload {
            type Answer = $answer;
            const RESOURCE: &'static str = $resource;
            const NAME: &'static str = $name;
            const KIND: $crate::action::Kind = $crate::action::Kind::$kind;
        })*

        impl $crate::action::ActionSet for $set {
            const RESOURCE: &'static str = $resource;
            const KIND: $crate::action::Kind = $crate::action::Kind::$kind;
            const NAMES: &'static [&'static str] = &[$($name),*];

            fn parse(
                action: &str,
                payload: Option<&serde_json::value::RawValue>,
            ) -> Result<Self, $crate::action::ActionError> {
                let _ = payload;
                match action {
                    $($name => $crate::action::parse_payload(payload).map(Self::$payload),)*
                    _ => Err($crate::action::ActionError::Unknown { action: action.to_owned(), known: Self::NAMES }),
                }
            }

            fn name(&self) -> &'static str {
                match *self { $(Self::$payload(_) => $name),* }
            }

            fn specs() -> Vec<$crate::action::ActionSpec> {
                vec![$($crate::action::ActionSpec::of::<$payload>()),*]
            }

            fn register(registry: &mut poem_openapi::registry::Registry) {
                use poem_openapi::types::Type;
                $(
                    <$payload>::register(registry);
                    $crate::action::register_answer::<$answer>(registry);
                )*
                let _ = registry;
            }
        }
    };
}
pub(crate) use actions;

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[derive(Debug, PartialEq, serde::Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    struct Payload {
        event_id: Uuid,
        user_ids: Option<Vec<Uuid>>,
    }

    fn parsed(text: &str) -> Result<Payload, ActionError> {
        parse_payload(Some(&RawValue::from_string(text.to_owned()).unwrap()))
    }

    #[test]
    fn a_whole_number_is_an_integer_however_it_is_written() {
        #[derive(Debug, PartialEq, serde::Deserialize)]
        struct Numbers {
            row: u8,
            share: f64,
            text: String,
        }
        let read = |text: &str| with_whole_numbers(text, |text| serde_json::from_str::<Numbers>(text));
        let text = r#"{"row": 2.00, "share": 1.50, "text": "3.0 \\\" 4.0"}"#;
        let numbers = Numbers { row: 2, share: 1.5, text: r#"3.0 \" 4.0"#.to_owned() };
        assert_eq!(read(text).unwrap(), numbers);
        assert_eq!(read(&text.replace("1.50", "1.0")).unwrap(), Numbers { share: 1.0, ..numbers });
        for wrong in ["2.5", "2.05", "2.0e0", "256.0", "-1.0"] {
            assert!(read(&text.replace("2.00", wrong)).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_text_that_is_no_id_is_the_id_of_nothing() {
        let id = Uuid::from_u128(7);
        for bad in ["", "xyz", "0", "00000000-0000-0000-0000-00000000000g", "../../x", "é"] {
            assert_eq!(parsed(&serde_json::json!({ "eventId": bad }).to_string()), Err(ActionError::NoSuchId), "{bad}");
            let list = serde_json::json!({ "eventId": id, "userIds": [id, bad] });
            assert_eq!(parsed(&list.to_string()), Err(ActionError::NoSuchId), "{bad}");
        }
        for malformed in [r#"{"eventId":7}"#, "{}", r#"{"UUID parsing failed":1}"#] {
            assert!(matches!(parsed(malformed), Err(ActionError::Malformed(_))), "{malformed}");
        }
    }
}
