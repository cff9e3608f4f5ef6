//! What those concerned are still to be told of events: `event_news`, written in the transaction of the change, removed
//! once everybody was told. See `docs/behaviour/notifications.md#changes-of-events`.

use chrono::{DateTime, Utc};
use surrealdb::types::{RecordId, SurrealValue, Uuid as DbUuid, Value, array, vars};
use uuid::Uuid;

use crate::Result;
use crate::store::{Store, last, rows};

/// Read at once: they are worked off page by page, so that a large event does not hold up the others.
const PAGE: i64 = 50;

/// Stores `$news` for every channel, if there are any, in place of earlier ones to the same people.
pub(crate) const TELL: &str = "IF $news != NONE { FOR $channel IN ['page', 'letter', 'calendar'] { \
    UPSERT type::record('event_news', [$news.event_id, $news.user_id ?? 'all', $channel]) CONTENT { \
        event_id: $news.event_id, user_id: $news.user_id, kind: $news.kind, title: $news.title, \
        starts_at: $news.starts_at, ends_at: $news.ends_at, at: $news.at, reason: $news.reason, channel: $channel, after: NONE \
    } RETURN NONE; }; };";

pub(crate) const NEWS_OF_CHANNEL: &str =
    "SELECT * FROM event_news WITH INDEX event_news_due WHERE channel = $channel ORDER BY at LIMIT $limit";

/// What became of an event, or of somebody's part in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, SurrealValue)]
#[surreal(untagged, rename_all = "lowercase")]
pub enum NewsKind {
    Cancelled,
    /// It starts or ends at another time.
    Moved,
    /// An admin signed them up.
    Added,
    /// An admin took them out.
    Removed,
    /// A director withdrew them.
    Withdrawn,
    /// A director disqualified them.
    Disqualified,
    /// A director lets them play again.
    Reinstated,
    /// The host of a private event invites them.
    Invited,
}

/// By which way people are told. Each is worked off by itself, since letters take longer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NewsChannel {
    /// Frames to open pages, pushes to others.
    Page,
    Letter,
    /// Entries in connected calendars.
    Calendar,
}

impl NewsChannel {
    fn word(self) -> &'static str {
        match self {
            Self::Page => "page",
            Self::Letter => "letter",
            Self::Calendar => "calendar",
        }
    }
}

/// What is to be told.
#[derive(Debug, Clone, PartialEq, Eq, SurrealValue)]
pub struct NewEventNews {
    pub event_id: Uuid,
    /// Whom; `None` for everybody who is signed up.
    pub user_id: Option<Uuid>,
    pub kind: NewsKind,
    pub title: String,
    pub starts_at: Option<DateTime<Utc>>,
    pub ends_at: Option<DateTime<Utc>>,
    pub at: DateTime<Utc>,
    /// Why, in the words of who did it.
    pub reason: Option<String>,
}

/// What is to be told, and how far it has been.
#[derive(Debug, Clone, PartialEq, Eq, SurrealValue)]
pub struct EventNewsRow {
    #[surreal(flatten)]
    pub news: NewEventNews,
    /// Everybody with an id up to this one was told.
    pub after: Option<Uuid>,
}

fn record(news: &NewEventNews, channel: NewsChannel) -> RecordId {
    let event = DbUuid::from(news.event_id);
    let key = match news.user_id {
        Some(user) => array![event, DbUuid::from(user), channel.word().to_owned()],
        None => array![event, "all".to_owned(), channel.word().to_owned()],
    };
    RecordId::new("event_news", key)
}

impl Store {
    /// What is still to be told by this way, the oldest first: a page.
    pub async fn event_news(&self, channel: NewsChannel) -> Result<Vec<EventNewsRow>> {
        let variables = vars! { channel: channel.word().to_owned(), limit: PAGE };
        let mut response = self.read(NEWS_OF_CHANNEL, variables).await?;
        rows(&mut response, 0)
    }

    /// Notes whom the news are told now: those with ids up to `after`, or all who are left. Returns whether they still are
    /// what is to be told; later news may have taken their place.
    pub async fn tell_event_news(
        &self,
        news: &NewEventNews,
        channel: NewsChannel,
        after: Option<Uuid>,
    ) -> Result<bool> {
        let change = match after {
            Some(_) => "UPDATE $id SET after = $after WHERE at = $at RETURN BEFORE",
            None => "DELETE $id WHERE at = $at RETURN BEFORE",
        };
        let query = format!("BEGIN; LET $told = ({change}); RETURN [array::len($told) > 0]; COMMIT;");
        let variables = vars! { id: record(news, channel), at: news.at, after: after };
        let mut response = self.write(&query, variables).await?;
        Ok(last::<bool>(&mut response)?.contains(&true))
    }
}
