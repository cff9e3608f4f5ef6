//! Backups while people play: what is restored is what was acknowledged, up to a moment.

mod bucket;
mod drill;
mod encrypted;
mod moments;
mod places;
mod settings;
mod standing;
mod verification;

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    time::{Duration, Instant},
};

use reqwest::StatusCode;
use serde_json::{Value, json};
use tempfile::TempDir;

#[cfg(target_os = "linux")]
use crate::small_disk::{SmallDisk, may_mount};
use crate::{
    crash::{Known, invite, play_until, stored, verify_all},
    process::{Account, Process, register},
    set_clock::{Fixture, paired},
};

/// How often the server is killed, unless `MORPION_KILLS` says otherwise.
const KILLS: u64 = 3;

/// `backup.log_every`.
const LOG_EVERY: Duration = Duration::from_secs(1);

/// What a loaded machine may take longer than [`LOG_EVERY`], once for reading and once for storing.
const SLACK: Duration = Duration::from_secs(3);

/// A data folder and a place for its backups.
struct Site {
    data: TempDir,
    target: PathBuf,
    _kept: TempDir,
    passphrase: &'static str,
    /// Of the database; empty if it is not encrypted.
    key: String,
    log_every: &'static str,
    /// Where the bucket of the backups is reached, if they do not go to the folder.
    bucket: Option<String>,
}

impl Site {
    fn new() -> Self {
        let kept = TempDir::new().unwrap();
        let target = kept.path().join("backups");
        Self {
            data: TempDir::new().unwrap(),
            target,
            _kept: kept,
            passphrase: "",
            key: String::new(),
            log_every: "1s",
            bucket: None,
        }
    }

    fn encrypted() -> Self {
        Self { key: "5e".repeat(32), ..Self::new() }
    }

    fn settings(&self) -> Vec<(&str, &str)> {
        let to = if self.bucket.is_some() { "s3://backups/morpion" } else { self.target.to_str().unwrap() };
        let mut settings = vec![
            ("MORPION_BACKUP__TO", to),
            ("MORPION_BACKUP__LOG_EVERY", self.log_every),
            ("MORPION_BACKUP__PASSPHRASE", self.passphrase),
            ("MORPION_STORAGE__ENCRYPTION_KEY", &self.key),
        ];
        if let Some(endpoint) = &self.bucket {
            settings.extend([
                ("MORPION_BACKUP__S3_ENDPOINT", &**endpoint),
                ("MORPION_BACKUP__S3_REGION", "here"),
                ("MORPION_BACKUP__S3_ACCESS_KEY", "key"),
                ("MORPION_BACKUP__S3_SECRET_KEY", "secret"),
            ]);
        }
        settings
    }

    fn start(&self) -> Process {
        Process::start_with(self.data.path(), &self.settings())
    }

    /// A server on another folder, without backups.
    fn serve(&self, folder: &Path) -> Process {
        Process::start_with(folder, &[("MORPION_STORAGE__ENCRYPTION_KEY", &self.key)])
    }

    /// A command about these backups.
    fn command(&self, server: Option<&Process>, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_morpion"));
        let listen = server.map_or("127.0.0.1:1".to_owned(), |server| server.address.to_string());
        command.args(arguments).args(["--listen", &listen]).env("MORPION_DATA_DIR", self.data.path());
        command.envs(self.settings()).current_dir(self.data.path()).stdin(Stdio::null());
        command
    }

    fn run(&self, server: Option<&Process>, arguments: &[&str]) -> Output {
        self.command(server, arguments).output().unwrap()
    }

    fn succeeds(&self, server: Option<&Process>, arguments: &[&str]) -> String {
        let output = self.run(server, arguments);
        let (printed, told) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
        assert!(output.status.success(), "{arguments:?}: {printed}{told}");
        printed
    }

