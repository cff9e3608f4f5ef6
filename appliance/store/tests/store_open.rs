//! Opening, closing, migrating, and the errors for operators.

mod common;

use std::path::Path;
use std::process::Command;

use common::{account, at, raw_query};
use morpion_store::{DatabaseUrl, NewOperatorToken, OpenOptions, Store, StoreError};
use tempfile::TempDir;
use uuid::Uuid;

fn in_folder(folder: &Path) -> DatabaseUrl {
    DatabaseUrl::Folder(folder.join("db"))
}

async fn open(folder: &Path) -> Result<Store, StoreError> {
    Store::open(&in_folder(folder), OpenOptions::default()).await
}

/// The text an operator sees: one line that names a remedy.
fn assert_one_line(error: &StoreError) {
    let text = error.to_string();
    assert!(!text.contains('\n') && text.contains(';'), "{text}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_closed_store_opens_again_with_its_data() {
    let folder = TempDir::new().unwrap();
    let store = open(folder.path()).await.unwrap();
    let ann = store.create_user(account("Ann")).await.unwrap();
    store.heartbeat().await.unwrap();
    store.close().await.unwrap();
    let refused = store.create_user(account("Bob")).await.unwrap_err();
    assert!(matches!(refused, StoreError::Unavailable(_)), "{refused:?}");

    let store = open(folder.path()).await.unwrap();
    assert_eq!(store.user(ann.id).await.unwrap(), Some(ann));
    assert_eq!(store.user_by_username("bob").await.unwrap(), None);
    store.close().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_handle_is_refused() {
    let folder = TempDir::new().unwrap();
    let first = open(folder.path()).await.unwrap();
    let error = open(folder.path()).await.unwrap_err();
    assert_eq!(error, StoreError::InUse { path: folder.path().join("db") });
    assert_one_line(&error);
    first.close().await.unwrap();
    open(folder.path()).await.unwrap().close().await.unwrap();
}

/// Run by `a_second_process_is_refused` in its own process; by itself it does nothing.
#[tokio::test(flavor = "multi_thread")]
async fn holder_process() {
    let Some(folder) = std::env::var_os("MORPION_TEST_HOLD") else {
        return;
    };
    let error = open(Path::new(&folder)).await.unwrap_err();
    assert!(matches!(error, StoreError::InUse { .. }), "{error:?}");
    println!("refused as in use");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_process_is_refused() {
    let folder = TempDir::new().unwrap();
    let store = open(folder.path()).await.unwrap();
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["holder_process", "--exact", "--nocapture"])
        .env("MORPION_TEST_HOLD", folder.path())
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && text.contains("refused as in use"), "{text}");
    store.close().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_path_that_is_not_a_folder_is_refused() {
    let folder = TempDir::new().unwrap();
    std::fs::write(folder.path().join("db"), b"a file").unwrap();
    let error = open(folder.path()).await.unwrap_err();
    assert!(matches!(error, StoreError::Folder { .. }), "{error:?}");
    assert_one_line(&error);
}

#[test]
fn addresses_are_checked() {
    assert_eq!("mem://".parse(), Ok(DatabaseUrl::Memory));
    assert_eq!("surrealkv:///var/lib/x".parse(), Ok(DatabaseUrl::Folder("/var/lib/x".into())));
    assert_eq!("surrealkv://data/db".parse(), Ok(DatabaseUrl::Folder("data/db".into())));
    for wrong in ["", "data", "surrealkv://", "mem://x", "rocksdb://x", "surrealkv://x?sync=never"] {
        let error = wrong.parse::<DatabaseUrl>().unwrap_err();
        assert!(matches!(error, StoreError::Address { .. }));
        assert_one_line(&error);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn newer_data_is_refused() {
    let folder = TempDir::new().unwrap();
    open(folder.path()).await.unwrap().close().await.unwrap();
    raw_query(
        &folder.path().join("db"),
        "CREATE migration:9999 SET number = 9999, name = '9999_future', checksum = 'x', applied_at = time::now()",
    )
    .await;
    let error = open(folder.path()).await.unwrap_err();
    assert!(matches!(&error, StoreError::Newer { found, .. } if found == "9999_future"), "{error:?}");
    assert_one_line(&error);
    // The refusal released the folder.
    raw_query(&folder.path().join("db"), "DELETE migration:9999").await;
    open(folder.path()).await.unwrap().close().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_changed_migration_is_refused() {
    let folder = TempDir::new().unwrap();
    open(folder.path()).await.unwrap().close().await.unwrap();
    raw_query(&folder.path().join("db"), "UPDATE migration:1 SET checksum = 'other'").await;
    let error = open(folder.path()).await.unwrap_err();
    assert_eq!(error, StoreError::MigrationChanged { number: 1 });
    assert_one_line(&error);
}

/// Data of an older version: everything after the first migration undone.
async fn as_of_first_migration(folder: &Path) {
    raw_query(
        &folder.join("db"),
        "DELETE migration WHERE number > 1; REMOVE TABLE journal; REMOVE TABLE game; REMOVE TABLE share; \
         REMOVE TABLE avatar; REMOVE TABLE code; REMOVE TABLE calendar; REMOVE TABLE deletion; \
         REMOVE TABLE event; REMOVE TABLE signup; REMOVE TABLE result; REMOVE TABLE correction; \
         REMOVE TABLE joined_month; REMOVE TABLE current_event; REMOVE TABLE event_queue; \
         REMOVE TABLE log_head; REMOVE TABLE log_data; \
         REMOVE TABLE billing; REMOVE TABLE customer; REMOVE TABLE billing_event; REMOVE TABLE billing_fact; \
         REMOVE TABLE webhook; \
         REMOVE FIELD username_changed_at ON user; REMOVE TABLE former_name; REMOVE TABLE email_undo; \
         REMOVE TABLE calendar_revocation; REMOVE TABLE merge; \
         REMOVE FIELD seq ON audit; REMOVE FIELD prev ON audit; REMOVE FIELD hash ON audit; \
         REMOVE TABLE audit_head; REMOVE TABLE audit_export; REMOVE FUNCTION fn::audit; \
         REMOVE FIELD scope ON operator_token; REMOVE TABLE operator_token_guard; UPDATE operator_token UNSET scope; \
         REMOVE TABLE code_allowance; REMOVE FIELD suspension ON user; REMOVE INDEX user_suspended ON user; \
         REMOVE TABLE suspension; REMOVE TABLE block; REMOVE TABLE report; \
         REMOVE FIELD second_factor ON user; REMOVE TABLE second_factor; REMOVE TABLE passkey; \
         REMOVE TABLE rating; REMOVE TABLE rated_game; REMOVE TABLE notification_settings; \
         REMOVE TABLE push_subscription; REMOVE TABLE reminder; REMOVE TABLE engine_use_waiting; \
         REMOVE TABLE engine_use; REMOVE TABLE engine_use_evidence; REMOVE TABLE engine_use_expectation; \
         REMOVE TABLE played; REMOVE TABLE tally; REMOVE TABLE versus; REMOVE TABLE counted; \
         REMOVE TABLE history_rebuild; REMOVE FIELD profile_visibility ON user; \
         REMOVE FIELD proved_at ON session",
    )
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn data_is_backed_up_before_a_migration_and_three_backups_are_kept() {
    let folder = TempDir::new().unwrap();
    let backups = folder.path().join("backups");
    let store = open(folder.path()).await.unwrap();
    let ann = store.create_user(account("Ann")).await.unwrap();
    let token = NewOperatorToken {
        id: uuid::Uuid::new_v4(),
        hash: "t".to_owned(),
        name: "console".to_owned(),
        scope: "read".to_owned(),
        created_at: at(0),
        expires_at: None,
    };
    store.create_operator_token(token, 100).await.unwrap();
    store.close().await.unwrap();
    assert!(!backups.exists(), "new data needs no backup");

    as_of_first_migration(folder.path()).await;
    for old in 1..=3 {
        std::fs::create_dir_all(backups.join(format!("db-2000010{old}T000000Z-before-0001"))).unwrap();
    }
    let store = open(folder.path()).await.unwrap();
    assert_eq!(store.user(ann.id).await.unwrap(), Some(ann.clone()));
    assert_eq!(store.last_journal_seq().await.unwrap(), 0, "the second migration ran again");
    let token = store.operator_token("t", at(1_000_000)).await.unwrap().unwrap();
    assert_eq!((token.scope.as_str(), token.expires_at), ("all", None), "it had no scope and could do everything");
    store.close().await.unwrap();

    let mut kept: Vec<_> = std::fs::read_dir(&backups).unwrap().map(|entry| entry.unwrap().path()).collect();
    kept.sort();
    assert_eq!(kept.len(), 3, "{kept:?}");
    let newest = kept.last().unwrap();
    assert!(newest.to_string_lossy().ends_with("-before-0002"), "{newest:?}");
    // A backup counts only if it opens.
    let store = Store::open(
        &DatabaseUrl::Folder(newest.clone()),
        OpenOptions { backups: Some(folder.path().join("b2")), ..OpenOptions::default() },
    )
    .await
    .unwrap();
    assert_eq!(store.user(ann.id).await.unwrap(), Some(ann));
    store.close().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_migration_without_room_for_its_backup_does_not_run() {
    let folder = TempDir::new().unwrap();
    open(folder.path()).await.unwrap().close().await.unwrap();
    as_of_first_migration(folder.path()).await;
    std::fs::write(folder.path().join("backups"), b"not a folder").unwrap();
    let error = open(folder.path()).await.unwrap_err();
    assert!(matches!(error, StoreError::Backup { .. }), "{error:?}");
    assert_one_line(&error);
    std::fs::remove_file(folder.path().join("backups")).unwrap();
    open(folder.path()).await.unwrap().close().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_memory_store_starts_empty() {
    let store = Store::open(&DatabaseUrl::Memory, OpenOptions::default()).await.unwrap();
    let id = Uuid::new_v4();
    store.append_audit(common::audit(id, at(0))).await.unwrap();
    store.close().await.unwrap();
    let store = Store::open(&DatabaseUrl::Memory, OpenOptions::default()).await.unwrap();
    assert!(store.audit_page(None, 10).await.unwrap().is_empty());
}
