//! Moments between commits, before a new backup, and before a kill.

use std::time::Duration;

use tempfile::TempDir;

use super::{Site, accounts_in};
use crate::process::register;

/// How soon what was committed was read from the log, on a loaded machine too.
const READ_WITHIN: Duration = Duration::from_millis(450);

/// Now, after what was done before is a part of the log that was read.
async fn moment_after() -> String {
    tokio::time::sleep(READ_WITHIN).await;
    moment()
}

pub fn moment() -> String {
    chrono::Utc::now().to_rfc3339_opts(chrono::SecondsFormat::Millis, true)
}

/// An interval for which the log is stored only when it has to be.
const NEVER: &str = "1h";

#[tokio::test(flavor = "multi_thread")]
async fn a_moment_is_exact_to_less_than_a_second() {
    let site = Site::new();
    let server = site.start();
    site.wait_for_backup(&server);
    let mut moments = vec![];
    for name in ["ada", "bob", "eve"] {
        register(server.address, name).await;
        moments.push(moment_after().await);
    }
    server.stop();
    for (at, people) in moments.iter().zip(1..) {
        let into = TempDir::new().unwrap();
        site.succeeds(None, &["restore", "latest", "--at", at, "--into", into.path().to_str().unwrap()]);
        assert_eq!(accounts_in(&site, into.path()).await, people, "{moments:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn moments_just_before_a_new_backup_are_restored_from_the_one_before() {
    let site = Site { log_every: NEVER, ..Site::encrypted() };
    let server = site.start();
    site.wait_for_backup(&server);
    register(server.address, "ada").await;
    let moment = moment_after().await;
    register(server.address, "bob").await;
    tokio::time::sleep(READ_WITHIN).await;
    site.succeeds(Some(&server), &["backup", "create"]);
    drop(server);
    for (at, people) in [(moment.as_str(), 1), ("2100-01-01", 2)] {
        let into = TempDir::new().unwrap();
        site.succeeds(None, &["restore", "latest", "--at", at, "--into", into.path().to_str().unwrap()]);
        assert_eq!(accounts_in(&site, into.path()).await, people, "{at}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_committed_before_a_kill_is_added_at_the_next_start() {
    for (passphrase, site) in [("", Site::new()), ("a horse and a battery", Site::encrypted())] {
        let site = Site { passphrase, log_every: NEVER, ..site };
        let mut server = site.start();
        let mut moments = vec![];
        // The second life begins with the end of the first one's log, and goes on in the same segment.
        for name in ["ada", "bob"] {
            site.wait_for_backup(&server);
            register(server.address, name).await;
            drop(server);
            moments.push(moment());
            server = site.start();
        }
        site.wait_for_backup(&server);
        register(server.address, "eve").await;
        drop(server);
        assert!(!site.data.path().join("backup/tail").exists(), "it is removed once it is stored");
        for (at, people) in moments.iter().zip(1..) {
            let into = TempDir::new().unwrap();
            site.succeeds(None, &["restore", "latest", "--at", at, "--into", into.path().to_str().unwrap()]);
            assert_eq!(accounts_in(&site, into.path()).await, people, "{moments:?}");
        }
        site.succeeds(None, &["backup", "verify"]);
    }
}
