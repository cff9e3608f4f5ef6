//! Events: the table, one event in full, and what can be done with them.

use std::cmp::Ordering;

use morpion_openapi::{
    PageRequest,
    event::{
        CancelEvent, DeleteEvent, EndEvent, Event, EventFilter, EventState, EventStates, ListEvents, Player, Signup,
        SignupStatus, StartEvent, UpdateEvent, VerifyEventAnswer,
    },
    game::{Game, GameStatus},
};
use morpion_shell::escape;
use uuid::Uuid;

use super::{
    fetch::Fetch,
    live_games::short_id,
    table::{Row, Table},
};
use crate::{
    net::{call::Call, refusal::Refusal},
    widgets::name::{Name, Named},
};

/// Pages of events that are fetched: a thousand events, more than anybody goes through.
pub const MOST_PAGES: u32 = 10;

impl Row for Event {
    type Key = Uuid;
    const SORTS: &'static [&'static str] = &["Starts", "Title", "State", "Players"];

    fn key(&self) -> Uuid {
        self.event_id
    }

    fn words(&self) -> String {
        format!("{} {} {} {} {}", self.event_id, self.title, self.description, self.event_state, self.event_type)
            .to_lowercase()
    }

    fn compare(&self, other: &Self, sort: usize) -> Ordering {
        let by_start = || match self.event_state {
            // What begins soon, else what began last.
            EventState::Published => self.start_time.cmp(&other.start_time),
            _ => other.start_time.cmp(&self.start_time).then_with(|| other.created_at.cmp(&self.created_at)),
        };
        match sort {
            0 => rank(self.event_state).min(3).cmp(&rank(other.event_state).min(3)).then_with(by_start),
            1 => self.title.to_lowercase().cmp(&other.title.to_lowercase()),
            2 => rank(self.event_state).cmp(&rank(other.event_state)).then_with(by_start),
            _ => other.signup_count.cmp(&self.signup_count),
        }
        .then_with(|| self.event_id.cmp(&other.event_id))
    }
}

/// What an operator has to do with comes first.
fn rank(state: EventState) -> u8 {
    match state {
        EventState::Started => 0,
        EventState::Published => 1,
        EventState::Drafted => 2,
        EventState::Ended => 3,
        EventState::Cancelled => 4,
    }
}

/// As people call them.
pub fn state_name(state: EventState) -> &'static str {
    match state {
        EventState::Drafted => "Draft",
        EventState::Published => "Published",
        EventState::Started => "Live",
        EventState::Ended => "Ended",
        EventState::Cancelled => "Cancelled",
    }
}

/// What can be done with an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Transition {
    Publish,
    Start,
    End,
    Cancel,
    Delete,
}

impl Transition {
    pub const ALL: [Self; 5] = [Self::Publish, Self::Start, Self::End, Self::Cancel, Self::Delete];

    pub fn verb(self) -> &'static str {
        match self {
            Self::Publish => "publish",
            Self::Start => "start",
            Self::End => "end",
            Self::Cancel => "cancel",
            Self::Delete => "delete",
        }
    }

    /// What it means for the players.
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Publish => "Players see it and can register.",
            Self::Start => "Registration closes, and players are matched.",
            Self::End => "Nobody is paired any more; games under way have 60 seconds; then the winners are written.",
            Self::Cancel => "Games under way are void. A cancelled event cannot be undone.",
            Self::Delete => "The draft is gone for good.",
        }
    }

    /// What has become of the event then.
    pub fn past(self) -> &'static str {
        match self {
            Self::Publish => "published",
            Self::Start => "live",
            Self::End => "ended",
            Self::Cancel => "cancelled",
            Self::Delete => "deleted",
        }
    }

    /// Whether it is possible for an event in this state. Whether this event is ready for it is the server's to say.
    pub fn suits(self, state: EventState) -> bool {
        matches!(
            (self, state),
            (Self::Publish | Self::Delete, EventState::Drafted)
                | (Self::Start, EventState::Published)
                | (Self::End, EventState::Started)
                | (Self::Cancel, EventState::Published | EventState::Started)
        )
    }

    pub fn call(self, event_id: Uuid) -> Call {
        match self {
            Self::Publish => UpdateEvent { event_state: Some(EventState::Published), ..no_update(event_id) }.into(),
            Self::Start => StartEvent { event_id }.into(),
            Self::End => EndEvent { event_id }.into(),
            Self::Cancel => CancelEvent { event_id }.into(),
            Self::Delete => DeleteEvent { event_id }.into(),
        }
    }
}

