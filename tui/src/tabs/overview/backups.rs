//! The server's backups: the table, their status in full, and what can be done with them.

mod view;

use std::cmp::{Ordering, Reverse};

use crossterm::event::KeyCode;
use morpion_openapi::admin::{
    Backup, BackupStatus, BackupsAnswer, CreateBackup, ListBackups, UnreadableBackup, VerifyBackup,
};
use morpion_shell::escape;

use super::{Request, scale::size};
use crate::{
    actions::Action,
    calls::Call,
    dialog::{
        confirm::ConfirmDialog,
        menu::{Menu, MenuItem},
    },
    fetch::Fetch,
    keymap::{KeyAction, Keys, bind, char, ctrl, key},
    list::{DataTable, List, Row},
    time::minute,
};
pub use view::{draw, last_start};

#[rustfmt::skip] // One row a line.
pub const KEYS: Keys = Keys { title: "Backups", has_list: true, bindings: &[
    bind(&[char('v'), key(KeyCode::Enter)], KeyAction::Open, "verify the chosen backup", "verify"),
    bind(&[char('c')], KeyAction::New, "make a backup now", "create"),
    bind(&[char('a')], KeyAction::Menu, "verify it, copy its id, make one now", "act"),
    bind(&[key(KeyCode::Right), char('l')], KeyAction::Right, "to the status in full", "status"),
    bind(&[key(KeyCode::Left), char('h')], KeyAction::Left, "to the backups", ""),
    bind(&[char('b')], KeyAction::Backups, "back to the figures", ""),
]};

#[rustfmt::skip] // One row a line.
pub const STATUS_KEYS: Keys = Keys { title: "Status of the backups", has_list: false, bindings: &[
    bind(&[char('j'), key(KeyCode::Down)], KeyAction::Down, "scroll down", ""),
    bind(&[char('k'), key(KeyCode::Up)], KeyAction::Up, "scroll up", ""),
    bind(&[key(KeyCode::PageDown), ctrl('d')], KeyAction::PageDown, "a page down", ""),
    bind(&[key(KeyCode::PageUp), ctrl('u')], KeyAction::PageUp, "a page up", ""),
    bind(&[char('c')], KeyAction::New, "make a backup now", "create"),
    bind(&[key(KeyCode::Left), char('h')], KeyAction::Left, "to the backups", "backups"),
    bind(&[char('b')], KeyAction::Backups, "back to the figures", ""),
]};

/// Seldom: the server reads a file of each backup, perhaps from a bucket. What changes its status is asked for at once.
const POLL_MS: i64 = 60_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Section {
    #[default]
    List,
    Status,
}

#[derive(Debug, Default)]
pub struct Backups {
    pub table: DataTable<ListedBackup>,
    pub fetch: Fetch,
    pub section: Section,
    /// The first line of the status that is shown.
    from: u16,
}

/// A backup of the table.
#[derive(Debug, Clone)]
pub enum ListedBackup {
    /// With its number in the order of their making, which a clock that was set back does not change.
    Readable(usize, Backup),
    Unreadable(UnreadableBackup),
}

impl Row for ListedBackup {
    type Key = String;
    const SORTS: &'static [&'static str] = &["Made", "Size", "New"];

    fn key(&self) -> String {
        match self {
            Self::Readable(_, backup) => backup.backup_id.clone(),
            Self::Unreadable(backup) => backup.backup_id.clone(),
        }
    }

    fn words(&self) -> String {
        match self {
            Self::Readable(_, Backup { backup_id, at, version, .. }) => {
                format!("{backup_id} {} {version}", minute(*at)).to_lowercase()
            }
            Self::Unreadable(UnreadableBackup { backup_id, reason }) => {
                format!("{backup_id} unreadable {reason}").to_lowercase()
            }
        }
    }

    fn compare(&self, other: &Self, sort: usize) -> Ordering {
        // Those that cannot be read come first: they need a look.
        let value = |row: &Self| match row {
            Self::Readable(number, backup) => {
                let bytes = match sort {
                    0 => 0,
                    1 => backup.bytes,
                    _ => backup.new_bytes,
                };
                Some(Reverse((bytes, *number)))
            }
            Self::Unreadable(_) => None,
        };
        value(self).cmp(&value(other)).then_with(|| other.key().cmp(&self.key()))
    }
}

impl Backups {
    pub fn poll(&mut self, now: i64) -> Option<Call> {
        self.fetch.is_due(POLL_MS, now).then(|| ListBackups {}.into())
    }

