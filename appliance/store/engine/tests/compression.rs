//! Tables are compressed, and those that are not, of earlier versions, are read.

mod common;

use std::path::Path;

use common::{Database, key, open, open_with, options};
use morpion_engine::Options;
use surrealkv::TreeBuilder;
use tempfile::TempDir;

const RECORDS: u32 = 200;

/// About a kibibyte that says the same again and again.
fn value(number: u32) -> Vec<u8> {
    format!("record {number} of {RECORDS}, ").repeat(50).into_bytes()
}

fn written() -> u64 {
    (0..RECORDS).map(|number| value(number).len() as u64).sum()
}

/// The bytes of all tables.
fn tables(folder: &Path) -> u64 {
    let tables = std::fs::read_dir(folder.join("sstables")).unwrap();
    tables.map(|table| table.unwrap().metadata().unwrap().len()).sum()
}

async fn check(database: &Database) {
    for number in 0..RECORDS {
        assert_eq!(database.get(&number.to_be_bytes()).await.unwrap(), Some(value(number)));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn tables_are_smaller_than_what_is_in_them() {
    for key in [None, Some(key(1))] {
        let folder = TempDir::new().unwrap();
        let open = || open_with(Options { key: key.clone(), ..options(folder.path()) });
        let database = open().await.unwrap();
        for number in 0..RECORDS {
            database.put(&number.to_be_bytes(), &value(number)).await.unwrap();
        }
        database.engine.close().await;
        let stored = tables(folder.path());
        assert!(stored > 0 && stored * 3 < written(), "{} bytes are {stored}", written());
        let database = open().await.unwrap();
        check(&database).await;
        database.engine.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn tables_that_are_not_compressed_are_read() {
    let folder = TempDir::new().unwrap();
    let settings = surrealkv::Options::new().with_path(folder.path().to_owned());
    let tree = TreeBuilder::with_options(settings).build().unwrap();
    for number in 0..RECORDS {
        let mut changes = tree.begin().unwrap();
        changes.set(&number.to_be_bytes()[..], &value(number)[..]).unwrap();
        changes.commit().await.unwrap();
    }
    tree.close().await.unwrap();
    assert!(tables(folder.path()) > written());

    for _ in 0..2 {
        let database = open(folder.path()).await.unwrap();
        check(&database).await;
        database.put(b"more", b"in a table of its own").await.unwrap();
        database.engine.close().await;
    }
}