/// An update that changes nothing yet.
pub fn no_update(event_id: Uuid) -> UpdateEvent {
    UpdateEvent {
        event_id,
        title: None,
        description: None,
        prize: None,
        event_type: None,
        event_state: None,
        start_time: None,
        end_time: None,
        max_losses: None,
    }
}

/// Somebody who takes part, from the sign-ups before the start and from the leaderboard after it.
#[derive(Debug, Clone, PartialEq)]
pub struct Participant {
    pub user_id: Uuid,
    pub username: String,
    pub display_name: String,
    pub email: Option<String>,
    pub status: SignupStatus,
    pub level: u32,
    pub wins: u32,
    pub losses: u32,
    pub rank: Option<u32>,
}

impl From<Signup> for Participant {
    fn from(signup: Signup) -> Self {
        Self {
            user_id: signup.user_id,
            username: signup.username,
            display_name: signup.display_name,
            email: signup.email,
            status: signup.status,
            level: signup.level,
            wins: signup.wins,
            losses: signup.losses,
            rank: None,
        }
    }
}

impl From<Player> for Participant {
    fn from(player: Player) -> Self {
        let status = match player.is_eliminated {
            true if player.is_removed == Some(true) => SignupStatus::Removed,
            true => SignupStatus::Eliminated,
            false => SignupStatus::Active,
        };
        Self {
            user_id: player.user_id,
            username: player.username,
            display_name: player.display_name,
            email: player.email,
            status,
            level: player.level,
            wins: player.wins,
            losses: player.losses,
            rank: player.rank,
        }
    }
}

impl Named for Participant {
    fn name(&self) -> Name<'_> {
        Name::new(&self.display_name, &self.username)
    }
}

impl Row for Participant {
    type Key = Uuid;
    const SORTS: &'static [&'static str] = &["#", "Player", "Status"];

    fn key(&self) -> Uuid {
        self.user_id
    }

    fn words(&self) -> String {
        let email = self.email.as_deref().unwrap_or_default();
        format!("{} {} {} {email}", self.user_id, self.name().whole(), self.status).to_lowercase()
    }

    fn compare(&self, other: &Self, sort: usize) -> Ordering {
        let by_name = || self.name().order().cmp(&other.name().order());
        match sort {
            0 => (self.rank.is_none(), self.rank).cmp(&(other.rank.is_none(), other.rank)).then_with(by_name),
            1 => by_name(),
            _ => self.status.as_str().cmp(other.status.as_str()).then_with(by_name),
        }
    }
}

