//! Encryption at rest: nothing of an encrypted database can be read without its key, and nothing is changed by whoever
//! comes with another one.

mod common;

use std::path::Path;

use bytes::Bytes;
use common::{account, contents, stored_game};
use morpion_store::{
    DataKey, DatabaseUrl, DumpReader, DumpWriter, EndedGames, GameRow, OpenOptions, Store, StoreError, is_encrypted,
};
use tempfile::TempDir;
use uuid::Uuid;

/// In a name and in an email.
const NEEDLE: &str = "Needle_in_a_haystk";

const GAMES: u128 = 40;

fn key(byte: &str) -> DataKey {
    byte.repeat(32).parse().unwrap()
}

async fn open(folder: &Path, key: Option<DataKey>) -> Result<Store, StoreError> {
    let options = OpenOptions { key, ..OpenOptions::default() };
    Store::open(&DatabaseUrl::Folder(folder.join("db")), options).await
}

fn game(number: u128) -> GameRow {
    stored_game(number, Bytes::from(format!("{NEEDLE} {number} ").repeat(500)))
}

/// The files that somebody finds the name in.
fn readable(folder: &Path) -> Vec<String> {
    let needle = NEEDLE.as_bytes();
    let has_it = |bytes: &[u8]| bytes.windows(needle.len()).any(|part| part.eq_ignore_ascii_case(needle));
    let files = contents(folder).into_iter().filter(|(_, bytes)| has_it(bytes));
    files.map(|(path, _)| path.display().to_string()).collect()
}

/// A folder with some data in tables and some in the log, as after a kill; the server's own folder is closed.
async fn killed(key: Option<DataKey>) -> TempDir {
    let (living, killed) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let store = open(living.path(), key.clone()).await.unwrap();
    store.create_user(account(NEEDLE)).await.unwrap();
    store.upsert_games(&(0..GAMES / 2).map(game).collect::<Vec<_>>(), EndedGames::default()).await.unwrap();
    store.checkpoint(living.path().join("checkpoint")).await.unwrap();
    for number in GAMES / 2..GAMES {
        store.upsert_games(&[game(number)], EndedGames::default()).await.unwrap();
    }
    morpion_engine::copy(&living.path().join("db"), &killed.path().join("db")).unwrap();
    morpion_engine::copy(&living.path().join("checkpoint"), &killed.path().join("checkpoint")).unwrap();
    store.close().await.unwrap();
    killed
}

