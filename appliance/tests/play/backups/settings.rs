//! A restore is the server: its settings come with the data, and a drill of it sends nothing.

use std::{
    collections::BTreeMap,
    fs,
    net::TcpListener,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{Command, Output},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use morpion_backup::{Manifest, manifest::SETTINGS, seal::Seal};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::{Site, files};
use crate::process::{Account, Process, register};

const PASSPHRASE: &str = "a horse and a battery";

/// Parts of secrets.
const HIDDEN: [&str; 3] = ["hidden mail", "hidden client", "hidden key"];

/// A key and a secret of a browser, from RFC 8291.
const P256DH: &str = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4";
const AUTH: &str = "BTBZMqHH6r4Tts7J_aSIgg";

/// Counts who connects, and hangs up.
struct Trap {
    port: u16,
    caught: Arc<AtomicUsize>,
}

impl Trap {
    fn set() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let (port, caught) = (listener.local_addr().unwrap().port(), Arc::new(AtomicUsize::new(0)));
        let counted = Arc::clone(&caught);
        std::thread::spawn(move || {
            for connection in listener.incoming() {
                drop(connection);
                counted.fetch_add(1, Ordering::Relaxed);
            }
        });
        Self { port, caught }
    }

    fn caught(&self) -> usize {
        self.caught.load(Ordering::Relaxed)
    }

    async fn catches_after(&self, before: usize) {
        until("somebody connects", || self.caught() > before).await;
    }
}

async fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < Duration::from_secs(60), "{what}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// A server with settings of all kinds, from a file, files of secrets and the environment.
struct Club {
    site: Site,
    elsewhere: TempDir,
    mail: Trap,
    push: Trap,
}

impl Club {
    fn new() -> Self {
        let club = Self { site: Site::new(), elsewhere: TempDir::new().unwrap(), mail: Trap::set(), push: Trap::set() };
        fs::write(club.path("mail.password"), "hidden mail\n").unwrap();
        fs::write(club.path("passphrase"), format!("{PASSPHRASE}\n")).unwrap();
        let text = format!(
            r#"
            [mail]
            host = "127.0.0.1"
            port = {}
            security = "none"
            username = "ann"
            password_file = "{}"
            from = "Club <play@example.org>"
            [identity]
            require_second_factor = "nobody"
            [identity.oidc]
            client_secret = "hidden client"
            name = "The \"club\""
            [push]
            allow_private_addresses = true
            contact = "ann@example.org"
            [backup]
            to = "{}"
            log_every = "1s"
            keep = "3d"
            [limits]
            shared_networks = ["203.0.113.7 = 500"]
            [audit]
            export = ["{}"]
            [[billing.plans]]
            id = 7
            name = "Club"
            price = 500
            currency = "eur"
            months = 12
            "#,
            club.mail.port,
            club.path("mail.password").display(),
            club.site.target.display(),
            club.path("audit.jsonl").display(),
        );
        fs::write(club.path("morpion.toml"), text).unwrap();
        club
    }

    fn path(&self, name: &str) -> PathBuf {
        self.elsewhere.path().join(name)
    }

    fn settings(&self, is_encrypted: bool) -> Vec<(&'static str, String)> {
        let mut settings = vec![
            ("MORPION_CONFIG", self.path("morpion.toml").display().to_string()),
            ("MORPION_OPERATOR__NAME", "The club".to_owned()),
            ("MORPION_BACKUP__S3_SECRET_KEY", "hidden key".to_owned()),
        ];
        if is_encrypted {
            settings.push(("MORPION_BACKUP__PASSPHRASE_FILE", self.path("passphrase").display().to_string()));
        }
        settings
    }

    /// Serves until there is a backup, and two people are there, of whom one wants pushes.
    async fn makes_a_backup(&self, is_encrypted: bool) -> [Account; 2] {
        let settings = self.settings(is_encrypted);
        let settings: Vec<_> = settings.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let server = Process::start_with(self.site.data.path(), &settings);
        let accounts = [register(server.address, "ada").await, register(server.address, "bob").await];
        let endpoint = format!("http://127.0.0.1:{}/ada", self.push.port);
        let subscription = json!({ "endpoint": endpoint, "p256dh": P256DH, "auth": AUTH });
        let (status, answer) = accounts[0].write(server.address, "userprofile", "subscribe_push", subscription).await;
        assert!(status.is_success(), "{answer}");
        invites(&accounts, &server).await;
        self.mail.catches_after(0).await;
        self.push.catches_after(0).await;
        until("a backup is made", || manifest(&self.site.target).is_some()).await;
        tokio::task::spawn_blocking(move || server.stop()).await.unwrap();
        accounts
    }

