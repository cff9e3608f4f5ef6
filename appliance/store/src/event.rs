//! Events: `event`, one row each, and `event_queue`, who was looking for an opponent.

use chrono::{DateTime, Utc};
use surrealdb::types::{RecordId, SurrealValue, Uuid as DbUuid, Value, vars};
use uuid::Uuid;

use crate::Result;
use crate::event_news::{NewEventNews, TELL};
use crate::hook::{self, HookEvent};
use crate::store::{Store, row, rows};
use crate::user::folded;

pub(crate) const OPEN_EVENTS: &str = "SELECT * FROM event WHERE open = true";

pub(crate) const PRIVATE_EVENTS: &str = "SELECT VALUE eid FROM event WITH INDEX event_private WHERE private = true";
pub(crate) const HOSTED_EVENTS: &str = "SELECT * FROM event WITH INDEX event_private \
    WHERE private = true AND host = $host LIMIT $limit";

pub(crate) const OPEN_HOSTED_EVENTS: &str = "SELECT * FROM event WITH INDEX event_private \
    WHERE private = true AND host = $host AND state IN ['drafted', 'published', 'started']";

/// The state of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, SurrealValue)]
#[surreal(untagged, rename_all = "lowercase")]
pub enum EventState {
    Drafted,
    Published,
    Started,
    Ended,
    Cancelled,
}

impl EventState {
    fn word(self) -> &'static str {
        match self {
            Self::Drafted => "drafted",
            Self::Published => "published",
            Self::Started => "started",
            Self::Ended => "ended",
            Self::Cancelled => "cancelled",
        }
    }
}

/// Who may join.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, SurrealValue)]
#[surreal(untagged, rename_all = "lowercase")]
pub enum EventType {
    Open,
    Closed,
}

impl EventType {
    fn word(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Closed => "closed",
        }
    }
}

/// An event.
#[derive(Debug, Clone, PartialEq, SurrealValue)]
pub struct EventRow {
    #[surreal(rename = "eid")]
    pub id: Uuid,
    pub title: String,
    pub description: String,
    pub prize: Option<String>,
    pub event_type: EventType,
    pub state: EventState,
    pub start_time: Option<DateTime<Utc>>,
    pub end_time: Option<DateTime<Utc>>,
    pub max_losses: i64,
    /// The time control of its games by its name on the wire; `None`: 15 s a turn.
    pub clock: Option<String>,
    /// How it is played where it is no arena.
    pub stages: Option<StagesRow>,
    /// Sign-ups; `None`: as many as the server allows.
    pub max_players: Option<i64>,
    /// Who may enter; `None`: everybody.
    pub conditions: Option<ConditionsRow>,
    /// Minutes before the start from which one can check in.
    pub check_in_minutes: Option<i64>,
    /// Before which the second stage round and those after it do not begin; `None` where none has a time.
    pub round_times: Option<Vec<DateTime<Utc>>>,
    /// Who checked in before is to do so again, in play time: it was moved.
    pub check_ins_from: Option<DateTime<Utc>>,
    /// Whose private event it is; `None` for a public one.
    pub host: Option<Uuid>,
    /// With which a private event is entered.
    pub join_code: Option<String>,
    /// Of which series it is.
    pub series_id: Option<Uuid>,
    /// Who said that its players on one network are different people; `None` if nobody did.
    pub vouch: Option<VouchRow>,
    /// When it was started; `None` for one that was not, and for one that an older version started and ended.
    pub started_at: Option<DateTime<Utc>>,
    /// When a started, ended or cancelled event reached this state.
    pub since: Option<DateTime<Utc>>,
    /// When a started event ends, or the last games of an ended one are decided; `None` for one that was reopened.
    pub until: Option<DateTime<Utc>>,
    /// The winners of an ended event are written.
    pub concluded: bool,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
    pub winners: Vec<WinnerRow>,
    pub signup_count: i64,
    /// How many have joined to play.
    pub participant_count: i64,
    /// The latest, the newest last.
    pub announcements: Vec<AnnouncementRow>,
    /// Members whom the host of a private event named, in the order in which they were; `None` if nobody was.
    pub invitations: Option<Vec<EventInvitationRow>>,
    /// Incremented by every change.
    pub version: i64,
    /// Orders the events of one state, smallest first.
    pub position: i64,
}

/// How an event in stage rounds is played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, SurrealValue)]
pub struct StagesRow {
    pub format: StageFormat,
    /// Of a Swiss; 0: as many as follow from its players.
    pub rounds: i64,
    pub third_place: bool,
    pub double_rounds: bool,
    pub match_games: i64,
    pub board_size: i64,
}

/// What somebody has to meet who enters an event; `None` asks for nothing.
#[derive(Debug, Clone, PartialEq, Eq, SurrealValue)]
pub struct ConditionsRow {
    pub min_rating: Option<i64>,
    pub max_rating: Option<i64>,
    pub min_games: Option<i64>,
    pub account_age_days: Option<i64>,
    /// In the order of the ids.
    pub allow_list: Option<Vec<Uuid>>,
    /// Bots may enter, too; absent in those that were made before there were any.
    pub bots_allowed: Option<bool>,
}

