//! Menus and dialogs: what can be done, and the operator's yes to it.

use crossterm::event::{KeyCode, KeyEvent};
use morpion_openapi::{
    Timestamp,
    admin::{AdjudicateGame, GrantPro, RevokePro, RevokeSessionAction, SetAdmin},
    event::{EventState, VerifyEvent},
    game::{GameStatus, GetReplay},
    logger::{ClearLogs, LogFilter},
};
use uuid::Uuid;

use super::{
    App,
    dialog::{Ask, Confirm, Deed, Dialog, Entry, Menu, Prompt, Purpose},
    events::{Transition, called, can_be_edited},
    form::Form,
    input::Input,
    live_games::short_id,
    logs::{
        NO_FILTER,
        filter::{LEVELS, Window},
        line,
    },
    replay::Replay,
    users,
};
use crate::{
    event::Action,
    keymap::Context,
    widgets::{name::Named, text::count},
};

/// A reason has at most so many characters: it stands in the audit trail.
const LONGEST_REASON: usize = 500;
/// Titles named in a confirmation; the others are counted.
const MOST_NAMED: usize = 8;

impl App {
    /// The menu of what can be done with what is chosen.
    pub(super) fn open_menu(&mut self) {
        let (title, mut entries) = self.menu();
        if self.options.is_read_only {
            entries.retain(|entry| !entry.deed.is_write());
        }
        if entries.is_empty() {
            return self.say("There is nothing to do here.");
        }
        self.dialog = Some(Dialog::Menu(Menu::new(title, entries)));
    }

    fn menu(&self) -> (String, Vec<Entry>) {
        match self.context() {
            Context::Events | Context::Event => self.event_menu(),
            Context::Games => match self.live_games.selected() {
                Some(game) => (format!("Game {}", short_id(game.game_id)), game_menu(game.game_id, &game.players)),
                None => (String::new(), vec![]),
            },
            Context::Board => match &self.watch {
                Some(watch) => {
                    let mut entries = game_menu(watch.game_id, &watch.listed.players);
                    if watch.is_over() {
                        entries.retain(|entry| !entry.deed.is_write());
                        entries.insert(0, Entry::new('r', "replay it", Deed::Replay(watch.game_id)));
                    }
                    (format!("Game {}", short_id(watch.game_id)), entries)
                }
                None => (String::new(), vec![]),
            },
            Context::Logs | Context::Record => self.record_menu(),
            Context::Users => match self.users.table.chosen() {
                Some(user) => (user.name().whole(), Deed::of_user(user)),
                None => (String::new(), vec![]),
            },
            Context::User => match &self.users.detail {
                Some(detail) => (detail.user.name().whole(), user_menu(detail)),
                None => (String::new(), vec![]),
            },
            Context::Subscriptions => match self.subscriptions.accounts.chosen() {
                Some(user) if self.subscriptions.section == super::trail::Section::Accounts => {
                    (user.name().whole(), Deed::of_user(user))
                }
                _ => (String::new(), vec![]),
            },
            _ => (String::new(), vec![]),
        }
    }

    fn event_menu(&self) -> (String, Vec<Entry>) {
        let targets = self.events.targets();
        let Some(first) = targets.first() else {
            return ("Events".to_owned(), vec![Entry::new('n', "make a new event", Deed::NewEvent)]);
        };
        let is_one = targets.len() == 1;
        let title = if is_one { called(first) } else { format!("{} events", targets.len()) };
        // What is possible for at least one of them; it is done with those for which it is.
        let is_possible = |transition: &Transition| targets.iter().any(|event| transition.suits(event.event_state));
        let mut entries: Vec<_> = Transition::ALL
            .into_iter()
            .zip(['p', 's', 'e', 'c', 'd'])
            .filter(|(transition, _)| is_possible(transition))
            .map(|(transition, key)| Entry::new(key, transition.verb(), Deed::Transition(transition)))
            .collect();
        if is_one {
            let state = first.event_state;
            if can_be_edited(state) {
                entries.push(Entry::new('m', "modify: title, times, prize", Deed::EditEvent));
            }
            if matches!(state, EventState::Started | EventState::Ended) {
                entries.push(Entry::new('v', "verify the standings from the games", Deed::Verify(first.event_id)));
            }
            entries.push(Entry::new('i', "copy its id", Deed::Copy(first.event_id.to_string())));
        }
        (title, entries)
    }

