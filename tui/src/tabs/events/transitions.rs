//! What can be done with events: the menu, and the confirmation of a transition.

use morpion_openapi::event::{Event, EventState};
use morpion_shell::escape;

use super::{Events, Request, director, state_name};
use crate::{
    actions::{Action, EventTransition},
    dialog::{
        Dialog,
        confirm::ConfirmDialog,
        menu::{Menu, MenuItem},
    },
    widgets::text::short_id,
};

/// Titles named in a confirmation; the others are counted.
const MAX_NAMED: usize = 8;

impl Events {
    pub(super) fn event_menu(&self) -> Menu {
        let targets = self.targets();
        let Some(first) = targets.first() else {
            return Menu::new("Events", vec![MenuItem::new('n', "make a new event", Action::NewEvent)]);
        };
        let is_one = targets.len() == 1;
        let title = if is_one { called(first) } else { format!("{} events", targets.len()) };
        // What is possible for at least one of them; it is done with those for which it is.
        let is_possible =
            |transition: &EventTransition| targets.iter().any(|event| transition.suits(event.event_state));
        let mut items = if is_one { self.chosen_items() } else { vec![] };
        let transitions = EventTransition::ALL
            .into_iter()
            .zip(['p', 's', 'e', 'c', 'd'])
            .filter(|(transition, _)| is_possible(transition))
            .map(|(transition, key)| MenuItem::new(key, transition.verb(), Action::Transition(transition)));
        items.extend(transitions);
        if is_one {
            items.extend(director::event_items(first));
            let state = first.event_state;
            if can_be_edited(state) {
                items.push(MenuItem::new('m', "modify: title, times, prize", Action::EditEvent));
            }
            if matches!(state, EventState::Started | EventState::Ended) {
                items.push(MenuItem::new('v', "verify the standings from the games", Action::Verify(first.event_id)));
            }
            items.push(MenuItem::new('i', "copy its id", Action::Copy(first.event_id.to_string())));
        }
        Menu::new(title, items)
    }

    pub(super) fn confirm_transition(&self, transition: EventTransition) -> Request {
        let all = self.targets();
        let Some(any) = all.first() else {
            return Request::warn("No event is chosen.");
        };
        let (verb, past) = (transition.verb(), transition.past());
        let targets: Vec<_> = all.iter().copied().filter(|event| transition.suits(event.event_state)).collect();
        let (Some(first), number) = (targets.first(), targets.len()) else {
            let state = state_name(any.event_state).to_lowercase();
            let text = match all.len() {
                1 => format!("'{}' is {state}; you cannot {verb} it.", called(any)),
                _ => format!("You cannot {verb} any of these events now."),
            };
            return Request::warn(text);
        };
        let mut lines = vec![transition.meaning().to_owned()];
        let title = if number == 1 {
            format!("{}{} '{}'?", verb[..1].to_uppercase(), &verb[1..], called(first))
        } else {
            lines.extend(
                targets
                    .iter()
                    .take(MAX_NAMED)
                    .map(|event| format!("  {} ({})", called(event), state_name(event.event_state))),
            );
            if number > MAX_NAMED {
                lines.push(format!("  and {} more", number - MAX_NAMED));
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
        let mut confirm = ConfirmDialog::new(title, lines, done);
        for event in targets {
            confirm = confirm.step(called(event), transition.call(event.event_id));
        }
        Request::OpenDialog(Dialog::Confirm(confirm))
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
