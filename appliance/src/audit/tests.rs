//! Exports to a file, and to syslog servers that listen here.

use std::{path::Path, time::Duration};

use chrono::{DateTime, Utc};
use morpion_store::{AuditEntry, AuditRecord, DatabaseUrl, OpenOptions, Store};
use serde_json::{Value, json};
use syslog_rfc5424::{SyslogFacility, SyslogMessage, parse_message};
use tokio::{
    io::AsyncReadExt,
    net::{TcpListener, UdpSocket, UnixDatagram},
    time::timeout,
};
use uuid::Uuid;

#[path = "../../tests/servers/free_address.rs"]
mod free_address;

use self::free_address::free_address;
use super::{json_line, run_export};
use crate::config::ExportTarget;

/// What a stranger could have brought into an entry.
const HOSTILE: &str = "a\n<34>1 - forged\r\0\u{1b}]52;c;x\u{7}\u{202e}";

const PATIENCE: Duration = Duration::from_secs(20);

async fn memory() -> Store {
    Store::open(&DatabaseUrl::Memory, OpenOptions::default()).await.unwrap()
}

async fn record(store: &Store, number: usize) {
    let entry = AuditEntry {
        actor: "ada".to_owned(),
        action: "announce".to_owned(),
        target: number.to_string(),
        address: "127.0.0.1".to_owned(),
        at: DateTime::<Utc>::UNIX_EPOCH,
        detail: json!({ "message": HOSTILE }),
        by: None,
    };
    store.append_audit(entry).await.unwrap();
}

fn start(store: &Store, target: &str) -> tokio::task::JoinHandle<()> {
    let target: ExportTarget = target.parse().unwrap();
    tokio::spawn(run_export(store.clone(), vec![target]))
}

