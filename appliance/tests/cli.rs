//! The program from outside: output, exit codes and error messages.

use std::{
    collections::HashMap,
    ffi::OsStr,
    fs,
    io::{BufRead, BufReader, Read, Write},
    net::{SocketAddr, TcpListener, TcpStream},
    os::unix::{ffi::OsStrExt, fs::PermissionsExt},
    path::Path,
    process::{Child, Command, Output, Stdio},
    time::{Duration, Instant},
};

#[path = "servers/free_address.rs"]
mod free_address;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::free_address::free_address;

/// Generous: on an idle machine a start takes a fraction of a second.
const PATIENCE: Duration = Duration::from_secs(60);

/// The program in an empty folder, with none of the environment's settings.
fn morpion(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_morpion"));
    command.current_dir(folder).stdin(Stdio::null());
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("MORPION_")) {
        command.env_remove(name);
    }
    command.env_remove("CREDENTIALS_DIRECTORY").env_remove("NOTIFY_SOCKET").env_remove("JOURNAL_STREAM");
    command
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Everything that was printed.
fn text_of(output: &Output) -> String {
    text(&output.stdout) + &text(&output.stderr)
}

/// The one line of a refusal, after its exit code was checked.
fn refusal(output: &Output, code: i32) -> String {
    let line = text(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{line}");
    assert_eq!(line.trim_end().lines().count(), 1, "{line}");
    assert!(line.starts_with("morpion: "), "{line}");
    line
}

/// `morpion serve`, killed when the test ends.
struct Server {
    child: Child,
    address: SocketAddr,
    /// What it printed up to the awaited line.
    greeting: String,
}

impl Server {
    fn start(folder: &Path, arguments: &[&str]) -> Self {
        // The setup link's line comes last.
        Self::start_until(folder, arguments, "token=")
    }

    fn start_until(folder: &Path, arguments: &[&str], last: &str) -> Self {
        let mut command = morpion(folder);
        command.args(["serve", "--listen", "127.0.0.1:0"]).args(arguments);
        Self::of(command, last)
    }

    fn of(mut command: Command, last: &str) -> Self {
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut greeting = String::new();
        while !greeting.contains(last) {
            let Some(line) = lines.next() else {
                let mut complaint = String::new();
                child.stderr.take().unwrap().read_to_string(&mut complaint).unwrap();
                panic!("it ended: {complaint}");
            };
            greeting.push_str(&line.unwrap());
            greeting.push('\n');
        }
        let address = greeting.split("http://").nth(1).and_then(|rest| rest.lines().next()).unwrap();
        Self { child, address: address.trim().parse().unwrap(), greeting }
    }

    fn get(&self, path: &str) -> String {
        let mut stream = TcpStream::connect(self.address).unwrap();
        write!(stream, "GET {path} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n\r\n", self.address).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }

    fn signal(&self, name: &str) {
        let sent = Command::new("kill").args([name, &self.child.id().to_string()]).status().unwrap();
        assert!(sent.success());
    }

    fn wait(&mut self) -> i32 {
        let begun = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.code().unwrap_or(-1);
            }
            assert!(begun.elapsed() < PATIENCE, "it does not end");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn the_audit_trail_is_verified_and_exported_with_and_without_a_server() {
    let folder = TempDir::new().unwrap();
    let server = Server::start(folder.path(), &[]);
    let run = |listen: &str, arguments: &[&str]| {
        morpion(folder.path()).args(["--listen", listen, "audit"]).args(arguments).output().unwrap()
    };
    let listen = server.address.to_string();
    let done = |output: Output| {
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        text(&output.stdout)
    };
    assert_eq!(done(run(&listen, &["verify"])), "0 entries in order\n");
    let created = morpion(folder.path())
        .args(["--listen", &listen, "token", "create", "laptop", "--scope", "read"])
        .output()
        .unwrap();
    assert_eq!(created.status.code(), Some(0), "{}", text(&created.stderr));
    let verified = done(run(&listen, &["verify"]));
    assert!(verified.starts_with("1 entry in order, from ") && verified.contains(", head "), "{verified}");
    let exported = done(run(&listen, &["export"]));
    let line: serde_json::Value = serde_json::from_str(exported.trim_end()).unwrap();
    assert_eq!((&line["action"], &line["sequence"]), (&"create_token".into(), &1.into()));
    assert!(verified.trim_end().ends_with(line["hash"].as_str().unwrap()), "{verified}");
    assert_eq!(done(run(&listen, &["export", "--since", "2999-01-01"])), "");
    assert_eq!(run(&listen, &["export", "--since", "soon"]).status.code(), Some(2));
    drop(server);
    let nowhere = free_address().to_string();
    assert_eq!(done(run(&nowhere, &["verify"])), verified, "without a server");
}

#[test]
fn the_default_configuration_is_the_shipped_file_and_valid() {
    let folder = TempDir::new().unwrap();
    let printed = morpion(folder.path()).arg("default-config").output().unwrap();
    let shipped = fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("../config/morpion.toml")).unwrap();
    assert_eq!(text(&printed.stdout), text(&shipped));

    fs::create_dir(folder.path().join("config")).unwrap();
    fs::write(folder.path().join("config/morpion.toml"), &printed.stdout).unwrap();
    let checked = morpion(folder.path()).args(["config", "check"]).output().unwrap();
    assert!(checked.status.success());
    assert!(text(&checked.stdout).contains("./config/morpion.toml"), "the default file was found");
}

#[test]
fn the_effective_configuration_is_shown_without_secrets() {
    let folder = TempDir::new().unwrap();
    let secret = "s".repeat(40);
    let output = morpion(folder.path())
        .args(["config", "show", "--listen", "127.0.0.1:9"])
        .env("MORPION_SERVER__SECRET_KEY", &secret)
        .output()
        .unwrap();
    let shown = text(&output.stdout);
    assert!(
        shown.lines().any(|line| line.starts_with("server.listen = \"127.0.0.1:9\"") && line.ends_with("# --listen"))
    );
    assert!(shown.lines().any(|line| line.starts_with("server.secret_key = (hidden)")));
    assert!(!shown.contains(&secret));
}

#[test]
fn mistakes_in_arguments_and_configuration_exit_with_2_and_one_line() {
    let folder = TempDir::new().unwrap();
    let run = |arguments: &[&str]| morpion(folder.path()).args(arguments).output().unwrap();
    assert_eq!(run(&["serv"]).status.code(), Some(2));
    assert_eq!(run(&["serve", "--port", "80"]).status.code(), Some(2));
    assert!(refusal(&run(&["serve", "--listen", "8080"]), 2).contains("write IP:PORT"));
    assert!(refusal(&run(&["serve", "--config", "missing.toml"]), 2).contains("missing.toml cannot be read"));
    for loud in [&["config", "check", "--log-level", "loud"][..], &["serve", "--log-level", "loud"]] {
        assert!(refusal(&run(loud), 2).contains("'loud' is not a log level"));
    }
    let environment = morpion(folder.path()).args(["config", "check"]).env("MORPION_LOG__LEVEL", "loud").output();
    assert!(refusal(&environment.unwrap(), 2).contains("'loud' is not a log level"));
    fs::write(folder.path().join("typo.toml"), "[server]\nlissten = '127.0.0.1:1'\n").unwrap();
    let line = refusal(&run(&["config", "check", "--config", "typo.toml"]), 2);
    assert!(line.contains("'server.lissten'") && line.contains("did you mean 'server.listen'?"), "{line}");
}

#[test]
fn a_setting_that_cannot_be_read_is_refused_and_nothing_is_begun_without_it() {
    let folder = TempDir::new().unwrap();
    let garbled = OsStr::from_bytes(b"/srv/\xff");
    for variable in ["MORPION_DATA_DIR", "MORPION_BACKUP__TO", "MORPION_CONFIG", "MORPION_TOKEN"] {
        for command in [&["serve", "--listen", "127.0.0.1:0"][..], &["config", "check"], &["token", "list"]] {
            let output = morpion(folder.path()).args(command).env(variable, garbled).output().unwrap();
            let line = refusal(&output, 2);
            assert!(line.contains(&format!("{variable} is not UTF-8")), "{line}");
        }
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn commands_of_a_cluster_need_one_and_a_node_is_not_changed_behind_its_back() {
    let folder = TempDir::new().unwrap();
    let run = |arguments: &[&str]| morpion(folder.path()).args(arguments).output().unwrap();
    let commands = [&["cluster", "status"][..], &["cluster", "step-down"], &["cluster", "join"]];
    let commands = commands.into_iter().chain([&["cluster", "leave", "b", "--yes"][..]]);
    for arguments in commands.clone() {
        let line = refusal(&run(arguments), 2);
        assert!(line.contains("cluster: this server runs alone; with nats and name it is one of several"), "{line}");
    }
    let free = free_address().to_string();
    let text = format!("[server]\nlisten = '{free}'\n[cluster]\nnats = ['nats://ann:hunter2@{free}']\nname = 'a'\n");
    fs::write(folder.path().join("node.toml"), text).unwrap();
    for arguments in commands {
        let line = refusal(&run(&[arguments, &["--config", "node.toml"]].concat()), 3);
        assert!(line.contains("no NATS server can be reached") && !line.contains("hunter2"), "{line}");
    }
    let line = refusal(&run(&["token", "list", "--config", "node.toml"]), 3);
    assert!(line.contains("is changed by the node that leads"), "{line}");
    assert!(!folder.path().join("data").exists(), "nothing was opened");
    let shown = run(&["config", "show", "--config", "node.toml"]);
    let shown = self::text(&shown.stdout);
    assert!(shown.contains(&format!("nats://(hidden)@{free}")) && !shown.contains("hunter2"), "{shown}");
}

/// What a NATS server says first, and to every ping.
fn says_it_is_nats(info: &'static str) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            std::thread::spawn(move || {
                write!(stream, "INFO {info}\r\n").unwrap();
                let mut answers = stream.try_clone().unwrap();
                for line in BufReader::new(stream).lines().map_while(Result::ok) {
                    if line.starts_with("PING") {
                        let _ = answers.write_all(b"PONG\r\n");
                    }
                }
            });
        }
    });
    address
}