    /// Restores with the sessions, by which players look up their games.
    fn restores_with_sessions(&self, which: &[&str], into: &Path) -> String {
        self.succeeds(None, &[&["restore"], which, &["--keep-sessions", "--into", into.to_str().unwrap()]].concat())
    }

    /// The line of a refusal.
    fn fails(&self, arguments: &[&str]) -> String {
        let output = self.run(None, arguments);
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stdout));
        assert_eq!(told.trim_end().lines().count(), 1, "{told}");
        told
    }

    /// The first backup is made at the start, beside everything else.
    fn wait_for_backup(&self, server: &Process) {
        let begun = Instant::now();
        loop {
            let status = self.status(server);
            if !status["logUntil"].is_null() && status["runningSince"].is_null() {
                return;
            }
            assert!(begun.elapsed() < Duration::from_secs(60), "no backup: {status}");
            std::thread::sleep(Duration::from_millis(100));
        }
    }

    fn status(&self, server: &Process) -> Value {
        serde_json::from_str(&self.succeeds(Some(server), &["--json", "backup", "status"])).unwrap()
    }
}

fn kills() -> u64 {
    std::env::var("MORPION_KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(KILLS)
}

/// All files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = vec![];
    // It may not be there yet.
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.unwrap().path();
        if path.is_dir() { found.extend(files(&path)) } else { found.push(path) }
    }
    found.sort();
    found
}

/// A name of a player, too long to be among random bytes by chance.
const NEEDLE: &str = "needle_in_a_hay";

/// The files below a folder that somebody finds the name in.
fn readable(folder: &Path) -> Vec<String> {
    let needle = NEEDLE.as_bytes();
    let has_it = |bytes: &[u8]| bytes.windows(needle.len()).any(|part| part.eq_ignore_ascii_case(needle));
    let found = files(folder).into_iter().filter(|path| has_it(&fs::read(path).unwrap()));
    found.map(|path| path.display().to_string()).collect()
}

/// Each game has the first moves that were acknowledged, and all from before a moment.
async fn is_prefix(server: Process, accounts: &[Account; 2], games: &[Known], before: Option<Instant>) -> usize {
    let mut moves = 0;
    for known in games {
        let (found, _) = stored(server.address, accounts, &known.id).await;
        let mut played = known.acknowledged.clone();
        played.extend(known.in_doubt);
        assert!(played.starts_with(&found), "game {}: {found:?} of {played:?}", known.id);
        let due = known.times.iter().filter(|at| before.is_none_or(|before| **at < before)).count();
        assert!(found.len() >= due, "game {}: {} of {due} moves", known.id, found.len());
        moves += found.len();
    }
    moves
}

