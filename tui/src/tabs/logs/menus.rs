//! The menus and dialogs of the log.

use std::collections::BTreeSet;

use morpion_openapi::{Timestamp, logger::LogFilter};

use super::Logs;
use crate::{
    actions::Action,
    context::Context,
    dialog::{
        InputDialog, InputPurpose,
        menu::{Menu, MenuItem},
    },
    log::{
        NO_FILTER,
        filter::{LEVELS, Window},
        line,
    },
    widgets::text::count,
};

impl Logs {
    pub(super) fn record_menu(&self) -> Menu {
        let mut items = vec![];
        if let Some(record) = self.view().chosen() {
            let scope = |title: String, filter| Action::OpenLogScope { title, filter: Box::new(filter) };
            if let Some(id) = record.request_id() {
                let filter = LogFilter { request_id: Some(id.to_owned()), ..NO_FILTER };
                items.push(MenuItem::new('r', "everything of this request", scope(format!("Request {id}"), filter)));
            }
            if let Some(id) = record.user_id() {
                let filter = LogFilter { user_id: Some(id), ..NO_FILTER };
                items.push(MenuItem::new('u', "everything of this user", scope(format!("User {id}"), filter)));
                items.push(MenuItem::new('o', "open the account", Action::OpenUser(id.to_string())));
            }
            if let Some(id) = record.session_id() {
                let filter = LogFilter { session_id: Some(id.to_owned()), ..NO_FILTER };
                items.push(MenuItem::new('s', "everything of this session", scope(format!("Session {id}"), filter)));
            }
            if let Some(id) = record.game_id() {
                items.push(MenuItem::new('g', "the game", Action::Watch(id)));
            }
            items.push(MenuItem::new('c', "copy the record", Action::Copy(line(record))));
        }
        if self.view().shown_len() > 0 {
            items.push(MenuItem::new('f', "save what is shown to a file", Action::SaveLogs));
        }
        items.push(MenuItem::new('x', "clear the server's log", Action::ClearLogs));
        Menu::new("Log", items)
    }

    pub(super) fn service_menu(&self) -> Menu {
        let mut items = vec![MenuItem::new('*', "all parts", Action::SetLogService(None))];
        let keys = ('a'..='z').chain('A'..='Z').map(Some).chain(std::iter::repeat(None));
        for (name, key) in self.service_names().into_iter().zip(keys) {
            // Without a letter left, the arrows still reach it.
            items.push(MenuItem::new(key.unwrap_or(' '), name.clone(), Action::SetLogService(Some(name))));
        }
        Menu::new("Part of the program", items)
    }

    pub(super) fn level_menu(&self) -> Menu {
        let labels = ["errors only", "warnings and errors", "all but debug", "every level"];
        let items = LEVELS.into_iter().zip(labels).zip(['e', 'w', 'i', 'd']);
        let items: Vec<_> =
            items.map(|((level, label), key)| MenuItem::new(key, label, Action::SetLogLevel(level))).collect();
        let chosen = LEVELS.iter().position(|level| *level == self.view().filter().level).unwrap_or(0);
        Menu { chosen, ..Menu::new("Levels", items) }
    }

    pub(super) fn window_menu() -> Menu {
        let mut items: Vec<_> = Window::MENU
            .into_iter()
            .zip(['a', '5', '1', 'h', 'd'])
            .map(|((window, label), key)| MenuItem::new(key, label, Action::SetLogWindow(window)))
            .collect();
        items.push(MenuItem::new('t', "from … to …", Action::AskLogWindow));
        Menu::new("Time window", items)
    }

    /// The parts of the program that are known: from the records, and from what the server counted.
    pub(super) fn service_names(&self) -> BTreeSet<String> {
        let mut names = self.services.clone();
        names.extend(self.stats.iter().flat_map(|stats| stats.services.iter().cloned()));
        names
    }

    /// Shows milder levels too, or fewer.
    pub(super) fn step_level(&mut self, by: isize) {
        let present = self.view().filter().level;
        let at = LEVELS.iter().position(|level| *level == present).unwrap_or(LEVELS.len() - 1);
        self.set_level(LEVELS[at.saturating_add_signed(by).min(LEVELS.len() - 1)]);
    }

    pub(super) fn save_dialog(&self, context: &Context) -> InputDialog {
        let at = Timestamp::from_millis(context.server_now()).utc().format("%Y%m%dT%H%M%SZ");
        InputDialog::new(
            InputPurpose::SaveLogs,
            format!("Save {} to", count(self.view().shown_len() as u64, "record")),
            "a new file: .ndjson for JSON, anything else for lines",
            format!("{}morpion-log-{at}.ndjson", context.options.folder),
        )
    }

    pub(super) fn window_dialog() -> InputDialog {
        let hint = "15m, or 20:00 21:30, or 2026-11-21 20:00 2026-11-21 21:30";
        InputDialog::new(InputPurpose::LogWindow, "Time window (UTC)", hint, "")
    }
}