#[test]
fn a_node_does_not_use_a_nats_that_asks_for_no_credentials_unless_it_is_told_to() {
    const OPEN: &str = r#"{"server_id":"a","server_name":"a","version":"2.1.0","go":"","host":"127.0.0.1","port":4222,
        "max_payload":8388608,"proto":1,"client_id":1,"headers":true,"auth_required":false,"tls_required":false}"#;
    let info: &'static str = Box::leak(OPEN.replace('\n', "").into_boxed_str());
    let (folder, nats) = (TempDir::new().unwrap(), says_it_is_nats(info));
    let text =
        format!("[server]\nlisten = '127.0.0.1:0'\n[cluster]\nnats = ['nats://ann:secret@{nats}']\nname = 'a'\n");
    fs::write(folder.path().join("node.toml"), text).unwrap();
    let run = |words: &[&str], closed: &str| {
        let mut command = morpion(folder.path());
        command.args(words).args(["--config", "node.toml"]).env("MORPION_CLUSTER__CLOSED_NETWORK", closed);
        command.output().unwrap()
    };
    for (words, code) in [(&["cluster", "status"][..], 3), (&["serve", "--log-level", "error"], 1)] {
        let line = refusal(&run(words, "false"), code);
        assert!(line.contains("asks for no credentials") && line.contains("closed_network = true"), "{line}");
        // It goes on to what is wrong next.
        let line = refusal(&run(words, "true"), code);
        assert!(line.contains("has version 2.1.0"), "{line}");
    }
    let warned = text_of(&run(&["config", "check"], "true"));
    assert!(warned.contains("cluster.closed_network"), "{warned}");
    let doctor = text_of(&run(&["doctor"], "false"));
    assert!(doctor.contains("asks for no credentials"), "{doctor}");
}

#[test]
fn breached_passwords_are_imported_and_a_file_that_is_missing_or_damaged_exits_with_2() {
    let folder = TempDir::new().unwrap();
    let run = |arguments: &[&str]| {
        let mut command = morpion(folder.path());
        let configured = ("MORPION_IDENTITY__LOCAL__BREACHED_PASSWORDS", "breached.hashes");
        command.args(arguments).env(configured.0, configured.1).output().unwrap()
    };
    for missing in [&["config", "check"][..], &["serve", "--listen", "127.0.0.1:0"]] {
        let line = refusal(&run(missing), 2);
        assert!(line.contains("identity.local.breached_passwords: breached.hashes cannot be read"), "{line}");
    }
    assert!(text(&run(&["doctor"]).stdout).contains("breached.hashes cannot be read"));

    let list = "5BAA61E4C9B93F3F0682250B6CF8331B7EE68FD8:9\r\n";
    fs::write(folder.path().join("list.txt"), format!("{list}{list}not a hash\n")).unwrap();
    let line = refusal(&run(&["passwords", "import", "list.txt"]), 1);
    assert!(line.contains("list.txt was not imported: line 3 is wrong"), "{line}");
    fs::write(folder.path().join("list.txt"), list).unwrap();
    let imported = run(&["passwords", "import", "list.txt", "--json"]);
    assert_eq!(text(&imported.stdout), "{\"file\":\"breached.hashes\",\"hashes\":1}\n");
    assert!(run(&["config", "check"]).status.success());

    fs::write(folder.path().join("breached.hashes"), "damaged").unwrap();
    assert!(refusal(&run(&["config", "check"]), 2).contains("breached.hashes is damaged"));
}

#[test]
fn a_port_in_use_is_reported_in_one_line() {
    let folder = TempDir::new().unwrap();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let output = morpion(folder.path()).args(["serve", "--listen", &address]).output().unwrap();
    let line = refusal(&output, 1);
    assert!(line.contains(&format!("{address} is taken")) && line.contains("--listen"), "{line}");
}

#[test]
fn a_data_folder_that_is_a_file_is_reported_in_one_line() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("data"), "a file").unwrap();
    let output = morpion(folder.path()).args(["serve", "--listen", "127.0.0.1:0"]).output().unwrap();
    let line = refusal(&output, 1);
    assert!(line.contains("./data") && line.contains("--data-dir"), "{line}");
}

