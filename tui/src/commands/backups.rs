//! `morpion-tui backups …`

use std::{process::ExitCode, time::Duration};

use morpion_openapi::admin::{
    Backup, BackupStatus, BackupVerification, CreateBackup, ListBackups, Overview, VerifyBackup,
};
use morpion_shell::{
    command_error::{CommandError, FailureKind},
    escape,
    output::print_error,
};

use super::print::{TextTable, ago};
use crate::{
    args::Backups,
    script::{Outcome, Script},
    tabs::overview::size,
    widgets::text::{age, count},
};

/// Between two questions whether something is done.
const ASK_EVERY: Duration = Duration::from_millis(300);

impl Script {
    pub(super) async fn backups(&self, command: &Backups) -> Outcome {
        match command {
            Backups::List => {
                let mut answer = self.api.ask(&ListBackups {}).await?;
                answer.backups.reverse();
                let outcome = self.list(&answer.backups, None, table)?;
                for backup in &answer.unreadable {
                    let (id, reason) = (escape::line(&backup.backup_id), escape::line(&backup.reason));
                    print_error(&format!("morpion-tui: backup {id} cannot be read: {reason}"));
                }
                Ok(outcome)
            }
            Backups::Create => self.create_backup().await,
            Backups::Verify { backup } => self.verify_backup(backup.clone()).await,
            Backups::Status => self.print(&self.backup_status().await?, status_facts),
        }
    }

    async fn backup_status(&self) -> Result<BackupStatus, CommandError> {
        Ok(self.api.ask(&Overview {}).await?.backup)
    }

    async fn create_backup(&self) -> Outcome {
        self.api.ask(&CreateBackup { to: None }).await?;
        let status = loop {
            let status = self.backup_status().await?;
            if status.running_since.is_none() {
                break status;
            }
            tokio::time::sleep(ASK_EVERY).await;
        };
        let broken = |why| Err(CommandError::new(FailureKind::Broken, why));
        match (status.failure, status.last) {
            (Some(failure), _) => broken(failure),
            (None, Some(made)) => self.print(&made, |made| {
                let (id, all, new) = (escape::line(&made.backup_id), size(made.bytes), size(made.new_bytes));
                format!("{id}: {all}, {new} of it new\n")
            }),
            (None, None) => broken("The server was stopped while it made the backup.".to_owned()),
        }
    }

    async fn verify_backup(&self, backup_id: String) -> Outcome {
        self.api.ask(&VerifyBackup { backup_id }).await?;
        let check = loop {
            match self.backup_status().await?.verification {
                Some(check) if check.finished_at.is_some() => break check,
                Some(_) => tokio::time::sleep(ASK_EVERY).await,
                None => {
                    let why = "The server was stopped while it verified the backup.";
                    return Err(CommandError::new(FailureKind::Broken, why));
                }
            }
        };
        if let Some(failure) = &check.failure {
            self.print(&check, |_| String::new())?;
            let why = format!("{} could not be verified: {failure}", check.backup_id);
            return Err(CommandError::new(FailureKind::Broken, why));
        }
        self.print(&check, |check| {
            let problems = check.problems.iter().map(|problem| format!("{}\n", escape::line(problem)));
            problems.chain([format!("{}: {}\n", escape::line(&check.backup_id), result(check))]).collect()
        })?;
        Ok(if check.problems.is_empty() { ExitCode::SUCCESS } else { FailureKind::Disagreement.exit_code() })
    }
}

fn table(backups: &[Backup]) -> String {
    let mut table = TextTable::new(&["ID", "MADE", "SIZE", "NEW", "VERSION"]);
    for backup in backups {
        let Backup { backup_id, at, bytes, new_bytes, version } = backup;
        table.row(&[backup_id, &at.to_string(), &size(*bytes), &size(*new_bytes), version]);
    }
    table.text()
}

/// What came of a check.
fn result(check: &BackupVerification) -> String {
    let Some(finished_at) = check.finished_at else { return "being verified".to_owned() };
    let took = age(finished_at.as_millis() - check.started_at.as_millis());
    match check.problems.len() {
        _ if check.failure.is_some() => "could not be verified".to_owned(),
        0 => format!("good, verified in {took}"),
        found => count(found as u64, "problem"),
    }
}

fn status_facts(status: &BackupStatus) -> String {
    let mut table = TextTable::facts();
    table.fact("place", status.place.as_deref().unwrap_or("none"));
    for (name, at) in [
        ("log until", status.log_until),
        ("running since", status.running_since),
        ("failing since", status.failing_since),
    ] {
        if let Some(at) = at {
            table.fact(name, &format!("{at} ({} ago)", ago(at)));
        }
    }
    if let Some(failure) = &status.failure {
        table.fact("failure", failure);
    }
    match &status.last {
        Some(Backup { backup_id, at, bytes, new_bytes, .. }) => {
            table.fact("latest", backup_id);
            table.fact("made", &format!("{at} ({} ago)", ago(*at)));
            table.fact("size", &format!("{}, {} of it new", size(*bytes), size(*new_bytes)));
        }
        None => table.fact("latest", "none"),
    }
    match &status.verification {
        Some(check) => {
            table.fact("verified", &check.backup_id);
            table.fact("begun", &format!("{} ({} ago)", check.started_at, ago(check.started_at)));
            table.fact("result", &result(check));
            check.failure.iter().for_each(|failure| table.fact("reason", failure));
            check.problems.iter().for_each(|problem| table.fact("problem", problem));
        }
        None => table.fact("verified", "none since the server's start"),
    }
    table.text()
}
