//! Events: the table, one event in full, and what can be done with them.

mod detail;
mod director;
mod keys;
mod presence;
mod rounds;
mod rounds_view;
mod rows;
mod state;
mod transitions;
pub mod view;

use morpion_openapi::{
    event::{EventState, GetLeaderboard, GetRounds, GetStandings, ListSignupsForEvent, VerifyEvent},
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
        Dialog, TextDialog,
        event_form::EventForm,
        menu::Menu,
        palette::{Argument, PaletteCommand, command},
    },
    event::Effect,
    hit_testing::ClickTargets,
    keymap::{KeyAction, Keys},
    list::List,
    own_commands::Target,
    theme::Theme,
};
use keys::{DETAIL_KEYS, KEYS, ROUNDS_KEYS, STANDINGS_KEYS};
pub use rounds::{MatchRow, Rounds, out_text};
pub use rows::{Participant, state_name};
pub use state::{Detail, Events, Section};
use transitions::can_be_edited;

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
    command("round", Argument::Text, "a round of the event, by its number"),
    command("set-result", Argument::Text, "set the result of a match, by its board"),
    command("replay-match", Argument::Text, "have a match played again, by its board"),
    command("start-round", Argument::None, "the round that waits begins at once"),
    command("add-player", Argument::Text, "sign somebody up, by their username"),
    command("check-in", Argument::Text, "check in somebody who is signed up"),
    command("undo-check-in", Argument::Text, "undo a check-in"),
    command("withdraw", Argument::Player, "withdraw a player from the event"),
    command("disqualify", Argument::Player, "disqualify a player of the event"),
    command("reinstate", Argument::Player, "let a player who is out play again"),
    command("pause", Argument::None, "no further round of the event begins"),
    command("resume", Argument::None, "the next round of the event may begin"),
    command("extend", Argument::None, "move the end of the event"),
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
        let request = match detail.section() {
            Section::Rounds => {
                let chosen = detail.rounds.matches.chosen();
                chosen.map(|row| match row.pairing.games.last() {
                    Some(game) => Request::Perform(Action::Watch(game.game_id)),
                    None => Request::warn("No game of this match was opened."),
                })
            }
            Section::Participants if detail.has_rounds() => {
                let chosen = detail.standings.chosen();
                chosen.map(|player| Request::Perform(Action::OpenUser(player.username.clone())))
            }
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
        match &self.detail {
            None => &KEYS,
            Some(detail) => match detail.section() {
                Section::Rounds => &ROUNDS_KEYS,
                Section::Participants if detail.has_rounds() => &STANDINGS_KEYS,
                Section::Participants | Section::Games => &DETAIL_KEYS,
            },
        }
    }

    fn modes(&self) -> &'static [&'static Keys] {
        &[&KEYS, &DETAIL_KEYS, &ROUNDS_KEYS, &STANDINGS_KEYS]
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
            "verify" => {
                let target = self.targets().first().map(|event| event.event_id);
                Action::Verify(target.ok_or("No event is chosen.")?)
            }
            "add-player" => {
                let event = *self.targets().first().ok_or("No event is chosen.")?;
                let dialog = director::add_player(event, line.required("a player")?);
                return Ok(vec![Request::OpenDialog(Dialog::Confirm(dialog))]);
            }
            "round" => {
                let number = line.required("a round")?.parse().map_err(|_| "A round is a number: 1, 2, …")?;
                let detail =
                    self.detail.as_mut().filter(|detail| detail.has_rounds()).ok_or("No event with rounds is open.")?;
                detail.rounds.show(number)?;
                detail.show_section(Section::Rounds);
                return Ok(vec![Request::ShowTab(TabId::Events)]);
            }
            _ => Action::Direct(self.act_of_line(line)?),
        };
        Ok(vec![Request::Perform(action)])
    }

    fn suggestions(&self, argument: Argument) -> Vec<String> {
        match argument {
            Argument::Event => self.table.rows().iter().map(|event| event.title.clone()).collect(),
            Argument::Player => {
                let players = self.detail.iter().flat_map(|detail| detail.standings.rows());
                players.map(|player| player.username.clone()).collect()
            }
            Argument::State => EventState::ALL.iter().map(ToString::to_string).collect(),
            _ => vec![],
        }
    }

    fn list(&self) -> Option<&dyn List> {
        Some(match &self.detail {
            None => &self.table,
            Some(detail) => match detail.section() {
                Section::Rounds => &detail.rounds.matches,
                Section::Participants if detail.has_rounds() => &detail.standings,
                Section::Participants => &detail.participants,
                Section::Games => &detail.games,
            },
        })
    }

    fn list_mut(&mut self) -> Option<&mut dyn List> {
        Some(match &mut self.detail {
            None => &mut self.table,
            Some(detail) => match detail.section() {
                Section::Rounds => &mut detail.rounds.matches,
                Section::Participants if detail.has_rounds() => &mut detail.standings,
                Section::Participants => &mut detail.participants,
                Section::Games => &mut detail.games,
            },
        })
    }

    fn kept_list(&self) -> Option<&dyn List> {
        Some(&self.table)
    }

    fn kept_list_mut(&mut self) -> Option<&mut dyn List> {
        Some(&mut self.table)
    }

    fn target(&self) -> Option<Target> {
        let event = self.detail.as_ref().map(|detail| &detail.event).or_else(|| self.table.chosen())?;
        Some(Target::new(event.event_id, &event.title))
    }

    fn key(&mut self, action: KeyAction, _context: &Context) -> Vec<Request> {
        match action {
            KeyAction::Left | KeyAction::Right => {
                if let Some(detail) = &mut self.detail {
                    detail.turn_section(action == KeyAction::Right);
                }
                return vec![Request::Poll];
            }
            KeyAction::NextRound | KeyAction::PreviousRound => {
                if let Some(detail) = &mut self.detail {
                    detail.rounds.turn(action == KeyAction::NextRound);
                }
            }
            KeyAction::Decide | KeyAction::Withdraw | KeyAction::Pause | KeyAction::Extend => {
                return vec![match self.act_of_key(action) {
                    Ok(act) => Request::Perform(Action::Direct(act)),
                    Err(why) => Request::warn(why),
                }];
            }
            KeyAction::Terms => {
                let asked = self.detail.as_ref().and_then(|detail| {
                    let player = detail.standings.chosen()?;
                    Some(GetStandings { event_id: detail.event.event_id, user_id: Some(player.user_id) })
                });
                return asked.map_or(vec![], |call| vec![Call::from(call).into()]);
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
            Action::Direct(act) => vec![self.direct(act).unwrap_or_else(Request::warn)],
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

    fn tick(&mut self, context: &Context) -> Vec<Effect> {
        if context.connection.is_connected() { self.follow_presence() } else { vec![] }
    }

    fn disconnected(&mut self) {
        self.forget_presence();
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
            detail.expire_people();
            detail.games_fetch.expire();
        }
    }

    fn frame(&mut self, frame: Box<ServerFrame>, _context: &Context) -> Result<Vec<Request>, Box<ServerFrame>> {
        let changed = match &*frame {
            ServerFrame::EventConcluded(_) => {
                self.fetch.expire();
                None
            }
            ServerFrame::EventStateChanged(changed) => {
                self.fetch.expire();
                if let Some(detail) = self.detail_of(changed.event_id) {
                    detail.fetch.expire();
                }
                None
            }
            ServerFrame::RefreshLeaderboard(refresh) => {
                if let Some(detail) = self.detail_of(refresh.event_id) {
                    detail.participants_fetch.expire();
                }
                None
            }
            ServerFrame::PresenceChanged(changed) => {
                self.take_presence(changed);
                return Ok(vec![]);
            }
            ServerFrame::RoundPaired(paired) => Some(paired.event_id),
            ServerFrame::RoundEnded(ended) => Some(ended.event_id),
            ServerFrame::StandingsChanged(changed) => Some(changed.event_id),
            _ => return Err(frame),
        };
        if let Some(detail) = changed.and_then(|event_id| self.detail_of(event_id)) {
            detail.expire_rounds();
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
            (_, Reply::SetResult(answer)) => self.put(answer.event.clone()),
            (_, Reply::ReplayMatch(answer)) => self.put(answer.event.clone()),
            (_, Reply::StartRound(answer)) => self.put(answer.event.clone()),
            (_, Reply::DisqualifyPlayer(answer)) => self.put(answer.event.clone()),
            (Call::CheckInPlayer(call), Reply::CheckInPlayer(answer)) => {
                self.put(answer.event.clone());
                if let Some(detail) = self.detail_of(call.event_id) {
                    detail.expire_people();
                }
                return vec![Request::Poll];
            }
            (Call::CreatePlayer(call), Reply::CreatePlayer(_)) => {
                if let Some(detail) = self.detail_of(call.event_id) {
                    detail.expire_people();
                }
                return vec![Request::Poll];
            }
            (_, Reply::WithdrawPlayer(answer)) => self.put(answer.event.clone()),
            (_, Reply::ReinstatePlayer(answer)) => self.put(answer.event.clone()),
            (_, Reply::PauseEvent(answer)) => self.put(answer.event.clone()),
            (_, Reply::ResumeEvent(answer)) => self.put(answer.event.clone()),
            (_, Reply::ExtendEvent(answer)) => self.put(answer.event.clone()),
            (Call::DeleteEvent(call), Reply::DeleteEvent(_)) => self.removed(call.event_id),
            (Call::GetStandings(GetStandings { user_id: Some(_), .. }), Reply::GetStandings(answer)) => {
                let told = answer.standings.first().map(TextDialog::tie_breaks);
                return told.map(|dialog| Request::OpenDialog(Dialog::Text(dialog))).into_iter().collect();
            }
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
            Call::GetRounds(GetRounds { event_id, .. }) => {
                self.detail_of(*event_id).map(|detail| &mut detail.rounds.fetch)
            }
            Call::GetStandings(GetStandings { event_id, user_id: None }) => {
                self.detail_of(*event_id).map(|detail| &mut detail.standings_fetch)
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