#[test]
fn payments_without_ca_certificates_are_reported_in_one_line() {
    let folder = TempDir::new().unwrap();
    let output = morpion(folder.path())
        .args(["serve", "--listen", "127.0.0.1:0"])
        .env("MORPION_BILLING__SECRET_KEY", "sk_test_1")
        .env("MORPION_BILLING__PUBLISHABLE_KEY", "pk_test_1")
        .env("MORPION_BILLING__WEBHOOK_SECRET", "whsec_1")
        .env("SSL_CERT_FILE", folder.path().join("missing"))
        .env("SSL_CERT_DIR", folder.path())
        .output()
        .unwrap();
    let told = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(told.lines().last().unwrap().starts_with("morpion: payments need the system's CA certificates"), "{told}");
}

#[test]
fn the_server_prints_its_address_and_stops_on_sigterm() {
    let folder = TempDir::new().unwrap();
    let mut server = Server::start(folder.path(), &[]);
    assert!(server.greeting.contains("/setup?token="), "{}", server.greeting);
    assert!(server.get("/healthz").starts_with("HTTP/1.1 200"));
    let begun = Instant::now();
    while !server.get("/readyz").starts_with("HTTP/1.1 200") {
        assert!(begun.elapsed() < PATIENCE, "it does not become ready");
        std::thread::sleep(Duration::from_millis(20));
    }
    let missing = server.get("/api/nothing");
    assert!(missing.starts_with("HTTP/1.1 404") && missing.contains("\"requestId\""), "{missing}");
    assert!(missing.to_lowercase().contains("x-request-id: "), "{missing}");

    let in_use = morpion(folder.path()).args(["serve", "--listen", "127.0.0.1:0"]).output().unwrap();
    assert!(refusal(&in_use, 1).contains("in use by another process"));

    let asked = Instant::now();
    server.signal("-TERM");
    assert_eq!(server.wait(), 0);
    assert!(asked.elapsed() < Duration::from_secs(10), "it drains within 10 s");

    let logs = fs::read_dir(folder.path().join("data/logs")).unwrap();
    let logged: String = logs.map(|file| fs::read_to_string(file.unwrap().path()).unwrap()).collect();
    assert!(logged.lines().all(|line| serde_json::from_str::<serde_json::Value>(line).is_ok()));
    assert!(logged.contains("/api/nothing"));
    let token = server.greeting.split("token=").nth(1).unwrap().trim();
    assert!(!logged.contains(token), "the setup link is never logged");
}

#[test]
fn a_demo_has_activity_within_seconds_and_listens_on_loopback_only() {
    let folder = TempDir::new().unwrap();
    let far = morpion(folder.path()).args(["serve", "--demo", "--listen", "0.0.0.0:0"]).output().unwrap();
    assert!(refusal(&far, 1).contains("--demo prints its passwords"));

    // Its last line names the player on the free plan.
    let server = Server::start_until(folder.path(), &["--demo"], "(free)");
    let token = server.greeting.split("--token ").nth(1).unwrap().lines().next().unwrap();
    let (host, path) = (server.address, "/api/backend/admin?action=overview&payload=%7B%7D");
    let overview = reqwest::Client::builder().no_proxy().build().unwrap().get(format!("http://{host}{path}"));
    let overview = tokio::runtime::Runtime::new().unwrap().block_on(overview.bearer_auth(token).send()).unwrap();
    assert!(overview.status().is_success(), "the console can look at it");
    for account in ["admin   admin@example.org", "player  alice@example.org (Pro)", "player  bob@example.org (free)"] {
        assert!(server.greeting.contains(account), "{}", server.greeting);
    }
    let begun = Instant::now();
    let missing = |titles: &str| {
        ["Evening cup", "Morning sprint", "Open house #1"].into_iter().find(|title| !titles.contains(*title))
    };
    while let Some(title) = missing(&server.get("/api/backend/event?action=list_events&payload=%7B%22limit%22%3A50%7D"))
    {
        assert!(begun.elapsed() < PATIENCE, "no event {title}");
        std::thread::sleep(Duration::from_millis(100));
    }
    assert!(!folder.path().join("data").exists(), "nothing is kept");
}

/// The log of the store, as a killed server leaves it.
fn killed_servers_log(folder: &Path) -> std::path::PathBuf {
    let mut server = Server::start(folder, &[]);
    for name in ["token-one", "token-two", "token-three"] {
        let listen = server.address.to_string();
        let made =
            morpion(folder).args(["token", "create", name, "--scope", "read", "--listen", &listen]).output().unwrap();
        assert!(made.status.success(), "{}", text(&made.stderr));
    }
    server.signal("-KILL");
    server.wait();
    let logs = fs::read_dir(folder.join("data/db/wal")).unwrap().map(|entry| entry.unwrap().path());
    logs.max_by_key(|path| path.metadata().unwrap().len()).unwrap()
}

#[test]
fn a_damaged_log_is_reported_everywhere_and_discarded_only_on_request() {
    let folder = TempDir::new().unwrap();
    let log = killed_servers_log(folder.path());
    let mut bytes = fs::read(&log).unwrap();
    // The record of the last token follows it and is complete.
    let damaged = bytes.windows(9).position(|part| part == b"token-two").unwrap();
    bytes[damaged] ^= 0xff;
    fs::write(&log, &bytes).unwrap();

    let refused = morpion(folder.path()).args(["serve", "--listen", "127.0.0.1:0"]).output().unwrap();
    let line = refusal(&refused, 1);
    assert!(line.contains("damaged log") && line.contains("--accept-data-loss"), "{line}");
    let doctor = |listen: &str| {
        let output = morpion(folder.path()).args(["doctor", "--listen", listen]).output().unwrap();
        text(&output.stdout).lines().filter(|line| line.contains(" store ")).map(str::to_owned).collect::<Vec<_>>()
    };
    let found = doctor("127.0.0.1:1");
    assert!(found[0].starts_with("BAD") && found[0].contains("--accept-data-loss"), "{found:?}");

    let server = Server::start(folder.path(), &["--accept-data-loss"]);
    assert!(server.greeting.contains("complete records of a damaged log"), "{}", server.greeting);
    let kept = fs::read_dir(folder.path().join("data")).unwrap().map(|entry| entry.unwrap().path());
    let kept = kept.filter(|path| path.to_string_lossy().contains("db-damaged-")).collect::<Vec<_>>();
    assert_eq!(kept.len(), 1, "{kept:?}");
    assert_eq!(fs::read(kept[0].join(log.file_name().unwrap())).unwrap(), bytes);
    assert!(server.get("/readyz").contains("complete records of a damaged log"));
    let found = doctor(&server.address.to_string()).join("\n");
    assert!(found.contains("note  store     This start left out") && found.contains("db-damaged-"), "{found}");

    let token = fs::read_to_string(folder.path().join("data/operator.token")).unwrap();
    let overview = format!("http://{}/api/backend/admin?action=overview&payload=%7B%7D", server.address);
    let overview = reqwest::Client::builder().no_proxy().build().unwrap().get(overview).bearer_auth(token.trim());
    let overview: serde_json::Value = tokio::runtime::Runtime::new()
        .unwrap()
        .block_on(async { overview.send().await.unwrap().json().await.unwrap() });
    let warnings = overview["warnings"].to_string();
    assert!(warnings.contains("complete records of a damaged log") && warnings.contains("db-damaged-"), "{warnings}");

    let logged = || {
        let files = fs::read_dir(folder.path().join("data/logs")).unwrap().map(|entry| entry.unwrap().path());
        files.map(|path| fs::read_to_string(path).unwrap()).collect::<String>()
    };
    // Log files are written asynchronously.
    let is_logged = (0..100).any(|_| {
        std::thread::sleep(Duration::from_millis(50));
        logged().contains("complete records of a damaged log")
    });
    assert!(is_logged, "{}", logged());
}

