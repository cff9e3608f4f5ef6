//! The real server in a process of its own: its file descriptors, and what it writes to its log files.

use std::{fs, net::SocketAddr, path::Path, process::Command, time::Duration};

use serde_json::Value;
use tempfile::TempDir;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    task::JoinSet,
    time::{Instant, sleep, timeout},
};

use crate::process::Process;

const PATIENCE: Duration = Duration::from_secs(20);

/// All lines of the log files.
fn log_of(folder: &Path) -> Vec<Value> {
    let files = fs::read_dir(folder.join("logs")).unwrap().map(|file| file.unwrap().path());
    let texts: Vec<String> = files.map(|file| fs::read_to_string(file).unwrap()).collect();
    texts.iter().flat_map(|text| text.lines()).filter_map(|line| serde_json::from_str(line).ok()).collect()
}

/// The lines that fit, once there are any.
async fn logged(folder: &Path, fits: impl Fn(&Value) -> bool) -> Vec<Value> {
    let begun = Instant::now();
    loop {
        let lines: Vec<Value> = log_of(folder).into_iter().filter(|line| fits(line)).collect();
        if !lines.is_empty() {
            return lines;
        }
        assert!(begun.elapsed() < PATIENCE, "nothing was logged");
        sleep(Duration::from_millis(50)).await;
    }
}