/// Waits until a file has this many lines, and returns their sequence numbers.
async fn sequences(path: &Path, lines: usize) -> Vec<u64> {
    let read = async {
        loop {
            let text = std::fs::read_to_string(path).unwrap_or_default();
            if text.lines().count() >= lines && text.ends_with('\n') {
                return text;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    let text = timeout(PATIENCE, read).await.unwrap();
    text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok()?["sequence"].as_u64()).collect()
}

fn check(message: &str, sequence: u64) {
    let SyslogMessage { facility, appname, msgid, msg, timestamp, .. } = parse_message(message).unwrap();
    assert_eq!(facility, SyslogFacility::LOG_AUTHPRIV);
    assert_eq!((appname.as_deref(), msgid.as_deref(), timestamp), (Some("morpion"), Some("audit"), Some(0)));
    let entry: Value = serde_json::from_str(&msg).unwrap();
    assert_eq!((&entry["sequence"], &entry["detail"]["message"]), (&json!(sequence), &json!(HOSTILE)));
    assert!(!message.chars().any(char::is_control), "{message:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_gets_every_entry_once_also_after_a_restart_and_a_rotation() {
    let (store, folder) = (memory().await, tempfile::tempdir().unwrap());
    let path = folder.path().join("audit.jsonl");
    for number in 1..=3 {
        record(&store, number).await;
    }
    let export = start(&store, path.to_str().unwrap());
    assert_eq!(sequences(&path, 3).await, [1, 2, 3], "what was there before");
    record(&store, 4).await;
    assert_eq!(sequences(&path, 4).await, [1, 2, 3, 4]);
    timeout(PATIENCE, async {
        while store.audit_exported(path.to_str().unwrap()).await.unwrap() < 4 {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    })
    .await
    .unwrap();
    export.abort();
    record(&store, 5).await;

    let _export = start(&store, path.to_str().unwrap());
    assert_eq!(sequences(&path, 5).await, [1, 2, 3, 4, 5], "nothing is lost or written twice");
    std::fs::rename(&path, folder.path().join("audit.1")).unwrap();
    record(&store, 6).await;
    assert_eq!(sequences(&path, 1).await, [6]);
}

#[tokio::test(flavor = "multi_thread")]
async fn half_a_line_that_a_crash_left_does_not_swallow_the_next() {
    let (store, folder) = (memory().await, tempfile::tempdir().unwrap());
    let path = folder.path().join("audit.jsonl");
    std::fs::write(&path, "{\"sequence\":0,\"id").unwrap();
    record(&store, 1).await;
    let _export = start(&store, path.to_str().unwrap());
    assert_eq!(sequences(&path, 2).await, [1]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_cannot_be_written_gets_everything_later() {
    let (store, folder) = (memory().await, tempfile::tempdir().unwrap());
    let path = folder.path().join("not yet/audit.jsonl");
    record(&store, 1).await;
    let _export = start(&store, path.to_str().unwrap());
    record(&store, 2).await;
    tokio::time::sleep(Duration::from_millis(200)).await;
    assert_eq!(store.audit_exported(path.to_str().unwrap()).await.unwrap(), 0);
    std::fs::create_dir(folder.path().join("not yet")).unwrap();
    assert_eq!(sequences(&path, 2).await, [1, 2]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_syslog_server_gets_entries_by_udp() {
    let store = memory().await;
    let server = UdpSocket::bind("127.0.0.1:0").await.unwrap();
    let _export = start(&store, &format!("syslog://{}", server.local_addr().unwrap()));
    let mut buffer = vec![0; 65_536];
    for sequence in 1..=2 {
        record(&store, 1).await;
        let length = timeout(PATIENCE, server.recv(&mut buffer)).await.unwrap().unwrap();
        check(std::str::from_utf8(&buffer[..length]).unwrap(), sequence);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_syslog_server_that_is_down_gets_entries_by_tcp_when_it_is_back() {
    let store = memory().await;
    let address = free_address();
    record(&store, 1).await;
    let _export = start(&store, &format!("syslog+tcp://{address}"));
    record(&store, 2).await;
    tokio::time::sleep(Duration::from_millis(200)).await;

    let server = TcpListener::bind(address).await.unwrap();
    let (mut connection, _) = timeout(PATIENCE, server.accept()).await.unwrap().unwrap();
    let mut text = String::new();
    timeout(PATIENCE, connection.read_to_string(&mut text)).await.unwrap().unwrap();
    drop(connection);
    let mut rest = text.as_str();
    for sequence in 1..=2 {
        let (length, behind) = rest.split_once(' ').unwrap();
        let (message, next) = behind.split_at(length.parse().unwrap());
        check(message, sequence);
        rest = next;
    }
    assert_eq!(rest, "");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_socket_of_this_machine_gets_entries() {
    let (store, folder) = (memory().await, tempfile::tempdir().unwrap());
    let path = folder.path().join("log");
    let server = UnixDatagram::bind(&path).unwrap();
    let _export = start(&store, &format!("unix:{}", path.display()));
    record(&store, 1).await;
    let mut buffer = vec![0; 65_536];
    let length = timeout(PATIENCE, server.recv(&mut buffer)).await.unwrap().unwrap();
    check(std::str::from_utf8(&buffer[..length]).unwrap(), 1);
}

#[test]
fn a_line_is_ascii_and_reads_as_what_was_recorded() {
    let hostile = "a\n\r\0\u{1b}]52;c;x\u{7}\u{7f}\u{9b}\u{202e}\u{2028}é🎲\"\\";
    let record = AuditRecord {
        id: Uuid::nil(),
        seq: 7,
        previous_hash: "00".to_owned(),
        hash: "ff".to_owned(),
        entry: AuditEntry {
            actor: hostile.to_owned(),
            action: "announce".to_owned(),
            target: "x".to_owned(),
            address: "::1".to_owned(),
            at: DateTime::<Utc>::UNIX_EPOCH,
            detail: json!({ "message": hostile }),
            by: None,
        },
    };
    let line = json_line(&record);
    assert!(line.bytes().all(|byte| (b' '..=b'~').contains(&byte)), "{line}");
    let read: Value = serde_json::from_str(&line).unwrap();
    assert_eq!((&read["actor"], &read["detail"]["message"]), (&json!(hostile), &json!(hostile)));
    assert_eq!((&read["sequence"], &read["at"]), (&json!(7), &json!("1970-01-01T00:00:00.000000000Z")));
}