/// A format in stage rounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, SurrealValue)]
#[surreal(untagged, rename_all = "lowercase")]
pub enum StageFormat {
    Knockout,
    Swiss,
    RoundRobin,
}

/// An organiser's word that the players of an event who share a network are different people.
#[derive(Debug, Clone, PartialEq, Eq, SurrealValue)]
pub struct VouchRow {
    pub actor: String,
    pub at: DateTime<Utc>,
}

/// An admin's announcement to the participants.
#[derive(Debug, Clone, PartialEq, Eq, SurrealValue)]
pub struct AnnouncementRow {
    pub message: String,
    pub at: DateTime<Utc>,
}

/// Somebody who is, or was, invited to a private event. It stays, so that nobody is told of it twice.
#[derive(Debug, Clone, PartialEq, Eq, SurrealValue)]
pub struct EventInvitationRow {
    pub user_id: Uuid,
    pub at: DateTime<Utc>,
    pub declined_at: Option<DateTime<Utc>>,
    /// When it was taken back.
    pub withdrawn_at: Option<DateTime<Utc>>,
}

/// Who won an event.
#[derive(Debug, Clone, PartialEq, Eq, SurrealValue)]
pub struct WinnerRow {
    pub user_id: Uuid,
    pub username: String,
    pub level: i64,
    pub wins: i64,
}

/// Somebody in an event's queue.
#[derive(Debug, Clone, PartialEq, Eq, SurrealValue)]
pub struct QueuePlace {
    pub user_id: Uuid,
    pub since: DateTime<Utc>,
    pub last_opponent: Option<Uuid>,
}

/// A filter of events.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EventFilter {
    pub event_type: Option<EventType>,
    /// In title or description, whatever its case.
    pub text: Option<String>,
    /// Private events too.
    pub with_private: bool,
}

/// A page of events and how many there are in all.
#[derive(Debug, Clone, PartialEq)]
pub struct EventPage {
    pub events: Vec<EventRow>,
    pub total: u64,
}

#[derive(SurrealValue)]
pub(crate) struct StoredEvent {
    #[surreal(flatten)]
    event: EventRow,
    open: bool,
    private: bool,
    search: String,
}

impl From<&EventRow> for StoredEvent {
    fn from(event: &EventRow) -> Self {
        Self {
            open: match event.state {
                EventState::Published | EventState::Started => true,
                EventState::Ended => !event.concluded,
                EventState::Drafted | EventState::Cancelled => false,
            },
            private: event.host.is_some(),
            search: searched(event),
            event: event.clone(),
        }
    }
}

/// What a text is looked for in.
fn searched(event: &EventRow) -> String {
    folded(&format!("{}\n{}", event.title, event.description))
}

impl EventFilter {
    /// Whether an event in memory would be found.
    pub fn takes(&self, event: &EventRow) -> bool {
        self.event_type.is_none_or(|wanted| wanted == event.event_type)
            && self.text.as_ref().is_none_or(|text| searched(event).contains(&folded(text)))
    }
}

pub(crate) fn event_record(id: Uuid) -> RecordId {
    RecordId::new("event", DbUuid::from(id))
}

fn queue_record(event: Uuid) -> RecordId {
    RecordId::new("event_queue", DbUuid::from(event))
}

/// Two statements: the first `$most` events of one state, and how many there are.
pub(crate) fn event_page_query(state: EventState, filter: &EventFilter) -> String {
    let mut condition = format!("state = '{}'", state.word());
    if let Some(event_type) = filter.event_type {
        condition.push_str(&format!(" AND event_type = '{}'", event_type.word()));
    }
    let index = if filter.with_private { "event_state" } else { "event_public" };
    if !filter.with_private {
        condition.push_str(" AND private = false");
    }
    if filter.text.is_some() {
        // Earlier versions stored texts in lower case only.
        condition.push_str(" AND (string::contains(search, $text) OR string::contains(search, $lowercase))");
    }
    format!(
        "SELECT * FROM event WITH INDEX {index} WHERE {condition} ORDER BY position LIMIT $most; \
         SELECT VALUE total FROM (SELECT count() AS total FROM event WITH INDEX {index} WHERE {condition} GROUP ALL);"
    )
}

impl Store {
    /// Stores a new event. Idempotent; audited.
    pub async fn create_event(&self, event: &EventRow) -> Result<()> {
        let variables = vars! { id: event_record(event.id), event: StoredEvent::from(event) };
        let query = "BEGIN; UPSERT $id CONTENT $event RETURN NONE; fn::audit($audit); COMMIT;";
        self.write(query, variables).await.map(drop)
    }

