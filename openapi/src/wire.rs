//! How a wire type is declared, and the small shapes that many calls share.

/// Declares what a client sends: camelCase, unknown fields refused by name.
macro_rules! request {
    ($($(#[$meta:meta])* pub struct $name:ident { $($body:tt)* })*) => { $(
        $(#[$meta])*
        #[serde_with::skip_serializing_none]
        #[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize, poem_openapi::Object)]
        #[serde(rename_all = "camelCase", deny_unknown_fields)]
        #[oai(rename_all = "camelCase", deny_unknown_fields)]
        pub struct $name { $($body)* }
    )* };
}

/// Declares what the server sends: camelCase, absent fields left out. A reader ignores fields that
/// it does not know, so that an older console can talk to a newer server.
macro_rules! answer {
    ($($(#[$meta:meta])* pub struct $name:ident { $($body:tt)* })*) => { $(
        $(#[$meta])*
        #[serde_with::skip_serializing_none]
        #[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize, poem_openapi::Object)]
        #[serde(rename_all = "camelCase")]
        #[oai(rename_all = "camelCase")]
        pub struct $name { $($body)* }
    )* };
}

/// Declares a closed set of words, written as given.
macro_rules! words {
    ($(#[$meta:meta])* pub enum $name:ident { $($(#[$vmeta:meta])* $variant:ident = $word:literal),* $(,)? }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize, poem_openapi::Enum)]
        pub enum $name { $($(#[$vmeta])* #[serde(rename = $word)] #[oai(rename = $word)] $variant),* }

        impl $name {
            /// Every word, in the order of the declaration.
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            /// The word as it stands on the wire.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word),* }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }
    };
}

answer! {
    /// The call succeeded and there is nothing more to say.
    pub struct Acknowledgement {}

    /// Where a page stands in its list.
    pub struct Pagination {
        /// Counted from 1.
        pub current_page: u32,
        pub limit: u32,
        pub total_count: u64,
        pub has_prev_page: bool,
        pub has_next_page: bool,
    }
}

/// Which page of a list a caller wants. Out-of-range wishes are brought into range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageRequest {
    /// Counted from 1.
    pub page: u32,
    /// 1 to [`PageRequest::MAX_LIMIT`].
    pub limit: u32,
}

impl PageRequest {
    /// No list answers more rows at once.
    pub const MAX_LIMIT: u32 = 100;

    pub fn new(page: Option<u32>, limit: Option<u32>, default_limit: u32) -> Self {
        Self { page: page.unwrap_or(1).max(1), limit: limit.unwrap_or(default_limit).clamp(1, Self::MAX_LIMIT) }
    }

    /// How many rows come before this page.
    pub fn offset(self) -> u64 {
        u64::from(self.page - 1) * u64::from(self.limit)
    }

    /// The answer's pagination for a list of `total_count` rows.
    pub fn pagination(self, total_count: u64) -> Pagination {
        Pagination {
            current_page: self.page,
            limit: self.limit,
            total_count,
            has_prev_page: self.page > 1,
            has_next_page: self.offset() + u64::from(self.limit) < total_count,
        }
    }
}

/// One page of rows, whatever they are.
#[derive(Debug, Clone, PartialEq)]
pub struct Page<T> {
    pub rows: Vec<T>,
    pub total_count: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_request_stays_in_range() {
        let request = PageRequest::new(Some(0), Some(5_000), 50);
        assert_eq!((request.page, request.limit), (1, 100));
        let second = PageRequest::new(Some(2), None, 50);
        assert_eq!(second.offset(), 50);
        let pagination = second.pagination(101);
        assert!(pagination.has_prev_page && pagination.has_next_page);
        assert!(!second.pagination(100).has_next_page);
    }
}
