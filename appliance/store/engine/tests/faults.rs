//! A disk that fails at every single write and sync in turn, and a process that is killed afterwards: everything
//! acknowledged survives. `faulty_disk.c`, compiled here and preloaded, injects the faults.

#![cfg(target_os = "linux")]

mod common;

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use common::open_with;
use morpion_engine::Options;
use surrealdb_kvs::{Key, KeyRange, TransactionType};
use tempfile::TempDir;

/// Records per process: with [`VALUE_BYTES`] about seven tables, so that flushes and compactions happen too.
const RECORDS: u32 = 20;

const VALUE_BYTES: usize = 20_000;

const TABLE_BYTES: usize = 64 << 10;

/// Processes at a time.
const LANES: usize = 4;

fn options(folder: &Path, encrypted: bool) -> Options {
    let key = encrypted.then(|| common::key(1));
    Options { memtable_bytes: TABLE_BYTES, key, ..common::options(&folder.join("db")) }
}

fn value(number: u32) -> Vec<u8> {
    (0..VALUE_BYTES).map(|at| (at as u32).wrapping_mul(number + 1) as u8).collect()
}

fn say(text: &str) {
    std::io::stderr().write_all(format!("{text}\n").as_bytes()).unwrap();
}

/// Run by the tests below on a faulty disk; by itself it does nothing. It stores records one by one, each repeated
/// until it is acknowledged.
#[tokio::test(flavor = "multi_thread")]
async fn process_on_a_faulty_disk() {
    let Some(folder) = std::env::var_os("FAULT_FOLDER") else {
        return;
    };
    let database = match open_with(options(Path::new(&folder), std::env::var_os("FAULT_ENCRYPTED").is_some())).await {
        Ok(database) => database,
        Err(error) => return say(&format!("refused {error}")),
    };
    if std::env::var_os("FAULT_IN_MIGRATION").is_some() {
        return database.engine.close().await;
    }
    for number in 0..RECORDS {
        let key = number.to_be_bytes();
        while let Err(error) = database.put(&key, &value(number)).await {
            say(&format!("failed {number} {error}"));
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        say(&format!("stored {number}"));
        if number % 7 == 0 {
            assert_eq!(database.get(&key).await.unwrap(), Some(value(number)));
        }
    }
    say(&format!("reopened {}", database.engine.health().reopened));
    say("end");
    // The parent kills it here.
    std::thread::sleep(Duration::from_secs(60));
}

#[derive(Debug, Default)]
struct Life {
    /// The call that failed, if the process reached it.
    fault: Option<String>,
    stored: BTreeSet<u32>,
    failed: usize,
    reopened: u64,
    refused: Option<String>,
    ended: bool,
    /// Bytes that were never written: from, to, the inode and the path of the file.
    unsynced: Vec<(u64, u64, u64, PathBuf)>,
    text: String,
}

fn process(library: &Path, folder: &Path, kind: &str, at: usize) -> Command {
    let mut process = Command::new(std::env::current_exe().unwrap());
    process
        .args(["process_on_a_faulty_disk", "--exact", "--nocapture"])
        .env("LD_PRELOAD", library)
        .env("FAULT_FOLDER", folder)
        .env("FAULT_KIND", kind)
        .env("FAULT_AT", at.to_string())
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    process
}

fn live(library: &Path, folder: &Path, kind: &str, at: usize, encrypted: bool) -> Life {
    let mut process = process(library, folder, kind, at);
    if encrypted {
        process.env("FAULT_ENCRYPTED", "");
    }
    let mut process = process.spawn().unwrap();
    let mut life = Life::default();
    for line in BufReader::new(process.stderr.take().unwrap()).lines().map(Result::unwrap) {
        let (word, rest) = line.split_once(' ').unwrap_or((&line, ""));
        match word {
            "fault" => life.fault = Some(rest.to_owned()),
            "stored" => _ = life.stored.insert(rest.parse().unwrap()),
            "failed" => life.failed += 1,
            "reopened" => life.reopened = rest.parse().unwrap(),
            "refused" => life.refused = Some(rest.to_owned()),
            "unsynced" => {
                let mut parts = rest.splitn(4, ' ');
                let mut number = || parts.next().unwrap().parse().unwrap();
                let (from, to, inode) = (number(), number(), number());
                life.unsynced.push((from, to, inode, parts.next().unwrap().into()));
            }
            "end" => life.ended = true,
            _ => {}
        }
        life.text += &format!("{line}\n");
        if life.ended {
            break;
        }
    }
    process.kill().unwrap();
    process.wait().unwrap();
    life
}

/// After a failed sync the kernel may have dropped what it could not write without reporting it again. Only the
/// log is simulated: it is append-only, while other files are rewritten under the same name.
fn take_away(life: &Life) {
    for (from, to, inode, path) in
        life.unsynced.iter().filter(|(_, _, _, path)| path.extension().is_some_and(|is| is == "wal"))
    {
        if let Ok(file) = File::options().write(true).open(path)
            && file.metadata().is_ok_and(|file| file.ino() == *inode && file.len() >= *to)
        {
            file.write_all_at(&vec![0; (to - from) as usize], *from).unwrap();
        }
    }
}

fn compiled_library(folder: &Path) -> PathBuf {
    let library = folder.join("faulty_disk.so");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/faulty_disk.c");
    let compiled =
        Command::new("cc").args(["-shared", "-fPIC", "-O1", "-o"]).arg(&library).arg(source).arg("-ldl").output();
    let compiled = compiled.expect("a C compiler, which Rust needs too");
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    library
}

/// Runs a process with the fault, then one on a working disk; returns false if the call did not occur.
fn case(library: &Path, kind: &str, at: usize, encrypted: bool) -> bool {
    let folder = TempDir::new().unwrap();
    let life = live(library, folder.path(), kind, at, encrypted);
    let Some(fault) = &life.fault else {
        assert!(life.ended && life.failed == 0 && life.reopened == 0, "without a fault: {}", life.text);
        return false;
    };
    if life.refused.is_none() && kind != "kill" {
        assert!(life.ended, "after {kind} at {fault} it goes on: {}", life.text);
        assert_eq!(life.stored.len(), RECORDS as usize);
        assert_eq!(life.failed > 0, life.reopened > 0, "after {kind} at {fault}: {}", life.text);
    }
    take_away(&life);
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(async {
        let opened = open_with(options(folder.path(), encrypted)).await;
        let database = opened.unwrap_or_else(|error| panic!("after {kind} at {fault}: {error}\n{}", life.text));
        for &number in &life.stored {
            let found = database.get(&number.to_be_bytes()).await.unwrap();
            assert!(found == Some(value(number)), "{number} is lost after {kind} at {fault}: {}", life.text);
        }
        database.put(b"after", b"it").await.unwrap();
        database.engine.close().await;
    });
    true
}

fn every_call(kind: &str, encrypted: bool) {
    let folder = TempDir::new().unwrap();
    let library = compiled_library(folder.path());
    let (next, faults) = (AtomicUsize::new(1), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        for _ in 0..LANES {
            scope.spawn(|| {
                while case(&library, kind, next.fetch_add(1, Ordering::Relaxed), encrypted) {
                    faults.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
    });
    let faults = faults.into_inner();
    eprintln!("{kind}: {faults} faults");
    assert!(faults > 2 * RECORDS as usize, "every record is a write and a sync at least: {faults}");
}

#[test]
fn nothing_acknowledged_is_lost_when_the_disk_is_full_for_one_call() {
    every_call("ENOSPC", false);
}

#[test]
fn nothing_acknowledged_is_lost_when_one_call_fails() {
    every_call("EIO", false);
}

#[test]
fn nothing_acknowledged_is_lost_when_a_write_is_cut_short() {
    every_call("short", false);
}

#[test]
fn nothing_acknowledged_is_lost_when_the_process_is_killed_before_any_call() {
    every_call("kill", false);
}

#[test]
fn nothing_acknowledged_is_lost_of_an_encrypted_database() {
    for kind in ["ENOSPC", "EIO", "short", "kill"] {
        every_call(kind, true);
    }
}

/// Data of the previous engine; see `store_migrated.rs`.
fn old_data(folder: &Path) {
    let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data/surrealkv-0.21/db");
    morpion_engine::copy(&fixture, &folder.join("db")).unwrap();
}

/// Everything that is stored.
async fn everything(folder: &Path) -> Vec<(Vec<u8>, Vec<u8>)> {
    let database = open_with(options(folder, false)).await.unwrap();
    let reader = database.begin(TransactionType::Read).await.unwrap();
    let all = KeyRange { start: Key::from(vec![0]), end: Key::from(vec![0xff; 4]) };
    let entries = reader.getr(all, None).await.unwrap().values;
    database.engine.close().await;
    entries
}

#[tokio::test(flavor = "multi_thread")]
async fn a_migration_interrupted_anywhere_is_continued() {
    let folder = TempDir::new().unwrap();
    let library = compiled_library(folder.path());
    old_data(folder.path());
    let expected = everything(folder.path()).await;
    assert!(expected.len() > 100, "{}", expected.len());
    for kind in ["kill", "ENOSPC", "short"] {
        for at in 1.. {
            let folder = TempDir::new().unwrap();
            old_data(folder.path());
            let life = process(&library, folder.path(), kind, at).env("FAULT_IN_MIGRATION", "1").output().unwrap();
            let text = String::from_utf8_lossy(&life.stderr);
            assert!(everything(folder.path()).await == expected, "{kind} {text}");
            if !text.contains("fault ") {
                assert!(at > 10, "a migration writes more than {at} times");
                break;
            }
        }
    }
}
