//! One log record, kept small: there are up to a hundred thousand of them.

use std::sync::{Arc, LazyLock};

use morpion_openapi::{
    Timestamp,
    logger::{ClaimedField, LogEntry, LogLevel},
};
use regex::Regex;
use uuid::Uuid;

#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    pub id: Box<str>,
    pub level: LogLevel,
    /// Unix milliseconds.
    pub at: i64,
    /// Interned: there are few different ones.
    pub service: Arc<str>,
    pub platform: Arc<str>,
    pub message: Box<str>,
    /// What most records do not have.
    pub details: Option<Box<RecordDetails>>,
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct RecordDetails {
    pub user_id: Option<Uuid>,
    pub session_id: Option<Box<str>>,
    pub request_id: Option<Box<str>>,
    pub file_name: Option<Box<str>>,
    pub context: Option<Box<str>>,
    pub stack: Option<Box<str>>,
    /// What only the client says.
    pub claimed: Option<Box<[ClaimedField]>>,
}

impl RecordDetails {
    fn texts(&self) -> impl Iterator<Item = &str> {
        [&self.session_id, &self.request_id, &self.file_name, &self.context, &self.stack]
            .into_iter()
            .flatten()
            .map(|text| &**text)
    }
}

/// What an allocation costs beside its content, about.
const ALLOCATION: usize = 16;

impl Record {
    pub fn new(entry: LogEntry, shared: &mut Interner) -> Self {
        let boxed = |text: Option<String>| text.map(String::into_boxed_str);
        let details = RecordDetails {
            user_id: entry.user_id,
            session_id: boxed(entry.session_id),
            request_id: boxed(entry.request_id),
            file_name: boxed(entry.file_name),
            context: boxed(entry.context),
            stack: boxed(entry.stack),
            claimed: entry.claimed.map(Vec::into_boxed_slice),
        };
        Self {
            id: entry.log_id.into(),
            level: entry.level,
            at: entry.timestamp.as_millis(),
            service: shared.share(&entry.service),
            platform: shared.share(&entry.platform),
            message: entry.message.into(),
            details: (details != RecordDetails::default()).then(|| Box::new(details)),
        }
    }

    /// Its sort key: its time, and within a millisecond its position in the server's log, which its
    /// id says.
    pub fn order(&self) -> (i64, Option<(u64, u64)>) {
        let place = self.id.split_once('-').and_then(|(chunk, index)| Some((chunk.parse().ok()?, index.parse().ok()?)));
        (self.at, place)
    }

    /// As it came over the wire.
    pub fn to_entry(&self) -> LogEntry {
        let details = self.details.as_deref().cloned().unwrap_or_default();
        let string = |text: Option<Box<str>>| text.map(String::from);
        LogEntry {
            id: self.id.to_string(),
            log_id: self.id.to_string(),
            level: self.level,
            platform: self.platform.to_string(),
            service: self.service.to_string(),
            message: self.message.to_string(),
            timestamp: Timestamp::from_millis(self.at),
            user_id: details.user_id,
            session_id: string(details.session_id),
            request_id: string(details.request_id),
            file_name: string(details.file_name),
            context: string(details.context),
            stack: string(details.stack),
            claimed: details.claimed.map(Vec::from),
        }
    }

    /// The memory it takes, about.
    pub fn bytes(&self) -> usize {
        let details = self.details.as_ref().map_or(0, |details| {
            size_of::<RecordDetails>() + ALLOCATION + details.texts().map(|text| text.len() + ALLOCATION).sum::<usize>()
        });
        size_of::<Self>() + self.id.len() + self.message.len() + 2 * ALLOCATION + details
    }

    /// Everything in it that can be searched.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        [&*self.message, &*self.service].into_iter().chain(self.details.iter().flat_map(|details| details.texts()))
    }

    pub fn user_id(&self) -> Option<Uuid> {
        self.details.as_ref().and_then(|details| details.user_id)
    }

    pub fn request_id(&self) -> Option<&str> {
        self.details.as_ref().and_then(|details| details.request_id.as_deref())
    }

    pub fn session_id(&self) -> Option<&str> {
        self.details.as_ref().and_then(|details| details.session_id.as_deref())
    }

    /// The game it speaks of: the id that follows the word `game` in its context or its message.
    pub fn game_id(&self) -> Option<Uuid> {
        static GAME: LazyLock<Regex> = LazyLock::new(|| {
            Regex::new(r#"(?i)game(?:_?id)?["':=\s]{1,6}([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})"#)
                .expect("a fixed expression")
        });
        let context = self.details.as_deref().and_then(|details| details.context.as_deref());
        let found = [context, Some(&*self.message)].into_iter().flatten().find_map(|text| GAME.captures(text))?;
        Uuid::try_parse(&found[1]).ok()
    }
}

/// Texts that many records have in common.
#[derive(Debug, Default)]
pub struct Interner(Vec<Arc<str>>);

/// A program has some tens of parts; a client that makes names up does not fill this.
const MAX_SHARED: usize = 256;

impl Interner {
    fn share(&mut self, text: &str) -> Arc<str> {
        if let Some(known) = self.0.iter().find(|known| ***known == *text) {
            return Arc::clone(known);
        }
        let new: Arc<str> = text.into();
        if self.0.len() < MAX_SHARED {
            self.0.push(Arc::clone(&new));
        }
        new
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(message: &str, context: Option<&str>) -> Record {
        let entry = LogEntry {
            id: "1".to_owned(),
            log_id: "1".to_owned(),
            level: LogLevel::Info,
            platform: "server".to_owned(),
            service: "play".to_owned(),
            message: message.to_owned(),
            timestamp: Timestamp::from_millis(1),
            user_id: None,
            session_id: None,
            request_id: None,
            file_name: None,
            context: context.map(str::to_owned),
            stack: None,
            claimed: Some(vec![ClaimedField::RequestId]),
        };
        let record = Record::new(entry.clone(), &mut Interner::default());
        assert_eq!(record.to_entry(), entry, "nothing is lost by keeping it small");
        record
    }

    #[test]
    fn the_game_id_of_a_record_is_found() {
        let id: Uuid = "0f5e7a4c-3d0b-4b7e-9a51-6c1d2e3f4a5b".parse().expect("an id");
        for (message, context) in [
            (format!("game {id} ended"), None),
            ("ended".to_owned(), Some(format!(r#"{{"gameId":"{id}","moves":7}}"#))),
            ("ended".to_owned(), Some(format!("game_id={id}"))),
        ] {
            assert_eq!(record(&message, context.as_deref()).game_id(), Some(id), "{message} {context:?}");
        }
        assert_eq!(record(&format!("user {id} plays a game"), None).game_id(), None);
        assert_eq!(record("a game of größe", None).game_id(), None);
    }
}