    /// Replaces an event; `event.version` is one more than that of the row it was made from. Audited. The news are told to
    /// those who signed up ([`Store::event_news`]), what happened to webhooks.
    ///
    /// # Errors
    ///
    /// [`StoreError::Changed`](crate::StoreError::Changed) if the row is another one by now,
    /// [`StoreError::NotFound`](crate::StoreError::NotFound) if there is none.
    pub async fn update_event(
        &self,
        event: &EventRow,
        news: Option<&NewEventNews>,
        happened: &[HookEvent],
    ) -> Result<()> {
        // A version that is there already is this very change, whose first try was applied.
        let query = format!(
            "BEGIN; \
            LET $before = (SELECT version, updated_at FROM ONLY $id); \
            IF $before = NONE {{ THROW 'morpion:no-event' }}; \
            IF $before.version != $event.version - 1 AND \
                ($before.version != $event.version OR $before.updated_at != $event.updated_at) \
                {{ THROW 'morpion:event-changed' }}; \
            UPDATE $id CONTENT $event RETURN NONE; \
            IF $before.version = $event.version - 1 {{ {TELL} {} }}; \
            fn::audit($audit); \
            COMMIT;",
            hook::TELL
        );
        let variables = vars! {
            id: event_record(event.id),
            event: StoredEvent::from(event),
            news: news.cloned(),
            happened: happened.to_vec(),
        };
        self.write(&query, variables).await?;
        if !happened.is_empty() {
            self.hooks_told();
        }
        Ok(())
    }

    /// Removes an event for good. Audited.
    pub async fn delete_event(&self, id: Uuid) -> Result<()> {
        let query = "BEGIN; DELETE $id RETURN NONE; fn::audit($audit); COMMIT;";
        self.write(query, vars! { id: event_record(id) }).await.map(drop)
    }

    /// The event with this id.
    pub async fn event(&self, id: Uuid) -> Result<Option<EventRow>> {
        let mut response = self.read("SELECT * FROM $id", vars! { id: event_record(id) }).await?;
        row(&mut response, 0)
    }

    /// All events with pending work: published, started, and ended without winners.
    pub async fn open_events(&self) -> Result<Vec<EventRow>> {
        let mut response = self.read(OPEN_EVENTS, vars! {}).await?;
        rows(&mut response, 0)
    }

    /// The ids of all private events.
    pub async fn private_events(&self) -> Result<Vec<Uuid>> {
        let mut response = self.read(PRIVATE_EVENTS, vars! {}).await?;
        rows(&mut response, 0)
    }

    /// The private events of a host, in no order; at most `limit`.
    pub async fn hosted_events(&self, host: Uuid, limit: usize) -> Result<Vec<EventRow>> {
        let mut response = self.read(HOSTED_EVENTS, vars! { host: host, limit: limit as i64 }).await?;
        rows(&mut response, 0)
    }

    /// The private events of a host that are not over.
    pub async fn open_hosted_events(&self, host: Uuid) -> Result<Vec<EventRow>> {
        let mut response = self.read(OPEN_HOSTED_EVENTS, vars! { host: host }).await?;
        rows(&mut response, 0)
    }

    /// Events in one of these states, in the order of the states and then of their positions; `skip` of them skipped,
    /// at most `limit`.
    pub async fn events_page(
        &self,
        states: &[EventState],
        filter: &EventFilter,
        skip: usize,
        limit: usize,
    ) -> Result<EventPage> {
        let query: String = states.iter().map(|state| event_page_query(*state, filter)).collect();
        if query.is_empty() {
            return Ok(EventPage { events: Vec::new(), total: 0 });
        }
        let (text, lowercase) = (filter.text.as_deref().map(folded), filter.text.as_deref().map(str::to_lowercase));
        let variables = vars! { most: (skip + limit) as i64, text: text, lowercase: lowercase };
        let mut response = self.read(&query, variables).await?;
        let (mut events, mut total) = (Vec::new(), 0);
        // Each part is the start of its state's events, so what precedes it is known by its number.
        let (mut skip, mut left) = (skip as u64, limit);
        for part in 0..states.len() {
            let found: Vec<EventRow> = rows(&mut response, 2 * part)?;
            let count = row::<i64>(&mut response, 2 * part + 1)?.unwrap_or(0).max(0) as u64;
            let taken: Vec<EventRow> = found.into_iter().skip(skip as usize).take(left).collect();
            skip = skip.saturating_sub(count);
            left -= taken.len();
            events.extend(taken);
            total += count;
        }
        Ok(EventPage { events, total })
    }

    /// Stores who is in an event's queue; without anybody the record is removed.
    pub async fn save_queue(&self, event: Uuid, places: &[QueuePlace]) -> Result<()> {
        let query =
            if places.is_empty() { "DELETE $id RETURN NONE" } else { "UPSERT $id SET places = $places RETURN NONE" };
        self.write(query, vars! { id: queue_record(event), places: places.to_vec() }).await.map(drop)
    }

    /// Who was in an event's queue when it was last saved.
    pub async fn saved_queue(&self, event: Uuid) -> Result<Vec<QueuePlace>> {
        let mut response = self.read("SELECT VALUE places FROM $id", vars! { id: queue_record(event) }).await?;
        Ok(rows::<Vec<QueuePlace>>(&mut response, 0)?.pop().unwrap_or_default())
    }
}