    pub fn take(&mut self, answer: &BackupsAnswer, now: i64) {
        let is_first = self.table.rows().is_empty();
        let readable = answer.backups.iter().cloned().enumerate();
        let readable = readable.map(|(number, backup)| ListedBackup::Readable(number, backup));
        let unreadable = answer.unreadable.iter().cloned().map(ListedBackup::Unreadable);
        self.table.set(readable.chain(unreadable).collect());
        // The newest one that something can be done with.
        let newest = self.table.shown().position(|row| matches!(row, ListedBackup::Readable(..)));
        if let Some(newest) = newest.filter(|_| is_first) {
            self.table.choose(newest);
        }
        self.fetch.succeeded(now);
    }

    /// The list may be out of date after such a change of the status.
    pub fn status_changed(&mut self, before: &BackupStatus, after: &BackupStatus) {
        if before.running_since != after.running_since || before.last != after.last {
            self.fetch.expire();
        }
    }

    pub fn keys(&self) -> &'static Keys {
        match self.section {
            Section::List => &KEYS,
            Section::Status => &STATUS_KEYS,
        }
    }

    pub fn turn(&mut self, forward: bool) {
        self.section = if forward { Section::Status } else { Section::List };
        self.from = 0;
    }

    /// Moves by so many rows or lines; the status begins with the line `last` at most.
    pub fn step(&mut self, by: isize, last: u16) {
        match self.section {
            Section::List => self.table.step(by),
            Section::Status => {
                // It may have become shorter.
                let from = self.from.min(last);
                self.from = from.saturating_add_signed(by.clamp(i16::MIN.into(), i16::MAX.into()) as i16).min(last);
            }
        }
    }

    /// Goes back; returns whether it leaves the backups.
    pub fn back(&mut self) -> bool {
        if self.section == Section::Status {
            self.turn(false);
            return false;
        }
        let has_filter = !self.table.filter().is_empty();
        self.table.set_filter(String::new());
        !has_filter
    }

    /// Verifies the chosen backup, or says why it cannot be read.
    pub fn open(&self) -> Vec<Request> {
        let request = self.table.chosen().map(|row| match row {
            ListedBackup::Readable(_, backup) => Request::Perform(Action::VerifyBackup(backup.backup_id.clone())),
            ListedBackup::Unreadable(UnreadableBackup { backup_id, reason }) => {
                Request::warn(format!("{backup_id} cannot be read: {reason}"))
            }
        });
        request.into_iter().collect()
    }

    pub fn menu(&self) -> Menu {
        let mut items = vec![];
        let chosen = self.table.chosen();
        if let Some(ListedBackup::Readable(_, backup)) = chosen {
            items.push(MenuItem::new('v', "verify it", Action::VerifyBackup(backup.backup_id.clone())));
        }
        items.push(MenuItem::new('c', "make one now", Action::CreateBackup));
        if let Some(id) = chosen.map(Row::key) {
            // It is pasted into a shell, after `morpion restore`.
            items.push(MenuItem::new('i', "copy its id", Action::Copy(escape::line(&id).into_owned())));
        }
        Menu::new(chosen.map_or_else(|| "Backups".to_owned(), Row::key), items)
    }

    pub fn confirm_verification(&self, backup_id: String) -> ConfirmDialog {
        let listed = match self.table.get(&backup_id) {
            Some(ListedBackup::Readable(_, backup)) => Some(in_words(backup)),
            _ => None,
        };
        let meaning = "It is restored into a temporary folder on the server, which needs as much space, and checked \
                       there.";
        let lines = listed.into_iter().chain([meaning.to_owned()]).collect();
        ConfirmDialog::new(format!("Verify {backup_id}?"), lines, "The check has started.")
            .step(backup_id.clone(), VerifyBackup { backup_id })
    }
}

/// When it was made, by whom, and its sizes.
fn in_words(backup: &Backup) -> String {
    let Backup { at, version, bytes, new_bytes, .. } = backup;
    format!("Of {} UTC, by Morpion {version}: {}, {} of it new.", minute(*at), size(*bytes), size(*new_bytes))
}

pub fn confirm_creation() -> ConfirmDialog {
    let lines = vec!["Games continue meanwhile. Only what is new since the previous backup is stored.".to_owned()];
    ConfirmDialog::new("Make a backup now?", lines, "The backup has started.")
        .step("the backup", CreateBackup { to: None })
}
