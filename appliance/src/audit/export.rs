//! Exports the audit trail to its targets, each from where it was left.

use std::time::Duration;

use anyhow::Context;
use futures_util::future::join_all;
use morpion_store::Store;

use super::target::Deliver;
use crate::config::ExportTarget;

/// Entries delivered at once.
const BATCH: u64 = 500;

/// The waits between attempts to reach a target double from the first to the longest.
const FIRST_WAIT: Duration = Duration::from_secs(1);
const LONGEST_WAIT: Duration = Duration::from_secs(300);

/// Exports what is appended to the audit trail, to every target, until it is dropped.
pub async fn run_export(store: Store, targets: Vec<ExportTarget>) {
    join_all(targets.into_iter().map(|target| keep_exporting(store.clone(), target))).await;
}

/// What a target does not take is tried again until it does.
async fn keep_exporting(store: Store, target: ExportTarget) {
    let mut appended = store.audit_appended();
    let mut wait = FIRST_WAIT;
    let mut has_failed = false;
    loop {
        appended.mark_unchanged();
        match export(&store, &target).await {
            Ok(()) => {
                if has_failed {
                    tracing::info!(to = %target, "the audit trail is exported again");
                }
                (wait, has_failed) = (FIRST_WAIT, false);
                if appended.changed().await.is_err() {
                    return;
                }
            }
            Err(error) => {
                if !has_failed {
                    let error = format!("{error:#}");
                    tracing::warn!(to = %target, error, "the audit trail cannot be exported; it is tried again");
                }
                has_failed = true;
                tokio::time::sleep(wait).await;
                wait = (wait * 2).min(LONGEST_WAIT);
            }
        }
    }
}

/// Delivers everything that the target does not have yet. After a crash between delivery and the stored position a
/// batch is delivered again.
async fn export(store: &Store, target: &ExportTarget) -> anyhow::Result<()> {
    let name = target.to_string();
    let mut position = store.audit_exported(&name).await.context("its position is unknown")?;
    loop {
        let batch = store.audit_after(position, BATCH).await.context("it cannot be read")?;
        let Some(last) = batch.last() else { return Ok(()) };
        let seq = last.seq;
        target.deliver(batch).await?;
        store.set_audit_exported(&name, seq).await.context("its position cannot be stored")?;
        position = seq;
    }
}