    fn record_menu(&self) -> (String, Vec<Entry>) {
        let mut entries = vec![];
        if let Some(record) = self.logs.view().chosen() {
            let scope = |title: String, filter| Deed::Scope { title, filter: Box::new(filter) };
            if let Some(id) = record.request_id() {
                let filter = LogFilter { request_id: Some(id.to_owned()), ..NO_FILTER };
                entries.push(Entry::new('r', "everything of this request", scope(format!("Request {id}"), filter)));
            }
            if let Some(id) = record.user_id() {
                let filter = LogFilter { user_id: Some(id), ..NO_FILTER };
                entries.push(Entry::new('u', "everything of this user", scope(format!("User {id}"), filter)));
                entries.push(Entry::new('o', "open the account", Deed::OpenUser(id.to_string())));
            }
            if let Some(id) = record.session_id() {
                let filter = LogFilter { session_id: Some(id.to_owned()), ..NO_FILTER };
                entries.push(Entry::new('s', "everything of this session", scope(format!("Session {id}"), filter)));
            }
            if let Some(id) = record.game_id() {
                entries.push(Entry::new('g', "the game", Deed::Watch(id)));
            }
            entries.push(Entry::new('c', "copy the record", Deed::Copy(line(record))));
        }
        if self.logs.view().shown_len() > 0 {
            entries.push(Entry::new('f', "save what is shown to a file", Deed::Save));
        }
        entries.push(Entry::new('x', "clear the server's log", Deed::ClearLogs));
        ("Log".to_owned(), entries)
    }

    pub(super) fn open_service_menu(&mut self) {
        let mut names = self.logs.services.clone();
        names.extend(self.logs.stats.iter().flat_map(|stats| stats.services.iter().cloned()));
        let mut entries = vec![Entry::new('*', "all parts", Deed::Service(None))];
        let keys = ('a'..='z').chain('A'..='Z').map(Some).chain(std::iter::repeat(None));
        for (name, key) in names.into_iter().zip(keys) {
            // Without a letter left, the arrows still reach it.
            entries.push(Entry::new(key.unwrap_or(' '), name.clone(), Deed::Service(Some(name))));
        }
        self.dialog = Some(Dialog::Menu(Menu::new("Part of the program", entries)));
    }

    pub(super) fn open_level_menu(&mut self) {
        let labels = ["errors only", "warnings and errors", "all but debug", "every level"];
        let entries = LEVELS.into_iter().zip(labels).zip(['e', 'w', 'i', 'd']);
        let entries: Vec<_> = entries.map(|((level, label), key)| Entry::new(key, label, Deed::Level(level))).collect();
        let chosen = LEVELS.iter().position(|level| *level == self.logs.view().filter().level).unwrap_or(0);
        self.dialog = Some(Dialog::Menu(Menu { chosen, ..Menu::new("Levels", entries) }));
    }

    pub(super) fn open_window_menu(&mut self) {
        let mut entries: Vec<_> = Window::MENU
            .into_iter()
            .zip(['a', '5', '1', 'h', 'd'])
            .map(|((window, label), key)| Entry::new(key, label, Deed::Window(window)))
            .collect();
        entries.push(Entry::new('t', "from … to …", Deed::TypeWindow));
        self.dialog = Some(Dialog::Menu(Menu::new("Time window", entries)));
    }

    pub(super) fn copy_record(&mut self) -> Vec<Action> {
        let Some(text) = self.logs.view().chosen().map(line) else { return vec![] };
        self.perform(Deed::Copy(text))
    }

    pub(super) fn choose_entry(&mut self, at: usize) -> Vec<Action> {
        let chosen = match &self.dialog {
            Some(Dialog::Menu(menu)) => menu.entries.get(at).map(|entry| entry.deed.clone()),
            _ => None,
        };
        chosen.map_or(vec![], |deed| {
            self.dialog = None;
            self.perform(deed)
        })
    }

