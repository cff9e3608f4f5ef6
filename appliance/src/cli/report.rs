//! `morpion report list|close`.

use clap::{Subcommand, builder::PossibleValuesParser};
use clap_complete::engine::ArgValueCompleter;
use morpion_openapi::{
    PageRequest,
    moderation::{CloseReport, ListReports, Report, ReportAnswer, ReportOutcome, ReportState, ReportsAnswer},
};
use morpion_shell::{
    escape,
    output::{Format, print},
    reference::{self, Candidate},
};

use super::{api::Api, complete, moderation::in_words};
use crate::config::Config;

#[derive(Debug, Subcommand)]
#[command(after_help = EXAMPLES)]
pub enum ReportCommand {
    /// List reports, the newest first
    List {
        /// Closed reports instead of open ones
        #[arg(long)]
        closed: bool,
    },
    /// Close a report
    Close {
        /// Its id, a prefix of it, or the username of whom it is about
        #[arg(add = ArgValueCompleter::new(complete::reports))]
        report: String,
        /// dismissed: nothing to do; upheld: something was done
        #[arg(long, value_parser = PossibleValuesParser::new(ReportOutcome::ALL.iter().map(|one| one.as_str())))]
        outcome: String,
        /// For other admins
        #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
        note: String,
    },
}

const EXAMPLES: &str = "\
Examples:
  morpion report list
  morpion report close 0f5e7a4c --outcome upheld --note 'Suspended for a week'

These commands work with a running server and, in its data folder, without one.";

/// # Errors
/// The server's refusal, in its words.
pub async fn run(command: ReportCommand, config: Config, format: Format) -> anyhow::Result<()> {
    Api::with(config, async |api| send(command, api, format).await).await
}

async fn send(command: ReportCommand, api: &Api, format: Format) -> anyhow::Result<()> {
    match command {
        ReportCommand::List { closed } => {
            let state = if closed { ReportState::Closed } else { ReportState::Open };
            for page in 1.. {
                let answer = page_of(api, state, page).await?;
                format.print_rows(&answer.reports, |rows| rows.iter().map(lines).collect())?;
                if page == 1 && answer.reports.is_empty() && format == Format::Text {
                    print(if closed { "No report was closed yet.\n" } else { "No report is open.\n" })?;
                }
                if !answer.pagination.has_next_page {
                    break;
                }
            }
            Ok(())
        }
        ReportCommand::Close { report, outcome, note } => {
            let outcome = if outcome == ReportOutcome::Upheld.as_str() {
                ReportOutcome::Upheld
            } else {
                ReportOutcome::Dismissed
            };
            let report_id = match report.parse() {
                Ok(id) => id,
                Err(_) => reference::choose("open report", &report, open(api).await?)?.id.parse()?,
            };
            let answer: ReportAnswer = api.write("close_report", CloseReport { report_id, outcome, note }).await?;
            Ok(format.print(&answer, |answer| lines(&answer.report))?)
        }
    }
}

async fn page_of(api: &Api, state: ReportState, page: u32) -> anyhow::Result<ReportsAnswer> {
    let call = ListReports { state: Some(state), page: Some(page), limit: Some(PageRequest::MAX_LIMIT) };
    api.read("list_reports", call).await
}

/// The newest open reports, each by its id and whom it is about.
pub(super) async fn open(api: &Api) -> anyhow::Result<Vec<Candidate>> {
    let reports = page_of(api, ReportState::Open, 1).await?.reports.into_iter();
    Ok(reports.map(|report| Candidate { name: about(&report).to_owned(), id: report.report_id.to_string() }).collect())
}

/// The username of whom a report is about.
fn about(report: &Report) -> &str {
    report.subject.as_ref().map_or(&report.evidence.username, |subject| &subject.username)
}

/// A report in a few lines, the first one with its id.
fn lines(report: &Report) -> String {
    let reporter = report.reporter.as_ref().map_or("a deleted account", |reporter| &reporter.username);
    let names = format!("{} ({})", report.evidence.username, report.evidence.display_name);
    let others = report.same_subject_open.saturating_sub(u64::from(report.state == ReportState::Open));
    let closed = report.outcome.map(|outcome| {
        let by = report.closed_by.as_deref().unwrap_or_default();
        format!("{outcome} by {by}: {}", report.note.as_deref().unwrap_or_default())
    });
    let told = [
        Some(format!(
            "{}  {}  {} reports {} for: {}",
            report.report_id,
            report.at,
            reporter,
            about(report),
            report.kind
        )),
        Some(format!("  names then: {names}")),
        (!report.text.is_empty()).then(|| format!("  text: {}", report.text)),
        report.game_id.map(|id| format!("  game: {id}")),
        report.suspension.as_ref().map(|suspension| format!("  {}", in_words(suspension))),
        (others > 0).then(|| format!("  other open reports about the same person: {others}")),
        closed.map(|closed| format!("  {closed}")),
    ];
    told.into_iter().flatten().map(|line| escape::line(&line).into_owned() + "\n").collect()
}