    /// On another machine: only the place is known, and the passphrase if it is given.
    fn restores(&self, passphrase: Option<&str>, arguments: &[&str]) -> (Value, String) {
        let into = self.path("restored").display().to_string();
        let from = self.site.target.display().to_string();
        let mut command = morpion(&["--json", "restore", "latest", "--from", &from, "--into", &into]);
        let output = command.args(arguments).envs(passphrase.map(|text| ("MORPION_BACKUP__PASSPHRASE", text))).output();
        succeeded(&output.unwrap())
    }
}

/// bob invites ada, who is away, and is told by a push.
async fn invites([ada, bob]: &[Account; 2], server: &Process) {
    let players = json!([{ "userId": bob.id }, { "userId": ada.id }]);
    let payload = json!({ "players": players, "gameType": "invite", "boardSize": 4 });
    let (status, answer) = bob.write(server.address, "game", "create_game", payload).await;
    assert!(status.is_success(), "{answer}");
}

/// An operator makes a token.
fn is_audited(server: &Process, folder: &Path, name: &str) {
    let (address, folder) = (server.address.to_string(), folder.to_str().unwrap());
    let mut command = Command::new(env!("CARGO_BIN_EXE_morpion"));
    command.args(["token", "create", name, "--scope", "read", "--listen", &address, "--data-dir", folder]);
    succeeded(&command.output().unwrap());
}

fn morpion(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_morpion"));
    command.args(arguments).args(["--listen", "127.0.0.1:0"]).current_dir(std::env::temp_dir());
    command
}

fn succeeded(output: &Output) -> (Value, String) {
    let [printed, told] = [&output.stdout, &output.stderr].map(|text| String::from_utf8(text.clone()).unwrap());
    assert!(output.status.success(), "{printed}{told}");
    (serde_json::from_str(&printed).unwrap_or_default(), told)
}

/// The effective configuration, as it is shown, and without the folder.
fn effective(command: &mut Command) -> BTreeMap<String, Value> {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let rows = output.stdout.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    let rows = rows.map(|line| serde_json::from_slice::<Value>(line).unwrap());
    let named = rows.map(|row| (row["key"].as_str().unwrap().to_owned(), row["value"].clone()));
    // The tests log little, and the folder is another one.
    named.filter(|(key, _)| key != "data_dir" && key != "log.level").collect()
}

fn manifest(target: &Path) -> Option<PathBuf> {
    let is_one =
        |path: &PathBuf| path.parent().unwrap().ends_with("backups") && path.extension() == Some("json".as_ref());
    files(target).into_iter().rfind(is_one)
}

/// Whether a file below a folder has one of the secrets.
fn is_told(folder: &Path) -> bool {
    let has = |bytes: &[u8], text: &str| bytes.windows(text.len()).any(|part| part == text.as_bytes());
    let texts = files(folder).into_iter().map(|path| fs::read(path).unwrap());
    texts.into_iter().any(|bytes| HIDDEN.iter().any(|hidden| has(&bytes, hidden)) || has(&bytes, PASSPHRASE))
}

