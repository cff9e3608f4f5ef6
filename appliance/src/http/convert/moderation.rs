//! Suspensions and reports as wire types, and wire words as stored ones.

use base64::{Engine, prelude::BASE64_STANDARD};
use chrono::{DateTime, Utc};
use morpion_openapi::moderation::{self as wire, ReportKind, ReportOutcome, ReportState};
use morpion_store::{Suspension, User};

use super::account::profile;
use crate::account::moderation::{self, ReportView};

/// The suspension that is in force.
pub fn suspension(user: &User, now: DateTime<Utc>) -> Option<wire::Suspension> {
    moderation::suspension(user, now).map(any_suspension)
}

/// A suspension, also one that is over.
pub fn any_suspension(suspension: &Suspension) -> wire::Suspension {
    wire::Suspension {
        until: suspension.until.map(Into::into),
        reason: suspension.reason.clone(),
        at: suspension.at.into(),
    }
}

pub fn kind(kind: ReportKind) -> &'static str {
    match kind {
        ReportKind::Name => "name",
        ReportKind::Picture => "picture",
        ReportKind::Behaviour => "behaviour",
        ReportKind::Engine => "engine",
    }
}

pub fn outcome(outcome: ReportOutcome) -> &'static str {
    match outcome {
        ReportOutcome::Dismissed => "dismissed",
        ReportOutcome::Upheld => "upheld",
    }
}

pub fn report(view: ReportView, now: DateTime<Utc>) -> wire::Report {
    let ReportView { row, reporter, subject, same_subject_open, closed_by } = view;
    let picture = row.picture_type.zip(row.picture);
    wire::Report {
        report_id: row.id,
        kind: ReportKind::ALL.iter().copied().find(|known| kind(*known) == row.kind).unwrap_or(ReportKind::Behaviour),
        text: row.text,
        reporter: reporter.as_ref().map(|user| profile(user, now)),
        subject: subject.as_ref().map(|user| profile(user, now)),
        suspension: subject.as_ref().and_then(|user| suspension(user, now)),
        game_id: row.game,
        evidence: wire::ReportEvidence {
            username: row.username,
            display_name: row.display_name,
            picture: picture
                .map(|(media_type, image)| format!("data:{media_type};base64,{}", BASE64_STANDARD.encode(image))),
        },
        at: row.at.into(),
        state: if row.is_open { ReportState::Open } else { ReportState::Closed },
        outcome: row
            .outcome
            .and_then(|stored| ReportOutcome::ALL.iter().copied().find(|known| outcome(*known) == stored)),
        note: row.note.filter(|note| !note.is_empty()),
        closed_by,
        closed_at: row.closed_at.map(Into::into),
        same_subject_open,
    }
}
