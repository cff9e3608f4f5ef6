//! Events: the table, one event in full, and what can be done with them.

mod detail;
mod rows;
mod state;
mod transitions;
pub mod view;

use crossterm::event::KeyCode;
use morpion_openapi::{
    event::{EventState, GetLeaderboard, ListSignupsForEvent, VerifyEvent},
    game::Game,
    realtime::ServerFrame,
};
use morpion_shell::{
    command_error::CommandError,
    reference::{self, Candidate},
};
use ratatui::{Frame, layout::Rect};

use super::{CommandLine, Request, Tab, TabId};
use crate::{
    actions::{Action, EventTransition},
    calls::{Call, Reply},
    context::Context,
    dialog::{
        Dialog,
        event_form::EventForm,
        menu::Menu,
        palette::{Argument, PaletteCommand, command},
    },
    hit_testing::ClickTargets,
    keymap::{KeyAction, Keys, bind, char, key},
    list::List,
    theme::Theme,
};
pub use rows::{Participant, state_name};
pub use state::{Detail, Events, Section};
use transitions::can_be_edited;

#[rustfmt::skip] // One row a line.
const KEYS: Keys = Keys { title: "Events", has_list: true, bindings: &[
    bind(&[key(KeyCode::Enter)], KeyAction::Open, "open the chosen event", "open"),
    bind(&[char('a')], KeyAction::Menu, "publish, start, end, cancel, delete", "act"),
    bind(&[char(' ')], KeyAction::Mark, "mark for acting on many at once", "mark"),
    bind(&[char('*')], KeyAction::MarkAll, "mark all that are shown, or none", ""),
    bind(&[char('f')], KeyAction::State, "show another state", "state"),
    bind(&[char('n')], KeyAction::New, "make a new event", "new"),
    bind(&[char('e')], KeyAction::Edit, "edit the chosen event", ""),
]};

#[rustfmt::skip] // One row a line.
const DETAIL_KEYS: Keys = Keys { title: "Event", has_list: true, bindings: &[
    bind(&[key(KeyCode::Enter)], KeyAction::Open, "open the chosen player or game", "open"),
    bind(&[char('a')], KeyAction::Menu, "publish, start, end, cancel, verify", "act"),
    bind(&[char('e')], KeyAction::Edit, "edit the event", "edit"),
    bind(&[key(KeyCode::Right), char('l')], KeyAction::Right, "to the games", "games"),
    bind(&[key(KeyCode::Left), char('h')], KeyAction::Left, "to the participants", ""),
]};

#[rustfmt::skip] // One row a line.
const COMMANDS: &[PaletteCommand] = &[
    command("events", Argument::State, "events, of one state"),
    command("event", Argument::Event, "open an event"),
    command("new", Argument::None, "make a new event"),
    command("edit", Argument::None, "edit the event"),
    command("publish", Argument::None, "publish the event, or the marked ones"),
    command("start", Argument::None, "start the event, or the marked ones"),
    command("end", Argument::None, "end the event, or the marked ones"),
    command("cancel", Argument::None, "cancel the event, or the marked ones"),
    command("delete", Argument::None, "delete the draft, or the marked ones"),
    command("verify", Argument::None, "compute the standings again from the games"),
];

const POLL_MS: i64 = 5_000;

impl Events {
    /// Opens an event by its title, its id or a prefix of it.
    fn open_named(&mut self, wanted: &str) -> Result<Vec<Request>, String> {
        let events = self.table.rows().iter();
        let all = events.map(|event| Candidate { id: event.event_id.to_string(), name: event.title.clone() });
        let chosen = reference::choose("event", wanted, all).map_err(|refusal| refusal.text)?;
        let mut events = self.table.rows().iter();
        let event = events.find(|event| event.event_id.to_string() == chosen.id).cloned();
        self.detail = Some(Detail::new(event.ok_or("That event is gone.")?));
        Ok(vec![Request::ShowTab(TabId::Events)])
    }

    fn edit(&self) -> Request {
        let event = match &self.detail {
            Some(detail) => Some(detail.event.clone()),
            None => self.table.chosen().cloned(),
        };
        match event {
            Some(event) if !can_be_edited(event.event_state) => {
                Request::warn("Only a draft or a published event can be edited.")
            }
            Some(event) => Request::OpenDialog(Dialog::EventForm(Box::new(EventForm::new(Some(event))))),
            None => Request::warn("No event is chosen."),
        }
    }