fn strings(value: &Value) -> Vec<&str> {
    value.as_array().unwrap_or_else(|| panic!("{value}")).iter().map(|text| text.as_str().unwrap()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_restore_is_the_server_and_a_drill_of_it_sends_nothing() {
    let club = Club::new();
    let accounts = club.makes_a_backup(true).await;
    assert!(!is_told(&club.site.target));
    let (restored, told) = club.restores(Some(PASSPHRASE), &["--keep-sessions"]);
    assert_eq!(restored["configuration"]["missing"], json!([]), "{told}");
    let into = club.path("restored");
    let file = into.join("morpion.restored.toml");
    assert_eq!(restored["configuration"]["file"].as_str(), file.to_str());
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    for named in ["audit.export names", "backup.to names"] {
        assert!(told.contains(named), "{told}");
    }
    let file = file.to_str().unwrap();
    let before = effective(morpion(&["--json", "config", "show"]).envs(club.settings(true)));
    let after = effective(&mut morpion(&["--json", "config", "show", "--config", file]));
    assert_eq!(after, before);
    assert!(is_told(&into), "the secrets are there");

    let (mails, pushes, stored) = (club.mail.caught(), club.push.caught(), files(&club.site.target));
    let copied = || fs::read(club.path("audit.jsonl")).map_or(0, |bytes| bytes.len());
    let before = copied();
    let drill = Process::serve(&["--drill", "--config", file], &into, &[]);
    let eve = register(drill.address, "eve").await;
    let forgot = json!({ "email": "eve@example.org" });
    let (status, answer) = eve.post(drill.address, "auth/api/v1/requestverificationcode", forgot).await;
    assert!(status.is_success(), "{answer}");
    invites(&accounts, &drill).await;
    is_audited(&drill, &into, "drill");
    let letters = into.join("outbox");
    until("the letter is kept", || !files(&letters).is_empty()).await;
    let token = fs::read_to_string(into.join("operator.token")).unwrap();
    let overview = format!("http://{}/api/backend/admin?action=overview", drill.address);
    let request = reqwest::Client::builder().no_proxy().build().unwrap().get(overview).bearer_auth(token.trim());
    let overview: Value = request.send().await.unwrap().json().await.unwrap();
    assert!(strings(&overview["warnings"])[0].starts_with("This is a drill: no letters"), "{overview}");
    assert_eq!(overview["mailConfigured"], false);
    let (address, folder) = (drill.address.to_string(), into.to_str().unwrap());
    let mut create = Command::new(env!("CARGO_BIN_EXE_morpion"));
    create.args(["backup", "create", "--listen", &address, "--data-dir", folder, "--to"]).arg(&club.site.target);
    let refused = String::from_utf8(create.output().unwrap().stderr).unwrap();
    assert!(refused.contains("nothing leaves this machine"), "{refused}");
    let mut doctor = Command::new(env!("CARGO_BIN_EXE_morpion"));
    doctor.args(["doctor", "--drill", "--config", file, "--data-dir", folder, "--listen", &address]);
    let output = doctor.output().unwrap();
    let found = String::from_utf8(output.stdout).unwrap();
    assert!(found.contains("drill     This is a drill") && found.contains("server    This is a drill"), "{found}");
    tokio::task::spawn_blocking(move || drill.stop()).await.unwrap();
    assert_eq!((club.mail.caught(), club.push.caught(), files(&club.site.target)), (mails, pushes, stored));
    assert_eq!(copied(), before);
    let mut open = Command::new(env!("CARGO_BIN_EXE_morpion"));
    open.args(["serve", "--drill", "--config", file, "--listen", "0.0.0.0:0"]);
    let refused = String::from_utf8(open.output().unwrap().stderr).unwrap();
    assert!(refused.contains("is reached from other machines; give a drill --listen"), "{refused}");

    // The same without a drill is the server.
    let server = Process::serve(&["--config", file], &into, &[]);
    register(server.address, "cid").await;
    club.mail.catches_after(mails).await;
    invites(&accounts, &server).await;
    club.push.catches_after(pushes).await;
    is_audited(&server, &into, "server");
    until("the audit trail is copied", || copied() > before).await;
    until("a backup is made", || files(&club.site.target).len() > stored_files(&club)).await;
    tokio::task::spawn_blocking(move || server.stop()).await.unwrap();
    let (_, told) = succeeded(&morpion(&["--json", "config", "check", "--config", file]).output().unwrap());
    assert_eq!(told, "");
    let mut drill = Command::new(env!("CARGO_BIN_EXE_morpion"));
    drill.args(["serve", "--drill", "--config", file, "--listen", "127.0.0.1:0"]);
    let refused = String::from_utf8(drill.output().unwrap().stderr).unwrap();
    assert!(refused.contains("it is no folder for a drill"), "{refused}");
}

/// Those of the first server.
fn stored_files(club: &Club) -> usize {
    let name = fs::read_to_string(club.site.data.path().join("backup/server-name")).unwrap();
    files(&club.site.target.join(name.trim())).len()
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_passphrase_the_missing_secrets_are_named() {
    let club = Club::new();
    club.makes_a_backup(false).await;
    assert!(!is_told(&club.site.target));
    let (restored, told) = club.restores(None, &[]);
    let missing = ["backup.s3_secret_key", "identity.oidc.client_secret", "mail.password"];
    assert_eq!(strings(&restored["configuration"]["missing"]), missing);
    assert!(told.contains("secrets were set and are not in it") && told.contains("mail.password"), "{told}");
    let into = club.path("restored");
    assert!(!is_told(&into));
    let file = into.join("morpion.restored.toml");
    let text = fs::read_to_string(&file).unwrap();
    assert!(missing.iter().all(|key| text.contains(&format!("#   {key}\n"))), "{text}");
    let drill = Process::serve(&["--drill", "--config", file.to_str().unwrap()], &into, &[]);
    tokio::task::spawn_blocking(move || drill.stop()).await.unwrap();

    // An export of the backup has as much, and what imports it writes the same file.
    let export = club.path("all.jsonl").display().to_string();
    let from = club.site.target.display().to_string();
    succeeded(&morpion(&["export", "--backup", "latest", "--from", &from, "--to", &export]).output().unwrap());
    let imported = club.path("imported").display().to_string();
    let output = morpion(&["--json", "import", &export, "--into", &imported]).output().unwrap();
    assert_eq!(strings(&succeeded(&output).0["configuration"]["missing"]), missing);
    let head = |text: &str| text.replace("from backup", "").replace("from an export", "");
    let written = fs::read_to_string(Path::new(&imported).join("morpion.restored.toml")).unwrap();
    let keys = |text: &str| {
        head(text)
            .lines()
            .filter(|line| !line.starts_with("# ") && !line.starts_with("data_dir"))
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(keys(&written), keys(&text));

    // What a server in this folder makes backups or exports of is not the file with its secrets.
    let output = morpion(&["export", "--data-dir", &imported, "--to", "-"]).output().unwrap();
    let lines = String::from_utf8(output.stdout).unwrap();
    assert!(lines.contains("{\"configuration\":{") && !lines.contains("\"file\":\"morpion.restored"), "{lines}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_backup_with_damaged_settings_or_none_restores_its_data() {
    let club = Club::new();
    club.makes_a_backup(false).await;
    let path = manifest(&club.site.target).unwrap();
    let name = path.file_name().unwrap().to_str().unwrap();
    let whole = Manifest::parse(name, &fs::read(&path).unwrap()).unwrap();
    let settings = whole.files.iter().find(|file| file.path == SETTINGS).unwrap().clone();
    let object = files(&club.site.target).into_iter().find(|path| path.ends_with(&settings.sha256)).unwrap();
    let stored = fs::read(&object).unwrap();
    let verify = || {
        let from = club.site.target.display().to_string();
        let output = morpion(&["backup", "verify", "latest", "--from", &from]).output().unwrap();
        (output.status.success(), String::from_utf8(output.stdout).unwrap())
    };
    assert!(verify().0);
    let mut large = whole.clone();
    large.files.iter_mut().filter(|file| file.path == SETTINGS).for_each(|file| file.bytes = 1 << 40);
    let mut old = whole.clone();
    old.files.retain(|file| file.path != SETTINGS);
    for (manifest, object_is, says) in [
        (&whole, &stored[..stored.len() / 2], "cannot be read"),
        (&large, &stored[..], "cannot be read"),
        (&old, &stored[..], "the backup has no settings, as it is of an earlier version"),
    ] {
        fs::write(&object, object_is).unwrap();
        let manifest = Manifest { signature: String::new(), ..manifest.clone() }.signed(&Seal::plain());
        fs::write(&path, serde_json::to_vec(&manifest).unwrap()).unwrap();
        let (is_good, found) = verify();
        assert_eq!(is_good, manifest.files.len() < whole.files.len(), "{found}");
        let (_, told) = club.restores(None, &[]);
        assert!(told.contains(says), "{told}");
        let into = club.path("restored");
        assert!(into.join("db").is_dir() && into.join("secret.key").is_file());
        let is_of_settings = |path: &PathBuf| path.extension() == Some("toml".as_ref());
        assert_eq!(files(&into).into_iter().find(is_of_settings), None);
        fs::remove_dir_all(into).unwrap();
    }
}
