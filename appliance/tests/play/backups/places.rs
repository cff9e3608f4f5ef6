//! Places for backups that hang, cannot be reached or written, are shared, or have backups that cannot be read.

use std::{
    fs,
    net::TcpListener,
    process::Command,
    time::{Duration, Instant},
};

use tempfile::TempDir;

use super::{LOG_EVERY, SLACK, Site, accounts_in, is_prefix, verification::Operator};
#[cfg(target_os = "linux")]
use crate::small_disk::{SmallDisk, may_mount};
use crate::{
    crash::{invite, play_until},
    free_address::free_address,
    process::{Process, register},
    set_clock::MachineClock,
};

/// Waits until the server says so of its backups.
async fn until_failing(site: &Site, server: &Process, is_failing: bool) -> String {
    let begun = Instant::now();
    loop {
        let status = site.status(server);
        if status["failure"].is_null() != is_failing {
            return status["failure"].to_string();
        }
        assert!(begun.elapsed() < Duration::from_secs(60), "{status}");
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_place_that_hangs_holds_up_nothing() {
    let hanging = TcpListener::bind("127.0.0.1:0").unwrap();
    let endpoint = format!("http://{}", hanging.local_addr().unwrap());
    let site = Site { bucket: Some(endpoint), ..Site::new() };
    let server = site.start();
    let address = server.address;
    let accounts = [register(address, "ada").await, register(address, "bob").await];
    let mut games = vec![];
    invite(address, &accounts, &mut games).await;
    let begun = Instant::now();
    let stopping = async {
        tokio::time::sleep(Duration::from_millis(1_500)).await;
        tokio::task::spawn_blocking(move || server.stop()).await.unwrap();
    };
    play_until(address, &accounts, &mut games, Duration::from_millis(40), stopping).await;
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
    let moves = is_prefix(site.serve(site.data.path()), &accounts, &games, Some(Instant::now())).await;
    assert!(moves >= 6, "{moves} moves");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_place_that_cannot_be_reached_is_told() {
    let closed = free_address();
    let site = Site { bucket: Some(format!("http://{closed}")), ..Site::new() };
    let server = site.start();
    let failure = until_failing(&site, &server, true).await;
    assert!(failure.contains("s3://backups/morpion") && failure.contains("cannot be used"), "{failure}");
    let operator = Operator::new(&site, &server);
    operator.begins("latest").await;
    let told = operator.verified().await["failure"].to_string();
    assert!(told.contains("there is no backup at") || told.contains("cannot be used"), "{told}");
    let doctor = site.run(Some(&server), &["doctor"]);
    let found = String::from_utf8(doctor.stdout).unwrap();
    assert!(found.contains("note  server    Backups have failed since"), "{found}");
    // Commands of operators need the token, and doctor says so.
    fs::write(site.data.path().join("operator.token"), "another").unwrap();
    let found = String::from_utf8(site.run(Some(&server), &["doctor"]).stdout).unwrap();
    assert!(found.contains("BAD   server    the running server does not answer this command"), "{found}");
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn a_place_that_can_only_be_read_is_told_and_recovers_by_itself() {
    if !may_mount("a_place_that_can_only_be_read_is_told_and_recovers_by_itself") {
        return;
    }
    let disk = SmallDisk::mount();
    let site = Site { target: disk.path().join("backups"), ..Site::new() };
    let server = site.start();
    site.wait_for_backup(&server);
    let address = server.address;
    let accounts = [register(address, "ada").await, register(address, "bob").await];
    let mut games = vec![];
    invite(address, &accounts, &mut games).await;
    let mut killed = Instant::now();
    let killing = async {
        disk.set_writable(false);
        let failure = until_failing(&site, &server, true).await;
        assert!(failure.contains("check that it is there, writable, and not full"), "{failure}");
        disk.set_writable(true);
        until_failing(&site, &server, false).await;
        tokio::time::sleep(LOG_EVERY + SLACK).await;
        killed = Instant::now();
        drop(server);
    };
    play_until(address, &accounts, &mut games, Duration::from_millis(400), killing).await;
    let into = TempDir::new().unwrap();
    site.restores_with_sessions(&["latest"], into.path());
    is_prefix(site.serve(into.path()), &accounts, &games, killed.checked_sub(LOG_EVERY + SLACK)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_place_that_takes_parts_of_the_log_alone_is_told_as_one_failure() {
    let site = Site::new();
    let server = site.start();
    site.wait_for_backup(&server);
    let objects = manifests(&site).with_file_name("objects");
    fs::rename(&objects, objects.with_file_name("moved")).unwrap();
    fs::write(&objects, "").unwrap();
    assert!(!site.run(Some(&server), &["backup", "create"]).status.success());
    until_failing(&site, &server, true).await;
    let failing = site.status(&server);
    register(server.address, "ada").await;
    // The next try stores a part of the log, and fails to make a backup.
    let (begun, mut stored) = (Instant::now(), None);
    while stored.is_none_or(|stored: Instant| stored.elapsed() < SLACK) {
        let status = site.status(&server);
        assert_eq!(status["failingSince"], failing["failingSince"], "{status}");
        if status["logUntil"] != failing["logUntil"] {
            stored.get_or_insert_with(Instant::now);
        }
        assert!(begun.elapsed() < Duration::from_secs(60), "{status}");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn two_servers_share_a_place_at_the_same_time() {
    let one = Site::new();
    let other = Site { target: one.target.clone(), ..Site::encrypted() };
    let servers = [one.start(), other.start()];
    for (site, server, names) in [(&one, &servers[0], &["ada"][..]), (&other, &servers[1], &["bob", "eve"])] {
        site.wait_for_backup(server);
        for name in names {
            register(server.address, name).await;
        }
        site.succeeds(Some(server), &["backup", "create"]);
    }
    servers.into_iter().for_each(Process::stop);
    for (site, people) in [(&one, 1), (&other, 2)] {
        let into = TempDir::new().unwrap();
        site.succeeds(None, &["restore", "latest", "--into", into.path().to_str().unwrap()]);
        assert_eq!(accounts_in(site, into.path()).await, people);
        site.succeeds(None, &["backup", "verify"]);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_copied_data_folder_gets_a_name_of_its_own() {
    let site = Site::new();
    let server = site.start();
    site.wait_for_backup(&server);
    register(server.address, "ada").await;
    server.stop();
    let copy = Site { target: site.target.clone(), ..Site::new() };
    let copied = Command::new("cp").arg("-a").arg(site.data.path().join(".")).arg(copy.data.path()).status().unwrap();
    assert!(copied.success());

    let name = |site: &Site| fs::read_to_string(site.data.path().join("backup/server-name")).unwrap();
    let original = name(&site);
    let server = site.start();
    site.wait_for_backup(&server);
    register(server.address, "bob").await;
    register(server.address, "eve").await;
    // It finds a backup that it has not made.
    let other = copy.start();
    copy.wait_for_backup(&other);
    assert_eq!((name(&site) == original, name(&copy) == original), (true, false));
    [server, other].into_iter().for_each(Process::stop);
    let listed = site.succeeds(None, &["backup", "list"]);
    assert!(listed.contains(original.trim()) && listed.contains(name(&copy).trim()), "{listed}");
    for (site, people) in [(&site, 3), (&copy, 1)] {
        let into = TempDir::new().unwrap();
        site.succeeds(None, &["restore", "latest", "--into", into.path().to_str().unwrap()]);
        assert_eq!(accounts_in(site, into.path()).await, people);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_latest_is_what_was_done_last_though_the_clock_was_ahead() {
    const AHEAD: i64 = 400 * 86_400;
    let (site, scratch) = (Site::new(), TempDir::new().unwrap());
    let clock = MachineClock::new(scratch.path());
    clock.set(AHEAD);
    let server = clock.serve_with(site.data.path(), &site.settings());
    site.wait_for_backup(&server);
    register(server.address, "ada").await;
    clock.set(0);
    register(server.address, "bob").await;
    tokio::time::sleep(LOG_EVERY + SLACK).await;
    drop(server);
    let people = async |at: &[&str]| {
        let into = TempDir::new().unwrap();
        site.succeeds(None, &[&["restore", "latest", "--into", into.path().to_str().unwrap()], at].concat());
        accounts_in(&site, into.path()).await
    };
    assert_eq!(people(&[]).await, 2);
    let server = site.start();
    site.wait_for_backup(&server);
    register(server.address, "eve").await;
    server.stop();
    assert_eq!((people(&[]).await, people(&["--at", "2100-01-01"]).await), (3, 3));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_newest_backup_that_cannot_be_read_is_not_passed_over() {
    let site = Site::new();
    site.succeeds(None, &["backup", "create"]);
    let first = fs::read_dir(manifests(&site)).unwrap().next().unwrap().unwrap().path();
    let id = first.file_stem().unwrap().to_str().unwrap().to_owned();
    // Backups of one second have ids in no order.
    std::thread::sleep(Duration::from_millis(1_100));
    site.succeeds(None, &["backup", "create"]);
    let mut all = fs::read_dir(manifests(&site)).unwrap().map(|entry| entry.unwrap().path());
    let second = all.find(|path| *path != first).unwrap();
    let whole = fs::read_to_string(&second).unwrap();
    // What others keep there is no backup.
    fs::write(site.target.join("README"), "").unwrap();
    fs::create_dir(site.target.join("lost+found")).unwrap();
    for (text, told) in
        [("", "is damaged"), (&*whole.replace("\"format\": 2", "\"format\": 9"), "install the newer morpion")]
    {
        fs::write(&second, text).unwrap();
        for arguments in [&["restore", "latest", "--into", "new"][..], &["backup", "verify"]] {
            let text = site.fails(arguments);
            assert!(text.contains(told), "{arguments:?}: {text}");
        }
        let listed = site.run(None, &["backup", "list"]);
        assert!(String::from_utf8(listed.stderr).unwrap().contains(told));
        assert!(listed.stdout.starts_with(id.as_bytes()));
        site.succeeds(None, &["backup", "verify", &id]);
    }
    fs::write(&second, whole).unwrap();
    site.succeeds(None, &["backup", "verify"]);
}

/// The folder of the manifests.
fn manifests(site: &Site) -> std::path::PathBuf {
    let mut servers = fs::read_dir(&site.target).unwrap().map(|entry| entry.unwrap().path().join("backups"));
    servers.find(|folder| folder.is_dir()).unwrap()
}