/// Every file below a folder, with its content and when it was changed.
fn contents(folder: &Path) -> Vec<(std::path::PathBuf, Vec<u8>, std::time::SystemTime)> {
    let mut all = vec![];
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let changed = path.metadata().unwrap().modified().unwrap();
        if path.is_dir() {
            all.extend(contents(&path));
            all.push((path, vec![], changed));
        } else {
            all.push((path.clone(), fs::read(&path).unwrap(), changed));
        }
    }
    all.sort();
    all
}

#[test]
fn doctor_changes_nothing_and_finds_damage_without_a_server() {
    let folder = TempDir::new().unwrap();
    killed_servers_log(folder.path());
    let doctor = || morpion(folder.path()).args(["doctor", "--listen", "127.0.0.1:1"]).output().unwrap();
    let before = contents(folder.path());
    let found = doctor();
    let lines = text(&found.stdout);
    assert!(found.status.success() && lines.contains("a copy of"), "{lines}{}", text(&found.stderr));
    assert!(contents(folder.path()) == before, "no file was made, changed or removed");

    // A clean stop writes tables; each of them is damaged.
    drop(Server::start(folder.path(), &[]));
    let mut server = Server::start(folder.path(), &[]);
    server.signal("-TERM");
    server.wait();
    for entry in fs::read_dir(folder.path().join("data/db/sstables")).unwrap() {
        let path = entry.unwrap().path();
        let mut bytes = fs::read(&path).unwrap();
        bytes.iter_mut().for_each(|byte| *byte ^= 0x55);
        fs::write(&path, bytes).unwrap();
    }
    fs::write(folder.path().join("data/secret.key"), "short").unwrap();
    let found = doctor();
    let lines = text(&found.stdout);
    let bad: Vec<&str> = lines.lines().filter(|line| line.starts_with("BAD")).collect();
    assert!(bad.iter().any(|line| line.starts_with("BAD   store")), "{lines}");
    assert!(bad.iter().any(|line| line.starts_with("BAD   keys")), "{lines}");
    assert_eq!(refusal(&found, 1).trim_end(), format!("morpion: {} problems found", bad.len()));
}

#[test]
fn data_of_another_user_is_not_touched() {
    let folder = TempDir::new().unwrap();
    let is_root = text(&Command::new("id").arg("-u").output().unwrap().stdout).trim() == "0";
    // Root can give a folder away; everybody else meets one of root's.
    let data = if is_root { folder.path().join("data") } else { "/".into() };
    if is_root {
        fs::create_dir(&data).unwrap();
        std::os::unix::fs::chown(&data, Some(65_534), None).unwrap();
    }
    let data = data.to_str().unwrap();
    for words in [&["token", "list"][..], &["admin", "promote", "ada"], &["serve"], &["audit", "verify"]] {
        let output = run_in(folder.path(), words, data);
        let line = refusal(&output, 1);
        assert!(line.contains("belongs to another user; run `sudo -u ") && line.contains(words[0]), "{line}");
    }
    let found = run_in(folder.path(), &["doctor"], data);
    assert!(text(&found.stdout).contains("BAD   user"), "{}", text(&found.stdout));
    assert!(!is_root || fs::read_dir(data).unwrap().next().is_none(), "nothing was made there");
}

fn run_in(folder: &Path, words: &[&str], data: &str) -> Output {
    morpion(folder).args(words).args(["--listen", "127.0.0.1:1", "--data-dir", data]).output().unwrap()
}

#[test]
fn a_torn_tail_of_the_log_is_reported_and_does_not_prevent_a_start() {
    let folder = TempDir::new().unwrap();
    let log = killed_servers_log(folder.path());
    let bytes = fs::read(&log).unwrap();
    fs::write(&log, &bytes[..bytes.len() - 60]).unwrap();
    let server = Server::start(folder.path(), &[]);
    assert!(server.greeting.contains("of a write that never completed"), "{}", server.greeting);
    assert!(server.get("/readyz").contains("of a write that never completed"));
}

/// Sets the clipboard and the title, reverses and hides text, and forges a record.
const HOSTILE: &str = "\u{1b}]52;c;ZXZpbA==\u{7}\u{9b}31m\u{202e}\u{2066}\u{200b}\r\nmorpion: forged";

fn assert_harmless(what: &str, text: &str) {
    let is_raw = |char: char| char != '\n' && morpion_rules::text::is_invisible(char);
    assert!(!text.chars().any(is_raw), "{what}: {text:?}");
    assert!(!text.lines().any(|line| line.starts_with("morpion: forged")), "{what}: {text}");
}

#[test]
fn no_command_prints_hostile_texts_raw() {
    let folder = TempDir::new().unwrap();
    let server = Server::start(folder.path(), &[]);
    let listen = server.address.to_string();
    let address = format!("{HOSTILE}@example.org");
    for arguments in [
        &["token", "create", HOSTILE, "--scope", "read"][..],
        &["token", "list"],
        &["token", "revoke", HOSTILE],
        &["admin", "promote", HOSTILE],
        &["admin", "create", "--email", &address, "--username", HOSTILE, "--password-stdin"],
        &["pro", "grant", HOSTILE, "--reason", HOSTILE],
        &["event", "verify", HOSTILE],
        &["user", "suspend", HOSTILE, "--for-ever", "--reason", HOSTILE],
        &["user", "rename", HOSTILE, "--username", HOSTILE, "--reason", HOSTILE],
        &["user", "delete", HOSTILE, "--reason", HOSTILE, "--yes"],
        &["report", "close", HOSTILE, "--outcome", "upheld", "--note", HOSTILE],
        &["mail", "test", &address],
        &["config", "check", "--config", HOSTILE],
        &["config", "show", "--public-url", HOSTILE],
        &["doctor", "--data-dir", &HOSTILE.replace('/', "")],
    ] {
        for format in [&[][..], &["--json"]] {
            let mut command = morpion(folder.path());
            let output = command.args(arguments).args(["--listen", &listen]).args(format).output().unwrap();
            let told = text(&output.stdout) + &text(&output.stderr);
            assert!(!told.is_empty() || arguments == ["token", "list"], "{arguments:?} says nothing");
            assert_harmless(&format!("{arguments:?} {format:?}"), &told);
        }
    }
}

