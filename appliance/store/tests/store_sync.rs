//! A killed process leaves its page cache to the kernel, so a crash test cannot see a missing sync. The system calls
//! can: between the write that holds a move and the publishing of that move there must be an fsync of that file.

mod common;

use std::io::Write;
use std::path::Path;
use std::process::Command;
use std::sync::mpsc;

use common::on_disk;
use morpion_store::{Journal, JournalOptions};

const MOVES: u32 = 20;

/// Run by the test below under `strace`; by itself it does nothing.
#[tokio::test(flavor = "multi_thread")]
async fn traced_process() {
    if std::env::var_os("MORPION_TEST_TRACED").is_none() {
        return;
    }
    let (_folder, store) = on_disk().await;
    let (told, published) = mpsc::channel();
    let journal = Journal::start(store.clone(), JournalOptions::default(), move |commit| {
        for number in commit.payloads {
            std::io::stderr().write_all(format!("published-{number:04}\n").as_bytes()).unwrap();
            told.send(number).unwrap();
        }
    })
    .await
    .unwrap();
    for number in 0..MOVES {
        journal.handle().append(format!("entry-{number:04}").into_bytes(), number).unwrap();
        tokio::task::block_in_place(|| assert_eq!(published.recv(), Ok(number)));
    }
    journal.drain().await;
    store.close().await.unwrap();
}

#[test]
fn the_sync_comes_before_the_publishing() {
    let folder = tempfile::TempDir::new().unwrap();
    let trace = folder.path().join("trace");
    let traced = Command::new("strace")
        .args(["-f", "-y", "-s", "65536", "-e", "trace=write,pwrite64,writev,fsync,fdatasync", "-o"])
        .arg(&trace)
        .arg(std::env::current_exe().unwrap())
        .args(["traced_process", "--exact", "--nocapture"])
        .env("MORPION_TEST_TRACED", "1")
        .output();
    match traced {
        Ok(output) if output.status.success() => check(&trace),
        // Not installed, or the container forbids it. The held-back writer in `store_journal.rs` still proves that
        // publishing waits for the store; only that the store waits for the disk is then taken on trust.
        other => eprintln!("no system call trace on this machine: {other:?}"),
    }
}

/// The file that `-y` puts behind the number of a descriptor.
fn file(line: &str) -> Option<&str> {
    line.split_once('<')?.1.split_once('>').map(|(file, _)| file)
}

fn check(trace: &Path) {
    let text = String::from_utf8_lossy(&std::fs::read(trace).unwrap()).into_owned();
    let lines: Vec<&str> = text.lines().collect();
    let position = |marker: String| lines.iter().position(|line| line.contains(&marker)).expect(&marker);
    for number in 0..MOVES {
        let written = position(format!("entry-{number:04}"));
        let published = position(format!("published-{number:04}"));
        let log = file(lines[written]).expect("the file written to");
        assert!(log.contains("/wal/"), "{log}");
        let synced = lines[written..published]
            .iter()
            .any(|line| (line.contains("fsync(") || line.contains("fdatasync(")) && file(line) == Some(log));
        assert!(synced, "move {number} was published before it was on disk: {:#?}", &lines[written..=published]);
    }
}
