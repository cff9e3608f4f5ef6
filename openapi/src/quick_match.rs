//! Quick match: `docs/behaviour/quick-match.md`.

use std::borrow::Cow;

use poem_openapi::{
    registry::{MetaSchema, MetaSchemaRef},
    types::{ParseError, ParseFromJSON, ParseResult, ToJSON, Type},
};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::Pagination;

const SIZES: [u8; 4] = [3, 4, 5, 6];
const ANY: &str = "any";

words! {
    /// A time control of quick match: 15 s a turn, or a minute and 2 s a move.
    pub enum QuickMatchClock { Turn15 = "turn15", Increment = "1+2" }
}

request! {
    /// Who looks for an opponent, whoever has waited longest first.
    pub struct QuickMatchQueue {
        pub page: Option<u32>,
        pub limit: Option<u32>,
    }
}

answer! {
    /// Somebody who looks for an opponent.
    pub struct QueuedPlayer {
        pub user_id: Uuid,
        pub username: String,
        pub display_name: String,
        /// Where the picture is, 64 pixels wide; absent without one.
        pub profile_url: Option<String>,
        /// True for a bot, absent for people.
        pub is_bot: Option<bool>,
        pub board_size: BoardWish,
        pub clock: QuickMatchClock,
        pub rated: bool,
        pub rating: u32,
        /// The difference of ratings that is accepted by now.
        pub window: u32,
        pub waited_ms: i64,
        /// Without a connection: the place is kept for 30 s.
        pub away: bool,
    }

    pub struct QuickMatchQueueAnswer {
        pub players: Vec<QueuedPlayer>,
        /// People in games of quick match.
        pub playing: u32,
        pub pagination: Pagination,
    }
}

/// The board that a player wants: 3, 4, 5 or 6 cells a side, or `"any"`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BoardWish {
    Size(u8),
    Any,
}

impl BoardWish {
    fn read(value: &Value) -> Option<Self> {
        if value == ANY {
            return Some(Self::Any);
        }
        let size = u8::try_from(value.as_u64()?).ok()?;
        SIZES.contains(&size).then_some(Self::Size(size))
    }
}

impl Serialize for BoardWish {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Size(size) => serializer.serialize_u8(*size),
            Self::Any => serializer.serialize_str(ANY),
        }
    }
}

impl<'de> Deserialize<'de> for BoardWish {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        Self::read(&value).ok_or_else(|| D::Error::custom("a board is 3, 4, 5, 6 or \"any\""))
    }
}

impl Type for BoardWish {
    const IS_REQUIRED: bool = true;
    type RawValueType = Self;
    type RawElementValueType = Self;

    fn name() -> Cow<'static, str> {
        "BoardWish".into()
    }

    fn schema_ref() -> MetaSchemaRef {
        let one_of =
            |kind, values| MetaSchemaRef::Inline(Box::new(MetaSchema { enum_items: values, ..MetaSchema::new(kind) }));
        let sizes = one_of("integer", SIZES.iter().map(|size| json!(size)).collect());
        let any = one_of("string", vec![json!(ANY)]);
        MetaSchemaRef::Inline(Box::new(MetaSchema { any_of: vec![sizes, any], ..MetaSchema::ANY }))
    }

    fn as_raw_value(&self) -> Option<&Self::RawValueType> {
        Some(self)
    }

    fn raw_element_iter<'a>(&'a self) -> Box<dyn Iterator<Item = &'a Self> + 'a> {
        Box::new(std::iter::once(self))
    }
}

impl ParseFromJSON for BoardWish {
    fn parse_from_json(value: Option<Value>) -> ParseResult<Self> {
        serde_json::from_value(value.unwrap_or_default()).map_err(ParseError::custom)
    }
}

impl ToJSON for BoardWish {
    fn to_json(&self) -> Option<Value> {
        serde_json::to_value(self).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wished_board_is_a_size_or_any() {
        for (text, wish) in [("3", BoardWish::Size(3)), ("6", BoardWish::Size(6)), ("\"any\"", BoardWish::Any)] {
            assert_eq!(serde_json::from_str::<BoardWish>(text).unwrap(), wish);
            assert_eq!(serde_json::to_string(&wish).unwrap(), text);
        }
        for bad in ["2", "7", "3.5", "-3", "259", "\"3\"", "\"Any\"", "null", "[3]", "1e9"] {
            let error = serde_json::from_str::<BoardWish>(bad).unwrap_err().to_string();
            assert!(error.contains("a board is 3, 4, 5, 6 or \"any\""), "{bad}: {error}");
        }
    }
}