/// Reads everything.
async fn read(store: &Store) -> Result<(), StoreError> {
    assert_eq!(store.list_users(None, 10).await?.len(), 1);
    assert!(store.user_by_username(NEEDLE).await?.is_some());
    for number in 0..GAMES {
        assert_eq!(store.game(Uuid::from_u128(number)).await?, Some(game(number)));
    }
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_can_be_read_in_any_file_of_an_encrypted_database() {
    let plain = killed(None).await;
    let found = readable(plain.path());
    for part in ["/db/wal/", "/db/sstables/", "/checkpoint/sstables/"] {
        assert!(found.iter().any(|path| path.contains(part)), "the search works in {part}: {found:?}");
    }

    let key = key("5e");
    let folder = killed(Some(key.clone())).await;
    assert_eq!(readable(folder.path()), Vec::<String>::new());
    assert!(is_encrypted(&folder.path().join("db")) && !is_encrypted(&plain.path().join("db")));
    // After a recovery, a close and a checkpoint too.
    for _ in 0..2 {
        let store = open(folder.path(), Some(key.clone())).await.unwrap();
        assert!(store.health().discarded.is_nothing());
        read(&store).await.unwrap();
        store.upsert_games(&[game(0)], EndedGames::default()).await.unwrap();
        store.checkpoint(folder.path().join(Uuid::new_v4().to_string())).await.unwrap();
        store.close().await.unwrap();
        assert_eq!(readable(folder.path()), Vec::<String>::new());
    }
    // A checkpoint is an encrypted database, too.
    std::fs::rename(folder.path().join("checkpoint"), folder.path().join("restored")).unwrap();
    let restored = DatabaseUrl::Folder(folder.path().join("restored"));
    assert_eq!(Store::check_key(&restored, None), Err(StoreError::KeyNeeded));
    let store = Store::open(&restored, OpenOptions { key: Some(key), ..OpenOptions::default() }).await.unwrap();
    assert_eq!(store.game(Uuid::from_u128(0)).await.unwrap(), Some(game(0)));
    store.close().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn another_key_or_none_is_refused_and_changes_nothing() {
    let (plain, encrypted) = (killed(None).await, killed(Some(key("5e"))).await);
    for (folder, key, expected) in [
        (&plain, Some(key("5e")), StoreError::NotEncrypted),
        (&encrypted, None, StoreError::KeyNeeded),
        (&encrypted, Some(key("5f")), StoreError::WrongKey),
    ] {
        let (database, before) = (folder.path().join("db"), contents(folder.path()));
        let text = expected.to_string();
        assert!(!text.contains('\n') && text.contains(';') && !text.contains("5e5e"), "{text}");
        let refused = Store::check_key(&DatabaseUrl::Folder(database.clone()), key.as_ref());
        assert_eq!(refused, Err(expected.clone()));
        assert_eq!(open(folder.path(), key.clone()).await.err(), Some(expected.clone()));
        assert_eq!(DumpReader::open(&database, key.clone()).await.err(), Some(expected.clone()));
        let scratch = TempDir::new().unwrap();
        assert_eq!(Store::open_copy(&database, scratch.path(), key.clone()).await.err(), Some(expected.clone()));
        let scratch = TempDir::new().unwrap();
        assert_eq!(Store::try_upgrade(&database, scratch.path(), key).await.err(), Some(expected));
        assert!(contents(folder.path()) == before, "nothing was changed");
    }
    let (scratch, other) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let database = encrypted.path().join("db");
    Store::open_copy(&database, scratch.path(), Some(key("5e"))).await.unwrap().close().await.unwrap();
    assert_eq!(Store::try_upgrade(&database, other.path(), Some(key("5e"))).await, Ok(vec![]));
    for (folder, key) in [(plain, None), (encrypted, Some(key("5e")))] {
        let store = open(folder.path(), key).await.unwrap();
        read(&store).await.unwrap();
        store.close().await.unwrap();
    }
}

/// Encryption is chosen when a folder is made: the way there and back is an export.
#[tokio::test(flavor = "multi_thread")]
async fn data_move_between_databases_with_and_without_encryption() {
    let folder = TempDir::new().unwrap();
    let first = killed(None).await;
    let (plain, encrypted, back) =
        (first.path().join("db"), folder.path().join("encrypted"), folder.path().join("back"));
    for (from, from_key, to, to_key) in
        [(&plain, None, &encrypted, Some(key("5e"))), (&encrypted, Some(key("5e")), &back, None)]
    {
        let mut reader = DumpReader::open(from, from_key).await.unwrap();
        let writer = DumpWriter::create(to, reader.migrations(), to_key.clone()).await.unwrap();
        loop {
            let records = reader.next().await.unwrap();
            let Some(first) = records.first() else { break };
            writer.insert(&first.table.clone(), records).await.unwrap();
        }
        reader.close().await.unwrap();
        writer.finish().await.unwrap();
        assert_eq!(is_encrypted(to), to_key.is_some());
        let options = OpenOptions { key: to_key, ..OpenOptions::default() };
        let store = Store::open(&DatabaseUrl::Folder(to.clone()), options).await.unwrap();
        read(&store).await.unwrap();
        store.close().await.unwrap();
    }
    assert_eq!(readable(&encrypted), Vec::<String>::new());
    assert_ne!(readable(&back), Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_flipped_bit_in_any_file_is_found() {
    let key = key("5e");
    let folder = killed(Some(key.clone())).await;
    let files = contents(&folder.path().join("db"));
    for part in ["manifest", "sstables", "wal"] {
        assert!(files.keys().any(|path| path.parent().unwrap().ends_with(part)), "{part}: {:?}", files.keys());
    }
    for (path, bytes) in files.iter().filter(|(_, bytes)| !bytes.is_empty()) {
        let damaged = TempDir::new().unwrap();
        morpion_engine::copy(&folder.path().join("db"), &damaged.path().join("db")).unwrap();
        let mut flipped = bytes.clone();
        flipped[bytes.len() / 2] ^= 1;
        std::fs::write(damaged.path().join("db").join(path.strip_prefix(folder.path().join("db")).unwrap()), flipped)
            .unwrap();
        let (place, key) = (damaged.path().to_owned(), key.clone());
        let read = tokio::spawn(async move {
            let store = open(&place, Some(key)).await?;
            let read = read(&store).await;
            store.close().await.ok();
            read
        });
        let read = read.await.expect("it is told, and no wrong data are read");
        let told = match path.parent().unwrap().file_name().unwrap().to_str().unwrap() {
            "sstables" => matches!(read, Err(StoreError::Corrupt(_))),
            _ => read.is_err(),
        };
        assert!(told, "{}: {read:?}", path.display());
    }
}