impl Row for Game {
    type Key = Uuid;
    const SORTS: &'static [&'static str] = &["Began", "Players", "Status"];

    fn key(&self) -> Uuid {
        self.game_id
    }

    fn words(&self) -> String {
        let names: Vec<_> = self.players.iter().map(|player| player.name().whole()).collect();
        format!("{} {} {}", self.game_id, self.status, names.join(" ")).to_lowercase()
    }

    fn compare(&self, other: &Self, sort: usize) -> Ordering {
        let is_over = |game: &Self| !matches!(game.status, GameStatus::Active | GameStatus::Waiting);
        let names = |game: &Self| game.players.first().map(|player| player.name().order());
        match sort {
            // Live ones first, then the newest.
            0 => is_over(self).cmp(&is_over(other)),
            1 => names(self).cmp(&names(other)),
            _ => self.status.as_str().cmp(other.status.as_str()),
        }
        .then_with(|| other.created_at.cmp(&self.created_at))
        .then_with(|| self.game_id.cmp(&other.game_id))
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Section {
    #[default]
    Participants,
    Games,
}

/// One event in full.
#[derive(Debug)]
pub struct Detail {
    pub event: Event,
    pub fetch: Fetch,
    pub section: Section,
    pub participants: Table<Participant>,
    pub participants_fetch: Fetch,
    pub games: Table<Game>,
    pub games_fetch: Fetch,
    pub verified: Option<Result<VerifyEventAnswer, Refusal>>,
}

impl Detail {
    pub fn new(event: Event) -> Self {
        Self {
            event,
            fetch: Fetch::default(),
            section: Section::default(),
            participants: Table::default(),
            participants_fetch: Fetch::default(),
            games: Table::default(),
            games_fetch: Fetch::default(),
            verified: None,
        }
    }

    /// Whether there are standings yet.
    pub fn has_standings(&self) -> bool {
        matches!(self.event.event_state, EventState::Started | EventState::Ended)
    }
}

#[derive(Debug, Default)]
pub struct Events {
    pub table: Table<Event>,
    /// Only these are asked for.
    pub state: Option<EventState>,
    pub fetch: Fetch,
    /// How many there are on the server.
    pub total: u64,
    /// Pages that came, until the last one is there.
    pages: Vec<Event>,
    pub detail: Option<Detail>,
}

impl Events {
    /// The call for a page, counted from 1.
    pub fn page(&self, page: u32) -> ListEvents {
        let filter = self.state.map(|state| EventFilter {
            event_state: Some(EventStates::One(state)),
            event_type: None,
            text: None,
        });
        ListEvents { filter, page: Some(page), limit: Some(PageRequest::MAX_LIMIT) }
    }

    /// Takes in a page; answers the call for the next one.
    pub fn take(
        &mut self,
        call: &ListEvents,
        events: Vec<Event>,
        has_next: bool,
        total: u64,
        now: i64,
    ) -> Option<Call> {
        let page = call.page.unwrap_or(1);
        if *call != self.page(page) {
            // Asked for before the filter changed.
            return None;
        }
        if page == 1 {
            self.pages.clear();
        }
        self.pages.extend(events);
        if has_next && page < MOST_PAGES {
            return Some(self.page(page + 1).into());
        }
        self.total = total;
        self.table.set(std::mem::take(&mut self.pages));
        self.fetch.succeeded(now);
        None
    }

    /// The filter goes on: all, then each state.
    pub fn next_state(&mut self) {
        self.state = match self.state {
            None => EventState::ALL.first().copied(),
            Some(state) => {
                let at = EventState::ALL.iter().position(|other| *other == state).unwrap_or(0);
                EventState::ALL.get(at + 1).copied()
            }
        };
        self.show_state(self.state);
    }

    pub fn show_state(&mut self, state: Option<EventState>) {
        self.state = state;
        self.table.set(vec![]);
        self.table.clear_marks();
        self.fetch = Fetch::default();
    }

    /// An event as the server has it now.
    pub fn put(&mut self, event: Event) {
        if let Some(detail) = &mut self.detail
            && detail.event.event_id == event.event_id
        {
            detail.event = event.clone();
            detail.participants_fetch.expire();
        }
        let before = self.table.rows().len() as u64;
        if self.state.is_none_or(|state| state == event.event_state) {
            self.table.put(event);
        } else {
            self.table.remove(&event.event_id);
        }
        self.total = (self.total + self.table.rows().len() as u64).saturating_sub(before);
        // The server knows how many there are.
        self.fetch.expire();
    }

    pub fn removed(&mut self, id: Uuid) {
        if self.table.get(&id).is_some() {
            self.total = self.total.saturating_sub(1);
        }
        self.table.remove(&id);
        self.fetch.expire();
        self.detail.take_if(|detail| detail.event.event_id == id);
    }

    /// The events that a transition is about: the marked ones, else the one that is looked at or
    /// chosen.
    pub fn targets(&self) -> Vec<&Event> {
        if let Some(detail) = &self.detail {
            return vec![&detail.event];
        }
        let marked: Vec<_> = self.table.marked().collect();
        if marked.is_empty() { self.table.chosen().into_iter().collect() } else { marked }
    }
}

/// Whether an event in this state can be edited.
pub fn can_be_edited(state: EventState) -> bool {
    matches!(state, EventState::Drafted | EventState::Published)
}

/// How an event is called in a sentence.
pub fn called(event: &Event) -> String {
    if event.title.trim().is_empty() { short_id(event.event_id) } else { escape::line(&event.title).into_owned() }
}