#[test]
fn the_log_has_no_hostile_texts_of_requests() {
    for format in ["pretty", "json"] {
        let folder = TempDir::new().unwrap();
        let config = format!("[log]\nformat = '{format}'\nlevel = 'trace'\n");
        fs::write(folder.path().join("morpion.toml"), config).unwrap();
        let mut server = Server::start(folder.path(), &["--config", "morpion.toml"]);
        let mut errors = server.child.stderr.take().unwrap();
        let reader = std::thread::spawn(move || {
            let mut logged = vec![];
            errors.read_to_end(&mut logged).unwrap();
            text(&logged)
        });
        let hostile = HOSTILE.replace(['\r', '\n', '\u{1b}', '\u{7}', ' '], "");
        let answer = server
            .get(&format!("/api/{hostile} HTTP/1.1\r\nuser-agent: {hostile}\r\nx-forwarded-for: {hostile}\r\nx-rest:"));
        assert!(answer.starts_with("HTTP/1.1 404"), "the path is passed on: {answer}");
        assert!(server.get(&format!("/api/{}", "%1b%5d52%c2%9b31m%e2%80%ae%0aforged")).starts_with("HTTP/1.1 404"));
        server.signal("-TERM");
        assert_eq!(server.wait(), 0);
        let logged = reader.join().unwrap();
        assert!(logged.contains("/api/]52;c;"), "the request is logged: {logged}");
        assert_harmless(format, &logged);
        for file in fs::read_dir(folder.path().join("data/logs")).unwrap() {
            assert_harmless("a log file", &fs::read_to_string(file.unwrap().path()).unwrap());
        }
    }
}

#[test]
fn ctrl_c_stops_the_server() {
    let folder = TempDir::new().unwrap();
    let mut server = Server::start(folder.path(), &[]);
    server.signal("-INT");
    assert_eq!(server.wait(), 0);
}

/// Runs a command with a password on its standard input.
fn with_password(folder: &Path, arguments: &[&str], password: &str) -> Output {
    let mut command = morpion(folder);
    command.args(arguments).arg("--password-stdin").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    writeln!(child.stdin.take().unwrap(), "{password}").unwrap();
    child.wait_with_output().unwrap()
}

const CREATE: [&str; 6] = ["admin", "create", "--email", "ann@example.org", "--username", "ann"];
const PASSWORD: &str = "Correct-Horse-7-Staple";

