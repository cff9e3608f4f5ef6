//! Shared by the store's tests.
#![allow(dead_code, reason = "every test binary uses a part of this")]

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use bytes::Bytes;
use chrono::{DateTime, TimeDelta, Utc};
use morpion_store::{
    ActsBy, AuditEntry, Credentials, DatabaseUrl, GameRow, GameStatus, NewPersonalToken, NewSession, NewUser,
    OpenOptions, Session, Store,
};
use surrealdb::Surreal;
use surrealdb::engine::local::Db;
use surrealdb::types::Value;
use surrealdb_engine_local::Datastore;
use uuid::Uuid;

pub const DAY: i64 = 86_400;

/// A time this many seconds after the tests' epoch.
pub fn at(seconds: i64) -> DateTime<Utc> {
    DateTime::from_timestamp(1_800_000_000, 0).unwrap() + TimeDelta::seconds(seconds)
}

pub fn account(username: &str) -> NewUser {
    NewUser {
        id: Uuid::new_v4(),
        username: username.to_owned(),
        display_name: format!("{username} Display"),
        first_name: "First".to_owned(),
        last_name: "Last".to_owned(),
        email: Some(format!("{username}@Example.org")),
        email_verified: false,
        password_hash: Some("$argon2id$hash".to_owned()),
        provider: None,
        is_temp: false,
        created_at: at(0),
    }
}

/// An account's credentials as they are now; those of a fresh one if there is none.
pub async fn current(store: &Store, user_id: Uuid) -> Credentials {
    let user = store.user(user_id).await.unwrap();
    user.map_or(Credentials { user_id, version: None }, |user| user.credentials())
}

/// A session that begins at 0 and is good for 30 days.
pub fn session(hash: &str, credentials: Credentials) -> NewSession {
    NewSession {
        hash: hash.to_owned(),
        credentials,
        created_at: at(0),
        expires_at: at(30 * DAY),
        ends_at: at(90 * DAY),
        user_agent: "Firefox/140".to_owned(),
        address: "192.0.2.1".to_owned(),
        device: "Firefox on Linux".to_owned(),
    }
}

/// A new account's id.
pub async fn fresh(store: &Store, username: &str) -> Uuid {
    store.create_user(account(username)).await.unwrap().id
}

/// A session of an account as it is now.
pub async fn begun(store: &Store, hash: &str, user_id: Uuid) -> Session {
    store.insert_session(session(hash, current(store, user_id).await)).await.unwrap().0
}

/// The session of a token, unless it has ended.
pub async fn found(store: &Store, hash: &str, seconds: i64) -> Option<Session> {
    store.session(hash, at(seconds)).await.unwrap().map(|(session, _)| session)
}

/// A personal token of a day.
pub fn personal_token(hash: &str, owner: Credentials) -> NewPersonalToken {
    NewPersonalToken {
        id: Uuid::new_v4(),
        hash: hash.to_owned(),
        owner,
        name: "bot".to_owned(),
        scopes: vec!["play".to_owned()],
        created_at: at(2),
        expires_at: at(DAY),
    }
}

/// An act of somebody who has to have these credentials still.
pub fn act_of(maker: Credentials, target: Uuid) -> AuditEntry {
    AuditEntry { by: Some(ActsBy::Account(maker)), ..audit(target, at(2)) }
}

pub fn audit(target: Uuid, at: DateTime<Utc>) -> AuditEntry {
    AuditEntry {
        actor: "token:local".to_owned(),
        action: "set_admin".to_owned(),
        target: target.to_string(),
        address: "127.0.0.1".to_owned(),
        at,
        detail: serde_json::json!({ "isAdmin": true }),
        by: None,
    }
}

/// All files below a folder, with their content.
pub fn contents(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(contents(&path));
        } else {
            found.insert(path.clone(), std::fs::read(&path).unwrap());
        }
    }
    found
}

pub async fn memory() -> Store {
    Store::open(&DatabaseUrl::Memory, OpenOptions::default()).await.unwrap()
}

/// Runs a query on a closed data folder, bypassing the store, and returns the last statement's result.
pub async fn raw_query(folder: &Path, query: &str) -> Value {
    let options = morpion_engine::Options {
        folder: folder.to_owned(),
        memtable_bytes: 1 << 20,
        block_cache_bytes: 32 << 20,
        accept_data_loss: false,
        key: None,
    };
    let engine = morpion_engine::Engine::open(options).await.unwrap();
    let datastore = Datastore::builder()
        .without_maintenance_tasks()
        .build_with_factory_path("", engine.factory(false))
        .await
        .unwrap();
    datastore.check_version().await.unwrap();
    let db = Surreal::<Db>::unstable_from_datastore(datastore.clone(), None).await.unwrap();
    db.use_ns("morpion").use_db("main").await.unwrap();
    let mut response = db.query(query).await.unwrap().check().unwrap();
    let value = response.take::<Value>(response.num_statements() - 1).unwrap();
    drop(db);
    datastore.shutdown().await.unwrap();
    value
}

/// A finished game as a row, in this state.
pub fn stored_game(number: u128, state: Bytes) -> GameRow {
    GameRow {
        id: Uuid::from_u128(number),
        status: GameStatus::Completed,
        game_type: "invite".to_owned(),
        event_id: None,
        players: vec![],
        created_at: at(0),
        ended_at: None,
        journal_seq: 0,
        state,
        share_token: None,
    }
}

/// A record of the journal with one entry, its number.
pub fn journal_record(number: u32) -> Bytes {
    [&[1, 4, 0, 0, 0][..], &number.to_le_bytes()].concat().into()
}

/// Puts such records into the journal's table, as earlier versions and imports have them.
pub async fn put_journal_rows(folder: &Path, numbers: RangeInclusive<u32>) {
    let (first, last) = (numbers.start(), numbers.end());
    let query = format!(
        "FOR $n IN {first}..={last} {{ UPSERT type::record('journal', $n) CONTENT {{ seq: $n, \
         data: <bytes>[1, 4, 0, 0, 0, $n % 256, math::floor($n / 256), 0, 0] }} }}; RETURN NONE"
    );
    raw_query(folder, &query).await;
}

/// A store in a fresh folder, which lives as long as the first part.
pub async fn on_disk() -> (tempfile::TempDir, Store) {
    let folder = tempfile::TempDir::new().unwrap();
    let url = DatabaseUrl::Folder(folder.path().join("db"));
    let store = Store::open(&url, OpenOptions::default()).await.unwrap();
    (folder, store)
}
