//! What dialogs make of keys, and the actions that are chosen in them.

use crossterm::event::{KeyCode, KeyEvent};
use morpion_openapi::game::GetGame;

use super::{Action, App, Dialog, Effect, Level, Replay, Watch, keys::PAGE};
use crate::{
    calls::Call,
    dialog::{InputPurpose, confirm::ConfirmOutcome, view::text_width},
    tabs::users::UserLookup,
};

impl App {
    /// Performs an action, or asks for confirmation first.
    pub(super) fn perform(&mut self, action: Action) -> Vec<Effect> {
        if self.context.options.is_read_only && action.is_write() {
            self.warn("This console is read-only.");
            return vec![];
        }
        match action {
            Action::Copy(text) => {
                self.toasts.add(Level::Done, "Copied.".to_owned(), self.context.now);
                vec![Effect::Copy(text)]
            }
            Action::Watch(game_id) => match self.tabs.games.get(game_id).cloned() {
                Some(game) => self.watch_game(Watch::new(&game)),
                None => vec![Effect::Call(GetGame { game_id }.into())],
            },
            Action::Replay(game_id) => {
                let left = self.watch.take().map(Watch::leave);
                let replay = Replay::new(game_id);
                let call = replay.call();
                self.replay = Some(replay);
                left.into_iter().chain([Effect::Call(call)]).collect()
            }
            Action::OpenUser(wanted) => {
                let lookup = UserLookup::new(wanted);
                let known = self.tabs.iter().find_map(|(_, tab)| tab.find_user(&lookup)).cloned();
                let requests = self.tabs.users.open(lookup, known);
                self.resolve(requests)
            }
            action => self.perform_in_tab(action),
        }
    }

    fn perform_in_tab(&mut self, action: Action) -> Vec<Effect> {
        let mut outcome = Err(action);
        for (_, tab) in self.tabs.iter_mut() {
            outcome = outcome.or_else(|action| tab.perform(action, &self.context));
        }
        outcome.map_or(vec![], |requests| self.resolve(requests))
    }

    pub(super) fn choose_item(&mut self, at: usize) -> Vec<Effect> {
        let chosen = match &self.dialog {
            Some(Dialog::Menu(menu)) => menu.items.get(at).map(|item| item.action.clone()),
            _ => None,
        };
        chosen.map_or(vec![], |action| {
            self.dialog = None;
            self.perform(action)
        })
    }

    pub(super) fn dialog_key(&mut self, key: KeyEvent) -> Vec<Effect> {
        let now = self.context.server_now();
        let Some(mut dialog) = self.dialog.take() else { return vec![] };
        match &mut dialog {
            Dialog::Menu(menu) => {
                let closes = match key.code {
                    KeyCode::Esc => true,
                    KeyCode::Char('q') => menu.items.iter().all(|item| item.key != 'q'),
                    _ => false,
                };
                if closes {
                    return vec![];
                }
                if let Some(action) = menu.key(key) {
                    return self.perform(action);
                }
            }
            Dialog::Text(told) => {
                let by = match key.code {
                    KeyCode::Esc | KeyCode::Enter | KeyCode::Char('q') => return vec![],
                    KeyCode::Down | KeyCode::Char('j') => 1,
                    KeyCode::Up | KeyCode::Char('k') => -1,
                    KeyCode::PageDown => PAGE,
                    KeyCode::PageUp => -PAGE,
                    _ => 0,
                };
                told.scroll(by, text_width(self.context.size.0));
            }
            Dialog::Columns(columns) => {
                if matches!(key.code, KeyCode::Esc | KeyCode::Char('q')) {
                    return vec![];
                }
                if let Some(chosen) = columns.key(key) {
                    self.with_list(|list| list.choose_columns(chosen));
                    return vec![];
                }
            }
            Dialog::Confirm(confirm) => match confirm.key(key, now) {
                ConfirmOutcome::Closed => return vec![],
                ConfirmOutcome::Open => {}
                ConfirmOutcome::Launched(launch) => return self.launch(launch),
                ConfirmOutcome::Confirmed(calls) => {
                    self.dialog = Some(dialog);
                    return calls.into_iter().map(Effect::Call).collect();
                }
            },
            Dialog::EventForm(form) => {
                if key.code == KeyCode::Esc && (form.is_leaving || !form.has_changes()) {
                    return vec![];
                }
                if key.code == KeyCode::Esc {
                    form.is_leaving = true;
                } else if let Some(call) = form.key(key, now) {
                    self.dialog = Some(dialog);
                    return vec![Effect::Call(call)];
                }
            }
            Dialog::Input(input) => match key.code {
                KeyCode::Esc => return vec![],
                KeyCode::Enter => {
                    let (purpose, typed) = (input.purpose, input.input.text().trim().to_owned());
                    match self.typed(purpose, &typed) {
                        Ok(effects) => return effects,
                        Err(why) => input.error = Some(why),
                    }
                }
                _ => {
                    input.input.key(key);
                    input.error = None;
                }
            },
            Dialog::Palette(palette) => {
                if key.code == KeyCode::Esc {
                    return vec![];
                }
                if let Some(line) = palette.key(key, |line| self.completions(line)) {
                    match self.run_line(&line) {
                        Ok(effects) => return effects,
                        Err(why) => palette.error = Some(why),
                    }
                }
            }
        }
        self.dialog = Some(dialog);
        vec![]
    }

    /// Puts a pasted line where it would be typed; false if nothing is typed there.
    pub(super) fn paste_into_dialog(&mut self, line: &str) -> bool {
        let Some(mut dialog) = self.dialog.take() else { return false };
        let is_taken = match &mut dialog {
            Dialog::Menu(_) | Dialog::Text(_) | Dialog::Columns(_) => false,
            Dialog::Confirm(confirm) => confirm.paste(line),
            Dialog::EventForm(form) => form.paste(line),
            Dialog::Input(input) => {
                input.input.paste(line);
                input.error = None;
                true
            }
            Dialog::Palette(palette) => {
                palette.input.paste(line);
                palette.changed(|line| self.completions(line));
                true
            }
        };
        self.dialog = Some(dialog);
        is_taken
    }

    fn typed(&mut self, purpose: InputPurpose, text: &str) -> Result<Vec<Effect>, String> {
        let context = &self.context;
        let outcome = self.tabs.iter_mut().find_map(|(_, tab)| tab.typed(purpose, text, context));
        Ok(self.resolve(outcome.unwrap_or(Ok(vec![]))?))
    }

    /// Passes the outcome of a call to the open dialog; returns whether it was one of its calls.
    pub(super) fn tell_dialog(
        &mut self,
        call: &Call,
        outcome: Result<(), morpion_shell::command_error::CommandError>,
    ) -> bool {
        let now = self.context.now;
        match &mut self.dialog {
            Some(Dialog::Confirm(confirm)) => {
                let was_its = confirm.answered(call, outcome);
                if confirm.is_over() && confirm.went_well() {
                    let done = std::mem::take(&mut confirm.done);
                    self.dialog = None;
                    self.toasts.add(Level::Done, done, now);
                    self.tabs.iter_mut().for_each(|(_, tab)| tab.confirmed());
                }
                was_its
            }
            Some(Dialog::EventForm(form)) if form.sent.as_ref() == Some(call) => {
                match outcome {
                    Ok(()) => {
                        let done = if form.event.is_some() { "The event is changed." } else { "The event is created." };
                        self.dialog = None;
                        self.toasts.add(Level::Done, done.to_owned(), now);
                    }
                    Err(refusal) => form.refused(refusal),
                }
                true
            }
            _ => false,
        }
    }
}
