//! Reports as rows of a table.

use std::cmp::Ordering;

use morpion_openapi::moderation::{Report, ReportKind};
use uuid::Uuid;

use super::{about, view::COLUMNS};
use crate::{
    list::{Row, view::Column},
    widgets::name::Named,
};

impl Row for Report {
    type Key = Uuid;
    const SORTS: &'static [&'static str] = &["When", "About", "What", "Open"];
    const COLUMNS: &'static [Column] = &COLUMNS;

    fn key(&self) -> Uuid {
        self.report_id
    }

    fn words(&self) -> String {
        let reporter = self.reporter.as_ref().map(|reporter| reporter.name().whole()).unwrap_or_default();
        let (kind, note) = (kind(self.kind), self.note.as_deref().unwrap_or_default());
        format!("{} {reporter} {kind} {} {note} {}", about(self), self.evidence.name().whole(), self.text)
            .to_lowercase()
    }

    fn compare(&self, other: &Self, sort: usize) -> Ordering {
        match sort {
            0 => Ordering::Equal,
            1 => about(self).to_lowercase().cmp(&about(other).to_lowercase()),
            2 => self.kind.as_str().cmp(other.kind.as_str()),
            _ => other.same_subject_open.cmp(&self.same_subject_open),
        }
        .then_with(|| other.at.cmp(&self.at))
        .then_with(|| other.report_id.cmp(&self.report_id))
    }
}

/// What a report is about, as players read it.
pub fn kind(kind: ReportKind) -> &'static str {
    match kind {
        ReportKind::Name => "name",
        ReportKind::Picture => "picture",
        ReportKind::Behaviour => "behaviour",
        ReportKind::Engine => "help of an engine",
    }
}
