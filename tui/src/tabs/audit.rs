//! What admins and operators did.

use std::{borrow::Cow, cmp::Ordering};

use crossterm::event::KeyCode;
use morpion_openapi::{
    PageRequest,
    admin::{AuditEntry, ListAudit},
};
use morpion_shell::{command_error::CommandError, escape};
use ratatui::{
    Frame,
    layout::{Constraint, Layout, Rect},
    text::{Line, Span},
    widgets::{Paragraph, Wrap},
};
use serde_json::Value;

use super::{CommandLine, Request, Tab, TabId};
use crate::{
    calls::{Call, Reply},
    context::Context,
    dialog::palette::{Argument, PaletteCommand, command},
    fetch::{Fetch, Pager},
    hit_testing::ClickTargets,
    keymap::{KeyAction, Keys, bind, char, key},
    list::{
        DataTable, List, Row,
        view::{self as table, Column},
    },
    own_commands::Target,
    theme::Theme,
    time::minute,
    widgets::{
        block::LOW,
        text::{self, fit, short_id},
    },
};

#[rustfmt::skip] // One row a line.
const KEYS: Keys = Keys { title: "Audit", has_list: true, bindings: &[
    bind(&[key(KeyCode::Right), char('l')], KeyAction::Right, "older entries", "older"),
    bind(&[key(KeyCode::Left), char('h')], KeyAction::Left, "newer entries", "newer"),
]};

const POLL_MS: i64 = 10_000;
/// Lines for the chosen entry in full.
const FULL: u16 = 4;

#[derive(Debug, Default)]
pub struct Audit {
    pub table: DataTable<AuditEntry>,
    pub fetch: Fetch,
    pub page: Pager,
}

impl Tab for Audit {
    fn title(&self) -> &'static str {
        "Audit"
    }

    fn keys(&self) -> &'static Keys {
        &KEYS
    }

    fn modes(&self) -> &'static [&'static Keys] {
        &[&KEYS]
    }

    fn commands(&self) -> &'static [PaletteCommand] {
        const { &[command("audit", Argument::None, "what admins did")] }
    }

    fn run(&mut self, _line: CommandLine<'_>, _context: &Context) -> Result<Vec<Request>, String> {
        Ok(vec![Request::ShowTab(TabId::Audit)])
    }

    fn list(&self) -> Option<&dyn List> {
        Some(&self.table)
    }

    fn list_mut(&mut self) -> Option<&mut dyn List> {
        Some(&mut self.table)
    }

    fn target(&self) -> Option<Target> {
        self.table.chosen().map(|entry| Target::new(&entry.audit_id, subject(entry)))
    }

    fn key(&mut self, action: KeyAction, _context: &Context) -> Vec<Request> {
        let is_turn = matches!(action, KeyAction::Left | KeyAction::Right);
        if is_turn && self.page.turn(action == KeyAction::Right) {
            self.fetch.expire();
        }
        vec![Request::Poll]
    }

    fn poll(&mut self, shown: TabId, now: i64) -> Vec<Call> {
        if shown != TabId::Audit || !self.fetch.is_due(POLL_MS, now) {
            return vec![];
        }
        vec![ListAudit { page: Some(self.page.number), limit: Some(PageRequest::MAX_LIMIT) }.into()]
    }

    fn expire(&mut self) {
        self.fetch.expire();
    }

    fn replied(&mut self, _call: &Call, reply: &Reply, context: &Context) -> Vec<Request> {
        if let Reply::ListAudit(answer) = reply {
            self.page.take(&answer.pagination);
            self.table.set(answer.entries.clone());
            self.fetch.succeeded(context.now);
        }
        vec![]
    }

    fn refused(&mut self, call: &Call, refusal: &CommandError, context: &Context) -> Option<Vec<Request>> {
        let Call::ListAudit(_) = call else { return None };
        self.fetch.failed(refusal.clone(), context.now);
        Some(vec![])
    }

    fn draw(&self, frame: &mut Frame, area: Rect, context: &Context, theme: &Theme, targets: &mut ClickTargets) {
        draw(frame, area, self, context, theme, targets);
    }
}

impl Row for AuditEntry {
    type Key = String;
    const SORTS: &'static [&'static str] = &["When", "Who", "What"];
    const COLUMNS: &'static [Column] = &COLUMNS;

    fn key(&self) -> String {
        self.audit_id.clone()
    }

    fn words(&self) -> String {
        let Self { actor, action, subject, address, .. } = self;
        let name = self.subject_name.as_deref().unwrap_or_default();
        // With the ids that are not shown.
        let recorded = self.detail.as_deref().unwrap_or_default();
        format!("{actor} {action} {subject} {name} {address} {} {recorded}", detail(self)).to_lowercase()
    }

    fn compare(&self, other: &Self, sort: usize) -> Ordering {
        match sort {
            0 => Ordering::Equal,
            1 => self.actor.cmp(&other.actor),
            _ => self.action.cmp(&other.action),
        }
        .then_with(|| other.at.cmp(&self.at))
        .then_with(|| self.audit_id.cmp(&other.audit_id))
    }
}

/// What something was done to, by its name where it has one.
pub fn subject(entry: &AuditEntry) -> &str {
    entry.subject_name.as_deref().filter(|name| !name.is_empty()).unwrap_or(&entry.subject)
}