/// The same commands, while the server runs and while it does not.
fn administrate(folder: &Path, listen: &str) {
    let run = |arguments: &[&str]| morpion(folder).args(["--listen", listen]).args(arguments).output().unwrap();
    let said = |output: Output| {
        assert!(output.status.success(), "{}", text(&output.stderr));
        text(&output.stdout)
    };
    let listen_flag = ["--listen", listen];
    let create: Vec<_> = listen_flag.iter().chain(&CREATE).copied().collect();
    assert_eq!(said(with_password(folder, &create, PASSWORD)), "ann is an admin now.\n");
    assert!(refusal(&with_password(folder, &create, PASSWORD), 6).len() > 20, "the name is taken");
    let refused = refusal(&run(&["admin", "promote", "nobody"]), 5);
    assert!(refused.contains("not found"), "{refused}");

    let token = said(run(&["token", "create", "laptop", "--scope", "events", "--days", "6"]));
    assert!(token.trim().len() > 30, "{token}");
    let list = run(&["token", "list"]);
    assert!(text(&list.stderr).contains("note: The operator token 'laptop' expires on"), "{}", text(&list.stderr));
    let list = said(list);
    assert!(!list.contains(token.trim()), "a token is shown once");
    let row = list.lines().find(|line| line.ends_with("  laptop")).unwrap();
    assert!(row.contains("  events  "), "{row}");
    let id = row.split_whitespace().next().unwrap();
    said(run(&["token", "revoke", &id[..8]]));
    assert!(!said(run(&["token", "list"])).contains("laptop"));
    refusal(&run(&["token", "revoke", "laptop"]), 5);

    // The token in use.
    let refused = refusal(&run(&["token", "revoke", "local"]), 6);
    assert!(refused.contains("'local' is the token that this command signs in with") && refused.contains("--yes"));

    // A token that could not be printed is revoked.
    for arguments in
        [&["token", "create", "lost", "--scope", "read"][..], &["token", "create", "lost", "--scope", "read", "--json"]]
    {
        let mut command = morpion(folder);
        command.args(["--listen", listen]).args(arguments).stdout(full_disk());
        let refused = refusal(&command.output().unwrap(), 11);
        assert!(refused.contains("The token was revoked again."), "{refused}");
    }
    assert!(!said(run(&["token", "list"])).contains("lost"));

    let rows = |text: String| -> Vec<serde_json::Map<String, serde_json::Value>> {
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    let tokens = rows(said(run(&["token", "list", "--json"])));
    assert_eq!(tokens.len(), 1);
    assert_eq!(tokens[0]["name"], "local");
    // Nothing is sent there before something happens.
    let address = "https://hook.invalid/x";
    let secret = said(run(&["webhook", "create", address, "--of", "event.started"]));
    assert!(secret.starts_with("whsec_"), "{secret}");
    let listed = said(run(&["webhook", "list"]));
    assert!(listed.contains("nothing sent yet") && listed.contains(address), "{listed}");
    assert_eq!(rows(said(run(&["webhook", "deliveries", address, "--json"]))).len(), 0);
    refusal(&run(&["webhook", "test", "other"]), 5);
    assert_eq!(said(run(&["webhook", "delete", address])), "The webhook was deleted.\n");
    let mut lost = morpion(folder);
    lost.args(["--listen", listen, "webhook", "create", address]).stdout(full_disk());
    let refused = refusal(&lost.output().unwrap(), 11);
    assert!(refused.contains("The webhook was deleted again."), "{refused}");
    assert_eq!(rows(said(run(&["webhook", "list", "--json"]))).len(), 0);
    assert_eq!(rows(said(run(&["pro", "grant", "ann", "--reason", "Won", "--json"])))[0]["user"]["username"], "ann");
    assert_eq!(rows(said(run(&["pro", "list", "--json"]))).len(), 1);
    let verified = refusal(&run(&["event", "verify", "No such cup"]), 5);
    assert!(verified.contains("There is no event 'No such cup'."), "{verified}");
    refusal(&run(&["event", "verify", "0f5e7a4c"]), 5);
    // An account by a prefix of its id.
    let user = rows(said(run(&["admin", "promote", "ann", "--json"])))[0]["user"]["userId"].clone();
    let granted = said(run(&["pro", "revoke", &user.as_str().unwrap()[..8], "--reason", "Over"]));
    assert_eq!(granted, "ann has no Pro any more.\n");
}

/// What admins do against misuse, while the server runs and while it does not.
fn moderate(folder: &Path, listen: &str) {
    let run = |arguments: &[&str]| morpion(folder).args(["--listen", listen]).args(arguments).output().unwrap();
    let said = |arguments: &[&str]| {
        let output = run(arguments);
        assert!(output.status.success(), "{arguments:?}: {}", text(&output.stderr));
        text(&output.stdout)
    };
    let user = |arguments: &[&str]| -> serde_json::Value {
        serde_json::from_str::<serde_json::Value>(&said(&[arguments, &["--json"]].concat())).unwrap()["user"].take()
    };
    // Two admins, since the last one cannot be suspended.
    for name in ["ann", "ben"] {
        let email = format!("{name}@example.org");
        let create = ["--listen", listen, "admin", "create", "--email", &email, "--username", name];
        assert!(with_password(folder, &create, PASSWORD).status.success());
    }
    let suspended = user(&["user", "suspend", "ann", "--days", "7", "--reason", "Insults"]);
    assert_eq!((&suspended["suspension"]["reason"], &suspended["isAdmin"]), (&"Insults".into(), &false.into()));
    let listed = said(&["user", "list", "--suspended"]);
    assert!(listed.contains("ann") && listed.contains(": Insults") && !listed.contains("ben"), "{listed}");
    assert!(said(&["user", "list"]).contains("ben"));
    let last = refusal(&run(&["user", "suspend", "ben", "--for-ever", "--reason", "r"]), 6);
    assert!(last.to_lowercase().contains("last admin"), "{last}");
    refusal(&run(&["user", "delete", "ben", "--reason", "r", "--yes"]), 6);
    let changed = user(&["user", "suspend", "ann", "--for-ever", "--reason", "Insults again"]);
    assert!(changed["suspension"]["until"].is_null(), "{changed}");
    assert!(user(&["user", "lift", "ann"])["suspension"].is_null());
    let too_long = "x".repeat(501);
    refusal(&run(&["user", "suspend", "ann", "--days", "1", "--reason", &too_long]), 7);
    refusal(&run(&["user", "suspend", "ann", "--days", "1", "--reason", " "]), 7);
    refusal(&run(&["user", "remove-picture", "nobody", "--reason", "r"]), 5);
    assert_eq!(user(&["user", "remove-picture", "ann", "--reason", "r"])["profile"], "");
    assert_eq!(user(&["user", "allow-hosting", "ann"])["mayHost"], true);
    assert!(user(&["user", "allow-hosting", "ann", "--revoke"])["mayHost"].is_null());
    refusal(&run(&["user", "rename", "ann", "--username", "ben", "--reason", "r"]), 6);
    assert_eq!(user(&["user", "rename", "ann", "--username", "anna", "--reason", "r"])["username"], "anna");
    let neutral = user(&["user", "rename", "anna", "--reason", "r"])["username"].clone();
    let neutral = neutral.as_str().unwrap();
    assert_ne!(neutral, "anna");
    assert_eq!(run(&["user", "delete", neutral, "--reason", "r"]).status.code(), Some(2), "--yes is needed");
    assert_eq!(said(&["user", "delete", neutral, "--reason", "r", "--yes"]), "The account is deleted.\n");
    assert!(!said(&["user", "list"]).contains(neutral));

    assert_eq!(said(&["report", "list"]), "No report is open.\n");
    assert_eq!(said(&["report", "list", "--closed", "--json"]), "");
    let unknown = "0199c0de-0000-7000-8000-000000000000";
    for report in [unknown, "0199c0de", "ben"] {
        refusal(&run(&["report", "close", report, "--outcome", "dismissed"]), 5);
    }
    assert_eq!(run(&["report", "close", unknown]).status.code(), Some(2), "an outcome is needed");
}

#[test]
fn misuse_is_dealt_with_while_the_server_runs() {
    let folder = TempDir::new().unwrap();
    let server = Server::start(folder.path(), &[]);
    moderate(folder.path(), &server.address.to_string());
}

#[test]
fn misuse_is_dealt_with_while_no_server_runs() {
    let folder = TempDir::new().unwrap();
    let free = free_address().to_string();
    moderate(folder.path(), &free);
}

fn full_disk() -> fs::File {
    fs::File::options().write(true).open("/dev/full").unwrap()
}

#[test]
fn unwritable_output_is_an_error() {
    let folder = TempDir::new().unwrap();
    let free = free_address().to_string();
    let run = |arguments: &[&str], output: Stdio| {
        let mut command = morpion(folder.path());
        command.args(["--listen", &free]).args(arguments).stdout(output).stderr(Stdio::piped());
        command.spawn().unwrap().wait_with_output().unwrap()
    };
    for arguments in [
        &["--help"][..],
        &["--version"],
        &["token", "--help"],
        &["default-config"],
        &["config", "show"],
        &["config", "check"],
        &["config", "show", "--json"],
        &["completions", "bash"],
        &["man"],
        &["mail", "test", "you@example.org"],
        &["token", "list"],
        &["pro", "list"],
        &["doctor"],
    ] {
        let line = refusal(&run(arguments, full_disk().into()), 11);
        assert!(line.contains("there is no room left on the disk"), "{arguments:?}: {line}");
    }
    for arguments in [&["default-config"][..], &["--help"], &["token", "list"]] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let line = refusal(&run(arguments, writer.into()), 11);
        assert!(line.contains("its reader went away"), "{arguments:?}: {line}");
    }
    // `head` has read what it wanted.
    let (mut reader, writer) = std::io::pipe().unwrap();
    let mut command = morpion(folder.path());
    let mut child = command.arg("openapi").stdout(writer).spawn().unwrap();
    drop(command);
    reader.read_exact(&mut [0; 10]).unwrap();
    drop(reader);
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn unwritable_output_does_not_prevent_serving() {
    let folder = TempDir::new().unwrap();
    let free = free_address();
    let mut command = morpion(folder.path());
    command.args(["serve", "--listen", &free.to_string()]).stdout(full_disk()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map_while(Result::ok);
    let line = lines.find(|line| line.contains("the startup message could not be written"));
    let mut server = Server { child, address: free, greeting: String::new() };
    assert!(line.is_some_and(|line| line.contains("there is no room left on the disk")), "it ended");
    let begun = Instant::now();
    while TcpStream::connect(free).is_err() {
        assert!(begun.elapsed() < PATIENCE, "it does not serve");
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(server.get("/healthz").starts_with("HTTP/1.1 200"));
    server.signal("-TERM");
    assert_eq!(server.wait(), 0);
}

#[test]
fn json_is_one_object_a_line() {
    let folder = TempDir::new().unwrap();
    for arguments in [&["config", "show"][..], &["config", "check"], &["mail", "test", "you@example.org"]] {
        let output = morpion(folder.path()).args(arguments).arg("--json").output().unwrap();
        assert!(output.status.success(), "{}", text(&output.stderr));
        let lines = text(&output.stdout);
        assert!(lines.lines().count() > 0);
        for line in lines.lines() {
            serde_json::from_str::<serde_json::Map<_, _>>(line).unwrap_or_else(|error| panic!("{error}: {line}"));
        }
    }
    let output = morpion(folder.path()).args(["config", "show", "--json"]).output().unwrap();
    let text = text(&output.stdout);
    let level = text.lines().find(|line| line.contains("log.level")).unwrap();
    assert_eq!(level, r#"{"key":"log.level","value":"\"info\"","source":"default"}"#);
}

#[test]
fn accounts_and_tokens_are_managed_through_the_running_server() {
    let folder = TempDir::new().unwrap();
    let server = Server::start(folder.path(), &[]);
    administrate(folder.path(), &server.address.to_string());
}

/// The completions of the last word, as bash requests them.
fn completed(folder: &Path, words: &[impl AsRef<OsStr>]) -> Vec<String> {
    let mut command = morpion(folder);
    command.arg("--").arg("morpion").args(words).env("COMPLETE", "bash");
    command.env("_CLAP_COMPLETE_INDEX", words.len().to_string()).env("_CLAP_IFS", "\n");
    let output = command.output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{}", text(&output.stderr));
    text(&output.stdout).lines().map(str::to_owned).collect()
}

#[test]
fn the_shell_completes_names_of_the_running_server() {
    let folder = TempDir::new().unwrap();
    let nowhere = free_address().to_string();
    assert!(completed(folder.path(), &["--listen", &nowhere, "event", "verify", "Fri"]).is_empty());
    assert!(!folder.path().join("data").exists(), "no server is started for it");
    let garbled = [&b"--config"[..], b"/srv/\xff", b"event", b"verify", b"F"].map(OsStr::from_bytes);
    assert!(completed(folder.path(), &garbled).is_empty(), "a path that is not UTF-8");

    let server = Server::start(folder.path(), &[]);
    let listen = server.address.to_string();
    let created = with_password(folder.path(), &[&["--listen", &*listen][..], &CREATE].concat(), PASSWORD);
    assert!(created.status.success(), "{}", text(&created.stderr));
    let token = fs::read_to_string(folder.path().join("data/operator.token")).unwrap();
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let create = async |title: &str| {
        let body = serde_json::json!({ "action": "create_event", "payload": { "title": title } }).to_string();
        let request = client.post(format!("http://{listen}/api/backend/event")).bearer_auth(token.trim());
        let answer = request.header("content-type", "application/json").body(body).send().await.unwrap();
        let answer: serde_json::Value = serde_json::from_str(&answer.text().await.unwrap()).unwrap();
        answer["event"]["eventId"].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned()
    };
    let (cup, _) = tokio::runtime::Runtime::new()
        .unwrap()
        .block_on(async { (create("Friday cup").await, create("Autumn_2026").await) });

    let verify = |typed: &str| completed(folder.path(), &["--listen", &listen, "event", "verify", typed]);
    assert_eq!(verify("fri"), [&*cup], "a title that needs quotes is offered by its id");
    assert_eq!(verify("Aut"), ["Autumn_2026"]);
    assert_eq!(verify(&cup[..8]), [&*cup]);
    assert!(verify("nothing similar").is_empty());
    assert_eq!(completed(folder.path(), &["--listen", &listen, "pro", "grant", "an"]), ["ann"]);
    assert_eq!(completed(folder.path(), &["--listen", &listen, "token", "revoke", "lo"]), ["local"]);
    let scopes = completed(folder.path(), &["token", "create", "laptop", "--scope", ""]);
    assert_eq!(scopes, ["read", "events", "accounts", "all"]);
    assert!(completed(folder.path(), &["eve"]).contains(&"event".to_owned()));
}

/// The commands that the help lists.
fn commands(folder: &Path) -> Vec<String> {
    let help = morpion(folder).arg("--help").output().unwrap();
    let help = text(&help.stdout);
    let (_, listed) = help.split_once("Commands:\n").unwrap();
    let lines = listed.lines().take_while(|line| line.starts_with("  "));
    let names = lines.filter(|line| !line.starts_with("   ")).filter_map(|line| line.split_whitespace().next());
    names.filter(|name| *name != "help").map(str::to_owned).collect()
}

#[test]
fn manual_pages_and_completions_have_every_command() {
    let folder = TempDir::new().unwrap();
    let commands = commands(folder.path());
    assert!(commands.len() > 15 && commands.contains(&"serve".to_owned()), "{commands:?}");
    let offered = completed(folder.path(), &[""]);
    let missing: Vec<_> = commands.iter().filter(|name| !offered.contains(name)).collect();
    assert!(missing.is_empty(), "{missing:?}: {offered:?}");

    let page = morpion(folder.path()).arg("man").output().unwrap();
    assert!(text(&page.stdout).contains(".TH morpion 1"), "{}", text(&page.stdout));
    let written = folder.path().join("pages/man1");
    let output = morpion(folder.path()).arg("man").arg(&written).output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(fs::read_to_string(written.join("morpion.1")).unwrap(), text(&page.stdout));
    for name in &commands {
        let page = fs::read_to_string(written.join(format!("morpion-{name}.1"))).unwrap();
        assert!(page.contains(".SH SYNOPSIS"), "{name}: {page}");
    }
    assert!(written.join("morpion-token-create.1").is_file());
    for page in fs::read_dir(&written).unwrap() {
        let page = page.unwrap().path();
        assert_eq!(mode(&page), 0o644, "{}", page.display());
        let Ok(output) = Command::new("man").args(["--warnings", "-l", "-Tutf8", "-Z"]).arg(&page).output() else {
            break;
        };
        assert!(output.stderr.is_empty(), "{}: {}", page.display(), text(&output.stderr));
    }
    refusal(&morpion(folder.path()).args(["man", "/proc/no"]).output().unwrap(), 1);
}

#[test]
fn shells_accept_the_completion_scripts() {
    let folder = TempDir::new().unwrap();
    for shell in ["bash", "zsh", "fish"] {
        let script = morpion(folder.path()).args(["completions", shell]).output().unwrap();
        assert!(script.status.success() && text(&script.stdout).contains("morpion"), "{shell}");
        let path = folder.path().join(shell);
        fs::write(&path, script.stdout).unwrap();
        let Ok(output) = Command::new(shell).arg("-n").arg(&path).output() else { continue };
        assert!(output.status.success(), "{shell}: {}", text(&output.stderr));
    }
}

#[test]
fn ready_says_whether_the_server_is() {
    let folder = TempDir::new().unwrap();
    let nowhere = free_address().to_string();
    let ask = |listen: &str| morpion(folder.path()).args(["ready", "--listen", listen]).output().unwrap();
    assert!(refusal(&ask(&nowhere), 3).contains("no server answers at"));
    assert!(!folder.path().join("data").exists(), "no server is started for it");

    let server = Server::start(folder.path(), &[]);
    let output = ask(&server.address.to_string());
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(text(&output.stdout), "The server is ready.\n");

    // Something else that listens there.
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let listen = listener.local_addr().unwrap().to_string();
    let other = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let _ = stream.read(&mut [0; 1024]).unwrap();
        let answer = "HTTP/1.1 503 Service Unavailable\r\ncontent-length: 23\r\n\r\nnot ready\nThe\x1b[2Jdisk.\n";
        stream.write_all(answer.as_bytes()).unwrap();
    });
    let line = refusal(&ask(&listen), 9);
    other.join().unwrap();
    assert!(line.contains("the server is not ready; The") && !line.contains('\x1b'), "{line}");
}

/// The mode of everything in a folder, by its path.
fn modes(folder: &Path) -> Vec<(String, u32)> {
    let mut found = vec![(folder.display().to_string(), mode(folder))];
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(modes(&path));
        } else {
            found.push((path.display().to_string(), mode(&path)));
        }
    }
    found
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o7777
}