#[tokio::test(flavor = "multi_thread")]
async fn a_restore_after_a_kill_has_every_move_but_those_of_the_last_seconds() {
    kill(Site::new()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_restore_of_an_encrypted_database_has_every_move_but_those_of_the_last_seconds() {
    kill(Site::encrypted()).await;
}

/// Kills the server again and again at random moments: in play, just after the end of a game of an event, and in the
/// middle of a backup.
async fn kill(site: Site) {
    let mut fixture = Fixture::of(site.start(), site.data.path());
    let event = fixture.event().await;
    let address = fixture.process.address;
    let accounts = [register(address, "ada").await, register(address, "bob").await];
    let mut games: Vec<Known> = vec![];
    let mut moves = 0;
    for kill in 0..kills() {
        let address = fixture.process.address;
        site.wait_for_backup(&fixture.process);
        invite(address, &accounts, &mut games).await;
        let players = [fixture.player(&format!("one_{kill}")).await, fixture.player(&format!("two_{kill}")).await];
        let ([_winner, mut loser], game) = paired(players, &event).await;
        let Fixture { process: server, .. } = fixture;
        let mut killed = Instant::now();
        let death = async {
            tokio::time::sleep(LOG_EVERY + SLACK + within(Duration::from_millis(2_000))).await;
            loser.asks("forfeitGame", json!({ "gameId": game })).await;
            let making = (kill % 3 == 2).then(|| {
                let mut create = site.command(Some(&server), &["backup", "create"]);
                create.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
            });
            tokio::time::sleep(within(Duration::from_millis(400))).await;
            drop(server);
            killed = Instant::now();
            if let Some(mut making) = making {
                // Without a server it would make one itself.
                making.kill().unwrap();
                making.wait().unwrap();
            }
        };
        play_until(address, &accounts, &mut games, Duration::from_millis(60), death).await;
        let into = TempDir::new().unwrap();
        let restored = site.restores_with_sessions(&["latest"], into.path());
        assert!(restored.contains("restored into"), "{restored}");
        moves += is_prefix(site.serve(into.path()), &accounts, &games, killed.checked_sub(LOG_EVERY + SLACK)).await;
        let verified = site.succeeds(None, &["backup", "verify"]);
        assert!(verified.contains("; 1 events,") && !verified.contains(" and 0 audit entries"), "{verified}");
        fixture = Fixture::of(site.start(), site.data.path());
        games = verify_all(fixture.process.address, &accounts, games).await;
    }
    assert!(moves as u64 > kills() * 20, "the kills came in the middle of play: {moves} moves");
}

/// A random time up to this one.
fn within(most: Duration) -> Duration {
    most.mul_f64(rand::random())
}

/// How many accounts a data folder has.
async fn accounts_in(site: &Site, folder: &Path) -> u64 {
    accounts(&site.serve(folder), folder).await
}

/// How many accounts a server has.
async fn accounts(server: &Process, folder: &Path) -> u64 {
    let token = fs::read_to_string(folder.join("operator.token")).unwrap();
    let address = format!("http://{}/api/backend/admin?action=overview", server.address);
    let request = reqwest::Client::builder().no_proxy().build().unwrap().get(address).bearer_auth(token.trim());
    let overview: Value = request.send().await.unwrap().json().await.unwrap();
    overview["users"].as_u64().unwrap_or_else(|| panic!("{overview}"))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_moment_is_restored_and_a_stopped_server_has_stored_everything() {
    let site = Site { passphrase: "a horse and a battery", ..Site::new() };
    let server = site.start();
    site.wait_for_backup(&server);
    let accounts = [register(server.address, NEEDLE).await, register(server.address, "bob").await];
    let mut games = vec![];
    invite(server.address, &accounts, &mut games).await;
    let address = server.address;
    let stopping = async {
        tokio::time::sleep(Duration::from_millis(1_500)).await;
        // Not a kill: everything is drained and stored.
        tokio::task::spawn_blocking(move || server.stop()).await.unwrap();
    };
    play_until(address, &accounts, &mut games, Duration::from_millis(50), stopping).await;
    let moment = moments::moment();
    let all = TempDir::new().unwrap();
    let restored = site.restores_with_sessions(&["latest", "--at", &moment], all.path());
    assert!(restored.contains(" of the log.") && restored.contains(", to position "), "{restored}");
    let moves = is_prefix(site.serve(all.path()), &accounts, &games, None).await;
    assert!(moves >= 6, "{moves} moves");
    assert_eq!(readable(&site.target), Vec::<String>::new(), "are not encrypted");

    // A later life of the server, which the moment does not have.
    let server = site.start();
    site.wait_for_backup(&server);
    register(server.address, "eve").await;
    tokio::time::sleep(LOG_EVERY + SLACK).await;
    drop(server);
    for (at, people) in [(moment.as_str(), 2), ("2100-01-01", 3)] {
        let into = TempDir::new().unwrap();
        site.succeeds(None, &["restore", "latest", "--at", at, "--into", into.path().to_str().unwrap()]);
        assert_eq!(accounts_in(&site, into.path()).await, people, "{at}");
    }
    let mut site = site;
    for (passphrase, told) in [("another horse", "the passphrase does not fit"), ("", "give the passphrase")] {
        site.passphrase = passphrase;
        for arguments in [&["backup", "verify"][..], &["restore", "latest", "--into", "new"]] {
            let text = site.fails(arguments);
            assert!(text.contains(told), "{arguments:?}: {text}");
        }
        assert!(!site.data.path().join("new").exists(), "nothing is begun");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_restore_ends_all_sessions_unless_told_otherwise() {
    let site = Site::encrypted();
    let server = site.start();
    site.wait_for_backup(&server);
    let accounts = [register(server.address, "ada").await, register(server.address, "bob").await];
    server.stop();
    for (arguments, are_kept) in [(&[][..], false), (&["--keep-sessions"], true)] {
        let into = TempDir::new().unwrap();
        let output =
            site.run(None, &[&["restore", "latest", "--into", into.path().to_str().unwrap()], arguments].concat());
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "{told}");
        assert_eq!(told.contains("sessions that were ended since then work again"), are_kept, "{told}");
        let server = site.serve(into.path());
        let players = accounts.each_ref().map(|account| json!({ "userId": account.id }));
        let invite = json!({ "players": players, "gameType": "invite", "boardSize": 3, "notify": false });
        let (status, answer) = accounts[0].write(server.address, "game", "create_game", invite).await;
        assert_eq!(status == StatusCode::OK, are_kept, "{status} {answer}");
        drop(server);
        // The accounts are there.
        assert_eq!(accounts_in(&site, into.path()).await, 2);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_restore_that_failed_has_left_is_no_data() {
    let site = Site::new();
    let server = site.start();
    site.wait_for_backup(&server);
    server.stop();
    // A table: the small files are read before anything is made.
    let objects = files(&site.target).into_iter().filter(|path| path.to_str().unwrap().contains("/objects/"));
    let table = objects.max_by_key(|path| fs::metadata(path).unwrap().len()).unwrap();
    fs::write(table, "damaged").unwrap();
    let into = site.data.path().join("restored");
    let told = site.fails(&["restore", "latest", "--into", into.to_str().unwrap()]);
    assert!(told.contains("choose another backup"), "{told}");
    let names: Vec<_> = fs::read_dir(&into).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["restore.partial"]);
    let mut serve = Command::new(env!("CARGO_BIN_EXE_morpion"));
    let serve = serve.args(["serve", "--listen", "127.0.0.1:0"]).env("MORPION_DATA_DIR", &into);
    let refused = serve.current_dir(site.data.path()).output().unwrap();
    let told = String::from_utf8(refused.stderr).unwrap();
    assert!(!refused.status.success() && told.contains("is of a restore or import that did not end"), "{told}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_flipped_bit_in_any_file_is_found() {
    let site = Site::new();
    let server = site.start();
    site.wait_for_backup(&server);
    register(server.address, "ada").await;
    server.stop();
    site.succeeds(None, &["backup", "verify"]);
    let all: Vec<PathBuf> = files(&site.target).into_iter().filter(|path| !path.ends_with(".lock")).collect();
    for file in all.iter().step_by(10) {
        let whole = fs::read(file).unwrap();
        let mut flipped = whole.clone();
        flipped[whole.len() / 2] ^= 1;
        fs::write(file, flipped).unwrap();
        let output = site.run(None, &["backup", "verify"]);
        assert!(!output.status.success(), "{}: {}", file.display(), String::from_utf8_lossy(&output.stdout));
        fs::write(file, whole).unwrap();
    }
    site.succeeds(None, &["backup", "verify"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn commands_say_what_is_wrong() {
    let mut site = Site::new();
    let into = site.data.path().join("restored");
    let into = into.to_str().unwrap();
    let target = site.target.to_str().unwrap().to_owned();
    assert!(site.fails(&["restore", "latest", "--into", into]).contains(&format!("there is no backup at {target}")));

    // Without a server the command has the data open itself.
    let made = site.succeeds(None, &["backup", "create"]);
    let id = made.split(':').next().unwrap().to_owned();
    let listed = site.succeeds(None, &["backup", "list"]);
    assert!(listed.starts_with(&id) && listed.lines().count() == 1, "{listed}");
    site.succeeds(None, &["backup", "verify", &id]);
    site.succeeds(None, &["restore", &id, "--into", into]);
    for (arguments, words) in [
        (&["restore", &id, "--into", into][..], "is not empty; a backup is restored into a new or empty folder"),
        (&["restore", &id, "--at", "2020-01-01", "--into", "new"], "choose an earlier backup"),
        (&["restore", "latest", "--at", "2020-01-01", "--into", "new"], "after the moment that is wanted"),
        (&["restore", "20200101T000000Z-abcd", "--into", "new"], "`morpion backup list` shows those"),
        (&["restore", "../../etc", "--into", "new"], "is not the id of a backup"),
        (&["backup", "list", "--from", "/nowhere"], "there is no backup at /nowhere"),
        (&["backup", "verify", "--from", "ftp://host"], "is not a place for backups"),
        (&["backup", "verify", "--server", "other"], "there is no backup at"),
        (&["backup", "create", "--to", "/proc/nowhere"], "cannot be used"),
    ] {
        let text = site.fails(arguments);
        assert!(text.contains(words), "{arguments:?}: {text}");
    }
    for arguments in [&["upgrade-check"][..], &["upgrade-check", "--backup", "latest"]] {
        assert!(site.succeeds(None, arguments).contains("opens this data as it is"), "{arguments:?}");
    }
    let server = site.start();
    assert!(site.fails(&["upgrade-check"]).contains("try a backup with --backup latest"));
    site.succeeds(None, &["upgrade-check", "--backup", "latest"]);
    drop(server);
    let other = Site { target: site.target.clone(), ..Site::new() };
    other.succeeds(None, &["backup", "create"]);
    let elsewhere = Site { target: site.target.clone(), ..Site::new() };
    assert!(elsewhere.fails(&["backup", "verify"]).contains("choose one with --server"));
    site.passphrase = "a horse";
    assert!(site.fails(&["backup", "create"]).contains("are not encrypted, but a passphrase is set"));
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn play_goes_on_while_the_place_is_full_and_nothing_is_missing_after() {
    if !may_mount("play_goes_on_while_the_place_is_full_and_nothing_is_missing_after") {
        return;
    }
    let disk = SmallDisk::mount();
    let site = Site { target: disk.path().join("backups"), ..Site::new() };
    let server = site.start();
    site.wait_for_backup(&server);
    let accounts = [register(server.address, "ada").await, register(server.address, "bob").await];
    let mut games = vec![];
    invite(server.address, &accounts, &mut games).await;
    let address = server.address;
    let filling = async {
        let filler = disk.fill();
        let begun = Instant::now();
        while site.status(&server)["failure"].is_null() {
            assert!(begun.elapsed() < Duration::from_secs(60), "a full place is noticed");
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
        let ready = reqwest::Client::builder().no_proxy().build().unwrap();
        let ready = ready.get(format!("http://{address}/readyz")).send().await.unwrap();
        assert!(ready.status().is_success());
        let text = ready.text().await.unwrap();
        assert!(text.contains("Backups have failed since") && !text.contains(disk.path().to_str().unwrap()), "{text}");
        fs::remove_file(filler).unwrap();
        // It is tried again by itself; asking for one does it at once.
        site.succeeds(Some(&server), &["backup", "create"]);
        tokio::task::spawn_blocking(move || server.stop()).await.unwrap();
    };
    play_until(address, &accounts, &mut games, Duration::from_millis(40), filling).await;
    let into = TempDir::new().unwrap();
    site.restores_with_sessions(&["latest"], into.path());
    is_prefix(site.serve(into.path()), &accounts, &games, Some(Instant::now())).await;
}
