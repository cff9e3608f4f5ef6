//! A real small file system is filled during play and freed again, then the process is killed; many times. Everything
//! acknowledged before, while and after the disk was full survives.

#![cfg(target_os = "linux")]

#[path = "support/small_disk.rs"]
mod small_disk;

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Lines, Write};
use std::path::Path;
use std::process::{Child, ChildStderr, Command, Stdio};
use std::time::Duration;

use bytes::{Buf, Bytes};
use morpion_store::{DatabaseUrl, Journal, JournalOptions, OpenOptions, Store};
use small_disk::{SmallDisk, may_mount};

const LIVES: u64 = 6;

/// Entries acknowledged before the disk is filled, and after it is freed.
const ACKNOWLEDGED: usize = 40;

/// More than the engine writes to its log at once, so that a full disk stores a part of a record.
const ENTRY_BYTES: usize = 20_000;

/// Each process numbers its entries from its own multiple of this.
const LIFE: u64 = 1_000_000;

async fn open(folder: &Path) -> Store {
    Store::open(&DatabaseUrl::Folder(folder.join("db")), OpenOptions::default()).await.unwrap()
}

fn say(text: &str) {
    std::io::stderr().write_all(format!("{text}\n").as_bytes()).unwrap();
}

/// Run and killed by the test below; by itself it does nothing.
#[tokio::test(flavor = "multi_thread")]
async fn process_on_a_small_disk() {
    let (Some(folder), Some(life)) = (std::env::var_os("MORPION_TEST_FOLDER"), std::env::var_os("MORPION_TEST_LIFE"))
    else {
        return;
    };
    let first = life.to_str().unwrap().parse::<u64>().unwrap() * LIFE;
    let store = open(Path::new(&folder)).await;
    let journal = Journal::start(store.clone(), JournalOptions::default(), |commit| {
        for number in commit.payloads {
            say(&format!("stored {number}"));
        }
    })
    .await
    .unwrap();
    let handle = journal.handle();
    let mut was_healthy = true;
    for number in first.. {
        let entry: Bytes = number.to_le_bytes().into_iter().chain([number as u8; ENTRY_BYTES]).collect();
        // The queue fills up while the disk is full; a refused entry is not acknowledged.
        handle.append(entry, number).ok();
        if handle.is_healthy() != was_healthy {
            was_healthy = !was_healthy;
            say(if was_healthy { "writes" } else { "full" });
        }
        tokio::time::sleep(Duration::from_millis(3)).await;
    }
}

/// Killed when this is dropped.
struct Mortal(Child);

impl Drop for Mortal {
    fn drop(&mut self) {
        self.0.kill().ok();
        self.0.wait().ok();
    }
}

struct Process {
    child: Mortal,
    lines: Lines<BufReader<ChildStderr>>,
    acknowledged: BTreeSet<u64>,
}

impl Process {
    fn start(folder: &Path, life: u64) -> Self {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["process_on_a_small_disk", "--exact", "--nocapture"])
            .env("MORPION_TEST_FOLDER", folder)
            .env("MORPION_TEST_LIFE", life.to_string())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stderr.take().unwrap()).lines();
        Self { child: Mortal(child), lines, acknowledged: BTreeSet::new() }
    }

    /// Reads until this many more entries were acknowledged.
    fn acknowledge(&mut self, entries: usize) {
        let until = self.acknowledged.len() + entries;
        while self.acknowledged.len() < until {
            let line = self.lines.next().expect("the process ended by itself").unwrap();
            self.acknowledged.extend(line.strip_prefix("stored ").map(|number| number.parse::<u64>().unwrap()));
        }
    }

    fn wait_for(&mut self, word: &str) {
        loop {
            let line = self.lines.next().expect("the process ended by itself").unwrap();
            self.acknowledged.extend(line.strip_prefix("stored ").map(|number| number.parse::<u64>().unwrap()));
            if line == word {
                return;
            }
        }
    }

    /// Everything acknowledged, including what was not read yet.
    fn kill(mut self) -> BTreeSet<u64> {
        drop(self.child);
        for line in self.lines.map(Result::unwrap) {
            self.acknowledged.extend(line.strip_prefix("stored ").and_then(|number| number.parse::<u64>().ok()));
        }
        self.acknowledged
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn acknowledged_writes_around_a_full_disk_survive_a_kill() {
    if !may_mount("acknowledged_writes_around_a_full_disk_survive_a_kill") {
        return;
    }
    let disk = SmallDisk::mount();
    let mut acknowledged = BTreeSet::new();
    for life in 1..=LIVES {
        let mut process = Process::start(disk.path(), life);
        process.acknowledge(ACKNOWLEDGED);
        // Twice, so that a reopened log is filled too.
        for _ in 0..2 {
            let filler = disk.fill();
            process.wait_for("full");
            std::thread::sleep(Duration::from_millis(50 * life));
            std::fs::remove_file(filler).unwrap();
            process.wait_for("writes");
            process.acknowledge(ACKNOWLEDGED);
        }
        acknowledged.append(&mut process.kill());
    }
    let store = open(disk.path()).await;
    let mut replay = store.replay_journal(0);
    let mut found = BTreeSet::new();
    while let Some(record) = replay.next().await.unwrap() {
        for mut entry in record.entries {
            let number = entry.get_u64_le();
            assert!(entry.iter().all(|byte| *byte == number as u8) && entry.len() == ENTRY_BYTES);
            found.insert(number);
        }
    }
    let lost: Vec<_> = acknowledged.difference(&found).collect();
    assert!(
        lost.is_empty(),
        "{} of {} acknowledged entries are gone, {:?}…",
        lost.len(),
        acknowledged.len(),
        &lost[..lost.len().min(9)]
    );
    store.close().await.unwrap();
}