/// The head of the answer to one request on a connection of its own.
async fn asks(address: SocketAddr, request: &str) -> String {
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut bytes = vec![];
    let _ = timeout(PATIENCE, stream.read_to_end(&mut bytes)).await.expect("no answer");
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Clock ticks of processor time that a process has used.
fn ticks_of(process: u32) -> u64 {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap().split_whitespace().collect();
    fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap()
}

fn descriptors_of(process: u32) -> usize {
    fs::read_dir(format!("/proc/{process}/fd")).unwrap().count()
}

#[tokio::test(flavor = "multi_thread")]
async fn connections_leave_file_descriptors_for_the_store() {
    let folder = TempDir::new().unwrap();
    let settings = [
        ("MORPION_SERVER__MAX_CONNECTIONS", "100000"),
        ("MORPION_SERVER__MAX_CONNECTIONS_PER_ADDRESS", "100000"),
        ("MORPION_SERVER__HEAD_TIMEOUT", "60"),
    ];
    let process = Process::with_files(folder.path(), 1_024, &settings);
    let address = process.address;
    let mut held = vec![];
    for number in 0..1_024 {
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream.write_all(format!("GET /healthz HTTP/1.1\r\nhost: {address}\r\n\r\n").as_bytes()).await.unwrap();
        let mut head = [0; 12];
        let answered = timeout(PATIENCE, stream.read_exact(&mut head)).await;
        answered.unwrap_or_else(|_| panic!("connection {number} is not answered")).unwrap();
        if &head == b"HTTP/1.1 503" {
            break;
        }
        assert_eq!(&head, b"HTTP/1.1 200");
        held.push(stream);
    }
    assert_eq!(held.len(), 512);
    // The store closes files some time after it began.
    let begun = Instant::now();
    while descriptors_of(process.id()) >= 900 {
        assert!(begun.elapsed() < PATIENCE, "too few of 1024 descriptors are left");
        sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn without_file_descriptors_it_pauses_and_recovers_and_does_not_spin() {
    let folder = TempDir::new().unwrap();
    let settings = [
        ("MORPION_LOG__LEVEL", "info"),
        ("MORPION_SERVER__MAX_CONNECTIONS_PER_ADDRESS", "1000"),
        ("MORPION_SERVER__HEAD_TIMEOUT", "60"),
    ];
    let process = Process::start_with(folder.path(), &settings);
    let address = process.address;
    // Connections leave some, so something else has to have used them up.
    let limit = format!("--nofile={}", descriptors_of(process.id()) + 40);
    let limited = Command::new("prlimit").args(["--pid", &process.id().to_string(), &limit]).status();
    assert!(limited.unwrap().success());
    let mut held = JoinSet::new();
    for _ in 0..400 {
        held.spawn(async move {
            // The last ones wait: the system's queue is full too.
            let _stream = TcpStream::connect(address).await;
            std::future::pending::<()>().await;
        });
    }
    let is_pause = |line: &Value| line["message"].as_str().unwrap_or_default().starts_with("no connection can be");
    assert_eq!(logged(folder.path(), is_pause).await.len(), 1);
    let before = ticks_of(process.id());
    sleep(Duration::from_secs(2)).await;
    let used = ticks_of(process.id()) - before;
    assert!(used < 60, "{used} of 200 ticks in two seconds of waiting");
    assert_eq!(log_of(folder.path()).iter().filter(|line| is_pause(line)).count(), 1, "it is logged once");
    drop(held);
    let begun = Instant::now();
    let request = format!("GET /healthz HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n");
    while !asks(address, &request).await.starts_with("HTTP/1.1 200") {
        assert!(begun.elapsed() < PATIENCE, "it does not recover");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn refusals_of_the_edge_are_in_the_log_with_the_address() {
    let folder = TempDir::new().unwrap();
    let settings = [("MORPION_LOG__LEVEL", "info"), ("MORPION_SERVER__MAX_CONNECTIONS_PER_ADDRESS", "2")];
    let process = Process::start_with(folder.path(), &settings);
    let address = process.address;
    let long = "x".repeat(9_000);
    let too_long = format!("GET /api/{long} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n");
    assert!(asks(address, &too_long).await.starts_with("HTTP/1.1 414 "));
    let many: String = (0..200).map(|number| format!("x-{number}: y\r\n")).collect();
    let too_many = format!("GET / HTTP/1.1\r\nhost: {address}\r\n{many}\r\n");
    assert!(asks(address, &too_many).await.starts_with("HTTP/1.1 431 "));
    let mut held = vec![];
    while held.len() < 2 {
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream.write_all(format!("GET /healthz HTTP/1.1\r\nhost: {address}\r\n\r\n").as_bytes()).await.unwrap();
        let mut bytes = [0; 12];
        stream.read_exact(&mut bytes).await.unwrap();
        // The connections before may not have ended yet.
        if &bytes == b"HTTP/1.1 200" {
            held.push(stream);
        }
    }
    for _ in 0..20 {
        assert!(asks(address, "").await.starts_with("HTTP/1.1 429 "));
    }
    let lines = logged(folder.path(), |line| line["status"] == 429).await;
    assert_eq!(lines.len(), 1, "the others are counted: {lines:?}");
    drop(held);
    assert_eq!((&lines[0]["message"], &lines[0]["address"]), (&"refused".into(), &"127.0.0.1".into()));
    assert!(!lines[0]["request_id"].as_str().unwrap().is_empty());
    for status in [414, 431] {
        assert_eq!(logged(folder.path(), |line| line["status"] == status).await.len(), 1);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stranger_writes_little_log_whatever_is_asked() {
    let folder = TempDir::new().unwrap();
    let process = Process::start_with(folder.path(), &[("MORPION_LOG__LEVEL", "debug")]);
    let address = process.address;
    // Each byte of it would be two in JSON.
    let hostile = "\"".repeat(4_000);
    for method in ["GET", "POST"] {
        let request = format!(
            "{method} /api/auth/{hostile} HTTP/1.1\r\nhost: {address}\r\norigin: http://{address}\r\n\
             authorization: Bearer {hostile}\r\nconnection: close\r\n\r\n"
        );
        asks(address, &request).await;
    }
    for method in ["GET", "POST"] {
        let is_answer = |line: &Value| line["span"]["method"] == method && line["message"] == "answered";
        logged(folder.path(), is_answer).await;
        let lines: Vec<_> = log_of(folder.path()).into_iter().filter(|line| line["span"]["method"] == method).collect();
        let size: usize = lines.iter().map(|line| line.to_string().len() + 1).sum();
        assert!((1..=1_024).contains(&size), "{size} bytes: {lines:?}");
        let path = lines.last().unwrap()["span"]["path"].as_str().unwrap();
        assert!(path.ends_with('…') && path.len() <= 256 + '…'.len_utf8(), "{path}");
    }
    // A scan is one line, and later one with its number.
    for number in 0..200 {
        let request = format!("GET /api/backup-{number}.zip HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n");
        assert!(asks(address, &request).await.starts_with("HTTP/1.1 404 "));
    }
    sleep(Duration::from_secs(1)).await;
    let listed = log_of(folder.path()).iter().filter(|line| line["status"] == 404).count();
    assert!(listed <= 1, "{listed} lines of 200 answers with 404");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unlisted_proxy_is_warned_of_once_with_the_setting() {
    let folder = TempDir::new().unwrap();
    let process = Process::start_with(folder.path(), &[("MORPION_LOG__LEVEL", "info")]);
    let address = process.address;
    for number in 0..20 {
        let request = format!(
            "GET /api/auth/check-login HTTP/1.1\r\nhost: {address}\r\nx-forwarded-for: 192.0.2.{number}\r\n\
             connection: close\r\n\r\n"
        );
        assert!(asks(address, &request).await.starts_with("HTTP/1.1 200 "));
    }
    let lines = logged(folder.path(), |line| line["message"].to_string().contains("server.trusted_proxies")).await;
    assert_eq!(lines.len(), 1, "{lines:?}");
    assert_eq!((&lines[0]["level"], &lines[0]["peer"]), (&"WARN".into(), &"127.0.0.1".into()));
    assert!(lines[0]["message"].to_string().contains("share the limits of its one address"), "{lines:?}");
}
