//! One record of the log, and its cursor.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// Bytes of each text that are stored; longer ones are truncated.
const MAX_MESSAGE: usize = 4 * 1024;
const MAX_CONTEXT: usize = 8 * 1024;
const MAX_STACK: usize = 16 * 1024;
const MAX_NAME: usize = 256;

/// The service of records that clients send. Nothing of the server has it, so it marks what clients claim.
pub const CLIENT: &str = "webapp";

/// The platform of the server's own records.
pub const SERVER: &str = "server";

/// The level of a record, the most severe first. `tracing`'s trace level counts as debug.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Level {
    Error,
    Warning,
    Info,
    Debug,
}

impl Level {
    pub const ALL: [Self; 4] = [Self::Error, Self::Warning, Self::Info, Self::Debug];
}

impl From<tracing::Level> for Level {
    fn from(level: tracing::Level) -> Self {
        match level {
            tracing::Level::ERROR => Self::Error,
            tracing::Level::WARN => Self::Warning,
            tracing::Level::INFO => Self::Info,
            _ => Self::Debug,
        }
    }
}

/// A record, see `docs/behaviour/logs.md#records`. Its texts are owned, or borrowed from the chunk that it is read
/// from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Record<T = String> {
    /// When the server received it, in Unix milliseconds.
    pub at: i64,
    pub level: Level,
    /// `server`, or the client's platform: `web`.
    pub platform: T,
    /// The part of the program it came from.
    pub service: T,
    pub message: T,
    pub user: Option<Uuid>,
    pub session: Option<T>,
    pub request: Option<T>,
    pub file: Option<T>,
    pub context: Option<T>,
    pub stack: Option<T>,
}

impl Record {
    /// Truncates long texts; secrets are redacted before.
    pub fn bounded(mut self) -> Self {
        cut(&mut self.message, MAX_MESSAGE);
        cut(&mut self.platform, MAX_NAME);
        for (text, longest) in [
            (&mut self.context, MAX_CONTEXT),
            (&mut self.stack, MAX_STACK),
            (&mut self.file, MAX_NAME),
            (&mut self.session, MAX_NAME),
            (&mut self.request, MAX_NAME),
        ] {
            if let Some(text) = text {
                cut(text, longest);
            }
        }
        self
    }
}

impl<T: AsRef<str>> Record<T> {
    /// The texts that a search looks through.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        let more = [&self.context, &self.file, &self.stack];
        std::iter::once(&self.message).chain(more.into_iter().flatten()).map(AsRef::as_ref)
    }

    pub fn to_owned(&self) -> Record {
        let own = |text: &T| text.as_ref().to_owned();
        Record {
            at: self.at,
            level: self.level,
            platform: own(&self.platform),
            service: own(&self.service),
            message: own(&self.message),
            user: self.user,
            session: self.session.as_ref().map(own),
            request: self.request.as_ref().map(own),
            file: self.file.as_ref().map(own),
            context: self.context.as_ref().map(own),
            stack: self.stack.as_ref().map(own),
        }
    }
}

/// Cuts a text between two characters, and marks it as cut.
pub fn cut(text: &mut String, longest: usize) {
    if text.len() > longest {
        text.truncate(text.floor_char_boundary(longest));
        text.push('…');
    }
}

/// The position of a record: the number of its chunk, and its index there. Cursors are ordered by arrival, and
/// consecutive ones differ by one, so that a follower notices gaps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cursor {
    pub chunk: u64,
    pub index: u32,
}

impl fmt::Display for Cursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.chunk, self.index)
    }
}

impl FromStr for Cursor {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let (chunk, index) = text.split_once('-').ok_or(())?;
        Ok(Self { chunk: chunk.parse().map_err(drop)?, index: index.parse().map_err(drop)? })
    }
}

#[cfg(test)]
pub(super) fn sample(at: i64, level: Level, message: &str) -> Record {
    Record {
        at,
        level,
        platform: "server".to_owned(),
        service: "play".to_owned(),
        message: message.to_owned(),
        user: None,
        session: None,
        request: None,
        file: None,
        context: None,
        stack: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_cut_between_characters() {
        let record = sample(0, Level::Info, &"é".repeat(MAX_MESSAGE)).bounded();
        assert!(record.message.len() <= MAX_MESSAGE + '…'.len_utf8());
        assert!(record.message.ends_with("é…"));
    }

    #[test]
    fn a_place_is_read_back() {
        let cursor = Cursor { chunk: 12, index: 7 };
        assert_eq!(cursor.to_string().parse(), Ok(cursor));
        for bad in ["", "12", "-", "1-x", "x-1", "1-2-3"] {
            assert!(bad.parse::<Cursor>().is_err(), "{bad}");
        }
    }
}
