//! The part of the action resource `admin` that is about backups.

use morpion_backup::{BackupId, Manifest, repository::Listing};
use morpion_openapi::{
    Acknowledgement,
    admin::{Backup, BackupStatus, BackupVerification, BackupsAnswer, CreateBackup, UnreadableBackup, VerifyBackup},
};
use serde_json::json;

use super::{ApiError, admin::AdminResource};
use crate::{
    account::operator,
    backup::{BackupRefusal, BackupState, LATEST},
    caller::Call,
};

impl AdminResource {
    pub(super) fn backup_status(&self) -> BackupStatus {
        let backups = &self.0.backups;
        let BackupState { is_scheduled, running_since, last, log_until, failure, verification, free: _, unreadable: _ } =
            backups.state();
        BackupStatus {
            place: is_scheduled.then(|| backups.place().to_owned()),
            running_since: running_since.map(Into::into),
            last: last.map(backup),
            log_until: log_until.map(Into::into),
            failing_since: failure.as_ref().map(|failure| failure.since.into()),
            failure: failure.map(|failure| failure.cause),
            verification: verification.map(|verification| BackupVerification {
                backup_id: verification.id_or_latest().to_owned(),
                started_at: verification.started_at.into(),
                finished_at: verification.finished_at.map(Into::into),
                problems: verification.problems,
                failure: verification.failure,
            }),
        }
    }

    pub(super) async fn list_backups(&self) -> Result<BackupsAnswer, ApiError> {
        let Listing { manifests, unreadable } = self.0.backups.list().await.map_err(refusal)?;
        let unreadable = unreadable.into_iter();
        Ok(BackupsAnswer {
            backups: manifests.into_iter().map(backup).collect(),
            unreadable: unreadable
                .map(|found| UnreadableBackup { backup_id: found.id.to_string(), reason: found.cause.to_string() })
                .collect(),
        })
    }

    pub(super) async fn verify_backup(&self, call: &Call, payload: VerifyBackup) -> Result<Acknowledgement, ApiError> {
        let id = match &*payload.backup_id {
            LATEST => None,
            text => Some(
                BackupId::parse(text)
                    .ok_or_else(|| ApiError::invalid("backupId", "This is not the id of a backup."))?,
            ),
        };
        self.0.accounts.audit(call, "verify_backup", "backup", json!({ "backupId": payload.backup_id })).await?;
        self.0.backups.verify(id).map_err(refusal)?;
        Ok(Acknowledgement {})
    }

    /// The server writes to the target as its own user, so that only that user may choose one.
    pub(super) async fn create_backup(&self, call: &Call, payload: CreateBackup) -> Result<Acknowledgement, ApiError> {
        if payload.to.is_some() && !operator::is_local(&call.caller) {
            return Err(ApiError::forbidden("Only `morpion backup create` on the server itself can choose a target."));
        }
        let to = payload.to.as_deref();
        if to.is_none() && self.0.backups.place().is_empty() {
            let text = "No place for backups is set. Set backup.to, or use `morpion backup create --to`.";
            return Err(ApiError::conflict("no-backup-target", text));
        }
        self.0.accounts.audit(call, "create_backup", "backup", json!({ "to": to })).await?;
        self.0.backups.create(to).map_err(|error| ApiError::invalid("to", error.to_string()))?;
        Ok(Acknowledgement {})
    }
}

fn backup(manifest: Manifest) -> Backup {
    Backup {
        backup_id: manifest.id.to_string(),
        at: manifest.at.into(),
        bytes: manifest.bytes(),
        new_bytes: manifest.stored_bytes,
        version: manifest.version,
    }
}

fn refusal(refusal: BackupRefusal) -> ApiError {
    match refusal {
        BackupRefusal::NoPlace => {
            ApiError::conflict("no-backup-target", "This server makes no backups by itself. Set backup.to.")
        }
        BackupRefusal::Verifying => {
            ApiError::conflict("verification-running", "A backup is being verified. Try again when it is done.")
        }
        BackupRefusal::Hangs => ApiError::unavailable("The place of the backups does not answer."),
        BackupRefusal::Failed(error) => ApiError::unavailable(error.to_string()),
    }
}