    /// Does it, or asks first.
    pub(super) fn perform(&mut self, deed: Deed) -> Vec<Action> {
        if self.options.is_read_only && deed.is_write() {
            self.say("This console is read-only.");
            return vec![];
        }
        match deed {
            Deed::NewEvent => self.dialog = Some(Dialog::Form(Box::new(Form::new(None)))),
            Deed::EditEvent => {
                let event = match &self.events.detail {
                    Some(detail) => Some(detail.event.clone()),
                    None => self.events.table.chosen().cloned(),
                };
                match event {
                    Some(event) if !can_be_edited(event.event_state) => {
                        self.say("Only a draft or a published event can be edited.");
                    }
                    Some(event) => self.dialog = Some(Dialog::Form(Box::new(Form::new(Some(event))))),
                    None => self.say("No event is chosen."),
                }
            }
            Deed::Transition(transition) => self.confirm_transition(transition),
            Deed::Verify(event_id) => {
                // What comes out stands with the event.
                if self.events.detail.is_none() {
                    self.events.detail = self.events.table.get(&event_id).cloned().map(super::events::Detail::new);
                }
                let calls = self.poll();
                return calls.into_iter().chain([Action::Call(VerifyEvent { event_id }.into())]).collect();
            }
            Deed::OpenEvent(id) => {
                self.events.detail = self.events.table.get(&id).cloned().map(super::events::Detail::new);
                return self.go(super::Tab::Events);
            }
            Deed::Watch(game_id) => {
                return match self.live_games.get(game_id).cloned() {
                    Some(game) => self.watch_game(super::watch::Watch::new(&game)),
                    None => vec![Action::Call(morpion_openapi::game::GetGame { game_id }.into())],
                };
            }
            Deed::Replay(game_id) => {
                let left = self.watch.take().map(|watch| super::leave(watch.game_id));
                self.replay = Some(Replay::new(game_id));
                let call = GetReplay { share_token: None, game_id: Some(game_id) };
                return left.into_iter().chain([Action::Call(call.into())]).collect();
            }
            Deed::Adjudicate { game_id, winner } => self.confirm_adjudication(game_id, winner),
            Deed::OpenUser(wanted) => {
                let known = self.users.table.rows().iter().chain(self.subscriptions.accounts.rows());
                let wanted = users::Wanted::new(wanted);
                let known = known.into_iter().find(|user| wanted.is(user)).cloned();
                if let Some(user) = known {
                    return self.open_user(user);
                }
                let call = wanted.call();
                self.users.wanted = Some(wanted);
                return vec![Action::Call(call.into())];
            }
            Deed::RevokeSession { user, session_id, device } => {
                let lines = vec![format!("{device} is signed out at once, and its games lose their connection.")];
                let call = RevokeSessionAction { user_id: user, session_id };
                let confirm = Confirm::new("Revoke this session?", lines, "The session is revoked.");
                self.dialog = Some(Dialog::Confirm(confirm.step(device, call)));
            }
            Deed::SetAdmin { user, name, is_admin } => {
                let (title, line, done) = if is_admin {
                    (
                        format!("Make {name} an admin?"),
                        "An admin sees everything and may do everything that you may.",
                        format!("{name} is an admin."),
                    )
                } else {
                    (
                        format!("Take the admin's rights from {name}?"),
                        "The account stays; it becomes a player's.",
                        format!("{name} is no admin any more."),
                    )
                };
                let confirm = Confirm::new(title, vec![line.to_owned()], done);
                self.dialog = Some(Dialog::Confirm(confirm.step(name, SetAdmin { user_id: user, is_admin })));
            }
            Deed::GrantPro { user, .. } if user.is_nil() => {
                self.dialog = Some(Dialog::Prompt(Prompt {
                    title: "Grant Pro to".to_owned(),
                    hint: "a username or an id".to_owned(),
                    input: Input::default(),
                    error: None,
                    purpose: Purpose::GrantTo,
                }));
            }
            Deed::GrantPro { user, name } => {
                let lines = vec!["No payment is asked for. It can be revoked at any time.".to_owned()];
                let call = GrantPro { user_id: user, until: None, reason: String::new() };
                let confirm = Confirm::new(format!("Grant Pro to {name}?"), lines, format!("{name} has Pro."))
                    .step(name, call)
                    .ask(Ask::Reason)
                    .ask(Ask::Days);
                self.dialog = Some(Dialog::Confirm(confirm));
            }
            Deed::RevokePro { user, name } => {
                let lines =
                    vec!["What was granted ends at once. A paid subscription is not touched by this.".to_owned()];
                let call = RevokePro { user_id: user, reason: String::new() };
                let confirm =
                    Confirm::new(format!("Revoke Pro from {name}?"), lines, format!("{name} has no Pro any more."))
                        .step(name, call)
                        .ask(Ask::Reason);
                self.dialog = Some(Dialog::Confirm(confirm));
            }
            Deed::Scope { title, filter } => {
                let left = self.go(super::Tab::Logs);
                return left.into_iter().chain(self.logs.open_scope(title, *filter)).collect();
            }
            Deed::Copy(text) => {
                self.toasts.add(super::Level::Done, "Copied.".to_owned(), self.now);
                return vec![Action::Copy(text)];
            }
            Deed::Save => {
                let at = Timestamp::from_millis(self.server_now()).utc().format("%Y%m%dT%H%M%SZ");
                self.dialog = Some(Dialog::Prompt(Prompt {
                    title: format!("Save {} to", count(self.logs.view().shown_len() as u64, "record")),
                    hint: "a new file: .ndjson for JSON, anything else for lines".to_owned(),
                    input: Input::new(format!("{}morpion-log-{at}.ndjson", self.options.folder)),
                    error: None,
                    purpose: Purpose::SaveLogs,
                }));
            }
            Deed::ClearLogs => {
                let lines =
                    vec!["All records of the server go, for everybody. The files in its log folder stay.".to_owned()];
                let confirm = Confirm::new("Clear the server's log?", lines, "The log is cleared.");
                self.dialog = Some(Dialog::Confirm(confirm.step("the log", ClearLogs { before: None })));
            }
            Deed::Level(level) => self.set_level(level),
            Deed::Service(service) => {
                let view = self.logs.view_mut();
                let filter = super::logs::filter::Filter { service, ..view.filter().clone() };
                view.set_filter(filter);
            }
            Deed::Window(window) => self.set_window(window),
            Deed::TypeWindow => {
                self.dialog = Some(Dialog::Prompt(Prompt {
                    title: "Time window (UTC)".to_owned(),
                    hint: "15m, or 20:00 21:30, or 2026-11-21 20:00 2026-11-21 21:30".to_owned(),
                    input: Input::default(),
                    error: None,
                    purpose: Purpose::Window,
                }));
            }
        }
        vec![]
    }

