//! The program with TLS: its commands, its warnings, and SIGHUP.

use std::{
    fs,
    io::{BufRead, BufReader},
    net::SocketAddr,
    path::Path,
    process::{Child, Command, Output, Stdio},
    sync::mpsc::{Receiver, channel},
    time::{Duration, Instant},
};

use tempfile::TempDir;

use crate::{
    certificates::{Authority, Issued, connect},
    free_address::free_address,
    server::NAME,
};

/// Generous: on an idle machine a start takes a fraction of a second.
const PATIENCE: Duration = Duration::from_secs(60);

fn morpion(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_morpion"));
    command.current_dir(folder).stdin(Stdio::null());
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("MORPION_")) {
        command.env_remove(name);
    }
    command.env("MORPION_CONFIG", folder.join("morpion.toml"));
    command.env_remove("CREDENTIALS_DIRECTORY").env_remove("NOTIFY_SOCKET").env_remove("JOURNAL_STREAM");
    command
}

fn write_config(folder: &Path, address: SocketAddr, public_url: &str, others: &str) {
    let text = format!("data_dir = 'data'\n[server]\nlisten = '{address}'\npublic_url = '{public_url}'\n{others}\n");
    fs::write(folder.join("morpion.toml"), text).unwrap();
}

const FILES: &str = "[tls]\ncert_file = 'tls.crt'\nkey_file = 'tls.key'";

fn write_certificate(folder: &Path, issued: &Issued) {
    fs::write(folder.join("tls.crt"), &issued.chain).unwrap();
    fs::write(folder.join("tls.key"), &issued.key).unwrap();
}

fn text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// `morpion serve`, killed when the test ends.
struct Serving {
    child: Child,
    log: Receiver<String>,
}

impl Serving {
    fn start(folder: &Path) -> Self {
        let mut command = morpion(folder);
        let mut child = command.arg("serve").stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let (sender, log) = channel();
        std::thread::spawn(move || lines.map_while(Result::ok).try_for_each(|line| sender.send(line)));
        Self { child, log }
    }

    /// The next line of the log with these words, and all before it.
    fn logs(&self, words: &str) -> String {
        let begun = Instant::now();
        let mut seen = String::new();
        loop {
            let left = PATIENCE.saturating_sub(begun.elapsed());
            let line = self.log.recv_timeout(left).unwrap_or_else(|_| panic!("'{words}' is not in the log:\n{seen}"));
            seen.push_str(&line);
            seen.push('\n');
            if line.contains(words) {
                return seen;
            }
        }
    }

    fn hang_up(&self) {
        assert!(Command::new("kill").args(["-HUP", &self.child.id().to_string()]).status().unwrap().success());
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn commands_reach_a_server_with_tls_and_doctor_reports_its_certificate() {
    let (authority, folder) = (Authority::new(), TempDir::new().unwrap());
    let address = free_address();
    write_config(folder.path(), address, &format!("https://{NAME}"), FILES);
    write_certificate(folder.path(), &authority.issue(&[NAME], [-1, 90]));
    let doctor = || morpion(folder.path()).arg("doctor").output().unwrap();
    assert!(text(&doctor()).contains("ok    tls       the certificate is valid until "), "{}", text(&doctor()));

    let serving = Serving::start(folder.path());
    serving.logs("serving");
    let found = doctor();
    assert!(found.status.success(), "{}", text(&found));
    assert!(text(&found).contains(&format!("the server at {address} runs and its store answers")), "{}", text(&found));
    let created = morpion(folder.path()).args(["token", "create", "--scope", "read", "script"]).output().unwrap();
    assert!(created.status.success(), "{}", text(&created));
    drop(serving);

    write_certificate(folder.path(), &authority.issue(&["other.example.org"], [-90, -1]));
    let found = doctor();
    assert_eq!(found.status.code(), Some(1));
    for words in
        ["BAD   tls       The TLS certificate expired at ", "BAD   tls       The TLS certificate is not for play"]
    {
        assert!(text(&found).contains(words), "{}", text(&found));
    }
    let serving = Serving::start(folder.path());
    assert!(serving.logs("serving").contains("WARN The TLS certificate expired at "), "it serves all the same");
    drop(serving);

    fs::write(folder.path().join("tls.key"), "nonsense").unwrap();
    for command in [&["serve"][..], &["config", "check"]] {
        let refused = morpion(folder.path()).args(command).output().unwrap();
        assert_eq!(refused.status.code(), Some(2), "{}", text(&refused));
        assert!(text(&refused).contains("tls.key_file: tls.key contains no private key in PEM"), "{}", text(&refused));
    }
}

#[test]
fn a_public_address_without_tls_is_warned_of_at_the_start() {
    let folder = TempDir::new().unwrap();
    let warning = "passwords travel unencrypted";
    for (public_url, warns) in [
        ("http://play.example.org", true),
        ("http://127.0.0.1:9", false),
        ("https://play.example.org", false),
        ("", false),
    ] {
        write_config(folder.path(), free_address(), public_url, "trusted_proxies = ['127.0.0.1']");
        let log = Serving::start(folder.path()).logs("serving");
        assert_eq!(log.contains(warning), warns, "{public_url}: {log}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hangup_reloads_what_can_be_reloaded() {
    let (authority, folder) = (Authority::new(), TempDir::new().unwrap());
    let (path, address, public_url) = (folder.path(), free_address(), format!("https://{NAME}"));
    let names = "[identity]\nreserved_names_file = 'names.txt'";
    fs::write(path.join("names.txt"), "acme\n").unwrap();
    write_config(path, address, &public_url, &format!("{FILES}\n{names}"));
    write_certificate(path, &authority.issue(&[NAME], [-1, 90]));
    let serving = Serving::start(path);
    serving.logs("serving");
    serving.hang_up();
    serving.logs("the configuration was reloaded");

    write_certificate(path, &authority.issue(&[NAME], [-1, 60]));
    serving.hang_up();
    serving.logs("there is a new TLS certificate");
    connect(authority.client(&["h2"]), address, NAME).await.unwrap();

    // A key that needs a restart is named; the others are taken.
    write_config(path, address, &public_url, &format!("max_connections = 7\n{FILES}\n{names}\n[log]\nlevel = 'debug'"));
    serving.hang_up();
    let log = serving.logs("these need a restart");
    assert!(log.lines().last().unwrap().contains("server.max_connections"), "{log}");
    connect(authority.client(&["smtp"]), address, NAME).await.unwrap_err();
    serving.logs("DEBUG no TLS handshake");

    // A bad file or value changes nothing.
    for (bad, reason) in
        [("nonsense", "is not TOML"), ("[log]\nlevel = 'loud'", "log.level"), ("colour = 1", "unknown key")]
    {
        write_config(path, address, &public_url, bad);
        serving.hang_up();
        let log = serving.logs("the one before stays in effect");
        assert!(log.lines().last().unwrap().contains(reason), "{log}");
    }
    fs::write(path.join("names.txt"), "...\n").unwrap();
    write_config(path, address, &public_url, &format!("{FILES}\n{names}\n[log]\nlevel = 'error'"));
    serving.hang_up();
    assert!(serving.logs("the one before stays in effect").contains("identity.reserved_names_file"));
    connect(authority.client(&["smtp"]), address, NAME).await.unwrap_err();
    serving.logs("DEBUG no TLS handshake");
}
