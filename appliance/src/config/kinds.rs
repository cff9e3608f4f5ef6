//! What a value is by its type in [`Config`]: a secret, or a path. What is hidden, left out of backups, and told of a restored
//! configuration follows from it, so that a new setting needs its type only.

use std::{cell::RefCell, collections::BTreeMap};

use serde::{
    Deserialize, Deserializer,
    de::{
        IntoDeserializer, Visitor,
        value::{MapDeserializer, SeqDeserializer},
    },
    forward_to_deserialize_any,
};
use toml::{Table, Value};

use super::{Config, oidc};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Secret,
    /// A URL, which may have a user and a password.
    UrlWithUser,
    /// A file, a folder, or another place.
    Path,
}

/// Types that are of a kind, by the names that serde gives them.
const NAMES: [(&str, Kind); 3] =
    [("Secret", Kind::Secret), ("UrlWithUser", Kind::UrlWithUser), ("ConfiguredPath", Kind::Path)];

/// The kinds of values by their names, such as `mail.password` or `list[0].key`. Others have none.
pub(super) type Kinds = BTreeMap<String, Kind>;

/// A text of [`Kind::UrlWithUser`].
#[derive(Deserialize)]
pub(super) struct UrlWithUser(pub String);

/// A text of [`Kind::Path`].
#[derive(Deserialize)]
pub(super) struct ConfiguredPath(pub String);

/// The kinds of all values of a whole configuration.
///
/// # Errors
/// It is none.
pub(super) fn of(settings: &Table) -> Result<Kinds, toml::de::Error> {
    let found = RefCell::new(Kinds::new());
    let value = Value::Table(oidc::apart(settings));
    Config::deserialize(Walk { name: String::new(), value, found: &found })?;
    Ok(found.into_inner().into_iter().map(|(name, kind)| (oidc::together(name), kind)).collect())
}

/// The name of a value in a table of this name.
pub(super) fn within(table: &str, name: &str) -> String {
    if table.is_empty() { name.to_owned() } else { format!("{table}.{name}") }
}

/// The name of a value in a list of this name.
pub(super) fn nth(list: &str, index: usize) -> String {
    format!("{list}[{index}]")
}

/// Reads a value, and notes which types it is read as.
struct Walk<'a> {
    name: String,
    value: Value,
    found: &'a RefCell<Kinds>,
}

impl<'de> Deserializer<'de> for Walk<'_> {
    type Error = toml::de::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
        let Self { name, value, found } = self;
        match value {
            Value::Table(table) => visitor.visit_map(MapDeserializer::new(table.into_iter().map(|(key, value)| {
                let name = within(&name, &key);
                (key, Walk { name, value, found })
            }))),
            Value::Array(items) => {
                visitor.visit_seq(SeqDeserializer::new(items.into_iter().enumerate().map(|(at, value)| Walk {
                    name: nth(&name, at),
                    value,
                    found,
                })))
            }
            value => value.deserialize_any(visitor),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        type_name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Self::Error> {
        if let Some((_, kind)) = NAMES.iter().find(|(name, _)| *name == type_name) {
            self.found.borrow_mut().insert(self.name.clone(), *kind);
        }
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
        visitor.visit_some(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Self::Error> {
        self.value.deserialize_enum(name, variants, visitor)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map struct identifier ignored_any
    }
}

impl IntoDeserializer<'_, toml::de::Error> for Walk<'_> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}