    pub(super) fn set_window(&mut self, window: Window) {
        let view = self.logs.view_mut();
        let filter = super::logs::filter::Filter { window, ..view.filter().clone() };
        view.set_filter(filter);
    }

    pub(super) fn confirm_transition(&mut self, transition: Transition) {
        let all = self.events.targets();
        let Some(any) = all.first() else {
            return self.say("No event is chosen.");
        };
        let (verb, past) = (transition.verb(), transition.past());
        let targets: Vec<_> = all.iter().copied().filter(|event| transition.suits(event.event_state)).collect();
        let (Some(first), number) = (targets.first(), targets.len()) else {
            let state = super::events::state_name(any.event_state).to_lowercase();
            let text = match all.len() {
                1 => format!("'{}' is {state}: that is nothing to {verb}.", called(any)),
                _ => format!("None of them is in a state to {verb} it."),
            };
            return self.say(text);
        };
        let mut lines = vec![transition.meaning().to_owned()];
        let title = if number == 1 {
            format!("{}{} '{}'?", verb[..1].to_uppercase(), &verb[1..], called(first))
        } else {
            lines.extend(
                targets
                    .iter()
                    .take(MOST_NAMED)
                    .map(|event| format!("  {} ({})", called(event), super::events::state_name(event.event_state))),
            );
            if number > MOST_NAMED {
                lines.push(format!("  and {} more", number - MOST_NAMED));
            }
            format!("{}{} {number} events?", verb[..1].to_uppercase(), &verb[1..])
        };
        match all.len() - number {
            0 => {}
            1 => lines.push("1 of those marked is in another state and stays as it is.".to_owned()),
            others => lines.push(format!("{others} of those marked are in another state and stay as they are.")),
        }
        let done = if number == 1 {
            format!("'{}' is {past}.", called(first))
        } else {
            format!("{number} events are {past}.")
        };
        let mut confirm = Confirm::new(title, lines, done);
        for event in targets {
            confirm = confirm.step(called(event), transition.call(event.event_id));
        }
        self.dialog = Some(Dialog::Confirm(confirm));
    }