#[test]
fn nobody_else_can_read_the_data_whatever_the_umask() {
    let folder = TempDir::new().unwrap();
    let data = folder.path().join("data");
    fs::create_dir(&data).unwrap();
    fs::set_permissions(&data, fs::Permissions::from_mode(0o777)).unwrap();
    let noted = morpion(folder.path()).args(["doctor", "--listen", "127.0.0.1:1"]).output().unwrap();
    assert!(text(&noted.stdout).contains("other users have access to"), "{}", text(&noted.stdout));

    let mut open = Command::new("sh");
    open.args(["-c", "umask 000; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_morpion")]);
    open.args(["serve", "--listen", "127.0.0.1:0"]).current_dir(folder.path()).env("MORPION_DATA_DIR", &data);
    let mut server = Server::of(open, "token=");
    let listen = server.address.to_string();
    // Letters of the outbox, as of the recovery of a password.
    let created = with_password(folder.path(), &[&["--listen", &*listen][..], &CREATE].concat(), PASSWORD);
    assert!(created.status.success(), "{}", text(&created.stderr));
    let sent = morpion(folder.path()).args(["mail", "test", "ann@example.org"]).output().unwrap();
    assert!(sent.status.success(), "{}", text(&sent.stderr));
    server.signal("-TERM");
    assert_eq!(server.wait(), 0);

    let modes = modes(&data);
    for name in ["secret.key", "push.key", "operator.token", "/db", "/log", "outbox"] {
        assert!(modes.iter().any(|(path, _)| path.contains(name)), "{name} is missing: {modes:?}");
    }
    for (path, mode) in modes {
        assert_eq!(mode, if Path::new(&path).is_dir() { 0o700 } else { 0o600 }, "{path} is {mode:o}");
    }
    let noted = morpion(folder.path()).args(["doctor", "--listen", "127.0.0.1:1"]).output().unwrap();
    assert!(!text(&noted.stdout).contains("other users"), "{}", text(&noted.stdout));
}

