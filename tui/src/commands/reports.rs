//! `morpion-tui reports …`

use morpion_openapi::{
    PageRequest,
    moderation::{CloseReport, ListReports, Report, ReportState},
};
use morpion_shell::{
    command_error::CommandError,
    reference::{self, Candidate},
};
use uuid::Uuid;

use super::print::TextTable;
use crate::{
    args::Reports,
    script::{Outcome, Script},
    tabs::{reports::kind, users::suspended::in_words},
    time::minute,
};

impl Script {
    pub(super) async fn reports(&self, command: &Reports) -> Outcome {
        match command {
            Reports::List { closed, page } => {
                let state = if *closed { ReportState::Closed } else { ReportState::Open };
                let call = ListReports { state: Some(state), page: Some(page.page), limit: Some(page.limit) };
                let answer = self.api.ask(&call).await?;
                self.list(&answer.reports, Some(&answer.pagination), table)
            }
            Reports::Close { report, outcome, note } => {
                let report_id = self.report(report).await?;
                let call = CloseReport { report_id, outcome: *outcome, note: note.clone() };
                self.show(call, |answer| table(std::slice::from_ref(&answer.report))).await
            }
        }
    }

    async fn report(&self, wanted: &str) -> Result<Uuid, CommandError> {
        if let Ok(id) = wanted.parse() {
            return Ok(id);
        }
        let chosen = reference::choose("open report", wanted, self.open_reports().await?)?;
        chosen.id.parse().map_err(|_| super::invalid("That is not an id."))
    }

    /// The newest open reports, each by its id and whom it is about.
    pub async fn open_reports(&self) -> Result<Vec<Candidate>, CommandError> {
        let call = ListReports { state: Some(ReportState::Open), page: Some(1), limit: Some(PageRequest::MAX_LIMIT) };
        let reports = self.api.ask(&call).await?.reports.into_iter();
        Ok(reports
            .map(|report| Candidate { name: about(&report).to_owned(), id: report.report_id.to_string() })
            .collect())
    }
}

/// The username of whom a report is about.
fn about(report: &Report) -> &str {
    report.subject.as_ref().map_or(&report.evidence.username, |subject| &subject.username)
}

fn table(reports: &[Report]) -> String {
    let mut table =
        TextTable::new(&["ID", "WHEN (UTC)", "ABOUT", "SUSPENSION", "WHAT", "BY", "STATE", "GAME", "TEXT", "NOTE"]);
    for report in reports {
        let reporter = report.reporter.as_ref().map_or("", |reporter| &reporter.username);
        let state = report.outcome.map_or(report.state.as_str(), |outcome| outcome.as_str());
        table.row(&[
            &report.report_id.to_string(),
            &minute(report.at),
            about(report),
            &report.suspension.as_ref().map(in_words).unwrap_or_default(),
            kind(report.kind),
            reporter,
            state,
            &report.game_id.map(|id| id.to_string()).unwrap_or_default(),
            &report.text,
            report.note.as_deref().unwrap_or_default(),
        ]);
    }
    table.text()
}