    fn confirm_adjudication(&mut self, game_id: Uuid, winner: Option<(Uuid, String)>) {
        let (title, done) = match &winner {
            Some((_, name)) => {
                (format!("Decide game {} for {name}?", short_id(game_id)), format!("{name} won by your decision."))
            }
            None => (format!("Make game {} void?", short_id(game_id)), "The game is void.".to_owned()),
        };
        let lines = vec!["The game ends at once; both players are told.".to_owned()];
        let call = AdjudicateGame { game_id, winner_user_id: winner.map(|(id, _)| id), reason: String::new() };
        let confirm = Confirm::new(title, lines, done).step(short_id(game_id), call).ask(Ask::Reason);
        self.dialog = Some(Dialog::Confirm(confirm));
    }

    pub(super) fn dialog_key(&mut self, key: KeyEvent) -> Vec<Action> {
        let now = self.server_now();
        let Some(mut dialog) = self.dialog.take() else { return vec![] };
        match &mut dialog {
            Dialog::Menu(menu) => {
                if matches!(key.code, KeyCode::Esc | KeyCode::Char('q'))
                    && menu.entries.iter().all(|entry| entry.key != 'q')
                {
                    return vec![];
                }
                if key.code == KeyCode::Esc {
                    return vec![];
                }
                if let Some(deed) = menu.key(key) {
                    return self.perform(deed);
                }
            }
            Dialog::Confirm(confirm) => match confirm_key(confirm, key, now) {
                Answer::No => return vec![],
                Answer::Wait => {}
                Answer::Yes(actions) => {
                    self.dialog = Some(dialog);
                    return actions;
                }
            },
            Dialog::Form(form) => {
                if key.code == KeyCode::Esc && (form.is_leaving || !form.has_changes()) {
                    return vec![];
                }
                if key.code == KeyCode::Esc {
                    form.is_leaving = true;
                } else if let Some(call) = form.key(key, now) {
                    self.dialog = Some(dialog);
                    return vec![Action::Call(call)];
                }
            }
            Dialog::Prompt(prompt) => match key.code {
                KeyCode::Esc => return vec![],
                KeyCode::Enter => {
                    let (purpose, typed) = (prompt.purpose, prompt.input.text().trim().to_owned());
                    match self.prompted(purpose, &typed) {
                        Ok(actions) => return actions,
                        Err(why) => prompt.error = Some(why),
                    }
                }
                _ => {
                    prompt.input.key(key);
                    prompt.error = None;
                }
            },
            Dialog::Palette(palette) => {
                if key.code == KeyCode::Esc {
                    return vec![];
                }
                if let Some(line) = palette.key(key, |line| self.offers(line)) {
                    match self.run_line(&line) {
                        Ok(actions) => return actions,
                        Err(why) => palette.error = Some(why),
                    }
                }
            }
        }
        self.dialog = Some(dialog);
        vec![]
    }

    fn prompted(&mut self, purpose: Purpose, typed: &str) -> Result<Vec<Action>, String> {
        match purpose {
            Purpose::SaveLogs => self.save_logs(typed),
            Purpose::Window => {
                self.set_window(self.read_window(typed)?);
                Ok(vec![])
            }
            Purpose::GrantTo => {
                if typed.is_empty() {
                    return Err("A username or an id is wanted.".to_owned());
                }
                Ok(self.perform(Deed::OpenUser(typed.to_owned())))
            }
        }
    }

    pub(super) fn save_logs(&self, path: &str) -> Result<Vec<Action>, String> {
        if path.is_empty() {
            return Err("A file's name is wanted.".to_owned());
        }
        let as_json = path.ends_with(".ndjson") || path.ends_with(".json");
        Ok(vec![Action::Save { path: path.to_owned(), text: self.logs.export(as_json) }])
    }
}

