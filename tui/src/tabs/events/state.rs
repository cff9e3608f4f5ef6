//! The state of the tab: the table of events, and the event that is shown in full.

use morpion_openapi::{
    PageRequest,
    event::{Event, EventFilter, EventFormat, EventState, EventStates, ListEvents, StageStanding, VerifyEventAnswer},
    game::Game,
};
use morpion_shell::command_error::CommandError;
use uuid::Uuid;

use super::{Participant, presence::PresenceList, rounds::Rounds};
use crate::{calls::Call, fetch::Fetch, list::DataTable};

/// Pages of events that are fetched: a thousand events, more than anybody goes through.
const MAX_PAGES: u32 = 10;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Section {
    /// Of an event that is played in them.
    Rounds,
    #[default]
    Participants,
    Games,
}

/// One event in full.
#[derive(Debug)]
pub struct Detail {
    pub event: Event,
    pub fetch: Fetch,
    section: Section,
    pub participants: DataTable<Participant>,
    pub participants_fetch: Fetch,
    pub rounds: Rounds,
    /// Of an event that is played in stage rounds.
    pub standings: DataTable<StageStanding>,
    pub standings_fetch: Fetch,
    pub games: DataTable<Game>,
    pub games_fetch: Fetch,
    pub verified: Option<Result<VerifyEventAnswer, CommandError>>,
    pub(super) presence: PresenceList,
}

impl Detail {
    pub fn new(event: Event) -> Self {
        Self {
            fetch: Fetch::default(),
            // Where there are any.
            section: Section::Rounds,
            participants: DataTable::default(),
            participants_fetch: Fetch::default(),
            rounds: Rounds::new(event.format),
            standings: DataTable::default(),
            standings_fetch: Fetch::default(),
            games: DataTable::default(),
            games_fetch: Fetch::default(),
            verified: None,
            presence: PresenceList::default(),
            event,
        }
    }

    /// What can be looked at, from left to right.
    pub fn sections(&self) -> &'static [Section] {
        const ALL: &[Section] = &[Section::Rounds, Section::Participants, Section::Games];
        if self.has_rounds() { ALL } else { &ALL[1..] }
    }

    /// What is looked at.
    pub fn section(&self) -> Section {
        let is_there = self.sections().contains(&self.section);
        if is_there { self.section } else { Section::default() }
    }

    pub fn show_section(&mut self, section: Section) {
        self.section = section;
    }

    /// Looks at what is beside it, if there is anything.
    pub fn turn_section(&mut self, forward: bool) {
        let sections = self.sections();
        let at = sections.iter().position(|section| *section == self.section()).unwrap_or(0);
        let next = if forward { at + 1 } else { at.saturating_sub(1) };
        self.section = sections[next.min(sections.len() - 1)];
    }

    /// What is known of it, but for its games, is out of date.
    pub fn expire_people(&mut self) {
        self.participants_fetch.expire();
        self.expire_rounds();
    }

    pub fn expire_rounds(&mut self) {
        self.rounds.fetch.expire();
        self.standings_fetch.expire();
    }

    /// Whether there are standings yet.
    pub fn has_standings(&self) -> bool {
        matches!(self.event.event_state, EventState::Started | EventState::Ended)
    }

    /// Whether there are stage rounds, or will be soon.
    pub fn has_rounds(&self) -> bool {
        self.has_standings() && self.event.format != EventFormat::Arena
    }
}

#[derive(Debug, Default)]
pub struct Events {
    pub table: DataTable<Event>,
    /// Only these are fetched.
    pub state: Option<EventState>,
    pub fetch: Fetch,
    /// How many there are on the server.
    pub total: u64,
    /// Pages that came, until the last one is there.
    pages: Vec<Event>,
    pub detail: Option<Detail>,
    /// The event whose players are followed.
    pub(super) followed: Option<Uuid>,
}

impl Events {
    /// The call for a page, counted from 1.
    pub fn page(&self, page: u32) -> ListEvents {
        let filter = self.state.map(|state| EventFilter {
            event_state: Some(EventStates::One(state)),
            event_type: None,
            text: None,
            signed_up: None,
            hosted: None,
        });
        ListEvents { filter, page: Some(page), limit: Some(PageRequest::MAX_LIMIT) }
    }

    /// Takes a page; returns the call for the next one.
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
        if has_next && page < MAX_PAGES {
            return Some(self.page(page + 1).into());
        }
        self.total = total;
        self.table.set(std::mem::take(&mut self.pages));
        self.fetch.succeeded(now);
        None
    }

    /// Shows the next state: all, then each one.
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
            detail.expire_people();
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