    fn open_chosen(&mut self) -> Vec<Request> {
        let Some(detail) = &self.detail else {
            self.detail = self.table.chosen().cloned().map(Detail::new);
            return vec![Request::Poll];
        };
        let request = match detail.section {
            Section::Participants => {
                let chosen = detail.participants.chosen();
                chosen.map(|player| Request::Perform(Action::OpenUser(player.username.clone())))
            }
            Section::Games => detail.games.chosen().map(|game| Request::OpenGame(Box::new(game.clone()))),
        };
        request.into_iter().collect()
    }
}

impl Tab for Events {
    fn title(&self) -> &'static str {
        "Events"
    }

    fn keys(&self) -> &'static Keys {
        if self.detail.is_some() { &DETAIL_KEYS } else { &KEYS }
    }

    fn modes(&self) -> &'static [&'static Keys] {
        &[&KEYS, &DETAIL_KEYS]
    }

    fn commands(&self) -> &'static [PaletteCommand] {
        COMMANDS
    }

    fn run(&mut self, line: CommandLine<'_>, _context: &Context) -> Result<Vec<Request>, String> {
        let action = match line.name {
            "events" => {
                let state = if line.argument.is_empty() { None } else { Some(line.one_of(EventState::ALL)?) };
                self.detail = None;
                if state != self.state {
                    self.show_state(state);
                }
                return Ok(vec![Request::ShowTab(TabId::Events)]);
            }
            "event" => return self.open_named(line.required("a title or an id")?),
            "new" => Action::NewEvent,
            "edit" => Action::EditEvent,
            "publish" => Action::Transition(EventTransition::Publish),
            "start" => Action::Transition(EventTransition::Start),
            "end" => Action::Transition(EventTransition::End),
            "cancel" => Action::Transition(EventTransition::Cancel),
            "delete" => Action::Transition(EventTransition::Delete),
            _ => {
                let target = self.targets().first().map(|event| event.event_id);
                Action::Verify(target.ok_or("No event is chosen.")?)
            }
        };
        Ok(vec![Request::Perform(action)])
    }

    fn suggestions(&self, argument: Argument) -> Vec<String> {
        match argument {
            Argument::Event => self.table.rows().iter().map(|event| event.title.clone()).collect(),
            Argument::State => EventState::ALL.iter().map(ToString::to_string).collect(),
            _ => vec![],
        }
    }

    fn list(&self) -> Option<&dyn List> {
        Some(match &self.detail {
            None => &self.table,
            Some(detail) => match detail.section {
                Section::Participants => &detail.participants,
                Section::Games => &detail.games,
            },
        })
    }

    fn list_mut(&mut self) -> Option<&mut dyn List> {
        Some(match &mut self.detail {
            None => &mut self.table,
            Some(detail) => match detail.section {
                Section::Participants => &mut detail.participants,
                Section::Games => &mut detail.games,
            },
        })
    }

    fn key(&mut self, action: KeyAction, _context: &Context) -> Vec<Request> {
        match action {
            KeyAction::Left | KeyAction::Right => {
                let section = if action == KeyAction::Right { Section::Games } else { Section::Participants };
                if let Some(detail) = &mut self.detail {
                    detail.section = section;
                }
                return vec![Request::Poll];
            }
            KeyAction::Open => return self.open_chosen(),
            KeyAction::Mark => self.table.mark(),
            KeyAction::MarkAll => self.table.mark_all(),
            KeyAction::State => {
                self.next_state();
                return vec![Request::Poll];
            }
            KeyAction::New => return vec![Request::Perform(Action::NewEvent)],
            KeyAction::Edit => return vec![Request::Perform(Action::EditEvent)],
            _ => {}
        }
        vec![]
    }

    fn back(&mut self, _now: i64) {
        let has_filter = self.list().is_some_and(|list| !list.filter().is_empty());
        if self.detail.is_some() && !has_filter {
            self.detail = None;
            return;
        }
        if let Some(list) = self.list_mut() {
            list.set_filter(String::new());
        }
        if self.detail.is_none() {
            self.table.clear_marks();
        }
    }

    fn menu(&self) -> Option<Menu> {
        Some(self.event_menu())
    }

    fn perform(&mut self, action: Action, _context: &Context) -> Result<Vec<Request>, Action> {
        Ok(match action {
            Action::NewEvent => vec![Request::OpenDialog(Dialog::EventForm(Box::new(EventForm::new(None))))],
            Action::EditEvent => vec![self.edit()],
            Action::Transition(transition) => vec![self.confirm_transition(transition)],
            Action::Verify(event_id) => {
                // The result is shown with the event.
                if self.detail.is_none() {
                    self.detail = self.table.get(&event_id).cloned().map(Detail::new);
                }
                vec![Request::Poll, Call::from(VerifyEvent { event_id }).into()]
            }
            other => return Err(other),
        })
    }

    fn confirmed(&mut self) {
        self.table.clear_marks();
    }

    fn poll(&mut self, shown: TabId, now: i64) -> Vec<Call> {
        if shown != TabId::Events {
            return vec![];
        }
        match &mut self.detail {
            Some(detail) => Self::poll_detail(detail, now),
            None if self.fetch.is_due(POLL_MS, now) => vec![self.page(1).into()],
            None => vec![],
        }
    }

    fn expire(&mut self) {
        self.fetch.expire();
        if let Some(detail) = &mut self.detail {
            detail.fetch.expire();
            detail.participants_fetch.expire();
            detail.games_fetch.expire();
        }
    }

    fn frame(&mut self, frame: Box<ServerFrame>, _context: &Context) -> Result<Vec<Request>, Box<ServerFrame>> {
        match &*frame {
            ServerFrame::EventStateChanged(_) | ServerFrame::EventConcluded(_) => self.fetch.expire(),
            ServerFrame::RefreshLeaderboard(refresh) => {
                if let Some(detail) = self.detail_of(refresh.event_id) {
                    detail.participants_fetch.expire();
                }
            }
            _ => return Err(frame),
        }
        Ok(vec![Request::Poll])
    }

    fn replied(&mut self, call: &Call, reply: &Reply, context: &Context) -> Vec<Request> {
        match (call, reply) {
            (Call::ListEvents(call), Reply::ListEvents(answer)) => {
                let (has_next, total) = (answer.pagination.has_next_page, answer.pagination.total_count);
                let next = self.take(call, answer.events.clone(), has_next, total, context.now);
                return next.map(Into::into).into_iter().collect();
            }
            (_, Reply::CreateEvent(answer)) => {
                self.put(answer.event.clone());
                self.detail = Some(Detail::new(answer.event.clone()));
                return vec![Request::Poll];
            }
            (_, Reply::UpdateEvent(answer)) => self.put(answer.event.clone()),
            (_, Reply::StartEvent(answer)) => self.put(answer.event.clone()),
            (_, Reply::EndEvent(answer)) => self.put(answer.event.clone()),
            (_, Reply::CancelEvent(answer)) => self.put(answer.event.clone()),
            (Call::DeleteEvent(call), Reply::DeleteEvent(_)) => self.removed(call.event_id),
            _ => self.detail_replied(call, reply, context.now),
        }
        vec![]
    }

    fn refused(&mut self, call: &Call, refusal: &CommandError, context: &Context) -> Option<Vec<Request>> {
        let fetch = match call {
            Call::ListEvents(_) => Some(&mut self.fetch),
            Call::GetEventById(call) => self.detail_of(call.event_id).map(|detail| &mut detail.fetch),
            Call::GetLeaderboard(GetLeaderboard { event_id, .. })
            | Call::ListSignupsForEvent(ListSignupsForEvent { event_id, .. }) => {
                self.detail_of(*event_id).map(|detail| &mut detail.participants_fetch)
            }
            Call::GetGamesByEvent(call) => {
                let id = call.event_id.parse().unwrap_or_default();
                self.detail_of(id).map(|detail| &mut detail.games_fetch)
            }
            Call::VerifyEvent(call) => {
                if let Some(detail) = self.detail_of(call.event_id) {
                    detail.verified = Some(Err(refusal.clone()));
                }
                None
            }
            _ => return None,
        };
        if let Some(fetch) = fetch {
            fetch.failed(refusal.clone(), context.now);
        }
        Some(vec![])
    }

    fn listed_games(&self) -> Vec<&Game> {
        self.detail.iter().flat_map(|detail| detail.games.rows()).collect()
    }

    fn draw(&self, frame: &mut Frame, area: Rect, context: &Context, theme: &Theme, targets: &mut ClickTargets) {
        view::draw(frame, area, self, context, theme, targets);
    }
}