fn game_menu(game_id: Uuid, players: &[morpion_openapi::game::GamePlayerRef]) -> Vec<Entry> {
    // An open seat cannot lose.
    let is_full = players.len() == 2;
    let mut entries: Vec<_> = players
        .iter()
        .filter(|_| is_full)
        .zip(['x', 'o'])
        .map(|(player, key)| {
            let name = player.name().whole();
            let winner = Some((player.user_id, name.clone()));
            Entry::new(key, format!("decide it for {name}"), Deed::Adjudicate { game_id, winner })
        })
        .collect();
    entries.push(Entry::new('v', "make it void", Deed::Adjudicate { game_id, winner: None }));
    for (player, key) in players.iter().zip(['1', '2']) {
        entries.push(Entry::new(
            key,
            format!("open the account of {}", player.name().whole()),
            Deed::OpenUser(player.username.clone()),
        ));
    }
    let filter = LogFilter { text: Some(game_id.to_string()), ..NO_FILTER };
    let title = format!("Game {}", short_id(game_id));
    entries.push(Entry::new('l', "its log", Deed::Scope { title, filter: Box::new(filter) }));
    entries.push(Entry::new('c', "copy its id", Deed::Copy(game_id.to_string())));
    entries
}

fn user_menu(detail: &users::Detail) -> Vec<Entry> {
    let mut entries = Deed::of_user(&detail.user);
    entries.retain(|entry| !matches!(entry.deed, Deed::OpenUser(_)));
    if detail.section == users::Section::Sessions
        && let Some(session) = detail.sessions.chosen()
    {
        let deed = Deed::RevokeSession {
            user: detail.user.user_id,
            session_id: session.session_id.clone(),
            device: session.device.clone(),
        };
        entries.insert(0, Entry::new('r', format!("revoke the session: {}", session.device), deed));
    }
    if detail.section == users::Section::Games
        && let Some(game) = detail.games.chosen()
    {
        let is_over = matches!(game.status, GameStatus::Completed | GameStatus::Cancelled);
        let entry = if is_over {
            Entry::new('g', "replay the game", Deed::Replay(game.game_id))
        } else {
            Entry::new('g', "watch the game", Deed::Watch(game.game_id))
        };
        entries.insert(0, entry);
    }
    entries
}

enum Answer {
    No,
    Wait,
    Yes(Vec<Action>),
}

fn confirm_key(confirm: &mut Confirm, key: KeyEvent, now: i64) -> Answer {
    match key.code {
        KeyCode::Esc => return Answer::No,
        // What went wrong was read.
        KeyCode::Enter | KeyCode::Char('q') if confirm.is_over() => return Answer::No,
        _ if confirm.is_sent => return Answer::Wait,
        KeyCode::Char('n') if confirm.asks.is_empty() => return Answer::No,
        KeyCode::Char('y') if confirm.asks.is_empty() => return send(confirm, now),
        KeyCode::Enter | KeyCode::Tab | KeyCode::Down if confirm.focus + 1 < confirm.asks.len() => confirm.focus += 1,
        KeyCode::BackTab | KeyCode::Up => confirm.focus = confirm.focus.saturating_sub(1),
        KeyCode::Enter if !confirm.asks.is_empty() => return send(confirm, now),
        _ => {
            let focus = confirm.focus;
            if let Some((_, input)) = confirm.asks.get_mut(focus) {
                input.key(key);
                confirm.error = None;
            }
        }
    }
    Answer::Wait
}

fn send(confirm: &mut Confirm, now: i64) -> Answer {
    if let Some(reason) = confirm.typed(Ask::Reason).map(str::to_owned) {
        if reason.is_empty() || reason.chars().count() > LONGEST_REASON {
            confirm.error = Some(format!("A reason of 1 to {LONGEST_REASON} characters is needed."));
            confirm.focus = 0;
            return Answer::Wait;
        }
        for step in &mut confirm.steps {
            step.call = step.call.clone().with_reason(&reason);
        }
    }
    if let Some(days) = confirm.typed(Ask::Days).filter(|days| !days.is_empty()) {
        let Some(until) = super::moment::duration(&format!("{days}d")) else {
            confirm.error = Some("A number of days is wanted, 3660 at most, or nothing.".to_owned());
            return Answer::Wait;
        };
        let until = Timestamp::from_millis(now + until.num_milliseconds());
        for step in &mut confirm.steps {
            if let crate::net::call::Call::GrantPro(call) = &mut step.call {
                call.until = Some(until);
            }
        }
    }
    confirm.is_sent = true;
    Answer::Yes(confirm.steps.iter().map(|step| Action::Call(step.call.clone())).collect())
}