/// What was recorded with an action: `name: value` for each field of its JSON, or the text itself if it is none. An id
/// is left out where the name is recorded too: `eventId` beside `event`, `winnerUserId` beside `winner`.
pub fn detail(entry: &AuditEntry) -> Cow<'_, str> {
    let text = entry.detail.as_deref().unwrap_or_default();
    let fields = match serde_json::from_str(text) {
        Ok(Value::Object(fields)) => fields,
        Ok(Value::String(words)) => return words.into(),
        Ok(Value::Null) => return "".into(),
        Ok(_) | Err(_) => return text.into(),
    };
    let is_named = |key: &str, id: &Value| {
        let Some(of) = key.strip_suffix("Id") else { return false };
        let names = [of, of.strip_suffix("User").unwrap_or(of)].map(|name| fields.get(name));
        names.into_iter().flatten().any(|name| !name.is_null() || id.is_null())
    };
    let told = fields.iter().filter(|(key, value)| !is_named(key, value));
    told.map(|(key, value)| format!("{key}: {}", in_words(value))).collect::<Vec<_>>().join("; ").into()
}

fn in_words(value: &Value) -> Cow<'_, str> {
    match value {
        Value::Null => "none".into(),
        Value::String(text) => text.into(),
        other => other.to_string().into(),
    }
}

/// The columns of the table.
const COLUMNS: [Column; 6] = [
    Column::new("When (UTC)", 16).sort(0).drop_order(2),
    Column::new("Who", 8).sort(1),
    Column::new("What", 12).sort(2),
    Column::new("On what", 10).drop_order(1),
    Column::new("From", 12).drop_order(3),
    Column::new("Detail", 20).drop_order(4),
];

fn draw(frame: &mut Frame, area: Rect, audit: &Audit, context: &Context, theme: &Theme, targets: &mut ClickTargets) {
    let rows = if area.height < LOW { FULL - 1 } else { FULL };
    let [line, body, full] =
        Layout::vertical([Constraint::Length(1), Constraint::Min(0), Constraint::Length(rows)]).areas(area);
    let shown = audit.table.shown().len();
    let mut text = format!("{}, the newest first", text::count(audit.page.total, "entry"));
    if audit.page.has_next || audit.page.number > 1 {
        text += &format!(", page {}", audit.page.number);
    }
    frame.render_widget(table::summary(&audit.table, text, &audit.fetch, theme), line);
    let empty = ["Nothing was done yet.", "What admins and operators do appears here."];
    if table::draw_empty_state(frame, body, context, (&audit.fetch, &audit.table, shown), ("entries", empty), theme) {
        return;
    }
    table::draw(frame, body, &audit.table, &COLUMNS, theme, targets, |entry| {
        vec![
            Line::styled(minute(entry.at), theme.soft),
            Line::raw(entry.actor.clone()),
            Line::raw(entry.action.clone()),
            Line::styled(subject(entry).to_owned(), theme.soft),
            Line::styled(entry.address.clone(), theme.soft),
            Line::styled(detail(entry).into_owned(), theme.soft),
        ]
    });
    if let Some(entry) = audit.table.chosen() {
        let rule = Line::styled(theme.glyphs.rule.repeat(full.width.into()), theme.rule);
        let subject = match (entry.subject.parse(), subject(entry)) {
            (Ok(id), name) if name != entry.subject => format!("{name} ({})", short_id(id)),
            (_, name) => name.to_owned(),
        };
        let line = Line::from(vec![
            Span::styled(format!(" {} ", escape::line(&entry.actor)), theme.strong),
            Span::raw(format!("{} {} ", escape::line(&entry.action), escape::line(&subject))),
            Span::styled(format!("from {} at {}", escape::line(&entry.address), entry.at), theme.soft),
        ]);
        let detail = fit(&format!(" {}", detail(entry)), usize::from(full.width) * 2, theme.glyphs.ellipsis);
        frame.render_widget(Paragraph::new(vec![rule, line, Line::raw(detail)]).wrap(Wrap { trim: false }), full);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn audit_details_are_shown_by_name_and_value() {
        for (recorded, told) in [
            (r#"{"isAdmin":true,"username":"ben"}"#, "isAdmin: true; username: ben"),
            (r#"{"event":"Cup","eventId":"0f5e","reason":"No, show"}"#, "event: Cup; reason: No, show"),
            (r#"{"reason":"Cheated","winner":"anna","winnerUserId":"a1"}"#, "reason: Cheated; winner: anna"),
            (r#"{"reason":"Broken","winner":null,"winnerUserId":null}"#, "reason: Broken; winner: none"),
            (r#"{"eventId":"0f5e"}"#, "eventId: 0f5e"),
            (r#"{"winner":null,"winnerUserId":"a1"}"#, "winner: none; winnerUserId: a1"),
            (r#"{"Id":7,"paid":true}"#, "Id: 7; paid: true"),
            (r#"{"updates":{"losses":2,"tags":[1, 2]}}"#, r#"updates: {"losses":2,"tags":[1,2]}"#),
            ("{}", ""),
            ("null", ""),
            ("[1,2]", "[1,2]"),
            ("7", "7"),
            (r#""words""#, "words"),
            ("plain words", "plain words"),
            ("", ""),
        ] {
            let entry = AuditEntry {
                audit_id: String::new(),
                sequence: 1,
                actor: "ada".to_owned(),
                action: "set_admin".to_owned(),
                subject: "ben".to_owned(),
                subject_kind: None,
                subject_name: None,
                address: String::new(),
                detail: Some(recorded.to_owned()),
                at: morpion_openapi::Timestamp::from_millis(0),
            };
            assert_eq!(detail(&entry), told, "{recorded}");
            assert_eq!(detail(&AuditEntry { detail: None, ..entry }), "");
        }
    }
}
