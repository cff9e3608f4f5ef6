//! The part of the action resource `admin` that is about backups.

use morpion_openapi::{
    Acknowledgement,
    admin::{Backup, BackupStatus, CreateBackup},
};
use serde_json::json;

use super::{ApiError, admin::AdminResource};
use crate::{
    account::operator::LOCAL_TOKEN_NAME,
    backup::BackupState,
    caller::{Call, Caller},
};

impl AdminResource {
    pub(super) fn backup_status(&self) -> BackupStatus {
        let backups = &self.0.backups;
        let BackupState { is_scheduled, running_since, last, log_until, failure, free: _, unreadable: _ } =
            backups.state();
        BackupStatus {
            place: is_scheduled.then(|| backups.place().to_owned()),
            running_since: running_since.map(Into::into),
            last: last.map(|last| Backup {
                backup_id: last.id.to_string(),
                at: last.at.into(),
                bytes: last.bytes(),
                new_bytes: last.stored_bytes,
            }),
            log_until: log_until.map(Into::into),
            failing_since: failure.as_ref().map(|failure| failure.since.into()),
            failure: failure.map(|failure| failure.cause),
        }
    }

    /// The server writes to the target as its own user, so that only that user may choose one.
    pub(super) async fn create_backup(&self, call: &Call, payload: CreateBackup) -> Result<Acknowledgement, ApiError> {
        let is_local = matches!(&call.caller, Caller::Operator(operator) if operator.name == LOCAL_TOKEN_NAME);
        if payload.to.is_some() && !is_local {
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