#[test]
fn the_local_token_is_replaced_at_each_start() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("data/operator.token");
    let ask = |server: &Server, token: &str| {
        let mut stream = TcpStream::connect(server.address).unwrap();
        let head = format!("host: {}\r\nauthorization: Bearer {}\r\nconnection: close", server.address, token.trim());
        write!(stream, "GET /api/backend/admin?action=overview HTTP/1.1\r\n{head}\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer.lines().next().unwrap().to_owned()
    };
    let mut server = Server::start(folder.path(), &[]);
    let first = fs::read_to_string(&file).unwrap();
    assert!(ask(&server, &first).contains("200"));
    server.signal("-TERM");
    assert_eq!(server.wait(), 0);

    let server = Server::start(folder.path(), &[]);
    let second = fs::read_to_string(&file).unwrap();
    assert!(ask(&server, &first).contains("401"), "a copy of the file before works");
    assert!(ask(&server, &second).contains("200"));
    drop(server);

    fs::remove_file(&file).unwrap();
    fs::create_dir(&file).unwrap();
    let output = morpion(folder.path()).args(["serve", "--listen", "127.0.0.1:0"]).output().unwrap();
    let complaint = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{complaint}");
    assert!(complaint.lines().last().unwrap().contains("operator.token, cannot be written"), "{complaint}");
}

#[test]
fn a_server_at_another_address_is_suggested() {
    let folder = TempDir::new().unwrap();
    let _server = Server::start(folder.path(), &[]);
    let free = free_address().to_string();
    let output = morpion(folder.path()).args(["token", "list", "--listen", &free]).output().unwrap();
    let line = refusal(&output, 3);
    assert!(
        line.contains(&format!("no server runs at {free}")) && line.contains("in use by another process"),
        "{line}"
    );
}

#[test]
fn accounts_and_tokens_are_managed_while_no_server_runs() {
    let folder = TempDir::new().unwrap();
    let free = free_address();
    administrate(folder.path(), &free.to_string());
}

#[test]
fn without_a_terminal_passwords_are_read_from_stdin() {
    let folder = TempDir::new().unwrap();
    let output = morpion(folder.path()).args(CREATE).output().unwrap();
    assert!(refusal(&output, 1).contains("--password-stdin"));
}

/// A browser: it keeps its cookies and sends the forgery token.
struct Browser<'a> {
    server: &'a Server,
    cookies: HashMap<String, String>,
}

impl<'a> Browser<'a> {
    fn new(server: &'a Server) -> Self {
        let mut browser = Self { server, cookies: HashMap::new() };
        browser.keep(&server.get("/api/auth/check-login"));
        browser
    }

    fn keep(&mut self, answer: &str) {
        let set =
            answer.lines().filter_map(|line| line.strip_prefix("set-cookie: ")?.split(';').next()?.split_once('='));
        self.cookies.extend(set.map(|(name, value)| (name.to_owned(), value.to_owned())));
    }

    /// The status line of the answer.
    fn post(&mut self, path: &str, body: &Value) -> String {
        let cookies: Vec<_> = self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let (host, cookies, token, body) =
            (self.server.address, cookies.join("; "), &self.cookies["XSRF-TOKEN"], body.to_string());
        let mut stream = TcpStream::connect(host).unwrap();
        write!(
            stream,
            "POST {path} HTTP/1.1\r\nhost: {host}\r\norigin: http://{host}\r\ncookie: {cookies}\r\nx-xsrf-token: {token}\r\n\
             content-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
            body.len()
        )
        .unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        self.keep(&answer);
        answer.lines().next().unwrap().to_owned()
    }
}

#[test]
fn the_fail2ban_filter_finds_failed_sign_ins_and_cannot_be_misled() {
    let folder = TempDir::new().unwrap();
    let mut server = Server::start(folder.path(), &[]);
    let forged = r#"","level":"WARN","message":"security event","event":"sign-in","outcome":"failed","address":"192.0.2.66","account":"#;
    for email in ["ada@example.org", forged, "a\n{\"level\":\"WARN\",\"message\":\"security event\"", "ada@example.org"]
    {
        let body = json!({ "email": email, "password": "Wrong-Horse-7", "isGoogleAccount": false });
        assert!(Browser::new(&server).post("/api/auth/login", &body).contains(" 401 "));
        server.get(&format!("/{}", forged.replace('"', "%22")));
    }
    let mut browser = Browser::new(&server);
    let eve = json!({
        "email": "eve@example.org", "username": "eve", "password": "Chalk-and-1nk",
        "firstName": "", "lastName": "", "accountType": "local", "isGoogleAccount": false,
    });
    let registered = browser.post("/api/auth/register", &eve);
    assert!(registered.contains(" 200 "), "{registered}");
    assert!(browser.post("/api/auth/proof", &json!({ "totp": "123456" })).contains(" 422 "));
    server.signal("-TERM");
    assert_eq!(server.wait(), 0);
    let lines: String = fs::read_dir(folder.path().join("data/logs"))
        .unwrap()
        .map(|file| fs::read_to_string(file.unwrap().path()).unwrap())
        .collect();
    assert!(!lines.contains("ada@example.org"), "the log shows no email");
    let filter = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../config/fail2ban/filter.conf")).unwrap();
    let expression = filter.lines().find_map(|line| line.strip_prefix("failregex = ")).unwrap();
    let expression = regex::Regex::new(&expression.replace("<ADDR>", r"(?P<ip>[0-9a-fA-F.:]+)")).unwrap();
    let found = |line: &str| expression.captures(line).map(|captures| captures["ip"].to_owned());
    let banned: Vec<String> = lines.lines().filter_map(found).collect();
    assert_eq!(banned, ["127.0.0.1"; 5], "{lines}");
    let journal: Vec<String> = lines.lines().filter_map(|line| found(&format!("host morpion[7]: {line}"))).collect();
    assert_eq!(journal, banned);
    for (event, method) in [("sign-in", "password"), ("second-factor", "totp")] {
        let expected = format!(r#""event":"{event}","outcome":"failed","address":"127.0.0.1","account":""#);
        let line = lines.lines().find(|line| line.contains(&expected)).unwrap_or_else(|| panic!("{lines}"));
        assert!(line.contains(&format!(r#"","method":"{method}""#)), "{line}");
    }
}
