//! Acknowledged writes survive a SIGKILL, however much was written before: the storage engine rotates to a new
//! log every 16 MiB, and writes in progress at that moment belong to the new one.

mod common;

use std::collections::HashSet;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use bytes::Bytes;
use common::stored_game;
use morpion_store::{DatabaseUrl, EndedGames, GameRow, OpenOptions, Store};
use uuid::Uuid;

const WRITERS: u64 = 4;

/// Acknowledged writes before each kill, with [`ROW_BYTES`] some seven logs.
const ACKNOWLEDGED: usize = 250;

const ROW_BYTES: usize = 450_000;

const KILLS: u64 = 3;

/// Each process numbers its entries from its own multiple of this.
const LIFE: u64 = 1_000_000;

async fn open(folder: &Path, encrypted: bool) -> Store {
    let key = encrypted.then(|| "5e".repeat(32).parse().unwrap());
    let options = OpenOptions { key, ..OpenOptions::default() };
    Store::open(&DatabaseUrl::Folder(folder.join("db")), options).await.unwrap()
}

fn game(number: u64) -> GameRow {
    stored_game(number.into(), Bytes::from(vec![number as u8; ROW_BYTES]))
}

/// Run and killed by the test below; by itself it does nothing.
#[tokio::test(flavor = "multi_thread")]
async fn process_to_be_killed() {
    let (Some(folder), Some(life)) = (std::env::var_os("MORPION_TEST_FOLDER"), std::env::var_os("MORPION_TEST_LIFE"))
    else {
        return;
    };
    let first = life.to_str().unwrap().parse::<u64>().unwrap() * LIFE;
    let store = open(Path::new(&folder), std::env::var_os("MORPION_TEST_ENCRYPTED").is_some()).await;
    let writers = (0..WRITERS).map(|writer| {
        let store = store.clone();
        tokio::spawn(async move {
            for number in (first + writer..).step_by(WRITERS as usize) {
                store.upsert_games(&[game(number)], EndedGames::default()).await.unwrap();
                std::io::stderr().write_all(format!("stored {number}\n").as_bytes()).unwrap();
            }
        })
    });
    for writer in writers.collect::<Vec<_>>() {
        writer.await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_that_was_acknowledged_is_lost() {
    kill(false).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_that_was_acknowledged_is_lost_of_an_encrypted_database() {
    kill(true).await;
}

async fn kill(encrypted: bool) {
    let folder = tempfile::TempDir::new().unwrap();
    let mut acknowledged = HashSet::new();
    for life in 1..=KILLS {
        let mut command = Command::new(std::env::current_exe().unwrap());
        if encrypted {
            command.env("MORPION_TEST_ENCRYPTED", "");
        }
        let mut process = command
            .args(["process_to_be_killed", "--exact", "--nocapture"])
            .env("MORPION_TEST_FOLDER", folder.path())
            .env("MORPION_TEST_LIFE", life.to_string())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(process.stderr.take().unwrap()).lines().map(Result::unwrap);
        let numbers =
            lines.filter_map(|line| line.strip_prefix("stored ").map(|number| number.parse::<u64>().unwrap()));
        acknowledged.extend(numbers.take(ACKNOWLEDGED));
        process.kill().unwrap();
        process.wait().unwrap();
        assert_eq!(acknowledged.len(), ACKNOWLEDGED * life as usize, "the process kept writing");
    }
    let store = open(folder.path(), encrypted).await;
    let mut lost = vec![];
    for number in &acknowledged {
        if store.game(Uuid::from_u128((*number).into())).await.unwrap().is_none() {
            lost.push(number);
        }
    }
    lost.sort_unstable();
    assert!(lost.is_empty(), "{} of {} games are gone: {lost:?}", lost.len(), acknowledged.len());
    store.close().await.unwrap();
}
