//! `morpion audit verify|export`.

use chrono::{DateTime, NaiveDate, NaiveTime, Utc};
use clap::Subcommand;
use morpion_openapi::{
    Timestamp,
    admin::{ExportAudit, ExportAuditAnswer, VerifyAudit, VerifyAuditAnswer},
};
use morpion_shell::{
    command_error::{CommandError, FailureKind},
    escape,
    output::{Format, print},
};

use super::api::Api;
use crate::config::Config;

#[derive(Debug, Subcommand)]
#[command(after_help = EXAMPLES)]
pub enum AuditCommand {
    /// Check that no entry of the audit trail was changed, removed, moved or added
    ///
    /// Exits with 10 if one was, and names the first. Keep the printed hash elsewhere, or export the trail: whoever can
    /// write the whole database can also write a new trail.
    Verify,
    /// Print the audit trail as JSON, one entry a line, the oldest first
    Export {
        /// Leave out entries from before: a day or a time, UTC
        #[arg(long, value_name = "YYYY-MM-DD[THH:MM:SSZ]", value_parser = time)]
        since: Option<DateTime<Utc>>,
    },
}

const EXAMPLES: &str = "\
Examples:
  morpion audit verify
  morpion audit export --since 2026-11-01 > audit.jsonl

These commands work with a running server and, in its data folder, without one.";

/// # Errors
/// The server's refusal, in its words; a trail that is not as it was written.
pub async fn run(command: AuditCommand, config: Config, format: Format) -> anyhow::Result<()> {
    Api::with(config, async |api| match command {
        AuditCommand::Verify => verify(api, format).await,
        AuditCommand::Export { since } => export(api, since.map(Timestamp::from)).await,
    })
    .await
}

async fn verify(api: &Api, format: Format) -> anyhow::Result<()> {
    let answer: VerifyAuditAnswer = api.read("verify_audit", VerifyAudit {}).await?;
    format.print(&answer, |answer| {
        let period = match (answer.from, answer.until) {
            (Some(from), Some(until)) => format!(", from {from} to {until}, head {}", escape::line(&answer.head)),
            _ => String::new(),
        };
        let counted = if answer.entries == 1 { "1 entry" } else { &format!("{} entries", answer.entries) };
        format!("{counted} in order{period}\n")
    })?;
    let Some(number) = answer.broken_at else { return Ok(()) };
    let problem = answer.problem.unwrap_or_default();
    let text = format!("the audit trail is broken at entry {number}: {}", escape::line(&problem));
    Err(CommandError::new(FailureKind::Disagreement, text).into())
}

async fn export(api: &Api, since: Option<Timestamp>) -> anyhow::Result<()> {
    let mut after = None;
    loop {
        let answer: ExportAuditAnswer = api.read("export_audit", ExportAudit { after, since }).await?;
        print(&answer.ndjson)?;
        after = answer.next;
        if after.is_none() {
            return Ok(());
        }
    }
}

pub(super) fn time(text: &str) -> Result<DateTime<Utc>, String> {
    let day = || text.parse::<NaiveDate>().map(|day| day.and_time(NaiveTime::MIN).and_utc());
    text.parse().or_else(|_| day()).map_err(|_| "write a day such as 2026-11-01, or 2026-11-01T10:00:00Z".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_a_day_or_a_moment() {
        assert_eq!(time("2026-11-01").unwrap().to_rfc3339(), "2026-11-01T00:00:00+00:00");
        assert_eq!(time("2026-11-01T10:00:00Z").unwrap().to_rfc3339(), "2026-11-01T10:00:00+00:00");
        assert_eq!(time("2026-11-01T10:00:00.25Z").unwrap().to_rfc3339(), "2026-11-01T10:00:00.250+00:00");
        assert!(time("yesterday").unwrap_err().contains("2026-11-01"));
    }
}
