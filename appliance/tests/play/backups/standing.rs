//! A backup that others can see before the server that makes it knows that it is made: whatever ends the server then, the
//! backup has the end of the log.

use std::time::{Duration, Instant};

use tempfile::TempDir;

use super::{
    Site, accounts_in,
    bucket::{Bucket, Fault},
};
use crate::process::{Process, register};

/// The requests from the manifest to the end of the thread: the manifest itself, and the removal of the lock.
const STEPS: usize = 2;

fn site(bucket: &Bucket) -> Site {
    Site { bucket: Some(bucket.endpoint.clone()), ..Site::new() }
}

/// Somebody registers after the backup was made, while its thread is held at a step.
async fn held(step: usize) -> (Bucket, Site, Process) {
    let bucket = Bucket::start(Fault::Held(step)).await;
    let site = site(&bucket);
    let server = site.start();
    let reached = tokio::time::timeout(Duration::from_secs(60), bucket.reached()).await;
    assert!(reached.is_ok(), "no backup is made: {}", site.status(&server));
    register(server.address, "ada").await;
    (bucket, site, server)
}

/// All backups have the account, the one that was held too.
async fn have_the_end(bucket: &Bucket, site: &Site) {
    for name in bucket.names("backups") {
        let (id, into) = (name.trim_end_matches(".json"), TempDir::new().unwrap());
        let into = into.path().join("new");
        let told = site.succeeds(None, &["restore", id, "--into", into.to_str().unwrap()]);
        assert_eq!(accounts_in(site, &into).await, 1, "{told}");
        let settings = std::fs::read_to_string(into.join("morpion.restored.toml")).unwrap();
        assert!(settings.contains("to = \"s3://backups/morpion\""), "{settings}");
        assert!(settings.contains("#   backup.s3_secret_key\n"), "{settings}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stop_waits_for_a_backup_that_stands() {
    for step in 0..STEPS {
        let (bucket, site, server) = held(step).await;
        let stopping = tokio::task::spawn_blocking(move || server.stop());
        // Long enough for the stop to come to the backups, and shorter than it waits for them.
        tokio::time::sleep(Duration::from_millis(1_000)).await;
        bucket.heal();
        stopping.await.unwrap();
        assert_eq!(bucket.names("backups").len(), 1);
        have_the_end(&bucket, &site).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn after_a_kill_the_next_start_completes_a_backup_that_stands() {
    for step in 0..STEPS {
        let (bucket, site, server) = held(step).await;
        drop(server);
        bucket.heal();
        let server = site.start();
        let begun = Instant::now();
        while bucket.names("log").is_empty() {
            assert!(begun.elapsed() < Duration::from_secs(60), "what was not stored is not added");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        // All parts are stored before anything else is done.
        server.stop();
        have_the_end(&bucket, &site).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_backup_that_stands_though_it_failed_has_the_end() {
    let bucket = Bucket::start(Fault::Failed).await;
    let site = site(&bucket);
    let server = site.start();
    let begun = Instant::now();
    while site.status(&server)["failure"].is_null() {
        assert!(begun.elapsed() < Duration::from_secs(60), "it does not fail");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    register(server.address, "ada").await;
    bucket.heal();
    server.stop();
    have_the_end(&bucket, &site).await;
}
